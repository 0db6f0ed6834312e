"""The six pages of the workshop, and on which of them each value of a scenario is changed."""

from __future__ import annotations

import re
from enum import Enum


class WorkshopPage(Enum):
    """A page of the workshop with its name on the screen. The digits open the pages in the order in
    which they stand here."""

    TABLE = "Table"
    MAP = "Map"
    FORCES = "Forces"
    VICTORY = "Victory"
    RULES = "Rules"
    SHEET = "Sheet"

    @property
    def digit(self) -> str:
        """The key that opens it."""
        return str(list(WorkshopPage).index(self) + 1)

    @property
    def has_sentences(self) -> bool:
        """Whether it shows sentences with blanks; the others are pictures of the map and sheet."""
        return self not in (WorkshopPage.MAP, WorkshopPage.SHEET)

    @property
    def board_id(self) -> str:
        """The id of the board of a page of sentences."""
        return f"{self.name.lower()}-board"

    def stepped(self, step: int) -> WorkshopPage:
        """The page so many pages further, or back if negative; the first follows the last."""
        pages = list(WorkshopPage)
        return pages[(pages.index(self) + step) % len(pages)]


_PAGE_OF_FIELD = {
    "map": WorkshopPage.MAP,
    "side": WorkshopPage.FORCES,
    "victory": WorkshopPage.VICTORY,
    "limit": WorkshopPage.RULES,
    "happening": WorkshopPage.RULES,
    "rule": WorkshopPage.RULES,
    "footnote": WorkshopPage.RULES,
    "variant": WorkshopPage.RULES,
    "swap": WorkshopPage.RULES,
    "clock": WorkshopPage.RULES,
}
"""On which page a field of the scenario file is changed; all others are on the first page."""


def page_of(value_key: str) -> WorkshopPage:
    """The page on which a value is changed, by its key in the scenario file:
    ``side[0].contingent[2].name`` on that of the forces."""
    field, *_ = re.split(r"[.\[]", value_key)
    return _PAGE_OF_FIELD.get(field, WorkshopPage.TABLE)
