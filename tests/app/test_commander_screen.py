"""The program as commander, on the battle screen: from set-up to its orders and its fire."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from steps import NARROW, WIDE, eventually, press, state, the_app, until
from test_setup_screen import on_line, to_scenario
from textual.pilot import Pilot
from textual.widgets import Static

from skirmish.app.battle.screen import BattleScreen

Steps = Callable[[Pilot[None]], Awaitable[None]]


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


# ------------------------------------------------------------------ pictures


async def commanded(pilot: Pilot[None], number: int, side: str, character: int = 1) -> None:
    """A scenario in which the program commands a side; ``character`` in the order of the form."""
    await to_scenario(pilot, number)
    await on_line(pilot, f"commander:{side}", *["right"] * character)
    await press(pilot, "b")
    await until(pilot, BattleScreen)
    await eventually(pilot, lambda: side in state(pilot).commanders)


async def says(pilot: Pilot[None], words: str) -> None:
    await eventually(pilot, lambda: words in screen_text(pilot))


async def advice(pilot: Pilot[None]) -> None:
    await to_scenario(pilot, 10)
    await press(pilot, "b")
    await until(pilot, BattleScreen)
    await press(pilot, "W")
    await says(pilot, "WHAT WOULD IT DO?")


async def where_everybody_stands(pilot: Pilot[None]) -> None:
    await commanded(pilot, 10, "american")
    await press(pilot, "W")
    await says(pilot, "WHERE ARE THEY?")


async def no_such_group(pilot: Pilot[None]) -> None:
    await where_everybody_stands(pilot)
    await press(pilot, "z", "d", "4", "enter")
    await says(pilot, "There is no group z; the list has the groups.")


async def an_order(pilot: Pilot[None]) -> None:
    await where_everybody_stands(pilot)
    await press(pilot, "enter")
    await says(pilot, "d5: it is there now")


async def all_ways(pilot: Pilot[None]) -> None:
    await an_order(pilot)
    await press(pilot, "tab")
    await says(pilot, "3 ")


async def who_stays(pilot: Pilot[None]) -> None:
    await commanded(pilot, 10, "german")
    await press(pilot, "E", "enter")
    await eventually(pilot, lambda: state(pilot).mover == "german")
    await press(pilot, "W", "enter")
    await eventually(pilot, lambda: state(pilot).commanders["german"].orders)
    for order in state(pilot).commanders["german"].orders:
        if order.verb != "hold":
            await press(pilot, "enter")
    await says(pilot, "stay where they are")


async def what_it_waits_for(pilot: Pilot[None]) -> None:
    await commanded(pilot, 10, "german")
    await press(pilot, "W")
    await says(pilot, "GO ON")


async def its_fire(pilot: Pilot[None]) -> None:
    await commanded(pilot, 10, "german")
    await press(pilot, "greater_than_sign", "W")
    await says(pilot, "ITS FIRE")


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["80x24", "120x40"])
@pytest.mark.parametrize(
    "steps",
    [
        advice,
        where_everybody_stands,
        no_such_group,
        an_order,
        all_ways,
        who_stays,
        what_it_waits_for,
        its_fire,
    ],
)
def test_what_it_says_looks_as_it_did(
    snap_compare: Callable[..., bool], where: str, steps: Steps, size: tuple[int, int]
) -> None:
    assert snap_compare(the_app(where), terminal_size=size, run_before=steps)
