"""The breaches of an army: its broken limits, each with the smallest change that repairs it.

The smallest change is the one of the fewest pieces, and among these of the fewest points, that
makes no other breach. Removing pieces can break only the limit with a minimum (points of guys), and
adding guys only the budget and the limits on their own type. So a repair removes pieces, adds guys,
and removes pieces to pay for those.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

import msgspec

from skirmish.games.plastic.rules.army import MOST_POINTS, Army
from skirmish.games.plastic.rules.catalog import Counts, total_counts
from skirmish.games.plastic.rules.limits import Change, LimitGauge, gauges, purchase_gauges
from skirmish.games.plastic.rules.picks import (
    Offer,
    Pick,
    pieces_to_reach,
    smallest_pick_of,
    smallest_picks,
    sum_of_picks,
)


def breaches(army: Army, added: Sequence[Counts] = ()) -> list[LimitGauge]:
    """The broken limits with their repairs, waived ones included. ``added`` is what the last change
    added to the army, then what the last two added, and so on."""
    measured = gauges(army)
    repairs = Repairs(measured, army, added)
    broken = [gauge for gauge in measured if not gauge.is_met]
    return [msgspec.structs.replace(gauge, repair=repairs.of(gauge)) for gauge in broken]


def repair_words(repair: tuple[Change, ...], army: Army) -> str:
    """A repair as a phrase: ``remove 1 Tank, add 2 Rifle Guys``."""
    pieces = army.catalog.pieces
    lines = []
    for are_added, changes in groupby(repair, key=lambda change: change.change > 0):
        named = [pieces[change.unit].named(abs(change.change)) for change in changes]
        verb = "remove"
        if are_added:
            verb = "add"
        lines.append(f"{verb} {', '.join(named)}")
    return ", ".join(lines)


_WINDOW = 160
"""How far the search for a repair of the budget goes: guys give up to so many points less or more
than they do when the heaviest pieces go first. It is five times the dearest piece, which covers all
the points of guys in a usual army; in an army of thousands a smaller repair outside it is not ruled
out by proof."""


class _PointsRange(NamedTuple):
    """From the fewest points to the most, both included."""

    low: int
    high: int


class Repairs:
    """The repairs of an army. ``measured`` are all its gauges; ``added`` is as in ``breaches``."""

    # ``Limit.bound`` rounds to whole points and pieces, or to half pieces where pieces count half.
    # So ``int`` of a gauge's numbers, and of twice those with halves, cuts nothing off.

    def __init__(self, measured: Sequence[LimitGauge], army: Army, added: Sequence[Counts]) -> None:
        self._army = army
        self._added = added
        self._counts = army.army_list.pieces
        self._guy_gauge = next(gauge for gauge in measured if gauge.limit.is_least)
        """The gauge of the only limit with a minimum: the points of guys."""
        self._room = max(0, army.budget - army.spent)
        """How many points may still be spent."""
        self._slack = int(max(Fraction(0), self._guy_gauge.have - self._guy_gauge.allowed))
        """How many points of guys may be given up."""
        self._dearest_guy = max(army.price(piece) for piece in self._guy_gauge.weights)
        """The points of the dearest guy."""

    def of(self, gauge: LimitGauge) -> tuple[Change, ...]:
        """The repair of a breach; what was added last is removed first. Empty where only an army
        without any piece would be within its points."""
        pick = self._smallest_pick(gauge) or Pick()
        total = total_counts({piece: change} for piece, change in pick.changes)
        if gauge.limit.of == "everything":
            # To remove every piece is no repair.
            pieces_left = sum(self._counts.values()) + sum(total.values())
            if not pieces_left:
                return ()
        return tuple(Change(piece, change) for piece, change in total.items() if change)

    def _smallest_pick(self, gauge: LimitGauge) -> Pick | None:
        """The pick that mends the breach, which may remove every piece; None if there is none. Only
        for a breach of the budget can there be none."""
        if gauge.limit.is_least:
            return self._with_guys_added(Pick(), int(gauge.excess), self._room)
        # Weights are whole numbers here, so halves are counted twice.
        scale = 1
        if gauge.limit.halves:
            scale = 2
        need = int(gauge.excess * scale)
        offers = []
        for piece, weight in gauge.weights.items():
            count = self._counts.get(piece, 0)
            price = self._army.price(piece)
            offers.append(Offer(piece, int(weight * scale), price, available=count))
        # Nearly always the last key pressed was one too many: that is what goes first.
        removed_additions = self._removed_additions(need, offers)
        if removed_additions is not None:
            return removed_additions
        # There is always such a pick: the pieces that exceed a limit weigh at least as much as its
        # excess.
        removed = smallest_picks(need, need, offers)[need] or Pick()
        lost = self._guys_lost(removed)
        if lost <= self._slack:
            return removed
        # So many guys gone would break the minimum of points spent on guys.
        if gauge.limit.of == "everything":
            return self._within_budget(need, offers)
        # A minimum that is not reached has a gauge and a repair of its own. The points of guys
        # lost here are made up for only where this repair alone would break it.
        points_owed = 0
        if self._guy_gauge.is_met:
            points_owed = lost - self._slack
        return self._with_guys_added(removed, points_owed, self._room + lost)

    def _removed_additions(self, need: int, offers: Sequence[Offer]) -> Pick | None:
        """The removal of what was added last, from as few changes as suffice; None if all of them
        do not suffice, or if the guys among it cannot be spared."""
        for added in self._added:
            recent_offers = []
            for offer in offers:
                available = min(offer.available, added.get(offer.piece, 0))
                recent_offers.append(offer._replace(available=available))
            removed = smallest_picks(need, need, recent_offers)[need]
            if removed is None:
                continue
            # Guys given up beyond the slack would break their minimum instead. Then the whole army
            # is searched, as if nothing had been added last.
            if self._guys_lost(removed) > self._slack:
                return None
            return removed
        return None

    def _within_budget(self, need: int, offers: Sequence[Offer]) -> Pick | None:
        """A pick that removes the points needed. Guys give only what their minimum can spare, and
        more only in exchange for cheaper guys."""
        low, high = self._given_by_guys(need, offers)
        guy_offers, model_offers = [], []
        for offer in offers:
            if offer.piece in self._guy_gauge.weights:
                guy_offers.append(offer)
            else:
                model_offers.append(offer)
        guys_out = smallest_picks(low, high + self._dearest_guy, guy_offers, exactly=True)
        guys_in = smallest_picks(0, self._dearest_guy, self._addable_guys(), exactly=True)
        models_out = smallest_picks(need - high, need - low, model_offers)
        # All ways to divide the points needed: the guys give some of them, and the models the rest.
        # If cheaper guys come in exchange, guys for the points of these go as well. A way for which
        # there are no such pieces is None.
        divisions = []
        for exchanged, cheaper_guys in guys_in.items():
            for given in range(low, high + 1):
                models, guys = models_out[need - given], guys_out[given + exchanged]
                divisions.append(sum_of_picks(models, cheaper_guys, guys))
        return smallest_pick_of(divisions)

    def _given_by_guys(self, need: int, offers: Iterable[Offer]) -> _PointsRange:
        """The range of points that guys give in a repair of the budget: around those given if the
        heaviest pieces go first."""
        given, still_needed = 0, need
        for offer in sorted(offers, key=lambda offer: -offer.weight):
            count = 0
            if still_needed > 0 and offer.weight:
                count = min(offer.available, pieces_to_reach(still_needed, offer.weight))
            if offer.piece in self._guy_gauge.weights:
                count = min(count, (self._slack - given) // offer.weight)
                given += count * offer.weight
            still_needed -= count * offer.weight
        return _PointsRange(max(0, given - _WINDOW), min(self._slack, given + _WINDOW))

    def _with_guys_added(self, removed: Pick, points_owed: int, room: int) -> Pick:
        """What is ``removed``, plus guys for at least the ``points_owed``; removes more if the
        budget has no ``room``."""
        if points_owed <= 0:
            return removed
        # What goes does not come back, and what comes does not go.
        gone = dict(removed.changes)
        # Pieces other than guys, which pay for guys where there is no room.
        paying = []
        for piece, count in self._counts.items():
            if piece not in self._guy_gauge.weights and piece not in gone:
                price = self._army.price(piece)
                paying.append(Offer(piece, weight=price, price=price, available=count))
        addable = [offer for offer in self._addable_guys() if offer.piece not in gone]
        # A pick that is a whole guy above the points owed would be smaller without that guy. For
        # each number of points below that, guys for just so many are added, and pieces that pay
        # for what exceeds the room are removed.
        high = points_owed + self._dearest_guy - 1
        added = smallest_picks(points_owed, high, addable, exactly=True)
        paid = smallest_picks(points_owed - room, high - room, paying)
        ways = [sum_of_picks(removed, pick, paid[points - room]) for points, pick in added.items()]
        # Where no guys can be added, the breach itself is mended all the same.
        return smallest_pick_of(ways) or removed

    def _addable_guys(self) -> list[Offer]:
        """The guys that can be added within the limits on their own type."""
        own_limits = []
        for gauge in purchase_gauges(self._army):
            if gauge.limit.of not in ("everything", "guys"):
                own_limits.append(gauge)
        offers = []
        for piece in self._guy_gauge.weights:
            # Such guys cannot be bought.
            if self._army.catalog.units[piece].source == "scenario":
                continue
            # Without a limit of its own: as many as any army can buy at a point each. The bonus
            # for lesser troops at most doubles the points.
            available = MOST_POINTS * 2
            for gauge in own_limits:
                room = gauge.room(piece)
                if room is not None:
                    available = min(available, room)
            price = self._army.price(piece)
            offers.append(Offer(piece, weight=price, price=price, available=available, sign=1))
        return offers

    def _guys_lost(self, removed: Pick) -> int:
        """The points of guys that a pick removes."""
        lost = 0
        for piece, change in removed.changes:
            if piece in self._guy_gauge.weights:
                lost -= self._army.price(piece) * change
        return lost
