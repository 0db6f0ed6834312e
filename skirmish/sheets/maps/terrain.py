"""The ground and linear features: fields and woods, slopes, roads, water, hedges, wire."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import TypeAlias

from skirmish.sheets.maps.pen import Pen, Trace
from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import Area, Battlefield, Line, Slope
from skirmish.tabletop.plane import Path, Point, Rectangle, Station

AREAS = ("beach", "airfield", "town", "rough", "marsh", "depression", "field", "crater", "orchard",
         "sea", "woods")  # fmt: skip
"""From the lowest to the highest."""
WAYS = ("river", "stream", "ditch", "track", "road", "rail")
"""Drawn in this order, before woods and buildings; the edges of a kind come before its surfaces, so
that crossings join."""
OTHERS = ("bridge", "mines", "hedge", "wall", "wire", "trench", "cliff", "seawall")
Tick: TypeAlias = tuple[Point, Point]
_CROWN = [(math.cos(turn), math.sin(turn)) for turn in map(math.radians, range(20, 201, 30))]
"""An arc of radius 1."""
_SHORE = ((8.4, 0.28), (6.4, 0.35), (4.6, 0.42), (3.1, 0.49), (1.9, 0.56), (1.0, 0.63), (0.35, 0.7))
"""The distances in inches of the water lines from the shore, and their weights in points."""


def ground(pen: Pen, field: Battlefield, size: tuple[float, float]) -> None:
    across, upward = size
    table = [(0.0, 0.0), (across, 0.0), (across, upward), (0.0, upward)]
    pen.fill(table, getattr(pen.inks, field.ground))
    chance, speck = pen.chance(table), pen.inks.speck
    match field.ground:
        case "desert":
            pen.stipple(_strewn(pen, table, 2.6), speck, 0.55)
        case "steppe":
            tufts = [pen.at(place) for place in _strewn(pen, table, 3.4)]
            blades = (((x, y), (x + chance.uniform(-1, 1), y + 2.4)) for x, y in tufts)
            pen.ticks(blades, speck, 0.4)
        case "rubble":
            bits = [pen.at(place) for place in _strewn(pen, table, 2.2)]
            pen.ticks((_ray(at, chance.uniform(0, 3.1), 1.7) for at in bits), speck, 0.5)


def area(pen: Pen, part: Area, table: Rectangle) -> None:
    inks, outline = pen.inks, part.outline
    if part.kind not in ("orchard", "woods", "crater"):
        pen.fill(outline, getattr(inks, part.kind))
    match part.kind:
        case "sea":
            shore = Trace()
            for leg in shores(outline, table):
                shore.run(map(pen.at, leg))
            with pen.within(outline):
                for far, weight in _SHORE:  # all but the edges of a broad line is covered again
                    pen.draw(shore, inks.sea_line, 2 * far * pen.scale + weight)
                    pen.draw(shore, inks.sea, 2 * far * pen.scale - weight)
            pen.draw(shore, inks.water_edge, 0.8)
        case "beach":
            with pen.within(outline):
                pen.stipple(_strewn(pen, outline, 1.25), inks.beach_line, 0.55)
        case "field":
            pen.hatch(outline, inks.field_line, 3.2, part.angle, 0.3)
            pen.stroke(outline, inks.field_line, 0.6, closed=True)
        case "town":
            pen.hatch(outline, inks.town_line, 4.2, 45, 0.25)
            pen.hatch(outline, inks.town_line, 4.2, -45, 0.25)
            pen.stroke(outline, inks.town_line, 0.6, closed=True)
        case "airfield":
            pen.hatch(outline, inks.airfield_line, 5.5, part.angle, 0.25)
            pen.stroke(outline, inks.airfield_line, 1.1, closed=True, dash=(7, 3))
        case "marsh":
            with pen.within(outline):
                pen.ticks(_reeds(pen, outline), inks.water_edge, 0.5)
            pen.stroke(outline, inks.water_edge, 0.5, closed=True, dash=(0.6, 2))
        case "rough":
            with pen.within(outline):
                pen.ticks(_stones(pen, outline), inks.hachure, 0.5)
            pen.stroke(outline, inks.hachure, 0.5, closed=True, dash=(2, 2))
        case "orchard":
            pen.fill(outline, inks.orchard, inks.woods_line, 0.5)
            trees, across = list(_trees(outline)), 1.24 * pen.scale
            pen.stipple(trees, inks.woods_line, across + 0.5)
            pen.stipple(trees, inks.woods, across - 0.5)
        case "woods":
            _woods(pen, outline)
        case "crater":
            pen.fill(outline, inks.crater, inks.hachure, 0.8)
            _teeth(pen, outline, 0.5, 2.6)
        case "depression":
            _teeth(pen, outline, 0.7, 5.5)
            pen.stroke(outline, inks.hachure, 0.9, closed=True, dash=(4, 2))


def slope(pen: Pen, part: Slope) -> None:
    """Falling ground: strokes that start at the crest and taper toward the foot."""
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
    pen.draw(drawn, None, fill=inks.hachure)
    pen.stroke(crest, inks.hachure, 1.1, closed=part.ring)


def shores(outline: Path, table: Rectangle) -> Iterator[tuple[Point, Point]]:
    """The legs of an outline that are not on the table's edge."""
    edges = (0, table.left), (0, table.right), (1, table.bottom), (1, table.top)
    for leg in zip(outline, (*outline[1:], outline[0]), strict=True):
        if not any(all(abs(end[axis] - edge) < 0.01 for end in leg) for axis, edge in edges):
            yield leg


def _reeds(pen: Pen, outline: Path) -> Iterator[Tick]:
    for x, y in map(pen.at, _rows(outline, 3.0, 1.7)):
        yield (x - 4, y), (x + 4, y)
        yield from (((x + d * 0.6, y), (x + d, y + 3.2)) for d in (-2, 0, 2))


def _stones(pen: Pen, outline: Path) -> Iterator[Tick]:
    chance = pen.chance(outline)
    for x, y in map(pen.at, _strewn(pen, outline, 1.9)):
        wide = chance.uniform(1.2, 2.6)
        yield (x - wide, y), (x - wide * 0.2, y + wide)
        yield (x - wide * 0.2, y + wide), (x + wide, y)


def _trees(outline: Path) -> Iterator[Point]:
    corners = [(dx, dy) for dx in (-0.7, 0.7) for dy in (-0.7, 0.7)]
    for x, y in _rows(outline, 1.9, 1.8, staggered=False):
        if all(plane.inside((x + dx, y + dy), outline) for dx, dy in corners):
            yield x, y


def _woods(pen: Pen, outline: Path) -> None:
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
            arcs.run((x + dx * reach, y + dy * reach) for dx, dy in _CROWN)
    pen.draw(arcs, inks.woods_line, 0.55)


def _teeth(pen: Pen, outline: Path, apart: float, deep: float) -> None:
    inward = math.pi / 2 if plane.turns_left(outline) else -math.pi / 2
    stations = plane.stations(outline, apart, closed=True)
    pen.ticks(
        (_tooth(pen, place, inward, deep * (0.6 if number % 2 else 1.0))
         for number, place in enumerate(stations)),
        pen.inks.hachure, 0.6,
    )  # fmt: skip


def _strewn(pen: Pen, outline: Path, apart: float) -> Iterator[Point]:
    """Scattered places about ``apart`` from each other in the bounding box of an outline."""
    chance = pen.chance(outline)
    shift = apart * 0.32
    for x, y in _rows(outline, apart, apart * 0.9):
        yield x + chance.uniform(-shift, shift), y + chance.uniform(-shift, shift)


def _rows(outline: Path, apart: float, rise: float, *, staggered: bool = True) -> Iterator[Point]:
    """Places in rows over the bounding box of an outline, every other row shifted by half."""
    around = plane.box(outline)
    for row in range(int((around.top - around.bottom) / rise) + 1):
        shift = apart / 2 if staggered and row % 2 else 0.0
        for column in range(int((around.right - around.left) / apart) + 1):
            yield around.left + apart * 0.4 + shift + column * apart, around.bottom + row * rise


# ------------------------------------------------------------------ lines


def edge(pen: Pen, line: Line) -> None:
    """The layer below the line itself: the sides of a road, the banks of a river."""
    if line.kind in ("road", "river"):
        ink = pen.inks.road_edge if line.kind == "road" else pen.inks.water_edge
        pen.stroke(line.run, ink, line.broad * pen.scale, round_ends=False)


def core(pen: Pen, line: Line) -> None:
    run, inks = line.run, pen.inks
    stroke = partial(pen.stroke, run)
    match line.kind:
        case "road":
            stroke(inks.road, max(line.broad * pen.scale - 1.5, 0.6))
        case "river":
            stroke(inks.river, line.broad * pen.scale - 1.4, round_ends=False)
            course = [place.at for place in plane.stations(run, 0.6)]
            for share in (-0.25, 0.05, 0.3):
                flow, dash = plane.beside(course, share * line.broad), (9, 5 + abs(share) * 8)
                pen.stroke(flow, inks.sea_line, 0.45, dash=dash, round_ends=False)
        case "stream":
            stroke(inks.water_edge, 1.6)
        case "track":
            stroke(inks.halo, 2.6)
            stroke(inks.track, 1.3, dash=(4.5, 2.6), round_ends=False)
        case "rail":
            stroke(inks.halo, 3.0)
            stroke(inks.rail, 1.2)
            pen.ticks((_across(pen, at, 2.6) for at in plane.stations(run, 1.2)), inks.rail, 0.8)
        case "wall":
            stroke(inks.wall, 2.6, round_ends=False)
            stroke(inks.halo, 1.3, round_ends=False)
            pen.ticks((_across(pen, at, 1.3) for at in plane.stations(run, 0.8)), inks.wall, 0.7)
        case "seawall":
            stroke(inks.halo, 4.4, round_ends=False)
            stroke(inks.ink, 2.2, round_ends=False)
            stones = (_tooth(pen, at, -math.pi / 2, 3.3) for at in plane.stations(run, 1.5))
            pen.ticks(stones, inks.ink, 1.6)
        case "hedge":
            bushes = [place.at for place in plane.stations(run, 0.95)]
            pen.stipple(bushes, inks.hedge, 4.7)
            pen.stipple(bushes, inks.woods, 3.3)
            stroke(inks.hedge, 0.9)
        case "wire":
            stroke(inks.wire, 0.5)
            spots = [pen.at(place.at) for place in plane.stations(run, 1.1)]
            pen.ticks((((x - 1.9, y - d), (x + 1.9, y + d)) for x, y in spots for d in (1.9, -1.9)),
                      inks.wire, 0.7)  # fmt: skip
        case "cliff":
            stroke(inks.hachure, 1.6)
            for place in plane.stations(run, 0.9):
                with pen.standing(place.at, math.degrees(place.heading)):
                    pen.polygon([(-1.8, 0), (1.8, 0), (0, -5)], inks.hachure)
        case _:
            _built(pen, line)


def _built(pen: Pen, line: Line) -> None:
    run, inks = line.run, pen.inks
    match line.kind:
        case "ditch":
            for by in (-line.broad / 2, line.broad / 2):
                bank = plane.beside(run, by)
                pen.stroke(bank, inks.hachure, 1.0)
                toward = -math.copysign(math.pi / 2, by)
                teeth = (_tooth(pen, place, toward, 2.0) for place in plane.stations(bank, 0.8))
                pen.ticks(teeth, inks.hachure, 0.6)
        case "mines":
            pen.stroke(run, inks.mines, 0.4, dash=(2, 2))
            laid = [place.at for place in plane.stations(run, 1.8)]
            pen.stipple(laid, inks.mines, 2.4)
            prongs = ((0, 2.8), (-2.3, 1.8), (2.3, 1.8))
            pen.ticks((((x, y), (x + dx, y + dy)) for x, y in map(pen.at, laid)
                       for dx, dy in prongs), inks.mines, 0.6)  # fmt: skip
        case "trench":
            sides = (0.28, -0.28), (-0.28, 0.28)
            zigzag = [(x - math.sin(heading) * by, y + math.cos(heading) * by)
                      for number, ((x, y), heading) in enumerate(plane.stations(run, 1.1))
                      for by in sides[number % 2]]  # fmt: skip
            pen.stroke(zigzag, inks.halo, 3)
            pen.stroke(zigzag, inks.trench, 1.5)
        case "bridge":
            _bridge(pen, line)


def _bridge(pen: Pen, line: Line) -> None:
    run = line.run
    pen.stroke(run, pen.inks.bridge, line.broad * pen.scale, round_ends=False)
    heading = plane.stations(run, plane.length(run))[0].heading
    for side in (-1, 1):
        rail = plane.beside(run, side * line.broad / 2)
        pen.stroke(rail, pen.inks.ink, 1.5, round_ends=False)
        for place, outward in ((rail[0], math.pi), (rail[-1], 0.0)):
            angle = heading + outward - side * math.copysign(0.8, math.cos(outward))
            pen.ticks([_ray(pen.at(place), angle, 3.4)], pen.inks.ink, 1.5)


def _across(pen: Pen, place: Station, reach: float) -> Tick:
    x, y = pen.at(place.at)
    dx, dy = -math.sin(place.heading) * reach, math.cos(place.heading) * reach
    return (x - dx, y - dy), (x + dx, y + dy)


def _tooth(pen: Pen, place: Station, turn: float, long: float) -> Tick:
    return _ray(pen.at(place.at), place.heading + turn, long)


def _ray(start: Point, angle: float, long: float) -> Tick:
    x, y = start
    return start, (x + math.cos(angle) * long, y + math.sin(angle) * long)
