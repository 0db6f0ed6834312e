"""The tables, cards and scenarios of Omaha, read from ``data/omaha``.

Every number of the rules text is there once. What the text lacks or states twice is filled in by a
ruling (``data/omaha/rulings.toml``), never here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from skirmish.tabletop.companion.explained import Explained
from skirmish.tabletop.companion.result_table import ResultTable
from skirmish.tabletop.companion.sequence import SequencePhase, TurnSequence
from skirmish.tabletop.data_file import DataError, Problem, Strict, read

Side = Literal["us", "german"]
Recovery = Literal["us", "ranger", "german", "at916"]
"""Whose recovery number counts for a unit: that of its side, or one of its own."""
UnitKind = Literal["infantry", "engineers", "gun", "armor"]
SIDES: dict[str, str] = {"us": "American", "german": "German"}
FOES: dict[Side, Side] = {"us": "german", "german": "us"}
KINDS: dict[UnitKind, str] = {
    "infantry": "infantry or heavy machine guns",
    "engineers": "engineers",
    "gun": "gun or mortar",
    "armor": "armor",
}
FORTIFICATION, CREST = "fortification", "crest"
"""The ids of two things that shift columns as terrain does. A fortification stands in a hex besides
its terrain. A crest lies between attacker and target, so a player states for each attack whether it
is across one."""


class Terrain(Strict, frozen=True, kw_only=True):
    """A kind of terrain."""

    id: str
    name: str
    key: str = ""
    """The key that switches it on and off for a shot; empty if none does."""
    example: str
    """Where on the map it is found, in words."""
    cost: str
    """What it costs to enter, in words."""
    left: int = 0
    """By how many columns it shifts an attack upon a unit in it to the left."""


class OmahaNumbers(Strict, frozen=True, kw_only=True):
    """Numbers of the rules."""

    stack: int
    """The most units in a hex."""
    steps: int
    """The steps of a unit."""
    packet: int
    """The HE factors of a packet of the navy, and of a card of air power."""
    packets: int
    """How many packets the navy has."""
    solitaire_odds: str
    """The least odds at which the solitaire German assaults: ``"3-1"``."""


class OmahaTables(Strict, frozen=True, kw_only=True):
    """``data/omaha/tables.toml``."""

    fire: ResultTable
    assault: ResultTable
    numbers: OmahaNumbers
    recovery: dict[Recovery, int]
    """The highest number that removes a Disrupted marker."""
    terrain: tuple[Terrain, ...]

    def terrain_with(self, id: str) -> Terrain | None:
        """The terrain with this id; None if there is none."""
        for terrain in self.terrain:
            if terrain.id == id:
                return terrain
        return None


class ActionCard(Strict, frozen=True, kw_only=True):
    """A kind of card."""

    id: str
    title: str
    text: str
    numbers: str
    """The numbers printed on its cards, one for each card, with spaces between: ``5 5 ?``, where
    ``?`` is not known."""
    garbled: str = ""
    """A sentence about what cannot be read of it in our source; empty if all of it can."""

    def chits(self, numbers: str) -> tuple[str, ...]:
        """The ids of its cards in the deck, by kind and number (``us_air 4``). ``numbers`` are the
        printed ones, or those that an owner reads off his own cards."""
        return tuple(f"{self.id} {number}" for number in numbers.split())


class CompanyDue(Strict, frozen=True, kw_only=True):
    """The arrival of a company."""

    company: str
    side: Side
    kind: UnitKind = "infantry"
    turn: int = 1
    """The turn on which it arrives; 0 if only a card brings it."""
    event: str = ""
    """The card that brings it, earlier than on its ``turn`` if it has one; empty if none does."""
    where: str = "a part-ocean hex beside a beach hex"
    """On which hexes it arrives, in words."""
    lands: bool = False
    """Whether it lands in the surf, where only tanks fire in that turn and none moves."""
    several: bool = False
    """Whether it stands for several companies, such as all German infantry. The names of their
    units tell them apart: the unit 1/2/352 is of 2/352."""
    recovers: Recovery | None = None
    """Whose recovery number it has, if not that of its side."""
    units: tuple[str, ...] = ()
    """The names of its units, where the text gives them."""


class Ending(Strict, frozen=True, kw_only=True):
    """The result if the Americans have at least so many victory points."""

    least: int
    text: str


class OmahaScenario(Strict, frozen=True, kw_only=True):
    """A scenario of the game."""

    id: str
    title: str
    about: str
    turns: int
    longest: int = 0
    """The greater number of turns that the text offers besides ``turns``; 0 if it gives no length
    at all, as for Vierville, where ``turns`` is only proposed."""
    navy: bool
    """Whether the guns of the navy support the Americans."""
    text: str
    fortifications: tuple[str, ...] = ()
    """The hexes that have a fortification."""
    victory: dict[str, int]
    """The hexes that count, with their points."""
    holder: Side | Literal[""]
    """The side that defends, and holds these hexes at first. Where that is the German side, the
    solitaire German moves only reinforcements; without a holder he moves all of his units."""
    results: tuple[Ending, ...] = ()
    """The results by the American points, the best first; none where the side with more points
    wins."""
    without: tuple[str, ...] = ()
    """The kinds of cards that are removed from the deck."""
    arrivals: tuple[CompanyDue, ...]

    @property
    def states_its_length(self) -> bool:
        """Whether the text says how many turns are played. Where it does not, it does not say who
        moves first either."""
        return self.longest > 0

    def arrival(self, company: str) -> CompanyDue | None:
        """The arrival of a company; None for one that the scenario does not name."""
        for arrival in self.arrivals:
            if arrival.company == company:
                return arrival
        return None


class OmahaFile(Strict, frozen=True, kw_only=True):
    """``data/omaha/game.toml``."""

    phases: tuple[SequencePhase, ...]
    explained: tuple[Explained, ...]
    cards: tuple[ActionCard, ...]
    scenarios: tuple[OmahaScenario, ...]


class OmahaSetup(msgspec.Struct, frozen=True, kw_only=True):
    """The set-up of a game."""

    tables: OmahaTables
    cards: tuple[ActionCard, ...]
    scenario: OmahaScenario
    sequence: TurnSequence
    """The phases of a turn, up to the last turn."""
    rulings: dict[str, str]
    """The answer to each ruling, by its id (``M2``)."""
    chance: Literal["die", "cards", "own"]
    """Whether numbers come from the program's die, its deck, or the owner's own die and cards."""
    solitaire: bool
    revision: str

    def ruled(self, id: str, answer: str) -> bool:
        """Whether a ruling has this answer in the game."""
        return self.rulings[id] == answer

    def card(self, chit: str) -> ActionCard:
        """The kind of a card of the deck, by its chit (``us_air 4``) or by its id."""
        kind = chit.split(maxsplit=1)[0]
        return next(card for card in self.cards if card.id == kind)


def read_tables(raw: Mapping[str, Any]) -> OmahaTables:
    """The tables of ``tables.toml``. Raises DataError."""
    file = "omaha/tables.toml"
    tables = read(raw, OmahaTables, file)
    problems = [*tables.fire.problems(), *tables.assault.problems()]
    if problems:
        raise DataError(file, problems)
    return tables


def read_game(raw: Mapping[str, Any]) -> OmahaFile:
    """Phases, cards and scenarios of ``game.toml``. Raises DataError, also for a scenario that
    names a card which is not there."""
    file = read(raw, OmahaFile, "omaha/game.toml")
    cards = {card.id for card in file.cards}
    problems = list(TurnSequence(phases=file.phases).problems())
    for scenario in file.scenarios:
        cards_named = set(scenario.without)
        cards_named |= {arrival.event for arrival in scenario.arrivals if arrival.event}
        for id in cards_named - cards:
            problems.append(Problem(scenario.id, f"there is no card {id!r}."))
    if problems:
        raise DataError("omaha/game.toml", problems)
    return file


def sequence_of(phases: tuple[SequencePhase, ...], turns: int, first: Side) -> TurnSequence:
    """The sequence of so many ``turns``, in each of which the phases of the side ``first`` come
    first."""
    # The set-up belongs to nobody, and comes before the phases of both sides.
    of_nobody = [phase for phase in phases if phase.side == ""]
    of_first = [phase for phase in phases if phase.side == first]
    of_second = [phase for phase in phases if phase.side not in ("", first)]
    return TurnSequence(phases=(*of_nobody, *of_first, *of_second), turns=turns)
