"""Buildings on a map: walls, a roof or bays, the tower of a church, and the numbers of all of them.
Constants without a name are points, chosen by eye."""

from __future__ import annotations

import math

from skirmish.sheets.layout import fonts
from skirmish.sheets.layout.fonts import HEAD
from skirmish.sheets.maps.pen import CAPITALS, PaperPoint, Pen, TablePoint
from skirmish.tabletop.battlefield import (
    Building,
)

_NUMBER_SIZE = 7.6
"""The type size of a building's number."""
_BAY = 9.0
"""About how many points a bay of a works or hangar is wide."""
_SHADE_LINES = 1.9
"""Points between the lines that stand for the shade of a roof."""


def draw_building(pen: Pen, part: Building) -> None:
    """Draws a building with its roof or bays, and the tower of a church."""
    deep, wide = sorted(side * pen.scale for side in part.size)
    turn = _turn_of_ridge(part)
    with pen.origin_at(part.at, turn):
        _draw_level_building(pen, part, wide, deep)
    if part.kind == "church":
        _draw_cross(pen, part, turn, wide, deep)


def _turn_of_ridge(part: Building) -> float:
    """The degrees by which the ridge is turned, which runs along the longer side."""
    if part.size[0] < part.size[1]:
        return part.turn + 90
    return part.turn


def draw_building_number(pen: Pen, part: Building) -> None:
    """Writes the number by which players call a building, if it has one; that of a church stands
    clear of the cross on its tower."""
    if not part.number:
        return
    place = part.at
    if part.kind == "church":
        deep, wide = sorted(part.size)
        place = _along_ridge(part, _turn_of_ridge(part), -_tower_length(wide, deep) / 2)
    text, middle = str(part.number), pen.on_paper(place)
    if _is_line_work(pen):
        # The lines of the shaded half run into the figures: a 6 would be read as an 8. A disc would
        # cover the roof of a small building.
        _clear_behind(pen, text, middle)
    pen.write(text, middle, HEAD, _NUMBER_SIZE, pen.inks.ink)


def _is_line_work(pen: Pen) -> bool:
    """Whether ink is spared: then roofs are as white as the paper."""
    return pen.inks.roof == pen.inks.paper


def _clear_behind(pen: Pen, text: str, middle: PaperPoint) -> None:
    """Clear the paper behind a number, a little wider and higher than its figures."""
    wide = fonts.width(text, HEAD, _NUMBER_SIZE) + 2.4
    tall = CAPITALS * _NUMBER_SIZE + 2.0
    x, y = middle
    pen.canvas.setFillColor(pen.inks.paper)
    pen.canvas.rect(x - wide / 2, y - tall / 2, wide, tall, stroke=0, fill=1)


def _draw_level_building(pen: Pen, part: Building, wide: float, deep: float) -> None:
    """The building around the canvas's origin, its ridge level."""
    inks, canvas = pen.inks, pen.canvas
    left, low = -wide / 2, -deep / 2
    has_bays = part.kind in ("works", "hangar")
    canvas.setLineJoin(0)
    canvas.pen(inks.building_line, 0.9, inks.building)
    if part.kind == "ruin":
        canvas.setFillColor(inks.paper)
        canvas.setDash([2.2, 1.2])
    elif has_bays:
        canvas.setFillColor(inks.works)
    canvas.rect(left, low, wide, deep, fill=1)
    canvas.setLineWidth(0.4)
    if has_bays:
        bays = max(2, round(wide / _BAY))
        for bay in range(1, bays):
            x = left + wide * bay / bays
            canvas.line(x, low, x, -low)
    elif part.kind != "ruin":
        _shaded_roof(pen, wide, deep)
    if part.kind == "church":
        tower = _tower_length(wide, deep)
        canvas.rect(-left - tower, low, tower, deep, fill=1)


def _shaded_roof(pen: Pen, wide: float, deep: float) -> None:
    """The half of the roof that lies in the shade: darker, or with lines where ink is spared."""
    inks, canvas = pen.inks, pen.canvas
    left, low = -wide / 2, -deep / 2
    canvas.setFillColor(inks.roof)
    canvas.rect(left, low, wide, deep / 2, fill=1)
    if _is_line_work(pen):
        for number in range(1, int(wide / _SHADE_LINES)):
            x = left + number * _SHADE_LINES
            canvas.line(x, low, x, 0)


def _tower_length(wide: float, deep: float) -> float:
    """The length of the tower of a church ``wide`` along its ridge. It is square, but never takes
    more than half of the church, since the number needs the other half."""
    return min(deep, wide / 2)


def _along_ridge(part: Building, turn: float, distance: float) -> TablePoint:
    """The place in a building so many inches from its middle along the ridge."""
    angle = math.radians(turn)
    return part.at[0] + distance * math.cos(angle), part.at[1] + distance * math.sin(angle)


def _draw_cross(pen: Pen, part: Building, turn: float, wide: float, deep: float) -> None:
    """The cross on the tower at the end of a church, upright however the church stands."""
    from_middle = (wide - _tower_length(wide, deep)) / 2 / pen.scale
    with pen.origin_at(_along_ridge(part, turn, from_middle)):
        pen.canvas.pen(pen.inks.cross, 1.2)
        arm = deep * 0.3
        pen.canvas.line(0, -arm, 0, arm)
        pen.canvas.line(-arm * 0.7, arm * 0.35, arm * 0.7, arm * 0.35)
