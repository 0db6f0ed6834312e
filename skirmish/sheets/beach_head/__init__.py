"""The sheets of Beach Head."""

from __future__ import annotations

from skirmish.registry import BEACH
from skirmish.sheets.documents import SHEET, Printable, game_file_name


def documents() -> list[Printable]:
    """What can be printed of Beach Head."""
    return [
        Printable(
            id=SHEET,
            title="The play sheet",
            called="Play sheet",
            made_from="game",
            file_name=game_file_name(BEACH.id, SHEET),
            build="beach_head.sheet:beach_pdf",
            boxed=True,
            has_empty_sheet=True,
        )
    ]
