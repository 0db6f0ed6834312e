"""Keys as bindings of a screen, and their names under the player's key map."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from textual.binding import Binding, BindingType
from textual.keys import format_key

NAMES = {
    "space": "Space",
    "enter": "Enter",
    "escape": "Esc",
    "tab": "Tab",
    "backspace": "⌫",
    "delete": "Del",
    "insert": "Ins",
    "home": "Home",
    "end": "End",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    **{f"f{number}": f"F{number}" for number in range(1, 25)},
}
"""Names of keys that are not characters, for strips and help."""


class KeyLine(NamedTuple):
    """A line of the help: a key, what it does, and whether it is available now. A line without a
    key is a heading."""

    key: str
    does: str
    available: bool
    id: str = ""
    """The id of the binding; empty for keys that are no bindings."""


class KeyGroup(NamedTuple):
    """The title of a group of keys, and the ids of its bindings."""

    title: str
    ids: list[str]


def key_name(key: str) -> str:
    """A key as it is displayed: ``F2``, ``PgUp``, ``>``, ``Ctrl+Y``."""
    modifiers: list[str] = []
    last = key
    if len(key) > 1:  # the plus sign itself is no modifier
        *modifiers, last = key.split("+")
    name = NAMES.get(last, format_key(last))
    if modifiers and len(name) == 1:
        name = name.upper()
    return "+".join([*map(str.capitalize, modifiers), name])


def key_in_force(key_map: Mapping[str, str], id: str | None, default: str) -> str:
    """The key of a binding under a key map (binding id to keys), or its ``default``; the first if
    there are several."""
    keys_in_order = key_map.get(id or "") or default
    return keys_in_order.split(",")[0].strip()


SHOWN_TOGETHER = {"plus,equals_sign": "+/-"}
"""Pairs of keys that share an entry in the footer."""


def keys(topic: str, *rows: tuple[str, str, str, str, str]) -> list[BindingType]:
    """Bindings from rows (id, keys, action, label, tooltip); without a label they are in the help
    only. The first of several keys is shown. Players may remap each by ``topic.id``."""
    bindings: list[BindingType] = []
    for name, key, action, label, tooltip in rows:
        binding = Binding(
            key,
            action,
            label or tooltip,  # Textual wants a description also where none is shown
            show=bool(label),
            tooltip=tooltip,
            id=f"{topic}.{name}",
            key_display=SHOWN_TOGETHER.get(key),
        )
        bindings.append(binding)
    return bindings


def signs(topic: str, characters: Iterable[str], action: str = "press") -> list[BindingType]:
    """Bindings of characters that name rows, answers and numbers: never remapped, not in the
    help."""
    return [
        Binding(sign, f"{action}('{sign}')", show=False, id=f"{topic}.sign_{sign}")
        for sign in characters
    ]
