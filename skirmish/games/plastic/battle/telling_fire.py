"""Shots and losses in words, and the names of things that all of the journal's words share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from skirmish.games.plastic.battle import events as happened
from skirmish.games.plastic.battle.agenda import Shooting
from skirmish.games.plastic.battle.names import piece_name, piece_side, row_unit
from skirmish.games.plastic.battle.setup import Piece, Setup
from skirmish.games.plastic.rules.catalog import UnitType
from skirmish.games.plastic.rules.shot import run
from skirmish.tabletop.chance import spell


class Words:
    """What the things of one battle are called."""

    def __init__(self, setup: Setup, known: Mapping[str, Piece]) -> None:
        self._setup = setup
        self._known = known

    def people(self, side: str) -> str:
        """``Germans``."""
        return self._setup.side_by_id[side].people

    def the_side(self, side: str) -> str:
        """``The Germans``, where a sentence begins."""
        return self._setup.the(side, "The")

    def of(self, side: str, thing: str, *, starts: bool = True) -> str:
        """``German pin test``, ``Pin test of Ziegler``; ``starts``: a sentence begins with it."""
        words = self._setup.of(side, thing)
        return words[:1].upper() + words[1:] if starts else words

    def unit(self, unit: str) -> UnitType:
        """A unit type."""
        return self._setup.unit(unit)

    def row(self, key: str, count: int) -> str:
        """So many of a row."""
        unit = self.unit(row_unit(key))
        return unit.short if count == 1 else unit.named(count)

    def code(self, piece: str) -> str:
        """``T3``; ``Tank`` where the number would give somebody away."""
        known = self._known[piece]
        return known.code if self._may_be_numbered(known) else self.unit(known.unit).short

    def piece(self, piece: str) -> str:
        """``Tank T3``; ``Tank`` where the number would give somebody away."""
        known = self._known[piece]
        name = self.unit(known.unit).short
        return f"{name} {known.code}" if self._may_be_numbered(known) else name

    def _may_be_numbered(self, piece: Piece) -> bool:
        """Whether all with lower numbers are known, too. Pieces are numbered without a gap, so who
        hears of a seventh man but knows of one has heard of five in hiding."""
        letter, number = piece.code[:1], int(piece.code[1:])
        return all(piece_name(piece.side, f"{letter}{n}") in self._known for n in range(1, number))

    def counted(self, pieces: Sequence[str]) -> str:
        """``Truck K1, 3 Rifle Guys``: a model with its code, guys by number."""
        units = Counter(self._known[piece].unit for piece in pieces)
        told = []
        for unit, count in units.items():
            of_unit = [piece for piece in pieces if self._known[piece].unit == unit]
            if self.unit(unit).is_guy or count > 1:
                told.append(self.unit(unit).named(count))
            else:
                told.append(self.piece(of_unit[0]))
        return ", ".join(told)

    def contingent(self, contingent: str) -> str:
        """A contingent's name."""
        return self._setup.contingent_by_id[contingent].name

    def who_at_whom(self, shot: Shooting) -> str:
        """``Tank T1 (Machinegun) > Rifle``."""
        weapon = self._setup.catalog.weapons[shot.weapon].name
        armed = f" ({weapon})" if weapon != self.unit(self._known[shot.piece].unit).short else ""
        return f"{self.piece(shot.piece)}{armed} > {self.unit(row_unit(shot.target)).short}"


def shots(words: Words, fired: Sequence[happened.Aimed | happened.Judged]) -> str:
    """Shots in a row: who at whom with which number, then each draw with what it did."""
    parts: list[str] = []
    before: tuple[str, str, int] | None = None
    for event in fired:
        who = (event.shot.piece, event.shot.target, event.needs)
        if who != before:
            if parts:
                parts[-1] = parts[-1].rstrip(",") + "."
            parts.append(f"{words.who_at_whom(event.shot)}, needs {run(event.needs)}:")
            before = who
        if isinstance(event, happened.Judged):
            parts.append(_draw(event))
    return (" ".join(parts).rstrip(",:") + ".") if parts else ""


def volley_draws(fired: Sequence[happened.Aimed | happened.Judged]) -> str:
    """The draws of a volley, those that hit first: ``5H 2S hit; 9D JH miss.``"""
    judged = [event for event in fired if isinstance(event, happened.Judged)]
    told = []
    for word, of in (
        ("hit", [event.draw for event in judged if event.hit]),
        ("saved", [event.draw for event in judged if event.saved_by]),
        ("miss", [event.draw for event in judged if not (event.hit or event.saved_by)]),
    ):
        if of:
            told.append(f"{spell(of)} {word}")
    return "; ".join(told) + "." if told else ""


def losses(words: Words, lost: Sequence[happened.Lost]) -> str:
    """``Germans: Rifle -3, Truck K1 lost.``, a side at a time."""
    by_side: dict[str, list[happened.Lost]] = {}
    for event in lost:
        by_side.setdefault(piece_side(event.piece), []).append(event)
    told = []
    for side, own in by_side.items():
        guys = Counter(event.unit for event in own if words.unit(event.unit).is_guy)
        parts = [f"{words.unit(unit).short} -{count}" for unit, count in guys.items()]
        parts += [
            f"{words.piece(event.piece)} lost" for event in own if not words.unit(event.unit).is_guy
        ]
        told.append(f"{words.people(side)}: {', '.join(parts)}.")
    return " ".join(told)


def _draw(event: happened.Judged) -> str:
    if event.hit:
        return f"{event.draw} hit,"
    if event.saved_by:
        return f"{event.draw} miss ({event.saved_by.replace('_', ' ')}),"
    return f"{event.draw} miss,"
