"""Both sides of the play sheet of Beach Head: the turn with its tables and cards on the front, all
that is ticked on the back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from skirmish import library
from skirmish.games.beach_head.events import Opened
from skirmish.games.beach_head.ruleset import Defence, Phase, Remove, Ruleset, Setup, signs
from skirmish.games.beach_head.state import State
from skirmish.games.beach_head.wording import (
    bunkers_add,
    card_use,
    headline,
    number,
    phase_lines,
    tanks_ashore,
)
from skirmish.registry import BEACH, load
from skirmish.sheets import inks
from skirmish.sheets.beach_head.picture import Beach
from skirmish.sheets.documents import StoredGame
from skirmish.sheets.inks import SIDES
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import Fields, Head, NoteLine, SideLetters, TitleBand, block
from skirmish.sheets.layout.boxes import (
    CHOOSE,
    NONE,
    NUMBER,
    TICK,
    Boxes,
    Grid,
    GridCell,
    GridRow,
    Marks,
    field,
    numbered,
)
from skirmish.sheets.layout.drawing import Canvas, Drawing
from skirmish.sheets.layout.flow import Cell, CellRow, Flowable, Gap, NewPage, Stack
from skirmish.sheets.layout.fonts import BODY, BOLD, HEAD, LABEL, MEDIUM, TITLE
from skirmish.sheets.layout.pages import PdfDocument, SheetPart, as_pdf
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.tables import LEAST_GAP, PrintedTable, beside, natural, spread
from skirmish.sheets.layout.text import fitted, paragraph, terms, write
from skirmish.sheets.paper import GAP, GUTTER, MM, THIN, Leaf
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.presets import PresetBook

GAME = "Beach Head"
FRONT, BACK = "The turn", "The beach"
VARIANTS = {"normandy": "Normandy", "omaha": "Omaha Beach"}
AIRS = (2.6, 2.0, 1.4, 1.0, 0.6, 0.2)
"""Points above and below each line of the phases: as much as the paper has room for."""
RESULT = (
    ("Player", 0.3),
    ("Date", 0.18),
    ("Taken in turn", 0.17),
    ("Squads lost (the score)", 0.18),
    ("Still ashore", 0.17),
)
TURNS = 24
"""Cells of the turn track; few games take longer."""
LOST = 120
"""Squads lost that can be ticked off; it takes a bad day to lose more."""
ROWS = 10
NEW_DITCHES = 10
"""Boxes for ditches that are dug on top of those at the start."""
TANKS = 10
WIDE = 3.7 * MM
"""Points: the width of a box; it holds the number of every fifth."""
_CELL = Style(BODY, 8.6, 10)
_QUIET = _CELL._replace(ink=inks.CODE)
PHASES = (
    ("", 8, _CELL),
    ("Phase", 28, Style(BOLD, 9, 10.4)),
    ("Roll", 12, Style(LABEL, 9, 10.4)),
    ("What it does", 45, _CELL),
    ("Modifiers", 44, _CELL),
    ("When", 0, _CELL),
)
RESULTS = (
    ("", 6.6, Style(LABEL, 8.2, 10, "right")),
    ("", 0, Style(BODY, 8.2, 10)),
)
_LETTER = Style(LABEL, 9, 11)
_SHORT = Style(MEDIUM, 8.4, 10.4)
_RANK = Style(TITLE, 15, 15, "centre")
_CALLED = Style(MEDIUM, 6.8, 6.8, "centre", inks.CODE)
_USE = Style(LABEL, 7.6, 7.6, "centre")
_NAME = Style(HEAD, 10, 11)
_TURN = Style(HEAD, 9, 9, "centre")
_LINE = Style(LABEL, 8, 8)
Rows = tuple[tuple[str, str], ...]


@as_pdf
def beach_pdf(
    page: Leaf,
    game: StoredGame | State | Setup | None,
    *,
    form: bool = False,
    ended: str = "",
) -> PdfDocument:
    """The turn with its tables and cards on the front, all that is ticked on the back.

    A game that is only set up gives an empty sheet, and so does none, by the rules as printed; one
    that is played its tracks as they stand, one that is over its result, with the day on which it
    ``ended``. ``form``: what is ticked can be ticked on the screen.
    """
    match game:
        case State():
            state = game
        case StoredGame(play=play):
            state = play.state
        case Setup():
            state = Opened(setup=game).apply(None)
        case None:
            (opened,) = load(BEACH.id).open({"dice": "own", "cards": "own"}, int)
            state = opened.apply(None)
    sides = _Sides(state, library.beach_rulings(), page.measure, form=form, ended=ended)
    tall = page.depth - LEAST_GAP

    for elsewhere, air in product((False, True), AIRS):  # many rulings go to the back
        front = sides.front(air, elsewhere)
        if natural(front, page.measure) <= tall:
            break
    for short in (True, False):
        back = sides.back(short, elsewhere)
        if natural(back, page.measure) <= tall:
            break
    room = tall - natural(back, page.measure) - LEAST_GAP - Head.TALL - GAP
    lines = int(room // NoteLine.TALL)
    if lines > 0:
        back.append(Stack([Head("Notes"), *(NoteLine() for _ in range(lines))]))
    one, other = (spread(blocks, page.measure, tall) for blocks in (front, back))
    revision = f"data revision {state.setup.revision}" if state.setup.revision else ""
    footer = (GAME, VARIANTS[state.setup.variant], sides.reading, revision)
    part = SheetPart(page, [*one, NewPage(BACK), *other], FRONT, " · ".join(filter(None, footer)))
    return PdfDocument(f"{GAME}: play sheet", "Phases, tables, cards and tracks to tick", [part])


class _Sides:
    def __init__(
        self, state: State, book: PresetBook, width: float, *, form: bool, ended: str
    ) -> None:
        self.state, self.book, self.width, self.form, self.ended = state, book, width, form, ended
        self.setup, self.ruleset = state.setup, state.ruleset
        self.begun = Opened(setup=state.setup).apply(None)
        preset = book.presets.get(state.setup.reading)
        self.reading = preset.name.lower() if preset else "own readings"

    def front(self, air: float, elsewhere: bool) -> list[Flowable]:
        """The beach, the phases, the tables, the cards; rulings unless they stand elsewhere."""
        wins = " and ".join(one.name.lower() for one in self.ruleset.defence if one.wins)
        aim = f"until {wins} are gone; the fewer squads lost, the better"
        tables = tables_of(self.begun)
        rows = list(self._phases({rows: letter for letter, _, rows in tables}))
        phases = PrintedTable(self.width, PHASES, rows, air=air, grouped=True)
        hand = self.ruleset.hand
        limits = (
            f"Fill the hand to {hand.full} at the start of a turn, then exchange up to "
            f"{hand.redraw} cards once; keep {hand.keep} at its end. When the deck is empty, the "
            "discards are shuffled. Modifiers still apply to a die that a card has set."
        )
        return [
            Stack([self._band("1", FRONT), Gap(1.6 * MM), Beach(self.setup)]),
            Stack([Head("The turn", aim), phases, *self._otherwise(elsewhere)]),
            block("Tables", "a result off a table counts as the nearest row",
                   _side_by_side(tables, self.width)),
            block("Cards", "any suit; on German dice too", CardRow(self.ruleset), Gap(1.2 * MM),
                   paragraph(limits, styles.SMALL)),
        ]  # fmt: skip

    def back(self, short: bool, rulings: bool) -> list[Flowable]:
        """What is ticked, and the result; the turn in ``short`` and the ``rulings`` if wanted."""
        late = max(phase.from_turn for phase in self.ruleset.phase)
        names = ", ".join(one.name.lower() for one in self.ruleset.phase if one.from_turn == late)
        aside = "cross off from the left: the first open box tells what is left"
        ashore = block(
            "Squads ashore", f"before each row: what its dozens of {self.ruleset.dozen} add",
            Grid([*self._squads()], 13 * MM, 5.2 * MM),
        )  # fmt: skip
        lost = self._boxes(_fives(range(1, LOST + 1)), self.state.casualties, "lost")
        landed = [one.id for one in self.ruleset.tank if self.setup.landed_as(one.id) == one.id]
        tanks = block("Tanks ashore", "tick when it lands, rub out when lost",
                       *(self._tanks(kind) for kind in landed))  # fmt: skip
        half = (self.width - GUTTER) / 2
        losses: list[Flowable] = [block("Squads lost", "the score", lost), tanks]
        blocks: list[Flowable] = [
            Stack([self._band("2", BACK), *self._stands()]),
            Stack([Head("Defences", aside), *map(self._defence, self.setup.defences)]),
            beside([ashore], losses, self.width, half / (self.width - GUTTER)),
            block("Turns", f"craft hit: felt in the next turn; from turn {late} on: {names}",
                   Grid([*self._turns(late)], 21 * MM, 5 * MM)),
        ]  # fmt: skip
        if short:
            blocks.append(block("The turn in short", "in full on side 1", *self._in_short()))
        if rulings:
            blocks.append(block("Rulings other than the default", "", self._rulings()))
        state = self.state
        came = (state.turn, state.casualties, state.squads) if state.over else ("", "", "")
        written = (self.setup.player, self.ended if state.over else "", *map(str, came))
        return [*blocks, block("Result", "", Fields(RESULT, written))]

    def _band(self, number: str, title: str) -> Flowable:
        beach = VARIANTS[self.setup.variant]
        last = f"A solo game of dice and cards; {self.reading}"
        return TitleBand("Side", number, GAME, title, beach, last, least=TitleBand.FLAT)

    # -------------------------------------------------------------- the turn

    def _phases(self, tables: dict[Rows, str]) -> Iterator[Sequence[str | Flowable]]:
        for at, phase in enumerate(self.ruleset.phase, 1):
            for place, line in enumerate(phase_lines(self.begun, phase)):
                badge = "" if place else _badge(at, phase)
                name = "" if place else phase.name
                look = f"table {tables[line.table]}" if line.table else ""
                does, when = (line.does, line.when or look) if line.does else (look, line.when)
                texts: list[str | Flowable] = [name, line.dice, does, line.adds, when]
                if line.never:
                    texts = [paragraph(name, PHASES[1][2]._replace(ink=inks.CODE)), "",
                             paragraph(does, _QUIET), "", ""]  # fmt: skip
                yield [badge, *texts]

    def _in_short(self) -> Iterator[Flowable]:
        """The phases with their first dice, six in a row: a reminder beside the tracks."""
        wide = self.width / 6
        phases = list(enumerate(self.ruleset.phase, 1))
        for first in range(0, len(phases), 6):
            cells: list[Cell] = []
            for column, (at, phase) in enumerate(phases[first : first + 6]):
                line = phase_lines(self.begun, phase)[0]
                style = _SHORT._replace(ink=inks.CODE if line.never else inks.BLACK)
                left, dice = column * wide, paragraph(line.dice, style._replace(align="right"))
                cells += [
                    Cell(left, wide, _badge(at, phase)),
                    Cell(left + 5 * MM, wide - 5 * MM, paragraph(phase.name, style)),
                    Cell(left, wide - 2.5 * MM, dice),
                ]
            yield CellRow(cells, above=2, below=2, weight=0)

    def _otherwise(self, elsewhere: bool) -> list[Flowable]:
        """The rulings that are not the default, below the phases; or which, and where."""
        found = self.book.departures(self.setup.rulings)
        if not found:
            return []
        if not elsewhere:
            return [Gap(1.2 * MM), self._rulings("Rulings other than the default:")]
        names = ", ".join(ruling.id for ruling, _ in found)
        text = f"Rulings other than the default (see side 2): {names}."
        return [Gap(1.2 * MM), paragraph(text, styles.SMALL)]

    def _rulings(self, lead: str = "") -> Flowable:
        found = self.book.departures(self.setup.rulings)
        pairs = [(f"{ruling.id} {ruling.title}:", answer) for ruling, answer in found]
        return terms([(lead, ""), *pairs] if lead else pairs, styles.SMALL)

    # -------------------------------------------------------------- the tracks

    def _stands(self) -> list[Flowable]:
        state = self.state
        if not state.turn:
            return []
        text = headline(state)
        text = f"{text[:1].upper()}{text[1:]}."
        if not state.over:
            text += f" Ashore: {', '.join([number(state.squads, 'squad'), *tanks_ashore(state)])}."
        if state.hand:
            text += f" In hand: {signs(sorted(state.hand))}."
        if state.discard and not state.over:
            text += f" Discarded: {signs(sorted(state.discard))}; all other cards are in the deck."
        if state.tanks_lost:
            text += f" Tanks lost: {state.tanks_lost}."
        return [Gap(1.6 * MM), paragraph(text, styles.LEAD, lead="As it stands:")]

    def _boxes(self, codes: Sequence[str], gone: int, *name: str, dashed_from: int = LOST) -> Boxes:
        """Boxes, a little larger than elsewhere, of which the first ``gone`` are crossed."""
        gone = min(gone, len(codes))
        if self.form:
            names = numbered(len(codes), TICK, "beach", *name)
            boxes = Boxes(codes, WIDE, dashed_from=dashed_from, names=names)
            boxes.ticked = gone
        else:
            lost, new = Marks({"lost"}), Marks({"to come"})
            spare = [new if at >= dashed_from else NONE for at in range(gone, len(codes))]
            boxes = Boxes(codes, WIDE, marks=[lost] * gone + spare)
        boxes.TALL, boxes.LEAD = 3.9 * MM, 4.7 * MM
        return boxes

    def _defence(self, defence: Defence) -> Flowable:
        """Name, a box for each point, and what it does as long as it stands. The boxes are numbered
        downward, so that the first one open tells how many points are left."""
        points, left = defence.points, self.state.defences[defence.id]
        grows = defence.id == "ditches" and self.setup.most_ditches is None
        codes = _fives(range(points, 0, -1)) + [""] * (NEW_DITCHES if grows else 0)
        gone = max(0, points - left)
        boxes = self._boxes(codes, gone, defence.id, dashed_from=max(points, left))
        five = Boxes.five(WIDE) + Boxes.BETWEEN + Boxes.FIVE
        before, taken = 25 * MM, five * min(6, len(codes) / 5)
        text = paragraph(self._holds(defence.id), styles.NOTE)
        return CellRow(
            [
                Cell(MM, before - MM, paragraph(defence.name, _NAME)),
                Cell(before, five * 6, boxes),
                Cell(before + taken + 2 * MM, self.width - before - taken - 2 * MM, text),
            ],
            above=1.3 * MM,
            below=1.3 * MM,
        )

    def _tanks(self, kind: str) -> Flowable:
        name = paragraph(self.ruleset.tank_of(kind).name, _LINE._replace(size=8.6, leading=10))
        boxes = self._boxes([""] * TANKS, self.state.tanks.count(kind), "tank", kind)
        room = Boxes.five(WIDE) * 2 + 2 * MM
        return CellRow([Cell(0, 25 * MM, name), Cell(25 * MM, room, boxes)],
                   above=0, below=1, weight=0)  # fmt: skip

    def _squads(self) -> Iterator[GridRow]:
        """A cell for every number of squads, a dozen in a row; before each row what it adds."""
        each = max(step.modifiers.per_dozen for phase in self.ruleset.phase for step in phase.step)
        dozen, now = self.ruleset.dozen, self.state.squads if self.state.turn else None
        name = field(CHOOSE, "beach", "squads") if self.form else ""
        for row in range(ROWS):
            style = _TURN._replace(ink=inks.ACCENT if row else inks.CODE)
            cells = [
                GridCell(str(at), NUMBER, ringed=at == now, name=name, value=str(at))
                for at in range(row * dozen, (row + 1) * dozen)
            ]
            yield GridRow(f"{row * each:+d}" if row else "0", style, cells, tinted=row % 2 == 1)

    def _turns(self, late: int) -> Iterator[GridRow]:
        """The turns, and below each whether a landing craft was hit in it; then room to write what
        landed and was lost. Turns from ``late`` on stand out."""
        now, over = self.state.turn, self.state.over
        hits = {now: self.state.craft_hit, now - 1: self.state.craft_hit_before}

        def name(what: str, turn: int) -> str:
            return field(TICK, "beach", what, turn) if self.form else ""

        turns = range(1, TURNS + 1)
        yield GridRow("Turn", _LINE, [
            GridCell(str(at), _TURN._replace(ink=inks.ACCENT if at >= late else inks.BLACK),
                     ticked=at < now + over, ringed=at == now and not over, name=name("turn", at))
            for at in turns
        ])  # fmt: skip
        yield GridRow("Craft hit", _LINE, [
            GridCell(ticked=hits.get(at, 0) > 0, name=name("craft", at)) for at in turns
        ])  # fmt: skip
        for text in ("Squads landed", "Squads lost"):
            yield GridRow(text, _LINE, [GridCell()] * TURNS, faint=True)

    def _holds(self, name: str) -> str:
        found: list[str] = []
        if self.ruleset.defence_of(name).wins:
            found.append("must be gone to win")
        played = [one for one in self.ruleset.phase if not phase_lines(self.begun, one)[0].never]
        hampers = [
            f"{phase.name.lower()} {step.modifiers.traps:+d}"
            for phase in played
            for step in phase.step
            if name == "traps" and step.modifiers.traps
        ]
        if hampers:
            found.append(f"while any is left: {', '.join(hampers)}")
        for phase in self.ruleset.phase:
            if phase.skipped_without == name:
                found.append(f"none left: no {phase.name.lower()} phase")
            for step in phase.step:
                if name == "bunkers" and (adds := bunkers_add(self.begun, step.modifiers)):
                    found.append(f"{phase.name.lower()} {', '.join(adds)}")
        barred: dict[str, list[str]] = {}
        for phase in played:
            for step in phase.step:
                if isinstance(step, Remove) and name in self.begun.gone_first(phase, step):
                    at = str(self.ruleset.place(phase.id) + 1)
                    barred.setdefault(step.targets[0], []).append(at)
        kept: dict[tuple[str, ...], list[str]] = {}
        for what, who in barred.items():
            kept.setdefault(tuple(who), []).append(what)
        found += [
            f"keeps phase{'s' * (len(who) > 1)} {', '.join(who)} off the {' and '.join(what)}"
            for who, what in kept.items()
        ]
        text = "; ".join(found)
        return f"{text[:1].upper()}{text[1:]}." if text else ""


def _badge(number: int, phase: Phase) -> SideLetters:
    return SideLetters([str(number)], SIDES[phase.side == "german"], hollow=True)


def _fives(numbers: range) -> list[str]:
    return [str(at) if at % 5 == 0 else "" for at in numbers]


# ------------------------------------------------------------------ pieces of the front


def tables_of(state: State) -> list[tuple[str, str, Rows]]:
    """Every table that a phase looks up, once for all that share its rows: letter, title, rows."""
    groups: dict[Rows, list[str]] = {}
    for phase in state.ruleset.phase:
        for line in phase_lines(state, phase):
            if line.table:
                groups.setdefault(line.table, []).append(phase.name)
    return [
        (letter, " and ".join([first, *map(str.lower, others)]), rows)
        for letter, (rows, (first, *others)) in zip("ABCDEFGH", groups.items(), strict=False)
    ]


def _side_by_side(tables: Sequence[tuple[str, str, Rows]], width: float) -> Flowable:
    needs = [
        min(36, max(1.05 * len(title), *(len(text) for _, text in rows))) + 15
        for _, title, rows in tables
    ]
    room = width - 3 * MM * (len(tables) - 1)
    cells, x = [], 0.0
    for need, (letter, title, rows) in zip(needs, tables, strict=True):
        wide = room * need / sum(needs)
        head = paragraph(title, _LETTER, lead=letter)
        cells.append(
            Cell(x, wide, Stack([head, Gap(MM), PrintedTable(wide, RESULTS, rows, air=0.8)]))
        )
        x += wide + 3 * MM
    return CellRow(cells, above=0, below=0, weight=0)


class CardRow(Drawing):
    TALL = 14.5 * MM

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        wide = width / len(self.ruleset.card)
        for at, card in enumerate(self.ruleset.card):
            left = x + at * wide
            canvas.pen(inks.BLACK, THIN, inks.WHITE)
            canvas.roundRect(left + 1, top - self.TALL, wide - 2, self.TALL, 2.6, fill=1)
            for down, text, style in (
                (6, signs([Draw(card.rank)]), _RANK),
                (9.4, card.name, _CALLED),
                (12.8, card_use(self.ruleset, card), _USE),
            ):
                text = fitted(text, style, wide - 3)  # noqa: PLW2901
                write(canvas, left + wide / 2, top - down * MM, text, style)
