"""How far each side is from victory, whether it can still win, and how a battle ends by itself."""

from __future__ import annotations

import pytest
from stage import Table, armies, of, scenario

from skirmish import library
from skirmish.games.plastic.battle.agenda import OutcomeAsk
from skirmish.games.plastic.battle.events import Finished
from skirmish.games.plastic.battle.orders import (
    Add,
    Correct,
    Count,
    EndPhase,
    EndTurn,
    Exit,
    Finish,
    Fire,
    Load,
    PlayOn,
    SetClock,
    Show,
)
from skirmish.games.plastic.battle.progress import headline, victory_status
from skirmish.games.plastic.battle.setup import Deadline
from skirmish.games.plastic.battle.setup_choices import SetupChoices
from skirmish.games.plastic.battle.strength import beating_loss
from skirmish.tabletop.chance import Draw, Source


def says(table: Table, side: str) -> str:
    return next(one.text for one in victory_status(table.state) if one.side == side)


def can_win(table: Table, side: str) -> bool:
    return next(one.can_win for one in victory_status(table.state) if one.side == side)


def lose(table: Table, row: str, count: int) -> list[Finished]:
    return of(Finished, table.order(Correct(row=row, by=-count)))


# ------------------------------------------------------------------ the running line


@pytest.mark.parametrize(
    ("number", "side", "line"),
    [
        (
            1,
            "german",
            "need 20 off the table by the end of German turn 11: have 0, can reach 40, may lose 20",
        ),
        (
            2,
            "german",
            "need 8 Tanks destroyed by the end of German turn 10: "
            "have 0; 0 vehicles lost, 5 allowed",
        ),
        (
            3,
            "british",
            "need 6 Aircraft destroyed: have 0; then 4 MG Jeeps off the table: have 0",
        ),
        (4, "german", "need 4 buildings by the end of German turn 12: not counted yet"),
        (
            5,
            "german",
            "need twice as many buildings by the end of German turn 10: not counted yet",
        ),
        (
            6,
            "german",
            "need the centre clear of the British by the end of German turn 9: not counted yet",
        ),
        (
            7,
            "german",
            "need 32 off the table by the end of German turn 24: have 0, can reach 63, may lose 31",
        ),
        (
            8,
            "german",
            "need more Tanks and Tiger Tanks left by the end of Russian turn 12: have 12",
        ),
        (
            8,
            "russian",
            "need more Tanks and Tiger Tanks left by the end of Russian turn 12: have 14",
        ),
        (
            9,
            "british",
            "need more guys on the bridge by the end of German turn 24: not counted yet",
        ),
        (
            10,
            "american",
            "need more guys in buildings by the end of German turn 15: not counted yet",
        ),
        (  # equal numbers are theirs
            10,
            "german",
            "need as many guys in buildings by the end of German turn 15: not counted yet",
        ),
    ],
)
def test_at_the_beginning_the_line_says_what_is_needed(number: int, side: str, line: str) -> None:
    assert says(scenario(number), side) == line
    assert can_win(scenario(number), side)


@pytest.mark.parametrize("number", library.published_scenarios())
def test_at_the_beginning_nobody_has_lost_yet(number: int) -> None:
    found = victory_status(scenario(number).state)
    assert found
    assert all(one.can_win for one in found)


def test_the_line_follows_losses_and_exits() -> None:
    """Scenario 1, with the halftrack: 30 guys and two models of 5."""
    table = scenario(1)
    lose(table, "german/column/rifle", 5)
    table.order(Exit(row="german/column/tank"))
    assert says(table, "german").endswith("have 5, can reach 35, may lose 15")
    table.order(Correct(row="german/column/rifle", by=2))
    assert says(table, "german").endswith("have 5, can reach 37, may lose 17")


def test_another_end_of_dog_beach_is_told() -> None:
    """P80."""
    table = scenario(10, answers={"P80": "american_16"})
    assert "by the end of American turn 16" in says(table, "american")


def test_in_the_basic_game_the_line_tells_the_break_point() -> None:
    table = armies({"rifle": 9}, {"rifle": 6, "tank": 1})
    assert says(table, "first") == "breaks at 5 lost: 0 of 9 so far"
    assert says(table, "second") == "breaks at 6 lost: 0 of 11 so far"
    lose(table, "second/second/tank", 1)
    assert says(table, "second") == "breaks at 6 lost: 5 of 11 so far"


# ------------------------------------------------------------------ can no longer win


def test_the_column_can_win_with_just_enough_left() -> None:
    table = scenario(1)
    lose(table, "german/column/rifle", 20)
    assert can_win(table, "german")
    assert "can reach 20, may lose 0" in says(table, "german")
    lose(table, "german/column/mortar", 1)
    assert not can_win(table, "german")
    assert table.state.outcome is None


def test_men_who_left_elsewhere_cannot_win_it() -> None:
    table = scenario(1)
    table.order(Exit(row="german/column/rifle", count=20, counts=False))
    assert can_win(table, "german")
    table.order(Exit(row="german/column/tank", counts=False))
    assert not can_win(table, "german")


def test_men_added_can_win_it_again() -> None:
    table = scenario(1)
    lose(table, "german/column/rifle", 21)
    assert not can_win(table, "german")
    table.order(Add(row="german/column/rifle"))
    assert can_win(table, "german")


def test_a_cannon_that_nothing_can_take_along_does_not_count() -> None:
    """Scenario 1, the other list: 30 guys, a tank, a cannon, three trucks."""
    table = scenario(1, options={"column": [1]})
    assert "can reach 40" in says(table, "german")
    lose(table, "german/column/truck", 2)
    assert "can reach 40" in says(table, "german")
    lose(table, "german/column/truck", 1)
    assert "can reach 35" in says(table, "german")


def test_a_truck_that_left_without_the_cannon_takes_it_no_more() -> None:
    table = scenario(1, options={"column": [1]})
    table.order(Exit(row="german/column/truck", count=3))
    assert "can reach 35" in says(table, "german")
    other = scenario(1, options={"column": [1]})
    riders = {"german/column/cannon": 1}
    other.order(Load(carrier="german/column/truck", riders=riders))
    other.order(Exit(row="german/column/truck", count=3))
    assert "have 5, can reach 40" in says(other, "german")


def test_eight_tanks_cannot_be_destroyed_once_too_few_are_left() -> None:
    """Scenario 2: tanks that left the table cannot be destroyed any more."""
    table = scenario(2)
    leave = Exit(row="french/tanks/tank", count=4, insist=True)
    table.order(leave)
    assert can_win(table, "german")
    table.order(Exit(row="french/tanks/tank", insist=True))
    assert not can_win(table, "german")
    assert table.state.outcome is None


def test_five_vehicles_may_be_lost_and_no_more() -> None:
    """Scenario 2: tanks, halftrack and trucks; a cannon is none."""
    table = scenario(2, options={"vanguard": [1]})
    lose(table, "german/vanguard/cannon", 1)
    lose(table, "german/vanguard/truck", 1)
    assert says(table, "german").endswith("1 vehicle lost, 5 allowed")
    lose(table, "german/vanguard/truck", 1)
    lose(table, "german/vanguard/tank", 3)
    assert says(table, "german").endswith("5 vehicles lost, 5 allowed")
    assert can_win(table, "german")
    assert table.state.outcome is None
    (end,) = lose(table, "german/vanguard/tank", 1)
    assert (end.winner, end.reason) == ("french", "More than 5 vehicles were lost.")
    assert not can_win(table, "german")


def test_the_raid_needs_four_jeeps() -> None:
    table = scenario(3)
    lose(table, "british/raiders/mg_jeep", 4)
    assert can_win(table, "british")
    (end,) = lose(table, "british/raiders/mg_jeep", 1)
    assert (end.winner, end.reason) == ("german", "The raid can no longer succeed.")
    assert not can_win(table, "british")


def test_a_jeep_that_got_away_counts_with_those_left() -> None:
    table = scenario(3)
    lose(table, "german/aircraft/aircraft", 6)
    table.order(Exit(row="british/raiders/mg_jeep", count=3))
    lose(table, "british/raiders/mg_jeep", 4)
    assert table.state.outcome is None
    assert can_win(table, "british")
    (end,) = lose(table, "british/raiders/mg_jeep", 1)
    assert end.winner == "german"


def test_a_raid_on_six_aircraft_must_destroy_them_all() -> None:
    table = scenario(3, chosen=SetupChoices(answers={"aircraft": 6}))
    assert can_win(table, "british")
    lose(table, "german/aircraft/aircraft", 1)
    assert can_win(table, "british")


def test_without_tanks_nobody_has_more_of_them() -> None:
    """Scenario 8."""
    table = scenario(8)
    lose(table, "german/spearhead/tank", 9)
    assert can_win(table, "german")
    lose(table, "german/spearhead/tiger", 3)
    assert not can_win(table, "german")
    assert can_win(table, "russian")


def test_without_guys_nobody_has_more_of_them() -> None:
    """Scenario 9: whoever is still to come counts as well."""
    table = scenario(9)
    for unit, count in {"rifle": 8, "machinegun": 1, "grenade": 1}.items():
        lose(table, f"german/garrison/{unit}", count)
    assert can_win(table, "german")
    for unit, count in {"rifle": 50, "machinegun": 4, "mortar": 2, "grenade": 1}.items():
        lose(table, f"german/reaction/{unit}", count)
    assert not can_win(table, "german")
    assert can_win(table, "british")


def test_who_wins_ties_can_win_without_anybody() -> None:
    """Scenario 10: as many on both sides, Germans win."""
    table = scenario(10)
    for row in ("bluffs/rifle", "bluffs/grenade", "emplacements/machinegun"):
        side, unit = row.split("/")
        lose(table, f"german/{row}", len(table.row("german", unit).alive))
        assert side
    assert can_win(table, "german")


def test_men_in_craft_can_still_land() -> None:
    table = scenario(10, chosen=SetupChoices())
    lose(table, "american/seawall/rifle", 24)
    lose(table, "american/sand/rifle", 10)
    assert can_win(table, "american")
    lose(table, "american/rangers/landing_craft", 2)
    assert not can_win(table, "american")


def test_pioneers_must_live_to_hold_a_building_alone() -> None:
    """Scenario 5: one to none is enough, none to none is not."""
    table = scenario(5)
    for unit, count in {"rifle": 30, "machinegun": 6, "grenade": 20}.items():
        lose(table, f"german/assault/{unit}", count)
    assert can_win(table, "german")
    lose(table, "german/assault/flamethrower", 6)
    assert not can_win(table, "german")


def test_a_building_entered_last_is_held_by_the_dead() -> None:
    """Scenario 4: "or the last to enter", so it can still be won without anybody left."""
    table = scenario(4)
    for row in {piece.unit for piece in table.state.setup.pieces if piece.side == "german"}:
        lose(table, f"german/assault/{row}", len(table.row("german", row).alive))
    assert can_win(table, "german")


def test_an_army_that_counts_for_nothing_can_win_all_the_same() -> None:
    """The Basic Game, American jeeps with nationalities."""
    table = armies({"rifle": 9}, {"mg_jeep": 3}, nations=(None, "american"))
    assert can_win(table, "second")
    assert says(table, "second") == "has no units that count, and cannot break"


def test_a_broken_army_cannot_win() -> None:
    """P74 end_of_phase: it may still break the enemy as well, for a draw."""
    table = armies({"rifle": 4}, {"rifle": 9}, answers={"P74": "end_of_phase"})
    lose(table, "first/first/rifle", 2)
    assert table.state.outcome is None
    assert not can_win(table, "first")
    assert can_win(table, "second")


# ------------------------------------------------------------------ ends found by the program


def test_eight_destroyed_win_only_when_the_time_is_up() -> None:
    """Scenario 2: vehicles may still be lost until German turn 10 is over."""
    table = scenario(2)
    assert not lose(table, "french/tanks/tank", 8)
    table.at(10, "german")
    (end,) = of(Finished, table.order(EndTurn()))
    assert (end.winner, end.reason) == ("german", "8 destroyed, 8 needed.")


def test_seven_destroyed_are_too_few() -> None:
    table = scenario(2)
    lose(table, "french/tanks/tank", 7)
    table.at(10, "german")
    (end,) = of(Finished, table.order(EndTurn()))
    assert (end.winner, end.reason) == ("french", "7 destroyed, 8 needed.")


@pytest.mark.parametrize(
    ("tanks", "winner"), [(1, "russian"), (2, None), (3, "german"), (14, "german")]
)
def test_more_tanks_left_win(tanks: int, winner: str | None) -> None:
    """Scenario 8: Tigers count as tanks, halftracks do not; as many is a draw."""
    table = scenario(8)
    lose(table, "russian/guards/tank", tanks)
    lose(table, "german/spearhead/halftrack", 4)
    table.at(12, "russian")
    (end,) = of(Finished, table.order(EndTurn()))
    assert end.winner == winner
    assert end.reason == f"Survivors: 12 to {14 - tanks}."


def test_a_clock_set_past_the_end_ends_it_with_that_turn() -> None:
    table = scenario(8)
    table.order(SetClock(turn=13, side="german", phase=1))
    (end,) = of(Finished, table.order(EndTurn()))
    assert end.winner == "russian"
    counted = scenario(9)
    counted.order(SetClock(turn=30, side="british", phase=2))
    counted.order(EndTurn())
    assert counted.state.ask == OutcomeAsk(count=True)


def test_a_clock_set_back_from_the_end_plays_on() -> None:
    table = scenario(1).at(11, "german")
    table.order(SetClock(turn=10, side="german", phase=1))
    table.order(EndTurn())
    assert table.state.outcome is None


def test_the_enemys_turn_before_the_last_is_not_the_end() -> None:
    """Scenario 10 with P80: Germans move second, and their turn 15 is not the last."""
    table = scenario(10, answers={"P80": "american_16"}).at(15, "german")
    table.order(EndTurn())
    assert (table.state.ask, table.state.outcome) == (None, None)


# ------------------------------------------------------------------ break point, beside the terms


def test_with_the_break_point_an_army_may_break_before_the_terms_are_met() -> None:
    """P58 on: scenario 1's Poles are worth 28."""
    table = scenario(1, answers={"P58": "on"})
    lose(table, "polish/rearguard/rifle", 13)
    assert table.state.outcome is None
    (end,) = lose(table, "polish/rearguard/rifle", 1)
    assert end.winner == "german"
    assert end.reason == "Polish rearguard broke: 14 of 28 lost, with a break point of 14."


def test_with_the_break_point_the_scenarios_own_clock_still_holds() -> None:
    table = scenario(1, answers={"P58": "on"})
    assert table.state.setup.ends_after == Deadline("german", 11)
    table.at(11, "german")
    (end,) = of(Finished, table.order(EndTurn()))
    assert end.winner == "polish"


def test_reinforcements_count_in_a_sides_strength_from_the_start() -> None:
    """P58 on, scenario 9: garrison 20, reaction force 67."""
    table = scenario(9, answers={"P58": "on"})
    assert beating_loss(table.state, "german") == 44
    assert beating_loss(table.state, "british") == 37


def test_men_who_come_by_a_draw_raise_the_break_point() -> None:
    """P58 on, scenario 3: four riflemen more."""
    table = scenario(3, answers={"P58": "on"}).at(2, "british")
    before = beating_loss(table.state, "german")
    table.order(EndTurn())
    table.show("4D", "AH")
    assert before is not None
    assert beating_loss(table.state, "german") == before + 2


def test_the_airfield_is_a_draw_after_turn_30_if_players_like() -> None:
    """P68 draw_after_30, and P58 on does the same."""
    for answers in ({"P68": "draw_after_30"}, {"P58": "on"}):
        table = scenario(3, answers=answers, sources=(Source("deck", seed=1),) * 2)
        table.order(SetClock(turn=30, side="british", phase=1))
        table.order(EndTurn())
        table.at(30, "german", 4)
        assert table.state.outcome is None
        (end,) = of(Finished, table.order(EndPhase()))
        assert (end.winner, end.reason) == (None, "Turn 30 has passed without a result.")


def test_an_impossible_raid_is_lost_under_either_answer() -> None:
    """P68."""
    table = scenario(3, answers={"P68": "draw_after_30"})
    (end,) = lose(table, "british/raiders/mg_jeep", 5)
    assert end.winner == "german"


@pytest.mark.parametrize(("answer", "on"), [("extra_seats", [17, 16]), ("three_ashore", [15, 15])])
def test_the_full_landing_craft(answer: str, on: list[int]) -> None:
    """P71."""
    table = scenario(10, chosen=SetupChoices(rulings={"P71": answer}))
    craft = table.row("american", "landing_craft").here
    assert [len(table.state.riders_of(piece)) for piece in craft] == on
    rangers = [p.id for p in table.state.setup.pieces if p.contingent == "rangers"]
    ashore = [p for p in rangers if p not in table.state.aboard and p not in craft]
    assert len(ashore) == 33 - sum(on)


def test_both_armies_break_in_one_phase_of_a_scenario() -> None:
    """P58 on and P74 end_of_phase: a draw; who breaks alone loses."""
    table = scenario(1, answers={"P58": "on", "P74": "end_of_phase"})
    lose(table, "polish/rearguard/rifle", 14)
    lose(table, "german/column/rifle", 23)
    lose(table, "german/column/grenade", 2)
    assert table.state.outcome is None
    (end,) = of(Finished, table.order(EndPhase()))
    assert (end.winner, end.reason) == (None, "Both armies have broken.")


def test_men_brought_back_before_the_phase_ends_save_the_army() -> None:
    table = armies({"rifle": 4}, {"rifle": 9}, answers={"P74": "end_of_phase"})
    lose(table, "first/first/rifle", 2)
    table.order(Correct(row="first/first/rifle", by=1))
    table.order(EndPhase())
    assert table.state.outcome is None


# ------------------------------------------------------------------ the players' word


def test_players_may_go_on_and_then_only_they_end_it() -> None:
    table = armies({"rifle": 4}, {"rifle": 9})
    lose(table, "first/first/rifle", 2)
    assert headline(table.state) == "Winner: Blues"
    assert table.refusal(EndTurn()).message == "The battle is over; Backspace reopens it."
    table.order(PlayOn())
    assert not lose(table, "first/first/rifle", 2)
    table.at(31, "first")
    assert table.state.outcome is None
    table.order(Finish(winner="first"))
    assert table.state.outcome is not None
    assert (table.state.outcome.winner, table.state.outcome.reason) == (
        "first",
        "Agreed by the players.",
    )


def test_players_may_agree_on_a_draw_in_the_middle_of_a_shot() -> None:
    table = armies({"rifle": 4}, {"rifle": 9})
    table.order(table.shot("rifle", "rifle"))
    table.order(Finish(winner=None, reason="Supper"))
    assert headline(table.state) == "A draw"
    assert (table.state.ask, table.state.agenda) == (None, ())
    assert table.refusal(Show((Draw(5, "H"),))).code == "over"


def test_nobody_else_can_win() -> None:
    refusal = armies({"rifle": 4}, {"rifle": 9}).refusal(Finish(winner="swiss"))
    assert refusal.message == "There is no side called 'swiss'; choose from first, second."


def test_a_battle_ended_by_a_loss_goes_on_when_that_is_taken_back() -> None:
    table = scenario(3)
    lose(table, "british/raiders/mg_jeep", 5)
    table.undo()
    assert table.state.outcome is None
    table.order(Fire(shooter="german/garrison/rifle", target="british/raiders/mg_jeep"))


def test_a_count_taken_back_is_asked_for_again() -> None:
    table = scenario(9).at(24, "german")
    table.order(EndTurn())
    table.order(Count(values={"british": 1, "german": 0}))
    table.undo()
    assert table.state.ask == OutcomeAsk(count=True)
    table.order(Count(values={"british": 0, "german": 1}))
    assert table.state.outcome is not None
    assert table.state.outcome.winner == "german"


def test_with_the_break_point_the_line_tells_how_near_each_army_is_to_it() -> None:
    table = scenario(1, answers={"P58": "on"})
    assert {one.side for one in victory_status(table.state)} == {"german", "polish"}
    assert "break" in says(table, "polish")
