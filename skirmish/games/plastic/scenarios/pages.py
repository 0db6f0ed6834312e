"""A scenario in words, made from its data alone: its pages, in reading order. A mark (*, †) after a
word refers to a footnote on the same page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from typing import Literal, NamedTuple, TypeAlias

from skirmish.games.plastic.rules.army import missing, named
from skirmish.games.plastic.rules.catalog import Catalog, UnitType, Work, listed, plural
from skirmish.games.plastic.rules.firing_table import NONE
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.games.plastic.scenarios.laying import features
from skirmish.games.plastic.scenarios.order_of_battle import (
    Bounds,
    ScenarioContingent,
    ScenarioSide,
)
from skirmish.games.plastic.scenarios.scenario import (
    AnyHappening,
    AskAtSetup,
    Charges,
    Darkness,
    DrawTable,
    DrawTableRow,
    MayConvert,
    MayReveal,
    NeedsService,
    Remind,
    Restriction,
    Scenario,
    TableSize,
    ToggleOnCard,
    Trait,
)
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.measure import NO_BREAK, inches
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


def comparison(source: PageSource) -> str:
    """Length and points of both sides in one short line; the side that moves first comes first."""
    scenario, catalog = source.scenario, source.catalog
    length = "no last turn"
    if scenario.ends_after:
        length = f"{scenario.ends_after.turn} turns"
    points = []
    for side in scenario.order_of_play():
        words = span(scenario.side(side).points(catalog))
        # What is agreed before play comes on top.
        if settled_later(scenario, side):
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


def settled_later(scenario: Scenario, side: str) -> list[AskAtSetup]:
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
    yield Paragraph(scenario.tagline, lead=f"{when(scenario.date)}. {scenario.place}.")
    bars, facts = [], []
    for party, id in _parties(scenario):
        side = scenario.side(id)
        points = side.points(catalog)
        words = f"{span(points)} points"
        if settled_later(scenario, id):
            words += " and more"
        bars.append(Bar(source.people(id), points.most, words, party))
        facts.append((source.people(id), _strength(source, side)))
    yield Bars(tuple(bars), max(bar.value for bar in bars))
    facts += [("Length", ends(scenario, catalog)), ("Table", size(scenario.table))]
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
    guys, models = side.figures(source.catalog)
    parts = [_many(guys, "guy"), _many(models, "model")]
    parts.append(f"strength {span(side.pdg(source.catalog))}")
    numbers = ", ".join(part for part in parts if part)
    part_played = role(side, source.scenario)
    if part_played:
        return f"{part_played} · {numbers}"
    return numbers


def _many(count: Bounds, noun: str) -> str:
    """``3–5 guys``; empty for none."""
    if not count.most:
        return ""
    if count.least == count.most == 1:
        return f"1 {noun}"
    return f"{span(count)} {plural(noun)}"


# ------------------------------------------------------------------ the map


def _map(source: PageSource) -> Iterator[Block]:
    """How the table is laid, in words; nothing without a map."""
    field, table_size = source.scenario.map, source.scenario.table
    if field is None:
        return
    yield Heading("Lay the table", aside="squares, about how many inches")
    for name, places in features(field, (table_size.width_in, table_size.depth_in)):
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
    yield Heading(source.people(side.id), aside=role(side, source.scenario), party=party)
    strength = f"strength {span(side.pdg(catalog))}"
    yield Paragraph(f"{span(side.points(catalog))} points, {strength}", lead=f"{side.name}.")
    for contingent in side.contingents:
        yield from _contingent(source, contingent)
    for ask in settled_later(source.scenario, side.id):
        yield Paragraph(proposal(ask, catalog), lead=ask.question)


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
    yield table(("", contingent.called, "Points"), rows, numbers=(0, 2))
    choices = []
    for choice in contingent.choices:
        choices.append(" or ".join(units(option, catalog) for option in choice.one_of))
    if choices:
        yield Items(tuple(choices))
    sentences = []
    if not _names_its_turn(contingent):
        sentences.append(f"{capital(entry(contingent))}.")
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
    yield from _section("Limits", [limited(limit, scenario, catalog) for limit in scenario.limits])
    if scenario.questions():
        yield Heading("Agree before play")
    for ask in scenario.questions():
        yield Paragraph(proposal(ask, catalog), lead=ask.question)
    own_units_rows = [*own_units(scenario, catalog, source.rulings)]
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
        who = f"{source.people(arrival.side)}: {arrival.contingent.called}."
        yield Paragraph(who, lead=f"Turn {arrival.turn}.")
    for happening in happenings:
        yield Paragraph(happening.text, lead=f"{lead(happening, catalog)}.")
        if isinstance(happening, DrawTable):
            for draw, rows in draws(happening, catalog):
                yield table((f"Draw {draw}", ""), rows)


def _victory(source: PageSource) -> Iterator[Block]:
    """Who wins and when it ends, also under other answers to rulings."""
    scenario, catalog = source.scenario, source.catalog
    yield Heading("Victory")
    yield Paragraph(scenario.victory.text, tone="strong")
    yield Facts((("Length", ends(scenario, catalog)),))
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


# ------------------------------------------------------------------ the words for its data


def when(written: str) -> str:
    """``1939-09`` as ``September 1939``, ``1942-06-20`` as ``20 June 1942``."""
    # A month gets a first day, and from a whole date the addition is cut off again.
    try:
        day = date.fromisoformat(f"{written}-01"[:10])
    except ValueError:
        # Of a draft whose date is not right yet.
        return written
    month = f"{day:%B %Y}"
    if len(written) == len("1939-09"):
        return month
    return f"{day.day} {month}"


def entry(contingent: ScenarioContingent) -> str:
    """``W edge, turn 3``, ``zone A, before play``"""
    way_in = contingent.entry
    if way_in.turn:
        return f"{way_in.words}, turn {way_in.turn}"
    return f"{way_in.words}, before play"


def nation(side: str, catalog: Catalog) -> str:
    """The name of a side, whose id is its nation; of one that the catalog does not know (in a
    battle that was stored with another), its id in words."""
    if side in catalog.nations:
        return catalog.nations[side].name
    return side.replace("_", " ").title()


def ends(scenario: Scenario, catalog: Catalog) -> str:
    """``To the end of German turn 11``"""
    end = scenario.ends_after
    if end is None:
        return "No last turn"
    return f"To the end of {nation(end.side, catalog)} turn {end.turn}"


def size(table_size: TableSize, *, turned: bool = False) -> str:
    """``8 ft × 5 ft, N at the top``, with the footnote's mark; ``turned``: without what is at the
    top, for a map that is turned."""
    sides = f"{_feet(table_size.width_in)} × {_feet(table_size.depth_in)}"
    top = ""
    if not turned:
        top = f", {table_size.up} at the top"
    return f"{sides}{top}{table_size.mark or ''}"


def _feet(side: int) -> str:
    """Whole feet, else inches."""
    if side % 12:
        return inches(side)
    return f"{side // 12}{NO_BREAK}ft"


def span(bounds: Bounds) -> str:
    """``43`` or ``104–110``."""
    if bounds.least == bounds.most:
        return str(bounds.least)
    return f"{bounds.least}–{bounds.most}"


def besides(scenario: Scenario, side: str) -> list[str]:
    """What a side may get besides its order of battle: ids of questions, and reinforcements."""
    more = []
    for ask in scenario.questions():
        if ask.side == side and ask.about == "units":
            more.append(ask.id)
    for happening in scenario.happenings:
        if isinstance(happening, DrawTable) and happening.side == side:
            more.append("reinforcements")
            break
    return more


def role(side: ScenarioSide, scenario: Scenario) -> str:
    """``attacker · moves first``"""
    parts = []
    if side.role:
        parts.append(str(side.role))
    if side.id == scenario.sets_up_first:
        parts.append("sets up first")
    if side.id == scenario.moves_first:
        parts.append("moves first")
    return " · ".join(parts)


def units(counts: Mapping[str, int], catalog: Catalog) -> str:
    """``4 Rifle Guys, 1 Tank``"""
    return ", ".join(catalog.units[unit].named(count) for unit, count in counts.items())


def ranks(between: tuple[int, int]) -> str:
    """``A-5``, ``8``, ``J-Q``: ranks as the rules print them."""
    lowest, highest = _rank(between[0]), _rank(between[1])
    if lowest == highest:
        return lowest
    return f"{lowest}-{highest}"


def _rank(rank: int) -> str:
    """``A``, ``8``, ``J``."""
    # A card is written as its rank and a letter for its suit.
    return str(Draw(rank, "S")).removesuffix("S")


def proposal(asked: AskAtSetup, catalog: Catalog) -> str:
    """The possible answers to a question before play, and our proposal; only the answers if the
    text leaves the choice to a side."""
    if asked.sides_choice and asked.options:
        whose = "the players"
        if asked.side in catalog.nations:
            whose = f"the {catalog.nations[asked.side].people}"
        return f"{' or '.join(asked.options)}, as {whose} choose."
    answer = f"Our proposal: {_proposed(asked, catalog).rstrip('.')}."
    if asked.options:
        answer = f"{' / '.join(asked.options)}. {answer}"
    if asked.at_least and asked.at_least > 1:
        answer += f" At least{NO_BREAK}{asked.at_least}."
    return _unbroken(answer)


def _unbroken(text: str) -> str:
    """``text`` whose numbers, and a last word that is one letter, stand on the line of what they
    belong to."""
    text = re.sub(r"(?<=\d) (?=[A-Z])", NO_BREAK, text)
    return re.sub(r" (?=\w\.$)", NO_BREAK, text)


def _proposed(asked: AskAtSetup, catalog: Catalog) -> str:
    """What is proposed: units, so many of one unit, or words."""
    if isinstance(asked.proposal, dict):
        return units(asked.proposal, catalog)
    if isinstance(asked.proposal, int) and asked.unit:
        return catalog.units[asked.unit].named(asked.proposal)
    return str(asked.proposal)


def limited(limit: Restriction, scenario: Scenario, catalog: Catalog) -> tuple[str, str]:
    """Who may not do something, and what."""
    who = nation(limit.side, catalog)
    for contingent in scenario.side(limit.side).contingents:
        if contingent.id == limit.contingent:
            who += f", {contingent.called}"
    text = limit.text
    until = f"turn {limit.before_turn}"
    # Most texts name the turn themselves.
    if limit.before_turn is not None and until not in text:
        text += f" Until {until}."
    return who, text


def lead(happening: AnyHappening, catalog: Catalog) -> str:
    """The heading of a scenario event: whose it is, and what of."""
    match happening:
        case AskAtSetup(side=side):
            if side is None:
                return ""
            return nation(side, catalog)
        case Remind(side=side):
            if side is None:
                return "Both sides"
            return nation(side, catalog)
        case DrawTable():
            return f"{nation(happening.side, catalog)} draws"
        case ToggleOnCard():
            state = happening.state.replace("_", " ")
            words = f"{happening.card}, {state}: sight {inches(happening.sight_in)}"
            if happening.cards_only:
                words += "; cards only"
            return words
        case Darkness():
            turns = f"from turn {happening.from_turn}"
            if happening.before_turn is not None:
                turns = f"turns {happening.from_turn} to {happening.before_turn - 1}"
            return f"Dark, {turns}: sight {inches(happening.sight_in)}"
        case Charges():
            highest = ranks((1, happening.needs))
            from_turn = f"from turn {happening.from_turn} on"
            return f"{nation(happening.side, catalog)} charges, {from_turn}: {highest}"
        case MayConvert():
            before, after = catalog.units[happening.unit], catalog.units[happening.becomes]
            return f"{nation(happening.side, catalog)} {before.name} into {after.name}"
        case NeedsService() | MayReveal() | Trait():
            names = [plural(catalog.units[unit].name) for unit in happening.units]
            return f"{nation(happening.side, catalog)} {listed(names)}"


def draws(draw_table: DrawTable, catalog: Catalog) -> Iterator[tuple[int, list[tuple[str, str]]]]:
    """Each draw of a table by its number, with its lines: ``A-5``, ``4 Rifle Guys``."""
    for draw in range(1, draw_table.draws + 1):
        lines = []
        for row in draw_table.rows:
            if row.draw == draw:
                lines.append((ranks(row.ranks), _outcome(row, catalog)))
        yield draw, lines


Unruled: TypeAlias = (
    DrawTable | ToggleOnCard | Darkness | Charges | NeedsService | MayReveal | MayConvert | Trait
)
"""Happenings that need not belong to a special rule."""


def unruled(scenario: Scenario) -> Iterator[Unruled]:
    """The reminders: scenario events that are neither asked before play nor in a special rule."""
    for happening in scenario.happenings:
        if not isinstance(happening, AskAtSetup | Remind) and not happening.rule:
            yield happening


def own_units(
    scenario: Scenario, catalog: Catalog, answers: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """The scenario's own units and those of the designer's notes in numbers: price, moves, weapons
    under these rulings, note."""
    present: set[str] = set()
    for side in scenario.sides:
        for contingent in side.contingents:
            present.update(contingent.most())
    for unit in catalog.units.values():
        if unit.id in present and unit.source != "rules":
            yield unit.name, _in_numbers(unit, catalog, answers)


def _in_numbers(unit: UnitType, catalog: Catalog, answers: Mapping[str, str]) -> str:
    """``12 points, moves 8 in; Cannon (48 in). Its note.``"""
    move = "does not move"
    if unit.move:
        move = f"moves {inches(unit.move)}"
        if unit.road_move:
            move += f" ({inches(unit.road_move)} on road)"
    weapons = [
        f"{weapon.name} ({inches(weapon.range)})" for weapon in catalog.weapons_of(unit, answers)
    ]
    guns = ", ".join(weapons) or NONE
    return f"{unit.price} points, {move}; {guns}. {unit.note}".strip()


def _outcome(row: DrawTableRow, catalog: Catalog) -> str:
    """What a row of a draw table brings."""
    if row.units:
        return units(row.units, catalog)
    if row.entry:
        return f"at point {row.entry}"
    if row.choice:
        return "any of these"
    return "nobody"
