"""Maps of named squares: rows of them, what stands where, and ways over them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

import msgspec

from skirmish.tabletop.companion.counters import Counter

P = TypeVar("P", bound=Hashable)
"""A place between which ways lead: a square, or whatever a game takes for it."""


class Rows(msgspec.Struct, frozen=True):
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
        index, width = self.names.index(square), self.width
        column = index % width
        neighbours = [index - width]  # above
        if column > 0:
            neighbours.append(index - 1)
        if column < width - 1:
            neighbours.append(index + 1)
        neighbours.append(index + width)  # below
        # Above the first row and below the last there is none.
        return tuple(self.names[place] for place in neighbours if 0 <= place < len(self.names))

    def along(self, square: str, squares: int) -> str:
        """The square of the same row that is so many ``squares`` to the right; to the left if they
        are negative. Empty beyond its ends, and for a square that is not on the map."""
        if square not in self.names:
            return ""
        row = next(row for row in self.rows if square in row)
        column = row.index(square) + squares
        if not 0 <= column < len(row):
            return ""
        return row[column]


def by_place(counters: Iterable[Counter], order: Iterable[str]) -> dict[str, list[Counter]]:
    """The counters of every place that has any, in the ``order`` of the places; other places stand
    behind them."""
    places: dict[str, list[Counter]] = {place: [] for place in order}
    for counter in counters:
        places.setdefault(counter.place, []).append(counter)
    return {place: in_place for place, in_place in places.items() if in_place}


def shortest(start: P, end: P, after: Callable[[P], Iterable[P]]) -> tuple[P, ...]:
    """The shortest way from ``start`` to ``end``, both included; empty if there is none. ``after``:
    the places that can be reached from a place in one step."""
    ways: dict[P, tuple[P, ...]] = {start: (start,)}
    waiting = deque([start])
    # The nearest places are looked at first, so that the first way to a place is the shortest.
    while waiting:
        place = waiting.popleft()
        if place == end:
            return ways[place]
        for neighbour in after(place):
            if neighbour not in ways:
                ways[neighbour] = (*ways[place], neighbour)
                waiting.append(neighbour)
    return ()
