"""The layers of a map from the ground upward. ``paint_table`` draws what lies on the table, without
words; ``paint_over_table`` draws over it the squares, distances, pieces, and all words. The numbers
of features are drawn after that, by those who call these functions."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from skirmish.games.plastic.scenarios.grid import FOOT
from skirmish.sheets.inks import SideInk
from skirmish.sheets.layout.fonts import HEAD, ITALIC, LABEL, Face
from skirmish.sheets.maps import buildings, deployment, distances, pieces, terrain
from skirmish.sheets.maps.pen import Pen, TablePoint, TableSize
from skirmish.sheets.paper import THIN
from skirmish.tabletop.battlefield import (
    Area,
    Arrow,
    Battlefield,
    Building,
    Circle,
    Dimension,
    Line,
    MapPart,
    Slope,
    Zone,
)
from skirmish.tabletop.plane import Rectangle

_SMALL_MAP = 4.2
"""Points to an inch of the table: on a smaller map words are smaller, too."""
_SMALLER, _SMALLER_TRACK = 0.86, 0.6
"""The factors on a small map for the size of words and for the space between their letters."""
_SMALLEST_WORDS = 6.8
"""No words of a small map become smaller than this, in points."""
_DOTS_APART = 0.5
"""Inches between the dots of the squares' lines."""


class LabelStyle(NamedTuple):
    """How labels of one style are lettered: face, size, and space between letters in points."""

    face: Face
    size: float
    track: float


LETTERING = {
    "water": LabelStyle(ITALIC, 10.0, 2.6),
    "town": LabelStyle(HEAD, 9.5, 0.5),
    "feature": LabelStyle(LABEL, 8.0, 0.7),
    "minor": LabelStyle(ITALIC, 7.2, 0.0),
}
"""How labels are lettered, by the name of the style that their scenario gives them."""


class DrawnTable(NamedTuple):
    """A table as it is to be drawn: what lies on it (``field``), its size, and the looks of the
    sides by their ids."""

    field: Battlefield
    size: TableSize
    sides: Mapping[str, SideInk]

    @property
    def edges(self) -> Rectangle:
        """The whole table, in inches."""
        return Rectangle(0.0, 0.0, *self.size)

    @property
    def is_higher_than_wide(self) -> bool:
        """Whether it is higher than wide as it is drawn."""
        wide, deep = self.size
        return deep > wide

    def turned_a_quarter(self) -> DrawnTable:
        """The table turned a quarter counterclockwise."""
        wide, deep = self.size
        turned_field = self.field.turned_a_quarter(depth=deep)
        return DrawnTable(turned_field, (deep, wide), self.sides)

    def look_of(self, side_id: str | None) -> SideInk | None:
        """The look of a side; None for what belongs to neither."""
        if side_id is None:
            return None
        return self.sides.get(side_id)


def paint_table(pen: Pen, table: DrawnTable) -> None:
    """Draws what lies on a table, without words."""
    with pen.clipped_to(table.edges.corners):
        _paint_ground(pen, table)
        _paint_buildings_and_entries(pen, table)


def _paint_ground(pen: Pen, table: DrawnTable) -> None:
    """The ground and all that is laid on it, but for buildings."""
    field = table.field
    terrain.draw_ground(pen, field.ground, table.size)
    areas = sorted(field.areas, key=_place_in_order)
    # The trees of woods stand over roads and rivers; all other areas lie below these.
    for area in areas:
        if area.kind != "woods":
            paint_part(pen, area, table)
    for slope in field.slopes:
        paint_part(pen, slope, table)
    for kind in terrain.WAYS:
        ways = [line for line in field.lines if line.kind == kind]
        # The edges of all before the surface of any, so that no line crosses a crossroads.
        for line in ways:
            terrain.draw_line_edge(pen, line)
        for line in ways:
            terrain.draw_line_core(pen, line)
    for area in areas:
        if area.kind == "woods":
            paint_part(pen, area, table)
    for kind_above_woods in terrain.LINES_ABOVE_WOODS:
        for line in field.lines:
            if line.kind == kind_above_woods:
                paint_part(pen, line, table)


def _place_in_order(area: Area) -> int:
    """The place of an area in the order in which the kinds of areas are drawn."""
    return terrain.AREAS.index(area.kind)


def _paint_buildings_and_entries(pen: Pen, table: DrawnTable) -> None:
    """Buildings, and where the sides set up and enter."""
    field = table.field
    for part in (*field.buildings, *field.zones):
        paint_part(pen, part, table)
    for distance in field.dimensions:
        if distance.line:
            distances.draw_limit(pen, distance, table.size)
    for arrow in field.arrows:
        paint_part(pen, arrow, table)


def paint_over_table(pen: Pen, table: DrawnTable) -> None:
    """Draws the squares, and over them the distances, the pieces, the letters of zones and the
    labels. What is drawn here is not cut off at the edge of the table."""
    field = table.field
    _paint_squares(pen, table.size)
    for ring in field.circles:
        paint_part(pen, ring, table)
    for distance in field.dimensions:
        distances.draw_dimension_with_number(pen, distance)
    for piece in field.marks:
        pieces.draw_mark(pen, piece, table.look_of(piece.side))
    for zone in field.zones:
        if zone.tag:
            deployment.draw_zone_letter(pen, zone.letter, zone.tag, table.sides[zone.side])
    _paint_labels(pen, field)


def _paint_squares(pen: Pen, size: TableSize) -> None:
    """The lines between the squares, a foot apart. They are dotted, so that words across them stay
    clear."""
    across, upward = size
    dot_length = 0.01  # hardly any: its round ends make a dot of it
    dash = (dot_length, _DOTS_APART * pen.scale - dot_length)
    # The first dot and the last are as far from the edges as from their neighbours.
    for number in range(1, math.ceil(across / FOOT)):
        x = number * FOOT
        ends = ((x, _DOTS_APART), (x, upward - _DOTS_APART))
        pen.stroke(ends, pen.inks.grid, THIN, dash=dash)
    for number in range(1, math.ceil(upward / FOOT)):
        y = number * FOOT
        ends = ((_DOTS_APART, y), (across - _DOTS_APART, y))
        pen.stroke(ends, pen.inks.grid, THIN, dash=dash)


def _paint_labels(pen: Pen, field: Battlefield) -> None:
    """The names on the map, smaller on a small map; those of water in its colour."""
    for label in field.labels:
        face, size, track = LETTERING[label.style]
        if pen.scale < _SMALL_MAP:
            size = max(_SMALLEST_WORDS, size * _SMALLER)
            track *= _SMALLER_TRACK
        ink = pen.inks.ink
        if label.style == "water":
            ink = pen.inks.water_edge
        place = pen.on_paper(label.at)
        pen.write(label.text, place, face, size, ink, turn=label.turn, track=track)


def paint_part(pen: Pen, part: MapPart, table: DrawnTable) -> None:
    """Draws a part of the battlefield without words, on the table or as a sample in the key."""
    match part:
        case Area():
            terrain.draw_area(pen, part, table.edges)
        case Slope():
            terrain.draw_slope(pen, part)
        case Line():
            terrain.draw_line_edge(pen, part)
            terrain.draw_line_core(pen, part)
        case Building():
            buildings.draw_building(pen, part)
        case Zone():
            deployment.draw_zone(pen, part, table.sides[part.side])
        case Circle():
            distances.draw_circle(pen, part, table.look_of(part.side))
        case Arrow():
            is_exit = points_off_table(part, table.size)
            deployment.draw_arrow(pen, part, table.sides[part.side], is_exit=is_exit)
        case Dimension():
            distances.draw_dimension_arrow(pen, part)


def points_off_table(arrow: Arrow, size: TableSize) -> bool:
    """Whether an arrow points off the table: its end is nearer to an edge than its start."""
    start, end = arrow.points[0], arrow.points[-1]
    return _from_edge(end, size) < _from_edge(start, size)


def _from_edge(point: TablePoint, size: TableSize) -> float:
    """The distance of a point from the nearest edge of the table; below 0 outside of it."""
    x, y = point
    across, upward = size
    return min(x, y, across - x, upward - y)
