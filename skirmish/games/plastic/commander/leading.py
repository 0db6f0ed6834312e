"""The orders of one turn: for each group what it could do, the best of it, and why.

Each group is judged alone first; then all that go to one objective together, and all that can
charge one enemy together. Habits keep it from dithering, vetoes from follies, and a draw from
outside decides ties, so that the same situation with the same draws has the same orders.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import msgspec

from skirmish.games.plastic.commander.actions import (
    Action,
    ActionKey,
    Charge,
    CutWire,
    GetOut,
    GoTo,
    LeaveTable,
    MountUp,
    Outlook,
    StayPut,
    afloat,
    ground_of,
    possible,
)
from skirmish.games.plastic.commander.board import Board
from skirmish.games.plastic.commander.cells import GroundCell
from skirmish.games.plastic.commander.moves import ActionScore, GroupTask, TermName
from skirmish.games.plastic.commander.situation import Situation, Stand
from skirmish.games.plastic.commander.terms import ScoreTerms
from skirmish.games.plastic.commander.vetoes import TOO_FEW, too_few, veto
from skirmish.games.plastic.commander.weights import RoleId

Draw: TypeAlias = Callable[[int], int]
"""Asked for one of so many equals, it names its index: a draw of the battle, or of a test."""
IN_WAVES: tuple[RoleId, ...] = ("assault", "raid")
"""Men with these roles go in waves."""
IDLE_TURNS = 2
"""After so many turns in which a group has neither moved nor fired, its score alone does not keep
it where it is (``_way_to_stir``), and players are told for how long it has been there."""
LAST_CALL = 1.0
"""So many points, the price of a Rifle Guy, may it cost a reserve to set out in the last turn in
which it can be in time."""


class Memory(msgspec.Struct, frozen=True):
    """What the commander did before: each group's last order, the cells it left and in which turn,
    and for how many turns it has neither moved nor fired."""

    last: Mapping[str, ActionKey] = {}
    left: Mapping[str, Mapping[GroundCell, int]] = {}
    idle: Mapping[str, int] = {}

    def after(self, orders: Sequence[GroupOrder], situation: Situation, turn: int) -> Memory:
        """The memory once the orders of a turn have been given. A group that stays counts as idle
        here; if it fires in the enemy's turn, ``having_fired`` puts that right."""
        last, left, idle = dict(self.last), dict(self.left), dict(self.idle)
        for order in orders:
            cell = situation.own_stand(order.group).cell
            last[order.group] = order.action.key
            if order.action.moves_from(cell):
                left[order.group] = {**left.get(order.group, {}), cell: turn}
            if order.action.stays:
                idle[order.group] = idle.get(order.group, 0) + 1
            else:
                idle[order.group] = 0
        return Memory(last, left, idle)

    def having_fired(self, groups: Sequence[str]) -> Memory:
        """The memory once it is known that these groups have fired in the enemy's turn: they do
        not idle."""
        idle = {**self.idle, **dict.fromkeys(groups, 0)}
        return msgspec.structs.replace(self, idle=idle)


class Considered(NamedTuple):
    """An action with its score, in which habit is counted, and why it is out of the question, if
    it is."""

    action: Action
    score: ActionScore
    veto: str = ""


class _Best(NamedTuple):
    """The best option of a group by its score, and among how many equals a draw decided, 0 for
    none."""

    option: Considered
    drawn: int


class _Going(NamedTuple):
    """What a group does if it goes together with others, and what that is worth to it then."""

    action: Action
    score: ActionScore


class GroupOrder(NamedTuple):
    """What a group is to do. ``reason``: the term that most speaks for it against the next best;
    None if there was no other. ``considered``: all that it could do, the best first. ``together``:
    the groups that do it at once; ``drawn``: among how many equals a draw decided, 0 for none;
    ``idle``: for how many turns it has neither moved nor fired; ``because``: a sentence that says
    why, where no term of the score does."""

    group: str
    action: Action
    score: ActionScore
    reason: TermName | None
    considered: tuple[Considered, ...]
    together: tuple[str, ...] = ()
    drawn: int = 0
    idle: int = 0
    because: str = ""


class GroupLeader:
    """Leads one side on one board."""

    def __init__(self, board: Board) -> None:
        self._board = board

    def orders(
        self,
        situation: Situation,
        tasks: Mapping[str, GroupTask],
        *,
        turn: int,
        draw: Draw,
        memory: Memory | None = None,
        exiting_groups: frozenset[str] = frozenset(),
        deciding_cells: frozenset[GroundCell] = frozenset(),
    ) -> list[GroupOrder]:
        """An order for each group with a task. ``exiting_groups``: the ids of those that are to
        leave the table; ``deciding_cells``: the ground that decides the battle."""
        remembered = memory or Memory()
        outlook = Outlook(self._board, situation, tasks, deciding_cells)
        chosen: dict[str, GroupOrder] = {}
        for stand in situation.own:
            group = stand.group.id
            if group in tasks:
                considered = self._considered(
                    outlook, group, remembered, turn, way_out=group in exiting_groups
                )
                chosen[group] = self._best(outlook, group, considered, remembered, draw)
        self._waves(outlook, chosen)
        self._joint_charges(outlook, chosen)
        self._carriers_wait(outlook, chosen)
        _wait_for_a_gap(outlook, chosen)
        self._somebody_stays(outlook, chosen)
        somebody_had_to_stay = True
        while somebody_had_to_stay:
            # Who stays after all takes the room of those who were to come: look again.
            somebody_had_to_stay = self._make_room(outlook, chosen)
        return list(chosen.values())

    # ------------------------------------------------------------------ alone

    def _considered(
        self, outlook: Outlook, group: str, memory: Memory, turn: int, *, way_out: bool
    ) -> tuple[Considered, ...]:
        """All that a group could do, the best first, what is vetoed last."""
        considered = []
        hold: ActionScore | None = None
        for action in possible(outlook, group, way_out=way_out):
            score = action.score(outlook)
            if hold is None:
                # To hold comes first (``possible``); the others are judged beside it.
                hold = score
            reason = veto(action, score, hold, outlook)
            by_habit = self._habit(action, outlook, memory, turn)
            score = score._replace(value=score.value + by_habit)
            considered.append(Considered(action, score, reason))
        # The sort is stable: of equals that come first which were possible first.
        considered.sort(key=_rank)
        return tuple(considered)

    def _habit(self, action: Action, outlook: Outlook, memory: Memory, turn: int) -> float:
        """What an action gains for going on with the last order, or loses for going back to where
        the group has just been."""
        habit = self._board.temperament.habit
        last = memory.last.get(action.group)
        here = outlook.situation.own_stand(action.group).cell
        if action.moves_from(here):
            left_in = memory.left.get(action.group, {}).get(action.stand.cell)
            choice = self._board.weights.choice
            if left_in is not None and turn - left_in <= choice.left_ago:
                return -choice.return_for * habit
            goes_on = last is not None and last.verb == GoTo.verb
            if goes_on and action.goes and action.brings_nearer(outlook):
                return habit
        elif last is not None and last == action.key:
            return habit
        return 0.0

    def _best(
        self,
        outlook: Outlook,
        group: str,
        considered: tuple[Considered, ...],
        memory: Memory,
        draw: Draw,
    ) -> GroupOrder:
        """The order of a group by itself: what it must do, or else what is best for it, with what
        speaks for that."""
        # The best first, and never empty: nothing forbids to hold.
        allowed = [option for option in considered if not option.veto]
        best, drawn = self._best_by_score(allowed, draw)
        idle = memory.idle.get(group, 0)
        needed = self._needed(outlook, group, best, allowed, idle)
        if needed is not None:
            best, drawn = needed, 0
        others = [option for option in allowed if option is not best]
        reason = None
        if others:
            reason = best.score.told_by(self._compared_with(best, others).score)
        return GroupOrder(
            group, best.action, best.score, reason, considered, drawn=drawn, idle=idle
        )

    def _compared_with(self, best: Considered, others: Sequence[Considered]) -> Considered:
        """Against what the best is to be explained: who goes, against staying; who stays, against
        the first of the others that is no equal of it."""
        tie = self._board.weights.choice.tie
        for option in others:
            if not best.action.stays:
                if option.action.stays:
                    return option
            elif best.score.value - option.score.value > tie:
                return option
        return others[0]  # all others are its equals

    def _best_by_score(self, allowed: Sequence[Considered], draw: Draw) -> _Best:
        """The best of what is allowed, whatever a group must do (``_needed``)."""
        best_value = allowed[0].score.value
        tie = self._board.weights.choice.tie
        equals = [option for option in allowed if best_value - option.score.value <= tie]
        # Staying is no mere draw against moves that bring nothing either.
        staying = [option for option in equals if option.action.stays]
        if staying:
            return _Best(self._into_cover(staying[0], allowed), drawn=0)
        if len(equals) == 1:
            return _Best(equals[0], drawn=0)
        return _Best(equals[draw(len(equals))], drawn=len(equals))

    def _into_cover(self, stay: Considered, allowed: Sequence[Considered]) -> Considered:
        """The best way into cover beside the group, if there is one that is worse than to stay in
        the open by no more than habit; else to stay: nobody waits beside an empty house."""
        here = stay.action.stand
        if here.cover:
            return stay
        beside = set(self._board.ground.grid.neighbours(here.cell))
        as_good = stay.score.value - self._board.temperament.habit - self._board.weights.choice.tie
        for option in allowed:
            stand = option.action.stand
            is_beside = isinstance(option.action, GoTo) and stand.cell in beside
            if is_beside and stand.cover and option.score.value >= as_good:
                return option
        return stay

    def _needed(
        self,
        outlook: Outlook,
        group: str,
        best: Considered,
        allowed: Sequence[Considered],
        idle: int,
    ) -> Considered | None:
        """What a group must do whatever the scores say: be where it counts in the last turn, land,
        and not idle, nor stay in reserve until it is too late. None if nothing is needed but the
        best."""
        in_time = self._just_in_time(outlook, group, allowed)
        if in_time is not None:
            return in_time
        if not best.action.stays:
            return None
        landing = self._landing(outlook, group, allowed)
        if landing is not None:
            return landing
        if outlook.tasks[group].role == "reserve" and outlook.spare(group) == 0:
            return self._way_to_stir(outlook, group, best, allowed, may_cost=LAST_CALL)
        if idle >= IDLE_TURNS:
            habit = self._board.temperament.habit
            return self._way_to_stir(outlook, group, best, allowed, may_cost=habit)
        return None

    def _just_in_time(
        self, outlook: Outlook, group: str, allowed: Sequence[Considered]
    ) -> Considered | None:
        """In the last turn, the way to its objective for a group that can be there: nothing that it
        could kill counts any more. None if there is no such way."""
        task = outlook.tasks[group]
        can_just_be_there = task.turns_left == 1 and task.worth > 0 and outlook.spare(group) == 0
        if (
            not can_just_be_there
            or outlook.situation.own_stand(group).cell in outlook.deciding_cells
        ):
            return None
        for option in allowed:
            if isinstance(option.action, GoTo) and option.action.stand.cell == task.goal:
                return option
        return None

    def _landing(
        self, outlook: Outlook, group: str, allowed: Sequence[Considered]
    ) -> Considered | None:
        """Ashore, for men in a craft that could land them: however late they are, at sea they are
        of no use. None where nobody is to be landed, or nowhere."""
        here = outlook.situation.own_stand(group)
        if not afloat(here.group, self._board.catalog):
            return None
        for option in allowed:
            if isinstance(option.action, GetOut):
                return option
        return None

    def _way_to_stir(
        self,
        outlook: Outlook,
        group: str,
        best: Considered,
        allowed: Sequence[Considered],
        *,
        may_cost: float,
    ) -> Considered | None:
        """The best way nearer to its objective for a group that would stay, though it has long done
        nothing or has no turn to lose: if it is wanted there, can be in time, kills nobody where it
        is, and loses no more points by it than it ``may_cost``. None if there is no such way."""
        task = outlook.tasks[group]
        here = outlook.situation.own_stand(group).cell
        wanted = task.worth > 0 and outlook.spare(group) >= 0 and here != task.goal
        if not wanted or best.score.weighed.kill > 0:
            return None
        for option in allowed:
            cost = best.score.value - option.score.value
            if cost > may_cost:
                return None  # all after it cost more: the best come first
            if option.action.goes and option.action.brings_nearer(outlook):
                return option
        return None

    # ------------------------------------------------------------------ together

    def _waves(self, outlook: Outlook, chosen: dict[str, GroupOrder]) -> None:
        """Groups of the attack that have one objective go together, if together they gain more by
        it than each alone by what is best for it."""
        waves: dict[GroundCell | None, dict[str, GroupTask]] = {}
        for group in chosen:
            task = outlook.tasks[group]
            stand = outlook.situation.own_stand(group)
            if self._goes_in_waves(stand, task):
                waves.setdefault(self._goal_of_wave(stand, task), {})[group] = task
        for tasks in waves.values():
            if len(tasks) >= MIN_TOGETHER:
                self._as_wave(outlook, tasks, chosen)

    def _goal_of_wave(self, stand: Stand, task: GroupTask) -> GroundCell | None:
        """What the groups of one wave have in common: men their objective. All models are one wave,
        None: wherever they go they meet the same cannon, and should do so in the same turn."""
        if any(unit.is_guy for unit in stand.group.units(self._board.catalog)):
            return task.goal
        return None

    def _goes_in_waves(self, stand: Stand, task: GroupTask) -> bool:
        """Who attacks on foot, and models with guns whatever their role: alone each of them would
        meet all enemy cannon."""
        if afloat(stand.group, self._board.catalog):
            return False
        units = stand.group.units(self._board.catalog)
        if not any(unit.is_guy for unit in units):
            return all(unit.moves and unit.weapons for unit in units)
        remnant = sum(unit.is_guy for unit in units) < MEN_IN_A_WAVE
        return task.role in IN_WAVES and not remnant

    def _as_wave(
        self, outlook: Outlook, tasks: Mapping[str, GroupTask], chosen: dict[str, GroupOrder]
    ) -> None:
        """Groups with these tasks go together, as many of them as may, if that is better."""
        wave = self._board.moves.as_a_wave(outlook.situation, tasks)
        enemies = {enemy.cell for enemy in outlook.situation.enemies}
        going: dict[str, _Going] = {}
        for group, (stand, score) in wave.items():
            # Into the cell of an enemy it would be a charge: that is for ``_joint_charges``.
            if stand.cell not in enemies:
                going[group] = _Going(GoTo(group, stand), score)
        if len(going) < len(wave):
            going = self._scored_together(outlook, going, tasks)
        allowed = self._allowed_together(outlook, going, chosen)
        while len(allowed) < len(going):
            # Who stays behind draws no fire for the others, nor does he fire with them: all of it
            # is worked out again, and perhaps another one may not go then.
            going = self._scored_together(outlook, allowed, tasks)
            allowed = self._allowed_together(outlook, going, chosen)
        if len(going) >= MIN_TOGETHER:
            self._replace_if_better(outlook, going, chosen)

    def _scored_together(
        self,
        outlook: Outlook,
        going: Mapping[str, _Going],
        tasks: Mapping[str, GroupTask],
    ) -> dict[str, _Going]:
        """The moves of ``going`` with their scores if nobody else goes."""
        stands = [action.stand for action, _ in going.values()]
        scores = self._board.moves.scores(outlook.situation, stands, tasks)
        return {group: _Going(action, scores[group]) for group, (action, _) in going.items()}

    def _allowed_together(
        self,
        outlook: Outlook,
        going: Mapping[str, _Going],
        chosen: Mapping[str, GroupOrder],
    ) -> dict[str, _Going]:
        """The moves of ``going`` that nothing forbids, if all of them are made."""
        after = outlook.situation.after(*(action.stand for action, _ in going.values()))
        allowed = {}
        for group, (action, score) in going.items():
            others = [stand for stand in after.own if stand.group.id != group]
            if not veto(action, score, _hold_of(chosen[group]), outlook, others):
                allowed[group] = _Going(action, score)
        return allowed

    def _joint_charges(self, outlook: Outlook, chosen: dict[str, GroupOrder]) -> None:
        """All groups that can reach one enemy group charge it, if that is better for all of them
        together."""
        for enemy in outlook.situation.enemies:
            charges: dict[str, Charge] = {}
            for group, order in chosen.items():
                if order.together:
                    continue
                for option in order.considered:
                    action = option.action
                    may = option.veto in ("", TOO_FEW)
                    if may and isinstance(action, Charge) and action.enemy == enemy:
                        charges[group] = action
            charging = [outlook.situation.own_stand(group) for group in charges]
            if len(charges) < MIN_TOGETHER or too_few(charging, enemy, outlook):
                continue
            outcome = self._board.contact.of(outlook.situation, list(charges), enemy)
            going: dict[str, _Going] = {}
            for group, action in charges.items():
                ground = ground_of(outlook, action.stand)
                share = len(charges)
                terms = ScoreTerms(outcome.kill / share, ground, outcome.danger / share)
                going[group] = _Going(action, outlook.score_of(group, terms))
            self._replace_if_better(outlook, going, chosen)

    def _carriers_wait(self, outlook: Outlook, chosen: dict[str, GroupOrder]) -> None:
        """A carrier that men are to mount stays for them; of several groups only the first mounts
        it."""
        # By the id of the carrier's group, the name of the group that mounts it.
        awaited: dict[str, str] = {}
        for group, order in list(chosen.items()):
            mounting = order.action
            if isinstance(mounting, MountUp) and mounting.carrier.group.id in awaited:
                chosen[group] = _without_mounting(order, awaited)
                mounting = chosen[group].action
            if isinstance(mounting, MountUp):
                awaited[mounting.carrier.group.id] = mounting.stand.group.name
        for carrier, name in awaited.items():
            if carrier in chosen:
                chosen[carrier] = _holding(chosen[carrier], f"{name} is to mount it.")

    def _somebody_stays(self, outlook: Outlook, chosen: dict[str, GroupOrder]) -> None:
        """Each group may leave ground that decides while others stay there; not all at once."""
        for cell in outlook.deciding_cells:
            if any(enemy.cell == cell for enemy in outlook.situation.enemies):
                continue
            there = []
            for stand in outlook.situation.own:
                order = chosen.get(stand.group.id)
                units = stand.group.units(self._board.catalog)
                men = stand.cell == cell and any(unit.is_guy for unit in units)
                if men and order is not None:
                    there.append(order)
            if len(there) < MIN_TOGETHER:
                continue  # alone, it was forbidden
            if all(order.action.moves_from(cell) for order in there):
                stays = max(there, key=_gain_of_staying)
                chosen[stays.group] = _holding(stays, "Somebody has to hold it.")

    def _make_room(self, outlook: Outlook, chosen: dict[str, GroupOrder]) -> bool:
        """Nobody goes where there is no room left: who gains least by going there does the next
        best. Who charges stands round the enemy, and not in a cell. Returns whether this makes
        somebody stay who was to leave his cell."""
        figures: Counter[GroundCell] = Counter()
        moving = []
        for group, order in chosen.items():
            stand = outlook.situation.own_stand(group)
            if isinstance(order.action, Charge | LeaveTable | MountUp):
                continue
            if order.action.moves_from(stand.cell):
                moving.append(order)
            else:
                figures[stand.cell] += self._figures(stand)
        somebody_had_to_stay = False
        for order in sorted(moving, key=_value_of, reverse=True):
            stand = outlook.situation.own_stand(order.group)
            number = self._figures(stand)
            if not _has_room(figures[order.action.stand.cell], number):
                full = {cell for cell, there in figures.items() if not _has_room(there, number)}
                # Its own cell is never full for it: it can always stay.
                chosen[order.group] = self._elsewhere(order, outlook, full - {stand.cell})
            action = chosen[order.group].action
            if not action.moves_from(stand.cell):
                somebody_had_to_stay = True
            if not isinstance(action, Charge | LeaveTable | MountUp):
                figures[action.stand.cell] += number
        return somebody_had_to_stay

    def _elsewhere(
        self, order: GroupOrder, outlook: Outlook, full: Collection[GroundCell]
    ) -> GroupOrder:
        """The same group with the best order that does not lead into a cell that is full; in the
        last turn rather onto other ground that decides."""
        open_ways = []
        for option in order.considered:
            if isinstance(option.action, MountUp):
                continue  # others may mount that carrier, or it goes away
            if not option.veto and option.action.stand.cell not in full:
                open_ways.append(option)
        if outlook.tasks[order.group].turns_left == 1:
            for option in open_ways:
                if (
                    isinstance(option.action, GoTo)
                    and option.action.stand.cell in outlook.deciding_cells
                ):
                    return _with(order, option)
        best = open_ways[0]
        if best.action.stays:
            best = self._into_cover(best, open_ways)
        return _with(order, best)._replace(because="There is no room left where it is wanted.")

    def _figures(self, stand: Stand) -> int:
        """How much room a group takes, in figures."""
        figures = 0
        for unit in stand.group.units(self._board.catalog):
            if unit.is_guy:
                figures += 1
            else:
                figures += ROOM_FOR_A_MODEL
        return figures

    def _replace_if_better(
        self,
        outlook: Outlook,
        going: Mapping[str, _Going],
        chosen: dict[str, GroupOrder],
    ) -> None:
        """Give these groups the orders to go together, if that is worth more than what each is to
        do now."""
        value_together = sum(score.value for _, score in going.values())
        if value_together <= self._each_for_itself(outlook, [chosen[group] for group in going]):
            return
        for group, (action, score) in going.items():
            order = chosen[group]
            reason = order.reason
            if order.action.key != action.key:
                reason = score.told_by(order.score)
            chosen[group] = order._replace(
                action=action, score=score, reason=reason, together=tuple(going), drawn=0
            )

    def _each_for_itself(self, outlook: Outlook, orders: Sequence[GroupOrder]) -> float:
        """What these groups gain if each does what is best for it alone. Kills count once though
        several of them would fire at the same enemy."""
        value = 0.0
        stands = []
        for order in orders:
            if isinstance(order.action, StayPut):  # or one of the moves, which are kinds of it
                stands.append(order.action.stand)
            else:
                value += order.score.value
        scores = self._board.moves.scores(outlook.situation, stands, outlook.tasks)
        return value + sum(score.value for score in scores.values())


MIN_TOGETHER = 2
"""Groups that make a wave, or a charge together."""
MEN_IN_A_WAVE = 4
"""A remnant of fewer adds little to a wave, and goes or stays as is best for itself."""
ROOM = 24
"""Figures for which a cell of six inches has room."""
ROOM_FOR_A_MODEL = 4
"""A model takes the room of so many figures."""


def _rank(option: Considered) -> tuple[bool, float]:
    """The key to sort by: what is allowed before what is vetoed, and the best first."""
    return bool(option.veto), -option.score.value


def _value_of(order: GroupOrder) -> float:
    return order.score.value


def _gain_of_staying(order: GroupOrder) -> float:
    """How much better it is for a group to stay than to do as it is told."""
    return _hold_of(order).value - order.score.value


def _holding(order: GroupOrder, because: str) -> GroupOrder:
    """The same group with the order to stay, for a reason that no score tells."""
    [hold] = [option for option in order.considered if option.action.stays]
    return _with(order, hold)._replace(because=because)


def _without_mounting(order: GroupOrder, awaited: Collection[str]) -> GroupOrder:
    """The same group with the best that it may do other than to mount one of these carriers."""
    for option in order.considered:
        mounts = isinstance(option.action, MountUp) and option.action.carrier.group.id in awaited
        if not option.veto and not mounts:
            return _with(order, option)
    return order


def _wait_for_a_gap(outlook: Outlook, chosen: dict[str, GroupOrder]) -> None:
    """Nobody walks into the wire that engineers are about to clear, and of several groups only the
    first clears it."""
    # By the cell of the wire, the name of the group that clears it.
    cutters: dict[GroundCell, str] = {}
    for group, order in list(chosen.items()):
        if not isinstance(order.action, CutWire):
            continue
        wire = order.action.wire
        if wire in cutters:
            chosen[group] = _without_cutting(order, wire)
        else:
            cutters[wire] = outlook.situation.own_stand(group).group.name
    for group, order in list(chosen.items()):
        action = order.action
        here = outlook.situation.own_stand(group).cell
        if isinstance(action, GoTo) and action.moves_from(here) and action.stand.cell in cutters:
            name = cutters[action.stand.cell]
            chosen[group] = _holding(order, f"{name} is to clear the wire there.")


def _without_cutting(order: GroupOrder, wire: GroundCell) -> GroupOrder:
    """The same group with the best that it may do other than to clear the wire in this cell."""
    for option in order.considered:
        cuts = isinstance(option.action, CutWire) and option.action.wire == wire
        if not option.veto and not cuts:
            return _with(order, option)
    return order


def _has_room(there: int, coming: int) -> bool:
    """Whether a cell with so many figures has room for those who come. An empty one has room for
    any group, also for one larger than ``ROOM``."""
    return there == 0 or there + coming <= ROOM


def _with(order: GroupOrder, option: Considered) -> GroupOrder:
    """The same group with another of the actions that it has considered."""
    reason = None
    if not option.action.stays:
        reason = option.score.told_by(_hold_of(order))
    return order._replace(
        action=option.action, score=option.score, reason=reason, together=(), drawn=0
    )


def _hold_of(order: GroupOrder) -> ActionScore:
    """The score of staying, which every group considers (``possible``)."""
    [hold] = [option for option in order.considered if option.action.stays]
    return hold.score
