"""An empty roster to fill in by hand. The door; the page is made in ``blank_page``."""

from __future__ import annotations

from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.rules.rulings import RulingBook
from skirmish.sheets.ink import InkUse
from skirmish.sheets.paper import Paper

BLANK_NAME = "blank-roster.pdf"
"""What the file is called, whoever prints it."""


def blank_pdf(
    catalog: Catalog,
    book: RulingBook,
    *,
    paper: Paper = "a4",
    revision: str = "",
    use: InkUse = "colour",
) -> bytes:
    """One page: who and what, lines for units with boxes to tick, works, limits, a loss track and
    notes; below, every price. Raises ValueError for another paper than A4 or Letter."""
    from skirmish.sheets.blank_page import pages  # noqa: PLC0415  (loads the PDF library)

    return pages(catalog, book, paper, revision, use)
