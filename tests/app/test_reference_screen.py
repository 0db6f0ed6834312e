"""The rules on the screen: read, looked for, and opened at what the screen before was about."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from set_up_lines import lines, scenario_form
from steps import (
    HOSTILE,
    NARROW,
    WIDE,
    a_scenario,
    eventually,
    fought,
    press,
    resume,
    shown,
    the_app,
    type_draw,
    until,
    wait_for,
)
from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from skirmish import library, registry
from skirmish.app.armies.builder import ArmyBuilderScreen
from skirmish.app.armies.list import ArmiesScreen
from skirmish.app.armies.new_army import NewArmyScreen
from skirmish.app.asking import TextEntry
from skirmish.app.battle.screen import BattleScreen
from skirmish.app.home import HomeScreen
from skirmish.app.play.questions import QuestionScreen
from skirmish.app.play.setup import GameSetup
from skirmish.app.reference.screen import ReferenceScreen
from skirmish.games.plastic.battle import record
from skirmish.store.settings import Settings

Steps = Callable[[Pilot[None]], Awaitable[None]]


def rule(pilot: Pilot[None]) -> str:
    """The rule that is open."""
    screen = pilot.app.screen
    assert isinstance(screen, ReferenceScreen)
    return screen.paragraph


def under_cursor(pilot: Pilot[None]) -> str:
    option = pilot.app.screen.query_one("#contents", OptionList).highlighted_option
    return (option and option.id) or ""


async def opened(pilot: Pilot[None]) -> None:
    await until(pilot, HomeScreen)
    await press(pilot, "f1")
    await until(pilot, ReferenceScreen)


async def test_rules_are_read_by_arrows_letters_digits_and_words(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await opened(pilot)
        assert rule(pilot) == "draws"
        assert "48 cards" in shown(pilot, "text")
        await press(pilot, "down")
        assert rule(pilot) == "reading"
        assert "42%" in shown(pilot, "text")
        await press(pilot, "r")  # the next title that begins so
        assert rule(pilot) == "rear-armor"
        await press(pilot, "slash", *"cov")
        assert (rule(pilot), under_cursor(pilot)) == ("cover", "cover")
        await press(pilot, "down", "enter")  # the second that was found
        chosen = rule(pilot)
        assert chosen == under_cursor(pilot) == "hull-down"
        await press(pilot, "1")  # what else to read
        assert rule(pilot) == "cover"
        await press(pilot, "right", "down", "enter")
        assert rule(pilot) == library.reference().paragraphs["cover"].see[1]
        await press(pilot, "escape", "escape")
        assert rule(pilot) == chosen
        await press(pilot, "escape")  # where the search began
        assert rule(pilot) == "rear-armor"
        await press(pilot, "escape")
        await until(pilot, HomeScreen)


async def test_a_search_is_left_as_if_it_had_not_been(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await opened(pilot)
        await press(pilot, "t", "slash", *"wire")
        assert rule(pilot) == "wire"
        await press(pilot, *["backspace"] * 4)
        begun = rule(pilot)
        assert begun == "groups"  # where t had led
        await press(pilot, *"zzzz")
        await wait_for(pilot, "text", "No rule contains “zzzz”")
        await press(pilot, "enter")  # nothing to choose
        assert pilot.app.screen.query_one("#search", Input).display
        await press(pilot, "escape")
        assert (rule(pilot), under_cursor(pilot)) == (begun, begun)
        await press(pilot, "f1")
        await until(pilot, HomeScreen)


async def test_the_mouse_reads_rules(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await opened(pilot)
        await pilot.click("#contents", offset=(4, 4))
        await eventually(pilot, lambda: rule(pilot) == "groups")
        await laid_out(pilot, "#see")
        await pilot.click("#see", offset=(4, 1))
        second = library.reference().paragraphs["groups"].see[1]
        await eventually(pilot, lambda: rule(pilot) == second)


async def laid_out(pilot: Pilot[None], part: str) -> None:
    """Wait until a part stands where it will stay: a click before that hits what was there."""
    before = None
    while before != pilot.app.screen.query_one(part).region:
        before = pilot.app.screen.query_one(part).region
        await pilot.pause(0.1)


async def test_any_words_can_be_looked_for(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await opened(pilot)
        await press(pilot, "slash")
        for words in (*HOSTILE, "x" * 200):
            pilot.app.screen.query_one("#search", Input).value = f"zzzz {words}"
            await pilot.pause()
            assert f"No rule contains “zzzz {words[:30]}" in shown(pilot, "text")


async def test_page_keys_turn_the_rule_and_not_the_list(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await until(pilot, HomeScreen)
        pilot.app.push_screen(ReferenceScreen("firing-table"))
        await until(pilot, ReferenceScreen)
        page = pilot.app.screen.query_one("#page")
        await eventually(pilot, lambda: page.max_scroll_y > 5)
        await press(pilot, "pagedown")
        await eventually(pilot, lambda: page.scroll_offset.y > 5)
        assert rule(pilot) == "firing-table"
        await press(pilot, "pageup")
        await eventually(pilot, lambda: page.scroll_offset.y == 0)


async def test_distances_and_rulings_are_the_players(where: str, tmp_path: Path) -> None:
    """Centimetres, and another answer than ours in the settings."""
    app = the_app(where)
    async with app.run_test(size=WIDE) as pilot:
        await until(pilot, HomeScreen)
        app.settings = Settings(measure="centimetres", rulings={"P18": "ace_hits"})
        app.push_screen(ReferenceScreen("P18"))
        await until(pilot, ReferenceScreen)
        await press(pilot, "slash", *"cover", "enter")
        said = shown(pilot, "text")
        assert "RULINGS  as in your settings" in said
        assert "NOT THE DEFAULT: Yes. Cover does not help against an ace." in said
        await press(pilot, "slash", *"who dies", "enter")
        assert "within 7.5\u00a0cm" in shown(pilot, "text")


# ---------------------------------------------------------------- opened from a battle


async def why(pilot: Pilot[None], back: type = BattleScreen) -> str:
    """The rule that F1 opens now."""
    await press(pilot, "f1")
    await until(pilot, ReferenceScreen)
    found = rule(pilot)
    await press(pilot, "escape")
    await until(pilot, back)
    return found


async def test_f1_opens_the_rule_for_what_the_battle_shows(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        assert await why(pilot) == "phase-1"
        await press(pilot, "m")
        assert await why(pilot) == "firing"  # a shot is begun
        await press(pilot, "t")
        assert await why(pilot) == "touching"  # advice against it
        await press(pilot, "space")
        assert await why(pilot) == "touching"  # the refusal
        await press(pilot, "escape", "escape", "r", "r", "space")
        assert await why(pilot) == "draws"  # a card is awaited
        await type_draw(pilot, "5h")
        assert await why(pilot) == "removing"  # who dies?
        await press(pilot, "enter")
        assert await why(pilot) == "reading"  # HIT
        await press(pilot, *"rrc", "space")
        await type_draw(pilot, "4s")
        assert await why(pilot) == "cover"  # COVER
        await press(pilot, "m", "r", "space")
        await type_draw(pilot, "ah")
        assert await why(pilot) == "repeat-fire"  # FIRE AGAIN?
        await press(pilot, "escape", "minus")
        assert await why(pilot) == "corrections"
        await press(pilot, "escape", "X")
        assert await why(pilot) == "exits"
        await press(pilot, "escape", "T")
        assert await why(pilot) == "turn"
        await press(pilot, "escape", "greater_than_sign")
        assert await why(pilot) == "phase-2"
        await press(pilot, "up")
        assert await why(pilot) == "taking-back"


async def test_rulings_are_told_as_in_the_battle(where: str) -> None:
    fought(where, rulings={"P18": "ace_hits"})
    async with the_app(where).run_test(size=WIDE) as pilot:
        await resume(pilot)
        await press(pilot, "f1")
        await until(pilot, ReferenceScreen)
        await press(pilot, "slash", *"cover", "enter")
        assert "RULINGS  as in this battle" in shown(pilot, "text")
        assert "NOT THE DEFAULT: Yes. Cover does not help" in shown(pilot, "text")


async def test_one_question_at_a_time_f1_opens_the_rule_of_what_is_asked(where: str) -> None:
    fought(where, rulings={"P18": "ace_hits"})
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "f2")
        await until(pilot, QuestionScreen)
        assert await why(pilot, QuestionScreen) == "firing"
        await press(pilot, "m", "r", "n", "space")
        assert await why(pilot, QuestionScreen) == "draws"
        await type_draw(pilot, "5h")
        assert await why(pilot, QuestionScreen) == "removing"
        await press(pilot, "f1")
        await until(pilot, ReferenceScreen)
        await press(pilot, "slash", *"cover", "enter")
        assert "RULINGS  as in this battle" in shown(pilot, "text")


def test_every_command_has_its_rule() -> None:
    reference, game = library.reference(), registry.load("plastic")
    topics = {"mode volley", "mode looking"}
    for number in library.scenarios():
        play = record.codec.play([record.opening(a_scenario(number))])
        topics |= {one.topic for one in game.commands(play.state) if one.topic}
    assert len(topics) > 12
    assert [name for name in sorted(topics) if reference.on(name) is None] == []


# ---------------------------------------------------------------- opened from elsewhere


def test_every_line_of_setup_has_its_rule() -> None:
    sides = ("draws:german", "quality:german", "player:german")
    own = [one.id for one in lines(scenario_form(3)) if one.id.startswith(("option:", "hidden"))]
    names = [*sides, "preset", "switches", "rulings", *own, "loads", "seal:german"]
    names += list(library.rulings().rulings)
    assert [name for name in names if library.reference().named(name) is None] == []


async def test_f1_opens_the_rule_of_a_line_and_of_a_breach(where: str) -> None:
    app = the_app(where)
    async with app.run_test(size=NARROW) as pilot:
        await until(pilot, HomeScreen)
        app.push_screen(GameSetup("plastic", {"battle": "1"}, "scenario-rules"))
        await until(pilot, GameSetup)
        listed = pilot.app.screen.query_one("#lines", OptionList)
        await eventually(pilot, lambda: listed.option_count)
        listed.highlighted = listed.get_option_index("quality:german")
        await pilot.pause()
        await press(pilot, "f1")
        await until(pilot, ReferenceScreen)
        assert rule(pilot) == "force-quality"
        await press(pilot, "escape")
        await until(pilot, GameSetup)
        await press(pilot, "escape")
        await until(pilot, HomeScreen)
        await press(pilot, "a")
        await until(pilot, ArmiesScreen)
        await press(pilot, "n")
        await until(pilot, NewArmyScreen)
        await press(pilot, "enter")
        await until(pilot, TextEntry)
        await press(pilot, "enter")
        await until(pilot, ArmyBuilderScreen)
        await press(pilot, "6", "0", "down", "7", "f1")  # more than a sixth on machine guns
        await until(pilot, ReferenceScreen)
        assert rule(pilot) == "guy-types"
        await press(pilot, "slash", *"per 100", "enter")
        assert "RULINGS  as in this army" in shown(pilot, "text")


async def a_rule(pilot: Pilot[None]) -> None:
    await opened(pilot)
    await press(pilot, "slash", *"repeat fire", "enter")


async def found(pilot: Pilot[None]) -> None:
    await opened(pilot)
    await press(pilot, "slash", *"touch")


async def a_chart(pilot: Pilot[None]) -> None:
    await opened(pilot)
    await press(pilot, "slash", *"firing table", "enter")


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["80x24", "120x40"])
@pytest.mark.parametrize("steps", [a_rule, found, a_chart])
def test_the_rules_look_as_they_did(
    snap_compare: Callable[..., bool], where: str, steps: Steps, size: tuple[int, int]
) -> None:
    assert snap_compare(the_app(where), terminal_size=size, run_before=steps)


async def test_p_prints_the_quick_reference_and_a_small_p_goes_to_a_title(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await opened(pilot)
        await press(pilot, "p")
        assert library.reference().paragraphs[rule(pilot)].title.startswith("P")
        await press(pilot, "P")
        await eventually(pilot, (Path(where).parent / "quick-reference.pdf").exists)


async def test_a_terminal_that_is_resized_leaves_what_is_being_read_in_sight(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await until(pilot, HomeScreen)
        pilot.app.push_screen(ReferenceScreen("firing-table"))
        await until(pilot, ReferenceScreen)
        page = pilot.app.screen.query_one("#page")
        await eventually(pilot, lambda: page.max_scroll_y > 5)
        await press(pilot, "pagedown")
        await pilot.resize_terminal(82, 24)
        await pilot.pause(0.05)
        assert page.scroll_offset.y > 5
