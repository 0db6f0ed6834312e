"""The field simulator: it plays scenarios to their ends, by the book and by the cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from random import Random

import pytest
from deep import deep_after, deep_every
from msgspec.structs import replace

from skirmish import library
from skirmish.games.plastic.commander.actions import (
    Action,
    Charge,
    CutWire,
    DigIn,
    GetOut,
    GoTo,
    MountUp,
    StayPut,
)
from skirmish.games.plastic.commander.aims import aims_of
from skirmish.games.plastic.commander.board import Board, CommandTable
from skirmish.games.plastic.commander.cells import CellGrid, GroundCell, apart
from skirmish.games.plastic.commander.field.battle import FieldBattle
from skirmish.games.plastic.commander.field.commanders import (
    FieldView,
    PlannedCommander,
    RandomCommander,
    StraightCommander,
)
from skirmish.games.plastic.commander.field.forces import FieldForces, FieldGroup
from skirmish.games.plastic.commander.field.shots import FieldShots
from skirmish.games.plastic.commander.leading import GroupLeader
from skirmish.games.plastic.commander.op_fire import FireLine
from skirmish.games.plastic.commander.outlook import Outlook
from skirmish.games.plastic.commander.placing import StartingCells
from skirmish.games.plastic.commander.plan_maker import PlanMaker
from skirmish.games.plastic.commander.situation import GroupKnown
from skirmish.games.plastic.commander.stakes import Force
from skirmish.games.plastic.commander.words import order_in_words, sentences_of_ways
from skirmish.games.plastic.scenarios.victory_terms import ExitTable
from skirmish.tabletop.battlefield import Battlefield
from skirmish.tabletop.chance import Draw

RULINGS = library.rulings().defaults()
WEIGHTS = library.commander_weights()
SCENARIOS = library.published_scenarios()


@lru_cache(maxsize=16)
def table(number: int) -> CommandTable:
    scenario = SCENARIOS[number]
    return CommandTable(
        scenario.map or Battlefield(),
        CellGrid(scenario.table.width_in, scenario.table.depth_in),
        library.catalog().with_variants(scenario.variants),
        RULINGS,
        weights=WEIGHTS,
    )


def field(number: int, seed: int = 1) -> FieldBattle:
    return FieldBattle(SCENARIOS[number], table(number), RULINGS, seed)


class Idle:
    """Orders nothing, and watches how things stand."""

    fires_at_best = True

    def __init__(self) -> None:
        self.views: list[FieldView] = []

    def actions(self, view: FieldView) -> list[Action]:
        self.views.append(view)
        return [StayPut(stand.group.id, stand) for stand in view.situation.own]

    def waits_for(self, view: FieldView) -> list[FireLine]:
        return []

    def go_on_with(self, board: Board, plans: PlanMaker) -> None:
        pass


@pytest.mark.parametrize("number", [1, 3])
def test_a_field_is_played_to_its_end_the_same_way_each_time(number: int) -> None:
    results = []
    for _ in range(2):
        battle = field(number)
        first, second = (side.id for side in SCENARIOS[number].sides)
        commanders = {
            first: battle.commander(PlannedCommander, first, "steady"),
            second: battle.commander(StraightCommander, second, "steady"),
        }
        results.append(battle.play(commanders))
    assert results[0] == results[1]
    assert results[0].winner in (None, first, second)


def test_random_orders_are_orders_too() -> None:
    battle = field(1)
    sides = [side.id for side in SCENARIOS[1].sides]
    commanders = {side: battle.commander(RandomCommander, side, "steady") for side in sides}
    assert set(battle.play(commanders).lost) == set(sides)


@pytest.mark.parametrize("number", deep_after(3, [1, 3, 8, 6, 10]))
def test_who_stands_still_wins_or_loses_by_the_terms_of_the_scenario(number: int) -> None:
    battle = field(number)
    sides = [side.id for side in SCENARIOS[number].sides]
    idle = {side: Idle() for side in sides}
    result = battle.play(idle)
    assert result.winner in (*sides, None)
    last = SCENARIOS[number].ends_after
    if last is not None:
        assert max(view.turn for view in idle[sides[0]].views) <= last.turn


def test_nobody_who_comes_later_is_on_the_table_before() -> None:
    battle = field(9)
    idle = {"british": Idle(), "german": Idle()}
    battle.play(idle)
    names = {
        view.turn: {stand.group.name for stand in view.situation.own}
        for view in idle["british"].views
    }
    assert not any("Relief" in name for name in names[11])
    assert any("Relief" in name for name in names[12])


def test_what_the_text_leaves_to_the_players_is_there_as_set_up_proposes_it() -> None:
    """Scenario 3: eight riflemen, two machine guns, twelve aircraft, and six men in hiding."""
    battle = field(3)
    idle = {"british": Idle(), "german": Idle()}
    battle.play(idle)
    own = Counter[str]()
    for stand in idle["german"].views[0].situation.own:
        own.update(stand.group.counts)
    assert own == {"rifle": 14, "machinegun": 2, "aircraft": 12}


class DrivesAmongAircraft(Idle):
    """Sends every group to an aircraft that is left."""

    def actions(self, view: FieldView) -> list[Action]:
        self.views.append(view)
        parked = [
            enemy.cell for enemy in view.situation.enemies if "aircraft" in enemy.group.counts
        ]
        chosen: list[Action] = []
        for stand in view.situation.own:
            goal = stand
            if parked:
                goal = stand._replace(cell=parked[0])
            chosen.append(GoTo(stand.group.id, goal))
        return chosen


def test_a_jeep_that_begins_its_move_touching_an_aircraft_destroys_it() -> None:
    """Without a draw: eight jeeps beside four aircraft leave none."""
    battle = field(3)
    raiders = DrivesAmongAircraft()
    battle.play({"british": raiders, "german": Idle()})
    left_parked = []
    for view in raiders.views:
        parked = [enemy.group.counts.get("aircraft", 0) for enemy in view.situation.enemies]
        left_parked.append(sum(parked))
    assert left_parked[0] == 12
    assert left_parked[-1] == 0


def test_what_left_the_table_or_rides_is_not_destroyed() -> None:
    known = GroupKnown("column", "Column", {"truck": 2}, {"rifle": 8})
    column = FieldGroup(known, GroundCell(0, 0), cover=False, enters=0)
    forces = FieldForces({"first": [column], "second": []}, library.catalog())
    column.lose("truck")
    assert forces.number_destroyed("first", "truck") == 1
    assert forces.number_destroyed("first", "rifle") == 0
    forces.leave_table("first", column)
    assert forces.number_destroyed("first", "truck") == 1


def test_an_emplaced_machine_gun_stands_on_its_mark() -> None:
    battle = field(10)
    idle = {"german": Idle(), "american": Idle()}
    battle.play(idle)
    scenario = SCENARIOS[10]
    assert scenario.map is not None
    marks = {table(10).grid.at(mark.at) for mark in scenario.map.marks if mark.kind == "mg"}
    for stand in idle["german"].views[0].situation.own:
        if stand.group.counts == {"machinegun": 1}:
            assert stand.cell in marks


class GoesOverCorners(Idle):
    """Sends its first group up and to the right, turn after turn."""

    def actions(self, view: FieldView) -> list[Action]:
        self.views.append(view)
        stand = view.situation.own[0]
        next_cell = GroundCell(stand.cell.column + 1, stand.cell.row + 1)
        return [GoTo(stand.group.id, stand._replace(cell=next_cell))]


def test_two_cells_over_corners_take_three_turns() -> None:
    """17 inches at 6 a turn: a move ends between the middles of two cells."""
    battle = field(9)
    walking = GoesOverCorners()
    battle.play({"british": walking, "german": Idle()})
    cells = [view.situation.own[0].cell for view in walking.views[:4]]
    columns = [cell.column - cells[0].column for cell in cells]
    assert columns == [0, 1, 1, 2]


class ChangesCarriers(Idle):
    """Its men get out, and one group mounts what another one has left."""

    def actions(self, view: FieldView) -> list[Action]:
        self.views.append(view)
        actions: list[Action] = []
        empty = [stand for stand in view.situation.own if "carriers" in stand.group.id]
        for stand in view.situation.own:
            if stand.group.aboard:
                actions.append(GetOut(stand.group.id, stand))
            elif empty and stand.group.id not in empty[-1].group.id and not actions:
                actions.append(MountUp(stand.group.id, stand, empty[-1]))
        return actions


def test_carriers_left_behind_are_never_taken_for_others() -> None:
    battle = field(4)
    unloading = ChangesCarriers()
    battle.play({"german": unloading, "british": Idle()})
    for view in unloading.views:
        ids = [stand.group.id for stand in view.situation.own]
        assert len(ids) == len(set(ids))


# ------------------------------------------------------------------ fire on the way

BLACK, RED = Draw(11, "S"), Draw(11, "H")
"""A machine gun misses with both of them; the black one pins."""


def draw_always(card: Draw, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stack the deck of the field: each draw is this card."""
    monkeypatch.setattr(FieldShots, "draw_card", lambda shots: card)


class FiresOnTheWay(Idle):
    """Waits for the first group of the enemy in the cell to its right, with all that it has."""

    def waits_for(self, view: FieldView) -> list[FireLine]:
        enemy = view.situation.enemies[0]
        cell = GroundCell(enemy.cell.column + 1, enemy.cell.row)
        guns = []
        for own in table(5).fire.guns_of(view.situation.own):
            if own.weapon.pins:
                guns.append(own)
        return [FireLine(1, enemy, cell, "pin", tuple(guns), 0.0)]


class GoesRight(Idle):
    """Sends its first group to the right, turn after turn."""

    def actions(self, view: FieldView) -> list[Action]:
        self.views.append(view)
        stand = view.situation.own[0]
        to = GroundCell(stand.cell.column + 1, stand.cell.row)
        return [GoTo(stand.group.id, stand._replace(cell=to))]


@pytest.mark.parametrize(
    ("pinning", "card", "columns"), [(True, BLACK, 0), (True, RED, 1), (False, BLACK, 1)]
)
def test_who_is_pinned_on_his_way_goes_no_farther(
    pinning: bool, card: Draw, columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw_always(card, monkeypatch)
    battle = FieldBattle(SCENARIOS[5], table(5), RULINGS, 2, pinning=pinning)
    walking = GoesRight()
    battle.play({"german": walking, "russian": FiresOnTheWay()})
    first, second = (view.situation.own[0].cell for view in walking.views[:2])
    assert second.column - first.column == columns


class DigsInThenStays(Idle):
    """Its first group digs in where it is not in cover yet."""

    def actions(self, view: FieldView) -> list[Action]:
        self.views.append(view)
        stand = view.situation.own[0]
        if stand.cover:
            return [StayPut(stand.group.id, stand)]
        return [DigIn(stand.group.id, stand)]


@pytest.mark.parametrize(("card", "covered"), [(Draw(11, "C"), True), (RED, False)])
def test_who_digs_in_on_a_black_card_has_cover_until_he_goes(
    card: Draw, covered: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Germans of the factory, who are all pioneers."""
    draw_always(card, monkeypatch)
    battle = FieldBattle(SCENARIOS[5], table(5), RULINGS, 2)
    digging = DigsInThenStays()
    battle.play({"german": digging, "russian": Idle()})
    covers = [view.situation.own[0].cover for view in digging.views[:4]]
    assert covers == [False, covered, covered, covered]


# ------------------------------------------------------------------ wire


def test_who_has_wire_lays_it_before_the_ground_that_decides() -> None:
    """Ten segments of 4 inches are six cells; only two scenarios have any."""
    laid = {}
    for number, scenario in SCENARIOS.items():
        cells = StartingCells(scenario, table(number)).wire()
        if cells:
            laid[number] = cells
    assert set(laid) == {4, 5}
    for number, cells in laid.items():
        assert len(cells) == 6
        mapped = SCENARIOS[number].map
        assert mapped is not None
        buildings = [table(number).grid.at(building.at) for building in mapped.buildings]
        assert all(min(apart(cell, other) for other in buildings) <= 9 for cell in cells)


class Clears(Idle):
    """Its first group clears a cell of wire each turn, wherever that is, and looks at the way."""

    def __init__(self, wire: Iterable[GroundCell]) -> None:
        super().__init__()
        self.wire = list(wire)
        self.known: list[frozenset[GroundCell]] = []

    def actions(self, view: FieldView) -> list[Action]:
        self.views.append(view)
        stand = view.situation.own[0]
        if not self.wire:
            return []
        return [CutWire(stand.group.id, stand, self.wire.pop())]

    def go_on_with(self, board: Board, plans: PlanMaker) -> None:
        self.known.append(board.paths.wire)


def test_both_sides_know_of_wire_that_is_cleared() -> None:
    battle = field(5)
    cells = StartingCells(SCENARIOS[5], table(5)).wire()
    german, russian = Clears(cells), Clears([])
    for side in ("german", "russian"):
        battle.commander(PlannedCommander, side, "steady")
    battle.play({"german": german, "russian": russian})
    assert german.known == russian.known
    assert [len(known) for known in german.known] == [5, 4, 3, 2, 1, 0]


# ------------------------------------------------------------------ an order for each group


@pytest.mark.parametrize(
    ("number", "turns_left"), deep_every(2, [(2, 9), (6, 2), (9, 12), (10, 2)])
)
def test_each_group_has_an_order_with_a_reason(number: int, turns_left: int) -> None:
    scenario, on = SCENARIOS[number], table(number)
    battle = field(number, seed=number + turns_left)
    sides = [side.id for side in scenario.sides]
    idle = {side: Idle() for side in sides}
    battle.play(idle)
    forces = {side.id: Force(Counter(side.units())) for side in scenario.sides}
    for side in sides:
        views = [view for view in idle[side].views if view.situation.own and view.situation.enemies]
        if not views:
            continue
        view = Random(turns_left).choice(views)
        aims = aims_of(scenario, side, forces, on.catalog)
        plans = PlanMaker(on.catalog, on.paths, aims, weights=WEIGHTS, temperament="bold")
        plan = plans.make(view.situation, view.turn, turns_left)
        tasks = plans.tasks(plan, view.situation, turns_left)
        board = on.board("bold")
        given = GroupLeader(board).orders(
            view.situation, tasks, turn=view.turn, draw=Random(1).randrange
        )
        assert {order.group for order in given} == {s.group.id for s in view.situation.own}
        outlook = Outlook(board, view.situation, tasks)
        for order in given:
            words = order_in_words(order, outlook)
            assert words.endswith(".")
            assert len(words.split(". ")) >= 2
            assert sentences_of_ways(order, outlook)
            chosen = [option for option in order.considered if option.action == order.action]
            assert all(not option.veto or isinstance(order.action, Charge) for option in chosen)


def test_the_commander_counts_guys_off_the_table_as_the_terms_do() -> None:
    """The key ``guy`` of the weights is for all men, as in scenario 1."""
    scenario = SCENARIOS[1]
    assert isinstance(scenario.victory, ExitTable)
    priced = replace(scenario, victory=replace(scenario.victory, weights={"guy": 3, "truck": 0}))
    catalog = table(1).catalog
    forces = {side.id: Force(side.units()) for side in priced.sides}
    worth = aims_of(priced, "german", forces, catalog).exit_worth
    assert (worth["rifle"], worth["mortar"], worth["truck"], worth["tank"]) == (3, 3, 0, 5)
