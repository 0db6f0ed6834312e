"""Lays the roads of a dealt table, along the attack or across it, and what takes them over the
water."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from skirmish.games.plastic.dealing import themes
from skirmish.games.plastic.dealing.feature_builder import ROAD_HALF, FeatureBuilder
from skirmish.games.plastic.dealing.squares import Surface
from skirmish.games.plastic.dealing.table import WaterCrossing
from skirmish.tabletop import plane
from skirmish.tabletop.plane import Point

TRACK_HALF = 0.6
"""Half of the width of a track, in inches."""
ROAD_ROOM = 8.0
"""Inches from the sides of the table to the end of a road at least."""
STRAIGHT_OVER_WATER = 5.0
"""Inches before and behind the middle of the water on which a road does not bend."""
ASIDE = (0.2, 0.8)
"""Where across the table a road lies that goes round the middle, as parts of its breadth."""


class RoadEnds(NamedTuple):
    """Where a road along the attack begins, and where it ends."""

    start: Point
    end: Point


class RoadBuilder(FeatureBuilder):
    """Lays roads and tracks, bridges and fords."""

    def lay_road(self, road: themes.Road) -> None:
        """A road, or a track where there is not enough road. A road over the water takes the next
        crossing, and is left out if each has a road already; on a table without any water it goes
        where it would go otherwise."""
        if road.over == "water" and self._table.crossings:
            crossing = self._next_crossing()
            if crossing is not None:
                self._lay_path(road, self._road_over(crossing))
                self._lay_crossing(crossing)
        elif road.across is not None:
            self._lay_path(road, self._road_across(road.across))
        else:
            self._lay_path(road, self._road_along(road))

    def _lay_path(self, road: themes.Road, path: list[Point]) -> None:
        """Lay a road or track along a path."""
        kind, half_width = "road", ROAD_HALF
        inches = round(plane.length(path))
        # Tracks are cloth or chalk: they take none of the roads that somebody owns.
        if road.track or not self._stock.has("road", inches):
            kind, half_width = "track", TRACK_HALF
        else:
            self._stock.use("road", inches)
        table = self._table
        run = plane.curved(path)
        table.roads.append(run)
        # Until a main road is laid, the first road stands in for it.
        if road.main or not table.main_road:
            table.main_road = run
        self._squares.lay(self._squares.along_path(run, half_width + 0.4), Surface.ROAD)
        points = table.path_on_map(path)
        table.add_part("line", {"kind": kind, "points": points, "curve": True})

    # ------------------------------------------------------------------ over the water

    def _next_crossing(self) -> WaterCrossing | None:
        """The first crossing to which no road leads yet; None if all have one."""
        # Roads take the crossings in their order.
        crossings = self._table.crossings
        roads_over = [run for run in self._table.roads if self._is_over_water(run)]
        if len(roads_over) >= len(crossings):
            return None
        return crossings[len(roads_over)]

    def _is_over_water(self, run: Sequence[Point]) -> bool:
        """Whether a road goes over one of the crossings: it comes within an inch of its middle."""
        for crossing in self._table.crossings:
            if any(math.dist(place, crossing.place) < 1 for place in run):
                return True
        return False

    def _lay_crossing(self, crossing: WaterCrossing) -> None:
        """A bridge or a ford, with ground around it that stays free."""
        table = self._table
        half = table.water_width / 2 + 0.7
        near_end = plane.ahead(crossing.place, crossing.heading, -half)
        far_end = plane.ahead(crossing.place, crossing.heading, half)
        ends = [near_end, far_end]
        self._squares.lay(self._squares.along_path(ends, 2.2), Surface.CROSSING)
        # Over dry ground there is a road and no bridge.
        if not crossing.is_ford and table.water_width > 0:
            table.add_part("line", {"kind": "bridge", "points": table.path_on_map(ends)})

    # ------------------------------------------------------------------ where a road goes

    def _road_over(self, crossing: WaterCrossing) -> list[Point]:
        """A road along the attack that goes straight over the water."""
        before_water = plane.ahead(crossing.place, crossing.heading, -STRAIGHT_OVER_WATER)
        behind_water = plane.ahead(crossing.place, crossing.heading, STRAIGHT_OVER_WATER)
        _, across = crossing.place
        start, end = self._ends(across, self._frame.breadth * 0.12)
        # Bent parts lack their last place, which is added here.
        to_the_water = [*self._bent(start, before_water), before_water]
        from_the_water = [*self._bent(behind_water, end), end]
        return [*to_the_water, crossing.place, *from_the_water]

    def _road_along(self, road: themes.Road) -> list[Point]:
        """A road along the attack: round the middle, in two bends, or by and large straight."""
        length, breadth = self._frame.length, self._frame.breadth
        _, middle = self._table.middle
        if road.aside:
            aside = self._chance.choice(ASIDE) * breadth
            start, end = self._ends(aside, 6)
            return self._through([start, (length / 2, aside), end])
        start, end = self._ends(middle, breadth * 0.16)
        if road.bends:
            # To one side after a third of the way, to the other after two thirds.
            swing = breadth * self._chance.uniform(0.16, 0.22)
            side = self._side()
            first_bend = (length * 0.33, middle + side * swing)
            second_bend = (length * 0.67, middle - side * swing)
            return self._through([start, first_bend, second_bend, end])
        if self._table.theme.objective == "middle":
            return self._through([start, self._table.middle, end])
        return self._through([start, end])

    def _road_across(self, share: themes.Shares) -> list[Point]:
        """A road across the attack, between these shares of the way along it."""
        # Drawn in any case, as the order of draws is fixed: see the head of ``feature_builder``.
        along = self._along(share)
        middle_along, middle_across = self._table.middle
        if self._table.theme.objective == "middle":
            along = middle_along
        start = (self._chance.uniform(along - 4, along + 4), 0.0)
        end = (self._chance.uniform(along - 4, along + 4), float(self._frame.breadth))
        return self._through([start, (along, middle_across), end])

    def _ends(self, across: float, drift: float) -> RoadEnds:
        """The ends of a road along the attack: at most ``drift`` inches from a place across."""
        start = (0.0, self._drifted(across, drift))
        end = (float(self._frame.length), self._drifted(across, drift))
        return RoadEnds(start, end)

    def _drifted(self, across: float, drift: float) -> float:
        """A place at most ``drift`` inches from this one across, and not too near to the sides of
        the table."""
        drifted = across + self._chance.uniform(-drift, drift)
        return min(max(drifted, ROAD_ROOM), self._frame.breadth - ROAD_ROOM)

    def _through(self, places: Sequence[Point]) -> list[Point]:
        """A road that bends a little from each of these places to the next."""
        path: list[Point] = []
        for start, end in pairwise(places):
            path += self._bent(start, end)
        return [*path, places[-1]]

    def _bent(self, start: Point, end: Point) -> list[Point]:
        """Places from a start to an end, the end left out, that bend every 8 to 14 inches."""
        start_along, start_across = start
        end_along, end_across = end
        way_along, way_across = end_along - start_along, end_across - start_across
        apart = math.dist(start, end)
        parts = max(round(apart / self._chance.uniform(10, 14)), 1)
        heading = math.atan2(way_across, way_along)
        path = [start]
        for part in range(1, parts):
            share = part / parts
            # Only a little: each bend turns the road by 5 to 20 degrees.
            off = self._chance.uniform(-1.6, 1.6)
            along = start_along + way_along * share - off * math.sin(heading)
            across = start_across + way_across * share + off * math.cos(heading)
            path.append((along, across))
        return path
