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
        letters, room = _letters(answers, width, room), max(room, 1)
        signs = max((len(sign_of(one)) for one in answers), default=1)
        lines = [one for one in answers if letters is None or one.aside]
        named = max((len(one.words) for one in lines), default=1)
        entries = [
            [_line(one, at == cursor, signs, named)]
            if letters is None or one.aside
            else [*_picture(one, at == cursor, signs, letters), Content("")]
            for at, one in enumerate(answers)
        ]
        columns, least = 1, max((LEAST, *(rows[0].cell_length + 1 for rows in entries)))
        if letters is None:
            while columns * room < len(answers) and width // (columns + 1) >= least:
                columns += 1
        self.per_column = max(-(-len(entries) // columns), 1)
        first, more = 0, list[Content]()
        if letters is None and columns == 1:
            first, entries, more = _in_rows(
                entries, cursor, width, room, SIGN_EDGES + signs + named
            )
        shown = [_clickable(rows, at, width // columns) for at, rows in enumerate(entries, first)]
        if columns > 1:
            cells = [rows[0] for rows in shown]
            shown = [[Content("").join(cells[row :: self.per_column])]
                     for row in range(self.per_column)]  # fmt: skip
        self.update(Content("\n").join([row for rows in shown for row in rows] + more))


def _in_rows(
    entries: list[list[Content]], cursor: int, width: int, room: int, indent: int
) -> tuple[int, list[list[Content]], list[Content]]:
    """All lines in full if there is room, with empty rows between them if there are few; else one
    row for each around the cursor, from the first one shown, and how many are hidden."""
    whole = [hanging(rows[0], width - 1, indent) for rows in entries]
    used = sum(map(len, whole))
    if used <= room:
        apart = [Content("")] * (used + len(whole) - 1 <= room)
        return 0, [[*rows, *apart] for rows in whole], []
    fit = room - 1 if 1 < room < len(entries) else room
    first = min(max(cursor - fit // 2, 0), max(len(entries) - fit, 0))
    ends = (("↑", first), ("↓", len(entries) - first - fit))
    hidden = "   ".join(f"{arrow} {count} more" for arrow, count in ends if count > 0)
    more = [Content.styled(f"  {hidden}", DIM)] if hidden else []
    return first, entries[first : first + fit], more


def _clickable(rows: Iterable[Content], at: int, width: int) -> list[Content]:
    cut = [row.truncate(width - 1, ellipsis=True) for row in rows]
    return [
        row.pad_right(max(width - row.cell_length, 0)).stylize(f"@click=screen.choose({at})")
        for row in cut
    ]


def _picture(
    answer: Answer, chosen: bool, signs: int, letters: Callable[[str], str]
) -> Iterator[Content]:
    """An answer in large letters, with a bar beside the selected one."""
    picture = letters(answer.words).split("\n")
    for nth, row in enumerate(picture):
        middle = nth == len(picture) // 2
        yield Content.assemble(
            ("█ " if chosen else "  ", KEY),
            (f"{sign_of(answer):>{signs}}" if middle else " " * signs, KEY),
            (f"   {row}", KEY if chosen else ""),
            f"   {answer.note}" if middle else "",
        )


def sign_of(answer: Answer) -> str:
    return key_name(answer.key) if len(answer.key) > 1 else answer.key


def _line(answer: Answer, chosen: bool, signs: int, named: int) -> Content:
    weak = bool(answer.why_not)
    style = "bold reverse" if chosen else (DIM if weak else "" if answer.aside else "bold")
    return Content.assemble(
        ("► " if chosen else "  ", KEY),
        (f"{sign_of(answer):>{signs}}", DIM if weak else KEY),
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
