"""Keys that are held down, and what stands above a battle."""

from __future__ import annotations

from itertools import accumulate

import pytest
from fights import GAME, a_play
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from skirmish import library
from skirmish.app.battle.forces import SideLook
from skirmish.app.battle.forces import _title as side_title
from skirmish.app.battle.header import BINDINGS, BY_VERB, key_strip, who_line
from skirmish.app.binding import key_name
from skirmish.app.play.held_key import HeldKey

# ------------------------------------------------------------------ a key held down


@given(
    delay=st.floats(0.25, 0.66),
    repeats=st.lists(st.floats(0.025, 0.04), min_size=1, max_size=40),
    key=st.sampled_from(["full_stop", "space", "greater_than_sign"]),
)
def test_a_key_held_down_counts_at_most_twice_and_that_is_said_once(
    delay: float, repeats: list[float], key: str
) -> None:
    held, at = HeldKey(0.1), 10.0
    times = list(accumulate([delay, *repeats], initial=at))
    dead = [(not held.count_press(key, one), held.has_just_been_caught) for one in times]
    assert [one for one, _ in dead] == [False, False] + [True] * len(repeats)
    assert [caught for _, caught in dead] == [False, False, True] + [False] * (len(repeats) - 1)
    assert held.count_press(key, times[-1] + 1)


def test_a_key_that_was_held_on_the_screen_before_counts_at_most_twice() -> None:
    held = HeldKey(0.1)
    assert sum(held.count_press("space", 10 + 0.03 * nth) for nth in range(20)) <= 2


@pytest.mark.parametrize("key", ["full_stop", "greater_than_sign", "E", "enter", "space"])
@pytest.mark.parametrize("gap", [0.03, 0.08, 0.15, 0.3])
def test_the_guard_eats_neither_the_second_press_of_somebody_quick_nor_another_key(
    key: str, gap: float
) -> None:
    held = HeldKey(0.1)
    assert held.count_press(key, 10.0)
    assert held.count_press(key, 10.0 + gap)
    assert held.count_press("full_stop" if key == "space" else "space", 10.01 + gap)
    assert held.count_press(key, 12.0)
    assert held.count_press(key, 12.0 + gap)


def test_keys_that_arrive_together_were_typed_ahead_and_all_count() -> None:
    held = HeldKey(0.1)
    assert all(held.count_press("space", 10 + 0.0001 * nth) for nth in range(9))
    assert held.count_press("enter", 12.0)
    held.ignore("enter", 0.7)
    assert held.count_press("enter", 12.0001)


@given(delay=st.floats(0.25, 0.66), count=st.integers(1, 20))
def test_repeats_that_a_slow_connection_bunches_are_those_of_a_held_key(
    delay: float, count: int
) -> None:
    held = HeldKey(0.1)
    held.count_press("space", 10.0)
    assert held.count_press("space", 10 + delay)
    assert not any(
        held.count_press("space", 10 + delay + 0.0001 * nth) for nth in range(1, count + 1)
    )


def test_letters_and_digits_are_never_dead() -> None:
    held = HeldKey(0.1)
    assert all(held.count_press(key, 10.0) for key in "rr11")


def test_only_the_key_that_gave_an_order_rests() -> None:
    held = HeldKey(0.1)
    held.count_press("enter", 10.0)
    held.ignore("enter", 0.7)
    assert not held.count_press("enter", 10.5)
    assert held.count_press("space", 10.6)
    assert held.count_press("enter", 10.65)


# ------------------------------------------------------------------ what is said above


def test_dust_and_the_end_of_movement_are_among_the_largest_words() -> None:
    state = a_play(8).state
    assert "DUST" not in str(who_line(state, str, 78))
    dusty = replace(state, toggled=frozenset({"dust"}), movement_over=True)
    assert "DUST" in str(who_line(dusty, str, 78))
    assert "MOVEMENT OVER: GERMANS" in str(who_line(dusty, str, 78))


def test_losses_near_the_break_point_are_an_alarm() -> None:
    state, look = a_play(1).state, SideLook(39, str)
    unhurt = side_title(state, "german", look, "")
    assert "0 of 50 lost" in str(unhurt)
    assert not any("error" in str(span.style) for span in unhurt.spans)
    beaten = side_title(replace(state, loss={"german": 25}), "german", look, "")
    assert "half lost" in str(beaten)
    assert any("error" in str(span.style) for span in beaten.spans)


def test_a_side_without_strength_has_not_lost_half_of_it() -> None:
    """Ruling P2: an army breaks at half its strength, and half of none is none."""
    state = a_play(1).state
    rulings = {**state.setup.rulings, "P2": "half"}
    pieces = tuple(piece for piece in state.setup.pieces if piece.side != "german")
    weak = replace(state, setup=replace(state.setup, pieces=pieces, rulings=rulings))
    shown = str(side_title(weak, "german", SideLook(39, str), ""))
    assert "0 of 0 lost" in shown
    assert "half lost" not in shown


def default_key(verb: str) -> str:
    return key_name(BY_VERB[verb].key)


@pytest.mark.parametrize("number", library.published_scenarios())
def test_the_keys_shown_fit_and_each_key_is_in_the_table_once(number: int) -> None:
    for width in (80, 120):
        play = a_play(number)
        shown = key_strip(play.state, GAME.commands(play.state), width, default_key)
        assert shown.cell_length <= width
        assert str(shown).endswith("? keys ")
    assert len({key.key for key in BINDINGS}) == len(BINDINGS)
