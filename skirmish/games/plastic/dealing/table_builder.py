"""Lays the table of a dealt battle: all that its theme has, then woods where it is bare.

Each kind of feature has a builder: see ``feature_builder``. What only airfields have, parked
aircraft, is laid here.
"""

from __future__ import annotations

from random import Random

import msgspec

from skirmish.games.plastic.dealing import themes
from skirmish.games.plastic.dealing.feature_builder import FeatureBuilder
from skirmish.games.plastic.dealing.fields import FieldBuilder
from skirmish.games.plastic.dealing.ground import GroundBuilder
from skirmish.games.plastic.dealing.roads import RoadBuilder
from skirmish.games.plastic.dealing.squares import BUILT_OVER, Surface
from skirmish.games.plastic.dealing.table import LaidTable, Raw
from skirmish.games.plastic.dealing.villages import VillageBuilder
from skirmish.games.plastic.dealing.waters import WaterBuilder
from skirmish.tabletop.plane import Point

BETWEEN_GROUPS = 25
"""Inches from the middle of one group of aircraft to that of the other."""
BETWEEN_AIRCRAFT = 5.2
"""Inches across, from one aircraft of a group to the next."""
ZIGZAG = 5.4
"""Inches along by which every second aircraft of a group stands behind the others."""
SET_BACK = 1.5
"""Inches by which the second group stands farther back: nobody parks in one line."""


class TableBuilder:
    """Lays a table that is empty so far."""

    def __init__(self, table: LaidTable, chance: Random) -> None:
        self._table = table
        self._chance = chance

    def lay(self) -> None:
        """Lay all that the theme has, in its order, and then woods where it is bare."""
        lie_of_hills = self._chance.uniform(0, 180)
        ground = GroundBuilder(self._table, self._chance, lie_of_hills)
        for feature in self._table.theme.features:
            self._lay(feature, ground)
            if feature.both:
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
        """So many aircraft side by side, every second one behind the others; all of them stand so
        many inches farther back."""
        along, across = middle
        for number in range(count):
            off = (number - (count - 1) / 2) * BETWEEN_AIRCRAFT
            zigzag = (number % 2) * ZIGZAG
            self._park((along + zigzag + set_back, across + off))

    def _park(self, place: Point) -> None:
        """An aircraft with its middle there, if there is room."""
        if not self._squares.are_inside([place], 3):
            return
        if not self._squares.are_free_of(BUILT_OVER, self._squares.in_disc(place, 3.4)):
            return
        self._table.targets.append(place)
        self._squares.lay(self._squares.in_disc(place, 3.8), Surface.KEPT_OPEN)
        # About toward the attacker, in degrees.
        facing = round((self._frame.turn + 180 + self._chance.uniform(-12, 12)) % 360)
        mark: Raw = {"kind": "aircraft", "at": self._table.on_map(place), "facing": facing}
        self._table.add_part("mark", mark)
