"""The blank roster: one page, room for everything that a roster has."""

from __future__ import annotations

from typing import Any

import pytest

from skirmish import library
from skirmish.sheets.layout.boxes import Boxes
from skirmish.sheets.layout.styles import SMALLEST
from skirmish.sheets.paper import MM
from skirmish.sheets.roster.blank import FIELDS, LooseBoxes, blank_pdf
from skirmish.sheets.roster.losses import TRACKED_LOSSES

CATALOG, BOOK = library.catalog(), library.rulings()


@pytest.mark.parametrize("use", ["colour", "saver"])
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_one_page_with_every_field_limit_and_price(printed: Any, paper: Any, use: Any) -> None:
    page = printed(blank_pdf(CATALOG, BOOK, paper=paper, use=use), paper)
    assert page.pages == 1
    assert not page.outside()
    assert min(page.sizes()) >= SMALLEST
    assert all(page.fonts().values())
    assert not page.holds(*(name.upper() for line in FIELDS for name, _ in line))
    assert not page.holds(*(limit.title for limit in CATALOG.limits))
    bought = [unit for unit in CATALOG.units.values() if unit.source != "scenario"]
    assert not page.holds(*(f"{u.letter.upper()} {u.short} {u.price}" for u in bought))
    works = [work for work in CATALOG.works.values() if work.source != "scenario"]
    assert not page.holds(*(f"{work.name}: {work.price}" for work in works))
    assert not page.holds(str(TRACKED_LOSSES), "NOTES", "LOSS TRACK")


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_pencil_finds_every_box(monkeypatch: pytest.MonkeyPatch, paper: Any) -> None:
    """Those of units, and on the loss track, which has a hundred."""
    sizes: dict[type[Boxes], float] = {}
    usual = Boxes.paint

    def paint(boxes: Boxes, canvas: Any, x: float, top: float, width: float) -> None:
        sizes[type(boxes)] = min(boxes.TALL, boxes.width_of_box) / MM
        usual(boxes, canvas, x, top, width)

    monkeypatch.setattr(Boxes, "paint", paint)
    blank_pdf(CATALOG, BOOK, paper=paper)
    assert sizes[LooseBoxes] >= 6.3
    assert sizes[Boxes] >= 4.8


def test_the_same_bytes_every_time() -> None:
    assert blank_pdf(CATALOG, BOOK) == blank_pdf(CATALOG, BOOK)
