"""The answers to one question: selectable lines, or buttons in large letters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from textual.content import Content
from textual.widgets import Static

from skirmish.app.binding import key_name
from skirmish.app.page_view import hanging
from skirmish.app.play.big_letters import high, low, readable

DIM = "$foreground 60%"
KEY = "$accent bold"
LEAST = 36
"""The fewest columns of an answer in several columns of answers."""
SIGN_EDGES = 6
"""Columns of the cursor and the gaps before the note of an answer."""
SIGN = 15
"""Columns around large letters for the cursor, the key and the note."""


class Answer(NamedTuple):
    """A line or button: its key, its ``words``, a ``note`` after them. ``why_not`` is why it is
    disabled; ``aside``: it does not answer the question. ``value`` is the answer, ``action`` what
    the screen does instead."""

    words: str
    key: str = ""
    note: str = ""
    value: Any = None
    action: str = ""
    why_not: str = ""
    aside: bool = False


class AnswerList(Static):
    """Repainted for each question; a click on an answer calls the screen's ``choose``."""

    auto_links = False

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, markup=False)
        self.per_column = 1

    def show(self, answers: Sequence[Answer], cursor: int, *, width: int, room: int) -> None:
        """Paint the answers in at most ``room`` rows: in the largest letters that fit, else as
        lines, in several columns if there are many, with empty rows between them if there are
        few."""
        fits = _letters(answers, width, room)
        if fits is not None:
            entries = [
                _clickable(rows, at, width)
                for at, rows in enumerate(_pictures(answers, cursor, fits))
            ]
            self.per_column = len(entries)
            self.update(Content("\n").join(row for rows in entries for row in rows))
            return
        room = max(room, 1)
        signs = max((len(sign_of(answer)) for answer in answers), default=1)
        named = max((len(answer.words) for answer in answers), default=1)
        drawn = [
            _line(answer, at == cursor, sign_of(answer), signs, named)
            for at, answer in enumerate(answers)
        ]
        widest = max((line.cell_length for line in drawn), default=0)
        columns = 1
        while columns * room < len(answers) and width // (columns + 1) >= max(LEAST, widest + 1):
            columns += 1
        if columns == 1:
            lines = self._in_one_column(drawn, cursor, width, room, SIGN_EDGES + signs + named)
        else:
            self.per_column, wide = -(-len(answers) // columns), width // columns
            cells = [_clickable([line], at, wide)[0] for at, line in enumerate(drawn)]
            lines = [
                Content("").join(cells[row :: self.per_column]) for row in range(self.per_column)
            ]
        self.update(Content("\n").join(lines))

    def _in_one_column(
        self, drawn: list[Content], cursor: int, width: int, room: int, indent: int
    ) -> list[Content]:
        """All answers in full if there is room, with empty rows between them if there are few; else
        one row for each around the cursor, and how many are hidden."""
        entries = [hanging(line, width - 1, indent) for line in drawn]
        first, gap, more = 0, list[Content](), list[Content]()
        if sum(map(len, entries)) > room:
            fit = room - 1 if 1 < room < len(drawn) else room
            first = min(max(cursor - fit // 2, 0), max(len(drawn) - fit, 0))
            entries = [[line] for line in drawn[first : first + fit]]
            ends = (("↑", first), ("↓", len(drawn) - first - fit))
            hidden = "   ".join(f"{arrow} {count} more" for arrow, count in ends if count > 0)
            more = [Content.styled(f"  {hidden}", DIM)] if hidden else []
        elif sum(map(len, entries)) + len(entries) - 1 <= room:
            gap = [Content("")]
        self.per_column = len(entries)
        lines = (
            row
            for at, rows in enumerate(entries, first)
            for row in [*_clickable(rows, at, width), *gap]
        )
        return [*lines, *more]


def _clickable(rows: Iterable[Content], at: int, width: int) -> list[Content]:
    cut = [row.truncate(width - 1, ellipsis=True) for row in rows]
    return [
        row.pad_right(max(width - row.cell_length, 0)).stylize(f"@click=screen.choose({at})")
        for row in cut
    ]


def _pictures(
    answers: Sequence[Answer], cursor: int, letters: Callable[[str], str]
) -> Iterator[list[Content]]:
    """Each answer in large letters, with a bar beside the selected one; lines for those that are
    ``aside``."""
    signs = max(len(sign_of(answer)) for answer in answers)
    named = max((len(answer.words) for answer in answers if answer.aside), default=0)
    for at, answer in enumerate(answers):
        chosen, shown = at == cursor, f"{sign_of(answer):>{signs}}"
        if answer.aside:
            yield [_line(answer, chosen, shown, signs, named)]
            continue
        picture = letters(answer.words).split("\n")
        rows = [
            Content.assemble(
                ("█ " if chosen else "  ", KEY),
                (shown if nth == len(picture) // 2 else " " * signs, KEY),
                (f"   {row}", KEY if chosen else ""),
                (f"   {answer.note}" if nth == len(picture) // 2 else "", ""),
            )
            for nth, row in enumerate(picture)
        ]
        yield [*rows, Content("")]


def sign_of(answer: Answer) -> str:
    return key_name(answer.key) if len(answer.key) > 1 else answer.key


def _line(answer: Answer, chosen: bool, sign: str, signs: int, named: int) -> Content:
    weak = bool(answer.why_not)
    style = "bold reverse" if chosen else (DIM if weak else "" if answer.aside else "bold")
    return Content.assemble(
        ("► " if chosen else "  ", KEY),
        (f"{sign:>{signs}}", DIM if answer.why_not else KEY),
        "  ",
        (f" {answer.words:<{named}} ", style),
        (f" {answer.note}", DIM if weak else ""),
    )


def _letters(answers: Sequence[Answer], width: int, room: int) -> Callable[[str], str] | None:
    main = [answer for answer in answers if not answer.aside]
    if not main or not all(readable(answer.words) for answer in main):
        return None
    notes = max(len(answer.note) for answer in main)
    for letters in (high, low):
        pictures = [letters(answer.words).split("\n") for answer in main]
        rows = sum(len(picture) + 1 for picture in pictures) + len(answers) - len(main)
        longest = max(len(row) for picture in pictures for row in picture)
        if rows <= room and longest + notes + SIGN <= width:
            return letters
    return None
