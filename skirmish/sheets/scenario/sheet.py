"""The scenario sheet: all that one plays from, on one page, or on the two sides of one leaf.

The map with its numbers stands at the upper left; beside it situation, victory and special rules.
Below them are what to lay, the orders of battle as tables with boxes to cross out, the weapons in
figures, notes, and at the foot the turn track. What has no room beside the map runs on under the
shorter order of battle. A scenario of one's own may be larger than a leaf: then everything follows
in sequence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
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
    Pair,
    SideBySide,
    Spring,
    Stack,
    depth,
    height_of,
    in_two_columns,
)
from skirmish.sheets.layout.fonts import BODY
from skirmish.sheets.layout.pages import PdfDocument, SheetPart, as_pdf
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.maps.scenario_map import SheetMap
from skirmish.sheets.paper import MM, ROW, STEP, Leaf, leaf_of
from skirmish.sheets.plastic import AUTHOR, GAME
from skirmish.sheets.scenario.content import (
    GUTTER,
    NOTE,
    ScenarioContent,
    balanced,
    each_after,
    headed,
)
from skirmish.sheets.scenario.lay_table import LayTable
from skirmish.sheets.scenario.turn_notes import TurnNotes

RATIOS = {leaf_of("a4"): 20.0, leaf_of("letter"): 22.0}
"""The scale of the map by paper: one for all scenarios. Letter is the shorter page."""
TITLE = 10.8 * MM
"""The least height of the title."""
TABLE_RULES = "where table and map differ, the table rules"
_ABOVE_TURN, _ABOVE_TURN_BESIDE_MAP = 1.2, 2.4
"""Points above each of the notes on the turn."""
LARGE_TURN = Style(BODY, 8, 9.4)
"""The type of these notes on a sheet with room."""
FRONT, BACK = "To set up", "To play"


class Ease(NamedTuple):
    """How closely a page is set, in points: the size and the leading of its text, the leading of
    the notes, the height and type size of a row of the table of what to lay, the gap between
    blocks, into how many blocks side by side that table is parted, and the height of a row of the
    strip of weapons."""

    size: float
    leading: float
    note: float
    row: float
    row_size: float
    gap: float
    blocks: int
    weapon: float


EASES = (
    Ease(8.6, 2.45 * STEP, 2.2 * STEP, 2.2 * STEP, 7.6, 8.0, 3, 0.9 * ROW),
    Ease(8.0, 2.25 * STEP, 2 * STEP, 2 * STEP, 7.4, 5.0, 3, 0.9 * ROW),
    Ease(8.0, 2.25 * STEP, 2 * STEP, 2 * STEP, 7.4, 3.6, 3, 0.9 * ROW),
    Ease(8.0, 2.25 * STEP, 2 * STEP, 2 * STEP, 7.2, 3.6, 4, 0.9 * ROW),
    Ease(7.8, 2.2 * STEP, 2 * STEP, 1.9 * STEP, 7.0, 3.2, 4, 0.9 * ROW),
    Ease(7.6, 2.1 * STEP, 1.9 * STEP, 1.75 * STEP, 6.9, 2.0, 4, 0.82 * ROW),
)
"""Tried in this order."""


class TurnBlocks(NamedTuple):
    """What is told of the turn beside the map, and below the weapons."""

    beside_map: Block
    below_weapons: Block


class TurnSetting(NamedTuple):
    """What is told of the turn, whether as one paragraph, in which type, and how many of its notes
    stand beside the map."""

    notes: TurnNotes
    running: bool = False
    style: Style = styles.NOTE
    beside: int = 0

    def blocks(self, content: ScenarioContent) -> TurnBlocks:
        """The notes where they stand."""
        beside, below = self.notes[: self.beside], self.notes[self.beside :]
        return TurnBlocks(
            beside_map=content.turn(beside, self.style, running=self.running),
            below_weapons=content.turn(below, self.style, running=self.running),
        )


class NotePlaces(NamedTuple):
    """Which notes stand where: beside the map, below the shorter order of battle, and across the
    page above the turn track."""

    are_beside_map: bool
    aside: list[Flowable]
    across: list[Flowable]

    @property
    def aside_from(self) -> str:
        """What the head of those below an order of battle adds, if they go on from elsewhere."""
        if self.are_beside_map:
            return "from beside the map"
        return ""


NO_NOTES = NotePlaces(are_beside_map=False, aside=[], across=[])


class OnePage(NamedTuple):
    """A sheet that has room on one page, and how the turn is told on it."""

    turn: TurnSetting
    story: Block


def scenarios_pdf(
    scenarios: Iterable[Scenario] | None = None,
    catalog: Catalog | None = None,
    book: PlasticRulingBook | None = None,
    **options: Any,
) -> bytes:
    """One scenario as a sheet, several (None: all of the rules) as a book; see ``scenario_pdf`` and
    ``book.book_pdf`` for what else can be given."""
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
    """A scenario on one page where it fits, else on the two sides of a leaf.

    ``answers`` are rulings answered otherwise than by default; units and clock follow them. Raises
    ValueError (a sentence) for an answer that does not exist.
    """
    catalog, book = catalog or library.catalog(), book or library.rulings()
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
        self.title = content.title(least=TITLE)
        self._least: dict[Ease, float] = {}
        self.map: SheetMap | None = None
        if content.scenario.map:
            self.map = SheetMap(content.scenario, RATIOS[page])

    def story(self) -> Block:
        """On one page if that can be; else on two, front and back; else in sequence."""
        closest = self._fullest_turn()
        if closest is not None:
            return self._easiest(closest)
        for ease in EASES:
            story = self._two_sides(ease)
            if story is not None:
                return story
        return self._in_sequence(EASES[1])

    # -------------------------------------------------------------- one page

    def _fullest_turn(self) -> OnePage | None:
        """As much of the turn as has room on one page that is set closely. It is left out before a
        sheet takes two pages: the quick reference has it, too."""
        turns = self.content.turns
        # Most sheets hold all of it, in paragraphs.
        whole = self._anywhere(EASES[-1], TurnSetting(turns[0]))
        if whole is not None:
            return whole
        # What is shorter has room where the longer has, so half of what is left is ruled out each
        # time: to lay out a page takes long.
        fullest: OnePage | None = None
        first, end = 0, len(turns)
        while first < end:
            middle = (first + end) // 2
            page = self._anywhere(EASES[-1], TurnSetting(turns[middle], running=True))
            if page is None:
                first = middle + 1
            else:
                fullest, end = page, middle
        if fullest is None:
            return None
        in_paragraphs = self._anywhere(EASES[-1], TurnSetting(fullest.turn.notes))
        return in_paragraphs or fullest

    def _easiest(self, closest: OnePage) -> Block:
        """One page, set as loosely as that can be, with the turn in larger type if there is room.
        What does not fit when set closely is not tried any looser."""
        easiest, loosest = closest, EASES[-1]
        for ease in reversed(EASES[:-1]):
            page = self._anywhere(ease, closest.turn)
            if page is None:
                break
            easiest, loosest = page, ease
        larger = self._one_page(loosest, easiest.turn._replace(style=LARGE_TURN))
        return larger or easiest.story

    def _anywhere(self, ease: Ease, turn: TurnSetting) -> OnePage | None:
        """One page with the turn below the weapons, else with as much as can be beside the map,
        else with a part there."""
        for beside in dict.fromkeys((0, len(turn.notes), 1, 2)):
            if beside <= len(turn.notes):
                placed = turn._replace(beside=beside)
                story = self._one_page(ease, placed)
                if story is not None:
                    return OnePage(placed, story)
        return None

    def _one_page(self, ease: Ease, turn: TurnSetting) -> Block | None:
        beside_map, below_weapons = turn.blocks(self.content)
        turn_block = each_after(_ABOVE_TURN, below_weapons)
        # Most of what does not fit is found out without laying out the rest.
        if self._least_depth(ease) + depth(turn_block, self.width) > self.page.depth:
            return None
        top = _Top(self, ease, beside_map)
        if not top.has_turn:
            return None
        laying = _after(ease.gap, self._laying(ease))
        below = [*_after(ease.gap, self.content.weapons(ease.weapon)), *turn_block]
        track = _after(2.0, self.content.track)
        forces = self.content.forces(self.half)
        used = depth([*top.story(), *laying, Gap(ease.gap), *below, *track], self.width)
        without_notes = self._forces_with(forces, top.rules_below, NO_NOTES, ease)
        if used + height_of(without_notes, self.width) > self.page.depth:
            return None
        for notes in _places_of_notes(top):
            above = [*top.story(with_notes=notes.are_beside_map), *laying]
            both = self._forces_with(forces, top.rules_below, notes, ease)
            foot = [*_after(2.0, balanced(notes.across, self.width, 0.4)), *track]
            page = [*above, Gap(ease.gap), both, *below]
            if depth([*page, *foot], self.width) <= self.page.depth:
                return [*page, Spring(depth(foot, self.width)), *foot]
        return None

    def _least_depth(self, ease: Ease) -> float:
        """What stands on the page however the rest is placed: the title and the map, what to lay,
        the longer order of battle, the weapons and the turn track."""
        if ease not in self._least:
            fixed: Block = [self.title, Gap(ease.gap)]
            if self.map is not None:
                fixed.append(self.map)
            fixed += _after(ease.gap, self._laying(ease))
            fixed += _after(ease.gap, self.content.weapons(ease.weapon))
            fixed += _after(2.0, self.content.track)
            forces = self.content.forces(self.half)
            longer = max(depth(column, self.half) for column in forces)
            self._least[ease] = depth(fixed, self.width) + ease.gap + longer
        return self._least[ease]

    def _laying(self, ease: Ease) -> Block:
        if self.map is None:
            return []
        # A name is not shortened for one block more.
        for blocks in (ease.blocks, ease.blocks - 1):
            table = LayTable(
                self.map.features, blocks, pitch=ease.row, size=ease.row_size, table_map=self.map
            )
            if table.fits(self.width):
                break
        return self.content.laying(self.map, table, self.content.scale_line(self.map))

    def _forces_with(
        self, forces: Pair, rules: list[Flowable], notes: NotePlaces, ease: Ease
    ) -> Flowable:
        """Both orders of battle; what has found no room elsewhere below the shorter of them."""
        style = Style(BODY, ease.size, ease.leading)
        blocks = [
            headed("Special rules", rules, "from beside the map"),
            self.content.settle(style),
            self.content.departures(style),
            headed("Notes", notes.aside, notes.aside_from),
        ]
        blocks = [block for block in blocks if block]
        columns = in_two_columns(blocks, self.half, ease.gap, above=forces)
        left, right = Stack(columns[0]), Stack(columns[1])
        return SideBySide([Cell(0, self.half, left), Cell(self.half + GUTTER, self.half, right)])

    # -------------------------------------------------------------- more pages

    def _two_sides(self, ease: Ease) -> Block | None:
        """To set up on the front, to play on the back."""
        front = self._front(ease)
        style = Style(BODY, ease.size, ease.leading)
        title = f"{self.content.scenario.number} · {self.content.scenario.title}"
        back: Block = [RuleHead(title, f"{BACK}; the map is overleaf"), Gap(3)]
        back.append(self._forces_with(self.content.forces(self.half), [], NO_NOTES, ease))
        back += _after(ease.gap, self.content.weapons(ease.weapon))
        back += each_after(_ABOVE_TURN, self._whole_turn())
        foot = _after(2.0, self.content.track)
        room = self.page.depth
        used_on_back = depth(back, self.width) + depth(foot, self.width)
        if depth(front, self.width) > room or used_on_back > room:
            return None
        history = _after(ease.gap, self.content.history(style))
        if depth([*front, *history], self.width) <= room:
            front += history
        return [*front, NewPage(BACK), *back, Spring(depth(foot, self.width)), *foot]

    def _front(self, ease: Ease) -> Block:
        top = _Top(self, ease, [])
        rules = headed(
            "Special rules", balanced(top.rules_below, self.width), "from beside the map"
        )
        notes = balanced(top.notes_below, self.width, 0.4)
        return [
            *top.story(),
            *_after(ease.gap, self._laying(ease)),
            *_after(ease.gap, rules),
            *_after(ease.gap, notes),
        ]

    def _whole_turn(self) -> Block:
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
            self._laying(ease),
            [self._forces_with(content.forces(self.half), [], NO_NOTES, ease)],
            [*content.weapons(ease.weapon), *each_after(_ABOVE_TURN, self._whole_turn())],
            content.track,
            headed("Notes", content.notes(NOTE)),
        ]
        for block in blocks:
            story += _after(ease.gap, block)
        return story


class _Top:
    """The upper part of a sheet: the title, the map, and beside it as much text as has room there.
    What has none is in ``rules_below`` and ``notes_below``; ``has_turn``: whether all of the turn
    that was to stand there does."""

    def __init__(self, sheet: _Sheet, ease: Ease, turn: Block) -> None:
        content = sheet.content
        self.sheet, self.ease = sheet, ease
        style = Style(BODY, ease.size, ease.leading)
        self.column: Block = [
            content.situation(style),
            Gap(4),
            content.victory(style),
        ]
        self.rules_below = content.rules(style)
        self.notes_beside: list[Flowable] = []
        self._notes_block: Block = []
        self.notes_below = content.notes(NOTE._replace(leading=ease.note))
        self.has_turn = not turn
        if sheet.map is None:
            return
        self.left = sheet.map.across + GUTTER
        self.wide = sheet.width - self.left
        self.room = height_of(sheet.map, sheet.width) - depth(self.column, self.wide)
        self._take_rules()
        self._take_turn(turn)
        self._take_notes()

    def _take_rules(self) -> None:
        """Moves as many rules beside the map as have room there."""
        if not self.rules_below:
            return
        head = [Gap(4), RuleHead("Special rules"), Gap(1)]
        room = self.room - depth(head, self.wide)
        beside_map: Block = []
        while self.rules_below:
            rule = self.rules_below[0]
            tall = height_of(rule, self.wide) + 1.4
            if tall > room:
                break
            room -= tall
            beside_map += [rule, Gap(1.4)]
            self.rules_below.pop(0)
        if beside_map:
            self.column += [*head, *beside_map]
            self.room = room

    def _take_turn(self, turn: Block) -> None:
        """Moves the turn beside the map, if no rule runs on below it."""
        block = each_after(_ABOVE_TURN_BESIDE_MAP, turn)
        tall = depth(block, self.wide)
        if not self.rules_below and tall <= self.room:
            self.room -= tall
            self.column += block
            self.has_turn = True

    def _take_notes(self) -> None:
        """Moves as many notes beside the map as have room there, to its foot, if no rule runs on
        below it."""
        if self.rules_below:
            return
        notes: Block = [RuleHead("Notes")]
        room = self.room - depth(notes, self.wide) - 4
        while self.notes_below:
            tall = height_of(self.notes_below[0], self.wide) + 0.4
            if tall > room:
                break
            room -= tall
            note = self.notes_below.pop(0)
            self.notes_beside.append(note)
            notes += [note, Gap(0.4)]
        if self.notes_beside:
            spare = self.room - depth(notes, self.wide)
            self._notes_block = [Gap(spare), *notes]

    def story(self, *, with_notes: bool = True) -> Block:
        sheet = self.sheet
        title: Block = [sheet.title, Gap(self.ease.gap)]
        column = list(self.column)
        if with_notes:
            column += self._notes_block
        if sheet.map is None:
            return [*title, *column]
        map_cell = Cell(0, sheet.map.across, sheet.map)
        text = Cell(self.left, self.wide, Stack(column))
        return [*title, SideBySide([map_cell, text])]


def _places_of_notes(top: _Top) -> Iterator[NotePlaces]:
    """Where the notes may stand, the best first: all in one place before some here and some
    there."""
    beside, below = top.notes_beside, top.notes_below
    if not below:
        yield NotePlaces(are_beside_map=True, aside=[], across=[])
    notes = [*beside, *below]
    yield NotePlaces(are_beside_map=False, aside=notes, across=[])
    yield NotePlaces(are_beside_map=False, aside=[], across=notes)
    # As few as do below the shorter order of battle.
    for count in range(len(below) + 1):
        yield NotePlaces(bool(beside), below[:count], below[count:])


def _after(gap: float, block: Block) -> Block:
    """A block with the gap above it; nothing where the block is empty."""
    if not block:
        return []
    return [Gap(gap), *block]
