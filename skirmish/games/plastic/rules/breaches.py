"""Every purchase limit against one army: how far it is used, and every breach with its repair."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import msgspec

from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.catalog import plural
from skirmish.games.plastic.rules.limits import Limit
from skirmish.games.plastic.rules.repair import Change, Offer, fewest


class Gauge(msgspec.Struct, frozen=True, kw_only=True):
    """One limit as it stands: ``have`` against ``allowed``, in points or pieces.

    ``unit`` is set where a limit watches one type at a time. ``weights`` tells what one of each
    piece adds to ``have``.
    """

    limit: Limit
    unit: str | None
    have: Fraction
    allowed: Fraction
    weights: dict[str, Fraction]

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


class Breach(msgspec.Struct, frozen=True, kw_only=True):
    """A broken limit, as a sentence, with the smallest repair. ``override`` is the reason for
    which the table lets it stand, if it does."""

    limit: str
    unit: str | None
    have: Fraction
    allowed: Fraction
    message: str
    repair: tuple[Change, ...]
    override: str | None = None


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
        bound = limit.bound(army.budget if limit.with_bonus else points, army.rulings["P79"])
        for unit, pieces in _watched(limit, army):
            weights = {
                piece: Fraction(army.price(piece)) if limit.measure == "points" else share
                for piece, share in pieces.items()
            }
            have = sum((army.listed.count(p) * w for p, w in weights.items()), Fraction(0))
            found.append(Gauge(limit=limit, unit=unit, have=have, allowed=bound, weights=weights))
    return found


def breaches(army: Army) -> list[Breach]:
    """Every broken limit, overridden ones included (their ``override`` says why)."""
    standing = gauges(army)
    return [
        Breach(
            limit=gauge.limit.id,
            unit=gauge.unit,
            have=gauge.have,
            allowed=gauge.allowed,
            message=_message(gauge, army),
            repair=_repair(gauge, standing, army),
            override=army.listed.overrides.get(gauge.limit.id),
        )
        for gauge in standing
        if not gauge.kept
    ]


def is_legal(army: Army) -> bool:
    """Whether no limit is broken but those that the table overrides on purpose."""
    return all(breach.override is not None for breach in breaches(army))


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


def _repair(gauge: Gauge, standing: list[Gauge], army: Army) -> tuple[Change, ...]:
    """The fewest pieces, then the fewest points, that mend this breach and cause no other.

    Taking pieces out can only break the one limit that asks for a least (guys), and adding guys
    can only break the budget and their own type's share, so three cases cover everything.
    """
    guys = next(g for g in standing if g.limit.is_least)
    slack = int(max(Fraction(0), guys.have - guys.allowed))
    if gauge.limit.is_least:
        return _add_guys(int(gauge.allowed - gauge.have), _room(standing), standing, army)
    scale = 2 if gauge.limit.halves else 1
    need = int((gauge.have - gauge.allowed) * scale)
    offers = [
        Offer(piece, int(weight * scale), army.price(piece), army.listed.count(piece))
        for piece, weight in gauge.weights.items()
    ]
    soft = [offer for offer in offers if offer.piece in guys.weights]
    hard = [offer for offer in offers if offer.piece not in guys.weights]
    if soft and hard:  # the budget: points of guys may go only as far as the third allows
        useful = need + max(offer.price for offer in soft)
        return fewest(need, hard, soft, min(slack, useful))
    taken = fewest(need, offers)
    gone = sum(-c.change * army.price(c.unit) for c in taken if c.unit in guys.weights)
    if guys.kept and gone > slack:
        short = gone - slack
        room = _room(standing) + gone
        return taken + _add_guys(short, room, standing, army, without=taken)
    return taken


def _room(standing: list[Gauge]) -> int:
    budget = next(g for g in standing if g.limit.of == "everything")
    return int(max(Fraction(0), budget.allowed - budget.have))


def _add_guys(
    short: int,
    room: int,
    standing: list[Gauge],
    army: Army,
    without: tuple[Change, ...] = (),
) -> tuple[Change, ...]:
    """Guys for at least ``short`` points, and models out where the budget has no ``room``."""
    guys = next(g for g in standing if g.limit.is_least)
    offers = []
    for piece in guys.weights:
        if army.catalog.units[piece].shelf == "scenario" or any(c.unit == piece for c in without):
            continue
        grown = gauges(
            msgspec.structs.replace(
                army, listed=army.listed.changed(piece, army.listed.count(piece) + 1, army.catalog)
            )
        )
        price = army.price(piece)
        rooms = [
            gauge.room(piece) if gauge.kept else -1
            for gauge in grown
            if piece in gauge.weights and gauge.limit.of not in ("everything", "guys")
        ]
        most = min((1 + more for more in rooms if more is not None), default=short)
        offers.append(Offer(piece, price, price, max(0, min(most, short))))
    models = [
        Offer(unit.id, army.price(unit.id), army.price(unit.id), count)
        for unit, count in army.bought()
        if not unit.is_guy
    ]
    models += [
        Offer(work, army.price(work), army.price(work), count)
        for work, count in army.listed.works.items()
    ]
    best: tuple[Change, ...] = ()
    best_size: tuple[int, int] | None = None
    dearest = max((offer.price for offer in offers if offer.most), default=1)
    for points in range(short, short + dearest):
        added = tuple(Change(change.unit, -change.change) for change in fewest(points, offers))
        spent = sum(change.change * army.price(change.unit) for change in added)
        removed = fewest(spent - room, models) if spent > room else ()
        freed = sum(-change.change * army.price(change.unit) for change in removed)
        size = (
            sum(abs(change.change) for change in added + removed),
            spent + freed,
        )
        if best_size is None or size < best_size:
            best, best_size = added + removed, size
    return best


def _message(gauge: Gauge, army: Army) -> str:
    limit, have, allowed = gauge.limit, number(gauge.have), number(gauge.allowed)
    points = army.listed.points
    if limit.id == "budget":
        over = number(gauge.have - gauge.allowed)
        return f"The army costs {have} points and {allowed} are there to spend: {over} too many."
    if limit.id == "guys_third":
        short = number(gauge.allowed - gauge.have)
        return (
            f"Only {have} points go to guys; at least {allowed} must (a third): {short} more to do."
        )
    if limit.id == "armor_half":
        return f"Tanks and armored cars take {have} points; {allowed} (half) is the most."
    if limit.id == "guy_type_sixth":
        name = plural(army.catalog.units[gauge.unit or ""].name)
        return f"{name} take {have} points; one type of guy may take {allowed} (a sixth)."
    if gauge.unit and limit.most == 0:
        who = _names(gauge.unit, army)
        if limit.only_with_nations:
            owners = " and ".join(army.catalog.nations[n].people for n in limit.not_for)
            return f"Only the {owners} have {who}; this army has {have}."
        return f"{who} cannot be bought for this game; this army has {have}."
    if gauge.unit:
        return f"{have} {_names(gauge.unit, army)}: {allowed} is the most."
    return f"{have} {limit.title.lower()}: {allowed} is the most for {points} points."


def _names(piece: str, army: Army) -> str:
    known = army.catalog.units.get(piece) or army.catalog.works[piece]
    return plural(known.name)


def number(value: Fraction) -> str:
    """``35``, ``2.5``: whole or half, as a person writes it."""
    return str(value.numerator) if value.denominator == 1 else f"{float(value):g}"


def mend(repair: tuple[Change, ...], army: Army) -> str:
    """A repair as a person would say it: ``take out 1 Tank, add 2 Rifle Guys``."""
    words = []
    for change in repair:
        count = abs(change.change)
        known = army.catalog.units.get(change.unit) or army.catalog.works[change.unit]
        name = known.name if count == 1 else plural(known.name)
        words.append(f"{'add' if change.change > 0 else 'take out'} {count} {name}")
    return ", ".join(words)
