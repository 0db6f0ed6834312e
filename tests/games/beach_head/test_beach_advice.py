"""What would you do? Options, numbers and reasons."""

from __future__ import annotations

import pytest
from beach_table import at
from msgspec.structs import replace

from skirmish.games.beach_head import orders
from skirmish.games.beach_head.advice import Advice, advise, advising
from skirmish.games.beach_head.decide import why_not
from skirmish.games.beach_head.simulate.ahead import _ways
from skirmish.tabletop.chance import Source
from skirmish.tabletop.refusal import Refused

GAMES = 300


def words(advice: Advice) -> list[str]:
    return [one.words for one in advice.options]


def test_a_card_that_costs_more_than_it_saves_is_not_advised() -> None:
    """A tank for a squad or two: the policy would pay it, the games played say what it costs."""
    defences = {"traps": 15, "bunkers": 56}
    table = at("artillery", squads=2, tanks=["crab"], hand="9H 5H", defences=defences)
    table.do("roll 4")
    advice = advise(table.state, games=6_000)
    assert isinstance(advice.options[1].order, orders.Play)
    assert advice.best.order == orders.Go()
    assert advice.reason.startswith("With a 9H the games played lose ")
    assert (advice.best.casualties or 0) + 0.5 < (advice.options[1].casualties or 0)


def test_every_target_is_told_with_what_it_costs() -> None:
    state = at("engineers", squads=12, tanks=["gun"], seed=1).state
    advice = advise(state, games=1_500)
    assert set(words(advice)) == {
        "the bunkers", "the mines", "the tank traps", "the walls", "the ditches", "the barbed wire",
    }  # fmt: skip
    assert advice.best.words == "the bunkers"
    assert advice.reason == "Once half the bunkers are gone the defenders' fire is weaker."
    assert advice.note == "1,500 games for each choice, played by the better plan."
    cost = {one.words: one for one in advice.options}
    bunkers, ditches = cost["the bunkers"], cost["the ditches"]
    error = bunkers.error or 0.0
    assert 0.1 < error < 1
    assert (ditches.casualties or 0.0) - (bunkers.casualties or 0.0) > 3 * error
    assert 8 < (bunkers.turns or 0.0) < 13
    assert all(why_not(state, one.order) is None for one in advice.options if one.order)


def test_nothing_may_be_an_option_too() -> None:
    state = at("lcs", rulings={"B35": "yes"}, seed=1).state
    advice = advise(state, games=GAMES)
    assert words(advice) == ["the bunkers", "the walls", "remove nothing"]


def test_a_card_is_told_with_what_the_roll_then_comes_to() -> None:
    table = at("defenders", squads=20, hand="8S AS 6S")
    table.do("roll 5", "go", "roll 6")
    advice = advise(table.state, games=1_500)
    assert words(advice) == [
        "AS: Medic, a die shows 1: 1 squad killed",
        "let it count: 6 squads killed",
        "8S: Smoke, -1: 5 squads killed",
    ]
    assert advice.note.endswith("without further cards.")
    medic, none, smoke = (one.casualties or 0.0 for one in advice.options)
    saved = round(none, 1) - round(medic, 1)
    assert advice.reason.startswith(f"It saves {saved:.1f} squads, ")
    assert medic < smoke < none
    assert 3 < none - medic < 6


def test_a_card_that_looks_better_in_the_rows_is_not_passed_over_without_a_word() -> None:
    """Fewer squads landing are fewer lost, by games that are played without the hand to come."""
    state = at("lci", rulings={"B19": "before"}, hand="7H 8H", seed=3).state
    advice = advise(state, games=6_000)
    going, seven = advice.options[0], advice.options[1]
    assert (going.words, seven.words) == ("go on", "7H: Sharpshooter, -2")
    saved = round(going.casualties or 0.0, 1) - round(seven.casualties or 0.0, 1)
    assert saved > 0.5
    assert advice.reason == (
        f"Without further cards a Sharpshooter would save {saved:.1f} squads; the plan keeps it "
        "for a roll of this turn where it is likely to do more."
    )


def test_a_reason_has_no_number_before_one_is_reckoned() -> None:
    table = at("lcs", hand="6H")
    table.do("aim walls", "roll 1")
    first, _, last = advising(table.state, games=600)
    assert first.reason == "It saves more here than later in this turn."
    played, counts = last.options
    saved = round(counts.casualties or 0.0, 1) - round(played.casualties or 0.0, 1)
    assert f" {saved:.1f} squads" in last.reason


def test_a_colonel_is_reckoned_by_all_his_faces_not_by_the_next_one() -> None:
    table = at("defenders", squads=20, hand="JS", seed=4)
    while table.state.roll is None or table.state.now.id != "defenders":
        table.do("go")
    told = [
        advise(replace(table.state, dice=Source("die", seed)), games=GAMES) for seed in range(4)
    ]
    assert len({repr(one) for one in told}) == 1


def test_the_same_seed_gives_the_same_numbers() -> None:
    state = at("lcs", seed=1).state
    assert advise(state, games=GAMES, seed=2) == advise(state, games=GAMES, seed=2)
    assert advise(state, games=GAMES, seed=2) != advise(state, games=GAMES, seed=3)


def test_words_come_first_and_numbers_grow() -> None:
    first, rough, last = advising(at("lcs", seed=1).state, games=GAMES)
    assert (first.games, rough.games, last.games) == (0, GAMES // 6, GAMES)
    assert first.best.casualties is None
    assert first.reason == last.reason
    assert words(first) == words(last)
    assert (rough.best.error or 0) > (last.best.error or 0) > 0


def test_hands_are_not_told_apart_by_games_without_cards() -> None:
    table = at("tactical", hand="9S 9H AS KH 6S 2S 3S", seed=3)
    advice = advise(table.state, games=GAMES)
    assert advice.best.words == "KH: General, draw 2"
    assert words(advice)[1:] == ["exchange nothing"]
    assert advice.note.endswith("without further cards: these numbers cannot tell hands apart.")
    assert len({one.casualties for one in advice.options}) == 1
    exchange = advise(at("tactical", hand="9S 9H AS AH 6S 2S 3S", seed=3).state, games=GAMES)
    assert isinstance(exchange.best.order, orders.Discard)
    assert exchange.best.words.startswith("exchange 9")


def test_too_many_cards_leave_by_what_they_are_worth() -> None:
    table = at("end", hand="AS 9H 6S 2S KD", seed=3)
    assert advise(table.state, games=GAMES).best.words == "throw off 9H 6S"


def test_own_dice_are_waited_for_with_an_outlook() -> None:
    advice = advise(at("frogman").state, games=GAMES)
    (only,) = advice.options
    assert only.order is None
    assert only.words == "Roll a die and type in what it shows."
    assert only.casualties
    assert not advice.is_open
    assert advice.reason.startswith("There is nothing to choose")
    assert advice.note == f"{GAMES} games played by the better plan."


def test_a_tank_is_given_up_with_a_reason() -> None:
    table = at("mines", tanks=["gun", "bridge"], rulings={"B13": "player"})
    table.done("roll 6")
    advice = advise(table.state, games=GAMES)
    assert words(advice) == ["lose a gun tank", "lose an AVRE bridge"]
    assert advice.reason


def test_nothing_is_left_to_say_when_the_beach_is_taken() -> None:
    state = replace(at("lcs", seed=1).state, over=True)
    with pytest.raises(Refused, match="over"):
        advise(state)


def test_many_tanks_landing_are_not_reckoned_one_order_at_a_time() -> None:
    table = at("lct", defences={"traps": 0}, hand="10S 10H")
    table.do("roll 6", "play 10S", "play 10H")
    ways = list(_ways(replace(table.state, hand=())))
    assert sum(weight for _, weight in ways) == 1
    assert len(ways) == 120  # seven tanks of four kinds
