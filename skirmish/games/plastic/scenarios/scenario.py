"""A scenario as data: everything that the program prints, asks, counts and announces about it.

The file has the same shape as ``Scenario``; docs/scenario-format.md describes it. Reading it
finds every problem at once. The questions below are pure. A side's id is its nation.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from skirmish.games.plastic.rules.catalog import Catalog, Variant
from skirmish.games.plastic.rules.figures import as_moulded, together
from skirmish.games.plastic.scenarios.happening_kinds import AnyHappening, AskAtSetup
from skirmish.games.plastic.scenarios.names import Count, Moment, Reach, Text
from skirmish.games.plastic.scenarios.order_of_battle import Bounds, Choice, Contingent, Side
from skirmish.games.plastic.scenarios.victory_terms import Victory, moment_of, moved
from skirmish.tabletop.battlefield import Battlefield

LONGEST_TAGLINE = 32
"""Characters that a line of a list has room for."""


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table as its map is printed: inches, ``up`` the compass point at the top.

    ``mark`` is that of the footnote which says where the size comes from, if the text is silent.
    """

    width_in: Reach
    depth_in: Reach
    up: Literal["N", "E", "S", "W"]
    mark: str | None = None


class Limit(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a side or one contingent may not do before a turn, or ever if no turn is given."""

    side: str
    contingent: str | None = None
    before_turn: Annotated[int, msgspec.Meta(ge=2, le=99)] | None = None
    text: Text


class SpecialRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rule of this scenario alone, for the sheet."""

    name: Text
    text: Text


class Footnote(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the source contradicts itself or is lost; texts refer to it by ``mark``."""

    mark: Text
    text: Text


class Swap(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Under ``answer`` to ``ruling``, every ``unit`` of ``side`` becomes another."""

    ruling: str
    answer: str
    side: str
    unit: str
    becomes: str


class Clock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Under ``answer`` to ``ruling``, the scenario ends at another moment."""

    ruling: str
    answer: str
    ends_after: Moment
    victory_text: Text | None = None


class Arrival(msgspec.Struct, frozen=True):
    """A contingent that is not on the table when play begins."""

    turn: int
    side: str
    contingent: Contingent


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
    """One scenario. ``rulings`` are the gaps of the rules that concern it; ``ends_after`` is None
    where the text sets no clock; ``tagline`` what is special, in a line of a list; ``map`` what
    lies on the table."""

    format: Literal[1]
    number: Count
    id: str
    title: Text
    tagline: Annotated[str, msgspec.Meta(max_length=LONGEST_TAGLINE)] = ""
    date: str
    place: Text
    table: Table
    sets_up_first: str
    moves_first: str
    ends_after: Moment | None = None
    rulings: tuple[str, ...] = ()
    situation: Text
    history: Text
    sources: tuple[Text, ...]
    variants: tuple[Variant, ...] = ()
    sides: tuple[Side, ...]
    limits: tuple[Limit, ...] = ()
    victory: Victory
    happenings: tuple[AnyHappening, ...] = ()
    special_rules: tuple[SpecialRule, ...] = ()
    swaps: tuple[Swap, ...] = ()
    clocks: tuple[Clock, ...] = ()
    footnotes: tuple[Footnote, ...] = ()
    map: Battlefield | None = None

    @property
    def cards_only(self) -> bool:
        """Whether a happening needs cards, so that nobody may roll dice."""
        return any(getattr(kind, "cards_only", False) for kind in self.happenings)

    def unmarked(self, text: str) -> str:
        """A text of the scenario without the marks of its footnotes, for where none are shown."""
        for footnote in self.footnotes:
            text = text.replace(footnote.mark, "")
        return text

    def side(self, side: str) -> Side:
        """One side; raises KeyError for another nation."""
        for candidate in self.sides:
            if candidate.id == side:
                return candidate
        raise KeyError(side)

    def order_of_play(self) -> tuple[str, ...]:
        return tuple(sorted((side.id for side in self.sides), key=self.moves_first.__ne__))

    def side_units(self, side: str) -> dict[str, int]:
        """A side's units, all contingents together, without what is still to be chosen."""
        return self.side(side).units()

    def side_works(self, side: str) -> dict[str, int]:
        return self.side(side).works()

    def side_choices(self, side: str) -> tuple[Choice, ...]:
        return self.side(side).choices()

    def points(self, side: str, catalog: Catalog) -> Bounds:
        """Least and most a side costs at list prices, variants at theirs; works and national
        discounts left out."""
        return self.side(side).points(catalog.with_variants(self.variants))

    def pdg(self, side: str, catalog: Catalog) -> Bounds:
        """Least and most potential dead guys of a side: figures + 5 x models."""
        return self.side(side).pdg(catalog.with_variants(self.variants))

    def figures(self) -> dict[str, int]:
        """What its host puts on the table: every figure, model and work of both sides, enough for
        whatever they choose among."""
        both = together(
            table
            for side in self.sides
            for contingent in side.contingents
            for table in (contingent.most(), contingent.works)
        )
        return as_moulded(both, self.variants)

    def arriving(self, after: int = 0) -> tuple[Arrival, ...]:
        """Contingents that enter later than game turn ``after``, in order of play.

        0 gives all that are not on the table before play, 1 the reinforcements proper.
        """
        order = self.order_of_play()
        found = [
            Arrival(group.entry.turn, side.id, group)
            for side in self.sides
            for group in side.contingents
            if group.entry.turn > after
        ]
        return tuple(sorted(found, key=lambda come: (come.turn, order.index(come.side))))

    def limits_at(self, turn: int) -> tuple[Limit, ...]:
        """The limits in force in game turn ``turn``."""
        return tuple(
            limit for limit in self.limits if limit.before_turn is None or turn < limit.before_turn
        )

    def questions(self) -> tuple[AskAtSetup, ...]:
        return tuple(kind for kind in self.happenings if isinstance(kind, AskAtSetup))


def swapped(scenario: Scenario, rulings: Mapping[str, str]) -> Scenario:
    """The scenario under chosen answers to rulings: other units, another end.

    ``rulings`` may answer all or some. A victory decided at the old end is decided at the new.
    """
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


def _exchanged(side: Side, swap: Swap) -> Side:
    def other(units: Mapping[str, int]) -> dict[str, int]:
        changed: dict[str, int] = {}
        for unit, count in units.items():
            name = swap.becomes if unit == swap.unit else unit
            changed[name] = changed.get(name, 0) + count
        return changed

    groups = tuple(
        msgspec.structs.replace(
            group,
            units=other(group.units),
            choices=tuple(
                Choice(tuple(other(option) for option in choice.one_of)) for choice in group.choices
            ),
        )
        for group in side.contingents
    )
    return msgspec.structs.replace(side, contingents=groups)


def summary(scenario: Scenario, catalog: Catalog) -> dict[str, Any]:
    """A scenario as other programs get it from ``skirmish scenarios --json``, ready for JSON."""

    def bounds(pair: Bounds) -> dict[str, int]:
        return {"min": pair[0], "max": pair[1]}

    end = scenario.ends_after
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
                "points": bounds(scenario.points(side.id, catalog)),
                "pdg": bounds(scenario.pdg(side.id, catalog)),
            }
            for side in scenario.sides
        ],
    }
