"""The scenario sheet: all that one plays from, on one page, or on the two sides of one leaf.

The map with its numbers stands at the upper left; beside it situation, victory and special rules.
Below them are what to lay, the orders of battle as tables with boxes to cross out, the weapons in
figures, notes, and at the foot the turn track. What has no room beside the map runs on under the
shorter order of battle. A scenario of one's own may be larger than a leaf: then everything follows
in sequence."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum, IntEnum, auto
from functools import cache, cached_property
from itertools import product
from typing import Any, NamedTuple

from skirmish import library
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import RuleHead
from skirmish.sheets.layout.flow import (
    Block,
    Cell,
    Flowable,
    Gap,
    NewPage,
    SideBySide,
    Spring,
    Stack,
    depth,
    height_of,
    in_two_columns,
    shortest_columns,
)
from skirmish.sheets.layout.fonts import BODY
from skirmish.sheets.layout.pages import PdfDocument, SheetPart, as_pdf
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.maps.scenario_map import SheetMap
from skirmish.sheets.paper import MM, ROW, STEP, Leaf, leaf_of
from skirmish.sheets.plastic import AUTHOR, GAME
from skirmish.sheets.scenario.content import (
    GUTTER,
    STEPPED_NOTE,
    CloseBand,
    ScenarioContent,
    SheetBand,
    balanced,
    each_after,
    headed,
)
from skirmish.sheets.scenario.lay_table import LayTable
from skirmish.sheets.scenario.turn_notes import TurnNotes

RATIOS = {leaf_of("a4"): 20.0, leaf_of("letter"): 22.0}
"""The scale of the map by paper: one for all scenarios. Letter is the shorter page."""
TITLE = 10.0 * MM
"""The least height of the title."""
TABLE_RULES = "where table and map differ, the table rules"
"""In the footer of every sheet."""
_ABOVE_TURN, _ABOVE_TURN_BESIDE_MAP = 1.2, 2.4
"""Points above each of the notes on the turn."""
WHOLE_ACCOUNTS = 2
"""So many accounts of the turn, the first ones (``ScenarioContent.turns``), leave out words only;
the others leave out rules."""
USUAL_SPREAD = 2
"""The notes on the turn may be spread over so many places for larger type: over more only if they
do not fit otherwise."""
_ABOVE_NOTES = 4.0
"""Points above the notes on the scenario beside the map, at least."""
_BELOW_NOTES = 4.0
"""Points between these notes and the turn track, where there is room."""
_BETWEEN_NOTES = 0.4
"""Points between two of these notes: they are short, and stand close."""
_BELOW_RULE = 1.4
"""Points below each special rule beside the map."""
_ABOVE_FOOT = 2.0
"""Points above whatever stands at the foot of a page, such as the turn track."""
LARGE_TURN = Style(BODY, 8, 9.4)
"""The type of the notes on the turn on a sheet with room; else it is ``styles.NOTE``."""
CLOSE_TURN = styles.NOTE._replace(leading=1.9 * STEP)
"""The same on a sheet with little room."""
FRONT, BACK = "To set up", "To play"
"""What the two sides of a leaf are for."""
SIDES_OF_LEAF = 2
"""The pages that a sheet may take before everything follows in sequence."""


class Ease(NamedTuple):
    """How closely a page is set. In points: ``size`` and ``leading`` of its text, the leading of
    the notes (``note``), height and type size of a row of the table of what to lay (``row``,
    ``row_size``), the ``gap`` between the blocks of a page, the height of a row of the strip of
    weapons (``weapon``). ``blocks``: into how many blocks side by side the table of what to lay is
    parted; ``band``: the class of the title's band."""

    size: float
    leading: float
    note: float
    row: float
    row_size: float
    gap: float
    blocks: int
    weapon: float
    band: type[SheetBand] = SheetBand


EASES = (
    # In the order of the fields: size, leading, note, row, row_size, gap, blocks, weapon.
    Ease(8.6, 2.45 * STEP, 2.2 * STEP, 2.2 * STEP, 7.6, 8.0, 3, 0.9 * ROW),
    Ease(8.0, 2.25 * STEP, 2 * STEP, 2 * STEP, 7.4, 5.0, 3, 0.9 * ROW),
    Ease(8.0, 2.25 * STEP, 2 * STEP, 2 * STEP, 7.4, 3.6, 3, 0.9 * ROW),
    Ease(8.0, 2.25 * STEP, 2 * STEP, 2 * STEP, 7.2, 3.6, 4, 0.9 * ROW),
    Ease(7.8, 2.2 * STEP, 2 * STEP, 1.9 * STEP, 7.0, 3.2, 4, 0.9 * ROW),
    Ease(7.6, 2.1 * STEP, 1.9 * STEP, 1.75 * STEP, 6.9, 1.6, 4, 0.8 * ROW, CloseBand),
)
"""Tried in this order, from the loosest."""


class TurnSetting(NamedTuple):
    """How the turn is told: its ``notes``; whether those that stand across the page are ``running``
    as one paragraph; whether the notes on the scenario may be parted to make room for them; and
    their type."""

    notes: TurnNotes
    running: bool = False
    is_parted: bool = False
    style: Style = CLOSE_TURN


class TurnNotePlace(IntEnum):
    """Where a note on the turn stands, in the order in which a page is read."""

    BESIDE_MAP = auto()
    BELOW_FORCE = auto()
    """Below the shorter order of battle."""
    ACROSS = auto()
    """Across the page, below the weapons."""


class NotesPlace(Enum):
    """Where the notes on the scenario stand."""

    BESIDE_MAP = auto()
    BELOW_FORCE = auto()
    ABOVE_TRACK = auto()
    """Across the page."""
    PARTED_BELOW = auto()
    """As many as have room beside the map, the others below an order of battle."""
    PARTED_ABOVE = auto()
    """As many as have room beside the map, the others across the page."""


TOGETHER: tuple[NotesPlace, ...] = (
    NotesPlace.BESIDE_MAP,
    NotesPlace.BELOW_FORCE,
    NotesPlace.ABOVE_TRACK,
)
"""All notes on the scenario stand in one place, the best first."""
PARTED: tuple[NotesPlace, ...] = (NotesPlace.PARTED_BELOW, NotesPlace.PARTED_ABOVE)
"""They stand in two places, the better ones first."""


class Placement(NamedTuple):
    """Where the parts of a sheet stand that have no fixed place: each note on the turn, in their
    order, and the notes on the scenario."""

    turn: tuple[TurnNotePlace, ...]
    notes: NotesPlace

    @property
    def spread(self) -> int:
        """In how many places the turn stands."""
        return len(set(self.turn))

    def in_place(self, place: TurnNotePlace, turn: TurnNotes) -> TurnNotes:
        """Those notes on the ``turn`` that stand there."""
        standing_there = []
        for note, place_of_note in zip(turn, self.turn, strict=True):
            if place_of_note is place:
                standing_there.append(note)
        return tuple(standing_there)


@cache
def placements(turn_notes: int, *, is_parted: bool) -> tuple[Placement, ...]:
    """All ways to place so many notes on the turn, and the notes on the scenario, the best first:
    the turn in as few places as possible, in the order in which it is read, and rather below the
    weapons. The notes on the scenario stand in one place or, if ``is_parted``, in two."""
    notes_places = TOGETHER
    if is_parted:
        notes_places = PARTED
    all_placements = []
    for turn in sorted(product(TurnNotePlace, repeat=turn_notes), key=_ease_of_reading):
        all_placements += [Placement(turn, notes) for notes in notes_places]
    return tuple(all_placements)


def _ease_of_reading(places: tuple[TurnNotePlace, ...]) -> tuple[int, bool, tuple[int, ...]]:
    """The key that sorts the places of the notes on a turn, the best first."""
    is_out_of_order = list(places) != sorted(places)
    # Of places that are alike so far, those farther down the page come first.
    farther_down_first = tuple(-place for place in places)
    return len(set(places)), is_out_of_order, farther_down_first


def scenarios_pdf(
    scenarios: Iterable[Scenario] | None = None,
    catalog: Catalog | None = None,
    book: PlasticRulingBook | None = None,
    **options: Any,
) -> bytes:
    """One scenario as a sheet, several as a book; None: all scenarios of the rules. ``options`` are
    the arguments by name of ``scenario_pdf`` or ``book.book_pdf``."""
    from skirmish.sheets.scenario.book import book_pdf  # noqa: PLC0415  (imports this module)

    if scenarios is None:
        scenarios = library.published_scenarios().values()
    in_order = list(scenarios)
    if len(in_order) == 1:
        single: bytes = scenario_pdf(in_order[0], catalog, book, **options)
        return single
    return book_pdf(in_order, catalog, book, **options)


@as_pdf
def scenario_pdf(
    page: Leaf,
    scenario: Scenario,
    catalog: Catalog | None = None,
    book: PlasticRulingBook | None = None,
    *,
    answers: Mapping[str, str] | None = None,
    revision: str | None = None,
) -> PdfDocument:
    """A scenario on one page where it fits, else on the two sides of a leaf, else on several pages.

    ``answers``: answers that are not the default, by ruling or question; units and last turn follow
    them. ``revision``: the edition that the footer names. Raises ValueError (a sentence) for an
    answer that does not exist.
    """
    catalog = catalog or library.catalog()
    book = book or library.rulings()
    content = ScenarioContent(scenario, catalog, book, book.answered(answers or {}))
    sheet = _Sheet(content, page)
    author, name = f"{AUTHOR} (rules and scenario)", content.name
    if scenario.is_own:
        author = scenario.author
        if author:
            name = f"{name}, by {author}"
    footer = name, f"{GAME} by {AUTHOR}", TABLE_RULES
    part = SheetPart(page, sheet.story(), content.name, *footer, revision=revision)
    return PdfDocument(content.name, f"{GAME}: scenario", [part], author)


class _Sheet:
    """A scenario on one size of paper."""

    def __init__(self, content: ScenarioContent, page: Leaf) -> None:
        self.content, self.page, self.width = content, page, page.measure
        self.half = (self.width - GUTTER) / 2
        self._pages: dict[Ease, _OnePage] = {}
        self.map: SheetMap | None = None
        if content.scenario.map:
            self.map = SheetMap(content.scenario, RATIOS[page])

    def story(self) -> Block:
        """On one page if that can be; else on two, front and back; else in sequence."""
        turn = self._fullest_turn()
        if turn is not None:
            return self._easiest(turn)
        for across in (False, True):
            for ease in EASES:
                story = self._two_sides(ease, across=across)
                if story is not None:
                    return story
        # Where an army is so large, the loosest setting is not tried: it never has room.
        for ease in EASES[1:]:
            # The loosest of these that has room on one leaf.
            if len(SheetPart(self.page, self._in_sequence(ease), "").pages) <= SIDES_OF_LEAF:
                return self._in_sequence(ease)
        # It takes more than a leaf in any case, so nothing is won by setting it closely.
        return self._in_sequence(EASES[1])

    # -------------------------------------------------------------- one page

    def _fullest_turn(self) -> TurnSetting | None:
        """As much of the turn as has room on one page that is set closely. It is left out before a
        sheet takes two pages: the quick reference has it, too. The notes are parted before more of
        it is left out than a few words."""
        turns = self.content.turns
        together = self._fullest_of(turns[:WHOLE_ACCOUNTS], is_parted=False)
        return together or self._fullest_of(turns, is_parted=True)

    def _fullest_of(self, turns: Sequence[TurnNotes], *, is_parted: bool) -> TurnSetting | None:
        """The first of these accounts of the turn, which are in order from the fullest, that has
        room on a page set as closely as can be; in paragraphs if it has room so, else running."""
        closest = self._page(EASES[-1])
        # Most sheets hold all of it, in paragraphs.
        whole = TurnSetting(turns[0], is_parted=is_parted)
        if closest.placed(whole):
            return whole
        # A binary search, since to lay out a page takes long: where an account has room, all
        # shorter ones have.
        fullest: TurnSetting | None = None
        first, end = 0, len(turns)
        while first < end:
            middle = (first + end) // 2
            turn = TurnSetting(turns[middle], running=True, is_parted=is_parted)
            if closest.placed(turn):
                fullest, end = turn, middle
            else:
                first = middle + 1
        if fullest is None:
            return None
        in_paragraphs = fullest._replace(running=False)
        if closest.placed(in_paragraphs):
            return in_paragraphs
        return fullest

    def _easiest(self, turn: TurnSetting) -> Block:
        """One page, set as loosely as that can be, with the turn in larger type if there is room,
        but in hardly more places than on the closest page."""
        in_note_type = turn._replace(style=styles.NOTE)
        in_large_type = turn._replace(style=LARGE_TURN)
        page = self._page(EASES[-1])
        closest = page.placed(turn)
        assert closest is not None, "this turn was found to have room on the closest page"
        spread = max(closest.spread, USUAL_SPREAD)
        # From close to loose: where one does not fit, none that is looser does.
        for ease in reversed(EASES[:-1]):
            looser = self._page(ease)
            if not looser.has_room(in_note_type, spread):
                break
            page = looser
        for larger in (in_large_type, in_note_type):
            if page.has_room(larger, spread):
                return page.story(larger)
        # The page is still the closest one, on which the turn has room as it was given.
        return page.story(turn)

    def _page(self, ease: Ease) -> _OnePage:
        """The page at an ease; it keeps what was found out about it."""
        if ease not in self._pages:
            self._pages[ease] = _OnePage(self, ease)
        return self._pages[ease]

    @cached_property
    def force_depths(self) -> tuple[float, float]:
        """The heights of both orders of battle."""
        first, second = self.content.forces(self.half)
        return depth(first, self.half), depth(second, self.half)

    def laying(self, ease: Ease) -> Block:
        """The table of what to lay, with its head."""
        if self.map is None:
            return []
        # With one block less every block is wider: that is better than a shortened name. If even so
        # a name is too long, it is shortened.
        for blocks in (ease.blocks, ease.blocks - 1):
            table = LayTable(
                self.map.features, blocks, pitch=ease.row, size=ease.row_size, table_map=self.map
            )
            if table.fits(self.width):
                break
        return self.content.laying(self.map, table, self.content.scale_line(self.map))

    def blocks_below_forces(self, rules: Sequence[Flowable], style: Style) -> list[Block]:
        """What stands below the orders of battle on every sheet: the ``rules`` that have no room
        beside the map, what is settled before play, and departures."""
        blocks = [
            headed("Special rules", rules, "from beside the map"),
            self.content.settle(style),
            self.content.departures(style),
        ]
        return [block for block in blocks if block]

    def forces_with(self, blocks: Sequence[Block], gap: float) -> Flowable:
        """Both orders of battle, with the ``blocks`` below the shorter of them."""
        forces = self.content.forces(self.half)
        columns = in_two_columns(blocks, self.half, gap, above=forces)
        left, right = Stack(columns[0]), Stack(columns[1])
        return SideBySide([Cell(0, self.half, left), Cell(self.half + GUTTER, self.half, right)])

    # -------------------------------------------------------------- more pages

    def _two_sides(self, ease: Ease, *, across: bool) -> Block | None:
        """To set up on the front, to play on the back; notes that have no room on the front stand
        above the turn track. ``across``: each order of battle takes all of the width, the shorter
        one on the front, as one of hundreds of men does not fit otherwise."""
        top = _Top(self, ease)
        notes = self.content.notes(STEPPED_NOTE._replace(leading=ease.note))
        beside = top.notes_with_room(notes)
        others = balanced(notes[len(beside) :], self.width, _BETWEEN_NOTES)
        front = self._front(top, beside)
        style = Style(BODY, ease.size, ease.leading)
        # The rules that have no room beside the map stand on the front, so none are given here.
        blocks = self.blocks_below_forces([], style)
        if across:
            shorter, longer = self._forces_across()
            front += _after(ease.gap, shorter)
            on_back = list(longer)
            for block in blocks:
                on_back += _after(ease.gap, block)
            back = self._back(ease, on_back)
        else:
            back = self._back(ease, [self.forces_with(blocks, ease.gap)])
        foot = _after(_ABOVE_FOOT, self.content.track)
        # The notes that have no room beside the map: below it, else above the turn track.
        with_notes = [*front, *_after(ease.gap, others)]
        if depth(with_notes, self.width) <= self.page.depth:
            front = with_notes
        else:
            foot = [*_after(_ABOVE_FOOT, others), *foot]
        room_on_back = self.page.depth - depth(foot, self.width)
        if depth(front, self.width) > self.page.depth or depth(back, self.width) > room_on_back:
            return None
        # What happened is told only if there is room left on the front.
        history = _after(ease.gap, self.content.history(style))
        if depth([*front, *history], self.width) <= self.page.depth:
            front += history
        return [*front, NewPage(BACK), *back, Spring(room_below=depth(foot, self.width)), *foot]

    def _front(self, top: _Top, notes: Sequence[Flowable]) -> Block:
        """What it takes to set up, with these notes beside the map."""
        rules = headed(
            "Special rules", balanced(top.rules_below, self.width), "from beside the map"
        )
        return [
            *top.story(notes=notes),
            *_after(top.ease.gap, self.laying(top.ease)),
            *_after(top.ease.gap, rules),
        ]

    def _back(self, ease: Ease, forces: Block) -> Block:
        """What it takes to play, but for the turn track: the ``forces``, weapons, the turn."""
        title = f"{self.content.scenario.number} · {self.content.scenario.title}"
        return [
            RuleHead(title, f"{BACK}; the map is overleaf"),
            Gap(3),
            *forces,
            *_after(ease.gap, self.content.weapons(ease.weapon)),
            *each_after(_ABOVE_TURN, self._whole_turn()),
        ]

    def _forces_across(self) -> tuple[Block, Block]:
        """The shorter order of battle and the longer one, over all of the width."""
        first, second = self.content.forces(self.width)
        if depth(first, self.width) <= depth(second, self.width):
            return first, second
        return second, first

    def _whole_turn(self) -> Block:
        """The fullest account of the turn."""
        return self.content.turn(self.content.turns[0], styles.NOTE)

    def _in_sequence(self, ease: Ease) -> Block:
        """Everything in order, over as many pages as it takes."""
        style = Style(BODY, ease.size, ease.leading)
        content = self.content
        story: Block = [content.title(), Gap(ease.gap), content.situation(style)]
        story += [Gap(ease.gap), content.victory(style), Gap(ease.gap)]
        if self.map:
            story += [self.map, Gap(ease.gap)]
        blocks = [
            headed("Special rules", content.rules(style)),
            self.laying(ease),
            [self.forces_with(self.blocks_below_forces([], style), ease.gap)],
            [*content.weapons(ease.weapon), *each_after(_ABOVE_TURN, self._whole_turn())],
            content.track,
            headed("Notes", balanced(content.notes(STEPPED_NOTE), self.width)),
        ]
        for block in blocks:
            story += _after(ease.gap, block)
        return story


class _Top:
    """The upper part of a sheet: the title, the map, and beside it situation, victory and as many
    special rules as have room there (``column``). The rules that have none are in ``rules_below``.
    In points: the column begins at ``left`` and is ``wide``; ``room`` is left below it, beside the
    map. Without a map there is no room, and all rules are below."""

    def __init__(self, sheet: _Sheet, ease: Ease) -> None:
        content = sheet.content
        self.sheet, self.ease = sheet, ease
        style = Style(BODY, ease.size, ease.leading)
        self.column: Block = [content.situation(style), Gap(4), content.victory(style)]
        self.rules_below = content.rules(style)
        self.left = self.wide = self.room = 0.0
        if sheet.map is None:
            return
        self.left = sheet.map.across + GUTTER
        self.wide = sheet.width - self.left
        self.room = height_of(sheet.map, sheet.width) - depth(self.column, self.wide)
        self._take_rules()

    def _take_rules(self) -> None:
        """Moves the first rules from ``rules_below`` into the column, as many as have room."""
        if not self.rules_below:
            return
        head = [Gap(4), RuleHead("Special rules"), Gap(1)]
        room = self.room - depth(head, self.wide)
        beside_map: Block = []
        while self.rules_below:
            rule = self.rules_below[0]
            tall = height_of(rule, self.wide) + _BELOW_RULE
            if tall > room:
                break
            room -= tall
            beside_map += [rule, Gap(_BELOW_RULE)]
            self.rules_below.pop(0)
        if beside_map:
            self.column += [*head, *beside_map]
            self.room = room

    @property
    def is_full(self) -> bool:
        """Whether nothing else may stand beside the map: there is none, or the rules fill it and
        run on below."""
        return self.sheet.map is None or bool(self.rules_below)

    def spare(self, turn: float, notes: Sequence[Flowable]) -> float:
        """The points that are left beside the map by so many points of the turn and by the notes on
        the scenario; below 0 if they have no room."""
        if not notes:
            return self.room - turn
        if self.is_full:
            return -1.0  # no room, however many points are left: any number below 0 says so
        return self.room - turn - depth(_notes_at_foot(notes), self.wide) - _ABOVE_NOTES

    def notes_with_room(self, notes: Sequence[Flowable], turn: float = 0.0) -> Sequence[Flowable]:
        """The first of the notes on the scenario, as many as have room beside the map with so many
        points of the turn."""
        for count in range(len(notes), 0, -1):
            if self.spare(turn, notes[:count]) >= 0:
                return notes[:count]
        return []

    def story(self, turn: Block | None = None, notes: Sequence[Flowable] = ()) -> Block:
        """All of it, with these notes on the turn below the rules, and the ``notes`` on the
        scenario at the foot of the map."""
        sheet = self.sheet
        band = sheet.content.title(self.ease.band, least=TITLE)
        title: Block = [band, Gap(self.ease.gap)]
        column = [*self.column, *each_after(_ABOVE_TURN_BESIDE_MAP, turn or [])]
        if notes:
            at_foot = _notes_at_foot(notes)
            taken = depth([*column, *at_foot], self.wide)
            column += [Gap(height_of(sheet.map, sheet.width) - taken), *at_foot]
        if sheet.map is None:
            return [*title, *column]
        map_cell = Cell(0, sheet.map.across, sheet.map)
        text = Cell(self.left, self.wide, Stack(column))
        return [*title, SideBySide([map_cell, text])]


def _notes_at_foot(notes: Sequence[Flowable]) -> Block:
    """Notes on the scenario below their head, as they stand at the foot of the map."""
    block: Block = [RuleHead("Notes")]
    for note in notes:
        block += [note, Gap(_BETWEEN_NOTES)]
    return block


class _TurnHeights(NamedTuple):
    """The height of each note on the turn with the gap above it, if it stands ``beside`` the map
    (empty without a map), and if it stands ``below`` an order of battle."""

    beside: Sequence[float]
    below: Sequence[float]


class _OnePage:
    """A sheet on one page at one ease. The notes on the turn and on the scenario have no fixed
    place: one ``Placement`` after the other is tried until everything has room."""

    def __init__(self, sheet: _Sheet, ease: Ease) -> None:
        content = sheet.content
        self.sheet, self.ease, self.content = sheet, ease, content
        self.top = _Top(sheet, ease)
        note_style = STEPPED_NOTE._replace(leading=ease.note)
        self.notes = content.notes(note_style)
        style = Style(BODY, ease.size, ease.leading)
        self.below_forces = sheet.blocks_below_forces(self.top.rules_below, style)
        self.laying = _after(ease.gap, sheet.laying(ease))
        self.weapons = _after(ease.gap, content.weapons(ease.weapon, note_style))
        self.track = _after(_ABOVE_FOOT, content.track)
        fixed = [*self.top.story(), *self.laying, Gap(ease.gap), *self.weapons, *self.track]
        self.room = sheet.page.depth - depth(fixed, sheet.width)
        """The points for the orders of battle and whatever is placed below them."""
        self._heights_below = [depth(block, sheet.half) + ease.gap for block in self.below_forces]
        self._placements: dict[TurnSetting, Placement | None] = {}

    def placed(self, turn: TurnSetting) -> Placement | None:
        """The best placement of so much of the turn and of the notes that has room for all; None if
        there is none."""
        if turn not in self._placements:
            self._placements[turn] = self._first_that_fits(turn)
        return self._placements[turn]

    def has_room(self, turn: TurnSetting, spread: int) -> bool:
        """Whether the page has room for this turn, in at most so many places."""
        placement = self.placed(turn)
        return placement is not None and placement.spread <= spread

    def _first_that_fits(self, turn: TurnSetting) -> Placement | None:
        """The first placement, from the best on, that has room for all; None if there is none."""
        heights = self._turn_heights(turn)
        for placement in placements(len(turn.notes), is_parted=turn.is_parted):
            if self._fits(turn, heights, placement):
                return placement
        return None

    def _turn_heights(self, turn: TurnSetting) -> _TurnHeights:
        """The heights of all notes on the turn in the columns where they may stand."""
        pieces = self.content.turn(turn.notes, turn.style)
        beside: list[float] = []
        if self.sheet.map is not None:
            beside = [height_of(piece, self.top.wide) for piece in pieces]
        below = [height_of(piece, self.sheet.half) for piece in pieces]
        return _TurnHeights(
            [height + _ABOVE_TURN_BESIDE_MAP for height in beside],
            [height + _ABOVE_TURN for height in below],
        )

    def _fits(self, turn: TurnSetting, heights: _TurnHeights, placement: Placement) -> bool:
        """Whether all has room with this placement. What takes least time to find out is asked
        first."""
        # The points that the notes on the turn take beside the map and below an order of battle.
        beside = below = 0.0
        for number, place in enumerate(placement.turn):
            if place is TurnNotePlace.BESIDE_MAP:
                if self.top.is_full:
                    return False
                beside += heights.beside[number]
            elif place is TurnNotePlace.BELOW_FORCE:
                below += heights.below[number]
        if beside > self.top.room:
            return False
        notes = self._notes_in(placement, beside)
        if self.top.spare(beside, notes.beside) < 0:
            return False
        columns = list(self._heights_below)
        if below:
            columns.append(below + self.ease.gap)
        if notes.below:
            block = self._notes_below(notes)
            columns.append(depth(block, self.sheet.half) + self.ease.gap)
        forces = self.sheet.force_depths
        # However the blocks are parted, the higher column has at least half of everything, and a
        # column has at least its order of battle.
        least = max(*forces, (math.fsum(columns) + math.fsum(forces)) / 2)
        if least > self.room:
            return False
        room = self.room - shortest_columns(columns, forces).height
        return depth(self._across(turn, placement, notes), self.sheet.width) <= room

    def _notes_in(self, placement: Placement, turn_beside: float) -> _NotesByPlace:
        """The notes on the scenario by their places; ``turn_beside``: the points that the turn
        takes beside the map."""
        beside: Sequence[Flowable] = []
        match placement.notes:
            case NotesPlace.BESIDE_MAP:
                beside = self.notes
            case NotesPlace.PARTED_BELOW | NotesPlace.PARTED_ABOVE:
                beside = self.top.notes_with_room(self.notes, turn_beside)
        others = self.notes[len(beside) :]
        if placement.notes in (NotesPlace.ABOVE_TRACK, NotesPlace.PARTED_ABOVE):
            return _NotesByPlace(beside, [], others)
        return _NotesByPlace(beside, others, [])

    def _notes_below(self, notes: _NotesByPlace) -> Block:
        """The notes on the scenario that stand below an order of battle."""
        aside = ""
        if notes.beside:
            aside = "from beside the map"
        return headed("Notes", notes.below, aside)

    def _across(self, turn: TurnSetting, placement: Placement, notes: _NotesByPlace) -> Block:
        """What stands across the page, above the turn track."""
        turn_across = self._turn_in(TurnNotePlace.ACROSS, turn, placement)
        return [*each_after(_ABOVE_TURN, turn_across), *self._notes_across(notes)]

    def _turn_in(self, place: TurnNotePlace, turn: TurnSetting, placement: Placement) -> Block:
        """The notes on the turn that stand in a place. They run on as one paragraph only across the
        page, where the ends of paragraphs leave most empty."""
        running = turn.running and place is TurnNotePlace.ACROSS
        notes = placement.in_place(place, turn.notes)
        return self.content.turn(notes, turn.style, running=running)

    def _notes_across(self, notes: _NotesByPlace) -> Block:
        """The notes on the scenario that stand across the page, in two columns."""
        return _after(_ABOVE_FOOT, balanced(notes.across, self.sheet.width, _BETWEEN_NOTES))

    def story(self, turn: TurnSetting) -> Block:
        """The page with this ``turn``, which must have room on it (``placed``)."""
        placement = self.placed(turn)
        assert placement is not None, "only a turn that has room is asked for"
        beside, below, across = (self._turn_in(place, turn, placement) for place in TurnNotePlace)
        taken = math.fsum(
            height_of(piece, self.top.wide) + _ABOVE_TURN_BESIDE_MAP for piece in beside
        )
        notes = self._notes_in(placement, taken)
        blocks = [*self.below_forces, each_after(_ABOVE_TURN, below), self._notes_below(notes)]
        return [
            *self.top.story(beside, notes.beside),
            *self.laying,
            Gap(self.ease.gap),
            self.sheet.forces_with([block for block in blocks if block], self.ease.gap),
            *self.weapons,
            *each_after(_ABOVE_TURN, across),
            *self._foot(notes),
        ]

    def _foot(self, notes: _NotesByPlace) -> Block:
        """The turn track at the foot of the page, and above it the notes that stand across the
        page."""
        track = [Spring(room_below=depth(self.track, self.sheet.width)), *self.track]
        notes_across = self._notes_across(notes)
        if not notes_across:
            return track
        tall = depth([*notes_across, *self.track], self.sheet.width)
        return [Spring(room_below=tall, left_over=_BELOW_NOTES), *notes_across, *track]


class _NotesByPlace(NamedTuple):
    """The notes on the scenario that stand ``beside`` the map, ``below`` an order of battle, and
    ``across`` the page."""

    beside: Sequence[Flowable]
    below: Sequence[Flowable]
    across: Sequence[Flowable]


def _after(gap: float, block: Block) -> Block:
    """A block with the gap above it; nothing where the block is empty."""
    if not block:
        return []
    return [Gap(gap), *block]
