"""The map on the screen: a raster of the vectors used on paper, two squares to a character in half
blocks; characters where there are no colours."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from textual.content import Content

from skirmish.app.page_view import rows_of
from skirmish.games.plastic.scenarios.pages import PageSource
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import Battlefield, Slope
from skirmish.tabletop.plane import Path, Point

MARK_SIGNS = {"objective": "*", "aircraft": "+", "glider": "+", "truck": "t", "mg": "m"}
"""Characters for pieces without a letter of their own."""
LOOKS = {
    "grass": ("#39432a", "#dfe6c8", " "), "desert": ("#6b5a35", "#efdfae", " "),
    "steppe": ("#4d4a2a", "#e6dfb4", " "), "rubble": ("#47443d", "#d8d3c6", "."),
    "sea": ("#1f4a66", "#a9cfe2", "~"), "beach": ("#8a7a4d", "#f2e3b3", "."),
    "airfield": ("#7c7359", "#d9cda8", ":"), "town": ("#565044", "#d8cfbd", ":"),
    "rough": ("#5d513c", "#d3c6ac", "^"), "marsh": ("#35524a", "#c3ddd2", ","),
    "depression": ("#54472b", "#d6c290", "u"), "field": ("#7a713a", "#ecdf94", ";"),
    "crater": ("#3a332a", "#b3a58c", "o"), "orchard": ("#4f6a34", "#bcd391", "q"),
    "slope": ("#6d5631", "#c6a870", "/"), "river": ("#2c6a90", "#74b2d2", "~"),
    "stream": ("#2c6a90", "#74b2d2", "~"), "ditch": ("#2a2118", "#6d5b40", "v"),
    "trench": ("#2a2118", "#6d5b40", "v"), "mines": ("#a0522d", "#c26a42", "x"),
    "track": ("#8d7a58", "#a58d62", "-"), "road": ("#b8ae94", "#fffdf5", "="),
    "rail": ("#0b0b0a", "#1b1b18", "+"), "bridge": ("#d6cdb4", "#8d877a", "H"),
    "woods": ("#1f4a1f", "#7fa95f", "&"), "hedge": ("#2f6b2a", "#4f7f3d", "%"),
    "wire": ("#9a9a92", "#55554f", "x"), "wall": ("#8b8b84", "#66665f", "|"),
    "cliff": ("#3f2f18", "#7b5c33", "/"), "seawall": ("#d8d8d0", "#33332f", "_"),
    "building": ("#a8452d", "#b4583f", "#"), "ruin": ("#7a4a3d", "#cf9a86", "n"),
    "circle": ("#e0a458", "#a4452c", "o"),
}  # fmt: skip
"""The colours by night and on paper of each kind of ground, and its character where there are no
colours, in the order in which they are painted: woods cover all but buildings and hedges."""
SIDES = (("#7fb3ff", "#2f4a7c", "'"), ("#ffd27f", "#7c4a10", "`"))
"""The same of the first side in the file, and of the other."""
KEY_ROWS = 4
"""Rows kept for the key below the map."""
NARROWEST = 24
"""The fewest columns of a map."""
SAMPLING = 96
"""Columns of the raster from which the key learns what is on the map."""
FEWEST_MAP_ROWS = 8
"""The fewest rows of a map; a page that has no room for them scrolls."""
ROWS_AROUND = 2
"""The row above the map, which names its upper edge, and the empty one below it."""
Cell: TypeAlias = "tuple[int, int]"
"""Row and column of a character, which shows two squares of the raster."""


class Look(NamedTuple):
    """How a kind of ground or a side is shown: its colours ``by_night`` and on ``paper``, its
    ``sign`` where there are no colours."""

    by_night: str
    paper: str
    sign: str


class Raster:
    """``rows`` of kinds of ground, the top row first; each square is ``inches`` wide and high.
    Points are in inches from the lower left corner, as in scenario files."""

    def __init__(self, ground: str, size: tuple[float, float], columns: int) -> None:
        width, height = size
        self.inches = width / columns
        self._height = height
        self.rows = [[ground] * columns for _ in range(round(height / self.inches))]

    @classmethod
    def of(cls, field: Battlefield, size: tuple[float, float], columns: int) -> Raster:
        """A battlefield of ``size`` inches, painted from the bottom layer to the top."""
        raster = cls(field.ground, size, columns)
        for kind in LOOKS:
            raster._paint_ground(field, kind)
        for zone in field.zones:
            raster._stroke([*zone.points, zone.points[0]], 0, _look_of_side(zone.side), dashes=3)
        for circle in field.circles:
            ring = plane.ring(circle.at, circle.radius)
            raster._stroke([*ring, ring[0]], 0, "circle")
        for building in field.buildings:
            kind = "building"
            if building.kind == "ruin":
                kind = "ruin"
            raster._fill(building.outline, kind)
            raster._put(building.at, kind)  # so that one smaller than a square shows
        return raster

    def _paint_ground(self, field: Battlefield, kind: str) -> None:
        for area in field.areas:
            if area.kind == kind:
                self._fill(area.outline, kind)
        if kind == "slope":
            for slope in field.slopes:
                self._paint_slope(slope, field.ground)
        for line in field.lines:
            if line.kind == kind:
                self._stroke(line.run, line.broad / 2, kind)

    def _paint_slope(self, slope: Slope, ground: str) -> None:
        crest, foot = slope.edges
        if slope.ring:  # a hill: the level ground within the crest is no slope
            self._fill(foot, "slope")
            self._fill(crest, ground)
        else:
            self._fill([*crest, *reversed(foot)], "slope")

    def _fill(self, outline: Path, kind: str) -> None:
        """Paint the squares whose centre is within the outline: in each row between the first and
        the second point at which the outline crosses it, the third and the fourth, and so on."""
        heights = [y for _, y in outline]
        top = int((self._height - max(heights)) / self.inches)
        bottom = int((self._height - min(heights)) / self.inches)
        # A row more above and below, since the division may round to the wrong side; an outline
        # that does not cross it paints nothing there.
        for number in range(max(top - 1, 0), min(bottom + 2, len(self.rows))):
            row = self.rows[number]
            y = self._height - (number + 0.5) * self.inches
            crossings = sorted(_crossings(outline, y))
            for left, right in zip(crossings[::2], crossings[1::2], strict=True):
                first = max(math.ceil(left / self.inches - 0.5), 0)
                last = min(math.floor(right / self.inches - 0.5), len(row) - 1)
                row[first : last + 1] = [kind] * (last + 1 - first)

    def _stroke(self, path: Path, reach: float, kind: str, dashes: int = 0) -> None:
        """Paint all squares within ``reach`` inches of a path; ``dashes``: how many stations, half
        a square apart, each dash and each gap has."""
        steps = int(reach / self.inches)
        for count, (station, _) in enumerate(plane.stations(path, self.inches / 2)):
            if dashes and count // dashes % 2:
                continue  # a gap
            self._put(station, kind)
            for across in range(-steps, steps + 1):
                for upward in range(-steps, steps + 1):
                    if math.hypot(across, upward) * self.inches <= reach:
                        x = station[0] + across * self.inches
                        y = station[1] + upward * self.inches
                        self._put((x, y), kind)

    def _put(self, point: Point, kind: str) -> None:
        column, row = self.square(point)
        if 0 <= row < len(self.rows) and 0 <= column < len(self.rows[row]):
            self.rows[row][column] = kind

    def square(self, point: Point) -> tuple[int, int]:
        """Column and row of the square that contains a point; points on the rim count as inside."""
        x, y = point
        column = min(int(x / self.inches), len(self.rows[0]) - 1)
        row = min(int((self._height - y) / self.inches), len(self.rows) - 1)
        return column, row


def _crossings(outline: Path, y: float) -> Iterator[float]:
    """Where a closed outline crosses a horizontal line."""
    closed = [*outline, outline[0]]
    for (x0, y0), (x1, y1) in pairwise(closed):
        if (y0 > y) != (y1 > y):
            yield x0 + (y - y0) / (y1 - y0) * (x1 - x0)


class MapLabel(NamedTuple):
    """A text on the map: its ``centre`` in inches, and its side, if it belongs to one."""

    text: str
    centre: Point
    side: str | None = None


def words_on(field: Battlefield) -> Iterator[MapLabel]:
    """The letters of zones and marks, the numbers of buildings and the names of places; the most
    important come last, on top."""
    for label in field.labels:
        if abs(label.turn) < 45:  # a steep text has no room in rows
            yield MapLabel(label.text, label.at)
    for building in field.buildings:
        if building.number:
            yield MapLabel(str(building.number), building.at)
    for mark in field.marks:
        sign = mark.mark or MARK_SIGNS.get(mark.kind, "")
        if sign:
            yield MapLabel(sign, mark.at, mark.side)
    for zone in field.zones:
        if zone.tag:
            yield MapLabel(zone.letter, zone.tag, zone.side)


class Letter(NamedTuple):
    """A character written on the map, and the side of its label."""

    sign: str
    side: str | None


NO_LETTER = Letter("", None)


def picture(scenario: Scenario, columns: int, *, paper: bool, plain: bool) -> list[Content]:
    """The scenario's map in so many columns; ``plain``: in characters, without colours or for
    ASCII. Empty if it has none."""
    field, table = scenario.map, scenario.table
    if field is None:
        return []
    raster = Raster.of(field, (table.width_in, table.depth_in), columns)
    looks = _looks(scenario, paper=paper, plain=plain)
    letters = _letters(raster, words_on(field), columns)
    lines = []
    # A character shows two squares: the upper row of a pair and the lower one.
    for number, upper in enumerate(raster.rows[::2]):
        lower = raster.rows[min(2 * number + 1, len(raster.rows) - 1)]
        cells = []
        for column, (above, below) in enumerate(zip(upper, lower, strict=True)):
            letter = letters.get((number, column), NO_LETTER)
            if plain:
                cells.append((letter.sign or looks[above], ""))
            else:
                cells.append(_coloured(letter, above, below, looks))
        lines.append(_in_runs(cells))
    return lines


def _coloured(letter: Letter, above: str, below: str, looks: Mapping[str, str]) -> tuple[str, str]:
    """A character with its style: a half block of two colours, or a letter that stands out."""
    # No letter, or the space between two words of a name.
    if not letter.sign.strip():
        return "▀", f"{looks[above]} on {looks[below]}"
    behind = looks[below]
    if letter.side:
        behind = looks[_look_of_side(letter.side)]
    ink = "#ffffff"
    if _is_bright(behind):
        ink = "#000000"
    return letter.sign, f"bold {ink} on {behind}"


def _in_runs(cells: Iterable[tuple[str, str]]) -> Content:
    """Characters of the same style become one piece, since each piece costs time to paint."""
    pieces = []
    for style, run in groupby(cells, key=itemgetter(1)):
        pieces.append(("".join(sign for sign, _ in run), style))
    return Content.assemble(*pieces)


def _look_of_side(side: str) -> str:
    """The kind of ground that stands for a side among the looks."""
    return f"side:{side}"


def _looks(scenario: Scenario, *, paper: bool, plain: bool) -> dict[str, str]:
    """The characters, or else the colours, of kinds of ground and of the sides."""
    every = {kind: Look(*look) for kind, look in LOOKS.items()}
    for side, look in zip(scenario.sides, SIDES, strict=True):
        every[_look_of_side(side.id)] = Look(*look)
    if plain:
        return {kind: look.sign for kind, look in every.items()}
    if paper:
        return {kind: look.paper for kind, look in every.items()}
    return {kind: look.by_night for kind, look in every.items()}


def _letters(raster: Raster, words: Iterable[MapLabel], columns: int) -> dict[Cell, Letter]:
    """Short labels always appear, since sheets and key refer to them; a long one that would touch
    another is left out."""
    letters: dict[Cell, Letter] = {}
    for label in sorted(words, key=_length):
        text = label.text
        column, row = raster.square(label.centre)
        row //= 2  # of characters
        first = max(min(column - len(text) // 2, columns - len(text)), 0)
        around = [(row, number) for number in range(first - 1, first + len(text) + 1)]
        if len(text) > 1 and not letters.keys().isdisjoint(around):
            continue
        for offset, sign in enumerate(text):
            letters[row, first + offset] = Letter(sign, label.side)
    return letters


def _length(label: MapLabel) -> int:
    return len(label.text)


def fitting(source: PageSource, room: tuple[int, int], *, paper: bool, plain: bool) -> Content:
    """The map on a page of that size. A page that must scroll is one column narrower for the scroll
    bar, so that no row wraps."""
    scenario = source.scenario
    columns, lines = room
    if scenario.map is None:
        return Content("This scenario has no map.")
    table = scenario.table
    # Two squares to a character: as many columns as the rows beside the key have squares.
    map_rows = max(lines - KEY_ROWS - ROWS_AROUND, FEWEST_MAP_ROWS)
    widest = round(table.width_in / table.depth_in * 2 * map_rows)
    key = _key(scenario, paper=paper, plain=plain)
    for page_width in (columns, columns - 1):
        width = max(NARROWEST, min(page_width, widest))
        up = Content.styled(f"{table.up:^{width}}", "bold")
        drawn = picture(scenario, width, paper=paper, plain=plain)
        rows = [up, *drawn, Content(""), *_in_rows(key, page_width)]
        if scenario.map.note:
            rows.append(Content.styled(source.measured(scenario.map.note), "dim"))
        page = Content("\n").join(rows)
        if rows_of(page, page_width) <= lines:
            break
    return page


def _key(scenario: Scenario, *, paper: bool, plain: bool) -> list[Content]:
    """An entry for each kind of ground on the map, in the order in which they appear, and for each
    side."""
    looks = _looks(scenario, paper=paper, plain=plain)
    entries = []
    for kind in _kinds_on_map(scenario):
        if kind in LOOKS:
            entries.append((looks[kind], kind.replace("_", " ")))
    for side in scenario.sides:
        entries.append((looks[_look_of_side(side.id)], side.name))
    key = []
    for look, name in entries:
        if not look.strip():
            continue  # bare ground has no character
        sample = ("▄▄", look)
        if plain and look in "'`":
            sample = (2 * look, "bold")  # so small a sign would be overlooked
        elif plain:
            sample = (look, "bold")
        key.append(Content.assemble(sample, f" {name}"))
    return key


def _kinds_on_map(scenario: Scenario) -> list[str]:
    if scenario.map is None:
        return []
    table = scenario.table
    raster = Raster.of(scenario.map, (table.width_in, table.depth_in), SAMPLING)
    kinds: dict[str, None] = {}  # a set that keeps the order
    for row in raster.rows:
        kinds |= dict.fromkeys(row)
    return list(kinds)


def _in_rows(entries: Sequence[Content], columns: int) -> list[Content]:
    """Entries of the key in rows, none broken after its sample."""
    rows = list(entries[:1])
    for entry in entries[1:]:
        longer = Content.assemble(rows[-1], "   ", entry)
        if longer.cell_length > columns:
            rows.append(entry)
        else:
            rows[-1] = longer
    return rows


def _is_bright(colour: str) -> bool:
    """Whether black is easier to read than white on a colour such as ``#39432a``."""
    red, green, blue = bytes.fromhex(colour[1:])
    return 0.299 * red + 0.587 * green + 0.114 * blue > 140
