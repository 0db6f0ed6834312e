"""Maps of named squares: squares in rows, the counters in each place, and the shortest way."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

import msgspec

from skirmish.tabletop.companion.counters import Counter

P = TypeVar("P", bound=Hashable)
"""What a way is made of: squares, or whatever else a game has for places."""


class SquareRows(msgspec.Struct, frozen=True):
    """Squares in rows of one ``width``, by their names from left to right and top to bottom."""

    names: tuple[str, ...]
    width: int

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """The names row by row."""
        starts = range(0, len(self.names), self.width)
        return tuple(self.names[start : start + self.width] for start in starts)

    def beside(self, square: str) -> tuple[str, ...]:
        """The squares that share a side with it; none if it is not among them."""
        if square not in self.names:
            return ()
        index = self.names.index(square)
        column = index % self.width
        neighbours = [index - self.width]  # above
        if column > 0:
            neighbours.append(index - 1)
        if column < self.width - 1:
            neighbours.append(index + 1)
        neighbours.append(index + self.width)  # below
        # The top row has no squares above it, the bottom row none below.
        on_map = [index for index in neighbours if 0 <= index < len(self.names)]
        return tuple(self.names[index] for index in on_map)

    def along(self, square: str, squares: int) -> str:
        """The square of the same row that is so many ``squares`` to the right, or to the left if
        the number is negative. Empty beyond the ends of the row, and for a square that is not on
        the map."""
        if square not in self.names:
            return ""
        row_index, column = divmod(self.names.index(square), self.width)
        row = self.rows[row_index]
        column += squares
        if not 0 <= column < len(row):
            return ""
        return row[column]


def by_place(counters: Iterable[Counter], order: Iterable[str]) -> dict[str, list[Counter]]:
    """The counters of every place that has any: first the places of ``order``, then all others."""
    places: dict[str, list[Counter]] = {place: [] for place in order}
    for counter in counters:
        places.setdefault(counter.place, []).append(counter)
    return {place: in_place for place, in_place in places.items() if in_place}


def shortest_way(start: P, end: P, neighbours_of: Callable[[P], Iterable[P]]) -> tuple[P, ...]:
    """The shortest way from ``start`` to ``end``, both included; empty if there is none.
    ``neighbours_of``: the places that can be reached from a place in one step."""
    ways: dict[P, tuple[P, ...]] = {start: (start,)}
    waiting = deque([start])
    # The nearest places are looked at first, so that the first way to a place is the shortest.
    while waiting:
        place = waiting.popleft()
        if place == end:
            return ways[place]
        for neighbour in neighbours_of(place):
            if neighbour not in ways:
                ways[neighbour] = (*ways[place], neighbour)
                waiting.append(neighbour)
    return ()
