"""What a battle remembers of the program's commander: where groups stand, and his orders.

Only events change it (``command_events``). How he decides is in ``headquarters``, which
needs NumPy and is not imported here: a battle without a commander never loads it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.commander.cells import GroundCell
from skirmish.games.plastic.commander.situation import GroupKnown, Stand
from skirmish.games.plastic.commander.weights import CommanderWeights, TemperamentId

Half: TypeAlias = Literal["", "n", "e", "s", "w"]
"""The half of a square: the upper, right, lower or left one on the map; empty: the whole square."""
HitchKind: TypeAlias = Literal["blocked", "cover", "fewer"]
"""Why players cannot carry out an order as it is: the way is blocked, the cover there is not what
the commander thinks, or only some of the group get there."""
TEMPERAMENTS: Mapping[TemperamentId, str] = {
    "steady": "ground and losses count alike",
    "bold": "ground counts most",
    "cautious": "losses count most",
}
"""The temperaments from which players choose, each with what it means. Players read their ids."""


class TableGroup(msgspec.Struct, frozen=True):
    """A group of either side and where it stands, as players last said."""

    known: GroupKnown
    """Its name and who belongs to it."""
    cell: GroundCell | None = None
    """Where it stands; None: not on the table yet."""
    cover: bool = False
    """Whether it is in cover there."""

    @property
    def id(self) -> str:
        """It stays the same all through the battle."""
        return self.known.id

    @property
    def name(self) -> str:
        """What players call it."""
        return self.known.name

    @property
    def strength(self) -> int:
        """How many men and models there are, including those aboard."""
        return sum(self.known.counts.values()) + sum(self.known.aboard.values())

    @property
    def stand(self) -> Stand | None:
        """The group as the commander weighs it; None while it is not on the table."""
        if self.cell is None:
            return None
        return Stand(self.known, self.cell, self.cover)


class Dismounted(NamedTuple):
    """A group that has got out: the ``men`` keep its name and id, and their ``carrier`` beside them
    is a group of its own."""

    men: TableGroup
    carrier: TableGroup


def dismounted(group: TableGroup, groups: Iterable[TableGroup]) -> Dismounted:
    """A group once those aboard have got out of its carrier. ``groups``: all of the side, so that
    the carrier gets an id that none of them has."""
    known = group.known
    men = replace(group, known=replace(known, counts=known.aboard, aboard={}))
    # The group may have left another carrier before, which has the id without a number.
    ids_in_use = {other.id for other in groups}
    carrier_id, next_number = f"{known.id}:carrier", 2
    while carrier_id in ids_in_use:
        carrier_id = f"{known.id}:carrier_{next_number}"
        next_number += 1
    carrier = replace(known, id=carrier_id, name=f"Carrier of {known.name}", aboard={})
    # The carrier is in no cover, which helps only guys and cannon ("Cover").
    return Dismounted(men, TableGroup(carrier, group.cell))


def groups_after_unloading(
    groups: Sequence[TableGroup], contingent: str, carrier: str, riders: Mapping[str, int]
) -> tuple[TableGroup, ...]:
    """The groups that change when a carrier of a contingent has let its ``riders`` out (so many of
    each unit, by id). ``carrier``: the id of its unit. Players do not say which group it was: of
    those with such a carrier it is assumed to be the one that has the most of the riders aboard.
    Empty if none has any of them."""
    likeliest, most_in_common = None, 0
    for group in groups:
        if group.known.contingent != contingent or carrier not in group.known.counts:
            continue
        in_common = (Counter(group.known.aboard) & Counter(riders)).total()
        if in_common > most_in_common:
            likeliest, most_in_common = group, in_common
    if likeliest is None:
        return ()
    return dismounted(likeliest, groups)


class CommandOrder(msgspec.Struct, frozen=True, kw_only=True):
    """What the commander orders a group to do. ``verb`` and ``cell`` are those of the action's key
    (``ActionKey``), by which it is recognized when he chooses again."""

    group: str
    words: str
    """The order in two sentences for the players."""
    verb: str
    """The kind of action."""
    cell: GroundCell
    """Where it ends."""
    after: tuple[TableGroup, ...]
    """The groups that it changes, as they are once it is done."""
    refused: tuple[tuple[str, GroundCell], ...] = ()
    """Verb and cell of each action that players have said cannot be done this turn."""


class Unseen(msgspec.Struct, frozen=True):
    """A group and an enemy group between which there is no line of sight this turn."""

    group: str
    enemy: str


class GroupTrack(msgspec.Struct, frozen=True):
    """Where an enemy group stood when the commander last gave orders, and how far it had moved
    since his orders of the turn before: so many cells to the right (``columns``) and up the map
    (``rows``)."""

    group: str
    cell: GroundCell
    columns: int = 0
    rows: int = 0

    @property
    def has_moved(self) -> bool:
        """Whether the group moved between those orders."""
        return bool(self.columns or self.rows)


def tracks_of(before: Iterable[GroupTrack], groups: Iterable[TableGroup]) -> tuple[GroupTrack, ...]:
    """The tracks of the groups that are on the table. ``before``: those of the turn before."""
    cells = {track.group: track.cell for track in before}
    tracks = []
    for group in groups:
        if group.cell is not None:
            # A group that was not on the table in the turn before counts as not having moved.
            cell_before = cells.get(group.id, group.cell)
            columns = group.cell.column - cell_before.column
            rows = group.cell.row - cell_before.row
            tracks.append(GroupTrack(group.id, group.cell, columns, rows))
    return tuple(tracks)


class GroupShot(msgspec.Struct, frozen=True):
    """A group fired as the commander said: ``number`` of its ``unit`` with a ``weapon``, at the
    group ``enemy``, in game turn ``turn``, while the side ``mover`` moved."""

    group: str
    unit: str
    weapon: str
    number: int
    enemy: str
    turn: int
    mover: str


class Commander(msgspec.Struct, frozen=True, kw_only=True):
    """The program as commander of a side."""

    temperament: TemperamentId
    weights: CommanderWeights
    """They are stored with the battle, as the catalog is: a later change alters no old battle."""
    advises: bool = False
    """Whether he only advises the player of the side."""
    aloud: bool = False
    """Whether he tells everybody his plan instead of sealing it."""
    groups: tuple[TableGroup, ...] = ()
    """The groups of his side."""
    enemies: tuple[TableGroup, ...] = ()
    """The groups of the other side."""
    orders: tuple[CommandOrder, ...] = ()
    """His orders that have not been carried out yet."""
    ordered: frozenset[str] = frozenset()
    """The groups that had an order in ``turn``."""
    turn: int = 0
    """The game turn of the last orders; 0 before the first."""
    unseen: tuple[Unseen, ...] = ()
    """What players have said about lines of sight since the last orders."""
    shots: tuple[GroupShot, ...] = ()
    """What his groups have fired since the last orders, in order."""
    notes: bytes = b""
    """The plan and what he remembers of earlier turns, packed (``Notebook`` in
    ``headquarters.own_turn``). A version of the program that cannot read them plans anew."""
    cleared: frozenset[GroundCell] = frozenset()
    """Where the wire of the map has been cleared by order of either side's commander."""
    tracks: tuple[GroupTrack, ...] = ()
    """How the enemy's groups had moved before the orders of ``turn``."""
    moves_told: int = 0
    """The latest game turn for which players have said where all of the enemy's groups went."""

    def group(self, id: str) -> TableGroup | None:
        """A group of either side; None if there is none, or no longer."""
        for group in (*self.groups, *self.enemies):
            if group.id == id:
                return group
        return None

    def with_groups(self, changed: Iterable[TableGroup], *, enemies: bool = False) -> Commander:
        """With these groups of his own side (``enemies``: of the other) as they are now."""
        if enemies:
            return replace(self, enemies=_with_changes(self.enemies, changed))
        return replace(self, groups=_with_changes(self.groups, changed))

    def with_cleared(self, cell: GroundCell | None) -> Commander:
        """With the wire in a cell cleared; unchanged for None."""
        if cell is None:
            return self
        return replace(self, cleared=self.cleared | {cell})

    def without_order(self, group: str) -> Commander:
        """Without the order of a group, which was carried out or overruled."""
        return replace(self, orders=tuple(order for order in self.orders if order.group != group))

    def number_fired(self, group: str, unit: str, weapon: str, turn: int, mover: str) -> int:
        """How many of a unit of a group have fired a weapon as he said, in game turn ``turn`` while
        the side ``mover`` moved. Shots that players chose themselves are not counted: nobody knows
        which group fired them."""
        number = 0
        for shot in self.shots:
            by_these = (shot.group, shot.unit, shot.weapon) == (group, unit, weapon)
            in_that_turn = (shot.turn, shot.mover) == (turn, mover)
            if by_these and in_that_turn:
                number += shot.number
        return number

    def aimed_at(self, unit: str, contingent: str, turn: int, mover: str) -> TableGroup | None:
        """The enemy group at which the commander's last shot was fired, if it was by this unit of
        this contingent, in game turn ``turn`` while the side ``mover`` moved; else None."""
        if not self.shots:
            return None
        last = self.shots[-1]
        if (last.unit, last.turn, last.mover) != (unit, turn, mover):
            return None
        shooters = self.group(last.group)
        if shooters is None or shooters.known.contingent != contingent:
            return None
        return self.group(last.enemy)

    def sees(self, group: str, enemy: str) -> bool:
        """Whether a group may see an enemy group: nobody has said that it does not."""
        return Unseen(group, enemy) not in self.unseen


def _with_changes(
    groups: Iterable[TableGroup], changed: Iterable[TableGroup]
) -> tuple[TableGroup, ...]:
    """The groups with the changed ones in their places; new ones come last, and groups of which
    nobody is left go."""
    by_id = {group.id: group for group in groups}
    for group in changed:
        by_id[group.id] = group
    return tuple(group for group in by_id.values() if group.strength)
