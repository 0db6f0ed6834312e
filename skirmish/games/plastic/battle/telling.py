"""A battle in words: the lines of its journal, and where it stands."""

from __future__ import annotations

from collections.abc import Iterator

from skirmish.games.plastic.battle.events import (
    Aimed,
    AnyEvent,
    Disarmed,
    Finished,
    Judged,
    Lost,
    Opened,
    PhaseEnded,
    Shooting,
    Shuffled,
    Tested,
    Turned,
    TurnEnded,
)
from skirmish.games.plastic.battle.names import row_unit
from skirmish.games.plastic.battle.orders import Hold
from skirmish.games.plastic.battle.record import BattleEntry
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.shot import run

PHASES = {1: "Move", 2: "Defensive fire", 3: "Close fire", 4: "Close fire back"}
"""The four phases of a player turn ("Sequence of Play")."""


def tell(entry: BattleEntry, setup: Setup) -> str:
    """An entry as one line of the journal; empty if it holds nothing to tell."""
    if entry.kind in ("undo", "redo"):
        return "Taken back." if entry.kind == "undo" else "Brought back."
    if isinstance(entry.order, Hold):
        return "No further shot."
    parts = [part for event in entry.events for part in _parts(event, setup)]
    aimed = next((event for event in entry.events if isinstance(event, Aimed)), None)
    judged = next((event for event in entry.events if isinstance(event, Judged)), None)
    if judged and not aimed:  # the player's own card came as an entry of its own
        parts.insert(0, _who_at_whom(judged.shot, setup))
    if aimed and aimed.overruled:
        parts.append(f"[Against the rules: {aimed.overruled}]")
    return " ".join(parts)


def headline(state: State) -> str:
    """Where the battle stands, for a list of battles."""
    setup, clock = state.setup, state.clock
    if state.outcome:
        winner = state.outcome.winner
        return f"over, won by: {setup.side_by_id[winner].people}" if winner else "over: a draw"
    losses = ", ".join(
        f"{side.people} lost {state.loss.get(side.id, 0)} of {side.pdg}" for side in setup.sides
    )
    return f"turn {clock.turn}, {setup.side_by_id[clock.side].people} to move; {losses}"


def _parts(event: AnyEvent, setup: Setup) -> Iterator[str]:
    match event:
        case Opened():
            yield f"{event.setup.title} begins."
        case Aimed():
            yield _who_at_whom(event.shot, setup)
        case Judged():
            result = "hit." if event.hit else "miss."
            if event.saved_by:
                result = f"{event.saved_by.replace('_', ' ')}, miss."
            yield f"{event.draw}, needs {run(event.needs)}: {result}"
        case Tested():
            yield f"Breakdown draw {event.draw}: {'broken.' if event.broken else 'holds.'}"
        case Lost():
            piece = setup.by_id[event.piece]
            people = setup.side_by_id[piece.side].people
            yield f"{people}: {setup.unit(event.unit).short} {piece.code} lost."
        case Turned():
            piece = setup.by_id[event.piece]
            yield f"{piece.code} fights on as {setup.unit(event.unit).short}."
        case Disarmed():
            yield f"{setup.by_id[event.piece].code} has lost a weapon."
        case Shuffled():
            yield f"{setup.side_by_id[event.source].people}: deck shuffled."
        case PhaseEnded():
            yield f"Phase {event.clock.phase}: {PHASES[event.clock.phase]}."
        case TurnEnded():
            people = setup.side_by_id[event.clock.side].people
            yield f"Turn {event.clock.turn}, {people} to move."
        case Finished():
            yield f"{_ending(event, setup)} {event.reason}"


def _who_at_whom(shot: Shooting, setup: Setup) -> str:
    shooter = setup.by_id[shot.piece]
    weapon = setup.catalog.weapons[shot.weapon].name
    name = setup.unit(shooter.unit).short
    armed = f" ({weapon})" if weapon != name else ""
    again = " again" if shot.nth > 1 else ""
    return f"{name} {shooter.code}{armed}{again} > {setup.unit(row_unit(shot.target)).short}:"


def _ending(event: Finished, setup: Setup) -> str:
    if event.winner is None:
        return "The battle is a draw."
    return f"Won by: {setup.side_by_id[event.winner].people}."
