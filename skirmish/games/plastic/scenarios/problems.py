"""All that may be wrong with a scenario whose form is right, beside its map."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from skirmish.games.plastic.rules.catalog import Catalog, UnitVariant
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.games.plastic.scenarios.map_problems import map_problems
from skirmish.games.plastic.scenarios.names import Names, names_of, owner_of, repeated_words
from skirmish.games.plastic.scenarios.order_of_battle import ScenarioSide
from skirmish.games.plastic.scenarios.own import file_name
from skirmish.games.plastic.scenarios.scenario import ClockChange, Scenario, Swap, date_of
from skirmish.games.plastic.scenarios.scenario_part import Moment
from skirmish.tabletop.data_file import Problem, fields, parts, suggest


def scenario_problems(
    scenario: Scenario, catalog: Catalog, book: PlasticRulingBook, file: str
) -> Iterator[Problem]:
    """All that is wrong with a scenario whose form is right. ``file`` is the path of its file."""
    names = names_of(scenario, catalog, book)
    # A part comes before what it holds, so that the parts around a field are all here by then.
    parts_by_key: dict[str, Any] = {}
    for key, part, refers_to in parts(scenario, Scenario):
        if refers_to:
            around = _parts_around(key, parts_by_key)
            yield from _reference_problems(key, part, refers_to, around, names)
            continue
        parts_by_key[key] = part
        yield from _part_problems(key, part, names)
        if isinstance(part, Swap | ClockChange):
            yield from _answer_problems(key, part, scenario, book)
    yield from _head_problems(scenario, file)
    yield from _variant_problems(scenario.variants, catalog)
    if len(scenario.sides) != 2:
        yield Problem("side", f"a scenario has two sides; {len(scenario.sides)} stand there.")
    yield from repeated_words("footnote", names.by_kind["footnote"])
    if scenario.map is not None:
        yield from map_problems(scenario.map, scenario)


def _reference_problems(
    key: str, name: Any, refers_to: str, around: Sequence[Any], names: Names
) -> Iterator[Problem]:
    """A name in a field that refers to something, or the number of a turn, of which there is none.
    ``around`` are the parts around the field, the nearest first."""
    if not name:
        # An empty name refers to nothing, and turn 0 is before play.
        return
    if refers_to == "turn":
        yield from _turn_problems(key, name, names)
    elif refers_to == "contingent":
        yield from _contingent_problems(key, name, around[0].side, names)
    elif refers_to in names.by_kind:
        if name not in names.by_kind[refers_to]:
            yield _unknown(key, name, refers_to, names)
        elif refers_to in ("own unit", "enemy unit"):
            is_enemy = refers_to == "enemy unit"
            yield from names.unit_problems(key, name, owner_of(around), enemy=is_enemy)


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
"""Where a name of each kind was looked for, for the sentence that there is none."""


def _unknown(key: str, name: str, refers_to: str, names: Names) -> Problem:
    """A name of something that does not exist, with the names that may have been meant."""
    hint = suggest(name, names.by_kind[refers_to])
    if refers_to == "ruling":
        # The ids of rulings are numbers, among which none is similar to another.
        hint = f"they run from P1 to {names.rulings[-1]}."
    # The last word is the noun: an "own unit" and a "guy or unit" are called a unit.
    *_, noun = refers_to.split()
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
    # The moment of a ClockChange is another end of the scenario, and may come after its end.
    if isinstance(part, Moment) and not key.startswith("clock"):
        yield from names.moment_problems(key, part)
    # Classes of parts have this method where types cannot say all that has to be right.
    problems_of_part = getattr(part, "problems", None)
    if problems_of_part:
        yield from problems_of_part(key)


def _ids_in(values: tuple[Any, ...]) -> list[str]:
    """The ids in a list of ids, or of parts that have ids; empty ones are left out."""
    ids = []
    for value in values:
        id = value
        if not isinstance(value, str):
            id = getattr(value, "id", "")
        if id:
            ids.append(id)
    return ids


def _parts_around(key: str, parts_by_key: Mapping[str, Any]) -> list[Any]:
    """The parts that hold the field with this key, the nearest first."""
    around = []
    while "." in key:
        key = key.rpartition(".")[0]
        if key in parts_by_key:
            around.append(parts_by_key[key])
    return around


def _repeated_letters(key: str, side: ScenarioSide, names: Names) -> Iterator[Problem]:
    """Units of a side with the same letter: players name a row by the letter of its unit."""
    if side.id not in names.forces:
        # The wrong side is a problem of its own.
        return
    unit_by_letter: dict[str, str] = {}
    for unit in names.strength(side.id):
        if unit not in names.units:
            # The unknown unit is a problem of its own.
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
    """A file that is not called by its number and id, and a date that is none."""
    wanted = f"{file_name(scenario.number, scenario.id)}.toml"
    if file.replace("\\", "/").rsplit("/", maxsplit=1)[-1] != wanted:
        message = f"number and id belong to a file called {wanted}; rename it or change them."
        yield Problem("number", message)
    if date_of(scenario.date) is None:
        message = f'{scenario.date!r} is no date; write "1944-06-06", or "1939-09" for a month.'
        yield Problem("date", message)


def _variant_problems(variants: Sequence[UnitVariant], catalog: Catalog) -> Iterator[Problem]:
    """Variants of units that do not exist or that have no such weapons, or whose id is that of
    another unit."""
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
    """A ruling and an answer under which the scenario cannot change."""
    if isinstance(change, ClockChange) and scenario.ends_after is None:
        yield Problem(key, "changes a clock that is not there; give ends_after first.")
    ruling = book.rulings.get(change.ruling)
    if ruling is None:
        # The unknown ruling is reported with all references.
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
