"""The state of a campaign, as the fold of its events: its groups, the marker, the battles so far,
and what is to be done next. Numbers such as C10 are rulings of campaigns (``terms``)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.campaign.battle_facts import BattleFacts
from skirmish.games.plastic.campaign.campaign_file import CampaignFile, Rung
from skirmish.games.plastic.campaign.groups import (
    CampaignGroup,
    Move,
    RearmedGuys,
    UnitsByGroup,
    UnitTerms,
    added,
    group_after,
)
from skirmish.games.plastic.campaign.terms import CampaignTerms, Return, ReturnTable
from skirmish.games.plastic.commander.weights import TemperamentId
from skirmish.games.plastic.rules.catalog import Catalog, Counts
from skirmish.games.plastic.rules.options import Options
from skirmish.tabletop.chance import Draw, Source

Step: TypeAlias = Literal["forces", "battle", "returns", "catch_up", "replacements", "over"]
"""What is to be done next: choose forces, fight, draw for the lost, settle what the loser gets, buy
replacements; or nothing, since the campaign is ``over``."""


class PartyName(NamedTuple):
    """What a party of the lost is known by."""

    battle: int
    group: str
    unit: str
    number: int
    """Its number among the parties of that unit."""


class LostParty(msgspec.Struct, frozen=True):
    """Men or models of one unit, lost in one battle by one group, for whom one card of the returns
    is drawn: one man, one model, or several riflemen (C9)."""

    battle: int
    side: str
    group: str
    unit: str
    number: int
    """Its number among the parties of that unit."""
    count: int
    """How many belong to the party."""
    shares: PartyName | None = None
    """The party of the model with which they were lost, if its card is theirs too (C11)."""

    @property
    def name(self) -> PartyName:
        """By what the party is known again, even when its battle is changed afterwards."""
        return PartyName(self.battle, self.group, self.unit, self.number)


class ReturnCard(msgspec.Struct, frozen=True):
    """A card of the returns, and what it said."""

    party: LostParty
    draw: Draw
    result: Return


class Fielding(msgspec.Struct, frozen=True, kw_only=True):
    """What a side brings to a battle."""

    groups: UnitsByGroup = {}
    """The men and models of its groups."""
    attached: dict[str, int] = {}
    """How many of each unit come for this battle only."""
    works: dict[str, int] = {}
    """How many of each kind of works, by their ids in the catalog."""
    settled: bool = False
    """Whether it was chosen. No code reads this any more, but journals have it."""


class Fought(msgspec.Struct, frozen=True, kw_only=True):
    """A battle of the campaign that was set up or conceded."""

    number: int
    rung: Rung
    """What was fought."""
    marker: int
    """Where the marker stood before it."""
    fielding: dict[str, Fielding]
    """What each side brought; empty if the battle was conceded."""
    facts: BattleFacts | None = None
    """What it came to; None until it is counted."""
    holds: tuple[str, ...] = ()
    """The sides that hold the field after it."""
    drawn: tuple[ReturnCard, ...] = ()
    """The cards that were drawn for its lost."""
    conceded_by: str = ""
    """The side that gave it up; empty: none did."""

    @property
    def winner(self) -> str | None:
        """The side that won by fighting; None: nobody did, or it is not counted."""
        if self.facts is None:
            return None
        return self.facts.winner


class Outcome(msgspec.Struct, frozen=True):
    """How the campaign ended: the winner, None for a draw, and why, as a sentence."""

    winner: str | None
    reason: str


class CampaignSide(msgspec.Struct, frozen=True):
    """A side of the campaign. ``name`` stands alone, ``people`` behind an article (``Germans``,
    ``men of Ziegler``); ``player`` commands it; ``nation`` is that of most of its groups."""

    id: str
    name: str
    people: str
    nation: str | None
    player: str = ""


class ArmyLimits(msgspec.Struct, frozen=True):
    """The numbers and the rulings by which an army is measured, as they were when the campaign
    began."""

    catalog: Catalog
    rulings: dict[str, str]


class CampaignSetup(msgspec.Struct, frozen=True, kw_only=True):
    """The opening of a campaign, with all that may not change while it lasts."""

    mark: str
    """A name that no other campaign has, by which its battles are known."""
    file: CampaignFile
    sides: tuple[CampaignSide, CampaignSide]
    groups: tuple[CampaignGroup, ...]
    units: dict[str, UnitTerms]
    """The names and prices of units as they were when it began."""
    works: dict[str, UnitTerms]
    """The names and prices of works as they were when it began."""
    lists: dict[str, dict[str, dict[str, int]]]
    """The lists of the scenarios of the ladder: counts by the scenario of a rung, by side and by
    unit."""
    titles: dict[str, str]
    """The titles of these scenarios."""
    rulings: dict[str, str]
    """The answers to the rulings of campaigns."""
    named: str
    """What these answers are called together."""
    table: ReturnTable
    """The table by which the cards for the lost are read (C22)."""
    source: Source
    """The deck or die from which the cards for the lost are drawn."""
    options: Options = Options()
    """The optional rules of its battles."""
    draws: dict[str, str] = {}
    """Who draws in its battles, by side."""
    programs: dict[str, TemperamentId] = {}
    """The sides that the program commands in battles, each with its temperament."""
    quality: bool = False
    """Whether each group fights at its own force quality."""
    limits: ArmyLimits | None = None
    """The purchase limits of armies, where they bind what is brought to a battle (C2)."""
    revision: str = ""
    """The version of the data with which the campaign was set up."""

    @property
    def terms(self) -> CampaignTerms:
        """The numbers of the campaign, by the answers to its rulings."""
        return CampaignTerms(self.rulings, self.table)

    @property
    def ids(self) -> tuple[str, str]:
        """The ids of both sides."""
        first, second = self.sides
        return (first.id, second.id)

    def title_of(self, rung: Rung) -> str:
        """The title of a rung, or else of its scenario, or else the number of that."""
        if rung.title:
            return rung.title
        number = str(rung.scenario)
        return self.titles.get(number, number)

    @property
    def last_battle(self) -> int:
        """After which battle the campaign ends at the latest, by a ruling or by its file."""
        # The ruling has 0 where it leaves that to the file.
        return self.terms.last_battle or self.file.last_battle


class CampaignState(msgspec.Struct, frozen=True, kw_only=True):
    """A campaign as it stands."""

    setup: CampaignSetup
    groups: dict[str, CampaignGroup]
    source: Source
    """The deck or die from which the cards for the lost are drawn, as it is now."""
    marker: int = 0
    """The rung on which it stands: 0 in the middle, above it for the first side."""
    points: dict[str, int]
    """The points of the campaign for victories and draws, by side."""
    battle: int = 1
    """The number of the battle that is prepared, fought or settled now."""
    step: Step = "forces"
    fielding: dict[str, Fielding] = {}
    """What each side has chosen to bring to this battle."""
    attacker: str = ""
    """The side that attacks in this battle; empty: players draw for it."""
    seed: int = 0
    """The seed of the decks of this battle, once it is set up."""
    fought: tuple[Fought, ...] = ()
    """The battles that were set up or conceded, oldest first; the last may not be fought yet."""
    due: tuple[LostParty, ...] = ()
    """The parties for which cards are still to be drawn after a battle."""
    budget: dict[str, int] = {}
    """By side, the points that it may spend on replacements; once it has bought, those that it
    saves."""
    listed: dict[str, UnitsByGroup] = {}
    """What each side means to buy."""
    ground: str = ""
    """The side that has the choice of ground; empty: none."""
    catching_up: str = ""
    """The side that lost the battle and may choose what it takes for that; empty: none."""
    settled: frozenset[str] = frozenset()
    """The sides that have bought."""
    players: dict[str, str] = {}
    """Who commands a side that was handed over since the opening."""
    outcome: Outcome | None = None
    """None while it goes on."""

    @property
    def rung(self) -> Rung:
        """What is fought next, or now."""
        if self.fought and self.fought[-1].number == self.battle:
            return self.fought[-1].rung
        return self.setup.file.rung_of(self.battle, self.marker)

    @property
    def is_free_battle(self) -> bool:
        """Whether the battle that is fought next, or now, is a free one, without a scenario."""
        return not self.rung.scenario

    @property
    def allowance(self) -> int:
        """The points that a side may bring to this battle, if it is a free one."""
        return self.setup.file.allowance(self.rung)

    @property
    def last_decided(self) -> Fought | None:
        """The last battle that was counted or conceded; None before the first of them."""
        for fought in reversed(self.fought):
            if fought.facts is not None or fought.conceded_by:
                return fought
        return None

    def name(self, side: str) -> str:
        """What a side is called where its name stands alone: ``Germans``, ``Ziegler``."""
        return self.side(side).name

    def people(self, side: str) -> str:
        """What a side is called behind an article, with a verb in the plural: ``Germans``, ``men of
        Ziegler``."""
        return self.side(side).people

    def side(self, id: str) -> CampaignSide:
        """The side of that id; raises KeyError for another."""
        for side in self.setup.sides:
            if side.id == id:
                return side
        raise KeyError(id)

    def player_of(self, side: str) -> str:
        """The name of whoever commands a side now; empty if nobody is named."""
        return self.players.get(side, self.side(side).player)

    def enemy_of(self, side: str) -> str:
        """The id of the other side."""
        first, second = self.setup.ids
        if side == second:
            return first
        return second

    def winner_of(self, fought: Fought) -> str | None:
        """The side that won a battle, by fighting or because the other gave it up; None: nobody, or
        it is not counted."""
        if fought.conceded_by:
            return self.enemy_of(fought.conceded_by)
        return fought.winner

    def of_side(self, side: str) -> Iterator[CampaignGroup]:
        """The groups of a side, in the order of the file."""
        for group in self.groups.values():
            if group.side == side:
                yield group

    def may_fight(self, side: str) -> list[CampaignGroup]:
        """The groups of a side that may come to the next battle: those that have entered by then
        and, if the battle has a front, belong to it."""
        front = self.rung.front
        groups = []
        for group in self.of_side(side):
            if group.enters <= self.battle and (not front or group.front == front):
                groups.append(group)
        return groups

    def price(self, unit: str) -> int:
        """The list price of a unit in points."""
        return self.setup.units[unit].price

    def worth(self, counts: Counts) -> int:
        """The list price of these units together, in points."""
        return sum(self.price(unit) * count for unit, count in counts.items())

    def moved(self, moves: tuple[Move, ...]) -> CampaignState:
        """The state after men have gone from one place to another."""
        groups = dict(self.groups)
        for move in moves:
            groups[move.group] = group_after(groups[move.group], move)
        return replace(self, groups=groups)

    def rearmed(self, changes: tuple[RearmedGuys, ...]) -> CampaignState:
        """The state after ready guys have become guys of another unit (C10)."""
        groups = dict(self.groups)
        for change in changes:
            group, count = groups[change.group], change.count
            ready = added(added(group.ready, change.unit, -count), change.into, count)
            # How many more, or fewer, the group has of a unit by such changes.
            turned = added(added(group.turned, change.unit, -count), change.into, count)
            groups[group.id] = replace(group, ready=ready, turned=turned)
        return replace(self, groups=groups)
