"""The colours of the squares of a board, for screens and phones alike, in both themes. What is
written on them is in the colour of all text. No meaning depends on colour alone: each square also
has signs for what it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from skirmish.tabletop.side_colours import Shade, ThemeColours

if TYPE_CHECKING:
    # Only here, since the first paint of the app needs none of the blocks of pages.
    from skirmish.tabletop.page import SquareGround

BLACK_OF_16, WHITE_OF_16 = 0, 15
"""Black and white among 16 colours. A terminal with only 16 shows squares in the background of the
page, since no other of these colours suits the text of every terminal."""


def _ground(light: str, light_256: int, dark: str, dark_256: int) -> ThemeColours:
    """The colours of a square in a light theme and in a dark one, each also by its number among 256
    colours."""
    return ThemeColours(
        Shade(light, light_256, WHITE_OF_16),
        Shade(dark, dark_256, BLACK_OF_16),
    )


GROUND_COLOURS: dict[SquareGround, ThemeColours] = {
    "sea": _ground("#BFDCEB", 153, "#1D4A68", 24),
    "beach": _ground("#F3E0A6", 229, "#63501F", 58),
    "hedge": _ground("#C3DBA4", 150, "#284A22", 22),
    "town": _ground("#D2CED6", 188, "#4B4956", 239),
    "strong": _ground("#F0BFAC", 217, "#74301F", 88),
    "blank": _ground("#E6DFC8", 187, "#2E3124", 236),
}
"""The colours by the ground of a square. ``strong`` is a strongpoint, ``blank`` a square of which
nothing is known yet."""
