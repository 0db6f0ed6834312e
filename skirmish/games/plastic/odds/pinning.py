"""Is a group pinned by the volley fired at it? Somebody must be left, and a draw must pin.

Each machinegun that fires owes a draw (P55), and whoever finds nobody left to hit holds his fire.
But then nobody is left to be pinned either. So where somebody is left all have fired, and it is
enough to know how likely that is: the number of draws does not hang on the kills.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

import msgspec

from skirmish.games.plastic.odds.firers import Firer, VolleyOutcome
from skirmish.games.plastic.odds.pack import ALL_CARDS, FACES, Pack, bits
from skirmish.games.plastic.odds.volley import GLIMPSE, ends
from skirmish.games.plastic.rules.catalog import DECK, Catalog, Quality
from skirmish.games.plastic.rules.checks import is_pinned


class Pinned(msgspec.Struct, frozen=True):
    """The chances that somebody lives, and that he does and is pinned."""

    left: Fraction
    both: Fraction

    @property
    def if_left(self) -> Fraction:
        return self.both / self.left if self.left else Fraction(0)


def pinning_draws(
    quality: Quality | None, die: bool, catalog: Catalog, rulings: Mapping[str, str]
) -> int:
    draws = FACES if die else DECK
    return bits(draw for draw in draws if is_pinned(quality, draw, catalog, rulings))


def pinned(
    quality: Quality | None,
    pack: Pack,
    catalog: Catalog,
    rulings: Mapping[str, str],
    times: int = 1,
) -> Fraction:
    """By one draw out of ``pack`` for each machinegun."""
    pins = pinning_draws(quality, pack.die, catalog, rulings)
    now = pack.now
    if pack.die:
        return 1 - Fraction((now & ~pins).bit_count(), pack.count) ** times
    return 1 - _steady((now & ~pins).bit_count(), pack.count, pins, times)


def by_own_cards(outcome: VolleyOutcome, group: int, size: int, if_left: Fraction) -> Pinned:
    """Where the troops' owner draws from cards of his own (P23)."""
    left = 1 - outcome.at_least(size, group)
    return Pinned(left, left * if_left)


@lru_cache(maxsize=64)
def by_one_deck(
    firers: tuple[Firer, ...], size: int, pack: Pack, pins: int, most: int = GLIMPSE
) -> Pinned:
    """Where both sides draw from one deck. Raises OddsError beyond ``most`` steps."""
    left = both = Fraction(0)
    for kills, count, pinning, chance in ends(firers, [size], pack, pins, most):
        if kills[0] < size:
            left += chance
            both += chance * (1 - _steady(count - pinning, count, pins, len(firers)))
    return Pinned(left, both)


def _steady(safe: int, of: int, pins: int, times: int) -> Fraction:
    """The chance that no card pins: ``safe`` of the ``of`` left do not. A deck that runs out is
    shuffled."""
    found = Fraction(1)
    for _ in range(times):
        if not of:
            safe, of = (ALL_CARDS & ~pins).bit_count(), len(DECK)
        found *= Fraction(safe, of)
        if not found:
            break
        safe, of = safe - 1, of - 1
    return found
