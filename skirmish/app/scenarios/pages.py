"""What the pages of a scenario tell, in the order in which one wants to know it.

All of it comes out of the scenario's data. Distances are told as the player measures; a mark (*, †)
behind a word leads to a footnote on the same page.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from textual.content import Content

from skirmish.app.scenarios.telling import (
    HEAD,
    QUIET,
    STRONG,
    Source,
    fact,
    footnotes,
    named,
    paragraphs,
    section,
    settled_later,
)
from skirmish.games.plastic.rules.catalog import Catalog, plural
from skirmish.games.plastic.scenarios.happening_kinds import AskAtSetup, DrawTable
from skirmish.games.plastic.scenarios.order_of_battle import Bounds, Side
from skirmish.sheets.scenario import words

BAR = 20
"""Columns of the longer side's bar."""
BREAKS = "P58"
"""The ruling whether sides break in scenarios."""


class Page(NamedTuple):
    """One page, with a short name for a narrow strip."""

    name: str
    short: str


GLANCE, MAP, FORCES, RULES, VICTORY, HISTORY = range(6)
PAGES = (
    Page("At a glance", "Glance"),
    Page("Map", "Map"),
    Page("Orders of battle", "Forces"),
    Page("Special rules", "Rules"),
    Page("Victory", "Victory"),
    Page("History", "History"),
)


def comparison(source: Source) -> str:
    """Length and points of both sides, the one that moves first in front, in one short line."""
    scenario, catalog = source.scenario, source.catalog
    end = scenario.ends_after
    length = f"{end.turn} turns" if end else "no last turn"
    points = (
        words.span(scenario.points(side, catalog)) + ("+" if settled_later(scenario, side) else "")
        for side in scenario.order_of_play()
    )
    return f"{length} · {' to '.join(points)} pts"


def page(source: Source, number: int) -> Content:
    """A page of running text. The orders of battle are two columns: see ``forces``; the map is a
    picture: see ``map_picture``."""
    tell = {GLANCE: _glance, RULES: _rules, VICTORY: _victory, HISTORY: _history}[number]
    told = Content("\n").join(tell(source))
    return Content("\n").join([told, *footnotes(source, told)]) if number != HISTORY else told


def strip(opened: int, *, wide: bool) -> Content:
    """The pages by name, the open one between brackets; each can be clicked."""
    gap = "  " if wide else ""
    told = Content("[" if opened == 0 else " ")
    for number, one in enumerate(PAGES):
        here = number == opened
        name = Content.styled(one.name if wide else one.short, "bold" if here else "")
        before = "[" if number + 1 == opened else "" if here and not wide else " "
        told += name.stylize(f"@click=screen.open({number})")
        told += Content(f"{']' if here else ' ' if wide else ''}{gap}{before}")
    return told


# ------------------------------------------------------------------ at a glance


def _glance(source: Source) -> Iterator[Content]:
    scenario = source.scenario
    yield Content.styled(scenario.title, "bold $accent")
    if scenario.tagline:
        yield Content.styled(scenario.tagline, STRONG)
    yield Content.styled(f"{words.when(scenario.date)}. {scenario.place}", QUIET)
    most = max(scenario.points(side.id, source.catalog)[1] for side in scenario.sides)
    for name in scenario.order_of_play():
        yield Content("")
        yield from _strength(source, scenario.side(name), most)
    yield Content("")
    yield fact("Length", words.ends(scenario, source.catalog))
    yield fact("Table", source.measured(words.size(scenario.table)))
    if scenario.cards_only:
        yield fact("Draws", "cards only, no dice")
    yield from section("SITUATION", [source.measured(scenario.situation)])
    yield from section("VICTORY", [source.measured(scenario.victory.text)])


def _strength(source: Source, side: Side, most: int) -> Iterator[Content]:
    """A side's part in it, a bar as long as its points, its numbers."""
    points = side.points(source.catalog)
    guys, models = side.figures(source.catalog)
    later = " and what you agree on" if settled_later(source.scenario, side.id) else ""
    part = words.role(side, source.scenario)
    yield Content.assemble((source.people(side.id), STRONG), (f"  {part}" if part else "", QUIET))
    bar = "━" * max(1, round(BAR * points[1] / most))
    yield Content.assemble((bar, "$primary"), f" {words.span(points)} points{later}")
    strength = words.span(side.pdg(source.catalog))
    sizes = ", ".join(filter(None, (_many(guys, "guy"), _many(models, "model"))))
    yield Content(f"{sizes}, strength {strength}")


def _many(count: Bounds, what: str) -> str:
    if not count[1]:
        return ""
    return f"{words.span(count)} {what if count == (1, 1) else plural(what)}"


# ------------------------------------------------------------------ rules and victory


def _rules(source: Source) -> Iterator[Content]:
    scenario, catalog = source.scenario, source.catalog
    rules = [(rule.name, rule.text) for rule in scenario.special_rules]
    yield Content.styled("SPECIAL RULES", HEAD)
    yield from paragraphs(source, rules or [("None", "The ordinary rules apply.")])
    limits = [words.limited(limit, scenario, catalog) for limit in scenario.limits]
    yield from named(source, "LIMITS", limits)
    if scenario.questions():
        yield from section("AGREE BEFORE PLAY", [])
    for ask in scenario.questions():
        proposal = source.measured(words.proposal(ask, catalog))
        yield Content.assemble((ask.question, STRONG), f" {proposal}")
    units = [
        (unit.name, words.own_unit(unit, catalog, source.rulings))
        for unit in words.own_units(scenario, catalog)
    ]
    yield from named(source, "UNITS OF THIS SCENARIO", units)
    yield from _happenings(source)
    gaps = [
        (source.book.rulings[name].title, source.book.rulings[name].answers[source.rulings[name]])
        for name in scenario.rulings
    ]
    yield from named(source, "RULINGS", gaps)


def _happenings(source: Source) -> Iterator[Content]:
    """What comes by itself on its turn, and what the program sees to."""
    scenario, catalog = source.scenario, source.catalog
    come = [
        (f"Turn {one.turn}", f"{source.people(one.side)}: {one.contingent.called}.")
        for one in scenario.arriving(after=1)
    ]
    happenings = [one for one in scenario.happenings if not isinstance(one, AskAtSetup)]
    if come or happenings:
        yield from section("THE PROGRAM KEEPS TRACK OF", [])
    for turn, who in come:
        yield Content.assemble((f"{turn}. ", STRONG), who)
    for one in happenings:
        lead = words.lead(one, catalog)
        yield Content.assemble((source.measured(f"{lead}. "), STRONG), source.measured(one.text))
        if isinstance(one, DrawTable):
            for draw, rows in words.draws(one, catalog):
                yield Content.styled(f"  Draw {draw}", QUIET)
                for ranks, outcome in rows:
                    yield Content(f"  {ranks:>5}  {outcome}")


def _victory(source: Source) -> Iterator[Content]:
    scenario, catalog = source.scenario, source.catalog
    yield Content.styled("VICTORY", HEAD)
    yield Content.styled(source.measured(scenario.victory.text), STRONG)
    yield Content("")
    yield fact("Length", words.ends(scenario, catalog))
    other = [
        (source.book.rulings[clock.ruling].title, clock.victory_text or f"{clock.ends_after}.")
        for clock in scenario.clocks
        if source.rulings[clock.ruling] != clock.answer
    ]
    yield from named(source, "ANOTHER END, IF CHOSEN DURING SET-UP", other)
    broken = source.book.rulings[BREAKS]
    yield from named(
        source, "BREAK POINT", [(broken.title, broken.answers[source.rulings[BREAKS]])]
    )


def _history(source: Source) -> Iterator[Content]:
    scenario = source.scenario
    yield Content.styled("WHAT HAPPENED", HEAD)
    yield Content(scenario.history)
    yield from section("SOURCES", [f"{one}." for one in scenario.sources])
    notes = [source.measured(f"{note.mark} {note.text}") for note in scenario.footnotes]
    yield from section("NOTES ON THE SOURCE", notes)


def basic_game(catalog: Catalog) -> Content:
    """What there is to know of a battle between two armies."""
    game = catalog.basic_game
    return Content.assemble(
        ("The basic game\n", "bold $accent"),
        ("Two armies of your own\n\n", STRONG),
        f"Both spend the same number of points, usually {game.points}.\n\n",
        "Each side draws a card; the higher places terrain first, then they alternate. Each draws "
        "again; the higher chooses a table edge, sets up first and moves first.\n\n",
        ("VICTORY\n", HEAD),
        "An army that has lost half its strength is beaten. "
        f"If neither is beaten by the end of turn {game.last_turn}, the game is a draw.\n\n",
        ("ARMIES\n", HEAD),
        "Build them and print their rosters under Armies on the home screen.",
    )
