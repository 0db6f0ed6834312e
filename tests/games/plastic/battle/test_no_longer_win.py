"""A side that can no longer win: said in a line of its own, and the end is proposed once."""

from __future__ import annotations

import pytest
from fights import GAME, a_play, asked, done, flat, given, order, row, said

from skirmish.games.plastic.battle.ending import hopeless_sides, proposed_end
from skirmish.games.plastic.battle.orders import Correct, Finish, PlayOut, why_not
from skirmish.games.plastic.battle.record import BattlePlay, codec
from skirmish.games.plastic.battle.view import view
from skirmish.tabletop.page import Page
from skirmish.tabletop.slots import UnfitAnswer

LOST = "The Germans can no longer win."


def without_germans(lost: int = 23) -> BattlePlay:
    """Scenario 1: 20 guys' worth have to leave the table, and 16 are left."""
    play = a_play(1)
    done(play, Correct(row=row(play, "german", "r"), by=-lost))
    for letter, count in (("t", 1), ("h", 1)):
        done(play, Correct(row=row(play, "german", letter), by=-count))
    return play


def test_the_end_is_proposed_and_e_agrees_to_it() -> None:
    """Enter does not: it may belong to a shot that was typed ahead."""
    play = without_germans()
    assert hopeless_sides(play.state) == ("german",)
    question = said(asked(play))
    assert f"THE END? {LOST} The Poles win if you end it now." in question
    with pytest.raises(UnfitAnswer, match="e ends it, p plays it out"):
        order(play, "\n")
    assert order(play, "e") == Finish(winner="polish", reason=LOST)
    given(play, "e")
    assert play.state.outcome is not None
    assert (play.state.outcome.winner, play.state.outcome.reason) == ("polish", LOST)


def test_it_is_not_proposed_while_both_can_win() -> None:
    play = without_germans(lost=5)
    assert not hopeless_sides(play.state)
    assert asked(play) is None
    refusal = why_not(play.state, PlayOut(sides=("german",)))
    assert refusal is not None
    assert refusal.code == "can_win"


def test_whoever_plays_it_out_is_not_asked_again() -> None:
    play = without_germans()
    given(play, "p")
    assert play.state.outcome is None
    assert asked(play) is None
    assert GAME.journal(play)[-1].text == f"{LOST[:-1]}; the battle is played out."
    given(play, "-m")
    assert asked(play) is None
    again = codec.replay(map(codec.written, play.entries))
    assert again.state == play.state


def test_it_waits_for_what_is_open_and_goes_with_what_led_to_it() -> None:
    play = a_play(1)
    done(play, Correct(row=row(play, "german", "r"), by=-18))
    given(play, "rr ")
    done(play, Correct(row=row(play, "german", "h"), by=-1))
    assert "DRAW" in said(asked(play))
    given(play, "9h\n")
    assert "THE END?" in said(asked(play))
    numbers = [line.number for line in GAME.all_lines(play) if "Halftrack" in line.text]
    play.accept(play.possible("void", *numbers))
    assert asked(play) is None


def test_where_players_play_on_after_an_end_nothing_is_proposed() -> None:
    play = without_germans()
    given(play, "e")
    given(play, "F1")
    assert play.state.open_end
    assert asked(play) is None


def test_neither_a_side_nor_an_onlooker_is_asked_for_all() -> None:
    play = without_germans()
    for viewer in (None, "german", "polish"):
        assert proposed_end(view(play.state, viewer)) is None


def test_it_stands_in_a_line_of_its_own() -> None:
    play = without_germans()
    lines = [one.text for one in GAME.progress(play.state)]
    assert lines[0] == LOST
    assert "can no longer win" not in lines[1]
    shown = flat(Page("", tuple(GAME.page(play.state).blocks)))
    assert LOST in shown
