"""The keys of the army screens, each with the name by which a player can map it to another."""

from __future__ import annotations

from string import ascii_lowercase

from textual.binding import Binding, BindingType


def _keys(topic: str, *rows: tuple[str, str, str, str, str]) -> list[BindingType]:
    """Bindings of rows (id, keys, action, word, tooltip); one without a word is in the help only.
    Of several keys the first is shown."""
    return [
        Binding(
            keys, action, word or tip, show=bool(word), tooltip=tip, id=f"{topic}.{name}",
            key_display=_SHOWN.get(keys.split(",", maxsplit=1)[0]),
        )
        for name, keys, action, word, tip in rows
    ]  # fmt: skip


def _counting(topic: str) -> list[BindingType]:
    """A count is typed, or goes up and down by one."""
    return [
        *_keys(
            topic,
            ("more", "plus,equals_sign", "add(1)", "Count", "Add one"),
            ("less", "minus,underscore", "add(-1)", "", "Remove one"),
            ("erase", "backspace", "erase", "", "Delete the last digit"),
        ),
        Binding(
            "0", "digit(0)", "Count", show=False, key_display="0-9", id=f"{topic}.digit-0",
            tooltip="Set the count of the chosen line",
        ),
        *(
            Binding(
                str(digit), f"digit({digit})", "Count", show=False, id=f"{topic}.digit-{digit}",
                tooltip="Set the count of the chosen line",
            )
            for digit in range(1, 10)
        ),
    ]  # fmt: skip


_SHOWN = {"plus": "+/-", "minus": "-", "delete": "Del"}

ARMIES = _keys(
    "armies",
    ("new", "n", "new", "New", "Build a new army, from a template or from nothing"),
    ("copy", "c", "copy", "Copy", "Copy the chosen army under another name"),
    ("rename", "r", "rename", "Name", "Rename the chosen army"),
    ("remove", "delete", "remove", "Drop", "Remove the chosen army from the list"),
    ("undo", "u,ctrl+z", "undo", "", "Undo the last copy, new name or removal"),
    ("mark", "space", "mark", "", "Mark the chosen army to compare it with another"),
    ("compare", "v", "compare", "Compare", "Compare two armies: mark one, choose the other"),
    ("figures", "o", "figures", "Owned", "Your own figures, and what this army needs"),
    ("print", "p", "print", "Print", "Print the roster of the chosen army"),
    ("back", "escape", "app.pop_screen", "Home", "Back to the home screen"),
)
"""The list of armies."""

TAKEN = "f"
"""The small letters of the builder that name no row."""

BUILDER = [
    *_counting("army"),
    *_keys(
        "army",
        ("fill", "f", "fill", "Fill", "Spend the points that are left on a mixed army"),
        ("repair", "R", "repair", "Repair", "Repair the first breach with the smallest change"),
        ("next-breach", "B", "next_breach", "", "Show the next breach first"),
        ("groups", "G", "group", "Groups", "Go through the groups; the first time, form one"),
        ("new-group", "A", "new_group", "", "Form another group"),
        ("dissolve", "delete", "dissolve", "", "Dissolve the group; its men stay in the army"),
        ("edit", "E", "edit('name')", "", "Edit name, points, nation, quality and note"),
        ("points", "T", "edit('points')", "", "Change the points"),
        ("nation", "N", "turn('nation')", "", "Next nation"),
        ("quality", "L", "turn('quality')", "", "Next force quality"),
        ("figures", "O", "aside('figures')", "Owned", "Compare your own figures with this army"),
        ("worth", "W", "aside('worth')", "", "What each unit kills for each point it costs"),
        ("print", "P", "print", "Print", "Print the roster"),
        ("undo", "ctrl+z", "undo", "", "Undo the last change"),
        ("redo", "ctrl+y", "redo", "", "Redo what was undone"),
        ("back", "escape", "back", "Back", "Back: from a group to the army, then to the armies"),
    ),
    *(
        Binding(sign, f"row('{sign}')", show=False, id=f"army.sign_{sign}")
        for sign in ascii_lowercase
        if sign not in TAKEN
    ),
]
"""The army builder: small letters choose rows, as in a battle, and capitals give commands."""

BUILDER_HELP = (
    "Press the letter of a row to go to it, then type its count. 0 clears it, Backspace deletes a "
    "digit, + and - add and remove one. An army may break a limit; the screen tells you. Every "
    "change is saved at once.\n\n"
    "Groups are optional: platoons or whatever you like. In a group the count is that of the "
    "group. Men come from those in no group; what is missing is bought.\n\n"
    "MORE is how many more the limits allow. A-5: ace to 5 kills. +: a kill gives another shot. "
    "*: only in contact. Limits: ! broken, … not met yet, ~ waived. PDG: potential dead guys."
)

FORM = _keys(
    "army-form",
    ("close", "escape", "give_up", "", "Cancel"),
    ("take", "enter", "done", "", "Save"),
    ("up", "up", "app.focus_previous", "", "Line above"),
    ("down", "down", "app.focus_next", "", "Line below"),
)
"""The form of an army's terms."""

TURN = _keys(
    "army-form",
    ("before", "left", "turn(-1)", "", "Previous value"),
    ("next", "right,space", "turn(1)", "", "Next value"),
)
"""A line of that form that is turned."""

TEMPLATES = _keys(
    "templates",
    ("take", "enter", "take", "Choose", "Start from this army"),
    ("back", "escape", "give_up", "Armies", "Back to the armies without a new one"),
)
"""What a new army starts from."""

COMPARE = _keys(
    "compare",
    ("differences", "d", "differences", "Differences", "Show only the differences, or everything"),
    ("swap", "x", "swap", "Swap", "Swap left and right"),
    ("print", "p", "print", "Print", "Print both rosters"),
    ("back", "escape", "dismiss", "Armies", "Back to the armies"),
)
"""Two armies side by side."""

WORTH = _keys(
    "worth",
    ("own", "a", "own", "Only ours", "Show only this army's units, or all"),
    ("back", "escape", "dismiss", "Back", "Back to the army"),
)
"""What units are worth."""

FIGURES = [
    *_counting("figures"),
    *_keys(
        "figures",
        ("short", "s", "only_short", "Missing", "Show only what is missing, or everything"),
        ("undo", "ctrl+z", "undo", "Undo", "Undo the last change"),
        ("back", "escape", "back", "Back", "Back; everything is saved"),
    ),
]
"""The figures that are owned."""

LIST = _keys(
    "pieces",
    ("more", "right", "screen.add(1)", "", "Add one to the chosen line"),
    ("less", "left", "screen.add(-1)", "", "Remove one from the chosen line"),
)
"""A list with counts: the arrows change them too."""
