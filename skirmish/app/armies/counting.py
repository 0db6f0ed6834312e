"""A screen of pieces with counts, which are typed or changed by one. The builder is such a screen,
and so is that of the player's own figures."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar, Generic, TypeVar

from textual import work
from textual.binding import Binding, BindingType
from textual.widgets import Static

from skirmish.app.armies.editing import Editing
from skirmish.app.binding import keys
from skirmish.app.line_list import LineList, LineScreen
from skirmish.games.plastic.rules.army import MOST_PIECES
from skirmish.store.errors import StoreError

T = TypeVar("T")
NOTHING_LOST = "Nothing on the screen is lost. The next change will try to save everything again."
"""Follows the reason why something could not be saved."""


def counting_keys(topic: str) -> list[BindingType]:
    """The keys that change a count: plus and minus, digits, Backspace."""
    bindings = keys(
        topic,
        # The same keys without and with Shift, on many keyboards.
        ("more", "plus,equals_sign", "add(1)", "Count", "Add one"),
        ("less", "minus,underscore", "add(-1)", "", "Remove one"),
        ("erase", "backspace", "erase", "", "Delete the last digit"),
    )
    for digit in range(10):
        display = None
        if digit == 0:  # help explains all ten in one line, that of the first
            display = "0-9"
        binding = Binding(
            str(digit),
            f"digit({digit})",
            "Count",
            show=False,
            id=f"{topic}.digit-{digit}",
            key_display=display,
            tooltip="Set the count of the chosen line",
        )
        bindings.append(binding)
    return bindings


class CountedList(LineList):
    """Lines with counts that Left and Right change by calling ``add``."""

    # Each row: id, keys, action, label at the foot, words of the help.
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "pieces",
        ("more", "right", "screen.add(1)", "", "Add one to the chosen line"),
        ("less", "left", "screen.add(-1)", "", "Remove one from the chosen line"),
    )


class CountingScreen(LineScreen, Generic[T]):
    """Lines with counts. A typed number is one change, however many digits it has.

    The way of a change: a key sets a count by ``set_count``, which calls ``change`` with the new
    value. That puts it into the session, where it can be undone, and calls ``save_and_show``.
    """

    LIST_WIDGET = CountedList
    HAS_DETAILS = False  # unless a screen has something to show beside its lines

    def __init__(self, session: Editing[T]) -> None:
        super().__init__()
        self.session = session
        self.save_failed = False
        """Whether the last save failed; the player was told so, and is not told again."""
        self.typed_piece = ""
        """The id of the piece whose count is being typed; empty: none is."""
        self._digits = ""
        """What was typed of that count so far."""

    @abstractmethod
    def count(self, piece: str) -> int:
        """The current count of a piece, by its id."""

    @abstractmethod
    def set_count(self, piece: str, count: int) -> None:
        """Change the count of a piece."""

    def say(self, text: str, *, bad: bool = False) -> None:
        """Show the player a message, on screens that have a line for it."""

    def save_and_show(self, message: str) -> None:
        """Store a change and show it. ``message`` is its effect, for screens that have a line for
        it."""
        self.save()
        self.paint()

    def change(self, value: T, message: str = "") -> None:
        """Replace the value, which can be undone; nothing is stored if it is the same."""
        if value != self.session.value:
            self.session.change(value)
            self.save_and_show(message)
        else:  # the digits that are typed have changed
            self.paint()

    def end_number(self) -> None:
        """Complete the count being typed: the next digit begins another one."""
        self.typed_piece = self._digits = ""
        self.session.end_compound()

    def action_add(self, by: int) -> None:
        piece = self._piece_or_message()
        if piece:
            self.end_number()
            self.set_count(piece, min(max(self.count(piece) + by, 0), MOST_PIECES))

    def action_digit(self, digit: int) -> None:
        """Append a digit to the count. Digits are bindings, since keys handled in `on_key` would
        overtake the arrows."""
        piece = self._piece_or_message()
        if not piece:
            return
        text = str(digit)
        if self.typed_piece == piece:
            text = self._digits + text
        if int(text) > MOST_PIECES:
            self.say(f"An army has at most {MOST_PIECES} of one kind.", bad=True)
        else:
            self._set_typed(piece, text)

    def action_erase(self) -> None:
        piece = self._piece_or_message()
        if not piece:
            return
        text = str(self.count(piece))
        if self.typed_piece == piece:
            text = self._digits
        self._set_typed(piece, text[:-1])

    def action_undo(self) -> None:
        self.end_number()
        self.session.undo()
        self.save_and_show(f"Undone. {self.skirmish.key('army.redo', 'ctrl+y')} redoes it.")

    def action_redo(self) -> None:
        self.end_number()
        self.session.redo()
        self.save_and_show("Redone.")

    def on_option_list_option_selected(self) -> None:
        self.end_number()
        self.paint()

    def on_option_list_option_highlighted(self) -> None:
        """Complete the count being typed where the cursor has moved to another line."""
        if self.typed_piece not in ("", self.chosen):
            self.end_number()
            self.paint()
        super().on_option_list_option_highlighted()

    def _piece_or_message(self) -> str:
        """The id of the piece of the chosen line; without one, ask for it and return an empty
        text."""
        if not self.chosen:
            self.say("Choose a row first: its letter, or the arrows.", bad=True)
        return self.chosen

    def _set_typed(self, piece: str, text: str) -> None:
        """Set the count of a piece to the digits typed so far; to 0 where all are deleted."""
        if self.typed_piece != piece:  # a number begins, whose digits are undone together
            self.session.begin_compound()
        self.typed_piece, self._digits = piece, text
        self.set_count(piece, int(text or "0"))

    # ------------------------------------------------------------------ saving

    @work(group="keep")
    async def save(self) -> None:
        """Store everything. A failure is reported once, and the next change tries again."""
        try:
            await self.session.save()
        except StoreError as error:
            if not self.save_failed:
                self.save_failed = True
                await self.skirmish.show_message("Not saved", f"{error} {NOTHING_LOST}")
        else:
            self.save_failed = False
        if self.is_attached:  # the heading says whether everything is saved
            self.query_one("#heading", Static).update(self.heading)
