"""What happens to the program's commander: he is appointed, is told where groups stand, gives
orders, and hears what became of them. ``words`` are the sentences of the journal."""

from __future__ import annotations

from typing import Annotated

from msgspec.structs import replace

from skirmish.games.plastic.battle.commanders import (
    Commander,
    CommandOrder,
    GroupShot,
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
    """What others see of his plan in words."""
    del text, secrets
    return ""


def _no_notes(notes: bytes, secrets: Secrets) -> bytes:
    """What others see of his notes."""
    del notes, secrets
    return b""


# An event is shown to others (who watch, or have the other side) with less in it: ``Shown`` names
# the function that says what they see of a field. Of what is the commander's own they see nothing,
# also in a battle in which nobody hides (``always``).
CommanderSeen = Annotated[Commander | None, Shown(_nobody, always=True)]
GroupsSeen = Annotated[tuple[TableGroup, ...], Shown(_nothing, always=True)]
OrdersSeen = Annotated[tuple[CommandOrder, ...], Shown(_nothing, always=True)]
PlanWords = Annotated[str, Shown(_no_words, always=True)]
Notes = Annotated[bytes, Shown(_no_notes, always=True)]


def _with_commander(state: State, side: str, commander: Commander | None) -> State:
    """The state with that commander of a side; None: the side has none."""
    commanders = dict(state.commanders)
    commanders.pop(side, None)
    if commander is not None:
        commanders[side] = commander
    return replace(state, commanders=commanders)


class CommandEvent(Event, frozen=True, kw_only=True):
    """Something of the commander of a ``side``."""

    side: PublicText

    def _with(self, state: State, commander: Commander | None) -> State:
        """The state with this commander of the event's side; None: the side has none."""
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
    """Something that changes a commander. It changes nothing where the side has none: the line of
    the journal that appointed him may have been made void."""

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
        """The groups that stand elsewhere on the table now, and whether they are the enemy's."""
        return (), False

    def _told(self, state: State) -> State:
        """The state after the commander of the other side, who sees the same table, has been told
        which groups stand elsewhere."""
        enemy = state.setup.enemy_of(self.side).id
        other = state.commanders.get(enemy)
        groups, of_enemy = self.on_table()
        if other is None or not groups:
            return state
        return _with_commander(state, enemy, other.with_groups(groups, enemies=not of_enemy))


class GroupsPlaced(OfCommander, frozen=True, kw_only=True, tag="groups_placed"):
    """Players say where groups stand; ``of_enemy``: of the other side. ``moves_of``: the
    game turn of which players have now told all moves of the enemy; 0 if some may be missing."""

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
            # More orders for the same turn.
            ordered |= commander.ordered
            tracks = commander.tracks
        elif commander.turn == self.turn - 1:
            tracks = tracks_of(commander.tracks, self.enemies)
        else:
            # After a turn without orders nobody knows in which turn a group moved. Without tracks
            # of before, none counts as having moved.
            tracks = tracks_of((), self.enemies)
        return replace(
            commander,
            tracks=tracks,
            groups=self.groups,
            enemies=self.enemies,
            orders=(*self._still_open(commander), *self.orders),
            ordered=frozenset(ordered),
            turn=self.turn,
            # ``unseen`` and ``shots`` are about the enemy's turn before, which is over: orders are
            # given in the first phase of a turn, also those of a second time.
            unseen=(),
            shots=(),
            notes=self.notes,
        )

    def _told(self, state: State) -> State:
        """The groups of these orders are without losses: the other commander takes them over."""
        enemy = state.setup.enemy_of(self.side).id
        other = state.commanders.get(enemy)
        if other is None:
            return state
        told = replace(other, groups=self.enemies, enemies=self.groups)
        return _with_commander(state, enemy, told)

    def _still_open(self, commander: Commander) -> tuple[CommandOrder, ...]:
        """Orders of the same turn that have not been carried out; those of an earlier one are
        past."""
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
        """Wire that is cleared is cleared for both sides."""
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
    """A group has fired as the commander said. The shot itself is told by the events of a shot, so
    this one tells nothing."""

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
