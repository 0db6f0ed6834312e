"""The odds of a volley: the one door, whatever is fired, at whom, with cards or with dice.

Behind it are four ways, all exact. ``nested`` takes any mixture while the deck lasts,
``running_out`` one group where it may not, ``dice`` the die, and ``sweep`` everything else that is
not too mixed. A volley that none of them can take in seconds is refused with a sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from skirmish.games.plastic.odds import dice, nested, running_out
from skirmish.games.plastic.odds.firers import (
    Firer,
    Outcome,
    check,
    enough,
    firer,
    single_shots,
    sparing,
)
from skirmish.games.plastic.odds.pack import Pack
from skirmish.games.plastic.odds.sweep import classes, sweep
from skirmish.games.plastic.rules.shot import Aim

_FEW = 3
"""Classes of cards with which plain reckoning is the quicker way through a shuffle."""

Chances = dict[tuple[int, ...], Fraction]


def volley(
    firers: Sequence[Firer], sizes: Sequence[int], pack: Pack, losses: bool = False
) -> Outcome:
    """What these shooters, in this order, can do to groups of these sizes; a shooter whose group
    has fallen holds his fire. ``losses``: also who is lost to breakdowns. Raises OddsError (a
    sentence) where the question makes no sense or cannot be reckoned exactly in seconds."""
    check(firers, sizes)
    firers = sparing(firers, sizes, pack)
    sizes = enough(firers, sizes, pack)
    if not losses:
        return Outcome(_kills(firers, sizes, pack))
    whole = _losses(firers, sizes, pack)
    return Outcome(_without_last(whole), whole)


def repeat_chain(aim: Aim, targets: int, pack: Pack) -> Outcome:
    """One shooter at so many men in reach, until he misses or none is left; a weapon without
    repeat fire has its one shot."""
    return volley([firer(aim, die=pack.die)], [targets], pack, losses=True)


def _kills(firers: Sequence[Firer], sizes: Sequence[int], pack: Pack) -> Chances:
    if pack.die:
        return _without_last(dice.volley(firers, sizes, losses=False))
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
        return dice.volley(firers, sizes, losses=True)
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
