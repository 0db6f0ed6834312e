"""The scenario sheet, and all of them bound as a book.

Title, situation, victory and facts stand above the map, forces in two columns below it, one a side.
Special rules, what to settle and what happened go below them, each to the column that keeps the
page shortest, then the turn track; footnotes, default rulings and sources close the page. A smaller
map, and short lines of units side by side, may keep all of it to one page; history and footnotes
that find no room there are notes at the end of the book."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from skirmish import library
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.games.plastic.scenarios import pages
from skirmish.games.plastic.scenarios.laying import features
from skirmish.games.plastic.scenarios.order_of_battle import ScenarioSide
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
    shared,
    with_next,
)
from skirmish.sheets.layout.fonts import ITALIC
from skirmish.sheets.layout.pages import PdfDocument, SheetPart, as_pdf
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.symbols import Symbol
from skirmish.sheets.layout.tables import Cells, facts, printed_table
from skirmish.sheets.layout.text import line_width, paragraph, terms
from skirmish.sheets.maps.scenario_map import MapPiece, Swatch, Thumbnail
from skirmish.sheets.paper import CLOSE_GAP, GAP, GUTTER, HAIR, MM, Leaf
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
PLANS = ((True, True, 14.0), (False, True, 15.0), (False, False, 20.0))
"""Whether history and footnotes are on the page, and the least size of its map then."""
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
    Several are to be bound: a list of them, then each with a bookmark, its two pages facing one
    another if it has two.

    ``answers`` are rulings answered otherwise than by default; units and clock follow them. Raises
    ValueError (a sentence) for an answer that does not exist.
    """
    catalog, book = catalog or library.catalog(), book or library.rulings()
    chosen = book.answered(answers or {})
    chapters = library.scenarios().values() if scenarios is None else scenarios
    sheets = [_Sheet(one, catalog, book, chosen, page) for one in chapters]
    if len(sheets) == 1:
        (sheet,) = sheets
        return PdfDocument(sheet.name, f"{GAME}: scenario", [sheet.part(revision)], AUTHOR)
    parts = [sheet.part(revision) for sheet in sheets]
    for number, sheet in enumerate(sheets, 1):
        for piece in sheet.maps:
            piece.form = f"map{number}"
    starts = [FRONT + sum(len(part.pages) for part in parts[:at]) for at in range(len(parts))]
    parts[:0] = [
        SheetPart(page, _cover(sheets, page), "", GAME, revision=revision),
        SheetPart(page, _contents(sheets, starts, page), "Contents", GAME, revision=revision),
    ]
    parts.append(SheetPart(page, _notes(sheets, page), "Notes", "Notes", GAME, revision=revision))
    return PdfDocument(f"{GAME}: the scenarios", f"{GAME}: scenarios", parts, AUTHOR, True)


def _cover(sheets: Sequence[_Sheet], page: Leaf) -> Block:
    years = sorted({sheet.scenario.date[:4] for sheet in sheets})
    span = "–".join(dict.fromkeys((years[0], years[-1])))
    about = "The scenarios", span, "Rules and scenarios by Brett Drake"
    title = TitleBand("Scenarios", str(len(sheets)), GAME.upper(), *about, least=COVER)
    shown = [Thumbnail(piece, page.measure) for sheet in sheets[-1:] for piece in sheet.maps]
    counts = sheets[0].catalog.strength
    strength = f"strength is {counts.guy} for each guy and {counts.model} for each model."
    points = ("Points, strength", f"Points are list prices without works; {strength}")
    guide = facts([*GUIDE, points], page.measure, 24, 4)
    credits = paragraph(CREDITS, styles.LEAD)
    story = [title, Gap(2 * GAP), *shown, Gap(2 * GAP), Head("How to read a sheet"), Gap(MM), guide]
    return [*story, Spring(depth([credits], page.measure)), credits]


def _contents(sheets: Sequence[_Sheet], starts: Sequence[int], page: Leaf) -> Block:
    """One line per scenario, with a link to its page."""
    each = page.measure / MM
    places = (
        ("", THUMB, LARGE),
        ("", 0.07 * each, LARGE),
        ("Scenario", 0, styles.FORCE),
        ("When and where", 0.21 * each, styles.TEXT),
        ("Who begins, and against whom", 0.18 * each, styles.TEXT),
        ("Turns", 0.08 * each, styles.TEXT),
        ("Page", 0.06 * each, styles.FIGURE),
    )
    rows: list[Cells] = []
    for sheet, start in zip(sheets, starts, strict=True):
        scenario, catalog = sheet.scenario, sheet.catalog
        order, end = scenario.order_of_play(), scenario.ends_after
        points = [pages.span(scenario.side(side).points(catalog)) for side in order]
        sides = [paragraph(f"{pages.nation(side, catalog)}, {cost} points")
                 for side, cost in zip(order, points, strict=True)]  # fmt: skip
        when = paragraph(pages.when(scenario.date))
        where = paragraph(scenario.unmarked(scenario.place), styles.SMALL)
        aside = styles.TEXT._replace(face=ITALIC)
        title = paragraph(scenario.title, styles.FORCE), paragraph(scenario.tagline, aside)
        turns = str(end.turn) if end else pages.ends(scenario, catalog)
        maps = [Thumbnail(piece, page.measure) for piece in sheet.maps]
        rows.append([maps, str(scenario.number), title, [when, where], sides, turns, str(start)])
    links = [("DESTINATION", (0, at), (2, at), f"sheet{at + FRONT - 2}page0")
             for at, _ in enumerate(sheets, 1)]  # fmt: skip
    table = printed_table(
        page.measure, places, rows, air=1.5, tinted=False, pad=0, between=3 * MM, more=links
    )
    return [Head("Contents"), table]


def _notes(sheets: Sequence[_Sheet], page: Leaf) -> Block:
    """The key of all maps and units, then the notes of each scenario."""
    used = {unit for sheet in sheets for side in sheet.scenario.sides
            for group in side.contingents for unit in group.most()}  # fmt: skip
    units = [unit for unit in sheets[0].catalog.units.values() if unit.id in used]
    maps = [piece for sheet in sheets for piece in sheet.maps]
    swatches = {name: Swatch(piece, sample) for piece in maps for name, sample in piece.key}
    symbols = [(unit.name, Symbol(unit)) for unit in units]
    story: Block = [Head("Key", "of all maps")]
    wide = page.measure / SIGNS
    for signs in (sorted(swatches.items()), symbols):
        story.append(Gap(MM))
        for at in range(0, len(signs), SIGNS):
            cells = [cell for place, (name, sign) in enumerate(signs[at : at + SIGNS])
                     for cell in (Cell(place * wide, sign.WIDE, sign),
                                  Cell(place * wide + sign.WIDE + 3, wide - sign.WIDE - 3,
                                       paragraph(name, styles.PIECE)))]  # fmt: skip
            story.append(CellRow(cells, above=0, below=0, weight=0))
    for sheet in sheets:
        notes = [paragraph(text, styles.SMALL, lead=lead) for lead, text in sheet.appendix()]
        story += [Gap(GAP), Unbroken(section(f"Notes on {sheet.name}", notes, between=0.6))]
    return story


class _Sheet:
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
        marks = " ".join(note.mark for note in self.scenario.footnotes)
        noted = not marks or self.footnotes[-1] in story
        footer = [self.name, f"{GAME} by Brett Drake", TABLE_RULES]
        footer += [] if noted else [f"{marks} in the notes of the book of all scenarios"]
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
        ways = [halves([situation], [Panel(victory)], self.width, share) for share in SITUATION]
        return [band, Gap(CLOSE_GAP), min(ways, key=lambda way: way.height_at(self.width))]

    @cached_property
    def laying(self) -> Block:
        """Instructions for laying the table, and notes on our own additions to the map."""
        field, table = self.scenario.map, self.scenario.table
        if field is None:
            return []
        laid = [(f"{name}:", f"{places}.") for name, places in
                features(field, (table.width_in, table.depth_in))]  # fmt: skip
        lead = [("Lay the table", "(squares, about how many inches).")] if laid else []
        note = (
            field.note if not field.note or field.note.startswith(OURS) else f"{OURS}. {field.note}"
        )
        return [Gap(1.6), terms([*lead, *laid, *([("Map:", note)] if note else [])], styles.LAYING)]

    @cached_property
    def rules(self) -> list[Flowable]:
        scenario, catalog = self.scenario, self.catalog
        found = [
            paragraph(rule.text, styles.PLAY, lead=f"{rule.name}.")
            for rule in scenario.special_rules
        ]
        for limit in scenario.limits:
            who, text = pages.limited(limit, scenario, catalog)
            found.append(paragraph(text, styles.PLAY, lead=f"{who}."))
        for happening in pages.unruled(scenario):
            lead = f"{pages.lead(happening, catalog)}."
            found.append(paragraph(happening.text, styles.PLAY, lead=lead))
            if isinstance(happening, DrawTable):
                draws = pages.draws(happening, catalog)
                found += [terms([(f"Draw {at}:", ""), *rows], styles.PLAY) for at, rows in draws]
        for name, text in pages.own_units(scenario, catalog, self.answers):
            found.append(paragraph(text, styles.SMALL, lead=f"{name}."))
        return [*found]

    @cached_property
    def blocks(self) -> list[Block]:
        """Special rules, open questions, and every ruling that differs from its default."""
        asked = self.scenario.questions()
        silent = asked and not any(one.chosen for one in asked)
        settle = []
        for one in asked:
            who = f"{pages.nation(one.side, self.catalog)}." if one.side else ""
            name = f"write-{self.scenario.number}-settled-{one.id}"
            own = FormField(name, f"Settled: {one.question}")
            proposal = pages.proposal(one, self.catalog)
            settle.append(SettleLine(one.question, proposal, who, own))
        departures = (
            paragraph(
                f"{ruling.question} {ruling.answers[self.answers[ruling.id]]}",
                lead=f"{ruling.id} {ruling.title} (not the default answer).",
            )
            for ruling, _ in self.book.departures(self.answers)
        )
        return [
            section("Special rules", self.rules, between=0.8),
            section("Settle before play", settle, "the source is silent" if silent else ""),
            section("Rulings", departures, "where the rules leave a gap"),
        ]

    @cached_property
    def history(self) -> Block:
        story = paragraph(self.scenario.history, styles.ASIDE)
        return [Head("What happened"), Gap(0.8 * MM), story]

    @cached_property
    def footnotes(self) -> Block:
        """Contradictions and gaps of the source."""
        notes = [(note.mark, note.text) for note in self.scenario.footnotes]
        return [Gap(CLOSE_GAP), terms(notes, styles.NOTE)] if notes else []

    def appendix(self) -> list[tuple[str, str]]:
        """The notes at the end of a book: notes, default rulings, sources."""
        scenario = self.scenario
        changed = {ruling.id for ruling, _ in self.book.departures(self.answers)}
        rulings = (self.book.rulings[name] for name in scenario.rulings if name not in changed)
        default = "; ".join(f"{ruling.id} {ruling.title}" for ruling in rulings)
        found = [("What happened:", scenario.history)]
        found += [(note.mark, note.text) for note in scenario.footnotes]
        found += [("Rulings at their defaults:", f"{default}.")] if default else []
        return [*found, ("Sources:", f"{'; '.join(scenario.sources)}.")]

    # -------------------------------------------------------------- the page

    def story(self) -> Block:
        """All on one page, with history and footnotes if the map can stay large enough; else
        everything in sequence."""
        for history, noted, smallest in PLANS:
            below, notes = self._below(history=history), self.footnotes if noted else []
            used = depth([*self.top, *below, *notes, *self.laying], self.width) + 2 * CLOSE_GAP
            map_at = self._map(self.page.depth - used)
            if depth(map_at, self.width) + used <= self.page.depth and (
                not map_at or 72 / map_at[0].scale(self.width) <= smallest
            ):
                below.append(Spring(depth(notes, self.width)))
                break
        else:
            below, notes = self._below(history=True), self.footnotes
            map_at = self._map(FOLLOWED)
        return [*self.top, Gap(CLOSE_GAP), *map_at, *self.laying, Gap(CLOSE_GAP), *below, *notes]

    def _map(self, tallest: float) -> Block:
        self.maps = [MapPiece(self.scenario, tallest=tallest)] if self.scenario.map else []
        return [*self.maps]

    def _below(self, *, history: bool) -> Block:
        """The part below the map, as low as possible: special rules in one of the two columns, or
        in both below their head; the turn track in one, if it fits, or below."""
        rules, *others = self.blocks
        others += [self.history] if history else []
        apart = shared(([], []), [[one] for one in self.rules], self.half, 1.4)
        both = section("Special rules", [halves(*apart, self.width)])
        track = turn_track(self.scenario, self.catalog, self.looks)
        plans = [([rules, *others], [track]), (others, [both, track])]
        if all(row.fits(self.half) for row in track if isinstance(row, TurnTrack)):
            plans += [([rules, *others, track], []), ([*others, track], [both])]
        ways: list[Block] = []
        for inside, below in plans:
            pair = shared(self.forces, [one for one in inside if one], self.half, CLOSE_GAP)
            ways.append([halves(*pair, self.width)])
            for block in below:
                ways[-1] += [Gap(CLOSE_GAP), *block]
        return min(ways, key=lambda way: depth(way, self.width))

    @cached_property
    def forces(self) -> Pair:
        scenario = self.scenario
        first, second = map(scenario.side, scenario.order_of_play())
        return (
            forces(scenario, first, self.catalog, self.looks[0], self.half),
            forces(scenario, second, self.catalog, self.looks[1], self.half),
        )


# ------------------------------------------------------------------ orders of battle

_NAME, _BOXES = Symbol.WIDE + 2.4, 26.8 * MM
_RING = 5.4 * MM
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
    groups = [
        (group, muster.next(group.units), [muster.one_of(one.one_of) for one in group.choices])
        for group in side.contingents
    ]
    asked = [(one, muster.next(counts)) for one in scenario.questions()
             if one.side == side.id and (counts := proposed(one))]  # fmt: skip
    every = [units for _, units, ways in groups for units in (units, *chain.from_iterable(ways))]
    every += [units for _, units in asked]
    box = box_width(code for units in every for row in units.values() for code in row)
    people = nation(side.id, catalog)
    block = _Block(catalog, box, width, f"{scenario.number}-{side.id}", look, people)
    points, strength = (span(bounds(catalog)) for bounds in (side.points, side.pdg))
    counted = f"{points} pts, strength {strength}"
    if more := besides(scenario, side.id):
        counted += f", besides {' and '.join(more)}"
    pieces: list[Flowable] = [
        Head(people, role(side, scenario), look.ink),
        with_next(paragraph(side.name, styles.FORCE, aside=counted)),
    ]
    for group, units, ways in groups:
        pieces += block.opening(group.entry.letters, group.called, f"{entry(group)}.", group.deploy)
        pieces += block.lines([block.unit(unit, codes) for unit, codes in units.items()])
        for index, way in enumerate(ways, 1):
            pieces += block.choice(way, group.called, f"{group.id}-{index}")
        pieces += block.lines([
            block.item(catalog.works[work].name,
                       [("", f"{group.id}-{work}-{at}", str(at)) for at in range(1, count + 1)])
            for work, count in group.works.items()
        ])  # fmt: skip
    for one, units in asked:
        pieces += block.opening((), one.id.capitalize(), "as settled before play")
        pieces += block.lines([block.unit(unit, codes, NEW) for unit, codes in units.items()])
    return pieces


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


class _Block(NamedTuple):
    """``whose``: the scenario and the side in the names of form fields; ``people``: the side's name
    in tooltips."""

    catalog: Catalog
    box: float
    width: float
    whose: str
    look: SideInk
    people: str

    def opening(
        self, tags: Sequence[str], called: str, comes: str, deploy: str = ""
    ) -> list[Flowable]:
        tag = SideLetters(tags, self.look)
        text = paragraph(comes, styles.PLAY, lead=called, aside=deploy)
        cells = [Cell(0, tag.taken, tag), Cell(tag.taken, self.width - tag.taken, text)]
        return [with_next(CellRow(cells, above=1.4, below=0, weight=0))]

    def lines(self, items: Sequence[Item], ring: Ring | None = None) -> list[CellRow]:
        """Units side by side as far as there is room, with further boxes below them from the left;
        behind the ``ring`` of their option, if they belong to one."""
        begin = _RING if ring else 0.0
        rows: list[CellRow] = []
        x, cells = begin, [Cell(0, _RING, ring)] if ring else []

        def flush() -> None:
            nonlocal x, cells
            rows.append(CellRow(cells, above=_ABOVE, below=_BELOW, weight=0))
            x, cells = begin, []

        for item in items:
            text, sign, boxes = paragraph(item.text, styles.PIECE), item.sign, item.boxes
            label = min(line_width(item.text, styles.PIECE) + 4, _BOXES) + (_NAME if sign else 0)
            if x > begin and x + label + boxes.across > self.width:
                flush()
            start = max(x + label, begin + _BOXES) if x == begin else x + label
            if sign:
                cells.append(Cell(x, _NAME, sign))
                x, label = x + _NAME, label - _NAME
            cells.append(Cell(x, label, text))
            while parts := boxes.split(self.width - start, Boxes.LEAD):
                boxes = parts[1]
                cells.append(Cell(start, self.width - start, parts[0]))
                flush()
                rows[-1].keepWithNext = start > begin
                start = begin
            cells.append(Cell(start, self.width - start, boxes))
            x = start + boxes.across + _APART
        if cells:
            flush()
        for row in rows[-1:]:
            row.weight = HAIR
        if ring:
            ring.bracket = len(rows) * _LINE if len(rows) > 1 else 0
            for row in rows[:-1]:
                row.keepWithNext = True
        return rows

    def choice(
        self, coded: Sequence[Mapping[str, Codes]], group: str, which: str
    ) -> list[Flowable]:
        """The options of a choice of a ``group``, a ring to tick before each; ``which`` it is."""
        words = "Either of these:" if len(coded) == 2 else "One of these:"
        rows: list[Flowable] = [Gap(1.2, keep=True), with_next(paragraph(words, styles.ASIDE))]
        for number, option in enumerate(coded, 1):
            name = f"choose-{self.whose}-{which}"
            chosen = FormField(name, f"{self.people}, {group}: which of these")
            units = [self.unit(unit, codes, option=f"{which}-{number}-")
                     for unit, codes in option.items()]  # fmt: skip
            rows += self.lines(units, Ring(chosen, number))
        return rows

    def unit(self, unit: str, codes: Codes, marks: Marks = NONE, option: str = "") -> Item:
        """``option``: the option it belongs to, since the options of a choice share codes."""
        kind = self.catalog.units[unit]
        named = [(code, f"{option}{code}", code) for code in codes]
        return self.item(kind.name, named, marks, Symbol(kind, self.look.ink))

    def item(
        self,
        name: str,
        named: Sequence[tuple[str, str, str]],
        marks: Marks = NONE,
        sign: Symbol | None = None,
    ) -> Item:
        """``named``: each box's code, the end of its field's name, and that of its tooltip."""
        boxes = [
            Box(code, marks, FormField(f"tick-{self.whose}-{id}", f"{self.people} {name} {own}"))
            for code, id, own in named
        ]
        return Item(f"{name} × {len(boxes)}", Boxes(boxes, self.box), sign)
