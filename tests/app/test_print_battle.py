"""What is printed of a battle from its screen and from its summary."""

from __future__ import annotations

from pathlib import Path

from pypdf import PdfReader
from steps import NARROW, eventually, fought, press, resume, the_app, until

from skirmish.app.asking import ChoiceScreen
from skirmish.app.battle.screen import BattleScreen
from skirmish.app.battle.summary import SummaryScreen


async def test_a_battle_prints_what_is_chosen_and_its_summary_the_report(where: str) -> None:
    fought(where)
    folder = Path(where).parent
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "P")
        await until(pilot, ChoiceScreen)
        await press(pilot, "3")
        await until(pilot, BattleScreen)
        await eventually(pilot, (folder / "position-overmatched.pdf").exists)
        await press(pilot, "Y")
        await until(pilot, SummaryScreen)
        await press(pilot, "p")
        await eventually(pilot, (folder / "report-overmatched.pdf").exists)
    told = PdfReader(folder / "report-overmatched.pdf").pages[0].extract_text()
    assert "Fought " in told
