"""The odds table on one page. The door; it is made in ``odds_table_page``."""

from __future__ import annotations

from skirmish.games.plastic.odds.table import OddsTable
from skirmish.sheets.paper import InkUse, Paper

ODDS_NAME = "odds-table.pdf"
"""What the file is called, whoever prints it."""
USUAL = "With the default rulings"


def odds_table_pdf(
    cards: OddsTable,
    die: OddsTable,
    *,
    paper: Paper = "a4",
    revision: str = "",
    use: InkUse = "colour",
    whose: str = USUAL,
) -> bytes:
    """Two tables, from cards and from the die, each in the open and in cover.

    ``whose`` says under which rulings; ``revision`` names the state of the numbers in the footer.
    Raises ValueError for another paper than A4 or Letter.
    """
    from skirmish.sheets.odds_table_page import pages  # noqa: PLC0415  (loads the PDF library)

    return pages(cards, die, paper=paper, revision=revision, use=use, whose=whose)
