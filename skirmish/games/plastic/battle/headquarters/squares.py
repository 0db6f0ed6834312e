"""Where players say that a group stands: by a square of the map, or by steps from where it was."""

from __future__ import annotations

from msgspec.structs import replace

from skirmish.games.plastic.battle.commanders import Commander, Half, TableGroup
from skirmish.games.plastic.battle.headquarters.table import table_of
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commander.cells import CellGrid, GroundCell, apart

CELLS_IN_A_SQUARE = 2
"""A square of the map is 12 inches wide and deep, a cell six."""


def placed_in_square(
    state: State, commander: Commander, group: TableGroup, square: str, half: Half
) -> TableGroup:
    """A group put into a square of the map, or into a half of it: into the cell there that is
    nearest to where the group was thought to be. Raises ValueError (a sentence) for a square that
    is not on the table."""
    table = table_of(state, commander.weights)
    cells = _cells_of_square(table.grid, square, half)
    # Of a group that was not on the table yet nothing says in which of the cells it is.
    cell = cells[0]
    if group.cell is not None:
        cell_before = group.cell
        cell = min(cells, key=lambda candidate: apart(candidate, cell_before))
    return replace(group, cell=cell, cover=table.ground.in_cover(cell))


def shifted(
    state: State, commander: Commander, group: TableGroup, columns: int, rows_up: int
) -> TableGroup:
    """A group moved so many cells of six inches to the right (``columns``) and up the map
    (``rows_up``). Raises ValueError (a sentence) if that is beyond the edge of the table, or if the
    group was not on it."""
    if group.cell is None:
        raise ValueError(f"{group.name} is not on the table; say in which square it is.")
    table = table_of(state, commander.weights)
    cell = GroundCell(group.cell.column + columns, group.cell.row + rows_up)
    if cell not in table.grid:
        raise ValueError(f"From {group.cell.square} that is beyond the edge of the table.")
    return replace(group, cell=cell, cover=table.ground.in_cover(cell))


def _cells_of_square(grid: CellGrid, square: str, half: Half) -> list[GroundCell]:
    """The cells of a square such as ``D5``, four unless the edge of the table cuts it; with
    ``half`` only two of them. Raises ValueError (a sentence) if none of them is on the table."""
    # Columns of squares have letters from A, rows have numbers from 1; cells count from 0.
    left = CELLS_IN_A_SQUARE * (ord(square[0].upper()) - ord("A"))
    bottom = CELLS_IN_A_SQUARE * (int(square[1:]) - 1)
    right, top = left + 1, bottom + 1
    columns, rows = [left, right], [bottom, top]
    match half:
        case "n":
            rows = [top]
        case "s":
            rows = [bottom]
        case "e":
            columns = [right]
        case "w":
            columns = [left]
    cells = [GroundCell(column, row) for column in columns for row in rows]
    on_table = [cell for cell in cells if cell in grid]
    if not on_table:
        last = GroundCell(grid.columns - 1, grid.rows - 1).square
        raise ValueError(f"There is no square {square} on this table; they go from A1 to {last}.")
    return on_table
