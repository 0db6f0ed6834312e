from __future__ import annotations

from functools import cached_property
from io import BytesIO
from typing import Any

import pytest
import quick_pdf  # noqa: F401  (changes pypdf)
from pypdf import PdfReader
from pypdf.generic import ContentStream
from squashed import squash

from skirmish import library, resources
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.scenarios.scenario_file import read_scenarios
from skirmish.sheets.paper import leaf_of


class Printed:
    """A PDF as read back, once."""

    def __init__(self, reader: PdfReader, paper: str) -> None:
        self.reader, self.paper = reader, paper
        self._begins: list[tuple[str, float, float]] = []

    @property
    def pages(self) -> int:
        return len(self.reader.pages)

    @cached_property
    def texts(self) -> list[str]:
        """The text of each page."""

        def look(text: str, cm: Any, tm: Any, _font: Any, _size: Any) -> None:
            if text.strip():
                x, y = tm[4] * cm[0] + cm[4], tm[5] * cm[3] + cm[5]
                self._begins.append((text, x, y))

        return [page.extract_text(visitor_text=look) for page in self.reader.pages]

    @cached_property
    def text(self) -> str:
        return squash("".join(self.texts))

    def holds(self, *texts: str) -> list[str]:
        """Which of ``texts`` it does not hold; nothing is the right answer."""
        text = self.text
        return [wanted for wanted in texts if squash(wanted) not in text]

    def sizes(self) -> set[float]:
        """Every type size that is used."""
        return {float(operands[1]) for operands, name in self._operations() if name == b"Tf"}

    def fonts(self) -> dict[str, bool]:
        """Every font and whether its program is in the file."""
        found = {}
        for page in self.reader.pages:
            for reference in page["/Resources"]["/Font"].values():
                font = reference.get_object()
                font = font.get("/DescendantFonts", [font])[0].get_object()
                described = font.get("/FontDescriptor", {})
                found[font["/BaseFont"]] = "/FontFile2" in described
        return found

    def outside(self) -> list[tuple[str, float, float]]:
        """Text that begins outside the margins."""
        page, begins = leaf_of(self.paper), self.texts and self._begins
        return [
            (text, x, y)
            for text, x, y in begins
            if not page.margin - 0.1 <= x <= page.width - page.margin
            or not page.margin - 0.1 <= y <= page.height - page.margin
        ]

    def _operations(self) -> list[tuple[Any, bytes]]:
        return [
            operation
            for page in self.reader.pages
            for operation in ContentStream(page.get_contents(), self.reader).operations
        ]


@pytest.fixture(scope="session")
def printed() -> Any:
    def read(data: bytes, paper: str = "a4") -> Printed:
        return Printed(PdfReader(BytesIO(data)), paper)

    return read


@pytest.fixture(scope="session")
def scenarios() -> dict[int, Scenario]:
    tables = resources.tables("plastic/scenarios")
    return read_scenarios(tables, library.catalog(), library.rulings()).scenarios
