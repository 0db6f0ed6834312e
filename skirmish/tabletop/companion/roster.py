"""The roster of a side: a table with a row for each counter. On the screen it has the markers of
counters, on paper boxes to tick and blank rows to write in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from skirmish.tabletop.companion.counters import Counter, rating_label
from skirmish.tabletop.measure import NO_BREAK
from skirmish.tabletop.page import capital

BOX = "\N{BALLOT BOX}"
"""A box to tick on paper."""
TICKED = "\N{BALLOT BOX WITH CHECK}"
"""A box that is ticked."""
BLANK_NAME = NO_BREAK * 24
"""A blank as wide as the name of a counter, to write in by hand."""


class TickColumn(NamedTuple):
    """A column of boxes to tick on paper: its ``title``, how many ``boxes`` a counter has, and how
    many of them are ``ticked``."""

    title: str
    boxes: int
    ticked: Callable[[Counter], int]


class RosterColumns:
    """The columns of a roster: the letters of the counter if it has any, its name, ratings, steps
    and place, then its markers or, on paper, boxes to tick."""

    def __init__(
        self,
        letters: Mapping[str, str],
        ratings: Sequence[str],
        place_noun: str,
        tick_columns: Sequence[TickColumn],
    ) -> None:
        """``letters``: by the id of a counter, empty if this game has none; ``ratings``: the names
        of those that are listed; ``tick_columns``: empty on the screen."""
        self._letters = letters
        self._ratings = ratings
        self._place_noun = place_noun
        self._tick_columns = tick_columns
        self._on_paper = bool(tick_columns)

    def titles(self) -> list[str]:
        """The titles of all columns."""
        titles = ["Unit"]
        if self._letters:
            titles = ["Key", "Unit"]
        titles += [capital(rating_label(name)) for name in self._ratings]
        titles += ["Steps", self._place_noun]
        if self._on_paper:
            return titles + [column.title for column in self._tick_columns]
        return [*titles, "Markers"]

    def number_columns(self) -> Sequence[int]:
        """The indices of the columns of numbers, which are aligned on the right. On paper there are
        none: in the blank rows numbers are written in by hand, from the left like everything
        else, and those that are printed are aligned with them."""
        if self._on_paper:
            return ()
        first = 1  # behind the name
        if self._letters:
            first = 2  # behind the letters and the name
        return range(first, first + len(self._ratings))

    def row(self, unit: Counter) -> tuple[str, ...]:
        """The cells of a counter, with its ratings on the side that is up."""
        cells = [unit.name]
        if self._letters:
            cells = [self._letters[unit.id], unit.name]
        for name in self._ratings:
            value = unit.ratings.get(unit.rating_key(name))
            if value is None:
                cells.append("")
            else:
                cells.append(str(value))
        cells += [_steps_text(unit), unit.place]
        if not self._on_paper:
            return (*cells, ", ".join(unit.flags))
        for column in self._tick_columns:
            cells.append(boxes(column.boxes, column.ticked(unit)))
        return tuple(cells)

    def blank(self) -> tuple[str, ...]:
        """A row for a counter that is written in by hand."""
        cells = [BLANK_NAME]
        if self._letters:
            cells = ["", BLANK_NAME]
        cells += ["" for _ in self._ratings]
        cells += ["", ""]  # steps and place
        cells += [boxes(column.boxes) for column in self._tick_columns]
        return tuple(cells)


def _steps_text(unit: Counter) -> str:
    """The steps of a counter as its row has them."""
    if unit.has_steps:
        return str(unit.steps)
    return "-"


def boxes(count: int, ticked: int = 0) -> str:
    """A cell of ``count`` boxes to tick on paper, of which the first are ticked."""
    signs = []
    for index in range(count):
        if index < ticked:
            signs.append(TICKED)
        else:
            signs.append(BOX)
    return " ".join(signs)


def marker_ticks(title: str, *markers: str) -> TickColumn:
    """A column with a box for each of these ``markers``, which a counter gets one after the other.
    The box of the marker that a counter has is ticked, and so are those before it."""

    def ticked(unit: Counter) -> int:
        last_ticked = 0  # no box
        for box_number, marker in enumerate(markers, 1):
            if unit.has(marker):
                last_ticked = box_number
        return last_ticked

    return TickColumn(title, len(markers), ticked)
