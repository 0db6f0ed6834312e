"""Markers for what a piece is or has done, such as pinned or dug in, and for the side whose turn
it is. Numbers without a name are points, chosen by eye; those of a picture are shares of its
radius."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple, TypeAlias

from skirmish.sheets import inks
from skirmish.sheets.cut_pages import CutSize
from skirmish.sheets.inks import Ink
from skirmish.sheets.layout.drawing import Canvas
from skirmish.sheets.layout.fonts import LABEL
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.text_lines import write
from skirmish.sheets.paper import INCH

MARKERS_IN_ROW = 9
"""How many markers stand in a row: as many as fit the width of either paper."""
MARKER_SIZE = CutSize(0.8 * INCH, 0.8 * INCH)
_WORD = Style(LABEL, 7.4, 7.4, "centre")


MarkerIcon: TypeAlias = Literal[
    "pinned", "op_fired", "dug_in", "hull_down", "broken", "ring", "square", "aboard"
]
"""The picture of a marker."""


class PrintedMarker(NamedTuple):
    """A marker, with its word below its picture. ``solid``: filled with its ink; ``tinted``: with
    the tint of panels."""

    word: str
    icon: MarkerIcon
    ink: Ink = inks.BLACK
    solid: bool = False
    tinted: bool = False


class MarkerCopies(NamedTuple):
    """A marker, and how many of it are printed."""

    marker: PrintedMarker
    copies: int


MARKERS = (
    MarkerCopies(PrintedMarker("Pinned", "pinned", inks.BAND, solid=True), 2 * MARKERS_IN_ROW),
    MarkerCopies(PrintedMarker("Op fired", "op_fired", inks.ACCENT), 2 * MARKERS_IN_ROW),
    MarkerCopies(PrintedMarker("Dug in", "dug_in", tinted=True), MARKERS_IN_ROW),
    MarkerCopies(PrintedMarker("Hull down", "hull_down"), MARKERS_IN_ROW),
    MarkerCopies(PrintedMarker("Broken", "broken", inks.ACCENT, solid=True), MARKERS_IN_ROW),
    # Whose turn it is: a ring and a square, as sides are hollow and solid on every sheet. The row
    # of these four is filled up with the last marker.
    MarkerCopies(PrintedMarker("Turn", "ring"), 2),
    MarkerCopies(PrintedMarker("Turn", "square"), 2),
    MarkerCopies(PrintedMarker("Aboard", "aboard", tinted=True), MARKERS_IN_ROW - 4),
)
"""All that is printed; together they fill rows."""


def all_markers() -> list[PrintedMarker]:
    """Every marker, each as often as it is printed."""
    markers = []
    for marker, copies in MARKERS:
        markers += [marker] * copies
    return markers


def draw_marker(canvas: Canvas, marker: PrintedMarker, x: float, y: float) -> None:
    """A frame with a picture, and the word below it; filled or tinted as the marker says."""
    side = MARKER_SIZE.width  # a marker is a square
    inset = 4.0
    filling, ink = inks.WHITE, marker.ink
    if marker.solid and not canvas.sparing:
        filling, ink = marker.ink, inks.WHITE
    elif marker.tinted:
        filling = inks.PANEL
    weight = 1.2
    if marker.solid:
        weight = 2.4
    canvas.pen(marker.ink, weight, filling)
    frame_side = side - 2 * inset
    canvas.roundRect(x + inset, y + inset, frame_side, frame_side, 5, stroke=1, fill=1)
    canvas.saveState()
    canvas.pen(ink, 1.6, ink)
    # With round ends and corners.
    canvas.setLineCap(1)
    canvas.setLineJoin(1)
    canvas.translate(x + side / 2, y + 0.59 * side)
    _draw_icon(canvas, marker.icon, 12.5)
    canvas.restoreState()
    write(canvas, x + side / 2, y + 9, marker.word.upper(), _WORD._replace(ink=ink), track=0.4)


def _draw_icon(canvas: Canvas, icon: MarkerIcon, r: float) -> None:
    """Draws a picture around the origin, within a circle of radius ``r``, in the
    current ink and weight."""
    match icon:
        case "pinned":
            _pinned(canvas, r)
        case "op_fired":
            _op_fired(canvas, r)
        case "dug_in":
            _dug_in(canvas, r)
        case "hull_down":
            _hull_down(canvas, r)
        case "broken":
            canvas.setLineWidth(3)
            canvas.line(-0.7 * r, -0.7 * r, 0.7 * r, 0.7 * r)
            canvas.line(-0.7 * r, 0.7 * r, 0.7 * r, -0.7 * r)
        case "aboard":
            _aboard(canvas, r)
        case "ring":
            canvas.setLineWidth(2.4)
            canvas.circle(0, 0, 0.75 * r, fill=0)
        case "square":
            canvas.rect(-0.7 * r, -0.7 * r, 1.4 * r, 1.4 * r, stroke=0, fill=1)


def _pinned(canvas: Canvas, r: float) -> None:
    """An arrow down to the ground."""
    canvas.line(0, r, 0, -0.2 * r)
    canvas.shape((-0.55 * r, 0.05 * r), (0.55 * r, 0.05 * r), (0, -0.7 * r), stroke=0)
    canvas.line(-r, -0.95 * r, r, -0.95 * r)


def _op_fired(canvas: Canvas, r: float) -> None:
    """A burst: rays around a dot, every second one shorter."""
    for ray in range(8):
        x, y = math.cos(math.pi * ray / 4) * r, math.sin(math.pi * ray / 4) * r
        end = 1.0
        is_short = ray % 2 == 1
        if is_short:
            end = 0.75
        canvas.line(0.42 * x, 0.42 * y, end * x, end * y)
    canvas.circle(0, 0, 0.18 * r, stroke=0, fill=1)


def _dug_in(canvas: Canvas, r: float) -> None:
    """Sandbags: three, and two on them."""
    wide, tall = 0.62 * r, 0.42 * r
    for row, count in enumerate((3, 2)):
        for bag in range(count):
            left, low = (bag - count / 2) * wide * 1.06, -0.6 * r + row * tall * 1.15
            canvas.roundRect(left, low, wide, tall, tall * 0.4, fill=0)


def _hull_down(canvas: Canvas, r: float) -> None:
    """A turret with its gun behind a hill."""
    canvas.roundRect(-0.55 * r, -0.1 * r, 0.9 * r, 0.5 * r, 1.5, stroke=0, fill=1)
    canvas.line(0.3 * r, 0.2 * r, 1.05 * r, 0.2 * r)
    hill = canvas.beginPath()
    hill.moveTo(-r, -0.75 * r)
    hill.curveTo(-0.4 * r, -0.05 * r, 0.4 * r, -0.05 * r, r, -0.75 * r)
    canvas.drawPath(hill, fill=0)


def _aboard(canvas: Canvas, r: float) -> None:
    """Three heads over the hull of a carrier."""
    for head in (-0.5, 0, 0.5):
        canvas.circle(head * r, 0.3 * r, 0.2 * r, stroke=0, fill=1)
    canvas.shape((-r, 0), (r, 0), (0.75 * r, -0.7 * r), (-0.75 * r, -0.7 * r), fill=0)
