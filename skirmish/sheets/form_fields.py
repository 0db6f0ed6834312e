"""Boxes and rings that can be ticked on the screen as well: over each lies a field of a form.

Every field of a file has a name of its own. The parts of a name are joined by hyphens, since the
format keeps the full stop for fields within fields.
"""

from __future__ import annotations

from collections.abc import Sequence

from skirmish.sheets.ink import Ink
from skirmish.sheets.marks import Boxes, Ring
from skirmish.sheets.piece import Canvas, Piece

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
    canvas.acroForm.checkboxRelative(
        name=name,
        checked=ticked,
        tooltip=says or _spoken(name),
        x=x,
        y=y,
        size=size,
        buttonStyle="cross",
        borderWidth=0,
        borderColor=None,
        fillColor=None,
        textColor=None,
        fieldFlags="",
    )


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
        choice(canvas, self.name, str(self.option), *corner, 2 * self.RADIUS)


def choice(
    canvas: Canvas, name: str, value: str, x: float, y: float, size: float, *, chosen: bool = False
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
