"""What all builders of a table's features have in common: they choose places by chance.

A builder lays the features of a few kinds: those in ``waters``, ``roads``, ``villages``, ``ground``
and ``fields``, and that for airfields in ``best_table``. It looks for a place that is free; a
feature that finds none is left out.

The measures are those of the ten maps of the book: roads bend every 8 to 14 inches, houses
stand 3 to 4 inches from the middle of a road, woods have one hollow side. A number without a name
is in inches, and so are the ends of a range from which ``chance`` draws. A number by which the
length or breadth of the table is multiplied is a part of it.

A table draws from ``chance`` in a fixed order: whoever draws once more or once less deals other
tables from the codes that players have noted, which needs another ``VERSION`` (``wishes``).
"""

from __future__ import annotations

from random import Random

from skirmish.games.plastic.dealing import themes
from skirmish.games.plastic.dealing.table import LaidTable
from skirmish.tabletop.battlefield import DEFAULT_WIDTHS

TRIES = 60
"""Places that are looked at for one feature before it is left out."""
ROAD_HALF = DEFAULT_WIDTHS["road"] / 2
"""Half of the width of a road, in inches."""
RIGHT, LEFT = -1, 1
"""The sides of a road, as quarter turns from its heading. Turns are counterclockwise."""
SIDES = (RIGHT, LEFT)


class FeatureBuilder:
    """Lays features of some kinds on a table, at places that are chosen by chance."""

    def __init__(self, table: LaidTable, chance: Random) -> None:
        self._table = table
        self._squares = table.squares
        self._frame = table.frame
        self._stock = table.stock
        self._chance = chance

    def _number(self, numbers: themes.Numbers) -> int:
        """How many of something there are, of the range that a theme gives."""
        return self._chance.randint(*numbers)

    def _along(self, share: themes.Shares) -> float:
        """How far along the attack something lies, between these shares of the way."""
        return self._chance.uniform(*share) * self._frame.length

    def _across(self, margin: float) -> float:
        """How far across the table something lies, at least ``margin`` inches from its sides."""
        return self._chance.uniform(margin, self._frame.breadth - margin)

    def _side(self) -> int:
        """``RIGHT`` or ``LEFT``, by chance."""
        return self._chance.choice(SIDES)
