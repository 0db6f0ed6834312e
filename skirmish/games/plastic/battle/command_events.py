"""What happens to the program's commander: he is appointed, is told where groups stand, gives
orders, and learns how they were carried out. The ``words`` of an event are its sentence in the
journal; where they are empty, it has none."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from msgspec.structs import replace

from skirmish.games.plastic.battle.commanders import (
    Commander,
    CommandOrder,
    GroupShot,
    GroupTrack,
    TableGroup,
    Unseen,
    tracks_of,
)
from skirmish.games.plastic.battle.shown import PublicText, Secrets, Shown
from skirmish.games.plastic.battle.state import Event, State
from skirmish.games.plastic.commander.cells import GroundCell


def _nobody(value: object, secrets: Secrets) -> None:
    """What others see of a commander, of an order, of a shot or of a cell: None."""
    del value, secrets


def _nothing(value: object, secrets: Secrets) -> tuple[()]:
    """What others see of groups or orders: none."""
    del value, secrets
    return ()


def _no_words(text: str, secrets: Secrets) -> str:
    """What others see of a commander's plan: no words."""
    del text, secrets
    return ""


def _no_notes(notes: bytes, secrets: Secrets) -> bytes:
    """What others see of a commander's notes: none."""
    del notes, secrets
    return b""


# Spectators and the other side are shown an event with less in it: ``Shown`` names the function
# that returns what they see of a field. What is the commander's own is left out, even in a battle
# in which nobody hides (``always``).
CommanderSeen = Annotated[Commander | None, Shown(_nobody, always=True)]
GroupsSeen = Annotated[tuple[TableGroup, ...], Shown(_nothing, always=True)]
OrdersSeen = Annotated[tuple[CommandOrder, ...], Shown(_nothing, always=True)]
PlanWords = Annotated[str, Shown(_no_words, always=True)]
Notes = Annotated[bytes, Shown(_no_notes, always=True)]


def _with_commander(state: State, side: str, commander: Commander | None) -> State:
    """The state with this commander for a side, or without one."""
    commanders = dict(state.commanders)
    commanders.pop(side, None)
    if commander is not None:
        commanders[side] = commander
    return replace(state, commanders=commanders)


class CommandEvent(Event, frozen=True, kw_only=True):
    """Something that happens to the commander of a ``side``."""

    side: PublicText

    def _with_own_commander(self, state: State, commander: Commander | None) -> State:
        """The state with this commander for the event's side, or without one."""
        return _with_commander(state, self.side, commander)


class Appointed(CommandEvent, frozen=True, kw_only=True, tag="appointed"):
    """The program commands a side from now on, or advises its player; without a ``commander`` it
    does neither any more. ``words`` say so."""

    commander: CommanderSeen = None
    words: PublicText

    def apply(self, state: State) -> State:
        commander = self.commander
        enemy = state.setup.enemy_of(self.side).id
        other = state.commanders.get(enemy)
        if commander is not None and other is not None:
            # Both commanders see the same table, so each knows where the other's groups stand.
            commander = replace(commander, enemies=other.groups)
            other = replace(other, enemies=commander.groups)
            state = _with_commander(state, enemy, other)
        return self._with_own_commander(state, commander)

    def narrate(self, state: State) -> str:
        return self.words


class GroupsThatMoved(NamedTuple):
    """Groups that an event puts elsewhere on the table, all of one side."""

    groups: tuple[TableGroup, ...]
    of_enemy: bool
    """Whether they belong to the enemy of the commander to whom the event happens."""


class CommanderChange(CommandEvent, frozen=True, kw_only=True):
    """Something that changes a commander, and what the other commander knows. It changes nothing
    where the side has no commander: the line of the journal that appointed him may have been made
    void."""

    def apply(self, state: State) -> State:
        commander = state.commanders.get(self.side)
        if commander is None:
            return state
        state = self._with_other_commander(state)
        return self._with_own_commander(state, self.commander_after(commander))

    def commander_after(self, commander: Commander) -> Commander:
        """The commander of the event's side after the event."""
        raise NotImplementedError

    def other_after(self, other: Commander) -> Commander:
        """The commander of the other side after the event. He sees the same table, so he knows
        which groups have moved."""
        moved = self.groups_that_moved()
        if not moved.groups:
            return other
        # What belongs to the enemy of the event's side is the other commander's own.
        return other.with_groups(moved.groups, enemies=not moved.of_enemy)

    def groups_that_moved(self) -> GroupsThatMoved:
        """The groups that stand elsewhere on the table after the event."""
        return GroupsThatMoved((), of_enemy=False)

    def _with_other_commander(self, state: State) -> State:
        """The state with what the commander of the other side knows after the event, if the program
        commands that side, too."""
        enemy = state.setup.enemy_of(self.side).id
        other = state.commanders.get(enemy)
        if other is None:
            return state
        return _with_commander(state, enemy, self.other_after(other))


class GroupsPlaced(CommanderChange, frozen=True, kw_only=True, tag="groups_placed"):
    """Groups are known to stand elsewhere, or to have lost men: players have said so, or it follows
    from what the battle has recorded."""

    groups: GroupsSeen
    of_enemy: bool = False
    """Whether the groups are of the other side."""
    moves_of: int = 0
    """The game turn of which players have now entered all moves of the enemy; 0 if some may be
    missing."""
    words: PublicText

    def commander_after(self, commander: Commander) -> Commander:
        placed = commander.with_groups(self.groups, enemies=self.of_enemy)
        if self.moves_of:
            return replace(placed, moves_told=self.moves_of)
        return placed

    def groups_that_moved(self) -> GroupsThatMoved:
        return GroupsThatMoved(self.groups, self.of_enemy)

    def narrate(self, state: State) -> str:
        return self.words


class OrdersGiven(CommanderChange, frozen=True, kw_only=True, tag="orders_given"):
    """The commander has given orders for a game turn."""

    turn: int
    groups: GroupsSeen
    """His groups and those of the enemy (``enemies``), as he assumed them to be."""
    enemies: GroupsSeen
    orders: OrdersSeen
    plan: PlanWords = ""
    """What he is up to, in words that are read after the battle; empty if that has not changed."""
    notes: Notes
    """What he remembers for later turns, packed (``Commander.notes``)."""
    words: PublicText

    def commander_after(self, commander: Commander) -> Commander:
        ordered = {order.group for order in self.orders}
        if commander.turn == self.turn:
            # These orders are added to earlier ones of the same turn.
            ordered |= commander.ordered
        return replace(
            commander,
            tracks=self._tracks_after(commander),
            groups=self.groups,
            enemies=self.enemies,
            orders=(*self._still_open(commander), *self.orders),
            ordered=frozenset(ordered),
            turn=self.turn,
            # ``unseen`` and ``shots`` are about the enemy's turn, which is over: orders are given
            # in the first phase of a turn, even when more of them are added.
            unseen=(),
            shots=(),
            notes=self.notes,
        )

    def _tracks_after(self, commander: Commander) -> tuple[GroupTrack, ...]:
        """The tracks of the enemy's groups, now that these orders are given. ``commander``: as he
        was before them."""
        if commander.turn == self.turn:
            # Since the earlier orders of this turn the enemy has had no turn in which to move.
            return commander.tracks
        if commander.turn == self.turn - 1:
            return tracks_of(commander.tracks, self.enemies)
        # After a turn without orders nobody knows in which turn a group moved. Without earlier
        # tracks no group counts as having moved.
        return tracks_of((), self.enemies)

    def other_after(self, other: Commander) -> Commander:
        # These groups no longer contain the men who were lost, which both commanders can see.
        return replace(other, groups=self.enemies, enemies=self.groups)

    def _still_open(self, commander: Commander) -> tuple[CommandOrder, ...]:
        """The orders of the same turn that have not been carried out; those of earlier turns have
        lapsed."""
        if commander.turn != self.turn:
            return ()
        return commander.orders

    def narrate(self, state: State) -> str:
        return self.words


class OrderChanged(CommanderChange, frozen=True, kw_only=True, tag="order_changed"):
    """A group gets another order, or the same for part of it or in other cover, since it cannot
    carry out the first one as it was given."""

    order: Annotated[CommandOrder | None, Shown(_nobody, always=True)]
    """The other order; None in what others are shown of the event."""
    words: PublicText

    def commander_after(self, commander: Commander) -> Commander:
        if self.order is None:
            return commander
        orders = []
        for order in commander.orders:
            if order.group == self.order.group:
                orders.append(self.order)
            else:
                orders.append(order)
        return replace(commander, orders=tuple(orders))

    def narrate(self, state: State) -> str:
        return self.words


class OrderDone(CommanderChange, frozen=True, kw_only=True, tag="order_done"):
    """A group has done what it was ordered, or what players had it do instead."""

    group: PublicText
    groups: GroupsSeen
    """The groups that this has changed, as they are now."""
    words: PublicText
    cleared: Annotated[GroundCell | None, Shown(_nobody, always=True)] = None
    """The cell in which the group has cleared the wire; None if it cleared none, and in what others
    are shown of the event."""

    def commander_after(self, commander: Commander) -> Commander:
        commander = commander.without_order(self.group)
        return commander.with_groups(self.groups).with_cleared(self.cleared)

    def other_after(self, other: Commander) -> Commander:
        # Wire that is cleared is cleared for both sides.
        return super().other_after(other).with_cleared(self.cleared)

    def groups_that_moved(self) -> GroupsThatMoved:
        return GroupsThatMoved(self.groups, of_enemy=False)

    def narrate(self, state: State) -> str:
        return self.words


class GroupFired(CommanderChange, frozen=True, kw_only=True, tag="group_fired"):
    """A group has fired as the commander ordered. The events of the shot itself have a sentence in
    the journal, so this one has none."""

    shot: Annotated[GroupShot | None, Shown(_nobody, always=True)]
    """What it fired; None in what others are shown of the event."""

    def commander_after(self, commander: Commander) -> Commander:
        if self.shot is None:
            return commander
        return replace(commander, shots=(*commander.shots, self.shot))


class SightDenied(CommanderChange, frozen=True, kw_only=True, tag="sight_denied"):
    """Two groups do not see one another this turn. Only the commander of the event's ``side``
    remembers it: it limits his fire in the enemy's turn, and no fire of the other commander."""

    group: PublicText
    enemy: PublicText
    words: PublicText

    def commander_after(self, commander: Commander) -> Commander:
        pair = Unseen(self.group, self.enemy)
        return replace(commander, unseen=(*commander.unseen, pair))

    def narrate(self, state: State) -> str:
        return self.words
