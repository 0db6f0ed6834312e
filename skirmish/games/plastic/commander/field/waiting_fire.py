"""The fire of one side in its enemy's turn: while he moves (phase 1), and afterwards (phase 2).

Each weapon fires once in both phases together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from skirmish.games.plastic.commander.cells import CELL, GroundCell, apart
from skirmish.games.plastic.commander.field.forces import FieldForces, FieldGroup
from skirmish.games.plastic.commander.field.shots import FieldShots
from skirmish.games.plastic.commander.fire import FireTable, GunKey, Guns
from skirmish.games.plastic.commander.op_fire import FireLine, cells_between
from skirmish.games.plastic.rules.shot import Circumstances


class WaitingFire:
    """What a ``side`` fires in one turn of its enemy. ``lines``: what it waits for while he
    moves."""

    def __init__(
        self,
        side: str,
        lines: Sequence[FireLine],
        *,
        forces: FieldForces,
        shots: FieldShots,
        odds: FireTable,
    ) -> None:
        self._side = side
        self._lines = lines
        self._forces = forces
        self._shots = shots
        self._odds = odds
        self._times_fired: Counter[GunKey] = Counter()

    def groups_that_fired(self) -> set[str]:
        """The ids of the groups that have fired so far in this turn."""
        return {guns.group for guns, times in self._times_fired.items() if times}

    # ------------------------------------------------------------------ phase 1

    def fire_at_mover(self, mover: FieldGroup, end: GroundCell) -> GroundCell | None:
        """Fire at an enemy on its way to ``end``, wherever a line waits for it. Returns the cell
        in which it is pinned: the last before the one in which it was awaited. None if it gets on,
        or if nobody of it is left."""
        last_cell = mover.cell
        for cell in cells_between(mover.cell, end):
            for line in self._lines:
                awaited = line.enemy.group.id == mover.id and line.cell == cell
                if awaited and self._fire_until_pinned(mover, line):
                    return last_cell
            last_cell = cell
        return None

    def fire_at_charge(self, charging: FieldGroup, charged: str) -> None:
        """The group with the id ``charged`` fires at the enemy that comes over open ground, when he
        is a cell away."""
        for group in self._forces.present(self._side):
            if group.id == charged and self._may_fire(group):
                self._fire_all(group, charging, CELL, cover=False)

    def _fire_until_pinned(self, mover: FieldGroup, line: FireLine) -> bool:
        """The guns of a line fire one after another, until one of them pins the mover. Returns
        whether one does."""
        shooters = {group.id: group for group in self._forces.present(self._side)}
        for guns in line.guns:
            if not mover.alive:
                return False
            shooter = shooters.get(guns.stand.group.id)
            if shooter is None or not self._may_fire(shooter):
                continue
            has_fired = self._fire_one(guns, shooter, mover, line)
            if has_fired and self._shots.draw_for_pin(guns.weapon, mover):
                return True
        return False

    def _fire_one(self, guns: Guns, shooter: FieldGroup, mover: FieldGroup, line: FireLine) -> bool:
        """Fire one of these guns at a mover in the cell of the line; False if none is left that
        has not fired, or if the rules forbid the shot."""
        if self._times_fired[guns.key] >= shooter.able_to_fire(guns.unit.id):
            return False
        # Without cover: on its way a group is in the open.
        circumstances = Circumstances(distance=round(apart(shooter.cell, line.cell)))
        if not self._shots.shoot(guns.unit, guns.weapon, mover, circumstances):
            return False
        self._times_fired[guns.key] += 1
        return True

    # ------------------------------------------------------------------ phase 2

    def fire_the_rest(self, *, at_best: bool) -> None:
        """Everything that has not fired yet fires: ``at_best``, where it kills most, else at the
        nearest."""
        enemies = self._forces.present(self._forces.enemy_of(self._side))
        for group in self._forces.present(self._side):
            if not self._may_fire(group):
                continue
            for target in self._by_preference(group, enemies, at_best=at_best):
                if target.alive:
                    distance = apart(group.cell, target.cell)
                    self._fire_all(group, target, distance, cover=target.cover)

    def _by_preference(
        self, group: FieldGroup, enemies: Sequence[FieldGroup], *, at_best: bool
    ) -> list[FieldGroup]:
        """The enemies of whom a group can kill anybody, in the order in which it fires at them."""
        ranked = []
        for enemy in enemies:
            points = self._points_of_best_gun(group, enemy)
            if points > 0:
                preference = apart(group.cell, enemy.cell)
                if at_best:
                    preference = -points
                ranked.append(_RankedTarget(preference, enemy))
        return [target.group for target in sorted(ranked, key=_first_choice_first)]

    def _points_of_best_gun(self, group: FieldGroup, enemy: FieldGroup) -> float:
        """What the best weapon of a group kills of an enemy with one shot, in points."""
        points = 0.0
        for guns in self._odds.guns_of([group.stand]):
            points = max(points, self._odds.points_at_best_target(guns, enemy.stand))
        return points

    # ------------------------------------------------------------------ both phases

    def _may_fire(self, group: FieldGroup) -> bool:
        """Whoever touches an enemy does not fire at range."""
        return self._forces.touched_by(self._side, group) is None

    def _fire_all(
        self, group: FieldGroup, target: FieldGroup, distance: float, *, cover: bool
    ) -> None:
        """Fire all weapons of a group that have not fired yet, until the target is gone."""
        # Fire in phases 1 and 2 is judged alike; only pins differ, and those of the charged are
        # not played.
        circumstances = Circumstances(distance=round(distance), phase=2, cover=cover)
        for id in list(group.counts):
            unit = self._shots.catalog.units[id]
            for weapon in self._shots.catalog.weapons_of(unit, self._shots.rulings):
                key = GunKey(group.id, id, weapon.id)
                while self._times_fired[key] < group.able_to_fire(id) and target.alive:
                    if not self._shots.shoot(unit, weapon, target, circumstances):
                        break
                    self._times_fired[key] += 1


class _RankedTarget(NamedTuple):
    """A target of a group: the smaller its ``preference``, the sooner it is fired at."""

    preference: float
    group: FieldGroup


def _first_choice_first(target: _RankedTarget) -> tuple[float, str]:
    """The key to sort by. The id decides between equals, so that each run is the same."""
    return target.preference, target.group.id
