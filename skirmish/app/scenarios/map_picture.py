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
from skirmish.tabletop.side_colours import SIDE_COLOURS, code_of_256, looks

MARK_SIGNS = {"objective": "*", "aircraft": "+", "glider": "+", "truck": "t", "mg": "m"}
"""Characters for pieces without a letter of their own."""


class Look(NamedTuple):
    """How a kind of ground or a side is shown: its colours ``by_night`` and on ``paper``, its
    ``sign`` where there are no colours, and the numbers of both colours among 256."""

    by_night: str
    paper: str
    sign: str
    night_256: int
    paper_256: int

    def colour(self, *, paper: bool, colours: str | None) -> str:
        """The code to paint it with on a terminal that has so many ``colours``."""
        if colours == "256":
            return code_of_256(self.paper_256 if paper else self.night_256)
        return self.paper if paper else self.by_night


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
"""How each kind of ground is shown, in the order in which they are painted: woods cover all but
buildings and hedges. No two can be confused, on terminals of 256 colours either (a test compares
all pairs), but for river and stream, ditch and trench."""
SIDE_CHARACTERS = ("'", "`")
"""Where there are no colours: of the first side in the file, and of the other."""
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


class MapInks(NamedTuple):
    """How a map is shown: on ``paper`` or by night; ``plain``: in characters, without colours or
    for ASCII; the ``colours`` of the terminal, as Rich calls them."""

    paper: bool
    plain: bool
    colours: str | None = None


def picture(scenario: Scenario, columns: int, inks: MapInks) -> list[Content]:
    """The scenario's map in so many columns; empty if it has none."""
    field, table = scenario.map, scenario.table
    if field is None:
        return []
    raster = Raster.of(field, (table.width_in, table.depth_in), columns)
    shown = _looks(scenario, inks)
    letters = _letters(raster, words_on(field), columns)
    lines = []
    # A character shows two squares: the upper row of a pair and the lower one.
    for number, upper in enumerate(raster.rows[::2]):
        lower = raster.rows[min(2 * number + 1, len(raster.rows) - 1)]
        cells = []
        for column, (above, below) in enumerate(zip(upper, lower, strict=True)):
            letter = letters.get((number, column), NO_LETTER)
            if inks.plain:
                cells.append((letter.sign or shown[above], ""))
            else:
                cells.append(_coloured(letter, above, below, shown))
        lines.append(_in_runs(cells))
    return lines


def _coloured(letter: Letter, above: str, below: str, shown: Mapping[str, str]) -> tuple[str, str]:
    """A character with its style: a half block of two colours, or a letter that stands out."""
    # No letter, or the space between two words of a name.
    if not letter.sign.strip():
        return "▀", f"{shown[above]} on {shown[below]}"
    behind = shown[below]
    if letter.side:
        behind = shown[_look_of_side(letter.side)]
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


def _looks(scenario: Scenario, inks: MapInks) -> dict[str, str]:
    """The characters, or else the colours, of kinds of ground and of the sides."""
    shown = {}
    for kind, look in LOOKS.items():
        shown[kind] = look.sign
        if not inks.plain:
            shown[kind] = look.colour(paper=inks.paper, colours=inks.colours)
    order = scenario.order_of_play()
    signs = dict(zip(order, looks(*order), strict=True))
    for side, character in zip(scenario.sides, SIDE_CHARACTERS, strict=True):
        shown[_look_of_side(side.id)] = character
        if not inks.plain:
            colours = SIDE_COLOURS[signs[side.id].name]
            shade = colours.light if inks.paper else colours.dark
            shown[_look_of_side(side.id)] = shade.shown(inks.colours)
    return shown


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


def fitting(source: PageSource, room: tuple[int, int], inks: MapInks) -> Content:
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
    key = _key(scenario, inks)
    for page_width in (columns, columns - 1):
        width = max(NARROWEST, min(page_width, widest))
        up = Content.styled(f"{table.up:^{width}}", "bold")
        drawn = picture(scenario, width, inks)
        rows = [up, *drawn, Content(""), *_in_rows(key, page_width)]
        if scenario.map.note:
            rows.append(Content.styled(source.measured(scenario.map.note), "dim"))
        page = Content("\n").join(rows)
        if rows_of(page, page_width) <= lines:
            break
    return page


def _key(scenario: Scenario, inks: MapInks) -> list[Content]:
    """An entry for each kind of ground on the map, in the order in which they appear, and for each
    side."""
    shown = _looks(scenario, inks)
    entries = []
    for kind in _kinds_on_map(scenario):
        if kind in LOOKS:
            entries.append((shown[kind], kind.replace("_", " ")))
    for side in scenario.sides:
        entries.append((shown[_look_of_side(side.id)], side.name))
    key = []
    for look, name in entries:
        if not look.strip():
            continue  # bare ground has no character
        sample = ("▄▄", look)
        if inks.plain and look in SIDE_CHARACTERS:
            sample = (2 * look, "bold")  # so small a sign would be overlooked
        elif inks.plain:
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
