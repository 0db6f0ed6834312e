"""Lines with counts: a count is typed, or goes up and down by one."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import OptionList

from skirmish.app.binding import keys
from skirmish.app.host import Screen
from skirmish.games.plastic.rules.army import MOST_PIECES


def counting(topic: str) -> list[BindingType]:
    return [
        *keys(
            topic,
            ("more", "plus,equals_sign", "add(1)", "Count", "Add one"),
            ("less", "minus,underscore", "add(-1)", "", "Remove one"),
            ("erase", "backspace", "erase", "", "Delete the last digit"),
        ),
        *(
            Binding(
                str(digit), f"digit({digit})", "Count", show=False, id=f"{topic}.digit-{digit}",
                key_display=None if digit else "0-9", tooltip="Set the count of the chosen line",
            )
            for digit in range(10)
        ),
    ]  # fmt: skip


class CountedList(OptionList):
    """Lines with a count. Right and left change it: ``add`` is the screen's."""

    BINDINGS: ClassVar[list[BindingType]] = keys(
        "pieces",
        ("more", "right", "screen.add(1)", "", "Add one to the chosen line"),
        ("less", "left", "screen.add(-1)", "", "Remove one from the chosen line"),
    )

    @property
    def chosen_id(self) -> str | None:
        option = self.highlighted_option
        return option.id if option else None


class CountingScreen(Screen[None]):
    """A screen with a `CountedList`. One number is one change, however many digits it has."""

    def __init__(self) -> None:
        super().__init__()
        self._typed: tuple[str, str] | None = None  # a piece and the digits of its count so far
        self._typed_anew = False  # whether they have changed anything yet

    @abstractmethod
    def target(self) -> tuple[str, int] | None:
        """The piece that a count is for, and its count; None: there is none."""

    @abstractmethod
    def put(self, piece: str, count: int, *, goes_on: bool) -> bool:
        """Set a count, undone together with the last change if it ``goes_on``, and show it.
        Whether it was another."""

    @abstractmethod
    def show_all(self) -> None:
        """Paint everything."""

    def too_many(self) -> None:
        """A digit more would be more than there can be."""

    def action_add(self, by: int) -> None:
        if (target := self.target()) is not None:
            piece, count = target
            self._typed = None
            self.put(piece, min(max(count + by, 0), MOST_PIECES), goes_on=False)

    def action_digit(self, digit: int) -> None:
        """A digit begins a count, or goes on with it. (A binding, for keys that are read otherwise
        overtake the arrows.)"""
        if (target := self.target()) is not None:
            piece, _ = target
            text = f"{self._digits(piece, '')}{digit}"
            if int(text) > MOST_PIECES:
                self.too_many()
            else:
                self._type(piece, text)

    def action_erase(self) -> None:
        if (target := self.target()) is not None:
            piece, count = target
            self._type(piece, self._digits(piece, str(count))[:-1])

    def on_option_list_option_selected(self) -> None:
        self._typed = None
        self.show_all()

    def on_option_list_option_highlighted(self) -> None:
        """Another line: a number that was being typed is complete."""
        if self._typed and self._typed[0] != self.query_one(CountedList).chosen_id:
            self._typed = None
            self.show_all()

    def _digits(self, piece: str, otherwise: str) -> str:
        return self._typed[1] if self._typed and self._typed[0] == piece else otherwise

    def _type(self, piece: str, text: str) -> None:
        goes_on = self._typed_anew and self._typed is not None and self._typed[0] == piece
        self._typed = (piece, text)
        changed = self.put(piece, int(text or "0"), goes_on=goes_on)
        self._typed_anew = goes_on or changed
