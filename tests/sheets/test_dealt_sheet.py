"""The sheet of a dealt battle bears the code that deals it again."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import dealt
import pytest
from deep import deep_pairs
from pypdf import PdfReader
from reportlab.graphics.barcode.qrencoder import (  # type: ignore[import-untyped]
    QRCode,
    QRErrorCorrectLevel,
)
from strokes import Shape, pages

from skirmish import library
from skirmish.games.plastic.dealing.codes import decoded
from skirmish.games.plastic.dealing.deal import deal
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.sheets.layout.qr_code import CodeToScan
from skirmish.sheets.scenario.content import CODE_SIDE
from skirmish.sheets.scenario.sheet import scenarios_pdf

CODES = ("24AC4PG95JXZG04", "24AC4PG95JXZG0424AC4PG95JXZG0424AC4PG95J")
"""A short one and one of as many letters as there can be."""
NEAR = 0.05


def sheet(scenario: Scenario, paper: str = "a4", use: str = "colour") -> bytes:
    return scenarios_pdf([scenario], library.catalog(), library.rulings(), paper=paper, use=use)


def boxes_of_code(data: bytes, square: float) -> list[Shape]:
    """The bars of dark squares: as high as one, with the overlap of rows."""
    drawn = [shape for page in pages(PdfReader(BytesIO(data))) for shape in page.shapes]
    return [box for box in drawn if box.is_box and abs(box.size[1] - 1.05 * square) < NEAR]


@pytest.mark.parametrize("use", ["colour", "saver"])
@pytest.mark.parametrize(("code", "paper"), deep_pairs(CODES, ["a4", "letter"]))
def test_the_code_can_be_typed_and_scanned(printed: Any, code: str, paper: str, use: str) -> None:
    """The dark squares on the page are those of a QR code of these letters and of no other."""
    data = sheet(dealt.read(dealt.usual("crossing"), code), paper, use)
    assert not printed(data, paper).holds(code)
    square = CodeToScan(code, CODE_SIDE).square
    boxes = boxes_of_code(data, square)
    left = min(x for box in boxes for x, _ in box.points)
    top = max(min(y for _, y in box.points) for box in boxes)
    dark = set()
    for box in boxes:
        (begin, low), (end, _) = min(box.points), max(box.points)
        row = round((top - low) / square)
        columns = range(round((begin - left) / square), round((end - left) / square))
        dark.update((row, column) for column in columns)
    wanted = QRCode(None, QRErrorCorrectLevel.L)
    wanted.addData(code)
    wanted.make()
    assert dark == {
        (row, column)
        for row, squares in enumerate(wanted.modules)
        for column, is_dark in enumerate(squares)
        if is_dark
    }


def test_the_code_takes_no_third_page(printed: Any) -> None:
    """A landing of 1,300 points fills both sides of its leaf."""
    largest = deal(*dealt.coded("beach", 2), library.dealing())
    assert printed(sheet(dealt.read(largest, CODES[1]), "letter"), "letter").pages == 2


@pytest.mark.parametrize(
    "code", ["28GGJRRQCH8VCAZ8054X", "28AC4Q0FSX5JV0C", "28CG448FT4QQKEE3T0M5"]
)
def test_a_thousand_riflemen_have_boxes_on_one_leaf(printed: Any, code: str) -> None:
    """Each order of battle goes across a page where side by side they need a third one; at last
    everything is set closer."""
    books = library.dealing()
    battle = deal(*decoded(code, books), books)
    assert printed(sheet(dealt.read(battle, code), "letter"), "letter").pages == 2


def test_other_sheets_have_no_code(scenarios: dict[int, Scenario]) -> None:
    square = CodeToScan(CODES[0], CODE_SIDE).square
    assert not boxes_of_code(sheet(scenarios[10]), square)
