"""The inks. Sides differ by shape and fill besides their ink, never by colour alone."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

Ink: TypeAlias = tuple[float, float, float]
InkUse: TypeAlias = Literal["colour", "saver"]


def from_hex(code: str) -> Ink:
    """The ink of a code such as ``1B1B18``: shares of red, green and blue."""
    red, green, blue = bytes.fromhex(code)
    return red / 255, green / 255, blue / 255


BLACK = from_hex("1B1B18")
BAND = from_hex("33352C")
FAINT = from_hex("8A8C80")
CODE = from_hex("63665A")
PANEL = from_hex("F2F0E6")
ACCENT = from_hex("A4452C")
WHITE = from_hex("FFFFFF")


class SideInk(NamedTuple):
    """The look of a side: its ink, and solid or hollow marks."""

    ink: Ink
    solid: bool


SIDES = (SideInk(from_hex("3E4A15"), False), SideInk(from_hex("303C4D"), True))
"""Two sides without a nation, in inks that no nation has: the first mover, and the other."""
NATIONS = {
    "german": from_hex("2F3B4C"),
    "american": from_hex("3D4914"),
    "british": from_hex("5A3A0C"),
    "russian": from_hex("64142E"),
    "french": from_hex("1D3A78"),
    "polish": from_hex("55275A"),
    "japanese": from_hex("12484A"),
}


def looks(first: str, second: str) -> tuple[SideInk, SideInk]:
    """The looks of two sides in the order of play, by nation: Germans are always solid. Two sides
    of the same nation, or one of none, have the inks of no nation."""
    if first not in NATIONS or second not in NATIONS:
        return SIDES
    if first == second:  # one ink would not tell them apart
        return SIDES
    first_is_solid = first == "german"
    return SideInk(NATIONS[first], first_is_solid), SideInk(NATIONS[second], not first_is_solid)
