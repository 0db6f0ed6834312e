"""The turns of a casualty strip: what is drawn of each, how wide each is, and how they share out
among the bands of a long battle. All lengths are in points."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from skirmish.games.plastic.casualties import Casualty, CasualtyStrip, Passage, SideCourse

NAMES_WIDTH = 76.0
"""The room for the names of the sides, left of the turns."""
ABOVE, BELOW = 0, 1
"""The halves of a strip: the first mover's above the line of turns, the other side's below it."""
COLUMN_WIDTH = 30.5
"""The width of a column of symbols with their codes."""
EMPTY_WIDTH = 13.0
"""The width of a turn in which nothing happened."""
USUAL_ROWS = 4
"""How many symbols stand above one another if the turns of a band have room for that."""
MOST_ROWS = 12
"""How many symbols may stand above one another before a battle takes another band."""
CROWD = 48
"""The most losses of a side in a turn that have a symbol each. If there are more, those of a unit
that were killed by the same weapon share a symbol."""


class Fallen(NamedTuple):
    """A symbol for a casualty. In a crowd it stands for ``alike`` casualties, of which
    ``casualty`` is the first."""

    casualty: Casualty
    alike: int = 1


StripItem: TypeAlias = Fallen | Passage
"""What takes a place above or below the line of turns."""


class StripTurn(NamedTuple):
    """A turn by its number. ``halves``: what is drawn of it ``ABOVE`` the line of turns and
    ``BELOW``, those nearest to the line first."""

    number: int
    halves: tuple[Sequence[StripItem], Sequence[StripItem]]

    def columns(self, rows: int) -> int:
        """How many columns its symbols take with ``rows`` of them above one another."""
        return max(math.ceil(len(items) / rows) for items in self.halves)

    def width(self, rows: int) -> float:
        """Its width in points with ``rows`` symbols above one another."""
        return max(EMPTY_WIDTH, self.columns(rows) * COLUMN_WIDTH)


class TurnPlace(NamedTuple):
    """The left and the right end of a turn on the paper, in points from its left edge."""

    left: float
    right: float

    @property
    def middle(self) -> float:
        """Its middle, in points from the left."""
        return (self.left + self.right) / 2


def strip_turn(strip: CasualtyStrip, number: int) -> StripTurn:
    """The turn with that number, counted from 1."""
    first_mover, other = strip.sides
    return StripTurn(number, (_items(first_mover, number), _items(other, number)))


def _items(side: SideCourse, turn: int) -> list[StripItem]:
    """What is drawn of a side in a turn: its losses, then the pieces that entered or exited."""
    casualties = side.in_turn(turn)
    items: list[StripItem] = []
    if len(casualties) <= CROWD:
        items += [Fallen(casualty) for casualty in casualties]
    else:
        alike_by_unit_and_weapon: dict[tuple[str, str], list[Casualty]] = {}
        for casualty in casualties:
            unit_and_weapon = casualty.unit, casualty.weapon
            alike_by_unit_and_weapon.setdefault(unit_and_weapon, []).append(casualty)
        for alike in alike_by_unit_and_weapon.values():
            items.append(Fallen(alike[0], alike=len(alike)))
    items += [passage for passage in side.passages if passage.turn == turn]
    return items


def balanced_bands(turns: Sequence[StripTurn], room: float) -> list[list[StripTurn]]:
    """The turns by bands: as few bands as have room for all turns, and these about equally full.
    Otherwise the last band might stretch a few turns over the whole width while the others are
    crammed."""
    bands = _filled_bands(turns, room)
    # With less and less room, by the width of the narrowest turn each time, turns move on to later
    # bands, until they need one band more.
    for less_room in range(int(room), 0, -int(EMPTY_WIDTH)):
        with_fuller_last = _filled_bands(turns, less_room)
        if len(with_fuller_last) > len(bands):
            break
        bands = with_fuller_last
    return bands


def _filled_bands(turns: Sequence[StripTurn], room: float) -> list[list[StripTurn]]:
    """The turns by bands, each of which takes as many turns as it has room for, and at least
    one."""
    bands: list[list[StripTurn]] = [[]]
    filled_width = 0.0
    for turn in turns:
        width = turn.width(MOST_ROWS)
        if bands[-1] and filled_width + width > room:
            bands.append([])
            filled_width = 0.0
        bands[-1].append(turn)
        filled_width += width
    return bands


def rows_for(turns: Sequence[StripTurn], room: float) -> int:
    """The fewest symbols above one another with which all turns of a band fit; at least
    ``USUAL_ROWS``."""
    rows = USUAL_ROWS
    # Several turns fit with ``MOST_ROWS`` at the latest, as the bands are filled by that. A single
    # turn may need more rows, but not more than ``CROWD``: then one column holds almost all of it.
    while rows < CROWD and math.fsum(turn.width(rows) for turn in turns) > room:
        rows += 1
    return rows
