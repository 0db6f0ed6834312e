"""Every sheet there is, measured in the document's own units: margins, type, faces, scale."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import cache
from io import BytesIO
from typing import Any

import bound
import pytest
from battles import armies, scenario
from deep import deep_pairs
from pypdf import PdfReader
from strokes import Seen, Shape, pages

from skirmish import library
from skirmish.games.plastic.odds import pack as packs
from skirmish.games.plastic.odds.table import odds_table
from skirmish.games.plastic.rules.army_reading import read_army
from skirmish.sheets.layout.styles import SMALLEST
from skirmish.sheets.markers import markers_pdf
from skirmish.sheets.odds import odds_table_pdf
from skirmish.sheets.paper import leaf_of
from skirmish.sheets.position.sheet import position_pdf
from skirmish.sheets.reference import reference_pdf
from skirmish.sheets.report import report_pdf
from skirmish.sheets.roster.army import roster_pdf
from skirmish.sheets.roster.battle import standing_rosters_pdf
from skirmish.sheets.roster.blank import blank_pdf
from skirmish.sheets.scenario.sheet import scenarios_pdf
from skirmish.tabletop.battlefield import Battlefield

CATALOG, BOOK = library.catalog(), library.rulings()
RULINGS = BOOK.defaults()
SCENARIOS = library.published_scenarios()
MAPPED = [number for number in SCENARIOS if SCENARIOS[number].map]
PAPERS, INKS = ("a4", "letter"), ("colour", "saver")
DATE = "1 May 2026"
NEAR = 0.02
TENTH_OF_A_MILLIMETRE = 0.1 * 72 / 25.4
SQUARES = 8.4
"""The width in points of the band of the frame with the squares' letters and numbers."""
FIRST_SPREAD = 7
"""The pages of the book before it."""
HORDE = {
    "name": "One of everything, and a name that goes on for longer than it ought to",
    "points": 2000,
    "units": dict.fromkeys(CATALOG.units, 9) | {"rifle": 400},
    "works": {"sandbags": 2, "barbed_wire": 40},
}


def army(raw: dict[str, Any]) -> Any:
    return read_army(raw, CATALOG, BOOK, "test.toml")


@cache
def battle(number: int) -> Any:
    return scenario(number, 160) if number else armies(200)


SHEETS: dict[str, Callable[..., bytes]] = {
    **{
        f"scenario {number}": lambda number=number, **how: scenarios_pdf(
            [SCENARIOS[number]], CATALOG, BOOK, **how
        )
        for number in SCENARIOS
    },
    "reference": lambda **how: reference_pdf(CATALOG, BOOK, **how),
    "markers": markers_pdf,
    "blank": lambda **how: blank_pdf(CATALOG, BOOK, **how),
    "roster": lambda **how: roster_pdf(army({"name": "Few", "units": {"rifle": 70}}), **how),
    "form of a scenario": lambda **how: scenarios_pdf(
        [SCENARIOS[4]], CATALOG, BOOK, form=True, **how
    ),
    "form of a roster": lambda **how: roster_pdf(
        army({"name": "Few", "units": {"rifle": 70}}), form=True, **how
    ),
    "odds table": lambda **how: odds_table_pdf(
        [odds_table(CATALOG, RULINGS, one) for one in (packs.fresh(RULINGS), packs.of_die())],
        **how,
    ),
    "empty roster": lambda **how: roster_pdf(army({"name": "Nobody"}), **how),
    "long roster": lambda **how: roster_pdf(army(HORDE), **how),
    "report": lambda **how: report_pdf(battle(7), DATE, **how),
    "report of armies": lambda **how: report_pdf(battle(0), DATE, **how),
    "position": lambda **how: position_pdf(battle(10), **how),
    "rosters of a battle": lambda **how: standing_rosters_pdf(battle(10), **how),
}


@cache
def read(name: str, paper: str, use: str) -> Any:
    return PdfReader(BytesIO(SHEETS[name](paper=paper, use=use)))


@cache
def drawn(name: str, paper: str, use: str) -> tuple[Seen, ...]:
    return tuple(pages(read(name, paper, use)))


@pytest.mark.parametrize(("name", "paper"), deep_pairs(SHEETS, PAPERS))
def test_nothing_stands_outside_the_margins_and_no_type_is_too_small(name: str, paper: str) -> None:
    size = leaf_of(paper)
    low = size.margin - NEAR
    right, top = size.width - low, size.height - low
    for use in INKS:
        for page in drawn(name, paper, use):
            assert page.texts
            small = [text for text in page.texts if text.size < SMALLEST - NEAR]
            assert small == []
            spots = [point for text in page.texts for point in (text.at, text.end)]
            spots += [p for shape in page.shapes if not shape.clipped for p in shape.points]
            out = [(x, y) for x, y in spots if not (low <= x <= right and low <= y <= top)]
            assert out == []


@pytest.mark.parametrize("name", SHEETS)
def test_a_sheet_says_what_it_is_in_which_tongue_and_carries_its_faces(
    printed: Any, name: str
) -> None:
    reader = read(name, "a4", "colour")
    root = reader.trailer["/Root"]
    assert root["/Lang"] == "en"
    assert root["/ViewerPreferences"]["/DisplayDocTitle"]
    assert reader.metadata is not None
    assert reader.metadata.title
    assert reader.metadata.author
    assert reader.outline
    for page in reader.pages:
        for font in page["/Resources"]["/Font"].values():
            assert "/FontFile2" in font.get_object()["/FontDescriptor"]


# ------------------------------------------------------------------ scale


def boxes(page: Seen, wide: float, tall: float) -> list[Shape]:
    """Those of that size."""
    return [
        one
        for one in page.shapes
        if one.is_box and abs(one.size[0] - wide) < NEAR and abs(one.size[1] - tall) < NEAR
    ]


@pytest.mark.parametrize(
    ("number", "paper"),
    deep_pairs(MAPPED, PAPERS),
)
def test_the_map_holds_the_scale_that_it_states(number: int, paper: str) -> None:
    one = SCENARIOS[number]
    field = one.map
    assert field is not None
    reader = read(f"scenario {number}", paper, "colour")
    stated = re.search(r"1:(\d+(?:\.\d)?)\b", reader.pages[0].extract_text())
    assert stated
    inch = 72 / float(stated[1])
    page = drawn(f"scenario {number}", paper, "colour")[0]
    (table,) = boxes(page, one.table.width_in * inch, one.table.depth_in * inch)
    left, low = min(table.points)
    # A square of the frame is a foot: eight letters above and below, five numbers on either side.
    assert len(boxes(page, 12 * inch, SQUARES)) == 16
    assert len(boxes(page, SQUARES, 12 * inch)) == 10

    def place(point: tuple[float, float]) -> tuple[float, float]:
        return left + point[0] * inch, low + point[1] * inch

    hold_distances(field, page, place, inch)


def hold_distances(field: Battlefield, page: Seen, place: Any, inch: float) -> None:
    """The ruler test: each distance of the rules, measured on the page, is as long as it says."""
    strokes = [shape.points for shape in page.shapes if len(shape.points) == 2]
    for part in field.dimensions:
        ends = place(part.start), place(part.end)
        wanted = math.dist(part.start, part.end) * inch
        drawn = [
            line for line in strokes
            if all(math.dist(a, b) < 0.2 for a, b in zip(ends, line, strict=True))
        ]  # fmt: skip
        assert drawn
        assert min(abs(math.dist(*line) - wanted) for line in drawn) < TENTH_OF_A_MILLIMETRE
    for circle in field.circles:
        hub = place(circle.at)
        rings = [
            shape
            for shape in page.shapes
            if len(shape.points) > 8
            and all(abs(math.dist(hub, p) - circle.radius * inch) < 0.1 for p in shape.points)
        ]
        assert rings


@pytest.mark.parametrize(
    ("number", "paper"),
    deep_pairs(MAPPED, PAPERS),
)
def test_an_inch_on_a_map_of_the_book_is_a_foot_on_the_table(number: int, paper: str) -> None:
    one = SCENARIOS[number]
    field = one.map
    assert field is not None
    page = bound.drawn(paper=paper)[FIRST_SPREAD + 2 * (number - 1)]
    inch = 72 / 12
    depth = one.table.depth_in
    (table,) = boxes(page, depth * inch, one.table.width_in * inch)
    assert table.size == pytest.approx((127 * 72 / 25.4, 203.2 * 72 / 25.4), abs=NEAR)
    left, low = min(table.points)

    def place(point: tuple[float, float]) -> tuple[float, float]:
        """On a map that is turned a quarter counterclockwise."""
        return left + (depth - point[1]) * inch, low + point[0] * inch

    hold_distances(field, page, place, inch)


def test_text_is_measured_to_its_end() -> None:
    """The measure itself: the footer's page number ends at the right margin."""
    size = leaf_of("a4")
    page = drawn("reference", "a4", "colour")[0]
    ends = [text.end[0] for text in page.texts]
    assert max(ends) == pytest.approx(size.width - size.margin, abs=0.05)


@pytest.mark.parametrize(("name", "paper"), deep_pairs(SHEETS, PAPERS))
def test_no_page_is_left_half_empty(name: str, paper: str) -> None:
    size = leaf_of(paper)
    empty = []
    for number, page in enumerate(drawn(name, paper, "colour"), start=1):
        levels = [text.at[1] for text in page.texts]
        levels += [y for shape in page.shapes for _, y in shape.points]
        lowest = min(level for level in levels if level > size.bottom)
        if lowest - size.bottom > size.depth / 4:
            empty.append((number, round((lowest - size.bottom) / size.depth, 2)))
    assert empty == []
