"""Whole games of Bloody Omaha by somebody who does anything he may, over tables that nobody has
printed."""

from __future__ import annotations

import os
from random import Random

import pytest
from again import built_again
from bloody_table import GAME, begun, played, typed

GAMES = int(os.environ.get("BLOODY_GAMES", "12"))


@pytest.mark.parametrize("seed", range(GAMES))
def test_a_game_is_played_looked_at_and_undone_to_its_start(seed: int) -> None:
    play = played(Random(seed), 150)
    states = list(play.states)
    for state in states:
        GAME.look_at(state)
        assert all(one.value >= 1 for id, one in state.tracks.items() if "rating" in id)
    GAME.due(play)
    for document in GAME.documents():
        document.build(play)
    for line in GAME.journal(play):
        assert "None" not in line.text
    for state in reversed(states[:-1]):
        play.accept(play.possible("undo"))
        assert play.state == state


@pytest.mark.parametrize("seed", range(20, 23))
def test_a_game_is_stored_rebuilt_and_the_same(seed: int) -> None:
    play = played(Random(seed), 100)
    assert built_again(GAME, play).state == play.state


def test_a_new_game_begins_with_what_the_last_one_had_unless_that_was_nothing() -> None:
    assert GAME.after(begun().state) is GAME
    last = typed(Random(1), begun()).state
    for holds, same in (("last", True), ("blank", False)):
        state = begun(2, GAME.after(last), holds=holds).state
        assert (state.owned == last.owned, state.tables == last.tables) == (same, same)
        assert bool(state.agenda) != same
