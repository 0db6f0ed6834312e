"""Leaving the table for good: what it counts in scenarios 1, 3 and 7, and in the basic game."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from stage import Table, armies, of, scenario

from skirmish.games.plastic.battle.events import AnyEvent, Exited, Finished, Overruled
from skirmish.games.plastic.battle.lines import lines
from skirmish.games.plastic.battle.orders import (
    Convert,
    Correct,
    Exit,
    Fire,
    Load,
    PlayOn,
    Serve,
    Unload,
)
from skirmish.games.plastic.battle.orders.resolution import Resolution
from skirmish.games.plastic.battle.progress import victory_status
from skirmish.games.plastic.battle.setup_choices import SetupChoices
from skirmish.games.plastic.battle.victory import victory_kind

COLUMN = "german/column"
RIDING = SetupChoices()


def column(row: str, count: int = 1, counts: bool = True) -> Exit:
    return Exit(row=f"{COLUMN}/{row}", count=count, counts=counts)


def value(table: Table, order: Exit) -> int:
    return sum(event.value for event in of(Exited, table.order(order)))


# ------------------------------------------------------------------ scenario 1


@pytest.mark.parametrize(
    ("unit", "counts"),
    [("rifle", 1), ("mortar", 1), ("tank", 5), ("halftrack", 5), ("truck", 0)],
)
def test_what_each_counts_in_scenario_1(unit: str, counts: int) -> None:
    assert value(scenario(1), column(unit)) == counts


def test_a_unit_that_the_terms_do_not_price_counts_as_toward_the_break_point() -> None:
    state = scenario(1).state
    setup = state.setup
    assert setup.scenario is not None
    terms = replace(setup.scenario.victory, weights={"truck": 0})
    setup = replace(setup, scenario=replace(setup.scenario, victory=terms))
    victory = victory_kind(replace(state, setup=setup))
    assert victory.exit_value(["german:T1"]) == 5
    assert victory.exit_value(["german:R1"]) == 1
    assert victory.exit_value(["german:K1"]) == 0


def test_who_rides_leaves_with_the_model_and_counts_one() -> None:
    table = scenario(1, chosen=RIDING)
    (left,) = of(Exited, table.order(column("halftrack")))
    assert (len(left.pieces), left.value) == (11, 15)
    (left,) = of(Exited, table.order(column("truck")))
    assert (len(left.pieces), left.value) == (11, 10)
    assert lines(table.play)[-2].text.startswith("Germans: Halftrack H1, ")
    assert table.alive("german", "halftrack") == 0


def test_a_cannon_counts_five_when_a_truck_takes_it_along() -> None:
    table = scenario(1, options={"column": [1]})
    table.order(Load(carrier=f"{COLUMN}/truck", riders={f"{COLUMN}/cannon": 1}))
    assert value(table, column("truck")) == 5


def test_twenty_are_enough_and_end_it_at_once() -> None:
    table = scenario(1)
    table.order(column("rifle", 19))
    assert table.state.outcome is None
    (end,) = of(Finished, table.order(column("grenade")))
    assert (end.winner, end.reason) == ("german", "20 have left the table; 20 were needed.")


def test_over_another_edge_it_counts_nothing() -> None:
    table = scenario(1)
    assert value(table, column("rifle", 23, counts=False)) == 0
    assert table.state.outcome is None
    assert table.alive("german", "rifle") == 0
    assert table.state.loss.get("german", 0) == 0


def test_who_cannot_win_by_it_is_advised_against_leaving() -> None:
    table = scenario(1)
    leave = Exit(row="polish/rearguard/rifle")
    refusal = table.refusal(leave)
    assert refusal.message == "Leaving the table does not count in this scenario."
    assert not refusal.firm
    assert value(table, Exit(row="polish/rearguard/rifle", insist=True)) == 0
    assert table.alive("polish", "rifle") == 19
    table.order(Exit(row="polish/rearguard/rifle", counts=False, insist=True))


@pytest.mark.parametrize(
    ("row", "count", "says"),
    [
        (f"{COLUMN}/tank", 2, "Only 1 Tank can leave, not 2."),
        (f"{COLUMN}/tank", 0, "Only 1 Tank can leave, not 0."),
        (f"{COLUMN}/rifle", 1, "Only 0 Rifle Guys can leave, not 1."),
        (f"{COLUMN}/jeep", 1, f"There is no row called '{COLUMN}/jeep'."),
    ],
)
def test_only_who_is_there_and_on_foot_can_leave(row: str, count: int, says: str) -> None:
    refusal = scenario(1, chosen=RIDING).refusal(Exit(row=row, count=count, insist=True))
    assert (refusal.message, refusal.firm) == (says, True)


def test_the_loaded_model_leaves_first_unless_another_is_named() -> None:
    table = scenario(1)
    riders = {f"{COLUMN}/rifle": 3}
    table.order(Load(carrier=f"{COLUMN}/truck", riders=riders, piece="german:K2"))
    (left,) = of(Exited, table.order(column("truck")))
    assert left.pieces[0] == "german:K2"
    table.undo()
    named = Exit(row=f"{COLUMN}/truck", piece="german:K1")
    (left,) = of(Exited, table.order(named))
    assert left.pieces == ("german:K1",)


def test_who_has_left_is_no_target_and_no_shooter() -> None:
    table = scenario(1)
    table.order(column("tank"))
    table.at(1, "polish")
    gone = Fire(shooter=f"{COLUMN}/tank", target="polish/rearguard/rifle")
    assert table.refusal(gone).firm
    back = Fire(shooter="polish/rearguard/rifle", target=f"{COLUMN}/tank")
    assert table.refusal(back).firm


def test_an_exit_taken_back_counts_no_more() -> None:
    table = scenario(1, chosen=RIDING)
    table.order(column("halftrack"))
    table.undo()
    assert not table.state.exited
    assert len(table.row("german", "rifle").aboard) == 23


def test_an_exit_made_void_counts_no_more() -> None:
    table = scenario(1, chosen=RIDING)
    table.order(column("halftrack"))
    table.play.accept(table.play.possible("void", *lines(table.play)[-1].entry_numbers))
    assert not table.state.exited
    line, *_ = victory_status(table.state)
    assert "have 0" in line.text


def test_one_who_had_not_left_after_all_takes_his_own_count_back() -> None:
    table = scenario(1, chosen=RIDING)
    table.order(column("halftrack"))
    table.order(Correct(row=f"{COLUMN}/rifle", by=2))
    line, *_ = victory_status(table.state)
    assert "have 13" in line.text
    assert len(table.row("german", "rifle").on_foot) == 2
    table.order(Correct(row=f"{COLUMN}/halftrack", by=1))
    line, *_ = victory_status(table.state)
    assert "have 8" in line.text


def test_who_got_out_does_not_leave_with_the_model() -> None:
    table = scenario(1, chosen=RIDING)
    table.order(Unload(carrier=f"{COLUMN}/halftrack"))
    assert value(table, column("halftrack")) == 5


def test_going_on_after_the_end_counts_but_ends_nothing() -> None:
    table = scenario(1)
    table.order(column("rifle", 20))
    assert table.refusal(column("rifle")).code == "over"
    table.order(PlayOn())
    table.order(column("rifle", 3))
    assert table.state.outcome is None


# ------------------------------------------------------------------ scenarios 3 and 7

JEEPS = "british/raiders/mg_jeep"
AIRCRAFT = "german/aircraft/aircraft"


def test_jeeps_count_once_six_aircraft_are_destroyed() -> None:
    table = scenario(3)
    table.order(Correct(row=AIRCRAFT, by=-6))
    assert value(table, Exit(row=JEEPS, count=3)) == 3
    (end,) = of(Finished, table.order(Exit(row=JEEPS)))
    assert (end.winner, end.reason) == ("british", "6 destroyed, and 4 got away.")


def test_a_jeep_that_leaves_before_that_is_advised_against_and_counts_nothing() -> None:
    table = scenario(3)
    table.order(Correct(row=AIRCRAFT, by=-5))
    refusal = table.refusal(Exit(row=JEEPS))
    assert refusal.message == "Only 5 of 6 aircraft are destroyed, so leaving does not count yet."
    assert not refusal.firm
    assert value(table, Exit(row=JEEPS, insist=True)) == 0
    table.order(Correct(row=AIRCRAFT, by=-1))
    table.order(Exit(row=JEEPS, count=3))
    assert table.state.outcome is None
    assert value(table, Exit(row=JEEPS)) == 1
    assert table.state.outcome is not None


def test_jeeps_lost_by_leaving_too_early_lose_the_raid() -> None:
    table = scenario(3)
    table.order(Exit(row=JEEPS, count=4, insist=True))
    assert table.state.outcome is None
    (end,) = of(Finished, table.order(Exit(row=JEEPS, insist=True)))
    assert end.winner == "german"


@pytest.mark.parametrize(
    ("answer", "unit", "counts", "enough"),
    [("pdg", "elefant", 5, 32), ("pieces", "elefant", 1, 16), ("pdg", "rifle", 1, 32)],
)
def test_half_the_german_force_at_kursk(answer: str, unit: str, counts: int, enough: int) -> None:
    """P81."""
    table = scenario(7, answers={"P81": answer})
    line, *_ = victory_status(table.state)
    assert line.text.startswith(f"need {enough} off the table by the end of German turn 24")
    assert value(table, Exit(row=f"german/spearhead/{unit}")) == counts


def test_sixteen_pieces_are_half_of_thirty_one() -> None:
    """P81 pieces."""
    table = scenario(7, answers={"P81": "pieces"})
    table.order(Exit(row="german/spearhead/rifle", count=15))
    assert table.state.outcome is None
    table.order(Exit(row="german/spearhead/mortar"))
    assert table.state.outcome is not None
    assert table.state.outcome.winner == "german"


# ------------------------------------------------------------------ the basic game


def test_who_leaves_over_the_enemys_edge_counts_as_his_loss() -> None:
    """The Basic Game's own example: 10 guys killed, 6 tanks off his edge."""
    table = armies(
        {"tank": 6, "rifle": 20}, {"tank": 4, "jeep": 2, "truck": 1, "cannon": 1} | {"rifle": 40}
    )
    table.order(Correct(row="second/second/rifle", by=-10))
    table.order(Exit(row="first/first/tank", count=5))
    assert table.state.loss["second"] == 35
    assert table.state.outcome is None
    (end,) = of(Finished, table.order(Exit(row="first/first/tank")))
    assert end.winner == "first"
    assert end.reason == "Blues broke: 40 of 80 lost, with a break point of 40."
    assert table.state.loss.get("first", 0) == 0


def test_riders_who_leave_count_too() -> None:
    table = armies({"truck": 1, "rifle": 20}, {"rifle": 40})
    table.order(Load(carrier="first/first/truck", riders={"first/first/rifle": 7}))
    table.order(Exit(row="first/first/truck"))
    assert table.state.loss["second"] == 12


def test_who_leaves_elsewhere_costs_the_enemy_nothing() -> None:
    table = armies({"tank": 2, "rifle": 20}, {"rifle": 40})
    table.order(Exit(row="first/first/tank", counts=False))
    assert table.state.loss.get("second", 0) == 0


def test_who_had_not_left_after_all_gives_the_enemy_his_loss_back() -> None:
    table = armies({"tank": 2, "rifle": 20}, {"rifle": 40})
    table.order(Exit(row="first/first/tank", count=2))
    table.order(Correct(row="first/first/tank", by=1))
    assert table.state.loss["second"] == 5


def test_a_truck_of_an_army_that_can_spare_it_is_a_loss_to_the_enemy_all_the_same() -> None:
    """Nationalities: American trucks do not count toward their own army's break."""
    table = armies({"truck": 2, "rifle": 20}, {"rifle": 40}, nations=("american", None))
    table.order(Correct(row="first/first/truck", by=-1))
    assert table.state.loss.get("first", 0) == 0
    table.order(Exit(row="first/first/truck"))
    assert table.state.loss["second"] == 5


def test_in_a_scenario_with_the_break_point_leaving_is_no_loss_to_anybody() -> None:
    """P58 on: scenario 1's exits count for its own terms only."""
    table = scenario(1, answers={"P58": "on"})
    table.order(column("tank", 1))
    assert table.state.loss == {}


def test_an_order_against_advice_folds_each_of_its_events_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = armies({"rifle": 9}, {"rifle": 9}).at(1, "first", 2)
    emitted: list[object] = []
    emit = Resolution.emit

    def counted(run: Resolution, event: AnyEvent) -> None:
        emitted.append(event)
        emit(run, event)

    monkeypatch.setattr(Resolution, "emit", counted)
    monkeypatch.delattr("skirmish.tabletop.journal.fold")
    entry = table.play.consider(Exit(row=table.row("first", "rifle").key, insist=True))
    table.play.accept(entry)
    assert emitted == list(entry.events)
    assert isinstance(entry.events[-1], Overruled)


# ------------------------------------------------------------------ what may not move


def test_an_emplaced_gun_does_not_leave_the_table() -> None:
    """Scenario 10: "MG's are emplaced and may not move, although they may be abandoned"."""
    table = scenario(10).at(1, "german")
    row = "german/emplacements/machinegun"
    refusal = table.refusal(Exit(row=row, counts=False))
    assert (refusal.code, refusal.firm) == ("may_not_move", False)
    assert refusal.message == "The six Machinegun Guys on the marks may not move."
    table.order(Convert(row=row))
    table.order(Exit(row="german/emplacements/rifle", counts=False))
    table.order(Exit(row=row, counts=False, insist=True))
    assert table.alive("german", "machinegun") == 4


def test_a_tank_without_fuel_does_not_leave_the_table() -> None:
    """Scenario 2: "French tanks may not move, fire or pivot until …"."""
    table = scenario(2).at(2, "french")
    row = "french/tanks/tank"
    refusal = table.refusal(Exit(row=row, counts=False))
    assert (refusal.code, refusal.message) == (
        "unserved",
        "Tank T1 may not move before being served.",
    )
    table.order(Serve(row=row, piece="french:T5"))
    (left,) = of(Exited, table.order(Exit(row=row, counts=False)))
    assert left.pieces == ("french:T5",)
    refusal = table.refusal(Exit(row=row, count=3, counts=False))
    assert refusal.message == "3 Tanks may not move before being served."
