"""The base classes of our screens and windows, and the sizes at which screens change. A screen
reaches the application as ``self.skirmish``, a `Host`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, cast

from textual import screen
from textual.await_complete import AwaitComplete
from textual.events import Mount, Resize
from textual.screen import ScreenResultType

from skirmish.app.host import Host

SMALLEST = (80, 24)
"""The smallest terminal, in columns and rows, on which screens are complete."""
WIDE, HIGH = 110, 34
"""Columns and rows from which a terminal is large: screens then have the classes ``-wide`` and
``-high``, and show more side by side."""
LARGE, SPACIOUS = 150, 44
"""Columns from which there is room for one column more, such as the details beside a list; rows
from which there is room for one part more below the others."""


class Screen(screen.Screen[ScreenResultType]):
    """A screen that closes once, and closes only itself. A screen of the app says about itself
    what help, palette and error messages need."""

    FAILURE: ClassVar[str] = ""
    """The line to show if this screen fails, without its full stop: "The odds are not available".
    The screen closes, and the game goes on without it. Empty for a screen that the game cannot do
    without."""
    PASSING: ClassVar[bool] = False
    """Whether it only leads to a game, and closes when that game begins."""
    AT_WORK: ClassVar[bool] = False
    """Whether it only says that something takes long: keys wait for the screen that follows."""
    HAS_ODDS: ClassVar[bool] = True
    """Whether the player can open the table of odds of the flagship (the game ``plastic``) from
    it."""
    WHY_NOT: ClassVar[Mapping[str, str]] = {}
    """Why an action is greyed, by its name, as the palette says it in brackets."""
    TOPIC: ClassVar[str] = ""
    """What the screen is about, in a word or two: the title of its help and of its group in the
    palette."""
    HELP: ClassVar[str] = ""
    """The text above its keys in the help."""
    was_shown = False
    """Whether it has been shown once. Until then an error closes this screen instead of the app."""

    @property
    def is_left(self) -> bool:
        """Whether the screen was closed, as it may be while it awaits something: its widgets are
        gone then."""
        # When the app ends, its screens stay on the stack, but none of them is displayed.
        return self not in self.app.screen_stack or not self.display

    @property
    def is_writing(self) -> bool:
        """Whether the player is writing a text, so that letters are not commands."""
        return False

    @property
    def foot_labels(self) -> Mapping[str, str]:
        """Labels at the foot that depend on the state of the screen, by the action of the key."""
        return {}

    def _on_mount(self, event: Mount) -> None:
        # Textual calls this in addition to the ``on_mount`` of a derived class, which therefore
        # need not call it.
        self.call_after_refresh(self._set_was_shown)

    def _set_was_shown(self) -> None:
        self.was_shown = True

    async def _on_resize(self, event: Resize) -> None:
        # An event may arrive with a size that the terminal no longer has. Textual would lay out the
        # screen for it and send another event; two sizes could alternate like this for ever.
        if event.size != self.app.size:
            event.prevent_default()

    def settings_changed(self) -> None:
        """Repaint what depends on the settings; called after each change of them."""

    @property
    def paragraph(self) -> str:
        """The paragraph of the rules that F1 opens; empty: their first page."""
        return ""

    @property
    def has_own_rules(self) -> bool:
        """Whether F1 calls ``open_own_rules``, as on the screens of companion games. On others it
        opens the rules of the flagship."""
        return False

    def open_own_rules(self) -> None:
        """Open the rules of the companion game that this screen is about."""

    @property
    def skirmish(self) -> Host:
        """The application with its own type, where Textual's ``app`` is typed as any ``App``."""
        return cast("Host", self.app)

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        """Close this screen if it is in front. Textual's method would close the screen in front,
        whichever it is."""
        if self.app.screen is not self:
            return AwaitComplete()
        return super().dismiss(result)


class ModalScreen(screen.ModalScreen[ScreenResultType], Screen[ScreenResultType]):
    """A window that closes once, and closes only itself."""
