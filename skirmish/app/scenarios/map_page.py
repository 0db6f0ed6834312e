"""The page of a scenario's map: the map in its frame where there is room, its key beside it or
below, and the note on where it is from."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from skirmish.app.scenarios.map_picture import (
    FRAME,
    KEY_ROWS,
    MapDrawing,
    MapInks,
    board_drawing,
    columns_of_map,
    in_rows,
)
from skirmish.app.text_rows import hanging, rows_of
from skirmish.games.plastic.scenarios.pages import PageSource
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.tabletop.battlefield import Battlefield

FEWEST_MAP_ROWS = 8
"""The fewest rows of a map; a page that has no room for them scrolls."""
KEY_COLUMNS = 34
"""The fewest columns of a key beside the map, with the gap before it."""
KEY_GAP = 3
"""Columns between the map and a key beside it."""
KEY_INDENT = 4
"""Columns by which the further rows of a long entry are indented."""
ROWS_OF_NOTE = 2
"""The most rows of the note below a map."""
ROWS_AROUND = 2
"""The row above the map, which names its upper edge, and the empty one below it."""
FRAMED_FROM = 44
"""Columns from which a map has a frame, lettered by the foot."""


def map_page(source: PageSource, room: tuple[int, int], inks: MapInks) -> Content:
    """The map on a page of so many columns and rows."""
    field = source.scenario.map
    if field is None:
        return Content("This scenario has no map.")
    beside = _with_key_beside(source.scenario, field, room, inks)
    if beside is not None:
        return _above_note(beside, source)
    columns, rows = room
    page = _with_key_below(source, field, room, inks)
    if rows_of(page, columns) > rows:
        # The scroll bar takes a column of a page that must scroll.
        page = _with_key_below(source, field, (columns - 1, rows), inks)
    return page


def _with_key_below(
    source: PageSource, field: Battlefield, room: tuple[int, int], inks: MapInks
) -> Content:
    """The map, framed if it is wide enough, above its key and its note. It may need more rows than
    there are."""
    columns, rows = room
    table = source.scenario.table
    frame = 0
    if columns >= FRAMED_FROM:
        frame = FRAME
    map_rows = max(rows - KEY_ROWS - ROWS_AROUND - frame, FEWEST_MAP_ROWS)
    map_columns = columns_of_map(table, columns - frame, map_rows)
    drawing = MapDrawing(source.scenario, field, map_columns, inks)
    if frame:
        picture_rows = drawing.framed()
    else:
        # Without a frame the compass point at the top stands above the map.
        head = Content.styled(f"{table.up:^{map_columns}}", "bold")
        picture_rows = [head, *drawing.lines()]
    key_rows = in_rows(drawing.key(), columns)
    return _above_note([*picture_rows, Content(""), *key_rows], source)


def _with_key_beside(
    scenario: Scenario, field: Battlefield, room: tuple[int, int], inks: MapInks
) -> list[Content] | None:
    """The map as high as the page, with its key in a column at the right; None where the map would
    be narrower for it, or where the key is longer than the map is high."""
    columns, lines = room
    map_rows = lines - FRAME - ROWS_OF_NOTE
    if columns_of_map(scenario.table, columns, map_rows) > columns - FRAME - KEY_COLUMNS:
        return None
    drawing = board_drawing(scenario, field, (columns - KEY_COLUMNS, map_rows + FRAME), inks)
    rows = drawing.framed()
    key_begins = max(row.cell_length for row in rows) + KEY_GAP
    key_rows: list[Content] = []
    for entry in drawing.key():
        key_rows += hanging(entry, columns - key_begins, KEY_INDENT)
    if len(key_rows) > len(rows):
        return None
    for number, key_row in enumerate(key_rows):
        gap = " " * (key_begins - rows[number].cell_length)
        rows[number] = Content.assemble(rows[number], gap, key_row)
    return rows


def _above_note(rows: Sequence[Content], source: PageSource) -> Content:
    """A map with its key, above the note on where it is from."""
    note = ""
    if source.scenario.map is not None:
        note = source.scenario.map.note
    if note:
        rows = [*rows, Content.styled(source.measured(note), "dim")]
    return Content("\n").join(rows)
