"""Answers questions to the rules, each a line of JSON: what a shot needs, what a draw comes to. The
format is described in docs/resolve.md."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeVar

import msgspec

from skirmish.games.plastic.rules import checks
from skirmish.games.plastic.rules.catalog import DECK, DIE, Catalog, Nation
from skirmish.games.plastic.rules.explanation import aim_words, explain
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.games.plastic.rules.shot import Circumstances, Shot, aim, judge, weapon_named, why_not
from skirmish.tabletop.chance import Draw, parse_card, parse_face
from skirmish.tabletop.data_file import DataError, read, suggest
from skirmish.tabletop.refusal import Refusal

Answer = dict[str, Any]
"""The answer as a JSON object."""
Named = TypeVar("Named")
"""What a question names by its id: a unit, a nation, a force quality."""
_HIGHEST_RANK = max(card.rank for card in DECK)
"""Found once: there may be a question on each of thousands of lines."""


class QuestionError(ValueError):
    """A question that cannot be answered. Its message has no full stop: it becomes part of a
    sentence."""


class AskedShot(Circumstances, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A shot by the ids of its units, with its circumstances; ``distance`` in table inches."""

    shooter: str
    target: str
    distance: Annotated[float, msgspec.Meta(ge=0)]
    phase: Literal[1, 2, 3, 4]
    weapon: str | None = None
    nation: str | None = None


class AskedCheck(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A pin test, a command draw, or an attempt of a group to dig in."""

    kind: Literal["pin", "command", "entrench"]
    quality: str | None = None
    """The force quality of those who are tested."""
    figures: Annotated[int, msgspec.Meta(ge=1)] = 4
    """How many men the group has. Those who dig must be enough of them ("Entrenching"); by default
    they just are."""
    engineer: bool = False
    nation: str | None = None


class RulesQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One line: a shot or a check, what was drawn for it, and rulings other than the defaults."""

    shot: AskedShot | None = None
    check: AskedCheck | None = None
    draw: list[str | int] = []
    rulings: dict[str, str] = {}


class Answering:
    """Answers questions by the numbers of ``catalog`` and the rulings of ``book``."""

    def __init__(self, catalog: Catalog, book: PlasticRulingBook) -> None:
        self._catalog = catalog
        self._book = book
        self._defaults = book.defaults()
        self._decode: Callable[[bytes], RulesQuestion] = msgspec.json.Decoder(RulesQuestion).decode

    def answer_line(self, line: bytes) -> Answer:
        """The answer to a line of JSON. Raises QuestionError."""
        try:
            question = self._read(line)
        except DataError as error:
            raise QuestionError("; ".join(map(str, error.problems)).rstrip(".")) from None
        except UnicodeDecodeError:
            raise QuestionError("not JSON: it is not text in UTF-8") from None
        except msgspec.DecodeError as error:
            raise QuestionError(f"not JSON: {str(error).rstrip('.')}") from None
        return self.answer(question)

    def _read(self, line: bytes) -> RulesQuestion:
        """The question of a line. Raises DataError with all that is wrong in it."""
        # A line that the fast decoder rejects is read again by the slower reader, which names every
        # mistake.
        try:
            return self._decode(line)
        except msgspec.ValidationError:
            return read(msgspec.json.decode(line), RulesQuestion, "line")

    def answer(self, question: RulesQuestion) -> Answer:
        """The answer to a question. Raises QuestionError."""
        try:
            rulings = self._defaults
            if question.rulings:
                rulings = self._book.answered(question.rulings)
            draws = self._draws(question.draw, rulings)
            if question.shot and not question.check:
                return self._shot(question.shot, draws, rulings)
            if question.check and not question.shot:
                return self._check(question.check, draws, rulings)
        except ValueError as error:
            raise QuestionError(str(error)) from None
        raise QuestionError("a line asks about one thing: a shot or a check")

    def _shot(self, asked: AskedShot, draws: list[Draw], rulings: dict[str, str]) -> Answer:
        """Whether a shot is allowed, what it needs and, with a draw, what comes of it."""
        shooter = self._named(asked.shooter, self._catalog.units, "unit", "shooter")
        # The question is a ``Circumstances`` itself. Units that touch are at no distance, whatever
        # else the line states.
        circumstances = asked
        if asked.touching:
            circumstances = msgspec.structs.replace(asked, distance=0)
        shot = Shot(
            shooter=shooter,
            weapon=weapon_named(shooter, asked.weapon, self._catalog, rulings),
            target=self._named(asked.target, self._catalog.units, "unit", "target"),
            circumstances=circumstances,
            nation=self._nation(asked.nation),
        )
        refusal = why_not(shot, self._catalog, rulings)
        if refusal:
            return _illegal(refusal)
        aimed = aim(shot, self._catalog, rulings)
        if not draws:
            return {"legal": True, "needs": aimed.needs, "explain": aim_words(aimed)}
        # "Breakdowns": after a queen of spades or a 12 the weapon is tested with another draw.
        shot_draw, breakdown_draw = draws[0], None
        if len(draws) > 1:
            breakdown_draw = draws[1]
        verdict = judge(aimed, shot_draw, breakdown_draw)
        answer = {"legal": True, "needs": aimed.needs, **msgspec.structs.asdict(verdict)}
        if verdict.repeat is not None:
            answer["repeat"] = {"within": verdict.repeat.within, "of": verdict.repeat.of}
        answer["explain"] = explain(aimed, shot_draw, breakdown_draw, verdict)
        return answer

    def _check(self, asked: AskedCheck, draws: list[Draw], rulings: dict[str, str]) -> Answer:
        """The result of a check, or why it is not allowed. Raises QuestionError."""
        nation = self._nation(asked.nation)
        quality = None
        if asked.quality is not None:
            quality = self._named(asked.quality, self._catalog.qualities, "quality", "quality")
        if asked.kind == "entrench":
            refusal = checks.why_not_entrench(asked.figures, asked.engineer, nation, self._catalog)
            if refusal:
                return _illegal(refusal)
        # Elite troops and those without a quality draw nothing, so no draw is missing.
        if asked.kind == "command" and not draws and not checks.draws_for_command(quality):
            return {"movement_ends": False}
        if len(draws) != 1:
            raise QuestionError(f"a check takes one draw, not {len(draws)}")
        draw = draws[0]
        if asked.kind == "pin":
            return {"pinned": checks.is_pinned(quality, draw, self._catalog, rulings)}
        if asked.kind == "command":
            return {"movement_ends": checks.movement_ends(quality, draw)}
        return {"dug_in": checks.is_dug_in(asked.engineer, nation, draw, self._catalog)}

    def _draws(self, written: list[str | int], rulings: dict[str, str]) -> list[Draw]:
        """What was drawn: for a shot, then for its breakdown test. Raises QuestionError."""
        if len(written) > 2:
            raise QuestionError(f"draw holds {len(written)} entries; at most 2 are drawn")
        draws = [_draw(entry) for entry in written]
        if len(draws) < 2:
            return draws
        first, second = draws
        # "Equipment Needed": "Players who wish may use a 12-sided die instead of cards".
        if first.is_card != second.is_card:
            raise QuestionError("draw mixes a card and a die; a player uses one or the other")
        # P78: the card of the shot is set aside until its breakdown test is done, even if the deck
        # runs out between them.
        if first.is_card and first == second and rulings["P78"] == "aside":
            raise QuestionError(f"draw holds {first} twice; a deck has one of each card")
        return draws

    def _nation(self, name: str | None) -> Nation | None:
        """The nation with this id; None if none is named. Raises QuestionError."""
        if name is None:
            return None
        return self._named(name, self._catalog.nations, "nation", "nation")

    @staticmethod
    def _named(name: str, by_name: dict[str, Named], noun: str, field: str) -> Named:
        """What a ``field`` of the question names; ``noun`` says what it should be, such as a unit.
        Raises QuestionError."""
        if name not in by_name:
            raise QuestionError(f"{field}: no {noun} {name!r}; {suggest(name, by_name)}")
        return by_name[name]


def _draw(entry: str | int) -> Draw:
    """What an entry of ``draw`` stands for: a number is the face of a die, a text a card. Raises
    ValueError."""
    if isinstance(entry, int):
        return parse_face(entry, DIE)
    return parse_card(entry, _HIGHEST_RANK)


def _illegal(refusal: Refusal) -> Answer:
    """The answer to a question about something that the rules forbid."""
    return {"legal": False, "code": refusal.code, "message": refusal.message}
