"""The menu of the home screen: its entries, their keys, and the columns in which they stand."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import NamedTuple

from textual.binding import BindingType
from textual.content import Content
from textual.style import Style

from skirmish import resources
from skirmish.app.binding import keys
from skirmish.app.host import Host
from skirmish.app.text_styles import DIM
from skirmish.tabletop.number_words import number_word


class MenuEntry(NamedTuple):
    """A line of the menu and its binding ``home.<name>``. ``hint`` follows the label; the tooltip
    is for help. An entry without a tooltip is a key of the whole application, which binds it."""

    name: str
    key: str
    action: str
    label: str
    tooltip: str
    hint: str


# The files are counted and not read: reading them takes longer than the first paint may.
SCENARIO_COUNT = number_word(resources.count("plastic/scenarios"))
MENU = (
    MenuEntry("new_battle", "n", "app.show('new battle')", "New battle",
              "Fight a scenario, or two armies", "scenarios or armies"),
    MenuEntry("scenarios", "s", "app.show('scenarios')", "Scenarios",
              f"Read the {SCENARIO_COUNT} scenarios, deal one, or draw your own",
              "read, deal or draw"),
    MenuEntry("armies", "a", "app.show('armies')", "Armies",
              "Build, check and print armies", "build and print them"),
    MenuEntry("campaign", "c", "app.show('games', 'campaign')", "Campaign",
              "Fight several battles with the men who lived", "battle after battle"),
    MenuEntry("beach", "b", "app.show('games', 'beach_head')", "Beach Head",
              "Land on a D-Day beach, alone, with dice and cards", "a game for one"),
    MenuEntry("games", "m", "app.show('games')", "More games",
              "Play another game, or continue one", "every game there is"),
    MenuEntry("print", "p", "screen.print", "Print",
              "Print scenario sheets, rosters, markers, the quick reference", "sheets and rosters"),
    MenuEntry("follow", "f", "screen.follow", "Follow",
              "Watch the chosen battle while others play it", "watch a battle"),
    MenuEntry("rules", "r", "app.reference", "Rules",
              "The rules in our own words", "how to play"),
    MenuEntry("rulings", "g", "app.show('rulings')", "Rulings",
              "Where the rules leave a gap, and how you play it", "gaps in the rules"),
    MenuEntry("settings", "t", "app.show('settings')", "Settings",
              "Units of measure, colours, keys, defaults", "inches, colours, keys"),
    MenuEntry("keys", "?", "app.show_help", "Keys", "", "on every screen"),
    MenuEntry("quit", "q", "app.quit", "Quit", "Quit; everything is saved", "everything is saved"),
)  # fmt: skip

OFF_THE_MENU = (
    MenuEntry("deal", "d", "app.show('deal')", "", "Deal a battle: three to choose from", ""),
    MenuEntry("remove", "delete", "remove", "", "Remove the chosen battle from the list", ""),
    MenuEntry("bring_back", "u", "bring_back", "", "Bring back the removed battle", ""),
)
"""Commands without a line in the menu: one of the list of scenarios, and those of the list of
battles."""
COLUMNS = 2
"""Columns of the menu."""
LABEL_WIDTH, KEY_WIDTH = 12, 3
"""Cells of the label and of the key of an entry."""
ENTRIES_PER_COLUMN = math.ceil(len(MENU) / COLUMNS)
DEFAULT_KEYS = {entry.name: entry.key for entry in (*MENU, *OFF_THE_MENU)}
"""The key of each command, unless the player's key map has another."""


def menu_bindings() -> list[BindingType]:
    """The keys of the menu and of the list of battles, as bindings of the home screen."""
    rows = []
    for entry in (*MENU, *OFF_THE_MENU):
        if entry.tooltip:
            # A click on the menu has to say that the action is the screen's. In a binding of the
            # screen that would mean the window in front: the palette would not grey the key.
            action = entry.action.removeprefix("screen.")
            rows.append((entry.name, entry.key, action, entry.label, entry.tooltip))
    return keys("home", *rows)


def menu_key(name: str, app: Host) -> str:
    """The key of a command under the player's key map."""
    return app.key(f"home.{name}", DEFAULT_KEYS[name])


def menu_column(number: int, app: Host, *, greyed: Collection[str] = ()) -> Content:
    """A column of the menu, counted from 0; each line can be clicked. The entries with the names
    in ``greyed`` would do nothing now."""
    first = number * ENTRIES_PER_COLUMN
    lines = []
    for entry in MENU[first : first + ENTRIES_PER_COLUMN]:
        words = Content.assemble((f"{entry.label:<{LABEL_WIDTH}}", "bold"), entry.hint)
        key = (f"{menu_key(entry.name, app):>{KEY_WIDTH}}  ", "$accent bold")
        click = Style.from_meta({"@click": entry.action})
        line = Content.assemble(key, words.stylize(click))
        if entry.name in greyed:
            line = Content.styled(line.plain, DIM)
        lines.append(line)
    return Content("\n").join(lines)
