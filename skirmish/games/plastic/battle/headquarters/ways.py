"""What else a group could do in the commander's own turn: for players who ask why, who overrule
him, or who say that an order cannot be carried out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from skirmish.games.plastic.battle.commanders import CommandOrder, HitchKind
from skirmish.games.plastic.battle.headquarters.command_post import CommandPost, command_post
from skirmish.games.plastic.battle.headquarters.own_turn import OwnTurn
from skirmish.games.plastic.battle.headquarters.stored_order import stored_order
from skirmish.games.plastic.battle.headquarters.war_aims import turns_left
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commander.group_order import Considered, GroupOrder
from skirmish.games.plastic.commander.leading import GroupLeader
from skirmish.games.plastic.commander.outlook import Outlook
from skirmish.games.plastic.commander.situation import GroupKnown
from skirmish.games.plastic.commander.words import sentences_of_ways

MOST_WAYS = 9
"""The most ways to act that are listed for a group: each has a digit."""


@lru_cache(maxsize=4)  # a screen asks for the same state several times
def ways_in(state: State, side: str) -> Ways:
    """The ways of the groups of a side that has a commander. Raises KeyError for a side without
    one."""
    return Ways(command_post(state, side))


class Hitch(NamedTuple):
    """Why an order cannot be carried out as it is: the group cannot get there (``blocked``), its
    ``cover`` there is not what the commander thinks, or only a ``number`` of it get there
    (``fewer``)."""

    kind: HitchKind
    number: int = 0


class _Weighed(NamedTuple):
    """All that a group could do (``GroupOrder.considered``), and the outlook by which each of it
    was scored."""

    order: GroupOrder
    outlook: Outlook


class Ways:
    """All that each group of a commander could do, as things stand now."""

    def __init__(self, post: CommandPost) -> None:
        self._post = post
        self._weighed_groups: dict[str, _Weighed] = {}

    def of_group(self, group: str) -> list[CommandOrder]:
        """What a group could do, as orders: the way that it is ordered to go first, then the best
        first."""
        weighed, outlook = self._weighed(group)
        ways = []
        for option in weighed.considered[:MOST_WAYS]:
            # Each as if it were the only one: why it is better or worse than the others is in
            # ``sentences``.
            only_this = _chosen(weighed, [option])
            ways.append(stored_order(only_this, outlook, self._post.commander))
        return ways

    def sentences(self, group: str) -> list[str]:
        """A sentence for each way with its score, in the same order as ``of_group``."""
        weighed, outlook = self._weighed(group)
        return sentences_of_ways(weighed, outlook)[:MOST_WAYS]

    def another_order(self, order: CommandOrder, hitch: Hitch) -> CommandOrder:
        """What a group does now that its order meets a hitch: the best of all that it can do (no
        ``veto``) and that players have not ruled out for this turn. That may be the same again."""
        weighed, outlook = self._weighed(order.group)
        refused = order.refused
        if hitch.kind == "blocked":
            refused = (*refused, (order.verb, order.cell))
        allowed = []
        for option in weighed.considered:
            if option.veto or option.action.key in refused:
                continue
            if option.action.key == (order.verb, order.cell):
                allowed.append(_with_hitch(option, hitch, outlook))
            else:
                allowed.append(option)
        if not allowed:
            allowed = [weighed.staying]
        # The sort is stable: of equals the one that was better without the hitch comes first.
        allowed.sort(key=_best_first)
        stored = stored_order(_chosen(weighed, allowed), outlook, self._post.commander)
        return replace(stored, refused=refused)

    def _weighed(self, group: str) -> _Weighed:
        """What a group could do; worked out once."""
        if group not in self._weighed_groups:
            self._weighed_groups[group] = self._weigh(group)
        return self._weighed_groups[group]

    def _weigh(self, group: str) -> _Weighed:
        """Work out what a group could do."""
        post = self._post
        situation = post.situation()
        plan = OwnTurn(post).plan(situation).plan
        tasks = post.plans.tasks(plan, situation, turns_left(post.state))
        # His memory is left out: habits decide what he chooses, and not what each way is worth.
        [order] = GroupLeader(post.board).orders(
            situation,
            {group: tasks[group]},
            turn=post.state.clock.turn,
            draw=_first_of_equals,
            exiting_groups=post.plans.exiting_groups(plan),
            deciding_cells=post.plans.aims.deciding_cells,
        )
        outlook = Outlook(post.board, situation, tasks, post.plans.aims.deciding_cells)
        return _Weighed(self._ordered_first(order), outlook)

    def _ordered_first(self, weighed: GroupOrder) -> GroupOrder:
        """What was weighed, with the way that the group was ordered to go at the head of the list,
        whatever its score is by now: players who ask why want to see that one first."""
        orders = [order for order in self._post.commander.orders if order.group == weighed.group]
        if not orders:
            return weighed
        # A group has at most one order.
        [ordered] = orders
        ordered_way, others = [], []
        for option in weighed.considered:
            if option.action.key == (ordered.verb, ordered.cell):
                ordered_way.append(option)
            else:
                others.append(option)
        return weighed._replace(considered=(*ordered_way, *others))


def _with_hitch(option: Considered, hitch: Hitch, outlook: Outlook) -> Considered:
    """A way as it is with the hitch, scored anew."""
    action = option.action
    stand = action.stand
    if hitch.kind == "cover":
        stand = stand._replace(cover=not stand.cover)
    elif hitch.kind == "fewer":
        stand = stand._replace(group=_part_of(stand.group, hitch.number))
    action = replace(action, stand=stand)
    return Considered(action, action.score(outlook))


def _part_of(group: GroupKnown, number: int) -> GroupKnown:
    """Only so many of a group, in the order of its units."""
    part: dict[str, int] = {}
    still_to_take = number
    for unit, count in group.counts.items():
        taken = min(count, still_to_take)
        if taken > 0:
            part[unit] = taken
            still_to_take -= taken
    return replace(group, counts=part)


def _best_first(option: Considered) -> float:
    """The key by which the way with the highest score sorts first."""
    return -option.score.value


def _chosen(weighed: GroupOrder, allowed: Sequence[Considered]) -> GroupOrder:
    """The order to go the first of these ways, of which there is at least one. Its main term is the
    one that speaks for it against the second."""
    best, *others = allowed
    main_term = None
    if others:
        main_term = best.score.main_reason_against(others[0].score)
    # With whom the group went (``together``) and what a draw decided (``drawn``) was about the way
    # that the commander had chosen.
    return weighed._replace(
        action=best.action, score=best.score, main_term=main_term, together=(), drawn=0
    )


def _first_of_equals(number: int) -> int:
    """The index of the first of so many equals. It stands in for a random draw, since ways are only
    listed and none is chosen."""
    del number
    return 0
