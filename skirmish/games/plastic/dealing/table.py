"""Lays the table of a dealt battle: water in the low ground, roads, houses, hills, fields, woods.

Every feature looks for a place that is free; one that finds none is left out. The measures are
those of the ten maps: roads bend every 8 to 14 inches, houses stand 3 to 4 inches from the middle
of a road, woods have one hollow side. Numbers without a name are inches, or a range of them from
which the seed chooses.

A table draws from ``chance`` in a fixed order: whoever draws once more or once less deals other
tables from the codes that players have noted, which needs another ``VERSION`` (``wishes``).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

import msgspec

from skirmish.games.plastic.dealing import themes
from skirmish.games.plastic.dealing.squares import (
    BUILT_OVER,
    COVER,
    AttackFrame,
    Square,
    Squares,
    Surface,
)
from skirmish.games.plastic.dealing.themes import Region, Theme
from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import DEFAULT_WIDTHS
from skirmish.tabletop.plane import Point

ROAD_HALF = DEFAULT_WIDTHS["road"] / 2
TRACK_HALF = 0.6
"""Half of the width of a road, and of a track, in inches."""


class BuildingSize(NamedTuple):
    """The sides of a building, in inches."""

    long: float
    deep: float


HOUSE = BuildingSize(4.6, 2.9)
CHURCH = BuildingSize(6.4, 3.0)
HOUSES_WITH_A_CHURCH = 5
"""A village of so many houses has a church among them."""
VILLAGE_REACH = 22
"""Inches from the middle of a village to its farthest house."""
TRIES = 60
"""Places that are looked at for one feature before it is left out."""
EDGE_ROOM = 12.0
"""Inches from the sides of the table to a crossing or a village at least."""
LEAST_APART, MOST_APART = 18, 30
"""Inches from one crossing to the next."""
ROAD_ROOM = 8.0
"""Inches from the sides of the table to the end of a road at least."""
SLOPE_BEHIND_WALL = 13.4
"""Inches from the seawall of a beach to the top of the slope behind it."""
HOLLOW_SIDE = 0.62
"""How far the corner of a patch that is drawn in reaches; the others reach about 1."""
MOST_WOODS = 24
"""Woods that are added at most where a table is bare."""
THIRDS = ((0.04, 0.35), (0.35, 0.65), (0.65, 0.96))
"""The table in three parts, as shares of the way along the attack; its edges stay free."""

Part = dict[str, Any]
"""A part of the map as it stands in a file, in inches of the map."""


class WaterCrossing(NamedTuple):
    """Where a road meets the water: the place, the heading across, and whether it is a ford."""

    place: Point
    heading: float
    is_ford: bool


class Owned(NamedTuple):
    """The pieces of terrain that there are; None where anything goes: lines in inches."""

    pieces: Mapping[str, int] | None

    def has(self, kind: str, used: Counter[str], wanted: int = 1) -> bool:
        """Whether so many of a kind are there, besides those in use."""
        if self.pieces is None:
            return True
        return used[kind] + wanted <= self.pieces.get(kind, 0)


NO_PATCH = BUILT_OVER | (
    Surface.WOODS
    | Surface.FIELD
    | Surface.MARSH
    | Surface.HOLLOW
    | Surface.KEPT_OPEN
    | Surface.CROSSING
    | Surface.HEDGE
)
"""Where no field, wood or other patch is laid."""


class Patch(NamedTuple):
    """A patch of ground before it has a place: its kind on the map, its size in inches, its turn in
    degrees, what it lays on its squares, and the inches around it that are to be free."""

    kind: str
    long: float
    deep: float
    turn: float
    surface: int
    room: float


class LaidTable:
    """A table while it is laid, and when it is done: the map's parts, and the places that matter
    for the battle. Places are along and across the attack, as in ``squares``."""

    def __init__(
        self, theme: Theme, region: Region, frame: AttackFrame, owned: Owned, chance: Random
    ) -> None:
        self.theme = theme
        self.region = region
        self.frame = frame
        self.squares = Squares(frame.length, frame.breadth)
        self.parts: dict[str, list[Part]] = {}
        """The map so far, by the names that parts have in a file."""
        self.used: Counter[str] = Counter()
        """The pieces of terrain that lie on the table; lines in inches."""
        self.main_road: list[Point] = []
        self.roads: list[list[Point]] = []
        self.crossings: list[WaterCrossing] = []
        self.houses: list[Point] = []
        self.targets: list[Point] = []
        """Where aircraft are parked."""
        self.hills: list[Point] = []
        self.village: Point | None = None
        self.water: list[Point] = []
        """The line of the river. Roads cross it even where nobody owns a river: as dry ground."""
        self.water_width = 0.0
        self.shore = 0.0
        """How far along the sea reaches."""
        self._owned = owned
        self._chance = chance
        self._lie = 0.0
        """The direction in which all hills lie, in degrees."""

    def lay(self) -> None:
        """Lay all that the theme has, in its order, and then woods where it is bare."""
        self._lie = self._chance.uniform(0, 180)
        for feature in self.theme.features:
            self._lay(feature)
        self._fill_with_cover()

    # ------------------------------------------------------------------ what the battle asks

    @property
    def objective(self) -> Point:
        """What the battle is about: a place along and across the attack."""
        match self.theme.objective:
            case "bridge":
                return self.far_bank
            case "village" if self.village:
                return self.village
            case "exit" if self.main_road:
                return self.main_road[-1]
            case "targets" if self.targets:
                return self.targets[0]
        return self.middle

    @property
    def middle(self) -> Point:
        """The middle of the table."""
        return (self.frame.length / 2, self.frame.breadth / 2)

    @property
    def far_bank(self) -> Point:
        """The far end of the first bridge; the middle of a table without water."""
        if not self.crossings:
            return self.middle
        bridge = self.crossings[0]
        reach = self.water_width / 2 + 1
        return _ahead(bridge.place, bridge.heading, reach)

    def cover_percent(self) -> float:
        """The percent of the table that is cover."""
        return 100 * self.squares.share(COVER)

    # ------------------------------------------------------------------ laying

    def _lay(self, feature: themes.AnyFeature) -> None:
        """Lay a feature; where a theme wants it on both halves, twice."""
        self._lay_once(feature)
        if feature.both:
            # Mirrored: what lies at a quarter of the way lies at three quarters, too.
            start, end = feature.share
            other_half = msgspec.structs.replace(feature, share=(1 - end, 1 - start))
            self._lay_once(other_half)

    def _lay_once(self, feature: themes.AnyFeature) -> None:
        """Lay a feature by its kind."""
        match feature:
            case themes.Water():
                self._lay_water(feature)
            case themes.Sea():
                self._lay_sea(feature)
            case themes.Road():
                self._lay_road(feature)
            case themes.Village():
                self._lay_village(feature)
            case themes.Hills():
                self._lay_hills(feature)
            case themes.Woods():
                self._lay_woods(feature)
            case themes.Orchards():
                self._lay_orchards(feature)
            case themes.FieldStrips():
                self._lay_fields(feature)
            case themes.Hedges():
                self._lay_hedges(feature)
            case themes.Marsh():
                self._lay_marsh(feature)
            case themes.Hollows():
                self._lay_hollows(feature)
            case themes.Targets():
                self._lay_targets(feature)

    def _number(self, numbers: themes.Numbers) -> int:
        """How many of something there are, of the range that a theme gives."""
        return self._chance.randint(*numbers)

    def _along(self, share: themes.Shares) -> float:
        """A place along, between these shares of the way."""
        return self._chance.uniform(*share) * self.frame.length

    def _across(self, margin: float = 4.0) -> float:
        """A place across, so many inches from the sides of the table at least."""
        return self._chance.uniform(margin, self.frame.breadth - margin)

    def _add(self, name: str, part: Part, *keys_of_places: str) -> None:
        """Put a part on the map. What stands under ``keys_of_places``, a place or a path, is along
        and across the attack, and is turned into places of the map."""
        for key in keys_of_places:
            place_or_path = part[key]
            if isinstance(place_or_path, list):
                path = self._clipped(place_or_path)
                part[key] = [list(self.frame.on_map(place)) for place in path]
            else:
                part[key] = list(self.frame.on_map(place_or_path))
        self.parts.setdefault(name, []).append(part)

    def _clipped(self, path: Iterable[Point]) -> list[Point]:
        """The path with each place moved onto the table."""
        clipped = []
        for along, across in path:
            inside = min(max(along, 0), self.frame.length)
            clipped.append((inside, min(max(across, 0), self.frame.breadth)))
        return clipped

    # ------------------------------------------------------------------ water

    def _lay_water(self, water: themes.Water) -> None:
        """A river, and the places where roads may cross it. Without enough river to lay there are
        only these places, on dry ground."""
        width = round(self._chance.uniform(*water.wide), 1)
        path = self._winding(self._along(water.share))
        inches = round(plane.length(path))
        if self._owned.has("river", self.used, inches):
            self.used["river"] += inches
        else:
            width = 0.0
        self.water = plane.curved(path)
        self.water_width = width
        self._choose_crossings(self._number(water.crossings))
        if not width:
            return
        self.squares.lay(self.squares.near(self.water, width / 2), Surface.WATER)
        line: Part = {"kind": "river", "points": path, "curve": True}
        # In a desert it is a stream, which has one width on every map.
        if self.region.ground == "desert":
            line["kind"] = "stream"
        else:
            line["width"] = width
        self._add("line", line, "points")

    def _winding(self, base: float) -> list[Point]:
        """The line of a river from one side of the table to the other: now before, now behind the
        place along that is its ``base``."""
        path: list[Point] = []
        across = 0.0
        side = self._chance.choice((-1, 1))
        while across < self.frame.breadth:
            path.append((base + side * self._chance.uniform(0.8, 2.2), across))
            side = -side
            across += self._chance.uniform(10, 14)
        path.append((base + side * self._chance.uniform(0.8, 2.2), float(self.frame.breadth)))
        return path

    def _choose_crossings(self, wanted: int) -> None:
        """Places where roads go over the water, two at least; bridges as far as there are any, the
        others are fords."""
        # As many as have room beside one another, evenly apart; where there is room left over, it
        # is chance how much of it lies before the first.
        room = self.frame.breadth - 2 * EDGE_ROOM
        count = max(2, min(wanted, int(room // LEAST_APART) + 1))
        apart = min(self._chance.uniform(LEAST_APART, MOST_APART), room / (count - 1))
        first = EDGE_ROOM + self._chance.uniform(0, max(room - apart * (count - 1), 0))
        places = [first + apart * number for number in range(count)]
        # The first of them has a bridge before the others; it is not always the same one.
        self._chance.shuffle(places)
        for across in places:
            station = self._water_at(across)
            heading = station.heading - math.pi / 2
            has_bridge = self._owned.has("bridge", self.used)
            if has_bridge:
                self.used["bridge"] += 1
            self.crossings.append(WaterCrossing(station.at, heading, is_ford=not has_bridge))

    def _water_at(self, across: float) -> plane.Station:
        """The place of the water that is nearest to this place across."""

        def off(station: plane.Station) -> float:
            return abs(station.at[1] - across)

        return min(plane.stations(self.water, 1.0), key=off)

    def _lay_sea(self, sea: themes.Sea) -> None:
        """Sea at the attacker's edge, a beach up to a seawall with a gap, and a slope behind."""
        # How deep each is along the attack, beginning at its edge.
        water = self._chance.uniform(*sea.water)
        sand = self._chance.uniform(*sea.sand)
        shore = self._wavy(water, 0.5)
        wall = self._wavy(water + sand, 0.6)
        breadth = float(self.frame.breadth)
        sea_outline = [(0.0, 0.0), *shore, (0.0, breadth)]
        # Of the outline only the shore bends: from its first place to its last.
        self._add(
            "area", {"kind": "sea", "points": sea_outline, "curve": [1, len(shore)]}, "points"
        )
        beach = [*shore, *reversed(wall)]
        self._add("area", {"kind": "beach", "points": beach}, "points")
        # The stones of a seawall point to the right of its direction, here to the sea. It has a gap
        # a third of the way along, between one of its places and the next.
        gap = len(wall) // 3
        for run in (wall[: gap + 1], wall[gap + 1 :]):
            self._add("line", {"kind": "seawall", "points": run[::-1], "curve": True}, "points")
        foot = self._wavy(water + sand + SLOPE_BEHIND_WALL - sea.slope, 0.5)
        top = [(along + sea.slope, across) for along, across in foot]
        self._add("slope", {"crest": top, "foot": foot}, "crest", "foot")
        self.shore = water
        self.squares.lay(self.squares.within(sea_outline), Surface.WATER)
        self.squares.lay(self.squares.within([*shore, *reversed(top)]), Surface.KEPT_OPEN)
        self.squares.lay(self.squares.near(top, 2.5), Surface.HILL)
        self.squares.lay(self.squares.near(wall, 1.0), Surface.HEDGE)

    def _wavy(self, along: float, by: float) -> list[Point]:
        """A line across the table that wavers by so many inches."""
        # A place about every 14 inches.
        parts = max(round(self.frame.breadth / 14), 3)
        path = []
        for part in range(parts + 1):
            place = (along + self._chance.uniform(-by, by), self.frame.breadth * part / parts)
            path.append(place)
        return path

    # ------------------------------------------------------------------ roads

    def _lay_road(self, road: themes.Road) -> None:
        """A road, or a track where there is not enough road; over the water it takes the next
        crossing, and is left out if there is none."""
        crossing: WaterCrossing | None = None
        if road.over == "water" and self.crossings:
            crossing = self._next_crossing()
            if crossing is None:
                return
            path = self._road_over(crossing)
        elif road.across is not None:
            path = self._road_across(road.across)
        else:
            path = self._road_along(road)
        kind, half_width = "road", ROAD_HALF
        inches = round(plane.length(path))
        # Tracks are cloth or chalk: they take none of the roads that somebody owns.
        if road.track or not self._owned.has("road", self.used, inches):
            kind, half_width = "track", TRACK_HALF
        else:
            self.used["road"] += inches
        run = plane.curved(path)
        self.roads.append(run)
        if road.main or not self.main_road:
            self.main_road = run
        self.squares.lay(self.squares.near(run, half_width + 0.4), Surface.ROAD)
        self._add("line", {"kind": kind, "points": path, "curve": True}, "points")
        if crossing is not None:
            self._lay_crossing(crossing)

    def _next_crossing(self) -> WaterCrossing | None:
        """The first crossing to which no road leads yet; None if all have one."""
        taken = sum(1 for run in self.roads if self._is_over_water(run))
        if taken >= len(self.crossings):
            return None
        return self.crossings[taken]

    def _is_over_water(self, run: Sequence[Point]) -> bool:
        """Whether a road goes over one of the crossings."""
        for crossing in self.crossings:
            if any(math.dist(place, crossing.place) < 1 for place in run):
                return True
        return False

    def _lay_crossing(self, crossing: WaterCrossing) -> None:
        """A bridge or a ford, with ground around it that stays free."""
        half = self.water_width / 2 + 0.7
        ends = [_ahead(crossing.place, crossing.heading, way) for way in (-half, half)]
        over = self.squares.near(ends, 2.2)
        self.squares.lay(over, Surface.CROSSING)
        if not crossing.is_ford and self.water_width:
            self._add("line", {"kind": "bridge", "points": ends}, "points")

    def _road_over(self, crossing: WaterCrossing) -> list[Point]:
        """A road along the attack that goes straight over the water."""
        near = _ahead(crossing.place, crossing.heading, -5.0)
        far = _ahead(crossing.place, crossing.heading, 5.0)
        start, end = self._ends(crossing.place[1], self.frame.breadth * 0.12)
        # Each without its last place, so ``after`` begins with ``far``.
        before = self._bent(start, near)
        after = self._bent(far, end)
        return [*before, near, crossing.place, *after, end]

    def _road_along(self, road: themes.Road) -> list[Point]:
        """A road along the attack: round the middle, in two bends, or by and large straight."""
        middle = self.frame.breadth / 2
        if road.aside:
            # A fifth of the breadth from one side of the table or the other.
            aside = self._chance.choice((0.2, 0.8)) * self.frame.breadth
            start, end = self._ends(aside, 6)
            return self._through([start, (self.frame.length / 2, aside), end])
        start, end = self._ends(middle, self.frame.breadth * 0.16)
        if road.bends:
            # To one side after a third of the way, to the other after two thirds.
            swing = self.frame.breadth * self._chance.uniform(0.16, 0.22)
            side = self._chance.choice((-1, 1))
            first_bend = (self.frame.length * 0.33, middle + side * swing)
            second_bend = (self.frame.length * 0.67, middle - side * swing)
            return self._through([start, first_bend, second_bend, end])
        if self.theme.objective == "middle":
            return self._through([start, self.middle, end])
        return self._through([start, end])

    def _road_across(self, share: themes.Shares) -> list[Point]:
        """A road across the attack, between these shares of the way along it."""
        along = self._along(share)
        if self.theme.objective == "middle":
            along = self.frame.length / 2
        start = (self._chance.uniform(along - 4, along + 4), 0.0)
        end = (self._chance.uniform(along - 4, along + 4), float(self.frame.breadth))
        return self._through([start, (along, self.frame.breadth / 2), end])

    def _through(self, places: Sequence[Point]) -> list[Point]:
        """A road that bends a little from each of these places to the next."""
        path: list[Point] = []
        for start, end in pairwise(places):
            path += self._bent(start, end)
        return [*path, places[-1]]

    def _ends(self, across: float, drift: float) -> tuple[Point, Point]:
        """Where a road along the attack begins and ends: at most ``drift`` inches from a place
        across."""
        ends = []
        for along in (0.0, float(self.frame.length)):
            ends.append((along, self._off_the_sides(across + self._chance.uniform(-drift, drift))))
        return ends[0], ends[1]

    def _off_the_sides(self, across: float) -> float:
        """The place across, moved away from the sides of the table where it is too near."""
        return min(max(across, ROAD_ROOM), self.frame.breadth - ROAD_ROOM)

    def _bent(self, start: Point, end: Point) -> list[Point]:
        """Places from a start to an end, the end left out, that bend every 8 to 14 inches."""
        apart = math.dist(start, end)
        parts = max(round(apart / self._chance.uniform(10, 14)), 1)
        heading = math.atan2(end[1] - start[1], end[0] - start[0])
        path = [start]
        for part in range(1, parts):
            share = part / parts
            # By little: such a bend is one of 5 to 20 degrees.
            off = self._chance.uniform(-1.6, 1.6)
            along = start[0] + (end[0] - start[0]) * share - off * math.sin(heading)
            across = start[1] + (end[1] - start[1]) * share + off * math.cos(heading)
            path.append((along, across))
        return path

    # ------------------------------------------------------------------ houses

    def _lay_village(self, village: themes.Village) -> None:
        """Houses on both sides of the roads, from the middle of the village outward; a church is
        the first of them."""
        middle = self._village_middle(village)
        self.village = middle
        wanted = self._number(village.houses)
        stations = []
        for run in self.roads:
            stations += plane.stations(run, 1.2)
        stations.sort(key=lambda station: math.dist(station.at, middle))
        church_is_due = wanted >= HOUSES_WITH_A_CHURCH
        for station in stations:
            if len(self.houses) >= wanted or math.dist(station.at, middle) > VILLAGE_REACH:
                break
            for side in self._chance.sample((-1, 1), 2):
                if len(self.houses) >= wanted:
                    continue
                is_church = church_is_due
                if self._lay_building(station, side, is_church, village.numbered):
                    church_is_due = False

    def _village_middle(self, village: themes.Village) -> Point:
        """Where the theme wants the village; the middle of the table if there is no such place."""
        match village.where:
            case "beyond_water" if self.crossings:
                bridge = self.crossings[0]
                reach = self.water_width / 2 + 9
                return _ahead(bridge.place, bridge.heading, reach)
            case "crossroads":
                return self._crossroads()
            case "road" if self.main_road:
                # Drawn even where the theme has a share of its own: see the head of this module.
                share = self._chance.uniform(0.35, 0.65)
                if village.share != themes.ALL_THE_WAY:
                    wanted = self._along(village.share)
                    return min(self.main_road, key=lambda place: abs(place[0] - wanted))
                return self.main_road[int(share * (len(self.main_road) - 1))]
        return self.middle

    def _crossroads(self) -> Point:
        """Where the first two roads come nearest to each other."""
        if len(self.roads) < 2:
            return self.main_road[len(self.main_road) // 2]
        first_road, second_road = self.roads[:2]
        nearest = first_road[0]
        least = math.inf
        for place in first_road:
            apart = min(math.dist(place, other_place) for other_place in second_road)
            # Of several places that are equally near, the one least along the attack.
            if (apart, place) < (least, nearest):
                nearest, least = place, apart
        return nearest

    def _lay_building(
        self, station: plane.Station, side: int, is_church: bool, numbered: bool
    ) -> bool:
        """A house or a church beside a place of a road, on its left (1) or its right (-1); returns
        whether there is room."""
        if not self._owned.has("house", self.used):
            return False
        size = HOUSE
        if is_church:
            size = CHURCH
        long = round(size.long * self._chance.uniform(0.92, 1.06), 1)
        off = ROAD_HALF + size.deep / 2 + self._chance.uniform(0.6, 1.2)
        if is_church:
            # It stands back from the road.
            off += 1.6
        heading = station.heading + side * math.pi / 2
        place = _ahead(station.at, heading, off)
        turn = math.degrees(station.heading) + self._chance.uniform(-7, 7)
        outline = plane.oblong(place, long, size.deep, turn)
        taken = BUILT_OVER | Surface.CROSSING
        if not all(self._is_inside(corner, 2.0) for corner in outline):
            return False
        if not self.squares.are_free_of(taken, self.squares.around(outline, 0.8)):
            return False
        # The next house stands 1.5 inches away at least.
        self.squares.lay(self.squares.around(outline, 0.7), Surface.HOUSE)
        self.houses.append(place)
        self.used["house"] += 1
        building: Part = {
            "at": place,
            "size": [long, size.deep],
            # From -90 to 90 degrees: turned half round it is the same oblong.
            "turn": round((turn + self.frame.turn + 90) % 180 - 90),
        }
        if is_church:
            building["kind"] = "church"
        if numbered:
            building["number"] = len(self.houses)
        self._add("building", building, "at")
        return True

    def _is_inside(self, place: Point, margin: float) -> bool:
        """Whether a place lies on the table, so many inches from its edges at least."""
        along, across = place
        fits = margin <= along <= self.frame.length - margin
        return fits and margin <= across <= self.frame.breadth - margin

    # ------------------------------------------------------------------ hills and hollows

    def _lay_hills(self, hills: themes.Hills) -> None:
        """Hills, as many as there are places and pieces for."""
        for _ in range(self._number(hills.count)):
            if not self._owned.has("hill", self.used):
                return
            for _ in range(TRIES):
                place = (self._along(hills.share), self._across(9))
                scale = 1.0
                if hills.where == "middle":
                    # A hill that is fought for is larger.
                    place, scale = self.middle, 1.35
                if self._lay_hill(place, scale):
                    self.used["hill"] += 1
                    break

    def _lay_hill(self, place: Point, scale: float) -> bool:
        """A hill with its middle there, so many times the usual size; returns whether there is
        room."""
        half_short = self._chance.uniform(2.6, 3.8) * scale
        half_long = half_short * self._chance.uniform(1.5, 2.3)
        turn = math.radians(self._lie + self._chance.uniform(-25, 25))
        rise = self._chance.uniform(2.8, 3.6)
        crest: list[Point] = []
        foot: list[Point] = []
        corners = 8
        for corner in range(corners):
            angle = 2 * math.pi * corner / corners
            uneven = self._chance.uniform(0.88, 1.12)
            long, short = half_long * uneven, half_short * uneven
            crest.append(_on_ellipse(place, long, short, angle, turn))
            foot.append(_on_ellipse(place, long + rise, short + rise, angle, turn))
        if not all(self._is_inside(corner, 1.5) for corner in foot):
            return False
        taken = BUILT_OVER | Surface.KEPT_OPEN
        if not self.squares.corners_are_free_of(taken, [place, *foot]):
            return False
        outline = plane.curved(foot, closed=True, steps=4)
        if not self.squares.are_free_of(taken, self.squares.around(outline, 1.0)):
            return False
        self.squares.lay(self.squares.within(outline), Surface.HILL)
        self.hills.append(place)
        self._add("slope", {"crest": crest, "foot": foot, "ring": True}, "crest", "foot")
        return True

    def _lay_hollows(self, hollows: themes.Hollows) -> None:
        """Long hollows that lead toward the objective."""
        goal = self.objective
        for _ in range(self._number(hollows.count)):
            for _ in range(TRIES):
                place = (self._along(hollows.share), self._across(6))
                heading = math.atan2(goal[1] - place[1], goal[0] - place[0])
                patch = Patch(
                    kind="depression",
                    long=self._chance.uniform(12, 18),
                    deep=self._chance.uniform(3.5, 5),
                    turn=math.degrees(heading),
                    surface=Surface.HOLLOW,
                    room=0.8,
                )
                if self._lay_patch(patch, place):
                    break

    def _lay_marsh(self, marsh: themes.Marsh) -> None:
        """Wet ground, or rough in a desert, which has none; that is laid with the pieces of
        woods."""
        kind = "marsh"
        if self.region.ground == "desert":
            kind = "rough"
        for _ in range(self._number(marsh.count)):
            if kind == "rough" and not self._owned.has("woods", self.used):
                return
            for _ in range(TRIES):
                place = (self._along(marsh.share), self._across(6))
                patch = Patch(
                    kind=kind,
                    long=self._chance.uniform(8, 12),
                    deep=self._chance.uniform(6, 9),
                    turn=self._lie,
                    surface=Surface.MARSH,
                    room=1.0,
                )
                if self._lay_patch(patch, place):
                    if kind == "rough":
                        self.used["woods"] += 1
                    break

    # ------------------------------------------------------------------ what grows

    def _lay_woods(self, woods: themes.Woods) -> None:
        """Woods, as many as there are places and pieces for."""
        for _ in range(self._number(woods.count)):
            for _ in range(TRIES):
                if self._lay_wood(woods.share, by_the_road=woods.beside == "road"):
                    break

    def _lay_wood(self, share: themes.Shares, *, by_the_road: bool = False) -> bool:
        """A wood, or what the region has instead, between these shares of the way along or beside
        the main road; returns whether there was room, and a wood left."""
        if not self._owned.has("woods", self.used):
            return False
        place = (self._along(share), self._across(1))
        # Most woods are large; small ones find room between fields and roads.
        square_inches = self._chance.triangular(30, 130, 80)
        long = math.sqrt(square_inches) * self._chance.uniform(1.05, 1.5)
        if by_the_road and self.main_road:
            # Not at its ends, where forces enter.
            station = self._chance.choice(plane.stations(self.main_road, 2.0)[4:-4])
            off = self._chance.choice((-1, 1)) * self._chance.uniform(9, 13)
            place = _ahead(station.at, station.heading + math.pi / 2, off)
        wood = Patch(
            kind=self.region.woods,
            long=long,
            deep=square_inches / long,
            turn=self._chance.uniform(0, 180),
            surface=Surface.WOODS,
            room=1.6,
        )
        is_laid = self._lay_patch(wood, place)
        if is_laid:
            self.used["woods"] += 1
        return is_laid

    def _lay_patch(self, patch: Patch, place: Point) -> bool:
        """A patch with 6 to 8 corners round a place, one of them drawn in; returns whether there is
        room."""
        corners = self._chance.randint(6, 8)
        drawn_in = self._chance.randrange(corners)
        turn = math.radians(patch.turn)
        outline = []
        for corner in range(corners):
            angle = 2 * math.pi * corner / corners
            reach = self._chance.uniform(0.9, 1.15)
            if corner == drawn_in:
                reach = HOLLOW_SIDE
            # A little more than half, as straight sides cut an ellipse off between its corners.
            long, deep = patch.long * 0.56 * reach, patch.deep * 0.56 * reach
            outline.append(_on_ellipse(place, long, deep, angle, turn))
        if not all(self._is_inside(corner, 0.5) for corner in outline):
            return False
        if not self.squares.corners_are_free_of(NO_PATCH, [place, *outline]):
            return False
        run = plane.curved(outline, closed=True, steps=4)
        if not self.squares.are_free_of(NO_PATCH, self.squares.around(run, patch.room)):
            return False
        self.squares.lay(self.squares.within(run), patch.surface)
        self._add("area", {"kind": patch.kind, "points": outline, "curve": True}, "points")
        return True

    def _lay_orchards(self, orchards: themes.Orchards) -> None:
        """Orchards round the village; each counts as a wood among what somebody owns."""
        village = self.village or self.objective
        for _ in range(self._number(orchards.count)):
            if not self._owned.has("woods", self.used):
                return
            for _ in range(TRIES):
                heading = self._chance.uniform(0, 2 * math.pi)
                place = _ahead(village, heading, self._chance.uniform(9, 16))
                orchard = Patch(
                    kind="orchard",
                    long=8.0,
                    deep=7.0,
                    turn=math.degrees(heading),
                    surface=Surface.WOODS,
                    room=0.8,
                )
                if self._lay_patch(orchard, place):
                    self.used["woods"] += 1
                    break

    def _lay_fields(self, fields: themes.FieldStrips) -> None:
        """Fields of two or three strips beside the roads."""
        if self.region.ground == "desert":
            return
        # Not at the ends of a road, where it meets the edge of the table.
        beside_roads = []
        for run in self.roads:
            beside_roads += plane.stations(run, 2.0)[2:-2]
        wanted = self._number(fields.count)
        if not beside_roads:
            return
        for _ in range(wanted):
            for _ in range(TRIES):
                station = self._chance.choice(beside_roads)
                if self._lay_field(station, self._chance.choice((-1, 1))):
                    break

    def _lay_field(self, station: plane.Station, side: int) -> bool:
        """A field beside a place of a road, on its left (1) or its right (-1); returns whether
        there is room."""
        long, deep = self._chance.uniform(10, 15), self._chance.uniform(3.0, 3.6)
        strips = self._chance.randint(2, 3)
        heading = station.heading + side * math.pi / 2
        turn = math.degrees(station.heading) + self._chance.uniform(-3, 3)
        outlines = []
        for strip in range(strips):
            off = ROAD_HALF + 1.0 + deep * (strip + 0.5)
            outlines.append(plane.oblong(_ahead(station.at, heading, off), long, deep, turn))
        if not all(self._has_room_for_strip(outline) for outline in outlines):
            return False
        if not self._owned.has("field", self.used):
            return False
        self.used["field"] += 1
        for strip, outline in enumerate(outlines):
            # The rows of one strip run across those of the next.
            angle = round((turn + self.frame.turn + 90 * (strip % 2)) % 180, 1)
            self._add("area", {"kind": "field", "points": outline, "angle": angle}, "points")
            self.squares.lay(self.squares.within(outline), Surface.FIELD)
        self._hedge_field(outlines[-1], side)
        return True

    def _has_room_for_strip(self, outline: list[Point]) -> bool:
        """Whether the outline of a strip lies on the table, on ground that is free."""
        if not all(self._is_inside(corner, 0.5) for corner in outline):
            return False
        if not self.squares.corners_are_free_of(NO_PATCH, outline):
            return False
        return self.squares.are_free_of(NO_PATCH, self.squares.around(outline, 0.3))

    def _hedge_field(self, outline: list[Point], side: int) -> None:
        """Half of the fields have a hedge on the side away from the road. The field is on the left
        of its road (``side`` is 1) or on the right of it (-1)."""
        if self._chance.random() < 0.5:
            return
        # The corners of an oblong run counterclockwise from its lower left.
        far_corners = (outline[0], outline[1])
        if side > 0:
            far_corners = (outline[2], outline[3])
        centre = (sum(x for x, _ in outline) / 4, sum(y for _, y in outline) / 4)
        self._lay_hedge([_away(corner, centre, 0.7) for corner in far_corners])

    def _lay_hedge(self, path: list[Point]) -> bool:
        """A hedge, or a wall in a desert; returns whether there is room, and enough of it left."""
        kind = "hedge"
        if self.region.ground == "desert":
            kind = "wall"
        inches = round(plane.length(path))
        taken = BUILT_OVER | Surface.WOODS | Surface.CROSSING | Surface.MARSH
        if not all(self._is_inside(corner, 0.8) for corner in path):
            return False
        if not self.squares.are_free_of(taken, self.squares.near(path, 0.6)):
            return False
        if not self._owned.has(kind, self.used, inches):
            return False
        self.used[kind] += inches
        self.squares.lay(self.squares.near(path, 0.7), Surface.HEDGE)
        self._add("line", {"kind": kind, "points": path}, "points")
        return True

    def _lay_hedges(self, hedges: themes.Hedges) -> None:
        """Hedges across the attack, with gaps between them."""
        taken = Surface.FIELD | Surface.HEDGE
        for _ in range(self._number(hedges.count)):
            for _ in range(TRIES):
                path = self._hedge_across(self._along(hedges.share), self._across(8))
                is_apart = self.squares.are_free_of(taken, self.squares.near(path, 2.0))
                if is_apart and self._lay_hedge(path):
                    break

    def _hedge_across(self, along: float, across: float) -> list[Point]:
        """The two ends and the middle of a hedge with its middle about there."""
        long = self._chance.uniform(9, 16)
        turn = self._chance.uniform(-0.2, 0.2)
        path = []
        for off in (-long / 2, 0.0, long / 2):
            bow = self._chance.uniform(-0.5, 0.5)
            path.append((along + off * math.sin(turn) + bow, across + off * math.cos(turn)))
        return path

    # ------------------------------------------------------------------ what the theme needs

    def _lay_targets(self, targets: themes.Targets) -> None:
        """Two groups of parked aircraft side by side, 25 inches from middle to middle; each stands
        in a zigzag."""
        wanted = self._number(targets.count)
        along = self._along(targets.share)
        middle = self.frame.breadth / 2 + self._chance.uniform(-4, 4)
        groups = ((wanted + 1) // 2, wanted // 2)
        for group, count in enumerate(groups):
            across = middle + (group - 0.5) * 25
            for number in range(count):
                off = (number - (count - 1) / 2) * 5.2
                zigzag = (number % 2) * 5.4
                # The second group stands a little farther back: nobody parks in one line.
                set_back = group * 1.5
                self._park_aircraft((along + zigzag + set_back, across + off))

    def _park_aircraft(self, place: Point) -> None:
        """An aircraft with its middle there, if there is room."""
        if not self._is_inside(place, 3):
            return
        if not self.squares.are_free_of(BUILT_OVER, self._disc(place, 3.4)):
            return
        self.targets.append(place)
        self.squares.lay(self._disc(place, 3.8), Surface.KEPT_OPEN)
        facing = round((self.frame.turn + 180 + self._chance.uniform(-12, 12)) % 360)
        self._add("mark", {"kind": "aircraft", "at": place, "facing": facing}, "at")

    def _disc(self, place: Point, radius: float) -> set[Square]:
        # A path of a tenth of an inch, as a path of one place has no stations.
        return self.squares.near([place, (place[0] + 0.1, place[1])], radius)

    def _fill_with_cover(self) -> None:
        """Woods where the table is barest, until it has as much cover as the region has."""
        least_percent, _ = self.region.cover
        for _ in range(MOST_WOODS):
            if self.cover_percent() >= least_percent:
                return
            barest_first = sorted(THIRDS, key=lambda third: self.squares.share(COVER, *third))
            if not any(self._lay_wood_in(third) for third in barest_first):
                return

    def _lay_wood_in(self, share: themes.Shares) -> bool:
        """A wood there; returns whether a place was found."""
        return any(self._lay_wood(share) for _ in range(TRIES))


def _ahead(place: Point, heading: float, inches: float) -> Point:
    """The place so many inches from another one, in that heading."""
    return place[0] + inches * math.cos(heading), place[1] + inches * math.sin(heading)


def _on_ellipse(
    centre: Point, half_long: float, half_deep: float, angle: float, turn: float
) -> Point:
    """The place of an ellipse at this angle from its long axis; the ellipse is turned. Both in
    radians."""
    unturned = (centre[0] + half_long * math.cos(angle), centre[1] + half_deep * math.sin(angle))
    return plane.turned(unturned, centre, turn)


def _away(place: Point, centre: Point, by: float) -> Point:
    """The place moved away from a centre by so many inches."""
    apart = math.dist(place, centre) or 1.0
    return (
        place[0] + (place[0] - centre[0]) / apart * by,
        place[1] + (place[1] - centre[1]) / apart * by,
    )
