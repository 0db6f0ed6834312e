"""The application as its screens see it, and the base classes of our screens. A screen reaches the
application as ``self.skirmish``, a `Host`, and opens other screens by name:
``self.skirmish.show("armies")``. Nothing here imports a screen or anything heavy: the store's
thread and the windows are loaded on first use."""

from __future__ import annotations

import asyncio
import locale
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar, cast

from textual import screen
from textual.app import App
from textual.await_complete import AwaitComplete
from textual.events import Mount, Resize
from textual.screen import ScreenResultType
from textual.theme import BUILTIN_THEMES, Theme
from textual.widget import AwaitMount

from skirmish.app.binding import key_in_force, key_name
from skirmish.store.settings import Settings, read_settings, settings_file, write_settings
from skirmish.tabletop.data_file import DataError
from skirmish.tabletop.ground_colours import GROUND_COLOURS
from skirmish.tabletop.side_colours import SIDE_COLOURS, STANDARD, Shade, SideColours
from skirmish.tabletop.typed import plain

if TYPE_CHECKING:
    from subprocess import Popen

    from textual.filter import LineFilter
    from textual.widget import Widget

    from skirmish.store.database import Store
    from skirmish.store.writer import StoreThread

UNUSABLE = "The database cannot be used"
"""The title of a message, or its first sentence, without a full stop; the reason follows."""
# Nothing is shown by colour alone: letters, words and marks repeat it.
NIGHT = Theme(
    name="skirmish-night",
    dark=True,
    primary="#a3b072",
    secondary="#8fa3b8",
    accent="#e0a458",
    warning="#e0a458",
    error="#e07a66",
    success="#a3b072",
    foreground="#e8e4d4",
    background="#16180f",
    surface="#1e2116",
    panel="#2a2e1e",
)
PAPER = Theme(
    name="skirmish-paper",
    dark=False,
    primary="#4c5a22",
    secondary="#33506e",
    accent="#8a4b08",
    warning="#8a4b08",
    error="#a02c18",
    success="#4c5a22",
    foreground="#12130c",
    background="#f8f4e8",
    surface="#f0ecd6",
    panel="#ddd5bb",
)
ANSI = replace(
    BUILTIN_THEMES["ansi-dark"],
    name="skirmish-ansi",
    primary="ansi_green",
    secondary="ansi_cyan",
    accent="ansi_yellow",
    warning="ansi_yellow",
)

_EIGHT_COLOURS = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
ANSI_NAMES = (
    *(f"ansi_{name}" for name in _EIGHT_COLOURS),
    *(f"ansi_bright_{name}" for name in _EIGHT_COLOURS),
)
"""Textual's names of a terminal's own 16 colours."""
THEMES = {"night": NIGHT, "paper": PAPER, "ansi": ANSI}


class Grounds(NamedTuple):
    """The colours that text stands on: of the screen, of its parts, of bars, of the line
    of a list that is chosen; and that of a warning."""

    background: str
    surface: str
    panel: str
    chosen: str
    error: str


# With 256 colours the greens and creams of the themes would be shown as black, yellow and pink,
# and the three grounds could not be told apart.
GREYS_OF_256 = {
    NIGHT.name: Grounds("#141414", "#1f1f1f", "#333333", "#3a3a3a", "#d7875f"),
    PAPER.name: Grounds("#ffffff", "#f5f5f5", "#ebebeb", "#ebebeb", "#a02c18"),
}
"""The grounds on a terminal with 256 colours, by the name of the theme."""
ACCENTS_OF_16 = {NIGHT.name: 11, PAPER.name: 1}
ERRORS_OF_16 = {NIGHT.name: 9, PAPER.name: 1}
"""Accents and errors on a terminal with 16 colours, as numbers of `ANSI_NAMES`, by the name of the
theme. Paper has red: the nearest to its brown is a yellow that many terminals make too light to be
read on white."""

T = TypeVar("T")

SMALLEST = (80, 24)
"""The smallest terminal, in columns and rows, on which screens are complete."""
WIDE, HIGH = 110, 34
"""Columns and rows from which a terminal is large: screens then have the classes ``-wide`` and
``-high``, and show more side by side."""
LARGE, SPACIOUS = 150, 44
"""Columns from which there is room for one column more, such as the details beside a list; rows
from which one more part finds room below the others."""
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
"""Screens that others open by name, with where each is imported from on first use."""


class Host(App[None]):
    """Settings, the store, navigation between screens. ``database`` is a path or URL (None: the
    store's default), ``folder`` where sheets are printed to, ``printed`` the last of them,
    ``servers`` those started for phones, ``seed`` returns the seed of a deck or die. Tests pass
    their own."""

    def __init__(
        self,
        database: str | None = None,
        folder: Path | None = None,
        seed: Callable[[], int] = lambda: int.from_bytes(os.urandom(6)),
        settings_path: Path | None = None,
    ) -> None:
        super().__init__()
        self.settings_path = settings_path or settings_file()
        self.settings = Settings()
        self.settings_trouble = ""
        """Why the settings file could not be used, for a message once the app has started."""
        try:
            self.settings = read_settings(self.settings_path)
        except DataError as error:
            self.settings_trouble = f"{error}\nThe defaults are used until this is corrected."
        for theme in THEMES.values():
            self.register_theme(self._as_shown(theme))
        self._begin_with(THEMES[self.settings.theme])
        self.plain_signs: LineFilter | None = None
        """What replaces signs that are not ASCII; None: nothing does."""
        self._apply()
        self.database = database
        self.folder = folder or _working_folder()
        # Six bytes by default: other programs read a seed as a number of JSON, exact to 53 bits.
        self.seed = seed
        self.printed: Path | None = None
        self.servers: list[Popen[bytes]] = []
        self._store_thread: StoreThread | None = None
        self._notified = ""
        """The last message."""

    def _as_shown(self, theme: Theme) -> Theme:
        """A theme in the colours that the terminal has."""
        greys = GREYS_OF_256.get(theme.name)
        if self.colours == "standard" and theme.name in ACCENTS_OF_16:
            accent = STANDARD[ACCENTS_OF_16[theme.name]]
            error = STANDARD[ERRORS_OF_16[theme.name]]
            return replace(theme, accent=accent, warning=accent, error=error)
        if self.colours != "256" or greys is None:
            return theme
        return replace(
            theme,
            background=greys.background,
            surface=greys.surface,
            panel=greys.panel,
            error=greys.error,
            # The chosen line of lists that have no colours of their own, as that of the phones.
            variables={**theme.variables, "block-cursor-blurred-background": greys.chosen},
        )

    def _begin_with(self, theme: Theme) -> None:
        """Set the theme before the style sheets are read, so that they are read only once."""
        # The colours of ``ansi`` are the terminal's own: Textual looks them up later.
        if self.settings.theme != "ansi":
            self.set_reactive(App.theme, theme.name)
            self.stylesheet.set_variables(self.get_css_variables())
            mode = "-light-mode"
            if theme.dark:
                mode = "-dark-mode"
            self.set_classes([f"-theme-{theme.name}", mode])

    @property
    def store_thread(self) -> StoreThread:
        """The store's thread, started at first use: the first paint does not wait for SQLModel."""
        if self._store_thread is None:
            from skirmish.store.writer import StoreThread

            self._store_thread = StoreThread(self.database)
        return self._store_thread

    async def stored(self, job: Callable[[Store], T]) -> T:
        """The result of ``job`` in the store's thread; raises StoreError."""
        return await asyncio.wrap_future(self.store_thread.submit(job))

    def make_screen(self, name: str, *arguments: object) -> Screen[None]:
        """A new screen of `SCREENS`, made with the ``arguments`` of its constructor; raises what
        that raises."""
        module_name, _, class_name = SCREENS[name].partition(":")
        screen_class = getattr(import_module(f"skirmish.app.{module_name}"), class_name)
        screen: Screen[None] = screen_class(*arguments)
        return screen

    def show(self, name: str, *arguments: object) -> AwaitMount:
        """Open a screen of `SCREENS` above the one in front."""
        return self.push_screen(self.make_screen(name, *arguments))

    def home(self) -> None:
        """Close every screen above the first one."""
        while len(self.screen_stack) > 1:
            self.pop_screen()

    def notify(self, message: str, **options: Any) -> None:
        """Shows a message; the same one again replaces that which is shown."""
        if message == self._notified:
            self.clear_notifications()
        self._notified = message
        super().notify(message, **options)

    def after_typed_keys(self, screen: Widget, show: Callable[[], Awaitable[None]]) -> None:
        """Run ``show`` when every key typed so far has been handled, unless ``screen`` has been
        left by then. `GuardedApp`, which has the queue of keys, does it."""
        raise NotImplementedError

    async def show_message(self, title: str, sentence: str) -> None:
        """Open a window with a message above the screen in front."""
        await self.show("message", title, sentence)

    @asynccontextmanager
    async def reporting(self, title: str) -> AsyncIterator[None]:
        """A block that may fail with a sentence for players: it is shown under this title, and the
        rest of the block is left out."""
        from skirmish.store.errors import StoreError
        from skirmish.tabletop.journal_codec import RecordError
        from skirmish.tabletop.refusal import Refused

        try:
            yield
        except (DataError, RecordError, Refused, StoreError) as error:
            await self.show_message(title, str(error))

    async def change_settings(self, settings: Settings) -> bool:
        """Apply new settings, even if they cannot be saved, about which the player is notified.
        Returns whether they were saved."""
        saved = True
        try:
            await asyncio.to_thread(write_settings, self.settings_path, settings)
        except DataError as error:
            saved = False
            await self.show_message("The settings could not be saved", str(error))
        self.settings = settings
        self._apply()
        self.refresh(layout=True)
        for shown in self.screen_stack:
            if isinstance(shown, Screen):
                shown.settings_changed()
        return saved

    def _apply(self) -> None:
        """Show colours, keys and characters as the settings say."""
        self.theme = THEMES[self.settings.theme].name
        self.set_keymap(dict(self.settings.keys))
        self.plain_signs = None
        wanted = self.settings.characters
        if wanted == "ascii" or (wanted == "auto" and _knows_only_ascii()):
            from skirmish.app.plain_signs import PlainSigns

            self.plain_signs = PlainSigns()

    @property
    def colours(self) -> str | None:
        """How many colours the terminal has, as Rich calls it: ``256``, ``standard`` for 16."""
        return self.console.color_system

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """The colours of the sides, as styles name them (``$side-german``), and of the squares of a
        board (``$ground-sea``); of a chosen line, and of what is gone."""
        # The ground of a chosen line is so light that letters in the accent stand out from it by
        # 4.5 to 1.
        strength = 20
        if self.current_theme.dark:
            strength = 26
        opacity = 0.4
        if self.colours == "standard":  # of 16 colours no lighter grey is seen on white
            opacity = 0.6
        variables = {
            "chosen": f"{self.current_theme.primary} {strength}%",
            "faded": _faded(self.current_theme.foreground or "ansi_default", opacity),
        }
        if self.colours == "256" and self.current_theme.name in GREYS_OF_256:
            variables["chosen"] = GREYS_OF_256[self.current_theme.name].chosen
        for name, colours in SIDE_COLOURS.items():
            ansi_name = ANSI_NAMES[self._shade(colours).of_16]
            variables[f"side-{name}"] = self._as_variable(colours, ansi_name)
        for ground, colours in GROUND_COLOURS.items():
            variables[f"ground-{ground}"] = self._as_variable(colours, "ansi_default")
        return variables

    def _shade(self, colours: SideColours) -> Shade:
        """The shade for the present theme."""
        if self.current_theme.dark:
            return colours.dark
        return colours.light

    def _as_variable(self, colours: SideColours, ansi_name: str) -> str:
        """The colour for the present theme, in those that the terminal has."""
        if self.current_theme.name == ANSI.name:
            return ansi_name
        return self._shade(colours).shown(self.colours)

    @property
    def draws_plainly(self) -> bool:
        """Whether pictures must be drawn in characters: no colours, or ASCII only."""
        return self.plain_signs is not None or self.no_color or self.native_ansi_color

    def key(self, id: str, default: str) -> str:
        """The displayed key of the binding ``id``, which the player may have remapped."""
        return key_name(key_in_force(self.settings.keys, id, default))

    def measured(self, text: str) -> str:
        """A text of the rules, which have inches, with distances in the player's unit."""
        if self.settings.measure != "centimetres":
            return text
        from skirmish.tabletop.measure import in_centimetres

        return in_centimetres(text)

    @property
    def waiting(self) -> int:
        """How many keys, clicks and other messages wait to be handled."""
        return self.message_queue_size

    async def leave(self, code: int = 0) -> None:
        """Stop the servers of the phones, close the database, which finishes what is being stored,
        and end the app."""
        self._stop_servers()
        await self._close_store()
        self.exit(return_code=code)

    def _stop_servers(self) -> None:
        """End the servers that were started for phones."""
        for server in self.servers:
            if server.stdin is not None:
                server.stdin.close()  # it then ends by itself

    async def _close_store(self) -> None:
        if self._store_thread is not None:
            await asyncio.to_thread(self._store_thread.close)


def _faded(colour: str, opacity: float) -> str:
    """A colour that lets through what is behind it: ``#12130c66``. A terminal's own colour cannot.
    The opacity is part of that word: of a variable that is ``#12130c 40%``, styles of text would
    take only the colour."""
    if not colour.startswith("#"):
        return colour
    return f"{colour}{round(opacity * 255):02x}"


def _knows_only_ascii() -> bool:
    """Whether the terminal seems limited to ASCII: an encoding other than UTF-8, or the Linux
    console with its few glyphs."""
    if os.environ.get("TERM", "") in ("linux", "vt100", "vt220", "dumb"):
        return True
    encoding = getattr(sys.__stdout__, "encoding", None) or locale.getpreferredencoding(False)
    # cp65001 is what Windows calls UTF-8.
    return encoding.replace("-", "").lower() not in ("utf8", "utf8sig", "utf16le", "cp65001")


def _working_folder() -> Path:
    """Where the program was started; the player's own folder if that is gone."""
    try:
        return Path.cwd()
    except OSError:
        return Path.home()


class Screen(screen.Screen[ScreenResultType]):
    """A screen that closes once, and closes only itself."""

    EXTRA: ClassVar[str] = ""
    """Not empty: the game goes on without this screen. If it fails it closes, and a message says
    that it is not available, of which this is the beginning: "The summary is"."""
    PASSING: ClassVar[bool] = False
    """Whether it closes when a game begins that it led to."""
    AT_WORK: ClassVar[bool] = False
    """Whether it only tells of work that takes long: keys wait for what comes after it."""
    HAS_ODDS: ClassVar[bool] = True
    """Whether the odds of the flagship's weapons have anything to do with it."""
    WHY_NOT: ClassVar[Mapping[str, str]] = {}
    """Why its actions are greyed where they are, as the palette says it in brackets."""
    TOPIC: ClassVar[str] = ""
    """What the screen is about, in a word or two: the title of its help and of its group in the
    palette."""
    HELP: ClassVar[str] = ""
    """The text above its keys in the help."""
    opened = False
    """Whether it has been shown; before that, an error closes it and not the app."""

    @property
    def is_left(self) -> bool:
        """Whether the screen was left, perhaps while something was waited for: its parts are gone
        then."""
        # An app that ends leaves its screens on the stack, but none of them is displayed any more.
        return self not in self.app.screen_stack or not self.display

    @property
    def writing(self) -> bool:
        """Whether a text is being written, so that letters are no keys now."""
        return False

    @property
    def foot_labels(self) -> Mapping[str, str]:
        """What keys at its foot are called now, by their actions, where that is not fixed."""
        return {}

    def _on_mount(self, event: Mount) -> None:
        # Textual calls it besides the ``on_mount`` of a derived screen, which need not think of it.
        self.call_after_refresh(self._has_opened)

    def _has_opened(self) -> None:
        self.opened = True

    async def _on_resize(self, event: Resize) -> None:
        # An event may come with a size that the terminal no longer has. Textual would lay the
        # screen out for it and send one more event; two sizes could so follow each other for ever.
        if event.size != self.app.size:
            event.prevent_default()

    def settings_changed(self) -> None:
        """Show anew what depends on the settings."""

    @property
    def paragraph(self) -> str:
        """The paragraph of the rules that F1 opens; empty: their first page."""
        return ""

    def open_rules(self) -> bool:
        """Open the rules of the other game that this screen is about, if one is chosen. Returns
        False on a screen of the flagship, whose own rules F1 opens then."""
        return False

    @property
    def skirmish(self) -> Host:
        """The application, as what it is."""
        return cast("Host", self.app)

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        """Close if this is the screen in front; Textual would close whichever is."""
        if self.app.screen is not self:
            return AwaitComplete()
        return super().dismiss(result)


class ModalScreen(screen.ModalScreen[ScreenResultType], Screen[ScreenResultType]):
    """A window that closes once, and closes only itself."""


def without_controls(text: str) -> str:
    """Text that may contain user input, with its line breaks but without other control
    characters."""
    return "\n".join(map(plain, text.split("\n")))
