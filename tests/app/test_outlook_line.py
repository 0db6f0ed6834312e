"""The line of the whole volley below the chance of its first shot: what it says, how it fits."""

from __future__ import annotations

import pytest
from steps import DECK, NARROW, WIDE, a_scenario, fought, press, resume, shown, the_app

from skirmish.app.battle.draft import Draft
from skirmish.app.battle.mode import Mode
from skirmish.app.battle.outlook_words import in_all, in_hand, sentence, spanned
from skirmish.games.plastic.battle import record
from skirmish.games.plastic.battle.odds import VolleyOdds
from skirmish.games.plastic.battle.orders import AnyOrder, EndPhase
from skirmish.games.plastic.battle.record import BattlePlay


def a_play(*orders: AnyOrder) -> BattlePlay:
    play = record.codec.play([record.opening(a_scenario(1))])
    for order in orders:
        play.accept(play.consider(order))
    return play


def said(play: BattlePlay, keys: str, width: int = 118) -> list[str]:
    lines = in_all(play.state, drafted(play, keys), "full", width)
    return ["".join(text for text, _ in line) for line in lines]


def drafted(play: BattlePlay, keys: str) -> Mode:
    mode: Mode = Draft.to_begin(play.state)
    for key in keys:
        step = mode.press(key, play)
        assert isinstance(step, Mode), (key, step)
        mode = step
    return mode


def test_a_volley_says_its_average_and_how_likely_each_number_is() -> None:
    """Two rifles: 20/48 + 20/48, at least one 1 - 28/48 x 27/47, both 20/48 x 19/47."""
    assert said(a_play(), "2rr2") == ["IN ALL  0.83 of 2 killed   1+ 66%  2+ 17%"]


def test_what_is_as_good_as_sure_is_left_out_and_so_is_what_never_happens() -> None:
    assert said(a_play(), "20rr23") == [
        "IN ALL  8.33 of 23 killed   5+ 99%  6+ 95%  7+ 86%  8+ 69%  9+ 46%  10+ 24%  11+ 10%  "
        "12+ 3%  13+ 1%"
    ]


def test_in_little_room_the_numbers_that_are_most_open_stand_and_a_sign_for_the_others() -> None:
    assert said(a_play(), "20rr23", 78) == [
        "IN ALL  8.33 of 23 killed   … 7+ 86%  8+ 69%  9+ 46%  10+ 24%  11+ 10% …"
    ]
    assert said(a_play(), "20rr23", 50) == ["IN ALL  8.33 of 23 killed   … 8+ 69%  9+ 46% …"]


def test_several_guns_tell_what_breakdowns_cost_and_one_gun_where_there_is_room() -> None:
    (line,) = said(a_play(), "2mr23", 78)
    assert line.endswith(" …   breakdown 3%")
    (line,) = said(a_play(), "mr", 160)
    assert line.endswith("   breakdown 1%")
    assert "breakdown" not in said(a_play(), "20rr23")[0]


def test_repeat_fire_of_one_gun_reckons_with_the_group_once_it_is_counted() -> None:
    assert said(a_play(), "mr", 78) == [
        "IN ALL  killed if enough are near   1+ 67%  2+ 44%  3+ 29% …   type how many"
    ]
    (line,) = said(a_play(), "mr3", 78)
    assert line.startswith("IN ALL  1.11 of 3 killed")


@pytest.mark.parametrize("keys", ["", "r", "rr", "2r", "ch"])
def test_where_there_is_no_more_to_tell_there_is_no_line(keys: str) -> None:
    """Nothing drafted, no target, or one shot that breaks nothing."""
    assert said(a_play(), keys) == []


def test_a_shot_that_the_rules_forbid_has_none() -> None:
    assert said(a_play(), "99mr") == said(a_play(EndPhase()), "mt") == []


@pytest.mark.parametrize("width", [30, 40, 60, 78, 118])
@pytest.mark.parametrize("keys", ["mr", "9rr9", "20rr", "2mr23"])
def test_the_line_is_never_longer_than_the_screen(keys: str, width: int) -> None:
    assert [len(line) <= width for line in said(a_play(), keys, width)] == [True]


def test_a_chance_that_hangs_on_who_dies_is_told_from_least_to_most() -> None:
    play = a_play()
    found = in_hand(play.state, drafted(play, "2rr2"), "full")
    assert found is not None
    assert found.kills is not None
    both = found.kills.at_least(2)
    assert spanned((both, both)) == "17%"
    assert spanned((both, found.kills.at_least(1))) == "17–66%"


def test_the_same_in_sentences() -> None:
    play = a_play()
    found = in_hand(play.state, drafted(play, "mr"), "full")
    assert isinstance(found, VolleyOdds)
    assert sentence(found) == ("The chance of two or more kills is 44%, if enough are near.")
    counted = in_hand(play.state, drafted(play, "mr3"), "full")
    assert isinstance(counted, VolleyOdds)
    assert sentence(counted) == (
        "All his shots kill 1.11 on average. The chance of two or more kills is 44%."
    )
    once = in_hand(play.state, drafted(play, "rr"), "full")
    assert isinstance(once, VolleyOdds)
    assert not sentence(once)


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_it_stands_between_the_chance_and_the_what_ifs(
    size: tuple[int, int], where: str
) -> None:
    fought(where, source=DECK)
    app = the_app(where)
    async with app.run_test(size=size) as pilot:
        await resume(pilot)
        await press(pilot, *"2mr8")
        lines = shown(pilot, "shot").splitlines()
        at = next(n for n, line in enumerate(lines) if line.startswith("IN ALL"))
        assert "Space draws" in lines[at - 1]
        assert lines[at + 1].startswith("WHAT IF")
