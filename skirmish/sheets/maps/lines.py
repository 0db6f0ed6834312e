"""What is long and thin: ways, water, hedges, walls, wire."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

from skirmish.sheets.maps.pen import Pen
from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import Line
from skirmish.tabletop.plane import Path, Point, Station

WAYS = ("river", "stream", "ditch", "track", "road", "rail")
"""Drawn before woods and buildings, in this order; the edges of all of a kind come before what
lies between them, so that they join where they meet."""
OTHERS = ("bridge", "mines", "hedge", "wall", "wire", "trench", "cliff", "seawall")
Tick: TypeAlias = tuple[Point, Point]


def edge(pen: Pen, line: Line) -> None:
    if line.kind in _EDGES:
        _EDGES[line.kind](pen, line, line.run)


def core(pen: Pen, line: Line) -> None:
    _CORES[line.kind](pen, line, line.run)


def _road_edge(pen: Pen, line: Line, run: Path) -> None:
    pen.stroke(run, pen.inks.road_edge, line.broad * pen.scale, round_ends=False)


def _road(pen: Pen, line: Line, run: Path) -> None:
    pen.stroke(run, pen.inks.road, max(line.broad * pen.scale - 1.5, 0.6))


def _river_edge(pen: Pen, line: Line, run: Path) -> None:
    pen.stroke(run, pen.inks.water_edge, line.broad * pen.scale, round_ends=False)


def _river(pen: Pen, line: Line, run: Path) -> None:
    pen.stroke(run, pen.inks.river, line.broad * pen.scale - 1.4, round_ends=False)
    for share in (-0.25, 0.05, 0.3):
        flow = plane.beside([place.at for place in plane.stations(run, 0.6)], share * line.broad)
        dash = (9, 5 + abs(share) * 8)
        pen.stroke(flow, pen.inks.sea_line, 0.45, dash=dash, round_ends=False)


def _stream(pen: Pen, line: Line, run: Path) -> None:
    pen.stroke(run, pen.inks.water_edge, 1.6)


def _ditch(pen: Pen, line: Line, run: Path) -> None:
    half = line.broad / 2
    for by in (-half, half):
        bank = plane.beside(run, by)
        pen.stroke(bank, pen.inks.hachure, 1.0)
        toward = -math.copysign(math.pi / 2, by)
        teeth = (_tooth(pen, place, toward, 2.0) for place in plane.stations(bank, 0.8))
        pen.ticks(teeth, pen.inks.hachure, 0.6)


def _track(pen: Pen, line: Line, run: Path) -> None:
    pen.stroke(run, pen.inks.halo, 2.6)
    pen.stroke(run, pen.inks.track, 1.3, dash=(4.5, 2.6), round_ends=False)


def _rail(pen: Pen, line: Line, run: Path) -> None:
    pen.stroke(run, pen.inks.halo, 3.0)
    pen.stroke(run, pen.inks.rail, 1.2)
    sleepers = (_across(pen, place, 2.6) for place in plane.stations(run, 1.2))
    pen.ticks(sleepers, pen.inks.rail, 0.8)


def _bridge(pen: Pen, line: Line, run: Path) -> None:
    wide = line.broad * pen.scale
    pen.stroke(run, pen.inks.bridge, wide, round_ends=False)
    for side in (-1, 1):
        rail = plane.beside(run, side * line.broad / 2)
        pen.stroke(rail, pen.inks.ink, 1.5, round_ends=False)
        for place, outward in ((rail[0], math.pi), (rail[-1], 0.0)):
            heading = plane.stations(run, plane.length(run))[0].heading
            x, y = pen.at(place)
            angle = heading + outward - side * math.copysign(0.8, math.cos(outward))
            pen.ticks([((x, y), (x + math.cos(angle) * 3.4, y + math.sin(angle) * 3.4))],
                      pen.inks.ink, 1.5)  # fmt: skip


def _hedge(pen: Pen, line: Line, run: Path) -> None:
    inks = pen.inks
    bushes = [place.at for place in plane.stations(run, 0.95)]
    pen.stipple(bushes, inks.hedge, 4.7)
    pen.stipple(bushes, inks.woods, 3.3)
    pen.stroke(run, inks.hedge, 0.9)


def _wall(pen: Pen, line: Line, run: Path) -> None:
    pen.stroke(run, pen.inks.wall, 2.6, round_ends=False)
    pen.stroke(run, pen.inks.halo, 1.3, round_ends=False)
    stones = (_across(pen, place, 1.3) for place in plane.stations(run, 0.8))
    pen.ticks(stones, pen.inks.wall, 0.7)


def _seawall(pen: Pen, line: Line, run: Path) -> None:
    pen.stroke(run, pen.inks.halo, 4.4, round_ends=False)
    pen.stroke(run, pen.inks.ink, 2.2, round_ends=False)
    stones = (_tooth(pen, place, -math.pi / 2, 3.3) for place in plane.stations(run, 1.5))
    pen.ticks(stones, pen.inks.ink, 1.6)


def _wire(pen: Pen, line: Line, run: Path) -> None:
    pen.stroke(run, pen.inks.wire, 0.5)
    crosses: list[Tick] = []
    for place in plane.stations(run, 1.1):
        x, y = pen.at(place.at)
        crosses += [((x - 1.9, y - 1.9), (x + 1.9, y + 1.9))]
        crosses += [((x - 1.9, y + 1.9), (x + 1.9, y - 1.9))]
    pen.ticks(crosses, pen.inks.wire, 0.7)


def _mines(pen: Pen, line: Line, run: Path) -> None:
    pen.stroke(run, pen.inks.mines, 0.4, dash=(2, 2))
    laid = [place.at for place in plane.stations(run, 1.8)]
    pen.stipple(laid, pen.inks.mines, 2.4)
    prongs = ((0, 2.8), (-2.3, 1.8), (2.3, 1.8))
    spots = [pen.at(place) for place in laid]
    pen.ticks((((x, y), (x + dx, y + dy)) for x, y in spots for dx, dy in prongs),
              pen.inks.mines, 0.6)  # fmt: skip


def _trench(pen: Pen, line: Line, run: Path) -> None:
    zigzag: list[Point] = []
    for number, (place, heading) in enumerate(plane.stations(run, 1.1)):
        by = 0.28 if number % 2 else -0.28
        aside = (-math.sin(heading) * by, math.cos(heading) * by)
        zigzag.append((place[0] - aside[0], place[1] - aside[1]))
        zigzag.append((place[0] + aside[0], place[1] + aside[1]))
    pen.stroke(zigzag, pen.inks.halo, 3)
    pen.stroke(zigzag, pen.inks.trench, 1.5)


def _cliff(pen: Pen, line: Line, run: Path) -> None:
    pen.stroke(run, pen.inks.hachure, 1.6)
    for place in plane.stations(run, 0.9):
        with pen.standing(place.at, math.degrees(place.heading)):
            pen.polygon([(-1.8, 0), (1.8, 0), (0, -5)], pen.inks.hachure)


def _across(pen: Pen, place: Station, reach: float) -> Tick:
    x, y = pen.at(place.at)
    dx, dy = -math.sin(place.heading) * reach, math.cos(place.heading) * reach
    return (x - dx, y - dy), (x + dx, y + dy)


def _tooth(pen: Pen, place: Station, turn: float, long: float) -> Tick:
    x, y = pen.at(place.at)
    angle = place.heading + turn
    return (x, y), (x + math.cos(angle) * long, y + math.sin(angle) * long)


_EDGES: dict[str, Callable[[Pen, Line, Path], None]] = {"road": _road_edge, "river": _river_edge}
_CORES: dict[str, Callable[[Pen, Line, Path], None]] = {
    "road": _road,
    "river": _river,
    "stream": _stream,
    "ditch": _ditch,
    "track": _track,
    "rail": _rail,
    "bridge": _bridge,
    "hedge": _hedge,
    "wall": _wall,
    "seawall": _seawall,
    "wire": _wire,
    "mines": _mines,
    "trench": _trench,
    "cliff": _cliff,
}
