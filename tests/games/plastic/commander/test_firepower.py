"""What groups kill by their fire, on an empty table."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from skirmish import library
from skirmish.games.plastic.commander.cells import CellGrid, GroundCell
from skirmish.games.plastic.commander.fire import FireTable
from skirmish.games.plastic.commander.firepower import Firepower
from skirmish.games.plastic.commander.ground import TableGround
from skirmish.games.plastic.commander.kills import KillTable
from skirmish.games.plastic.commander.sight import Sight
from skirmish.games.plastic.commander.situation import GroupKnown, Situation, Stand
from skirmish.tabletop.battlefield import Battlefield

CATALOG = library.catalog()
RULINGS = library.rulings().defaults()
SIGHT = Sight(TableGround(Battlefield(), CellGrid(96, 60)), library.commander_weights().sight)
FIREPOWER = Firepower(FireTable(CATALOG, RULINGS, SIGHT, KillTable(CATALOG, RULINGS)))
RIFLE_HITS, COVERED = 5 / 12, 5 / 24


def stand(name: str, column: int, counts: Mapping[str, int], *, cover: bool = False) -> Stand:
    return Stand(GroupKnown(name, name, counts), GroundCell(column, 5), cover)


def killed(own: Stand, *enemies: Stand, left: float = 1.0) -> float:
    situation = Situation((own,), enemies)
    return FIREPOWER.points(situation, [own.group.id], {own.group.id: left})


def test_a_lone_gunner_in_cover_falls_to_eight_rifles_five_times_in_six() -> None:
    """1 - (19/24)^8, at 5 points."""
    gunner = stand("gunner", 2, {"machinegun": 1}, cover=True)
    eight = stand("rifles", 1, {"rifle": 8})
    assert killed(eight, gunner) == pytest.approx(5 * (1 - (1 - COVERED) ** 8))


def test_the_fallen_do_not_fire_and_part_of_a_man_does_in_part() -> None:
    gunner = stand("gunner", 2, {"machinegun": 1}, cover=True)
    four = stand("rifles", 1, {"rifle": 4})
    two_and_a_half = 1 - (1 - COVERED) ** 2 * (1 - COVERED / 2)
    assert killed(four, gunner, left=2.5 / 4) == pytest.approx(5 * two_and_a_half)
    assert killed(four, gunner, left=0) == 0


def test_nobody_kills_more_than_stand_there() -> None:
    four = stand("four", 2, {"rifle": 4})
    assert killed(stand("company", 1, {"rifle": 60}), four) == pytest.approx(4, abs=0.01)


def test_shots_go_where_they_kill_most_until_that_target_is_as_good_as_gone() -> None:
    """A gunner in the open is worth five riflemen, until he has probably fallen."""
    gunner, rifles = stand("gunner", 2, {"machinegun": 1}), stand("rifles", 2, {"rifle": 6})
    one = stand("one", 1, {"rifle": 1})
    assert killed(one, gunner, rifles) == pytest.approx(5 * RIFLE_HITS)
    ten = stand("ten", 1, {"rifle": 10})
    both = killed(ten, gunner, rifles)
    assert both > killed(ten, gunner)
    assert both > killed(ten, rifles)
    assert both < killed(ten, gunner) + killed(ten, rifles)


def test_two_groups_do_not_kill_the_same_man_twice() -> None:
    gunner = stand("gunner", 2, {"machinegun": 1})
    first, second = stand("first", 1, {"rifle": 6}), stand("second", 1, {"rifle": 6})
    situation = Situation((first, second), (gunner,))
    together = FIREPOWER.points(situation, ["first", "second"])
    alone = FIREPOWER.points(situation, ["first"])
    assert alone < together < 5
    assert together < 2 * alone


def test_out_of_range_nobody_kills_and_each_weapon_has_its_own_range() -> None:
    truck = stand("truck", 6, {"truck": 1})
    assert killed(stand("rifles", 1, {"rifle": 8}), truck) == 0
    tank = stand("tank", 1, {"tank": 1})
    assert killed(tank, truck) == pytest.approx(6 * 0.75)
    near = stand("truck", 3, {"truck": 1})
    assert killed(tank, near) == pytest.approx(6 * (1 - 0.25 * 0.75))
