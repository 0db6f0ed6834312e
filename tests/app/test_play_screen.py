"""Any game in the app, with the toy game that only the tests know."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pypdf
import pytest
from steps import HOSTILE, NARROW, WIDE, press, the_app
from textual.pilot import Pilot
from textual.widgets import OptionList, Static

from skirmish import registry
from skirmish.app.page_screen import PageScreen
from skirmish.app.play.games import GamesScreen
from skirmish.app.play.journal_page import JournalPage
from skirmish.app.play.screen import PlayScreen
from skirmish.app.play.setup import GameSetup
from skirmish.session import Session
from skirmish.store.database import Store


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    listed = registry.Listed("toy", "First to Ten", "Two sides and one die.", "toy")
    monkeypatch.setattr(registry, "GAMES", [listed])
    registry.load.cache_clear()
    yield
    registry.load.cache_clear()


async def settled(pilot: Pilot[None]) -> None:
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


async def played(pilot: Pilot[None], *keys: str) -> PlayScreen:
    for key in keys:
        await press(pilot, key)
        await settled(pilot)
    assert isinstance(pilot.app.screen, PlayScreen)
    return pilot.app.screen


async def begun(pilot: Pilot[None], *lines: str) -> PlayScreen:
    """A game from the list of games; ``lines`` are keys on the set-up form."""
    await press(pilot, "m")
    await settled(pilot)
    await press(pilot, "enter", *lines)
    await pilot.pause()
    await press(pilot, "b")
    for _ in range(200):
        await pilot.pause()
        if isinstance(pilot.app.screen, PlayScreen):
            break
        await asyncio.sleep(0.01)
    return await played(pilot)


def shown(screen: PlayScreen, id: str) -> str:
    return str(screen.query_one(f"#{id}", Static).render())


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_a_game_is_set_up_played_and_left(size: tuple[int, int], tmp_path: Path) -> None:
    where = str(tmp_path / "club.db")
    async with the_app(where).run_test(size=size) as pilot:
        screen = await begun(pilot, "right")
        assert "Roll" in shown(screen, "asked")
        assert screen.check_action("advice", ()) is False, "the game has none"
        await played(pilot, "r")
        assert "Who takes the" in shown(screen, "asked")
        assert screen.query_one("#verdict").display
        await played(pilot, "enter")
        assert "Red takes" in shown(screen, "beside" if size == WIDE else "journal")
        with pytest.MonkeyPatch.context() as patched:
            for asked in ("page", "headline", "commands", "prompt", "over", "verdict"):
                patched.setattr(type(screen.game), asked, None)
            screen.show_state()  # a repaint asks the game nothing
        await press(pilot, "escape")
    with Store.open(where) as store:
        (record,) = store.battles()
        assert record.game == "toy"
        assert [entry.kind for entry in store.entries(record.id)] == ["open", "order", "order"]


async def test_backspace_takes_back_and_redo_brings_again(tmp_path: Path) -> None:
    async with the_app(str(tmp_path / "club.db")).run_test(size=NARROW) as pilot:
        screen = await begun(pilot)
        await played(pilot, "r", "backspace")
        assert screen.session.state.rolled == 0
        await played(pilot, "ctrl+y")
        assert screen.session.state.rolled
        await played(pilot, "z")
        assert "Choose" in shown(screen, "asked") or "Who takes" in shown(screen, "asked")


async def test_a_game_goes_on_where_it_was_left(tmp_path: Path) -> None:
    where = str(tmp_path / "club.db")
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await begun(pilot)
        await played(pilot, "r")
        rolled = screen.session.state.rolled
    async with the_app(where).run_test(size=NARROW) as pilot:
        await settled(pilot)
        await press(pilot, "m")
        await settled(pilot)
        assert isinstance(pilot.app.screen, GamesScreen)
        await press(pilot, "down", "enter")
        await settled(pilot)
        assert (await played(pilot)).session.state.rolled == rolled


async def test_a_new_game_is_that_of_the_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "GAMES", [registry.BEACH, *registry.GAMES])
    async with the_app(str(tmp_path / "club.db")).run_test(size=NARROW) as pilot:
        await press(pilot, "m")
        await settled(pilot)
        await press(pilot, "down", "n")
        await settled(pilot)
        assert isinstance(screen := pilot.app.screen, GameSetup)
        assert screen.form is not None
        assert screen.form.game.id == "toy"


async def test_from_the_journal_one_goes_back_and_makes_void(tmp_path: Path) -> None:
    async with the_app(str(tmp_path / "club.db")).run_test(size=NARROW) as pilot:
        screen = await begun(pilot)
        await played(pilot, "r", "b", "r", "b")
        points = screen.session.state.points
        await press(pilot, "J")
        await pilot.pause()
        assert isinstance(pilot.app.screen, JournalPage)
        assert pilot.app.screen.query_one(OptionList).option_count == 5
        await press(pilot, "home", "down", "down", "enter")
        await settled(pilot)
        await press(pilot, "escape")
        assert screen.session.state.points != points
        assert len(screen.session.play.live) == 3
        await played(pilot, "ctrl+y")
        assert screen.session.state.points == points


async def test_a_journal_of_one_line_says_line(tmp_path: Path) -> None:
    async with the_app(str(tmp_path / "club.db")).run_test(size=NARROW) as pilot:
        await begun(pilot)
        for title in ("1 line", "3 lines"):
            await press(pilot, "J")
            await pilot.pause()
            assert str(pilot.app.screen.query_one("#title", Static).content).endswith(f" {title}")
            await press(pilot, "escape")
            await played(pilot, "r", "b")


async def test_the_up_arrow_goes_back_through_any_journal(tmp_path: Path) -> None:
    async with the_app(str(tmp_path / "club.db")).run_test(size=NARROW) as pilot:
        screen = await begun(pilot)
        await played(pilot, "r", "b", "up", "up", "b")
        assert "BACK TO HERE?" in shown(screen, "asked")
        await played(pilot, "enter")
        assert "Who takes" in shown(screen, "asked")
        await played(pilot, "up", "v", "q")
        assert "VOID?" in shown(screen, "asked")
        assert "Tab" not in shown(screen, "asked"), "nothing is judged in this game"
        await played(pilot, "escape", "escape")
        assert "Who takes" in shown(screen, "asked")


async def test_pages_of_a_game_are_read_and_printed(tmp_path: Path) -> None:
    async with the_app(str(tmp_path / "club.db")).run_test(size=WIDE) as pilot:
        await begun(pilot)
        for key in ("S", "f1"):
            await press(pilot, key)
            assert isinstance(pilot.app.screen, PageScreen)
            await press(pilot, "escape")
        await press(pilot, "P")
        await pilot.pause()
        await press(pilot, "enter")
        await settled(pilot)
        await press(pilot, "question_mark")
        await press(pilot, "escape")
    text = pypdf.PdfReader(next(tmp_path.glob("toy-*-position.pdf"))).pages[0].extract_text()
    assert "Played by" in text


async def test_a_hostile_name_is_shown_as_it_is(where: str) -> None:
    game, app = registry.load("toy"), the_app(where)
    async with app.run_test(size=NARROW) as pilot:
        for name in HOSTILE:
            first = game.opening({"goal": 9, "dice": "own", "player": name}, lambda: 1)
            await app.push_screen(PlayScreen(await Session.opened(game, app.stored, first)))
            await settled(pilot)
            screen = await played(pilot, "r", "4", "J", "escape", "S", "escape")
            assert screen.session.state.rolled == 4, name
