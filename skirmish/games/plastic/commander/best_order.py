"""The best order of each group by itself, whatever the others do.

Habits keep it from dithering, vetoes from follies, and a draw from outside decides ties, so that
the same situation with the same draws has the same orders.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from skirmish.games.plastic.commander.actions import Action, GetOut, GoTo
from skirmish.games.plastic.commander.board import Board
from skirmish.games.plastic.commander.group_order import Considered, GroupOrder, Memory
from skirmish.games.plastic.commander.moves import ActionScore
from skirmish.games.plastic.commander.outlook import Outlook
from skirmish.games.plastic.commander.possible_actions import possible_actions
from skirmish.games.plastic.commander.situation import is_in_craft
from skirmish.games.plastic.commander.vetoes import veto

DrawAmongEquals: TypeAlias = Callable[[int], int]
"""Called with the number of equals, it returns the index of one: a draw of the battle, or of a
test."""
IDLE_TURNS = 2
"""After so many turns in which a group has neither moved nor fired, its score alone does not keep
it where it is (``_way_to_stir``), and players are told for how long it has been there."""
LAST_CALL = 1.0
"""The points that a reserve may lose by setting out in the last turn in which it can still be in
time: the price of a Rifle Guy."""


class _Best(NamedTuple):
    """The best option of a group by its score. ``drawn``: among how many equals a draw decided, 0
    if none did."""

    option: Considered
    drawn: int


class OrderChooser:
    """Chooses the orders of single groups in one turn, and draws between equals."""

    def __init__(
        self, outlook: Outlook, memory: Memory, *, turn: int, draw: DrawAmongEquals
    ) -> None:
        self._board = outlook.board
        self._outlook = outlook
        self._memory = memory
        self._turn = turn
        self._draw = draw

    def order(self, group: str, *, way_out: bool) -> GroupOrder:
        """The order of a group by itself: what it must do, or else what is best for it, with what
        speaks for that. ``way_out``: it is to leave the table."""
        considered = self._considered(group, way_out=way_out)
        # The best first, and never empty: to stay is never vetoed.
        allowed = [option for option in considered if not option.veto]
        best, drawn = self._best_by_score(allowed)
        forced = self._forced(group, best, allowed)
        if forced is not None:
            best, drawn = forced, 0
        others = [option for option in allowed if option is not best]
        main_term = None
        if others:
            main_term = best.score.main_reason_against(self._to_compare(best, others).score)
        idle = self._memory.idle.get(group, 0)
        return GroupOrder(
            group, best.action, best.score, main_term, considered, drawn=drawn, idle=idle
        )

    # ------------------------------------------------------------------ all that it could do

    def _considered(self, group: str, *, way_out: bool) -> tuple[Considered, ...]:
        """All that a group could do, the best first, what is vetoed last."""
        considered = []
        staying: ActionScore | None = None
        for action in possible_actions(self._outlook, group, way_out=way_out):
            score = action.score(self._outlook)
            if staying is None:
                # To stay comes first (``possible_actions``); vetoes judge the others beside it.
                staying = score
            reason = veto(action, score, staying, self._outlook)
            with_habit = score._replace(value=score.value + self._habit(action))
            considered.append(Considered(action, with_habit, reason))
        # The sort is stable: of equals that come first which were possible first.
        considered.sort(key=_allowed_and_best_first)
        return tuple(considered)

    def _habit(self, action: Action) -> float:
        """The points that an action gains for going on with the last order, or loses for going back
        to where the group has just been."""
        habit = self._board.temperament.habit
        last = self._memory.last.get(action.group)
        here = self._outlook.situation.own_stand(action.group).cell
        if not action.moves_from(here):
            if last is not None and last == action.key:
                return habit
            return 0.0
        turn_it_left = self._memory.left.get(action.group, {}).get(action.stand.cell)
        choice = self._board.weights.choice
        if turn_it_left is not None and self._turn - turn_it_left <= choice.left_ago:
            return -choice.return_for * habit
        went_on = last is not None and last.verb == GoTo.verb
        if went_on and action.goes and action.brings_nearer(self._outlook):
            return habit
        return 0.0

    # ------------------------------------------------------------------ the best of it

    def _best_by_score(self, allowed: Sequence[Considered]) -> _Best:
        """The best of what is allowed, whatever the group must do (``_forced``)."""
        best_value = allowed[0].score.value
        tie = self._board.weights.choice.tie
        equals = [option for option in allowed if best_value - option.score.value <= tie]
        # To stay is preferred to moves that are no better: there is nothing to draw.
        staying = [option for option in equals if option.action.stays]
        if staying:
            return _Best(into_cover(staying[0], allowed, self._board), drawn=0)
        if len(equals) == 1:
            return _Best(equals[0], drawn=0)
        return _Best(equals[self._draw(len(equals))], drawn=len(equals))

    def _to_compare(self, best: Considered, others: Sequence[Considered]) -> Considered:
        """The option against which the best is explained to players: for a move, to stay; for
        staying, the first that is clearly worse."""
        tie = self._board.weights.choice.tie
        for option in others:
            if best.action.stays:
                explains_best = best.score.value - option.score.value > tie
            else:
                explains_best = option.action.stays
            if explains_best:
                return option
        return others[0]  # all others are its equals

    # ------------------------------------------------------------------ what it must do

    def _forced(
        self, group: str, best: Considered, allowed: Sequence[Considered]
    ) -> Considered | None:
        """What a group must do whatever the scores say: be where it counts in the last turn, land,
        not stay in reserve until it is too late, and not idle. None if it is free to do the
        best."""
        in_time = self._just_in_time(group, allowed)
        if in_time is not None:
            return in_time
        if not best.action.stays:
            return None
        landing = self._landing(group, allowed)
        if landing is not None:
            return landing
        if (
            self._outlook.tasks[group].role == "reserve"
            and self._outlook.turns_to_spare(group) == 0
        ):
            return self._way_to_stir(group, best, allowed, may_cost=LAST_CALL)
        if self._memory.idle.get(group, 0) >= IDLE_TURNS:
            habit = self._board.temperament.habit
            return self._way_to_stir(group, best, allowed, may_cost=habit)
        return None

    def _just_in_time(self, group: str, allowed: Sequence[Considered]) -> Considered | None:
        """In the last turn, the way to its objective for a group that can be there: nothing that it
        could kill counts any more. None if there is no such way, or the group stands on ground that
        decides already."""
        task = self._outlook.tasks[group]
        here = self._outlook.situation.own_stand(group).cell
        last_turn = task.turns_left == 1
        # In the last turn one that needs it to get there has no turn to spare; one that has a turn
        # to spare is there already.
        can_be_there = task.worth > 0 and self._outlook.turns_to_spare(group) == 0
        if not last_turn or not can_be_there or here in self._outlook.deciding_cells:
            return None
        for option in allowed:
            if isinstance(option.action, GoTo) and option.action.stand.cell == task.goal:
                return option
        return None

    def _landing(self, group: str, allowed: Sequence[Considered]) -> Considered | None:
        """To go ashore, for men in a craft that could land them: however late they are, at sea they
        are of no use. None for all others, and where the craft cannot land."""
        here = self._outlook.situation.own_stand(group)
        if not is_in_craft(here.group, self._board.catalog):
            return None
        for option in allowed:
            if isinstance(option.action, GetOut):
                return option
        return None

    def _way_to_stir(
        self, group: str, best: Considered, allowed: Sequence[Considered], *, may_cost: float
    ) -> Considered | None:
        """The best way nearer to its objective for a group that would rather stay. It goes if it is
        wanted there, can be in time, kills nobody where it is, and loses no more points by it than
        it ``may_cost``. None if there is no such way."""
        task = self._outlook.tasks[group]
        here = self._outlook.situation.own_stand(group).cell
        wanted = task.worth > 0 and self._outlook.turns_to_spare(group) >= 0 and here != task.goal
        if not wanted or best.score.weighed.kill > 0:
            return None
        for option in allowed:
            cost = best.score.value - option.score.value
            if cost > may_cost:
                return None  # all after it cost more: the best come first
            if option.action.goes and option.action.brings_nearer(self._outlook):
                return option
        return None


def into_cover(staying: Considered, allowed: Sequence[Considered], board: Board) -> Considered:
    """The best way into cover beside a group that would stay in the open, so that nobody waits
    beside an empty house. To stay, if it has cover, or each such way is clearly worse."""
    here = staying.action.stand
    if here.cover:
        return staying
    beside = set(board.ground.grid.neighbours(here.cell))
    # Habit may have added points to staying, and scores that differ by a tie are equal.
    good_enough = staying.score.value - board.temperament.habit - board.weights.choice.tie
    for option in allowed:
        stand = option.action.stand
        is_beside = isinstance(option.action, GoTo) and stand.cell in beside
        if is_beside and stand.cover and option.score.value >= good_enough:
            return option
    return staying


def _allowed_and_best_first(option: Considered) -> tuple[bool, float]:
    """A sort key."""
    return bool(option.veto), -option.score.value
