"""What a group can do in its own turn: each action is a class that scores itself.

They are scored by an ``Outlook``. ``possible_actions`` lists those of a group as things stand.
Nothing is vetoed here (``vetoes``) and nothing chosen (``leading``).
"""

from __future__ import annotations

from typing import ClassVar, NamedTuple

import msgspec

from skirmish.games.plastic.commander.cells import GroundCell
from skirmish.games.plastic.commander.contact import ChargeOutcome
from skirmish.games.plastic.commander.moves import NEVER, ActionScore, mover_of
from skirmish.games.plastic.commander.outlook import Outlook
from skirmish.games.plastic.commander.situation import GroupKnown, Stand, is_soft
from skirmish.games.plastic.commander.terms import ScoreTerms

LITTLE_TIME = 1
"""With so few turns to spare, or fewer, a loaded truck goes on even in sight of a machine gun."""


class ActionKey(NamedTuple):
    """By what an action is recognized in the next turn: its verb, and the cell in which it ends or
    which it is about."""

    verb: str
    cell: GroundCell


class Action(msgspec.Struct, frozen=True):
    """Something that a group can do. ``group``: its id; ``stand``: where it is afterwards, in cover
    or not. The docstrings of the actions say what the group ("it") does."""

    verb: ClassVar[str] = ""
    stays: ClassVar[bool] = False
    """Whether the group merely stays, and does not use its turn to dig in or to clear wire."""
    goes: ClassVar[bool] = False
    """Whether the group goes on to where it is wanted, and neither into cover near by nor back."""
    group: str
    stand: Stand

    @property
    def key(self) -> ActionKey:
        """By this the commander recognizes the action in the next turn."""
        return ActionKey(self.verb, self.stand.cell)

    def score(self, outlook: Outlook) -> ActionScore:
        """What the action is worth, and the weighed terms of that: the reasons for or against
        it."""
        raise NotImplementedError

    def brings_nearer(self, outlook: Outlook) -> bool:
        """Whether the group is nearer to its objective after it."""
        task = outlook.tasks[self.group]
        here = outlook.situation.own_stand(self.group)
        turns_before = outlook.turns_to_goal(task, here.cell)
        return outlook.turns_to_goal(task, self.stand.cell) < turns_before

    def moves_from(self, cell: GroundCell) -> bool:
        """Whether the group leaves this cell by it."""
        return self.stand.cell != cell


class StayPut(Action, frozen=True):
    """It stays where it is. Moves are kinds of it: they are scored in the same way, by where the
    group stands then."""

    verb = "hold"
    stays = True

    def score(self, outlook: Outlook) -> ActionScore:
        scores = outlook.board.moves.scores(outlook.situation, [self.stand], outlook.tasks)
        return scores[self.group]


class GoTo(StayPut, frozen=True):
    """It goes to another cell: on toward its objective, as a rule."""

    verb = "go"
    stays = False
    goes = True


class TakeCover(GoTo, frozen=True):
    """It goes into cover near by."""

    verb = "take cover"
    goes = False


class GoBack(GoTo, frozen=True):
    """It goes back, farther from its objective."""

    verb = "withdraw"
    goes = False


class Charge(Action, frozen=True):
    """It goes into contact with a group of the enemy."""

    verb = "charge"
    enemy: Stand

    def outcome(self, outlook: Outlook) -> ChargeOutcome:
        """What the charge brings and costs if nobody else takes part."""
        return outlook.board.contact.outcome(outlook.situation, [self.group], self.enemy)

    def score(self, outlook: Outlook) -> ActionScore:
        outcome = self.outcome(outlook)
        terms = ScoreTerms(
            kill=outcome.kill,
            ground=outlook.ground_gained(self.stand),
            danger=outcome.danger,
        )
        return outlook.score_of(self.group, terms)


class DigIn(Action, frozen=True):
    """It stays and digs in: perhaps it is in cover then. It fires all the same, since fire at range
    is for the enemy's turn only."""

    verb = "dig in"

    def score(self, outlook: Outlook) -> ActionScore:
        """The score of staying, but with less danger: what cover would save, times the chance to
        get it."""
        staying = StayPut(self.group, self.stand).score(outlook)
        danger = outlook.board.danger
        covered = outlook.situation.after(self.stand._replace(cover=True))
        saved = danger.points(outlook.situation, self.group) - danger.points(covered, self.group)
        chance = outlook.board.spadework.chance_to_dig_in(self.stand.group, outlook.board.catalog)
        weighed_saving = outlook.scales(self.group).danger * chance * saved
        weighed = staying.weighed._replace(danger=staying.weighed.danger - weighed_saving)
        return ActionScore(staying.value + weighed_saving, weighed)


class CutWire(Action, frozen=True):
    """Its engineers clear the ``wire`` in their cell or beside it, so that all go through in the
    next turn as if there were none: each of them clears a segment a turn if he does not move, and
    one is gap enough for a group ("Barbed Wire")."""

    verb = "clear wire"
    wire: GroundCell

    @property
    def key(self) -> ActionKey:
        return ActionKey(self.verb, self.wire)

    def score(self, outlook: Outlook) -> ActionScore:
        """What it is worth to all whose way the wire bars: the time that it would cost them, and
        the fire under which they would hang in it."""
        staying = StayPut(self.group, self.stand).score(outlook)
        ground_gained = 0.0
        danger_saved = 0.0
        for group, turns in self.held_up(outlook).items():
            scales = outlook.scales(group)
            ground_gained += scales.ground * self._worth_of_time(outlook, group, turns)
            in_wire = Stand(outlook.situation.own_stand(group).group, self.wire)
            after = outlook.situation.after(in_wire)
            # ``points`` is what one turn of fire costs: no more than one is spent in the wire.
            lost = min(turns, 1.0) * outlook.board.danger.points(after, group)
            danger_saved += scales.danger * lost
        stays = staying.weighed
        weighed = ScoreTerms(
            kill=stays.kill,
            ground=stays.ground + ground_gained,
            danger=stays.danger - danger_saved,
        )
        return ActionScore(staying.value + ground_gained + danger_saved, weighed)

    def held_up(self, outlook: Outlook) -> dict[str, float]:
        """How many turns the wire costs each group of the side whose way it bars, by the id of the
        group. Groups that are not wanted anywhere are left out."""
        paths = outlook.board.paths
        without_it = paths.with_wire(paths.wire - {self.wire})
        turns_lost = {}
        for stand in outlook.situation.own:
            group = stand.group.id
            task = outlook.tasks.get(group)
            if task is None or task.worth <= 0:
                continue
            turns = outlook.turns_to_goal(task, stand.cell)
            turns_from_cells_if_cut = without_it.turns(task.mover, task.goal)
            turns_if_cut = turns_from_cells_if_cut.get(stand.cell, float(NEVER))
            if turns_if_cut < turns:
                turns_lost[group] = turns - turns_if_cut
        return turns_lost

    def _worth_of_time(self, outlook: Outlook, group: str, turns_saved: float) -> float:
        """What it is worth to a group to be so many turns sooner at its objective, in points."""
        task = outlook.tasks[group]
        chances_in_time = outlook.board.weights.chances(fought_for=task.fought_for)
        cell = outlook.situation.own_stand(group).cell
        turns_with_wire = outlook.turns_to_goal(task, cell)
        spare = task.turns_left_afterwards - turns_with_wire
        chance_gained = chances_in_time.chance(spare + turns_saved) - chances_in_time.chance(spare)
        return task.worth * chance_gained


class GetOut(Action, frozen=True):
    """Its men get out, beside their carrier."""

    verb = "unload"

    def score(self, outlook: Outlook) -> ActionScore:
        """Kills and danger as of men who stand there; the ground is by how much better or worse the
        chance is to be at the objective in time on foot than aboard."""
        if_landed = self._landed(outlook)
        landed = if_landed.situation.own_stand(self.group)
        scores = outlook.board.moves.scores(if_landed.situation, [landed], if_landed.tasks)
        task, task_on_foot = outlook.tasks[self.group], if_landed.tasks[self.group]
        # To get out takes this turn, and so it does to stay aboard.
        if_it_walks_on = outlook.chance_to_be_in_time(task_on_foot, landed.cell)
        gained = task.worth * (if_it_walks_on - self._chance_aboard(outlook))
        ground = outlook.scales(self.group).ground * gained
        # ``scores`` are those of men who have been there all along, who gain no ground by staying.
        weighed = scores[self.group].weighed._replace(ground=ground)
        return ActionScore(weighed.balance, weighed)

    def _landed(self, outlook: Outlook) -> Outlook:
        """How things stand if its men are on foot where they get out."""
        task = outlook.tasks[self.group]
        riders = self.stand.group.aboard
        on_foot = GroupKnown(self.group, self.stand.group.name, counts=riders)
        walking = mover_of(on_foot, outlook.board.catalog, task.mover.on_slope)
        return outlook._replace(
            situation=outlook.situation.after(self.stand._replace(group=on_foot)),
            tasks={**outlook.tasks, self.group: task._replace(mover=walking)},
        )

    def _chance_aboard(self, outlook: Outlook) -> float:
        """The chance that it is in time if it rides on; 0 if it would have to stop before a machine
        gun."""
        if self._has_to_stop(outlook):
            return 0.0
        here = outlook.situation.own_stand(self.group)
        return outlook.chance_to_be_in_time(outlook.tasks[self.group], here.cell)

    def _has_to_stop(self, outlook: Outlook) -> bool:
        """Whether it should ride no nearer to its objective than it is: every nearer place in its
        reach lies before a machine gun, and it has time left. Armor need not stop for that."""
        here = outlook.situation.own_stand(self.group)
        in_a_hurry = outlook.turns_to_spare(self.group) <= LITTLE_TIME
        if in_a_hurry or not is_soft(here.group, outlook.board.catalog):
            return False
        task = outlook.tasks[self.group]
        turns_from_here = outlook.turns_to_goal(task, here.cell)
        for place in outlook.places_in_reach(self.group):
            is_nearer = outlook.turns_to_goal(task, place.cell) < turns_from_here
            if is_nearer and not outlook.is_before_machine_gun(place):
                return False
        return True


class MountUp(Action, frozen=True):
    """Its men mount a carrier beside them, which goes on with them next turn."""

    verb = "load"
    carrier: Stand

    def score(self, outlook: Outlook) -> ActionScore:
        """The chance to be in time that riding gains, and the danger aboard. No kills: riders do
        not fire, and the guns of the carrier count for the carrier, which is a group of its own
        until they have mounted it."""
        task = outlook.tasks[self.group]
        ridden = GroupKnown(
            self.group,
            self.stand.group.name,
            counts=self.carrier.group.counts,
            aboard=self.stand.group.counts,
        )
        aboard = outlook.situation.after(Stand(ridden, self.carrier.cell))
        riding = task._replace(mover=mover_of(ridden, outlook.board.catalog, task.mover.on_slope))
        here = outlook.situation.own_stand(self.group)
        # To mount takes this turn, and so it does to stay.
        if_it_rides = outlook.chance_to_be_in_time(riding, self.carrier.cell)
        if_it_walks = outlook.chance_to_be_in_time(task, here.cell)
        ground = task.worth * (if_it_rides - if_it_walks)
        danger = outlook.board.danger.points(aboard, self.group)
        return outlook.score_of(self.group, ScoreTerms(kill=0, ground=ground, danger=danger))


class LeaveTable(Action, frozen=True):
    """It leaves the table, which is what victory asks for."""

    verb = "leave the table"

    def score(self, outlook: Outlook) -> ActionScore:
        # It is in no danger: whoever has left the table cannot be lost any more.
        worth = outlook.tasks[self.group].worth
        return outlook.score_of(self.group, ScoreTerms(kill=0, ground=worth, danger=0))


class Abandon(Action, frozen=True):
    """The crew leaves its emplaced gun and goes as riflemen: units of the id ``becomes``."""

    verb = "abandon the gun"
    becomes: str

    def score(self, outlook: Outlook) -> ActionScore:
        task = outlook.tasks[self.group]
        here = outlook.situation.own_stand(self.group)
        guns = sum(here.group.counts.values())
        # The crew of each gun becomes one rifleman.
        crew = GroupKnown(self.group, here.group.name, {self.becomes: guns})
        walking = task._replace(mover=mover_of(crew, outlook.board.catalog, task.mover.on_slope))
        # All of the chance is gained: whoever stays at a gun that cannot move never gets there.
        ground = task.worth * outlook.chance_to_be_in_time(walking, self.stand.cell)
        as_men = outlook.situation.after(self.stand._replace(group=crew))
        danger = outlook.board.danger.points(as_men, self.group)
        # A crew without its gun is no base of fire any more: it goes to hold ground.
        to_hold = walking._replace(role="hold")
        as_holders = outlook._replace(tasks={**outlook.tasks, self.group: to_hold})
        return as_holders.score_of(self.group, ScoreTerms(kill=0, ground=ground, danger=danger))
