"""A picture of a screen: what Textual exports, painted again as a smaller and sharper SVG or PNG.
Begin with ``read_picture``, then ``as_svg`` or ``as_png``.

The export has every block sign as a letter, so that drawings show gaps between their lines and take
much space, and it loads its typeface from a server. Here blocks and grounds become one path for
each colour, and only words stay text: each run of them is fitted to its columns, whatever typeface
the reader has. A PNG is drawn by Pillow, which comes with the PDF library, in a typeface of the
system.
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

COLUMN_WIDTH, LINE_HEIGHT = 10, 20
"""Pixels of a column and of a line in our pictures."""
MARGIN = 12
"""Pixels around the screen."""
BASELINE = 15
"""Pixels from the top of a line down to where its letters stand."""
FONT_FAMILY = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
FONT_SIZE = 16
"""Pixels: its letters are about as wide as a column."""
ROUNDING = 8
"""The radius of the rounded corners, in pixels."""
EXPORTED_COLUMN_WIDTH, EXPORTED_LINE_HEIGHT = 12.2, 24.4
"""Pixels of a column and of a line in what Textual exports."""

# What Textual exports: the styles with their colours, the rectangles behind the letters, and the
# texts, each with its style and its line.
EXPORTED_STYLE = re.compile(r"-(r\d+) \{ fill: (#[0-9a-f]{6})(;font-weight: bold)?")
EXPORTED_GROUND = re.compile(
    r'<rect fill="(#[0-9a-f]{6})" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="[\d.]+" shape'
)
EXPORTED_WORDS = re.compile(
    r'<text class="[^"]*-(r\d+)" x="([\d.]+)"[^>]*?line-(\d+)\)">(.*?)</text>', re.DOTALL
)
RUN_OF_WORDS = re.compile(r"\S+(?: \S+)*")
"""Words with single spaces between them."""

Eighths = tuple[float, float, float, float]
"""A part of a place, in eighths of it: left, top, right and bottom edge."""
# Strokes of lines: through the whole place, and from its middle to one of its edges.
_ACROSS: Eighths = (0, 3.7, 8, 4.3)
_DOWN: Eighths = (3.6, 0, 4.4, 8)
_LEFT: Eighths = (0, 3.7, 4.4, 4.3)
_RIGHT: Eighths = (3.6, 3.7, 8, 4.3)
_UPPER: Eighths = (3.6, 0, 4.4, 4.3)
_LOWER: Eighths = (3.6, 3.7, 4.4, 8)
BLOCK_SIGNS: dict[str, tuple[Eighths, ...]] = {
    "█": ((0, 0, 8, 8),), "▀": ((0, 0, 8, 4),), "▄": ((0, 4, 8, 8),),
    "▌": ((0, 0, 4, 8),), "▐": ((4, 0, 8, 8),), "▖": ((0, 4, 4, 8),),
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
"""The ground of a screen that has none of its own, as Textual exports it."""
SCALE = 2
"""Pixels of a PNG for each pixel of the SVG, so that it stays sharp when enlarged."""
MONOSPACED = (
    ("DejaVuSansMono.ttf", "DejaVuSansMono-Bold.ttf"),
    ("LiberationMono-Regular.ttf", "LiberationMono-Bold.ttf"),
    ("Menlo.ttc", "Menlo.ttc"),
    ("consola.ttf", "consolab.ttf"),
    ("cour.ttf", "courbd.ttf"),
)
"""Files of typefaces, plain and bold, of which each system has one."""
OUR_FONTS = Path(__file__).parents[1] / "sheets" / "fonts"
OUR_FACE = (
    OUR_FONTS / "BarlowCondensed_500Medium.ttf",
    OUR_FONTS / "BarlowCondensed_700Bold.ttf",
)
"""The face, plain and bold, where a system has none of those: the narrow one of our sheets, whose
letters fit their columns."""
FACE_WITH_MOST_SIGNS = OUR_FONTS / "SourceSans3_400Regular.ttf"
"""The face of our sheets with the most signs, for those that the other faces lack."""
NO_SIGN = "\uffff"
"""A character that no typeface has: it is drawn as the mark of a missing sign."""

Place = tuple[int, int]
"""A line and a column of the terminal, from 0."""


class PixelBox(NamedTuple):
    """Pixels from the upper left corner of the terminal."""

    left: float
    top: float
    right: float
    bottom: float


class TerminalSign(NamedTuple):
    """A sign on the screen and its style."""

    sign: str
    colour: str
    bold: bool

    def has_style_of(self, other: TerminalSign) -> bool:
        return (self.colour, self.bold) == (other.colour, other.bold)


class TerminalPicture(NamedTuple):
    """What a terminal shows: the colour behind each place, and the sign in it."""

    columns: int
    lines: int
    grounds: dict[Place, str]
    letters: dict[Place, TerminalSign]

    @property
    def ground(self) -> str:
        """The colour of the screen: that of its upper left corner."""
        return self.grounds.get((0, 0), GROUND_OF_A_TERMINAL)

    @property
    def size(self) -> tuple[int, int]:
        """Its width and height in pixels."""
        return self.columns * COLUMN_WIDTH + 2 * MARGIN, self.lines * LINE_HEIGHT + 2 * MARGIN


def read_picture(exported: str, columns: int, lines: int) -> TerminalPicture:
    """Read what ``App.export_screenshot`` exported from a screen of that size."""
    return TerminalPicture(columns, lines, _grounds(exported), _letters(exported))


def redrawn(exported: str, columns: int, lines: int) -> str:
    """A picture of a screen as our own SVG. ``exported`` is what ``App.export_screenshot`` made of
    a screen of that size."""
    return as_svg(read_picture(exported, columns, lines))


def _grounds(exported: str) -> dict[Place, str]:
    """The colour behind each place."""
    grounds: dict[Place, str] = {}
    for colour, x, y, width in EXPORTED_GROUND.findall(exported):
        # Rectangles begin a little below the top of their line, so the line is rounded down.
        line = int(float(y) / EXPORTED_LINE_HEIGHT)
        first_column = round(float(x) / EXPORTED_COLUMN_WIDTH)
        columns = round(float(width) / EXPORTED_COLUMN_WIDTH)
        for column in range(first_column, first_column + columns):
            grounds[line, column] = colour
    return grounds


def _letters(exported: str) -> dict[Place, TerminalSign]:
    """The sign in each place."""
    styles = {name: (colour, bool(bold)) for name, colour, bold in EXPORTED_STYLE.findall(exported)}
    letters: dict[Place, TerminalSign] = {}
    for style, x, line, words in EXPORTED_WORDS.findall(exported):
        colour, bold = styles[style]
        first_column = round(float(x) / EXPORTED_COLUMN_WIDTH)
        for column, sign in enumerate(unescape(words), first_column):
            letters[int(line), column] = TerminalSign(sign, colour, bold)
    return letters


# ------------------------------------------------------------------ boxes of colour


def _ground_boxes(grounds: dict[Place, str], ground: str) -> dict[str, list[PixelBox]]:
    """Boxes by their colour; places in the colour of the whole ``ground`` need none."""
    boxes: dict[str, list[PixelBox]] = defaultdict(list)
    # From left to right, so that each box can be joined to the one before it.
    for (line, column), colour in sorted(grounds.items()):
        if colour != ground:
            left, top = column * COLUMN_WIDTH, line * LINE_HEIGHT
            _add_box(boxes[colour], PixelBox(left, top, left + COLUMN_WIDTH, top + LINE_HEIGHT))
    return boxes


def _block_boxes(letters: dict[Place, TerminalSign]) -> dict[str, list[PixelBox]]:
    """The parts of their places that block signs cover, by colour."""
    boxes: dict[str, list[PixelBox]] = defaultdict(list)
    for (line, column), letter in sorted(letters.items()):
        x, y = column * COLUMN_WIDTH, line * LINE_HEIGHT
        for left, top, right, bottom in BLOCK_SIGNS.get(letter.sign, ()):
            box = PixelBox(
                left=x + left * COLUMN_WIDTH / 8,
                top=y + top * LINE_HEIGHT / 8,
                right=x + right * COLUMN_WIDTH / 8,
                bottom=y + bottom * LINE_HEIGHT / 8,
            )
            _add_box(boxes[letter.colour], box)
    return boxes


def _add_box(boxes: list[PixelBox], box: PixelBox) -> None:
    """Add a box, joined to the last one if that ends where it begins."""
    if boxes:
        before = boxes[-1]
        is_as_high = (before.top, before.bottom) == (box.top, box.bottom)
        if is_as_high and before.right == box.left:
            box = box._replace(left=before.left)
            boxes.pop()
    boxes.append(box)


# ------------------------------------------------------------------ SVG


def as_svg(picture: TerminalPicture) -> str:
    """The picture as SVG."""
    width, height = picture.size
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">',
            f"<style>text {{ font: {FONT_SIZE}px {FONT_FAMILY} }}"
            " .b { font-weight: bold }</style>",
            f'<rect width="{width}" height="{height}" rx="{ROUNDING}" fill="{picture.ground}"/>',
            f'<g transform="translate({MARGIN} {MARGIN})">',
            *_paths(_ground_boxes(picture.grounds, picture.ground)),
            *_paths(_block_boxes(picture.letters)),
            *_texts(picture.letters, picture.lines, picture.columns),
            "</g>",
            "</svg>",
            "",
        ]
    )


def _paths(boxes_by_colour: dict[str, list[PixelBox]]) -> list[str]:
    """One path for each colour. Boxes of one width that stand on one another are joined."""
    paths = []
    for colour, boxes in boxes_by_colour.items():
        joined: list[PixelBox] = []
        for box in sorted(boxes, key=_column_then_line):
            if joined and _continues_below(box, joined[-1]):
                joined[-1] = joined[-1]._replace(bottom=box.bottom)
            else:
                joined.append(box)
        outlines = ""
        for left, top, right, bottom in joined:
            outlines += f"M{left:g} {top:g}h{right - left:g}v{bottom - top:g}h{left - right:g}z"
        paths.append(f'<path fill="{colour}" shape-rendering="crispEdges" d="{outlines}"/>')
    return paths


def _column_then_line(box: PixelBox) -> tuple[float, float, float]:
    """The order in which boxes that can be joined follow one another."""
    return box.left, box.right, box.top


def _continues_below(box: PixelBox, before: PixelBox) -> bool:
    """Whether a box stands right below another one and is as wide, so that both make one."""
    is_as_wide = (box.left, box.right) == (before.left, before.right)
    return is_as_wide and box.top == before.bottom


def _texts(letters: dict[Place, TerminalSign], lines: int, columns: int) -> list[str]:
    """The text elements of all lines."""
    texts: list[str] = []
    for line in range(lines):
        column = 0
        while column < columns:
            stretch = _one_style_from(letters, line, column)
            if stretch:
                texts += _text_elements(stretch, line, column)
                column += len(stretch)
            else:
                column += 1
    return texts


def _one_style_from(
    letters: dict[Place, TerminalSign], line: int, column: int
) -> list[TerminalSign]:
    """The letters from a column on, up to a change of style; none if that place is empty."""
    stretch: list[TerminalSign] = []
    letter = letters.get((line, column))
    while letter and (not stretch or letter.has_style_of(stretch[0])):
        stretch.append(letter)
        column += 1
        letter = letters.get((line, column))
    return stretch


def _text_elements(stretch: list[TerminalSign], line: int, first_column: int) -> Iterator[str]:
    """An element for each run of words in a stretch; the block signs in it are drawn as paths."""
    # Two spaces or more end a run: the next one begins in its own column, whatever typeface the
    # reader has.
    text = ""
    for letter in stretch:
        if letter.sign in BLOCK_SIGNS or letter.sign.isspace():
            text += " "
        else:
            text += letter.sign
    bold = ""
    if stretch[0].bold:
        bold = ' class="b"'
    for run in RUN_OF_WORDS.finditer(text):
        x = (first_column + run.start()) * COLUMN_WIDTH
        y = line * LINE_HEIGHT + BASELINE
        width = len(run.group()) * COLUMN_WIDTH
        yield (
            f'<text{bold} fill="{stretch[0].colour}" x="{x}" y="{y}"'
            f' textLength="{width}" lengthAdjust="spacingAndGlyphs">'
            f"{escape(run.group(), quote=False)}</text>"
        )


# ------------------------------------------------------------------ PNG


def as_png(picture: TerminalPicture) -> bytes:
    """The picture as PNG. Raises OSError where not even our own typefaces can be read."""
    from PIL import Image, ImageDraw

    width, height = picture.size
    image = Image.new("RGB", (width * SCALE, height * SCALE), picture.ground)
    draw = ImageDraw.Draw(image)
    # The grounds first: the signs stand on them.
    layers = (_ground_boxes(picture.grounds, picture.ground), _block_boxes(picture.letters))
    for boxes_by_colour in layers:
        for colour, boxes in boxes_by_colour.items():
            for box in boxes:
                draw.rectangle(_pixels(box), fill=colour)
    plain_face, bold_face = Typeface(bold=False), Typeface(bold=True)
    for (line, column), letter in picture.letters.items():
        if letter.sign in BLOCK_SIGNS or letter.sign.isspace():
            continue
        x = MARGIN + (column + 0.5) * COLUMN_WIDTH  # the middle of the column
        y = MARGIN + line * LINE_HEIGHT + BASELINE
        typeface = plain_face
        if letter.bold:
            typeface = bold_face
        face = typeface.face_for(letter.sign)
        middle_of_baseline = "ms"
        place = (x * SCALE, y * SCALE)
        draw.text(place, letter.sign, fill=letter.colour, font=face, anchor=middle_of_baseline)
    png = BytesIO()
    image.save(png, "PNG", optimize=True)
    return png.getvalue()


def _pixels(box: PixelBox) -> tuple[int, int, int, int]:
    """The first and last pixels of a box, as Pillow takes them; it is at least one pixel wide and
    high."""
    left, top, right, bottom = (round((edge + MARGIN) * SCALE) for edge in box)
    return left, top, max(right - 1, left), max(bottom - 1, top)


class Typeface:
    """The letters of a PNG: those of the system's typeface, or of ours. Signs that it lacks are
    those of another typeface of ours."""

    def __init__(self, *, bold: bool) -> None:
        self._faces = [_typeface_of_letters(bold=bold), _sized(str(FACE_WITH_MOST_SIGNS))]
        self._face_of: dict[str, FreeTypeFont] = {}
        """The face of each sign, as looked up so far."""

    def face_for(self, sign: str) -> FreeTypeFont:
        """The face with which a sign is drawn: the first that has it."""
        if sign not in self._face_of:
            self._face_of[sign] = self._first_face_with(sign)
        return self._face_of[sign]

    def _first_face_with(self, sign: str) -> FreeTypeFont:
        for face in self._faces:
            if _has(face, sign):
                return face
        # Where none has it, the first one draws its own mark of a missing sign.
        return self._faces[0]


def _typeface_of_letters(*, bold: bool) -> FreeTypeFont:
    """The first typeface that this system has; else ours."""
    for plain_file, bold_file in (*MONOSPACED, OUR_FACE):
        file = plain_file
        if bold:
            file = bold_file
        with suppress(OSError):  # this system has another
            return _sized(str(file))
    # Ours may be missing, too. Then letters are drawn with the face that draws the signs.
    return _sized(str(FACE_WITH_MOST_SIGNS))


def _sized(file: str) -> FreeTypeFont:
    """A face in the largest size whose letters fit a column and a line, but never smaller than a
    line without its scale: such letters could not be read. Raises OSError."""
    from PIL import ImageFont

    size = LINE_HEIGHT * SCALE
    face = ImageFont.truetype(file, size)
    while face.getlength("m") > COLUMN_WIDTH * SCALE and size > LINE_HEIGHT:
        size -= 1
        face = ImageFont.truetype(file, size)
    return face


def _has(face: FreeTypeFont, sign: str) -> bool:
    """Whether a face has a sign, and does not draw its mark of a missing one instead."""
    return bytes(face.getmask(sign)) != bytes(face.getmask(NO_SIGN))
