"""What is ticked while Beach Head is played: defences, squads ashore and lost, tanks, turns,
landing craft hit. As the game stands, or empty; on a form all can be ticked on the screen."""

from __future__ import annotations

from collections.abc import Sequence

from skirmish.games.beach_head.ruleset import Defence
from skirmish.games.beach_head.state import State
from skirmish.sheets.layout.blocks import Fields
from skirmish.sheets.layout.boxes import CHOOSE, TICK, Boxes, choice, field, lay, numbered
from skirmish.sheets.layout.flowables import Canvas, Drawing
from skirmish.sheets.layout.fonts import HEAD, LABEL, MEDIUM
from skirmish.sheets.layout.text import NOTE, Style, fitted, paragraph, write
from skirmish.sheets.paper import (
    ACCENT,
    BLACK,
    CODE,
    FAINT,
    HAIR,
    HEAVY,
    MM,
    NORMAL,
    PANEL,
    THIN,
    WHITE,
)

TURNS = 24
"""Cells of the turn track; few games take longer."""
LOST = 120
"""Squads lost that can be ticked off; it takes a bad day to lose more."""
ROWS = 10
"""Dozens of squads ashore that have cells."""
NEW_DITCHES = 10
"""Boxes for ditches that are dug on top of those at the start."""
TANKS = 10
"""Boxes for each kind of tank."""
_NAME = Style(HEAD, 10, 11)
_POINTS = Style(LABEL, 8, 9, ink=CODE)
_CELL = Style(LABEL, 7.4, 7.4, "centre")
_TURN = Style(HEAD, 9, 9, "centre")
_LINE = Style(LABEL, 8, 8)
_WRITTEN = Style(MEDIUM, 11, 11)
_MORE = Style(HEAD, 9, 9, "centre")
WIDE = 3.7 * MM
"""Points: the width of a box; it holds the number of every fifth."""


class Track(Boxes):
    """Boxes, a little larger than elsewhere, of which the first ``gone`` are crossed; with
    ``names`` a field lies over each."""

    TALL = 3.9 * MM
    LEAD = 4.7 * MM

    def __init__(
        self,
        codes: Sequence[str],
        gone: int = 0,
        *,
        names: Sequence[str] = (),
        dashed_from: int | None = None,
    ) -> None:
        super().__init__(codes, WIDE, dashed_from=dashed_from)
        self.gone, self.names = gone, tuple(names)

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        super().paint(canvas, x, top, width)
        strokes = canvas.beginPath()
        for number, (left, low) in enumerate(self.spots(x, top, width)):
            if self.names:
                inset = left + (self.box - self.TALL) / 2
                lay(canvas, self.names[number], inset, low, self.TALL, ticked=number < self.gone)
            elif number < self.gone:
                _crossed(strokes, left, low, self.box, self.TALL)
        canvas.setStrokeColor(ACCENT)
        canvas.setLineWidth(NORMAL)
        canvas.drawPath(strokes)


class DefenceTrack(Drawing):
    """A defence: name, a box for each point, and what it does as long as it stands. The boxes are
    numbered downward, so that the first one open tells how many points are left."""

    NAME = 25 * MM
    IN_ROW = 30
    PAD = 1.3 * MM

    def __init__(self, defence: Defence, state: State, says: str, *, form: bool) -> None:
        self.defence, self.says = defence, paragraph(says, NOTE)
        points, left = defence.points, state.defences[defence.id]
        grows = defence.id == "ditches" and state.setup.most_ditches is None
        extra = NEW_DITCHES if grows else 0
        codes = [str(n) if n % 5 == 0 else "" for n in range(points, 0, -1)] + [""] * extra
        names = numbered(len(codes), TICK, "beach", defence.id) if form else ()
        gone = max(0, points - left)
        self.track = Track(codes, gone, names=names, dashed_from=max(points, left))

    def height_at(self, width: float) -> float:
        return max(self.track.height_at(self._row()), self._words(width)[1]) + 2 * self.PAD

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        tall = self.height_at(width)
        inner = top - self.PAD
        name = self.defence.name
        write(canvas, x + 1 * MM, inner - 9.4, name, _NAME)
        self.track.paint(canvas, x + self.NAME, inner, self._row())
        room, high = self._words(width)
        self.says.paint(canvas, x + width - room, inner - (tall - 2 * self.PAD - high) / 2, room)
        canvas.setStrokeColor(FAINT)
        canvas.setLineWidth(HAIR)
        canvas.line(x, top - tall, x + width, top - tall)

    def _row(self) -> float:
        five = Track.five(WIDE) + Track.BETWEEN + Track.FIVE
        return five * self.IN_ROW / 5

    def _words(self, width: float) -> tuple[float, float]:
        """The width that is left for the words, and their height."""
        five = Track.five(WIDE) + Track.BETWEEN + Track.FIVE
        taken = five * min(self.IN_ROW, len(self.track.codes)) / 5
        room = width - self.NAME - taken - 2 * MM
        return room, self.says.height_at(room)


class Ashore(Drawing):
    """A cell for every number of squads, a dozen in a row; before each row what it adds."""

    CELL = 5.2 * MM
    BEFORE = 13 * MM

    def __init__(self, state: State, each: int, *, form: bool) -> None:
        """``each``: what every full dozen adds to a roll."""
        self.dozen, self.each, self.form = state.setup.ruleset.dozen, each, form
        self.now = state.squads if state.turn else None

    def height_at(self, width: float) -> float:
        return ROWS * self.CELL

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        wide = (width - self.BEFORE) / self.dozen
        for row in range(ROWS):
            low = top - (row + 1) * self.CELL
            adds = f"{row * self.each:+d}" if row else "0"
            style = _MORE._replace(ink=ACCENT if row else CODE)
            write(canvas, x + self.BEFORE / 2, low + self.CELL / 2 - 3, adds, style)
            for column in range(self.dozen):
                number = row * self.dozen + column
                self._cell(canvas, x + self.BEFORE + column * wide, low, wide, number)

    def _cell(self, canvas: Canvas, left: float, low: float, wide: float, number: int) -> None:
        here = number == self.now
        canvas.setStrokeColor(BLACK)
        canvas.setLineWidth(THIN)
        tinted = number // self.dozen % 2 == 1 and not canvas.sparing
        canvas.setFillColor(PANEL if tinted else WHITE)
        canvas.rect(left, low, wide, self.CELL, fill=1)
        middle = left + wide / 2
        write(canvas, middle, low + self.CELL / 2 - 2.6, str(number), _CELL)
        if self.form:
            size = self.CELL - 1
            name = field(CHOOSE, "beach", "squads")
            x, y = middle - size / 2, low + 0.5
            choice(canvas, name, x, y, size, value=str(number), chosen=here)
        elif here:
            canvas.setStrokeColor(ACCENT)
            canvas.setLineWidth(HEAVY + 0.4)
            canvas.circle(middle, low + self.CELL / 2, self.CELL / 2, fill=0)


class TurnTrack(Drawing):
    """The turns, and below each whether a landing craft was hit in it; then room to write what
    landed and was lost. ``marked`` turns (with destroyers) have a heavier frame."""

    NAME = 21 * MM
    LINES = ("Turn", "Craft hit", "Squads landed", "Squads lost")
    CELL = 5 * MM

    def __init__(self, state: State, marked: int, *, form: bool) -> None:
        self.state, self.marked, self.form = state, marked, form

    def height_at(self, width: float) -> float:
        return len(self.LINES) * self.CELL

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        wide = (width - self.NAME) / TURNS
        for line, name in enumerate(self.LINES):
            low = top - (line + 1) * self.CELL
            write(canvas, x + 1 * MM, low + self.CELL / 2 - 2.8, name, _LINE)
            for turn in range(1, TURNS + 1):
                left = x + self.NAME + (turn - 1) * wide
                canvas.setFillColor(WHITE)
                canvas.setStrokeColor(BLACK if line < 2 else FAINT)
                canvas.setLineWidth(THIN if line < 2 else HAIR)
                canvas.rect(left, low, wide, self.CELL, fill=1)
                if line == 0:
                    self._turn(canvas, left, low, wide, turn)
                elif line == 1:
                    self._craft(canvas, left, low, wide, turn)
        left = x + self.NAME + (self.marked - 1) * wide
        canvas.setStrokeColor(ACCENT)
        canvas.setLineWidth(HEAVY)
        span = wide * (TURNS - self.marked + 1)
        canvas.rect(left, top - self.CELL, span, self.CELL, fill=0)

    def _turn(self, canvas: Canvas, left: float, low: float, wide: float, turn: int) -> None:
        now, over = self.state.turn, self.state.over
        middle = left + wide / 2
        write(canvas, middle, low + self.CELL / 2 - 3.1, str(turn), _TURN)
        past = turn < now or (over and turn == now)
        self._tick(canvas, middle, low, field(TICK, "beach", "turn", turn), past)
        if turn == now and not over:
            canvas.setStrokeColor(ACCENT)
            canvas.setLineWidth(HEAVY)
            canvas.circle(middle, low + self.CELL / 2, self.CELL / 2, fill=0)

    def _craft(self, canvas: Canvas, left: float, low: float, wide: float, turn: int) -> None:
        now = self.state.turn
        hits = {now: self.state.craft_hit, now - 1: self.state.craft_hit_before}
        name = field(TICK, "beach", "craft", turn)
        self._tick(canvas, left + wide / 2, low, name, hits.get(turn, 0) > 0)

    def _tick(self, canvas: Canvas, middle: float, low: float, name: str, ticked: bool) -> None:
        """A field, on a form; else a cross if it is ticked."""
        if self.form:
            size = self.CELL - 1
            lay(canvas, name, middle - size / 2, low + 0.5, size, ticked=ticked)
        elif ticked:
            strokes = canvas.beginPath()
            _crossed(strokes, middle - self.CELL / 2, low, self.CELL, self.CELL)
            canvas.setStrokeColor(ACCENT)
            canvas.setLineWidth(NORMAL)
            canvas.drawPath(strokes)


def lost(state: State, *, form: bool) -> Track:
    """A box for each squad lost."""
    codes = [str(n) if n % 5 == 0 else "" for n in range(1, LOST + 1)]
    names = numbered(LOST, TICK, "beach", "lost") if form else ()
    return Track(codes, min(LOST, state.casualties), names=names)


class TankTrack(Drawing):
    """A kind of tank: its name, and boxes that are ticked as long as one is ashore."""

    NAME = 25 * MM

    def __init__(self, state: State, kind: str, *, form: bool) -> None:
        self.name = state.setup.ruleset.tank_of(kind).name
        names = numbered(TANKS, TICK, "beach", "tank", kind) if form else ()
        self.track = Track([""] * TANKS, min(TANKS, state.tanks.count(kind)), names=names)

    def height_at(self, width: float) -> float:
        return self.track.height_at(width - self.NAME) + 1

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        write(canvas, x, top - 9.4, self.name, _LINE._replace(size=8.6))
        self.track.paint(canvas, x + self.NAME, top, width - self.NAME)


class Filled(Fields):
    """Boxes to write in, in which something stands already; nothing where it is empty."""

    def __init__(self, fields: Sequence[tuple[str, float]], written: Sequence[str]) -> None:
        super().__init__(fields)
        self.written = tuple(written)

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        super().paint(canvas, x, top, width)
        for (_, share), says in zip(self.fields, self.written, strict=True):
            if says:
                text = fitted(says, _WRITTEN, width * share - 2.4 * MM)
                write(canvas, x + 1.2 * MM, top - self.TALL + 2.2 * MM, text, _WRITTEN)
            x += width * share


def _crossed(strokes: Canvas, left: float, low: float, wide: float, tall: float) -> None:
    strokes.moveTo(left, low)
    strokes.lineTo(left + wide, low + tall)
    strokes.moveTo(left, low + tall)
    strokes.lineTo(left + wide, low)
