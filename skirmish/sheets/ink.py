"""Inks and line weights. Sides differ by shape and fill besides their ink: never colour alone."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

Ink: TypeAlias = tuple[float, float, float]


def _ink(code: str) -> Ink:
    red, green, blue = (int(code[at : at + 2], 16) / 255 for at in (0, 2, 4))
    return red, green, blue


BLACK = _ink("1B1B18")
BAND = _ink("33352C")
FAINT = _ink("8A8C80")
CODE = _ink("63665A")
PANEL = _ink("F2F0E6")
ACCENT = _ink("A4452C")
WHITE = _ink("FFFFFF")

HAIR, THIN, NORMAL, HEAVY, FRAME = 0.25, 0.5, 0.8, 1.4, 1.8


class SideInk(NamedTuple):
    """How a side is told from the other: its ink, and solid or hollow marks."""

    ink: Ink
    solid: bool


SIDES = (SideInk(_ink("4C5A1E"), False), SideInk(_ink("2F3B4C"), True))
"""The side that moves first, and the other."""
