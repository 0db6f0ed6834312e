"""The blocks of text of a scenario sheet, each a head and what stands below it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.games.plastic.scenarios.happening_kinds import (
    AnyHappening,
    AskAtSetup,
    DrawTable,
    Remind,
)
from skirmish.games.plastic.scenarios.order_of_battle import ScenarioSide
from skirmish.games.plastic.scenarios.scenario import Restriction, Scenario
from skirmish.sheets.layout.blocks import Head, Settled, section
from skirmish.sheets.layout.flowables import (
    Canvas,
    Cell,
    Filling,
    Flowable,
    Gap,
    Panel,
    Row,
    rule,
)
from skirmish.sheets.layout.fonts import ITALIC, MEDIUM
from skirmish.sheets.layout.text import (
    ASIDE,
    LEAD,
    NOTE,
    SMALL,
    TERM,
    TEXT,
    UNIT,
    Style,
    Text,
    fitted,
    paragraph,
    terms,
    write,
)
from skirmish.sheets.paper import ACCENT, BLACK, CODE, FAINT, GAP, HAIR, MM, THIN
from skirmish.sheets.scenario.words import (
    besides,
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

OURS = "Our schematic"
Block = list[Flowable]
_AFTER = 1.4
ROOMY = TEXT._replace(face=ITALIC)
"""How history is set where it has a page to itself."""
Rules = list[Flowable]
"""The paragraphs of the special rules, which two columns may share."""
_LABEL = Style(MEDIUM, 7.4, 7.4, ink=CODE)
_TOP = 4.6 * MM
_ROW = (9 * MM, 11 * MM)
"""Room for handwriting: at least, and at most."""
_MOST = 8
_LINE = 8 * MM
_FEWEST = 3


class Sheet(NamedTuple):
    """What a sheet prints: the scenario under the answers chosen, its variants in the catalog;
    whether its boxes can be ticked on the screen."""

    scenario: Scenario
    catalog: Catalog
    book: PlasticRulingBook
    answers: Mapping[str, str]
    form: bool = False


def situation(sheet: Sheet) -> Block:
    return [Head("Situation"), Gap(0.8 * MM), paragraph(sheet.scenario.situation)]


def victory(sheet: Sheet) -> Block:
    return [Head("Victory", ink=ACCENT), Panel(paragraph(sheet.scenario.victory.text, LEAD))]


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
            [
                Cell(0, label, paragraph(name, TERM)),
                Cell(label, width - label, paragraph(says, UNIT)),
            ],
            above=0.8,
            below=1.2,
        )
        for name, says in facts
    ]
    marks = " ".join(note.mark for note in scenario.footnotes)
    aside = f"{marks} see page 2" if overleaf and marks else ""
    return [Head("At a glance", aside), Gap(0.4 * MM), *rows]


def _strength(sheet: Sheet, side: ScenarioSide) -> tuple[str, str]:
    points = span(sheet.scenario.points(side.id, sheet.catalog))
    pdg = span(sheet.scenario.pdg(side.id, sheet.catalog))
    role = side.role.capitalize() if side.role in ("attacker", "defender") else "Side"
    says = f"{nation(side.id, sheet.catalog)}, {points} points, {pdg} PDG"
    if more := besides(sheet.scenario, side.id):
        says += f", besides {' and '.join(more)}"
    return role, says


def special_rules(sheet: Sheet) -> Rules:
    told = [
        paragraph(rule.text, TEXT, lead=f"{rule.name}.") for rule in sheet.scenario.special_rules
    ]
    told += [_limit(sheet, limit) for limit in sheet.scenario.limits]
    for happening in sheet.scenario.happenings:
        told += _happening(happening, sheet.catalog, TEXT)
    for unit in own_units(sheet.scenario, sheet.catalog):
        facts = own_unit(unit, sheet.catalog, sheet.answers)
        told.append(paragraph(facts, SMALL, lead=f"{unit.name}."))
    return [*told]


def ruled(told: Rules, *, goes_on: bool = False) -> Block:
    """Special rules below their head; ``goes_on``: the first of them stand elsewhere."""
    return section("Special rules", told, "continued" if goes_on else "")


def blocks_for_play(sheet: Sheet) -> list[Block]:
    """What else players look at before and during the game: what to settle, and every ruling that
    differs from its default."""
    return [block for block in (_setup(sheet), _departures(sheet)) if block]


def _limit(sheet: Sheet, limit: Restriction) -> Text:
    who, says = limited(limit, sheet.scenario, sheet.catalog)
    return paragraph(says, TEXT, lead=f"{who}.")


def _setup(sheet: Sheet) -> Block:
    asked = sheet.scenario.questions()
    if not asked:
        return []
    silent = not any(one.chosen for one in asked)
    pieces: Block = [Head("Settle before play", "the source is silent" if silent else "")]
    pieces.append(Gap(0.8 * MM))
    for one in asked:
        who = f"{nation(one.side, sheet.catalog)}." if one.side else ""
        proposed = proposal(one, sheet.catalog)
        pieces += [Settled(one.question, proposed, lead=who), Gap(_AFTER)]
    return pieces[:-1]


def _happening(happening: AnyHappening, catalog: Catalog, style: Style) -> Iterator[Text]:
    """A happening with the units it is about in front, and the lines of its table."""
    if isinstance(happening, AskAtSetup | Remind) or happening.rule:
        return  # asked elsewhere; what is reminded of is a special rule, and so is what names one
    yield paragraph(happening.text, style, lead=f"{lead(happening, catalog)}.")
    if isinstance(happening, DrawTable):
        for draw, rows in draws(happening, catalog):
            yield terms([(f"Draw {draw}:", ""), *rows], style)


def _departures(sheet: Sheet) -> Block:
    told = [
        paragraph(
            f"{ruling.question} {ruling.answers[sheet.answers[ruling.id]]}",
            TEXT,
            lead=f"{ruling.id} {ruling.title} (not the usual answer).",
        )
        for ruling, _ in sheet.book.departures(sheet.answers)
    ]
    return section("Rulings", told, "where the rules leave a gap")


def history(sheet: Sheet, style: Style = ASIDE) -> Block:
    story = paragraph(sheet.scenario.history, style)
    return [Head("What happened"), Gap(0.8 * MM), story]


def map_note(sheet: Sheet) -> Block:
    field = sheet.scenario.map
    if field is None or not field.note:
        return []
    says = field.note if field.note.startswith(OURS) else f"{OURS}. {field.note}"
    return [Gap(1.6), paragraph(says, NOTE._replace(face=ITALIC))]


def notes(sheet: Sheet) -> list[tuple[str, str]]:
    """What closes a sheet, each behind its mark or word: where the source contradicts itself or is
    lost, what a word means, which rulings are at their defaults, and the sources."""
    scenario, strength = sheet.scenario, sheet.catalog.strength
    told = [(note.mark, note.text) for note in scenario.footnotes]
    counts = f"a guy is {strength.guy}, a model {strength.model}"
    pdg = f"potential dead guys, a side's strength: {counts}. Points are list prices without works."
    told.append(("PDG:", pdg))
    changed = {ruling.id for ruling, _ in sheet.book.departures(sheet.answers)}
    rulings = (sheet.book.rulings[name] for name in scenario.rulings if name not in changed)
    if usual := "; ".join(f"{ruling.id} {ruling.title}" for ruling in rulings):
        told.append(("Rulings at their defaults:", f"{usual}."))
    return [*told, ("Sources:", f"{'; '.join(scenario.sources)}.")]


def noted(sheet: Sheet, style: Style = NOTE) -> Block:
    return [terms(notes(sheet), style)]


def noted_apart(sheet: Sheet) -> Block:
    told = [paragraph(says, SMALL, lead=term) for term, says in notes(sheet)]
    return section("Notes on the source", told)


class Record(Filling):
    """A table of games played and, where there is more room, lines for notes, ``above`` points
    below what stands there already; ``names`` are those of the two sides."""

    def __init__(self, names: Sequence[str], above: float = 0.0) -> None:
        one, other = names
        self.above = above
        self.columns = (("Date", 0.11), (one, 0.15), (other, 0.15), ("Won by", 0.12),
                        ("Losses", 0.12), ("What decided it", 0.35))  # fmt: skip

    def least(self, width: float) -> float:
        return self.above + Head.TALL + _TOP + _FEWEST * _ROW[0]

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        inner = self.height - self.above - Head.TALL - _TOP
        rows = max(1, min(_MOST, int(inner // _ROW[0])))
        each = min(inner / rows, _ROW[1])
        lines = int((inner - rows * each - GAP - Head.TALL) // _LINE)
        top -= self.above
        Head("Played").paint(canvas, x, top, width)
        top -= Head.TALL
        low = top - _TOP - rows * each
        left = x
        for index, (label, share) in enumerate(self.columns):
            wide, inset = share * width, 1.2 * MM if index else 0.0
            text = fitted(label, _LABEL, wide - inset - 2)
            write(canvas, left + inset, top - 3 * MM, text, _LABEL)
            if index:
                canvas.pen(FAINT, HAIR)
                canvas.line(left, top, left, low)
            left += wide
        for row in range(rows + 1):
            y = top - _TOP - row * each
            rule(canvas, x, x + width, y, HAIR if row else THIN, ink=FAINT if row else BLACK)
        if lines >= _FEWEST:
            Head("Notes").paint(canvas, x, low - GAP, width)
            for line in range(1, lines + 1):
                y = low - GAP - Head.TALL - line * _LINE
                rule(canvas, x, x + width, y, HAIR, ink=FAINT)
