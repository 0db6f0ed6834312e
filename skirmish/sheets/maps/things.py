"""Things on the ground: buildings, guns, vehicles; and where sides set up and enter. Numbers
without a name are points, chosen by eye, so that a piece is read at the scale of a sheet."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import TypeAlias

from skirmish.games.plastic.rules.unit_shapes import UnitShape
from skirmish.sheets.inks import Ink, SideInk
from skirmish.sheets.layout import fonts
from skirmish.sheets.layout.fonts import HEAD, MEDIUM
from skirmish.sheets.layout.styles import SMALLEST
from skirmish.sheets.layout.symbols import (
    FRAME_HIGH,
    FRAME_WIDE,
    SymbolInks,
    draw_craft,
    draw_frame,
    draw_pillbox,
    symbol_inks,
)
from skirmish.sheets.maps.outlines import Outline, limit_run
from skirmish.sheets.maps.pen import CAPITALS, PaperPoint, Pen, TablePoint
from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import (
    Arrow,
    Building,
    Circle,
    Dimension,
    MapMark,
    MarkKind,
    Zone,
)
from skirmish.tabletop.plane import Rectangle

Dash: TypeAlias = tuple[float, ...]
"""Points of line and gap in turn."""
_NUMBER = 7.6
"""The type size of a building's number."""
_LETTER_OF_ZONE = 9.5
"""The type size of a contingent's letter."""
_MEASURE = 8.0
"""The type size of a distance."""
_MEANING, _MEANING_LINE = 16, 7.2
"""Letters in a line of what a distance means, and the points from line to line."""
_ZONE_DASH: Dash = (5, 1.8)
"""The dash of the line around the zone of a hollow side."""
_OURS = (3, 1.6)
"""The dash of a distance that is not in the source."""
_LIMIT = (7, 2, 1.6, 2)
"""The dash of a line across the table at the end of a distance."""
INTERRUPTED = ("distance", "road")
"""Lines that words may interrupt if need be: a distance, as its number does, and a road, which is
as white as what is behind the words."""
_BAY = 9.0
"""Points of a bay of a works or hangar, about."""
_COMB_STEP = 0.62
"""Inches of the table between two strokes of a comb."""
_COMB_TOOTH = 4.6
"""Points of such a stroke."""
_TILES = 1.9
"""Points between the lines of a roof that stand for its shade."""
LineEnds: TypeAlias = tuple[float, float, float, float]
"""Both ends of a line: x and y of the first, then of the second."""


def building(pen: Pen, part: Building) -> None:
    """A building with its roof or bays, and its tower."""
    deep, wide = sorted(side * pen.scale for side in part.size)
    turn = _turn_of_ridge(part)
    with pen.standing(part.at, turn):
        _walls(pen, part, wide, deep)
    if part.kind == "church":
        _tower(pen, part, turn, wide, deep)


def _turn_of_ridge(part: Building) -> float:
    """The degrees by which the ridge is turned, which runs along the longer side."""
    if part.size[0] < part.size[1]:
        return part.turn + 90
    return part.turn


def building_number(pen: Pen, part: Building) -> None:
    """The number by which players call a building, if it has one; that of a church stands clear of
    the cross on its tower."""
    if not part.number:
        return
    place = part.at
    if part.kind == "church":
        deep, wide = sorted(part.size)
        place = _along_ridge(part, _turn_of_ridge(part), -_tower_length(wide, deep) / 2)
    text, middle = str(part.number), pen.on_paper(place)
    if _is_line_work(pen):
        # The lines of the shaded half run into the figures: a 6 would be read as an 8. No disc,
        # which would cover the roof of a small building.
        _clear_behind(pen, text, middle)
    pen.write(text, middle, HEAD, _NUMBER, pen.inks.ink)


def _is_line_work(pen: Pen) -> bool:
    """Whether ink is spared: then roofs are as white as the paper."""
    return pen.inks.roof == pen.inks.paper


def _clear_behind(pen: Pen, text: str, middle: PaperPoint) -> None:
    """Clear the paper behind a number, a little wider and higher than its figures."""
    wide = fonts.width(text, HEAD, _NUMBER) + 2.4
    tall = CAPITALS * _NUMBER + 2.0
    x, y = middle
    pen.canvas.setFillColor(pen.inks.paper)
    pen.canvas.rect(x - wide / 2, y - tall / 2, wide, tall, stroke=0, fill=1)


def _walls(pen: Pen, part: Building, wide: float, deep: float) -> None:
    """The building around the canvas's origin."""
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
        for step in range(1, int(wide / _TILES)):
            canvas.line(left + step * _TILES, low, left + step * _TILES, 0)


def _tower_length(wide: float, deep: float) -> float:
    """The length of the tower of a church ``wide`` along its ridge: square, but for a short church,
    whose number needs the other half."""
    return min(deep, wide / 2)


def _along_ridge(part: Building, turn: float, distance: float) -> TablePoint:
    """The place in a building so many inches from its middle along the ridge."""
    angle = math.radians(turn)
    return part.at[0] + distance * math.cos(angle), part.at[1] + distance * math.sin(angle)


def _tower(pen: Pen, part: Building, turn: float, wide: float, deep: float) -> None:
    """The cross on the tower at the end of a church, upright however the church stands."""
    from_middle = (wide - _tower_length(wide, deep)) / 2 / pen.scale
    with pen.standing(_along_ridge(part, turn, from_middle)):
        pen.canvas.pen(pen.inks.cross, 1.2)
        arm = deep * 0.3
        pen.canvas.line(0, -arm, 0, arm)
        pen.canvas.line(-arm * 0.7, arm * 0.35, arm * 0.7, arm * 0.35)


def zone(pen: Pen, part: Zone, side: SideInk) -> None:
    """The set-up zone of a contingent: hatched, or combed along its edge."""
    # Sides differ by the slant of their lines and by a dashed edge, besides their ink.
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
    pen.ticks(comb, ink, 0.55)


def tag(pen: Pen, letter: str, place: TablePoint, side: SideInk) -> None:
    """The letter of a contingent where it sets up, in a square or a circle."""
    canvas = pen.canvas
    x, y = pen.on_paper(place)
    canvas.pen(pen.inks.paper, 1.3, side.ink)
    if side.solid:
        canvas.rect(x - 6.2, y - 6.2, 12.4, 12.4, fill=1)
    else:
        canvas.circle(x, y, 6.8, fill=1)
    pen.write(letter, (x, y), HEAD, _LETTER_OF_ZONE, pen.inks.paper, halo=False)


def circle(pen: Pen, part: Circle, side: SideInk | None) -> None:
    """A distance around a place, in the accent where it is nobody's."""
    ring = plane.ring(part.at, part.radius)
    ink = pen.inks.accent
    if side:
        ink = side.ink
    # A light line under the dashes keeps them apart from the ground.
    pen.stroke(ring, pen.inks.halo, 2.6, closed=True)
    pen.stroke(ring, ink, 1.1, closed=True, dash=(3, 1.6))


def arrow(pen: Pen, part: Arrow, side: SideInk, *, is_exit: bool = False) -> None:
    """Where a side enters or leaves: a shaft that becomes broader, and a head, which stops at a bar
    where it leaves."""
    run = [pen.on_paper(point) for point in part.run]
    (x0, y0), tip = run[-2], run[-1]
    angle = math.atan2(tip[1] - y0, tip[0] - x0)
    head_width = 1.1 * pen.scale  # half of it on either side of the shaft
    head_length = 1.9 * head_width
    neck = (tip[0] - math.cos(angle) * head_length, tip[1] - math.sin(angle) * head_length)
    across = (-math.sin(angle) * head_width, math.cos(angle) * head_width)
    left: list[PaperPoint] = []
    right: list[PaperPoint] = []
    shaft = [*run[:-1], neck]
    for number, point in enumerate(shaft):
        share = number / max(len(shaft) - 1, 1)
        half = (0.35 + 0.65 * share) / 2
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
        pen.ticks([bar], pen.inks.halo, 4.4)
        pen.ticks([bar], side.ink, 2.4)


def _beside(point: PaperPoint, across: PaperPoint, times: float) -> PaperPoint:
    """The place so many times ``across`` from a point."""
    return point[0] + across[0] * times, point[1] + across[1] * times


def dimension_with_number(pen: Pen, part: Dimension) -> None:
    """A dimension line with its length in inches."""
    dimension_arrow(pen, part)
    text = f"{math.dist(part.start, part.end):.4g}″"
    if part.at_most:
        text = f"≤ {text}"
    place = _place_of_number(pen, part)
    wide = fonts.width(text, HEAD, _MEASURE) + 3
    _plate(pen, plane.box(plane.oblong(place, wide, _MEASURE * 1.04)))
    pen.write(text, place, HEAD, _MEASURE, _ink_of(pen, part), halo=False)


def _place_of_number(pen: Pen, part: Dimension) -> PaperPoint:
    """The place of the number of a distance: in its middle, or so far off it as its author has
    moved it."""
    (x0, y0), (x1, y1) = part.start, part.end
    off_x, off_y = part.off
    return pen.on_paper(((x0 + x1) / 2 + off_x, (y0 + y1) / 2 + off_y))


def dimension_words(
    pen: Pen,
    part: Dimension,
    obstacles: Sequence[Rectangle],
    outlines: Sequence[Outline],
    room: Rectangle,
) -> None:
    """What a distance means, in short lines around its number, where that covers nothing; left out
    where it would everywhere. Of those places the first that the fewest ``outlines`` run through.
    ``obstacles``, ``outlines`` and ``room`` are on the paper."""
    lines = wrap(part.means, _MEANING)
    if not lines:
        return
    wide = max(fonts.width(line, MEDIUM, SMALLEST) for line in lines)
    tall = len(lines) * _MEANING_LINE
    x, y = _place_of_number(pen, part)
    best, least_harm = None, math.inf
    for dx, dy in _around_number(wide, tall):
        box = plane.box(plane.oblong((x + dx, y + dy), wide + 2, tall))
        if not box.within(room) or any(box.overlaps(obstacle) for obstacle in obstacles):
            continue
        harm = math.fsum(_harm(outline) for outline in outlines if outline.crosses(box))
        if harm < least_harm:
            best, least_harm = box, harm
    if best:
        if least_harm:
            _plate(pen, best)
        _write_meaning(pen, lines, best, _ink_of(pen, part))


def _harm(outline: Outline) -> float:
    """How bad it is if words interrupt a line."""
    if outline.kind in INTERRUPTED:
        return 0.5
    return 1.0


def _plate(pen: Pen, box: Rectangle) -> None:
    """Clear the ground behind words or a number, so that no line runs through them."""
    pen.canvas.setFillColor(pen.inks.halo)
    wide, tall = box.right - box.left, box.top - box.bottom
    pen.canvas.roundRect(box.left, box.bottom, wide, tall, 1.6, stroke=0, fill=1)


def _around_number(wide: float, tall: float) -> Iterator[PaperPoint]:
    """The ways from the middle of a distance's number to that of words so wide and tall: below it,
    above it, beside it, and off its corners."""
    level, aside = _MEASURE / 2 + 0.6 + tall / 2, wide / 2 + 10
    yield from ((0.0, -level), (0.0, level), (aside, 0.0), (-aside, 0.0))
    for dx in (wide / 2 + 3, -wide / 2 - 3):
        yield from ((dx, -level), (dx, level))


def _write_meaning(pen: Pen, lines: Sequence[str], box: Rectangle, ink: Ink) -> None:
    """Lines below one another in a box."""
    x, level = (box.left + box.right) / 2, box.top
    for line in lines:
        pen.write(line, (x, level - _MEANING_LINE / 2), MEDIUM, SMALLEST, ink)
        level -= _MEANING_LINE


def dimension_line(pen: Pen, part: Dimension, size: tuple[float, float]) -> None:
    """A line across the table at the end of a distance."""
    run = limit_run(part, size)
    pen.stroke(run, pen.inks.halo, 2.6)
    pen.stroke(run, _ink_of(pen, part), 1.2, dash=_LIMIT, round_ends=False)


def dimension_arrow(pen: Pen, part: Dimension) -> None:
    """A dimension line with two arrow heads: solid and in the accent for distances of the source,
    dashed and in black for ours."""
    ink = _ink_of(pen, part)
    dash: Dash = ()
    if part.ours:
        dash = _OURS
    pen.stroke((part.start, part.end), pen.inks.halo, 2.6)
    pen.stroke((part.start, part.end), ink, 0.8, dash=dash, round_ends=not part.ours)
    (x0, y0), (x1, y1) = pen.on_paper(part.start), pen.on_paper(part.end)
    angle = math.atan2(y1 - y0, x1 - x0)
    _arrow_head(pen, (x0, y0), angle, ink)
    _arrow_head(pen, (x1, y1), angle + math.pi, ink)


def _arrow_head(pen: Pen, tip: PaperPoint, angle: float, ink: Ink) -> None:
    """A small head; ``angle``: from its tip to the line."""
    x, y = tip
    corners = [tip]
    for spread in (0.42, -0.42):
        turn = angle + spread
        corners.append((x + math.cos(turn) * 4.6, y + math.sin(turn) * 4.6))
    pen.polygon(corners, ink)


def _ink_of(pen: Pen, part: Dimension) -> Ink:
    """A distance of the source has the accent, ours the ink of the map."""
    if part.ours:
        return pen.inks.ink
    return pen.inks.accent


def mark(pen: Pen, part: MapMark, side: SideInk | None) -> None:
    """One piece in its facing; its letter stays upright. A neutral piece has the map's own ink."""
    owner = side or SideInk(pen.inks.ink, solid=True)
    with pen.standing(part.at, part.facing):
        if part.kind in _FIGURES:
            _figure(pen, part.kind, owner)
        else:
            _PIECES[part.kind](pen, owner)
    shape = _SHAPES.get(part.kind)
    if shape:
        # A frame is upright, wherever the unit faces.
        with pen.standing(part.at):
            _halo(pen)
            draw_frame(pen.canvas, shape, symbol_inks(owner))
    if not part.mark:  # its letter
        return
    x, y = pen.on_paper(part.at)
    size = _LETTER_SIZES.get(part.kind, _LETTER)
    if part.kind in _LETTER_INSIDE:
        ink = owner.ink
        if owner.solid:
            ink = pen.inks.paper
        pen.write(part.mark, (x, y), HEAD, size, ink, halo=False)
    else:
        # Below the piece it is on the ground: in the ink of its side, with a halo.
        pen.write(part.mark, (x, y - 12), HEAD, size, owner.ink)


def pointer(part: MapMark, place: PaperPoint) -> tuple[PaperPoint, PaperPoint] | None:
    """The line from the middle of a piece on the paper to the tip of what shows where it faces;
    None for a piece whose shape shows that."""
    reach = _POINTERS.get(part.kind)
    if reach is None:
        return None
    turn = math.radians(part.facing)
    return place, (place[0] + math.cos(turn) * reach, place[1] + math.sin(turn) * reach)


def _halo(pen: Pen) -> None:
    """A light ground around the frame of a unit, at the origin of the canvas."""
    pen.canvas.setFillColor(pen.inks.halo)
    wide, tall = FRAME_WIDE + 2.4, FRAME_HIGH + 2.4
    pen.canvas.rect(-wide / 2, -tall / 2, wide, tall, stroke=0, fill=1)


_SHAPES: Mapping[MarkKind, UnitShape] = {
    "tank": UnitShape("tank", oval=True),
    "truck": UnitShape("truck", wheels=True),
    "gun": UnitShape("cannon"),
}
"""Marks that are a unit's symbol, with a line to where it faces."""
_POINTERS: Mapping[MarkKind, float] = {
    "mg": 13.0,
    "entry": 13.5,
    "tank": 10.5,
    "truck": 10.5,
    "gun": 10.5,
}
"""The distance from the middle of a piece to the tip of its pointer, in points."""
_LETTER = 8.0
"""The usual size of a piece's letter, in points."""
_LETTER_SIZES: Mapping[MarkKind, float] = {
    "large_pillbox": 10.0,
    "small_pillbox": 9.0,
    "entry": 9.5,
}
"""The sizes of letters that are not the usual one."""
_LETTER_INSIDE: tuple[MarkKind, ...] = ("mg", "small_pillbox", "large_pillbox", "entry")
"""Pieces with their letter in them; others have it below."""

# Each of the following draws a piece around the canvas's origin, facing to the right.


def _body(pen: Pen, side: SideInk) -> Ink:
    """The filling of a piece."""
    if side.solid:
        return side.ink
    return pen.inks.paper


def _on_body(pen: Pen, side: SideInk) -> Ink:
    """What is drawn on that filling."""
    if side.solid:
        return pen.inks.paper
    return side.ink


def _edge(pen: Pen, side: SideInk) -> Ink:
    """The outline of a piece; that of a solid one sets it off from the ground."""
    if side.solid:
        return pen.inks.halo
    return side.ink


def _mg(pen: Pen, side: SideInk) -> None:
    canvas = pen.canvas
    for ink, weight, reach in ((pen.inks.halo, 3.4, 11.5), (side.ink, 1.5, 10.0)):
        canvas.pen(ink, weight)
        canvas.line(0, 0, reach, 0)
    pen.polygon([(_POINTERS["mg"], 0), (8.6, 2.6), (8.6, -2.6)], side.ink)
    canvas.pen(_edge(pen, side), 1.1, _body(pen, side))
    canvas.circle(0, 0, 5.6, fill=1)


def _small_pillbox(pen: Pen, side: SideInk) -> None:
    draw_pillbox(pen.canvas, 6.6, _colours(pen, side))


def _large_pillbox(pen: Pen, side: SideInk) -> None:
    draw_pillbox(pen.canvas, 8.6, _colours(pen, side))


def _landing_craft(pen: Pen, side: SideInk) -> None:
    draw_craft(pen.canvas, 2.5 * pen.scale, 1.1 * pen.scale, _colours(pen, side))


def _colours(pen: Pen, side: SideInk) -> SymbolInks:
    return SymbolInks(_edge(pen, side), _body(pen, side), _on_body(pen, side))


def _draw_pointer(pen: Pen, side: SideInk) -> None:
    """A line from the middle of a unit to where it faces."""
    for ink, weight in ((pen.inks.halo, 3.2), (side.ink, 1.5)):
        pen.canvas.pen(ink, weight)
        pen.canvas.line(0, 0, _POINTERS["tank"], 0)


def _entry(pen: Pen, side: SideInk) -> None:
    """At the rim, where men come on: a box on a point that looks their way."""
    body, edge = _body(pen, side), _edge(pen, side)
    pen.polygon([(_POINTERS["entry"], 0), (5.5, 6), (5.5, -6)], body, edge, 1.1)
    pen.polygon([(6.6, 6.6), (-6.6, 6.6), (-6.6, -6.6), (6.6, -6.6)], body, edge, 1.1)


def _objective(pen: Pen, side: SideInk) -> None:
    """A star of five points: its corners are far and near in turn."""
    star = []
    for corner in range(10):
        reach, turn = 9.0, corner * math.pi / 5
        if corner % 2:
            reach = 3.8
        star.append((reach * math.cos(turn), reach * math.sin(turn)))
    pen.polygon(star, pen.inks.accent, pen.inks.halo, 0.9)


# What draws a piece of each kind; ``_FIGURES`` has the others.
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


def _figure(pen: Pen, kind: MarkKind, side: SideInk) -> None:
    """A piece of a few lines: over a halo, with a light core for a hollow side."""
    canvas = pen.canvas
    canvas.setLineCap(1)
    # Each layer is drawn in its ink, its lines heavier or lighter than they are by so many points.
    layers = [(pen.inks.halo, 2.8), (side.ink, 1.1), (pen.inks.paper, -0.5)]
    if side.solid:
        layers = [(pen.inks.halo, 2.8), (side.ink, 0.0)]
    for ink, heavier in layers:
        canvas.setStrokeColor(ink)
        for weight, line in _FIGURES[kind]:
            canvas.setLineWidth(weight + heavier)
            canvas.line(*line)


_FIGURES: Mapping[MarkKind, tuple[tuple[float, LineEnds], ...]] = {
    "aircraft": ((2.2, (-8, 0, 8, 0)), (3.0, (2.5, 10, 2.5, -10)), (1.8, (-7, 4, -7, -4))),
    "glider": ((3.2, (-7, 0, 5.5, 0)), (2.0, (1.5, 12, 1.5, -12)), (1.6, (-6.5, 3.4, -6.5, -3.4))),
}  # fmt: skip
"""Pieces of a few lines, each with its weight."""
