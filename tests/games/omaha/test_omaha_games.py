"""Whole evenings of Omaha by somebody who does anything he may, under any rulings."""

from __future__ import annotations

import os
from random import Random

import pytest
from again import built_again
from deep import deep_after
from omaha_table import GAME, played, some_order

from skirmish.tabletop.refusal import Refused

GAMES = int(os.environ.get("OMAHA_GAMES", "6"))


@pytest.mark.parametrize("seed", deep_after(3, range(GAMES)))
def test_an_evening_comes_to_its_end_and_is_undone_to_its_start(seed: int) -> None:
    play = played(Random(seed), 500)
    assert play.state.ended
    states = list(play.states)
    for state in states:
        assert all(0 <= one.steps <= 20 for one in state.counters)
        GAME.check_screens(state)
    for line in GAME.journal(play):
        assert "None" not in line.text
    for state in reversed(states[:-1]):
        play.accept(play.possible("undo"))
        assert play.state == state


@pytest.mark.parametrize("seed", deep_after(3, range(20, 26)))
def test_an_evening_is_stored_rebuilt_and_the_same(seed: int) -> None:
    play = played(Random(seed), 150)
    assert built_again(GAME, play).state == play.state


@pytest.mark.parametrize("seed", deep_after(4, range(40, 50)))
def test_any_line_can_be_made_void_and_the_evening_goes_on(seed: int) -> None:
    rnd = Random(seed)
    play = played(rnd, 80)
    for _ in range(6):
        live = [entry.number for entry in play.live if entry.kind == "order"]
        play.accept(play.possible("void", *[rnd.choice(live)]))
        GAME.check_screens(play.state)
        GAME.journal(play)
        if not play.state.ended:
            try:
                play.accept(play.consider(some_order(rnd, play.state)))
            except Refused:
                continue
