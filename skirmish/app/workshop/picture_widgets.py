"""How a terminal shows the picture of a sheet: among the words of the screen, or over all of it."""

from __future__ import annotations

import asyncio
import os
import struct
from typing import ClassVar

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
from skirmish.app.base_screen import Screen
from skirmish.app.binding import keys
from skirmish.app.host import Host
from skirmish.app.pictures import CellSize, Protocol
from skirmish.app.workshop.sheet_picture import SheetPicture
from skirmish.extras import logged_failure


def protocol_here(app: Host) -> Protocol | None:
    """The protocol by which pictures are shown on the screen of this app; None where they are
    not."""
    # A browser tab is no terminal; where nothing but ASCII is to be shown, pictures are not either.
    if app.is_web or app.plain_signs is not None:
        return None
    protocol = pictures.protocol_of(app.settings.pictures, os.environ)
    if protocol == "kitty" and app.colours not in pictures.PICTURE_BLUES:
        # Kitty learns from a shade of blue which picture to show; here are too few colours for it.
        return None
    return protocol


def write_to_terminal(app: App[object], text: str) -> None:
    """Write to the terminal itself, between what Textual writes."""
    driver = app._driver  # Textual offers no public access to it
    if driver is not None:
        driver.write(text)


class PictureBox(Widget):
    """A picture among the words of the screen, by kitty's placeholders. ``number``, 1 to 3, tells
    the boxes of a screen apart."""

    DEFAULT_CSS = "PictureBox { display: none; }"

    def __init__(self, id: str, number: int) -> None:
        super().__init__(id=id)
        self._number = number
        self._picture: SheetPicture | None = None
        self._columns = self._lines = 0
        """The size of the picture as it is shown."""

    @property
    def _number_in_terminal(self) -> int:
        """The terminal's number of the picture, which placeholders state by their colour."""
        colours = self.app.console.color_system
        assert colours is not None  # else ``protocol_here`` has found no pictures
        return pictures.PICTURE_BLUES[colours][self._number]

    def show(self, picture: SheetPicture, most_columns: int) -> None:
        """Show a picture in at most so many columns."""
        cell = cell_size()
        columns = picture.columns_in(most_columns, cell)
        self.display = True
        if picture is self._picture and columns == self._columns:
            return  # the terminal has it already
        lines = picture.lines_for(columns, cell)
        self._picture, self._columns, self._lines = picture, columns, lines
        self.styles.width, self.styles.height = columns, lines
        transmission = pictures.kitty_transmission(
            picture.png, self._number_in_terminal, columns=columns, lines=lines
        )
        write_to_terminal(self.app, transmission)
        self.refresh(layout=True)

    def hide(self) -> None:
        """Take the picture off the screen, and out of the terminal's memory."""
        self.display = False
        if self._picture is not None:
            self._picture = None
            write_to_terminal(self.app, pictures.kitty_deletion(self._number_in_terminal))

    def on_unmount(self) -> None:
        self.hide()

    def render_line(self, y: int) -> Strip:
        if self._picture is None or y >= self._lines:
            return Strip.blank(self.size.width)
        # Where the app writes 256 colours, Textual turns this shade into that of the terminal.
        blue = pictures.PICTURE_BLUES["truecolor"][self._number]
        style = self.rich_style + Style(color=Color.from_rgb(0, 0, blue))
        # One segment for each cell: Textual may cut a line between any two characters of a segment,
        # and a placeholder must not lose the marks that are combined with it.
        cells = [Segment(cell, style) for cell in pictures.placeholders(y, self._columns)]
        return Strip(cells, self._columns)


class PaintingLine(Widget):
    """The last line of an otherwise empty screen, which ends with the control sequence of a picture
    above it. Textual may draw the empty screen over the picture at any time; it draws this line
    last, and so paints the picture again."""

    DEFAULT_CSS = "PaintingLine { dock: bottom; height: 1; color: $text-muted; }"

    def __init__(self, words: str) -> None:
        super().__init__()
        self._words = words
        self._control_sequence = ""

    def paint(self, picture_sequence: str) -> None:
        """Paint a picture, given the control sequence that paints it at the cursor."""
        save_cursor, to_upper_left, restore_cursor = "\x1b7", "\x1b[H", "\x1b8"
        self._control_sequence = f"{save_cursor}{to_upper_left}{picture_sequence}{restore_cursor}"
        self.refresh()

    def render_line(self, y: int) -> Strip:
        del y
        width = self.size.width
        line = Strip([Segment(self._words[:width].ljust(width), self.rich_style)], width)
        # Rich counts no columns for a segment with a control code; this code moves nothing.
        control = [(ControlType.CURSOR_FORWARD, 0)]
        return Strip([*line, Segment(self._control_sequence, None, control)], width)


class PictureScreen(Screen[None]):
    """A picture that a terminal paints over the whole screen, by the ``protocol`` of iTerm2 or that
    of sixels. By kitty's it stands among the words instead (`PictureBox`)."""

    TOPIC: ClassVar[str] = "picture"
    HELP = "The sheet as it will be printed."
    # Each row: id, keys, action, label at the foot, words of the help.
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "picture", ("leave", "escape,space,enter,f8", "leave", "Back", "Close the picture")
    )

    def __init__(self, picture: SheetPicture, protocol: Protocol) -> None:
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
        lines = self.app.size.height - 1
        try:
            sequence = await asyncio.to_thread(self._control_sequence, lines)
        except Exception as error:  # pictures are an extra, without which the workshop goes on
            self.app.notify(logged_failure("The picture is not available", error), markup=False)
            self.dismiss()
            return
        if not self.is_left:
            self.query_one(PaintingLine).paint(sequence)

    def _control_sequence(self, lines: int) -> str:
        """The control sequence that paints the picture at the cursor, so many lines high."""
        if self._protocol == "iterm":
            return pictures.iterm_picture(self._picture.png, lines=lines)
        # The sixel protocol counts in pixels.
        return pictures.sixel_picture(self._picture.png, height=lines * cell_size().height)

    def action_leave(self) -> None:
        self.dismiss()


def cell_size() -> CellSize:
    """Pixels of a column and of a line of the terminal; the usual numbers if the system does not
    return them."""
    try:
        import fcntl
        import termios

        terminal = os.open("/dev/tty", os.O_RDONLY)
        try:
            # The system fills in four numbers of two bytes.
            window_size = fcntl.ioctl(terminal, termios.TIOCGWINSZ, bytes(8))
        finally:
            os.close(terminal)
    except (ImportError, OSError):  # Windows has no such modules, a service no terminal
        return pictures.USUAL_CELL
    lines, columns, width, height = struct.unpack("HHHH", window_size)
    if 0 in (lines, columns, width, height):  # some terminals leave numbers out
        return pictures.USUAL_CELL
    return CellSize(width // columns, height // lines)
