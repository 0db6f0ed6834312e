"""The ground that victory is about, in cells: buildings, a bridge, an edge, the centre.

Where not ground decides, but the enemy's models or one's own, there are no objectives, and the
commander goes for the enemy.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from skirmish.games.plastic.commander.cells import CELL, CellGrid, GroundCell
from skirmish.games.plastic.scenarios.laying import kind_name
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.scenarios.scenario_part import Edge
from skirmish.games.plastic.scenarios.victory_terms import (
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
from skirmish.tabletop.plane import Path, Point


class Objective(NamedTuple):
    """A cell that a side wants: ground to be held, or, if it is a ``way_out``, a place at which
    groups leave the table."""

    name: str
    cell: GroundCell
    way_out: bool = False


def field_of(scenario: Scenario) -> Battlefield:
    """The map of a scenario; an empty one if it has none."""
    if scenario.map is None:
        return Battlefield()
    return scenario.map


def objectives_of_scenario(scenario: Scenario, grid: CellGrid) -> tuple[Objective, ...]:
    """The ground that decides a scenario, by its terms of victory."""
    return objectives_of(scenario.victory, field_of(scenario), grid, scenario.table.up)


def objectives_of(
    victory: Victory, field: Battlefield, grid: CellGrid, up: Edge
) -> tuple[Objective, ...]:
    """The ground that decides by these terms; ``up``: the edge that is at the top of the map."""
    match victory:
        case HoldBuildings() | HoldRatio():
            return tuple(_buildings(field, grid))
        case CountAtEnd():
            return tuple(_where_men_count(victory, field, grid))
        case Clear():
            return (_place_to_clear(victory, field, grid),)
        case ExitTable(zone=str(letter)):
            return tuple(_exit_zones(letter, field, grid))
        case ExitTable(edge=str(edge), of=of):
            by_road = of == "road"
            return tuple(_exits_along_edge(edge, field, grid, up, by_road=by_road))
        case DestroyThenExit():
            return tuple(_exits_along_edge(victory.then.edge, field, grid, up, by_road=False))
        case _:
            return ()


def _buildings(field: Battlefield, grid: CellGrid) -> Iterator[Objective]:
    """Each building of the map, by the cell of its middle."""
    for index, building in enumerate(field.buildings, start=1):
        number = building.number
        if number is None:
            number = index
        name = f"{kind_name(building.kind)} {number}"
        yield Objective(name, grid.at(building.at))


def _where_men_count(
    victory: CountAtEnd, field: Battlefield, grid: CellGrid
) -> Iterator[Objective]:
    """Where guys count at the end: in the circle that the map draws. Without a circle only the
    words of the question name the place: a bridge if they contain one, else the buildings."""
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


def _place_to_clear(victory: Clear, field: Battlefield, grid: CellGrid) -> Objective:
    """The place that the attacker has to clear: the mark that the terms name, or else the centre of
    the table."""
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


def _exit_zones(letter: str, field: Battlefield, grid: CellGrid) -> Iterator[Objective]:
    """The middle of each zone with this letter, through which a side leaves."""
    for zone in field.zones:
        if zone.letter == letter:
            yield Objective(f"zone {letter}", grid.at(middle_of_box(zone.points)), way_out=True)


def middle_of_box(points: Path) -> Point:
    """The middle of the box round these points."""
    box = plane.box(points)
    return (box.left + box.right) / 2, (box.bottom + box.top) / 2


def _exits_along_edge(
    edge: str, field: Battlefield, grid: CellGrid, up: Edge, *, by_road: bool
) -> Iterator[Objective]:
    """The cells along an edge; ``by_road``: only those through which a road goes, if there are
    any."""
    along = grid.along_edge(edge, up)
    if by_road:
        road_cells = _road_cells(field, grid)
        with_road = [cell for cell in along if cell in road_cells]
        if with_road:
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
