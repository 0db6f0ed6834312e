"""Dice for a whole batch: what a throw comes to for every game, with what its beach adds."""

from __future__ import annotations

import numpy as np

from skirmish.games.beach_head.simulate.dice import Chance
from skirmish.games.beach_head.simulate.positions import Numbers
from skirmish.games.beach_head.simulate.programme import Programme, Throw, rows


class Rolls:
    """The beaches of a batch (rows x games), whose they are, and their dice."""

    def __init__(self, programme: Programme, matrix: Numbers, chance: Chance) -> None:
        self.programme, self.matrix, self.chance = programme, matrix, chance
        self.at = rows(programme)
        self.ids = np.arange(matrix.shape[1])

    def roll(self, throw: Throw) -> Numbers:
        """What the dice come to for every game, never below 0."""
        count = len(self.ids)
        total = self.chance.faces(count).copy()
        for _ in range(throw.dice - 1):
            total += self.chance.faces(count)
        if throw.plus:
            total += np.int16(throw.plus)
        least = throw.dice + throw.plus
        programme, at, matrix = self.programme, self.at, self.matrix
        if throw.traps:
            row = at.traps_at_turn if programme.traps_at_turn else programme.traps
            total += np.int16(throw.traps) * (matrix[row] > 0)
            least += min(0, throw.traps)
        if throw.craft_hit:
            hits = matrix[at.craft_before]
            total += np.int16(throw.craft_hit) * (hits if programme.craft_each else hits > 0)
            least = -1
        if throw.half_bunkers or throw.no_bunkers:
            total += self.bunkers(throw)
            least += min(0, throw.half_bunkers) + min(0, throw.no_bunkers)
        if throw.per_dozen:
            row = at.squads_at_turn if programme.squads_at_turn else at.squads
            total += np.int16(throw.per_dozen) * (matrix[row] // np.int16(programme.dozen))
        return np.maximum(total, 0) if least < 0 else total

    def bunkers(self, throw: Throw) -> Numbers:
        """What half the bunkers, or none of them, add (B3)."""
        programme = self.programme
        left = self.matrix[programme.bunkers]
        half = left <= programme.points[programme.bunkers] // 2
        gone = left == 0
        if throw.no_bunkers and not programme.bunkers_add_up:
            half = half & ~gone
        found: Numbers = np.int16(throw.half_bunkers) * half + np.int16(throw.no_bunkers) * gone
        return found
