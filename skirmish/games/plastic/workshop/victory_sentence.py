"""The sentence of victory on the sheet. The program writes it from the victory terms, and writes it
anew whenever they change, until the author words it himself: then it stays as he wrote it, unless
he chooses another kind of victory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.workshop.draft import EditError, ScenarioRules, unusable
from skirmish.games.plastic.workshop.examples import UNWORDED, with_victory_kind
from skirmish.games.plastic.workshop.keyed_values import with_value
from skirmish.games.plastic.workshop.sentence_templates import FOR_ONE_SIDE
from skirmish.games.plastic.workshop.sentences import Writer
from skirmish.tabletop.measure import with_marked_distances


def with_victory(scenario: Scenario, kind: str, rules: ScenarioRules) -> Scenario:
    """The scenario with another kind of victory, and its sentence. Raises EditError."""
    return with_victory_text(scenario, with_victory_kind(scenario, kind), rules)


def checked_change(before: Scenario, after: Scenario, rules: ScenarioRules) -> Scenario:
    """The scenario after a change, with the sentence of victory that fits it. Raises EditError for
    a change that leaves a draft with which the workshop cannot work."""
    wrong = unusable(after, rules.catalog)
    if wrong:
        raise EditError.from_problems(wrong)
    return with_victory_text(before, after, rules)


def with_victory_text(before: Scenario, after: Scenario, rules: ScenarioRules) -> Scenario:
    """The scenario after a change, with the sentence of victory written anew if the change is one
    of the victory terms and the author has not worded the sentence himself. Terms of a new kind
    have no sentence yet (``UNWORDED``), and get one."""
    if after.victory.text != UNWORDED:
        is_unchanged = before.victory == after.victory
        author_words_it_now = before.victory.text != after.victory.text
        if is_unchanged or author_words_it_now:
            return after
        # The author's own words differ from what the program would have written.
        author_worded_it_before = before.victory.text != victory_text(before, rules)
        if author_worded_it_before:
            return after
    return with_value(after, "victory.text", victory_text(after, rules))


def victory_text(scenario: Scenario, rules: ScenarioRules) -> str:
    """The terms of victory as the program words them for the sheet, with what happens if nobody
    meets them."""
    writer = Writer(scenario, rules)
    text = writer.victory_terms(printed=True).text
    victory: Mapping[str, Any] = writer.raw["victory"]
    if victory["kind"] in FOR_ONE_SIDE:
        for side in scenario.sides:
            if side.id != victory["side"]:
                text += f" Otherwise the {rules.catalog.nations[side.id].people} win."
    elif victory["kind"] == "survivors":
        # The template of ``count`` says itself what happens if both have as many.
        text += " If both have as many, it is a draw."
    return with_marked_distances(text)
