"""The commander in his own turn: his plan, and an order for every group."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle.commanders import Commander, CommandOrder, TableGroup
from skirmish.games.plastic.battle.headquarters.command_post import CommandPost
from skirmish.games.plastic.battle.headquarters.muster import ContingentUnit
from skirmish.games.plastic.battle.headquarters.placing import GroupPlacer
from skirmish.games.plastic.battle.headquarters.stored_order import stored_order
from skirmish.games.plastic.battle.headquarters.war_aims import turns_left
from skirmish.games.plastic.commander.group_order import GroupOrder, Memory
from skirmish.games.plastic.commander.leading import GroupLeader
from skirmish.games.plastic.commander.outlook import Outlook
from skirmish.games.plastic.commander.plan import Plan
from skirmish.games.plastic.commander.situation import Situation


class TurnOrders(NamedTuple):
    """What the commander orders at the start of a turn, with the groups of both sides brought up to
    date. ``plan``: his plan in words if it is a new one, else empty; ``notes``: his packed
    ``Notebook``."""

    groups: tuple[TableGroup, ...]
    enemies: tuple[TableGroup, ...]
    orders: tuple[CommandOrder, ...]
    plan: str
    notes: bytes


class Notebook(msgspec.Struct, frozen=True):
    """What the commander remembers from turn to turn."""

    plan: Plan
    memory: Memory

    @property
    def packed(self) -> bytes:
        """The notebook as it is stored in ``Commander.notes``. Not as JSON, whose keys cannot be
        cells."""
        return msgspec.msgpack.encode(self)


def _notebook_of(commander: Commander) -> Notebook | None:
    """The notebook that is packed in his notes. None before his first orders, or if another version
    of the program wrote it in a way that this one cannot read."""
    if not commander.notes:
        return None
    try:
        return msgspec.msgpack.decode(commander.notes, type=Notebook)
    except (msgspec.DecodeError, msgspec.ValidationError):
        return None


class PlanOfTurn(NamedTuple):
    """The plan of a turn. ``words``: the plan in words if it is a new one, else empty."""

    plan: Plan
    words: str


class OwnTurn:
    """The commander at work in his own turn."""

    def __init__(self, post: CommandPost) -> None:
        self._post = post
        self._notebook = _notebook_of(post.commander)

    def turn_orders(self, seed: int) -> TurnOrders:
        """An order for every group that has had none in this turn. ``seed`` decides between ways
        that are equal, and where arrivals stand."""
        post = self._post
        # Which guns are emplaced depends on the groups, so the post is set up anew with the groups
        # as they are now.
        up_to_date = CommandPost(post.state, post.side, self._mustered(seed))
        return OwnTurn(up_to_date)._orders(seed)

    def _mustered(self, seed: int) -> Commander:
        """The commander with losses and arrivals since the last orders."""
        post = self._post
        # Both sides draw from one stream: first his own groups, then the enemy's.
        chance = Random(seed)
        own_placer = GroupPlacer(post.state, post.side, post.table, chance)
        enemy_placer = GroupPlacer(post.state, post.enemy, post.table, chance)
        own, enemies = post.musters()
        return replace(
            post.commander,
            groups=own.mustered(own_placer),
            enemies=enemies.mustered(enemy_placer),
        )

    def _orders(self, seed: int) -> TurnOrders:
        """``turn_orders`` for groups that are up to date already."""
        post = self._post
        situation, turn = post.situation(), post.state.clock.turn
        plan, words = self.plan(situation)
        memory = self._memory()
        tasks = post.plans.tasks(plan, situation, turns_left(post.state))
        planned = GroupLeader(post.board).orders(
            situation,
            tasks,
            turn=turn,
            draw=Random(seed).randrange,
            memory=memory,
            exiting_groups=post.plans.exiting_groups(plan),
            deciding_cells=post.plans.aims.deciding_cells,
        )
        outlook = Outlook(post.board, situation, tasks, post.plans.aims.deciding_cells)
        given = self._without_earlier_order(planned)
        orders = []
        for order in given:
            orders.append(stored_order(order, outlook, post.commander))
        notebook = Notebook(plan, memory.after(given, situation, turn))
        return TurnOrders(
            groups=post.commander.groups,
            enemies=post.commander.enemies,
            orders=tuple(orders),
            plan=words,
            notes=notebook.packed,
        )

    @property
    def _has_ordered(self) -> bool:
        """Whether he has given orders in this turn already. He may be asked again in the same turn,
        for groups that entered since."""
        return self._post.commander.turn == self._post.state.clock.turn

    def _memory(self) -> Memory:
        """What he remembers before these orders."""
        if self._notebook is None:
            return Memory()
        memory = self._notebook.memory
        # With the first orders of a turn he noted who had fired; since then the enemy had no turn.
        if self._has_ordered:
            return memory
        return memory.having_fired(self._groups_that_fired())

    def _without_earlier_order(self, planned: list[GroupOrder]) -> list[GroupOrder]:
        """The orders of groups that have had none in this turn; the others keep theirs."""
        if not self._has_ordered:
            return planned
        ordered = self._post.commander.ordered
        return [order for order in planned if order.group not in ordered]

    def plan(self, situation: Situation) -> PlanOfTurn:
        """The plan of this turn: that of the notebook, unless a new one is needed."""
        post = self._post
        turn, left = post.state.clock.turn, turns_left(post.state)
        plan_before = None
        if self._notebook is not None:
            plan_before = self._notebook.plan
            if not post.plans.reasons_to_replan(plan_before, situation, turn, left):
                return PlanOfTurn(plan_before, "")
        plan = post.plans.make(situation, turn, left, plan_before)
        words = self._in_words(plan, situation)
        doubts = post.plans.doubts(situation, left)
        # He has thought again and reached the same plan: there is nothing new to say.
        if plan_before is not None and not doubts:
            words_before = self._in_words(plan_before, situation)
            if words == words_before:
                return PlanOfTurn(plan, "")
        return PlanOfTurn(plan, f"{words} {doubts}".strip())

    def _in_words(self, plan: Plan, situation: Situation) -> str:
        """A plan in sentences, with the names of his groups."""
        names = {stand.group.id: stand.group.name for stand in situation.own}
        return plan.words(names, self._post.plans.aims, self._post.commander.weights)

    def _groups_that_fired(self) -> list[str]:
        """His groups that may have fired in the enemy's turn. The battle knows only the contingent
        and unit of a shot, so all groups with that unit count as having fired."""
        units_that_fired = self._units_that_fired()
        groups = []
        for group in self._post.commander.groups:
            for unit in group.known.counts:
                if ContingentUnit(group.known.contingent, unit) in units_that_fired:
                    groups.append(group.id)
        return groups

    def _units_that_fired(self) -> set[ContingentUnit]:
        """The units whose shots were judged in the player turn before this one, the enemy's."""
        state = self._post.state
        units: set[ContingentUnit] = set()
        if not state.past:
            return units
        for verdict in state.past[-1].judged:
            piece = verdict.shot.piece
            # The state does not know a piece if the line that added it was made void since.
            if state.knows(piece):
                bought = state.piece(piece)
                units.add(ContingentUnit(bought.contingent, bought.unit))
        return units
