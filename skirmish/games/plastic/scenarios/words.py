"""The words for a scenario's data: dates, places of entry, lengths, sides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import TypeAlias

from skirmish.games.plastic.rules.catalog import Catalog, listed, plural
from skirmish.games.plastic.rules.firing_table import NONE
from skirmish.games.plastic.scenarios.order_of_battle import (
    Bounds,
    ScenarioContingent,
    ScenarioSide,
)
from skirmish.games.plastic.scenarios.scenario import (
    AnyHappening,
    AskAtSetup,
    DrawTable,
    DrawTableRow,
    MayConvert,
    MayReveal,
    NeedsService,
    Remind,
    Restriction,
    Scenario,
    TableSize,
    ToggleOnCard,
    Trait,
)
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.measure import NO_BREAK, inches


def when(written: str) -> str:
    """``1939-09`` as ``September 1939``, ``1942-06-20`` as ``20 June 1942``."""
    day = date.fromisoformat(f"{written}-01"[:10])
    return f"{day:%B %Y}" if len(written) == len("1939-09") else f"{day.day} {day:%B %Y}"


def entry(contingent: ScenarioContingent) -> str:
    come = contingent.entry
    return f"{come.words}, {f'turn {come.turn}' if come.turn else 'before play'}"


def nation(side: str, catalog: Catalog) -> str:
    known = catalog.nations.get(side)
    return known.name if known else side.replace("_", " ").title()


def ends(scenario: Scenario, catalog: Catalog) -> str:
    end = scenario.ends_after
    if end is None:
        return "No last turn"
    return f"To the end of {nation(end.side, catalog)} turn {end.turn}"


def size(table: TableSize) -> str:
    """``8 ft × 5 ft, N at the top``, with the footnote's mark."""
    sides = f"{_feet(table.width_in)} × {_feet(table.depth_in)}"
    return f"{sides}, {table.up} at the top{table.mark or ''}"


def _feet(side: int) -> str:
    return f"{side // 12}{NO_BREAK}ft" if side % 12 == 0 else inches(side)


def span(bounds: Bounds) -> str:
    """``43`` or ``104–110``."""
    least, most = bounds
    return str(least) if least == most else f"{least}–{most}"


def besides(scenario: Scenario, side: str) -> list[str]:
    found = [one.id for one in scenario.questions() if one.side == side and one.about == "units"]
    if any(isinstance(one, DrawTable) and one.side == side for one in scenario.happenings):
        found.append("reinforcements")
    return found


def role(side: ScenarioSide, scenario: Scenario) -> str:
    parts: list[str] = [
        side.role or "",
        "sets up first" if scenario.sets_up_first == side.id else "",
        "moves first" if scenario.moves_first == side.id else "",
    ]
    return " · ".join(part for part in parts if part)


def units(counts: Mapping[str, int], catalog: Catalog) -> str:
    return ", ".join(catalog.units[unit].named(count) for unit, count in counts.items())


def ranks(between: tuple[int, int]) -> str:
    """``A-5``, ``8``, ``J-Q``: ranks as the rules print them."""
    low, high = (str(Draw(rank, "S"))[:-1] for rank in between)
    return low if low == high else f"{low}-{high}"


def proposal(asked: AskAtSetup, catalog: Catalog) -> str:
    """The possible answers to a question before play, and our proposal; empty if the text leaves
    the question to a side."""
    nations = catalog.nations
    whose = f"the {nations[asked.side].people}" if asked.side in nations else "the players"
    match asked.proposal:
        case dict(counts):
            answer = units(counts, catalog)
        case int(number):
            answer = catalog.units[asked.unit].named(number) if asked.unit else str(number)
        case text:
            answer = text
    if asked.chosen and asked.options:
        return f"{' or '.join(asked.options)}, as {whose} choose."
    answer = f"Our proposal: {answer.rstrip('.')}."
    if asked.options:
        answer = f"{' / '.join(asked.options)}. {answer}"
    if asked.at_least and asked.at_least > 1:
        answer += f" At least {asked.at_least}."
    return answer


def limited(limit: Restriction, scenario: Scenario, catalog: Catalog) -> tuple[str, str]:
    groups = scenario.side(limit.side).contingents
    who = [nation(limit.side, catalog)]
    who += [group.called for group in groups if group.id == limit.contingent]
    until = f"turn {limit.before_turn}"
    text = limit.text
    if limit.before_turn is not None and until not in text:
        text += f" Until {until}."
    return ", ".join(who), text


def lead(happening: AnyHappening, catalog: Catalog) -> str:
    match happening:
        case AskAtSetup():
            return nation(happening.side, catalog) if happening.side else ""
        case Remind():
            return nation(happening.side, catalog) if happening.side else "Both sides"
        case DrawTable():
            return f"{nation(happening.side, catalog)} draws"
        case ToggleOnCard():
            dice = "; cards only" if happening.cards_only else ""
            state = happening.state.replace("_", " ")
            return f"{happening.card}, {state}: sight {inches(happening.sight_in)}{dice}"
        case MayConvert():
            into = catalog.units[happening.becomes].name
            side = nation(happening.side, catalog)
            return f"{side} {catalog.units[happening.unit].name} into {into}"
    names = [plural(catalog.units[unit].name) for unit in happening.units]
    return f"{nation(happening.side, catalog)} {listed(names)}"


def draws(table: DrawTable, catalog: Catalog) -> Iterator[tuple[int, list[tuple[str, str]]]]:
    """Each draw of a table by its number, with its lines: ``A-5``, ``4 Rifle Guys``."""
    for draw in range(1, table.draws + 1):
        rows = [row for row in table.rows if row.draw == draw]
        yield draw, [(ranks(row.ranks), _outcome(row, catalog)) for row in rows]


Unruled: TypeAlias = DrawTable | ToggleOnCard | NeedsService | MayReveal | MayConvert | Trait


def unruled(scenario: Scenario) -> Iterator[Unruled]:
    """The reminders: scenario events that are neither asked before play nor in a special rule."""
    for one in scenario.happenings:
        if not isinstance(one, AskAtSetup | Remind) and not one.rule:
            yield one


def own_units(
    scenario: Scenario, catalog: Catalog, answers: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """The scenario's own units and those of the designer's notes in numbers: price, moves, weapons
    under these rulings, note."""
    present = {
        unit for side in scenario.sides for group in side.contingents for unit in group.most()
    }
    for unit in catalog.units.values():
        if unit.id in present and unit.shelf != "rules":
            arms = catalog.weapons_of(unit, answers)
            guns = ", ".join(f"{gun.name} ({inches(gun.range)})" for gun in arms) or NONE
            road = f" ({inches(unit.road_move)} on road)" if unit.road_move else ""
            move = f"moves {inches(unit.move)}{road}" if unit.move else "does not move"
            yield unit.name, f"{unit.price} points, {move}; {guns}. {unit.note}".strip()


def _outcome(row: DrawTableRow, catalog: Catalog) -> str:
    if row.units:
        return units(row.units, catalog)
    if row.entry:
        return f"at point {row.entry}"
    return "any of these" if row.choice else "nobody"
