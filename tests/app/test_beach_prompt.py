"""What a key means in a game of Beach Head: orders, half-given answers, and sentences."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from beaches import DECK, OWN_DECK, OWN_DICE, a_game, on_until
from hypothesis import given
from hypothesis import strategies as st

from skirmish import registry
from skirmish.games.beach_head.commands import FROM_SEA_INLAND, RANK_OF_KEY
from skirmish.games.beach_head.orders import (
    ChooseTarget,
    Discard,
    Draws,
    GiveTank,
    Go,
    PlayCard,
    ShowDice,
)
from skirmish.games.beach_head.pending import BeachAsk, Played
from skirmish.games.beach_head.ruleset import DefenceId
from skirmish.games.beach_head.state import BeachState
from skirmish.tabletop.chance import Draw, full_deck, parse_card
from skirmish.tabletop.commands import Draft, command_of
from skirmish.tabletop.slots import UnfitAnswer

GAME = registry.load("beach_head")
ANY = [*"0123456789ajqkshdcnyKQ", "space", "enter", "backspace"]


def press(key: str, state: BeachState, draft: Draft[Any] | None = None) -> Any:
    """What a key comes to: an order, or the draft of one."""
    if draft is None and (prompt := GAME.prompt(state)) is not None:
        draft = Draft(command=prompt)
    if draft is None:
        draft = Draft(command=command_of(GAME.commands(state), key))
    else:
        draft = draft.press(key)
    return draft.order() if draft.complete else draft


def pressed(keys: str, state: BeachState) -> Any:
    """What several keys come to, one after the other; the last one may be an order."""
    step: Any = None
    for key in keys.split():
        assert step is None or isinstance(step, Draft), f"{key} came after an order"
        step = press(key, state, step)
    return step


def question(draft: Any) -> str:
    """What a draft asks next."""
    assert isinstance(draft, Draft)
    assert draft.slot is not None
    return draft.slot.text


def asking(state: BeachState, ask: object) -> BeachState:
    return msgspec.structs.replace(state, ask=ask, roll=None)


def holding(state: BeachState, *cards: str) -> BeachState:
    return msgspec.structs.replace(state, hand=tuple(map(parse_card, cards)))


@pytest.fixture
def landing() -> BeachState:
    """Three dice of infantry lie on the table, and there is a deck."""
    return on_until(a_game(Go(), cards=DECK), "lci").state


def test_space_lets_the_dice_count(landing: BeachState) -> None:
    assert press("space", landing) == Go()


@pytest.mark.parametrize(("digit", "target"), enumerate(FROM_SEA_INLAND, 1))
def test_a_digit_names_the_defence_that_lies_there(
    digit: int, target: DefenceId, landing: BeachState
) -> None:
    state = asking(landing, BeachAsk(what="target", targets=FROM_SEA_INLAND))
    assert press(str(digit), state) == ChooseTarget(target=target)


def test_a_digit_that_is_no_target_here_is_told_what_is(landing: BeachState) -> None:
    state = asking(landing, BeachAsk(what="target", targets=("bunkers", "walls")))
    with pytest.raises(UnfitAnswer, match="4 Walls; 6 Bunkers"):
        press("1", state)


def test_a_removal_is_declined_only_where_that_is_played(landing: BeachState) -> None:
    may = asking(landing, BeachAsk(what="target", targets=("bunkers", "walls"), may_decline=True))
    assert press("n", may) == ChooseTarget(target=None)
    with pytest.raises(UnfitAnswer):
        press("n", asking(landing, BeachAsk(what="target", targets=("bunkers", "walls"))))


def test_a_tank_is_given_up_by_its_digit(landing: BeachState) -> None:
    state = asking(landing, BeachAsk(what="tank", kinds=("gun", "fascine")))
    assert press("2", state) == GiveTank(tank="fascine")
    with pytest.raises(UnfitAnswer):
        press("3", state)


def test_own_dice_are_taken_when_there_are_enough() -> None:
    state = on_until_typed("lci")
    assert pressed("1 6", state).typed == "16"
    assert pressed("1 6 3", state) == ShowDice(faces=(1, 6, 3))
    with pytest.raises(UnfitAnswer, match="1 to 6"):
        pressed("1 7", state)


def on_until_typed(phase: str) -> BeachState:
    """Own dice up to a phase, every one of them a 4."""
    play = a_game(dice=OWN_DICE)
    for _ in range(60):
        ask = play.state.ask
        if play.state.phase == phase and ask is not None:
            return play.state
        order = Go() if ask is None else ShowDice(faces=(4,) * getattr(ask, "count", 1))
        play.accept(play.consider(order))
    raise AssertionError(f"no dice are asked for in the phase {phase}")


@pytest.mark.parametrize(
    ("keys", "comes_to"),
    [
        ("4", ShowDice(faces=(4,))),
        ("1 enter", ShowDice(faces=(1,))),
        ("1 2", ShowDice(faces=(12,))),
    ],
)
def test_a_lot_is_taken_as_soon_as_it_can_be_no_other(
    keys: str, comes_to: object, landing: BeachState
) -> None:
    state = asking(landing, BeachAsk(what="lot", sides=12, tanks=("gun",) * 12))
    assert pressed(keys, state) == comes_to


def test_own_cards_are_typed_by_rank_and_taken_when_there_are_enough() -> None:
    state = a_game(Go(), cards=OWN_DECK).state
    assert pressed("7 q 0 7 a k", state).typed == "7q07ak"
    done = pressed("7 q 0 7 a k 3", state)
    assert done == Draws(cards=tuple(map(parse_card, ["7S", "QS", "10S", "7H", "AS", "KS", "3S"])))


def test_a_card_of_which_all_four_are_gone_is_refused_and_the_others_stay() -> None:
    state = a_game(Go(), cards=OWN_DECK).state
    with pytest.raises(UnfitAnswer, match=r"Every Sharpshooter \(7\) has been drawn"):
        press("7", state, pressed("7 7 7 7", state))


def test_a_card_in_the_hand_is_not_given_again() -> None:
    play = a_game(Go(), cards=OWN_DECK)
    play.accept(play.consider(Draws(cards=tuple(full_deck()[:7]))))
    play.accept(play.consider(Discard(cards=(full_deck()[0],))))
    assert play.state.asks == "cards"
    assert pressed("2", play.state) == Draws(cards=(Draw(2, "C"),))  # three of them are gone


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ("1", "By rank: a, 2 to 9, 0 for a ten"),
        ("7 n", "By rank: a, 2 to 9, 0 for a ten"),
        ("space", "Draw 7 cards and type their ranks"),
        ("enter", "Draw 7 cards and type their ranks"),
    ],
)
def test_signs_that_are_no_rank_are_refused(keys: str, says: str) -> None:
    with pytest.raises(UnfitAnswer, match=says):
        pressed(keys, a_game(Go(), cards=OWN_DECK).state)


# ------------------------------------------------------------------ the hand


def test_a_card_is_played_by_its_rank(landing: BeachState) -> None:
    frogmen = on_until(a_game(Go(), cards=DECK), "frogman").state
    assert frogmen.roll is not None
    for key, rank in RANK_OF_KEY.items():
        card = Draw(rank, "S")
        if rank == 13:
            continue  # a General has his own phase
        if rank == frogmen.roll.faces[0]:
            continue  # it would change nothing
        assert press(key, holding(frogmen, str(card))) == PlayCard(card=card)


def test_a_rank_that_is_not_held_means_nothing(landing: BeachState) -> None:
    with pytest.raises(UnfitAnswer, match=r"That means nothing now. Space .*7 Sharpshooter -2"):
        press("0", holding(landing, "7H"))


def test_a_value_on_one_of_several_dice_asks_which_by_what_they_show(landing: BeachState) -> None:
    assert landing.roll is not None
    roll = msgspec.structs.replace(landing.roll, faces=(2, 2, 5))
    state = msgspec.structs.replace(holding(landing, "6H"), roll=roll)
    asked = press("6", state)
    assert question(asked) == "Which die does the Major go on?"
    assert press("5", state, asked) == PlayCard(card=parse_card("6H"), die=2)
    assert press("2", state, asked) == PlayCard(card=parse_card("6H"), die=0)
    with pytest.raises(UnfitAnswer, match=r"2 the 2; 5 the 5\."):
        press("1", state, asked)


def test_a_value_that_changes_nothing_asks_first() -> None:
    frogmen = on_until(a_game(Go(), cards=DECK), "frogman").state
    assert frogmen.roll is not None
    roll = msgspec.structs.replace(frogmen.roll, faces=(3,))
    state = msgspec.structs.replace(holding(frogmen, "3H", "10H"), roll=roll)
    asked = press("3", state)
    assert "would change nothing" in question(asked)
    for key in ("space", "enter", "y"):
        assert press(key, state, asked) == PlayCard(card=parse_card("3H"))


def test_that_a_value_would_replace_a_plus_is_said_before() -> None:
    frogmen = on_until(a_game(Go(), cards=DECK), "frogman").state
    assert frogmen.roll is not None
    lies = (Played(parse_card("10C"), 0),)
    roll = msgspec.structs.replace(frogmen.roll, faces=(4,), cards=lies)
    state = msgspec.structs.replace(holding(frogmen, "AH", "JH"), roll=roll)
    for key in "aj":
        asked = press(key, state)
        assert "would take the place of the +2" in question(asked)


def test_one_card_for_a_die_makes_a_plus_ask_for_its_die(landing: BeachState) -> None:
    rulings = landing.setup.rulings | {"B23": "one"}
    setup = msgspec.structs.replace(landing.setup, rulings=rulings)
    state = msgspec.structs.replace(holding(landing, "10H"), setup=setup)
    assert "Which die" in question(press("0", state))


def test_no_digit_of_the_hand_is_a_key_while_a_digit_answers_a_question(
    landing: BeachState,
) -> None:
    state = asking(
        holding(landing, "6H", "4H"), BeachAsk(what="target", targets=("bunkers", "walls"))
    )
    assert GAME.commands(state) == ()
    prompt = GAME.prompt(state)
    assert prompt is not None
    assert [one.label for one in prompt.slots[0].options] == ["Walls", "Bunkers"]


def test_dice_that_are_not_rolled_yet_are_all_the_same_to_a_value() -> None:
    """Cards go first (B19): the first die will do, as long as no other card tells them apart."""
    play = on_until(a_game(Go(), cards=DECK, rulings={"B19": "before"}), "lci")
    state = holding(play.state, "6C", "6H", "10C")
    assert state.roll is not None
    assert (state.roll.dice, state.roll.faces) == (3, ())
    assert press("6", state) == PlayCard(card=parse_card("6C"))
    lies = msgspec.structs.replace(state.roll, cards=(Played(parse_card("10C"), 1),))
    asked = msgspec.structs.replace(holding(state, "6C"), roll=lies)
    draft = press("6", asked)
    assert [one.label for one in draft.slot.options] == ["with no card", "with 10"]
    assert press("2", asked, draft) == PlayCard(card=parse_card("6C"), die=1)


def test_equal_faces_need_no_question(landing: BeachState) -> None:
    assert landing.roll is not None
    equal = msgspec.structs.replace(landing.roll, faces=(4, 4, 4))
    state = msgspec.structs.replace(holding(landing, "6H"), roll=equal)
    assert press("6", state) == PlayCard(card=parse_card("6H"))


def test_plus_and_minus_ask_for_no_die(landing: BeachState) -> None:
    """They count for the sum (B20)."""
    step = press("0", holding(landing, "10H"))
    assert isinstance(step, PlayCard)


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
    assert press("k", state) == PlayCard(card=king)
    assert pressed("K space", state) == Discard(cards=(king,))


def at_the_end() -> BeachState:
    """Seven cards, of which three may be kept."""
    play = a_game(Go(), cards=DECK)
    for _ in range(60):
        ask = play.state.ask
        if play.state.phase == "end":
            return play.state
        order = ChooseTarget(target=ask.targets[0]) if ask and ask.what == "target" else Go()
        play.accept(play.consider(order))
    raise AssertionError("the end phase never comes")


def test_too_few_cards_to_go_are_counted() -> None:
    with pytest.raises(UnfitAnswer, match="Choose 3 more"):
        pressed("q space", at_the_end())


def test_space_takes_the_proposed_cards() -> None:
    order = press("space", at_the_end())
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
        if isinstance(step, Go | ChooseTarget | Discard):
            play.accept(play.consider(step))
    assert all(sentence.endswith(".") for sentence in sentences)
