"""Reads armies from their files, and names all that is wrong with them. Purchase limits are no
matter of reading: an army that breaks some can be read."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

import msgspec

from skirmish.games.plastic.rules.army import Army, ArmyGroup, ArmyList, muster
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.tabletop.data_file import Problem, parts, read, suggest


def read_army(raw: Mapping[str, Any], catalog: Catalog, book: PlasticRulingBook, file: str) -> Army:
    """The army of a file, from its ``raw`` table. Raises DataError with all that is wrong."""

    def problems(army_list: ArmyList) -> Iterator[Problem]:
        return _problems(army_list, catalog, book)

    return muster(read(raw, ArmyList, file, problems), catalog, book)


class FirstEvening(msgspec.Struct, frozen=True):
    """The small battle of newcomers: the army of both sides, and its last turn."""

    army: Army
    last_turn: int


def read_first_evening(
    raw: Mapping[str, Any], catalog: Catalog, book: PlasticRulingBook, file: str
) -> FirstEvening:
    """``data/plastic/first_evening.toml``, a file of the program: the fields of an army, and beside
    them ``last_turn``. Raises DataError for an army that cannot be read."""
    last_turn = int(raw["last_turn"])
    raw_army = {name: value for name, value in raw.items() if name != "last_turn"}
    return FirstEvening(read_army(raw_army, catalog, book, file), last_turn)


def _problems(army_list: ArmyList, catalog: Catalog, book: PlasticRulingBook) -> Iterator[Problem]:
    """All that is wrong with an army list whose form is right."""
    names_of: dict[str, Collection[str]] = {
        "unit": catalog.units,
        "work": catalog.works,
        "nation": catalog.nations,
        "force quality": catalog.qualities,
        "limit": [limit.id for limit in catalog.limits],
    }
    # A part is the list itself, or a group, or the id of what it ``refers_to``.
    for key, part, refers_to in parts(army_list, ArmyList):
        if not refers_to:
            yield from _blank_name(key, part)
        elif part not in names_of[refers_to]:
            yield _unknown(key, part, refers_to, names_of[refers_to], catalog)
    yield from _overfull_groups(army_list)
    yield from book.problems(army_list.rulings)


def _blank_name(key: str, part: ArmyList | ArmyGroup) -> Iterator[Problem]:
    """The problem that an army, or the group of it at ``key``, has a name of nothing but spaces."""
    if part.name.strip():
        return
    if key:
        yield Problem(f"{key}.name", "is blank; give the group a name.")
    else:
        yield Problem("name", "is blank; give the army a name.")


def _unknown(
    key: str, name: str, refers_to: str, names: Collection[str], catalog: Catalog
) -> Problem:
    """The problem with an id that is none of ``names``, the units or the works (``refers_to``): if
    it is one of the other pieces, it belongs elsewhere in the file."""
    if name in catalog.pieces and refers_to == "unit":
        return Problem(key, "belongs under [works].")
    if name in catalog.pieces and refers_to == "work":
        return Problem(key, "belongs under [units].")
    return Problem(key, f"no {refers_to} {name!r}; {suggest(name, names)}")


def _overfull_groups(army_list: ArmyList) -> Iterator[Problem]:
    """Groups divide what was bought: they cannot hold more. A problem for each unit where they
    do."""
    units: dict[str, None] = {}  # a set that keeps the order
    for group in army_list.groups:
        units |= dict.fromkeys(group.units)
    for unit in units:
        bought, in_groups = army_list.units.get(unit, 0), army_list.grouped(unit)
        if in_groups > bought:
            message = f"the groups hold {in_groups} {unit}, and under [units] there are {bought}."
            yield Problem("group", message)
