"""The pieces of a battle, the contingents that they belong to, and the codes that number them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from skirmish.games.plastic.battle.names import piece_code, piece_name, piece_side
from skirmish.games.plastic.rules.catalog import Catalog

REINFORCEMENTS = "reinforcements"
"""The id of the contingent of reinforcements from a draw table."""


BROKEN_INTO = "rifle"
"""The unit that a guy becomes when his weapon breaks down ("Breakdowns")."""


class Piece(msgspec.Struct, frozen=True):
    """A man or a model. Its ``id`` is side and code (``german:T3``), as printed on rosters."""

    id: str
    contingent: str
    unit: str

    @property
    def side(self) -> str:
        """The side that it belongs to."""
        return piece_side(self.id)

    @property
    def code(self) -> str:
        """What players call it, and what stands on the sheet: ``R3``."""
        return piece_code(self.id)

    @property
    def letter(self) -> str:
        """``T`` of the code ``T3``."""
        return self.code[:1]

    @property
    def number(self) -> int:
        """``3`` of the code ``T3``."""
        return int(self.code[1:])


class Contingent(msgspec.Struct, frozen=True):
    """A part of a side that sets up, or enters, together."""

    id: str
    side: str
    name: str
    enters: int = 0
    """The turn of entry; 0 for a contingent that sets up on the table, and see
    ``is_there_from_the_start``."""
    note: str = ""
    """Where it sets up, in the words of the scenario."""
    by: str = ""
    """Where it enters: ``S edge``."""
    quality: str | None = None
    """A force quality of its own, in a battle of a campaign."""

    @property
    def is_there_from_the_start(self) -> bool:
        """Whether it is on the table when play begins; what enters in turn 1 counts as such."""
        return self.enters <= 1


class Codes:
    """Gives codes to new pieces of a side: the letter of the unit (``T``) with the number after the
    highest that this letter has among the pieces ``given``, or 1."""

    def __init__(self, side: str, catalog: Catalog, given: Iterable[Piece] = ()) -> None:
        self._side = side
        self._catalog = catalog
        self._last: dict[str, int] = {}
        for piece in given:
            self._last[piece.letter] = max(self._last.get(piece.letter, 0), piece.number)

    def pieces(self, contingent: str, units: Mapping[str, int]) -> list[Piece]:
        """New pieces of a contingent: as many of each unit as ``units`` says, in the order of the
        catalogue."""
        pieces = []
        for name, unit in self._catalog.units.items():
            letter = unit.letter.upper()
            for _ in range(units.get(name, 0)):
                number = self._last.get(letter, 0) + 1
                self._last[letter] = number
                code = f"{letter}{number}"
                pieces.append(Piece(piece_name(self._side, code), contingent, name))
        return pieces
