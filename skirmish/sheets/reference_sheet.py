"""The quick reference: two sides of one sheet. The door; they are made in ``reference_page``."""

from __future__ import annotations

from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.rules.rulings import RulingBook
from skirmish.sheets.ink import InkUse
from skirmish.sheets.paper import Paper

REFERENCE_NAME = "quick-reference.pdf"
"""What the file is called, whoever prints it."""


def reference_pdf(
    catalog: Catalog,
    book: RulingBook,
    *,
    paper: Paper = "a4",
    revision: str = "",
    use: InkUse = "colour",
) -> bytes:
    """Turn, fire and modifiers on the front; checks, units, movement and armies on the back.

    The numbers are those of ``catalog`` under the usual rulings; ``revision`` names their state in
    the footer. Raises ValueError for another paper than A4 or Letter.
    """
    from skirmish.sheets.reference_page import pages  # noqa: PLC0415  (loads the PDF library)

    return pages(catalog, book, paper, revision, use)
