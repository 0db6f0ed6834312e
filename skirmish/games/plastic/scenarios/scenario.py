"""A scenario as data: its victory, its events, the whole file, which has the same shape
(docs/scenario-format.md). A side's id is its nation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from skirmish.games.plastic.rules.army import as_moulded
from skirmish.games.plastic.rules.catalog import (
    DECK,
    DIE,
    Catalog,
    Rank,
    UnitId,
    UnitVariant,
    together,
)
from skirmish.games.plastic.scenarios.order_of_battle import (
    Bounds,
    ContingentId,
    Count,
    Edge,
    EnemyUnit,
    EnemyUnits,
    Id,
    MarkId,
    Moment,
    OptionGroup,
    OwnUnit,
    OwnUnits,
    PlayedTurn,
    Reach,
    RulingId,
    ScenarioContingent,
    ScenarioPart,
    ScenarioSide,
    SideId,
    Text,
    Turn,
    ZoneLetter,
)
from skirmish.tabletop.battlefield import Battlefield
from skirmish.tabletop.chance import DrawError, parse_card
from skirmish.tabletop.data_file import Problem, Refers
from skirmish.tabletop.typed import plain

# On the printed sheet it stands beside the title, in one line.
LONGEST_TAGLINE = 32
"""In characters."""
MOST = 99
"""The most of anything that players add before play."""

# ------------------------------------------------------------------ victory

Weighed = Annotated[str, Refers("guy or unit")]
Weight = Annotated[int, msgspec.Meta(ge=0, le=99)]


class Terms(ScenarioPart, frozen=True, kw_only=True, tag_field="kind"):
    """If the terms of one side are not met, the other side wins; ``survivors`` and ``count`` can be
    drawn. ``text`` is for people; the program uses the other fields."""

    text: Text


class OneSidedTerms(Terms, frozen=True, kw_only=True):
    """Terms that one side meets, or fails."""

    side: SideId


class ExitTable(OneSidedTerms, frozen=True, kw_only=True, tag="exit"):
    """A side has to leave the table in time."""

    need: Count | None = None
    """What has to leave."""
    share: Literal["half"] | None = None
    """What has to leave, as a share of the side's strength."""
    by: Moment
    edge: Edge | None = None
    """The edge over which it leaves."""
    zone: ZoneLetter | None = None
    """The zone through which it leaves."""
    within_in: Reach | None = None
    """How near to the road it leaves, in inches."""
    of: Literal["road"] | None = None
    """From what ``within_in`` is measured."""
    # Only units that count otherwise stand here: ``{ truck = 0 }`` leaves all others as they are.
    weights: Mapping[Weighed, Weight] = {}
    """What a unit counts, where that is not 1 for a guy and 5 for a model as toward the break
    point: in scenario 1 "Trucks as 0"."""

    @property
    def way_out(self) -> str:
        """``E`` for an edge, or ``zone A``."""
        return self.edge or f"zone {self.zone}"

    def problems(self, key: str) -> Iterator[Problem]:
        """Fields of which one excludes or demands the other."""
        # Pairs of keys of which a type cannot say that one excludes the other.
        if (self.need is None) == (self.share is None):
            yield Problem(key, "needs either need or share, and not both.")
        if (self.edge is None) == (self.zone is None):
            yield Problem(key, "needs either edge or zone, and not both.")
        if (self.within_in is None) != (self.of is None):
            yield Problem(key, "within_in and of go together; give both or neither.")


class MayLose(ScenarioPart, frozen=True):
    """How many vehicles the side itself may lose for it."""

    what: Literal["vehicles"]
    at_most: Annotated[int, msgspec.Meta(ge=0, le=999)]


class Destroy(OneSidedTerms, frozen=True, kw_only=True, tag="destroy"):
    """A side has to destroy so many of an enemy unit."""

    # A type for each direction: a scenario that asks for a unit which the other side does not have
    # is refused when its file is read.
    unit: EnemyUnit
    need: Count
    by: Moment
    may_lose: MayLose | None = None


class Then(ScenarioPart, frozen=True):
    """What must exit afterwards, over which edge."""

    unit: OwnUnit
    need: Count
    edge: Edge


class DestroyThenExit(OneSidedTerms, frozen=True, kw_only=True, tag="destroy_then_exit"):
    """A side has to destroy so many of an enemy unit, then to exit some of its own. Without ``by``
    there is no clock, since the text of scenario 3 sets none (P68)."""

    # Any unit, also one that no list of the enemy has: how many aircraft there are in scenario 3 is
    # only agreed before play.
    unit: UnitId
    need: Count
    then: Then
    by: Moment | None = None

    @property
    def way_out(self) -> str:
        """``S``, as that of ``ExitTable``."""
        return self.then.edge


class HoldBuildings(OneSidedTerms, frozen=True, kw_only=True, tag="hold"):
    """A side has to hold so many buildings, alone or as the last that did."""

    what: Literal["buildings"]
    need: Count
    how: Literal["solely_or_last", "solely"]
    # ``at``: counted once, then. ``by``, in other terms: as soon as it is reached.
    at: Moment


class HoldRatio(OneSidedTerms, frozen=True, kw_only=True, tag="hold_ratio"):
    """A side alone has to hold so many times as many buildings as its enemy alone, and one or more:
    twice nothing is no victory."""

    what: Literal["buildings"]
    ratio: Annotated[int, msgspec.Meta(ge=1, le=9)]
    at: Moment


class Clear(OneSidedTerms, frozen=True, kw_only=True, tag="clear"):
    """Nothing of side ``of`` is within that distance of the centre of the table, or of a ``mark``
    of the map."""

    of: SideId
    within_in: Reach
    point: Literal["centre", "mark"]
    mark: MarkId | None = None
    at: Moment

    @property
    def place(self) -> str:
        """``the centre``, ``mark O``."""
        if self.mark is None:
            return f"the {self.point}"
        return f"mark {self.mark}"

    def problems(self, key: str) -> Iterator[Problem]:
        """A place that is not named, or named in vain, and a side that would clear itself away."""
        if self.of == self.side:
            yield Problem(f"{key}.of", "is the side that wins; name the other.")
        if self.point == "mark" and self.mark is None:
            yield Problem(f"{key}.mark", "is missing; name a mark of the map.")
        if self.point == "centre" and self.mark is not None:
            yield Problem(f"{key}.mark", "stands beside the centre; leave one of them out.")


class Survivors(Terms, frozen=True, kw_only=True, tag="survivors"):
    """The side with more of these units left wins; if equal, which the text of scenario 8 leaves
    open, it is a draw."""

    units: Annotated[tuple[UnitId, ...], msgspec.Meta(min_length=1)]
    wins: Literal["more"]
    at: Moment


class CountAtEnd(Terms, frozen=True, kw_only=True, tag="count"):
    """The larger number wins; on a tie the side named by ``equal``, or it is a draw."""

    question: Text
    # A tuple of any length: of three the author should read that two are meant, and not a fault of
    # form.
    sides: tuple[SideId, ...]
    units: Literal["guys"]
    wins: Literal["more"]
    equal: SideId | None = None
    at: Moment

    def problems(self, key: str) -> Iterator[Problem]:
        """Too few or too many sides to compare."""
        if len(self.sides) != 2:
            yield Problem(f"{key}.sides", f"needs the two sides; {len(self.sides)} stand there.")


Victory: TypeAlias = (
    ExitTable
    | Destroy
    | DestroyThenExit
    | HoldBuildings
    | HoldRatio
    | Clear
    | Survivors
    | CountAtEnd
)


def moment_of(victory: Terms) -> Moment | None:
    """When it is decided, ``by`` or ``at`` in the file; None if the text sets no clock."""
    for field in ("by", "at"):
        # No term has both. A common name in the file would be wrong English for one of them.
        moment: Moment | None = getattr(victory, field, None)
        if moment is not None:
            return moment
    return None


def moved(victory: Victory, moment: Moment, text: str | None) -> Victory:
    """The same terms, decided at another moment; ``text``: how they read then, if that changes."""
    changes: dict[str, Any] = {}
    for field in ("by", "at"):
        if hasattr(victory, field):
            changes[field] = moment
    if text:
        changes["text"] = text
    return msgspec.structs.replace(victory, **changes)


# ------------------------------------------------------------------ scenario events


class Happening(ScenarioPart, frozen=True, kw_only=True, tag_field="kind"):
    """A scenario event. ``rule`` names the special rule with the full text. Contingents that enter
    on a later turn need none."""

    # Several happenings may belong to one printed rule; the rule is worded once.
    rule: Annotated[str, Refers("rule")] = ""


class DrawTableRow(ScenarioPart, frozen=True, kw_only=True):
    """A line of a draw table, which has exactly one of ``units``, ``choice``, ``nothing`` and
    ``entry``."""

    draw: Annotated[int, msgspec.Meta(ge=1, le=9)] = 1
    """The number of the draw that it is for."""
    ranks: tuple[Rank, Rank]
    """The ranks that it is for, from and to."""
    units: dict[UnitId, Count] | None = None
    """The units that enter."""
    choice: Literal[True] | None = None
    """Whether the players choose among the rows of this draw."""
    nothing: Literal[True] | None = None
    """Whether nothing comes of it."""
    entry: MarkId | None = None
    """The mark at which they enter."""


# ``rows`` of the class is ``table`` in the file, where ``[[happening.table]]`` reads as what it is.
class DrawTable(Happening, frozen=True, kw_only=True, tag="draw_table", rename={"rows": "table"}):
    """Drawn at the start of each turn of ``side``, from ``from_turn`` on, as many as ``draws``."""

    side: SideId
    from_turn: PlayedTurn
    draws: Annotated[int, msgspec.Meta(ge=1, le=9)]
    text: Text
    rows: tuple[DrawTableRow, ...]

    def problems(self, key: str) -> Iterator[Problem]:
        """Draws for which the table has no row, or more than one."""
        for index, row in enumerate(self.rows):
            yield from self._row_problems(f"{key}.table[{index}]", row)
        for draw in range(1, self.draws + 1):
            yield from self._draw_problems(f"{key}.table", draw)

    def _row_problems(self, key: str, row: DrawTableRow) -> Iterator[Problem]:
        """A row of a draw table brings one thing, for a draw that is made and for ranks that
        rise."""
        given = [row.units, row.choice, row.nothing, row.entry]
        if sum(value is not None for value in given) != 1:
            yield Problem(key, "needs exactly one of units, choice, nothing, entry.")
        if row.units is not None and not row.units:
            yield Problem(f"{key}.units", "is empty; for nobody write nothing = true.")
        # A row for a draw that is never made would be a silent mistake: it looks like a rule.
        if row.draw > self.draws:
            yield Problem(f"{key}.draw", f"only {self.draws} are drawn; 1 to {self.draws}.")
        if row.ranks[0] > row.ranks[1]:
            yield Problem(f"{key}.ranks", "runs backwards; the lower rank stands first.")

    def _draw_problems(self, key: str, draw: int) -> Iterator[Problem]:
        """Each rank of a draw needs exactly one row."""
        rows_by_rank: Counter[int] = Counter()
        for row in self.rows:
            if row.draw == draw:
                low, high = row.ranks
                rows_by_rank.update(range(low, high + 1))
        # Twelve ranks, with a deck as with a die: the King is never drawn (48 cards).
        all_ranks = range(1, DIE + 1)
        missing = [str(rank) for rank in all_ranks if not rows_by_rank[rank]]
        double = [str(rank) for rank in all_ranks if rows_by_rank[rank] > 1]
        for ranks, words in ((missing, "no row"), (double, "more than one row")):
            if ranks:
                text = f"draw {draw} has {words} for rank {', '.join(ranks)}"
                yield Problem(key, f"{text}; each rank needs exactly one.")


class ToggleOnCard(Happening, frozen=True, kw_only=True, tag="toggle_on_card"):
    """A card, drawn by anybody, starts or ends a state of the battle after the shot or check that
    it was drawn for."""

    card: str
    state: Id
    sight_in: Reach
    """How far one sees in that state, in inches."""
    cards_only: bool = False
    """Whether no dice are used in this battle."""
    text: Text

    def problems(self, key: str) -> Iterator[Problem]:
        """A card that is none, is not in the deck, or is written in another way than draws are
        stored."""
        try:
            # Cards that are not in the deck of 48 would never start it.
            card = parse_card(self.card, highest=DECK[-1].rank)
        except DrawError as error:
            yield Problem(f"{key}.card", f"{error}.")
        else:
            # One spelling, since the stored draws are compared with it as text.
            if str(card) != self.card:
                yield Problem(f"{key}.card", f"write it as {card}.")


class Darkness(Happening, frozen=True, kw_only=True, tag="darkness"):
    """Nobody sees farther than ``sight_in`` inches, from turn ``from_turn`` on until it is light on
    turn ``before_turn``, or to the end."""

    sight_in: Reach
    from_turn: PlayedTurn = 1
    # From 2, as that of a limit: darkness that ends before turn 1 is none.
    before_turn: Annotated[int, msgspec.Meta(ge=2, le=99), Refers("turn")] | None = None
    text: Text

    def holds_on(self, turn: int) -> bool:
        """Whether it is dark on that turn."""
        is_over = self.before_turn is not None and turn >= self.before_turn
        return turn >= self.from_turn and not is_over

    def problems(self, key: str) -> Iterator[Problem]:
        """Light that comes before the dark."""
        if self.before_turn is not None and self.before_turn <= self.from_turn:
            text = f"it is light again before it is dark; take a turn after {self.from_turn}."
            yield Problem(f"{key}.before_turn", text)


class Charges(Happening, frozen=True, kw_only=True, tag="charges"):
    """Charges that a side has laid under something. At the start of each of its turns it draws
    whether they go off."""

    id: Id
    side: SideId
    what: Text
    """What they are laid under: ``the bridge``."""
    mark: MarkId | None = None
    """The mark of it on the map."""
    from_turn: PlayedTurn
    """The first turn in which it draws."""
    needs: Rank
    """They go off up to this rank."""
    cut_by: EnemyUnits
    """Enemies who cut them for good by starting a turn of their own touching them."""
    text: Text

    def problems(self, key: str) -> Iterator[Problem]:
        """Charges that go off whatever is drawn."""
        # With the highest rank they would always go off, and with it there would be no draw.
        if self.needs >= DIE:
            yield Problem(f"{key}.needs", f"they would go off with every draw; 1 to {DIE - 1}.")


class NeedsService(Happening, frozen=True, kw_only=True, tag="needs_service"):
    """Units are inactive until others have started a turn touching them."""

    side: SideId
    units: OwnUnits
    by: OwnUnit
    """Who serves them."""
    each: Count
    """How many of them each of those serves in a turn."""
    from_turn: Turn = 1
    text: Text


class MayReveal(Happening, frozen=True, kw_only=True, tag="reveal"):
    """Units that may be placed in secret. They are revealed as the enemy comes near or could see
    them, when they fire, or at their player's choice."""

    side: SideId
    contingent: ContingentId | None = None
    units: OwnUnits
    when: Literal["distance", "sight"]
    """Whether a distance or sight reveals them."""
    within_in: Reach | None = None
    """The distance in inches."""
    text: Text

    def problems(self, key: str) -> Iterator[Problem]:
        """A distance where sight alone decides, or none where a distance does."""
        # Within sight there is no distance to measure; with one, the text must name it.
        by_distance = self.when == "distance"
        yield from _only_with(f"{key}.within_in", 'when = "distance"', self.within_in, by_distance)


class AskAtSetup(Happening, frozen=True, kw_only=True, tag="ask_at_setup"):
    """A question before play, which the text leaves open or gives to a side."""

    id: Id
    about: Literal["units", "number", "option", "place"]
    """What is asked: a table of units, a number, one of the options, or a place in words."""
    question: Text
    # What set-up proposes, and whoever only presses Enter gets.
    proposal: int | str | dict[UnitId, Count]
    side: SideId | None = None
    """The side that the answer is for."""
    contingent: ContingentId | None = None
    unit: UnitId | None = None
    """The unit of which a number is asked."""
    at_least: Count | None = None
    """What the victory terms ask for, where fewer would leave nothing to win: the six aircraft of
    scenario 3, the four buildings of scenario 4."""
    options: tuple[str, ...] = ()
    sides_choice: bool = msgspec.field(default=False, name="chosen")
    """Whether the text gives the choice to the side; else it is silent there, and we propose. In
    scenario files it is called ``chosen``."""

    def problems(self, key: str) -> Iterator[Problem]:
        """Fields that do not belong to what is asked."""
        for_side = self.about == "units" or self.unit or self.contingent or self.sides_choice
        if for_side and self.side is None:
            yield Problem(f"{key}.side", "is missing; say which side the answer is for.")
        if self.about != "number" and (self.unit or self.at_least):
            yield Problem(key, 'unit and at_least belong to about = "number" only.')
        if (self.about == "option") != (len(self.options) >= 2):
            yield Problem(
                f"{key}.options",
                'goes with about = "option": two or more are needed there, and only there.',
            )
        # The units of a proposal are references, whose names are checked with all others.
        named: Collection[str] = ()
        if isinstance(self.proposal, dict):
            named = self.proposal
        try:
            self.answered(self.proposal, named)
        except ValueError as error:
            yield Problem(f"{key}.proposal", str(error))

    def answered(self, answer: object, units: Collection[str]) -> int | str | dict[str, int]:
        """Raises ValueError (a sentence) for an invalid answer. ``units`` are the known ones."""
        match self.about, answer:
            case "number", int(number):
                return self._number(number)
            case "option", str(option):
                if option not in self.options:
                    raise ValueError(f"{self.question} {', '.join(self.options)}; not {option}.")
                return option
            case "place", str(place):
                return plain(place)
            case "units", dict(wanted):
                return self._units(wanted, units)
        # What would be right, for the sentence. Reached only where no case above took the answer.
        right = {
            "units": "a table of units and their numbers",
            "number": "a whole number",
            "option": "one of the options",
            "place": "a place in words",
        }[self.about]
        raise ValueError(f"{self.question} That cannot be answered with {answer!r}, but {right}.")

    def _number(self, number: int) -> int:
        """The number, if it may be answered. Raises ValueError, a sentence."""
        least = self.at_least or 0
        if not least <= number <= MOST:
            raise ValueError(f"{self.question} {least} to {MOST}, not {number}.")
        return number

    def _units(self, wanted: dict[Any, Any], unit_ids: Collection[str]) -> dict[str, int]:
        """The counts of units, without those of none. Raises ValueError, a sentence."""
        chosen = {}
        for unit, count in wanted.items():
            if unit not in unit_ids:
                raise ValueError(f"{self.question} There is no unit {unit!r}.")
            # The answer may come from a file or a command line, so its inside is checked as well.
            if not isinstance(count, int) or not 0 <= count <= MOST:
                raise ValueError(f"{self.question} 0 to {MOST} of each, not {count}.")
            if count:
                chosen[unit] = count
        return chosen


class MayConvert(Happening, frozen=True, kw_only=True, tag="convert"):
    """A unit that its player may turn into another."""

    side: SideId
    contingent: ContingentId | None = None
    unit: OwnUnit
    becomes: UnitId
    text: Text


class Trait(Happening, frozen=True, kw_only=True, tag="trait"):
    """What these units can do besides, or may not do."""

    id: Id
    side: SideId
    contingent: ContingentId | None = None
    units: OwnUnits
    # A closed list, as each of them is a branch in the rules; another effect needs code.
    effect: Literal["counts_as_engineer", "may_not_move", "may_not_fire_at"]
    targets: tuple[UnitId, ...] = ()
    text: Text

    def problems(self, key: str) -> Iterator[Problem]:
        """Targets of an effect that has none, or none where it needs them."""
        effect = 'effect = "may_not_fire_at"'
        forbids = self.effect == "may_not_fire_at"
        yield from _only_with(f"{key}.targets", effect, self.targets, forbids)


class Remind(Happening, frozen=True, kw_only=True, tag="remind"):
    """A reminder in a phase of the turns of ``side``, or of both sides."""

    side: SideId | None = None
    phase: Annotated[int, msgspec.Meta(ge=1, le=4)] = 1
    text: Text


AnyHappening: TypeAlias = (
    DrawTable
    | ToggleOnCard
    | Darkness
    | Charges
    | NeedsService
    | MayReveal
    | AskAtSetup
    | MayConvert
    | Trait
    | Remind
)


def _only_with(key: str, condition: str, value: object, is_needed: bool) -> Iterator[Problem]:
    """A key must be there where its ``condition`` holds, and nowhere else."""
    # Both ways: a key that does nothing here would be taken for one that does.
    if bool(value) != is_needed:
        yield Problem(key, f"goes with {condition}: needed there, and only there.")


# ------------------------------------------------------------------ the whole file


class TableSize(ScenarioPart, frozen=True):
    """The size on the printed map; ``up`` is the compass point at its top, ``mark`` that of its
    footnote."""

    width_in: Reach
    depth_in: Reach
    up: Literal["N", "E", "S", "W"]
    mark: Annotated[str, Refers("footnote")] | None = None


class Restriction(ScenarioPart, frozen=True, kw_only=True):
    """What a side or contingent may not do, until ``before_turn`` or always."""

    side: SideId
    contingent: ContingentId | None = None
    # From 2: before turn 1 nothing can be done anyway.
    before_turn: Annotated[int, msgspec.Meta(ge=2, le=99), Refers("turn")] | None = None
    text: Text


class SpecialRule(ScenarioPart, frozen=True):
    """A rule of this scenario, as it is printed."""

    name: Text
    text: Text


class Footnote(ScenarioPart, frozen=True):
    """A note where the source contradicts itself or is lost."""

    mark: Text
    text: Text


class Swap(ScenarioPart, frozen=True):
    """Under ``answer`` to ``ruling``, every ``unit`` of ``side`` becomes another."""

    ruling: RulingId
    answer: str
    side: SideId
    unit: OwnUnit
    becomes: UnitId


class ClockChange(ScenarioPart, frozen=True):
    """Under ``answer`` to ``ruling``, the scenario ends at another moment: the text of scenario 10
    has two ends (P80)."""

    ruling: RulingId
    answer: str
    ends_after: Moment
    victory_text: Text | None = None


class Arrival(msgspec.Struct, frozen=True):
    """A contingent that enters on a later turn."""

    turn: int
    side: str
    contingent: ScenarioContingent


OWN_PREFIX = "own_"
"""All ids of players' own scenarios begin so, those of the rules never."""


class Scenario(ScenarioPart, frozen=True, kw_only=True):
    """A scenario, as its file has it."""

    format: Literal[1]
    number: Count
    id: Id
    title: Text
    tagline: Annotated[str, msgspec.Meta(max_length=LONGEST_TAGLINE)] = ""
    date: str
    place: Text
    table: TableSize
    sets_up_first: SideId
    moves_first: SideId
    ends_after: Moment | None = None
    """None where the text sets no clock."""
    rulings: tuple[RulingId, ...] = ()
    """The rulings that concern it."""
    situation: Text
    history: Text
    sources: tuple[Text, ...]
    author: str = ""
    """For a scenario that is given to others."""
    licence: str = ""
    """For a scenario that is given to others."""
    deal: Annotated[str, msgspec.Meta(pattern=r"^[0-9A-Z]{0,40}\Z")] = ""
    """The code of a scenario that was dealt, which deals it again."""
    # In TOML each entry of a list is a table of its own: ``[[variant]]``, ``[[side]]``.
    variants: tuple[UnitVariant, ...] = msgspec.field(name="variant", default=())
    sides: tuple[ScenarioSide, ...] = msgspec.field(name="side")
    limits: tuple[Restriction, ...] = msgspec.field(name="limit", default=())
    victory: Victory
    happenings: tuple[AnyHappening, ...] = msgspec.field(name="happening", default=())
    special_rules: tuple[SpecialRule, ...] = msgspec.field(name="rule", default=())
    swaps: tuple[Swap, ...] = msgspec.field(name="swap", default=())
    clocks: tuple[ClockChange, ...] = msgspec.field(name="clock", default=())
    footnotes: tuple[Footnote, ...] = msgspec.field(name="footnote", default=())
    map: Battlefield | None = None

    @property
    def is_own(self) -> bool:
        """Whether a player made it: it is not one of the rules."""
        return self.id.startswith(OWN_PREFIX)

    @property
    def cards_only(self) -> bool:
        """Whether dice are no choice: a card starts something."""
        for happening in self.happenings:
            if isinstance(happening, ToggleOnCard) and happening.cards_only:
                return True
        return False

    def unmarked(self, text: str) -> str:
        """A text without the marks of footnotes."""
        for footnote in self.footnotes:
            text = text.replace(footnote.mark, "")
        return text

    def side(self, id: str) -> ScenarioSide:
        """Raises KeyError if there is none."""
        return {side.id: side for side in self.sides}[id]

    def order_of_play(self) -> tuple[str, ...]:
        """The ids of the sides, that of the first mover first."""
        sides = [side.id for side in self.sides]
        return tuple(sorted(sides, key=lambda side: side != self.moves_first))

    def figures(self) -> dict[str, int]:
        """The figures that the host needs, enough for any choice of the sides."""
        counts = []
        for side in self.sides:
            for contingent in side.contingents:
                counts += [contingent.most(), contingent.works]
        return as_moulded(together(counts), self.variants)

    def arriving(self, after: int = 0) -> tuple[Arrival, ...]:
        """The contingents that enter later than that turn, in the order in which they come."""
        order = self.order_of_play()
        arrivals = []
        for side in self.sides:
            for contingent in side.contingents:
                if contingent.entry.turn > after:
                    arrivals.append(Arrival(contingent.entry.turn, side.id, contingent))
        arrivals.sort(key=lambda arrival: (arrival.turn, order.index(arrival.side)))
        return tuple(arrivals)

    def limits_at(self, turn: int) -> tuple[Restriction, ...]:
        """What is still forbidden on that turn."""
        in_force = []
        for limit in self.limits:
            if limit.before_turn is None or turn < limit.before_turn:
                in_force.append(limit)
        return tuple(in_force)

    def questions(self) -> tuple[AskAtSetup, ...]:
        """What is asked before play."""
        questions = []
        for happening in self.happenings:
            if isinstance(happening, AskAtSetup):
                questions.append(happening)
        return tuple(questions)


def swapped(scenario: Scenario, rulings: Mapping[str, str]) -> Scenario:
    """The scenario under chosen answers to rulings. A victory decided at the old end is decided at
    the new one."""
    for swap in scenario.swaps:
        if rulings.get(swap.ruling) == swap.answer:
            sides = []
            for side in scenario.sides:
                if side.id == swap.side:
                    sides.append(_exchanged(side, swap))
                else:
                    sides.append(side)
            scenario = msgspec.structs.replace(scenario, sides=tuple(sides))
    for clock in scenario.clocks:
        if rulings.get(clock.ruling) == clock.answer:
            victory = scenario.victory
            if moment_of(victory) == scenario.ends_after:
                victory = moved(victory, clock.ends_after, clock.victory_text)
            scenario = msgspec.structs.replace(
                scenario, ends_after=clock.ends_after, victory=victory
            )
    return scenario


def _exchanged(side: ScenarioSide, swap: Swap) -> ScenarioSide:
    """The side with one unit replaced by another, also where it may be chosen."""
    contingents = []
    for contingent in side.contingents:
        choices = []
        for choice in contingent.choices:
            options = [_with_swap(option, swap) for option in choice.one_of]
            choices.append(OptionGroup(tuple(options)))
        units = _with_swap(contingent.units, swap)
        changed = msgspec.structs.replace(contingent, units=units, choices=tuple(choices))
        contingents.append(changed)
    return msgspec.structs.replace(side, contingents=tuple(contingents))


def _with_swap(units: Mapping[str, int], swap: Swap) -> dict[str, int]:
    """The counts with one unit in place of another."""
    counts: Counter[str] = Counter()
    for unit, count in units.items():
        if unit == swap.unit:
            counts[swap.becomes] += count
        else:
            counts[unit] += count
    return dict(counts)


def summary(scenario: Scenario, catalog: Catalog) -> dict[str, Any]:
    """What other programs may want to know of a scenario, as data: points and strength (``pdg``)
    from the least to the most, since a side may have choices."""
    catalog = catalog.with_variants(scenario.variants)
    ends_after = None
    if scenario.ends_after:
        ends_after = {"side": scenario.ends_after.side, "turn": scenario.ends_after.turn}
    return {
        "number": scenario.number,
        "title": scenario.title,
        "date": scenario.date,
        "first_move": scenario.moves_first,
        "ends_after": ends_after,
        "sides": [_side_summary(side, catalog) for side in scenario.sides],
    }


def _side_summary(side: ScenarioSide, catalog: Catalog) -> dict[str, Any]:
    """A side for other programs."""
    choices = []
    for choice in side.choices():
        choices.append([dict(option) for option in choice.one_of])
    return {
        "id": side.id,
        "nation": side.id,
        "units": side.units(),
        "works": side.works(),
        "choices": choices,
        "points": _bounds(side.points(catalog)),
        "pdg": _bounds(side.pdg(catalog)),
    }


def _bounds(bounds: Bounds) -> dict[str, int]:
    """The least and the most for other programs."""
    return {"min": bounds.least, "max": bounds.most}
