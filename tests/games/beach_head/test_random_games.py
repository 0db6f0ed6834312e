"""Whole games by a player who does anything he may, under readings picked at random."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from again import built_again
from beach_table import GAME, codec, opening
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from skirmish import library
from skirmish.games.beach_head import events as happened
from skirmish.games.beach_head import orders
from skirmish.games.beach_head.events import BeachEvent
from skirmish.games.beach_head.journal import BeachPlay
from skirmish.games.beach_head.pending import BeachAsk
from skirmish.games.beach_head.ruleset import BeachSetup
from skirmish.games.beach_head.state import BeachState
from skirmish.games.beach_head.wording import headline
from skirmish.tabletop.chance import Draw, Source, full_deck

BOOK = library.beach().book
SEEDS = st.integers(0, 2**32)


def setup(rnd: Random, *, own_dice: bool = False, own_cards: bool = False) -> BeachSetup:
    """A game under any readings and with either kind of chance."""
    odd = [name for name in BOOK.rulings if rnd.random() < 0.4]
    return library.beach().setup(
        rulings={name: rnd.choice(list(BOOK.rulings[name].answers)) for name in odd},
        variant=rnd.choice(("normandy", "omaha")),
        dice=Source("die", None if own_dice else rnd.randrange(10**6)),
        cards=Source("deck", None if own_cards else rnd.randrange(10**6)),
    )


def some_order(state: BeachState, rnd: Random) -> orders.BeachOrder:
    """A card now and then, else whatever is waited for, else go on."""
    if state.hand and rnd.random() < 0.3:
        dice = state.roll.dice if state.roll else 1
        card = orders.PlayCard(card=rnd.choice(state.hand), die=rnd.randrange(dice))
        if card.why_not(state) is None:
            return card
    match state.ask:
        case BeachAsk(what="target", targets=targets, may_decline=free):
            return orders.ChooseTarget(target=rnd.choice([*targets, *([None] if free else [])]))
        case BeachAsk(what="tank", kinds=kinds):
            return orders.GiveTank(tank=rnd.choice(kinds))
        case BeachAsk(what="trim", count=count):
            return orders.Discard(cards=tuple(rnd.sample(state.hand, count)))
        case BeachAsk(what="exchange", most=most):
            return orders.Discard(cards=tuple(rnd.sample(state.hand, rnd.randint(0, most))))
        case BeachAsk(what="dice", count=count):
            return orders.ShowDice(faces=tuple(rnd.randint(1, 6) for _ in range(count)))
        case BeachAsk(what="lot", sides=sides):
            return orders.ShowDice(faces=(rnd.randint(1, sides),))
        case BeachAsk(what="cards", count=count):
            assert state.deck is not None
            left = [card for card in full_deck() if card not in state.deck.gone]
            return orders.Draws(cards=tuple(rnd.sample(left, count)))
    return orders.Go()


def played(rnd: Random, begun: BeachSetup, most: int = 10_000) -> BeachPlay:
    """A game up to its end, or for ``most`` orders."""
    play = codec.play([opening(begun)])
    while not play.state.over and len(play.entries) < most:
        play.accept(play.consider(some_order(play.state, rnd)))
    return play


def beach(state: BeachState) -> BeachState:
    """What two games may have in common whose dice and cards come from elsewhere."""
    return replace(state, setup=None, dice=None, deck=None)  # type: ignore[arg-type]


@settings(max_examples=40)
@given(SEEDS)
def test_a_game_comes_to_its_end_and_nothing_is_ever_less_than_nothing(seed: int) -> None:
    rnd = Random(seed)
    begun = setup(rnd, own_dice=rnd.random() < 0.3, own_cards=rnd.random() < 0.3)
    play = played(rnd, begun)
    assert play.state.over
    scored = begun.rulings["B2"] == "rolled"
    lost = landed = 0
    for entry in play.entries[1:]:
        for event in entry.events:
            lost += event.squads if isinstance(event, happened.Killed) else 0
            landed += event.squads if isinstance(event, happened.SquadsLanded) else 0
    for before, after in zip(play.states, play.states[1:], strict=False):
        assert all(points >= 0 for points in after.defences.values())
        assert after.squads >= 0
        assert after.casualties >= before.casualties
        assert after.turn in (before.turn, before.turn + 1)
    assert play.state.squads == landed - lost
    assert play.state.casualties >= lost if scored else play.state.casualties == lost
    assert not play.state.defences["bunkers"]
    assert not play.state.defences["trenches"]


@settings(max_examples=15)
@given(SEEDS)
def test_a_game_is_rebuilt_from_its_entries_as_it_was_played(seed: int) -> None:
    rnd = Random(seed)
    play = codec.play([opening(setup(rnd, own_dice=rnd.random() < 0.4, own_cards=seed % 2 == 0))])
    while not play.state.over and len(play.entries) < 120:
        play.accept(play.consider(some_order(play.state, rnd)))
        if rnd.random() < 0.1:
            play.accept(play.possible("undo"))
            if rnd.random() < 0.5:
                play.accept(play.possible("redo"))
    assert built_again(GAME, play).state == play.state


@settings(max_examples=25)
@given(SEEDS)
def test_no_card_is_ever_lost_or_doubled(seed: int) -> None:
    rnd = Random(seed)
    for state in played(rnd, setup(rnd, own_cards=rnd.random() < 0.5), 150).states:
        assert state.deck is not None
        in_deck = [card for card in full_deck() if card not in state.deck.gone]
        assert Counter([*state.hand, *state.discard, *in_deck]) == Counter(full_deck())


@settings(max_examples=20)
@given(SEEDS)
def test_a_game_is_undone_step_by_step_to_its_start_and_played_again(seed: int) -> None:
    rnd = Random(seed)
    play = played(rnd, setup(rnd), 120)
    states = list(play.states)
    for state in reversed(states[:-1]):
        play.accept(play.possible("undo"))
        assert play.state == state
    assert play.state.turn == 0
    for state in states[1:]:
        play.accept(play.possible("redo"))
        assert play.state == state


@settings(max_examples=20)
@given(SEEDS)
def test_an_undone_order_given_again_comes_to_the_same(seed: int) -> None:
    """Undo does not buy another throw of the program's dice, nor another card."""
    rnd = Random(seed)
    play = played(rnd, setup(rnd), 80)
    last = play.entries[-1]
    if last.kind == "order" and last.order is not None:
        after = play.state
        play.accept(play.possible("undo"))
        play.accept(play.consider(last.order))
        assert play.state == after


@settings(max_examples=20)
@given(SEEDS)
def test_a_journal_written_and_read_is_the_same_game(seed: int) -> None:
    rnd = Random(seed)
    play = played(rnd, setup(rnd), 150)
    entries = [codec.read(codec.written(entry)) for entry in play.entries]
    assert tuple(entries) == play.entries
    assert codec.play(entries).states == play.states


@settings(max_examples=20)
@given(SEEDS)
@example(77030)  # it stops where a tank must be chosen for a roll
def test_every_step_of_a_game_can_be_told(seed: int) -> None:
    rnd = Random(seed)
    play = played(rnd, setup(rnd), 150)
    for line in GAME.journal(play):
        assert "None" not in line.text
        assert "_" not in line.text
        assert line.text.endswith(".")
        assert ":." not in line.text
    assert all(headline(state) for state in play.states)


def shown(events: tuple[BeachEvent, ...]) -> list[Any]:
    """The faces, lots and cards that chance gave, in order."""
    found: list[Any] = []
    for event in events:
        match event:
            case happened.DiceRolled(roll=roll) if roll.faces:
                found.append(roll.faces)
            case happened.Shown(faces=faces):
                found.append(faces)
            case happened.CardPlayed(played=card) if card.faces:
                found.append(card.faces)
            case happened.TankLost(lot=int(lot)):
                found.append((lot,))
            case happened.Drew(card=card):
                found.append(card)
    return found


@settings(max_examples=20)
@given(SEEDS)
def test_own_dice_and_cards_that_show_the_same_make_the_same_game(seed: int) -> None:
    rnd = Random(seed)
    begun = replace(setup(rnd), version=1)  # own dice wait for a key as the program's do
    theirs = codec.play([opening(begun)])
    own = codec.play([opening(replace(begun, dice=Source("die"), cards=Source("deck")))])
    while not theirs.state.over and len(theirs.entries) < 150:
        order = some_order(theirs.state, rnd)
        entry = theirs.consider(order)
        theirs.accept(entry)
        own.accept(own.consider(order))
        chance = shown(entry.events)
        while own.state.asks in ("dice", "lot", "cards"):
            answer: orders.BeachOrder
            if own.state.asks == "cards":
                cards = tuple(chance.pop(0) for _ in range(own.state.ask.count))
                assert all(isinstance(card, Draw) for card in cards)
                answer = orders.Draws(cards=cards)
            else:
                answer = orders.ShowDice(faces=chance.pop(0))
            own.accept(own.consider(answer))
        assert not chance
        assert beach(own.state) == beach(theirs.state)
        assert own.state.dice.rolls == 0
