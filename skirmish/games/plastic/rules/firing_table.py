"""The firing table: ``A-5`` ace to five kills; ``*`` only in contact; ``+`` a kill gives another
shot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from skirmish.games.plastic.rules.catalog import (
    Catalog,
    Kill,
    Kind,
    Nation,
    UnitType,
    Weapon,
    plural,
)
from skirmish.games.plastic.rules.shot import Aim, Circumstances, Shot, aim, run
from skirmish.tabletop.measure import inches

NONE = "–"
_OPEN = Circumstances(distance=1)
_BEHIND = Circumstances(distance=1, rear=True)
_CONTACT = Circumstances(touching=True, phase=4)


class FiringEntry(NamedTuple):
    weapon: str
    reach: str
    guys: str
    armored: str
    unarmored: str


class Gun(NamedTuple):
    entry: FiringEntry
    fired_by: str
    also: str


class Firing(NamedTuple):
    catalog: Catalog
    rulings: Mapping[str, str]
    nation: Nation | None

    def entries(self, unit: UnitType) -> list[FiringEntry]:
        arms = self.catalog.weapons_of(unit, self.rulings)
        found = []
        for weapon in {weapon.id: weapon for weapon in arms}.values():
            entry = self._entry(unit, weapon)
            times = arms.count(weapon)
            found.append(entry._replace(weapon=f"{times} × {weapon.name}") if times > 1 else entry)
        return found

    def table(self, units: Iterable[UnitType]) -> list[Gun]:
        holders: dict[str, list[UnitType]] = {}
        for unit in units:
            for name in {weapon.id for weapon in self.catalog.weapons_of(unit, self.rulings)}:
                holders.setdefault(name, []).append(unit)
        return [
            Gun(
                self._entry(holders[name][0], weapon),
                ", ".join(unit.short for unit in holders[name]),
                "; ".join(self._also(weapon, holders[name])),
            )
            for name, weapon in self.catalog.weapons.items()
            if name in holders
        ]

    def _entry(self, unit: UnitType, weapon: Weapon) -> FiringEntry:
        return FiringEntry(
            weapon.name,
            _reach(weapon),
            self._against(unit, weapon, "guy"),
            self._against(unit, weapon, "armored"),
            self._against(unit, weapon, "unarmored"),
        )

    def _against(self, unit: UnitType, weapon: Weapon, kind: Kind) -> str:
        kill = weapon.against(kind)
        if kill is None:
            return NONE
        special = {*weapon.special, *weapon.rear}
        target = next(
            other
            for other in self.catalog.units.values()
            if other.kind == kind and not special & set(other.tags)
        )
        return run(self._needs(unit, weapon, target, _OPEN)) + _signs(kill)

    def _also(self, weapon: Weapon, holders: list[UnitType]) -> Iterable[str]:
        unit = holders[0]
        for tag in weapon.special:
            needs = self._needs(unit, weapon, self._tagged(tag), _OPEN)
            yield f"{run(needs)} at {plural(_title(tag))}"
        behind = [
            f"{run(rear)} at {plural(_title(tag))}"
            for tag in weapon.rear
            if (rear := self._needs(unit, weapon, self._tagged(tag), _BEHIND))
            != self._needs(unit, weapon, self._tagged(tag), _OPEN)
        ]
        if behind:
            yield f"from behind {', '.join(behind)}"
        if weapon.guys:
            yield from self._in_contact(weapon, holders)
        if weapon.guys and weapon.guys.repeat and weapon.repeat_from == "last":
            yield "next man counted from the last"
        if weapon.guys and weapon.guys.exact:
            yield "kills the man named"
        if weapon.pins:
            yield "pins"

    def _in_contact(self, weapon: Weapon, holders: list[UnitType]) -> Iterable[str]:
        guy = next(unit for unit in self.catalog.units.values() if unit.is_guy)
        groups: dict[tuple[int, bool], list[str]] = {}
        aims = [self._aim(unit, weapon, guy, _OPEN) for unit in holders]
        usual = {(aimed.needs, aimed.repeat is not None) for aimed in aims}
        for unit in holders:
            aimed = self._aim(unit, weapon, guy, _CONTACT)
            groups.setdefault((aimed.needs, aimed.repeat is not None), []).append(unit.short)
        for (needs, repeats), shorts in groups.items():
            if {(needs, repeats)} != usual:
                who = f" ({', '.join(shorts)})" if len(groups) > 1 else ""
                once = "" if repeats == any(again for _, again in usual) else ", once"
                yield f"in contact {run(needs)} at guys{once}{who}"

    def _needs(self, unit: UnitType, weapon: Weapon, target: UnitType, at: Circumstances) -> int:
        return self._aim(unit, weapon, target, at).needs

    def _aim(self, unit: UnitType, weapon: Weapon, target: UnitType, at: Circumstances) -> Aim:
        shot = Shot(shooter=unit, weapon=weapon, target=target, at=at, nation=self.nation)
        return aim(shot, self.catalog, self.rulings)

    def _tagged(self, tag: str) -> UnitType:
        return next(unit for unit in self.catalog.units.values() if tag in unit.tags)


def short(weapon: Weapon) -> str:
    """``24" 8+/4*/3``: range, then the highest rank that kills guys, armored, unarmored models."""
    kills = (weapon.guys, weapon.armored, weapon.unarmored)
    numbers = (f"{kill.needs}{_signs(kill)}" if kill else NONE for kill in kills)
    return f'{reaches([weapon])}" {"/".join(numbers)}'


def reaches(weapons: Iterable[Weapon]) -> str:
    found: dict[int, None] = {}
    for weapon in weapons:
        found[weapon.range] = None
        if weapon.guys and weapon.guys.range:
            found[weapon.guys.range] = None
    return "/".join(map(str, found)) or NONE


def _signs(kill: Kill) -> str:
    return ("*" if kill.touch else "") + ("+" if kill.repeat else "")


def _reach(weapon: Weapon) -> str:
    kills = [kill for kill in (weapon.guys, weapon.unarmored, weapon.armored) if kill]
    if weapon.guys and weapon.guys.range and len(kills) > 1:
        return f"{inches(weapon.range)}, guys {inches(weapon.guys.range)}"
    return inches(weapon.range)


def _title(tag: str) -> str:
    return tag.replace("_", " ").title()
