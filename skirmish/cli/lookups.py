"""What ``skirmish scenarios`` and ``skirmish rules`` print: the list of the scenarios or one of
them, and the paragraphs of the rules that contain some words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from skirmish import library
from skirmish.cli.console import (
    CommandError,
    counted,
    harmless,
    say,
    say_json,
    say_page,
    say_wrapped,
)
from skirmish.games.plastic.scenarios.order_of_battle import Bounds
from skirmish.games.plastic.scenarios.scenario import Scenario, summary, under_rulings
from skirmish.store.scenario_folder import FIRST_NUMBER
from skirmish.tabletop.text_width import clipped, in_columns

if TYPE_CHECKING:
    from skirmish.games.plastic.reference.lookup import Reference
    from skirmish.games.plastic.reference.paragraph import RuleParagraph

MOST_RULES = 3
"""Rules that are printed in full; of further ones only the titles."""
MOST_TITLES = 6
"""Titles of further rules; the rest is only counted."""

# ------------------------------------------------------------------ scenarios


def say_scenarios(as_json: bool) -> None:
    """List the scenarios. Raises CommandError afterwards if some files cannot be read, with their
    mistakes."""
    scenarios = library.scenarios()
    if as_json:
        catalog = library.catalog()
        say_json([summary(scenario, catalog) for scenario in scenarios.values()])
    else:
        rows: list[tuple[str, ...]] = [("", "Scenario", "Date", "Points", "Turns")]
        for scenario in scenarios.values():
            rows.append(_scenario_row(scenario))
        lines = in_columns(rows, right=(0,))  # the numbers, in the first column
        say("\n".join(lines))
        say()
        say("Points are list prices; Turns is the last turn.")
        highest = max(library.published_scenarios())
        say(f"`skirmish print scenario {highest}` prints the sheet of the last one of the rules.")
        say(f"Your own scenarios begin at {FIRST_NUMBER}; `skirmish scenario` makes them.")
    broken = library.broken_scenarios()
    if broken:
        raise CommandError("\n".join(str(error) for error in broken))


def scenario_of(typed: str, alternatives: str = "") -> Scenario:
    """The scenario with the typed number. Raises DataError if its file is broken, and CommandError
    if there is none. The message of the latter names the numbers that may be typed, followed by the
    ``alternatives`` to a number that the command takes, such as ``, or all``."""
    typed = typed.strip()
    # Python refuses to read numbers of thousands of digits; that of a scenario has up to three.
    if typed.isdecimal() and len(typed) <= 3:
        number_typed = int(typed)
        scenarios = library.scenarios()
        if number_typed in scenarios:
            return scenarios[number_typed]
        # The name of a file begins with the number: 04_dog_beach.toml
        for error in library.broken_scenarios():
            if PurePosixPath(error.file).name.startswith(f"{number_typed:02}_"):
                raise error
    published = library.published_scenarios()
    raise CommandError(
        f"There is no scenario {harmless(typed) or '“”'}; use a number from {min(published)} "
        f"to {max(published)}{alternatives}. `skirmish scenarios` lists them."
    )


def say_scenario(scenario: Scenario, as_json: bool) -> None:
    """Print all pages of a scenario, with the map in words."""
    from skirmish.games.plastic.scenarios import pages

    if as_json:
        say_json(summary(scenario, library.catalog()))
        return
    book = library.rulings()
    answers = book.defaults()
    catalog = library.catalog().with_variants(scenario.variants)
    source = pages.PageSource(
        # Under some rulings two units of a force are exchanged for each other.
        under_rulings(scenario, answers),
        catalog,
        book,
        answers,
        measured=str,  # distances in inches, as they are in the texts
        owned={},  # the page says nothing about the player's figures
    )
    say_page(pages.whole(source), title=False)


def _scenario_row(scenario: Scenario) -> tuple[str, ...]:
    """A line of the list: number, title, month, points of both sides, last turn."""
    catalog = library.catalog().with_variants(scenario.variants)
    points = []
    for side in scenario.sides:
        points.append(f"{catalog.nations[side.id].name} {_span(side.points(catalog))}")
    last_turn = "-"
    if scenario.ends_after is not None:
        last_turn = str(scenario.ends_after.turn)
    month = scenario.date[: len("1944-06")]
    return str(scenario.number), scenario.title, month, ", ".join(points), last_turn


def _span(bounds: Bounds) -> str:
    """``420``, or ``420-450`` where the players choose."""
    if bounds.least == bounds.most:
        return str(bounds.least)
    return f"{bounds.least}-{bounds.most}"


# ------------------------------------------------------------------ rules


def say_rules(words: Sequence[str]) -> None:
    """Print the rules that contain all of the words, the best first, or without words the titles of
    all rules. Raises CommandError where no rule contains them."""
    from skirmish.games.plastic.reference.charts import ChartTerms
    from skirmish.games.plastic.reference.search import words_in

    reference = library.reference()
    if not words:
        _say_contents(reference)
        return
    query = " ".join(words)
    if not words_in(query):
        raise CommandError(
            f"“{clipped(query, 40)}” has no words; `skirmish rules` lists all rules."
        )
    rules = reference.search(query)
    if not rules:
        raise CommandError(_no_rule(reference, query))
    printed_in_full = MOST_RULES
    # Whoever types a title wants that rule alone.
    if words_in(rules[0].title) == words_in(query):
        printed_in_full = 1
    terms = ChartTerms(library.catalog(), library.rulings().defaults())
    for rule in rules[:printed_in_full]:
        say_page(reference.page(rule, terms))
        say()
    _say_see_also(rules[printed_in_full:])


def _say_contents(reference: Reference) -> None:
    """Print the titles of all rules, a line for each chapter."""
    for chapter, rules in reference.chapters().items():
        titles = ", ".join(rule.title for rule in rules)
        say_wrapped(f"{chapter}: {titles}", hanging="  ")
    say()
    say("`skirmish rules cover` prints the rules that contain a word.")


def _no_rule(reference: Reference, query: str) -> str:
    """The message where no rule contains the words, with titles that look like them."""
    similar = ", ".join(rule.title for rule in reference.similar(query))
    advice = "`skirmish rules` lists all rules."
    if similar:
        advice = f"Did you mean: {similar}?"
    return f"No rule contains “{clipped(query, 40)}”. {advice}"


def _say_see_also(rules: Sequence[RuleParagraph]) -> None:
    """Print the titles of further rules, not all of them if there are many."""
    if not rules:
        return
    named_rules = rules[:MOST_TITLES]
    line = "See also: " + ", ".join(rule.title for rule in named_rules)
    not_named = len(rules) - len(named_rules)
    if not_named:
        line += f", and {counted(not_named, 'other')}"
    say_wrapped(f"{line}.", hanging="  ")
