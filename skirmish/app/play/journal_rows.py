"""The journal as rows for a part of the screen."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from textual.content import Content

from skirmish.app.text_rows import hanging
from skirmish.app.text_styles import KEY

INDENT = 6
"""Columns of the cursor and the number of a line of the journal."""


class JournalRows(NamedTuple):
    """The rows of the journal."""

    rows: list[Content]
    row_of_cursor: int
    """The index of the row at which the line under the cursor begins; 0 if there is no cursor."""
    row_of_last: int
    """The index of the row at which the last line begins."""

    def cut(self, width: int, most: int, key: str) -> JournalRows:
        """The journal with its last line cut to ``most`` rows of ``width`` columns; in place of the
        words that are left out stands the key that opens the whole journal."""
        rows_of_last_line = len(self.rows) - self.row_of_last
        if rows_of_last_line <= most:
            return self
        ending = Content.assemble(" … ", (key, KEY))
        *above, last_row = self.rows[: self.row_of_last + most]
        last_row = last_row.truncate(width - ending.cell_length).rstrip() + ending
        return self._replace(rows=[*above, last_row])


@lru_cache(maxsize=256)
def rows_of_line(
    number: int, words: str, width: int, style: str, *, under_cursor: bool
) -> list[Content]:
    """The rows of a line of the journal. Cached, since most lines are still shown after the next
    order."""
    mark = " "
    if under_cursor:
        mark, style = ">", f"{KEY} reverse"
    text = Content.styled(f"{mark} {number:>3} {words}", style)
    click = f"@click=screen.look({number})"
    return [row.stylize(click) for row in hanging(text, width, INDENT)]
