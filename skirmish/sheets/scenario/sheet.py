"""The scenario sheet, and all of them bound as a book.

Title, situation, victory and facts stand above the map, forces in two columns below it, one a side.
Special rules, what to settle and what happened go below them, each to the column that keeps the
page shortest, then the turn track; footnotes, default rulings and sources close the page. A smaller
map, and short lines of units side by side, may keep all of it to one page; history and footnotes
that find no room there are notes at the end of the book."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from skirmish import library
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.games.plastic.scenarios import pages
from skirmish.games.plastic.scenarios.laying import features
from skirmish.games.plastic.scenarios.order_of_battle import ScenarioContingent, ScenarioSide
from skirmish.games.plastic.scenarios.pages import besides, entry, nation, role, span
from skirmish.games.plastic.scenarios.scenario import AskAtSetup, DrawTable, Scenario, swapped
from skirmish.sheets.inks import SideInk, looks
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import Head, SettleLine, SideLetters, TitleBand, section
from skirmish.sheets.layout.boxes import NEW, NONE, Box, Boxes, FormField, Marks, Ring, box_width
from skirmish.sheets.layout.flow import (
    Block,
    Cell,
    CellRow,
    Flowable,
    Gap,
    Pair,
    Panel,
    Spring,
    Unbroken,
    depth,
    halves,
    height_of,
    in_two_columns,
    with_next,
)
from skirmish.sheets.layout.fonts import ITALIC
from skirmish.sheets.layout.pages import PdfDocument, SheetPart, as_pdf, bookmark
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.symbols import Symbol
from skirmish.sheets.layout.tables import Cells, SheetColumn, facts, printed_table
from skirmish.sheets.layout.text import line_width, paragraph, terms
from skirmish.sheets.maps.scenario_map import MapPiece, Swatch, Thumbnail
from skirmish.sheets.paper import CLOSE_GAP, GAP, GUTTER, HAIR, INCH, MM, Leaf
from skirmish.sheets.plastic import GAME
from skirmish.sheets.roster.units import Codes, Muster
from skirmish.sheets.scenario.turn_track import TurnTrack, turn_track

FRONT = 3
"""The page of a book with the first scenario, after cover and contents."""
COVER = 40 * MM
THUMB = 36.0
LARGE = Style(styles.FORCE.face, 15, 16, "centre")
SIGNS = 6
"""Unit signs per row."""
SITUATION = (0.44, 0.4, 0.36, 0.48)
"""Shares of the width for the situation, beside the victory conditions."""


class PagePlan(NamedTuple):
    """What goes on a single page, and how small its map may become for that, in inches of the table
    to an inch of paper."""

    history: bool
    footnotes: bool
    smallest: float


PLANS = (
    PagePlan(history=True, footnotes=True, smallest=14.0),
    PagePlan(history=False, footnotes=True, smallest=15.0),
    PagePlan(history=False, footnotes=False, smallest=20.0),
)
"""Tried in this order."""
FOLLOWED = 360.0
"""Points for the map and its key on a sheet of several pages."""
TABLE_RULES = "where table and map differ, the table rules"
AUTHOR = "Brett Drake (rules and scenario)"
OURS = "Our schematic"
GUIDE = (
    (
        "Map",
        "To scale, a square to the foot, with a tick every 6 in. The list below it is what to "
        "lay: each feature with its squares, then its width and depth in inches as they are "
        "seen on the map.",
    ),
    (
        "Letters",
        "A circle or a square with a letter is where a contingent sets up; the same letter "
        "stands on the map. Germans have squares and solid marks, their enemies circles and "
        "hollow ones.",
    ),
    (
        "Boxes",
        "One for each figure, with the code that is also on its tag and on the screen: cross "
        "out who is lost. Dashed ones are our proposal for troops that are settled before "
        "play. Of options behind rings, one is fielded.",
    ),
    (
        "Turn track",
        "Tick the turns that are over. What a letter in a cell stands for is below the track; "
        "END is the last turn.",
    ),
    (
        "* † ‡ § ¶",
        "Where the source is silent, lost or contradicts itself: at the foot of the page, and "
        "in the notes at the end of the book with its sources and our rulings.",
    ),
)
CREDITS = (
    "Rules and scenarios by Brett Drake (July 2005). The maps are ours: schematics drawn from the "
    "texts and from history, as the author's are lost."
)


@as_pdf
def scenarios_pdf(
    page: Leaf,
    scenarios: Iterable[Scenario] | None = None,
    catalog: Catalog | None = None,
    book: PlasticRulingBook | None = None,
    *,
    answers: Mapping[str, str] | None = None,
    revision: str | None = None,
) -> PdfDocument:
    """A scenario (None: all of them) on one page where it fits at full type size, else two or more.
    Several are to be bound: a cover, a list of them, each with a bookmark, then their notes.

    ``answers`` are rulings answered otherwise than by default; units and clock follow them. Raises
    ValueError (a sentence) for an answer that does not exist.
    """
    catalog, book = catalog or library.catalog(), book or library.rulings()
    chosen = book.answered(answers or {})
    if scenarios is None:
        scenarios = library.scenarios().values()
    sheets = [_ScenarioSheet(scenario, catalog, book, chosen, page) for scenario in scenarios]
    parts = [sheet.part(revision) for sheet in sheets]
    if len(sheets) == 1:
        return PdfDocument(sheets[0].name, f"{GAME}: scenario", parts, AUTHOR)

    # A map is shown on the sheet, and small in the list: the file has it once, under a name.
    for number, sheet in enumerate(sheets, 1):
        for piece in sheet.maps:
            piece.drawn_as = f"map{number}"
    starts = []
    start = FRONT
    for part in parts:
        starts.append(start)
        start += len(part.pages)
    bound = [
        SheetPart(page, _cover(sheets, page), "", GAME, revision=revision),
        SheetPart(page, _contents(sheets, starts, page), "Contents", GAME, revision=revision),
        *parts,
        SheetPart(page, _notes(sheets, page), "Notes", "Notes", GAME, revision=revision),
    ]
    return PdfDocument(f"{GAME}: the scenarios", f"{GAME}: scenarios", bound, AUTHOR, True)


def _cover(sheets: Sequence[_ScenarioSheet], page: Leaf) -> Block:
    # Dates are written with the year first, ``1939-09``.
    years = [sheet.scenario.date[:4] for sheet in sheets]
    period = min(years)
    if max(years) != period:
        period = f"{period}–{max(years)}"
    about = "The scenarios", period, "Rules and scenarios by Brett Drake"
    title = TitleBand("Scenarios", str(len(sheets)), GAME.upper(), *about, least=COVER)
    shown = [Thumbnail(piece, page.measure) for piece in sheets[-1].maps]
    counts = sheets[0].catalog.strength
    strength = f"strength is {counts.guy} for each guy and {counts.model} for each model."
    points = ("Points, strength", f"Points are list prices without works; {strength}")
    guide = facts([*GUIDE, points], page.measure, 24, 4)
    credits = paragraph(CREDITS, styles.LEAD)
    story = [title, Gap(2 * GAP), *shown, Gap(2 * GAP), Head("How to read a sheet"), Gap(MM), guide]
    return [*story, Spring(depth([credits], page.measure)), credits]


def _contents(sheets: Sequence[_ScenarioSheet], starts: Sequence[int], page: Leaf) -> Block:
    """One line per scenario, with a link to its page."""
    millimetres = page.measure / MM
    columns = (
        SheetColumn("", THUMB, LARGE),
        SheetColumn("", 0.07 * millimetres, LARGE),
        SheetColumn("Scenario", 0, styles.FORCE),
        SheetColumn("When and where", 0.21 * millimetres, styles.TEXT),
        SheetColumn("Who begins, and against whom", 0.18 * millimetres, styles.TEXT),
        SheetColumn("Turns", 0.08 * millimetres, styles.TEXT),
        SheetColumn("Page", 0.06 * millimetres, styles.FIGURE),
    )
    rows: list[Cells] = []
    links = []
    for index, (sheet, start) in enumerate(zip(sheets, starts, strict=True)):
        rows.append(_contents_row(sheet, start))
        # Cover and contents are the first two parts of the file; the table has a row of titles.
        part, y = index + 2, index + 1
        links.append(("DESTINATION", (0, y), (2, y), bookmark(part)))
    table = printed_table(
        page.measure, columns, rows, air=1.5, tinted=False, pad=0, between=3 * MM, more=links
    )
    return [Head("Contents"), table]


def _contents_row(sheet: _ScenarioSheet, start: int) -> Cells:
    scenario, catalog = sheet.scenario, sheet.catalog
    sides = []
    for side in scenario.order_of_play():
        points = pages.span(scenario.side(side).points(catalog))
        sides.append(paragraph(f"{pages.nation(side, catalog)}, {points} points"))
    when = paragraph(pages.when(scenario.date))
    where = paragraph(scenario.unmarked(scenario.place), styles.SMALL)
    aside = styles.TEXT._replace(face=ITALIC)
    title = paragraph(scenario.title, styles.FORCE), paragraph(scenario.tagline, aside)
    turns = pages.ends(scenario, catalog)
    if scenario.ends_after:
        turns = str(scenario.ends_after.turn)
    maps = [Thumbnail(piece, sheet.width) for piece in sheet.maps]
    return [maps, str(scenario.number), title, [when, where], sides, turns, str(start)]


def _notes(sheets: Sequence[_ScenarioSheet], page: Leaf) -> Block:
    """The key of all maps and units, then the notes of each scenario."""
    swatches = {}
    for sheet in sheets:
        for piece in sheet.maps:
            for line in piece.key:
                swatches[line.name] = Swatch(piece, line.sample)
    used: set[str] = set()
    for sheet in sheets:
        for side in sheet.scenario.sides:
            for group in side.contingents:
                used |= set(group.most())
    symbols = []
    for unit in sheets[0].catalog.units.values():
        if unit.id in used:
            symbols.append((unit.name, Symbol(unit)))

    story: Block = [Head("Key", "of all maps"), Gap(MM)]
    story += _rows_of_signs(sorted(swatches.items()), page.measure)
    story.append(Gap(MM))
    story += _rows_of_signs(symbols, page.measure)
    for sheet in sheets:
        notes = [paragraph(text, styles.SMALL, lead=lead) for lead, text in sheet.appendix()]
        story += [Gap(GAP), Unbroken(section(f"Notes on {sheet.name}", notes, between=0.6))]
    return story


def _rows_of_signs(
    signs: Sequence[tuple[str, Swatch | Symbol]], width: float
) -> Iterator[Flowable]:
    """Signs with their names beside them."""
    wide = width / SIGNS
    for first in range(0, len(signs), SIGNS):
        cells = []
        for column, (name, sign) in enumerate(signs[first : first + SIGNS]):
            left, text = column * wide, paragraph(name, styles.PIECE)
            cells.append(Cell(left, sign.WIDE, sign))
            cells.append(Cell(left + sign.WIDE + 3, wide - sign.WIDE - 3, text))
        yield CellRow(cells, above=0, below=0, weight=0)


class _ScenarioSheet:
    """A scenario under the answers chosen, its variants in the catalog, on one size of paper."""

    def __init__(
        self,
        scenario: Scenario,
        catalog: Catalog,
        book: PlasticRulingBook,
        answers: Mapping[str, str],
        page: Leaf,
    ) -> None:
        self.scenario = swapped(scenario, answers)
        self.catalog = catalog.with_variants(self.scenario.variants)
        self.book, self.answers, self.page = book, answers, page
        self.width = page.measure
        self.half = (self.width - GUTTER) / 2
        self.name = f"Scenario {scenario.number}: {scenario.title}"
        order = self.scenario.order_of_play()
        self.looks = looks(order[0], order[1])
        self.maps: list[MapPiece] = []

    def part(self, revision: str | None) -> SheetPart:
        story = self.story()
        footer = [self.name, f"{GAME} by Brett Drake", TABLE_RULES]
        # A plan without room for the footnotes leaves them to the book.
        if self.footnotes and self.footnotes[-1] not in story:
            marks = " ".join(note.mark for note in self.scenario.footnotes)
            footer.append(f"{marks} in the notes of the book of all scenarios")
        return SheetPart(self.page, story, self.name, *footer, revision=revision)

    # -------------------------------------------------------------- blocks

    @cached_property
    def top(self) -> Block:
        """The part above the map."""
        scenario, catalog = self.scenario, self.catalog
        facts = pages.ends(scenario, catalog), pages.size(scenario.table)
        aside = pages.when(scenario.date), scenario.place, " · ".join(facts)
        number, title = str(scenario.number), scenario.title.upper()
        band = TitleBand("Scenario", number, title, *aside, least=TitleBand.FLAT)
        situation = paragraph(scenario.situation, styles.PLAY, lead="SITUATION")
        victory = paragraph(scenario.victory.text, styles.LEAD, lead="VICTORY")
        # Situation and victory are not equally long: of several divisions the lowest is taken.
        ways = [halves([situation], [Panel(victory)], self.width, share) for share in SITUATION]
        return [band, Gap(CLOSE_GAP), min(ways, key=self._height_of)]

    def _height_of(self, flowable: Flowable) -> float:
        return height_of(flowable, self.width)

    @cached_property
    def laying(self) -> Block:
        """Instructions for laying the table, and notes on our own additions to the map."""
        field, table = self.scenario.map, self.scenario.table
        if field is None:
            return []
        lines = [
            (f"{name}:", f"{places}.")
            for name, places in features(field, (table.width_in, table.depth_in))
        ]
        if lines:
            lines.insert(0, ("Lay the table", "(squares, about how many inches)."))
        if field.note:
            note = field.note
            if not note.startswith(OURS):
                note = f"{OURS}. {note}"
            lines.append(("Map:", note))
        return [Gap(1.6), terms(lines, styles.LAYING)]

    @cached_property
    def rules(self) -> list[Flowable]:
        """The special rules: as sentences, as limits, as events, and as units of its own."""
        scenario, catalog = self.scenario, self.catalog
        rules: list[Flowable] = []
        for rule in scenario.special_rules:
            rules.append(paragraph(rule.text, styles.PLAY, lead=f"{rule.name}."))
        for limit in scenario.limits:
            who, text = pages.limited(limit, scenario, catalog)
            rules.append(paragraph(text, styles.PLAY, lead=f"{who}."))
        for happening in pages.unruled(scenario):
            lead = f"{pages.lead(happening, catalog)}."
            rules.append(paragraph(happening.text, styles.PLAY, lead=lead))
            if isinstance(happening, DrawTable):
                for draw, rows in pages.draws(happening, catalog):
                    rules.append(terms([(f"Draw {draw}:", ""), *rows], styles.PLAY))
        for name, text in pages.own_units(scenario, catalog, self.answers):
            rules.append(paragraph(text, styles.SMALL, lead=f"{name}."))
        return rules

    @cached_property
    def blocks(self) -> list[Block]:
        """Special rules, open questions, and every ruling that differs from its default."""
        questions = self.scenario.questions()
        # Where the source itself leaves a choice to the players it is not silent.
        silent = ""
        if questions and not any(question.chosen for question in questions):
            silent = "the source is silent"
        settle = [self._settle(question) for question in questions]
        departures = []
        for ruling, _ in self.book.departures(self.answers):
            text = f"{ruling.question} {ruling.answers[self.answers[ruling.id]]}"
            lead = f"{ruling.id} {ruling.title} (not the default answer)."
            departures.append(paragraph(text, lead=lead))
        return [
            section("Special rules", self.rules, between=0.8),
            section("Settle before play", settle, silent),
            section("Rulings", departures, "where the rules leave a gap"),
        ]

    def _settle(self, question: AskAtSetup) -> SettleLine:
        who = ""
        if question.side:
            who = f"{pages.nation(question.side, self.catalog)}."
        name = f"write-{self.scenario.number}-settled-{question.id}"
        field = FormField(name, f"Settled: {question.question}")
        proposal = pages.proposal(question, self.catalog)
        return SettleLine(question.question, proposal, who, field)

    @cached_property
    def history(self) -> Block:
        story = paragraph(self.scenario.history, styles.ASIDE)
        return [Head("What happened"), Gap(0.8 * MM), story]

    @cached_property
    def footnotes(self) -> Block:
        """Contradictions and gaps of the source."""
        notes = [(note.mark, note.text) for note in self.scenario.footnotes]
        if not notes:
            return []
        return [Gap(CLOSE_GAP), terms(notes, styles.NOTE)]

    def appendix(self) -> list[tuple[str, str]]:
        """The notes at the end of a book: notes, default rulings, sources."""
        scenario = self.scenario
        # Those that differ from their defaults stand on the page itself.
        changed = {ruling.id for ruling, _ in self.book.departures(self.answers)}
        default = []
        for name in scenario.rulings:
            if name not in changed:
                default.append(f"{name} {self.book.rulings[name].title}")
        notes = [("What happened:", scenario.history)]
        for note in scenario.footnotes:
            notes.append((note.mark, note.text))
        if default:
            notes.append(("Rulings at their defaults:", f"{'; '.join(default)}."))
        notes.append(("Sources:", f"{'; '.join(scenario.sources)}."))
        return notes

    # -------------------------------------------------------------- the page

    def story(self) -> Block:
        """All on one page, with history and footnotes if the map can stay large enough; else
        everything in sequence."""
        for plan in PLANS:
            story = self._one_page(plan)
            if story is not None:
                return story
        return self._several_pages()

    def _one_page(self, plan: PagePlan) -> Block | None:
        """The story of a page; None where it does not fit, or with too small a map."""
        below = self._below(history=plan.history)
        notes: Block = []
        if plan.footnotes:
            notes = self.footnotes
        # The two gaps are those that ``_in_order`` puts above and below the map.
        used = depth([*self.top, *below, *notes, *self.laying], self.width) + 2 * CLOSE_GAP
        # The map takes what all the others leave; whether that is enough is then seen.
        drawn = self._map(self.page.depth - used)
        if depth(drawn, self.width) + used > self.page.depth:
            return None
        for piece in drawn:
            if INCH / piece.scale(self.width) > plan.smallest:
                return None
        # The footnotes stand at the foot of the page, however little is above them.
        below.append(Spring(depth(notes, self.width)))
        return self._in_order(drawn, below, notes)

    def _several_pages(self) -> Block:
        return self._in_order(self._map(FOLLOWED), self._below(history=True), self.footnotes)

    def _in_order(self, drawn: Sequence[MapPiece], below: Block, notes: Block) -> Block:
        return [
            *self.top,
            Gap(CLOSE_GAP),
            *drawn,
            *self.laying,
            Gap(CLOSE_GAP),
            *below,
            *notes,
        ]

    def _map(self, tallest: float) -> list[MapPiece]:
        """The map, if there is one; ``maps`` holds the last that was made, which is printed."""
        self.maps = []
        if self.scenario.map:
            self.maps = [MapPiece(self.scenario, tallest=tallest)]
        return self.maps

    def _below(self, *, history: bool) -> Block:
        """The part below the map, as low as possible: special rules in one of the two columns, or
        in both below their head; the turn track in one, if it fits, or below."""
        rules, *others = self.blocks
        if history:
            others.append(self.history)
        columns = in_two_columns(([], []), [[rule] for rule in self.rules], self.half, 1.4)
        wide_rules = section("Special rules", [halves(*columns, self.width)])
        track = turn_track(self.scenario, self.catalog, self.looks)
        ways = [
            self._columns([rules, *others], [track]),
            self._columns(others, [wide_rules, track]),
        ]
        # The cells of a long track would be too small to tick in a column.
        if all(row.fits(self.half) for row in track if isinstance(row, TurnTrack)):
            ways.append(self._columns([rules, *others, track], []))
            ways.append(self._columns([*others, track], [wide_rules]))
        return min(ways, key=self._depth_of)

    def _depth_of(self, story: Block) -> float:
        return depth(story, self.width)

    def _columns(self, inside: Sequence[Block], below: Sequence[Block]) -> Block:
        """The forces in two columns with the blocks that stand ``inside`` these, others below."""
        blocks = [block for block in inside if block]
        pair = in_two_columns(self.forces, blocks, self.half, CLOSE_GAP)
        story: Block = [halves(*pair, self.width)]
        for block in below:
            story += [Gap(CLOSE_GAP), *block]
        return story

    @cached_property
    def forces(self) -> Pair:
        scenario = self.scenario
        first, second = (scenario.side(side) for side in scenario.order_of_play())
        return (
            forces(scenario, first, self.catalog, self.looks[0], self.half),
            forces(scenario, second, self.catalog, self.looks[1], self.half),
        )


# ------------------------------------------------------------------ orders of battle

_SIGN = Symbol.WIDE + 2.4
"""The width of a unit's sign with the space after it."""
_BOXES = 26.8 * MM
"""How far from the left end the boxes of a line begin at least, so that most stand in one line."""
_RING = 5.4 * MM
"""The width of a ring with the space after it."""
_ABOVE, _BELOW = 0.4, 0.3
_LINE = Boxes.LEAD + _ABOVE + _BELOW
_APART = 7.0
"""Points between the units of a line."""


def forces(
    scenario: Scenario, side: ScenarioSide, catalog: Catalog, look: SideInk, width: float
) -> list[Flowable]:
    """The block of a side; codes run through all of it, including the proposed answers to questions
    before play. Small units share a line."""
    muster = Muster(catalog)
    groups = []
    for group in side.contingents:
        units = muster.next(group.units)
        options = [muster.one_of(choice.one_of) for choice in group.choices]
        groups.append(_CodedGroup(group, units, options))
    settled = []
    # Units that our proposal would add have codes, too, so that the sheet serves if it is taken.
    for question in scenario.questions():
        counts = proposed(question)
        if question.side == side.id and counts:
            settled.append((question.id, muster.next(counts)))

    box = box_width(_all_codes(groups, [units for _, units in settled]))
    people = nation(side.id, catalog)
    painter = _SidePainter(catalog, box, width, f"{scenario.number}-{side.id}", look, people)
    pieces: list[Flowable] = [
        Head(people, role(side, scenario), look.ink),
        with_next(paragraph(side.name, styles.FORCE, aside=_counted(scenario, side, catalog))),
    ]
    for group, coded, choices in groups:
        pieces += painter.opening(
            group.entry.letters, group.called, f"{entry(group)}.", group.deploy
        )
        pieces += painter.lines([painter.unit(unit, codes) for unit, codes in coded.items()])
        for number, choice in enumerate(choices, 1):
            pieces += painter.choice(choice, group.called, f"{group.id}-{number}")
        pieces += painter.lines(
            [painter.work(group.id, work, count) for work, count in group.works.items()]
        )
    for name, units in settled:
        pieces += painter.opening((), name.capitalize(), "as settled before play")
        pieces += painter.lines([painter.unit(unit, codes, NEW) for unit, codes in units.items()])
    return pieces


class _CodedGroup(NamedTuple):
    """A contingent with the codes of its units; ``choices``: the codes of the units of each option
    of each of its choices."""

    group: ScenarioContingent
    units: Mapping[str, Codes]
    choices: Sequence[Sequence[Mapping[str, Codes]]]


def _all_codes(
    groups: Iterable[_CodedGroup], settled: Iterable[Mapping[str, Codes]]
) -> Iterator[str]:
    """The codes of a side in their order of battle."""
    coded = []
    for group in groups:
        coded.append(group.units)
        for options in group.choices:
            coded += options
    coded += settled
    for units in coded:
        for codes in units.values():
            yield from codes


def _counted(scenario: Scenario, side: ScenarioSide, catalog: Catalog) -> str:
    """Points and strength of a side, and what it has besides."""
    points, strength = span(side.points(catalog)), span(side.pdg(catalog))
    counted = f"{points} pts, strength {strength}"
    more = besides(scenario, side.id)
    if more:
        counted += f", besides {' and '.join(more)}"
    return counted


def proposed(asked: AskAtSetup) -> dict[str, int]:
    """The units that our proposed answer adds."""
    match asked.proposal:
        case dict(counts):
            return counts
        case int(count) if asked.unit:
            return {asked.unit: count}
    return {}


class Item(NamedTuple):
    """A unit or work with its count, its boxes, and its sign."""

    text: str
    boxes: Boxes
    sign: Symbol | None


class _SidePainter(NamedTuple):
    """Makes what is printed of a side's units. ``box``: the width of a box, ``width`` that of the
    column; ``whose``: the scenario and the side in the names of form fields; ``people``: the side's
    name in tooltips."""

    catalog: Catalog
    box: float
    width: float
    whose: str
    look: SideInk
    people: str

    def opening(
        self, tags: Sequence[str], called: str, comes: str, deploy: str = ""
    ) -> list[Flowable]:
        """The line above the units of a contingent: its letters, its name, when it comes and where
        it sets up."""
        tag = SideLetters(tags, self.look)
        text = paragraph(comes, styles.PLAY, lead=called, aside=deploy)
        cells = [Cell(0, tag.taken, tag), Cell(tag.taken, self.width - tag.taken, text)]
        return [with_next(CellRow(cells, above=1.4, below=0, weight=0))]

    def lines(self, items: Sequence[Item], ring: Ring | None = None) -> list[CellRow]:
        """Units side by side as far as there is room, with further boxes below them from the left;
        behind the ``ring`` of their option, if they belong to one."""
        rows = _ItemRows(self.width, ring)
        for item in items:
            rows.add(item)
        return rows.finished()

    def choice(
        self, options: Sequence[Mapping[str, Codes]], group: str, which: str
    ) -> list[Flowable]:
        """The options of a choice of a ``group``, a ring to tick before each; ``which`` it is."""
        words = "One of these:"
        if len(options) == 2:
            words = "Either of these:"
        rows: list[Flowable] = [Gap(1.2, keep=True), with_next(paragraph(words, styles.ASIDE))]
        for number, option in enumerate(options, 1):
            name = f"choose-{self.whose}-{which}"
            chosen = FormField(name, f"{self.people}, {group}: which of these")
            units = []
            for unit, codes in option.items():
                units.append(self.unit(unit, codes, option=f"{which}-{number}-"))
            rows += self.lines(units, Ring(chosen, number))
        return rows

    def unit(self, unit: str, codes: Codes, marks: Marks = NONE, option: str = "") -> Item:
        """``option``: the option it belongs to, since the options of a choice share codes."""
        kind = self.catalog.units[unit]
        boxes = []
        for code in codes:
            field = FormField(
                f"tick-{self.whose}-{option}{code}", f"{self.people} {kind.name} {code}"
            )
            boxes.append(Box(code, marks, field))
        return self._item(kind.name, boxes, Symbol(kind, self.look.ink))

    def work(self, group: str, work: str, count: int) -> Item:
        """Works of a contingent, which have no codes."""
        name = self.catalog.works[work].name
        boxes = []
        for number in range(1, count + 1):
            field = FormField(
                f"tick-{self.whose}-{group}-{work}-{number}", f"{self.people} {name} {number}"
            )
            boxes.append(Box("", NONE, field))
        return self._item(name, boxes)

    def _item(self, name: str, boxes: Sequence[Box], sign: Symbol | None = None) -> Item:
        return Item(f"{name} × {len(boxes)}", Boxes(boxes, self.box), sign)


class _ItemRows:
    """Fills rows of a column with units, from left to right."""

    def __init__(self, width: float, ring: Ring | None) -> None:
        self.width, self.ring = width, ring
        self.begin = 0.0
        """Where a row begins: behind the ring, also where that stands in the row above."""
        self.rows: list[CellRow] = []
        self.cells: list[Cell] = []
        if ring:
            self.begin = _RING
            self.cells.append(Cell(0, _RING, ring))
        self.x = self.begin
        """Where the next unit begins in the row."""

    def add(self, item: Item) -> None:
        """Adds a unit to the row, or to a new one where its name and all its boxes have no room."""
        label = min(line_width(item.text, styles.PIECE) + 4, _BOXES)
        if item.sign:
            label += _SIGN
        if self.x > self.begin and self.x + label + item.boxes.across > self.width:
            self._end_row()

        boxes_begin = self.x + label
        if self.x == self.begin:
            boxes_begin = max(boxes_begin, self.begin + _BOXES)
        if item.sign:
            self.cells.append(Cell(self.x, _SIGN, item.sign))
            self.x, label = self.x + _SIGN, label - _SIGN
        self.cells.append(Cell(self.x, label, paragraph(item.text, styles.PIECE)))
        self._add_boxes(item.boxes, boxes_begin)

    def _add_boxes(self, boxes: Boxes, left: float) -> None:
        """Adds boxes from ``left`` on, and those that have no room there in rows of their own."""
        parts = boxes.split(self.width - left, Boxes.LEAD)
        while parts:
            fitting, boxes = parts
            self.cells.append(Cell(left, self.width - left, fitting))
            self._end_row()
            # A name is not parted from the second row of its boxes.
            self.rows[-1].keepWithNext = left > self.begin
            left = self.begin
            parts = boxes.split(self.width - left, Boxes.LEAD)
        self.cells.append(Cell(left, self.width - left, boxes))
        self.x = left + boxes.across + _APART

    def _end_row(self) -> None:
        self.rows.append(CellRow(self.cells, above=_ABOVE, below=_BELOW, weight=0))
        self.x, self.cells = self.begin, []

    def finished(self) -> list[CellRow]:
        """All rows, the last with a rule below; those of an option are held together by the bracket
        of its ring."""
        if self.cells:
            self._end_row()
        if self.rows:
            self.rows[-1].weight = HAIR
        if self.ring and len(self.rows) > 1:
            self.ring.bracket = len(self.rows) * _LINE
            for row in self.rows[:-1]:
                row.keepWithNext = True
        return self.rows
