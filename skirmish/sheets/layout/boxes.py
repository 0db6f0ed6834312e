"""Boxes and rings to tick: empty, marked as a battle stands, or with a field of a form over each.

Every field of a file has a name of its own. The parts of a name are joined by hyphens, since the
format keeps the full stop for fields within fields. A mark has a shape of its own, so that it is
read without colour: a stroke for the lost, an arrowhead for who left the table, dashes for who is
still to come, a corner for who has fired, a foot for riders."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

from skirmish.sheets import inks
from skirmish.sheets.inks import Ink
from skirmish.sheets.layout import fonts, styles
from skirmish.sheets.layout.drawing import Canvas, Drawing
from skirmish.sheets.layout.flow import Cell, CellRow, Flowable, Gap, Stack
from skirmish.sheets.layout.fonts import LABEL, MEDIUM
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.text import line_width, paragraph, write
from skirmish.sheets.paper import HEAVY, MM, NORMAL, ROUNDING, THIN

_CODE = 7.4
"""The size of the code in a box."""
_LARGEST_CODE = 1.35
"""The factor beyond which the code does not grow with its box."""
_BESIDE_CODE = 0.9
"""The least space in points between a code and the frame of its box."""
Mark: TypeAlias = Literal["lost", "left", "to come", "fired", "aboard"]
Marks: TypeAlias = frozenset[Mark]
UNMARKED: Marks = frozenset()
TO_COME: Marks = frozenset({"to come"})
LOST: Marks = frozenset({"lost"})
GONE: Marks = frozenset({"lost", "left"})
"""The marks of those who are no longer on the table: a box with any of them is struck out."""
MEANINGS: dict[Mark, str] = {
    "lost": "lost",
    "left": "has left the table",
    "to come": "still to enter",
    "fired": "has fired in this part of the turn",
    "aboard": "rides in a model",
}
_FIRED_CORNER, _FOOT = 3.4, 1.3
"""Points: the sides of the corner that is filled for who has fired, and the height of the foot."""
_PRINTED = 4
"""The flag of a printed field."""
_SEVERAL_LINES = 4096
"""The flag of a field for several lines."""
_CROSS = "(8)"
"""A cross, which is the 8 in the typeface of signs (ZapfDingbats) that every PDF program has."""
LEAST = 4.2 * MM
"""No box is smaller: a finger or a blunt pencil finds it."""


class FormField(NamedTuple):
    """A form field, drawn in forms only: its name for programs, its tooltip for people. The names
    of boxes begin with ``tick``, those of rings with ``choose``, those of texts with ``write``."""

    name: str
    tooltip: str


class Box(NamedTuple):
    """A box to tick; on a form one that is lost is ticked if it has a field, else struck out."""

    code: str = ""
    marks: Marks = UNMARKED
    field: FormField | None = None


Corner: TypeAlias = tuple[float, float]
"""A place on the page, in points."""


class Boxes(Drawing):
    """Boxes to tick, ``box`` points wide, in fives. The last one is framed in the ink ``last`` if
    that is given; ``grown``: how much higher than usual they are, with larger codes."""

    TALL = LEAST
    LEAD = 4.5 * MM
    """The distance from the top of a row to that of the next."""
    BETWEEN = 0.0
    """The space between two boxes of a five: they share their frame."""
    BETWEEN_FIVES = 1.2 * MM
    """The space between two fives, besides that between boxes."""

    def __init__(
        self, boxes: Iterable[Box], box: float, last: Ink | None = None, *, grown: float = 1.0
    ) -> None:
        self.boxes = tuple(boxes)
        self.width_of_box = box
        self.ink_of_last = last
        self.grown = grown
        self.indent = 0.0
        """Points before the first box of each row."""
        # The class has the heights of usual boxes, a drawing its own.
        self.TALL, self.LEAD = type(self).TALL * grown, type(self).LEAD * grown
        self.code_size = _CODE * min(grown, _LARGEST_CODE)

    @classmethod
    def width_of_five(cls, box: float) -> float:
        """The width of five boxes of that width."""
        return 5 * box + 4 * cls.BETWEEN

    @property
    def across(self) -> float:
        """The width of all boxes side by side."""
        count = len(self.boxes)
        spaces, wide_spaces = max(0, count - 1), (count - 1) // 5
        return count * self.width_of_box + spaces * self.BETWEEN + wide_spaces * self.BETWEEN_FIVES

    def in_row(self, width: float) -> int:
        """How many boxes stand in a row: all, or as many whole fives as there is room for, at least
        one."""
        room = width - self.indent
        if self.across <= room + ROUNDING:
            return max(1, len(self.boxes))
        # The last five in a row has no space after it: that much may be missing.
        space = self.BETWEEN + self.BETWEEN_FIVES
        fives = int((room + space + ROUNDING) // (self.width_of_five(self.width_of_box) + space))
        return 5 * max(1, fives)

    def height_at(self, width: float) -> float:
        return math.ceil(len(self.boxes) / self.in_row(width)) * self.LEAD

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        corners = list(self.corners(x, top, width))
        self._draw_boxes(canvas, corners)
        self._draw_codes(canvas, corners)
        if self.ink_of_last and corners:
            canvas.pen(self.ink_of_last, 1.6)
            canvas.rect(*corners[-1], self.width_of_box, self.TALL, fill=0)
        for box, (left, bottom) in zip(self.boxes, corners, strict=True):
            # A field is a square, in the middle of its box.
            inset = left + (self.width_of_box - self.TALL) / 2
            lay_tick(canvas, box.field, inset, bottom, self.TALL, ticked="lost" in box.marks)

    def _draw_codes(self, canvas: Canvas, corners: Sequence[Corner]) -> None:
        """All codes as one text, which keeps the file small; those of the gone are grey, so that
        the living stand out. They lie on the strokes, and can still be read."""
        text = canvas.beginText()
        text.setFont(MEDIUM, self.code_size)
        text.setFillColor(inks.BLACK)
        ink_in_use = inks.BLACK
        # Capitals and figures are 0.7 of the type size high.
        rise = (self.TALL - self.code_size * 0.7) / 2
        for box, (left, bottom) in zip(self.boxes, corners, strict=True):
            if not box.code:
                continue
            ink = inks.BLACK
            if _is_struck_out(canvas, box):
                ink = inks.QUIET
            if ink != ink_in_use:
                text.setFillColor(ink)
                ink_in_use = ink
            wide = fonts.width(box.code, MEDIUM, self.code_size)
            text.setTextOrigin(left + (self.width_of_box - wide) / 2, bottom + rise)
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
                filled.rect(left, bottom, self.width_of_box, _FOOT)
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

    def _strike_out(self, strokes: Any, box: Box, left: float, bottom: float) -> None:
        """Adds the stroke of who is lost, or the arrowhead of who left, to a path."""
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
        """The lower left corner of each box."""
        in_row = self.in_row(width)
        pad = (self.LEAD - self.TALL) / 2
        for index in range(len(self.boxes)):
            line, column = divmod(index, in_row)
            left = (
                x
                + self.indent
                + column * (self.width_of_box + self.BETWEEN)
                + column // 5 * self.BETWEEN_FIVES
            )
            yield left, top - line * self.LEAD - pad - self.TALL

    def split(self, width: float, room: float) -> list[Flowable]:
        count = int((room + ROUNDING) // self.LEAD) * self.in_row(width)
        if not 0 < count < len(self.boxes):
            return []
        # Of the same kind: boxes of an order of battle have rows and fives of their own.
        first = type(self)(self.boxes[:count], self.width_of_box, grown=self.grown)
        rest = type(self)(self.boxes[count:], self.width_of_box, grown=self.grown)
        first.head = rest.head = self.head
        first.indent = rest.indent = self.indent
        rest.ink_of_last = self.ink_of_last  # the framed box is the last of all
        return [first, rest]

    def rows(self, room: float, below: float) -> list[Boxes]:
        """A row in ``room`` points and the others in ``below``, which is wider, as nothing stands
        before them. They are indented so that fives stand below fives:

            name  [] [][][][][] [][][][][]
              [][][][][] [][][][][] [][][]
        """
        five_with_space = self.width_of_five(self.width_of_box) + self.BETWEEN + self.BETWEEN_FIVES
        # What the rows below are wider by is mostly whole fives; the rest shifts them.
        indent = (below - room) % five_with_space
        rows: list[Boxes] = []
        rest: Boxes | None = self
        width = room
        while rest is not None:
            # In a height of a single row: split into that row and all others.
            parts = rest.split(width, self.LEAD)
            if parts:
                row, rest = parts
            else:  # all of them fit in one row
                row, rest = rest, None
            rows.append(row)
            width = below
            if rest is not None:
                rest.indent = indent
        return rows


def _is_struck_out(canvas: Canvas, box: Box) -> bool:
    """On a form the field shows that who has one is lost."""
    if canvas.is_form and box.field:
        return False
    return bool(box.marks & GONE)


def box_width(codes: Iterable[str], grown: float = 1.0) -> float:
    """The width in points of boxes that hold any of the codes; ``grown`` as for ``Boxes``."""
    size = _CODE * min(grown, _LARGEST_CODE)
    widths = [fonts.width(code, MEDIUM, size) + 2 * _BESIDE_CODE for code in codes]
    return max([LEAST * grown, *widths])


def numbered(codes: Iterable[str], name: str, tooltip: str) -> list[Box]:
    """Boxes with these codes whose fields are numbered from 1 on."""
    boxes = []
    for number, code in enumerate(codes, 1):
        field = FormField(f"tick-{name}-{number}", f"{tooltip} {number}")
        boxes.append(Box(code, field=field))
    return boxes


class Ring(Drawing):
    """A circle to tick, number ``option`` of those that share the ``field``; ticking it unticks the
    others. A ``bracket`` so many points high holds several lines that are taken together; 0:
    none."""

    RADIUS = LEAST / 2
    TALL = Boxes.LEAD

    def __init__(self, field: FormField, option: int) -> None:
        self.field, self.option, self.bracket = field, option, 0.0

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        across, down = x + self.RADIUS, top - self.TALL / 2
        canvas.pen(inks.BLACK, THIN)
        canvas.circle(across, down, self.RADIUS, fill=0)
        corner = across - self.RADIUS, down - self.RADIUS
        lay_choice(canvas, self.field, *corner, 2 * self.RADIUS, value=str(self.option))
        if self.bracket:
            # Right of the circle, from just below the top of the first line to above the foot of
            # the last, so that the brackets of rings below one another do not touch.
            left, right = x + 4.5 * MM, x + 5.2 * MM
            upper, bottom = top - 0.6, top - self.bracket + 2.2
            canvas.pen(inks.BLACK, THIN)
            canvas.shape(
                (right, upper), (left, upper), (left, bottom), (right, bottom), closed=False
            )


def lay_tick(
    canvas: Canvas,
    field: FormField | None,
    x: float,
    y: float,
    size: float,
    *,
    ticked: bool = False,
) -> None:
    """A field with its lower left corner at (x, y); it shows a cross when ticked."""
    if canvas.is_form and field:
        looks = _looks(canvas, size)
        # In the words of the PDF format: a button (/Btn) with two appearances (/AP), of which /AS
        # is the one that shows; /MK has the sign for programs that draw it themselves, and /V the
        # value, which an empty box has not.
        entries = f"/AP {looks.appearance}/AS/Off/FT/Btn/MK {looks.sign}"
        if ticked:
            entries = f"/AP {looks.appearance}/AS/Yes/FT/Btn/MK {looks.sign}/V/Yes"
        _widget(canvas, field, entries, (x, y), (x + size, y + size))


def lay_text(
    canvas: Canvas,
    field: FormField | None,
    corner: Corner,
    room: tuple[float, float],
    size: float = 10,
) -> None:
    """A text field with this lower left ``corner``; ``room``: its width and height. If that is more
    than three lines of ``size`` points, it takes several lines."""
    (x, y), (width, tall) = corner, room
    if canvas.is_form and field:
        _, font = canvas.acroForm.makeFont("Helvetica")
        flags = ""
        if tall > 3 * size:
            flags = f"/Ff {_SEVERAL_LINES}"
        # A text field (/Tx) that is written in black in this font and size (/DA).
        entries = f"/DA(/{font} {size:g} Tf 0 g)/FT/Tx{flags}"
        _widget(canvas, field, entries, (x, y), (x + width, y + tall))


def _widget(
    canvas: Canvas, field: FormField, entries: str, lower_left: Corner, upper_right: Corner
) -> None:
    """A field of a form; ``entries``: those of its kind, besides name and place. Written by
    hand, as short as can be: a book has two thousand. What is last drawn is last reached by the tab
    key."""
    from reportlab.pdfbase.acroform import PDFFromString  # type: ignore[import-untyped]  # noqa: PLC0415
    from reportlab.pdfbase.pdfdoc import PDFString  # type: ignore[import-untyped]  # noqa: PLC0415

    left, bottom = canvas.absolutePosition(*lower_left)
    right, upper = canvas.absolutePosition(*upper_right)
    rect = f"{left:.1f} {bottom:.1f} {right:.1f} {upper:.1f}"
    form, document = canvas.acroForm, canvas._doc
    name = PDFString(fonts.clean(field.name)).format(document)
    tooltip = PDFString(fonts.clean(field.tooltip)).format(document)
    texts = f"/T{name.decode('latin-1')}/TU{tooltip.decode('latin-1')}"
    widget = f"<<{entries}/F {_PRINTED}/Rect[{rect}]/Subtype/Widget{texts}>>"
    annotation = PDFFromString(widget)
    canvas._addAnnotation(annotation)
    form.fields.append(form.getRef(annotation))


class BoxLooks(NamedTuple):
    """The appearance of boxes, ticked and not, and the sign for programs that draw the cross
    themselves: references to what stands in the file."""

    appearance: str
    sign: str


def _looks(canvas: Canvas, size: float) -> BoxLooks:
    """Shared by all boxes of a size within a file: a thousand separate ones would make it heavy.
    They are made once, and kept with the canvas, since they are part of its file."""
    from reportlab.pdfbase.pdfdoc import PDFDictionary  # noqa: PLC0415

    form = canvas.acroForm
    cache: dict[float, BoxLooks] = canvas.looks_of_boxes
    # Sizes that differ by a rounding error share their appearance.
    key = round(size, 3)
    if key not in cache:
        states = {}
        for state in ("Yes", "Off"):
            picture = form.checkboxAP("N", state, buttonStyle="cross", borderWidth=0, size=size)
            states[state] = form.getRef(picture)
        appearance = form.getRefStr(PDFDictionary({"N": PDFDictionary(states)}))
        cache[key] = BoxLooks(appearance, form.getRefStr(PDFDictionary({"CA": _CROSS})))
    return cache[key]


def lay_choice(
    canvas: Canvas,
    field: FormField,
    x: float,
    y: float,
    size: float,
    *,
    value: str,
    chosen: bool = False,
) -> None:
    """One of several buttons that share a ``field``, with its lower left corner at (x, y). Choosing
    its ``value`` clears the others."""
    if not canvas.is_form:
        return
    canvas.acroForm.radioRelative(
        name=field.name,
        value=value,
        selected=chosen,
        tooltip=field.tooltip,
        x=x,
        y=y,
        size=size,
        shape="square",  # of the field only; a round one has its dot in the corner
        borderWidth=0,
        borderColor=None,
        fillColor=None,
        textColor=None,
        fieldFlags="radio",
    )


def key_of(boxes: Iterable[Box]) -> list[Flowable]:
    """The key of the marks on the boxes as one line; empty for none."""
    in_use: set[Mark] = set()
    for box in boxes:
        in_use |= box.marks
    if not in_use:
        return []
    cells: list[Cell] = []
    x = 0.0
    for mark, meaning in MEANINGS.items():
        if mark in in_use:
            cells.append(Cell(x, LEAST, Boxes([Box("", frozenset({mark}))], LEAST)))
            wide = line_width(meaning, styles.NOTE) + 2
            words = Stack([Gap(1.4), paragraph(meaning, styles.NOTE)])
            cells.append(Cell(x + LEAST + 3, wide, words))
            x += LEAST + 3 + wide + 9
    return [CellRow(cells, above=2, below=0, weight=0)]


# ------------------------------------------------------------------ grids

CELL_TEXT = Style(LABEL, 7.4, 7.4, "centre")


class GridCell(NamedTuple):
    """A cell of a grid, crossed out if ``ticked``. On a form it may have a ``field``, of one of
    three kinds: a button to choose, a field to write in, or a box to tick."""

    text: str = ""
    style: Style = CELL_TEXT
    ticked: bool = False
    ringed: bool = False
    field: FormField | None = None
    value: str = ""
    """What is chosen by it, if it is a button to choose. Cells with the same field exclude each
    other."""
    written: bool = False
    """Whether it is a field to write in."""

    @property
    def is_choice(self) -> bool:
        """Whether its field is a button to choose."""
        return bool(self.value)

    @property
    def is_box(self) -> bool:
        """Whether its field is a box to tick."""
        return not self.is_choice and not self.written


class GridRow(NamedTuple):
    """A row of a grid: its label before the cells, and whether these have a ground or faint
    frames."""

    label: str
    style: Style
    cells: Sequence[GridCell]
    tinted: bool = False
    faint: bool = False


class Grid(Drawing):
    """Rows of cells ``tall`` points high, with their labels in so many points at the left."""

    def __init__(self, rows: Sequence[GridRow], label_width: float, tall: float) -> None:
        self.rows, self.label_width, self.tall = rows, label_width, tall

    def height_at(self, width: float) -> float:
        return len(self.rows) * self.tall

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        for number, row in enumerate(self.rows, 1):
            bottom = top - number * self.tall
            self._paint_label(canvas, x, bottom, row)
            frame, ground = inks.BLACK, inks.WHITE
            if row.faint:
                frame = inks.FAINT
            if row.tinted and not canvas.sparing:
                ground = inks.PANEL
            wide = (width - self.label_width) / len(row.cells)
            for column, cell in enumerate(row.cells):
                left = x + self.label_width + column * wide
                canvas.pen(frame, THIN, ground)
                canvas.rect(left, bottom, wide, self.tall, fill=1)
                self._paint_cell(canvas, left + wide / 2, bottom, cell)
                if cell.written:
                    lay_text(canvas, cell.field, (left, bottom), (wide, self.tall), size=9)

    def _paint_label(self, canvas: Canvas, x: float, bottom: float, row: GridRow) -> None:
        inset = MM
        if row.style.align == "centre":
            inset = self.label_width / 2
        self._write(canvas, x + inset, bottom, row.label, row.style)

    def _write(self, canvas: Canvas, x: float, bottom: float, text: str, style: Style) -> None:
        write(canvas, x, bottom + self.tall / 2 - style.size * 0.35, text, style)

    def _paint_cell(self, canvas: Canvas, middle: float, bottom: float, cell: GridCell) -> None:
        """The words, the tick and the ring of a cell. On a form a field takes the place of tick and
        ring; without a field they are drawn there as on paper."""
        style = cell.style
        if cell.ticked and not canvas.is_form:
            # What is struck out can still be read.
            style = style._replace(ink=inks.QUIET)
        self._write(canvas, middle, bottom, cell.text, style)
        # A field is a square in the middle of the cell, inside its frame.
        size, half = self.tall - 1, self.tall / 2
        corner = middle - size / 2, bottom + 0.5
        canvas.setStrokeColor(inks.ACCENT)
        # On a form a cell to choose is a radio button, which shows its own mark.
        is_radio_button = canvas.is_form and cell.is_choice
        field = None
        if canvas.is_form:
            field = cell.field
        if field is not None and cell.is_choice:
            lay_choice(canvas, field, *corner, size, value=cell.value, chosen=cell.ringed)
        elif field is not None and cell.is_box:
            lay_tick(canvas, field, *corner, size, ticked=cell.ticked)
        elif cell.ticked:
            canvas.setLineWidth(NORMAL)
            canvas.line(middle - half, bottom, middle + half, bottom + self.tall)
            # A cell with words gets one stroke; an empty one is crossed, as by hand.
            if not cell.text:
                canvas.line(middle - half, bottom + self.tall, middle + half, bottom)
        if cell.ringed and not is_radio_button:
            canvas.pen(inks.ACCENT, HEAVY)
            canvas.circle(middle, bottom + half, half, fill=0)
