"""What sides, rows and pieces of a battle are called in sentences: in the journal, in questions and
on paper. No name reveals how many pieces are hidden."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from skirmish.games.plastic.battle.agenda import Shooting
from skirmish.games.plastic.battle.names import RowName, piece_name, piece_side, row_named, row_unit
from skirmish.games.plastic.battle.pieces import Piece
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.rules.explanation import SAVES_IN_WORDS
from skirmish.games.plastic.rules.shot import Circumstances
from skirmish.tabletop.page import capital


class BattleWords(msgspec.Struct, frozen=True):
    """The names of sides, rows and pieces in sentences. ``added``: the pieces that joined after the
    beginning, by id."""

    setup: Setup
    added: Mapping[str, Piece]

    def people(self, side: str) -> str:
        """What the men of a side are called: ``Germans``."""
        return self.setup.side_by_id[side].people

    def sentence_start(self, side: str, noun: str) -> str:
        """Something that a side has, to begin a sentence: ``German pin test``, ``Pin test of
        Ziegler``."""
        return capital(self.setup.owned_by(side, noun))

    def row(self, key: str, count: int) -> str:
        """``Rifle``, ``3 Rifle Guys``; with its contingent if the side has such units in several:
        ``3 Rifle Guys (Rearguard)``."""
        unit = self.setup.unit(row_unit(key))
        # One man or model is called by the short name, without a number.
        name = unit.short
        if count != 1:
            name = unit.named(count)
        return f"{name}{self.contingent_note(key)}"

    def contingent_note(self, key: str) -> str:
        """`` (Rearguard)``: the contingent of a row, to follow the name of its unit. Empty if no
        other contingent of the side has such units, so that the name alone is clear."""
        name = row_named(key)
        if name is None:
            return ""
        unit_name = self.setup.unit(name.unit).short
        contingents = {name.contingent, *self.setup.contingents_with(name.side, unit_name)}
        for piece in self.added.values():
            if piece.side == name.side and self.setup.unit(piece.unit).short == unit_name:
                contingents.add(piece.contingent)
        if len(contingents) < 2:
            return ""
        return f" ({self.setup.contingent_by_id[name.contingent].name})"

    def row_of(self, piece: str, unit: str = "") -> str:
        """The key of the row of a piece: by the unit that it was bought as, or by another ``unit``
        that it was at that time."""
        bought = self._piece(piece)
        return str(RowName(bought.side, bought.contingent, unit or bought.unit))

    def code(self, piece: str) -> str:
        """``T3``; ``Tank`` if the number would reveal hidden pieces: pieces are numbered without a
        gap, so a seventh man when one is known reveals five in hiding."""
        bought = self._piece(piece)
        last_without_gap = self.setup.last_without_gap(bought.side, bought.letter)
        for number_before in range(last_without_gap + 1, bought.number):
            name = piece_name(bought.side, f"{bought.letter}{number_before}")
            if name not in self.added and name not in self.setup.piece_by_id:
                return self.setup.unit(bought.unit).short
        return bought.code

    def piece(self, piece: str) -> str:
        """``Tank T3``, or ``Tank`` where ``code`` gives no number."""
        name = self.setup.unit(self._piece(piece).unit).short
        code = self.code(piece)
        if code == name:
            return name
        return f"{name} {code}"

    def _piece(self, piece: str) -> Piece:
        """The piece as it was bought, or as it joined."""
        return self.added.get(piece) or self.setup.piece_by_id[piece]

    def counted(self, pieces: Sequence[str], *, with_contingent: bool = True) -> str:
        """``Truck K1, 3 Rifle Guys``: a model alone by its code, others by number; and with
        their contingent if their unit alone is not clear."""
        # Pieces with the same unit and the same note are counted together.
        alike: dict[tuple[str, str], list[str]] = {}
        for piece in pieces:
            unit_id = self._piece(piece).unit
            note = ""
            if with_contingent:
                note = self.contingent_note(self.row_of(piece))
            alike.setdefault((unit_id, note), []).append(piece)
        parts = []
        for (unit_id, note), pieces_alike in alike.items():
            unit = self.setup.unit(unit_id)
            if len(pieces_alike) == 1 and not unit.is_guy:
                parts.append(self.piece(pieces_alike[0]))
            else:
                parts.append(f"{unit.named(len(pieces_alike))}{note}")
        return ", ".join(parts)

    def whose(self, pieces: Sequence[str], contingent: str = "") -> str:
        """Pieces of one side with their owner: ``Germans: 2 Cannons``, or with the name of their
        ``contingent``: ``Germans, Rearguard: 2 Cannons``."""
        owner = self.people(piece_side(pieces[0]))
        if contingent:
            return f"{owner}, {contingent}: {self.counted(pieces, with_contingent=False)}"
        return f"{owner}: {self.counted(pieces)}"

    def who_at_whom(self, shot: Shooting) -> str:
        """``Tank T1 (Machinegun) > Rifle in cover``; without the weapon if the unit is named after
        it."""
        shooter = self.piece(shot.piece)
        weapon = self.setup.catalog.weapons[shot.weapon].name
        unit = self.setup.unit(self._piece(shot.piece).unit)
        if weapon != unit.short:
            shooter = f"{shooter} ({weapon})"
        return f"{shooter} > {self.row(shot.target, 1)}{stated_cover(shot.at)}"

    def volley_at_whom(self, shot: Shooting) -> str:
        """A volley in the journal, whose shooters are not named one by one: ``Rifle > Mortar in
        cover``."""
        shooters = self.row(self.row_of(shot.piece), 1)
        return f"{shooters} > {self.row(shot.target, 1)}{stated_cover(shot.at)}"


def stated_cover(circumstances: Circumstances) -> str:
    """`` in cover``, `` hull down``: what the players said of the target, to follow its name. Empty
    if they said neither."""
    parts = []
    if circumstances.cover:
        parts.append(SAVES_IN_WORDS["cover"])
    if circumstances.hull_down:
        parts.append(SAVES_IN_WORDS["hull_down"])
    if not parts:
        return ""
    return f" {' and '.join(parts)}"
