"""What the things of one battle are called in its journal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from skirmish.games.plastic.battle.agenda import Shooting
from skirmish.games.plastic.battle.names import piece_name, row_unit
from skirmish.games.plastic.battle.setup import Piece, Setup
from skirmish.games.plastic.rules.catalog import UnitType


class Words:
    def __init__(self, setup: Setup, added: Mapping[str, Piece]) -> None:
        self.setup = setup
        self._added = added

    def people(self, side: str) -> str:
        return self.setup.side_by_id[side].people

    def the_side(self, side: str) -> str:
        """``The Germans``, where a sentence begins."""
        return self.setup.the(side, "The")

    def of(self, side: str, thing: str, *, starts: bool = True) -> str:
        """``German pin test``, ``Pin test of Ziegler``; ``starts``: a sentence begins with it."""
        words = self.setup.of(side, thing)
        return words[:1].upper() + words[1:] if starts else words

    def unit(self, unit: str) -> UnitType:
        return self.setup.unit(unit)

    def row(self, key: str, count: int) -> str:
        unit = self.unit(row_unit(key))
        return unit.short if count == 1 else unit.named(count)

    def code(self, piece: str) -> str:
        known = self._piece(piece)
        return known.code if self._may_be_numbered(known) else self.unit(known.unit).short

    def piece(self, piece: str) -> str:
        """``Tank T3``; ``Tank`` where the number would give somebody away."""
        known = self._piece(piece)
        name = self.unit(known.unit).short
        return f"{name} {known.code}" if self._may_be_numbered(known) else name

    def _piece(self, piece: str) -> Piece:
        return self._added.get(piece) or self.setup.by_id[piece]

    def _may_be_numbered(self, piece: Piece) -> bool:
        """Pieces are numbered without a gap, so who hears of a seventh man but knows of one has
        heard of five in hiding."""
        letter, number = piece.code[:1], int(piece.code[1:])
        known = self.setup.numbered.get(f"{piece.side}:{letter}", 0)
        between = (piece_name(piece.side, f"{letter}{n}") for n in range(known + 1, number))
        return all(name in self._added or name in self.setup.by_id for name in between)

    def counted(self, pieces: Sequence[str]) -> str:
        """``Truck K1, 3 Rifle Guys``: a model with its code, guys by number."""
        units = Counter(self._piece(piece).unit for piece in pieces)
        parts = []
        for unit, count in units.items():
            if self.unit(unit).is_guy or count > 1:
                parts.append(self.unit(unit).named(count))
            else:
                parts.append(next(self.piece(p) for p in pieces if self._piece(p).unit == unit))
        return ", ".join(parts)

    def who_at_whom(self, shot: Shooting) -> str:
        """``Tank T1 (Machinegun) > Rifle``."""
        weapon = self.setup.catalog.weapons[shot.weapon].name
        armed = f" ({weapon})" if weapon != self.unit(self._piece(shot.piece).unit).short else ""
        return f"{self.piece(shot.piece)}{armed} > {self.unit(row_unit(shot.target)).short}"
