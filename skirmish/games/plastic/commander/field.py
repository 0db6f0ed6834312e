"""The field simulator: commanders against one another, to test and tune them. Users never see it.

Groups stand in cells of six inches and move by the ways of the table. Each shot is judged by the
rules, with a card of a deck: the cheapest man falls, or, by a card that hits exactly, any man. Left
out are what takes a table: places within a group, facing, hidden units. Pins are played where that
is asked for, as at the table; wire lies before the ground that decides.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple, Protocol, TypeAlias

from skirmish.games.plastic.commander.actions import (
    Abandon,
    Action,
    Charge,
    CutWire,
    DigIn,
    GetOut,
    LeaveTable,
    MountUp,
    Outlook,
    StayPut,
    possible,
)
from skirmish.games.plastic.commander.aims import aims_of, slope_limit, spadework_of
from skirmish.games.plastic.commander.board import Board, CommandTable
from skirmish.games.plastic.commander.cells import CELL, GroundCell, apart
from skirmish.games.plastic.commander.expected_moves import cells_between
from skirmish.games.plastic.commander.fire import GunKey
from skirmish.games.plastic.commander.group_order import GroupOrder, Memory
from skirmish.games.plastic.commander.groups import ForcePart, form_groups
from skirmish.games.plastic.commander.leading import GroupLeader
from skirmish.games.plastic.commander.moves import NEVER, GroupTask, mover_of
from skirmish.games.plastic.commander.objectives import objectives_of
from skirmish.games.plastic.commander.op_fire import FireLine, OpFirePlanner, chance_of_pin
from skirmish.games.plastic.commander.placing import Entrenchments, StartingCells
from skirmish.games.plastic.commander.plan import Plan
from skirmish.games.plastic.commander.plan_maker import LAST_TURN_WITHOUT_CLOCK, PlanMaker
from skirmish.games.plastic.commander.situation import GroupKnown, Situation, Stand
from skirmish.games.plastic.commander.stakes import Force
from skirmish.games.plastic.commander.weights import TemperamentId
from skirmish.games.plastic.rules.catalog import (
    DECK,
    Catalog,
    UnitType,
    Weapon,
    together,
)
from skirmish.games.plastic.rules.checks import is_dug_in, is_pinned
from skirmish.games.plastic.rules.shot import Circumstances, Shot, aim, judge, why_not
from skirmish.games.plastic.scenarios.order_of_battle import (
    FROM_OUTSIDE,
    AnywhereEntry,
    ScenarioSide,
)
from skirmish.games.plastic.scenarios.scenario import (
    AskAtSetup,
    Clear,
    CountAtEnd,
    Destroy,
    DestroyThenExit,
    ExitTable,
    HoldBuildings,
    HoldRatio,
    MayConvert,
    NeedsService,
    Scenario,
    Survivors,
)
from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import Battlefield
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.plane import Point

SERVES_WITHIN = 6.0
"""Inches between the middles of cells within which a crew is taken to touch whom it serves: those
of cells with a side in common."""
PARKED = "aircraft"
"""The unit that a vehicle destroys by touching it."""
VEHICLE = "vehicle"
"""The tag of units that do so."""


Fired: TypeAlias = Counter[GunKey]
"""How many weapons of each kind of each group have fired in this turn."""


class FieldGroup:
    """A group on the field, or on its way there: it enters at ``cell`` on turn ``enters``, 0 for
    who is there from the start. Of a group that rides, ``counts`` are its carriers and ``aboard``
    its men. ``place``: where in its cell it is, in inches; a move that takes longer than a turn may
    end between the middles of two cells."""

    def __init__(self, known: GroupKnown, cell: GroundCell, *, cover: bool, enters: int) -> None:
        self.id = known.id
        self.name = known.name
        self.counts = Counter(known.counts)
        self.aboard = Counter(known.aboard)
        self.cell = cell
        self.place = cell.middle
        self.cover = cover
        self.enters = enters
        self.on_table = enters == 0
        self.waiting = Counter(known.waiting)

    @property
    def stand(self) -> Stand:
        """The group as commanders know it, without units of which none are left (``+``)."""
        known = GroupKnown(
            self.id,
            self.name,
            dict(+self.counts),
            dict(+self.aboard),
            waiting=dict(self.waiting & self.counts),
        )
        return Stand(known, self.cell, self.cover)

    def without_men(self, id: str) -> FieldGroup:
        """The empty carriers from which they get out, as a group with this ``id``."""
        known = GroupKnown(id, f"{self.name}: carriers", dict(+self.counts))
        carriers = FieldGroup(known, self.cell, cover=self.cover, enters=self.enters)
        carriers.on_table = True
        return carriers

    @property
    def alive(self) -> bool:
        """Whether anybody of it is left who can move or fight."""
        return self.counts.total() > 0


class FieldView(NamedTuple):
    """What a commander of the field may know: his situation and the time; ``fired``: his groups
    that fired in the enemy's last turn; ``pinning``: whether machine guns pin."""

    situation: Situation
    turn: int
    turns_left: int
    chance: Random
    fired: tuple[str, ...] = ()
    pinning: bool = False


class FieldCommander(Protocol):
    """Whoever leads a side of the field. ``fires_at_best``: his guns fire where they kill most, and
    not at the nearest enemy."""

    fires_at_best: bool

    def actions(self, view: FieldView) -> list[Action]:
        """What his groups do in his turn."""
        ...

    def waits_for(self, view: FieldView) -> list[FireLine]:
        """What his guns wait for while the enemy moves."""
        ...

    def at_table(self, board: Board, plans: PlanMaker) -> None:
        """The table is another one from now on: wire has been cleared."""
        ...


class _OpFire(NamedTuple):
    """Fire while a side moves: the ``lines`` for which its enemy waits, and what he has ``fired``
    so far, which goes on growing."""

    lines: Sequence[FireLine]
    fired: Fired


class PlannedTurn(NamedTuple):
    """What the solo commander decides in one turn: his plan, the tasks that it gives to his groups,
    and an order for each."""

    plan: Plan
    tasks: Mapping[str, GroupTask]
    orders: Sequence[GroupOrder]


class PlannedCommander:
    """The solo commander on the field."""

    fires_at_best = True

    def __init__(self, board: Board, plans: PlanMaker) -> None:
        self._plan: Plan | None = None
        self._memory = Memory()
        self.at_table(board, plans)

    def at_table(self, board: Board, plans: PlanMaker) -> None:
        self._board = board
        self._plans = plans
        self._leader = GroupLeader(board)
        self._op_fire = OpFirePlanner(board)

    def actions(self, view: FieldView) -> list[Action]:
        return [order.action for order in self.turn(view).orders]

    def waits_for(self, view: FieldView) -> list[FireLine]:
        pins = {}
        if view.pinning:
            chance = chance_of_pin(None, self._board.catalog)
            denied = self._plans.ground_denied(view.situation, view.turns_left)
            pins = {group: chance * points for group, points in denied.items()}
        goals = self._plans.goals_of_enemy(view.situation)
        return self._op_fire.lines(view.situation, goals, pins)

    def turn(self, view: FieldView) -> PlannedTurn:
        """The plan of this turn, made anew where it must be, and the orders."""
        situation, turn, turns_left = view.situation, view.turn, view.turns_left
        plan = self._plan
        if plan is None or self._plans.reasons_to_replan(plan, situation, turn, turns_left):
            plan = self._plans.make(situation, turn, turns_left, previous=plan)
            self._plan = plan
        tasks = self._plans.tasks(plan, situation, turns_left)
        orders = self._leader.orders(
            situation,
            tasks,
            turn=turn,
            draw=view.chance.randrange,
            memory=self._memory.having_fired(view.fired),
            exiting_groups=self._plans.exiting_groups(plan),
            deciding_cells=self._plans.aims.deciding_cells,
        )
        self._memory = self._memory.after(orders, situation, turn)
        return PlannedTurn(plan, tasks, orders)


class RandomCommander:
    """Gives any order that the rules allow."""

    fires_at_best = False

    def __init__(self, board: Board, plans: PlanMaker) -> None:
        self.at_table(board, plans)

    def at_table(self, board: Board, plans: PlanMaker) -> None:
        self._board = board
        self._plans = plans

    def actions(self, view: FieldView) -> list[Action]:
        chosen = []
        for options in self._options(view):
            chosen.append(options[view.chance.randrange(len(options))])
        return chosen

    def waits_for(self, view: FieldView) -> list[FireLine]:
        return []

    def _options(self, view: FieldView) -> Iterator[list[Action]]:
        """All that each of his groups can do, a list for each."""
        plan = self._plans.make(view.situation, view.turn, view.turns_left)
        tasks = self._plans.tasks(plan, view.situation, view.turns_left)
        outlook = Outlook(self._board, view.situation, tasks)
        for stand in view.situation.own:
            way_out = stand.group.id in self._plans.exiting_groups(plan)
            yield list(possible(outlook, stand.group.id, way_out=way_out))


class StraightCommander(RandomCommander):
    """Marches straight at the nearest objective and fires at the nearest enemy."""

    def actions(self, view: FieldView) -> list[Action]:
        chosen = []
        for options in self._options(view):
            here = view.situation.own_stand(options[0].group)
            turns = self._turns_to_nearest(here, view.situation)
            best = min(options, key=lambda action: turns.get(action.stand.cell, NEVER))
            for action in options:
                # Neither brings it nearer by itself, and without them nobody leaves or lands.
                if isinstance(action, LeaveTable | GetOut):
                    best = action
            chosen.append(best)
        return chosen

    def _turns_to_nearest(self, stand: Stand, situation: Situation) -> Mapping[GroundCell, float]:
        """The turns from each cell to the objective that is nearest to a group; where no ground
        decides, to the nearest enemy."""
        cells = [objective.cell for objective in self._plans.aims.objectives]
        if not cells:
            cells = [enemy.cell for enemy in situation.enemies]
        if not cells:
            return {}
        nearest = min(cells, key=lambda cell: self._plans.eta(stand, cell))
        return self._board.paths.turns(self._plans.mover(stand.group), nearest)


class FieldResult(NamedTuple):
    """How a field ended: the side that won, None for a draw; points lost by each side."""

    winner: str | None
    lost: Mapping[str, float]


class FieldBattle:
    """One battle of a scenario between two commanders."""

    def __init__(
        self,
        scenario: Scenario,
        table: CommandTable,
        rulings: Mapping[str, str],
        seed: int,
        *,
        pinning: bool = False,
    ) -> None:
        self.scenario = scenario
        self._pinning = pinning
        self._table = table
        self._catalog: Catalog = table.catalog
        self._rulings = rulings
        self._chance = Random(seed)
        self._deck: list[Draw] = []
        self._exited: dict[str, Counter[str]] = {}
        self._groups: dict[str, list[FieldGroup]] = {}
        self._last_holders: dict[GroundCell, str] = {}
        self._fired: dict[str, set[str]] = {}
        self._temperaments: dict[str, TemperamentId] = {}
        self._places = StartingCells(scenario, table)
        self._wire = self._places.wire() | table.paths.wire
        self._table = table.with_wire(self._wire)
        for side in scenario.sides:
            self._groups[side.id] = list(self._set_up(side))
            self._exited[side.id] = Counter()
        self._at_start = {side: self._points(side) for side in self._groups}
        self._units_at_start = {side: self._units(side) for side in self._groups}

    # ------------------------------------------------------------------ play

    def commander(
        self, kind: type[PlannedCommander | RandomCommander], side: str, temperament: TemperamentId
    ) -> FieldCommander:
        """A commander of this kind for a side."""
        self._temperaments[side] = temperament
        return kind(*self._desk(side))

    def _desk(self, side: str) -> tuple[Board, PlanMaker]:
        """What the commander of a side works with."""
        temperament = self._temperaments[side]
        spadework = spadework_of(self.scenario, side, self._catalog)
        board = self._table.board(temperament, self._emplaced(side), spadework)
        forces = {}
        for name, groups in self._groups.items():
            forces[name] = Force(together(group.counts + group.aboard for group in groups))
        aims = aims_of(self.scenario, side, forces, self._catalog)
        plans = PlanMaker(
            self._catalog,
            self._table.paths,
            aims,
            weights=self._table.weights,
            temperament=temperament,
            on_slope=slope_limit(self.scenario),
        )
        return board, plans

    def _rewire(self, commanders: Mapping[str, FieldCommander]) -> None:
        """The table as it is once wire has been cleared, for both sides."""
        if self._wire == self._table.paths.wire:
            return
        self._table = self._table.with_wire(self._wire)
        for side in self._temperaments:
            commanders[side].at_table(*self._desk(side))

    def played(self, commanders: Mapping[str, FieldCommander]) -> FieldResult:
        """Play to the end."""
        last = LAST_TURN_WITHOUT_CLOCK
        if self.scenario.ends_after is not None:
            last = self.scenario.ends_after.turn
        for turn in range(1, last + 1):
            for side in self.scenario.order_of_play():
                self._enter(side, turn)
                self._serve(side, turn)
                self._destroy_parked(side)
                other = self._other(side)
                if self._present(side):
                    turns_left = last - turn + 1
                    chosen = commanders[side].actions(self._view(side, turn, turns_left))
                    lines = commanders[other].waits_for(self._view(other, turn, turns_left))
                    enemy_fires_at_best = commanders[other].fires_at_best
                    self._turn(side, chosen, lines, enemy_fires_at_best=enemy_fires_at_best)
                self._see_holders()
                self._rewire(commanders)
        lost = {side: self._at_start[side] - self._points(side) for side in self._groups}
        return FieldResult(self._winner(), lost)

    def _view(self, side: str, turn: int, turns_left: int) -> FieldView:
        """What the commander of a side may know now."""
        fired = tuple(sorted(self._fired.get(side, ())))
        return FieldView(
            self._situation(side), turn, turns_left, self._chance, fired, self._pinning
        )

    def _turn(
        self,
        side: str,
        actions: Sequence[Action],
        lines: Sequence[FireLine],
        *,
        enemy_fires_at_best: bool,
    ) -> None:
        """The four phases of a side's turn. ``lines``: for what the enemy waits;
        ``enemy_fires_at_best``: where he kills most, and not at the nearest."""
        enemy = self._other(side)
        groups = {group.id: group for group in self._groups[side]}
        fired: Fired = Counter()
        op_fire = _OpFire(lines, fired)
        for action in actions:
            self._do(side, groups[action.group], action, op_fire)
        for action in actions:
            if isinstance(action, Charge) and groups[action.group].alive:
                self._charge(side, groups[action.group], action, op_fire)
        self._defensive_fire(enemy, fired, best=enemy_fires_at_best)
        self._fired[enemy] = {guns.group for guns, shots in fired.items() if shots}
        self._contact(side, phase=3)
        self._contact(enemy, phase=4)

    def _charge(self, side: str, group: FieldGroup, action: Charge, op_fire: _OpFire) -> None:
        """A group charges, through the fire of all who wait for it and of those who are
        charged."""
        if self._pinned_at(side, group, action.enemy.cell, op_fire) is not None:
            return  # it was pinned on its way, and does not get there
        if group.alive:
            self._fire_of_the_charged(self._other(side), group, action, op_fire.fired)
        group.cell = action.stand.cell
        group.place = action.stand.cell.middle
        group.cover = False

    def _do(self, side: str, group: FieldGroup, action: Action, op_fire: _OpFire) -> None:
        """What a group does in phase 1, through the fire of those who wait for it; charges come
        later (``_charge``)."""
        if isinstance(action, Charge):
            return  # after all others have moved
        if not group.alive:
            return  # a carrier that others have mounted goes with them, next turn
        if isinstance(action, LeaveTable):
            self._exited[side] += group.counts + group.aboard
            group.counts.clear()
            group.aboard.clear()
            return
        if isinstance(action, GetOut):
            self._groups[side].append(group.without_men(self._free_id(side, group)))
            group.counts, group.aboard = group.aboard, Counter()
        elif isinstance(action, MountUp):
            self._load(side, group, action)
        elif isinstance(action, DigIn):
            self._dig_in(side, group)
            return
        elif isinstance(action, CutWire):
            self._wire -= {action.wire}
            return
        elif isinstance(action, Abandon):
            group.counts = Counter({action.becomes: group.counts.total()})
        stand = action.stand
        if isinstance(action, StayPut):
            # All moves are kinds of ``StayPut``; who stays has no way on which he could be fired
            # at.
            pinned_at = self._pinned_at(side, group, stand.cell, op_fire)
            if pinned_at is not None:
                stand = Stand(stand.group, pinned_at)  # out of the cover that it has left
        if group.alive:
            self._go(group, stand)

    def _free_id(self, side: str, group: FieldGroup) -> str:
        """An id for the carriers that a group leaves: it may have left others behind before."""
        taken = {other.id for other in self._groups[side]}
        number = 1
        while f"{group.id} carriers {number}" in taken:
            number += 1
        return f"{group.id} carriers {number}"

    def _go(self, group: FieldGroup, to: Stand) -> None:
        """Move a group to a stand, or as far as a move takes it: over a corner or up a slope it may
        end between the middles of two cells, and goes on from there."""
        if to.cell == group.cell:
            group.cover = to.cover
            return
        group.place = self._end_of_move(group, to)
        cell = self._table.grid.at(group.place)
        if cell == to.cell:
            group.cover = to.cover
        else:
            group.cover = self._table.ground.in_cover(cell)
        group.cell = cell

    def _end_of_move(self, group: FieldGroup, to: Stand) -> Point:
        """The middle of the cell to which it goes, or the place on the way where a move ends."""
        mover = mover_of(group.stand.group, self._catalog, slope_limit(self.scenario))
        # Men who get out step beside their carrier, also where they could not go from its cell.
        turns = self._table.paths.turns(mover, group.cell).get(to.cell, 1.0)
        inches_a_turn = apart(group.cell, to.cell) / turns
        way = math.dist(group.place, to.cell.middle)
        if way <= inches_a_turn + plane.ROUNDING:
            return to.cell.middle
        part = inches_a_turn / way
        x, y = group.place
        middle_x, middle_y = to.cell.middle
        return x + (middle_x - x) * part, y + (middle_y - y) * part

    def _dig_in(self, side: str, group: FieldGroup) -> None:
        """A draw decides whether a group has cover until it moves on."""
        spadework = spadework_of(self.scenario, side, self._catalog)
        engineers = bool(spadework.engineers & set(group.counts))
        if is_dug_in(engineers, None, self._drawn(), self._catalog):
            group.cover = True

    def _load(self, side: str, group: FieldGroup, action: MountUp) -> None:
        """The carrier's group ends; its men ride in it."""
        for carrier in self._groups[side]:
            if carrier.id == action.carrier.group.id and carrier.alive:
                group.aboard, group.counts = group.counts, carrier.counts
                carrier.counts = Counter()

    # ------------------------------------------------------------------ fire

    def _pinned_at(
        self, side: str, group: FieldGroup, end: GroundCell, op_fire: _OpFire
    ) -> GroundCell | None:
        """The cell of its way to ``end`` in which a group is pinned by those who wait for it: the
        last before the one in which they expect it. None if it gets on, or if nobody of it is
        left."""
        before = group.cell
        for cell in cells_between(group.cell, end):
            for line in op_fire.lines:
                awaited = line.enemy.group.id == group.id and line.cell == cell
                if awaited and self._fire_and_pin(side, group, line, op_fire.fired):
                    return before
            before = cell
        return None

    def _fire_and_pin(self, side: str, target: FieldGroup, line: FireLine, fired: Fired) -> bool:
        """The guns of a line fire one after another, until one of them pins the target; whether it
        does."""
        shooters = {group.id: group for group in self._present(self._other(side))}
        for guns in line.guns:
            shooter = shooters.get(guns.stand.group.id)
            if shooter is None or not target.alive or self._in_contact(self._other(side), shooter):
                continue
            key = GunKey(shooter.id, guns.unit.id, guns.weapon.id)
            if fired[key] >= shooter.counts[guns.unit.id] - shooter.waiting[guns.unit.id]:
                continue
            distance = round(apart(shooter.cell, line.cell))
            if not self._shoot(guns.unit, guns.weapon, target, Circumstances(distance=distance)):
                continue
            fired[key] += 1
            if self._pins(guns.weapon, target):
                return True
        return False

    def _pins(self, weapon: Weapon, target: FieldGroup) -> bool:
        """Whether a weapon that has just fired pins its target, of which somebody is left. Models
        are never pinned."""
        on_foot = any(self._catalog.units[id].is_guy for id in +target.counts)
        if not (self._pinning and weapon.pins and on_foot):
            return False
        # Force quality is not played on the field: all men are alike (None).
        return is_pinned(None, self._drawn(), self._catalog, self._rulings)

    def _fire_of_the_charged(
        self, side: str, target: FieldGroup, charge: Charge, fired: Fired
    ) -> None:
        """Those who are charged fire at the group that comes over open ground, a cell away from
        them."""
        for group in self._present(side):
            if group.id == charge.enemy.group.id and not self._in_contact(side, group):
                self._fire_at(group, target, CELL, fired, cover=False)

    def _defensive_fire(self, side: str, fired: Fired, *, best: bool) -> None:
        """Phase 2: everything of a side that has not fired yet. ``best``: where it kills most
        first, and not at the nearest."""
        enemies = self._present(self._other(side))
        for group in self._present(side):
            if self._in_contact(side, group):
                continue
            for target in self._by_preference(group, enemies, best=best):
                if target.alive:
                    distance = apart(group.cell, target.cell)
                    self._fire_at(group, target, distance, fired, cover=target.cover)

    def _by_preference(
        self, group: FieldGroup, enemies: Sequence[FieldGroup], *, best: bool
    ) -> list[FieldGroup]:
        """The targets of a group in the order in which it fires at them: ``best`` those first of
        whom it kills most, else the nearest."""
        fire, stand = self._table.fire, group.stand
        ranked = []
        for enemy in enemies:
            points = 0.0
            for guns in fire.guns_of([stand]):
                for shootable in fire.shootables_of(enemy.stand.group):
                    kills = fire.kills(guns, shootable, enemy.stand)
                    points = max(points, kills * shootable.mean_price)
            if points:
                preference = apart(group.cell, enemy.cell)
                if best:
                    preference = -points
                ranked.append(_RankedTarget(preference, enemy))
        return [target.group for target in sorted(ranked, key=_first_choice_first)]

    def _fire_at(
        self,
        group: FieldGroup,
        target: FieldGroup,
        distance: float,
        fired: Fired,
        *,
        cover: bool,
    ) -> None:
        """All weapons of a group that have not fired yet, until the target is gone."""
        # Fire in phases 1 and 2 is judged alike; only pins differ (``_pins``).
        circumstances = Circumstances(distance=round(distance), phase=2, cover=cover)
        for id, count in list(group.counts.items()):
            unit = self._catalog.units[id]
            able = count - group.waiting[id]
            for weapon in self._catalog.weapons_of(unit, self._rulings):
                guns = GunKey(group.id, id, weapon.id)
                while fired[guns] < able and target.alive:
                    if not self._shoot(unit, weapon, target, circumstances):
                        break
                    fired[guns] += 1

    def _contact(self, side: str, *, phase: int) -> None:
        """Everybody of a side who shares a cell with an enemy strikes."""
        circumstances = Circumstances(touching=True, phase=phase)
        for group in self._present(side):
            for enemy in self._present(self._other(side)):
                if enemy.cell != group.cell:
                    continue
                for id, count in list(group.counts.items()):
                    unit = self._catalog.units[id]
                    if unit.is_guy:
                        # One blow each: hardly any guy has two weapons.
                        weapon = self._catalog.weapons_of(unit, self._rulings)[0]
                        for _ in range(count):
                            if enemy.alive:
                                self._shoot(unit, weapon, enemy, circumstances)
                break  # nobody fights two groups at once

    def _shoot(
        self, shooter: UnitType, weapon: Weapon, target: FieldGroup, at: Circumstances
    ) -> bool:
        """One shot with its repeat fire; False if the rules forbid it."""
        victim = self._victim(target)
        shot = Shot(shooter=shooter, weapon=weapon, target=self._catalog.units[victim], at=at)
        if why_not(shot, self._catalog, self._rulings) is not None:
            return False
        aimed = aim(shot, self._catalog, self._rulings)
        # Repeat fire goes on at men who were not a target yet. Models keep apart: it finds no
        # second one within its six inches.
        not_yet_targets = 1
        if self._catalog.units[victim].is_guy:
            not_yet_targets = target.counts.total()
        while target.alive and not_yet_targets > 0:
            draw = self._drawn()
            verdict = judge(aimed, draw)
            if verdict.breakdown == "pending":
                verdict = judge(aimed, draw, self._drawn())
            if not verdict.hit:
                break
            self._killed(target, exact=verdict.exact_figure)
            if verdict.repeat is None:
                break
            not_yet_targets -= verdict.repeat.uses_up(exact=verdict.exact_figure)
        return True

    def _victim(self, target: FieldGroup) -> str:
        """The id of the unit that is shot at: the cheapest, men before models."""
        present = [id for id, count in target.counts.items() if count > 0]
        men = [id for id in present if self._catalog.units[id].is_guy]
        return min(men or present, key=lambda id: self._catalog.units[id].price)

    def _killed(self, target: FieldGroup, *, exact: bool) -> None:
        """One falls: as its player chooses, the cheapest. By an exact hit it is the man who was
        aimed at; groups know no single men, so that it is any of them."""
        victim = self._victim(target)
        if exact and self._catalog.units[victim].is_guy:
            victim = self._chance.choice(list((+target.counts).elements()))
        target.counts[victim] -= 1
        target.counts = +target.counts
        if not target.counts:
            target.aboard.clear()

    def _drawn(self) -> Draw:
        """The next card of a deck that both sides share; shuffled anew when it is empty."""
        if not self._deck:
            self._deck = list(DECK)
            self._chance.shuffle(self._deck)
        return self._deck.pop()

    # ------------------------------------------------------------------ how things stand

    def _other(self, side: str) -> str:
        [other] = [name for name in self._groups if name != side]
        return other

    def _present(self, side: str) -> list[FieldGroup]:
        """The groups of a side that are on the table and alive."""
        return [group for group in self._groups[side] if group.on_table and group.alive]

    def _situation(self, side: str) -> Situation:
        own = tuple(group.stand for group in self._present(side))
        enemies = tuple(group.stand for group in self._present(self._other(side)))
        return Situation(own, enemies)

    def _in_contact(self, side: str, group: FieldGroup) -> bool:
        """Whether a group of this side shares its cell with an enemy."""
        return any(enemy.cell == group.cell for enemy in self._present(self._other(side)))

    def _points(self, side: str) -> float:
        """The price of all that a side has not lost."""
        units = self._units(side)
        price = 0.0
        for id, count in units.items():
            price += self._catalog.units[id].price * count
        return price

    def _units(self, side: str) -> Counter[str]:
        """How many of each unit a side has not lost, on the table or off it."""
        everybody = self._exited[side].copy()
        for group in self._groups[side]:
            everybody += group.counts + group.aboard
        return everybody

    def _emplaced(self, side: str) -> dict[str, str]:
        """The groups whose guns may only be abandoned, and what their men become."""
        emplaced = {}
        for happening in self.scenario.happenings:
            if isinstance(happening, MayConvert) and happening.side == side:
                for group in self._groups[side]:
                    if set(group.counts) == {happening.unit} and group.counts.total() == 1:
                        emplaced[group.id] = happening.becomes
        return emplaced

    # ------------------------------------------------------------------ set-up

    def _set_up(self, side: ScenarioSide) -> Iterator[FieldGroup]:
        """The groups of a side, each in one of the cells in which it may start, drawn for."""
        parts, entries = [], {}
        entrenchments = Entrenchments(side.works().get("entrenchment", 0))
        for contingent in side.contingents:
            # Of what its player may choose it has the first.
            chosen = together(choice.one_of[0] for choice in contingent.choices)
            part = ForcePart.of(contingent, chosen)
            parts.append(part)
            entries[contingent.id] = contingent.entry
        for ask in self.scenario.questions():
            counts = _proposed_units(ask)
            if ask.side == side.id and counts:
                # What the text leaves to the players is as set-up proposes it.
                parts.append(ForcePart(ask.id, ask.id.capitalize(), counts))
                entries[ask.id] = AnywhereEntry(turn=0)
        for known in form_groups(parts, self._catalog, self._table.weights.plan):
            entry = entries[known.contingent]
            cells = self._places.for_group(entry, known)
            cell = cells[self._chance.randrange(len(cells))]
            cover = self._table.ground.in_cover(cell)
            if not isinstance(entry, FROM_OUTSIDE):
                cover = cover or entrenchments.take_in(known, self._catalog)
            group = FieldGroup(known, cell, cover=cover, enters=entry.turn)
            for needs in self._services(side.id):
                for unit in needs.units:
                    group.waiting[unit] = group.counts[unit]
            yield group

    def _enter(self, side: str, turn: int) -> None:
        """Who comes on this turn is on the table, and so is whoever came before."""
        for group in self._groups[side]:
            if group.enters <= turn:
                group.on_table = True

    def _serve(self, side: str, turn: int) -> None:
        """Each crew serves those who wait in its cell, or beside it."""
        for needs in self._services(side):
            if turn < needs.from_turn:
                continue
            for crew in self._present(side):
                can_serve = crew.counts[needs.by] * needs.each
                for group in self._present(side):
                    if apart(crew.cell, group.cell) <= SERVES_WITHIN:
                        served = min(can_serve, group.waiting.total())
                        group.waiting -= Counter(list(group.waiting.elements())[:served])
                        can_serve -= served

    def _destroy_parked(self, side: str) -> None:
        """A vehicle that begins its move touching a parked aircraft destroys it (scenario 3)."""
        for vehicles in self._present(side):
            number = 0
            for id, count in vehicles.counts.items():
                if VEHICLE in self._catalog.units[id].tags:
                    number += count
            for target in self._present(self._other(side)):
                if target.cell == vehicles.cell:
                    destroyed = min(number, target.counts[PARKED])
                    target.counts -= Counter({PARKED: destroyed})
                    number -= destroyed

    def _services(self, side: str) -> list[NeedsService]:
        """What a side has to be served with."""
        services = []
        for happening in self.scenario.happenings:
            if isinstance(happening, NeedsService) and happening.side == side:
                services.append(happening)
        return services

    # ------------------------------------------------------------------ who has won

    def _see_holders(self) -> None:
        """Who was last alone in each building."""
        for objective in self._objectives():
            holders = self._holders(objective)
            if len(holders) == 1:
                self._last_holders[objective] = holders[0]

    def _objectives(self) -> list[GroundCell]:
        """The ground that decides."""
        objectives = objectives_of(
            self.scenario.victory,
            self.scenario.map or Battlefield(),
            self._table.grid,
            self.scenario.table.up,
        )
        return [objective.cell for objective in objectives if not objective.way_out]

    def _holders(self, cell: GroundCell) -> list[str]:
        """The sides that have men in a cell."""
        holders = []
        for side in self._groups:
            if self._men_in(side, {cell}):
                holders.append(side)
        return holders

    def _winner(self) -> str | None:
        """The side that has won by the terms of the scenario, as things stand; None for a draw."""
        victory = self.scenario.victory
        first, second = self._groups
        match victory:
            case CountAtEnd():
                cells = set(self._objectives())
                return self._more(
                    self._men_in(first, cells), self._men_in(second, cells), victory.equal
                )
            case Survivors():
                units = set(victory.units)
                return self._more(self._left(first, units), self._left(second, units), None)
            case HoldBuildings():
                held = Counter(self._last_holders.values())
                reached = held[victory.side] >= victory.need
            case HoldRatio():
                held = Counter(self._last_holders.values())
                enemy = held[self._other(victory.side)]
                reached = held[victory.side] >= max(1, victory.ratio * enemy)
            case Clear():
                [centre] = self._objectives()
                reached = True
                for group in self._present(victory.of):
                    if apart(group.cell, centre) <= victory.within_in:
                        reached = False
            case ExitTable():
                reached = self._exit_strength(victory) >= self._exit_need(victory)
            case Destroy():
                reached = self._destroyed(victory.side, victory.unit) >= victory.need
            case DestroyThenExit():
                enough = self._destroyed(victory.side, victory.unit) >= victory.need
                out = self._exited[victory.side][victory.then.unit]
                reached = enough and out >= victory.then.need
        if reached:
            return victory.side
        return self._other(victory.side)

    def _more(self, of_first: int, of_second: int, if_equal: str | None) -> str | None:
        """The side that has more; ``if_equal``: the side that wins a tie, None for a draw."""
        first, second = self._groups
        if of_first > of_second:
            return first
        if of_second > of_first:
            return second
        return if_equal

    def _men_in(self, side: str, cells: set[GroundCell]) -> int:
        """How many men a side has in these cells."""
        men = 0
        for group in self._present(side):
            if group.cell in cells:
                for id, count in group.counts.items():
                    if self._catalog.units[id].is_guy:
                        men += count
        return men

    def _left(self, side: str, units: set[str]) -> int:
        """How many of these units a side has left in its groups, without those who left the
        table."""
        left = 0
        for group in self._groups[side]:
            left += sum(group.counts[unit] for unit in units)
        return left

    def _destroyed(self, side: str, unit: str) -> int:
        """How many of a unit the enemy of a side has lost."""
        enemy = self._other(side)
        return self._units_at_start[enemy][unit] - self._left(enemy, {unit})

    def _exit_strength(self, victory: ExitTable) -> int:
        """What is off the table, by the weights of the terms, or as toward the break point."""
        strength = 0
        for id, count in self._exited[victory.side].items():
            unit = self._catalog.units[id]
            strength += count * victory.weights.get(unit.id, self._catalog.worth(unit))
        return strength

    def _exit_need(self, victory: ExitTable) -> int:
        """What has to be off the table, counted like ``_exit_strength``."""
        if victory.need is not None:
            return victory.need
        # "Half their force", which counts as toward the break point: no terms with weights say so.
        strength = 0
        for id, count in self.scenario.side(victory.side).units().items():
            strength += count * self._catalog.worth(self._catalog.units[id])
        return math.ceil(strength / 2)


class _RankedTarget(NamedTuple):
    """A target of a group: the smaller its ``preference``, the sooner it is fired at."""

    preference: float
    group: FieldGroup


def _first_choice_first(target: _RankedTarget) -> tuple[float, str]:
    """The key to sort by. The id decides between equals, so that each run is the same."""
    return target.preference, target.group.id


def _proposed_units(ask: AskAtSetup) -> dict[str, int]:
    """The units that set-up proposes for a question; empty for one about something else."""
    match ask.proposal:
        case dict():
            return dict(ask.proposal)
        case int() if ask.unit is not None:
            return {ask.unit: ask.proposal}
    return {}
