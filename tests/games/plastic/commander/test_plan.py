"""What each group is there for, and when the plan is made anew."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest
from msgspec.structs import replace

from skirmish import library
from skirmish.games.plastic.commander.aims import Aims
from skirmish.games.plastic.commander.board import CommandTable
from skirmish.games.plastic.commander.cells import CellGrid, GroundCell
from skirmish.games.plastic.commander.ground import TableGround
from skirmish.games.plastic.commander.leading import GroupLeader
from skirmish.games.plastic.commander.objectives import Objective, objectives_of
from skirmish.games.plastic.commander.outlook import Outlook
from skirmish.games.plastic.commander.paths import Paths
from skirmish.games.plastic.commander.plan import Assignment, Plan
from skirmish.games.plastic.commander.plan_maker import PlanMaker
from skirmish.games.plastic.commander.situation import GroupKnown, Situation, Stand
from skirmish.games.plastic.commander.stakes import Stakes
from skirmish.games.plastic.commander.weights import TemperamentId
from skirmish.games.plastic.commander.words import order_in_words
from skirmish.games.plastic.scenarios.scenario_part import Moment
from skirmish.games.plastic.scenarios.victory_terms import (
    Clear,
    CountAtEnd,
    HoldBuildings,
    HoldRatio,
    Victory,
)
from skirmish.tabletop.battlefield import Battlefield, Circle, MapMark

CATALOG = library.catalog()
WEIGHTS = library.commander_weights()
GRID = CellGrid(96, 60)
PATHS = Paths(TableGround(Battlefield(), GRID))
SCENARIOS = library.published_scenarios()

HERE = GroundCell(2, 5)
NEAR, FAR = (
    Objective("the near house", GroundCell(4, 5)),
    Objective("the far house", GroundCell(14, 5)),
)


def stand(
    name: str,
    counts: dict[str, int],
    cell: GroundCell = HERE,
    aboard: dict[str, int] | None = None,
) -> Stand:
    return Stand(GroupKnown(name, name, counts, aboard or {}), cell)


def maker(
    *objectives: Objective,
    attacks: bool = True,
    temperament: TemperamentId = "steady",
    per_man: bool = False,
    leaves: bool = False,
    hunted: frozenset[str] = frozenset(),
    victory: Victory | None = None,
) -> PlanMaker:
    stakes = Stakes(40, 20)
    aims = Aims(attacks, objectives, stakes, per_man, leaves, hunted, victory=victory)
    return PlanMaker(CATALOG, PATHS, aims, weights=WEIGHTS, temperament=temperament)


def roles(plan: Plan) -> dict[str, str]:
    return {group: assignment.role for group, assignment in plan.assignments.items()}


TEN_GROUPS = Situation(tuple(stand(f"rifles {n}", {"rifle": 10}) for n in range(10)), ())


@pytest.mark.parametrize(("temperament", "assault"), [("bold", 6), ("steady", 5), ("cautious", 4)])
def test_the_bolder_he_is_the_more_attack(temperament: TemperamentId, assault: int) -> None:
    plan = maker(NEAR, temperament=temperament).make(TEN_GROUPS, 1, 20)
    assert list(roles(plan).values()).count("assault") >= assault - 1
    cautious = maker(NEAR, temperament="cautious").make(TEN_GROUPS, 1, 20)
    bold = maker(NEAR, temperament="bold").make(TEN_GROUPS, 1, 20)
    assert list(roles(cautious).values()).count("hold") >= list(roles(bold).values()).count("hold")


def test_the_defence_holds_with_half_of_its_points_and_keeps_a_reserve() -> None:
    plan = maker(NEAR, attacks=False).make(TEN_GROUPS, 1, 20)
    by_role = list(roles(plan).values())
    assert by_role.count("hold") >= 5
    assert by_role.count("reserve") >= 1
    assert "assault" not in by_role


def test_guns_are_the_base_of_fire_and_grenades_attack() -> None:
    own = (
        stand("guns", {"machinegun": 3, "rifle": 6}),
        stand("grenadiers", {"grenade": 6, "rifle": 3}),
        stand("pillbox", {"small_pillbox": 1}),
        stand("rifles", {"rifle": 9}),
    )
    by_name = roles(maker(NEAR).make(Situation(own, ()), 1, 20))
    assert by_name["guns"] == by_name["pillbox"] == "base"
    assert by_name["grenadiers"] == "assault"


def test_whoever_must_leave_the_table_rides_there() -> None:
    own = (stand("column", {"truck": 1}, aboard={"rifle": 10}), stand("foot", {"rifle": 10}))
    way_out = Objective("the E edge", GroundCell(15, 5), way_out=True)
    by_name = roles(maker(way_out, leaves=True).make(Situation(own, ()), 1, 20))
    assert by_name["column"] == "raid"
    assert by_name["foot"] != "raid"


def test_whoever_is_aboard_counts_and_goes_with_guns_too() -> None:
    """On the field, a truck with machine guns stood as a base of fire at its own edge."""
    guns = stand("guns", {"truck": 1}, aboard={"rifle": 6, "machinegun": 4})
    way_out = Objective("the E edge", GroundCell(15, 5), way_out=True)
    by_name = roles(maker(way_out, leaves=True).make(Situation((guns,), ()), 1, 20))
    assert by_name["guns"] == "raid"


def test_models_count_off_the_table_too() -> None:
    """On the field, eight Elefants stayed: only men were worth anything at the edge."""
    way_out = Objective("the E edge", GroundCell(15, 5), way_out=True)
    plans = maker(way_out, leaves=True, per_man=True)
    tanks = Situation((stand("tanks", {"tank": 4}), stand("foot", {"rifle": 4})), ())
    plan = plans.make(tanks, 1, 20)
    assert roles(plan)["tanks"] == "raid"
    tasks = plans.tasks(plan, tanks, 20)
    assert tasks["tanks"].worth == 5 * tasks["foot"].worth


def test_on_the_last_turns_the_reserve_is_used() -> None:
    early = roles(maker(FAR).make(TEN_GROUPS, 1, 20))
    late = roles(maker(FAR).make(TEN_GROUPS, 9, 13))
    assert "reserve" in early.values()
    assert "reserve" not in late.values()


def test_several_buildings_to_be_held_are_not_left_to_one_another() -> None:
    """Where each building counts, not all go to the nearest; where men count, they do."""
    houses = [Objective(f"house {row}", GroundCell(6, row)) for row in (3, 5, 7)]
    of_buildings = maker(*houses).make(TEN_GROUPS, 1, 20)
    assert len({assignment.goal for assignment in of_buildings.assignments.values()}) == 3
    of_men = maker(*houses, per_man=True).make(TEN_GROUPS, 1, 20)
    assert {assignment.goal for assignment in of_men.assignments.values()} == {houses[1]}


def test_with_enemy_men_near_a_tank_has_an_escort() -> None:
    own = (
        stand("tank", {"tank": 1}),
        *(stand(f"rifles {n}", {"rifle": 8}, GroundCell(n, 5)) for n in (1, 2, 3, 4)),
    )
    near = Situation(own, (stand("enemy", {"rifle": 8}, GroundCell(5, 5)),))
    far = Situation(own, (stand("enemy", {"rifle": 8}, GroundCell(15, 5)),))
    assert "escort" in roles(maker(FAR).make(near, 1, 20)).values()
    assert "escort" not in roles(maker(FAR).make(far, 1, 20)).values()


def test_an_escort_goes_with_its_tanks_wherever_they_go() -> None:
    own = (
        stand("tanks", {"tank": 2}, GroundCell(9, 8)),
        stand("rifles", {"rifle": 8}, GroundCell(7, 7)),
        stand("others", {"rifle": 8}, GroundCell(2, 1)),
    )
    enemies = (stand("enemies", {"rifle": 8}, GroundCell(11, 8)),)
    plans = maker(FAR)
    situation = Situation(own, enemies)
    plan = plans.make(situation, 1, 20)
    assert roles(plan)["rifles"] == "escort"
    moved = own[0]._replace(cell=GroundCell(9, 2))
    for tanks in (own[0], moved):
        task = plans.tasks(plan, situation.after(tanks), 20)["rifles"]
        assert (task.goal, task.ward) == (tanks.cell, "tanks")
    assert plans.tasks(plan, situation, 1)["rifles"].ward == ""


def test_a_crew_goes_to_the_nearest_who_wait_for_it() -> None:
    """Scenario 2: trucks with fuel for tanks that neither move nor fire before they have it."""
    dry = stand("dry", {"tank": 3}, GroundCell(8, 5))
    waiting = dry._replace(group=replace(dry.group, waiting={"tank": 2}))
    served = stand("served", {"tank": 3}, GroundCell(4, 5))
    truck = stand("truck", {"truck": 1})
    aims = Aims(False, (), Stakes(40, 20), service_crews=frozenset({"truck"}))
    plans = PlanMaker(CATALOG, PATHS, aims, weights=WEIGHTS, temperament="steady")
    situation = Situation((truck, served, waiting), ())
    plan = plans.make(situation, 1, 12)
    task = plans.tasks(plan, situation, 12)["truck"]
    assert (task.role, task.goal, task.ward) == ("raid", waiting.cell, "dry")
    board = CommandTable(
        Battlefield(), GRID, CATALOG, library.rulings().defaults(), weights=WEIGHTS
    ).board()
    orders = GroupLeader(board).orders(
        situation, plans.tasks(plan, situation, 12), turn=1, draw=lambda number: 0
    )
    outlook = Outlook(board, situation, plans.tasks(plan, situation, 12))
    words = {order.group: order_in_words(order, outlook) for order in orders}
    assert words["truck"] == "truck: to the upper left of C3. It is to serve dry there."


def test_the_far_platoon_comes_where_all_of_the_enemy_are() -> None:
    """Dog Beach: nine men sat in house 7 to the end, 30 inches from the 33 who took house 1."""
    own = (
        stand("here", {"rifle": 9}, NEAR.cell),
        stand("there", {"rifle": 9}, FAR.cell),
    )
    many = Situation(own, (stand("rangers", {"rifle": 33}, GroundCell(2, 3)),))
    both = (*many.enemies, stand("others", {"rifle": 9}, GroundCell(15, 2)))
    plans = maker(NEAR, FAR, attacks=False, per_man=True)
    for situation, goal in ((many, NEAR), (Situation(own, both), FAR)):
        plan = plans.make(situation, 5, 14)
        assert plan.assignments["here"].goal == NEAR
        assert plan.assignments["there"].goal == goal
    # Too late to come: whoever counts where he is stays.
    assert plans.make(many, 5, 4).assignments["there"].goal == FAR


def test_who_has_abandoned_his_gun_is_no_base_of_fire_any_more() -> None:
    """Dog Beach: a gunner left his gun to be a head in a house, and then stood in the open."""
    gun = stand("gun", {"machinegun": 1})
    plans = maker(NEAR, attacks=False, per_man=True)
    plan = plans.make(Situation((gun,), ()), 9, 6)
    assert roles(plan)["gun"] == "base"
    rifleman = Situation((stand("gun", {"rifle": 1}),), ())
    assert plans.tasks(plan, rifleman, 6)["gun"].role == "hold"
    assert roles(plans.make(rifleman, 10, 5, plan))["gun"] == "hold"


def test_who_is_behind_in_the_last_turns_says_so() -> None:
    """Dog Beach: he held his house, 22 heads against 29, and said nothing."""
    own = stand("own", {"rifle": 22}, NEAR.cell)
    enemies = stand("enemies", {"rifle": 29}, FAR.cell)
    plans = maker(NEAR, FAR, attacks=False, per_man=True)
    behind = Situation((own,), (enemies,))
    assert plans.doubts(behind, 3) == "As things stand this is lost: 22 count against 29."
    assert plans.doubts(behind, 12) == ""
    assert plans.doubts(Situation((own,), (enemies._replace(cell=HERE),)), 3) == ""


def test_hunters_go_where_the_hunted_are() -> None:
    enemies = (
        stand("riflemen", {"rifle": 8}, GroundCell(4, 5)),
        stand("tanks", {"tank": 3}, GroundCell(10, 5)),
    )
    plan = maker(hunted=frozenset({"tank"})).make(Situation(TEN_GROUPS.own, enemies), 1, 20)
    goals = {assignment.goal for assignment in plan.assignments.values()}
    assert goals == {Objective("tanks", GroundCell(10, 5))}


def test_attackers_who_have_enough_men_in_a_house_send_the_others_on() -> None:
    """On the field, five groups sat in two houses while the others stood empty."""
    houses = [Objective(f"house {row}", GroundCell(1, row)) for row in (3, 5, 7)]
    own = tuple(stand(f"rifles {n}", {"rifle": 8}) for n in range(3))
    plan = maker(*houses).make(Situation(own, ()), 1, 12)
    goals = Counter(assignment.goal for assignment in plan.assignments.values())
    assert sorted(goals.values()) == [1, 1, 1]


def test_who_is_in_a_house_where_men_count_does_not_move_to_another() -> None:
    houses = [Objective(f"house {row}", GroundCell(2, row)) for row in (4, 5)]
    own = stand("rifles", {"rifle": 8})
    plans = maker(*houses, per_man=True, attacks=False)
    elsewhere = Assignment("hold", houses[0])
    before = plans.make(Situation((own,), ()), 1, 12)
    before = msgspec.structs.replace(before, assignments={"rifles": elsewhere})
    plan = plans.make(Situation((own,), ()), 2, 11, previous=before)
    assert plan.assignments["rifles"].goal == houses[1]


def test_a_barred_way_out_is_fought_free_while_there_is_time() -> None:
    """On the field, loaded trucks stood before the enemy until it was too late."""
    way_out = Objective("the E edge", GroundCell(15, 5), way_out=True)
    own = (stand("column", {"truck": 1}, aboard={"rifle": 10}), stand("foot", {"rifle": 10}))
    barred = Situation(own, (stand("enemy", {"rifle": 10}, GroundCell(13, 5)),))
    plans = maker(way_out, leaves=True)
    with_time = plans.make(barred, 1, 20).assignments["column"]
    assert with_time.role == "assault"
    assert with_time.goal == Objective("enemy", GroundCell(13, 5))
    without = plans.make(barred, 1, plans.eta(own[0], way_out.cell) + 1).assignments["column"]
    assert (without.role, without.goal) == ("raid", way_out)


def test_an_attacker_reckons_with_no_more_time_than_his_patience() -> None:
    """On the field, glider troops lay before a bridge for fifteen turns."""
    plans = maker(NEAR)
    plan = plans.make(TEN_GROUPS, 1, 24)
    patience = WEIGHTS.temperaments["steady"].patience
    task = plans.tasks(plan, TEN_GROUPS, 24)["rifles 1"]
    assert task.turns_left == plans.eta(TEN_GROUPS.own[1], NEAR.cell) + patience
    defender = maker(NEAR, attacks=False)
    task = defender.tasks(defender.make(TEN_GROUPS, 1, 24), TEN_GROUPS, 24)["rifles 1"]
    assert task.turns_left == 24


def test_only_who_wins_by_it_leaves_the_table() -> None:
    way_out = Objective("the E edge", GroundCell(15, 5), way_out=True)
    own = Situation((stand("foot", {"rifle": 10}, GroundCell(14, 5)),), ())
    attacker = maker(way_out, leaves=True)
    assert attacker.exiting_groups(attacker.make(own, 1, 3)) == {"foot"}
    defender = maker(way_out, leaves=True, attacks=False)
    assert defender.exiting_groups(defender.make(own, 1, 3)) == frozenset()


# ------------------------------------------------------------------ worth


def test_men_that_count_are_worth_their_number_and_ground_is_shared() -> None:
    of_men = maker(NEAR, per_man=True)
    plan = of_men.make(TEN_GROUPS, 1, 20)
    stake = WEIGHTS.plan.attackers_stake
    assert of_men.tasks(plan, TEN_GROUPS, 20)["rifles 1"].worth == stake * 2 * 10
    of_ground = maker(NEAR)
    plan = of_ground.make(TEN_GROUPS, 1, 20)
    worths = [
        task.worth
        for group, task in of_ground.tasks(plan, TEN_GROUPS, 20).items()
        if plan.assignments[group].role != "base"
    ]
    assert sum(worths) == pytest.approx(stake * 40)


# ------------------------------------------------------------------ another plan


def test_a_plan_stands_while_nothing_has_happened() -> None:
    plans = maker(FAR)
    plan = plans.make(TEN_GROUPS, 1, 30)
    assert plans.reasons_to_replan(plan, TEN_GROUPS, 2, 29) == []


def test_another_plan_is_made_after_three_turns() -> None:
    plans = maker(FAR)
    plan = plans.make(TEN_GROUPS, 1, 30)
    assert plans.reasons_to_replan(plan, TEN_GROUPS, 4, 27) == ["3 turns have passed."]


def test_another_plan_is_made_when_a_group_has_lost_a_third() -> None:
    plans = maker(FAR)
    plan = plans.make(TEN_GROUPS, 1, 30)
    thinned = TEN_GROUPS.after(stand("rifles 3", {"rifle": 6}))
    assert plans.reasons_to_replan(plan, thinned, 2, 29) == ["rifles 3 has lost 4 of 10."]
    scratched = TEN_GROUPS.after(stand("rifles 3", {"rifle": 8}))
    assert plans.reasons_to_replan(plan, scratched, 2, 29) == []


def test_another_plan_is_made_when_an_objective_changes_hands() -> None:
    plans = maker(FAR)
    plan = plans.make(TEN_GROUPS, 1, 30)
    arrived = TEN_GROUPS.after(stand("rifles 3", {"rifle": 10}, FAR.cell))
    assert "the far house has changed hands." in plans.reasons_to_replan(plan, arrived, 2, 29)


def test_another_plan_is_made_when_somebody_enters() -> None:
    plans = maker(FAR)
    plan = plans.make(TEN_GROUPS, 1, 30)
    enemy = stand("enemy", {"rifle": 8}, GroundCell(9, 9))
    with_enemy = msgspec.structs.replace(TEN_GROUPS, enemies=(enemy,))
    assert plans.reasons_to_replan(plan, with_enemy, 2, 29) == [
        "The enemy has brought somebody new."
    ]
    relief = Situation((*TEN_GROUPS.own, stand("relief", {"rifle": 8})), ())
    assert plans.reasons_to_replan(plan, relief, 2, 29) == ["Somebody has entered."]


def test_another_plan_is_made_when_time_runs_out_for_who_is_needed() -> None:
    plans = maker(FAR)
    plan = plans.make(TEN_GROUPS, 1, 15)
    assert any(
        "no more than 2 turns to spare" in why
        for why in plans.reasons_to_replan(plan, TEN_GROUPS, 2, 14)
    )


def test_a_new_plan_keeps_the_roles_of_the_old_one() -> None:
    """On the field, groups changed from reserve to assault and back with each plan."""
    plans = maker(FAR)
    before = plans.make(TEN_GROUPS, 1, 30)
    thinned = TEN_GROUPS.after(stand("rifles 0", {"rifle": 2}))
    assert roles(plans.make(thinned, 2, 29, previous=before)) == roles(before)
    late = roles(plans.make(thinned, 17, 14, previous=before))
    assert "reserve" not in late.values()


def test_riflemen_are_no_base_of_fire() -> None:
    assert "base" not in roles(maker(NEAR).make(TEN_GROUPS, 1, 20)).values()


def test_the_sealed_plan_says_whom_he_sent_where() -> None:
    plans = maker(NEAR, temperament="cautious")
    own = (stand("guns", {"machinegun": 4}), stand("grenadiers", {"grenade": 9}))
    plan = plans.make(Situation(own, ()), 1, 20)
    words = plan.words({"guns": "First", "grenadiers": "Second"}, plans.aims, WEIGHTS)
    assert words == (
        "Cautious. Ground decides, 40 points in all. First: base of fire, for the near house. "
        "Second: assault, for the near house."
    )


# ------------------------------------------------------------------ objectives of the scenarios


def objectives(number: int) -> tuple[Objective, ...]:
    scenario = SCENARIOS[number]
    assert scenario.map is not None
    grid = CellGrid(scenario.table.width_in, scenario.table.depth_in)
    return objectives_of(scenario.victory, scenario.map, grid, scenario.table.up)


def test_houses_count_on_dog_beach_and_the_bridge_at_caen() -> None:
    assert Objective("Church 4", GRID.at((58.6, 57))) in objectives(10)
    assert len(objectives(10)) == 8
    assert {objective.name for objective in objectives(9)} == {"the bridge"}


def test_the_centre_is_to_be_cleared_on_kidney_ridge() -> None:
    assert [objective.name for objective in objectives(6)] == ["the centre"]


def test_the_circle_that_the_map_draws_counts_and_no_other_bridge_or_house() -> None:
    """Dealt battles count round the far end of one bridge, or in the middle of the table."""
    terms = SCENARIOS[9].victory
    drawn = SCENARIOS[9].map
    assert drawn is not None
    field = replace(drawn, circles=(Circle(at=(54.6, 26.9), radius=6),))
    [objective] = objectives_of(terms, field, CellGrid(96, 60), "N")
    assert objective.cell == GroundCell(9, 4)


def test_whoever_must_leave_finds_the_edge_where_the_map_has_it() -> None:
    """The map of scenario 1 shows north at its top or elsewhere: the edge is meant by compass."""
    ways_out = objectives(1)
    assert all(objective.way_out for objective in ways_out)
    assert SCENARIOS[1].table.up == "N"
    assert SCENARIOS[1].victory.edge == "E"
    assert {objective.cell.column for objective in ways_out} == {15}


def test_tanks_that_decide_are_no_ground() -> None:
    assert objectives(2) == objectives(8) == ()


def test_a_mark_of_the_map_is_to_be_cleared_where_the_terms_name_one() -> None:
    terms = Clear(
        side="american",
        of="german",
        within_in=6,
        point="mark",
        mark="O",
        at=Moment(side="german", turn=9),
        text="",
    )
    field = Battlefield(marks=(MapMark(kind="objective", at=(60, 40), mark="O"),))
    (objective,) = objectives_of(terms, field, CellGrid(96, 60), "N")
    assert objective == Objective("mark O", CellGrid(96, 60).at((60, 40)))


# ------------------------------------------------------------------ a defender who would lose

AT_THE_END = Moment(side="enemy", turn=12)
MEN_COUNT = CountAtEnd(
    question="Men in houses",
    sides=("own", "enemy"),
    units="guys",
    wins="more",
    at=AT_THE_END,
    text="",
)
TWO_BUILDINGS = HoldBuildings(
    side="enemy", what="buildings", need=2, how="solely", at=AT_THE_END, text=""
)
TWICE_AS_MANY = HoldRatio(side="enemy", what="buildings", ratio=2, at=AT_THE_END, text="")
CLEARED = Clear(side="enemy", of="own", within_in=3, point="centre", at=AT_THE_END, text="")
INSIDE = stand("inside", {"rifle": 4}, NEAR.cell)
OUTSIDE = stand("outside", {"rifle": 20}, HERE)
THEIRS = stand("theirs", {"rifle": 8}, FAR.cell)


@pytest.mark.parametrize(
    ("victory", "own", "enemies", "attacks"),
    [
        (MEN_COUNT, (INSIDE, OUTSIDE), (THEIRS,), True),
        (MEN_COUNT, (INSIDE, OUTSIDE), (THEIRS._replace(cell=HERE),), False),
        (TWO_BUILDINGS, (OUTSIDE,), (THEIRS, INSIDE), True),
        (TWO_BUILDINGS, (INSIDE, OUTSIDE), (THEIRS,), False),
        (TWICE_AS_MANY, (OUTSIDE,), (THEIRS,), True),
        (TWICE_AS_MANY, (INSIDE, OUTSIDE), (THEIRS,), False),
        (CLEARED, (OUTSIDE,), (THEIRS,), True),
        (CLEARED, (INSIDE, OUTSIDE), (THEIRS,), False),
        (None, (OUTSIDE,), (THEIRS,), False),
    ],
)
def test_a_defender_who_would_lose_as_things_stand_attacks_in_the_last_turns(
    victory: Victory | None,
    own: tuple[Stand, ...],
    enemies: tuple[Stand, ...],
    attacks: bool,
) -> None:
    plans = maker(NEAR, FAR, attacks=False, victory=victory)
    situation = Situation(own, enemies)
    early, late = plans.make(situation, 1, 9), plans.make(situation, 9, 3)
    assert not early.all_out
    assert "assault" not in roles(early).values()
    truck = stand("truck", {"truck": 1})
    with_truck = plans.make(Situation((*own, truck), enemies), 9, 3)
    assert roles(with_truck)["truck"] != "assault"  # it counts for nothing
    assert late.all_out == attacks
    assert (roles(late)["outside"] == "assault") == attacks
    if "inside" in roles(late):
        assert roles(late)["inside"] != "assault"  # it holds what it has
    sentence = "It would lose as things stand, so that all attack who can."
    words = late.words({"outside": "Outside", "inside": "Inside"}, plans.aims, WEIGHTS)
    assert (sentence in words) == attacks


def test_then_the_ground_is_worth_to_him_what_it_is_to_an_attacker() -> None:
    plans = maker(NEAR, FAR, attacks=False, per_man=True, victory=MEN_COUNT)
    situation = Situation((OUTSIDE,), (THEIRS,))
    early, late = plans.make(situation, 1, 9), plans.make(situation, 9, 3)
    before = plans.tasks(early, situation, 3)["outside"]
    after = plans.tasks(late, situation, 3)["outside"]
    assert after.worth == pytest.approx(before.worth * WEIGHTS.plan.attackers_stake)


def test_that_he_would_lose_is_a_reason_for_another_plan() -> None:
    plans = maker(NEAR, FAR, attacks=False, victory=MEN_COUNT)
    situation = Situation((OUTSIDE,), (THEIRS,))
    last = WEIGHTS.plan.last_effort
    plan = plans.make(situation, 6, last + 1)
    reason = "It would lose as things stand, and time runs out."
    assert reason not in plans.reasons_to_replan(plan, situation, 7, last + 1)
    assert reason in plans.reasons_to_replan(plan, situation, 7, last)
    assert reason not in plans.reasons_to_replan(
        plans.make(situation, 7, last), situation, 8, last - 1
    )


# ------------------------------------------------------------------ what the enemy wants


def test_ground_is_denied_to_men_on_their_way() -> None:
    """The less time they have, the more: 2 points for each man, by the chance of a turn."""
    near, there = stand("near", {"rifle": 8}), stand("there", {"rifle": 8}, NEAR.cell)
    tank = stand("tank", {"tank": 1})
    enemies = Situation((), (near, there, tank))
    defender = maker(NEAR, attacks=False, per_man=True)
    early, late = defender.worth_of_holding_up(enemies, 9), defender.worth_of_holding_up(enemies, 3)
    assert set(early) == set(late) == {"near"}
    assert 0 < early["near"] < late["near"] < 2 * 8
    gained = WEIGHTS.against_the_enemy.turn_gained(3 - 2)
    assert late["near"] == pytest.approx(2 * 8 * gained)


def test_nothing_is_denied_to_who_bars_the_way_out() -> None:
    way_out = Objective("the E edge", GroundCell(15, 5), way_out=True)
    enemies = Situation((), (stand("enemies", {"rifle": 8}),))
    assert maker(way_out, leaves=True).worth_of_holding_up(enemies, 9) == {}
    assert (
        maker(way_out, leaves=True, attacks=False).worth_of_holding_up(enemies, 18)["enemies"] > 0
    )
