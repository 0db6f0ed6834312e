"""A scenario as data. The classes have the shape of its file, which ``docs/scenario-format.md``
describes. The id of a side is that of its nation."""

from __future__ import annotations

import datetime
import re
from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from skirmish.games.plastic.rules.army import as_base_units
from skirmish.games.plastic.rules.catalog import Catalog, UnitId, UnitVariant, total_counts
from skirmish.games.plastic.scenarios.happenings import AnyHappening, AskAtSetup, ToggleOnCard
from skirmish.games.plastic.scenarios.order_of_battle import (
    Bounds,
    OptionGroup,
    ScenarioContingent,
    ScenarioSide,
)
from skirmish.games.plastic.scenarios.scenario_part import (
    ContingentId,
    Count,
    Edge,
    Id,
    Moment,
    OwnUnit,
    Reach,
    RulingId,
    ScenarioPart,
    SideId,
    Text,
)
from skirmish.games.plastic.scenarios.victory_terms import Victory, moment_of, with_moment
from skirmish.tabletop.battlefield import Battlefield
from skirmish.tabletop.data_file import Refers

LONGEST_TAGLINE = 32
"""Characters of a tagline, which stands beside the title of the printed sheet in one line."""


class TableSize(ScenarioPart, frozen=True):
    """The size of the table, as the printed map shows it."""

    width_in: Reach
    depth_in: Reach
    up: Edge
    """The edge at the top of the map."""
    mark: Annotated[str, Refers("footnote")] | None = None
    """The mark of the footnote on the size."""


class SideLimit(ScenarioPart, frozen=True, kw_only=True):
    """What a side, or one of its contingents, may not do."""

    side: SideId
    contingent: ContingentId | None = None
    # From 2, since nothing can be done before turn 1 anyway.
    before_turn: Annotated[int, msgspec.Meta(ge=2, le=99), Refers("turn")] | None = None
    """The turn on which the limit no longer holds; None: it always holds."""
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
    """Under ``answer`` to ``ruling``, every ``unit`` of ``side`` becomes another unit."""

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
    """The victory terms in words under that answer, if they read differently."""


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
    """The version of the format; files of a later one are refused."""
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
    """The rulings that concern the scenario."""
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
    limits: tuple[SideLimit, ...] = msgspec.field(name="limit", default=())
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
        """Whether no dice may be used: something begins when a certain card is drawn."""
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
        """The side with that id. Raises KeyError if there is none."""
        return {side.id: side for side in self.sides}[id]

    def order_of_play(self) -> tuple[str, ...]:
        """The ids of the sides, that of the side that moves first in front."""
        first, later = [], []
        for side in self.sides:
            if side.id == self.moves_first:
                first.append(side.id)
            else:
                later.append(side.id)
        return (*first, *later)

    def figures(self) -> dict[str, int]:
        """How many of each figure are needed for both sides, enough for any of their choices."""
        counts = []
        for side in self.sides:
            for contingent in side.contingents:
                counts += [contingent.most_units(), contingent.works]
        return as_base_units(total_counts(counts), self.variants)

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

    def limits_at(self, turn: int) -> tuple[SideLimit, ...]:
        """The limits that hold on that turn."""
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


def date_of(text: str) -> datetime.date | None:
    """The date that a scenario has as ``1944-06-06``, or as ``1939-09``: then the first day of the
    month. None if it is no date."""
    # ``fromisoformat`` alone would read other spellings, too, which nothing here expects.
    date_match = re.fullmatch(r"[0-9]{4}-[0-9]{2}(?P<day>-[0-9]{2})?", text)
    if date_match is None:
        return None
    if date_match["day"] is None:
        text += "-01"
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        return None


def under_rulings(scenario: Scenario, rulings: Mapping[str, str]) -> Scenario:
    """The scenario under the chosen answers to rulings, by their ids."""
    for swap in scenario.swaps:
        if rulings.get(swap.ruling) == swap.answer:
            scenario = _with_swap(scenario, swap)
    for clock in scenario.clocks:
        if rulings.get(clock.ruling) == clock.answer:
            scenario = _with_clock(scenario, clock)
    return scenario


def _with_swap(scenario: Scenario, swap: Swap) -> Scenario:
    """The scenario with one unit of a side replaced by another."""
    sides = []
    for side in scenario.sides:
        if side.id == swap.side:
            sides.append(_side_with_swap(side, swap))
        else:
            sides.append(side)
    return msgspec.structs.replace(scenario, sides=tuple(sides))


def _with_clock(scenario: Scenario, clock: ClockChange) -> Scenario:
    """The scenario with another end. A victory that is decided at the old end is decided at the new
    one."""
    victory = scenario.victory
    if moment_of(victory) == scenario.ends_after:
        victory = with_moment(victory, clock.ends_after, clock.victory_text)
    return msgspec.structs.replace(scenario, ends_after=clock.ends_after, victory=victory)


def _side_with_swap(side: ScenarioSide, swap: Swap) -> ScenarioSide:
    """The side with one unit replaced by another, also in the lists that it may choose."""
    contingents = []
    for contingent in side.contingents:
        choices = []
        for choice in contingent.choices:
            options = [_units_with_swap(option, swap) for option in choice.one_of]
            choices.append(OptionGroup(tuple(options)))
        units = _units_with_swap(contingent.units, swap)
        changed = msgspec.structs.replace(contingent, units=units, choices=tuple(choices))
        contingents.append(changed)
    return msgspec.structs.replace(side, contingents=tuple(contingents))


def _units_with_swap(units: Mapping[str, int], swap: Swap) -> dict[str, int]:
    """The counts of units with one unit in place of another, of which there may be some already."""
    counts: Counter[str] = Counter()
    for unit, count in units.items():
        if unit == swap.unit:
            counts[swap.becomes] += count
        else:
            counts[unit] += count
    return dict(counts)


def summary(scenario: Scenario, catalog: Catalog) -> dict[str, Any]:
    """What other programs may want to know about a scenario, as data. Points and strength (``pdg``)
    have a least and a most, since a side may have choices."""
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
    """What other programs may want to know about a side."""
    choices = []
    for choice in side.choices():
        choices.append([dict(option) for option in choice.one_of])
    return {
        "id": side.id,
        "nation": side.id,
        "units": side.units(),
        "works": side.works(),
        "choices": choices,
        "points": _bounds_as_data(side.points(catalog)),
        "pdg": _bounds_as_data(side.pdg(catalog)),
    }


def _bounds_as_data(bounds: Bounds) -> dict[str, int]:
    """The least and the most, as data."""
    return {"min": bounds.least, "max": bounds.most}
