"""Paper and ink of ``skirmish print``: given, or those of the settings."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from at_the_desk import Ask
from pypdf import PdfReader

A4, LETTER = (595.28, 841.89), (612.0, 792.0)


@pytest.fixture(autouse=True)
def liked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The settings of somebody with American paper and dear ink."""
    path = tmp_path / "settings.toml"
    path.write_text('paper = "letter"\nink = "saver"\n')
    monkeypatch.setenv("SKIRMISH_SETTINGS", str(path))
    return path


def blank(ask: Ask, *words: str) -> tuple[tuple[float, float], bytes]:
    """A blank roster: the size of its paper, and all of it."""
    assert ask("print", "blank", "-o", "blank.pdf", "--force", *words).code == 0
    data = Path("blank.pdf").read_bytes()
    box = PdfReader(io.BytesIO(data)).pages[0].mediabox
    return (round(float(box.width), 2), round(float(box.height), 2)), data


def test_what_is_not_given_is_as_in_the_settings(ask: Ask) -> None:
    usual = blank(ask)
    assert usual == blank(ask, "--paper", "letter", "--ink", "saver")
    assert usual[0] == LETTER
    assert blank(ask, "--ink", "colour") != usual


def test_what_is_given_holds_also_where_it_is_the_default(ask: Ask) -> None:
    assert blank(ask, "--paper", "a4")[0] == A4


def test_the_help_says_so(ask: Ask) -> None:
    said = " ".join(ask("print", "scenario", "-h").out.split())
    assert "Paper size; by default as in the settings." in said
    assert "Ink use; by default as in the settings." in said


def test_settings_that_cannot_be_read_are_told_and_nothing_is_printed(
    ask: Ask, desk: Path, liked: Path
) -> None:
    """Unless paper and ink are both given, which leaves nothing to look up."""
    liked.write_text('paper = "a5"\n')
    said = ask("print", "blank")
    assert said.code == 2
    assert f"{liked}: paper: 'a5' is not possible here; known are: a4, letter." in said.err
    assert not list(desk.glob("*.pdf"))
    assert ask("print", "blank", "--paper", "a4", "--ink", "saver").code == 0
