"""What the symbol of a unit type looks like, on paper and on screens: its lines, and its frame."""

from __future__ import annotations

from typing import NamedTuple

from skirmish.games.plastic.rules.catalog import UnitType

_CROSS = "-10 -10 10 10/-10 10 10 -10"
_SLASH = "-10 -10 10 10"
_WEDGE = "-10 -10 0 10 10 -10"
SIGNS = {
    "rifle": _CROSS,
    "machinegun": "0 -6 0 7/-3 3 0 7 3 3/-4 -6 4 -6",
    "mortar": "0 -2 0 7/-3 3 0 7 3 3",
    "bazooka": _WEDGE,
    "grenade": _SLASH,
    "flamethrower": "-7 -5 5 -5 5 5 0 1",
    "engineer": "-5 -5 -5 4 5 4 5 -5/0 4 0 -5",
    "sniper": "-6 0 6 0/0 -8 0 8",
    "eighty_eight": f"{_WEDGE}/0 -10 0 0",
    "halftrack": _CROSS,
    "bren_carrier": _CROSS,
    "armored_car": _SLASH,
    "aa_tank": "-7 -10 0 -4 7 -10",
    "amphib": "-10 -8 -5 -5 0 -8 5 -5 10 -8",
    "landing_craft": "-7 3 7 3 4 -5 -4 -5 -7 3",
    "assault_raft": "-7 0 7 0",
    "aircraft": "-7 0 8 0/2 -9 2 9/-6 -4 -6 4",
    "truck": "4 -10 4 10",
    "mg_jeep": "0 -4 0 8",
}
"""What is drawn in the frame of a unit, by its id; units without an entry have an empty frame.
Lines are separated by a slash, and each is the x and y of its points, from -10 to 10 with y
upward."""


class UnitShape(NamedTuple):
    """What a unit is drawn with: in its frame the lines of ``SIGNS`` for its ``id``, an ``oval`` if
    it is armored, which is filled if it is a ``heavy`` tank; and ``wheels`` below the frame."""

    id: str
    oval: bool = False
    heavy: bool = False
    wheels: bool = False


def shape_of(unit: UnitType) -> UnitShape:
    """The shape of a unit type."""
    tags = set(unit.tags)
    is_armored_vehicle = "vehicle" in tags and unit.kind == "armored"
    has_wheels = unit.id in ("truck", "jeep", "mg_jeep")
    return UnitShape(unit.id, oval=is_armored_vehicle, heavy="tiger" in tags, wheels=has_wheels)
