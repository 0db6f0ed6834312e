"""Home, the windows over it, and what happens when something is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from steps import (
    NARROW,
    WIDE,
    battles_listed,
    begin,
    press,
    shown,
    the_app,
    until,
    wait_for,
)

from skirmish.app.application import SkirmishApp
from skirmish.app.armies_setup import ArmiesSetup
from skirmish.app.battle_screen import BattleScreen
from skirmish.app.choice import ChoiceScreen
from skirmish.app.help import HelpScreen, TooSmallScreen
from skirmish.app.home import HomeScreen
from skirmish.app.new_battle import NewBattleScreen
from skirmish.games.plastic.army_file import GAME, as_body
from skirmish.games.plastic.rules.army import ArmyList
from skirmish.store.desk import Store

HOSTILE = ("[/b]", "[red]x[/red] [@click=app.quit]y[/]", "🪖" * 40, "שלום עולם", "a" * 80, "\\[")


async def test_an_empty_home_says_what_to_do(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await wait_for(pilot, "none", "Press n to begin one")


async def test_a_battle_is_listed_with_where_it_stands_and_can_be_taken_off(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await begin(pilot)
        await press(pilot, "E", "H")
        await battles_listed(pilot)
        listed = pilot.app.screen.query_one("#battles").get_option_at_index(0)
        assert "Overmatched" in str(listed.prompt)
        assert "turn 1, Poles move" in str(listed.prompt)
        await press(pilot, "delete")
        await battles_listed(pilot, 0)
        await press(pilot, "u")
        await battles_listed(pilot, 1)


async def test_every_key_of_a_screen_is_explained(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await begin(pilot)
        await press(pilot, "question_mark")
        await until(pilot, HelpScreen)
        said = "\n".join(str(part.render()) for part in pilot.app.screen.query("Static"))
        for words in (
            "Fire: draw for the shot",
            "Next phase",
            "End this player turn",
            "Say who won",
        ):
            assert words in said
        assert "Focus" not in said
        await press(pilot, "escape")
        await until(pilot, BattleScreen)


async def test_a_terminal_too_small_is_told_its_size_until_it_is_large_enough(where: str) -> None:
    async with the_app(where).run_test(size=(60, 20)) as pilot:
        await until(pilot, TooSmallScreen)
        said = str(pilot.app.screen.query_one("Static").render())
        assert "60 columns and 20 rows" in said
        assert "80 by 24" in said
        await pilot.resize_terminal(80, 24)
        await until(pilot, HomeScreen)


@pytest.mark.parametrize("broken", ["folder", "not a database"])
async def test_a_database_that_cannot_be_used_is_told_and_left_alone(
    tmp_path: Path, broken: str
) -> None:
    place = tmp_path / "thing"
    if broken == "folder":
        place.mkdir()
    else:
        place.write_text("dear diary " * 500)
    async with the_app(str(place)).run_test(size=NARROW) as pilot:
        await wait_for(pilot, "none", "The database cannot be used")
        await press(pilot, "n")
        await until(pilot, NewBattleScreen)
    assert place.is_dir() or place.read_text() == "dear diary " * 500


async def test_a_scenario_sheet_is_printed_from_home(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await until(pilot, HomeScreen)
        await press(pilot, "p")
        await until(pilot, ChoiceScreen)
        await press(pilot, "down", "enter")
        await until(pilot, HomeScreen)
        await pilot.app.workers.wait_for_complete()
    sheets = [path.name for path in Path(where).parent.glob("*.pdf")]
    assert sheets == ["scenario-02-stupid-is-as-stupid-does.pdf"]


async def test_a_folder_that_cannot_be_written_to_is_told(where: str) -> None:
    app = SkirmishApp(where=where, folder=Path(where) / "no folder", seed=lambda: 1)
    async with app.run_test(size=NARROW) as pilot:
        await begin(pilot)
        await press(pilot, "P")
        await pilot.app.workers.wait_for_complete()
        said = "\n".join(str(part.render()) for part in pilot.app.screen.query("Static"))
        assert "Nothing can be written to" in said


async def test_without_an_army_the_basic_game_says_how_to_get_one(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await until(pilot, HomeScreen)
        await press(pilot, "n")
        await until(pilot, NewBattleScreen)
        await wait_for(pilot, "what", "Overmatched")
        await press(pilot, "end")
        await wait_for(pilot, "what", "The basic game")
        await press(pilot, "enter")
        await pilot.pause(0.2)
        said = "\n".join(str(part.render()) for part in pilot.app.screen.query("Static"))
        assert "Build one first" in said


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_names_that_people_type_are_shown_as_they_are(
    where: str, name: str, size: tuple[int, int]
) -> None:
    army = ArmyList(name=name, units={"rifle": 70, "machinegun": 2})
    with Store.open(where) as store:
        store.add_army(GAME, name, as_body(army))
    async with the_app(where).run_test(size=size) as pilot:
        await until(pilot, HomeScreen)
        await press(pilot, "n")
        await until(pilot, NewBattleScreen)
        await wait_for(pilot, "what", "Overmatched")
        await press(pilot, "end", "enter")
        await until(pilot, ArmiesSetup)
        await press(pilot, "b")
        await until(pilot, BattleScreen)
        assert name[:8].upper() in shown(pilot, "who")
        await press(pilot, "r", "r", "space", "z", "F")
        await until(pilot, ChoiceScreen)
        await press(pilot, "1")
        await until(pilot, BattleScreen)
        await press(pilot, "H")
        await battles_listed(pilot)
