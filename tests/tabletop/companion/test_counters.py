from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skirmish.tabletop.companion.counters import Counter, Register, as_rows, from_rows
from skirmish.tabletop.companion.events import CounterSet, TableState, Track, TrackSet
from skirmish.tabletop.companion.sequence import SequencePhase, TurnSequence
from skirmish.tabletop.reading import DataError

RATINGS = ("fire", "assault")
SIDES = ("us", "german")


@given(
    st.lists(
        st.tuples(
            st.text(st.characters(exclude_categories=("C", "Zl", "Zp")), min_size=1, max_size=40),
            st.sampled_from(SIDES),
            st.integers(1, 20),
            st.dictionaries(st.sampled_from(RATINGS), st.none() | st.integers(-9, 99)),
        ),
        max_size=8,
        unique_by=lambda row: row[:2],
    )
)
def test_a_register_comes_back_from_its_file(rows: list[tuple[str, str, int, dict]]) -> None:
    register = Register()
    for name, side, steps, ratings in rows:
        one = Counter(id=register.new_id(name), name=name, side=side, steps=steps, ratings=ratings)
        register = register.with_counter(one)
    assert from_rows(as_rows(register), RATINGS, SIDES, "units.toml") == register


def test_every_mistake_of_a_file_is_named_with_its_place() -> None:
    good = {"name": "B/116", "side": "us", "ratings": {"fire": 4}}
    wrong = [good, good | {"name": ""}, good | {"ratings": {"fire": "many"}}]
    with pytest.raises(DataError) as found:
        from_rows(wrong, RATINGS, SIDES, "units.toml")
    assert [problem.key for problem in found.value.problems] == ["[1].name", "[2].ratings.fire"]
    strange = [good | {"side": "british"}, good | {"ratings": {"fier": 4}}]
    with pytest.raises(DataError, match=r"(?s)'british' is no side; .*did you mean fire"):
        from_rows(strange, RATINGS, SIDES, "units.toml")


def test_a_unit_that_stands_twice_in_a_file_is_refused() -> None:
    good = {"name": "B/116", "side": "us"}
    with pytest.raises(DataError, match=r"\[2\]\.name: B/116 stands there twice; .* its own"):
        from_rows([good, good | {"side": "german"}, good], RATINGS, SIDES, "units.toml")


@pytest.mark.parametrize("name", ["A\x1b[31mB", "two\nlines", "left \u202eright"])
def test_a_name_with_signs_that_would_steer_a_terminal_is_refused(name: str) -> None:
    with pytest.raises(DataError, match=r"\[0\]\.name: .*·.* holds signs that no screen shows"):
        from_rows([{"name": name, "side": "us"}], RATINGS, SIDES, "units.toml")


def test_what_is_not_typed_yet_is_asked_and_a_dash_is_an_answer() -> None:
    rows = [{"name": "Gun", "side": "german", "ratings": {"fire": "-"}}]
    register = from_rows(rows, RATINGS, SIDES, "units.toml")
    assert register["gun"].missing(RATINGS) == ("assault",)
    assert register["gun"].ratings == {"fire": None}


def test_two_of_one_name_have_two_ids() -> None:
    rows = [{"name": name, "side": "us"} for name in ("B 116", "B/116")]
    assert list(from_rows(rows, RATINGS, SIDES, "units.toml").counters) == ["b-116", "b-116-2"]


def test_a_side_clears_its_own_markers_only() -> None:
    both = Register()
    for side in SIDES:
        both = both.with_counter(
            Counter(id=side, name=side, side=side, flags=("disrupted", "fired"))
        )
    after = both.cleared("us", ["fired"])
    assert after["us"].flags == ("disrupted",)
    assert after["german"].flags == ("disrupted", "fired")
    assert [one.id for one in after.where(side="german", flag="fired")] == ["german"]


def test_a_counter_narrates_what_became_of_it() -> None:
    state = TableState(sequence=TurnSequence(phases=(SequencePhase(id="fire", name="Fire"),)))
    new = CounterSet(counter=Counter(id="b", name="B/116", side="us", steps=2))
    assert new.narrate(state) == "B/116: new, 2 steps."
    placed = CounterSet(counter=Counter(id="c", name="C/116", side="us", steps=2, place="L6"))
    assert placed.narrate(state) == "C/116: new in L6, 2 steps."
    state = new.apply(state)
    hit = CounterSet(
        counter=Counter(id="b", name="B/116", side="us", steps=1, ratings={"fire": 4}).marked(
            "disrupted"
        )
    )
    assert hit.narrate(state) == "B/116: 1 step lost, 1 left, disrupted (fire 4)."
    gone = CounterSet(counter=Counter(id="b", name="B/116", side="us", steps=0), by_hand=True)
    assert gone.narrate(state) == "B/116: 2 steps lost, eliminated (by hand)."


@given(st.integers(0, 19), st.integers(-99, 99))
def test_a_track_stays_within_its_ends(value: int, by: int) -> None:
    track = Track(id="cp", name="Command points", value=value, high=19)
    assert 0 <= track.moved(by).value <= 19
    state = TableState(sequence=TurnSequence(phases=()), tracks={"cp": track})
    event = TrackSet(track="cp", value=value + by)
    assert event.apply(state).tracks["cp"] == track.moved(by)
