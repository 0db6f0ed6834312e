"""What is still to come in a battle: entries, limits that end, tables to draw from, its end."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import NamedTuple

from skirmish.games.plastic.battle.pieces import Contingent
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.scenarios import wording
from skirmish.games.plastic.scenarios.happenings import DrawTable
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import listing
from skirmish.sheets.layout.flow import Block
from skirmish.sheets.layout.text import Text, terms
from skirmish.sheets.roster.codes import spans
from skirmish.sheets.roster.standing import enters


class ComingEvent(NamedTuple):
    """What is still to happen in a turn of a side; ``people``: the side as its people are
    called."""

    turn: int
    people: str
    text: str


def to_come(state: State) -> Block:
    """What is still to come, turn by turn, and the tables that are drawn from then; empty if
    nothing is."""
    lines = []
    for coming in sorted(_coming_events(state), key=attrgetter("turn")):
        when = "Now"
        if coming.turn > state.clock.turn:
            when = f"Turn {coming.turn}"
        lines.append((f"{when}, {coming.people}", coming.text))
    if not lines:
        return []
    return [*listing("Still to come", lines), *_table_lines(state)]


def _coming_events(state: State) -> Iterator[ComingEvent]:
    """Who is still to enter, limits in force, tables to be drawn from, and the end; in no order."""
    if state.outcome:
        return
    setup, turn = state.setup, state.clock.turn
    people = {side.id: side.people for side in setup.sides}
    for contingent in setup.contingents:
        codes = _still_waiting(state, contingent)
        if codes:
            text = f"{contingent.name}: {spans(codes)}. {enters(contingent)}"
            yield ComingEvent(contingent.enters, people[contingent.side], text)
    if setup.scenario is not None:
        yield from _coming_by_scenario(state, setup.scenario)
    end = setup.ends_after
    if end is not None and turn <= end.turn:
        yield ComingEvent(end.turn, people[end.side], "The battle ends with this player turn.")


def _coming_by_scenario(state: State, scenario: Scenario) -> Iterator[ComingEvent]:
    """The limits of a scenario that are in force, and its tables to be drawn from."""
    turn = state.clock.turn
    people = {side.id: side.people for side in state.setup.sides}
    for limit in scenario.limits:
        if limit.before_turn is None or turn < limit.before_turn:
            yield ComingEvent(turn, people[limit.side], scenario.unmarked(limit.text))
    for happening in scenario.happenings:
        if isinstance(happening, DrawTable):
            # It is drawn from in every turn from ``from_turn`` on: once that is past, it belongs to
            # the present turn.
            next_draw = max(happening.from_turn, turn)
            text = scenario.unmarked(happening.text)
            yield ComingEvent(next_draw, people[happening.side], text)


def _still_waiting(state: State, contingent: Contingent) -> list[str]:
    """The codes of those of a contingent who are still to enter."""
    codes = []
    for piece in state.pieces():
        is_waiting = piece.id in state.waiting and state.is_in_play(piece.id)
        if piece.contingent == contingent.id and is_waiting:
            codes.append(piece.code)
    return codes


def _table_lines(state: State) -> Iterator[Text]:
    """The tables to draw from that stand in no special rule, a paragraph for each draw."""
    scenario, catalog = state.setup.scenario, state.setup.catalog
    if scenario is None:
        return
    for happening in scenario.happenings:
        if isinstance(happening, DrawTable) and not happening.rule:
            for draw, lines in wording.draws_of_table(happening, catalog):
                yield terms([(f"Draw {draw}:", ""), *lines], styles.SMALL)
