"""The orders of one turn: what each group of a side is to do, and why.

Each group is judged alone first (``best_order``); then those that gain more together
(``joint_orders``); and last those whose orders would clash (``clashes``).
"""

from __future__ import annotations

from collections.abc import Mapping

from skirmish.games.plastic.commander.best_order import DrawAmongEquals, OrderChooser
from skirmish.games.plastic.commander.board import Board
from skirmish.games.plastic.commander.cells import GroundCell
from skirmish.games.plastic.commander.clashes import ClashSolver
from skirmish.games.plastic.commander.group_order import GroupOrder, Memory
from skirmish.games.plastic.commander.joint_orders import JointOrders
from skirmish.games.plastic.commander.moves import GroupTask
from skirmish.games.plastic.commander.outlook import Outlook
from skirmish.games.plastic.commander.situation import Situation


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
        draw: DrawAmongEquals,
        memory: Memory | None = None,
        exiting_groups: frozenset[str] = frozenset(),
        deciding_cells: frozenset[GroundCell] = frozenset(),
    ) -> list[GroupOrder]:
        """An order for each group with a task. ``memory``: None in the first turn.
        ``exiting_groups``: the ids of those that are to leave the table; ``deciding_cells``: the
        ground that decides the battle."""
        if memory is None:
            memory = Memory()
        outlook = Outlook(self._board, situation, tasks, deciding_cells)
        chooser = OrderChooser(outlook, memory, turn=turn, draw=draw)
        chosen: dict[str, GroupOrder] = {}
        for stand in situation.own:
            group = stand.group.id
            if group in tasks:
                chosen[group] = chooser.order(group, way_out=group in exiting_groups)
        joint_orders = JointOrders(outlook, chosen)
        joint_orders.order_waves()
        joint_orders.order_charges()
        ClashSolver(outlook, chosen).solve()
        return list(chosen.values())
