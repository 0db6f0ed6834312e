"""Whether a group stays or moves, alone or with others in one wave, and what decides it.

Nothing is searched: each group is judged alone, then all of a wave together against that. Groups
that would each be shot to pieces alone may well go together, since the guns fire once.
"""

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

TermName: TypeAlias = Literal["kill", "ground", "danger"]
"""The field of ``ScoreTerms`` that is given as a reason."""
TERM_NAMES: tuple[TermName, ...] = ("kill", "ground", "danger")
"""The terms in the order in which they are told: of two that speak alike for an action, the
first."""


class GroupTask(NamedTuple):
    """What a group is to do: its role, and the cell of its objective, which is ``worth`` so many
    points if it gets there within ``turns_left`` turns, this one included. ``fought_for``: the
    enemy is in the way, so that it takes longer than the way alone. ``ward``: the name of the group
    with which it goes, or which it is to serve; its goal is where that stands."""

    role: RoleId
    mover: Mover
    goal: GroundCell
    worth: float
    turns_left: int
    fought_for: bool = False
    ward: str = ""


class ActionScore(NamedTuple):
    """What an action is worth: ``value`` in points, and the terms of it, each ``weighed``
    (multiplied by what it is worth to the group, ``Scales``)."""

    value: float
    weighed: ScoreTerms

    def told_by(self, other: ActionScore) -> TermName:
        """The term that most speaks for this score against another one: the reason to give."""
        advantages: dict[TermName, float] = {
            "kill": self.weighed.kill - other.weighed.kill,
            "ground": self.weighed.ground - other.weighed.ground,
            "danger": other.weighed.danger - self.weighed.danger,
        }
        return max(TERM_NAMES, key=lambda name: advantages[name])


class MoveChoice(NamedTuple):
    """Where a group goes, or stays, with its score; ``reason``: the term that speaks most for it
    against the next best, None if there was no other. ``in_wave``: it goes because others do."""

    stand: Stand
    score: ActionScore
    reason: TermName | None
    in_wave: bool = False


class ScoredStand(NamedTuple):
    """Where a group is after a move, or if it stays, and what that is worth to it."""

    stand: Stand
    score: ActionScore


class Moves:
    """The moves of one side on one table, judged by fire, danger and the way to its objectives."""

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

    def chosen(self, situation: Situation, tasks: Mapping[str, GroupTask]) -> dict[str, MoveChoice]:
        """What each group with a task does: the best for it alone, unless all together gain more by
        going on in one wave."""
        alone = {group: self.best_alone(situation, group, tasks[group]) for group in tasks}
        wave = self.as_a_wave(situation, tasks)
        value_alone = sum(choice.score.value for choice in alone.values())
        value_in_wave = sum(score.value for _, score in wave.values())
        # Who cannot come nearer is no part of a wave: then the two sums are not of the same groups.
        if len(wave) < len(tasks) or value_in_wave <= value_alone:
            return alone
        together = {}
        for group, (stand, score) in wave.items():
            reason = score.told_by(alone[group].score)
            together[group] = MoveChoice(stand, score, reason, in_wave=True)
        return together

    def best_alone(self, situation: Situation, group: str, task: GroupTask) -> MoveChoice:
        """The best place for a group if all others stay where they are."""
        scored = []
        for stand in self.places(situation, group, task):
            score = self.scores(situation, [stand], {group: task})[group]
            scored.append(ScoredStand(stand, score))
        # The sort is stable: of equal places the first is that where it stands.
        scored.sort(key=_value_of, reverse=True)
        best, *others = scored
        reason = None
        if others:
            reason = best.score.told_by(others[0].score)
        return MoveChoice(best.stand, best.score, reason)

    def as_a_wave(
        self, situation: Situation, tasks: Mapping[str, GroupTask]
    ) -> dict[str, ScoredStand]:
        """Where each group is, by its id, if all of them make a full move toward their objectives
        at once, and what that is worth; without groups that cannot come nearer."""
        stands = []
        for group, task in tasks.items():
            # From the objective back: a way is as long in both directions.
            turns_from = self._paths.turns(task.mover, task.goal)
            places = self.places(situation, group, task)
            nearest = min(places, key=lambda place: turns_from.get(place.cell, NEVER))
            if nearest is not places[0]:
                stands.append(nearest)
        scores = self.scores(situation, stands, tasks)
        return {stand.group.id: ScoredStand(stand, scores[stand.group.id]) for stand in stands}

    def places(self, situation: Situation, group: str, task: GroupTask) -> list[Stand]:
        """Where a group can be at the end of its move: first where it stands."""
        here = situation.own_stand(group)
        places = [here]
        if here.group.waiting:
            return places
        for cell in self._paths.ahead(task.mover, here.cell):
            if cell != here.cell:
                places.append(Stand(here.group, cell, self._ground.in_cover(cell)))
        return places

    def scores(
        self, situation: Situation, moved: Sequence[Stand], tasks: Mapping[str, GroupTask]
    ) -> dict[str, ActionScore]:
        """What it is worth to each of these groups, by its id, that all of them move, or stay, at
        once. ``moved``: where each is then. What they kill together is shared out alike."""
        after = situation.after(*moved)
        lost: dict[str, float] = {}
        share_left: dict[str, float] = {}
        for stand in moved:
            group = stand.group.id
            lost[group] = self._danger.points(after, group, self._way(situation, stand))
            price = self._danger.price(stand.group)
            share_left[group] = 1.0
            if price > 0:  # parked aircraft have none (scenario 3)
                share_left[group] -= lost[group] / price
        killed = self._firepower.points(after, list(lost), share_left)
        # They fire in the enemy's turn only, and perhaps he has left by then.
        foreseen = self._weights.fire.foreseen * killed
        scores = {}
        for stand in moved:
            group = stand.group.id
            task = tasks[group]
            ground = self.ground_gained(situation.own_stand(group), stand, task)
            terms = ScoreTerms(foreseen / len(moved), ground, lost[group])
            scores[group] = self._score(terms, task, situation.own_stand(group))
        return scores

    def _way(self, situation: Situation, stand: Stand) -> list[Stand]:
        """Where else a group can be fired at on its move."""
        before = situation.own_stand(stand.group.id)
        if before.cell == stand.cell:
            return []  # it does not move
        if not stand.cover:
            return []  # at the end it is in the open, and as easy to hit as on the way
        if before.cover:
            return []  # from cover to cover it is taken to stay in it
        return [stand._replace(cover=False)]  # its last steps are in the open

    def ground_gained(self, before: Stand, after: Stand, task: GroupTask) -> float:
        """What the move is worth toward the objective: whoever stays has a turn less to spare, and
        so has whoever sets out over a corner or up a slope, which takes longer than a turn."""
        in_time = self._weights.chances(fought_for=task.fought_for)
        turns_taken = 1.0
        if after.cell != before.cell:
            way = self._paths.turns(task.mover, before.cell).get(after.cell, 1.0)
            turns_taken = max(1.0, way)
        if_it_stays = task.turns_left - 1 - self._turns_to_goal(task, before.cell)
        if_it_moves = task.turns_left - turns_taken - self._turns_to_goal(task, after.cell)
        return task.worth * (in_time.chance(if_it_moves) - in_time.chance(if_it_stays))

    def _turns_to_goal(self, task: GroupTask, cell: GroundCell) -> float:
        """Turns to the objective, parts of a turn included, so that each step on the way counts;
        where there is no way, ``NEVER``."""
        return self._paths.turns(task.mover, cell).get(task.goal, float(NEVER))

    def _score(self, terms: ScoreTerms, task: GroupTask, here: Stand) -> ActionScore:
        """The score of an action with these terms, for a group that stands ``here`` before it."""
        spare = task.turns_left - self._whole_turns_to_goal(task, here.cell)
        scales = Scales.of(
            self._temperament,
            self._weights.roles[task.role],
            self._weights.urgency.share(spare),
        )
        return ActionScore(scales.value(terms), scales.weighed(terms))

    def _whole_turns_to_goal(self, task: GroupTask, cell: GroundCell) -> int:
        """Turns to the objective in whole turns, as they are played; where there is no way,
        ``NEVER``."""
        eta = self._paths.eta(task.mover, cell, task.goal)
        if eta is None:
            return NEVER
        return eta


NEVER = 999
"""Turns to an objective to which there is no way: more than any battle has."""


def mover_of(group: GroupKnown, catalog: Catalog, on_slope: int | None = None) -> Mover:
    """How a group moves: as the slowest of it. Men in landing craft go on water as these, and on
    land as men, since there they will walk. ``on_slope``: inches a turn on slopes, where a scenario
    limits them."""
    movers = [Mover.of(catalog.units[id], on_slope) for id in group.counts]
    slowest = min(movers, key=_speed)
    if not group.aboard or slowest.on_land:
        return slowest
    walking = min((Mover.of(catalog.units[id], on_slope) for id in group.aboard), key=_speed)
    return walking._replace(on_water=slowest.on_water)


def _value_of(place: ScoredStand) -> float:
    return place.score.value


def _speed(mover: Mover) -> int:
    return max(mover.on_land, mover.on_water)
