"""Keys that are typed ahead of their question: what is refused is never read as another order."""

from __future__ import annotations

import pytest
from fights import a_play, drafted, given, order, said
from stage import armies

from skirmish.games.plastic.battle.agenda import CasualtyAsk, RepeatAsk
from skirmish.games.plastic.battle.orders import Again, Correct, CountHits
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.rows import guys_in_sight
from skirmish.tabletop.chance import parse_card
from skirmish.tabletop.command_pages import hint_of
from skirmish.tabletop.slots import UnfitAnswer


def without_rifles() -> BattlePlay:
    """A side whose riflemen are all dead, while both machine guns fire."""
    now = armies({"rifle": 20}, {"rifle": 3, "machinegun": 20})
    now.order(Correct(row=now.row("second", "rifle").key, by=-3))
    return now.play


@pytest.mark.parametrize("keys", ["10000", "100"])
def test_a_number_too_long_drops_what_is_typed_behind_it(keys: str) -> None:
    play = a_play(1)
    draft = drafted(play, keys[:3])
    for key in [*keys[3:], "r", "r", " ", "\n"]:
        with pytest.raises(UnfitAnswer, match=r"100 is too many: 99 is the most. Esc drops it."):
            drafted(play, key, draft)
    assert hint_of(draft) == "100 is too many: 99 is the most. Esc drops it."
    dropped = draft.after_escape()
    assert dropped is not None
    assert not dropped.begun
    fewer_digits = drafted(play, "<", draft)
    assert (fewer_digits.typed, fewer_digits.refused) == ("10", "")


def test_a_number_before_a_row_that_is_gone_goes_with_it() -> None:
    play = without_rifles()
    draft = drafted(play, "8r")
    assert str(draft.refusal) == "No Rifle Guy is left. Esc drops it."
    for key in "2m>E":
        with pytest.raises(UnfitAnswer, match="No Rifle Guy is left"):
            drafted(play, key, draft)
    mixed = drafted(play, "2m8r")
    assert mixed.refused.startswith("No Rifle Guy is left")
    squad = mixed.after_escape()
    assert squad is not None
    assert "2 Machinegun" in said(squad)


@pytest.mark.parametrize("beyond", [1, 40])
def test_a_number_in_reach_that_is_too_high_is_refused_and_enter_takes_the_most(
    beyond: int,
) -> None:
    play = a_play(1)
    there = sum(len(row.in_sight) for row in guys_in_sight(play.state, "german"))
    assert 10 < there < 99 - beyond
    many = there + beyond
    draft = drafted(play, f"2rr{many} ")
    says = f"{there} are in sight, not {many}."
    assert draft.shown_question == says
    # The odds beside the question are those of the shot that Enter would leave.
    assert draft.page == drafted(play, f"2rr{there}").page
    for key in " 2mr>E":
        with pytest.raises(UnfitAnswer, match=f"{says} Enter: {there}. Esc drops it."):
            drafted(play, key, draft)
    asked_again = draft.after_escape()
    assert asked_again is not None
    with pytest.raises(UnfitAnswer, match=f"A number from 0 to {there}."):
        drafted(play, ";", asked_again)
    assert order(play, "\n", draft) == order(play, f"2rr{there} ")


def test_a_number_in_reach_beyond_all_numbers_fires_nothing() -> None:
    play = a_play(1)
    draft = drafted(play, "2rr100")
    with pytest.raises(UnfitAnswer, match="99 is the most"):
        drafted(play, " ", draft)


def test_a_count_of_hits_that_is_too_long_is_not_shortened() -> None:
    play = given(a_play(1), "6rrl ")
    draft = drafted(play, "=120")
    assert "99 is the most" in draft.refused
    with pytest.raises(UnfitAnswer, match="99 is the most"):
        drafted(play, "\n", draft)


def repeat_offered() -> BattlePlay:
    """A machine gun has hit, with the clerk's own card: it may fire again."""
    play = given(a_play(1), "mr ")
    play = given(given(play, "5h\n"), "\n")
    assert isinstance(play.state.ask, RepeatAsk)
    return play


def test_a_card_typed_where_the_repeat_shot_is_offered_is_its_draw() -> None:
    play = repeat_offered()
    again = order(play, "9s\n")
    assert isinstance(again, Again)
    assert again.draws == (parse_card("9S"),)
    before = play.state.shots
    after = given(play, "9s\n").state
    assert after.shots == before + 1
    assert str(after.judged[-1].draw) == "9S"


def test_a_circumstance_before_the_card_is_of_that_shot() -> None:
    play = repeat_offered()
    again = order(play, "c9s\n")
    assert isinstance(again, Again)
    assert again.cover
    assert again.draws == (parse_card("9S"),)


def test_a_card_that_has_gone_is_refused_at_the_offer_too() -> None:
    play = repeat_offered()
    again = order(play, "5h\n")
    assert isinstance(again, Again)
    with pytest.raises(Exception, match="mistyped"):
        play.consider(again)


def test_a_recount_that_is_too_high_offers_the_most() -> None:
    play = given(a_play(1), "6rrl ")
    play = given(play, "=1\n")
    draft = drafted(play, "\t9\n")
    assert draft.shown_question == "At most 6 can hit, not 9."
    with pytest.raises(UnfitAnswer, match=r"At most 6 can hit, not 9. Enter: 6."):
        drafted(play, "2", draft)
    count = order(play, "\n", draft)
    assert isinstance(count, CountHits)
    assert count.low == 6
    assert given(play, "\t9\n\n").state.counts[-1].hits == 6


def test_no_number_in_reach_is_asked_for_where_all_of_a_row_are_aboard() -> None:
    """The rangers of Dog Beach are still in their landing craft."""
    play = a_play(10, loads=True)
    aboard = r"Every Rifle Guy \(C Company, Rangers\) is aboard; fire at what carries them\."
    with pytest.raises(UnfitAnswer, match=f"{aboard} Esc drops it"):
        drafted(play, "5rf80")
    assert "How many are in reach?" not in said(drafted(play, "5rf"))
    assert "How many are in reach?" in said(drafted(play, "5rr"))


@pytest.mark.parametrize("key", [">", "E", "T", "-", "L"])
def test_a_shot_that_waits_for_space_is_not_dropped_by_another_command(key: str) -> None:
    play = a_play(1)
    draft = drafted(play, "mr")
    with pytest.raises(UnfitAnswer, match=r"not given yet\. Space gives it, Esc drops it\."):
        drafted(play, key, draft)
    # A shooter alone is no order yet: whoever thinks better of it goes on.
    assert drafted(play, key, drafted(play, "m")).command.key == key


@pytest.mark.parametrize("key", [">", "E", "T"])
def test_a_number_that_is_being_typed_is_not_dropped_by_the_clock(key: str) -> None:
    """Who dies is asked, and the digits of the answer are typed in part."""
    play = given(a_play(1), "6rr9 ")
    play = given(play, "=3\n")
    assert isinstance(play.state.ask, CasualtyAsk)
    draft = drafted(play, "1")
    try:
        after = drafted(play, key, draft)
    except UnfitAnswer:
        return
    # The letter of a row that does not exist is refused in place.
    assert (after.typed, after.refused) == ("1", f"There is no German row {key}.")
