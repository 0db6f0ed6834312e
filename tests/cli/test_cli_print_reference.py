"""``skirmish print reference``, ``markers`` and ``blank``."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from at_the_desk import Ask
from pypdf import PdfReader


@pytest.mark.parametrize(
    ("command", "file", "called", "pages"),
    [
        ("reference", "quick-reference.pdf", "Quick reference", 2),
        ("markers", "markers.pdf", "Markers", 5),
        ("blank", "blank-roster.pdf", "Blank roster", 1),
    ],
)
def test_each_goes_into_the_current_folder_and_overwrites_nothing(
    ask: Ask, desk: Path, *, command: str, file: str, called: str, pages: int
) -> None:
    said = ask("print", command, "--paper", "letter", "--ink", "saver")
    assert said == (0, f"{called}: {desk / file}\n", "")
    data = (desk / file).read_bytes()
    read = PdfReader(io.BytesIO(data))
    assert len(read.pages) == pages
    assert read.pages[0].mediabox.width == 612
    again = ask("print", command)
    assert again.code != 0
    assert "already exists" in again.err
    assert (desk / file).read_bytes() == data


def test_markers_of_an_army_have_its_codes(ask: Ask, desk: Path) -> None:
    assert ask("print", "markers", "ziegler.toml", "-o", "z.pdf").code == 0
    pages = PdfReader(desk / "z.pdf").pages
    assert "The codes of Kampfgruppe Ziegler" in pages[1].extract_text()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["reference", "x"], "unexpected extra argument"),
        (["reference", "-o", "nowhere/r.pdf"], "nowhere does not exist; create it first"),
        (["blank", "--paper", "a3"], "'a3' is not one of 'a4', 'letter'."),
        (["markers", "nobody"], "No army is called “nobody”"),
        (["markers", "."], "cannot be read: is a directory"),
        (["everything"], "No such command 'everything'."),
    ],
)
def test_what_cannot_be_printed_is_a_sentence(
    ask: Ask, desk: Path, words: list[str], told: str
) -> None:
    said = ask("print", *words)
    assert (said.code, said.out) == (2, "")
    assert told in said.err
    assert not list(desk.glob("*.pdf"))
