"""The play sheet of Beach Head: the turn with its tables and cards on the front, boxes to tick on
the back."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, product, zip_longest
from typing import Any

from skirmish import library
from skirmish.games.beach_head import wording
from skirmish.games.beach_head.events import BeachOpened, CraftHit, Killed, SquadsLanded
from skirmish.games.beach_head.ruleset import BeachSetup, Defence, Phase, Ruleset, signs
from skirmish.games.beach_head.state import BeachState
from skirmish.registry import BEACH, load
from skirmish.sheets import inks
from skirmish.sheets.beach_head.picture import Beach
from skirmish.sheets.documents import StoredGame
from skirmish.sheets.inks import SIDES
from skirmish.sheets.layout import boxes, styles
from skirmish.sheets.layout.blocks import Blank, Fields, Head, SideLetters, TitleBand, block
from skirmish.sheets.layout.drawing import Canvas, Drawing
from skirmish.sheets.layout.flow import Cell, CellRow, Flowable, Gap, NewPage, Stack
from skirmish.sheets.layout.fonts import BODY, BOLD, HEAD, LABEL, MEDIUM, TITLE
from skirmish.sheets.layout.pages import PdfDocument, SheetPart, as_pdf
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.tables import LEAST_GAP, beside, natural, printed_table, spread
from skirmish.sheets.layout.text import fitted, paragraph, terms, write
from skirmish.sheets.paper import GAP, MM, THIN, Leaf
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.journal import Play
from skirmish.tabletop.page import capital
from skirmish.tabletop.presets import PresetBook

GAME = "Beach Head"
NOTE = 7 * MM
FRONT, BACK = "The turn", "The beach"
VARIANTS = {"normandy": "Normandy", "omaha": "Omaha Beach"}
AIRS = (2.6, 2.0, 1.4, 1.0, 0.6, 0.2)
"""Points above and below each line of the phases, depending on the room."""
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
"""Boxes for squads lost; few games lose more."""
ROWS = 10
NEW_DITCHES = 10
"""Boxes for further ditches."""
TANKS = 10
WIDE = boxes.LEAST
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
RESULTS = (("", 6.6, Style(LABEL, 8.2, 10, "right")), ("", 0, Style(BODY, 8.2, 10)))
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
    game: StoredGame | BeachState | BeachSetup | None,
    *,
    ended: str = "",
) -> PdfDocument:
    """The turn with its tables and cards on the front, boxes to tick on the back.

    A newly set-up game gives an empty sheet, and so does None, by the rules as printed; a game in
    progress has its tracks filled in, a finished one its result and the day on which it ``ended``.
    """
    if game is None:
        (opened,) = load(BEACH.id).open({"dice": "own", "cards": "own"}, int)
        game = opened.setup
    if isinstance(game, BeachSetup):
        state = BeachOpened(setup=game).apply(None)
    else:
        state = game if isinstance(game, BeachState) else game.play.state
    sides = _Sides(state, library.beach().book, page.measure, ended)
    if isinstance(game, StoredGame):
        sides.past = turns_of(game.play)
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
    lines = int(room // NOTE)
    if lines > 0:
        own = [boxes.FormField(f"write-beach-note-{at}", f"Notes, line {at}")
               for at in range(1, lines + 1)]  # fmt: skip
        back.append(Stack([Head("Your notes"), *(Blank("", one, NOTE) for one in own)]))
    one, other = (spread(blocks, page.measure, tall) for blocks in (front, back))
    revision = f"data revision {state.setup.revision}" if state.setup.revision else ""
    footer = (GAME, VARIANTS[state.setup.variant], sides.named, revision)
    part = SheetPart(page, [*one, NewPage(BACK), *other], FRONT, " · ".join(filter(None, footer)))
    return PdfDocument(f"{GAME}: play sheet", "Phases, tables, cards and tracks to tick", [part])


def turns_of(play: Play[BeachState, Any, Any]) -> tuple[Counter[int], Counter[int], Counter[int]]:
    """By the turn: landing craft hit, squads landed, squads lost."""
    hit, landed, lost = Counter[int](), Counter[int](), Counter[int]()
    state: BeachState | None = None
    for event in chain.from_iterable(entry.events for entry in play.live):
        state = event.apply(state)
        hit[state.turn] += isinstance(event, CraftHit)
        landed[state.turn] += event.squads if isinstance(event, SquadsLanded) else 0
        lost[state.turn] += event.scored if isinstance(event, Killed) else 0
    return hit, landed, lost


class _Sides:
    past: tuple[Counter[int], ...] = ()

    def __init__(self, state: BeachState, book: PresetBook, width: float, ended: str) -> None:
        self.state, self.book, self.width, self.ended = state, book, width, ended
        self.setup, self.ruleset = state.setup, state.ruleset
        self.begun = BeachOpened(setup=state.setup).apply(None)
        preset = book.presets.get(state.setup.named)
        self.named = preset.name.lower() if preset else "own rulings"

    def front(self, air: float, elsewhere: bool) -> list[Flowable]:
        wins = " and ".join(one.name.lower() for one in self.ruleset.defence if one.wins)
        aim = f"until {wins} are gone; the fewer squads lost, the better"
        tables = tables_of(self.begun)
        rows = list(self._phases({rows: letter for letter, _, rows in tables}))
        phases = printed_table(self.width, PHASES, rows, air=air, grouped=True)
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
        """The tracks and the result; the turn in ``short`` and the ``rulings`` if wanted."""
        late = max(phase.from_turn for phase in self.ruleset.phase)
        names = ", ".join(one.name.lower() for one in self.ruleset.phase if one.from_turn == late)
        aside = "cross off from the left: the first open box tells what is left"
        ashore = block(
            "Squads ashore", f"before each row: what its dozens of {self.ruleset.dozen} add",
            boxes.Grid([*self._squads()], 13 * MM, 5.2 * MM),
        )  # fmt: skip
        lost = self._boxes(_fives(range(1, LOST + 1)), self.state.casualties, "Squad lost:", "lost")
        landed = [one.id for one in self.ruleset.tank if self.setup.landed_as(one.id) == one.id]
        tanks = block("Tanks ashore", "tick when it lands, rub out when lost",
                       *(self._tanks(kind) for kind in landed))  # fmt: skip
        losses: list[Flowable] = [block("Squads lost", "the score", lost), tanks]
        blocks: list[Flowable] = [
            Stack([self._band("2", BACK), *self._stands()]),
            Stack([Head("Defences", aside), *map(self._defence, self.setup.defences)]),
            beside([ashore], losses, self.width),
            block("Turns", f"craft hit: felt in the next turn; from turn {late} on: {names}",
                   boxes.Grid([*self._turns(late)], 21 * MM, 5 * MM)),
        ]  # fmt: skip
        if short:
            blocks.append(block("The turn in short", "in full on side 1", *self._in_short()))
        if rulings:
            blocks.append(block("Rulings other than the default", "", self._rulings()))
        state = self.state
        came = self.ended, *map(str, (state.turn, state.casualties, state.squads))
        written = (self.setup.player, *(came if state.over else ("",) * 4))
        return [*blocks, block("Result", "", Fields(RESULT, written))]

    def _band(self, number: str, title: str) -> Flowable:
        beach = VARIANTS[self.setup.variant]
        last = f"A solo game of dice and cards; {self.named}"
        return TitleBand("Side", number, GAME, title, beach, last, least=TitleBand.FLAT)

    def _phases(self, tables: dict[Rows, str]) -> Iterator[Sequence[str | Flowable]]:
        for at, phase in enumerate(self.ruleset.phase, 1):
            for place, line in enumerate(wording.phase_lines(self.begun, phase)):
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
        wide = self.width / 6
        phases = list(enumerate(self.ruleset.phase, 1))
        for first in range(0, len(phases), 6):
            cells: list[Cell] = []
            for column, (at, phase) in enumerate(phases[first : first + 6]):
                line = wording.phase_lines(self.begun, phase)[0]
                style = _SHORT._replace(ink=inks.CODE if line.never else inks.BLACK)
                left, dice = column * wide, paragraph(line.dice, style._replace(align="right"))
                cells += [
                    Cell(left, wide, _badge(at, phase)),
                    Cell(left + 5 * MM, wide - 5 * MM, paragraph(phase.name, style)),
                    Cell(left, wide - 2.5 * MM, dice),
                ]
            yield CellRow(cells, above=2, below=2, weight=0)

    def _otherwise(self, elsewhere: bool) -> list[Flowable]:
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

    def _stands(self) -> list[Flowable]:
        state = self.state
        if not state.turn:
            return []
        text = f"{wording.headline(state)}."
        ashore = [wording.number(state.squads, "squad"), *wording.tanks_ashore(state)]
        if not state.over:
            text += f" Ashore: {', '.join(ashore)}."
        if state.hand:
            text += f" In hand: {signs(sorted(state.hand))}."
        if state.discard and not state.over:
            text += f" Discarded: {signs(sorted(state.discard))}; all other cards are in the deck."
        if state.tanks_lost:
            text += f" Tanks lost: {state.tanks_lost}."
        return [Gap(1.6 * MM), paragraph(text, styles.LEAD, lead="As it stands:")]

    def _boxes(
        self, codes: Sequence[str], gone: int, label: str, name: str, dashed_from: int = LOST
    ) -> boxes.Boxes:
        """The first ``gone`` are crossed; ``label``: the tooltip before the number of a box."""
        marks = dict.fromkeys(range(dashed_from, len(codes)), boxes.NEW)
        marks |= dict.fromkeys(range(gone), boxes.Marks({"lost"}))
        numbered = boxes.numbered(codes, f"beach-{name}", label)
        row = boxes.Boxes(
            (one._replace(marks=marks.get(at, boxes.NONE)) for at, one in enumerate(numbered)), WIDE
        )
        row.LEAD = 4.7 * MM
        return row

    def _defence(self, defence: Defence) -> Flowable:
        """Name, a box for each point, and the effect while it stands. The boxes are numbered
        downward, so that the first open one shows the points left."""
        points, left = defence.points, self.state.defences[defence.id]
        grows = defence.id == "ditches" and self.setup.most_ditches is None
        codes = _fives(range(points, 0, -1)) + [""] * (NEW_DITCHES if grows else 0)
        gone = max(0, points - left)
        row = self._boxes(
            codes, gone, f"{defence.name} gone:", defence.id, dashed_from=max(points, left)
        )
        five = row.five(WIDE) + row.BETWEEN + row.FIVE
        name, before = paragraph(defence.name, _NAME), 20 * MM
        taken = before + five * min(6, len(codes) / 5) + 2 * MM
        text = paragraph(self._holds(defence.id), styles.NOTE)
        cells = [Cell(MM, before - MM, name), Cell(before, five * 6, row)]
        cells.append(Cell(taken, self.width - taken, text))
        return CellRow(cells, above=1.3 * MM, below=1.3 * MM)

    def _tanks(self, kind: str) -> Flowable:
        called = self.ruleset.tank_of(kind).name
        name = paragraph(called, _LINE._replace(size=8.6, leading=10))
        row = self._boxes(
            [""] * TANKS, self.state.tanks.count(kind), f"{called} ashore:", f"tank-{kind}"
        )
        cells = [Cell(0, 25 * MM, name), Cell(25 * MM, row.five(WIDE) * 2 + 2 * MM, row)]
        return CellRow(cells, above=0, below=1, weight=0)

    def _squads(self) -> Iterator[boxes.GridRow]:
        each = max(step.modifiers.per_dozen for phase in self.ruleset.phase for step in phase.step)
        dozen, now = self.ruleset.dozen, self.state.squads if self.state.turn else None
        own = boxes.FormField("choose-beach-squads", "Squads ashore")
        for row in range(ROWS):
            style = _TURN._replace(ink=inks.ACCENT if row else inks.CODE)
            cells = [
                boxes.GridCell(str(at), boxes.NUMBER, ringed=at == now, field=own, value=str(at))
                for at in range(row * dozen, (row + 1) * dozen)
            ]
            adds = f"{row * each:+d}" if row else "0"
            yield boxes.GridRow(adds, style, cells, tinted=row % 2 == 1)

    def _turns(self, late: int) -> Iterator[boxes.GridRow]:
        """The rows of the turn track; turns from ``late`` on stand out."""
        now, over = self.state.turn, self.state.over
        hits, *squads = self.past or [Counter({now: self.state.craft_hit,
                                              now - 1: self.state.craft_hit_before})]  # fmt: skip
        numbers, craft = [], []
        for at in range(1, TURNS + 1):
            style = _TURN._replace(ink=inks.ACCENT if at >= late else inks.BLACK)
            past, ringed = at < now + over, at == now and not over
            turn = boxes.FormField(f"tick-beach-turn-{at}", f"Turn {at}: over")
            numbers.append(boxes.GridCell(str(at), style, past, ringed, turn))
            landing = boxes.FormField(f"tick-beach-craft-{at}", f"Turn {at}: landing craft hit")
            craft.append(boxes.GridCell(ticked=hits[at] > 0, field=landing))
        yield boxes.GridRow("Turn", _LINE, numbers)
        yield boxes.GridRow("Craft hit", _LINE, craft)
        for what, counts in zip_longest(("landed", "lost"), squads):
            name, known = f"write-beach-squads-{what}", now + over if squads else 0
            cells = [boxes.GridCell(str(counts[at])) for at in range(1, min(known, TURNS + 1))]
            own = (boxes.FormField(f"{name}-{at}", f"Turn {at}: squads {what}")
                   for at in range(len(cells) + 1, TURNS + 1))  # fmt: skip
            cells += [boxes.GridCell(field=one, written=True) for one in own]
            yield boxes.GridRow(f"Squads {what}", _LINE, cells, faint=True)

    def _holds(self, name: str) -> str:
        found = ["must be gone to win"] if self.ruleset.defence_of(name).wins else []
        hampers: list[str] = []
        barred: dict[str, list[str]] = {}
        for at, phase in enumerate(self.ruleset.phase, 1):
            lower, never = phase.name.lower(), wording.phase_lines(self.begun, phase)[0].never
            if phase.skipped_without == name:
                found.append(f"none left: no {lower} phase")
            for step in phase.step:
                if name == "traps" and step.modifiers.traps and not never:
                    hampers.append(f"{lower} {step.modifiers.traps:+d}")
                adds = wording.signed(wording.bunkers_add(self.begun, step.modifiers))
                if name == "bunkers" and adds:
                    found.append(f"{lower} {adds}")
                if not never and name in self.begun.gone_first(phase, step):
                    barred.setdefault(step.targets[0], []).append(str(at))
        if hampers:
            found.append(f"while any is left: {', '.join(hampers)}")
        for who in dict.fromkeys(map(tuple, barred.values())):
            off = " and ".join(what for what, phases in barred.items() if tuple(phases) == who)
            found.append(f"keeps phase{'s' * (len(who) > 1)} {', '.join(who)} off the {off}")
        text = "; ".join(found)
        return f"{capital(text)}." if text else ""


def _badge(number: int, phase: Phase) -> SideLetters:
    return SideLetters([str(number)], SIDES[phase.side == "german"], hollow=True)


def _fives(numbers: range) -> list[str]:
    return [str(at) if at % 5 == 0 else "" for at in numbers]


def tables_of(state: BeachState) -> list[tuple[str, str, Rows]]:
    """The tables of the phases: letter, title (of all that share it), rows."""
    groups: dict[Rows, list[str]] = {}
    for phase in state.ruleset.phase:
        for line in wording.phase_lines(state, phase):
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
        wide = room * need / math.fsum(needs)
        head = paragraph(title, _LETTER, lead=letter)
        cells.append(
            Cell(x, wide, Stack([head, Gap(MM), printed_table(wide, RESULTS, rows, air=0.8)]))
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
                (12.8, wording.card_use(self.ruleset, card), _USE),
            ):
                text = fitted(text, style, wide - 3)  # noqa: PLW2901
                write(canvas, left + wide / 2, top - down * MM, text, style)
