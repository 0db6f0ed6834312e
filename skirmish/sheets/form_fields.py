"""Boxes and rings that can be ticked on the screen as well: over each lies a field of a form.

Every field of a file has a name of its own. The parts of a name are joined by hyphens, since the
format keeps the full stop for fields within fields.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from skirmish.sheets.ink import Ink
from skirmish.sheets.marks import Boxes, Ring
from skirmish.sheets.piece import Canvas, Piece

_PRINTED = 4
"""The flag of a field that is printed too."""
_CROSS = "(8)"
"""A cross in the typeface of signs that every PDF program has."""
TICK, CHOOSE = "tick", "choose"
"""With what the names of boxes and of rings begin."""


def field(*parts: object) -> str:
    """The name of a field: ``field(TICK, 10, "german", "R4")`` is ``tick-10-german-R4``."""
    return "-".join(str(part) for part in parts)


def numbered(count: int, *parts: object) -> list[str]:
    """So many names that differ by a number at the end, from 1."""
    return [field(*parts, number) for number in range(1, count + 1)]


def lay(
    canvas: Canvas,
    name: str,
    x: float,
    y: float,
    size: float,
    *,
    says: str = "",
    ticked: bool = False,
) -> None:
    """A field with its lower left corner at (x, y), that shows a cross when ticked, as it may be
    from the start; a reader is told what it ``says``, else its name."""
    from reportlab.pdfbase.pdfdoc import (  # type: ignore[import-untyped]  # noqa: PLC0415
        PDFArray,
        PDFDictionary,
        PDFName,
        PDFString,
    )

    x, y = canvas.absolutePosition(x, y)
    rect = [round(at, 2) for at in (x, y, x + size, y + size)]
    state = PDFName("Yes" if ticked else "Off")
    look, sign = _looks(canvas, size)
    box = PDFDictionary(
        {
            "Type": PDFName("Annot"),
            "Subtype": PDFName("Widget"),
            "FT": PDFName("Btn"),
            "T": PDFString(name),
            "TU": PDFString(says or _spoken(name)),
            "Rect": PDFArray(rect),
            "F": _PRINTED,
            "V": state,
            "AS": state,
            "AP": look,
            "MK": sign,
        }
    )
    box.multiline = False
    canvas._addAnnotation(box)
    form = canvas.acroForm
    form.fields.append(form.getRef(box))


def _looks(canvas: Canvas, size: float) -> tuple[Any, Any]:
    """How all boxes of a size look, ticked and not, and the sign for programs that draw the cross
    themselves. They stand in a file once: a thousand boxes each with their own make it heavy."""
    from reportlab.pdfbase.pdfdoc import PDFDictionary  # noqa: PLC0415

    form = canvas.acroForm
    kept = canvas.__dict__.setdefault("looks_of_boxes", {})
    key = round(size, 3)
    if key not in kept:
        states = {
            state: form.getRef(
                form.checkboxAP("N", state, buttonStyle="cross", borderWidth=0, size=size)
            )
            for state in ("Yes", "Off")
        }
        look = form.getRef(PDFDictionary({"N": PDFDictionary(states)}))
        kept[key] = look, form.getRef(PDFDictionary({"CA": _CROSS}))
    found: tuple[Any, Any] = kept[key]
    return found


class FormBoxes(Boxes):
    """Boxes with a field over each, called as ``names`` says, that shows a cross when ticked."""

    def __init__(
        self,
        codes: Sequence[str],
        box: float,
        names: Sequence[str],
        *,
        dashed_from: int | None = None,
        last: Ink | None = None,
    ) -> None:
        super().__init__(codes, box, dashed_from=dashed_from, last=last)
        self.names = tuple(names)

    def draw(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """Draws the boxes as on paper, then lays the fields over them."""
        super().draw(canvas, x, top, width)
        spots = self.spots(x, top, width)
        for name, code, (left, low) in zip(self.names, self.codes, spots, strict=True):
            lay(canvas, name, left + (self.box - self.TALL) / 2, low, self.TALL, says=code)

    def cut(self, width: float, room: float) -> tuple[Piece, Piece] | None:
        """Between two lines of boxes; each keeps its name."""
        halves = super().cut(width, room)
        if halves is None:
            return None
        first, rest = halves
        assert isinstance(first, Boxes)
        assert isinstance(rest, Boxes)
        count = len(first.codes)
        return self._like(first, self.names[:count]), self._like(rest, self.names[count:])

    @staticmethod
    def _like(boxes: Boxes, names: Sequence[str]) -> FormBoxes:
        return FormBoxes(
            boxes.codes, boxes.box, names, dashed_from=boxes.dashed_from, last=boxes.last
        )


class FormRing(Ring):
    """A ring of several that bear one ``name``: ticking it unticks the others."""

    def __init__(self, name: str, option: int) -> None:
        self.name, self.option = name, option

    def draw(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """Draws the ring as on paper, then lays the field over it."""
        super().draw(canvas, x, top, width)
        across, down = self.middle(x, top)
        corner = across - self.RADIUS, down - self.RADIUS
        choice(canvas, self.name, *corner, 2 * self.RADIUS, value=str(self.option))


def choice(
    canvas: Canvas, name: str, x: float, y: float, size: float, *, value: str, chosen: bool = False
) -> None:
    """One of several fields that bear one ``name``, with its lower left corner at (x, y): choosing
    it by its ``value`` unchooses the others."""
    canvas.acroForm.radioRelative(
        name=name,
        value=value,
        selected=chosen,
        tooltip=_spoken(name),
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


def _spoken(name: str) -> str:
    """What a reader says of a field without a code: its name without the first part."""
    return name.partition("-")[2].replace("-", " ").replace("_", " ")
