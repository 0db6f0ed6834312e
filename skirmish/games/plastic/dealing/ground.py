"""Lays the table of a dealt battle: water in the low ground, roads, houses, hills, fields, woods.

Every feature looks for a place that is free; one that finds none is left out. The measures are
those of the ten maps: roads bend every 8 to 14 inches, houses stand 3 to 4 inches from the middle
of a road, woods have one hollow side.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

import msgspec

from skirmish.games.plastic.dealing import themes
from skirmish.games.plastic.dealing.squares import (
    BUILT_OVER,
    COVER,
    AttackFrame,
    Ground,
    Place,
    Squares,
)
from skirmish.games.plastic.dealing.themes import Region, Theme
from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import DEFAULT_WIDTHS
from skirmish.tabletop.plane import Point

ROAD_HALF = DEFAULT_WIDTHS["road"] / 2
TRACK_HALF = 0.6
HOUSE = (4.6, 2.9)
CHURCH = (6.4, 3.0)
TRIES = 60
"""Places that are looked at for one feature before it is left out."""
EDGE_ROOM = 12.0
"""Inches from the sides of the table to a crossing or a village at least."""
MOST_WOODS = 24

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

    def has(self, kind: str, used: Counter[str], more: int = 1) -> bool:
        """Whether so many more of a kind are there, beyond those in use."""
        if self.pieces is None:
            return True
        return used[kind] + more <= self.pieces.get(kind, 0)


class DealtGround:
    """A table while it is laid, and when it is done: the map's parts, and the places that matter
    for the battle. Places are along and across the attack."""

    def __init__(
        self, theme: Theme, region: Region, frame: AttackFrame, owned: Owned, chance: Random
    ) -> None:
        self.theme = theme
        self.region = region
        self.frame = frame
        self.squares = Squares(frame.length, frame.breadth)
        self.parts: dict[str, list[Part]] = {}
        self.used: Counter[str] = Counter()
        self.main_road: list[Point] = []
        self.roads: list[list[Point]] = []
        self.crossings: list[WaterCrossing] = []
        self.houses: list[Point] = []
        self.targets: list[Point] = []
        self.hills: list[Point] = []
        self.village: Point | None = None
        self.water: list[Point] = []
        self.water_wide = 0.0
        self.shore = 0.0
        """How far the sea and the sand reach."""
        self._owned = owned
        self._chance = chance
        self._lie = chance.uniform(0, 180)
        """The direction in which all hills lie, in degrees."""
        for feature in theme.features:
            self._lay(feature)
        self._fill_with_cover()

    # ------------------------------------------------------------------ what the battle asks

    @property
    def objective(self) -> Point:
        """What the battle is about: a place along and across the attack."""
        middle = (self.frame.length / 2, self.frame.breadth / 2)
        match self.theme.objective:
            case "bridge":
                return self.far_bank
            case "village" if self.village:
                return self.village
            case "exit" if self.main_road:
                return self.main_road[-1]
            case "targets" if self.targets:
                return self.targets[0]
        return middle

    @property
    def far_bank(self) -> Point:
        """The far end of the first bridge."""
        if not self.crossings:
            return (self.frame.length / 2, self.frame.breadth / 2)
        bridge = self.crossings[0]
        reach = self.water_wide / 2 + 1
        return _ahead(bridge.place, bridge.heading, reach)

    def cover_share(self) -> float:
        """The percent of the table that is cover."""
        return 100 * self.squares.share(COVER)

    # ------------------------------------------------------------------ laying

    def _lay(self, feature: themes.AnyFeature) -> None:
        self._lay_once(feature)
        if feature.both:
            start, end = feature.share
            other_half = msgspec.structs.replace(feature, share=(1 - end, 1 - start))
            self._lay_once(other_half)

    def _lay_once(self, feature: themes.AnyFeature) -> None:
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
        return self._chance.randint(*numbers)

    def _along(self, share: themes.Shares) -> float:
        return self._chance.uniform(*share) * self.frame.length

    def _across(self, margin: float = 4.0) -> float:
        return self._chance.uniform(margin, self.frame.breadth - margin)

    def _add(self, name: str, part: Part, *places: str) -> None:
        """Put a part on the map; ``places`` are its keys that hold places along the attack."""
        for key in places:
            value = part[key]
            if isinstance(value, list):
                part[key] = [list(self.frame.on_map(place)) for place in self._clipped(value)]
            else:
                part[key] = list(self.frame.on_map(value))
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
        wide = round(self._chance.uniform(*water.wide), 1)
        base = self._along(water.share)
        path: list[Point] = []
        across = 0.0
        side = self._chance.choice((-1, 1))
        while across < self.frame.breadth:
            path.append((base + side * self._chance.uniform(0.8, 2.2), across))
            side = -side
            across += self._chance.uniform(10, 14)
        path.append((base + side * self._chance.uniform(0.8, 2.2), float(self.frame.breadth)))
        if not self._owned.has("river", self.used, round(plane.length(path))):
            wide = 0.0
        else:
            self.used["river"] += round(plane.length(path))
        self.water = plane.curved(path)
        self.water_wide = wide
        self._choose_crossings(self._number(water.crossings))
        if not wide:
            return
        kind = "river"
        if self.region.ground == "desert":
            kind = "stream"
        self.squares.cover(self.squares.near(self.water, wide / 2), Ground.WATER)
        line: Part = {"kind": kind, "points": path, "curve": True}
        if kind == "river":
            line["width"] = wide
        self._add("line", line, "points")

    def _choose_crossings(self, count: int) -> None:
        """Places 18 to 36 inches apart where roads go over the water; the first has a bridge."""
        room = self.frame.breadth - 2 * EDGE_ROOM
        count = max(2, min(count, int(room // 18) + 1))
        apart = min(self._chance.uniform(18, 30), room / (count - 1))
        first = EDGE_ROOM + self._chance.uniform(0, max(room - apart * (count - 1), 0))
        places = [first + apart * number for number in range(count)]
        self._chance.shuffle(places)
        for across in places:
            station = min(plane.stations(self.water, 1.0), key=lambda s: abs(s.at[1] - across))
            heading = station.heading - math.pi / 2
            has_bridge = self._owned.has("bridge", self.used)
            if has_bridge:
                self.used["bridge"] += 1
            self.crossings.append(WaterCrossing(station.at, heading, is_ford=not has_bridge))

    def _lay_sea(self, sea: themes.Sea) -> None:
        water = self._chance.uniform(*sea.water)
        sand = self._chance.uniform(*sea.sand)
        shore = self._wavy(water, 0.5)
        wall = self._wavy(water + sand, 0.6)
        crest = water + sand + 13.4
        breadth = float(self.frame.breadth)
        sea_outline = [(0.0, 0.0), *shore, (0.0, breadth)]
        self._add(
            "area", {"kind": "sea", "points": sea_outline, "curve": [1, len(shore)]}, "points"
        )
        beach = [*shore, *reversed(wall)]
        self._add("area", {"kind": "beach", "points": beach}, "points")
        # The stones of a seawall point to the right of its direction, here to the sea.
        gap = len(wall) // 3
        for run in (wall[: gap + 1], wall[gap + 1 :]):
            self._add("line", {"kind": "seawall", "points": run[::-1], "curve": True}, "points")
        foot = self._wavy(crest - sea.slope, 0.5)
        top = [(along + sea.slope, across) for along, across in foot]
        self._add("slope", {"crest": top, "foot": foot}, "crest", "foot")
        self.shore = water
        self.squares.cover(self.squares.within(sea_outline), Ground.WATER)
        self.squares.cover(self.squares.within([*shore, *reversed(top)]), Ground.CLEAR)
        self.squares.cover(self.squares.near(top, 2.5), Ground.HILL)
        self.squares.cover(self.squares.near(wall, 1.0), Ground.HEDGE)

    def _wavy(self, along: float, by: float) -> list[Point]:
        """A line across the table that wavers by so much."""
        parts = max(round(self.frame.breadth / 14), 3)
        path = []
        for part in range(parts + 1):
            place = (along + self._chance.uniform(-by, by), self.frame.breadth * part / parts)
            path.append(place)
        return path

    # ------------------------------------------------------------------ roads

    def _lay_road(self, road: themes.Road) -> None:
        if road.over == "water" and self.crossings:
            taken = sum(1 for run in self.roads if self._is_over_water(run))
            if taken >= len(self.crossings):
                return
            crossing = self.crossings[taken]
            path = self._road_over(crossing)
        elif road.across is not None:
            path = self._road_across(road)
        else:
            path = self._road_along(road)
        kind, half = "road", ROAD_HALF
        inches = round(plane.length(path))
        if road.track or not self._owned.has("road", self.used, inches):
            kind, half = "track", TRACK_HALF
        else:
            self.used["road"] += inches
        run = plane.curved(path)
        self.roads.append(run)
        if road.main or not self.main_road:
            self.main_road = run
        self.squares.cover(self.squares.near(run, half + 0.4), Ground.ROAD)
        self._add("line", {"kind": kind, "points": path, "curve": True}, "points")
        if road.over == "water" and self.crossings:
            self._lay_crossing(self.crossings[taken])

    def _is_over_water(self, run: Sequence[Point]) -> bool:
        return any(
            math.dist(place, crossing.place) < 1 for place in run for crossing in self.crossings
        )

    def _lay_crossing(self, crossing: WaterCrossing) -> None:
        half = self.water_wide / 2 + 0.7
        ends = [_ahead(crossing.place, crossing.heading, way) for way in (-half, half)]
        over = self.squares.near(ends, 2.2)
        self.squares.cover(over, Ground.CROSSING)
        if not crossing.is_ford and self.water_wide:
            self._add("line", {"kind": "bridge", "points": ends}, "points")

    def _road_over(self, crossing: WaterCrossing) -> list[Point]:
        """A road along the attack that goes straight over the water."""
        near = _ahead(crossing.place, crossing.heading, -5.0)
        far = _ahead(crossing.place, crossing.heading, 5.0)
        drift = self.frame.breadth * 0.12
        start = (0.0, self._kept(crossing.place[1] + self._chance.uniform(-drift, drift)))
        end = (
            float(self.frame.length),
            self._kept(crossing.place[1] + self._chance.uniform(-drift, drift)),
        )
        before = self._bent(start, near)
        after = self._bent(far, end)
        return [*before, near, crossing.place, *after, end]

    def _road_along(self, road: themes.Road) -> list[Point]:
        middle = self.frame.breadth / 2
        if road.aside:
            aside = self._chance.choice((0.2, 0.8)) * self.frame.breadth
            start, end = self._ends(aside, 6)
            through = (self.frame.length / 2, aside)
            return [*self._bent(start, through), *self._bent(through, end), end]
        start, end = self._ends(middle, self.frame.breadth * 0.16)
        if road.bends:
            swing = self.frame.breadth * self._chance.uniform(0.16, 0.22)
            way = self._chance.choice((-1, 1))
            first = (self.frame.length * 0.33, middle + way * swing)
            second = (self.frame.length * 0.67, middle - way * swing)
            path = [*self._bent(start, first), *self._bent(first, second)]
            return [*path, *self._bent(second, end), end]
        if self.theme.objective == "middle":
            through = (self.frame.length / 2, middle)
            return [*self._bent(start, through), *self._bent(through, end), end]
        return [*self._bent(start, end), end]

    def _road_across(self, road: themes.Road) -> list[Point]:
        assert road.across is not None
        along = self._along(road.across)
        if self.theme.objective == "middle":
            along = self.frame.length / 2
        start = (self._chance.uniform(along - 4, along + 4), 0.0)
        end = (self._chance.uniform(along - 4, along + 4), float(self.frame.breadth))
        through = (along, self.frame.breadth / 2)
        return [*self._bent(start, through), *self._bent(through, end), end]

    def _ends(self, across: float, drift: float) -> tuple[Point, Point]:
        """Where a road along the attack begins and ends: at most so far from a place across."""
        ends = []
        for along in (0.0, float(self.frame.length)):
            ends.append((along, self._kept(across + self._chance.uniform(-drift, drift))))
        return ends[0], ends[1]

    def _kept(self, across: float) -> float:
        """The place across, not too near the sides of the table."""
        return min(max(across, 8.0), self.frame.breadth - 8.0)

    def _bent(self, start: Point, end: Point) -> list[Point]:
        """Places from a start to an end, the end left out, that bend every 8 to 14 inches."""
        apart = math.dist(start, end)
        parts = max(round(apart / self._chance.uniform(10, 14)), 1)
        heading = math.atan2(end[1] - start[1], end[0] - start[0])
        path = [start]
        for part in range(1, parts):
            share = part / parts
            # The road leaves the straight line most in the middle, and by little: 5 to 20 degrees.
            off = self._chance.uniform(-1.6, 1.6)
            along = start[0] + (end[0] - start[0]) * share - off * math.sin(heading)
            path.append((along, start[1] + (end[1] - start[1]) * share + off * math.cos(heading)))
        return path

    # ------------------------------------------------------------------ houses

    def _lay_village(self, village: themes.Village) -> None:
        middle = self._village_middle(village)
        self.village = middle
        wanted = self._number(village.houses)
        stations = []
        for run in self.roads:
            stations += plane.stations(run, 1.2)
        stations.sort(key=lambda station: math.dist(station.at, middle))
        has_church = wanted >= 5
        for station in stations:
            if len(self.houses) >= wanted or math.dist(station.at, middle) > 22:
                break
            for side in self._chance.sample((-1, 1), 2):
                size, kind = HOUSE, "house"
                if has_church:
                    size, kind = CHURCH, "church"
                if len(self.houses) < wanted and self._lay_house(
                    station, side, size, kind, village
                ):
                    has_church = False

    def _village_middle(self, village: themes.Village) -> Point:
        match village.where:
            case "beyond_water" if self.crossings:
                bridge = self.crossings[0]
                reach = self.water_wide / 2 + 9
                return _ahead(bridge.place, bridge.heading, reach)
            case "crossroads":
                return self._crossroads()
            case "road" if self.main_road:
                share = self._chance.uniform(0.35, 0.65)
                if village.share != (0.0, 1.0):
                    wanted = self._along(village.share)
                    return min(self.main_road, key=lambda place: abs(place[0] - wanted))
                return self.main_road[int(share * (len(self.main_road) - 1))]
        return self.frame.length / 2, self.frame.breadth / 2

    def _crossroads(self) -> Point:
        """Where the first two roads come nearest to each other."""
        if len(self.roads) < 2:
            return self.main_road[len(self.main_road) // 2]
        first, second = self.roads[:2]
        pairs = ((math.dist(a, b), a) for a in first for b in second)
        return min(pairs)[1]

    def _lay_house(
        self, station: plane.Station, side: int, size: tuple[float, float], kind: str,
        village: themes.Village,
    ) -> bool:  # fmt: skip
        if not self._owned.has("house", self.used):
            return False
        long = round(size[0] * self._chance.uniform(0.92, 1.06), 1)
        deep = size[1]
        off = ROAD_HALF + deep / 2 + self._chance.uniform(0.6, 1.2)
        if kind == "church":
            off += 1.6
        heading = station.heading + side * math.pi / 2
        place = _ahead(station.at, heading, off)
        turn = math.degrees(station.heading) + self._chance.uniform(-7, 7)
        outline = plane.oblong(place, long, deep, turn)
        taken = Ground.WATER | Ground.ROAD | Ground.HOUSE | Ground.HILL | Ground.CROSSING
        if not all(self._is_inside(corner, 2.0) for corner in outline):
            return False
        if not self.squares.are_free(self.squares.around(outline, 0.8), taken):
            return False
        # The next house stands 1.5 inches away at least.
        self.squares.cover(self.squares.around(outline, 0.7), Ground.HOUSE)
        self.houses.append(place)
        self.used["house"] += 1
        building: Part = {
            "at": place,
            "size": [long, deep],
            "turn": round((turn + self.frame.turn + 90) % 180 - 90),
        }
        if kind != "house":
            building["kind"] = kind
        if village.numbered:
            building["number"] = len(self.houses)
        self._add("building", building, "at")
        return True

    def _is_inside(self, place: Point, margin: float) -> bool:
        along, across = place
        fits = margin <= along <= self.frame.length - margin
        return fits and margin <= across <= self.frame.breadth - margin

    # ------------------------------------------------------------------ hills and hollows

    def _lay_hills(self, hills: themes.Hills) -> None:
        for _ in range(self._number(hills.count)):
            if not self._owned.has("hill", self.used):
                return
            for _ in range(TRIES):
                place = (self._along(hills.share), self._across(9))
                scale = 1.0
                if hills.where == "middle":
                    place = (self.frame.length / 2, self.frame.breadth / 2)
                    scale = 1.35
                if self._lay_hill(place, scale):
                    self.used["hill"] += 1
                    break

    def _lay_hill(self, place: Point, scale: float) -> bool:
        short = self._chance.uniform(2.6, 3.8) * scale
        long = short * self._chance.uniform(1.5, 2.3)
        turn = math.radians(self._lie + self._chance.uniform(-25, 25))
        rise = self._chance.uniform(2.8, 3.6)
        crest: list[Point] = []
        foot: list[Point] = []
        corners = 8
        for corner in range(corners):
            angle = 2 * math.pi * corner / corners
            uneven = self._chance.uniform(0.88, 1.12)
            for outline, more in ((crest, 0.0), (foot, rise)):
                x = (long * uneven + more) * math.cos(angle)
                y = (short * uneven + more) * math.sin(angle)
                outline.append(plane.turned((place[0] + x, place[1] + y), place, turn))
        if not all(self._is_inside(corner, 1.5) for corner in foot):
            return False
        taken = BUILT_OVER | Ground.CLEAR
        if not self.squares.may_be_free([place, *foot], taken):
            return False
        outline = plane.curved(foot, closed=True, steps=4)
        if not self.squares.are_free(self.squares.around(outline, 1.0), taken):
            return False
        self.squares.cover(self.squares.within(outline), Ground.HILL)
        self.hills.append(place)
        self._add("slope", {"crest": crest, "foot": foot, "ring": True}, "crest", "foot")
        return True

    def _lay_hollows(self, hollows: themes.Hollows) -> None:
        """Long hollows that lead toward the objective."""
        goal = self.objective
        for _ in range(self._number(hollows.count)):
            for _ in range(TRIES):
                place = (self._along(hollows.share), self._across(6))
                heading = math.degrees(math.atan2(goal[1] - place[1], goal[0] - place[0]))
                long, wide = self._chance.uniform(12, 18), self._chance.uniform(3.5, 5)
                if self._lay_blob(
                    "depression",
                    place,
                    size=(long, wide),
                    turn=heading,
                    ground=Ground.HOLLOW,
                    room=0.8,
                ):
                    break

    def _lay_marsh(self, marsh: themes.Marsh) -> None:
        for _ in range(self._number(marsh.count)):
            kind = "marsh"
            if self.region.ground == "desert":
                kind = "rough"
            for _ in range(TRIES):
                place = (self._along(marsh.share), self._across(6))
                size = (self._chance.uniform(8, 12), self._chance.uniform(6, 9))
                if self._lay_blob(
                    kind, place, size=size, turn=self._lie, ground=Ground.MARSH, room=1.0
                ):
                    break

    # ------------------------------------------------------------------ what grows

    def _lay_woods(self, woods: themes.Woods) -> None:
        for _ in range(self._number(woods.count)):
            for _ in range(TRIES):
                if self._lay_wood(woods.share, woods.beside):
                    break

    def _lay_wood(self, share: themes.Shares, beside: str | None = None) -> bool:
        kind = self.region.woods
        if not self._owned.has("woods", self.used):
            return False
        place = (self._along(share), self._across(1))
        # Most woods are large; small ones find room between fields and roads.
        area = self._chance.triangular(30, 130, 80)
        long = math.sqrt(area) * self._chance.uniform(1.05, 1.5)
        if beside == "road" and self.main_road:
            station = self._chance.choice(plane.stations(self.main_road, 2.0)[4:-4])
            off = self._chance.choice((-1, 1)) * self._chance.uniform(9, 13)
            heading = station.heading + math.pi / 2
            place = _ahead(station.at, heading, off)
        turn = self._chance.uniform(0, 180)
        laid = self._lay_blob(
            kind, place, size=(long, area / long), turn=turn, ground=Ground.WOODS, room=1.6
        )
        if laid:
            self.used["woods"] += 1
        return laid

    def _lay_blob(
        self,
        kind: str,
        place: Point,
        *,
        size: tuple[float, float],
        turn: float,
        ground: int,
        room: float,
    ) -> bool:
        """A patch of ground with 6 to 8 corners, one of them drawn in; ``room`` in inches is left
        around it."""
        corners = self._chance.randint(6, 8)
        drawn_in = self._chance.randrange(corners)
        outline = []
        for corner in range(corners):
            angle = 2 * math.pi * corner / corners
            reach = self._chance.uniform(0.9, 1.15)
            if corner == drawn_in:
                reach = 0.62
            x = size[0] * 0.56 * reach * math.cos(angle)
            y = size[1] * 0.56 * reach * math.sin(angle)
            outline.append(plane.turned((place[0] + x, place[1] + y), place, math.radians(turn)))
        if not all(self._is_inside(corner, 0.5) for corner in outline):
            return False
        taken = BUILT_OVER | Ground.WOODS | Ground.FIELD | Ground.MARSH | Ground.HOLLOW
        taken |= Ground.CLEAR | Ground.CROSSING | Ground.HEDGE
        if not self.squares.may_be_free([place, *outline], taken):
            return False
        run = plane.curved(outline, closed=True, steps=4)
        if not self.squares.are_free(self.squares.around(run, room), taken):
            return False
        self.squares.cover(self.squares.within(run), ground)
        self._add("area", {"kind": kind, "points": outline, "curve": True}, "points")
        return True

    def _lay_orchards(self, orchards: themes.Orchards) -> None:
        village = self.village or self.objective
        for _ in range(self._number(orchards.count)):
            if not self._owned.has("woods", self.used):
                return
            for _ in range(TRIES):
                angle = self._chance.uniform(0, 2 * math.pi)
                reach = self._chance.uniform(9, 16)
                place = _ahead(village, angle, reach)
                turn = math.degrees(angle)
                if self._lay_blob(
                    "orchard", place, size=(8.0, 7.0), turn=turn, ground=Ground.WOODS, room=0.8
                ):
                    self.used["woods"] += 1
                    break

    def _lay_fields(self, fields: themes.FieldStrips) -> None:
        """Strips beside the roads, three together, their rows turned in turn."""
        if self.region.ground == "desert":
            return
        beside = []
        for run in self.roads:
            beside += plane.stations(run, 2.0)[2:-2]
        for _ in range(self._number(fields.count)):
            for _ in range(TRIES):
                if beside and self._lay_field(
                    self._chance.choice(beside), self._chance.choice((-1, 1))
                ):
                    break

    def _lay_field(self, station: plane.Station, side: int) -> bool:
        long, deep = self._chance.uniform(10, 15), self._chance.uniform(3.0, 3.6)
        strips = self._chance.randint(2, 3)
        heading = station.heading + side * math.pi / 2
        turn = math.degrees(station.heading) + self._chance.uniform(-3, 3)
        outlines = []
        for strip in range(strips):
            off = ROAD_HALF + 1.0 + deep * (strip + 0.5)
            place = (
                station.at[0] + off * math.cos(heading),
                station.at[1] + off * math.sin(heading),
            )
            outlines.append(plane.oblong(place, long, deep, turn))
        taken = BUILT_OVER | Ground.WOODS | Ground.FIELD | Ground.MARSH | Ground.HOLLOW
        taken |= Ground.CROSSING | Ground.CLEAR | Ground.HEDGE
        for outline in outlines:
            if not all(self._is_inside(corner, 0.5) for corner in outline):
                return False
            if not self.squares.may_be_free(outline, taken):
                return False
            if not self.squares.are_free(self.squares.around(outline, 0.3), taken):
                return False
        if not self._owned.has("field", self.used):
            return False
        self.used["field"] += 1
        for strip, outline in enumerate(outlines):
            angle = round((turn + self.frame.turn + 90 * (strip % 2)) % 180, 1)
            self._add("area", {"kind": "field", "points": outline, "angle": angle}, "points")
        for outline in outlines:
            self.squares.cover(self.squares.within(outline), Ground.FIELD)
        self._hedge_field(outlines[-1], side)
        return True

    def _hedge_field(self, outline: list[Point], side: int) -> None:
        """Half of the fields have a hedge on the side away from the road."""
        if self._chance.random() < 0.5:
            return
        # The corners of an oblong run counterclockwise from its lower left.
        first, second = outline[2], outline[3]
        if side < 0:
            first, second = outline[0], outline[1]
        centre = (sum(x for x, _ in outline) / 4, sum(y for _, y in outline) / 4)
        apart = [_away(corner, centre, 0.7) for corner in (first, second)]
        self._lay_hedge(apart)

    def _lay_hedge(self, path: list[Point]) -> bool:
        kind = "hedge"
        if self.region.ground == "desert":
            kind = "wall"
        inches = round(plane.length(path))
        taken = BUILT_OVER | Ground.WOODS | Ground.CROSSING | Ground.MARSH
        if not all(self._is_inside(corner, 0.8) for corner in path):
            return False
        if not self.squares.are_free(self.squares.near(path, 0.6), taken):
            return False
        if not self._owned.has(kind, self.used, inches):
            return False
        self.used[kind] += inches
        self.squares.cover(self.squares.near(path, 0.7), Ground.HEDGE)
        self._add("line", {"kind": kind, "points": path}, "points")
        return True

    def _lay_hedges(self, hedges: themes.Hedges) -> None:
        """Hedges across the attack, with gaps between them."""
        for _ in range(self._number(hedges.count)):
            for _ in range(TRIES):
                along, across = self._along(hedges.share), self._across(8)
                long = self._chance.uniform(9, 16)
                turn = self._chance.uniform(-0.2, 0.2)
                path = []
                for way in (-0.5, 0.0, 0.5):
                    off = long * way
                    bow = self._chance.uniform(-0.5, 0.5)
                    path.append((along + off * math.sin(turn) + bow, across + off * math.cos(turn)))
                free = Ground.FIELD | Ground.HEDGE
                if self.squares.are_free(self.squares.near(path, 2.0), free) and self._lay_hedge(
                    path
                ):
                    break

    # ------------------------------------------------------------------ what the theme needs

    def _lay_targets(self, targets: themes.Targets) -> None:
        """Two groups of parked aircraft, 18 inches apart."""
        wanted = self._number(targets.count)
        along = self._along(targets.share)
        middle = self.frame.breadth / 2 + self._chance.uniform(-4, 4)
        rows = ((wanted + 1) // 2, wanted // 2)
        for row, count in enumerate(rows):
            across = middle + (row - 0.5) * 24
            for number in range(count):
                off = (number - (count - 1) / 2) * 4.6
                place = (along + (number % 2) * 4.4 + row * 1.5, across + off)
                if not self._is_inside(place, 3):
                    continue
                if not self.squares.are_free(self._disc(place, 2.4), BUILT_OVER):
                    continue
                self.targets.append(place)
                self.squares.cover(self._disc(place, 3.0), Ground.CLEAR)
                facing = round((self.frame.turn + 180 + self._chance.uniform(-12, 12)) % 360)
                self._add("mark", {"kind": "aircraft", "at": place, "facing": facing}, "at")

    def _disc(self, place: Point, radius: float) -> set[Place]:
        return self.squares.near([place, (place[0] + 0.1, place[1])], radius)

    def _fill_with_cover(self) -> None:
        """Woods where the table is barest, until it has as much cover as the region has."""
        least, _ = self.region.cover
        for _ in range(MOST_WOODS):
            if self.cover_share() >= least:
                return
            thirds = [(0.04, 0.35), (0.35, 0.65), (0.65, 0.96)]
            thirds.sort(key=lambda third: self.squares.share(COVER, *third))
            for third in thirds:
                if any(self._lay_wood(third) for _ in range(TRIES)):
                    break
            else:
                return


def _ahead(place: Point, heading: float, inches: float) -> Point:
    """The place so many inches from another one, in that heading."""
    return place[0] + inches * math.cos(heading), place[1] + inches * math.sin(heading)


def _away(place: Point, centre: Point, by: float) -> Point:
    """The place moved away from a centre by so many inches."""
    apart = math.dist(place, centre) or 1.0
    return (
        place[0] + (place[0] - centre[0]) / apart * by,
        place[1] + (place[1] - centre[1]) / apart * by,
    )
