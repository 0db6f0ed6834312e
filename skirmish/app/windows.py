"""Small windows: a message, a terminal that is too small, progress."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from typing import ClassVar, TypeVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.screen import ScreenResultType
from textual.widgets import Static

from skirmish.app.base_screen import SMALLEST, ModalScreen
from skirmish.app.binding import keys
from skirmish.app.host import Host
from skirmish.tabletop.typed import plain, plain_lines

T = TypeVar("T")

WINDOW_AFTER = 0.3
"""Seconds of work before its window appears. Most work is done sooner, and a window that only
flashes up is in the way."""
# Each row: id, keys, action, label at the foot, words of the help.
CLOSE = keys(
    "window", ("close", "escape,enter,space,question_mark", "dismiss", "", "Close this window")
)
SCROLL = keys(
    "window",
    ("up", "up,k", "scroll(-1)", "", "Scroll up a line"),
    ("down", "down,j", "scroll(1)", "", "Scroll down a line"),
    # A page is 12 rows, fewer than the smallest terminal shows of a window: no row is skipped.
    ("page_down", "pagedown", "scroll(12)", "", "Scroll down a page"),
    ("page_up", "pageup", "scroll(-12)", "", "Scroll up a page"),
)


class Window(ModalScreen[ScreenResultType]):
    """A frame in the middle: ``title``, ``text``, the widgets of ``body``, and what closes it."""

    DEFAULT_CSS = """
    Window {
        align: center middle;
        background: $background 60%;
        .window {
            width: 72;
            max-width: 96%;
            height: auto;
            max-height: 94%;
            padding: 1 2;
            background: $surface;
            border: round $primary;
        }
        Static {
            link-style: none;
            link-color: $foreground;
        }
    }
    """
    CLOSES: ClassVar[str] = "Esc closes this window."
    """The sentence at its foot that names the keys which close it; empty: none is shown."""

    def __init__(self, title: str, text: str = "") -> None:
        super().__init__()
        self._title = plain(title)
        self._text = plain_lines(text)

    def compose(self) -> ComposeResult:
        # The frame never takes the focus, so keys go to the screen: they are the same for every
        # window.
        with VerticalScroll(classes="window", can_focus=False):
            if self._title:
                yield Static(self._title, id="window-title", classes="title", markup=False)
            if self._text:
                yield Static(f"\n{self._text}", id="window-text", markup=False)
            yield from self.body()
            yield from self.closing()

    def body(self) -> ComposeResult:
        """The widgets between the text and the keys that close the window."""
        yield from ()

    def closing(self) -> ComposeResult:
        """The foot of the window, which says what closes it."""
        if self.CLOSES:
            yield Static(f"\n{self.CLOSES}", classes="quiet", markup=False)

    def action_scroll(self, by: int) -> None:
        self.query_one(".window").scroll_relative(y=by, animate=False)

    def action_give_up(self) -> None:
        """Close without an answer."""
        self.dismiss(None)


class MessageScreen(Window[None]):
    """A message, which any key of ``CLOSE`` closes."""

    TOPIC: ClassVar[str] = "message"
    BINDINGS: ClassVar[list[BindingType]] = [*CLOSE, *SCROLL]


class TooSmallScreen(Window[None]):
    """Covers everything as long as the terminal is too small."""

    CLOSES = ""

    def __init__(self) -> None:
        super().__init__(title="")

    def body(self) -> ComposeResult:
        """The sentence, which ``on_resize`` writes."""
        yield Static(id="too-small", markup=False)

    def on_resize(self) -> None:
        # The sentence changes with the size, so a player who enlarges the window sees how much is
        # still missing.
        size = self.app.size
        least_columns, least_rows = SMALLEST
        self.query_one("#too-small", Static).update(
            f"This terminal has {size.width} columns and {size.height} rows. Skirmish needs at "
            f"least {least_columns} by {least_rows}. Enlarge the window or use a smaller font. "
            "Nothing is lost in the meantime."
        )


async def working(app: Host, message: str, work: Awaitable[T]) -> T:
    """The result of ``work``, or what it raises; if it takes long, a window shows ``message``
    meanwhile. Await it in a worker, since a handler of the screen would block the window."""
    task = asyncio.ensure_future(work)
    window: WorkingScreen | None = None
    try:
        await asyncio.wait({task}, timeout=WINDOW_AFTER)
        if not task.done():
            window = WorkingScreen(message)
            await app.push_screen(window)
            await asyncio.wait({task})
    finally:
        if window is not None:
            # Also after an error: the window must not outlive its work.
            window.finish()
        if not task.done():  # the screen that awaited it has closed
            task.add_done_callback(_log_error)
    return task.result()


def _log_error(task: asyncio.Future[T]) -> None:
    """Log the error of work that ended after its screen had closed."""
    if task.cancelled():
        return
    error = task.exception()
    if error is not None:
        logging.getLogger("skirmish").warning("Work that nobody waited for failed", exc_info=error)


class WorkingScreen(Window[None]):
    """Shown while something takes long. No key closes it, since the work cannot be interrupted."""

    TOPIC: ClassVar[str] = "work"
    AT_WORK = True
    CLOSES = ""
    DEFAULT_CSS = """
    WorkingScreen ProgressBar {
        width: 100%;
        margin: 1 0;
    }
    WorkingScreen Bar {
        width: 1fr;
    }
    """

    def __init__(self, message: str) -> None:
        super().__init__(f"{message} ...")
        self._finished = False

    def body(self) -> ComposeResult:
        from textual.widgets import ProgressBar  # imported late, since it is rarely needed

        yield ProgressBar(show_eta=False, show_percentage=False)
        yield Static("This cannot be interrupted.", classes="quiet", markup=False)

    def on_screen_resume(self) -> None:
        """The work may have ended while another screen was on top."""
        if self._finished:
            self.dismiss()

    def finish(self) -> None:
        """Close the window, now or as soon as it is in front again."""
        self._finished = True
        if self.app.screen is self:
            self.dismiss()
