"""The groups of both sides on the field, and what each side has lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from skirmish.games.plastic.commander.cells import GroundCell
from skirmish.games.plastic.commander.situation import GroupKnown, Situation, Stand
from skirmish.games.plastic.rules.catalog import Catalog


class FieldGroup:
    """A group on the field, or on its way there.

    Of a group that rides, ``counts`` are its carriers and ``aboard`` its men. ``waiting``: how many
    of its models neither move nor fire until a crew serves them. ``place``: the point of its cell
    where it is, in table inches: the middle, unless a move that takes longer than a turn ends
    between the middles of two cells.
    """

    def __init__(self, known: GroupKnown, cell: GroundCell, *, cover: bool, enters: int) -> None:
        """It enters at ``cell`` on turn ``enters``; 0: it is there from the start."""
        self.id = known.id
        self.name = known.name
        self.counts = Counter(known.counts)
        self.aboard = Counter(known.aboard)
        self.waiting = Counter(known.waiting)
        self.cell = cell
        self.place = cell.middle
        self.cover = cover
        self.enters = enters
        self.on_table = enters == 0

    @property
    def stand(self) -> Stand:
        """The group as commanders know it, without units of which none are left."""
        known = GroupKnown(
            self.id,
            self.name,
            dict(self.alive_counts),
            dict(+self.aboard),
            waiting=dict(self.waiting & self.counts),
        )
        return Stand(known, self.cell, self.cover)

    @property
    def alive(self) -> bool:
        """Whether any of its men on foot or its models are left. Riders do not count: they are lost
        with the last carrier."""
        return self.counts.total() > 0

    @property
    def alive_counts(self) -> Counter[str]:
        """Its ``counts``, without units of which none are left: ``+`` leaves out what is 0."""
        return +self.counts

    def able_to_fire(self, unit: str) -> int:
        """How many of a unit can fire: all who are not waiting to be served."""
        return self.counts[unit] - self.waiting[unit]

    def lose(self, unit: str) -> None:
        """One of a unit falls; with the last carrier fall its riders."""
        self.counts[unit] -= 1
        self.counts = self.alive_counts
        if not self.alive:
            self.aboard.clear()

    def move_into(self, cell: GroundCell, *, cover: bool) -> None:
        """Put it in the middle of this cell."""
        self.cell = cell
        self.place = cell.middle
        self.cover = cover

    def get_out(self, id_of_carriers: str) -> FieldGroup:
        """Its men get out, and are the group from now on. Returns the empty carriers, which stay
        behind as a group of their own."""
        known = GroupKnown(id_of_carriers, f"{self.name}: carriers", dict(self.alive_counts))
        carriers = FieldGroup(known, self.cell, cover=self.cover, enters=self.enters)
        carriers.on_table = True
        self.counts = self.aboard
        self.aboard = Counter()
        return carriers

    def mount(self, carrier: FieldGroup) -> None:
        """Its men ride in the models of the ``carrier``, which is no group of its own any more."""
        self.aboard = self.counts
        self.counts = carrier.counts
        carrier.counts = Counter()


class FieldForces:
    """The groups of both sides, by the id of the side, and who has left the table."""

    def __init__(self, groups: Mapping[str, list[FieldGroup]], catalog: Catalog) -> None:
        self.groups = groups
        self.exited: dict[str, Counter[str]] = {side: Counter() for side in groups}
        """How many of each unit have left the table, by side."""
        self._catalog = catalog
        self._units_at_start = {side: self._units_not_lost(side) for side in groups}

    @property
    def sides(self) -> tuple[str, str]:
        """The ids of both sides, in the order of the scenario."""
        first, second = self.groups
        return first, second

    def enemy_of(self, side: str) -> str:
        """The id of the other side."""
        first, second = self.sides
        if side == first:
            return second
        return first

    # ------------------------------------------------------------------ who is where

    def present(self, side: str) -> list[FieldGroup]:
        """The groups of a side that are on the table and alive."""
        return [group for group in self.groups[side] if group.on_table and group.alive]

    def situation(self, side: str) -> Situation:
        """What a side knows: where all groups on the table are."""
        own = tuple(group.stand for group in self.present(side))
        enemies = tuple(group.stand for group in self.present(self.enemy_of(side)))
        return Situation(own, enemies)

    def touched_by(self, side: str, group: FieldGroup) -> FieldGroup | None:
        """The first enemy in the cell of a group of this side; None: it is not in contact."""
        for enemy in self.present(self.enemy_of(side)):
            if enemy.cell == group.cell:
                return enemy
        return None

    def men_in(self, side: str, cells: Collection[GroundCell]) -> int:
        """How many men on foot a side has in these cells."""
        men = 0
        for group in self.present(side):
            if group.cell in cells:
                for id, count in group.counts.items():
                    if self._catalog.units[id].is_guy:
                        men += count
        return men

    # ------------------------------------------------------------------ coming and going

    def enter(self, side: str, turn: int) -> None:
        """The groups that are due on this turn come onto the table."""
        for group in self.groups[side]:
            if group.enters <= turn:
                group.on_table = True

    def leave_table(self, side: str, group: FieldGroup) -> None:
        """A group leaves the table for good, with all aboard. It is not lost."""
        self.exited[side] += group.counts + group.aboard
        group.counts.clear()
        group.aboard.clear()

    def get_out(self, side: str, group: FieldGroup) -> None:
        """The men of a group get out; their carriers are a group of their own from now on."""
        self.groups[side].append(group.get_out(self._id_for_carriers(side, group)))

    def _id_for_carriers(self, side: str, group: FieldGroup) -> str:
        """An unused id for the carriers that a group leaves: it may have left others before."""
        used = {other.id for other in self.groups[side]}
        number = 1
        while f"{group.id} carriers {number}" in used:
            number += 1
        return f"{group.id} carriers {number}"

    # ------------------------------------------------------------------ losses

    def points_lost(self, side: str) -> float:
        """The price of all that a side has lost."""
        return self._price(self._units_at_start[side]) - self._price(self._units_not_lost(side))

    def number_destroyed(self, side: str, unit: str) -> int:
        """How many of a unit a side has lost. What left the table, or is aboard, is not lost."""
        return self._units_at_start[side][unit] - self._units_not_lost(side)[unit]

    def number_left(self, side: str, units: Collection[str]) -> int:
        """How many of these units a side has left in its groups, without riders and without those
        who left the table."""
        left = 0
        for group in self.groups[side]:
            left += sum(group.counts[unit] for unit in units)
        return left

    def _price(self, units: Mapping[str, int]) -> float:
        """The price of so many of each unit."""
        price = 0.0
        for id, count in units.items():
            price += self._catalog.units[id].price * count
        return price

    def _units_not_lost(self, side: str) -> Counter[str]:
        """How many of each unit a side has not lost, on the table or off it."""
        units = self.exited[side].copy()
        for group in self.groups[side]:
            units += group.counts + group.aboard
        return units
