"""The numbers from which a plan is made: how much a group counts, and how far it has to go."""

from __future__ import annotations

from collections.abc import Sequence

from skirmish.games.plastic.commander.aims import Aims
from skirmish.games.plastic.commander.cells import CELL, FAR_OFF, GroundCell, apart
from skirmish.games.plastic.commander.moves import NEVER, mover_of
from skirmish.games.plastic.commander.paths import Mover, Paths
from skirmish.games.plastic.commander.situation import GroupKnown, Situation, Stand
from skirmish.games.plastic.rules.catalog import Catalog

AT_AN_OBJECTIVE = 2 * CELL
"""Inches from an objective within which the points of a group count there: it can fight for it in
one move."""
BARS_WITHIN = 24
"""Inches from a way out within which enemies bar it. Our choice."""
BARS_FROM = 0.15
"""Enemies who bar a way out are worth a fight if their points are at least this part of the side's
points; weaker ones can be driven past. Our choice."""


class GroupMeasures:
    """How much a group of either side counts, wherever it stands."""

    def __init__(self, catalog: Catalog, aims: Aims) -> None:
        self.catalog = catalog
        self._aims = aims

    def points(self, group: GroupKnown) -> float:
        """The price of a group and of whoever is aboard."""
        points = sum(unit.price for unit in group.units(self.catalog))
        return float(points + group.price_aboard(self.catalog))

    def men(self, group: GroupKnown) -> int:
        """How many men a group has, on foot and aboard."""
        riders = [rider for rider in group.riders(self.catalog) if rider.is_guy]
        return group.men_on_foot(self.catalog) + len(riders)

    def has_men_on_foot(self, group: GroupKnown) -> bool:
        """Whether any man of a group is outside its vehicles."""
        return group.men_on_foot(self.catalog) > 0

    def strength(self, group: GroupKnown) -> float:
        """How much a group counts at an objective that is held as a whole: its points where the
        enemy there is to be killed, else its men, or its models if it has no men."""
        if self._aims.by_points:
            return self.points(group)
        men = self.men(group)
        if men > 0:
            return men
        return sum(group.counts.values())

    def exit_strength(self, group: GroupKnown) -> int:
        """What a group and whoever is aboard count once they are off the table."""
        strength = 0
        for unit in [*group.units(self.catalog), *group.riders(self.catalog)]:
            toward_break_point = self.catalog.strength_of(unit)
            strength += self._aims.exit_worth.get(unit.id, toward_break_point)
        return strength


class TableMeasures:
    """How far groups are from the objectives of a side, and how strong each side is there."""

    def __init__(
        self, groups: GroupMeasures, paths: Paths, aims: Aims, inches_on_slopes: int | None
    ) -> None:
        """``inches_on_slopes``: how far anybody moves in a turn on slopes; None where the scenario
        does not limit that."""
        self.paths = paths
        self._groups = groups
        self._aims = aims
        self._inches_on_slopes = inches_on_slopes

    def mover(self, group: GroupKnown) -> Mover:
        """How a group moves on this table."""
        return mover_of(group, self._groups.catalog, self._inches_on_slopes)

    def eta(self, stand: Stand, cell: GroundCell) -> int:
        """The whole turns that a group takes to a cell; ``NEVER`` where there is no way."""
        eta = self.paths.eta(self.mover(stand.group), stand.cell, cell)
        if eta is None:
            return NEVER
        return eta

    def turns_to_nearest_objective(self, stand: Stand) -> int:
        """Whole turns to the nearest objective of the side; 0 if it has none."""
        etas = [self.eta(stand, objective.cell) for objective in self._aims.objectives]
        return min(etas, default=0)

    def points_at(self, stands: Sequence[Stand], cell: GroundCell) -> float:
        """The points of those of the groups that stand at an objective in this cell."""
        points = 0.0
        for stand in stands:
            if apart(stand.cell, cell) <= AT_AN_OBJECTIVE:
                points += self._groups.points(stand.group)
        return points

    def barring_the_way_out(self, situation: Situation) -> list[Stand]:
        """The enemies who stand before a way out; none if together they are too weak to stop those
        who want to leave. Only for a side that has to leave the table."""
        # The objectives of such a side are the places where it may leave.
        ways_out = self._aims.objectives
        barring = []
        for enemy in situation.enemies:
            inches = [apart(enemy.cell, way_out.cell) for way_out in ways_out]
            if min(inches, default=FAR_OFF) <= BARS_WITHIN:
                barring.append(enemy)
        points = sum(self._groups.points(enemy.group) for enemy in barring)
        own_points = sum(self._groups.points(stand.group) for stand in situation.own)
        if points < BARS_FROM * own_points:
            return []
        return barring
