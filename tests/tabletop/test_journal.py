"""The journal: entries only ever added, and the live line through them. The game here adds up."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skirmish.tabletop.decider import fold
from skirmish.tabletop.journal import Entry, Play
from skirmish.tabletop.refusal import Refusal, Refused


class Added(msgspec.Struct, frozen=True):
    amount: int


class Adding:
    """State and order are whole numbers; an order of 0 is refused, of 10 or more makes two."""

    def decide(self, state: int, order: int) -> list[Added]:
        if order == 0:
            raise Refused(Refusal("nothing", "Nothing to add."))
        return [Added(order)] if order < 10 else [Added(order - 9), Added(9)]

    def evolve(self, state: int | None, event: Added) -> int:
        return (state or 0) + event.amount


def opening(amount: int = 100) -> Entry[int, Added]:
    return Entry(1, "open", None, (Added(amount),))


def playing(*orders: int) -> Play[int, int, Added]:
    play = Play(Adding(), [opening()])
    for order in orders:
        play.accept(play.consider(order))
    return play


def undo(play: Play[int, int, Added]) -> None:
    play.accept(play.consider_undo())


def redo(play: Play[int, int, Added]) -> None:
    play.accept(play.consider_redo())


def test_considering_an_order_changes_nothing() -> None:
    play = playing(1)
    entry = play.consider(2)
    assert (play.state, len(play.entries)) == (101, 2)
    assert (entry.number, entry.kind, entry.order, entry.events) == (3, "order", 2, (Added(2),))


def test_the_state_that_an_entry_would_lead_to_is_known_before_it_is_added() -> None:
    play = playing(1, 20)
    for consider in (lambda: play.consider(7), play.consider_undo):
        entry = consider()
        expected = play.after(entry)
        before = play.state
        assert play.state == before
        play.accept(entry)
        assert play.state == expected
    entry = play.consider_redo()
    expected = play.after(entry)
    play.accept(entry)
    assert play.state == expected


def test_a_refused_order_leaves_no_entry() -> None:
    play = playing(1)
    with pytest.raises(Refused, match=r"Nothing to add\."):
        play.consider(0)
    assert len(play.entries) == 2


def test_every_entry_has_its_number() -> None:
    play = playing(1, 2)
    undo(play)
    redo(play)
    play.accept(play.consider(3))
    assert [entry.number for entry in play.entries] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("number", [1, 2, 4])
def test_an_entry_out_of_turn_is_not_taken(number: int) -> None:
    """Two programs on one battle: the slower one's entry bears a number that is gone."""
    play = playing(1)
    with pytest.raises(ValueError, match=f"entry {number} cannot follow entry 2"):
        play.accept(Entry(number, "order", 5, (Added(5),)))
    assert (play.state, len(play.entries)) == (101, 2)


def test_undo_takes_back_the_last_live_entry_and_keeps_it_struck() -> None:
    play = playing(1, 2)
    undo(play)
    assert play.state == 101
    assert [entry.order for entry in play.live] == [None, 1]
    assert [entry.kind for entry in play.entries] == ["open", "order", "order", "undo"]
    assert play.entries[2].events == (Added(2),)


def test_undo_goes_back_to_the_opening_and_no_further() -> None:
    play = playing(1, 2)
    undo(play)
    undo(play)
    assert play.state == 100
    with pytest.raises(Refused) as refused:
        play.consider_undo()
    assert refused.value.refusal.code == "nothing_to_undo"
    assert refused.value.refusal.firm


def test_redo_brings_back_in_order_what_undo_took() -> None:
    play = playing(1, 2, 3)
    for _ in range(3):
        undo(play)
    redo(play)
    assert play.state == 101
    redo(play)
    redo(play)
    assert play.state == 106
    with pytest.raises(Refused) as refused:
        play.consider_redo()
    assert refused.value.refusal.code == "nothing_to_redo"


def test_a_new_order_ends_what_could_be_brought_back() -> None:
    play = playing(1, 2)
    undo(play)
    play.accept(play.consider(5))
    with pytest.raises(Refused, match="Nothing has been undone"):
        play.consider_redo()
    assert [entry.order for entry in play.live] == [None, 1, 5]


def test_a_refused_order_does_not_end_what_could_be_brought_back() -> None:
    play = playing(1)
    undo(play)
    with pytest.raises(Refused):
        play.consider(0)
    redo(play)
    assert play.state == 101


def test_an_order_of_several_events_is_taken_back_whole() -> None:
    play = playing(1, 20)
    assert play.state == 121
    undo(play)
    assert play.state == 101


def test_a_journal_begins_with_its_opening() -> None:
    with pytest.raises(ValueError, match="begins with its opening"):
        Play(Adding(), [])


def test_a_game_without_an_opening_has_no_state() -> None:
    with pytest.raises(ValueError, match="no state"):
        fold(Adding(), [])


@pytest.mark.parametrize("kind", ["undo", "redo"])
def test_a_journal_that_takes_back_what_never_was_is_told_so(kind: str) -> None:
    with pytest.raises(ValueError, match="entry 2"):
        Play(Adding(), [opening(), Entry(2, kind), Entry(3, "undo")])  # type: ignore[arg-type]


@given(st.lists(st.sampled_from(["undo", "redo", 1, 5, 12]), max_size=40))
def test_any_journal_read_again_gives_the_same_line(steps: Sequence[str | int]) -> None:
    """And the live line is what a pencil would keep: a list, and a pile of what was struck."""
    play = Play(Adding(), [opening()])
    line, pile = [100], list[int]()
    for step in steps:
        try:
            if step == "undo":
                undo(play)
                pile.append(line.pop())
            elif step == "redo":
                redo(play)
                line.append(pile.pop())
            else:
                play.accept(play.consider(int(step)))
                line.append(line[-1] + int(step))
                pile.clear()
        except Refused:
            assert (step == "undo" and len(line) == 1) or (step == "redo" and not pile)
    assert list(play.states) == line
    again = Play(Adding(), play.entries)
    assert (again.states, again.live, again.entries) == (play.states, play.live, play.entries)
