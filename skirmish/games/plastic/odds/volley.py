"""The exact odds of a volley by two methods: ``nested`` takes any mixture while the deck lasts, and
one group through shuffles; ``sweep`` takes the die, and anything that is not too mixed.

``sweep`` goes from shot to shot and counts the cards of each class that are left. A class holds the
cards that no shooter of the volley distinguishes. Its work grows fast with the number of classes; a
row that fires alike has three.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import ceil, factorial, inf, lcm, log, perm, prod

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.odds import nested
from skirmish.games.plastic.odds.nested import Chances
from skirmish.games.plastic.odds.pack import (
    ALL_CARDS,
    FACES,
    Firer,
    OddsError,
    Pack,
    VolleyOutcome,
    bits,
    classes,
    summed,
)
from skirmish.games.plastic.rules.catalog import DECK, DIE, Catalog, Quality
from skirmish.games.plastic.rules.checks import is_pinned

MOST_FIRERS, MOST_TARGETS = 100, 9999
_RARE = 9 * log(10)
"""A die can hit without end: what is rarer than one in 10^12 volleys is cut off."""
MOST_STEPS = 1_000_000
"""Limit in draws followed: about 2 seconds."""
MOST_ENDS = 300_000
GLIMPSE = 12_000
"""After this many draws the total is first estimated; then at every doubling."""
_FEW = 3
"""Up to this many classes of cards ``sweep`` is the faster method through a shuffle."""


def volley(
    firers: Sequence[Firer], sizes: Sequence[int], pack: Pack, losses: bool = False
) -> VolleyOutcome:
    """The outcome of these shooters, in this order, against groups of these sizes; a shooter whose
    group is eliminated holds fire. Raises OddsError if that is impossible or takes more than
    seconds."""
    check(firers, sizes)
    firers, sizes = trimmed(firers, sizes, pack)
    whole = None
    if pack.die:
        whole = with_die(firers, sizes, pack, losses)
    elif not losses and len(sizes) == 1 and single_shots(firers):
        return VolleyOutcome(nested.alike(firers[0].hits, len(firers), sizes[0], pack.now))
    elif _in_order(firers):
        whole = sweep(firers, sizes, pack, losses)
    elif nested.most_draws(firers, sizes) <= pack.count:
        if not losses:
            return VolleyOutcome(nested.kills(firers, sizes, pack.now))
        if len(sizes) == 1:
            whole = nested.losses(firers, sizes[0], pack.now)
    elif not losses and len(sizes) == 1 and len(classes(firers)) > _FEW:
        return VolleyOutcome(nested.kills_with_shuffles(firers, sizes[0], pack))
    whole = whole or sweep(firers, sizes, pack, losses)
    kills = summed((key[:-1], chance) for key, chance in whole.items())
    return VolleyOutcome(kills, whole if losses else None)


def _in_order(firers: Sequence[Firer]) -> bool:
    """Whether it must be computed shot by shot: somebody may be spared, or a card can both kill and
    break down."""
    return any(one.spared or one.tests & other.hits for one in firers for other in firers)


def with_die(firers: Sequence[Firer], sizes: Sequence[int], pack: Pack, losses: bool) -> Chances:
    """As ``sweep``, but throws are independent, and so are the groups."""
    if prod(size + 1 for size in sizes) * (1 + losses * len(firers)) > MOST_ENDS:
        raise OddsError("This volley has too many ends: ask for fewer groups at a time.")
    joint: Chances = {(0,): Fraction(1)}
    for group, size in enumerate(sizes):
        own = [replace(one, group=0) for one in firers if one.group == group]
        found = sweep(own, [size], pack, losses).items()
        joint = summed(
            ((*before, kills, lost + more), chance * share)
            for (*before, lost), chance in joint.items()
            for (kills, more), share in found
        )
    return joint


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
    """Whether each shooter takes one draw, and all hit the same group with the same draws."""
    first = firers[0]
    alike = all(one.hits == first.hits and one.group == first.group for one in firers)
    return alike and not any(one.tests or one.repeat for one in firers)


def trimmed(
    firers: Sequence[Firer], sizes: Sequence[int], pack: Pack
) -> tuple[list[Firer], tuple[int, ...]]:
    """An equivalent volley: nobody is spared if it makes no difference, and no group exceeds the
    most that can be hit by more than one man (two for each that may be spared)."""
    most = [_most_hits(firers, group, pack) for group in range(len(sizes))]
    found = [
        one
        if one.repeat and 1 < sizes[one.group] <= 2 * most[one.group]
        else replace(one, spared=0)
        for one in firers
    ]
    each = 2 if any(one.spared for one in found) else 1
    return found, tuple(min(size, each * n + 1) for size, n in zip(sizes, most, strict=True))


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
    # Before a shuffle runs out, each card that nobody hits with must be drawn: it ends a shooter's
    # fire, or it is the second draw of a breakdown, at most one per shooter.
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


# ------------------------------------------------------------------ shot after shot

_Cards = tuple[int, ...]
_State = tuple[_Cards, int, tuple[int, ...], int]
"""Cards left by class, number of the shuffle, kills by group, shooters lost."""


class Shuffle(msgspec.Struct, frozen=True):
    """The start of a shuffle: cards by class, and how many of them break a weapon as a second draw.
    A state's weight is its chance times ``scale`` times the orders of the cards drawn since: always
    an integer. The factor ``looks`` makes one second draw divisible; for a die it is the number of
    all throws."""

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
) -> Chances:
    """The chance of (kills of each group…, shooters lost; 0 without ``losses``). Raises OddsError
    where it would take too long."""
    found = Sweep(firers, sizes, pack, losses=losses, most=most)
    ends = ((state, found.chance(state, weight)) for state, weight in found.states().items())
    return summed(((*kills, lost), chance) for (_, _, kills, lost), chance in ends)


def ends(
    firers: Sequence[Firer], sizes: Sequence[int], pack: Pack, cut: int, most: int = MOST_STEPS
) -> Iterator[tuple[tuple[int, ...], int, int, Fraction]]:
    """Kills of each group, cards left, those of them in ``cut``, and the chance. Raises as
    ``sweep``."""
    found = Sweep(firers, sizes, pack, most=most, cut=cut)
    for state, weight in found.states().items():
        cards, _, kills, _ = state
        of_cut = sum(n for n, part in zip(cards, found.parts, strict=True) if part & cut)
        yield kills, sum(cards), of_cut, found.chance(state, weight)


class Sweep:
    def __init__(
        self,
        firers: Sequence[Firer],
        sizes: Sequence[int],
        pack: Pack,
        *,
        losses: bool = False,
        most: int = MOST_STEPS,
        cut: int = 0,
    ) -> None:
        self.firers, self.sizes, self.pack = firers, tuple(sizes), pack
        self.most, self.steps = most, 0
        self.breaks = next((one.breaks for one in firers if one.tests), 0) if losses else 0
        # If the queen is shuffled in at once, she can be drawn twice in one shuffle.
        more = () if pack.aside else (self.breaks,)
        self.parts = classes(firers, cut, *more, whole=pack.left if pack.die else ALL_CARDS)
        self.shuffles = [self._begin(pack.now, 1)]
        self.next: dict[tuple[int, int], int] = {}
        self.look, self.took = min(GLIMPSE, most), [0]

    def _begin(self, cards: int, scale: int) -> Shuffle:
        counts = tuple((cards & part).bit_count() for part in self.parts)
        breaking = tuple((cards & part & self.breaks).bit_count() for part in self.parts)
        if self.pack.die:
            throws = len(self.firers) + any(one.repeat for one in self.firers) * sum(self.sizes)
            looks = DIE ** (2 * throws)
        else:
            looks = lcm(*(count for count in counts if count))
        return Shuffle(counts, breaking, looks, scale * looks)

    def _draw(self, state: _State, weight: int, without: int = 0) -> tuple[_State, int]:
        """The state ready for a draw: with a new shuffle, ``without`` a card, if the deck is
        empty."""
        cards, shuffle, kills, lost = state
        if self.pack.die:
            weight //= DIE
        elif not any(cards):
            old = self.shuffles[shuffle]
            at = self.next.setdefault((shuffle, without), len(self.shuffles))
            if at == len(self.shuffles):
                scale = old.scale * factorial(old.size)
                self.shuffles.append(self._begin(ALL_CARDS & ~without, scale))
            new = self.shuffles[at]
            state, weight = (new.cards, at, kills, lost), weight * new.looks
        self._count(len(state[0]))
        return state, weight

    def _rest(self, cards: _Cards, index: int) -> _Cards:
        if self.pack.die:
            return cards
        return (*cards[:index], cards[index] - 1, *cards[index + 1 :])

    def chance(self, state: _State, weight: int) -> Fraction:
        began = self.shuffles[state[1]]
        return Fraction(weight, began.scale * perm(began.size, began.size - sum(state[0])))

    def states(self) -> dict[_State, int]:
        first = self.shuffles[0]
        states: dict[_State, int] = {(first.cards, 0, (0,) * len(self.sizes), 0): first.looks}
        for one in self.firers:
            before = self.steps
            states = self._fire(one, states)
            self.took.append(self.steps - before)
        return states

    def _fire(self, one: Firer, states: dict[_State, int]) -> dict[_State, int]:
        """Merges chains with the same number of men standing and of men new to the shooter."""
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
        self, one: Firer, state: _State, weight: int, ends: Sequence[dict[_State, int]]
    ) -> None:
        """A miss, and a hit that uses up one new man or two."""
        (cards, shuffle, kills, lost), weight = self._draw(state, weight)
        group = one.group
        fallen = (*kills[:group], kills[group] + 1, *kills[group + 1 :])
        for index, count in enumerate(cards):
            if not count:
                continue
            part = self.parts[index]
            used = one.uses_up(part)
            after = self._rest(cards, index), shuffle, fallen if used else kills, lost
            if part & one.tests:
                self._second(after, part, weight * count, ends[used])
            else:
                ends[used][after] += weight * count

    def _second(self, state: _State, first: int, weight: int, then: dict[_State, int]) -> None:
        """The suits within a class are still unknown: a card of it is a spade as often as at the
        start of the shuffle."""
        state, weight = self._draw(state, weight, first if self.pack.aside else 0)
        cards, shuffle, kills, lost = state
        began = self.shuffles[shuffle]
        for index, count in enumerate(cards):
            if not count:
                continue
            rest, whole = self._rest(cards, index), weight * count
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
        """A lower bound of the steps, if no shooter takes fewer than the last one."""
        behind, left = sum(self.took), len(self.firers) - len(self.took) + 1
        return behind + left * max(self.took[-1], self.steps - behind)


# ------------------------------------------------------------------ pinned

# Each machinegun that fires requires a draw (P55), and a shooter without a target holds fire. But
# then nobody is left to be pinned. So if somebody is left, all have fired, and the chance of that
# is enough: the number of draws does not depend on the kills.


def pinning_draws(
    quality: Quality | None, die: bool, catalog: Catalog, rulings: Mapping[str, str]
) -> int:
    draws = FACES if die else DECK
    return bits(draw for draw in draws if is_pinned(quality, draw, catalog, rulings))


def pinned(
    quality: Quality | None,
    pack: Pack,
    catalog: Catalog,
    rulings: Mapping[str, str],
    times: int = 1,
) -> Fraction:
    """The chance to be pinned by one draw from ``pack`` for each machinegun."""
    pins = pinning_draws(quality, pack.die, catalog, rulings)
    now = pack.now
    if pack.die:
        return 1 - Fraction((now & ~pins).bit_count(), pack.count) ** times
    return 1 - _steady((now & ~pins).bit_count(), pack.count, pins, times)


@lru_cache(maxsize=64)
def by_one_deck(
    firers: tuple[Firer, ...], size: int, pack: Pack, pins: int, most: int = GLIMPSE
) -> tuple[Fraction, Fraction]:
    """The chances that somebody is left, and that he is left and pinned, if both sides draw from
    one deck. Raises OddsError beyond ``most`` steps."""
    left = both = Fraction(0)
    for kills, count, pinning, chance in ends(firers, [size], pack, pins, most):
        if kills[0] < size:
            left += chance
            both += chance * (1 - _steady(count - pinning, count, pins, len(firers)))
    return left, both


def _steady(safe: int, of: int, pins: int, times: int) -> Fraction:
    """The chance that no card pins: ``safe`` of the ``of`` left do not. An empty deck is
    shuffled."""
    found = Fraction(1)
    for _ in range(times):
        if not of:
            safe, of = (ALL_CARDS & ~pins).bit_count(), len(DECK)
        found *= Fraction(safe, of)
        if not found:
            break
        safe, of = safe - 1, of - 1
    return found
