"""Charts of a page on paper: bars and curves that a side's mark tells apart as well as its ink.

The side that moves first has hollow bars and dashed curves, the other solid ones; where ink is
spared solid bars are hatched. Every bar bears its number, so that nothing has to be measured.
"""

from __future__ import annotations

from skirmish.sheets import inks
from skirmish.sheets.inks import SIDES, SideInk
from skirmish.sheets.layout.drawing import Canvas, Drawing, rule
from skirmish.sheets.layout.fonts import LABEL, MEDIUM
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.text import fitted, line_width, write
from skirmish.sheets.paper import HAIR, HEAVY, MM, NORMAL, THIN
from skirmish.tabletop import page as data

_VALUE = Style(LABEL, 7.4, 7.4, "centre", inks.BLACK)
_MOMENT = Style(MEDIUM, 7, 7, "centre", inks.CODE)
_TICK = Style(MEDIUM, 7, 7, ink=inks.CODE)
_NAME = Style(LABEL, 7.6, 7.6)
_HATCH = 2.2
"""Points between two lines of a hatched bar."""


def bar(
    canvas: Canvas, at: tuple[float, float], width: float, height: float, look: SideInk
) -> None:
    x, y = at
    if width <= 0 or height <= 0:
        return
    canvas.pen(look.ink, NORMAL)
    half = NORMAL / 2
    solid = look.solid and not canvas.sparing
    canvas.setFillColor(look.ink if solid else inks.WHITE)
    inner = max(width - NORMAL, 0.1), max(height - NORMAL, 0.1)
    canvas.rect(x + half, y + half, *inner, fill=1)
    if look.solid and canvas.sparing:
        canvas.saveState()
        edge = canvas.beginPath()
        edge.rect(x, y, width, height)
        canvas.clipPath(edge, stroke=0, fill=0)
        canvas.setLineWidth(THIN)
        lines = canvas.beginPath()
        begin = x - height
        while begin < x + width:
            lines.moveTo(begin, y)
            lines.lineTo(begin + height, y + height)
            begin += _HATCH
        canvas.drawPath(lines)
        canvas.restoreState()


def look_of(party: data.Party) -> SideInk:
    return SIDES[1 if party is None else party]


class PairChart(Drawing):
    """Moments from left to right: the first side's bars rise, the other's hang. As many rows of
    them as it takes, all to one scale."""

    HALF = 17 * MM
    AXIS = 3.6 * MM
    LEGEND = 4.4 * MM
    WIDEST = 7 * MM
    SLOT = 13 * MM
    NARROWEST = 5.7 * MM

    def __init__(self, pairs: data.Pairs, scale: float = 1, most: int = 0) -> None:
        """``scale``: how much of their usual height the bars have; ``most`` has the longest bar."""
        self.pairs, self.scale = pairs, scale
        self.most = most or max((max(one.first, one.second) for one in pairs.rows), default=0) or 1

    def parts(self, width: float) -> list[PairChart]:
        rows = self.pairs.rows
        count = -(-len(rows) // max(int(width // self.NARROWEST), 1)) or 1
        each = -(-len(rows) // count) or 1
        return [
            PairChart(
                data.Pairs(self.pairs.name, self.pairs.parties, rows[at : at + each]),
                self.scale,
                self.most,
            )
            for at in range(0, len(rows), each)
        ]

    def _reach(self, most: int) -> float:
        return self.HALF * self.scale * most / self.most + 3.4 * MM

    def height_at(self, width: float) -> float:
        self.up = self._reach(max((one.first for one in self.pairs.rows), default=0))
        down = self._reach(max((one.second for one in self.pairs.rows), default=0))
        return 2 * self.LEGEND + self.up + self.AXIS + down

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        slot = min(width / max(len(self.pairs.rows), 1), self.SLOT)
        wide = min(slot * 0.62, self.WIDEST)
        upper = top - self.LEGEND - self.up
        lower = upper - self.AXIS
        for place, base in enumerate((top - 3 * MM, top - self.height + 0.6 * MM)):
            look = SIDES[place]
            bar(canvas, (x, base - 0.3), 4 * MM, 2 * MM, look)
            text = fitted(self.pairs.parties[place], _NAME, width - 6 * MM)
            write(canvas, x + 5.4 * MM, base, text, _NAME._replace(ink=look.ink))
        rule(canvas, x, x + width, upper, HAIR, ink=inks.FAINT)
        rule(canvas, x, x + width, lower, HAIR, ink=inks.FAINT)
        for place, one in enumerate(self.pairs.rows):
            middle = x + (place + 0.5) * slot
            write(canvas, middle, lower + 1.1 * MM, one.name, _MOMENT)
            if one.first:
                tall = self.HALF * self.scale * one.first / self.most
                bar(canvas, (middle - wide / 2, upper), wide, tall, SIDES[0])
                write(canvas, middle, upper + tall + 0.7 * MM, str(one.first), _VALUE)
            if one.second:
                tall = self.HALF * self.scale * one.second / self.most
                bar(canvas, (middle - wide / 2, lower - tall), wide, tall, SIDES[1])
                write(canvas, middle, lower - tall - 2.6 * MM, str(one.second), _VALUE)


class CurveChart(Drawing):
    """Both curves over the same moments: the first side's dashed, the other's drawn out."""

    TALL = 21 * MM
    LEGEND = 4.6 * MM
    AXIS = 4.4 * MM
    LEFT = 8 * MM
    RIGHT = 9 * MM
    LEAST = 1.0
    """What the scale spans at least, above and below."""
    STEPS = 240
    """Places in which a curve is drawn, however many moments there were."""

    def __init__(self, curves: data.Curves, scale: float = 1) -> None:
        """``scale``: how much of its usual height the chart has."""
        self.curves, self.tall = curves, self.TALL * scale
        self.moments = len(curves.rows[0].values) - 1
        places = min(self.moments, self.STEPS)
        self.courses = [curve.sampled(places) for curve in curves.rows]
        every = [value for course in self.courses for value in course]
        self.highest, self.lowest = max(self.LEAST, *every), min(-self.LEAST, *every)

    def height_at(self, width: float) -> float:
        return self.LEGEND + self.tall + self.AXIS

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        left, right = x + self.LEFT, x + width - self.RIGHT
        bottom = top - self.LEGEND - self.tall
        self._legend(canvas, left, top - 3 * MM, width / 2 - 20 * MM)
        for value in (self.highest, 0.0, self.lowest):
            y = self._level(value, bottom)
            rule(canvas, left, right, y, NORMAL if not value else HAIR, ink=inks.FAINT)
            label = data.signed(value) if value else "0"
            write(canvas, left - 1.4 * MM, y - 2.4, label, _TICK._replace(align="right"))
        beyond = left - 1
        for moment, name in self.curves.ticks:
            at = left + (right - left) * moment / self.moments
            canvas.pen(inks.FAINT, HAIR)
            canvas.line(at, bottom - 1, at, bottom + 1)
            if at > beyond:
                write(canvas, at, bottom - 3.9 * MM, name, _TICK)
                beyond = at + line_width(name, _TICK) + 1.2 * MM
        write(canvas, x, bottom - 3.9 * MM, self.curves.name, _TICK)
        ends = [self._level(course[-1], bottom) for course in self.courses]
        if abs(ends[0] - ends[1]) < 7:
            middle, above = sum(ends) / 2, 3.5 if ends[0] >= ends[1] else -3.5
            ends = [middle + above, middle - above]
        for place, (course, end) in enumerate(zip(self.courses, ends, strict=True)):
            path = canvas.beginPath()
            path.moveTo(left, self._level(0, bottom))
            step = (right - left) / len(course)
            for number, value in enumerate(course):
                y = self._level(value, bottom)
                path.lineTo(left + step * number, y)
                path.lineTo(left + step * (number + 1), y)
            _pen(canvas, SIDES[place])
            canvas.drawPath(path)
            canvas.setDash()
            style = _NAME._replace(ink=SIDES[place].ink)
            write(canvas, right + 1.2 * MM, end - 2.4, data.signed(course[-1]), style)

    def _level(self, value: float, bottom: float) -> float:
        return bottom + self.tall * (value - self.lowest) / (self.highest - self.lowest)

    def _legend(self, canvas: Canvas, at: float, base: float, room: float) -> None:
        for curve, look in zip(self.curves.rows, SIDES, strict=True):
            _pen(canvas, look)
            canvas.line(at, base + 2.2, at + 8 * MM, base + 2.2)
            canvas.setDash()
            text = fitted(curve.name, _NAME, room)
            write(canvas, at + 9.4 * MM, base, text, _NAME._replace(ink=look.ink))
            at += line_width(text, _NAME) + 16 * MM


def _pen(canvas: Canvas, look: SideInk) -> None:
    canvas.pen(look.ink, HEAVY if look.solid else NORMAL)
    if not look.solid:
        canvas.setDash(2.4, 1.4)
