"""The canvas of a sheet: it knows whether ink is to be spared, so that its pieces need not.

Sparing, a bar is two rules instead of a field of ink, what stands on it is black, and the inks that
tell things apart give way to black: shape, fill and dash tell them too.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from reportlab.pdfgen.canvas import Canvas as PdfCanvas  # type: ignore[import-untyped]
from reportlab.pdfgen.textobject import PDFTextObject  # type: ignore[import-untyped]

from skirmish.sheets.paper import ACCENT, BAND, BLACK, HAIR, HEAVY, PANEL, SIDES, WHITE, Ink

SOLID = _BLACK = (0.0, 0.0, 0.0)
_SPARED: dict[Any, Ink] = {
    ACCENT: _BLACK,
    BAND: _BLACK,
    BLACK: _BLACK,
    PANEL: WHITE,
    SIDES[0].ink: _BLACK,
    SIDES[1].ink: _BLACK,
}


class _Text(PDFTextObject):  # type: ignore[misc]
    """Text whose ink is the canvas's business."""

    def setFillColor(self, ink: Any, alpha: float | None = None) -> None:  # noqa: N802
        super().setFillColor(self._canvas.spared(ink), alpha)


class SheetCanvas(PdfCanvas):  # type: ignore[misc]
    """A page of a PDF in one of two ways of using ink."""

    sparing = False
    _on_bar = False

    def spared(self, ink: Any) -> Any:
        """The ink that is really used for another."""
        if not self.sparing or not isinstance(ink, tuple):
            return ink
        if ink == WHITE and self._on_bar:
            return SOLID
        return _SPARED.get(ink, ink)

    def setFillColor(self, ink: Any, alpha: float | None = None) -> None:  # noqa: N802
        super().setFillColor(self.spared(ink), alpha)

    def setStrokeColor(self, ink: Any, alpha: float | None = None) -> None:  # noqa: N802
        super().setStrokeColor(self.spared(ink), alpha)

    def pen(self, ink: Ink, weight: float, fill: Ink | None = None) -> None:
        """The ink and weight of lines from now on, and the ink of what is filled."""
        self.setStrokeColor(ink)
        self.setLineWidth(weight)
        if fill is not None:
            self.setFillColor(fill)

    def beginText(self, x: float = 0, y: float = 0, direction: str | None = None) -> Any:  # noqa: N802
        """Text that asks this canvas for its ink."""
        return _Text(self, x, y, direction=direction)

    def setPageLayout(self, layout: str) -> None:  # noqa: N802  (as its neighbours are called)
        """How a reader's program first shows the pages: by which name the format calls it."""
        self._doc.Catalog.setPageLayout(layout)

    @contextmanager
    def bar(self, x: float, y: float, width: float, height: float, ink: Ink) -> Iterator[None]:
        """A field of ink; what is written meanwhile stands on it in white. Sparing, a rule above
        and one below, and black, in the middle of the room that these leave."""
        self.saveState()
        if self.sparing:
            self.setStrokeColor(SOLID)
            for weight, level in ((HEAVY, y + height - HEAVY / 2), (HAIR, y + HAIR / 2)):
                self.setLineWidth(weight)
                self.line(x, level, x + width, level)
            self.translate(0, (HAIR - HEAVY) / 2)
        else:
            self.setFillColor(ink)
            self.rect(x, y, width, height, stroke=0, fill=1)
        self._on_bar = True
        try:
            yield
        finally:
            self._on_bar = False
            self.restoreState()
