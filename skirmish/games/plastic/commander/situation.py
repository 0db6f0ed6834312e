"""What one side may know when it decides: where each group is, as players last said, and what
kind of group it is by its units. Pure data.

Men of whom the side knows nothing are left out, and so is what players see on the table but never
tell the program: inches, facing, and where each man of a group stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from skirmish.games.plastic.commander.cells import GroundCell
from skirmish.games.plastic.rules.catalog import Catalog, UnitType
from skirmish.tabletop.plane import Point


class GroupKnown(msgspec.Struct, frozen=True):
    """A group as one side knows it, without anybody in hiding."""

    id: str
    name: str
    """What players call it."""
    counts: Mapping[str, int]
    """How many guys on foot and models there are of each unit, by its id."""
    aboard: Mapping[str, int] = {}
    """How many ride in its models."""
    contingent: str = ""
    """The id of the contingent from which it was formed."""
    waiting: Mapping[str, int] = {}
    """How many of its models neither move nor fire until they are served, such as tanks without
    fuel."""

    def units(self, catalog: Catalog) -> list[UnitType]:
        """The type of each guy on foot and each model."""
        return _type_of_each(self.counts, catalog)

    def riders(self, catalog: Catalog) -> list[UnitType]:
        """The type of each rider."""
        return _type_of_each(self.aboard, catalog)

    def men_on_foot(self, catalog: Catalog) -> int:
        """How many guys there are outside its models."""
        return sum(count for id, count in self.counts.items() if catalog.units[id].is_guy)

    def price_aboard(self, catalog: Catalog) -> int:
        """The price of its riders, who are lost with its vehicles."""
        return sum(unit.price for unit in self.riders(catalog))


def _type_of_each(counts: Mapping[str, int], catalog: Catalog) -> list[UnitType]:
    """The types of so many of each unit: of three riflemen, three times theirs."""
    units = []
    for id, count in counts.items():
        units += [catalog.units[id]] * count
    return units


class Stand(NamedTuple):
    """A group in a cell, in cover or not: where it is, or where it would be after an action.
    ``spot``: its exact place, which is known if it stands on a mark of the map."""

    group: GroupKnown
    cell: GroundCell
    cover: bool = False
    spot: Point | None = None

    @property
    def place(self) -> Point:
        """Where the group is, in table inches: its spot if that is known, else the middle of its
        cell."""
        if self.spot is None:
            return self.cell.middle
        return self.spot

    def moved_to(self, other: Stand) -> Stand:
        """The same group where another one is, in its cell and at its spot; in the open, since it
        has left its cover."""
        return self._replace(cell=other.cell, cover=False, spot=other.spot)


class Situation(msgspec.Struct, frozen=True):
    """The stands of both sides, as one side knows them: its ``own`` and the ``enemies``."""

    own: tuple[Stand, ...]
    enemies: tuple[Stand, ...]

    def after(self, *moved: Stand) -> Situation:
        """The situation after these groups of the side have moved."""
        new_stands = {stand.group.id: stand for stand in moved}
        own = tuple(new_stands.get(stand.group.id, stand) for stand in self.own)
        return msgspec.structs.replace(self, own=own)

    def own_stand(self, group: str) -> Stand:
        """The stand of a group of the side, by its id. Raises KeyError if the side has no such
        group."""
        return {stand.group.id: stand for stand in self.own}[group]


# ------------------------------------------------------------------ what a group is, by its units


def is_soft(group: GroupKnown, catalog: Catalog) -> bool:
    """Whether a group has a model without armor, which bullets destroy with all aboard."""
    return any(catalog.units[id].kind == "unarmored" for id in group.counts)


def is_tank(group: GroupKnown, catalog: Catalog) -> bool:
    """Whether a group has an armored model that moves and fights, and carries nobody."""
    for id in group.counts:
        unit = catalog.units[id]
        fights = unit.kind == "armored" and bool(unit.weapons)
        if fights and unit.moves and not unit.seats:
            return True
    return False


def is_in_craft(group: GroupKnown, catalog: Catalog) -> bool:
    """Whether a group is in craft that do not leave the water."""
    return any(catalog.units[id].water_move and not catalog.units[id].move for id in group.counts)


def reach_of_machine_guns(group: GroupKnown, catalog: Catalog) -> int:
    """How many inches the farthest weapon of a group reaches that pins; 0 if it has none."""
    reach = 0
    for id in group.counts:
        for weapon_id in catalog.units[id].weapons:
            weapon = catalog.weapons[weapon_id]
            if weapon.pins:
                reach = max(reach, weapon.range)
    return reach
