"""Work that may take a moment: shown, with a bar, once it has taken a third of a second.

    session = await working(app, "Opening the battle", Session.resumed(game, app.stored, 7))
    paths = await in_thread(app, "Printing", lambda progress: print_all(armies, progress))

The second runs a job in a thread of its own. It says how far it is with ``progress.at(3, 10)`` and
looks at ``progress.given_up`` between two steps; only then can Esc stop it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import ClassVar, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import ProgressBar, Static

from skirmish.app.host import Host
from skirmish.app.windows import Window
from skirmish.tabletop.typed import plain

T = TypeVar("T")

PATIENCE = 0.3
"""Seconds before anything is shown: a window that flashes is worse than none."""
OFTEN = 0.1
"""Seconds between two looks at how far it is."""


class GivenUp(Exception):  # noqa: N818  (nothing went wrong)
    """The player pressed Esc, and the job stopped where it was."""


class Progress:
    """How far a job is. Written by its thread, read by the window; single values, so no lock."""

    def __init__(self) -> None:
        self.done = 0
        self.of: int | None = None
        self.given_up = False

    def at(self, done: int, of: int) -> None:
        """``done`` steps ``of`` all are behind. Raises GivenUp where the player wants no more."""
        self.done, self.of = done, of
        if self.given_up:
            raise GivenUp


async def working(
    app: Host, message: str, work: Awaitable[T], progress: Progress | None = None
) -> T:
    """What ``work`` gives or raises; meanwhile, if it takes long, a window that shows ``message``.
    Await it in a worker, not in a handler of the screen, which would hold up the window."""
    task = asyncio.ensure_future(work)
    window: WorkingScreen | None = None
    try:
        await asyncio.wait({task}, timeout=PATIENCE)
        if not task.done():
            window = WorkingScreen(message, progress)
            await app.push_screen(window)
            await asyncio.wait({task})
    finally:
        if window is not None:
            window.finish()
        if not task.done():  # nobody waits for it any more: the screen that asked has closed
            task.add_done_callback(_too_late)
            if progress is not None:
                progress.given_up = True
    return task.result()


def _too_late(task: asyncio.Future[T]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        logging.getLogger("skirmish").warning("Work that nobody waited for failed", exc_info=error)


async def in_thread(app: Host, message: str, job: Callable[[Progress], T]) -> T:
    """What ``job`` gives in a thread of its own; raises what it raises, and GivenUp."""
    progress = Progress()
    return await working(app, message, asyncio.to_thread(job, progress), progress)


class WorkingScreen(Window[None]):
    """What is being done and how far it is; without ``progress`` a bar that only moves."""

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
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "give_up", "Stop", tooltip="Stop, if this can be stopped", id="work.stop")
    ]

    def __init__(self, message: str, progress: Progress | None = None) -> None:
        super().__init__(f"{message} ...")
        self._message = plain(message)
        self._progress = progress
        self._finished = False

    def body(self) -> ComposeResult:
        yield ProgressBar(show_eta=False, show_percentage=False)
        stops = "Esc stops it." if self._progress else "This cannot be interrupted."
        yield Static(stops, id="work-stops", classes="quiet", markup=False)

    def on_mount(self) -> None:
        self.set_interval(OFTEN, self._look)
        self._look()

    def on_screen_resume(self) -> None:
        if self._finished:
            self.dismiss()

    def finish(self) -> None:
        """The work is over: close, at once or when the screen is in front again."""
        self._finished = True
        if self.app.screen is self:
            self.dismiss()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "give_up" or self._progress is not None

    def action_give_up(self) -> None:
        """Ask the job to stop; it does so after its present step."""
        if self._progress is not None:
            self._progress.given_up = True
            self.query_one("#work-stops", Static).update("Stopping after this step.")

    def _look(self) -> None:
        if self._progress is not None and self._progress.of is not None:
            bar = self.query_one(ProgressBar)
            bar.update(total=self._progress.of, progress=self._progress.done)
            of = f"{self._progress.done} of {self._progress.of}"
            self.query_one("#window-title", Static).update(f"{self._message}: {of}")
