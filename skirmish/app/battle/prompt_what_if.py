"""A mark on the what-ifs below a shot: Up and Down walk, Enter takes the row into the shot."""

from __future__ import annotations

from skirmish.app.battle.draft import Draft
from skirmish.app.battle.mode import DraftError, Mode, Said, Step
from skirmish.games.plastic.battle.odds import Kind, Otherwise, others
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.rows import Row
from skirmish.games.plastic.battle.state import State


class Wondering(Mode, frozen=True, kw_only=True):
    """On the row that changes ``kind`` in the shot that is ``beneath``. All other keys do there
    what they ever do: Space fires it as it stands."""

    beneath: Draft
    kind: Kind

    @classmethod
    def opened(cls, draft: Draft, state: State, key: str) -> Wondering:
        """On the first row, or with Up on the last; raises DraftError where there is none."""
        found = _rows(draft, state)
        if not found:
            raise DraftError("Nothing else would make a difference. Space draws, Esc steps back.")
        return cls(beneath=draft, kind=found[-1 if key == "up" else 0].kind)

    def press(self, key: str, play: BattlePlay) -> Step:
        """The arrows, Enter, Esc; anything else is the business of the shot."""
        found = _rows(self.beneath, play.state)
        at = next((n for n, row in enumerate(found) if row.kind == self.kind), None)
        if at is None or key in ("escape", "backspace"):
            return self.beneath
        if key in ("up", "down"):
            step = -1 if key == "up" else 1
            return Wondering(beneath=self.beneath, kind=found[(at + step) % len(found)].kind)
        if key == "enter":
            return _taken(self.beneath, found[at])
        return self.beneath.press(key, play)

    def picked(self, row: Row, play: BattlePlay) -> Step:
        """Another row of a side, by the mouse: it goes into the shot."""
        return self.beneath.picked(row, play)

    def lines(self, play: BattlePlay) -> list[Said]:
        """Of the shot beneath."""
        return self.beneath.lines(play)

    def naming(self, state: State) -> str | None:
        """Of the shot beneath."""
        return self.beneath.naming(state)

    def marked(self) -> frozenset[str]:
        """Of the shot beneath."""
        return self.beneath.marked()

    def picks_rows(self, state: State) -> bool:
        """Of the shot beneath."""
        return self.beneath.picks_rows(state)

    @property
    def under(self) -> Mode:
        """The shot beneath."""
        return self.beneath

    def refused(self) -> Mode:
        """The shot beneath, which was just refused."""
        return self.beneath.refused()


def _rows(draft: Draft, state: State) -> tuple[Otherwise, ...]:
    """What can be taken: everything but the shot as it stands."""
    return others(state, draft.order)[1:] if draft.order else ()


def _taken(draft: Draft, row: Otherwise) -> Draft:
    if row.shot is None and row.against is not None:
        raise DraftError(row.against.says)
    return draft.adopting(row.order)
