"""The options of a battle before it begins."""

from __future__ import annotations

from steps import NARROW, press, shown, state, the_app, until, wait_for

from skirmish import library
from skirmish.app.battle_screen import BattleScreen
from skirmish.app.home import HomeScreen
from skirmish.app.new_battle import NewBattleScreen
from skirmish.app.scenario_setup import ScenarioSetup
from skirmish.games.plastic.battle.setup import Setup


async def chosen(**values: str) -> Setup:
    """Overmatched with lines set by hand; players draw for themselves unless ``values`` differ."""
    screen = ScenarioSetup(library.scenarios()[1])
    screen.lines = await screen.options()
    values = {"source:german": "own_deck", "source:polish": "own_deck", **values}
    lines = {line.id: line for line in screen.lines}
    for name, value in values.items():
        lines[name].at = [offered for offered, _ in lines[name].values].index(value)
    return screen.setup()


async def test_the_first_option_of_a_list_is_fielded_unless_another_is_chosen() -> None:
    usual = [piece.unit for piece in (await chosen()).pieces if piece.side == "german"]
    setup = await chosen(**{"column:0": "1"})
    units = [piece.unit for piece in setup.pieces if piece.side == "german"]
    assert units.count("truck") == usual.count("truck") + 1 == 3
    assert (usual.count("cannon"), units.count("cannon")) == (0, 1)
    assert "halftrack" in usual
    assert "halftrack" not in units


async def test_sources_of_chance_are_chosen_by_side() -> None:
    sides = (await chosen(**{"source:polish": "own_die"})).side_by_id
    assert (sides["german"].source.kind, sides["polish"].source.kind) == ("deck", "die")
    assert sides["german"].source.typed
    assert sides["polish"].source.typed


async def test_nationalities_are_off_unless_chosen() -> None:
    assert (await chosen()).side_by_id["german"].nation is None
    assert (await chosen(nations="yes")).side_by_id["german"].nation == "german"


async def test_what_the_lines_say_holds_in_the_battle(where: str) -> None:
    """By keys: another option, a die of the program, a ruling answered otherwise."""
    ruling = library.rulings().rulings["P41"]
    async with the_app(where).run_test(size=NARROW) as pilot:
        await until(pilot, HomeScreen)
        await press(pilot, "n")
        await until(pilot, NewBattleScreen)
        await wait_for(pilot, "what", "Overmatched")
        await press(pilot, "enter")
        await until(pilot, ScenarioSetup)
        await press(pilot, "down", "right", "down", "right", "down", "left")
        lines = pilot.app.screen.query_one("#lines")
        lines.highlighted = lines.get_option_index("P41")
        await pilot.pause()
        assert shown(pilot, "meaning") == f"{ruling.question} {ruling.answers['as_rifle']}"
        await press(pilot, "enter")
        assert shown(pilot, "meaning") == f"{ruling.question} {ruling.answers['keeps_a8']}"
        await press(pilot, "b")
        await until(pilot, BattleScreen)
        assert "german:C1" in state(pilot).setup.by_id
        sources = state(pilot).sources
        assert (sources["german"].kind, sources["german"].seed) == ("die", 7)
        assert (sources["polish"].kind, sources["polish"].typed) == ("die", True)
        assert state(pilot).setup.rulings["P41"] == "keeps_a8"
