"""Dealing battles in the app: three at once, changed by letters, taken by Enter, s or p."""

from __future__ import annotations

import asyncio
import re
import tomllib
from pathlib import Path

import pytest
from steps import NARROW, WIDE, eventually, press, shown, the_app, until
from textual.events import Resize
from textual.geometry import Size
from textual.pilot import Pilot

from skirmish import library
from skirmish.app.armies.own_figures import FiguresScreen
from skirmish.app.asking import TextEntry
from skirmish.app.battle.screen import BattleScreen
from skirmish.app.home import HomeScreen
from skirmish.app.play.setup import GameSetup
from skirmish.app.scenarios.deal import NO_FIGURES, DealScreen
from skirmish.app.scenarios.deal_choices import POINTS_OFFERED
from skirmish.games.plastic.army_file import GAME
from skirmish.store.database import Store
from skirmish.store.settings import Settings


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for scenarios of the test's own."""
    path = tmp_path / "own"
    monkeypatch.setenv("SKIRMISH_SCENARIOS", str(path))
    monkeypatch.setattr("skirmish.app.viewer.opener", lambda: None)
    return path


async def dealt(pilot: Pilot[None]) -> None:
    await until(pilot, HomeScreen)
    await press(pilot, "d")
    await until(pilot, DealScreen)
    await three(pilot)


async def three(pilot: Pilot[None]) -> None:
    """Wait for three battles; on a machine that does much else a deal takes its time."""
    for _ in range(2000):
        if all("Code" in shown(pilot, f"text-{number}") for number in range(3)):
            return
        await pilot.pause(0.01)
    raise AssertionError("no three battles were dealt")


async def changed(pilot: Pilot[None], before: list[str]) -> None:
    """Wait until other battles stand there."""
    for _ in range(2000):
        if codes(pilot) != before:
            return
        await pilot.pause(0.01)
    raise AssertionError("the same battles still stand there")


def codes(pilot: Pilot[None]) -> list[str]:
    return [shown(pilot, f"text-{number}").rsplit("Code ", 1)[1].strip() for number in range(3)]


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_three_battles_stand_side_by_side_each_with_map_forces_and_victory(
    where: str, size: tuple[int, int]
) -> None:
    async with the_app(where).run_test(size=size) as pilot:
        await dealt(pilot)
        for number in range(3):
            text = shown(pilot, f"text-{number}")
            for word in ("turns", "Rifle Guys", "win if", "points"):
                assert word in text.replace("\n", " ")
        before = codes(pilot)
        await press(pilot, "d")
        await changed(pilot, before)


async def test_a_window_pulled_to_and_fro_comes_to_rest(where: str) -> None:
    """Textual lays a screen out for every size it hears of, and sends it that size once more. Two
    sizes with other messages between them, of which a deal has many, followed each other without
    end."""
    async with the_app(where).run_test(size=NARROW) as pilot:
        await dealt(pilot)
        laid_out = 0

        def count(_: object) -> None:
            nonlocal laid_out
            laid_out += 1

        screen = pilot.app.screen
        screen.screen_layout_refresh_signal.subscribe(pilot.app, count)
        sizes = [Size(*WIDE), Size(*NARROW)] * 2
        for size in sizes:
            screen.post_message(Resize(size, size))
            screen.call_later(screen.refresh)
        await asyncio.sleep(1)
        assert laid_out < 20


async def test_the_chosen_battle_is_read_to_its_end_by_keys(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await dealt(pilot)
        await press(pilot, "right", *["pagedown"] * 9)
        column = pilot.app.screen.query_one("#proposal-1")
        await eventually(pilot, lambda: column.scroll_y == column.max_scroll_y > 0)
        await press(pilot, "up")
        await eventually(pilot, lambda: column.scroll_y == column.max_scroll_y - 1)


async def test_letters_change_what_is_dealt(where: str) -> None:
    async with the_app(where).run_test(size=WIDE) as pilot:
        await dealt(pilot)
        await press(pilot, "t", "o")
        theme = next(iter(library.dealing().themes.values())).name
        assert f"Theme: {theme}" in shown(pilot, "asked")
        assert "Points: 60" in shown(pilot, "asked")
        await eventually(
            pilot, lambda: all(f"{theme}," in shown(pilot, f"text-{n}") for n in range(3))
        )


async def test_two_nations_and_a_year_are_asked_for(where: str) -> None:
    async with the_app(where).run_test(size=WIDE) as pilot:
        await dealt(pilot)
        nations = library.catalog().nations
        # The second after "any" is another nation on either side.
        await press(pilot, "n", "v", "a", "a")
        first, second = [nations[nation].people for nation in list(nations)[:2]]
        asked = shown(pilot, "asked")
        assert f"Who: {first}" in asked
        assert f"Against: {second}" in asked
        assert "Year: 1940" in asked


async def test_as_many_as_one_owns_are_dealt(where: str) -> None:
    with Store.open(where) as store:
        store.set_owned(GAME, {"rifle": 50, "machinegun": 4, "grenade": 4})
    async with the_app(where).run_test(size=WIDE) as pilot:
        await dealt(pilot)
        # Crossings only: terms of other themes name Rifle Guys, too.
        await press(pilot, *"tttt", *["o"] * (len(POINTS_OFFERED) - 1))
        assert "Theme: Crossing" in shown(pilot, "asked")
        assert "Points: as many as you own" in shown(pilot, "asked")
        assert "With: only what you own" in shown(pilot, "asked")

        def all_are_dealt() -> bool:
            text = shown(pilot, "text-0")
            rifles = [int(count) for count in re.findall(r"(\d+)\s+Rifle\s+Guys", text)]
            # One table in forty leaves a few out, for the balance.
            return 45 <= sum(rifles) <= 50

        await eventually(pilot, all_are_dealt)


async def test_who_owns_nothing_is_told_the_key_of_his_figures(where: str) -> None:
    app = the_app(where)
    async with app.run_test(size=WIDE) as pilot:
        await dealt(pilot)
        await press(pilot, *["o"] * (len(POINTS_OFFERED) - 1))
        await eventually(pilot, lambda: NO_FIGURES.format(key="g") in shown(pilot, "text-0"))
        # Whoever gave it another key is told that key, at the next deal.
        await app.change_settings(Settings(keys={"deal.figures": "f6"}))
        await press(pilot, "t")
        await eventually(pilot, lambda: NO_FIGURES.format(key="F6") in shown(pilot, "text-0"))


async def test_figures_entered_where_there_were_too_few_deal_at_once(where: str) -> None:
    async with the_app(where).run_test(size=WIDE) as pilot:
        await dealt(pilot)
        await press(pilot, *["o"] * (len(POINTS_OFFERED) - 1))
        await eventually(pilot, lambda: NO_FIGURES.format(key="g") in shown(pilot, "text-0"))
        await press(pilot, "g")
        await until(pilot, FiguresScreen)
        await press(pilot, "9", "9", "escape")
        await until(pilot, DealScreen)
        await three(pilot)


async def test_home_from_a_dealt_battle_is_the_home_screen(where: str) -> None:
    async with the_app(where).run_test(size=WIDE) as pilot:
        await dealt(pilot)
        await press(pilot, "enter")
        await until(pilot, GameSetup)
        await press(pilot, "b")
        await until(pilot, BattleScreen)
        await press(pilot, "H")
        await until(pilot, HomeScreen)


async def test_a_code_from_a_sheet_is_typed_and_deals_its_battle(where: str) -> None:
    async with the_app(where).run_test(size=WIDE) as pilot:
        await dealt(pilot)
        await press(pilot, "2", "c")
        await until(pilot, TextEntry)
        await press(pilot, *"24zz", "enter")
        assert pilot.app.screen.query_one("#entry-wrong").render()
        await press(pilot, *["backspace"] * 4, *"22ec4eg95k41300", "enter")
        await until(pilot, DealScreen)
        await eventually(pilot, lambda: "OBERWEIS" in shown(pilot, "text-1"))
        assert codes(pilot)[1] == "22EC4EG95K41300"


async def test_the_chosen_battle_is_dealt_again_with_other_forces_or_another_table(
    where: str,
) -> None:
    async with the_app(where).run_test(size=WIDE) as pilot:
        await dealt(pilot)
        before = codes(pilot)
        await press(pilot, "2", "f")
        await changed(pilot, before)
        after = codes(pilot)
        assert (after[0], after[2]) == (before[0], before[2])
        await press(pilot, "m")
        await changed(pilot, after)
        assert codes(pilot)[1] != after[1]


async def test_enter_takes_the_chosen_battle_and_sets_it_up(where: str, folder: Path) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await dealt(pilot)
        code = codes(pilot)[2]
        await press(pilot, "left", "enter")
        await until(pilot, GameSetup)
        (file,) = folder.glob("*.toml")
        assert tomllib.loads(file.read_text("utf-8"))["deal"] == code


async def test_saving_and_printing_take_it_once(where: str, folder: Path) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await dealt(pilot)
        await press(pilot, "s", "s", "p")
        await eventually(pilot, lambda: list(Path(where).parent.glob("scenario-101-*.pdf")))
        assert len(list(folder.glob("*.toml"))) == 1


async def test_where_nothing_fits_a_sentence_says_so_and_nothing_is_taken(
    where: str, folder: Path
) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await dealt(pilot)
        # Poland, with Japanese.
        await press(pilot, "w", "n", "n", "n")
        await eventually(pilot, lambda: "No battle fits" in shown(pilot, "text-0"))
        await press(pilot, "enter", "s", "f", "2")
        assert not folder.exists()


async def test_a_deal_that_is_left_at_once_fails_nowhere(
    where: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await until(pilot, HomeScreen)
        for steps in range(12):
            # Left after more and more turns of the loop: while what is owned is read, while battles
            # are dealt.
            pilot.app.show("deal")
            for _ in range(steps * 4):
                await asyncio.sleep(0)
            pilot.app.pop_screen()
            await until(pilot, HomeScreen)
            await pilot.pause(0.1)
        assert not caplog.records
