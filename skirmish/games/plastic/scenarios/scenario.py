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
    GroupPart,
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

LONGEST_TAGLINE = 32
MOST = 99
"""The most of anything that players add before play."""

# ------------------------------------------------------------------ victory

Weighed = Annotated[str, Refers("guy or unit")]
Weight = Annotated[int, msgspec.Meta(ge=0, le=99)]


class Terms(GroupPart, frozen=True, kw_only=True, tag_field="kind"):
    """If the terms of one side are not met, the other side wins; ``survivors`` and ``count`` can be
    drawn. ``text`` is for people; the program uses the other fields."""

    text: Text


class OneSidedTerms(Terms, frozen=True, kw_only=True):
    side: SideId


class ExitTable(OneSidedTerms, frozen=True, kw_only=True, tag="exit"):
    """``side`` exits ``need`` (or ``share`` of its strength), over ``edge`` or through ``zone``,
    ``within_in`` inches ``of`` the road. Without ``weights`` a guy counts 1, a model 5."""

    need: Count | None = None
    share: Literal["half"] | None = None
    by: Moment
    edge: Edge | None = None
    zone: ZoneLetter | None = None
    within_in: Reach | None = None
    of: Literal["road"] | None = None
    weights: Mapping[Weighed, Weight] = {}

    @property
    def way_out(self) -> str:
        return self.edge or f"zone {self.zone}"

    def problems(self, key: str) -> Iterator[Problem]:
        for one, other in (("need", "share"), ("edge", "zone")):
            if (getattr(self, one) is None) == (getattr(self, other) is None):
                yield Problem(key, f"needs either {one} or {other}, and not both.")
        if (self.within_in is None) != (self.of is None):
            yield Problem(key, "within_in and of go together; give both or neither.")


class MayLose(GroupPart, frozen=True):
    what: Literal["vehicles"]
    at_most: Annotated[int, msgspec.Meta(ge=0, le=999)]


class Destroy(OneSidedTerms, frozen=True, kw_only=True, tag="destroy"):
    unit: EnemyUnit
    need: Count
    by: Moment
    may_lose: MayLose | None = None


class Then(GroupPart, frozen=True):
    unit: OwnUnit
    need: Count
    edge: Edge


class DestroyThenExit(OneSidedTerms, frozen=True, kw_only=True, tag="destroy_then_exit"):
    """No clock."""

    unit: UnitId
    need: Count
    then: Then

    @property
    def way_out(self) -> str:
        return self.then.edge


class HoldBuildings(OneSidedTerms, frozen=True, kw_only=True, tag="hold"):
    what: Literal["buildings"]
    need: Count
    how: Literal["solely_or_last", "solely"]
    at: Moment


class HoldRatio(OneSidedTerms, frozen=True, kw_only=True, tag="hold_ratio"):
    what: Literal["buildings"]
    ratio: Annotated[int, msgspec.Meta(ge=1, le=9)]
    at: Moment


class Clear(OneSidedTerms, frozen=True, kw_only=True, tag="clear"):
    of: SideId
    within_in: Reach
    point: Literal["centre"]
    at: Moment

    def problems(self, key: str) -> Iterator[Problem]:
        if self.of == self.side:
            yield Problem(f"{key}.of", "is the side that wins; name the other.")


class Survivors(Terms, frozen=True, kw_only=True, tag="survivors"):
    units: Annotated[tuple[UnitId, ...], msgspec.Meta(min_length=1)]
    wins: Literal["more"]
    at: Moment


class CountAtEnd(Terms, frozen=True, kw_only=True, tag="count"):
    """The larger number wins; on a tie the side named by ``equal``, or it is a draw."""

    question: Text
    sides: tuple[SideId, ...]
    units: Literal["guys"]
    wins: Literal["more"]
    equal: SideId | None = None
    at: Moment

    def problems(self, key: str) -> Iterator[Problem]:
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
    """None if the text sets no clock."""
    found: Moment | None = getattr(victory, "by", getattr(victory, "at", None))
    return found


def moved(victory: Victory, to: Moment, text: str | None) -> Victory:
    clock = {name: to for name in ("by", "at") if hasattr(victory, name)}
    return msgspec.structs.replace(victory, text=text or victory.text, **clock)


# ------------------------------------------------------------------ scenario events


class Happening(GroupPart, frozen=True, kw_only=True, tag_field="kind"):
    """A scenario event. ``rule`` names the special rule with the full text. Contingents that enter
    on a later turn need none."""

    rule: Annotated[str, Refers("rule")] = ""


class DrawTableRow(GroupPart, frozen=True, kw_only=True):
    """A line of a draw table: the result of ``ranks`` (from, to) of draw number ``draw``. Exactly
    one of: ``units`` enter, a ``choice`` among the rows of this draw, ``nothing``, or the mark of
    ``entry``."""

    draw: Annotated[int, msgspec.Meta(ge=1, le=9)] = 1
    ranks: tuple[Rank, Rank]
    units: dict[UnitId, Count] | None = None
    choice: Literal[True] | None = None
    nothing: Literal[True] | None = None
    entry: MarkId | None = None


class DrawTable(Happening, frozen=True, kw_only=True, tag="draw_table", rename={"rows": "table"}):
    """At the start of each turn of ``side``."""

    side: SideId
    from_turn: PlayedTurn
    draws: Annotated[int, msgspec.Meta(ge=1, le=9)]
    text: Text
    rows: tuple[DrawTableRow, ...]

    def problems(self, key: str) -> Iterator[Problem]:
        for index, row in enumerate(self.rows):
            place = f"{key}.table[{index}]"
            given = [row.units, row.choice, row.nothing, row.entry]
            if sum(value is not None for value in given) != 1:
                yield Problem(place, "needs exactly one of units, choice, nothing, entry.")
            if row.units is not None and not row.units:
                yield Problem(f"{place}.units", "is empty; for nobody write nothing = true.")
            if row.draw > self.draws:
                yield Problem(f"{place}.draw", f"only {self.draws} are drawn; 1 to {self.draws}.")
            if row.ranks[0] > row.ranks[1]:
                yield Problem(f"{place}.ranks", "runs backwards; the lower rank stands first.")
        for draw in range(1, self.draws + 1):
            spans = [row.ranks for row in self.rows if row.draw == draw]
            meant = Counter(rank for low, high in spans for rank in range(low, high + 1))
            every = range(1, DIE + 1)
            for wrong, word in (
                ([f"{rank}" for rank in every if not meant[rank]], "no row"),
                ([f"{rank}" for rank in every if meant[rank] > 1], "more than one row"),
            ):
                if wrong:
                    ranks = ", ".join(wrong)
                    text = f"draw {draw} has {word} for rank {ranks}; each rank needs exactly one."
                    yield Problem(f"{key}.table", text)


class ToggleOnCard(Happening, frozen=True, kw_only=True, tag="toggle_on_card"):
    """``card``, drawn by anybody, starts or ends ``state`` after the shot or check it was drawn
    for. ``cards_only``: no dice in this battle."""

    card: str
    state: Id
    sight_in: Reach
    cards_only: bool = False
    text: Text

    def problems(self, key: str) -> Iterator[Problem]:
        try:
            card = parse_card(self.card, highest=DECK[-1].rank)
        except DrawError as error:
            yield Problem(f"{key}.card", f"{error}.")
        else:
            if str(card) != self.card:
                yield Problem(f"{key}.card", f"write it as {card}.")


class NeedsService(Happening, frozen=True, kw_only=True, tag="needs_service"):
    """``units`` are inactive until a ``by`` has started a turn touching them; each ``by`` serves
    ``each`` of them a turn."""

    side: SideId
    units: OwnUnits
    by: OwnUnit
    each: Count
    from_turn: Turn = 1
    text: Text


class MayReveal(Happening, frozen=True, kw_only=True, tag="reveal"):
    """``units`` that may be placed in secret and are revealed when the enemy comes within
    ``within_in`` inches (``distance``) or could see them (``sight``), when they fire, or at their
    player's choice."""

    side: SideId
    contingent: ContingentId | None = None
    units: OwnUnits
    when: Literal["distance", "sight"]
    within_in: Reach | None = None
    text: Text

    def problems(self, key: str) -> Iterator[Problem]:
        wanted = self.when == "distance"
        yield from _only_with(f"{key}.within_in", 'when = "distance"', self.within_in, wanted)


class AskAtSetup(Happening, frozen=True, kw_only=True, tag="ask_at_setup"):
    """A question before play, which the text leaves open or (``chosen``) gives to a ``side``:
    ``units`` (a table), a ``number`` (of ``unit``, at least ``at_least``), one of ``options``, or a
    ``place`` in words."""

    id: Id
    about: Literal["units", "number", "option", "place"]
    question: Text
    proposal: int | str | dict[UnitId, Count]
    side: SideId | None = None
    contingent: ContingentId | None = None
    unit: UnitId | None = None
    at_least: Count | None = None
    options: tuple[str, ...] = ()
    chosen: bool = False

    def problems(self, key: str) -> Iterator[Problem]:
        for_side = self.about == "units" or self.unit or self.contingent or self.chosen
        if for_side and self.side is None:
            yield Problem(f"{key}.side", "is missing; say which side the answer is for.")
        if self.about != "number" and (self.unit or self.at_least):
            yield Problem(key, 'unit and at_least belong to about = "number" only.')
        if (self.about == "option") != (len(self.options) >= 2):
            yield Problem(
                f"{key}.options",
                'goes with about = "option": two or more are needed there, and only there.',
            )
        units = self.proposal if isinstance(self.proposal, dict) else ()
        try:
            self.answered(self.proposal, units)
        except ValueError as error:
            yield Problem(f"{key}.proposal", str(error))

    def answered(self, answer: object, units: Collection[str]) -> int | str | dict[str, int]:
        """Raises ValueError (a sentence) for an invalid answer. ``units`` are the known ones."""
        match self.about, answer:
            case "number", int(number):
                least = 0 if self.at_least is None else self.at_least
                if not least <= number <= MOST:
                    raise ValueError(f"{self.question} {least} to {MOST}, not {number}.")
                return number
            case "option", str(option):
                if option not in self.options:
                    raise ValueError(f"{self.question} {', '.join(self.options)}; not {option}.")
                return option
            case "place", str(place):
                return plain(place)
            case "units", dict(wanted):
                for unit, count in wanted.items():
                    if unit not in units:
                        raise ValueError(f"{self.question} There is no unit {unit!r}.")
                    if not isinstance(count, int) or not 0 <= count <= MOST:
                        raise ValueError(f"{self.question} 0 to {MOST} of each, not {count}.")
                return {unit: count for unit, count in wanted.items() if count}
        right = {
            "units": "a table of units and their numbers",
            "number": "a whole number",
            "option": "one of the options",
            "place": "a place in words",
        }[self.about]
        raise ValueError(f"{self.question} That cannot be answered with {answer!r}, but {right}.")


class MayConvert(Happening, frozen=True, kw_only=True, tag="convert"):
    side: SideId
    contingent: ContingentId | None = None
    unit: OwnUnit
    becomes: UnitId
    text: Text


class Trait(Happening, frozen=True, kw_only=True, tag="trait"):
    id: Id
    side: SideId
    contingent: ContingentId | None = None
    units: OwnUnits
    effect: Literal["counts_as_engineer", "may_not_move", "may_not_fire_at"]
    targets: tuple[UnitId, ...] = ()
    text: Text

    def problems(self, key: str) -> Iterator[Problem]:
        wanted = self.effect == "may_not_fire_at"
        yield from _only_with(f"{key}.targets", 'effect = "may_not_fire_at"', self.targets, wanted)


class Remind(Happening, frozen=True, kw_only=True, tag="remind"):
    side: SideId | None = None
    phase: Annotated[int, msgspec.Meta(ge=1, le=4)] = 1
    text: Text


AnyHappening: TypeAlias = (
    DrawTable | ToggleOnCard | NeedsService | MayReveal | AskAtSetup | MayConvert | Trait | Remind
)


def _only_with(key: str, other: str, given: object, wanted: bool) -> Iterator[Problem]:
    if bool(given) != wanted:
        yield Problem(key, f"goes with {other}: needed there, and only there.")


# ------------------------------------------------------------------ the whole file


class TableSize(GroupPart, frozen=True):
    """The size on the printed map; ``mark`` is that of its footnote."""

    width_in: Reach
    depth_in: Reach
    up: Literal["N", "E", "S", "W"]
    mark: Annotated[str, Refers("footnote")] | None = None


class Restriction(GroupPart, frozen=True, kw_only=True):
    side: SideId
    contingent: ContingentId | None = None
    before_turn: Annotated[int, msgspec.Meta(ge=2, le=99), Refers("turn")] | None = None
    text: Text


class SpecialRule(GroupPart, frozen=True):
    name: Text
    text: Text


class Footnote(GroupPart, frozen=True):
    mark: Text
    text: Text


class Swap(GroupPart, frozen=True):
    """Under ``answer`` to ``ruling``, every ``unit`` of ``side`` becomes another."""

    ruling: RulingId
    answer: str
    side: SideId
    unit: OwnUnit
    becomes: UnitId


class ClockChange(GroupPart, frozen=True):
    """Under ``answer`` to ``ruling``, the scenario ends at another moment."""

    ruling: RulingId
    answer: str
    ends_after: Moment
    victory_text: Text | None = None


class Arrival(msgspec.Struct, frozen=True):
    turn: int
    side: str
    contingent: ScenarioContingent


class Scenario(GroupPart, frozen=True, kw_only=True):
    """``rulings`` concern it; ``ends_after`` is None where the text sets no clock."""

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
    rulings: tuple[RulingId, ...] = ()
    situation: Text
    history: Text
    sources: tuple[Text, ...]
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
    def cards_only(self) -> bool:
        return any(getattr(kind, "cards_only", False) for kind in self.happenings)

    def unmarked(self, text: str) -> str:
        for footnote in self.footnotes:
            text = text.replace(footnote.mark, "")
        return text

    def side(self, side: str) -> ScenarioSide:
        return {one.id: one for one in self.sides}[side]

    def order_of_play(self) -> tuple[str, ...]:
        return tuple(sorted((side.id for side in self.sides), key=self.moves_first.__ne__))

    def figures(self) -> dict[str, int]:
        """The figures that the host needs, enough for any choice of the sides."""
        both = together(
            table
            for side in self.sides
            for contingent in side.contingents
            for table in (contingent.most(), contingent.works)
        )
        return as_moulded(both, self.variants)

    def arriving(self, after: int = 0) -> tuple[Arrival, ...]:
        order = self.order_of_play()
        found = [
            Arrival(group.entry.turn, side.id, group)
            for side in self.sides
            for group in side.contingents
            if group.entry.turn > after
        ]
        return tuple(sorted(found, key=lambda come: (come.turn, order.index(come.side))))

    def limits_at(self, turn: int) -> tuple[Restriction, ...]:
        return tuple(
            limit for limit in self.limits if limit.before_turn is None or turn < limit.before_turn
        )

    def questions(self) -> tuple[AskAtSetup, ...]:
        return tuple(kind for kind in self.happenings if isinstance(kind, AskAtSetup))


def swapped(scenario: Scenario, rulings: Mapping[str, str]) -> Scenario:
    """The scenario under chosen answers to rulings. A victory decided at the old end is decided at
    the new one."""
    for swap in scenario.swaps:
        if rulings.get(swap.ruling) == swap.answer:
            sides = tuple(
                _exchanged(side, swap) if side.id == swap.side else side for side in scenario.sides
            )
            scenario = msgspec.structs.replace(scenario, sides=sides)
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
    def other(units: Mapping[str, int]) -> dict[str, int]:
        return together(
            {swap.becomes if unit == swap.unit else unit: count} for unit, count in units.items()
        )

    groups = tuple(
        msgspec.structs.replace(
            group,
            units=other(group.units),
            choices=tuple(
                OptionGroup(tuple(other(option) for option in choice.one_of))
                for choice in group.choices
            ),
        )
        for group in side.contingents
    )
    return msgspec.structs.replace(side, contingents=groups)


def summary(scenario: Scenario, catalog: Catalog) -> dict[str, Any]:
    def bounds(pair: Bounds) -> dict[str, int]:
        return {"min": pair[0], "max": pair[1]}

    end, catalog = scenario.ends_after, catalog.with_variants(scenario.variants)
    return {
        "number": scenario.number,
        "title": scenario.title,
        "date": scenario.date,
        "first_move": scenario.moves_first,
        "ends_after": {"side": end.side, "turn": end.turn} if end else None,
        "sides": [
            {
                "id": side.id,
                "nation": side.id,
                "units": side.units(),
                "works": side.works(),
                "choices": [[dict(option) for option in one.one_of] for one in side.choices()],
                "points": bounds(side.points(catalog)),
                "pdg": bounds(side.pdg(catalog)),
            }
            for side in scenario.sides
        ],
    }
