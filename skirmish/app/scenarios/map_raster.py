"""A map as a field of small squares: what lies in each, from the same vectors as on paper."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import Battlefield, Line
from skirmish.tabletop.plane import Path, Point

UNDER = ("sea", "beach", "airfield", "town", "rough", "marsh", "depression", "field", "crater",
         "orchard")  # fmt: skip
"""Areas from the lowest to the highest; woods stand over all but what people built."""
LINES = ("river", "stream", "ditch", "trench", "mines", "track", "road", "rail", "bridge", "hedge",
         "wire", "wall", "cliff", "seawall")  # fmt: skip
_SIGNS = {"objective": "*", "aircraft": "+", "glider": "+", "truck": "t", "mg": "m"}
"""What stands for a piece that has no letter of its own."""


class Word(NamedTuple):
    """Letters that stand on the map: their middle in inches, whose they are."""

    text: str
    at: Point
    side: str | None


class Raster:
    """``rows`` of kinds of ground, the top row first; each square is ``inches`` wide and high."""

    def __init__(self, field: Battlefield, size: tuple[float, float], columns: int) -> None:
        self.inches = size[0] / columns
        self._height = size[1]
        ground: str = field.ground
        self.rows = [[ground] * columns for _ in range(round(size[1] / self.inches))]
        for kind in UNDER:
            for area in field.areas:
                if area.kind == kind:
                    self._fill(area.outline, kind)
        for slope in field.slopes:
            crest, foot = slope.edges
            if slope.ring:
                self._fill(foot, "slope")
                self._fill(crest, field.ground)
            else:
                self._fill([*crest, *reversed(foot)], "slope")
        for kind in LINES:
            for line in field.lines:
                if line.kind == kind:
                    self._draw(line)
            if kind == "bridge":
                for area in field.areas:
                    if area.kind == "woods":
                        self._fill(area.outline, "woods")
        for zone in field.zones:
            outline = [*zone.points, zone.points[0]]
            self._stroke(outline, 0, f"side:{zone.side}", dashes=3)
        for circle in field.circles:
            self._stroke([*(ring := plane.ring(circle.at, circle.radius)), ring[0]], 0, "circle")
        for building in field.buildings:
            self._fill(building.outline, "ruin" if building.kind == "ruin" else "building")
            self._put(building.at, "ruin" if building.kind == "ruin" else "building")

    def _draw(self, line: Line) -> None:
        self._stroke(line.run, line.broad / 2, line.kind)

    def _fill(self, outline: Path, kind: str) -> None:
        """All squares whose middle lies within, found row by row."""
        for number, row in enumerate(self.rows):
            y = self._height - (number + 0.5) * self.inches
            crossings = sorted(_crossings(outline, y))
            for left, right in zip(crossings[::2], crossings[1::2], strict=True):
                first = max(math.ceil(left / self.inches - 0.5), 0)
                last = min(math.floor(right / self.inches - 0.5), len(row) - 1)
                row[first : last + 1] = [kind] * (last + 1 - first)

    def _stroke(self, path: Path, reach: float, kind: str, dashes: int = 0) -> None:
        """All squares within reach of a line, at least those that it passes."""
        for count, (at, _) in enumerate(plane.stations(path, self.inches / 2)):
            if dashes and count // dashes % 2:
                continue
            self._put(at, kind)
            steps = int(reach / self.inches)
            for across in range(-steps, steps + 1):
                for upward in range(-steps, steps + 1):
                    if math.hypot(across, upward) * self.inches <= reach:
                        x, y = at[0] + across * self.inches, at[1] + upward * self.inches
                        self._put((x, y), kind)

    def _put(self, at: Point, kind: str) -> None:
        column, row = self.square(at)
        if 0 <= row < len(self.rows) and 0 <= column < len(self.rows[row]):
            self.rows[row][column] = kind

    def square(self, at: Point) -> tuple[int, int]:
        """Column and row of the square that a point lies in; those on the rim lie inside."""
        column = min(int(at[0] / self.inches), len(self.rows[0]) - 1)
        return column, min(int((self._height - at[1]) / self.inches), len(self.rows) - 1)


def words(field: Battlefield) -> Iterator[Word]:
    """The letters of zones and marks, the numbers of buildings, the names of places; what matters
    most comes last, so that it stands over the rest."""
    for label in field.labels:
        if abs(label.turn) < 45:
            yield Word(label.text, label.at, None)
    for building in field.buildings:
        if building.number:
            yield Word(str(building.number), building.at, None)
    for mark in field.marks:
        sign = mark.mark or _SIGNS.get(mark.kind, "")
        if sign:
            yield Word(sign, mark.at, mark.side)
    for zone in field.zones:
        if zone.tag:
            yield Word(zone.letter, zone.tag, zone.side)


def _crossings(outline: Path, y: float) -> Iterator[float]:
    for (x0, y0), (x1, y1) in (*pairwise(outline), (outline[-1], outline[0])):
        if (y0 > y) != (y1 > y):
            yield x0 + (y - y0) / (y1 - y0) * (x1 - x0)
