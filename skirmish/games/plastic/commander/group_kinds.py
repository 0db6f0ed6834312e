"""What a group is to the commander, by its units: a tank, a soft carrier, craft, a machine gun."""

from __future__ import annotations

from skirmish.games.plastic.commander.situation import GroupKnown
from skirmish.games.plastic.rules.catalog import Catalog


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
