"""What a key means in a game of Beach Head: orders, half-given answers, and sentences."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from beaches import DECK, OWN_DECK, OWN_DICE, a_game, on_until
from hypothesis import given
from hypothesis import strategies as st

from skirmish import registry
from skirmish.games.beach_head.agenda import CardsAsk, LotAsk, Played, TankAsk, TargetAsk
from skirmish.games.beach_head.game import KEYS, SHORE
from skirmish.games.beach_head.manual import DefenceId
from skirmish.games.beach_head.orders import (
    Choose,
    Discard,
    Draws,
    Give,
    Go,
    Play,
    Show,
)
from skirmish.games.beach_head.state import State
from skirmish.tabletop.chance import Draw, pack, parse_card
from skirmish.tabletop.commands import Draft, UnfitAnswer, command_of

GAME = registry.load("beach_head")
RANKS = {key: rank for rank, key in KEYS.items()}
ANY = [*"0123456789ajqkshdcnKQ", "space", "enter", "backspace"]


def press(key: str, state: State, draft: Draft[Any] | None = None) -> Any:
    """What a key comes to: an order, or the draft of one."""
    if draft is None and (prompt := GAME.prompt(state)) is not None:
        draft = Draft(command=prompt)
    if draft is None:
        draft = Draft(command=command_of(GAME.commands(state), key))
    else:
        draft = draft.press(key)
    return draft.order() if draft.whole else draft


def pressed(keys: str, state: State) -> Any:
    """What several keys come to, one after the other; the last one may be an order."""
    step: Any = None
    for key in keys.split():
        assert step is None or isinstance(step, Draft), f"{key} came after an order"
        step = press(key, state, step)
    return step


def asking(state: State, ask: object) -> State:
    return msgspec.structs.replace(state, ask=ask, roll=None)


def holding(state: State, *cards: str) -> State:
    return msgspec.structs.replace(state, hand=tuple(map(parse_card, cards)))


@pytest.fixture
def landing() -> State:
    """Three dice of infantry lie on the table, and there is a deck."""
    return on_until(a_game(Go(), cards=DECK), "lci").state


def test_space_lets_the_dice_count(landing: State) -> None:
    assert press("space", landing) == Go()


@pytest.mark.parametrize(("digit", "target"), enumerate(SHORE, 1))
def test_a_digit_names_the_defence_that_lies_there(
    digit: int, target: DefenceId, landing: State
) -> None:
    state = asking(landing, TargetAsk(targets=SHORE))
    assert press(str(digit), state) == Choose(target=target)


def test_a_digit_that_is_no_target_here_is_told_what_is(landing: State) -> None:
    state = asking(landing, TargetAsk(targets=("bunkers", "walls")))
    with pytest.raises(UnfitAnswer, match="4 Walls; 6 Bunkers"):
        press("1", state)


def test_a_removal_is_declined_only_where_that_is_played(landing: State) -> None:
    may = asking(landing, TargetAsk(targets=("bunkers", "walls"), may_decline=True))
    assert press("n", may) == Choose(target=None)
    with pytest.raises(UnfitAnswer):
        press("n", asking(landing, TargetAsk(targets=("bunkers", "walls"))))


def test_a_tank_is_given_up_by_its_digit(landing: State) -> None:
    state = asking(landing, TankAsk(kinds=("gun", "fascine")))
    assert press("2", state) == Give(tank="fascine")
    with pytest.raises(UnfitAnswer):
        press("3", state)


def test_own_dice_are_taken_when_there_are_enough() -> None:
    state = on_until_typed("lci")
    assert pressed("1 6", state).typed == "16"
    assert pressed("1 6 3", state) == Show(faces=(1, 6, 3))
    with pytest.raises(UnfitAnswer, match="1 to 6"):
        pressed("1 7", state)


def on_until_typed(phase: str) -> State:
    """Own dice up to a phase, every one of them a 4."""
    play = a_game(dice=OWN_DICE)
    while play.state.phase != phase or play.state.ask is None:
        ask = play.state.ask
        order = Go() if ask is None else Show(faces=(4,) * getattr(ask, "count", 1))
        play.accept(play.consider(order))
    return play.state


@pytest.mark.parametrize(
    ("keys", "comes_to"),
    [
        ("4", Show(faces=(4,))),
        ("1 enter", Show(faces=(1,))),
        ("1 2", Show(faces=(12,))),
    ],
)
def test_a_lot_is_taken_as_soon_as_it_can_be_no_other(
    keys: str, comes_to: object, landing: State
) -> None:
    state = asking(landing, LotAsk(sides=12, tanks=("gun",) * 12))
    assert pressed(keys, state) == comes_to


def test_own_cards_are_taken_when_there_are_enough() -> None:
    state = a_game(Go(), cards=OWN_DECK).state
    six = pressed("7 h q s 1 0 d a s k c 2 c", state)
    assert six.typed == "7hqs10daskc2c"
    done = press("s", state, press("3", state, six))
    cards = tuple(map(parse_card, ("7H", "QS", "10D", "AS", "KC", "2C", "3S")))
    assert done == Draws(cards=cards)


@pytest.mark.parametrize(
    ("keys", "stays"), [("7 h q s 7 h", "7HQS"), ("7 h 1 0 d 2 c 1 0 d", "7H10D2C")]
)
def test_a_card_that_cannot_have_been_drawn_is_taken_off_and_the_others_stay(
    keys: str, stays: str
) -> None:
    with pytest.raises(UnfitAnswer, match=r"has been drawn.*Type the card") as caught:
        pressed(keys, a_game(Go(), cards=OWN_DECK).state)
    assert caught.value.typed == stays


def test_a_card_that_is_already_in_the_hand_is_taken_off_too() -> None:
    play = a_game(Go(), cards=OWN_DECK)
    play.accept(play.consider(Draws(cards=tuple(pack()[:7]))))
    play.accept(play.consider(Discard(cards=(pack()[0],))))
    assert isinstance(play.state.ask, CardsAsk)
    with pytest.raises(UnfitAnswer, match="2S has been drawn since the last shuffle"):
        pressed("2 s", play.state)


@pytest.mark.parametrize("keys", ["h", "1 1", "7 7", "0", "n"])
def test_signs_that_begin_no_card_are_refused(keys: str) -> None:
    with pytest.raises(UnfitAnswer, match="rank"):
        pressed(keys, a_game(Go(), cards=OWN_DECK).state)


# ------------------------------------------------------------------ the hand


def test_a_card_is_played_by_its_rank(landing: State) -> None:
    frogmen = on_until(a_game(Go(), cards=DECK), "frogman").state
    for key, rank in list(RANKS.items())[:-1]:  # a General has his own phase
        card = Draw(rank, "S")
        assert press(key, holding(frogmen, str(card))) == Play(card=card)


def test_a_rank_that_is_not_held_means_nothing(landing: State) -> None:
    with pytest.raises(UnfitAnswer, match=r"That means nothing now.*7H: Sharpshooter"):
        press("0", holding(landing, "7H"))


def test_a_value_on_one_of_several_dice_asks_which(landing: State) -> None:
    state = holding(landing, "6H")
    asked = press("6", state)
    assert isinstance(asked, Draft)
    assert press("2", state, asked) == Play(card=parse_card("6H"), die=1)
    with pytest.raises(UnfitAnswer, match=r"1 the .*; 2 the .*; 3 the"):
        press("4", state, asked)


def test_dice_that_are_not_rolled_yet_are_all_the_same_to_a_value() -> None:
    """Cards go first (B19): the first die will do, as long as no other card tells them apart."""
    play = on_until(a_game(Go(), cards=DECK, rulings={"B19": "before"}), "lci")
    state = holding(play.state, "6C", "6H", "10C")
    assert state.roll is not None
    assert (state.roll.dice, state.roll.faces) == (3, ())
    assert press("6", state) == Play(card=parse_card("6C"))
    lies = msgspec.structs.replace(state.roll, cards=(Played(parse_card("10C"), 1),))
    asked = msgspec.structs.replace(holding(state, "6C"), roll=lies)
    draft = press("6", asked)
    assert isinstance(draft, Draft)
    assert press("2", asked, draft) == Play(card=parse_card("6C"), die=1)


def test_equal_faces_need_no_question(landing: State) -> None:
    assert landing.roll is not None
    equal = msgspec.structs.replace(landing.roll, faces=(4, 4, 4))
    state = msgspec.structs.replace(holding(landing, "6H"), roll=equal)
    assert press("6", state) == Play(card=parse_card("6H"))


def test_plus_and_minus_ask_for_no_die(landing: State) -> None:
    """They count for the sum (B20)."""
    step = press("0", holding(landing, "10H"))
    assert isinstance(step, Play)


def test_cards_to_be_exchanged_are_marked_and_unmarked_by_rank() -> None:
    state = holding(a_game(Go(), cards=DECK).state, "7H", "7S", "2C", "9D")
    seven, other, two = map(parse_card, ("7H", "7S", "2C"))
    assert pressed("7 7 2 space", state) == Discard(cards=(seven, other, two))
    assert pressed("7 7 7 2 enter", state) == Discard(cards=(two,))
    assert press("space", state) == Go()
    with pytest.raises(UnfitAnswer, match="at most 3"):
        pressed("7 7 2 9", state)


def test_a_small_k_plays_the_general_and_a_capital_throws_him_off() -> None:
    state = holding(a_game(Go(), cards=DECK).state, "KH", "2C")
    king = parse_card("KH")
    assert press("k", state) == Play(card=king)
    assert pressed("K space", state) == Discard(cards=(king,))


def at_the_end() -> State:
    """Seven cards, of which three may be kept."""
    play = a_game(Go(), cards=DECK)
    while play.state.phase != "end":
        ask = play.state.ask
        order = Choose(target=ask.targets[0]) if isinstance(ask, TargetAsk) else Go()
        play.accept(play.consider(order))
    return play.state


def test_too_few_cards_to_go_are_counted() -> None:
    with pytest.raises(UnfitAnswer, match="Choose 3 more"):
        pressed("q space", at_the_end())


def test_space_takes_the_proposed_cards() -> None:
    state = at_the_end()
    order = press("space", state)
    assert isinstance(order, Discard)
    assert len(set(order.cards)) == 4


@given(keys=st.lists(st.sampled_from(ANY), max_size=40))
def test_any_keys_whatever_are_an_order_a_draft_or_a_sentence(keys: list[str]) -> None:
    play = a_game(cards=DECK)
    draft: Draft[Any] | None = None
    sentences: list[str] = []
    for key in keys:
        try:
            step = press(key, play.state, draft)
        except UnfitAnswer as error:
            sentences.append(str(error))
            continue
        draft = step if isinstance(step, Draft) and step.begun else None
        if isinstance(step, Go | Choose | Discard):
            play.accept(play.consider(step))
    assert all(sentence.endswith(".") for sentence in sentences)
