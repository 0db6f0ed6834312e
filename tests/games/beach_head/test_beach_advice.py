"""What would you do? Options, numbers and reasons."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from beach_table import at, opening
from deep import deep_after
from msgspec.structs import replace

from skirmish import library, registry
from skirmish.games.beach_head import orders
from skirmish.games.beach_head.advice import Advice, advising
from skirmish.games.beach_head.ruleset import BeachSetup
from skirmish.games.beach_head.simulate.ahead import _ends_of_phase
from skirmish.games.beach_head.simulate.policy import BETTER
from skirmish.games.beach_head.state import BeachState
from skirmish.tabletop.chance import Source
from skirmish.tabletop.page import Facts, Note, Paragraph
from skirmish.tabletop.refusal import Refused

GAMES = 300


def advise(state: BeachState, **more: Any) -> Advice:
    """What it comes to in the end."""
    *_, last = advising(state, **more)
    return last


def told(advice: Advice) -> tuple[float, float, int]:
    """Squads lost, the turn, and the games of which that is the average."""
    note = (
        r"On average ([\d.]+) squads are lost, and the beach is taken in turn ([\d.]+)\. "
        r"The program played ([\d,]+) "
    )
    found = re.match(note, advice.note)
    assert found, advice.note
    return float(found[1]), float(found[2]), int(found[3].replace(",", ""))


def words(advice: Advice) -> list[str]:
    return [one.words for one in advice.options]


def test_every_target_is_told_with_what_it_costs_more_than_the_best() -> None:
    state = at("engineers", squads=12, tanks=["gun"], seed=1).state
    advice = advise(state, games=1_500)
    assert set(words(advice)) == {
        "the bunkers", "the mines", "the tank traps", "the walls", "the ditches", "the barbed wire",
    }  # fmt: skip
    assert advice.options[0].words == "the bunkers"
    assert advice.reason == "Once half the bunkers are gone, the defenders' fire is weaker."
    assert "1,500 games for each choice, without cards." in advice.note
    cost = {one.words: one for one in advice.options}
    assert cost["the bunkers"].squads_more == 0
    assert 0.1 < cost["the ditches"].error < 1
    assert cost["the ditches"].differs
    assert (cost["the ditches"].squads_more or 0) > 1
    assert 8 < told(advice)[1] < 13
    assert all(one.order.why_not(state) is None for one in advice.options if one.order)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("no", "Nothing that bars the way can be chosen."),
        ("yes", "Through the wire the infantry reaches the trenches."),
    ],
)
def test_wire_that_bars_the_trenches_is_said_to_bar_them(answer: str, reason: str) -> None:
    state = at("flail", defences={"bunkers": 0}, tanks=["crab"], rulings={"B33": answer}).state
    first_advice = next(advising(state))
    assert first_advice.options[0].words == "the barbed wire"
    assert first_advice.reason == reason


def test_with_cards_the_games_are_played_with_cards() -> None:
    """Sixty squads are lost without them, and three with them."""
    state = at("lcs", hand="AS 2C 8C 9H KS", seed=4).state
    advice = advise(state, games=4)
    assert 0 <= told(advice)[0] < 15
    assert "4 games for each choice, with cards." in advice.note
    bare = advise(at("lcs", seed=4).state, games=60)
    assert told(bare)[0] > 40


def test_own_dice_and_cards_are_played_with_too() -> None:
    for table in (at("frogman", hand="9S"), at("tactical", hand="9S")):
        advice = advise(table.state, games=2)
        assert advice.options[0].order is None
        assert told(advice)[2] == 2
        assert advice.reason == "There is nothing to choose: your dice or cards decide."


def test_nothing_may_be_an_option_too() -> None:
    state = at("lcs", rulings={"B35": "yes"}, seed=1).state
    advice = advise(state, games=GAMES)
    assert set(words(advice)) == {"the bunkers", "the walls", "remove nothing"}


def test_a_card_is_told_with_what_the_roll_then_comes_to() -> None:
    table = at("defenders", squads=20, hand="8S AS 6S")
    table.do("roll 5", "go", "roll 6")
    advice = advise(table.state, games=12)
    assert words(advice) == [
        "Medic, die = 1: 1 squad killed",
        "Smoke, -1: 5 squads killed",
        "let it count: 6 squads killed",
    ]
    going = advice.options[-1].squads_more or 0
    assert advice.reason == f"It saves {going:.1f} squads against letting the roll count."
    assert 3 < going < 7


@pytest.mark.parametrize("seed", deep_after(6, range(12)))
def test_advice_always_has_a_reason(seed: int) -> None:
    state, chance = opening(a_setup(seed)).events[0].apply(None), Random(seed)
    for _ in range(60):
        if state.over:
            break
        advice = next(advising(state))
        assert advice.reason.endswith(".")
        order = advice.options[int(chance.random() * len(advice.options))].order
        for event in (order or orders.Go()).decide(state):
            state = event.apply(state)


def a_setup(seed: int) -> BeachSetup:
    """A game in which anything may be declined and any tank be given."""
    return library.beach().setup(
        rulings={"B35": "yes", "B13": "player"},
        dice=Source("die", seed),
        cards=Source("deck", seed) if seed % 3 else None,
    )


def test_a_colonel_is_reckoned_by_all_his_faces_not_by_the_next_one() -> None:
    table = at("defenders", squads=20, hand="JS", seed=4)
    while table.state.roll is None or table.state.present_phase.id != "defenders":
        table.do("go")
    told = [advise(replace(table.state, dice=Source("die", seed)), games=3) for seed in range(3)]
    assert len({repr(one) for one in told}) == 1


def test_the_same_seed_gives_the_same_numbers() -> None:
    state = at("lcs", seed=1).state
    assert advise(state, games=GAMES, seed=2) == advise(state, games=GAMES, seed=2)
    assert advise(state, games=GAMES, seed=2) != advise(state, games=GAMES, seed=3)


def test_words_come_first_and_the_games_grow() -> None:
    first, last = advising(at("lcs", seed=1).state, games=GAMES)
    assert told(last)[2] == GAMES
    assert first.options[0].squads_more is None
    assert not first.note
    assert set(words(first)) == set(words(last))
    _, rough, *_, fine = advising(at("lcs", hand="AS 2C", seed=4).state, games=20)
    assert (told(rough)[2], told(fine)[2]) == (8, 20)


def test_what_to_exchange_is_told_by_rank() -> None:
    general = at("tactical", hand="9S 9H AS KH 6S 2S 3S", seed=3)
    assert words(next(advising(general.state))) == ["General, draw 2", "exchange nothing"]
    cards = at("tactical", hand="9S 9H AS AH 6S 2S 3S", seed=3)
    assert next(advising(cards.state)).options[0].words == "exchange 9 9 6"


def test_too_many_cards_leave_by_what_they_are_worth() -> None:
    table = at("end", hand="AS 9H 6S 2S KD", seed=3)
    assert next(advising(table.state)).options[0].words == "discard 9 6"


def test_own_dice_are_waited_for_with_an_outlook() -> None:
    advice = advise(at("frogman").state, games=GAMES)
    (only,) = advice.options
    assert only.order is None
    assert only.words == "Roll a die and type what it shows."
    assert advice.options[0].order is None
    assert advice.note.endswith(f"The program played {GAMES} games, without cards.")


def test_a_tank_is_given_up_with_a_reason() -> None:
    table = at("mines", tanks=["gun", "bridge"], rulings={"B13": "player"})
    table.done("roll 6")
    advice = advise(table.state, games=GAMES)
    assert set(words(advice)) == {"lose the gun tank", "lose the AVRE bridge"}
    assert advice.reason


def test_nothing_is_left_to_say_when_the_beach_is_taken() -> None:
    state = replace(at("lcs", seed=1).state, over=True)
    with pytest.raises(Refused, match="over"):
        advise(state)


def test_many_tanks_landing_are_not_reckoned_one_order_at_a_time() -> None:
    table = at("lct", defences={"traps": 0}, hand="10S 10H")
    table.do("roll 6", "play 10S", "play 10H")
    ways = list(_ends_of_phase(replace(table.state, hand=()), BETTER))
    assert sum(weight for _, weight in ways) == 1
    assert len(ways) == 120  # seven tanks of four kinds


def test_the_reason_stands_right_below_what_is_advised(monkeypatch: pytest.MonkeyPatch) -> None:
    """At 80 by 24 a hand of cards makes more choices than the screen has lines."""
    monkeypatch.setattr("skirmish.games.beach_head.advice.GAMES_WITH_CARDS", 8)
    table = at("lci", hand="AS 2C 8C 9H")
    table.do("roll 2 5 3")
    *_, page = registry.load("beach_head").advice(table.state)
    best, reason, _, others, note = page.blocks
    assert isinstance(best, Paragraph)
    assert isinstance(reason, Paragraph)
    assert isinstance(others, Facts)
    assert isinstance(note, Note)
    assert reason.text
    assert len(others.rows) > 2


def test_a_sentence_that_is_advised_ends_once() -> None:
    *_, page = registry.load("beach_head").advice(at("frogman").state)
    (best, *_) = page.blocks
    assert isinstance(best, Paragraph)
    assert best.text == "Roll a die and type what it shows."


def test_how_far_apart_the_same_may_be_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skirmish.games.beach_head.advice.GAMES_WITH_CARDS", 8)
    table = at("lci", hand="AS 2C 8C 9H")
    table.do("roll 2 5 3")
    *_, advice = advising(table.state, games=8)
    same = [one for one in advice.options[1:] if one.cost == "same"]
    assert same
    assert advice.uncertainty == 3 * max(one.error for one in same)
    note = advice.page().blocks[-1]
    assert isinstance(note, Note)
    assert note.text.endswith(f"call the same may still differ by {advice.uncertainty:.1f} squads.")
    sure = replace(advice, options=(advice.options[0],))
    assert sure.uncertainty == 0
