"""A scenario as data. The file has the same shape (docs/scenario-format.md). A side's id is its
nation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from skirmish.games.plastic.rules.army import as_moulded
from skirmish.games.plastic.rules.catalog import Catalog, UnitId, UnitVariant, together
from skirmish.games.plastic.scenarios.happening_kinds import AnyHappening, AskAtSetup
from skirmish.games.plastic.scenarios.order_of_battle import (
    Bounds,
    ContingentId,
    Count,
    Id,
    Moment,
    OptionGroup,
    OwnUnit,
    Reach,
    RulingId,
    ScenarioContingent,
    ScenarioSide,
    SideId,
    Text,
)
from skirmish.games.plastic.scenarios.victory_terms import Victory, moment_of, moved
from skirmish.tabletop.battlefield import Battlefield
from skirmish.tabletop.reading import Refers

LONGEST_TAGLINE = 32


class TableSize(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The size on the printed map; ``mark`` is that of its footnote."""

    width_in: Reach
    depth_in: Reach
    up: Literal["N", "E", "S", "W"]
    mark: Annotated[str, Refers("footnote")] | None = None


class Restriction(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    side: SideId
    contingent: ContingentId | None = None
    before_turn: Annotated[int, msgspec.Meta(ge=2, le=99), Refers("turn")] | None = None
    text: Text


class SpecialRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Text
    text: Text


class Footnote(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    mark: Text
    text: Text


class Swap(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Under ``answer`` to ``ruling``, every ``unit`` of ``side`` becomes another."""

    ruling: RulingId
    answer: str
    side: SideId
    unit: OwnUnit
    becomes: UnitId


class ClockChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Under ``answer`` to ``ruling``, the scenario ends at another moment."""

    ruling: RulingId
    answer: str
    ends_after: Moment
    victory_text: Text | None = None


class Arrival(msgspec.Struct, frozen=True):
    turn: int
    side: str
    contingent: ScenarioContingent


class Scenario(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    kw_only=True,
    rename={
        "variants": "variant",
        "sides": "side",
        "limits": "limit",
        "happenings": "happening",
        "special_rules": "rule",
        "swaps": "swap",
        "clocks": "clock",
        "footnotes": "footnote",
    },
):
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
    variants: tuple[UnitVariant, ...] = ()
    sides: tuple[ScenarioSide, ...]
    limits: tuple[Restriction, ...] = ()
    victory: Victory
    happenings: tuple[AnyHappening, ...] = ()
    special_rules: tuple[SpecialRule, ...] = ()
    swaps: tuple[Swap, ...] = ()
    clocks: tuple[ClockChange, ...] = ()
    footnotes: tuple[Footnote, ...] = ()
    map: Battlefield | None = None

    @property
    def cards_only(self) -> bool:
        return any(getattr(kind, "cards_only", False) for kind in self.happenings)

    def unmarked(self, text: str) -> str:
        """The text without the marks of its footnotes."""
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
