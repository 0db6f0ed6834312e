"""Screens that use their size: the map beside a battle, on terminals that have room for it."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

import bloody_table
import pytest
from deep import deep_after
from msgspec.structs import replace
from steps import (
    DECK,
    NARROW,
    WIDE,
    a_scenario,
    battles_listed,
    eventually,
    journal_part,
    keep,
    press,
    resume,
    shown,
    the_app,
    type_draw,
    until,
    wait_for,
)
from textual.content import Content
from textual.css.styles import Styles
from textual.pilot import Pilot
from textual.widget import Widget
from textual.widgets import OptionList, Static

from skirmish import library
from skirmish.app.application import SkirmishApp
from skirmish.app.battle.forces import SideLook, SidePanel, side_lines
from skirmish.app.battle.questions import BattleQuestions
from skirmish.app.battle.screen import BattleScreen
from skirmish.app.help import HelpScreen
from skirmish.app.home import HomeScreen
from skirmish.app.line_list import LineList
from skirmish.app.play.big_letters import (
    high_letters,
    huge_framed_letters,
    low_framed_letters,
    low_letters,
)
from skirmish.app.play.games import GamesScreen
from skirmish.app.play.part import Part
from skirmish.app.play.setup import GameSetup
from skirmish.app.scenarios.browser import ScenarioBrowser
from skirmish.games.plastic.army_file import GAME, as_body
from skirmish.games.plastic.battle.orders import AddNote, Correct, EndTurn
from skirmish.store.database import Store
from skirmish.store.settings import Settings

LARGE, WALL = (160, 50), (200, 60)
DOG_BEACH = 10


def part(pilot: Pilot[None], name: str) -> Widget:
    return pilot.app.screen.query_one(f"#{name}")


def map_shown(pilot: Pilot[None]) -> bool:
    maps = list(pilot.app.screen.query("#map"))
    return bool(maps) and maps[0].display and bool(maps[0].region)


@pytest.mark.parametrize(
    ("size", "room"),
    [(WIDE, "aside-room"), (LARGE, "beside-room"), (WALL, "beside-room")],
    ids=["120x40", "160x50", "200x60"],
)
async def test_both_sides_the_map_and_the_journal_stand_beside_one_another(
    where: str, size: tuple[int, int], room: str
) -> None:
    keep(where, a_scenario(DOG_BEACH, DECK))
    async with the_app(where).run_test(size=size) as pilot:
        await resume(pilot)
        await pilot.pause()
        first, second = pilot.app.screen.query(SidePanel)
        field, beside = part(pilot, "map").region, part(pilot, room).region
        assert first.region.bottom <= second.region.y
        assert first.region.right <= field.x
        assert field.right <= beside.x
        drawn = shown(pilot, "map").splitlines()
        assert "A" in drawn[0]
        assert len(drawn) <= field.height
        assert max(map(len, drawn)) <= field.width
        # As large as there is room for: its columns are all taken, or else its rows.
        assert field.width - len(drawn[0]) < 4 or field.height - len(drawn) < 2
        assert part(pilot, "strip").display


@pytest.mark.parametrize("size", [(160, 45), LARGE, WALL], ids=["160x45", "160x50", "200x60"])
async def test_no_row_of_a_large_screen_is_left_over(where: str, size: tuple[int, int]) -> None:
    """Below the board come the draft, a verdict or who acts, an empty row and the losses; victory,
    what is due and the key of the map are on the board."""
    keep(where, a_scenario(DOG_BEACH))
    async with the_app(where).run_test(size=size) as pilot:
        await resume(pilot)
        for keys in ((), ("m", "i"), ("space",)):
            await press(pilot, *keys)
            await pilot.pause()
            board, asked = part(pilot, "battlefield").region, part(pilot, "asked-room").region
            verdict = part(pilot, "verdict").region
            assert board.bottom == asked.y
            assert asked.bottom == verdict.y
            foot = part(pilot, "keys").region.y
            if part(pilot, "strip").display:
                foot = part(pilot, "strip").region.y
            assert verdict.bottom == foot
        below = shown(pilot, "board") + shown(pilot, "below-map")
        assert "VICTORY" in below
        assert "Germans need as many guys in buildings" in " ".join(below.split())
        assert not part(pilot, "situation").display


async def test_the_largest_screen_keeps_the_key_of_its_map_beside_a_verdict(where: str) -> None:
    keep(where, a_scenario(DOG_BEACH))
    async with the_app(where).run_test(size=WALL) as pilot:
        await resume(pilot)
        await press(pilot, "m", "i", "space")
        await type_draw(pilot, "5h")
        assert shown(pilot, "word") == huge_framed_letters("HIT")
        assert "116th Regiment at the seawall" in shown(pilot, "below-map")


async def test_a_large_screen_shows_in_large_letters_who_moves_and_who_fires(where: str) -> None:
    keep(where, a_scenario(DOG_BEACH))
    async with the_app(where).run_test(size=LARGE) as pilot:
        await resume(pilot)
        assert (
            shown(pilot, "word")
            == f"{low_letters('Americans move')}\n\n{low_letters('Germans fire')}"
        )
        await press(pilot, "greater_than_sign")
        assert shown(pilot, "word") == high_letters("Germans fire")
        await press(pilot, "m", "r", "space")
        await type_draw(pilot, "5h")
        assert shown(pilot, "word") == huge_framed_letters("HIT")


async def test_the_turn_is_a_number_of_three_rows_where_there_is_room(where: str) -> None:
    keep(where, a_scenario(DOG_BEACH))
    async with the_app(where).run_test(size=WIDE) as pilot:
        await resume(pilot)
        heads = [shown(pilot, name).splitlines()[0] for name in ("clock", "tabs", "who")]
        rows = low_letters("1").split("\n")
        # The tabs have no column before them.
        first_columns = (1, 2, 1)
        digits = [
            head[first : first + len(rows[0])]
            for head, first in zip(heads, first_columns, strict=True)
        ]
        assert digits == rows
        await pilot.resize_terminal(*NARROW)
        await eventually(pilot, lambda: shown(pilot, "clock").startswith("DOG BEACH"))


@pytest.mark.parametrize("size", [NARROW, WIDE, LARGE, WALL], ids=str)
async def test_what_stands_there_already_does_not_divide_the_screen_anew(
    where: str, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    """A style that is set to one value and then to another makes Textual arrange everything again,
    at each key."""
    keep(where, a_scenario(DOG_BEACH, DECK))
    async with the_app(where).run_test(size=size) as pilot:
        await resume(pilot)
        screen = pilot.app.screen
        assert isinstance(screen, BattleScreen)
        arranged: list[str] = []

        def refresh(styles: Styles, *, layout: bool = False, **more: object) -> None:
            if layout:
                arranged.append(f"{styles.node}: {styles.css}")

        await pilot.pause()
        monkeypatch.setattr(Styles, "refresh", refresh)
        screen.show_state()
        assert arranged == []


async def test_a_screen_without_room_has_no_map_and_never_makes_one(where: str) -> None:
    keep(where, a_scenario(DOG_BEACH, DECK))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        screen = pilot.app.screen
        assert not screen.query("#map")
        for width, height in ((120, 34), (100, 60)):
            await pilot.resize_terminal(width, height)
            await pilot.pause()
            assert not screen.query("#map")
        await pilot.resize_terminal(*LARGE)
        await eventually(pilot, lambda: map_shown(pilot))
        await pilot.resize_terminal(*NARROW)
        await eventually(pilot, lambda: not map_shown(pilot))
        first, second = screen.query(SidePanel)
        # Beside one another again.
        await eventually(pilot, lambda: first.region.y == second.region.y)


@pytest.mark.parametrize("size", [LARGE, WALL], ids=["160x50", "200x60"])
async def test_on_a_large_screen_every_page_of_a_battle_has_the_map_beside_it(
    where: str, size: tuple[int, int]
) -> None:
    keep(where, a_scenario(DOG_BEACH, DECK), AddNote("Tea"))
    async with the_app(where).run_test(size=size) as pilot:
        await resume(pilot)
        for key, page, words in (
            ("f4", "board-room", ""),
            ("f5", "board-room", ""),
            ("f7", "board-room", "On their marks"),
            ("f6", "beside-room", "Tea"),
        ):
            await press(pilot, key)
            await pilot.pause()
            assert map_shown(pilot), key
            region, field = part(pilot, page).region, part(pilot, "map").region
            assert region.right <= field.x or field.right <= region.x, key
            assert words in shown(pilot, "board") + shown(pilot, "beside"), key
            told = [shown(pilot, name) for name in ("board", "below-map", "situation")]
            assert "guys in buildings" in " ".join(" ".join(told).split()), key


async def test_on_a_smaller_screen_the_map_gives_way_to_the_other_pages(where: str) -> None:
    keep(where, a_scenario(DOG_BEACH, DECK))
    async with the_app(where).run_test(size=WIDE) as pilot:
        await resume(pilot)
        for key in ("f4", "f5", "f6", "f7"):
            await press(pilot, key)
            assert not map_shown(pilot), key
        await press(pilot, "f3")
        assert map_shown(pilot)


async def test_a_battle_without_a_map_has_both_sides_beside_one_another(where: str) -> None:
    setup = a_scenario(1, DECK)
    bare = replace(setup.scenario, map=None)
    keep(where, replace(setup, scenario=bare))
    async with the_app(where).run_test(size=LARGE) as pilot:
        await resume(pilot)
        assert not pilot.app.screen.query("#map")
        first, second = pilot.app.screen.query(SidePanel)
        assert first.region.y == second.region.y


def test_the_losses_of_a_side_beside_the_map_become_brief_before_they_or_its_name_are_cut(
    where: str,
) -> None:
    state = keep(where, a_scenario(2, DECK))
    half_lost = replace(state, loss={"german": 35})
    beside_map = SideLook(width=34, formatted=str, coloured=True)
    title = side_lines(half_lost, "german", beside_map)[0].content
    assert title.plain == " ■ GERMANS   35/70 lost, half lost"
    assert title.cell_length <= beside_map.width


async def test_the_row_that_is_chosen_comes_into_view_beside_the_map(where: str) -> None:
    """On a screen where not all rows of both sides fit."""
    keep(where, a_scenario(DOG_BEACH, DECK))
    async with the_app(where).run_test(size=(120, 38)) as pilot:
        await resume(pilot)
        room = part(pilot, "board-room")
        await press(pilot, "right", *["down"] * 4)
        await pilot.pause()
        screen = pilot.app.screen
        assert isinstance(screen, BattleScreen)
        assert screen.row_cursor is not None
        assert screen.row_cursor.startswith("german")
        panel = screen.query(SidePanel).last()
        number = panel._keys.index(screen.row_cursor)
        line = panel.region.y + number
        assert room.region.y <= line < room.region.bottom


async def test_lines_of_the_journal_have_the_colour_of_the_side_that_did_it(where: str) -> None:
    """On a large screen; on a low one all are alike."""
    keep(
        where,
        a_scenario(DOG_BEACH, DECK),
        Correct(row="american/sand/rifle", by=-1),
        Correct(row="german/bluffs/rifle", by=-1),
        AddNote("Tea"),
    )
    async with the_app(where).run_test(size=LARGE) as pilot:
        await resume(pilot)
        styles = line_styles(pilot, journal_part(pilot))
        assert styles == ["$side-american", "$side-german", "$foreground 65%"]
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        assert set(line_styles(pilot, "journal")) == {"$foreground 65%"}


def line_styles(pilot: Pilot[None], name: str) -> list[str]:
    """The style of each line of the journal, without what a click does."""
    content = pilot.app.screen.query_one(f"#{name}", Static).content
    assert isinstance(content, Content)
    styles = []
    for row in content.split("\n"):
        if re.match(r".{1,4}\d ", row.plain):
            styles += [str(span.style) for span in row.spans if "@click" not in str(span.style)][:1]
    return styles


# ------------------------------------------------------------------ low screens


async def test_rows_do_not_jump_while_a_shot_is_aimed_on_a_low_screen(where: str) -> None:
    keep(where, a_scenario(DOG_BEACH, DECK))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        before = part(pilot, "board-room").region
        for key in ("m", "i", "c"):
            await press(pilot, key)
            assert part(pilot, "board-room").region == before, key
        assert part(pilot, "journal-room").region.height > 0


async def test_rows_do_not_jump_while_a_repeat_shot_is_offered_on_a_low_screen(where: str) -> None:
    keep(where, a_scenario(DOG_BEACH))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        before = part(pilot, "board-room").region
        await press(pilot, "m", "i", "space")
        await type_draw(pilot, "5h")
        assert "WHO DIES?" in shown(pilot, "asked")
        assert part(pilot, "board-room").region == before
        await press(pilot, "enter")
        assert "FIRE AGAIN?" in shown(pilot, "asked")
        assert part(pilot, "board-room").region == before
        assert part(pilot, "verdict").display


async def test_the_screen_is_divided_anew_only_where_a_part_takes_other_rows(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A key repaints several parts, and to divide the screen is the slowest of it."""
    keep(where, a_scenario(DOG_BEACH, DECK))
    divided: list[bool] = []
    update = Part.update

    def noted(self: Part, content: Content, *, layout: bool = True) -> None:
        divided.append(layout)
        update(self, content, layout=layout)

    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        due = pilot.app.screen.query_one("#situation", Part)
        due.display = True
        due.say(Content("Tea"))
        await pilot.pause()
        monkeypatch.setattr(Part, "update", noted)
        due.say(Content("Cake"))
        assert divided.pop() is False
        for text, rows in (("Tea\nCake", 2), ("Tea", 1)):
            due.say(Content(text))
            assert divided.pop() is True
            await pilot.pause()
            assert due.content_size.height == rows


async def test_a_message_does_not_cover_the_journal(where: str) -> None:
    keep(where, a_scenario(DOG_BEACH, DECK), AddNote("Tea"))
    async with the_app(where).run_test(size=NARROW, notifications=True) as pilot:
        await resume(pilot)
        pilot.app.notify("Printed.")
        await eventually(pilot, lambda: pilot.app.screen.query("Toast"))
        await pilot.pause()
        toast = pilot.app.screen.query("Toast").first().region
        assert toast.height
        assert toast.bottom <= part(pilot, "journal-room").region.y


# ------------------------------------------------------------------ home


async def read_anew(pilot: Pilot[None]) -> None:
    """Home comes back from another screen, and reads the battles again."""
    await press(pilot, "question_mark")
    await until(pilot, HelpScreen)
    await press(pilot, "escape")
    await until(pilot, HomeScreen)


async def test_home_shows_the_board_of_the_battle_that_is_chosen(where: str) -> None:
    """Its map, what is left of both sides and the losses by turn; of another game its own board."""
    keep(where, a_scenario(DOG_BEACH, DECK), Correct(row="american/sand/rifle", by=-4))
    keep(where, a_scenario(1, DECK))
    async with the_app(where).run_test(size=WIDE) as pilot:
        await battles_listed(pilot, 2)
        await read_anew(pilot)
        await eventually(pilot, lambda: pilot.app.screen.has_class("-boarded"))
        await wait_for(pilot, "home-board", "OVERMATCHED")
        await press(pilot, "down")
        await wait_for(pilot, "home-board", "DOG BEACH")
        board = shown(pilot, "home-board")
        assert "Turn 1 of 15" in board
        assert "┌──" in board
        assert "73 of 77" in board
        assert "AMERICANS -4" in board
        listed = pilot.app.screen.query_one("#battles").region
        assert listed.right <= part(pilot, "home-board").region.x


async def test_the_board_of_home_follows_a_change_of_colours(where: str) -> None:
    keep(where, a_scenario(DOG_BEACH, DECK))
    async with the_app(where).run_test(size=WIDE) as pilot:
        await battles_listed(pilot)
        await read_anew(pilot)
        await eventually(pilot, lambda: pilot.app.screen.has_class("-boarded"))
        await wait_for(pilot, "home-board", "DOG BEACH")
        board = pilot.app.screen.query_one("#home-board", Static)

        def styles() -> set[str]:
            assert isinstance(board.content, Content)
            return {str(span.style) for span in board.content.spans}

        by_night = styles()
        assert isinstance(pilot.app, SkirmishApp)
        await pilot.app.change_settings(Settings(theme="paper"))
        await eventually(pilot, lambda: styles() != by_night)


async def test_home_of_a_low_screen_reads_no_board(where: str) -> None:
    keep(where, a_scenario(DOG_BEACH, DECK))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await battles_listed(pilot)
        await read_anew(pilot)
        await pilot.app.workers.wait_for_complete()
        assert not pilot.app.screen.query("#home-board")
        assert not pilot.app.screen.has_class("-boarded")


# ------------------------------------------------------------------ set-up


async def to_setup(pilot: Pilot[None], *keys: str) -> None:
    await until(pilot, HomeScreen)
    await press(pilot, "n")
    await until(pilot, ScenarioBrowser)
    await wait_for(pilot, "what", "Overmatched")
    await press(pilot, *keys, "enter")
    await until(pilot, GameSetup)
    listed = pilot.app.screen.query_one("#lines", OptionList)
    await eventually(pilot, lambda: listed.option_count)


LAID_OUT = deep_after(4, [1, 7, 9, 10, 2, 3, 4, 5, 6, 8])
"""The first has the fewest figures, 10 the most; 7 needs most room on paper."""


@pytest.mark.parametrize("number", LAID_OUT)
async def test_set_up_shows_map_and_forces_beside_its_lines(where: str, number: int) -> None:
    async with the_app(where).run_test(size=WIDE) as pilot:
        await to_setup(pilot, *["down"] * (number - 1))
        await wait_for(pilot, "setup-map", "┌──")
        scenario = library.scenarios()[number]
        board = " ".join(shown(pilot, "setup-map").split())
        for side in scenario.sides:
            for group in side.contingents:
                assert " ".join(group.name_in_words.split()) in board
        lines, beside = part(pilot, "lines").region, part(pilot, "setup-board").region
        assert lines.right <= beside.x


def ids_of(lines: LineList) -> list[str]:
    return [option.id or "" for option in lines.options]


async def test_the_board_of_set_up_follows_what_is_chosen(where: str) -> None:
    """Which of the listed columns comes."""
    async with the_app(where).run_test(size=WIDE) as pilot:
        await to_setup(pilot)
        await wait_for(pilot, "setup-map", "Motorised column")
        before = shown(pilot, "setup-map")
        lines = pilot.app.screen.query_one(LineList)
        choice = next(name for name in ids_of(lines) if name.endswith(":0") and " " not in name)
        lines.highlighted = lines.get_option_index(choice)
        await press(pilot, "right")
        await eventually(pilot, lambda: shown(pilot, "setup-map") != before)


@pytest.mark.parametrize("number", LAID_OUT)
async def test_set_up_on_a_large_screen_has_forces_below_its_lines_and_the_map_beside_them(
    where: str, number: int
) -> None:
    async with the_app(where).run_test(size=WALL) as pilot:
        await to_setup(pilot, *["down"] * (number - 1))
        await wait_for(pilot, "setup-map", "SITUATION")
        assert "┌──" in shown(pilot, "setup-map")
        forces = " ".join(shown(pilot, "setup-below-lines").split())
        for side in library.scenarios()[number].sides:
            for group in side.contingents:
                assert " ".join(group.name_in_words.split()) in forces
        lines, below = part(pilot, "lines").region, part(pilot, "setup-left").region
        assert lines.bottom <= below.y
        assert below.right <= part(pilot, "setup-board").region.x


async def test_set_up_on_a_low_screen_has_all_columns_for_its_lines(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await to_setup(pilot)
        assert not part(pilot, "setup-board").display
        assert shown(pilot, "setup-map") == ""


# ------------------------------------------------------------------ lists with their details


async def details_of(pilot: Pilot[None], *keys: str) -> str:
    """What stands beside the list of the screen that these keys open from home."""
    await until(pilot, HomeScreen)
    await press(pilot, *keys)
    await eventually(pilot, lambda: bool(pilot.app.screen.query("#about-line")))
    lines = pilot.app.screen.query_one(LineList)
    await eventually(pilot, lambda: bool(lines.chosen))
    await pilot.pause()
    about = part(pilot, "about-line").region
    assert lines.region.right <= about.x
    assert about.height > LARGE[1] // 2
    return " ".join(shown(pilot, "meaning").split())


async def test_beside_the_settings_stand_all_values_of_the_chosen_one(where: str) -> None:
    async with the_app(where).run_test(size=LARGE) as pilot:
        details = await details_of(pilot, "t")
        assert "* inches (default)" in details
        assert "centimetres" in details


async def test_beside_the_rulings_stands_the_rule_that_leaves_the_gap(where: str) -> None:
    async with the_app(where).run_test(size=LARGE) as pilot:
        details = await details_of(pilot, "g")
        chosen = pilot.app.screen.query_one(LineList).chosen
        rule = library.reference().on_ruling(chosen)
        assert rule is not None
        assert rule.title.upper() in details
        assert " ".join(rule.text[0].split()) in details


async def test_beside_the_armies_stands_what_the_chosen_one_has(where: str) -> None:
    army = library.templates()[0]
    with Store.open(where) as store:
        store.add_army(GAME, army.army_list.name, as_body(army.army_list))
    async with the_app(where).run_test(size=LARGE) as pilot:
        details = await details_of(pilot, "a")
        assert "Legal." in details
        for piece in army.army_list.pieces:
            assert army.catalog.pieces[piece].short in details


async def test_beside_ones_figures_stands_what_each_scenario_needs(where: str) -> None:
    """How many of the chosen piece, and how many figures of all kinds are missing."""
    scenario = library.scenarios()[DOG_BEACH]
    needs = scenario.figures()
    with Store.open(where) as store:
        store.set_owned(GAME, {**needs, "tank": 2, "rifle": needs["rifle"] - 5})
    async with the_app(where).run_test(size=LARGE) as pilot:
        await details_of(pilot, "a", "o")
        await wait_for(pilot, "meaning", "Dog Beach")
        (line,) = [row for row in shown(pilot, "meaning").splitlines() if "Dog Beach" in row]
        assert line.split() == ["10", "Dog", "Beach", str(needs["rifle"]), "5"]


async def test_beside_the_games_stand_the_rules_of_one_and_the_board_of_one_that_goes_on(
    where: str,
) -> None:
    play = bloody_table.played(Random(8), 25)
    written = bloody_table.GAME.codec.written
    with Store.open(where) as store:
        number = store.add_battle("bloody_omaha", "A", "begun", [written(play.entries[0])]).id
        for entry in play.entries[1:]:
            store.append(number, written(entry), headline="on", over=False)
    async with the_app(where).run_test(size=LARGE) as pilot:
        await until(pilot, HomeScreen)
        await press(pilot, "m")
        await until(pilot, GamesScreen)
        lines = pilot.app.screen.query_one(LineList)
        await eventually(pilot, lambda: str(number) in ids_of(lines))
        for line, words in (("new beach_head", "THE AIM"), (str(number), "UNITS")):
            lines.highlighted = lines.get_option_index(line)
            await wait_for(pilot, "chosen-game", words)
        assert part(pilot, "lines").region.right <= part(pilot, "game-room").region.x
        await pilot.resize_terminal(*NARROW)
        await eventually(pilot, lambda: not part(pilot, "game-room").display)


async def test_beside_the_set_up_of_beach_head_stands_the_beach_as_it_is_chosen(where: str) -> None:
    async with the_app(where).run_test(size=LARGE) as pilot:
        details = await details_of(pilot, "b", "enter")
        assert "Bunkers" in details
        assert "60/60" in details


# ------------------------------------------------------------------ one question at a time


async def test_beside_a_question_stand_map_strengths_and_losses(where: str) -> None:
    keep(where, a_scenario(DOG_BEACH, DECK), Correct(row="american/sand/rifle", by=-4))
    async with the_app(where).run_test(size=LARGE) as pilot:
        await resume(pilot)
        await press(pilot, "f2")
        await until(pilot, BattleQuestions)
        await eventually(pilot, lambda: bool(pilot.app.screen.query("#standing")))
        await wait_for(pilot, "standing", "73 of 77")
        assert "AMERICANS -4" in shown(pilot, "standing")
        await eventually(pilot, lambda: map_shown(pilot))
        assert part(pilot, "answers").region.right <= part(pilot, "question-board").region.x
        await pilot.resize_terminal(*NARROW)
        await eventually(pilot, lambda: not map_shown(pilot))


# ------------------------------------------------------------------ pictures


@pytest.mark.parametrize("size", [LARGE, WALL], ids=["160x50", "200x60"])
def test_a_large_screen_looks_as_it_did(
    snap_compare: Callable[..., bool], where: str, size: tuple[int, int]
) -> None:
    keep(where, a_scenario(DOG_BEACH, DECK))

    async def steps(pilot: Pilot[None]) -> None:
        await resume(pilot)
        await press(pilot, "m", "r", "space")

    assert snap_compare(the_app(where), terminal_size=size, run_before=steps)


async def test_at_120x40_large_letters_say_who_fires_while_the_other_side_moves(where: str) -> None:
    keep(where, a_scenario(DOG_BEACH, DECK), EndTurn(), EndTurn())
    async with the_app(where).run_test(size=WIDE) as pilot:
        await resume(pilot)
        await pilot.pause()
        assert shown(pilot, "word") == low_letters("GERMANS FIRE")
        assert part(pilot, "word").region.height == 3
        assert part(pilot, "strip").display
        await press(pilot, "m", "i")  # the shot and what would change it need the rows
        assert not part(pilot, "verdict").display
        assert part(pilot, "strip").display


async def test_at_80x24_a_hit_has_a_rim_all_around_where_a_row_is_left_for_it(where: str) -> None:
    keep(where, a_scenario(DOG_BEACH))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "m", "i", "space")
        await type_draw(pilot, "4h")
        assert shown(pilot, "word") == low_framed_letters("HIT")
        assert part(pilot, "word").region.height == 4
        assert part(pilot, "journal").region.height >= 1
        assert part(pilot, "keys").region.bottom == NARROW[1]
