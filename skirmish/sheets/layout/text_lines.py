"""Single lines of text: drawn, measured, and made to fit a width.

``track`` is the space in points that is added between letters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from skirmish.sheets.layout import fonts
from skirmish.sheets.layout.drawing import Canvas
from skirmish.sheets.layout.styles import Style

_SHARE_BEFORE = {"left": 0, "centre": 0.5, "right": 1}
"""The share of a line that is left of its place, by the alignment of its style."""
_SHRINK_STEP = 0.2
"""Points by which type becomes smaller until it fits."""


def write(
    canvas: Canvas,
    x: float,
    y: float,
    text: str,
    style: Style,
    *,
    track: float = 0,
) -> None:
    """Draws a line at the baseline ``y``; ``x`` is its left, middle or right by the style's
    alignment."""
    left = x - line_width(text, style, track) * _SHARE_BEFORE[style.align]
    # Otherwise the space between letters would hold for all text that is drawn later.
    canvas.saveState()
    line = canvas.beginText(left, y)
    line.setFillColor(style.ink)
    line.setCharSpace(track)
    for face, part in fonts.runs(text, style.face):
        line.setFont(face, style.size)
        line.textOut(part)
    canvas.drawText(line)
    canvas.restoreState()


class PlacedLine(NamedTuple):
    """A line of text with its place: ``y`` is its baseline, ``x`` its left, middle or right by the
    alignment of its style."""

    x: float
    y: float
    text: str
    style: Style


def write_all(canvas: Canvas, lines: Iterable[PlacedLine]) -> None:
    """Draws many lines as one text, which is faster and makes the file smaller."""
    canvas.saveState()
    words = canvas.beginText()
    ink_in_use = None
    for x, y, text, style in lines:
        if style.ink != ink_in_use:
            words.setFillColor(style.ink)
            ink_in_use = style.ink
        left = x
        # Most lines are at the left, and their width need not be measured.
        if style.align != "left":
            left -= line_width(text, style) * _SHARE_BEFORE[style.align]
        words.setTextOrigin(left, y)
        for face, part in fonts.runs(text, style.face):
            words.setFont(face, style.size)
            words.textOut(part)
    canvas.drawText(words)
    canvas.restoreState()


def line_width(text: str, style: Style, track: float = 0) -> float:
    """The width of ``text`` on one line, in points."""
    spaces_between_letters = max(0, len(fonts.clean(text)) - 1)
    return fonts.width(text, style.face, style.size) + track * spaces_between_letters


def fitted(text: str, style: Style, room: float, track: float = 0) -> str:
    """``text``, cut off with an ellipsis where it is wider than ``room`` points."""
    if line_width(text, style, track) <= room:
        return text
    beginning = fonts.clean(text)
    while beginning and line_width(f"{beginning}…", style, track) > room:
        beginning = beginning[:-1].rstrip()
    return f"{beginning}…"


def wrapped(text: str, style: Style, room: float) -> list[str]:
    """``text`` in lines no wider than ``room``; a word that is wider stands alone on its line."""
    lines: list[str] = []
    for word in text.split():
        if not lines:
            lines.append(word)
            continue
        longer_line = f"{lines[-1]} {word}"
        if line_width(longer_line, style) <= room:
            lines[-1] = longer_line
        else:
            lines.append(word)
    return lines


def in_largest_size(text: str, style: Style, room: float, sizes: Sequence[float]) -> Style:
    """``style`` in the first of ``sizes``, from the largest, in which ``text`` fits on one line;
    else in the last of them."""
    for size in sizes:
        resized = style._replace(size=size, leading=size * style.leading / style.size)
        if line_width(text, resized) <= room:
            return resized
    return resized


def shrunk_to_fit(text: str, style: Style, room: float, least: float) -> Style:
    """``style`` in a size in which ``text`` fits on one line, smaller by steps where need be. At
    about ``least`` points it becomes no smaller, even if the text is still too wide."""
    while line_width(text, style) > room and style.size > least:
        style = style._replace(size=style.size - _SHRINK_STEP)
    return style
