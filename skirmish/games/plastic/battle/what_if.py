"""What if: the shot in hand beside those that one thing would change, each with its chance.

Nothing is decided here. A row is an order that ``prepared`` judges and ``one_shot`` counts, so that
whoever takes a row fires the very shot whose chance was told.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from skirmish.games.plastic.battle.firing import Prepared, prepared
from skirmish.games.plastic.battle.orders import Again, Fire, Volley
from skirmish.games.plastic.battle.rows import find, rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.odds.pack import Pack
from skirmish.games.plastic.odds.single import ShotOdds, one_shot
from skirmish.tabletop.refusal import Refusal, Refused

Kind: TypeAlias = Literal["now", "cover", "hull_down", "close", "rear", "weapon", "shooter"]
"""What a row changes: nothing, one thing that eyes see, the weapon, who fires."""

SEEN: tuple[Kind, ...] = ("cover", "hull_down", "close", "rear")
"""Of what eyes see. ``close`` is the distance at which the very man aimed at dies."""


class Otherwise(Struct, frozen=True, kw_only=True):
    """A shot that could be fired instead. ``shot`` is None where it would make no sense, and
    ``against`` is what the rules say against it, if anything."""

    kind: Kind
    order: Fire | Again
    shot: Prepared | None
    against: Refusal | None


class WhatIf(Struct, frozen=True, kw_only=True):
    """One row: a shot and its odds, None where it would make no sense."""

    other: Otherwise
    odds: ShotOdds | None

    @property
    def kind(self) -> Kind:
        """What it changes."""
        return self.other.kind


def what_ifs(state: State, order: Fire | Again, pack: Pack) -> tuple[WhatIf, ...]:
    """The shot as it stands, then what would make a difference; empty where nothing would, or the
    shot makes no sense. ``pack`` is what its side's next draw comes from."""
    return tuple(
        WhatIf(other=other, odds=one_shot(other.shot.aim, pack) if other.shot else None)
        for other in others(state, order)
    )


def others(state: State, order: Fire | Again) -> tuple[Otherwise, ...]:
    """The same rows without their odds."""
    now = _judged(state, "now", order)
    if now.shot is None:
        return ()
    changes = tuple(other for other in _changes(state, order, now.shot) if _differs(other, now))
    return (now, *changes) if changes else ()


def row_of(state: State, order: Fire | Again, kind: Kind) -> Otherwise | None:
    """The row that changes this, or None where there is none."""
    return next((other for other in others(state, order) if other.kind == kind), None)


def _changes(state: State, order: Fire | Again, now: Prepared) -> Iterator[Otherwise]:
    for kind in SEEN:
        if not hasattr(order, kind):
            continue
        other = _judged(state, kind, replace(order, **{kind: not getattr(order, kind)}))
        if other.shot is not None:
            yield other
    if isinstance(order, Fire):
        if weapon := next_weapon(state, order):
            yield _judged(state, "weapon", replace(order, weapon=weapon))
        yield from _next_shooter(state, order, now)


def next_weapon(state: State, order: Fire) -> str | None:
    """The shooter's weapon after the one that the order would fire, or None if he has no other."""
    row = find(state, order.shooter)
    names = list(dict.fromkeys(weapon.id for weapon in row.weapons)) if row else []
    if len(names) < 2:
        return None
    shot = _judged(state, "now", order).shot
    in_hand = shot.shooting.weapon if shot else order.weapon
    return names[(names.index(in_hand) + 1) % len(names)] if in_hand in names else names[0]


def _next_shooter(state: State, order: Fire, now: Prepared) -> Iterator[Otherwise]:
    """The next row of the side, round and round, against whose shot the rules say nothing. Of a
    volley as many fire as before, or all who can."""
    own = rows(state, now.side)
    at = next((n for n, row in enumerate(own) if row.key == order.shooter), 0)
    for row in (*own[at + 1 :], *own[:at]):
        if not row.ready_count:
            continue
        by = replace(order, shooter=row.key, weapon=None)
        if isinstance(by, Volley):
            by = replace(by, count=min(by.count, row.ready_count))
        other = _judged(state, "shooter", by)
        if other.shot is not None and other.against is None:
            yield other
            return


def _judged(state: State, kind: Kind, order: Fire | Again) -> Otherwise:
    try:
        shot = prepared(state, order)
    except Refused as refused:
        return Otherwise(kind=kind, order=order, shot=None, against=refused.refusal)
    return Otherwise(kind=kind, order=order, shot=shot, against=shot.advice)


def _differs(other: Otherwise, now: Otherwise) -> bool:
    """Whether a row is worth showing: another shot, and not forbidden for the same reason."""
    if now.shot is None or other.shot is None:
        return True
    if now.against is not None:
        return other.against != now.against
    same_man = other.kind not in ("weapon", "shooter")
    return not same_man or other.shot.aim != now.shot.aim or other.against is not None
