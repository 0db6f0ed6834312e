"""The inks. Sides differ by shape and fill besides their ink, never by colour alone."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from skirmish.tabletop import side_colours
from skirmish.tabletop.side_colours import SIDE_COLOURS

Ink: TypeAlias = tuple[float, float, float]
InkUse: TypeAlias = Literal["colour", "saver"]


def from_hex(code: str) -> Ink:
    """The ink of a code such as ``1B1B18``: shares of red, green and blue."""
    red, green, blue = bytes.fromhex(code)
    return red / 255, green / 255, blue / 255


BLACK = from_hex("1B1B18")
BAND = from_hex("33352C")
"""The ink of the title band and of the bars of heads."""
FAINT = from_hex("8A8C80")
"""The ink of lines between rows, and around what is less important."""
QUIET = from_hex("63665A")
"""The ink of less important words: the codes of the gone, the heads of columns, asides."""
PANEL = from_hex("F2F0E6")
"""The tint behind panels and every second row."""
ACCENT = from_hex("A4452C")
"""The ink of what catches the eye: the number of a sheet, losses, the turning point."""
WHITE = from_hex("FFFFFF")


class SideInk(NamedTuple):
    """The look of a side: its ink, and solid or hollow marks."""

    ink: Ink
    solid: bool


def _side_ink(name: str) -> Ink:
    return from_hex(SIDE_COLOURS[name].light.code.removeprefix("#"))


SIDES = (SideInk(_side_ink("first"), solid=False), SideInk(_side_ink("second"), solid=True))
"""Two sides without a nation, in inks that no nation has: the first mover, and the other."""
NATIONS = {nation: _side_ink(nation) for nation in side_colours.NATIONS}


def looks(first: str, second: str) -> tuple[SideInk, SideInk]:
    """The looks of two sides in the order of play, by nation, as on every screen."""
    one_side, other_side = side_colours.looks(first, second)
    return (
        SideInk(_side_ink(one_side.name), one_side.solid),
        SideInk(_side_ink(other_side.name), other_side.solid),
    )
