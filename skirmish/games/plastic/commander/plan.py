"""The plan: what each group is there for, from the kind of victory, the forces and the map.

A plan is made before play and sealed; it is made anew at the start of a turn when something has
happened that it did not foresee. ``PlanMaker.made`` gives the roles and goals, ``why_anew`` the
reasons for another one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, TypeAlias

import msgspec

from skirmish.games.plastic.commander.actions import is_tank
from skirmish.games.plastic.commander.cells import CELL, FAR_OFF, GroundCell, apart
from skirmish.games.plastic.commander.moves import NEVER, GroupTask, mover_of
from skirmish.games.plastic.commander.objectives import Objective
from skirmish.games.plastic.commander.paths import Mover, Paths
from skirmish.games.plastic.commander.situation import GroupKnown, Situation, Stand
from skirmish.games.plastic.commander.stakes import Stakes
from skirmish.games.plastic.commander.weights import CommanderWeights, RoleId, TemperamentId
from skirmish.games.plastic.rules.catalog import Catalog, listed
from skirmish.games.plastic.scenarios.scenario import (
    Clear,
    CountAtEnd,
    HoldBuildings,
    HoldRatio,
    Victory,
)

WITHOUT_CLOCK = 15
"""The last turn that is planned for where no turn ends the battle. Our choice."""
CLOSE_TO_ESCORT = 18
"""Inches to enemy men from which on a tank needs men beside it."""
AT_AN_OBJECTIVE = 2 * CELL
"""Inches within which points count as being at an objective."""
CAN_ESCORT: tuple[RoleId, ...] = ("assault", "reserve", "hold")
"""Groups with these roles can be taken to escort tanks."""
ENOUGH_GO = 10
"""So many turns farther an attacker goes rather than where those who are sent already can take the
objective or hold it."""
HELP = 24
"""So many turns farther a defender goes to come where most enemies are, if nobody is sent there
yet. Where fewer are missing it is a part of that."""
BARS_WITHIN = 24
"""Inches from a way out within which enemies bar it."""
BARS_FROM = 0.15
"""The part of own points from which on the enemies who bar a way out are worth a fight."""
AT_ONCE = 2
"""Who is to be with another group is to be there in so many turns more than the way takes."""
CROWD = 2
"""Where several objectives must be held: so many turns farther a group goes rather than be one more
at an objective to which as many go as are wanted there. For fewer it is a part of that."""


class Aims(msgspec.Struct, frozen=True):
    """What a side wants.

    ``attacks``: it must change how things stand; else it defends. ``objectives``: the ground that
    it wants, or by which it leaves. ``stakes``: what victory is worth. ``per_man``: each man at an
    objective counts for himself; else the objective counts as one. ``leaves``: the attacker has to
    leave the table. ``exit_worth``: what units count off the table that do not count as they do
    toward the break point. ``hunted``: the enemy units whose loss decides. ``by_points``: a group
    is worth its price at an objective, since the enemy there is to be killed. ``crews``: the units
    that serve others of the side, which wait for them, such as trucks with fuel. ``victory``: the
    terms, by which a defender sees that he would lose; None where the break point decides.
    """

    attacks: bool
    objectives: tuple[Objective, ...]
    stakes: Stakes
    per_man: bool = False
    leaves: bool = False
    hunted: frozenset[str] = frozenset()
    exit_worth: Mapping[str, int] = {}
    by_points: bool = False
    crews: frozenset[str] = frozenset()
    victory: Victory | None = None


class Assignment(msgspec.Struct, frozen=True):
    """What a group is there for: its role, and where."""

    role: RoleId
    goal: Objective | None


Holder: TypeAlias = Literal["own", "enemy", "both", "nobody"]
"""Whose groups are in the cell of an objective."""


class PlanRecord(msgspec.Struct, frozen=True):
    """How things stood when the plan was made: men and models of each group, who holds what, which
    enemies were known, how strong own points at each objective were (in parts of the enemy's), and
    the turns to spare of those who are needed."""

    turn: int
    strengths: Mapping[str, int]
    holders: Mapping[GroundCell, Holder]
    enemies: frozenset[str]
    balances: Mapping[GroundCell, float]
    spare: Mapping[str, int]


class Plan(msgspec.Struct, frozen=True):
    """The assignment of each group by its id, and what it was made from. ``all_out``: who defends
    would lose as things stand, and attacks."""

    temperament: TemperamentId
    assignments: Mapping[str, Assignment]
    record: PlanRecord
    all_out: bool = False

    def leads_to(self, group: str, objective: Objective) -> bool:
        """Whether a group is on its way to this objective."""
        assignment = self.assignments.get(group)
        return assignment is not None and assignment.goal == objective

    def words(self, names: Mapping[str, str], aims: Aims, weights: CommanderWeights) -> str:
        """The sealed plan, to be read after the battle: "what he was up to". ``names`` of groups by
        their ids."""
        sentences = [f"{weights.temperaments[self.temperament].name}."]
        if aims.objectives and aims.per_man:
            sentences.append(f"Each man counts there, {aims.stakes.each:.1f} points.")
        elif aims.objectives:
            sentences.append(f"Ground decides, {aims.stakes.points:.0f} points in all.")
        else:
            sentences.append("No ground decides, but who is left.")
        by_assignment: dict[Assignment, list[str]] = {}
        for group, assignment in self.assignments.items():
            by_assignment.setdefault(assignment, []).append(names.get(group, group))
        for assignment, groups in by_assignment.items():
            role = weights.roles[assignment.role].name
            goal = ""
            if assignment.goal is not None:
                goal = f", for {assignment.goal.name}"
            sentences.append(f"{listed(groups)}: {role}{goal}.")
        if self.all_out:
            sentences.append("It would lose as things stand, so that all attack who can.")
        return " ".join(sentences)


class PlanMaker:
    """Makes the plans of one side on one table."""

    def __init__(
        self,
        catalog: Catalog,
        paths: Paths,
        aims: Aims,
        *,
        weights: CommanderWeights,
        temperament: TemperamentId,
        on_slope: int | None = None,
    ) -> None:
        self._catalog = catalog
        self._paths = paths
        self.aims = aims
        self._weights = weights
        self._temperament: TemperamentId = temperament
        self._on_slope = on_slope

    @property
    def counted(self) -> frozenset[GroundCell]:
        """The cells of the ground that decides who has won; none where that is something else, or
        an edge."""
        return frozenset(objective.cell for objective in self._deciding_ground())

    # ------------------------------------------------------------------ the plan

    def made(
        self, situation: Situation, turn: int, turns_left: int, before: Plan | None = None
    ) -> Plan:
        """A plan for all groups of the side as things stand. ``turns_left``: this one included.
        Each group keeps the role that it had in the plan ``before``, unless it must have another
        one as things stand."""
        kept = {}
        if before is not None:
            kept = {group: assigned.role for group, assigned in before.assignments.items()}
        roles = self._roles(situation, turns_left, kept)
        all_out = self._must_attack(situation, turns_left)
        if all_out:
            roles = self._all_attacking(situation, roles, turns_left)
        goals = self._goals(situation, roles, turns_left, before)
        assignments = {}
        for stand in situation.own:
            group = stand.group.id
            assignments[group] = Assignment(roles[group], goals[group])
        record = self._record(situation, assignments, turn, turns_left)
        return Plan(self._temperament, assignments, record, all_out)

    def why_anew(self, plan: Plan, situation: Situation, turn: int, turns_left: int) -> list[str]:
        """Why another plan is needed at the start of a turn, in sentences; none if it is not."""
        then = plan.record
        now = self._record(situation, plan.assignments, turn, turns_left)
        names = {stand.group.id: stand.group.name for stand in situation.own}
        reasons = list(self._changes_on_the_ground(then, now))
        reasons += self._changes_of_groups(then, now, names)
        if now.enemies - then.enemies:
            reasons.append("The enemy has brought somebody new.")
        if set(names) - set(then.strengths):
            reasons.append("Somebody has entered.")
        if self._must_attack(situation, turns_left) and not plan.all_out:
            reasons.append("It would lose as things stand, and time runs out.")
        if turn - then.turn >= self._weights.plan.turns:
            reasons.append(f"{turn - then.turn} turns have passed.")
        return reasons

    def _changes_on_the_ground(self, then: PlanRecord, now: PlanRecord) -> Iterator[str]:
        """Objectives that others hold now, or where another side is the stronger."""
        for objective in self._deciding_ground():
            cell = objective.cell
            if then.holders[cell] != now.holders[cell]:
                yield f"{objective.name} has changed hands."
            if self._band(then.balances[cell]) != self._band(now.balances[cell]):
                yield f"The balance at {objective.name} has changed."

    def _changes_of_groups(
        self, then: PlanRecord, now: PlanRecord, names: Mapping[str, str]
    ) -> Iterator[str]:
        """Groups that have lost much, or whose time runs out. ``names`` of groups by their ids."""
        weights = self._weights.plan
        for group, strength in then.strengths.items():
            lost = strength - now.strengths.get(group, 0)
            lost_much = lost >= weights.lost_in_a_turn * strength
            if strength and lost_much and now.turn > then.turn:
                yield f"{names.get(group, group)} has lost {lost} of {strength}."
        for group, spare in now.spare.items():
            had_time = then.spare.get(group, 0) > weights.turns_to_spare
            if had_time and spare <= weights.turns_to_spare:
                yield f"{names[group]} has no more than {spare} turns to spare."

    def doubts(self, situation: Situation, turns_left: int) -> str:
        """A sentence, where men count at the end, if the enemy has more of them there in the last
        turns; else empty."""
        ground = self.counted
        men_count_there = self.aims.per_man and bool(ground)
        # The last turns are those in which a reserve would go.
        if not men_count_there or turns_left > self._weights.plan.commits_at:
            return ""
        own = sum(self._men(stand.group) for stand in situation.own if stand.cell in ground)
        enemies = sum(self._men(stand.group) for stand in situation.enemies if stand.cell in ground)
        if own >= enemies:
            return ""
        return f"As things stand this is lost: {own} count against {enemies}."

    def _must_attack(self, situation: Situation, turns_left: int) -> bool:
        """Whether a defender would lose as men stand now, with few turns left: to stay as he is
        cannot help him any more."""
        if self.aims.attacks or turns_left > self._weights.plan.last_effort:
            return False
        own, enemy = self._held_by(situation.own), self._held_by(situation.enemies)
        match self.aims.victory:
            case CountAtEnd():
                return sum(own.values()) < sum(enemy.values())
            # A building in which there are men of both sides is held by neither.
            case HoldBuildings(need=need):
                return len(set(enemy) - set(own)) >= need
            case HoldRatio(ratio=ratio):
                own_alone, enemy_alone = set(own) - set(enemy), set(enemy) - set(own)
                # Whoever attacks needs one building at least, even if the defender holds none.
                return len(enemy_alone) >= max(1, ratio * len(own_alone))
            case Clear():
                return not any(stand.cell in self.counted for stand in situation.own)
        return False

    def _held_by(self, stands: Sequence[Stand]) -> Counter[GroundCell]:
        """The men of a side on each piece of the ground that decides, where it has any."""
        men: Counter[GroundCell] = Counter()
        for stand in stands:
            if stand.cell in self.counted:
                men[stand.cell] += self._men(stand.group)
        return +men

    def _all_attacking(
        self, situation: Situation, roles: Mapping[str, RoleId], turns_left: int
    ) -> dict[str, RoleId]:
        """The roles where all attack who can be in time, but those who hold what is to be held."""
        attacking = dict(roles)
        for stand in situation.own:
            group = stand.group.id
            can_go = self._men(stand.group) > 0 and self._to_nearest(stand) <= turns_left
            if can_go and roles[group] != "base" and stand.cell not in self.counted:
                attacking[group] = "assault"
        return attacking

    def tasks(self, plan: Plan, situation: Situation, turns_left: int) -> dict[str, GroupTask]:
        """The plan as tasks for the choice of moves."""
        strength_sent = self._strength_sent(plan, situation)
        tasks = {}
        for stand in situation.own:
            assignment = plan.assignments.get(stand.group.id, Assignment("reserve", None))
            ward = self._ward(stand, assignment.role, situation, turns_left)
            if ward is not None:
                task = self._task_with(stand, ward, turns_left)
            else:
                task = self._task_at(stand, assignment.goal, strength_sent, turns_left)
            if plan.all_out and assignment.role == "assault":
                worth = task.worth * self._weights.plan.attackers_stake
                task = task._replace(worth=worth)
            role = self._while_it_has_guns(assignment.role, stand.group)
            tasks[stand.group.id] = task._replace(role=role)
        return tasks

    def _task_with(self, stand: Stand, ward: Stand, turns_left: int) -> GroupTask:
        """The task of a group that is to be where its ward is: at once, and not some time before
        the end."""
        goal = self._as_near_as_it_goes(stand, ward.cell)
        left = min(turns_left, self.eta(stand, goal) + AT_ONCE)
        task = self._task(stand, goal, self._worth_of_ward(ward.group), left)
        return task._replace(ward=ward.group.name)

    def _task_at(
        self, stand: Stand, goal: Objective | None, strength_sent: float, turns_left: int
    ) -> GroupTask:
        """The task of a group that is to be at an objective. A group without one has its own place
        for a goal, which is worth nothing."""
        if goal is None:
            return self._task(stand, stand.cell, 0.0, turns_left)
        cell = self._as_near_as_it_goes(stand, goal.cell)
        left = self._turns_to_reckon_with(stand, cell, turns_left)
        return self._task(stand, cell, self._worth(stand.group, strength_sent), left)

    def _task(self, stand: Stand, goal: GroundCell, worth: float, turns_left: int) -> GroupTask:
        """A task with the role of a reserve, in place of which ``tasks`` puts that of the plan. Who
        attacks has to throw somebody out, wherever he goes: all his goals are fought for."""
        mover = self.mover(stand.group)
        fights = self.aims.attacks
        return GroupTask("reserve", mover, goal, worth, turns_left, fought_for=fights)

    def _while_it_has_guns(self, role: RoleId, group: GroupKnown) -> RoleId:
        """The role of a group; ``hold`` for a defender's base of fire that has no gun left for it:
        the riflemen who are left of it, or who have abandoned their gun, hold ground like all
        others. An attacker's base of fire stays behind the assault even then."""
        if role == "base" and not self.aims.attacks and not self._fires_far(group):
            return "hold"
        return role

    def _ward(
        self, stand: Stand, role: RoleId, situation: Situation, turns_left: int
    ) -> Stand | None:
        """The group with which another one goes, wherever that leads: an escort with the nearest
        tanks, a crew with the nearest models that wait for it. None where it has a goal of its own,
        as everybody has in the last turn."""
        if turns_left == 1:
            return None
        wards = []
        if self.aims.crews & set(stand.group.counts):
            wards = [own for own in situation.own if own.group.waiting]
        elif role == "escort":
            wards = [own for own in situation.own if is_tank(own.group, self._catalog)]
        nearest = None
        for ward in wards:
            if nearest is None or apart(ward.cell, stand.cell) < apart(nearest.cell, stand.cell):
                nearest = ward
        return nearest

    def _worth_of_ward(self, ward: GroupKnown) -> float:
        """What it is worth to be with a ward, in points: the price of the dearest of its models. So
        much may be lost where an escort is missing, and so much is won where a crew serves it."""
        return float(max(unit.price for unit in ward.units(self._catalog)))

    def _turns_to_reckon_with(self, stand: Stand, goal: GroundCell, turns_left: int) -> int:
        """The turns that a group has for its task: all that are left. Attackers, and men who come
        to help where each of them counts, have no more than the way takes and their patience."""
        comes_to_help = self.aims.per_man and stand.cell != goal
        if not self.aims.attacks and not comes_to_help:
            return turns_left
        patience = self._weights.temperaments[self._temperament].patience
        return min(turns_left, self.eta(stand, goal) + patience)

    def _as_near_as_it_goes(self, stand: Stand, goal: GroundCell) -> GroundCell:
        """The goal of a group; of one that has no way into it, such as a tank before a house, the
        nearest cell to it."""
        reached = self._paths.turns(self.mover(stand.group), stand.cell)
        if goal in reached or not reached:
            return goal
        ends = []
        for cell, turns in reached.items():
            ends.append((apart(cell, goal), turns, cell))
        # Of cells that are equally near to the goal, the one that is reached first.
        _, _, nearest = min(ends)
        return nearest

    def ways_out(self, plan: Plan) -> frozenset[str]:
        """The groups that are to leave the table, which counts for their side."""
        if not (self.aims.leaves and self.aims.attacks):
            return frozenset()
        leaving = set()
        for group, assignment in plan.assignments.items():
            if assignment.goal is not None and assignment.goal.way_out:
                leaving.add(group)
        return frozenset(leaving)

    def mover(self, group: GroupKnown) -> Mover:
        """How a group moves on this table."""
        return mover_of(group, self._catalog, self._on_slope)

    def eta(self, stand: Stand, cell: GroundCell) -> int:
        """The turns that a group takes to a cell; ``NEVER`` where there is no way."""
        eta = self._paths.eta(self.mover(stand.group), stand.cell, cell)
        if eta is None:
            return NEVER
        return eta

    # ------------------------------------------------------------------ roles

    def _roles(
        self, situation: Situation, turns_left: int, kept: Mapping[str, RoleId]
    ) -> dict[str, RoleId]:
        """The role of each group, by the shares of points: first who has a role, is made for one or
        cannot move, then the others, the dearest first, where most is missing."""
        shares = self._weights.plan.defence
        if self.aims.attacks:
            shares = self._weights.temperaments[self._temperament].attack
        points = {stand.group.id: self._points(stand.group) for stand in situation.own}
        missing: dict[RoleId, float] = {}
        for role, percent in shares.items():
            missing[role] = sum(points.values()) * percent / 100
        roles: dict[str, RoleId] = {}
        others = []
        for stand in situation.own:
            group = stand.group.id
            given = kept.get(group) or self._made_for(stand.group)
            if given is not None:
                given = self._while_it_has_guns(given, stand.group)
            if given in missing:
                roles[group] = given
                missing[given] -= points[group]
            else:
                others.append(stand)
        for stand in sorted(others, key=self._dearest_and_nearest_first):
            group = stand.group.id
            roles[group] = self._most_missing(missing, stand.group)
            missing[roles[group]] -= points[group]
        return self._as_things_stand(situation, roles, turns_left)

    def _dearest_and_nearest_first(self, stand: Stand) -> tuple[float, int]:
        """The key to sort by."""
        return -self._points(stand.group), self._to_nearest(stand)

    def _most_missing(self, missing: Mapping[RoleId, float], group: GroupKnown) -> RoleId:
        """The role of which most points are missing, among those that fit a group."""
        fitting = []
        for role in missing:
            if role != "base" or self._fires_far(group):
                fitting.append(role)
        return max(fitting, key=missing.__getitem__)

    def _as_things_stand(
        self, situation: Situation, given: Mapping[str, RoleId], turns_left: int
    ) -> dict[str, RoleId]:
        """The roles without those that the kind of victory or the time forbids: raiders ride, the
        last turns have no reserve, crews go to whom they serve, and tanks near enemy men have an
        escort."""
        roles = dict(given)
        somebody_waits = any(stand.group.waiting for stand in situation.own)
        for stand in situation.own:
            group = stand.group.id
            if self.aims.attacks and self.aims.leaves:
                roles[group] = self._to_leave(situation, stand, roles[group], turns_left)
            if roles[group] in ("reserve", "delay") and self._is_due(stand, turns_left):
                roles[group] = self._foremost_role()
            if somebody_waits and self.aims.crews & set(stand.group.counts):
                roles[group] = "raid"
        escort = self._escort(situation, roles)
        if escort is not None:
            roles[escort] = "escort"
        return roles

    def _is_due(self, stand: Stand, turns_left: int) -> bool:
        """Whether a group must go now to be in time somewhere. Whoever is late already need not."""
        spare = turns_left - self._to_nearest(stand)
        return 0 <= spare <= self._weights.plan.commits_at

    def _foremost_role(self) -> RoleId:
        """The role of a group that takes part in what its side is there for."""
        if self.aims.attacks:
            return "assault"
        return "hold"

    def _to_leave(
        self, situation: Situation, stand: Stand, role: RoleId, turns_left: int
    ) -> RoleId:
        """The role of a group whose side must leave the table.

        While the way is barred and there is time, all fight it free, and men who are a base of fire
        support them. After that who rides leaves: loaded carriers, and models that count. Who walks
        keeps his role until he has no more time than the way takes.
        """
        if not self._exit_strength(stand.group):
            return role
        on_foot = self._has_men_on_foot(stand.group)
        has_time = turns_left - self._to_nearest(stand) > self._weights.plan.turns_to_spare
        if has_time and self._barring(situation):
            if role == "base" and on_foot:
                return role
            return "assault"
        rides = bool(stand.group.aboard) or not on_foot
        if rides or not has_time:
            return "raid"
        return role

    def _barring(self, situation: Situation) -> list[Stand]:
        """The enemies who stand before the way out, if they are so many that nobody drives past
        them: together a part of the points of those who want to get out."""
        barring = []
        for enemy in situation.enemies:
            near = [apart(enemy.cell, out.cell) for out in self.aims.objectives]
            if min(near, default=FAR_OFF) <= BARS_WITHIN:
                barring.append(enemy)
        points = sum(self._points(enemy.group) for enemy in barring)
        own = sum(self._points(stand.group) for stand in situation.own)
        if points < BARS_FROM * own:
            return []
        return barring

    def _escort(self, situation: Situation, roles: Mapping[str, RoleId]) -> str | None:
        """The group that goes with the tanks if enemy men are near: the nearest on foot, if it is
        not the only one."""
        tank = self._threatened_tank(situation)
        if tank is None:
            return None
        free = []
        for stand in situation.own:
            on_foot = self._has_men_on_foot(stand.group) and not stand.group.aboard
            if on_foot and roles[stand.group.id] in CAN_ESCORT:
                free.append((apart(stand.cell, tank.cell), stand.group.id))
        if len(free) < 2:
            return None  # somebody has to do what the side is there for
        return min(free)[1]

    def _threatened_tank(self, situation: Situation) -> Stand | None:
        """The tanks to which enemy men are nearest, if these are near."""
        threatened, nearest = None, float(CLOSE_TO_ESCORT)
        for tank in situation.own:
            if not is_tank(tank.group, self._catalog):
                continue
            for enemy in situation.enemies:
                away = apart(tank.cell, enemy.cell)
                if self._has_men_on_foot(enemy.group) and away <= nearest:
                    threatened, nearest = tank, away
        return threatened

    def _made_for(self, group: GroupKnown) -> RoleId | None:
        """The role that most points of a group are made for, whatever the shares say; base of fire
        for what cannot move."""
        if not any(self._catalog.units[id].moves for id in group.counts):
            return "base"
        by_role: Counter[RoleId] = Counter()
        everybody = Counter(group.counts) + Counter(group.aboard)
        for id, count in everybody.items():
            role = self._weights.plan.made_for.get(id)
            if role is not None:
                by_role[role] += count * self._catalog.units[id].price
        if not by_role:
            return None
        [(role, points)] = by_role.most_common(1)
        if points * 2 >= self._points(group):
            return role
        return None

    def _fires_far(self, group: GroupKnown) -> bool:
        """Whether it has any gun for a base of fire. Rifles alone are none, and tanks attack."""
        for id in group.counts:
            unit = self._catalog.units[id]
            gun_that_stands = bool(unit.weapons) and not unit.is_guy and not unit.moves
            if gun_that_stands or self._weights.plan.made_for.get(id) == "base":
                return True
        return False

    # ------------------------------------------------------------------ goals

    def _goals(
        self,
        situation: Situation,
        roles: Mapping[str, RoleId],
        turns_left: int,
        before: Plan | None,
    ) -> dict[str, Objective | None]:
        """Where each group is to go or stay: the nearest objective; where several are to be held,
        rather one where too few go yet. Whoever is on the way somewhere goes on."""
        goals: dict[str, Objective | None] = {}
        sent: defaultdict[GroundCell, float] = defaultdict(float)
        wanted = self._strength_wanted(situation)
        threats = self._threats(situation)
        # Of those who are there already it is the weakest who stays, and the others go on.
        for stand in sorted(situation.own, key=self._nearest_and_weakest_first):
            group = stand.group.id
            objectives = self._to_choose_from(situation, stand, roles[group])
            if not objectives:
                goals[group] = None
                continue
            costs = []
            for index, objective in enumerate(objectives):
                cost = self._cost(situation, stand, objective, sent, wanted)
                # Help that comes too late is none.
                if threats and self.eta(stand, objective.cell) < turns_left:
                    missing = threats.get(objective.cell, 0.0) - sent[objective.cell]
                    part_missing = max(missing, 0.0) / max(threats.values())
                    cost -= HELP * part_missing
                if before is not None and before.leads_to(group, objective):
                    cost -= self._weights.plan.keeps_goal
                costs.append((cost, index))
            goal = objectives[min(costs)[1]]
            goals[group] = goal
            # A base of fire supports from afar, and holds nothing unless it stands there.
            if roles[group] != "base" or stand.cell == goal.cell:
                sent[goal.cell] += self._points(stand.group)
        return goals

    def _threats(self, situation: Situation) -> dict[GroundCell, float]:
        """For each objective of a defender the points of the enemies who are nearest to it, if
        there are any. Empty for an attacker, since he chooses where, and where each objective must
        be held for itself."""
        threats: defaultdict[GroundCell, float] = defaultdict(float)
        ground = self._deciding_ground()
        if self.aims.attacks or not self.aims.per_man or not ground:
            return threats
        for enemy in situation.enemies:
            nearest = ground[0].cell
            for objective in ground:
                if apart(objective.cell, enemy.cell) < apart(nearest, enemy.cell):
                    nearest = objective.cell
            threats[nearest] += self._points(enemy.group)
        return threats

    def _cost(
        self,
        situation: Situation,
        stand: Stand,
        objective: Objective,
        sent: Mapping[GroundCell, float],
        wanted: Mapping[GroundCell, float],
    ) -> float:
        """What an objective costs a group, in turns: the way, and what others who go there make it
        worth less. ``sent``: the points of these; ``wanted``: how many are wanted."""
        cost = float(self.eta(stand, objective.cell))
        each_must_be_held = not self.aims.per_man and not objective.way_out
        points = sent.get(objective.cell, 0.0)
        if each_must_be_held:
            cost += CROWD * points / wanted.get(objective.cell, 1.0)
        if each_must_be_held and self.aims.attacks and self._enough(points, objective, situation):
            cost += ENOUGH_GO
        if self.aims.per_man and stand.cell == objective.cell:
            # A man counts here as much as elsewhere: where he is he stays, even against the goal
            # that he had before.
            cost -= 2 * self._weights.plan.keeps_goal
        return cost

    def _enough(self, sent: float, objective: Objective, situation: Situation) -> bool:
        """Whether so many points as go to an objective already can take it, or hold it."""
        _, outweighs = self._weights.plan.balance
        return sent > outweighs * self._points_at(situation.enemies, objective.cell)

    def _nearest_and_weakest_first(self, stand: Stand) -> tuple[int, float]:
        """The key to sort by."""
        return self._to_nearest(stand), self._points(stand.group)

    def _strength_wanted(self, situation: Situation) -> dict[GroundCell, float]:
        """For each objective that is held, the points that an attack on it takes: more than the
        enemy has there, and never less than a group."""
        groups = max(len(situation.own), 1)
        a_group = sum(self._points(stand.group) for stand in situation.own) / groups
        _, outweighs = self._weights.plan.balance
        wanted = {}
        for objective in self._deciding_ground():
            enemy = self._points_at(situation.enemies, objective.cell)
            wanted[objective.cell] = max(a_group, outweighs * enemy, 1.0)
        return wanted

    def _to_choose_from(
        self, situation: Situation, stand: Stand, role: RoleId
    ) -> Sequence[Objective]:
        """The objectives among which a group with this role has its goal."""
        if self.aims.attacks:
            return self._to_attack(situation, stand, role)
        if self.aims.leaves:
            # Across the way of those who want to get out.
            return self._on_the_way_out(situation)
        return self.aims.objectives

    def _to_attack(self, situation: Situation, stand: Stand, role: RoleId) -> Sequence[Objective]:
        """Whoever bars the way out or is hunted; else the ground that is wanted, or any enemy.
        Models hold no ground, and go for the enemies on it."""
        enemies = self._enemies_with(situation, None)
        if self._deciding_ground() and not self._men(stand.group):
            return enemies or self.aims.objectives
        targets: list[Objective] = []
        if self.aims.leaves and role != "raid":
            targets = [Objective(bar.group.name, bar.cell) for bar in self._barring(situation)]
        if not targets and self.aims.hunted:
            targets = self._enemies_with(situation, self.aims.hunted)
        return targets or self.aims.objectives or enemies

    def _enemies_with(self, situation: Situation, units: frozenset[str] | None) -> list[Objective]:
        """The enemy groups that have one of these units, as objectives; None: all of them."""
        objectives = []
        for enemy in situation.enemies:
            if units is None or units & set(enemy.group.counts):
                objectives.append(Objective(enemy.group.name, enemy.cell))
        return objectives

    def _on_the_way_out(self, situation: Situation) -> list[Objective]:
        """The places in which a defender stops those who want out: two thirds of the way from the
        nearest of them to each way out."""
        if not situation.enemies:
            # He waits at the way out, and does not take it himself.
            return [objective._replace(way_out=False) for objective in self.aims.objectives]
        barred = []
        for objective in self.aims.objectives:
            nearest = min(situation.enemies, key=lambda enemy: apart(enemy.cell, objective.cell))
            column = (nearest.cell.column + 2 * objective.cell.column) // 3
            row = (nearest.cell.row + 2 * objective.cell.row) // 3
            cell = GroundCell(column, row)
            barred.append(Objective(f"the way to {objective.name}", cell))
        return barred

    def _to_nearest(self, stand: Stand) -> int:
        """Turns to the nearest objective; 0 where there is none."""
        etas = [self.eta(stand, objective.cell) for objective in self.aims.objectives]
        return min(etas, default=0)

    # ------------------------------------------------------------------ worth

    def _worth(self, group: GroupKnown, strength_sent: float) -> float:
        """Points for a group that is where it is to be."""
        attacks = self.aims.attacks
        worth = self._part_of_stake(group, strength_sent, leaves=self.aims.leaves and attacks)
        if attacks:
            # He wins nothing by saving his men: without the ground he has lost.
            worth *= self._weights.plan.attackers_stake
        return worth

    def _part_of_stake(self, group: GroupKnown, strength_sent: float, *, leaves: bool) -> float:
        """What a group is worth at its goal, in points: by what it counts off the table where its
        side ``leaves`` the table; by its men where each of them counts; else its share of the whole
        stake."""
        stakes = self.aims.stakes
        if leaves:
            return stakes.each * self._exit_strength(group)
        if self.aims.per_man:
            return stakes.each * self._men(group)
        strength = self._strength(group)
        # A base of fire is not among the strength that is sent (``_strength_sent``).
        all_sent = max(strength_sent, strength, 1)
        return stakes.points * strength / all_sent

    def goals_of_enemy(self, situation: Situation) -> list[GroundCell]:
        """Where the enemy is likely to want to go: to the ground that decides, or to this side."""
        if self.aims.objectives:
            return [objective.cell for objective in self.aims.objectives]
        return [stand.cell for stand in situation.own]

    def ground_denied(self, situation: Situation, turns_left: int) -> dict[str, float]:
        """What it is worth to hold up each group of the enemy for a turn on its way to the nearest
        objective, in points, by its id. Only men on foot can be held up. A side that bars the way
        out waits where it is, and has no way on which to hold it up."""
        leaves = self.aims.leaves
        if leaves and self.aims.attacks:
            return {}
        in_time = self._weights.chances(fought_for=not self.aims.attacks)
        strength_sent = sum(self._strength(enemy.group) for enemy in situation.enemies)
        denied = {}
        for enemy in situation.enemies:
            turns = self._to_nearest(enemy)
            if turns and self._has_men_on_foot(enemy.group):
                worth = self._part_of_stake(enemy.group, strength_sent, leaves=leaves)
                denied[enemy.group.id] = worth * in_time.turn_gained(turns_left - turns)
        return denied

    def _strength(self, group: GroupKnown) -> float:
        """How much a group counts among those who are sent, where an objective counts as one
        whoever holds it: the number of its men, or of its models if it has no men; its points where
        the enemy is to be killed."""
        if self.aims.by_points:
            return self._points(group)
        return self._men(group) or sum(group.counts.values())

    def _exit_strength(self, group: GroupKnown) -> int:
        """What a group counts off the table, with whoever is aboard."""
        strength = 0
        for id, count in (Counter(group.counts) + Counter(group.aboard)).items():
            usual = self._catalog.worth(self._catalog.units[id])
            strength += count * self.aims.exit_worth.get(id, usual)
        return strength

    def _strength_sent(self, plan: Plan, situation: Situation) -> float:
        """The strength of all groups with a role other than base of fire: among them the stake is
        shared out."""
        sent = 0.0
        for stand in situation.own:
            assignment = plan.assignments.get(stand.group.id)
            if assignment is not None and assignment.role != "base":
                sent += self._strength(stand.group)
        return sent

    # ------------------------------------------------------------------ how things stand

    def _record(
        self,
        situation: Situation,
        assignments: Mapping[str, Assignment],
        turn: int,
        turns_left: int,
    ) -> PlanRecord:
        """How things stand now, to be compared with later."""
        holders, balances = {}, {}
        for objective in self._deciding_ground():
            own = self._points_at(situation.own, objective.cell)
            enemy = self._points_at(situation.enemies, objective.cell)
            balances[objective.cell] = own / max(enemy, 1.0)
            holders[objective.cell] = _holder(situation, objective.cell)
        strengths, spare = {}, {}
        for stand in situation.own:
            group = stand.group
            strengths[group.id] = sum(group.counts.values()) + sum(group.aboard.values())
            assignment = assignments.get(group.id)
            if assignment is None or assignment.goal is None or assignment.role == "base":
                continue
            turns_to_spare = turns_left - self.eta(stand, assignment.goal.cell)
            # Whoever is late has no time that could run out.
            if turns_to_spare >= 0:
                spare[group.id] = turns_to_spare
        enemies = frozenset(stand.group.id for stand in situation.enemies)
        return PlanRecord(turn, strengths, holders, enemies, balances, spare)

    def _deciding_ground(self) -> list[Objective]:
        """The objectives that are held. A long edge through which to leave is not."""
        return [objective for objective in self.aims.objectives if not objective.way_out]

    def _band(self, balance: float) -> int:
        """What a balance of own points to the enemy's comes to: -1 where he is too strong, 1 where
        he is weak, 0 between."""
        low, high = self._weights.plan.balance
        if balance < low:
            return -1
        if balance > high:
            return 1
        return 0

    def _points_at(self, stands: Sequence[Stand], cell: GroundCell) -> float:
        """The points of those of the groups that are at an objective in this cell."""
        points = 0.0
        for stand in stands:
            if apart(stand.cell, cell) <= AT_AN_OBJECTIVE:
                points += self._points(stand.group)
        return points

    # ------------------------------------------------------------------ of a group

    def _points(self, group: GroupKnown) -> float:
        """The price of a group, with whoever is aboard."""
        points = sum(unit.price for unit in group.units(self._catalog))
        return float(points + group.price_aboard(self._catalog))

    def _men(self, group: GroupKnown) -> int:
        """How many men a group has, on foot and aboard."""
        everybody = Counter(group.counts) + Counter(group.aboard)
        return sum(count for id, count in everybody.items() if self._catalog.units[id].is_guy)

    def _has_men_on_foot(self, group: GroupKnown) -> bool:
        return any(self._catalog.units[id].is_guy for id in group.counts)


def _holder(situation: Situation, cell: GroundCell) -> Holder:
    """Who is in a cell."""
    own = any(stand.cell == cell for stand in situation.own)
    enemy = any(stand.cell == cell for stand in situation.enemies)
    if own and enemy:
        return "both"
    if own:
        return "own"
    if enemy:
        return "enemy"
    return "nobody"
