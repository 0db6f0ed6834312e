"""The drawings of a page: single bars, the bars of two sides over time, and their curves.

A hollow side has hollow bars and dashed curves, the other solid ones; where ink is spared solid
bars are hatched. Every bar bears its number, so that nothing has to be measured. Lengths without a
name are chosen by eye."""

from __future__ import annotations

import math
from collections.abc import Sequence

from skirmish.sheets import inks
from skirmish.sheets.inks import SideInk
from skirmish.sheets.layout.drawing import Canvas, Drawing, draw_side_bar, rule
from skirmish.sheets.layout.fonts import LABEL, MEDIUM
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.text_lines import fitted, line_width, write
from skirmish.sheets.paper import HAIR, HEAVY, MM, NORMAL
from skirmish.tabletop import page as data

_BAR_NUMBER = Style(LABEL, 7.4, 7.4, "centre", inks.BLACK)
_MOMENT_NAME = Style(MEDIUM, 7, 7, "centre", inks.QUIET)
_AXIS_TEXT = Style(MEDIUM, 7, 7, ink=inks.QUIET)
_LEGEND_NAME = Style(LABEL, 7.6, 7.6)


def full_length(full: float, values: Sequence[float]) -> float:
    """The value of a bar of full length: ``full``, or if that is 0 the greatest of the
    ``values``."""
    if full:
        return full
    greatest = max(values, default=0.0)
    if greatest == 0:
        # Any length will do where there is nothing to show. It is not 0, since the values are
        # divided by it.
        return 1.0
    return greatest


class BarDrawing(Drawing):
    """A bar that fills a ``share`` of the width, from 0 to 1. ``party``: the side to which it
    belongs; ``framed``: with an outline of the whole width."""

    TALL = 2.9 * MM
    THICK = 2.6 * MM
    """The thickness of the bar itself, without the space above it."""
    RIGHT = 2 * MM
    """The space right of a bar of full length."""

    def __init__(self, share: float, party: data.Party = None, *, framed: bool = False) -> None:
        self.share, self.framed = min(max(share, 0.0), 1.0), framed
        self.party = party

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        low, full_width = top - self.TALL, width - self.RIGHT
        look = self._look(*canvas.looks)
        draw_side_bar(canvas, (x, low), full_width * self.share, self.THICK, look)
        if self.framed:
            canvas.pen(inks.BAND, HAIR)
            canvas.rect(x, low, full_width, self.THICK, stroke=1, fill=0)

    def _look(self, first: SideInk, second: SideInk) -> SideInk:
        """The look of the side to which the bar belongs, of the ``first`` and the ``second`` side.
        A bar of neither is like those of the solid side."""
        if self.party == 0:
            return first
        if self.party == 1:
            return second
        if first.solid:
            return first
        return second


class PairChart(Drawing):
    """Moments from left to right, such as turns: at each a bar of the first side points up and one
    of the other side down."""

    LONGEST_BAR = 17 * MM
    """The height of a bar of full length, if ``scale`` is 1."""
    AXIS_HEIGHT = 3.6 * MM
    """That of the line with the names of the moments, between the bars up and the bars down."""
    LEGEND_HEIGHT = 4.4 * MM
    """That of the line with the name of a side."""
    WIDEST_BAR = 7 * MM
    BAR_SHARE = 0.62
    """The share of a moment's width that its bars take, if they are not too wide then."""
    WIDEST_MOMENT = 13 * MM
    """The most that a moment takes, so that few of them stand together at the left."""
    NARROWEST_MOMENT = 5.7 * MM
    """The least that a moment takes; more moments begin another row."""
    NUMBER_HEIGHT = 3.4 * MM
    """That of the number of a bar, beyond its end."""

    def __init__(self, pairs: data.Pairs, scale: float = 1, full: float = 0) -> None:
        """``scale``: a factor for the height of the bars; ``full``: the value of a bar of full
        length; 0: the greatest of ``pairs``."""
        self.pairs, self.scale = pairs, scale
        highest_first = max((pair.first for pair in pairs.rows), default=0)
        highest_second = max((pair.second for pair in pairs.rows), default=0)
        self.full = full_length(full, [highest_first, highest_second])
        # The chart takes no more room than its own bars up and down need.
        self.up_height = self._bar_height(highest_first) + self.NUMBER_HEIGHT
        self.down_height = self._bar_height(highest_second) + self.NUMBER_HEIGHT

    def parts(self, width: float) -> list[PairChart]:
        """The chart in as many rows as its moments need, all to one scale; none without moments."""
        moments = self.pairs.rows
        if not moments:
            return []
        most_in_row = max(int(width // self.NARROWEST_MOMENT), 1)
        # The moments are shared out equally: not full rows and a short one.
        row_count = math.ceil(len(moments) / most_in_row)
        in_row = math.ceil(len(moments) / row_count)
        charts = []
        for begin in range(0, len(moments), in_row):
            moments_of_row = moments[begin : begin + in_row]
            pairs = data.Pairs(self.pairs.name, self.pairs.parties, moments_of_row)
            charts.append(PairChart(pairs, self.scale, self.full))
        return charts

    def _bar_height(self, value: int) -> float:
        return self.LONGEST_BAR * self.scale * value / self.full

    def height_at(self, width: float) -> float:
        return 2 * self.LEGEND_HEIGHT + self.up_height + self.AXIS_HEIGHT + self.down_height

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        # The names of the moments stand between two lines: bars go up from the upper one and down
        # from the lower one.
        upper_line = top - self.LEGEND_HEIGHT - self.up_height
        lower_line = upper_line - self.AXIS_HEIGHT
        self._paint_legend(canvas, x, top, width)
        rule(canvas, x, x + width, upper_line, HAIR, ink=inks.FAINT)
        rule(canvas, x, x + width, lower_line, HAIR, ink=inks.FAINT)
        moment_width = min(width / max(len(self.pairs.rows), 1), self.WIDEST_MOMENT)
        bar_width = min(moment_width * self.BAR_SHARE, self.WIDEST_BAR)
        for index, pair in enumerate(self.pairs.rows):
            middle = x + (index + 0.5) * moment_width
            write(canvas, middle, lower_line + 1.1 * MM, pair.name, _MOMENT_NAME)
            if pair.first:
                self._paint_bar_up(canvas, pair.first, middle, bar_width, upper_line)
            if pair.second:
                self._paint_bar_down(canvas, pair.second, middle, bar_width, lower_line)

    def _paint_bar_up(
        self, canvas: Canvas, value: int, middle: float, bar_width: float, line: float
    ) -> None:
        """A bar of the first side, up from the ``line``, with its number above it."""
        look, _ = canvas.looks
        height = self._bar_height(value)
        draw_side_bar(canvas, (middle - bar_width / 2, line), bar_width, height, look)
        write(canvas, middle, line + height + 0.7 * MM, str(value), _BAR_NUMBER)

    def _paint_bar_down(
        self, canvas: Canvas, value: int, middle: float, bar_width: float, line: float
    ) -> None:
        """A bar of the second side, down from the ``line``, with its number below it."""
        _, look = canvas.looks
        height = self._bar_height(value)
        draw_side_bar(canvas, (middle - bar_width / 2, line - height), bar_width, height, look)
        write(canvas, middle, line - height - 2.6 * MM, str(value), _BAR_NUMBER)

    def _paint_legend(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """The names of the sides: the first above its bars, the other below."""
        bottom = top - self.height_at(width)
        baselines = top - 3 * MM, bottom + 0.6 * MM
        for party, look, base in zip(self.pairs.parties, canvas.looks, baselines, strict=True):
            # A piece of a bar shows how those of this side look.
            draw_side_bar(canvas, (x, base - 0.3), 4 * MM, 2 * MM, look)
            text = fitted(party, _LEGEND_NAME, width - 6 * MM)
            write(canvas, x + 5.4 * MM, base, text, _LEGEND_NAME._replace(ink=look.ink))


class CurveChart(Drawing):
    """Both curves over the same moments: the hollow side's dashed, the other's solid."""

    FIELD_HEIGHT = 21 * MM
    """That of the field in which the curves run, if ``scale`` is 1."""
    LEGEND_HEIGHT = 4.6 * MM
    """That of the line with the names of the curves, above the field."""
    AXIS_HEIGHT = 4.4 * MM
    """That of the line with the named moments, below the field."""
    LEFT = 8 * MM
    """The width left of the field, for the numbers of the scale."""
    RIGHT = 9 * MM
    """The width right of the field, for the last number of each curve."""
    LEAST_RANGE = 1.0
    """The scale of values goes at least so far above and below 0."""
    MOST_POINTS = 240
    """The most points of a curve, however many moments there are."""
    NUMBERS_APART = 7.0
    """Points between the numbers at the ends of both curves, at least."""
    NAMES_BELOW = 3.9 * MM
    """How far below the field the names of the moments stand."""
    HALF_LETTER = 2.4
    """How far below a level the baseline of its number is: so its middle is on the level."""

    def __init__(self, curves: data.Curves, scale: float = 1) -> None:
        """``scale``: a factor for the height of the field."""
        self.curves, self.field_height = curves, self.FIELD_HEIGHT * scale
        # The first value is that of the beginning, before the first moment.
        self.moment_count = len(curves.rows[0].values) - 1
        point_count = min(self.moment_count, self.MOST_POINTS)
        first, second = curves.rows
        # The values to draw of each curve, without that of the beginning.
        self.courses = first.sampled(point_count), second.sampled(point_count)
        values = [value for course in self.courses for value in course]
        self.highest = max(self.LEAST_RANGE, *values)
        self.lowest = min(-self.LEAST_RANGE, *values)

    def height_at(self, width: float) -> float:
        return self.LEGEND_HEIGHT + self.field_height + self.AXIS_HEIGHT

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        left, right = x + self.LEFT, x + width - self.RIGHT
        bottom = top - self.LEGEND_HEIGHT - self.field_height
        self._paint_legend(canvas, left, top - 3 * MM, name_width=width / 2 - 20 * MM)
        self._paint_levels(canvas, left, right, bottom)
        self._paint_ticks(canvas, left, right, bottom)
        write(canvas, x, bottom - self.NAMES_BELOW, self.curves.name, _AXIS_TEXT)
        levels = self._end_levels(bottom)
        for course, look, level in zip(self.courses, canvas.looks, levels, strict=True):
            self._paint_curve(canvas, course, look, left=left, right=right, bottom=bottom)
            style = _LEGEND_NAME._replace(ink=look.ink)
            last_value = data.signed(course[-1])
            write(canvas, right + 1.2 * MM, level - self.HALF_LETTER, last_value, style)

    def _paint_levels(self, canvas: Canvas, left: float, right: float, bottom: float) -> None:
        """A rule at the highest value, at 0, and at the lowest."""
        for value in (self.highest, 0.0, self.lowest):
            weight, label = HAIR, data.signed(value)
            if value == 0:
                weight, label = NORMAL, "0"
            y = self._level(value, bottom)
            rule(canvas, left, right, y, weight, ink=inks.FAINT)
            style = _AXIS_TEXT._replace(align="right")
            write(canvas, left - 1.4 * MM, y - self.HALF_LETTER, label, style)

    def _paint_ticks(self, canvas: Canvas, left: float, right: float, bottom: float) -> None:
        """The named moments; a name for which there is no room is left out."""
        # A little left of the field, so that the name of a moment at its very edge has room.
        free_from = left - 1
        for tick in self.curves.ticks:
            x = left + (right - left) * tick.moment / self.moment_count
            canvas.pen(inks.FAINT, HAIR)
            canvas.line(x, bottom - 1, x, bottom + 1)
            if x > free_from:
                write(canvas, x, bottom - self.NAMES_BELOW, tick.name, _AXIS_TEXT)
                free_from = x + line_width(tick.name, _AXIS_TEXT) + 1.2 * MM

    def _end_levels(self, bottom: float) -> list[float]:
        """The levels of the last numbers of both curves: where the curves end, but far enough from
        each other."""
        first, second = (self._level(course[-1], bottom) for course in self.courses)
        if abs(first - second) >= self.NUMBERS_APART:
            return [first, second]
        middle, half = (first + second) / 2, self.NUMBERS_APART / 2
        if first >= second:
            return [middle + half, middle - half]
        return [middle - half, middle + half]

    def _paint_curve(
        self,
        canvas: Canvas,
        course: Sequence[float],
        look: SideInk,
        *,
        left: float,
        right: float,
        bottom: float,
    ) -> None:
        """A curve in steps: it begins at 0, as luck does before the first shot, and each value
        holds for one step."""
        path = canvas.beginPath()
        path.moveTo(left, self._level(0, bottom))
        step_width = (right - left) / len(course)
        for index, value in enumerate(course):
            y = self._level(value, bottom)
            path.lineTo(left + step_width * index, y)
            path.lineTo(left + step_width * (index + 1), y)
        _set_pen(canvas, look)
        canvas.drawPath(path)
        canvas.setDash()

    def _level(self, value: float, bottom: float) -> float:
        """The height on the page at which a value stands; ``bottom``: that of the foot of the
        field."""
        value_range = self.highest - self.lowest
        return bottom + self.field_height * (value - self.lowest) / value_range

    def _paint_legend(self, canvas: Canvas, left: float, base: float, name_width: float) -> None:
        """The names of the curves beside one another, each behind a piece of its line;
        ``name_width``: the room for each."""
        for curve, look in zip(self.curves.rows, canvas.looks, strict=True):
            _set_pen(canvas, look)
            canvas.line(left, base + 2.2, left + 8 * MM, base + 2.2)
            canvas.setDash()
            text = fitted(curve.name, _LEGEND_NAME, name_width)
            write(canvas, left + 9.4 * MM, base, text, _LEGEND_NAME._replace(ink=look.ink))
            left += line_width(text, _LEGEND_NAME) + 16 * MM


def _set_pen(canvas: Canvas, look: SideInk) -> None:
    """Sets the line of a side's curve: heavy for the solid side, dashed for the hollow one."""
    if look.solid:
        canvas.pen(look.ink, HEAVY)
    else:
        canvas.pen(look.ink, NORMAL)
        canvas.setDash(2.4, 1.4)
