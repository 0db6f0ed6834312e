"""How far each purchase limit is used: one gauge for each thing that a limit watches."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import msgspec

from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.limits import Limit


class Gauge(msgspec.Struct, frozen=True, kw_only=True):
    """One limit as it stands: ``have`` against ``allowed``, in points or pieces.

    ``unit`` is set where a limit watches one type at a time. ``weights`` tells what one of each
    piece adds to ``have``; ``points`` are those of the army that the limit goes by (P47).
    """

    limit: Limit
    unit: str | None
    have: Fraction
    allowed: Fraction
    weights: dict[str, Fraction]
    points: int

    @property
    def kept(self) -> bool:
        """Whether the army keeps to it."""
        return self.have >= self.allowed if self.limit.is_least else self.have <= self.allowed

    def room(self, piece: str) -> int | None:
        """How many more of ``piece`` fit, or None where this limit does not count it."""
        weight = self.weights.get(piece)
        if not weight or self.limit.is_least:
            return None
        return max(0, (self.allowed - self.have) // weight)


def gauges(army: Army) -> list[Gauge]:
    """Every limit that applies, in the order of the data; a limit that watches one type at a time
    gives a gauge for each type that the army has."""
    points = army.budget if army.rulings["P47"] == "with_bonus" else army.listed.points
    found = []
    for limit in army.catalog.limits:
        if limit.only_with_nations and army.nation is None:
            continue
        if army.nation and army.nation.id in limit.not_for:
            continue
        by = army.budget if limit.with_bonus else points
        bound = limit.bound(by, army.rulings["P79"])
        for unit, pieces in _watched(limit, army):
            weights = {
                piece: Fraction(army.price(piece)) if limit.measure == "points" else share
                for piece, share in pieces.items()
            }
            have = sum((army.listed.count(p) * w for p, w in weights.items()), Fraction(0))
            found.append(
                Gauge(limit=limit, unit=unit, have=have, allowed=bound, weights=weights, points=by)
            )
    return found


def _watched(limit: Limit, army: Army) -> Iterator[tuple[str | None, dict[str, Fraction]]]:
    """The pieces that a limit weighs together, with the share at which each counts."""
    one = Fraction(1)
    if limit.of == "everything":
        everything = (*army.catalog.units, *army.catalog.works)
        yield None, dict.fromkeys(everything, one)
    elif limit.of == "guys":
        yield None, {u.id: one for u in army.catalog.units.values() if u.is_guy}
    elif limit.of == "each_guy_type":
        for unit, _ in army.bought():
            if unit.is_guy and unit.id not in limit.without:
                yield unit.id, {unit.id: one}
    elif limit.of == "each":
        for piece in (*army.catalog.units, *army.catalog.works):
            if piece in limit.units and army.listed.count(piece):
                yield piece, {piece: one}
    else:
        listed = [*limit.units]
        for also in limit.also:
            if army.rulings[also.ruling] == also.answer:
                listed.extend(also.units)
        yield None, dict.fromkeys(listed, one) | dict.fromkeys(limit.halves, Fraction(1, 2))
