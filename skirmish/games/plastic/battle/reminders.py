"""What the scenario forbids in the present turn, and what it reminds the players of."""

from __future__ import annotations

from typing import TypeAlias

from skirmish.games.plastic.battle.orders.charges import charges_left
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.scenarios.happenings import (
    Charges,
    DrawTable,
    Happening,
    MayReveal,
    Remind,
)
from skirmish.games.plastic.scenarios.scenario import SideLimit

_Reminding: TypeAlias = MayReveal | Remind | DrawTable | Charges
"""The happenings that players may have to think of themselves."""


def limits_now(state: State) -> tuple[SideLimit, ...]:
    """What the scenario forbids in this turn. The limits of a contingent are left out before its
    turn of entry."""
    if state.setup.scenario is None:
        return ()
    turn = state.clock.turn
    # A limit of a whole side names no contingent (None).
    have_entered: set[str | None] = {None}
    for contingent in state.setup.contingents:
        if contingent.enters <= turn:
            have_entered.add(contingent.id)
    limits = state.setup.scenario.limits_at(turn)
    return tuple(limit for limit in limits if limit.contingent in have_entered)


def reminders_now(state: State) -> str:
    """What the scenario reminds the players of in this phase; empty if there is nothing."""
    texts = []
    for happening in state.setup.happenings(Happening):
        if isinstance(happening, _Reminding) and _reminds_now(state, happening):
            texts.append(happening.text)
    return " ".join(texts)


def _reminds_now(state: State, happening: _Reminding) -> bool:
    """Whether the players have to think of it now."""
    clock = state.clock
    if isinstance(happening, MayReveal):
        # It reminds them as long as somebody hides on the table.
        return any(state.is_in_play(piece) for piece in state.hidden)
    if isinstance(happening, Remind):
        return happening.phase == clock.phase and happening.side in (None, clock.side)
    if isinstance(happening, Charges) and happening.id not in charges_left(state):
        return False
    side = happening.side
    # The program draws for tables and charges itself, except for a side that only keeps a ledger.
    if state.levels[side] != "ledger":
        return False
    return clock.phase == 1 and clock.side == side and clock.turn >= happening.from_turn
