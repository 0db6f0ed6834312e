"""The firing table: ``A-5`` ace to five kills; ``*`` only in contact; ``+`` a kill gives another
shot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
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
        return [
            Gun(
                self._entry(holders[0], weapon),
                ", ".join(unit.short for unit in holders),
                "; ".join(self._also(weapon, holders)),
            )
            for weapon, holders in fired_by(units, self.catalog, self.rulings)
        ]

    def _entry(self, unit: UnitType, weapon: Weapon) -> FiringEntry:
        kinds: tuple[Kind, ...] = ("guy", "armored", "unarmored")
        needs = (self._against(unit, weapon, kind) for kind in kinds)
        return FiringEntry(weapon.name, _reach(weapon), *needs)

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
        return run(self._aim(unit, weapon, target, _OPEN).needs) + _signs(kill)

    def _also(self, weapon: Weapon, holders: list[UnitType]) -> Iterable[str]:
        unit = holders[0]
        for tag in weapon.special:
            yield f"{run(self._tagged(unit, weapon, tag, _OPEN))} at {plural(in_words(tag))}"
        rear = {tag: self._tagged(unit, weapon, tag, _BEHIND) for tag in weapon.rear}
        behind = [
            f"{run(needs)} at {plural(in_words(tag))}"
            for tag, needs in rear.items()
            if needs != self._tagged(unit, weapon, tag, _OPEN)
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

    def _aim(self, unit: UnitType, weapon: Weapon, target: UnitType, at: Circumstances) -> Aim:
        shot = Shot(shooter=unit, weapon=weapon, target=target, at=at, nation=self.nation)
        return aim(shot, self.catalog, self.rulings)

    def _tagged(self, unit: UnitType, weapon: Weapon, tag: str, at: Circumstances) -> int:
        target = next(other for other in self.catalog.units.values() if tag in other.tags)
        return self._aim(unit, weapon, target, at).needs


def fired_by(
    units: Iterable[UnitType], catalog: Catalog, rulings: Mapping[str, str]
) -> list[tuple[Weapon, list[UnitType]]]:
    """Weapons in the order of the rules, each with the given units that have it."""
    armed = [(unit, catalog.weapons_of(unit, rulings)) for unit in dict.fromkeys(units)]
    held = (
        (gun, [unit for unit, arms in armed if gun in arms]) for gun in catalog.weapons.values()
    )
    return [(gun, holders) for gun, holders in held if holders]


def short(weapon: Weapon) -> str:
    """``24" 8+/4*/3``: range, then the highest rank that kills guys, armored, unarmored models."""
    kills = (weapon.guys, weapon.armored, weapon.unarmored)
    numbers = (f"{kill.needs}{_signs(kill)}" if kill else NONE for kill in kills)
    return f'{reaches([weapon])}" {"/".join(numbers)}'


def reaches(weapons: Iterable[Weapon]) -> str:
    found = ((gun.range, gun.guys and gun.guys.range) for gun in weapons)
    return "/".join(map(str, filter(None, dict.fromkeys(chain(*found))))) or NONE


def _signs(kill: Kill) -> str:
    return ("*" if kill.touch else "") + ("+" if kill.repeat else "")


def _reach(weapon: Weapon) -> str:
    kills = [kill for kill in (weapon.guys, weapon.unarmored, weapon.armored) if kill]
    if weapon.guys and weapon.guys.range and len(kills) > 1:
        return f"{inches(weapon.range)}, guys {inches(weapon.guys.range)}"
    return inches(weapon.range)


def in_words(tag: str) -> str:
    return tag.replace("_", " ").title()
