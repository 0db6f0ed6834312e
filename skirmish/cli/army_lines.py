"""An army for people and for programs: what it costs, and every limit it breaks."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from skirmish.cli.speaking import columns, harmless, number, say, say_wrapped
from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.breaches import Breach, breaches, mend
from skirmish.games.plastic.rules.rulings import RulingBook


def broken(army: Army) -> list[Breach]:
    """The limits that make an army illegal: those broken without the table's leave."""
    return [breach for breach in breaches(army) if breach.override is None]


def report(army: Army) -> dict[str, Any]:
    """The answer of ``army check --json``; ``overridden`` and ``groups`` stand there only if there
    are any."""
    found = breaches(army)
    standing = [breach for breach in found if breach.override is None]
    answer = {
        "legal": not standing,
        "budget": army.budget,
        "spent": army.spent,
        "free": army.free,
        "pdg": army.pdg,
        "break_at": army.break_at,
        "breaches": [_breach(breach) for breach in standing],
    }
    if len(standing) < len(found):
        answer["overridden"] = [
            {**_breach(breach), "reason": breach.override}
            for breach in found
            if breach.override is not None
        ]
    if army.listed.groups:
        answer["groups"] = [
            {"name": name, "units": units, "free": free} for name, units, free in army.blocks()
        ]
    return answer


def describe(army: Army, book: RulingBook) -> None:
    """Print an army: its lines, its sums, and whether it is legal."""
    say(harmless(army.listed.name))
    say_wrapped(_terms(army))
    if army.listed.note:
        say_wrapped(harmless(army.listed.note))
    rows = list(_rows(army))
    if rows:
        say()
        say("\n".join(columns(rows, right=(0, 2, 3))))
    if army.listed.groups:
        say()
        for group, units, free in army.blocks():
            who = (army.catalog.units[u].named(n + free.get(u, 0)) for u, n in units.items())
            say_wrapped(f"{harmless(group)}: {', '.join(who)}", "", "   ")
    say()
    left = army.budget - army.spent
    still = f"{left} left" if left >= 0 else f"{-left} over"
    say(f"Spent {army.spent} of {army.budget} points, {still}.")
    say(f"Strength {army.pdg}, break point {army.break_at}.")
    for ruling, answer in book.departures(army.rulings):
        say_wrapped(f"{ruling.id} {ruling.title}: {' '.join(answer.split())}", "", "   ")
    say()
    tell_legality(army)


def tell_legality(army: Army) -> None:
    """Print whether an army is legal, each broken limit with the smallest repair."""
    found = breaches(army)
    standing = [breach for breach in found if breach.override is None]
    if standing:
        limits = number(len(standing), "limit is broken", "limits are broken")
        say(f"Not legal: {limits}.")
        for breach in standing:
            say_wrapped(f"- {breach.message}", "", "  ")
            if breach.repair:
                say_wrapped(f"  Smallest repair: {mend(breach.repair, army)}.", "", "  ")
    else:
        say("Legal." if not found else "Legal: the broken limits are overridden on purpose.")
    for breach in found:
        if breach.override is not None:
            say_wrapped(f"- Overridden: {breach.message}", "", "  ")
            say_wrapped(f"  Reason: {harmless(breach.override) or 'none'}", "", "  ")


def _terms(army: Army) -> str:
    terms = [part.name for part in (army.nation, army.quality) if part]
    points = f"{army.listed.points} points"
    if army.budget != army.listed.points:
        points += f" and {army.budget - army.listed.points} for quality"
    return ", ".join([*terms, points])


def _rows(army: Army) -> Iterator[tuple[str, ...]]:
    free = army.free
    for unit, count in army.listed.units.items():
        name = army.catalog.units[unit].named(count).split(" ", 1)[1]
        yield _row(army, unit, name, count, free.get(unit, 0))
    for work, count in army.listed.works.items():
        yield _row(army, work, army.catalog.works[work].name, count, 0)


def _row(army: Army, piece: str, name: str, count: int, free: int) -> tuple[str, ...]:
    price = army.price(piece)
    told = f"{count} paid + {free} free = {count + free}" if free else ""
    return f"{count + free}", name, f"at {price}", f"{price * count}", told


def _breach(breach: Breach) -> dict[str, Any]:
    return {
        "limit": breach.limit,
        "unit": breach.unit,
        "have": _plain(breach.have),
        "allowed": _plain(breach.allowed),
        "message": breach.message,
        "repair": [{"unit": change.unit, "change": change.change} for change in breach.repair],
    }


def _plain(value: Fraction) -> int | float:
    """Whole numbers as such; halves (small pillboxes) with their .5."""
    return value.numerator if value.denominator == 1 else float(value)
