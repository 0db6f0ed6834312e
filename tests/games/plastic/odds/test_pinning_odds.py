"""Is somebody left, and pinned? Counted, and compared with every order of a small deck."""

from __future__ import annotations

from fractions import Fraction

import pytest
from brute import SPADES, cards, shooter, single

from skirmish import library
from skirmish.games.plastic.odds import pack as packs
from skirmish.games.plastic.odds.pack import ALL_CARDS, Firer, OddsError, Pack
from skirmish.games.plastic.odds.pinning import chance_of_pin, one_deck_odds
from skirmish.games.plastic.odds.volley import volley

CATALOG = library.catalog()
RULINGS = library.rulings().defaults()
BLACK = cards(0, 12)
GUN = shooter(8, tests=True, repeat=True)


def left_of(written: str) -> Pack:
    return packs.parse(f"left: {written}", RULINGS)


def dealt_out(firers: list[Firer], size: int, pack: Pack, pins: int) -> tuple[Fraction, Fraction]:
    """The chance that somebody is left, and that he is and a draw pins: card by card, the pin
    draws of those who fired out of what the volley left."""
    found = [Fraction(0), Fraction(0)]

    def go(left: int, at: int, kills: int, p: Fraction) -> None:
        if kills == size or at == len(firers):
            if kills < size:
                found[0] += p
                draw(left, at, p)
            return
        left = left or ALL_CARDS
        for card in single(left):
            q, rest = p / left.bit_count(), left & ~card
            hit = bool(card & firers[at].hits)
            then = at if hit and firers[at].repeat else at + 1
            if not card & firers[at].tests:
                go(rest, then, kills + hit, q)
                continue
            rest = rest or ALL_CARDS & ~card
            for second in single(rest):
                go(rest & ~second, then, kills + hit, q / rest.bit_count())

    def draw(left: int, times: int, p: Fraction) -> None:
        left = left or ALL_CARDS
        for card in single(left):
            q = p / left.bit_count()
            if card & pins:
                found[1] += q
            elif times > 1:
                draw(left & ~card, times - 1, q)

    go(pack.left, 0, 0, Fraction(1))
    return found[0], found[1]


@pytest.mark.parametrize("pins", [BLACK, SPADES, ALL_CARDS & ~SPADES])
@pytest.mark.parametrize(
    ("guns", "men", "left"),
    [
        (1, 1, "2H 5S QS JS"),
        (1, 3, "2H 5S QS JS 9D"),
        (2, 1, "2H 5S QS JS 9D"),
        (2, 2, "2H 5S QS JS 9D 8C"),
        (3, 2, "2H QS JC 9D 10H QH 3S 4D"),
        (2, 1, "2H QS"),
        (1, 2, "QS"),
    ],
)
def test_out_of_one_deck_it_is_that_of_every_order(
    guns: int, men: int, left: str, pins: int
) -> None:
    """The last two run through a shuffle."""
    firers = [GUN] * guns
    told = one_deck_odds((GUN,) * guns, men, left_of(left), pins)
    assert told == dealt_out(firers, men, left_of(left), pins)


@pytest.mark.parametrize(("guns", "men"), [(1, 1), (2, 1), (2, 3), (3, 2), (5, 2)])
def test_whether_somebody_is_left_is_the_same_whosever_the_cards(guns: int, men: int) -> None:
    outcome = volley([GUN] * guns, [men], Pack())
    own = chance_of_pin(None, Pack(), CATALOG, RULINGS, guns)
    left, both = one_deck_odds((GUN,) * guns, men, Pack(), BLACK, 1_000_000)
    assert left == 1 - outcome.at_least(men)
    assert abs(both / left - own) < Fraction(1, 20)


def test_who_is_surely_killed_is_not_pinned() -> None:
    sure = left_of("AH 2H 3H 4H")
    assert one_deck_odds((GUN,), 2, sure, BLACK) == (0, 0)


def test_more_than_a_screen_can_wait_for_is_refused() -> None:
    with pytest.raises(OddsError):
        one_deck_odds((GUN,) * 20, 30, Pack(), BLACK)


# ------------------------------------------------------------------ the draws alone


def test_each_machinegun_pins_with_a_card_more() -> None:
    """Half of the cards are black; 24/48 x 23/47 that two draws are both red."""
    assert chance_of_pin(None, Pack(), CATALOG, RULINGS) == Fraction(1, 2)
    two = chance_of_pin(None, Pack(), CATALOG, RULINGS, draw_count=2)
    assert two == 1 - Fraction(24 * 23, 48 * 47)
    green, elite = CATALOG.qualities["green"], CATALOG.qualities["elite"]
    assert chance_of_pin(green, Pack(), CATALOG, RULINGS) == Fraction(3, 4)
    assert (
        chance_of_pin(elite, packs.of_die(), CATALOG, RULINGS, draw_count=2)
        == 1 - Fraction(9, 12) ** 2
    )


def test_the_pin_draw_goes_through_a_shuffle() -> None:
    red = packs.parse("left: 4H", RULINGS)
    assert chance_of_pin(None, red, CATALOG, RULINGS, draw_count=2) == Fraction(1, 2)
    black = packs.parse("left: 4C", RULINGS)
    assert chance_of_pin(None, black, CATALOG, RULINGS, draw_count=2) == 1
