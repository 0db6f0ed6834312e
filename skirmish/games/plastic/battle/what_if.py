"""What one change of a shot would do: another circumstance, another weapon, another shooter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from skirmish.games.plastic.battle.orders import Again, Fire, Volley
from skirmish.games.plastic.battle.orders.firing import PreparedShot, prepared
from skirmish.games.plastic.battle.rows import find_row, rows
from skirmish.games.plastic.battle.state import State
from skirmish.tabletop.refusal import Refusal, Refused

ChangeKind: TypeAlias = Literal["now", "cover", "hull_down", "close", "rear", "weapon", "shooter"]
"""What is changed in a shot: nothing (``now``), something that players see at the table, the
weapon, or who fires."""
SEEN_AT_THE_TABLE: tuple[ChangeKind, ...] = ("cover", "hull_down", "close", "rear")
"""The changes of what players see at the table. ``close``: near enough for the very man aimed at to
die, so that the defender may not choose another."""


class WhatIf(Struct, frozen=True, kw_only=True):
    """A shot with at most one thing changed."""

    kind: ChangeKind
    order: Fire | Again
    shot: PreparedShot | None
    """None if it is impossible."""
    against: Refusal | None
    """Why it is impossible, or what the rules hold against it."""


def what_ifs(state: State, order: Fire | Again) -> tuple[WhatIf, ...]:
    """The shot itself, then each change that would make a difference; empty if none would."""
    as_ordered = _changed(state, "now", order)
    if as_ordered.shot is None:
        return ()
    changes = []
    for change in _changes(state, order, as_ordered.shot):
        if _differs(change, as_ordered):
            changes.append(change)
    if not changes:
        return ()
    return (as_ordered, *changes)


def what_if(state: State, order: Fire | Again, kind: ChangeKind) -> WhatIf | None:
    """The shot with that change; None if the change would make no difference."""
    for change in what_ifs(state, order):
        if change.kind == kind:
            return change
    return None


def _changes(state: State, order: Fire | Again, shot: PreparedShot) -> Iterator[WhatIf]:
    """The order with each circumstance the other way round, with the next weapon, and by the next
    shooter."""
    for kind in SEEN_AT_THE_TABLE:
        # An order has a field for each circumstance that players may name with it.
        if not hasattr(order, kind):
            continue
        was_so = getattr(order, kind)
        other_way_round = replace(order, **{kind: not was_so})
        change = _changed(state, kind, other_way_round)
        if change.shot is not None:
            yield change
    if isinstance(order, Fire):
        weapon = next_weapon(state, order)
        if weapon is not None:
            yield _changed(state, "weapon", replace(order, weapon=weapon))
        shooter = _next_shooter(state, order, shot)
        if shooter is not None:
            yield shooter


def next_weapon(state: State, order: Fire) -> str | None:
    """The shooter's weapon after the one in the order; None if he has no other."""
    row = find_row(state, order.shooter)
    if row is None:
        return None
    weapons = list(dict.fromkeys(weapon.id for weapon in row.weapons))
    if len(weapons) < 2:
        return None
    in_hand = order.weapon
    # If the order names no weapon, the prepared shot has the one that is chosen for it.
    shot = _changed(state, "now", order).shot
    if shot is not None:
        in_hand = shot.shooting.weapon
    if in_hand not in weapons:
        return weapons[0]
    # After the last weapon comes the first again.
    next_index = (weapons.index(in_hand) + 1) % len(weapons)
    return weapons[next_index]


def _next_shooter(state: State, order: Fire, shot: PreparedShot) -> WhatIf | None:
    """The same shot by the next row that may fire it by the rules; None if there is none. The rows
    below the one that fires come first, then those above it."""
    # In a mixed volley several rows fire already.
    if shot.more:
        return None
    own_rows = rows(state, shot.side)
    firing_index = 0
    for index, row in enumerate(own_rows):
        if row.key == order.shooter:
            firing_index = index
    rows_below = own_rows[firing_index + 1 :]
    rows_above = own_rows[:firing_index]
    for row in (*rows_below, *rows_above):
        # All of them have fired.
        if not row.ready_count:
            continue
        # Another unit has other weapons: without a choice it fires its own first one.
        by_row = replace(order, shooter=row.key, weapon=None)
        if isinstance(by_row, Volley):
            by_row = replace(by_row, count=min(by_row.count, row.ready_count))
        change = _changed(state, "shooter", by_row)
        if change.shot is not None and change.against is None:
            return change
    return None


def _changed(state: State, kind: ChangeKind, order: Fire | Again) -> WhatIf:
    """The shot of this order, or why it is impossible. ``kind``: how the order was changed."""
    try:
        shot = prepared(state, order)
    except Refused as refused:
        return WhatIf(kind=kind, order=order, shot=None, against=refused.refusal)
    return WhatIf(kind=kind, order=order, shot=shot, against=shot.advice)


def _differs(change: WhatIf, as_ordered: WhatIf) -> bool:
    """Whether a change is worth showing. It is if one of the two shots is impossible. If the rules
    speak against the shot as ordered, it is if they no longer do, or for another reason. If they do
    not, another weapon or shooter always is, and something seen at the table only if it changes
    what the shot needs or what the rules hold against it."""
    if as_ordered.shot is None or change.shot is None:
        return True
    if as_ordered.against is not None:
        return change.against != as_ordered.against
    if change.kind in ("weapon", "shooter") or change.against is not None:
        return True
    aims_of_change = [squad.aim for squad in change.shot.squads]
    aims_as_ordered = [squad.aim for squad in as_ordered.shot.squads]
    return aims_of_change != aims_as_ordered
