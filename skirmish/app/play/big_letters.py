"""Large letters made of block characters, to be read from across the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from textual.content import Content
from textual.geometry import Size

from skirmish.tabletop.chance import SUIT_SIGNS, Draw
from skirmish.tabletop.page import Tone

TONE_STYLES: dict[Tone, str] = {
    "good": "$success reverse",
    "bad": "$error reverse",
    "quiet": "$foreground 70%",
}
"""Hits are cut out of a solid block and misses are plain, so that they differ without colours."""
BLOCKS: tuple[Tone, ...] = ("good", "bad")
"""The tones whose words are cut out of a block."""
PAPER, BLACK_INK, RED_INK = "#F2F0E6", "#171813", "#A4231C"
"""The colours of a card."""
_FONT = {
    "A": ".##.|#..#|####|#..#|#..#",
    "B": "###.|#..#|###.|#..#|###.",
    "C": ".###|#...|#...|#...|.###",
    "D": "###.|#..#|#..#|#..#|###.",
    "E": "####|#...|###.|#...|####",
    "F": "####|#...|###.|#...|#...",
    "G": ".###|#...|#.##|#..#|.###",
    "H": "#..#|#..#|####|#..#|#..#",
    "I": "###|.#.|.#.|.#.|###",
    "J": "..##|...#|...#|#..#|.##.",
    "K": "#..#|#.#.|##..|#.#.|#..#",
    "L": "#...|#...|#...|#...|####",
    "M": "#...#|##.##|#.#.#|#...#|#...#",
    "N": "#..#|##.#|#.##|#..#|#..#",
    "O": ".##.|#..#|#..#|#..#|.##.",
    "P": "###.|#..#|###.|#...|#...",
    "Q": ".##.|#..#|#..#|#.#.|.#.#",
    "R": "###.|#..#|###.|#.#.|#..#",
    "S": ".###|#...|.##.|...#|###.",
    "T": "#####|..#..|..#..|..#..|..#..",
    "U": "#..#|#..#|#..#|#..#|.##.",
    "V": "#...#|#...#|.#.#.|.#.#.|..#..",
    "W": "#...#|#...#|#.#.#|##.##|#...#",
    "X": "#..#|#..#|.##.|#..#|#..#",
    "Y": "#...#|.#.#.|..#..|..#..|..#..",
    "Z": "####|..#.|.#..|#...|####",
    "0": ".##.|#..#|#..#|#..#|.##.",
    "1": ".#.|##.|.#.|.#.|###",
    "2": "###.|...#|.##.|#...|####",
    "3": "###.|...#|.##.|...#|###.",
    "4": "#..#|#..#|####|...#|...#",
    "5": "####|#...|###.|...#|###.",
    "6": ".##.|#...|###.|#..#|.##.",
    "7": "####|...#|..#.|.#..|.#..",
    "8": ".##.|#..#|.##.|#..#|.##.",
    "9": ".##.|#..#|.###|...#|.##.",
    "?": "###.|...#|.##.|....|.#..",
    ",": "..|..|..|.#|#.",
    " ": "..|..|..|..|..",
}
"""The pixels of a letter, row by row."""
FONT_ROWS = 5
"""Pixels of a letter above one another."""
LOW_ROWS = 3
"""Rows of the smallest large letters."""
_HALVES = {"##": "█", "#.": "▀", ".#": "▄", "..": " "}
"""The character for a pixel above another."""

Enlarge: TypeAlias = Callable[[str], str]
"""Makes of a text a picture of it in large letters of one size, with a line for each row."""


def largest(words: str, width: int, sizes: Sequence[Enlarge]) -> str:
    """The text in the first of ``sizes`` that fits in ``width`` columns; plain capitals if none
    fits or a character has no large form."""
    if not has_large_form(words):
        return words.upper()
    for enlarge in sizes:
        picture = enlarge(words)
        if max(map(len, picture.splitlines()), default=0) <= width:
            return picture
    return words.upper()


def is_block(tone: Tone) -> bool:
    """Whether a word of this tone is cut out of a solid block."""
    return tone in BLOCKS


def painted_word(picture: str, tone: Tone, *, framed: bool = False) -> Content:
    """A picture of large letters in the colour of its tone. A block that has no frame in the
    picture gets a column at each side."""
    style = TONE_STYLES.get(tone, "$accent")
    if is_block(tone) and not framed:
        lines = picture.splitlines()
        wide = max(map(len, lines), default=0)
        picture = "\n".join(f" {line:<{wide}} " for line in lines)
    return Content.styled(picture, style)


def has_large_form(words: str) -> bool:
    """Whether every character has a large form."""
    return all(letter in _FONT for letter in words.upper())


def low_letters(word: str) -> str:
    """Letters of three rows, made of half blocks."""
    return _in_halves(_pixels(word))


def high_letters(word: str) -> str:
    """Letters of five rows: a pixel is two full blocks, which are as wide as they are high."""
    return _in_blocks(_pixels(word))


def huge_letters(word: str) -> str:
    """Letters of eight rows: a pixel is three half blocks wide and three high."""
    return _in_halves(_thrice(_pixels(word)))


def low_framed_letters(word: str) -> str:
    """``low_letters`` with the frame of a block around it: four rows."""
    return _in_halves(_framed(_pixels(word)))


def high_framed_letters(word: str) -> str:
    """``high_letters`` with the frame of a block around it: seven rows."""
    return _in_blocks(_framed(_pixels(word)))


def huge_framed_letters(word: str) -> str:
    """``huge_letters`` with the frame of a block around it: eleven rows."""
    return _in_halves(_thrice(_framed(_pixels(word))))


def card_size(*, large: bool) -> Size:
    """The columns and rows of a card; a large one is as high as the largest letters."""
    if large:
        return Size(15, 11)
    return Size(11, 7)


def card_picture(draw: Draw, *, large: bool) -> Content:
    """A card as it lies on the table, or the number on a die. It is paper and ink in every theme;
    without colours its line sets it off."""
    width, height = card_size(large=large)
    inner, middle = width - 2, height // 2
    # Without those of the frame, so that the middle one is ``middle - 1``.
    rows = [" " * inner] * (height - 2)
    if draw.suit is None:
        rows[middle - 1] = str(draw.rank).center(inner)
        rows[middle - 3] = "roll".center(inner)
    else:
        sign = SUIT_SIGNS.get(draw.suit, "")
        rows[0] = f" {draw.rank_sign:<{inner - 1}}"
        rows[1] = f" {sign:<{inner - 1}}"
        rows[middle - 1] = sign.center(inner)
        rows[-2] = f"{sign:>{inner - 1}} "
        rows[-1] = f"{draw.rank_sign:>{inner - 1}} "
    lines = [f"╭{'─' * inner}╮", *(f"│{row}│" for row in rows), f"╰{'─' * inner}╯"]
    ink = BLACK_INK
    if draw.suit in ("H", "D"):
        ink = RED_INK
    return Content.styled("\n".join(lines), f"{ink} on {PAPER}")


def _in_blocks(pixels: list[str]) -> str:
    """A pixel as two full blocks."""
    return "\n".join(row.replace("#", "██").replace(".", "  ") for row in pixels)


def _in_halves(pixels: list[str]) -> str:
    """Two rows of pixels in one of characters."""
    if len(pixels) % 2:
        pixels = [*pixels, ""]
    width = max(map(len, pixels))
    rows = [row.ljust(width, ".") for row in pixels]
    lines = []
    for upper, lower in zip(rows[::2], rows[1::2], strict=True):
        lines.append(
            "".join(_HALVES[top + bottom] for top, bottom in zip(upper, lower, strict=True))
        )
    return "\n".join(lines)


def _thrice(pixels: list[str]) -> list[str]:
    """Each pixel as a square of three by three."""
    enlarged = []
    for row in pixels:
        wide = row.replace("#", "###").replace(".", "...")
        enlarged += [wide] * 3
    return enlarged


def _framed(pixels: list[str]) -> list[str]:
    """A row of the block above and below, two pixels at each side: without them the letters touch
    what lies around the block, and cannot be told from it."""
    rows = [f"..{row}.." for row in pixels]
    edge = "." * len(rows[0])
    return [edge, *rows, edge]


def _pixels(word: str) -> list[str]:
    """The rows of a word's letters, with a pixel between two."""
    letters = [_FONT[letter].split("|") for letter in word.upper() if letter in _FONT]
    return [".".join(letter[row] for letter in letters) for row in range(FONT_ROWS)]
