"""The purchase limits of an army: how much of what each limit allows the army has. P47 and the like
are rulings on gaps in the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Literal, NamedTuple

import msgspec

from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.catalog import Catalog, Limit, UnitType, plural

LimitState = Literal["met", "waived", "to_do", "broken"]
"""``to_do``: a minimum is not reached yet, and the points for it are available."""


class Change(msgspec.Struct, frozen=True):
    """How many of a unit or work are bought (a positive ``change``) or given up. The names of the
    fields are also those of the exported data."""

    unit: str
    change: int


class LimitGauge(msgspec.Struct, frozen=True):
    """What an army has of what one limit allows or demands, in points or pieces."""

    army: Army
    limit: Limit
    piece: str | None
    """The id of the piece that it is about, if the limit holds for each type by itself; else
    None."""
    have: Fraction
    allowed: Fraction
    """What the limit allows or, where ``limit.is_least``, demands."""
    weights: dict[str, Fraction]
    """How much one of each piece counts."""
    points: int
    """The points of the army by which the limit is reckoned (P47)."""
    repair: tuple[Change, ...] = ()
    """The changes that repair a breach, where ``breaches`` looked for them; none: only removing the
    whole army would do."""

    @property
    def is_met(self) -> bool:
        """Whether the army keeps the limit."""
        if self.limit.is_least:
            return self.have >= self.allowed
        return self.have <= self.allowed

    @property
    def excess(self) -> Fraction:
        """How much the limit is broken by, in either direction."""
        if self.is_met:
            return Fraction(0)
        return abs(self.have - self.allowed)

    @property
    def override(self) -> str | None:
        """The reason for waiving the limit, which may be empty; None: it is not waived."""
        return self.army.army_list.overrides.get(self.limit.id)

    @property
    def is_waived(self) -> bool:
        """Whether the players agreed to waive the limit."""
        return self.override is not None

    @property
    def state(self) -> LimitState:
        """How the army stands with the limit."""
        if self.is_met:
            return "met"
        if self.is_waived:
            return "waived"
        affordable = self.excess <= self.army.budget - self.army.spent
        if self.limit.is_least and affordable:
            return "to_do"
        return "broken"

    @property
    def label(self) -> str:
        """The title of the limit, or the piece that it is about."""
        # The title of a limit on a single piece names that piece already.
        if self.piece is None or self.limit.units == (self.piece,):
            return self.limit.title
        piece = self.army.catalog.pieces[self.piece]
        if isinstance(piece, UnitType):
            return piece.short
        return piece.name

    @property
    def message(self) -> str:
        """The breach as a sentence."""
        who = self.limit.title.lower()
        if self.piece is not None:
            who = plural(self.army.catalog.pieces[self.piece].name)
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
        """Who is exempt from the limit: ``Germans``."""
        nations = self.army.catalog.nations
        return " and ".join(nations[name].people for name in self.limit.not_for)

    def room(self, piece: str) -> int | None:
        """How many more of ``piece`` fit; None if the limit sets no bound to it."""
        weight = self.weights.get(piece)
        if not weight or self.limit.is_least:
            return None
        return max(0, (self.allowed - self.have) // weight)


def gauges(army: Army) -> list[LimitGauge]:
    """The gauges of all limits that hold for the army, in the order of the data; a limit on each
    type gives a gauge for each type in the army."""
    measured: list[LimitGauge] = []
    for limit in army.catalog.limits:
        if _holds_for(limit, army):
            measured += _gauges_of(limit, army)
    return measured


def _holds_for(limit: Limit, army: Army) -> bool:
    """Whether a limit holds for the army: some do only where nations are played, or not for all of
    them."""
    nation = army.army_list.nation
    if nation is None:
        return not limit.only_with_nations
    return nation not in limit.not_for


def _gauges_of(limit: Limit, army: Army) -> Iterator[LimitGauge]:
    """The gauges of one limit."""
    # P47 decides whether the bonus for force quality is included, unless the limit itself says so.
    points = army.army_list.points
    if limit.with_bonus or army.rulings["P47"] == "with_bonus":
        points = army.budget
    allowed = limit.bound(points, army.rulings["P79"])
    for counted in _counted_pieces(limit, army):
        weights = counted.weights
        if limit.measure == "points":
            weights = {piece: Fraction(army.price(piece)) for piece in weights}
        have = Fraction(0)
        for piece, weight in weights.items():
            have += army.army_list.count(piece) * weight
        yield LimitGauge(
            army=army,
            limit=limit,
            piece=counted.only_piece,
            have=have,
            allowed=allowed,
            weights=weights,
            points=points,
        )


class _CountedPieces(NamedTuple):
    """The pieces that a gauge counts together, each as one piece or as half of one. If the limit
    holds for each type by itself, there is an ``only_piece``; else that is None."""

    only_piece: str | None
    weights: dict[str, Fraction]


def _counted_pieces(limit: Limit, army: Army) -> Iterator[_CountedPieces]:
    """What each gauge of a limit counts."""
    catalog, as_one = army.catalog, Fraction(1)
    if limit.of == "everything":
        yield _CountedPieces(None, dict.fromkeys(catalog.pieces, as_one))
    elif limit.of == "guys":
        guys = {unit.id: as_one for unit in catalog.units.values() if unit.is_guy}
        yield _CountedPieces(None, guys)
    elif limit.of == "units":
        weights = dict.fromkeys(limit.units, as_one)
        for condition in limit.also:
            if condition.holds(army.rulings):
                weights |= dict.fromkeys(condition.units, as_one)
        # Small pillboxes: two count as one.
        weights |= dict.fromkeys(limit.halves, Fraction(1, 2))
        yield _CountedPieces(None, weights)
    else:
        for piece in _pieces_limited_singly(limit, catalog):
            if army.army_list.count(piece):
                yield _CountedPieces(piece, {piece: as_one})


def _pieces_limited_singly(limit: Limit, catalog: Catalog) -> list[str]:
    """The pieces for each of which a limit holds by itself, in catalog order: those that it names
    or else all guys, except some."""
    if limit.of == "each":
        return [piece for piece in catalog.pieces if piece in limit.units]
    guys = [unit.id for unit in catalog.units.values() if unit.is_guy]
    return [guy for guy in guys if guy not in limit.without]


def purchase_gauges(army: Army) -> list[LimitGauge]:
    """The gauges of all limits that buying another piece can break, those of types that the army
    does not have yet included."""
    # Limits on each type have gauges only for the types that an army has. So the army is measured
    # with one more of everything, which is then subtracted.
    catalog, army_list = army.catalog, army.army_list
    one_more = msgspec.structs.replace(
        army_list,
        units={unit: army_list.count(unit) + 1 for unit in catalog.units},
        works={work: army_list.count(work) + 1 for work in catalog.works},
    )
    breakable = []
    for gauge in gauges(msgspec.structs.replace(army, army_list=one_more)):
        if not gauge.limit.is_least:
            weight_of_one_each = sum(gauge.weights.values())
            have = gauge.have - weight_of_one_each
            breakable.append(msgspec.structs.replace(gauge, have=have))
    return breakable


def is_legal(army: Army) -> bool:
    """Whether each limit is met, or waived on purpose."""
    return all(gauge.is_met or gauge.is_waived for gauge in gauges(army))


def not_waived(measured: Iterable[LimitGauge]) -> list[LimitGauge]:
    """The gauges of limits that are not waived."""
    return [gauge for gauge in measured if not gauge.is_waived]


def whole_or_half(value: Fraction) -> str:
    """``4``, ``4.5``"""
    if value.denominator > 1:
        return f"{float(value):g}"
    return str(value)
