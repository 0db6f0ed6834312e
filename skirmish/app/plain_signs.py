"""Screens in plain ASCII, for terminals and fonts without other characters."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

SIGNS = {
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
"""Characters of ours and of Textual's widgets, each with an ASCII character of the same width."""

UNKNOWN = "?"


class PlainSigns(LineFilter):
    """Replace every character that is not ASCII by one of the same width."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        plain = []
        for segment in segments:
            if segment.control or segment.text.isascii():
                plain.append(segment)
            else:
                plain.append(Segment(plain_signs(segment.text), segment.style))
        return plain


@lru_cache(4096)
def plain_signs(text: str) -> str:
    """A text in ASCII, in as many columns as before."""
    translated = "".join(map(_sign, text))
    columns = cell_len(text)  # combined characters may be narrower than their sum
    return translated[:columns].ljust(columns)


def _sign(sign: str) -> str:
    """A sign as ASCII shows it, in as many columns."""
    if sign.isascii():
        return sign
    if sign in SIGNS:
        return SIGNS[sign]
    letter = unicodedata.normalize("NFKD", sign)[:1]  # without its accent
    width = cell_len(sign)
    if letter.isascii() and width == 1:
        return letter
    return UNKNOWN * width
