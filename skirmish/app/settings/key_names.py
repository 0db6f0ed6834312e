"""What keys are called on the screen, also after the player has mapped them to others."""

from __future__ import annotations

from collections.abc import Mapping

from textual.binding import Binding
from textual.keys import format_key

from skirmish.app.host import Host

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


def shown_key(app: Host, binding: Binding) -> str:
    """The key that a binding has for this player, as the screen shows it."""
    if binding.id and app.settings.keys.get(binding.id):
        return key_name(key_in_force(app.settings.keys, binding.id, binding.key))
    return binding.key_display or key_name(key_in_force({}, None, binding.key))
