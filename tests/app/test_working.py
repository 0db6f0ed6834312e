"""Work that takes a moment is told, with a bar; Esc stops what can be stopped."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import pytest
from steps import (
    NARROW,
    battles_listed,
    eventually,
    fought,
    press,
    shown,
    state,
    the_app,
    until,
)
from textual import events
from textual.widgets import ProgressBar

from skirmish import registry
from skirmish.app.application import SkirmishApp
from skirmish.app.battle.screen import BattleScreen
from skirmish.app.home import HomeScreen
from skirmish.app.windows import MessageScreen, WorkingScreen, working


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skirmish.app.windows.WINDOW_AFTER", 0.01)


def begun(app: SkirmishApp, work: Coroutine[Any, Any, object]) -> asyncio.Task[object]:
    """Work as a worker of a screen does it."""
    return asyncio.create_task(work)


async def test_quick_work_shows_nothing_and_gives_what_it_made(where: str) -> None:
    app = the_app(where)
    async with app.run_test(size=NARROW) as pilot:
        await until(pilot, HomeScreen)

        async def quick() -> int:
            return 7

        assert await working(app, "Adding", quick()) == 7
        assert len(app.screen_stack) == 1


async def test_long_work_says_so_and_closes_by_itself(where: str) -> None:
    app = the_app(where)
    go_on = asyncio.Event()

    async def long() -> str:
        await go_on.wait()
        return "done"

    async with app.run_test(size=NARROW) as pilot:
        await until(pilot, HomeScreen)
        task = begun(app, working(app, "Printing", long()))
        await until(pilot, WorkingScreen)
        assert "Printing ..." in shown(pilot, "window-title")
        go_on.set()
        await until(pilot, HomeScreen)
        assert await task == "done"


async def test_what_goes_wrong_is_raised_and_the_window_closes_under_another(where: str) -> None:
    app = the_app(where)
    go_on = asyncio.Event()

    async def fails() -> None:
        await go_on.wait()
        raise OSError("no space")

    async with app.run_test(size=NARROW) as pilot:
        await until(pilot, HomeScreen)
        task = begun(app, working(app, "Writing", fails()))
        await until(pilot, WorkingScreen)
        await press(pilot, "escape")  # it cannot be stopped
        assert isinstance(app.screen, WorkingScreen)
        await app.show_message("Something else", "Read me.")
        go_on.set()
        with pytest.raises(OSError, match="no space"):
            await task
        assert isinstance(app.screen, MessageScreen)
        await press(pilot, "escape")
        await until(pilot, HomeScreen)


async def test_keys_typed_during_the_work_are_for_what_it_leads_to(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fought(where)
    go_on = asyncio.Event()
    opened = registry.screen_opener

    def slowly(game: str) -> Callable[..., Awaitable[Any]]:
        async def opening(*about: Any) -> Any:
            await go_on.wait()
            return await opened(game)(*about)

        return opening

    monkeypatch.setattr(registry, "screen_opener", slowly)
    app = the_app(where)
    async with app.run_test(size=NARROW) as pilot:
        await battles_listed(pilot)
        app.post_message(events.Key("enter", None))
        await until(pilot, WorkingScreen)
        for key in "escape", "minus", "3", "r":  # Esc was meant for the window
            sign = {"minus": "-", "escape": None}.get(key, key)
            app.post_message(events.Key(key, sign))
        await pilot.pause(0.05)
        go_on.set()
        await until(pilot, BattleScreen)
        await eventually(pilot, lambda: len(state(pilot).lost) == 3)


async def test_the_bar_is_seen(where: str) -> None:
    app = the_app(where)
    async with app.run_test(size=NARROW) as pilot:
        await until(pilot, HomeScreen)
        await app.push_screen(WorkingScreen("Printing"))
        await pilot.pause()
        window, bar = app.screen.query_one(ProgressBar), app.screen.query_one("#bar")
        assert window.region.contains_region(bar.region)
        assert bar.region.width == window.region.width > 40


async def test_work_that_fails_when_nobody_waits_any_more_goes_to_the_log(
    where: str, caplog: pytest.LogCaptureFixture
) -> None:
    """As where the app closes while a battle is being opened."""
    app, lost = the_app(where), list[dict[str, Any]]()
    asyncio.get_running_loop().set_exception_handler(lambda _, about: lost.append(about))
    go_on = asyncio.Event()

    async def failing() -> None:
        await go_on.wait()
        raise LookupError("too late")

    task = begun(app, working(app, "Opening", failing()))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    go_on.set()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    gc.collect()
    assert not lost
    assert "nobody waited for" in caplog.text
