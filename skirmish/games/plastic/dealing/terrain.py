"""The terrain that there may be for a table: by the piece, or by the foot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from skirmish.tabletop.measure import INCHES_A_FOOT


class TerrainKind(NamedTuple):
    """A kind of terrain: what one of it is called, and several; ``by_foot``: it is measured."""

    singular: str
    plural: str
    by_foot: bool = False

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
    """The same, with what is measured by the foot in inches."""
    amounts = {}
    for kind, count in terrain.items():
        amounts[kind] = count
        if TERRAIN[kind].by_foot:
            amounts[kind] = count * INCHES_A_FOOT
    return amounts
