"""The firing table of the rules, in signs and in words. ``A-5`` means that a draw from ace to five
kills, ``*`` that it does so only in contact, ``+`` that a kill gives another shot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
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
from skirmish.games.plastic.rules.shot import Aim, Circumstances, Shot, aim, ranks_that_hit
from skirmish.tabletop.measure import inches

NONE = "–"
"""Stands for a missing number: the weapon may not fire at such a target."""
KINDS: tuple[Kind, ...] = ("guy", "armored", "unarmored")
"""The kinds of targets in the order of the table's columns."""
_KIND_WORDS: dict[Kind, str] = {"guy": "guys", "armored": "armored", "unarmored": "unarmored"}
# Every weapon reaches a target 1 in away, which is not in contact.
_OPEN = Circumstances(distance=1)
_BEHIND = Circumstances(distance=1, rear=True)
_CONTACT = Circumstances(touching=True, phase=4)


class FiringEntry(NamedTuple):
    """A line of the table in signs: ``A-5+`` against each kind of target, or ``NONE``."""

    weapon: str
    reach: str
    """``12 in``, or ``12 in, guys 24 in`` for a weapon that reaches farther at guys."""
    guys: str
    armored: str
    unarmored: str
    distances: tuple[int, ...]
    """The one or two distances of ``reach``, in inches."""

    @property
    def first_reach(self) -> str:
        """``12 in``: the first of its distances, for columns that have room for only one."""
        return inches(self.distances[0])

    @property
    def further_reach(self) -> str:
        """``guys 24 in``; empty for a weapon that reaches as far at everything."""
        if len(self.distances) == 1:
            return ""
        return f"guys {inches(self.distances[1])}"


class WeaponWords(NamedTuple):
    """A line of the table in words instead of signs."""

    weapon: str
    reach: str
    kills: tuple[str, ...]
    """``guys A-5 again after a kill``: one phrase for each kind of target that the weapon may be
    fired at."""


class _Carried(NamedTuple):
    """A weapon of a unit, and its ``name`` with how often the unit has it: ``2 × Machinegun``."""

    weapon: Weapon
    name: str


class Gun(NamedTuple):
    """A line of the table with the units that have the weapon, of whatever kind it is."""

    entry: FiringEntry
    fired_by: tuple[UnitType, ...]
    also: str
    """What else is special about the weapon, in phrases."""


class Firing(NamedTuple):
    """The table under these rulings, for one nation or none."""

    catalog: Catalog
    rulings: Mapping[str, str]
    nation: Nation | None

    def entries(self, unit: UnitType) -> list[FiringEntry]:
        """The lines of a unit's weapons: ``2 × Machinegun`` for one that fires twice."""
        entries = []
        for weapon, name in self._carried(unit):
            entries.append(self._entry(unit, weapon)._replace(weapon=name))
        return entries

    def in_words(self, unit: UnitType) -> list[WeaponWords]:
        """The same lines in words, without signs."""
        lines = []
        for weapon, name in self._carried(unit):
            kills = []
            for kind in KINDS:
                kill = weapon.against(kind)
                if kill is not None:
                    ranks = self._ranks_at(unit, weapon, kind)
                    kills.append(" ".join([_KIND_WORDS[kind], ranks, *_restrictions(kill)]))
            lines.append(WeaponWords(name, _reach(weapon), tuple(kills)))
        return lines

    def _carried(self, unit: UnitType) -> Iterator[_Carried]:
        """Each weapon of a unit once."""
        weapons = self.catalog.weapons_of(unit, self.rulings)
        weapons_by_id = {weapon.id: weapon for weapon in weapons}
        for weapon in weapons_by_id.values():
            times = weapons.count(weapon)
            name = weapon.name
            if times > 1:
                name = f"{times} × {name}"
            yield _Carried(weapon, name)

    def table(self, units: Iterable[UnitType]) -> list[Gun]:
        """All weapons of these units, in the order of the rules."""
        guns = []
        for weapon, holders in weapons_with_holders(units, self.catalog, self.rulings):
            # At range all who have the weapon do the same with it.
            entry = self._entry(holders[0], weapon)
            also = "; ".join(self._also(weapon, holders))
            guns.append(Gun(entry, tuple(holders), also))
        return guns

    def _entry(self, unit: UnitType, weapon: Weapon) -> FiringEntry:
        """A weapon of a unit in the table: its reach, and what kills each kind of target."""
        return FiringEntry(
            weapon=weapon.name,
            reach=_reach(weapon),
            guys=self._against(unit, weapon, "guy"),
            armored=self._against(unit, weapon, "armored"),
            unarmored=self._against(unit, weapon, "unarmored"),
            distances=_distances(weapon),
        )

    def _against(self, unit: UnitType, weapon: Weapon, kind: Kind) -> str:
        """``A-5+``: what kills targets of this kind; ``NONE`` if the weapon may not fire at
        them."""
        kill = weapon.against(kind)
        if kill is None:
            return NONE
        return self._ranks_at(unit, weapon, kind) + _signs(kill)

    def _ranks_at(self, unit: UnitType, weapon: Weapon, kind: Kind) -> str:
        """``A-5``: the ranks that kill an ordinary target of a kind, that is one against which the
        weapon has no other number."""
        tags_with_other_number = {*weapon.special, *weapon.rear}
        for target in self.catalog.units.values():
            is_ordinary = tags_with_other_number.isdisjoint(target.tags)
            if target.kind == kind and is_ordinary:
                return ranks_that_hit(self._aim(unit, weapon, target, _OPEN).needs)
        raise LookupError(f"no ordinary target: {kind}")

    def _also(self, weapon: Weapon, holders: list[UnitType]) -> Iterable[str]:
        """What else is special about a weapon, in phrases."""
        unit = holders[0]
        for tag in weapon.special:
            needs = self._needs_at_tag(unit, weapon, tag, _OPEN)
            yield _at_tag(needs, tag)
        from_behind = self._from_behind(unit, weapon)
        if from_behind:
            yield f"from behind {', '.join(from_behind)}"
        if weapon.guys:
            yield from self._in_contact(weapon, holders)
        if weapon.guys and weapon.guys.repeat and weapon.repeat_from == "last":
            yield "next man counted from the last"
        if weapon.guys and weapon.guys.exact:
            yield "kills the man named"
        if weapon.pins:
            yield "pins"

    def _from_behind(self, unit: UnitType, weapon: Weapon) -> list[str]:
        """``A-8 at Tanks``: a phrase for each tag of units that are easier to kill from behind."""
        phrases = []
        for tag in weapon.rear:
            needs = self._needs_at_tag(unit, weapon, tag, _BEHIND)
            if needs != self._needs_at_tag(unit, weapon, tag, _OPEN):
                phrases.append(_at_tag(needs, tag))
        return phrases

    def _in_contact(self, weapon: Weapon, holders: list[UnitType]) -> Iterable[str]:
        """What the weapon does in contact where that differs from what it does at range: ``in
        contact A-6 at guys, once (Mortar)``, since a mortar crew fights with rifles. All who have
        the weapon do the same with it at range; in contact they may differ."""
        guy = next(unit for unit in self.catalog.units.values() if unit.is_guy)
        at_range = _kills_guys(self._aim(holders[0], weapon, guy, _OPEN))
        names_by_contact: dict[_KillsGuys, list[str]] = {}
        for unit in holders:
            in_contact = _kills_guys(self._aim(unit, weapon, guy, _CONTACT))
            names_by_contact.setdefault(in_contact, []).append(unit.short)
        for in_contact, names in names_by_contact.items():
            if in_contact == at_range:
                continue
            words = f"in contact {ranks_that_hit(in_contact.needs)} at guys"
            # Who fights as a rifle has no repeat fire in contact.
            if at_range.repeats and not in_contact.repeats:
                words += ", once"
            if len(names_by_contact) > 1:
                words += f" ({', '.join(names)})"
            yield words

    def _aim(
        self, unit: UnitType, weapon: Weapon, target: UnitType, circumstances: Circumstances
    ) -> Aim:
        """What such a shot needs in these circumstances."""
        shot = Shot(
            shooter=unit,
            weapon=weapon,
            target=target,
            circumstances=circumstances,
            nation=self.nation,
        )
        return aim(shot, self.catalog, self.rulings)

    def _needs_at_tag(
        self, unit: UnitType, weapon: Weapon, tag: str, circumstances: Circumstances
    ) -> int:
        """The highest rank that kills units with a tag: it is that against the first one of the
        catalog."""
        target = next(target for target in self.catalog.units.values() if tag in target.tags)
        return self._aim(unit, weapon, target, circumstances).needs


class _KillsGuys(NamedTuple):
    """How a weapon kills guys: the highest rank that does, and whether a kill gives another
    shot."""

    needs: int
    repeats: bool


def _kills_guys(aimed: Aim) -> _KillsGuys:
    """How a shot at a guy kills him."""
    return _KillsGuys(aimed.needs, aimed.repeat is not None)


class WeaponHolders(NamedTuple):
    """A weapon with the units that have it."""

    weapon: Weapon
    holders: list[UnitType]


def weapons_with_holders(
    units: Iterable[UnitType], catalog: Catalog, rulings: Mapping[str, str]
) -> list[WeaponHolders]:
    """The weapons of these units, in the order of the rules."""
    each_unit_once = list(dict.fromkeys(units))
    fired = []
    for weapon in catalog.weapons.values():
        holders = []
        for unit in each_unit_once:
            if weapon in catalog.weapons_of(unit, rulings):
                holders.append(unit)
        if holders:
            fired.append(WeaponHolders(weapon, holders))
    return fired


def ranks_in_short(weapon: Weapon) -> str:
    """``8+/4*/3``: the highest ranks that kill guys, armored models and unarmored models."""
    numbers = []
    for kill in (weapon.guys, weapon.armored, weapon.unarmored):
        if kill:
            numbers.append(f"{kill.needs}{_signs(kill)}")
        else:
            numbers.append(NONE)
    return "/".join(numbers)


def ranges_of(weapons: Iterable[Weapon]) -> tuple[int, ...]:
    """All ranges of these weapons, in inches, each once, such as for rings on a map. Where a weapon
    reaches farther at guys, that is a range of its own."""
    ranges: list[int] = []
    for weapon in weapons:
        if weapon.range:
            ranges.append(weapon.range)
        if weapon.guys and weapon.guys.range:
            ranges.append(weapon.guys.range)
    return tuple(dict.fromkeys(ranges))  # each once, in the order of the weapons


def _signs(kill: Kill) -> str:
    """``*`` and ``+``, as the module's docstring explains them."""
    signs = ""
    if kill.touch:
        signs += "*"
    if kill.repeat:
        signs += "+"
    return signs


def without_signs(ranks: str) -> str:
    """Ranks from the table, with few words instead of their signs: ``A-5 and again touching``."""
    words = ranks.rstrip("*+")
    if "+" in ranks:
        words += " and again"
    if "*" in ranks:
        words += " touching"
    return words


def _restrictions(kill: Kill) -> Iterator[str]:
    """The meaning of its signs in words."""
    if kill.touch:
        yield "in contact only"
    if kill.repeat:
        yield "again after a kill"


def _distances(weapon: Weapon) -> tuple[int, ...]:
    """The range of a weapon and, if it differs, its range at guys: a sniper fires at models as a
    Rifle Guy ("Sniper Guys"). A weapon that can be fired at guys only has one range."""
    fires_at_models = weapon.unarmored is not None or weapon.armored is not None
    if weapon.guys and weapon.guys.range and fires_at_models:
        return weapon.range, weapon.guys.range
    return (weapon.range,)


def _reach(weapon: Weapon) -> str:
    """``12 in``, or ``12 in, guys 24 in``"""
    first, *at_guys = _distances(weapon)
    if at_guys:
        return f"{inches(first)}, guys {inches(at_guys[0])}"
    return inches(first)


def _at_tag(needs: int, tag: str) -> str:
    """``A-6 at Tigers``: the ranks that kill units with a tag."""
    return f"{ranks_that_hit(needs)} at {plural(tag_in_words(tag))}"


def tag_in_words(tag: str) -> str:
    """``anti_tank`` as ``Anti Tank``."""
    return tag.replace("_", " ").title()
