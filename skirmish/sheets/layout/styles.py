"""The type styles that sheets share. Sizes in points."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from skirmish.sheets import inks
from skirmish.sheets.inks import Ink
from skirmish.sheets.layout.fonts import BODY, BOLD, ITALIC, LABEL, Face

SMALLEST = 6.6
"""Points; nothing on any sheet is set smaller."""
Align: TypeAlias = Literal["left", "centre", "right"]


class Style(NamedTuple):
    """A typeface in a size; ``leading``: the points from one baseline to the next."""

    face: Face
    size: float
    leading: float
    align: Align = "left"
    ink: Ink = inks.BLACK


TEXT = Style(BODY, 8.8, 10.6)
STRONG = Style(BOLD, 8.8, 10)
FORCE = Style(BOLD, 9.6, 11.4)
LEAD = Style(BODY, 9.4, 11.4)
ASIDE = Style(ITALIC, 8, 9.4)
SMALL = Style(BODY, 7.8, 9.4)
NOTE = Style(BODY, 7, 8.4)
PLAY = Style(BODY, 8.4, 9.8)
BESIDE = Style(BODY, 7.8, 10)
COLUMN = Style(LABEL, 7, 8.2, ink=inks.CODE)
UNIT = Style(BODY, 8.8, 10)
COUNT = Style(BOLD, 8.8, 10, "right")
FIGURE = Style(BODY, 8.8, 10, "right")
TERM = Style(LABEL, 8.8, 10)
