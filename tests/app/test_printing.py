"""Where a sheet goes; and a battle is printed with the numbers it is fought with, whatever the
library says by now."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, BinaryIO, cast

import msgspec
import pytest
from pypdf import PdfReader

from skirmish import library
from skirmish.app import print_choice, printing, viewer
from skirmish.app.application import SkirmishApp
from skirmish.games.plastic.battle import record
from skirmish.games.plastic.battle.scenario_opening import from_scenario
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.rules.army_reading import read_army
from skirmish.sheets.documents import StoredGame
from skirmish.sheets.plastic import DOCUMENT_BY_ID
from skirmish.store.settings import Settings
from skirmish.tabletop.chance import Source


class Printer:
    """As much of the app as printing asks for."""

    def __init__(self, folder: Path, *, is_web: bool = False) -> None:
        self.folder = folder
        self.is_web = is_web
        self.settings = Settings()
        self.last_printed: Path | None = None
        self.told: list[str] = []
        self.delivered: list[tuple[str, bytes]] = []

    def notify(self, text: str, **_: Any) -> None:
        self.told.append(text)

    async def show_message(self, title: str, sentence: str) -> None:
        self.told.append(f"{title}: {sentence}")

    def key(self, _id: str, usual: str) -> str:
        return usual.title()

    def deliver_binary(self, sheet: BinaryIO, *, save_filename: str, **_: Any) -> None:
        self.delivered.append((save_filename, sheet.read()))


LETTER = 612.0
VIEWER = ["show"]
"""Opens files, where a test has one that does."""


@pytest.fixture(autouse=True)
def no_viewer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the machine that tests has for PDFs, it is left alone."""
    monkeypatch.setattr("skirmish.app.viewer.opener", lambda: None)


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """No window for a slow machine: there is no screen to push it on."""

    async def done(_app: object, _says: str, work: Awaitable[bytes]) -> bytes:
        return await work

    monkeypatch.setattr(printing, "working", done)


async def printed(printer: Printer) -> None:
    await printing.print_document(
        cast("SkirmishApp", printer), "scenario", [library.scenarios()[1]]
    )


def overmatched(revision: str = "") -> Setup:
    scenario = library.scenarios()[1]
    return from_scenario(
        scenario,
        library.catalog(),
        library.rulings(),
        sources={side.id: Source(seed=1) for side in scenario.sides},
        revision=revision,
    )


async def test_on_a_terminal_the_sheet_is_in_the_folder(tmp_path: Path) -> None:
    printer = Printer(tmp_path)
    await printed(printer)
    assert printer.told == [str(tmp_path / "scenario-01-overmatched.pdf")]
    assert printer.delivered == []
    printer = Printer(tmp_path / "gone")
    await printed(printer)
    assert printer.told[0].startswith("Not printed: The sheet could not be written")


async def test_signs_that_no_typeface_has_are_told_with_the_place(tmp_path: Path) -> None:
    raw = {"name": "第三 Army", "units": {"rifle": 9}}
    army = read_army(raw, library.catalog(), library.rulings(), "test.toml")
    printer = Printer(tmp_path)
    await printing.print_document(cast("SkirmishApp", printer), "roster", army)
    await printed(printer)
    place, sentence = printer.told[0].splitlines()
    assert place.endswith(".pdf")
    assert sentence == "The fonts of the sheets do not have 三 第; each is printed as ?."
    assert "fonts" not in printer.told[1]


async def test_in_a_browser_the_page_is_handed_the_sheet_even_if_it_cannot_be_kept(
    tmp_path: Path,
) -> None:
    printer = Printer(tmp_path, is_web=True)
    await printed(printer)
    sheet = (tmp_path / "scenario-01-overmatched.pdf").read_bytes()
    assert printer.delivered == [("scenario-01-overmatched.pdf", sheet)]
    printer = Printer(tmp_path / "gone", is_web=True)
    await printed(printer)
    assert [name for name, _ in printer.delivered] == ["scenario-01-overmatched.pdf"]
    assert printer.told == ["Your browser offers the file on the left."]


def sheet(path: Path) -> tuple[float, str]:
    """The width of the paper in points, and all that stands on it."""
    pages = PdfReader(path).pages
    return float(pages[0].mediabox.width), " ".join(page.extract_text() for page in pages)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, dict[str, Any]]]:
    """What sheets are asked for and how, in place of the sheets themselves."""
    found: list[tuple[str, dict[str, Any]]] = []

    def maker(name: str) -> Callable[..., bytes]:
        def make(subject: object, **how: Any) -> bytes:
            found.append((name, {"subject": subject, **how}))
            return b"%PDF"

        return make

    for room, name in (
        ("roster.blank", "blank_pdf"),
        ("markers", "markers_pdf"),
        ("labels", "labels_pdf"),
        ("odds", "odds_table_pdf"),
        ("position.sheet", "position_pdf"),
        ("reference", "reference_pdf"),
        ("roster.army", "roster_pdf"),
        ("roster.battle", "standing_rosters_pdf"),
        ("scenario.sheet", "scenarios_pdf"),
    ):
        monkeypatch.setattr(f"skirmish.sheets.{room}.{name}", maker(name))
    return found


async def test_every_sheet_follows_the_paper_and_the_ink_of_the_settings(
    tmp_path: Path, asked: list[tuple[str, dict[str, Any]]]
) -> None:
    printer = Printer(tmp_path)
    printer.settings = Settings(paper="letter", ink="saver")
    app = cast("SkirmishApp", printer)
    army, play = library.templates()[0], record.codec.play([record.opening(overmatched())])
    table = cast("Any", None)
    battle = StoredGame(1, play, "2026-05-01T10:00:00Z")
    await printing.print_document(app, "scenario", [library.scenarios()[1]])
    await printing.print_document(app, "all")
    await printing.print_document(app, "roster", army)
    await printing.print_document(app, "blank")
    await printing.print_document(app, "reference")
    await printing.print_document(app, "odds", (table, table), rulings_phrase="")
    await printing.print_document(app, "markers", army)
    await printing.print_opening(app, play.state.setup)
    await printing.print_document(app, "position", battle)
    await printing.print_document(app, "standing", battle)
    assert len(asked) == 10
    assert {(how["paper"], how["use"]) for _, how in asked} == {("letter", "saver")}
    assert len({name for name, _ in asked}) == 8


async def test_the_paper_is_the_one_asked_for(tmp_path: Path) -> None:
    printer = Printer(tmp_path)
    printer.settings = Settings(paper="letter")
    await printing.print_document(cast("SkirmishApp", printer), "blank")
    assert sheet(tmp_path / "blank-roster.pdf")[0] == LETTER


async def test_boxes_are_ticked_on_the_screen_where_that_is_asked_for(
    tmp_path: Path, asked: list[tuple[str, dict[str, Any]]]
) -> None:
    app, setup = cast("SkirmishApp", Printer(tmp_path)), overmatched()
    for form in (False, True):
        await printing.print_document(app, "scenario", [library.scenarios()[1]], form=form)
        await printing.print_document(app, "all", form=form)
        await printing.print_document(app, "roster", library.templates()[0], form=form)
        await printing.print_opening(app, setup, form=form)
    assert [how["form"] for _, how in asked] == [False] * 4 + [True] * 4


async def test_markers_have_the_tags_of_the_army(
    tmp_path: Path, asked: list[tuple[str, dict[str, Any]]]
) -> None:
    app, army = cast("SkirmishApp", Printer(tmp_path)), library.templates()[0]
    await printing.print_document(app, "markers", None)
    await printing.print_document(app, "markers", army)
    assert [how["subject"] for _, how in asked] == [None, army]


async def test_labels_are_chosen_by_their_sheet_then_by_whose_tags(
    tmp_path: Path, asked: list[tuple[str, dict[str, Any]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    titles: list[str] = []

    async def first_line(app: object, title: str, lines: Any, form: bool = False) -> None:
        titles.append(title)
        # Labels are the last line of the markers; then the first of each list is taken.
        line = lines[-1] if len(titles) == 1 else lines[0]
        await line.print_or_ask(form)

    async def no_armies(_read: object) -> list[object]:
        return []

    printer = Printer(tmp_path)
    monkeypatch.setattr(print_choice, "_choose_and_print", first_line)
    monkeypatch.setattr(printer, "stored", no_armies, raising=False)
    app = cast("SkirmishApp", printer)
    await print_choice._print_after_asking(app, DOCUMENT_BY_ID["markers"], False)
    ((_, how),) = asked
    assert how["labels"] == "3490"
    assert titles[1:] == [
        "Print tags and markers on sheets of labels",
        "Print labels, 24 a sheet, 70 × 36 mm (Avery Zweckform 3490)",
    ]


async def test_the_sheet_printed_last_is_opened_where_something_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    printer = Printer(tmp_path)
    opened: list[tuple[Path, list[str]]] = []
    monkeypatch.setattr("skirmish.app.viewer.opener", lambda: VIEWER)
    monkeypatch.setattr("skirmish.app.viewer.open_beside", lambda *what: opened.append(what))
    await viewer.open_printed(cast("SkirmishApp", printer))
    assert opened == []
    await printed(printer)
    path = tmp_path / "scenario-01-overmatched.pdf"
    assert printer.told == [f"{path}\nCtrl+O opens it."]
    await viewer.open_printed(cast("SkirmishApp", printer))
    assert opened == [(path, VIEWER)]
    monkeypatch.setattr("skirmish.app.viewer.opener", lambda: None)
    await viewer.open_printed(cast("SkirmishApp", printer))
    assert printer.told[-1] == f"No PDF viewer was found: The sheet is {path}."
    path.unlink()
    await viewer.open_printed(cast("SkirmishApp", printer))
    assert printer.told[-1] == f"The sheet is gone: {path} no longer exists. Print it again."


async def test_a_viewer_that_is_not_there_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    printer = Printer(tmp_path)
    monkeypatch.setattr("skirmish.app.viewer.opener", lambda: [str(tmp_path / "none")])
    await printed(printer)
    await viewer.open_printed(cast("SkirmishApp", printer))
    assert printer.told[-1].startswith("The sheet could not be opened: ")
    assert printer.told[-1].endswith("no such file or directory.")


async def test_a_battle_is_printed_with_its_own_numbers(tmp_path: Path) -> None:
    setup = overmatched("0ld0ne")
    rifle = setup.catalog.units["rifle"]
    rifle = msgspec.structs.replace(rifle, name="Fusilier Guy", short="Fusilier")
    units = {**setup.catalog.units, "rifle": rifle}
    catalog = msgspec.structs.replace(setup.catalog, units=units)
    setup = msgspec.structs.replace(setup, catalog=catalog)
    await printing.print_opening(cast("SkirmishApp", Printer(tmp_path)), setup)
    _, text = sheet(tmp_path / "scenario-01-overmatched.pdf")
    assert "Fusilier" in text
    assert "0ld0ne" in text
