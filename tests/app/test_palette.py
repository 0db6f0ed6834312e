"""The palette of commands: everything under its heading, found by a word; what cannot be done now
is grey, cannot be chosen and says why; a screenshot is a command."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from omaha_table import GAME, table
from PIL import Image
from steps import (
    NARROW,
    battles_listed,
    eventually,
    fought,
    press,
    resume,
    the_app,
    until,
    wait_for,
)
from textual.command import CommandInput, CommandList
from textual.content import Content
from textual.pilot import Pilot
from textual.widgets import Static

from skirmish import library
from skirmish.app import terminal_picture
from skirmish.app.armies.list import ArmiesScreen
from skirmish.app.battle.screen import BattleScreen
from skirmish.app.home import HomeScreen
from skirmish.app.palette import Palette
from skirmish.app.palette_lines import WHERE_OF_TOPIC
from skirmish.app.play.screen import PlayScreen
from skirmish.app.reference.screen import ReferenceScreen
from skirmish.app.scenarios.browser import ScenarioBrowser
from skirmish.app.settings.key_map import every_key
from skirmish.app.settings.keys_screen import KeysScreen
from skirmish.app.settings.rulings_list import RulingsList
from skirmish.app.terminal_picture import as_png, as_svg, read_picture
from skirmish.app.text_styles import DIM
from skirmish.store.database import Store


async def type_into_palette(pilot: Pilot[None], words: str) -> None:
    """Open the palette, wait until all lines are collected, and type."""
    await press(pilot, "ctrl+p")
    await until(pilot, Palette)
    palette = pilot.app.screen
    assert isinstance(palette, Palette)
    (every_command,) = palette._providers
    await eventually(pilot, lambda: getattr(every_command, "_lines_collected", None))
    palette.query_one(CommandInput).value = words
    await pilot.pause()
    await eventually(pilot, lambda: palette.query_one(CommandList).option_count)


def listed(pilot: Pilot[None]) -> dict[str, list[str]]:
    """The lines of the palette under their headings."""
    groups: dict[str, list[str]] = {}
    for option in pilot.app.screen.query_one(CommandList).options:
        words = str(option.prompt)
        if words.isupper() and option.disabled:
            lines = groups.setdefault(words, [])
        else:
            lines.append(words.strip())
    return groups


def able(pilot: Pilot[None], words: str) -> bool:
    """Whether the line that begins with ``words`` can be chosen."""
    for option in pilot.app.screen.query_one(CommandList).options:
        if str(option.prompt).startswith(words):
            return not option.disabled
    raise AssertionError(words)


async def test_every_kind_of_command_is_found_by_a_word_under_its_heading(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await until(pilot, HomeScreen)
        await type_into_palette(pilot, "army")
        found = listed(pilot)
        assert [*found][:2] == ["HOME", "PRINT"], "what can be done now comes first"
        assert "Build, check and print armies  a" in found["HOME"]
        assert "An army roster" in found["PRINT"]
        assert "Print the roster (P there)" in found["IN THE ARMY BUILDER"]
        await press(pilot, "escape")

        await type_into_palette(pilot, "theme")
        assert listed(pilot) == {
            "SETTINGS": ["Colours: paper", "Colours: the terminal's own",
                         "Colours: night (as it is now)"],
            "WHERE BATTLES ARE DEALT": ["Another theme (t there)"],
        }  # fmt: skip
        await press(pilot, "escape")

        await type_into_palette(pilot, "play sheet")
        assert "Omaha: Battle for the Beach: the play sheet" in listed(pilot)["PRINT"]
        await press(pilot, "escape")

        await type_into_palette(pilot, "screenshot")
        assert len(listed(pilot)["SCREENSHOT"]) == 2


def test_the_keys_of_every_screen_but_small_windows_are_found_from_elsewhere() -> None:
    windows = {"app", "choice", "entry", "luck", "page", "picture", "pieces", "window"}
    assert {bound.topic for bound in every_key().values()} - windows == set(WHERE_OF_TOPIC)


async def test_a_ruling_is_found_by_its_name_and_opens_where_it_is_answered(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await until(pilot, HomeScreen)
        ruling = library.rulings().rulings["P26"]
        await type_into_palette(pilot, ruling.title.lower())
        line = f"Ruling P26, {ruling.title}: open the list there"
        assert listed(pilot)["SETTINGS"][0] == line
        await press(pilot, "enter")
        await until(pilot, RulingsList)
        rulings = pilot.app.screen
        assert isinstance(rulings, RulingsList)
        await eventually(pilot, lambda: rulings.chosen == "P26")


async def test_a_page_shows_its_distances_as_they_are_set_from_the_palette(where: str) -> None:
    """Without waiting for the next key that paints it anew."""
    async with the_app(where).run_test(size=NARROW) as pilot:
        await until(pilot, HomeScreen)
        await press(pilot, "r")
        await until(pilot, ReferenceScreen)
        await press(pilot, "slash", *"repeat", "enter")
        await wait_for(pilot, "text", "6\u00a0in")
        await type_into_palette(pilot, "distances centimetres")
        await press(pilot, "enter")
        await until(pilot, ReferenceScreen)
        await wait_for(pilot, "text", "15\u00a0cm")


async def test_what_cannot_be_done_now_is_grey_and_says_why(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await battles_listed(pilot)
        await type_into_palette(pilot, "bring back")
        assert listed(pilot)["HOME"] == ["Bring back the removed battle (nothing was removed)"]
        assert not able(pilot, "Bring back the removed battle")
        await press(pilot, "enter")  # does nothing
        assert isinstance(pilot.app.screen, Palette)
        await press(pilot, "escape")
        await resume(pilot)
        await type_into_palette(pilot, "count victory")
        why = "Nothing is counted in this battle"
        line = f"Enter what you count on the table for victory ({why})"
        assert listed(pilot)["BATTLE"] == [line]


async def test_without_a_battle_there_is_nothing_to_follow(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await wait_for(pilot, "none", "Or press n for any other battle")
        menu = [column.content for column in pilot.app.screen.query(".menu").results(Static)]
        (with_follow,) = [column for column in menu if "Follow" in str(column)]
        assert isinstance(with_follow, Content)
        grey = [str(with_follow)[span.start : span.end] for span in with_follow.spans
                if span.style == DIM]  # fmt: skip
        assert grey == ["  f  Follow      watch a battle"]
        await type_into_palette(pilot, "watch")
        line = "Watch the chosen battle while others play it (there is no battle yet)"
        assert line in listed(pilot)["HOME"]


async def test_a_command_of_a_companion_is_found_by_what_it_does(where: str) -> None:
    with Store.open(where) as store:
        head, *_ = table().entries
        store.add_battle("omaha", "Omaha", "begun", [GAME.codec.written(head)])
    async with the_app(where).run_test(size=NARROW) as pilot:
        await battles_listed(pilot)
        await press(pilot, "enter")
        await until(pilot, PlayScreen)
        screen = pilot.app.screen
        assert isinstance(screen, PlayScreen)
        await press(pilot, "ctrl+p")
        await until(pilot, Palette)
        lines = [str(option.prompt) for option in pilot.app.screen.query_one(CommandList).options]
        headings = [words for words in lines if words.startswith("OMAHA")]
        assert headings == ["OMAHA: BATTLE FOR THE BEACH"], (
            "its commands and its keys are one group"
        )
        await press(pilot, "escape")
        command = next(command for command in screen.commands if command.key == "R")
        await type_into_palette(pilot, command.label)
        await press(pilot, "enter")
        await until(pilot, PlayScreen)
        assert screen.draft is not None
        assert screen.draft.command.label == command.label


async def test_a_setting_that_is_changed_there_shows_at_once(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        assert "2 in" in str(pilot.app.screen.query_one("#who").render()).replace("\u00a0", " ")
        await type_into_palette(pilot, "centimetres")
        await press(pilot, "enter")
        await until(pilot, BattleScreen)
        assert "5 cm" in str(pilot.app.screen.query_one("#who").render()).replace("\u00a0", " ")
        assert pilot.app.settings.measure == "centimetres"  # type: ignore[attr-defined]


async def test_a_setting_with_a_list_of_its_own_opens_it(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await until(pilot, HomeScreen)
        await type_into_palette(pilot, "keys: open the list")
        await press(pilot, "enter")
        await until(pilot, KeysScreen)


async def test_another_screen_opens_over_a_battle_and_another_game_instead_of_it(
    where: str,
) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await type_into_palette(pilot, "armies build")
        await press(pilot, "enter")
        await until(pilot, ArmiesScreen)
        await press(pilot, "escape")
        await until(pilot, BattleScreen)
        await type_into_palette(pilot, "new battle")
        await press(pilot, "enter")
        await until(pilot, ScenarioBrowser)
        screens = pilot.app.screen_stack
        assert not any(isinstance(screen, BattleScreen) for screen in screens)


@pytest.mark.parametrize("kind", ["svg", "png"])
async def test_a_screenshot_is_saved_beside_the_sheets(where: str, kind: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await until(pilot, HomeScreen)
        await type_into_palette(pilot, f"screenshot {kind}")
        await press(pilot, "enter")
        await until(pilot, HomeScreen)
        file = Path(where).parent / f"skirmish-home.{kind}"
        await eventually(pilot, file.is_file)
        data = file.read_bytes()
        if kind == "png":
            columns, lines = NARROW
            assert Image.open(BytesIO(data)).size == (
                2 * (columns * 10 + 24),
                2 * (lines * 20 + 24),
            )
        else:
            drawn = data.decode()
            assert ">SKIRMISH</text>" in drawn
            addresses = drawn.count("http")
            assert addresses == drawn.count('xmlns="http://www.w3.org/2000/svg"') == 1


async def test_a_system_without_a_typeface_for_terminals_has_a_png_in_ours(
    where: str, monkeypatch: Any
) -> None:
    monkeypatch.setattr(terminal_picture, "MONOSPACED", ())
    async with the_app(where).run_test(size=NARROW) as pilot:
        await until(pilot, HomeScreen)
        picture = read_picture(pilot.app.export_screenshot(), *NARROW)
    # Signs that our narrow face lacks come from another.
    place = (20, 3)
    for sign in "←■○":
        picture.letters[place] = terminal_picture.TerminalSign(sign, "#ffffff", bold=False)
        assert terminal_picture._has(terminal_picture.Typeface(bold=False).face_for(sign), sign)
    shown = Image.open(BytesIO(as_png(picture)))
    assert len(shown.getcolors(maxcolors=100_000) or ()) > 20  # letters, smooth at their edges
    assert as_svg(picture).startswith("<svg")
