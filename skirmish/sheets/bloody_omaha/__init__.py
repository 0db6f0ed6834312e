"""The play sheet of Bloody Omaha, with its map drawn; its other documents are pages of the game."""

from __future__ import annotations

from skirmish.registry import BLOODY, load
from skirmish.sheets.documents import SHEET, Printable, of_page


def documents() -> list[Printable]:
    """What is printed of Bloody Omaha otherwise than as it is on the screen."""
    own = []
    for document in load(BLOODY.id).documents():
        if document.id == SHEET:
            own.append(of_page(BLOODY.id, document, "bloody_omaha.squares:drawings"))
    return own
