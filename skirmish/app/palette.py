"""The command palette (Ctrl+P): whatever can be done, found by a word of it.

What the screen in front can do stands first, then what can be done everywhere: the screens that
open from home, each setting, each document, a screenshot. Once something is typed, each ruling and
the keys of all other screens are found too. What cannot be done now is greyed and says why.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from msgspec.structs import replace
from textual.command import Command, CommandInput, CommandList, CommandPalette, Hit, Hits, Provider
from textual.content import Content
from textual.types import IgnoreReturnCallbackType
from textual.widgets.option_list import Option

from skirmish import library
from skirmish.app.binding import key_name
from skirmish.app.host import SCREENS, Host, ModalScreen, Screen
from skirmish.tabletop.page import capital
from skirmish.tabletop.typed import plain

if TYPE_CHECKING:
    from textual.binding import Binding
    from textual.screen import Screen as AnyScreen

    from skirmish.app.print_choice import PrintLine

NOT_NOW = "not possible now"
AS_IT_IS = "as it is now"
WINDOW_OPEN = "close this window first"
FROM_HOME = "from the home screen"
"""Reasons in the brackets behind a greyed line: ``Campaign: battle after battle (from the home
screen)``."""
RULINGS = "rulings"
"""The name of the screen that lists the rulings."""
EVERYWHERE = "On every screen"
OPEN = "Go to"
SETTINGS = "Settings"
PRINT = "Print"
SCREENSHOT = "Screenshot"
"""Headings of the groups, in their order; that of the screen in front stands above them."""
STARTERS = frozenset(
    {"app.show('new battle')", "app.show('games', 'beach_head')", "app.show('games')"}
)
"""Entries of the home screen's menu that lead to another game than the one in front."""
WHERE = {
    "armies": "on the list of armies",
    "army": "in the army builder",
    "battle": "in a battle",
    "compare": "where two armies are compared",
    "deal": "where battles are dealt",
    "figures": "on the list of your figures",
    "follow": "while you follow a battle",
    "follow-game": "while you follow a game",
    "games": "on the list of games",
    "home": "on the home screen",
    "journal": "in the journal",
    "keys": "on the list of keys",
    "odds": "on the table of odds",
    "phones": "on the list of links for phones",
    "play": "in a game",
    "play-journal": "in the journal",
    "print": "in the window that prints",
    "question": "where one question is asked at a time",
    "rules": "in the rules",
    "rulings": "on the list of rulings",
    "scenario": "on the list of scenarios",
    "settings": "in the settings",
    "setup": "while a game is set up",
    "summary": "on the summary of a battle",
    "templates": "where a new army begins",
    "workshop": "in the workshop",
    "workshop-map": "on the map of the workshop",
    "workshop-sentences": "on the sentences of the workshop",
    "worth": "on the table of points killed",
}
"""Where the keys of another screen work, by the topic of their ids; those of small windows are not
listed."""

WHOLE, HALF = 1.0, 0.5
"""What raises the score of a line (``_score``): WHOLE for a word of it that begins as a typed one
does, HALF where the typed one only stands within a word."""
WORD_BREAKS = str.maketrans(":-'(/", "     ")
"""Makes blanks of the characters behind which a word may begin."""
MOVING = frozenset(
    [
        "back",
        "close",
        "down",
        "home",
        "leave",
        "no",
        "page_down",
        "page_up",
        "read-back",
        "read-on",
        "up",
        "yes",
    ]
)
"""Keys that only scroll or leave a screen, by the second part of their ids."""


class PaletteLine(NamedTuple):
    """A line of the palette."""

    group: str
    """The heading that it stands under."""
    does: str
    """What it does."""
    run: IgnoreReturnCallbackType
    key: str = ""
    why_not: str = ""
    """Why it cannot be done now; empty: it can."""
    also: str = ""
    """Further words by which it is found."""

    @property
    def text(self) -> str:
        """The whole line, by which it is found: ``Settings: theme: night``."""
        return f"{self.group}: {self.does}"


@dataclass(eq=False)
class PaletteHit(Hit):
    """A line that was found, with the heading it stands under."""

    line: PaletteLine | None = None


class Palette(CommandPalette, Screen[Any]):
    """Textual's palette with its lines under headings; what cannot be done now cannot be chosen."""

    def __init__(self) -> None:
        super().__init__(placeholder="Find a command, a setting, a sheet …")

    def look_again(self) -> None:
        """Search once more for what is typed, as there are more lines now."""
        typed = self.query_one(CommandInput).value.strip()
        if typed:
            self._gather_commands(typed)

    def _action_command_list(self, action: str) -> None:
        with suppress(KeyError):  # Textual fails on a page key before its lines are laid out
            super()._action_command_list(action)

    def _refresh_command_list(
        self, command_list: CommandList, commands: list[Command], clear_current: bool
    ) -> None:
        """Textual's list of what was found, under headings and with its cursor on the best line."""
        del clear_current
        options = list(_under_headings(commands))
        command_list.clear_options().add_options(options)
        for number, option in enumerate(options):
            if not option.disabled:
                command_list.highlighted = number
                break
        self.call_after_refresh(command_list.scroll_home, animate=False)  # to its heading
        # As Textual's own method does, which this one replaces.
        self._list_visible = bool(options)
        self._hit_count = len(options)


def _under_headings(commands: Sequence[Command]) -> Iterator[Option]:
    """The lines under their headings: the group with the best line first, in each group what can be
    done first."""
    groups: dict[str, list[Command]] = {}
    for command in sorted(commands, key=attrgetter("hit.score"), reverse=True):
        line = cast("PaletteHit", command.hit).line
        assert line is not None
        command.disabled = bool(line.why_not)
        groups.setdefault(line.group, []).append(command)
    for group, commands_of_group in groups.items():
        yield Option(Content.styled(group.upper(), "bold $primary"), disabled=True)
        yield from sorted(commands_of_group, key=attrgetter("disabled"))


class EveryCommand(Provider):
    """Finds the lines of the palette. Those of the other screens, whose modules are imported for
    it, come when they are collected: nobody waits for them."""

    async def startup(self) -> None:
        self._lines_at_hand = list(_near_lines(cast("Host", self.app), self.screen))
        self._lines_collected: list[PaletteLine] = []
        self._collecting = asyncio.create_task(self._collect())

    async def shutdown(self) -> None:
        self._collecting.cancel()

    async def _collect(self) -> None:
        """Collect the lines of the other screens, and search again with them."""
        host, screen = cast("Host", self.app), self.screen

        def collected() -> list[PaletteLine]:
            return list(_far_lines(host, screen))

        self._lines_collected = await asyncio.to_thread(collected)
        palette = host.screen
        if isinstance(palette, Palette):
            palette.look_again()

    async def discover(self) -> Hits:
        for line in self._lines_at_hand:
            yield _palette_hit(line, 1.0)

    async def search(self, query: str) -> Hits:
        lines = (*self._lines_at_hand, *self._lines_collected)
        scores = [_score(line, query) for line in lines]
        if not any(scores):
            # Letters in their order, as Textual looks for them.
            matcher = self.matcher(query)
            scores = [matcher.match(line.text) for line in lines]
        for line, score in zip(lines, scores, strict=True):
            if score > 0:
                yield _palette_hit(line, score)


def _palette_hit(line: PaletteLine, score: float) -> Hit:
    return PaletteHit(score, _painted(line), line.run, text=line.text, line=line)


def _painted(line: PaletteLine) -> Content:
    """The line with its key, or greyed with why it cannot be done now."""
    if line.why_not:
        return Content.styled(f"{line.does} ({line.why_not})", "$foreground 65% not bold")
    return Content.assemble(line.does, "  ", (line.key, "$accent bold"))


def _score(line: PaletteLine, query: str) -> float:
    """How well a line fits: 0 unless it has every word that is typed, or its beginning."""
    words = f" {line.text} {line.also}".lower().translate(WORD_BREAKS)
    score = 0.0
    if " " in query and query.lower() in words:
        score += WHOLE  # all that is typed, word for word
    if not line.why_not:
        score += HALF  # what can be done now stands above what cannot
    for typed in query.lower().split():
        forms = _forms(typed)
        if any(f" {form}" in words for form in forms):
            score += WHOLE  # a word begins so
        elif any(form in words for form in forms):
            score += HALF  # it is within a word
        else:
            return 0.0
    return score


def _forms(word: str) -> tuple[str, ...]:
    """A word as it is typed, and in its other number: army, armies; sheets, sheet."""
    if word.endswith("ies"):
        return (word, f"{word[:-3]}y")
    if word.endswith("y"):
        return (word, f"{word[:-1]}ies")
    if word.endswith("s"):
        return (word, word[:-1])
    return (word,)


# ------------------------------------------------------------------ what is at hand


def _near_lines(app: Host, screen: AnyScreen[Any]) -> Iterator[PaletteLine]:
    """What is found at once, and listed before anything is typed."""
    yield from _game_lines(screen)
    yield from _screen_lines(app, screen)
    yield from _menu_lines(app, screen)
    yield from _setting_lines(app, screen)
    yield from _screenshot_lines(app)
    yield from _sheet_lines(app, screen)


def _game_lines(screen: AnyScreen[Any]) -> Iterator[PaletteLine]:
    """What a game declares itself and has no binding for: the commands of all but the flagship."""
    from skirmish.app.play.screen import PlayScreen

    if not isinstance(screen, PlayScreen):
        return
    for command in screen.commands:
        if command.key:
            yield PaletteLine(
                group=capital(screen.TOPIC),
                does=command.label,
                run=partial(screen.press, command.key),
                key=key_name(command.key),
                why_not=_in_brackets(screen.formatted(command.why_not)),
                also=command.help,
            )


def _screen_lines(app: Host, screen: AnyScreen[Any]) -> Iterator[PaletteLine]:
    """The bindings of the screen in front and of the app, each action once; the palette itself is
    open already."""
    # Screens of Textual itself have no topic.
    topic = str(getattr(screen, "TOPIC", "") or "here")
    refusals = _refusals(screen)
    actions_listed = {"command_palette"}
    for active in screen.active_bindings.values():
        binding = active.binding
        if not binding.tooltip or binding.action in actions_listed:
            continue
        actions_listed.add(binding.action)
        group = capital(topic)
        if active.node is app:
            group = EVERYWHERE
        why_not = refusals.get(binding.id or "", "")
        if not active.enabled:
            why_not = _why_not(app, screen, binding)
        yield PaletteLine(
            group=group,
            does=_in_short(binding.tooltip),
            run=partial(app.run_action, binding.action, default_namespace=active.node),
            key=app.get_key_display(binding),
            why_not=why_not,
        )


def _refusals(screen: AnyScreen[Any]) -> dict[str, str]:
    """Why commands of a battle cannot be given now, by the ids of their bindings."""
    # The base of every game's screen: a battle's own takes long to import.
    from skirmish.app.play.ordering import OrderingScreen

    if not isinstance(screen, OrderingScreen):
        return {}
    refusals: dict[str, str] = {}
    for command in screen.commands:
        # Of several commands with one verb the first that can be given counts.
        binding_id = f"{screen.TOPIC}.{command.verb}"
        if not command.why_not or binding_id not in refusals:
            refusals[binding_id] = _in_brackets(screen.formatted(command.why_not))
    return refusals


def _why_not(app: Host, screen: AnyScreen[Any], binding: Binding) -> str:
    """Why a key of this screen or of the app is greyed."""
    # The action alone: ``turn`` of ``screen.turn(1)``.
    action = binding.action.partition("(")[0].rpartition(".")[2]
    for owner in (screen, app):
        # Screens of Textual itself give no reasons.
        reasons = getattr(owner, "WHY_NOT", {})
        if action in reasons:
            return str(reasons[action])
    return NOT_NOW


def _in_brackets(sentence: str) -> str:
    """A sentence as it stands in brackets behind a line."""
    return sentence.strip().removesuffix(".")


def _in_short(tooltip: str) -> str:
    """What a key does, without the details behind a colon: a command is found by a short name."""
    name, _, _ = tooltip.partition(": ")
    return name


# ------------------------------------------------------------------ what is the same everywhere


def _menu_lines(app: Host, screen: AnyScreen[Any]) -> Iterator[PaletteLine]:
    """The entries of the home screen's menu that open a screen."""
    from skirmish.app.home import HomeScreen
    from skirmish.app.home_menu import MENU

    if isinstance(screen, HomeScreen):
        return  # they are its own keys
    for entry in MENU:
        if not entry.action.startswith("app.show("):
            continue
        yield PaletteLine(
            group=OPEN,
            does=f"{entry.label}: {entry.hint}",
            run=partial(_open_from_menu, app, screen, entry.action),
            why_not=_why_not_there(screen, entry.action),
            also=f"{entry.tooltip} {entry.name}",
        )


def _why_not_there(screen: AnyScreen[Any], action: str) -> str:
    """Why a screen of the menu cannot be opened from this one; empty if it can."""
    from skirmish.app.play.ordering import OrderingScreen

    if isinstance(screen, ModalScreen):
        return WINDOW_OPEN
    if _opened_by(action) in {type(below).__name__ for below in screen.app.screen_stack}:
        return "it is open; Esc leads back to it"
    if action in STARTERS and not isinstance(screen, OrderingScreen):
        return FROM_HOME
    return ""


def _opened_by(action: str) -> str:
    """The class of the screen that an action of the menu opens: of ``app.show('games',
    'campaign')`` it is GamesScreen. The menu, as this module, writes the name of the screen first
    and in single quotes."""
    name = action.removeprefix("app.show('").partition("'")[0]
    return SCREENS[name].partition(":")[2]


async def _open_from_menu(app: Host, screen: AnyScreen[Any], action: str) -> None:
    """Open a screen above the one in front; another game begins from home, where this one is
    stored."""
    if action in STARTERS:
        app.home()
    await app.run_action(action, app)


def _setting_lines(app: Host, screen: AnyScreen[Any]) -> Iterator[PaletteLine]:
    """Each value of each setting, and the settings that have a list of their own."""
    from skirmish.app.settings.screen import SETTINGS as TOPICS

    for lines in TOPICS.values():
        for line in lines:
            if not line.options:
                yield PaletteLine(
                    group=SETTINGS,
                    does=f"{line.label}: open the list",
                    run=partial(app.show, line.name),
                    why_not=_why_not_there(screen, f"app.show('{line.name}')"),
                )
            for option in line.options:
                why_not = ""
                if getattr(app.settings, line.name) == option.value:
                    why_not = AS_IT_IS
                yield PaletteLine(
                    group=SETTINGS,
                    does=f"{line.label}: {option.label}",
                    run=partial(_change_setting, app, line.name, option.value),
                    why_not=why_not,
                    also=f"{line.name} {option.value}",
                )


def _ruling_lines(app: Host, screen: AnyScreen[Any]) -> Iterator[PaletteLine]:
    """Each ruling by its number and name; its answers are sentences, so that they are chosen on the
    list of rulings."""
    why_not = _why_not_there(screen, f"app.show('{RULINGS}')")
    for ruling in library.rulings().rulings.values():
        yield PaletteLine(
            group=SETTINGS,
            does=f"Ruling {ruling.id}, {ruling.title}: open the list there",
            run=partial(app.show, RULINGS, ruling.id),
            why_not=why_not,
        )


async def _change_setting(app: Host, name: str, value: object) -> None:
    await app.change_settings(replace(app.settings, **{name: value}))


def _screenshot_lines(app: Host) -> Iterator[PaletteLine]:
    """A picture of the screen, in each kind of file."""
    from skirmish.app.screenshot import KINDS, save_screenshot

    for kind in KINDS.values():
        yield PaletteLine(
            group=SCREENSHOT,
            does=f"Save this screen as {kind.name} ({kind.good_for})",
            run=partial(save_screenshot, app, kind),
            also="picture image photo export",
        )


# ------------------------------------------------------------------ what is printed


def _sheet_lines(app: Host, screen: AnyScreen[Any]) -> Iterator[PaletteLine]:
    """The documents of the flagship, and those of the game in front."""
    from skirmish.app.play.ordering import OrderingScreen
    from skirmish.app.print_choice import documents_of, every_document

    why_not = _why_not_printed(screen)
    if isinstance(screen, OrderingScreen):
        yield from _print_lines(screen, documents_of(app, screen.session), why_not)
    yield from _print_lines(screen, every_document(app), why_not)


def _why_not_printed(screen: AnyScreen[Any]) -> str:
    """Why nothing can be printed now: the questions of printing would stand below a window."""
    if isinstance(screen, ModalScreen):
        return WINDOW_OPEN
    return ""


def _print_lines(
    screen: AnyScreen[Any], documents: Iterable[PrintLine], why_not: str
) -> Iterator[PaletteLine]:
    """A line for each document, which prints it."""
    for document in documents:
        yield PaletteLine(
            group=PRINT,
            does=document.text,
            run=partial(_print_in_worker, screen, document.go),
            why_not=why_not,
            also="print paper PDF document sheet",
        )


def _print_in_worker(screen: AnyScreen[Any], go: Callable[[bool], Awaitable[None]]) -> None:
    """Print in the background; ``go`` prints, with boxes to tick on the screen if it is told so."""

    async def printing() -> None:
        with_boxes = False
        async with cast("Screen[Any]", screen).skirmish.reporting("Printing failed"):
            await go(with_boxes)

    screen.run_worker(printing(), group="print")


# ------------------------------------------------------------------ what is far away


def _far_lines(app: Host, screen: AnyScreen[Any]) -> Iterator[PaletteLine]:
    """Each ruling, the play sheets of other games, and what keys do on other screens. Slow: it
    imports every game and every screen."""
    from skirmish.app.print_choice import blank_sheets

    yield from _ruling_lines(app, screen)
    yield from _print_lines(screen, blank_sheets(app), _why_not_printed(screen))
    yield from _other_screen_lines(app, screen)


def _other_screen_lines(app: Host, screen: AnyScreen[Any]) -> Iterator[PaletteLine]:
    """What keys do on other screens: nothing here, but whoever looks for it finds where it is."""
    from skirmish.app.settings.key_map import FIXED, every_key

    screen_name = type(screen).__name__
    for bound in every_key().values():
        where = WHERE.get(bound.topic)
        if where is None or screen_name in bound.screens:
            continue
        if not bound.is_changeable or _moves_only(bound.id):
            continue
        # A key that players may move has at least one besides those that they may not.
        changeable_keys = [key for key in bound.keys_now(app.settings.keys) if key not in FIXED]
        yield PaletteLine(
            group=capital(where),
            does=_in_short(plain(bound.tooltip)),
            run=_do_nothing,
            why_not=f"{key_name(changeable_keys[0])} there",
            also=bound.topic,
        )


def _moves_only(id: str) -> bool:
    """Whether a key only scrolls or leaves its screen: nobody looks for that from elsewhere."""
    return id.partition(".")[2] in MOVING


def _do_nothing() -> None:
    """A command of another screen is never run from this one."""
