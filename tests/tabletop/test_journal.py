"""The journal: entries only ever added, and the live line through them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import pytest
from adding import Added, Adding, back, opening, playing, redo, undo, void
from hypothesis import given
from hypothesis import strategies as st

from skirmish.tabletop.journal import Entry, Play, fold
from skirmish.tabletop.refusal import Refused


def test_considering_an_order_changes_nothing() -> None:
    play = playing(1)
    entry = play.consider(2)
    assert (play.state, len(play.entries)) == (101, 2)
    assert (entry.number, entry.kind, entry.order, entry.events) == (3, "order", 2, (Added(2),))


def test_the_state_that_an_entry_would_lead_to_is_known_before_it_is_added() -> None:
    play = playing(1, 20)
    considered: list[Callable[[], Entry[int, Added]]]
    considered = [lambda: play.consider(7), lambda: play.possible("undo")]
    for consider in considered:
        entry = consider()
        expected = play.state_with(entry)
        before = play.state
        assert play.state == before
        play.accept(entry)
        assert play.state == expected
    entry = play.possible("redo")
    expected = play.state_with(entry)
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
        play.possible("undo")
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
        play.possible("redo")
    assert refused.value.refusal.code == "nothing_to_redo"


def test_a_new_order_ends_what_could_be_brought_back() -> None:
    play = playing(1, 2)
    undo(play)
    play.accept(play.consider(5))
    with pytest.raises(Refused, match="Nothing has been undone"):
        play.possible("redo")
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


# ------------------------------------------------------------------ journals from elsewhere


@pytest.mark.parametrize(
    "entry",
    [
        Entry(3, "void", targets=()),
        Entry(3, "void", targets=(1,)),
        Entry(3, "void", targets=(9,)),
        Entry(3, "back", targets=()),
        Entry(3, "back", targets=(2,)),
        Entry(3, "back", targets=(9,)),
        Entry(3, "redo"),
        Entry(3, "open", None, (Added(1),)),
    ],
    ids=lambda entry: f"{entry.kind} {entry.targets}",
)
def test_what_cannot_follow_is_told_and_changes_nothing(entry: Entry[int, Added]) -> None:
    play = playing(1)
    known = r"Name the|not an order|not in the|Nothing has|one opening"
    with pytest.raises(ValueError, match=known):
        play.accept(entry)
    assert (play.state, len(play.entries), len(play.acts)) == (101, 2, 2)
    play.accept(play.consider(2))
    assert play.state == 103


@pytest.mark.parametrize("kind", ["undo", "redo"])
def test_a_journal_that_takes_back_what_never_was_is_told_so(kind: str) -> None:
    with pytest.raises(ValueError, match="Nothing has"):
        Play(Adding(), [opening(), Entry(2, kind), Entry(3, "undo")])  # type: ignore[arg-type]


class Act(NamedTuple):
    """What a pencil would write in a line: an amount and what of it is for good, or a void."""

    number: int
    amount: int = 0
    for_good: int = 0
    strikes: tuple[int, ...] = ()


def reckoned(line: Sequence[Act]) -> list[int]:
    """The sum after each act that stands, struck ones worked in from the start."""
    struck = {number for act in line for number in act.strikes}
    sums, total = [], 0
    for act in line:
        total += act.for_good if act.number in struck else act.amount
        if not act.strikes and act.number not in struck:
            sums.append(total)
    return sums


STEPS = st.one_of(
    st.sampled_from(["undo", "redo", 1, 5, 12]),
    st.tuples(st.sampled_from(["void", "back"]), st.integers(0, 12)),
)


@given(st.lists(STEPS, max_size=40))
def test_any_journal_read_again_gives_the_same_line(steps: Sequence[object]) -> None:
    """And the line is what a pencil would keep: a list, and a pile of what was taken back."""
    play = Play(Adding(), [opening()])
    line, pile = [Act(1, 100)], list[list[Act]]()
    for step in steps:
        number = len(play.entries) + 1
        struck = {n for act in line for n in act.strikes}
        try:
            match step:
                case "undo":
                    undo(play)
                    pile.append([line.pop()])
                case "redo":
                    redo(play)
                    line += pile.pop()
                case ("void", int(place)):
                    chosen = line[place % len(line)]
                    void(play, chosen.number)
                    assert not chosen.strikes
                    assert chosen.number not in {1, *struck}
                    line.append(Act(number, strikes=(chosen.number,)))
                    pile.clear()
                case ("back", int(place)):
                    at = place % len(line)
                    back(play, line[at].number)
                    pile.append(line[at + 1 :])
                    del line[at + 1 :]
                case int(amount):
                    play.accept(play.consider(amount))
                    line.append(Act(number, amount, 9 if amount >= 10 else 0))
                    pile.clear()
        except Refused:
            assert step not in (1, 5, 12)
            assert step != "undo" or len(line) == 1
            assert step != "redo" or not pile
        assert list(play.states) == reckoned(line)
    assert [act.number for act in play.acts] == [act.number for act in line]
    again = Play(Adding(), play.entries)
    assert (again.states, again.live, again.entries) == (play.states, play.live, play.entries)
    assert (again.state, again.acts, again.struck) == (play.state, play.acts, play.struck)


def test_an_order_is_folded_once_before_it_is_written_and_never_again() -> None:
    class Counting(Adding):
        folds = 0

        def evolve(self, state: int | None, event: Added) -> int:
            self.folds += 1
            return super().evolve(state, event)

    rules = Counting()
    play = Play(rules, [opening()])
    before = rules.folds
    entry = play.consider(5)
    assert play.state_with(entry) == 105
    play.accept(entry)
    assert (play.state, rules.folds - before) == (105, 1)
