"""Chooses what the players left open when they asked for a battle, three times over: proposals that
differ in theme, in who attacks, and in what they are fought with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

import msgspec

from skirmish.games.plastic.dealing.codes import SEEDS, Coded, as_coded, lower_step
from skirmish.games.plastic.dealing.forces import LEAST_CONVOY
from skirmish.games.plastic.dealing.recruiter import CRAFT
from skirmish.games.plastic.dealing.themes import Region, Theme, Water
from skirmish.games.plastic.dealing.wishes import (
    FORCE_SEEDS,
    Books,
    Length,
    NoSuchBattleError,
    Wishes,
)

PROPOSALS = 3
YEARS = range(1939, 1946)
"""In which there was fighting somewhere."""
WINDING = 1
"""Feet by which a river is longer than the table is broad, as it winds."""
LEAST_CRAFT = 3
"""One for each wave of a landing."""


class Setting(NamedTuple):
    """Where a battle is fought, and what kind of battle it is."""

    theme: Theme
    region: Region


class DealRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody asks for: as in ``Wishes``, but None leaves the choice to the program."""

    theme: str | None = None
    region: str | None = None
    month: str | None = None
    nations: Sequence[str] = ()
    """Those that are to fight, the attacker first, or one of them."""
    width: int = 8
    depth: int = 5
    points: int = 150
    length: Length = "evening"
    figures: Mapping[str, int] | None = None
    """What figures there are; None: any."""
    terrain: Mapping[str, int] | None = None
    """What terrain there is; None: any."""
    year: int | None = None
    """Any month of it will do, unless there is a month."""


def proposals(asked: DealRequest, seed: int, books: Books, count: int = PROPOSALS) -> list[Coded]:
    """So many battles to choose from, the same ones for the same seed. Raises
    NoSuchBattleError."""
    chance = Random(f"proposals:{seed}")
    settings = _possible_settings(asked, books)
    chance.shuffle(settings)
    chosen: list[Coded] = []
    themes_before: set[str] = set()
    while len(chosen) < count:
        # A theme comes again only where no other is left.
        fresh = [setting for setting in settings if setting.theme.id not in themes_before]
        theme, region = chance.choice(fresh or settings)
        themes_before.add(theme.id)
        month = _month(asked, region, chance)
        attacker, defender = _sides(asked, theme, region, month, chance)
        wishes = Wishes(
            theme=theme.id,
            region=region.id,
            month=month,
            attacker=attacker,
            defender=defender,
            width=asked.width,
            depth=asked.depth,
            points=asked.points,
            length=asked.length,
            figures=asked.figures,
            terrain=asked.terrain,
        )
        chosen.append(Coded(as_coded(wishes), chance.randrange(SEEDS)))
    return chosen


def with_other_forces(coded: Coded, chance: Random) -> Coded:
    """The same table with other forces."""
    table, forces = divmod(coded.seed, FORCE_SEEDS)
    step = chance.randrange(1, FORCE_SEEDS)
    return coded._replace(seed=table * FORCE_SEEDS + (forces + step) % FORCE_SEEDS)


def with_another_table(coded: Coded, chance: Random) -> Coded:
    """The same forces, as far as another table leaves them."""
    tables = SEEDS // FORCE_SEEDS
    table, forces = divmod(coded.seed, FORCE_SEEDS)
    step = chance.randrange(1, tables)
    return coded._replace(seed=(table + step) % tables * FORCE_SEEDS + forces)


def _possible_settings(asked: DealRequest, books: Books) -> list[Setting]:
    """All that fit what is asked. Raises NoSuchBattleError."""
    settings = []
    for region in books.regions.regions.values():
        if asked.region not in (None, region.id):
            continue
        if asked.month is not None and not region.first <= asked.month <= region.last:
            continue
        if not _can_fight(asked, region) or not _months_of_fighting(asked, region):
            continue
        for theme in books.themes.values():
            fits = asked.theme in (None, theme.id) and theme.id not in region.without
            is_there = _has_craft(asked, theme) and _has_trucks(asked, theme)
            if fits and is_there and _has_terrain(asked, theme):
                settings.append(Setting(theme, region))
    if not settings:
        raise NoSuchBattleError(
            "No battle fits all of that: these nations did not meet there and then, or the region "
            "has no such theme, or what it takes is not there, such as craft or a bridge."
        )
    return settings


def _has_craft(asked: DealRequest, theme: Theme) -> bool:
    """Whether there is something to land from, where somebody comes over the sea."""
    if asked.figures is None or all(group.entry != "sea" for group in theme.attackers):
        return True
    craft_there = sum(asked.figures.get(craft, 0) for craft in CRAFT)
    return craft_there >= LEAST_CRAFT


def _has_trucks(asked: DealRequest, theme: Theme) -> bool:
    """Whether there are trucks, where it is trucks that must get through."""
    if asked.figures is None or not any(group.trucks for group in theme.attackers):
        return True
    return asked.figures.get("truck", 0) >= LEAST_CONVOY


def _has_terrain(asked: DealRequest, theme: Theme) -> bool:
    """Whether there are the pieces without which there is no battle of a theme."""
    if asked.terrain is None:
        return True
    for kind, count in theme.needs.items():
        if asked.terrain.get(kind, 0) < count:
            return False
    if not any(isinstance(feature, Water) for feature in theme.features):
        return True
    # A river goes from one side of the table to the other. The code of the battle may hold less of
    # it than there is, and the battle is dealt from the code.
    river_feet = lower_step("river", asked.terrain.get("river", 0))
    return river_feet >= max(asked.width, asked.depth) + WINDING


def _can_fight(asked: DealRequest, region: Region) -> bool:
    """Whether the nations asked for are enemies in the region (its first nation fights any other),
    in the month if one is asked for."""
    nations = asked.nations
    if not set(nations) <= set(region.nations):
        return False
    if asked.month is not None and any(region.came(nation) > asked.month for nation in nations):
        return False
    return len(nations) < 2 or region.nations[0] in nations


def _sides(
    asked: DealRequest, theme: Theme, region: Region, month: str, chance: Random
) -> tuple[str, str]:
    """Who attacks, and who defends: as asked for where both nations are. Else the first nation of a
    region, which holds it, fights any other."""
    first, *all_its_enemies = region.nations
    # Never none: the nations asked for had come by that month, and each region has one enemy from
    # its first month on.
    enemies = [nation for nation in all_its_enemies if region.came(nation) <= month]
    if len(asked.nations) == 2:
        attacker, defender = asked.nations
        return attacker, defender
    # Drawn in any case: what is drawn after it does not depend on who was asked for.
    enemy = chance.choice(enemies)
    if asked.nations and asked.nations[0] != first:
        enemy = asked.nations[0]
    # Who comes from abroad, as over a beach, attacks those who hold the region.
    if theme.from_abroad or chance.random() < 0.5:
        return enemy, first
    return first, enemy


def _month(asked: DealRequest, region: Region, chance: Random) -> str:
    """The month asked for, or any in which the nations asked for fought in the region."""
    return chance.choice(_months_of_fighting(asked, region))


def _months_of_fighting(asked: DealRequest, region: Region) -> list[str]:
    """The month asked for, or else all in which the nations asked for fought in the region, in the
    year asked for if there is one."""
    if asked.month is not None:
        return [asked.month]
    first = max([region.first, *(region.came(nation) for nation in asked.nations)])
    months = _months(first, region.last)
    if asked.year is None:
        return months
    return [month for month in months if month.startswith(f"{asked.year}-")]


def _months(first: str, last: str) -> list[str]:
    """All months from one to another: ``1943-12``, ``1944-01``."""
    months = []
    year, month = (int(part) for part in first.split("-"))
    while f"{year}-{month:02}" <= last:
        months.append(f"{year}-{month:02}")
        month += 1
        if month > 12:
            year, month = year + 1, 1
    return months
