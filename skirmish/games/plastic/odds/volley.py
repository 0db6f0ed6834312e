"""The odds of a volley, four ways, all exact: ``nested`` takes any mixture while the deck lasts,
``running_out`` one group where it may not, ``_with_die`` the die, ``sweep`` all else that is not
too mixed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from math import prod

from skirmish.games.plastic.odds import nested, running_out
from skirmish.games.plastic.odds.firers import (
    Firer,
    VolleyOutcome,
    check,
    enough,
    single_shots,
    sparing,
    summed,
)
from skirmish.games.plastic.odds.pack import ALL_FACES, OddsError, Pack
from skirmish.games.plastic.odds.sweep import classes, sweep
from skirmish.games.plastic.rules.catalog import DIE

_FEW = 3
"""Classes of cards with which plain reckoning is the quicker way through a shuffle."""

Chances = dict[tuple[int, ...], Fraction]


def volley(
    firers: Sequence[Firer], sizes: Sequence[int], pack: Pack, losses: bool = False
) -> VolleyOutcome:
    """What these shooters, in this order, can do to groups of these sizes; a shooter whose group
    has fallen holds his fire. Raises OddsError where that makes no sense or takes more than
    seconds."""
    check(firers, sizes)
    firers = sparing(firers, sizes, pack)
    sizes = enough(firers, sizes, pack)
    if not losses:
        return VolleyOutcome(_kills(firers, sizes, pack))
    whole = _losses(firers, sizes, pack)
    return VolleyOutcome(_without_last(whole), whole)


def _kills(firers: Sequence[Firer], sizes: Sequence[int], pack: Pack) -> Chances:
    if pack.die:
        return _without_last(_with_die(firers, sizes, losses=False))
    if len(sizes) == 1 and single_shots(firers):
        return nested.alike(firers[0].hits, len(firers), sizes[0], pack.now)
    if _in_order(firers):
        return _without_last(sweep(firers, sizes, pack, losses=False))
    if nested.most_draws(firers, sizes) <= pack.count:
        return nested.kills(firers, sizes, pack.now)
    if len(sizes) > 1 or len(classes(firers)) <= _FEW:
        return _without_last(sweep(firers, sizes, pack, losses=False))
    return running_out.kills(firers, sizes[0], pack)


def _losses(firers: Sequence[Firer], sizes: Sequence[int], pack: Pack) -> Chances:
    if pack.die:
        return _with_die(firers, sizes, losses=True)
    lasts = nested.most_draws(firers, sizes) <= pack.count
    if lasts and len(sizes) == 1 and not _in_order(firers):
        return nested.losses(firers, sizes[0], pack.now)
    return sweep(firers, sizes, pack)


def _in_order(firers: Sequence[Firer]) -> bool:
    """Whether it must be followed shot by shot: somebody may be spared, or a card can kill and
    break down at once."""
    return any(one.spared or one.tests & other.hits for one in firers for other in firers)


def _without_last(chances: Chances) -> Chances:
    return summed((key[:-1], chance) for key, chance in chances.items())


# ------------------------------------------------------------------ with the die


UNIT = DIE * DIE
"""Every throw is reckoned with the second one that a breakdown may ask for."""
MOST_STEPS = 300_000


def _with_die(firers: Sequence[Firer], sizes: Sequence[int], losses: bool) -> Chances:
    """Throws do not hang on one another, nor does what befalls the groups."""
    own = [[one for one in firers if one.group == group] for group in range(len(sizes))]
    ends = prod(size + 1 for size in sizes) * (1 + losses * len(firers))
    work = sum(_work(some, size, losses) for some, size in zip(own, sizes, strict=True))
    if max(ends, work) > MOST_STEPS:
        raise OddsError("This volley has too many ends: ask for fewer groups at a time.")
    joint: Chances = {(0,): Fraction(1)}
    for some, size in zip(own, sizes, strict=True):
        found: Chances = defaultdict(Fraction)
        for (kills, lost), share in _in_group(some, size, losses).items():
            for (*before, others), chance in joint.items():
                found[*before, kills, others + lost] += chance * share
        joint = found
    return dict(sorted(joint.items()))


def _work(firers: Sequence[Firer], size: int, losses: bool) -> int:
    """How many ends will be gone on from, shooter by shooter."""
    most = lost = found = 0
    for one in firers:
        chains = size // 2 + 1 if one.spared else 1 if one.longest >= size else one.longest
        found += (most + 1) * (lost + 1) * chains
        most = min(size, most + one.longest)
        lost += bool(losses and one.tests)
    return found


def _in_group(firers: Sequence[Firer], size: int, losses: bool) -> dict[tuple[int, int], Fraction]:
    """The chance of (kills, shooters lost). Ways begin as so high a power of ``UNIT`` that every
    throw can be shared out."""
    most = sum(min(one.longest, size) for one in firers)
    whole: int = UNIT ** min(most, len(firers) + size)
    states = {(0, 0): whole}
    for one in firers:
        faces = _faces(one, losses)
        done: dict[tuple[int, int], int] = defaultdict(int)
        levels: list[dict[tuple[int, int], int]] = [defaultdict(int) for _ in range(size + 1)]
        for (kills, lost), ways in states.items():
            levels[kills][lost, one.begins(size - kills)] += ways
        for kills, waiting in enumerate(levels):
            for (lost, new), ways in waiting.items():
                if not new:
                    done[kills, lost] += ways
                    continue
                for (used, broken), share in faces.items():
                    then, end = ways // UNIT * share, lost + broken
                    if used:
                        levels[kills + 1][end, one.left(new, used, size - kills - 1)] += then
                    else:
                        done[kills, end] += then
        states = done
    return {key: Fraction(ways, whole) for key, ways in states.items()}


def _faces(one: Firer, losses: bool) -> dict[tuple[int, bool], int]:
    """In how many of ``UNIT`` double throws (so many new men are used up, the weapon is lost)."""
    broken = (one.breaks & ALL_FACES).bit_count() if losses else 0
    found: dict[tuple[int, bool], int] = defaultdict(int)
    for index in range(DIE):
        used, tests = one.uses_up(1 << index), bool(one.tests >> index & 1)
        lost = broken if tests else 0
        found[used, True] += lost
        found[used, False] += DIE - lost
    return {key: ways for key, ways in found.items() if ways}
