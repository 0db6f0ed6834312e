"""The pieces of a battle, the contingents that they belong to, and the codes that number them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from skirmish.games.plastic.battle.names import piece_code, piece_name, piece_side
from skirmish.games.plastic.rules.catalog import Catalog

REINFORCEMENTS = "reinforcements"
"""The id of the contingent of reinforcements from a draw table."""
RIFLEMAN = "rifle"
"""The unit that a guy becomes when his weapon breaks down ("Breakdowns"), and as which a sniper
fights where snipers are not played ("Sniper Guys")."""


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
    """The game turn of entry; 0 for a contingent that sets up on the table."""
    note: str = ""
    """Where it sets up, in the words of the scenario."""
    place_of_entry: str = msgspec.field(default="", name="by")
    """Where it enters, in words: ``S edge``, or what the players answered. Stored battles call it
    ``by``."""
    quality: str | None = None
    """A force quality of its own, in a battle of a campaign."""

    @property
    def is_there_from_the_start(self) -> bool:
        """Whether it is on the table when play begins; what enters in turn 1 counts as such."""
        return self.enters <= 1


class Codes:
    """Gives codes to new pieces of a side: the letter of the unit (``T``) and the next number after
    the highest of that letter, beginning with 1. ``existing``: the pieces that have codes
    already."""

    def __init__(self, side: str, catalog: Catalog, existing: Iterable[Piece] = ()) -> None:
        self._side = side
        self._catalog = catalog
        self._highest: dict[str, int] = {}
        for piece in existing:
            self._highest[piece.letter] = max(self._highest.get(piece.letter, 0), piece.number)

    def pieces(self, contingent: str, units: Mapping[str, int]) -> list[Piece]:
        """New pieces of a contingent: as many of each unit as ``units`` says, in the order of the
        catalog."""
        pieces = []
        for unit_id, unit in self._catalog.units.items():
            letter = unit.letter.upper()
            for _ in range(units.get(unit_id, 0)):
                number = self._highest.get(letter, 0) + 1
                self._highest[letter] = number
                piece_id = piece_name(self._side, f"{letter}{number}")
                pieces.append(Piece(piece_id, contingent, unit_id))
        return pieces
