"""Where groups can go in a turn, and what it is worth that several of them go there at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from skirmish.games.plastic.commander.cells import GroundCell
from skirmish.games.plastic.commander.danger import Danger
from skirmish.games.plastic.commander.firepower import Firepower
from skirmish.games.plastic.commander.ground import TableGround
from skirmish.games.plastic.commander.paths import Mover, Paths
from skirmish.games.plastic.commander.situation import GroupKnown, Situation, Stand
from skirmish.games.plastic.commander.terms import Scales, ScoreTerms
from skirmish.games.plastic.commander.weights import CommanderWeights, RoleId, Temperament
from skirmish.games.plastic.rules.catalog import Catalog

NEVER = 999
"""Turns to where there is no way: more than any battle has."""
TermName: TypeAlias = Literal["kill", "ground", "danger"]
"""The field of ``ScoreTerms`` that is given as a reason."""
TERM_NAMES: tuple[TermName, ...] = ("kill", "ground", "danger")
"""The terms, the more important to players first: of two that speak for an action equally, the
first is given as the reason."""


class GroupTask(NamedTuple):
    """What a group is to do: to be at its goal in time."""

    role: RoleId
    mover: Mover
    """How it moves."""
    goal: GroundCell
    """The cell of its objective."""
    worth: float
    """The points that it is worth to be there in time."""
    turns_left: int
    """The turns that it has for that, this one included."""
    fought_for: bool = False
    """The enemy is in the way, so that it takes longer than the way alone."""
    ward: str = ""
    """The name of the group with which it goes, or which it is to serve; empty for none. The goal
    is then where that group stands."""

    @property
    def turns_left_afterwards(self) -> int:
        """The turns that are left when this one is over."""
        return self.turns_left - 1

    def whole_turns_to_goal(self, cell: GroundCell, paths: Paths) -> int:
        """Turns from a cell to the goal in whole turns, as they are played; where there is no way,
        ``NEVER``."""
        eta = paths.eta(self.mover, cell, self.goal)
        if eta is None:
            return NEVER
        return eta

    def turns_to_spare(self, cell: GroundCell, paths: Paths) -> int:
        """Turns to spare on the way from a cell to the goal; below 0 the group is late."""
        return self.turns_left - self.whole_turns_to_goal(cell, paths)


class ActionScore(NamedTuple):
    """What an action is worth to a group: its ``value`` in points, and the terms of which that
    consists, each ``weighed`` for the group (``Scales``). Only ``best_order`` adds something else
    to the value: what it counts to go on with the last order."""

    value: float
    weighed: ScoreTerms

    def main_reason_against(self, other: ActionScore) -> TermName:
        """The term in which this score is most ahead of another one: the reason to give."""
        advantages: dict[TermName, float] = {
            "kill": self.weighed.kill - other.weighed.kill,
            "ground": self.weighed.ground - other.weighed.ground,
            "danger": other.weighed.danger - self.weighed.danger,
        }
        return max(TERM_NAMES, key=lambda name: advantages[name])


class ScoredStand(NamedTuple):
    """Where a group is after a move, or if it stays, and what that is worth to it."""

    stand: Stand
    score: ActionScore


class Moves:
    """The moves of one side on one table, scored by fire, danger and the way to its objectives."""

    def __init__(
        self,
        ground: TableGround,
        paths: Paths,
        danger: Danger,
        firepower: Firepower,
        *,
        weights: CommanderWeights,
        temperament: Temperament,
    ) -> None:
        self._ground = ground
        self._paths = paths
        self._danger = danger
        self._firepower = firepower
        self._weights = weights
        self._temperament = temperament

    def wave(self, situation: Situation, tasks: Mapping[str, GroupTask]) -> dict[str, ScoredStand]:
        """Where each group is, by its id, if all of them make a full move toward their objectives
        at once, and what that is worth; without groups that cannot come nearer."""
        stands = []
        for group, task in tasks.items():
            # From the objective back: a way is as long in both directions.
            turns_from = self._paths.turns(task.mover, task.goal)
            places = self.places(situation, group, task)
            nearest = min(places, key=lambda place: turns_from.get(place.cell, NEVER))
            if nearest.cell != situation.own_stand(group).cell:
                stands.append(nearest)
        scores = self.scores(situation, stands, tasks)
        return {stand.group.id: ScoredStand(stand, scores[stand.group.id]) for stand in stands}

    def places(self, situation: Situation, group: str, task: GroupTask) -> list[Stand]:
        """Where a group can be at the end of its move. The first is where it stands."""
        here = situation.own_stand(group)
        places = [here]
        if here.group.waiting:
            return places  # it cannot move before it is served
        for cell in self._paths.cells_to_head_for(task.mover, here.cell):
            if cell != here.cell:
                places.append(Stand(here.group, cell, self._ground.in_cover(cell)))
        return places

    def scores(
        self, situation: Situation, moved: Sequence[Stand], tasks: Mapping[str, GroupTask]
    ) -> dict[str, ActionScore]:
        """What it is worth to each of these groups, by its id, that all of them move, or stay, at
        once. ``moved``: where each of them is then."""
        after = situation.after(*moved)
        points_lost: dict[str, float] = {}
        parts_left: dict[str, float] = {}
        for stand in moved:
            group = stand.group.id
            exposed_on_way = self._exposed_on_way(situation, stand)
            points_lost[group] = self._danger.points(after, group, exposed_on_way)
            parts_left[group] = self._danger.part_left(stand.group, points_lost[group])
        points_killed = self._firepower.points(after, list(points_lost), parts_left)
        # They fire only in the enemy's turn, when he may have left.
        foreseen = self._weights.fire.foreseen * points_killed
        scores = {}
        for stand in moved:
            group = stand.group.id
            task = tasks[group]
            here = situation.own_stand(group)
            # What they kill together is divided equally among them.
            kill = foreseen / len(moved)
            ground = self.ground_gained(here, stand, task)
            terms = ScoreTerms(kill, ground, points_lost[group])
            scores[group] = self.score(terms, task, here)
        return scores

    def _exposed_on_way(self, situation: Situation, stand: Stand) -> list[Stand]:
        """Where a group is easier to hit on its way to a stand than it is there."""
        before = situation.own_stand(stand.group.id)
        if before.cell == stand.cell:
            return []  # it does not move
        if not stand.cover:
            return []  # it ends in the open, where it is as easy to hit as on the way
        if before.cover:
            return []  # from cover to cover it is supposed never to leave it
        return [stand._replace(cover=False)]  # its last steps before the cover are in the open

    def ground_gained(self, before: Stand, after: Stand, task: GroupTask) -> float:
        """What the move is worth toward the objective, in points: by how much it raises the chance
        to be there in time, compared with staying."""
        in_time = self._weights.chances(fought_for=task.fought_for)
        # A move takes this turn, and more where it leads over a corner or up a slope.
        turns_taken = 1.0
        if after.cell != before.cell:
            # Where there is no such way, the move is taken to need just this turn.
            way = self._paths.turns(task.mover, before.cell).get(after.cell, 1.0)
            turns_taken = max(1.0, way)
        spare_if_it_stays = task.turns_left_afterwards - self._turns_to_goal(task, before.cell)
        spare_if_it_moves = task.turns_left - turns_taken - self._turns_to_goal(task, after.cell)
        chance_gained = in_time.chance(spare_if_it_moves) - in_time.chance(spare_if_it_stays)
        return task.worth * chance_gained

    def _turns_to_goal(self, task: GroupTask, cell: GroundCell) -> float:
        """Turns to the objective, parts of a turn included, so that each step on the way counts;
        where there is no way, ``NEVER``."""
        return self._paths.turns(task.mover, cell).get(task.goal, float(NEVER))

    def score(self, terms: ScoreTerms, task: GroupTask, here: Stand) -> ActionScore:
        """The score of an action with these terms, for a group that stands ``here`` before it."""
        weighed = self.scales_for(task, here).weighed(terms)
        return ActionScore(weighed.balance, weighed)

    def scales_for(self, task: GroupTask, here: Stand) -> Scales:
        """The factors of the three terms for a group with this task that stands ``here``."""
        role = self._weights.roles[task.role]
        spare = task.turns_to_spare(here.cell, self._paths)
        return Scales.of(self._temperament, role, self._weights.urgency.share(spare))


def mover_of(group: GroupKnown, catalog: Catalog, inches_on_slopes: int | None = None) -> Mover:
    """How a group moves: like its slowest unit. Men in landing craft go on water as these, and on
    land as men, since there they will walk. ``inches_on_slopes``: how far anybody moves in a turn
    on slopes; None where the scenario does not limit that."""
    movers = [Mover.of(catalog.units[id], inches_on_slopes) for id in group.counts]
    slowest = min(movers, key=_speed)
    if not group.aboard or slowest.on_land:
        return slowest
    walkers = [Mover.of(catalog.units[id], inches_on_slopes) for id in group.aboard]
    slowest_walker = min(walkers, key=_speed)
    return slowest_walker._replace(on_water=slowest.on_water)


def _speed(mover: Mover) -> int:
    """How many inches a turn the mover goes where it is fastest, on land or on water."""
    return max(mover.on_land, mover.on_water)
