"""A battle told: its journal by player turns, and the sentences and tables of its report.

What a side sealed stays sealed here until it was opened in the battle itself: only what the journal
tells is told.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from skirmish.games.plastic.battle import events as happened
from skirmish.games.plastic.battle.lines import Line, lines
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.state import PHASES, Clock
from skirmish.games.plastic.battle.victory import victory_status
from skirmish.games.plastic.summary import Kills, SideSummary, Summary

MOST_SHOOTERS = 5
"""Single pieces that are named for what they killed."""


class Deed(msgspec.Struct, frozen=True):
    """A line of the journal, and the phase in which it happened."""

    phase: int
    says: str


class Chapter(msgspec.Struct, frozen=True):
    """One player turn, or what came before the first. Deeds may be none."""

    heading: str
    deeds: tuple[Deed, ...]


def chapters(play: BattlePlay) -> tuple[Chapter, ...]:
    """The journal by player turns, in the order in which it was played: what stands, and nothing
    that was taken back or made void."""
    setup = play.state.setup
    found: list[Chapter] = []
    deeds: list[Deed] = []
    heading, now = _heading(setup, Clock(1, play.state.first, 1)), 1
    for line in lines(play):
        clock = _turned(line)
        if line.struck:
            continue
        if clock is None:
            if line.entries[0].kind != "open":
                deeds += [Deed(now, line.says)] if line.says else []
            elif before := _without(line.says, f"{setup.title} begins."):
                deeds.append(Deed(0, before))
            continue
        told = _without(line.says, *_clockwork(setup, clock), *_shuffles(setup))
        if _heading(setup, clock) == heading:  # a phase; the clock set within the turn
            now = clock.phase
            if told:
                deeds.append(Deed(now, told))
            continue
        found.append(Chapter(heading, tuple(deeds)))
        heading, now = _heading(setup, clock), clock.phase
        deeds = [Deed(0, told)] if told else []
    return (*found, Chapter(heading, tuple(deeds)))


def _turned(line: Line) -> Clock | None:
    """Where the clock stands after a line that moved it."""
    clock = None
    for entry in line.entries:
        for event in entry.events:
            if isinstance(event, happened.TurnEnded | happened.PhaseEnded | happened.ClockSet):
                clock = event.clock
    return clock


def _heading(setup: Setup, clock: Clock) -> str:
    return f"Turn {clock.turn}, {setup.side_by_id[clock.side].people} to move"


def _clockwork(setup: Setup, clock: Clock) -> tuple[str, ...]:
    """What a heading says already."""
    return (f"{_heading(setup, clock)}.", f"Phase {clock.phase}: {PHASES[clock.phase]}.")


def _shuffles(setup: Setup) -> tuple[str, ...]:
    """That decks are shuffled at the end of a turn goes without saying."""
    return tuple(f"The {setup.of(side.id, 'deck')} is shuffled." for side in setup.sides)


def _without(says: str, *parts: str) -> str:
    for part in parts:
        says = says.replace(part, "", 1)
    return " ".join(says.split())


# ------------------------------------------------------------------ sentences and tables


def opening_lines(play: BattlePlay, found: Summary) -> Iterator[str]:
    """Who fought whom, with what; and for what."""
    state = play.state
    for side in found.sides:
        who = side.people if side.name == side.people else f"{side.people} ({side.name})"
        who += f", commanded by {side.player}" if side.player else ""
        count = sum(row.total for row in side.losses)
        quality = state.quality_of(side.side)
        told = f", {quality.name.lower()} quality" if quality else ""
        yield f"{who}: {count} pieces, strength {side.strength}{told}"
    yield f"Victory: {state.setup.victory}"


def result_line(found: Summary) -> str:
    """Who won and why, or that nobody has yet."""
    if not found.over:
        return f"Turn {found.turn}; the battle goes on."
    if found.winner is None:
        return f"A draw. {found.reason}"
    winner = next(side for side in found.sides if side.side == found.winner)
    player = f" ({winner.player})" if winner.player else ""
    return f"Winner: {winner.people}{player}. {found.reason}"


def standing_lines(play: BattlePlay) -> Iterator[str]:
    """While it is fought, how far each side is."""
    if play.state.outcome is None:
        for one in victory_status(play.state):
            people = play.state.setup.side_by_id[one.side].people
            yield f"{people} {one.says}{'' if one.can_win else ' (can no longer win)'}."


_HEAD = ("Side", "Unit", "Had", "Lost", "Off", "To come", "Left", "Points lost")


def loss_rows(found: Summary) -> list[tuple[str, ...]]:
    """A table of every unit; columns that would hold only noughts are left out."""
    rows: list[tuple[str, ...]] = []
    for side in found.sides:
        units = [
            (row.total, row.lost, row.exited, row.waiting, row.left, row.points)
            for row in side.losses
        ]
        for row, numbers in zip(side.losses, units, strict=True):
            rows.append((side.people, row.name, *map(str, numbers)))
        sums = [sum(column) for column in zip(*units, strict=True)] or [0] * 6
        rows.append((side.people, "all", *map(str, sums)))
    shown = [
        place
        for place in range(len(_HEAD))
        if place not in (4, 5) or any(row[place] != "0" for row in rows)
    ]
    return [tuple(row[place] for place in shown) for row in (_HEAD, *rows)]


def turn_rows(found: Summary) -> list[tuple[str, ...]]:
    """The turns in which anybody was lost: potential dead guys of each side."""
    people = [side.people for side in found.sides]
    rows = [
        (str(turn.turn), *(str(turn.pdg[side.side]) for side in found.sides))
        for turn in found.turns
        if any(turn.pieces.values())
    ]
    return [("Turn", *people), *rows] if rows else []


def fire_lines(found: Summary) -> Iterator[str]:
    """Sentences about who fired and what it killed."""
    for side in found.sides:
        if told := list(_of_side(side)):
            yield f"{side.people}: {'. '.join(told)}."
    if chain := found.chain:
        people = next(side.people for side in found.sides if side.side == chain.side)
        hits = f"{chain.hits} hits in a row in turn {chain.turn}"
        yield f"Longest run of repeat fire: {chain.name} ({people}), {hits}."


def _of_side(side: SideSummary) -> Iterator[str]:
    if side.shots:
        broke = f", {_number(side.broke, 'breakdown')}" if side.broke else ""
        yield f"{_number(side.shots, 'shot')}, {_number(side.hits, 'hit')}{broke}"
    if weapons := [_toll(row) for row in side.by_weapon if row.guys or row.models]:
        yield f"By weapon: {', '.join(weapons)}"
    if best := [_toll(row) for row in side.by_piece[:MOST_SHOOTERS]]:
        yield f"Best: {', '.join(best)}"


def _toll(row: Kills) -> str:
    """``Tank T1 (3 guys, 1 model)``."""
    parts = [(row.guys, "guy"), (row.models, "model")]
    told = ", ".join(_number(count, what) for count, what in parts if count)
    return f"{row.name} ({told})"


def by_phase(chapter: Chapter) -> Iterator[tuple[str, list[str]]]:
    """The lines of a player turn under the names of their phases; none before the first."""
    under: list[str] = []
    last = 0
    for deed in chapter.deeds:
        if deed.phase != last and under:
            yield _phase(last), under
            under = []
        last = deed.phase
        under.append(deed.says)
    if under:
        yield _phase(last), under


def _phase(phase: int) -> str:
    return PHASES[phase] if phase else ""


def _number(count: int, one: str) -> str:
    return f"{count} {one if count == 1 else one + 's'}"
