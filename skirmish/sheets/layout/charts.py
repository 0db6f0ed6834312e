"""Charts of a battle: bars that a side's mark tells apart as well as its ink.

The side that moves first has hollow bars, the other solid ones; where ink is spared those are
hatched. Every bar bears its number, so that nothing has to be measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from skirmish.sheets.layout.flowables import Canvas, Drawing, Flowable, rule
from skirmish.sheets.layout.fonts import HEAD, LABEL, MEDIUM
from skirmish.sheets.layout.text import Style, fitted, line_width, write
from skirmish.sheets.paper import BLACK, CODE, FAINT, HAIR, MM, NORMAL, SIDES, THIN, WHITE, SideInk

_VALUE = Style(LABEL, 7.4, 7.4, "centre", BLACK)
_TURN = Style(MEDIUM, 7, 7, "centre", CODE)
_NAME = Style(LABEL, 7.6, 7.6)
_BAR_NAME = Style(MEDIUM, 8.2, 8.2)
_BAR_VALUE = Style(HEAD, 8.2, 8.2)
_BAR_ASIDE = Style(MEDIUM, 7.2, 7.2, ink=CODE)
_HATCH = 2.2
"""Points between two lines of a hatched bar."""


def bar(
    canvas: Canvas, at: tuple[float, float], width: float, height: float, look: SideInk
) -> None:
    """A bar in a side's look, its lower left corner ``at``."""
    x, y = at
    if width <= 0 or height <= 0:
        return
    canvas.setStrokeColor(look.ink)
    canvas.setLineWidth(NORMAL)
    half = NORMAL / 2
    solid = look.solid and not canvas.sparing
    canvas.setFillColor(look.ink if solid else WHITE)
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


class Losses(NamedTuple):
    """What both sides lost in one turn, the side that moves first first."""

    turn: int
    first: int
    second: int


class LossChart(Drawing):
    """Turns from left to right: what the first side lost rises, what the other lost hangs."""

    HALF = 17 * MM
    """The longest bar."""
    AXIS = 3.6 * MM
    LEGEND = 4.4 * MM
    WIDEST = 7 * MM
    SLOT = 13 * MM
    """The most room for one turn."""
    IN_ROW = 32
    """Turns that one chart has room for."""

    def __init__(
        self, turns: Sequence[Losses], names: tuple[str, str], most: int, scale: float = 1
    ) -> None:
        """``scale``: how much of their usual height the bars have."""
        self.turns, self.names, self.most = tuple(turns), names, max(most, 1)
        self.half = self.HALF * scale

    @classmethod
    def rows(
        cls, turns: Sequence[Losses], names: tuple[str, str], scale: float = 1
    ) -> list[Flowable]:
        """As many charts as it takes, all to one scale."""
        most = max((max(one.first, one.second) for one in turns), default=0)
        parts = -(-len(turns) // cls.IN_ROW) or 1
        each = -(-len(turns) // parts) or 1
        begins = range(0, len(turns), each)
        return [cls(turns[at : at + each], names, most, scale) for at in begins]

    def _reach(self, losses: Sequence[int]) -> float:
        """The room of the bars of one side, with a line for their numbers."""
        return self.half * max(losses, default=0) / self.most + 3.4 * MM

    @property
    def _up(self) -> float:
        return self._reach([one.first for one in self.turns])

    @property
    def _down(self) -> float:
        return self._reach([one.second for one in self.turns])

    def height_at(self, width: float) -> float:
        return 2 * self.LEGEND + self._up + self.AXIS + self._down

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        slot = min(width / max(len(self.turns), 1), self.SLOT)
        wide = min(slot * 0.62, self.WIDEST)
        upper = top - self.LEGEND - self._up
        lower = upper - self.AXIS
        bottom = top - self.height_at(width)
        self._legend(canvas, (x, top - 3 * MM), 0, width)
        self._legend(canvas, (x, bottom + 0.6 * MM), 1, width)
        rule(canvas, x, x + width, upper, HAIR, ink=FAINT)
        rule(canvas, x, x + width, lower, HAIR, ink=FAINT)
        for place, one in enumerate(self.turns):
            middle = x + (place + 0.5) * slot
            write(canvas, middle, lower + 1.1 * MM, str(one.turn), _TURN)
            if one.first:
                tall = self.half * one.first / self.most
                bar(canvas, (middle - wide / 2, upper), wide, tall, SIDES[0])
                write(canvas, middle, upper + tall + 0.7 * MM, str(one.first), _VALUE)
            if one.second:
                tall = self.half * one.second / self.most
                bar(canvas, (middle - wide / 2, lower - tall), wide, tall, SIDES[1])
                write(canvas, middle, lower - tall - 2.6 * MM, str(one.second), _VALUE)

    def _legend(self, canvas: Canvas, at: tuple[float, float], place: int, width: float) -> None:
        x, base = at
        look = SIDES[place]
        bar(canvas, (x, base - 0.3), 4 * MM, 2 * MM, look)
        text = fitted(f"{self.names[place]} lost", _NAME, width - 6 * MM)
        write(canvas, x + 5.4 * MM, base, text, _NAME._replace(ink=look.ink))


class Share(NamedTuple):
    """One bar: what it stands for, how much, and what is said behind it."""

    name: str
    value: int
    says: str


class ShareChart(Drawing):
    """Bars below one another, longest first as they come, each between its name and its words."""

    LINE = 4.3 * MM
    NAME = 40 * MM
    """The most room that names have."""
    BAR = 2.7 * MM

    def __init__(self, shares: Sequence[Share], look: SideInk, most: int) -> None:
        self.shares, self.look, self.most = tuple(shares), look, max(most, 1)

    def height_at(self, width: float) -> float:
        return len(self.shares) * self.LINE

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        aside = max((line_width(one.says, _BAR_ASIDE) for one in self.shares), default=0)
        number = max((line_width(str(one.value), _BAR_VALUE) for one in self.shares), default=0)
        names = max((line_width(one.name, _BAR_NAME) for one in self.shares), default=0)
        names = min(names, self.NAME) + 2 * MM
        room = max(width - names - number - aside - 4 * MM, 12 * MM)
        for place, one in enumerate(self.shares):
            base = top - place * self.LINE - 3.1 * MM
            name = fitted(one.name, _BAR_NAME, self.NAME)
            write(canvas, x, base, name, _BAR_NAME)
            long = room * one.value / self.most
            bar(canvas, (x + names, base - 0.3), long, self.BAR, self.look)
            after = x + names + long + 1.2 * MM
            write(canvas, after, base, str(one.value), _BAR_VALUE)
            write(canvas, x + width - aside, base, one.says, _BAR_ASIDE)

    def split(self, width: float, room: float) -> list[Flowable]:
        """Between two lines, two of them at least."""
        count = int(room // self.LINE)
        if not 1 < count < len(self.shares):
            return []
        parts = self.shares[:count], self.shares[count:]
        return [ShareChart(part, self.look, self.most) for part in parts]
