"""The pages of the campaign book: how they are collected, and what all of them have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
"""What a page calls the two sides, in their order: their inks follow from it."""


@dataclass
class CampaignPages:
    """The pages of the book so far, to which others are added. ``leaf``: their paper, with a wider
    margin at the back; ``side_looks``: in the order of the sides."""

    leaf: Leaf
    side_looks: tuple[SideInk, SideInk]
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
            sides=self.side_looks,
        )
        for part in document.parts:
            # The name of a part is its bookmark; a part without a name has none.
            if not has_bookmark:
                part.name = ""
            self.parts.append(part)

    def begin_on_left_page(self) -> None:
        """Makes the next page a left one, with a page for notes before it if it takes that. Left
        pages are the even ones, as pages are numbered from the cover."""
        pages_so_far = sum(len(part.pages) for part in self.parts)
        next_is_right = pages_so_far % 2 == 0
        if next_is_right:
            # Without a name, and so without a bookmark; the title is its footer.
            self.parts.append(SheetPart(self.leaf, [OwnNotes()], "", TITLE))

    def fits_one_page(self, page: Page, drawings: Drawings) -> bool:
        """Whether the page takes no more than one page of the book."""
        # Without lines to write on: these only fill the rest of the last sheet.
        document = page_document(self.leaf, page, drawings=drawings)
        return sum(len(part.pages) for part in document.parts) == 1


def book_page(state: CampaignState, title: str, badge: Badge, blocks: Sequence[Block]) -> Page:
    """A page of the book, with the campaign's name in its head and at its foot."""
    name = state.setup.file.title
    return Page(title, tuple(blocks), badge, about=(TITLE, name), foot=f"{TITLE} · {name}")
