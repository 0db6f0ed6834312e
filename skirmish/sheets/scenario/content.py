"""What stands on the pages of a scenario, block by block: the single sheet and the book set the
same blocks in other places and sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from skirmish.games.plastic.rules.catalog import Catalog, UnitType
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.games.plastic.scenarios import wording
from skirmish.games.plastic.scenarios.happenings import AskAtSetup, DrawTable
from skirmish.games.plastic.scenarios.scenario import Scenario, under_rulings
from skirmish.sheets import inks
from skirmish.sheets.inks import looks
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import RuleHead, SettleLine
from skirmish.sheets.layout.columns import ColumnBlocks, in_two_columns, two_columns
from skirmish.sheets.layout.flow import Block, Flowable, Gap, Panel, Unbroken, with_next
from skirmish.sheets.layout.fonts import ITALIC, LABEL, MEDIUM
from skirmish.sheets.layout.form_fields import FormField
from skirmish.sheets.layout.qr_code import BesideCode, CodeToScan
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.text import paragraph, terms
from skirmish.sheets.layout.title_band import TitleBand, TitleSize
from skirmish.sheets.maps.scenario_map import SheetMap
from skirmish.sheets.paper import MM, STEP
from skirmish.sheets.scenario.forces import force_table
from skirmish.sheets.scenario.lay_table import LayTable
from skirmish.sheets.scenario.turn_notes import TurnNotes, turn_notes
from skirmish.sheets.scenario.turn_track import track_key, turn_track
from skirmish.sheets.scenario.weapon_lines import StripLine, scenario_units, weapon_lines
from skirmish.sheets.scenario.weapon_notes import strip_aside, weapon_notes
from skirmish.sheets.scenario.weapon_strip import WeaponStrip

GUTTER = 9.0
"""Points between the columns of a scenario; other sheets have their own (``paper.GUTTER``)."""
CODE_SIDE = 11 * MM
"""The least side of the code to scan by which a battle is dealt again, without its white margin."""
STEPPED_NOTE = Style(styles.NOTE.face, 7, 2 * STEP)
"""Notes whose lines keep to the steps of a sheet, as the tables beside them do."""
HOW_TO_READ_TABLE = "squares of 12 in, 30 cm · sizes east–west × north–south"
"""How the squares and sizes of the table of what to lay are to be read."""
ABOVE_TURN_NOTE = 1.2
"""Points above each note on the turn; beside the map of a single sheet there are more."""
OURS = "Our schematic"
"""How the note on a map begins on every sheet: the map is ours, and not that of the rules."""


class SheetBand(TitleBand):
    """The title band of a scenario: its title stands on one line if it has room there in any of
    these sizes."""

    TITLE_SIZES = (
        TitleSize(27, 1),
        TitleSize(24, 1),
        TitleSize(21, 1),
        TitleSize(19, 1),
        TitleSize(17, 1),
        TitleSize(15.5, 1),
        # A title that fits one line in none of these takes several.
        *(size for size in TitleBand.TITLE_SIZES if size.most_lines > 1),
    )


class CloseBand(SheetBand):
    """The title band of a sheet with little room: as low as the three lines at its right (when,
    where, how long) allow, with a title and a number in sizes that do not make it higher."""

    ASIDE_STYLES = (
        Style(LABEL, 9.6, 8.8, "right", inks.WHITE),
        Style(MEDIUM, 8.6, 8.2, "right", inks.WHITE),
        # Below the last line there is some space, too: it is not to touch a rule there.
        Style(ITALIC, 7.2, 11.2, "right", inks.WHITE),
    )
    AIR = 0.1 * MM
    TITLE_SIZES = SheetBand.TITLE_SIZES[1:]
    NUMBER_SIZES = (19, 16, 14, 11, 9)


class ScenarioContent:
    """The blocks of a scenario, under the ``answers`` to its questions and to the rulings.

    A page is laid out in many ways before one fits, so most blocks of text are made once for each
    style and stored: ``rules`` stores what ``_made_rules`` makes, and so on. ``order`` has the ids
    of the sides in the order of play, ``looks`` has their inks in the same order.
    """

    def __init__(
        self,
        scenario: Scenario,
        catalog: Catalog,
        ruling_book: PlasticRulingBook,
        answers: Mapping[str, str],
    ) -> None:
        # Some answers exchange units of the scenario, or its clock.
        self.scenario = under_rulings(scenario, answers)
        # A scenario may have units of its own, variants of those in the catalog.
        self.catalog = catalog.with_variants(self.scenario.variants)
        self.ruling_book, self.answers = ruling_book, answers
        self.name = f"Scenario {scenario.number}: {scenario.title}"
        self.order = self.scenario.order_of_play()
        self.looks = looks(self.order[0], self.order[1])
        # The blocks made so far, by what they depend on.
        self._forces: dict[tuple[float, bool], ColumnBlocks] = {}
        self._rules: dict[Style, list[Flowable]] = {}
        self._notes: dict[Style, list[Flowable]] = {}
        self._questions: dict[Style, Block] = {}
        self._situations: dict[tuple[Style, str], Flowable] = {}
        self._victories: dict[Style, Flowable] = {}
        self._notes_on_weapons: dict[Style, Flowable] = {}
        self._turn_pieces: dict[tuple[TurnNotes, Style], Flowable] = {}

    # -------------------------------------------------------------- title and text

    def facts(self, *, turned: bool = False) -> tuple[str, str, str]:
        """Three lines: when; where; and how long on how large a table. ``turned``: the map stands
        upright, so that the depth of the table comes first."""
        scenario = self.scenario
        length = wording.end_in_words(scenario, self.catalog)
        return (
            wording.date_in_words(scenario.date),
            scenario.place,
            f"{length} · {wording.size_in_words(scenario.table, turned=turned)}",
        )

    def title(
        self,
        band: type[TitleBand] = SheetBand,
        least: float = TitleBand.FLAT,
        *,
        turned: bool = False,
    ) -> TitleBand:
        """The title in a band of this class, at least ``least`` points high; ``turned``: see
        ``facts``."""
        number, title = str(self.scenario.number), self.scenario.title.upper()
        return band("Scenario", number, title, *self.facts(turned=turned), least=least)

    def situation(self, style: Style, lead: str = "SITUATION") -> Flowable:
        """What is known when the battle begins."""
        key = style, lead
        if key not in self._situations:
            self._situations[key] = paragraph(self.scenario.situation, style, lead=lead)
        return self._situations[key]

    def victory(self, style: Style) -> Flowable:
        """What each side has to do to win, in a panel."""
        if style not in self._victories:
            text = paragraph(self.scenario.victory.text, style, lead="VICTORY")
            self._victories[style] = Panel(text)
        return self._victories[style]

    def history(self, style: Style) -> Block:
        """How the battle went in the war."""
        story = paragraph(self.scenario.history, style)
        return [RuleHead("What happened"), Gap(1), story]

    def rules(self, style: Style) -> list[Flowable]:
        """The special rules, the limits of contingents, the events that no special rule explains,
        and the scenario's own units."""
        if style not in self._rules:
            self._rules[style] = self._made_rules(style)
        return list(self._rules[style])

    def _made_rules(self, style: Style) -> list[Flowable]:
        scenario, catalog = self.scenario, self.catalog
        rules: list[Flowable] = []
        for rule in scenario.special_rules:
            rules.append(paragraph(rule.text, style, lead=f"{rule.name}."))
        for limit in scenario.limits:
            who, text = wording.limit_in_words(limit, scenario, catalog)
            rules.append(paragraph(text, style, lead=f"{who}."))
        for happening in wording.happenings_without_rule(scenario):
            lead = f"{wording.happening_heading(happening, catalog)}."
            rules.append(paragraph(happening.text, style, lead=lead))
            if isinstance(happening, DrawTable):
                for draw, rows in wording.draws_of_table(happening, catalog):
                    rules.append(terms([(f"Draw {draw}:", ""), *rows], style))
        for name, text in wording.special_units(scenario, catalog, self.answers):
            rules.append(paragraph(text, style, lead=f"{name}."))
        return rules

    def settle(self, style: Style) -> Block:
        """What is agreed before play, with a line to write on for each answer."""
        if style not in self._questions:
            self._questions[style] = self._made_questions(style)
        return list(self._questions[style])

    def _made_questions(self, style: Style) -> Block:
        """The questions before play, below their head."""
        questions = self.scenario.questions()
        # Most questions are about what the source does not say. Where it gives a side a choice, it
        # is not silent.
        aside = ""
        if questions and not any(question.sides_choice for question in questions):
            aside = "the source is silent"
        lines = [self._settle_line(question, style) for question in questions]
        return headed("Settle before play", lines, aside)

    def _settle_line(self, question: AskAtSetup, style: Style) -> SettleLine:
        """A question with who answers it, what is proposed, and a field for the answer."""
        who = ""
        if question.side:
            who = f"{wording.nation_name(question.side, self.catalog)}."
        name = f"write-{self.scenario.number}-settled-{question.id}"
        field = FormField(name, f"Settled: {question.question}")
        proposal = wording.proposal_in_words(question, self.catalog)
        return SettleLine(question.question, proposal, who, field, style)

    def departures(self, style: Style) -> Block:
        """The rulings whose answers are not the default ones, each with its answer."""
        lines: list[Flowable] = []
        for ruling, answer in self.ruling_book.departures(self.answers):
            text = f"{ruling.question} {answer}"
            lead = f"{ruling.id} {ruling.title} (not the default answer)."
            lines.append(paragraph(text, style, lead=lead))
        return headed("Rulings", lines, "where the rules leave a gap")

    def notes(self, style: Style) -> list[Flowable]:
        """What the letters of the turn track stand for, contradictions and gaps of the source, what
        of the map is ours, and the code of a dealt battle."""
        if style not in self._notes:
            self._notes[style] = self._made_notes(style)
        return list(self._notes[style])

    def _made_notes(self, style: Style) -> list[Flowable]:
        notes: list[Flowable] = []
        key = track_key(self.scenario, self.catalog)
        if key:
            notes.append(terms([("Turns.", ""), *key], style))
        for note in self.scenario.footnotes:
            notes.append(paragraph(note.text, style, lead=note.mark))
        field = self.scenario.map
        if field and field.note:
            notes.append(paragraph(_map_note(field.note), style, lead="Map."))
        if self.scenario.deal:
            notes.append(self._code_note(self.scenario.deal, style))
        return notes

    def _code_note(self, code: str, style: Style) -> Flowable:
        """The code of a dealt battle, to type and to scan."""
        text = f"This code deals the battle again (skirmish scenario deal --code): {code}"
        words = paragraph(text, style, lead="Dealt.")
        return BesideCode(words, CodeToScan(code, CODE_SIDE))

    # -------------------------------------------------------------- tables

    def laying(self, sheet_map: SheetMap | None, table: LayTable | None, aside: str) -> Block:
        """The list of what to lay on the table, below its head; nothing where nothing is laid."""
        if sheet_map is None or table is None or not sheet_map.features:
            return []
        return [RuleHead("Lay the table", aside), table]

    def scale_line(self, sheet_map: SheetMap) -> str:
        """How far the map is reduced, and how its squares and sizes are to be read."""
        return f"map {sheet_map.stated_scale}, {HOW_TO_READ_TABLE}"

    def forces(self, width: float, *, deployments: bool = True) -> ColumnBlocks:
        """The orders of battle of both sides, that of the first mover on the left. ``deployments``:
        whether they say where each contingent sets up."""
        key = width, deployments
        if key not in self._forces:
            self._forces[key] = self._made_forces(width, deployments=deployments)
        return self._forces[key]

    def _made_forces(self, width: float, *, deployments: bool) -> ColumnBlocks:
        tables = []
        for side_id, look in zip(self.order, self.looks, strict=True):
            side = self.scenario.side(side_id)
            tables.append(
                force_table(self.scenario, side, self.catalog, look, width, deployments=deployments)
            )
        first, second = tables
        return ColumnBlocks(first, second)

    @cached_property
    def _weapon_lines(self) -> list[StripLine]:
        """A line of the strip for each weapon that fires in this scenario."""
        sides = dict(zip(self.order, self.looks, strict=True))
        return weapon_lines(self.scenario, self.catalog, self.answers, sides)

    def _weapon_notes(self, style: Style) -> Flowable:
        """What has no column in the strip of weapons, as a paragraph."""
        if style not in self._notes_on_weapons:
            self._notes_on_weapons[style] = weapon_notes(
                self._weapon_lines, self._units, self.catalog, self.answers, style
            )
        return self._notes_on_weapons[style]

    @cached_property
    def _units(self) -> list[UnitType]:
        return scenario_units(self.scenario, self.catalog)

    def weapons(self, pitch: float, style: Style = styles.NOTE) -> Block:
        """The strip of weapons below its head, its rows ``pitch`` points high, with its notes in
        that ``style``; nothing where nobody fires."""
        lines = self._weapon_lines
        if not lines:
            return []
        head = with_next(RuleHead("Weapons", strip_aside(self._units, self.answers)))
        return [Unbroken([head, WeaponStrip(lines, pitch), Gap(1.2), self._weapon_notes(style)])]

    @cached_property
    def turn_accounts(self) -> list[TurnNotes]:
        """Accounts of how a turn and a shot go and how far all units move: the first is the
        fullest, each of the next says less, the last nothing. A sheet takes the first for which it
        has room."""
        return [*turn_notes(self.scenario, self.catalog, self.answers), ()]

    def turn(self, notes: TurnNotes, style: Style, *, as_one_paragraph: bool = False) -> Block:
        """Notes on the turn, each a paragraph; or all ``as_one_paragraph``, without the ends of
        lines that paragraphs leave empty."""
        if as_one_paragraph and notes:
            return [self._turn_piece(notes, style)]
        return [self._turn_piece((note,), style) for note in notes]

    def _turn_piece(self, notes: TurnNotes, style: Style) -> Flowable:
        """These notes on the turn as one paragraph."""
        key = notes, style
        if key not in self._turn_pieces:
            if len(notes) > 1:
                piece = terms(notes, style)
            else:
                lead, text = notes[0]
                piece = paragraph(text, style, lead=lead)
            self._turn_pieces[key] = piece
        return self._turn_pieces[key]

    @cached_property
    def track(self) -> Block:
        """The turn track, which ends the page."""
        return turn_track(self.scenario, self.catalog, self.looks)


def _map_note(note: str) -> str:
    """The note on a map, which begins with whose map it is. Our own scenarios write that into the
    note; a scenario of a user may have a note without it."""
    if note.startswith(OURS):
        return note
    return f"{OURS}. {note}"


def headed(title: str, lines: Sequence[Flowable], aside: str = "") -> Block:
    """Lines below a head that is repeated overleaf; nothing without lines. For that, the head is
    stored in each line (``head``), so the same lines must not be given to ``headed`` under two
    titles."""
    pieces: Block = []
    for line in lines:
        line.head = RuleHead(title, "continued")
        if pieces:
            pieces.append(Gap(0.8))
        pieces.append(line)
    if not pieces:
        return []
    return [with_next(RuleHead(title, aside)), Gap(1, keep=True), *pieces]


def balanced(lines: Sequence[Flowable], width: float, between: float = 0.8) -> Block:
    """Lines in two columns of nearly one height, across ``width`` points; ``between``: points
    between two lines."""
    if len(lines) < 2:
        return list(lines)
    half = (width - GUTTER) / 2
    # Each line is a block of its own, which may stand in either column.
    columns = in_two_columns([[line] for line in lines], half, between)
    return [two_columns(*columns, width, gutter=GUTTER)]


def with_gap_above(gap: float, block: Block) -> Block:
    """The block with one gap above it; nothing if the block is empty."""
    if not block:
        return []
    return [Gap(gap), *block]


def each_with_gap_above(gap: float, block: Sequence[Flowable]) -> Block:
    """The pieces of a block, each with a gap above it."""
    pieces: Block = []
    for piece in block:
        pieces += [Gap(gap), piece]
    return pieces
