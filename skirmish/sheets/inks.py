"""The inks of all sheets. Sides never differ by the colour of their ink alone: one has solid marks,
the other hollow ones."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from skirmish.tabletop import side_colours
from skirmish.tabletop.side_colours import SIDE_COLOURS

Ink: TypeAlias = tuple[float, float, float]
"""The shares of red, green and blue, each from 0 to 1."""
InkUse: TypeAlias = Literal["colour", "saver"]
"""How a document uses ink: ``saver`` leaves out tints and filled areas."""


def from_hex(code: str) -> Ink:
    """The ink of a code such as ``1B1B18``: two hexadecimal digits each for red, green and blue."""
    red, green, blue = bytes.fromhex(code)
    return red / 255, green / 255, blue / 255


BLACK = from_hex("1B1B18")
BAND = from_hex("33352C")
"""The ink of the title band and of the bars behind headings."""
FAINT = from_hex("8A8C80")
"""The ink of lines between rows, and around what is less important."""
QUIET = from_hex("63665A")
"""The ink of less important words: the codes of lost pieces, the heads of columns, asides."""
PANEL = from_hex("F2F0E6")
"""The tint behind panels and every second row."""
ACCENT = from_hex("A4452C")
"""The ink of what catches the eye: the number of a sheet, losses, the turning point."""
WHITE = from_hex("FFFFFF")


class SideInk(NamedTuple):
    """The look of a side: its ink, and whether its marks are solid or hollow."""

    ink: Ink
    solid: bool


def _side_ink(name: str) -> Ink:
    """The ink of a nation, or of the ``first`` or ``second`` side where there are no nations: the
    colour that screens show on a light ground."""
    return from_hex(SIDE_COLOURS[name].light.code.removeprefix("#"))


SIDES = (SideInk(_side_ink("first"), solid=False), SideInk(_side_ink("second"), solid=True))
"""The looks of two sides without a nation, in inks that no nation has; that of the first mover is
first."""
NATIONS = {nation: _side_ink(nation) for nation in side_colours.NATIONS}
"""The inks of the nations, by their ids."""


def looks(first: str, second: str) -> tuple[SideInk, SideInk]:
    """The looks of two sides, the same as on every screen. ``first`` and ``second``: their nations,
    in the order of play."""
    first_look, second_look = side_colours.looks(first, second)
    return (
        SideInk(_side_ink(first_look.name), first_look.solid),
        SideInk(_side_ink(second_look.name), second_look.solid),
    )
