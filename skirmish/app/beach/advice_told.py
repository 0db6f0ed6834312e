"""What the program would do, in so many columns: each choice with what it should cost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from textual.content import Content

from skirmish.app.fitting import hanging
from skirmish.tabletop.typed import plain

if TYPE_CHECKING:
    from skirmish.games.beach_head.advice import Advice, Option

KEY, DIM, STRONG = "$accent bold", "$foreground 65%", "bold"
NUMBERS = 17
"""Columns of the mark and the numbers before a choice."""


def advice_told(advice: Advice, width: int) -> list[Content]:
    """The lines: what is advised and why come first, for a low screen shows no more than fits."""
    lines = [Content.styled("WHAT WOULD YOU DO?", STRONG)]
    why = _words(advice.reason, "", width)
    if advice.is_open:
        lines.append(Content.styled(f"  {'lost':>10}  turn", DIM))
        best, *others = (_rows(one, width) for one in _choices(advice))
        lines += [*best, *why, *(row for rows in others for row in rows)]
    else:
        lines += why
    if not advice.is_open:
        lines += _words(plain(advice.best.words), "", width)
        lines += _words(_outlook(advice.best), "", width)
    if not advice.games:
        lines += _words("Playing it out ...", DIM, width)
    return [*lines, *_words(advice.note, DIM, width)]


def _choices(advice: Advice) -> Iterator[Content]:
    for option in advice.options:
        mine = option is advice.best
        numbers = Content.styled(_numbers(option), STRONG if mine else "")
        mark = Content.styled("▶ " if mine else "  ", KEY)
        said = Content.styled(plain(option.words), KEY if mine else "")
        yield Content.assemble(mark, numbers, "  ", said)


def _outlook(option: Option) -> str:
    """What is to be expected where nothing is chosen."""
    if option.casualties is None or option.error is None or option.turns is None:
        return ""
    return (
        f"As it stands {option.casualties:.1f}±{option.error:.1f} squads will be lost by the end, "
        f"in turn {option.turns:.1f}."
    )


def _numbers(option: Option) -> str:
    """``61.2 ±0.1 11.9``, or as many blanks."""
    if option.casualties is None or option.error is None or option.turns is None:
        return " " * (NUMBERS - 4)
    return f"{option.casualties:>4.1f}±{option.error:<3.1f} {option.turns:>4.1f}"


def _rows(line: Content, width: int) -> list[Content]:
    return hanging(line, max(width, NUMBERS + 8), NUMBERS)


def _words(text: str, style: str, width: int) -> list[Content]:
    return list(Content.styled(text, style).wrap(max(width, 1))) if text else []
