"""A small window with one question, answered by one key."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from skirmish.app.host import ModalScreen, by_lines
from skirmish.tabletop.typed import plain


class YesOrNo(ModalScreen[bool]):
    """Gives whether it was yes. Enter is no answer: a hand that is too quick changes nothing."""

    CSS_PATH = "yes_or_no.tcss"
    TOPIC: ClassVar[str] = "question"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Yes", id="question.yes", tooltip="Yes"),
        Binding("n,escape", "answer(False)", "No", id="question.no", tooltip="No"),
    ]

    def __init__(self, title: str, text: str, *, yes: str, no: str) -> None:
        super().__init__()
        self._title = plain(title)
        self._text = by_lines(text)
        self._answers = (("y", plain(yes), True), ("n", plain(no), False))

    def compose(self) -> ComposeResult:
        """Title, what it is about, both answers."""
        answers = [
            Content.assemble((f" {key}  ", "$accent bold"), says).stylize(
                f"@click=screen.answer({answer})"
            )
            for key, says, answer in self._answers
        ]
        with Vertical(classes="window"):
            yield Static(self._title, classes="title", markup=False)
            yield Static(f"\n{self._text}\n", markup=False)
            yield Static(Content("\n").join(answers))

    def action_answer(self, answer: bool) -> None:
        """Answered."""
        self.dismiss(answer)
