"""What keys put together, mode by mode, without a screen: what comes out, or what is said."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from steps import CARDS, a_scenario

from skirmish.app.battle.draft import Draft
from skirmish.app.battle.held_key import HeldKey
from skirmish.app.battle.keys import KEYS, strip
from skirmish.app.battle.mode import DraftError, Mode, Resting, Step
from skirmish.app.battle.news import news
from skirmish.app.battle.openings import insisted, opened, overruling
from skirmish.app.battle.prompt_again import Judging, Looking
from skirmish.app.battle.prompt_answers import Dying, answering
from skirmish.app.battle.shot_words import lines_of
from skirmish.app.battle.typed_draws import typed_draws
from skirmish.app.battle.words import side_title, status, who_line
from skirmish.games.plastic.battle import record
from skirmish.games.plastic.battle.orders import (
    Add,
    AnyOrder,
    Convert,
    Correct,
    Count,
    Dig,
    EndTurn,
    Enter,
    Exit,
    Fire,
    Inside,
    Load,
    Point,
    Reveal,
    Serve,
    SetClock,
    SetLevel,
    Show,
    Unload,
    Volley,
)
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.rows import rows
from skirmish.tabletop.chance import Draw, DrawError


def a_play(number: int, *orders: AnyOrder, **chosen: object) -> BattlePlay:
    play = record.codec.play([record.opening(a_scenario(number, **chosen))])
    for order in orders:
        play.accept(play.consider(order))
    return play


def at(play: BattlePlay, turn: int, side: str) -> BattlePlay:
    while (play.state.clock.turn, play.state.clock.side) != (turn, side):
        play.accept(play.consider(EndTurn()))
    return play


def pressed(play: BattlePlay, mode: Step, keys: Iterable[str]) -> Step:
    for key in keys:
        assert isinstance(mode, Mode), (key, mode)
        mode = mode.press(key, play)
    return mode


def said(play: BattlePlay, mode: Step) -> str:
    assert isinstance(mode, Mode)
    lines = mode.lines(play)
    assert len(lines) <= 3
    return "\n".join("".join(text for text, _ in line) for line in lines)


def row(play: BattlePlay, side: str, letter: str) -> str:
    return next(r.key for r in rows(play.state, side) if r.letter == letter)


# ------------------------------------------------------------------ shots


def test_digits_before_the_shooter_and_after_the_target_make_a_volley() -> None:
    play = a_play(1)
    rifles, germans = row(play, "polish", "r"), row(play, "german", "r")
    volley = pressed(play, Draft(), [*"15rr8c", "space"])
    assert volley == Volley(shooter=rifles, target=germans, count=15, reach=8, cover=True)
    assert pressed(play, Draft(), [*"rr", "space"]) == Fire(shooter=rifles, target=germans)
    alone = pressed(play, Draft(), [*"rr3", "space"])
    assert alone == Volley(shooter=rifles, target=germans, count=1, reach=3)


def test_escape_takes_a_draft_back_key_by_key() -> None:
    play = a_play(1)
    mode: Step = pressed(play, Draft(), "15rr8")
    for left in ("15rr", "15r", "15", "1", ""):
        mode = pressed(play, mode, ["escape"])
        assert mode == pressed(play, Draft(), left)
    assert mode == Draft()


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        (["z"], "There is no Polish row z"),
        (["space"], "Choose who fires"),
        (["r", "5"], "Choose the target first"),
        (list("100"), "99 is the most"),
        (list("rrh"), "h changes nothing here"),
    ],
)
def test_a_key_that_does_not_fit_is_answered_with_what_would(
    keys: list[str], sentence: str
) -> None:
    with pytest.raises(DraftError, match=sentence):
        pressed(a_play(1), Draft(), keys)


def test_a_shot_is_shown_with_its_odds_out_of_the_cards_that_are_left() -> None:
    play = a_play(1)
    shot = pressed(play, Draft(), "mr")
    assert "67% (32 of 48)" in said(play, shot)
    play.accept(play.consider(pressed(play, shot, ["space"])))
    play.accept(play.consider(Show((Draw(9, "C"),))))
    assert "68% (32 of 47)" in said(play, shot)
    told = "".join(text for line in lines_of(shot, play, "hidden") for text, _ in line)
    assert "67% (32 of 48), fresh deck" in told


def test_a_ledger_side_does_not_fire_and_says_what_is_kept() -> None:
    play = a_play(1, SetLevel(side="polish", level="ledger", source=CARDS))
    with pytest.raises(DraftError, match=r"Poles record losses only.*- takes men off"):
        pressed(play, Draft(), "m")
    pressed(play, opened("lost", play.state), "3r")  # losses are kept at every level


# ------------------------------------------------------------------ capitals


def test_losses_are_of_the_side_shot_at_and_tab_is_the_other() -> None:
    play = a_play(1)
    lost = opened("lost", play.state)
    assert pressed(play, lost, "3r") == Correct(row=row(play, "german", "r"), by=-3)
    assert pressed(play, lost, ["tab", "c"]) == Correct(row=row(play, "polish", "c"), by=-1)
    back = opened("back", play.state)
    assert pressed(play, back, "r") == Correct(row=row(play, "german", "r"), by=1)
    assert pressed(play, pressed(play, lost, "3"), ["backspace"]) == lost
    assert pressed(play, lost, ["escape"]) is None


def test_men_back_beyond_those_lost_are_added() -> None:
    play = a_play(1, Correct(row=row(a_play(1), "german", "t"), by=-1))
    tank = row(play, "german", "t")
    orders = insisted(Correct(row=tank, by=2), play.state)
    assert orders == [Correct(row=tank, by=1), Add(row=tank, count=1)]
    assert overruling(Correct(row=tank, by=2)) == "adds them to the battle."


def test_who_leaves_is_shown_before_enter() -> None:
    play = a_play(1, loads=True)
    leaves = pressed(play, opened("exit", play.state), "k")
    assert "10 Rifle Guys" in said(play, leaves)
    assert "Truck" in said(play, leaves)
    order = pressed(play, leaves, ["enter"])
    assert isinstance(order, Exit)
    assert (order.piece, order.counts) == ("german:K1", True)
    other = pressed(play, leaves, ["tab", "o", "enter"])
    assert isinstance(other, Exit)
    assert (other.piece, other.counts) == ("german:K2", False)
    on_foot = a_play(1)
    men = pressed(on_foot, opened("exit", on_foot.state), [*"5r", "enter"])
    assert men == Exit(row=row(on_foot, "german", "r"), count=5)
    with pytest.raises(DraftError, match="Only 23 Rifle Guys can leave"):
        pressed(on_foot, opened("exit", on_foot.state), "30r")


def test_several_rows_get_into_the_model_that_is_chosen() -> None:
    play = a_play(1)
    load = pressed(play, opened("load", play.state), "h6r2m")
    assert "6 Rifle, 2 Machinegun" in said(play, load)
    riders = {row(play, "german", "r"): 6, row(play, "german", "m"): 2}
    assert pressed(play, load, ["enter"]) == Load(
        carrier=row(play, "german", "h"), riders=riders, piece="german:H1"
    )
    second = pressed(play, opened("load", play.state), ["k", "tab", *"10r", "enter"])
    assert isinstance(second, Load)
    assert second.piece == "german:K2"
    with pytest.raises(DraftError, match="carries nobody"):
        pressed(play, opened("load", play.state), "r")
    with pytest.raises(DraftError, match="of which row"):
        pressed(play, load, ["5", "enter"])


def test_unloading_asks_which_only_where_several_are_loaded() -> None:
    play = a_play(1, loads=True)
    out = opened("unload", play.state)
    assert pressed(play, out, "h") == Unload(carrier=row(play, "german", "h"))
    trucks = pressed(play, out, "k")
    assert "K1: 10r" in said(play, trucks)
    assert pressed(play, trucks, "2") == Unload(carrier=row(play, "german", "k"), piece="german:K2")


def test_digging_asks_for_engineers_only_where_some_dig_so() -> None:
    germans = a_play(4)  # five engineers among many
    dig = opened("dig", germans.state)
    assert pressed(germans, dig, "e") == Dig(side="german", engineers=True)
    assert pressed(germans, dig, ["enter"]) == Dig(side="german")
    assert opened("dig", at(a_play(1), 1, "polish").state) == Dig(side="polish")


def test_the_clock_is_set_by_turn_side_and_phase() -> None:
    play = a_play(1)
    clock = pressed(play, opened("clock", play.state), ["1", "0", "tab", "space", "space"])
    assert "turn 10" in said(play, clock)
    assert pressed(play, clock, ["enter"]) == SetClock(turn=10, side="polish", phase=3)


def test_a_count_asks_a_number_for_each_side() -> None:
    play = a_play(9)
    count = opened("count", play.state)
    assert "on the bridge" in said(play, count)
    order = pressed(play, count, [*"12", "enter", "7", "enter"])
    assert order == Count(values={"british": 12, "german": 7})
    with pytest.raises(DraftError, match="Type the British number first"):
        pressed(play, count, ["enter"])
    with pytest.raises(DraftError, match="Nothing is counted in this battle"):
        opened("count", a_play(1).state)


def test_hidden_men_are_shown_fuel_is_given_guns_are_left() -> None:
    third, second, tenth = a_play(3), at(a_play(2), 1, "french"), a_play(10)
    shown = opened("reveal", third.state)
    assert pressed(third, shown, "2r") == Reveal(row=row(third, "german", "r"), count=2)
    fuel = opened("serve", second.state)
    tanks = next(r for r in rows(second.state, "french") if "fuel" not in r.unit.id and r.here)
    assert pressed(second, fuel, ["2", tanks.letter]) == Serve(row=tanks.key, count=2)
    left = opened("convert", tenth.state)
    guns = next(r for r in rows(tenth.state, "german") if r.unit.id == "machinegun")
    assert pressed(tenth, left, guns.letter) == Convert(row=guns.key, count=1)


def test_nothing_new_begins_while_an_answer_is_awaited() -> None:
    play = a_play(1)
    play.accept(play.consider(pressed(play, Draft(), [*"mr", "space"])))
    with pytest.raises(DraftError, match="First enter the Polish card"):
        opened("exit", play.state)
    lost = Correct(row=row(play, "german", "r"), by=-1)
    assert pressed(play, opened("lost", play.state), "r") == lost


# ------------------------------------------------------------------ waves


def test_waves_are_told_a_turn_ahead_and_come_on_whole_or_in_part() -> None:
    play = at(a_play(9), 7, "german")
    told = "\n".join("".join(text for text, _ in line) for line in news(play))
    assert "Turn 8, Germans, Reaction force: 50 Rifle" in told
    at(play, 8, "german")
    told = "\n".join("".join(text for text, _ in line) for line in news(play))
    assert "S edge. Enter brings on all, A some" in told
    assert "May not move within 4 ft of the N edge before turn 12" in told
    arrive = opened("arrive", play.state)
    assert pressed(play, arrive, ["enter"]) == Enter(contingent="reaction")
    late = [r for r in rows(play.state, "german") if r.waiting]
    one, other = late[0], late[1]
    order = pressed(play, arrive, ["5", one.letter, "1", other.letter, "enter"])
    assert order == Enter(contingent="reaction", units={one.key: 5, other.key: 1})


# ------------------------------------------------------------------ answers


def test_an_answer_is_not_left_by_escape() -> None:
    play = a_play(1)
    play.accept(play.consider(pressed(play, Draft(), [*"mr", "space"])))
    play.accept(play.consider(Show((Draw(5, "H"),))))
    mode = answering(play.state)
    assert isinstance(mode, Dying)
    assert pressed(play, mode, ["escape"]) == mode
    with pytest.raises(DraftError, match="t may not be chosen"):
        pressed(play, mode, "t")


def test_who_was_inside_and_which_model_are_asked_where_it_matters() -> None:
    play = a_play(1)  # nothing is recorded of the trucks
    cannon = pressed(play, Draft(), [*"ck", "space"])
    play.accept(play.consider(cannon))
    play.accept(play.consider(Show((Draw(1, "H"),))))
    mode = answering(play.state)
    assert "WHO WAS INSIDE" in said(play, mode)
    assert pressed(play, mode, ["enter"]) == Inside({})
    assert pressed(play, mode, [*"10r", "enter"]) == Inside({row(play, "german", "r"): 10})
    loaded = a_play(1)
    load = pressed(loaded, opened("load", loaded.state), [*"k10r", "enter"])
    loaded.accept(loaded.consider(load))
    loaded.accept(loaded.consider(pressed(loaded, Draft(), [*"ck", "space"])))
    loaded.accept(loaded.consider(Show((Draw(1, "H"),))))
    which = answering(loaded.state)
    assert "10r" in said(loaded, which)
    assert pressed(loaded, which, "2") == Point("german:K2")
    with pytest.raises(DraftError, match="7 is not one of them: 1, 2"):
        pressed(loaded, which, "7")


def test_the_suit_alone_is_asked_where_it_matters() -> None:
    play = a_play(1)
    play.accept(play.consider(pressed(play, Draft(), [*"mrc", "space"])))
    play.accept(play.consider(Show((Draw(5),))))
    mode = answering(play.state)
    assert "WHICH SUIT is the 5?" in said(play, mode)
    assert pressed(play, mode, "s") == Show((Draw(5, "S"),))
    play.accept(play.consider(Show((Draw(5, "S"),))))
    assert not play.state.lost


@pytest.mark.parametrize(
    ("typed", "die", "draws"),
    [
        ("7 3h q 10", False, (Draw(7), Draw(3, "H"), Draw(12), Draw(10))),
        ("A as 12", False, (Draw(1), Draw(1, "S"), Draw(12))),
        ("7 12", True, (Draw(7), Draw(12))),
        ("q♠ 10♥ 5♦ a♣", False, (Draw(12, "S"), Draw(10, "H"), Draw(5, "D"), Draw(1, "C"))),
    ],
)
def test_several_draws_are_typed_on_one_line(
    typed: str, die: bool, draws: tuple[Draw, ...]
) -> None:
    assert typed_draws(typed, die) == draws


@pytest.mark.parametrize(
    ("typed", "die"), [("", False), ("kh", False), ("13", True), ("7x", False)]
)
def test_what_is_no_draw_is_told(typed: str, die: bool) -> None:
    with pytest.raises(DrawError):
        typed_draws(typed, die)


# ------------------------------------------------------------------ looking back


def test_tab_goes_from_shot_to_shot_of_the_turn_and_offers_what_would_change_it() -> None:
    play = a_play(1)
    for card in ("9C", "3S"):
        play.accept(play.consider(pressed(play, Draft(), [*"rr", "space"])))
        play.accept(play.consider(Show((Draw(int(card[0]), card[1]),))))
    judging = Judging.opened(play.state)
    assert judging.shot == 2
    assert "he was in cover" in said(play, judging)
    before = pressed(play, judging, ["tab"])
    assert isinstance(before, Judging)
    assert before.shot == 1
    assert "in cover" not in said(play, before)  # a 9 misses anyhow
    with pytest.raises(DraftError, match="no shot of this player turn"):
        Judging.opened(a_play(1).state)


def test_the_cursor_says_what_builds_on_a_line_before_it_is_void() -> None:
    rifles = row(a_play(1), "german", "r")
    play = a_play(1, Correct(row=rifles, by=-3), Correct(row=rifles, by=1), EndTurn())
    top = pressed(play, Looking.opened(play), ["up", "up"])
    asked = pressed(play, top, ["v"])
    assert "depend on it: 3" in said(play, asked)
    assert pressed(play, asked, ["escape"]) == top
    with pytest.raises(DraftError, match="T sets the clock"):
        pressed(play, Looking.opened(play), ["v"])
    assert pressed(play, Looking.opened(play), ["down"]) is None
    back = pressed(play, top, ["b"])
    assert "2 later lines are undone" in said(play, back)


def test_a_mode_at_rest_says_why_nothing_happens() -> None:
    with pytest.raises(DraftError, match="over"):
        Resting(says="It is over.").press("r", a_play(1))


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
    dead = [(held.is_dead(key, one), held.caught) for one in times]
    assert [one for one, _ in dead] == [False, False] + [True] * len(repeats)
    assert [caught for _, caught in dead] == [False, False, True] + [False] * (len(repeats) - 1)
    assert not held.is_dead(key, times[-1] + 1)


def test_a_key_that_was_held_on_the_screen_before_counts_at_most_twice() -> None:
    held = HeldKey(0.1)
    assert sum(not held.is_dead("space", 10 + 0.03 * nth) for nth in range(20)) <= 2


@pytest.mark.parametrize("key", ["full_stop", "greater_than_sign", "E", "enter", "space"])
@pytest.mark.parametrize("gap", [0.03, 0.08, 0.15, 0.3])
def test_the_guard_eats_neither_the_second_press_of_somebody_quick_nor_another_key(
    key: str, gap: float
) -> None:
    held = HeldKey(0.1)
    assert not held.is_dead(key, 10.0)
    assert not held.is_dead(key, 10.0 + gap)
    assert not held.is_dead("full_stop" if key == "space" else "space", 10.01 + gap)
    assert not held.is_dead(key, 12.0)
    assert not held.is_dead(key, 12.0 + gap)


def test_letters_and_digits_are_never_dead() -> None:
    held = HeldKey(0.1)
    assert not any(held.is_dead(key, 10.0) for key in [*"rrr111", *["backspace"] * 3])


def test_only_the_key_that_gave_an_order_rests() -> None:
    held = HeldKey(0.1)
    held.is_dead("enter", 10.0)
    held.rest("enter", 0.7)
    assert held.is_dead("enter", 10.5)
    assert not held.is_dead("space", 10.6)
    assert not held.is_dead("enter", 10.65)


# ------------------------------------------------------------------ what is said above


def test_dust_and_the_end_of_movement_are_among_the_largest_words() -> None:
    state = a_play(8).state
    assert "DUST" not in str(who_line(state, str, 78))
    dusty = replace(state, toggled=frozenset({"dust"}), movement_over=True)
    assert "DUST" in str(who_line(dusty, str, 78))
    assert "MOVEMENT OVER: GERMANS" in str(who_line(dusty, str, 78))


def test_losses_near_the_break_point_are_an_alarm() -> None:
    state = a_play(1).state
    assert "0 of 50 lost" in str(side_title(state, "german", 39))
    assert not any("error" in str(span.style) for span in side_title(state, "german", 39).spans)
    beaten = side_title(replace(state, loss={"german": 25}), "german", 39)
    assert "half lost" in str(beaten)
    assert any("error" in str(span.style) for span in beaten.spans)


def test_a_row_says_who_is_inside_who_is_hidden_and_what_is_fuelled() -> None:
    def words(number: int, side: str, unit: str, **chosen: object) -> str:
        state = a_play(number, **chosen).state
        found = next(r for r in rows(state, side) if r.unit.id == unit and r.here)
        return status(state, found, 15)

    assert words(1, "german", "truck", loads=True) == "K1 10r K2 10r"
    assert words(1, "german", "halftrack", loads=True) == "3r 2m 1o 4g"
    assert words(1, "german", "mortar", loads=True) == "1 aboard H1"
    assert words(3, "german", "rifle") == "6 hidden, ready"
    tanks = a_play(2).state
    fuelled = next(r for r in rows(tanks, "french") if r.here and r.here[0] in tanks.unserved)
    assert status(tanks, fuelled, 15) == f"0 of {len(fuelled.here)} fuelled"


@pytest.mark.parametrize("number", range(1, 11))
def test_the_keys_shown_fit_and_each_key_is_in_the_table_once(number: int) -> None:
    for width in (80, 120):
        shown = strip(a_play(number).state, width)
        assert shown.cell_length <= width
        assert str(shown).endswith("? keys ")
    assert len({key.key for key in KEYS}) == len(KEYS)
