"""The answers to one question: lines to walk through, or buttons in large letters."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from skirmish.app.battle.big_letters import high, low, readable
from skirmish.app.questions.answers import Answer

DIM = "$foreground 60%"
KEY = "$accent bold"
LEAST = 36
"""Columns below which answers do not stand beside one another."""
SIGN = 15
"""Columns around large letters, for the mark, the key and what is said beside them."""


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
        sign: Callable[[Answer], str],
        *,
        width: int,
        room: int,
    ) -> None:
        """Paint the answers in at most ``room`` rows: in letters as large as fit; else as lines, in
        more columns where they are many, with an empty row between them where they are few."""
        fits = _letters(answers, width, room)
        if fits is not None:
            lines = self._pictures(answers, cursor, sign, width, fits)
        else:
            lines = self._lines(answers, cursor, sign, width, max(room, 1))
        self.update(Content("\n").join(lines))

    def _pictures(
        self,
        answers: tuple[Answer, ...],
        cursor: int,
        sign: Callable[[Answer], str],
        width: int,
        letters: Letters,
    ) -> list[Content]:
        """Each answer in large letters, a bar beside the one that is marked; lines for those that
        answer something else."""
        self.per_column = len(answers)
        self._spots = []
        signs = max(len(sign(answer)) for answer in answers)
        named = max((len(answer.words) for answer in answers if answer.aside), default=0)
        lines: list[Content] = []
        for at, answer in enumerate(answers):
            chosen = at == cursor
            shown = f"{sign(answer):>{signs}}"
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
                        (f"   {row}", KEY if chosen else DIM if answer.doubtful else ""),
                        (f"   {answer.says}" if middle else "", ""),
                    )
                )
            lines.append(Content(""))
        return lines

    def _lines(
        self,
        answers: tuple[Answer, ...],
        cursor: int,
        sign: Callable[[Answer], str],
        width: int,
        room: int,
    ) -> list[Content]:
        columns = 1
        while columns * room < len(answers) and width // (columns + 1) >= LEAST:
            columns += 1
        per_column = -(-len(answers) // columns)
        first = 0
        if per_column > room:  # too many for any screen: those around the cursor
            per_column = room
            first = min(max(cursor - room // 2, 0), len(answers) - room)
            columns = 1
        apart = 2 if per_column * 2 - 1 <= room and columns == 1 else 1
        shown = answers[first : first + per_column * columns]
        self.per_column = per_column
        wide = width // columns
        signs = max((len(sign(answer)) for answer in shown), default=1)
        named = max((len(answer.words) for answer in shown), default=1)
        self._spots = [Spot(-1, 0, 0, 0)] * len(answers)
        grid: list[list[Content]] = [[] for _ in range(per_column)]
        for place, answer in enumerate(shown):
            column, row = divmod(place, per_column)
            at = first + place
            self._spots[at] = Spot(row * apart, column * wide, 1, wide)
            one = _line(answer, at == cursor, sign(answer), signs, named)
            grid[row].append(_filled(one, wide))
        lines: list[Content] = []
        for cells in grid:
            lines.append(Content("").join(cells))
            if apart == 2:
                lines.append(Content(""))
        return lines

    def on_click(self, event: events.Click) -> None:
        """Take the answer under the mouse."""
        for at, spot in enumerate(self._spots):
            inside = spot.column <= event.x < spot.column + spot.columns
            if inside and spot.row <= event.y < spot.row + spot.rows:
                self.post_message(self.Taken(at))
                return


def _line(answer: Answer, chosen: bool, sign: str, signs: int, named: int) -> Content:
    weak = answer.doubtful or bool(answer.why_not)
    style = "bold reverse" if chosen else (DIM if weak else "" if answer.aside else "bold")
    return Content.assemble(
        ("► " if chosen else "  ", KEY),
        (f"{sign:>{signs}}", DIM if answer.why_not else KEY),
        "  ",
        (f" {answer.words:<{named}} ", style),
        (f" {answer.says}", DIM if weak else ""),
    )


def _filled(line: Content, width: int) -> Content:
    """A line of exactly so many columns."""
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
