"""The shot panel: what the mode says, what-ifs, a word to the player when a key did not fit."""

from __future__ import annotations

from textual.content import Content

from skirmish.app.battle.mode import Said
from skirmish.app.battle.words import painted
from skirmish.app.fitting import Told, as_told, cut, rows_of

ROWS, MOST_ROWS = 3, 6
"""Rows of the panel; it grows where a question is longer and the screen has room."""


def shot_panel(lines: list[Said], note: str, told: Told, width: int) -> Content:
    """What the mode says; a note to the player stands below, whole, and takes its place."""
    lines = as_told(lines, told)
    if not note:
        rest = painted(lines[1:])
        room = MOST_ROWS - (rows_of(rest, width) if lines[1:] else 0)
        first = cut(painted(lines[:1]), width, max(room, 1))  # the keys below it are never lost
        return Content("\n").join([first, rest]) if lines[1:] else first
    note = told(note)
    warned = painted([[(note, "alarm")]])
    lines = [line for line in lines if not any(_repeats(text, note) for text, _ in line)]
    above = cut(painted(lines), width, ROWS - rows_of(warned, width))
    return Content("\n").join([above, warned]) if above else warned


def with_what_ifs(said: Content, what_ifs: list[Said]) -> Content:
    """What is said of a shot, and below it what one thing would change."""
    return Content("\n").join([said, painted(what_ifs)]) if what_ifs else said


def _repeats(text: str, note: str) -> bool:
    """Whether a note says the same sentence again."""
    return len(text) > 9 and (text in note or note in text)
