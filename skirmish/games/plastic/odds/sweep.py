"""Volleys by plain reckoning: shot after shot, keeping how many cards of each class are left.

A class holds the cards that no shooter of the volley can tell apart. This follows every volley:
several groups, shooters lost, a deck that runs out any number of times. Its work grows fast with
the number of classes, so a mixed volley is left to ``nested``; a row that fires alike has three.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import factorial, lcm, perm

import msgspec

from skirmish.games.plastic.odds.firers import Firer
from skirmish.games.plastic.odds.pack import ALL_CARDS, OddsError, Pack

MOST_STEPS = 1_000_000
"""Draws that may be followed: some 2 seconds."""
GLIMPSE = 12_000
"""Draws followed until it is first foreseen how many there will be; then at every doubling."""

_Cards = tuple[int, ...]
_State = tuple[_Cards, int, tuple[int, ...], int]
"""Cards left by class, which shuffle they are of, kills by group, shooters lost."""


class Shuffle(msgspec.Struct, frozen=True):
    """A shuffle as it began: cards by class, and how many of these break a weapon as a second
    draw. A state's weight is its chance times ``scale`` times the orders of what was drawn since:
    always a whole number. ``looks`` in it leaves room for sharing out one second draw."""

    cards: _Cards
    breaking: _Cards
    looks: int
    scale: int

    @property
    def size(self) -> int:
        return sum(self.cards)


def sweep(
    firers: Sequence[Firer],
    sizes: Sequence[int],
    pack: Pack,
    losses: bool = True,
    most: int = MOST_STEPS,
) -> dict[tuple[int, ...], Fraction]:
    """The chance of (kills of each group…, shooters lost; 0 without ``losses``). Raises OddsError
    where it would take too long."""
    return _Sweep(firers, sizes, pack, losses, most).run()


def ends(
    firers: Sequence[Firer], sizes: Sequence[int], pack: Pack, cut: int, most: int = MOST_STEPS
) -> Iterator[tuple[tuple[int, ...], int, int, Fraction]]:
    """Kills of each group, cards left, how many of these are of a ``cut``, and the chance of it.
    Raises as ``sweep``."""
    found = _Sweep(firers, sizes, pack, False, most, cut)
    inside = [bool(part & cut) for part in found.parts]
    for (cards, shuffle, kills, _), weight in found.states().items():
        of_cut = sum(count for count, own in zip(cards, inside, strict=True) if own)
        yield kills, sum(cards), of_cut, found.chance(cards, shuffle, weight)


def classes(firers: Sequence[Firer], *more: int) -> list[int]:
    found = [ALL_CARDS]
    cuts = [cut for one in firers for cut in (one.hits, one.tests, one.spared)]
    for cut in dict.fromkeys([*cuts, *more]):
        found = [part for old in found for part in (old & cut, old & ~cut) if part]
    return found


class _Sweep:
    def __init__(  # noqa: PLR0917  (as ``sweep`` is asked, with a cut of the deck)
        self,
        firers: Sequence[Firer],
        sizes: Sequence[int],
        pack: Pack,
        losses: bool,
        most: int,
        cut: int = 0,
    ) -> None:
        self.firers, self.sizes = firers, tuple(sizes)
        self.aside, self.most, self.steps = pack.aside, most, 0
        self.breaks = next((one.breaks for one in firers if one.tests), 0) if losses else 0
        # With her shuffled in at once, the queen can come twice in one shuffle.
        self.parts = classes(firers, cut, *(() if self.aside else (self.breaks,)))
        self.shuffles = [self._begin(pack.now, 1)]
        self.next: dict[tuple[int, int], int] = {}
        self.look, self.took = min(GLIMPSE, most), [0]

    def _begin(self, cards: int, scale: int) -> Shuffle:
        counts = tuple((cards & part).bit_count() for part in self.parts)
        looks = lcm(*(count for count in counts if count))
        breaking = tuple((cards & part & self.breaks).bit_count() for part in self.parts)
        return Shuffle(counts, breaking, looks, scale * looks)

    def _anew(self, shuffle: int, without: int = 0) -> tuple[_Cards, int, int]:
        key = (shuffle, without)
        if key not in self.next:
            old = self.shuffles[shuffle]
            self.next[key] = len(self.shuffles)
            self.shuffles.append(self._begin(ALL_CARDS & ~without, old.scale * factorial(old.size)))
        new = self.shuffles[self.next[key]]
        return new.cards, self.next[key], new.looks

    def run(self) -> dict[tuple[int, ...], Fraction]:
        total: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)
        for (cards, shuffle, kills, lost), weight in self.states().items():
            total[(*kills, lost)] += self.chance(cards, shuffle, weight)
        return dict(sorted(total.items()))

    def chance(self, cards: _Cards, shuffle: int, weight: int) -> Fraction:
        began = self.shuffles[shuffle]
        return Fraction(weight, began.scale * perm(began.size, began.size - sum(cards)))

    def states(self) -> dict[_State, int]:
        first = self.shuffles[0]
        states: dict[_State, int] = {(first.cards, 0, (0,) * len(self.sizes), 0): first.looks}
        for one in self.firers:
            before = self.steps
            states = self._fire(one, states)
            self.took.append(self.steps - before)
        return states

    def _fire(self, one: Firer, states: dict[_State, int]) -> dict[_State, int]:
        """Chains with equally many men standing, and equally many new to him, go on as one."""
        group, size = one.group, self.sizes[one.group]
        done: dict[_State, int] = defaultdict(int)
        levels: list[dict[int, dict[_State, int]]] = [{} for _ in range(size + 1)]

        def after(level: int, new: int) -> dict[_State, int]:
            return levels[level].setdefault(new, defaultdict(int)) if new else done

        for state, weight in states.items():
            fallen = state[2][group]
            after(fallen, one.begins(size - fallen))[state] += weight
        for level, waiting in enumerate(levels):
            for new, chains in waiting.items():
                ends = [done] + [
                    after(level + 1, one.left(new, used, size - level - 1)) for used in (1, 2)
                ]
                for state, weight in chains.items():
                    self._shot(one, state, weight, ends)
        return done

    def _shot(
        self,
        one: Firer,
        state: _State,
        weight: int,
        ends: Sequence[dict[_State, int]],
    ) -> None:
        """A miss, and a hit that uses up one new man or two."""
        cards, shuffle, kills, lost = state
        if not any(cards):
            cards, shuffle, grown = self._anew(shuffle)
            weight *= grown
        self._count(len(cards))
        group = one.group
        fallen = (*kills[:group], kills[group] + 1, *kills[group + 1 :])
        for index, count in enumerate(cards):
            if not count:
                continue
            part = self.parts[index]
            rest = (*cards[:index], count - 1, *cards[index + 1 :])
            used = one.uses_up(part)
            then = ends[used]
            after = fallen if used else kills
            if part & one.tests:
                self._second((rest, shuffle, after, lost), part, weight * count, then)
            else:
                then[rest, shuffle, after, lost] += weight * count

    def _second(self, state: _State, first: int, weight: int, then: dict[_State, int]) -> None:
        """Nobody has looked yet which cards of a class are spades: a card of it is one as often as
        when the shuffle began."""
        cards, shuffle, kills, lost = state
        if not any(cards):
            cards, shuffle, grown = self._anew(shuffle, first if self.aside else 0)
            weight *= grown
        self._count(len(cards))
        began = self.shuffles[shuffle]
        for index, count in enumerate(cards):
            if not count:
                continue
            rest = (*cards[:index], count - 1, *cards[index + 1 :])
            whole = weight * count
            broken = whole * began.breaking[index] // began.cards[index]
            if broken:
                then[rest, shuffle, kills, lost + 1] += broken
            if whole - broken:
                then[rest, shuffle, kills, lost] += whole - broken

    def _count(self, steps: int) -> None:
        self.steps += steps
        if self.steps > self.look:
            self.look *= 2
            if self._foreseen() > self.most:
                raise OddsError(
                    "This volley is too mixed to be reckoned exactly: fewer kinds of shooters, "
                    "fewer groups or a fuller deck would do."
                )

    def _foreseen(self) -> int:
        """How many steps it will take at least, if no shooter takes fewer than the last one."""
        behind, left = sum(self.took), len(self.firers) - len(self.took) + 1
        return behind + left * max(self.took[-1], self.steps - behind)
