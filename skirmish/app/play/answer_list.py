"""The answers to one question, as a list: in large letters or as lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from textual.content import Content
from textual.widgets import OptionList

from skirmish.app.binding import answer_key_name
from skirmish.app.play.big_letters import Enlarge, has_large_form, high_letters, low_letters
from skirmish.app.text_rows import hanging
from skirmish.app.text_styles import DIM, KEY

UNMARKED = -1
"""The cursor where no answer is marked: while one is typed, or where the player is to mark one."""
KEY_EDGES = 7
"""Columns of a line before the note of its answer, besides its key and its words."""
LETTERS_EDGES = 15
"""Columns around an answer in large letters, besides its note: for the cursor and the key."""


class AnswerLine(NamedTuple):
    """An entry of the list: an answer to the question, or something to do instead."""

    words: str
    key: str = ""
    note: str = ""
    """A remark that stands behind the words."""
    value: Any = None
    """What the question is answered with; None for a line that has an ``action``, and for the line
    that confirms an order, once all its questions are answered."""
    action: str = ""
    """What the screen does instead of taking an answer; empty: it takes the answer."""
    why_not: str = ""
    """Why it is disabled; empty: it is not."""
    is_aside: bool = False
    """Whether it is something to do instead of answering: an aside, which is listed as a line even
    where the answers are in large letters."""


class AnswerList(OptionList):
    """The answers to one question: in the largest letters that fit, else as lines, with empty rows
    between them if there is room."""

    can_focus = False

    def show(self, answers: Sequence[AnswerLine], cursor: int, *, width: int, room: int) -> None:
        """Show the answers in ``width`` columns and ``room`` rows; ``cursor`` is the index of the
        marked one, or UNMARKED."""
        enlarge = _largest_that_fit(answers, width, room)
        if enlarge is None:
            entries = _lines_of(answers, cursor, width, room)
        else:
            entries = _pictures_and_lines(answers, cursor, width, enlarge)
        # An option is a single content, also if it has several rows.
        self.set_options(Content("\n").join(rows) for rows in entries)
        self.highlighted = None
        if cursor != UNMARKED:
            self.highlighted = cursor


def _lines_of(
    answers: Sequence[AnswerLine], cursor: int, width: int, room: int
) -> list[list[Content]]:
    """The rows of each answer as a line, with an empty row after each but the last if there is room
    for all of it."""
    columns = _columns_of(answers, lines=answers)
    entries = []
    for index, answer in enumerate(answers):
        entries.append(_rows_of_line(answer, index == cursor, columns, width))
    if not entries:
        return []
    empty_rows = len(entries) - 1
    if sum(map(len, entries)) + empty_rows > room:
        return entries
    *above, last = entries
    spaced = [[*rows, Content("")] for rows in above]
    return [*spaced, last]


def _pictures_and_lines(
    answers: Sequence[AnswerLine], cursor: int, width: int, enlarge: Enlarge
) -> list[list[Content]]:
    """The rows of each answer in large letters with an empty row below it, and of each aside as a
    line."""
    columns = _columns_of(answers, lines=[answer for answer in answers if answer.is_aside])
    entries = []
    for index, answer in enumerate(answers):
        is_marked = index == cursor
        if answer.is_aside:
            entries.append(_rows_of_line(answer, is_marked, columns, width))
        else:
            picture = _answer_picture(answer, is_marked, columns.key, enlarge)
            entries.append([*picture, Content("")])
    return entries


class AnswerColumns(NamedTuple):
    """The columns of the keys of all entries, and of the words of those that are lines."""

    key: int
    words: int


def _columns_of(answers: Sequence[AnswerLine], lines: Sequence[AnswerLine]) -> AnswerColumns:
    """The columns of the longest key of all answers, and of the longest words of ``lines``."""
    return AnswerColumns(
        key=max((len(key_words(answer)) for answer in answers), default=1),
        words=max((len(answer.words) for answer in lines), default=1),
    )


def _rows_of_line(
    answer: AnswerLine, is_marked: bool, columns: AnswerColumns, width: int
) -> list[Content]:
    """An answer as a line, broken so that its note stays behind the words."""
    indent = KEY_EDGES + columns.key + columns.words
    scroll_bar = 1
    return hanging(_answer_line(answer, is_marked, columns), width - scroll_bar, indent)


def _answer_picture(
    answer: AnswerLine, is_marked: bool, key_columns: int, enlarge: Enlarge
) -> Iterator[Content]:
    """The rows of an answer in large letters, with a bar beside the marked one; its key and its
    note stand beside the row in the middle."""
    bar, style = "  ", ""
    if is_marked:
        bar, style = "█ ", KEY
    picture = enlarge(answer.words).split("\n")
    middle = len(picture) // 2
    for index, row in enumerate(picture):
        key, note = "", ""
        if index == middle:
            key, note = key_words(answer), f"   {answer.note}"
        yield Content.assemble(
            (bar, KEY), (f"{key:>{key_columns}}", KEY), (f"   {row}", style), note
        )


def key_words(answer: AnswerLine) -> str:
    """The key of an answer as it is shown: ``Esc``, ``r``."""
    return answer_key_name(answer.key)


def _answer_line(answer: AnswerLine, is_marked: bool, columns: AnswerColumns) -> Content:
    """An answer as a line: its key, its words, its note."""
    key_style, word_style, note_style = KEY, "bold", ""
    if answer.why_not:
        key_style, word_style, note_style = DIM, DIM, DIM
    elif answer.is_aside:
        word_style = ""
    mark = "  "
    if is_marked:
        mark, word_style = "► ", "bold reverse"
    return Content.assemble(
        (mark, KEY),
        (f"{key_words(answer):>{columns.key}}", key_style),
        "  ",
        (f" {answer.words:<{columns.words}} ", word_style),
        (f" {answer.note}", note_style),
    )


def _largest_that_fit(answers: Sequence[AnswerLine], width: int, room: int) -> Enlarge | None:
    """The largest letters in which all answers fit with the asides as lines below them; None if no
    letters fit."""
    in_letters = [answer for answer in answers if not answer.is_aside]
    if not in_letters or not all(has_large_form(answer.words) for answer in in_letters):
        return None
    aside_rows = len(answers) - len(in_letters)
    note_columns = max(len(answer.note) for answer in in_letters)
    for enlarge in (high_letters, low_letters):
        rows = aside_rows
        longest = 0
        for answer in in_letters:
            picture = enlarge(answer.words).split("\n")
            empty_row = 1
            rows += len(picture) + empty_row
            longest = max(longest, *map(len, picture))
        if rows <= room and longest + note_columns + LETTERS_EDGES <= width:
            return enlarge
    return None
