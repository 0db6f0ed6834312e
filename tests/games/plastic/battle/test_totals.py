"""All battles together: wins by scenario, points killed for points spent."""

from __future__ import annotations

from stage import Table, armies, scenario

from skirmish.games.plastic.battle.orders import Add, Correct, Finish, NameRiders
from skirmish.games.plastic.totals import BASIC_GAME, UnitTotal, totals


def ended(battle: Table, winner: str | None) -> Table:
    battle.order(Finish(winner=winner))
    return battle


def unit(found: tuple[UnitTotal, ...], name: str) -> UnitTotal:
    return next(one for one in found if one.name == name)


def test_each_scenario_counts_its_battles_wins_and_draws() -> None:
    ends = [(10, "american"), (1, "german"), (1, "polish"), (1, "polish"), (1, None)]
    found = totals(ended(scenario(number), winner).state for number, winner in ends)
    assert found.battles == 5
    assert [(one.scenario, one.title, one.battles, one.draws) for one in found.scenarios] == [
        (1, "Overmatched", 4, 1),
        (10, "Dog Beach", 1, 0),
    ]
    assert found.scenarios[0].wins == {"Germans": 1, "Poles": 2}
    assert found.scenarios[1].wins == {"Americans": 1, "Germans": 0}


def test_battles_of_armies_are_counted_together_after_the_scenarios() -> None:
    battles = [ended(armies({"rifle": 3}, {"rifle": 3}), "first"), ended(scenario(2), None)]
    found = totals(battle.state for battle in battles)
    assert [one.title for one in found.scenarios] == ["Stupid is as Stupid Does", BASIC_GAME]
    assert found.scenarios[1].wins == {"Reds": 1, "Blues": 0}


def test_a_unit_brings_points_killed_for_points_spent() -> None:
    battle = armies({"truck": 2, "rifle": 5}, {"tank": 1, "rifle": 5})
    battle.fire("tank", "truck", "3H", weapon="cannon")
    battle.order(NameRiders({}))
    battle.fire("rifle", "rifle", "4H")
    found = totals([ended(battle, None).state])
    tank, rifle, truck = (unit(found.units, name) for name in ("Tank", "Rifle Guy", "Truck"))
    assert (tank.count, tank.spent, tank.killed, tank.ratio) == (1, 20, 6, 0.3)
    assert (rifle.count, rifle.spent, rifle.killed, rifle.ratio) == (10, 10, 1, 0.1)
    assert (truck.count, truck.killed, truck.ratio) == (2, 0, 0)
    assert found.units[0] is tank


def test_a_gunner_turned_rifleman_was_paid_for_as_a_gunner() -> None:
    battle = armies({"rifle": 5}, {"machinegun": 1})
    battle.fire("machinegun", "rifle", "QS", "2S")
    battle.at(2, "first")
    battle.fire("rifle", "rifle", "3H")
    found = totals([ended(battle, None).state])
    assert unit(found.units, "Machinegun Guy").killed == 1
    assert unit(found.units, "Rifle Guy").killed == 0


def test_a_nation_pays_its_own_price() -> None:
    battle = armies({"rifle": 5}, {"rifle": 5}, nations=("german", None))
    battle.order(Add(row="first/first/tank", count=1))
    found = totals([ended(battle, None).state])
    assert unit(found.units, "Tank").spent == 18


def test_who_never_came_on_was_not_fielded_and_what_costs_nothing_has_no_ratio() -> None:
    battle = scenario(3)
    aircraft = unit(totals([ended(battle, None).state]).units, "Aircraft")
    assert (aircraft.count, aircraft.spent, aircraft.ratio) == (12, 0, None)
    battle = scenario(9)
    waiting = len(battle.state.waiting)
    assert waiting
    found = totals([ended(battle, None).state])
    assert sum(one.count for one in found.units) == len(battle.state.setup.pieces) - waiting


def test_what_is_written_off_by_hand_is_nobodys_merit() -> None:
    battle = armies({"rifle": 5}, {"rifle": 5})
    battle.order(Correct(row="first/first/rifle", by=-2))
    assert unit(totals([ended(battle, None).state]).units, "Rifle Guy").killed == 0


def test_no_battles_are_no_totals() -> None:
    found = totals([])
    assert (found.battles, found.scenarios, found.units) == (0, (), ())


def test_a_battle_that_goes_on_does_not_count() -> None:
    assert totals([scenario(1).state]).battles == 0
