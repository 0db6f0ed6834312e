"""Pieces and their codes: the unit's letter and a running number, as rosters print them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from skirmish.games.plastic.battle.names import piece_name
from skirmish.games.plastic.battle.setup import Piece
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.catalog import Catalog


class Codes:
    """Gives every piece of a side its code; goes on from the codes that are ``given``."""

    def __init__(self, side: str, catalog: Catalog, given: Iterable[Piece] = ()) -> None:
        self._side = side
        self._catalog = catalog
        self._given: dict[str, int] = {}
        for piece in given:
            letter, number = piece.code[:1], piece.code[1:]
            self._given[letter] = max(self._given.get(letter, 0), int(number))

    def pieces(self, contingent: str, units: Mapping[str, int]) -> list[Piece]:
        """The pieces of a contingent, in the order of the catalog."""
        made = []
        for name, unit in self._catalog.units.items():
            for _ in range(units.get(name, 0)):
                letter = unit.letter.upper()
                number = self._given[letter] = self._given.get(letter, 0) + 1
                made.append(Piece(piece_name(self._side, f"{letter}{number}"), contingent, name))
        return made


def newly_made(
    state: State, side: str, contingent: str, units: Mapping[str, int]
) -> tuple[Piece, ...]:
    """Pieces that the battle has not known so far."""
    known = [piece for piece in state.pieces() if piece.side == side]
    return tuple(Codes(side, state.setup.catalog, known).pieces(contingent, units))
