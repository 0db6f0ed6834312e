"""The keys along the foot of a screen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from textual.app import ComposeResult
from textual.binding import Binding
from textual.screen import Screen
from textual.widgets import Footer
from textual.widgets._footer import FooterKey  # one key of the footer, which has no public name

from skirmish.app.base_screen import Screen as OurScreen
from skirmish.app.binding import KEY_NAMES


class FootKey(NamedTuple):
    """A key of the foot, with the label that it has now."""

    binding: Binding
    enabled: bool
    tooltip: str


class Foot(Footer):
    """Textual's footer without the key of the palette. While a text is being typed, keys that would
    be part of it are left out. A screen's ``foot_labels`` are the present labels of keys, by their
    actions.

    It is recomposed only when its keys have changed. Textual does it after each key, which took a
    third of the time that a key took.
    """

    def __init__(self) -> None:
        super().__init__(show_command_palette=False)
        self._keys: list[FootKey] = []

    def compose(self) -> ComposeResult:
        actions = set()
        for binding, enabled, tooltip in self._keys:
            if binding.action in actions:
                continue  # another key of the same action
            actions.add(binding.action)
            key = FooterKey(
                binding.key,
                self.app.get_key_display(binding),
                binding.description,
                binding.action,
                disabled=not enabled,
                tooltip=tooltip,
            )
            key.set_reactive(FooterKey.compact, False)  # as Textual's footer sets it for its keys
            yield key

    def bindings_changed(self, screen: Screen[object]) -> None:
        """Textual calls it whenever the active keys may have changed."""
        if not (screen.app.app_focus and self.is_attached and screen is self.screen):
            return  # the same condition as in Textual's own footer
        text_is_typed = False
        labels: Mapping[str, str] = {}
        if isinstance(screen, OurScreen):
            text_is_typed = screen.is_writing
            labels = screen.foot_labels
        foot_keys = []
        for _, binding, enabled, tooltip in screen.active_bindings.values():
            # A text takes characters such as ``s``, and Backspace, but not ``F2`` or ``Esc``.
            is_character = len(self.app.get_key_display(binding)) == 1
            is_character = is_character or binding.key_display == KEY_NAMES["backspace"]
            if not binding.show or (text_is_typed and is_character):
                continue
            label = labels.get(binding.action, binding.description)
            foot_keys.append(FootKey(replace(binding, description=label), enabled, tooltip))
        if foot_keys != self._keys:
            self._keys = foot_keys
            self.call_after_refresh(self.recompose)
