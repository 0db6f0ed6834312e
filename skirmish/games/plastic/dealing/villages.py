"""Lays the village of a dealt table: houses along its roads, and a church."""

from __future__ import annotations

import math
from typing import NamedTuple

from skirmish.games.plastic.dealing import themes
from skirmish.games.plastic.dealing.feature_builder import ROAD_HALF, SIDES, FeatureBuilder
from skirmish.games.plastic.dealing.squares import BUILT_OVER, Surface
from skirmish.games.plastic.dealing.table import Raw
from skirmish.tabletop import plane
from skirmish.tabletop.plane import Point, Station


class BuildingSize(NamedTuple):
    """The sides of a building, in inches: ``long`` beside the road, ``deep`` away from it."""

    long: float
    deep: float


HOUSE = BuildingSize(4.6, 2.9)
CHURCH = BuildingSize(6.4, 3.0)
CHURCH_SET_BACK = 1.6
"""Inches by which a church stands farther from the road than a house."""
HOUSES_WITH_A_CHURCH = 5
"""A village of so many houses has a church among them."""
VILLAGE_REACH = 22
"""Inches from the middle of a village to its farthest house."""
BEYOND_WATER = 9
"""Inches from the far bank to the middle of a village beyond the water."""


class VillageBuilder(FeatureBuilder):
    """Lays villages."""

    def lay_village(self, village: themes.Village) -> None:
        """Houses on both sides of the roads, from the middle of the village outward; a church is
        the first of them."""
        table = self._table
        table.village = self._middle_of(village)
        wanted = self._number(village.houses)
        church_is_due = wanted >= HOUSES_WITH_A_CHURCH
        for station in self._beside_roads(table.village):
            if len(table.houses) >= wanted:
                return
            # On both sides, in either order.
            for side in self._chance.sample(SIDES, len(SIDES)):
                if len(table.houses) >= wanted:
                    return
                is_laid = self._lay_building(
                    station, side, is_church=church_is_due, is_numbered=village.numbered
                )
                if is_laid:
                    church_is_due = False

    def _beside_roads(self, middle: Point) -> list[Station]:
        """The places of all roads that are near enough to the middle of a village, the nearest
        first."""
        near = []
        for run in self._table.roads:
            for station in plane.stations(run, 1.2):
                if math.dist(station.at, middle) <= VILLAGE_REACH:
                    near.append(station)
        return sorted(near, key=lambda station: math.dist(station.at, middle))

    def _middle_of(self, village: themes.Village) -> Point:
        """Where the theme wants the village; the middle of the table if there is no such place."""
        table = self._table
        match village.where:
            case "beyond_water" if table.crossings:
                return table.beyond_first_crossing(BEYOND_WATER)
            case "crossroads" if table.roads:
                return self._crossroads()
            case "road" if table.main_road:
                return self._on_main_road(village)
        return table.middle

    def _on_main_road(self, village: themes.Village) -> Point:
        """The place of the main road that has the theme's share of the way; without a share of its
        own, one near the middle."""
        road = self._table.main_road
        # Drawn in any case, as the order of draws is fixed: see the head of ``feature_builder``.
        part_of_road = self._chance.uniform(0.35, 0.65)
        if village.share == themes.ALL_THE_WAY:
            return road[int(part_of_road * (len(road) - 1))]
        wanted = self._along(village.share)

        def off(place: Point) -> float:
            along, _ = place
            return abs(along - wanted)

        return min(road, key=off)

    def _crossroads(self) -> Point:
        """Where the first two roads come nearest to each other; the middle of a single road."""
        roads = self._table.roads
        if len(roads) == 1:
            (only_road,) = roads
            return only_road[len(only_road) // 2]
        first_road, second_road = roads[:2]
        nearest = first_road[0]
        least = math.inf
        for place in first_road:
            apart = min(math.dist(place, other_place) for other_place in second_road)
            # Of several places that are equally near, the one least along the attack.
            if (apart, place) < (least, nearest):
                nearest, least = place, apart
        return nearest

    def _lay_building(
        self, station: Station, side: int, *, is_church: bool, is_numbered: bool
    ) -> bool:
        """Lay a house or a church beside a place of a road; returns False, and lays nothing, if
        there is no room for it or no house left in the stock."""
        if not self._stock.has("house"):
            return False
        size, set_back = HOUSE, 0.0
        if is_church:
            size, set_back = CHURCH, CHURCH_SET_BACK
        long = round(size.long * self._chance.uniform(0.92, 1.06), 1)
        off = ROAD_HALF + size.deep / 2 + self._chance.uniform(0.6, 1.2) + set_back
        place = plane.ahead(station.at, station.heading + side * math.pi / 2, off)
        # By and large along the road, in degrees.
        turn = math.degrees(station.heading) + self._chance.uniform(-7, 7)
        outline = plane.oblong(place, long, size.deep, turn)
        if not self._squares.are_inside(outline, 2.0):
            return False
        occupied = BUILT_OVER | Surface.CROSSING
        if not self._squares.are_free_of(occupied, self._squares.around_outline(outline, 0.8)):
            return False
        # A house takes 0.7 inches around it, and 0.8 have to be free around the next, so that they
        # stand 1.5 inches apart at least.
        self._squares.lay(self._squares.around_outline(outline, 0.7), Surface.HOUSE)
        self._table.houses.append(place)
        self._stock.use("house")
        building: Raw = {
            "at": self._table.on_map(place),
            "size": [long, size.deep],
            # From -90 to 90 degrees: turned half round it is the same oblong.
            "turn": round((turn + self._frame.turn + 90) % 180 - 90),
        }
        if is_church:
            building["kind"] = "church"
        if is_numbered:
            building["number"] = len(self._table.houses)
        self._table.add_part("building", building)
        return True
