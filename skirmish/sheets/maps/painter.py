"""The whole map: ground first, letters last, and only then the frame."""

from __future__ import annotations

from collections.abc import Mapping

from skirmish.sheets.faces import HEAD, ITALIC, LABEL
from skirmish.sheets.ink import SideInk
from skirmish.sheets.maps import frame, grounds, lines, things
from skirmish.sheets.maps.marks import mark
from skirmish.sheets.maps.pen import Pen
from skirmish.tabletop.battlefield import Battlefield, Label
from skirmish.tabletop.plane import Box

_LETTERING = {
    "water": (ITALIC, 10.0, 2.6),
    "town": (HEAD, 9.5, 0.5),
    "feature": (LABEL, 8.0, 0.7),
    "minor": (ITALIC, 7.2, 0.0),
}
"""Face, size and space between letters of a style."""


def paint(
    pen: Pen, field: Battlefield, size: tuple[float, float], sides: Mapping[str, SideInk]
) -> None:
    """A battlefield on a table of ``size`` inches; ``sides`` are the inks by side id."""
    across, upward = size
    table = Box(0, 0, across, upward)
    rim = [(0.0, 0.0), (across, 0.0), (across, upward), (0.0, upward)]
    with pen.within(rim):
        grounds.ground(pen, field, size)
        areas = sorted(field.areas, key=lambda part: grounds.ORDER.index(part.kind))
        for part in areas:
            if part.kind != "woods":
                grounds.area(pen, part, table)
        for slope in field.slopes:
            grounds.slope(pen, slope)
        frame.grid(pen, size)
        for kind in lines.WAYS:
            ways = [line for line in field.lines if line.kind == kind]
            for line in ways:
                lines.edge(pen, line)
            for line in ways:
                lines.core(pen, line)
        for part in areas:
            if part.kind == "woods":
                grounds.area(pen, part, table)
        for kind in lines.OTHERS:
            for line in field.lines:
                if line.kind == kind:
                    lines.core(pen, line)
        for house in field.buildings:
            things.building(pen, house)
        for zone in field.zones:
            things.zone(pen, zone, sides[zone.side])
        for circle in field.circles:
            things.circle(pen, circle, sides.get(circle.side or ""))
        for arrow in field.arrows:
            things.arrow(pen, arrow, sides[arrow.side])
    for measured in field.dimensions:
        things.dimension(pen, measured)
    for piece in field.marks:
        mark(pen, piece, sides.get(piece.side or ""))
    for zone in field.zones:
        if zone.tag:
            things.tag(pen, zone.letter, zone.tag, sides[zone.side])
    for label in field.labels:
        _letter(pen, label)
    frame.frame(pen, size)


def _letter(pen: Pen, label: Label) -> None:
    face, size, track = _LETTERING[label.style]
    ink = pen.inks.water_edge if label.style == "water" else pen.inks.ink
    middle = pen.at(label.at)
    pen.write(label.text, middle, face, size, ink, turn=label.turn, track=track)
