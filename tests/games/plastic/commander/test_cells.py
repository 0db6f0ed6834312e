"""Cells of six inches, and what lies in them."""

from __future__ import annotations

import pytest

from skirmish import library
from skirmish.games.plastic.commander.cells import CellGrid, GroundCell, apart
from skirmish.games.plastic.commander.ground import TableGround
from skirmish.tabletop.battlefield import Area, Battlefield, Building, Line, LineKind

GRID = CellGrid(96, 60)


def test_four_cells_are_a_square_of_the_map() -> None:
    """A1 is at the bottom left; the wall of Dog Beach at (44, 25) is in D3."""
    assert (GRID.columns, GRID.rows) == (16, 10)
    assert GroundCell(0, 0).square == "A1"
    assert GroundCell(15, 9).square == "H5"
    assert GRID.at((44, 25)).square == "D3"
    squares = [cell.square for cell in GRID.cells()]
    assert all(squares.count(square) == 4 for square in squares)


def test_a_place_on_the_edge_of_the_table_lies_in_its_last_cell() -> None:
    assert GRID.at((96, 60)) == GroundCell(15, 9)
    assert GRID.at((-1, 0)) == GroundCell(0, 0)


def test_a_cell_has_eight_neighbours_but_for_the_edges() -> None:
    assert len(list(GRID.neighbours(GroundCell(5, 5)))) == 8
    assert len(list(GRID.neighbours(GroundCell(0, 0)))) == 3
    assert GroundCell(16, 0) not in GRID


def test_neighbours_are_a_move_of_guys_apart() -> None:
    assert apart(GroundCell(3, 3), GroundCell(4, 3)) == 6


# ------------------------------------------------------------------ cover


def ground(**parts: object) -> TableGround:
    return TableGround(Battlefield(**parts), GRID)  # type: ignore[arg-type]


IN_B1 = GroundCell(2, 0)
"""From 12 to 18 in across, and up to 6 in upward."""


def test_there_is_no_cover_on_an_empty_table() -> None:
    assert not any(ground().in_cover(cell) for cell in GRID.cells())


def test_woods_and_buildings_are_cover() -> None:
    """ "Even partly in woods, or a building" ("Cover")."""
    woods = Area(kind="woods", points=((12, 0), (14, 0), (14, 6), (12, 6)))
    assert ground(areas=(woods,)).in_cover(IN_B1)
    assert ground(buildings=(Building(at=(15, 3), size=(4, 3)),)).in_cover(IN_B1)


def test_a_corner_of_a_wood_is_not_cover_for_a_whole_cell() -> None:
    corner = Area(kind="woods", points=((11, 0), (12.5, 0), (12.5, 1), (11, 1)))
    assert not ground(areas=(corner,)).in_cover(IN_B1)


def test_fields_and_orchards_are_no_cover() -> None:
    """The text knows woods."""
    for kind in ("field", "orchard"):
        area = Area(kind=kind, points=((12, 0), (18, 0), (18, 6), (12, 6)))  # type: ignore[arg-type]
        assert not ground(areas=(area,)).in_cover(IN_B1)


@pytest.mark.parametrize("kind", ["wall", "seawall", "hedge", "trench"])
def test_men_stand_behind_what_is_long_enough(kind: LineKind) -> None:
    long = Line(kind=kind, points=((12, 3), (18, 3)))
    assert ground(lines=(long,)).in_cover(IN_B1)
    short = Line(kind=kind, points=((17, 3), (18, 3)))
    assert not ground(lines=(short,)).in_cover(IN_B1)


def test_a_road_is_no_cover() -> None:
    assert not ground(lines=(Line(kind="road", points=((12, 3), (18, 3))),)).in_cover(IN_B1)


def test_at_dog_beach_the_seawall_is_cover_and_the_sand_is_not() -> None:
    """ "Guys behind the seawall are in cover.\""""
    scenario = library.published_scenarios()[10]
    assert scenario.map is not None
    beach = TableGround(scenario.map, GRID)
    assert beach.in_cover(GRID.at((44, 25)))
    assert not beach.in_cover(GRID.at((44, 20)))
    assert not beach.in_cover(GRID.at((44, 33)))


# ------------------------------------------------------------------ water


def test_a_river_is_water_but_under_its_bridge() -> None:
    river = Line(kind="river", points=((15, 0), (15, 60)), width=6)
    bridge = Line(kind="bridge", points=((10, 27), (20, 27)), width=6)
    crossed = ground(lines=(river, bridge))
    assert crossed.share(crossed.water, GroundCell(2, 1)) == 1
    assert crossed.share(crossed.water, GroundCell(2, 4)) == 0
    assert crossed.share(crossed.water, GroundCell(5, 1)) == 0


def test_a_stream_is_waded_through() -> None:
    stream = ground(lines=(Line(kind="stream", points=((15, 0), (15, 60))),))
    assert not stream.water.any()
