"""The odds of a volley: the one door, whatever is fired, at whom, with cards or with dice.

Behind it are four ways, all exact. ``nested`` takes any mixture while the deck lasts,
``running_out`` one group where it may not, ``_with_die`` the die, and ``sweep`` everything else
that is not too mixed. A volley that none of them can take in seconds is refused with a sentence.
"""

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
    firer,
    single_shots,
    sparing,
)
from skirmish.games.plastic.odds.pack import ALL_FACES, OddsError, Pack
from skirmish.games.plastic.odds.sweep import classes, sweep
from skirmish.games.plastic.rules.catalog import DIE
from skirmish.games.plastic.rules.shot import Aim

_FEW = 3
"""Classes of cards with which plain reckoning is the quicker way through a shuffle."""

Chances = dict[tuple[int, ...], Fraction]


def volley(
    firers: Sequence[Firer], sizes: Sequence[int], pack: Pack, losses: bool = False
) -> VolleyOutcome:
    """What these shooters, in this order, can do to groups of these sizes; a shooter whose group
    has fallen holds his fire. ``losses``: also who is lost to breakdowns. Raises OddsError (a
    sentence) where the question makes no sense or cannot be reckoned exactly in seconds."""
    check(firers, sizes)
    firers = sparing(firers, sizes, pack)
    sizes = enough(firers, sizes, pack)
    if not losses:
        return VolleyOutcome(_kills(firers, sizes, pack))
    whole = _losses(firers, sizes, pack)
    return VolleyOutcome(_without_last(whole), whole)


def repeat_chain(aim: Aim, targets: int, pack: Pack) -> VolleyOutcome:
    """One shooter at so many men in reach, until he misses or none is left; a weapon without
    repeat fire has its one shot."""
    return volley([firer(aim, die=pack.die)], [targets], pack, losses=True)


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
    """Whether a volley must be followed shot by shot: somebody may be spared, so that it tells who
    fires first; or a card can kill and break down at once (the rules have no such weapon)."""
    return any(one.spared or one.tests & other.hits for one in firers for other in firers)


def _without_last(chances: Chances) -> Chances:
    found: Chances = {}
    for key, chance in chances.items():
        found[key[:-1]] = found.get(key[:-1], Fraction(0)) + chance
    return found


# ------------------------------------------------------------------ with the die


UNIT = DIE * DIE
"""Every throw is reckoned with the second one that a breakdown may ask for."""

_State = tuple[tuple[int, ...], int]
MOST_STEPS = 300_000
"""Throws followed until a volley is given up: some 2 seconds."""


def _with_die(
    firers: Sequence[Firer], sizes: Sequence[int], losses: bool
) -> dict[tuple[int, ...], Fraction]:
    """The chance of (kills of each group…, shooters lost); nobody is lost without ``losses``.
    Raises OddsError where it would take too long."""
    most = sum(min(one.longest, sizes[one.group]) for one in firers)
    most = min(most, len(firers) + sum(sizes))
    whole: int = UNIT**most
    if steps(firers, sizes, losses) > MOST_STEPS:
        raise OddsError("This volley has too many ends: ask for fewer groups at a time.")
    states: dict[_State, int] = {((0,) * len(sizes), 0): whole}
    for one in firers:
        states = _fire(one, sizes[one.group], _faces(one, losses), states)
    return {(*kills, lost): Fraction(ways, whole) for (kills, lost), ways in sorted(states.items())}


def steps(firers: Sequence[Firer], sizes: Sequence[int], losses: bool) -> int:
    """How many ends of the volley so far will be gone on from, shooter by shooter: every number
    of kills in each group, with every number of shooters lost."""
    most, lost, found = [0] * len(sizes), 0, 0
    for one in firers:
        size = sizes[one.group]
        ends = prod(kills + 1 for kills in most) * (lost + 1)
        chains = size // 2 + 1 if one.spared else 1 if one.longest >= size else one.longest
        found += ends * chains
        most[one.group] = min(size, most[one.group] + one.longest)
        lost += bool(losses and one.tests)
    return found


def _fire(
    one: Firer,
    size: int,
    faces: dict[tuple[int, bool], int],
    states: dict[_State, int],
) -> dict[_State, int]:
    """A shooter's whole chain, as ``sweep`` goes through it. Ways begin as so high a power of
    ``UNIT`` that every throw can be shared out without a rest."""
    group = one.group
    done: dict[_State, int] = defaultdict(int)
    levels: list[dict[tuple[_State, int], int]] = [defaultdict(int) for _ in range(size + 1)]
    for state, ways in states.items():
        fallen = state[0][group]
        levels[fallen][state, one.begins(size - fallen)] += ways
    for level, waiting in enumerate(levels):
        for (state, new), ways in waiting.items():
            if not new:
                done[state] += ways
                continue
            kills, lost = state
            more = tuple(n + (g == group) for g, n in enumerate(kills))
            each = ways // UNIT
            for (used, broken), share in faces.items():
                then = (more if used else kills, lost + broken)
                if used:
                    levels[level + 1][then, one.left(new, used, size - level - 1)] += each * share
                else:
                    done[then] += each * share
    return done


def _faces(one: Firer, losses: bool) -> dict[tuple[int, bool], int]:
    """In how many of ``UNIT`` double throws there is (so many new men used up, the weapon lost)."""
    broken = (one.breaks & ALL_FACES).bit_count() if losses else 0
    found: dict[tuple[int, bool], int] = defaultdict(int)
    for index in range(DIE):
        used, tests = one.uses_up(1 << index), bool(one.tests >> index & 1)
        lost = broken if tests else 0
        found[used, True] += lost
        found[used, False] += DIE - lost
    return {key: ways for key, ways in found.items() if ways}
