"""A screen's picture, smaller and sharper: what Textual exports, painted anew.

The export holds every block sign as a letter, which tears between lines and weighs much. Here
blocks and grounds become one path for each colour, and only words stay text, each run of them held
to its columns whatever typeface the reader has.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from html import escape, unescape
from typing import NamedTuple

WIDE, HIGH = 10, 20
"""Pixels of a column and of a line."""
MARGIN = 12
BASELINE = 15
LETTERS = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
THEIR_WIDE, THEIR_HIGH = 12.2, 24.4
"""Pixels of a column and of a line in what Textual exports."""

STYLE = re.compile(r"-(r\d+) \{ fill: (#[0-9a-f]{6})(;font-weight: bold)?")
GROUND = re.compile(
    r'<rect fill="(#[0-9a-f]{6})" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="[\d.]+" shape'
)
WORDS = re.compile(
    r'<text class="[^"]*-(r\d+)" x="([\d.]+)"[^>]*?line-(\d+)\)">(.*?)</text>', re.DOTALL
)
RUN = re.compile(r"\S+(?: \S+)*")

EIGHTHS = {
    "█": (0, 0, 8, 8), "▀": (0, 0, 8, 4), "▄": (0, 4, 8, 8), "▌": (0, 0, 4, 8), "▐": (4, 0, 8, 8),
    "▉": (0, 0, 7, 8), "▊": (0, 0, 6, 8), "▋": (0, 0, 5, 8), "▍": (0, 0, 3, 8), "▎": (0, 0, 2, 8),
    "▏": (0, 0, 1, 8), "▁": (0, 7, 8, 8), "▂": (0, 6, 8, 8), "▃": (0, 5, 8, 8), "▅": (0, 3, 8, 8),
    "▆": (0, 2, 8, 8), "▇": (0, 1, 8, 8), "▔": (0, 0, 8, 1), "━": (0, 3.4, 8, 4.6),
    "─": (0, 3.7, 8, 4.3), "│": (3.6, 0, 4.4, 8),
}  # fmt: skip
"""What a block sign covers of its place, in eighths: from left and top to right and bottom."""

Place = tuple[int, int]
"""A line and a column of the terminal, from 0."""


class Box(NamedTuple):
    """Pixels from the upper left corner of the terminal."""

    left: float
    top: float
    right: float
    bottom: float


class Letter(NamedTuple):
    """A sign in its place."""

    sign: str
    colour: str
    bold: bool

    def looks_like(self, letter: Letter) -> bool:
        return (self.colour, self.bold) == (letter.colour, letter.bold)


def redrawn(exported: str, columns: int, lines: int) -> str:
    """``exported`` by ``App.export_screenshot`` from a screen of that size, as our SVG."""
    grounds = _grounds(exported)
    letters = _letters(exported)
    page = grounds[0, 0]  # the colour that most of the screen has
    width, height = columns * WIDE + 2 * MARGIN, lines * HIGH + 2 * MARGIN
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">',
            f"<style>text {{ font: 16px {LETTERS} }} .b {{ font-weight: bold }}</style>",
            f'<rect width="{width}" height="{height}" rx="8" fill="{page}"/>',
            f'<g transform="translate({MARGIN} {MARGIN})">',
            *_paths(_ground_boxes(grounds, page)),
            *_paths(_block_boxes(letters)),
            *_texts(letters, lines, columns),
            "</g>",
            "</svg>",
            "",
        ]
    )


def _grounds(exported: str) -> dict[Place, str]:
    """The colour behind each place."""
    grounds: dict[Place, str] = {}
    for colour, x, y, width in GROUND.findall(exported):
        line, first = int(float(y) / THEIR_HIGH), round(float(x) / THEIR_WIDE)
        for column in range(first, first + round(float(width) / THEIR_WIDE)):
            grounds[line, column] = colour
    return grounds


def _letters(exported: str) -> dict[Place, Letter]:
    styles = {name: (colour, bool(bold)) for name, colour, bold in STYLE.findall(exported)}
    letters: dict[Place, Letter] = {}
    for style, x, line, words in WORDS.findall(exported):
        colour, bold = styles[style]
        first = round(float(x) / THEIR_WIDE)
        for column, sign in enumerate(unescape(words), first):
            letters[int(line), column] = Letter(sign, colour, bold)
    return letters


def _ground_boxes(grounds: dict[Place, str], page: str) -> dict[str, list[Box]]:
    """Boxes by their colour; what has that of the page needs none."""
    boxes: dict[str, list[Box]] = defaultdict(list)
    # From left to right, so that each box can be joined to the one before it.
    for (line, column), colour in sorted(grounds.items()):
        if colour != page:
            left, top = column * WIDE, line * HIGH
            _add(boxes[colour], Box(left, top, left + WIDE, top + HIGH))
    return boxes


def _block_boxes(letters: dict[Place, Letter]) -> dict[str, list[Box]]:
    """The parts of their places that block signs cover, by colour."""
    boxes: dict[str, list[Box]] = defaultdict(list)
    for (line, column), letter in sorted(letters.items()):
        if letter.sign not in EIGHTHS:
            continue
        left, top, right, bottom = EIGHTHS[letter.sign]
        x, y = column * WIDE, line * HIGH
        box = Box(
            x + left * WIDE / 8, y + top * HIGH / 8, x + right * WIDE / 8, y + bottom * HIGH / 8
        )
        _add(boxes[letter.colour], box)
    return boxes


def _add(boxes: list[Box], box: Box) -> None:
    """The box, joined to the one on its left if they make one."""
    if boxes:
        before = boxes[-1]
        is_as_high = (before.top, before.bottom) == (box.top, box.bottom)
        if is_as_high and before.right == box.left:
            box = box._replace(left=before.left)
            boxes.pop()
    boxes.append(box)


def _paths(boxes_by_colour: dict[str, list[Box]]) -> list[str]:
    """One path for each colour, boxes that stand on one another joined."""
    paths = []
    for colour, boxes in boxes_by_colour.items():
        joined: list[Box] = []
        for box in sorted(boxes, key=_column_then_line):
            if joined and _stands_below(box, joined[-1]):
                joined[-1] = joined[-1]._replace(bottom=box.bottom)
            else:
                joined.append(box)
        drawn = ""
        for left, top, right, bottom in joined:
            drawn += f"M{left:g} {top:g}h{right - left:g}v{bottom - top:g}h{left - right:g}z"
        paths.append(f'<path fill="{colour}" shape-rendering="crispEdges" d="{drawn}"/>')
    return paths


def _column_then_line(box: Box) -> tuple[float, float, float]:
    """The order in which boxes that can be joined follow one another."""
    return box.left, box.right, box.top


def _stands_below(box: Box, before: Box) -> bool:
    is_as_wide = (box.left, box.right) == (before.left, before.right)
    return is_as_wide and box.top == before.bottom


def _texts(letters: dict[Place, Letter], lines: int, columns: int) -> list[str]:
    """Each run of words in one style."""
    texts: list[str] = []
    for line in range(lines):
        column = 0
        while column < columns:
            stretch = _alike_from(letters, line, column)
            if stretch:
                texts += _words(stretch, line, column)
                column += len(stretch)
            else:
                column += 1
    return texts


def _alike_from(letters: dict[Place, Letter], line: int, column: int) -> list[Letter]:
    """The letters from a column on that have the look of the first; none where there is nothing."""
    stretch: list[Letter] = []
    letter = letters.get((line, column))
    while letter and (not stretch or letter.looks_like(stretch[0])):
        stretch.append(letter)
        column += 1
        letter = letters.get((line, column))
    return stretch


def _words(stretch: list[Letter], line: int, first: int) -> Iterator[str]:
    """The runs of words in a stretch that begins in column ``first``; block signs are drawn
    already."""
    # Two spaces or more part runs: each begins in its own column, whatever typeface the reader has.
    text = ""
    for letter in stretch:
        if letter.sign in EIGHTHS or letter.sign.isspace():
            text += " "
        else:
            text += letter.sign
    bold = ""
    if stretch[0].bold:
        bold = ' class="b"'
    for run in RUN.finditer(text):
        x, y = (first + run.start()) * WIDE, line * HIGH + BASELINE
        width = len(run.group()) * WIDE
        yield (
            f'<text{bold} fill="{stretch[0].colour}" x="{x}" y="{y}"'
            f' textLength="{width}" lengthAdjust="spacingAndGlyphs">'
            f"{escape(run.group(), quote=False)}</text>"
        )
