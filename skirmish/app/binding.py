"""Bindings of screens, the names of their keys, and their keys under the player's key map."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from textual.binding import Binding, BindingType
from textual.keys import format_key

KEY_NAMES = {
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
"""What the foot of a screen and the help call keys that are not characters."""


class KeyLine(NamedTuple):
    """A line of the help: a key, what it does, and whether it is available now."""

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
    if len(key) > 1:  # a single + is the key itself and separates nothing
        *modifiers, last = key.split("+")
    name = KEY_NAMES.get(last, format_key(last))
    if modifiers and len(name) == 1:
        name = name.upper()
    return "+".join([*map(str.capitalize, modifiers), name])


def answer_key_name(key: str) -> str:
    """The key of an answer as it is displayed. Among many answers it is two letters, one typed
    after the other, and never the name of a key: ``at`` is not ``@``, and ``up`` no arrow."""
    is_typed_as_it_is = len(key) == 1 or (len(key) == 2 and key.isalpha())
    if is_typed_as_it_is:
        return key
    return key_name(key)


def key_in_force(key_map: Mapping[str, str], id: str | None, default: str) -> str:
    """The key of a binding: that of the player's key map, which has keys by the ids of bindings,
    or else its ``default``; the first if there are several, separated by commas."""
    keys_text = default
    if id is not None and key_map.get(id):
        keys_text = key_map[id]
    return keys_text.split(",")[0].strip()


SHOWN_TOGETHER = {"plus,equals_sign": "+/-"}
"""What the footer shows for keys of one binding, if it is not only the first of them."""


def keys(topic: str, *rows: tuple[str, str, str, str, str]) -> list[BindingType]:
    """Bindings from rows (name, keys, action, label, tooltip). Without a label a binding is in the
    help only. Of several keys, separated by commas, the first is shown. Players may remap each
    binding by its id, ``topic.name``."""
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
    """Bindings of the characters that stand for rows, answers and numbers. They are not in the
    help, and players cannot remap them."""
    return [
        Binding(sign, f"{action}('{sign}')", show=False, id=f"{topic}.sign_{sign}")
        for sign in characters
    ]
