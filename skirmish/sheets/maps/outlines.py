"""The lines of a map that words should keep clear of: the edges of areas and zones, crests, roads,
rivers, walls and the like, as they lie on the paper."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from skirmish.sheets.maps.pen import Pen
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
"""Points to either side of the middle of a line that are drawn, however narrow it is."""


class Outline(NamedTuple):
    """The line of a thing on the paper; ``half_width`` is how far it is drawn to either side of its
    ``path``, and ``box`` the rectangle around all of it, both in points."""

    kind: str
    path: Path
    half_width: float
    box: Rectangle

    def crosses(self, words: Rectangle) -> bool:
        """Whether it runs through the rectangle of some words."""
        if not self.box.overlaps(words):
            return False
        near = words.grown(self.half_width)
        return any(_crosses(start, end, near) for start, end in pairwise(self.path))


def outlines(pen: Pen, field: Battlefield, size: tuple[float, float]) -> Iterator[Outline]:
    """All lines that are drawn on a table of ``size`` inches, but for the dots of its squares."""
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
    for measured in field.dimensions:
        yield _open_line(pen, "distance", (measured.start, measured.end))
        if measured.line:
            yield _open_line(pen, "limit", limit_run(measured, size))


def limit_run(distance: Dimension, size: tuple[float, float]) -> Path:
    """The line across a table of ``size`` inches at the end of a distance: at right angles to it,
    which runs along the table or across it."""
    (x0, y0), (x, y) = distance.start, distance.end
    if abs(x - x0) > abs(y - y0):
        return (x, 0.0), (x, size[1])
    return (0.0, y), (size[0], y)


def _lines_of(pen: Pen, line: Line) -> Iterator[Outline]:
    """What is drawn of a line of the map: itself, or both banks of a river."""
    half_width = line.inches_wide / 2
    if line.kind == "river":
        # Words may stand on the water between its banks.
        yield _open_line(pen, "bank", plane.beside(line.run, half_width))
        yield _open_line(pen, "bank", plane.beside(line.run, -half_width))
    else:
        drawn = max(half_width * pen.scale, _LEAST_HALF_WIDTH.get(line.kind, 0.0))
        yield _open_line(pen, line.kind, line.run, half_width=drawn)


def _closed_line(pen: Pen, kind: str, path: Path) -> Outline:
    return _open_line(pen, kind, (*path, path[0]))


def _open_line(pen: Pen, kind: str, path: Path, *, half_width: float = 0.0) -> Outline:
    on_paper = [pen.on_paper(point) for point in path]
    return Outline(kind, on_paper, half_width, plane.box(on_paper).grown(half_width))


def _crosses(start: plane.Point, end: plane.Point, area: Rectangle) -> bool:
    """Whether a straight line has a part within a rectangle: the share of the way at which it has
    passed each of the four sides is narrowed down from the whole of it (Liang and Barsky)."""
    enters, leaves = 0.0, 1.0
    across, upward = end[0] - start[0], end[1] - start[1]
    # Of each side: how far the line runs toward it, and how far away it is at the start.
    sides = (
        (-across, start[0] - area.left),
        (across, area.right - start[0]),
        (-upward, start[1] - area.bottom),
        (upward, area.top - start[1]),
    )
    for run, room in sides:
        if run == 0:
            if room < 0:
                return False
        elif run < 0:
            enters = max(enters, room / run)
        else:
            leaves = min(leaves, room / run)
    return enters <= leaves
