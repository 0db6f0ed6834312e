"""A bounded number with a name: a turn, points, a ledger."""

from __future__ import annotations

import msgspec

from skirmish.tabletop.page import Gauge


class Track(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    name: str
    value: int = 0
    low: int = 0
    high: int = 99

    def moved(self, by: int) -> Track:
        """The track after ``by``; anything beyond an end is lost."""
        return self.at(self.value + by)

    def at(self, value: int) -> Track:
        """The track at ``value``, or at the nearest end."""
        return msgspec.structs.replace(self, value=min(max(value, self.low), self.high))

    def gauge(self, note: str = "") -> Gauge:
        return Gauge(self.name, self.value, self.high, note)
