"""What a scenario changes, on the sheet of a position: whoever plays on from paper needs no more
than this, the rules and the table itself."""

from __future__ import annotations

from collections.abc import Iterator

from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.scenarios.happening_kinds import (
    AskAtSetup,
    DrawTable,
    Remind,
    ToggleOnCard,
)
from skirmish.sheets.marks import Head
from skirmish.sheets.paper import MM
from skirmish.sheets.piece import Gap, Piece
from skirmish.sheets.scenario_words import draws, lead, own_unit, own_units
from skirmish.sheets.words import SMALL, Words

Block = list[Piece]


def special_rules(state: State) -> Block:
    """The special rules of the scenario, and its own units; nothing for army against army."""
    told = [*_ruled(state)]
    if not told:
        return []
    pieces: Block = [Head("Special rules"), Gap(0.8 * MM)]
    for words in told:
        pieces += [words, Gap(1)]
    return pieces[:-1]


def _ruled(state: State) -> Iterator[Words]:
    setup = state.setup
    if (scenario := setup.scenario) is None:
        return
    for rule in scenario.special_rules:
        yield Words(scenario.unmarked(rule.text), SMALL, lead=f"{rule.name}.")
    for kind in scenario.happenings:
        # What is asked was answered, what is reminded of or named is a special rule; tables and
        # states stand among what is to come and what is to be borne in mind.
        if not isinstance(kind, AskAtSetup | Remind | DrawTable | ToggleOnCard) and not kind.rule:
            says = scenario.unmarked(kind.text)
            yield Words(says, SMALL, lead=f"{lead(kind, setup.catalog)}.")
    for unit in own_units(scenario, setup.catalog):
        facts = own_unit(unit, setup.catalog, setup.rulings)
        yield Words(facts, SMALL, lead=f"{unit.name}.")


def table_lines(state: State) -> Iterator[Words]:
    """What each draw of the tables of the scenario means."""
    scenario, catalog = state.setup.scenario, state.setup.catalog
    for kind in scenario.happenings if scenario else ():
        if isinstance(kind, DrawTable) and not kind.rule:  # else the special rule tells it
            for draw, rows in draws(kind, catalog):
                yield Words.terms([(f"Draw {draw}:", ""), *rows], SMALL)


def elsewhere(state: State) -> str:
    """Which sheets hold what is not on this one."""
    says = "Weapons, moves and checks: see the quick reference."
    if scenario := state.setup.scenario:
        says = f"Map and set-up: see the sheet of scenario {scenario.number}. {says}"
    return says
