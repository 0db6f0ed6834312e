"""The lines of a map through which no words should run: the edges of areas and zones, crests,
roads, rivers, walls and the like, as they lie on the paper."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from skirmish.sheets.maps.pen import Pen, TableSize
from skirmish.sheets.maps.terrain import WITHOUT_EDGE
from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import Battlefield, Dimension, Line
from skirmish.tabletop.plane import Path, Rectangle

_LEAST_HALF_WIDTH = {
    "rail": 2.6,
    "hedge": 2.4,
    "wall": 1.3,
    "seawall": 2.2,
    "cliff": 5.0,
    "wire": 1.9,
    "mines": 2.8,
    "trench": 2.0,
    "track": 0.7,
}
"""Half the width in points of what is drawn of a line, however narrow it is on the table."""


class Outline(NamedTuple):
    """A drawn line on the paper, in points: its ``path``, how far it is drawn to either side of it
    (``half_width``), and the rectangle around all of it (``box``). ``kind``: that of the area or
    line of the battlefield; else ``zone``, ``circle``, ``crest``, ``distance``, ``limit`` or
    ``bank``."""

    kind: str
    path: Path
    half_width: float
    box: Rectangle

    def crosses(self, words: Rectangle) -> bool:
        """Whether it runs through the rectangle of some words."""
        if not self.box.overlaps(words):
            return False
        # A broad line runs through the words if its middle runs through a rectangle that is larger
        # than they are by half its width on all sides.
        enlarged = words.grown(self.half_width)
        return any(_leg_crosses(start, end, enlarged) for start, end in pairwise(self.path))


def outlines(pen: Pen, field: Battlefield, size: TableSize) -> Iterator[Outline]:
    """All lines that are drawn on a table of ``size`` inches, apart from the dots of its grid."""
    for area in field.areas:
        if area.kind not in WITHOUT_EDGE:
            yield _closed_line(pen, area.kind, area.outline)
    for zone in field.zones:
        yield _closed_line(pen, "zone", zone.points)
    for circle in field.circles:
        yield _closed_line(pen, "circle", plane.ring(circle.at, circle.radius))
    for slope in field.slopes:
        crest, _ = slope.edges
        if slope.ring:
            yield _closed_line(pen, "crest", crest)
        else:
            yield _open_line(pen, "crest", crest)
    for line in field.lines:
        yield from _lines_of(pen, line)
    for distance in field.dimensions:
        yield _open_line(pen, "distance", (distance.start, distance.end))
        if distance.line:
            yield _open_line(pen, "limit", limit_path(distance, size))


def limit_path(distance: Dimension, size: TableSize) -> Path:
    """The line from edge to edge of a table of ``size`` inches at the end of a distance. It is at
    right angles to the distance, which is measured along the table or across it."""
    table_width, table_height = size
    (start_x, start_y), (end_x, end_y) = distance.start, distance.end
    if abs(end_x - start_x) > abs(end_y - start_y):
        return (end_x, 0.0), (end_x, table_height)
    return (0.0, end_y), (table_width, end_y)


def _lines_of(pen: Pen, line: Line) -> Iterator[Outline]:
    """What is drawn of a line of the map: the line itself, but of a river its two banks."""
    half_inches = line.inches_wide / 2
    if line.kind == "river":
        # Words may stand on the water between its banks.
        yield _open_line(pen, "bank", plane.beside(line.run, half_inches))
        yield _open_line(pen, "bank", plane.beside(line.run, -half_inches))
    else:
        least = _LEAST_HALF_WIDTH.get(line.kind, 0.0)
        half_points = max(half_inches * pen.scale, least)
        yield _open_line(pen, line.kind, line.run, half_width=half_points)


def _closed_line(pen: Pen, kind: str, path: Path) -> Outline:
    """A thin line along a path of the table and back to its start."""
    return _open_line(pen, kind, (*path, path[0]))


def _open_line(pen: Pen, kind: str, path: Path, *, half_width: float = 0.0) -> Outline:
    """A line along a path of the table, ``half_width`` points broad to either side."""
    on_paper = [pen.on_paper(point) for point in path]
    return Outline(kind, on_paper, half_width, plane.box(on_paper).grown(half_width))


def _leg_crosses(start: plane.Point, end: plane.Point, area: Rectangle) -> bool:
    """Whether a straight line has a part within a rectangle (the algorithm of Liang and Barsky):
    each side of the rectangle shortens the stretch of the line that may lie inside."""
    # The stretch, in shares of the way from the start to the end.
    enters, leaves = 0.0, 1.0
    (start_x, start_y), (end_x, end_y) = start, end
    across, upward = end_x - start_x, end_y - start_y
    # For each side: how far the line runs outward, and how far inside of the side it starts.
    sides = (
        (-across, start_x - area.left),
        (across, area.right - start_x),
        (-upward, start_y - area.bottom),
        (upward, area.top - start_y),
    )
    for outward, inside in sides:
        if outward == 0:
            # It is parallel to this side, and inside or outside for all of its length.
            if inside < 0:
                return False
        elif outward < 0:  # it comes in over this side, or over its extension
            enters = max(enters, inside / outward)
        else:  # it goes out over it
            leaves = min(leaves, inside / outward)
    return enters <= leaves
