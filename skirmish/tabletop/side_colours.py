"""The colours of the sides, for paper, screens, phones and maps alike. Begin with ``looks``.

Nobody is told apart by colour alone: a side is solid (``■``) or hollow (``○``) besides.
"""

from __future__ import annotations

from typing import NamedTuple

CUBE_SHARES = (0, 95, 135, 175, 215, 255)
"""Terminals of 256 colours mix most of them from six levels (0 to 255) of red, green and blue.
These 6 × 6 × 6 colours are called the cube."""
FIRST_OF_CUBE, FIRST_GREY = 16, 232
"""The numbers, among the 256, of the first colour of the cube and of the first grey behind it. The
16 before the cube are those of ``STANDARD``."""
STANDARD = (
    "#000000", "#AA0000", "#00AA00", "#AA5500", "#0000AA", "#AA00AA", "#00AAAA", "#AAAAAA",
    "#555555", "#FF5555", "#55FF55", "#FFFF55", "#5555FF", "#FF55FF", "#55FFFF", "#FFFFFF",
)  # fmt: skip
"""The 16 colours as Rich knows them; the user's terminal shows its own."""


class Shade(NamedTuple):
    """A colour: its ``code`` (``#3D4914``) for terminals of millions of colours and for paper, and
    the numbers of similar colours among 256 and among 16."""

    code: str
    of_256: int
    of_16: int

    def shown(self, colours: str | None) -> str:
        """The code to paint with on a terminal of that many ``colours``: ``256``, or in the words
        of Rich ``standard`` (16) or ``truecolor`` (24 bits); None: unknown. Rich turns the code
        into just the number that is meant here."""
        if colours == "256":
            return code_of_256(self.of_256)
        if colours == "standard":
            return STANDARD[self.of_16]
        return self.code


class ThemeColours(NamedTuple):
    """A colour of the board, such as that of a side: on paper and in a light theme, and in a dark
    one."""

    light: Shade
    dark: Shade


class SideSigns(NamedTuple):
    """How a side is shown: the ``name`` of its colours, and solid or hollow signs."""

    name: str
    solid: bool

    @property
    def sign(self) -> str:
        """``■`` or ``○``."""
        if self.solid:
            return "■"
        return "○"


SIDE_COLOURS = {
    "american": ThemeColours(Shade("#3D4914", 58, 2), Shade("#B7C96B", 149, 10)),
    "german": ThemeColours(Shade("#2F3B4C", 60, 4), Shade("#9FBBE6", 110, 12)),
    # Of 16 the dark grey: the yellow of many terminals cannot be read on white.
    "british": ThemeColours(Shade("#5A3A0C", 94, 8), Shade("#E5AE6B", 179, 11)),
    "russian": ThemeColours(Shade("#64142E", 52, 1), Shade("#F58CA0", 211, 9)),
    "french": ThemeColours(Shade("#1D3A78", 25, 6), Shade("#8C93FF", 105, 14)),
    "polish": ThemeColours(Shade("#55275A", 53, 5), Shade("#DB9CE6", 176, 13)),
    "japanese": ThemeColours(Shade("#12484A", 23, 0), Shade("#63CFC6", 80, 15)),
    # Two sides without a nation, or of the same one: nearly the colours of the Americans and the
    # Germans. The canvas of the sheets replaces these two codes by the inks of the document's
    # sides, so no nation may have the same code.
    "first": ThemeColours(Shade("#3E4A15", 58, 2), Shade("#B6C86A", 149, 10)),
    "second": ThemeColours(Shade("#303C4D", 60, 4), Shade("#9EBAE5", 110, 12)),
}
NO_NATION: tuple[str, str] = ("first", "second")
"""The colours of two sides that no nation tells apart."""
NATIONS = tuple(name for name in SIDE_COLOURS if name not in NO_NATION)
"""The nations that have colours of their own."""


def looks(first: str | None, second: str | None) -> tuple[SideSigns, SideSigns]:
    """How two sides are shown, in the order of play, by their nations. Germans are always solid. If
    both have the same nation, or one has none, both have the colours of no nation."""
    if first not in NATIONS or second not in NATIONS or first == second:
        name_of_first, name_of_second = NO_NATION
        return SideSigns(name_of_first, solid=False), SideSigns(name_of_second, solid=True)
    first_is_solid = first == "german"
    return SideSigns(first, first_is_solid), SideSigns(second, not first_is_solid)


def code_of_256(number: int) -> str:
    """The code from which Rich makes the colour with that number of 256, from 16 on. Its greys lie
    a little beside those of the terminals."""
    if number >= FIRST_GREY:
        # Rich (``Color.downgrade``) takes ``round(25 * lightness)`` as the number of a grey: 1 is
        # the first one, 0 and 25 are black and white.
        number_of_grey = number - FIRST_GREY + 1
        grey = round(number_of_grey * 255 / 25)
        return f"#{grey:02X}{grey:02X}{grey:02X}"
    red_and_green, blue = divmod(number - FIRST_OF_CUBE, len(CUBE_SHARES))
    red, green = divmod(red_and_green, len(CUBE_SHARES))
    return f"#{CUBE_SHARES[red]:02X}{CUBE_SHARES[green]:02X}{CUBE_SHARES[blue]:02X}"
