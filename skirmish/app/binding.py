"""Keys: as bindings of a screen, and what they are called there once a player has mapped them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

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
"""Keys that are no signs, as the strips and the help write them."""


def key_name(key: str) -> str:
    """One key as people call it: ``F2``, ``PgUp``, ``>``, ``Ctrl+Y``."""
    *modifiers, last = key.split("+") if len(key) > 1 else [key]
    named = NAMES.get(last, format_key(last))
    return "+".join(
        [*map(str.capitalize, modifiers), named.upper() if modifiers and len(named) == 1 else named]
    )


def key_in_force(mapped: Mapping[str, str], id: str | None, key: str) -> str:
    """The key of a binding under a key map (binding id to key); of several, the first."""
    return (mapped.get(id or "") or key).split(",")[0].strip()


SHOWN = {"plus,equals_sign": "+/-"}
"""Keys that stand for two on the last line of a screen."""


def keys(topic: str, *rows: tuple[str, str, str, str, str]) -> list[BindingType]:
    """Bindings of rows (id, keys, action, word, tooltip); one without a word is in the help only.
    Of several keys the first is shown. Players may map each to another, by ``topic.id``."""
    return [
        Binding(
            key,
            action,
            word or tooltip,
            show=bool(word),
            tooltip=tooltip,
            id=f"{topic}.{name}",
            key_display=SHOWN.get(key),
        )
        for name, key, action, word, tooltip in rows
    ]


def signs(topic: str, signs: Iterable[str], action: str = "press") -> list[BindingType]:
    """Bindings of signs that name rows, answers and numbers: never mapped, in no help."""
    return [
        Binding(sign, f"{action}('{sign}')", show=False, id=f"{topic}.sign_{sign}")
        for sign in signs
    ]
