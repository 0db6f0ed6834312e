"""Chooses what is dealt: the table, the names on it, the last turn, and the forces of both sides.

The order in which ``chance`` is asked is part of what a code means: see the head of
``feature_builder``.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from skirmish.games.plastic.dealing.best_table import ENOUGH_WAYS_OVER, best_table
from skirmish.games.plastic.dealing.clock import last_turn_of
from skirmish.games.plastic.dealing.forces import Enlistment, Forces
from skirmish.games.plastic.dealing.names import PlaceNames
from skirmish.games.plastic.dealing.regions import Region
from skirmish.games.plastic.dealing.squares import AttackFrame
from skirmish.games.plastic.dealing.table import LaidTable
from skirmish.games.plastic.dealing.themes import Theme
from skirmish.games.plastic.dealing.wishes import FORCE_SEEDS, SEED_PREFIX, Books, Wishes
from skirmish.games.plastic.scenarios.scenario_part import Edge
from skirmish.tabletop.measure import INCHES_A_FOOT

FIRST_WITH_CHARGES = 2
"""The first version of the dealer that lays charges."""


class ChosenBattle(NamedTuple):
    """What was chosen for a seed."""

    wishes: Wishes
    theme: Theme
    region: Region
    table: LaidTable
    names: PlaceNames
    title: str
    """As in the theme, with words in braces where names of places and peoples belong."""
    situation: str
    """Sentences of the theme, with words in braces as in the title."""
    last_turn: int
    forces: Forces
    is_mined: bool
    """Whether the defenders have laid charges under the bridge, which is the first crossing."""


def choose_battle(wishes: Wishes, seed: int, books: Books) -> ChosenBattle:
    """The battle of these wishes and this seed. Raises NoSuchBattleError."""
    theme = books.themes[wishes.theme]
    region = books.regions.regions[wishes.region]
    table_seed, force_seed = divmod(seed, FORCE_SEEDS)
    # With a text as its seed, Python draws the same on every machine.
    table_chance = Random(f"{SEED_PREFIX}:table:{table_seed}")
    force_chance = Random(f"{SEED_PREFIX}:forces:{force_seed}")
    frame = _attack_frame(wishes, theme, table_chance)
    measured = best_table(wishes, theme, region, frame, table_chance)
    names = PlaceNames(region, table_chance)
    title = table_chance.choice(_sentences_for(measured.table, theme.titles))
    situation = table_chance.choice(_sentences_for(measured.table, theme.situations))
    last_turn = last_turn_of(theme, wishes.length, measured.walk)
    forces = Enlistment(wishes, books, measured, last_turn, force_chance).forces()
    return ChosenBattle(
        wishes=wishes,
        theme=theme,
        region=region,
        table=measured.table,
        names=names,
        title=title,
        situation=situation,
        last_turn=last_turn,
        forces=forces,
        is_mined=_is_mined(wishes, theme, measured.table, seed),
    )


def _is_mined(wishes: Wishes, theme: Theme, table: LaidTable, seed: int) -> bool:
    """Whether there are charges under the bridge. They are laid only where there is another way
    over the water; otherwise the battle could end with the first draw for them."""
    if wishes.version < FIRST_WITH_CHARGES or len(table.crossings) < ENOUGH_WAYS_OVER:
        return False
    if table.crossings[0].is_ford:
        return False
    # A chance of its own, so that table and forces are those of battles without charges.
    chance = Random(f"{SEED_PREFIX}:charges:{seed}")
    return chance.randrange(100) < theme.charges


def _sentences_for(table: LaidTable, sentences: Sequence[str]) -> Sequence[str]:
    """Those of a theme's sentences that are true of a table: on one without houses, those that name
    no village. If all of them name one, then all of them, as there must be one to choose."""
    if table.houses:
        return sentences
    without_village = [sentence for sentence in sentences if "{village}" not in sentence]
    if without_village:
        return without_village
    return sentences


def _attack_frame(wishes: Wishes, theme: Theme, chance: Random) -> AttackFrame:
    """The table as it is attacked. The theme says whether the attackers cross it the long way or
    the short way; by chance they enter at one end of that way or at the other."""
    width, depth = wishes.width * INCHES_A_FOOT, wishes.depth * INCHES_A_FOOT
    over_the_width: list[Edge] = ["W", "E"]
    over_the_depth: list[Edge] = ["S", "N"]
    long_way, short_way = over_the_width, over_the_depth
    if depth > width:
        long_way, short_way = over_the_depth, over_the_width
    edges = short_way
    if theme.attack == "long":
        edges = long_way
    return AttackFrame(chance.choice(edges), width, depth)
