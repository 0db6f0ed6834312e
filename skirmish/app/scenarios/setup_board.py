"""The map and the forces of a scenario beside its set-up, on a screen with room for them. It is
imported when it is first shown."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content

from skirmish import library
from skirmish.app.host import Host
from skirmish.app.page_view import painted
from skirmish.app.scenarios.map_picture import FRAME, board_map, inks_of, rows_of_map
from skirmish.games.plastic.scenarios import pages
from skirmish.games.plastic.scenarios.pages import PageSource
from skirmish.games.plastic.scenarios.scenario import Scenario, swapped
from skirmish.tabletop.page import Block, Heading, Page, Paragraph


def source_of(app: Host, scenario: Scenario, owned: dict[str, int]) -> PageSource:
    """What the pages of a scenario are made from, with the rulings that the players like."""
    book = library.rulings()
    rulings = book.defaults() | book.liked(app.settings.rulings)
    catalog = library.catalog().with_variants(scenario.variants)
    return PageSource(swapped(scenario, rulings), catalog, book, rulings, app.measured, owned)


def setup_board(app: Host, number: int, room: tuple[int, int]) -> Content:
    """The map above the forces of a scenario, in so many columns; the map takes no more than half
    of the rows. Raises KeyError for a scenario that does not exist."""
    columns, rows = room
    source = source_of(app, library.scenarios()[number], {})
    scenario = source.scenario
    parts: list[Content] = []
    if scenario.map is not None:
        map_rows = min(rows_of_map(scenario.table, columns - FRAME) + FRAME, rows // 2)
        parts += [board_map(scenario, (columns, map_rows), inks_of(app)), Content("")]
    parts.append(painted(Page("", tuple(_forces(source))), columns))
    return Content("\n").join(parts)


def _forces(source: PageSource) -> Iterator[Block]:
    """Both sides in short, a paragraph for each contingent; their choices stand in the form."""
    scenario, pieces = source.scenario, source.catalog.pieces
    for side in scenario.sides:
        yield Heading(source.people(side.id), aside=pages.role(side, scenario))
        for contingent in side.contingents:
            counts = {**contingent.units, **contingent.works}
            names = [pieces[piece].named(count) for piece, count in counts.items()]
            yield Paragraph(", ".join(names), lead=f"{contingent.called}:")
