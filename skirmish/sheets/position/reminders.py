"""The rules of the scenario, and the reminders: what is on no table and on no other sheet."""

from __future__ import annotations

from collections.abc import Iterator

from skirmish import library
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.options import OPTION_NAMES
from skirmish.games.plastic.scenarios import wording
from skirmish.games.plastic.scenarios.happenings import (
    AskAtSetup,
    Charges,
    Darkness,
    DrawTable,
    MayReveal,
    ToggleOnCard,
)
from skirmish.tabletop.measure import inches


def special_rules(state: State) -> Iterator[tuple[str, str]]:
    """The special rules of the scenario, each with its term."""
    setup, scenario = state.setup, state.setup.scenario
    if scenario is None:
        return
    for rule in scenario.special_rules:
        yield rule.name, scenario.unmarked(rule.text)
    for happening in wording.happenings_without_rule(scenario):
        # Tables to draw from stand below what is still to come.
        if not isinstance(happening, DrawTable):
            yield (
                wording.happening_heading(happening, setup.catalog),
                scenario.unmarked(happening.text),
            )
    yield from wording.special_units(scenario, setup.catalog, setup.rulings)


def reminders(state: State) -> Iterator[tuple[str, str]]:
    """What is to be known besides: events in force, sealed records, counts, answers before play,
    options and rulings; each with its term."""
    setup = state.setup
    people = {side.id: side.people for side in setup.sides}
    yield from _events_in_force(state)
    for side in state.sealed:
        # That there is a secret is public; its content must not be on a sheet for both sides.
        have = setup.does(side, "have", "has", article="The")
        yield "Sealed", f"{have} sealed a record; only the program can open it."
    if state.counted is not None:
        counts = [f"{people[side]} {count}" for side, count in state.counted.values.items()]
        yield f"Counted in turn {state.counted.clock.turn}", f"{', '.join(counts)}."
    yield from _agreed(state)
    options = [word for option, word in OPTION_NAMES.items() if getattr(state.options, option)]
    if not options:
        options = ["None"]
    yield "Optional rules played", f"{', '.join(options)}."
    for ruling, answer in library.rulings().departures(setup.rulings):
        yield f"Ruling {ruling.id}, {ruling.title}", answer
    other_sheets = "Weapons, moves and checks: see the quick reference."
    if setup.scenario:
        of_scenario = f"Map and set-up: see the sheet of scenario {setup.scenario.number}."
        other_sheets = f"{of_scenario} {other_sheets}"
    yield "On other sheets", other_sheets


def _events_in_force(state: State) -> Iterator[tuple[str, str]]:
    """How the events of the scenario stand, each with its term, and that units may be hidden."""
    scenario = state.setup.scenario
    if scenario is None:
        return
    for happening in scenario.happenings:
        if isinstance(happening, ToggleOnCard):
            text = "Not in force."
            if happening.state in state.toggled:
                text = f"In force, sight {inches(happening.sight_in)}."
            yield _in_words(happening.state), text
        if isinstance(happening, Darkness):
            text = "It is light."
            if happening.holds_on(state.clock.turn):
                text = f"In force, sight {inches(happening.sight_in)}."
            yield "Dark", text
        if isinstance(happening, Charges):
            text = "Still to be drawn for."
            if happening.id in state.blown:
                text = f"They went off: {happening.what} is gone."
            elif happening.id in state.cut:
                text = f"They were cut: {happening.what} stays."
            yield "Charges", text
    if any(isinstance(happening, MayReveal) for happening in scenario.happenings):
        # This depends on the scenario alone, not on the state: otherwise the sentence would reveal
        # whether anybody is still hidden.
        text = "Hidden units are not on this sheet; their player keeps a separate note of them."
        yield "Hidden", text


def _agreed(state: State) -> Iterator[tuple[str, str]]:
    """The answers to questions before play."""
    questions: dict[str, str] = {}
    if state.setup.scenario:
        for happening in state.setup.scenario.happenings:
            if isinstance(happening, AskAtSetup):
                questions[happening.id] = happening.question
    for key, answer in state.setup.answers.items():
        # An answer that chooses units is a dict of their counts: these units are on the sheet
        # already, among those of their side.
        if isinstance(answer, dict):
            continue
        # The file of a battle from elsewhere may answer what our scenario does not ask.
        question = questions.get(key, f"{_in_words(key)}:")
        sentence = str(answer).rstrip(".") + "."
        yield "Agreed", f"{question} {sentence}"


def _in_words(id: str) -> str:
    """``sand_storm``: Sand storm."""
    return id.replace("_", " ").capitalize()
