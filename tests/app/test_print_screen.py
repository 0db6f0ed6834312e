"""The window that asks what to print: paper, ink and boxes are seen and changed in it."""

from __future__ import annotations

from pathlib import Path

import pytest
import tomli_w
from pypdf import PdfReader
from steps import HOSTILE, NARROW, eventually, fought, press, resume, shown, the_app, until
from textual.pilot import Pilot
from textual.widgets import OptionList

from skirmish.app.asking import ChoiceScreen, OfferedChoice
from skirmish.app.battle.screen import BattleScreen
from skirmish.app.home import HomeScreen
from skirmish.app.print_choice import PrintScreen
from skirmish.games.plastic.scenarios import own
from skirmish.store.settings import Settings, read_settings

LETTER = 612.0
OWN_BOOK = "All scenarios of your own, in one file"


@pytest.fixture(autouse=True)
def no_viewer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the machine that tests has for PDFs, it is left alone."""
    monkeypatch.setattr("skirmish.app.viewer.opener", lambda: None)


async def to_print(pilot: Pilot[None]) -> None:
    await until(pilot, HomeScreen)
    await press(pilot, "p")
    await until(pilot, PrintScreen)


async def test_paper_and_ink_are_changed_there_and_kept(where: str) -> None:
    folder = Path(where).parent
    async with the_app(where).run_test(size=NARROW) as pilot:
        await to_print(pilot)
        assert "p Paper: A4" in shown(pilot, "print-look")
        assert "i Ink: full colour" in shown(pilot, "print-look")
        await press(pilot, "p", "i")
        assert "p Paper: Letter" in shown(pilot, "print-look")
        assert "i Ink: saver" in shown(pilot, "print-look")
        await press(pilot, "4")
        await eventually(pilot, (folder / "blank-roster.pdf").exists)
    assert PdfReader(folder / "blank-roster.pdf").pages[0].mediabox.width == LETTER
    assert read_settings(folder / "settings.toml") == Settings(paper="letter", ink="saver")


async def test_boxes_hold_for_what_has_some_and_go_along_to_the_next_window(where: str) -> None:
    folder = Path(where).parent
    async with the_app(where).run_test(size=NARROW) as pilot:
        await to_print(pilot)
        assert "f Tick boxes: on paper" in shown(pilot, "print-look")
        await press(pilot, *["down"] * 4, "f")
        await eventually(pilot, lambda: "No tick boxes" in shown(pilot, "print-look"))
        await press(pilot, *["up"] * 4, "f")
        assert "f Tick boxes: in the PDF" in shown(pilot, "print-look")
        await press(pilot, "1")
        await until(pilot, PrintScreen)
        await eventually(pilot, lambda: "in the PDF" in shown(pilot, "print-look"))
        await press(pilot, "enter")
        await eventually(pilot, (folder / "scenario-01-overmatched.pdf").exists)
        await to_print(pilot)
        assert "f Tick boxes: on paper" in shown(pilot, "print-look")
    assert PdfReader(folder / "scenario-01-overmatched.pdf").get_fields()


async def test_the_paper_of_a_battle_can_have_boxes_at_its_opening_only(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await until(pilot, BattleScreen)
        await press(pilot, "P")
        await until(pilot, PrintScreen)
        assert "f Tick boxes" in shown(pilot, "print-look")
        await press(pilot, "down")
        assert "No tick boxes" in shown(pilot, "print-look")


async def test_mapped_keys_are_shown_and_a_click_does_the_same(where: str) -> None:
    (Path(where).parent / "settings.toml").write_text('[keys]\n"print.ink" = "x"\n')
    async with the_app(where).run_test(size=NARROW) as pilot:
        await to_print(pilot)
        assert "x Ink: full colour" in shown(pilot, "print-look")
        await press(pilot, "x")
        assert "x Ink: saver" in shown(pilot, "print-look")
        await pilot.click("#print-look", offset=(4, 1))
        await eventually(pilot, lambda: "p Paper: Letter" in shown(pilot, "print-look"))


@pytest.mark.parametrize("lines", [1, 10, 60])
async def test_what_stands_below_the_list_is_never_cut(where: str, lines: int) -> None:
    """Long names, long words above, more armies than there are rows."""
    async with the_app(where).run_test(size=NARROW) as pilot:
        await until(pilot, HomeScreen)
        choices = [OfferedChoice(str(n), HOSTILE[n % len(HOSTILE)]) for n in range(lines)]
        deep = f"A PDF in /{'a-folder-of-mine/' * 12}."
        pilot.app.push_screen(PrintScreen("Print", deep, choices))
        await until(pilot, PrintScreen)
        window, *_, last = pilot.app.screen.query(".window, .window > *")
        assert last.region.height == 1
        assert window.content_region.contains_region(last.region)


async def test_of_a_deep_folder_the_end_is_told(where: str) -> None:
    app = the_app(where)
    app.folder = Path("/home/somebody/" + "a folder of mine/" * 12 + "here")
    async with app.run_test(size=NARROW) as pilot:
        await to_print(pilot)
        about = shown(pilot, "window-text").split("A PDF in ")[1]
        assert about.startswith("…")
        assert about.endswith("/a folder of mine/here.")
        assert pilot.app.screen.query_one("#window-text").region.height == 3


async def test_the_book_of_own_scenarios_is_offered_once_there_is_one(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own_scenarios = tmp_path / "own"
    own_scenarios.mkdir()
    monkeypatch.setenv("SKIRMISH_SCENARIOS", str(own_scenarios))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await to_print(pilot)
        assert OWN_BOOK not in offered(pilot)
        await press(pilot, "escape")
        sides = {"russian": "Russians", "german": "Germans"}
        mill = own.blank(101, "own_the_mill", "The Mill", sides, (72, 48))
        (own_scenarios / "101_own_the_mill.toml").write_text(tomli_w.dumps(mill), "utf-8")
        await to_print(pilot)
        place = offered(pilot).index(OWN_BOOK)
        await press(pilot, *["down"] * place, "enter")
        book = Path(where).parent / "own-scenarios.pdf"
        await eventually(pilot, book.exists)
    assert "The Mill" in PdfReader(book).pages[0].extract_text()


def offered(pilot: Pilot[None]) -> list[str]:
    """The lines of the window, without the keys before them."""
    options = pilot.app.screen.query_one(OptionList).options
    return [str(option.prompt).split(maxsplit=1)[1].strip() for option in options]


async def test_the_words_of_ten_choices_begin_in_one_column(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await until(pilot, HomeScreen)
        choices = [OfferedChoice(str(index), "Sheet") for index in range(10)]
        pilot.app.push_screen(ChoiceScreen("Print", "", choices))
        await until(pilot, ChoiceScreen)
        lines = [str(line.prompt) for line in pilot.app.screen.query_one(OptionList).options]
        assert lines[8:] == ["  9 Sheet", " 10 Sheet"]
