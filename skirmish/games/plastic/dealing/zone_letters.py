"""Finds places on the map of a dealt battle for the letters of zones."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from skirmish.games.plastic.dealing.squares import AttackFrame, Surface
from skirmish.games.plastic.dealing.table import LaidTable
from skirmish.tabletop.plane import Point

COVERS_A_HOUSE = 1000
"""What covering a house counts: more than all squares of a letter."""
LETTER_ROOM = 3.6
"""Inches round the middle of a zone's letter that are to be free."""
ZONE_EDGE = 2.5
"""Inches inside a zone from which on its letter stands clear of the outline, at the least."""
FRONT_ROWS = (3.5, 6.5)
"""Inches behind the front of a zone: the two rows in which its letter is tried first."""
FRONT_STEP = 3
"""Inches from one place of such a row to the next."""


class ZoneBounds(NamedTuple):
    """Where a zone lies: its ``front`` and ``back`` along the attack, its ``right`` and ``left``
    side across it, in inches."""

    front: int
    back: int
    right: int
    left: int


def place_for_letter(table: LaidTable, zone: ZoneBounds) -> Point:
    """A place for the letter of a zone: the one at its front that covers least. Where each of these
    covers a house, which has a number of its own, one anywhere in the zone; and where the zone is
    full of houses, one beside it."""
    # At the middle of the front, in case the zone is too small for any place inside.
    freest: Point = (zone.front + 3, (zone.right + zone.left) / 2)
    least_covered = math.inf
    for places in (_at_front(zone), _inside(zone), _beside(zone, table.frame)):
        for place in places:
            covered = _covered_by_letter(table, place)
            if covered < least_covered:
                freest, least_covered = place, covered
        if least_covered < COVERS_A_HOUSE:
            break
    return freest


def _at_front(zone: ZoneBounds) -> Iterator[Point]:
    """Places in the two rows at the front of a zone, at least 4 inches from its sides."""
    for row in FRONT_ROWS:
        for across in range(zone.right + 4, zone.left - 3, FRONT_STEP):
            yield zone.front + row, across


def _inside(zone: ZoneBounds) -> Iterator[Point]:
    """Places at every inch of a zone, some inches inside its outline."""
    # The rows leave as much room at the back of the zone as at its front.
    rows = zone.back - zone.front - 4
    for row in range(rows):
        for across in range(zone.right + 3, zone.left - 2):
            yield zone.front + ZONE_EDGE + row, across


def _beside(zone: ZoneBounds, frame: AttackFrame) -> Iterator[Point]:
    """Places just outside a zone and well inside the table, those before its front first."""
    for along in (zone.front - LETTER_ROOM, zone.back + LETTER_ROOM):
        if not LETTER_ROOM <= along <= frame.length - LETTER_ROOM:
            continue
        for across in range(zone.right, zone.left + 1):
            yield along, across


def _covered_by_letter(table: LaidTable, place: Point) -> int:
    """How much a letter there would cover: square inches, and very much more for a house."""
    disc = table.squares.in_disc(place, LETTER_ROOM)
    covered = 0
    for square in disc:
        # Fields, and what is kept open, are as good as bare ground.
        if table.squares.surface_at(square) & ~(Surface.FIELD | Surface.KEPT_OPEN):
            covered += 1
    if not table.squares.are_free_of(Surface.HOUSE, disc):
        covered += COVERS_A_HOUSE
    return covered
