"""What stands below both sides and below the map, on a screen that has rows to spare there: how
victory stands, what is due, the key of the map. Begin with ``below_board``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from textual.content import Content
from textual.geometry import Size

from skirmish.app.text_rows import fitted, rows_of, wrapped
from skirmish.app.text_styles import HEAD

VICTORY, DUE, KEY_OF_MAP = "VICTORY", "DUE", "ON THE MAP"
"""The headings."""
HEADING_ROWS = 2
"""Rows of a heading and of the empty row above it."""


class Standing(NamedTuple):
    """What can stand below the board."""

    terms: Sequence[Content]
    """The terms of victory, not yet broken into rows."""
    due: Sequence[Content]
    """What is due, not yet broken into rows."""
    key: Sequence[Content]
    """The key of the map, in rows as wide as the map."""


class BelowBoard(NamedTuple):
    """The rows below both sides, and those below the map."""

    sides: list[Content]
    map: list[Content]


def rows_of_victory(terms: Sequence[Content], columns: int) -> int:
    """How many rows the terms of victory take, with their heading."""
    return HEADING_ROWS + sum(rows_of(term, columns) for term in terms)


def below_board(
    standing: Standing, below_sides: Size, below_map: Size, words_for_rest: Callable[[int], Content]
) -> BelowBoard:
    """The terms of victory below the sides if they fit, else below the map; what is due where more
    rows are left, as much as fits (``words_for_rest`` says how many lines do not); the key below
    the map, if all of it fits in what is left."""
    sides: list[Content] = []
    under_map: list[Content] = []
    if rows_of_victory(standing.terms, below_sides.width) <= below_sides.height:
        sides += _titled(VICTORY, standing.terms, below_sides, words_for_rest)
    else:
        under_map += _titled(VICTORY, standing.terms, below_map, words_for_rest)
    left_below_sides = Size(below_sides.width, below_sides.height - len(sides))
    left_below_map = Size(below_map.width, below_map.height - len(under_map))
    if left_below_sides.height >= left_below_map.height:
        sides += _titled(DUE, standing.due, left_below_sides, words_for_rest)
    else:
        under_map += _titled(DUE, standing.due, left_below_map, words_for_rest)
    # The key of the map is left out where not all of it fits.
    rows_left = below_map.height - len(under_map) - len(standing.key)
    if rows_left >= HEADING_ROWS:
        under_map += [Content(""), _heading(KEY_OF_MAP), *standing.key]
    elif rows_left > 0 and not under_map:  # directly below the map it needs no heading
        under_map += [Content(""), *standing.key]
    return BelowBoard(sides, under_map)


def _heading(title: str) -> Content:
    return Content.styled(title, HEAD)


def _titled(
    title: str, lines: Sequence[Content], room: Size, words_for_rest: Callable[[int], Content]
) -> list[Content]:
    """As many of the lines as fit under their heading, with an empty row above it; nothing if none
    does."""
    body = fitted(lines, room.width, room.height - HEADING_ROWS, words_for_rest)
    if not body.rows:
        return []
    return [Content(""), _heading(title), *wrapped(body.text, room.width)]
