"""What the program would do, in so many columns: each choice with what it costs beside the best."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from skirmish.app.fitting import hanging
from skirmish.tabletop.typed import plain

if TYPE_CHECKING:
    from skirmish.games.beach_head.advice import Advice, Option

KEY, DIM, STRONG = "$accent bold", "$foreground 65%", "bold"
NUMBERS = 7
"""Columns of the mark and the number before a choice."""


def advice_told(advice: Advice, width: int) -> list[Content]:
    """The lines: what is advised and why come first, for a low screen shows no more than fits."""
    lines = [Content.styled("WHAT WOULD YOU DO?", STRONG)]
    if advice.is_open:
        lines += _row(advice.best, "▶", KEY, width)
    else:
        lines += _words(plain(advice.best.words), "", width)
    lines += _words(advice.reason, "", width)
    if others := advice.options[1:]:
        lines += _words("The others, with the squads they cost more:", DIM, width)
        lines += [row for one in others for row in _row(one, _number(one), "", width)]
    return [*lines, *_words(advice.note or "Playing it out ...", DIM, width)]


def _number(option: Option) -> str:
    """``+1.2``; ``same`` where the games do not tell the two apart."""
    if option.more is None:
        return ""
    return f"{option.more:+.1f}" if option.differs else "same"


def _row(option: Option, mark: str, style: str, width: int) -> list[Content]:
    line = Content.assemble((f"{mark:>{NUMBERS - 2}}  ", STRONG), (plain(option.words), style))
    return hanging(line, max(width, NUMBERS + 8), NUMBERS)


def _words(text: str, style: str, width: int) -> list[Content]:
    return list(Content.styled(text, style).wrap(max(width, 1))) if text else []
