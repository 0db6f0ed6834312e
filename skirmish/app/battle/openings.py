"""What capitals and signs open, and what ``!`` makes of an order that was advised against."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from skirmish.app.battle.mode import DraftError, Step
from skirmish.app.battle.prompt_forms import Clocking, Counting
from skirmish.app.battle.prompt_lists import Arriving, Boarding
from skirmish.app.battle.prompt_numbers import Numbered
from skirmish.app.battle.prompt_orders import Digging, Leaving, Unloading
from skirmish.games.plastic.battle.orders import (
    Add,
    AnyOrder,
    ClearWire,
    Correct,
    Dig,
    Enter,
    Exit,
    Fire,
    GroupMoved,
    Load,
    Rejudge,
    Serve,
    Show,
    Unload,
)
from skirmish.games.plastic.battle.orders.draws import engineers_of
from skirmish.games.plastic.battle.orders.resolution import waiting_for
from skirmish.games.plastic.battle.rows import find
from skirmish.games.plastic.battle.state import State


def opened(what: str, state: State) -> Step:
    """The question, or the order itself where there is nothing to ask; raises DraftError while
    the program waits for an answer."""
    waiting = _waiting(what, state)
    if waiting:
        raise DraftError(waiting)
    return _OPENINGS[what](state)


def _waiting(what: str, state: State) -> str:
    """Why nothing new can begin now; empty if it can. Losses and the clock may be put right while
    an answer is awaited."""
    if state.outcome is not None:
        return "The battle is over; Backspace reopens it."
    refusal = None if what in ("lost", "clock") else waiting_for(state)
    return refusal.says if refusal else ""


def _dig(state: State) -> Step:
    some, everybody = engineers_of(state, state.mover)
    if some and not everybody and state.options.entrenching:
        return Digging(side=state.mover)
    return Dig(side=state.mover)


_OPENINGS: dict[str, Callable[[State], Step]] = {
    "lost": lambda state: Numbered.opened("lost", state),
    "back": lambda state: Numbered.opened("back", state),
    "pinned": lambda state: Numbered.opened("pinned", state),
    "reveal": lambda state: Numbered.opened("reveal", state),
    "serve": lambda state: Numbered.opened("serve", state),
    "convert": lambda state: Numbered.opened("convert", state),
    "exit": lambda state: Leaving(side=state.mover),
    "load": lambda state: Boarding(side=state.mover),
    "unload": lambda state: Unloading(side=state.mover),
    "arrive": lambda state: Arriving(side=state.mover),
    "dig": _dig,
    "count": Counting.opened,
    "clock": Clocking.opened,
}


def insisted(order: object, state: State) -> list[AnyOrder]:
    """The same order against advice. Of men brought back that were never lost, those that are gone
    stand again and the others are new."""
    if isinstance(order, Fire | Show | Rejudge | Load | Unload | Exit | Enter):
        return [msgspec.structs.replace(order, insist=True)]
    if isinstance(order, Serve | GroupMoved | Dig | ClearWire):
        return [msgspec.structs.replace(order, insist=True)]
    if isinstance(order, Correct):
        row = find(state, order.row)
        gone = row.total - len(row.alive) if row else 0
        orders: list[AnyOrder] = [Correct(row=order.row, by=gone)] if gone else []
        return [*orders, Add(row=order.row, count=order.by - gone)]
    return []


def overruling(order: object) -> str:
    """What ``!`` would do, as the end of a sentence."""
    match order:
        case Fire():
            return "fires anyway."
        case Show():
            return "takes the card, and the journal says so."
        case Rejudge():
            return "takes the card."
        case Correct():
            return "adds them to the battle."
        case Load():
            return "loads them anyway."
        case Exit():
            return "lets them leave anyway."
        case Enter():
            return "brings them on anyway."
    return "does it anyway."
