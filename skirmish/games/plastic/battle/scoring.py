"""How far each side is from victory: what it has, what it needs, what it can still reach."""

from __future__ import annotations

from collections.abc import Mapping

from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.scenarios.victory_terms import (
    Destroy,
    DestroyThenExit,
    Exit,
    Survivors,
)


def weight(state: State, weights: Mapping[str, int], piece: str) -> int:
    """What a piece counts for where exits are weighed: by its unit, as a guy, or as in losses."""
    unit = state.setup.unit(state.unit_of(piece))
    if not weights:
        by_pieces = state.setup.rulings["P81"] == "pieces"
        return 1 if by_pieces else state.setup.catalog.worth(unit)
    if unit.id in weights:
        return weights[unit.id]
    return weights.get("guy", 1) if unit.is_guy else 0


def need_of(state: State, terms: Exit) -> int:
    """How much must leave."""
    if terms.need is not None:
        return terms.need
    whole = sum(
        weight(state, terms.weights, piece.id)
        for piece in state.pieces()
        if piece.side == terms.side
    )
    return -(-whole // 2)


def exited(state: State, side: str) -> int:
    """What a side's exits have counted for so far."""
    own = (piece.id for piece in state.pieces() if piece.side == side)
    return sum(state.exited.get(piece, 0) for piece in own)


def destroyed(state: State, terms: Destroy | DestroyThenExit) -> int:
    """How many of the units that count are lost; P83 says whether to their own breakdown too."""
    foe = state.setup.enemy_of(terms.side).id
    return sum(
        piece.side == foe and piece.unit == terms.unit and _is_destroyed(state, piece.id)
        for piece in state.pieces()
    )


def _is_destroyed(state: State, piece: str) -> bool:
    credit = state.lost.get(piece)
    by_itself = credit is not None and credit.breakdown
    return piece in state.lost and (not by_itself or state.setup.rulings["P83"] == "counts")


def vehicles_lost(state: State, side: str) -> int:
    """How many vehicles a side has lost; a cannon is none."""
    return sum(
        piece.side == side
        and "vehicle" in state.setup.unit(piece.unit).tags
        and piece.id in state.lost
        for piece in state.pieces()
    )


def survivors(state: State, terms: Survivors, side: str) -> int:
    """How many of the units that count a side has left."""
    return sum(
        piece.side == side and piece.unit in terms.units and state.is_up(piece.id)
        for piece in state.pieces()
    )


def can_reach(state: State, terms: Exit | DestroyThenExit | Destroy) -> bool:
    """Whether the side can still meet its terms with what is left."""
    up = [piece for piece in state.pieces() if state.is_up(piece.id)]
    match terms:
        case Exit():
            return reach(state, terms) >= need_of(state, terms)
        case Destroy():
            limit = terms.may_lose
            if limit and vehicles_lost(state, terms.side) > limit.at_most:
                return False
            left = sum(p.side != terms.side and p.unit == terms.unit for p in up)
            return destroyed(state, terms) + left >= terms.need
        case _:
            left = sum(p.side != terms.side and p.unit == terms.unit for p in up)
            jeeps = sum(p.side == terms.side and p.unit == terms.then.unit for p in up)
            enough = exited(state, terms.side) + jeeps >= terms.then.need
            return destroyed(state, terms) + left >= terms.need and enough


def reach(state: State, terms: Exit) -> int:
    """What can have left at best: what has, all that moves, and a cannon for each model that takes
    one along."""
    up = [p.id for p in state.pieces() if p.side == terms.side and state.is_up(p.id)]
    units = {piece: state.setup.unit(state.unit_of(piece)) for piece in up}
    takers = sum(units[piece].tows_cannon for piece in up)
    cannon = sorted(
        (weight(state, terms.weights, p) for p in up if "cannon" in units[p].tags), reverse=True
    )
    moving = sum(weight(state, terms.weights, piece) for piece in up if units[piece].move)
    return exited(state, terms.side) + moving + sum(cannon[:takers])
