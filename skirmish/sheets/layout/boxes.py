"""Boxes and rings to tick: empty, marked as a battle stands, or with a form field over each.

A mark has a shape of its own, so that it is read without colour: a stroke for the lost, an
arrowhead for who left the table, dashes for who is still to enter, a corner for who has fired, a
foot for riders."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

from reportlab.pdfgen.pathobject import PDFPathObject  # type: ignore[import-untyped]

from skirmish.sheets import inks
from skirmish.sheets.inks import Ink
from skirmish.sheets.layout import fonts, styles
from skirmish.sheets.layout.drawing import Canvas, Drawing
from skirmish.sheets.layout.flow import Cell, CellRow, Flowable, Gap, Stack
from skirmish.sheets.layout.fonts import MEDIUM
from skirmish.sheets.layout.form_fields import Corner, FormField, lay_choice, lay_tick
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.layout.text_lines import line_width
from skirmish.sheets.paper import MM, NORMAL, ROUNDING, THIN

_CODE_SIZE = 7.4
"""The type size of the code in a box of the usual size."""
_MOST_CODE_GROWTH = 1.35
"""The factor beyond which the code does not grow with its box."""
_BESIDE_CODE = 0.9
"""The least space in points between a code and the frame of its box."""
_CAPITALS = 0.7
"""The height of capitals and figures, as a share of the type size."""
_LAST_FRAME = 1.6
"""The weight in points of the heavy frame around the last box."""
_FIRED_CORNER = 3.4
"""Points: the sides of the corner that is filled for who has fired."""
_RIDER_FOOT = 1.3
"""Points: the height of the bar at the foot of a rider's box."""
BOXES_IN_FIVE = 5
"""Boxes stand in groups of so many, called fives."""
LEAST_BOX = 4.2 * MM
"""The side of the smallest box: a finger or a blunt pencil finds it."""

Mark: TypeAlias = Literal["lost", "exited", "to come", "fired", "aboard"]
Marks: TypeAlias = frozenset[Mark]
UNMARKED: Marks = frozenset()
TO_COME: Marks = frozenset({"to come"})
LOST: Marks = frozenset({"lost"})
GONE: Marks = frozenset({"lost", "exited"})
"""The marks of those who are no longer on the table: a box with any of them is struck out."""
MEANINGS: dict[Mark, str] = {
    "lost": "lost",
    "exited": "has left the table",
    "to come": "still to enter",
    "fired": "has fired in this part of the turn",
    "aboard": "rides in a model",
}
"""The marks in the order of their key, with their words there."""


class Box(NamedTuple):
    """A box to tick, with the ``code`` of the unit or loss that it stands for, if it has one. What
    is lost is struck out, or ticked on a form if the box has a ``field``."""

    code: str = ""
    marks: Marks = UNMARKED
    field: FormField | None = None


class Boxes(Drawing):
    """Boxes to tick, each ``width_of_box`` points wide, in rows of fives that are easily counted.
    ``ink_of_last``: the ink of a heavy frame around the last one; None: it has no such frame.
    ``growth``: the factor by which boxes are higher than usual, and their codes larger."""

    TALL = LEAST_BOX
    ROW_HEIGHT = 4.5 * MM
    """The distance from the top of a row to that of the next."""
    BETWEEN = 0.0
    """The space between two boxes of a five: they share their frame."""
    BETWEEN_FIVES = 1.2 * MM
    """The space between two fives, in addition to that between boxes."""

    def __init__(
        self,
        boxes: Iterable[Box],
        width_of_box: float,
        ink_of_last: Ink | None = None,
        *,
        growth: float = 1.0,
    ) -> None:
        self.boxes = tuple(boxes)
        self.width_of_box = width_of_box
        self.ink_of_last = ink_of_last
        self.growth = growth
        self.indent = 0.0
        """Points before the first box of each row."""
        # The constants of the class are for boxes of the usual height; these are for this drawing.
        self.TALL = type(self).TALL * growth
        self.ROW_HEIGHT = type(self).ROW_HEIGHT * growth
        self.code_size = _code_size(growth)

    @classmethod
    def width_of_five(cls, width_of_box: float) -> float:
        """The width of a five of boxes of that width."""
        return BOXES_IN_FIVE * width_of_box + (BOXES_IN_FIVE - 1) * cls.BETWEEN

    @property
    def width_in_one_row(self) -> float:
        """The width of all boxes side by side."""
        count = len(self.boxes)
        # There is a space before each box but the first, and a further one before each new five.
        spaces = max(0, count - 1)
        spaces_of_fives = spaces // BOXES_IN_FIVE
        width_of_spaces = spaces * self.BETWEEN + spaces_of_fives * self.BETWEEN_FIVES
        return count * self.width_of_box + width_of_spaces

    def boxes_in_row(self, width: float) -> int:
        """How many boxes stand in a row: all if there is room, else as many whole fives as fit, but
        at least one five."""
        room = width - self.indent
        if self.width_in_one_row <= room + ROUNDING:
            # At least 1, also without boxes: the boxes are divided into rows by it.
            return max(1, len(self.boxes))
        # The last five in a row has no space after it, so the room is counted with one space more.
        space = self.BETWEEN + self.BETWEEN_FIVES
        five_with_space = self.width_of_five(self.width_of_box) + space
        fives = int((room + space + ROUNDING) // five_with_space)
        return BOXES_IN_FIVE * max(1, fives)

    def height_at(self, width: float) -> float:
        rows = math.ceil(len(self.boxes) / self.boxes_in_row(width))
        return rows * self.ROW_HEIGHT

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        corners = list(self.corners(x, top, width))
        self._draw_boxes(canvas, corners)
        self._draw_codes(canvas, corners)
        if self.ink_of_last and corners:
            canvas.pen(self.ink_of_last, _LAST_FRAME)
            canvas.rect(*corners[-1], self.width_of_box, self.TALL, fill=0)
        for box, (left, bottom) in zip(self.boxes, corners, strict=True):
            # A field is a square, in the middle of its box.
            field_left = left + (self.width_of_box - self.TALL) / 2
            is_lost = "lost" in box.marks
            lay_tick(canvas, box.field, field_left, bottom, self.TALL, ticked=is_lost)

    def _draw_codes(self, canvas: Canvas, corners: Sequence[Corner]) -> None:
        """All codes as one text, which keeps the file small. Those of the gone are grey, so that
        the living stand out. They are drawn over the strokes, and can still be read."""
        text = canvas.beginText()
        text.setFont(MEDIUM, self.code_size)
        text.setFillColor(inks.BLACK)
        ink_in_use = inks.BLACK
        # From the foot of a box to the baseline of a code in the middle of its height.
        rise = (self.TALL - self.code_size * _CAPITALS) / 2
        for box, (left, bottom) in zip(self.boxes, corners, strict=True):
            if not box.code:
                continue
            ink = inks.BLACK
            if _is_struck_out(canvas, box):
                ink = inks.QUIET
            if ink != ink_in_use:
                text.setFillColor(ink)
                ink_in_use = ink
            code_width = fonts.width(box.code, MEDIUM, self.code_size)
            text.setTextOrigin(left + (self.width_of_box - code_width) / 2, bottom + rise)
            text.textOut(box.code)
        canvas.drawText(text)

    def _draw_boxes(self, canvas: Canvas, corners: Sequence[Corner]) -> None:
        """The frames and marks of all boxes: everything that is drawn alike is one path, which
        keeps the file small."""
        solid, dashed = canvas.beginPath(), canvas.beginPath()
        strokes, filled = canvas.beginPath(), canvas.beginPath()
        for box, (left, bottom) in zip(self.boxes, corners, strict=True):
            right, upper = left + self.width_of_box, bottom + self.TALL
            frame = solid
            if "to come" in box.marks:
                frame = dashed
            frame.rect(left, bottom, self.width_of_box, self.TALL)
            if _is_struck_out(canvas, box):
                self._strike_out(strokes, box, left, bottom)
            if "fired" in box.marks:
                filled.moveTo(right - _FIRED_CORNER, upper)
                filled.lineTo(right, upper)
                filled.lineTo(right, upper - _FIRED_CORNER)
                filled.close()
            if "aboard" in box.marks:
                filled.rect(left, bottom, self.width_of_box, _RIDER_FOOT)
        canvas.pen(inks.BLACK, THIN, inks.BLACK)
        canvas.drawPath(solid)
        canvas.drawPath(filled, stroke=0, fill=1)
        if any("to come" in box.marks for box in self.boxes):
            canvas.saveState()
            canvas.setDash([1.5, 1.2])
            canvas.drawPath(dashed)
            canvas.restoreState()
        canvas.pen(inks.ACCENT, NORMAL)
        canvas.drawPath(strokes)

    def _strike_out(self, strokes: PDFPathObject, box: Box, left: float, bottom: float) -> None:
        """Adds to a path the stroke of a unit that is lost, or the arrowhead of one that exited."""
        right, upper = left + self.width_of_box, bottom + self.TALL
        if "lost" in box.marks:
            strokes.moveTo(left, bottom)
            strokes.lineTo(right, upper)
        else:
            # It points off the right side of the box.
            strokes.moveTo(right - self.TALL / 4, upper)
            strokes.lineTo(right, bottom + self.TALL / 2)
            strokes.lineTo(right - self.TALL / 4, bottom)

    def corners(self, x: float, top: float, width: float) -> Iterator[Corner]:
        """The lower left corner of each box, in their order."""
        boxes_in_row = self.boxes_in_row(width)
        above_box = (self.ROW_HEIGHT - self.TALL) / 2
        for index in range(len(self.boxes)):
            row, column = divmod(index, boxes_in_row)
            fives_before = column // BOXES_IN_FIVE
            left = (
                x
                + self.indent
                + column * (self.width_of_box + self.BETWEEN)
                + fives_before * self.BETWEEN_FIVES
            )
            yield left, top - row * self.ROW_HEIGHT - above_box - self.TALL

    def split(self, width: float, room: float) -> list[Flowable]:
        """The whole rows that fit into ``room``, and the rest; empty if none fits, or all do."""
        rows_that_fit = int((room + ROUNDING) // self.ROW_HEIGHT)
        count = rows_that_fit * self.boxes_in_row(width)
        if not 0 < count < len(self.boxes):
            return []
        first = self._with_boxes(self.boxes[:count])
        rest = self._with_boxes(self.boxes[count:])
        rest.ink_of_last = self.ink_of_last  # the framed box is the last of all
        return [first, rest]

    def _with_boxes(self, boxes: Sequence[Box]) -> Boxes:
        """Some of these boxes, drawn alike, but without the frame of the last."""
        # Of the same class: boxes of an order of battle have rows and fives of their own.
        part = type(self)(boxes, self.width_of_box, growth=self.growth)
        part.head, part.indent = self.head, self.indent
        return part

    def rows(self, room: float, room_below: float) -> list[Boxes]:
        """Each row alone: the first in ``room`` points, the others in ``room_below``, which is
        more, as nothing stands before these. They are indented so that fives stand below fives:

            name  [] [][][][][] [][][][][]
              [][][][][] [][][][][] [][][]
        """
        five_with_space = self.width_of_five(self.width_of_box) + self.BETWEEN + self.BETWEEN_FIVES
        # As many whole fives as possible fill what is wider below; the rest of it is the indent.
        indent = (room_below - room) % five_with_space
        rows: list[Boxes] = []
        rest: Boxes | None = self
        width = room
        while rest is not None:
            # Only one row fits into the height of a row.
            parts = rest.split(width, self.ROW_HEIGHT)
            if parts:
                row, rest = parts
            else:  # all of them fit in one row
                row, rest = rest, None
            rows.append(row)
            width = room_below
            if rest is not None:
                rest.indent = indent
        return rows


def _is_struck_out(canvas: Canvas, box: Box) -> bool:
    """Whether a stroke or an arrowhead is drawn in the box."""
    # On a form its field is ticked instead.
    if canvas.is_form and box.field:
        return False
    return bool(box.marks & GONE)


def _code_size(growth: float) -> float:
    """The type size of the codes in boxes that are so much larger than usual."""
    return _CODE_SIZE * min(growth, _MOST_CODE_GROWTH)


def box_width(codes: Iterable[str], growth: float = 1.0) -> float:
    """The width in points of boxes that can hold any of the codes; ``growth`` as for ``Boxes``."""
    size = _code_size(growth)
    widths = [fonts.width(code, MEDIUM, size) + 2 * _BESIDE_CODE for code in codes]
    return max([LEAST_BOX * growth, *widths])


def numbered_boxes(codes: Iterable[str], name: str, tooltip: str) -> list[Box]:
    """Boxes with these codes; their fields and tooltips are numbered from 1 on."""
    boxes = []
    for number, code in enumerate(codes, 1):
        field = FormField(f"tick-{name}-{number}", f"{tooltip} {number}")
        boxes.append(Box(code, field=field))
    return boxes


class Ring(Drawing):
    """A circle to tick, number ``option`` of those that share the ``field``: ticking it unticks the
    others."""

    RADIUS = LEAST_BOX / 2
    TALL = Boxes.ROW_HEIGHT

    def __init__(self, field: FormField, option: int) -> None:
        self.field, self.option = field, option

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        middle_x, middle_y = x + self.RADIUS, top - self.TALL / 2
        canvas.pen(inks.BLACK, THIN)
        canvas.circle(middle_x, middle_y, self.RADIUS, fill=0)
        corner = middle_x - self.RADIUS, middle_y - self.RADIUS
        lay_choice(canvas, self.field, *corner, 2 * self.RADIUS, value=str(self.option))


_BOX_TO_MEANING = 3
"""Points between a box and its meaning in the key of marks."""
_BETWEEN_MEANINGS = 9
"""Points between a meaning and the next box of the key."""


def key_of_marks(boxes: Iterable[Box]) -> list[Flowable]:
    """The key of the marks that these boxes have, on one line; empty if they have none."""
    marks_in_use: set[Mark] = set()
    for box in boxes:
        marks_in_use |= box.marks
    if not marks_in_use:
        return []
    cells: list[Cell] = []
    x = 0.0
    for mark, meaning in MEANINGS.items():
        if mark in marks_in_use:
            cells.append(Cell(x, LEAST_BOX, Boxes([Box("", frozenset({mark}))], LEAST_BOX)))
            x += LEAST_BOX + _BOX_TO_MEANING
            # A little wider than the words, so that rounding cannot break them.
            words_width = line_width(meaning, styles.NOTE) + 2
            # The gap brings the words down to the middle of the box.
            words = Stack([Gap(1.4), paragraph(meaning, styles.NOTE)])
            cells.append(Cell(x, words_width, words))
            x += words_width + _BETWEEN_MEANINGS
    return [CellRow(cells, above=2, below=0, weight=0)]
