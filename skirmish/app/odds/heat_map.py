"""A table whose shades tell what its numbers say; one cell is chosen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from skirmish.app.fitting import padded
from skirmish.games.plastic.odds.table import STEPS, OddsTable, heads, heat, signs

SPREAD = 5
"""Columns by which each of the table's is widened at most."""
LEAST_NAME = 8
"""Columns that a weapon's name has at least."""


class Spot(NamedTuple):
    """A cell: its line and its column."""

    line: int
    column: int


class HeatMap(Widget):
    """The table of ``show``. Each cell can be clicked."""

    DEFAULT_CSS = """
    HeatMap {
        height: auto;
        padding: 0 0 0 1;
        link-style: none;
        link-color: $foreground;
    }
    """

    def __init__(self, table: OddsTable) -> None:
        super().__init__(id="heat-map")
        self._table, self._covered, self._spot = table, False, Spot(0, 0)

    def show(self, table: OddsTable, cover: bool, spot: Spot) -> None:
        self._table, self._covered, self._spot = table, cover, spot
        self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Heads and lines; with air between them where there is room."""
        lines = len(self._table.lines)
        return len(self._heads()) + lines * self._step(viewport)

    def render(self) -> Content:
        return Content("\n").join(self._rows())

    # ------------------------------------------------------------------ rows

    def _rows(self) -> Iterator[Content]:
        words = signs(self._table, self._covered)
        above = self._heads()
        name, widths = self._widths(above, words)
        fields = [max(map(len, column)) for column in zip(*words, strict=True)]
        for row in above:
            words_above = (
                Content.styled(
                    " " + text.center(width), "bold $accent" if here else "$foreground 80%"
                )
                for text, width, here in zip(row, widths, self._here(), strict=True)
            )
            yield Content.assemble(" " * name, *words_above)
        lines = zip(self._table.lines, self._table.cells(self._covered), words, strict=True)
        for at, (line, cells, said) in enumerate(lines):
            chosen = at == self._spot.line
            parts = [Content.styled(padded(line.weapon.name, name), "bold $accent" * chosen)]
            for column, (cell, text, width) in enumerate(zip(cells, said, widths, strict=True)):
                style = self._style(heat(cell), Spot(at, column) == self._spot)
                shown = Content.styled(text.rjust(fields[column]).center(width), style)
                click = f"@click=screen.point({at}, {column})"
                parts += [Content(" "), shown.stylize(click)]
            yield Content.assemble(*parts)
            if self._step(self.screen.size) > 1:
                yield Content("")

    def _here(self) -> list[bool]:
        return [at == self._spot.column for at in range(len(self._table.columns))]

    def _heads(self) -> list[list[str]]:
        above = [heads(column) for column in self._table.columns]
        tall = max(map(len, above), default=1)
        level = [[""] * (tall - len(words)) + words for words in above]
        return [list(row) for row in zip(*level, strict=True)]

    def _widths(self, above: list[list[str]], words: list[list[str]]) -> tuple[int, list[int]]:
        """Columns for the names, and for each column of the table."""
        wants = [max(map(len, column)) for column in zip(*above, *words, strict=True)]
        longest = max((len(line.weapon.name) for line in self._table.lines), default=0)
        room = self.content_size.width - longest - sum(wants) - len(wants)
        more = max(0, min(SPREAD, room // max(1, len(wants))))
        return max(LEAST_NAME, longest + min(room, 0)), [want + more for want in wants]

    def _step(self, within: Size) -> int:
        """Rows that a line takes: two on a high screen."""
        return 2 if within.height >= len(self._table.lines) * 2 + 16 else 1

    def _style(self, shade: int, chosen: bool) -> str:
        """A cell's look. Without colours what hits often is bold; the number says it anyway."""
        if chosen:
            return "bold reverse"
        if shade < 0:
            return "$foreground 60%"
        if self.app.no_color or self.app.native_ansi_color:
            return "bold" if 2 * shade >= STEPS else ""
        return f"$foreground on $accent {8 + 13 * shade}%"
