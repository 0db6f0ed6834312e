"""What is printed of Bloody Omaha: the pages of the game, with its map drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from skirmish.games.bloody_omaha.game import MAP, ON_PAPER, BloodyGame
from skirmish.registry import BLOODY, load
from skirmish.sheets.documents import Printable, printable_page
from skirmish.tabletop.game import Document
from skirmish.tabletop.journal import Play
from skirmish.tabletop.page import Block, BoardKey, Note, Page, Picture, SquareBoard, capital


def documents() -> list[Printable]:
    """All documents of the game."""
    game = load(BLOODY.id)
    assert isinstance(game, BloodyGame)
    drawn = []
    for document in game.documents():
        on_paper = replace(document, build=_with_map_drawn(document))
        drawn.append(printable_page(BLOODY.id, on_paper, "bloody_omaha.squares:drawings"))
    return drawn


def _with_map_drawn(document: Document) -> Callable[[Play[Any, Any, Any]], Page]:
    """Builds the page with the picture of the map where it has the board of squares."""

    def build(play: Play[Any, Any, Any]) -> Page:
        page = document.build(play)
        blocks: list[Block] = []
        for block in page.blocks:
            if isinstance(block, SquareBoard):
                blocks.append(Picture(MAP))
            elif isinstance(block, BoardKey):
                blocks.append(Note(f"{capital(ON_PAPER)}."))
            else:
                blocks.append(block)
        return replace(page, blocks=tuple(blocks))

    return build
