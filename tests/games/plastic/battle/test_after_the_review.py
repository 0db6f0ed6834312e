"""Mistakes that were found by reading and must not come back."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stage import CARDS, armies, of, play_on, scenario

from skirmish.games.plastic.battle.ending import still_over
from skirmish.games.plastic.battle.events import Checked, TableDrawn, Toggled
from skirmish.games.plastic.battle.lines import lines
from skirmish.games.plastic.battle.orders import (
    AddNote,
    Again,
    CallTable,
    ClearWire,
    Correct,
    Dig,
    EndPhase,
    EndTurn,
    Enter,
    Exit,
    Finish,
    Fire,
    GroupMoved,
    PlayOn,
    SetClock,
    Switch,
    decide,
)
from skirmish.games.plastic.battle.voiding import dependents
from skirmish.tabletop.chance import Source

RIFLE = "german/column/rifle"


def test_plus_brings_back_the_dead_before_those_who_left() -> None:
    table = scenario(1)
    table.order(Correct(row=RIFLE, by=-1))
    table.order(Exit(row=RIFLE, count=3))
    table.order(Correct(row=RIFLE, by=1))
    assert not table.state.lost
    assert len(table.state.exited) == 3


@pytest.mark.parametrize(
    ("order", "phase"),
    [(GroupMoved(), 2), (Dig(side="first"), 2)],
)
def test_what_is_advised_against_may_be_insisted_on(order: GroupMoved | Dig, phase: int) -> None:
    table = armies({"rifle": 9}, {"rifle": 9}, quality={"first": "green"}).at(1, "first", phase)
    assert not table.refusal(order).firm
    table.order(type(order)(**{**_fields(order), "insist": True}))
    assert of(Checked, table.show("2S"))


def _fields(order: object) -> dict[str, object]:
    return {name: getattr(order, name) for name in order.__struct_fields__}  # type: ignore[attr-defined]


def test_wire_may_be_cleared_without_engineers_if_players_insist() -> None:
    table = scenario(4)
    table.order(Correct(row="german/assault/engineer", by=-5))
    table.order(ClearWire("german", insist=True))
    assert table.state.works["british"]["barbed_wire"] == 9
    assert "[Against the rules: There are no German engineers" in lines(table.play)[-1].text


def test_a_line_by_which_a_shooter_came_on_names_his_shots() -> None:
    table = scenario(9).at(8, "german")
    table.order(Enter(contingent="reaction"))
    entered = lines(table.play)[-1]
    table.at(8, "german", 3)
    shot = Fire(shooter="german/reaction/rifle", target="british/gliders/rifle", insist=True)
    table.order(shot)
    table.show("9H")
    assert [line.number for line in dependents(table.play, entered)]


def test_men_who_are_not_there_are_no_target_of_repeat_fire() -> None:

    table = scenario(9).at(1, "british", 2)
    table.fire("machinegun", "rifle", "5H", by="german", close=True)
    assert table.refusal(Again(target="british/relief/rifle")).code == "nobody_there"


def test_dust_can_be_switched_by_hand() -> None:
    """Scenario 8, where a side keeps losses only."""
    table = scenario(8)
    assert of(Toggled, table.order(Switch(option="dust", on=True)))
    assert table.state.toggled == {"dust"}
    table.order(Switch(option="dust", on=False))
    assert not table.state.toggled


def test_table_draws_that_the_clock_was_set_past_can_be_made_by_hand() -> None:
    """Scenario 3."""
    table = scenario(3, sources=(CARDS, Source("deck", seed=4)))
    assert table.refusal(CallTable()).code == "no_table"
    table.order(SetClock(turn=2, side="german", phase=1))
    assert len(of(TableDrawn, table.order(CallTable()))) == 2


def test_a_battle_whose_end_was_made_void_goes_on() -> None:
    """Two losses broke the army; one of them never was."""
    table = armies({"rifle": 4}, {"rifle": 9})
    for draw in ("5H", "4H"):
        table.fire("rifle", "rifle", draw)
    assert table.state.outcome is not None
    assert still_over(table.state)
    assert table.refusal(PlayOn(anew=True)).code == "still_over"
    first_shot = lines(table.play)[1]
    table.play.accept(table.play.possible("void", *first_shot.entry_numbers))
    assert not still_over(table.state)
    table.order(PlayOn(anew=True))
    assert table.state.outcome is None
    assert not table.state.open_end


def test_a_battle_won_by_an_exit_in_its_last_turn_goes_on_if_the_exit_was_none() -> None:
    """Scenario 1: 20 have to leave by the end of German turn 11; 19 do not win."""
    table = scenario(1).at(11, "german")
    for _ in range(2):
        table.order(Exit(row=RIFLE, count=10))
    assert table.state.outcome is not None
    assert table.state.outcome.winner == "german"
    assert still_over(table.state)
    first_exit = lines(table.play)[-2]
    table.play.accept(table.play.possible("void", *first_exit.entry_numbers))
    assert table.state.outcome is not None
    assert not still_over(table.state)
    table.order(PlayOn(anew=True))
    assert table.state.outcome is None
    table.order(EndTurn())
    assert table.state.outcome is not None
    assert table.state.outcome.winner == "polish"
    assert still_over(table.state)


def test_survivors_are_counted_again_if_a_loss_before_the_end_was_none() -> None:
    """Scenario 8: after Russian turn 12, the side with more tanks left wins."""
    table = scenario(8).at(12, "russian")
    table.order(Correct(row="russian/guards/tank", by=-3))
    loss = lines(table.play)[-1]
    table.order(EndTurn())
    assert table.state.outcome is not None
    assert table.state.outcome.winner == "german"
    assert still_over(table.state)
    table.play.accept(table.play.possible("void", *loss.entry_numbers))
    assert not still_over(table.state)
    table.order(PlayOn(anew=True))
    table.order(EndTurn())
    assert table.state.outcome is not None
    assert table.state.outcome.winner == "russian"


def test_a_break_at_the_end_of_a_phase_stands_if_a_note_is_made_void() -> None:
    """P74 end_of_phase: the army is as broken as before."""
    table = armies({"rifle": 3}, {"machinegun": 9}, answers={"P74": "end_of_phase"})
    table.order(AddNote(text="A fine morning."))
    table.fire("machinegun", "rifle", "5H")
    table.order(Again())
    table.show("4H")
    table.order(EndPhase())
    assert table.state.outcome is not None
    assert still_over(table.state)
    note, shot = lines(table.play)[1:3]
    table.play.accept(table.play.possible("void", *note.entry_numbers))
    assert still_over(table.state)
    assert table.refusal(PlayOn(anew=True)).code == "still_over"
    table.play.accept(table.play.possible("void", *shot.entry_numbers))
    assert not still_over(table.state)


def test_a_draw_after_the_last_turn_stands_whatever_is_made_void() -> None:
    """A shot of turn 1 has nothing to do with it."""
    table = armies({"rifle": 4}, {"rifle": 9})
    table.fire("rifle", "rifle", "QH")
    table.order(SetClock(turn=30, side="second", phase=4))
    table.order(EndTurn())
    assert table.state.outcome is not None
    assert table.state.outcome.winner is None
    first_shot = lines(table.play)[1]
    table.play.accept(table.play.possible("void", *first_shot.entry_numbers))
    assert still_over(table.state)
    assert table.refusal(PlayOn(anew=True)).code == "still_over"


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 10**6))
def test_random_battles_played_to_their_end_are_undone_to_the_start(seed: int) -> None:
    sources = (Source("deck", seed=seed), Source("die", seed=seed + 1))
    units = {"rifle": 6, "machinegun": 2, "grenade": 2, "truck": 1}
    table = armies(units, units, sources=sources)
    random = Random(seed)
    for _ in range(60):
        play_on(table, random, 40)
        if table.state.outcome is not None:
            break
    if table.state.open_end:  # the players went on, so that only they end it
        table.order(Finish(winner=None))
    assert table.state.outcome is not None
    play, states = table.play, table.play.states
    for before, entry in zip(states, play.live[1:], strict=False):
        assert entry.order is not None
        assert tuple(decide(before, entry.order)) == entry.events
    while len(play.acts) > 1:
        play.accept(play.possible("undo"))
    assert play.state == states[0]
