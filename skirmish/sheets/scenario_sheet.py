"""The scenario sheet. The door; the page itself is made in ``scenario_page``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.rules.rulings import RulingBook
from skirmish.games.plastic.scenarios.scenario import Scenario, swapped
from skirmish.sheets.ink import InkUse
from skirmish.sheets.paper import Paper

if TYPE_CHECKING:
    from skirmish.sheets.scenario_blocks import Sheet


def scenario_pdf(
    scenario: Scenario,
    catalog: Catalog,
    book: RulingBook,
    *,
    paper: Paper = "a4",
    answers: Mapping[str, str] | None = None,
    revision: str = "",
    use: InkUse = "colour",
    form: bool = False,
) -> bytes:
    """``scenario`` as a PDF: one page where it fits at full type size, else two or more.

    ``answers`` are rulings answered otherwise than usual; units and clock follow them; with
    ``form`` boxes and options can be ticked on the screen. Raises
    ValueError (a sentence) for an answer that does not exist or another paper than A4 or Letter.
    """
    return scenarios_pdf(
        [scenario],
        catalog,
        book,
        paper=paper,
        answers=answers,
        revision=revision,
        use=use,
        form=form,
    )


def scenarios_pdf(
    scenarios: Iterable[Scenario],
    catalog: Catalog,
    book: RulingBook,
    *,
    paper: Paper = "a4",
    answers: Mapping[str, str] | None = None,
    revision: str = "",
    use: InkUse = "colour",
    form: bool = False,
) -> bytes:
    """Scenarios as one PDF to be bound: a list of them, then each with a bookmark, its two pages
    facing one another if it has two; otherwise as ``scenario_pdf``."""
    # All load the PDF library.
    from skirmish.sheets.flow import bound  # noqa: PLC0415
    from skirmish.sheets.scenario_book import gathered  # noqa: PLC0415
    from skirmish.sheets.scenario_page import part, title  # noqa: PLC0415

    sheets = [_answered(one, catalog, book, answers or {}, form) for one in scenarios]
    alone = len(sheets) == 1
    parts = [part(sheets[0], paper, revision)] if alone else gathered(sheets, paper, revision)
    return bound(parts, title(sheets), use, facing=True)


def _answered(
    scenario: Scenario,
    catalog: Catalog,
    book: RulingBook,
    answers: Mapping[str, str],
    form: bool,
) -> Sheet:
    from skirmish.sheets.scenario_blocks import Sheet  # noqa: PLC0415

    chosen = book.answered(answers)
    changed = swapped(scenario, chosen)
    return Sheet(changed, catalog.with_variants(changed.variants), book, chosen, form)
