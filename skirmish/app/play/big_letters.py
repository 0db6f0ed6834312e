"""Large letters made of block characters, to be read from across the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.content import Content

from skirmish.tabletop.page import Tone

STRIKES: dict[Tone, str] = {
    "good": "$success reverse",
    "bad": "$error reverse",
    "quiet": "$foreground 70%",
}
"""Hits are cut out of a solid block and misses are plain, so that they differ without colours."""
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
FONT_ROWS = 5
_HALVES = {"##": "█", "#.": "▀", ".#": "▄", "..": " "}


def largest(words: str, width: int, sizes: Sequence[Callable[[str], str]]) -> str:
    """The text in the first of ``sizes`` that fits in ``width`` columns; plain capitals if none
    fits or a character has no large form."""
    if not readable(words):
        return words.upper()
    for enlarge in sizes:
        picture = enlarge(words)
        if max(map(len, picture.splitlines()), default=0) <= width:
            return picture
    return words.upper()


def painted_word(picture: str, tone: Tone) -> Content:
    """A picture of large letters in the colour of its tone."""
    style = STRIKES.get(tone, "$accent")
    if style.endswith("reverse"):
        lines = picture.splitlines()
        wide = max(map(len, lines), default=0)
        picture = "\n".join(f" {line:<{wide}} " for line in lines)
    return Content.styled(picture, style)


def readable(words: str) -> bool:
    """Whether every character has a large form."""
    return all(letter in _FONT for letter in words.upper())


def low(word: str) -> str:
    """Letters of three rows, made of half blocks."""
    return _in_halves([*_pixels(word), ""])


def _in_halves(pixels: list[str]) -> str:
    """Two rows of pixels in one of characters."""
    width = max(map(len, pixels))
    rows = [row.ljust(width, ".") for row in pixels]
    lines = []
    for upper, lower in zip(rows[::2], rows[1::2], strict=True):
        lines.append(
            "".join(_HALVES[top + bottom] for top, bottom in zip(upper, lower, strict=True))
        )
    return "\n".join(lines)


def high(word: str) -> str:
    """Letters of five rows: a pixel is two full blocks, which are as wide as they are high."""
    rows = [row.replace("#", "██").replace(".", "  ") for row in _pixels(word)]
    return "\n".join(rows)


def huge(word: str) -> str:
    """Letters of eight rows: a pixel is three half blocks wide and three high."""
    halves = []
    for row in _pixels(word):
        wide = row.replace("#", "###").replace(".", "...")
        halves += [wide] * 3
    return _in_halves([*halves, ""])


def _pixels(word: str) -> list[str]:
    """The rows of a word's letters, with a pixel between two."""
    letters = [_FONT[letter].split("|") for letter in word.upper() if letter in _FONT]
    return [".".join(letter[row] for letter in letters) for row in range(FONT_ROWS)]
