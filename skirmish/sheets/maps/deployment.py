"""Where the sides set up, enter and leave: zones with their letters, and arrows. Numbers without
a name are points, chosen by eye."""

from __future__ import annotations

import math

from skirmish.sheets.inks import Ink, SideInk
from skirmish.sheets.layout.fonts import HEAD
from skirmish.sheets.maps.pen import ROUND, PaperPoint, Pen, TablePoint
from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import Arrow, Zone

_ZONE_LETTER_SIZE = 9.5
"""The type size of a contingent's letter."""
_ZONE_DASH: tuple[float, ...] = (5, 1.8)
"""Points of line and gap around the zone of a hollow side."""
_COMB_STEP = 0.62
"""Inches of the table between two strokes of a comb."""
_COMB_TOOTH = 4.6
"""The length of such a stroke in points."""


def draw_zone(pen: Pen, zone: Zone, side: SideInk) -> None:
    """Draws the set-up zone of a contingent: hatched all over, or with a comb of short strokes
    along its edge."""
    # Sides differ by the slant of their lines and by the dash of the edge, besides their ink.
    hatch_angle, comb_angle, dash = 45, 60, _ZONE_DASH
    if side.solid:
        hatch_angle, comb_angle, dash = -45, 120, ()
    if zone.fill == "full":
        pen.hatch(zone.points, side.ink, gap=3.0, angle=hatch_angle, weight=0.55)
    else:
        _draw_comb(pen, zone, side.ink, math.radians(comb_angle))
    pen.stroke(zone.points, side.ink, 1.2, closed=True, dash=dash, round_ends=False)


def _draw_comb(pen: Pen, zone: Zone, ink: Ink, angle: float) -> None:
    """Strokes from the edge of a zone inward, at an ``angle`` to it in radians."""
    outline = zone.points
    # Along an edge that runs counterclockwise the inside is at the left.
    if not plane.turns_left(outline):
        outline = tuple(reversed(outline))
    teeth = []
    for place, heading in plane.stations(outline, _COMB_STEP, closed=True):
        x, y = pen.on_paper(place)
        direction = heading + angle
        tip = x + math.cos(direction) * _COMB_TOOTH, y + math.sin(direction) * _COMB_TOOTH
        teeth.append(((x, y), tip))
    pen.short_lines(teeth, ink, 0.55)


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


def draw_arrow(pen: Pen, arrow: Arrow, side: SideInk, *, is_exit: bool = False) -> None:
    """Draws where a side enters or leaves: a shaft that becomes broader, and a head, which stops at
    a bar where the side leaves."""
    run = [pen.on_paper(point) for point in arrow.run]
    (before_x, before_y), (tip_x, tip_y) = run[-2], run[-1]
    angle = math.atan2(tip_y - before_y, tip_x - before_x)
    half_head = 1.1 * pen.scale  # half the width of the head
    head_length = 1.9 * half_head
    tip = tip_x, tip_y
    # Where the shaft meets the head.
    neck = tip_x - math.cos(angle) * head_length, tip_y - math.sin(angle) * head_length
    # From the middle of the head to its left corner.
    across = -math.sin(angle) * half_head, math.cos(angle) * half_head
    left: list[PaperPoint] = []
    right: list[PaperPoint] = []
    shaft = [*run[:-1], neck]
    for number, point in enumerate(shaft):
        share_of_way = number / (len(shaft) - 1)
        # From its start to the neck the shaft grows to half the breadth of the head.
        half_shaft = (0.35 + 0.65 * share_of_way) / 2
        left.append(_beside(point, across, half_shaft))
        right.append(_beside(point, across, -half_shaft))
    head = [_beside(neck, across, 1.0), tip, _beside(neck, across, -1.0)]
    pen.canvas.setLineJoin(ROUND)
    filling = pen.inks.paper
    if side.solid:
        filling = side.ink
    pen.polygon([*left, *head, *reversed(right)], filling, side.ink, 1.0)
    if is_exit:
        bar = _beside(tip, across, -1.8), _beside(tip, across, 1.8)
        pen.short_lines([bar], pen.inks.halo, 4.4)
        pen.short_lines([bar], side.ink, 2.4)


def _beside(point: PaperPoint, across: PaperPoint, times: float) -> PaperPoint:
    """The place at so many ``times`` the way ``across`` from a point."""
    return point[0] + across[0] * times, point[1] + across[1] * times
