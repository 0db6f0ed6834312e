"""What ``skirmish odds`` is asked: the words of the command line as shots, groups and a pack."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

import msgspec

from skirmish import library
from skirmish.cli.odds_rulings import answered, nation_named, quality_named
from skirmish.cli.speaking import Complaint, clipped
from skirmish.games.plastic.odds import pack as packs
from skirmish.games.plastic.odds.firers import MOST_FIRERS, NO_LIMIT, Firer, firer
from skirmish.games.plastic.odds.pack import Pack
from skirmish.games.plastic.rules.catalog import Nation, Quality, UnitType, Weapon
from skirmish.games.plastic.rules.shot import (
    CLOSE_PHASES,
    Aim,
    Circumstances,
    Shot,
    aim,
    weapon_named,
    why_not,
)
from skirmish.tabletop.measure import NO_BREAK
from skirmish.tabletop.reading import suggest
from skirmish.tabletop.refusal import Refusal

_AND = re.compile(r"(?:(\d+)\s+)?(.+?)(?:\s+at\s+(?:(\d+)\s+)?(\S.*))?", re.I | re.S)
_LONGEST = 200
"""Characters of a row of further shooters."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """The words of the command line."""

    shooter: str
    target: str
    weapon: str | None = None
    distance: float | None = None
    phase: int | None = None
    cover: bool = False
    hull_down: bool = False
    rear: bool = False
    count: int = 1
    targets: int = 1
    also: tuple[str, ...] = ()
    deck: str | None = None
    die: bool = False
    rulings: tuple[str, ...] = ()
    nation: str | None = None
    quality: str | None = None
    breaks: int | None = None


class Group(msgspec.Struct, frozen=True):
    """Those who can be hit at all: ``size`` of one unit."""

    unit: UnitType
    size: int


class Row(msgspec.Struct, frozen=True):
    """``count`` who fire the same ``shot`` one after the other at a ``group`` (its place)."""

    count: int
    shot: Shot
    aim: Aim
    group: int


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """Rows in the order in which they fire, and what their draws come from."""

    rows: tuple[Row, ...]
    groups: tuple[Group, ...]
    pack: Pack
    rulings: Mapping[str, str]
    quality: Quality | None
    breaks: int | None

    @property
    def is_volley(self) -> bool:
        """Whether more can fall than one, or more than one fires."""
        first = self.rows[0]
        several = len(self.rows) > 1 or first.count > 1
        return several or bool(self.groups[0].size > 1 and first.aim.repeat)

    @property
    def firers(self) -> list[Firer]:
        """Everybody who fires, in order."""
        die = self.pack.die
        return [
            one
            for row in self.rows
            for one in [firer(row.aim, die=die, group=row.group)] * row.count
        ]

    @property
    def pin_draws(self) -> int:
        """How many machineguns fire op fire at the first group: a pin draw for each."""
        return sum(row.count for row in self.rows if row.group == 0 and pins(row.shot))


def pins(shot: Shot) -> bool:
    """Whether a group under this shot may be pinned: a machinegun's op fire at guys."""
    gun = shot.weapon is not None and shot.weapon.pins
    return gun and shot.target.is_guy and shot.at.phase == 1


def question(asked: Asked) -> Question:
    """The question in the game's terms. Raises Complaint or OddsError, each with a sentence."""
    rulings = answered(list(asked.rulings))
    nation, quality = nation_named(asked.nation), quality_named(asked.quality)
    pack = _pack(asked, rulings)
    _check_number(asked.count, MOST_FIRERS, "The number of shooters")
    _check_number(asked.targets, NO_LIMIT, "The number of targets")
    if asked.breaks is not None:
        _check_number(asked.breaks, 9999, "--breaks")
    at = _at(asked)
    groups = [Group(_unit(asked.target), asked.targets)]
    first = _shot(_unit(asked.shooter), asked.weapon, groups[0].unit, at, (rulings, nation))
    shots = [(asked.count, first, 0)]
    for text in asked.also:
        count, shooter, size, target = _also(text)
        if target is not None:
            groups.append(Group(_unit(target), size))
        group = 0 if target is None else len(groups) - 1
        shot = _shot(_unit(shooter), None, groups[group].unit, at, (rulings, nation))
        shots.append((count, shot, group))
    catalog = library.catalog()
    found = Question(
        rows=tuple(Row(n, shot, aim(shot, catalog, rulings), group) for n, shot, group in shots),
        groups=tuple(groups),
        pack=pack,
        rulings=rulings,
        quality=quality,
        breaks=asked.breaks,
    )
    if quality is not None and not found.pin_draws:
        raise Complaint("--quality needs a machine gun that fires at guys in phase 1 (--phase 1).")
    return found


def _pack(asked: Asked, rulings: Mapping[str, str]) -> Pack:
    if asked.die and asked.deck is not None:
        raise Complaint("Use either --deck or --die, not both: a die has no deck.")
    if asked.die:
        return packs.die()
    return packs.parse(asked.deck or "", rulings)


def _check_number(given: int, most: int, what: str) -> None:
    if not 1 <= given <= most:
        raise Complaint(f"{what} must be 1 to {most}, not {given}.")


def _also(text: str) -> tuple[int, str, int, str | None]:
    """``2 machinegun`` (at the first group) or ``1 tank at 3 truck``: how many, who, and at how
    many of whom."""
    found = _AND.fullmatch(text.strip()) if len(text) <= _LONGEST else None
    if found is None:
        raise Complaint(
            f"--and “{clipped(text, 40)}”: write “2 machinegun” for the first group, or “1 tank at "
            "3 truck” for another."
        )
    count, size = int(found[1] or 1), int(found[3] or 1)
    _check_number(count, MOST_FIRERS, "The number of shooters")
    _check_number(size, NO_LIMIT, "The number of targets")
    return count, found[2], size, found[4]


def _unit(word: str) -> UnitType:
    units = library.catalog().units
    wanted = word.strip().lower().replace(" ", "_").replace("-", "_")
    for unit in units.values():
        names = (unit.id, unit.name, unit.short)
        if wanted in (name.lower().replace(" ", "_").replace("-", "_") for name in names):
            return unit
    raise Complaint(f"There is no unit “{clipped(word, 40)}”; {suggest(wanted, units)}")


def _at(asked: Asked) -> Circumstances:
    """Without a distance it is more than that at which the man aimed at dies; in phases 3 and 4,
    contact."""
    phase = asked.phase or (3 if asked.distance == 0 else 2)
    if phase not in (1, 2, 3, 4):
        raise Complaint(f"The phase must be 1 to 4, not {phase}.")
    distance = asked.distance
    if distance is None:
        near = library.catalog().fire.exact_within
        distance = 0.0 if phase in CLOSE_PHASES else float(near + 1)
    if not math.isfinite(distance) or distance < 0:
        raise Complaint(f"The distance must be 0 or more, not {distance:g}.")
    return Circumstances(
        distance=distance,
        touching=distance == 0,
        phase=phase,
        cover=asked.cover,
        hull_down=asked.hull_down,
        rear=asked.rear,
    )


def _shot(
    unit: UnitType,
    weapon: str | None,
    target: UnitType,
    at: Circumstances,
    terms: tuple[Mapping[str, str], Nation | None],
) -> Shot:
    """The shot, with the weapon that needs least if none was named; raises Complaint with the
    rule that forbids it."""
    catalog, (rulings, nation) = library.catalog(), terms
    weapons: list[Weapon | None] = [*catalog.weapons_of(unit, rulings)] or [None]
    if weapon is not None:
        named = weapon_named(unit, weapon, catalog, rulings)
        if named is None:
            armed = {weapon.id for weapon in weapons if weapon}
            hint = suggest(weapon, armed) if armed else "it has no weapon."
            raise Complaint(f"The {unit.name} has no “{clipped(weapon, 40)}”; {hint}")
        weapons = [named]
    refusals: list[Refusal] = []
    best: tuple[int, Shot] | None = None
    for gun in weapons:
        shot = Shot(shooter=unit, weapon=gun, target=target, at=at, nation=nation)
        refusal = why_not(shot, catalog, rulings)
        if refusal:
            refusals.append(refusal)
            continue
        needs = aim(shot, catalog, rulings).needs
        if best is None or needs > best[0]:
            best = (needs, shot)
    if best is None:
        raise Complaint(refusals[0].says.replace(NO_BREAK, " "))
    return best[1]
