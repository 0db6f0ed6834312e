"""Orders that get in one another's way, and what the groups do instead.

Two groups mount one carrier, or the carrier drives off without them; one walks into the wire that
another one clears; all leave ground that has to be held; or a cell has no room for all who come.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from skirmish.games.plastic.commander.actions import Charge, CutWire, GoTo, LeaveTable, MountUp
from skirmish.games.plastic.commander.best_order import into_cover
from skirmish.games.plastic.commander.cells import GroundCell
from skirmish.games.plastic.commander.group_order import GroupOrder
from skirmish.games.plastic.commander.outlook import Outlook

ROOM = 24
"""A cell of six inches has room for so many men. Our choice."""
ROOM_FOR_A_MODEL = 4
"""A model takes the room of so many men. Our choice."""


class ClashSolver:
    """Changes the ``chosen`` orders of groups, by their ids, where they clash."""

    def __init__(self, outlook: Outlook, chosen: dict[str, GroupOrder]) -> None:
        self._board = outlook.board
        self._outlook = outlook
        self._chosen = chosen

    def solve(self) -> None:
        """Change orders until none gets in the way of another one. What is settled first stays so:
        ``_make_room`` changes only orders to move, never one to stay, to mount or to clear wire."""
        self._keep_carriers_for_men()
        self._keep_out_of_wire()
        self._keep_ground_held()
        settled = False
        while not settled:
            staying_before = self._groups_that_stay()
            self._make_room()
            # A group that stays after all takes the room of those who were to come: look again. As
            # none that stays is ordered to move again, this ends.
            settled = self._groups_that_stay() == staying_before

    # ------------------------------------------------------------------ carriers and wire

    def _keep_carriers_for_men(self) -> None:
        """Have a carrier that men are to mount stay for them; of several groups only the first
        mounts it."""
        # By the id of the carrier's group, the name of the group that mounts it.
        mounted_by: dict[str, str] = {}
        for group, order in list(self._chosen.items()):
            action = order.action
            if isinstance(action, MountUp) and action.carrier.group.id in mounted_by:
                self._chosen[group] = _without_mounting(order, mounted_by)
                # Instead it may mount another carrier.
                action = self._chosen[group].action
            if isinstance(action, MountUp):
                mounted_by[action.carrier.group.id] = action.stand.group.name
        for carrier, name in mounted_by.items():
            if carrier in self._chosen:
                self._order_to_stay(carrier, f"{name} is to mount it.")

    def _keep_out_of_wire(self) -> None:
        """Have nobody walk into the wire that engineers are about to clear; of several groups of
        engineers only the first clears it."""
        # By the cell of the wire, the name of the group that clears it.
        cleared_by: dict[GroundCell, str] = {}
        for group, order in list(self._chosen.items()):
            if not isinstance(order.action, CutWire):
                continue
            wire = order.action.wire
            if wire in cleared_by:
                self._chosen[group] = _without_cutting(order, wire)
            else:
                cleared_by[wire] = self._outlook.situation.own_stand(group).group.name
        for group, order in list(self._chosen.items()):
            end = order.action.stand.cell
            walks = isinstance(order.action, GoTo) and self._moves(order)
            if walks and end in cleared_by:
                self._order_to_stay(group, f"{cleared_by[end]} is to clear the wire there.")

    # ------------------------------------------------------------------ ground to be held

    def _keep_ground_held(self) -> None:
        """Each group may leave ground that decides while others stay there. Where all would leave
        it in the same turn, have the one stay that loses least by it."""
        enemy_cells = {enemy.cell for enemy in self._outlook.situation.enemies}
        for cell in self._outlook.deciding_cells:
            if cell in enemy_cells:
                continue  # nobody holds what an enemy is in
            holders = self._orders_of_men_in(cell)
            if len(holders) < 2:
                continue  # a single group was forbidden to leave (``vetoes``)
            if all(order.action.moves_from(cell) for order in holders):
                order_to_drop = max(holders, key=_gain_of_staying)
                self._order_to_stay(order_to_drop.group, "Somebody has to hold it.")

    def _orders_of_men_in(self, cell: GroundCell) -> list[GroupOrder]:
        """The orders of the groups in a cell that have men on foot."""
        orders = []
        for stand in self._outlook.situation.own:
            holds = stand.cell == cell and stand.group.men_on_foot(self._board.catalog) > 0
            if holds and stand.group.id in self._chosen:
                orders.append(self._chosen[stand.group.id])
        return orders

    # ------------------------------------------------------------------ room

    def _make_room(self) -> None:
        """Have nobody go where there is no room left: those who gain least by going there do the
        next best."""
        # Those who stay have their room already; then come those who gain most by moving.
        room_taken: Counter[GroundCell] = Counter()
        moving = []
        for order in self._chosen.values():
            if not _takes_room(order):
                continue
            if self._moves(order):
                moving.append(order)
            else:
                room_taken[order.action.stand.cell] += self._room_for(order.group)
        moving.sort(key=_value_of, reverse=True)
        for order in moving:
            room_needed = self._room_for(order.group)
            if not _has_room(room_taken[order.action.stand.cell], room_needed):
                # Its own cell is never full for it: it can always stay.
                here = self._outlook.situation.own_stand(order.group).cell
                full = _full_cells(room_taken, room_needed) - {here}
                self._chosen[order.group] = self._order_elsewhere(order, full)
            final_order = self._chosen[order.group]
            if _takes_room(final_order):
                room_taken[final_order.action.stand.cell] += room_needed

    def _order_elsewhere(self, order: GroupOrder, full: Collection[GroundCell]) -> GroupOrder:
        """The same group with the best order that does not lead into a cell that is full; in the
        last turn rather onto other ground that decides."""
        open_ways = []
        for option in order.considered:
            if isinstance(option.action, MountUp):
                continue  # others may mount that carrier, or it goes away
            if not option.veto and option.action.stand.cell not in full:
                open_ways.append(option)
        if self._outlook.tasks[order.group].turns_left == 1:
            for option in open_ways:
                walks = isinstance(option.action, GoTo)
                if walks and option.action.stand.cell in self._outlook.deciding_cells:
                    return order.changed_to(option)  # the sentence that gives its reason stays
        # The first is the best, and there is always one: to stay is never vetoed.
        best = open_ways[0]
        if best.action.stays:
            # As for any order to stay, cover beside it is better than to stay in the open.
            best = into_cover(best, open_ways, self._board)
        return order.changed_to(best, because="There is no room left where it is wanted.")

    def _room_for(self, group: str) -> int:
        """How much room a group takes: that of so many men."""
        room = 0
        stand = self._outlook.situation.own_stand(group)
        for unit in stand.group.units(self._board.catalog):
            if unit.is_guy:
                room += 1
            else:
                room += ROOM_FOR_A_MODEL
        return room

    # ------------------------------------------------------------------ who stays, who moves

    def _order_to_stay(self, group: str, because: str) -> None:
        """Have a group stay, for a reason that no score tells."""
        order = self._chosen[group]
        self._chosen[group] = order.changed_to(order.staying, because)

    def _moves(self, order: GroupOrder) -> bool:
        """Whether a group is to leave its cell."""
        return order.action.moves_from(self._outlook.situation.own_stand(order.group).cell)

    def _groups_that_stay(self) -> set[str]:
        return {group for group, order in self._chosen.items() if not self._moves(order)}


def _takes_room(order: GroupOrder) -> bool:
    """Whether a group takes room in a cell once its order is carried out. Those who charge stand
    round the enemy, and the others are off the table or aboard."""
    return not isinstance(order.action, Charge | LeaveTable | MountUp)


def _full_cells(room_taken: Mapping[GroundCell, int], needed: int) -> set[GroundCell]:
    """The cells that have no room for a group that needs so much."""
    return {cell for cell, taken in room_taken.items() if not _has_room(taken, needed)}


def _has_room(taken: int, needed: int) -> bool:
    """Whether a cell in which so much room is ``taken`` has room for a group that needs so much. An
    empty one has room for any group, even one larger than ``ROOM``."""
    return taken == 0 or taken + needed <= ROOM


def _without_mounting(order: GroupOrder, carriers: Collection[str]) -> GroupOrder:
    """The same group with the best that it may do other than to mount one of these carriers."""
    for option in order.considered:
        action = option.action
        mounts = isinstance(action, MountUp) and action.carrier.group.id in carriers
        if not option.veto and not mounts:
            return order.changed_to(option)
    raise AssertionError("to stay is never vetoed, and mounts nothing")


def _without_cutting(order: GroupOrder, wire: GroundCell) -> GroupOrder:
    """The same group with the best that it may do other than to clear the wire in this cell."""
    for option in order.considered:
        cuts = isinstance(option.action, CutWire) and option.action.wire == wire
        if not option.veto and not cuts:
            return order.changed_to(option)
    raise AssertionError("to stay is never vetoed, and clears nothing")


def _value_of(order: GroupOrder) -> float:
    return order.score.value


def _gain_of_staying(order: GroupOrder) -> float:
    """How much better it is for a group to stay than to do as it is ordered."""
    return order.staying.score.value - order.score.value
