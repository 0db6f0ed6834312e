"""A table of odds as a heat map: the higher the chance, the stronger the colour of its cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from textual.content import Content
from textual.widgets import Static

from skirmish.app.text_rows import padded
from skirmish.games.plastic.odds.table import OddsCell, OddsTable
from skirmish.games.plastic.odds.table_page import SHADE_COUNT, heading_words, shade_of_cell, signs

PADDING = 1
"""Columns before the table, as in its style."""
WIDEST_SPREAD = 5
"""The most columns by which each column of the table is widened."""
REST_OF_SCREEN = 16
"""Rows of the screen for all but the lines of the table, where these have a blank line each."""
LOWEST_HEAT, HEAT_PER_STEP, HEAT_PER_STEP_OF_256 = 8, 10, 6
"""How strongly a cell of the lowest chance is coloured, in percent, and how much more for each step
of chance, with millions of colours and with 256."""
SHORTEST_NAME = 8
"""The fewest columns of a weapon's name."""


class ShotKind(NamedTuple):
    """The shots that a table is about."""

    die: bool
    """Whether they are rolled for with the die; else cards are drawn."""
    covered: bool
    """Whether the targets are in cover; else they are in the open."""


class OddsCellPlace(NamedTuple):
    """Where a cell is in a table of odds."""

    line: int
    column: int


class HeatLayout(NamedTuple):
    """The texts of a table of odds and how wide they are."""

    head_rows: Sequence[Sequence[str]]
    """The words of the headings, row by row: one for each column."""
    signs: Sequence[Sequence[str]]
    """The texts of the cells, line by line."""
    sign_widths: Sequence[int]
    """The longest of these texts in each column."""
    widths: Sequence[int]
    """The width of each column."""
    name_width: int
    """The width of the names of weapons."""


def layout_of(table: OddsTable, covered: bool, screen_width: int) -> HeatLayout:
    """How a table is laid out: as wide as the screen allows; where it is too narrow, names of
    weapons are cut."""
    cell_signs = signs(table, covered)
    head_rows = _in_rows([heading_words(column) for column in table.columns])
    needed = _widths([*head_rows, *cell_signs])
    name_width = longest_name(table)
    gaps = len(needed)  # one before each column
    left_over = screen_width - PADDING - name_width - sum(needed) - gaps
    spread = 0
    if left_over < 0:
        name_width += left_over
    elif needed:
        spread = min(WIDEST_SPREAD, left_over // len(needed))
    widths = [width + spread for width in needed]
    name_width = max(SHORTEST_NAME, name_width)
    return HeatLayout(head_rows, cell_signs, _widths(cell_signs), widths, name_width)


def _in_rows(headings: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """Headings of several words each as rows of words; the shorter ones begin further down."""
    most_words = max(map(len, headings), default=1)
    padded_headings = []
    for words in headings:
        missing_words = most_words - len(words)
        padded_headings.append([*[""] * missing_words, *words])
    return list(zip(*padded_headings, strict=True))


def longest_name(table: OddsTable) -> int:
    """The columns of the longest name of a weapon."""
    return max((len(line.weapon.name) for line in table.lines), default=0)


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    """The longest text in each column."""
    return [max(map(len, column)) for column in zip(*rows, strict=True)]


class HeatMap(Static):
    """A table with clickable cells."""

    DEFAULT_CSS = """
    HeatMap {
        width: 1fr;
        height: auto;
        padding: 0 0 0 1;
        link-style: none;
        link-color: $foreground;
    }
    """

    _shot = ShotKind(die=False, covered=False)
    """The shots that it is about."""

    def show(
        self,
        table: OddsTable,
        shot: ShotKind,
        chosen: OddsCellPlace | None,
        width: int,
        title: str = "",
    ) -> None:
        """Paint the table in ``width`` columns, with the ``chosen`` cell marked, if that cell is in
        it; below a ``title``, if there are others beside it."""
        self._shot = shot
        layout = layout_of(table, shot.covered, width)
        rows = []
        if title:
            rows.append(Content.styled(title.upper(), "bold $primary"))
        for words in layout.head_rows:
            rows.append(self._head(layout, words, chosen))
        # Only a table that is alone on the screen has rows to spare.
        height_for_blank_lines = 2 * len(table.lines) + REST_OF_SCREEN
        has_blank_lines = not title and self.screen.size.height >= height_for_blank_lines
        for number, cells in enumerate(table.cells(shot.covered)):
            name = table.lines[number].weapon.name
            rows.append(self._row(layout, name, number, cells, chosen))
            if has_blank_lines:
                rows.append(Content(""))
        self.update(Content("\n").join(rows))

    def _head(
        self, layout: HeatLayout, words: Sequence[str], chosen: OddsCellPlace | None
    ) -> Content:
        """A row of the headings; that of the chosen column is bold."""
        pieces = [Content(" " * layout.name_width)]
        for column, word in enumerate(words):
            style = "$foreground 80%"
            if chosen is not None and column == chosen.column:
                style = "bold $accent"
            pieces.append(Content.styled(f" {word.center(layout.widths[column])}", style))
        return Content.assemble(*pieces)

    def _row(
        self,
        layout: HeatLayout,
        weapon: str,
        number: int,
        cells: Sequence[OddsCell],
        chosen: OddsCellPlace | None,
    ) -> Content:
        """The line of a weapon, with its number in the table; that of the chosen cell has the name
        in bold."""
        name = Content(padded(weapon, layout.name_width))
        if chosen is not None and number == chosen.line:
            name = name.stylize("bold $accent")
        pieces = [name]
        for column, cell in enumerate(cells):
            # The numbers of a column are flush right, and centred all together.
            sign = f"{layout.signs[number][column]:>{layout.sign_widths[column]}}"
            style = self._style(
                shade_of_cell(cell), is_chosen=OddsCellPlace(number, column) == chosen
            )
            text = Content.styled(sign.center(layout.widths[column]), style)
            # The screen's ``action_point`` chooses the cell.
            die, covered = self._shot
            click = f"@click=screen.point({number}, {column}, {die}, {covered})"
            pieces += [Content(" "), text.stylize(click)]
        return Content.assemble(*pieces)

    def _style(self, shade: int | None, *, is_chosen: bool) -> str:
        """The style of a cell. Without colours, high chances are bold; the number is always
        there."""
        if is_chosen:
            return "bold reverse"
        # A shot that the rules forbid has no shade.
        if shade is None:
            return "$foreground 60%"
        if self.app.no_color or self.app.native_ansi_color:
            if 2 * shade >= SHADE_COUNT:
                return "bold"
            return ""
        if self.app.console.color_system == "256":
            # Shades of the accent, a brown, would come out as red and olive; greys do not.
            return f"$foreground on $foreground {LOWEST_HEAT + HEAT_PER_STEP_OF_256 * shade}%"
        return f"$foreground on $accent {LOWEST_HEAT + HEAT_PER_STEP * shade}%"
