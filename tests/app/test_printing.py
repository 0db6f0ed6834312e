"""Where a sheet goes; and a battle is printed with the numbers it is fought with, whatever the
library says by now."""

from __future__ import annotations

from collections.abc import Awaitable
from pathlib import Path
from typing import Any, BinaryIO, cast

import msgspec
import pytest
from pypdf import PdfReader

from skirmish import library
from skirmish.app import printing
from skirmish.app.application import SkirmishApp
from skirmish.games.plastic.battle.opening import from_scenario
from skirmish.tabletop.chance import Source


class Printer:
    """As much of the app as printing asks for."""

    def __init__(self, folder: Path, *, is_web: bool = False) -> None:
        self.folder = folder
        self.is_web = is_web
        self.told: list[str] = []
        self.delivered: list[tuple[str, bytes]] = []

    def notify(self, text: str, **_: Any) -> None:
        self.told.append(text)

    async def tell(self, title: str, sentence: str) -> None:
        self.told.append(f"{title}: {sentence}")

    def deliver_binary(self, sheet: BinaryIO, *, save_filename: str, **_: Any) -> None:
        self.delivered.append((save_filename, sheet.read()))


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """No window for a slow machine: there is no screen to push it on."""

    async def done(_app: object, _says: str, work: Awaitable[bytes]) -> bytes:
        return await work

    monkeypatch.setattr(printing, "working", done)


async def printed(printer: Printer) -> None:
    await printing.print_scenario(cast("SkirmishApp", printer), library.scenarios()[1])


async def test_on_a_terminal_the_sheet_is_in_the_folder(tmp_path: Path) -> None:
    printer = Printer(tmp_path)
    await printed(printer)
    assert printer.told == [str(tmp_path / "scenario-01-overmatched.pdf")]
    assert printer.delivered == []
    printer = Printer(tmp_path / "gone")
    await printed(printer)
    assert printer.told[0].startswith("Not printed: Nothing can be written")


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
    assert printer.told == ["Your browser offers it on the left."]


async def test_a_battle_is_printed_with_its_own_numbers(tmp_path: Path) -> None:
    scenario = library.scenarios()[1]
    setup = from_scenario(
        scenario,
        library.catalog(),
        library.rulings(),
        sources={side.id: Source(seed=1) for side in scenario.sides},
        revision="0ld0ne",
    )
    rifle = msgspec.structs.replace(setup.catalog.units["rifle"], name="Fusilier")
    units = {**setup.catalog.units, "rifle": rifle}
    catalog = msgspec.structs.replace(setup.catalog, units=units)
    setup = msgspec.structs.replace(setup, catalog=catalog)
    await printing.print_battle(cast("SkirmishApp", Printer(tmp_path)), setup)
    pages = PdfReader(tmp_path / "scenario-01-overmatched.pdf").pages
    text = " ".join(page.extract_text() for page in pages)
    assert "Fusilier" in text
    assert "0ld0ne" in text
