"""A battle as people read it and as programs do: where it stands, its rows, what it has come to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from skirmish.cli.speaking import clipped, columns, harmless, say, say_wrapped
from skirmish.games.plastic.battle.lines import Line
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.resolve import waiting_for
from skirmish.games.plastic.battle.rows import Row, break_alarm, rows, side_strength
from skirmish.games.plastic.battle.state import PHASES, State
from skirmish.games.plastic.battle.victory import victory_status
from skirmish.games.plastic.battle.victory_kinds import VictoryStatus
from skirmish.games.plastic.chronicle import fire_lines, result_line, turn_rows
from skirmish.games.plastic.rules.catalog import DECK
from skirmish.games.plastic.summary import summary
from skirmish.store.moments import minute
from skirmish.store.records import BattleRecord

GROUP_WIDTH = 32


def report(play: BattlePlay) -> dict[str, Any]:
    """What ``battle show --json`` says beside what the list says."""
    state = play.state
    said = {one.side: one for one in victory_status(state)}
    return {
        "turn": state.clock.turn,
        "side": state.clock.side,
        "phase": state.clock.phase,
        "waiting": waiting(state),
        "sides": [_side(state, side.id, said.get(side.id)) for side in state.setup.sides],
        "summary": msgspec.to_builtins(summary(play)),
    }


def describe(record: BattleRecord, play: BattlePlay) -> None:
    """Print a battle: where it stands, both sides, what it has come to."""
    state, found = play.state, summary(play)
    say(f"{record.id}  {harmless(record.title)}")
    say_wrapped(f"Started {minute(record.started)}, last played {minute(record.updated)}.")
    if found.over:
        say_wrapped(harmless(result_line(found)))
    else:
        clock = state.clock
        mover = state.setup.side_by_id[clock.side].people
        phase = PHASES[clock.phase]
        say_wrapped(harmless(f"Turn {clock.turn}, {mover} to move, phase {clock.phase}: {phase}."))
        if asked := waiting(state):
            say_wrapped(harmless(asked))
    said = {one.side: one for one in victory_status(state)}
    for side in state.setup.sides:
        say()
        for line in _told(state, side.id, None if found.over else said.get(side.id)):
            say_wrapped(harmless(line), "", "  ")
        if table := _rows(state, side.id):
            say("\n".join(columns(table, right=(2,))))
    turns = turn_rows(found)
    if turns:
        say("\nStrength lost, turn by turn:")
        say("\n".join(columns([[harmless(cell) for cell in row] for row in turns], (0, 1, 2))))
    for place, line in enumerate(fire_lines(found)):
        if not place:
            say()
        say_wrapped(harmless(line), "", "  ")


def waiting(state: State) -> str | None:
    """What the program waits for, as a sentence; an offer of another shot is no waiting."""
    refusal = waiting_for(state) if state.outcome is None else None
    return refusal.says if refusal else None


def tell_lines(found: Iterable[Line]) -> None:
    """Print the journal, each line with the number of its first entry."""
    for line in found:
        if line.says:
            mark = "(void) " if line.struck else "(undone) " if line.undone else ""
            say_wrapped(f"{line.number:>5}  {mark}{harmless(line.says)}", "", " " * 7)


def line_report(line: Line) -> dict[str, Any]:
    """A line of the journal for programs."""
    return {
        "number": line.number,
        "entries": list(line.numbers),
        "says": line.says,
        "void": line.struck,
        "taken_back": line.undone,
    }


# ------------------------------------------------------------------ a side


def _told(state: State, side: str, standing: VictoryStatus | None) -> Iterator[str]:
    people = state.setup.side_by_id[side].people
    lost, whole = state.loss.get(side, 0), side_strength(state, side)
    at = break_alarm(state, side)
    yield f"{people}: {lost} of {whole} strength lost, break point {at}."
    if standing:
        out = "" if standing.can_win else " (can no longer win)"
        yield (
            f"They {standing.says}{out}."
            if standing.says.startswith("need")
            else (f"{standing.says[:1].upper()}{standing.says[1:]}{out}.")
        )
    yield _chance(state, side)


def _chance(state: State, side: str) -> str:
    level = state.levels[side]
    source = state.sources[state.source_of(side)]
    if level == "ledger":
        return "Ledger: losses and the clock only."
    does = "the program" if level == "referee" else "the player"
    if source.kind == "die":
        return f"{level.capitalize()}: {does} rolls a die."
    return f"{level.capitalize()}: {does} draws; {source.left(DECK)} cards left."


def _rows(state: State, side: str) -> list[tuple[str, ...]]:
    """A side's rows as a table, with their groups where it has several."""
    found = rows(state, side)
    groups = len({row.contingent.id for row in found}) > 1
    table = [_row(row, groups) for row in found]
    return [("", "", "left", "", ""), *table] if table else []


def _row(row: Row, groups: bool) -> tuple[str, ...]:
    notes = [
        f"{count} {what}"
        for count, what in (
            (len(row.aboard), "aboard"),
            (len(row.hidden), "hidden"),
            (len(row.waiting), "to come"),
            (row.exited, "off the table"),
        )
        if count
    ]
    left = f"{len(row.alive)} of {row.total}"
    group = clipped(harmless(row.contingent.name), GROUP_WIDTH) if groups else ""
    return row.letter, harmless(row.unit.name), left, ", ".join(notes), group


def _side(state: State, side: str, standing: VictoryStatus | None) -> dict[str, Any]:
    source = state.sources[state.source_of(side)]
    return {
        "id": side,
        "people": state.setup.side_by_id[side].people,
        "level": state.levels[side],
        "draws": source.kind,
        "cards_left": source.left(DECK) if source.kind == "deck" else None,
        "loss": state.loss.get(side, 0),
        "strength": side_strength(state, side),
        "break_at": break_alarm(state, side),
        "standing": standing.says if standing else None,
        "can_win": standing.can_win if standing else None,
        "rows": [
            {
                "row": row.key,
                "letter": row.letter,
                "name": row.unit.name,
                "total": row.total,
                "alive": len(row.alive),
                "here": len(row.here),
                "aboard": len(row.aboard),
                "hidden": len(row.hidden),
                "waiting": len(row.waiting),
                "exited": row.exited,
                "ready": row.ready_count,
            }
            for row in rows(state, side)
        ],
    }
