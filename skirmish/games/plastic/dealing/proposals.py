"""Chooses what the players left open when they asked for a battle, three times over: proposals that
differ in theme as far as they can. Who attacks, and what they are fought with, may differ too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

import msgspec

from skirmish.games.plastic.dealing.codes import SEEDS, CodedDeal, lower_step, rounded_for_code
from skirmish.games.plastic.dealing.forces import LEAST_CONVOY
from skirmish.games.plastic.dealing.recruiter import CRAFT
from skirmish.games.plastic.dealing.regions import Region
from skirmish.games.plastic.dealing.themes import Theme, Water
from skirmish.games.plastic.dealing.wishes import (
    FORCE_SEEDS,
    Books,
    Length,
    NoSuchBattleError,
    Wishes,
)

PROPOSALS = 3
"""How many battles a player may choose from."""
YEARS = range(1939, 1946)
"""The years in which there was fighting somewhere."""
FEET_FOR_WINDING = 1
"""Feet of river that a table takes besides the feet of its longer side, since a river winds."""
LEAST_CRAFT = 3
"""Craft without which there is no landing: one for each of its waves."""


class Setting(NamedTuple):
    """Where a battle is fought, and what kind of battle it is."""

    theme: Theme
    region: Region


class Opponents(NamedTuple):
    """The nations of a battle, by id."""

    attacker: str
    defender: str


class DealRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody asks for: as in ``Wishes``, but None leaves the choice to the program, except
    for figures and terrain."""

    theme: str | None = None
    region: str | None = None
    month: str | None = None
    nations: Sequence[str] = ()
    """The attacker and the defender, which differ; one nation that is to fight on either side; or
    none."""
    width: int = 8
    """The width of the table in feet, as ``depth``."""
    depth: int = 5
    points: int = 150
    """The points of the larger side."""
    length: Length = "evening"
    figures: Mapping[str, int] | None = None
    """As in ``Wishes``."""
    terrain: Mapping[str, int] | None = None
    """As in ``Wishes``."""
    year: int | None = None
    """The year of the battle; it does not matter if there is a month."""


def proposals(
    request: DealRequest, seed: int, books: Books, count: int = PROPOSALS
) -> list[CodedDeal]:
    """So many battles to choose from, the same for the same seed. Raises NoSuchBattleError."""
    chance = Random(f"proposals:{seed}")
    settings = _possible_settings(request, books)
    # The choices below need no shuffled list, but without this a seed would give other battles than
    # it has given so far.
    chance.shuffle(settings)
    chosen: list[CodedDeal] = []
    used_themes: set[str] = set()
    while len(chosen) < count:
        candidates = [setting for setting in settings if setting.theme.id not in used_themes]
        # A theme comes again only where no other is left.
        if not candidates:
            candidates = settings
        theme, region = chance.choice(candidates)
        used_themes.add(theme.id)
        month = _month(request, region, chance)
        opponents = _opponents(request, theme, region, month, chance)
        wishes = Wishes(
            theme=theme.id,
            region=region.id,
            month=month,
            attacker=opponents.attacker,
            defender=opponents.defender,
            width=request.width,
            depth=request.depth,
            points=request.points,
            length=request.length,
            figures=request.figures,
            terrain=request.terrain,
        )
        chosen.append(CodedDeal(rounded_for_code(wishes), chance.randrange(SEEDS)))
    return chosen


def with_other_forces(coded: CodedDeal, chance: Random) -> CodedDeal:
    """The same table with other forces."""
    table_seed, force_seed = divmod(coded.seed, FORCE_SEEDS)
    # Never 0, which would be the same forces again.
    step = chance.randrange(1, FORCE_SEEDS)
    other_force_seed = (force_seed + step) % FORCE_SEEDS
    return coded._replace(seed=table_seed * FORCE_SEEDS + other_force_seed)


def with_another_table(coded: CodedDeal, chance: Random) -> CodedDeal:
    """Another table with forces from the same seed. They may still differ, since the table decides
    what both sides may spend."""
    table_seeds = SEEDS // FORCE_SEEDS
    table_seed, force_seed = divmod(coded.seed, FORCE_SEEDS)
    # Never 0, which would be the same table again.
    step = chance.randrange(1, table_seeds)
    other_table_seed = (table_seed + step) % table_seeds
    return coded._replace(seed=other_table_seed * FORCE_SEEDS + force_seed)


def _possible_settings(request: DealRequest, books: Books) -> list[Setting]:
    """All settings that fit what is asked for. Raises NoSuchBattleError."""
    settings = []
    for region in books.regions.regions.values():
        if not _fits_region(request, region):
            continue
        for theme in books.themes.values():
            if theme.id not in region.without and _fits_theme(request, theme):
                settings.append(Setting(theme, region))
    if not settings:
        raise NoSuchBattleError(
            "No battle fits all of that: these nations did not meet there and then, or the region "
            "has no such theme, or what it takes is not there, such as craft or a bridge."
        )
    return settings


def _fits_region(request: DealRequest, region: Region) -> bool:
    """Whether what is asked for can be fought in a region."""
    if request.region is not None and request.region != region.id:
        return False
    if request.month is not None and not region.first <= request.month <= region.last:
        return False
    if not _can_fight(request, region):
        return False
    return len(_months_of_fighting(request, region)) > 0


def _fits_theme(request: DealRequest, theme: Theme) -> bool:
    """Whether a theme is asked for, and all that it needs is there."""
    if request.theme is not None and request.theme != theme.id:
        return False
    has_figures = _has_craft(request, theme) and _has_trucks(request, theme)
    return has_figures and _has_terrain(request, theme)


def _has_craft(request: DealRequest, theme: Theme) -> bool:
    """Whether there are enough craft, if the attackers of the theme come over the sea."""
    come_over_sea = any(group.entry == "sea" for group in theme.attackers)
    if request.figures is None or not come_over_sea:
        return True
    craft_there = sum(request.figures.get(craft, 0) for craft in CRAFT)
    return craft_there >= LEAST_CRAFT


def _has_trucks(request: DealRequest, theme: Theme) -> bool:
    """Whether there are enough trucks, if the theme is about bringing trucks through."""
    bring_trucks = any(group.trucks for group in theme.attackers)
    if request.figures is None or not bring_trucks:
        return True
    return request.figures.get("truck", 0) >= LEAST_CONVOY


def _has_terrain(request: DealRequest, theme: Theme) -> bool:
    """Whether there are the pieces without which there is no battle of a theme."""
    if request.terrain is None:
        return True
    for kind, count in theme.needs.items():
        if request.terrain.get(kind, 0) < count:
            return False
    has_river = any(isinstance(feature, Water) for feature in theme.features)
    if not has_river:
        return True
    # A river goes from one side of the table to the other. The code of the battle may hold less of
    # it than there is, and the battle is dealt from the code.
    river_feet = lower_step("river", request.terrain.get("river", 0))
    return river_feet >= max(request.width, request.depth) + FEET_FOR_WINDING


def _can_fight(request: DealRequest, region: Region) -> bool:
    """Whether the nations asked for are enemies in the region (its first nation fights any other),
    in the month if one is asked for."""
    nations = request.nations
    if not set(nations) <= set(region.nations):
        return False
    if request.month is not None:
        for nation in nations:
            if region.first_month_of(nation) > request.month:
                return False
    if len(nations) < 2:
        return True
    return region.nations[0] in nations


def _opponents(
    request: DealRequest, theme: Theme, region: Region, month: str, chance: Random
) -> Opponents:
    """Who fights whom. If one nation at most is asked for, the first nation of the region, which
    holds it, fights that one or any other."""
    if len(request.nations) == 2:
        return Opponents(*request.nations)  # also who attacks is asked for: nothing is drawn
    holder, *all_its_enemies = region.nations
    # Never empty: each region has an enemy from its first month on.
    enemies = [nation for nation in all_its_enemies if region.first_month_of(nation) <= month]
    # Drawn even if one nation is asked for, so that what is drawn next is the same as if none were.
    enemy = chance.choice(enemies)
    if request.nations and request.nations[0] != holder:
        enemy = request.nations[0]
    # Who comes from abroad, as over a beach, attacks those who hold the region. Otherwise either of
    # them attacks, as chance has it.
    if theme.from_abroad or chance.random() < 0.5:
        return Opponents(attacker=enemy, defender=holder)
    return Opponents(attacker=holder, defender=enemy)


def _month(request: DealRequest, region: Region, chance: Random) -> str:
    """The month asked for, or any in which the nations asked for fought in the region."""
    return chance.choice(_months_of_fighting(request, region))


def _months_of_fighting(request: DealRequest, region: Region) -> list[str]:
    """The month asked for, or else all in which the nations asked for fought in the region, in the
    year asked for if there is one."""
    if request.month is not None:
        return [request.month]
    first = region.first
    for nation in request.nations:
        first = max(first, region.first_month_of(nation))
    months = _months(first, region.last)
    if request.year is None:
        return months
    return [month for month in months if month.startswith(f"{request.year}-")]


def _months(first: str, last: str) -> list[str]:
    """All months from the ``first`` to the ``last``: ``1943-12``, ``1944-01``."""
    months = []
    year, month = (int(part) for part in first.split("-"))
    while f"{year}-{month:02}" <= last:
        months.append(f"{year}-{month:02}")
        month += 1
        if month > 12:
            year, month = year + 1, 1
    return months
