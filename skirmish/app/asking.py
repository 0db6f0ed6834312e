"""Windows that ask: yes or no, a line of a list, a text."""

# These are not among the other windows (``windows.py``): the start needs neither lists nor text
# entries, and importing them takes a tenth of the time until the first key is answered.

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from skirmish.app.binding import keys
from skirmish.app.windows import Window
from skirmish.tabletop.typed import plain, plain_lines

TOO_MANY_FOR_DIGITS = 10
"""The number of lines from which a digit only moves to its line, since it may begin a longer
number."""


class YesOrNo(Window[bool]):
    """Asks a question that is answered by yes (True) or no (False). Enter answers nothing, so that
    a key typed in haste changes nothing."""

    TOPIC: ClassVar[str] = "question"
    CLOSES = ""
    # Each row: id, keys, action, label at the foot, words of the help.
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "question",
        ("yes", "y", "answer(True)", "Yes", "Yes"),
        ("no", "n,escape", "answer(False)", "No", "No"),
    )

    def __init__(self, title: str, text: str, *, yes: str, no: str) -> None:
        super().__init__(title, text)
        self._yes, self._no = plain(yes), plain(no)

    def body(self) -> ComposeResult:
        rows = [
            Content(),
            _answer_row("y", self._yes, answer=True),
            _answer_row("n", self._no, answer=False),
        ]
        yield Static(Content("\n").join(rows))

    def action_answer(self, answer: bool) -> None:
        self.dismiss(answer)


def _answer_row(key: str, words: str, answer: bool) -> Content:
    """An answer with its key, which can be clicked."""
    row = Content.assemble((f" {key}  ", "$accent bold"), words)
    # The words may hold typed text, such as the name of an army, so they are never parsed as
    # markup: the link is a style around them.
    return row.stylize(f"@click=screen.answer({answer})")


def _digit_keys() -> list[BindingType]:
    """A binding for each digit that can choose a line. As with ``signs``, it is by their ids that
    players cannot remap them."""
    bindings: list[BindingType] = []
    for digit in range(1, TOO_MANY_FOR_DIGITS):
        binding = Binding(
            str(digit),
            f"take({digit})",
            show=False,
            tooltip=f"Choose line {digit}",
            id=f"choice.sign_{digit}",
        )
        bindings.append(binding)
    return bindings


class OfferedChoice(NamedTuple):
    """A line that can be chosen."""

    id: str
    words: str


class ChoiceScreen(Window[str | None]):
    """Asks for one of several ``choices``; returns its id, or None for Esc."""

    TOPIC: ClassVar[str] = "choice"
    CLOSES = "Enter chooses, Esc cancels."
    BINDINGS: ClassVar[list[BindingType]] = [
        *keys("choice", ("close", "escape", "give_up", "", "Close without choosing")),
        *_digit_keys(),
    ]

    def __init__(self, title: str, text: str, choices: Sequence[OfferedChoice]) -> None:
        super().__init__(title, text)
        self._choices = choices

    def body(self) -> ComposeResult:
        yield Static("", markup=False)
        options = []
        # One more digit from the tenth line on: the words of all lines begin in the same column.
        number_width = len(str(len(self._choices)))
        for number, choice in enumerate(self._choices, 1):
            words = plain_lines(choice.words)
            text = Content.assemble((f" {number:>{number_width}} ", "$accent bold"), words)
            options.append(Option(text, id=choice.id))
        yield OptionList(*options, classes="lines", markup=False)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_id)

    def action_take(self, number: int) -> None:
        """Choose the line of this number; in a long list only go to it."""
        if number > len(self._choices):
            return
        if len(self._choices) < TOO_MANY_FOR_DIGITS:
            self.dismiss(self._choices[number - 1].id)
        else:
            self.query_one(OptionList).highlighted = number - 1


class TextEntry(Window[str | None]):
    """Asks a ``question``; returns the text that is entered, or None for Esc.

    The entry begins with ``text``. ``check`` raises ValueError with a sentence for an invalid text:
    the window then stays open and shows the sentence. The default, ``str``, accepts every text.
    ``longest`` is the most characters that can be typed; a ``secret`` text is shown as dots.
    """

    DEFAULT_CSS = """
    TextEntry {
        Input {
            width: 100%;
            background: $panel;
        }
        #entry-wrong {
            color: $warning;
            height: auto;
            min-height: 2;
        }
    }
    """
    TOPIC: ClassVar[str] = "entry"
    CLOSES = "Enter accepts, Esc cancels."
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "entry", ("close", "escape", "give_up", "", "Cancel; nothing changes")
    )

    def __init__(
        self,
        title: str,
        question: str,
        text: str = "",
        check: Callable[[str], object] = str,
        *,
        longest: int = 500,
        secret: bool = False,
    ) -> None:
        super().__init__(title, question)
        self._text_at_first = plain(text)
        self._check = check
        self._longest = longest
        self._secret = secret

    def body(self) -> ComposeResult:
        yield Static("", markup=False)
        yield Input(
            self._text_at_first,
            max_length=self._longest,
            password=self._secret,
            id="entry",
            compact=True,
        )
        yield Static("", id="entry-wrong", markup=False)

    def on_mount(self) -> None:
        self.query_one(Input).focus()

    def on_input_changed(self) -> None:
        # The message was about the text that was entered before, which is being changed now.
        self.query_one("#entry-wrong", Static).update("")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        try:
            self._check(event.value)
        except ValueError as error:
            self.query_one("#entry-wrong", Static).update(str(error))
        else:
            self.dismiss(event.value)
