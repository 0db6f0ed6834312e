"""Screens in plain ASCII, for terminals and fonts without other characters."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

ASCII_SIGNS = {
    **dict.fromkeys("─━═╌╍┄┅╴╶╸╺▔▁", "-"),
    **dict.fromkeys("│┃║╎╏┆┇╵╷╹╻▏▕▎▍▌▐", "|"),
    **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╯╰┏┓┗┛┣┫┳┻╋╔╗╚╝╠╣╦╩╬", "+"),
    **dict.fromkeys("█▀▄▉▊▋▇▆▅▃▂▚▞▙▟▛▜", "#"),
    **dict.fromkeys("▖▗▘▝░", "."),
    **dict.fromkeys("▒▓", "%"),
    **dict.fromkeys("“”„«»", '"'),
    **dict.fromkeys("‘’‚′", "'"),
    **dict.fromkeys("–—−‐‑", "-"),
    **dict.fromkeys("•·●∙◦■▪◆", "*"),
    **dict.fromkeys("○□▫◇", "o"),
    **dict.fromkeys("→▶►▸⏵❯›", ">"),
    **dict.fromkeys("←◀◄◂⏴❮⌫‹", "<"),
    **dict.fromkeys("↑▲▴⏶", "^"),
    **dict.fromkeys("↓▼▾⏷", "v"),
    "▮": "|",  # steps of a counter, there and lost
    "▯": ".",
    "∩": "n",
    "…": "~",  # a full stop would look like the end of the sentence
    "†": "+",  # footnote marks, which must stay distinct
    "‡": "#",
    "§": "$",
    "¶": "&",
    "×": "x",
    "✓": "v",
    "✗": "x",
    "″": '"',
    "½": "h",
    "♠": "S",
    "♥": "H",
    "♦": "D",
    "♣": "C",
    "\u00a0": " ",
}
"""The ASCII characters that replace those of ours and of Textual's widgets; they are all one column
wide."""
UNKNOWN = "?"
"""Replaces each column of any other character."""


class PlainSigns(LineFilter):
    """Replaces every character that is not ASCII, in as many columns."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        plain_segments = []
        for segment in segments:
            if segment.control or segment.text.isascii():
                plain_segments.append(segment)
            else:
                plain_segments.append(Segment(plain_signs(segment.text), segment.style))
        return plain_segments


@lru_cache(4096)
def plain_signs(text: str) -> str:
    """A text in ASCII, in as many columns as before."""
    translated = "".join(map(_ascii_sign, text))
    # Combined characters may take fewer columns together than each for itself.
    columns = cell_len(text)
    return translated[:columns].ljust(columns)


def _ascii_sign(sign: str) -> str:
    """A character as ASCII shows it, in as many columns."""
    if sign.isascii():
        return sign
    if sign in ASCII_SIGNS:
        return ASCII_SIGNS[sign]
    # An accent is split off: é becomes e.
    letter = unicodedata.normalize("NFKD", sign)[:1]
    width = cell_len(sign)
    if letter.isascii() and width == 1:
        return letter
    return UNKNOWN * width
