"""The picture of a scenario sheet, drawn from its PDF."""

from __future__ import annotations

import asyncio
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

from skirmish.app import pictures
from skirmish.app.pictures import CellSize
from skirmish.extras import logged_failure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PIL.Image import Image

    from skirmish.games.plastic.scenarios.scenario import Scenario

PAGE_HEIGHT = 1500
"""Pixels of a page from top to bottom: enough for its smallest words."""
COLOURS_OF_PAGE = 64
"""The most colours of the picture. A page has few, and with no more than these the picture is sent
to the terminal quickly."""
MOST_COLUMNS = 120
"""A wider page is not read more easily, and takes more scrolling."""


class SheetToDraw(NamedTuple):
    """What a picture of a sheet shows: the scenario as it is printed, and the settings for paper
    and ink."""

    scenario: Scenario
    paper: str
    ink: str


class SheetPicture(NamedTuple):
    """The pages of a sheet, one below the other."""

    png: bytes
    """The bytes of a PNG file."""
    ratio: float
    """The height of the picture divided by its width."""

    def lines_for(self, columns: int, cell: CellSize) -> int:
        """The lines that it takes in so many columns, at least one."""
        height = columns * self.ratio * cell.width
        return max(round(height / cell.height), 1)

    def columns_in(self, columns: int, cell: CellSize) -> int:
        """How many of these columns it may take: not so many that it would have more lines than a
        terminal can number, but at least one."""
        most_height = pictures.MOST_CELLS * cell.height
        columns_at_most_height = int(most_height / cell.width / self.ratio)
        return max(min(columns, MOST_COLUMNS, columns_at_most_height), 1)


class SheetPainter:
    """Draws the picture of a sheet, anew only if the sheet has changed."""

    def __init__(self) -> None:
        self._last_sheet: SheetToDraw | None = None
        self._last_picture: SheetPicture | None = None
        self.failure = ""
        """Why the last picture could not be drawn, as a sentence; empty if it could."""

    def has_drawn(self, sheet: SheetToDraw) -> bool:
        """Whether the picture of this very sheet is ready."""
        return sheet == self._last_sheet

    def forget_failure(self) -> None:
        """Begin as if no picture had failed."""
        self.failure = ""

    async def draw(self, sheet: SheetToDraw) -> SheetPicture | None:
        """The picture of a sheet; None if it cannot be drawn, which ``failure`` explains."""
        self.forget_failure()
        if self.has_drawn(sheet):
            return self._last_picture
        try:
            picture = await asyncio.to_thread(sheet_picture, sheet)
        except Exception as error:  # pictures are an extra, without which the workshop goes on
            self.failure = logged_failure("The picture of the sheet is not available", error)
            return None
        self._last_sheet, self._last_picture = sheet, picture
        return picture


def sheet_picture(sheet: SheetToDraw) -> SheetPicture:
    """The sheet as it will be printed. Drawing takes half a second, and raises whatever the
    libraries for PDF and pictures raise."""
    # These libraries load slowly; no screen waits for them before a picture is drawn.
    import pypdfium2

    from skirmish import library
    from skirmish.sheets.scenario.sheet import scenarios_pdf

    pdf = scenarios_pdf(
        [sheet.scenario],
        library.catalog(),
        library.rulings(),
        paper=sheet.paper,
        use=sheet.ink,
    )
    pages: list[Image] = []
    with pypdfium2.PdfDocument(pdf) as document:
        for page in document:
            bitmap = page.render(scale=PAGE_HEIGHT / page.get_height())
            pages.append(bitmap.to_pil().convert("RGB"))
    whole = _one_below_the_other(pages)
    png = BytesIO()
    whole.quantize(COLOURS_OF_PAGE).save(png, "PNG", optimize=True)
    return SheetPicture(png.getvalue(), whole.height / whole.width)


def _one_below_the_other(pages: Sequence[Image]) -> Image:
    """All pages of a sheet in one picture."""
    from PIL.Image import new

    width = max(page.width for page in pages)
    height = sum(page.height for page in pages)
    whole = new("RGB", (width, height), "white")
    top = 0
    for page in pages:
        whole.paste(page, (0, top))
        top += page.height
    return whole
