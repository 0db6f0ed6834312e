"""The keys of the rules, each with the name by which a player can map it to another."""

from __future__ import annotations

from string import ascii_lowercase

from textual.binding import Binding, BindingType

MOST_LINKS = 9
"""See-also lines that have a digit."""

KEYS: list[BindingType] = [
    Binding("slash", "search", "Search", id="rules.search", tooltip="Search the rules"),
    Binding(
        "1",
        "follow(1)",
        "See also",
        id="rules.follow",
        key_display="1-9",
        tooltip="Go to the rule with that number",
    ),
    *(
        Binding(str(digit), f"follow({digit})", show=False, id=f"rules.sign_{digit}")
        for digit in range(2, MOST_LINKS + 1)
    ),
    Binding(
        "pagedown,space",
        "read(1)",
        "Read on",
        id="rules.read-on",
        key_display="PgDn",
        tooltip="Scroll down the rule",
    ),
    Binding("pageup", "read(-1)", show=False, id="rules.read-back", tooltip="Scroll up the rule"),
    Binding("P", "print", "Print", id="rules.print", tooltip="Print the quick reference"),
    Binding(
        "O",
        "app.odds",
        "Odds",
        id="rules.odds",
        tooltip="Show the odds of every weapon against every target",
    ),
    Binding(
        "escape",
        "back",
        "Back",
        id="rules.back",
        key_display="Esc",
        tooltip="Back to where you were",
    ),
    Binding("f1", "dismiss", show=False, id="rules.close", tooltip="Close the rules"),
    *(
        Binding(letter, f"letter('{letter}')", show=False, id=f"rules.sign_{letter}")
        for letter in ascii_lowercase
    ),
]
"""Small letters go to titles, digits to what else to read."""
