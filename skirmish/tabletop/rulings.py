"""The gaps in a game's rules: each is a question with a default answer and usually others.

A *live* ruling changes what a rule does. A *spoken* one changes nothing in the program; its text is
shown where players need it. Code that depends on rulings takes a mapping from the id of every
ruling to the id of its answer, which each game stores in its opening.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Generic, Literal, NamedTuple, TypeVar

import msgspec

from skirmish.tabletop.data_file import Problem, doubles, suggest


class Ruling(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One gap. ``answers`` maps an answer's id to its sentence; with one answer there is no choice.
    A game that began before the ruling existed has the answer ``before``: the way the gap was
    played until then.

    A file may leave out three fields: the ``default`` is the first answer then, ``before`` is the
    default, and the ``mode`` is live for several answers, spoken for a single one.
    """

    id: str
    title: str
    mode: Literal["live", "spoken", ""] = ""
    question: str
    default: str = ""
    before: str = ""
    answers: dict[str, str]

    def __post_init__(self) -> None:
        if not self.mode:
            mode = "spoken"
            if len(self.answers) > 1:
                mode = "live"
            # The struct is frozen; nobody has seen it yet.
            msgspec.structs.force_setattr(self, "mode", mode)
        if not self.default:
            msgspec.structs.force_setattr(self, "default", next(iter(self.answers), ""))
        if not self.before:
            msgspec.structs.force_setattr(self, "before", self.default)


RulingT = TypeVar("RulingT", bound=Ruling)


class Departure(NamedTuple, Generic[RulingT]):
    """A ruling that is answered otherwise than by default, and the ``sentence`` of its answer."""

    ruling: RulingT
    sentence: str


class RulingBook(msgspec.Struct, Generic[RulingT], frozen=True):
    """All rulings of a game by id, in the order of its file. ``retired`` rulings turned out to be
    answered by the rules: stored answers to them are accepted and ignored."""

    rulings: dict[str, RulingT]

    @property
    def retired(self) -> tuple[str, ...]:
        """The ids of rulings that the game no longer has. A game that has retired some overrides
        this."""
        return ()

    @property
    def span(self) -> str:
        """Which rulings there are, as the end of a sentence: ``they run from P1 to P87``."""
        ids = list(self.rulings)
        if len(ids) == 1:
            return f"there is only {ids[0]}"
        return f"they run from {ids[0]} to {ids[-1]}"

    def defaults(self) -> dict[str, str]:
        """The default answer of every ruling, by the ruling's id."""
        return {id: ruling.default for id, ruling in self.rulings.items()}

    def answered(self, chosen: Mapping[str, str]) -> dict[str, str]:
        """Every ruling answered: as ``chosen``, else by default. Raises ValueError (a sentence)."""
        problem = next(self.problems(chosen), None)  # one sentence is enough: the first
        if problem is not None:
            raise ValueError(str(problem))
        # Answers to retired rulings are accepted, and have no effect.
        of_today = {id: answer for id, answer in chosen.items() if id in self.rulings}
        return self.defaults() | of_today

    def completed(self, stored: Mapping[str, str]) -> dict[str, str]:
        """The answers that a game stored in its opening, and for each ruling that was added since
        then the answer by which the game was played (``Ruling.before``). Answers to rulings that no
        longer exist stay."""
        added = {id: ruling.before for id, ruling in self.rulings.items() if id not in stored}
        return {**stored, **added}

    def problems(self, chosen: Mapping[str, str], key: str = "rulings") -> Iterator[Problem]:
        """What is wrong with the ``chosen`` answers; ``key`` is their place in a file."""
        for id, answer in chosen.items():
            if id in self.retired:
                continue
            ruling = self.rulings.get(id)
            if ruling is None:
                yield Problem(f"{key}.{id}", f"no such ruling; {self.span}.")
            elif answer not in ruling.answers:
                text = f"no answer {answer!r}; {suggest(answer, ruling.answers)}"
                yield Problem(f"{key}.{id}", text)

    def preferred_answers(self, answers: Mapping[str, str]) -> dict[str, str]:
        """The answers that a player prefers to the defaults. Rulings or answers that do not exist,
        as in an old or edited file, are left out."""
        preferred = {}
        for id, answer in answers.items():
            ruling = self.rulings.get(id)
            if ruling is None or answer not in ruling.answers:
                continue
            if answer != ruling.default:
                preferred[id] = answer
        return preferred

    def departures(self, answers: Mapping[str, str]) -> list[Departure[RulingT]]:
        """The rulings that are answered otherwise than by default, in the order of the file."""
        departures = []
        for id, ruling in self.rulings.items():
            answer = answers.get(id, ruling.default)
            if answer != ruling.default:
                departures.append(Departure(ruling, ruling.answers[answer]))
        return departures


def problems_of(rulings: Sequence[Ruling]) -> Iterator[Problem]:
    """What is wrong with the rulings of a file: an id that occurs twice, a ``default`` or
    ``before`` that is none of the answers."""
    yield from doubles("ruling", [ruling.id for ruling in rulings])
    for index, ruling in enumerate(rulings):
        if ruling.default not in ruling.answers:
            hint = suggest(ruling.default, ruling.answers)
            yield Problem(f"ruling[{index}].default", f"no answer {ruling.default!r}; {hint}")
        # Without its own ``before`` a ruling has the default, which is reported above.
        if ruling.before not in ruling.answers and ruling.before != ruling.default:
            hint = suggest(ruling.before, ruling.answers)
            yield Problem(f"ruling[{index}].before", f"no answer {ruling.before!r}; {hint}")
