"""A scenario in words, made from its data alone: its pages, in reading order. A mark (*, †) after a
word refers to a footnote on the same page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Literal, NamedTuple

from skirmish.games.plastic.rules.army import missing, named
from skirmish.games.plastic.rules.catalog import Catalog, UnitType, Work, plural
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.games.plastic.scenarios.happenings import AskAtSetup, DrawTable
from skirmish.games.plastic.scenarios.laying import pieces_by_kind
from skirmish.games.plastic.scenarios.order_of_battle import (
    Bounds,
    ScenarioContingent,
    ScenarioSide,
)
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.scenarios.wording import (
    bounds_in_words,
    date_in_words,
    draws_of_table,
    entry_in_words,
    happening_heading,
    length_in_words,
    limit_in_words,
    proposal_in_words,
    role_in_words,
    size_in_words,
    special_units,
    units_in_words,
)
from skirmish.tabletop.page import (
    Bar,
    Bars,
    Beside,
    Block,
    Facts,
    Heading,
    Items,
    Note,
    Page,
    Paragraph,
    capital,
    mapped,
    table,
)
from skirmish.tabletop.page_text import as_text

BREAKS = "P58"
"""The ruling whether sides break in scenarios."""


class PageSource(NamedTuple):
    """A scenario with all that its pages are made from."""

    scenario: Scenario
    catalog: Catalog
    """With the variants of the scenario."""
    book: PlasticRulingBook
    rulings: Mapping[str, str]
    """The player's answers to rulings."""
    measured: Callable[[str], str]
    """Writes the distances in a text as the player reads them."""
    owned: Mapping[str, int]
    """The player's figures, by piece."""

    def people(self, side: str) -> str:
        """``Germans``, by the side's id, which is its nation."""
        return self.catalog.nations[side].people

    def answered(self, ruling: str) -> tuple[str, str]:
        """The title of a ruling; its question and the answer to it."""
        gap = self.book.rulings[ruling]
        return gap.title, f"{gap.question} {gap.answers[self.rulings[ruling]]}"


GLANCE, MAP, FORCES, RULES, VICTORY, HISTORY = range(6)
"""The pages by their numbers, in reading order."""
NAMES = (
    ("At a glance", "Glance"),
    ("Map", "Map"),
    ("Orders of battle", "Forces"),
    ("Special rules", "Rules"),
    ("Victory", "Victory"),
    ("History", "History"),
)
"""The pages by name, and by a short one for a narrow strip."""


def length_and_points(source: PageSource) -> str:
    """Length and points of both sides in one short line; the side that moves first comes first."""
    scenario, catalog = source.scenario, source.catalog
    length = "no last turn"
    if scenario.ends_after:
        length = f"{scenario.ends_after.turn} turns"
    points = []
    for side in scenario.order_of_play():
        words = bounds_in_words(scenario.side(side).points(catalog))
        # What is agreed before play comes on top.
        if questions_of_more_units(scenario, side):
            words += "+"
        points.append(words)
    return f"{length} · {' to '.join(points)} pts"


def page(source: PageSource, number: int) -> Page:
    """The page of that number (``GLANCE`` to ``HISTORY``), with the footnotes whose marks are in
    its text and with distances as the players read them."""
    # In the order of ``NAMES``.
    blocks_of = (_glance, _map, _forces, _rules, _victory, _history)[number]
    plain_page = Page(source.scenario.title, tuple(blocks_of(source)))
    notes = []
    # The history lists all footnotes itself.
    if number != HISTORY:
        text = as_text(plain_page)
        for note in source.scenario.footnotes:
            # The marks stand after words of the scenario's own texts, wherever these are shown.
            if note.mark in text:
                notes.append(Note(f"{note.mark} {note.text}"))
    return mapped(plain_page.with_blocks(notes), source.measured)


def whole(source: PageSource) -> Page:
    """All pages as one."""
    blocks: list[Block] = []
    for number in range(len(NAMES)):
        blocks += page(source, number).blocks
    return Page(source.scenario.title, tuple(blocks))


def questions_of_more_units(scenario: Scenario, side: str) -> list[AskAtSetup]:
    """The questions before play by which a side gets more units."""
    asks = []
    for ask in scenario.questions():
        if ask.side == side and (ask.about == "units" or ask.unit):
            asks.append(ask)
    return asks


def _section(title: str, pairs: list[tuple[str, str]]) -> Iterator[Block]:
    """A heading with a paragraph for each pair; nothing if there are none."""
    if pairs:
        yield Heading(title)
    for name, text in pairs:
        yield Paragraph(text, lead=f"{name}.")


# ------------------------------------------------------------------ at a glance


def _glance(source: PageSource) -> Iterator[Block]:
    """What helps to choose a scenario: both forces as bars, length and table, and what it is
    about."""
    scenario, catalog = source.scenario, source.catalog
    yield Paragraph(scenario.title, tone="strong")
    yield Paragraph(scenario.tagline, lead=f"{date_in_words(scenario.date)}. {scenario.place}.")
    bars, facts = [], []
    for party, id in _parties(scenario):
        side = scenario.side(id)
        points = side.points(catalog)
        words = f"{bounds_in_words(points)} points"
        if questions_of_more_units(scenario, id):
            words += " and more"
        bars.append(Bar(source.people(id), points.most, words, party))
        facts.append((source.people(id), _strength(source, side)))
    yield Bars(tuple(bars), max(bar.value for bar in bars))
    facts += [
        ("Length", length_in_words(scenario, catalog)),
        ("Table", size_in_words(scenario.table)),
    ]
    if scenario.cards_only:
        facts.append(("Draws", "cards only, no dice"))
    yield Facts(tuple(facts))
    yield Heading("Situation")
    yield Paragraph(scenario.situation)
    yield Heading("Victory")
    yield Paragraph(scenario.victory.text)


def _parties(scenario: Scenario) -> Iterator[tuple[Literal[0, 1], str]]:
    """Both sides, the one that moves first in front."""
    first, second = scenario.order_of_play()
    yield 0, first
    yield 1, second


def _strength(source: PageSource, side: ScenarioSide) -> str:
    """``attacker · 40 guys, 3 models, strength 55``"""
    guys, models = side.guys_and_models(source.catalog)
    parts = [_many(guys, "guy"), _many(models, "model")]
    parts.append(f"strength {bounds_in_words(side.pdg(source.catalog))}")
    numbers = ", ".join(part for part in parts if part)
    part_played = role_in_words(side, source.scenario)
    if part_played:
        return f"{part_played} · {numbers}"
    return numbers


def _many(count: Bounds, noun: str) -> str:
    """``3–5 guys``; empty for none."""
    if not count.most:
        return ""
    if count.least == count.most == 1:
        return f"1 {noun}"
    return f"{bounds_in_words(count)} {plural(noun)}"


# ------------------------------------------------------------------ the map


def _map(source: PageSource) -> Iterator[Block]:
    """How the table is laid, in words; nothing without a map."""
    field, table_size = source.scenario.map, source.scenario.table
    if field is None:
        return
    yield Heading("Lay the table", aside="squares, about how many inches")
    for name, places in pieces_by_kind(field, (table_size.width_in, table_size.depth_in)):
        yield Paragraph(f"{places}.", lead=f"{name}:")
    if field.note:
        yield Note(field.note)


# ------------------------------------------------------------------ orders of battle


def _forces(source: PageSource) -> Iterator[Block]:
    """The side that moves first comes first; what both have in common is below."""
    first, second = [
        tuple(_force(source, source.scenario.side(side), party))
        for party, side in _parties(source.scenario)
    ]
    yield Beside(first, second)
    yield from _box(source)


def _box(source: PageSource) -> Iterator[Block]:
    """The figures that the player lacks for both sides, whatever is chosen; empty if none were ever
    counted."""
    if not any(source.owned.values()):
        return
    yield Heading("Your figures")
    lacking = missing(source.scenario.figures(), source.owned)
    if lacking:
        yield Paragraph(f"For both sides you still need {named(lacking, source.catalog)}.")
    else:
        yield Paragraph("You own everything it takes.")


def _force(source: PageSource, side: ScenarioSide, party: Literal[0, 1]) -> Iterator[Block]:
    """A side with its contingents, and what it may get besides."""
    catalog = source.catalog
    yield Heading(source.people(side.id), aside=role_in_words(side, source.scenario), party=party)
    strength = f"strength {bounds_in_words(side.pdg(catalog))}"
    yield Paragraph(
        f"{bounds_in_words(side.points(catalog))} points, {strength}", lead=f"{side.name}."
    )
    for contingent in side.contingents:
        yield from _contingent(source, contingent)
    for ask in questions_of_more_units(source.scenario, side.id):
        yield Paragraph(proposal_in_words(ask, catalog), lead=ask.question)


def _contingent(source: PageSource, contingent: ScenarioContingent) -> Iterator[Block]:
    """Its units and works with their prices, its choices, and where it enters."""
    catalog = source.catalog
    pieces: list[tuple[UnitType | Work, int]] = []
    for name, count in contingent.units.items():
        pieces.append((catalog.units[name], count))
    for name, count in contingent.works.items():
        pieces.append((catalog.works[name], count))
    rows = []
    for piece, count in pieces:
        rows.append((str(count), piece.name_for(count), str(count * piece.price)))
    yield table(("", contingent.name_in_words, "Points"), rows, numbers=(0, 2))
    choices = []
    for choice in contingent.choices:
        choices.append(" or ".join(units_in_words(option, catalog) for option in choice.one_of))
    if choices:
        yield Items(tuple(choices))
    sentences = []
    if not _names_its_turn(contingent):
        sentences.append(f"{capital(entry_in_words(contingent))}.")
    if contingent.deploy:
        sentences.append(contingent.deploy)
    yield Paragraph(" ".join(sentences), tone="quiet")


def _names_its_turn(contingent: ScenarioContingent) -> bool:
    """Whether the deployment text names the turn of entry; then it names the place, too."""
    turn = contingent.entry.turn
    return bool(turn) and re.search(rf"\bturn {turn}\b", contingent.deploy) is not None


# ------------------------------------------------------------------ rules and victory


def _rules(source: PageSource) -> Iterator[Block]:
    """All that is different from the ordinary rules, and the rulings that are needed."""
    scenario, catalog = source.scenario, source.catalog
    rules = [(rule.name, rule.text) for rule in scenario.special_rules]
    yield from _section("Special rules", rules or [("None", "The ordinary rules apply.")])
    yield from _section(
        "Limits", [limit_in_words(limit, scenario, catalog) for limit in scenario.limits]
    )
    if scenario.questions():
        yield Heading("Agree before play")
    for ask in scenario.questions():
        yield Paragraph(proposal_in_words(ask, catalog), lead=ask.question)
    own_units_rows = [*special_units(scenario, catalog, source.rulings)]
    yield from _section("Units of this scenario", own_units_rows)
    yield from _happenings(source)
    yield from _section("Rulings", [source.answered(name) for name in scenario.rulings])


def _happenings(source: PageSource) -> Iterator[Block]:
    """What the program reminds of by itself: arrivals, then happenings with their tables."""
    scenario, catalog = source.scenario, source.catalog
    arrivals = scenario.arriving(after=1)
    happenings = [
        happening for happening in scenario.happenings if not isinstance(happening, AskAtSetup)
    ]
    if arrivals or happenings:
        yield Heading("The program keeps track of")
    for arrival in arrivals:
        who = f"{source.people(arrival.side)}: {arrival.contingent.name_in_words}."
        yield Paragraph(who, lead=f"Turn {arrival.turn}.")
    for happening in happenings:
        yield Paragraph(happening.text, lead=f"{happening_heading(happening, catalog)}.")
        if isinstance(happening, DrawTable):
            for draw, rows in draws_of_table(happening, catalog):
                yield table((f"Draw {draw}", ""), rows)


def _victory(source: PageSource) -> Iterator[Block]:
    """Who wins and when it ends, also under other answers to rulings."""
    scenario, catalog = source.scenario, source.catalog
    yield Heading("Victory")
    yield Paragraph(scenario.victory.text, tone="strong")
    yield Facts((("Length", length_in_words(scenario, catalog)),))
    other_ends = []
    for clock in scenario.clocks:
        if source.rulings[clock.ruling] != clock.answer:
            title = source.book.rulings[clock.ruling].title
            other_ends.append((title, clock.victory_text or f"{clock.ends_after}."))
    yield from _section("Another end, if chosen during set-up", other_ends)
    yield from _section("Break point", [source.answered(BREAKS)])


def _history(source: PageSource) -> Iterator[Block]:
    """What happened in the war, the sources, and all footnotes."""
    scenario = source.scenario
    yield Heading("What happened")
    yield Paragraph(scenario.history)
    yield Heading("Sources")
    yield Items(tuple(f"{name}." for name in scenario.sources))
    yield Heading("Notes on the source")
    for note in scenario.footnotes:
        yield Paragraph(note.text, lead=note.mark)
