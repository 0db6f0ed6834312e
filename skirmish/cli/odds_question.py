"""What ``skirmish odds`` is asked: words of the command line as shots, groups, pack and rulings."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

import msgspec

from skirmish import library, resources
from skirmish.cli.files import bytes_of
from skirmish.cli.speaking import Complaint, clipped, harmless
from skirmish.games.plastic.odds import pack as packs
from skirmish.games.plastic.odds.answer import OddsQuestion, TargetGroup, VolleyRow
from skirmish.games.plastic.odds.firers import MOST_FIRERS, NO_LIMIT
from skirmish.games.plastic.odds.pack import Pack
from skirmish.games.plastic.rules.catalog import Nation, Quality, UnitType, Weapon
from skirmish.games.plastic.rules.shot import (
    CLOSE_PHASES,
    Circumstances,
    Shot,
    aim,
    weapon_named,
    why_not,
)
from skirmish.tabletop.measure import NO_BREAK
from skirmish.tabletop.reading import suggest
from skirmish.tabletop.refusal import Refusal

LARGEST = 1_000_000
"""Bytes of a file of rulings."""
_AND = re.compile(r"(?:(\d+)\s+)?(.+?)(?:\s+at\s+(?:(\d+)\s+)?(\S.*))?", re.I | re.S)
_LONGEST = 200
"""Characters of a row of further shooters."""


class OddsWords(msgspec.Struct, frozen=True, kw_only=True):
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


def question(asked: OddsWords) -> OddsQuestion:
    """The question in the game's terms. Raises Complaint or OddsError, each with a sentence."""
    rulings = answered(list(asked.rulings))
    nation, quality = nation_named(asked.nation), quality_named(asked.quality)
    pack = _pack(asked, rulings)
    _check_number(asked.count, MOST_FIRERS, "The number of shooters")
    _check_number(asked.targets, NO_LIMIT, "The number of targets")
    if asked.breaks is not None:
        _check_number(asked.breaks, 9999, "--breaks")
    at = _at(asked)
    groups = [TargetGroup(_unit(asked.target), asked.targets)]
    first = _shot(_unit(asked.shooter), asked.weapon, groups[0].unit, at, (rulings, nation))
    shots = [(asked.count, first, 0)]
    for text in asked.also:
        count, shooter, size, target = _also(text)
        if target is not None:
            groups.append(TargetGroup(_unit(target), size))
        group = 0 if target is None else len(groups) - 1
        shot = _shot(_unit(shooter), None, groups[group].unit, at, (rulings, nation))
        shots.append((count, shot, group))
    catalog = library.catalog()
    found = OddsQuestion(
        rows=tuple(
            VolleyRow(n, shot, aim(shot, catalog, rulings), group) for n, shot, group in shots
        ),
        groups=tuple(groups),
        pack=pack,
        rulings=rulings,
        quality=quality,
        breaks=asked.breaks,
        catalog=catalog,
    )
    if quality is not None and not found.pin_draws:
        raise Complaint("--quality needs a machine gun that fires at guys in phase 1 (--phase 1).")
    return found


def _pack(asked: OddsWords, rulings: Mapping[str, str]) -> Pack:
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


def _at(asked: OddsWords) -> Circumstances:
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


# ------------------------------------------------------------------ rulings, nation, quality


def answered(given: list[str]) -> dict[str, str]:
    """All rulings answered: ours, but for those given, as ``P18=ace_hits`` or as a TOML file with
    a table of rulings (an army file, say). Raises Complaint."""
    answers: dict[str, str] = {}
    for one in given:
        name, equals, answer = one.partition("=")
        found = {name.strip().upper(): answer.strip()} if equals else _of_file(one)
        answers |= found
    problems = library.rulings().problems(answers)
    if told := "\n".join(map(str, problems)):
        raise Complaint(told)
    return library.rulings().answered(answers)


def nation_named(word: str | None) -> Nation | None:
    """A nation by its id, name or people; raises Complaint."""
    if word is None:
        return None
    nations = library.catalog().nations
    wanted = word.strip().lower()
    for nation in nations.values():
        if wanted in (nation.id, nation.name.lower(), nation.people.lower()):
            return nation
    raise Complaint(f"There is no nation “{clipped(word, 40)}”; {suggest(wanted, nations)}")


def quality_named(word: str | None) -> Quality | None:
    """A force quality by its id or name; raises Complaint."""
    if word is None:
        return None
    qualities = library.catalog().qualities
    wanted = word.strip().lower()
    for quality in qualities.values():
        if wanted in (quality.id, quality.name.lower()):
            return quality
    raise Complaint(
        f"There is no force quality “{clipped(word, 40)}”; {suggest(wanted, qualities)}"
    )


def _of_file(name: str) -> dict[str, str]:
    """The rulings of a file: its table of that name, or all of it."""
    data, called = bytes_of(name, LARGEST, "file of rulings")
    table: Any = resources.parse(data.decode("utf-8-sig", "replace"), called)
    table = table.get("rulings", table)
    if not isinstance(table, dict) or not all(isinstance(one, str) for one in table.values()):
        raise Complaint(
            f"{harmless(name)}: has no table of rulings; write lines such as "
            'P2 = "half" under [rulings].'
        )
    return table
