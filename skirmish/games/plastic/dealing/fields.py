"""Lays what is farmed on a dealt table: strips of fields beside the roads, and hedges."""

from __future__ import annotations

import math

from skirmish.games.plastic.dealing import themes
from skirmish.games.plastic.dealing.feature_builder import LEFT, ROAD_HALF, TRIES, FeatureBuilder
from skirmish.games.plastic.dealing.squares import BUILT_OVER, NO_PATCH, Surface
from skirmish.games.plastic.dealing.table import Raw
from skirmish.tabletop import plane
from skirmish.tabletop.plane import Point, Station

NO_HEDGE = BUILT_OVER | Surface.WOODS | Surface.CROSSING | Surface.MARSH
"""The surfaces on which no hedge is laid. Fields are none of them: a hedge may go along one."""
FIELD_OFF_ROAD = 1.0
"""Inches between a road and the first strip of a field."""
FIELD_OFF_EDGE = 0.5
"""Inches at least between a field and the edge of the table."""
HEDGE_OFF_FIELD = 0.7
"""Inches by which the ends of a hedge lie farther from the middle of a field than its corners."""
HEDGE_OFF_EDGE = 0.8
"""Inches at least between a hedge and the edge of the table."""
HEDGE_KEPT_APART = 2.0
"""Inches at least between a hedge across the attack and fields and other hedges."""
END_STATIONS = 2
"""Stations at either end of a road, where it meets the edge of the table, without a field."""


class FieldBuilder(FeatureBuilder):
    """Lays fields and hedges."""

    def lay_fields(self, fields: themes.FieldStrips) -> None:
        """Fields of two or three strips beside the roads; a desert has none."""
        if self._table.region.is_desert:
            return
        beside_roads: list[Station] = []
        for run in self._table.roads:
            beside_roads += plane.stations(run, 2.0)[END_STATIONS:-END_STATIONS]
        # Drawn even where there is no road, as the order of draws is fixed.
        wanted = self._number(fields.count)
        if not beside_roads:
            return
        for _ in range(wanted):
            for _ in range(TRIES):
                station = self._chance.choice(beside_roads)
                if self._lay_field(station, self._side()):
                    break

    def _lay_field(self, station: Station, side: int) -> bool:
        """Lay a field beside a place of a road; returns False, and lays nothing, if there is no
        room for it or no field left in the stock."""
        long, deep = self._chance.uniform(10, 15), self._chance.uniform(3.0, 3.6)
        strips = self._chance.randint(2, 3)
        off_the_road = station.heading + side * math.pi / 2
        # By and large along the road, in degrees.
        turn = math.degrees(station.heading) + self._chance.uniform(-3, 3)
        outlines = []
        for strip in range(strips):
            off = ROAD_HALF + FIELD_OFF_ROAD + deep * (strip + 0.5)
            middle = plane.ahead(station.at, off_the_road, off)
            outlines.append(plane.oblong(middle, long, deep, turn))
        if not all(self._has_room_for_strip(outline) for outline in outlines):
            return False
        if not self._stock.has("field"):
            return False
        self._stock.use("field")
        for strip, outline in enumerate(outlines):
            # The rows of one strip run across those of the next.
            across_the_last = 90 * (strip % 2)
            angle = round((turn + self._frame.turn + across_the_last) % 180, 1)
            points = self._table.path_on_map(outline)
            area: Raw = {"kind": "field", "points": points, "angle": angle}
            self._table.add_part("area", area)
            self._squares.lay(self._squares.in_outline(outline), Surface.FIELD)
        # Half of the fields have a hedge.
        if self._chance.random() >= 0.5:
            self._hedge_far_side(outlines[-1], side)
        return True

    def _has_room_for_strip(self, outline: list[Point]) -> bool:
        """Whether the outline of a strip lies on the table, on ground that is free."""
        if not self._squares.are_inside(outline, FIELD_OFF_EDGE):
            return False
        if not self._squares.corners_are_free_of(NO_PATCH, outline):
            return False
        return self._squares.are_free_of(NO_PATCH, self._squares.around_outline(outline, 0.0))

    def _hedge_far_side(self, outline: list[Point], side: int) -> None:
        """A hedge along the last strip of a field, away from the road, where there is room. The
        field is on this side of its road."""
        # The corners of an oblong run counterclockwise from its lower left: two on the right of the
        # road's heading, then two on its left.
        first_right, second_right, first_left, second_left = outline
        far_corners = (first_right, second_right)
        if side == LEFT:
            far_corners = (first_left, second_left)
        centre = plane.average(outline)
        self._lay_hedge([_away(corner, centre, HEDGE_OFF_FIELD) for corner in far_corners])

    def lay_hedges(self, hedges: themes.Hedges) -> None:
        """Hedges across the attack, with gaps between them."""
        farmed = Surface.FIELD | Surface.HEDGE
        for _ in range(self._number(hedges.count)):
            for _ in range(TRIES):
                path = self._hedge_across(self._along(hedges.share), self._across(margin=8))
                near_it = self._squares.along_path(path, HEDGE_KEPT_APART)
                if self._squares.are_free_of(farmed, near_it) and self._lay_hedge(path):
                    break

    def _hedge_across(self, along: float, across: float) -> list[Point]:
        """The two ends and the middle of a hedge with its middle about there."""
        long = self._chance.uniform(9, 16)
        turn = self._chance.uniform(-0.2, 0.2)  # radians
        path = []
        for off in (-long / 2, 0.0, long / 2):
            bow = self._chance.uniform(-0.5, 0.5)
            path.append((along + off * math.sin(turn) + bow, across + off * math.cos(turn)))
        return path

    def _lay_hedge(self, path: list[Point]) -> bool:
        """Lay a hedge, or a wall in a desert; returns False, and lays nothing, if there is no room
        for it or not enough of it left in the stock."""
        kind = "hedge"
        if self._table.region.is_desert:
            kind = "wall"
        inches = round(plane.length(path))
        if not self._squares.are_inside(path, HEDGE_OFF_EDGE):
            return False
        under_it = self._squares.along_path(path, 0.0)
        if not self._squares.are_free_of(NO_HEDGE, under_it):
            return False
        if not self._stock.has(kind, inches):
            return False
        self._stock.use(kind, inches)
        self._squares.lay(under_it, Surface.HEDGE)
        points = self._table.path_on_map(path)
        self._table.add_part("line", {"kind": kind, "points": points})
        return True


def _away(place: Point, centre: Point, by: float) -> Point:
    """The place moved away from a centre by so many inches."""
    apart = math.dist(place, centre)
    # No direction leads away from the centre itself.
    if apart == 0:
        return place
    along, across = place
    centre_along, centre_across = centre
    return (
        along + (along - centre_along) / apart * by,
        across + (across - centre_across) / apart * by,
    )
