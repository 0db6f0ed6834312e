"""Lays the ground of a dealt table: hills, and patches of hollow, wet, rough or wooded ground."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from skirmish.games.plastic.dealing import themes
from skirmish.games.plastic.dealing.feature_builder import TRIES, FeatureBuilder
from skirmish.games.plastic.dealing.squares import BUILT_OVER, COVER, NO_PATCH, Surface
from skirmish.games.plastic.dealing.table import LaidTable, Raw
from skirmish.tabletop import plane
from skirmish.tabletop.plane import Point

SIZE_IF_FOUGHT_FOR = 1.35
"""How many times as large as usual a hill is that is fought for."""
HILL_CORNERS = 8
DENT = 0.62
"""How far out one corner of each patch lies, so that the patch has a dent there; the others lie
about 1 out."""
OUT_TO_A_CORNER = 0.56
"""How far from its middle the corners of a patch lie, in parts of its length and depth: a little
more than half, as straight sides cut an ellipse off between its corners."""
END_STATIONS = 4
"""Stations at either end of the main road, where forces enter, that no wood is laid beside."""
MOST_WOODS = 24
"""Woods that are added at most where a table is bare."""
THIRDS = ((0.04, 0.35), (0.35, 0.65), (0.65, 0.96))
"""The table in three parts, as shares of the way along the attack; its edges stay free."""


class Patch(NamedTuple):
    """A patch of ground before it has a place: its kind on the map, its size in inches, its turn in
    degrees, what it lays on its squares, and the inches around it that are to be free."""

    kind: str
    long: float
    deep: float
    turn: float
    surface: int
    room: float


class GroundBuilder(FeatureBuilder):
    """Lays hills and patches of ground. All hills lie in one direction by and large: ``lie``, in
    degrees."""

    def __init__(self, table: LaidTable, chance: Random, lie: float) -> None:
        super().__init__(table, chance)
        self._lie = lie

    # ------------------------------------------------------------------ hills

    def lay_hills(self, hills: themes.Hills) -> None:
        """Hills, as many as there are places and pieces for."""
        for _ in range(self._number(hills.count)):
            if not self._stock.has("hill"):
                return
            for _ in range(TRIES):
                # Drawn even for a hill in the middle, as the order of draws is fixed.
                place = (self._along(hills.share), self._across(margin=9))
                scale = 1.0
                if hills.where == "middle":
                    place, scale = self._table.middle, SIZE_IF_FOUGHT_FOR
                if self._lay_hill(place, scale):
                    self._stock.use("hill")
                    break

    def _lay_hill(self, place: Point, scale: float) -> bool:
        """A hill with its middle there, so many times the usual size; returns whether there is
        room."""
        half_short = self._chance.uniform(2.6, 3.8) * scale
        half_long = half_short * self._chance.uniform(1.5, 2.3)
        turn = math.radians(self._lie + self._chance.uniform(-25, 25))
        slope_length = self._chance.uniform(2.8, 3.6)  # inches from the crest out to the foot
        crest: list[Point] = []
        foot: list[Point] = []
        for corner in range(HILL_CORNERS):
            angle = 2 * math.pi * corner / HILL_CORNERS
            uneven = self._chance.uniform(0.88, 1.12)
            long, short = half_long * uneven, half_short * uneven
            crest.append(_on_ellipse(place, long, short, angle, turn))
            foot.append(_on_ellipse(place, long + slope_length, short + slope_length, angle, turn))
        if not self._squares.are_inside(foot, 1.5):
            return False
        occupied = BUILT_OVER | Surface.KEPT_OPEN
        if not self._squares.corners_are_free_of(occupied, [place, *foot]):
            return False
        outline = plane.curved(foot, closed=True, steps=4)
        if not self._squares.are_free_of(occupied, self._squares.around_outline(outline, 1.0)):
            return False
        table = self._table
        self._squares.lay(self._squares.in_outline(outline), Surface.HILL)
        table.hills.append(place)
        slope: Raw = {
            "crest": table.path_on_map(crest),
            "foot": table.path_on_map(foot),
            "ring": True,
        }
        table.add_part("slope", slope)
        return True

    # ------------------------------------------------------------------ hollows and marsh

    def lay_hollows(self, hollows: themes.Hollows) -> None:
        """Long hollows that lead toward the objective. They take no pieces of terrain."""
        objective = self._table.objective
        for _ in range(self._number(hollows.count)):
            for _ in range(TRIES):
                place = (self._along(hollows.share), self._across(margin=6))
                heading = math.atan2(objective[1] - place[1], objective[0] - place[0])
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

    def lay_marsh(self, marsh: themes.Marsh) -> None:
        """Wet ground, which takes no pieces of terrain; in a desert, which has none, rough ground,
        for which the pieces of woods are used."""
        is_rough = self._table.region.is_desert
        kind = "marsh"
        if is_rough:
            kind = "rough"
        for _ in range(self._number(marsh.count)):
            if is_rough and not self._stock.has("woods"):
                return
            for _ in range(TRIES):
                place = (self._along(marsh.share), self._across(margin=6))
                patch = Patch(
                    kind=kind,
                    long=self._chance.uniform(8, 12),
                    deep=self._chance.uniform(6, 9),
                    turn=self._lie,
                    surface=Surface.MARSH,
                    room=1.0,
                )
                if self._lay_patch(patch, place):
                    if is_rough:
                        self._stock.use("woods")
                    break

    # ------------------------------------------------------------------ woods and orchards

    def lay_woods(self, woods: themes.Woods) -> None:
        """Woods, as many as there are places and pieces for."""
        for _ in range(self._number(woods.count)):
            for _ in range(TRIES):
                if self._lay_wood(woods.share, by_the_road=woods.beside == "road"):
                    break

    def fill_with_cover(self) -> None:
        """Woods where the table is barest, until it has as much cover as the region has."""
        least_percent, _ = self._table.region.cover
        for _ in range(MOST_WOODS):
            if self._table.cover_percent() >= least_percent:
                return
            barest_first = sorted(THIRDS, key=lambda third: self._squares.share(COVER, *third))
            if not self._lay_wood_in_first(barest_first):
                return

    def _lay_wood_in_first(self, parts: Sequence[themes.Shares]) -> bool:
        """A wood in the first of these parts of the table where there is a place for it; returns
        whether there was any."""
        for shares in parts:
            for _ in range(TRIES):
                if self._lay_wood(shares):
                    return True
        return False

    def _lay_wood(self, share: themes.Shares, *, by_the_road: bool = False) -> bool:
        """A wood, or what the region has instead: between these shares of the way along, or beside
        the main road if there is one. Returns whether there was room, and a wood left."""
        if not self._stock.has("woods"):
            return False
        # Drawn even for a wood by the road, as the order of draws is fixed.
        place = (self._along(share), self._across(margin=1))
        # Most woods are large; small ones find room between fields and roads.
        square_inches = self._chance.triangular(30, 130, 80)
        long = math.sqrt(square_inches) * self._chance.uniform(1.05, 1.5)
        if by_the_road and self._table.main_road:
            place = self._beside_main_road()
        wood = Patch(
            kind=self._table.region.woods,
            long=long,
            deep=square_inches / long,
            turn=self._chance.uniform(0, 180),
            surface=Surface.WOODS,
            room=1.6,
        )
        is_laid = self._lay_patch(wood, place)
        if is_laid:
            self._stock.use("woods")
        return is_laid

    def _beside_main_road(self) -> Point:
        """A place some inches to the left or the right of the main road, but not at its ends."""
        stations = plane.stations(self._table.main_road, 2.0)
        station = self._chance.choice(stations[END_STATIONS:-END_STATIONS])
        off = self._side() * self._chance.uniform(9, 13)
        return plane.ahead(station.at, station.heading + math.pi / 2, off)

    def lay_orchards(self, orchards: themes.Orchards) -> None:
        """Orchards round the village; each counts as a wood among what somebody owns."""
        village = self._table.village or self._table.objective
        for _ in range(self._number(orchards.count)):
            if not self._stock.has("woods"):
                return
            for _ in range(TRIES):
                heading = self._chance.uniform(0, 2 * math.pi)
                place = plane.ahead(village, heading, self._chance.uniform(9, 16))
                orchard = Patch(
                    kind="orchard",
                    long=8.0,
                    deep=7.0,
                    turn=math.degrees(heading),
                    surface=Surface.WOODS,
                    room=0.8,
                )
                if self._lay_patch(orchard, place):
                    self._stock.use("woods")
                    break

    # ------------------------------------------------------------------ any patch

    def _lay_patch(self, patch: Patch, place: Point) -> bool:
        """A patch round a place; returns whether there is room."""
        corners = self._corners(patch, place)
        if not self._squares.are_inside(corners, 0.5):
            return False
        if not self._squares.corners_are_free_of(NO_PATCH, [place, *corners]):
            return False
        outline = plane.curved(corners, closed=True, steps=4)
        if not self._squares.are_free_of(
            NO_PATCH, self._squares.around_outline(outline, patch.room)
        ):
            return False
        self._squares.lay(self._squares.in_outline(outline), patch.surface)
        points = self._table.path_on_map(corners)
        self._table.add_part("area", {"kind": patch.kind, "points": points, "curve": True})
        return True

    def _corners(self, patch: Patch, place: Point) -> list[Point]:
        """The 6 to 8 corners of a patch round a place, one of them drawn in."""
        count = self._chance.randint(6, 8)
        drawn_in = self._chance.randrange(count)
        turn = math.radians(patch.turn)
        corners = []
        for corner in range(count):
            angle = 2 * math.pi * corner / count
            # Drawn for each corner, as the order of draws is fixed.
            reach = self._chance.uniform(0.9, 1.15)
            if corner == drawn_in:
                reach = DENT
            half_long = patch.long * OUT_TO_A_CORNER * reach
            half_deep = patch.deep * OUT_TO_A_CORNER * reach
            corners.append(_on_ellipse(place, half_long, half_deep, angle, turn))
        return corners


def _on_ellipse(
    centre: Point, half_long: float, half_deep: float, angle: float, turn: float
) -> Point:
    """The place on the edge of an ellipse at this angle from its long axis, which has a ``turn``
    itself; both in radians."""
    unturned = (centre[0] + half_long * math.cos(angle), centre[1] + half_deep * math.sin(angle))
    return plane.turned(unturned, centre, turn)
