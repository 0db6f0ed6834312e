"""Inks and line weights. Sides differ by shape and fill besides their ink: never colour alone."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

Ink: TypeAlias = tuple[float, float, float]
InkUse: TypeAlias = Literal["colour", "saver"]


def ink(code: str) -> Ink:
    """An ink from its six hexadecimal digits: red, green, blue."""
    red, green, blue = (int(code[at : at + 2], 16) / 255 for at in (0, 2, 4))
    return red, green, blue


BLACK = ink("1B1B18")
BAND = ink("33352C")
FAINT = ink("8A8C80")
CODE = ink("63665A")
PANEL = ink("F2F0E6")
ACCENT = ink("A4452C")
WHITE = ink("FFFFFF")

HAIR, THIN, NORMAL, HEAVY, FRAME = 0.25, 0.5, 0.8, 1.4, 1.8


class SideInk(NamedTuple):
    """How a side is told from the other: its ink, and solid or hollow marks."""

    ink: Ink
    solid: bool


SIDES = (SideInk(ink("3D4914"), False), SideInk(ink("2F3B4C"), True))
"""The side that moves first, and the other."""
