"""The groups of a campaign: where their men are, and how these go from one place to another.

Numbers such as C10 are rulings of campaigns (``terms``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.rules.catalog import Counts, plural

Place: TypeAlias = Literal["ready", "away", "fielded", "prisoner", "gone"]
"""Where a man or a model of a group is. ``fielded``: in the battle that is being fought, or lost in
it and not drawn for yet; ``away``: he misses one battle."""
PLACES: tuple[Place, ...] = ("ready", "away", "fielded", "prisoner", "gone")
"""All places, in the order in which tables have a column for each."""
QUALITIES = ("green", "regular", "elite")
"""The force qualities from the lowest to the highest."""
RIFLE = "rifle"
"""The unit that is drawn for in parties and that fills a weak side; a guy whose weapon broke down
becomes one."""


UnitsByGroup: TypeAlias = dict[str, dict[str, int]]
"""How many of each unit, by the id of their group and that of the unit."""


class UnitTerms(msgspec.Struct, frozen=True):
    """What a campaign has to know of a unit: its names, its list price in points, and whether it is
    a guy."""

    name: str
    price: int
    guy: bool

    def named(self, count: int) -> str:
        """``1 Tank``, ``3 Tanks``"""
        if count == 1:
            return f"1 {self.name}"
        return f"{count} {plural(self.name)}"


class Captured(msgspec.Struct, frozen=True):
    """Prisoners that were taken in one battle."""

    battle: int
    unit: str
    count: int


class GroupBattle(msgspec.Struct, frozen=True, kw_only=True):
    """What a group did in a battle."""

    battle: int
    brought: int
    """How many pieces it brought."""
    lost: int
    """How many of them it lost."""
    guys: int = 0
    """The guys that it killed."""
    models: int = 0
    """The models that it killed."""
    points: int = 0
    """The list price of all that it killed."""
    shots: int = 0
    hits: int = 0
    expected: float | None = None
    """How many hits could be expected of its fire; None in a battle that was counted before
    campaigns stored that."""


class CampaignGroup(msgspec.Struct, frozen=True, kw_only=True):
    """A named group of men and models of a side, such as a platoon. Counts are by unit; a unit of
    which there is none is left out."""

    id: str
    side: str
    name: str
    nation: str | None
    front: str
    """The front to which it belongs (``GroupFile.front``); empty: to none."""
    enters: int
    """The battle from which on it fights."""
    strength: dict[str, int]
    """What it had at the start, beyond which it never buys."""
    quality: str
    """Its force quality: green, regular or elite."""
    marks: int = 0
    """The marks since its last step of quality; enough of them lift it a step."""
    ready: dict[str, int]
    away: dict[str, int] = {}
    fielded: dict[str, int] = {}
    gone: dict[str, int] = {}
    prisoners: tuple[Captured, ...] = ()
    recruits: dict[str, int] = {}
    """All that it bought since the start."""
    turned: dict[str, int] = {}
    """How many more it has of a unit, or fewer, because guys became another unit
    (``RearmedGuys``)."""
    tonight: int = 0
    """How many raw men it bought after the last battle; a model with a crew that lives is not
    counted."""
    crews: dict[str, int] = {}
    """The crews of lost models who wait for another one."""
    battles: tuple[GroupBattle, ...] = ()
    honours: tuple[str, ...] = ()
    """What it is honoured for, each a sentence."""

    def count(self, place: Place, unit: str) -> int:
        """How many of a unit are in a place."""
        return self.counts_in(place).get(unit, 0)

    def total(self, place: Place) -> int:
        """How many men and models are in a place."""
        return sum(self.counts_in(place).values())

    def counts_in(self, place: Place) -> Counts:
        """Who is in a place, by unit."""
        if place == "prisoner":
            captives: Counter[str] = Counter()
            for captured in self.prisoners:
                captives[captured.unit] += captured.count
            return captives
        # Each of the other places is a field of the same name.
        counts: dict[str, int] = getattr(self, place)
        return counts

    @property
    def members(self) -> int:
        """How many belong to it now, ready or away."""
        return self.total("ready") + self.total("away")

    @property
    def full_strength(self) -> int:
        """How many it had at the start."""
        return sum(self.strength.values())

    def missing(self, unit: str) -> int:
        """How many of a unit it may buy: what it lacks of its strength at the start."""
        # Prisoners may come back, so they are not missing.
        not_gone = 0
        for place in PLACES:
            if place != "gone":
                not_gone += self.count(place, unit)
        return max(0, self.strength.get(unit, 0) - not_gone)


class Move(msgspec.Struct, frozen=True):
    """So many of a unit of a group go from one place to another. ``battle``: in which they were
    taken prisoner; 0 for every other move."""

    group: str
    unit: str
    count: int
    start: Place
    end: Place
    battle: int = 0


class RearmedGuys(msgspec.Struct, frozen=True):
    """So many ready guys of a unit of a group are guys of the unit ``into`` from now on: riflemen
    after their weapons broke down in a battle, or what a rule of its scenario made them (C10)."""

    group: str
    unit: str
    into: str
    count: int


def added(counts: Counts, unit: str, change: int) -> dict[str, int]:
    """The counts after that ``change`` of the count of a unit, which is left out if none is left.

    >>> added({"rifle": 2}, "rifle", -2)
    {}
    """
    changed = dict(counts)
    changed[unit] = changed.get(unit, 0) + change
    if not changed[unit]:
        del changed[unit]
    return changed


def group_after(group: CampaignGroup, move: Move) -> CampaignGroup:
    """The group after some of its men have gone from one place to another."""
    # Of prisoners it is known in which battle they were taken. Each of the other places is a field
    # of the same name, with mere counts.
    if move.start == "prisoner":
        group = replace(group, prisoners=_freed(group.prisoners, move))
    else:
        left_at_start = added(group.counts_in(move.start), move.unit, -move.count)
        group = replace(group, **{move.start: left_at_start})
    if move.end == "prisoner":
        captured = Captured(move.battle, move.unit, move.count)
        return replace(group, prisoners=(*group.prisoners, captured))
    now_at_end = added(group.counts_in(move.end), move.unit, move.count)
    return replace(group, **{move.end: now_at_end})


def _freed(prisoners: tuple[Captured, ...], move: Move) -> tuple[Captured, ...]:
    """The prisoners without those who come back: of that unit, the longest held first."""
    to_free = move.count
    still_held = []
    for captured in prisoners:
        freed = 0
        if captured.unit == move.unit:
            freed = min(to_free, captured.count)
        to_free -= freed
        if captured.count > freed:
            still_held.append(replace(captured, count=captured.count - freed))
    return tuple(still_held)


def counts_in_words(counts: Counts, units: Mapping[str, UnitTerms]) -> str:
    """``1 Tank, 3 Rifle Guys``; ``nobody`` for none."""
    parts = [units[unit].named(count) for unit, count in counts.items() if count]
    return ", ".join(parts) or "nobody"
