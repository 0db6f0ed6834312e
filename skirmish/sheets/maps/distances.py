"""The distances of a scenario's rules on a map: dimension lines with their length, what each means,
the limits at which they end, and circles. Numbers without a name are points, chosen by eye.

``Pen.stroke`` takes points of the table, in inches. Everything else is drawn at points of the
paper, which are called ``PaperPoint``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import TypeAlias

from skirmish.sheets.inks import Ink, SideInk
from skirmish.sheets.layout import fonts
from skirmish.sheets.layout.fonts import HEAD, MEDIUM
from skirmish.sheets.layout.styles import SMALLEST
from skirmish.sheets.maps.outlines import Outline, limit_path
from skirmish.sheets.maps.pen import PaperPoint, Pen, TableSize
from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import Circle, Dimension
from skirmish.tabletop.plane import Rectangle

Dash: TypeAlias = tuple[float, ...]
"""Points of line and gap in turn."""
_DISTANCE_SIZE = 8.0
"""The type size of a distance."""
_MEANING_LETTERS, _MEANING_LEADING = 16, 7.2
"""The most letters in a line of what a distance means, and the points from line to line."""
_OUR_DASH: Dash = (3, 1.6)
"""The dash of a distance that is not in the source."""
_LIMIT_DASH: Dash = (7, 2, 1.6, 2)
"""The dash of a line across the table at the end of a distance."""
_CIRCLE_DASH: Dash = (3, 1.6)
"""The dash of a distance around a place."""
INTERRUPTIBLE = ("distance", "road")
"""The kinds of outlines that words may interrupt if need be: a distance, as its number does, and a
road, which is as white as what is behind the words."""


def draw_dimension_with_number(pen: Pen, distance: Dimension) -> None:
    """Draws a dimension line with its length in inches."""
    draw_dimension_arrow(pen, distance)
    text = f"{math.dist(distance.start, distance.end):.4g}″"
    if distance.at_most:
        text = f"≤ {text}"
    place = _place_of_number(pen, distance)
    wide = fonts.width(text, HEAD, _DISTANCE_SIZE) + 3
    _clear_ground(pen, plane.box(plane.oblong(place, wide, _DISTANCE_SIZE * 1.04)))
    pen.write(text, place, HEAD, _DISTANCE_SIZE, _ink_of(pen, distance), halo=False)


def _place_of_number(pen: Pen, distance: Dimension) -> PaperPoint:
    """The place of the number of a distance: in its middle, or so far off it as its author has
    moved it."""
    (x0, y0), (x1, y1) = distance.start, distance.end
    off_x, off_y = distance.off
    return pen.on_paper(((x0 + x1) / 2 + off_x, (y0 + y1) / 2 + off_y))


def draw_meaning(
    pen: Pen,
    distance: Dimension,
    obstacles: Sequence[Rectangle],
    outlines: Sequence[Outline],
    room: Rectangle,
) -> None:
    """Writes what a distance means, in short lines beside its number. Of the places where these
    cover no obstacle, the first is taken at which the ``outlines`` do least harm. If there is no
    such place, the meaning is left out. ``obstacles``, ``outlines`` and ``room`` are on the
    paper."""
    lines = wrap(distance.means, _MEANING_LETTERS)
    if not lines:
        return
    wide = max(fonts.width(line, MEDIUM, SMALLEST) for line in lines)
    tall = len(lines) * _MEANING_LEADING
    x, y = _place_of_number(pen, distance)
    best: Rectangle | None = None
    least_harm = math.inf
    for dx, dy in _around_number(wide, tall):
        box = plane.box(plane.oblong((x + dx, y + dy), wide + 2, tall))
        if not box.within(room) or any(box.overlaps(obstacle) for obstacle in obstacles):
            continue
        harm = _harm(box, outlines)
        if harm < least_harm:
            best, least_harm = box, harm
    if best is None:
        return
    if least_harm > 0:
        _clear_ground(pen, best)
    _write_meaning(pen, lines, best, _ink_of(pen, distance))


def _harm(box: Rectangle, outlines: Sequence[Outline]) -> float:
    """How bad it is to write in that box: 1 for each outline through it, but a half for one that
    words may interrupt."""
    harm = 0.0
    for outline in outlines:
        if outline.crosses(box):
            if outline.kind in INTERRUPTIBLE:
                harm += 0.5
            else:
                harm += 1.0
    return harm


def _clear_ground(pen: Pen, box: Rectangle) -> None:
    """Clears the ground behind words or a number, so that no line runs through them."""
    pen.canvas.setFillColor(pen.inks.halo)
    wide, tall = box.right - box.left, box.top - box.bottom
    pen.canvas.roundRect(box.left, box.bottom, wide, tall, 1.6, stroke=0, fill=1)


def _around_number(wide: float, tall: float) -> Iterator[PaperPoint]:
    """The ways from the middle of a distance's number to that of words so ``wide`` and ``tall``:
    below it, above it, beside it, and off its corners."""
    upward = _DISTANCE_SIZE / 2 + 0.6 + tall / 2
    aside = wide / 2 + 10
    yield from ((0.0, -upward), (0.0, upward), (aside, 0.0), (-aside, 0.0))
    off_corner = wide / 2 + 3
    for dx in (off_corner, -off_corner):
        yield from ((dx, -upward), (dx, upward))


def _write_meaning(pen: Pen, lines: Sequence[str], box: Rectangle, ink: Ink) -> None:
    """Writes lines below one another in a box."""
    x, level = (box.left + box.right) / 2, box.top
    for line in lines:
        pen.write(line, (x, level - _MEANING_LEADING / 2), MEDIUM, SMALLEST, ink)
        level -= _MEANING_LEADING


def draw_limit(pen: Pen, distance: Dimension, size: TableSize) -> None:
    """Draws the line across the table at the end of a distance."""
    run = limit_path(distance, size)
    pen.stroke(run, pen.inks.halo, 2.6)
    pen.stroke(run, _ink_of(pen, distance), 1.2, dash=_LIMIT_DASH, round_ends=False)


def draw_dimension_arrow(pen: Pen, distance: Dimension) -> None:
    """Draws a dimension line with two arrow heads: solid and in the accent for distances of the
    source, dashed and in black for ours."""
    ink = _ink_of(pen, distance)
    dash: Dash = ()
    if distance.ours:
        dash = _OUR_DASH
    pen.stroke((distance.start, distance.end), pen.inks.halo, 2.6)
    pen.stroke((distance.start, distance.end), ink, 0.8, dash=dash, round_ends=not distance.ours)
    (x0, y0), (x1, y1) = pen.on_paper(distance.start), pen.on_paper(distance.end)
    angle = math.atan2(y1 - y0, x1 - x0)
    _arrow_head(pen, (x0, y0), angle, ink)
    _arrow_head(pen, (x1, y1), angle + math.pi, ink)


def _arrow_head(pen: Pen, tip: PaperPoint, angle: float, ink: Ink) -> None:
    """A small head at a ``tip``; ``angle``: from there along the line, in radians."""
    x, y = tip
    corners = [tip]
    # The two other corners, to either side of the line, in radians from it.
    for spread in (0.42, -0.42):
        turn = angle + spread
        corners.append((x + math.cos(turn) * 4.6, y + math.sin(turn) * 4.6))
    pen.polygon(corners, ink)


def _ink_of(pen: Pen, distance: Dimension) -> Ink:
    """The accent for a distance of the source, the ink of the map for one of ours."""
    if distance.ours:
        return pen.inks.ink
    return pen.inks.accent


def draw_circle(pen: Pen, circle: Circle, side: SideInk | None) -> None:
    """Draws a distance around a place, in the ink of the side that it concerns, or in the accent
    for both (None)."""
    ring = plane.ring(circle.at, circle.radius)
    ink = pen.inks.accent
    if side is not None:
        ink = side.ink
    # A light line under the dashes keeps them apart from the ground.
    pen.stroke(ring, pen.inks.halo, 2.6, closed=True)
    pen.stroke(ring, ink, 1.1, closed=True, dash=_CIRCLE_DASH)
