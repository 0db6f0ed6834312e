"""What a group can do in its own turn: each action is a class that scores itself.

``possible`` lists all actions of a group as things stand. An ``Outlook`` holds what they are scored
by. Nothing is vetoed here (``vetoes``) and nothing chosen (``leading``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, NamedTuple

import msgspec

from skirmish.games.plastic.commander.board import Board
from skirmish.games.plastic.commander.cells import CELL, GroundCell, apart
from skirmish.games.plastic.commander.contact import ChargeOutcome
from skirmish.games.plastic.commander.moves import (
    NEVER,
    ActionScore,
    GroupTask,
    mover_of,
)
from skirmish.games.plastic.commander.paths import WET, Mover
from skirmish.games.plastic.commander.situation import GroupKnown, Situation, Stand
from skirmish.games.plastic.commander.terms import Scales, ScoreTerms
from skirmish.games.plastic.rules.catalog import Catalog

MOST_PLACES = 14
"""Of a fast group's places no more than so many are weighed: those nearest to its objective. Each
asks for the fire of all, and a turn should not keep players waiting."""
WORTH_A_RIDE = 18
"""Inches to go from which on men mount ("load": at least 18 to go)."""
NEAR_A_CARRIER = CELL * 1.5
"""Inches from middle to middle within which a carrier must be to be mounted: that of a cell which
touches, also at a corner (8.5)."""
LAST_TURNS_AT_GUN = 2
"""With so many turns more than the way takes, or fewer, a crew abandons its gun to be in time."""
LAST_CHANCE = 1
"""With so few turns to spare, or fewer, a loaded truck goes all the same."""


class ActionKey(NamedTuple):
    """What an action is, to be known again next turn: its verb, and the cell in which it ends or
    which it is about."""

    verb: str
    cell: GroundCell


class Outlook(NamedTuple):
    """The board, how things stand on it, and the tasks of all groups; ``deciding_cells``: the
    ground that decides who has won, whoever is to go there."""

    board: Board
    situation: Situation
    tasks: Mapping[str, GroupTask]
    deciding_cells: frozenset[GroundCell] = frozenset()

    def spare(self, group: str) -> int:
        """Turns that a group has to spare on the way to its objective; below 0 it is late."""
        task = self.tasks[group]
        return task.turns_left - self.turns_to_goal(task, self.situation.own_stand(group).cell)

    def turns_to_goal(self, task: GroupTask, cell: GroundCell) -> int:
        """Turns from a cell to the objective of a task; where there is no way, ``NEVER``."""
        eta = self.board.paths.eta(task.mover, cell, task.goal)
        if eta is None:
            return NEVER
        return eta

    def score_of(self, group: str, terms: ScoreTerms) -> ActionScore:
        """What an action with these terms is worth to a group with this task at this time."""
        weighed = self.scales(group).weighed(terms)
        return ActionScore(weighed.balance, weighed)

    def scales(self, group: str) -> Scales:
        """By what points of each term count for a group with this task at this time."""
        weights = self.board.weights
        role = weights.roles[self.tasks[group].role]
        danger_counts = weights.urgency.share(self.spare(group))
        return Scales.of(self.board.temperament, role, danger_counts)


class Action(msgspec.Struct, frozen=True):
    """Something that a group can do. ``group``: its id; ``stand``: where, and in what cover, it is
    afterwards. The docstrings of the actions say what the group ("it") does."""

    verb: ClassVar[str] = ""
    stays: ClassVar[bool] = False
    """Whether it only stays: it neither digs in nor clears wire there."""
    goes: ClassVar[bool] = False
    """Whether it is to go where the group is wanted, neither into cover near by nor back."""
    group: str
    stand: Stand

    @property
    def key(self) -> ActionKey:
        """What the commander knows the action by next turn."""
        return ActionKey(self.verb, self.stand.cell)

    def score(self, outlook: Outlook) -> ActionScore:
        """What the action is worth, and the weighed terms of that: the reasons for or against
        it."""
        raise NotImplementedError

    def brings_nearer(self, outlook: Outlook) -> bool:
        """Whether the group is nearer to its objective after it."""
        task = outlook.tasks[self.group]
        # From the objective back: a way is as long in both directions.
        turns = outlook.board.paths.turns(task.mover, task.goal)
        here = outlook.situation.own_stand(self.group).cell
        return turns.get(self.stand.cell, NEVER) < turns.get(here, NEVER)

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
        """What it brings and costs if nobody else charges with it."""
        return outlook.board.contact.of(outlook.situation, [self.group], self.enemy)

    def score(self, outlook: Outlook) -> ActionScore:
        outcome = self.outcome(outlook)
        terms = ScoreTerms(outcome.kill, ground_of(outlook, self.stand), outcome.danger)
        return outlook.score_of(self.group, terms)


class DigIn(Action, frozen=True):
    """It stays and digs in: perhaps it is in cover then. It fires all the same, since fire at range
    is for the enemy's turn only."""

    verb = "dig in"

    def score(self, outlook: Outlook) -> ActionScore:
        staying = StayPut(self.group, self.stand).score(outlook)
        danger = outlook.board.danger
        covered = outlook.situation.after(self.stand._replace(cover=True))
        saved = danger.points(outlook.situation, self.group) - danger.points(covered, self.group)
        chance = outlook.board.spadework.chance(self.stand.group, outlook.board.catalog)
        saved_danger = outlook.scales(self.group).danger * chance * saved
        weighed = staying.weighed._replace(danger=staying.weighed.danger - saved_danger)
        return ActionScore(staying.value + saved_danger, weighed)


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
        ground_gained = danger_saved = 0.0
        for group, turns in self.held_up(outlook).items():
            scales = outlook.scales(group)
            ground_gained += scales.ground * self._ground(outlook, group, turns)
            in_wire = Stand(outlook.situation.own_stand(group).group, self.wire)
            after = outlook.situation.after(in_wire)
            # ``points`` is what one turn of fire costs: no more than one is spent in the wire.
            lost = min(turns, 1.0) * outlook.board.danger.points(after, group)
            danger_saved += scales.danger * lost
        stays = staying.weighed
        weighed = ScoreTerms(stays.kill, stays.ground + ground_gained, stays.danger - danger_saved)
        return ActionScore(staying.value + ground_gained + danger_saved, weighed)

    def held_up(self, outlook: Outlook) -> dict[str, float]:
        """By the id of each group of the side that is wanted beyond the wire: how many turns it
        costs the group."""
        paths = outlook.board.paths
        cleared = paths.with_wire(paths.wire - {self.wire})
        turns_lost = {}
        for stand in outlook.situation.own:
            group = stand.group.id
            task = outlook.tasks.get(group)
            if task is None or task.worth <= 0:
                continue
            # From the objective back: a way is as long in both directions.
            turns = paths.turns(task.mover, task.goal).get(stand.cell, float(NEVER))
            if_cleared = cleared.turns(task.mover, task.goal).get(stand.cell, float(NEVER))
            if if_cleared < turns:
                turns_lost[group] = turns - if_cleared
        return turns_lost

    def _ground(self, outlook: Outlook, group: str, turns: float) -> float:
        """What it is worth to a group to be so many turns sooner at its objective, in points."""
        task = outlook.tasks[group]
        in_time = outlook.board.weights.chances(fought_for=task.fought_for)
        cell = outlook.situation.own_stand(group).cell
        way_with_wire = outlook.board.paths.turns(task.mover, task.goal).get(cell, float(NEVER))
        spare = task.turns_left - 1 - way_with_wire
        return task.worth * (in_time.chance(spare + turns) - in_time.chance(spare))


class GetOut(Action, frozen=True):
    """Its men get out, beside their carrier."""

    verb = "unload"

    def score(self, outlook: Outlook) -> ActionScore:
        """Kills and danger as of men who stand there; the ground is by how much better or worse the
        chance is to be at the objective in time on foot than aboard."""
        task = outlook.tasks[self.group]
        on_foot = GroupKnown(self.group, self.stand.group.name, self.stand.group.aboard)
        walking = mover_of(on_foot, outlook.board.catalog, task.mover.on_slope)
        on_foot_task = task._replace(mover=walking)
        as_men = outlook._replace(
            situation=outlook.situation.after(self.stand._replace(group=on_foot)),
            tasks={**outlook.tasks, self.group: on_foot_task},
        )
        landed = as_men.situation.own_stand(self.group)
        as_landed = outlook.board.moves.scores(as_men.situation, [landed], as_men.tasks)
        in_time = outlook.board.weights.chances(fought_for=task.fought_for)
        # To get out takes this turn, and so does riding on: of the turns to spare one is gone.
        if_it_rides_on = in_time.chance(outlook.spare(self.group) - 1)
        if rides_no_farther(outlook, self.group):
            if_it_rides_on = 0.0  # it would have to stop before a machine gun
        if_it_walks_on = in_time.chance(as_men.spare(self.group) - 1)
        gained = task.worth * (if_it_walks_on - if_it_rides_on)
        ground = outlook.scales(self.group).ground * gained
        # In place of the ground of men who have stood there before: they have gained none.
        weighed = as_landed[self.group].weighed._replace(ground=ground)
        return ActionScore(weighed.balance, weighed)


class MountUp(Action, frozen=True):
    """Its men mount a carrier beside them, which goes on with them next turn."""

    verb = "load"
    carrier: Stand

    def score(self, outlook: Outlook) -> ActionScore:
        """The turns that riding saves, and the danger aboard. Riders are taken not to fire, and the
        guns of the carrier are counted with it, since it is a group of its own until then."""
        task = outlook.tasks[self.group]
        ridden = GroupKnown(
            self.group, self.stand.group.name, self.carrier.group.counts, self.stand.group.counts
        )
        aboard = outlook.situation.after(Stand(ridden, self.carrier.cell))
        riding = task._replace(mover=mover_of(ridden, outlook.board.catalog, task.mover.on_slope))
        spare_riding = task.turns_left - 1 - outlook.turns_to_goal(riding, self.carrier.cell)
        in_time = outlook.board.weights.chances(fought_for=task.fought_for)
        if_it_rides = in_time.chance(spare_riding)
        if_it_walks = in_time.chance(outlook.spare(self.group) - 1)
        ground = task.worth * (if_it_rides - if_it_walks)
        danger = outlook.board.danger.points(aboard, self.group)
        return outlook.score_of(self.group, ScoreTerms(0, ground, danger))


class LeaveTable(Action, frozen=True):
    """It leaves the table, which is what victory asks for."""

    verb = "leave the table"

    def score(self, outlook: Outlook) -> ActionScore:
        # Whoever is out is out, and cannot be lost any more.
        return outlook.score_of(self.group, ScoreTerms(0, outlook.tasks[self.group].worth, 0))


class Abandon(Action, frozen=True):
    """The crew leaves its emplaced gun and goes as riflemen: units of the id ``becomes``."""

    verb = "abandon the gun"
    becomes: str

    def score(self, outlook: Outlook) -> ActionScore:
        task = outlook.tasks[self.group]
        here = outlook.situation.own_stand(self.group)
        crew = GroupKnown(self.group, here.group.name, {self.becomes: self._men(here)})
        walking = task._replace(mover=mover_of(crew, outlook.board.catalog, task.mover.on_slope))
        in_time = outlook.board.weights.chances(fought_for=task.fought_for)
        spare = task.turns_left - 1 - outlook.turns_to_goal(walking, self.stand.cell)
        # All of the chance is gained: who stays at a gun that may not move never gets there.
        ground = task.worth * in_time.chance(spare)
        as_men = outlook.situation.after(self.stand._replace(group=crew))
        danger = outlook.board.danger.points(as_men, self.group)
        # Who leaves his gun is no base of fire any more: he goes to hold ground.
        to_hold = walking._replace(role="hold")
        as_holders = outlook._replace(tasks={**outlook.tasks, self.group: to_hold})
        return as_holders.score_of(self.group, ScoreTerms(0, ground, danger))

    def _men(self, here: Stand) -> int:
        """How many riflemen the crew becomes: one for each gun."""
        return sum(here.group.counts.values())


def rides_no_farther(outlook: Outlook, group: str) -> bool:
    """Whether a loaded group should ride no nearer to its objective than it is: every nearer place
    in its reach lies before a machine gun, and it has time left. Armor rides on all the same."""
    here = outlook.situation.own_stand(group)
    task = outlook.tasks[group]
    if outlook.spare(group) <= LAST_CHANCE or not is_soft(here.group, outlook.board.catalog):
        return False
    turns = outlook.board.paths.turns(task.mover, task.goal)
    from_here = turns.get(here.cell, NEVER)
    # The first place is where it stands.
    for place in outlook.board.moves.places(outlook.situation, group, task)[1:]:
        if turns.get(place.cell, NEVER) >= from_here:
            continue
        if not before_machine_gun(outlook, place):
            return False
    return True


def before_machine_gun(outlook: Outlook, stand: Stand) -> bool:
    """Whether a group would be in reach and sight of an enemy machine gun."""
    catalog = outlook.board.catalog
    for enemy in outlook.situation.enemies:
        near = apart(enemy.cell, stand.cell) <= machine_gun_reach(enemy.group, catalog)
        if near and outlook.board.fire.sees(enemy, stand):
            return True
    return False


def is_soft(group: GroupKnown, catalog: Catalog) -> bool:
    """Whether bullets destroy it with its load: a model without armor."""
    return any(catalog.units[id].kind == "unarmored" for id in group.counts)


def is_tank(group: GroupKnown, catalog: Catalog) -> bool:
    """Whether a group has an armored model that moves and fights, and carries nobody."""
    for id in group.counts:
        unit = catalog.units[id]
        fights = unit.kind == "armored" and bool(unit.weapons)
        if fights and unit.moves and not unit.seats:
            return True
    return False


def machine_gun_reach(group: GroupKnown, catalog: Catalog) -> int:
    """How many inches the farthest weapon of a group reaches that pins; 0 if it has none."""
    reach = 0
    for id in group.counts:
        for weapon_id in catalog.units[id].weapons:
            weapon = catalog.weapons[weapon_id]
            if weapon.pins:
                reach = max(reach, weapon.range)
    return reach


def afloat(group: GroupKnown, catalog: Catalog) -> bool:
    """Whether a group is in craft that do not leave the water."""
    return any(catalog.units[id].water_move and not catalog.units[id].move for id in group.counts)


def ground_of(outlook: Outlook, after: Stand) -> float:
    """What it is worth toward its objective to a group to be at this stand after this turn, in
    points, against staying, which leaves it a turn less to spare."""
    group = after.group.id
    before = outlook.situation.own_stand(group)
    return outlook.board.moves.ground_gained(before, after, outlook.tasks[group])


# ------------------------------------------------------------------ what is possible


def possible(outlook: Outlook, group: str, *, way_out: bool = False) -> Iterator[Action]:
    """All actions of a group, the first of them to hold. ``way_out``: its objective is an edge of
    the table through which it is to leave."""
    here = outlook.situation.own_stand(group)
    task = outlook.tasks[group]
    yield StayPut(group, here)
    if here.group.waiting:
        return  # without fuel nothing moves
    becomes = outlook.board.emplaced.get(group)
    # A crew that is riflemen already has abandoned its gun, and moves like others.
    if becomes is not None and becomes not in here.group.counts:
        yield from _abandoning(outlook, here, becomes)
        return
    if way_out and here.group.counts and _reaches_the_edge(outlook, here, task):
        yield LeaveTable(group, here._replace(cell=task.goal, spot=None))
    yield from _moves(outlook, here, task)
    if outlook.board.contact.can_charge(here):  # men on foot, who also mount carriers
        yield from _charges(outlook, here, task)
        yield from _loads(outlook, here, task)
    digs = outlook.board.spadework.chance(here.group, outlook.board.catalog) > 0
    if digs and not here.cover and not here.group.aboard:
        yield DigIn(group, here)
    yield from _cuts(outlook, here)
    # Who is to leave the table and can be there in time stays aboard.
    rides_out = way_out and outlook.spare(group) >= 0
    if here.group.aboard and not rides_out:
        yield from _unloads(outlook, here, task)


def _reaches_the_edge(outlook: Outlook, here: Stand, task: GroupTask) -> bool:
    """Whether a group can leave the table in this turn, over the edge cell that is its goal. Where
    it is short of some inches, players say that it cannot get there."""
    if here.cell == task.goal:
        return True
    if any(enemy.cell == task.goal for enemy in outlook.situation.enemies):
        return False  # they stand in the way
    return task.goal in outlook.board.paths.cells_in_reach(task.mover, here.cell)


def _moves(outlook: Outlook, here: Stand, task: GroupTask) -> Iterator[Action]:
    """The moves of a group to each place in reach, the nearest to its objective first: on, back or
    into cover."""
    # From the objective back: a way is as long in both directions.
    turns_to_goal = outlook.board.paths.turns(task.mover, task.goal)
    from_here = turns_to_goal.get(here.cell, NEVER)
    enemy_cells = {enemy.cell for enemy in outlook.situation.enemies}
    # The first place is where it stands.
    places = outlook.board.moves.places(outlook.situation, here.group.id, task)[1:]
    if afloat(here.group, outlook.board.catalog):
        # Men in craft go on by water; where it ends, they land.
        water, share = outlook.board.ground.water, outlook.board.ground.share
        places = [place for place in places if share(water, place.cell) >= WET]
    places.sort(key=lambda place: turns_to_goal.get(place.cell, NEVER))
    for place in places[:MOST_PLACES]:
        if place.cell in enemy_cells:
            continue  # that is contact
        from_there = turns_to_goal.get(place.cell, NEVER)
        if from_there > from_here:
            yield GoBack(here.group.id, place)
        elif place.cover and not here.cover and from_there == from_here:
            yield TakeCover(here.group.id, place)
        else:
            yield GoTo(here.group.id, place)


def _charges(outlook: Outlook, here: Stand, task: GroupTask) -> Iterator[Action]:
    """A charge at each group of the enemy in reach."""
    reach = set(outlook.board.paths.cells_in_reach(task.mover, here.cell))
    for enemy in outlook.situation.enemies:
        if enemy.cell in reach:
            yield Charge(here.group.id, here.beside(enemy), enemy)


def _cuts(outlook: Outlook, here: Stand) -> Iterator[Action]:
    """For engineers: the order to clear wire that is in anybody's way, in their own cell or in one
    that has a side in common with it."""
    if here.group.aboard or not outlook.board.spadework.cutters & set(here.group.counts):
        return
    for cell in sorted(outlook.board.paths.wire):
        if apart(here.cell, cell) <= CELL:
            cut = CutWire(here.group.id, here, cell)
            if cut.held_up(outlook):
                yield cut


def _unloads(outlook: Outlook, here: Stand, task: GroupTask) -> Iterator[Action]:
    """The order to get out, in the dry cell at or beside the carrier that is nearest to the
    objective."""
    on_foot = GroupKnown(here.group.id, here.group.name, here.group.aboard)
    beside = [here.cell, *outlook.board.ground.grid.neighbours(here.cell)]
    walking = mover_of(on_foot, outlook.board.catalog, task.mover.on_slope)
    turns = outlook.board.paths.turns(walking, task.goal)
    enemies = {enemy.cell for enemy in outlook.situation.enemies}
    dry = []
    for cell in beside:
        if cell in enemies:
            continue  # they would have to charge
        part_in_water = outlook.board.ground.share(outlook.board.ground.water, cell)
        if cell in turns and part_in_water < WET:
            dry.append(cell)
    if dry:
        nearest = min(dry, key=lambda cell: turns[cell])
        cover = outlook.board.ground.in_cover(nearest)
        yield GetOut(here.group.id, Stand(here.group, nearest, cover))


def _loads(outlook: Outlook, here: Stand, task: GroupTask) -> Iterator[Action]:
    """For men who are far from their objective: to mount each empty carrier beside them with seats
    for all."""
    men = sum(here.group.counts.values())
    if apart(here.cell, task.goal) < WORTH_A_RIDE:
        return
    if not all(outlook.board.catalog.units[id].is_guy for id in here.group.counts):
        return
    for carrier in outlook.situation.own:
        seats = 0
        for id, count in carrier.group.counts.items():
            seats += outlook.board.catalog.units[id].seats * count
        is_empty = not carrier.group.aboard and seats >= men
        if is_soft(carrier.group, outlook.board.catalog) and before_machine_gun(outlook, carrier):
            continue  # whoever is aboard would fall with it
        if is_empty and apart(here.cell, carrier.cell) <= NEAR_A_CARRIER:
            yield MountUp(here.group.id, here.beside(carrier), carrier)


def _abandoning(outlook: Outlook, here: Stand, becomes: str) -> Iterator[Action]:
    """The order to leave the gun for the cell nearest to the objective, if it is time for that."""
    task = outlook.tasks[here.group.id]
    walking = Mover.of(outlook.board.catalog.units[becomes], task.mover.on_slope)
    turns = outlook.board.paths.turns(walking, task.goal)
    if turns.get(here.cell, NEVER) < task.turns_left - LAST_TURNS_AT_GUN:
        return  # there is time yet to serve the gun, and nobody comes back to it
    reach = outlook.board.paths.cells_in_reach(walking, here.cell)
    nearest = min(reach, key=lambda cell: turns.get(cell, NEVER))
    cover = outlook.board.ground.in_cover(nearest)
    yield Abandon(here.group.id, Stand(here.group, nearest, cover), becomes)
