"""Who had the luck, on paper: the course of it, each side's figures, the least likely shots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.luck import Luck, sampled
from skirmish.games.plastic.luck_words import caveats, moments_of, sentence, signed, swing
from skirmish.sheets.layout.blocks import Head
from skirmish.sheets.layout.flowables import Canvas, Drawing, Flowable, Gap, rule
from skirmish.sheets.layout.fonts import LABEL, MEDIUM
from skirmish.sheets.layout.text import SMALL, Style, fitted, line_width, paragraph, write
from skirmish.sheets.paper import CODE, FAINT, HAIR, HEAVY, MM, NORMAL, SIDES

_TICK = Style(MEDIUM, 7, 7, ink=CODE)
_NAME = Style(LABEL, 7.6, 7.6)
_STEPS = 240
"""Places of the chart in which a course is drawn, however many shots there were."""


class Course(NamedTuple):
    """A side's kills less chances, added up, and what is said at its end."""

    name: str
    values: Sequence[float]
    ends: str


class LuckChart(Drawing):
    """Both courses over the shots: the first side's dashed, the other's drawn out."""

    TALL = 21 * MM
    LEGEND = 4.6 * MM
    AXIS = 4.4 * MM
    LEFT = 8 * MM
    RIGHT = 9 * MM
    LEAST = 1.0
    """Kills that the scale spans at least, above and below."""

    def __init__(
        self, courses: tuple[Course, Course], turns: Sequence[tuple[float, int]], scale: float = 1
    ) -> None:
        """``turns``: how far along, from 0 to 1, each turn had its first shot; ``scale``: how much
        of its usual height the chart has."""
        self.tall = self.TALL * scale
        self.courses, self.turns = courses, tuple(turns)
        every = [value for course in courses for value in course.values]
        self.highest = max(self.LEAST, *every)
        self.lowest = min(-self.LEAST, *every)

    def height_at(self, width: float) -> float:
        return self.LEGEND + self.tall + self.AXIS

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        left, right = x + self.LEFT, x + width - self.RIGHT
        upper = top - self.LEGEND
        bottom = upper - self.tall
        self._legend(canvas, x, top - 3 * MM, width)
        for value in (self.highest, 0.0, self.lowest):
            y = self._level(value, bottom)
            rule(canvas, left, right, y, NORMAL if not value else HAIR, ink=FAINT)
            label = f"{value:+.1f}".replace("-", "–") if value else "0"
            write(canvas, left - 1.4 * MM, y - 2.4, label, _TICK._replace(align="right"))
        beyond = left - 1
        for along, turn in self.turns:
            at = left + along * (right - left)
            rule_up(canvas, at, bottom - 1, bottom + 1)
            if at > beyond:
                write(canvas, at, bottom - 3.9 * MM, str(turn), _TICK)
                beyond = at + line_width(str(turn), _TICK) + 1.2 * MM
        write(canvas, x, bottom - 3.9 * MM, "Turn", _TICK)
        ends = [self._level(course.values[-1], bottom) for course in self.courses]
        if abs(ends[0] - ends[1]) < 7:
            middle, above = sum(ends) / 2, 3.5 if ends[0] >= ends[1] else -3.5
            ends = [middle + above, middle - above]
        for place, course in enumerate(self.courses):
            self._curve(canvas, (left, bottom, right - left), place)
            ink = SIDES[place].ink
            style = _NAME._replace(ink=ink)
            write(canvas, right + 1.2 * MM, ends[place] - 2.4, course.ends, style)

    def _level(self, value: float, bottom: float) -> float:
        return bottom + self.tall * (value - self.lowest) / (self.highest - self.lowest)

    def _curve(self, canvas: Canvas, room: tuple[float, float, float], place: int) -> None:
        left, bottom, width = room
        values = self.courses[place].values
        path = canvas.beginPath()
        path.moveTo(left, self._level(0, bottom))
        for number, value in enumerate(values):
            y = self._level(value, bottom)
            path.lineTo(left + width * number / len(values), y)
            path.lineTo(left + width * (number + 1) / len(values), y)
        self._pen(canvas, place)
        canvas.drawPath(path)
        canvas.setDash()

    def _pen(self, canvas: Canvas, place: int) -> None:
        look = SIDES[place]
        canvas.setStrokeColor(look.ink)
        canvas.setLineWidth(HEAVY if look.solid else NORMAL)
        if not look.solid:
            canvas.setDash(2.4, 1.4)

    def _legend(self, canvas: Canvas, x: float, base: float, width: float) -> None:
        at = x + self.LEFT
        for place, course in enumerate(self.courses):
            self._pen(canvas, place)
            canvas.line(at, base + 2.2, at + 8 * MM, base + 2.2)
            canvas.setDash()
            text = fitted(course.name, _NAME, width / 2 - 20 * MM)
            write(canvas, at + 9.4 * MM, base, text, _NAME._replace(ink=SIDES[place].ink))
            at += line_width(text, _NAME) + 16 * MM


def rule_up(canvas: Canvas, x: float, low: float, high: float) -> None:
    """A short upright hairline."""
    canvas.setStrokeColor(FAINT)
    canvas.setLineWidth(HAIR)
    canvas.line(x, low, x, high)


def luck_block(play: BattlePlay, found: Luck, scale: float = 1) -> list[Flowable]:
    """Head, chart, figures and moments; nothing where nobody has fired. ``scale``: how much of its
    usual height the chart has."""
    if not found.shots:
        return []
    pieces: list[Flowable] = [
        Head("Luck", "kills made minus kills expected, shot by shot"),
        Gap(0.6 * MM),
        _chart(found, scale),
        Gap(1 * MM),
    ]
    for side in found.sides:
        more = [f"{one.name}: {one.says}." for one in moments_of(play.state.setup, side)]
        pieces.append(paragraph(" ".join([sentence(side), *more]), SMALL, lead=f"{side.people}:"))
    if swung := swing(found):
        pieces.append(paragraph(f"{swung.says}.", SMALL, lead=f"{swung.name}:"))
    for line in caveats(play.state, found):
        pieces.append(paragraph(line, SMALL))
    return pieces


def _chart(found: Luck, scale: float) -> LuckChart:
    count = len(found.shots)
    one, other = (
        Course(
            side.people,
            sampled(found.course(side.side), min(count, _STEPS)),
            signed(side.difference),
        )
        for side in found.sides
    )
    firsts: dict[int, float] = {}
    for place, shot in enumerate(found.shots):
        firsts.setdefault(shot.turn, place / count)
    return LuckChart((one, other), [(along, turn) for turn, along in firsts.items()], scale)
