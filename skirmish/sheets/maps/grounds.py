"""Ground: what an area is covered with, and how it falls."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from skirmish.sheets.maps.pen import Pen, Trace
from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import Area, Battlefield, Slope
from skirmish.tabletop.plane import Box, Path, Point

ORDER = ("beach", "airfield", "town", "rough", "marsh", "depression", "field", "crater", "orchard",
         "sea", "woods")  # fmt: skip
"""From the lowest to the highest."""
_CROWN = ((0.94, 0.342), (0.751, 0.861), (0.177, 1.129), (-0.342, 0.94),
          (-0.861, 0.751), (-1.129, 0.177), (-0.94, -0.342))  # fmt: skip
"""Half a circle from 20 to 200 degrees as two curves, its radius 1."""
_SHORE = (0.35, 1.0, 1.9, 3.1, 4.6, 6.4, 8.4)
"""Inches from the shore at which water is lined."""


def ground(pen: Pen, field: Battlefield, size: tuple[float, float]) -> None:
    across, upward = size
    table = [(0.0, 0.0), (across, 0.0), (across, upward), (0.0, upward)]
    pen.fill(table, getattr(pen.inks, field.ground))
    chance = pen.chance(table)
    match field.ground:
        case "desert":
            pen.stipple(_strewn(pen, table, 2.6), pen.inks.speck, 0.55)
        case "steppe":
            tufts = (pen.at(place) for place in _strewn(pen, table, 3.4))
            pen.ticks((_blade(x, y, chance.uniform(-1, 1)) for x, y in tufts), pen.inks.speck, 0.4)
        case "rubble":
            bits = (pen.at(place) for place in _strewn(pen, table, 2.2))
            chips = (_chip(x, y, chance.uniform(0, 3.1)) for x, y in bits)
            pen.ticks(chips, pen.inks.speck, 0.5)


def area(pen: Pen, part: Area, table: Box) -> None:
    _AREAS[part.kind](pen, part, part.outline, table)


def slope(pen: Pen, part: Slope) -> None:
    """Falling ground: strokes that begin at the crest and thin out toward the foot."""
    crest, foot = part.edges
    inks = pen.inks
    if part.ring:
        pen.fill(foot, inks.slope)
        pen.fill(crest, inks.hilltop)
    else:
        pen.fill([*crest, *reversed(foot)], inks.slope)
    count = max(6, round(plane.length(crest, closed=part.ring) / 0.62))
    high = plane.stations(crest, plane.length(crest, closed=part.ring) / count, closed=part.ring)
    low = plane.stations(foot, plane.length(foot, closed=part.ring) / count, closed=part.ring)
    drawn = Trace()
    for index, (top, bottom) in enumerate(zip(high, low, strict=False)):
        share = 0.55 if index % 2 else 0.88
        (x0, y0), (x1, y1) = top.at, bottom.at
        tip = (x0 + (x1 - x0) * share, y0 + (y1 - y0) * share)
        aside = (math.cos(top.heading) * 0.115, math.sin(top.heading) * 0.115)
        wedge = ((x0 - aside[0], y0 - aside[1]), (x0 + aside[0], y0 + aside[1]), tip)
        drawn.run(map(pen.at, wedge), closed=True)
    pen.canvas.setFillColor(inks.hachure)
    pen.canvas.drawPath(drawn, stroke=0, fill=1)
    pen.stroke(crest, inks.hachure, 1.1, closed=part.ring)


def _sea(pen: Pen, part: Area, outline: Path, table: Box) -> None:
    pen.fill(outline, pen.inks.sea)
    for shore in _shores(outline, table):
        with pen.within(outline):
            for number, far in enumerate(_SHORE):
                weight = max(0.25, 0.7 - 0.07 * number)
                for line in lined(shore, far):
                    pen.stroke(line, pen.inks.sea_line, weight, round_ends=False)
        pen.stroke(shore, pen.inks.water_edge, 0.8)


def lined(shore: Path, far: float) -> Iterator[list[Point]]:
    """The line so far from a shore, without the loops that it makes where the shore bends sharply
    round it: what comes nearer to another stretch of the shore is left out."""
    run: list[Point] = []
    for point in plane.beside(shore, far):
        if plane.distance(point, shore) > far * 0.93:
            run.append(point)
            continue
        if len(run) > 1:
            yield run
        run = []
    if len(run) > 1:
        yield run


def _shores(outline: Path, table: Box) -> Iterator[list[Point]]:
    """The stretches of an outline that do not run along the rim, water on the left."""

    def rims(point: Point) -> set[int]:
        places = (point[0], point[0], point[1], point[1])
        edges = (table.left, table.right, table.bottom, table.top)
        return {n for n, (at, edge) in enumerate(zip(places, edges, strict=True))
                if abs(at - edge) < 0.01}  # fmt: skip

    def along_rim(leg: tuple[Point, Point]) -> bool:
        return bool(rims(leg[0]) & rims(leg[1]))

    points = list(outline) if plane.turns_left(outline) else list(reversed(outline))
    legs = list(zip(points, [*points[1:], points[0]], strict=True))
    start = next((number for number, leg in enumerate(legs) if along_rim(leg)), 0)
    run: list[Point] = []
    for one, two in [*legs[start:], *legs[:start]]:
        if along_rim((one, two)):
            if len(run) > 1:
                yield run
            run = []
            continue
        run = run or [one]
        run.append(two)
    if len(run) > 1:
        yield run


def _beach(pen: Pen, part: Area, outline: Path, table: Box) -> None:
    pen.fill(outline, pen.inks.beach)
    with pen.within(outline):
        pen.stipple(_strewn(pen, outline, 1.25), pen.inks.beach_line, 0.55)


def _field(pen: Pen, part: Area, outline: Path, table: Box) -> None:
    pen.fill(outline, pen.inks.field)
    pen.hatch(outline, pen.inks.field_line, 3.2, part.angle, 0.4)
    pen.stroke(outline, pen.inks.field_line, 0.6, closed=True)


def _marsh(pen: Pen, part: Area, outline: Path, table: Box) -> None:
    pen.fill(outline, pen.inks.marsh)
    with pen.within(outline):
        reeds: list[tuple[Point, Point]] = []
        for place in _rows(outline, 3.0, 1.7):
            x, y = pen.at(place)
            reeds.append(((x - 4, y), (x + 4, y)))
            reeds += [((x + d * 0.6, y), (x + d, y + 3.2)) for d in (-2, 0, 2)]
        pen.ticks(reeds, pen.inks.water_edge, 0.5)
    pen.stroke(outline, pen.inks.water_edge, 0.5, closed=True, dash=(0.6, 2))


def _rough(pen: Pen, part: Area, outline: Path, table: Box) -> None:
    pen.fill(outline, pen.inks.rough)
    chance = pen.chance(outline)
    with pen.within(outline):
        stones: list[tuple[Point, Point]] = []
        for place in _strewn(pen, outline, 1.9):
            x, y = pen.at(place)
            wide = chance.uniform(1.2, 2.6)
            stones += [((x - wide, y), (x - wide * 0.2, y + wide))]
            stones += [((x - wide * 0.2, y + wide), (x + wide, y))]
        pen.ticks(stones, pen.inks.hachure, 0.5)
    pen.stroke(outline, pen.inks.hachure, 0.5, closed=True, dash=(2, 2))


def _orchard(pen: Pen, part: Area, outline: Path, table: Box) -> None:
    inks = pen.inks
    pen.fill(outline, inks.orchard, inks.woods_line, 0.5)
    corners = [(dx, dy) for dx in (-0.7, 0.7) for dy in (-0.7, 0.7)]
    trees = [
        (x, y)
        for x, y in _rows(outline, 1.9, 1.8, staggered=False)
        if all(plane.inside((x + dx, y + dy), outline) for dx, dy in corners)
    ]
    across = 1.24 * pen.scale
    pen.stipple(trees, inks.woods_line, across + 0.5)
    pen.stipple(trees, inks.woods, across - 0.5)


def _woods(pen: Pen, part: Area, outline: Path, table: Box) -> None:
    inks = pen.inks
    crowns = [crown.at for crown in plane.stations(outline, 1.25, closed=True)]
    across = 1.7 * pen.scale
    pen.stipple(crowns, inks.woods_line, across + 1.3)
    pen.fill(outline, inks.woods)
    pen.stipple(crowns, inks.woods, across - 1.2)
    chance = pen.chance(outline)
    arcs = Trace()
    for place in _strewn(pen, outline, 1.6):
        if plane.inside(place, outline):
            x, y = pen.at(place)
            reach = pen.scale * chance.uniform(0.42, 0.6)
            arcs.bend(tuple((x + dx * reach, y + dy * reach) for dx, dy in _CROWN))
    pen.lines(arcs, inks.woods_line, 0.55)


def _town(pen: Pen, part: Area, outline: Path, table: Box) -> None:
    pen.fill(outline, pen.inks.town)
    pen.hatch(outline, pen.inks.town_line, 4.2, 45, 0.3)
    pen.hatch(outline, pen.inks.town_line, 4.2, -45, 0.3)


def _airfield(pen: Pen, part: Area, outline: Path, table: Box) -> None:
    pen.fill(outline, pen.inks.airfield)
    pen.hatch(outline, pen.inks.airfield_line, 5.5, part.angle, 0.3)
    pen.stroke(outline, pen.inks.airfield_line, 1.1, closed=True, dash=(7, 3))


def _crater(pen: Pen, part: Area, outline: Path, table: Box) -> None:
    pen.fill(outline, pen.inks.crater, pen.inks.hachure, 0.8)
    _teeth(pen, outline, 0.5, 2.6)


def _depression(pen: Pen, part: Area, outline: Path, table: Box) -> None:
    pen.fill(outline, pen.inks.depression)
    _teeth(pen, outline, 0.7, 5.5)
    pen.stroke(outline, pen.inks.hachure, 0.9, closed=True, dash=(4, 2))


def _teeth(pen: Pen, outline: Path, apart: float, deep: float) -> None:
    inward = 1 if plane.turns_left(outline) else -1
    found: list[tuple[Point, Point]] = []
    for number, (place, heading) in enumerate(plane.stations(outline, apart, closed=True)):
        x, y = pen.at(place)
        long = deep * (0.6 if number % 2 else 1.0)
        toward = heading + inward * math.pi / 2
        found.append(((x, y), (x + math.cos(toward) * long, y + math.sin(toward) * long)))
    pen.ticks(found, pen.inks.hachure, 0.6)


_AREAS: dict[str, Callable[[Pen, Area, Path, Box], None]] = {
    "sea": _sea,
    "beach": _beach,
    "marsh": _marsh,
    "rough": _rough,
    "field": _field,
    "orchard": _orchard,
    "woods": _woods,
    "town": _town,
    "airfield": _airfield,
    "crater": _crater,
    "depression": _depression,
}


def _strewn(pen: Pen, outline: Path, apart: float) -> Iterator[Point]:
    """Places about so far apart in the box around an outline, none in line with another."""
    chance = pen.chance(outline)
    shift = apart * 0.32
    for x, y in _rows(outline, apart, apart * 0.9):
        yield x + chance.uniform(-shift, shift), y + chance.uniform(-shift, shift)


def _rows(outline: Path, apart: float, rise: float, *, staggered: bool = True) -> Iterator[Point]:
    """Places in rows over the box around an outline, every other row shifted by half."""
    around = plane.box(outline)
    for row in range(int((around.top - around.bottom) / rise) + 1):
        shift = apart / 2 if staggered and row % 2 else 0.0
        for column in range(int((around.right - around.left) / apart) + 1):
            yield around.left + apart * 0.4 + shift + column * apart, around.bottom + row * rise


def _blade(x: float, y: float, lean: float) -> tuple[Point, Point]:
    return (x, y), (x + lean, y + 2.4)


def _chip(x: float, y: float, angle: float) -> tuple[Point, Point]:
    return (x, y), (x + math.cos(angle) * 1.7, y + math.sin(angle) * 1.7)
