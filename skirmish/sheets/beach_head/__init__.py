"""The sheets of Beach Head."""

from __future__ import annotations

from skirmish.registry import BEACH
from skirmish.sheets.documents import SHEET, Printable, game_file


def documents() -> list[Printable]:
    """What can be printed of Beach Head."""
    name, build = game_file(BEACH.id, SHEET), "beach_head.sheet:beach_pdf"
    return [Printable(SHEET, "The play sheet", "Play sheet", "game", name, build, True, True)]
