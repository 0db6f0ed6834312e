"""The ground that victory is about, in cells: buildings, a bridge, an edge, the centre.

Where victory asks for no ground, but for the enemy's models or one's own, there are no objectives;
the commander then looks for the enemy himself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from skirmish.games.plastic.commander.cells import CELL, CellGrid, GroundCell
from skirmish.games.plastic.scenarios.laying import called
from skirmish.games.plastic.scenarios.order_of_battle import Edge
from skirmish.games.plastic.scenarios.scenario import (
    Clear,
    CountAtEnd,
    DestroyThenExit,
    ExitTable,
    HoldBuildings,
    HoldRatio,
    Victory,
)
from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import Battlefield, Line
from skirmish.tabletop.plane import Point


class Objective(NamedTuple):
    """A cell that is worth holding, or through which to leave (``way_out``)."""

    name: str
    cell: GroundCell
    way_out: bool = False


def objectives_of(
    victory: Victory, field: Battlefield, grid: CellGrid, up: Edge
) -> tuple[Objective, ...]:
    """What ground decides; ``up``: the direction of the top of the map."""
    match victory:
        case HoldBuildings() | HoldRatio():
            return tuple(_buildings(field, grid))
        case CountAtEnd():
            return tuple(_counted_in(victory, field, grid))
        case Clear():
            return (_cleared(victory, field, grid),)
        case ExitTable(zone=str(letter)):
            return tuple(_zones(letter, field, grid))
        case ExitTable(edge=str(edge), of=of):
            by_road = of == "road"
            return tuple(_ways_out(edge, field, grid, up, by_road=by_road))
        case DestroyThenExit():
            return tuple(_ways_out(victory.then.edge, field, grid, up, by_road=False))
        case _:
            return ()


def _buildings(field: Battlefield, grid: CellGrid) -> Iterator[Objective]:
    """Each building of the map, by the cell of its middle."""
    for index, building in enumerate(field.buildings, start=1):
        name = f"{called(building.kind)} {building.number or index}"
        yield Objective(name, grid.at(building.at))


def _counted_in(victory: CountAtEnd, field: Battlefield, grid: CellGrid) -> Iterator[Objective]:
    """Where guys count at the end: in the circle that the map draws. Without one only the words of
    the question say it: on a bridge if they name one, else in the buildings."""
    if field.circles:
        for circle in field.circles:
            yield Objective("the circle", grid.at(circle.at))
        return
    bridges = [line for line in field.lines if line.kind == "bridge"]
    if "bridge" in victory.question.lower() and bridges:
        for bridge in bridges:
            yield Objective("the bridge", grid.at(_middle(bridge)))
    else:
        yield from _buildings(field, grid)


def _cleared(victory: Clear, field: Battlefield, grid: CellGrid) -> Objective:
    """The centre of the table, or the mark that the terms name."""
    place = grid.width / 2, grid.depth / 2
    if victory.mark is not None:
        for mark in field.marks:
            if mark.mark == victory.mark:
                place = mark.at
    return Objective(victory.place, grid.at(place))


def _middle(line: Line) -> Point:
    """The middle of a line along its way, to the inch."""
    stations = plane.stations(line.run, 1)
    return stations[len(stations) // 2].at


def _zones(letter: str, field: Battlefield, grid: CellGrid) -> Iterator[Objective]:
    """The middle of each zone with this letter, through which a side leaves."""
    for zone in field.zones:
        if zone.letter == letter:
            box = plane.box(zone.points)
            middle = ((box.left + box.right) / 2, (box.bottom + box.top) / 2)
            yield Objective(f"zone {letter}", grid.at(middle), way_out=True)


def _ways_out(
    edge: str, field: Battlefield, grid: CellGrid, up: Edge, *, by_road: bool
) -> Iterator[Objective]:
    """The cells along an edge; ``by_road``: only those through which a road goes, if there are
    any."""
    along = grid.along_edge(edge, up)
    with_road = [cell for cell in along if cell in _road_cells(field, grid)]
    if by_road and with_road:
        along = with_road
    for cell in along:
        yield Objective(f"the {edge} edge at {cell.square}", cell, way_out=True)


def _road_cells(field: Battlefield, grid: CellGrid) -> set[GroundCell]:
    """The cells through which a road goes."""
    cells = set()
    for line in field.lines:
        if line.kind == "road":
            for station in plane.stations(line.run, CELL / 2):
                cells.add(grid.at(station.at))
    return cells
