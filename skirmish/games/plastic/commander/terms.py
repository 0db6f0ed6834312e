"""The three terms of a score (points killed, ground gained, points lost), how they are weighed, and
the formulas by which kills and losses are estimated. Points are prices of units."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from skirmish.games.plastic.commander.weights import RoleWeights, Temperament


class ScoreTerms(NamedTuple):
    """What an action brings and costs, in points: ``kill``, the enemy's losses; ``ground``, what is
    gained toward victory; ``danger``, one's own losses."""

    kill: float = 0.0
    ground: float = 0.0
    danger: float = 0.0

    @property
    def balance(self) -> float:
        """What the action brings, less what it costs."""
        return self.kill + self.ground - self.danger


class Scales(NamedTuple):
    """The factors by which the three terms are multiplied for one group at one moment."""

    kill: float
    ground: float
    danger: float

    @classmethod
    def of(cls, temperament: Temperament, role: RoleWeights, danger_counts: float = 1.0) -> Scales:
        """The factors of a group with this role; ``danger_counts``: the part of its danger that
        counts, which is less for a group in a hurry (``Urgency``)."""
        return cls(
            kill=role.kill * temperament.kill,
            ground=role.ground * temperament.ground,
            danger=role.danger * temperament.danger * danger_counts,
        )

    def weighed(self, terms: ScoreTerms) -> ScoreTerms:
        """Each of these terms, multiplied by its factor."""
        return ScoreTerms(
            self.kill * terms.kill, self.ground * terms.ground, self.danger * terms.danger
        )


# ------------------------------------------------------------------ who is shot at

# A shooter who can fire at several targets is taken to divide his fire among them in proportion to
# the pull of each, since players choose the better target more often, but not always.


def pull_of(kills: Iterable[float], choosing_exponent: float) -> float:
    """How strongly some targets draw a shooter's fire. ``kills``: what he would kill of each of
    them, in points; ``choosing_exponent``: the power by which he prefers the better target
    (``FireWeights``)."""
    return sum(math.pow(points, choosing_exponent) for points in kills)


def share_drawn(kills: float, pull_away: float, choosing_exponent: float) -> float:
    """The part of a shooter's fire that comes to a target; 0 if he can kill nothing of it.
    ``kills``: what he would kill of it, in points; ``pull_away``: how strongly all other targets at
    which he can fire draw his fire together (``pull_of``).

    >>> share_drawn(2, pull_of([2], choosing_exponent=2), choosing_exponent=2)
    0.5
    >>> share_drawn(2, pull_of([1], choosing_exponent=2), choosing_exponent=2)
    0.8
    """
    pull_here = math.pow(kills, choosing_exponent)
    if pull_here == 0:
        return 0.0
    return pull_here / (pull_here + pull_away)


# ------------------------------------------------------------------ what is lost


def men_lost(men: int, kills: float) -> float:
    """How many of a group of ``men`` fall. ``kills``: the sum of what each shooter alone would
    kill. Together they kill fewer, since later shooters find fewer men: if the kills are spread at
    random, each man is spared with the chance exp(-kills / men).

    >>> round(men_lost(8, kills=1.8), 2)
    1.61
    """
    if men == 0:
        return 0.0
    return men * (1 - math.exp(-kills / men))


def chance_hit(chances: Iterable[float]) -> float:
    """The chance that at least one of these shots hits, by which a model is lost with everybody
    aboard."""
    chance_of_none = 1.0
    for chance in chances:
        chance_of_none *= 1 - chance
    return 1 - chance_of_none


def chance_by_men(men: float, chance: float) -> float:
    """The chance that at least one of so many ``men`` hits, each with the same ``chance``. ``men``
    is an average, so it need not be whole.

    >>> round(chance_by_men(8, 5 / 24), 2)
    0.85
    """
    return 1 - math.pow(1 - chance, men)


# ------------------------------------------------------------------ strength


def duel_odds(own: int, own_chance: float, enemies: int, enemy_chance: float) -> float:
    """How much stronger a side is in a duel of models, by Lanchester's square law: above 1 it wins
    on average; infinite against no enemies. ``own``, ``enemies``: the numbers of models;
    ``own_chance``, ``enemy_chance``: the chances that a single shot of each hits.

    >>> round(duel_odds(10, 0.38, 7, 0.42), 1)
    1.8
    """
    own_strength = own**2 * own_chance
    enemy_strength = enemies**2 * enemy_chance
    if enemy_strength == 0:
        return math.inf
    return own_strength / enemy_strength


def points_lost(prices: Sequence[float], fallen: float) -> float:
    """What so many fallen are worth. The cheapest die first, since the owner chooses who dies; of a
    part of a man the same part of his price is lost.

    >>> points_lost([5, 1, 1], fallen=2.5)
    4.5
    """
    lost = 0.0
    still_to_fall = fallen
    for price in sorted(prices):
        part_of_man = max(0.0, min(still_to_fall, 1.0))
        lost += part_of_man * price
        still_to_fall -= part_of_man
    return lost
