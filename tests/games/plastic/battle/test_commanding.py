"""The program as commander of a side: it is appointed, told where groups stand, asked for orders
and fire, corrected and overruled. What it decides is tested with the commander himself."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from itertools import product
from random import Random
from string import ascii_lowercase
from typing import Any

import msgspec
import pytest
from deep import deep_after, deep_every
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from stage import Table, armies, play_on, scenario, some_order

from skirmish import library, scenario_editing
from skirmish.games.plastic.battle import orders, record
from skirmish.games.plastic.battle.agenda import CasualtyAsk, RepeatAsk
from skirmish.games.plastic.battle.commanders import Commander, CommandOrder, TableGroup, dismounted
from skirmish.games.plastic.battle.headquarters import enemy_turn as enemy_turn_module
from skirmish.games.plastic.battle.headquarters.command_post import CommandPost, command_post
from skirmish.games.plastic.battle.headquarters.enemy_turn import enemy_turn
from skirmish.games.plastic.battle.headquarters.muster import Muster
from skirmish.games.plastic.battle.headquarters.own_turn import Notebook, OwnTurn
from skirmish.games.plastic.battle.headquarters.placing import GroupPlacer
from skirmish.games.plastic.battle.headquarters.table import table_of
from skirmish.games.plastic.battle.headquarters.ways import ways_in
from skirmish.games.plastic.battle.names import RowName
from skirmish.games.plastic.battle.orders import AnyOrder
from skirmish.games.plastic.battle.orders.commanders_fire import has_fire_left
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.scenario_opening import from_scenario
from skirmish.games.plastic.battle.setup_choices import SetupChoices
from skirmish.games.plastic.battle.view import seen
from skirmish.games.plastic.commander.cells import GroundCell
from skirmish.games.plastic.commander.situation import GroupKnown
from skirmish.games.plastic.commands import commands, typed_places
from skirmish.games.plastic.commands.whose import sides_of
from skirmish.games.plastic.dealing.codes import decoded
from skirmish.games.plastic.dealing.deal import deal
from skirmish.games.plastic.due import commander_waits
from skirmish.games.plastic.report import command_plans
from skirmish.games.plastic.rules.options import Options
from skirmish.tabletop.battlefield import Line
from skirmish.tabletop.chance import Source
from skirmish.tabletop.commands import Command, Draft
from skirmish.tabletop.page import Paragraph
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.slots import Slot, UnfitAnswer

WEIGHTS = library.commander_weights()
PROGRAM = (Source("deck", 7), Source("deck", 8))


def table(number: int, **more: Any) -> Table:
    return scenario(number, sources=PROGRAM, chosen=SetupChoices(**more))


def crossing() -> Table:
    """A dealt battle for the bridge in E3: the Poles come over the S edge."""
    books = library.dealing()
    code = "22AM46815KZGP04"
    coded = decoded(code, books)
    dealt = scenario_editing.dealt_scenario(deal(coded.wishes, coded.seed, books), code)
    sources = dict(zip(dealt.order_of_play(), PROGRAM, strict=True))
    opening = from_scenario(dealt, library.catalog(), library.rulings(), sources=sources)
    return Table(opening)


def appoint(table: Table, side: str, **more: Any) -> Commander:
    table.order(orders.Appoint(side=side, temperament="steady", weights=WEIGHTS, seed=3, **more))
    return table.state.commanders[side]


def commanded(number: int, side: str, **more: Any) -> Table:
    """A scenario in which the program commands a side, at the beginning of its first turn."""
    battle = table(number)
    appoint(battle, side, **more)
    return battle.at(1, side)


def ordered(number: int, side: str) -> Table:
    battle = commanded(number, side)
    battle.order(orders.AskForOrders(side=side, seed=5))
    return battle


def first_move(battle: Table, side: str) -> CommandOrder:
    return next(order for order in battle.state.commanders[side].orders if order.verb != "hold")


def says(battle: Table) -> Command[AnyOrder]:
    """The command of ``W`` as the battle stands."""
    everything = commands(battle.state, "full", library.commander_weights)
    return next(command for command in everything if command.key == "W")


def typed(battle: Table, text: str) -> AnyOrder:
    draft: Draft[AnyOrder] = Draft(command=says(battle))
    for sign in text:
        draft = draft.press(sign)
    return draft.press("enter").order(lambda: 5)


# ------------------------------------------------------------------ the groups


def test_guns_on_their_marks_start_in_the_entrenchments_of_their_side() -> None:
    """Dog Beach: 20 entrenchments, and six gunners in the open before the crest."""
    german = commanded(10, "german").state.commanders["german"]
    guns = [group for group in german.groups if "machinegun" in group.known.counts]
    assert len(guns) == 6
    assert all(gun.cover for gun in guns)


def test_tanks_without_fuel_wait_until_the_battle_says_that_they_are_served() -> None:
    battle = commanded(2, "french")
    battle.order(orders.AskForOrders(side="french", seed=5))
    commander = battle.state.commanders["french"]
    waiting = [group for group in commander.groups if group.known.waiting]
    assert sum(group.known.waiting["tank"] for group in waiting) == 12
    for order in commander.orders:
        if order.group in {group.id for group in waiting}:
            assert order.verb == "hold"
    battle.at(2, "french")
    row = next(row for row in rows(battle.state, "french") if row.unit.id == "tank")
    battle.order(orders.Serve(row=row.key, count=4))
    battle.order(orders.AskForOrders(side="french", seed=5))
    groups = battle.state.commanders["french"].groups
    assert sum(group.known.waiting.get("tank", 0) for group in groups) == 8


def test_where_the_break_point_decides_whoever_counts_toward_it_is_worth_more() -> None:
    battle = armies({"rifle": 20, "tank": 1}, {"rifle": 20, "tank": 1}, sources=PROGRAM)
    appoint(battle, "first")
    state = battle.state
    rifle, tank = state.setup.unit("rifle"), state.setup.unit("tank")
    fire = command_post(state, "first").board.fire
    more_for_a_rifle = fire.value(rifle) - rifle.price
    assert more_for_a_rifle > 0
    strength_of = state.setup.catalog.strength_of
    more_for_a_tank = more_for_a_rifle * strength_of(tank) / strength_of(rifle)
    assert fire.value(tank) - tank.price == pytest.approx(more_for_a_tank)
    in_a_scenario = command_post(commanded(10, "german").state, "german")
    assert in_a_scenario.board.fire.value(rifle) == rifle.price


def test_near_his_break_point_he_spares_his_men() -> None:
    battle = armies({"rifle": 20}, {"rifle": 20}, sources=PROGRAM)
    appoint(battle, "first")
    rifle = battle.state.setup.unit("rifle")
    values = []
    for lost in (0, 5, 9):
        state = replace(battle.state, loss={"first": lost})
        board = command_post(state, "first").board
        values.append(board.danger.value(rifle))
        assert board.fire.value(rifle) == values[0]  # the enemy has lost nobody
    assert values == sorted(set(values))


def test_carriers_left_behind_are_never_taken_for_others() -> None:
    """A group that has left its carrier, mounted another one and leaves that, too."""
    battle = commanded(4, "german")
    commander = battle.state.commanders["german"]
    group = commander.groups[0]
    ids = {group.id}
    groups = commander.groups
    for _ in range(3):
        _, left = dismounted(group, groups)
        assert left.id not in ids
        ids.add(left.id)
        groups = (*groups, left)


@pytest.mark.parametrize("number", library.published_scenarios())
def test_both_sides_of_every_scenario_have_orders_in_their_first_turn(number: int) -> None:
    """In scenario 3 aircraft that cost nothing are parked: whoever divided by their price had no
    order for anybody."""
    battle = table(number)
    for side in battle.state.setup.sides:
        appoint(battle, side.id)
    for side in battle.state.setup.sides:
        battle.at(1, side.id)
        battle.order(orders.AskForOrders(side=side.id, seed=5))
        assert battle.state.commanders[side.id].ordered


@pytest.mark.parametrize("number", deep_every(2, [1, 2, 4, 5, 6, 7, 8, 9, 10]))
def test_all_of_both_sides_are_in_groups_at_places_of_the_table(number: int) -> None:
    battle = table(number)
    side = battle.state.setup.sides[1].id
    commander = appoint(battle, side)
    for own, groups in ((side, commander.groups), (battle.state.first, commander.enemies)):
        led: Counter[str] = Counter()
        for group in groups:
            led.update(group.known.counts)
            led.update(group.known.aboard)
        assert led == Counter(
            {
                unit: sum(len(row.alive) for row in rows(battle.state, own) if row.unit.id == unit)
                for unit in led
            }
        )
        contingents = battle.state.setup.contingent_by_id
        for group in groups:
            waits = contingents[group.known.contingent].enters > 1
            assert (group.cell is None) == waits, group.name


def test_who_comes_from_outside_comes_where_the_way_is_shortest() -> None:
    """In this crossing four of nine groups came over the far corner, since there is a wood: eight
    turns from the bridge, of nine."""
    commander = appoint(crossing(), "polish")
    squares = {group.cell.square for group in commander.groups if group.cell is not None}
    assert squares <= {"D1", "E1", "F1"}


def test_who_comes_by_the_road_comes_where_it_leaves_the_table() -> None:
    groups = appoint(table(2), "german").groups
    squares = {group.cell.square for group in groups if group.cell is not None}
    assert squares <= {"A3", "F1", "F5", "H3"}


def test_the_groups_are_read_out_when_he_is_appointed() -> None:
    battle = table(6)
    commander = appoint(battle, "british")
    line = battle.play.live[-1].events[0].narrate(battle.state)
    assert line.startswith("The program commands the British (steady).")
    for group in commander.groups:
        assert group.name in line


def test_who_hides_is_in_no_group_of_either_side() -> None:
    battle = table(7, hidden={0: 3})
    state = battle.state
    assert state.hidden
    side = next(iter(state.hidden)).partition(":")[0]
    commander = appoint(battle, state.setup.enemy_of(side).id)
    known = sum(group.strength for group in commander.enemies)
    assert known == sum(len(row.alive) - len(row.hidden) for row in rows(state, side))


# ------------------------------------------------------------------ orders


def test_every_group_on_the_table_gets_one_order_a_turn() -> None:
    battle = ordered(10, "german")
    commander = battle.state.commanders["german"]
    on_table = {group.id for group in commander.groups if group.cell is not None}
    assert {order.group for order in commander.orders} == on_table
    battle.order(orders.AskForOrders(side="german", seed=6))
    assert len(battle.state.commanders["german"].orders) == len(on_table)


def test_who_has_carried_out_his_order_stands_where_it_led() -> None:
    battle = ordered(1, "german")
    order = first_move(battle, "german")
    battle.order(orders.CarryOut(side="german", group=order.group))
    commander = battle.state.commanders["german"]
    group = commander.group(order.group)
    assert group is not None
    assert group.cell == order.cell
    assert all(left.group != order.group for left in commander.orders)


def test_players_say_in_which_half_of_a_square_it_stands_instead() -> None:
    battle = ordered(1, "german")
    order = first_move(battle, "german")
    battle.order(orders.CarryOut(side="german", group=order.group, square="C3", half="n"))
    group = battle.state.commanders["german"].group(order.group)
    assert group is not None
    assert group.cell is not None
    assert group.cell.square == "C3"
    assert group.cell.row % 2 == 1


def test_a_square_that_is_not_on_the_table_is_refused_with_those_that_are() -> None:
    battle = ordered(1, "german")
    order = first_move(battle, "german")
    refusal = battle.refusal(orders.CarryOut(side="german", group=order.group, square="Z9"))
    assert refusal.message == "There is no square Z9 on this table; they go from A1 to H5."


def test_who_cannot_get_there_is_ordered_otherwise_and_never_the_same_again() -> None:
    battle = ordered(1, "german")
    order = first_move(battle, "german")
    seen_orders = [(order.verb, order.cell)]
    for _ in range(4):
        battle.order(orders.CannotDo(side="german", group=order.group, why="blocked"))
        other = next(
            given
            for given in battle.state.commanders["german"].orders
            if given.group == order.group
        )
        if other.verb == "hold":
            break
        assert (other.verb, other.cell) not in seen_orders
        seen_orders.append((other.verb, other.cell))


def test_other_cover_and_fewer_men_are_weighed_anew() -> None:
    battle = ordered(1, "german")
    order = first_move(battle, "german")
    for why in ("cover", "fewer"):
        battle.order(orders.CannotDo(side="german", group=order.group, why=why, number=1))
        assert any(given.group == order.group for given in battle.state.commanders["german"].orders)


def test_players_overrule_him_with_another_of_his_ways() -> None:
    battle = ordered(1, "german")
    order = first_move(battle, "german")
    ways = ways_in(battle.state, "german").of_group(order.group)
    battle.order(orders.Overrule(side="german", group=order.group, number=2))
    group = battle.state.commanders["german"].group(order.group)
    assert group is not None
    assert group.cell == ways[1].after[0].cell
    line = battle.play.live[-1].events[0].narrate(battle.state)
    assert line.startswith("Overruled: ")


def test_an_overruled_crew_has_left_its_gun_all_the_same() -> None:
    """He would serve it on; players have the man go as a rifleman, and so the battle counts him."""
    battle = table(10)
    appoint(battle, "german")
    battle.at(13, "german")
    battle.order(orders.AskForOrders(side="german", seed=3))
    for order in battle.state.commanders["german"].orders:
        ways = ways_in(battle.state, "german").of_group(order.group)
        numbers = [n for n, way in enumerate(ways, start=1) if way.verb == "abandon the gun"]
        if numbers:
            break
    else:
        raise AssertionError("no gun could be abandoned")
    before = sum(len(row.here) for row in rows(battle.state, "german") if row.unit.id == "rifle")
    battle.order(orders.Overrule(side="german", group=order.group, number=numbers[0]))
    after = sum(len(row.here) for row in rows(battle.state, "german") if row.unit.id == "rifle")
    assert after == before + 1


def test_the_ordered_way_heads_the_list_of_ways() -> None:
    battle = ordered(10, "american")
    ways = ways_in(battle.state, "american")
    for order in battle.state.commanders["american"].orders:
        first = ways.of_group(order.group)[0]
        assert (first.verb, first.cell) == (order.verb, order.cell)


def test_tab_unfolds_all_ways_while_the_answer_is_typed() -> None:
    """It said once that Tab leads no further: in an answer that is written no toggle had a key."""
    draft: Draft[AnyOrder] = Draft(command=says(ordered(10, "american")))
    few = len(draft.page.blocks)
    unfolded = draft.press("tab")
    assert len(unfolded.page.blocks) > few
    assert len(unfolded.press("tab").page.blocks) == few


def test_a_way_that_he_has_not_is_refused() -> None:
    battle = ordered(1, "german")
    order = first_move(battle, "german")
    refusal = battle.refusal(orders.Overrule(side="german", group=order.group, number=99))
    assert refusal.code == "unknown_way"


def test_orders_are_given_in_the_movement_of_his_own_turn_only() -> None:
    battle = table(1)
    appoint(battle, "polish")
    refusal = battle.refusal(orders.AskForOrders(side="polish"))
    assert refusal.message == "Orders are given in phase 1 of the Polish turn."


# ------------------------------------------------------------------ losses


def test_losses_come_off_the_group_that_is_nearest_to_the_enemy() -> None:
    battle = ordered(10, "german")
    before = battle.state.commanders["german"]
    row = battle.row("german", "rifle")
    battle.order(orders.Correct(row=row.key, by=-3))
    battle.order(orders.EndTurn())
    battle.at(2, "german")
    battle.order(orders.AskForOrders(side="german", seed=5))
    after = battle.state.commanders["german"]

    def rifles(commander: Commander) -> int:
        return sum(group.known.counts.get("rifle", 0) for group in commander.groups)

    assert rifles(after) == rifles(before) - 3
    changed = [
        group.name
        for group in before.groups
        if (now := after.group(group.id)) is None or now.strength != group.strength
    ]
    assert len(changed) == 1


def test_losses_come_off_the_group_that_he_had_somebody_fire_at() -> None:
    """Two shots at two groups of the same contingent: each has its own losses."""
    battle = crossing()
    commander = appoint(battle, "polish")
    battle.at(1, "german")
    battle.order(orders.EndPhase())
    near, far = commander.enemies[0], commander.enemies[2]
    fire = orders.FireAsSaid(
        side="polish",
        group="polish:group_1",
        unit="machinegun",
        weapon="machinegun",
        enemy=far.id,
        aimed_at="rifle",
    )
    battle.order(fire)
    assert battle.state.ask is None, "a miss"
    battle.order(orders.Correct(row=battle.row("german", "rifle").key, by=-2))
    battle.order(replace(fire, enemy=near.id))
    after = battle.state.commanders["polish"]
    assert strength(after, far.id) == far.strength - 2
    assert strength(after, near.id) == near.strength


def test_players_say_of_which_group_the_losses_were() -> None:
    """The program thinks of the nearest group, and the player has fired at another."""
    battle = crossing()
    appoint(battle, "polish")
    battle.at(1, "polish")
    rifles = battle.row("polish", "rifle").key
    battle.order(orders.Correct(row=rifles, by=-4))
    before = battle.state.commanders["polish"]
    [near] = command_post(battle.state, "polish").changed_if_lost_by(before.groups[0].id, 0)
    far = next(group for group in before.groups if group.id != near.id and group.strength == 9)
    number = far.id.rpartition("_")[2]
    battle.order(typed(battle, f"{'abcdefghi'[int(number) - 1]}-4"))
    battle.order(orders.AskForOrders(side="polish", seed=5))
    after = battle.state.commanders["polish"]
    assert strength(after, far.id) == far.strength - 4
    assert strength(after, near.id) == strength(before, near.id)
    assert sum(group.strength for group in after.groups) == sum(
        len(row.alive) for row in rows(battle.state, "polish")
    )


def strength(commander: Commander, id: str) -> int:
    group = commander.group(id)
    assert group is not None
    return group.strength


@pytest.mark.parametrize("seed", deep_after(2, range(4)))
def test_his_groups_are_as_strong_as_the_battle_says_whatever_happens(seed: int) -> None:
    """Random battles, with a commander for both sides; then everything is taken back."""
    random = Random(seed)
    battle = table(random.choice([1, 5, 9]))
    first = battle.play.state
    for side in battle.state.setup.side_by_id:
        appoint(battle, side)
    for _ in range(12):
        play_on(battle, random, 12)
        state = battle.state
        if state.outcome is not None:
            break
        if state.clock.phase != 1 or state.ask is not None:
            continue
        side = state.mover
        battle.order(orders.AskForOrders(side=side, seed=seed))
        commander = battle.state.commanders[side]
        strength = sum(group.strength for group in commander.groups)
        present = sum(len(row.alive) - len(row.hidden) for row in rows(battle.state, side))
        assert strength == present
        for order in commander.orders:
            battle.order(orders.CarryOut(side=side, group=order.group))
    while len(battle.play.live) > 1:
        battle.undo()
    assert battle.state.commanders == first.commanders


@pytest.mark.parametrize("seed", deep_after(2, range(6)))
def test_whatever_is_typed_of_where_groups_went_is_stored_and_taken_back(seed: int) -> None:
    """A player against the program, who says at random where his groups are, turn after turn."""
    random = Random(seed)
    battle = table(random.choice([1, 5, 6, 10]))
    appoint(battle, random.choice(list(battle.state.setup.side_by_id)))
    first = battle.state.commanders
    [program] = first
    enemy = battle.state.setup.enemy_of(program).id
    in_order = [battle.state.first, battle.state.setup.enemy_of(battle.state.first).id]
    for turn, side in product(range(1, 7), in_order):
        if side == enemy:
            battle.at(turn, enemy, phase=2)
            _say_at_random(battle, random)
        else:
            battle.at(turn, program)
            _say_at_random(battle, random)
            goes_on = random.random() < 0.5
            battle.order(orders.AskForOrders(side=program, seed=seed, gone_on=goes_on))
        for group in battle.state.commanders[program].enemies:
            assert group.cell is None or group.cell.square[0] in "ABCDEFGHIJKL"
    written = [record.codec.written(entry) for entry in battle.play.entries]
    assert record.codec.replay(written).state.commanders == battle.state.commanders
    while len(battle.play.live) > 2:
        battle.undo()
    assert battle.state.commanders == first


def _say_at_random(battle: Table, random: Random) -> None:
    for _ in range(random.randrange(4)):
        if battle.state.ask is None and not says(battle).why_not:
            with suppress(Refused):  # beyond the edge, or off the table
                battle.order(typed(battle, places_at_random(random)))


def places_at_random(random: Random) -> str:
    """A line such as ``1a3n 2^^ 3=``."""
    places = []
    for group in random.sample(range(1, 4), random.randrange(1, 4)):
        square = f"{random.choice('abcdef')}{random.randrange(1, 5)}{random.choice(['', *'nesw'])}"
        steps = "".join(random.choices("<>^v", k=random.randrange(1, 3)))
        places.append(f"{group}{random.choice([square, steps, steps, '=', 'c', ' off'])}")
    return " ".join(places)


def test_a_new_group_never_takes_the_id_of_another_one() -> None:
    """The first of two groups was lost, so that the second is the only one, and a third comes."""
    battle = armies({"tank": 2}, {"rifle": 4}, sources=PROGRAM)
    state, commander = battle.state, appoint(battle, "first")
    contingent = commander.groups[0].known.contingent
    second = GroupKnown("first:new_2", "Tank", {"tank": 1}, contingent=contingent)
    muster = Muster(state, "first", [TableGroup(second, GroundCell(0, 0))], commander.enemies)
    placer = GroupPlacer(state, "first", table_of(state, commander.weights), Random(1))
    assert [group.id for group in muster.mustered(placer)] == ["first:new_2", "first:new_3"]


# ------------------------------------------------------------------ fire


def test_his_fire_is_shots_of_the_battle() -> None:
    battle = table(10)
    appoint(battle, "german")
    battle.order(orders.EndPhase())
    shots = enemy_turn(battle.state, "german").next_shots
    assert shots
    order = typed(battle, "")
    assert isinstance(order, orders.FireAsSaid)
    battle.order(order)
    assert battle.state.shots == 1


def test_who_does_not_see_a_group_does_not_fire_at_it_this_turn() -> None:
    battle = table(10)
    appoint(battle, "german")
    battle.order(orders.EndPhase())
    order = typed(battle, "x")
    assert isinstance(order, orders.DenySight)
    battle.order(order)
    for shot in enemy_turn(battle.state, "german").next_shots:
        pair = (shot.shooter.group.id, shot.target.group.id)
        assert pair != (order.group, order.enemy)


def test_a_gun_that_has_fired_is_not_on_his_list() -> None:
    battle = table(10)
    appoint(battle, "german")
    battle.order(orders.EndPhase())
    number = 0
    while has_a_shot(battle) and number < 40:
        battle.order(typed(battle, ""))
        while battle.state.ask is not None:
            answer: AnyOrder = orders.Hold()
            if not isinstance(battle.state.ask, RepeatAsk):
                answer = some_order(battle.state, Random(number))
            battle.order(answer)
        number += 1
    assert number
    assert not has_a_shot(battle)
    # Perhaps somebody is elsewhere than he thinks: that can still be said.
    with pytest.raises(UnfitAnswer):
        typed(battle, "")
    assert isinstance(typed(battle, "1f2"), orders.SayWhere)


def test_a_group_keeps_its_number_when_others_are_lost() -> None:
    battle = commanded(1, "german")
    [first, second, *_] = battle.state.commanders["german"].enemies
    for unit, count in first.known.counts.items():
        row = str(RowName("polish", first.known.contingent, unit))
        battle.order(orders.Correct(row=row, by=-count))
    battle.order(orders.AskForOrders(side="german", seed=5))
    battle.at(2, "german")
    assert battle.state.commanders["german"].group(first.id) is None
    order = typed(battle, "2d4")
    assert order == orders.SayWhere(side="german", group=second.id, square="D4")


def test_a_group_is_listed_by_the_number_that_is_typed_for_it() -> None:
    """A truck comes, and then the last of the groups that were there before is lost."""
    battle = commanded(1, "german")
    gun = battle.state.commanders["german"].enemies[-1]
    contingent = gun.known.contingent
    battle.order(orders.Add(row=str(RowName("polish", contingent, "truck")), count=1))
    battle.order(orders.AskForOrders(side="german", seed=5))
    truck = battle.state.commanders["german"].enemies[-1]
    battle.order(orders.Correct(row=str(RowName("polish", contingent, "cannon")), by=-1))
    assert gun.id not in {
        enemy.id for enemy in command_post(battle.state, "german").after_losses.enemies
    }
    battle.at(2, "german")
    preview = says(battle).preview
    assert preview is not None
    poles, _ = preview({}).blocks
    assert isinstance(poles, Paragraph)
    number = poles.text.split(", ")[-1].split()[0]
    assert typed(battle, f"{number}d4") == orders.SayWhere(
        side="german", group=truck.id, square="D4"
    )


def has_a_shot(battle: Table) -> bool:
    return asks(battle).name == "answer"


def asks(battle: Table) -> Slot:
    """The question of ``W`` as the battle stands."""
    slot = Draft(command=says(battle)).slot
    assert slot is not None, says(battle).why_not
    return slot


def test_a_group_that_players_take_off_the_table_is_the_one_that_was_lost() -> None:
    battle = commanded(10, "german")
    groups = battle.state.commanders["german"].groups
    guns = [group for group in groups if "machinegun" in group.known.counts]
    gun = guns[3]
    battle.order(orders.Correct(row=battle.row("german", "machinegun").key, by=-1))
    battle.order(orders.SayWhere(side="german", group=gun.id))
    assert gun.id not in {
        group.id for group in command_post(battle.state, "german").after_losses.groups
    }
    battle.order(orders.AskForOrders(side="german", seed=5))
    left = {group.id for group in battle.state.commanders["german"].groups}
    assert left >= {other.id for other in guns if other != gun}
    assert gun.id not in left


def test_who_was_lost_stays_lost_wherever_the_enemy_goes() -> None:
    battle = table(10)
    commander = appoint(battle, "german")
    enemy, *others = commander.enemies
    for other in others:
        battle.order(orders.SayWhere(side="german", group=other.id))
    battle.order(orders.SayWhere(side="german", group=enemy.id, square="A3"))
    battle.order(orders.Correct(row=battle.row("german", "machinegun").key, by=-1))

    def guns_left() -> set[str]:
        left = command_post(battle.state, "german").after_losses.groups
        return {group.id for group in left if "machinegun" in group.known.counts}

    before = guns_left()
    assert len(before) == 5
    battle.order(orders.SayWhere(side="german", group=enemy.id, square="H3"))
    assert guns_left() == before


@pytest.mark.parametrize("commander_side", ["german", "american"])
def test_who_gets_out_is_a_group_beside_the_carrier(commander_side: str) -> None:
    battle = table(10)
    appoint(battle, commander_side)
    craft = battle.row("american", "landing_craft")
    battle.order(orders.Unload(carrier=craft.key, piece=craft.here[0]))
    commander = battle.state.commanders[commander_side]
    americans = commander.enemies
    if commander_side == "american":
        americans = commander.groups
    afoot = [
        group
        for group in americans
        if group.known.contingent == "rangers" and "landing_craft" not in group.known.counts
    ]
    assert [group.strength for group in afoot] == [17]
    assert sum(group.strength for group in americans) == 69


def test_a_line_of_op_fire_is_the_fire_of_a_whole_group() -> None:
    battle = table(10)
    commander = appoint(battle, "german")
    for group in commander.enemies[1:]:
        battle.order(orders.SayWhere(side="german", group=group.id))
    for group in commander.groups[4:]:
        battle.order(orders.SayWhere(side="german", group=group.id))
    riflemen, target = commander.groups[1], commander.enemies[0]
    battle.order(orders.SayWhere(side="german", group=riflemen.id, square="D4", half="n"))
    battle.order(orders.SayWhere(side="german", group=target.id, square="D4", half="s"))
    order = Draft(command=says(battle)).press("1").order(lambda: 5)
    assert isinstance(order, orders.FireAsSaid)
    assert order.count > 1
    battle.order(order)


def test_a_pin_is_worth_something_only_where_men_are_pinned() -> None:
    """In the sixth turn of Dog Beach each turn that the Americans lose counts."""
    battle = table(10)
    appoint(battle, "german")
    battle.at(6, "american")
    situation = command_post(battle.state, "german").situation()
    assert enemy_turn(battle.state, "german").worth_of_pins(situation) == {}
    battle.order(orders.Switch(option="pinning", on=True))
    worth = enemy_turn(battle.state, "german").worth_of_pins(situation)
    assert worth
    assert all(points > 0 for points in worth.values())


@pytest.mark.parametrize("entrenching", [True, False])
def test_nobody_digs_in_where_that_is_off(entrenching: bool) -> None:
    battle = armies(
        {"rifle": 16}, {"machinegun": 4}, sources=PROGRAM, options=Options(entrenching=entrenching)
    )
    commander = appoint(battle, "first")
    for group, square in zip(commander.groups, ("C2", "D2"), strict=True):
        battle.order(orders.SayWhere(side="first", group=group.id, square=square))
    for group in commander.enemies:
        battle.order(orders.SayWhere(side="first", group=group.id, square="D3"))
    verbs = {way.verb for way in ways_in(battle.state, "first").of_group(commander.groups[0].id)}
    assert ("dig in" in verbs) == entrenching


def behind_wire() -> tuple[Table, str]:
    """Scenario 4 with wire all across the map, and the group of Germans beside it that has
    engineers."""
    published = library.scenarios()[4]
    assert published.map is not None
    wire = Line(kind="wire", points=((0, 9), (96, 9)))
    wired = replace(published, map=replace(published.map, lines=(*published.map.lines, wire)))
    sources = dict(zip(wired.order_of_play(), PROGRAM, strict=True))
    battle = Table(from_scenario(wired, library.catalog(), library.rulings(), sources=sources))
    commander = appoint(battle, "german")
    for group in commander.groups:
        if "engineer" in group.known.counts:
            place = orders.SayWhere(side="german", group=group.id, square="C1", half="s")
            battle.order(place)
            battle.order(orders.AskForOrders(side="german", seed=1))
            return battle, group.id
    raise AssertionError("nobody has engineers")


def test_wire_that_engineers_have_cleared_is_gone_for_good() -> None:
    battle, engineers = behind_wire()
    ways = ways_in(battle.state, "german").of_group(engineers)
    [number, *_] = [n for n, way in enumerate(ways, start=1) if way.verb == "clear wire"]
    wire = ways[number - 1].cell
    battle.order(orders.Overrule(side="german", group=engineers, number=number))
    assert battle.state.commanders["german"].cleared == {wire}
    for way in ways_in(battle.state, "german").of_group(engineers):
        assert (way.verb, way.cell) != ("clear wire", wire)


def test_before_he_waits_players_say_where_they_have_set_up() -> None:
    battle = table(10)
    commander = appoint(battle, "german")
    draft: Draft[AnyOrder] = Draft(command=says(battle)).press("tab")
    for sign in "1a3":
        draft = draft.press(sign)
    battle.order(draft.press("enter").order(lambda: 5))
    moved = battle.state.commanders["german"].group(commander.enemies[0].id)
    assert moved is not None
    assert moved.cell is not None
    assert moved.cell.square == "A3"


def test_who_waits_for_nothing_can_be_told_where_somebody_is() -> None:
    battle = table(10)
    commander = appoint(battle, "german")
    for group in commander.enemies:
        battle.order(orders.SayWhere(side="german", group=group.id))
    assert "It waits for nothing" in asks(battle).text
    order = typed(battle, "1d3n")
    assert order == orders.SayWhere(
        side="german", group=commander.enemies[0].id, square="D3", half="n"
    )


def test_the_large_pillbox_is_not_to_fire_at_landing_craft() -> None:
    """Dog Beach: "only antipersonnel shells"."""
    battle = table(10)
    commander = appoint(battle, "german")
    craft = [group for group in commander.enemies if "landing_craft" in group.known.counts]
    for group in commander.enemies:
        if group not in craft:
            battle.order(orders.SayWhere(side="german", group=group.id))
    battle.at(1, "american", phase=2)
    shots = enemy_turn(battle.state, "german").next_shots
    assert "large_pillbox" not in {shot.guns.unit.id for shot in shots}
    assert not has_fire_left(battle.state, "german")
    assert "The program has no shot left for the Germans: > goes on" in due(battle)


def due(battle: Table) -> list[str]:
    """What is due, as the screen lists it."""
    return [line.text for line in commander_waits(battle.state)]


def hit_by_a_gun(contingent: str, *draws: str) -> Table:
    """A machine gun of the Germans has hit the first group of an American contingent."""
    battle = scenario(10)
    commander = appoint(battle, "german")
    battle.order(orders.EndPhase())
    [enemy, *_] = [group for group in commander.enemies if group.known.contingent == contingent]
    [gun, *_] = [group for group in commander.groups if "machinegun" in group.known.counts]
    battle.order(
        orders.FireAsSaid(
            side="german",
            group=gun.id,
            unit="machinegun",
            weapon="machinegun",
            enemy=enemy.id,
            aimed_at="rifle",
        )
    )
    battle.show(*draws)
    return battle


def test_nobody_is_asked_who_dies_where_he_had_a_group_of_like_men_fired_at() -> None:
    battle = hit_by_a_gun("seawall", "2h", "10s")
    assert battle.state.ask is None
    assert battle.state.loss["american"] == 1


def test_after_a_hit_his_gun_fires_again_at_the_group_without_being_asked() -> None:
    battle = hit_by_a_gun("seawall", "2h", "10s")
    assert len(battle.state.judged) == 2
    assert all(
        verdict.shot.piece == battle.state.judged[0].shot.piece for verdict in battle.state.judged
    )


def test_who_dies_is_one_of_the_group_that_he_had_fired_at() -> None:
    battle = hit_by_a_gun("rangers", "2h")
    assert isinstance(battle.state.ask, CasualtyAsk)
    for row in battle.state.ask.rows:
        assert "rangers" in row


def test_a_repeat_shot_of_his_comes_before_the_rest_of_his_list() -> None:
    battle = scenario(10)
    appoint(battle, "german")
    battle.order(orders.EndPhase())
    battle.fire("machinegun", "rifle", "2h", by="german")
    battle.order(orders.ChooseCasualties())
    assert isinstance(battle.state.ask, RepeatAsk)
    assert says(battle).why_not == "Fire again, or stop with Esc; then it goes on with its fire."
    offered = commands(battle.state, "full", library.commander_weights)
    assert [command.leads_to for command in offered if command.label == "Fire again"] == ["W"]


# ------------------------------------------------------------------ commanding both sides


def both_commanded() -> Table:
    battle = table(1)
    appoint(battle, "polish")
    battle.order(orders.Appoint(side="german", temperament="bold", weights=WEIGHTS, seed=9))
    return battle.at(1, "german")


def test_two_commanders_see_the_same_table() -> None:
    battle = both_commanded()
    german, polish = battle.state.commanders["german"], battle.state.commanders["polish"]
    assert german.enemies == polish.groups
    assert polish.enemies == german.groups
    battle.order(orders.AskForOrders(side="german", seed=5))
    order = first_move(battle, "german")
    battle.order(orders.CarryOut(side="german", group=order.group))
    german, polish = battle.state.commanders["german"], battle.state.commanders["polish"]
    moved = german.group(order.group)
    assert moved is not None
    assert polish.group(order.group) == moved
    assert moved.cell == order.cell
    # What players say to one is told to the other, too.
    battle.order(orders.SayWhere(side="german", group=polish.groups[0].id, square="H2"))
    said_to_both = battle.state.commanders["polish"].groups[0].cell
    assert said_to_both is not None
    assert said_to_both.square == "H2"


def test_what_the_one_has_counted_the_other_knows() -> None:
    battle = both_commanded()
    battle.order(orders.Correct(row=battle.row("polish", "rifle").key, by=-4))
    battle.order(orders.AskForOrders(side="german", seed=5))
    german, polish = battle.state.commanders["german"], battle.state.commanders["polish"]
    assert german.enemies == polish.groups
    assert sum(group.strength for group in polish.groups) == battle.alive("polish", "rifle") + sum(
        len(row.alive) for row in rows(battle.state, "polish") if row.unit.id != "rifle"
    )


def test_when_all_have_their_orders_he_who_waited_is_asked() -> None:
    battle = both_commanded()
    battle.order(orders.AskForOrders(side="german", seed=5))
    for order in battle.state.commanders["german"].orders:
        battle.order(orders.CarryOut(side="german", group=order.group))
    command = says(battle)
    if not command.why_not.startswith("It waits for nothing"):
        assert asks(battle).name == "line"


# ------------------------------------------------------------------ what is typed


def test_an_enemy_group_is_put_into_a_square_by_its_number() -> None:
    battle = commanded(1, "german")
    order = typed(battle, "2d4")
    enemy = battle.state.commanders["german"].enemies[1]
    assert order == orders.SayWhere(side="german", group=enemy.id, square="D4")
    battle.order(order)
    moved = battle.state.commanders["german"].enemies[1]
    assert moved.cell is not None
    assert moved.cell.square == "D4"


@pytest.mark.parametrize("text", ["1d4 2e4n 3 f3", "1d42e4n3f3", "1d4,2e4n,3f3", "1D4; 2 e4n 3f3"])
def test_several_groups_are_put_into_their_squares_at_once(text: str) -> None:
    battle = commanded(1, "german")
    battle.order(typed(battle, text))
    squares = []
    for group in battle.state.commanders["german"].enemies[:3]:
        assert group.cell is not None
        squares.append(group.cell.square)
    assert squares == ["D4", "E4", "F3"]


READ_PLACES = {
    "2d5": "2 to D5",
    "2d5n": "2 to D5n",
    "2d53e4": "2 to D5, 3 to E4",
    "2d512e4": "2 to D5, 12 to E4",
    "2d10": "2 to D10",
    "2d12n 3e4": "2 to D12n, 3 to E4",
    "2d11e4": "2 to D1, 1 to E4",
    "2d5n3e4": "2 to D5n, 3 to E4",
    "2d5ef4": "2 to D5, e to F4",
    "2d5e f4": "2 to D5, e to F4",
    "2d5ee4": "2 to D5, e to E4",
    "2d5e 3e4": "2 to D5e, 3 to E4",
    "2d5n-3": "2 to D5, n lost 3",
    "2c5": "2 to C5",
    "2c 3d4": "2 covered, 3 to D4",
    "2=3=": "2 stays, 3 stays",
    "2 off3d4": "2 off, 3 to D4",
    "2-3 b-1": "2 lost 3, b lost 1",
    "1^2^3v": "1 goes 0 1, 2 goes 0 1, 3 goes 0 -1",
    "1^>2<<": "1 goes 1 1, 2 goes -2 0",
    "2d5n^": "2 to D5, n goes 0 1",
    "1<>": "1 stays",
    "356^": "3 goes 0 1, 5 goes 0 1, 6 goes 0 1",
    "12^": "12 goes 0 1",
    "79d5n8=": "7 to D5n, 9 to D5n, 8 stays",
}
"""What is typed, and how it is read."""


@pytest.mark.parametrize(("text", "places"), READ_PLACES.items())
def test_the_letters_of_squares_halves_and_groups_are_told_apart(text: str, places: str) -> None:
    names = {}
    for sign in (*ascii_lowercase, *map(str, range(1, 13))):
        names[sign] = TableGroup(GroupKnown(sign, sign, {"rifle": 9}))
    read = []
    for place in typed_places.read_places(names, text):
        what = "off"
        if place.square is not None:
            what = f"to {place.square.name}{place.square.half}"
        elif place.other_cover:
            what = "covered"
        elif place.stays:
            what = "stays"
        elif place.columns or place.rows:
            what = f"goes {place.columns} {place.rows}"
        elif place.lost:
            what = f"lost {place.lost}"
        read.append(f"{place.group} {what}")
    assert ", ".join(read) == places


@given(st.text(st.sampled_from("0123456789abdefnesw ><^v=-,;coff\u0663\u00e9!"), max_size=80))
def test_whatever_is_typed_of_places_is_read_or_refused_in_a_sentence(text: str) -> None:
    names = {}
    for sign in (*ascii_lowercase, *map(str, range(1, 13))):
        names[sign] = TableGroup(GroupKnown(sign, sign, {"rifle": 9}))
    sentence = ""
    places: typed_places.Places = ()
    try:
        places = typed_places.read_places(names, text)
    except UnfitAnswer as refused:
        sentence = str(refused)
    if sentence:
        assert sentence.endswith(".")
    elif text.strip():
        assert all(isinstance(place, typed_places.Whereabouts) for place in places)
    else:
        assert places == ()


# ------------------------------------------------------------------ where the enemy has gone


def marching(*, aloud: bool = False) -> Table:
    """Dog Beach in the third turn of the Americans, before the fire of the program. In their second
    turn their groups 1 and 2 went half a square up the map, and 3 to the right."""
    battle = commanded(10, "german", aloud=aloud)
    battle.order(typed(battle, "1a3n 2c3n 3d2w"))
    battle.order(orders.AskForOrders(side="german", seed=5))
    battle.at(2, "american").at(2, "american", phase=2)
    battle.order(typed(battle, "1a4s 2c4s 3d2e"))
    battle.at(2, "german")
    battle.order(orders.AskForOrders(side="german", seed=5))
    return battle.at(3, "american", phase=2)


def enemy_squares(battle: Table) -> list[str]:
    """Where the first three groups of the Americans stand, with the half that is upper or left."""
    places = []
    for group in battle.state.commanders["german"].enemies[:3]:
        assert group.cell is not None
        places.append(f"{group.cell.square} {group.cell.column % 2}{group.cell.row % 2}")
    return places


def test_who_moved_last_turn_is_taken_to_have_gone_on() -> None:
    battle = marching()
    assert enemy_squares(battle) == ["A4 10", "C4 10", "D2 11"]
    gone_on = enemy_turn(battle.state, "german").gone_on
    assert list(gone_on) == [f"american:group_{number}" for number in (1, 2, 3)]
    assert asks(battle).large == "WHERE ARE THEY?"
    [event] = battle.order(typed(battle, ""))
    assert event.narrate(battle.state) == "3 American groups have gone on as in the last turn."
    assert enemy_squares(battle) == ["A4 11", "C4 11", "E2 01"]
    assert asks(battle).large == "ITS FIRE"


def test_who_is_named_stands_where_players_say_and_the_others_have_gone_on() -> None:
    battle = marching()
    events = battle.order(typed(battle, "1=2b4s"))
    assert "1 American group has gone on as in the last turn." in [
        event.narrate(battle.state) for event in events
    ]
    assert enemy_squares(battle) == ["A4 10", "B4 10", "E2 01"]
    assert asks(battle).large == "ITS FIRE"


def test_where_nobody_asked_for_fire_the_orders_take_them_to_have_gone_on() -> None:
    battle = marching().at(3, "german")
    battle.order(typed(battle, ""))
    assert enemy_squares(battle) == ["A4 11", "C4 11", "E2 01"]
    assert battle.state.commanders["german"].turn == 3


def test_who_has_not_moved_is_not_taken_to_move_and_nobody_is_asked() -> None:
    battle = marching()
    battle.order(typed(battle, "1=2=3="))
    battle.at(3, "german")
    battle.order(typed(battle, ""))
    battle.at(4, "american", phase=2)
    assert enemy_turn(battle.state, "german").gone_on == {}
    assert asks(battle).large == "ITS FIRE"


def test_nobody_is_taken_to_go_beyond_the_edge_or_farther_than_a_move() -> None:
    battle = commanded(10, "german")
    battle.order(typed(battle, "1a3 2b1"))
    battle.order(typed(battle, ""))
    battle.at(2, "american", phase=2)
    battle.order(typed(battle, "1a5n 2b5s"))
    battle.at(2, "german")
    battle.order(typed(battle, ""))
    battle.at(3, "american", phase=2)
    assert "american:group_1" not in enemy_turn(battle.state, "german").gone_on
    gone_on = enemy_turn(battle.state, "german").gone_on["american:group_2"]
    assert gone_on.cell is not None
    assert gone_on.cell.row == 9


def test_whom_players_have_moved_already_stays_where_they_said() -> None:
    battle = marching()
    waiting = battle.state.commanders["german"].enemies[0]
    battle.order(orders.SayWhere(side="german", group=waiting.id, square="B3", half="n"))
    battle.order(typed(battle, ""))
    assert enemy_squares(battle)[0] == "B3 01"


def test_whom_the_program_moves_itself_nobody_is_asked_about() -> None:
    battle = marching()
    appoint(battle, "american")
    assert enemy_turn(battle.state, "german").gone_on == {}


def test_after_a_turn_without_orders_nobody_is_taken_to_have_gone_on() -> None:
    battle = marching().at(3, "german").at(4, "american", phase=2)
    assert enemy_turn(battle.state, "german").gone_on == {}


# ------------------------------------------------------------------ what is no answer


def test_an_arrow_is_a_move_of_six_inches_on_the_map() -> None:
    battle = commanded(10, "german")
    battle.order(typed(battle, "1a3s 2c3s 3d3s"))
    before = [group.cell for group in battle.state.commanders["german"].enemies[:3]]
    battle.order(typed(battle, "1^2^>3<"))
    for cell, group, (columns, rows_up) in zip(
        before, battle.state.commanders["german"].enemies, [(0, 1), (1, 1), (-1, 0)], strict=False
    ):
        assert cell is not None
        assert group.cell == (cell.column + columns, cell.row + rows_up)


def test_nobody_steps_beyond_the_edge_or_onto_the_table() -> None:
    battle = commanded(10, "german")
    battle.order(typed(battle, "1a1w 2off"))
    with pytest.raises(Refused, match="beyond the edge of the table"):
        battle.order(typed(battle, "1<"))
    with pytest.raises(Refused, match="is not on the table"):
        battle.order(typed(battle, "2^"))


@pytest.mark.parametrize("text", ["99d4", "2", "d", "2dd4", "b", "2 d4 n x", "-1d4", "2d0"])
def test_what_is_no_place_is_refused_and_nothing_is_lost(text: str) -> None:
    battle = commanded(1, "german")
    with pytest.raises(UnfitAnswer):
        typed(battle, text)


@pytest.mark.parametrize("text", ["zz", "f0", "!", "99", "d4 x", "f999"])
def test_what_is_no_answer_to_an_order_is_refused(text: str) -> None:
    battle = ordered(1, "german")
    with pytest.raises(UnfitAnswer):
        typed(battle, text)


def test_three_keys_are_enough_to_say_where_a_group_is() -> None:
    battle = ordered(1, "german")
    assert isinstance(typed(battle, "d4"), orders.CarryOut)
    assert typed(battle, "b") == orders.CannotDo(
        side="german", group=first_move(battle, "german").group, why="blocked"
    )


def test_all_who_stay_are_one_order() -> None:
    battle = ordered(10, "german")
    while any(order.verb != "hold" for order in battle.state.commanders["german"].orders):
        battle.order(typed(battle, ""))
    assert isinstance(typed(battle, ""), orders.AllStay)
    battle.order(typed(battle, ""))
    assert battle.state.commanders["german"].orders == ()
    assert says(battle).why_not == (
        "All of its groups have had their orders in this turn; > goes on."
    )


def test_cover_is_corrected_by_the_number_and_c() -> None:
    battle = commanded(1, "german")
    before = battle.state.commanders["german"].enemies[0]
    battle.order(typed(battle, "1c"))
    after = battle.state.commanders["german"].enemies[0]
    assert (after.cell, after.cover) == (before.cell, not before.cover)


# ------------------------------------------------------------------ advice, secrets, trouble


def test_what_an_adviser_says_is_for_his_own_side_alone() -> None:
    battle = table(1)
    side = battle.state.mover
    assert sides_of(battle.state, says(battle)) == (side,)
    advised = orders.Appoint(side=side, temperament="bold", advises=True, weights=WEIGHTS)
    assert sides_of(battle.state, advised) == (side,)
    battle.order(advised)
    assert sides_of(battle.state, says(battle)) == (side,)
    assert sides_of(battle.state, orders.AskForOrders(side=side)) == (side,)


def test_what_an_adviser_says_in_the_enemys_turn_is_for_his_own_side_too() -> None:
    battle = table(1)
    mover, enemy = battle.state.mover, battle.state.setup.enemy_of(battle.state.mover).id
    appoint(battle, enemy, advises=True)
    assert sides_of(battle.state, says(battle)) == (enemy,)
    appoint(battle, mover, advises=True)
    assert sides_of(battle.state, says(battle)) == (mover,), "its own adviser speaks in phase 1"
    battle.order(orders.EndPhase())
    assert sides_of(battle.state, says(battle)) == (enemy,)


def test_whoever_plays_against_the_program_asks_for_its_orders() -> None:
    battle = commanded(1, "german")
    both = tuple(battle.state.setup.side_by_id)
    assert sides_of(battle.state, says(battle)) == both
    assert sides_of(battle.state, orders.AskForOrders(side="german")) == both


def test_advice_changes_nothing_but_what_he_remembers() -> None:
    battle = table(1)
    before = battle.state
    appoint(battle, "german", advises=True)
    battle.order(orders.AskForOrders(side="german", seed=5))
    for side in before.setup.side_by_id:
        assert rows(battle.state, side) == rows(before, side)
    assert battle.state.clock == before.clock


def test_his_plan_is_read_after_the_battle_only() -> None:
    battle = ordered(6, "german")
    assert list(command_plans(battle.play)) == []
    battle.order(orders.Finish(winner="german"))
    heading, first, *_ = command_plans(battle.play)
    assert heading.text == "What the commander of the Germans was up to"  # type: ignore[union-attr]
    assert first.lead == "Turn 1."  # type: ignore[union-attr]


def test_he_says_his_plan_aloud_if_players_want_it() -> None:
    silent, aloud = commanded(6, "german"), commanded(6, "german", aloud=True)
    for battle in (silent, aloud):
        battle.order(orders.AskForOrders(side="german", seed=5))
    lines = [battle.play.live[-1].events[0].narrate(battle.state) for battle in (silent, aloud)]
    assert "Steady." not in lines[0]
    assert "Steady." in lines[1]


def test_others_see_neither_his_groups_nor_his_plan() -> None:
    battle = ordered(6, "german")
    for viewer in ("british", None):
        for entry in seen(battle.play, viewer).live:
            for event in entry.events:
                assert not getattr(event, "groups", ())
                assert not getattr(event, "plan", "")
                assert getattr(event, "commander", None) is None


def test_a_battle_with_a_commander_is_stored_and_read_again() -> None:
    battle = ordered(10, "german")
    battle.order(orders.AllStay(side="german"))
    entries = [record.codec.read(record.codec.written(entry)) for entry in battle.play.entries]
    again = record.codec.play(entries)
    assert again.state.commanders == battle.state.commanders


def test_orders_that_are_dropped_when_he_is_asked_again_are_not_remembered() -> None:
    """Every group keeps its first order of the turn, and has not been idle for a turn more."""
    battle = ordered(10, "german")
    first_notes = battle.state.commanders["german"].notes
    battle.order(orders.AskForOrders(side="german", seed=6))
    notes = battle.state.commanders["german"].notes
    memories = [
        msgspec.msgpack.decode(packed, type=Notebook).memory for packed in (first_notes, notes)
    ]
    assert memories[0].idle
    assert memories[1] == memories[0]


def test_notes_of_another_version_are_planned_anew() -> None:
    battle = ordered(1, "german")
    battle.order(orders.EndTurn())
    battle.at(2, "german")
    commander = battle.state.commanders["german"]
    for notes in (b"", b"\x00\xff", b"\x80"):
        strange = CommandPost(battle.state, "german", replace(commander, notes=notes))
        assert OwnTurn(strange).turn_orders(5).orders


def test_a_commander_at_a_loss_never_stops_the_battle(monkeypatch: pytest.MonkeyPatch) -> None:
    battle = commanded(1, "german")

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(OwnTurn, "turn_orders", broken)
    refusal = battle.refusal(orders.AskForOrders(side="german"))
    assert refusal.message == (
        "The program's commander has no answer here; you can play on without it."
    )
    monkeypatch.setattr(enemy_turn_module.DefensiveFire, "shots", broken)
    other = table(10)
    appoint(other, "german")
    other.order(orders.EndPhase())
    assert says(other).why_not == refusal.message


def test_the_basic_game_has_a_commander_too() -> None:
    battle = armies({"rifle": 20, "machinegun": 2}, {"rifle": 20, "tank": 1}, sources=PROGRAM)
    appoint(battle, "first")
    battle.order(orders.AskForOrders(side="first", seed=5))
    assert battle.state.commanders["first"].orders


@pytest.mark.parametrize(
    "army",
    [
        {"tank": 150, "rifle": 50},
        {"truck": 99, "cannon": 40, "tank": 61},
        {"rifle": 200},
        {"sniper": 1},
    ],
)
def test_an_army_of_two_hundred_has_few_groups_and_each_can_be_told_where_it_is(
    army: dict[str, int],
) -> None:
    battle = armies(army, {"rifle": 20, "tank": 1}, sources=PROGRAM)
    commander = appoint(battle, "first")
    assert len(commander.groups) <= 20
    shown = Draft(command=says(battle)).page.blocks
    for letter, _ in zip("abcdefghijklmnopqrstuvwxyz", commander.groups, strict=False):
        assert any(f"{letter} " in str(block) for block in shown)
