"""What is drawn rather than set: section heads, tick boxes, gauges, lines to write on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from skirmish.sheets import faces
from skirmish.sheets.faces import HEAD, MEDIUM
from skirmish.sheets.ink import ACCENT, BAND, BLACK, CODE, FAINT, HAIR, THIN, WHITE, Ink
from skirmish.sheets.paper import MM
from skirmish.sheets.piece import Canvas, Piece, rule
from skirmish.sheets.words import SMALLEST, TEXT, Style, Words, fitted, line_width, write

_CODE = Style(MEDIUM, SMALLEST, SMALLEST, "centre", CODE)
_BAR_TEXT = Style(HEAD, 10, 10, ink=WHITE)
_BAR_ASIDE = Style(MEDIUM, 8.2, 8.2, "right", WHITE)
_TRACK = 0.7


class Head(Piece):
    """A section head: capitals on a bar, an aside at its right end."""

    keep = True
    TALL = 5.2 * MM
    BAR = 4.2 * MM

    def __init__(self, text: str, aside: str = "", ink: Ink = BAND) -> None:
        self.text, self.aside, self.ink = text.upper(), aside, ink

    def height(self, width: float) -> float:
        """The bar and the space below it."""
        return self.TALL

    def draw(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """Draws it; the aside gives way to the head."""
        y = top - self.BAR
        inset = 1.6 * MM
        room = width - 2 * inset
        text = fitted(self.text, _BAR_TEXT, room, _TRACK)
        with canvas.bar(x, y, width, self.BAR, self.ink):
            write(canvas, x + inset, y + 0.9 * MM, text, _BAR_TEXT, track=_TRACK)
            room -= line_width(text, _BAR_TEXT, _TRACK) + 3 * MM
            if self.aside and room > 6 * MM:
                aside = fitted(self.aside, _BAR_ASIDE, room)
                write(canvas, x + width - inset, y + 1.15 * MM, aside, _BAR_ASIDE)


class Boxes(Piece):
    """Boxes to tick, in fives, one for each of ``codes`` (an empty code: an empty box).

    Boxes from number ``dashed_from`` (counted from 0) have a dashed frame; the last is printed in
    ``last`` if that is given.
    """

    TALL = 3.4 * MM
    LEAD = 4.1 * MM
    BETWEEN = 0.5 * MM
    FIVE = 0.9 * MM

    def __init__(
        self,
        codes: Sequence[str],
        box: float,
        *,
        dashed_from: int | None = None,
        last: Ink | None = None,
    ) -> None:
        self.codes, self.box, self.last = tuple(codes), box, last
        self.dashed_from = len(self.codes) if dashed_from is None else dashed_from

    @classmethod
    def five(cls, box: float) -> float:
        """The width of five boxes."""
        return 5 * box + 4 * cls.BETWEEN

    def in_row(self, width: float) -> int:
        """How many stand side by side: whole fives."""
        space = self.BETWEEN + self.FIVE
        return 5 * max(1, int((width + space + 0.01) // (self.five(self.box) + space)))

    def height(self, width: float) -> float:
        """Its lines of boxes."""
        return -(-len(self.codes) // self.in_row(width)) * self.LEAD

    def draw(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """Draws frames first, then all codes as one text."""
        text = canvas.beginText()
        text.setFont(MEDIUM, SMALLEST)
        text.setFillColor(CODE)
        solid, dashed = canvas.beginPath(), canvas.beginPath()
        rise = (self.TALL - SMALLEST * 0.7) / 2
        left, low = x, top
        spots = self.spots(x, top, width)
        for index, (code, (left, low)) in enumerate(zip(self.codes, spots, strict=True)):
            frame = solid if index < self.dashed_from else dashed
            frame.rect(left, low, self.box, self.TALL)
            if code:
                wide = faces.width(code, MEDIUM, SMALLEST)
                text.setTextOrigin(left + (self.box - wide) / 2, low + rise)
                text.textOut(code)
        canvas.setStrokeColor(BLACK)
        canvas.setLineWidth(THIN)
        canvas.drawPath(solid)
        if self.dashed_from < len(self.codes):
            canvas.saveState()
            canvas.setDash([1.5, 1.2])
            canvas.drawPath(dashed)
            canvas.restoreState()
        if self.last and self.codes:
            canvas.setStrokeColor(self.last)
            canvas.setLineWidth(1.6)
            canvas.rect(left, low, self.box, self.TALL, fill=0)
        canvas.drawText(text)

    def spots(self, x: float, top: float, width: float) -> Iterator[tuple[float, float]]:
        """The lower left corner of each box."""
        per = self.in_row(width)
        pad = (self.LEAD - self.TALL) / 2
        for index in range(len(self.codes)):
            line, column = divmod(index, per)
            left = x + column * (self.box + self.BETWEEN) + column // 5 * self.FIVE
            yield left, top - line * self.LEAD - pad - self.TALL

    def cut(self, width: float, room: float) -> tuple[Piece, Piece] | None:
        """Between two lines of boxes."""
        count = int(room // self.LEAD) * self.in_row(width)
        if not 0 < count < len(self.codes):
            return None
        first = Boxes(self.codes[:count], self.box, dashed_from=min(count, self.dashed_from))
        rest = Boxes(
            self.codes[count:],
            self.box,
            dashed_from=max(0, self.dashed_from - count),
            last=self.last,
        )
        return first, rest

    def least(self, width: float) -> float:
        """One line."""
        return self.LEAD


def box_width(codes: Iterable[str]) -> float:
    """The width of a box that holds the longest of these codes."""
    widest = max((faces.width(code, MEDIUM, SMALLEST) for code in codes), default=0)
    return max(3.4 * MM, widest + 2.3)


class Gauge(Piece):
    """A bar filled to ``share`` of its width; what is over is shown by a solid accent."""

    TALL = 2.1 * MM

    def __init__(self, share: float, *, kept: bool, least: bool = False) -> None:
        self.share, self.kept, self.least_wanted = max(0.0, share), kept, least

    def height(self, width: float) -> float:
        """The bar, set to the middle of a line of type."""
        return self.TALL + 1.6

    def draw(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """Draws it. A limit that asks for a least has its mark inside the bar."""
        y = top - self.TALL - 1.6
        scale = 0.6 if self.least_wanted else 1.0
        filled = min(1.0, self.share * scale)
        canvas.setFillColor(FAINT if self.kept else ACCENT)
        if filled:
            canvas.rect(x, y, width * filled, self.TALL, stroke=0, fill=1)
        canvas.setStrokeColor(BLACK)
        canvas.setLineWidth(THIN)
        canvas.rect(x, y, width, self.TALL, fill=0)
        if self.least_wanted:
            mark = x + width * scale
            canvas.setLineWidth(1.1)
            canvas.line(mark, y - 1.2, mark, y + self.TALL + 1.2)


class Blank(Piece):
    """A line to write on, after a word or two."""

    TALL = 5 * MM

    def __init__(self, word: str = "") -> None:
        self.word = word

    def height(self, width: float) -> float:
        """Room for handwriting."""
        return self.TALL

    def draw(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """Draws it."""
        y = top - self.TALL + 1.2 * MM
        style = Style(MEDIUM, 7.4, 7.4, ink=CODE)
        write(canvas, x, y, self.word, style)
        begin = line_width(self.word, style) + 1.2 * MM if self.word else 0
        rule(canvas, x + begin, x + width, y - 1, HAIR + 0.1, ink=BLACK)


class Settled(Piece):
    """A question, our proposal in italics, and a line to write on: behind them where the last line
    of type leaves room, else below."""

    BLANK = 24 * MM
    AFTER = 2 * MM

    def __init__(self, question: str, proposal: str, *, lead: str = "") -> None:
        self.words = Words(question, TEXT, lead=lead, aside=proposal)
        self.blank = Blank("Settled:")

    def height(self, width: float) -> float:
        """The words, and the line below them if it has to stand there."""
        words = self.words.height(width)
        beside = self.words.left_over(width) >= self.BLANK + self.AFTER
        return words + (MM if beside else self.blank.height(width))

    def draw(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """Draws both."""
        self.words.draw(canvas, x, top, width)
        tall, over = self.words.height(width), self.words.left_over(width)
        if over < self.BLANK + self.AFTER:
            self.blank.draw(canvas, x, top - tall, width)
            return
        begin = width - over + self.AFTER
        level = top - tall + self.blank.height(width) - 0.2 * MM
        self.blank.draw(canvas, x + begin, level, width - begin)


class Ring(Piece):
    """A circle to tick: one of several options."""

    RADIUS = 1.35 * MM

    def height(self, width: float) -> float:
        """A line of type."""
        return 10

    def draw(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """Draws it."""
        canvas.setStrokeColor(BLACK)
        canvas.setLineWidth(THIN)
        canvas.circle(*self.middle(x, top), self.RADIUS, fill=0)

    @staticmethod
    def middle(x: float, top: float) -> tuple[float, float]:
        """Where it stands in its cell."""
        return x + 1.5 * MM, top - 5.4


class Bracketed(Piece):
    """A ring for several lines that are taken together, with a bracket that holds these."""

    def __init__(self, ring: Ring, tall: float) -> None:
        self.ring, self.tall = ring, tall

    def height(self, width: float) -> float:
        """As its ring: the bracket hangs below."""
        return self.ring.height(width)

    def draw(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """Draws both; the bracket stands between the ring and the names."""
        self.ring.draw(canvas, x, top, width)
        left, right = x + 3.3 * MM, x + 4.1 * MM
        high, low = top - 0.6, top - self.tall + 2.2
        path = canvas.beginPath()
        path.moveTo(right, high)
        for at in ((left, high), (left, low), (right, low)):
            path.lineTo(*at)
        canvas.setStrokeColor(BLACK)
        canvas.setLineWidth(THIN)
        canvas.drawPath(path, stroke=1, fill=0)
