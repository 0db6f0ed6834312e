"""The application as its screens see it. A screen reaches it as ``self.skirmish``, a `Host`, and
opens other screens by name: ``self.skirmish.show("armies")``. Nothing here imports a screen or
anything heavy: the store's thread and the windows are loaded on first use."""

from __future__ import annotations

import asyncio
import locale
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

from textual.app import App
from textual.screen import Screen
from textual.theme import Theme
from textual.widget import AwaitMount

from skirmish.app.binding import KEY_NAMES, key_in_force, key_name
from skirmish.app.themes import THEMES, as_shown, style_variables
from skirmish.store.settings import Settings, read_settings, settings_file, write_settings
from skirmish.tabletop.data_file import DataError

if TYPE_CHECKING:
    from subprocess import Popen

    from textual.filter import LineFilter
    from textual.widget import Widget

    from skirmish.store.database import Store
    from skirmish.store.writer import StoreThread

T = TypeVar("T")

UNUSABLE = "The database cannot be used"
"""The title of a message, or its first sentence, without a full stop; the reason follows."""
ASCII_TERMINALS = ("linux", "vt100", "vt220", "dumb")
"""Names (``TERM``) of terminals with few characters; ``linux`` is the console without windows."""
UNICODE_ENCODINGS = ("utf8", "utf8sig", "utf16le", "cp65001")
"""Encodings without their hyphens. Windows calls UTF-8 cp65001."""
SEED_BYTES = 6
"""The length of a seed: other programs read it as a number of JSON, which is exact to 53 bits."""
SCREENS = {
    "armies": "armies.list:ArmiesScreen",
    "battle": "battle.screen:BattleScreen",
    "deal": "scenarios.deal:DealScreen",
    "follow": "battle.follow:FollowBattle",
    "follow game": "play.follow:FollowGame",
    "games": "play.games:GamesScreen",
    "keys": "settings.keys_screen:KeysScreen",
    "message": "windows:MessageScreen",
    "new battle": "scenarios.browser:ScenarioBrowser",
    "phones": "phones:PhonesScreen",
    "play": "play.screen:PlayScreen",
    "questions": "battle.questions:BattleQuestions",
    "rulings": "settings.rulings_list:RulingsList",
    "scenarios": "scenarios.browser:ScenarioBrowser",
    "set-up": "play.setup:GameSetup",
    "settings": "settings.screen:SettingsScreen",
    "workshop": "workshop.screen:WorkshopScreen",
}
"""Screens that others open by name, with where each is imported from on first use. The entries "New
battle" and "Scenarios" of the home screen's menu open the same one."""


@runtime_checkable
class ShowsSettings(Protocol):
    """A screen whose look depends on the settings: ours do, Textual's own do not."""

    def settings_changed(self) -> None:
        """Repaint what depends on the settings."""


def _random_seed() -> int:
    return int.from_bytes(os.urandom(SEED_BYTES))


class Host(App[None]):
    """The app without its keys: settings, the store, messages, navigation between screens."""

    def __init__(
        self,
        database: str | None = None,
        folder: Path | None = None,
        seed: Callable[[], int] = _random_seed,
        settings_path: Path | None = None,
    ) -> None:
        """``database`` is a path or URL (None: the store's default), ``folder`` where sheets are
        printed to (None: where the program was started), ``seed`` makes the seed of a deck or die.
        Tests pass their own."""
        super().__init__()
        self.database = database
        self.folder = folder or _working_folder()
        self.seed = seed
        self.last_printed: Path | None = None
        """The sheet that was printed last."""
        self.servers: list[Popen[bytes]] = []
        """Servers that were started for phones."""
        self._store_thread: StoreThread | None = None
        self._last_message = ""
        """The message that ``notify`` showed last."""
        self.settings_path = settings_path or settings_file()
        self.settings = Settings()
        self.settings_trouble = ""
        """Why the settings file could not be used, for a message once the app has started."""
        try:
            self.settings = read_settings(self.settings_path)
        except DataError as error:
            self.settings_trouble = f"{error}\nThe defaults are used until this is corrected."
        self.plain_signs: LineFilter | None = None
        """Replaces characters other than ASCII, if the terminal or the player wants that."""
        # Each theme is registered under its own name, in the colours that this terminal has.
        for theme in THEMES.values():
            self.register_theme(as_shown(theme, self.colours))
        self._begin_with(THEMES[self.settings.theme])
        self._apply_settings()

    def _begin_with(self, theme: Theme) -> None:
        """Set the theme without the reactions of Textual to a change of it, which would read the
        style sheets now and then once more when the app starts."""
        if self.settings.theme == "ansi":
            return  # its colours are the terminal's own, which Textual looks up later
        self.set_reactive(App.theme, theme.name)
        self.stylesheet.set_variables(self.get_css_variables())
        mode = "-light-mode"
        if theme.dark:
            mode = "-dark-mode"
        self.set_classes([f"-theme-{theme.name}", mode])

    # ------------------------------------------------------------------ the store

    @property
    def store_thread(self) -> StoreThread:
        """The store's thread. It is started on first use, since the first paint must not wait for
        SQLModel."""
        if self._store_thread is None:
            from skirmish.store.writer import StoreThread

            self._store_thread = StoreThread(self.database)
        return self._store_thread

    async def stored(self, job: Callable[[Store], T]) -> T:
        """Run ``job`` in the store's thread and return its result; raises StoreError."""
        return await asyncio.wrap_future(self.store_thread.submit(job))

    # ------------------------------------------------------------------ screens

    def make_screen(self, name: str, *arguments: object) -> Screen[None]:
        """A new screen of `SCREENS`, made with the ``arguments`` of its constructor; raises
        whatever the constructor raises."""
        module_name, _, class_name = SCREENS[name].partition(":")
        screen_class = getattr(import_module(f"skirmish.app.{module_name}"), class_name)
        screen: Screen[None] = screen_class(*arguments)
        return screen

    def show(self, name: str, *arguments: object) -> AwaitMount:
        """Open a screen of `SCREENS` above the one in front."""
        return self.push_screen(self.make_screen(name, *arguments))

    def go_home(self) -> None:
        """Close every screen above the first one, which is the home screen."""
        while len(self.screen_stack) > 1:
            self.pop_screen()

    def after_typed_keys(self, screen: Widget, show: Callable[[], Awaitable[None]]) -> None:
        """Run ``show`` when every key typed so far has been handled, unless ``screen`` has been
        left by then. The derived `TurnsApp` does it, as it has the queue of keys."""
        raise NotImplementedError

    # ------------------------------------------------------------------ messages

    def notify(self, message: str, **options: Any) -> None:
        """Show a message; if it is the same as the last one, in place of it."""
        if message == self._last_message:
            self.clear_notifications()
        self._last_message = message
        super().notify(message, **options)

    async def show_message(self, title: str, sentence: str) -> None:
        """Open a window with a message above the screen in front."""
        await self.show("message", title, sentence)

    @asynccontextmanager
    async def reporting(self, title: str) -> AsyncIterator[None]:
        """For a ``with`` block that may fail with a sentence for players: the sentence is shown
        under this title, and the program goes on behind the block."""
        from skirmish.store.errors import StoreError
        from skirmish.tabletop.journal_codec import RecordError
        from skirmish.tabletop.refusal import Refused

        try:
            yield
        except (DataError, RecordError, Refused, StoreError) as error:
            await self.show_message(title, str(error))

    # ------------------------------------------------------------------ settings

    async def change_settings(self, settings: Settings) -> bool:
        """Apply new settings and save them. If they cannot be saved, they apply until the app ends,
        and a message says so. Returns whether they were saved."""
        saved = True
        try:
            await asyncio.to_thread(write_settings, self.settings_path, settings)
        except DataError as error:
            saved = False
            await self.show_message("The settings could not be saved", str(error))
        self.settings = settings
        self._apply_settings()
        self.refresh(layout=True)
        for screen in self.screen_stack:
            if isinstance(screen, ShowsSettings):
                screen.settings_changed()
        return saved

    def _apply_settings(self) -> None:
        """Use the colours, keys and characters that the settings name."""
        self.theme = THEMES[self.settings.theme].name
        self.set_keymap(dict(self.settings.keys))
        self.plain_signs = None
        characters = self.settings.characters
        if characters == "ascii" or (characters == "auto" and _terminal_has_only_ascii()):
            from skirmish.app.plain_signs import PlainSigns

            self.plain_signs = PlainSigns()

    @property
    def colours(self) -> str | None:
        """How many colours the terminal has, in the words of Rich: ``truecolor``, ``256``,
        ``standard`` for 16; None if that is not known."""
        return self.console.color_system

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return style_variables(self.current_theme, self.colours)

    @property
    def draws_plainly(self) -> bool:
        """Whether pictures must do without colours of ours: the terminal shows none, or only its
        own 16, or ASCII characters only."""
        return self.plain_signs is not None or self.no_color or self.native_ansi_color

    def key(self, id: str, default: str) -> str:
        """The displayed key of the binding ``id``, which the player may have remapped."""
        return self.readable_key(key_name(key_in_force(self.settings.keys, id, default)))

    def readable_key(self, name: str) -> str:
        """A displayed key as the terminal can show it."""
        # In ASCII the sign of Backspace becomes ``<``, which is a key of its own.
        if self.plain_signs is not None:
            return name.replace(KEY_NAMES["backspace"], "Bksp")
        return name

    def measured(self, text: str) -> str:
        """A text of the rules, whose distances are in inches, with them in the player's unit."""
        if self.settings.measure != "centimetres":
            return text
        from skirmish.tabletop.measure import in_centimetres

        return in_centimetres(text)

    @property
    def waiting_messages(self) -> int:
        """How many keys, clicks and other messages wait to be handled."""
        return self.message_queue_size

    # ------------------------------------------------------------------ the end

    async def leave(self, code: int = 0) -> None:
        """Stop the servers of the phones, close the database once everything is stored, and end
        the app."""
        self._stop_servers()
        await self._close_store()
        self.exit(return_code=code)

    def _stop_servers(self) -> None:
        """Have the servers of the phones end: each does when its input is closed."""
        for server in self.servers:
            if server.stdin is not None:
                server.stdin.close()

    async def _close_store(self) -> None:
        if self._store_thread is not None:
            await asyncio.to_thread(self._store_thread.close)


def _terminal_has_only_ascii() -> bool:
    """Whether the terminal seems limited to ASCII, by its name or by the encoding of its text."""
    if os.environ.get("TERM", "") in ASCII_TERMINALS:
        return True
    encoding = locale.getpreferredencoding(False)
    # Python has no output where a program runs without a console.
    if sys.__stdout__ is not None and sys.__stdout__.encoding:
        encoding = sys.__stdout__.encoding
    return encoding.replace("-", "").lower() not in UNICODE_ENCODINGS


def _working_folder() -> Path:
    """Where the program was started; the player's own folder if that is gone."""
    try:
        return Path.cwd()
    except OSError:
        return Path.home()
