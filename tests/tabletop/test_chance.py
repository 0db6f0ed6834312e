"""Cards, dice, and sources that hold no generator."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skirmish.tabletop.chance import (
    Draw,
    DrawError,
    Source,
    full_deck,
    parse_card,
    parse_face,
    parse_roll,
    shuffled,
    spell,
)

DECK = full_deck(highest=12)
seeds = st.integers(0, 2**64)

# The order that seed 7 gives in its first shuffle. If this changes, the cards of every battle that
# was ever kept come out differently after an undo: mend the code, never this line.
PINNED = (
    "JC 9D AC 6S 10D 8S 8D 6H 9S 4H 2C 8H 7D 3C 10S 2H AS 6D 5S QS 8C 7S 7C QC 4C AD "
    "AH 10C 4S JH 6C QH 9C 5D 2D 10H 2S 4D JD 7H JS 5H 5C 3H 3D 3S 9H QD"
)


def drawn_out(source: Source, count: int) -> tuple[list[Draw], Source]:
    draws = []
    for _ in range(count):
        draw = source.peek(DECK, 12)
        source = source.drawn(draw)
        draws.append(draw)
    return draws, source


def test_the_deck_of_48_has_no_kings() -> None:
    """Equipment Needed."""
    assert len(set(DECK)) == 48
    assert max(card.rank for card in DECK) == 12
    assert Counter(card.suit for card in DECK) == dict.fromkeys("SHDC", 12)


def test_spades_and_clubs_are_black_and_a_die_has_no_colour() -> None:
    assert {card.suit for card in DECK if card.is_black} == {"S", "C"}
    assert not Draw(2).is_black
    assert not Draw(2).is_card


def test_every_card_is_read_back_as_it_is_written() -> None:
    assert [parse_card(str(card)) for card in full_deck()] == list(full_deck())


@pytest.mark.parametrize("text", ["7h", " 7H ", "7 h", "7H", "7♥", "7 ♡", "7\u2665\ufe0f"])
def test_a_card_may_be_typed_carelessly(text: str) -> None:
    assert parse_card(text) == Draw(7, "H")


@pytest.mark.parametrize("text", ["", "H7", "1S", "11S", "7", "77H", "ten of hearts", "0H", "7HH"])
def test_what_is_no_card_is_told_how_one_is_written(text: str) -> None:
    with pytest.raises(DrawError, match=r"is no card: write the rank .* as in 7H or QS"):
        parse_card(text)


def test_a_king_is_offered_only_where_the_deck_has_one() -> None:
    with pytest.raises(DrawError, match=r"the rank \(A 2 to 10 J Q K\)"):
        parse_card("7")
    with pytest.raises(DrawError, match=r"the rank \(A 2 to 10 J Q\)"):
        parse_card("7", highest=12)


def test_a_king_is_not_in_a_deck_that_ends_at_the_queen() -> None:
    assert parse_card("KS") == Draw(13, "S")
    with pytest.raises(DrawError, match="KS is not in this deck: it ends at QS"):
        parse_card("KS", highest=12)


def test_a_sign_that_only_looks_like_a_letter_is_no_card() -> None:
    with pytest.raises(DrawError):
        parse_card("\u212aS", highest=12)


@pytest.mark.parametrize("face", [0, 13, -1])
def test_a_die_shows_no_more_than_its_sides(face: int) -> None:
    with pytest.raises(DrawError, match=f"A d12 shows 1 to 12, not {face}"):
        parse_face(face, 12)


@pytest.mark.parametrize(("text", "face"), [("1", 1), ("12", 12), (" 7 ", 7), ("07", 7)])
def test_a_roll_may_be_typed(text: str, face: int) -> None:
    assert parse_roll(text, 12) == Draw(face)


@pytest.mark.parametrize("text", ["", "x", "7H", "-1", "1.5", "1000", "\u0663", "7 8"])
def test_what_is_no_roll_is_told_how_one_is_written(text: str) -> None:
    with pytest.raises(DrawError, match="is no roll: write a number from 1 to 12"):
        parse_roll(text, 12)


@pytest.mark.parametrize("text", ["0", "13", "999"])
def test_a_roll_beyond_the_die_is_told_what_it_shows(text: str) -> None:
    with pytest.raises(DrawError, match=f"A d12 shows 1 to 12, not {text}"):
        parse_roll(text, 12)


def test_a_card_told_by_its_rank_alone_is_one_card_gone() -> None:
    """A player's own deck: the suit need not be told where it changes nothing."""
    source = Source("deck").drawn(Draw(7)).drawn(Draw(7, "H"))
    assert source.cards_left(DECK) == 46
    assert source.gone == (Draw(7), Draw(7, "H"))
    assert source.reshuffled().cards_left(DECK) == 48


def test_what_has_gone_is_passed_over_whoever_drew_it() -> None:
    """A card that stays drawn after its order was struck does not come again."""
    source = Source("deck", seed=5)
    order = shuffled(DECK, 5, 0)
    assert source.drawn(order[0]).peek(DECK, 12) == order[1]
    assert source.drawn(order[2]).peek(DECK, 12) == order[0]
    draws, _ = drawn_out(source.drawn(order[3]), 47)
    assert draws == [card for card in order if card != order[3]]


def test_every_face_of_the_die_is_a_draw_without_suit() -> None:
    assert [parse_face(face, 12) for face in range(1, 13)] == [Draw(n) for n in range(1, 13)]


def test_draws_are_spoken_as_players_say_them() -> None:
    assert Draw(1, "S").words == "ace of spades"
    assert Draw(10, "D").words == "10 of diamonds"
    assert Draw(12, "C").words == "queen of clubs"
    assert Draw(7).words == "a roll of 7"
    assert spell([Draw(12, "S"), Draw(4, "H"), Draw(7)]) == "QS 4H 7"


def test_a_seed_gives_the_same_shuffle_for_ever() -> None:
    assert spell(shuffled(DECK, 7, 0)) == PINNED


def test_a_die_of_a_seed_gives_the_same_rolls_for_ever() -> None:
    rolls, _ = drawn_out(Source("die", seed=7), 12)
    assert spell(rolls) == "12 3 9 11 4 2 2 5 6 9 10 9"


@given(seeds, st.integers(0, 40))
def test_no_card_comes_twice_before_a_shuffle(seed: int, shuffles: int) -> None:
    """Equipment Needed."""
    draws, source = drawn_out(Source("deck", seed=seed, shuffles=shuffles), 48)
    assert sorted(draws) == sorted(DECK)
    assert source.cards_left(DECK) == 0


@given(seeds, st.integers(1, 48))
def test_a_shuffle_brings_all_cards_back_in_another_order(seed: int, drawn: int) -> None:
    _, source = drawn_out(Source("deck", seed=seed), drawn)
    again = source.reshuffled()
    assert again.cards_left(DECK) == 48
    assert again.shuffles == 1
    assert drawn_out(again, 48)[0] != drawn_out(Source("deck", seed=seed), 48)[0]


@given(seeds, st.sampled_from(DECK))
def test_a_card_that_lies_aside_is_not_in_the_fresh_shuffle(seed: int, aside: Draw) -> None:
    """P78."""
    source = Source("deck", seed=seed).reshuffled(aside)
    assert source.cards_left(DECK) == 47
    draws, emptied = drawn_out(source, 47)
    assert aside not in draws
    assert emptied.cards_left(DECK) == 0
    assert emptied.reshuffled().cards_left(DECK) == 48


def test_a_die_never_runs_out() -> None:
    _, source = drawn_out(Source("die", seed=3), 100)
    assert source.rolls == 100
    assert source.gone == ()


def test_looking_at_the_next_card_does_not_draw_it() -> None:
    source = Source("deck", seed=11)
    assert source.peek(DECK, 12) == source.peek(DECK, 12)


def test_a_players_own_cards_cannot_be_known_before_he_draws() -> None:
    own = Source("deck")
    assert own.typed
    with pytest.raises(ValueError, match="own cards cannot be known"):
        own.peek(DECK, 12)


def chi_square(counts: Counter[int], cells: int) -> float:
    expected = counts.total() / cells
    return sum((counts[cell] - expected) ** 2 / expected for cell in range(cells))


def test_the_die_favours_no_number() -> None:
    """12,000 rolls of one fixed die: 11 degrees of freedom, 31.3 is passed once in 1,000."""
    rolls, _ = drawn_out(Source("die", seed=20_050_700), 12_000)
    assert chi_square(Counter(roll.rank - 1 for roll in rolls), 12) < 31.3


def test_a_roll_tells_nothing_about_the_next() -> None:
    """Pairs of neighbours over 144 cells; 143 degrees of freedom, 199 once in 1,000."""
    rolls, _ = drawn_out(Source("die", seed=20_050_700), 14_401)
    pairs = Counter((one.rank - 1) * 12 + other.rank - 1 for one, other in pairwise(rolls))
    assert chi_square(pairs, 144) < 199


def test_the_shuffle_favours_no_place() -> None:
    """Where the queen of spades lies after each of 9,600 shuffles; 47 degrees, 83 once in 1,000."""
    queen = Draw(12, "S")
    places = Counter(shuffled(DECK, 5, shuffle).index(queen) for shuffle in range(9_600))
    assert chi_square(places, 48) < 83


def test_the_generator_of_the_whole_program_is_left_alone() -> None:
    before = random.getstate()
    drawn_out(Source("deck", seed=3), 48)
    drawn_out(Source("die", seed=3), 48)
    assert random.getstate() == before
