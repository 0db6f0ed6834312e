"""The play sheet of Beach Head: the turn with its tables and cards on the front, boxes to tick on
the back."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from skirmish import library
from skirmish.games.beach_head import wording
from skirmish.games.beach_head.events import BeachOpened, CraftHit, Killed, SquadsLanded
from skirmish.games.beach_head.ruleset import BeachSetup, Defence, DefenceId, Phase, Ruleset, signs
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
from skirmish.sheets.layout.tables import (
    LEAST_GAP,
    SheetColumn,
    beside,
    natural,
    printed_table,
    spread,
)
from skirmish.sheets.layout.text import fitted, paragraph, terms, write
from skirmish.sheets.paper import GAP, MM, THIN, WRITING, Leaf
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.journal import Play
from skirmish.tabletop.page import capital
from skirmish.tabletop.presets import PresetBook

GAME = "Beach Head"
NOTE_LINE = 7 * MM
"""The height of a line for notes."""
FRONT, BACK = "The turn", "The beach"
"""The titles of both sides of the sheet."""
VARIANTS = {"normandy": "Normandy", "omaha": "Omaha Beach"}
"""The names of the beaches, by the variant of the game."""
PHASE_AIRS = (2.6, 2.0, 1.4, 1.0, 0.6, 0.2)
"""Points above and below each line of the phases, depending on the room."""
_RESULT_FIELDS = (
    ("Player", 0.3),
    ("Date", 0.18),
    ("Taken in turn", 0.17),
    ("Squads lost (the score)", 0.18),
    ("Still ashore", 0.17),
)
"""The fields of the result, each with its share of the width."""
TURNS = 24
"""The cells of the turn track; few games take longer."""
MOST_LOST = 120
"""Boxes for squads lost; few games lose more."""
DOZENS = 10
"""Rows of the track of squads ashore, a dozen each."""
DITCH_BOXES = 10
"""Boxes for the ditches that craters add, where nothing limits these (B15)."""
TANK_BOXES = 10
"""Boxes for each kind of tank."""
LETTERS = "ABCDEFGH"
"""The letters of the tables, in their order."""
PHASES_IN_ROW = 6
"""How many phases stand in a row of the turn in short."""
BOX_WIDTH = boxes.LEAST
"""The width of a box in points; its number fits into it."""
_CELL = Style(BODY, 8.6, 10)
_QUIET = _CELL._replace(ink=inks.QUIET)
_PHASE_NAME = Style(BOLD, 9, 10.4)
PHASE_COLUMNS = (
    SheetColumn("", 8, _CELL),
    SheetColumn("Phase", 28, _PHASE_NAME),
    SheetColumn("Roll", 12, Style(LABEL, 9, 10.4)),
    SheetColumn("What it does", 45, _CELL),
    SheetColumn("Modifiers", 44, _CELL),
    SheetColumn("When", 0, _CELL),
)
"""The columns of the phases: number, name, dice, and what the line says of them."""
RESULT_COLUMNS = (
    SheetColumn("", 6.6, Style(LABEL, 8.2, 10, "right")),
    SheetColumn("", 0, Style(BODY, 8.2, 10)),
)
"""The columns of a table: the results of the dice, and what they do."""
_TABLE_TITLE = Style(LABEL, 9, 11)
_PHASE_IN_SHORT = Style(MEDIUM, 8.4, 10.4)
_CARD_RANK = Style(TITLE, 15, 15, "centre")
_CARD_NAME = Style(MEDIUM, 6.8, 6.8, "centre", inks.QUIET)
_CARD_USE = Style(LABEL, 7.6, 7.6, "centre")
_DEFENCE_NAME = Style(HEAD, 10, 11)
_CELL_NUMBER = Style(HEAD, 9, 9, "centre")
_ROW_LABEL = Style(LABEL, 8, 8)
Rows = tuple[wording.TableLine, ...]
"""The lines of a table: results of the dice, and what they do."""


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
    state = _state_of(game)
    sheet = _PlaySheet(state, library.beach().book, page.measure, ended)
    if isinstance(game, StoredGame):
        sheet.past = turns_of(game.play)
    tall = page.depth - LEAST_GAP
    front = _fitting_front(sheet, tall)
    back = _fitting_back(sheet, tall, rulings_on_back=front.rulings_on_back)
    room = tall - natural(back, page.measure) - LEAST_GAP - Head.TALL - GAP
    lines = int(room // NOTE_LINE)
    if lines > 0:
        back.append(_note_lines(lines))
    story = [
        *spread(front.story, page.measure, tall),
        NewPage(BACK),
        *spread(back, page.measure, tall),
    ]
    # A game is played by the numbers that it was begun with.
    footer = GAME, VARIANTS[state.setup.variant], sheet.preset_name
    part = SheetPart(page, story, FRONT, *footer, revision=state.setup.revision or "")
    return PdfDocument(f"{GAME}: play sheet", "Phases, tables, cards and tracks to tick", [part])


def _state_of(game: StoredGame | BeachState | BeachSetup | None) -> BeachState:
    """What the sheet is printed of: a game as it stands, one before its first turn, or an empty
    one."""
    if isinstance(game, StoredGame):
        state: BeachState = game.play.state
        return state
    if isinstance(game, BeachState):
        return game
    if isinstance(game, BeachSetup):
        # Before the first turn: all boxes are open.
        return BeachOpened(setup=game).apply(None)
    # An empty sheet is for playing without the program.
    answers = {"dice": "own", "cards": "own"}
    (opened,) = load(BEACH.id).open(answers, _no_seed)
    empty: BeachState = opened.apply(None)
    return empty


def _no_seed() -> int:
    """Nothing is drawn where dice and cards are the player's own."""
    return 0


class _FittedFront(NamedTuple):
    """The front of the sheet, and whether its rulings are on the back, where many of them go."""

    story: list[Flowable]
    rulings_on_back: bool


def _fitting_front(sheet: _PlaySheet, tall: float) -> _FittedFront:
    """The front with as much air as it has room for. What is too high even with its rulings on the
    back is printed over several pages."""
    # Rulings beside the turn are worth more than air: only when the tightest front is too high do
    # they go to the back.
    for rulings_on_back in (False, True):
        for air in PHASE_AIRS:
            front = _FittedFront(sheet.front(air, rulings_on_back=rulings_on_back), rulings_on_back)
            if natural(front.story, sheet.width) <= tall:
                return front
    return front


def _fitting_back(sheet: _PlaySheet, tall: float, *, rulings_on_back: bool) -> list[Flowable]:
    """The back, with the turn in short if there is room for it."""
    # The short turn spares turning the sheet over; it is the first thing that a full back does
    # without.
    back = sheet.back(in_short=True, rulings_on_back=rulings_on_back)
    if natural(back, sheet.width) <= tall:
        return back
    return sheet.back(in_short=False, rulings_on_back=rulings_on_back)


def _note_lines(count: int) -> Flowable:
    lines: list[Flowable] = [Head("Your notes")]
    for number in range(1, count + 1):
        field = boxes.FormField(f"write-beach-note-{number}", f"Notes, line {number}")
        lines.append(Blank("", field, NOTE_LINE))
    return Stack(lines)


class Past(NamedTuple):
    """What happened, by the turn: landing craft hit, squads landed, squads lost."""

    hit: Counter[int]
    landed: Counter[int]
    lost: Counter[int]


def turns_of(play: Play[BeachState, Any, Any]) -> Past:
    """Folds the journal again, since the state only knows what the whole game came to."""
    past = Past(Counter(), Counter(), Counter())
    # As ``Play`` does: before the first event there is no state.
    state: BeachState | None = None
    for entry in play.live:
        for event in entry.events:
            state = event.apply(state)
            if isinstance(event, CraftHit):
                past.hit[state.turn] += 1
            if isinstance(event, SquadsLanded):
                past.landed[state.turn] += event.squads
            if isinstance(event, Killed):
                # What counts is what is scored; that may be more than were ashore (B2).
                past.lost[state.turn] += event.scored
    return past


class _PlaySheet:
    """Both sides of the sheet for a state of the game, in a column of ``width`` points; ``past``:
    what happened so far, of a stored game."""

    past: Past | None = None

    def __init__(self, state: BeachState, book: PresetBook, width: float, ended: str) -> None:
        self.state, self.book, self.width, self.ended = state, book, width, ended
        self.setup, self.ruleset = state.setup, state.ruleset
        # The lines of the phases are those of the whole game; the present state would leave out
        # what is skipped in this turn.
        self.first_state = BeachOpened(setup=state.setup).apply(None)
        self.preset_name = "own rulings"
        preset = book.presets.get(state.setup.named)
        if preset:
            self.preset_name = preset.name.lower()

    def front(self, air: float, *, rulings_on_back: bool) -> list[Flowable]:
        """The beach, the turn, its tables and its cards; ``air``: above and below the lines of the
        phases."""
        wins = " and ".join(
            defence.name.lower() for defence in self.ruleset.defence if defence.wins
        )
        aim = f"until {wins} are gone; the fewer squads lost, the better"
        tables = tables_of(self.first_state)
        # A phase names its table by its rows; on paper it has a letter.
        letters = {table.rows: table.letter for table in tables}
        rows: list[Sequence[str | Flowable]] = []
        for number, phase in enumerate(self.ruleset.phase, 1):
            rows += self._phase_rows(number, phase, letters)
        phases = printed_table(self.width, PHASE_COLUMNS, rows, air=air, grouped=True)
        hand = self.ruleset.hand
        limits = (
            f"Fill the hand to {hand.full} at the start of a turn, then exchange up to "
            f"{hand.redraw} cards once; keep {hand.keep} at its end. When the deck is empty, the "
            "discards are shuffled. Modifiers still apply to a die that a card has set."
        )
        rulings = self._rulings_on_front(on_back=rulings_on_back)
        return [
            Stack([self._band("1", FRONT), Gap(1.6 * MM), Beach(self.setup)]),
            Stack([Head("The turn", aim), phases, *rulings]),
            block(
                "Tables",
                "a result off a table counts as the nearest row",
                _side_by_side(tables, self.width),
            ),
            block(
                "Cards",
                "any suit; on German dice too",
                CardRow(self.ruleset),
                Gap(1.2 * MM),
                paragraph(limits, styles.SMALL),
            ),
        ]

    def back(self, *, in_short: bool, rulings_on_back: bool) -> list[Flowable]:
        """The tracks and the result; the turn ``in_short`` and the rulings if wanted."""
        blocks: list[Flowable] = [
            Stack([self._band("2", BACK), *self._as_it_stands()]),
            self._defences(),
            beside([self._squads_ashore()], [self._squads_lost(), self._tanks()], self.width),
            self._turns(),
        ]
        if in_short:
            blocks.append(block("The turn in short", "in full on side 1", *self._in_short()))
        if rulings_on_back:
            blocks.append(block("Rulings other than the default", "", self._rulings()))
        blocks.append(block("Result", "", Fields(_RESULT_FIELDS, self._result())))
        return blocks

    def _result(self) -> tuple[str, ...]:
        """The fields that are known; those of a game in progress are to write on."""
        state, player = self.state, self.setup.player
        if not state.over:
            # Empty fields, to be written on when it is over.
            return (player, "", "", "", "")
        return (
            player,
            self.ended,
            str(state.turn),
            str(state.casualties),
            str(state.squads),
        )

    def _band(self, number: str, title: str) -> Flowable:
        beach = VARIANTS[self.setup.variant]
        last = f"A solo game of dice and cards; {self.preset_name}"
        return TitleBand("Side", number, GAME.upper(), title, beach, last, least=TitleBand.FLAT)

    def _phase_rows(
        self, number: int, phase: Phase, letters: dict[Rows, str]
    ) -> Iterator[Sequence[str | Flowable]]:
        """The lines of a phase, the first with its number and its name. ``letters``: those of the
        tables."""
        badge: str | Flowable = _badge(number, phase)
        name = phase.name
        for line in wording.phase_lines(self.first_state, phase):
            # A phase that this beach does not have keeps its place, so that its number is that of
            # the rules.
            if line.never:
                quiet = paragraph(name, _PHASE_NAME._replace(ink=inks.QUIET))
                yield [badge, quiet, "", paragraph(line.does, _QUIET), "", ""]
            else:
                does, when = line.does, line.when
                table_name = ""
                if line.table:
                    table_name = f"table {letters[line.table]}"
                # The name of the table takes the column that the line leaves free.
                if not does:
                    does = table_name
                elif not when:
                    when = table_name
                yield [badge, name, line.dice, does, line.adds, when]
            # The lines after the first belong to the same phase.
            badge, name = "", ""

    def _in_short(self) -> Iterator[Flowable]:
        """The number, the name and the dice of each phase, in rows."""
        wide = self.width / PHASES_IN_ROW
        phases = list(enumerate(self.ruleset.phase, 1))
        for first in range(0, len(phases), PHASES_IN_ROW):
            cells: list[Cell] = []
            for column, (number, phase) in enumerate(phases[first : first + PHASES_IN_ROW]):
                line = wording.phase_lines(self.first_state, phase)[0]
                style = _PHASE_IN_SHORT
                if line.never:
                    style = _PHASE_IN_SHORT._replace(ink=inks.QUIET)
                left, name = column * wide, paragraph(phase.name, style)
                dice = paragraph(line.dice, style._replace(align="right"))
                cells.append(Cell(left, wide, _badge(number, phase)))
                cells.append(Cell(left + 5 * MM, wide - 5 * MM, name))
                # Over the name, and pressed to the right: the names are short enough to leave room.
                cells.append(Cell(left, wide - 2.5 * MM, dice))
            yield CellRow(cells, above=2, below=2, weight=0)

    def _rulings_on_front(self, *, on_back: bool) -> list[Flowable]:
        """The rulings, or where they are; nothing if all are at their defaults."""
        departures = self.book.departures(self.setup.rulings)
        if not departures:
            return []
        if not on_back:
            return [Gap(1.2 * MM), self._rulings("Rulings other than the default:")]
        names = ", ".join(ruling.id for ruling, _ in departures)
        text = f"Rulings other than the default (see side 2): {names}."
        return [Gap(1.2 * MM), paragraph(text, styles.SMALL)]

    def _rulings(self, lead: str = "") -> Flowable:
        """Rulings with their answers, behind the words that ``lead``."""
        pairs = []
        if lead:
            pairs.append((lead, ""))
        for ruling, answer in self.book.departures(self.setup.rulings):
            pairs.append((f"{ruling.id} {ruling.title}:", answer))
        return terms(pairs, styles.SMALL)

    def _as_it_stands(self) -> list[Flowable]:
        """What the tracks do not show of a game that has begun."""
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
        self, codes: Sequence[str], gone: int, label: str, name: str, dashed_from: int = MOST_LOST
    ) -> boxes.Boxes:
        """A box for each of the ``codes``: the first ``gone`` are crossed, those ``dashed_from`` on
        are still to come (by default none); ``label``: the tooltip before the number of a box."""
        marked = []
        numbered = boxes.numbered(codes, f"beach-{name}", label)
        for number, box in enumerate(numbered):
            marks = boxes.UNMARKED
            if number < gone:
                marks = boxes.LOST
            elif number >= dashed_from:
                marks = boxes.TO_COME
            marked.append(box._replace(marks=marks))
        row = boxes.Boxes(marked, BOX_WIDTH)
        # From row to row, a little more than usual.
        row.LEAD = 4.7 * MM
        return row

    def _defences(self) -> Flowable:
        aside = "cross off from the left: the first open box tells what is left"
        rows = [self._defence(defence) for defence in self.setup.defences]
        return Stack([Head("Defences", aside), *rows])

    def _defence(self, defence: Defence) -> Flowable:
        """Name, a box for each point, and the effect while it stands. The boxes are numbered
        downward, so that the first open one shows the points left."""
        points, left = defence.points, self.state.defences[defence.id]
        codes = [str(number) for number in range(points, 0, -1)]
        # Craters may make more ditches than there were at first (B15): empty boxes for those.
        if defence.id == "ditches" and self.setup.most_ditches is None:
            codes += [""] * DITCH_BOXES
        # Craters may have made more ditches than at first; then none is crossed.
        gone = max(0, points - left)
        row = self._boxes(
            codes, gone, f"{defence.name} gone:", defence.id, dashed_from=max(points, left)
        )
        five = row.width_of_five(BOX_WIDTH) + row.BETWEEN + row.BETWEEN_FIVES
        name, before = paragraph(defence.name, _DEFENCE_NAME), 20 * MM
        # Thirty boxes a row: the bunkers take two.
        beyond_boxes = before + five * min(6, len(codes) / 5) + 2 * MM
        text = paragraph(self._holds(defence.id), styles.NOTE)
        cells = [Cell(MM, before - MM, name), Cell(before, five * 6, row)]
        cells.append(Cell(beyond_boxes, self.width - beyond_boxes, text))
        return CellRow(cells, above=1.3 * MM, below=1.3 * MM)

    def _squads_lost(self) -> Flowable:
        codes = [str(number) for number in range(1, MOST_LOST + 1)]
        lost = self._boxes(codes, self.state.casualties, "Squad lost:", "lost")
        return block("Squads lost", "the score", lost)

    def _tanks(self) -> Flowable:
        """A row for each kind of tank that is a kind of its own once it has landed."""
        rows = []
        for tank in self.ruleset.tank:
            if self.setup.landed_as(tank.id) == tank.id:
                rows.append(self._tanks_of(tank.id))
        return block("Tanks ashore", "tick when it lands, rub out when lost", *rows)

    def _tanks_of(self, kind: str) -> Flowable:
        tank_name = self.ruleset.tank_of(kind).name
        name = paragraph(tank_name, _ROW_LABEL._replace(size=8.6, leading=10))
        ashore = self.state.tanks.count(kind)
        codes = [str(number) for number in range(1, TANK_BOXES + 1)]
        row = self._boxes(codes, ashore, f"{tank_name} ashore:", f"tank-{kind}")
        cells = [
            Cell(0, 25 * MM, name),
            Cell(25 * MM, row.width_of_five(BOX_WIDTH) * 2 + 2 * MM, row),
        ]
        return CellRow(cells, above=0, below=1, weight=0)

    def _squads_ashore(self) -> Flowable:
        """A cell for each number of squads, a dozen in a row."""
        per_dozen = 0
        for phase in self.ruleset.phase:
            for step in phase.step:
                per_dozen = max(per_dozen, step.modifiers.per_dozen)
        ashore = None
        if self.state.turn:
            ashore = self.state.squads
        dozen = self.ruleset.dozen
        field = boxes.FormField("choose-beach-squads", "Squads ashore")
        rows = []
        for row in range(DOZENS):
            cells = []
            for number in range(row * dozen, (row + 1) * dozen):
                text, is_now = str(number), number == ashore
                cells.append(
                    boxes.GridCell(text, boxes.CELL_TEXT, ringed=is_now, field=field, value=text)
                )
            adds, ink = "0", inks.QUIET
            if row:
                adds, ink = f"{row * per_dozen:+d}", inks.ACCENT
            is_tinted = row % 2 == 1
            rows.append(
                boxes.GridRow(adds, _CELL_NUMBER._replace(ink=ink), cells, tinted=is_tinted)
            )
        aside = f"before each row: what its dozens of {dozen} add"
        return block("Squads ashore", aside, boxes.Grid(rows, 13 * MM, 5.2 * MM))

    def _turns(self) -> Flowable:
        """The turn track; turns from the latest begin of a phase on stand out."""
        late = max(phase.from_turn for phase in self.ruleset.phase)
        names = [phase.name.lower() for phase in self.ruleset.phase if phase.from_turn == late]
        landed, lost = None, None
        if self.past is not None:
            landed, lost = self.past.landed, self.past.lost
        rows = [
            self._turn_numbers(late),
            self._craft_hit(),
            self._squads_by_turn("landed", landed),
            self._squads_by_turn("lost", lost),
        ]
        aside = f"craft hit: felt in the next turn; from turn {late} on: {', '.join(names)}"
        return block("Turns", aside, boxes.Grid(rows, 21 * MM, WRITING))

    @property
    def _finished_turns(self) -> int:
        """The turn in progress counts when the game is over."""
        if self.state.over:
            return self.state.turn
        return self.state.turn - 1

    def _turn_numbers(self, late: int) -> boxes.GridRow:
        """The cells of the turns; those that are over are ticked."""
        current_turn, is_over = self.state.turn, self.state.over
        cells = []
        for turn in range(1, TURNS + 1):
            style = _CELL_NUMBER._replace(ink=inks.BLACK)
            if turn >= late:
                style = _CELL_NUMBER._replace(ink=inks.ACCENT)
            field = boxes.FormField(f"tick-beach-turn-{turn}", f"Turn {turn}: over")
            is_past = turn <= self._finished_turns
            is_now = turn == current_turn and not is_over
            cells.append(boxes.GridCell(str(turn), style, is_past, is_now, field))
        return boxes.GridRow("Turn", _ROW_LABEL, cells)

    def _craft_hit(self) -> boxes.GridRow:
        """Ticks in the turns in which landing craft were hit."""
        state = self.state
        # A state without its journal remembers two turns only.
        hits = {state.turn: state.craft_hit, state.turn - 1: state.craft_hit_before}
        if self.past:
            hits = dict(self.past.hit)
        cells = []
        for turn in range(1, TURNS + 1):
            field = boxes.FormField(f"tick-beach-craft-{turn}", f"Turn {turn}: landing craft hit")
            cells.append(boxes.GridCell(ticked=hits.get(turn, 0) > 0, field=field))
        return boxes.GridRow("Craft hit", _ROW_LABEL, cells)

    def _squads_by_turn(self, verb: str, counts: Counter[int] | None) -> boxes.GridRow:
        """What is known of the turns that are over; all others are to write in."""
        cells = []
        for turn in range(1, TURNS + 1):
            if counts is not None and turn <= self._finished_turns:
                cells.append(boxes.GridCell(str(counts[turn])))
            else:
                name = f"write-beach-squads-{verb}-{turn}"
                field = boxes.FormField(name, f"Turn {turn}: squads {verb}")
                cells.append(boxes.GridCell(field=field, written=True))
        return boxes.GridRow(f"Squads {verb}", _ROW_LABEL, cells, faint=True)

    def _holds(self, name: DefenceId) -> str:
        """What a defence does while it stands."""
        effects = []
        if self.ruleset.defence_of(name).wins:
            effects.append("must be gone to win")
        for phase in self.ruleset.phase:
            if phase.skipped_without == name:
                effects.append(f"none left: no {phase.name.lower()} phase")
            if name == "bunkers":
                effects += self._bunkers_add(phase)
        if name == "traps":
            effects += self._traps_hamper()
        effects += self._bars(name)
        if not effects:
            return ""
        return f"{capital('; '.join(effects))}."

    def _bunkers_add(self, phase: Phase) -> Iterator[str]:
        """What few or no bunkers add to the dice of a phase."""
        for step in phase.step:
            modifiers = wording.bunker_modifiers(self.first_state, step.modifiers)
            adds = wording.with_signs(modifiers)
            if adds:
                yield f"{phase.name.lower()} {adds}"

    def _traps_hamper(self) -> Iterator[str]:
        """What traps take from the dice of several phases."""
        hampered = []
        for phase in self.ruleset.phase:
            if self._is_never_played(phase):
                continue
            for step in phase.step:
                if step.modifiers.traps:
                    hampered.append(f"{phase.name.lower()} {step.modifiers.traps:+d}")
        if hampered:
            yield f"while any is left: {', '.join(hampered)}"

    def _bars(self, name: DefenceId) -> Iterator[str]:
        """The phases that a defence keeps off others; those barred from the same phases share a
        sentence."""
        phases_barred: dict[str, list[str]] = {}
        for number, phase in enumerate(self.ruleset.phase, 1):
            if self._is_never_played(phase):
                continue
            for step in phase.step:
                # A step that something bars has a single target.
                if name in self.first_state.gone_first(phase, step):
                    phases_barred.setdefault(step.targets[0], []).append(str(number))
        targets_by_phases: dict[tuple[str, ...], list[str]] = {}
        for target, numbers in phases_barred.items():
            targets_by_phases.setdefault(tuple(numbers), []).append(target)
        for phases, targets in targets_by_phases.items():
            noun = "phase"
            if len(phases) > 1:
                noun = "phases"
            yield f"keeps {noun} {', '.join(phases)} off the {' and '.join(targets)}"

    def _is_never_played(self, phase: Phase) -> bool:
        return wording.phase_lines(self.first_state, phase)[0].never


def _badge(number: int, phase: Phase) -> SideLetters:
    side_ink = SIDES[0]
    if phase.side == "german":
        side_ink = SIDES[1]
    return SideLetters([str(number)], side_ink, hollow=True)


class LetteredTable(NamedTuple):
    """A table under its letter; its title names all phases that share it."""

    letter: str
    title: str
    rows: Rows


def tables_of(state: BeachState) -> list[LetteredTable]:
    """The tables of the phases, in the order of these."""
    phases_with: dict[Rows, list[str]] = {}
    for phase in state.ruleset.phase:
        for line in wording.phase_lines(state, phase):
            if line.table:
                phases_with.setdefault(line.table, []).append(phase.name)
    tables = []
    # There are more letters than tables.
    for letter, (rows, (first, *others)) in zip(LETTERS, phases_with.items(), strict=False):
        title = " and ".join([first, *(name.lower() for name in others)])
        tables.append(LetteredTable(letter, title, rows))
    return tables


def _side_by_side(tables: Sequence[LetteredTable], width: float) -> Flowable:
    """Tables in one row, each as wide as its texts need in proportion to the others."""
    needs = []
    for table in tables:
        # Titles are set a little larger than rows. A text that is longer than that goes onto a
        # second line; the numbers before it and the spaces take as much in every table.
        longest = max(1.05 * len(table.title), *(len(text) for _, text in table.rows))
        needs.append(min(36, longest) + 15)
    room = width - 3 * MM * (len(tables) - 1)
    cells, x = [], 0.0
    for need, (letter, title, rows) in zip(needs, tables, strict=True):
        wide = room * need / math.fsum(needs)
        head = paragraph(title, _TABLE_TITLE, lead=letter)
        printed = printed_table(wide, RESULT_COLUMNS, rows, air=0.8)
        cells.append(Cell(x, wide, Stack([head, Gap(MM), printed])))
        x += wide + 3 * MM
    return CellRow(cells, above=0, below=0, weight=0)


class CardRow(Drawing):
    """The cards side by side: rank, name, and use."""

    TALL = 14.5 * MM

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        wide = width / len(self.ruleset.card)
        for number, card in enumerate(self.ruleset.card):
            left = x + number * wide
            middle, room = left + wide / 2, wide - 3
            canvas.pen(inks.BLACK, THIN, inks.WHITE)
            canvas.roundRect(left + 1, top - self.TALL, wide - 2, self.TALL, 2.6, fill=1)
            rank = fitted(signs([Draw(card.rank)]), _CARD_RANK, room)
            write(canvas, middle, top - 6 * MM, rank, _CARD_RANK)
            write(canvas, middle, top - 9.4 * MM, fitted(card.name, _CARD_NAME, room), _CARD_NAME)
            use = fitted(wording.card_use(self.ruleset, card), _CARD_USE, room)
            write(canvas, middle, top - 12.8 * MM, use, _CARD_USE)
