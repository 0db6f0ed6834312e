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

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import NamedTuple

from skirmish import library
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.games.plastic.scenarios.happening_kinds import DrawTable
from skirmish.games.plastic.scenarios.scenario import Scenario, swapped
from skirmish.sheets import inks
from skirmish.sheets.inks import SIDES
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import Head, SettleLine, TitleBand, section
from skirmish.sheets.layout.drawing import Canvas, Filling, rule
from skirmish.sheets.layout.flow import (
    Block,
    Cell,
    Flowable,
    Gap,
    NewPage,
    Pair,
    Panel,
    SideBySide,
    Spring,
    Stack,
    depth,
    halves,
    height_of,
    shared,
    tallest_of,
)
from skirmish.sheets.layout.fonts import ITALIC, MEDIUM
from skirmish.sheets.layout.pages import OwnNotes, PdfDocument, SheetPart, as_pdf
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.tables import TableLayout, facts
from skirmish.sheets.layout.text import fitted, paragraph, terms, write
from skirmish.sheets.maps.scenario_map import MapPiece
from skirmish.sheets.paper import CLOSE_GAP, GAP, GUTTER, HAIR, MM, THIN, Leaf
from skirmish.sheets.plastic import GAME
from skirmish.sheets.scenario import words
from skirmish.sheets.scenario.forces import forces
from skirmish.sheets.scenario.turn_track import turn_track

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
OURS = "Our schematic"
_AFTER = 1.4
_LABEL = Style(MEDIUM, 7.4, 7.4, ink=inks.CODE)


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
) -> PdfDocument:
    """A scenario (None: all of them) on one page where it fits at full type size, else two or more.
    Several are to be bound: a list of them, then each with a bookmark, its two pages facing one
    another if it has two.

    ``answers`` are rulings answered otherwise than by default; units and clock follow them; with
    ``form`` boxes and options can be ticked on the screen. Raises ValueError (a sentence) for an
    answer that does not exist.
    """
    catalog, book = catalog or library.catalog(), book or library.rulings()
    chosen = book.answered(answers or {})
    chapters = library.scenarios().values() if scenarios is None else scenarios
    sheets = [_Sheet(one, catalog, book, chosen, page, form=form) for one in chapters]
    if len(sheets) == 1:
        (sheet,) = sheets
        return PdfDocument(sheet.name, f"{GAME}: scenario", [sheet.part(revision)], AUTHOR, True)
    parts = [_contents(sheets, page, revision)]
    count = 1
    for before, sheet in zip([None, *sheets], sheets, strict=False):
        made = sheet.part(revision)
        if len(made.pages) > 1 and count % 2 == 0:
            parts.append(_to_write(before, page))
            count += 1
        parts.append(made)
        count += len(made.pages)
    return PdfDocument(f"{GAME}: the scenarios", f"{GAME}: scenarios", parts, AUTHOR, True)


def _contents(sheets: Sequence[_Sheet], page: Leaf, revision: str | None) -> SheetPart:
    years = sorted({sheet.scenario.date[:4] for sheet in sheets})
    span = "–".join(dict.fromkeys((years[0], years[-1])))
    about = "The scenarios", span, "rules and scenarios by Brett Drake"
    band = TitleBand("Scenarios", str(len(sheets)), GAME.upper(), *about)
    each = page.measure / MM
    table = TableLayout(
        page.measure,
        (
            ("", 0.07 * each, Style(styles.FORCE.face, 15, 16, "centre")),
            ("Scenario", 0.3 * each, styles.FORCE),
            ("When and where", 0.26 * each, styles.TEXT),
            ("Who begins, and against whom", 0.25 * each, styles.TEXT),
            ("Turns", 0.12 * each, styles.TEXT),
        ),
        pad=0,
        between=3 * MM,
    )
    rows = []
    for scenario, catalog in ((sheet.scenario, sheet.catalog) for sheet in sheets):
        order, end = scenario.order_of_play(), scenario.ends_after
        points = [words.span(scenario.points(side, catalog)) for side in order]
        sides = [f"{words.nation(side, catalog)}, {cost} points"
                 for side, cost in zip(order, points, strict=True)]  # fmt: skip
        when = paragraph(words.when(scenario.date))
        where = paragraph(scenario.unmarked(scenario.place), styles.SMALL)
        aside = styles.TEXT._replace(face=ITALIC)
        title = paragraph(scenario.title, styles.FORCE), paragraph(scenario.tagline, aside)
        turns = str(end.turn) if end else words.ends(scenario, catalog)
        cells = [paragraph(str(scenario.number), table.styles[0]), Stack(title),
                 Stack([when, where]), Stack(map(paragraph, sides)), paragraph(turns)]  # fmt: skip
        rows.append(table.line(cells, 3, 3))
    top = [band, Gap(2 * GAP), table.heads(0.5)]
    used = depth([*top, *rows], page.measure)
    spare = min(max(0.0, (page.depth - used) / len(rows)), 12 * MM)
    for row in rows:
        row.above, row.below = row.above + spare / 2, row.below + spare / 2
    return SheetPart(page, [*top, *rows], "Contents", GAME, revision=revision)


def _to_write(sheet: _Sheet | None, page: Leaf) -> SheetPart:
    if sheet is None:
        return SheetPart(page, [Record(("One side", "The other"))], "", "Games played", GAME)
    return SheetPart(page, [Record(sheet.sides)], "", f"{sheet.name}, games played", GAME)


class PagePlan(NamedTuple):
    """What stands on the first page: how high the map may be, whether short lines of units stand
    side by side, whether history and whether footnotes do too."""

    tallest: float
    paired: bool
    history: bool
    notes: bool


class _Sheet:
    """A scenario under the answers chosen, its variants in the catalog, on one size of paper;
    whether its boxes can be ticked on the screen."""

    def __init__(
        self,
        scenario: Scenario,
        catalog: Catalog,
        book: PlasticRulingBook,
        answers: Mapping[str, str],
        page: Leaf,
        *,
        form: bool,
    ) -> None:
        self.scenario = swapped(scenario, answers)
        self.catalog = catalog.with_variants(self.scenario.variants)
        self.book, self.answers, self.page, self.form = book, answers, page, form
        self.width = page.measure
        self.half = (self.width - GUTTER) / 2
        self.name = f"Scenario {scenario.number}: {scenario.title}"
        self.sides = [words.nation(side, self.catalog) for side in scenario.order_of_play()]
        self._forces: dict[bool, Pair] = {}
        self._pairs: dict[tuple[bool, bool, int], tuple[Pair, float]] = {}

    def part(self, revision: str | None) -> SheetPart:
        footer = self.name, GAME, TABLE_RULES
        return SheetPart(self.page, self.story(), self.name, *footer, revision=revision)

    # -------------------------------------------------------------- blocks

    @cached_property
    def band(self) -> TitleBand:
        number, title = str(self.scenario.number), self.scenario.title.upper()
        last = f"{GAME} · rules and scenario by Brett Drake"
        aside = words.when(self.scenario.date), self.scenario.place, last
        return TitleBand("Scenario", number, title, *aside, least=TitleBand.LOW)

    @cached_property
    def opening(self) -> tuple[Block, Block]:
        situation = [Head("Situation"), Gap(0.8 * MM), paragraph(self.scenario.situation)]
        won = Panel(paragraph(self.scenario.victory.text, styles.LEAD))
        return situation, [Head("Victory", ink=inks.ACCENT), won]

    @cached_property
    def glance(self) -> Block:
        scenario, catalog = self.scenario, self.catalog
        rows = [self._strength(side) for side in scenario.order_of_play()]
        rows += [
            ("Sets up first", words.nation(scenario.sets_up_first, catalog)),
            ("Moves first", words.nation(scenario.moves_first, catalog)),
            ("Length", words.ends(scenario, catalog)),
            ("Table", words.size(scenario.table)),
        ]
        return [Head("At a glance"), Gap(0.4 * MM), facts(rows, GLANCE, 21)]

    def _strength(self, id: str) -> tuple[str, str]:
        side = self.scenario.side(id)
        points = words.span(self.scenario.points(id, self.catalog))
        pdg = words.span(self.scenario.pdg(id, self.catalog))
        role = side.role.capitalize() if side.role in ("attacker", "defender") else "Side"
        text = f"{words.nation(id, self.catalog)}, {points} points, {pdg} PDG"
        if more := words.besides(self.scenario, id):
            text += f", besides {' and '.join(more)}"
        return role, text

    @cached_property
    def rules(self) -> list[Flowable]:
        """The paragraphs of the special rules, which two columns may share."""
        scenario, catalog = self.scenario, self.catalog
        found = [paragraph(rule.text, lead=f"{rule.name}.") for rule in scenario.special_rules]
        for limit in scenario.limits:
            who, text = words.limited(limit, scenario, catalog)
            found.append(paragraph(text, lead=f"{who}."))
        for happening in words.unruled(scenario):
            found.append(paragraph(happening.text, lead=f"{words.lead(happening, catalog)}."))
            if isinstance(happening, DrawTable):
                draws = words.draws(happening, catalog)
                found += [terms([(f"Draw {at}:", ""), *rows], styles.TEXT) for at, rows in draws]
        for name, text in words.own_units(scenario, catalog, self.answers):
            found.append(paragraph(text, styles.SMALL, lead=f"{name}."))
        return [*found]

    def _ruled(self, rules: Sequence[Flowable], aside: str = "") -> Block:
        return section("Special rules", rules, aside)

    @cached_property
    def play(self) -> list[Block]:
        """What else players look at before and during the game: what to settle, and every ruling
        that differs from its default."""
        asked = self.scenario.questions()
        silent = asked and not any(one.chosen for one in asked)
        settle: Block = [Head("Settle before play", "the source is silent" if silent else "")]
        settle.append(Gap(0.8 * MM))
        for one in asked:
            who = f"{words.nation(one.side, self.catalog)}." if one.side else ""
            proposed = words.proposal(one, self.catalog)
            settle += [SettleLine(one.question, proposed, lead=who), Gap(_AFTER)]
        departures = (
            paragraph(
                f"{ruling.question} {ruling.answers[self.answers[ruling.id]]}",
                lead=f"{ruling.id} {ruling.title} (not the usual answer).",
            )
            for ruling, _ in self.book.departures(self.answers)
        )
        rulings = section("Rulings", departures, "where the rules leave a gap")
        return [block for block in (settle[:-1] if asked else [], rulings) if block]

    def _history(self, style: Style) -> Block:
        story = paragraph(self.scenario.history, style)
        return [Head("What happened"), Gap(0.8 * MM), story]

    @cached_property
    def history(self) -> Block:
        return self._history(styles.ASIDE)

    @cached_property
    def map_note(self) -> Block:
        field = self.scenario.map
        if field is None or not field.note:
            return []
        text = field.note if field.note.startswith(OURS) else f"{OURS}. {field.note}"
        return [Gap(1.6), paragraph(text, styles.NOTE._replace(face=ITALIC))]

    @cached_property
    def notes(self) -> list[tuple[str, str]]:
        """What closes a sheet, each behind its mark or word: where the source contradicts itself or
        is lost, what a word means, which rulings are at their defaults, and the sources."""
        scenario, strength = self.scenario, self.catalog.strength
        found = [(note.mark, note.text) for note in scenario.footnotes]
        counts = f"a guy is {strength.guy}, a model {strength.model}"
        pdg = f"potential dead guys, a side's strength: {counts}. Points are list prices without"
        found.append(("PDG:", f"{pdg} works."))
        changed = {ruling.id for ruling, _ in self.book.departures(self.answers)}
        rulings = (self.book.rulings[name] for name in scenario.rulings if name not in changed)
        if usual := "; ".join(f"{ruling.id} {ruling.title}" for ruling in rulings):
            found.append(("Rulings at their defaults:", f"{usual}."))
        return [*found, ("Sources:", f"{'; '.join(scenario.sources)}.")]

    @cached_property
    def closing(self) -> Block:
        return [Gap(CLOSE_GAP), terms(self.notes, styles.NOTE)]

    @cached_property
    def track(self) -> Block:
        return [Gap(CLOSE_GAP), *turn_track(self.scenario, self.catalog, form=self.form)]

    def forces(self, paired: bool) -> Pair:
        if paired not in self._forces:
            battle, how = self.scenario, {"form": self.form, "paired": paired}
            first, second = (
                forces(battle, battle.side(side), self.catalog, look, self.half, **how)
                for side, look in zip(battle.order_of_play(), SIDES, strict=True)
            )
            self._forces[paired] = first, second
        return self._forces[paired]

    # -------------------------------------------------------------- pages

    def story(self) -> Block:
        plan, pair = self._plan()
        marks = " ".join(note.mark for note in self.scenario.footnotes)
        if marks and not plan.notes:
            self.glance[0] = Head("At a glance", f"{marks} see page 2")
        story = self._top(plan)
        if pair is None:  # forces longer than a page: everything simply follows
            story += [halves(*self.forces(paired=True), self.width), *self.track, Gap(CLOSE_GAP)]
            blocks = [*self._told(plan)[self._absorbed(plan) :], self.history]
            pair = shared(([], []), blocks, self.half, CLOSE_GAP)
            return [*story, halves(*pair, self.width), *self.closing]
        story += [halves(*pair, self.width), *self.track]
        if plan.notes:  # they close the first page
            story += [Spring(depth(self.closing, self.width)), *self.closing]
        if plan.history and plan.notes:
            return story
        story.append(NewPage("History and footnotes"))
        if not plan.history:
            story += self._history(styles.TEXT._replace(face=ITALIC))
        if not plan.notes:
            lines = [paragraph(text, styles.SMALL, lead=term) for term, text in self.notes]
            story += [Gap(CLOSE_GAP), *section("Notes on the source", lines)]
        return [*story, Record(self.sides, above=2 * CLOSE_GAP)]

    def _plan(self) -> tuple[PagePlan, Pair | None]:
        """All on one page if a smaller map makes that possible; else two pages that face one
        another, and what is needed in play on the first, below the largest map that leaves room
        for it. Footnotes join it if they can, and so does history."""
        alone = [tallest for tallest in MAP_HEIGHTS if tallest >= ALONE]
        ways = [(alone, True, True), (alone, False, True), (alone, False, False)]
        for heights, lines, closed in (*ways, (MAP_HEIGHTS, False, False)):
            for tallest, paired in product(heights, (False, True)):
                plan = PagePlan(tallest, paired, lines, closed)
                below = [*self.track, *(self.closing if plan.notes else [])]
                room = self.page.depth - depth([*self._top(plan), *below], self.width)
                pair, tall = self._shared(plan, self._absorbed(plan))
                if tall <= room:
                    return plan, pair
        return PagePlan(MAP_HEIGHTS[0], True, False, False), None

    def _told(self, plan: PagePlan) -> list[Block]:
        rules = [self._ruled(self.rules)] if self.rules else []
        return [*rules, *self.play, *([self.history] if plan.history else [])]

    def _shared(self, plan: PagePlan, beside: int) -> tuple[Pair, float]:
        """The forces and what is told below them in two columns, and how high those are. The two
        may share the special rules."""
        key = plan.paired, plan.history, beside
        if key not in self._pairs:
            lines, begun = self._told(plan)[beside:], self.forces(paired=plan.paired)
            pair = shared(begun, lines, self.half, CLOSE_GAP)
            found = [(tallest_of(pair, self.half), 0, pair)]
            for cut in range(1, 0 if beside else len(self.rules)):
                first = self._ruled(self.rules[:cut])
                rest = self._ruled(self.rules[cut:], "continued")
                pair = shared(begun, [first, rest, *lines[1:]], self.half, CLOSE_GAP)
                if not _turned(pair, first, rest):
                    found.append((tallest_of(pair, self.half) + WHOLE, cut, pair))
            tall, cut, pair = min(found, key=lambda one: one[:2])
            self._pairs[key] = pair, tall - (WHOLE if cut else 0)
        return self._pairs[key]

    # -------------------------------------------------------------- above the forces

    @property
    def upright(self) -> bool:
        """Whether the map is higher than wide, so that text stands beside it."""
        table = self.scenario.table
        return self.scenario.map is not None and table.depth_in > table.width_in

    def _absorbed(self, plan: PagePlan) -> int:
        """How many of the blocks that are told have room beside an upright map."""
        if not self.upright:
            return 0
        drawn = self._drawn(plan.tallest)
        room = height_of(drawn.inner, drawn.width) - depth(self._aside([]), GLANCE)
        lines = self._told(plan)
        for count, block in enumerate(lines):
            room -= CLOSE_GAP + depth(block, GLANCE)
            if room < 0:
                return count
        return len(lines)

    def _aside(self, told: Sequence[Block]) -> Block:
        blocks = [self.glance, *self.opening, *told]
        return [piece for block in blocks for piece in (*block, Gap(CLOSE_GAP))][:-1]

    def _drawn(self, tallest: float) -> Cell:
        drawn = MapPiece(self.scenario, tallest=tallest * UPRIGHT)
        return Cell(0, self.width - GLANCE - GUTTER, Stack([drawn, *self.map_note]))

    def _top(self, plan: PagePlan) -> Block:
        wide = self.width - GLANCE - GUTTER
        top: Block = [self.band, Gap(CLOSE_GAP)]
        if self.upright:
            aside = Stack(self._aside(self._told(plan)[: self._absorbed(plan)]))
            top.append(SideBySide([Cell(wide + GUTTER, GLANCE, aside), self._drawn(plan.tallest)]))
        else:
            situation, victory = self.opening
            lines = Cell(0, wide, Stack([*situation, Gap(CLOSE_GAP), *victory]))
            top.append(SideBySide([lines, Cell(wide + GUTTER, GLANCE, Stack(self.glance))]))
            if self.scenario.map is not None:
                piece = MapPiece(self.scenario, tallest=plan.tallest)
                top += [Gap(CLOSE_GAP), piece, *self.map_note]
        return [*top, Gap(CLOSE_GAP)]


def _turned(pair: Pair, first: Block, goes_on: Block) -> bool:
    """Whether a reader would meet what goes on (on the left) before what begins (on the right)."""
    left, right = pair
    return any(piece is goes_on[0] for piece in left) and any(piece is first[0] for piece in right)


class Record(Filling):
    """A table of games played and, where there is more room, lines for notes, ``above`` points
    below what stands there already; ``names`` are those of the two sides."""

    TOP = 4.6 * MM
    LEAST, MOST = 9 * MM, 11 * MM
    ROWS = 8

    def __init__(self, names: Sequence[str], above: float = 0.0) -> None:
        one, other = names
        self.above = above
        self.columns = (("Date", 0.11), (one, 0.15), (other, 0.15), ("Won by", 0.12),
                        ("Losses", 0.12), ("What decided it", 0.35))  # fmt: skip

    def least(self, width: float) -> float:
        return self.above + Head.TALL + self.TOP + 3 * self.LEAST

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        inner = self.height - self.above - Head.TALL - self.TOP
        rows = max(1, min(self.ROWS, int(inner // self.LEAST)))
        each = min(inner / rows, self.MOST)
        top -= self.above
        Head("Played").paint(canvas, x, top, width)
        top -= Head.TALL
        low = top - self.TOP - rows * each
        left = x
        for index, (label, share) in enumerate(self.columns):
            wide, inset = share * width, 1.2 * MM if index else 0.0
            text = fitted(label, _LABEL, wide - inset - 2)
            write(canvas, left + inset, top - 3 * MM, text, _LABEL)
            if index:
                canvas.pen(inks.FAINT, HAIR)
                canvas.line(left, top, left, low)
            left += wide
        for row in range(rows + 1):
            y = top - self.TOP - row * each
            weight, ink = (HAIR, inks.FAINT) if row else (THIN, inks.BLACK)
            rule(canvas, x, x + width, y, weight, ink=ink)
        notes = OwnNotes("Notes")
        if notes.least(width) <= inner - rows * each:
            notes.height = inner - rows * each
            notes.paint(canvas, x, low, width)
