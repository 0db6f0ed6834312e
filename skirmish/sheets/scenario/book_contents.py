"""The contents of a book of scenarios: a row for each scenario, with a small map."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from skirmish.games.plastic.scenarios import wording
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.flow import Block, Flowable, Gap, NewPage
from skirmish.sheets.layout.fonts import ITALIC
from skirmish.sheets.layout.pages import SheetPart, bookmark_key
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.tables import Cells, SheetColumn, printed_table
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.maps.scenario_map import Thumbnail
from skirmish.sheets.paper import MM
from skirmish.sheets.scenario.book_edition import LONG_PAGE, BookEdition, head_band
from skirmish.sheets.scenario.book_end import NOTES, RULINGS
from skirmish.sheets.scenario.book_front import EmptySpace

_WIDEST_PAGE_NUMBER = 999
"""Stands for every page number while these are not known: none takes more room."""
THUMB_WIDTH, SMALL_THUMB_WIDTH = 17.0, 15.6
"""The width of a map in the contents, in mm: on a long page, and on a short one."""
_NUMBER = Style(styles.FORCE.face, 15, 16, "centre")
"""The type of the number of a scenario."""


class PageNumbers(NamedTuple):
    """The pages on which the parts of a book begin; ``spreads``: those of the scenarios, in their
    order. ``rulings`` is None in a book without rulings."""

    introduction: int
    how_to_play: int
    spreads: Sequence[int]
    notes: int
    rulings: int | None


class BookContents:
    """The contents of one book. ``spreads_from``: the part of the book, counted from 0, that is the
    first spread."""

    def __init__(self, edition: BookEdition, spreads_from: int) -> None:
        self.edition, self.spreads_from = edition, spreads_from

    def draft(self, *, has_rulings: bool) -> SheetPart:
        """The contents before the page numbers are known. It shows how many pages they take, which
        the numbers of all later parts depend on."""
        unknown = _WIDEST_PAGE_NUMBER
        rulings = None
        if has_rulings:
            rulings = unknown
        spreads = [unknown] * len(self.edition.contents)
        numbers = PageNumbers(
            introduction=unknown,
            how_to_play=unknown,
            spreads=spreads,
            notes=unknown,
            rulings=rulings,
        )
        return self.part(numbers)

    def part(self, numbers: PageNumbers) -> SheetPart:
        """The contents with these page numbers."""
        story = self._story(numbers)
        part = self.edition.part(story, "Contents")
        # How to play and all spreads begin on left pages, so that both of their pages are seen at
        # once. The contents begin on page 5, a right page, and so have to end on a right page.
        if len(part.pages) % 2 == 0:
            # An empty page is added.
            part = self.edition.part([*story, NewPage(), EmptySpace(1)], "Contents")
        return part

    def _story(self, numbers: PageNumbers) -> Block:
        """The table of the scenarios, and below it the pages around them."""
        around_the_scenarios = [
            f"Introduction, page {numbers.introduction}.",
            f"How to play, page {numbers.how_to_play}.",
            f"{NOTES}, page {numbers.notes}.",
        ]
        if numbers.rulings is not None:
            around_the_scenarios.append(f"{RULINGS}, page {numbers.rulings}.")
        below = paragraph(" ".join(around_the_scenarios))
        return [head_band("Contents"), Gap(8), self._table(numbers.spreads), Gap(6), below]

    def _table(self, first_pages: Sequence[int]) -> Flowable:
        """A row for each scenario, with links to its spread; ``first_pages``: those of the
        spreads."""
        rows: list[Cells] = []
        links = []
        for index, first_page in enumerate(first_pages):
            rows.append(self._row(index, first_page))
            # Map, number and title lead to the spread: the columns 0 to 2. Row 0 has the titles of
            # the columns.
            row = index + 1
            first_cell, last_cell = (0, row), (2, row)
            target = bookmark_key(self.spreads_from + index)
            links.append(("DESTINATION", first_cell, last_cell, target))
        return printed_table(
            self.edition.page.measure,
            self._columns(),
            rows,
            air=1.8,
            tinted=False,
            pad=0,
            between=3 * MM,
            more_commands=links,
        )

    def _columns(self) -> list[SheetColumn]:
        """The columns, most of them as shares of the width; that of the titles takes the rest."""
        millimetres = self.edition.page.measure / MM
        thumb_width = SMALL_THUMB_WIDTH
        if self.edition.page.depth > LONG_PAGE:
            thumb_width = THUMB_WIDTH
        return [
            SheetColumn("", thumb_width, _NUMBER),
            SheetColumn("", 0.07 * millimetres, _NUMBER),
            SheetColumn("Scenario", 0, styles.FORCE),
            SheetColumn("When and where", 0.22 * millimetres, styles.TEXT),
            SheetColumn("Who begins, and against whom", 0.2 * millimetres, styles.TEXT),
            SheetColumn("Turns", 0.08 * millimetres, styles.TEXT),
            SheetColumn("Page", 0.06 * millimetres, styles.FIGURE),
        ]

    def _row(self, index: int, first_page: int) -> Cells:
        """The cells for a scenario whose spread begins on that page."""
        content, sheet_map = self.edition.contents[index], self.edition.maps[index]
        scenario, catalog = content.scenario, content.catalog
        side_lines = []
        for side in scenario.order_of_play():
            points = wording.bounds_in_words(scenario.side(side).points(catalog))
            side_lines.append(paragraph(f"{wording.nation_name(side, catalog)}, {points} points"))
        when = paragraph(wording.date_in_words(scenario.date))
        where = paragraph(scenario.unmarked(scenario.place), styles.SMALL)
        title = paragraph(scenario.title, styles.FORCE)
        tagline = paragraph(scenario.tagline, styles.TEXT._replace(face=ITALIC))
        turns = "no end"
        if scenario.ends_after:
            turns = str(scenario.ends_after.turn)
        map_cell = []  # it is empty for a scenario without a map
        if sheet_map:
            map_cell.append(Thumbnail(sheet_map))
        number = str(scenario.number)
        return [
            map_cell,
            number,
            [title, tagline],
            [when, where],
            side_lines,
            turns,
            str(first_page),
        ]
