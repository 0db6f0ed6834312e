"""The pages of the campaign book: how they are collected, and what all of them have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from skirmish.games.plastic.campaign.state import CampaignState
from skirmish.sheets.inks import SideInk
from skirmish.sheets.layout.blocks import OwnNotes
from skirmish.sheets.layout.pages import SheetPart
from skirmish.sheets.page_sheet.column import Drawings, Pictures
from skirmish.sheets.page_sheet.document import page_document
from skirmish.sheets.paper import Leaf
from skirmish.tabletop.page import Badge, Block, Page, Party

TITLE = "Campaign book"
PARTIES: tuple[Party, Party] = (0, 1)
"""The looks of the two sides, in their order."""


class CampaignPages(NamedTuple):
    """The pages so far, on a ``leaf`` with a margin at the back; ``colours``: of the two sides."""

    leaf: Leaf
    colours: tuple[SideInk, SideInk]
    parts: list[SheetPart]

    def add(
        self,
        page: Page,
        *,
        has_bookmark: bool = True,
        pictures: Pictures | None = None,
        drawings: Drawings | None = None,
    ) -> None:
        """Adds a page, with lines to write on below it; ``pictures`` and ``drawings`` are what
        stands in its places for them."""
        document = page_document(
            self.leaf,
            page,
            pictures=pictures,
            drawings=drawings,
            notes=True,
            sides=self.colours,
        )
        for part in document.parts:
            # The name of a part is its bookmark.
            if not has_bookmark:
                part.name = ""
            self.parts.append(part)

    def open_left(self) -> None:
        """The next page is a left one: an even one, as pages are numbered from the cover."""
        count = sum(len(part.pages) for part in self.parts)
        # After an even page comes an odd one, which lies on the right: it is left to the players.
        if count % 2 == 0:
            self.parts.append(SheetPart(self.leaf, [OwnNotes()], "", TITLE))

    def fits_one_page(self, page: Page, drawings: Drawings) -> bool:
        """Whether the page takes no more than one page of the book."""
        document = page_document(self.leaf, page, drawings=drawings)
        return sum(len(part.pages) for part in document.parts) == 1


def book_page(state: CampaignState, title: str, badge: Badge, blocks: Sequence[Block]) -> Page:
    """A page of the book, with the campaign's name in its head and at its foot."""
    name = state.setup.file.title
    return Page(title, tuple(blocks), badge, about=(TITLE, name), foot=f"{TITLE} · {name}")
