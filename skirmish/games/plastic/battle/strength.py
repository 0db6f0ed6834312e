"""What pieces count for among the potential dead, and when a side is broken ("The Basic Game")."""

from __future__ import annotations

from collections.abc import Iterable

from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.army import break_point, worth


def worth_of(state: State, piece: str) -> int:
    """What a piece counts for, by what it was when the battle began: a man whose gun broke down
    counts as before."""
    setup = state.setup
    unit = setup.unit(state.piece(piece).unit)
    return worth(unit, state.nation_of(piece_side(piece)), setup.catalog, setup.rulings)


def strength(state: State, pieces: Iterable[str]) -> int:
    """What pieces count for together."""
    return sum(worth_of(state, piece) for piece in pieces)


def side_strength(state: State, side: str) -> int:
    """A side's whole strength, reinforcements that were drawn for included."""
    setup, nation = state.setup, state.nation_of(side)
    listed = sum(
        count * worth(setup.unit(unit), nation, setup.catalog, setup.rulings)
        for unit, count in setup.fielded[side].items()
    )
    return listed + strength(state, (p.id for p in state.added.values() if p.side == side))


def break_at(state: State, side: str) -> int | None:
    """The loss that beats a side, or None where the break point does not (P58)."""
    whole = side_strength(state, side)
    if not state.setup.side_by_id[side].breaks or not whole:
        return None
    return break_point(whole, state.setup.catalog, state.setup.rulings)


def break_alarm(state: State, side: str) -> int:
    """The loss at which a side's army would be broken, whether or not that ends the battle."""
    whole = side_strength(state, side)
    return break_point(whole, state.setup.catalog, state.setup.rulings)
