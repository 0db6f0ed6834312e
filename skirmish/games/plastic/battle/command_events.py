"""What happens to the program's commander: he is appointed, is told where groups stand, gives
orders, and hears what became of them."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec.structs import replace

from skirmish.games.plastic.battle.commanders import (
    Commander,
    CommandOrder,
    GroupShot,
    TableGroup,
    Unseen,
    tracked,
)
from skirmish.games.plastic.battle.shown import PublicText, Secrets, Shown
from skirmish.games.plastic.battle.state import Event, State
from skirmish.games.plastic.commander.cells import GroundCell


def _nobody(value: Any, secrets: Secrets) -> None:
    """What he knows and thinks is his own."""
    del value, secrets


def _nothing(value: Any, secrets: Secrets) -> tuple[()]:
    del value, secrets
    return ()


def _no_words(text: str, secrets: Secrets) -> str:
    del text, secrets
    return ""


def _no_notes(notes: bytes, secrets: Secrets) -> bytes:
    del notes, secrets
    return b""


# ``Shown`` names the function by which others see a field. What is the commander's own they do not
# see at all, whoever they are, also in a battle in which nobody hides (``always``).
CommanderSeen = Annotated[Commander | None, Shown(_nobody, always=True)]
GroupsSeen = Annotated[tuple[TableGroup, ...], Shown(_nothing, always=True)]
OrdersSeen = Annotated[tuple[CommandOrder, ...], Shown(_nothing, always=True)]
PlanWords = Annotated[str, Shown(_no_words, always=True)]
Notes = Annotated[bytes, Shown(_no_notes, always=True)]


def _with_commander(state: State, side: str, commander: Commander | None) -> State:
    commanders = dict(state.commanders)
    commanders.pop(side, None)
    if commander is not None:
        commanders[side] = commander
    return replace(state, commanders=commanders)


class CommandEvent(Event, frozen=True, kw_only=True):
    """Something of the commander of a ``side``."""

    side: PublicText

    def _with(self, state: State, commander: Commander | None) -> State:
        """The state with him as he is now; None: the side has none."""
        return _with_commander(state, self.side, commander)


class Appointed(CommandEvent, frozen=True, kw_only=True, tag="appointed"):
    """The program commands a side from now on, or advises its player; without a ``commander`` it
    does neither any more. ``words`` say so."""

    commander: CommanderSeen = None
    words: PublicText

    def apply(self, state: State) -> State:
        commander, enemy = self.commander, state.setup.enemy_of(self.side).id
        other = state.commanders.get(enemy)
        if commander is not None and other is not None:
            # There is one table: each is told where the other's groups are set up.
            commander = replace(commander, enemies=other.groups)
            told = replace(other, enemies=commander.groups)
            state = _with_commander(state, enemy, told)
        return self._with(state, commander)

    def narrate(self, state: State) -> str:
        return self.words


class OfCommander(CommandEvent, frozen=True, kw_only=True):
    """Something that changes a commander; nothing if the line that appointed him is void."""

    def apply(self, state: State) -> State:
        commander = state.commanders.get(self.side)
        if commander is None:
            return state
        told = self._told(state)
        return _with_commander(told, self.side, self.changed(commander))

    def changed(self, commander: Commander) -> Commander:
        """The commander after it."""
        raise NotImplementedError

    def on_table(self) -> tuple[tuple[TableGroup, ...], bool]:
        """The groups that stand otherwise on the table now, and whether they are the enemy's."""
        return (), False

    def _told(self, state: State) -> State:
        """With the commander of the other side, who sees the same table, if it has one."""
        enemy = state.setup.enemy_of(self.side).id
        other, (groups, of_enemy) = state.commanders.get(enemy), self.on_table()
        if other is None or not groups:
            return state
        return _with_commander(state, enemy, other.with_groups(groups, enemies=not of_enemy))


class GroupsPlaced(OfCommander, frozen=True, kw_only=True, tag="groups_placed"):
    """Players say where groups stand; ``of_enemy``: of the other side. ``moves_of``: with that, all
    moves of the enemy in this game turn are told; 0 if some may still be missing."""

    groups: GroupsSeen
    of_enemy: bool = False
    moves_of: int = 0
    words: PublicText

    def changed(self, commander: Commander) -> Commander:
        placed = commander.with_groups(self.groups, enemies=self.of_enemy)
        if self.moves_of:
            return replace(placed, moves_told=self.moves_of)
        return placed

    def on_table(self) -> tuple[tuple[TableGroup, ...], bool]:
        return self.groups, self.of_enemy

    def narrate(self, state: State) -> str:
        return self.words


class OrdersGiven(OfCommander, frozen=True, kw_only=True, tag="orders_given"):
    """His orders for game turn ``turn``, with the groups as he takes them to be. ``plan`` is what
    he is up to, in words that are read after the battle; empty if it is that of before."""

    turn: int
    groups: GroupsSeen
    enemies: GroupsSeen
    orders: OrdersSeen
    plan: PlanWords = ""
    notes: Notes
    words: PublicText

    def changed(self, commander: Commander) -> Commander:
        ordered = {order.group for order in self.orders}
        if commander.turn == self.turn:
            ordered |= commander.ordered
            tracks = commander.tracks
        elif commander.turn == self.turn - 1:
            tracks = tracked(commander.tracks, self.enemies)
        else:
            # After a turn without orders nobody knows in which of the two a group moved.
            tracks = tracked((), self.enemies)
        return replace(
            commander,
            tracks=tracks,
            groups=self.groups,
            enemies=self.enemies,
            orders=(*self._still_open(commander), *self.orders),
            ordered=frozenset(ordered),
            turn=self.turn,
            # Orders are given in the first phase of a turn, also a second time. All that these two
            # hold is of the enemy's turn before, which is over.
            unseen=(),
            shots=(),
            notes=self.notes,
        )

    def _told(self, state: State) -> State:
        """He has counted who is left of whom: the other commander takes it over."""
        enemy = state.setup.enemy_of(self.side).id
        other = state.commanders.get(enemy)
        if other is None:
            return state
        told = replace(other, groups=self.enemies, enemies=self.groups)
        return _with_commander(state, enemy, told)

    def _still_open(self, commander: Commander) -> tuple[CommandOrder, ...]:
        """Orders of the same turn; those of an earlier one are past."""
        if commander.turn != self.turn:
            return ()
        return commander.orders

    def narrate(self, state: State) -> str:
        return self.words


class OrderChanged(OfCommander, frozen=True, kw_only=True, tag="order_changed"):
    """A group gets another order, as the first cannot be carried out."""

    order: Annotated[CommandOrder | None, Shown(_nobody, always=True)]
    words: PublicText

    def changed(self, commander: Commander) -> Commander:
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


class OrderDone(OfCommander, frozen=True, kw_only=True, tag="order_done"):
    """A group has done what it was ordered, or what players had it do instead; the ``groups`` stand
    as they do now. ``cleared``: the cell in which it has cleared the wire, if it did."""

    group: PublicText
    groups: GroupsSeen
    words: PublicText
    cleared: Annotated[GroundCell | None, Shown(_nobody, always=True)] = None

    def changed(self, commander: Commander) -> Commander:
        done = commander.without_order(self.group).with_groups(self.groups)
        return done.with_cleared(self.cleared)

    def _told(self, state: State) -> State:
        told = super()._told(state)
        enemy = state.setup.enemy_of(self.side).id
        other = told.commanders.get(enemy)
        if other is None:
            return told
        return _with_commander(told, enemy, other.with_cleared(self.cleared))

    def on_table(self) -> tuple[tuple[TableGroup, ...], bool]:
        return self.groups, False

    def narrate(self, state: State) -> str:
        return self.words


class GroupFired(OfCommander, frozen=True, kw_only=True, tag="group_fired"):
    """A group has fired as he said; the shot itself is told by its own events."""

    shot: Annotated[GroupShot | None, Shown(_nobody, always=True)]

    def changed(self, commander: Commander) -> Commander:
        if self.shot is None:
            return commander
        return replace(commander, shots=(*commander.shots, self.shot))


class SightDenied(OfCommander, frozen=True, kw_only=True, tag="sight_denied"):
    """Two groups do not see one another this turn."""

    group: PublicText
    enemy: PublicText
    words: PublicText

    def changed(self, commander: Commander) -> Commander:
        pair = Unseen(self.group, self.enemy)
        return replace(commander, unseen=(*commander.unseen, pair))

    def narrate(self, state: State) -> str:
        return self.words
