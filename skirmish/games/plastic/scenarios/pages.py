"""The pages of a scenario in words, made from its data alone, in reading order. A mark (*, †) after
a word refers to a footnote on the same page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from skirmish.games.plastic.rules.army import counts_in_words, missing
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
    NamedText,
    bounds_in_words,
    date_in_words,
    draws_of_table,
    end_in_words,
    entry_in_words,
    happening_heading,
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

BREAKING_RULING = "P58"
"""The ruling on whether sides break in scenarios."""


class PageSource(NamedTuple):
    """A scenario with all that its pages are made from."""

    scenario: Scenario
    catalog: Catalog
    """With the variants of the scenario."""
    book: PlasticRulingBook
    rulings: Mapping[str, str]
    """The player's answers to all rulings, by their ids."""
    measured: Callable[[str], str]
    """Writes the distances in a text as the player reads them."""
    owned: Mapping[str, int]
    """The player's figures, by piece."""

    def people(self, side: str) -> str:
        """``Germans``, by the side's id, which is its nation."""
        return self.catalog.nations[side].people

    def answered_ruling(self, ruling_id: str) -> NamedText:
        """A ruling by its title: its question, and the player's answer to it."""
        ruling = self.book.rulings[ruling_id]
        answer = ruling.answers[self.rulings[ruling_id]]
        return NamedText(ruling.title, f"{ruling.question} {answer}")


GLANCE, MAP, FORCES, RULES, VICTORY, HISTORY = range(6)
"""The pages by their numbers, in reading order."""


class PageName(NamedTuple):
    """The name of a page, and a short one for a narrow strip."""

    full: str
    short: str


NAMES = (
    PageName("At a glance", "Glance"),
    PageName("Map", "Map"),
    PageName("Orders of battle", "Forces"),
    PageName("Special rules", "Rules"),
    PageName("Victory", "Victory"),
    PageName("History", "History"),
)
"""The names of the pages, by their numbers."""


def length_and_points(source: PageSource) -> str:
    """The last turn, and the points of both sides, in one short line: ``8 turns · 43 to 40+ pts``.
    The side that moves first comes first."""
    scenario, catalog = source.scenario, source.catalog
    length = "no last turn"
    if scenario.ends_after:
        length = f"{scenario.ends_after.turn} turns"
    points = []
    for side_id in scenario.order_of_play():
        words = bounds_in_words(scenario.side(side_id).points(catalog))
        # Units that are agreed before play add to the points.
        if questions_of_more_units(scenario, side_id):
            words += "+"
        points.append(words)
    return f"{length} · {' to '.join(points)} pts"


def page(source: PageSource, number: int) -> Page:
    """The page of that number (``GLANCE`` to ``HISTORY``), with the footnotes whose marks are in
    its text and with distances as the players read them."""
    blocks_by_page = {
        GLANCE: _glance,
        MAP: _map,
        FORCES: _forces,
        RULES: _rules,
        VICTORY: _victory,
        HISTORY: _history,
    }
    plain_page = Page(source.scenario.title, tuple(blocks_by_page[number](source)))
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
    questions = []
    for question in scenario.questions():
        is_about_units = question.about == "units" or question.unit
        if question.side == side and is_about_units:
            questions.append(question)
    return questions


def _section(title: str, texts: Sequence[NamedText]) -> Iterator[Block]:
    """A heading with a paragraph for each text; nothing if there are none."""
    if texts:
        yield Heading(title)
    for name, text in texts:
        yield Paragraph(text, lead=f"{name}.")


# ------------------------------------------------------------------ at a glance


def _glance(source: PageSource) -> Iterator[Block]:
    """What helps to choose a scenario: both forces as bars, length and table, and what it is
    about."""
    scenario, catalog = source.scenario, source.catalog
    yield Paragraph(scenario.title, tone="strong")
    tagline = scenario.tagline
    if tagline:
        tagline += "."
    yield Paragraph(tagline, lead=f"{date_in_words(scenario.date)}. {scenario.place}.")
    bars, facts = [], []
    for party, side_id in _parties(scenario):
        side = scenario.side(side_id)
        points = side.points(catalog)
        words = f"{bounds_in_words(points)} points"
        if questions_of_more_units(scenario, side_id):
            words += " and more"
        bars.append(Bar(source.people(side_id), points.most, words, party))
        facts.append((source.people(side_id), _strength(source, side)))
    yield Bars(tuple(bars), max(bar.value for bar in bars))
    facts += [
        ("Length", end_in_words(scenario, catalog)),
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
    """Both sides with the number of their colour; the one that moves first comes first."""
    first, second = scenario.order_of_play()
    yield 0, first
    yield 1, second


def _strength(source: PageSource, side: ScenarioSide) -> str:
    """``attacker · 40 guys, 3 models, strength 55``"""
    guys, models = side.guys_and_models(source.catalog)
    parts = []
    if guys.most:
        parts.append(_counted(guys, "guy"))
    if models.most:
        parts.append(_counted(models, "model"))
    parts.append(f"strength {bounds_in_words(side.pdg(source.catalog))}")
    numbers = ", ".join(parts)
    role = role_in_words(side, source.scenario)
    if role:
        return f"{role} · {numbers}"
    return numbers


def _counted(count: Bounds, noun: str) -> str:
    """``3–5 guys``, ``1 model``."""
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
    """Both sides beside each other, the one that moves first at the left, and below them the
    figures for both."""
    columns = []
    for party, side_id in _parties(source.scenario):
        columns.append(tuple(_force(source, source.scenario.side(side_id), party)))
    left, right = columns
    yield Beside(left, right)
    yield from _missing_figures(source)


def _missing_figures(source: PageSource) -> Iterator[Block]:
    """The figures that the player lacks for both sides, whatever they choose; nothing if the player
    has never counted any."""
    if not any(source.owned.values()):
        return
    yield Heading("Your figures")
    lacking = missing(source.scenario.figures(), source.owned)
    if lacking:
        needed = counts_in_words(lacking, source.catalog)
        yield Paragraph(f"For both sides you still need {needed}.")
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
    for question in questions_of_more_units(source.scenario, side.id):
        yield Paragraph(proposal_in_words(question, catalog), lead=question.question)


def _contingent(source: PageSource, contingent: ScenarioContingent) -> Iterator[Block]:
    """A contingent: its units and works with their prices, its choices, and where it enters."""
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
    # Turn 0 is before play, and no turn that a text could name.
    if turn == 0:
        return False
    return re.search(rf"\bturn {turn}\b", contingent.deploy) is not None


# ------------------------------------------------------------------ rules and victory


def _rules(source: PageSource) -> Iterator[Block]:
    """All that differs from the ordinary rules, and the rulings that concern the scenario."""
    scenario, catalog = source.scenario, source.catalog
    rules = [NamedText(rule.name, rule.text) for rule in scenario.special_rules]
    if not rules:
        rules.append(NamedText("None", "The ordinary rules apply."))
    yield from _section("Special rules", rules)
    limits = [limit_in_words(limit, scenario, catalog) for limit in scenario.limits]
    yield from _section("Limits", limits)
    if scenario.questions():
        yield Heading("Agree before play")
    for question in scenario.questions():
        yield Paragraph(proposal_in_words(question, catalog), lead=question.question)
    units = list(special_units(scenario, catalog, source.rulings))
    yield from _section("Units of this scenario", units)
    yield from _happenings(source)
    yield from _section("Rulings", [source.answered_ruling(id) for id in scenario.rulings])


def _happenings(source: PageSource) -> Iterator[Block]:
    """What the program reminds the players of: arrivals, then happenings with their tables."""
    scenario, catalog = source.scenario, source.catalog
    # What enters on turn 1, when play begins, needs no reminder.
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
    """Who wins and when it ends, also what the end would be under other answers to rulings."""
    scenario, catalog = source.scenario, source.catalog
    yield Heading("Victory")
    yield Paragraph(scenario.victory.text, tone="strong")
    yield Facts((("Length", end_in_words(scenario, catalog)),))
    other_ends = []
    for clock in scenario.clocks:
        if source.rulings[clock.ruling] != clock.answer:
            title = source.book.rulings[clock.ruling].title
            text = clock.victory_text or f"{clock.ends_after}."
            other_ends.append(NamedText(title, text))
    yield from _section("Another end, if chosen during set-up", other_ends)
    yield from _section("Break point", [source.answered_ruling(BREAKING_RULING)])


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
