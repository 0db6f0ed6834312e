"""A battle built anew from entries that may come from anywhere.

An entry from outside may hold anything that has the right form. So each is folded, and what the
screens and reports ask of a battle is asked at once: one that could not be shown is not taken.
"""

from __future__ import annotations

from skirmish.games.plastic.battle import events as happened
from skirmish.games.plastic.battle import record
from skirmish.games.plastic.battle.agenda import Hit, OutcomeAsk, Shooting
from skirmish.games.plastic.battle.events import opened
from skirmish.games.plastic.battle.lines import lines
from skirmish.games.plastic.battle.names import row_side, row_unit
from skirmish.games.plastic.battle.narrative import narrate
from skirmish.games.plastic.battle.record import BattleEntry, BattlePlay
from skirmish.games.plastic.battle.rows import find, rows
from skirmish.games.plastic.battle.state import PHASES, State
from skirmish.games.plastic.battle.victory import headline, kind_of, victory_status
from skirmish.games.plastic.summary import summary


def followed(play: BattlePlay | None, entry: BattleEntry) -> BattlePlay:
    """The battle with one more entry. Raises whatever ``exported.soundly`` understands."""
    if play is None:
        play = record.codec.play([entry])
        look_at(play.state)
    else:
        record.codec.follow(play, entry)
    for event in entry.events:
        if isinstance(event, happened.Sealed):
            opened(event.envelope)
        clock = getattr(event, "clock", None)
        if clock is not None and clock.phase not in PHASES:
            raise ValueError(f"there is no phase {clock.phase}")
    _can_go_on(play.state)
    narrate(entry.events, play.state)
    headline(play.state)
    return play


def show(play: BattlePlay) -> None:
    look_at(play.state)
    _ = [line.text for line in lines(play)]
    summary(play)


def _can_go_on(state: State) -> None:
    """Whether all that waits speaks of what is there. Raises LookupError or ValueError."""
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


def look_at(state: State) -> None:
    """What the screens ask of a state. Raises one of ``record.STUMBLES`` where it has no answer."""
    for side in state.setup.sides:
        rows(state, side.id)
        state.quality_of(side.id)
        if not {side.id, state.source_of(side.id)} <= state.sources.keys():
            raise LookupError(side.id)
    for one in victory_status(state):
        if one.side not in state.setup.side_by_id:
            raise LookupError(one.side)
    headline(state)
