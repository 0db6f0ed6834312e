"""Turns from cell to cell: on foot, on wheels, on tracks and afloat."""

from __future__ import annotations

from skirmish import library
from skirmish.games.plastic.commander.cells import CellGrid, GroundCell
from skirmish.games.plastic.commander.ground import TableGround
from skirmish.games.plastic.commander.paths import Mover, Paths
from skirmish.tabletop.battlefield import Area, Battlefield, Line, Slope

GRID = CellGrid(96, 60)
UNITS = library.catalog().units
GUYS, TRUCK, TANK, CRAFT, AMPHIB = (
    Mover.of(UNITS[name]) for name in ("rifle", "truck", "tank", "landing_craft", "amphib")
)
LEFT, RIGHT = GroundCell(1, 5), GroundCell(9, 5)
"""Eight cells apart, 48 in."""
RIVER = Line(kind="river", points=((33, 0), (33, 60)), width=6)


def paths(**parts: object) -> Paths:
    return Paths(TableGround(Battlefield(**parts), GRID))  # type: ignore[arg-type]


def scenario_ground(number: int) -> TableGround:
    scenario = library.published_scenarios()[number]
    assert scenario.map is not None
    return TableGround(scenario.map, CellGrid(scenario.table.width_in, scenario.table.depth_in))


def test_guys_move_a_cell_a_turn_and_tanks_two() -> None:
    empty = paths()
    assert empty.eta(GUYS, LEFT, RIGHT) == 8
    assert empty.eta(TANK, LEFT, RIGHT) == 4
    assert empty.eta(GUYS, LEFT, LEFT) == 0


def test_a_move_ends_in_a_neighbouring_cell_or_where_it_began() -> None:
    """Over a corner it is 8.5 in, which is more than guys move."""
    ends = paths().cells_in_reach(GUYS, LEFT)
    assert sorted(ends) == sorted(
        [LEFT, GroundCell(0, 5), GroundCell(2, 5), GroundCell(1, 4), GroundCell(1, 6)]
    )


def test_over_a_corner_a_group_sets_out_for_the_next_cell() -> None:
    """A move takes it a part of the way, from which it goes on."""
    empty = paths()
    over_the_corner = GroundCell(2, 6)
    assert over_the_corner not in empty.cells_in_reach(GUYS, LEFT)
    assert over_the_corner in empty.cells_to_head_for(GUYS, LEFT)
    assert len(empty.cells_to_head_for(GUYS, LEFT)) == 9


def test_trucks_are_twice_as_fast_on_a_road() -> None:
    road = paths(lines=(Line(kind="road", points=((0, 33), (96, 33))),))
    assert road.eta(TRUCK, LEFT, RIGHT) == 2
    assert road.eta(TANK, LEFT, RIGHT) == 4


def test_models_go_round_a_wood_and_guys_through_it() -> None:
    """ "Only guys may enter woods." """
    wood = Area(kind="woods", points=((24, 12), (42, 12), (42, 60), (24, 60)))
    wooded = paths(areas=(wood,))
    assert wooded.eta(GUYS, LEFT, RIGHT) == 8
    assert (wooded.eta(TANK, LEFT, RIGHT) or 0) > 4
    assert all(not 4 <= cell.column <= 6 or cell.row < 2 for cell in wooded.turns(TANK, LEFT))


def test_nobody_crosses_a_river_without_a_bridge_but_what_swims() -> None:
    river = paths(lines=(RIVER,))
    assert river.eta(GUYS, LEFT, RIGHT) is None
    assert river.eta(TANK, LEFT, RIGHT) is None
    assert river.eta(AMPHIB, LEFT, RIGHT) is not None


def test_the_way_over_a_river_is_its_bridge() -> None:
    bridge = Line(kind="bridge", points=((26, 9), (40, 9)), width=4)
    crossed = paths(lines=(RIVER, bridge))
    eta = crossed.eta(GUYS, LEFT, RIGHT)
    assert eta is not None
    assert eta > 8  # down to it and up again


def test_craft_stay_afloat() -> None:
    sea = Area(kind="sea", points=((0, 0), (96, 0), (96, 12), (0, 12)))
    coast = paths(areas=(sea,))
    assert {cell.row for cell in coast.turns(CRAFT, GroundCell(5, 0))} == {0, 1}
    assert coast.eta(CRAFT, GroundCell(5, 0), GroundCell(5, 1)) == 1


def test_wire_costs_guys_a_turn_and_stops_wheels() -> None:
    ground = TableGround(Battlefield(), GRID)
    across_the_table = [GroundCell(5, row) for row in range(GRID.rows)]
    wired = Paths(ground, across_the_table)
    assert wired.eta(GUYS, LEFT, RIGHT) == 9
    assert wired.eta(TRUCK, LEFT, RIGHT) is None
    assert wired.eta(TANK, LEFT, RIGHT) == 4


def test_wire_of_the_map_counts_too() -> None:
    wired = paths(lines=(Line(kind="wire", points=((33, 0), (33, 60))),))
    assert wired.eta(GUYS, LEFT, RIGHT) == 9


def test_slopes_slow_only_where_the_scenario_says_so() -> None:
    slope = Slope(crest=((36, 0), (36, 60)), foot=((32, 0), (32, 60)), curve=False)
    sloped = paths(slopes=(slope,))
    assert sloped.eta(GUYS, LEFT, RIGHT) == 8
    assert (sloped.eta(GUYS._replace(on_slope=3), LEFT, RIGHT) or 0) > 8


def test_from_the_seawall_to_house_2_is_six_turns() -> None:
    """The design's example: four moves, of which two on the bluff take two turns each."""
    beach = Paths(scenario_ground(10))
    climbing = Mover.of(UNITS["rifle"], on_slope=3)
    assert beach.eta(climbing, GRID.at((44, 25)), GRID.at((45.2, 50.2))) == 6


def test_every_scenario_has_a_way_on_foot_from_most_cells_to_most_others() -> None:
    """Over bridges where there are any: no map falls apart by a slip of the raster."""
    for number in library.published_scenarios():
        ground = scenario_ground(number)
        dry = [cell for cell in ground.grid.cells() if not ground.share(ground.water, cell)]
        reached = max(len(Paths(ground).turns(GUYS, cell)) for cell in dry[:: len(dry) // 5])
        assert reached >= len(dry) * 0.9, number
