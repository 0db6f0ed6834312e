"""Many beaches as a matrix, a column per game and a row per quantity; and unbiased random numbers
in bulk: faces, and lots among up to seven."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from skirmish.games.beach_head.simulate.programme import Programme, rows

Numbers = NDArray[np.int16]
Truths = NDArray[np.bool_]


class Start(NamedTuple):
    turn: int = 1
    stage: int = 0


def fresh(programme: Programme, games: int) -> Numbers:
    """The beach before the first turn, ``games`` times (rows x games)."""
    matrix = np.zeros((rows(programme).every, games), np.int16)
    for column, points in enumerate(programme.points):
        matrix[column] = points
    at = rows(programme)
    matrix[at.traps_at_turn] = programme.points[programme.traps]
    return matrix


_AT_ONCE = 4
_FOURS = 6**_AT_ONCE
LOTS = 420
"""A lot is from 0 to 419: every number up to seven divides it."""
_BLOCK = 1 << 17
"""Words drawn at a time."""


@cache
def _faces_of_words() -> NDArray[np.uint64]:
    codes = np.arange(1 << 16) % _FOURS
    faces = np.stack([codes // 6**place % 6 + 1 for place in range(_AT_ONCE)], axis=1)
    return np.ascontiguousarray(faces.astype(np.int16)).view(np.uint64).ravel()


class Chance:
    """Dice and lots from one stream; their values depend on the order of the calls."""

    def __init__(self, stream: Generator) -> None:
        self.stream = stream
        self._faces = np.empty(0, np.int16)
        self._lots = np.empty(0, np.int16)

    def faces(self, count: int) -> Numbers:
        if len(self._faces) < count:
            self._faces = np.concatenate([self._faces, *self._more_faces(count)])
        found, self._faces = self._faces[:count], self._faces[count:]
        return found

    def _more_faces(self, count: int) -> list[Numbers]:
        # 65536 is no multiple of 1296: the words above the last one would favour some faces
        fair = (1 << 16) // _FOURS * _FOURS
        found: list[Numbers] = []
        missing = count - len(self._faces)
        while missing > 0:
            words = self._words()
            faces = _faces_of_words()[words[words < fair]].view(np.int16)
            found.append(faces)
            missing -= len(faces)
        return found

    def lots(self, count: int) -> Numbers:
        """``count`` lots, each from 0 to 419."""
        while len(self._lots) < count:
            words = self._words()
            fair = (1 << 16) // LOTS * LOTS
            lots = (words[words < fair] % LOTS).astype(np.int16)
            self._lots = np.concatenate([self._lots, lots])
        found, self._lots = self._lots[:count], self._lots[count:]
        return found

    def _words(self) -> NDArray[np.uint16]:
        words = self.stream.bit_generator.random_raw(_BLOCK // 4)
        return np.asarray(words).view(np.uint16)

    def below(self, limits: Numbers) -> Numbers:
        """A number from 0 to below each of ``limits`` (all positive)."""
        return self.stream.integers(0, limits).astype(np.int16)

    def one_of(self, there: list[Truths]) -> Numbers:
        """The index of one of ``there`` (at most seven) that is true, all equally likely; -1 if
        none is."""
        lots = self.lots(len(there[0]))
        if len(there) == 2:
            first, second = there
            take_first = first & (~second | (lots < LOTS // 2))
            return np.where(take_first, 0, np.where(second, 1, -1)).astype(np.int16)
        among = np.zeros(len(lots), np.int16)
        for one in there:
            among += one
        left = lots * among // LOTS
        chosen = np.full(len(lots), -1, np.int16)
        for number, one in enumerate(there):
            np.copyto(chosen, np.int16(number), where=one & (left == 0))
            left -= one
        return chosen
