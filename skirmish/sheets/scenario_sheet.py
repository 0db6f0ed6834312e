"""The scenario sheet. The door; the page itself is made in ``scenario_page``."""

from __future__ import annotations

from collections.abc import Mapping

from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.rules.rulings import RulingBook
from skirmish.games.plastic.scenarios.scenario import Scenario, swapped
from skirmish.sheets.ink import InkUse
from skirmish.sheets.paper import Paper


def scenario_pdf(
    scenario: Scenario,
    catalog: Catalog,
    book: RulingBook,
    *,
    paper: Paper = "a4",
    answers: Mapping[str, str] | None = None,
    revision: str = "",
    use: InkUse = "colour",
) -> bytes:
    """``scenario`` as a PDF: one page where it fits at full type size, else two or more.

    ``answers`` are rulings answered otherwise than usual; units and clock follow them. Raises
    ValueError (a sentence) for an answer that does not exist or another paper than A4 or Letter.
    """
    # Both load the PDF library.
    from skirmish.sheets.scenario_blocks import Sheet  # noqa: PLC0415
    from skirmish.sheets.scenario_page import pages  # noqa: PLC0415

    chosen = book.answered(answers or {})
    changed = swapped(scenario, chosen)
    sheet = Sheet(changed, catalog.with_variants(changed.variants), book, chosen)
    return pages(sheet, paper, revision, use)
