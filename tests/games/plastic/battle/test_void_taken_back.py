"""What depends on a line that is made void; how a void is taken back, and back to a line."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stage import Table, armies, play_on
from voids import (
    MEN,
    RIFLE,
    SEEDED,
    TRUCK,
    decks_are_right,
    gone,
    line,
    programs_cards,
    three_shots,
    void,
    void_numbers,
)

from skirmish.games.plastic.battle import record
from skirmish.games.plastic.battle.lines import BattleLine, lines, whole_journal
from skirmish.games.plastic.battle.orders import (
    AddNote,
    Correct,
    Exit,
    Load,
    Seal,
    Unload,
    Unseal,
)
from skirmish.games.plastic.battle.orders.rejudge import as_judged
from skirmish.games.plastic.battle.progress import victory_status
from skirmish.games.plastic.battle.voiding import dependents, judgments_of, why_not_void
from skirmish.tabletop.chance import Source
from skirmish.tabletop.refusal import Refused


def back_to(table: Table, up: int) -> None:
    table.play.accept(table.play.possible("back", line(table, up).entry_numbers[-1]))


def redo(table: Table) -> None:
    table.play.accept(table.play.possible("redo"))


# ------------------------------------------------------------------ what depends on it


def told(found: tuple[BattleLine, ...]) -> list[int]:
    return [one.number for one in found]


def test_lines_about_the_same_man_are_named() -> None:
    table = armies(MEN, {"rifle": 9})
    table.fire("rifle", "rifle", "5H", close=True)
    table.fire("rifle", "rifle", "9H", close=True)
    table.order(Correct(row=RIFLE, by=1))
    assert told(dependents(table.play, line(table, 3))) == [line(table, 1).number]


def test_a_judging_anew_goes_with_its_shot() -> None:
    table = three_shots()
    shot = table.state.judged[0].shot
    order = as_judged(table.state, shot)
    table.order(type(order)(shot=1, cover=False, close=False, grouped=True))
    assert told(judgments_of(table.play, line(table, 4))) == [line(table, 1).number]
    assert dependents(table.play, line(table, 4)) == ()
    assert dependents(table.play, line(table, 3)) == ()


def test_what_is_void_itself_is_not_named() -> None:
    table = armies(MEN, {"rifle": 9})
    table.fire("rifle", "rifle", "5H", close=True)
    table.order(Correct(row=RIFLE, by=1))
    void(table, 1)
    assert dependents(table.play, line(table, 2)) == ()


def test_riders_and_their_truck_are_named() -> None:
    table = armies(MEN, {"rifle": 9})
    table.order(Load(carrier=TRUCK, riders={RIFLE: 2}))
    table.order(AddNote("Nothing to do with it."))
    table.order(Unload(carrier=TRUCK))
    table.order(Exit(row=TRUCK))
    assert len(dependents(table.play, line(table, 4))) == 2


# ------------------------------------------------------------------ undo, redo, back


def test_a_void_is_taken_back_and_brought_again() -> None:
    table = three_shots()
    before = table.state
    void(table, 2)
    after = table.state
    table.undo()
    assert table.state == before
    assert not line(table, 2).void
    redo(table)
    assert table.state == after
    assert line(table, 2).void


def test_a_void_is_told_in_the_whole_journal() -> None:
    table = three_shots()
    number = line(table, 2).number
    void(table, 2)
    assert whole_journal(table.play)[-1].text.startswith(f"Made void: {number}")
    assert [one.void for one in whole_journal(table.play)][:4] == [False, False, True, False]


def test_back_to_a_line_takes_back_all_after_it_at_once() -> None:
    table = three_shots()
    passed = [state.lost for state in table.play.states]
    end = table.state
    back_to(table, 3)
    assert len(table.state.lost) == 1
    assert gone(table) == ["5H"]
    redo(table)
    assert table.state == end
    assert [state.lost for state in table.play.states] == passed


def test_back_over_a_void_lets_the_line_stand() -> None:
    table = three_shots()
    void(table, 2)
    table.order(AddNote("Later."))
    assert len(table.state.lost) == 2
    back_to(table, 2)
    assert list(table.state.lost) == ["first:R1", "first:R2", "first:R3"]
    assert not any(one.void for one in lines(table.play))
    redo(table)
    assert len(table.state.lost) == 2


def test_back_to_where_one_is_goes_nowhere() -> None:
    table = three_shots()
    with pytest.raises(Refused):
        table.play.possible("back", table.play.acts[-1].number)


def test_unsealed_words_are_struck_with_their_line() -> None:
    table = armies(MEN, MEN)
    table.order(Seal(side="first", text="In the barn."))
    table.order(Unseal("first"))
    void(table, 1)
    assert "first" in table.state.sealed


# ------------------------------------------------------------------ in any battle


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.lists(st.integers(0, 400), min_size=1, max_size=6))
def test_any_line_that_can_be_void_can(seed: int, choices: list[int]) -> None:
    """Losses are never less than nothing, the program's cards stay drawn, undo brings the line
    back, and the journal read again is the same battle."""
    random = Random(seed)
    units = {"rifle": 12, "machinegun": 3, "grenade": 3, "halftrack": 1, "truck": 1, "tank": 1}
    sources = random.choice([SEEDED, (Source("deck"), Source("die"))])
    table = play_on(armies(units, units, sources=sources), random, 40)
    play = table.play
    for choice in choices:
        able = [one for one in lines(play) if why_not_void(play, one) is None]
        if not able:
            break
        before, drawn = table.state, programs_cards(table.state)
        chosen = able[choice % len(able)]
        play.accept(play.possible("void", *void_numbers(play, chosen)))
        after = table.state
        assert programs_cards(after) == drawn
        decks_are_right(play)
        assert all(loss >= 0 for loss in after.loss.values())
        assert victory_status(after)
        table.undo()
        assert table.state == before
        redo(table)
        assert table.state == after
        play_on(table, random, 3)
    again = record.codec.play(play.entries)
    assert (again.state, again.states, again.acts) == (play.state, play.states, play.acts)
