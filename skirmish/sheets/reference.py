"""The quick reference: two sides of one sheet. All numbers come from the rules.

Its sentences are in ``data/plastic/texts/quick_reference.toml``, in the format of the program's
reference but shorter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from skirmish import library, resources
from skirmish.games.plastic.reference.charts import ChartTerms, chart
from skirmish.games.plastic.reference.lookup import Reference
from skirmish.games.plastic.reference.numbers import rank, suits
from skirmish.games.plastic.reference.paragraph import RuleParagraph
from skirmish.games.plastic.reference.reading import read_reference
from skirmish.games.plastic.rules.catalog import DIE, Catalog, Kind, Limit, UnitType
from skirmish.games.plastic.rules.firing_table import NONE, Firing
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.sheets import inks
from skirmish.sheets.firing_table import firing_legend, firing_table
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import Blank, Head, block
from skirmish.sheets.layout.boxes import LEAST_BOX
from skirmish.sheets.layout.columns import (
    LEAST_GAP,
    height_with_least_gaps,
    level_columns,
    with_even_gaps,
)
from skirmish.sheets.layout.drawing import Canvas, Drawing
from skirmish.sheets.layout.flow import Flowable, Gap, NewPage, Stack
from skirmish.sheets.layout.fonts import BODY, LABEL, TITLE
from skirmish.sheets.layout.form_fields import FormField
from skirmish.sheets.layout.pages import SheetPart
from skirmish.sheets.layout.pdf_document import PdfDocument, as_pdf
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.symbols import Symbol, WorkSymbol
from skirmish.sheets.layout.tables import Cells, SheetColumn, printed_table
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.layout.text_lines import line_width, write
from skirmish.sheets.layout.title_band import TitleBand
from skirmish.sheets.paper import GUTTER, HEAVY, MM, NORMAL, Leaf
from skirmish.sheets.plastic import GAME
from skirmish.tabletop.measure import inches
from skirmish.tabletop.page import capital

_NAME = Style(styles.STRONG.face, 8.4, 10)
_CELL = Style(BODY, 8.2, 9.8)
_ODDS = Style(styles.TERM.face, 9, 10.4, "centre")
_CELL_AT_RIGHT = _CELL._replace(align="right")
FRONT, BACK = "Turn and fire", "Checks, movement, armies"
"""What both sides of the sheet are about."""
Chapters = Mapping[str, list[RuleParagraph]]
"""The rules by the titles of their chapters."""
AFTER_THE_DRAW = "Repeat fire"
"""The first paragraph of the chapter on fire that is about what follows a draw."""
LOOSE_SHEET = "Quick Reference"
"""The title of the quick reference where it is no part of a book."""
WORDS = "plastic/texts/quick_reference.toml"
"""The file of the sentences of the quick reference, among the data."""
SHARE_BEFORE_DRAW = 0.45
"""The share of the width of the front for what precedes a draw: with it both columns end level."""
SHARE_OF_UNITS = 0.45
"""The share of the width of the back for the list of units: with it both columns end level, too."""
_SENTENCE = Style(BODY, 8.8, 10.4)
_NUMBER = Style(TITLE, 20, 20)
_PHASE_TITLE = Style(LABEL, 11, 11)
_WHOSE_PHASE = Style(LABEL, 7, 7)


class Spacing(NamedTuple):
    """How closely a side is set: the size of its type, and the additional points above and below
    each line of its tables."""

    size: float
    air: float


SPACINGS = (
    Spacing(9.6, 1.2),
    Spacing(9.6, 0.8),
    Spacing(9.2, 0.6),
    Spacing(9.2, 0.3),
    Spacing(8.8, 0.2),
    Spacing(8.6, 0.0),
)
"""From the widest, which reads best, to the closest."""


class CheckRow(NamedTuple):
    """A line of the checks: what fails with cards and with the die, and what happens then."""

    check: str
    who_draws: str
    cards: str
    die: str
    effect: str


@as_pdf
def reference_pdf(
    page: Leaf,
    catalog: Catalog | None = None,
    book: PlasticRulingBook | None = None,
    *,
    revision: str | None = None,
) -> PdfDocument:
    """Turn, fire and modifiers on the front; checks, units, movement and armies on the back, with
    the numbers of ``catalog`` under the default rulings. ``revision``: what the footer says of
    the version."""
    catalog = catalog or library.catalog()
    book = book or library.rulings()
    story = reference_story(page, catalog, book)
    part = SheetPart(page, story, FRONT, "Quick reference", GAME, revision=revision)
    subject = "Turn, fire, checks, units and armies"
    return PdfDocument(f"{GAME}: quick reference", subject, [part])


def reference_story(
    page: Leaf, catalog: Catalog, book: PlasticRulingBook, title: str = LOOSE_SHEET
) -> list[Flowable]:
    """Both pages under that title, each as high as the leaf."""
    chapters = _read(catalog, book).chapters()
    default_rulings = book.answered({})
    sheet = _ReferenceSheet(catalog, default_rulings, chapters, page, title)
    front = sheet.widest_set(QuickReference.front)
    back = sheet.widest_set(QuickReference.back)
    return [*sheet.spread_over_page(front), NewPage(BACK), *sheet.spread_over_page(back)]


def tables_to_play_by(catalog: Catalog, rulings: Mapping[str, str], width: float) -> list[Flowable]:
    """What a sheet with room to spare takes over from the quick reference, most needed first."""
    chapters = _read(catalog, library.rulings()).chapters()
    closest = SPACINGS[-1]
    reference = QuickReference(catalog, rulings, width, closest.air)
    return reference.to_play_by(chapters, _sentence_style(closest.size))


def _sentence_style(size: float) -> Style:
    """The style of sentences in so many points, with a little space between their lines."""
    return Style(BODY, size, round(size * 1.18, 2))


def _read(catalog: Catalog, book: PlasticRulingBook) -> Reference:
    """The sentences with the numbers of a catalog. A battle that an early version stored has a
    catalog without the depth of deployment and the width of the exit: it is played by the present
    ones."""
    present = library.catalog().basic_game
    stored = catalog.basic_game
    basic_game = replace(
        stored,
        deployment=stored.deployment or present.deployment,
        exit_width=stored.exit_width or present.exit_width,
    )
    catalog = replace(catalog, basic_game=basic_game)
    return read_reference(resources.table(WORDS), catalog, book, WORDS)


class _ReferenceSheet(NamedTuple):
    """A leaf, and the rules that go on it."""

    catalog: Catalog
    rulings: Mapping[str, str]
    chapters: Chapters
    leaf: Leaf
    title: str

    @property
    def height_for_blocks(self) -> float:
        """The height that the blocks of a page may take, in points; a gap stays free below them."""
        return self.leaf.depth - LEAST_GAP

    def widest_set(
        self, side: Callable[[QuickReference, Chapters, Style], list[Flowable]]
    ) -> list[Flowable]:
        """The blocks of a side (``QuickReference.front`` or ``back``) with the widest spacing with
        which they fit the page; with the closest if they fit with none."""
        for spacing in SPACINGS:
            reference = QuickReference(
                self.catalog, self.rulings, self.leaf.measure, spacing.air, self.title
            )
            blocks = side(reference, self.chapters, _sentence_style(spacing.size))
            height = height_with_least_gaps(blocks, self.leaf.measure)
            if height <= self.height_for_blocks:
                return blocks
        # No spacing fits: these are the blocks with the closest, the last that was tried.
        return blocks

    def spread_over_page(self, blocks: Sequence[Flowable]) -> list[Flowable]:
        """The blocks with the room that is left spread between them."""
        return with_even_gaps(blocks, self.leaf.measure, self.height_for_blocks)


class QuickReference:
    """The tables and both sides for a column of ``width``, from one catalog and one set of rulings;
    ``air``: additional points above and below each line of a table; ``title``: that of the
    sides."""

    def __init__(
        self,
        catalog: Catalog,
        rulings: Mapping[str, str],
        width: float,
        air: float,
        title: str = LOOSE_SHEET,
    ) -> None:
        self.catalog, self.rulings, self.title = catalog, rulings, title
        self.width, self.air = width, air
        self.terms = ChartTerms(catalog, rulings)
        # Units that occur only in a scenario cannot be bought; the sheet of the scenario has them.
        self.units = [unit for unit in catalog.units.values() if unit.source != "scenario"]

    def front(self, chapters: Chapters, style: Style) -> list[Flowable]:
        """The turn, what each weapon needs, what changes a draw, and the sentences on fire."""
        firing = Firing(self.catalog, self.rulings, nation=None)
        table = firing_table(firing, self.units, self.width, 1.5 + self.air)
        signs = paragraph(firing_legend(self.catalog), styles.SMALL)

        return [
            _band("1", self.title, FRONT),
            self._turn(chapters),
            block("Firing table", "what each weapon needs", table, Gap(2), signs),
            *self._modifiers_and_chances(chapters),
            self._fire(chapters, style),
        ]

    def to_play_by(self, chapters: Chapters, style: Style) -> list[Flowable]:
        """The blocks of both sides that are not about buying and setting up, without the firing
        table."""
        movement = _rules("Movement", "", chapters["Movement"], style)
        return [
            self._turn(chapters),
            *self._modifiers_and_chances(chapters),
            self._check_block(),
            self._fire(chapters, style),
            movement,
        ]

    def _turn(self, chapters: Chapters) -> Flowable:
        return block("The turn", "four phases, then the other side", PhaseRow(chapters["The turn"]))

    def _modifiers_and_chances(self, chapters: Chapters) -> tuple[Flowable, Flowable]:
        """What changes a draw, and its chances."""
        modifiers = self._modifier_table(chapters["Modifiers"])
        return (
            block("Modifiers", "what changes the draw", modifiers),
            block("Chances", "of a single draw", self._chance_table()),
        )

    def _fire(self, chapters: Chapters, style: Style) -> Flowable:
        """The sentences on fire in two columns."""
        fire = chapters["Fire"]
        titles = [rule.title for rule in fire]
        after_index = titles.index(AFTER_THE_DRAW)
        rules_before, rules_after = fire[:after_index], fire[after_index:]
        before = _rules("Before the draw", "who, when, at whom", rules_before, style)
        after = _rules("After it", "hits and breakdown", rules_after, style)
        return level_columns([before], [after], self.width, SHARE_BEFORE_DRAW)

    def _check_block(self) -> Flowable:
        checks = f"cards or d{DIE}; pinning, force quality and digging are optional"
        return block("Checks", checks, self._check_table())

    def back(self, chapters: Chapters, style: Style) -> list[Flowable]:
        """The checks, then units and winning beside movement, nations, armies and setting up."""
        left = (self.width - GUTTER) * SHARE_OF_UNITS
        right = self.width - GUTTER - left
        guys = self._unit_list(left, "Guys", "guy")
        units = [
            block("Units", "letter, points, move, seats", guys),
            self._unit_list(left, "Unarmored models", "unarmored"),
            self._unit_list(left, "Armored models", "armored"),
            self._work_list(left),
            _rules("Winning", "the basic game", chapters["Winning"], style),
        ]
        armies = [
            _rules("Movement", "", chapters["Movement"], style),
            block("Nationalities", "optional", self._nation_table(right)),
            block("Buying an army", "the basic game", self.limits(right)),
            _rules("Setting up", "", chapters["Setting up"], style),
        ]
        return [
            _band("2", self.title, BACK),
            self._check_block(),
            level_columns(units, armies, self.width, SHARE_OF_UNITS),
        ]

    # -------------------------------------------------------------- tables

    def _table(
        self,
        columns: Sequence[SheetColumn],
        rows: Sequence[Sequence[str | Flowable]],
        air: float,
        width: float | None = None,
    ) -> Flowable:
        """A table of this ``width``, by default that of the column. ``air``: points above and below
        each line, chosen by eye for each table; the spacing of the side is added. Lines with an
        empty first cell belong to the line before."""
        if width is None:
            width = self.width
        return printed_table(width, columns, rows, air=air + self.air, grouped=True)

    def _modifier_table(self, rules: Sequence[RuleParagraph]) -> Flowable:
        """A row for each modifier of the draw."""
        columns = [
            SheetColumn("Modifier", 22, _NAME),
            SheetColumn("Who benefits", 0, _CELL),
            SheetColumn("Against", 38, _CELL),
            SheetColumn("With cards", 30, _CELL),
            SheetColumn(f"With a d{DIE}", 28, _CELL),
        ]
        # The texts of each of these rules are the other cells of its row.
        rows = [(rule.title, *rule.text) for rule in rules]
        return self._table(columns, rows, 1.6)

    def _chance_table(self) -> Flowable:
        """The chart of the program's reference with its rows and columns exchanged: what is needed
        goes from left to right."""
        chart_rows = chart("chances", self.terms).rows
        # Here ``zip`` makes rows of columns: first all needs, then each kind of chance.
        needs, *chances = zip(*chart_rows, strict=True)
        names = ("In the open", "In cover or hull down, cards", f"In cover or hull down, d{DIE}")
        # In millimetres, as the widths of all columns.
        width_of_names = 52
        width_of_chance = (self.width / MM - width_of_names) / len(needs)
        columns = [SheetColumn("Needs", width_of_names, _NAME)]
        for need in needs:
            columns.append(SheetColumn(need, width_of_chance, _ODDS))
        rows = []
        for name, row in zip(names, chances, strict=True):
            rows.append((name, *row))
        return self._table(columns, rows, 1.2)

    def _check_table(self) -> Flowable:
        """All checks but that of the shot itself: breakdown, pinning, command, digging."""
        fire, dig = self.catalog.fire, self.catalog.entrench
        # The same number, as the rank of a card and on the die.
        breakdown_number = str(fire.breakdown_rank)
        breakdown = CheckRow(
            "Breakdown",
            "On the draw of the shot",
            f"{rank(fire.breakdown_rank)} of spades",
            breakdown_number,
            "A miss; draw again. Not for rifles",
        )
        weapon_broken = CheckRow(
            "Weapon broken",
            "On the second draw",
            suits(fire.breakdown_suit),
            breakdown_number,
            "The model is lost; the guy becomes a rifleman",
        )
        group_digs = CheckRow(
            "Dug in",
            f"{dig.group_of} guys or more, instead of moving",
            suits(dig.group.suits),
            f"1-{dig.group.die_to}",
            "Sandbags or a foxhole for the group",
        )
        engineers_dig = CheckRow(
            "",
            "With an engineer, any number",
            suits(dig.engineers.suits),
            f"1-{dig.engineers.die_to}",
            "The same",
        )
        rows = [breakdown, weapon_broken, *self._pinning_rows(), *self._command_rows()]
        rows += [group_digs, engineers_dig]
        columns = (
            SheetColumn("Check", 25, _NAME),
            SheetColumn("Who draws, and when", 0, _CELL),
            SheetColumn("With cards", 29, _CELL),
            SheetColumn(f"With a d{DIE}", 15, _CELL),
            SheetColumn("Effect", 57, _CELL),
        )
        return self._table(columns, rows, 1.3)

    def _pinning_rows(self) -> Iterator[CheckRow]:
        """A row for each force quality."""
        check, when = "Pinned", "Guys under machine-gun op fire: "
        for quality in self.catalog.qualities.values():
            troops = f"{quality.name} troops"
            if quality.id == self.catalog.pin.without_quality:
                troops += ", or no force quality"
            cards = f"{rank(quality.pinned_from)} and up"
            # P29: with cards, suit or rank may decide; with a die the number always does.
            if self.rulings["P29"] == "suits":
                cards = suits(quality.pinned_suits)
            die = f"{quality.pinned_from}-{DIE}"
            effect = "The group moves no farther this turn"
            yield CheckRow(check, f"{when}{troops}", cards, die, effect)
            # Later rows do not repeat what is checked, and when.
            check, when = "", ""

    def _command_rows(self) -> Iterator[CheckRow]:
        """A row for each force quality."""
        check, when = "Command", "After a unit or group has moved: "
        for quality in self.catalog.qualities.values():
            draws = f"{when}{quality.name} troops"
            ends_from = quality.movement_ends_from
            if ends_from is None:
                yield CheckRow(check, draws, NONE, NONE, "They never draw")
            else:
                cards, die = f"{rank(ends_from)} and up", f"{ends_from}-{DIE}"
                effect = "Nobody else of the side moves this turn"
                yield CheckRow(check, draws, cards, die, effect)
            # Only the first row names the check; who draws, and when, is in each.
            check = ""

    def _unit_list(self, width: float, title: str, kind: Kind) -> Flowable:
        """The units of a kind that armies may buy."""
        rows: list[Cells] = []
        for unit in self.units:
            if unit.kind == kind:
                letter, price = unit.letter.upper(), str(unit.price)
                sign = Symbol(unit)
                rows.append((letter, sign, unit.short, price, _move(unit), _seats(unit)))
        return self._price_list(width, (title, "Pts", "Move", "Seats"), rows)

    def _work_list(self, width: float) -> Flowable:
        """The works that armies may buy; they neither move nor seat anybody."""
        rows: list[Cells] = []
        for work in self.catalog.works.values():
            if work.source != "scenario":
                rows.append(("", WorkSymbol(work.id), work.name, str(work.price), "", ""))
        return self._price_list(width, ("Works", "Pts", "", ""), rows)

    def _price_list(
        self, width: float, titles: tuple[str, str, str, str], rows: Sequence[Cells]
    ) -> Flowable:
        """Rows of a letter, a symbol, a name and three numbers, under titles for the last four."""
        name, price, move, seats = titles
        columns = (
            SheetColumn("", 4.6, styles.TERM._replace(size=8.4, leading=9.8)),
            SheetColumn("", 5.6, _NAME),
            SheetColumn(name, 0, _NAME),
            SheetColumn(price, 7, _CELL_AT_RIGHT),
            SheetColumn(move, 21.5, _CELL_AT_RIGHT),
            SheetColumn(seats, 12, _CELL_AT_RIGHT),
        )
        return printed_table(width, columns, rows, air=self.air, middle=True)

    def _nation_table(self, width: float) -> Flowable:
        """The nations by their traits; those with the same share a row."""
        people_with: dict[str, list[str]] = {}
        for people, trait in chart("nations", self.terms).rows:
            sentence = f"{capital(trait)}."
            people_with.setdefault(sentence, []).append(people)
        rows = [(", ".join(people), sentence) for sentence, people in people_with.items()]
        columns = SheetColumn("", 22, _NAME), SheetColumn("", 0, _CELL)
        return self._table(columns, rows, 1, width)

    def limits(self, width: float, *, with_used_column: bool = False) -> Flowable:
        """The purchase limits with their totals. ``with_used_column``: with room to write how much
        of each is used."""
        table = chart("limits", self.terms)
        columns = [
            SheetColumn("Limit", 24, _NAME),
            SheetColumn("How much", 0, _CELL),
            SheetColumn(table.columns[2].title, 13, _CELL_AT_RIGHT),
        ]
        if with_used_column:
            columns.append(SheetColumn("Used", 15, _CELL_AT_RIGHT))
        rows: list[Sequence[str | Flowable]] = []
        # The chart has a row for each limit: its title, its bound in words, and its number.
        for limit, (title, bound, allowed) in zip(self.catalog.limits, table.rows, strict=True):
            bound_with_conditions = " ".join([bound, *self._conditions(limit)])
            row: list[str | Flowable] = [title, bound_with_conditions, allowed]
            if with_used_column:
                field = FormField(f"write-used-{limit.id}", f"Used of: {limit.title}")
                row.append(Blank("", field, LEAST_BOX))
            rows.append(row)
        return self._table(columns, rows, 0.7, width)

    def _conditions(self, limit: Limit) -> Iterator[str]:
        """What a limit says besides its measure: of which units an army may have none, for which
        nations it does not hold, what counts half, and how much more a lesser quality may have."""
        units = self.catalog.units
        if limit.most == 0:
            # The limit may also name works, which are no units.
            forbidden = [units[name].short for name in limit.units if name in units]
            yield f"of {', '.join(forbidden)}"
        if limit.not_for:
            people = [self.catalog.nations[name].people for name in limit.not_for]
            yield f"({', '.join(people)} excepted)"
        if limit.halves:  # one type of unit in the rules: the small pillbox
            yield f"({units[limit.halves[0]].short} counts half)"
        if limit.with_bonus:
            bonuses = []
            for quality in self.catalog.qualities.values():
                if quality.bonus_percent:
                    bonuses.append(f"{quality.name} {quality.bonus_percent}% more")
            yield f"({', '.join(bonuses)})"


def _move(unit: UnitType) -> str:
    """``12, road 24 in``: across country, and by road or on water; ``6 in`` if it moves only across
    country, and a dash if it never moves."""
    across_country = ""
    if unit.move:
        across_country = f"{unit.move}, "
    if unit.road_move:
        return f"{across_country}road {inches(unit.road_move)}"
    if unit.water_move:
        return f"{across_country}water {inches(unit.water_move)}"
    if unit.move:
        return inches(unit.move)
    return NONE


def _seats(unit: UnitType) -> str:
    """``6``, or ``4 + gun`` for a unit that also tows."""
    if not unit.seats:
        return NONE
    if unit.tows_cannon:
        return f"{unit.seats} + gun"
    return str(unit.seats)


def _rules(title: str, aside: str, rules: Sequence[RuleParagraph], style: Style) -> Flowable:
    """Sentences below a head, each rule behind its title."""
    lines: list[Flowable] = [Head(title, aside)]
    for rule in rules:
        text = " ".join(rule.text)
        lines += [Gap(1.6), paragraph(text, style, lead=f"{rule.title}.")]
    return Stack(lines)


def _band(number: str, title: str, about: str) -> Flowable:
    """The title of a side of the sheet; in a book, which has many sides, it is called a part."""
    rulings = "With the default rulings"
    label = "Part"
    if title == LOOSE_SHEET:
        label = "Side"
    return TitleBand(label, number, title, about, GAME, rulings, least=TitleBand.FLAT)


class PhaseRow(Drawing):
    """The phases of a turn as arrows side by side, each above a framed sentence. The mover acts in
    the first and the third, the enemy in the others. Lengths without a name are chosen by eye."""

    HEAD = 8.4 * MM
    """The height of an arrow."""
    POINT = 2.6 * MM
    """The length of its tip."""
    GAP = 0.4 * MM
    """The space between two arrows."""
    PAD = 1.8 * MM
    """The space between the frame of a sentence and its words."""

    def __init__(self, phases: Sequence[RuleParagraph]) -> None:
        self.phases = tuple(phases)
        # The text of a phase is one paragraph.
        self.words = [paragraph(phase.text[0], _SENTENCE) for phase in phases]

    def _phase_width(self, width: float) -> float:
        return (width - self.GAP * (len(self.phases) - 1)) / len(self.phases)

    def _sentence_width(self, width: float) -> float:
        return self._phase_width(width) - self.POINT - 2 * self.PAD

    def height_at(self, width: float) -> float:
        room = self._sentence_width(width)
        return self.HEAD + max(words.height_at(room) for words in self.words) + 2.6 * MM

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        phase_width, room = self._phase_width(width), self._sentence_width(width)
        height = self.height_at(width)
        frame_width, frame_height = phase_width - self.POINT, height - self.HEAD
        below_arrow = top - self.HEAD
        for index, words in enumerate(self.words):
            left = x + index * (phase_width + self.GAP)
            canvas.pen(inks.BLACK, NORMAL)
            canvas.rect(left, top - height, frame_width, frame_height, fill=0)
            self._paint_arrow(canvas, left, top, phase_width, index)
            words.paint(canvas, left + self.PAD, below_arrow - 0.8 * MM, room)

    def _paint_arrow(
        self, canvas: Canvas, left: float, top: float, wide: float, index: int
    ) -> None:
        """An arrow with the number of a phase, whose it is, and its name."""
        low, right = top - self.HEAD, left + wide - self.POINT
        # The mover's phases are dark, with a heavy outline; those of the enemy light.
        whose, weight = "ENEMY", NORMAL
        filling, ink, accent = inks.WHITE, inks.BLACK, inks.ACCENT
        if index % 2 == 0:
            whose, weight = "MOVER", HEAVY
            if not canvas.sparing:
                filling, ink, accent = inks.BAND, inks.WHITE, inks.WHITE
        canvas.pen(inks.BLACK, weight, filling)
        tip = left + wide, top - self.HEAD / 2
        canvas.shape((left, top), (right, top), tip, (right, low), (left, low))

        number_left = left + self.PAD
        # The widest of the numbers is the 4: after it all words begin level.
        words_left = number_left + line_width("4", _NUMBER) + 2 * MM
        write(canvas, number_left, low + 2.1 * MM, str(index + 1), _NUMBER._replace(ink=ink))
        who = _WHOSE_PHASE._replace(ink=accent)
        write(canvas, words_left, top - 3.2 * MM, whose, who, track=0.6)
        title = self.phases[index].title
        write(canvas, words_left, low + 1.5 * MM, title, _PHASE_TITLE._replace(ink=ink))
