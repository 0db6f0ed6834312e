"""How each group of the enemy is expected to move: toward the nearest of its goals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from skirmish.games.plastic.commander.board import Board
from skirmish.games.plastic.commander.cells import GroundCell, apart
from skirmish.games.plastic.commander.moves import NEVER, mover_of
from skirmish.games.plastic.commander.situation import Situation, Stand


class ExpectedMove(NamedTuple):
    """The move of an enemy group: over the stands of its ``way``, all in the open, to its ``end``.
    ``touches``: there it is in contact with a group of this side."""

    enemy: Stand
    way: tuple[Stand, ...]
    end: Stand
    touches: bool


def expected_move(
    board: Board, situation: Situation, enemy: Stand, goals: Sequence[GroundCell]
) -> ExpectedMove:
    """The move of an enemy group that wants to be at one of these cells: as far as it gets on its
    way to the nearest, into cover if there is any as near."""
    mover = mover_of(enemy.group, board.catalog)
    turns_from_goal: Mapping[GroundCell, float] = {}
    if goals:
        goal = min(goals, key=lambda cell: apart(cell, enemy.cell))
        turns_from_goal = board.paths.turns(mover, goal)

    def nearest_to_goal_then_cover(cell: GroundCell) -> tuple[float, bool]:
        # Without a goal all cells are as near, and it is any cell in cover.
        in_the_open = not board.ground.in_cover(cell)
        return turns_from_goal.get(cell, NEVER), in_the_open

    reach = board.paths.cells_to_head_for(mover, enemy.cell)
    end_cell = min(reach, key=nearest_to_goal_then_cover)
    end = enemy  # who stays keeps the cover that he has dug
    if end_cell != enemy.cell:
        end = Stand(enemy.group, end_cell, board.ground.in_cover(end_cell))
    way = []
    for cell in cells_between(enemy.cell, end_cell):
        # Ground that it cannot enter it goes round.
        if cell in reach:
            way.append(Stand(enemy.group, cell))
    own_cells = {stand.cell for stand in situation.own}
    return ExpectedMove(enemy, tuple(way), end, touches=end_cell in own_cells)


def cells_between(start: GroundCell, end: GroundCell) -> Iterator[GroundCell]:
    """The cells on the straight way, without the first. The last is one of them: on the way to its
    cover a group is in the open there, too."""
    steps = max(abs(end.column - start.column), abs(end.row - start.row))
    for step in range(1, steps + 1):
        column = start.column + round((end.column - start.column) * step / steps)
        row = start.row + round((end.row - start.row) * step / steps)
        yield GroundCell(column, row)
