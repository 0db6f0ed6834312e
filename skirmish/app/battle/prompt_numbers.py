"""Orders of one breath: a number if need be, a letter, done. Losses, men back, what is shown,
what is refuelled, what is abandoned."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

from skirmish.app.battle.mode import (
    DraftError,
    Mode,
    Said,
    Step,
    enemy,
    people,
    row_with,
    typed_on,
)
from skirmish.games.plastic.battle.names import RowName
from skirmish.games.plastic.battle.orders import (
    Add,
    AnyOrder,
    Convert,
    Correct,
    MarkPinned,
    Reveal,
    Serve,
)
from skirmish.games.plastic.battle.orders.movement import convertible, servable
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.rows import Row, rows
from skirmish.games.plastic.battle.state import State

Kind = Literal["lost", "back", "pinned", "reveal", "serve", "convert"]
EITHER = ("lost", "back", "pinned")
"""Kinds in which a letter that the likely side does not have names a row of the other."""


class Numbered(Mode, frozen=True, kw_only=True):
    """``3r``: three of that row. The letter acts at once; Tab is the other side."""

    kind: Kind
    side: str
    typed: str = ""
    fresh: bool = False

    @classmethod
    def opened(cls, kind: Kind, state: State) -> Numbered:
        """For the side that it is likely to be about. Losses are those of the side shot at."""
        shot_at = enemy(state, state.firing_side)
        return cls(kind=kind, side=_LIKELY[kind](state) or shot_at)

    @property
    def number(self) -> int:
        """How many: one, if nothing is typed."""
        return int(self.typed) if self.typed else 1

    def naming(self, state: State) -> str | None:
        """The side it is about."""
        return self.side

    def press(self, key: str, play: BattlePlay) -> Step:
        """Digits, then the letter of a row."""
        if key == "escape":
            return None
        if key == "backspace":
            return msgspec.structs.replace(self, typed=self.typed[:-1]) if self.typed else None
        if key == "tab":
            return msgspec.structs.replace(self, side=enemy(play.state, self.side))
        if key.isdigit():
            typed = typed_on("" if self.fresh else self.typed, key)
            return msgspec.structs.replace(self, typed=typed, fresh=False)
        if len(key) == 1:
            return _ORDERS[self.kind](self._row(key, play.state), self.number)
        if key == "enter" and self.kind == "back":
            return Recruiting(side=self.side, number=self.number)
        raise DraftError("Choose a row; digits before its letter say how many. Esc leaves.")

    def picked(self, row: Row, play: BattlePlay) -> Step:
        """A row of either side."""
        return _ORDERS[self.kind](row, self.number)

    def _row(self, letter: str, state: State) -> Row:
        """The row of that letter; raises DraftError."""
        others = rows(state, enemy(state, self.side)) if self.kind in EITHER else ()
        other = next((row for row in others if row.letter == letter), None)
        if other is None or any(row.letter == letter for row in rows(state, self.side)):
            return row_with(letter, state, self.side, tab=True)
        return other

    def refused(self) -> Mode:
        """The next digit begins another number."""
        return msgspec.structs.replace(self, fresh=True)

    def lines(self, play: BattlePlay) -> list[Said]:
        """What it is about, and for whom."""
        state = play.state
        title, does = _WORDS[self.kind]
        own = people(state, self.side)
        shown = f" {self.typed}" if self.typed else ""
        other = people(state, enemy(state, self.side))
        first: Said = [(f"{title}  ", "key"), (f"{own}{shown} ", "strong"), (does, "")]
        keys: Said = [
            ("letter", "key"),
            (" chooses who, ", ""),
            ("digits", "key"),
            (" before it: how many, ", ""),
            ("Tab", "key"),
            (f" {other}, ", ""),
            ("Esc", "key"),
            (" leaves", ""),
        ]
        return [first, keys, *self._hint(state)]

    def _hint(self, state: State) -> list[Said]:
        """One short line: who can be meant. What the scenario says of it stands below."""
        text = ""
        own = rows(state, self.side)
        if self.kind == "back":
            return [
                [("Enter", "key"), (" adds a kind of unit that this side does not have.", "dim")]
            ]
        if self.kind == "pinned":
            text = "A row with a pin loses it; another is marked as pinned."
        elif self.kind == "reveal":
            found = [
                f"{row.letter} {row.unit.short} {len(row.hidden)}" for row in own if row.hidden
            ]
            text = "Hidden: " + ", ".join(found) if found else "This side has nobody hidden."
        elif self.kind == "serve":
            wait = any(piece in state.unserved for row in own for piece in row.here)
            text = "None can be served now; press the letter to see why." if wait else ""
            text = text or "Nobody on this side needs service."
            if more := servable(state):
                text = f"{more} more can be served this turn."
        elif self.kind == "convert":
            kinds = [(row, kind) for row in own if (kind := convertible(state, row))]
            found = [
                f"{row.letter} {row.unit.short} becomes {state.setup.unit(kind.becomes).short}"
                for row, kind in kinds
                if row.on_foot
            ]
            text = ", ".join(found) or "Nobody on this side can do this."
        return [[(text, "dim")]] if text else []


class Recruiting(Mode, frozen=True, kw_only=True):
    """A friend arrives: so many of a kind of unit that the side does not have yet."""

    side: str
    number: int

    def press(self, key: str, play: BattlePlay) -> Step:
        """The letter of a kind."""
        if key in ("escape", "backspace"):
            return None
        if key == "tab":
            return msgspec.structs.replace(self, side=enemy(play.state, self.side))
        unit = self._offered(play.state).get(key)
        if unit is None:
            raise DraftError("Choose a kind of unit by its letter; Esc leaves.")
        here = [group for group in play.state.setup.contingents if group.side == self.side]
        now = (group for group in here if group.enters <= play.state.clock.turn)
        group = next(now, here[0])
        return Add(row=str(RowName(self.side, group.id, unit)), count=self.number)

    def lines(self, play: BattlePlay) -> list[Said]:
        """Every kind with its letter."""
        setup = play.state.setup
        own = setup.side_by_id[self.side].people
        first: Said = [
            ("+ NEW UNIT  ", "key"),
            (f"{own}, {self.number} of which kind?  ", "strong"),
        ]
        first += [("Tab", "key"), (" other side, ", ""), ("Esc", "key"), (" leaves", "")]
        kinds: Said = []
        for letter, unit in self._offered(play.state).items():
            kinds += [(letter, "key"), (f" {setup.unit(unit).short}  ", "")]
        return [first, kinds]

    def _offered(self, state: State) -> dict[str, str]:
        """Kinds by letter: those of the book that no row of the side has."""
        have = {row.unit.id for row in rows(state, self.side)}
        found: dict[str, str] = {}
        for unit in state.setup.catalog.units.values():
            if unit.id not in have and unit.shelf != "scenario":
                found[state.setup.free_letter(unit.id, found)] = unit.id
        return found


def _hiding(state: State) -> str | None:
    return next((piece.partition(":")[0] for piece in sorted(state.hidden)), None)


def _waiting(state: State) -> str | None:
    """The side with somebody to serve; the one that moves, where both have or neither."""
    sides = {piece.partition(":")[0] for piece in state.unserved}
    return next(iter(sides)) if len(sides) == 1 else state.mover


def _able(state: State) -> str | None:
    return next(
        (
            side.id
            for side in state.setup.sides
            if any(convertible(state, row) for row in rows(state, side.id))
        ),
        None,
    )


_LIKELY: dict[Kind, Callable[[State], str | None]] = {
    "lost": lambda _: None,
    "back": lambda _: None,
    "pinned": lambda state: state.mover,
    "reveal": _hiding,
    "serve": _waiting,
    "convert": _able,
}
_ORDERS: dict[Kind, Callable[[Row, int], AnyOrder]] = {
    "lost": lambda row, n: Correct(row=row.key, by=-n),
    "back": lambda row, n: Correct(row=row.key, by=n),
    "pinned": lambda row, _: MarkPinned(row.key),
    "reveal": lambda row, n: Reveal(row=row.key, count=n),
    "serve": lambda row, n: Serve(row=row.key, count=n),
    "convert": lambda row, n: Convert(row=row.key, count=n),
}
_WORDS: dict[Kind, tuple[str, str]] = {
    "lost": ("- LOSSES", "are taken off without a shot."),
    "back": ("+ BACK", "stand again."),
    "pinned": ("* PINNED", "pinned, or no longer."),
    "reveal": ("R REVEAL", "come out of hiding."),
    "serve": ("S SERVE", "are refuelled or served."),
    "convert": ("B ABANDON", "leave it and fight on as something else."),
}
