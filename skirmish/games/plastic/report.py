"""The report of a battle for those who were there and those who were not: who fought and who won,
what happened turn by turn, what it cost. As plain text, or as Markdown.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence

from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.chronicle import (
    by_phase,
    chapters,
    fire_lines,
    loss_rows,
    opening_lines,
    result_line,
    standing_lines,
    turn_rows,
)
from skirmish.games.plastic.summary import summary
from skirmish.tabletop.typed import plain

WIDTH = 79
"""Signs in a line of plain text, where words allow."""


# ------------------------------------------------------------------ plain text


def as_text(play: BattlePlay, date: str) -> str:
    """The report as plain text, lines of at most 79 signs where words allow. ``date`` is when it
    was fought, in words."""
    found = summary(play)
    parts = [_underlined(found.title, "="), _wrapped(f"Fought {date}.")]
    parts.append("\n".join(_wrapped(line) for line in opening_lines(play, found)))
    parts += [_wrapped(line) for line in (result_line(found), *standing_lines(play))]
    for chapter in chapters(play):
        told: list[str] = []
        for phase, says in by_phase(chapter):
            told += [phase] if phase else []
            told += [_wrapped(line, "  - " if phase else "- ", "    ") for line in says]
        parts.append(_part(chapter.heading, told) if told else "")
    parts.append(_part("Losses", _columns(loss_rows(found))))
    parts.append(_part("Losses by turn", _columns(turns)) if (turns := turn_rows(found)) else "")
    fire = [_wrapped(line, "- ", "  ") for line in fire_lines(found)]
    parts.append(_part("Fire", fire) if fire else "")
    text = "\n\n".join(part for part in parts if part)
    return "".join(f"{plain(line)}\n" for line in text.split("\n"))


def _part(heading: str, told: Iterable[str]) -> str:
    return _underlined(heading, "-") + "\n\n" + "\n".join(told)


def _underlined(title: str, sign: str) -> str:
    return f"{title}\n{sign * min(len(title), WIDTH)}"


def _wrapped(text: str, indent: str = "", hanging: str = "") -> str:
    return "\n".join(
        textwrap.wrap(
            text,
            WIDTH,
            initial_indent=indent,
            subsequent_indent=hanging,
            break_long_words=False,
            break_on_hyphens=False,
        )
    )


def _columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A table: numbers flush right, under their heads; words flush left."""
    for row in rows:
        cells = []
        for place, cell in enumerate(row):
            column = [other[place] for other in rows]
            width = max(map(len, column))
            number = column[-1].isdigit()
            cells.append(cell.rjust(width) if number else cell.ljust(width))
        yield "  ".join(cells).rstrip()


# ------------------------------------------------------------------ Markdown


def as_markdown(play: BattlePlay, date: str) -> str:
    """The report as Markdown. Whatever people typed is text in it, never markup."""
    found = summary(play)
    parts = [f"# {_escaped(found.title)}", f"Fought {date}."]
    parts.append(_listed(opening_lines(play, found)))
    parts.append(f"**{_escaped(result_line(found))}**")
    parts += [_escaped(line) for line in standing_lines(play)]
    for chapter in chapters(play):
        told = [
            f"*{phase}*\n\n{_listed(says)}" if phase else _listed(says)
            for phase, says in by_phase(chapter)
        ]
        if told:
            parts.append(f"## {_escaped(chapter.heading)}\n\n" + "\n\n".join(told))
    parts.append("## Losses\n\n" + _table(loss_rows(found), words=2))
    if turns := turn_rows(found):
        parts.append("## Losses by turn\n\n" + _table(turns, words=0))
    if fire := _listed(fire_lines(found)):
        parts.append(f"## Fire\n\n{fire}")
    return "\n\n".join(part for part in parts if part) + "\n"


def _listed(told: Iterable[str]) -> str:
    return "\n".join(f"- {_escaped(line)}" for line in told)


def _table(rows: Sequence[Sequence[str]], words: int) -> str:
    """A table with a head; all but its first ``words`` columns are numbers."""
    head, *body = ([_escaped(cell) for cell in row] for row in rows)
    marks = ["---" if place < words else "---:" for place in range(len(head))]
    return "\n".join(_row(row) for row in (head, marks, *body))


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


_MARKUP = re.compile(r"([\\`*_<\[\]|~]|&(?=[#\w])|^[#>+\-=](?=\s|$|[-=])|^\d+(?=[.)]))")


def _escaped(text: str) -> str:
    """A text that Markdown shows as it is."""

    def mark(found: re.Match[str]) -> str:
        sign = found[0]
        return f"{sign}\\" if sign[0].isdigit() else f"\\{sign}"

    return _MARKUP.sub(mark, plain(text))
