"""Several scenarios as one document to be bound: a list of them first, then sheet by sheet, so that
the two pages of one that has two face each other.

In a bound book even pages are on the left. A scenario of two pages therefore begins on one; where
it would not, a page to write on follows the sheet before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skirmish.sheets.band import TitleBand
from skirmish.sheets.faces import ITALIC
from skirmish.sheets.flow import Pages, Part
from skirmish.sheets.paper import GAP, MM, Leaf, leaf
from skirmish.sheets.piece import Cell, Gap, Piece, Row, Stack
from skirmish.sheets.scenario_blocks import GAME, Sheet
from skirmish.sheets.scenario_page import named, part
from skirmish.sheets.scenario_record import Record
from skirmish.sheets.scenario_words import ends, nation, span, when
from skirmish.sheets.words import COLUMN, FORCE, SMALL, TEXT, Style, Words

_ASIDE = TEXT._replace(face=ITALIC)
_NUMBER = Style(FORCE.face, 15, 16, "centre")
_SHARES = (0.07, 0.3, 0.26, 0.25, 0.12)
_HEADS = ("", "Scenario", "When and where", "Who begins, and against whom", "Turns")


def gathered(sheets: Sequence[Sheet], paper: str, revision: str) -> list[Part]:
    """The list, the sheets, and pages to write on where they are needed."""
    page = leaf(paper)
    parts = [_contents(sheets, page, revision)]
    count = 1
    before: Sheet | None = None
    for sheet in sheets:
        made = part(sheet, paper, revision)
        if len(made.pages) > 1 and count % 2 == 0:
            parts.append(_to_write(before, page))
            count += 1
        parts.append(made)
        count += len(made.pages)
        before = sheet
    return parts


def _contents(sheets: Sequence[Sheet], page: Leaf, revision: str) -> Part:
    made = Pages(page)
    years = sorted({sheet.scenario.date[:4] for sheet in sheets})
    band = TitleBand(
        "Scenarios",
        str(len(sheets)),
        GAME.upper(),
        first="The scenarios",
        second="–".join(dict.fromkeys((years[0], years[-1]))),
        last="rules and scenarios by Brett Drake",
    )
    rows = [_row(sheet, page.measure) for sheet in sheets]
    named_columns = [Words(head, COLUMN) for head in _HEADS]
    heads = Row(list(_cells(named_columns, page.measure)), above=0, below=1, weight=0.8)
    top = [band, Gap(2 * GAP), heads]
    used = sum(piece.height(page.measure) for piece in (*top, *rows))
    spare = min(max(0.0, (page.depth - used) / len(rows)), 12 * MM)
    for row in rows:
        row.above, row.below = row.above + spare / 2, row.below + spare / 2
    made.pour([*top, *rows], page.margin, page.measure, made.start)
    footer = f"{GAME} · data revision {revision}" if revision else GAME
    return Part(made, "Contents", footer)


def _row(sheet: Sheet, width: float) -> Row:
    scenario, catalog = sheet.scenario, sheet.catalog
    sides = []
    for side in scenario.order_of_play():
        points = span(scenario.points(side, catalog))
        sides.append(Words(f"{nation(side, catalog)}, {points} points", TEXT))
    end = scenario.ends_after
    pieces = [
        Words(str(scenario.number), _NUMBER),
        Stack([Words(scenario.title, FORCE), Words(scenario.tagline, _ASIDE)]),
        Stack([Words(when(scenario.date), TEXT), Words(scenario.unmarked(scenario.place), SMALL)]),
        Stack(sides),
        Words(str(end.turn) if end else ends(scenario, catalog), TEXT),
    ]
    return Row(list(_cells(pieces, width)), above=3, below=3)


def _cells(pieces: Sequence[Piece], width: float) -> Iterator[Cell]:
    left = 0.0
    for piece, share in zip(pieces, _SHARES, strict=True):
        yield Cell(left, share * width - 3 * MM, piece)
        left += share * width


def _to_write(sheet: Sheet | None, page: Leaf) -> Part:
    """A page for the games that were played of the sheet before it."""
    made = Pages(page)
    names, name = ("One side", "The other"), "Games played"
    if sheet is not None:
        order = sheet.scenario.order_of_play()
        names = nation(order[0], sheet.catalog), nation(order[1], sheet.catalog)
        name = f"{named(sheet)}, games played"
    made.place(Record(names, page.depth), page.margin, page.measure, made.start)
    return Part(made, "", f"{name} · {GAME}")
