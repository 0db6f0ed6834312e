"""The blocks of text of a scenario sheet, each a head and what stands below it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.rules.rulings import RulingBook
from skirmish.games.plastic.scenarios.happening_kinds import (
    AnyHappening,
    AskAtSetup,
    DrawTable,
    Remind,
)
from skirmish.games.plastic.scenarios.order_of_battle import Side
from skirmish.games.plastic.scenarios.scenario import Limit, Scenario
from skirmish.sheets.faces import ITALIC
from skirmish.sheets.ink import ACCENT
from skirmish.sheets.marks import Blank, Head
from skirmish.sheets.paper import MM
from skirmish.sheets.piece import Cell, Gap, Panel, Piece, Row
from skirmish.sheets.scenario_words import (
    draws,
    ends,
    lead,
    limited,
    nation,
    own_unit,
    own_units,
    proposal,
    size,
    span,
)
from skirmish.sheets.words import ASIDE, LEAD, NOTE, SMALL, TERM, TEXT, UNIT, Style, Words

GAME = "WWII Plastic Skirmish"
OURS = "Our schematic"
Block = list[Piece]
_AFTER = 1.4


class Sheet(NamedTuple):
    """What a sheet prints: the scenario under the answers chosen, its variants in the catalog;
    whether its boxes can be ticked on the screen."""

    scenario: Scenario
    catalog: Catalog
    book: RulingBook
    answers: Mapping[str, str]
    form: bool = False


def situation(sheet: Sheet) -> Block:
    """How things stand."""
    return [Head("Situation"), Gap(0.8 * MM), Words(sheet.scenario.situation)]


def victory(sheet: Sheet) -> Block:
    """How the battle is won, boxed."""
    return [Head("Victory", ink=ACCENT), Panel(Words(sheet.scenario.victory.text, LEAD))]


def at_a_glance(sheet: Sheet, width: float, *, overleaf: bool = False) -> Block:
    """Who, how strong, who begins, how long, how big. ``overleaf``: the footnotes are not on this
    page, which it says."""
    scenario, catalog = sheet.scenario, sheet.catalog
    facts = [_strength(sheet, scenario.side(side)) for side in scenario.order_of_play()]
    facts += [
        ("Sets up first", nation(scenario.sets_up_first, catalog)),
        ("Moves first", nation(scenario.moves_first, catalog)),
        ("Length", ends(scenario, catalog)),
        ("Table", size(scenario.table)),
    ]
    label = 21 * MM
    rows = [
        Row(
            [Cell(0, label, Words(name, TERM)), Cell(label, width - label, Words(says, UNIT))],
            above=0.8,
            below=1.2,
        )
        for name, says in facts
    ]
    strength = catalog.strength
    says = (
        f"potential dead guys, the strength of a side: a guy is {strength.guy}, a model "
        f"{strength.model}. Points are list prices without works."
    )
    if overleaf and sheet.scenario.footnotes:
        marks = " ".join(note.mark for note in sheet.scenario.footnotes)
        says += f" {marks} see page 2."
    meant = Words(says, NOTE, lead="PDG")
    return [Head("At a glance"), Gap(0.4 * MM), *rows, Gap(1.4), meant]


def _strength(sheet: Sheet, side: Side) -> tuple[str, str]:
    points = span(sheet.scenario.points(side.id, sheet.catalog))
    pdg = span(sheet.scenario.pdg(side.id, sheet.catalog))
    role = side.role.capitalize() if side.role in ("attacker", "defender") else "Side"
    return role, f"{nation(side.id, sheet.catalog)}, {points} points, {pdg} PDG"


class Types(NamedTuple):
    """What the blocks are set in that can be set smaller where room is short."""

    happening: Style
    ruling: Style
    history: Style
    source: Style
    usual: bool
    """Whether rulings answered as usual are told in full, or only named."""


CLOSE = Types(SMALL, NOTE, ASIDE, NOTE, False)
ROOMY = Types(TEXT, TEXT, ASIDE._replace(size=9.2, leading=11.2), SMALL, True)


def blocks_for_play(sheet: Sheet, types: Types) -> list[Block]:
    """The blocks below the forces that players look at again and again."""
    found = (
        _special_rules(sheet),
        _limits(sheet),
        _setup(sheet),
        _happenings(sheet, types.happening),
        _unit_notes(sheet, types.happening),
    )
    return [block for block in found if block]


def blocks_for_reference(sheet: Sheet, types: Types) -> list[Block]:
    """The blocks that may stand on the back."""
    return [block for block in (_rulings(sheet, types), _history(sheet, types)) if block]


def _special_rules(sheet: Sheet) -> Block:
    rules = sheet.scenario.special_rules
    return _paragraphs("Special rules", [Words(r.text, TEXT, lead=f"{r.name}.") for r in rules])


def _limits(sheet: Sheet) -> Block:
    return _paragraphs("Limits", [_limit(sheet, limit) for limit in sheet.scenario.limits])


def _limit(sheet: Sheet, limit: Limit) -> Words:
    who, says = limited(limit, sheet.scenario, sheet.catalog)
    return Words(says, TEXT, lead=f"{who}.")


def _setup(sheet: Sheet) -> Block:
    """What the text leaves out, with our proposal and a line to write the answer on."""
    asked = sheet.scenario.questions()
    if not asked:
        return []
    pieces: Block = [Head("Settle before play", "the source is silent"), Gap(0.8 * MM)]
    for one in asked:
        who = f"{nation(one.side, sheet.catalog)}." if one.side else ""
        pieces.append(Words(one.question, TEXT, lead=who))
        pieces.append(Words(proposal(one, sheet.catalog), ASIDE))
        pieces += [Blank("Settled:"), Gap(_AFTER)]
    return pieces


def _happenings(sheet: Sheet, style: Style) -> Block:
    told: list[Words] = []
    for happening in sheet.scenario.happenings:
        if not isinstance(happening, AskAtSetup):
            told += _happening(happening, sheet.catalog, style)
    return _paragraphs("Happenings", told)


def _happening(happening: AnyHappening, catalog: Catalog, style: Style) -> Iterator[Words]:
    """A happening with the units it is about in front, and the lines of its table."""
    if isinstance(happening, AskAtSetup | Remind) or happening.rule:
        return  # what is reminded of is a special rule too, and so is what names one
    yield Words(happening.text, style, lead=f"{lead(happening, catalog)}.")
    if isinstance(happening, DrawTable):
        for draw, rows in draws(happening, catalog):
            yield Words.terms([(f"Draw {draw}:", ""), *rows], style)


def _unit_notes(sheet: Sheet, style: Style) -> Block:
    """Units that the rules do not have: this scenario's variants, and those of the notes."""
    told = []
    for unit in own_units(sheet.scenario, sheet.catalog):
        facts = own_unit(unit, sheet.catalog, sheet.answers)
        told.append(Words(facts, style, lead=f"{unit.name}."))
    return _paragraphs("Units of this scenario", told)


def _rulings(sheet: Sheet, types: Types) -> Block:
    """The gaps of the rules that matter here, as they are answered; departures are marked."""
    book, answers = sheet.book, sheet.answers
    changed = [ruling.id for ruling, _ in book.departures(answers)]
    told, usual = [], []
    for name in dict.fromkeys([*sheet.scenario.rulings, *changed]):
        ruling = book.rulings[name]
        mark = " (not the usual answer)" if name in changed else ""
        if name not in changed and not types.usual:
            usual.append(f"{name} {ruling.title}")
            continue
        says = f"{ruling.question} {ruling.answers[answers[name]]}"
        told.append(Words(says, types.ruling, lead=f"{name} {ruling.title}{mark}."))
    if usual:
        told.append(Words("; ".join(usual) + ".", types.ruling, lead="Answered as usual:"))
    return _paragraphs("Rulings", told, "where the rules leave a gap")


def _history(sheet: Sheet, types: Types) -> Block:
    scenario = sheet.scenario
    sources = Words("; ".join(scenario.sources) + ".", types.source, lead="Sources.")
    story = Words(scenario.history, types.history)
    return [Head("What happened"), Gap(0.8 * MM), story, Gap(_AFTER), sources]


def map_note(sheet: Sheet) -> Block:
    """What of the map is ours, to stand below it."""
    field = sheet.scenario.map
    if field is None or not field.note:
        return []
    says = field.note if field.note.startswith(OURS) else f"{OURS}. {field.note}"
    return [Gap(1.6), Words(says, NOTE._replace(face=ITALIC))]


def footnotes(sheet: Sheet) -> Block:
    """Where the source contradicts itself or is lost."""
    return [Words(note.text, NOTE, lead=note.mark) for note in sheet.scenario.footnotes]


def _paragraphs(head: str, told: list[Words], aside: str = "") -> Block:
    if not told:
        return []
    pieces: Block = [Head(head, aside), Gap(0.8 * MM)]
    for words in told:
        pieces += [words, Gap(_AFTER)]
    return pieces[:-1]
