"""Reinforcements: told a turn ahead, on at their turn, some of them, late; what limits them."""

from __future__ import annotations

import msgspec
import pytest
from stage import CARDS, Table, of, scenario

from skirmish import library
from skirmish.games.plastic.battle.agenda import RepeatAsk
from skirmish.games.plastic.battle.events import Entered, Unloaded
from skirmish.games.plastic.battle.lines import lines
from skirmish.games.plastic.battle.orders import (
    Add,
    Correct,
    EndTurn,
    Enter,
    Exit,
    Fire,
    Load,
    NameRiders,
    SetClock,
    why_not,
)
from skirmish.games.plastic.battle.orders.reinforcements import waves
from skirmish.games.plastic.battle.reminders import limits_now
from skirmish.games.plastic.battle.rows import find_row
from skirmish.games.plastic.battle.scenario_opening import from_scenario
from skirmish.games.plastic.battle.setup_choices import SetupChoices

REACTION = "german/reaction"
GROUP_B = "german/group_b"


def to_come(table: Table) -> dict[str, bool]:
    """Who is announced, and whether it is now."""
    return {wave.contingent.id: wave.due_now for wave in waves(table.state)}


@pytest.mark.parametrize(
    ("turn", "side", "told"),
    [
        (6, "german", {}),
        (7, "british", {"reaction": False}),
        (7, "german", {"reaction": False}),
        (8, "british", {"reaction": False}),
        (8, "german", {"reaction": True}),
        (9, "british", {"reaction": False}),
        (9, "german", {"reaction": True}),
        (10, "german", {"reaction": True}),
        (11, "british", {"reaction": False, "relief": False}),
        (12, "british", {"relief": True, "reaction": False}),
        (12, "german", {"reaction": True, "relief": False}),
    ],
)
def test_a_wave_is_told_a_turn_ahead_and_on_its_turn(
    turn: int, side: str, told: dict[str, bool]
) -> None:
    """Scenario 9: Germans on turn 8, British on turn 12; who has not come is told on (P76)."""
    assert to_come(scenario(9).at(turn, side)) == told


def test_a_wave_that_can_come_now_is_told_first() -> None:
    table = scenario(9).at(12, "british")
    assert [wave.contingent.id for wave in waves(table.state)] == ["relief", "reaction"]


def test_a_wave_tells_its_rows_and_numbers() -> None:
    (wave,) = waves(scenario(9).at(8, "german").state)
    assert wave.units == {
        f"{REACTION}/rifle": 50,
        f"{REACTION}/machinegun": 4,
        f"{REACTION}/mortar": 2,
        f"{REACTION}/grenade": 1,
        f"{REACTION}/truck": 1,
        f"{REACTION}/jeep": 1,
    }
    assert wave.contingent.place_of_entry == "S edge"


def test_a_scenario_without_later_contingents_has_no_waves() -> None:
    assert waves(scenario(1).state) == ()


def test_all_of_a_wave_come_on_with_one_order() -> None:
    table = scenario(9).at(8, "german")
    (entered,) = of(Entered, table.order(Enter(contingent="reaction")))
    assert len(entered.pieces) == 59
    assert to_come(table) == {}
    assert len(table.row("german", "truck").on_foot) == 1
    assert lines(table.play)[-1].text.startswith("Germans, Reaction force: 50 Rifle Guys,")


def test_who_comes_on_can_fire_and_be_fired_at() -> None:
    table = scenario(9).at(7, "british")
    shot = Fire(shooter=f"{REACTION}/machinegun", target="british/gliders/rifle", grouped=False)
    assert table.refusal(shot).message == "Reaction force arrives on turn 8."
    table.at(8, "british")
    assert table.refusal(shot).message == "Reaction force has not arrived yet."
    table.order(EndTurn())
    table.order(Enter(contingent="reaction"))
    table.fire("rifle", "jeep", "2H")
    table.order(NameRiders({}))
    assert table.alive("german", "jeep") == 0
    table.at(9, "british")
    table.order(shot)
    table.show("8H")
    assert isinstance(table.state.ask, RepeatAsk)


def test_a_part_of_a_wave_comes_on_and_the_rest_waits() -> None:
    table = scenario(9).at(8, "german")
    table.order(Enter(contingent="reaction", units={f"{REACTION}/rifle": 20}))
    (wave,) = waves(table.state)
    assert wave.units[f"{REACTION}/rifle"] == 30
    table.at(9, "german")
    table.order(Enter(contingent="reaction"))
    assert waves(table.state) == ()


@pytest.mark.parametrize(
    ("units", "says"),
    [
        ({f"{REACTION}/rifle": 51}, "Only 50 Rifle Guys left to arrive, not 51."),
        ({f"{REACTION}/rifle": 0}, "Only 50 Rifle Guys left to arrive, not 0."),
        ({"german/garrison/rifle": 1}, "Reaction force has no row 'german/garrison/rifle'."),
    ],
)
def test_more_than_wait_or_others_cannot_come_on(units: dict[str, int], says: str) -> None:
    table = scenario(9).at(8, "german")
    refusal = table.refusal(Enter(contingent="reaction", units=units, insist=True))
    assert (refusal.message, refusal.firm) == (says, True)


def test_a_wave_before_its_turn_is_advice() -> None:
    table = scenario(9).at(7, "german")
    refusal = table.refusal(Enter(contingent="reaction"))
    says = "Reaction force does not arrive before German turn 8."
    assert (refusal.message, refusal.firm) == (says, False)
    table.order(Enter(contingent="reaction", insist=True))
    assert waves(table.state) == ()


def test_a_wave_in_the_enemys_turn_is_advice() -> None:
    table = scenario(9).at(8, "british")
    assert not table.refusal(Enter(contingent="reaction")).firm


def test_who_could_not_come_on_comes_later() -> None:
    """P76."""
    table = scenario(9).at(15, "british")
    assert why_not(table.state, Enter(contingent="relief")) is None


def test_a_wave_that_is_all_here_cannot_come_again() -> None:
    table = scenario(9).at(8, "german")
    table.order(Enter(contingent="reaction"))
    refusal = table.refusal(Enter(contingent="reaction"))
    assert refusal.message == "All of Reaction force is already on the table."
    assert refusal.firm is True
    assert table.refusal(Enter(contingent="gliders")).message.startswith("All of Glider troops")
    unknown = table.refusal(Enter(contingent="paras")).message
    assert unknown == "There is no contingent called 'paras'."


def test_coming_on_lets_an_open_repeat_shot_go() -> None:
    table = scenario(9).at(8, "german")
    table.fire("machinegun", "rifle", "8H", grouped=False)
    assert isinstance(table.state.ask, RepeatAsk)
    table.order(Enter(contingent="reaction"))
    assert table.state.ask is None


def test_a_clock_set_to_the_turn_of_a_wave_brings_it() -> None:
    table = scenario(9)
    table.order(SetClock(turn=12, side="british", phase=1))
    assert to_come(table) == {"relief": True, "reaction": False}


def test_losses_before_they_come_on_are_not_announced() -> None:
    table = scenario(9).at(8, "german")
    table.order(Correct(row=f"{REACTION}/jeep", by=-1))
    table.order(Correct(row=f"{REACTION}/rifle", by=-10))
    (wave,) = waves(table.state)
    assert f"{REACTION}/jeep" not in wave.units
    assert wave.units[f"{REACTION}/rifle"] == 40


def test_who_has_not_come_on_neither_leaves_nor_gets_in() -> None:
    table = scenario(9).at(8, "german")
    assert table.refusal(Exit(row=f"{REACTION}/rifle", insist=True)).firm
    aboard = Load(carrier=f"{REACTION}/truck", riders={f"{REACTION}/rifle": 5})
    assert table.refusal(aboard).message == "No Truck is on the table."


def test_men_added_to_a_wave_are_on_the_table() -> None:
    table = scenario(9)
    table.order(Add(row=f"{REACTION}/rifle", count=2))
    assert len(table.state.added) == 2
    assert not table.state.added.keys() & table.state.waiting


def late_group_b() -> Table:
    """Scenario 6, but Group B comes on by its corner on turn 3, its men in its trucks."""
    found = library.scenarios()[6]
    german = found.side("german")
    one, other = german.contingents
    late = msgspec.structs.replace(other, entry=msgspec.structs.replace(other.entry, turn=3))
    sides = tuple(
        msgspec.structs.replace(side, contingents=(one, late)) if side is german else side
        for side in found.sides
    )
    setup = from_scenario(
        msgspec.structs.replace(found, sides=sides),
        library.catalog(),
        library.rulings(),
        sources={"german": CARDS, "british": CARDS},
    )
    return Table(setup).at(3, "german")


def test_a_model_that_comes_on_brings_its_riders() -> None:
    table = late_group_b()
    table.order(Enter(contingent="group_b", units={f"{GROUP_B}/truck": 1}))
    row = find_row(table.state, f"{GROUP_B}/rifle")
    assert row is not None
    assert len(row.aboard) == 10
    assert row.on_foot == ()
    assert len(row.waiting) == 8


def test_riders_who_come_on_without_their_model_walk() -> None:
    table = late_group_b()
    events = table.order(Enter(contingent="group_b", units={f"{GROUP_B}/rifle": 12}))
    assert [len(out.riders) for out in of(Unloaded, events)] == [10, 2]
    assert table.state.got_out == frozenset()  # they never were in it on the table
    row = find_row(table.state, f"{GROUP_B}/rifle")
    assert row is not None
    assert len(row.on_foot) == 12
    table.order(Enter(contingent="group_b"))
    row = find_row(table.state, f"{GROUP_B}/rifle")
    assert row is not None
    assert (len(row.on_foot), len(row.aboard)) == (12, 6)


def test_a_wave_taken_back_waits_again() -> None:
    table = scenario(9).at(8, "german")
    table.order(Enter(contingent="reaction"))
    table.undo()
    assert to_come(table) == {"reaction": True}


def test_groups_loaded_before_play_are_aboard_when_turn_1_begins() -> None:
    """Scenario 6: both German groups ride, each in its own trucks."""
    table = scenario(6, chosen=SetupChoices())
    state = table.state
    for rider, carrier in state.aboard.items():
        assert state.piece(rider).contingent == state.piece(carrier).contingent
    assert len(state.aboard) == 40
    assert state.waiting == frozenset()


@pytest.mark.parametrize(
    ("turn", "told"),
    [
        (1, ["gliders"]),
        (7, ["gliders"]),
        (8, ["reaction"]),
        (11, ["reaction"]),
        (12, []),
        (24, []),
    ],
)
def test_limits_are_told_while_they_hold_for_somebody_there(turn: int, told: list[str]) -> None:
    """Scenario 9: gliders before turn 8, the reaction force before turn 12."""
    table = scenario(9).at(turn, "british")
    assert [limit.contingent for limit in limits_now(table.state)] == told


def test_no_limits_in_the_basic_game_or_elsewhere() -> None:
    assert limits_now(scenario(1).state) == ()
