"""The answers to one question: lines to walk through, or buttons in large letters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from skirmish.app.binding import key_name
from skirmish.app.fitting import hanging
from skirmish.app.play.big_letters import high, low, readable

DIM = "$foreground 60%"
KEY = "$accent bold"
LEAST = 36
"""Columns below which answers do not stand beside one another."""
SIGN_EDGES = 6
"""Columns of the mark and the gaps before what is said of an answer."""
SIGN = 15
"""Columns around large letters, for the mark, the key and what is said beside them."""


class Answer(NamedTuple):
    """One line, or a button: its key, its ``words``, what ``says`` more of it. ``why_not`` is why
    it cannot be chosen; ``aside``: it answers something else than what is asked. ``value`` is the
    answer, ``action`` what the screen does instead."""

    words: str
    key: str = ""
    says: str = ""
    value: Any = None
    action: str = ""
    why_not: str = ""
    aside: bool = False


class Letters(NamedTuple):
    """Large letters and how many rows they take."""

    of: Callable[[str], str]
    rows: int


LETTERS = (Letters(high, 5), Letters(low, 3))
"""The largest first."""


class Spot(NamedTuple):
    """Where an answer is: its first row and column, its rows and columns."""

    row: int
    column: int
    rows: int
    columns: int


class AnswerList(Static):
    """Painted anew for each question; the mouse takes the answer it clicks."""

    class Taken(Message):
        """An answer was clicked."""

        def __init__(self, at: int) -> None:
            super().__init__()
            self.at = at

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, markup=False)
        self._spots: list[Spot] = []
        self.per_column = 1
        """How many answers stand below one another."""

    def show(
        self,
        answers: tuple[Answer, ...],
        cursor: int,
        *,
        width: int,
        room: int,
    ) -> None:
        """Paint the answers in at most ``room`` rows: in letters as large as fit; else as lines, in
        more columns where they are many, with an empty row between them where they are few."""
        fits = _letters(answers, width, room)
        if fits is not None:
            lines = self._pictures(answers, cursor, width, fits)
        else:
            lines = self._lines(answers, cursor, width, max(room, 1))
        self.update(Content("\n").join(lines))

    def _pictures(
        self,
        answers: tuple[Answer, ...],
        cursor: int,
        width: int,
        letters: Letters,
    ) -> list[Content]:
        """Each answer in large letters, a bar beside the one that is marked; lines for those that
        answer something else."""
        self.per_column = len(answers)
        self._spots = []
        signs = max(len(sign_of(answer)) for answer in answers)
        named = max((len(answer.words) for answer in answers if answer.aside), default=0)
        lines: list[Content] = []
        for at, answer in enumerate(answers):
            chosen = at == cursor
            shown = f"{sign_of(answer):>{signs}}"
            if answer.aside:
                self._spots.append(Spot(len(lines), 0, 1, width))
                lines.append(_line(answer, chosen, shown, signs, named))
                continue
            self._spots.append(Spot(len(lines), 0, letters.rows, width))
            for nth, row in enumerate(letters.of(answer.words).split("\n")):
                middle = nth == letters.rows // 2
                lines.append(
                    Content.assemble(
                        ("█ " if chosen else "  ", KEY),
                        (shown if middle else " " * signs, KEY),
                        (f"   {row}", KEY if chosen else ""),
                        (f"   {answer.says}" if middle else "", ""),
                    )
                )
            lines.append(Content(""))
        return lines

    def _lines(
        self,
        answers: tuple[Answer, ...],
        cursor: int,
        width: int,
        room: int,
    ) -> list[Content]:
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
        self._spots = [Spot(-1, 0, 0, 0)] * len(answers)
        if columns == 1:
            return self._in_one_column(drawn, cursor, width, room, SIGN_EDGES + signs + named)
        self.per_column = -(-len(answers) // columns)
        wide = width // columns
        grid: list[list[Content]] = [[] for _ in range(self.per_column)]
        for at, line in enumerate(drawn):
            column, row = divmod(at, self.per_column)
            self._spots[at] = Spot(row, column * wide, 1, wide)
            grid[row].append(_filled(line, wide))
        return [Content("").join(cells) for cells in grid]

    def _in_one_column(
        self, drawn: list[Content], cursor: int, width: int, room: int, indent: int
    ) -> list[Content]:
        """Nothing is cut while there is room; where there is not, those around the cursor stand,
        a row each. Few have an empty row between them."""
        entries = [hanging(line, width - 1, indent) for line in drawn]
        first, apart = 0, 0
        if sum(map(len, entries)) > room:
            first = min(max(cursor - room // 2, 0), max(len(drawn) - room, 0))
            entries = [[_filled(line, width)] for line in drawn[first : first + room]]
        elif sum(map(len, entries)) + len(entries) - 1 <= room:
            apart = 1
        self.per_column = len(entries)
        lines: list[Content] = []
        for at, rows in enumerate(entries, first):
            self._spots[at] = Spot(len(lines), 0, len(rows), width)
            lines += [*rows, *[Content("")] * apart]
        return lines

    def on_click(self, event: events.Click) -> None:
        for at, spot in enumerate(self._spots):
            inside = spot.column <= event.x < spot.column + spot.columns
            if inside and spot.row <= event.y < spot.row + spot.rows:
                self.post_message(self.Taken(at))
                return


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
        (f" {answer.says}", DIM if weak else ""),
    )


def _filled(line: Content, width: int) -> Content:
    cut = line.truncate(width - 1, ellipsis=True)
    return cut.pad_right(max(width - cut.cell_length, 0))


def _letters(answers: tuple[Answer, ...], width: int, room: int) -> Letters | None:
    """The largest letters in which all answers fit; None if none do."""
    main = [answer for answer in answers if not answer.aside]
    if not main or not all(readable(answer.words) for answer in main):
        return None
    says = max(len(answer.says) for answer in main)
    for letters in LETTERS:
        longest = max(len(row) for answer in main for row in letters.of(answer.words).split("\n"))
        rows = (letters.rows + 1) * len(main) + len(answers) - len(main)
        if rows <= room and longest + says + SIGN <= width:
            return letters
    return None
