"""Reads scenario files and reports every problem at once."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec

from skirmish.games.plastic.rules.catalog import Catalog, UnitType, UnitVariant, together
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.games.plastic.scenarios.order_of_battle import (
    MarksEntry,
    Moment,
    ScenarioSide,
    ZoneEntry,
)
from skirmish.games.plastic.scenarios.scenario import ClockChange, DrawTable, Scenario, Swap
from skirmish.tabletop.battlefield import Battlefield, Curve
from skirmish.tabletop.data_file import DataError, Problem, fields, parts, read, suggest

NOTHING_TAKEN: Mapping[int, str] = MappingProxyType({})


class ScenarioFiles(NamedTuple):
    """What a folder of scenarios holds: those that can be played, by their numbers and in order,
    and a DataError for each file that cannot be read. A broken file stops no other."""

    scenarios: dict[int, Scenario]
    broken: tuple[DataError, ...]


def read_scenario(
    raw: Mapping[str, Any],
    catalog: Catalog,
    known_rulings: PlasticRulingBook,
    *,
    file: str,
    taken: Mapping[int, str] = NOTHING_TAKEN,
) -> Scenario:
    """The scenario of a file. ``taken`` are the numbers of others, with their titles. Raises
    DataError with all that is wrong. The last part of ``file`` must agree with number and id."""

    def check(scenario: Scenario) -> Iterator[Problem]:
        yield from problems(scenario, catalog, known_rulings, file)
        if scenario.number in taken:
            title = taken[scenario.number]
            message = f"{scenario.number} is the number of {title!r} already; take a free one."
            yield Problem("number", message)

    return read(raw, Scenario, file, check)


def read_scenarios(
    tables: Iterable[tuple[str, Mapping[str, Any]]],
    catalog: Catalog,
    known_rulings: PlasticRulingBook,
    unreadable: Sequence[DataError] = (),
) -> ScenarioFiles:
    """The scenarios of files that are TOML; ``unreadable`` are those that are not. Of two with one
    number the first stands."""
    scenarios: dict[int, Scenario] = {}
    broken = list(unreadable)
    taken: dict[int, str] = {}
    for file, raw in tables:
        try:
            scenario = read_scenario(raw, catalog, known_rulings, file=file, taken=taken)
        except DataError as error:
            broken.append(error)
        else:
            scenarios[scenario.number] = scenario
            taken[scenario.number] = scenario.title
    broken.sort(key=lambda error: error.file)
    return ScenarioFiles(dict(sorted(scenarios.items())), tuple(broken))


# ------------------------------------------------------------------ what a scenario may name


class Names(msgspec.Struct, frozen=True, kw_only=True):
    """``forces`` is side -> contingent -> unit -> maximum, in the order of play."""

    units: Mapping[str, UnitType]
    forces: Mapping[str, Mapping[str, Mapping[str, int]]]
    last: Moment | None

    def fielded(
        self, key: str, unit: str, holders: Iterable[Any], *, enemy: bool
    ) -> Iterator[Problem]:
        """Whether the side (or its contingent, or its enemy) named by the nearest of ``holders``
        has as many of an existing ``unit`` as it needs."""
        holder, *further = holders
        owner = next(one for one in (holder, *further) if hasattr(one, "side"))
        side = next((one for one in self.forces if enemy and one != owner.side), owner.side)
        contingent = getattr(owner, "contingent", None)
        groups = self.forces.get(side, {})
        if not groups or contingent not in {None, *groups}:
            return
        force = self.strength(side) if contingent is None else groups[contingent]
        have, need = force.get(unit, 0), getattr(holder, "need", 1)
        who = f"the {side} side" if contingent is None else f"the contingent {contingent}"
        if not have:
            yield Problem(key, f"{who} has no {unit}; {suggest(unit, force)}")
        elif have < need:
            asked = self.units[unit].named(need)
            yield Problem(key, f"{asked} asked for, but {who} has only {have}.")

    def strength(self, side: str) -> dict[str, int]:
        return together(self.forces[side].values())

    def moment(self, key: str, at: Moment) -> Iterator[Problem]:
        order, last = list(self.forces), self.last
        if last is None or not {at.side, last.side} <= self.forces.keys():
            return
        if (at.turn, order.index(at.side)) > (last.turn, order.index(last.side)):
            yield Problem(key, f"{at} comes after the end, {last}; name that or an earlier.")


def once(key: str, words: Iterable[str]) -> Iterator[Problem]:
    for word, times in Counter(words).items():
        if times > 1:
            yield Problem(key, f"{word!r} stands there twice; each may stand there once.")


# ------------------------------------------------------------------ what may be wrong


def problems(
    scenario: Scenario, catalog: Catalog, book: PlasticRulingBook, file: str
) -> Iterator[Problem]:
    sound = [
        variant
        for variant in scenario.variants
        if variant.of in catalog.units and variant.ranges.keys() <= catalog.weapons.keys()
    ]
    changed = catalog.with_variants(sound)
    order = sorted(scenario.sides, key=lambda side: side.id != scenario.moves_first)
    forces = {side.id: {group.id: group.most() for group in side.contingents} for side in order}
    names = Names(units=changed.units, forces=forces, last=scenario.ends_after)
    known: dict[str, Collection[str]] = {
        "side": forces,
        "nation": catalog.nations,
        **dict.fromkeys(("unit", "own unit", "enemy unit"), changed.units),
        "guy or unit": ("guy", *changed.units),
        "work": changed.works,
        "weapon": catalog.weapons,
        "ruling": book.rulings,
        "footnote": [note.mark for note in scenario.footnotes],
        "rule": [rule.name for rule in scenario.special_rules],
    }
    if scenario.map is not None:
        known |= {"zone": scenario.map.letters, "mark": scenario.map.marked}
    held: dict[str, Any] = {}
    for key, part, to in parts(scenario, Scenario):
        if not to:
            held[key] = part
            yield from _in_part(key, part, names)
            if isinstance(part, Swap | ClockChange):
                yield from _in_answer(key, part, scenario, book)
        elif to == "turn":
            if scenario.ends_after and part > (last := scenario.ends_after.turn):
                message = f"turn {part} is never played; the last is {last} (ends_after)."
                yield Problem(key, message)
        elif part and to == "contingent":
            side = next(_holders(key, held)).side
            if part not in (own := forces.get(side, {part: {}})):
                hint = suggest(part, own)
                yield Problem(key, f"no contingent {part!r} on the {side} side; {hint}")
        elif part and to in known:
            if part not in known[to]:
                hint = suggest(part, known[to])
                if to == "ruling":
                    hint = f"they run from P1 to {[*book.rulings][-1]}."
                yield Problem(key, f"no {to.split()[-1]} {part!r}{_WHERE.get(to, '')}; {hint}")
            elif to in ("own unit", "enemy unit"):
                yield from names.fielded(key, part, _holders(key, held), enemy=to == "enemy unit")
    yield from _in_head(scenario, file)
    yield from _in_variants(scenario.variants, catalog)
    if len(scenario.sides) != 2:
        yield Problem("side", f"a scenario has two sides; {len(scenario.sides)} stand there.")
    yield from once("footnote", known["footnote"])
    if scenario.map is not None:
        yield from _on_map(scenario.map, scenario)


_WHERE = {
    "side": " in this scenario",
    "nation": " (a side's id is its nation)",
    "zone": " on the map",
    "mark": " on the map",
}


def _in_part(key: str, part: msgspec.Struct, names: Names) -> Iterator[Problem]:
    for field in fields(type(part)):
        value = getattr(part, field.name)
        if isinstance(value, tuple):
            words = [one if isinstance(one, str) else getattr(one, "id", None) for one in value]
            where = f"{key}.{field.encode_name}" if key else field.encode_name
            yield from once(where, filter(None, words))
    if isinstance(part, ScenarioSide):
        yield from _double_letters(key, part, names)
    if isinstance(part, Moment) and not key.startswith("clock"):
        yield from names.moment(key, part)
    if check := getattr(part, "problems", None):
        yield from check(key)


def _holders(key: str, held: Mapping[str, Any]) -> Iterator[Any]:
    """The part with this key and its ancestors, the nearest first."""
    while "." in key:
        key = key.rpartition(".")[0]
        if key in held:
            yield held[key]


def _double_letters(key: str, side: ScenarioSide, names: Names) -> Iterator[Problem]:
    taken: dict[str, str] = {}
    for unit in names.strength(side.id) if side.id in names.forces else ():
        if unit in names.units:
            other = taken.setdefault(names.units[unit].letter, unit)
            if other != unit:
                yield Problem(
                    key,
                    f"{unit} and {other} share the letter {names.units[unit].letter!r}; "
                    "give the variant among them a letter of its own.",
                )


def _in_head(scenario: Scenario, file: str) -> Iterator[Problem]:
    wanted = f"{scenario.number:02}_{scenario.id}.toml"
    if file.replace("\\", "/").rsplit("/", maxsplit=1)[-1] != wanted:
        message = f"number and id belong to a file called {wanted}; rename it or change them."
        yield Problem("number", message)
    if not _is_date(scenario.date):
        message = f'{scenario.date!r} is no date; write "1944-06-06", or "1939-09" for a month.'
        yield Problem("date", message)


def _is_date(text: str) -> bool:
    with suppress(ValueError):
        date.fromisoformat(f"{text}-01"[:10])
        return re.fullmatch(r"[0-9]{4}-[0-9]{2}(-[0-9]{2})?", text) is not None
    return False


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
        message = f"{name} is not among the scenario's rulings; add it to that list."
        yield Problem(f"{key}.ruling", message)
    if answer not in ruling.answers:
        yield Problem(f"{key}.answer", f"no answer {answer!r}; {suggest(answer, ruling.answers)}")
    elif answer == ruling.default:
        message = f"{answer} is what holds anyway; name another answer of {name}."
        yield Problem(f"{key}.answer", message)


# ------------------------------------------------------------------ the map


QUARTER = 0.25
CLOSE = 0.01
LEFT_OUT = "name it in an entry or leave it out."


def _on_map(field: Battlefield, scenario: Scenario) -> Iterator[Problem]:
    across, upward = scenario.table.width_in, scenario.table.depth_in
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
                f"is {inches:.2f} in long; the rules give distances in quarters of an inch.",
            )
    yield from _double(field)
    yield from _letters(field, scenario)


def _bend(key: str, curve: Curve, points: int) -> Iterator[Problem]:
    if isinstance(curve, tuple) and not 0 <= curve[0] < curve[1] < points:
        yield Problem(key, f"is {list(curve)}; it names two of the points 0 to {points - 1}.")


def _double(field: Battlefield) -> Iterator[Problem]:
    numbers = [building.number for building in field.buildings]
    for index, number in enumerate(numbers):
        if number and number in numbers[:index]:
            message = f"there is a building {number} already; give each its own number."
            yield Problem(f"map.building[{index}].number", message)
    for index, zone in enumerate(field.zones):
        if zone.tag is None:
            message = f"this part of zone {zone.letter} has no tag; each part bears its letter."
            yield Problem(f"map.zone[{index}].tag", message)


def _letters(field: Battlefield, scenario: Scenario) -> Iterator[Problem]:
    """A letter on the map that no contingent uses is an error."""
    entries = [group.entry for side in scenario.sides for group in side.contingents]
    zones = {entry.zone for entry in entries if isinstance(entry, ZoneEntry)}
    zones.add(getattr(scenario.victory, "zone", None) or "")
    tables = [part for part in scenario.happenings if isinstance(part, DrawTable)]
    marks = {mark for entry in entries if isinstance(entry, MarksEntry) for mark in entry.marks}
    marks |= {row.entry for table in tables for row in table.rows if row.entry}
    for index, zone in enumerate(field.zones):
        if zone.letter not in zones:
            message = f"no contingent sets up in {zone.letter}; {LEFT_OUT}"
            yield Problem(f"map.zone[{index}].letter", message)
    for index, mark in enumerate(field.marks):
        if mark.mark and mark.mark not in marks:
            message = f"no contingent stands on {mark.mark}; {LEFT_OUT}"
            yield Problem(f"map.mark[{index}].mark", message)
