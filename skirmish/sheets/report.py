"""The report of a battle, with flags on its map where units came on and went off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import product
from math import dist
from textwrap import wrap

from skirmish.games.plastic.battle.names import piece_code
from skirmish.games.plastic.battle.view import seen
from skirmish.games.plastic.report import MAP, printed_pages
from skirmish.games.plastic.scenarios.laying import called
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.summary import crossings
from skirmish.sheets import inks
from skirmish.sheets.documents import StoredGame
from skirmish.sheets.inks import SideInk
from skirmish.sheets.layout.drawing import Canvas
from skirmish.sheets.layout.fonts import LABEL, MEDIUM
from skirmish.sheets.layout.pages import PdfDocument, as_pdf
from skirmish.sheets.layout.styles import SMALLEST, Style
from skirmish.sheets.layout.text import line_width, write
from skirmish.sheets.maps.scenario_map import MapPiece, leaves
from skirmish.sheets.maps.things import arrow
from skirmish.sheets.page_sheet import page_document
from skirmish.sheets.paper import NORMAL, Leaf
from skirmish.sheets.roster.battle import side_looks, spans
from skirmish.store.records import day
from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import Arrow
from skirmish.tabletop.plane import Point, Rectangle

Crossings = Mapping[tuple[str, str, str], Mapping[int, Sequence[str]]]
MOST_LINES, BROAD = 6, 34
"""Of a flag; if the codes take more lines, it counts the units. ``BROAD`` is in letters."""
_HEAD, _LINE = Style(LABEL, 7.2, 8.4), Style(MEDIUM, SMALLEST, 7.8)
_PAD, _AROUND = 2.4, 1.5
_STEP = 12.0
"""Points between two places tried for a flag."""
_LONG, _AT_EDGE = 6.0, 2.0
"""Inches: the length of our arrows, and how far from its edge a road may end."""
_OUTWARD = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}


@as_pdf
def report_pdf(page: Leaf, battle: StoredGame, date: str = "") -> PdfDocument:
    """The report of a battle, on a page or two; ``date`` is when it was fought, in words.

    A battle in progress is reported as an onlooker may see it.
    """
    state = battle.play.state
    shown = battle.play if state.outcome else seen(battle.play, None)
    pages = printed_pages(battle.play, date or day(battle.started))
    drawn = {}
    if scenario := state.setup.scenario:
        drawn[MAP] = partial(ReportMap, scenario, crossings(shown))
    return page_document(page, *pages, pictures=drawn, notes=True, sides=side_looks(state))


class ReportMap(MapPiece):
    """The map with a flag for each edge that a side crossed: which pieces, in which turns."""

    def __init__(self, scenario: Scenario, crossed: Crossings, tallest: float) -> None:
        super().__init__(scenario, tallest=tallest)
        self.crossed = crossed

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        super().paint(canvas, x, top, width)
        pen = self.pen(canvas, x, top, width)
        (left, low), (right, high) = pen.at((0, 0)), pen.at(self.size)
        taken = [one.box for one in self.written]
        taken += [plane.box([pen.at(point) for point in one.run]) for one in self.field.arrows]
        taken += [plane.box([pen.at(point) for point in one.outline])
                  for one in self.field.buildings]  # fmt: skip
        for (side, way, where), turns in self.crossed.items():
            look, lines = self.sides[side], _lines(turns)
            title = f"{called(side)} {way}"
            wide = max(line_width(title, _HEAD), *(line_width(one, _LINE) for one in lines))
            wide += 2 * (_PAD + _AROUND)
            tall = _HEAD.leading + len(lines) * _LINE.leading + _PAD + 2 * _AROUND
            out = self._way(side, way, where)
            if out and out not in self.field.arrows:
                arrow(pen, out, look)
                taken.append(plane.box([pen.at(point) for point in out.run]))
            near = pen.at(out.points[0 if way == "entry" else -1]) if out else (right, high)

            def cost(box: Rectangle, near: Point = near) -> tuple[int, float]:
                middle = (box.left + box.right) / 2, (box.bottom + box.top) / 2
                return sum(box.touches(other) for other in taken), dist(middle, near)

            # A flag as wide as the map still gets a place, if only in its corner.
            across = max(int((right - left - wide) // _STEP), 1)
            up = max(int((high - low - tall) // _STEP), 1)
            places = ((left + 4 + a * _STEP, low + 4 + b * _STEP)
                      for a, b in product(range(across), range(up)))  # fmt: skip
            flag = min((Rectangle(a, b, a + wide, b + tall) for a, b in places), key=cost)
            taken.append(flag)
            _flag(canvas, flag, look, title, lines)

    def _way(self, side: str, way: str, where: str) -> Arrow | None:
        """The arrow of the map where a side crossed its edge, else one of our own; none where
        nothing names the edge."""
        drawn = (one for one in self.field.arrows
                 if one.side == side and leaves(one, self.size) == (way == "exit"))  # fmt: skip
        if where not in _OUTWARD or self.up not in _OUTWARD:
            return next(drawn, None)
        dx, dy = list(_OUTWARD.values())[
            (list(_OUTWARD).index(where) - list(_OUTWARD).index(self.up)) % len(_OUTWARD)
        ]
        wide, deep = self.size
        edge = wide / 2 * (1 + dx), deep / 2 * (1 + dy)
        roads = [end for line in self.field.lines if line.kind == "road"
                 for end in (line.points[0], line.points[-1])
                 if abs((end[0] - edge[0]) * dx + (end[1] - edge[1]) * dy) < _AT_EDGE]  # fmt: skip
        x, y = min(roads, key=partial(dist, edge), default=edge)
        inward = x - dx * _LONG, y - dy * _LONG
        own = Arrow(side=side, points=(inward, (x, y)) if way == "exit" else ((x, y), inward))
        return next(drawn, own)


def _lines(turns: Mapping[int, Sequence[str]]) -> list[str]:
    """``turn 7: K2, R4 to R13``."""
    codes = [line for turn, pieces in turns.items()
             for line in wrap(f"turn {turn}: {spans(map(piece_code, pieces))}", BROAD)]  # fmt: skip
    if len(codes) <= MOST_LINES:
        return codes
    counts = ", ".join(f"{len(pieces)} in {turn}" for turn, pieces in turns.items())
    return wrap(f"units in turn: {counts}", BROAD)


def _flag(canvas: Canvas, box: Rectangle, look: SideInk, title: str, lines: Sequence[str]) -> None:
    left, low = box.left + _AROUND, box.bottom + _AROUND
    right, high = box.right - _AROUND, box.top - _AROUND
    head = _HEAD.leading + 1
    canvas.pen(look.ink, NORMAL, inks.WHITE)
    canvas.rect(left, low, right - left, high - low, fill=1)
    solid = look.solid and not canvas.sparing
    canvas.setFillColor(look.ink if solid else inks.WHITE)
    canvas.rect(left, high - head, right - left, head, fill=1)
    level = high - _HEAD.leading + 1.4
    write(canvas, left + _PAD, level, title, _HEAD._replace(ink=inks.WHITE if solid else look.ink))
    for line in lines:
        level -= _LINE.leading
        write(canvas, left + _PAD, level - 0.6, line, _LINE)
