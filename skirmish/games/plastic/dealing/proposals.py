"""What is left open before a deal is chosen: three battles that differ in theme, in who attacks,
and in what they are fought with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

import msgspec

from skirmish.games.plastic.dealing.codes import SEEDS, Coded, as_coded, lower_step
from skirmish.games.plastic.dealing.deal import (
    FORCE_SEEDS,
    Books,
    Length,
    NoSuchBattleError,
    Wishes,
)
from skirmish.games.plastic.dealing.themes import Region, Theme, Water

PROPOSALS = 3
CRAFT = ("landing_craft", "assault_raft")
WINDING = 1
"""Feet by which a river is longer than the table is broad."""
LEAST_CRAFT = 3
"""One for each wave of a landing."""


class DealRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody asks for; None where he leaves the choice. ``nations`` are those that are to
    fight, the attacker first, or one of them. The rest is as in ``Wishes``."""

    theme: str | None = None
    region: str | None = None
    month: str | None = None
    nations: Sequence[str] = ()
    width: int = 8
    depth: int = 5
    points: int = 150
    length: Length = "evening"
    figures: Mapping[str, int] | None = None
    terrain: Mapping[str, int] | None = None


def proposals(asked: DealRequest, seed: int, books: Books, count: int = PROPOSALS) -> list[Coded]:
    """So many battles to choose from, the same ones for the same seed. Raises
    NoSuchBattleError."""
    chance = Random(f"proposals:{seed}")
    possible = _possible(asked, books)
    chance.shuffle(possible)
    chosen: list[Coded] = []
    themes_before: set[str] = set()
    while len(chosen) < count:
        # A theme comes again only where no other is left.
        fresh = [pair for pair in possible if pair[0].id not in themes_before]
        theme, region = chance.choice(fresh or possible)
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


def _possible(asked: DealRequest, books: Books) -> list[tuple[Theme, Region]]:
    """The themes and the regions that fit what is asked."""
    pairs = []
    for region in books.regions.regions.values():
        if asked.region not in (None, region.id):
            continue
        if asked.month is not None and not region.first <= asked.month <= region.last:
            continue
        if not _can_fight(asked, region):
            continue
        for theme in books.themes.values():
            fits = asked.theme in (None, theme.id) and theme.id not in region.without
            if fits and _has_craft(asked, theme) and _has_terrain(asked, theme):
                pairs.append((theme, region))
    if not pairs:
        raise NoSuchBattleError(
            "No battle fits all of that: these nations did not meet there and then, or the region "
            "has no such theme, or what it takes is not there, such as craft or a bridge."
        )
    return pairs


def _has_craft(asked: DealRequest, theme: Theme) -> bool:
    """Whether there is something to land from, where somebody comes over the sea."""
    if asked.figures is None or all(group.entry != "sea" for group in theme.attackers):
        return True
    craft_there = sum(asked.figures.get(craft, 0) for craft in CRAFT)
    return craft_there >= LEAST_CRAFT


def _has_terrain(asked: DealRequest, theme: Theme) -> bool:
    """Whether there are the pieces without which there is no battle of a theme."""
    if asked.terrain is None:
        return True
    for kind, count in theme.needs.items():
        if asked.terrain.get(kind, 0) < count:
            return False
    has_river = any(isinstance(feature, Water) for feature in theme.features)
    # It winds from one side of the table to the other.
    long_enough = max(asked.width, asked.depth) + WINDING
    river = lower_step("river", asked.terrain.get("river", 0))
    return not has_river or river >= long_enough


def _can_fight(asked: DealRequest, region: Region) -> bool:
    """Whether the nations asked for are enemies in the region, in the month if one is asked for:
    its first nation against any other."""
    nations = asked.nations
    if not set(nations) <= set(region.nations):
        return False
    if asked.month is not None and any(region.came(nation) > asked.month for nation in nations):
        return False
    return len(nations) < 2 or region.nations[0] in nations


def _sides(
    asked: DealRequest, theme: Theme, region: Region, month: str, chance: Random
) -> tuple[str, str]:
    """Who attacks, and who defends."""
    first, *others = region.nations
    enemies = [nation for nation in others if region.came(nation) <= month]
    if len(asked.nations) == 2:
        attacker, defender = asked.nations
        return attacker, defender
    enemy = chance.choice(enemies)
    if asked.nations and asked.nations[0] != first:
        enemy = asked.nations[0]
    if theme.from_abroad or chance.random() < 0.5:
        return enemy, first
    return first, enemy


def _month(asked: DealRequest, region: Region, chance: Random) -> str:
    if asked.month is not None:
        return asked.month
    first = max([region.first, *(region.came(nation) for nation in asked.nations)])
    months = []
    year, month = (int(part) for part in first.split("-"))
    while f"{year}-{month:02}" <= region.last:
        months.append(f"{year}-{month:02}")
        year, month = year + month // 12, month % 12 + 1
    return chance.choice(months)
