"""Where the sides set up, enter and leave: zones with their letters, and arrows. Constants without
a name are points, chosen by eye."""

from __future__ import annotations

import math

from skirmish.sheets.inks import Ink, SideInk
from skirmish.sheets.layout.fonts import HEAD
from skirmish.sheets.maps.pen import PaperPoint, Pen, TablePoint
from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import (
    Arrow,
    Zone,
)

_ZONE_LETTER_SIZE = 9.5
"""The type size of a contingent's letter."""
_ZONE_DASH: tuple[float, ...] = (5, 1.8)
"""Points of line and gap around the zone of a hollow side."""
_COMB_STEP = 0.62
"""Inches of the table between two strokes of a comb."""
_COMB_TOOTH = 4.6
"""The length of such a stroke in points."""


def draw_zone(pen: Pen, part: Zone, side: SideInk) -> None:
    """Draws the set-up zone of a contingent: hatched, or combed along its edge."""
    # Sides differ by the slant of their lines and by the dash of the edge, besides their ink.
    angle, lean, dash = 45, 60, _ZONE_DASH
    if side.solid:
        angle, lean, dash = -45, 120, ()
    if part.fill == "full":
        pen.hatch(part.points, side.ink, 3.0, angle, 0.55)
    else:
        _comb(pen, part, side.ink, math.radians(lean))
    pen.stroke(part.points, side.ink, 1.2, closed=True, dash=dash, round_ends=False)


def _comb(pen: Pen, part: Zone, ink: Ink, lean: float) -> None:
    """Strokes from the edge of a zone inward, at an angle to it."""
    outline = part.points
    if not plane.turns_left(outline):
        outline = tuple(reversed(outline))
    comb = []
    for place, heading in plane.stations(outline, _COMB_STEP, closed=True):
        x, y = pen.on_paper(place)
        turn = heading + lean
        tip = x + math.cos(turn) * _COMB_TOOTH, y + math.sin(turn) * _COMB_TOOTH
        comb.append(((x, y), tip))
    pen.short_lines(comb, ink, 0.55)


def draw_zone_letter(pen: Pen, letter: str, place: TablePoint, side: SideInk) -> None:
    """Draws the letter of a contingent where it sets up: in a square for a solid side, in a circle
    for a hollow one."""
    canvas = pen.canvas
    x, y = pen.on_paper(place)
    canvas.pen(pen.inks.paper, 1.3, side.ink)
    if side.solid:
        canvas.rect(x - 6.2, y - 6.2, 12.4, 12.4, fill=1)
    else:
        canvas.circle(x, y, 6.8, fill=1)
    pen.write(letter, (x, y), HEAD, _ZONE_LETTER_SIZE, pen.inks.paper, halo=False)


def draw_arrow(pen: Pen, part: Arrow, side: SideInk, *, is_exit: bool = False) -> None:
    """Draws where a side enters or leaves: a shaft that becomes broader, and a head, which stops at
    a bar where the side leaves."""
    run = [pen.on_paper(point) for point in part.run]
    (x0, y0), tip = run[-2], run[-1]
    angle = math.atan2(tip[1] - y0, tip[0] - x0)
    head_width = 1.1 * pen.scale  # half of it on either side of the shaft
    head_length = 1.9 * head_width
    neck = (tip[0] - math.cos(angle) * head_length, tip[1] - math.sin(angle) * head_length)
    # From the middle of the head to its left side.
    across = (-math.sin(angle) * head_width, math.cos(angle) * head_width)
    left: list[PaperPoint] = []
    right: list[PaperPoint] = []
    shaft = [*run[:-1], neck]
    for number, point in enumerate(shaft):
        share_of_way = number / max(len(shaft) - 1, 1)
        # From its start to the neck the shaft grows to half the breadth of the head.
        half = (0.35 + 0.65 * share_of_way) / 2
        left.append(_beside(point, across, half))
        right.append(_beside(point, across, -half))
    head = [_beside(neck, across, 1.0), tip, _beside(neck, across, -1.0)]
    pen.canvas.setLineJoin(1)
    filling = pen.inks.paper
    if side.solid:
        filling = side.ink
    pen.polygon([*left, *head, *reversed(right)], filling, side.ink, 1.0)
    if is_exit:
        bar = (_beside(tip, across, -1.8), _beside(tip, across, 1.8))
        pen.short_lines([bar], pen.inks.halo, 4.4)
        pen.short_lines([bar], side.ink, 2.4)


def _beside(point: PaperPoint, across: PaperPoint, times: float) -> PaperPoint:
    """The place so many times ``across`` from a point."""
    return point[0] + across[0] * times, point[1] + across[1] * times
