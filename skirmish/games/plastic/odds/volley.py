"""The exact odds of a volley."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, comb, inf, log, prod
from typing import NamedTuple

from msgspec.structs import replace

from skirmish.games.plastic.odds.pack import (
    ALL_CARDS,
    Firer,
    OddsError,
    Pack,
    VolleyOutcome,
    summed,
)
from skirmish.games.plastic.odds.sweep.ending import Chances
from skirmish.games.plastic.odds.sweep.sweep import Sweep
from skirmish.games.plastic.rules.catalog import DECK

MOST_FIRERS = 100
"""The most shooters, unless each of them takes one draw only, which is worked out at once."""
MOST_TARGETS = 9999
"""The most targets of a group."""
_LOG_RARE = 9 * log(10)
"""With a die, repeat fire can hit without end. Numbers of hits that fewer than one in 10^9 volleys
reach are cut off; this is the logarithm of 10^9."""
MOST_RESULTS = 300_000
"""The most results of a volley with a die that are worked out. A result is the number of kills in
each group."""


def volley(
    firers: Sequence[Firer], sizes: Sequence[int], pack: Pack, losses: bool = False
) -> VolleyOutcome:
    """The outcome of these shooters, in this order, against groups of these sizes; a shooter whose
    group is eliminated holds fire. ``losses``: whether shooters lost by breakdowns are worked out,
    too. Raises OddsError if the volley is impossible or takes more than seconds to work out."""
    _check(firers, sizes)
    firers, sizes = simplified(firers, sizes, pack)
    if pack.die:
        return _outcome_with_die(firers, sizes, pack, losses)
    if len(sizes) == 1 and _is_one_hand(firers) and not losses:
        return VolleyOutcome(chances_of_hand(firers[0].hits, len(firers), sizes[0], pack.possible))
    return Sweep(firers, sizes, pack, losses=losses, hits_only=True).outcome()


def _outcome_with_die(
    firers: Sequence[Firer], sizes: Sequence[int], pack: Pack, losses: bool
) -> VolleyOutcome:
    """The outcome of a volley with a die, whose throws are independent: so are the groups. Raises
    OddsError for too many results."""
    if prod(size + 1 for size in sizes) > MOST_RESULTS:
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


def _check(firers: Sequence[Firer], sizes: Sequence[int]) -> None:
    """Raises OddsError where the question makes no sense, or is too large."""
    if not firers:
        raise OddsError("Nobody fires: name at least one shooter.")
    if len(firers) > MOST_FIRERS and not _is_one_hand(firers):
        raise OddsError(f"{len(firers)} shooters are too many; a volley has up to {MOST_FIRERS}.")
    if not sizes or min(sizes) < 1:
        raise OddsError("Nobody is there to be hit: a group holds at least 1.")
    if max(sizes) > MOST_TARGETS:
        raise OddsError(f"{max(sizes)} targets are too many; a group holds up to {MOST_TARGETS}.")


def _is_one_hand(firers: Sequence[Firer]) -> bool:
    """Whether the draws of the shooters are like one hand of cards: each takes one, and all hit the
    same group with the same cards."""
    first = firers[0]
    for firer in firers:
        if firer.hits != first.hits or firer.group != first.group:
            return False
        if firer.tests or firer.repeat:
            return False
    return True


def chances_of_hand(hits: int, draws: int, size: int, deck: int) -> Chances:
    """The chance of each number of hits, up to ``size``, in a hand of so many ``draws`` from what
    is left of the ``deck``, and from fresh decks once it is used up. ``hits`` and ``deck`` are sets
    of cards."""
    sure_hits = 0
    last_deck = deck
    left_to_draw = draws
    # Where a deck is drawn to its end, all of its cards that hit are sure hits.
    if draws > deck.bit_count():
        whole_decks, left_to_draw = divmod(draws - deck.bit_count(), len(DECK))
        sure_hits = (deck & hits).bit_count() + whole_decks * hits.bit_count()
        last_deck = ALL_CARDS
    hitting = (last_deck & hits).bit_count()
    missing = last_deck.bit_count() - hitting
    all_hands = comb(hitting + missing, left_to_draw)
    chances = []
    for drawn_hits in range(min(hitting, left_to_draw) + 1):
        hands = comb(hitting, drawn_hits) * comb(missing, left_to_draw - drawn_hits)
        # With too few cards that miss there is no hand with so few hits.
        if hands:
            kills = min(sure_hits + drawn_hits, size)
            chances.append(((kills,), Fraction(hands, all_hands)))
    return summed(chances)


class SimplifiedVolley(NamedTuple):
    """The shooters of a volley, and how many stand in each group."""

    firers: list[Firer]
    sizes: tuple[int, ...]


def simplified(firers: Sequence[Firer], sizes: Sequence[int], pack: Pack) -> SimplifiedVolley:
    """A volley of the same outcome that is worked out faster: no hit spares its target where that
    makes no difference, and no group has more men than the volley can tell apart."""
    most_hits = [_most_hits(firers, group, pack) for group in range(len(sizes))]
    needed_firers = []
    for firer in firers:
        size, most = sizes[firer.group], most_hits[firer.group]
        # A hit that spares its target uses up two new men. That matters only to repeat fire, where
        # there is a second man, and where there may be no more than two men for each hit.
        if firer.repeat and 1 < size <= 2 * most:
            needed_firers.append(firer)
        else:
            needed_firers.append(replace(firer, spared=0))
    men_for_each_hit = 1
    if any(firer.spared for firer in needed_firers):
        men_for_each_hit = 2
    needed_sizes = []
    for size, most in zip(sizes, most_hits, strict=True):
        # With one man more than can be used up somebody is always left: still more change nothing.
        needed_sizes.append(min(size, men_for_each_hit * most + 1))
    return SimplifiedVolley(needed_firers, tuple(needed_sizes))


def _most_hits(firers: Sequence[Firer], group: int, pack: Pack) -> int:
    """The most hits that the volley can make in a group, however large it is."""
    at_group = [firer for firer in firers if firer.group == group]
    if not any(firer.repeat for firer in at_group):
        return len(at_group)
    if pack.die:
        return _most_hits_with_die(at_group, pack)
    return _most_hits_with_cards(firers, group, pack)


def _most_hits_with_die(firers: Sequence[Firer], pack: Pack) -> int:
    """The most hits by the shooters at one group, some of whom fire repeatedly, but for volleys
    that are too rare to count."""
    faces = max((pack.possible & firer.hits).bit_count() for firer in firers if firer.repeat)
    if faces == pack.count:
        return MOST_TARGETS
    # With p the chance of a hit and z = (1 + 1/p) / 2, the mean of z to the power of one man's
    # hits is 2. So n men make more than k hits in at most 2^n / z^k of all volleys (Markov).
    # Where no face hits, the share below is nothing: the bound is one hit for each shooter.
    log_z = inf
    if faces:
        log_z = log((1 + pack.count / faces) / 2)
    return len(firers) + ceil((_LOG_RARE + len(firers) * log(2)) / log_z)


def _most_hits_with_cards(firers: Sequence[Firer], group: int, pack: Pack) -> int:
    """The most hits in one group by shooters who draw from one deck, those at other groups
    included."""
    # Before a shuffle runs out, each card with which nobody hits is drawn. Such a card ends the
    # fire of a shooter, or it is the second draw of his breakdown. So there are only so many
    # shuffles.
    second_draws = 0
    if any(firer.tests for firer in firers):
        # Each shooter makes at most one.
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
