"""The three terms of a score and their weighing: points killed, ground gained, points lost.

Points are prices of units. The fire of whoever can fire at several groups is shared out among them,
since players choose the better target, but not always.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from skirmish.games.plastic.commander.weights import RoleWeights, Temperament


class ScoreTerms(NamedTuple):
    """What an action brings and costs, in points: ``kill`` of the enemy's, ``ground`` toward
    victory, ``danger`` of one's own."""

    kill: float = 0.0
    ground: float = 0.0
    danger: float = 0.0

    @property
    def balance(self) -> float:
        """What is brought, less what it costs."""
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
        """Each of these terms, multiplied."""
        return ScoreTerms(
            self.kill * terms.kill, self.ground * terms.ground, self.danger * terms.danger
        )

    def value(self, terms: ScoreTerms) -> float:
        """What an action with these terms is worth, in points."""
        return self.weighed(terms).balance


# ------------------------------------------------------------------ who is shot at


def share_of_fire(here: float, elsewhere: Iterable[float], choosing: float) -> float:
    """What part of a shooter's fire comes to a group: ``here`` is what he would kill of it, in
    points, ``elsewhere`` what of each other group that he can fire at. ``choosing`` is the power by
    which he prefers the better one. 0 if he can kill nothing here.

    >>> share_of_fire(2, [2], choosing=2), share_of_fire(2, [1], choosing=2)
    (0.5, 0.8)
    """
    return share_drawn(here, pull_of(elsewhere, choosing), choosing)


def pull_of(elsewhere: Iterable[float], choosing: float) -> float:
    """How strongly other targets draw a shooter's fire: ``elsewhere`` is what he would kill of each
    of them, in points."""
    return sum(math.pow(value, choosing) for value in elsewhere)


def share_drawn(here: float, pull_away: float, choosing: float) -> float:
    """``share_of_fire`` where the pull of the other targets is known (``pull_of``)."""
    pull_here = math.pow(here, choosing)
    if not pull_here:
        return 0.0
    return pull_here / (pull_here + pull_away)


# ------------------------------------------------------------------ what is lost


def men_lost(men: int, kills: float) -> float:
    """How many of a group of ``men`` fall. ``kills``: the sum of what each shooter alone would
    kill; together they kill fewer, since the later ones find fewer men. So many kills, spread at
    random over the men, spare each with the chance exp(-kills / men).

    >>> round(men_lost(8, kills=1.8), 2)
    1.61
    """
    if not men:
        return 0.0
    return men * (1 - math.exp(-kills / men))


def chance_hit(chances: Iterable[float]) -> float:
    """The chance that at least one of these shots hits: then a model is lost, with everybody
    aboard."""
    chance_of_none = 1.0
    for chance in chances:
        chance_of_none *= 1 - chance
    return 1 - chance_of_none


def chance_by_men(men: float, chance: float) -> float:
    """The chance that at least one of so many ``men`` hits, each with the same ``chance``. On
    average a part of a man may be left.

    >>> round(chance_by_men(8, 5 / 24), 2)
    0.85
    """
    return 1 - math.pow(1 - chance, men)


# ------------------------------------------------------------------ strength


def duel_odds(own: int, own_chance: float, enemies: int, enemy_chance: float) -> float:
    """How much stronger one's models are in a duel, by Lanchester's square law: above 1 they win
    on average; infinite against 0 enemies. ``own_chance``, ``enemy_chance``: that one shot of a
    model hits.

    >>> round(duel_odds(10, 0.38, 7, 0.42), 1)
    1.8
    """
    strength, opposed = own**2 * own_chance, enemies**2 * enemy_chance
    if not opposed:
        return math.inf
    return strength / opposed


def points_lost(prices: Sequence[float], fallen: float) -> float:
    """What so many fallen are worth if the cheapest die first; a part of a man is a part of his
    price.

    >>> points_lost([5, 1, 1], fallen=2.5)
    4.5
    """
    lost = 0.0
    left = fallen
    for price in sorted(prices):
        part = max(0.0, min(left, 1.0))
        lost += part * price
        left -= part
    return lost
