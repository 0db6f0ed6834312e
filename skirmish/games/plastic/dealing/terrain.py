"""The terrain that there may be for a table: by the piece, or by the foot."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import Battlefield
from skirmish.tabletop.measure import INCHES_A_FOOT


class TerrainKind(NamedTuple):
    """A kind of terrain: what one piece or foot of it is called, and several."""

    singular: str
    plural: str
    by_foot: bool = False
    """Whether it is measured in feet, not counted by the piece."""

    def name_for(self, count: int) -> str:
        """``hill``, ``hills``, ``feet of road``."""
        if count == 1:
            return self.singular
        return self.plural


TERRAIN: dict[str, TerrainKind] = {
    "woods": TerrainKind("wood", "woods"),
    "house": TerrainKind("house", "houses"),
    "hill": TerrainKind("hill", "hills"),
    "field": TerrainKind("field", "fields"),
    "bridge": TerrainKind("bridge", "bridges"),
    "road": TerrainKind("foot of road", "feet of road", by_foot=True),
    "river": TerrainKind("foot of river", "feet of river", by_foot=True),
    "hedge": TerrainKind("foot of hedge", "feet of hedge", by_foot=True),
    "wall": TerrainKind("foot of wall", "feet of wall", by_foot=True),
}
"""In the order of lists, which is also that of the codes of dealt battles: a new kind is added at
the end, with another version of the codes."""


def terrain_of(owned: Mapping[str, int]) -> dict[str, int]:
    """The terrain among all that a player owns, in the order of lists."""
    return {kind: owned[kind] for kind in TERRAIN if owned.get(kind)}


def in_inches(terrain: Mapping[str, int]) -> dict[str, int]:
    """Terrain with what is measured by the foot in inches."""
    amounts = {}
    for kind, count in terrain.items():
        amounts[kind] = count
        if TERRAIN[kind].by_foot:
            amounts[kind] = count * INCHES_A_FOOT
    return amounts


def pieces_on(field: Battlefield, kind: str) -> list[str]:
    """The features of a map for which terrain of this kind is needed, by their keys in the map's
    file: ``building[2]``."""
    match kind:
        # All buildings are houses, and all slopes hills.
        case "house":
            return [f"building[{index}]" for index in range(len(field.buildings))]
        case "hill":
            return [f"slope[{index}]" for index in range(len(field.slopes))]
        case "woods" | "field":
            return [f"area[{index}]" for index, area in enumerate(field.areas) if area.kind == kind]
        case _:
            # Roads, rivers, hedges, walls and wire are drawn along a line, and so is a bridge: it
            # has the line of the road that it carries.
            return [f"line[{index}]" for index, line in enumerate(field.lines) if line.kind == kind]


def used_on(field: Battlefield, kind: str) -> int:
    """How many pieces of a kind of terrain lie on a map, or how many feet of it."""
    if not TERRAIN[kind].by_foot:
        return len(pieces_on(field, kind))
    inches = sum(plane.length(line.run) for line in field.lines if line.kind == kind)
    return math.ceil(inches / INCHES_A_FOOT)
