"""A campaign in the app: from home to its first battle, there and back again."""

from __future__ import annotations

from textual.pilot import Pilot

from skirmish.app.battle.screen import BattleScreen
from skirmish.app.home import HomeScreen
from skirmish.app.play.games import GamesScreen
from skirmish.app.play.screen import PlayScreen
from skirmish.app.play.setup import GameSetup
from skirmish.games.plastic.battle.orders import Finish
from skirmish.games.plastic.campaign.state import CampaignState
from tests.app.steps import WIDE, eventually, press, shown, the_app, until
from tests.app.test_setup_screen import on_line


def state(pilot: Pilot[None]) -> CampaignState:
    screen = pilot.app.screen
    assert isinstance(screen, PlayScreen)
    assert isinstance(screen.state, CampaignState)
    return screen.state


async def to_the_form(pilot: Pilot[None]) -> None:
    await until(pilot, HomeScreen)
    await press(pilot, "c")
    await until(pilot, GamesScreen)
    await press(pilot, "n")
    await until(pilot, GameSetup)


async def to_the_campaign(pilot: Pilot[None]) -> None:
    await to_the_form(pilot)
    await press(pilot, "b")
    await until(pilot, PlayScreen)


async def test_a_campaign_leads_to_its_battle_and_back_and_counts_its_end(where: str) -> None:
    async with the_app(where).run_test(size=WIDE) as pilot:
        await to_the_campaign(pilot)
        assert "bring what is proposed" in shown(pilot, "asked")
        for _ in range(3):
            await press(pilot, "space")
        await eventually(pilot, lambda: state(pilot).step == "battle")
        await press(pilot, "ctrl+g")
        await until(pilot, BattleScreen)
        screen = pilot.app.screen
        assert isinstance(screen, BattleScreen)
        winner = screen.state.setup.sides[0].id
        await screen.give([Finish(winner=winner)])
        await press(pilot, "ctrl+g")
        await until(pilot, PlayScreen)
        await eventually(pilot, lambda: "Count battle 1" in shown(pilot, "asked"))
        await press(pilot, "space")
        await eventually(pilot, lambda: state(pilot).fought[-1].facts is not None)


async def test_the_program_commands_a_side_in_every_battle_of_a_campaign(where: str) -> None:
    async with the_app(where).run_test(size=WIDE) as pilot:
        await to_the_form(pilot)
        screen = pilot.app.screen
        assert isinstance(screen, GameSetup)
        names = [field.slot.name for field in screen.form.fields]
        program = next(name for name in names if name.startswith("program_"))
        await on_line(pilot, program, "right", "right")
        await press(pilot, "b")
        await until(pilot, PlayScreen)
        assert list(state(pilot).setup.programs.values()) == ["bold"]
        for _ in range(3):
            await press(pilot, "space")
        await eventually(pilot, lambda: state(pilot).step == "battle")
        await press(pilot, "ctrl+g")
        await until(pilot, BattleScreen)
        battle = pilot.app.screen
        assert isinstance(battle, BattleScreen)
        [commander] = battle.state.commanders.values()
        assert commander.temperament == "bold"
        assert commander.groups


async def test_a_battle_of_no_campaign_says_so(where: str) -> None:
    async with the_app(where).run_test(size=WIDE) as pilot:
        await to_the_campaign(pilot)
        await press(pilot, "ctrl+g")
        assert "No other game belongs to this one." in shown(pilot, "asked")
