"""What lies on the table, cell by cell: cover, water, woods. Worked out once from the map.

The map is laid on a raster of half inches. This loads NumPy, and so do sight and paths: whoever
plays without a commander never imports them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from skirmish.games.plastic.commander.cells import CELL, CellGrid, GroundCell
from skirmish.games.plastic.scenarios.laying import kind_name
from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import Area, Battlefield, Line, LineKind
from skirmish.tabletop.plane import Path, Point

Mask: TypeAlias = NDArray[np.bool_]
"""Where something lies: rows from the bottom, columns from the left, each half an inch."""

PIXEL = 0.5
"""Inches along each side of a pixel of the raster."""
CELL_PIXELS = int(CELL / PIXEL)
"""How many pixels there are along each side of a cell."""

COVERING_LINES: tuple[LineKind, ...] = ("wall", "seawall", "hedge", "trench")
"""What a man stands behind: "behind a wall, corner of a building, or sandbags" ("Cover")."""
COVERING_SHARE = 1 / 8
"""The part of a cell that woods or buildings must take up for its men to be in cover there: the
mere corner of a wood gives no cover. Our choice."""
COVERING_INCHES = 2.0
"""So many inches of walls, hedges or trenches must lie in a cell for its men to be behind them: the
mere end of one gives no cover. Our choice."""


class TableGround:
    """What lies where on a table."""

    def __init__(self, field: Battlefield, grid: CellGrid) -> None:
        self.field = field
        self.grid = grid

    # ------------------------------------------------------------------ of a cell

    def in_cover(self, cell: GroundCell) -> bool:
        """Whether men in a cell have cover from bullets, as the program takes it: there are woods
        or a building to stand at, or a wall, seawall, hedge or trench to stand behind. From which
        side they are fired at is not considered: the players see that, and answer it at each
        shot."""
        return cell in self._covered

    def building(self, cell: GroundCell) -> str:
        """The building in the middle of which a cell lies, as players call it: ``house 3``; empty
        for none."""
        for index, building in enumerate(self.field.buildings, start=1):
            if self.grid.at(building.at) == cell:
                return f"{kind_name(building.kind).lower()} {building.number or index}"
        return ""

    def cover_named(self, cell: GroundCell) -> str:
        """What else gives cover in a cell: ``the hedge``; empty for none, and where only several
        things together are cover enough (``in_cover``), so that none of them is named alone."""
        if self.share(self.woods, cell) >= COVERING_SHARE:
            return "the wood"
        for kind in COVERING_LINES:
            if self._inches_of(kind)[cell] >= COVERING_INCHES:
                return f"the {kind_name(kind).lower()}"
        return ""

    def share(self, mask: Mask, cell: GroundCell) -> float:
        """The part of a cell, 0 to 1, where something lies."""
        bottom, left = cell.row * CELL_PIXELS, cell.column * CELL_PIXELS
        return float(mask[bottom : bottom + CELL_PIXELS, left : left + CELL_PIXELS].mean())

    # ------------------------------------------------------------------ of the whole table

    @cached_property
    def _covered(self) -> frozenset[GroundCell]:
        covered = set()
        for cell in self.grid.cells():
            at_wood_or_building = self.share(self.blocks_sight, cell) >= COVERING_SHARE
            if at_wood_or_building or self._inches_to_stand_behind[cell] >= COVERING_INCHES:
                covered.add(cell)
        return frozenset(covered)

    @cached_property
    def _inches_to_stand_behind(self) -> defaultdict[GroundCell, float]:
        """How much of walls, hedges and trenches each cell has."""
        inches: defaultdict[GroundCell, float] = defaultdict(float)
        for kind in COVERING_LINES:
            for cell, length in self._inches_of(kind).items():
                inches[cell] += length
        return inches

    def _inches_of(self, kind: LineKind) -> defaultdict[GroundCell, float]:
        """How much of the lines of a kind each cell has."""
        inches: defaultdict[GroundCell, float] = defaultdict(float)
        for line in self.lines([kind]):
            for station in plane.stations(line.run, PIXEL):
                inches[self.grid.at(station.at)] += PIXEL
        return inches

    @cached_property
    def blocks_sight(self) -> Mask:
        """Woods and buildings: "no line of sight through" them."""
        return self.woods | self.buildings

    @cached_property
    def woods(self) -> Mask:
        """Woods, into which only guys go."""
        return self._filled(self._outlines(lambda area: area.kind == "woods"))

    @cached_property
    def buildings(self) -> Mask:
        """Buildings of every kind, ruins too."""
        return self._filled(building.outline for building in self.field.buildings)

    @cached_property
    def water(self) -> Mask:
        """The sea and rivers, but not where a bridge crosses them. Streams are waded through."""
        sea = self._filled(self._outlines(lambda area: area.kind == "sea"))
        rivers = self._filled(self._banks("river"))
        bridges = self._filled(self._banks("bridge"))
        return (sea | rivers) & ~bridges

    @cached_property
    def slopes(self) -> Mask:
        """The ground between each crest and its foot."""
        sloped = self._filled([])
        for slope in self.field.slopes:
            crest, foot = slope.edges
            if slope.ring:
                sloped |= self._filled([foot]) & ~self._filled([crest])
            else:
                sloped |= self._filled([[*crest, *reversed(foot)]])
        return sloped

    def lines(self, kinds: Iterable[LineKind]) -> list[Line]:
        """The lines of the map that are of one of these kinds."""
        wanted = set(kinds)
        return [line for line in self.field.lines if line.kind in wanted]

    def _outlines(self, wanted: Callable[[Area], bool]) -> list[list[Point]]:
        return [area.outline for area in self.field.areas if wanted(area)]

    def _banks(self, kind: LineKind) -> list[list[Point]]:
        """The outlines of lines that have a width."""
        outlines = []
        for line in self.lines([kind]):
            half = line.inches_wide / 2
            left, right = plane.beside(line.run, half), plane.beside(line.run, -half)
            outlines.append([*left, *reversed(right)])
        return outlines

    def _filled(self, outlines: Iterable[Path]) -> Mask:
        """The pixels whose middles lie in any of these outlines."""
        across = (np.arange(self.grid.columns * CELL_PIXELS) + 0.5) * PIXEL
        upward = (np.arange(self.grid.rows * CELL_PIXELS) + 0.5) * PIXEL
        x, y = np.meshgrid(across, upward)
        filled: Mask = np.zeros(x.shape, dtype=np.bool_)
        for outline in outlines:
            filled |= _within(x, y, outline)
        return filled


def _within(x: NDArray[np.float64], y: NDArray[np.float64], outline: Path) -> Mask:
    """Which points lie in an outline: ``plane.inside`` for all of them at once. A point lies inside
    if a ray from it to the right crosses an odd number of sides."""
    within: Mask = np.zeros(x.shape, dtype=np.bool_)
    for (x0, y0), (x1, y1) in pairwise([*outline, outline[0]]):
        if y0 == y1:
            continue  # a level side is parallel to the ray
        side_spans_y = (y0 > y) != (y1 > y)
        x_of_side = (x1 - x0) * (y - y0) / (y1 - y0) + x0
        within ^= side_spans_y & (x < x_of_side)
    return within
