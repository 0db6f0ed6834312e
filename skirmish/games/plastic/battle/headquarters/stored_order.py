"""An order as a battle stores it: in words, and with the groups as they are once it is done."""

from __future__ import annotations

from msgspec.structs import replace

from skirmish.games.plastic.battle.commanders import (
    Commander,
    CommandOrder,
    TableGroup,
    dismounted,
)
from skirmish.games.plastic.commander.actions import Abandon, Action, GetOut, LeaveTable, MountUp
from skirmish.games.plastic.commander.group_order import GroupOrder
from skirmish.games.plastic.commander.outlook import Outlook
from skirmish.games.plastic.commander.words import order_in_words


def stored_order(order: GroupOrder, outlook: Outlook, commander: Commander) -> CommandOrder:
    """The order as a battle stores it. ``outlook``: that by which its scores were worked out."""
    verb, cell = order.action.key
    return CommandOrder(
        group=order.group,
        words=order_in_words(order, outlook),
        verb=verb,
        cell=cell,
        after=_groups_after(order.action, commander),
    )


def _groups_after(action: Action, commander: Commander) -> tuple[TableGroup, ...]:
    """The groups that an action changes, as they are after it."""
    group = commander.group(action.group)
    assert group is not None, "the order was chosen for this group just now"
    cell, cover = action.stand.cell, action.stand.cover
    known = group.known
    match action:
        case GetOut():
            men, carrier = dismounted(group, commander.groups)
            return replace(men, cell=cell, cover=cover), carrier
        case MountUp():
            # The group takes over the carrier. The carrier's own group is then empty, and goes.
            ridden = action.carrier.group
            mounted = replace(known, counts=ridden.counts, aboard=known.counts)
            # The carrier is in no cover, which helps only guys and cannon ("Cover").
            return TableGroup(mounted, cell), TableGroup(replace(ridden, counts={}))
        case LeaveTable():
            return (TableGroup(replace(known, counts={}, aboard={})),)
        case Abandon():
            men_left = {action.becomes: sum(known.counts.values())}
            return (TableGroup(replace(known, counts=men_left), cell, cover),)
        case _:
            return (TableGroup(known, cell, cover),)
