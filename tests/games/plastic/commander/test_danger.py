"""Danger on the real tables: the design's examples, with groups in the cells of the map."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from skirmish import library
from skirmish.games.plastic.commander.cells import CellGrid, GroundCell
from skirmish.games.plastic.commander.danger import Danger
from skirmish.games.plastic.commander.fire import FireTable
from skirmish.games.plastic.commander.ground import TableGround
from skirmish.games.plastic.commander.kills import KillTable
from skirmish.games.plastic.commander.sight import Sight
from skirmish.games.plastic.commander.situation import GroupKnown, Situation, Stand
from skirmish.tabletop.battlefield import Area, Battlefield

CATALOG = library.catalog()
RULINGS = library.rulings().defaults()
KILLS = KillTable(CATALOG, RULINGS)
WEIGHTS = library.commander_weights()
GRID = CellGrid(96, 60)


def danger_on(field: Battlefield) -> Danger:
    sight = Sight(TableGround(field, GRID), WEIGHTS.sight)
    return Danger(
        FireTable(CATALOG, RULINGS, sight, KILLS), choosing_exponent=WEIGHTS.fire.choosing
    )


def stand(
    name: str,
    cell: GroundCell,
    counts: Mapping[str, int],
    *,
    cover: bool = False,
    aboard: Mapping[str, int] | None = None,
) -> Stand:
    return Stand(GroupKnown(name, name, counts, aboard or {}), cell, cover)


# ------------------------------------------------------------------ Dog Beach, at the seawall

DOG_BEACH = library.published_scenarios()[10].map
assert DOG_BEACH is not None
BEACH = danger_on(DOG_BEACH)
FOUR_RIFLES = {"rifle": 4}
AT_THE_WALL = tuple(
    stand(f"group {number}", GroundCell(column, 4), FOUR_RIFLES, cover=True)
    for number, column in enumerate((6, 6, 7, 8, 8), start=1)
)
"""Five groups near D3, so that each gun can choose among all of them, as in the design."""
THIRD = "group 3"
ON_THE_BLUFFS = (
    stand("C4", GRID.at((35, 40)), {"machinegun": 1}, cover=True),
    stand("D4", GRID.at((40, 40.6)), {"machinegun": 1}, cover=True),
    stand("E4", GRID.at((49.6, 40.5)), {"machinegun": 1}, cover=True),
    stand("small pillbox", GRID.at((54.4, 38.2)), {"small_pillbox": 1}),
    stand("F4", GRID.at((66, 38)), {"cannon": 1}),
)
TURN_2 = Situation(AT_THE_WALL, ON_THE_BLUFFS)


def over_the_wall(group: Stand) -> Stand:
    return group._replace(cell=GroundCell(group.cell.column, 5), cover=False)


def test_behind_the_wall_a_group_loses_half_a_man() -> None:
    assert BEACH.points(TURN_2, THIRD) == pytest.approx(0.48, abs=0.01)


def test_whoever_goes_over_the_wall_alone_draws_the_fire_of_all() -> None:
    alone = TURN_2.after(over_the_wall(TURN_2.own_stand(THIRD)))
    assert BEACH.points(alone, THIRD) == pytest.approx(2.16, abs=0.02)
    assert BEACH.points(alone, "group 1") < BEACH.points(TURN_2, "group 1")


def test_in_a_wave_each_group_loses_less_than_alone() -> None:
    wave = TURN_2.after(*map(over_the_wall, AT_THE_WALL))
    assert BEACH.points(wave, THIRD) == pytest.approx(0.96, abs=0.01)


def test_guns_that_reach_few_groups_fire_more_at_each() -> None:
    """Spread along the wall as the scenario asks, the groups at its ends are out of range of some
    guns, and the middle one draws more than in the design."""
    spread = tuple(
        group._replace(cell=GroundCell(column, 4))
        for group, column in zip(AT_THE_WALL, range(5, 10), strict=True)
    )
    assert BEACH.points(Situation(spread, ON_THE_BLUFFS), THIRD) > BEACH.points(TURN_2, THIRD)


def test_the_worst_place_of_the_way_counts_if_its_end_is_safer() -> None:
    """Over open ground and back behind the wall: the guns fire while they can."""
    in_the_open = over_the_wall(TURN_2.own_stand(THIRD))
    across = BEACH.points(TURN_2, THIRD, way=[in_the_open])
    assert across == pytest.approx(2.16, abs=0.02)


# ------------------------------------------------------------------ Kidney Ridge

DESERT = danger_on(Battlefield(ground="desert"))


def tanks_and_truck(tanks: int, guns: int) -> Situation:
    own = [stand(f"tank {number}", GroundCell(0, 5), {"tank": 1}) for number in range(tanks)]
    own.append(stand("truck", GroundCell(0, 5), {"truck": 1}, aboard={"rifle": 10}))
    enemies = [stand(f"gun {number}", GroundCell(6, 5), {"cannon": 1}) for number in range(guns)]
    return Situation(tuple(own), tuple(enemies))


@pytest.mark.parametrize(("guns", "tanks", "danger"), [(7, 10, 9.9), (5, 7, 9.8), (3, 6, 7.6)])
def test_a_loaded_truck_draws_fire_from_every_gun(guns: int, tanks: int, danger: float) -> None:
    situation = tanks_and_truck(tanks, guns)
    assert DESERT.points(situation, "truck") == pytest.approx(danger, abs=0.06)


def test_it_is_all_the_same_whether_tanks_are_one_group_or_many() -> None:
    alone = tanks_and_truck(3, 2)
    together = Situation(
        (stand("tanks", GroundCell(0, 5), {"tank": 3}), alone.own[-1]), alone.enemies
    )
    each = [DESERT.points(alone, f"tank {number}") for number in range(3)]
    assert DESERT.points(together, "tanks") == pytest.approx(sum(each))
    assert DESERT.points(together, "truck") == pytest.approx(DESERT.points(alone, "truck"))


# ------------------------------------------------------------------ who is out of danger


def test_nobody_is_in_danger_out_of_range_or_out_of_sight() -> None:
    rifles = stand("rifles", GroundCell(0, 5), FOUR_RIFLES)
    near = Situation((rifles,), (stand("gun", GroundCell(4, 5), {"machinegun": 1}),))
    far = Situation((rifles,), (stand("gun", GroundCell(5, 5), {"machinegun": 1}),))
    assert DESERT.points(near, "rifles") > 0
    assert DESERT.points(far, "rifles") == 0
    wood = Area(kind="woods", points=((12, 0), (18, 0), (18, 60), (12, 60)))
    assert danger_on(Battlefield(areas=(wood,))).points(near, "rifles") == 0


def test_the_cheapest_men_of_a_group_are_lost_first() -> None:
    """Two of three men fall; the gunner is the last of them."""
    gun = (stand("tank", GroundCell(2, 5), {"tank": 3}),)
    riflemen = Situation((stand("men", GroundCell(0, 5), {"rifle": 3}),), gun)
    with_gunner = Situation((stand("men", GroundCell(0, 5), {"rifle": 2, "machinegun": 1}),), gun)
    lost = DESERT.points(riflemen, "men")
    assert 2 < lost < 3
    assert DESERT.points(with_gunner, "men") == pytest.approx(2 + 5 * (lost - 2))
