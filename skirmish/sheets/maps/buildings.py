"""Buildings on a map: walls, a roof or bays, the tower of a church, and the numbers of all of them.
Numbers without a name are points, chosen by eye."""

from __future__ import annotations

import math

from skirmish.sheets.layout import fonts
from skirmish.sheets.layout.fonts import HEAD
from skirmish.sheets.maps.pen import CAPITALS, SHARP, PaperPoint, Pen, TablePoint
from skirmish.tabletop.battlefield import Building

_NUMBER_SIZE = 7.6
"""The type size of a building's number."""
_BAY = 9.0
"""About how many points a bay of a works or hangar is wide."""
_SHADE_LINES = 1.9
"""Points between the lines that stand for the shade of a roof."""


def draw_building(pen: Pen, building: Building) -> None:
    """Draws a building with its roof or bays, and the tower of a church."""
    # The ridge runs along the longer side: ``wide`` is along it, ``deep`` across it, in points.
    deep, wide = sorted(side * pen.scale for side in building.size)
    turn = _turn_of_ridge(building)
    with pen.origin_at(building.at, turn):
        _draw_level_building(pen, building, wide, deep)
    if building.kind == "church":
        _draw_cross(pen, building, turn, wide, deep)


def _turn_of_ridge(building: Building) -> float:
    """The degrees by which the ridge is turned, which runs along the longer side."""
    length, depth = building.size
    if length < depth:
        return building.turn + 90
    return building.turn


def draw_building_number(pen: Pen, building: Building) -> None:
    """Writes the number by which players call a building, if it has one; that of a church stands
    clear of the cross on its tower."""
    if not building.number:
        return
    place = building.at
    if building.kind == "church":
        deep, wide = sorted(building.size)  # in inches
        # The middle of the part without the tower, which is at the other end of the ridge.
        place = _along_ridge(building, _turn_of_ridge(building), -_tower_length(wide, deep) / 2)
    text, middle = str(building.number), pen.on_paper(place)
    if pen.inks.is_line_work:
        # Otherwise the lines of the roof's shade run into the figures: a 6 would be read as an 8.
        # A disc behind the number would cover all of a small roof.
        _clear_behind(pen, text, middle)
    pen.write(text, middle, HEAD, _NUMBER_SIZE, pen.inks.ink)


def _clear_behind(pen: Pen, text: str, middle: PaperPoint) -> None:
    """Clear the paper behind a number, a little wider and higher than its figures."""
    wide = fonts.width(text, HEAD, _NUMBER_SIZE) + 2.4
    tall = CAPITALS * _NUMBER_SIZE + 2.0
    x, y = middle
    pen.canvas.setFillColor(pen.inks.paper)
    pen.canvas.rect(x - wide / 2, y - tall / 2, wide, tall, stroke=0, fill=1)


def _draw_level_building(pen: Pen, building: Building, wide: float, deep: float) -> None:
    """The building around the canvas's origin, its ridge level. A ruin has only its walls, works
    and a hangar have bays, and all others a roof."""
    inks, canvas = pen.inks, pen.canvas
    left, low = -wide / 2, -deep / 2
    has_bays = building.kind in ("works", "hangar")
    canvas.setLineJoin(SHARP)
    canvas.pen(inks.building_line, 0.9, inks.building)
    if building.kind == "ruin":
        canvas.setFillColor(inks.paper)
        canvas.setDash([2.2, 1.2])
    elif has_bays:
        canvas.setFillColor(inks.works)
    canvas.rect(left, low, wide, deep, fill=1)
    canvas.setLineWidth(0.4)
    if has_bays:
        _draw_bays(pen, wide, deep)
    elif building.kind != "ruin":
        _draw_shaded_roof(pen, wide, deep)
    if building.kind == "church":
        tower = _tower_length(wide, deep)
        right = wide / 2
        canvas.rect(right - tower, low, tower, deep, fill=1)


def _draw_bays(pen: Pen, wide: float, deep: float) -> None:
    """The lines between the bays of a works or hangar, at least one."""
    left, low = -wide / 2, -deep / 2
    bay_count = max(2, round(wide / _BAY))
    for number in range(1, bay_count):
        x = left + wide * number / bay_count
        pen.canvas.line(x, low, x, -low)


def _draw_shaded_roof(pen: Pen, wide: float, deep: float) -> None:
    """The half of the roof that lies in the shade: darker, or with lines where ink is spared."""
    inks, canvas = pen.inks, pen.canvas
    left, low = -wide / 2, -deep / 2
    canvas.setFillColor(inks.roof)
    canvas.rect(left, low, wide, deep / 2, fill=1)
    if pen.inks.is_line_work:
        for number in range(1, int(wide / _SHADE_LINES)):
            x = left + number * _SHADE_LINES
            canvas.line(x, low, x, 0)


def _tower_length(wide: float, deep: float) -> float:
    """The length of the tower of a church that is so ``wide`` along its ridge and so ``deep``. It
    is square, but never takes more than half of the church: the number needs the other half."""
    return min(deep, wide / 2)


def _along_ridge(building: Building, turn: float, distance: float) -> TablePoint:
    """The place in a building so many inches from its middle along the ridge."""
    angle = math.radians(turn)
    return building.at[0] + distance * math.cos(angle), building.at[1] + distance * math.sin(angle)


def _draw_cross(pen: Pen, building: Building, turn: float, wide: float, deep: float) -> None:
    """The cross on the tower at the end of a church, upright however the church stands."""
    # From the middle of the church to that of its tower, in inches.
    from_middle = (wide - _tower_length(wide, deep)) / 2 / pen.scale
    with pen.origin_at(_along_ridge(building, turn, from_middle)):
        pen.canvas.pen(pen.inks.cross, 1.2)
        arm = deep * 0.3
        pen.canvas.line(0, -arm, 0, arm)
        pen.canvas.line(-arm * 0.7, arm * 0.35, arm * 0.7, arm * 0.35)
