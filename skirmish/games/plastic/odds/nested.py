"""Volleys of any mixture out of a deck that lasts: exact, and quick enough to ask while typing.

``hit_sets`` tells why it works. Kills that leave somebody standing do not depend on the order of
fire; that a group is wiped out is what remains. Who breaks down does depend on it, since a group
that has fallen is not fired at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, prod

from skirmish.games.plastic.odds.firers import Firer
from skirmish.games.plastic.odds.hit_sets import HitTally, Row
from skirmish.games.plastic.odds.pack import ALL_CARDS, OddsError

Chances = dict[tuple[int, ...], Fraction]
MOST_FIELDS = 4_000
"""Three groups of 15 fit."""


def most_draws(firers: Sequence[Firer], sizes: Sequence[int]) -> int:
    """How many cards a volley can take that leaves nobody unfinished: one for each shooter, one
    for each man whose fall lets somebody go on, one for a breakdown."""
    draws = len(firers)
    for group, size in enumerate(sizes):
        own = [one for one in firers if one.group == group]
        chains = sum(one.longest for one in own if one.repeat)
        left = size - 1 if len(sizes) == 1 else size
        draws += min(left, chains)
    return draws + any(one.tests for one in firers)


def kills(firers: Sequence[Firer], sizes: Sequence[int], deck: int) -> Chances:
    """The chance of each (kills of the first group, …). The deck must hold ``most_draws``. Raises
    OddsError, before anything is reckoned, where the groups are too large to be told together."""
    kinds = {(one.hits, one.longest) for one in firers}
    if len(sizes) == 1 and kinds == {(firers[0].hits, 1)}:
        return alike(firers[0].hits, len(firers), sizes[0], deck)
    groups = [g for g in range(len(sizes)) if any(one.group == g for one in firers)]
    if prod(_powers(firers, sizes, groups)) > MOST_FIELDS:
        told = " by ".join(str(sizes[group]) for group in groups)
        raise OddsError(
            f"{told} targets are too many to be told together: ask for each group by itself."
        )
    standing = {
        some: standing_in(firers, sizes, deck, some)
        for count in range(1, len(groups) + 1)
        for some in combinations(groups, count)
    }
    standing[()] = {(): Fraction(1)}
    found: Chances = {}
    for some in standing:
        fallen = [group for group in groups if group not in some]
        for key, chance in _exactly(some, fallen, standing).items():
            at = dict(zip(some, key, strict=True)) | {group: sizes[group] for group in fallen}
            if chance:
                found[tuple(at.get(group, 0) for group in range(len(sizes)))] = chance
    return dict(sorted(found.items()))


def alike(hits: int, draws: int, size: int, deck: int) -> Chances:
    """One card for each of so many who hit with the same cards: whole decks while they are drawn
    to the end, then a hand out of the last one, and the chance of each number of hits in it. Beyond
    ``size`` it makes no difference who draws on."""
    sure = 0
    if draws > (count := deck.bit_count()):
        shuffles, draws = divmod(draws - count, ALL_CARDS.bit_count())
        sure = (deck & hits).bit_count() + shuffles * (ALL_CARDS & hits).bit_count()
        deck = ALL_CARDS
    good, count = (deck & hits).bit_count(), deck.bit_count()
    found: Chances = {}
    for drawn in range(min(good, draws) + 1):
        ways = comb(good, drawn) * comb(count - good, draws - drawn)
        key = (min(sure + drawn, size),)
        if ways:
            found[key] = found.get(key, Fraction(0)) + Fraction(ways, comb(count, draws))
    return found


def _exactly(
    some: tuple[int, ...], fallen: Sequence[int], standing: dict[tuple[int, ...], Chances]
) -> Chances:
    """The kills of the groups that stand while all of ``fallen`` have fallen: those with any fate
    of the others, less those in which one of them stands, plus those with two, and so on."""
    found: Chances = dict.fromkeys(standing[some], Fraction(0))
    for count in range(len(fallen) + 1):
        for also in combinations(fallen, count):
            both = tuple(sorted((*some, *also)))
            places = [both.index(group) for group in some]
            for key, chance in standing[both].items():
                own = tuple(key[place] for place in places)
                found[own] = found.get(own, Fraction(0)) + (-1) ** count * chance
    return found


def standing_in(
    firers: Sequence[Firer], sizes: Sequence[int], deck: int, some: tuple[int, ...]
) -> Chances:
    """The chance of kills that leave a man standing in each of ``some`` groups; what befalls the
    others is not asked."""
    own = [one for one in firers if one.group in some]
    tally = _tally(own, sizes, deck, some)
    row = tally.begin()
    for one in tally.sort(own):
        row = tally.fire(row, one)[1]
    return _read(tally, row)


def _tally(
    firers: Sequence[Firer], sizes: Sequence[int], deck: int, some: tuple[int, ...]
) -> HitTally:
    axes = {group: axis for axis, group in enumerate(some)}
    limits = tuple(sizes[group] for group in some)
    return HitTally(firers, deck, _powers(firers, sizes, some), axes, limits)


def _powers(firers: Sequence[Firer], sizes: Sequence[int], some: Iterable[int]) -> tuple[int, ...]:
    most = {group: sum(one.longest for one in firers if one.group == group) for group in some}
    return tuple(min(sizes[group], kills + 1) for group, kills in most.items())


def _read(tally: HitTally, row: Row) -> Chances:
    found, top = tally.total(row)
    return {key: Fraction(ways, top) for key, ways in tally.fields.read(found).items()}


# ------------------------------------------------------------------ shooters lost


def losses(firers: Sequence[Firer], size: int, deck: int) -> Chances:
    """As ``kills``; the one card that breaks down comes once, so nobody or one is lost."""
    found: Chances = {}
    by_kills = {key[0]: chance for key, chance in kills(firers, (size,), deck).items()}
    queen = next((one.tests for one in firers if one.tests), 0)
    lost = _lost(firers, size, deck, queen) if deck & queen else {}
    for count, chance in by_kills.items():
        one = lost.get(count, Fraction(0))
        if chance - one:
            found[count, 0] = chance - one
        if one:
            found[count, 1] = one
    return found


def _lost(firers: Sequence[Firer], size: int, deck: int, queen: int) -> dict[int, Fraction]:
    """The chance that so many fall and a shooter is lost.

    His last card is the queen and the next a spade: two cards out of the deck, and all the others
    come as from the deck without them.
    """
    count = deck.bit_count()
    breaks = next(one.breaks for one in firers if one.tests)
    lost: dict[int, Fraction] = {}
    in_all = Fraction(0)
    for spade, alike in _kinds(firers, deck & breaks & ~queen):
        share = Fraction(alike, count * (count - 1))
        tally = _tally(firers, (size,), deck & ~queen & ~spade, (0,))
        for (fallen,), chance in _read(tally, _one_lost(tally, firers)).items():
            lost[fallen] = lost.get(fallen, Fraction(0)) + share * chance
        in_all += share * _ever_lost(tally, firers)
    lost[size] = in_all - sum(lost.values())
    return lost


def _kinds(firers: Sequence[Firer], cards: int) -> Iterator[tuple[int, int]]:
    """One card of each kind that the shooters tell apart, and how many are of it."""
    kinds: dict[tuple[bool, ...], list[int]] = {}
    while cards:
        card = cards & -cards
        cards ^= card
        kinds.setdefault(tuple(bool(one.hits & card) for one in firers), []).append(card)
    for alike in kinds.values():
        yield alike[0], len(alike)


def _one_lost(tally: HitTally, firers: Sequence[Firer]) -> Row:
    row, lost = tally.begin(), tally.nothing()
    for one in tally.sort(firers):
        so_far, after = tally.fire(row, one)
        lost = tally.fire(lost, one)[1]
        if one.tests:
            lost = [a + b for a, b in zip(lost, so_far, strict=True)]
        row = after
    return lost


def _ever_lost(tally: HitTally, firers: Sequence[Firer]) -> Fraction:
    """The chance that, given the queen and a spade for the asking, a shooter comes to draw them:
    for each who tests, that somebody is left when those before him and he have fired so far.

    Shooters who are put in alike share their way: what was reckoned for the one before is kept.
    """
    kept: list[tuple[Firer, Row]] = []
    total = Fraction(0)
    for index, one in enumerate(firers):
        if not one.tests:
            continue
        before = tally.sort(firers[:index])
        at = sum(tally.order[other.hits] <= tally.order[one.hits] for other in before)
        row = tally.begin()
        for place, other in enumerate([*before[:at], None, *before[at:]]):
            if other is None:
                row = tally.fire(row, one)[0]
                break
            if place < len(kept) and kept[place][0] == other:
                row = kept[place][1]
                continue
            del kept[place:]
            row = tally.fire(row, other)[1]
            kept.append((other, row))
        for other in before[at:]:
            row = tally.fire(row, other)[1]
        found, top = tally.total(row)
        total += Fraction(sum(tally.fields.read(found).values()), top)
    return total
