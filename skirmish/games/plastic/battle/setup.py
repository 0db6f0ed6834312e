"""The opening of a battle: everything it needs, in one frozen value, so that a later change of
prices or rules never changes an old battle."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import Literal, TypeAlias, TypeVar

import msgspec

from skirmish.games.plastic.battle.pieces import Contingent, Piece
from skirmish.games.plastic.battle.row_letters import possible_rows, row_letters
from skirmish.games.plastic.rules.army import ArmyList
from skirmish.games.plastic.rules.catalog import Catalog, UnitType
from skirmish.games.plastic.rules.options import Options
from skirmish.games.plastic.scenarios.happenings import DrawTable, Happening, ToggleOnCard
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.tabletop.chance import Draw, Source, parse_card
from skirmish.tabletop.side_colours import SideSigns, looks

HappeningT = TypeVar("HappeningT", bound=Happening)
"""A kind of happening of a scenario."""

Level = Literal["referee", "clerk", "ledger"]
"""How a side uses the program: the program draws; draws are typed in; only losses and the clock are
recorded."""
SetupAnswers: TypeAlias = dict[str, int | str | dict[str, int]]
"""The answers to the questions of a scenario before play, by question: a number, an option or a
place, or numbers of units."""

VERSION = 2
"""The version of the format in which an opening is stored today."""
CARDS_ONLY = "This scenario is played with cards, not dice."
"""The refusal of dice."""


def concerns(happening: Happening, side: str, contingent: str, unit: str) -> bool:
    """Whether a happening of the scenario is about this unit of a side in this contingent. Some
    kinds of happenings have a ``unit``, others ``units``; without a ``contingent`` they are about
    all of the side."""
    # Not every kind has these fields: darkness is about no unit.
    if getattr(happening, "side", None) != side:
        return False
    if getattr(happening, "contingent", None) not in (None, contingent):
        return False
    units = getattr(happening, "units", None)
    if units:
        return unit in units
    return unit == getattr(happening, "unit", None)


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """A side of a battle, as it begins."""

    id: str
    name: str
    people: str
    """The plural for sentences: ``Germans``."""
    nation: str | None = None
    """The nation whose traits it has if nationalities are played."""
    quality: str | None = None
    """The id of its force quality; None: it is not played."""
    player: str = ""
    """The name of its player; empty if nobody is named."""
    level: Level = "referee"
    source: Source
    breaks: bool = False
    """Whether the break point beats it."""
    works: dict[str, int] = {}
    """Its entrenchments, wire and so on."""


class OfCampaign(msgspec.Struct, frozen=True, kw_only=True):
    """The campaign that a battle belongs to."""

    # The store finds the battles of a campaign by the text of these two, so their order stays.
    mark: str
    """The id of the campaign, by which its stored journal is found."""
    battle: int
    """The number of this battle in the campaign."""
    title: str
    """The title of the campaign."""
    sides: dict[str, str]
    """The side of the campaign that each side of the battle is."""
    groups: dict[str, str]
    """The group of the campaign that each piece belongs to. A piece without one is attached for
    this battle only."""
    answers: dict[str, str] = {}
    """The answers to rulings of the campaign that matter in a battle (C10, C11, C18, C20), where
    they are not the default."""


class Deadline(msgspec.Struct, frozen=True):
    """The player turn after which a battle ends. ``draw``: it is a draw then; else the scenario
    says who has won."""

    side: str
    turn: int
    draw: bool = False


class Setup(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """The opening of a battle. The class has a ``dict``, in which cached properties keep what they
    have computed."""

    version: int = VERSION
    title: str
    # The scenario as it is played, with its units exchanged as rulings say. None in the basic game,
    # which has both ``armies`` instead.
    scenario: Scenario | None = None
    armies: tuple[ArmyList, ...] = ()
    # In the order in which they move.
    sides: tuple[Side, Side]
    contingents: tuple[Contingent, ...]
    pieces: tuple[Piece, ...]
    options: Options = Options()
    # The answers to the questions before play, by question.
    answers: SetupAnswers = {}
    # The pieces that hide at the start.
    hidden: tuple[str, ...] = ()
    # The carrier of each rider at the start.
    aboard: dict[str, str] = {}
    # Whether lots are drawn before the first turn, for terrain and for sides ("The Basic Game").
    lots: bool = False
    ends_after: Deadline | None = None
    campaign: OfCampaign | None = None
    # Embedded, as are the rulings: a later change of prices or rules changes no old battle.
    catalog: Catalog
    rulings: dict[str, str]
    # The revision of the data from which it was made.
    revision: str = ""

    @property
    def victory(self) -> str:
        """What victory is, in sentences for the players."""
        # Without the marks in the scenario's text: they lead to footnotes, which stand elsewhere.
        if self.scenario:
            return self.scenario.unmarked(self.scenario.victory.text)
        text = "Whoever loses half his strength is beaten"
        if self.ends_after is None:
            return f"{text}."
        return f"{text}; after turn {self.ends_after.turn} it is a draw."

    def happenings(self, kind: type[HappeningT]) -> list[HappeningT]:
        """The scenario's happenings of one kind; none in the basic game."""
        if self.scenario is None:
            return []
        return [happening for happening in self.scenario.happenings if isinstance(happening, kind)]

    @cached_property
    def toggling(self) -> dict[Draw, ToggleOnCard]:
        """The happenings that begin or end with a card, by that card."""
        return {parse_card(toggle.card): toggle for toggle in self.happenings(ToggleOnCard)}

    @cached_property
    def piece_by_id(self) -> dict[str, Piece]:
        """The pieces at the start; those that join later are in the state."""
        return {piece.id: piece for piece in self.pieces}

    def last_without_gap(self, side: str, letter: str) -> int:
        """The last number of a side's pieces of a letter before the first gap: 3 of R1, R2, R3 and
        R5. A gap would tell a viewer that pieces are hidden (``BattleWords.code``)."""
        return self._last_without_gap.get((side, letter), 0)

    @cached_property
    def _last_without_gap(self) -> dict[tuple[str, str], int]:
        """``last_without_gap`` by side and letter."""
        given: dict[tuple[str, str], set[int]] = {}
        for piece in self.pieces:
            given.setdefault((piece.side, piece.letter), set()).add(piece.number)
        without_gap = {}
        for side_and_letter, numbers in given.items():
            last = 0
            while last + 1 in numbers:
                last += 1
            without_gap[side_and_letter] = last
        return without_gap

    @cached_property
    def fielded(self) -> dict[str, Counter[str]]:
        """How many of each unit every side has at the start."""
        fielded: dict[str, Counter[str]] = {side.id: Counter() for side in self.sides}
        for piece in self.pieces:
            fielded[piece.side][piece.unit] += 1
        return fielded

    def contingents_with(self, side: str, short_name: str) -> frozenset[str]:
        """The contingents of a side with units of that short name at the start."""
        return self._contingents_by_name.get((side, short_name), frozenset())

    @cached_property
    def _contingents_by_name(self) -> dict[tuple[str, str], frozenset[str]]:
        """``contingents_with`` by side and short name."""
        by_name: dict[tuple[str, str], set[str]] = {}
        for piece in self.pieces:
            side_and_name = (piece.side, self.unit(piece.unit).short)
            by_name.setdefault(side_and_name, set()).add(piece.contingent)
        return {name: frozenset(contingents) for name, contingents in by_name.items()}

    @cached_property
    def side_by_id(self) -> dict[str, Side]:
        """The sides by their ids."""
        return {side.id: side for side in self.sides}

    @cached_property
    def signs(self) -> dict[str, SideSigns]:
        """The colours and the sign of each side, the same on screens, on phones and on paper."""
        first, second = self.sides
        signs = looks(first.nation or first.id, second.nation or second.id)
        return dict(zip((first.id, second.id), signs, strict=True))

    @cached_property
    def contingent_by_id(self) -> dict[str, Contingent]:
        """The contingents of both sides by their ids."""
        return {contingent.id: contingent for contingent in self.contingents}

    def enemy_of(self, side: str) -> Side:
        """The other side."""
        first, second = self.sides
        if second.id == side:
            return first
        return second

    # ------------------------------------------------------------------ sides in sentences

    def the(self, side: str, article: str = "the") -> str:
        """``the Germans``, or an army's name without an article. ``article``: ``The`` at the start
        of a sentence, empty where there is no room."""
        named_side = self.side_by_id[side]
        if article and self._nation_named(named_side):
            return f"{article} {named_side.people}"
        return named_side.people

    def does(self, side: str, plural: str, singular: str, *, article: str = "the") -> str:
        """A side and its verb, which is given in both forms: ``the Germans win``, but ``Ben wins``,
        since a nation's people are many, the name of an army or of a player is one. ``article``: as
        of ``the``."""
        return f"{self.the(side, article)} {self.verb_of(side, plural, singular)}"

    def verb_of(self, side: str, plural: str, singular: str) -> str:
        """The verb of ``does`` without the side."""
        if self._nation_named(self.side_by_id[side]):
            return plural
        return singular

    def moves_no_more(self, side: str, article: str = "The") -> str:
        """The sentence about a command draw that ends the movement of a side."""
        return f"{self.the(side, article)} may move no more groups this turn."

    def owned_by(self, side: str, noun: str) -> str:
        """Something that a side has: ``German unit``, ``unit of Ziegler``."""
        owner = self.side_by_id[side]
        nation = self._nation_named(owner)
        if nation:
            return f"{nation} {noun}"
        return f"{noun} of {owner.people}"

    def _nation_named(self, side: Side) -> str:
        """The nation by which sentences call a side; empty if they call it by its army."""
        # Sides are called by their nation only where the two nations differ; then ``people`` is the
        # name of its people.
        for nation in self.catalog.nations.values():
            if nation.people == side.people:
                return nation.name
        return ""

    # ------------------------------------------------------------------ units, sources, letters

    def unit(self, unit_id: str) -> UnitType:
        """The unit with this id, as the scenario and its variants have it."""
        return self.catalog.units[unit_id]

    def source_of(self, side: str) -> str:
        """The id of the side whose deck or die a side uses: its own or, by P23, the first side's
        for both."""
        if self.rulings["P23"] == "own_decks":
            return side
        return self.sides[0].id

    @cached_property
    def letters(self) -> dict[str, str]:
        """The letter (key) of every row that the battle may ever have, by its id."""
        letters: dict[str, str] = {}
        for side in self.sides:
            contingents = []
            for contingent in self.contingents:
                if contingent.side == side.id:
                    contingents.append(contingent.id)
            pieces = [piece for piece in self.pieces if piece.side == side.id]
            rows = possible_rows(
                side.id, contingents, pieces, self.catalog, self._reinforcements(side.id)
            )
            letters |= row_letters(rows, pieces, self.hidden, self.catalog)
        return letters

    def _reinforcements(self, side: str) -> set[str]:
        """The units that a draw table may bring to a side."""
        units: set[str] = set()
        for table in self.happenings(DrawTable):
            if table.side == side:
                for row in table.rows:
                    units.update(row.units or ())
        return units
