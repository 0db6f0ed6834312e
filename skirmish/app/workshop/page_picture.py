"""The page of a sheet as a picture: drawn from its PDF, and shown in the terminal where it can."""

from __future__ import annotations

import asyncio
import os
import struct
from io import BytesIO
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from rich.color import Color
from rich.segment import ControlType, Segment
from rich.style import Style
from textual import work
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.events import Resize
from textual.strip import Strip
from textual.widget import Widget

from skirmish.app import pictures
from skirmish.app.binding import keys
from skirmish.app.host import Host, Screen
from skirmish.app.pictures import CellSize, Protocol
from skirmish.extras import not_available

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PIL.Image import Image

    from skirmish.games.plastic.scenarios.scenario import Scenario

PAGE_HEIGHT = 1500
"""Pixels of a page from top to bottom: enough for its smallest words."""
COLOURS_OF_PAGE = 64
"""A page has few colours; so many keep its picture small on its way to the terminal."""
MOST_COLUMNS = 120
"""A wider page is not read more easily, and takes more scrolling."""


class PagePicture(NamedTuple):
    """The pages of a sheet one below the other as PNG, and how much higher than wide it is."""

    png: bytes
    ratio: float

    def lines_for(self, columns: int, cell: CellSize) -> int:
        """The lines that it takes in so many columns."""
        return max(round(columns * self.ratio * cell.width / cell.height), 1)

    def columns_in(self, columns: int, cell: CellSize) -> int:
        """As many of these columns as it may take, so that a terminal can number its lines."""
        for_most_lines = int(pictures.MOST_CELLS * cell.height / cell.width / self.ratio)
        return max(min(columns, MOST_COLUMNS, for_most_lines), 1)


def protocol_here(app: Host) -> Protocol | None:
    """How pictures are shown on the screen of this app; None where they are not."""
    if app.is_web or app.plain_signs is not None:
        return None
    protocol = pictures.protocol_of(app.settings.pictures, os.environ)
    if protocol == "kitty" and app.colours not in pictures.PICTURE_BLUES:
        # Which picture it is, is told by a colour.
        return None
    return protocol


def page_picture(scenario: Scenario, *, paper: str, ink: str) -> PagePicture:
    """The sheet of a scenario as it will be printed. It takes half a second, and raises whatever
    the libraries raise that draw it."""
    # Here, since the first paint waits for none of them.
    import pypdfium2

    from skirmish import library
    from skirmish.sheets.scenario.sheet import scenarios_pdf

    pdf = scenarios_pdf([scenario], library.catalog(), library.rulings(), paper=paper, use=ink)
    pages: list[Image] = []
    with pypdfium2.PdfDocument(pdf) as document:
        for page in document:
            scale = PAGE_HEIGHT / page.get_height()
            pages.append(page.render(scale=scale).to_pil().convert("RGB"))
    whole = _one_below_the_other(pages)
    png = BytesIO()
    whole.quantize(COLOURS_OF_PAGE).save(png, "PNG", optimize=True)
    return PagePicture(png.getvalue(), whole.height / whole.width)


def _one_below_the_other(pages: Sequence[Image]) -> Image:
    """All pages of a sheet in one picture."""
    from PIL.Image import new

    width = max(page.width for page in pages)
    whole = new("RGB", (width, sum(page.height for page in pages)), "white")
    top = 0
    for page in pages:
        whole.paste(page, (0, top))
        top += page.height
    return whole


def write_to_terminal(app: App[object], text: str) -> None:
    """Write to the terminal itself, between what Textual writes."""
    driver = app._driver  # Textual has no public way to it.
    if driver is not None:
        driver.write(text)


class PictureBox(Widget):
    """A picture that stands among the other words of the screen (kitty's placeholders). ``number``,
    1 to 3, tells the boxes of a screen apart."""

    DEFAULT_CSS = "PictureBox { display: none; }"

    def __init__(self, id: str, number: int) -> None:
        super().__init__(id=id)
        self._number = number
        self._picture: PagePicture | None = None
        self._columns = self._lines = 0

    @property
    def _number_in_terminal(self) -> int:
        """The number of the picture there, which its colour tells."""
        return pictures.PICTURE_BLUES[self.app.console.color_system or ""][self._number]

    def show(self, picture: PagePicture, columns: int) -> None:
        """Show a picture in at most so many columns."""
        cell = cell_size()
        columns = picture.columns_in(columns, cell)
        self.display = True
        if picture is self._picture and columns == self._columns:
            return
        lines = picture.lines_for(columns, cell)
        self._picture, self._columns, self._lines = picture, columns, lines
        self.styles.width, self.styles.height = columns, lines
        write_to_terminal(
            self.app,
            pictures.kitty_sent(
                picture.png, self._number_in_terminal, columns=columns, lines=lines
            ),
        )
        self.refresh(layout=True)

    def hide(self) -> None:
        """Take the picture off the screen, and out of the terminal's memory."""
        self.display = False
        if self._picture is not None:
            self._picture = None
            write_to_terminal(self.app, pictures.kitty_forgotten(self._number_in_terminal))

    def on_unmount(self) -> None:
        self.hide()

    def render_line(self, y: int) -> Strip:
        if self._picture is None or y >= self._lines:
            return Strip.blank(self.size.width)
        blue = pictures.PICTURE_BLUES["truecolor"][self._number]
        style = self.rich_style + Style(color=Color.from_rgb(0, 0, blue))
        # Each cell by itself: Textual may cut a line anywhere, and marks belong to their letter.
        cells = [Segment(cell, style) for cell in pictures.placeholders(y, self._columns)]
        return Strip(cells, self._columns)


class PaintingLine(Widget):
    """The last line of a screen, with what paints a picture above it: Textual may draw the empty
    screen again at any time, and this line comes last."""

    DEFAULT_CSS = "PaintingLine { dock: bottom; height: 1; color: $text-muted; }"

    def __init__(self, words: str) -> None:
        super().__init__()
        self._words = words
        self._painting = ""

    def paint(self, painting: str) -> None:
        """Paint a picture, by what paints it at the cursor."""
        # The cursor goes to the upper left corner for it, and back.
        self._painting = f"\x1b7\x1b[H{painting}\x1b8"
        self.refresh()

    def render_line(self, y: int) -> Strip:
        del y
        width = self.size.width
        line = Strip([Segment(self._words[:width].ljust(width), self.rich_style)], width)
        # A segment with a control code takes no columns; this one moves the cursor by none.
        no_width = [(ControlType.CURSOR_FORWARD, 0)]
        return Strip([*line, Segment(self._painting, None, no_width)], width)


class PictureScreen(Screen[None]):
    """A picture that a terminal paints over the whole screen."""

    TOPIC: ClassVar[str] = "picture"
    HELP = "The sheet as it will be printed."
    # Each row: id, keys, action, label at the foot, words of the help.
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "picture", ("leave", "escape,space,enter,f8", "leave", "Back", "Close the picture")
    )

    def __init__(self, picture: PagePicture, protocol: Protocol) -> None:
        super().__init__()
        self._picture = picture
        self._protocol = protocol

    def compose(self) -> ComposeResult:
        yield PaintingLine(" Esc closes the picture.")

    def on_resize(self, event: Resize) -> None:
        del event
        self._paint()

    @work(exclusive=True)
    async def _paint(self) -> None:
        """Paint the picture above the last line."""
        try:
            painted = await asyncio.to_thread(self._painted, self.app.size.height - 1)
        except Exception as error:  # whatever fails in an extra, the workshop goes on without it
            self.app.notify(not_available("The picture is", error), markup=False)
            self.dismiss()
            return
        if not self.is_left:
            self.query_one(PaintingLine).paint(painted)

    def _painted(self, lines: int) -> str:
        """What paints the picture at the cursor, so many lines high."""
        if self._protocol == "iterm":
            return pictures.iterm_picture(self._picture.png, lines=lines)
        return pictures.sixel_picture(self._picture.png, height=lines * cell_size().height)

    def action_leave(self) -> None:
        self.dismiss()


def cell_size() -> CellSize:
    """Pixels of a place of the terminal, if the system knows them; else the usual ones."""
    try:
        import fcntl
        import termios

        terminal = os.open("/dev/tty", os.O_RDONLY)
        try:
            answer = fcntl.ioctl(terminal, termios.TIOCGWINSZ, bytes(8))
        finally:
            os.close(terminal)
    except (ImportError, OSError):  # on Windows there is none of this
        return pictures.USUAL_CELL
    lines, columns, width, height = struct.unpack("HHHH", answer)
    if not (lines and columns and width and height):
        return pictures.USUAL_CELL
    return CellSize(width // columns, height // lines)
