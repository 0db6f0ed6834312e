"""The state of a campaign, as the fold of its events: where every man is, the marker, the battles
so far, and what is to be done next. Numbers as C10 are rulings of campaigns (``terms``)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.campaign.campaign_file import CampaignFile, Rung
from skirmish.games.plastic.campaign.terms import CampaignTerms, Return, ReturnTable
from skirmish.games.plastic.commander.weights import TemperamentId
from skirmish.games.plastic.rules.catalog import Catalog, Counts, plural
from skirmish.games.plastic.rules.options import Options
from skirmish.tabletop.chance import Draw, Source

Place: TypeAlias = Literal["ready", "away", "fielded", "prisoner", "gone"]
"""Where a man or a model of a group is. ``fielded``: in the battle that is being fought, or lost in
it and not drawn for yet; ``away``: he misses one battle."""
PLACES: tuple[Place, ...] = ("ready", "away", "fielded", "prisoner", "gone")
"""In the order of the columns of a table."""
Step: TypeAlias = Literal["forces", "battle", "returns", "catch_up", "replacements", "over"]
"""What is to be done next: choose forces, fight, draw for the lost, settle what the loser gets, buy
replacements."""
How: TypeAlias = Literal["victory", "break", "draw", "agreed", "withdrawn", "conceded"]
"""How a battle ended: by the terms of victory, since an army broke, without a winner, as the
players agreed, by the withdrawal of a side, or without being fought."""
RIFLE = "rifle"
"""The unit that is drawn for in parties and that fills a weak side; a guy whose weapon broke down
becomes one."""


class UnitTerms(msgspec.Struct, frozen=True):
    """What a campaign has to know of a unit: its names, its list price in points, and whether it is
    a guy."""

    name: str
    price: int
    guy: bool

    def named(self, count: int) -> str:
        """``1 Tank``, ``3 Tanks``"""
        if count == 1:
            return f"1 {self.name}"
        return f"{count} {plural(self.name)}"


class Captured(msgspec.Struct, frozen=True):
    """Prisoners that were taken in one battle."""

    battle: int
    unit: str
    count: int


class GroupBattle(msgspec.Struct, frozen=True, kw_only=True):
    """What a group did in a battle."""

    battle: int
    brought: int
    """How many pieces it brought."""
    lost: int
    """How many of them it lost."""
    guys: int = 0
    """The guys that it killed."""
    models: int = 0
    """The models that it killed."""
    points: int = 0
    """The list price of all that it killed."""
    shots: int = 0
    hits: int = 0
    expected: float | None = None
    """How many hits its fire could expect; None in a battle that was counted before campaigns kept
    that."""


class CampaignGroup(msgspec.Struct, frozen=True, kw_only=True):
    """A named group of a side, as a platoon. Counts are by unit; a unit that has none is left
    out."""

    id: str
    side: str
    name: str
    nation: str | None
    front: str
    """The front on which alone it fights; empty: on any."""
    enters: int
    """The battle from which on it fights."""
    strength: dict[str, int]
    """What it had at the start, beyond which it never buys."""
    quality: str
    """Its force quality: green, regular or elite."""
    marks: int = 0
    """The marks since its last step of quality; enough of them lift it a step."""
    ready: dict[str, int]
    away: dict[str, int] = {}
    fielded: dict[str, int] = {}
    gone: dict[str, int] = {}
    prisoners: tuple[Captured, ...] = ()
    recruits: dict[str, int] = {}
    """All that it bought since the start."""
    turned: dict[str, int] = {}
    """How many more it has of a unit, or fewer, because weapons broke down (C10)."""
    tonight: int = 0
    """How many raw men it bought after the last battle: a model for which a crew lives is none."""
    crews: dict[str, int] = {}
    """The crews of lost models who wait for another one."""
    battles: tuple[GroupBattle, ...] = ()
    honours: tuple[str, ...] = ()
    """What it is honoured for, each a sentence."""

    def count(self, place: Place, unit: str) -> int:
        """How many of a unit are in a place."""
        if place == "prisoner":
            return sum(taken.count for taken in self.prisoners if taken.unit == unit)
        # The other places are fields, which are called as the places.
        counts: dict[str, int] = getattr(self, place)
        return counts.get(unit, 0)

    def total(self, place: Place) -> int:
        """How many men and models are in a place."""
        if place == "prisoner":
            return sum(taken.count for taken in self.prisoners)
        counts: dict[str, int] = getattr(self, place)
        return sum(counts.values())

    @property
    def here(self) -> int:
        """Who belongs to it now, ready or away."""
        return self.total("ready") + self.total("away")

    @property
    def full(self) -> int:
        """How many it had at the start."""
        return sum(self.strength.values())

    def missing(self, unit: str) -> int:
        """How many of a unit it may buy: what it lacks of its strength. Prisoners may come back, so
        they are not lacking."""
        not_gone = self.count("ready", unit) + self.count("away", unit)
        not_gone += self.count("fielded", unit) + self.count("prisoner", unit)
        return max(0, self.strength.get(unit, 0) - not_gone)


class Move(msgspec.Struct, frozen=True):
    """So many of a unit of a group go from one place to another. ``battle``: in which they were
    taken prisoner; 0 for every other move."""

    group: str
    unit: str
    count: int
    start: Place
    end: Place
    battle: int = 0


class RearmedGuys(msgspec.Struct, frozen=True):
    """So many ready guys of a unit of a group are guys of the unit ``into`` from now on: those
    whose weapons broke down in a battle keep a rifle (C10)."""

    group: str
    unit: str
    into: str
    count: int


PartyName: TypeAlias = tuple[int, str, str, int]
"""The battle of a party, its group, its unit and its number among the parties of that unit."""


class LostParty(msgspec.Struct, frozen=True):
    """What one card of the returns is drawn for: the party of that ``number`` of a unit of a group
    that was lost in a battle. ``count``: one man or model, or up to three riflemen. ``shares`` is
    the party of the model with which they were lost, if its card is theirs too (C11)."""

    battle: int
    side: str
    group: str
    unit: str
    number: int
    count: int
    shares: PartyName | None = None

    @property
    def name(self) -> PartyName:
        """What stays the same when its battle is changed afterwards."""
        return (self.battle, self.group, self.unit, self.number)


class ReturnCard(msgspec.Struct, frozen=True):
    """A card of the returns, and what it said."""

    party: LostParty
    draw: Draw
    result: Return


class PieceFate(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a piece in a battle."""

    id: str
    side: str
    group: str | None
    """None if it was attached."""
    unit: str
    fate: Literal["alive", "lost", "exited", "waiting"]
    """``waiting``: it never came onto the table."""
    turn: int = 0
    """The turn in which it was lost or exited; 0: neither."""
    by: str = ""
    """The group that killed it; empty if nobody knows, or if the killer was of no group."""
    points: int = 0
    """Not filled in: stored facts have the field."""
    turned: str = ""
    """The unit that a guy is whose weapon broke down, if it is not mended (C10)."""
    carrier: str = ""
    """The piece with which a passenger was lost, if its card is his too (C11)."""


class HowLost(msgspec.Struct, frozen=True, kw_only=True):
    """How a piece was lost, as the casualty strip draws it: the ``entry`` of the battle's journal,
    its strength (``pdg``), and the code of the shooter, his weapon and the card, which are empty
    where nobody knows them."""

    entry: int
    pdg: int
    cause: Literal["shot", "breakdown", "other"] = "other"
    shooter: str = ""
    weapon: str = ""
    draw: Draw | None = None


class EdgeCrossed(msgspec.Struct, frozen=True, kw_only=True):
    """Pieces that entered or exited in a turn, by their ids; ``where`` is the edge or zone, empty
    if the scenario names none."""

    way: Literal["entry", "exit"]
    where: str
    turn: int
    pieces: tuple[str, ...]


class LeadTaken(msgspec.Struct, frozen=True, kw_only=True):
    """The turn of the side ``mover`` since which ``side`` was ahead for good, and how; ``first``:
    from the beginning; ``last``: only the end of the battle put it ahead.

    It has the fields of ``TurningPoint``, but those are worked out anew from a battle's journal
    whenever they are shown, while this is stored in the journals of campaigns: a change to what
    screens show of a battle must not change what can be read of these. Its sides are those of the
    campaign.
    """

    turn: int
    mover: str
    side: str
    text: str
    first: bool = False
    last: bool = False


class BattleStory(msgspec.Struct, frozen=True, kw_only=True):
    """What the campaign book tells of a battle, and what no rule of a campaign needs. ``strength``
    is that of the sides in potential dead guys, the first mover first; ``losses`` are by piece;
    ``attached`` is by side what those did who came for this battle only."""

    strength: dict[str, int]
    losses: dict[str, HowLost]
    crossed: tuple[EdgeCrossed, ...] = ()
    attached: dict[str, GroupBattle] = {}
    lead: LeadTaken | None = None


class BattleFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What a finished battle came to. ``entries`` and ``digest`` tell whether it has changed since.
    A battle that was counted before campaigns had a book has no ``story``."""

    battle: int
    """Its number in the campaign."""
    entries: int
    """How many entries its journal had."""
    digest: str
    title: str
    scenario: int | None
    """The number of its scenario; None: a free battle."""
    winner: str | None
    """The side; None: nobody."""
    how: How
    exited: bool
    """Whether the winner won by leaving the table."""
    turn: int
    """The turn in which it ended."""
    reason: str
    """Why it ended so, as a sentence."""
    pieces: tuple[PieceFate, ...]
    groups: dict[str, GroupBattle]
    """What each group did, by its id."""
    story: BattleStory | None = None

    def holders(self, sides: tuple[str, str], terms: CampaignTerms) -> tuple[str, ...]:
        """The sides that hold the field: the winner, or the other side if he left the table."""
        if self.winner is None:
            if terms.both_hold_after_draw:
                return sides
            return ()
        if self.exited and terms.exit_gives_up_field:
            return tuple(side for side in sides if side != self.winner)
        return (self.winner,)


class Fielding(msgspec.Struct, frozen=True, kw_only=True):
    """What a side brings to a battle: of each group (by id) how many by unit, what is ``attached``
    for this battle only, by unit, and its ``works``, by their names in the rules. ``settled`` says
    that it was chosen; no code reads it any more, but journals have it."""

    groups: dict[str, dict[str, int]] = {}
    attached: dict[str, int] = {}
    works: dict[str, int] = {}
    settled: bool = False


class Fought(msgspec.Struct, frozen=True, kw_only=True):
    """A battle of the campaign: ``rung`` and ``marker`` before it, its two sides with what they
    brought, its facts once it is counted, who holds the field, and what was drawn for its lost.
    ``conceded_by``: the side that gave it up; empty: none did."""

    number: int
    rung: Rung
    marker: int
    fielding: dict[str, Fielding]
    facts: BattleFacts | None = None
    holds: tuple[str, ...] = ()
    drawn: tuple[ReturnCard, ...] = ()
    conceded_by: str = ""

    @property
    def winner(self) -> str | None:
        """The side that has won it; None: nobody, or it is not counted."""
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
    """By which the cards for the lost are read (C22)."""
    source: Source
    """From which the cards for the lost are drawn."""
    options: Options = Options()
    """The optional rules of its battles."""
    draws: dict[str, str] = {}
    """Who draws in its battles, by side."""
    programs: dict[str, TemperamentId] = {}
    """The sides whose battles the program commands, with its character."""
    quality: bool = False
    """Whether each group fights at its own force quality."""
    limits: ArmyLimits | None = None
    """The purchase limits of armies, where they bind what is brought to a battle (C2)."""
    revision: str = ""

    @property
    def terms(self) -> CampaignTerms:
        """The numbers of the campaign, by the answers to its rulings."""
        return CampaignTerms(self.rulings, self.table)

    @property
    def ids(self) -> tuple[str, str]:
        """The ids of both sides."""
        first, second = self.sides
        return (first.id, second.id)

    @property
    def last_battle(self) -> int:
        """After which battle the campaign ends at the latest, by a ruling or by its file."""
        return self.terms.last_battle or self.file.last_battle


class CampaignState(msgspec.Struct, frozen=True, kw_only=True):
    """A campaign as it stands."""

    setup: CampaignSetup
    groups: dict[str, CampaignGroup]
    source: Source
    """From which the cards for the lost are drawn, as it is now."""
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
    """The points of replacements, by side."""
    listed: dict[str, dict[str, dict[str, int]]] = {}
    """What each side means to buy, by group and unit."""
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
    def last(self) -> Fought | None:
        """The last battle that was counted or conceded."""
        decided = [fought for fought in self.fought if fought.facts or fought.conceded_by]
        if not decided:
            return None
        return decided[-1]

    def name(self, side: str) -> str:
        """``Germans``, ``Ziegler``: where it stands alone."""
        return self.side(side).name

    def people(self, side: str) -> str:
        """``Germans``, ``men of Ziegler``: behind an article, with a verb in the plural."""
        return self.side(side).people

    def side(self, id: str) -> CampaignSide:
        """The side of that id; raises KeyError for another."""
        for side in self.setup.sides:
            if side.id == id:
                return side
        raise KeyError(id)

    def enemy_of(self, side: str) -> str:
        """The id of the other side."""
        first, second = self.setup.ids
        if side == second:
            return first
        return second

    def of_side(self, side: str) -> Iterator[CampaignGroup]:
        """The groups of a side, in the order of the file."""
        for group in self.groups.values():
            if group.side == side:
                yield group

    def may_fight(self, side: str) -> list[CampaignGroup]:
        """The groups of a side that may come to the next battle."""
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
        """The list price of some units in points."""
        return sum(self.price(unit) * count for unit, count in counts.items())

    def moved(self, moves: tuple[Move, ...]) -> CampaignState:
        """The state after men have gone from one place to another."""
        groups = dict(self.groups)
        for move in moves:
            groups[move.group] = group_after(groups[move.group], move)
        return replace(self, groups=groups)

    def rearmed(self, changes: tuple[RearmedGuys, ...]) -> CampaignState:
        """The state after ready guys have become guys of another unit."""
        groups = dict(self.groups)
        for change in changes:
            group, count = groups[change.group], change.count
            ready = added(added(group.ready, change.unit, -count), change.into, count)
            turned = added(added(group.turned, change.unit, -count), change.into, count)
            groups[group.id] = replace(group, ready=ready, turned=turned)
        return replace(self, groups=groups)


def added(counts: Counts, unit: str, change: int) -> dict[str, int]:
    """The counts with ``change`` more or fewer of a unit; what has none is left out.

    >>> added({"rifle": 2}, "rifle", -2)
    {}
    """
    changed = dict(counts)
    changed[unit] = changed.get(unit, 0) + change
    if not changed[unit]:
        del changed[unit]
    return changed


def group_after(group: CampaignGroup, move: Move) -> CampaignGroup:
    """The group after some of its men have gone from one place to another."""
    # Of prisoners it is known in which battle they were taken; the other places are mere counts,
    # in fields that are called as the places.
    if move.start == "prisoner":
        group = replace(group, prisoners=_freed(group.prisoners, move))
    else:
        start = added(getattr(group, move.start), move.unit, -move.count)
        group = replace(group, **{move.start: start})
    if move.end == "prisoner":
        captured = Captured(move.battle, move.unit, move.count)
        return replace(group, prisoners=(*group.prisoners, captured))
    end = added(getattr(group, move.end), move.unit, move.count)
    return replace(group, **{move.end: end})


def _freed(prisoners: tuple[Captured, ...], move: Move) -> tuple[Captured, ...]:
    """The prisoners without those who come back: of that unit, the longest held first."""
    to_free = move.count
    still_held = []
    for captured in prisoners:
        freed = 0
        if captured.unit == move.unit:
            freed = min(to_free, captured.count)
        to_free -= freed
        if captured.count > freed:
            still_held.append(replace(captured, count=captured.count - freed))
    return tuple(still_held)


def counted(counts: Counts, units: Mapping[str, UnitTerms]) -> str:
    """``1 Tank, 3 Rifle Guys``; ``nobody`` for none."""
    parts = [units[unit].named(count) for unit, count in counts.items() if count]
    return ", ".join(parts) or "nobody"
