"""The purchase limits of an army: the gauge of each limit, and the smallest change that repairs a
breach.

Smallest is: fewest pieces, then fewest points, and no other breach. Removing pieces can break only
the limit with a minimum (points of guys), and adding guys only the budget and the limits on their
own type; so a repair removes pieces, adds guys, and removes pieces to pay for those.

P47 and the like are rulings on gaps in the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Literal, NamedTuple

import msgspec

from skirmish.games.plastic.rules.army import MOST_POINTS, Army
from skirmish.games.plastic.rules.catalog import (
    Catalog,
    Counts,
    Limit,
    UnitType,
    plural,
    together,
)

LimitState = Literal["met", "waived", "to_do", "broken"]
"""``to_do``: a minimum is not reached yet, and the points for it are available."""


class Change(msgspec.Struct, frozen=True):
    """Pieces bought (a positive ``change``) or given up."""

    unit: str
    change: int


class LimitGauge(msgspec.Struct, frozen=True):
    """What an army has of what one limit allows, in points or pieces."""

    army: Army
    limit: Limit
    unit: str | None
    """The type of unit, if the limit applies to each type by itself."""
    have: Fraction
    allowed: Fraction
    weights: dict[str, Fraction]
    """How much each piece weighs against the limit."""
    points: int
    """The points of the army by which the limit is reckoned (P47)."""
    repair: tuple[Change, ...] = ()
    """Changes that would keep the limit, in a gauge of ``breaches``; none: only removing the whole
    army would do."""

    @property
    def met(self) -> bool:
        """Whether the army keeps the limit."""
        if self.limit.is_least:
            return self.have >= self.allowed
        return self.have <= self.allowed

    @property
    def excess(self) -> Fraction:
        """How much the limit is broken by, in either direction."""
        if self.met:
            return Fraction(0)
        return abs(self.have - self.allowed)

    @property
    def override(self) -> str | None:
        """The reason for waiving the limit, if it is waived."""
        return self.army.army_list.overrides.get(self.limit.id)

    @property
    def is_waived(self) -> bool:
        """Whether the players agreed to waive the limit; the reason may be empty."""
        return self.override is not None

    @property
    def state(self) -> LimitState:
        """How it stands with the limit, as a player is told."""
        if self.met:
            return "met"
        if self.is_waived:
            return "waived"
        affordable = self.excess <= self.army.budget - self.army.spent
        if self.limit.is_least and affordable:
            return "to_do"
        return "broken"

    @property
    def label(self) -> str:
        """Its title, or the piece that it watches if it watches each by itself."""
        # The title of a limit on a single piece names it already.
        if self.unit is None or self.limit.units == (self.unit,):
            return self.limit.title
        piece = self.army.catalog.pieces[self.unit]
        if isinstance(piece, UnitType):
            return piece.short
        return piece.name

    @property
    def message(self) -> str:
        """The breach as a sentence."""
        who = self.limit.title.lower()
        if self.unit:
            who = plural(self.army.catalog.pieces[self.unit].name)
        return self.limit.broken.format(
            who=who,
            have=whole_or_half(self.have),
            allowed=whole_or_half(self.allowed),
            by=whole_or_half(self.excess),
            points=self.points,
            owners=self.owners,
        )

    @property
    def owners(self) -> str:
        """``Germans``, who are exempt from the limit."""
        nations = self.army.catalog.nations
        return " and ".join(nations[name].people for name in self.limit.not_for)

    def room(self, piece: str) -> int | None:
        """How many more of ``piece`` fit, or None if the limit does not count it."""
        weight = self.weights.get(piece)
        if not weight or self.limit.is_least:
            return None
        return max(0, (self.allowed - self.have) // weight)


def gauges(army: Army) -> list[LimitGauge]:
    """All limits that apply, in the order of the data; a limit on each type gives a gauge for each
    type in the army."""
    usual_basis = army.army_list.points
    if army.rulings["P47"] == "with_bonus":
        usual_basis = army.budget
    nation = army.army_list.nation
    measured = []
    # Some limits hold only where nations are played, and not for each of them.
    for limit in army.catalog.limits:
        if (limit.only_with_nations and nation is None) or nation in limit.not_for:
            continue
        basis = usual_basis
        if limit.with_bonus:
            basis = army.budget
        allowed = limit.bound(basis, army.rulings["P79"])
        for unit, pieces in _watched(limit, army):
            weights = pieces
            if limit.measure == "points":
                weights = {piece: Fraction(army.price(piece)) for piece in pieces}
            have = Fraction(0)
            for piece, weight in weights.items():
                have += army.army_list.count(piece) * weight
            measured.append(LimitGauge(army, limit, unit, have, allowed, weights, basis))
    return measured


class _Watched(NamedTuple):
    """What a gauge counts: the type if it watches one by itself, else None; and the weights of the
    pieces that are counted together."""

    unit: str | None
    weights: dict[str, Fraction]


def _watched(limit: Limit, army: Army) -> Iterator[_Watched]:
    """What each gauge of a limit counts."""
    catalog, as_one = army.catalog, Fraction(1)
    if limit.of == "everything":
        yield _Watched(None, dict.fromkeys(catalog.pieces, as_one))
    elif limit.of == "guys":
        guys = {unit.id: as_one for unit in catalog.units.values() if unit.is_guy}
        yield _Watched(None, guys)
    elif limit.of == "units":
        weights = dict.fromkeys(limit.units, as_one)
        for condition in limit.also:
            if condition.holds(army.rulings):
                weights |= dict.fromkeys(condition.units, as_one)
        # Small pillboxes: two count as one.
        weights |= dict.fromkeys(limit.halves, Fraction(1, 2))
        yield _Watched(None, weights)
    else:
        for piece in _each_watched(limit, catalog):
            if army.army_list.count(piece):
                yield _Watched(piece, {piece: as_one})


def _each_watched(limit: Limit, catalog: Catalog) -> list[str]:
    """The pieces that a limit watches each by itself, in catalog order."""
    if limit.of == "each":
        return [piece for piece in catalog.pieces if piece in limit.units]
    guys = [unit.id for unit in catalog.units.values() if unit.is_guy]
    return [guy for guy in guys if guy not in limit.without]


def further(army: Army) -> list[LimitGauge]:
    """All limits that another piece can break. To include limits on each type for all types, the
    army is measured with one more of everything, which is then subtracted."""
    catalog, army_list = army.catalog, army.army_list
    one_more = msgspec.structs.replace(
        army_list,
        units={unit: army_list.count(unit) + 1 for unit in catalog.units},
        works={work: army_list.count(work) + 1 for work in catalog.works},
    )
    breakable = []
    for gauge in gauges(msgspec.structs.replace(army, army_list=one_more)):
        if not gauge.limit.is_least:
            have = gauge.have - sum(gauge.weights.values())
            breakable.append(msgspec.structs.replace(gauge, have=have))
    return breakable


def is_legal(army: Army) -> bool:
    """Whether each limit is met, or waived on purpose."""
    return all(gauge.met or gauge.is_waived for gauge in gauges(army))


def not_waived(broken: Iterable[LimitGauge]) -> list[LimitGauge]:
    """The broken limits that are not waived."""
    return [gauge for gauge in broken if not gauge.is_waived]


def whole_or_half(value: Fraction) -> str:
    """``4``, ``4.5``"""
    if value.denominator > 1:
        return f"{float(value):g}"
    return str(value)


def repair_words(repair: tuple[Change, ...], army: Army) -> str:
    """``remove 1 Tank, add 2 Rifle Guys``"""
    pieces = army.catalog.pieces
    lines = []
    for added, changes in groupby(repair, key=lambda change: change.change > 0):
        named = [pieces[change.unit].named(abs(change.change)) for change in changes]
        verb = "remove"
        if added:
            verb = "add"
        lines.append(f"{verb} {', '.join(named)}")
    return ", ".join(lines)


# ------------------------------------------------------------------ repairs


def breaches(army: Army, added: Sequence[Counts] = ()) -> list[LimitGauge]:
    """The broken limits with their repairs, waived ones included. ``added`` lists what was added
    since the last change, since the last two, and so on."""
    measured = gauges(army)
    repairs = Repairs(measured, army, added)
    return [
        msgspec.structs.replace(gauge, repair=repairs.of(gauge))
        for gauge in measured
        if not gauge.met
    ]


class Offer(NamedTuple):
    """Pieces that can be removed or added."""

    piece: str
    weight: int
    """What one piece weighs in the limit."""
    price: int
    """The points of one piece."""
    available: int
    """How many can be taken."""
    sign: Literal[-1, 1] = -1
    """-1 if they are removed, 1 if they are added."""


class Pick(NamedTuple):
    """What is removed and added: how many ``pieces`` and ``points`` change hands, and the changes
    of each piece. Fewer pieces are better, then fewer points."""

    pieces: int = 0
    points: int = 0
    changes: tuple[tuple[str, int], ...] = ()

    @property
    def size(self) -> tuple[int, int]:
        """What picks are compared by: pieces, then points."""
        return self.pieces, self.points

    def more(self, offer: Offer, count: int) -> Pick:
        """The pick with ``count`` of an offer besides."""
        changes = ((offer.piece, offer.sign * count), *self.changes)
        return Pick(self.pieces + count, self.points + offer.price * count, changes)


FAR, SPARE = 256, 10
"""The search costs time for each point of the goal. So of a goal of thousands only the last ``FAR``
are searched; up to there the heaviest pieces are taken, since they reach it with the fewest pieces.
``SPARE`` of each kind stay for the search, which needs a choice to end at the best weight. In
armies of thousands a smaller pick is not ruled out by proof."""


def smallest_picks(
    low: int, high: int, offers: Sequence[Offer], *, exactly: bool = False
) -> dict[int, Pick | None]:
    """For each goal from ``low`` to ``high``, the smallest pick that weighs at least as much (or
    exactly, with ``exactly``): a knapsack over integer weights, filled from goal to goal. None
    where all that is offered does not reach the goal."""
    weighing = [offer for offer in offers if offer.weight > 0]
    taken, left = _taken_unsearched(low - FAR, weighing)
    weight_taken = 0
    for offer in weighing:
        weight_taken += offer.weight * (offer.available - left[offer.piece])
    highest = max(0, high - weight_taken)
    # The best pick for each goal beyond the weight taken; as yet only for nothing beyond it.
    best: list[Pick | None] = [taken, *[None] * highest]
    for offer in weighing:
        # More pieces than reach the highest goal alone are never needed.
        useful = min(left[offer.piece], _pieces_to_reach(highest, offer.weight))
        for count in _bundles(useful):
            _improve(best, offer, count, exactly=exactly)
    return {goal: best[max(0, goal - weight_taken)] for goal in range(low, high + 1)}


def _pieces_to_reach(goal: int, weight: int) -> int:
    """How many pieces of this weight reach a goal: rounded up."""
    return -(-goal // weight)


class _TakenUnsearched(NamedTuple):
    """The heaviest pieces, taken without a search, and how many are left of each piece."""

    pick: Pick
    left: dict[str, int]


def _taken_unsearched(goal: int, offers: Sequence[Offer]) -> _TakenUnsearched:
    """The pieces that are taken without a search for a goal ``FAR`` short of the lowest one."""
    pick, still_needed = Pick(), goal
    left = {offer.piece: offer.available for offer in offers}
    for offer in sorted(offers, key=lambda offer: (-offer.weight, offer.price)):
        count = max(0, min(offer.available, still_needed // offer.weight))
        # So many would do; of these the spare ones are left to the search, which reaches the same
        # weight with them or with what is better.
        still_needed -= offer.weight * count
        taken = max(0, count - SPARE)
        pick = pick.more(offer, taken)
        left[offer.piece] -= taken
        if count < offer.available:
            break
    return _TakenUnsearched(pick, left)


def _improve(best: list[Pick | None], offer: Offer, count: int, *, exactly: bool) -> None:
    """Where ``count`` of an offer more make a smaller pick, that is the best one. Goals are met
    from the highest down, so that no bundle is taken twice."""
    bundle_weight, bundle_points = offer.weight * count, offer.price * count
    # A bundle may weigh more than a goal of "at least" needs, but not more than an exact one.
    lowest = 1
    if exactly:
        lowest = bundle_weight
    for goal in range(len(best) - 1, lowest - 1, -1):
        rest = best[max(0, goal - bundle_weight)]
        if rest is None:
            continue
        size = rest.pieces + count, rest.points + bundle_points
        best_so_far = best[goal]
        # The changes are joined only for a pick that is the best: this is the innermost loop.
        if best_so_far is None or size < best_so_far.size:
            best[goal] = rest.more(offer, count)


def _bundles(count: int) -> Iterator[int]:
    """Pieces in bundles of 1, 2, 4, …, which can be combined into any smaller number."""
    size = 1
    while count > 0:
        yield min(size, count)
        count -= size
        size *= 2


def _sum(*picks: Pick | None) -> Pick | None:
    """The union of all picks; None if one is None."""
    pieces = points = 0
    changes: list[tuple[str, int]] = []
    for pick in picks:
        if pick is None:
            return None
        pieces += pick.pieces
        points += pick.points
        changes += pick.changes
    return Pick(pieces, points, tuple(changes))


def _smallest(picks: Iterable[Pick | None]) -> Pick | None:
    """The first of the smallest; None if there is none."""
    possible = [pick for pick in picks if pick is not None]
    return min(possible, key=lambda pick: pick.size, default=None)


_AROUND = 160
"""The search window for a repair of the budget, around the points that guys give when the heaviest
pieces go first: five times the dearest piece. This covers all the points of guys in a usual army;
in an army of thousands a smaller repair outside it is not ruled out by proof."""


class _PointsRange(NamedTuple):
    """From the fewest points to the most, both included."""

    low: int
    high: int


class Repairs:
    """The repairs of an army. ``measured`` are all its gauges; ``added`` as in `breaches`."""

    # What `Limit.bound` allows is rounded to whole points and pieces, or to half pieces where
    # pieces count a half: `int` of a gauge's numbers (then times two) cuts nothing off.

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
        """The repair of a gauge; the last additions are removed first. Empty where only an army
        without any piece would be within its points."""
        pick = self._smallest_pick(gauge) or Pick()
        total = together({piece: change} for piece, change in pick.changes)
        if gauge.limit.of == "everything":
            pieces_left = sum(self._counts.values()) + sum(total.values())
            if not pieces_left:
                return ()
        return tuple(Change(piece, change) for piece, change in total.items() if change)

    def _smallest_pick(self, gauge: LimitGauge) -> Pick | None:
        """The pick that mends the breach; None if only removing everything would."""
        if gauge.limit.is_least:
            return self._guys_in(Pick(), int(gauge.excess), self._room)
        # Weights are whole numbers here, so halves are counted twice.
        scale = 1
        if gauge.limit.halves:
            scale = 2
        need = int(gauge.excess * scale)
        offers = []
        for piece, weight in gauge.weights.items():
            count = self._counts.get(piece, 0)
            offers.append(Offer(piece, int(weight * scale), self._army.price(piece), count))
        # Nearly always the last key pressed was one too many: that is what goes first.
        taken_back = self._taken_back(need, offers)
        if taken_back:
            return taken_back
        # There is always such a pick: whatever exceeds the limit weighs at least as much as its
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
        if self._guy_gauge.met:
            points_owed = lost - self._slack
        return self._guys_in(removed, points_owed, self._room + lost)

    def _taken_back(self, need: int, offers: Sequence[Offer]) -> Pick | None:
        """The last additions, as many changes back as needed; None if guys cannot be spared."""
        for added in self._added:
            late = [
                offer._replace(available=min(offer.available, added.get(offer.piece, 0)))
                for offer in offers
            ]
            removed = smallest_picks(need, need, late)[need]
            if removed is None:
                continue
            # Guys given up beyond the slack would break their minimum instead. Then the whole army
            # is searched, as if nothing had been added last.
            if self._guys_lost(removed) > self._slack:
                return None
            return removed
        return None

    def _within_budget(self, need: int, offers: Sequence[Offer]) -> Pick | None:
        """Removes points; guys give only their slack, and more only in exchange for cheaper
        guys."""
        low, high = self._given_by_guys(need, offers)
        guys, models = [], []
        for offer in offers:
            if offer.piece in self._guy_gauge.weights:
                guys.append(offer)
            else:
                models.append(offer)
        guys_out = smallest_picks(low, high + self._dearest_guy, guys, exactly=True)
        guys_in = smallest_picks(0, self._dearest_guy, self._addable(), exactly=True)
        models_out = smallest_picks(need - high, need - low, models)
        # Every division of the points needed: the guys give ``net`` points, and the models the
        # rest. Guys for ``back`` points come in exchange, so that guys for as much more go.
        ways = []
        for back, cheaper_guys in guys_in.items():
            for net in range(low, high + 1):
                ways.append(_sum(models_out[need - net], cheaper_guys, guys_out[net + back]))
        return _smallest(ways)

    def _given_by_guys(self, need: int, offers: Iterable[Offer]) -> _PointsRange:
        """The range of points that guys give in a repair of the budget: around those given if the
        heaviest pieces go first."""
        given, still_needed = 0, need
        for offer in sorted(offers, key=lambda offer: -offer.weight):
            count = 0
            if still_needed > 0 and offer.weight:
                count = min(offer.available, _pieces_to_reach(still_needed, offer.weight))
            if offer.piece in self._guy_gauge.weights:
                count = min(count, (self._slack - given) // offer.weight)
                given += count * offer.weight
            still_needed -= count * offer.weight
        return _PointsRange(max(0, given - _AROUND), min(self._slack, given + _AROUND))

    def _guys_in(self, removed: Pick, points_owed: int, room: int) -> Pick | None:
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
                paying.append(Offer(piece, price, price, count))
        addable = [offer for offer in self._addable() if offer.piece not in gone]
        # A pick with a whole guy to spare would be smaller without that guy. Of each number of
        # points in between, guys for just so many are added, and what is beyond the room is paid.
        high = points_owed + self._dearest_guy - 1
        added = smallest_picks(points_owed, high, addable, exactly=True)
        paid = smallest_picks(points_owed - room, high - room, paying)
        ways = [_sum(removed, pick, paid[points - room]) for points, pick in added.items()]
        # Where no guys can be added, the breach itself is mended all the same.
        return _smallest(ways) or removed

    def _addable(self) -> list[Offer]:
        """The guys that can be added within the limits on their own type."""
        own_limits = []
        for gauge in further(self._army):
            if gauge.limit.of not in ("everything", "guys"):
                own_limits.append(gauge)
        offers = []
        for piece in self._guy_gauge.weights:
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
            offers.append(Offer(piece, price, price, available, sign=1))
        return offers

    def _guys_lost(self, removed: Pick) -> int:
        """The points of guys that a pick removes."""
        lost = 0
        for piece, change in removed.changes:
            if piece in self._guy_gauge.weights:
                lost -= self._army.price(piece) * change
        return lost
