"""What is wrong with a scenario that no type can see: names that lead nowhere, turns that are
never played, things that stand there twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING

from skirmish.games.plastic.rules.catalog import Catalog, Variant
from skirmish.games.plastic.rules.rulings import RulingBook
from skirmish.games.plastic.scenarios.battlefield_checks import wrong_on
from skirmish.games.plastic.scenarios.happening_kinds import AskAtSetup, DrawTable, Trait
from skirmish.games.plastic.scenarios.names import Names, once, written_as_id
from skirmish.tabletop.reading import Problem, suggest

if TYPE_CHECKING:
    from skirmish.games.plastic.scenarios.scenario import Clock, Scenario, Swap


def problems(
    scenario: Scenario, catalog: Catalog, book: RulingBook, file: str
) -> Iterator[Problem]:
    """All of them, each with its key."""
    names = _names(scenario, catalog)
    yield from _in_head(scenario, file)
    yield from _in_variants(scenario.variants, catalog)
    yield from _in_sides(scenario, catalog, names)
    yield from scenario.victory.problems("victory", names)
    yield from _in_happenings(scenario, names)
    for index, limit in enumerate(scenario.limits):
        yield from names.side(f"limit[{index}].side", limit.side)
        yield from names.contingent(f"limit[{index}].contingent", limit.side, limit.contingent)
        if limit.before_turn is not None:
            yield from names.turn(f"limit[{index}].before_turn", limit.before_turn)
    if scenario.map is not None:
        size = (scenario.table.width_in, scenario.table.depth_in)
        way_out: str | None = getattr(scenario.victory, "zone", None)
        ways_out = frozenset([way_out] if way_out else [])
        tables = [part for part in scenario.happenings if isinstance(part, DrawTable)]
        ways_in = frozenset(row.entry for table in tables for row in table.rows if row.entry)
        ways = (ways_out, ways_in)
        yield from wrong_on(scenario.map, size, scenario.sides, names, ways)
    yield from _in_rulings(scenario, names, book)
    yield from once("footnote", [note.mark for note in scenario.footnotes])
    marks = [note.mark for note in scenario.footnotes]
    if scenario.table.mark is not None and scenario.table.mark not in marks:
        hint = suggest(scenario.table.mark, marks)
        yield Problem("table.mark", f"no footnote {scenario.table.mark!r}; {hint}")


def _names(scenario: Scenario, catalog: Catalog) -> Names:
    sound = [variant for variant in scenario.variants if variant.of in catalog.units]
    changed = catalog.with_variants(sound)
    order = sorted(scenario.sides, key=lambda side: side.id != scenario.moves_first)
    return Names(
        units=changed.units,
        works=changed.works,
        forces={side.id: {group.id: group.most() for group in side.contingents} for side in order},
        last=scenario.ends_after,
        zones=scenario.map.letters if scenario.map else None,
        marks=scenario.map.marked if scenario.map else None,
    )


def _in_head(scenario: Scenario, file: str) -> Iterator[Problem]:
    yield from written_as_id("id", scenario.id)
    wanted = f"{scenario.number:02}_{scenario.id}.toml"
    if file.replace("\\", "/").rsplit("/", maxsplit=1)[-1] != wanted:
        yield Problem(
            "number", f"number and id belong to a file called {wanted}; rename it or change them."
        )
    if not _is_date(scenario.date):
        yield Problem(
            "date", f'{scenario.date!r} is no date; write "1944-06-06", or "1939-09" for a month.'
        )


def _is_date(text: str) -> bool:
    found = re.fullmatch(r"([0-9]{4})-([0-9]{2})(?:-([0-9]{2}))?", text)
    if not found:
        return False
    try:
        date(int(found[1]), int(found[2]), int(found[3] or 1))
    except ValueError:
        return False
    return True


def _in_variants(variants: Sequence[Variant], catalog: Catalog) -> Iterator[Problem]:
    yield from once("variant", [variant.id for variant in variants])
    for index, variant in enumerate(variants):
        key = f"variant[{index}]"
        yield from written_as_id(f"{key}.id", variant.id)
        if variant.id in catalog.units and variant.id != variant.of:
            yield Problem(
                f"{key}.id",
                f"{variant.id} is a unit of the rules already; take a new id, "
                f'or of = "{variant.id}" to change that unit.',
            )
        if variant.of not in catalog.units:
            hint = suggest(variant.of, catalog.units)
            yield Problem(f"{key}.of", f"no unit {variant.of!r}; {hint}")
            continue
        for place, weapon in enumerate(variant.weapons or ()):
            if weapon not in catalog.weapons:
                hint = suggest(weapon, catalog.weapons)
                yield Problem(f"{key}.weapons[{place}]", f"no weapon {weapon!r}; {hint}")
        base = catalog.units[variant.of].weapons
        carried = base if variant.weapons is None else variant.weapons
        for weapon in variant.ranges:
            if weapon not in carried:
                hint = suggest(weapon, carried)
                yield Problem(f"{key}.ranges.{weapon}", f"it carries no {weapon!r}; {hint}")


def _in_sides(scenario: Scenario, catalog: Catalog, names: Names) -> Iterator[Problem]:
    if len(scenario.sides) != 2:
        yield Problem("side", f"a scenario has two sides; {len(scenario.sides)} stand there.")
    yield from once("side", [side.id for side in scenario.sides])
    for index, side in enumerate(scenario.sides):
        if side.id not in catalog.nations:
            hint = suggest(side.id, catalog.nations)
            yield Problem(
                f"side[{index}].id", f"no nation {side.id!r} (a side's id is its nation); {hint}"
            )
        yield from side.problems(f"side[{index}]", names)
    yield from names.side("sets_up_first", scenario.sets_up_first)
    yield from names.side("moves_first", scenario.moves_first)
    if scenario.ends_after:
        yield from names.side("ends_after.side", scenario.ends_after.side)


def _in_happenings(scenario: Scenario, names: Names) -> Iterator[Problem]:
    rules = [rule.name for rule in scenario.special_rules]
    for index, happening in enumerate(scenario.happenings):
        yield from happening.problems(f"happening[{index}]", names)
        if happening.rule and happening.rule not in rules:
            says = f"no rule {happening.rule!r}; {suggest(happening.rule, rules)}"
            yield Problem(f"happening[{index}].rule", says)
    yield from once(
        "happening",
        [kind.id for kind in scenario.happenings if isinstance(kind, AskAtSetup | Trait)],
    )


def _in_rulings(scenario: Scenario, names: Names, book: RulingBook) -> Iterator[Problem]:
    yield from once("rulings", scenario.rulings)
    for index, ruling in enumerate(scenario.rulings):
        if ruling not in book.rulings:
            yield Problem(
                f"rulings[{index}]",
                f"no ruling {ruling!r}; they run from P1 to {[*book.rulings][-1]}.",
            )
    for index, swap in enumerate(scenario.swaps):
        key = f"swap[{index}]"
        yield from _in_answer(key, swap, scenario, book)
        yield from names.side(f"{key}.side", swap.side)
        yield from names.fielded(f"{key}.unit", swap.side, swap.unit)
        yield from names.unit(f"{key}.becomes", swap.becomes)
    for index, clock in enumerate(scenario.clocks):
        key = f"clock[{index}]"
        yield from _in_answer(key, clock, scenario, book)
        yield from names.side(f"{key}.ends_after.side", clock.ends_after.side)
        if scenario.ends_after is None:
            yield Problem(key, "changes a clock that is not there; give ends_after first.")


def _in_answer(
    key: str, given: Swap | Clock, scenario: Scenario, book: RulingBook
) -> Iterator[Problem]:
    ruling = book.rulings.get(given.ruling)
    if ruling is None:
        yield Problem(
            f"{key}.ruling",
            f"no ruling {given.ruling!r}; they run from P1 to {[*book.rulings][-1]}.",
        )
        return
    if given.ruling not in scenario.rulings:
        yield Problem(
            f"{key}.ruling",
            f"{given.ruling} is not among the scenario's rulings; add it to that list.",
        )
    if given.answer not in ruling.answers:
        yield Problem(
            f"{key}.answer", f"no answer {given.answer!r}; {suggest(given.answer, ruling.answers)}"
        )
    elif given.answer == ruling.default:
        yield Problem(
            f"{key}.answer",
            f"{given.answer} is what holds anyway; name another answer of {given.ruling}.",
        )
