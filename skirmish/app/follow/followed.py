"""A battle as somebody follows it: what has come in, what is shown of it, through whose eyes."""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Sequence

from skirmish.games.plastic.battle.events import Checked, HitsCounted, Judged, Tabled, Tested
from skirmish.games.plastic.battle.record import BattleEntry, BattlePlay, codec
from skirmish.games.plastic.battle.victory_kinds import VictoryStatus
from skirmish.games.plastic.battle.view import seen, seen_status
from skirmish.tabletop.exported import EntryRecord

SHOWN = HitsCounted | Judged | Tested | Checked | Tabled
"""Events that everybody looks at the screen for."""
MOST_WAITING = 4
"""Verdicts that wait to be shown one by one. With more of them the rest is caught up with."""


class Followed:
    """Entries come in with ``take`` and are shown by ``step``, up to a verdict each time, so that
    none is passed over. ``side`` is whose eyes look, None an onlooker's."""

    def __init__(self) -> None:
        self.side: str | None = None
        self._real: BattlePlay | None = None
        self._shown: BattlePlay | None = None
        self._coming: deque[BattleEntry] = deque()

    def take(self, records: Sequence[EntryRecord], *, anew: bool) -> None:
        """What was written since, or the whole journal ``anew``, which is shown at once. Raises
        RecordError where it cannot be read."""
        gc.disable()  # a long journal makes many objects and no garbage: a third of the time
        try:
            entries = [codec.read(r.number, r.kind, r.order, r.events) for r in records]
            if anew:
                self._real, self._shown = codec.play(entries), None
                self._coming.clear()
            else:
                self._coming.extend(entries)
        finally:
            gc.enable()

    def step(self) -> bool:
        """Show what has come in, up to and with the next verdict; whether there was one. Raises
        RecordError where an entry cannot follow."""
        if self._real is None or not self._coming:
            return False
        self._shown = None
        waiting = sum(map(_is_verdict, self._coming))
        while self._coming:
            entry = self._coming.popleft()
            codec.follow(self._real, entry)
            if _is_verdict(entry):
                waiting -= 1
                if waiting < MOST_WAITING:
                    return True
        return False

    @property
    def more(self) -> bool:
        """Whether something waits to be shown."""
        return bool(self._coming)

    @property
    def play(self) -> BattlePlay | None:
        """The battle as those eyes see it; None before the first look."""
        if self._shown is None and self._real is not None:
            self._shown = seen(self._real, self.side)
        return self._shown

    @property
    def status(self) -> tuple[VictoryStatus, ...]:
        """How far each side is, as those eyes see it."""
        return seen_status(self._real.state, self.side) if self._real else ()

    def other_eyes(self) -> None:
        """An onlooker's, then each side's, then an onlooker's again."""
        if self._real is not None:
            eyes = [None, *self._real.state.setup.side_by_id]
            self.side = eyes[(eyes.index(self.side) + 1) % len(eyes)]
            self._shown = None


def _is_verdict(entry: BattleEntry) -> bool:
    return any(isinstance(event, SHOWN) for event in entry.events)
