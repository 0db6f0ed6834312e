"""Whole games of Bloody Omaha by somebody who does anything he may, over tables that nobody has
printed."""

from __future__ import annotations

import os
from random import Random

import pytest
from again import built_again
from bloody_table import GAME, begun, order, played, some_order, typed, whole
from deep import deep_after
from msgspec.structs import replace

from skirmish.games.bloody_omaha import orders
from skirmish.games.bloody_omaha.answers import Answer
from skirmish.tabletop.commands import Draft, read_words
from skirmish.tabletop.companion.roster import BOX, TICKED
from skirmish.tabletop.companion.sequence import Position
from skirmish.tabletop.page import SquareBoard, Stacks, Table

GAMES = int(os.environ.get("BLOODY_GAMES", "12"))


@pytest.mark.parametrize("seed", deep_after(4, range(GAMES)))
def test_a_game_is_played_looked_at_and_undone_to_its_start(seed: int) -> None:
    play = played(Random(seed), 150)
    states = list(play.states)
    for state in states:
        GAME.check_screens(state)
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
    assert GAME.remembering(begun().state) is GAME
    last = typed(Random(1), begun()).state
    for holds, same in (("last", True), ("blank", False)):
        state = begun(2, GAME.remembering(last), holds=holds).state
        assert (state.owned == last.owned, state.tables == last.tables) == (same, same)
        assert bool(state.agenda) != same


def test_the_map_has_its_signs_apart_and_units_in_the_order_of_its_squares() -> None:
    state = whole().state
    counters = state.counters
    for unit, place in zip(state.units(), ("B3", "12", "R", "7"), strict=False):
        counters = counters.with_counter(replace(unit, place=place))
    state = replace(state, counters=counters,
                    ground={"7": ("strongpoint 8", "encounter"), "B3": ("gap",)})  # fmt: skip
    blocks = GAME.page(state).blocks
    (board,) = [block for block in blocks if isinstance(block, SquareBoard)]
    squares = {square.name: square.text for row in board.rows for square in row}
    assert (squares["7"], squares["8"]) == ("S 8 ? 1u", "E3 # ?")
    assert (squares["B3"], squares["B4"]) == ("= 1u", "X")
    (units,) = [block for block in blocks if isinstance(block, Stacks)]
    order = [stack.place for stack in units.rows]
    assert order[:3] == ["7", "12", "B3"]
    assert order[3:-1] == sorted(order[3:-1], key=lambda one: int(one[1:]))
    assert order[-1] == "Reserve"


def test_the_play_sheet_is_ticked_as_the_game_stands() -> None:
    play = whole()
    state = replace(play.state, position=Position(3, 1), gone=("strongpoint", "encounter") * 2)
    sheet = next(build for id, _, build in GAME.sheets() if id == "sheet")
    tracks = next(one for one in sheet(state).blocks if isinstance(one, Table))
    ticks = {name: (cell.count(TICKED), cell.count(BOX)) for name, cell in tracks.rows}
    assert ticks["Turn"] == (2, 3)
    assert ticks["Strongpoints, 2 each"] == (2, 11)
    assert ticks["Encounters, 1 each"] == (2, 30)
    assert ticks["Reinforcements, 1 each"] == (7, 22)


def test_an_attack_asks_for_the_strengths_of_tanks_that_are_not_typed_in() -> None:
    state = typed(Random(1), begun()).state
    unit = next(one for one in state.counters if one.kind == "company")
    tank = replace(state.counters["tank-1"], group=unit.id, place="24", ratings={})
    state = replace(
        state,
        owned=replace(state.owned, tanks=()),
        counters=state.counters.with_counter(replace(unit, place="24")).with_counter(tank),
        ground={"14": ("encounter 3",)},
        position=Position(2, state.sequence.index_of("activation")),
    )
    attack = next(one for one in GAME.commands(state) if one.key == "a")
    draft = Draft(command=attack).answered("14").answered(("24",))
    assert draft.shown_question.startswith("The tanks: ")
    draft = read_words(draft, ["2/1 2/1 3/2"])
    strength = unit.rating("strength") + 2
    assert f"{strength} against 3" in repr(draft.page)


@pytest.mark.parametrize("seed", deep_after(3, range(40, 46)))
def test_any_line_can_be_made_void_and_the_game_goes_on(seed: int) -> None:
    rnd = Random(seed)
    play = played(rnd, 60)
    for _ in range(8):
        if play.state.ended:
            break
        live = [entry.number for entry in play.live if entry.kind == "order"]
        play.accept(play.possible("void", rnd.choice(live)))
        GAME.check_screens(play.state)
        GAME.journal(play)
        if not play.state.ended:
            play.accept(play.consider(some_order(rnd, play.state)))


def test_a_landing_that_ends_the_turn_stands_in_the_turn_of_its_rolls() -> None:
    play = whole()
    order(play, orders.Proceed())
    order(play, Answer(text=play.state.hand[0]))
    while play.state.position.turn < 2:
        order(play, orders.Proceed())
    assert [one.turn for one in GAME.journal(play) if "Beach Disruption" in one.text] == [1]
