"""The app: its global keys and the start of the program. Nothing heavy is imported at the top: the
first paint shows the menu, while SQLModel, Alembic and ReportLab load in the threads that need
them."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.constants import DRIVER
from textual.events import Resize

from skirmish.app.base_screen import HIGH, SMALLEST, WIDE, Screen
from skirmish.app.binding import keys
from skirmish.app.guard import GuardedApp
from skirmish.app.home import HomeScreen
from skirmish.extras import log_beside

if TYPE_CHECKING:
    from pathlib import Path

    from textual.command import Provider
    from textual.driver import Driver
    from textual.filter import LineFilter

KEY_CHECK_AFTER = 1.0
"""Seconds after the start before the player's own keys are checked: this imports every module, and
neither the first paint nor the first keys need to wait for it."""


def _provider_of_palette() -> type[Provider]:
    """The class that provides the commands of the palette. Textual calls this function when the
    palette is first opened, so that its module is not imported before."""
    from skirmish.app.palette import EveryCommand

    return EveryCommand


class SkirmishApp(GuardedApp):
    """The app: home as its first screen, the keys of every screen, and the driver of its
    terminal."""

    TITLE = "Skirmish"
    CSS_PATH = "application.tcss"
    COMMANDS = {_provider_of_palette}  # noqa: RUF012 (as Textual has it)
    COMMAND_PALETTE_BINDING = "ctrl+p"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012 (as Textual has it)
    VERTICAL_BREAKPOINTS = [(0, "-low"), (HIGH, "-high")]  # noqa: RUF012
    # Each row: id, keys, action, label at the foot, words of the help.
    BINDINGS: ClassVar[list[BindingType]] = [
        *keys(
            "app",
            ("keys", "question_mark", "show_help", "Keys", "Show what each key does"),
            ("rules", "f1", "reference", "", "Open the rule for what is on the screen"),
            ("open_printed", "ctrl+o", "open_printed", "", "Open the last printed sheet"),
            ("odds", "percent_sign", "odds", "",
             "Show the odds of every weapon against every target"),
        ),
        # Before any widget, so that it also quits while a text is being typed.
        Binding("ctrl+q", "quit", "Quit", show=False, priority=True, id="app.quit",
                tooltip="Quit; everything is already saved"),
    ]  # fmt: skip

    WHY_NOT: ClassVar[Mapping[str, str]] = {
        "open_printed": "nothing has been printed yet",
        "odds": "this game has no table of odds",
    }
    """Why actions are greyed, as the palette says it."""

    battle_to_follow: int | None = None
    """The number of the battle to follow, if the program was started to follow one."""

    def get_default_screen(self) -> Screen[None]:
        return HomeScreen()

    def on_mount(self) -> None:
        """Report what is wrong with the settings, and open the battle to follow if there is one."""
        if self.settings_trouble:  # the default settings apply, in which no key is changed
            self.call_later(
                self.show_message, "The settings file could not be used", self.settings_trouble
            )
        elif self.settings.keys:
            self.set_timer(KEY_CHECK_AFTER, self._warn_of_unusable_keys)
        if self.battle_to_follow is not None:
            from skirmish.app.play.follow import follow

            # Keys wait for workers of this group (``OPENS`` in ``turns.py``).
            self.run_worker(follow(self, self.battle_to_follow), group="resume")

    async def _warn_of_unusable_keys(self) -> None:
        from skirmish.app.settings.key_map import every_key, problems

        sentences = list(problems(every_key(), self.settings.keys))
        if sentences:
            title = "Some keys in the settings file cannot be used"
            await self.show_message(title, "\n".join(sentences))

    def get_driver_class(self) -> type[Driver]:
        """Our own driver of a terminal; on Windows Textual's, and the one that the environment
        names if there is one, as in a tab of a browser."""
        if sys.platform == "win32" or DRIVER is not None:
            return super().get_driver_class()
        from skirmish.app.terminal import TerminalDriver

        return TerminalDriver

    def get_line_filters(self) -> Sequence[LineFilter]:
        filters = [*super().get_line_filters()]
        if self.plain_signs is not None:
            filters.append(self.plain_signs)
        return filters

    def get_key_display(self, binding: Binding) -> str:
        """A key as the footer names it."""
        # A name that comes with the binding fits its default key only.
        if binding.key_display and not self.settings.keys.get(binding.id or ""):
            return self.readable_key(binding.key_display)
        return self.key(binding.id or "", binding.key)

    # ------------------------------------------------------------------ windows

    def action_show(self, name: str, *arguments: object) -> None:
        """Open a screen by its name in `SCREENS` (``host.py``), as the keys of the home screen do:
        ``app.show('armies')``."""
        self.show(name, *arguments)

    def action_reference(self) -> None:
        """Open the rules at the paragraph of the current screen, or the rules of the current
        game."""
        screen = self.screen
        paragraph = ""
        if isinstance(screen, Screen):
            if screen.has_own_rules:
                screen.open_own_rules()
                return
            paragraph = screen.paragraph
        from skirmish.app.reference.screen import ReferenceScreen

        if not isinstance(screen, ReferenceScreen):
            self.push_screen(ReferenceScreen(paragraph))

    def action_odds(self) -> None:
        """Open the odds of the battle that is open, or those of full decks and the player's own
        rulings; nothing happens if they are open already."""
        from skirmish.app.odds import OddsScreen
        from skirmish.app.reference.rulings import in_force_on
        from skirmish.app.side_fire import fires_here

        screens = self.screen_stack
        if any(isinstance(screen, OddsScreen) for screen in screens):
            return
        in_force = in_force_on(screens, self.settings)
        try:
            fires, revision = fires_here(screens, in_force, self.settings.deck_knowledge)
            self.push_screen(OddsScreen(fires, in_force.origin, revision))
        except Exception:  # whatever fails in an extra, the game goes on without it
            self.leave_out(failure="The odds are not available")

    def action_show_help(self) -> None:
        from skirmish.app.help import HelpScreen

        if not isinstance(self.screen, HelpScreen):
            self.push_screen(HelpScreen(self.screen))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether an action can be used now: True, False (hidden) or None (greyed out). Only the
        flagship has odds, so they are hidden over the screens of other games. A printed sheet
        opens on this computer, so not for somebody in a browser."""
        if action == "odds":
            screens = [screen for screen in self.screen_stack if isinstance(screen, Screen)]
            return all(screen.HAS_ODDS for screen in screens)
        if action == "open_printed" and (self.is_web or not self.last_printed):
            return None
        return True

    async def action_open_printed(self) -> None:
        from skirmish.app.viewer import open_printed

        await open_printed(self)

    def on_resize(self, event: Resize) -> None:
        least_width, least_height = SMALLEST
        is_small = event.size.width < least_width or event.size.height < least_height
        if not is_small and len(self.screen_stack) == 1:
            return  # no warning can be open; at the start this spares the import of the windows
        from skirmish.app.windows import TooSmallScreen

        warnings = [screen for screen in self.screen_stack if isinstance(screen, TooSmallScreen)]
        if is_small and not warnings:
            self.push_screen(TooSmallScreen())
        elif warnings and not is_small:
            warnings[0].dismiss()

    async def action_quit(self) -> None:
        await self.leave()


def _database_file() -> Path | None:
    """The file of the database, beside which the log is written; None for a database in memory. It
    is looked up at the first error only, so that the start need not import it."""
    from skirmish.store.place import find

    return find().path


def run_app(follow: int | None = None) -> None:
    """Run the app in this terminal, following battle ``follow`` if one is given. Ends the process,
    with exit code 1 after an internal error."""
    log_beside(_database_file)
    app = SkirmishApp()
    app.battle_to_follow = follow
    app.run()
    raise SystemExit(app.return_code or 0)
