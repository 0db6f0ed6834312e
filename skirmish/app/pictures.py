"""Pictures in the terminal: the escape sequences that show one, for the terminals that can.

With kitty's *placeholders* a picture is sent once and then stands wherever certain characters are
printed, so it moves, scrolls and is covered as text is. Terminals with iTerm2's protocol or sixels
paint a picture at the cursor, over whatever is there, so it has a screen of its own.

A terminal could be asked which of these it supports, but its answer would arrive among the keys
that are typed. We go by its name instead (``protocol_of``), or by the setting ``pictures``.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from PIL.Image import Image

Protocol: TypeAlias = Literal["kitty", "iterm", "sixel"]
PicturesSetting: TypeAlias = Literal["auto", "kitty", "iterm", "sixel", "off"]

PLACEHOLDER = "\U0010eeee"
"""The character that stands for a cell of a picture. Two combining characters, `MARKS`, follow it:
they give the row and the column of the cell."""
_MARK_CODES = """
305 30d 30e 310 312 33d 33e 33f 346 34a 34b 34c 350 351 352 357 35b 363 364 365 366 367
368 369 36a 36b 36c 36d 36e 36f 483 484 485 486 487 592 593 594 595 597 598 599 59c 59d
59e 59f 5a0 5a1 5a8 5a9 5ab 5ac 5af 5c4 610 611 612 613 614 615 616 617 657 658 659 65a
65b 65d 65e 6d6 6d7 6d8 6d9 6da 6db 6dc 6df 6e0 6e1 6e2 6e4 6e7 6e8 6eb 6ec 730 732 733
735 736 73a 73d 73f 740 741 743 745 747 749 74a 7eb 7ec 7ed 7ee 7ef 7f0 7f1 7f3 816 817
818 819 81b 81c 81d 81e 81f 820 821 822 823 825 826 827 829 82a 82b 82c 82d 951 953 954
f82 f83 f86 f87 135d 135e 135f 17dd 193a 1a17 1a75 1a76 1a77 1a78 1a79 1a7a 1a7b 1a7c
1b6b 1b6d 1b6e 1b6f 1b70 1b71 1b72 1b73 1cd0 1cd1 1cd2 1cda 1cdb 1ce0
"""
MARKS = tuple(chr(int(code, 16)) for code in _MARK_CODES.split())
"""The marks of the numbers from 0 on, as kitty's graphics protocol lists them."""
MOST_CELLS = len(MARKS)
"""Rows or columns of the largest picture."""
PICTURE_BLUES = {"truecolor": {1: 175, 2: 215, 3: 255}, "256": {1: 19, 2: 20, 3: 21}}
"""Blues by the number of a picture, which placeholders state by their colour: with millions of
colours, how much blue is in it; with 256, its number among them. Both are the same three shades."""
KITTY_CHUNK = 4096
"""The most characters of a picture in one escape sequence."""
SIXEL_COLOURS = 128
"""The most colours of a sixel picture. Each is written once for every band of rows that has it, so
that more colours take longer."""
SIXEL_ROWS = 6
"""Rows of pixels in a band of a sixel picture: a character stands for a column of that many."""
NO_PIXELS = ord("?")
"""The code of the character for a column without painted pixels."""
REPETITION = re.compile(r"(.)\1{3,}")
"""A character at least four times, from where on ``!4~`` is shorter than ``~~~~``."""


class CellSize(NamedTuple):
    """Pixels of a column and of a line of the terminal."""

    width: int
    height: int


USUAL_CELL = CellSize(8, 16)
"""Assumed where the terminal does not report the size."""


def protocol_of(setting: PicturesSetting, environment: Mapping[str, str]) -> Protocol | None:
    """How the terminal shows pictures; None if it does not, or if nothing indicates that it
    does."""
    if setting == "off":
        return None
    if setting != "auto":
        return setting
    if environment.get("TMUX") or environment.get("STY"):
        # tmux and screen swallow pictures unless they are configured to pass them on.
        return None
    terminal = environment.get("TERM", "")
    program = environment.get("TERM_PROGRAM", "")
    if environment.get("KITTY_WINDOW_ID") or terminal in ("xterm-kitty", "xterm-ghostty"):
        return "kitty"
    if program == "ghostty":
        return "kitty"
    if program in ("iTerm.app", "WezTerm"):
        return "iterm"
    if terminal.startswith(("foot", "mlterm", "contour")):
        return "sixel"
    return None


# ------------------------------------------------------------------ kitty


def kitty_transmission(png: bytes, number: int, *, columns: int, lines: int) -> str:
    """What to write to the terminal to send it a picture, which placeholders then show in so many
    columns and lines."""
    data = b64encode(png).decode()
    chunks = [data[start : start + KITTY_CHUNK] for start in range(0, len(data), KITTY_CHUNK)]
    # ``a=T,U=1``: show it, by placeholders; ``f=100,t=d``: a PNG, which follows; ``i``, ``c``,
    # ``r``: its number, columns and rows. ``q=2``: the terminal does not answer, as its answer
    # would be taken for typed keys. ``m``: whether more of the picture follows.
    control = f"a=T,U=1,f=100,t=d,i={number},c={columns},r={lines},q=2,"
    written = ""
    last_index = len(chunks) - 1
    for index, chunk in enumerate(chunks):
        more = 1
        if index == last_index:
            more = 0
        written += f"\x1b_G{control}m={more};{chunk}\x1b\\"
        control = "q=2,"  # the rest stands only in the first sequence
    return written


def kitty_deletion(number: int) -> str:
    """What to write to the terminal to delete a picture, wherever it is shown."""
    # ``a=d``: delete; ``d=I``: the picture of this number, and its data too.
    return f"\x1b_Ga=d,d=I,i={number},q=2\x1b\\"


def placeholders(line: int, columns: int) -> list[str]:
    """The characters of one ``line`` of a picture, counted from 0: a cell for each column."""
    return [PLACEHOLDER + MARKS[line] + MARKS[column] for column in range(columns)]


# ------------------------------------------------------------------ iTerm2


def iterm_picture(png: bytes, *, lines: int) -> str:
    """What to write to the terminal to paint a picture at the cursor, so many lines high."""
    data = b64encode(png).decode()
    control = f"inline=1;size={len(png)};height={lines};preserveAspectRatio=1"
    return f"\x1b]1337;File={control}:{data}\x07"


# ------------------------------------------------------------------ sixel


def sixel_picture(png: bytes, *, height: int) -> str:
    """What to write to the terminal to paint a picture at the cursor, so many pixels high."""
    from PIL import Image

    with Image.open(BytesIO(png)) as opened:
        width = max(round(opened.width * height / opened.height), 1)
        image = opened.convert("RGB").resize((width, height), Image.Resampling.LANCZOS)
    return "".join(_sixels(image.quantize(SIXEL_COLOURS)))


def _sixels(image: Image) -> Iterator[str]:
    """The pieces of a sixel picture: its size, its colours, then its bands of rows. A band is
    written once for each colour that it has, over itself (``$``); ``-`` begins the next."""
    width, height = image.size
    # ``P0;1q`` begins a picture whose unpainted pixels leave what is below them; ``"1;1``: each
    # pixel is as wide as it is high.
    yield f'\x1bP0;1q"1;1;{width};{height}'
    palette = image.getpalette() or []
    for index in range(len(palette) // 3):
        # Pillow has parts of 255 in a flat list, sixels have percentages.
        parts = palette[3 * index : 3 * index + 3]
        red, green, blue = (round(part * 100 / 255) for part in parts)
        # ``2``: the numbers that follow are red, green and blue.
        yield f"#{index};2;{red};{green};{blue}"
    pixels = image.tobytes()
    for top in range(0, height, SIXEL_ROWS):
        rows = []
        for row in range(top, min(top + SIXEL_ROWS, height)):
            rows.append(pixels[row * width : (row + 1) * width])
        for colour in sorted(set(b"".join(rows))):
            yield f"#{colour}{_run_lengths(_band(rows, colour, width))}$"
        yield "-"
    yield "\x1b\\"


def _band(rows: list[bytes], colour: int, width: int) -> bytes:
    """The characters of a band in one colour, one for each column. The code of a character, counted
    from NO_PIXELS, has a bit for each row, the lowest for the top row: it is set where the pixel
    has the colour."""
    bits_of_columns = bytearray(width)
    for row, pixels in enumerate(rows):
        column = pixels.find(colour)
        while column >= 0:
            bits_of_columns[column] |= 1 << row
            column = pixels.find(colour, column + 1)
    return bytes(NO_PIXELS + bits for bits in bits_of_columns)


def _run_lengths(band: bytes) -> str:
    """The band with repetitions of a character shortened: twelve ``~`` are ``!12~``."""
    text = band.decode("ascii").rstrip(chr(NO_PIXELS))  # an unpainted end need not be written
    return REPETITION.sub(_run_length, text)


def _run_length(repetition: re.Match[str]) -> str:
    return f"!{len(repetition[0])}{repetition[1]}"
