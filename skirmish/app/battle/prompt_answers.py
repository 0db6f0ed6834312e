"""Answers to what the program asks: who dies, which model; and which mode answers which ask."""

from __future__ import annotations

import msgspec

from skirmish.app.battle.mode import (
    DraftError,
    Mode,
    Picked,
    Said,
    Step,
    listed,
    row_with,
)
from skirmish.app.battle.prompt_forms import Counting
from skirmish.app.battle.prompt_lists import Sunk, riders_in_words
from skirmish.app.battle.prompt_waiting import Choosing, Ending, Over, Suiting, Typing
from skirmish.games.plastic.battle.agenda import (
    CasualtyAsk,
    ChoiceAsk,
    DrawAsk,
    InsideAsk,
    OutcomeAsk,
    PieceAsk,
)
from skirmish.games.plastic.battle.names import piece_code, weapon_slot
from skirmish.games.plastic.battle.orders import Give, Point
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.rows import Row, find
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.catalog import plural


class Dying(Mode, frozen=True, kw_only=True):
    """The defender's choice. One man: his letter is enough. Of several, letters replace those
    proposed, one at a time, and Enter takes them all."""

    named: tuple[str, ...] = ()

    @property
    def begun(self) -> bool:
        """Whether anybody was named."""
        return bool(self.named)

    def naming(self, state: State) -> str | None:
        """The side that loses them."""
        return state.ask.side if isinstance(state.ask, CasualtyAsk) else None

    def press(self, key: str, play: BattlePlay) -> Step:
        """Letters; Enter."""
        state, ask = play.state, play.state.ask
        if not isinstance(ask, CasualtyAsk):
            return None
        if key in ("enter", "space"):
            return Give(self.named or ask.proposed)
        if key in ("escape", "backspace"):
            return msgspec.structs.replace(self, named=self.named[:-1])
        if len(key) == 1 and key.isalpha():
            return self.picked(row_with(key, state, ask.side), play)
        raise DraftError("Enter accepts; a letter chooses another.")

    def picked(self, row: Row, play: BattlePlay) -> Step:
        """One of that row dies."""
        ask = play.state.ask
        if not isinstance(ask, CasualtyAsk):
            return None
        if row.key not in ask.rows:
            raise DraftError(f"{row.letter} may not be chosen; Enter accepts the man proposed.")
        if len(self.named) >= ask.count:
            raise DraftError(f"All {ask.count} are chosen: Enter accepts, Backspace steps back.")
        if self.named.count(row.key) >= len(row.on_foot):
            raise DraftError(f"There are no more {plural(row.unit.name)} here.")
        if ask.count == 1:
            return Give((row.key,))
        return Dying(named=(*self.named, row.key))

    def lines(self, play: BattlePlay) -> list[Said]:
        """How many, who may, who is named so far."""
        state, ask = play.state, play.state.ask
        if not isinstance(ask, CasualtyAsk):
            return []
        the = state.setup.the(ask.side, "The")
        if ask.count == 1:
            return [
                [("WHO DIES?  ", "key"), (f"{the} choose any man of the group in sight.", "")],
                _candidates(state, ask),
                [
                    ("Tab", "key"),
                    (" judge the shot again, ", "dim"),
                    ("Backspace", "key"),
                    (" undo", "dim"),
                ],
            ]
        named = _grouped(self.named)
        rest = _grouped(_rest(ask, self.named))
        line: Said = [(listed(state, named) + "; then " if named else "", "strong")]
        line += [(f"{listed(state, rest)}" if rest else "no more", "")]
        return [
            [
                ("WHO DIES?  ", "key"),
                (f"{the} choose {_of_all(play, ask)} men. ", ""),
                ("Enter", "key"),
                (" accepts, letters change it", ""),
            ],
            line,
            _candidates(state, ask),
        ]


class Pointing(Mode, frozen=True, kw_only=True):
    """Which model was hit: its number, as on its roster."""

    typed: str = ""

    @property
    def begun(self) -> bool:
        """Whether a digit was typed."""
        return bool(self.typed)

    def press(self, key: str, play: BattlePlay) -> Step:
        """Digits; at once where no other code begins like it."""
        ask = play.state.ask
        if not isinstance(ask, PieceAsk):
            return None
        codes = {piece_code(piece)[1:]: piece for piece in ask.pieces}
        if key in ("escape", "backspace"):
            return Pointing(typed=self.typed[:-1])
        if key in ("enter", "space") and self.typed in codes:
            return Point(codes[self.typed])
        if not key.isdigit():
            raise DraftError(f"Type the number of the model: {', '.join(codes)}.")
        typed = self.typed + key
        like = [code for code in codes if code.startswith(typed)]
        if not like:
            raise DraftError(f"{typed} is not one of them: {', '.join(codes)}.")
        return Point(codes[typed]) if like == [typed] else Pointing(typed=typed)

    def lines(self, play: BattlePlay) -> list[Said]:
        """With what makes them different; those that are alike stand together."""
        state, ask = play.state, play.state.ask
        if not isinstance(ask, PieceAsk):
            return []
        row = find(state, ask.row)
        name = row.unit.name if row else ""
        alike: dict[str, list[str]] = {}
        for piece in ask.pieces:
            alike.setdefault(condition(state, piece), []).append(piece_code(piece))
        shown: Said = []
        for how, codes in alike.items():
            numbers = _runs([int(code[1:]) for code in codes])
            shown += [(codes[0][:1], ""), (numbers, "key"), (f" {how}   ", "")]
        ends = f" {self.typed}_ (Enter)" if self.typed else ""
        name = state.setup.of(ask.side, name)
        return [
            [
                ("WHICH ONE?  ", "key"),
                (f"{name[:1].upper()}{name[1:]}: type its number.{ends}", ""),
            ],
            shown,
        ]


def answering(state: State) -> Mode | None:
    """The mode of the question that is open, or None where none is (a repeat offer is none)."""
    if state.outcome is not None:
        return Over(says="The battle is over; Backspace opens it again.")
    match state.ask:
        case CasualtyAsk():
            return Dying()
        case PieceAsk():
            return Pointing()
        case InsideAsk(side=side):
            return Sunk(side=side)
        case ChoiceAsk():
            return Choosing()
        case DrawAsk(rank=rank):
            return Typing() if rank is None else Suiting()
        case OutcomeAsk(count=True):
            return Counting.opened(state)
        case OutcomeAsk():
            return Ending(says="Time is up: F says who won, Backspace undoes.")
    return None


def _of_all(play: BattlePlay, ask: CasualtyAsk) -> str:
    """``3 of 4``: the others die as they were hit, by an ace."""
    from skirmish.app.battle.verdict_words import volley_hits

    hits = volley_hits(play) or ask.count
    return f"{ask.count} of {hits}" if hits > ask.count else f"{ask.count}"


def _candidates(state: State, ask: CasualtyAsk) -> Said:
    line: Said = []
    for key in ask.rows:
        row = find(state, key)
        if row is not None:
            proposed = ask.count == 1 and key == ask.proposed[0]
            words = f"{row.letter} {row.unit.short}" + (" (Enter)" if proposed else "")
            line += [(words, "chosen" if proposed else ""), ("   ", "")]
    return line


def _rest(ask: CasualtyAsk, named: tuple[str, ...]) -> tuple[str, ...]:
    return ask.proposed[: ask.count - len(named)]


def _grouped(keys: tuple[str, ...]) -> list[Picked]:
    return [Picked(key, keys.count(key)) for key in dict.fromkeys(keys)]


def _runs(numbers: list[int]) -> str:
    """``1-4, 7``: numbers, those that follow one another as a span."""
    spans: list[list[int]] = []
    for number in numbers:
        if spans and number == spans[-1][-1] + 1:
            spans[-1].append(number)
        else:
            spans.append([number])
    said = [
        f"{span[0]}-{span[-1]}" if len(span) > 2 else ", ".join(map(str, span)) for span in spans
    ]
    return ", ".join(said)


def condition(state: State, piece: str) -> str:
    """What makes a model differ from others of its row: who is in it, what it has lost."""
    parts = []
    if riders := riders_in_words(state, piece):
        parts.append(riders)
    elif state.setup.unit(state.unit_of(piece)).seats:
        parts.append("empty" if piece in state.recorded else "load unknown")
    if piece in state.unserved:
        parts.append("not served")
    if any(weapon_slot(piece, slot) in state.disarmed for slot in range(2)):
        parts.append("disarmed")
    return ", ".join(parts) or "undamaged"
