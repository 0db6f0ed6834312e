"""Pictures of the screens at both sizes. After a wanted change: ``make snapshots``, and look."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from steps import (
    NARROW,
    WIDE,
    fought,
    press,
    resume,
    the_app,
    type_draw,
    until,
    wait_for,
)
from textual.pilot import Pilot

from skirmish.app.armies.builder import ArmyBuilderScreen
from skirmish.app.armies.list import ArmiesScreen
from skirmish.app.armies.new_army import NewArmyScreen
from skirmish.app.asking import TextEntry
from skirmish.app.home import HomeScreen
from skirmish.app.play.setup import GameSetup
from skirmish.app.scenarios.browser import ScenarioBrowser

Steps = Callable[[Pilot[None]], Awaitable[None]]


async def home(pilot: Pilot[None]) -> None:
    await wait_for(pilot, "none", "Or press n")


async def new_battle(pilot: Pilot[None]) -> None:
    await home(pilot)
    await press(pilot, "n")
    await until(pilot, ScenarioBrowser)
    await wait_for(pilot, "what", "Overmatched")


async def options(pilot: Pilot[None]) -> None:
    await new_battle(pilot)
    await press(pilot, "enter")
    await until(pilot, GameSetup)


async def who_dies(pilot: Pilot[None]) -> None:
    await resume(pilot)
    await press(pilot, "m", "r", "c", "space")
    await type_draw(pilot, "5h")


async def a_miss(pilot: Pilot[None]) -> None:
    await resume(pilot)
    await press(pilot, "greater_than_sign", "c", "t", "space")
    await type_draw(pilot, "8d")


async def a_volley(pilot: Pilot[None]) -> None:
    await resume(pilot)
    await press(pilot, *"9rr6", "space")
    await type_draw(pilot, "2h")
    await type_draw(pilot, "9c 3d 10s a")
    await type_draw(pilot, "11 4 12h")
    await type_draw(pilot, "12d")
    await press(pilot, "m")


async def looking_back(pilot: Pilot[None]) -> None:
    await resume(pilot)
    await press(pilot, *"-3r", *"Lk10r", "enter", "m", "t", "exclamation_mark")
    await type_draw(pilot, "4h")
    await press(pilot, "up", "up", "v")


async def builder(pilot: Pilot[None]) -> None:
    await until(pilot, HomeScreen)
    await press(pilot, "a")
    await until(pilot, ArmiesScreen)
    await press(pilot, "n")
    await until(pilot, NewArmyScreen)
    await press(pilot, "enter")
    await until(pilot, TextEntry)
    await press(pilot, "enter")
    await until(pilot, ArmyBuilderScreen)
    await press(pilot, "6", "0", "down", "7")


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["80x24", "120x40"])
@pytest.mark.parametrize(
    "steps", [home, options, who_dies, a_miss, a_volley, looking_back, builder]
)
def test_the_screen_looks_as_it_did(
    snap_compare: Callable[..., bool], where: str, steps: Steps, size: tuple[int, int]
) -> None:
    if steps in (who_dies, a_miss, a_volley, looking_back):
        fought(where)
    assert snap_compare(the_app(where), terminal_size=size, run_before=steps)
