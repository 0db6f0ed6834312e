"""A screen's picture, smaller and sharper: what Textual exports, painted anew as SVG or PNG.

The export holds every block sign as a letter, which tears between lines and weighs much, and asks a
server for its typeface. Here blocks and grounds become one path for each colour, and only words
stay text, each run of them held to its columns whatever typeface the reader has. A PNG is drawn by
Pillow, which comes with the PDF library, in a typeface of the system.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from html import escape, unescape
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

WIDE, HIGH = 10, 20
"""Pixels of a column and of a line."""
MARGIN = 12
"""Pixels around the screen."""
BASELINE = 15
"""Pixels from the top of a line down to where its letters stand."""
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

Part = tuple[float, float, float, float]
"""Of a place, in eighths: from left and top to right and bottom."""
_ACROSS: Part = (0, 3.7, 8, 4.3)
_DOWN: Part = (3.6, 0, 4.4, 8)
_LEFT: Part = (0, 3.7, 4.4, 4.3)
_RIGHT: Part = (3.6, 3.7, 8, 4.3)
_UPPER: Part = (3.6, 0, 4.4, 4.3)
_LOWER: Part = (3.6, 3.7, 4.4, 8)
BLOCKS: dict[str, tuple[Part, ...]] = {
    "█": ((0, 0, 8, 8),), "▀": ((0, 0, 8, 4),), "▄": ((0, 4, 8, 8),),
    "▌": ((0, 0, 4, 8),), "▐": ((4, 0, 8, 8),),
    "▉": ((0, 0, 7, 8),), "▊": ((0, 0, 6, 8),), "▋": ((0, 0, 5, 8),), "▍": ((0, 0, 3, 8),),
    "▎": ((0, 0, 2, 8),), "▏": ((0, 0, 1, 8),), "▕": ((7, 0, 8, 8),),
    "▁": ((0, 7, 8, 8),), "▂": ((0, 6, 8, 8),), "▃": ((0, 5, 8, 8),), "▅": ((0, 3, 8, 8),),
    "▆": ((0, 2, 8, 8),), "▇": ((0, 1, 8, 8),), "▔": ((0, 0, 8, 1),), "━": ((0, 3.4, 8, 4.6),),
    "─": (_ACROSS,), "│": (_DOWN,),
    "┌": (_RIGHT, _LOWER), "╭": (_RIGHT, _LOWER), "┐": (_LEFT, _LOWER), "╮": (_LEFT, _LOWER),
    "└": (_RIGHT, _UPPER), "╰": (_RIGHT, _UPPER), "┘": (_LEFT, _UPPER), "╯": (_LEFT, _UPPER),
    "├": (_DOWN, _RIGHT), "┤": (_DOWN, _LEFT), "┬": (_ACROSS, _LOWER), "┴": (_ACROSS, _UPPER),
    "┼": (_ACROSS, _DOWN),
}  # fmt: skip
"""What a block sign or a line covers of its place."""
GROUND_OF_A_TERMINAL = "#292929"
"""Where a screen has none of its own, as in what Textual exports."""
SCALE = 2
"""Pixels of a PNG for each of the SVG."""
MONOSPACED = (
    ("DejaVuSansMono.ttf", "DejaVuSansMono-Bold.ttf"),
    ("LiberationMono-Regular.ttf", "LiberationMono-Bold.ttf"),
    ("Menlo.ttc", "Menlo.ttc"),
    ("consola.ttf", "consolab.ttf"),
    ("cour.ttf", "courbd.ttf"),
)
"""Files of typefaces, plain and bold, of which each system has one."""
OUR_FONTS = Path(__file__).parents[1] / "sheets" / "fonts"
OURS = (
    OUR_FONTS / "BarlowCondensed_500Medium.ttf",
    OUR_FONTS / "BarlowCondensed_700Bold.ttf",
)
"""Where a system has none: the narrow face of our sheets, of which each letter fits its column."""
SIGNS = OUR_FONTS / "SourceSans3_400Regular.ttf"
"""The face of our sheets with the most signs, for those that another lacks."""
NO_SIGN = "\uffff"
"""What no typeface has: it is drawn as whatever is missing in it."""

Place = tuple[int, int]
"""A line and a column of the terminal, from 0."""


class PixelBox(NamedTuple):
    """Pixels from the upper left corner of the terminal."""

    left: float
    top: float
    right: float
    bottom: float


class TerminalSign(NamedTuple):
    """A sign in its place."""

    sign: str
    colour: str
    bold: bool

    def looks_like(self, letter: TerminalSign) -> bool:
        return (self.colour, self.bold) == (letter.colour, letter.bold)


class TerminalPicture(NamedTuple):
    """What a terminal shows: the colour behind each place, and the sign in it."""

    columns: int
    lines: int
    grounds: dict[Place, str]
    letters: dict[Place, TerminalSign]

    @property
    def page(self) -> str:
        """The colour that most of the screen has."""
        return self.grounds.get((0, 0), GROUND_OF_A_TERMINAL)

    @property
    def size(self) -> tuple[int, int]:
        return self.columns * WIDE + 2 * MARGIN, self.lines * HIGH + 2 * MARGIN


def read_picture(exported: str, columns: int, lines: int) -> TerminalPicture:
    """What ``App.export_screenshot`` exported from a screen of that size."""
    return TerminalPicture(columns, lines, _grounds(exported), _letters(exported))


def redrawn(exported: str, columns: int, lines: int) -> str:
    """``exported`` by ``App.export_screenshot`` from a screen of that size, as our SVG."""
    return as_svg(read_picture(exported, columns, lines))


# ------------------------------------------------------------------ SVG


def as_svg(picture: TerminalPicture) -> str:
    width, height = picture.size
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">',
            f"<style>text {{ font: 16px {LETTERS} }} .b {{ font-weight: bold }}</style>",
            f'<rect width="{width}" height="{height}" rx="8" fill="{picture.page}"/>',
            f'<g transform="translate({MARGIN} {MARGIN})">',
            *_paths(_ground_boxes(picture.grounds, picture.page)),
            *_paths(_block_boxes(picture.letters)),
            *_texts(picture.letters, picture.lines, picture.columns),
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


def _letters(exported: str) -> dict[Place, TerminalSign]:
    styles = {name: (colour, bool(bold)) for name, colour, bold in STYLE.findall(exported)}
    letters: dict[Place, TerminalSign] = {}
    for style, x, line, words in WORDS.findall(exported):
        colour, bold = styles[style]
        first = round(float(x) / THEIR_WIDE)
        for column, sign in enumerate(unescape(words), first):
            letters[int(line), column] = TerminalSign(sign, colour, bold)
    return letters


def _ground_boxes(grounds: dict[Place, str], page: str) -> dict[str, list[PixelBox]]:
    """Boxes by their colour; what has that of the page needs none."""
    boxes: dict[str, list[PixelBox]] = defaultdict(list)
    # From left to right, so that each box can be joined to the one before it.
    for (line, column), colour in sorted(grounds.items()):
        if colour != page:
            left, top = column * WIDE, line * HIGH
            _add(boxes[colour], PixelBox(left, top, left + WIDE, top + HIGH))
    return boxes


def _block_boxes(letters: dict[Place, TerminalSign]) -> dict[str, list[PixelBox]]:
    """The parts of their places that block signs cover, by colour."""
    boxes: dict[str, list[PixelBox]] = defaultdict(list)
    for (line, column), letter in sorted(letters.items()):
        x, y = column * WIDE, line * HIGH
        for left, top, right, bottom in BLOCKS.get(letter.sign, ()):
            box = PixelBox(
                x + left * WIDE / 8, y + top * HIGH / 8, x + right * WIDE / 8, y + bottom * HIGH / 8
            )
            _add(boxes[letter.colour], box)
    return boxes


def _add(boxes: list[PixelBox], box: PixelBox) -> None:
    """The box, joined to the one on its left if they make one."""
    if boxes:
        before = boxes[-1]
        is_as_high = (before.top, before.bottom) == (box.top, box.bottom)
        if is_as_high and before.right == box.left:
            box = box._replace(left=before.left)
            boxes.pop()
    boxes.append(box)


def _paths(boxes_by_colour: dict[str, list[PixelBox]]) -> list[str]:
    """One path for each colour, boxes that stand on one another joined."""
    paths = []
    for colour, boxes in boxes_by_colour.items():
        joined: list[PixelBox] = []
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


def _column_then_line(box: PixelBox) -> tuple[float, float, float]:
    """The order in which boxes that can be joined follow one another."""
    return box.left, box.right, box.top


def _stands_below(box: PixelBox, before: PixelBox) -> bool:
    is_as_wide = (box.left, box.right) == (before.left, before.right)
    return is_as_wide and box.top == before.bottom


def _texts(letters: dict[Place, TerminalSign], lines: int, columns: int) -> list[str]:
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


def _alike_from(letters: dict[Place, TerminalSign], line: int, column: int) -> list[TerminalSign]:
    """The letters from a column on that have the look of the first; none where there is nothing."""
    stretch: list[TerminalSign] = []
    letter = letters.get((line, column))
    while letter and (not stretch or letter.looks_like(stretch[0])):
        stretch.append(letter)
        column += 1
        letter = letters.get((line, column))
    return stretch


def _words(stretch: list[TerminalSign], line: int, first: int) -> Iterator[str]:
    """The runs of words in a stretch that begins in column ``first``; block signs are drawn
    already."""
    # Two spaces or more part runs: each begins in its own column, whatever typeface the reader has.
    text = ""
    for letter in stretch:
        if letter.sign in BLOCKS or letter.sign.isspace():
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


# ------------------------------------------------------------------ PNG


def as_png(picture: TerminalPicture) -> bytes:
    from PIL import Image, ImageDraw

    width, height = picture.size
    image = Image.new("RGB", (width * SCALE, height * SCALE), picture.page)
    draw = ImageDraw.Draw(image)
    every_box = (_ground_boxes(picture.grounds, picture.page), _block_boxes(picture.letters))
    for boxes_by_colour in every_box:
        for colour, boxes in boxes_by_colour.items():
            for box in boxes:
                draw.rectangle(_pixels(box), fill=colour)
    plain_face, bold_face = Typeface(bold=False), Typeface(bold=True)
    for (line, column), letter in picture.letters.items():
        if letter.sign in BLOCKS or letter.sign.isspace():
            continue
        x = MARGIN + (column + 0.5) * WIDE
        y = MARGIN + line * HIGH + BASELINE
        typeface = bold_face if letter.bold else plain_face
        face = typeface.of(letter.sign)
        middle_of_baseline = "ms"
        place = (x * SCALE, y * SCALE)
        draw.text(place, letter.sign, fill=letter.colour, font=face, anchor=middle_of_baseline)
    png = BytesIO()
    image.save(png, "PNG", optimize=True)
    return png.getvalue()


def _pixels(box: PixelBox) -> tuple[int, int, int, int]:
    """The pixels of a box, the last ones included, as Pillow wants it; at least one each way."""
    left, top, right, bottom = (round((edge + MARGIN) * SCALE) for edge in box)
    return left, top, max(right - 1, left), max(bottom - 1, top)


class Typeface:
    """The letters of a PNG: those of the system's typeface, or of ours, and of another of ours what
    it lacks."""

    def __init__(self, *, bold: bool) -> None:
        self._faces = [_face(bold=bold), _sized(str(SIGNS))]
        self._of: dict[str, FreeTypeFont] = {}

    def of(self, sign: str) -> FreeTypeFont:
        """The face with which a sign is drawn: the first that has it."""
        if sign not in self._of:
            first_face = self._faces[0]  # which draws its own stand-in where none has the sign
            for face in reversed(self._faces):
                if _has(face, sign):
                    first_face = face
            self._of[sign] = first_face
        return self._of[sign]


def _face(*, bold: bool) -> FreeTypeFont:
    for plain_file, bold_file in (*MONOSPACED, OURS):
        with suppress(OSError):  # this system has another
            return _sized(str(bold_file if bold else plain_file))
    return _sized(str(SIGNS))


def _sized(file: str) -> FreeTypeFont:
    """A face in the largest size whose letters fit a column and a line. Raises OSError."""
    from PIL import ImageFont

    size = HIGH * SCALE
    face = ImageFont.truetype(file, size)
    while face.getlength("m") > WIDE * SCALE and size > HIGH:
        size -= 1
        face = ImageFont.truetype(file, size)
    return face


def _has(face: FreeTypeFont, sign: str) -> bool:
    return bytes(face.getmask(sign)) != bytes(face.getmask(NO_SIGN))
