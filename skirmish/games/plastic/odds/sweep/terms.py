"""What a volley is followed by, all of it fixed before the first draw."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import factorial, perm, prod

from msgspec.structs import replace

from skirmish.games.plastic.odds.pack import Firer, OddsError, Pack
from skirmish.games.plastic.rules.catalog import DECK, DIE

MOST_FIELDS = 16**3
"""Limit in coefficients (fields) of a weight: enough for three groups of 15."""


class SweepTerms:
    """The shooters in the order in which they are followed, and what makes that faster: which draws
    need not be followed, and how wide the weights must be.

    The parameters are those of ``Sweep``. Raises OddsError where there are too many results.
    """

    def __init__(
        self,
        firers: Sequence[Firer],
        sizes: Sequence[int],
        pack: Pack,
        losses: bool,
        hits_only: bool,
    ) -> None:
        self.sizes = sizes
        self.pack = pack
        self.losses = losses
        self.field_count = _field_count(sizes)
        self.most_draws = most_draws(firers, sizes)
        self.any_tests = any(firer.tests for firer in firers)
        self.hits_only = hits_only and not pack.die
        """Whether misses are not followed where the deck lasts; a die has no deck."""
        self.first_deck_lasts = self.hits_only and self.most_draws <= pack.count
        self.firers = self._simplified(firers)
        self.breaks = self._breaking_draws()
        # A shuffle has at most one second draw, since it has one breakdown card. There may be two
        # where a deck runs out between that card and its second draw, and the card is shuffled in
        # again: then it may come once more.
        self.one_second_draw = pack.queen_aside or not self.breaks or self.most_draws <= pack.count
        self.leaves_out_all_dead = self.hits_only and not self.breaks and len(sizes) == 1
        """Whether weights with all targets dead are dropped. With one group and no losses that is a
        single result, whose chance is what the others leave of 1."""
        self.nobody_is_spared = not any(firer.spared for firer in self.firers)
        self.ways_to_throw = DIE
        """In how many ways a throw may fall; with its second throw, if that matters."""
        if self.breaks:
            self.ways_to_throw = DIE**2
        self.width = self.width_for(self._most_orders())
        """The bits of each coefficient of a weight."""
        self.shift_by_group = self._shifts()
        """How far a kill in each group shifts a weight, in bits."""

    def _simplified(self, firers: Sequence[Firer]) -> Sequence[Firer]:
        """Shooters who are followed faster, with the same chances of kills as these."""
        if self.losses:
            return firers
        if self.first_deck_lasts or self.pack.die:
            # Where no deck runs out, a second draw changes no other draw.
            firers = [replace(firer, tests=0) for firer in firers]
        if self.first_deck_lasts and not any(firer.spared for firer in firers):
            firers = sorted(firers, key=_fastest_order)
        return firers

    def _breaking_draws(self) -> int:
        """The set of second draws that break a weapon, the same for all who test; empty without
        losses."""
        if self.losses:
            for firer in self.firers:
                if firer.tests:
                    return firer.breaks
        return 0

    def width_for(self, orders: int) -> int:
        """Bits enough for any coefficient that counts no more than so many orders."""
        sign_and_reserve = 2
        width = orders.bit_length() + sign_and_reserve
        if self.hits_only:
            # Each miss is two terms, that of any card less that of the hits.
            width += len(self.firers)
        return width

    def _most_orders(self) -> int:
        """At least as many as there are orders of all draws."""
        if self.pack.die:
            return self.orders_of_throws(self.most_draws)
        cards = self.pack.count
        if self.first_deck_lasts:
            return perm(cards, self.most_draws)
        # ``most_draws`` counts one second draw, and there may be one in each shuffle. Of a later
        # deck two cards may not count: the breakdown card that was set aside (P78) and a second
        # draw. Three more: the deck of now, the one that its second draw may begin, and the last,
        # which need not be drawn whole.
        shuffles = (self.most_draws - cards) // (len(DECK) - 2) + 3
        later_draws = max(0, self.most_draws + shuffles - cards)
        return int(factorial(cards) * len(DECK) ** later_draws)

    def orders_of_throws(self, throws: int) -> int:
        """In how many ways so many throws may fall, one after the other."""
        return int(self.ways_to_throw**throws)

    def _shifts(self) -> list[int]:
        """For each group, how far a kill in it shifts a weight, in bits."""
        shifts = []
        fields = 1
        for size in self.sizes:
            shifts.append(self.width * fields)
            # From none to all of a group may be killed, each with a field of its own.
            fields *= size + 1
        return shifts

    def kills_by_group(self, field: int) -> tuple[int, ...]:
        """The kills of each group that a field stands for."""
        kills = []
        for size in self.sizes:
            field, killed = divmod(field, size + 1)
            kills.append(killed)
        return tuple(kills)

    @cached_property
    def half(self) -> int:
        """A weight with half of what fits into each field: added to another weight, it makes all of
        its coefficients positive."""
        highest_bits = [1 << self.width * (field + 1) - 1 for field in range(self.field_count)]
        return sum(highest_bits)


def most_draws(firers: Sequence[Firer], sizes: Sequence[int]) -> int:
    """The most draws that a volley takes: one for each shooter and each kill that lets a shooter
    continue, and one for a breakdown."""
    draws = len(firers)
    for group in {firer.group for firer in firers if firer.repeat}:
        draws += sizes[group]
    if any(firer.tests for firer in firers):
        draws += 1
    return draws


def _fastest_order(firer: Firer) -> tuple[int, ...]:
    """What shooters are sorted by, so that those who are alike fire one after the other: that is
    followed fastest. The order does not change the chances of kills: while the deck lasts, each
    card comes as likely at one draw as at another."""
    return firer.hits.bit_count(), firer.hits, firer.repeat, firer.group


def _field_count(sizes: Sequence[int]) -> int:
    """How many results there are, each a coefficient of a weight. Raises OddsError where these are
    too many to be worked out together."""
    fields = prod(size + 1 for size in sizes)
    # A single group has a field for each man, and is limited by its steps alone (``StepLimit``).
    if len(sizes) > 1 and fields > MOST_FIELDS:
        raise OddsError(
            f"{' by '.join(map(str, sizes))} targets are too many to be worked out together: "
            "ask for each group by itself."
        )
    return fields
