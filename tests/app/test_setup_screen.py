"""The options of a battle before it begins."""

from __future__ import annotations

from steps import NARROW, begin, press, shown, state, the_app, until, wait_for

from skirmish.app.battle_screen import BattleScreen
from skirmish.app.home import HomeScreen
from skirmish.app.new_battle import NewBattleScreen
from skirmish.app.scenario_setup import ScenarioSetup


async def test_the_option_of_a_list_is_fielded(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await begin(pilot, "down", "right")  # truck and cannon instead of the halftrack
        units = [piece.unit for piece in state(pilot).setup.pieces if piece.side == "german"]
        assert units.count("truck") == 3
        assert units.count("cannon") == 1
        assert "halftrack" not in units


async def test_sources_of_chance_are_chosen_by_side(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await begin(pilot, "down", "down", "right", "down", "left")
        sources = state(pilot).sources
        assert (sources["german"].kind, sources["german"].seed) == ("die", 7)
        assert (sources["polish"].kind, sources["polish"].typed) == ("die", True)


async def test_a_ruling_answered_otherwise_holds_in_the_battle(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await until(pilot, HomeScreen)
        await press(pilot, "n")
        await until(pilot, NewBattleScreen)
        await wait_for(pilot, "what", "Overmatched")
        await press(pilot, "enter")
        await until(pilot, ScenarioSetup)
        lines = pilot.app.screen.query_one("#lines")
        lines.highlighted = lines.get_option_index("P41")
        await pilot.pause()
        assert "A-5" in shown(pilot, "meaning") or "rifle" in shown(pilot, "meaning")
        await press(pilot, "enter", "b")
        await until(pilot, BattleScreen)
        assert state(pilot).setup.rulings["P41"] == "keeps_a8"


async def test_nationalities_are_off_unless_chosen(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await begin(pilot, "down", "down", "down", "down", "right")
        assert state(pilot).setup.side_by_id["german"].nation == "german"
        await press(pilot, "H")
        await until(pilot, HomeScreen)
        await begin(pilot)
        assert state(pilot).setup.side_by_id["german"].nation is None
