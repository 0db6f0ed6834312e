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
        return [
            segment
            if segment.text.isascii() or segment.control
            else Segment(plain_signs(segment.text), segment.style)
            for segment in segments
        ]


@lru_cache(4096)
def plain_signs(text: str) -> str:
    translated = "".join(map(_sign, text))
    columns = cell_len(text)  # combined characters may be narrower than their sum
    return translated[:columns].ljust(columns)


def _sign(sign: str) -> str:
    if sign.isascii():
        return sign
    if sign in SIGNS:
        return SIGNS[sign]
    bare = unicodedata.normalize("NFKD", sign)[:1]
    width = cell_len(sign)
    return bare if bare.isascii() and width == 1 else UNKNOWN * width
