"""The firing table of the rules, in signs and in words. ``A-5``: a draw from ace to five kills;
``*``: only in contact; ``+``: a kill gives another shot."""

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
"""No number: the weapon may not fire at such a target."""
KINDS: tuple[Kind, ...] = ("guy", "armored", "unarmored")
"""The kinds of targets in the order of the table's columns."""
_KIND_WORDS: dict[Kind, str] = {"guy": "guys", "armored": "armored", "unarmored": "unarmored"}
# At 1 in every weapon reaches, and nobody is in contact.
_OPEN = Circumstances(distance=1)
_BEHIND = Circumstances(distance=1, rear=True)
_CONTACT = Circumstances(touching=True, phase=4)


class FiringEntry(NamedTuple):
    """A line of the table in words: ``A-5+`` against each kind of target, or ``NONE``.
    ``distances`` are those of ``reach``, in inches."""

    weapon: str
    reach: str
    guys: str
    armored: str
    unarmored: str
    distances: tuple[int, ...]

    @property
    def first_reach(self) -> str:
        """``12 in``: the first of its distances, where a column has room for one."""
        return inches(self.distances[0])

    @property
    def further_reach(self) -> str:
        """``guys 24 in``; empty for a weapon that reaches as far at everything."""
        if len(self.distances) == 1:
            return ""
        return f"guys {inches(self.distances[1])}"


class WeaponWords(NamedTuple):
    """A line of the table for a sentence: what the weapon ``kills`` is ``guys A-5 again after a
    kill`` for each kind of target that it may be fired at."""

    weapon: str
    reach: str
    kills: tuple[str, ...]


class Gun(NamedTuple):
    """A line with the units that have the weapon, and what else is special about it."""

    entry: FiringEntry
    fired_by: tuple[UnitType, ...]
    also: str


class Firing(NamedTuple):
    """The table under these rulings, for one nation or none."""

    catalog: Catalog
    rulings: Mapping[str, str]
    nation: Nation | None

    def entries(self, unit: UnitType) -> list[FiringEntry]:
        """The lines of one unit's weapons; one that fires twice says so."""
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

    def _carried(self, unit: UnitType) -> Iterator[tuple[Weapon, str]]:
        """Each weapon of a unit once, with its name: ``2 × Machinegun`` if it has two."""
        carried = self.catalog.weapons_of(unit, self.rulings)
        for weapon in {weapon.id: weapon for weapon in carried}.values():
            times = carried.count(weapon)
            name = weapon.name
            if times > 1:
                name = f"{times} × {name}"
            yield weapon, name

    def table(self, units: Iterable[UnitType]) -> list[Gun]:
        """All weapons of these units, in the order of the rules."""
        guns = []
        for weapon, holders in fired_by(units, self.catalog, self.rulings):
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
        """``A-5``, with the signs of what a hit does besides; a dash where the weapon cannot hurt
        it."""
        kill = weapon.against(kind)
        if kill is None:
            return NONE
        return self._ranks_at(unit, weapon, kind) + _signs(kill)

    def _ranks_at(self, unit: UnitType, weapon: Weapon, kind: Kind) -> str:
        """``A-5``: the ranks that kill an ordinary target of a kind."""
        # An ordinary target of this kind, against which no other number counts.
        special = {*weapon.special, *weapon.rear}
        for target in self.catalog.units.values():
            if target.kind == kind and not special & set(target.tags):
                return ranks_that_hit(self._aim(unit, weapon, target, _OPEN).needs)
        raise LookupError(f"no ordinary target: {kind}")

    def _also(self, weapon: Weapon, holders: list[UnitType]) -> Iterable[str]:
        """What else is special about a weapon, in phrases."""
        unit = holders[0]
        for tag in weapon.special:
            needs = self._tagged(unit, weapon, tag, _OPEN)
            yield f"{ranks_that_hit(needs)} at {plural(tag_in_words(tag))}"
        behind = []
        for tag in weapon.rear:
            needs = self._tagged(unit, weapon, tag, _BEHIND)
            if needs != self._tagged(unit, weapon, tag, _OPEN):
                behind.append(f"{ranks_that_hit(needs)} at {plural(tag_in_words(tag))}")
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
        """What the weapon does in contact where that differs from what it does at range, as
        ``in contact A-6 at guys, once (Mortar)``: a mortar crew fights with rifles. All who have
        the weapon do the same with it at range; in contact they may differ."""
        guy = next(unit for unit in self.catalog.units.values() if unit.is_guy)
        usual: set[_KillsGuys] = set()
        units_by_contact: dict[_KillsGuys, list[str]] = {}
        for unit in holders:
            usual.add(_kills_guys(self._aim(unit, weapon, guy, _OPEN)))
            in_contact = _kills_guys(self._aim(unit, weapon, guy, _CONTACT))
            units_by_contact.setdefault(in_contact, []).append(unit.short)
        usually_repeats = any(kills.repeats for kills in usual)
        for in_contact, names in units_by_contact.items():
            if usual == {in_contact}:
                continue
            words = f"in contact {ranks_that_hit(in_contact.needs)} at guys"
            # As a rifle, which has no repeat fire.
            if in_contact.repeats != usually_repeats:
                words += ", once"
            if len(units_by_contact) > 1:
                words += f" ({', '.join(names)})"
            yield words

    def _aim(
        self, unit: UnitType, weapon: Weapon, target: UnitType, circumstances: Circumstances
    ) -> Aim:
        """The ranks that hit such a target in these circumstances, as the rules of a shot have
        it."""
        shot = Shot(
            shooter=unit, weapon=weapon, target=target, at=circumstances, nation=self.nation
        )
        return aim(shot, self.catalog, self.rulings)

    def _tagged(
        self, unit: UnitType, weapon: Weapon, tag: str, circumstances: Circumstances
    ) -> int:
        """What is needed against units with a tag."""
        target = next(target for target in self.catalog.units.values() if tag in target.tags)
        return self._aim(unit, weapon, target, circumstances).needs


class _KillsGuys(NamedTuple):
    """How a weapon kills guys: the highest rank, and whether a kill gives another shot."""

    needs: int
    repeats: bool


def _kills_guys(aimed: Aim) -> _KillsGuys:
    """How a shot at a guy kills him."""
    return _KillsGuys(aimed.needs, aimed.repeat is not None)


class WeaponHolders(NamedTuple):
    """A weapon with the units that have it."""

    weapon: Weapon
    holders: list[UnitType]


def fired_by(
    units: Iterable[UnitType], catalog: Catalog, rulings: Mapping[str, str]
) -> list[WeaponHolders]:
    """The weapons of these units, in the order of the rules."""
    weapons_by_unit = [(unit, catalog.weapons_of(unit, rulings)) for unit in dict.fromkeys(units)]
    fired = []
    for weapon in catalog.weapons.values():
        holders = [unit for unit, weapons in weapons_by_unit if weapon in weapons]
        if holders:
            fired.append(WeaponHolders(weapon, holders))
    return fired


def ranks_in_short(weapon: Weapon) -> str:
    """``8+/4*/3``: the highest rank that kills guys, armored, unarmored models."""
    numbers = []
    for kill in (weapon.guys, weapon.armored, weapon.unarmored):
        if kill:
            numbers.append(f"{kill.needs}{_signs(kill)}")
        else:
            numbers.append(NONE)
    return "/".join(numbers)


def ranges_of(weapons: Iterable[Weapon]) -> tuple[int, ...]:
    """All ranges that occur with these weapons, in inches, each once: for rings on a map. Some
    weapons reach farther at guys, and that counts as a range of its own."""
    ranges: dict[int, None] = {}  # a set that keeps the order
    for weapon in weapons:
        if weapon.range:
            ranges[weapon.range] = None
        if weapon.guys and weapon.guys.range:
            ranges[weapon.guys.range] = None
    return tuple(ranges)


def reaches(weapons: Iterable[Weapon]) -> str:
    """``24/36``: their ranges."""
    return "/".join(map(str, ranges_of(weapons))) or NONE


def _signs(kill: Kill) -> str:
    """``*`` and ``+``, as the module's docstring explains them."""
    signs = ""
    if kill.touch:
        signs += "*"
    if kill.repeat:
        signs += "+"
    return signs


def _restrictions(kill: Kill) -> Iterator[str]:
    """The meaning of its signs in words."""
    if kill.touch:
        yield "in contact only"
    if kill.repeat:
        yield "again after a kill"


def _distances(weapon: Weapon) -> tuple[int, ...]:
    """Its range and, where it reaches farther at guys than at models, that at guys: a sniper fires
    at models as a Rifle Guy ("Sniper Guys"). Only where it kills both is there anything to tell
    apart."""
    kills = [kill for kill in (weapon.guys, weapon.unarmored, weapon.armored) if kill]
    if weapon.guys and weapon.guys.range and len(kills) > 1:
        return weapon.range, weapon.guys.range
    return (weapon.range,)


def _reach(weapon: Weapon) -> str:
    """``12 in``; ``12 in, guys 24 in``."""
    reach, *at_guys = map(inches, _distances(weapon))
    if at_guys:
        return f"{reach}, guys {at_guys[0]}"
    return reach


def tag_in_words(tag: str) -> str:
    """``anti_tank`` as ``Anti Tank``."""
    return tag.replace("_", " ").title()
