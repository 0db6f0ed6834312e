"""Maps of named squares: rows of them, what stands where, and ways over them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

import msgspec

from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.page import Table, table

P = TypeVar("P", bound=Hashable)


class Rows(msgspec.Struct, frozen=True):
    """Squares in rows of one width."""

    names: tuple[str, ...]
    width: int

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        starts = range(0, len(self.names), self.width)
        return tuple(self.names[at : at + self.width] for at in starts)

    def beside(self, square: str) -> tuple[str, ...]:
        """Those that share a side with it; none if it is not among them."""
        if square not in self.names:
            return ()
        at, width = self.names.index(square), self.width
        row = at - at % width
        near = (at - width, max(at - 1, row), min(at + 1, row + width - 1), at + width)
        return tuple(self.names[one] for one in near
                     if one in range(len(self.names)) and one != at)  # fmt: skip

    def along(self, square: str, squares: int) -> str:
        """So many squares along its row; empty off the map, and from a square that is not on it."""
        if square not in self.names:
            return ""
        row = next(row for row in self.rows if square in row)
        at = row.index(square) + squares
        return row[at] if at in range(len(row)) else ""


def text_map(rows: Sequence[Sequence[str]], cell: Callable[[str], str]) -> Table:
    """A map in words: each row by the names of its ends, with a ``cell`` for each square."""
    width = max(map(len, rows))
    lines = [(f"{row[0]}-{row[-1]}", *map(cell, row), *[""] * (width - len(row))) for row in rows]
    return table(["", *map(str, range(1, width + 1))], lines)


def by_place(counters: Iterable[Counter], order: Iterable[str]) -> dict[str, list[Counter]]:
    """The counters of every place, in the ``order`` of the places; others stand behind them."""
    found: dict[str, list[Counter]] = {place: [] for place in order}
    for one in counters:
        found.setdefault(one.place, []).append(one)
    return {place: them for place, them in found.items() if them}


def shortest(start: P, end: P, after: Callable[[P], Iterable[P]]) -> tuple[P, ...]:
    """The shortest way by the places ``after`` each; empty if there is none."""
    known: dict[P, tuple[P, ...]] = {start: (start,)}
    waiting = deque([start])
    while waiting:
        at = waiting.popleft()
        if at == end:
            return known[at]
        for one in after(at):
            if one not in known:
                known[one] = (*known[at], one)
                waiting.append(one)
    return ()
