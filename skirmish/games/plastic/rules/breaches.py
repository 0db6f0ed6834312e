"""Every broken purchase limit of an army, as a sentence, with the smallest change that mends it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

import msgspec

from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.catalog import plural
from skirmish.games.plastic.rules.fewest import Counts
from skirmish.games.plastic.rules.gauges import Gauge, gauges
from skirmish.games.plastic.rules.repair import Change, Repairs


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


def breaches(army: Army, added: Sequence[Counts] = ()) -> list[Breach]:
    """Every broken limit, overridden ones included (their ``override`` says why). ``added`` is what
    its last changes brought, for the repairs."""
    measured = gauges(army)
    repairs = Repairs(measured, army, added)
    return [
        Breach(
            limit=gauge.limit.id,
            unit=gauge.unit,
            have=gauge.have,
            allowed=gauge.allowed,
            message=_message(gauge, army),
            repair=repairs.of(gauge),
            override=army.listed.overrides.get(gauge.limit.id),
        )
        for gauge in measured
        if not gauge.kept
    ]


def is_legal(army: Army) -> bool:
    """Whether no limit is broken but those that the table overrides on purpose."""
    return all(gauge.kept or gauge.limit.id in army.listed.overrides for gauge in gauges(army))


def standing(found: Iterable[Breach]) -> list[Breach]:
    """Those of ``found`` that make an army illegal: broken without the table's leave."""
    return [breach for breach in found if breach.override is None]


def _message(gauge: Gauge, army: Army) -> str:
    limit = gauge.limit
    have, allowed = whole_or_half(gauge.have), whole_or_half(gauge.allowed)
    if limit.id == "budget":
        over = whole_or_half(gauge.have - gauge.allowed)
        return f"The army costs {have} points; {allowed} may be spent: {over} too many."
    if limit.id == "guys_third":
        short = whole_or_half(gauge.allowed - gauge.have)
        return f"Guys take {have} points; at least {allowed} (a third) are required: {short} more."
    if limit.id == "armor_half":
        return f"Tanks and armored cars take {have} points; at most {allowed} (half) are allowed."
    if limit.id == "guy_type_sixth":
        name = plural(army.catalog.units[gauge.unit or ""].name)
        return f"{name} take {have} points; one type of guy may take at most {allowed} (a sixth)."
    if gauge.unit and limit.most == 0:
        who = _names(gauge.unit, army)
        if limit.only_with_nations:
            owners = " and ".join(army.catalog.nations[n].people for n in limit.not_for)
            return f"Only the {owners} may have {who}; this army has {have}."
        return f"{who} cannot be bought for this game; this army has {have}."
    if gauge.unit:
        return f"{have} {_names(gauge.unit, army)}: the limit is {allowed}."
    return f"{have} {limit.title.lower()}: the limit for {gauge.points} points is {allowed}."


def _names(piece: str, army: Army) -> str:
    known = army.catalog.units.get(piece) or army.catalog.works[piece]
    return plural(known.name)


def whole_or_half(value: Fraction) -> str:
    """``35``, ``2.5``: whole or half, as a person writes it."""
    return str(value.numerator) if value.denominator == 1 else f"{float(value):g}"


def mend(repair: tuple[Change, ...], army: Army) -> str:
    """A repair as a person would say it: ``remove 1 Tank, add 2 Rifle Guys``."""
    words: list[str] = []
    before = ""
    for change in repair:
        count = abs(change.change)
        known = army.catalog.units.get(change.unit) or army.catalog.works[change.unit]
        name = known.name if count == 1 else plural(known.name)
        verb = "add" if change.change > 0 else "remove"
        words.append(f"{count} {name}" if verb == before else f"{verb} {count} {name}")
        before = verb
    return ", ".join(words)
