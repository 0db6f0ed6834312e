"""The keys of the army screens, each with the name by which a player can map it to another."""

from __future__ import annotations

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
            ("more", "plus,equals_sign", "add(1)", "Count", "One more"),
            ("less", "minus,underscore", "add(-1)", "", "One less"),
            ("erase", "backspace", "erase", "", "Take the last digit away"),
        ),
        Binding(
            "0", "digit(0)", "Count", show=False, key_display="0-9", id=f"{topic}.digit-0",
            tooltip="The count of the chosen line",
        ),
        *(
            Binding(
                str(digit), f"digit({digit})", "Count", show=False, id=f"{topic}.digit-{digit}",
                tooltip="The count of the chosen line",
            )
            for digit in range(1, 10)
        ),
    ]  # fmt: skip


_SHOWN = {"plus": "+/-", "minus": "-", "ctrl+z": "^z", "delete": "Del"}

ARMIES = _keys(
    "armies",
    ("new", "n", "new", "New", "Build a new army, from a template or from nothing"),
    ("copy", "c", "copy", "Copy", "Copy the chosen army under another name"),
    ("rename", "r", "rename", "Name", "Give the chosen army another name"),
    ("remove", "delete", "remove", "Drop", "Take the chosen army off the list"),
    ("undo", "u,ctrl+z", "undo", "", "Take back the last copy, new name or removal"),
    ("mark", "space", "mark", "", "Mark the chosen army, to compare another with it"),
    ("compare", "v", "compare", "Compare", "Two armies side by side: mark one, choose the other"),
    ("figures", "o", "figures", "Owned", "The figures I own, and what this army needs"),
    ("print", "p", "print", "Print", "Print the roster of the chosen army"),
    ("back", "escape", "app.pop_screen", "Home", "Back to the first screen"),
)
"""The list of armies."""

BUILDER = [
    *_counting("army"),
    *_keys(
        "army",
        ("fill", "f", "fill", "Fill", "Riflemen for all points that are left"),
        ("repair", "r", "repair", "Repair", "The smallest repair of the first breach"),
        ("next-breach", "b", "next_breach", "", "The next breach first"),
        ("edit", "e", "edit('name')", "", "Name, points, nation, quality, note"),
        ("points", "t", "edit('points')", "", "Other points"),
        ("nation", "n", "turn('nation')", "", "The next nation"),
        ("quality", "l", "turn('quality')", "", "The next force quality"),
        ("figures", "o", "aside('figures')", "Owned", "My figures, and what this army needs"),
        ("worth", "w", "aside('worth')", "Worth", "What each unit kills for each point it costs"),
        ("print", "p,P", "print", "Print", "Print the roster"),
        ("undo", "ctrl+z", "undo", "", "Take the last change back"),
        ("redo", "ctrl+y", "redo", "", "Bring back what was taken back"),
        ("back", "escape", "back", "Armies", "Back to the armies; all is kept"),
    ),
]
"""The army builder."""

BUILDER_HELP = (
    "The arrows choose a line. Type a number to set its count; + or right adds one, - or left "
    "takes one out. What breaks a limit is done all the same, and said. Every change is kept "
    "by itself.\n\n"
    "MORE is how many more every limit allows. A-5: ace to 5 kills; + a kill gives another "
    "shot; * only touching. A limit's mark: ! broken, … not met yet, ~ waived. PDG: potential "
    "dead guys."
)

FORM = _keys(
    "army-form",
    ("close", "escape", "give_up", "", "Leave all as it was"),
    ("take", "enter", "done", "", "Take it"),
    ("up", "up", "app.focus_previous", "", "The line above"),
    ("down", "down", "app.focus_next", "", "The line below"),
)
"""The form of an army's terms."""

TURN = _keys(
    "army-form",
    ("before", "left", "turn(-1)", "", "The one before"),
    ("next", "right,space", "turn(1)", "", "The next one"),
)
"""A line of that form that is turned."""

TEMPLATES = _keys(
    "templates",
    ("take", "enter", "take", "Take it", "Begin with this army"),
    ("back", "escape", "give_up", "Armies", "Back to the armies, without a new one"),
)
"""What a new army begins from."""

COMPARE = _keys(
    "compare",
    ("differences", "d", "differences", "Differences", "Only what differs, or everything"),
    ("swap", "x", "swap", "Swap", "Change the two places"),
    ("print", "p", "print", "Print", "Print both rosters"),
    ("back", "escape", "dismiss", "Armies", "Back to the armies"),
)
"""Two armies side by side."""

WORTH = _keys(
    "worth",
    ("own", "a", "own", "Only ours", "Only the units of this army, or all"),
    ("back", "escape", "dismiss", "Back", "Back to the army"),
)
"""What units are worth."""

FIGURES = [
    *_counting("figures"),
    *_keys(
        "figures",
        ("short", "s", "only_short", "Short", "Only what is short, or everything"),
        ("undo", "ctrl+z", "undo", "Undo", "Take the last change back"),
        ("back", "escape", "back", "Back", "Back; all is kept"),
    ),
]
"""The figures that are owned."""

LIST = _keys(
    "pieces",
    ("more", "right", "screen.add(1)", "", "One more of the chosen line"),
    ("less", "left", "screen.add(-1)", "", "One less of the chosen line"),
)
"""A list with counts: the arrows change them too."""
