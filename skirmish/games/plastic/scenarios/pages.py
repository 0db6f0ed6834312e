"""The pages of a scenario, in reading order, made from its data alone; a mark (*, †) after a word
refers to a footnote on the same page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from skirmish.games.plastic.rules.army import missing, named
from skirmish.games.plastic.rules.catalog import Catalog, UnitType, Work, plural
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.games.plastic.scenarios import words
from skirmish.games.plastic.scenarios.laying import features
from skirmish.games.plastic.scenarios.order_of_battle import (
    Bounds,
    ScenarioContingent,
    ScenarioSide,
)
from skirmish.games.plastic.scenarios.scenario import AskAtSetup, DrawTable, Scenario
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
    mapped,
    table,
)
from skirmish.tabletop.page_text import as_text

BREAKS = "P58"
"""The ruling whether sides break in scenarios."""


class Source(NamedTuple):
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


def comparison(source: Source) -> str:
    """Length and points of both sides in one short line; the side that moves first comes first."""
    scenario, catalog = source.scenario, source.catalog
    end = scenario.ends_after
    length = f"{end.turn} turns" if end else "no last turn"
    points = (
        words.span(scenario.side(side).points(catalog))
        + ("+" if settled_later(scenario, side) else "")
        for side in scenario.order_of_play()
    )
    return f"{length} · {' to '.join(points)} pts"


def page(source: Source, number: int) -> Page:
    """A page with its footnotes; the orders of battle are side by side, and the map is in words."""
    blocks = (_glance, _map, _forces, _rules, _victory, _history)[number]
    found = Page(source.scenario.title, tuple(blocks(source)))
    text = as_text(found)
    notes = [one for one in source.scenario.footnotes if one.mark in text and number != HISTORY]
    noted = found.with_blocks(Note(f"{note.mark} {note.text}") for note in notes)
    return mapped(noted, source.measured)


def whole(source: Source) -> Page:
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


def _glance(source: Source) -> Iterator[Block]:
    scenario, catalog = source.scenario, source.catalog
    sides = [scenario.side(name) for name in scenario.order_of_play()]
    yield Paragraph(scenario.title, tone="strong")
    yield Paragraph(scenario.tagline, lead=f"{words.when(scenario.date)}. {scenario.place}.")
    most = max(side.points(catalog)[1] for side in sides)
    yield Bars(
        tuple(Bar(source.people(side.id), side.points(catalog)[1], _points(source, side))
              for side in sides),
        most,
    )  # fmt: skip
    facts = [
        *((source.people(side.id), _strength(source, side)) for side in sides),
        ("Length", words.ends(scenario, catalog)),
        ("Table", words.size(scenario.table)),
    ]
    facts += [("Draws", "cards only, no dice")] if scenario.cards_only else []
    yield Facts(tuple(facts))
    yield Heading("Situation")
    yield Paragraph(scenario.situation)
    yield Heading("Victory")
    yield Paragraph(scenario.victory.text)


def _points(source: Source, side: ScenarioSide) -> str:
    later = " and more" if settled_later(source.scenario, side.id) else ""
    return f"{words.span(side.points(source.catalog))} points{later}"


def _strength(source: Source, side: ScenarioSide) -> str:
    guys, models = side.figures(source.catalog)
    strength = f"strength {words.span(side.pdg(source.catalog))}"
    numbers = ", ".join(filter(None, (_many(guys, "guy"), _many(models, "model"), strength)))
    part = words.role(side, source.scenario)
    return f"{part} · {numbers}" if part else numbers


def _many(count: Bounds, what: str) -> str:
    if not count[1]:
        return ""
    return f"{words.span(count)} {what if count == (1, 1) else plural(what)}"


# ------------------------------------------------------------------ the map


def _map(source: Source) -> Iterator[Block]:
    field, table = source.scenario.map, source.scenario.table
    if field is not None:
        yield Heading("Lay the table", aside="squares, about how many inches")
        for name, places in features(field, (table.width_in, table.depth_in)):
            yield Paragraph(f"{places}.", lead=f"{name}:")
        if field.note:
            yield Note(field.note)


# ------------------------------------------------------------------ orders of battle


def _forces(source: Source) -> Iterator[Block]:
    """The side that moves first comes first; what both have in common is below."""
    sides = map(source.scenario.side, source.scenario.order_of_play())
    one, other = (tuple(_force(source, side)) for side in sides)
    yield Beside(one, other)
    yield from _box(source)


def _box(source: Source) -> Iterator[Block]:
    """The figures that the player lacks for both sides, whatever is chosen; empty if none were ever
    counted."""
    if not any(source.owned.values()):
        return
    short = missing(source.scenario.figures(), source.owned)
    need = f"For both sides you still need {named(short, source.catalog)}."
    yield Heading("Your figures")
    yield Paragraph(need if short else "You own everything it takes.")


def _force(source: Source, side: ScenarioSide) -> Iterator[Block]:
    catalog = source.catalog
    yield Heading(source.people(side.id), aside=words.role(side, source.scenario))
    strength = f"strength {words.span(side.pdg(catalog))}"
    yield Paragraph(f"{words.span(side.points(catalog))} points, {strength}", lead=f"{side.name}.")
    for group in side.contingents:
        yield from _contingent(source, group)
    for ask in settled_later(source.scenario, side.id):
        yield Paragraph(words.proposal(ask, catalog), lead=ask.question)


def _contingent(source: Source, group: ScenarioContingent) -> Iterator[Block]:
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
        " or ".join(words.units(option, catalog) for option in choice.one_of)
        for choice in group.choices
    ]
    if choices:
        yield Items(tuple(choices))
    entry = words.entry(group)
    parts = [f"{entry[:1].upper()}{entry[1:]}.", group.deploy]
    yield Paragraph(" ".join(filter(None, parts)), tone="quiet")


# ------------------------------------------------------------------ rules and victory


def _rules(source: Source) -> Iterator[Block]:
    scenario, catalog = source.scenario, source.catalog
    rules = [(rule.name, rule.text) for rule in scenario.special_rules]
    yield from _section("Special rules", rules or [("None", "The ordinary rules apply.")])
    yield from _section(
        "Limits", [words.limited(limit, scenario, catalog) for limit in scenario.limits]
    )
    if scenario.questions():
        yield Heading("Agree before play")
    for ask in scenario.questions():
        yield Paragraph(words.proposal(ask, catalog), lead=ask.question)
    units = [*words.own_units(scenario, catalog, source.rulings)]
    yield from _section("Units of this scenario", units)
    yield from _happenings(source)
    gaps = [source.book.rulings[name] for name in scenario.rulings]
    answers = [(gap.title, gap.answers[source.rulings[gap.id]]) for gap in gaps]
    yield from _section("Rulings", answers)


def _happenings(source: Source) -> Iterator[Block]:
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
        yield Paragraph(one.text, lead=f"{words.lead(one, catalog)}.")
        if isinstance(one, DrawTable):
            for draw, rows in words.draws(one, catalog):
                yield table((f"Draw {draw}", ""), rows)


def _victory(source: Source) -> Iterator[Block]:
    scenario, catalog = source.scenario, source.catalog
    yield Heading("Victory")
    yield Paragraph(scenario.victory.text, tone="strong")
    yield Facts((("Length", words.ends(scenario, catalog)),))
    other = [
        (source.book.rulings[clock.ruling].title, clock.victory_text or f"{clock.ends_after}.")
        for clock in scenario.clocks
        if source.rulings[clock.ruling] != clock.answer
    ]
    yield from _section("Another end, if chosen during set-up", other)
    broken = source.book.rulings[BREAKS]
    yield from _section("Break point", [(broken.title, broken.answers[source.rulings[BREAKS]])])


def _history(source: Source) -> Iterator[Block]:
    scenario = source.scenario
    yield Heading("What happened")
    yield Paragraph(scenario.history)
    yield Heading("Sources")
    yield Items(tuple(f"{one}." for one in scenario.sources))
    yield Heading("Notes on the source")
    yield from (Paragraph(note.text, lead=note.mark) for note in scenario.footnotes)
