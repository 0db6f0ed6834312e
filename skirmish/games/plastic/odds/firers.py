"""A volley as a question: who fires, in which order, at which groups; and its answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import ceil, inf, log
from typing import TypeVar

import msgspec

from skirmish.games.plastic.odds.pack import ALL_CARDS, OddsError, Pack
from skirmish.games.plastic.odds.single import read
from skirmish.games.plastic.rules.shot import Aim

MOST_TARGETS = 9999
_RARE = 9 * log(10)
"""A die can hit for ever: what comes once in a thousand million volleys is cut off."""
MOST_FIRERS = 100


class Firer(msgspec.Struct, frozen=True):
    """``hits`` and ``tests`` (which ask for a second draw, one of ``breaks`` breaks him) are sets
    of bits. After a kill he fires again if he may ``repeat``. ``spared`` are the hits after which
    the defender may give another man, one not shot at yet: they use up two new men (P22)."""

    hits: int
    repeat: bool = False
    group: int = 0
    tests: int = 0
    breaks: int = 0
    spared: int = 0

    def begins(self, standing: int) -> int:
        return standing if self.repeat else min(1, standing)

    def uses_up(self, draw: int) -> int:
        return bool(self.hits & draw) + bool(self.spared & draw)

    def left(self, new: int, used: int, standing: int) -> int:
        """How many of ``new`` men there still are for his next shot."""
        return min(max(new - used, 0), standing) if self.repeat else 0


class VolleyOutcome(msgspec.Struct, frozen=True):
    """Chances of (kills of the first group, the second, …); ``with_losses``, if asked for, of
    (…kills, shooters broken down)."""

    chances: dict[tuple[int, ...], Fraction]
    with_losses: dict[tuple[int, ...], Fraction] | None = None

    def kills(self, group: int | None = None) -> dict[int, Fraction]:
        return summed(
            (sum(key) if group is None else key[group], chance)
            for key, chance in self.chances.items()
        )

    def at_least(self, wanted: int, group: int | None = None) -> Fraction:
        found = self.kills(group).items()
        return sum((chance for kills, chance in found if kills >= wanted), Fraction(0))

    def worth_at_least(self, wanted: int, worth: Sequence[int]) -> Fraction:
        """The chance that the kills, weighed by group with ``worth``, come to so much."""
        total = Fraction(0)
        for key, chance in self.chances.items():
            if sum(k * w for k, w in zip(key, worth, strict=True)) >= wanted:
                total += chance
        return total

    def expected(self, group: int | None = None) -> Fraction:
        return sum((kills * chance for kills, chance in self.kills(group).items()), Fraction(0))

    def losses(self) -> dict[int, Fraction]:
        """Raises ValueError if it was not asked for."""
        if self.with_losses is None:
            raise ValueError("the volley was not asked for its losses")
        return summed((key[-1], chance) for key, chance in self.with_losses.items())


def firer(aim: Aim, *, die: bool = False, group: int = 0) -> Firer:
    reading = read(aim, die)
    tests = reading.tests
    spares = aim.repeat is not None and aim.repeat.uses_up(exact=False) > 1
    return Firer(
        hits=reading.hits,
        repeat=aim.repeat is not None,
        group=group,
        tests=reading.testing,
        breaks=tests[0][1] if tests else 0,
        spared=reading.hits & ~reading.exact if spares else 0,
    )


def check(firers: Sequence[Firer], sizes: Sequence[int]) -> None:
    if not firers:
        raise OddsError("Nobody fires: name at least one shooter.")
    if len(firers) > MOST_FIRERS and not single_shots(firers):
        raise OddsError(f"{len(firers)} shooters are too many; a volley has up to {MOST_FIRERS}.")
    if not sizes or min(sizes) < 1:
        raise OddsError("Nobody is there to be hit: a group holds at least 1.")
    if max(sizes) > MOST_TARGETS:
        raise OddsError(f"{max(sizes)} targets are too many; a group holds up to {MOST_TARGETS}.")


def single_shots(firers: Sequence[Firer]) -> bool:
    """Whether each takes one draw, and all hit the same group with the same draws."""
    first = firers[0]
    alike = all(one.hits == first.hits and one.group == first.group for one in firers)
    return alike and not any(one.tests or one.repeat for one in firers)


def enough(firers: Sequence[Firer], sizes: Sequence[int], pack: Pack) -> tuple[int, ...]:
    """The sizes of the groups, none larger than one man more than can be hit (two for each who may
    be spared). That changes no chance."""
    each = 2 if any(one.spared for one in firers) else 1
    most = (each * _most_hits(firers, group, pack) + 1 for group in range(len(sizes)))
    return tuple(map(min, sizes, most))


def sparing(firers: Sequence[Firer], sizes: Sequence[int], pack: Pack) -> list[Firer]:
    """The same shooters; whoever is spared is left out where it makes no difference."""
    most = [2 * _most_hits(firers, group, pack) for group in range(len(sizes))]
    return [
        one
        if one.repeat and 1 < one.begins(sizes[one.group]) <= most[one.group]
        else msgspec.structs.replace(one, spared=0)
        for one in firers
    ]


def _most_hits(firers: Sequence[Firer], group: int, pack: Pack) -> int:
    own = [one for one in firers if one.group == group]
    if not any(one.repeat for one in own):
        return len(own)
    if pack.die:
        faces = max((pack.now & one.hits).bit_count() for one in own if one.repeat)
        if faces == pack.count:
            return MOST_TARGETS
        rises = log((1 + pack.count / faces) / 2) if faces else inf
        return len(own) + ceil((_RARE + len(own) * log(2)) / rises)
    # Before a shuffle is through, each of its cards that nobody hits with must come: it ends the
    # fire of somebody, or it is the second draw of a breakdown, of which each may ask for one.
    tests = any(one.tests for one in firers)
    hits = any_hit = 0
    for one in firers:
        any_hit |= one.hits
        hits |= one.hits if one.group == group else 0
    misses = (ALL_CARDS & ~any_hit).bit_count() - tests
    if misses < 1:
        return MOST_TARGETS
    shuffles = 1 + len(firers) * (1 + tests) // misses
    return (pack.now & hits).bit_count() + hits.bit_count() * shuffles


Key = TypeVar("Key", int, tuple[int, ...])


def summed(pairs: Iterable[tuple[Key, Fraction]]) -> dict[Key, Fraction]:
    total: dict[Key, Fraction] = {}
    for key, chance in pairs:
        total[key] = total.get(key, Fraction(0)) + chance
    return dict(sorted(total.items()))
