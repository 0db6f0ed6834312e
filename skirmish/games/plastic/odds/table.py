"""The odds table: every weapon against every kind of target, in the open and in cover.

Nothing in it is listed by hand. Weapons are those that some unit fires; targets that no weapon
tells apart share a column, and one that is hit otherwise from behind has two. Every number comes
from ``one_shot``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from fractions import Fraction
from typing import TypeAlias

import msgspec

from skirmish.games.plastic.odds.pack import Pack
from skirmish.games.plastic.odds.single import ShotOdds, one_shot
from skirmish.games.plastic.rules.catalog import Catalog, UnitType, Weapon
from skirmish.games.plastic.rules.shot import (
    Aim,
    Circumstances,
    Save,
    Shot,
    aim,
    why_not,
)
from skirmish.tabletop.refusal import Refusal

_KINDS = {"guy": "Guys", "unarmored": "Unarmored", "armored": "Armored"}
_Look: TypeAlias = "tuple[object, ...]"


class Line(msgspec.Struct, frozen=True):
    """A weapon, and the units that fire it: for the table they are all alike."""

    weapon: Weapon
    fired_by: tuple[UnitType, ...]


class Column(msgspec.Struct, frozen=True):
    """Targets that no weapon tells apart, seen from in front or from ``behind``."""

    name: str
    targets: tuple[UnitType, ...]
    behind: bool = False


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """A weapon at a target: its odds, or why it may not be fired there (then all else is empty).

    ``near`` is the chance that the very man aimed at dies from as far as that is certain; the odds
    hold the chance of it from further away. ``repeat``: a kill gives another shot.
    """

    refusal: Refusal | None = None
    needs: int | None = None
    odds: ShotOdds | None = None
    near: Fraction | None = None
    saves: tuple[Save, ...] = ()
    repeat: bool = False


class OddsTable(msgspec.Struct, frozen=True, kw_only=True):
    """All of it, out of one ``pack``. ``distance`` (inches) is that of every shot: too far to
    choose the very man; ``near`` is the one at which he dies."""

    pack: Pack
    distance: int
    near: int
    lines: tuple[Line, ...]
    columns: tuple[Column, ...]
    open: tuple[tuple[Cell, ...], ...]
    cover: tuple[tuple[Cell, ...], ...]

    def cells(self, cover: bool) -> tuple[tuple[Cell, ...], ...]:
        """Line by line, a cell for each column."""
        return self.cover if cover else self.open

    def shots(self) -> Iterator[tuple[Line, Column, bool, Cell]]:
        """Every cell with its line, its column, and whether the target is in cover."""
        for cover in (False, True):
            for line, cells in zip(self.lines, self.cells(cover), strict=True):
                for column, cell in zip(self.columns, cells, strict=True):
                    yield line, column, cover, cell


def odds_table(
    catalog: Catalog,
    rulings: Mapping[str, str],
    pack: Pack,
    shooters: Iterable[UnitType] | None = None,
    targets: Iterable[UnitType] | None = None,
) -> OddsTable:
    """The table for these shooters and targets (all units there are, if none are given), fired in
    phases 1 and 2. ``rulings`` answers all of them. A sniper is shot at like any man by himself,
    and has no column of his own."""
    every = tuple(catalog.units.values())
    terms = _Terms(catalog, rulings, pack)
    aimed_at = every if targets is None else tuple(targets)
    aimed_at = tuple(unit for unit in aimed_at if "sniper" not in unit.tags) or aimed_at
    lines = terms.lines(every if shooters is None else tuple(shooters), every)
    columns = terms.columns(lines, {unit.id for unit in aimed_at})
    return OddsTable(
        pack=pack,
        distance=terms.distance,
        near=terms.near,
        lines=lines,
        columns=columns,
        open=tuple(tuple(terms.cell(line, one, False) for one in columns) for line in lines),
        cover=tuple(tuple(terms.cell(line, one, True) for one in columns) for line in lines),
    )


class _Terms:
    """What a table is made of."""

    def __init__(self, catalog: Catalog, rulings: Mapping[str, str], pack: Pack) -> None:
        self.catalog, self.rulings, self.pack = catalog, rulings, pack
        self.near = catalog.fire.exact_within
        self.distance = self.near + 1

    def lines(
        self, shooters: tuple[UnitType, ...], targets: tuple[UnitType, ...]
    ) -> tuple[Line, ...]:
        """Weapons in the order of the rules; two of one name that kill alike are one, as those of
        which a scenario changes the range alone."""
        held: dict[str, dict[str, UnitType]] = {}
        for unit in shooters:
            for weapon in self.catalog.weapons_of(unit, self.rulings):
                held.setdefault(weapon.id, {})[unit.id] = unit
        found: dict[_Look, Line] = {}
        for name, weapon in self.catalog.weapons.items():
            if name not in held:
                continue
            units = tuple(held[name].values())
            looks = (self._look(units[0], weapon, one, False) for one in targets)
            key = (weapon.name, *looks)
            before = found.get(key)
            more = tuple(u for u in units if before is None or u not in before.fired_by)
            found[key] = Line(weapon, (before.fired_by if before else ()) + more)
        return tuple(found.values())

    def columns(self, lines: tuple[Line, ...], wanted: Set[str]) -> tuple[Column, ...]:
        """Targets that look alike to every weapon, guys first, each from in front and, where that
        is something else, from behind; those of which a unit is ``wanted`` (ids)."""
        targets = self.catalog.units.values()
        groups: dict[_Look, list[UnitType]] = {}
        for kind in _KINDS:
            for target in targets:
                if target.kind == kind:
                    both = [self._looks(lines, target, rear) for rear in (False, True)]
                    groups.setdefault(tuple(both), []).append(target)
        named: dict[str, None] = {}
        found = []
        for (front, rear), group in groups.items():
            there = tuple(unit for unit in group if unit.id in wanted)
            if not there:
                continue
            name = self._name(there, wanted, named)
            named[name] = None
            found.append(Column(name, there))
            if front != rear:
                found.append(Column(name, there, behind=True))
        return tuple(found)

    def cell(self, line: Line, column: Column, cover: bool) -> Cell:
        """One shot of a line at a column."""
        shooter, target = line.fired_by[0], column.targets[0]
        shot = self._shot(shooter, line.weapon, target, cover, column.behind)
        if refusal := why_not(shot, self.catalog, self.rulings):
            return Cell(refusal=refusal)
        aimed = aim(shot, self.catalog, self.rulings)
        nearer = msgspec.structs.replace(shot.at, distance=self.near)
        close = aim(msgspec.structs.replace(shot, at=nearer), self.catalog, self.rulings)
        return Cell(
            needs=aimed.needs,
            odds=one_shot(aimed, self.pack),
            near=one_shot(close, self.pack).exact,
            saves=aimed.saves,
            repeat=aimed.repeat is not None,
        )

    def _looks(self, lines: tuple[Line, ...], target: UnitType, rear: bool) -> _Look:
        return tuple(self._look(line.fired_by[0], line.weapon, target, rear) for line in lines)

    def _look(self, unit: UnitType, weapon: Weapon, target: UnitType, rear: bool) -> _Look:
        """What a target is to a weapon, in cover: with the same look the odds are the same."""
        shot = self._shot(unit, weapon, target, True, rear)
        if refusal := why_not(shot, self.catalog, self.rulings):
            return (refusal.code,)
        return _told(aim(shot, self.catalog, self.rulings))

    def _shot(
        self, unit: UnitType, weapon: Weapon, target: UnitType, cover: bool, rear: bool
    ) -> Shot:
        at = Circumstances(distance=self.distance, cover=cover, rear=rear)
        return Shot(shooter=unit, weapon=weapon, target=target, at=at)

    def _name(self, group: Sequence[UnitType], wanted: Set[str], taken: Collection[str]) -> str:
        """What a column is called, so that it fits all of its units and no other that is shown: by
        its only unit; by a tag that its units alone have (``Pillbox``), or its first one where a
        weapon asks for it (``Tank``); by its kind; else by the names of its units."""
        if len(group) == 1:
            return group[0].short
        others = {
            tag
            for unit in self.catalog.units.values()
            if unit.id in wanted and unit not in group
            for tag in unit.tags
        }
        own = [tag for tag in group[0].tags if tag not in others]
        asked = {tag for gun in self.catalog.weapons.values() for tag in (*gun.special, *gun.rear)}
        for tag in own if not group[0].is_guy else ():
            if tag in asked or all(tag in unit.tags for unit in group):
                return tag.replace("_", " ").title()
        kind = _KINDS[group[0].kind]
        return ", ".join(unit.short for unit in group) if kind in taken else kind


def _told(aimed: Aim) -> _Look:
    return (aimed.needs, aimed.saves, aimed.at_guy, aimed.exact, aimed.repeat)
