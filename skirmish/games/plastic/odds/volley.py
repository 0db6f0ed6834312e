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
    found: Chances = {}
    for key, chance in chances.items():
        found[key[:-1]] = found.get(key[:-1], Fraction(0)) + chance
    return found


# ------------------------------------------------------------------ with the die


UNIT = DIE * DIE

_State = tuple[tuple[int, ...], int]
MOST_STEPS = 300_000


def _with_die(
    firers: Sequence[Firer], sizes: Sequence[int], losses: bool
) -> dict[tuple[int, ...], Fraction]:
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
    """How many ends will be gone on from: every number of kills in each group, and of shooters
    lost."""
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
    """As in ``sweep``. Ways begin as so high a power of ``UNIT`` that every throw can be shared
    out."""
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
    """In how many of ``UNIT`` double throws (so many new men are used up, the weapon is lost)."""
    broken = (one.breaks & ALL_FACES).bit_count() if losses else 0
    found: dict[tuple[int, bool], int] = defaultdict(int)
    for index in range(DIE):
        used, tests = one.uses_up(1 << index), bool(one.tests >> index & 1)
        lost = broken if tests else 0
        found[used, True] += lost
        found[used, False] += DIE - lost
    return {key: ways for key, ways in found.items() if ways}
