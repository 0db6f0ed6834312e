"""``skirmish print report``, ``position``, ``roster --battle``: paper of battles that are kept."""

from __future__ import annotations

import io
from pathlib import Path

import kept_battles
import pytest
from at_the_desk import Ask
from pypdf import PdfReader


def text(file: Path) -> str:
    pages = PdfReader(io.BytesIO(file.read_bytes())).pages
    return " ".join(" ".join(page.extract_text() for page in pages).split())


@pytest.mark.parametrize(
    ("words", "called", "holds"),
    [
        (["report", "1"], "Report: report", "STRENGTH LEFT"),
        (["position", "over"], "Position: position", "VICTORY"),
        (["roster", "--battle", "1"], "Rosters: rosters", "AS THEY STAND"),
    ],
)
def test_a_kept_battle_is_printed_by_number_or_title(
    ask: Ask, desk: Path, words: list[str], called: str, holds: str
) -> None:
    what, _, name = called.partition(": ")
    file = f"{name}-overmatched.pdf"
    kept_battles.keep(kept_battles.scenario(1, 30))
    assert ask("print", *words) == (0, f"{what}: {desk / file}\n", "")
    assert holds in text(desk / file).upper()
    before = (desk / file).read_bytes()
    again = ask("print", *words, "--ink", "saver", "--paper", "letter")
    assert again.code == 2
    assert "was left unchanged" in again.err
    assert (desk / file).read_bytes() == before
    assert ask("print", *words, "--ink", "saver", "--paper", "letter", "--force").code == 0
    assert PdfReader(desk / file).pages[0].mediabox.width == 612
    assert (desk / file).read_bytes() != before


def test_a_report_says_when_the_battle_was_fought(ask: Ask, desk: Path) -> None:
    kept_battles.keep(kept_battles.scenario(1, 5))
    ask("print", "report", "1", "-o", "r.pdf")
    assert "Fought " in text(desk / "r.pdf")


def test_a_roster_is_of_an_army_or_of_a_battle(ask: Ask) -> None:
    kept_battles.keep(kept_battles.scenario(1, 5))
    for words in ([], ["ziegler.toml", "--battle", "1"]):
        said = ask("print", "roster", *words)
        assert said.code == 2
        assert "either an army or" in said.err
    said = ask("print", "roster", "--battle", "1", "--form")
    assert said.code == 2
    assert "--form needs an army" in said.err


def test_a_form_can_be_ticked_on_the_screen(ask: Ask, desk: Path) -> None:
    assert ask("print", "roster", "ziegler.toml", "--form", "-o", "f.pdf").code == 0
    assert PdfReader(desk / "f.pdf").get_fields()


def test_a_battle_that_is_not_there_is_not_printed(ask: Ask, desk: Path) -> None:
    kept_battles.keep(kept_battles.scenario(1, 5))
    for name in ("7", "nothing", ""):
        for noun, words in (
            ("game", ["report", name]),
            ("game", ["position", name]),
            ("battle", ["roster", "--battle", name]),
        ):
            said = ask("print", *words)
            assert (said.code, said.out) == (2, "")
            assert said.err.startswith(f"No {noun} is called “{name}”")
            assert said.err.count("\n") == 1
    assert not [*desk.glob("*.pdf")]
