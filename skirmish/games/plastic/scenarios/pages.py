"""A scenario in words, made from its data alone: its pages, in reading order. A mark (*, †) after a
word refers to a footnote on the same page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from typing import NamedTuple, TypeAlias

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
    """A scenario with the inputs of its pages: the catalog with its variants, the player's rulings,
    the format of distances, and the player's figures."""

    scenario: Scenario
    catalog: Catalog
    book: PlasticRulingBook
    rulings: Mapping[str, str]
    measured: Callable[[str], str]
    owned: Mapping[str, int]

    def people(self, side: str) -> str:
        return self.catalog.nations[side].people

    def answered(self, ruling: str) -> tuple[str, str]:
        """The title of a ruling; its question and the answer to it."""
        gap = self.book.rulings[ruling]
        return gap.title, f"{gap.question} {gap.answers[self.rulings[ruling]]}"


GLANCE, MAP, FORCES, RULES, VICTORY, HISTORY = range(6)
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
    end = scenario.ends_after
    length = f"{end.turn} turns" if end else "no last turn"
    points = (
        span(scenario.side(side).points(catalog)) + ("+" if settled_later(scenario, side) else "")
        for side in scenario.order_of_play()
    )
    return f"{length} · {' to '.join(points)} pts"


def page(source: PageSource, number: int) -> Page:
    """The page of that number (``GLANCE`` to ``HISTORY``), with the footnotes whose marks are in
    its text and with distances as the players read them."""
    blocks = (_glance, _map, _forces, _rules, _victory, _history)[number]
    found = Page(source.scenario.title, tuple(blocks(source)))
    text = as_text(found)
    notes = [one for one in source.scenario.footnotes if one.mark in text and number != HISTORY]
    noted = found.with_blocks(Note(f"{note.mark} {note.text}") for note in notes)
    return mapped(noted, source.measured)


def whole(source: PageSource) -> Page:
    every = (page(source, number) for number in range(len(NAMES)))
    return Page(source.scenario.title, tuple(block for one in every for block in one.blocks))


def settled_later(scenario: Scenario, side: str) -> list[AskAtSetup]:
    return [
        ask
        for ask in scenario.questions()
        if ask.side == side and (ask.about == "units" or ask.unit)
    ]


def _section(title: str, pairs: list[tuple[str, str]]) -> Iterator[Block]:
    if pairs:
        yield Heading(title)
        yield from (Paragraph(text, lead=f"{lead}.") for lead, text in pairs)


# ------------------------------------------------------------------ at a glance


def _glance(source: PageSource) -> Iterator[Block]:
    scenario, catalog = source.scenario, source.catalog
    sides = [scenario.side(name) for name in scenario.order_of_play()]
    yield Paragraph(scenario.title, tone="strong")
    yield Paragraph(scenario.tagline, lead=f"{when(scenario.date)}. {scenario.place}.")
    bars = []
    for side in sides:
        points = side.points(catalog)
        later = " and more" if settled_later(scenario, side.id) else ""
        bars.append(Bar(source.people(side.id), points[1], f"{span(points)} points{later}"))
    yield Bars(tuple(bars), max(bar.value for bar in bars))
    facts = [
        *((source.people(side.id), _strength(source, side)) for side in sides),
        ("Length", ends(scenario, catalog)),
        ("Table", size(scenario.table)),
    ]
    facts += [("Draws", "cards only, no dice")] if scenario.cards_only else []
    yield Facts(tuple(facts))
    yield Heading("Situation")
    yield Paragraph(scenario.situation)
    yield Heading("Victory")
    yield Paragraph(scenario.victory.text)


def _strength(source: PageSource, side: ScenarioSide) -> str:
    guys, models = side.figures(source.catalog)
    strength = f"strength {span(side.pdg(source.catalog))}"
    numbers = ", ".join(filter(None, (_many(guys, "guy"), _many(models, "model"), strength)))
    part = role(side, source.scenario)
    return f"{part} · {numbers}" if part else numbers


def _many(count: Bounds, what: str) -> str:
    if not count[1]:
        return ""
    return f"{span(count)} {what if count == (1, 1) else plural(what)}"


# ------------------------------------------------------------------ the map


def _map(source: PageSource) -> Iterator[Block]:
    field, table = source.scenario.map, source.scenario.table
    if field is not None:
        yield Heading("Lay the table", aside="squares, about how many inches")
        for name, places in features(field, (table.width_in, table.depth_in)):
            yield Paragraph(f"{places}.", lead=f"{name}:")
        if field.note:
            yield Note(field.note)


# ------------------------------------------------------------------ orders of battle


def _forces(source: PageSource) -> Iterator[Block]:
    """The side that moves first comes first; what both have in common is below."""
    sides = map(source.scenario.side, source.scenario.order_of_play())
    one, other = (tuple(_force(source, side)) for side in sides)
    yield Beside(one, other)
    yield from _box(source)


def _box(source: PageSource) -> Iterator[Block]:
    """The figures that the player lacks for both sides, whatever is chosen; empty if none were ever
    counted."""
    if not any(source.owned.values()):
        return
    short = missing(source.scenario.figures(), source.owned)
    need = f"For both sides you still need {named(short, source.catalog)}."
    yield Heading("Your figures")
    yield Paragraph(need if short else "You own everything it takes.")


def _force(source: PageSource, side: ScenarioSide) -> Iterator[Block]:
    catalog = source.catalog
    yield Heading(source.people(side.id), aside=role(side, source.scenario))
    strength = f"strength {span(side.pdg(catalog))}"
    yield Paragraph(f"{span(side.points(catalog))} points, {strength}", lead=f"{side.name}.")
    for group in side.contingents:
        yield from _contingent(source, group)
    for ask in settled_later(source.scenario, side.id):
        yield Paragraph(proposal(ask, catalog), lead=ask.question)


def _contingent(source: PageSource, group: ScenarioContingent) -> Iterator[Block]:
    catalog = source.catalog
    pieces: list[tuple[UnitType | Work, int]] = [
        *((catalog.units[name], count) for name, count in group.units.items()),
        *((catalog.works[name], count) for name, count in group.works.items()),
    ]
    yield table(
        ("", group.called, "Points"),
        [
            (f"{count}", one.name if count == 1 else plural(one.name), f"{count * one.price}")
            for one, count in pieces
        ],
        numbers=(0, 2),
    )
    choices = [
        " or ".join(units(option, catalog) for option in choice.one_of) for choice in group.choices
    ]
    if choices:
        yield Items(tuple(choices))
    # A deployment text that names the turn of entry names the place, too.
    known = group.entry.turn and re.search(rf"\bturn {group.entry.turn}\b", group.deploy)
    parts = ["" if known else f"{capital(entry(group))}.", group.deploy]
    yield Paragraph(" ".join(filter(None, parts)), tone="quiet")


# ------------------------------------------------------------------ rules and victory


def _rules(source: PageSource) -> Iterator[Block]:
    scenario, catalog = source.scenario, source.catalog
    rules = [(rule.name, rule.text) for rule in scenario.special_rules]
    yield from _section("Special rules", rules or [("None", "The ordinary rules apply.")])
    yield from _section("Limits", [limited(limit, scenario, catalog) for limit in scenario.limits])
    if scenario.questions():
        yield Heading("Agree before play")
    for ask in scenario.questions():
        yield Paragraph(proposal(ask, catalog), lead=ask.question)
    units = [*own_units(scenario, catalog, source.rulings)]
    yield from _section("Units of this scenario", units)
    yield from _happenings(source)
    yield from _section("Rulings", [source.answered(name) for name in scenario.rulings])


def _happenings(source: PageSource) -> Iterator[Block]:
    scenario, catalog = source.scenario, source.catalog
    come = [
        (f"Turn {one.turn}", f"{source.people(one.side)}: {one.contingent.called}.")
        for one in scenario.arriving(after=1)
    ]
    happenings = [one for one in scenario.happenings if not isinstance(one, AskAtSetup)]
    if come or happenings:
        yield Heading("The program keeps track of")
    yield from (Paragraph(who, lead=f"{turn}.") for turn, who in come)
    for one in happenings:
        yield Paragraph(one.text, lead=f"{lead(one, catalog)}.")
        if isinstance(one, DrawTable):
            for draw, rows in draws(one, catalog):
                yield table((f"Draw {draw}", ""), rows)


def _victory(source: PageSource) -> Iterator[Block]:
    scenario, catalog = source.scenario, source.catalog
    yield Heading("Victory")
    yield Paragraph(scenario.victory.text, tone="strong")
    yield Facts((("Length", ends(scenario, catalog)),))
    other = [
        (source.book.rulings[clock.ruling].title, clock.victory_text or f"{clock.ends_after}.")
        for clock in scenario.clocks
        if source.rulings[clock.ruling] != clock.answer
    ]
    yield from _section("Another end, if chosen during set-up", other)
    yield from _section("Break point", [source.answered(BREAKS)])


def _history(source: PageSource) -> Iterator[Block]:
    scenario = source.scenario
    yield Heading("What happened")
    yield Paragraph(scenario.history)
    yield Heading("Sources")
    yield Items(tuple(f"{one}." for one in scenario.sources))
    yield Heading("Notes on the source")
    yield from (Paragraph(note.text, lead=note.mark) for note in scenario.footnotes)


# ------------------------------------------------------------------ the words for its data


def when(written: str) -> str:
    """``1939-09`` as ``September 1939``, ``1942-06-20`` as ``20 June 1942``."""
    day = date.fromisoformat(f"{written}-01"[:10])
    return f"{day:%B %Y}" if len(written) == len("1939-09") else f"{day.day} {day:%B %Y}"


def entry(contingent: ScenarioContingent) -> str:
    come = contingent.entry
    return f"{come.words}, {f'turn {come.turn}' if come.turn else 'before play'}"


def nation(side: str, catalog: Catalog) -> str:
    known = catalog.nations.get(side)
    return known.name if known else side.replace("_", " ").title()


def ends(scenario: Scenario, catalog: Catalog) -> str:
    end = scenario.ends_after
    if end is None:
        return "No last turn"
    return f"To the end of {nation(end.side, catalog)} turn {end.turn}"


def size(table: TableSize) -> str:
    """``8 ft × 5 ft, N at the top``, with the footnote's mark."""
    sides = f"{_feet(table.width_in)} × {_feet(table.depth_in)}"
    return f"{sides}, {table.up} at the top{table.mark or ''}"


def _feet(side: int) -> str:
    return f"{side // 12}{NO_BREAK}ft" if side % 12 == 0 else inches(side)


def span(bounds: Bounds) -> str:
    """``43`` or ``104–110``."""
    least, most = bounds
    return str(least) if least == most else f"{least}–{most}"


def besides(scenario: Scenario, side: str) -> list[str]:
    found = [one.id for one in scenario.questions() if one.side == side and one.about == "units"]
    if any(isinstance(one, DrawTable) and one.side == side for one in scenario.happenings):
        found.append("reinforcements")
    return found


def role(side: ScenarioSide, scenario: Scenario) -> str:
    first = (("sets up first", scenario.sets_up_first), ("moves first", scenario.moves_first))
    parts = [side.role, *(words for words, one in first if one == side.id)]
    return " · ".join(filter(None, parts))


def units(counts: Mapping[str, int], catalog: Catalog) -> str:
    return ", ".join(catalog.units[unit].named(count) for unit, count in counts.items())


def ranks(between: tuple[int, int]) -> str:
    """``A-5``, ``8``, ``J-Q``: ranks as the rules print them."""
    low, high = (str(Draw(rank, "S"))[:-1] for rank in between)
    return low if low == high else f"{low}-{high}"


def proposal(asked: AskAtSetup, catalog: Catalog) -> str:
    """The possible answers to a question before play, and our proposal; only the answers if the
    text leaves the choice to a side."""
    nations = catalog.nations
    whose = f"the {nations[asked.side].people}" if asked.side in nations else "the players"
    match asked.proposal:
        case dict(counts):
            answer = units(counts, catalog)
        case int(number):
            answer = catalog.units[asked.unit].named(number) if asked.unit else str(number)
        case text:
            answer = text
    if asked.chosen and asked.options:
        return f"{' or '.join(asked.options)}, as {whose} choose."
    answer = f"Our proposal: {answer.rstrip('.')}."
    if asked.options:
        answer = f"{' / '.join(asked.options)}. {answer}"
    if asked.at_least and asked.at_least > 1:
        answer += f" At least {asked.at_least}."
    return answer


def limited(limit: Restriction, scenario: Scenario, catalog: Catalog) -> tuple[str, str]:
    groups = scenario.side(limit.side).contingents
    who = [nation(limit.side, catalog)]
    who += [group.called for group in groups if group.id == limit.contingent]
    until = f"turn {limit.before_turn}"
    text = limit.text
    if limit.before_turn is not None and until not in text:
        text += f" Until {until}."
    return ", ".join(who), text


def lead(happening: AnyHappening, catalog: Catalog) -> str:
    match happening:
        case AskAtSetup():
            return nation(happening.side, catalog) if happening.side else ""
        case Remind():
            return nation(happening.side, catalog) if happening.side else "Both sides"
        case DrawTable():
            return f"{nation(happening.side, catalog)} draws"
        case ToggleOnCard():
            dice = "; cards only" if happening.cards_only else ""
            state = happening.state.replace("_", " ")
            return f"{happening.card}, {state}: sight {inches(happening.sight_in)}{dice}"
        case MayConvert():
            into = catalog.units[happening.becomes].name
            side = nation(happening.side, catalog)
            return f"{side} {catalog.units[happening.unit].name} into {into}"
    names = [plural(catalog.units[unit].name) for unit in happening.units]
    return f"{nation(happening.side, catalog)} {listed(names)}"


def draws(table: DrawTable, catalog: Catalog) -> Iterator[tuple[int, list[tuple[str, str]]]]:
    """Each draw of a table by its number, with its lines: ``A-5``, ``4 Rifle Guys``."""
    for draw in range(1, table.draws + 1):
        rows = [row for row in table.rows if row.draw == draw]
        yield draw, [(ranks(row.ranks), _outcome(row, catalog)) for row in rows]


Unruled: TypeAlias = DrawTable | ToggleOnCard | NeedsService | MayReveal | MayConvert | Trait


def unruled(scenario: Scenario) -> Iterator[Unruled]:
    """The reminders: scenario events that are neither asked before play nor in a special rule."""
    for one in scenario.happenings:
        if not isinstance(one, AskAtSetup | Remind) and not one.rule:
            yield one


def own_units(
    scenario: Scenario, catalog: Catalog, answers: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """The scenario's own units and those of the designer's notes in numbers: price, moves, weapons
    under these rulings, note."""
    present = {
        unit for side in scenario.sides for group in side.contingents for unit in group.most()
    }
    for unit in catalog.units.values():
        if unit.id in present and unit.source != "rules":
            arms = catalog.weapons_of(unit, answers)
            guns = ", ".join(f"{gun.name} ({inches(gun.range)})" for gun in arms) or NONE
            road = f" ({inches(unit.road_move)} on road)" if unit.road_move else ""
            move = f"moves {inches(unit.move)}{road}" if unit.move else "does not move"
            yield unit.name, f"{unit.price} points, {move}; {guns}. {unit.note}".strip()


def _outcome(row: DrawTableRow, catalog: Catalog) -> str:
    if row.units:
        return units(row.units, catalog)
    if row.entry:
        return f"at point {row.entry}"
    return "any of these" if row.choice else "nobody"
