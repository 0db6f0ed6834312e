"""The pieces of a map: guns, vehicles, pillboxes, entry points, objectives. ``draw_mark`` draws any
of them as it faces, in the look of its side; below it stand the functions for its kinds. Constants
without a name are points, chosen by eye, so that a piece is recognised at the scale of a sheet."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TypeAlias

from skirmish.games.plastic.rules.unit_shapes import UnitShape
from skirmish.sheets.inks import Ink, SideInk
from skirmish.sheets.layout.fonts import HEAD
from skirmish.sheets.layout.symbols import (
    FRAME_HIGH,
    FRAME_WIDE,
    SymbolInks,
    draw_craft,
    draw_frame,
    draw_pillbox,
    symbol_inks,
)
from skirmish.sheets.maps.pen import PaperPoint, Pen
from skirmish.tabletop.battlefield import (
    MapMark,
    MarkKind,
)

LineEnds: TypeAlias = tuple[float, float, float, float]
"""Both ends of a line: x and y of the first, then of the second."""
_LINE_FIGURES: Mapping[MarkKind, tuple[tuple[float, LineEnds], ...]] = {
    "aircraft": ((2.2, (-8, 0, 8, 0)), (3.0, (2.5, 10, 2.5, -10)), (1.8, (-7, 4, -7, -4))),
    "glider": ((3.2, (-7, 0, 5.5, 0)), (2.0, (1.5, 12, 1.5, -12)), (1.6, (-6.5, 3.4, -6.5, -3.4))),
}  # fmt: skip
"""Pieces that consist of a few lines, each after its weight in points."""
_SHAPES: Mapping[MarkKind, UnitShape] = {
    "tank": UnitShape("tank", oval=True),
    "truck": UnitShape("truck", wheels=True),
    "gun": UnitShape("cannon"),
}
"""Pieces that are the symbol of a unit, in an upright frame over a line to where it faces."""
_POINTERS: Mapping[MarkKind, float] = {
    "mg": 13.0,
    "entry": 13.5,
    "tank": 10.5,
    "truck": 10.5,
    "gun": 10.5,
}
"""The distance from the middle of a piece to the tip of its pointer, in points."""
_LETTER_SIZE = 8.0
"""The usual size of a piece's letter, in points."""
_LETTER_SIZES: Mapping[MarkKind, float] = {
    "large_pillbox": 10.0,
    "small_pillbox": 9.0,
    "entry": 9.5,
}
"""The sizes of letters that are not the usual one."""
_LETTER_INSIDE: tuple[MarkKind, ...] = ("mg", "small_pillbox", "large_pillbox", "entry")
"""Pieces with their letter in them; others have it below."""


def draw_mark(pen: Pen, piece: MapMark, side: SideInk | None) -> None:
    """Draws a piece as it faces; its letter stays upright. A piece of neither side has the
    map's own ink."""
    owner = side or SideInk(pen.inks.ink, solid=True)
    with pen.origin_at(piece.at, piece.facing):
        if piece.kind in _LINE_FIGURES:
            _draw_line_figure(pen, piece.kind, owner)
        else:
            _PIECES[piece.kind](pen, owner)
    shape = _SHAPES.get(piece.kind)
    if shape:
        # A frame is upright, wherever the unit faces.
        with pen.origin_at(piece.at):
            _draw_frame_halo(pen)
            draw_frame(pen.canvas, shape, symbol_inks(owner))
    if piece.mark:
        _write_letter(pen, piece, piece.mark, owner)


def _write_letter(pen: Pen, piece: MapMark, letter: str, owner: SideInk) -> None:
    """The letter of a piece, in it or below it."""
    x, y = pen.on_paper(piece.at)
    size = _LETTER_SIZES.get(piece.kind, _LETTER_SIZE)
    if piece.kind in _LETTER_INSIDE:
        ink = owner.ink
        if owner.solid:
            ink = pen.inks.paper
        pen.write(letter, (x, y), HEAD, size, ink, halo=False)
    else:
        # Below the piece it is on the ground: in the ink of its side, with a halo.
        pen.write(letter, (x, y - 12), HEAD, size, owner.ink)


def pointer(piece: MapMark, place: PaperPoint) -> tuple[PaperPoint, PaperPoint] | None:
    """The pointer of a piece whose middle is at a ``place`` of the paper, from there to its tip;
    None for a piece that has none, since its shape shows where it faces."""
    reach = _POINTERS.get(piece.kind)
    if reach is None:
        return None
    turn = math.radians(piece.facing)
    return place, (place[0] + math.cos(turn) * reach, place[1] + math.sin(turn) * reach)


def _draw_frame_halo(pen: Pen) -> None:
    """A light ground around the frame of a unit, at the origin of the canvas."""
    pen.canvas.setFillColor(pen.inks.halo)
    wide, tall = FRAME_WIDE + 2.4, FRAME_HIGH + 2.4
    pen.canvas.rect(-wide / 2, -tall / 2, wide, tall, stroke=0, fill=1)


def _body(pen: Pen, side: SideInk) -> Ink:
    """The filling of a piece."""
    if side.solid:
        return side.ink
    return pen.inks.paper


def _on_body(pen: Pen, side: SideInk) -> Ink:
    """What is drawn on the filling of a piece."""
    if side.solid:
        return pen.inks.paper
    return side.ink


def _edge(pen: Pen, side: SideInk) -> Ink:
    """The outline of a piece, which sets a solid one off from the ground."""
    if side.solid:
        return pen.inks.halo
    return side.ink


# Each of the following draws a piece around the canvas's origin, facing to the right.


def _mg(pen: Pen, side: SideInk) -> None:
    """A machine gun: a disc with its barrel, which ends in a point."""
    canvas = pen.canvas
    for ink, weight, reach in ((pen.inks.halo, 3.4, 11.5), (side.ink, 1.5, 10.0)):
        canvas.pen(ink, weight)
        canvas.line(0, 0, reach, 0)
    pen.polygon([(_POINTERS["mg"], 0), (8.6, 2.6), (8.6, -2.6)], side.ink)
    canvas.pen(_edge(pen, side), 1.1, _body(pen, side))
    canvas.circle(0, 0, 5.6, fill=1)


def _small_pillbox(pen: Pen, side: SideInk) -> None:
    draw_pillbox(pen.canvas, 6.6, _symbol_inks(pen, side))


def _large_pillbox(pen: Pen, side: SideInk) -> None:
    draw_pillbox(pen.canvas, 8.6, _symbol_inks(pen, side))


def _landing_craft(pen: Pen, side: SideInk) -> None:
    # As large as the craft is on the table: half of 5 by 2.2 inches at the scale of the map.
    draw_craft(pen.canvas, 2.5 * pen.scale, 1.1 * pen.scale, _symbol_inks(pen, side))


def _symbol_inks(pen: Pen, side: SideInk) -> SymbolInks:
    return SymbolInks(_edge(pen, side), _body(pen, side), _on_body(pen, side))


def _draw_pointer(pen: Pen, side: SideInk) -> None:
    """A line from the middle of a vehicle or gun to where it faces: as long for each of them."""
    for ink, weight in ((pen.inks.halo, 3.2), (side.ink, 1.5)):
        pen.canvas.pen(ink, weight)
        pen.canvas.line(0, 0, _POINTERS["tank"], 0)


def _entry(pen: Pen, side: SideInk) -> None:
    """At the edge of the table, where men enter: a box with a point in the direction that they
    take."""
    body, edge = _body(pen, side), _edge(pen, side)
    pen.polygon([(_POINTERS["entry"], 0), (5.5, 6), (5.5, -6)], body, edge, 1.1)
    pen.polygon([(6.6, 6.6), (-6.6, 6.6), (-6.6, -6.6), (6.6, -6.6)], body, edge, 1.1)


def _objective(pen: Pen, side: SideInk) -> None:
    """A star of five points: its corners are by turns far from the middle and near to it."""
    star = []
    for number in range(10):
        reach, turn = 9.0, number * math.pi / 5
        if number % 2:
            reach = 3.8
        star.append((reach * math.cos(turn), reach * math.sin(turn)))
    pen.polygon(star, pen.inks.accent, pen.inks.halo, 0.9)


# What draws a piece of each kind; ``_LINE_FIGURES`` has the others.
_PIECES: Mapping[MarkKind, Callable[[Pen, SideInk], None]] = {
    "mg": _mg,
    "small_pillbox": _small_pillbox,
    "large_pillbox": _large_pillbox,
    "landing_craft": _landing_craft,
    "tank": _draw_pointer,
    "truck": _draw_pointer,
    "gun": _draw_pointer,
    "entry": _entry,
    "objective": _objective,
}


def _draw_line_figure(pen: Pen, kind: MarkKind, side: SideInk) -> None:
    """A piece that consists of a few lines: over a halo, with a light core for a hollow side."""
    canvas = pen.canvas
    canvas.setLineCap(1)
    # Each layer is drawn in its ink, its lines heavier or lighter than they are by so many points.
    layers = [(pen.inks.halo, 2.8), (side.ink, 1.1), (pen.inks.paper, -0.5)]
    if side.solid:
        layers = [(pen.inks.halo, 2.8), (side.ink, 0.0)]
    for ink, heavier in layers:
        canvas.setStrokeColor(ink)
        for weight, line in _LINE_FIGURES[kind]:
            canvas.setLineWidth(weight + heavier)
            canvas.line(*line)
