"""All battles together: who wins which scenario, and what each unit brings for its price."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import inf

import msgspec

from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.summary import killed, prices
from skirmish.tabletop.page import Note, Page, Paragraph, table

BASIC_GAME = "Army against army"


class ScenarioTotal(msgspec.Struct, kw_only=True):
    """``wins`` by what people call a side; ``scenario`` is None for army against army."""

    scenario: int | None
    title: str
    battles: int = 0
    wins: dict[str, int] = {}
    draws: int = 0


class UnitTotal(msgspec.Struct, frozen=True, kw_only=True):
    """How many came and what they cost, and the points of the enemies that they killed, for each
    point spent; ``ratio`` is None where nothing was."""

    name: str
    count: int
    spent: int
    killed: int
    ratio: float | None


class Totals(msgspec.Struct, frozen=True, kw_only=True):
    battles: int
    scenarios: tuple[ScenarioTotal, ...]
    units: tuple[UnitTotal, ...]


def totals(states: Iterable[State]) -> Totals:
    """Of those battles that are over."""
    fought: dict[float, ScenarioTotal] = {}
    units: dict[str, Counter[str]] = {}
    for state in states:
        setup, outcome = state.setup, state.outcome
        if outcome is None:
            continue
        number, title = None, BASIC_GAME
        if setup.scenario:
            number, title = setup.scenario.number, setup.scenario.title
        one = fought.setdefault(number or inf, ScenarioTotal(scenario=number, title=title))
        one.title = title
        one.battles += 1
        one.draws += outcome.winner is None
        for side in setup.sides:
            won = one.wins.get(side.people, 0)
            one.wins[side.people] = won + (side.id == outcome.winner)
        _spend(state, units)
    rows = [
        UnitTotal(
            name=name,
            ratio=round(row["killed"] / row["spent"], 2) if row["spent"] else None,
            **row,
        )
        for name, row in units.items()
    ]
    return Totals(
        battles=sum(one.battles for one in fought.values()),
        scenarios=tuple(fought[number] for number in sorted(fought)),
        units=tuple(sorted(rows, key=lambda row: (-(row.ratio or 0), -row.killed, row.name))),
    )


def _spend(state: State, units: dict[str, Counter[str]]) -> None:
    """A unit counts as what it came as; who never came on was not fielded."""
    setup = state.setup
    price = {side.id: prices(setup, side.id) for side in setup.sides}
    for piece in state.pieces():
        if piece.id not in state.waiting or not state.is_up(piece.id):
            row = units.setdefault(setup.unit(piece.unit).name, Counter(count=0, spent=0, killed=0))
            row.update(count=1, spent=price[piece.side][piece.unit])
    for victim, credit in killed(state):
        by = setup.unit(state.piece(credit.piece).unit).name
        if piece_side(credit.piece) != victim.side and by in units:
            units[by]["killed"] += price[victim.side][victim.unit]


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
