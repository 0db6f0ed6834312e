"""Small forms in the shot panel: what the clock really says, what eyes have counted."""

from __future__ import annotations

from typing import Literal

import msgspec

from skirmish.app.battle.mode import DraftError, Mode, Said, Step, enemy, people, typed_on
from skirmish.games.plastic.battle.agenda import OutcomeAsk
from skirmish.games.plastic.battle.orders import Count, SetClock
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.state import PHASES, State
from skirmish.games.plastic.battle.victory import counted_sides, question


class Clocking(Mode, frozen=True, kw_only=True):
    """T: the clock as it really stands."""

    turn: str
    side: str
    phase: int
    fresh: bool = True

    @classmethod
    def opened(cls, state: State) -> Clocking:
        """As it is now."""
        clock = state.clock
        return cls(turn=str(clock.turn), side=clock.side, phase=clock.phase)

    def press(self, key: str, play: BattlePlay) -> Step:
        """Digits, Tab, Space, Enter."""
        if key == "escape":
            return None
        if key == "enter":
            return SetClock(turn=int(self.turn or 0), side=self.side, phase=self.phase)
        if key == "tab":
            return msgspec.structs.replace(self, side=enemy(play.state, self.side))
        if key == "space":
            return msgspec.structs.replace(self, phase=self.phase % len(PHASES) + 1)
        if key == "backspace":
            return msgspec.structs.replace(self, turn=self.turn[:-1], fresh=False)
        if key.isdigit():
            turn = typed_on("" if self.fresh else self.turn, key)
            return msgspec.structs.replace(self, turn=turn, fresh=False)
        raise DraftError(
            "Digits set the turn, Tab the side, Space the phase; Enter sets the clock."
        )

    def refused(self) -> Mode:
        """The next digit begins another turn."""
        return msgspec.structs.replace(self, fresh=True)

    def lines(self, play: BattlePlay) -> list[Said]:
        """Turn, side and phase, and the keys that change them."""
        own = people(play.state, self.side)
        return [
            [
                ("T CLOCK  ", "key"),
                (f"turn {self.turn or '_'}", "chosen"),
                (f"   {own} to move   ", "strong"),
                (f"phase {self.phase}, {PHASES[self.phase].lower()}", "strong"),
            ],
            [
                ("digits", "key"),
                (" turn, ", ""),
                ("Tab", "key"),
                (" side, ", ""),
                ("Space", "key"),
                (" phase, ", ""),
                ("Enter", "key"),
                (" sets it, ", ""),
                ("Esc", "key"),
                (" leaves", ""),
            ],
            [("Only the clock changes: no deck is shuffled, and no casualty returns.", "dim")],
        ]


class Counting(Mode, frozen=True, kw_only=True):
    """C: a number for each side that something is counted for."""

    sides: tuple[str, ...]
    typed: tuple[str, ...]
    at: int = 0
    deciding: bool = False
    fresh: bool = False

    @classmethod
    def opened(cls, state: State) -> Counting:
        """All empty; raises DraftError where nothing is counted."""
        sides = counted_sides(state)
        if not sides:
            raise DraftError("Nothing is counted in this battle.")
        deciding = isinstance(state.ask, OutcomeAsk)
        return cls(sides=sides, typed=("",) * len(sides), deciding=deciding)

    @property
    def begun(self) -> bool:
        """At the end of a battle an empty form does not stand in the way of Backspace."""
        return not self.deciding or any(self.typed)

    def press(self, key: str, play: BattlePlay) -> Step:
        """Digits; Enter or Tab goes on to the next number, Enter after the last is the count."""
        now = self.typed[self.at]
        if key.isdigit():
            before = "" if self.fresh else now
            return self._with((before + key).lstrip("0")[:3] or "0")
        if key in ("escape", "backspace"):
            if now:
                return self._with(now[:-1])
            if self.at:
                return msgspec.structs.replace(self, at=self.at - 1)
            return self if self.deciding else None
        if key == "tab":
            return msgspec.structs.replace(self, at=(self.at + 1) % len(self.sides))
        if key in ("enter", "space"):
            if not now:
                number = play.state.setup.of(self.sides[self.at], "number")
                raise DraftError(f"Type the {number} first.")
            missing = [index for index, number in enumerate(self.typed) if not number]
            if missing:
                return msgspec.structs.replace(self, at=missing[0])
            return Count(values=dict(zip(self.sides, map(int, self.typed), strict=True)))
        raise DraftError("Type a number, then Enter.")

    def lines(self, play: BattlePlay) -> list[Said]:
        """The question, and a number for each."""
        state = play.state
        line: Said = []
        for index, (side, number) in enumerate(zip(self.sides, self.typed, strict=True)):
            tone: Literal["chosen", ""] = "chosen" if index == self.at else ""
            line += [
                (f"{people(state, side)} ", "strong"),
                (f" {number or '_'} ", tone),
                ("  ", ""),
            ]
        last = state.counted
        if last:
            told = ", ".join(f"{people(state, s)} {n}" for s, n in last.values.items())
            line += [(f" (turn {last.clock.turn}: {told})", "dim")]
        title = "TIME IS UP, COUNT  " if self.deciding else "C COUNT  "
        keys: Said = [("Enter", "key"), (" next number, then done; ", ""), ("Tab", "key")]
        keys += [(" other number; ", ""), ("F", "key"), (" say who won", "")]
        return [[(title, "key"), (f"{question(state)}?", "strong")], line, keys]

    def refused(self) -> Mode:
        """The next digit begins another number."""
        return msgspec.structs.replace(self, fresh=True)

    def _with(self, number: str) -> Mode:
        typed = (*self.typed[: self.at], number, *self.typed[self.at + 1 :])
        return msgspec.structs.replace(self, typed=typed, fresh=False)
