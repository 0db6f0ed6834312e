"""What a group is ordered to do, and everything else that it could have done.

``Memory`` is what the commander remembers of his orders from turn to turn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from skirmish.games.plastic.commander.actions import Action, ActionKey
from skirmish.games.plastic.commander.cells import GroundCell
from skirmish.games.plastic.commander.moves import ActionScore, TermName
from skirmish.games.plastic.commander.situation import Situation


class Considered(NamedTuple):
    """An action that a group could take. ``score``: with the points that it gains for going on with
    the last order, or loses for going back to where the group has just been. ``veto``: why it is
    out of the question; empty if it is not."""

    action: Action
    score: ActionScore
    veto: str = ""


class GroupOrder(NamedTuple):
    """What a group is to do, and why."""

    group: str
    """The id of the group."""
    action: Action
    score: ActionScore
    main_term: TermName | None
    """The term of the score that most speaks for the action against the one that it is compared
    with; None if there was none to compare."""
    considered: tuple[Considered, ...]
    """All that the group could do, the best first."""
    together: tuple[str, ...] = ()
    """The ids of the groups that do it at once, this one included; empty if it goes alone."""
    drawn: int = 0
    """Among how many equals a draw decided; 0 if none did."""
    idle: int = 0
    """For how many turns the group has neither moved nor fired."""
    because: str = ""
    """Why, in a sentence, where the orders of other groups decided (``clashes``); empty where they
    did not."""

    @property
    def staying(self) -> Considered:
        """To stay where it is, which every group can do."""
        [staying] = [option for option in self.considered if option.action.stays]
        return staying

    def changed_to(self, option: Considered, because: str = "") -> GroupOrder:
        """The same group with another of the actions that it has considered. ``because``: why, in a
        sentence; empty leaves the sentence that the order has."""
        main_term = None
        if not option.action.stays:
            main_term = option.score.main_reason_against(self.staying.score)
        changed = self._replace(
            action=option.action, score=option.score, main_term=main_term, together=(), drawn=0
        )
        if because:
            return changed._replace(because=because)
        return changed


class Memory(msgspec.Struct, frozen=True):
    """What each group did before, by its id."""

    last: Mapping[str, ActionKey] = {}
    """Its last order."""
    left: Mapping[str, Mapping[GroundCell, int]] = {}
    """The cells that it left, each with the turn in which it last did so."""
    idle: Mapping[str, int] = {}
    """For how many turns it has neither moved nor fired."""

    def after(self, orders: Sequence[GroupOrder], situation: Situation, turn: int) -> Memory:
        """The memory once the orders of a turn have been given. A group that stays counts as idle
        for now: if it fires in the enemy's turn, ``having_fired`` puts that right."""
        last, left, idle = dict(self.last), dict(self.left), dict(self.idle)
        for order in orders:
            cell = situation.own_stand(order.group).cell
            last[order.group] = order.action.key
            if order.action.moves_from(cell):
                left[order.group] = {**left.get(order.group, {}), cell: turn}
            # To dig in or to clear wire is neither to leave the cell nor to be idle.
            if order.action.stays:
                idle[order.group] = idle.get(order.group, 0) + 1
            else:
                idle[order.group] = 0
        return Memory(last, left, idle)

    def having_fired(self, groups: Sequence[str]) -> Memory:
        """The memory once these groups have fired in the enemy's turn: they are not idle."""
        idle = {**self.idle, **dict.fromkeys(groups, 0)}
        return msgspec.structs.replace(self, idle=idle)
