"""Who has won on the field, by the terms of the scenario."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import TypeAlias

from skirmish.games.plastic.commander.cells import CellGrid, GroundCell, apart
from skirmish.games.plastic.commander.field.forces import FieldForces
from skirmish.games.plastic.commander.objectives import objectives_of
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.scenarios.victory_terms import (
    Clear,
    CountAtEnd,
    Destroy,
    DestroyThenExit,
    ExitTable,
    HoldBuildings,
    HoldRatio,
    Survivors,
)
from skirmish.tabletop.battlefield import Battlefield

_TermsOfOneSide: TypeAlias = (
    Clear | Destroy | DestroyThenExit | ExitTable | HoldBuildings | HoldRatio
)
"""Terms that one side meets, or fails."""


class FieldVictory:
    """Watches who holds the ground that decides, and says who has won in the end."""

    def __init__(
        self, scenario: Scenario, forces: FieldForces, grid: CellGrid, catalog: Catalog
    ) -> None:
        self._scenario = scenario
        self._forces = forces
        self._catalog = catalog
        objectives = objectives_of(
            scenario.victory, scenario.map or Battlefield(), grid, scenario.table.up
        )
        self._deciding = [objective.cell for objective in objectives if not objective.way_out]
        self._last_holders: dict[GroundCell, str] = {}

    def note_holders(self) -> None:
        """Note who is alone in a building now: it is his until the enemy alone is there."""
        for cell in self._deciding:
            holders = [side for side in self._forces.sides if self._forces.men_in(side, {cell})]
            if len(holders) == 1:
                self._last_holders[cell] = holders[0]

    def winner(self) -> str | None:
        """The side that has won as things stand; None for a draw."""
        victory = self._scenario.victory
        first, second = self._forces.sides
        match victory:
            case CountAtEnd():
                men = {side: self._forces.men_in(side, self._deciding) for side in (first, second)}
                return self._who_has_more(men, if_equal=victory.equal)
            case Survivors():
                units = victory.units
                left = {side: self._forces.number_left(side, units) for side in (first, second)}
                return self._who_has_more(left, if_equal=None)
        if self._meets(victory):
            return victory.side
        return self._forces.enemy_of(victory.side)

    def _who_has_more(self, numbers: Mapping[str, int], *, if_equal: str | None) -> str | None:
        """The side with the higher number; ``if_equal``: the side that wins a tie, None for a
        draw."""
        first, second = self._forces.sides
        if numbers[first] > numbers[second]:
            return first
        if numbers[second] > numbers[first]:
            return second
        return if_equal

    def _meets(self, victory: _TermsOfOneSide) -> bool:
        """Whether the side that has to meet these terms does so."""
        held = Counter(self._last_holders.values())
        exited = self._forces.exited[victory.side]
        match victory:
            case HoldBuildings():
                return held[victory.side] >= victory.need
            case HoldRatio():
                enemy = self._forces.enemy_of(victory.side)
                # Twice nothing is no victory: at least one has to be held.
                return held[victory.side] >= max(1, victory.ratio * held[enemy])
            case Clear():
                return self._is_clear(victory)
            case ExitTable():
                return self._strength_exited(victory) >= self._strength_needed(victory)
            case Destroy():
                return self._has_destroyed(victory)
            case DestroyThenExit():
                enough_left = exited[victory.then.unit] >= victory.then.need
                return self._has_destroyed(victory) and enough_left

    def _is_clear(self, victory: Clear) -> bool:
        """Whether nobody of the side that is to be driven off is near the place."""
        [place] = self._deciding
        for group in self._forces.present(victory.of):
            if apart(group.cell, place) <= victory.within_in:
                return False
        return True

    def _has_destroyed(self, victory: Destroy | DestroyThenExit) -> bool:
        """Whether the side has destroyed enough of the unit that the terms name."""
        enemy = self._forces.enemy_of(victory.side)
        return self._forces.number_destroyed(enemy, victory.unit) >= victory.need

    def _strength_exited(self, victory: ExitTable) -> int:
        """What is off the table: each unit with the weight that the terms give it, or else what it
        counts toward the break point."""
        strength = 0
        for id, count in self._forces.exited[victory.side].items():
            unit = self._catalog.units[id]
            strength += count * victory.weights.get(unit.id, self._catalog.strength_of(unit))
        return strength

    def _strength_needed(self, victory: ExitTable) -> int:
        """What has to be off the table, counted in the same way."""
        if victory.need is not None:
            return victory.need
        # "Half their force": what each unit counts toward the break point, since no terms that ask
        # for a share have weights.
        strength = 0
        for id, count in self._scenario.side(victory.side).units().items():
            strength += count * self._catalog.strength_of(self._catalog.units[id])
        return math.ceil(strength / 2)
