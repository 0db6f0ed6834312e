"""Pictures in the terminal, for the terminals that can show one: what has to be written for it.

With kitty's *placeholders* a picture is sent once and then stands wherever certain characters are
printed, so it moves, scrolls and is covered as text is. Terminals with iTerm2's or the sixel
protocol paint a picture at the cursor, over what stands there, so it has a screen of its own. Which
of them a terminal knows it tells only when it is asked, and its answer would come in between the
keys that are typed: we go by its name, or by the setting ``pictures``.
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

# The characters that stand for a part of a picture: one for all, over it marks for row and column.
PLACEHOLDER = "\U0010eeee"
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
"""The colour of placeholders says which picture they are of: three shades of blue, each by its part
of blue, or by its number where the app writes 256 colours. They are the same shades."""
CHUNK = 4096
"""The most characters of a picture in one sequence."""
SIXEL_COLOURS = 128
"""Colours of a sixel picture, each of which is written once for every band of rows."""
SIXEL_ROWS = 6
"""Rows of pixels that one character of a sixel picture holds."""
NO_ROWS = ord("?")
"""The code of the character of a sixel picture with none of its rows painted."""
STRETCH = re.compile(r"(.)\1{3,}")
"""One character again and again."""


class CellSize(NamedTuple):
    """Pixels of a column and of a line of the terminal."""

    width: int
    height: int


USUAL_CELL = CellSize(8, 16)
"""Where the terminal does not say it."""


def protocol_of(setting: PicturesSetting, environment: Mapping[str, str]) -> Protocol | None:
    """How the terminal shows pictures; None if it does not, or if nothing tells that it does."""
    if setting == "off":
        return None
    if setting != "auto":
        return setting
    if environment.get("TMUX") or environment.get("STY"):
        # tmux and screen know nothing of pictures unless they are told to pass them on.
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


def kitty_sent(png: bytes, number: int, *, columns: int, lines: int) -> str:
    """What sends a picture to be shown by placeholders, in so many columns and lines."""
    data = b64encode(png).decode()
    chunks = [data[start : start + CHUNK] for start in range(0, len(data), CHUNK)]
    # ``a=T,U=1``: show it, by placeholders; ``f=100,t=d``: a PNG, which follows; ``i``, ``c``,
    # ``r``: its number, columns and rows. ``q=2``: the terminal does not answer, as its answer
    # would be taken for typed keys. ``m``: whether more of the picture follows.
    control = f"a=T,U=1,f=100,t=d,i={number},c={columns},r={lines},q=2,"
    written = ""
    for index, chunk in enumerate(chunks):
        is_last = index == len(chunks) - 1
        written += f"\x1b_G{control}m={int(not is_last)};{chunk}\x1b\\"
        control = "q=2,"
    return written


def kitty_forgotten(number: int) -> str:
    """What deletes a picture with all places where it stands."""
    return f"\x1b_Ga=d,d=I,i={number},q=2\x1b\\"


def placeholders(line: int, columns: int) -> list[str]:
    """What stands in each place of one line of a picture, counted from 0."""
    return [PLACEHOLDER + MARKS[line] + MARKS[column] for column in range(columns)]


# ------------------------------------------------------------------ iTerm2


def iterm_picture(png: bytes, *, lines: int) -> str:
    """What paints a picture at the cursor, so many lines high."""
    data = b64encode(png).decode()
    control = f"inline=1;size={len(png)};height={lines};preserveAspectRatio=1"
    return f"\x1b]1337;File={control}:{data}\x07"


# ------------------------------------------------------------------ sixel


def sixel_picture(png: bytes, *, height: int) -> str:
    """What paints a picture at the cursor, so many pixels high."""
    from PIL import Image

    with Image.open(BytesIO(png)) as opened:
        width = max(round(opened.width * height / opened.height), 1)
        image = opened.convert("RGB").resize((width, height), Image.Resampling.LANCZOS)
    return "".join(_sixels(image.quantize(SIXEL_COLOURS)))


def _sixels(image: Image) -> Iterator[str]:
    """A picture of few colours: its size, its colours, then bands of six rows, each once for each
    colour that it has."""
    width, height = image.size
    yield f'\x1bP0;1q"1;1;{width};{height}'
    palette = image.getpalette() or []
    for index in range(len(palette) // 3):
        # Parts of a hundred.
        red, green, blue = (round(part * 100 / 255) for part in palette[3 * index : 3 * index + 3])
        yield f"#{index};2;{red};{green};{blue}"
    pixels = image.tobytes()
    for top in range(0, height, SIXEL_ROWS):
        rows = [
            pixels[row * width : (row + 1) * width]
            for row in range(top, min(top + SIXEL_ROWS, height))
        ]
        for colour in sorted(set(b"".join(rows))):
            yield f"#{colour}{_run_lengths(_band(rows, colour, width))}$"
        yield "-"
    yield "\x1b\\"


def _band(rows: list[bytes], colour: int, width: int) -> bytes:
    """The characters of a band in one colour: counted from NO_ROWS, each has a bit for each row
    that has the colour there."""
    bits = bytearray(width)
    for row, pixels in enumerate(rows):
        column = pixels.find(colour)
        while column >= 0:
            bits[column] |= 1 << row
            column = pixels.find(colour, column + 1)
    return bytes(NO_ROWS + row_bits for row_bits in bits)


def _run_lengths(band: bytes) -> str:
    """The band with stretches of one character shortened: ``!12~``."""
    text = band.decode("ascii").rstrip(chr(NO_ROWS))  # what is not painted need not be written
    return STRETCH.sub(_shortened, text)


def _shortened(stretch: re.Match[str]) -> str:
    return f"!{len(stretch[0])}{stretch[1]}"
