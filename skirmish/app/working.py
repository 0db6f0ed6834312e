"""Work that may take a moment: shown, with a bar, once it has taken a third of a second.

session = await working(app, "Opening the battle", Session.resumed(game, app.stored, 7))
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from typing import ClassVar, TypeVar

from textual.app import ComposeResult
from textual.widgets import ProgressBar, Static

from skirmish.app.host import Host
from skirmish.app.windows import Window

T = TypeVar("T")

PATIENCE = 0.3
"""Seconds before anything is shown: a window that flashes is worse than none."""


async def working(app: Host, message: str, work: Awaitable[T]) -> T:
    """What ``work`` gives or raises; meanwhile, if it takes long, a window that shows ``message``.
    Await it in a worker, not in a handler of the screen, which would hold up the window."""
    task = asyncio.ensure_future(work)
    window: WorkingScreen | None = None
    try:
        await asyncio.wait({task}, timeout=PATIENCE)
        if not task.done():
            window = WorkingScreen(message)
            await app.push_screen(window)
            await asyncio.wait({task})
    finally:
        if window is not None:
            window.finish()
        if not task.done():  # nobody waits for it any more: the screen that asked has closed
            task.add_done_callback(_too_late)
    return task.result()


def _too_late(task: asyncio.Future[T]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        logging.getLogger("skirmish").warning("Work that nobody waited for failed", exc_info=error)


class WorkingScreen(Window[None]):
    """What is being done, with a bar that moves."""

    TOPIC: ClassVar[str] = "work"
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
        yield ProgressBar(show_eta=False, show_percentage=False)
        yield Static("This cannot be interrupted.", classes="quiet", markup=False)

    def on_screen_resume(self) -> None:
        """What lay over it is gone; perhaps the work is done by now."""
        if self._finished:
            self.dismiss()

    def finish(self) -> None:
        """The work is over: close, at once or when the screen is in front again."""
        self._finished = True
        if self.app.screen is self:
            self.dismiss()
