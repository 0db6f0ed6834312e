"""The canvas of all sheets: it replaces the inks of sides by those of their nations, and saves ink.

Flowables need not know of either. To save ink a bar becomes two rules, text on it is black, and all
inks become black: things differ by shape, fill and dash as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from reportlab.lib.colors import Color  # type: ignore[import-untyped]
from reportlab.pdfbase.pdfdoc import XMP  # type: ignore[import-untyped]
from reportlab.pdfgen.canvas import Canvas as PdfCanvas  # type: ignore[import-untyped]
from reportlab.pdfgen.textobject import PDFTextObject  # type: ignore[import-untyped]

from skirmish.sheets import inks
from skirmish.sheets.inks import NATIONS, SIDES, Ink
from skirmish.sheets.layout.form_fields import TickAppearance
from skirmish.sheets.paper import HAIR, HEAVY

_BLACK = (0.0, 0.0, 0.0)
"""Pure black, which printers print without dots of other inks."""
_INK_WHERE_SPARED: dict[Any, Ink] = {
    inks.ACCENT: _BLACK,
    inks.BAND: _BLACK,
    inks.BLACK: _BLACK,
    inks.PANEL: inks.WHITE,
    **dict.fromkeys([look.ink for look in SIDES], _BLACK),
    **dict.fromkeys(NATIONS.values(), _BLACK),
}
"""The ink that is drawn instead of each where ink is spared; all others stay as they are."""


class _SheetText(PDFTextObject):  # type: ignore[misc]
    """Text of a sheet. It sets its ink without the canvas, so it has to replace it itself, as
    ``SheetCanvas.setFillColor`` does for all else."""

    def setFillColor(self, ink: Any, alpha: float | None = None) -> None:  # noqa: N802
        super().setFillColor(self._canvas.drawn_ink(ink), alpha)


class SheetCanvas(PdfCanvas):  # type: ignore[misc]
    """The canvas of all sheets; ``sparing``: whether it saves ink; ``is_form``: whether boxes and
    lines get form fields."""

    sparing = False
    is_form = False
    looks = SIDES
    """The looks of the two sides of the document. Flowables draw the sides in the inks of
    ``SIDES``, which these replace."""
    _is_on_bar = False
    """Whether what is drawn now stands on a bar, or between its two rules."""

    @cached_property
    def tick_appearances(self) -> dict[float, TickAppearance]:
        """The appearances of boxes to tick that are in the file so far, by their size in points:
        ``form_fields`` adds each once."""
        return {}

    def drawn_ink(self, ink: Any) -> Any:
        """The ink that is drawn instead of another: for that of a side the one of its nation; where
        ink is spared, mostly black. What is no ink of ours is returned as it is."""
        if isinstance(ink, Color):  # as Platypus hands on the inks of a table
            ink = ink.rgb()
        # First the ink of the side's nation, since that is spared as well.
        for usual_look, own_look in zip(SIDES, self.looks, strict=True):
            if ink == usual_look.ink:
                ink = own_look.ink
                break
        if not self.sparing or not isinstance(ink, tuple):
            return ink
        if ink == inks.WHITE and self._is_on_bar:
            return _BLACK
        return _INK_WHERE_SPARED.get(ink, ink)

    def setFillColor(self, ink: Any, alpha: float | None = None) -> None:  # noqa: N802
        super().setFillColor(self.drawn_ink(ink), alpha)

    def setStrokeColor(self, ink: Any, alpha: float | None = None) -> None:  # noqa: N802
        super().setStrokeColor(self.drawn_ink(ink), alpha)

    def pen(self, ink: Ink, weight: float, fill: Ink | None = None) -> None:
        """Sets the ink and the weight of lines, and the ink of fillings if it is given."""
        self.setStrokeColor(ink)
        self.setLineWidth(weight)
        if fill is not None:
            self.setFillColor(fill)

    def shape(self, *corners: tuple[float, float], closed: bool = True, **options: int) -> None:
        """A polygon, filled if it is ``closed``; ``options``: those of ``drawPath``."""
        path = self.beginPath()
        path.moveTo(*corners[0])
        for corner in corners[1:]:
            path.lineTo(*corner)
        if closed:
            path.close()
        self.drawPath(path, **{"stroke": 1, "fill": int(closed), **options})

    def beginText(self, x: float = 0, y: float = 0, direction: str | None = None) -> Any:  # noqa: N802
        return _SheetText(self, x, y, direction=direction)

    def setPageLayout(self, layout: str) -> None:  # noqa: N802  (as its neighbours are called)
        """The initial page layout in a viewer, by its name in the format."""
        self._doc.Catalog.setPageLayout(layout)

    def setXmp(self, packet: bytes) -> None:  # noqa: N802
        """The metadata of the file in the form that search engines read."""

        def packet_of(document: Any) -> bytes:
            return packet

        # The PDF library asks for the packet when it writes the file.
        self._doc.Catalog.Metadata = XMP(creator=packet_of)

    @contextmanager
    def bar(self, x: float, y: float, width: float, height: float, ink: Ink) -> Iterator[None]:
        """Fills a rectangle with ink; callers draw white text on it meanwhile. To save ink it draws
        a rule above and one below instead, and that text is black between them."""
        self.saveState()
        if self.sparing:
            self.setStrokeColor(_BLACK)
            upper_rule, lower_rule = y + height - HEAVY / 2, y + HAIR / 2
            for weight, level in ((HEAVY, upper_rule), (HAIR, lower_rule)):
                self.setLineWidth(weight)
                self.line(x, level, x + width, level)
            # The upper rule is heavier: text moves down to the middle of the space between them.
            self.translate(0, (HAIR - HEAVY) / 2)
        else:
            self.setFillColor(ink)
            self.rect(x, y, width, height, stroke=0, fill=1)
        # ``drawn_ink`` turns white text black meanwhile, if there is no bar behind it.
        self._is_on_bar = True
        try:
            yield
        finally:
            self._is_on_bar = False
            self.restoreState()
