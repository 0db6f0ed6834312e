"""All scenarios as a book of spreads: on the left page the situation, the map upright at an inch to
the foot and how to set up, on the right page everything else. Before them come cover, colophon,
title page, introduction, contents and how to play in two pages; at the end the notes, which are
history and sources, and the rulings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from skirmish import library
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.sheets.inks import InkUse
from skirmish.sheets.layout.drawing import Canvas
from skirmish.sheets.layout.pages import SheetPart
from skirmish.sheets.layout.pdf_document import PdfDocument, bound
from skirmish.sheets.layout.press import booklet_scale, draw_as_booklet, draw_with_bleed
from skirmish.sheets.paper import leaf_of
from skirmish.sheets.plastic import GAME
from skirmish.sheets.reference import reference_story
from skirmish.sheets.scenario.book_contents import BookContents, PageNumbers
from skirmish.sheets.scenario.book_edition import BookEdition
from skirmish.sheets.scenario.book_end import BookEnd
from skirmish.sheets.scenario.book_front import BookFront
from skirmish.sheets.scenario.content import ScenarioContent
from skirmish.sheets.scenario.cover import Cover
from skirmish.sheets.scenario.spread import ScenarioSpread

# Where the parts stand in the book, counted from 0: cover, colophon, title page, then these.
_INTRODUCTION, _CONTENTS, _HOW_TO_PLAY, _FIRST_SPREAD = 3, 4, 5, 6


def book_pdf(
    scenarios: Sequence[Scenario],
    catalog: Catalog | None = None,
    rulings: PlasticRulingBook | None = None,
    *,
    paper: str = "a4",
    use: InkUse = "colour",
    form: bool = False,
    answers: Mapping[str, str] | None = None,
    revision: str | None = None,
    bleed: float = 0.0,
    booklet: bool = False,
) -> bytes:
    """The book of these scenarios.

    ``use``: whether ink is spared; ``form``: with fields to fill in; ``answers``: answers that are
    not the default, by ruling or question; ``revision``: the edition that footers and colophon
    name, None for the current one; ``bleed``: points that the cover is drawn beyond the page, with
    crop marks around; ``booklet``: two pages on each sheet, to be folded in the middle. Raises
    ValueError (a sentence) for an unknown paper or answer, or for a booklet with bleed.
    """
    if bleed and booklet:
        raise ValueError("a booklet is folded and has no bleed; choose one of the two.")
    page = leaf_of(paper)
    catalog = catalog or library.catalog()
    rulings = rulings or library.rulings()
    answered = rulings.answered(answers or {})
    print_factor = 1.0
    if booklet:
        print_factor = booklet_scale(page.width, page.height)
    contents = []
    for scenario in scenarios:
        contents.append(ScenarioContent(scenario, catalog, rulings, answered))
    edition = BookEdition(
        contents, catalog, rulings, page, print_factor=print_factor, revision=revision
    )
    document = PdfDocument(
        f"{GAME}: the scenarios",
        f"{GAME}: scenarios",
        _book_parts(edition),
        edition.author,
        is_book=True,
    )
    # By default each page is drawn on a sheet of its own size.
    draw_pages: Callable[[Canvas, PdfDocument], None] | None = None
    if bleed:
        draw_pages = partial(draw_with_bleed, bleed=bleed)
    elif booklet:
        draw_pages = draw_as_booklet
    # Fields of a form and links have no place on a sheet that is folded.
    return bound(document, use, form=form and not booklet, draw=draw_pages)


def _book_parts(edition: BookEdition) -> list[SheetPart]:
    """Everything in its order: what stands before the spreads, the spreads, notes, rulings."""
    spreads = [ScenarioSpread(edition, index) for index in range(len(edition.contents))]
    end = BookEnd(edition, spreads)
    contents = BookContents(edition, spreads_from=_FIRST_SPREAD)
    front = BookFront(edition)
    cover = edition.nameless_part([_cover(edition)])
    # The cover does not shift its words away from the back, as the pages inside do.
    cover.leaf = edition.cover_page
    how_to_play = reference_story(edition.page, edition.catalog, edition.rulings, "HOW TO PLAY")
    parts = [
        cover,
        edition.nameless_part(front.colophon()),
        edition.nameless_part(front.title_page()),
        edition.part(front.introduction(), "Introduction"),
        contents.draft(has_rulings=bool(end.scenarios_by_ruling)),
        edition.part(how_to_play, "How to play"),
    ]
    assert len(parts) == _FIRST_SPREAD
    for spread in spreads:
        parts.append(edition.part(spread.story(), spread.content.name))
    parts += end.parts()
    parts[_CONTENTS] = contents.part(
        _page_numbers(parts, len(spreads), has_rulings=bool(end.scenarios_by_ruling))
    )
    return parts


def _page_numbers(
    parts: Sequence[SheetPart], spread_count: int, *, has_rulings: bool
) -> PageNumbers:
    """The pages on which these parts of a book begin."""
    first_pages = []
    next_page = 1
    for part in parts:
        first_pages.append(next_page)
        next_page += len(part.pages)
    notes = _FIRST_SPREAD + spread_count
    rulings = None
    if has_rulings:
        # The last part begins with them or, where both fit, with the notes above them on the page.
        rulings = first_pages[-1]
    return PageNumbers(
        introduction=first_pages[_INTRODUCTION],
        how_to_play=first_pages[_HOW_TO_PLAY],
        spreads=first_pages[_FIRST_SPREAD:notes],
        notes=first_pages[notes],
        rulings=rulings,
    )


def _cover(edition: BookEdition) -> Cover:
    """The cover, with the last map of the book, the scale of its maps if it has any, and whose work
    it is."""
    maps = [sheet_map for sheet_map in edition.maps if sheet_map]
    cover_map = None
    scale = ""
    if maps:
        cover_map = maps[-1]
        scale = "maps at one inch to the foot"
        if edition.is_reduced:
            scale = f"maps at {cover_map.stated_scale}"
    # A small first letter: here it stands within a line, on the title page it begins one.
    credit = edition.texts["credit"]
    credit = f"{credit[:1].lower()}{credit[1:]}"
    return Cover(edition.cover_page, edition.scenarios, cover_map, facts=(scale, credit))
