"""A small window with a list to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from skirmish.app.host import ModalScreen, by_lines
from skirmish.tabletop.typed import plain

FEW = 10
"""Lines from which a digit only goes to its line: there are longer numbers."""


class ChoiceScreen(ModalScreen[str | None]):
    """One of several; gives its id, or None where Esc is pressed."""

    TOPIC: ClassVar[str] = "choice"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "escape",
            "give_up",
            "Close",
            show=False,
            tooltip="Close without choosing",
            id="choice.close",
        ),
        *(
            Binding(
                str(n),
                f"take({n})",
                show=False,
                tooltip=f"Choose line {n}",
                id=f"choice.sign_{n}",
            )
            for n in range(1, FEW)
        ),
    ]

    def __init__(self, title: str, text: str, choices: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self._title = plain(title)
        self._text = by_lines(text)
        self._choices = [(name, by_lines(words)) for name, words in choices]

    def compose(self) -> ComposeResult:
        """Title, what it is about, the list."""
        with Vertical(classes="window"):
            yield Static(self._title, classes="title", markup=False)
            if self._text:
                yield Static("\n" + self._text, id="choice-about", markup=False)
            yield Static("", markup=False)
            yield OptionList(
                *(
                    Option(Content.assemble((f" {n} ", "$accent bold"), words), id=name)
                    for n, (name, words) in enumerate(self._choices, 1)
                ),
                classes="lines",
                markup=False,
            )
            yield from self.closing()

    def closing(self) -> ComposeResult:
        """What stands below the list."""
        yield Static("\nEnter chooses, Esc cancels.", classes="quiet", markup=False)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Chosen."""
        self.dismiss(event.option_id)

    def action_take(self, number: int) -> None:
        """A digit chooses its line; of ten lines and more it only goes there."""
        if number <= len(self._choices) < FEW:
            self.dismiss(self._choices[number - 1][0])
        elif number <= len(self._choices):
            self.query_one(OptionList).highlighted = number - 1

    def action_give_up(self) -> None:
        """Nothing chosen."""
        self.dismiss(None)
