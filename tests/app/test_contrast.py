"""Letters stand out from what is behind them by a contrast of 4.5 to 1: in both themes, in millions
of colours, in 256 and in 16."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from rich.color import Color, ColorSystem
from steps import DECK, WIDE, a_scenario, eventually, keep, press, resume, the_app, until, wait_for
from textual import constants
from textual.pilot import Pilot

from skirmish.app.armies.builder import ArmyBuilderScreen
from skirmish.app.battle.screen import BattleScreen
from skirmish.app.home import HomeScreen
from skirmish.app.line_list import LineList
from skirmish.app.odds import OddsScreen
from skirmish.app.play.journal_page import JournalPage
from skirmish.app.scenarios.browser import ScenarioBrowser
from skirmish.app.terminal_picture import read_picture
from skirmish.store.settings import Settings, write_settings
from skirmish.tabletop.side_colours import STANDARD

DOG_BEACH = 10
ENOUGH = 4.5
ENOUGH_OF_16 = 3.0
"""Of 16 colours each terminal has its own shades: here nothing may be nearly unseen."""


def shown_as(colour: str, colours: str) -> str:
    """What a terminal of so many colours makes of one."""
    if colours == "standard":
        number = Color.parse(colour).downgrade(ColorSystem.STANDARD).number
        assert number is not None
        return STANDARD[number]
    if colours != "256":
        return colour
    return Color.parse(colour).downgrade(ColorSystem.EIGHT_BIT).get_truecolor().hex


def luminance(colour: str) -> float:
    light = []
    for part in bytes.fromhex(colour[1:]):
        share = part / 255
        light.append(share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4)
    red, green, blue = light
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, brighter = sorted((luminance(one), luminance(other)))
    return (brighter + 0.05) / (darker + 0.05)


def faint(
    pilot: Pilot[None], colours: str, *, with_foot: bool = True
) -> dict[tuple[str, str], str]:
    """The letters that can hardly be read, by their colour and the one behind them. In the foot
    are keys that are greyed out because they do nothing now."""
    picture = read_picture(pilot.app.export_screenshot(), *pilot.app.size)
    enough = ENOUGH
    if colours == "standard":
        enough = ENOUGH_OF_16
    found: dict[tuple[str, str], str] = {}
    for place, letter in picture.letters.items():
        is_shown = with_foot or place[0] < pilot.app.size.height - 1
        if letter.sign.isalnum() and is_shown:
            ink = shown_as(letter.colour, colours)
            ground = shown_as(picture.grounds.get(place, picture.ground), colours)
            if contrast(ink, ground) < enough:
                found[ink, ground] = found.get((ink, ground), "") + letter.sign
    return found


@pytest.mark.parametrize("theme", ["night", "paper"])
async def test_who_is_all_lost_is_fainter_than_the_others(
    where: str, theme: Literal["night", "paper"]
) -> None:
    write_settings(Path(where).parent / "settings.toml", Settings(theme=theme))
    async with the_app(where).run_test() as pilot:
        style = pilot.app.stylesheet.parse_style("$faded")
        assert style.foreground is not None
        assert 0.3 < style.foreground.a < 0.5


@pytest.mark.parametrize("colours", ["truecolor", "256", "standard"])
@pytest.mark.parametrize("theme", ["night", "paper"])
async def test_home_scenarios_and_a_shot_can_be_read(
    where: str,
    monkeypatch: pytest.MonkeyPatch,
    theme: Literal["night", "paper"],
    colours: str,
) -> None:
    monkeypatch.setattr(constants, "COLOR_SYSTEM", colours)
    write_settings(
        Path(where).parent / "settings.toml",
        Settings(theme="night" if theme == "night" else "paper"),
    )
    keep(where, a_scenario(DOG_BEACH, DECK))
    async with the_app(where).run_test(size=WIDE) as pilot:
        assert pilot.app.console.color_system == colours
        await resume(pilot)
        await press(pilot, "m")
        assert "AT WHOM?" in str(pilot.app.screen.query_one("#asked").render())
        assert faint(pilot, colours) == {}
        await press(pilot, "escape", "J")
        await until(pilot, JournalPage)
        await pilot.pause()
        assert faint(pilot, colours) == {}
        await press(pilot, "escape")
        await until(pilot, BattleScreen)
        await press(pilot, "H")
        await pilot.pause()
        assert faint(pilot, colours) == {}
        await press(pilot, "s")
        await until(pilot, ScenarioBrowser)
        await wait_for(pilot, "what", "Overmatched")
        assert faint(pilot, colours) == {}
        await press(pilot, "end", "up", "tab")
        await wait_for(pilot, "what", "VIERVILLE")
        assert faint(pilot, colours) == {}


@pytest.mark.parametrize("colours", ["truecolor", "256"])
@pytest.mark.parametrize("theme", ["night", "paper"])
async def test_the_likeliest_shot_can_be_read_in_the_table_of_odds(
    where: str,
    monkeypatch: pytest.MonkeyPatch,
    theme: Literal["night", "paper"],
    colours: str,
) -> None:
    monkeypatch.setattr(constants, "COLOR_SYSTEM", colours)
    write_settings(Path(where).parent / "settings.toml", Settings(theme=theme))
    async with the_app(where).run_test(size=WIDE) as pilot:
        await until(pilot, HomeScreen)
        await press(pilot, "percent_sign")
        await until(pilot, OddsScreen)
        assert "83" in pilot.app.export_screenshot()
        assert faint(pilot, colours) == {}


@pytest.mark.parametrize("colours", ["truecolor", "256"])
@pytest.mark.parametrize("theme", ["night", "paper"])
async def test_the_letter_of_the_chosen_row_can_be_read_in_the_army_builder(
    where: str,
    monkeypatch: pytest.MonkeyPatch,
    theme: Literal["night", "paper"],
    colours: str,
) -> None:
    monkeypatch.setattr(constants, "COLOR_SYSTEM", colours)
    write_settings(Path(where).parent / "settings.toml", Settings(theme=theme))
    async with the_app(where).run_test(size=WIDE) as pilot:
        await until(pilot, HomeScreen)
        await press(pilot, "a", "n", "down", "enter", "enter")
        await until(pilot, ArmyBuilderScreen)
        await eventually(pilot, lambda: pilot.app.screen.query_one(LineList).chosen)
        await pilot.pause()
        assert faint(pilot, colours, with_foot=False) == {}
