"""The exact odds of being pinned by a volley.

Each machinegun that fires requires a draw (P55, a ruling on a gap in the rules). A shooter without
a target holds fire, but then nobody is left to be pinned. So if somebody is left, all have fired,
and the number of draws does not depend on the kills.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from skirmish.games.plastic.odds.pack import FACES, Firer, Pack, bits
from skirmish.games.plastic.odds.sweep.sweep import Sweep
from skirmish.games.plastic.odds.volley import chances_of_hand
from skirmish.games.plastic.rules.catalog import DECK, Catalog, Quality
from skirmish.games.plastic.rules.checks import is_pinned

MOST_STEPS_ON_SCREEN = 5_000
"""The most steps of the search where both sides draw from one deck: a screen waits for it."""


def pinning_draws(
    quality: Quality | None, die: bool, catalog: Catalog, rulings: Mapping[str, str]
) -> int:
    """The set of draws that pin troops of this quality (None: they have none, see ``is_pinned``),
    with a ``die`` instead of cards."""
    draws = DECK
    if die:
        draws = FACES
    return bits(draw for draw in draws if is_pinned(quality, draw, catalog, rulings))


def chance_of_pin(
    quality: Quality | None,
    pack: Pack,
    catalog: Catalog,
    rulings: Mapping[str, str],
    draw_count: int = 1,
) -> Fraction:
    """The chance of being pinned by at least one of so many draws from ``pack``, one for each
    machinegun."""
    pins = pinning_draws(quality, pack.die, catalog, rulings)
    if pack.die:
        harmless_faces = pack.possible & ~pins
        chance_of_none = Fraction(harmless_faces.bit_count(), pack.count) ** draw_count
        return 1 - chance_of_none
    # A draw that pins is like a hit. A group is pinned only once: it is like a single target.
    by_kills = chances_of_hand(pins, draw_count, size=1, deck=pack.possible)
    one_kill = (1,)
    return by_kills.get(one_kill, Fraction(0))


class OneDeckOdds(NamedTuple):
    """The chances that somebody of a group is left after a volley, and that somebody is left and
    pinned."""

    somebody_left: Fraction
    left_and_pinned: Fraction


@lru_cache(maxsize=64)
def one_deck_odds(
    firers: tuple[Firer, ...],
    size: int,
    pack: Pack,
    pins: int,
    most_steps: int = MOST_STEPS_ON_SCREEN,
    *,
    draws_for_pin: int | None = None,
) -> OneDeckOdds:
    """The chances if both sides draw from one deck. ``size``: how many stand in the group;
    ``pins``: the set of draws that pin it; ``draws_for_pin``: how many draws for being pinned there
    are, None: one for each shooter. Raises OddsError beyond ``most_steps`` of the search."""
    if draws_for_pin is None:
        draws_for_pin = len(firers)
    # A draw for being pinned is like a shot at another group, of one man. Draws that pin hit him.
    pinning = [Firer(hits=pins, group=1)] * draws_for_pin
    sweep = Sweep([*firers, *pinning], [size, 1], pack, hits_only=True, most=most_steps)
    somebody_left = left_and_pinned = Fraction(0)
    for (kills, pinning_hits), chance in sweep.outcome().chances.items():
        if kills < size:
            somebody_left += chance
            if pinning_hits:
                left_and_pinned += chance
    return OneDeckOdds(somebody_left, left_and_pinned)
