"""All battles together: who wins which scenario, and what each unit brings for its price."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.summary import killed, prices
from skirmish.tabletop.page import Note, Page, Paragraph, table

BASIC_GAME = "Army against army"


class Spending(msgspec.Struct, frozen=True, kw_only=True):
    """How many came and what they cost, and the points of the enemies that they killed."""

    name: str
    count: int
    spent: int
    killed: int


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """``sides`` and ``winner`` as people call them; ``winner`` is None for a draw."""

    scenario: int | None
    title: str
    sides: tuple[str, str]
    winner: str | None
    units: tuple[Spending, ...]


class ScenarioTotal(msgspec.Struct, frozen=True, kw_only=True):
    scenario: int | None
    title: str
    battles: int
    wins: dict[str, int]
    draws: int


class UnitTotal(msgspec.Struct, frozen=True, kw_only=True):
    """``ratio`` is None where nothing was spent."""

    name: str
    count: int
    spent: int
    killed: int
    ratio: float | None


class Totals(msgspec.Struct, frozen=True, kw_only=True):
    battles: int
    scenarios: tuple[ScenarioTotal, ...]
    units: tuple[UnitTotal, ...]


def result(state: State) -> Result:
    """Raises ValueError where the battle is not over. A unit counts as what it came as; who never
    came on was not fielded."""
    setup, outcome = state.setup, state.outcome
    if outcome is None:
        raise ValueError(f"{setup.title} is not over.")
    price = {side.id: prices(setup, side.id) for side in setup.sides}
    units = {name: Counter(count=0, spent=0, killed=0) for name in setup.catalog.units}
    for piece in state.pieces():
        if piece.id not in state.waiting or not state.is_up(piece.id):
            units[piece.unit].update(count=1, spent=price[piece.side][piece.unit])
    for victim, credit in killed(state):
        if piece_side(credit.piece) != victim.side:
            by = state.piece(credit.piece).unit
            units[by]["killed"] += price[victim.side][victim.unit]
    people = {side.id: side.people for side in setup.sides}
    return Result(
        scenario=setup.scenario.number if setup.scenario else None,
        title=setup.scenario.title if setup.scenario else BASIC_GAME,
        sides=(setup.sides[0].people, setup.sides[1].people),
        winner=people[outcome.winner] if outcome.winner else None,
        units=tuple(
            Spending(name=setup.unit(unit).name, **row)
            for unit, row in units.items()
            if row["count"]
        ),
    )


def totals(results: Iterable[Result]) -> Totals:
    fought: dict[int | None, list[Result]] = {}
    sums: dict[str, Counter[str]] = {}
    battles = 0
    for one in results:
        battles += 1
        fought.setdefault(one.scenario, []).append(one)
        for unit in one.units:
            row = sums.setdefault(unit.name, Counter())
            row.update(count=unit.count, spent=unit.spent, killed=unit.killed)
    units = []
    for name, row in sums.items():
        ratio = round(row["killed"] / row["spent"], 2) if row["spent"] else None
        units.append(UnitTotal(name=name, ratio=ratio, **row))
    return Totals(
        battles=battles,
        scenarios=tuple(
            _scenario(number, fought[number])
            for number in sorted(fought, key=lambda number: (number is None, number or 0))
        ),
        units=tuple(sorted(units, key=lambda unit: (-(unit.ratio or 0), -unit.killed, unit.name))),
    )


def totals_page(found: Totals) -> Page:
    if not found.battles:
        return Page("Totals", (Paragraph("No battle has been finished yet."),))
    fought = [
        ("" if one.scenario is None else str(one.scenario), one.title, str(one.battles), _won(one))
        for one in found.scenarios
    ]
    units = [
        (unit.name, str(unit.count), str(unit.spent), str(unit.killed),
         "–" if unit.ratio is None else f"{unit.ratio:.2f}")
        for unit in found.units
    ]  # fmt: skip
    some = f"{found.battles} finished battle{'' if found.battles == 1 else 's'}."
    says = "Spent and Killed are in points; Per point is points killed for each point spent."
    return Page("Totals", (
        Paragraph(some),
        table(("", "Scenario", "Played", "Won by"), fought, numbers=(0, 2)),
        table(("Unit", "Fielded", "Spent", "Killed", "Per point"), units, numbers=range(1, 5)),
        Note(says),
    ))  # fmt: skip


def _won(one: ScenarioTotal) -> str:
    won = [f"{people} {wins}" for people, wins in one.wins.items()]
    return ", ".join([*won, f"nobody {one.draws}"] if one.draws else won)


def _scenario(number: int | None, results: list[Result]) -> ScenarioTotal:
    wins = dict.fromkeys((side for one in results for side in one.sides), 0)
    for one in results:
        if one.winner is not None:
            wins[one.winner] += 1
    return ScenarioTotal(
        scenario=number,
        title=results[-1].title,
        battles=len(results),
        wins=wins,
        draws=sum(one.winner is None for one in results),
    )
