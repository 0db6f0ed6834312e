"""The ground and linear features: fields and woods, slopes, roads, water, hedges, wire.

``draw_ground``, ``draw_area`` and ``draw_slope`` draw surfaces, ``draw_line_edge`` and
``draw_line_core`` lines; below each stand the functions for its kinds. Lengths on the table are
inches, weights of lines and patterns points; those without a name are chosen by eye, so that each
kind of ground is known at a glance."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from skirmish.sheets.maps.pen import PaperPoint, Pen, TablePoint, Trace
from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import Area, Ground, Line, LineKind, Slope
from skirmish.tabletop.plane import Path, Rectangle, Station

AREAS = (
    "beach",
    "airfield",
    "town",
    "rough",
    "marsh",
    "depression",
    "field",
    "crater",
    "orchard",
    "sea",
    "woods",
)
"""The kinds of areas in the order in which they are drawn, the lowest first."""
WITHOUT_EDGE = ("beach",)
"""Areas around which no line is drawn."""
_FILLED_WITH_EDGE = ("orchard", "woods", "crater")
"""Areas whose ground is filled together with their edge or their trees. That of all others is
filled first, and a pattern drawn on it."""
WAYS = ("river", "stream", "ditch", "track", "road", "rail")
"""Drawn in this order, before woods and buildings; the edges of a kind come before its surfaces, so
that crossings join."""
LINES_ABOVE_WOODS = ("bridge", "mines", "hedge", "wall", "wire", "trench", "cliff", "seawall")
"""Drawn in this order after the woods, on all ground and ways."""
Tick: TypeAlias = tuple[PaperPoint, PaperPoint]
"""A short line on the paper."""
_CROWN = [(math.cos(turn), math.sin(turn)) for turn in map(math.radians, range(20, 201, 30))]
"""An arc of radius 1, from 20 to 200 degrees."""
_TREE_WIDTH = 1.24
"""Inches across a tree of an orchard."""
_CROWNS_APART, _CROWN_WIDTH = 1.25, 1.7
"""Inches from one crown to the next along the edge of woods, and across one: they overlap."""
_STROKES_APART = 0.62
"""Inches from one stroke of a slope to the next, at the crest."""
_HALF_STROKE = 0.115
"""Inches from the middle of such a stroke to its side, at the crest."""
_WING, _WING_TURN = 3.4, 0.8
"""The length of the wing of a bridge in points, and its turn away from the road in radians."""
_ON_EDGE = 0.01
"""Inches from the edge of the table: a leg nearer than that lies on it."""
_FEWEST_STROKES = 6
"""A slope with fewer strokes would not look like one."""
_SHORE = ((8.4, 0.28), (6.4, 0.35), (4.6, 0.42), (3.1, 0.49), (1.9, 0.56), (1.0, 0.63), (0.35, 0.7))
"""The distances in inches of the water lines from the shore, and their weights in points."""


def draw_ground(pen: Pen, kind: Ground, size: tuple[float, float]) -> None:
    """The ground of a whole table of ``size`` inches, under all else."""
    table = Rectangle(0.0, 0.0, *size).corners
    pen.fill(table, pen.inks.of_ground(kind))
    match kind:
        case "desert":
            pen.stipple(_strewn(pen, table, apart=2.6), pen.inks.speck, 0.55)
        case "steppe":
            pen.short_lines(_tufts(pen, table), pen.inks.speck, 0.4)
        case "rubble":
            pen.short_lines(_rubble(pen, table), pen.inks.speck, 0.5)


def _tufts(pen: Pen, table: Path) -> Iterator[Tick]:
    """Tufts of grass, leaning a little to either side."""
    chance = pen.seeded_by(table)
    for place in _strewn(pen, table, apart=3.4):
        x, y = pen.on_paper(place)
        yield (x, y), (x + chance.uniform(-1, 1), y + 2.4)


def _rubble(pen: Pen, table: Path) -> Iterator[Tick]:
    """Bits of rubble in all directions."""
    chance = pen.seeded_by(table)
    for place in _strewn(pen, table, apart=2.2):
        # Half a turn is enough for a line without a head.
        angle = chance.uniform(0, 3.1)
        yield _ray(pen.on_paper(place), angle, 1.7)


# ------------------------------------------------------------------ areas


def draw_area(pen: Pen, part: Area, table: Rectangle) -> None:
    """Draws an area with its pattern; ``table`` is the whole table, whose edge is no shore."""
    inks, outline = pen.inks, part.outline
    if part.kind not in _FILLED_WITH_EDGE:
        pen.fill(outline, inks.of_ground(part.kind))
    match part.kind:
        case "sea":
            _sea(pen, outline, table)
        case "beach":
            with pen.clipped_to(outline):
                pen.stipple(_strewn(pen, outline, apart=1.25), inks.beach_line, 0.55)
        case "field":
            pen.hatch(outline, inks.field_line, gap=3.2, angle=part.angle, weight=0.3)
            pen.stroke(outline, inks.field_line, 0.6, closed=True)
        case "town":
            pen.hatch(outline, inks.town_line, gap=4.2, angle=45, weight=0.25)
            pen.hatch(outline, inks.town_line, gap=4.2, angle=-45, weight=0.25)
            pen.stroke(outline, inks.town_line, 0.6, closed=True)
        case "airfield":
            pen.hatch(outline, inks.airfield_line, gap=5.5, angle=part.angle, weight=0.25)
            pen.stroke(outline, inks.airfield_line, 1.1, closed=True, dash=(7, 3))
        case "marsh":
            with pen.clipped_to(outline):
                pen.short_lines(_reeds(pen, outline), inks.water_edge, 0.5)
            pen.stroke(outline, inks.water_edge, 0.5, closed=True, dash=(0.6, 2))
        case "rough":
            with pen.clipped_to(outline):
                pen.short_lines(_stones(pen, outline), inks.hachure, 0.5)
            pen.stroke(outline, inks.hachure, 0.5, closed=True, dash=(2, 2))
        case "orchard":
            _orchard(pen, outline)
        case "woods":
            _woods(pen, outline)
        case "crater":
            pen.fill(outline, inks.crater, inks.hachure, 0.8)
            _teeth(pen, outline, apart=0.5, depth=2.6)
        case "depression":
            _teeth(pen, outline, apart=0.7, depth=5.5)
            pen.stroke(outline, inks.hachure, 0.9, closed=True, dash=(4, 2))


def _sea(pen: Pen, outline: Path, table: Rectangle) -> None:
    """Water with lines along the shore, the lighter the farther out."""
    shore = Trace()
    for start, end in shores(outline, table):
        shore.run((pen.on_paper(start), pen.on_paper(end)))
    inks = pen.inks
    with pen.clipped_to(outline):
        # All but the edges of a broad line is covered again: what is left are two thin lines, as
        # far from the shore on either side.
        for distance, weight in _SHORE:
            breadth = 2 * distance * pen.scale
            pen.draw(shore, inks.sea_line, breadth + weight)
            pen.draw(shore, inks.sea, breadth - weight)
    pen.draw(shore, inks.water_edge, 0.8)


def shores(outline: Path, table: Rectangle) -> Iterator[tuple[TablePoint, TablePoint]]:
    """The legs of an outline that are not on the table's edge."""
    ends = (*outline[1:], outline[0])
    for start, end in zip(outline, ends, strict=True):
        if not _is_along_edge(start, end, table):
            yield start, end


def _is_along_edge(start: TablePoint, end: TablePoint, table: Rectangle) -> bool:
    """Whether a leg lies on an edge of the table."""
    (x0, y0), (x1, y1) = start, end
    return (
        _both_near(x0, x1, table.left)
        or _both_near(x0, x1, table.right)
        or _both_near(y0, y1, table.bottom)
        or _both_near(y0, y1, table.top)
    )


def _both_near(first: float, second: float, edge: float) -> bool:
    """Whether two coordinates are that of an edge."""
    return abs(first - edge) < _ON_EDGE and abs(second - edge) < _ON_EDGE


def _reeds(pen: Pen, outline: Path) -> Iterator[Tick]:
    """Tufts of reed on a line of water."""
    for place in _rows(outline, apart=3.0, rise=1.7):
        x, y = pen.on_paper(place)
        yield (x - 4, y), (x + 4, y)
        for lean in (-2, 0, 2):
            yield (x + lean * 0.6, y), (x + lean, y + 3.2)


def _stones(pen: Pen, outline: Path) -> Iterator[Tick]:
    """Stones, each a small peak."""
    chance = pen.seeded_by(outline)
    for place in _strewn(pen, outline, apart=1.9):
        x, y = pen.on_paper(place)
        wide = chance.uniform(1.2, 2.6)
        peak = (x - wide * 0.2, y + wide)
        yield (x - wide, y), peak
        yield peak, (x + wide, y)


def _orchard(pen: Pen, outline: Path) -> None:
    """Trees in rows on a ground of their own."""
    inks = pen.inks
    pen.fill(outline, inks.orchard, inks.woods_line, 0.5)
    trees, across = list(_trees(outline)), _TREE_WIDTH * pen.scale
    # A dot on a larger one: a circle with an outline of a point.
    pen.stipple(trees, inks.woods_line, across + 0.5)
    pen.stipple(trees, inks.woods, across - 0.5)


def _trees(outline: Path) -> Iterator[TablePoint]:
    """Trees in rows, those that stand in the orchard as a whole."""
    reach = 0.7  # inches from the middle of a tree to what it needs to stand clear
    for x, y in _rows(outline, apart=1.9, rise=1.8, staggered=False):
        corners = [
            (x - reach, y - reach),
            (x - reach, y + reach),
            (x + reach, y - reach),
            (x + reach, y + reach),
        ]
        if all(plane.inside(corner, outline) for corner in corners):
            yield x, y


def _woods(pen: Pen, outline: Path) -> None:
    """Round crowns along the edge, arcs of crowns inside."""
    inks = pen.inks
    crowns = [crown.at for crown in plane.stations(outline, _CROWNS_APART, closed=True)]
    across = _CROWN_WIDTH * pen.scale
    # The filling covers the inner half of the crowns: what is left is a scalloped edge.
    pen.stipple(crowns, inks.woods_line, across + 1.3)
    pen.fill(outline, inks.woods)
    pen.stipple(crowns, inks.woods, across - 1.2)
    chance = pen.seeded_by(outline)
    arcs = Trace()
    for place in _strewn(pen, outline, apart=1.6):
        if plane.inside(place, outline):
            x, y = pen.on_paper(place)
            reach = pen.scale * chance.uniform(0.42, 0.6)
            arcs.run((x + dx * reach, y + dy * reach) for dx, dy in _CROWN)
    pen.draw(arcs, inks.woods_line, 0.55)


def _teeth(pen: Pen, outline: Path, *, apart: float, depth: float) -> None:
    """Falling ground: strokes from the edge inward, ``apart`` inches from each other and ``depth``
    points long, every second one shorter."""
    inward = -math.pi / 2
    if plane.turns_left(outline):
        inward = math.pi / 2  # who walks around it counterclockwise has the inside on the left
    teeth = []
    for number, place in enumerate(plane.stations(outline, apart, closed=True)):
        length = depth
        if number % 2:
            length = depth * 0.6
        teeth.append(_tooth(pen, place, inward, length))
    pen.short_lines(teeth, pen.inks.hachure, 0.6)


def _strewn(pen: Pen, outline: Path, *, apart: float) -> Iterator[TablePoint]:
    """Scattered places about ``apart`` inches from each other in the bounding box of an outline."""
    chance = pen.seeded_by(outline)
    shift = apart * 0.32
    for x, y in _rows(outline, apart, rise=apart * 0.9):
        yield x + chance.uniform(-shift, shift), y + chance.uniform(-shift, shift)


def _rows(
    outline: Path, apart: float, rise: float, *, staggered: bool = True
) -> Iterator[TablePoint]:
    """Places in rows over the bounding box of an outline, ``apart`` inches from each other, rows by
    ``rise`` inches; every other row is shifted by half."""
    around = plane.box(outline)
    for row in range(int((around.top - around.bottom) / rise) + 1):
        shift = 0.0
        if staggered and row % 2:
            shift = apart / 2
        for column in range(int((around.right - around.left) / apart) + 1):
            yield around.left + apart * 0.4 + shift + column * apart, around.bottom + row * rise


def draw_slope(pen: Pen, part: Slope) -> None:
    """Draws falling ground: strokes that start at the crest and taper toward the foot."""
    crest, foot = part.edges
    inks = pen.inks
    if part.ring:
        pen.fill(foot, inks.slope)
        pen.fill(crest, inks.hilltop)
    else:
        pen.fill([*crest, *reversed(foot)], inks.slope)
    # As many places at the foot as at the crest, however much longer it is.
    crest_length = plane.length(crest, closed=part.ring)
    foot_length = plane.length(foot, closed=part.ring)
    count = max(_FEWEST_STROKES, round(crest_length / _STROKES_APART))
    high = plane.stations(crest, crest_length / count, closed=part.ring)
    low = plane.stations(foot, foot_length / count, closed=part.ring)
    drawn = Trace()
    # By a rounding error one of the lines may have a place more: that is left out.
    for number, (top, bottom) in enumerate(zip(high, low, strict=False)):
        # Long and short strokes alternate.
        share = 0.88
        if number % 2:
            share = 0.55
        wedge = [pen.on_paper(corner) for corner in _wedge(top, bottom, share)]
        drawn.run(wedge, closed=True)
    pen.draw(drawn, None, fill=inks.hachure)
    pen.stroke(crest, inks.hachure, 1.1, closed=part.ring)


def _wedge(top: Station, bottom: Station, share: float) -> list[TablePoint]:
    """A stroke, broad at the crest, that ends after a share of the way to the foot."""
    (x0, y0), (x1, y1) = top.at, bottom.at
    tip = (x0 + (x1 - x0) * share, y0 + (y1 - y0) * share)
    dx, dy = math.cos(top.heading) * _HALF_STROKE, math.sin(top.heading) * _HALF_STROKE
    return [(x0 - dx, y0 - dy), (x0 + dx, y0 + dy), tip]


# ------------------------------------------------------------------ lines


def draw_line_edge(pen: Pen, line: Line) -> None:
    """Draws what is below the line itself: the sides of a road, the banks of a river; nothing for
    most kinds."""
    width = line.inches_wide * pen.scale
    if line.kind == "road":
        pen.stroke(line.run, pen.inks.road_edge, width, round_ends=False)
    elif line.kind == "river":
        pen.stroke(line.run, pen.inks.water_edge, width, round_ends=False)


def draw_line_core(pen: Pen, line: Line) -> None:
    """Draws the line itself, above its edge."""
    _CORES[line.kind](pen, line)


def _road(pen: Pen, line: Line) -> None:
    # Narrower than its edge, which shows on either side.
    pen.stroke(line.run, pen.inks.road, max(line.inches_wide * pen.scale - 1.5, 0.6))


def _river(pen: Pen, line: Line) -> None:
    # Narrower than its edge, which shows as a bank on either side.
    pen.stroke(line.run, pen.inks.river, line.inches_wide * pen.scale - 1.4, round_ends=False)
    # Three lines along it show the current; those farther from the middle have wider gaps.
    course = [place.at for place in plane.stations(line.run, 0.6)]
    for share in (-0.25, 0.05, 0.3):
        flow = plane.beside(course, share * line.inches_wide)
        dash = (9, 5 + abs(share) * 8)
        pen.stroke(flow, pen.inks.sea_line, 0.45, dash=dash, round_ends=False)


def _stream(pen: Pen, line: Line) -> None:
    pen.stroke(line.run, pen.inks.water_edge, 1.6)


def _ditch(pen: Pen, line: Line) -> None:
    # Teeth point from both banks to the bottom, as at all falling ground.
    for distance in (-line.inches_wide / 2, line.inches_wide / 2):
        bank = plane.beside(line.run, distance)
        pen.stroke(bank, pen.inks.hachure, 1.0)
        toward_middle = -math.copysign(math.pi / 2, distance)
        stations = plane.stations(bank, 0.8)
        teeth = [_tooth(pen, place, toward_middle, 2.0) for place in stations]
        pen.short_lines(teeth, pen.inks.hachure, 0.6)


def _track(pen: Pen, line: Line) -> None:
    pen.stroke(line.run, pen.inks.halo, 2.6)
    pen.stroke(line.run, pen.inks.track, 1.3, dash=(4.5, 2.6), round_ends=False)


def _rail(pen: Pen, line: Line) -> None:
    pen.stroke(line.run, pen.inks.halo, 3.0)
    pen.stroke(line.run, pen.inks.rail, 1.2)
    sleepers = [_across(pen, place, 2.6) for place in plane.stations(line.run, 1.2)]
    pen.short_lines(sleepers, pen.inks.rail, 0.8)


def _wall(pen: Pen, line: Line) -> None:
    # Two parallel lines: a broad one with a light core.
    pen.stroke(line.run, pen.inks.wall, 2.6, round_ends=False)
    pen.stroke(line.run, pen.inks.halo, 1.3, round_ends=False)
    joints = [_across(pen, place, 1.3) for place in plane.stations(line.run, 0.8)]
    pen.short_lines(joints, pen.inks.wall, 0.7)


def _seawall(pen: Pen, line: Line) -> None:
    pen.stroke(line.run, pen.inks.halo, 4.4, round_ends=False)
    pen.stroke(line.run, pen.inks.ink, 2.2, round_ends=False)
    # On the right: the sheltered side of such a line is its left (``Line``).
    to_the_right = -math.pi / 2
    stones = [_tooth(pen, place, to_the_right, 3.3) for place in plane.stations(line.run, 1.5)]
    pen.short_lines(stones, pen.inks.ink, 1.6)


def _hedge(pen: Pen, line: Line) -> None:
    bushes = [place.at for place in plane.stations(line.run, 0.95)]
    pen.stipple(bushes, pen.inks.hedge, 4.7)
    pen.stipple(bushes, pen.inks.woods, 3.3)
    pen.stroke(line.run, pen.inks.hedge, 0.9)


def _wire(pen: Pen, line: Line) -> None:
    pen.stroke(line.run, pen.inks.wire, 0.5)
    crosses: list[Tick] = []
    for place in plane.stations(line.run, 1.1):
        x, y = pen.on_paper(place.at)
        crosses.append(((x - 1.9, y - 1.9), (x + 1.9, y + 1.9)))
        crosses.append(((x - 1.9, y + 1.9), (x + 1.9, y - 1.9)))
    pen.short_lines(crosses, pen.inks.wire, 0.7)


def _cliff(pen: Pen, line: Line) -> None:
    pen.stroke(line.run, pen.inks.hachure, 1.6)
    for place in plane.stations(line.run, 0.9):
        # Each points to the right: the lower side of a cliff is its left (``Line``).
        with pen.origin_at(place.at, math.degrees(place.heading)):
            pen.polygon([(-1.8, 0), (1.8, 0), (0, -5)], pen.inks.hachure)


def _mines(pen: Pen, line: Line) -> None:
    pen.stroke(line.run, pen.inks.mines, 0.4, dash=(2, 2))
    laid = [place.at for place in plane.stations(line.run, 1.8)]
    pen.stipple(laid, pen.inks.mines, 2.4)
    prongs: list[Tick] = []
    for place in laid:
        x, y = pen.on_paper(place)
        for dx, dy in ((0, 2.8), (-2.3, 1.8), (2.3, 1.8)):
            prongs.append(((x, y), (x + dx, y + dy)))
    pen.short_lines(prongs, pen.inks.mines, 0.6)


def _trench(pen: Pen, line: Line) -> None:
    """A line with square teeth: at each place it crosses to the other side of the run, at the next
    one back."""
    teeth = []
    for number, ((x, y), heading) in enumerate(plane.stations(line.run, 1.1)):
        distances = (0.28, -0.28)
        if number % 2:
            distances = (-0.28, 0.28)
        for distance in distances:
            teeth.append((x - math.sin(heading) * distance, y + math.cos(heading) * distance))
    pen.stroke(teeth, pen.inks.halo, 3)
    pen.stroke(teeth, pen.inks.trench, 1.5)


def _bridge(pen: Pen, line: Line) -> None:
    """A straight roadway with a rail on either side."""
    run = line.run
    pen.stroke(run, pen.inks.bridge, line.inches_wide * pen.scale, round_ends=False)
    # A bridge is straight, so that one place on it has the heading of all.
    heading = plane.stations(run, plane.length(run))[0].heading
    for side in (-1, 1):
        rail = plane.beside(run, side * line.inches_wide / 2)
        pen.stroke(rail, pen.inks.ink, 1.5, round_ends=False)
        # Each end of the rail has a wing. It continues the rail beyond the bridge, back at its
        # start and forward at its end, but turns aside from the road.
        aside = side * _WING_TURN
        at_start = _ray(pen.on_paper(rail[0]), heading + math.pi + aside, _WING)
        at_end = _ray(pen.on_paper(rail[-1]), heading - aside, _WING)
        pen.short_lines([at_start], pen.inks.ink, 1.5)
        pen.short_lines([at_end], pen.inks.ink, 1.5)


# What draws a line of each kind above its edge.
_CORES: Mapping[LineKind, Callable[[Pen, Line], None]] = {
    "road": _road,
    "river": _river,
    "stream": _stream,
    "ditch": _ditch,
    "track": _track,
    "rail": _rail,
    "wall": _wall,
    "seawall": _seawall,
    "hedge": _hedge,
    "wire": _wire,
    "cliff": _cliff,
    "mines": _mines,
    "trench": _trench,
    "bridge": _bridge,
}


def _across(pen: Pen, place: Station, reach: float) -> Tick:
    """A tick of twice that ``reach`` across a line."""
    x, y = pen.on_paper(place.at)
    dx, dy = -math.sin(place.heading) * reach, math.cos(place.heading) * reach
    return (x - dx, y - dy), (x + dx, y + dy)


def _tooth(pen: Pen, place: Station, turn: float, length: float) -> Tick:
    """A tick that leaves a line, turned from its heading."""
    return _ray(pen.on_paper(place.at), place.heading + turn, length)


def _ray(start: PaperPoint, angle: float, length: float) -> Tick:
    """A tick from a point in a direction (radians), so many points long."""
    x, y = start
    return start, (x + math.cos(angle) * length, y + math.sin(angle) * length)
