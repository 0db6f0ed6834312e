"""The app: its theme, its thread for the store, the ways between screens.

Nothing heavy is imported here. The first paint shows the menu; SQLModel, Alembic and ReportLab
load behind it, each in the thread that needs it.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.events import Resize
from textual.screen import Screen

from skirmish.app.home import HomeScreen
from skirmish.app.themes import NIGHT

if TYPE_CHECKING:
    from skirmish.store.desk import Store
    from skirmish.store.writer import Scribe

T = TypeVar("T")

SMALLEST = (80, 24)
"""Columns and rows below which the screens would be cut."""


class SkirmishApp(App[None]):
    """Skirmish on a terminal.

    ``where`` is the database (a path or URL; None: as the store finds it), ``folder`` where sheets
    are printed to, ``seed`` gives the seed of a deck or die. Tests pass their own.
    """

    TITLE = "Skirmish"
    CSS_PATH = "application.tcss"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]  # noqa: RUF012 (as Textual has it)
    VERTICAL_BREAKPOINTS = [(0, "-low"), (34, "-high")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "question_mark", "show_help", "Keys", key_display="?", tooltip="What each key does"
        ),
        Binding(
            "ctrl+q",
            "quit",
            "Quit",
            show=False,
            priority=True,
            tooltip="Close from anywhere; everything is kept",
        ),
    ]

    def __init__(
        self,
        where: str | None = None,
        folder: Path | None = None,
        seed: Callable[[], int] = lambda: secrets.randbits(48),
    ) -> None:
        super().__init__()
        self.register_theme(NIGHT)  # before the first style sheet, which is then read only once
        self.theme = NIGHT.name
        self.where = where
        self.folder = folder or _here()
        self.seed = seed
        self._scribe: Scribe | None = None

    def get_default_screen(self) -> Screen[None]:
        """Home at once; everything else comes behind it."""
        return HomeScreen()

    @property
    def scribe(self) -> Scribe:
        """The thread that touches the database."""
        if self._scribe is None:
            from skirmish.store.writer import Scribe

            self._scribe = Scribe(self.where)
        return self._scribe

    async def stored(self, job: Callable[[Store], T]) -> T:
        """What ``job`` returns once the store has done it; raises StoreError."""
        return await asyncio.wrap_future(self.scribe.submit(job))

    def action_show_help(self) -> None:
        """The keys of the screen that is open."""
        from skirmish.app.help import HelpScreen

        if not isinstance(self.screen, HelpScreen):
            self.push_screen(HelpScreen(self.screen))

    async def tell(self, title: str, sentence: str) -> None:
        """Something that could not be done, in a window that waits to be read."""
        from skirmish.app.help import MessageScreen

        await self.push_screen(MessageScreen(title, sentence))

    def on_resize(self, event: Resize) -> None:
        """Say what is wrong with a terminal that is too small, until it no longer is."""
        from skirmish.app.help import TooSmallScreen

        small = event.size.width < SMALLEST[0] or event.size.height < SMALLEST[1]
        shown = next((s for s in self.screen_stack if isinstance(s, TooSmallScreen)), None)
        if small and shown is None:
            self.push_screen(TooSmallScreen())
        elif shown is not None and not small:
            shown.dismiss()

    async def action_quit(self) -> None:
        """Close the store and leave."""
        if self._scribe is not None:
            await asyncio.to_thread(self._scribe.close)
        self.exit()


def _here() -> Path:
    """The folder that the program was started in, or home if that one is gone."""
    try:
        return Path.cwd()
    except OSError:
        return Path.home()
