"""The opening of a battle: everything it needs, in one frozen value, so that a later change of
prices or rules never changes an old battle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from itertools import count
from string import ascii_lowercase
from typing import Literal, TypeVar

import msgspec

from skirmish.games.plastic.battle.names import RowName, piece_code, piece_name, piece_side
from skirmish.games.plastic.rules.army import ArmyList
from skirmish.games.plastic.rules.catalog import Catalog, UnitType
from skirmish.games.plastic.rules.options import Options
from skirmish.games.plastic.scenarios.scenario import (
    DrawTable,
    Happening,
    Scenario,
    ToggleOnCard,
)
from skirmish.tabletop.chance import Draw, Source, parse_card

H = TypeVar("H", bound=Happening)

Level = Literal["referee", "clerk", "ledger"]
"""How a side uses the program: the program draws; draws are typed in; only losses and the clock are
recorded."""

BROKEN_INTO = "rifle"
"""The unit that a guy becomes when his weapon breaks down ("Breakdowns")."""


CARDS_ONLY = "This scenario is played with cards, not dice."
REINFORCEMENTS = "reinforcements"
"""The contingent of reinforcements from a draw table."""


def concerns(happening: Happening, side: str, contingent: str, unit: str) -> bool:
    """Whether a scenario event is about this unit of a side in this contingent."""
    units = getattr(happening, "units", None) or (getattr(happening, "unit", None),)
    place = getattr(happening, "contingent", None)
    of_side = getattr(happening, "side", None) == side
    return of_side and place in (None, contingent) and unit in units


class Piece(msgspec.Struct, frozen=True):
    """``id`` is side and code (``german:T3``), as printed on rosters."""

    id: str
    contingent: str
    unit: str

    @property
    def side(self) -> str:
        return piece_side(self.id)

    @property
    def code(self) -> str:
        return piece_code(self.id)


class Contingent(msgspec.Struct, frozen=True):
    """``enters`` is the turn of entry; 0 and 1: on the table from the start. ``by``: ``S edge``."""

    id: str
    side: str
    name: str
    enters: int = 0
    note: str = ""
    by: str = ""


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """``people`` is the plural for sentences (``Germans``); ``nation`` supplies the traits if
    nationalities are played. ``breaks``: the break point beats it. ``works`` are its entrenchments,
    wire and so on at the start."""

    id: str
    name: str
    people: str
    nation: str | None = None
    quality: str | None = None
    player: str = ""
    level: Level = "referee"
    source: Source
    breaks: bool = False
    works: dict[str, int] = {}


class Deadline(msgspec.Struct, frozen=True):
    """The player turn after which a battle ends: as a ``draw``, or by the scenario's terms."""

    side: str
    turn: int
    draw: bool = False


class Setup(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """``sides`` are in order of movement. It holds the ``scenario`` as played (options of rulings
    applied) or both ``armies``. ``answers`` to the questions before play, the pieces ``hidden`` at
    the start, and riders by carrier in ``aboard``. ``lots``: terrain and sides are drawn for before
    the first turn ("The Basic Game")."""

    version: int = 2
    title: str
    scenario: Scenario | None = None
    armies: tuple[ArmyList, ...] = ()
    sides: tuple[Side, Side]
    contingents: tuple[Contingent, ...]
    pieces: tuple[Piece, ...]
    options: Options = Options()
    answers: dict[str, int | str | dict[str, int]] = {}
    hidden: tuple[str, ...] = ()
    aboard: dict[str, str] = {}
    lots: bool = False
    ends_after: Deadline | None = None
    catalog: Catalog
    rulings: dict[str, str]
    revision: str = ""

    @property
    def victory(self) -> str:
        if self.scenario:
            return self.scenario.unmarked(self.scenario.victory.text)
        turn = self.ends_after.turn if self.ends_after else 0
        return f"Whoever loses half his strength is beaten; after turn {turn} it is a draw."

    def happenings(self, kind: type[H]) -> list[H]:
        every = self.scenario.happenings if self.scenario else ()
        return [one for one in every if isinstance(one, kind)]

    @cached_property
    def toggling(self) -> dict[Draw, ToggleOnCard]:
        return {parse_card(kind.card): kind for kind in self.happenings(ToggleOnCard)}

    @cached_property
    def by_id(self) -> dict[str, Piece]:
        return {piece.id: piece for piece in self.pieces}

    @cached_property
    def numbered(self) -> dict[str, int]:
        """By side and letter (``german:T``), the highest number without a gap below it."""
        given: dict[str, set[int]] = {}
        for piece in self.pieces:
            letter = piece_name(piece.side, piece.code[:1])
            given.setdefault(letter, set()).add(int(piece.code[1:]))
        return {letter: next(n for n in count(1) if n not in own) - 1
                for letter, own in given.items()}  # fmt: skip

    @cached_property
    def fielded(self) -> dict[str, Counter[str]]:
        return {
            side.id: Counter(piece.unit for piece in self.pieces if piece.side == side.id)
            for side in self.sides
        }

    @cached_property
    def side_by_id(self) -> dict[str, Side]:
        return {side.id: side for side in self.sides}

    @cached_property
    def contingent_by_id(self) -> dict[str, Contingent]:
        return {contingent.id: contingent for contingent in self.contingents}

    def enemy_of(self, side: str) -> Side:
        return self.sides[0] if self.sides[1].id == side else self.sides[1]

    def the(self, side: str, article: str = "the") -> str:
        """``the Germans``, or an army's name without an article; ``The`` at the start of a
        sentence."""
        known = self.side_by_id[side]
        return f"{article} {known.people}" if self._by_nation(known) else known.people

    def does(self, side: str, plural: str, singular: str, article: str = "the") -> str:
        """A side and its verb: ``the Germans win``, but ``Ben wins``: a nation's people are many,
        the name of an army or of a player is one."""
        verb = plural if self._by_nation(self.side_by_id[side]) else singular
        return f"{self.the(side, article)} {verb}"

    def moves_no_more(self, side: str, article: str = "The") -> str:
        """The effect of a command draw that ends movement, as a sentence."""
        return f"{self.the(side, article)} may move no more groups this turn."

    def of(self, side: str, thing: str) -> str:
        """A possession of a side: ``German unit``, ``unit of Ziegler``."""
        known = self.side_by_id[side]
        nation = self._by_nation(known)
        return f"{nation} {thing}" if nation else f"{thing} of {known.people}"

    def _by_nation(self, side: Side) -> str:
        nations = self.catalog.nations.values()
        return next((nation.name for nation in nations if nation.people == side.people), "")

    def unit(self, name: str) -> UnitType:
        return self.catalog.units[name]

    def source_of(self, side: str) -> str:
        """The side whose deck or die is used: its own, or (P23) the first side's for both."""
        return side if self.rulings["P23"] == "own_decks" else self.sides[0].id

    @cached_property
    def letters(self) -> dict[str, str]:
        """By row, the same for all who see it. Every contingent has a row of riflemen (breakdowns).

        Rows of which nothing can be seen get theirs last: the letters of the others have no gap
        that would tell of them. Empty ones come before hidden ones, so that one that is filled
        later tells nothing either.
        """
        letters: dict[str, str] = {}
        for side in self.sides:
            taken: set[str] = set()
            rows = self._rows_of(side.id)
            for row in sorted(rows, key=self._concealment):
                letters[str(row)] = self.free_letter(row.unit, taken)
                taken.add(letters[str(row)])
        every = [str(row) for side in self.sides for row in self._rows_of(side.id)]
        return {row: letters[row] for row in every}

    def _concealment(self, row: RowName) -> int:
        """How little is seen of a row: 0 somebody, 1 nobody is in it, 2 all hide."""
        here = self._in_rows.get(row, [])
        if not here:
            return 1
        hidden = set(self.hidden)
        return 2 if hidden.issuperset(here) else 0

    @cached_property
    def _in_rows(self) -> dict[RowName, list[str]]:
        """The pieces of each row at the beginning."""
        found: dict[RowName, list[str]] = {}
        for piece in self.pieces:
            row = RowName(piece.side, piece.contingent, piece.unit)
            found.setdefault(row, []).append(piece.id)
        return found

    def free_letter(self, name: str, taken: Collection[str]) -> str:
        """The unit's own letter unless ``taken``, else one from its name, else any."""
        unit = self.unit(name)
        wishes = f"{unit.letter}{unit.short.lower()}{ascii_lowercase}"
        free = (c for c in wishes if c.isascii() and c.isalpha() and c not in taken)
        return next(free, "?")

    def _rows_of(self, side: str) -> list[RowName]:
        rows: dict[RowName, None] = {}
        own = [contingent.id for contingent in self.contingents if contingent.side == side]
        for contingent in own:
            units = {piece.unit for piece in self.pieces if piece.contingent == contingent}
            if contingent == REINFORCEMENTS:  # a draw table may bring them
                tables = [table for table in self.happenings(DrawTable) if table.side == side]
                units.update(*(row.units or () for table in tables for row in table.rows))
            for unit in sorted(units, key=list(self.catalog.units).index):
                rows[RowName(side, contingent, unit)] = None
        for contingent in own:
            rows.setdefault(RowName(side, contingent, BROKEN_INTO))
        return list(rows)


class Codes:
    """Continues after the codes that are ``given``."""

    def __init__(self, side: str, catalog: Catalog, given: Iterable[Piece] = ()) -> None:
        self._side = side
        self._catalog = catalog
        self._given: dict[str, int] = {}
        for piece in given:
            letter, number = piece.code[:1], piece.code[1:]
            self._given[letter] = max(self._given.get(letter, 0), int(number))

    def pieces(self, contingent: str, units: Mapping[str, int]) -> list[Piece]:
        made = []
        for name, unit in self._catalog.units.items():
            for _ in range(units.get(name, 0)):
                letter = unit.letter.upper()
                number = self._given[letter] = self._given.get(letter, 0) + 1
                made.append(Piece(piece_name(self._side, f"{letter}{number}"), contingent, name))
        return made
