"""Those who can lead a side on the field: the solo commander, and two simpler ones to beat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple, Protocol

from skirmish.games.plastic.commander.actions import Action, GetOut, LeaveTable
from skirmish.games.plastic.commander.board import Board
from skirmish.games.plastic.commander.cells import GroundCell
from skirmish.games.plastic.commander.group_order import GroupOrder, Memory
from skirmish.games.plastic.commander.leading import GroupLeader
from skirmish.games.plastic.commander.moves import NEVER, GroupTask
from skirmish.games.plastic.commander.op_fire import FireLine, OpFirePlanner, chance_of_pin
from skirmish.games.plastic.commander.outlook import Outlook
from skirmish.games.plastic.commander.plan import Plan
from skirmish.games.plastic.commander.plan_maker import PlanMaker
from skirmish.games.plastic.commander.possible_actions import possible_actions
from skirmish.games.plastic.commander.situation import Situation, Stand


class FieldView(NamedTuple):
    """What a commander of the field may know."""

    situation: Situation
    turn: int
    turns_left: int
    """This turn included."""
    random: Random
    """He draws among orders of equal worth with it."""
    fired: tuple[str, ...] = ()
    """The ids of his groups that fired in the enemy's last turn."""
    pinning: bool = False
    """Whether machine guns pin."""


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

    def go_on_with(self, board: Board, plans: PlanMaker) -> None:
        """Go on with this board and these plans: wire has been cut."""
        ...


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
        self.go_on_with(board, plans)

    def go_on_with(self, board: Board, plans: PlanMaker) -> None:
        self._board = board
        self._plans = plans
        self._leader = GroupLeader(board)
        self._op_fire = OpFirePlanner(board)

    def actions(self, view: FieldView) -> list[Action]:
        return [order.action for order in self.decide_turn(view).orders]

    def waits_for(self, view: FieldView) -> list[FireLine]:
        points_of_pins = {}
        if view.pinning:
            points_of_pins = self._points_of_pins(view)
        goals = self._plans.goals_of_enemy(view.situation)
        return self._op_fire.lines(view.situation, goals, points_of_pins)

    def _points_of_pins(self, view: FieldView) -> dict[str, float]:
        """By the id of each group of the enemy: what a shot that may pin it is worth beyond its
        kills, for the ground that the group does not reach then."""
        # Force quality is not played on the field: all men are alike.
        chance = chance_of_pin(quality=None, catalog=self._board.catalog)
        points_held_up = self._plans.worth_of_holding_up(view.situation, view.turns_left)
        return {group: chance * points for group, points in points_held_up.items()}

    def decide_turn(self, view: FieldView) -> PlannedTurn:
        """Decide this turn. What he plans and orders is remembered for the next one."""
        situation = view.situation
        plan = self._current_plan(view)
        self._plan = plan
        tasks = self._plans.tasks(plan, situation, view.turns_left)
        orders = self._leader.orders(
            situation,
            tasks,
            turn=view.turn,
            draw=view.random.randrange,
            memory=self._memory.having_fired(view.fired),
            exiting_groups=self._plans.exiting_groups(plan),
            deciding_cells=self._plans.aims.deciding_cells,
        )
        self._memory = self._memory.after(orders, situation, view.turn)
        return PlannedTurn(plan, tasks, orders)

    def _current_plan(self, view: FieldView) -> Plan:
        """The plan of the last turn, or a new one where there is a reason for that."""
        situation, turn, turns_left = view.situation, view.turn, view.turns_left
        plan = self._plan
        if plan is None or self._plans.reasons_to_replan(plan, situation, turn, turns_left):
            return self._plans.make(situation, turn, turns_left, previous=plan)
        return plan


class RandomCommander:
    """Gives any order that the rules allow."""

    fires_at_best = False

    def __init__(self, board: Board, plans: PlanMaker) -> None:
        self.go_on_with(board, plans)

    def go_on_with(self, board: Board, plans: PlanMaker) -> None:
        self._board = board
        self._plans = plans

    def actions(self, view: FieldView) -> list[Action]:
        chosen = []
        for options in self._options(view):
            chosen.append(options[view.random.randrange(len(options))])
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
            yield list(possible_actions(outlook, stand.group.id, way_out=way_out))


class StraightCommander(RandomCommander):
    """Marches straight at the nearest objective and fires at the nearest enemy."""

    def actions(self, view: FieldView) -> list[Action]:
        chosen = []
        for options in self._options(view):
            chosen.append(self._straightest(options, view.situation))
        return chosen

    def _straightest(self, options: Sequence[Action], situation: Situation) -> Action:
        """The action of a group that brings it nearest to its objective."""
        # These bring it no nearer, but without them nobody would leave the table or land. Whoever
        # can do both gets out, which is the last of the options.
        for action in reversed(options):
            if isinstance(action, LeaveTable | GetOut):
                return action
        group_stand = situation.own_stand(options[0].group)
        turns_from = self._turns_to_nearest(group_stand, situation)
        return min(options, key=lambda action: turns_from.get(action.stand.cell, NEVER))

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
