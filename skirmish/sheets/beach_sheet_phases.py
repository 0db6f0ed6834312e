"""The turn on the play sheet: the eighteen phases, the tables they look up, the cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from skirmish.games.beach_head.ruleset import Ruleset, signs
from skirmish.games.beach_head.state import State
from skirmish.games.beach_head.wording import card_use, phase_lines
from skirmish.sheets.layout.flowables import Canvas, Cell, Drawing, Flowable, Gap, Row, Stack, rule
from skirmish.sheets.layout.fonts import BODY, BOLD, HEAD, LABEL, MEDIUM, TITLE
from skirmish.sheets.layout.tables import Line
from skirmish.sheets.layout.text import COLUMN, Style, fitted, line_width, paragraph, write
from skirmish.sheets.paper import BLACK, CODE, FAINT, HAIR, MM, NORMAL, SIDES, THIN, WHITE
from skirmish.tabletop.chance import Draw

PLACES = (("", 8), ("Phase", 29), ("Roll", 13), ("What it does", 45), ("Modifiers", 44))
"""The columns with their widths in mm; the last takes what is left."""
LAST = "When"
_NAME = Style(BOLD, 9, 10.4)
_DICE = Style(LABEL, 9.6, 10.4)
_CELL = Style(BODY, 8.6, 10.2)
_QUIET = Style(BODY, 8.6, 10.2, ink=CODE)
_BADGE = Style(HEAD, 7.2, 7.2, "centre")
_SHORT = Style(MEDIUM, 8.4, 8.4)
_SHORT_DICE = Style(LABEL, 8.4, 8.4, "right")
_LETTER = Style(HEAD, 10.4, 10.4, "centre", WHITE)
_OF = Style(LABEL, 8.2, 9.4)
_RESULT = Style(LABEL, 9, 10.2, "right")
_SAYS = Style(BODY, 8.2, 10.2)
_RANK = Style(TITLE, 15, 15, "centre")
_CALLED = Style(MEDIUM, 6.8, 6.8, "centre", CODE)
_USE = Style(LABEL, 7.6, 7.6, "centre")


Rows = tuple[tuple[str, str], ...]


class Tabled(NamedTuple):
    """A table of results, by its letter: whose it is, and the rows: a result and what it brings."""

    letter: str
    title: str
    rows: Rows


def tables_of(state: State) -> dict[Rows, Tabled]:
    """Every table that a phase looks up, once for all that share its rows."""
    groups: dict[Rows, list[str]] = {}
    for phase in state.setup.ruleset.phase:
        for line in phase_lines(state, phase):
            if line.table:
                groups.setdefault(line.table, []).append(phase.name)
    return {
        rows: Tabled(letter, " and ".join([first, *map(str.lower, others)]), rows)
        for letter, (rows, (first, *others)) in zip("ABCDEFGH", groups.items(), strict=False)
    }


class Badge(Drawing):
    """The number of a phase: in a circle for the Allies, in a solid square for the Germans."""

    SIZE = 3.4 * MM

    def __init__(self, number: int, *, german: bool) -> None:
        self.number, self.german = number, german

    def height_at(self, width: float) -> float:
        return 10.4

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        look = SIDES[int(self.german)]
        half = self.SIZE / 2
        middle, level = x + half, top - 5.3
        canvas.setStrokeColor(look.ink)
        canvas.setFillColor(look.ink if self.german else WHITE)
        canvas.setLineWidth(NORMAL)
        if self.german:
            canvas.rect(middle - half, level - half, 2 * half, 2 * half, fill=1)
        else:
            canvas.circle(middle, level, half, fill=1)
        ink = WHITE if self.german else look.ink
        write(canvas, middle, level - 2.5, str(self.number), _BADGE._replace(ink=ink))


def phases(state: State, width: float, air: float) -> Flowable:
    """Every phase with its rolls, ``air`` points above and below each line."""
    slots = list(_slots(width))
    heads = [paragraph(head, COLUMN) for head in (*(name for name, _ in PLACES), LAST)]
    first = Line([Cell(x, wide, p) for (x, wide), p in zip(slots, heads, strict=True)],
                 above=air, below=air, weight=NORMAL, ink=COLUMN.ink)  # fmt: skip
    first.ruled = True
    rows: list[Flowable] = [first]
    tables = tables_of(state)
    for number, phase in enumerate(state.setup.ruleset.phase, 1):
        for place, one in enumerate(phase_lines(state, phase)):
            look = f"table {tables[one.table].letter}" if one.table else ""
            does, when = one.does or f"see {look}", (one.when or look) if one.does else one.when
            style = _QUIET if one.never else _CELL
            badge: Flowable = Gap(0) if place else Badge(number, german=phase.side == "german")
            name = _NAME._replace(ink=CODE) if one.never else _NAME
            texts = (
                badge,
                paragraph("" if place else phase.name, name),
                paragraph(one.dice, _DICE),
                *(paragraph(text, style) for text in (does, one.adds, when)),
            )
            cells = [Cell(x, wide, text) for (x, wide), text in zip(slots, texts, strict=True)]
            line = Line(cells, above=air, below=air, weight=HAIR, ink=FAINT)
            line.tinted = number % 2 == 1
            line.ruled = number == len(state.setup.ruleset.phase)
            rows.append(line)
    return Stack(rows)


def _slots(width: float) -> Iterator[tuple[float, float]]:
    x = 1 * MM
    for _, wide in PLACES:
        yield x, wide * MM - 1.6 * MM
        x += wide * MM
    yield x, width - x - 1 * MM


# ------------------------------------------------------------------ tables


class Results(Drawing):
    """A table of results: its letter on a bar, whose it is, then a line for each result."""

    BAR = 5 * MM
    LINE = 4.1 * MM
    RESULT = 7.5 * MM

    def __init__(self, table: Tabled, width: float) -> None:
        self.table = table
        room = width - self.RESULT - 1.5 * MM
        self.says = [paragraph(says, _SAYS) for _, says in table.rows]
        self.tall = [max(self.LINE, one.height_at(room) + 1.4) for one in self.says]

    def height_at(self, width: float) -> float:
        return self.BAR + sum(self.tall) + 0.6 * MM

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        y = top - self.BAR
        block = 5.4 * MM
        with canvas.bar(x, y, block, self.BAR, BLACK):
            write(canvas, x + block / 2, y + 1.2 * MM, self.table.letter, _LETTER)
        room = width - block - 1.6 * MM
        write(canvas, x + block + 1.4 * MM, y + 1.5 * MM, fitted(self.table.title, _OF, room), _OF)
        rule(canvas, x, x + width, y, NORMAL, ink=BLACK)
        at = y - 0.6 * MM
        for (result, _), words, tall in zip(self.table.rows, self.says, self.tall, strict=True):
            write(canvas, x + self.RESULT - 1 * MM, at - 8.6, result, _RESULT)
            words.paint(
                canvas, x + self.RESULT + 0.8 * MM, at - 0.5, width - self.RESULT - 1.5 * MM
            )
            at -= tall
            rule(canvas, x, x + width, at, HAIR, ink=FAINT)


def results(tables: Sequence[Tabled], width: float) -> Flowable:
    """All tables side by side, broader where they say more."""
    gap = 3 * MM
    needs = [_breadth(table) for table in tables]
    room = width - gap * (len(tables) - 1)
    cells, x = [], 0.0
    for need, table in zip(needs, tables, strict=True):
        wide = room * need / sum(needs)
        cells.append(Cell(x, wide, Results(table, wide)))
        x += wide + gap
    return Row(cells, above=0, below=0, weight=0)


def _breadth(table: Tabled) -> float:
    """How broad it would be, as a number of letters; long lines are broken."""
    return min(36, max(1.05 * len(table.title), *(len(says) for _, says in table.rows))) + 15


# ------------------------------------------------------------------ the turn in short


class Ladder(Drawing):
    """The phases with their first dice, six in a row: a reminder beside the tracks."""

    IN_ROW = 6
    TALL = 5.6 * MM

    def __init__(self, state: State) -> None:
        self.state, self.phases = state, state.setup.ruleset.phase

    def height_at(self, width: float) -> float:
        return -(-len(self.phases) // self.IN_ROW) * self.TALL

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        wide = width / self.IN_ROW
        before = Badge.SIZE + 1.6 * MM
        for place, phase in enumerate(self.phases):
            row, column = divmod(place, self.IN_ROW)
            left, level = x + column * wide, top - row * self.TALL
            first = phase_lines(self.state, phase)[0]
            Badge(place + 1, german=phase.side == "german").paint(canvas, left, level - 2, wide)
            ink = CODE if first.never else BLACK
            dice = _SHORT_DICE._replace(ink=ink)
            end = left + wide - 2.5 * MM
            write(canvas, end, level - 10.6, first.dice, dice)
            room = wide - before - 3.5 * MM - line_width(first.dice, dice)
            name = _SHORT._replace(ink=ink)
            write(canvas, left + before, level - 10.6, fitted(phase.name, name, room), name)


# ------------------------------------------------------------------ cards


class Cards(Drawing):
    """A field for each rank: what it is called and what it does."""

    TALL = 14.5 * MM

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        wide = width / len(self.ruleset.card)
        for number, card in enumerate(self.ruleset.card):
            left = x + number * wide
            canvas.setStrokeColor(BLACK)
            canvas.setFillColor(WHITE)
            canvas.setLineWidth(THIN)
            canvas.roundRect(left + 1, top - self.TALL, wide - 2, self.TALL, 2.6, fill=1)
            middle = left + wide / 2
            write(canvas, middle, top - 6 * MM, signs([Draw(card.rank)]), _RANK)
            name = fitted(card.name, _CALLED, wide - 3)
            write(canvas, middle, top - 9.4 * MM, name, _CALLED)
            use = card_use(self.ruleset, card)
            write(canvas, middle, top - 12.8 * MM, fitted(use, _USE, wide - 3), _USE)
