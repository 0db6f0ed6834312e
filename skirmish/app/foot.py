"""The keys along the foot of a screen."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.binding import Binding
from textual.screen import Screen
from textual.widgets import Footer
from textual.widgets._footer import FooterKey


class Foot(Footer):
    """Textual's footer without the palette's key, made anew only when it would say something else.

    Textual's own makes a dozen widgets after each key that is pressed, though most keys change
    nothing in it; that was a third of what such a key cost.
    """

    def __init__(self) -> None:
        super().__init__(show_command_palette=False)
        self._says: list[tuple[Binding, bool, str]] = []

    def compose(self) -> ComposeResult:
        said = set()
        for binding, enabled, tooltip in self._says:
            if binding.action not in said:
                said.add(binding.action)
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
        if not (screen.app.app_focus and self.is_attached and screen is self.screen):
            return
        says = [
            (binding, enabled, tooltip)
            for _, binding, enabled, tooltip in screen.active_bindings.values()
            if binding.show
        ]
        if says != self._says:
            self._says = says
            self.call_after_refresh(self.recompose)
