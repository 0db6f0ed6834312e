"""The roster: an army on paper. The door; the page itself is made in ``roster_page``."""

from __future__ import annotations

from skirmish import library
from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.rulings import RulingBook
from skirmish.sheets.paper import Paper


def roster_pdf(
    army: Army, *, paper: Paper = "a4", revision: str = "", book: RulingBook | None = None
) -> bytes:
    """``army`` as a PDF: units with boxes to tick, limits, breaches, loss track, firing table.

    An illegal or empty army prints, and says so. ``revision`` names the state of the data in the
    footer; ``book`` holds the rulings the army was made under (usually the library's). Raises
    ValueError for another paper than A4 or Letter.
    """
    from skirmish.sheets.roster_page import pages  # noqa: PLC0415  (loads the PDF library)

    return pages(army, book or library.rulings(), paper, revision)
