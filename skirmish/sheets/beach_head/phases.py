"""The phases of a turn on the play sheet: in full with their tables on the front, in short on the
back."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from skirmish.games.beach_head import phase_words
from skirmish.games.beach_head.ruleset import Phase
from skirmish.games.beach_head.state import BeachState
from skirmish.sheets import inks
from skirmish.sheets.beach_head.printed_game import PrintedGame
from skirmish.sheets.inks import SIDES
from skirmish.sheets.layout.blocks import SideLetters
from skirmish.sheets.layout.flow import Cell, CellRow, Flowable, Gap, Stack
from skirmish.sheets.layout.fonts import BODY, BOLD, LABEL, MEDIUM
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.tables import SheetColumn, printed_table
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.paper import MM

TABLE_LETTERS = "ABCDEFGH"
"""The letters of the tables, in their order; there are more than tables."""
PHASES_IN_ROW = 6
"""How many phases stand in a row of the turn in short."""
BETWEEN_TABLES = 3 * MM
"""The space between two tables that stand side by side."""
LONGEST_TEXT = 36
"""The length in characters up to which a text gets room on one line; a longer one takes two."""
CHARACTERS_BESIDE_TEXT = 15
"""The width of a table besides its longest text, in characters: the results and the spaces."""
BADGE_WIDTH = 5 * MM
"""The width of a phase's number in the turn in short, with the space behind it."""
_CELL = Style(BODY, 8.6, 10)
_QUIET_CELL = _CELL._replace(ink=inks.QUIET)
_PHASE_NAME = Style(BOLD, 9, 10.4)
_QUIET_PHASE_NAME = _PHASE_NAME._replace(ink=inks.QUIET)
_PHASE_IN_SHORT = Style(MEDIUM, 8.4, 10.4)
_TABLE_TITLE = Style(LABEL, 9, 11)
PHASE_COLUMNS = (
    SheetColumn("", 8, _CELL),
    SheetColumn("Phase", 28, _PHASE_NAME),
    SheetColumn("Roll", 12, Style(LABEL, 9, 10.4)),
    SheetColumn("What it does", 45, _CELL),
    SheetColumn("Modifiers", 44, _CELL),
    SheetColumn("When", 0, _CELL),
)
"""The columns of the phases; the first, which has no title, is for the number."""
RESULT_COLUMNS = (
    SheetColumn("", 6.6, Style(LABEL, 8.2, 10, "right")),
    SheetColumn("", 0, Style(BODY, 8.2, 10)),
)
"""The columns of a table: the results of the dice, and what they do."""
TableRows: TypeAlias = tuple[phase_words.TableLine, ...]
"""The rows of a table: results of the dice, and what they do."""
PhaseRow: TypeAlias = Sequence[str | Flowable]
"""The cells below the ``PHASE_COLUMNS``."""


class LetteredTable(NamedTuple):
    """A table under its letter; its title names all phases that share it."""

    letter: str
    title: str
    rows: TableRows


def tables_of(state: BeachState) -> list[LetteredTable]:
    """The tables of the phases, in the order of these; what several phases share is one table."""
    phases_by_rows: dict[TableRows, list[str]] = {}
    for phase in state.ruleset.phase:
        for line in phase_words.phase_lines(state, phase):
            if line.table:
                phases_by_rows.setdefault(line.table, []).append(phase.name)
    tables = []
    for letter, (rows, phases) in zip(TABLE_LETTERS, phases_by_rows.items(), strict=False):
        first, *others = phases
        title = " and ".join([first, *(name.lower() for name in others)])
        tables.append(LetteredTable(letter, title, rows))
    return tables


def phase_table(
    game: PrintedGame, tables: Sequence[LetteredTable], width: float, air: float
) -> Flowable:
    """All phases with their dice and modifiers, with ``air`` above and below each line."""
    # A phase names its table by its rows; on paper the table has a letter.
    letters = {table.rows: table.letter for table in tables}
    rows: list[PhaseRow] = []
    for number, phase in enumerate(game.ruleset.phase, 1):
        rows += _phase_rows(game, number, phase, letters)
    return printed_table(width, PHASE_COLUMNS, rows, air=air, grouped=True)


def _phase_rows(
    game: PrintedGame, number: int, phase: Phase, letters: dict[TableRows, str]
) -> Iterator[PhaseRow]:
    """The lines of a phase, the first with its number and its name; ``letters``: those of the
    tables, by their rows."""
    badge: str | Flowable = _badge(number, phase)
    name: str | Flowable = phase.name
    for line in phase_words.phase_lines(game.first_state, phase):
        # A phase that this beach does not have keeps its place, so that the numbers remain those of
        # the rules.
        if line.never:
            quiet_name = paragraph(phase.name, _QUIET_PHASE_NAME)
            yield [badge, quiet_name, "", paragraph(line.does, _QUIET_CELL), "", ""]
        else:
            does, when = line.does, line.when
            # A line with a table leaves one of these two columns free for the table's name.
            if line.table and not does:
                does = f"table {letters[line.table]}"
            elif line.table and not when:
                when = f"table {letters[line.table]}"
            yield [badge, name, line.dice, does, line.adds, when]
        # The lines after the first belong to the same phase.
        badge, name = "", ""


def phases_in_short(game: PrintedGame, width: float) -> Iterator[Flowable]:
    """The number, the name and the dice of each phase, in rows."""
    phase_width = width / PHASES_IN_ROW
    cells: list[Cell] = []
    for number, phase in enumerate(game.ruleset.phase, 1):
        column = (number - 1) % PHASES_IN_ROW
        # A phase begins a new row when the one above it is full.
        if column == 0 and cells:
            yield _row_in_short(cells)
            cells = []
        cells += _cells_in_short(game, number, phase, column * phase_width, phase_width)
    yield _row_in_short(cells)


def _row_in_short(cells: Sequence[Cell]) -> Flowable:
    return CellRow(cells, above=2, below=2, weight=0)  # without a rule below


def _cells_in_short(
    game: PrintedGame, number: int, phase: Phase, left: float, width: float
) -> Iterator[Cell]:
    """A phase in a row, ``width`` points wide: its number, its name, and the dice of its first
    line."""
    line = _first_line(game, phase)
    style = _PHASE_IN_SHORT
    if line.never:
        style = _PHASE_IN_SHORT._replace(ink=inks.QUIET)
    yield Cell(left, width, _badge(number, phase))
    yield Cell(left + BADGE_WIDTH, width - BADGE_WIDTH, paragraph(phase.name, style))
    # The dice lie over the cell of the name, at its right end: the names are short enough to leave
    # room. A gap separates them from the next phase.
    yield Cell(left, width - 2.5 * MM, paragraph(line.dice, style._replace(align="right")))


def is_never_played(game: PrintedGame, phase: Phase) -> bool:
    """Whether this beach does without the phase."""
    return _first_line(game, phase).never


def _first_line(game: PrintedGame, phase: Phase) -> phase_words.PhaseLine:
    """The first line of a phase, the only one of a phase that is never played."""
    first, *_ = phase_words.phase_lines(game.first_state, phase)
    return first


def _badge(number: int, phase: Phase) -> Flowable:
    """The number of a phase, in the ink of the side that acts in it."""
    allied_ink, german_ink = SIDES
    ink = allied_ink
    if phase.side == "german":
        ink = german_ink
    return SideLetters([str(number)], ink, hollow=True)


def side_by_side(tables: Sequence[LetteredTable], width: float) -> Flowable:
    """Tables in one row, each as wide as its texts need in proportion to the others."""
    needs = [_characters_across(table) for table in tables]
    room = width - BETWEEN_TABLES * (len(tables) - 1)
    cells, left = [], 0.0
    for need, table in zip(needs, tables, strict=True):
        table_width = room * need / math.fsum(needs)
        head = paragraph(table.title, _TABLE_TITLE, lead=table.letter)
        rows = printed_table(table_width, RESULT_COLUMNS, table.rows, air=0.8)
        cells.append(Cell(left, table_width, Stack([head, Gap(MM), rows])))
        left += table_width + BETWEEN_TABLES
    return CellRow(cells, above=0, below=0, weight=0)  # without a rule below


def _characters_across(table: LetteredTable) -> float:
    """About how many characters wide a table should be."""
    # Titles are set a little larger than rows.
    title_length = 1.05 * len(table.title)
    longest = max(title_length, *(len(line.effect) for line in table.rows))
    return min(LONGEST_TEXT, longest) + CHARACTERS_BESIDE_TEXT
