"""The letters of rows: the keys by which players name them on the battle screen.

A row has the same letter for all who see it, so that no two players call it by different names.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from string import ascii_lowercase

from skirmish.games.plastic.battle.names import RowName
from skirmish.games.plastic.battle.pieces import REINFORCEMENTS, RIFLEMAN, Piece
from skirmish.games.plastic.rules.catalog import Catalog, UnitType


def possible_rows(
    side: str,
    contingents: Sequence[str],
    pieces: Sequence[Piece],
    catalog: Catalog,
    reinforcements: Collection[str],
) -> list[RowName]:
    """Every row that a side may ever have: contingent by contingent in the order of the catalog,
    then the rows of riflemen that only breakdowns fill. ``pieces`` are those of the side at the
    start, ``reinforcements`` the units that a draw table may bring."""
    order_of_units = list(catalog.units)
    rows: list[RowName] = []
    for contingent in contingents:
        units = {piece.unit for piece in pieces if piece.contingent == contingent}
        # Reinforcements have no pieces yet, but their rows need letters before they come.
        if contingent == REINFORCEMENTS:
            units.update(reinforcements)
        for unit in sorted(units, key=order_of_units.index):
            rows.append(RowName(side, contingent, unit))
    # Every contingent has a row of riflemen, for those whose weapon breaks down.
    for contingent in contingents:
        riflemen = RowName(side, contingent, RIFLEMAN)
        if riflemen not in rows:
            rows.append(riflemen)
    return rows


def row_letters(
    rows: Sequence[RowName], pieces: Sequence[Piece], hidden: Collection[str], catalog: Catalog
) -> dict[str, str]:
    """The letter of each of a side's rows, by the row's id, in the order of the rows. ``pieces``
    are those of the side at the start, ``hidden`` the ids of those that hide.

    Rows of which nothing can be seen get their letters last, so that the letters of the others have
    no gap that would tell of them. Of these, empty rows come before hidden ones, so that an empty
    row that is filled later does not tell of hidden ones either.
    """
    with_visible: list[RowName] = []
    empty: list[RowName] = []
    all_hidden: list[RowName] = []
    pieces_by_row = _pieces_by_row(pieces)
    for row in rows:
        in_row = pieces_by_row.get(row, [])
        if not in_row:
            empty.append(row)
        elif set(in_row) <= set(hidden):
            all_hidden.append(row)
        else:
            with_visible.append(row)
    letters: dict[RowName, str] = {}
    for row in (*with_visible, *empty, *all_hidden):
        letters[row] = free_letter(catalog.units[row.unit], letters.values())
    return {str(row): letters[row] for row in rows}


def free_letter(unit: UnitType, taken: Collection[str]) -> str:
    """The unit's own letter unless that is ``taken``, else the first free one from its short name,
    else any; ``?`` if all are taken."""
    candidates = unit.letter + unit.short.lower() + ascii_lowercase
    for sign in candidates:
        # A short name may have spaces, digits or letters that no key has.
        is_letter = sign.isascii() and sign.isalpha()
        if is_letter and sign not in taken:
            return sign
    return "?"


def _pieces_by_row(pieces: Sequence[Piece]) -> Mapping[RowName, list[str]]:
    """The ids of the pieces in each row that has any."""
    by_row: dict[RowName, list[str]] = {}
    for piece in pieces:
        row = RowName(piece.side, piece.contingent, piece.unit)
        by_row.setdefault(row, []).append(piece.id)
    return by_row
