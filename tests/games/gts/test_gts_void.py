"""Lines of a game of the Grand Tactical Series made void: chits go back, and the game goes on."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from deep import deep_after
from gts_table import GAME, begun, entered, give, played, some_order

from skirmish.games.gts import orders
from skirmish.tabletop.companion.events import ChitPutBack


def _mug_filled(chance: str) -> Any:
    """A game whose mug has just been filled with five chits."""
    play = entered(chance=chance)
    while play.state.phase_id != "mug":
        give(play, "space")
    give(play, "space", "")
    assert play.state.mug.inside == 5
    return play


def _given(play: Any, order: Any) -> int:
    """The number of the line of an order; the rolls that it asks for are typed."""
    play.accept(play.consider(order))
    number = play.entries[-1].number
    while play.state.agenda:
        give(play, "5", "5")
    return number


def _drawn(play: Any, chit: str = "") -> int:
    """The number of the line of a draw; the player draws the named ``chit``, or the program any."""
    return _given(play, orders.DrawChit(chit=chit))


def _void(play: Any, *numbers: int) -> None:
    play.accept(play.possible("void", *numbers))
    GAME.check_screens(play.state)
    GAME.journal(play)


def _to_next_mug(play: Any) -> None:
    """On to the next turn, and fill its mug."""
    while play.state.phase_id != "mug":
        give(play, "space")
    give(play, "space", "")


def test_a_chit_that_a_player_drew_is_in_the_mug_again_if_the_line_is_void() -> None:
    play = _mug_filled("own")
    mug = play.state.mug
    number = _drawn(play, "82nd")
    _void(play, number)
    assert play.state.mug == mug
    assert not play.state.chit
    # It may be drawn again, and all but the last of the five still come out (G20).
    for chit in ("406", "82nd", "Direct Command Allied", "Direct Command German"):
        _drawn(play, chit)
        assert play.state.chit == chit
    _drawn(play)
    assert play.state.left_over == "Events"


def test_a_chit_that_the_program_drew_stays_drawn_if_the_line_is_void() -> None:
    play = _mug_filled("program")
    _drawn(play)
    number = _drawn(play)
    second = play.state.chit
    _void(play, number)
    assert second not in play.state.mug.unseen
    while play.state.mug.inside > 1:
        _drawn(play)
    last = play.state.mug.unseen[0]
    _drawn(play)
    assert play.state.left_over == last
    _to_next_mug(play)
    assert second in play.state.mug.unseen
    assert give(play, "space").startswith(f"Left over: {last}.")


@pytest.mark.parametrize("chance", ["own", "program"])
def test_no_chit_is_left_over_of_a_mug_that_was_never_filled(chance: str) -> None:
    play = _mug_filled(chance)
    filled = play.entries[-1].number
    chits = play.state.mug.unseen
    while play.state.mug.inside > 1:
        _drawn(play, play.state.mug.unseen[0] if chance == "own" else "")
    last = play.state.mug.unseen[0]
    _drawn(play)
    assert play.state.left_over == last
    _void(play, filled)
    assert play.state.left_over == ""
    assert not play.state.mug_is_filled
    _to_next_mug(play)
    assert play.state.mug.unseen == chits


def test_which_of_several_chits_is_left_over_nobody_knows() -> None:
    """A draw is void after the last chit was set aside: two chits had been in the mug."""
    play = _mug_filled("own")
    first = _drawn(play, "82nd")
    for chit in ("406", "Direct Command Allied", "Direct Command German"):
        _drawn(play, chit)
    _drawn(play)
    assert play.state.left_over == "Events"
    _void(play, first)
    assert play.state.left_over == ""
    _to_next_mug(play)
    assert {"82nd", "Events"} <= {*play.state.mug.unseen}


def test_a_chit_put_back_whose_draw_is_void_is_in_the_mug_once() -> None:
    play = _mug_filled("own")
    mug = play.state.mug
    number = _drawn(play, "Events")
    back = ChitPutBack(cup=mug.id, chit="Events")
    assert back.apply(play.state).mug == mug
    _void(play, number)
    assert back.apply(play.state).mug == mug


def test_points_of_a_division_that_was_never_entered_are_nobody_s() -> None:
    play = begun(chance="own", tables="community")
    give(play, "D", "Allied", "82nd", "4", "5", "6", "3")
    entered_by = play.entries[-1].number
    _given(play, orders.RollPoints(division="82nd", numbers=(5, 5)))
    _void(play, entered_by)
    assert not play.state.divisions
    assert not play.state.tracks


def test_a_chart_goes_on_from_its_box_if_the_step_that_led_there_is_void() -> None:
    play = entered(scope="fire")
    give(play, "w", "Assault")
    steps = []
    for answer in "nyy":
        give(play, answer)
        steps.append(play.entries[-1].number)
    box = play.state.open_chart.box_id
    _void(play, steps[1])
    assert play.state.open_chart.box_id == box
    give(play, "j", "A14")
    assert give(play, "n", "A15").endswith("A15.")


@pytest.mark.parametrize("seed", deep_after(2, [108, *range(5, 40)]))
def test_any_line_can_be_made_void_and_the_game_goes_on(seed: int) -> None:
    rnd = Random(seed)
    play = played(rnd, 60)
    for _ in range(10):
        if play.state.ended:
            break
        live = [entry.number for entry in play.live if entry.kind == "order"]
        _void(play, rnd.choice(live))
        if not play.state.ended:
            play.accept(play.consider(some_order(rnd, play.state)))
