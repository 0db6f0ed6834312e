"""All finished battles together: how often each scenario was won by whom, and what each unit killed
for its price."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import inf

import msgspec

from skirmish.games.plastic.battle.events import Finished
from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.summary import killed, prices
from skirmish.tabletop.page import Note, Page, Paragraph, table

BASIC_GAME = "Army against army"
"""The title of all battles without a scenario."""


class ScenarioTotal(msgspec.Struct, kw_only=True):
    """The results of all battles of a scenario."""

    scenario: int | None
    """The number of the scenario; None for army against army."""
    title: str
    battles: int = 0
    wins: Counter[str] = msgspec.field(default_factory=Counter)
    """How often each side won, by the name of its people."""
    draws: int = 0


class UnitTotal(msgspec.Struct, frozen=True, kw_only=True):
    """What a unit cost in all battles, and what it killed."""

    name: str
    count: int
    """How many were fielded."""
    spent: int
    """The price of those."""
    killed: int
    """The price of the enemies whom they killed."""
    ratio: float | None
    """The points killed per point spent; None if nothing was spent."""


class Totals(msgspec.Struct, frozen=True, kw_only=True):
    """Finished battles together: how many, by scenario, and by unit."""

    battles: int
    scenarios: tuple[ScenarioTotal, ...]
    units: tuple[UnitTotal, ...]


def totals(states: Iterable[State]) -> Totals:
    """All finished battles together, from their last states, the oldest first."""
    scenarios: dict[str, ScenarioTotal] = {}
    units: dict[str, _UnitCount] = {}
    for state in states:
        if state.outcome is not None:
            _add_result(state, state.outcome, scenarios)
            _add_units(state, units)
    unit_totals = [_unit_total(name, count) for name, count in units.items()]
    return Totals(
        battles=sum(total.battles for total in scenarios.values()),
        scenarios=tuple(sorted(scenarios.values(), key=_place_in_list)),
        units=tuple(sorted(unit_totals, key=_best_return_first)),
    )


@dataclass
class _UnitCount:
    """What is counted of a unit, as in ``UnitTotal``."""

    count: int = 0
    spent: int = 0
    killed: int = 0


def _unit_total(name: str, counted: _UnitCount) -> UnitTotal:
    """The count of a unit with its ratio."""
    ratio = None
    # What costs nothing has no return for its price.
    if counted.spent:
        ratio = round(counted.killed / counted.spent, 2)
    return UnitTotal(
        name=name,
        count=counted.count,
        spent=counted.spent,
        killed=counted.killed,
        ratio=ratio,
    )


def _best_return_first(unit: UnitTotal) -> tuple[float, int, str]:
    """A key for sorting units: by most points killed per point, then by most points killed, then by
    name."""
    return -(unit.ratio or 0), -unit.killed, unit.name


def _place_in_list(total: ScenarioTotal) -> float:
    """A key for sorting scenarios by their numbers; army against army comes last."""
    if total.scenario is None:
        return inf
    return total.scenario


def _add_result(state: State, outcome: Finished, scenarios: dict[str, ScenarioTotal]) -> None:
    """Add the result of a battle to those of its scenario. These are found by the scenario's id:
    what has number 101 on one machine may have another on the next."""
    scenario = state.setup.scenario
    if scenario is None:
        # No scenario has an empty id.
        total = scenarios.setdefault("", ScenarioTotal(scenario=None, title=BASIC_GAME))
    else:
        new = ScenarioTotal(scenario=scenario.number, title=scenario.title)
        total = scenarios.setdefault(scenario.id, new)
        total.title = scenario.title  # as the newest battle has it
    total.battles += 1
    if outcome.winner is None:
        total.draws += 1
    for side in state.setup.sides:
        # A side that never won is listed as well.
        total.wins.setdefault(side.people, 0)
        if side.id == outcome.winner:
            total.wins[side.people] += 1


def _add_units(state: State, units: dict[str, _UnitCount]) -> None:
    """Add what a battle's units cost and killed, by the name of the unit. Each piece counts as its
    original unit; those that never entered were not fielded."""
    setup = state.setup
    price = {side.id: prices(setup, side.id) for side in setup.sides}
    for piece in state.pieces():
        # A piece that was lost before its entry was recorded still waits in the state, but was
        # fielded.
        never_entered = piece.id in state.waiting and state.is_in_play(piece.id)
        if not never_entered:
            counted = units.setdefault(setup.unit(piece.unit).name, _UnitCount())
            counted.count += 1
            counted.spent += price[piece.side][piece.unit]
    for victim, credit in killed(state):
        shooter = setup.unit(state.piece(credit.piece).unit).name
        # Whoever hits his own side has earned nothing. Nor has a unit that was not fielded: the
        # line of the journal by which its shooters entered may be void by now.
        if piece_side(credit.piece) != victim.side and shooter in units:
            units[shooter].killed += price[victim.side][victim.unit]


def totals_page(all_totals: Totals) -> Page:
    """All finished battles together, as a page."""
    if not all_totals.battles:
        return Page("Totals", (Paragraph("No battle has been finished yet."),))
    scenario_rows = []
    for total in all_totals.scenarios:
        number = ""
        if total.scenario is not None:
            number = str(total.scenario)
        scenario_rows.append((number, total.title, str(total.battles), _won(total)))
    unit_rows = []
    for unit in all_totals.units:
        ratio = "–"
        if unit.ratio is not None:
            ratio = f"{unit.ratio:.2f}"
        unit_rows.append((unit.name, str(unit.count), str(unit.spent), str(unit.killed), ratio))
    finished = "1 finished battle."
    if all_totals.battles != 1:
        finished = f"{all_totals.battles} finished battles."
    legend = "Spent and Killed are in points; Per point is points killed for each point spent."
    scenario_titles = ("", "Scenario", "Played", "Won by")
    unit_titles = ("Unit", "Fielded", "Spent", "Killed", "Per point")
    blocks = (
        Paragraph(finished),
        # The number of the scenario, and how often it was played.
        table(scenario_titles, scenario_rows, numbers=(0, 2)),
        # All columns but the name of the unit.
        table(unit_titles, unit_rows, numbers=range(1, len(unit_titles))),
        Note(legend),
    )
    return Page("Totals", blocks)


def _won(total: ScenarioTotal) -> str:
    """``Germans 2, Poles 1, nobody 1``."""
    won = [f"{people} {wins}" for people, wins in total.wins.items()]
    if total.draws:
        won.append(f"nobody {total.draws}")
    return ", ".join(won)
