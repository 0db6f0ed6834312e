"""All scenarios as a book of spreads: on the left the situation, the map upright at an inch to the
foot and how to set up, on the right everything else. Before them cover, colophon, title page,
introduction, contents and how to play in two pages; at the end the notes, which are history and
sources, and the rulings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from math import isclose
from typing import NamedTuple

from skirmish import library, resources
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.games.plastic.scenarios import pages
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.sheets import inks
from skirmish.sheets.inks import InkUse, SideInk
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import RuleHead, SideLetters, TitleSize
from skirmish.sheets.layout.drawing import Canvas, Drawing, rule
from skirmish.sheets.layout.flow import (
    Block,
    Cell,
    Flowable,
    Gap,
    NewPage,
    Pair,
    SideBySide,
    Spring,
    Stack,
    Unbroken,
    depth,
    halves,
    height_of,
    in_reading_order,
    in_two_columns,
)
from skirmish.sheets.layout.fonts import BODY, HEAD, ITALIC, LABEL, MEDIUM, TITLE
from skirmish.sheets.layout.pages import PdfDocument, SheetPart, bookmark, bound
from skirmish.sheets.layout.press import booklet_scale, draw_as_booklet, draw_with_bleed
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.tables import Cells, SheetColumn, printed_table
from skirmish.sheets.layout.text import Text, line_width, paragraph, write
from skirmish.sheets.maps.pen import Pen
from skirmish.sheets.maps.scenario_map import (
    RIM,
    SheetMap,
    Swatch,
    Thumbnail,
    draw_compass,
    palette_of,
)
from skirmish.sheets.paper import BACK_MARGIN, INCH, MM, ROW, STEP, Leaf, leaf_of
from skirmish.sheets.plastic import AUTHOR, GAME
from skirmish.sheets.reference import reference_story
from skirmish.sheets.scenario.content import (
    GUTTER,
    ScenarioContent,
    SheetBand,
    balanced,
    each_with_gap_above,
    headed,
)
from skirmish.sheets.scenario.cover import Cover, number_of_battles
from skirmish.sheets.scenario.lay_table import LayTable
from skirmish.sheets.scenario.weapon_strip import listed
from skirmish.tabletop.measure import CENTIMETRES_AN_INCH, NO_BREAK

RATIO = 12.0
"""The scale of the maps, 1:12: an inch of the map is a foot of the table."""
_EXACT_CENTIMETRES = 2.54
"""Centimetres to an inch on paper. On the table a foot is taken as 30 cm (``CENTIMETRES_AN_INCH``,
2.5)."""
INTRODUCTION, CONTENTS, HOW_TO_PLAY = 3, 4, 5
"""Where these stand among the parts of the book, counted from 0."""
FRONT_PARTS = 6
"""The parts before the first spread: cover, colophon, title page, and the three above."""
_WIDEST_PAGE_NUMBER = 999
"""It stands for all page numbers while they are not known: none is set wider."""
THUMB, SMALL_THUMB = 17.0, 15.6
"""The width of a map in the contents, in mm: on a long page, and on a short one."""
_LONG_PAGE = 740.0
"""Points: a page higher than that, as A4, has room for larger type and maps."""
_SET_UP = Style(BODY, 7.6, 2.25 * STEP)
"""The narrow column beside a map: where everybody sets up."""
_KEY = Style(MEDIUM, 8, 8)
"""The names beside the swatches of a map's key."""
_CONTENTS_NUMBER = Style(styles.FORCE.face, 15, 16, "centre")
"""The number of a scenario in the contents."""
_INTRODUCTION = Style(BODY, 13.8, 20)
"""The text of the introduction."""
_ABOVE_TURN = 1.2
"""Points above each of the notes on the turn."""
_GUIDE = Style(BODY, 10, 12.6)
"""What is said of how to read a spread."""


class _LeftPageType(NamedTuple):
    """How the head of a left page is set: the least height of its band in points, the type of the
    situation, and the points before and after it."""

    band_height: float
    situation: Style
    gap: float


_LONG_LEFT_PAGE = _LeftPageType(58.0, Style(BODY, 11.8, 1.25 * ROW), 11.0)
_SHORT_LEFT_PAGE = _LeftPageType(40.0, Style(BODY, 10.4, 1.05 * ROW), 7.0)
_KEY_PITCHES = (2.75 * STEP, 2.5 * STEP, 2.25 * STEP, 2 * STEP)
"""The heights of a line of the key that are tried, in this order."""


class _EndType(NamedTuple):
    """The type of the notes at the end of the book and of the rulings after them."""

    notes: Style
    rulings: Style


_AT_END = (
    _EndType(Style(BODY, 11, 14.4), Style(BODY, 9.6, 12)),
    _EndType(Style(BODY, 10.4, 13.4), styles.TEXT),
    _EndType(Style(BODY, 9.6, 12.2), styles.QUESTION),
    _EndType(styles.TEXT, styles.SMALL),
    _EndType(styles.SMALL, styles.NOTE),
)
"""Tried in this order: the last, if nothing fits."""
NOTES, RULINGS = "Notes and sources", "Rulings"
"""The titles of what stands at the end."""
NOTES_AND_RULINGS = "Notes, sources and rulings"
"""How a page with both is called."""
TEXTS = "plastic/texts/book.toml"
"""The words of the book, among the data of the program."""


def book_pdf(
    scenarios: Sequence[Scenario],
    catalog: Catalog | None = None,
    rulings: PlasticRulingBook | None = None,
    *,
    paper: str = "a4",
    use: InkUse = "colour",
    form: bool = False,
    answers: Mapping[str, str] | None = None,
    revision: str | None = None,
    bleed: float = 0.0,
    booklet: bool = False,
) -> bytes:
    """The book of these scenarios. ``bleed``: points that the cover is drawn beyond the page, with
    crop marks around; ``booklet``: two pages on each sheet, to be folded in the middle. Raises
    ValueError (a sentence) for an unknown paper or answer, or for a booklet with bleed."""
    if bleed and booklet:
        raise ValueError("a booklet is folded and has no bleed; choose one of the two.")
    page = leaf_of(paper)
    catalog = catalog or library.catalog()
    rulings = rulings or library.rulings()
    answered = rulings.answered(answers or {})
    reduced = 1.0
    if booklet:
        reduced = booklet_scale(page.width, page.height)
    contents = []
    for scenario in scenarios:
        contents.append(ScenarioContent(scenario, catalog, rulings, answered))
    book = _Book(contents, catalog, rulings, page, reduced=reduced, revision=revision)
    document = PdfDocument(
        f"{GAME}: the scenarios",
        f"{GAME}: scenarios",
        book.parts(),
        book.author,
        is_book=True,
    )
    # By default each page is drawn on a sheet of its own size.
    draw_pages: Callable[[Canvas, PdfDocument], None] | None = None
    if bleed:
        draw_pages = partial(draw_with_bleed, bleed=bleed)
    elif booklet:
        draw_pages = draw_as_booklet
    # Fields of a form and links have no place on a sheet that is folded.
    return bound(document, use, form=form and not booklet, draw=draw_pages)


def _printed_scale(ratio: float, reduced: float) -> str:
    """The scale that a map of this ``ratio`` has on paper, where its page is printed smaller than
    it is laid out (``reduced`` is below 1): ``1:17``."""
    return f"1:{ratio / reduced:.3g}"


class _Book:
    """The parts of a book on one size of paper. ``reduced``: the length of a printed page by that
    of the page as it is laid out; below 1 in a booklet, else 1."""

    def __init__(
        self,
        contents: Sequence[ScenarioContent],
        catalog: Catalog,
        rulings: PlasticRulingBook,
        page: Leaf,
        *,
        reduced: float,
        revision: str | None,
    ) -> None:
        self.contents = contents
        self.catalog = catalog
        self.rulings = rulings
        self.reduced = reduced
        self.revision = revision
        self.cover_page = page
        # Inside the book, words keep away from the back, where the pages are bound.
        self.page = page._replace(inner=BACK_MARGIN)
        self.texts = resources.table(TEXTS)
        self.is_own = all(content.scenario.is_own for content in contents)
        if self.is_own:
            # All scenarios are the user's own: other words for what the book says of the scenarios
            # of the rules and of who wrote them. The table was read for this book alone, so it may
            # be changed.
            self.texts |= self.texts["own"]
        self.maps: list[SheetMap | None] = []
        for number, content in enumerate(contents, 1):
            sheet_map = None
            if content.scenario.map:
                sheet_map = SheetMap(content.scenario, RATIO, upright=True)
                # It stands on its page, in the contents and on the cover, and has a name of its own
                # so that the file draws it once.
                sheet_map.drawn_as = f"map{number}"
                sheet_map.stated = _printed_scale(sheet_map.ratio, reduced)
            self.maps.append(sheet_map)

    @property
    def author(self) -> str:
        """The author of the document."""
        if self.is_own:
            return ""
        return f"{AUTHOR} (rules and scenarios)"

    def parts(self) -> list[SheetPart]:
        """Everything in its order: what stands before the spreads, the spreads, notes, rulings."""
        spreads = [_Spread(self, index) for index in range(len(self.contents))]
        scenario_parts = [self._part(spread.story(), spread.content.name) for spread in spreads]
        cover = self._plain([self._cover()])
        # The cover does not shift its words away from the back, as the pages inside do.
        cover.leaf = self.cover_page
        how_to_play = reference_story(self.page, self.catalog, self.rulings, "HOW TO PLAY")
        front = [
            cover,
            self._plain(self._colophon()),
            self._plain(self._title_page()),
            self._part(self._introduction(), "Introduction"),
            self._contents_draft(),
            self._part(how_to_play, "How to play"),
        ]
        assert len(front) == FRONT_PARTS
        after_front = [*scenario_parts, *self._end_parts(spreads)]
        front[CONTENTS] = self._contents_part(_first_pages([*front, *after_front]))
        return [*front, *after_front]

    def _contents_draft(self) -> SheetPart:
        """The contents before the numbers of the pages are known, to learn how many pages they
        take: as many as the final ones."""
        most_at_end = 2  # the notes and the rulings, each as a part of its own
        # One more number than parts: that of the page behind the book (``_first_pages``).
        parts = FRONT_PARTS + len(self.contents) + most_at_end
        return self._contents_part([_WIDEST_PAGE_NUMBER] * (parts + 1))

    def _contents_part(self, first_pages: Sequence[int]) -> SheetPart:
        """The contents of the book; ``first_pages`` are those of ``_first_pages``."""
        story = self._contents(first_pages)
        part = self._part(story, "Contents")
        if len(part.pages) % 2 == 0:
            # How to play and all spreads begin on left pages, so that both pages are seen at once.
            part = self._part([*story, NewPage(), _Space(1)], "Contents")
        return part

    def _part(self, story: Block, name: str) -> SheetPart:
        """A part with that name as its bookmark and at the beginning of its footer."""
        credit = f"{GAME} by {AUTHOR}"
        return SheetPart(self.page, story, name, name, credit, revision=self.revision)

    def _plain(self, story: Block) -> SheetPart:
        """A part without a footer and, as it has no name, without a bookmark."""
        part = SheetPart(self.page, story, "")
        part.has_footer = False
        return part

    def _scenarios(self) -> list[Scenario]:
        return [content.scenario for content in self.contents]

    def _cover(self) -> Cover:
        """The cover, with the last map of the book, the scale of its maps if it has any, and whose
        work it is."""
        maps = [sheet_map for sheet_map in self.maps if sheet_map]
        cover_map = None
        scale = ""
        if maps:
            cover_map = maps[-1]
            scale = "maps at one inch to the foot"
            if self.reduced != 1:
                scale = f"maps at {cover_map.stated}"
        credit = self.texts["credit"]
        # A small first letter: here it stands within a line, on the title page it begins one.
        credit = f"{credit[:1].lower()}{credit[1:]}"
        return Cover(self.cover_page, self._scenarios(), cover_map, facts=(scale, credit))

    # -------------------------------------------------------------- front matter

    def _title_page(self) -> Block:
        """The title in the middle, with the years of the battles; at the foot whose work it is."""
        title = number_of_battles(len(self.contents))
        # Dates are written as 1941-06-22, or shorter where the day is not known.
        years = [content.scenario.date[:4] for content in self.contents]
        lines = [
            _TitleLine(GAME.upper(), Style(HEAD, 13, 13, "centre"), track=4.2),
            Gap(26),
            _TitleLine(title, Style(TITLE, 58, 58, "centre")),
            Gap(18),
            _TitleLine(f"{min(years)} – {max(years)}", Style(MEDIUM, 15, 15, "centre")),
        ]
        credit = _TitleLine(self.texts["credit"], Style(BODY, 12, 12, "centre"))
        return [_Space(210), *lines, Spring(room_below=60), credit]

    def _colophon(self) -> Block:
        """At the foot of its page: which edition it is, how to print it, and a ruler to check the
        print by."""
        revision = self.revision
        if revision is None:
            revision = resources.revision()
        lines = []
        for text in self.texts["colophon"]:
            lines += [paragraph(text.format(revision=revision), styles.TEXT), Gap(5)]
        advice = self.texts["printing"]
        if self.reduced != 1:
            advice = self.texts["folding"].format(ratio=_printed_scale(RATIO, self.reduced))
        lines.append(paragraph(advice, styles.TEXT))
        ruler = _CheckRuler(self.reduced)
        story = [RuleHead("Colophon"), Gap(4), *lines, Gap(6), ruler]
        narrow = 0.62 * self.page.measure
        column = SideBySide([Cell(0, narrow, Stack(story))])
        return [Spring(room_below=height_of(column, self.page.measure)), column]

    def _introduction(self) -> Block:
        """The introduction, and at the foot what is on a spread."""
        texts = self.texts["introduction"]
        band = _head_band("Introduction", self.texts["introduction_aside"])
        lines: Block = []
        for text in texts:
            lines += [paragraph(text, _INTRODUCTION), Gap(7)]
        narrow = 0.84 * self.page.measure
        guide = headed("How to read a spread", self._guide())
        above_the_foot = 20
        return [
            band,
            Gap(16),
            SideBySide([Cell(0, narrow, Stack(lines))]),
            Spring(room_below=depth(guide, self.page.measure) + above_the_foot),
            *guide,
        ]

    def _guide(self) -> list[Flowable]:
        """What is on a spread, a paragraph for each thing, in two columns."""
        strength = self.catalog.strength
        scale = self.texts["ruler"]
        if self.reduced != 1:
            scale = _printed_scale(RATIO, self.reduced)
        words = {"guy": strength.guy, "model": strength.model, "scale": scale}
        lines: list[Flowable] = []
        for name, text in self.texts["guide"].items():
            lines.append(paragraph(text.format(**words), _GUIDE, lead=f"{name}."))
        return balanced(lines, self.page.measure, between=4)

    def _contents(self, first_pages: Sequence[int]) -> Block:
        """A line for each scenario, with its map without words and a link to its page; below them
        the pages around the scenarios. ``first_pages``: as of ``_first_pages``."""
        millimetres = self.page.measure / MM
        thumb = SMALL_THUMB
        if self.page.depth > _LONG_PAGE:
            thumb = THUMB
        columns = (
            SheetColumn("", thumb, _CONTENTS_NUMBER),
            SheetColumn("", 0.07 * millimetres, _CONTENTS_NUMBER),
            SheetColumn("Scenario", 0, styles.FORCE),
            SheetColumn("When and where", 0.22 * millimetres, styles.TEXT),
            SheetColumn("Who begins, and against whom", 0.2 * millimetres, styles.TEXT),
            SheetColumn("Turns", 0.08 * millimetres, styles.TEXT),
            SheetColumn("Page", 0.06 * millimetres, styles.FIGURE),
        )
        rows: list[Cells] = []
        links = []
        for index in range(len(self.contents)):
            part = FRONT_PARTS + index
            rows.append(self._contents_row(index, first_pages[part]))
            # Map, number and title lead there. Row 0 of the table has the titles of the columns.
            first_cell, last_cell = (0, index + 1), (2, index + 1)
            links.append(("DESTINATION", first_cell, last_cell, bookmark(part)))
        table = printed_table(
            self.page.measure,
            columns,
            rows,
            air=1.8,
            tinted=False,
            pad=0,
            between=3 * MM,
            more=links,
        )
        # Parts are counted from 0, so this is the one behind the last spread.
        part_of_notes = FRONT_PARTS + len(self.contents)
        around_the_scenarios = [
            f"Introduction, page {first_pages[INTRODUCTION]}.",
            f"How to play, page {first_pages[HOW_TO_PLAY]}.",
            f"{NOTES}, page {first_pages[part_of_notes]}.",
        ]
        if self._rulings:
            # They stand in the last part, by themselves or after the notes. The very last number
            # is that of the page behind the book.
            page_of_rulings = first_pages[-2]
            around_the_scenarios.append(f"{RULINGS}, page {page_of_rulings}.")
        below = paragraph(" ".join(around_the_scenarios))
        return [_head_band("Contents"), Gap(8), table, Gap(6), below]

    def _contents_row(self, index: int, first_page: int) -> Cells:
        """The cells for a scenario whose spread begins on that page."""
        content, sheet_map = self.contents[index], self.maps[index]
        scenario, catalog = content.scenario, content.catalog
        sides = []
        for side in scenario.order_of_play():
            points = pages.span(scenario.side(side).points(catalog))
            sides.append(paragraph(f"{pages.nation(side, catalog)}, {points} points"))
        when = paragraph(pages.when(scenario.date))
        where = paragraph(scenario.unmarked(scenario.place), styles.SMALL)
        title = paragraph(scenario.title, styles.FORCE)
        tagline = paragraph(scenario.tagline, styles.TEXT._replace(face=ITALIC))
        turns = "no end"
        if scenario.ends_after:
            turns = str(scenario.ends_after.turn)
        maps = []
        if sheet_map:
            maps.append(Thumbnail(sheet_map))
        number = str(scenario.number)
        return [maps, number, [title, tagline], [when, where], sides, turns, str(first_page)]

    # -------------------------------------------------------------- at the end

    def _end_parts(self, spreads: Sequence[_Spread]) -> list[SheetPart]:
        """Notes and rulings on one page, in the largest type in which it holds them; else each as a
        part of its own in the smallest."""
        for end_type in _AT_END:
            name = NOTES
            together = self._notes(end_type.notes, spreads)
            if self._rulings:
                name = NOTES_AND_RULINGS
                together = [*together, Gap(12), *self._rulings_in(end_type.rulings)]
            if depth(together, self.page.measure) <= self.page.depth:
                return [self._part(together, name)]
        smallest = _AT_END[-1]
        parts = [self._part(self._notes(smallest.notes, spreads), NOTES)]
        if self._rulings:
            parts.append(self._part(self._rulings_in(smallest.rulings), RULINGS))
        return parts

    def _notes(self, style: Style, spreads: Sequence[_Spread]) -> Block:
        """The notes at the end, in two columns: the sources of each scenario, and its history where
        that has found no room on its spread."""
        blocks: list[Block] = []
        for spread in spreads:
            lines: list[Flowable] = []
            for note in spread.appendix():
                lines.append(paragraph(note.text, style, lead=note.lead))
            scenario = spread.content.scenario
            head = f"{scenario.number} {scenario.title}"
            blocks.append([Unbroken(headed(head, lines))])
        return [_head_band(NOTES), Gap(10), self._in_columns(blocks, gap=7)]

    @cached_property
    def _rulings(self) -> dict[str, list[Scenario]]:
        """The rulings that are answered by default, in their order, each with the scenarios that
        need it. Those that are answered otherwise stand on the pages of the scenarios."""
        scenarios: dict[str, list[Scenario]] = {}
        for content in self.contents:
            departures = content.ruling_book.departures(content.answers)
            departed = {ruling.id for ruling, _ in departures}
            for ruling_id in content.scenario.rulings:
                if ruling_id not in departed:
                    scenarios.setdefault(ruling_id, []).append(content.scenario)
        in_order = {}
        for ruling_id in self.rulings.rulings:
            if ruling_id in scenarios:
                in_order[ruling_id] = scenarios[ruling_id]
        return in_order

    def _rulings_in(self, style: Style) -> Block:
        """The rulings at the end, in two columns: each with its question, its answer, and which
        scenarios need it."""
        blocks: list[Block] = []
        for ruling_id, scenarios in self._rulings.items():
            ruling = self.rulings.rulings[ruling_id]
            text = f"{ruling.question} {ruling.answers[ruling.default]}"
            lead = f"{ruling_id}{NO_BREAK}{ruling.title}."
            aside = self._where_needed(scenarios)
            blocks.append([paragraph(text, style, lead=lead, aside=aside)])
        band = _head_band(RULINGS, self.texts["rulings_aside"])
        return [band, Gap(10), self._in_columns(blocks, gap=2)]

    def _where_needed(self, scenarios: Sequence[Scenario]) -> str:
        """Which scenarios need a ruling."""
        if len(scenarios) == len(self.contents):
            return "All scenarios."
        numbers = [str(scenario.number) for scenario in scenarios]
        if len(numbers) == 1:
            return f"Scenario{NO_BREAK}{numbers[0]}."
        return f"Scenarios {listed(numbers)}."

    def _in_columns(self, blocks: Sequence[Block], gap: float) -> Flowable:
        """Blocks in two columns, the left one to be read first."""
        half = (self.page.measure - GUTTER) / 2
        columns = in_reading_order(blocks, half, gap=gap)
        return halves(*columns, self.page.measure, gutter=GUTTER)


def _first_pages(parts: Sequence[SheetPart]) -> list[int]:
    """The number of the page on which each part begins, and at last that of the page after them."""
    first_pages = [1]
    for part in parts:
        first_pages.append(first_pages[-1] + len(part.pages))
    return first_pages


def _head_band(title: str, aside: str = "") -> SheetBand:
    """The band of a page that is no scenario's: without the label and the number of one."""
    return _PageBand("", "", title, aside)


class _PageBand(SheetBand):
    """A title without the block for the number of a scenario."""

    BLOCK = 0.0
    TALL = 15 * MM

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        tall = self.height_at(width)
        with canvas.bar(x, top - tall, width, tall, inks.BAND):
            self._title(width).paint_in_middle(canvas, x + self.PAD, top, tall)
            self._paint_aside(canvas, x + width - self.PAD - self.ASIDE, top, tall)


class _TitleLine(Drawing):
    """A line in the middle of the page, in smaller type if it is too long; ``track``: points
    between its letters."""

    # The lines of a title are not torn apart. ReportLab reads an attribute of this name.
    keepWithNext = True  # noqa: N815

    def __init__(self, text: str, style: Style, track: float = 0.0) -> None:
        self.text, self.style, self.track = text, style, track
        self.TALL = style.size * 1.1

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        style = self.style
        while line_width(self.text, style, self.track) > width:
            style = style._replace(size=style.size - 1)
        write(canvas, x + width / 2, top - style.size * 0.8, self.text, style, track=self.track)


class _Space(Drawing):
    """Empty space of so many points. It stays at the top of a page, where a ``Gap`` vanishes."""

    def __init__(self, tall: float) -> None:
        self.TALL = tall

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        pass


class _CheckRuler(Drawing):
    """An inch and two centimetres, to see whether the pages are printed at their size. Where they
    are printed reduced (``reduced`` is below 1), it is drawn larger, so that an inch of it is an
    inch on paper."""

    TALL = 24.0

    def __init__(self, reduced: float) -> None:
        self.reduced = reduced

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        inch = INCH / self.reduced
        text = Style(MEDIUM, 7.6, 7.6)
        two_centimetres = 2 * inch / _EXACT_CENTIMETRES
        rulers = ((x, inch, "1 inch"), (x + inch + 20, two_centimetres, "2 cm"))
        for left, length, name in rulers:
            rule(canvas, left, left + length, top - 8, 0.8, ink=inks.BLACK)
            for end in (left, left + length):
                canvas.line(end, top - 4, end, top - 12)
            write(canvas, left, top - 20, name, text)


# ------------------------------------------------------------------ a spread


class _BookBand(SheetBand):
    """The title of a spread."""

    BLOCK = 23 * MM
    SIZES = (TitleSize(36, 1), TitleSize(32, 1), *SheetBand.SIZES)


class SpreadEase(NamedTuple):
    """How closely a right page is set. In points: ``size`` and ``leading`` of its text, the same of
    the small text, the height of a ``row`` of the table of what to lay, the ``gap`` between blocks.
    ``has_history``: it tells what happened in the battle; else that stands among the notes at the
    end of the book."""

    size: float
    leading: float
    small: float
    small_leading: float
    row: float
    gap: float
    has_history: bool

    @property
    def text_style(self) -> Style:
        """What every player reads: special rules, what is settled before play, departures."""
        return Style(BODY, self.size, self.leading)

    @property
    def small_style(self) -> Style:
        """What is read once or by need: history, notes, how a turn goes."""
        return Style(BODY, self.small, self.small_leading)

    @property
    def victory_style(self) -> Style:
        """The victory conditions, which are looked up most often, are a little larger."""
        return Style(BODY, self.size + 1, self.leading * 1.18)


SPREADS = (
    SpreadEase(10.4, 3 * STEP, 9.2, 2.75 * STEP, 2.75 * STEP, 2 * ROW, True),
    SpreadEase(9.6, 2.75 * STEP, 8.4, 2.5 * STEP, 2.75 * STEP, 1.4 * ROW, True),
    SpreadEase(8.8, 2.5 * STEP, 8.0, 2.25 * STEP, 2.5 * STEP, ROW, True),
    SpreadEase(8.4, 2.35 * STEP, 7.6, 2.1 * STEP, 2.25 * STEP, 0.7 * ROW, True),
    SpreadEase(8.0, 2.25 * STEP, 7.2, 2 * STEP, 2.0 * STEP, 0.5 * ROW, True),
    SpreadEase(8.4, 2.35 * STEP, 7.6, 2.1 * STEP, 2.25 * STEP, 0.6 * ROW, False),
    SpreadEase(7.8, 2.2 * STEP, 7.0, 1.95 * STEP, 1.9 * STEP, 0.4 * ROW, False),
)
"""Tried in this order, from the loosest."""
_CLOSEST = SPREADS[-1]


class _RightPage(NamedTuple):
    """A right page as it could be printed: what stands on it, and what at its foot; whether it
    tells what happened."""

    story: Block
    foot: Block
    has_history: bool


class _LeadNote(NamedTuple):
    """A note at the end of the book, and what it begins with in bold."""

    lead: str
    text: str


class _Spread:
    """The two pages of a scenario."""

    def __init__(self, book: _Book, index: int) -> None:
        self.book = book
        self.content = book.contents[index]
        self.map = book.maps[index]
        self.page = book.page
        self.width = book.page.measure
        self.half = (self.width - GUTTER) / 2
        """The width of one of two columns."""

    def story(self) -> Block:
        """The left page, then the right one with the turn track at its foot."""
        right = self._right_page
        if not self._fits(right):
            # It goes on overleaf: there is no foot of one page to push the turn track down to.
            return [*self._left(), NewPage(), *right.story, *right.foot]
        to_the_foot = Spring(room_below=depth(right.foot, self.width))
        return [*self._left(), NewPage(), *right.story, to_the_foot, *right.foot]

    # -------------------------------------------------------------- left

    def _left(self) -> Block:
        """The situation; the map with scale, key and how to set up beside it, and a ruler below it
        if that has room."""
        content = self.content
        page_type = _SHORT_LEFT_PAGE
        if self.page.depth > _LONG_PAGE:
            page_type = _LONG_LEFT_PAGE
        title = content.title(_BookBand, page_type.band_height, turned=True)
        situation = content.situation(page_type.situation, lead="")
        above: Block = [title, Gap(page_type.gap), situation, Gap(page_type.gap)]
        if self.map is None:
            return [*above, *headed("Set up", self._set_up())]
        map_height = height_of(self.map, self.width)
        left = self.map.across + 10
        column = self._beside_map(self.map, map_height, self.width - left)
        cells = [Cell(0, self.map.across, self.map), Cell(left, self.width - left, Stack(column))]
        story: Block = [*above, SideBySide(cells)]
        ruler = TableRuler(self.map)
        if depth([*story, Gap(5), ruler], self.width) <= self.page.depth:
            story += [Gap(5), ruler]
        return story

    def _beside_map(self, sheet_map: SheetMap, map_height: float, width: float) -> Block:
        """Scale and compass, the key, and how to set up: with the widest lines of the key that keep
        the column as low as the map, else with the narrowest."""
        scale = _ScaleNote(sheet_map, self.book.reduced)
        set_up = headed("Set up", self._set_up())
        for pitch in _KEY_PITCHES:
            key: Block = [RuleHead("Key")]
            for entry in sheet_map.key:
                key.append(_KeyLine(entry.name, Swatch(sheet_map, entry.sample), pitch))
            column = [scale, Gap(6), *key, Gap(8), *set_up]
            if depth(column, width) <= map_height:
                return column
        return column

    def _set_up(self) -> list[Flowable]:
        """Where each contingent sets up, in the order in which that is done."""
        content = self.content
        scenario = content.scenario
        looks = dict(zip(content.order, content.looks, strict=True))
        first = scenario.sets_up_first
        after_it = [side for side in content.order if side != first]
        lines: list[Flowable] = []
        for side in (first, *after_it):
            for contingent in scenario.side(side).contingents:
                text = contingent.deploy or f"{pages.entry(contingent).capitalize()}."
                letters, name = contingent.entry.letters, contingent.called
                lines.append(_SetUpLine(letters, looks[side], name, text))
        return lines

    # -------------------------------------------------------------- right

    @cached_property
    def _right_page(self) -> _RightPage:
        """The page as it is printed, with as much as has room of how a turn goes. Where even the
        closest page without the turn is too long, the page goes on overleaf."""
        loosest = self._loosest_that_fits()
        if loosest is None:
            return self._page_set(_CLOSEST, turn=[])
        return (
            self._with_whole_turn(loosest)
            or self._with_divided_turn()
            or self._with_shortened_turn()
        )

    def _loosest_that_fits(self) -> SpreadEase | None:
        """How the page can be set without the turn; None if even the closest does not fit."""
        for ease in SPREADS:
            if self._fits(self._page_set(ease, turn=[])):
                return ease
        return None

    def _with_whole_turn(self, loosest: SpreadEase) -> _RightPage | None:
        """With all of the turn, in the largest type that fits, if need be with the page set more
        closely and its history among the notes; None if that does not fit."""
        # The first of ``turns`` has all notes; each of the next leaves something out.
        whole = self.content.turns[0]
        for ease in SPREADS[SPREADS.index(loosest) :]:
            for style in (ease.small_style, styles.NOTE):
                page = self._page_set(ease, self.content.turn(whole, style))
                if self._fits(page):
                    return page
        return None

    def _with_divided_turn(self) -> _RightPage | None:
        """With all of the turn on the closest page: its first notes, as few as possible, below the
        shorter order of battle, the others below the weapons; None if that does not fit."""
        whole = self.content.turns[0]
        for count in range(len(whole) + 1):
            below_forces = self.content.turn(whole[:count], styles.NOTE)
            below_weapons = self.content.turn(whole[count:], styles.NOTE)
            page = self._fullest_page(below_forces, below_weapons)
            if self._fits(page):
                return page
        return None

    def _with_shortened_turn(self) -> _RightPage:
        """The closest page with as much of the turn as has room, at last nothing of it: it stands
        at the front of the book, too."""
        for notes in self.content.turns:
            page = self._page_set(_CLOSEST, self.content.turn(notes, styles.NOTE, running=True))
            if self._fits(page):
                return page
        return page

    def _fits(self, page: _RightPage) -> bool:
        """Whether all of it has room on one page."""
        return depth([*page.story, *page.foot], self.width) <= self.page.depth

    def _page_set(self, ease: SpreadEase, turn: Block) -> _RightPage:
        """The page set as closely as that, with these notes on the turn."""
        content = self.content
        at_end = self._settled_and_noted(ease)
        forces = content.forces(self.half, deployments=False)
        return self._with_parts(ease, forces, turn, at_end)

    def _fullest_page(self, below_forces: Block, below_weapons: Block) -> _RightPage:
        """The closest page, its notes on the turn in two places: some stand with what is settled
        before play below the shorter order of battle, where there is often room that nothing else
        takes."""
        content, ease = self.content, _CLOSEST
        settled = content.settle(ease.text_style)
        small = ease.small_style
        blocks = [
            block for block in (settled, each_with_gap_above(_ABOVE_TURN, below_forces)) if block
        ]
        forces = content.forces(self.half, deployments=False)
        columns = in_two_columns(blocks, self.half, ease.gap, above=forces)
        departures = content.departures(small)
        notes = headed("Notes", balanced(content.notes(small), self.width))
        return self._with_parts(ease, columns, below_weapons, [*departures, *notes])

    def _with_parts(self, ease: SpreadEase, forces: Pair, turn: Block, at_end: Block) -> _RightPage:
        """The page with these columns of forces, with these notes on the turn below the weapons,
        and with that at its end."""
        content = self.content
        rules = balanced(content.rules(ease.text_style), self.width, between=1.6)
        blocks: list[Block] = [
            [content.victory(ease.victory_style)],
            self._laying(ease),
            [halves(*forces, self.width, gutter=GUTTER)],
            [*content.weapons(0.9 * ROW), *each_with_gap_above(_ABOVE_TURN, turn)],
            headed("Special rules", rules),
            at_end,
        ]
        story: Block = []
        for block in blocks:
            if block:
                if story:
                    story.append(Gap(ease.gap))
                story += block
        return _RightPage(story, foot=[Gap(4), *content.track], has_history=ease.has_history)

    def _laying(self, ease: SpreadEase) -> Block:
        """The table of what to lay, in two columns of features."""
        if self.map is None:
            return []
        size = min(8.0, 0.85 * ease.row)
        table = LayTable(self.map.features, blocks=2, pitch=ease.row, size=size)
        return self.content.laying(
            self.map, table, "squares of 12 in, 30 cm · sizes east–west × north–south"
        )

    def _settled_and_noted(self, ease: SpreadEase) -> Block:
        """What is settled before play, departures, history and notes, in two columns; the notes in
        both where there is nothing else."""
        content = self.content
        blocks = []
        settled = content.settle(ease.text_style)
        if settled:
            blocks.append(settled)
        departures = content.departures(ease.text_style)
        if departures:
            blocks.append(departures)
        if ease.has_history:
            blocks.append(content.history(ease.small_style))
        notes = content.notes(ease.small_style)
        if not blocks:
            return headed("Notes", balanced(notes, self.width))
        if notes:
            blocks.append(headed("Notes", notes))
        columns = in_two_columns(blocks, self.half, ease.gap)
        return [halves(*columns, self.width, gutter=GUTTER)]

    # -------------------------------------------------------------- notes

    def appendix(self) -> list[_LeadNote]:
        """History where the spread has no room for it, and sources."""
        scenario = self.content.scenario
        notes = []
        if not self._right_page.has_history:
            notes.append(_LeadNote("What happened:", scenario.history))
        notes.append(_LeadNote("Sources:", f"{'; '.join(scenario.sources)}."))
        return notes


class _ScaleNote(Drawing):
    """The scale in large figures, what it means, and the compass."""

    TALL = 40.0

    def __init__(self, sheet_map: SheetMap, reduced: float) -> None:
        self.sheet_map = sheet_map
        self.scale = sheet_map.stated
        self.text = "A square of the map is a foot of the table."
        # What counts is the scale on the printed page: the map of a large table, or of a page that
        # is printed reduced, is not at an inch to the foot.
        if isclose(sheet_map.ratio / reduced, RATIO):
            self.text = "An inch here is a foot on the table."

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        write(canvas, x, top - 12, self.scale, Style(TITLE, 15, 15, ink=inks.BAND))
        paragraph(self.text, _SET_UP).paint(canvas, x, top - 16, width - 38)
        pen = Pen(canvas, 0, 0, 1, palette_of(canvas))
        canvas.saveState()
        canvas.translate(x + width - 18, top - 20)
        canvas.scale(0.9, 0.9)
        draw_compass(pen, self.sheet_map.up)
        canvas.restoreState()


class _KeyLine(Drawing):
    """A line of the key of a map: a swatch with its name, ``pitch`` points high."""

    def __init__(self, name: str, swatch: Swatch, pitch: float) -> None:
        self.name, self.swatch, self.TALL = name, swatch, pitch

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        middle = top - self.TALL / 2
        self.swatch.paint(canvas, x, middle + Swatch.TALL / 2, width)
        write(canvas, x + 20, middle - 2.7, self.name, _KEY)


class _SetUpLine(Drawing):
    """The letters of a contingent, its name, and where it sets up."""

    def __init__(self, letters: Sequence[str], look: SideInk, name: str, text: str) -> None:
        self.tag = SideLetters(letters, look)
        self.name, self.text = name, text

    def height_at(self, width: float) -> float:
        return self._words.height_at(width - self.tag.width_with_space) + 3

    @property
    def _words(self) -> Text:
        return paragraph(self.text, _SET_UP, lead=f"{self.name}.")

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        self.tag.paint(canvas, x, top, width)
        before = self.tag.width_with_space
        self._words.paint(canvas, x + before, top, width - before)


class TableRuler(Drawing):
    """The breadth of the table at the map's scale: feet and inches above, centimetres below. The
    lengths of its ticks are in points: the rounder the number, the longer."""

    TALL = 27.0

    def __init__(self, sheet_map: SheetMap) -> None:
        self.sheet_map = sheet_map

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        left, level = x + RIM, top - 11
        canvas.pen(inks.BLACK, 0.5)
        self._paint_inches(canvas, left, level)
        self._paint_centimetres(canvas, left, level)
        canvas.pen(inks.BLACK, 0.8)
        canvas.line(left, level, left + self._inches * self._inch, level)
        self._paint_numbers(canvas, left, top)

    @property
    def _inch(self) -> float:
        """An inch of the table, in points of the map."""
        return INCH / self.sheet_map.ratio

    @property
    def _inches(self) -> int:
        """The breadth of the table in inches."""
        return int(self.sheet_map.size[0])

    def _paint_inches(self, canvas: Canvas, left: float, level: float) -> None:
        for number in range(self._inches + 1):
            tick = 2.6
            if number % 12 == 0:  # a foot
                tick = 7.0
            elif number % 6 == 0:
                tick = 5.0
            x = left + number * self._inch
            canvas.line(x, level, x, level + tick)

    def _paint_centimetres(self, canvas: Canvas, left: float, level: float) -> None:
        """A tick for every fifth centimetre."""
        centimetre = self._inch / CENTIMETRES_AN_INCH
        for number in range(0, int(self._inches * CENTIMETRES_AN_INCH) + 1, 5):
            tick = 3.4
            if number % 30 == 0:  # a foot
                tick = 7.0
            x = left + number * centimetre
            canvas.line(x, level, x, level - tick)

    def _paint_numbers(self, canvas: Canvas, left: float, top: float) -> None:
        """Feet and centimetres: each right of its tick, the last ones left of the end."""
        above = Style(LABEL, 7, 7)
        below = Style(MEDIUM, 7, 7, ink=inks.QUIET)
        feet = self._inches // 12
        for number in range(feet):
            x = left + number * 12 * self._inch + 2
            in_feet, in_centimetres = f"{number} ft", f"{number * 30} cm"
            if number == 0:
                in_feet, in_centimetres = "0", "0"
            write(canvas, x, top - 4, in_feet, above)
            write(canvas, x, top - 22.5, in_centimetres, below)
        end = left + self._inches * self._inch - 2
        write(canvas, end, top - 4, f"{feet} ft", above._replace(align="right"))
        write(canvas, end, top - 22.5, f"{feet * 30} cm", below._replace(align="right"))
