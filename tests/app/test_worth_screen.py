"""Points worth beside an army: opened from the builder, its own units told apart."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from steps import NARROW, WIDE, press, the_app, until
from textual.pilot import Pilot
from textual.widgets import Static

from skirmish import library
from skirmish.app.armies.builder import ArmyBuilderScreen, WorthScreen
from skirmish.app.armies.editing import ArmySession
from skirmish.app.home import HomeScreen
from skirmish.games.plastic.rules.army import ArmyList, muster
from skirmish.store.settings import Settings

TERMS = ArmyList(name="Zug", nation="german", units={"rifle": 60, "tank": 2})
ARMY = muster(TERMS, library.catalog(), library.rulings())


async def to_worth(pilot: Pilot[None]) -> None:
    await until(pilot, HomeScreen)
    kept = ArmySession(pilot.app.stored, ARMY)  # type: ignore[attr-defined]
    await pilot.app.push_screen(ArmyBuilderScreen(kept))
    await press(pilot, "W")
    await until(pilot, WorthScreen)


def page(pilot: Pilot[None]) -> list[str]:
    return str(pilot.app.screen.query_one(".summary-part", Static).content).splitlines()


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_the_armys_own_units_are_marked_and_can_be_seen_alone(
    where: str, size: tuple[int, int]
) -> None:
    async with the_app(where).run_test(size=size) as pilot:
        await to_worth(pilot)
        assert "0 is contact. * is in this army." in " ".join(" ".join(page(pilot)).split())
        assert max(map(len, page(pilot))) <= size[0] - 4
        rifle = next(line.split() for line in page(pilot) if line.startswith("Rifle *"))
        assert rifle[:4] == ["Rifle", "*", "1", "0.42"]
        assert any(line.startswith("Mortar ") for line in page(pilot))
        await press(pilot, "a")
        assert not any(line.startswith("Mortar ") for line in page(pilot))
        await press(pilot, "escape")
        await until(pilot, ArmyBuilderScreen)


async def test_distances_are_told_as_the_player_measures(where: str) -> None:
    app = the_app(where)
    async with app.run_test(size=NARROW) as pilot:
        await until(pilot, HomeScreen)
        await app.change_settings(Settings(measure="centimetres"))
        await to_worth(pilot)
        assert sum("90\u00a0cm" in line for line in page(pilot)) == 3


@pytest.mark.parametrize("size", [NARROW, WIDE])
def test_the_screen_looks_as_it_did(
    where: str, size: tuple[int, int], snap_compare: Callable[..., bool]
) -> None:
    async def steps(pilot: Pilot[Any]) -> None:
        await to_worth(pilot)
        await pilot.pause()

    before: Callable[[Pilot[Any]], Awaitable[None]] = steps
    assert snap_compare(the_app(where), terminal_size=size, run_before=before)
