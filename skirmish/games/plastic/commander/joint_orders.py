"""What groups do together: go to one objective in a wave, or charge one enemy.

Groups that would each be shot to pieces alone may well go together, since the guns fire once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from skirmish.games.plastic.commander.actions import Action, Charge, GoTo, StayPut
from skirmish.games.plastic.commander.cells import GroundCell
from skirmish.games.plastic.commander.group_order import GroupOrder
from skirmish.games.plastic.commander.moves import ActionScore, GroupTask
from skirmish.games.plastic.commander.outlook import Outlook
from skirmish.games.plastic.commander.situation import Stand, is_in_craft
from skirmish.games.plastic.commander.terms import ScoreTerms
from skirmish.games.plastic.commander.vetoes import TOO_FEW, too_few, veto
from skirmish.games.plastic.commander.weights import RoleId

IN_WAVES: tuple[RoleId, ...] = ("assault", "raid")
"""Men with these roles go in waves."""
MEN_IN_A_WAVE = 4
"""A group of fewer men adds little to a wave, and goes or stays as is best for itself."""
MIN_TOGETHER = 2
"""So many groups at least make a wave, or charge together."""


class _JointMove(NamedTuple):
    """What a group does if it goes together with others, and what that is worth to it then."""

    action: Action
    score: ActionScore


class JointOrders:
    """Changes the ``chosen`` orders of groups, by their ids, where they gain more together."""

    def __init__(self, outlook: Outlook, chosen: dict[str, GroupOrder]) -> None:
        self._board = outlook.board
        self._outlook = outlook
        self._chosen = chosen

    # ------------------------------------------------------------------ waves

    def order_waves(self) -> None:
        """Groups of the attack that have one objective go together, if together they gain more by
        it than each alone by what is best for it."""
        waves: dict[GroundCell | None, dict[str, GroupTask]] = {}
        for group in self._chosen:
            task = self._outlook.tasks[group]
            stand = self._outlook.situation.own_stand(group)
            if self._goes_in_waves(stand, task):
                waves.setdefault(self._goal_of_wave(stand, task), {})[group] = task
        for tasks in waves.values():
            if len(tasks) >= MIN_TOGETHER:
                self._order_wave(tasks)

    def _goes_in_waves(self, stand: Stand, task: GroupTask) -> bool:
        """Whether a group goes in waves: men who attack on foot, and models with guns whatever
        their role, since alone each of them would meet all enemy cannon."""
        if is_in_craft(stand.group, self._board.catalog):
            return False
        men = stand.group.men_on_foot(self._board.catalog)
        if not men:
            models = stand.group.units(self._board.catalog)
            return all(model.moves and model.weapons for model in models)
        return task.role in IN_WAVES and men >= MEN_IN_A_WAVE

    def _goal_of_wave(self, stand: Stand, task: GroupTask) -> GroundCell | None:
        """What the groups of one wave have in common: men their objective. All models are one wave,
        None: wherever they go they meet the same cannon, and should do so in the same turn."""
        if stand.group.men_on_foot(self._board.catalog):
            return task.goal
        return None

    def _order_wave(self, tasks: Mapping[str, GroupTask]) -> None:
        """Groups with these tasks go together, as many of them as may, if that is better."""
        wave = self._board.moves.wave(self._outlook.situation, tasks)
        enemy_cells = {enemy.cell for enemy in self._outlook.situation.enemies}
        moves: dict[str, _JointMove] = {}
        for group, scored in wave.items():
            # Into the cell of an enemy it would be a charge: that is for ``order_charges``.
            if scored.stand.cell not in enemy_cells:
                moves[group] = _JointMove(GoTo(group, scored.stand), scored.score)
        if len(moves) < len(wave):
            moves = self._scored_together(moves, tasks)
        allowed = self._without_vetoed(moves)
        while len(allowed) < len(moves):
            # Those who stay behind neither draw fire for the others nor fire with them: the scores
            # are worked out again, and with these another group may be vetoed.
            moves = self._scored_together(allowed, tasks)
            allowed = self._without_vetoed(moves)
        if len(moves) >= MIN_TOGETHER:
            self._order_if_better(moves)

    def _scored_together(
        self, moves: Mapping[str, _JointMove], tasks: Mapping[str, GroupTask]
    ) -> dict[str, _JointMove]:
        """The same moves with their scores if nobody else goes."""
        stands = [move.action.stand for move in moves.values()]
        scores = self._board.moves.scores(self._outlook.situation, stands, tasks)
        return {group: move._replace(score=scores[group]) for group, move in moves.items()}

    def _without_vetoed(self, moves: Mapping[str, _JointMove]) -> dict[str, _JointMove]:
        """Those of the moves that nothing forbids if all of them are made."""
        stands = [move.action.stand for move in moves.values()]
        after = self._outlook.situation.after(*stands)
        allowed = {}
        for group, move in moves.items():
            staying = self._chosen[group].staying.score
            others = [stand for stand in after.own if stand.group.id != group]
            if not veto(move.action, move.score, staying, self._outlook, others):
                allowed[group] = move
        return allowed

    # ------------------------------------------------------------------ charges

    def order_charges(self) -> None:
        """All groups that can reach one enemy group charge it, if that is better for all of them
        together."""
        for enemy in self._outlook.situation.enemies:
            charges = self._charges_of(enemy)
            charging = [self._outlook.situation.own_stand(group) for group in charges]
            if len(charges) < MIN_TOGETHER or too_few(charging, enemy, self._outlook):
                continue
            outcome = self._board.contact.outcome(self._outlook.situation, list(charges), enemy)
            # Kills and danger are of all together, and each group has an equal part in them.
            kill, danger = outcome.kill / len(charges), outcome.danger / len(charges)
            moves: dict[str, _JointMove] = {}
            for group, charge in charges.items():
                terms = ScoreTerms(kill, self._outlook.ground_gained(charge.stand), danger)
                moves[group] = _JointMove(charge, self._outlook.score_of(group, terms))
            self._order_if_better(moves)

    def _charges_of(self, enemy: Stand) -> dict[str, Charge]:
        """The charges that groups could make of an enemy group, by their ids, except those who are
        to go together already. That each alone would be too few is no veto here."""
        charges: dict[str, Charge] = {}
        for group, order in self._chosen.items():
            if order.together:
                continue
            for option in order.considered:
                allowed = option.veto in ("", TOO_FEW)
                action = option.action
                if allowed and isinstance(action, Charge) and action.enemy == enemy:
                    charges[group] = action
        return charges

    # ------------------------------------------------------------------ together or alone

    def _order_if_better(self, moves: Mapping[str, _JointMove]) -> None:
        """Order these groups to make these moves together, if that is worth more than what each is
        to do now."""
        value_together = sum(move.score.value for move in moves.values())
        if value_together <= self._value_of_orders([self._chosen[group] for group in moves]):
            return
        for group, move in moves.items():
            order = self._chosen[group]
            # If the group does the same as before, only together, the reason stays the same.
            main_term = order.main_term
            if order.action.key != move.action.key:
                main_term = move.score.main_reason_against(order.score)
            self._chosen[group] = order._replace(
                action=move.action,
                score=move.score,
                main_term=main_term,
                together=tuple(moves),
                drawn=0,  # no draw among equals decided
            )

    def _value_of_orders(self, orders: Sequence[GroupOrder]) -> float:
        """What groups gain if each does what it is ordered now. Kills count once, even if several
        groups would fire at the same enemy."""
        value = 0.0
        stands = []
        for order in orders:
            # Moves are kinds of ``StayPut``: ``Moves.scores`` can score all of them at once.
            if isinstance(order.action, StayPut):
                stands.append(order.action.stand)
            else:
                value += order.score.value
        scores = self._board.moves.scores(self._outlook.situation, stands, self._outlook.tasks)
        return value + sum(score.value for score in scores.values())
