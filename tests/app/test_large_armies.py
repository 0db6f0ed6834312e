"""Armies far larger than a table holds: every screen opens, and a shot has its odds."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from steps import CARDS, keep, press, resume, shown, the_app, until
from textual.widgets import Static

from skirmish import library
from skirmish.app.battle.forces import SidePanel
from skirmish.app.play.questions import QuestionScreen
from skirmish.games.plastic.battle.army_opening import from_armies
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.setup_choices import SetupChoices
from skirmish.games.plastic.rules.army import ArmyList, muster
from skirmish.games.plastic.rules.options import Options


def large(**units: int) -> Setup:
    """The same units on both sides, with every optional rule."""
    catalog, book = library.catalog(), library.rulings()
    one, other = (
        muster(ArmyList(name=name, units=units), catalog, book) for name in ("Russians", "Poles")
    )
    options = Options(pinning=True, hull_down=True, rear_armor=True, snipers=True)
    return from_armies(
        one, other, book, sources=(CARDS, CARDS), chosen=SetupChoices(options=options)
    )


@pytest.mark.parametrize("men", [100, 192, 9_999])
async def test_a_volley_at_a_long_row_has_its_odds(where: str, men: int) -> None:
    keep(where, large(rifle=men, machinegun=4))
    async with the_app(where).run_test(size=(120, 40)) as pilot:
        await resume(pilot)
        await press(pilot, "m", "r")
        assert "67% (32 of 48)" in shown(pilot, "asked")
        await press(pilot, "escape", "escape", *"15rr")
        assert f"6.25 of {men} killed" in shown(pilot, "asked")
        await press(pilot, "8")
        assert "of 8 killed" in shown(pilot, "asked")


async def test_one_question_at_a_time_has_them_too(where: str) -> None:
    keep(where, large(rifle=192, machinegun=4))
    async with the_app(where).run_test(size=(120, 40)) as pilot:
        await resume(pilot)
        await press(pilot, "f2")
        await until(pilot, QuestionScreen)
        await press(pilot, "m", "r", "n")
        said = " ".join(str(one.render()) for one in pilot.app.screen.query(Static))
        assert "67%" in said


@pytest.mark.parametrize("men", [50, 1_000])
async def test_no_row_is_cut_beside_a_scroll_bar(where: str, men: int) -> None:
    shelf = library.catalog().units.values()
    keep(where, large(**{unit.id: men for unit in shelf if unit.source != "scenario"}))
    async with the_app(where).run_test(size=(80, 24)) as pilot:
        await resume(pilot)
        for keys in ([], ["f4"]):
            await press(pilot, *keys)
            assert pilot.app.screen.query_one("#board-room").max_scroll_y
            for panel in pilot.app.screen.query(SidePanel):
                rows = str(panel.render()).splitlines()
                room = panel.content_size.width
                assert not panel.display or max(map(cell_len, rows)) <= room
