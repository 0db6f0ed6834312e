"""The scenario sheet: everything to play from, on one page, or on the two sides of one leaf.

The map with its numbers stands at the upper left; beside it situation, victory and special rules.
Below them are what to lay, the orders of battle as tables with boxes to cross out, the weapons in
figures, notes, and at the foot the turn track. What does not fit beside the map continues below an
order of battle. A scenario of one's own may be larger than a leaf: then everything follows in
sequence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from skirmish import library
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.sheets.layout.flow import Block
from skirmish.sheets.layout.pages import SheetPart
from skirmish.sheets.layout.pdf_document import PdfDocument, as_pdf
from skirmish.sheets.paper import Leaf
from skirmish.sheets.plastic import AUTHOR, GAME
from skirmish.sheets.scenario.book import book_pdf
from skirmish.sheets.scenario.content import ScenarioContent
from skirmish.sheets.scenario.one_page import OnePageLayout
from skirmish.sheets.scenario.several_pages import in_sequence, two_sides
from skirmish.sheets.scenario.sheet_blocks import SheetBlocks

TABLE_RULES = "where table and map differ, the table rules"
"""In the footer of every sheet. The table of what to lay has the exact sizes."""


def scenarios_pdf(
    scenarios: Iterable[Scenario] | None = None,
    catalog: Catalog | None = None,
    rulings: PlasticRulingBook | None = None,
    **options: Any,
) -> bytes:
    """One scenario as a sheet, several as a book; None: all scenarios of the rules. ``options`` are
    the arguments by name of ``scenario_pdf`` or ``book_pdf``."""
    if scenarios is None:
        scenarios = library.published_scenarios().values()
    in_order = list(scenarios)
    if len(in_order) == 1:
        single: bytes = scenario_pdf(in_order[0], catalog, rulings, **options)
        return single
    return book_pdf(in_order, catalog, rulings, **options)


@as_pdf
def scenario_pdf(
    page: Leaf,
    scenario: Scenario,
    catalog: Catalog | None = None,
    rulings: PlasticRulingBook | None = None,
    *,
    answers: Mapping[str, str] | None = None,
    revision: str | None = None,
) -> PdfDocument:
    """A scenario on one page where it fits, else on the two sides of a leaf, else on several pages.

    ``answers``: answers that are not the default, by ruling or question; units and last turn follow
    them. ``revision``: the edition that the footer names; None: the current one. Raises ValueError
    (a sentence) for an answer that does not exist.
    """
    catalog = catalog or library.catalog()
    rulings = rulings or library.rulings()
    content = ScenarioContent(scenario, catalog, rulings, rulings.answered(answers or {}))
    author = f"{AUTHOR} (rules and scenario)"
    name_in_footer = content.name
    if scenario.is_own:
        author = scenario.author  # empty if it does not name one
        if author:
            name_in_footer = f"{content.name}, by {author}"
    footer = name_in_footer, f"{GAME} by {AUTHOR}", TABLE_RULES
    story = _story(SheetBlocks(content, page))
    part = SheetPart(page, story, content.name, *footer, revision=revision)
    return PdfDocument(content.name, f"{GAME}: scenario", [part], author)


def _story(sheet: SheetBlocks) -> Block:
    """On one page if it fits, else on the two sides of a leaf, else in sequence."""
    story = OnePageLayout(sheet).story()
    if story is None:
        story = two_sides(sheet)
    if story is None:
        story = in_sequence(sheet)
    return story
