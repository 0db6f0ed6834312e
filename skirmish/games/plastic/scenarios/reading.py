"""Scenario files into scenarios, with everything that is wrong in them told at once."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from skirmish.games.plastic.rules.catalog import Catalog, UnitVariant
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.games.plastic.scenarios.happening_kinds import AskAtSetup, DrawTable, Trait
from skirmish.games.plastic.scenarios.names import Names, once
from skirmish.games.plastic.scenarios.order_of_battle import MarksEntry, ScenarioSide, ZoneEntry
from skirmish.games.plastic.scenarios.scenario import ClockChange, Scenario, Swap
from skirmish.tabletop.battlefield import Battlefield, Curve
from skirmish.tabletop.reading import DataError, Problem, parts, read, suggest


def read_scenario(
    raw: Mapping[str, Any], catalog: Catalog, known_rulings: PlasticRulingBook, *, file: str
) -> Scenario:
    """Raises DataError. The last part of ``file`` must agree with number and id."""
    return read(raw, Scenario, file, lambda one: problems(one, catalog, known_rulings, file))


def read_scenarios(
    tables: Iterable[tuple[str, Mapping[str, Any]]],
    catalog: Catalog,
    known_rulings: PlasticRulingBook,
) -> dict[int, Scenario]:
    found: dict[int, Scenario] = {}
    for file, raw in tables:
        scenario = read_scenario(raw, catalog, known_rulings, file=file)
        if scenario.number in found:
            other = found[scenario.number].title
            says = f"{scenario.number} is the number of {other!r} already; take a free one."
            raise DataError(file, [Problem("number", says)])
        found[scenario.number] = scenario
    return dict(sorted(found.items()))


# ------------------------------------------------------------------ what may be wrong


def problems(
    scenario: Scenario, catalog: Catalog, book: PlasticRulingBook, file: str
) -> Iterator[Problem]:
    sound = [variant for variant in scenario.variants if variant.of in catalog.units]
    changed = catalog.with_variants(sound)
    order = sorted(scenario.sides, key=lambda side: side.id != scenario.moves_first)
    forces = {side.id: {group.id: group.most() for group in side.contingents} for side in order}
    names = Names(units=changed.units, forces=forces, last=scenario.ends_after)
    known: dict[str, Collection[str]] = {
        "side": forces,
        "nation": catalog.nations,
        "unit": changed.units,
        "work": changed.works,
        "weapon": catalog.weapons,
        "ruling": book.rulings,
        "footnote": [note.mark for note in scenario.footnotes],
        "rule": [rule.name for rule in scenario.special_rules],
    }
    if scenario.map is not None:
        known |= {"zone": scenario.map.letters, "mark": scenario.map.marked}
    for key, part, to in parts(scenario, Scenario):
        if to == "turn":
            if scenario.ends_after and part > (last := scenario.ends_after.turn):
                says = f"turn {part} is never played; the last is {last} (ends_after)."
                yield Problem(key, says)
        elif part and to in known and part not in known[to]:
            hint = suggest(part, known[to])
            if to == "ruling":
                hint = f"they run from P1 to {[*book.rulings][-1]}."
            yield Problem(key, f"no {to} {part!r}{_WHERE.get(to, '')}; {hint}")
        elif contingent := getattr(part, "contingent", None):
            yield from names.contingent(f"{key}.contingent", part.side, contingent)
        elif isinstance(part, Swap | ClockChange):
            yield from _in_answer(key, part, scenario, book)
        if check := getattr(part, "problems", None):
            yield from check(key, names)
    yield from _in_head(scenario, file)
    yield from _in_variants(scenario.variants, catalog)
    if len(scenario.sides) != 2:
        yield Problem("side", f"a scenario has two sides; {len(scenario.sides)} stand there.")
    asked = [kind.id for kind in scenario.happenings if isinstance(kind, AskAtSetup | Trait)]
    for where, words in (
        ("side", [side.id for side in scenario.sides]),
        ("variant", [variant.id for variant in scenario.variants]),
        ("happening", asked),
        ("rulings", scenario.rulings),
        ("footnote", known["footnote"]),
    ):
        yield from once(where, words)
    if scenario.map is not None:
        size = (scenario.table.width_in, scenario.table.depth_in)
        way_out: str | None = getattr(scenario.victory, "zone", None)
        ways_out = frozenset([way_out] if way_out else [])
        tables = [part for part in scenario.happenings if isinstance(part, DrawTable)]
        ways_in = frozenset(row.entry for table in tables for row in table.rows if row.entry)
        ways = (ways_out, ways_in)
        yield from wrong_on(scenario.map, size, scenario.sides, ways)


_WHERE = {
    "side": " in this scenario",
    "nation": " (a side's id is its nation)",
    "zone": " on the map",
    "mark": " on the map",
}


def _in_head(scenario: Scenario, file: str) -> Iterator[Problem]:
    wanted = f"{scenario.number:02}_{scenario.id}.toml"
    if file.replace("\\", "/").rsplit("/", maxsplit=1)[-1] != wanted:
        says = f"number and id belong to a file called {wanted}; rename it or change them."
        yield Problem("number", says)
    if not _is_date(scenario.date):
        says = f'{scenario.date!r} is no date; write "1944-06-06", or "1939-09" for a month.'
        yield Problem("date", says)


def _is_date(text: str) -> bool:
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}(-[0-9]{2})?", text):
        return False
    try:
        date.fromisoformat(text if len(text) == len("1944-06-06") else f"{text}-01")
    except ValueError:
        return False
    return True


def _in_variants(variants: Sequence[UnitVariant], catalog: Catalog) -> Iterator[Problem]:
    for index, variant in enumerate(variants):
        key = f"variant[{index}]"
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
        base = catalog.units[variant.of].weapons
        carried = base if variant.weapons is None else variant.weapons
        for weapon in variant.ranges:
            if weapon not in carried:
                hint = suggest(weapon, carried)
                yield Problem(f"{key}.ranges.{weapon}", f"it carries no {weapon!r}; {hint}")


def _in_answer(
    key: str, given: Swap | ClockChange, scenario: Scenario, book: PlasticRulingBook
) -> Iterator[Problem]:
    if isinstance(given, ClockChange) and scenario.ends_after is None:
        yield Problem(key, "changes a clock that is not there; give ends_after first.")
    ruling, name, answer = book.rulings.get(given.ruling), given.ruling, given.answer
    if ruling is None:
        return
    if name not in scenario.rulings:
        says = f"{name} is not among the scenario's rulings; add it to that list."
        yield Problem(f"{key}.ruling", says)
    if answer not in ruling.answers:
        yield Problem(f"{key}.answer", f"no answer {answer!r}; {suggest(answer, ruling.answers)}")
    elif answer == ruling.default:
        says = f"{answer} is what holds anyway; name another answer of {name}."
        yield Problem(f"{key}.answer", says)


# ------------------------------------------------------------------ the map


QUARTER = 0.25
CLOSE = 0.01


def wrong_on(
    field: Battlefield,
    size: tuple[float, float],
    sides: tuple[ScenarioSide, ...],
    ways: tuple[frozenset[str], frozenset[str]],
) -> Iterator[Problem]:
    """``size`` in inches; ``ways`` are the zones of the victory and the marks of a draw table."""
    across, upward = size
    for key, (x, y) in field.points():
        if not (-CLOSE <= x <= across + CLOSE and -CLOSE <= y <= upward + CLOSE):
            yield Problem(key, f"{x:g}, {y:g} lies off the table of {across:g} by {upward:g} in.")
    for name in ("areas", "lines", "arrows"):
        for index, part in enumerate(getattr(field, name)):
            yield from _bend(f"map.{name[:-1]}[{index}].curve", part.curve, len(part.points))
    for index, measured in enumerate(field.dimensions):
        inches = math.dist(measured.start, measured.end)
        if abs(inches / QUARTER - round(inches / QUARTER)) > CLOSE or inches < QUARTER:
            yield Problem(
                f"map.dimension[{index}]",
                f"is {inches:.2f} in long; a distance of the rules is told in quarters of an inch.",
            )
    yield from _double(field)
    yield from _letters(field, sides, ways)


def _bend(key: str, curve: Curve, points: int) -> Iterator[Problem]:
    if isinstance(curve, tuple) and not 0 <= curve[0] < curve[1] < points:
        yield Problem(key, f"is {list(curve)}; it names two of the points 0 to {points - 1}.")


def _double(field: Battlefield) -> Iterator[Problem]:
    seen: set[int] = set()
    for index, building in enumerate(field.buildings):
        if building.number in seen:
            says = f"there is a building {building.number} already; give each its own number."
            yield Problem(f"map.building[{index}].number", says)
        if building.number:
            seen.add(building.number)
    for letter in sorted(field.letters):
        tags = [zone for zone in field.zones if zone.letter == letter and zone.tag]
        if len(tags) != 1:
            says = f"zone {letter} has {len(tags)} tags; give one of its parts the tag."
            yield Problem("map.zone", says)


def _letters(
    field: Battlefield, sides: tuple[ScenarioSide, ...], ways: tuple[frozenset[str], frozenset[str]]
) -> Iterator[Problem]:
    """A letter on the map that no contingent names would only puzzle people."""
    ways_out, ways_in = ways
    entries = [group.entry for side in sides for group in side.contingents]
    zones = ways_out | {entry.zone for entry in entries if isinstance(entry, ZoneEntry)}
    standing = {mark for entry in entries if isinstance(entry, MarksEntry) for mark in entry.marks}
    marks = ways_in | standing
    for index, zone in enumerate(field.zones):
        if zone.letter not in zones:
            says = f"no contingent sets up in {zone.letter}; name it in an entry or leave it out."
            yield Problem(f"map.zone[{index}].letter", says)
    for index, mark in enumerate(field.marks):
        if mark.mark and mark.mark not in marks:
            says = f"no contingent stands on {mark.mark}; name it in an entry or leave it out."
            yield Problem(f"map.mark[{index}].mark", says)
