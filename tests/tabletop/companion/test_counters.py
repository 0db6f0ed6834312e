from __future__ import annotations

import tomllib
from typing import Any

import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from skirmish.tabletop.companion.counter_csv import as_csv, csv_rows
from skirmish.tabletop.companion.counter_events import CounterSet
from skirmish.tabletop.companion.counter_rows import AllowedOnCounters, as_rows, merged, read_rows
from skirmish.tabletop.companion.counters import Counter, Register
from skirmish.tabletop.companion.events import TrackSet
from skirmish.tabletop.companion.sequence import SequencePhase, TurnSequence
from skirmish.tabletop.companion.table_state import TableState, Track
from skirmish.tabletop.data_file import DataError

RATINGS = ("fire", "assault")
SIDES = ("us", "german")


MARKERS = ("1 cohesion hit", "suppressed", "in park", "men at work dig 2", "rallying 11")
PRINTED = AllowedOnCounters(SIDES, RATINGS, ("", "pink"), ("armored", "white"),
                  MARKERS[:3], ("men at work ", "rallying "))  # fmt: skip
NAMES = st.text(st.characters(exclude_categories=("C", "Zl", "Zp")), max_size=40).map(str.strip)
COUNTERS = st.builds(
    Counter,
    id=st.just(""),
    name=NAMES.filter(bool),
    side=st.sampled_from(SIDES),
    kind=st.sampled_from(PRINTED.kinds),
    group=NAMES,
    place=NAMES,
    steps=st.integers(0, 20),
    flags=st.sets(st.sampled_from(MARKERS)).map(lambda flags: tuple(sorted(flags))),
    ratings=st.dictionaries(st.sampled_from(RATINGS), st.none() | st.integers(-9, 99)),
    traits=st.lists(st.sampled_from(PRINTED.traits), unique=True).map(tuple),
)


def taken(rows: list[Any]) -> Register:
    found = merged(Register(), read_rows(rows, PRINTED, "units.toml"))
    return Register({one.id: one for one in found})


@given(st.lists(COUNTERS, max_size=8, unique_by=lambda one: (one.side, one.name)))
def test_a_register_comes_back_from_its_file_with_everything_on_its_counters(
    counters: list[Counter],
) -> None:
    register = Register()
    for one in counters:
        register = register.with_counter(replace(one, id=register.new_id(one.name)))
    toml = tomllib.loads(tomli_w.dumps({"unit": as_rows(register)}))
    assert taken(toml.get("unit", [])) == register
    assert taken(csv_rows(as_csv(register, RATINGS), RATINGS, "units.csv")) == register


def test_what_a_file_does_not_have_stays_as_it_is_in_the_game() -> None:
    one = Counter(id="b", name="B", side="us", place="J7", steps=1, flags=("suppressed",))
    register = Register({"b": one})
    same, moved = (
        merged(register, read_rows([{"name": "B", "side": "us"} | more], PRINTED, "units.toml"))[0]
        for more in ({}, {"place": "", "markers": [], "steps": 2})
    )
    assert same == one
    assert (moved.place, moved.flags, moved.steps) == ("", (), 2)


def test_a_column_or_a_marker_that_is_none_is_named_with_its_place() -> None:
    with pytest.raises(DataError, match=r"line 2\.plaice: is no column; did you mean place"):
        csv_rows("name,side,plaice\nB,us,J7\n", RATINGS, "units.csv")
    with pytest.raises(DataError, match=r"\[0\]\.markers: 'supressed' is unknown; did you mean"):
        taken([{"name": "B", "side": "us", "markers": ["supressed"]}])


def test_a_cell_of_several_lines_moves_no_number_of_a_line() -> None:
    text = 'name,side,markers,steps\n"B\ncompany",us,,1\nC,us,,many\n'
    with pytest.raises(DataError, match=r"line 4\.steps"):
        csv_rows(text, RATINGS, "units.csv")


def test_a_line_break_within_a_cell_joins_no_words() -> None:
    rows = csv_rows('name,side,markers\n"B\n116",us,"in park;\nsuppressed"\n', RATINGS, "units.csv")
    assert rows[0]["markers"] == ["in park", "suppressed"]
    with pytest.raises(DataError, match=r"\[0\]\.name: B·116 has characters that no screen shows"):
        taken(rows)


def test_every_mistake_of_a_file_is_named_with_its_place() -> None:
    good = {"name": "B/116", "side": "us", "ratings": {"fire": 4}}
    wrong = [good, good | {"name": ""}, good | {"ratings": {"fire": "many"}}]
    with pytest.raises(DataError) as found:
        taken(wrong)
    assert [problem.key for problem in found.value.problems] == ["[1].name", "[2].ratings.fire"]
    strange = [good | {"side": "british"}, good | {"ratings": {"fier": 4}}]
    with pytest.raises(DataError, match=r"(?s)'british' is no side; .*did you mean fire"):
        taken(strange)


def test_a_unit_that_stands_twice_in_a_file_is_refused() -> None:
    good = {"name": "B/116", "side": "us"}
    with pytest.raises(DataError, match=r"\[2\]\.name: B/116 stands there twice; .* its own"):
        taken([good, good | {"side": "german"}, good])


@pytest.mark.parametrize("name", ["A\x1b[31mB", "two\nlines", "left \u202eright"])
def test_a_name_with_signs_that_would_steer_a_terminal_is_refused(name: str) -> None:
    with pytest.raises(DataError, match=r"\[0\]\.name: .*·.* has characters that no screen shows"):
        taken([{"name": name, "side": "us"}])


def test_what_is_not_typed_yet_is_asked_and_a_dash_is_an_answer() -> None:
    rows = [{"name": "Gun", "side": "german", "ratings": {"fire": "-"}}]
    register = taken(rows)
    assert register["gun"].missing(RATINGS) == ("assault",)
    assert register["gun"].ratings == {"fire": None}


def test_two_of_one_name_have_two_ids() -> None:
    rows = [{"name": name, "side": "us"} for name in ("B 116", "B/116")]
    assert list(taken(rows).counters) == ["b-116", "b-116-2"]


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
