"""Rebuilds a battle from untrusted entries.

A well-formed entry may still refer to things that do not exist, so each entry is folded and
everything that screens and reports derive is computed at once: a battle that cannot be shown is
rejected.
"""

from __future__ import annotations

from skirmish.games.plastic.battle import events as happened
from skirmish.games.plastic.battle.agenda import Hit, OutcomeAsk, Shooting
from skirmish.games.plastic.battle.names import row_side, row_unit
from skirmish.games.plastic.battle.narrative import narrate
from skirmish.games.plastic.battle.record import BattleEntry
from skirmish.games.plastic.battle.rows import find
from skirmish.games.plastic.battle.state import PHASES, State
from skirmish.games.plastic.battle.victory import headline, kind_of, victory_status


def check_sides(state: State) -> None:
    """Raises LookupError for a side, source or quality that the battle does not have."""
    for side in state.setup.sides:
        state.quality_of(side.id), state.sources[side.id], state.sources[state.source_of(side.id)]
    for one in victory_status(state):
        state.setup.side_by_id[one.side]


def check_entry(state: State, entry: BattleEntry) -> None:
    """Checks all references of the entry and of the agenda after it. Raises LookupError or
    ValueError."""
    for event in entry.events:
        if isinstance(event, happened.Sealed):
            happened.opened(event.envelope)
        clock = getattr(event, "clock", None)
        if clock is not None and clock.phase not in PHASES:
            raise ValueError(f"there is no phase {clock.phase}")
    for piece in state.added.values():
        if not piece.code[1:].isdigit():
            raise ValueError(f"{piece.id} is no code")
        state.setup.unit(piece.unit), state.setup.contingent_by_id[piece.contingent]
    for side in state.setup.sides:
        state.quality_of(side.id)
    if isinstance(state.ask, OutcomeAsk) and state.ask.count and not kind_of(state).counted_sides:
        raise ValueError("nothing is counted in this battle")
    for step in (*state.agenda, state.ask):
        _known(state, step)
    narrate(entry.events, state)
    headline(state)


def _known(state: State, step: object) -> None:
    """Raises LookupError for a side, row, piece or weapon that the battle does not have."""
    for name in ("side", "row", "carrier", "shot", "again", "pieces", "rows", "proposed", "hits"):
        value = getattr(step, name, None)
        for one in value if isinstance(value, tuple) else (value,):
            match name, one:
                case _, None:
                    pass
                case "side", str(side):
                    state.setup.side_by_id[side]
                case "row" | "rows" | "proposed", str(row):
                    if row not in state.setup.letters and find(state, row) is None:
                        raise KeyError(row)
                case "carrier" | "pieces", str(piece):
                    state.piece(piece)
                case "hits", Hit(shot=shot):
                    _shot_is_known(state, shot)
                case _, Shooting():
                    _shot_is_known(state, one)


def _shot_is_known(state: State, shot: Shooting) -> None:
    state.piece(shot.piece), state.setup.catalog.weapons[shot.weapon]
    state.setup.unit(row_unit(shot.target)), state.setup.side_by_id[row_side(shot.target)]
