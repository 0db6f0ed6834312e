"""A small window with a list to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option


class ChoiceScreen(ModalScreen[str | None]):
    """One of several; gives its id, or None where Esc is pressed. Digits choose at once."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "give_up", "Close", show=False, tooltip="Choose nothing")
    ]

    def __init__(self, title: str, text: str, choices: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self._title = title
        self._text = text
        self._choices = choices

    def compose(self) -> ComposeResult:
        """Title, what it is about, the list."""
        with Vertical(classes="window"):
            yield Static(self._title, classes="title", markup=False)
            if self._text:
                yield Static("\n" + self._text, markup=False)
            yield Static("", markup=False)
            yield OptionList(
                *(
                    Option(Content.assemble((f" {n} ", "$accent bold"), words), id=name)
                    for n, (name, words) in enumerate(self._choices, 1)
                ),
                markup=False,
            )
            yield Static("\nEnter takes it, Esc closes.", classes="quiet", markup=False)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Chosen."""
        self.dismiss(event.option_id)

    def on_key(self, event: object) -> None:
        """A digit chooses its line, where there are fewer than ten."""
        character = getattr(event, "character", None) or ""
        few = len(self._choices) < 10
        if few and character.isdigit() and 0 < int(character) <= len(self._choices):
            self.dismiss(self._choices[int(character) - 1][0])

    def action_give_up(self) -> None:
        """Nothing chosen."""
        self.dismiss(None)
