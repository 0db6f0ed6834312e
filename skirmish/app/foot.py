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

from skirmish.app.host import Screen as OurScreen


class FootKey(NamedTuple):
    """A key of the foot, called as it is now."""

    binding: Binding
    enabled: bool
    tooltip: str


class Foot(Footer):
    """Textual's footer without the palette's key, recomposed only when its keys have changed. While
    a text is being typed, keys that would be part of it are left out; a screen's ``foot_labels``
    are what keys are called now, by their actions.

    Textual recomposes it after each key, which took a third of the time of a key.
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
            key.set_reactive(FooterKey.compact, False)
            yield key

    def bindings_changed(self, screen: Screen[object]) -> None:
        """Textual calls it whenever other keys may be active than before."""
        if not (screen.app.app_focus and self.is_attached and screen is self.screen):
            return  # as Textual's own footer does
        writing = isinstance(screen, OurScreen) and screen.writing
        labels: Mapping[str, str] = {}
        if isinstance(screen, OurScreen):
            labels = screen.foot_labels
        foot_keys = []
        for _, binding, enabled, tooltip in screen.active_bindings.values():
            # Only what can be typed: a text takes ``s``, but not ``F2`` or ``Esc``.
            is_character = len(self.app.get_key_display(binding)) == 1
            if not binding.show or (writing and is_character):
                continue
            label = labels.get(binding.action, binding.description)
            foot_keys.append(FootKey(replace(binding, description=label), enabled, tooltip))
        if foot_keys != self._keys:
            self._keys = foot_keys
            self.call_after_refresh(self.recompose)
