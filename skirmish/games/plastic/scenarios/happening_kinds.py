"""The kinds of scenario events: a closed list. Contingents that enter on a later turn need none."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Annotated, Literal, TypeAlias

import msgspec

from skirmish.games.plastic.rules.catalog import DECK, DIE, Rank, UnitId
from skirmish.games.plastic.scenarios.order_of_battle import (
    ContingentId,
    Count,
    Id,
    MarkId,
    OwnUnit,
    OwnUnits,
    PlayedTurn,
    Reach,
    SideId,
    Text,
    Turn,
)
from skirmish.tabletop.chance import DrawError, parse_card
from skirmish.tabletop.reading import Problem, Refers
from skirmish.tabletop.typed import plain

MOST = 99
"""The most of anything that players add before play."""


class Happening(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="kind"
):
    """``rule`` names the special rule with the full text."""

    rule: Annotated[str, Refers("rule")] = ""


class DrawTableRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
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
        """Every rank of every draw must have exactly one result."""
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
            rows = [row for row in self.rows if row.draw == draw]
            meant = {rank: sum(_covers(row, rank) for row in rows) for rank in range(1, DIE + 1)}
            for wrong, word in (
                ([rank for rank, times in meant.items() if not times], "no row"),
                ([rank for rank, times in meant.items() if times > 1], "more than one row"),
            ):
                if wrong:
                    ranks = ", ".join(map(str, wrong))
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


def _covers(row: DrawTableRow, rank: int) -> bool:
    return row.ranks[0] <= rank <= row.ranks[1]


def _only_with(key: str, other: str, given: object, wanted: bool) -> Iterator[Problem]:
    if bool(given) != wanted:
        yield Problem(key, f"goes with {other}: needed there, and only there.")
