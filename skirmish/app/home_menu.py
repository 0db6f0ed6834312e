"""The menu of the home screen, once: its lines, its keys and its help are made of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from textual.binding import Binding, BindingType
from textual.content import Content

TOPIC = "home"
COLUMNS = 2


class Entry(NamedTuple):
    """A line of the menu: the ``verb`` of its binding (``home.<verb>``), its key, its word, what it
    is for in a few words, the action, and all of that as a sentence for help and palette."""

    verb: str
    key: str
    word: str
    why: str
    action: str
    tells: str


MENU = (
    Entry("new_battle", "n", "New battle", "scenarios or armies", "screen.new_battle",
          "Fight a scenario, or two armies"),
    Entry("scenarios", "s", "Scenarios", "read all ten", "screen.scenarios",
          "Read the ten scenarios"),
    Entry("armies", "a", "Armies", "build and print them", "screen.armies",
          "Build, check and print armies"),
    Entry("beach", "b", "Beach Head", "a game for one", "screen.beach",
          "Land on a D-Day beach, alone, with dice and cards"),
    Entry("games", "m", "More games", "every game there is", "screen.games",
          "Play another game, or continue one"),
    Entry("print", "p", "Print", "sheets and rosters", "screen.print",
          "Print scenario sheets, rosters, markers, the quick reference"),
    Entry("follow", "f", "Follow", "watch a battle", "screen.follow",
          "Watch the chosen battle while others play it"),
    Entry("rules", "r", "Rules", "how to play", "app.reference",
          "The rules in our own words"),
    Entry("rulings", "g", "Rulings", "gaps in the rules", "screen.rulings",
          "Where the rules leave a gap, and how you play it"),
    Entry("settings", "t", "Settings", "inches, colours, keys", "screen.settings",
          "Units of measure, colours, keys, defaults"),
    Entry("keys", "?", "Keys", "on every screen", "app.show_help", ""),
    Entry("quit", "q", "Quit", "everything is saved", "app.quit", "Quit; everything is saved"),
)  # fmt: skip

OTHERS = {"remove": "Del", "bring_back": "u"}
"""Keys of home that are not in the menu."""
PER_COLUMN = -(-len(MENU) // COLUMNS)


def bindings() -> list[BindingType]:
    """The keys of the menu; ``?`` is the app's own."""
    return [
        Binding(entry.key, entry.action, entry.word, tooltip=entry.tells, id=binding_id(entry.verb))
        for entry in MENU
        if entry.tells
    ]


def binding_id(verb: str) -> str:
    """``home.new_battle``."""
    return f"{TOPIC}.{verb}"


def menu_key(verb: str, mapped: Mapping[str, str]) -> str:
    """The key of a line as it is to be pressed, where the player may have ``mapped`` others."""
    key = next((entry.key for entry in MENU if entry.verb == verb), OTHERS.get(verb, ""))
    if binding_id(verb) not in mapped:
        return key
    from skirmish.app.settings.key_names import key_in_force, key_name

    return key_name(key_in_force(mapped, binding_id(verb), key))


def menu_column(number: int, mapped: Mapping[str, str]) -> Content:
    """The lines of one column. Each can be clicked."""
    lines = MENU[number * PER_COLUMN : (number + 1) * PER_COLUMN]
    return Content("\n").join(
        Content.assemble(
            (f"{menu_key(entry.verb, mapped):>3}  ", "$accent bold"),
            Content.assemble((f"{entry.word:<12}", "bold"), entry.why).stylize(
                f"@click={entry.action}"
            ),
        )
        for entry in lines
    )
