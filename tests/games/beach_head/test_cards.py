"""The hand: filled, exchanged, thrown off, reshuffled; and every card on the table."""

from __future__ import annotations

import pytest
from beach_table import GAME, at, order

from skirmish.games.beach_head import orders
from skirmish.games.beach_head.commands import has_effect
from skirmish.games.beach_head.pending import BeachAsk
from skirmish.games.beach_head.roll_words import result, terms
from skirmish.tabletop.chance import Draw, full_deck, spell

FULL = "AS 2S 3S 4S 5S 6S 7S"


def test_the_program_fills_the_hand_to_seven() -> None:
    table = at("tactical", hand="", seed=3)
    assert len(table.state.hand) == 7
    assert table.state.ask == BeachAsk(what="exchange", most=3)


def test_a_hand_that_is_full_draws_nothing() -> None:
    assert at("tactical", hand=FULL).state.ask == BeachAsk(what="exchange", most=3)


def test_the_exchange_comes_once() -> None:
    table = at("tactical", hand=FULL).do("discard AS 2S", "draw 8S 9S")
    assert table.hand == "3S 4S 5S 6S 7S 8S 9S"
    assert spell(table.state.discard) == "AS 2S"
    assert table.state.phase == "frogman"


def test_nothing_need_be_exchanged() -> None:
    for step in ("go", "discard"):
        table = at("tactical", hand=FULL).do(step)
        assert (table.hand, table.state.phase) == (FULL, "frogman")


def test_a_general_may_be_played_as_long_as_the_tactical_phase_lasts() -> None:
    """Also one that the exchange brought (B25)."""
    table = at("tactical", hand=FULL).do("discard AS", "draw KS")
    assert table.state.ask == BeachAsk(what="exchange", most=0)
    assert table.refusal("discard 2S") == "too_many"
    table.do("play KS", "draw 8S 9S")
    assert (table.hand, table.state.phase) == ("2S 3S 4S 5S 6S 7S 8S 9S", "frogman")


def test_after_the_exchange_a_general_may_be_kept() -> None:
    table = at("tactical", hand=FULL).do("discard AS", "draw KS", "go")
    assert (table.hand, table.state.phase) == ("2S 3S 4S 5S 6S 7S KS", "frogman")


def test_a_general_at_any_time_is_not_waited_for() -> None:
    table = at("tactical", hand=FULL, rulings={"B25": "any"}).do("discard AS", "draw KS")
    assert table.state.phase == "frogman"


def test_generals_may_follow_each_other() -> None:
    table = at("tactical", hand="KS KH 3S 4S 5S 6S 7S").do("play KS", "draw 8S 9S", "play KH")
    assert table.state.ask == BeachAsk(what="cards", count=2)
    table.do("draw 8H 9H")
    assert len(table.state.hand) == 9
    assert table.state.ask == BeachAsk(what="exchange", most=3)


def test_a_hand_above_seven_is_not_cut_before_the_end_and_then_to_three() -> None:
    table = at("end", hand=FULL + " 8S 9S")
    assert table.state.ask == BeachAsk(what="trim", count=6)
    assert table.refusal("go") == "waiting"
    table.do("discard AS 2S 3S 4S 5S 6S")
    assert table.hand == "7S 8S 9S"


def test_three_cards_or_fewer_are_kept() -> None:
    for hand in ("AS 2S 3S", "AS", ""):
        assert at("end", hand=hand).state.asks != "trim"


def test_the_discards_are_shuffled_when_the_deck_runs_out_and_the_hand_is_not_among_them() -> None:
    hand = full_deck()[:3]
    spent = full_deck()[3:50]
    table = at("tactical", hand=spell(hand), discard=spell(spent), seed=7)
    state = table.state
    assert len(set(state.hand)) == 7
    assert set(state.hand) >= {*hand, *full_deck()[50:]}, "the last two first"
    assert state.discard == ()
    assert state.deck is not None
    assert state.deck.cards_left(full_deck()) == 52 - 7
    assert set(state.deck.gone) == set(state.hand)


def test_own_cards_are_asked_for_up_to_the_shuffle_and_then_the_rest() -> None:
    hand, spent = spell(full_deck()[:3]), spell(full_deck()[3:50])
    table = at("tactical", hand=hand, discard=spent)
    assert table.state.ask == BeachAsk(what="cards", count=2)
    table.do(f"draw {spell(full_deck()[50:])}")
    assert table.state.ask == BeachAsk(what="cards", count=2), "two more, now that all are shuffled"
    assert table.refusal(f"draw {spell(full_deck()[50:])}") == "gone"
    table.do(f"draw {spell(full_deck()[10:12])}")
    assert len(table.state.hand) == 7


@pytest.mark.parametrize(("rank", "total"), enumerate([1, 2, 3, 4, 5, 6], 1))
def test_a_card_up_to_six_sets_the_die(rank: int, total: int) -> None:
    card = str(Draw(rank, "D"))
    rolled = 1 if total > 1 else 2
    table = at("frogman", hand=card).do(f"roll {rolled}")
    assert table.done(f"play {card}").totals == [total]
    assert table.hand == ""
    assert spell(table.state.discard) == card


@pytest.mark.parametrize(("card", "total"), [("7D", 1), ("8D", 2), ("9D", 4), ("10D", 5)])
def test_a_card_from_seven_to_ten_shifts_the_roll(card: str, total: int) -> None:
    assert at("frogman", hand=card).do("roll 3").done(f"play {card}").totals == [total]


def test_a_shift_below_nothing_is_nothing() -> None:
    assert at("frogman", hand="7D").do("roll 1").done("play 7D").totals == [0]


def test_a_colonel_does_away_with_what_lay_on_the_die() -> None:
    table = at("frogman", hand="10D JD").do("roll 1", "play 10D", "play JD", "roll 4")
    assert table.done().totals == [4]


def test_a_colonel_takes_the_programs_next_die() -> None:
    table = at("frogman", hand="JD", seed=1)
    roll = table.state.roll
    assert roll is not None
    before = table.state.dice
    table.do("play JD")
    roll = table.state.roll
    assert roll is not None
    assert roll.cards[0].faces == (before.peek((), 6).rank,)
    assert table.state.dice.rolls == before.rolls + 1


def test_an_admiral_repeats_once_and_another_once_more() -> None:
    table = at("lci", defences={"traps": 0}, hand="QS QH", version=1)
    table.do("roll 1 1 1", "play QS")
    assert table.refusal("play QH") == "no_phase"
    table.do("roll 2 2 2", "play QH", "roll 3 3 3").done()
    assert table.state.squads == 18
    assert table.state.phase == "lct"


def test_an_admiral_waits_for_the_last_roll_of_the_phase() -> None:
    table = at("infantry", squads=5, defences={"wire": 2}, hand="QS", version=1)
    table.do("roll 3")
    assert table.refusal("play QS") == "no_phase"
    table.do("roll 1")
    assert table.refusal("play QS") == ""


@pytest.mark.parametrize("target", ["bunkers", "walls"])
def test_an_admiral_may_be_played_where_only_a_target_is_still_to_be_named(target: str) -> None:
    """B40, the die first: the phase ends with the choice."""
    table = at("lcs", defences={"traps": 0}, hand="QS", rulings={"B40": "after"}).do("roll 3")
    table.do("play QS", f"aim {target}", "roll 4", f"aim {target}")
    assert table[target] == {"bunkers": 60, "walls": 20}[target] - 7


def test_an_admiral_may_repeat_a_phase_that_ends_with_a_tank_by_lot() -> None:
    table = at("artillery", tanks=["gun", "crab"], hand="QS").do("roll 5", "play QS", "lot 1")
    assert table.state.tanks == ("crab",)
    assert table.done("roll 5").state.tanks == ()


def test_a_repeated_phase_is_skipped_if_its_reason_is_gone() -> None:
    table = at("mines", defences={"mines": 3}, tanks=["gun"], hand="QS").do("roll 5", "play QS")
    assert table.done().state.tanks == ()
    landed = at("frogman", defences={"traps": 2}, hand="QS").do("roll 5", "play QS").done()
    assert landed.skipped()["frogman"] == "nothing_left"


def test_cards_laid_before_the_dice_are_told_without_faces() -> None:
    table = at("frogman", hand="10S 6S", rulings={"B19": "before"}).do("play 6S", "play 10S")
    roll = table.state.roll
    assert roll is not None
    assert [term.sign + term.amount for term in terms(table.state, roll)] == ["1d6", "+2"]
    assert result(table.state, roll)
    table.do("go", "roll 1")
    assert table.done().totals == [8]


def test_a_phone_shows_the_roll_on_the_table_once() -> None:
    state = at("mines", squads=4, hand="10S").do("roll 5").state
    assert "Mines: what happens" in str(GAME.situation(state))
    assert "Mines: what happens" not in str(GAME.forces(state))
    assert "Mines: what happens" in str(GAME.page(state))


@pytest.mark.parametrize(
    ("tanks", "loss"),
    [
        ("gun crab", "a tank without a flail lost"),
        ("crab", "there is no tank to lose"),
        ("", "there is no tank to lose"),
    ],
)
def test_a_mine_is_not_said_to_hit_a_tank_where_it_can_hit_none(tanks: str, loss: str) -> None:
    table = at("mines", squads=4, tanks=tanks.split(), hand="10S").do("roll 5")
    roll = table.state.roll
    assert roll is not None
    assert result(table.state, roll) == loss


@pytest.mark.parametrize("die", [1, 2, 3])
@pytest.mark.parametrize("first", ["play 10S on die {}", "play AS on die 1"])
def test_plus_and_minus_count_for_the_sum_whatever_is_set_later(die: int, first: str) -> None:
    """2 2 6, a Hero, then a Medic on the first die: 1 + 2 + 6 + 2 (B20)."""
    steps = sorted([f"play 10S on die {die}", "play AS on die 1"], key=lambda one: one != first)
    table = at("lci", defences={"traps": 0}, hand="10S AS").do("roll 2 2 6", *steps)
    assert table.done().totals == [11]


def test_a_colonel_for_the_whole_roll_leaves_the_plus() -> None:
    table = at("lci", defences={"traps": 0}, hand="10S JS", rulings={"B22": "all"})
    assert table.do("roll 6 6 6", "play 10S", "play JS", "roll 1 1 1").done().totals == [5]


def test_a_game_begun_before_that_was_mended_goes_on_as_it_began() -> None:
    table = at("lci", defences={"traps": 0}, hand="10S AS", version=1)
    table.do("roll 2 2 6", "play 10S on die 1", "play AS on die 1")
    assert table.done().totals == [9]


def test_on_a_single_die_cards_count_in_the_order_played() -> None:
    """B23."""
    for steps, total in (("10S AS", 1), ("AS 10S", 3)):
        table = at("frogman", hand="10S AS").do("roll 4")
        assert table.do(*(f"play {card}" for card in steps.split())).done().totals == [total]


def test_a_card_that_changes_nothing_may_be_played_and_is_known() -> None:
    state = at("lci", hand="2S 10S JS").do("roll 2 2 6", "play 10S on die 1").state
    assert [has_effect(state, state.roll, Draw(2, "S"), die) for die in range(3)] == [
        False,
        False,
        True,
    ]
    assert has_effect(state, state.roll, Draw(11, "S"), 0)
    one = at("frogman", hand="3S 9S").do("roll 3").state
    assert not has_effect(one, one.roll, Draw(3, "S"), 0)
    assert at("frogman", hand="3S").do("roll 3").refusal("play 3S") == ""


def test_own_dice_count_at_once_where_no_card_can_follow() -> None:
    """No second key. A hand that could still do something is waited for."""
    for hand in (None, "", "KS"):
        table = at("frogman", defences={"traps": 20}, hand=hand)
        table.give(order("roll 3"))
        assert table["traps"] == 17, hand
        assert table.state.phase == "lci"
    table = at("frogman", hand="JS")
    table.give(order("roll 3"))
    assert table["traps"] == 20
    table.do("play JS")
    table.give(order("roll 5"))
    assert table["traps"] == 15


# ------------------------------------------------------------------ refused


@pytest.mark.parametrize(
    ("step", "code"),
    [
        ("play 2H", "not_in_hand"),
        ("play 9S on die 2", "no_die"),
        ("play 9S on die 0", "no_die"),
        ("play KS", "not_now"),
        ("discard 9S", "not_now"),
        ("draw 9H", "not_now"),
        ("roll 3", "not_now"),
        ("aim walls", "not_now"),
        ("lose gun", "not_now"),
    ],
)
def test_while_a_die_lies_on_the_table(step: str, code: str) -> None:
    assert at("frogman", hand="9S KS 3S").do("roll 3").refusal(step) == code


@pytest.mark.parametrize(
    ("step", "code"),
    [
        ("go", "waiting"),
        ("play 9S", "waiting"),
        ("roll 3 4", "how_many"),
        ("roll 7", "no_face"),
        ("roll 0", "no_face"),
    ],
)
def test_while_a_die_is_to_be_rolled(step: str, code: str) -> None:
    assert at("frogman", hand="9S").refusal(step) == code


@pytest.mark.parametrize(
    ("step", "code"),
    [
        ("go", "waiting"),
        ("draw 8S", "how_many"),
        ("draw 8S 8S 9S", "gone"),
        ("draw AS 8S 9S", "gone"),
        ("draw 8S 9S QH", "gone"),
        ("play AS", "waiting"),
    ],
)
def test_while_cards_are_to_be_drawn(step: str, code: str) -> None:
    assert at("tactical", hand="AS 2S 3S 4S", gone="QH").refusal(step) == code


def test_a_card_of_no_deck_is_refused() -> None:
    table = at("tactical", hand="AS 2S 3S 4S 5S 6S")
    for strange in (Draw(14, "S"), Draw(3, "X"), Draw(3)):
        refused = orders.Draws(cards=(strange,)).why_not(table.state)
        assert refused is not None
        assert refused.code == "no_card"


@pytest.mark.parametrize(
    ("step", "code"),
    [("discard AS AS", "not_in_hand"), ("discard QH", "not_in_hand"), ("play 2S", "no_roll")],
)
def test_while_cards_may_be_exchanged(step: str, code: str) -> None:
    assert at("tactical", hand=FULL).refusal(step) == code


def test_a_lot_is_a_number_among_the_tanks() -> None:
    table = at("artillery", tanks=["gun", "crab"]).done("roll 5")
    assert table.refusal("roll 3") == "no_face"
    assert table.refusal("roll 1 2") == "how_many"
    assert table.refusal("go") == "waiting"


def test_nothing_is_played_after_the_end() -> None:
    over = at("destroyer", turn=20, defences={"bunkers": 0, "walls": 0, "trenches": 1})
    over.done("roll 1")
    assert {over.refusal(step) for step in ("go", "roll 1", "aim walls")} == {"over"}
