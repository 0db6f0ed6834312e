"""All that may be wrong with a scenario whose form is right, beside its map."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

import msgspec

from skirmish.games.plastic.rules.catalog import Catalog, UnitVariant
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.games.plastic.scenarios.map_problems import map_problems
from skirmish.games.plastic.scenarios.names import Names, names_of, owner_of, repeated_words
from skirmish.games.plastic.scenarios.order_of_battle import ScenarioSide
from skirmish.games.plastic.scenarios.own import file_name
from skirmish.games.plastic.scenarios.scenario import ClockChange, Scenario, Swap
from skirmish.games.plastic.scenarios.scenario_part import Moment
from skirmish.tabletop.data_file import Problem, fields, parts, suggest


def scenario_problems(
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
        yield from map_problems(scenario.map, scenario)


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
            yield from names.unit_problems(key, name, owner_of(holders), enemy=is_enemy)


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
