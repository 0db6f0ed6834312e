"""Lays the water of a dealt table: a river with the places where roads may cross it, or a sea."""

from __future__ import annotations

import math

from skirmish.games.plastic.dealing import themes
from skirmish.games.plastic.dealing.feature_builder import FeatureBuilder
from skirmish.games.plastic.dealing.squares import Surface
from skirmish.games.plastic.dealing.table import Raw, WaterCrossing
from skirmish.tabletop import plane
from skirmish.tabletop.plane import Point

EDGE_ROOM = 12.0
"""Inches from the sides of the table to a crossing at least."""
LEAST_CROSSINGS = 2
"""However few a theme wants: with a single one the whole battle would depend on it."""
LEAST_APART, MOST_APART = 18, 30
"""Inches from one crossing to the next."""
LONGEST_WAVE = 14
"""Inches from one place of a wavy line to the next, about."""
SLOPE_BEHIND_WALL = 13.4
"""Inches from the seawall of a beach to the top of the slope behind it."""


class WaterBuilder(FeatureBuilder):
    """Lays rivers and seas."""

    def lay_river(self, water: themes.Water) -> None:
        """A river, and the places where roads may cross it. Without enough river to lay there are
        only these places, on dry ground."""
        width = round(self._chance.uniform(*water.wide), 1)
        path = self._winding(self._along(water.share))
        inches = round(plane.length(path))
        has_river = self._stock.has("river", inches)
        table = self._table
        table.water = plane.curved(path)
        if has_river:
            self._stock.use("river", inches)
            table.water_width = width
        self._choose_crossings(self._number(water.crossings))
        # Dry ground is no part of the map.
        if not has_river:
            return
        self._squares.lay(self._squares.along_path(table.water, width / 2), Surface.WATER)
        line: Raw = {"kind": "river", "points": table.path_on_map(path), "curve": True}
        # In a desert it is a stream, which has one width on every map.
        if table.region.is_desert:
            line["kind"] = "stream"
        else:
            line["width"] = width
        table.add_part("line", line)

    def _winding(self, base: float) -> list[Point]:
        """The line of a river from one side of the table to the other. It winds to either side of
        its ``base``, which is so many inches along the attack."""
        path: list[Point] = []
        across = 0.0
        # 1: behind the base, as the attacker sees it; -1: before it.
        swing = self._chance.choice((-1, 1))
        while across < self._frame.breadth:
            path.append((base + swing * self._chance.uniform(0.8, 2.2), across))
            swing = -swing
            across += self._chance.uniform(10, 14)
        path.append((base + swing * self._chance.uniform(0.8, 2.2), float(self._frame.breadth)))
        return path

    def _choose_crossings(self, wanted: int) -> None:
        """Places where roads go over the water: bridges as far as there are any, the others are
        fords."""
        # As many as have room beside one another, evenly apart; where there is room left over, it
        # is chance how much of it lies before the first.
        room = self._frame.breadth - 2 * EDGE_ROOM
        most_with_room = int(room // LEAST_APART) + 1
        count = max(LEAST_CROSSINGS, min(wanted, most_with_room))
        apart = min(self._chance.uniform(LEAST_APART, MOST_APART), room / (count - 1))
        room_left_over = max(room - apart * (count - 1), 0)
        first = EDGE_ROOM + self._chance.uniform(0, room_left_over)
        places_across = [first + apart * number for number in range(count)]
        # Bridges go to the first of the list, so that these are not always on the same side.
        self._chance.shuffle(places_across)
        for across in places_across:
            station = self._water_at(across)
            # The line of the river goes from the right of the table to its left, so a quarter turn
            # to the right is the direction of the attack.
            heading = station.heading - math.pi / 2
            has_bridge = self._stock.has("bridge")
            if has_bridge:
                self._stock.use("bridge")
            crossing = WaterCrossing(station.at, heading, is_ford=not has_bridge)
            self._table.crossings.append(crossing)

    def _water_at(self, across: float) -> plane.Station:
        """The place of the water that is nearest to this place across."""

        def off(station: plane.Station) -> float:
            _, across_here = station.at
            return abs(across_here - across)

        return min(plane.stations(self._table.water, 1.0), key=off)

    def lay_sea(self, sea: themes.Sea) -> None:
        """Sea at the attacker's edge, a beach up to a seawall with a gap, and a slope behind."""
        # How deep each is along the attack, beginning at its edge.
        water = self._chance.uniform(*sea.water)
        sand = self._chance.uniform(*sea.sand)
        shore = self._wavy(water, 0.5)
        wall = self._wavy(water + sand, 0.6)
        foot = self._wavy(water + sand + SLOPE_BEHIND_WALL - sea.slope, 0.5)
        top = [(along + sea.slope, across) for along, across in foot]
        sea_outline = [(0.0, 0.0), *shore, (0.0, float(self._frame.breadth))]
        self._draw_sea(sea_outline)
        self._draw_beach(shore, wall)
        self._draw_seawall(wall)
        slope = {"crest": self._table.path_on_map(top), "foot": self._table.path_on_map(foot)}
        self._table.add_part("slope", slope)
        self._table.shore = water
        self._squares.lay(self._squares.in_outline(sea_outline), Surface.WATER)
        # All is kept open up to the top of the slope.
        self._squares.lay(self._squares.in_outline([*shore, *reversed(top)]), Surface.KEPT_OPEN)
        self._squares.lay(self._squares.along_path(top, 2.5), Surface.HILL)
        # Men find cover behind a seawall as behind a hedge.
        self._squares.lay(self._squares.along_path(wall, 1.0), Surface.HEDGE)

    def _wavy(self, along: float, by: float) -> list[Point]:
        """A line across the table that wavers by so many inches."""
        parts = max(round(self._frame.breadth / LONGEST_WAVE), 3)
        path = []
        for part in range(parts + 1):
            place = (along + self._chance.uniform(-by, by), self._frame.breadth * part / parts)
            path.append(place)
        return path

    def _draw_sea(self, outline: list[Point]) -> None:
        """Put the sea on the map. Of its outline only the shore bends: all but the first place and
        the last, which are corners of the table."""
        last_of_shore = len(outline) - 2
        area: Raw = {
            "kind": "sea",
            "points": self._table.path_on_map(outline),
            "curve": [1, last_of_shore],
        }
        self._table.add_part("area", area)

    def _draw_beach(self, shore: list[Point], wall: list[Point]) -> None:
        """Put the sand between the shore and the seawall on the map."""
        outline = [*shore, *reversed(wall)]
        area: Raw = {"kind": "beach", "points": self._table.path_on_map(outline)}
        self._table.add_part("area", area)

    def _draw_seawall(self, wall: list[Point]) -> None:
        """Put the seawall on the map. It has a gap a third of the way across the table, between one
        of its places and the next."""
        gap = len(wall) // 3
        for run in (wall[: gap + 1], wall[gap + 1 :]):
            # The stones of a seawall point to the right of its direction, here to the sea.
            points = self._table.path_on_map(reversed(run))
            self._table.add_part("line", {"kind": "seawall", "points": points, "curve": True})
