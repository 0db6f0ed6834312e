"""What screens know of the application, and what every screen of ours is made of.

A screen reaches the application as ``self.skirmish``, a `Host`, and another screen that lies above
it by that one's name: ``self.skirmish.show("armies")``. Nothing here imports a screen.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, TypeVar, cast

from textual import screen
from textual.app import App
from textual.await_complete import AwaitComplete
from textual.screen import ScreenResultType
from textual.widget import AwaitMount

from skirmish.app.binding import key_in_force, key_name
from skirmish.store.settings import Settings
from skirmish.tabletop.typed import plain

if TYPE_CHECKING:
    from skirmish.store.database import Store
    from skirmish.store.writer import StoreThread

T = TypeVar("T")

SMALLEST = (80, 24)
"""Columns and rows below which the screens would be cut."""


class Host(App[None]):
    """The application as its screens see it.

    ``where`` is the database (a path or URL; None: as the store finds it), ``folder`` where sheets
    are printed to, ``printed`` the last of them, ``seed`` gives the seed of a deck or die,
    ``liked`` is the settings file.
    """

    settings: Settings
    where: str | None
    folder: Path
    printed: Path | None
    seed: Callable[[], int]
    liked: Path

    @property
    def store_thread(self) -> StoreThread:
        """The thread that touches the database."""
        raise NotImplementedError

    async def stored(self, job: Callable[[Store], T]) -> T:
        """What ``job`` returns once the store has done it; raises StoreError."""
        raise NotImplementedError

    def make(self, name: str, *about: object) -> Screen[None]:
        """The screen of that name, loaded when it is first wanted; raises what it raises."""
        raise NotImplementedError

    def show(self, name: str, *about: object) -> AwaitMount:
        """Open the screen of that name over the one in front."""
        return self.push_screen(self.make(name, *about))

    def home(self) -> None:
        """Close everything that lies over home."""
        while len(self.screen_stack) > 1:
            self.pop_screen()

    async def tell(self, title: str, sentence: str) -> None:
        """Something that could not be done, in a window that waits to be read."""
        raise NotImplementedError

    async def change_settings(self, settings: Settings) -> bool:
        """Other settings from now on. Whether they could be saved; if not, the player is told."""
        raise NotImplementedError

    @property
    def draws_plainly(self) -> bool:
        """Whether pictures must do with signs: no colours, or ASCII alone."""
        raise NotImplementedError

    def key(self, id: str, usual: str) -> str:
        """The key of the binding ``id`` as it is called on the screen, where the player may have
        mapped it to another."""
        return key_name(key_in_force(self.settings.keys, id, usual))

    def measured(self, text: str) -> str:
        """A text of ours with its distances as the player measures."""
        raise NotImplementedError


class Screen(screen.Screen[ScreenResultType]):
    """A screen that closes once, and only itself. ``EXTRA``: the game goes on without it; what is
    not available then, "The summary is". ``PASSING``: it closes when a game begins that it led
    to."""

    EXTRA: ClassVar[str] = ""
    PASSING: ClassVar[bool] = False

    @property
    def skirmish(self) -> Host:
        """The application."""
        return cast("Host", self.app)

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        """Close, if this is the screen in front; Textual would close whichever is."""
        return super().dismiss(result) if self.app.screen is self else AwaitComplete()


class ModalScreen(screen.ModalScreen[ScreenResultType], Screen[ScreenResultType]):
    """A window that closes once, and only itself."""


def by_lines(text: str) -> str:
    """A text that may hold what people typed, its lines kept and no other sign that steers."""
    return "\n".join(map(plain, text.split("\n")))
