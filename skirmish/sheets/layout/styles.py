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
    """How text is set; ``leading``: the points from one baseline to the next."""

    face: Face
    size: float
    leading: float
    align: Align = "left"
    ink: Ink = inks.BLACK


# Running text, from the largest.
LEAD = Style(BODY, 9.4, 11.4)
TEXT = Style(BODY, 8.8, 10.6)
QUESTION = Style(BODY, 8.4, 9.8)
SMALL = Style(BODY, 7.8, 9.4)
NOTE = Style(BODY, 7, 8.4)
# What differs from running text: bold words are seen before it, asides after it.
FORCE = Style(BOLD, 9.6, 11.4)
"""The name of an army or a side."""
STRONG = Style(BOLD, 8.8, 10)
ASIDE = Style(ITALIC, 8, 9.4)
# The cells of tables.
COLUMN = Style(LABEL, 7, 8.2, ink=inks.QUIET)
"""The titles of columns."""
TERM = Style(LABEL, 8.8, 10)
"""What a row is about, before its other cells."""
UNIT = Style(BODY, 8.8, 10)
"""The words of any other cell, such as the name of a unit."""
FIGURE = Style(BODY, 8.8, 10, "right")
"""A number."""
COUNT = Style(BOLD, 8.8, 10, "right")
"""A number that readers look for first, such as how many of a unit there are."""
