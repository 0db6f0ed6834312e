"""The frame of a map: a band that names the edges of the table, and inside it a ruler with the
letters and numbers of the squares."""

from __future__ import annotations

import math

from skirmish.games.plastic.scenarios.grid import FOOT
from skirmish.sheets.layout.fonts import HEAD, LABEL
from skirmish.sheets.maps.pen import SHARP, Pen, TablePoint, TableSize
from skirmish.sheets.paper import HEAVY, NORMAL, THIN
from skirmish.tabletop.plane import Rectangle

_RULER, _BAND = 8.4, 9.2
"""The widths of the ruler and of the band, in points."""
FRAME_WIDTH = _RULER + _BAND
"""The width of the whole frame, in points."""
CLOCKWISE = "NESW"
"""The compass points in the order of the clock's hands."""
_EDGE_NAMES = {"N": "NORTH EDGE", "E": "EAST EDGE", "S": "SOUTH EDGE", "W": "WEST EDGE"}
"""The names of the edges, by their compass points."""
_EDGE_NAME_SIZE, _EDGE_NAME_TRACK = 7.6, 1.6
"""The size of these names, and the space between their letters, in points."""
_SQUARE_NAME_SIZE = 7
"""The type size of the letters and numbers of squares."""
_SCALE_INDENT, _SCALE_SIZE = 6, 7.2
"""Points from the left end of the frame's inside to the scale, and its type size."""


def paint_frame(pen: Pen, size: TableSize, up: str, *, is_turned: bool) -> None:
    """Draws the frame of a table of ``size`` inches. ``up`` is the compass point at the top, empty
    for a table without one; ``is_turned``: the map is turned a quarter counterclockwise from how
    the table is laid."""
    canvas, inks = pen.canvas, pen.inks
    (left, bottom), (right, top) = pen.on_paper((0, 0)), pen.on_paper(size)
    table = Rectangle(left, bottom, right, top)
    _paint_band(pen, table)
    if up:
        _name_edges(pen, table, up)
    _name_squares(pen, size, is_turned=is_turned)
    canvas.pen(inks.ink, NORMAL)
    canvas.setLineJoin(SHARP)
    canvas.rect(left, bottom, right - left, top - bottom, fill=0)
    canvas.pen(inks.frame, HEAVY)
    # The outer half of a line lies outside of its rectangle, and must not lie outside of the frame.
    outer = FRAME_WIDTH - HEAVY / 2
    wide, tall = right - left + 2 * outer, top - bottom + 2 * outer
    canvas.rect(left - outer, bottom - outer, wide, tall, fill=0)


def write_scale(pen: Pen, scale: str) -> None:
    """Writes the scale on the band, at the lower left."""
    place = pen.x + _SCALE_INDENT, pen.y - FRAME_WIDTH + _BAND / 2
    pen.write(scale, place, LABEL, _SCALE_SIZE, pen.inks.edge_name, halo=False)


def _paint_band(pen: Pen, table: Rectangle) -> None:
    """The band, as four bars around the ruler."""
    canvas = pen.canvas
    outer, inner = table.grown(FRAME_WIDTH), table.grown(_RULER)
    canvas.setFillColor(pen.inks.band)
    long = outer.right - outer.left
    for low in (outer.bottom, inner.top):
        canvas.rect(outer.left, low, long, _BAND, stroke=0, fill=1)
    for left in (outer.left, inner.right):
        canvas.rect(left, inner.bottom, _BAND, inner.top - inner.bottom, stroke=0, fill=1)


def _name_edges(pen: Pen, table: Rectangle, up: str) -> None:
    """The names of the edges on the band, clockwise from the top."""
    middle_x, middle_y = (table.left + table.right) / 2, (table.bottom + table.top) / 2
    # From the edge of the table to the middle of the band.
    away = FRAME_WIDTH - _BAND / 2
    if pen.canvas.sparing:
        # The band is white, and the line around it takes a part of its width.
        away -= HEAVY / 2
    # x and y of the middle of each name, and its turn in degrees.
    places = (
        (middle_x, table.top + away, 0),
        (table.right + away, middle_y, -90),
        (middle_x, table.bottom - away, 0),
        (table.left - away, middle_y, 90),
    )
    at_top = CLOCKWISE.index(up)
    clockwise_from_top = CLOCKWISE[at_top:] + CLOCKWISE[:at_top]
    for compass_point, (x, y, turn) in zip(clockwise_from_top, places, strict=True):
        pen.write(
            _EDGE_NAMES[compass_point],
            (x, y),
            HEAD,
            _EDGE_NAME_SIZE,
            pen.inks.edge_name,
            turn=turn,
            track=_EDGE_NAME_TRACK,
            halo=False,
        )


def _name_squares(pen: Pen, size: TableSize, *, is_turned: bool) -> None:
    """The letters and numbers of the squares on the ruler, along all four edges."""
    # Columns have letters and rows have numbers. On a map that is turned it is the other way round,
    # and the numbers run from right to left. The last square is smaller where the table is no
    # multiple of a foot.
    ruler_width = _RULER / pen.scale  # in inches of the table
    across, upward = size
    columns, rows = math.ceil(across / FOOT), math.ceil(upward / FOOT)
    for number in range(columns):
        name = _square_letter(number)
        left, right = number * FOOT, min((number + 1) * FOOT, across)
        if is_turned:
            name = str(number + 1)
            left, right = across - right, across - left
        _set_ruler_inks(pen, number)
        for low in (-ruler_width, upward):
            _paint_ruler_field(pen, name, (left, low), (right, low + ruler_width))
    for number in range(rows):
        name = str(number + 1)
        if is_turned:
            name = _square_letter(number)
        low, high = number * FOOT, min((number + 1) * FOOT, upward)
        _set_ruler_inks(pen, number)
        for left in (-ruler_width, across):
            _paint_ruler_field(pen, name, (left, low), (left + ruler_width, high))


def _square_letter(number: int) -> str:
    """``C`` for 2: letters are counted from 0."""
    return chr(ord("A") + number)


def _set_ruler_inks(pen: Pen, number: int) -> None:
    """Sets the inks for the fields beside a row or column: light and dark fields alternate."""
    filling = pen.inks.paper
    if number % 2:
        filling = pen.inks.ruler
    pen.canvas.pen(pen.inks.frame, THIN, filling)


def _paint_ruler_field(
    pen: Pen, name: str, lower_left: TablePoint, upper_right: TablePoint
) -> None:
    """A field of the ruler with the name of the squares beside it."""
    (left, bottom), (right, top) = pen.on_paper(lower_left), pen.on_paper(upper_right)
    pen.canvas.rect(left, bottom, right - left, top - bottom, fill=1)
    middle = (left + right) / 2, (bottom + top) / 2
    pen.write(name, middle, LABEL, _SQUARE_NAME_SIZE, pen.inks.ink, halo=False)
