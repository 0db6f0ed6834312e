"""Sight between cells: woods, buildings and crests, on tables made for it and at Dog Beach."""

from __future__ import annotations

import pytest

from skirmish import library
from skirmish.games.plastic.commander.cells import CellGrid, GroundCell
from skirmish.games.plastic.commander.ground import TableGround
from skirmish.games.plastic.commander.sight import Sight
from skirmish.tabletop.battlefield import Area, Battlefield, Building, Slope

GRID = CellGrid(96, 60)
SHARES = library.commander_weights().sight
LEFT, MIDDLE, RIGHT = GroundCell(1, 5), GroundCell(7, 5), GroundCell(14, 5)


def sight(**parts: object) -> Sight:
    return Sight(TableGround(Battlefield(**parts), GRID), SHARES)  # type: ignore[arg-type]


def area(kind: str, left: float, right: float, bottom: float = 0, top: float = 60) -> Area:
    points = ((left, bottom), (right, bottom), (right, top), (left, top))
    return Area(kind=kind, points=points)  # type: ignore[arg-type]


def test_everybody_sees_everybody_on_an_empty_table() -> None:
    empty = sight()
    assert all(empty.clear_share(LEFT, cell) == 1 for cell in GRID.cells())


@pytest.mark.parametrize("kind", ["field", "orchard", "rough", "town", "marsh"])
def test_only_woods_and_buildings_block_sight(kind: str) -> None:
    assert sight(areas=(area(kind, 40, 46),)).in_sight(LEFT, RIGHT) == "yes"
    assert sight(areas=(area("woods", 40, 46),)).in_sight(LEFT, RIGHT) == "no"


def test_men_at_the_edge_of_a_wood_see_out_and_are_seen() -> None:
    """Those in the cells behind them do not."""
    wood = sight(areas=(area("woods", 36, 60),))
    edge, within = GroundCell(6, 5), GroundCell(8, 5)
    assert wood.in_sight(LEFT, edge) == "yes"
    assert wood.in_sight(LEFT, within) == "no"


def test_a_small_house_hides_some_of_the_men_behind_it() -> None:
    """Then the players are asked."""
    house = sight(buildings=(Building(at=(45, 33), size=(3, 3)),))
    assert house.in_sight(GroundCell(5, 5), GroundCell(9, 5)) == "ask"
    assert 0 < house.clear_share(LEFT, RIGHT) < 1


def test_sight_is_the_same_both_ways() -> None:
    scenario = library.published_scenarios()[9]
    assert scenario.map is not None
    bridge = Sight(TableGround(scenario.map, GRID), SHARES)
    for cell in (GroundCell(0, 0), GroundCell(3, 7), GroundCell(15, 2)):
        for other in (GroundCell(5, 5), GroundCell(12, 9)):
            assert bridge.clear_share(cell, other) == bridge.clear_share(other, cell)


# ------------------------------------------------------------------ crests

HIGH_ON_THE_RIGHT = Slope(crest=((48, 0), (48, 60)), foot=((44, 0), (44, 60)), curve=False)
AT_THE_CREST, BEHIND_IT = GroundCell(8, 5), GroundCell(9, 5)


@pytest.mark.parametrize("turned", [False, True])
def test_one_looks_down_from_a_crest_but_not_from_far_behind_it(turned: bool) -> None:
    """Whichever way its line is drawn on the map."""
    slope = HIGH_ON_THE_RIGHT
    if turned:
        crest, foot = slope.crest[::-1], slope.foot[::-1]
        slope = Slope(crest=crest, foot=foot, curve=False)
    bluff = sight(slopes=(slope,))
    assert bluff.clear_share(LEFT, AT_THE_CREST) > bluff.clear_share(LEFT, BEHIND_IT)
    assert bluff.in_sight(LEFT, BEHIND_IT) == "no"
    assert bluff.in_sight(LEFT, RIGHT) == "no"
    assert bluff.in_sight(BEHIND_IT, RIGHT) == "yes"


def test_who_is_in_a_cell_that_a_crest_cuts_sees_both_ways() -> None:
    """Dog Beach: a gun on the crest did not fire at men in the open on the plateau behind it."""
    crest = Slope(crest=((52, 0), (52, 60)), foot=((46, 0), (46, 60)), curve=False)
    bluff = sight(slopes=(crest,))
    at_the_crest = GroundCell(8, 5)
    assert bluff.in_sight(at_the_crest, LEFT) == "yes"
    assert bluff.in_sight(at_the_crest, RIGHT) == "yes"
    assert bluff.in_sight(LEFT, RIGHT) == "no"


def test_nobody_sees_over_a_hill() -> None:
    crest = ((44, 28), (52, 28), (52, 38), (44, 38))
    foot = ((40, 24), (56, 24), (56, 42), (40, 42))
    hill = sight(slopes=(Slope(crest=crest, foot=foot, curve=False, ring=True),))
    assert hill.in_sight(LEFT, RIGHT) == "no"
    assert hill.in_sight(GroundCell(1, 0), GroundCell(14, 0)) == "yes"


def test_one_sees_from_bluff_to_bluff_over_the_draw_between_them() -> None:
    right = HIGH_ON_THE_RIGHT
    left = Slope(crest=((30, 0), (30, 60)), foot=((34, 0), (34, 60)), curve=False)
    draw = sight(slopes=(left, right))
    assert draw.in_sight(LEFT, RIGHT) == "yes"
    assert draw.in_sight(LEFT, GroundCell(6, 5)) == "no"


def test_the_guns_of_dog_beach_see_the_wall_and_not_the_village() -> None:
    """The gun at C4 looks down to the sea; house 1 lies behind the crest and an orchard."""
    scenario = library.published_scenarios()[10]
    assert scenario.map is not None
    beach = Sight(TableGround(scenario.map, GRID), SHARES)
    gun, wall, sea = GRID.at((27, 40.6)), GRID.at((44, 25)), GRID.at((36, 3))
    assert beach.in_sight(gun, wall) == "yes"
    assert beach.in_sight(gun, sea) == "yes"
    assert beach.in_sight(wall, GRID.at((45, 56))) == "no"
