"""How a screen that has room for the map of a scenario divides its columns among both sides, the
map and the journal. Begin with ``columns_with_map``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from textual.geometry import Size

from skirmish.app.base_screen import LARGE, SPACIOUS, WIDE
from skirmish.app.battle.header import Tab

MAP_FROM = 38
"""Rows of a screen from which the map stands beside both sides."""
VERY_WIDE = 190
"""Columns of a screen from which a broader journal has room beside the map."""
LEAST_JOURNAL = 38
"""The fewest columns of a journal that has a column from the top of the screen to its bottom."""


class MapColumns(NamedTuple):
    """The columns of both sides, which stand below one another beside a map, and those of the
    journal; the map has the rest."""

    least_screen: int
    """The columns that a screen needs at least to be divided like this."""
    sides: int
    """0 where the page in front shows no side."""
    journal: int
    """0 where the journal has no column and stands below the board."""
    numbers: bool = False
    """Whether each row of a side ends with the numbers of its weapons."""


# Each page has its divisions for wider and narrower screens, the widest first.
_BOTH_SIDES = (
    MapColumns(VERY_WIDE, sides=60, journal=42, numbers=True),
    MapColumns(LARGE, sides=60, journal=LEAST_JOURNAL, numbers=True),
    MapColumns(WIDE, sides=36, journal=34),
)
# The whole table of a side is broad: on a large screen it leaves the journal no column.
_ONE_SIDE = (
    MapColumns(VERY_WIDE, sides=86, journal=42, numbers=True),
    MapColumns(LARGE, sides=86, journal=0, numbers=True),
)
_JOURNAL = (
    MapColumns(VERY_WIDE, sides=0, journal=94),
    MapColumns(LARGE, sides=0, journal=76),
)
# What is due takes the columns of both sides.
_DUE = (
    MapColumns(VERY_WIDE, sides=70, journal=42),
    MapColumns(LARGE, sides=60, journal=LEAST_JOURNAL),
)
_DIVISIONS: Mapping[Tab, Sequence[MapColumns]] = {
    "both_sides": _BOTH_SIDES,
    "first_side": _ONE_SIDE,
    "second_side": _ONE_SIDE,
    "journal_page": _JOURNAL,
    "due_page": _DUE,
}


def columns_with_map(tab: Tab, screen: Size) -> MapColumns | None:
    """How a screen of that size is divided with the map beside the page in front; None if there is
    no room for the map."""
    if screen.height < MAP_FROM:
        return None
    # The other pages are for reading: on a smaller screen they get all its columns.
    if tab != "both_sides" and not is_large(screen):
        return None
    for columns in _DIVISIONS[tab]:
        if screen.width >= columns.least_screen:
            return columns
    return None


def is_large(screen: Size) -> bool:
    """Whether a screen is so large that every page has the map beside it."""
    return screen.width >= LARGE and screen.height >= SPACIOUS
