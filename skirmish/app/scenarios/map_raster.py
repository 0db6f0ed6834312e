"""The ground of a map as a raster: each square of it shows one kind of ground."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from skirmish.games.plastic.scenarios.scenario import TableSize
from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import Battlefield, Slope
from skirmish.tabletop.plane import Path, Point
from skirmish.tabletop.side_colours import code_of_256


class Look(NamedTuple):
    """How a kind of ground is shown."""

    by_night: str
    """Its colour in a dark theme."""
    on_paper: str
    """Its colour in a light theme."""
    sign: str
    """Stands for it where there are no colours."""
    by_night_256: int
    """The number of its colour in a dark theme, on terminals of 256 colours."""
    on_paper_256: int
    """The number of its colour in a light theme, there."""

    def colour(self, *, paper: bool, colours: str | None) -> str:
        """The code to paint it with; ``colours`` is the name that Rich has for those of the
        terminal. Only with ``256`` it is the number of a colour, else the colour itself."""
        if colours == "256":
            number = self.by_night_256
            if paper:
                number = self.on_paper_256
            return code_of_256(number)
        if paper:
            return self.on_paper
        return self.by_night


LOOKS = {
    "grass": Look("#4F5D33", "#DFE6C8", " ", 65, 230),
    "desert": Look("#87805A", "#F6D2A0", " ", 101, 223),
    "steppe": Look("#5F5A12", "#D3EBA2", " ", 58, 193),
    "rubble": Look("#5A564E", "#D8D3C6", ".", 240, 253),
    "sea": Look("#24587A", "#A9CFE2", "~", 24, 152),
    "beach": Look("#CBAA62", "#F2E3B3", ".", 179, 187),
    "airfield": Look("#A88478", "#B9D6AC", ":", 138, 151),
    "town": Look("#7E7E88", "#C4C0BC", ":", 244, 250),
    "rough": Look("#6A4A5C", "#C9AFBD", "^", 95, 181),
    "marsh": Look("#2F7470", "#9FD0C4", ",", 23, 116),
    "depression": Look("#3B3528", "#D6C290", "u", 237, 144),
    "field": Look("#9A8C2E", "#ECDF94", ";", 100, 186),
    "crater": Look("#A39E94", "#B3A58C", "o", 248, 247),
    "orchard": Look("#6E8F3C", "#BCD391", "q", 107, 150),
    "slope": Look("#7B5C2C", "#C6A870", "/", 137, 180),
    "river": Look("#4F86AE", "#74B2D2", "~", 67, 74),
    "stream": Look("#4F86AE", "#74B2D2", "~", 67, 74),
    "ditch": Look("#84560A", "#6D5B40", "v", 94, 95),
    "trench": Look("#84560A", "#6D5B40", "v", 94, 95),
    "mines": Look("#A0522D", "#C26A42", "x", 173, 173),
    "track": Look("#AFA07A", "#A58D62", "-", 144, 101),
    "road": Look("#D8D0B8", "#FFFDF5", "=", 187, 231),
    "rail": Look("#F2F2EE", "#1B1B18", "+", 255, 234),
    "bridge": Look("#BFC2CC", "#8D877A", "H", 252, 244),
    "woods": Look("#1E4A1C", "#7FA95F", "&", 22, 107),
    "hedge": Look("#2F7A3A", "#4F7F3D", "%", 29, 65),
    "wire": Look("#A9A9C9", "#55554F", "x", 146, 239),
    "wall": Look("#667F82", "#66665F", "|", 66, 241),
    "cliff": Look("#5A1A0A", "#7B5C33", "/", 52, 137),
    "seawall": Look("#0E0E0C", "#33332F", "_", 233, 236),
    "building": Look("#C2502F", "#B4583F", "#", 167, 167),
    "ruin": Look("#7A4A3D", "#CF9A86", "n", 131, 138),
    "circle": Look("#E0A458", "#8C1A0E", "o", 215, 88),
}
"""How each kind of ground is shown, in the order in which areas, slopes and lines are painted: each
covers those before it, as woods cover a road, and a hedge covers woods. Circles and then buildings
are painted after all of them. No two kinds can be confused, on terminals of 256 colours either (a
test compares all pairs), but for river and stream, ditch and trench."""


class InkOf16(NamedTuple):
    """The numbers of a colour among 16, for a dark and for a light theme."""

    by_night: int
    on_paper: int


WATER_OF_16, GREEN_OF_16, SAND_OF_16 = InkOf16(12, 4), InkOf16(10, 2), InkOf16(11, 8)
RED_OF_16 = InkOf16(9, 1)
INKS_OF_16: Mapping[str, InkOf16] = {
    "sea": WATER_OF_16,
    "river": WATER_OF_16,
    "stream": WATER_OF_16,
    "marsh": InkOf16(14, 6),
    "woods": GREEN_OF_16,
    "orchard": GREEN_OF_16,
    "hedge": GREEN_OF_16,
    "beach": SAND_OF_16,
    "field": SAND_OF_16,
    "building": RED_OF_16,
    "ruin": RED_OF_16,
}
"""The colours of those grounds whose signs are coloured on terminals of 16 colours. The signs of
others have the colour of the text: 16 colours are too few to tell grounds apart without signs."""


class RasterSquare(NamedTuple):
    """Where a square is in a raster; the top row is 0."""

    column: int
    row: int


class GroundsOfCharacter(NamedTuple):
    """The kinds of ground in both squares that a character shows, one above the other."""

    above: str
    below: str


class Raster:
    """A map in squares: ``rows`` of kinds of ground, the top row first; each square is ``inches``
    wide and high. Points are in inches from the lower left corner, as in scenario files."""

    def __init__(self, ground: str, table: TableSize, columns: int) -> None:
        """A map that has the same ``ground`` everywhere."""
        self.inches = table.width_in / columns
        self._height = table.depth_in
        row_count = round(self._height / self.inches)
        self.rows = [[ground] * columns for _ in range(row_count)]

    @classmethod
    def of_battlefield(cls, field: Battlefield, table: TableSize, columns: int) -> Raster:
        """The battlefield of a table, painted from the bottom layer to the top."""
        raster = cls(field.ground, table, columns)
        for kind in LOOKS:
            raster._paint_ground(field, kind)
        for circle in field.circles:
            ring = plane.ring(circle.at, circle.radius)
            closed_ring = [*ring, ring[0]]
            raster._stroke(closed_ring, reach=0, kind="circle")
        for building in field.buildings:
            kind = "building"
            if building.kind == "ruin":
                kind = "ruin"
            raster._fill(building.outline, kind)
            # A building that is smaller than a square may contain no centre, but must show.
            raster._paint(building.at, kind)
        return raster

    def _paint_ground(self, field: Battlefield, kind: str) -> None:
        """Paint all areas, slopes and lines of a kind."""
        for area in field.areas:
            if area.kind == kind:
                self._fill(area.outline, kind)
        if kind == "slope":
            for slope in field.slopes:
                self._paint_slope(slope, field.ground)
        for line in field.lines:
            if line.kind == kind:
                self._stroke(line.run, line.inches_wide / 2, kind)

    def _paint_slope(self, slope: Slope, ground: str) -> None:
        """Paint what lies between the crest and the foot."""
        crest, foot = slope.edges
        if slope.ring:  # a hill: the level ground within the crest is no slope
            self._fill(foot, "slope")
            self._fill(crest, ground)
        else:
            self._fill([*crest, *reversed(foot)], "slope")

    def _fill(self, outline: Path, kind: str) -> None:
        """Paint the squares whose centre is within the outline."""
        heights = [y for _, y in outline]
        top = int((self._height - max(heights)) / self.inches)
        bottom = int((self._height - min(heights)) / self.inches)
        # A row more above and below, since the division may round to the wrong side; an outline
        # that does not cross it paints nothing there.
        for number in range(max(top - 1, 0), min(bottom + 2, len(self.rows))):
            row = self.rows[number]
            # The centre of a square is half a square from its edges.
            centre = self._height - (number + 0.5) * self.inches
            for left, right in _stretches_within(outline, centre):
                first = max(math.ceil(left / self.inches - 0.5), 0)
                last = min(math.floor(right / self.inches - 0.5), len(row) - 1)
                row[first : last + 1] = [kind] * (last + 1 - first)

    def _stroke(self, path: Path, reach: float, kind: str) -> None:
        """Paint all squares within ``reach`` inches of a path, and those that it passes through."""
        squares_in_reach = int(reach / self.inches)
        # Twice in each square, so that the path skips none.
        for (x, y), _ in plane.stations(path, self.inches / 2):
            self._paint((x, y), kind)
            for right in range(-squares_in_reach, squares_in_reach + 1):
                for up in range(-squares_in_reach, squares_in_reach + 1):
                    if math.hypot(right, up) * self.inches <= reach:
                        neighbour = (x + right * self.inches, y + up * self.inches)
                        self._paint(neighbour, kind)

    def _paint(self, point: Point, kind: str) -> None:
        """Paint the square that contains a point, if it is on the map."""
        column, row = self.square(point)
        if 0 <= row < len(self.rows) and 0 <= column < self.columns:
            self.rows[row][column] = kind

    @property
    def columns(self) -> int:
        """Squares across."""
        return len(self.rows[0])

    @property
    def character_rows(self) -> int:
        """The rows of characters that show the map, two rows of squares in each."""
        return math.ceil(len(self.rows) / 2)

    def grounds_of_character(self, row: int, column: int) -> GroundsOfCharacter:
        """The kinds of ground that the character in this row and column shows."""
        upper = self.rows[2 * row]
        # If there is an odd number of rows, the last one fills its character alone.
        lower = self.rows[min(2 * row + 1, len(self.rows) - 1)]
        return GroundsOfCharacter(upper[column], lower[column])

    def square(self, point: Point) -> RasterSquare:
        """The square that contains a point; points on the rim count as inside."""
        x, y = point
        column = min(int(x / self.inches), self.columns - 1)
        row = min(int((self._height - y) / self.inches), len(self.rows) - 1)
        return RasterSquare(column, row)


def _stretches_within(outline: Path, y: float) -> Iterator[tuple[float, float]]:
    """The parts of a horizontal line that lie within a closed outline: from the first point where
    the outline crosses the line to the second, from the third to the fourth, and so on."""
    crossings = sorted(_crossings(outline, y))
    begins, ends = crossings[::2], crossings[1::2]
    return zip(begins, ends, strict=True)


def _crossings(outline: Path, y: float) -> Iterator[float]:
    """Where a closed outline crosses a horizontal line."""
    closed = [*outline, outline[0]]
    for (x0, y0), (x1, y1) in pairwise(closed):
        ends_on_both_sides = (y0 > y) != (y1 > y)
        if ends_on_both_sides:
            yield x0 + (y - y0) / (y1 - y0) * (x1 - x0)
