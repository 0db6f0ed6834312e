"""The exact odds of a volley, and of being pinned by it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import ceil, comb, inf, log, prod

from msgspec.structs import replace

from skirmish.games.plastic.odds.pack import (
    ALL_CARDS,
    FACES,
    Firer,
    OddsError,
    Pack,
    VolleyOutcome,
    bits,
    summed,
)
from skirmish.games.plastic.odds.sweep import Chances, Sweep
from skirmish.games.plastic.rules.catalog import DECK, Catalog, Quality
from skirmish.games.plastic.rules.checks import is_pinned

MOST_FIRERS, MOST_TARGETS = 100, 9999
_RARE = 9 * log(10)
"""A die can hit without end: what is rarer than one in 10^9 volleys is cut off."""
MOST_ENDS = 300_000
MOST_PINNED = 5_000
"""Limit in steps where both sides draw from one deck: a screen waits for it."""


def volley(
    firers: Sequence[Firer], sizes: Sequence[int], pack: Pack, losses: bool = False
) -> VolleyOutcome:
    """The outcome of these shooters, in this order, against groups of these sizes; a shooter whose
    group is eliminated holds fire. Raises OddsError if that is impossible or takes more than
    seconds."""
    check(firers, sizes)
    firers, sizes = trimmed(firers, sizes, pack)
    if not losses and not pack.die and len(sizes) == 1 and single_shots(firers):
        return VolleyOutcome(hand(firers[0].hits, len(firers), sizes[0], pack.now))
    if pack.die:
        return with_die(firers, sizes, pack, losses)
    return Sweep(firers, sizes, pack, losses=losses, hits_only=True).outcome()


def with_die(
    firers: Sequence[Firer], sizes: Sequence[int], pack: Pack, losses: bool
) -> VolleyOutcome:
    """Throws are independent, and so are the groups."""
    if prod(size + 1 for size in sizes) > MOST_ENDS:
        raise OddsError("This volley has too many results: ask for fewer groups at a time.")
    kills: Chances = {(): Fraction(1)}
    lost = {0: Fraction(1)}
    for group, size in enumerate(sizes):
        own = [replace(one, group=0) for one in firers if one.group == group]
        found = Sweep(own, [size], pack, losses=losses).outcome()
        kills = {(*a, *b): p * q for a, p in kills.items() for b, q in found.chances.items()}
        lost = summed((a + b, p * q) for a, p in lost.items() for b, q in found.lost.items())
    return VolleyOutcome(kills, lost)


def check(firers: Sequence[Firer], sizes: Sequence[int]) -> None:
    if not firers:
        raise OddsError("Nobody fires: name at least one shooter.")
    if len(firers) > MOST_FIRERS and not single_shots(firers):
        raise OddsError(f"{len(firers)} shooters are too many; a volley has up to {MOST_FIRERS}.")
    if not sizes or min(sizes) < 1:
        raise OddsError("Nobody is there to be hit: a group holds at least 1.")
    if max(sizes) > MOST_TARGETS:
        raise OddsError(f"{max(sizes)} targets are too many; a group holds up to {MOST_TARGETS}.")


def single_shots(firers: Sequence[Firer]) -> bool:
    """Whether each shooter takes one draw, and all hit the same group with the same draws."""
    first = firers[0]
    alike = all(one.hits == first.hits and one.group == first.group for one in firers)
    return alike and not any(one.tests or one.repeat for one in firers)


def hand(hits: int, draws: int, size: int, deck: int) -> Chances:
    """The chance of each number of hits, up to ``size``, by shooters who hit with the same cards
    and take one card each: whole decks first, then a hand from the last one."""
    sure = 0
    if draws > (count := deck.bit_count()):
        shuffles, draws = divmod(draws - count, len(DECK))
        sure = (deck & hits).bit_count() + shuffles * hits.bit_count()
        deck = ALL_CARDS
    good, count = (deck & hits).bit_count(), deck.bit_count()
    ways = {n: comb(good, n) * comb(count - good, draws - n) for n in range(min(good, draws) + 1)}
    every = comb(count, draws)
    return summed(
        ((min(sure + n, size),), Fraction(some, every)) for n, some in ways.items() if some
    )


def trimmed(
    firers: Sequence[Firer], sizes: Sequence[int], pack: Pack
) -> tuple[list[Firer], tuple[int, ...]]:
    """An equivalent volley: nobody is spared if it makes no difference, and no group exceeds the
    most that can be hit by more than one man (two for each that may be spared)."""
    most = [_most_hits(firers, group, pack) for group in range(len(sizes))]
    found = [
        one
        if one.repeat and 1 < sizes[one.group] <= 2 * most[one.group]
        else replace(one, spared=0)
        for one in firers
    ]
    each = 2 if any(one.spared for one in found) else 1
    return found, tuple(min(size, each * n + 1) for size, n in zip(sizes, most, strict=True))


def _most_hits(firers: Sequence[Firer], group: int, pack: Pack) -> int:
    own = [one for one in firers if one.group == group]
    if not any(one.repeat for one in own):
        return len(own)
    if pack.die:
        faces = max((pack.now & one.hits).bit_count() for one in own if one.repeat)
        if faces == pack.count:
            return MOST_TARGETS
        # With p the chance of a hit and z = (1 + 1/p) / 2, the mean of z to the power of one man's
        # hits is 2. So n men make more than k hits in at most 2^n / z^k of all volleys (Markov).
        rises = log((1 + pack.count / faces) / 2) if faces else inf
        return len(own) + ceil((_RARE + len(own) * log(2)) / rises)
    # Before a shuffle runs out, each card that nobody hits with must be drawn: it ends a shooter's
    # fire, or it is the second draw of a breakdown, at most one per shooter.
    tests = any(one.tests for one in firers)
    hits = any_hit = 0
    for one in firers:
        any_hit |= one.hits
        hits |= one.hits if one.group == group else 0
    misses = (ALL_CARDS & ~any_hit).bit_count() - tests
    if misses < 1:
        return MOST_TARGETS
    shuffles = 1 + len(firers) * (1 + tests) // misses
    return (pack.now & hits).bit_count() + hits.bit_count() * shuffles


# ------------------------------------------------------------------ pinned

# Each machinegun that fires requires a draw (P55), and a shooter without a target holds fire. But
# then nobody is left to be pinned. So if somebody is left, all have fired, and the chance of that
# is enough: the number of draws does not depend on the kills.


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
    """The chance to be pinned by one draw from ``pack`` for each machinegun."""
    pins = pinning_draws(quality, pack.die, catalog, rulings)
    if pack.die:
        return 1 - Fraction((pack.now & ~pins).bit_count(), pack.count) ** times
    return hand(pins, times, 1, pack.now).get((1,), Fraction(0))


@lru_cache(maxsize=64)
def by_one_deck(
    firers: tuple[Firer, ...],
    size: int,
    pack: Pack,
    pins: int,
    most: int = MOST_PINNED,
    *,
    tests: int | None = None,
) -> tuple[Fraction, Fraction]:
    """The chances that somebody is left, and that he is left and pinned, if both sides draw from
    one deck: the pin draws, ``tests`` of them or one for each shooter, are shots at another group.
    Raises OddsError beyond ``most`` steps."""
    if tests is None:
        tests = len(firers)
    pinning = [Firer(hits=pins, group=1)] * tests
    sweep = Sweep([*firers, *pinning], [size, 1], pack, hits_only=True, most=most)
    left = [(key, chance) for key, chance in sweep.outcome().chances.items() if key[0] < size]
    both = sum((chance for key, chance in left if key[1]), Fraction(0))
    return sum((chance for _, chance in left), Fraction(0)), both
