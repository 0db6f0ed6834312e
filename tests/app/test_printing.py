"""A battle is printed with the numbers it is fought with, whatever the library says by now."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import msgspec
from pypdf import PdfReader

from skirmish import library
from skirmish.app.application import SkirmishApp
from skirmish.app.printing import print_battle
from skirmish.games.plastic.battle.opening import from_scenario
from skirmish.tabletop.chance import Source


class Printer:
    """As much of the app as printing asks for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def notify(self, *_: Any, **__: Any) -> None:
        """Nobody looks."""


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
    await print_battle(cast("SkirmishApp", Printer(tmp_path)), setup)
    pages = PdfReader(tmp_path / "scenario-01-overmatched.pdf").pages
    text = " ".join(page.extract_text() for page in pages)
    assert "Fusilier" in text
    assert "0ld0ne" in text
