"""The app: its theme, its thread for the store, the ways between screens.

Nothing heavy is imported here. The first paint shows the menu; SQLModel, Alembic and ReportLab
load behind it, each in the thread that needs it.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual.binding import Binding, BindingType
from textual.events import Resize

from skirmish.app.guard import GuardedApp, log_beside
from skirmish.app.home import HomeScreen
from skirmish.app.host import SMALLEST, Screen
from skirmish.app.themes import THEMES
from skirmish.store.settings import Settings, place, read_settings, write_settings
from skirmish.tabletop.measure import in_centimetres
from skirmish.tabletop.reading import DataError

if TYPE_CHECKING:
    from textual.command import Provider
    from textual.filter import LineFilter

    from skirmish.store.database import Store
    from skirmish.store.writer import StoreThread

T = TypeVar("T")

SCREENS = {
    "armies": "armies.list:ArmiesScreen",
    "battle": "battle.screen:BattleScreen",
    "follow": "follow.battle:FollowBattle",
    "follow game": "follow.screen:FollowGame",
    "games": "play.start:GamesScreen",
    "keys": "settings.keys:KeysScreen",
    "new battle": "scenarios.browser:ScenarioBrowser",
    "play": "play.screen:PlayScreen",
    "questions": "play.questions:QuestionScreen",
    "rulings": "settings.rulings:RulingsList",
    "scenarios": "scenarios.browser:ScenarioBrowser",
    "set-up": "play.setup:GameSetup",
    "settings": "settings.screen:SettingsScreen",
}
"""The screens that others open by name, and where each is loaded from when it is first shown."""


def _every_key() -> type[Provider]:
    """What fills the command palette, loaded when it is opened."""
    from skirmish.app.help import EveryKey

    return EveryKey


class SkirmishApp(GuardedApp):
    """Skirmish on a terminal.

    ``where`` is the database (a path or URL; None: as the store finds it), ``folder`` where sheets
    are printed to, ``seed`` gives the seed of a deck or die, ``liked`` is the settings file. Tests
    pass their own.
    """

    TITLE = "Skirmish"
    CSS_PATH = "application.tcss"
    COMMANDS = {_every_key}  # noqa: RUF012 (as Textual has it)
    COMMAND_PALETTE_BINDING = "ctrl+p"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]  # noqa: RUF012 (as Textual has it)
    VERTICAL_BREAKPOINTS = [(0, "-low"), (34, "-high")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "question_mark",
            "show_help",
            "Keys",
            key_display="?",
            tooltip="Show what each key does",
            id="app.keys",
        ),
        Binding(
            "f1",
            "reference",
            "Rules",
            show=False,
            tooltip="Open the rule for what is on the screen",
            id="app.rules",
        ),
        Binding(
            "ctrl+o",
            "open_printed",
            "Open",
            show=False,
            tooltip="Open the last printed sheet",
            id="app.open_printed",
        ),
        Binding(
            "percent_sign",
            "odds",
            "Odds",
            key_display="%",
            show=False,
            tooltip="Show the odds of every weapon against every target",
            id="app.odds",
        ),
        Binding(
            "ctrl+q",
            "quit",
            "Quit",
            show=False,
            priority=True,
            tooltip="Quit; everything is already saved",
            id="app.quit",
        ),
    ]

    def __init__(
        self,
        where: str | None = None,
        folder: Path | None = None,
        seed: Callable[[], int] = lambda: int.from_bytes(os.urandom(6)),
        liked: Path | None = None,
    ) -> None:
        super().__init__()
        self.liked = liked or place()
        self.settings = Settings()
        self._unliked = ""
        try:
            self.settings = read_settings(self.liked)
        except DataError as error:
            self._unliked = f"{error}\nThe defaults are used until this is corrected."
        for theme in THEMES.values():  # before the first style sheet, which is then read only once
            self.register_theme(theme)
        self._plain: LineFilter | None = None
        self._apply()
        self.where = where
        self.folder = folder or _here()
        self.seed = seed
        self.follows: int | None = None
        self.printed: Path | None = None
        self._store_thread: StoreThread | None = None

    def get_default_screen(self) -> Screen[None]:
        """Home at once; everything else comes behind it."""
        return HomeScreen()

    def make(self, name: str, *about: object) -> Screen[None]:
        """One of `SCREENS`."""
        module, _, kind = SCREENS[name].partition(":")
        made: Screen[None] = getattr(import_module(f"skirmish.app.{module}"), kind)(*about)
        return made

    async def tell(self, title: str, sentence: str) -> None:
        """In a window of its own."""
        from skirmish.app.windows import MessageScreen

        await self.push_screen(MessageScreen(title, sentence))

    @property
    def store_thread(self) -> StoreThread:
        """The thread that touches the database."""
        if self._store_thread is None:
            from skirmish.store.writer import StoreThread

            self._store_thread = StoreThread(self.where)
        return self._store_thread

    async def stored(self, job: Callable[[Store], T]) -> T:
        """What ``job`` returns once the store has done it; raises StoreError."""
        return await asyncio.wrap_future(self.store_thread.submit(job))

    # ------------------------------------------------------------------ settings

    def on_mount(self) -> None:
        if self._unliked:
            self.call_later(self.tell, "The settings file could not be used", self._unliked)
        elif self.settings.keys:  # every room must be read for that, so not before the first paint
            self.set_timer(1.0, self._look_at_keys)
        if self.follows is not None:
            self.show("follow", self.follows)

    async def _look_at_keys(self) -> None:
        """Say what is wrong with keys that were written into the settings by hand."""
        from skirmish.app.settings.key_map import every_key, problems

        if wrong := list(problems(every_key(), self.settings.keys)):
            await self.tell("Some keys in the settings file cannot be used", "\n".join(wrong))

    async def change_settings(self, settings: Settings) -> bool:
        """Applied even where they cannot be saved."""
        saved = True
        try:
            await asyncio.to_thread(write_settings, self.liked, settings)
        except DataError as error:
            saved = False
            await self.tell("The settings could not be saved", str(error))
        self.settings = settings
        self._apply()
        self.refresh(layout=True)
        return saved

    def _apply(self) -> None:
        """Colours, signs and keys as the settings have them."""
        self.theme = THEMES[self.settings.theme].name
        self.set_keymap(dict(self.settings.keys))
        plain = self.settings.characters
        if plain != "all":  # what draws in ASCII is loaded only where that is wanted
            from skirmish.app.plain_signs import PlainSigns, knows_only_ascii

            self._plain = PlainSigns() if plain == "ascii" or knows_only_ascii() else None
        else:
            self._plain = None

    def get_line_filters(self) -> Sequence[LineFilter]:
        """What every line of every screen goes through."""
        filters = super().get_line_filters()
        return [*filters, self._plain] if self._plain else filters

    @property
    def draws_plainly(self) -> bool:
        """Whether pictures must do with signs: no colours, or ASCII alone."""
        return self._plain is not None or self.no_color or self.native_ansi_color

    def get_key_display(self, binding: Binding) -> str:
        """The key of a binding as every strip, foot and palette writes it."""
        if binding.key_display and not self.settings.keys.get(binding.id or ""):
            return binding.key_display
        return self.key(binding.id or "", binding.key)

    def measured(self, text: str) -> str:
        """A text of ours with its distances as the player measures."""
        return in_centimetres(text) if self.settings.measure == "centimetres" else text

    # ------------------------------------------------------------------ windows

    def action_show(self, name: str, *about: object) -> None:
        self.show(name, *about)

    def action_reference(self) -> None:
        """The rules, opened at what the screen is about; a game of its own has rules of its own."""
        if (own := getattr(self.screen, "open_rules", None)) is not None:
            own()
            return
        from skirmish.app.reference.screen import ReferenceScreen

        if not isinstance(self.screen, ReferenceScreen):
            self.push_screen(ReferenceScreen(str(getattr(self.screen, "paragraph", ""))))

    def action_odds(self) -> None:
        """Every weapon against every target; in a battle with what its sides draw from."""
        from skirmish.app.odds.screen import OddsScreen
        from skirmish.app.odds.tables import fires_here
        from skirmish.app.reference.in_force import in_force_on

        screens = self.screen_stack
        if any(isinstance(screen, OddsScreen) for screen in screens):
            return
        in_force = in_force_on(screens, self.settings)
        try:
            fires, revision = fires_here(screens, in_force, self.settings.deck_knowledge)
            self.push_screen(OddsScreen(fires, in_force.whose, revision))
        except Exception:
            self.leave_out("The odds are")

    def action_show_help(self) -> None:
        from skirmish.app.help import HelpScreen

        if not isinstance(self.screen, HelpScreen):
            self.push_screen(HelpScreen(self.screen))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A sheet can be opened once one is printed, and not from a browser elsewhere. Odds are of
        weapons, which other games have not."""
        if action == "odds":
            return not any("app.play" in one.__module__ for one in self.screen_stack)
        return None if action == "open_printed" and (self.is_web or not self.printed) else True

    async def action_open_printed(self) -> None:
        from skirmish.app.printing import open_printed

        await open_printed(self)

    def on_resize(self, event: Resize) -> None:
        """Say what is wrong with a terminal that is too small, until it no longer is."""
        from skirmish.app.windows import TooSmallScreen

        small = event.size.width < SMALLEST[0] or event.size.height < SMALLEST[1]
        shown = next((s for s in self.screen_stack if isinstance(s, TooSmallScreen)), None)
        if small and shown is None:
            self.push_screen(TooSmallScreen())
        elif shown is not None and not small:
            shown.dismiss()

    async def action_quit(self) -> None:
        if self._store_thread is not None:
            await asyncio.to_thread(self._store_thread.close)
        self.exit()


def _here() -> Path:
    """The folder that the program was started in, or home if that one is gone."""
    try:
        return Path.cwd()
    except OSError:
        return Path.home()


def run_app(follow: int | None = None) -> None:
    """Open the app on this terminal, at the battle that is to be followed if one is; ends the
    program, with 1 if the app broke down."""
    from skirmish.store.errors import StoreError
    from skirmish.store.place import find

    with suppress(StoreError):  # home says what is wrong with the place
        log_beside(find().path)
    app = SkirmishApp()
    app.follows = follow
    app.run()
    raise SystemExit(app.return_code or 0)
