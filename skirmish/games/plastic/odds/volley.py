"""The exact odds of a volley, and of being pinned by it. P55 is a ruling on a gap in the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import ceil, comb, inf, log, prod
from typing import NamedTuple

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
from skirmish.games.plastic.odds.sweep.ending import Chances
from skirmish.games.plastic.odds.sweep.sweep import Sweep
from skirmish.games.plastic.rules.catalog import DECK, Catalog, Quality
from skirmish.games.plastic.rules.checks import is_pinned

MOST_FIRERS, MOST_TARGETS = 100, 9999
"""More are refused, but shooters who take one draw each may be more."""
_RARE = 9 * log(10)
"""A die can hit without end: what is rarer than one in 10^9 volleys is cut off."""
MOST_ENDS = 300_000
"""Limit in results of a volley with a die: the kills of each group, multiplied."""
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
        return VolleyOutcome(chances_of_hand(firers[0].hits, len(firers), sizes[0], pack.possible))
    if pack.die:
        return with_die(firers, sizes, pack, losses)
    return Sweep(firers, sizes, pack, losses=losses, hits_only=True).outcome()


def with_die(
    firers: Sequence[Firer], sizes: Sequence[int], pack: Pack, losses: bool
) -> VolleyOutcome:
    """Throws are independent, and so are the groups. Raises OddsError for too many results."""
    if prod(size + 1 for size in sizes) > MOST_ENDS:
        raise OddsError("This volley has too many results: ask for fewer groups at a time.")
    kills: Chances = {(): Fraction(1)}
    lost = {0: Fraction(1)}
    for group, size in enumerate(sizes):
        at_group = [replace(firer, group=0) for firer in firers if firer.group == group]
        outcome = Sweep(at_group, [size], pack, losses=losses).outcome()
        kills = _beside(kills, outcome.chances)
        lost = _added_up(lost, outcome.lost)
    return VolleyOutcome(kills, lost)


def _beside(chances: Chances, of_next_group: Chances) -> Chances:
    """The joint chances of the kills of groups that do not depend on one another."""
    joint: Chances = {}
    for kills, chance in chances.items():
        for next_kills, next_chance in of_next_group.items():
            joint[*kills, *next_kills] = chance * next_chance
    return joint


def _added_up(lost: dict[int, Fraction], of_next_group: dict[int, Fraction]) -> dict[int, Fraction]:
    """The chances of each number of shooters lost at two groups together."""
    pairs = []
    for count, chance in lost.items():
        for next_count, next_chance in of_next_group.items():
            pairs.append((count + next_count, chance * next_chance))
    return summed(pairs)


def check(firers: Sequence[Firer], sizes: Sequence[int]) -> None:
    """Raises OddsError where the question makes no sense, or is too large."""
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
    for firer in firers:
        if firer.hits != first.hits or firer.group != first.group:
            return False
        if firer.tests or firer.repeat:
            return False
    return True


def chances_of_hand(hits: int, draws: int, size: int, deck: int) -> Chances:
    """The chance of each number of hits, up to ``size``, by shooters who hit with the same cards
    and take one card each: whole decks first, then a hand from the last one. ``hits`` and ``deck``
    are sets of cards; ``draws`` is how many are taken."""
    sure, last_deck, left_to_draw = 0, deck, draws
    if draws > deck.bit_count():
        whole_decks, left_to_draw = divmod(draws - deck.bit_count(), len(DECK))
        sure = (deck & hits).bit_count() + whole_decks * hits.bit_count()
        last_deck = ALL_CARDS
    good = (last_deck & hits).bit_count()
    bad = last_deck.bit_count() - good
    all_ways = comb(good + bad, left_to_draw)
    chances = []
    for drawn in range(min(good, left_to_draw) + 1):
        ways = comb(good, drawn) * comb(bad, left_to_draw - drawn)
        if ways:
            chances.append(((min(sure + drawn, size),), Fraction(ways, all_ways)))
    return summed(chances)


def trimmed(
    firers: Sequence[Firer], sizes: Sequence[int], pack: Pack
) -> tuple[list[Firer], tuple[int, ...]]:
    """An equivalent volley that is faster: nobody is spared if it makes no difference, and no group
    exceeds the most that can be hit by more than one man (two for each that may be spared)."""
    most_hits = [_most_hits(firers, group, pack) for group in range(len(sizes))]
    trimmed_firers = []
    for firer in firers:
        size, most = sizes[firer.group], most_hits[firer.group]
        # Whoever is spared uses up a new man. That matters only to repeat fire, where there is a
        # second man, and where two men for each hit may be more than there are.
        if firer.repeat and 1 < size <= 2 * most:
            trimmed_firers.append(firer)
        else:
            trimmed_firers.append(replace(firer, spared=0))
    men_for_each_hit = 1
    if any(firer.spared for firer in trimmed_firers):
        men_for_each_hit = 2
    trimmed_sizes = []
    for size, most in zip(sizes, most_hits, strict=True):
        # With one man more than can be used up somebody always stands, and more change nothing.
        trimmed_sizes.append(min(size, men_for_each_hit * most + 1))
    return trimmed_firers, tuple(trimmed_sizes)


def _most_hits(firers: Sequence[Firer], group: int, pack: Pack) -> int:
    """The most hits in a group of any size."""
    at_group = [firer for firer in firers if firer.group == group]
    if not any(firer.repeat for firer in at_group):
        return len(at_group)
    if pack.die:
        return _most_hits_with_die(at_group, pack)
    return _most_hits_with_cards(firers, group, pack)


def _most_hits_with_die(firers: Sequence[Firer], pack: Pack) -> int:
    """By the shooters at one group, some of whom fire repeatedly; more are rarer than ``_RARE``."""
    faces = max((pack.possible & firer.hits).bit_count() for firer in firers if firer.repeat)
    if faces == pack.count:
        return MOST_TARGETS
    # With p the chance of a hit and z = (1 + 1/p) / 2, the mean of z to the power of one man's
    # hits is 2. So n men make more than k hits in at most 2^n / z^k of all volleys (Markov).
    # Where no face hits, nobody makes a second hit: the bound is then one hit each.
    log_z = inf
    if faces:
        log_z = log((1 + pack.count / faces) / 2)
    return len(firers) + ceil((_RARE + len(firers) * log(2)) / log_z)


def _most_hits_with_cards(firers: Sequence[Firer], group: int, pack: Pack) -> int:
    """By all shooters together, who draw from one deck."""
    # Before a shuffle runs out, each card that nobody hits with must be drawn: it ends a shooter's
    # fire, or it is the second draw of a breakdown, at most one per shooter.
    second_draws = 0
    if any(firer.tests for firer in firers):
        second_draws = 1
    hits = any_hit = 0
    for firer in firers:
        any_hit |= firer.hits
        if firer.group == group:
            hits |= firer.hits
    misses = (ALL_CARDS & ~any_hit).bit_count() - second_draws
    if misses < 1:
        return MOST_TARGETS
    shuffles = 1 + len(firers) * (1 + second_draws) // misses
    return (pack.possible & hits).bit_count() + hits.bit_count() * shuffles


# ------------------------------------------------------------------ pinned

# Each machinegun that fires requires a draw (P55), and a shooter without a target holds fire. But
# then nobody is left to be pinned. So if somebody is left, all have fired, and the chance of that
# is enough: the number of draws does not depend on the kills.


def pinning_draws(
    quality: Quality | None, die: bool, catalog: Catalog, rulings: Mapping[str, str]
) -> int:
    """The set of draws that pin troops of this quality."""
    draws = DECK
    if die:
        draws = FACES
    return bits(draw for draw in draws if is_pinned(quality, draw, catalog, rulings))


def chance_of_pin(
    quality: Quality | None,
    pack: Pack,
    catalog: Catalog,
    rulings: Mapping[str, str],
    times: int = 1,
) -> Fraction:
    """The chance to be pinned by one draw from ``pack`` for each machinegun."""
    pins = pinning_draws(quality, pack.die, catalog, rulings)
    if pack.die:
        return 1 - Fraction((pack.possible & ~pins).bit_count(), pack.count) ** times
    # A group can be pinned once, so that it is one target, and any draw that pins is its hit.
    return chances_of_hand(pins, times, 1, pack.possible).get((1,), Fraction(0))


class OneDeckOdds(NamedTuple):
    """The chances that somebody of a group is left after a volley, and that he is left and
    pinned."""

    somebody_left: Fraction
    left_and_pinned: Fraction


@lru_cache(maxsize=64)
def by_one_deck(
    firers: tuple[Firer, ...],
    size: int,
    pack: Pack,
    pins: int,
    most: int = MOST_PINNED,
    *,
    tests: int | None = None,
) -> OneDeckOdds:
    """The chances if both sides draw from one deck. The pin draws, ``tests`` of them or one for
    each shooter, are shots at another group. Raises OddsError beyond ``most`` steps."""
    if tests is None:
        tests = len(firers)
    pinning = [Firer(hits=pins, group=1)] * tests
    sweep = Sweep([*firers, *pinning], [size, 1], pack, hits_only=True, most=most)
    somebody_left = left_and_pinned = Fraction(0)
    for (kills, pinning_hits), chance in sweep.outcome().chances.items():
        if kills < size:
            somebody_left += chance
            if pinning_hits:
                left_and_pinned += chance
    return OneDeckOdds(somebody_left, left_and_pinned)
