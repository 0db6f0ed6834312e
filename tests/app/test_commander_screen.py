"""The program as commander, on the battle screen: from set-up to its orders and its fire."""

from __future__ import annotations

import pytest
from steps import NARROW, WIDE, eventually, press, state, the_app, until
from test_setup_screen import on_line, to_scenario
from textual.pilot import Pilot
from textual.widgets import Static

from skirmish.app.battle.screen import BattleScreen


def screen_text(pilot: Pilot[None]) -> str:
    """All that stands on the screen."""
    parts = []
    for part in pilot.app.screen.query(Static):
        if part.display:
            parts.append(str(part.render()))
    return " ".join(" ".join(parts).split())


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_a_side_is_left_to_the_program_and_orders_its_groups(
    where: str, size: tuple[int, int]
) -> None:
    async with the_app(where).run_test(size=size) as pilot:
        await to_scenario(pilot, 1)
        await on_line(pilot, "commander:german", "right")
        await on_line(pilot, "plan:german", "right")
        await press(pilot, "b")
        await until(pilot, BattleScreen)
        await eventually(pilot, lambda: "german" in state(pilot).commanders)
        assert state(pilot).commanders["german"].aloud
        await press(pilot, "W")
        await eventually(pilot, lambda: "WHERE ARE THEY?" in screen_text(pilot))
        await press(pilot, "2", "d", "4", "enter")
        enemy = state(pilot).commanders["german"].enemies[1]
        assert enemy.cell is not None
        assert enemy.cell.square == "D4"
        await press(pilot, "enter")
        await eventually(pilot, lambda: state(pilot).commanders["german"].orders)
        await eventually(pilot, lambda: "d5: it is there now" in screen_text(pilot))
        # Esc leaves his orders for the player's own fire; W comes back to them.
        await press(pilot, "escape")
        await eventually(pilot, lambda: "d5: it is there now" not in screen_text(pilot))
        await press(pilot, "W")
        orders = len(state(pilot).commanders["german"].orders)
        for _ in range(orders):
            if state(pilot).commanders["german"].orders:
                await press(pilot, "enter")
        assert state(pilot).commanders["german"].orders == ()


async def test_his_fire_is_drawn_by_enter(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await to_scenario(pilot, 10)
        await on_line(pilot, "commander:german", "right")
        await press(pilot, "b")
        await until(pilot, BattleScreen)
        await eventually(pilot, lambda: "german" in state(pilot).commanders)
        await press(pilot, "greater_than_sign", "W")
        await eventually(pilot, lambda: "ITS FIRE" in screen_text(pilot))
        await press(pilot, "enter")
        await eventually(pilot, lambda: state(pilot).shots == 1)
        # Whatever came of it, his next shot is on the screen without another W.
        while state(pilot).ask is not None:
            await press(pilot, "space")
        await eventually(pilot, lambda: "ITS FIRE" in screen_text(pilot))
