"""What he orders, and what he never does: the complaints of players about engines that move."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping

import msgspec
import pytest

from skirmish import library
from skirmish.games.plastic.commander.actions import (
    Abandon,
    ActionKey,
    Charge,
    CutWire,
    DigIn,
    GetOut,
    GoTo,
    LeaveTable,
    MountUp,
    StayPut,
    TakeCover,
)
from skirmish.games.plastic.commander.board import Board, CommandTable, Spadework
from skirmish.games.plastic.commander.cells import CellGrid, GroundCell
from skirmish.games.plastic.commander.group_order import GroupOrder, Memory
from skirmish.games.plastic.commander.kills import KillTable
from skirmish.games.plastic.commander.leading import GroupLeader
from skirmish.games.plastic.commander.moves import GroupTask, mover_of
from skirmish.games.plastic.commander.outlook import Outlook
from skirmish.games.plastic.commander.situation import GroupKnown, Situation, Stand
from skirmish.games.plastic.commander.weights import RoleId, TemperamentId
from skirmish.games.plastic.commander.words import order_in_words, sentences_of_ways
from skirmish.tabletop.battlefield import Area, Battlefield, Building, Line

CATALOG = library.catalog()
RULINGS = library.rulings().defaults()
WEIGHTS = library.commander_weights()
KILLS = KillTable(CATALOG, RULINGS)
GRID = CellGrid(96, 60)
HOUSE = Building(at=(57, 33), size=(5, 5))
"""In the cell of column 9, row 5."""
HOUSE_CELL = GroundCell(9, 5)
WALL = Line(kind="wall", points=((24, 30), (24, 36)))


def table(field: Battlefield) -> CommandTable:
    return CommandTable(field, GRID, CATALOG, RULINGS, weights=WEIGHTS, kills=KILLS)


EMPTY = table(Battlefield())
WITH_HOUSE = table(Battlefield(buildings=(HOUSE,)))


def stand(
    name: str,
    counts: Mapping[str, int],
    column: int,
    *,
    row: int = 5,
    cover: bool = False,
    aboard: Mapping[str, int] | None = None,
) -> Stand:
    return Stand(GroupKnown(name, name, counts, aboard or {}), GroundCell(column, row), cover)


def task(
    own: Stand,
    goal: int,
    *,
    row: int = 5,
    role: RoleId = "assault",
    worth: float = 16,
    turns_left: int = 12,
) -> GroupTask:
    mover = mover_of(own.group, CATALOG)
    return GroupTask(role, mover, GroundCell(goal, row), worth, turns_left)


def first_of(number: int) -> int:
    """Instead of a draw."""
    return 0


def orders(
    board: Board,
    situation: Situation,
    tasks: Mapping[str, GroupTask],
    *,
    memory: Memory | None = None,
    turn: int = 5,
    exiting_groups: frozenset[str] = frozenset(),
    deciding_cells: frozenset[GroundCell] = frozenset(),
) -> dict[str, GroupOrder]:
    given = GroupLeader(board).orders(
        situation,
        tasks,
        turn=turn,
        draw=first_of,
        memory=memory,
        exiting_groups=exiting_groups,
        deciding_cells=deciding_cells,
    )
    return {order.group: order for order in given}


def order_for(
    own: Stand,
    enemies: tuple[Stand, ...],
    its_task: GroupTask,
    *,
    on: CommandTable = EMPTY,
    temperament: TemperamentId = "steady",
    memory: Memory | None = None,
) -> GroupOrder:
    situation = Situation((own,), enemies)
    given = orders(on.board(temperament), situation, {own.group.id: its_task}, memory=memory)
    return given[own.group.id]


# ------------------------------------------------------------------ an objective is not given up


def test_the_last_men_do_not_leave_what_they_hold() -> None:
    """Two men in the house under fire of a gun that they cannot reach; an enemy is near."""
    own = stand("two", {"rifle": 2}, 9, cover=True)
    enemies = (
        stand("gun", {"mortar": 3}, 13),
        stand("riflemen", {"rifle": 8}, 10, row=6),
    )
    order = order_for(own, enemies, task(own, 9, role="hold"), on=WITH_HOUSE)
    assert not order.action.moves_from(own.cell)
    leaving = [option for option in order.considered if option.action.moves_from(own.cell)]
    assert leaving
    assert all(option.veto for option in leaving)


def test_others_who_stay_make_the_last_men_free_to_go() -> None:
    own = stand("two", {"rifle": 2}, 9, cover=True)
    others = stand("others", {"rifle": 6}, 9, cover=True)
    situation = Situation((own, others), (stand("gun", {"mortar": 3}, 13),))
    tasks = {"two": task(own, 9, role="hold"), "others": task(others, 9, role="hold")}
    order = orders(WITH_HOUSE.board(), situation, tasks)["two"]
    assert not any(option.veto for option in order.considered)


def test_a_group_stays_on_its_objective_though_it_kills_nobody_there() -> None:
    own = stand("men", {"rifle": 8}, 9, cover=True)
    order = order_for(own, (), task(own, 9, role="hold"), on=WITH_HOUSE)
    assert type(order.action) is StayPut


# ------------------------------------------------------------------ machine guns


def test_ground_is_left_for_other_ground_while_no_enemy_is_near() -> None:
    other_house = GroundCell(2, 5)
    far_off = stand("enemy", {"rifle": 8}, 1, row=1)
    near = stand("enemy", {"rifle": 8}, 11)
    own = stand("men", {"rifle": 8}, 9, cover=True)
    its_task = task(own, 2, role="hold", worth=40, turns_left=9)
    for enemy, may_go in ((far_off, True), (near, False)):
        situation = Situation((own,), (enemy,))
        deciding_cells = frozenset({own.cell, other_house})
        given = orders(
            WITH_HOUSE.board(), situation, {"men": its_task}, deciding_cells=deciding_cells
        )["men"]
        going = [option for option in given.considered if type(option.action) is GoTo]
        assert any(not option.veto for option in going) == may_go


def test_a_machine_gun_in_cover_with_a_target_stays() -> None:
    """MegaMek 7337: stepped into the open to fire worse."""
    gun = stand("gun", {"machinegun": 2, "rifle": 4}, 4, cover=True)
    enemy = stand("enemy", {"rifle": 8}, 7)
    order = order_for(gun, (enemy,), task(gun, 12, role="base"))
    assert order.action.stand.cover
    assert order.action.stand.cell == gun.cell


def test_a_machine_gun_in_cover_stays_if_those_with_whom_it_would_kill_more_stay() -> None:
    """All kills of a wave are shared out alike: with the mortars it would leave its cover for more
    than twice its own, but they may not leave the ground that they hold."""
    gun = stand("gun", {"machinegun": 1}, 3, cover=True)
    riflemen = stand("riflemen", {"rifle": 4}, 3, row=4)
    mortars = stand("mortars", {"mortar": 4}, 3, row=7)
    enemies = (stand("enemies", {"rifle": 4}, 5),)
    tasks = {}
    for own in (gun, riflemen, mortars):
        tasks[own.group.id] = task(own, 9, worth=160)
    situation = Situation((gun, riflemen, mortars), enemies)
    given = orders(EMPTY.board("bold"), situation, tasks, deciding_cells=frozenset({mortars.cell}))
    assert type(given["gun"].action) is StayPut
    assert not given["mortars"].action.moves_from(mortars.cell)


def test_a_machine_gun_without_a_target_may_go() -> None:
    gun = stand("gun", {"machinegun": 2, "rifle": 4}, 4, cover=True)
    order = order_for(gun, (), task(gun, 12, turns_left=9))
    assert order.action.moves_from(gun.cell)


# ------------------------------------------------------------------ tanks


@pytest.mark.parametrize("men", [{"engineer": 4}, {"bazooka": 3}, {"rifle": 6}])
def test_no_tank_goes_alone_among_men_who_would_kill_it(men: dict[str, int]) -> None:
    tank = stand("tank", {"tank": 1}, 6)
    enemy = stand("men in the house", men, 9, cover=True)
    order = order_for(tank, (enemy,), task(tank, 9, turns_left=6), on=WITH_HOUSE)
    assert order.action.stand.cell not in GRID.neighbours(enemy.cell)
    assert order.action.stand.cell != enemy.cell


def test_with_men_beside_it_a_tank_may() -> None:
    tank, escort = stand("tank", {"tank": 1}, 6), stand("escort", {"rifle": 8}, 7)
    enemy = stand("enemy", {"rifle": 4}, 9, cover=True)
    situation = Situation((tank, escort), (enemy,))
    tasks = {"tank": task(tank, 9, turns_left=6), "escort": task(escort, 9, role="escort")}
    considered = orders(WITH_HOUSE.board(), situation, tasks)["tank"].considered
    beside = [option for option in considered if option.action.stand.cell == GroundCell(8, 5)]
    assert beside
    assert not any(option.veto for option in beside)


def test_five_tanks_do_not_drive_into_seven_guns_until_time_runs_out() -> None:
    """ "Tanks A: halt. Without B five lose to seven guns." """
    tanks = stand("tanks", {"tank": 5}, 1)
    guns = stand("guns", {"cannon": 7}, 8)
    early = order_for(tanks, (guns,), task(tanks, 14, worth=30, turns_left=12))
    assert type(early.action) is StayPut
    assert any("Too few of our guns" in option.veto for option in early.considered)
    late = order_for(tanks, (guns,), task(tanks, 14, worth=300, turns_left=7))
    assert late.action.moves_from(tanks.cell)


def test_a_loaded_truck_does_not_stop_before_a_machine_gun() -> None:
    """ "Loaded, you are every gun's best target." """
    truck = stand("truck", {"truck": 1}, 2, aboard={"rifle": 10})
    gun = stand("gun", {"machinegun": 2}, 8)
    order = order_for(truck, (gun,), task(truck, 15, turns_left=12))
    stops = [option for option in order.considered if option.action.stand.cell.column > 4]
    assert order.action.stand.cell.column <= 4
    assert all(option.veto for option in stops if type(option.action) is GoTo)


def test_with_one_turn_to_spare_a_loaded_truck_goes() -> None:
    """ "Trucks: go. One turn to spare." On the field it waited until it was too late."""
    truck = stand("truck", {"truck": 1}, 4, aboard={"rifle": 10})
    gun = stand("gun", {"machinegun": 1}, 9, cover=True)
    late = task(truck, 14, role="raid", worth=60, turns_left=6)
    order = order_for(truck, (gun,), late)
    assert order.action.stand.cell.column > 4


def test_before_machine_guns_men_get_out_of_their_truck() -> None:
    """On the field, loaded trucks waited at the edge of the guns' reach for the whole battle."""
    truck = stand("truck", {"truck": 1}, 4, aboard={"rifle": 10})
    gun = stand("gun", {"machinegun": 2}, 8, cover=True)
    order = order_for(truck, (gun,), task(truck, 9, worth=60, turns_left=12))
    assert isinstance(order.action, GetOut)


def test_tanks_go_in_one_wave_though_their_objectives_differ() -> None:
    """ "Arrive in the same turn." Alone, each of them met all cannon."""
    own = tuple(stand(f"tanks {row}", {"tank": 5}, 0, row=row) for row in (2, 8))
    guns = (stand("guns", {"cannon": 5}, 7),)
    tasks = {}
    for tanks, row in zip(own, (4, 6), strict=True):
        tasks[tanks.group.id] = task(tanks, 7, row=row, worth=90, turns_left=6)
    given = orders(EMPTY.board(), Situation(own, guns), tasks)
    assert all(order.together == tuple(tasks) for order in given.values())


# ------------------------------------------------------------------ nobody idles


def test_unloaded_men_with_a_far_way_do_not_linger() -> None:
    """MegaMek 7107: units linger where they were unloaded."""
    men = stand("men", {"rifle": 8}, 1)
    for turns_left in range(8, 12):
        order = order_for(men, (), task(men, 8, turns_left=turns_left))
        assert order.action.stand.cell.column == 2


def test_he_says_why_a_group_stays_for_a_third_turn() -> None:
    men = stand("men", {"rifle": 8}, 0, cover=True)
    gun = stand("gun", {"machinegun": 4}, 3, cover=True)
    its_task = task(men, 14, role="reserve", turns_left=30)
    memory = Memory(idle={"men": 2})
    order = order_for(men, (gun,), its_task, memory=memory)
    assert type(order.action) is StayPut
    outlook = Outlook(EMPTY.board(), Situation((men,), (gun,)), {"men": its_task})
    assert "Three turns here now: " in order_in_words(order, outlook)


def test_who_is_wanted_elsewhere_goes_after_two_idle_turns() -> None:
    """A habit that keeps a group in place ends when it has long done nothing."""
    men = stand("men", {"rifle": 8}, 1)
    its_task = task(men, 8, worth=4, turns_left=14)
    keeps = Memory(last={"men": ActionKey("hold", men.cell)}, idle={"men": 1})
    order = order_for(men, (), its_task, memory=keeps)
    assert type(order.action) is StayPut
    long_idle = Memory(last={"men": ActionKey("hold", men.cell)}, idle={"men": 2})
    order = order_for(men, (), its_task, memory=long_idle)
    assert order.action.stand.cell.column == 2


@pytest.mark.parametrize("last", [{}, {"tanks": ActionKey("hold", GroundCell(4, 5))}])
def test_a_reserve_that_can_just_be_in_time_sets_out(
    last: dict[str, ActionKey],
) -> None:
    """The ground gained is a mere tie with staying, or less than the habit of staying."""
    own = stand("tanks", {"tank": 2}, 4, cover=True)
    wanted = task(own, 14, role="reserve", worth=0.5, turns_left=5)
    memory = Memory(last=last)
    order = order_for(own, (), wanted, temperament="cautious", memory=memory)
    assert isinstance(order.action, GoTo)
    assert order.action.stand.cell.column > 4


def test_a_reserve_with_a_turn_to_spare_may_stay() -> None:
    own = stand("tanks", {"tank": 2}, 4, cover=True)
    wanted = task(own, 14, role="reserve", worth=0.5, turns_left=6)
    order = order_for(own, (), wanted, temperament="cautious")
    assert order.action.stays


def test_with_much_time_an_idle_group_comes_nearer_where_that_costs_nothing() -> None:
    """On the field, men stood at the seawall for eleven turns since there was time."""
    men = stand("men", {"rifle": 8}, 1)
    its_task = task(men, 8, turns_left=30)
    at_first = order_for(men, (), its_task)
    assert type(at_first.action) is StayPut
    later = order_for(men, (), its_task, memory=Memory(idle={"men": 2}))
    assert later.action.stand.cell.column == 2


def test_idle_turns_are_counted_and_end_with_a_move_or_with_fire() -> None:
    men = stand("men", {"rifle": 8}, 1)
    situation = Situation((men,), ())
    order = order_for(men, (), task(men, 1))
    memory = Memory().after([order], situation, turn=1).after([order], situation, turn=2)
    assert memory.idle == {"men": 2}
    assert memory.having_fired(["men"]).idle == {"men": 0}
    went = order_for(men, (), task(men, 8, turns_left=8))
    assert memory.after([went], situation, turn=3).idle == {"men": 0}


def test_nobody_goes_back_at_once_to_where_he_came_from() -> None:
    men = stand("men", {"rifle": 8}, 2)
    its_task = task(men, 1, turns_left=20, worth=2)
    fresh = order_for(men, (), its_task)
    left = Memory(left={"men": {GroundCell(1, 5): 4}})
    returning = order_for(men, (), its_task, memory=left)
    back = GroundCell(1, 5)
    values = [
        option.score.value
        for order in (fresh, returning)
        for option in order.considered
        if option.action.stand.cell == back
    ]
    assert values[1] == pytest.approx(values[0] - 2 * 0.5)


# ------------------------------------------------------------------ the last turn counts


def test_in_the_last_turn_who_can_reach_the_house_does_though_under_fire() -> None:
    men = stand("men", {"rifle": 6}, 8, cover=True)
    gun = stand("gun", {"machinegun": 2}, 12)
    last = order_for(men, (gun,), task(men, 9, turns_left=1), on=WITH_HOUSE)
    # Whoever is a cell away is there after this turn: k is 0.
    assert last.action.stand.cell == GroundCell(9, 5)


def test_in_the_last_turn_a_base_of_fire_is_a_body_in_the_house() -> None:
    """In random situations machine guns fired on where nothing they kill counts any more."""
    gun = stand("gun", {"rifle": 6, "machinegun": 2}, 8)
    enemy = stand("enemy", {"rifle": 8}, 5)
    its_task = task(gun, 9, role="base", worth=20, turns_left=1)
    order = order_for(gun, (enemy,), its_task, on=WITH_HOUSE)
    assert order.action.stand.cell == GroundCell(9, 5)


def test_in_the_last_turn_an_escort_leaves_its_tanks_for_the_house() -> None:
    men, tank = stand("men", {"rifle": 4}, 8, row=5), stand("tank", {"tank": 1}, 6)
    tasks = {"men": task(men, 9, role="escort", turns_left=1), "tank": task(tank, 6, worth=0)}
    given = orders(WITH_HOUSE.board(), Situation((men, tank), ()), tasks)
    assert given["men"].action.stand.cell == GroundCell(9, 5)


def test_nobody_leaves_the_table_through_the_enemy() -> None:
    tanks = stand("tanks", {"tank": 2}, 14)
    enemy = stand("enemy", {"rifle": 6}, 15)
    given = orders(
        EMPTY.board(),
        Situation((tanks,), (enemy,)),
        {"tanks": task(tanks, 15, role="raid")},
        exiting_groups=frozenset({"tanks"}),
    )
    assert not isinstance(given["tanks"].action, LeaveTable)


def test_of_several_groups_on_ground_that_counts_one_stays() -> None:
    """Each was free to go because of the others, and all went."""
    own = tuple(stand(f"men {number}", {"rifle": 4}, 9) for number in (1, 2))
    guns = (stand("guns", {"mortar": 6}, 13),)
    tasks = {each.group.id: task(each, 2, role="reserve") for each in own}
    situation = Situation(own, guns)
    leader = GroupLeader(EMPTY.board())
    free = leader.orders(situation, tasks, turn=5, draw=first_of)
    assert all(order.action.moves_from(own[0].cell) for order in free)
    deciding_cells = frozenset({own[0].cell})
    held = leader.orders(situation, tasks, turn=5, draw=first_of, deciding_cells=deciding_cells)
    assert [order.action.moves_from(own[0].cell) for order in held].count(True) == 1


def test_an_emplaced_gun_is_served_until_its_crew_is_needed_in_a_house() -> None:
    """MegaMek 4322: emplaced guns stay to the end where heads count."""
    gun = stand("gun", {"machinegun": 1}, 6, cover=True)
    enemy = stand("enemy", {"rifle": 4}, 3)
    board = WITH_HOUSE.board(emplaced={"gun": "rifle"})
    situation = Situation((gun,), (enemy,))
    for turns_left in (12, 8, 6):
        tasks = {"gun": task(gun, 9, role="base", worth=40, turns_left=turns_left)}
        on_foot = tasks["gun"]._replace(mover=mover_of(GroupKnown("", "", {"rifle": 1}), CATALOG))
        order = orders(board, situation, {"gun": on_foot})["gun"]
        assert type(order.action) is StayPut
    tasks = {"gun": on_foot._replace(turns_left=4)}
    order = orders(board, situation, tasks)["gun"]
    assert isinstance(order.action, Abandon)
    assert order.action.stand.cell == GroundCell(7, 5)


def test_who_stands_at_the_way_out_leaves() -> None:
    men = stand("men", {"rifle": 6}, 15)
    given = orders(
        EMPTY.board(),
        Situation((men,), ()),
        {"men": task(men, 15, role="raid")},
        exiting_groups=frozenset({"men"}),
    )
    assert isinstance(given["men"].action, LeaveTable)


def test_nobody_drives_off_where_that_counts_for_nothing() -> None:
    """FlyCasual 1371: by an edge."""
    men = stand("men", {"rifle": 6}, 15)
    order = order_for(men, (), task(men, 15))
    assert not any(isinstance(option.action, LeaveTable) for option in order.considered)


# ------------------------------------------------------------------ craft and carriers

SEA = Area(kind="sea", points=((0, 0), (96, 0), (96, 12), (0, 12)))
SHORE = table(Battlefield(areas=(SEA,)))


def craft(row: int) -> Stand:
    return stand("craft", {"landing_craft": 1}, 6, row=row, aboard={"rifle": 12})


def test_landing_craft_go_straight_in() -> None:
    """ "Craft: straight in: bullets do nothing." """
    at_sea = craft(0)
    guns = (stand("gun", {"machinegun": 3}, 6, row=4, cover=True),)
    order = order_for(at_sea, guns, task(at_sea, 6, row=6, turns_left=12), on=SHORE)
    assert order.action.stand.cell.row == 1


def test_landing_craft_ashore_let_their_men_out() -> None:
    """TripleA 9236: men kept aboard."""
    ashore = craft(1)
    guns = (stand("gun", {"machinegun": 1}, 6, row=7, cover=True),)
    order = order_for(ashore, guns, task(ashore, 6, row=6, turns_left=12), on=SHORE)
    assert isinstance(order.action, GetOut)
    assert order.action.stand.cell.row == 2


@pytest.mark.parametrize("idle", [0, 2])
def test_men_land_though_they_are_late(idle: int) -> None:
    own = craft(1)
    too_late = task(own, 6, row=8, worth=120, turns_left=2)
    memory = Memory(last={own.group.id: ActionKey("hold", own.cell)}, idle={own.group.id: idle})
    order = order_for(own, (), too_late, on=SHORE, memory=memory)
    assert isinstance(order.action, GetOut)


def test_men_with_a_far_way_mount_an_empty_truck_beside_them() -> None:
    men, truck = stand("men", {"rifle": 8}, 1), stand("truck", {"truck": 1}, 1)
    situation = Situation((men, truck), ())
    tasks = {"men": task(men, 15, turns_left=10), "truck": task(truck, 1, worth=0)}
    given = orders(EMPTY.board(), situation, tasks)
    assert isinstance(given["men"].action, MountUp)


def test_whose_truck_another_group_mounts_goes_on_foot() -> None:
    first = stand("first", {"rifle": 6}, 2)
    second = stand("second", {"rifle": 6}, 2, row=6)
    truck = stand("truck", {"truck": 1}, 3)
    situation = Situation((first, second, truck), ())
    tasks = {own.group.id: task(own, 15, turns_left=14) for own in situation.own}
    given = orders(EMPTY.board(), situation, tasks)
    assert isinstance(given["first"].action, MountUp)
    assert isinstance(given["second"].action, GoTo)
    assert given["second"].action.moves_from(second.cell)
    outlook = Outlook(EMPTY.board(), situation, tasks)
    assert order_in_words(given["truck"], outlook) == "truck: stay in B3. first is to mount it."


def test_nobody_mounts_for_a_short_way() -> None:
    men, truck = stand("men", {"rifle": 8}, 1), stand("truck", {"truck": 1}, 1)
    tasks = {"men": task(men, 3, turns_left=2), "truck": task(truck, 1, worth=0)}
    considered = orders(EMPTY.board(), Situation((men, truck), ()), tasks)["men"].considered
    assert not any(isinstance(option.action, MountUp) for option in considered)


# ------------------------------------------------------------------ charges


def test_two_groups_charge_together_what_is_too_strong_for_each() -> None:
    own = (stand("first", {"rifle": 6}, 8), stand("second", {"rifle": 6}, 8))
    enemy = stand("enemy", {"rifle": 4, "mortar": 2}, 9, cover=True)
    tasks = {each.group.id: task(each, 9, turns_left=3) for each in own}
    alone = order_for(own[0], (enemy,), tasks["first"], on=WITH_HOUSE)
    assert not isinstance(alone.action, Charge)
    given = orders(WITH_HOUSE.board(), Situation(own, (enemy,)), tasks)
    assert all(isinstance(order.action, Charge) for order in given.values())
    assert given["first"].together == ("first", "second")


def test_eight_rifles_go_for_the_tank_beside_them() -> None:
    """ "At the tank in E3. Nearly nine in ten." """
    men = stand("men", {"rifle": 8}, 5)
    tank = stand("tank", {"tank": 1}, 6)
    order = order_for(men, (tank,), task(men, 12, turns_left=9))
    assert isinstance(order.action, Charge)


def test_nobody_charges_twice_as_many_in_cover() -> None:
    men = stand("men", {"rifle": 4}, 8, cover=True)
    enemy = stand("enemy", {"rifle": 10}, 9, cover=True)
    order = order_for(men, (enemy,), task(men, 9, turns_left=10), on=WITH_HOUSE)
    assert not isinstance(order.action, Charge)


def test_a_delaying_group_keeps_off() -> None:
    men = stand("men", {"rifle": 8}, 5)
    enemy = stand("enemy", {"rifle": 2}, 7)
    order = order_for(men, (enemy,), task(men, 9, role="delay"))
    for option in order.considered:
        if isinstance(option.action, Charge):
            assert option.veto
    assert not isinstance(order.action, Charge)


# ------------------------------------------------------------------ cover


def test_men_in_the_open_take_the_cover_beside_them() -> None:
    men = stand("men", {"rifle": 8}, 3)
    gun = stand("gun", {"machinegun": 2}, 6, cover=True)
    behind_wall = table(Battlefield(lines=(WALL,)))
    order = order_for(men, (gun,), task(men, 3, role="hold", worth=0), on=behind_wall)
    assert order.action.stand.cover
    assert isinstance(order.action, TakeCover | GoTo)


def test_men_who_stay_in_the_open_dig_in_and_fire_all_the_same() -> None:
    """ "Instead of moving": they fire in the turn of the enemy as if they had only stayed."""
    men = stand("men", {"rifle": 6, "engineer": 2}, 3)
    gun = stand("gun", {"machinegun": 3}, 5, cover=True)
    order = order_for(men, (gun,), task(men, 3, role="hold", worth=20))
    assert isinstance(order.action, DigIn)
    staying = next(option for option in order.considered if option.action.stays)
    assert order.score.weighed.kill == staying.score.weighed.kill > 0
    assert order.score.weighed.danger < staying.score.weighed.danger


@pytest.mark.parametrize(
    ("counts", "engineers", "chance"),
    [
        ({"rifle": 4}, {"engineer"}, 0.25),
        ({"rifle": 3}, {"engineer"}, 0.0),
        ({"engineer": 1}, {"engineer"}, 0.5),
        ({"rifle": 1}, {"engineer", "rifle"}, 0.5),
        ({"tank": 5}, {"engineer"}, 0.0),
    ],
)
def test_four_men_dig_in_on_a_spade_and_engineers_on_black(
    counts: dict[str, int], engineers: set[str], chance: float
) -> None:
    spadework = Spadework(engineers=frozenset(engineers))
    assert spadework.chance_to_dig_in(stand("group", counts, 3).group, CATALOG) == chance


def test_nobody_digs_where_entrenching_is_off() -> None:
    men = stand("men", {"rifle": 8}, 3)
    gun = stand("gun", {"machinegun": 3}, 5, cover=True)
    board = EMPTY.board(spadework=Spadework(digging=False))
    tasks = {"men": task(men, 3, role="hold", worth=20)}
    order = orders(board, Situation((men,), (gun,)), tasks)["men"]
    assert not any(isinstance(option.action, DigIn) for option in order.considered)


# ------------------------------------------------------------------ draws, sentences


def test_equal_ways_are_drawn_for() -> None:
    """The next cell of a diagonal way round may be either: only the draw tells."""
    men = stand("men", {"rifle": 8}, 3)
    gun = stand("gun", {"mortar": 2}, 8, cover=True)
    its_task = task(men, 3, worth=0)
    situation = Situation((men,), (gun,))
    seen = set()
    for number in range(12):
        given = GroupLeader(EMPTY.board()).orders(
            situation, {"men": its_task}, turn=1, draw=random.Random(number).randrange
        )
        seen.add((given[0].action.key, given[0].drawn > 0))
    drawn = [key for key, was_drawn in seen if was_drawn]
    assert len(drawn) != 1


def test_the_same_situation_has_the_same_orders() -> None:
    men = stand("men", {"rifle": 8}, 3)
    gun = stand("gun", {"machinegun": 2}, 7, cover=True)
    first, second = (order_for(men, (gun,), task(men, 9)) for _ in range(2))
    assert first == second


def test_an_order_is_a_sentence_with_a_reason_in_a_second() -> None:
    men = stand("First", {"rifle": 8}, 1)
    its_task = task(men, 8, turns_left=9)
    situation = Situation((men,), ())
    order = orders(EMPTY.board(), situation, {"First": its_task})["First"]
    outlook = Outlook(EMPTY.board(), situation, {"First": its_task})
    words = "First: to the upper left of B3. It is wanted in E3, with two turns to spare."
    assert order_in_words(order, outlook) == words


def test_who_is_kept_by_a_veto_says_so() -> None:
    tanks = stand("tanks", {"tank": 5}, 1)
    guns = [stand(f"guns {row}", {"cannon": 6}, 8, row=row) for row in range(2, 9)]
    situation = Situation((tanks,), tuple(guns))
    tasks = {"tanks": task(tanks, 14, worth=300, turns_left=8)}
    order = orders(EMPTY.board(), situation, tasks)["tanks"]
    assert type(order.action) is StayPut
    words = order_in_words(order, Outlook(EMPTY.board(), situation, tasks))
    assert words == "tanks: stay in A3. Too few of our guns would meet too many of theirs."


def test_why_unfolds_every_action_with_its_score() -> None:
    tank = stand("tank", {"tank": 1}, 6)
    enemy = stand("men", {"bazooka": 3}, 9, cover=True)
    its_task = task(tank, 9, turns_left=6)
    situation = Situation((tank,), (enemy,))
    order = orders(WITH_HOUSE.board(), situation, {"tank": its_task})["tank"]
    lines = sentences_of_ways(order, Outlook(WITH_HOUSE.board(), situation, {"tank": its_task}))
    assert len(lines) == len(order.considered)
    assert all("score" in line for line in lines)
    assert any("Not done: Men would reach it there" in line for line in lines)


# ------------------------------------------------------------------ Dog Beach


def test_over_the_wall_all_go_together_and_he_says_so() -> None:
    scenario = library.published_scenarios()[10]
    assert scenario.map is not None
    beach = CommandTable(scenario.map, GRID, CATALOG, RULINGS, weights=WEIGHTS, kills=KILLS)
    at_the_wall = tuple(
        stand(f"group {number}", {"rifle": 4}, column, row=4, cover=True)
        for number, column in enumerate((6, 6, 7, 8, 8), start=1)
    )
    marks = (
        ((35, 40.6), "machinegun"),
        ((40, 40.6), "machinegun"),
        ((49.6, 40.5), "machinegun"),
        ((54.4, 38.2), "small_pillbox"),
        ((66, 38), "cannon"),
    )
    guns = tuple(
        Stand(GroupKnown(f"{at}", unit, {unit: 1}), GRID.at(at), unit == "machinegun", at)
        for at, unit in marks
    )
    house = GRID.at((45.2, 50.2))
    climbing = mover_of(at_the_wall[0].group, CATALOG, inches_on_slopes=3)
    tasks = {
        each.group.id: GroupTask("assault", climbing, house, worth=8, turns_left=14)
        for each in at_the_wall
    }
    situation = Situation(at_the_wall, guns)
    board = beach.board()
    given = orders(board, situation, tasks)
    assert all(len(order.together) == 5 for order in given.values())
    words = order_in_words(given["group 3"], Outlook(board, situation, tasks))
    assert words.startswith("group 3: on to the upper right of D3, in one wave. ")


def test_a_remnant_is_no_part_of_a_wave() -> None:
    """Evening 3: two bazookas of a platoon went on at three machine guns, since the wave did."""
    guns = (stand("guns", {"machinegun": 2}, 8, cover=True),)
    strong = [stand(f"group {row}", {"rifle": 8}, 4, row=row) for row in (4, 5, 6)]
    remnant = stand("remnant", {"bazooka": 2}, 4, row=7)
    for last in (remnant, stand("remnant", {"rifle": 6, "bazooka": 2}, 4, row=7)):
        own = (*strong, last)
        tasks = {its.group.id: task(its, 8, worth=80) for its in own}
        given = orders(EMPTY.board(), Situation(own, guns), tasks)
        assert given["group 5"].together
        assert ("remnant" in given["group 5"].together) == (last is not remnant)


def test_ways_into_one_square_are_told_apart_by_its_quarters() -> None:
    own = stand("men", {"rifle": 8}, 2)
    order = order_for(own, (), task(own, 9))
    situation = Situation((own,), ())
    lines = sentences_of_ways(order, Outlook(EMPTY.board(), situation, {"men": task(own, 9)}))
    whats = [line.split(":")[0] for line in lines]
    assert len(whats) == len(set(whats))


def test_where_a_draw_decides_he_says_where_the_group_is_wanted() -> None:
    own = stand("men", {"rifle": 8}, 2)
    its_task = task(own, 9, row=6, worth=40)
    order = order_for(own, (), its_task)
    assert order.drawn
    words = order_in_words(order, Outlook(EMPTY.board(), Situation((own,), ()), {"men": its_task}))
    assert "It is wanted in E4" in words


# ------------------------------------------------------------------ with others, and for others


def test_who_waits_to_be_served_neither_moves_nor_fires() -> None:
    """Scenario 2: tanks without fuel."""
    own = stand("tanks", {"tank": 3}, 3)
    dry = own._replace(group=msgspec.structs.replace(own.group, waiting={"tank": 3}))
    enemies = (stand("enemies", {"tank": 3}, 7),)
    order = order_for(dry, enemies, task(dry, 9, turns_left=1))
    assert [option.action.verb for option in order.considered] == ["hold"]
    assert order.score.weighed.kill == 0
    outlook = Outlook(EMPTY.board(), Situation((dry,), enemies), {"tanks": task(dry, 9)})
    assert "It waits to be served" in order_in_words(order, outlook)
    assert order_for(own, enemies, task(own, 9)).considered[0].score.weighed.kill > 0


def test_no_more_go_into_a_cell_than_can_stand_there() -> None:
    """In a dealt crossing, 59 men stood in six inches before the bridge."""
    rows = (4, 4, 5, 5, 6, 6)
    own = tuple(stand(f"men {n}", {"rifle": 8}, 8, row=row) for n, row in enumerate(rows))
    tasks = {its.group.id: task(its, 9, worth=60, turns_left=2) for its in own}
    given = orders(WITH_HOUSE.board(), Situation(own, ()), tasks)
    ends = Counter(order.action.stand.cell for order in given.values())
    assert max(ends.values()) == 3
    assert len(ends) > 1


def test_who_finds_no_room_mounts_no_carrier_for_which_others_wait() -> None:
    """His truck is taken, so that he goes on foot; the way is full, and the next best for him would
    be the same truck again."""
    first, second = stand("first", {"rifle": 6}, 1), stand("second", {"rifle": 6}, 2)
    truck, crowd = stand("truck", {"truck": 1}, 2), stand("crowd", {"rifle": 24}, 3)
    own = (first, second, truck, crowd)
    tasks = {
        "first": task(first, 12, turns_left=9),
        "second": task(second, 9, turns_left=7),
        "truck": task(truck, 2, worth=0),
        "crowd": task(crowd, 3, role="hold"),
    }
    given = orders(EMPTY.board(), Situation(own, ()), tasks)
    assert isinstance(given["first"].action, MountUp)
    assert given["crowd"].action.stays
    assert isinstance(given["second"].considered[0].action, MountUp)
    assert not isinstance(given["second"].action, MountUp)
    assert given["second"].action.stand.cell != crowd.cell


def test_who_stays_since_there_is_no_room_elsewhere_keeps_his_own() -> None:
    """The last of a file cannot close up to those before him, if these do not get on."""
    inside = tuple(stand(f"inside {n}", {"rifle": 12}, 9, cover=True) for n in range(2))
    rows = ((8, "second"), (7, "third"), (6, "fourth"))
    file = tuple(stand(name, {"rifle": 20}, column) for column, name in rows)
    tasks = {own.group.id: task(own, 9, worth=80, turns_left=4) for own in (*inside, *file)}
    given = orders(WITH_HOUSE.board(), Situation((*inside, *file), ()), tasks)
    figures: Counter[GroundCell] = Counter()
    for order in given.values():
        figures[order.action.stand.cell] += sum(order.action.stand.group.counts.values())
    assert max(figures.values()) <= 24


def test_a_gunner_who_has_left_his_gun_goes_like_all_others() -> None:
    own = stand("gun", {"rifle": 1}, 5)
    board = EMPTY.board(emplaced={"gun": "rifle"})
    given = orders(board, Situation((own,), ()), {"gun": task(own, 9, turns_left=4)})["gun"]
    assert isinstance(given.action, GoTo)
    assert not any(isinstance(option.action, Abandon) for option in given.considered)


def test_in_the_last_turn_who_finds_a_house_full_goes_into_the_next() -> None:
    inside = tuple(stand(f"inside {n}", {"rifle": 10}, 9, cover=True) for n in range(2))
    late = stand("late", {"rifle": 9}, 8)
    next_house = GroundCell(8, 6)
    tasks = {}
    for own in (*inside, late):
        tasks[own.group.id] = task(own, 9, role="hold", worth=18, turns_left=1)
    given = orders(
        WITH_HOUSE.board(),
        Situation((*inside, late), ()),
        tasks,
        deciding_cells=frozenset({HOUSE_CELL, next_house}),
    )
    assert given["late"].action.stand.cell == next_house


def test_who_finds_a_house_full_goes_into_the_empty_one_beside_him() -> None:
    """Dog Beach: nine men waited in the field between two houses, of which one was empty."""
    two_houses = table(Battlefield(buildings=(HOUSE, Building(at=(51, 39), size=(5, 5)))))
    inside = tuple(stand(f"inside {n}", {"rifle": 10}, 9, cover=True) for n in range(2))
    late, far = stand("late", {"rifle": 9}, 8), stand("far", {"rifle": 8}, 15)
    tasks = {}
    for own in (*inside, late):
        tasks[own.group.id] = task(own, 9, role="hold", worth=18, turns_left=9)
    situation = Situation((*inside, late), (far,))
    given = orders(two_houses.board(), situation, tasks)["late"]
    assert given.action.stand.cell == GroundCell(8, 6)
    assert given.action.stand.cover
    outlook = Outlook(two_houses.board(), situation, tasks)
    assert order_in_words(given, outlook).endswith("There is no room left where it is wanted.")


def test_men_with_nothing_to_do_go_into_the_empty_house_beside_them() -> None:
    """They once spent the night in a field between three houses: the house lost to habit."""
    own = stand("men", {"rifle": 9}, 8)
    far = stand("far", {"rifle": 8}, 15)
    given = orders(
        WITH_HOUSE.board(),
        Situation((own,), (far,)),
        {"men": task(own, 4, role="reserve", worth=0, turns_left=9)},
        memory=Memory(last={"men": ActionKey("hold", own.cell)}),
    )
    assert given["men"].action.stand.cover
    assert given["men"].action.stand.cell == HOUSE_CELL


def test_a_place_is_named_by_what_players_see_there() -> None:
    wall_and_house = table(Battlefield(buildings=(HOUSE,), lines=(WALL,)))
    for column, goal, words in (
        (8, 9, "men: on to building 1 in E3. "),
        (3, 4, "men: to the wall in the upper left of C3. "),
    ):
        own = stand("men", {"rifle": 8}, column)
        its_task = task(own, goal, turns_left=2)
        outlook = Outlook(wall_and_house.board(), Situation((own,), ()), {"men": its_task})
        order = order_for(own, (), its_task, on=wall_and_house)
        assert order_in_words(order, outlook).startswith(words)


def test_men_are_sent_into_a_wood_and_a_tank_to_the_square_beside_it() -> None:
    """ "Only guys enter woods"."""
    wood = Area(kind="woods", points=((24, 30), (26, 30), (26, 34), (24, 34)))
    with_wood = table(Battlefield(areas=(wood,)))
    for unit, count, place in (
        ("rifle", 8, "the wood in the upper left of C3"),
        ("tank", 1, "the upper left of C3"),
    ):
        own = stand("group", {unit: count}, 3)
        its_task = task(own, 4, turns_left=2)
        outlook = Outlook(with_wood.board(), Situation((own,), ()), {"group": its_task})
        order = order_for(own, (), its_task, on=with_wood)
        assert order_in_words(order, outlook).startswith(f"group: to {place}. ")


def test_a_tank_beside_a_wood_has_no_cover_that_it_would_give_up() -> None:
    """Its machine gun once kept three tanks at the edge of a wood for five turns."""
    own = stand("tank", {"tank": 1}, 3, cover=True)
    men = stand("riflemen", {"rifle": 8}, 6)
    order = order_for(own, (men,), task(own, 14, turns_left=12))
    assert not any("in cover" in option.veto for option in order.considered)


# ------------------------------------------------------------------ wire

ACROSS = Line(kind="wire", points=((39, 0), (39, 60)))
"""Through all cells of column 6."""
WIRED = table(Battlefield(lines=(ACROSS,)))


def before_the_wire(engineers: str = "engineer") -> tuple[Situation, dict[str, GroupTask]]:
    """Engineers beside the wire, and two platoons behind them; a machine gun fires on it."""
    own = (
        stand("Engineers", {engineers: 4}, 5),
        stand("Second", {"rifle": 8}, 4),
        stand("Third", {"rifle": 8}, 4, row=4),
    )
    gun = stand("Gun", {"machinegun": 2}, 9, cover=True)
    tasks = {its.group.id: task(its, 12, turns_left=9) for its in own}
    return Situation(own, (gun,)), tasks


def test_engineers_clear_the_wire_for_which_two_platoons_wait() -> None:
    situation, tasks = before_the_wire()
    board = WIRED.board()
    order = orders(board, situation, tasks)["Engineers"]
    assert isinstance(order.action, CutWire)
    outlook = Outlook(board, situation, tasks)
    assert order_in_words(order, outlook) == (
        "Engineers: clear the wire in the upper left of D3. It bars the way of Second and Third."
    )


def test_only_who_clears_wire_by_the_rules_is_told_to() -> None:
    situation, tasks = before_the_wire("rifle")
    order = orders(WIRED.board(), situation, tasks)["Engineers"]
    assert not any(isinstance(option.action, CutWire) for option in order.considered)
    pioneers = WIRED.board(spadework=Spadework(cutters=frozenset({"rifle"})))
    order = orders(pioneers, situation, tasks)["Engineers"]
    assert any(isinstance(option.action, CutWire) for option in order.considered)


def test_wire_beside_nobodys_way_is_left_alone() -> None:
    situation, tasks = before_the_wire()
    back = {group: its._replace(goal=GroundCell(1, 5)) for group, its in tasks.items()}
    order = orders(WIRED.board(), situation, back)["Engineers"]
    assert not any(isinstance(option.action, CutWire) for option in order.considered)


def test_nobody_walks_into_wire_that_is_being_cleared() -> None:
    """Riflemen beside the engineers would be caught in it for a turn."""
    situation, tasks = before_the_wire()
    beside = stand("Fourth", {"rifle": 8}, 5)
    situation = Situation((*situation.own, beside), ())
    tasks["Fourth"] = task(beside, 12, turns_left=9, worth=60)
    given = orders(WIRED.board(), situation, tasks)
    assert isinstance(given["Engineers"].action, CutWire)
    assert given["Fourth"].action.stays
    assert given["Fourth"].because == "Engineers is to clear the wire there."


def test_one_group_of_engineers_clears_it() -> None:
    situation, tasks = before_the_wire()
    others = stand("Others", {"engineer": 4}, 5)
    situation = Situation((*situation.own, others), situation.enemies)
    tasks["Others"] = task(others, 12, turns_left=9)
    given = orders(WIRED.board(), situation, tasks)
    cells = [its.action.wire for its in given.values() if isinstance(its.action, CutWire)]
    assert len(cells) == len(set(cells)) > 0
