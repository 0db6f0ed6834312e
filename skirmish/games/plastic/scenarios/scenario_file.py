"""Reads scenario files and reports every problem at once."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
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
from skirmish.games.plastic.scenarios.own import file_name, own_problems
from skirmish.games.plastic.scenarios.scenario import (
    Charges,
    Clear,
    ClockChange,
    DrawTable,
    ExitTable,
    Scenario,
    Swap,
)
from skirmish.tabletop.battlefield import Battlefield, Curve
from skirmish.tabletop.data_file import DataError, Problem, fields, parts, read, suggest

NOTHING_TAKEN: Mapping[int, str] = MappingProxyType({})
"""No number of a scenario is taken yet."""


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
    own_from: int | None = None,
) -> Scenario:
    """The scenario of a file. ``taken`` are the numbers of others, with their titles; ``own_from``
    is the first number of a player's own scenarios, if it is one of them. Raises DataError with all
    that is wrong. The last part of ``file`` must agree with number and id."""

    def check(scenario: Scenario) -> Iterator[Problem]:
        yield from problems(scenario, catalog, known_rulings, file)
        if own_from is not None:
            yield from own_problems(scenario, raw, own_from)
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
    *,
    own_from: int | None = None,
) -> ScenarioFiles:
    """The scenarios of files that are TOML; ``unreadable`` are those that are not, ``own_from`` as
    for one file. Of two with one number the first stands."""
    scenarios: dict[int, Scenario] = {}
    broken = list(unreadable)
    taken: dict[int, str] = {}
    for file, raw in tables:
        try:
            scenario = read_scenario(
                raw, catalog, known_rulings, file=file, taken=taken, own_from=own_from
            )
        except DataError as error:
            broken.append(error)
        else:
            scenarios[scenario.number] = scenario
            taken[scenario.number] = scenario.title
    broken.sort(key=lambda error: error.file)
    return ScenarioFiles(dict(sorted(scenarios.items())), tuple(broken))


# ------------------------------------------------------------------ what a scenario may name


class UnitOwner(NamedTuple):
    """Whose unit a field of a scenario names, and how many of it that asks for."""

    side: str
    contingent: str | None
    """None: any of the side."""
    need: int


def _owner_of(holders: Sequence[Any]) -> UnitOwner:
    """Whose unit a field names by the parts around it, the nearest first. The nearest that names a
    side, and perhaps a contingent, says whose it is; the nearest of all may say how many it
    needs."""
    # Parts of many types have these fields, under these names.
    with_side = next(holder for holder in holders if hasattr(holder, "side"))
    contingent = getattr(with_side, "contingent", None)
    return UnitOwner(with_side.side, contingent, getattr(holders[0], "need", 1))


class Names(msgspec.Struct, frozen=True, kw_only=True):
    """What the parts of a scenario may name. ``forces`` is side -> contingent -> unit -> maximum,
    in the order of play; ``last`` is the end of the battle, after which no moment may come, None
    without a clock; ``by_kind`` has the names of each kind that a field may refer to; ``rulings``
    are the ids of all rulings, in their order."""

    units: Mapping[str, UnitType]
    forces: Mapping[str, Mapping[str, Mapping[str, int]]]
    last: Moment | None
    by_kind: Mapping[str, Collection[str]]
    rulings: Sequence[str]

    def unit_problems(
        self, key: str, unit: str, owner: UnitOwner, *, enemy: bool
    ) -> Iterator[Problem]:
        """A unit that its owner does not have, or too few of it. With ``enemy`` it is the unit of
        the owner's enemy."""
        side = owner.side
        if enemy:
            side = self._enemy_of(owner.side)
        contingents = self.forces.get(side, {})
        # A wrong side or contingent is a problem of its own.
        if not contingents:
            return
        if owner.contingent is not None and owner.contingent not in contingents:
            return
        if owner.contingent is None:
            who = f"the {side} side"
            force: Mapping[str, int] = self.strength(side)
        else:
            who = f"the contingent {owner.contingent}"
            force = contingents[owner.contingent]
        have = force.get(unit, 0)
        if not have:
            yield Problem(key, f"{who} has no {unit}; {suggest(unit, force)}")
        elif have < owner.need:
            asked = self.units[unit].named(owner.need)
            yield Problem(key, f"{asked} asked for, but {who} has only {have}.")

    def _enemy_of(self, side: str) -> str:
        """The other side; the side itself where a wrong file has no other."""
        for enemy in self.forces:
            if enemy != side:
                return enemy
        return side

    def strength(self, side: str) -> dict[str, int]:
        """All units of a side, each contingent at its largest."""
        return together(self.forces[side].values())

    def moment_problems(self, key: str, moment: Moment) -> Iterator[Problem]:
        """A moment must still be played. Moments are compared by turn, then by order of play."""
        last = self.last
        if last is None or not {moment.side, last.side} <= self.forces.keys():
            return
        order = list(self.forces)
        if (moment.turn, order.index(moment.side)) > (last.turn, order.index(last.side)):
            message = f"{moment} comes after the end, {last}; name that or an earlier."
            # Not reported where the end itself is wrong (``measured_by``).
            yield Problem(key, message, measured_by="ends_after")


def names_of(scenario: Scenario, catalog: Catalog, book: PlasticRulingBook) -> Names:
    """What the parts of this scenario may name."""
    sound_variants = []
    for variant in scenario.variants:
        # What is wrong with the others is reported by ``_variant_problems``.
        if variant.of in catalog.units and variant.ranges.keys() <= catalog.weapons.keys():
            sound_variants.append(variant)
    changed = catalog.with_variants(sound_variants)
    forces: dict[str, dict[str, dict[str, int]]] = {}
    # In the order of play, by which moments of the same turn are compared.
    for side in sorted(scenario.sides, key=lambda side: side.id != scenario.moves_first):
        forces[side.id] = {part.id: part.most() for part in side.contingents}
    by_kind: dict[str, Collection[str]] = {
        "side": forces,
        "nation": catalog.nations,
        "unit": changed.units,
        "own unit": changed.units,
        "enemy unit": changed.units,
        "guy or unit": ("guy", *changed.units),
        "work": changed.works,
        "weapon": catalog.weapons,
        "ruling": book.rulings,
        "footnote": [note.mark for note in scenario.footnotes],
        "rule": [rule.name for rule in scenario.special_rules],
    }
    if scenario.map is not None:
        # Without a map, letters and marks mean places that the players agree on.
        by_kind |= {"zone": scenario.map.letters, "mark": scenario.map.marked}
    return Names(
        units=changed.units,
        forces=forces,
        last=scenario.ends_after,
        by_kind=by_kind,
        rulings=list(book.rulings),
    )


def repeated_words(key: str, words: Iterable[str]) -> Iterator[Problem]:
    """Each word that stands there more than once."""
    for word, times in Counter(words).items():
        if times > 1:
            yield Problem(key, f"{word!r} stands there twice; each may stand there once.")


# ------------------------------------------------------------------ what may be wrong


def problems(
    scenario: Scenario, catalog: Catalog, book: PlasticRulingBook, file: str
) -> Iterator[Problem]:
    """All that is wrong with a file whose form is right."""
    names = names_of(scenario, catalog, book)
    # A part comes before what it holds, so whoever looks for its holders finds them here.
    structs: dict[str, Any] = {}
    for key, part, refers_to in parts(scenario, Scenario):
        if refers_to:
            yield from _reference_problems(key, part, refers_to, _holders(key, structs), names)
            continue
        structs[key] = part
        yield from _part_problems(key, part, names)
        if isinstance(part, Swap | ClockChange):
            yield from _answer_problems(key, part, scenario, book)
    yield from _head_problems(scenario, file)
    yield from _variant_problems(scenario.variants, catalog)
    if len(scenario.sides) != 2:
        yield Problem("side", f"a scenario has two sides; {len(scenario.sides)} stand there.")
    yield from repeated_words("footnote", names.by_kind["footnote"])
    if scenario.map is not None:
        yield from _map_problems(scenario.map, scenario)


def _reference_problems(
    key: str, name: Any, refers_to: str, holders: Sequence[Any], names: Names
) -> Iterator[Problem]:
    """A name, or a number of a turn, in a field that refers to something; ``holders`` are the parts
    around it, the nearest first."""
    if not name:
        # Nothing is referred to, or it is before play.
        return
    if refers_to == "turn":
        yield from _turn_problems(key, name, names)
    elif refers_to == "contingent":
        yield from _contingent_problems(key, name, holders[0].side, names)
    elif refers_to in names.by_kind:
        if name not in names.by_kind[refers_to]:
            yield _unknown(key, name, refers_to, names)
        elif refers_to in ("own unit", "enemy unit"):
            is_enemy = refers_to == "enemy unit"
            yield from names.unit_problems(key, name, _owner_of(holders), enemy=is_enemy)


def _turn_problems(key: str, turn: int, names: Names) -> Iterator[Problem]:
    """A turn after the last one."""
    if names.last and turn > names.last.turn:
        message = f"turn {turn} is never played; the last is {names.last.turn} (ends_after)."
        yield Problem(key, message, measured_by="ends_after")


def _contingent_problems(key: str, contingent: str, side: str, names: Names) -> Iterator[Problem]:
    """A contingent that the side does not have."""
    if side not in names.forces:
        # The wrong side is a problem of its own.
        return
    contingents = names.forces[side]
    if contingent not in contingents:
        hint = suggest(contingent, contingents)
        yield Problem(key, f"no contingent {contingent!r} on the {side} side; {hint}")


_WHERE = {
    "side": " in this scenario",
    "nation": " (a side's id is its nation)",
    "zone": " on the map",
    "mark": " on the map",
}
"""Behind the name of a thing that there is not: where it was looked for."""


def _unknown(key: str, name: str, refers_to: str, names: Names) -> Problem:
    """A name of something that there is not, with those that it may have meant."""
    hint = suggest(name, names.by_kind[refers_to])
    if refers_to == "ruling":
        # A list of all numbers would help nobody.
        hint = f"they run from P1 to {names.rulings[-1]}."
    # An "own unit" and a "guy or unit" are called a unit.
    noun = refers_to.rsplit(maxsplit=1)[-1]
    return Problem(key, f"no {noun} {name!r}{_WHERE.get(refers_to, '')}; {hint}")


def _part_problems(key: str, part: msgspec.Struct, names: Names) -> Iterator[Problem]:
    """What is wrong with one part by itself, and in its lists."""
    for field in fields(type(part)):
        value = getattr(part, field.name)
        if isinstance(value, tuple):
            where = field.encode_name
            if key:
                where = f"{key}.{field.encode_name}"
            yield from repeated_words(where, _ids_in(value))
    if isinstance(part, ScenarioSide):
        yield from _repeated_letters(key, part, names)
    # Under another answer to a ruling the end itself is another, so it may come after the end.
    if isinstance(part, Moment) and not key.startswith("clock"):
        yield from names.moment_problems(key, part)
    # Some parts know themselves what their types cannot say.
    problems_of_part = getattr(part, "problems", None)
    if problems_of_part:
        yield from problems_of_part(key)


def _ids_in(values: tuple[Any, ...]) -> list[str]:
    """Texts, and the ids of what has one."""
    ids = []
    for value in values:
        if isinstance(value, str):
            ids.append(value)
        elif getattr(value, "id", None):
            ids.append(value.id)
    return [id for id in ids if id]


def _holders(key: str, structs: Mapping[str, Any]) -> list[Any]:
    """The part with this key and its ancestors, the nearest first."""
    holders = []
    while "." in key:
        key = key.rpartition(".")[0]
        if key in structs:
            holders.append(structs[key])
    return holders


def _repeated_letters(key: str, side: ScenarioSide, names: Names) -> Iterator[Problem]:
    """Players name a row by the letter of its unit."""
    if side.id not in names.forces:
        return
    unit_by_letter: dict[str, str] = {}
    for unit in names.strength(side.id):
        if unit not in names.units:
            continue
        letter = names.units[unit].letter
        first = unit_by_letter.setdefault(letter, unit)
        if first != unit:
            yield Problem(
                key,
                f"{unit} and {first} share the letter {letter!r}; "
                "give the variant among them a letter of its own.",
            )


def _head_problems(scenario: Scenario, file: str) -> Iterator[Problem]:
    """The name of the file, and the date."""
    wanted = f"{file_name(scenario.number, scenario.id)}.toml"
    if file.replace("\\", "/").rsplit("/", maxsplit=1)[-1] != wanted:
        message = f"number and id belong to a file called {wanted}; rename it or change them."
        yield Problem("number", message)
    if not _is_date(scenario.date):
        message = f'{scenario.date!r} is no date; write "1944-06-06", or "1939-09" for a month.'
        yield Problem("date", message)


def _is_date(text: str) -> bool:
    """``1944-06-06``, ``1939-09``; Python reads other spellings too, which nothing here expects."""
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}(-[0-9]{2})?", text):
        return False
    try:
        date.fromisoformat(f"{text}-01"[:10])
    except ValueError:
        return False
    return True


def _variant_problems(variants: Sequence[UnitVariant], catalog: Catalog) -> Iterator[Problem]:
    """Units of the scenario's own whose base or weapons are not in the catalog, or whose id is
    another's."""
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
        carried = catalog.units[variant.of].weapons
        if variant.weapons is not None:
            carried = variant.weapons
        for weapon in variant.ranges:
            if weapon not in carried:
                hint = suggest(weapon, carried)
                yield Problem(f"{key}.ranges.{weapon}", f"it carries no {weapon!r}; {hint}")


def _answer_problems(
    key: str, change: Swap | ClockChange, scenario: Scenario, book: PlasticRulingBook
) -> Iterator[Problem]:
    """The ruling and the answer under which the scenario changes."""
    if isinstance(change, ClockChange) and scenario.ends_after is None:
        yield Problem(key, "changes a clock that is not there; give ends_after first.")
    ruling = book.rulings.get(change.ruling)
    if ruling is None:
        # That there is none is reported with the reference.
        return
    if ruling.id not in scenario.rulings:
        message = f"{ruling.id} is not among the scenario's rulings; add it to that list."
        yield Problem(f"{key}.ruling", message)
    if change.answer not in ruling.answers:
        hint = suggest(change.answer, ruling.answers)
        yield Problem(f"{key}.answer", f"no answer {change.answer!r}; {hint}")
    elif change.answer == ruling.default:
        message = f"{change.answer} is what holds anyway; name another answer of {ruling.id}."
        yield Problem(f"{key}.answer", message)


# ------------------------------------------------------------------ the map


QUARTER = 0.25
"""Inches: the rules give distances in whole quarters."""
CLOSE = 0.01
"""Inches, or quarters, that a number typed by hand may be off."""
LEFT_OUT = "name it in an entry or leave it out."
"""The end of the sentence on a letter or a mark of the map that nothing uses."""


def _map_problems(field: Battlefield, scenario: Scenario) -> Iterator[Problem]:
    """What is drawn off the table or cannot be measured, and letters that mean nothing."""
    across, upward = scenario.table.width_in, scenario.table.depth_in
    for key, (x, y) in field.points():
        if not (-CLOSE <= x <= across + CLOSE and -CLOSE <= y <= upward + CLOSE):
            yield Problem(key, f"{x:g}, {y:g} lies off the table of {across:g} by {upward:g} in.")
    for name in ("areas", "lines", "arrows"):
        for index, part in enumerate(getattr(field, name)):
            # In the file the lists are called ``area``, ``line``, ``arrow``.
            key = f"map.{name[:-1]}[{index}].curve"
            yield from _curve_problems(key, part.curve, len(part.points))
    for index, measured in enumerate(field.dimensions):
        inches = math.dist(measured.start, measured.end)
        quarters = inches / QUARTER
        if abs(quarters - round(quarters)) > CLOSE or inches < QUARTER:
            yield Problem(
                f"map.dimension[{index}]",
                f"is {inches:.2f} in long; the rules give distances in quarters of an inch.",
            )
    yield from _repeated_numbers(field)
    yield from _untagged_zones(field)
    yield from _unused_letters(field, scenario)


def _curve_problems(key: str, curve: Curve, points: int) -> Iterator[Problem]:
    """A curve from one point of a line to a later one."""
    if isinstance(curve, tuple) and not 0 <= curve[0] < curve[1] < points:
        yield Problem(key, f"is {list(curve)}; it names two of the points 0 to {points - 1}.")


def _repeated_numbers(field: Battlefield) -> Iterator[Problem]:
    """Players name a building by its number; 0 is none."""
    taken = set()
    for index, building in enumerate(field.buildings):
        number = building.number
        if number and number in taken:
            message = f"there is a building {number} already; give each its own number."
            yield Problem(f"map.building[{index}].number", message)
        taken.add(number)


def _untagged_zones(field: Battlefield) -> Iterator[Problem]:
    """Parts of zones without the place of their letter."""
    for index, zone in enumerate(field.zones):
        if zone.tag is None:
            message = f"this part of zone {zone.letter} has no tag; each part bears its letter."
            yield Problem(f"map.zone[{index}].tag", message)


def _unused_letters(field: Battlefield, scenario: Scenario) -> Iterator[Problem]:
    """A letter on the map that no contingent uses is an error: it only confuses people."""
    zones, marks = _letters_used(scenario)
    for index, zone in enumerate(field.zones):
        if zone.letter not in zones:
            message = f"no contingent sets up in {zone.letter}; {LEFT_OUT}"
            yield Problem(f"map.zone[{index}].letter", message)
    for index, mark in enumerate(field.marks):
        if mark.mark and mark.mark not in marks:
            message = f"no contingent stands on {mark.mark}; {LEFT_OUT}"
            yield Problem(f"map.mark[{index}].mark", message)


class _LettersUsed(NamedTuple):
    """The letters of zones and of marks that something refers to."""

    zones: set[str]
    marks: set[str]


def _letters_used(scenario: Scenario) -> _LettersUsed:
    """By entries, the way out of the victory terms, draw tables, charges."""
    zones: set[str] = set()
    marks: set[str] = set()
    for side in scenario.sides:
        for contingent in side.contingents:
            if isinstance(contingent.entry, ZoneEntry):
                zones.add(contingent.entry.zone)
            elif isinstance(contingent.entry, MarksEntry):
                marks.update(contingent.entry.marks)
    if isinstance(scenario.victory, ExitTable) and scenario.victory.zone:
        zones.add(scenario.victory.zone)
    if isinstance(scenario.victory, Clear) and scenario.victory.mark:
        marks.add(scenario.victory.mark)
    for happening in scenario.happenings:
        if isinstance(happening, DrawTable):
            marks.update(row.entry for row in happening.rows if row.entry)
        if isinstance(happening, Charges) and happening.mark:
            marks.add(happening.mark)
    return _LettersUsed(zones, marks)
