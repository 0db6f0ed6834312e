"""What pieces and sides count in potential dead guys, and the loss that breaks an army ("The Basic
Game")."""

from __future__ import annotations

from collections.abc import Iterable

from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.army import break_point, strength_of


def worth_of(state: State, piece: str) -> int:
    """A piece in potential dead guys, by its unit at the start of the battle: a man who became a
    rifleman by a breakdown still counts as what he was."""
    setup = state.setup
    unit = setup.unit(state.piece(piece).unit)
    return strength_of(unit, state.nation_of(piece_side(piece)), setup.catalog, setup.rulings)


def strength(state: State, pieces: Iterable[str]) -> int:
    """What these pieces count together in potential dead guys ("The Basic Game")."""
    return sum(worth_of(state, piece) for piece in pieces)


def side_strength(state: State, side: str) -> int:
    """The strength of all that a side ever had, reinforcements from draw tables included."""
    setup, nation = state.setup, state.nation_of(side)
    total = 0
    for unit, count in setup.fielded[side].items():
        total += count * strength_of(setup.unit(unit), nation, setup.catalog, setup.rulings)
    for piece in state.added.values():
        if piece.side == side:
            total += worth_of(state, piece.id)
    return total


def breaking_loss(state: State, side: str) -> int:
    """The loss at which a side's army is broken, even in a battle that does not end then."""
    whole = side_strength(state, side)
    return break_point(whole, state.setup.catalog, state.setup.rulings)


def beating_loss(state: State, side: str) -> int | None:
    """The loss that beats a side; None where a broken army fights on (P58), or if the side has no
    strength."""
    if not state.setup.side_by_id[side].breaks or not side_strength(state, side):
        return None
    return breaking_loss(state, side)
