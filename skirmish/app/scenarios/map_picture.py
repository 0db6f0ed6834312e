"""The map on the screen: a raster of the vectors used on paper, two squares to a character in half
blocks; characters where there are no colours."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from operator import itemgetter

from textual.content import Content

from skirmish.app.page_view import rows_of
from skirmish.games.plastic.scenarios.pages import PageSource
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import Battlefield
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


class Raster:
    """``rows`` of kinds of ground, the top row first; each square is ``inches`` wide and high."""

    def __init__(self, field: Battlefield, size: tuple[float, float], columns: int) -> None:
        self.inches = size[0] / columns
        self._height = size[1]
        ground: str = field.ground
        self.rows = [[ground] * columns for _ in range(round(size[1] / self.inches))]
        for kind in LOOKS:
            for area in field.areas:
                if area.kind == kind:
                    self._fill(area.outline, kind)
            for slope in field.slopes if kind == "slope" else ():
                crest, foot = slope.edges
                if slope.ring:
                    self._fill(foot, "slope")
                    self._fill(crest, field.ground)
                else:
                    self._fill([*crest, *reversed(foot)], "slope")
            for line in field.lines:
                if line.kind == kind:
                    self._stroke(line.run, line.broad / 2, kind)
        for zone in field.zones:
            outline = [*zone.points, zone.points[0]]
            self._stroke(outline, 0, f"side:{zone.side}", dashes=3)
        for circle in field.circles:
            self._stroke([*(ring := plane.ring(circle.at, circle.radius)), ring[0]], 0, "circle")
        for building in field.buildings:
            kind = "ruin" if building.kind == "ruin" else "building"
            self._fill(building.outline, kind)
            self._put(building.at, kind)

    def _fill(self, outline: Path, kind: str) -> None:
        heights = [y for _, y in outline]
        top, low = ((self._height - y) / self.inches for y in (max(heights), min(heights)))
        for number in range(max(int(top) - 1, 0), min(int(low) + 2, len(self.rows))):
            row, y = self.rows[number], self._height - (number + 0.5) * self.inches
            crossings = sorted(_crossings(outline, y))
            for left, right in zip(crossings[::2], crossings[1::2], strict=True):
                first = max(math.ceil(left / self.inches - 0.5), 0)
                last = min(math.floor(right / self.inches - 0.5), len(row) - 1)
                row[first : last + 1] = [kind] * (last + 1 - first)

    def _stroke(self, path: Path, reach: float, kind: str, dashes: int = 0) -> None:
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
        """Column and row of the square that contains a point; points on the rim count as inside."""
        column = min(int(at[0] / self.inches), len(self.rows[0]) - 1)
        return column, min(int((self._height - at[1]) / self.inches), len(self.rows) - 1)


def words_on(field: Battlefield) -> Iterator[tuple[str, Point, str | None]]:
    """The letters of zones and marks, the numbers of buildings and the names of places, each with
    its centre in inches and its side; the most important come last, on top."""
    for label in field.labels:
        if abs(label.turn) < 45:
            yield label.text, label.at, None
    for building in field.buildings:
        if building.number:
            yield str(building.number), building.at, None
    for mark in field.marks:
        sign = mark.mark or MARK_SIGNS.get(mark.kind, "")
        if sign:
            yield sign, mark.at, mark.side
    for zone in field.zones:
        if zone.tag:
            yield zone.letter, zone.tag, zone.side


def _crossings(outline: Path, y: float) -> Iterator[float]:
    for (x0, y0), (x1, y1) in (*pairwise(outline), (outline[-1], outline[0])):
        if (y0 > y) != (y1 > y):
            yield x0 + (y - y0) / (y1 - y0) * (x1 - x0)


def picture(scenario: Scenario, columns: int, *, paper: bool, plain: bool) -> list[Content]:
    """The scenario's map in ``width`` columns; ``plain``: in characters, without colours or for
    ASCII. Empty if it has none."""
    field, table = scenario.map, scenario.table
    if field is None:
        return []
    raster = Raster(field, (table.width_in, table.depth_in), columns)
    looks = _looks(scenario, paper=paper, plain=plain)
    written = _written(raster, words_on(field), columns)

    def cell(place: tuple[int, int], above: str, below: str) -> tuple[str, str]:
        letter, side = written.get(place, ("", None))
        if plain:
            return letter or looks[above], ""
        if not letter.strip():
            return "▀", f"{looks[above]} on {looks[below]}"
        behind = looks[f"side:{side}" if side else below]
        return letter, f"bold {'#000000' if _is_bright(behind) else '#ffffff'} on {behind}"

    lines = []
    for number, upper in enumerate(raster.rows[::2]):
        lower = raster.rows[min(2 * number + 1, len(raster.rows) - 1)]
        kinds = enumerate(zip(upper, lower, strict=True))
        cells = [cell((number, column), *pair) for column, pair in kinds]
        runs = groupby(cells, key=itemgetter(1))
        drawn = (("".join(text for text, _ in run), style) for style, run in runs)
        lines.append(Content.assemble(*drawn))
    return lines


def _looks(scenario: Scenario, *, paper: bool, plain: bool) -> dict[str, str]:
    """The characters, or else the colours, of kinds of ground and of the sides."""
    at = 2 if plain else int(paper)
    sides = zip(scenario.sides, SIDES, strict=True)
    return {kind: look[at] for kind, look in LOOKS.items()} | {
        f"side:{side.id}": look[at] for side, look in sides
    }


def _written(
    raster: Raster, words: Iterable[tuple[str, Point, str | None]], columns: int
) -> dict[tuple[int, int], tuple[str, str | None]]:
    """Letters by line and column. Short labels always appear, since sheets and key refer to them; a
    long one that would touch another is left out."""
    written: dict[tuple[int, int], tuple[str, str | None]] = {}
    for text, at, side in sorted(words, key=lambda word: len(word[0])):
        column, row = raster.square(at)
        start = max(min(column - len(text) // 2, columns - len(text)), 0)
        places = [(row // 2, start + offset) for offset in range(len(text))]
        around = ((row // 2, start + offset) for offset in range(-1, len(places) + 1))
        if len(places) > 1 and not written.keys().isdisjoint(around):
            continue
        written |= dict(zip(places, ((letter, side) for letter in text), strict=True))
    return written


def fitting(source: PageSource, room: tuple[int, int], *, paper: bool, plain: bool) -> Content:
    """The map on a page of that size. A page that must scroll is one column narrower for the scroll
    bar, so that no row wraps."""
    scenario, (columns, lines) = source.scenario, room
    if scenario.map is None:
        return Content("This scenario has no map.")
    table = scenario.table
    lines_of_key = 4
    across = round(table.width_in / table.depth_in * 2 * max(lines - lines_of_key - 2, 8))
    entries = _key(scenario, paper=paper, plain=plain)
    for least in (columns, columns - 1):
        width = max(24, min(least, across))
        key = _in_rows(entries, least)
        up = Content.styled(f"{table.up:^{width}}", "bold")
        rows = [up, *picture(scenario, width, paper=paper, plain=plain), Content(""), *key]
        if scenario.map.note:
            rows.append(Content.styled(source.measured(scenario.map.note), "dim"))
        drawn = Content("\n").join(rows)
        if rows_of(drawn, least) <= lines:
            break
    return drawn


def _key(scenario: Scenario, *, paper: bool, plain: bool) -> list[Content]:
    table = scenario.table
    raster = Raster(scenario.map, (table.width_in, table.depth_in), 96) if scenario.map else None
    kinds = dict.fromkeys(kind for row in (raster.rows if raster else ()) for kind in row)
    looks = _looks(scenario, paper=paper, plain=plain)
    rows = [(looks[kind], kind.replace("_", " ")) for kind in kinds if kind in LOOKS]
    rows += [(looks[f"side:{side.id}"], side.name) for side in scenario.sides]
    found = []
    for look, name in rows:
        sample = (look * (2 if look in "'`" else 1), "bold") if plain else ("▄▄", look)
        if look.strip():
            found.append(Content.assemble(sample, f" {name}"))
    return found


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
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue > 140
