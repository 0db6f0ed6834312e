"""The scenario sheet, and all of them bound as a book.

Title, situation, victory and facts stand above the map, forces in two columns below it, one a side.
Special rules, what to settle and what happened go below them, each to the column that keeps the
page shortest, then the turn track; footnotes, usual rulings and sources close the page. A smaller
map, and short lines of units side by side, may keep all of it to one page. Else whatever is needed
in play stays on the first page, and a second one faces it with history, footnotes, and a table for
the games that were played.

In a bound book even pages are on the left. A scenario of two pages therefore begins on one; where
it would not, a page to write on follows the sheet before it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import product
from typing import NamedTuple

from skirmish import library
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.games.plastic.scenarios.scenario import Scenario, swapped
from skirmish.sheets.layout.blocks import TitleBand
from skirmish.sheets.layout.flowables import (
    Block,
    Cell,
    Columns,
    Flowable,
    Gap,
    NewPage,
    Pair,
    Row,
    Spring,
    Stack,
    depth,
    halves,
    height_of,
    shared,
    tallest_of,
)
from skirmish.sheets.layout.fonts import ITALIC
from skirmish.sheets.layout.pages import Document, Part, as_pdf
from skirmish.sheets.layout.text import COLUMN, FORCE, SMALL, TEXT, Style, paragraph
from skirmish.sheets.maps.scenario_map import MapPiece
from skirmish.sheets.paper import CLOSE_GAP, GAP, GUTTER, MM, SIDES, Leaf
from skirmish.sheets.plastic import GAME
from skirmish.sheets.scenario.blocks import (
    ROOMY,
    Record,
    Sheet,
    at_a_glance,
    blocks_for_play,
    history,
    map_note,
    noted,
    noted_apart,
    ruled,
    situation,
    special_rules,
    victory,
)
from skirmish.sheets.scenario.forces import forces
from skirmish.sheets.scenario.turn_track import turn_track
from skirmish.sheets.scenario.words import ends, nation, span, when

_ASIDE = TEXT._replace(face=ITALIC)
_NUMBER = Style(FORCE.face, 15, 16, "centre")
_SHARES = (0.07, 0.3, 0.26, 0.25, 0.12)
_HEADS = ("", "Scenario", "When and where", "Who begins, and against whom", "Turns")
WHOLE = 12.0
"""Points that must be won before special rules are shared between the columns."""
GLANCE = 68 * MM
MAP_HEIGHTS = (330.0, 300.0, *(float(tall) for tall in range(291, 231, -3)))
"""Points, from the largest to the smallest that is still easy to read."""
ALONE = 252.0
"""So high is the map at least where everything stands on one page."""
UPRIGHT = 1.2
"""Times as high may a map be that has text beside it."""
TABLE_RULES = "where table and map differ, the table rules"
AUTHOR = "Brett Drake (rules and scenario)"


@as_pdf
def scenarios_pdf(
    page: Leaf,
    scenarios: Iterable[Scenario] | None = None,
    catalog: Catalog | None = None,
    book: PlasticRulingBook | None = None,
    *,
    answers: Mapping[str, str] | None = None,
    revision: str | None = None,
    form: bool = False,
) -> Document:
    """A scenario (None: all of them) on one page where it fits at full type size, else two or more.
    Several are to be bound: a list of them, then each with a bookmark, its two pages facing one
    another if it has two.

    ``answers`` are rulings answered otherwise than by default; units and clock follow them; with
    ``form`` boxes and options can be ticked on the screen. Raises ValueError (a sentence) for an
    answer that does not exist.
    """
    catalog, book = catalog or library.catalog(), book or library.rulings()
    chosen = book.answered(answers or {})
    sheets = []
    for one in library.scenarios().values() if scenarios is None else scenarios:
        changed = swapped(one, chosen)
        variants = catalog.with_variants(changed.variants)
        sheets.append(Sheet(changed, variants, book, chosen, form))
    if len(sheets) == 1:
        (sheet,) = sheets
        name, parts = named(sheet), [part(sheet, page, revision)]
        return Document(name, f"{GAME}: scenario", parts, AUTHOR, facing=True)
    parts = gathered(sheets, page, revision)
    return Document(f"{GAME}: the scenarios", f"{GAME}: scenarios", parts, AUTHOR, facing=True)


def gathered(sheets: Sequence[Sheet], page: Leaf, revision: str | None) -> list[Part]:
    parts = [_contents(sheets, page, revision)]
    count = 1
    before: Sheet | None = None
    for sheet in sheets:
        made = part(sheet, page, revision)
        if len(made.pages) > 1 and count % 2 == 0:
            parts.append(_to_write(before, page))
            count += 1
        parts.append(made)
        count += len(made.pages)
        before = sheet
    return parts


def _contents(sheets: Sequence[Sheet], page: Leaf, revision: str | None) -> Part:
    years = sorted({sheet.scenario.date[:4] for sheet in sheets})
    band = TitleBand(
        "Scenarios",
        str(len(sheets)),
        GAME.upper(),
        first="The scenarios",
        second="–".join(dict.fromkeys((years[0], years[-1]))),
        last="rules and scenarios by Brett Drake",
    )
    rows = [_row(sheet, page.measure) for sheet in sheets]
    named_columns = [paragraph(head, COLUMN) for head in _HEADS]
    heads = Row(list(_cells(named_columns, page.measure)), above=0, below=1, weight=0.8)
    top = [band, Gap(2 * GAP), heads]
    used = depth([*top, *rows], page.measure)
    spare = min(max(0.0, (page.depth - used) / len(rows)), 12 * MM)
    for row in rows:
        row.above, row.below = row.above + spare / 2, row.below + spare / 2
    return Part(page, [*top, *rows], "Contents", GAME, revision=revision)


def _row(sheet: Sheet, width: float) -> Row:
    scenario, catalog = sheet.scenario, sheet.catalog
    sides = []
    for side in scenario.order_of_play():
        points = span(scenario.points(side, catalog))
        sides.append(paragraph(f"{nation(side, catalog)}, {points} points", TEXT))
    end = scenario.ends_after
    pieces = [
        paragraph(str(scenario.number), _NUMBER),
        Stack([paragraph(scenario.title, FORCE), paragraph(scenario.tagline, _ASIDE)]),
        Stack(
            [
                paragraph(when(scenario.date), TEXT),
                paragraph(scenario.unmarked(scenario.place), SMALL),
            ]
        ),
        Stack(sides),
        paragraph(str(end.turn) if end else ends(scenario, catalog), TEXT),
    ]
    return Row(list(_cells(pieces, width)), above=3, below=3)


def _cells(pieces: Sequence[Flowable], width: float) -> Iterator[Cell]:
    left = 0.0
    for piece, share in zip(pieces, _SHARES, strict=True):
        yield Cell(left, share * width - 3 * MM, piece)
        left += share * width


def _to_write(sheet: Sheet | None, page: Leaf) -> Part:
    names, name = ("One side", "The other"), "Games played"
    if sheet is not None:
        order = sheet.scenario.order_of_play()
        names = nation(order[0], sheet.catalog), nation(order[1], sheet.catalog)
        name = f"{named(sheet)}, games played"
    return Part(page, [Record(names)], "", name, GAME)


class Plan(NamedTuple):
    """What stands on the first page: how high the map may be, whether short lines of units stand
    side by side, whether history and whether footnotes do too."""

    tallest: float
    paired: bool
    history: bool
    notes: bool


def named(sheet: Sheet) -> str:
    """``Scenario 10: Dog Beach``."""
    return f"Scenario {sheet.scenario.number}: {sheet.scenario.title}"


def part(sheet: Sheet, page: Leaf, revision: str | None) -> Part:
    name = named(sheet)
    story = _Layout(sheet, page).story()
    return Part(page, story, name, name, GAME, TABLE_RULES, revision=revision)


class _Layout:
    def __init__(self, sheet: Sheet, page: Leaf) -> None:
        self.sheet, self.scenario, self.page = sheet, sheet.scenario, page
        self.width = page.measure
        self.half = (self.width - GUTTER) / 2
        self.band = TitleBand(
            "Scenario",
            str(self.scenario.number),
            self.scenario.title.upper(),
            first=when(self.scenario.date),
            second=self.scenario.place,
            last=f"{GAME} · rules and scenario by Brett Drake",
            least=TitleBand.LOW,
        )
        self.glance = at_a_glance(sheet, GLANCE, overleaf=True)
        self.situation, self.victory = situation(sheet), victory(sheet)
        self.track = [Gap(CLOSE_GAP), *turn_track(self.scenario, sheet.catalog, form=sheet.form)]
        self.notes = [Gap(CLOSE_GAP), *noted(sheet)]
        self.rules, self.play = special_rules(sheet), blocks_for_play(sheet)
        self.history = history(sheet)
        self._tracked = depth(self.track, self.width)
        self._pairs: dict[tuple[bool, bool, int], tuple[Pair, float]] = {}

    @cache  # noqa: B019  (a layout lives as long as its page is made)
    def forces(self, paired: bool) -> Pair:
        battle, catalog, form = self.scenario, self.sheet.catalog, self.sheet.form
        first, second = (
            forces(battle, battle.side(side), catalog, look, self.half, form=form, paired=paired)
            for side, look in zip(battle.order_of_play(), SIDES, strict=True)
        )
        return first, second

    @property
    def upright(self) -> bool:
        """Whether the map is higher than wide, so that text stands beside it."""
        table = self.scenario.table
        return self.scenario.map is not None and table.depth_in > table.width_in

    @cached_property
    def noted(self) -> Block:
        return map_note(self.sheet)

    def story(self) -> Block:
        plan, pair = self._plan()
        if plan.notes:
            self.glance = at_a_glance(self.sheet, GLANCE)
        story = self._top(plan)
        if pair is None:  # forces longer than a page: everything simply follows
            story += [halves(*self.forces(paired=True), self.width), *self.track, Gap(CLOSE_GAP)]
            blocks = [*self._told(plan)[self._absorbed(plan) :], self.history]
            pair = shared(([], []), blocks, self.half, CLOSE_GAP)
            return [*story, halves(*pair, self.width), *self.notes]
        story += [halves(*pair, self.width), *self.track]
        if plan.notes:  # they close the first page
            story += [Spring(depth(self.notes, self.width)), *self.notes]
        if plan.history and plan.notes:
            return story
        story.append(NewPage("History and footnotes"))
        if not plan.history:
            story += history(self.sheet, ROOMY)
        if not plan.notes:
            story += [Gap(CLOSE_GAP), *noted_apart(self.sheet)]
        names = [nation(side, self.sheet.catalog) for side in self.scenario.order_of_play()]
        return [*story, Record(names, above=2 * CLOSE_GAP)]

    def _plan(self) -> tuple[Plan, Pair | None]:
        """All on one page if a smaller map makes that possible; else two pages that face one
        another, and what is needed in play on the first, below the largest map that leaves room
        for it. Footnotes join it if they can, and so does history."""
        alone = [tallest for tallest in MAP_HEIGHTS if tallest >= ALONE]
        ways = [(alone, True, True), (alone, False, True), (alone, False, False)]
        for heights, told, closed in (*ways, (MAP_HEIGHTS, False, False)):
            for tallest, paired in product(heights, (False, True)):
                plan = Plan(tallest, paired, told, closed)
                if pair := self._fits(plan):
                    return plan, pair
        return Plan(MAP_HEIGHTS[0], True, False, False), None

    def _fits(self, plan: Plan) -> Pair | None:
        beside = self._absorbed(plan)
        room = self.page.depth - self._above(plan, beside) - self._tracked
        if plan.notes:
            room -= depth(self.notes, self.width)
        pair, tall = self._shared(plan, beside)
        return pair if tall <= room else None

    def _told(self, plan: Plan) -> list[Block]:
        rules = [ruled(self.rules)] if self.rules else []
        return [*rules, *self.play, *([self.history] if plan.history else [])]

    def _shared(self, plan: Plan, beside: int) -> tuple[Pair, float]:
        """The forces and what is told below them in two columns, and how high those are. The two
        may share the special rules."""
        key = plan.paired, plan.history, beside
        if key not in self._pairs:
            told, begun = self._told(plan)[beside:], self.forces(paired=plan.paired)
            ways = [told]
            if self.rules and not beside:
                ways += [
                    [ruled(self.rules[:cut]), ruled(self.rules[cut:], goes_on=True), *told[1:]]
                    for cut in range(1, len(self.rules))
                ]
            pairs = [shared(begun, way, self.half, CLOSE_GAP) for way in ways]
            pairs = pairs[:1] + [
                pair
                for pair, way in zip(pairs[1:], ways[1:], strict=True)
                if not _turned(pair, way[0], way[1])
            ]
            high = [tallest_of(pair, self.half) for pair in pairs]
            best = min(range(len(pairs)), key=lambda one: (high[one] + (one > 0) * WHOLE, one))
            self._pairs[key] = pairs[best], high[best]
        return self._pairs[key]

    def _absorbed(self, plan: Plan) -> int:
        if not self.upright:
            return 0
        drawn = self._drawn(plan.tallest)
        room = height_of(drawn.inner, drawn.width) - depth(self._aside([]), GLANCE)
        told = self._told(plan)
        for count, block in enumerate(told):
            room -= CLOSE_GAP + depth(block, GLANCE)
            if room < 0:
                return count
        return len(told)

    def _aside(self, told: Sequence[Block]) -> Block:
        blocks = [self.glance, self.situation, self.victory, *told]
        return [piece for block in blocks for piece in (*block, Gap(CLOSE_GAP))][:-1]

    def _drawn(self, tallest: float) -> Cell:
        wide = self.width - GLANCE - GUTTER
        drawn = MapPiece(self.scenario, tallest=tallest * UPRIGHT)
        return Cell(0, wide, Stack([drawn, *self.noted]))

    def _top(self, plan: Plan) -> Block:
        beside = Columns(self._beside(plan, self._absorbed(plan)))
        return [self.band, Gap(CLOSE_GAP), beside, *self._map(plan.tallest), Gap(CLOSE_GAP)]

    def _above(self, plan: Plan, beside: int) -> float:
        columns = self._beside(plan, beside)
        level = max(height_of(column.inner, column.width) for column in columns)
        band = self.band.height_at(self.width)
        return band + CLOSE_GAP + level + depth(self._map(plan.tallest), self.width) + CLOSE_GAP

    def _beside(self, plan: Plan, count: int) -> list[Cell]:
        wide = self.width - GLANCE - GUTTER
        beyond = wide + GUTTER
        if self.upright:
            aside = self._aside(self._told(plan)[:count])
            return [Cell(beyond, GLANCE, Stack(aside)), self._drawn(plan.tallest)]
        told = [*self.situation, Gap(CLOSE_GAP), *self.victory]
        return [Cell(0, wide, Stack(told)), Cell(beyond, GLANCE, Stack(self.glance))]

    def _map(self, tallest: float) -> Block:
        if self.scenario.map is None or self.upright:
            return []
        return [Gap(CLOSE_GAP), MapPiece(self.scenario, tallest=tallest), *self.noted]


def _turned(pair: Pair, first: Block, goes_on: Block) -> bool:
    """Whether a reader would meet what goes on (on the left) before what begins (on the right)."""
    left, right = pair
    return any(piece is goes_on[0] for piece in left) and any(piece is first[0] for piece in right)
