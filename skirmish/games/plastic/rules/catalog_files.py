"""Reads the catalog from the files of ``data/plastic``, and names all that is wrong with them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Literal, TypeVar

import msgspec

from skirmish.games.plastic.rules.catalog import (
    BasicGame,
    Catalog,
    Condition,
    Entrenching,
    FireNumbers,
    InsteadWeapons,
    Limit,
    Nation,
    Pinning,
    Quality,
    Strength,
    UnitType,
    Weapon,
    Work,
)
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.tabletop.data_file import DataError, Problem, parts, read, suggest

Entry = TypeVar("Entry", bound=msgspec.Struct)

FILES = ("units", "nations", "qualities", "limits")
"""The names of the files, without the folder and ``.toml``."""


class UnitsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``units.toml``: all that fights, and what it fights with."""

    format: Literal[1]
    fire: FireNumbers
    weapons: dict[str, Weapon]
    units: dict[str, UnitType]
    works: dict[str, Work]


class NationsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``nations.toml``: what each nation changes when nationalities are played."""

    format: Literal[1]
    nations: dict[str, Nation]


class QualitiesFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``qualities.toml``: force quality, and the draws other than shots."""

    format: Literal[1]
    qualities: dict[str, Quality]
    pin: Pinning
    entrench: Entrenching


class LimitsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``limits.toml``: what armies may hold, and when they are beaten."""

    format: Literal[1]
    basic_game: BasicGame
    strength: Strength
    # In the file each limit is a table of its own, ``[[limit]]``.
    limits: tuple[Limit, ...] = msgspec.field(name="limit")


def read_catalog(raw: Mapping[str, Mapping[str, Any]], book: PlasticRulingBook) -> Catalog:
    """The catalog of the four files, which are ``raw`` by their names; raises DataError."""
    units_file = read(raw["units"], UnitsFile, "plastic/units.toml")
    nations_file = read(raw["nations"], NationsFile, "plastic/nations.toml")
    qualities_file = read(raw["qualities"], QualitiesFile, "plastic/qualities.toml")
    limits_file = read(raw["limits"], LimitsFile, "plastic/limits.toml")
    catalog = Catalog(
        weapons=_with_ids(units_file.weapons),
        units=_with_ids(units_file.units),
        works=_with_ids(units_file.works),
        nations=_with_ids(nations_file.nations),
        qualities=_with_ids(qualities_file.qualities),
        fire=units_file.fire,
        pin=qualities_file.pin,
        entrench=qualities_file.entrench,
        basic_game=limits_file.basic_game,
        strength=limits_file.strength,
        limits=limits_file.limits,
    )
    # What a file refers to may be in another one, so they are checked after all are read.
    names_by_kind = _known_names(catalog)
    files = {
        "units": units_file,
        "nations": nations_file,
        "qualities": qualities_file,
        "limits": limits_file,
    }
    for name, file in files.items():
        problems = list(_problems(file, names_by_kind, book))
        if problems:
            raise DataError(f"plastic/{name}.toml", problems)
    return catalog


def _with_ids(entries: Mapping[str, Entry]) -> dict[str, Entry]:
    """The entries with their ids: in the files an entry's id is its key only."""
    return {id: msgspec.structs.replace(entry, id=id) for id, entry in entries.items()}


def _known_names(catalog: Catalog) -> dict[str, Collection[str]]:
    """The names that fields may refer to, by the kind of thing that the type of the field names."""
    # The targets of a weapon's special numbers are units with a tag, such as ``tiger``.
    tags: set[str] = set()
    for unit in catalog.units.values():
        tags.update(unit.tags)
    return {
        "weapon": catalog.weapons,
        "target": sorted(tags),
        "unit": catalog.units,
        "unit or work": catalog.pieces,
        "nation": catalog.nations,
        "force quality": catalog.qualities,
    }


def _problems(
    file: object, names_by_kind: Mapping[str, Collection[str]], book: PlasticRulingBook
) -> Iterator[Problem]:
    """All that is wrong with a file whose form is right."""
    # A part is a struct or a name. Of a name, ``refers_to`` is the kind of thing that it names.
    for key, part, refers_to in parts(file, type(file)):
        if refers_to:
            if part not in names_by_kind[refers_to]:
                hint = suggest(part, names_by_kind[refers_to])
                yield Problem(key, f"no {refers_to} {part!r}; {hint}")
        elif isinstance(part, InsteadWeapons | Condition):
            yield from _ruling_problems(part, book, key)
        elif isinstance(part, Limit):
            yield from part.problems(key)
    if isinstance(file, LimitsFile):
        # A repair of an army trades points of guys (``least_share``) against the budget (``of``
        # everything): it looks for the one limit of each.
        yield from _exactly_one("least_share", sum(limit.is_least for limit in file.limits))
        everything = sum(limit.of == "everything" for limit in file.limits)
        yield from _exactly_one('of = "everything"', everything)


def _exactly_one(field: str, count: int) -> Iterator[Problem]:
    """The problem that there are no or several limits with a ``field``."""
    if count != 1:
        yield Problem("limit", f"needs exactly one with {field}; has {count}.")


def _ruling_problems(
    condition: InsteadWeapons | Condition, book: PlasticRulingBook, key: str
) -> Iterator[Problem]:
    """The problem that a condition names a ruling or an answer that does not exist, which would
    silently disable a rule."""
    ruling, answer = condition.ruling, condition.answer
    if ruling is None and answer is None:
        return
    if ruling is None or answer is None:
        yield Problem(key, "needs ruling and answer together, or neither.")
    elif ruling not in book.rulings:
        last = list(book.rulings)[-1]
        yield Problem(f"{key}.ruling", f"no ruling {ruling!r}; they run from P1 to {last}.")
    elif answer not in book.rulings[ruling].answers:
        hint = suggest(answer, book.rulings[ruling].answers)
        yield Problem(f"{key}.answer", f"{ruling} has no answer {answer!r}; {hint}")
