"""The settings, the key map and the usual rulings: by key, kept at once, in force at once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from rich.color import Color, ColorSystem
from steps import NARROW, WIDE, eventually, press, shown, the_app, until, wait_for
from textual import constants
from textual.pilot import Pilot
from textual.theme import Theme
from textual.widgets import OptionList

from skirmish.app.application import SkirmishApp
from skirmish.app.help import HelpScreen
from skirmish.app.home import HomeScreen
from skirmish.app.scenarios.browser import ScenarioBrowser
from skirmish.app.settings.keys_screen import KeysScreen, PressKeyScreen
from skirmish.app.settings.rulings_list import RulingsList
from skirmish.app.settings.screen import SettingsScreen
from skirmish.app.themes import NIGHT, PAPER
from skirmish.app.windows import MessageScreen
from skirmish.store.settings import Settings, read_settings

Steps = Callable[[Pilot[None]], Awaitable[None]]
FIRST_GREY = 232
"""Of the 24 greys among the 256 colours of a terminal."""


@pytest.fixture
def liked(tmp_path: Path) -> Path:
    """A settings file of the test's own."""
    return tmp_path / "settings.toml"


def liking(where: str, liked: Path) -> SkirmishApp:
    return SkirmishApp(database=where, folder=liked.parent, seed=lambda: 7, settings_path=liked)


async def to_settings(pilot: Pilot[None]) -> None:
    await until(pilot, HomeScreen)
    await press(pilot, "t")
    await until(pilot, SettingsScreen)


async def to_keys(pilot: Pilot[None]) -> None:
    await to_settings(pilot)
    await press(pilot, "down", "down", "down", "enter")
    await until(pilot, KeysScreen)
    listed = pilot.app.screen.query_one("#keys-list", OptionList)
    await eventually(pilot, lambda: listed.option_count)
    await pilot.pause()


async def to_rulings(pilot: Pilot[None]) -> None:
    await until(pilot, HomeScreen)
    await press(pilot, "g")
    await until(pilot, RulingsList)
    await press(pilot, "down", "right")
    await wait_for(pilot, "heading", "1 changed")


def line(pilot: Pilot[None], listed: str, name: str) -> str:
    """What a line of a list says."""
    return str(pilot.app.screen.query_one(listed, OptionList).get_option(name).prompt)


async def test_each_change_applies_at_once_and_is_kept(where: str, liked: Path) -> None:
    app = liking(where, liked)
    async with app.run_test(size=NARROW) as pilot:
        await to_settings(pilot)
        assert app.measured("6\u00a0in") == "6\u00a0in"
        await press(pilot, "enter")
        assert read_settings(liked).measure == "centimetres"
        assert app.measured("6\u00a0in") == "15\u00a0cm"
        await press(pilot, "down", "right")
        assert app.theme == "skirmish-paper"
        await press(pilot, "right", "right", "left", "left")
        assert app.theme == "skirmish-paper"
        await press(pilot, "d")
        assert app.theme == "skirmish-night"
        await press(pilot, "down", "left")
        assert read_settings(liked).characters == "ascii"
        await press(pilot, "down", "down", "right", "down", "right", "down", "right")
        await press(pilot, "down", "right", "down", "right")
        assert "‹ clerk: judges what you draw ›" in line(pilot, "#settings", "level")
        await press(pilot, "escape")
        await until(pilot, HomeScreen)
    assert read_settings(liked) == Settings(
        measure="centimetres", characters="ascii", deck_knowledge="hidden",
        pictures="kitty", level="clerk", chance="die", questions=True,
    )  # fmt: skip


async def test_paper_and_ink_stand_at_the_end(where: str, liked: Path) -> None:
    async with liking(where, liked).run_test(size=NARROW) as pilot:
        await to_settings(pilot)
        await press(pilot, "end", "right", "up", "right")
        assert "‹ Letter ›" in line(pilot, "#settings", "paper")
        assert "‹ saver ›" in line(pilot, "#settings", "ink")
    assert read_settings(liked) == Settings(paper="letter", ink="saver")


async def test_settings_that_cannot_be_kept_are_told_and_hold_all_the_same(
    where: str, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    app = liking(where, tmp_path / "file" / "settings.toml")
    async with app.run_test(size=NARROW) as pilot:
        await to_settings(pilot)
        await press(pilot, "enter")
        await until(pilot, MessageScreen)
        await press(pilot, "escape")
        assert app.settings.measure == "centimetres"


async def test_settings_that_cannot_be_read_are_told_and_left_alone(
    where: str, liked: Path
) -> None:
    liked.write_text('measure = "feet"\nthem = "night"\n')
    app = liking(where, liked)
    async with app.run_test(size=NARROW) as pilot:
        await until(pilot, MessageScreen)
        said = "\n".join(str(part.render()) for part in pilot.app.screen.query("Static"))
        assert "measure: 'feet' is not possible here; known are: inches, centimetres" in said
        assert "them: unknown key; did you mean theme?" in said
        await press(pilot, "escape")
        await until(pilot, HomeScreen)
        assert app.settings == Settings()
    assert liked.read_text() == 'measure = "feet"\nthem = "night"\n'


async def test_a_key_is_changed_refused_and_put_back(where: str, liked: Path) -> None:
    """From the list to home, where the new key works, the old does not, and the menu shows it."""
    app = liking(where, liked)
    async with app.run_test(size=NARROW) as pilot:
        await to_keys(pilot)
        await press(pilot, "enter")
        await until(pilot, PressKeyScreen)
        await press(pilot, "a")
        await wait_for(pilot, "press-why", "home: build, check and print armies")
        await press(pilot, "down")
        await wait_for(pilot, "press-why", "does the same on every screen")
        await press(pilot, "f8")
        await until(pilot, KeysScreen)
        assert line(pilot, "#keys-list", "home.new_battle").strip().startswith("F8")
        assert read_settings(liked).keys == {"home.new_battle": "f8"}
        await press(pilot, "escape")
        await until(pilot, SettingsScreen)
        assert "1 changed" in line(pilot, "#settings", "keys")
        await press(pilot, "escape")
        await until(pilot, HomeScreen)
        await wait_for(pilot, "none", "press F8 for any other battle")
        await press(pilot, "n")
        assert isinstance(pilot.app.screen, HomeScreen)
        await press(pilot, "question_mark")
        await until(pilot, HelpScreen)
        said = "\n".join(str(part.render()) for part in pilot.app.screen.query("Static"))
        assert "F8  Fight a scenario" in said
        await press(pilot, "escape", "f8")
        await until(pilot, ScenarioBrowser)
        await press(pilot, "escape")
        await until(pilot, HomeScreen)
        await to_keys(pilot)
        await press(pilot, "d")
        assert read_settings(liked).keys == {}


async def test_a_printed_key_that_is_in_use_by_now_is_not_taken_back(
    where: str, liked: Path
) -> None:
    """Two keys are exchanged; then only all of them can be put back."""
    liked.write_text('[keys]\n"home.new_battle" = "a"\n"home.armies" = "n"\n')
    app = liking(where, liked)
    async with app.run_test(size=NARROW) as pilot:
        await to_keys(pilot)
        await press(pilot, "d")
        assert len(app.settings.keys) == 2
        await press(pilot, "D")
        assert app.settings.keys == {}
        assert read_settings(liked).keys == {}


async def test_keys_of_the_file_that_name_nothing_are_told(where: str, liked: Path) -> None:
    """By the app itself, a second after the start."""
    liked.write_text('[keys]\n"home.armys" = "f8"\n"home.print" = "a"\n')
    async with liking(where, liked).run_test(size=NARROW) as pilot:
        await until(pilot, MessageScreen)
        said = "\n".join(str(part.render()) for part in pilot.app.screen.query("Static"))
        assert "there is no home.armys; did you mean home.armies?" in said
        assert "keys.home.print = a: That key is taken" in said


async def test_exchanged_keys_do_what_the_other_did(where: str, liked: Path) -> None:
    liked.write_text('[keys]\n"home.settings" = "g"\n"home.rulings" = "t"\n')
    async with liking(where, liked).run_test(size=NARROW) as pilot:
        await until(pilot, HomeScreen)
        await press(pilot, "g")
        await until(pilot, SettingsScreen)
        await press(pilot, "escape", "t")
        await until(pilot, RulingsList)


async def test_the_usual_answer_to_a_ruling_is_changed_and_taken_back(
    where: str, liked: Path
) -> None:
    async with liking(where, liked).run_test(size=NARROW) as pilot:
        await to_rulings(pilot)
        assert "Only beyond half" in line(pilot, "#rulings-list", "P2")
        assert "Optional rules in scenarios " in line(pilot, "#rulings-list", "P59")
        assert "* Only beyond half: losing 41 of 80." in shown(pilot, "meaning")
        assert read_settings(liked).rulings == {"P2": "more_than_half"}
        await press(pilot, "right")
        assert read_settings(liked).rulings == {}
        await press(pilot, "left", "D")
        assert read_settings(liked).rulings == {}
        await press(pilot, "up", "enter")  # P1 has one answer
        assert read_settings(liked).rulings == {}


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["80x24", "120x40"])
@pytest.mark.parametrize("steps", [to_settings, to_keys, to_rulings])
def test_the_screen_looks_as_it_did(
    snap_compare: Callable[..., bool],
    where: str,
    tmp_path_factory: pytest.TempPathFactory,
    steps: Steps,
    size: tuple[int, int],
) -> None:
    liked = tmp_path_factory.mktemp("likes") / "settings.toml"
    liked.write_text('theme = "paper"\n[keys]\n"home.print" = "f8"\n')

    async def then_quiet(pilot: Pilot[None]) -> None:
        await steps(pilot)
        pilot.app.clear_notifications()
        for place in pilot.app.screen.query("#settings-place"):
            place.update("Kept in settings.toml")  # type: ignore[attr-defined]
        await pilot.pause()

    app = liking(where, liked)
    assert snap_compare(app, terminal_size=size, run_before=then_quiet)


@pytest.mark.parametrize("theme", [NIGHT, PAPER], ids=["night", "paper"])
async def test_with_256_colours_the_grounds_of_a_theme_are_three_greys(
    where: str, monkeypatch: pytest.MonkeyPatch, theme: Theme
) -> None:
    """Its own greens and creams would be one black, or a yellow and a pink."""
    monkeypatch.setattr(constants, "COLOR_SYSTEM", "256")
    async with the_app(where).run_test(size=NARROW) as pilot:
        shown = pilot.app.available_themes[theme.name]
        grounds = (shown.background, shown.surface, shown.panel)
        numbers = []
        for ground in grounds:
            assert ground is not None
            numbers.append(Color.parse(ground).downgrade(ColorSystem.EIGHT_BIT).number)
        assert len(set(numbers)) == len(grounds)
        white = FIRST_GREY - 1  # the last colour of the cube
        assert min(filter(None, numbers)) >= white
