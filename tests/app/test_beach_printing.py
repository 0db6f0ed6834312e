"""The play sheet of Beach Head, printed in the app: empty, and as a game stands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from beaches import a_game, keep, on_until, screen
from pypdf import PdfReader
from steps import NARROW, battles_listed, eventually, press, the_app, until

from skirmish.app.application import SkirmishApp
from skirmish.app.home import HomeScreen
from skirmish.app.play.follow import FollowGame
from skirmish.app.play.screen import PlayScreen
from skirmish.app.print_choice import PrintScreen


@pytest.fixture
def sheets(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, Path]:
    """What is printed, by its name."""
    found: dict[str, Path] = {}

    async def note(_app: object, name: str, make: Callable[[], bytes]) -> None:
        found[name] = tmp_path / name
        found[name].write_bytes(make())

    monkeypatch.setattr("skirmish.app.printing.print_sheet", note)
    return found


async def test_home_prints_the_sheet_of_the_chosen_game(
    where: str, sheets: dict[str, Path]
) -> None:
    """With boxes to tick where they are wanted."""
    keep(where, on_until(a_game(), "lcs"))
    async with the_app(where).run_test(size=NARROW, notifications=True) as pilot:
        await battles_listed(pilot)
        await press(pilot, "f")
        await until(pilot, FollowGame)
        await press(pilot, "escape", "p")
        await until(pilot, PrintScreen)
        await press(pilot, "9")
        await until(pilot, PrintScreen)
        await press(pilot, "enter")
        await eventually(pilot, lambda: "beach-head-1.pdf" in sheets)
        await until(pilot, HomeScreen)
    text = PdfReader(sheets["beach-head-1.pdf"]).pages[1].extract_text()
    assert "As it stands: Turn 1, Landing craft fire" in " ".join(text.split())


async def test_the_game_prints_its_own_sheet(where: str, sheets: dict[str, Path]) -> None:
    keep(where, on_until(a_game(variant="omaha"), "lcs"))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await battles_listed(pilot)
        await press(pilot, "enter")
        await until(pilot, PlayScreen)
        assert isinstance(screen(pilot).app, SkirmishApp)
        await press(pilot, "P")
        await until(pilot, PrintScreen)
        await press(pilot, "enter")
        await eventually(pilot, lambda: "beach-head-1.pdf" in sheets)
    assert "Omaha Beach" in PdfReader(sheets["beach-head-1.pdf"]).pages[0].extract_text()
