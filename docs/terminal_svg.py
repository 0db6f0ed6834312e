"""A screen's picture, smaller and sharper: what Textual exports, painted anew.

The export holds every block sign as a letter, which tears between lines and weighs much. Here
blocks and grounds become one path for each colour, and only words stay text, each run of them held
to its columns whatever typeface the reader has.
"""

from __future__ import annotations

import re
from collections import defaultdict
from html import escape, unescape
from typing import NamedTuple

WIDE, HIGH = 10, 20
"""Pixels of a column and of a line."""
MARGIN = 12
BASELINE = 15
LETTERS = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
THEIR_WIDE, THEIR_HIGH = 12.2, 24.4

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

Box = tuple[float, float, float, float]


class Letter(NamedTuple):
    """A sign in its place."""

    sign: str
    colour: str
    bold: bool


def redrawn(exported: str, columns: int, lines: int) -> str:
    """``exported`` by ``App.export_screenshot`` from a screen of that size, as our SVG."""
    styles = {name: (colour, bool(bold)) for name, colour, bold in STYLE.findall(exported)}
    grounds: dict[tuple[int, int], str] = {}
    for colour, x, y, width in GROUND.findall(exported):
        line, first = int(float(y) / THEIR_HIGH), round(float(x) / THEIR_WIDE)
        for column in range(first, first + round(float(width) / THEIR_WIDE)):
            grounds[line, column] = colour
    letters: dict[tuple[int, int], Letter] = {}
    for style, x, line, words in WORDS.findall(exported):
        first = round(float(x) / THEIR_WIDE)
        for column, sign in enumerate(unescape(words), first):
            letters[int(line), column] = Letter(sign, *styles[style])
    page = grounds[0, 0]
    boxes: dict[str, list[Box]] = defaultdict(list)
    for (line, column), colour in sorted(grounds.items()):
        if colour != page:
            _add(
                boxes[colour], (column * WIDE, line * HIGH, (column + 1) * WIDE, (line + 1) * HIGH)
            )
    over: dict[str, list[Box]] = defaultdict(list)
    for (line, column), letter in sorted(letters.items()):
        if letter.sign in EIGHTHS:
            left, top, right, bottom = EIGHTHS[letter.sign]
            x, y = column * WIDE, line * HIGH
            box = (left * WIDE / 8, top * HIGH / 8, right * WIDE / 8, bottom * HIGH / 8)
            _add(over[letter.colour], (x + box[0], y + box[1], x + box[2], y + box[3]))
    width, height = columns * WIDE + 2 * MARGIN, lines * HIGH + 2 * MARGIN
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">',
        f"<style>text {{ font: 16px {LETTERS} }} .b {{ font-weight: bold }}</style>",
        f'<rect width="{width}" height="{height}" rx="8" fill="{page}"/>',
        f'<g transform="translate({MARGIN} {MARGIN})">',
        *_paths(boxes),
        *_paths(over),
        *_texts(letters, lines, columns),
        "</g>",
        "</svg>",
        "",
    ])  # fmt: skip


def _add(boxes: list[Box], box: Box) -> None:
    """The box, joined to the one on its left if they make one."""
    if boxes and boxes[-1][1::2] == box[1::2] and boxes[-1][2] == box[0]:
        box = (boxes.pop()[0], *box[1:])
    boxes.append(box)


def _paths(boxes: dict[str, list[Box]]) -> list[str]:
    """One path for each colour, boxes that stand on one another joined."""
    paths = []
    for colour, some in boxes.items():
        joined: list[Box] = []
        for box in sorted(some, key=lambda box: (box[0], box[2], box[1])):
            left, top, right, bottom = box
            if joined and joined[-1][0::2] == (left, right) and joined[-1][3] == top:
                joined[-1] = (left, joined[-1][1], right, bottom)
            else:
                joined.append(box)
        drawn = "".join(
            f"M{left:g} {top:g}h{right - left:g}v{bottom - top:g}h{left - right:g}z"
            for left, top, right, bottom in joined
        )
        paths.append(f'<path fill="{colour}" shape-rendering="crispEdges" d="{drawn}"/>')
    return paths


def _texts(letters: dict[tuple[int, int], Letter], lines: int, columns: int) -> list[str]:
    """Each run of words in one style."""
    texts = []
    for line in range(lines):
        column = 0
        while column < columns:
            first = letters.get((line, column))
            start, words = column, ""
            while first and (letter := letters.get((line, column))) and letter[1:] == first[1:]:
                words += " " if letter.sign in EIGHTHS or letter.sign.isspace() else letter.sign
                column += 1
            if not first:
                column += 1
                continue
            for run in RUN.finditer(words):
                x = (start + run.start()) * WIDE
                bold = ' class="b"' if first.bold else ""
                texts.append(
                    f'<text{bold} fill="{first.colour}" x="{x}" y="{line * HIGH + BASELINE}"'
                    f' textLength="{len(run.group()) * WIDE}" lengthAdjust="spacingAndGlyphs">'
                    f"{escape(run.group(), quote=False)}</text>"
                )
    return texts
