"""Points worth beside an army: opened from the builder, its own units told apart."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from steps import NARROW, WIDE, press, shown, the_app, until
from textual.content import Content
from textual.pilot import Pilot
from textual.widgets import Static

from skirmish import library
from skirmish.app.armies.builder import ArmyBuilderScreen
from skirmish.app.armies.session import ArmySession
from skirmish.app.armies.worth import WorthScreen, heads, row
from skirmish.app.home import HomeScreen
from skirmish.games.plastic.odds.worth import worth
from skirmish.games.plastic.rules.army import ArmyList, muster

TERMS = ArmyList(name="Zug", nation="german", units={"rifle": 60, "tank": 2})
ARMY = muster(TERMS, library.catalog(), library.rulings())
TABLE = worth(ARMY.catalog, ARMY.rulings, ARMY.nation)


async def to_worth(pilot: Pilot[None]) -> None:
    await until(pilot, HomeScreen)
    kept = ArmySession(pilot.app.stored, ARMY)  # type: ignore[attr-defined]
    await pilot.app.push_screen(ArmyBuilderScreen(kept))
    await press(pilot, "W")
    await until(pilot, WorthScreen)


def test_every_line_fits_the_narrow_screen_beside_its_scrollbar() -> None:
    lines = [row(line, TABLE, own=True).plain for line in TABLE.lines]
    lines += heads(TABLE, str).plain.splitlines()
    assert {len(line) for line in lines} == {79}
    assert lines[0].split()[:3] == ["Rifle", "1│", ".42"]


def test_distances_are_told_as_the_player_measures() -> None:
    told = heads(TABLE, lambda text: text.replace("36\u00a0in", "90\u00a0cm")).plain
    assert told.count("  90") == 3


async def test_the_armys_own_units_are_bold_and_can_be_seen_alone(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await to_worth(pilot)
        assert "up to so many in; 0 is contact." in shown(pilot, "worth-told")
        assert len(shown(pilot, "worth").splitlines()) == len(TABLE.lines)
        content = pilot.app.screen.query_one("#worth", Static).content
        assert isinstance(content, Content)
        first, second = content.split("\n")[:2]
        assert any(span.style == "bold" for span in first.spans)
        assert not any(span.style == "bold" for span in second.spans)
        await press(pilot, "a")
        names = [line.split()[0] for line in shown(pilot, "worth").splitlines()]
        assert names == ["Rifle", "Tank"]
        await press(pilot, "escape")
        await until(pilot, ArmyBuilderScreen)


@pytest.mark.parametrize("size", [NARROW, WIDE])
def test_the_screen_looks_as_it_did(
    where: str, size: tuple[int, int], snap_compare: Callable[..., bool]
) -> None:
    async def steps(pilot: Pilot[Any]) -> None:
        await to_worth(pilot)
        await pilot.pause()

    before: Callable[[Pilot[Any]], Awaitable[None]] = steps
    assert snap_compare(the_app(where), terminal_size=size, run_before=before)
