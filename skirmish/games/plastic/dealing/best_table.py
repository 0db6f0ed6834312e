"""Lays some tables for a battle and takes the best of them.

A table may turn out without a way to the objective, bare, or with nothing to fight for. Each fault
has a penalty. ``TableBuilder`` lays a table: it has a builder for each kind of feature, as
``feature_builder`` says.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from random import Random
from typing import NamedTuple

import msgspec

from skirmish.games.plastic.dealing import themes
from skirmish.games.plastic.dealing.feature_builder import FeatureBuilder
from skirmish.games.plastic.dealing.fields import FieldBuilder
from skirmish.games.plastic.dealing.ground import GroundBuilder
from skirmish.games.plastic.dealing.regions import Region
from skirmish.games.plastic.dealing.roads import RoadBuilder
from skirmish.games.plastic.dealing.squares import (
    BLOCKS_MODELS,
    BUILT_OVER,
    COVER,
    AttackFrame,
    Square,
    Surface,
)
from skirmish.games.plastic.dealing.table import LaidTable, Raw, TerrainStock
from skirmish.games.plastic.dealing.terrain import in_inches
from skirmish.games.plastic.dealing.themes import Theme
from skirmish.games.plastic.dealing.villages import VillageBuilder
from skirmish.games.plastic.dealing.waters import WaterBuilder
from skirmish.games.plastic.dealing.wishes import Wishes
from skirmish.tabletop.plane import Point

ATTEMPTS = 8
"""The most tables that are laid before the best of them is taken."""
# The penalties of a table for its faults, which are added up. The first weighs more than all others
# together.
NOBODY_GETS_THERE = 20
NO_MODEL_GETS_THERE = 5
TOO_FEW_TO_FIGHT_FOR = 6
ONE_WAY_OVER_WATER = 3
COVER_IS_UNUSUAL = 2
NOBODY_SEES_OBJECTIVE = 1

LEAST_HOUSES = 3
"""With fewer houses in a village there is too little to fight for."""
LEAST_TARGETS = 4
"""With fewer parked aircraft there is too little to fight for."""
ENOUGH_WAYS_OVER = 2
"""Crossings of the water, so that all does not depend on a single one."""
BARE = 12
"""Percent of cover below which any table is bare: the median of the book's ten scenarios is 14."""
COVER_LEEWAY = 4
"""Percent by which there may be more cover than the region has."""
SIGHT = 24
"""Inches before the objective from which it is looked at."""
EYES_APART = 8
"""Inches across the table from one place from which it is looked at to the next."""
FARTHEST_EYE = 36
"""Inches from the objective: places farther away, which are far to one side of it, do not count."""
MOSTLY_HIDDEN = 0.9
"""The part of the lines of sight to an objective: if more are blocked, nobody can fire at it."""
MEETING_FRONT = 0.5
"""The share of the way along the attack at which both sides meet, if no defender begins in a
zone."""
REACH_OF_FIRE = 12
"""Inches in front of the defenders within which attackers need cover: so far a rifle fires."""

# How aircraft are parked.
BETWEEN_GROUPS = 25
"""Inches from the middle of one group of aircraft to that of the other."""
BETWEEN_AIRCRAFT = 5.2
"""Inches across, from one aircraft of a group to the next."""
ZIGZAG = 5.4
"""Inches along by which every second aircraft of a group stands behind the others."""
SET_BACK = 1.5
"""Inches by which the second group stands farther back: nobody parks in one line."""
AIRCRAFT_ROOM = 3.4
"""Inches round the middle of an aircraft that are clear of water, roads, houses and hills."""
OPEN_ROUND_AIRCRAFT = 3.8
"""Inches round the middle of a parked aircraft in which no woods, fields and the like are laid."""


class MeasuredTable(NamedTuple):
    """A table, and what was measured on it."""

    table: LaidTable
    penalty: int
    """For all of its faults together; 0 for a table that has none."""
    walk: float
    """Inches that the attackers walk to the objective."""
    near_cover: float
    """The part of the defenders' front that the attackers can reach in cover."""


def best_table(
    wishes: Wishes, theme: Theme, region: Region, frame: AttackFrame, chance: Random
) -> MeasuredTable:
    """The first table without a fault; if all of them have one, that with the least penalty."""
    owned: Mapping[str, int] | None = None
    if wishes.terrain is not None:
        owned = in_inches(wishes.terrain)
    best: MeasuredTable | None = None
    for _ in range(ATTEMPTS):
        table = LaidTable(theme, region, frame, TerrainStock(owned))
        TableBuilder(table, chance).lay()
        measured = _measured(table, wishes)
        if best is None or measured.penalty < best.penalty:
            best = measured
        if best.penalty == 0:
            break
    assert best is not None, "a table was laid"
    return best


def _measured(table: LaidTable, wishes: Wishes) -> MeasuredTable:
    """Measure on a table what matters for choosing it, and for the forces."""
    starts = _starts(table)
    walk = table.squares.walk(starts, table.objective, Surface.WATER)
    penalty = _penalty_of(table, wishes)
    if walk is None:
        penalty += NOBODY_GETS_THERE
        # Should it be the best of them all the same, the battle lasts as long as for a way straight
        # along the table.
        walk = float(table.frame.length)
    elif table.squares.walk(starts, table.objective, BLOCKS_MODELS) is None:
        penalty += NO_MODEL_GETS_THERE
    return MeasuredTable(table, penalty, walk, _near_cover(table))


def _penalty_of(table: LaidTable, wishes: Wishes) -> int:
    """The penalty for what is wrong with a table, apart from the way to its objective."""
    theme = table.theme
    penalty = 0
    least, most = table.region.cover
    cover = table.cover_percent()
    is_overgrown = cover > most + COVER_LEEWAY
    # Even a region with much cover may have a table with less, as long as it is not bare.
    is_bare = cover < min(least, BARE)
    # Behind a beach there is little room for cover, and players who own few woods can lay few.
    may_be_bare = table.shore > 0 or wishes.terrain is not None
    if is_overgrown or (is_bare and not may_be_bare):
        penalty += COVER_IS_UNUSUAL
    if theme.objective == "village" and len(table.houses) < LEAST_HOUSES:
        penalty += TOO_FEW_TO_FIGHT_FOR
    if theme.objective == "targets" and len(table.targets) < LEAST_TARGETS:
        penalty += TOO_FEW_TO_FIGHT_FOR
    if theme.victory.around == "bridge" and len(table.crossings) < ENOUGH_WAYS_OVER:
        penalty += ONE_WAY_OVER_WATER
    wants_a_view = theme.objective in ("bridge", "middle")
    if wants_a_view and _hidden_part(table) > MOSTLY_HIDDEN:
        penalty += NOBODY_SEES_OBJECTIVE
    return penalty


def _starts(table: LaidTable) -> list[Square]:
    """Where the attackers enter: over their edge, or over the shore of a sea."""
    along = int(table.shore)
    breadth = table.frame.breadth
    if any(group.entry == "corners" for group in table.theme.attackers):
        # The third square from either side of the table.
        return [(along, 2), (along, breadth - 3)]
    # Every few inches is enough to find the shortest way.
    return [(along, across) for across in range(4, breadth - 4, 3)]


def _near_cover(table: LaidTable) -> float:
    """The part of the defenders' front that has cover for attackers within ``REACH_OF_FIRE``."""
    front_shares: list[float] = []
    for group in table.theme.defenders:
        if group.zone is not None:
            nearest_to_attacker, _ = group.zone
            front_shares.append(nearest_to_attacker)
    foremost_share = min(front_shares, default=MEETING_FRONT)
    front = int(foremost_share * table.frame.length)
    # Every 6 inches of the front will do: cover is looked for 4 inches to either side of each.
    places = range(3, table.frame.breadth, 6)
    with_cover = [across for across in places if _has_cover_before(table, front, across)]
    return len(with_cover) / len(places)


def _has_cover_before(table: LaidTable, front: int, across: int) -> bool:
    """Whether attackers find cover before this place of the defenders' front. Every second square
    is looked at, which is enough to see a wood or a hedge."""
    squares = []
    for along in range(front - REACH_OF_FIRE, front, 2):
        for beside in range(across - 4, across + 5, 2):
            squares.append((along, beside))
    return not table.squares.are_free_of(COVER, squares)


def _hidden_part(table: LaidTable) -> float:
    """The part of the lines of sight to the objective that something blocks. They begin ``SIGHT``
    inches before it, at places all across the table."""
    objective = table.objective
    objective_along, _ = objective
    eyes_along = max(objective_along - SIGHT, 1.0)
    lines_of_sight = 0
    blocked = 0
    for across in range(4, table.frame.breadth, EYES_APART):
        eye = (eyes_along, float(across))
        if math.dist(eye, objective) > FARTHEST_EYE:
            continue
        lines_of_sight += 1
        if not table.squares.is_in_sight(objective, eye):
            blocked += 1
    if lines_of_sight == 0:
        return 0.0
    return blocked / lines_of_sight


# ------------------------------------------------------------------ laying a table


class TableBuilder:
    """Lays all of a table that is empty so far. The aircraft of an airfield, which no other table
    has, are laid by ``AirfieldBuilder``, below."""

    def __init__(self, table: LaidTable, chance: Random) -> None:
        self._table = table
        self._chance = chance

    def lay(self) -> None:
        """Lay all that the theme has, in its order, and then woods where it is bare."""
        # One builder lays all of the ground, since all hills lie in one direction by and large.
        lie_of_hills = self._chance.uniform(0, 180)
        ground = GroundBuilder(self._table, self._chance, lie_of_hills)
        for feature in self._table.theme.features:
            self._lay(feature, ground)
            if feature.in_both_halves:
                # Mirrored: what lies at a quarter of the way lies at three quarters, too.
                start, end = feature.share
                other_half = msgspec.structs.replace(feature, share=(1 - end, 1 - start))
                self._lay(other_half, ground)
        ground.fill_with_cover()

    def _lay(self, feature: themes.AnyFeature, ground: GroundBuilder) -> None:
        """Lay a feature by its kind."""
        table, chance = self._table, self._chance
        match feature:
            case themes.Water():
                WaterBuilder(table, chance).lay_river(feature)
            case themes.Sea():
                WaterBuilder(table, chance).lay_sea(feature)
            case themes.Road():
                RoadBuilder(table, chance).lay_road(feature)
            case themes.Village():
                VillageBuilder(table, chance).lay_village(feature)
            case themes.Hills():
                ground.lay_hills(feature)
            case themes.Woods():
                ground.lay_woods(feature)
            case themes.Orchards():
                ground.lay_orchards(feature)
            case themes.Marsh():
                ground.lay_marsh(feature)
            case themes.Hollows():
                ground.lay_hollows(feature)
            case themes.FieldStrips():
                FieldBuilder(table, chance).lay_fields(feature)
            case themes.Hedges():
                FieldBuilder(table, chance).lay_hedges(feature)
            case themes.Targets():
                AirfieldBuilder(table, chance).park_aircraft(feature)


class AirfieldBuilder(FeatureBuilder):
    """Lays the aircraft of an airfield, the targets of a raid."""

    def park_aircraft(self, targets: themes.Targets) -> None:
        """Two groups of parked aircraft side by side; each stands in a zigzag."""
        wanted = self._number(targets.count)
        along = self._along(targets.share)
        middle = self._frame.breadth / 2 + self._chance.uniform(-4, 4)
        # Of an odd number, the first group has the one that is left over.
        in_second_group = wanted // 2
        in_first_group = wanted - in_second_group
        self._park_group(in_first_group, (along, middle - BETWEEN_GROUPS / 2), set_back=0.0)
        self._park_group(in_second_group, (along, middle + BETWEEN_GROUPS / 2), set_back=SET_BACK)

    def _park_group(self, count: int, middle: Point, set_back: float) -> None:
        """Park so many aircraft side by side around a middle, every second one behind the others,
        and the whole group ``set_back`` inches farther back."""
        along, across = middle
        for number in range(count):
            off = (number - (count - 1) / 2) * BETWEEN_AIRCRAFT
            back = set_back
            is_second_of_two = number % 2 == 1
            if is_second_of_two:
                back += ZIGZAG
            self._park((along + back, across + off))

    def _park(self, place: Point) -> None:
        """Park an aircraft with its middle there, unless there is no room for it."""
        if not self._squares.are_inside([place], 3):
            return
        if not self._squares.are_free_of(BUILT_OVER, self._squares.in_disc(place, AIRCRAFT_ROOM)):
            return
        self._table.targets.append(place)
        self._squares.lay(self._squares.in_disc(place, OPEN_ROUND_AIRCRAFT), Surface.KEPT_OPEN)
        # About toward the attacker, in degrees.
        facing = round((self._frame.turn + 180 + self._chance.uniform(-12, 12)) % 360)
        mark: Raw = {"kind": "aircraft", "at": self._table.on_map(place), "facing": facing}
        self._table.add_part("mark", mark)
