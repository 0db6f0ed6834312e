"""The four files of numbers read as one catalog, every name in them held against what bears it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

import msgspec

from skirmish.games.plastic.rules.catalog import (
    Catalog,
    Condition,
    Instead,
    Nation,
    NationsFile,
    QualitiesFile,
    Quality,
    UnitsFile,
    UnitType,
    Weapon,
    Work,
)
from skirmish.games.plastic.rules.limits import Also, LimitsFile
from skirmish.games.plastic.rules.rulings import RulingBook
from skirmish.tabletop.reading import DataError, Problem, read, suggest

Named = TypeVar("Named", Weapon, UnitType, Work, Nation, Quality)


def read_catalog(
    units: Mapping[str, Any],
    nations: Mapping[str, Any],
    qualities: Mapping[str, Any],
    limits: Mapping[str, Any],
    book: RulingBook,
) -> Catalog:
    """The four files as one catalog, ``book`` being the rulings they may go by; raises DataError
    naming file, key and what would be right."""
    first = read(units, UnitsFile, "plastic/units.toml")
    second = read(nations, NationsFile, "plastic/nations.toml")
    third = read(qualities, QualitiesFile, "plastic/qualities.toml")
    fourth = read(limits, LimitsFile, "plastic/limits.toml")
    checks: tuple[tuple[str, Iterator[Problem]], ...] = (
        ("plastic/units.toml", _in_units(first, book)),
        ("plastic/nations.toml", _in_nations(second, first, book)),
        ("plastic/qualities.toml", _in_qualities(third)),
        ("plastic/limits.toml", fourth.problems({**first.units, **first.works}, second.nations)),
        ("plastic/limits.toml", _in_limits(fourth, book)),
    )
    for file, problems in checks:
        if found := list(problems):
            raise DataError(file, found)
    return Catalog(
        weapons=_named(first.weapons),
        units=_named(first.units),
        works=_named(first.works),
        nations=_named(second.nations),
        qualities=_named(third.qualities),
        fire=first.fire,
        pin=third.pin,
        entrench=third.entrench,
        basic_game=fourth.basic_game,
        strength=fourth.strength,
        limits=fourth.limit,
    )


def _named(entries: dict[str, Named]) -> dict[str, Named]:
    return {name: msgspec.structs.replace(entry, id=name) for name, entry in entries.items()}


def _in_units(file: UnitsFile, book: RulingBook) -> Iterator[Problem]:
    tags = {tag for unit in file.units.values() for tag in unit.tags}
    for name, weapon in file.weapons.items():
        at = f"weapons.{name}"
        for field in ("in_contact_as", "regular"):
            other = getattr(weapon, field)
            yield from _unknown("weapon", [other] if other else [], file.weapons, f"{at}.{field}")
        yield from _unknown("target", weapon.special, tags, f"{at}.special")
        yield from _unknown("target", weapon.rear, tags, f"{at}.rear")
    for name, unit in file.units.items():
        yield from _unknown("weapon", unit.weapons, file.weapons, f"units.{name}.weapons")
        if unit.instead:
            at = f"units.{name}.instead"
            yield from _unknown("weapon", unit.instead.weapons, file.weapons, f"{at}.weapons")
            yield from _unanswered(unit.instead, book, at)


def _in_nations(file: NationsFile, units: UnitsFile, book: RulingBook) -> Iterator[Problem]:
    for name, nation in file.nations.items():
        at = f"nations.{name}"
        for field in ("discounts", "spared"):
            for index, condition in enumerate(getattr(nation, field)):
                yield from _unknown(
                    "unit", condition.units, units.units, f"{at}.{field}[{index}].units"
                )
                yield from _unanswered(condition, book, f"{at}.{field}[{index}]")
        if nation.free:
            yield from _unknown("unit", [nation.free.unit], units.units, f"{at}.free.unit")
        yield from _unknown(
            "unit", nation.digs_as_engineers, units.units, f"{at}.digs_as_engineers"
        )


def _in_qualities(file: QualitiesFile) -> Iterator[Problem]:
    at = "pin.without_quality"
    yield from _unknown("quality", [file.pin.without_quality], file.qualities, at)


def _in_limits(file: LimitsFile, book: RulingBook) -> Iterator[Problem]:
    for index, limit in enumerate(file.limit):
        for number, also in enumerate(limit.also):
            yield from _unanswered(also, book, f"limit[{index}].also[{number}]")


def _unanswered(at: Instead | Condition | Also, book: RulingBook, key: str) -> Iterator[Problem]:
    """What is wrong with the ruling and the answer under which something holds: an answer that
    nobody can give would silently take a rule out of the game."""
    if at.ruling is None and at.answer is None:
        return
    if at.ruling is None or at.answer is None:
        yield Problem(key, "needs ruling and answer together, or neither.")
    elif at.ruling not in book.rulings:
        last = [*book.rulings][-1]
        yield Problem(f"{key}.ruling", f"no ruling {at.ruling!r}; they run from P1 to {last}.")
    elif at.answer not in book.rulings[at.ruling].answers:
        hint = suggest(at.answer, book.rulings[at.ruling].answers)
        yield Problem(f"{key}.answer", f"{at.ruling} has no answer {at.answer!r}; {hint}")


def _unknown(what: str, names: Iterable[str], known: Iterable[str], key: str) -> Iterator[Problem]:
    """A problem for each of ``names`` that is not ``known``."""
    known = sorted(known) if isinstance(known, set) else list(known)
    for name in names:
        if name not in known:
            yield Problem(key, f"no {what} {name!r}; {suggest(name, known)}")
