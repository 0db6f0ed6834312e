"""Rows chosen by arrows: Left and Right begin and change sides, Up and Down walk, Enter takes."""

from __future__ import annotations

from skirmish.app.battle.mode import DraftError, Mode, Said, Step, enemy
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.rows import Row, find, rows
from skirmish.games.plastic.battle.state import State


class Walking(Mode, frozen=True, kw_only=True):
    """On ``row``, for the mode that is ``beneath``. All other keys do there what they ever do."""

    beneath: Mode
    row: str

    @classmethod
    def opened(cls, mode: Mode, state: State, key: str) -> Mode:
        """On the first row worth choosing of the side that is asked for; where a letter names no
        row, on the side of the arrow. Raises DraftError where no row is chosen."""
        sides = [side.id for side in state.setup.sides]
        side = mode.naming(state) or sides[key == "right"]
        if not mode.picks_rows(state):
            raise DraftError("There is no row to choose here. Esc steps back.")
        return cls.on(mode, state, side)

    @classmethod
    def on(cls, mode: Mode, state: State, side: str) -> Mode:
        """On a side: its row chosen before, else the first that can still fire."""
        own = in_sight(state, side)
        if not own:
            raise DraftError("This side has nobody on the table.")
        chosen = [row for row in own if row.key in mode.marked()]
        able = [row for row in own if row.here and (row.ready_count or side != state.firing_side)]
        return cls(beneath=mode, row=(chosen or able or own)[0].key)

    def press(self, key: str, play: BattlePlay) -> Step:
        """The arrows, Enter, Esc; anything else is the business of the mode beneath."""
        state = play.state
        if key in ("up", "down"):
            return self._stepped(state, -1 if key == "up" else 1)
        if key in ("left", "right"):
            return self._across(state, key)
        if key == "escape":
            return self.beneath
        if key.isdigit() and isinstance(step := self.beneath.press(key, play), Mode):
            return Walking(beneath=step, row=self.row) if step.naming(state) else step
        if key != "enter":
            return self.beneath.press(key, play)
        row = find(state, self.row)
        return None if row is None else self.picked(row, play)

    def picked(self, row: Row, play: BattlePlay) -> Step:
        """Take a row; go on walking where the next one is asked for."""
        step = self.beneath.picked(row, play)
        if isinstance(step, Mode) and (side := step.naming(play.state)) is not None:
            if side == row.side:
                return Walking(beneath=step, row=row.key)
            return Walking.on(step, play.state, side)
        return step

    def lines(self, play: BattlePlay) -> list[Said]:
        """Of the mode beneath."""
        return self.beneath.lines(play)

    @property
    def begun(self) -> bool:
        """Of the mode beneath."""
        return self.beneath.begun

    def naming(self, state: State) -> str | None:
        """Of the mode beneath."""
        return self.beneath.naming(state)

    def marked(self) -> frozenset[str]:
        """Of the mode beneath."""
        return self.beneath.marked()

    @property
    def pointer(self) -> str | None:
        """The row that Enter takes."""
        return self.row

    @property
    def under(self) -> Mode:
        """The mode beneath."""
        return self.beneath

    def refused(self) -> Mode:
        """Of the mode beneath."""
        return self.beneath.refused()

    def _stepped(self, state: State, by: int) -> Walking:
        side = self.row.partition("/")[0]
        keys = [row.key for row in in_sight(state, side)]
        at = keys.index(self.row) if self.row in keys else 0
        return Walking(beneath=self.beneath, row=keys[(at + by) % len(keys)])

    def _across(self, state: State, key: str) -> Mode:
        sides = [side.id for side in state.setup.sides]
        side = self.row.partition("/")[0]
        to = sides[key == "right"]
        return self if side == to else Walking.on(self.beneath, state, enemy(state, side))


def in_sight(state: State, side: str) -> list[Row]:
    """The rows of a side that have a line of their own on the screen: a contingent that has not
    come on yet is one line without a letter."""
    own = rows(state, side)
    here = {row.contingent.id for row in own if row.here}
    late = {row.contingent.id for row in own if row.waiting} - here
    return [row for row in own if row.contingent.id not in late]
