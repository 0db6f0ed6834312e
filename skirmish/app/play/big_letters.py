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
_HALVES = {"##": "█", "#.": "▀", ".#": "▄", "..": " "}


def largest(words: str, width: int, sizes: Sequence[Callable[[str], str]]) -> str:
    """The text in the first of ``sizes`` that fits in ``width`` columns; plain capitals if none
    fits or a character has no large form."""
    for letters in sizes if readable(words) else ():
        picture = letters(words)
        if max(map(len, picture.splitlines()), default=0) <= width:
            return picture
    return words.upper()


def painted_word(picture: str, tone: Tone) -> Content:
    style = STRIKES.get(tone, "$accent")
    if style.endswith("reverse"):
        lines = picture.splitlines()
        wide = max(map(len, lines), default=0)
        picture = "\n".join(f" {line:<{wide}} " for line in lines)
    return Content.styled(picture, style)


def readable(words: str) -> bool:
    return all(letter in _FONT for letter in words.upper())


def low(word: str) -> str:
    return _in_halves([*_pixels(word), ""])


def _in_halves(pixels: list[str]) -> str:
    rows = [row.ljust(max(map(len, pixels)), ".") for row in pixels]
    return "\n".join(
        "".join(_HALVES[top + bottom] for top, bottom in zip(*pair, strict=True))
        for pair in zip(rows[::2], rows[1::2], strict=True)
    )


def high(word: str) -> str:
    return "\n".join(
        "".join("██" if pixel == "#" else "  " for pixel in row) for row in _pixels(word)
    )


def huge(word: str) -> str:
    halves = [row.replace("#", "###").replace(".", "...") for row in _pixels(word) for _ in "123"]
    return _in_halves([*halves, ""])


def _pixels(word: str) -> list[str]:
    letters = [_FONT[letter].split("|") for letter in word.upper() if letter in _FONT]
    return [".".join(letter[row] for letter in letters) for row in range(5)]
