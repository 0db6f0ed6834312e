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
BLOCKS: tuple[Tone, ...] = ("good", "bad")
"""The tones whose words are cut out of a solid block, as that of a hit. A miss is plain, so that
the two differ without colours."""
PAPER, BLACK_INK, RED_INK = "#F2F0E6", "#171813", "#A4231C"
"""The colours of a card."""
RED_SUITS = ("H", "D")
"""Hearts and diamonds."""
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
"""The pixels of each letter: its rows with a ``|`` between them, ``#`` for a pixel that is set."""
FONT_ROWS = 5
"""Rows of pixels of a letter."""
LOW_ROWS = 3
"""Rows on the screen of ``low_letters``: half of those of the pixels, rounded up."""
_HALVES = {"##": "█", "#.": "▀", ".#": "▄", "..": " "}
"""The character for two pixels, of which the first stands above the second."""

Enlarge: TypeAlias = Callable[[str], str]
"""Turns a text into its picture in large letters of one size, such as ``low_letters``: a text with
a line for each row of the screen."""


def largest(words: str, width: int, sizes: Sequence[Enlarge]) -> str:
    """The text in the first of ``sizes`` that fits in ``width`` columns, so the largest size must
    come first; plain capitals if none fits or a character has no large form."""
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
    """A picture of large letters in the colour of its tone. A block without a frame in the picture
    (``framed``) gets a column at each side, so that the letters do not touch its edge."""
    style = TONE_STYLES.get(tone, "$accent")  # any other tone is in the colour of the theme
    if is_block(tone) and not framed:
        lines = picture.splitlines()
        width = max(map(len, lines), default=0)
        picture = "\n".join(f" {line:<{width}} " for line in lines)
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
    """Letters of eight rows: a pixel is three columns wide and three half rows high."""
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
    """The columns and rows of a card, which is as high as the framed letters beside it: huge ones
    beside a large card, else high ones."""
    if large:
        return Size(15, 11)
    return Size(11, 7)


def card_picture(draw: Draw, *, large: bool) -> Content:
    """A card as it lies on the table, or the number on a die. It has the colours of paper and ink
    in every theme, and a border, which shows where there are no colours."""
    size = card_size(large=large)
    # The border takes a column and a row at each side.
    columns, rows = size.width - 2, size.height - 2
    if draw.suit is None:
        face = _face_of_roll(draw.rank, columns, rows)
    else:
        face = _face_of_card(draw.rank_sign, SUIT_SIGNS.get(draw.suit, ""), columns, rows)
    lines = [f"╭{'─' * columns}╮", *(f"│{row}│" for row in face), f"╰{'─' * columns}╯"]
    ink = BLACK_INK
    if draw.suit in RED_SUITS:
        ink = RED_INK
    return Content.styled("\n".join(lines), f"{ink} on {PAPER}")


def _face_of_roll(number: int, columns: int, rows: int) -> list[str]:
    """The rows of a roll: the number in the middle, the word above it."""
    face = [" " * columns] * rows
    middle = rows // 2
    face[middle] = str(number).center(columns)
    above_empty_row = middle - 2
    face[above_empty_row] = "roll".center(columns)
    return face


def _face_of_card(rank: str, suit: str, columns: int, rows: int) -> list[str]:
    """The rows of a card: the suit in the middle, rank and suit in two corners."""
    face = [" " * columns] * rows
    corner_columns = columns - 1  # a column stays free beside the border
    face[0] = f" {rank:<{corner_columns}}"
    face[1] = f" {suit:<{corner_columns}}"
    face[rows // 2] = suit.center(columns)
    face[-2] = f"{suit:>{corner_columns}} "
    face[-1] = f"{rank:>{corner_columns}} "
    return face


def _in_blocks(pixels: list[str]) -> str:
    """Each pixel as two full blocks."""
    return "\n".join(row.replace("#", "██").replace(".", "  ") for row in pixels)


def _in_halves(pixels: list[str]) -> str:
    """Each two rows of pixels as one row of characters."""
    rows = list(pixels)
    has_half_a_row = len(rows) % 2 == 1
    if has_half_a_row:
        rows.append("." * len(rows[0]))
    lines = []
    for index in range(0, len(rows), 2):
        upper, lower = rows[index], rows[index + 1]
        pairs = zip(upper, lower, strict=True)
        lines.append("".join(_HALVES[top + bottom] for top, bottom in pairs))
    return "\n".join(lines)


def _thrice(pixels: list[str]) -> list[str]:
    """Each pixel as a square of three by three pixels."""
    enlarged = []
    for row in pixels:
        widened = row.replace("#", "###").replace(".", "...")
        enlarged += [widened] * 3
    return enlarged


def _framed(pixels: list[str]) -> list[str]:
    """The pixels with a frame of unset ones, which are the block that the letters are cut out of:
    without the frame the letters would touch what lies around the block and merge with it."""
    rows = [f"..{row}.." for row in pixels]
    edge = "." * len(rows[0])
    return [edge, *rows, edge]


def _pixels(word: str) -> list[str]:
    """The rows of a word's pixels, with a column of unset ones between two letters. A character
    without a large form is left out."""
    letters = [_FONT[letter].split("|") for letter in word.upper() if letter in _FONT]
    rows = []
    for index in range(FONT_ROWS):
        rows.append(".".join(letter[index] for letter in letters))
    return rows
