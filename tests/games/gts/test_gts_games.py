"""Whole games of the Grand Tactical Series by somebody who does anything he may."""

from __future__ import annotations

import os
from random import Random

import pytest
from again import built_again
from deep import deep_after
from gts_table import GAME, played

GAMES = int(os.environ.get("GTS_GAMES", "10"))


@pytest.mark.parametrize("seed", deep_after(4, range(GAMES)))
def test_a_game_is_played_looked_at_and_undone_to_its_start(seed: int) -> None:
    play = played(Random(seed), 120)
    states = list(play.states)
    for state in states:
        for division in state.divisions:
            assert all(0 <= state.points(kind, division) <= 19 for kind in ("cp", "dp"))
        GAME.check_screens(state)
    GAME.check_everything_shown(play)
    GAME.due(play)
    for document in GAME.documents():
        document.build(play)
    for line in GAME.journal(play):
        assert "None" not in line.text
    for state in reversed(states[:-1]):
        play.accept(play.possible("undo"))
        assert play.state == state


@pytest.mark.parametrize("seed", range(20, 24))
def test_a_game_is_stored_rebuilt_and_the_same(seed: int) -> None:
    play = played(Random(seed), 100)
    assert built_again(GAME, play).state == play.state
