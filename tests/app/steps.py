"""Steps that tests of the screens share: press keys, wait for a screen, begin a battle."""

from __future__ import annotations

from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import Static

from skirmish.app.application import SkirmishApp
from skirmish.app.battle_screen import BattleScreen
from skirmish.app.home import HomeScreen
from skirmish.app.new_battle import NewBattleScreen
from skirmish.app.setup_screen import SetupScreen
from skirmish.games.plastic.battle.state import State

NARROW = (80, 24)
WIDE = (120, 40)
OWN_CARDS = ("down", "down", "right", "right", "down", "right", "right")
"""On the options of Overmatched: both sides type their own cards."""


def the_app(where: str) -> SkirmishApp:
    """The app on a database of the test's own; every deck comes in the same order."""
    return SkirmishApp(where=where, folder=Path(where).parent, seed=lambda: 7)


async def press(pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await pilot.pause()


async def until(pilot: Pilot[None], kind: type) -> None:
    """Wait until a screen of that kind is in front."""
    for _ in range(200):
        if isinstance(pilot.app.screen, kind):
            await pilot.pause()
            return
        await pilot.pause(0.02)
    raise AssertionError(f"{kind.__name__} did not come; {pilot.app.screen} is in front")


async def wait_for(pilot: Pilot[None], part: str, words: str) -> None:
    """Wait until a part of the screen says ``words``."""
    for _ in range(200):
        if words in shown(pilot, part):
            return
        await pilot.pause(0.02)
    raise AssertionError(f"{part} says {shown(pilot, part)!r}, not {words!r}")


async def battles_listed(pilot: Pilot[None], count: int = 1) -> None:
    """Wait until home lists so many battles."""
    await until(pilot, HomeScreen)
    for _ in range(200):
        if pilot.app.screen.query_one("#battles").option_count == count:
            await pilot.pause()
            return
        await pilot.pause(0.02)
    raise AssertionError("the list of battles did not come")


async def begin(pilot: Pilot[None], *options: str) -> None:
    """Home, new battle, Overmatched, its options, begin."""
    await until(pilot, HomeScreen)
    await press(pilot, "n")
    await until(pilot, NewBattleScreen)
    await wait_for(pilot, "what", "Overmatched")
    await press(pilot, "enter")
    await until(pilot, SetupScreen)
    await press(pilot, *options, "b")
    await until(pilot, BattleScreen)


async def resume(pilot: Pilot[None]) -> None:
    """Home, then the battle changed last."""
    await battles_listed(pilot)
    await press(pilot, "enter")
    await until(pilot, BattleScreen)


async def type_draw(pilot: Pilot[None], draw: str) -> None:
    """A player's own card or roll."""
    await press(pilot, *draw, "enter")


def state(pilot: Pilot[None]) -> State:
    screen = pilot.app.screen
    assert isinstance(screen, BattleScreen)
    return screen.kept.state


def shown(pilot: Pilot[None], part: str) -> str:
    """What the Static of that id says."""
    return str(pilot.app.screen.query_one(f"#{part}", Static).render())
