"""Many beaches at once: a column for each game, a row for each thing that is counted."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from skirmish.games.beach_head.simulate.programme import Programme, rows

Numbers = NDArray[np.int16]
Truths = NDArray[np.bool_]


class Start(NamedTuple):
    """Where a batch begins: in ``turn``, at act ``act`` of stage ``stage``. ``tanks`` whole rounds
    of the stage follow after the present one (None: the stage has not begun, and is played if it is
    due). ``crater``: craters are still to be dug. ``again``: the stage is played once
    more."""

    turn: int = 1
    stage: int = 0
    act: int = 0
    rounds: int | None = None
    crater: bool = False
    again: bool = False


BEGINNING = Start()


def is_midst(start: Start) -> bool:
    """Whether a stage has begun."""
    return start != Start(start.turn, start.stage)


def fresh(programme: Programme, games: int) -> Numbers:
    """The beach before the first turn, ``games`` times. Shape: rows x games."""
    matrix = np.zeros((rows(programme).every, games), np.int16)
    for column, points in enumerate(programme.points):
        matrix[column] = points
    at = rows(programme)
    matrix[at.traps_at_turn] = programme.points[programme.traps]
    return matrix
