"""The lines of the command palette: what can be done on the screen in front and everywhere, and
what keys do on other screens. Begin with ``lines_at_hand`` and ``lines_of_everything_else``."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from msgspec.structs import replace
from textual import actions
from textual.types import IgnoreReturnCallbackType

from skirmish import library
from skirmish.app.base_screen import ModalScreen, Screen
from skirmish.app.binding import key_name
from skirmish.app.host import SCREENS, Host
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
"""The name, in `SCREENS`, of the screen that lists the rulings."""
EVERYWHERE = "On every screen"
GO_TO = "Go to"
SETTINGS = "Settings"
SCREENSHOT = "Screenshot"
PRINT = "Print"
"""Headings of the groups, in their order; that of the screen in front stands above them."""
TO_ANOTHER_GAME = frozenset(
    {"app.show('new battle')", "app.show('games', 'beach_head')", "app.show('games')"}
)
"""Actions of the home screen's menu that lead to another game than the one in front."""
WHERE_OF_TOPIC = {
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
"""Where the keys of another screen work, by the topic of their ids. Topics of small windows are
left out, since nobody looks for their keys from elsewhere."""

VERBS_OF_MOVING = frozenset(
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
"""The second part of the ids of keys that only scroll, answer or leave a screen."""


class PaletteLine(NamedTuple):
    """A line of the palette."""

    group: str
    """The heading that it stands under."""
    does: str
    """What choosing it does, in words."""
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


def lines_at_hand(app: Host, screen: AnyScreen[Any]) -> Iterator[PaletteLine]:
    """The lines that are found at once, and listed before anything is typed."""
    yield from _game_lines(screen)
    yield from _screen_lines(app, screen)
    yield from _menu_lines(app, screen)
    yield from _setting_lines(app, screen)
    yield from _screenshot_lines(app)
    yield from _sheet_lines(app, screen)


def lines_of_everything_else(app: Host, screen: AnyScreen[Any]) -> Iterator[PaletteLine]:
    """The lines that are found only once something is typed: each ruling, the play sheets of other
    games, and what keys do on other screens. Slow, as it imports every game and every screen."""
    from skirmish.app.print_choice import blank_sheets

    yield from _ruling_lines(app, screen)
    yield from _print_lines(screen, blank_sheets(app), _why_not_printed(screen))
    yield from _other_screen_lines(app, screen)


# ------------------------------------------------------------------ the screen in front


def _game_lines(screen: AnyScreen[Any]) -> Iterator[PaletteLine]:
    """The commands of the game in front that the game itself declares. The flagship's are bindings
    (``_screen_lines``)."""
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
            why_not = _why_greyed(app, screen, binding)
        yield PaletteLine(
            group=group,
            does=_in_short(binding.tooltip),
            run=partial(app.run_action, binding.action, default_namespace=active.node),
            key=app.get_key_display(binding),
            why_not=why_not,
        )


def _refusals(screen: AnyScreen[Any]) -> dict[str, str]:
    """Why commands of the game in front cannot be given now, by the ids of their bindings; empty
    for one that can."""
    # The base of every game's screen: that of a battle takes long to import.
    from skirmish.app.play.ordering import OrderingScreen

    if not isinstance(screen, OrderingScreen):
        return {}
    refusals: dict[str, str] = {}
    for command in screen.commands:
        # One key may stand for several commands. It is greyed only if none of them can be given,
        # and then the first one says why.
        binding_id = f"{screen.TOPIC}.{command.verb}"
        if command.why_not:
            refusals.setdefault(binding_id, _in_brackets(screen.formatted(command.why_not)))
        else:
            refusals[binding_id] = ""
    return refusals


def _why_greyed(app: Host, screen: AnyScreen[Any], binding: Binding) -> str:
    """Why a key of this screen or of the app is greyed."""
    _, name, _ = actions.parse(binding.action)  # ``turn`` of ``screen.turn(1)``
    for owner in (screen, app):
        # Screens of Textual itself give no reasons.
        reasons = getattr(owner, "WHY_NOT", {})
        if name in reasons:
            return str(reasons[name])
    return NOT_NOW


def _in_brackets(sentence: str) -> str:
    """A sentence as it stands in the brackets behind a line: without its full stop."""
    return sentence.strip().removesuffix(".")


def _in_short(tooltip: str) -> str:
    """What a key does, without the details behind a colon."""
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
        _, name, _ = actions.parse(entry.action)
        if name != "show":
            continue
        yield PaletteLine(
            group=GO_TO,
            does=f"{entry.label}: {entry.hint}",
            run=partial(_open_from_menu, app, screen, entry.action),
            why_not=_why_not_from_menu(screen, entry.action),
            also=f"{entry.tooltip} {entry.name}",
        )


def _why_not_from_menu(screen: AnyScreen[Any], action: str) -> str:
    """Why an entry of the menu that opens a screen cannot be chosen on this one; empty if it
    can."""
    from skirmish.app.play.ordering import OrderingScreen

    # The name of the screen comes first: ``app.show('games', 'campaign')``.
    _, _, (screen_name, *_) = actions.parse(action)
    why_not = _why_not_opened(screen, str(screen_name))
    if why_not:
        return why_not
    # Another game begins from the home screen. A game can be left for it, as it is stored; other
    # screens may have begun something that would be lost, such as a set-up.
    if action in TO_ANOTHER_GAME and not isinstance(screen, OrderingScreen):
        return FROM_HOME
    return ""


def _why_not_opened(screen: AnyScreen[Any], screen_name: str) -> str:
    """Why a screen of `SCREENS` cannot be opened from this one; empty if it can."""
    if isinstance(screen, ModalScreen):
        return WINDOW_OPEN
    # By the name of its class, so that the screen need not be imported for this.
    _, _, class_name = SCREENS[screen_name].partition(":")
    open_classes = {type(open_screen).__name__ for open_screen in screen.app.screen_stack}
    if class_name in open_classes:
        return "it is open; Esc leads back to it"
    return ""


async def _open_from_menu(app: Host, screen: AnyScreen[Any], action: str) -> None:
    """Open a screen above the one in front; what leads to another game, above the home screen. The
    game in front is stored and closes."""
    if action in TO_ANOTHER_GAME:
        app.go_home()
    await app.run_action(action, app)


def _setting_lines(app: Host, screen: AnyScreen[Any]) -> Iterator[PaletteLine]:
    """Each value of each setting, and the settings that have a list of their own."""
    from skirmish.app.settings.screen import SETTINGS as SETTING_TOPICS

    for lines in SETTING_TOPICS.values():
        for line in lines:
            if not line.options:
                yield PaletteLine(
                    group=SETTINGS,
                    does=f"{line.label}: open the list",
                    run=partial(app.show, line.name),
                    why_not=_why_not_opened(screen, line.name),
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
    """Each ruling by its number and name. Its answers are whole sentences, too long for a line of
    the palette: it opens the list of rulings."""
    why_not = _why_not_opened(screen, RULINGS)
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

    for kind in KINDS:
        yield PaletteLine(
            group=SCREENSHOT,
            does=f"Save this screen as {kind.name} ({kind.good_for})",
            run=partial(save_screenshot, app, kind),
            also="picture image photo export",
        )


# ------------------------------------------------------------------ what is printed


def _sheet_lines(app: Host, screen: AnyScreen[Any]) -> Iterator[PaletteLine]:
    """The documents of the game in front, then those of the flagship."""
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
            run=partial(_print_in_worker, screen, document.print_or_ask),
            why_not=why_not,
            also="print paper PDF document sheet",
        )


def _print_in_worker(
    screen: AnyScreen[Any], print_or_ask: Callable[[bool], Awaitable[None]]
) -> None:
    """Print in a worker, without boxes to tick on the screen; ``print_or_ask`` is that of a
    `PrintLine`."""

    async def printing() -> None:
        with_boxes = False
        async with cast("Screen[Any]", screen).skirmish.reporting("Printing failed"):
            await print_or_ask(with_boxes)

    screen.run_worker(printing(), group="print")


# ------------------------------------------------------------------ keys of other screens


def _other_screen_lines(app: Host, screen: AnyScreen[Any]) -> Iterator[PaletteLine]:
    """What keys do on other screens. It cannot be done here, but whoever looks for it learns
    where."""
    from skirmish.app.settings.key_map import FIXED, every_key

    screen_name = type(screen).__name__
    for bound in every_key().values():
        where = WHERE_OF_TOPIC.get(bound.topic)
        if where is None or screen_name in bound.screens:
            continue
        if not bound.is_changeable or _moves_only(bound.id):
            continue
        # At least one is left, as the key is changeable.
        changeable_keys = [key for key in bound.keys_now(app.settings.keys) if key not in FIXED]
        yield PaletteLine(
            group=capital(where),
            does=_in_short(plain(bound.tooltip)),
            run=_do_nothing,
            why_not=f"{key_name(changeable_keys[0])} there",
            also=bound.topic,
        )


def _moves_only(id: str) -> bool:
    """Whether a key only scrolls, answers or leaves its screen: nobody looks for that from
    elsewhere."""
    _, _, verb = id.partition(".")
    return verb in VERBS_OF_MOVING


def _do_nothing() -> None:
    """What the line of a key of another screen runs; being greyed, it cannot be chosen."""
