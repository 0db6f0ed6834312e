"""The workshop in the app: a map drawn with keys, sentences with blanks, every change stored at
once, and what is wrong listed with the way to it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace
from steps import NARROW, WIDE, eventually, press, shown, the_app, until, wait_for
from textual.pilot import Pilot
from textual.widgets import OptionList

from skirmish import library, scenario_editing
from skirmish.app.asking import ChoiceScreen, TextEntry
from skirmish.app.home import HomeScreen
from skirmish.app.play.setup import GameSetup
from skirmish.app.scenarios.browser import ScenarioBrowser, ScenarioList
from skirmish.app.windows import MessageScreen
from skirmish.app.workshop.edited_scenario import opened_scenario
from skirmish.app.workshop.map_board import MapBoard
from skirmish.app.workshop.map_tool import MapTool
from skirmish.app.workshop.screen import WorkshopScreen
from skirmish.app.workshop.sentence_board import SentenceBoard
from skirmish.games.plastic.army_file import GAME, as_body
from skirmish.games.plastic.rules.army import ArmyGroup, ArmyList
from skirmish.games.plastic.scenario_record import ScenarioRecord, SideRecord
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.scenarios.victory_terms import HoldBuildings
from skirmish.games.plastic.workshop.draft import draft_of, map_of
from skirmish.store.database import Store
from skirmish.store.settings import Settings
from skirmish.tabletop.battlefield import Battlefield, Label
from skirmish.tabletop.data_file import table_of
from skirmish.tabletop.map_features import PartId

LARGEST = (200, 60)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for scenarios of the test's own, with one on an empty table."""
    path = tmp_path / "own"
    monkeypatch.setenv("SKIRMISH_SCENARIOS", str(path))
    monkeypatch.setattr("skirmish.app.viewer.opener", lambda: None)
    scenario_editing.new_scenario("The Mill", ("american", "german"), (96, 60))
    return path


async def opened(pilot: Pilot[None]) -> MapBoard:
    await until(pilot, HomeScreen)
    pilot.app.show("workshop", 101)
    await until(pilot, WorkshopScreen)
    await eventually(pilot, lambda: bool(pilot.app.screen.query(MapBoard)))
    await pilot.pause()
    return pilot.app.screen.query_one(MapBoard)


def stored() -> Scenario:
    return scenario_editing.read_draft(101)


async def until_stored(pilot: Pilot[None], is_there) -> None:
    await eventually(pilot, lambda: is_there(stored()))


async def test_what_another_program_writes_while_the_file_is_opened_is_taken_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read = scenario_editing.read_draft

    def read_just_before_a_change(number: int) -> Scenario:
        scenario = read(number)
        scenario_editing.save_draft(replace(scenario, title="The Ford"), add_version=False)
        return scenario

    with monkeypatch.context() as patched:
        patched.setattr(scenario_editing, "read_draft", read_just_before_a_change)
        edited = await opened_scenario(101)
    assert edited.scenario.title == "The Mill"
    assert await edited.follow_file()
    assert edited.scenario.title == "The Ford"
    assert not await edited.follow_file()


async def test_a_screen_that_is_taken_apart_as_the_app_ends_is_left(where: str) -> None:
    app = the_app(where)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        screen = app.screen
        assert isinstance(screen, WorkshopScreen)
        assert not screen.is_left
        # As the app does with each screen when it ends: what the screen waited for comes then.
        app._prune(screen)
        assert screen.is_left


async def test_the_palette_is_as_broad_as_before_when_one_comes_back_to_the_map(where: str) -> None:
    async with the_app(where).run_test(size=LARGEST) as pilot:
        await opened(pilot)
        await eventually(pilot, lambda: "THE REST" in shown(pilot, "palette-lines"))
        palette = shown(pilot, "palette-lines")
        await press(pilot, "3", "2")
        await eventually(pilot, lambda: shown(pilot, "palette-lines") == palette)


@pytest.mark.parametrize("size", [NARROW, WIDE, LARGEST])
async def test_a_road_with_a_bend_takes_few_keys_and_is_stored_at_once(
    where: str, size: tuple[int, int]
) -> None:
    async with the_app(where).run_test(size=size) as pilot:
        await opened(pilot)
        # From edge to edge, with a bend in the middle of E2.
        await press(pilot, "R", "home", "enter", "g")
        await until(pilot, TextEntry)
        await press(pilot, "e", "2", "enter")
        await until(pilot, WorkshopScreen)
        await press(pilot, "enter", "end", "enter", "k", "enter")
        await until_stored(pilot, lambda scenario: bool(map_of(scenario).lines))
        (road,) = map_of(stored()).lines
        assert road.kind == "road"
        assert road.points == ((0, 30), (54, 18), (96, 18))
        assert road.curve is True
        assert "LAY Road" in shown(pilot, "map-does")


async def test_houses_are_turned_sized_taken_moved_copied_and_deleted(where: str) -> None:
    async with the_app(where).run_test(size=WIDE) as pilot:
        board = await opened(pilot)
        await press(pilot, "h", "]", "]", "+", "tab", "enter", "escape")
        (house,) = board.tool.field.buildings
        assert (house.kind, house.turn, house.size, house.number) == ("church", 10, (5.5, 4.0), 1)
        await press(pilot, "space", "right", "shift+up", "enter")
        assert board.tool.field.buildings[0].at == (49, 36)
        await press(pilot, "space", "c", "right", "enter")
        assert [building.number for building in board.tool.field.buildings] == [1, 2]
        await press(pilot, "space", "x")
        assert [building.number for building in board.tool.field.buildings] == [1]
        await press(pilot, "ctrl+z", "ctrl+z", "ctrl+z", "ctrl+z", "ctrl+z", "ctrl+z")
        assert board.tool.field.buildings == ()
        assert board.tool.field == map_of(stored())


async def test_what_is_taken_lies_as_before_after_escape(where: str) -> None:
    async with the_app(where).run_test(size=WIDE) as pilot:
        board = await opened(pilot)
        await press(pilot, "h", "enter", "escape")
        before = board.tool.field
        await press(pilot, "space", "shift+left", "]", "+", "escape")
        assert board.tool.field == before
        assert board.tool.taken is None


async def test_a_zone_asks_whose_it_is_and_a_mistake_leads_to_it(where: str) -> None:
    app = the_app(where)
    async with app.run_test(size=NARROW, notifications=True) as pilot:
        board = await opened(pilot)
        # The message names the key that lists the mistakes, wherever the player has put it.
        await app.change_settings(Settings(keys={"workshop.mistakes": "f6"}))
        await press(pilot, "z")
        await until(pilot, ChoiceScreen)
        await press(pilot, "2")
        await until(pilot, WorkshopScreen)
        await press(pilot, "enter", "shift+right", "enter", "shift+up", "enter", "enter", "escape")
        zone = board.tool.field.zones[-1]
        assert (zone.letter, zone.side) == ("B", "german")
        await eventually(pilot, lambda: "Map·" in shown(pilot, "heading"))
        await press(pilot, "b")
        await eventually(pilot, lambda: "F6 lists it" in str(list(app._notifications)))
        await press(pilot, "1", "f6")
        await until(pilot, ChoiceScreen)
        await press(pilot, "1")
        await until(pilot, WorkshopScreen)
        await eventually(pilot, lambda: board.tool.taken is not None)
        assert board.tool.taken is not None
        assert board.tool.taken.part == zone


async def test_a_place_is_gone_to_by_its_square_or_its_inches(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        board = await opened(pilot)
        places = (
            ("B2", (18, 18)),
            ("77,48", (77, 48)),
            ("77,11.9", (77, 11.9)),
            ("500,1", (96, 1)),
        )
        for typed, place in places:
            await press(pilot, "g")
            await until(pilot, TextEntry)
            await press(pilot, *typed, "enter")
            await until(pilot, WorkshopScreen)
            await eventually(pilot, lambda place=place: board.tool.cursor == place)


async def test_sentences_are_changed_blank_by_blank(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await opened(pilot)
        await press(pilot, "4", "right", "right", "right", "right")
        await until_stored(pilot, lambda scenario: "at least 2 build" in scenario.victory.text)
        await press(pilot, "down", "tab", "right")
        await until_stored(pilot, lambda scenario: "at least 3 build" in scenario.victory.text)
        await press(pilot, "enter")
        await until(pilot, TextEntry)
        await press(pilot, "backspace", "5", "enter")
        await until_stored(pilot, lambda scenario: "at least 5 build" in scenario.victory.text)


async def test_a_sentence_of_two_rows_stands_below_itself(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await opened(pilot)
        await press(pilot, "1")
        board = pilot.app.screen.query_one(SentenceBoard)
        await eventually(pilot, lambda: board.option_count)
        (situation,) = [str(option.prompt) for option in board.options
                        if "Situation" in str(option.prompt)]  # fmt: skip
        first, *rest = situation.split("\n")
        assert first.startswith("  Situation: ")
        assert rest
        assert all(row.startswith("  ") and not row.startswith("   ") for row in rest)


async def test_units_contingents_and_rules_are_added_and_deleted(where: str) -> None:
    async with the_app(where).run_test(size=WIDE) as pilot:
        await opened(pilot)
        await press(pilot, "3", "down", "down", "down", "down", "n")
        await until(pilot, TextEntry)
        await press(pilot, *"Reserve", "enter")
        await until_stored(pilot, lambda scenario: len(scenario.sides[0].contingents) == 2)
        await press(pilot, "5", "n")
        await until_stored(pilot, lambda scenario: len(scenario.limits) == 1)
        await press(pilot, "x")
        await until_stored(pilot, lambda scenario: not scenario.limits)
        board = pilot.app.screen.query_one("#rules-board", SentenceBoard)
        assert board.display


async def test_every_page_opens_and_the_sheet_shows_what_was_changed(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await opened(pilot)
        await press(pilot, "1", "enter")
        await until(pilot, TextEntry)
        await press(pilot, *["backspace"] * 8, *"Kites [b]", "enter")
        await until_stored(pilot, lambda scenario: scenario.title == "Kites [b]")
        assert "KITES [B]" in shown(pilot, "heading")
        await press(pilot, "6")
        await eventually(pilot, lambda: "Kites [b]" in shown(pilot, "sheet"))


async def test_on_a_large_screen_map_and_sheet_stand_beside_the_sentences(where: str) -> None:
    async with the_app(where).run_test(size=LARGEST) as pilot:
        await opened(pilot)
        await press(pilot, "1")
        await wait_for(pilot, "map-and-sheet", "VICTORY")
        assert "┌──" in shown(pilot, "map-and-sheet")
        board = pilot.app.screen.query_one("#table-board").region
        beside = pilot.app.screen.query_one("#workshop-beside").region
        assert board.right <= beside.x
        # The names of the pages stay in sight above both.
        assert beside.y >= pilot.app.screen.query_one("#heading").region.bottom
        await press(pilot, "2")
        await eventually(pilot, lambda: not beside_shown(pilot))


async def test_on_a_large_screen_the_sheet_stands_below_the_palette(where: str) -> None:
    async with the_app(where).run_test(size=LARGEST) as pilot:
        await opened(pilot)
        await eventually(pilot, lambda: "THE MILL" in shown(pilot, "sheet-below").upper())
        await press(pilot, "W", "home", "enter", "end", "enter", "enter")
        await eventually(pilot, lambda: "Wall" in shown(pilot, "sheet-below"))


def beside_shown(pilot: Pilot[None]) -> bool:
    return bool(pilot.app.screen.query_one("#workshop-beside").display)


async def test_another_screen_that_changes_the_file_is_followed(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        board = await opened(pilot)
        await press(pilot, "h", "enter", "escape")
        await until_stored(pilot, lambda scenario: bool(map_of(scenario).buildings))
        elsewhere = stored()
        scenario_editing.save_draft(replace(elsewhere, map=None), add_version=False)
        await eventually(pilot, lambda: not board.tool.field.buildings)


async def test_a_scenario_is_made_edited_and_set_up_from_the_list(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await until(pilot, HomeScreen)
        await press(pilot, "s")
        await until(pilot, ScenarioBrowser)
        await eventually(pilot, lambda: bool(pilot.app.screen._scenarios))
        await press(pilot, "n")
        await until(pilot, TextEntry)
        await press(pilot, *"The Ford", "enter")
        await until(pilot, WorkshopScreen)
        await eventually(pilot, lambda: bool(pilot.app.screen.query(MapBoard)))
        await press(pilot, "b")
        await until(pilot, GameSetup)
        assert library.scenarios()[102].title == "The Ford"


async def test_a_file_of_the_wrong_form_is_not_opened_and_says_why(
    where: str, folder: Path
) -> None:
    file = folder / "101_own_the_mill.toml"
    file.write_text(file.read_text("utf-8").replace('up = "N"', 'up = "Q"'), "utf-8")
    async with the_app(where).run_test(size=NARROW) as pilot:
        await until(pilot, HomeScreen)
        pilot.app.show("workshop", 101)
        await until(pilot, MessageScreen)
        assert file.exists()


async def test_words_that_overlap_on_the_sheet_are_listed_and_do_not_stop_play(where: str) -> None:
    scenario = stored()
    field = map_of(scenario)
    names = tuple(Label(text=text, at=(48, 30), style="town") for text in ("MILL", "BROOK"))
    scenario_editing.save_draft(
        replace(scenario, map=replace(field, labels=names)), add_version=False
    )
    async with the_app(where).run_test(size=NARROW) as pilot:
        await opened(pilot)
        await eventually(pilot, lambda: "Map·" in shown(pilot, "heading"))
        await press(pilot, "f7")
        await until(pilot, ChoiceScreen)
        listed = pilot.app.screen.query_one(OptionList)
        assert "“MILL” and “BROOK” overlap" in str(listed.get_option_at_index(0).prompt)
        await press(pilot, "escape")
        await until(pilot, WorkshopScreen)
        await press(pilot, "b")
        await until(pilot, GameSetup)


async def test_a_unit_joins_the_contingent_from_any_of_its_lines_a_choice_too(where: str) -> None:
    raw = table_of(stored())
    choice = [{"one_of": [{"truck": 1}, {"jeep": 1}]}]
    raw["side"][0]["contingent"][0]["choice"] = choice
    scenario_editing.save_draft(draft_of(raw, "mill"), add_version=False)
    async with the_app(where).run_test(size=WIDE) as pilot:
        await opened(pilot)
        await press(pilot, "3")
        board = pilot.app.screen.query_one("#forces-board", SentenceBoard)
        board.go_to("side[0].contingent[0].choice[0].one_of[0]")
        await pilot.pause()
        await press(pilot, "a")
        await until(pilot, ChoiceScreen)
        await press(pilot, "down", "down", "down", "enter")
        await until(pilot, WorkshopScreen)
        await until_stored(pilot, lambda scenario: len(scenario.sides[0].contingents[0].units) == 4)


async def test_the_mouse_sets_corners_and_takes_what_lies_below_it(where: str) -> None:
    async with the_app(where).run_test(size=WIDE) as pilot:
        board = await opened(pilot)
        await press(pilot, "h")
        await pilot.click(MapBoard, offset=(20, 8))
        await eventually(pilot, lambda: bool(board.tool.field.buildings))
        (house,) = board.tool.field.buildings
        assert house.at == board.tool.cursor
        await press(pilot, "escape")
        await pilot.click(MapBoard, offset=(40, 12))
        assert board.tool.cursor != house.at
        # The first click goes there, the second takes what lies there.
        await pilot.click(MapBoard, offset=(20, 8))
        assert board.tool.taken is None
        await pilot.click(MapBoard, offset=(20, 8))
        assert board.tool.taken is not None
        assert board.tool.taken.part == house


async def test_rings_and_a_line_of_sight_stand_on_the_map_until_they_are_put_away(
    where: str,
) -> None:
    async with the_app(where).run_test(size=WIDE) as pilot:
        board = await opened(pilot)
        bare = marks(board)
        await press(pilot, "semicolon")
        rings = marks(board)
        assert rings > bare
        await press(pilot, "semicolon")
        assert marks(board) == bare
        await press(pilot, "apostrophe", "shift+right", "shift+right")
        assert marks(board) > bare
        assert "sight 12.0\u00a0in, nothing between" in shown(pilot, "map-where")
        await press(pilot, "apostrophe")
        assert board.tool.sight_from is None


def marks(board: MapBoard) -> int:
    """How many cells are marked besides what is stored."""
    return len(board._markers_shown)


async def test_the_whole_map_is_mirrored_and_the_mirror_is_undone(where: str) -> None:
    async with the_app(where).run_test(size=WIDE) as pilot:
        board = await opened(pilot)
        await press(pilot, "h", "shift+left", "enter", "escape")
        before = board.tool.field
        await press(pilot, "m")
        await until(pilot, ChoiceScreen)
        await press(pilot, "1")
        await until(pilot, WorkshopScreen)
        await eventually(pilot, lambda: board.tool.field.buildings[0].at == (54, 30))
        await press(pilot, "ctrl+z")
        assert board.tool.field == before


async def test_what_is_wrong_stands_on_the_printed_sheet(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed: list[Scenario] = []

    async def note(_: object, __: str, scenarios: list[Scenario]) -> None:
        printed.extend(scenarios)

    monkeypatch.setattr("skirmish.app.printing.print_document", note)
    async with the_app(where).run_test(size=WIDE) as pilot:
        board = await opened(pilot)
        await press(pilot, "P")
        await eventually(pilot, lambda: len(printed) == 1)
        assert printed[0].special_rules == ()
        # A zone in which nobody sets up.
        field = board.tool.field
        zone = replace(field.zones[0], letter="Q")
        scenario_editing.save_draft(
            replace(stored(), map=replace(field, zones=(*field.zones, zone))), add_version=False
        )
        await eventually(pilot, lambda: "Map·" in shown(pilot, "heading"))
        await press(pilot, "P")
        await eventually(pilot, lambda: len(printed) == 2)
        (rule,) = printed[1].special_rules
        assert rule.name == "Not finished"
        assert "Q" in rule.text


async def test_all_values_of_an_entry_are_typed_at_once(where: str) -> None:
    async with the_app(where).run_test(size=WIDE) as pilot:
        await opened(pilot)
        await press(pilot, "5", "end", "n")
        await until_stored(pilot, lambda scenario: len(scenario.clocks) == 1)
        await press(pilot, "v")
        await until(pilot, TextEntry)
        clock = '{"ruling":"P80","answer":"x","ends_after":{"side":"german","turn":7}}'
        await press(pilot, "end", "ctrl+u", *clock, "enter")
        await until(pilot, WorkshopScreen)
        await until_stored(pilot, lambda scenario: scenario.clocks[0].ends_after.turn == 7)
        await press(pilot, "3", "o")
        await until_stored(pilot, lambda scenario: not scenario.sides[0].contingents[0].choices)
        await press(pilot, "down", "down", "down", "down", "o")
        await until_stored(
            pilot, lambda scenario: len(scenario.sides[0].contingents[0].choices) == 1
        )


async def test_the_list_stands_on_the_scenario_that_was_in_the_workshop(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await until(pilot, HomeScreen)
        await press(pilot, "s")
        await until(pilot, ScenarioBrowser)
        await press(pilot, "n")
        await until(pilot, TextEntry)
        await press(pilot, *"Ford", "enter")
        await until(pilot, WorkshopScreen)
        await eventually(pilot, lambda: bool(pilot.app.screen.query(MapBoard)))
        # A zone for nobody is a mistake, so that the file is listed as one with mistakes.
        await press(pilot, "z")
        await until(pilot, ChoiceScreen)
        await press(pilot, "1")
        await until(pilot, WorkshopScreen)
        await press(pilot, "enter", "shift+right", "enter", "shift+up", "enter", "enter", "escape")
        await press(pilot, "escape")
        await until(pilot, ScenarioBrowser)
        await eventually(pilot, lambda: "102_own_ford" in chosen_line(pilot))
        await press(pilot, "e")
        await until(pilot, WorkshopScreen)
        await eventually(pilot, lambda: bool(pilot.app.screen.query(MapBoard)))
        board = pilot.app.screen.query_one(MapBoard)
        await eventually(pilot, lambda: "Map·" in shown(pilot, "heading"))
        await press(pilot, "f7")
        await until(pilot, ChoiceScreen)
        await press(pilot, "1")
        await until(pilot, WorkshopScreen)
        await eventually(pilot, lambda: board.tool.taken is not None)
        await press(pilot, "x", "escape")
        await until(pilot, ScenarioBrowser)
        await eventually(pilot, lambda: chosen_line(pilot) == "102")


def chosen_line(pilot: Pilot[None]) -> str:
    return pilot.app.screen.query_one(ScenarioList).chosen


async def test_a_line_that_cannot_be_changed_says_what_it_says(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await opened(pilot)
        await press(pilot, "h", "enter", "escape", "4", "right", "right", "right", "right")
        await eventually(pilot, lambda: isinstance(stored().victory, HoldBuildings))
        board = pilot.app.screen.query_one("#victory-board", SentenceBoard)
        lines = [str(option.prompt).strip() for option in board.options]
        assert lines[-1] == "The map has 1 building."


async def test_a_workshop_that_is_left_at_once_fails_nowhere(
    where: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await until(pilot, HomeScreen)
        for steps in range(16):
            # Left after more and more turns of the loop: while the file is read, while what is
            # owned is read, while the map is mounted.
            pilot.app.show("workshop", 101)
            for _ in range(steps * 3):
                await asyncio.sleep(0)
            pilot.app.pop_screen()
            await until(pilot, HomeScreen)
            await pilot.pause(0.05)
        assert not caplog.records


async def test_keys_before_the_scenario_is_read_do_nothing(
    where: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await until(pilot, HomeScreen)
        screen = WorkshopScreen(101)
        pilot.app.push_screen(screen)
        await screen.action_play()
        screen.action_print()
        assert isinstance(pilot.app.screen, WorkshopScreen)
        await eventually(pilot, lambda: bool(pilot.app.screen.query(MapBoard)))
        assert not caplog.records


async def test_what_is_taken_is_mirrored_where_it_lies(where: str) -> None:
    async with the_app(where).run_test(size=WIDE) as pilot:
        board = await opened(pilot)
        await press(pilot, "h", "]", "]", "enter", "escape", "space", "m", "enter")
        (house,) = board.tool.field.buildings
        assert (house.at, house.turn) == ((48, 30), 170)


async def test_the_ranges_of_a_weapon_stand_around_the_cursor(where: str) -> None:
    async with the_app(where).run_test(size=WIDE) as pilot:
        board = await opened(pilot)
        await press(pilot, "colon")
        await until(pilot, ChoiceScreen)
        listed = pilot.app.screen.query_one(OptionList)
        rows = [str(option.prompt) for option in listed.options]
        assert "Rifle, 12\u00a0in" in "\n".join(rows)
        await press(pilot, "enter")
        await until(pilot, WorkshopScreen)
        assert board.tool.rings
        await press(pilot, "semicolon")
        assert board.tool.rings == ()


async def test_the_line_below_the_map_says_how_far_the_edges_and_the_nearest_things_are(
    where: str,
) -> None:
    async with the_app(where).run_test(size=WIDE) as pilot:
        await opened(pilot)
        await press(pilot, "H", "enter", "shift+right", "enter", "enter", "escape", "shift+up")
        words = shown(pilot, "map-where").replace("\u00a0", " ")
        assert "E4  54, 36   right edge 42 in, top 24 in   hedge 6.0 in" in words
        await press(pilot, "R", "enter", "right", "right")
        assert "from the last place 2.0\u00a0in" in shown(pilot, "map-where")


async def test_the_line_of_keys_says_what_esc_does_while_corners_are_laid(where: str) -> None:
    async with the_app(where).run_test(size=WIDE) as pilot:
        await opened(pilot)
        await press(pilot, "R")
        assert "Esc ends" in shown(pilot, "map-does")
        assert "k bends" not in shown(pilot, "map-does")  # as yet it is a letter of the palette
        await press(pilot, "enter")
        assert "k bends" in shown(pilot, "map-does")
        assert "Esc drops" in shown(pilot, "map-does")
        await press(pilot, "escape")
        assert "Esc ends" in shown(pilot, "map-does")
        await press(pilot, "escape")
        assert "LOOK" in shown(pilot, "map-does")
        await press(pilot, "/", "enter", "right", "enter", "enter")
        assert "its foot" in shown(pilot, "map-does")
        await press(pilot, "escape")
        assert "its crest first" in shown(pilot, "map-does")


async def test_every_tool_of_the_map_can_be_clicked(where: str) -> None:
    async with the_app(where).run_test(size=WIDE) as pilot:
        board = await opened(pilot)
        await click_on(pilot, "palette-lines", "h house")
        assert board.tool.laying is not None
        await click_on(pilot, "map-does", "] turn")
        await click_on(pilot, "map-does", "Enter sets")
        await click_on(pilot, "map-does", "Esc ends")
        (house,) = board.tool.field.buildings
        assert house.turn == 5
        await click_on(pilot, "map-does", "Space takes")
        await click_on(pilot, "map-does", "x deletes")
        assert board.tool.field.buildings == ()
        await click_on(pilot, "palette-lines", "/ slope")
        assert board.tool.laying is not None
        assert board.tool.laying.kind.name == "slope"


async def click_on(pilot: Pilot[None], id: str, words: str) -> None:
    """Click on the first of these words, wherever the lines of a text are broken."""
    widget = pilot.app.screen.query_one(f"#{id}")
    for row in range(widget.content_region.height):
        line = widget.render_line(row).text
        if words in line:
            left, top = widget.gutter.left, widget.gutter.top
            await pilot.click(f"#{id}", offset=(left + line.index(words), top + row))
            await pilot.pause()
            return
    raise AssertionError(f"{words} is not shown")


async def test_more_pieces_than_are_owned_are_listed_with_the_way_to_them(where: str) -> None:
    with Store.open(where) as store:
        store.set_owned(GAME, {"rifle": 30, "machinegun": 9, "grenade": 9, "hedge": 1})
    async with the_app(where).run_test(size=WIDE) as pilot:
        board = await opened(pilot)
        await press(pilot, "H", "enter", "shift+right", "shift+right", "right", "enter", "enter")
        await until_stored(pilot, lambda scenario: bool(map_of(scenario).lines))
        assert "LAY Hedge, 2 of 1" in shown(pilot, "map-does")
        await press(pilot, "escape", "f7")
        await until(pilot, ChoiceScreen)
        listed = pilot.app.screen.query_one(OptionList)
        rows = "\n".join(str(option.prompt) for option in listed.options)
        assert "Forces: 10 Rifle Guys more than you own" in rows
        assert "Map: 1 foot of hedge more than you own" in rows
        await press(pilot, "2")
        await until(pilot, WorkshopScreen)
        assert board.tool.taken is not None
        await press(pilot, "escape", "b")
        await until(pilot, GameSetup)


async def test_an_army_takes_the_place_of_a_sides_forces_its_groups_are_contingents(
    where: str,
) -> None:
    army_list = ArmyList(
        name="The battalion",
        units={"rifle": 300, "machinegun": 4},
        works={"entrenchment": 3},
        groups=(ArmyGroup(name="First company", units={"rifle": 100}),),
    )
    with Store.open(where) as store:
        store.add_army(GAME, army_list.name, as_body(army_list))
    async with the_app(where).run_test(size=WIDE) as pilot:
        await opened(pilot)
        before = stored().sides[0].contingents[0]
        await press(pilot, "3", "A")
        await until(pilot, ChoiceScreen)
        await press(pilot, "enter")
        await until(pilot, WorkshopScreen)
        await until_stored(pilot, lambda scenario: len(scenario.sides[0].contingents) == 2)
        first, rest = stored().sides[0].contingents
        assert (first.id, first.name, first.entry) == (before.id, "First company", before.entry)
        assert (first.units, first.works) == ({"rifle": 100}, {"entrenchment": 3})
        assert (rest.units, rest.entry) == ({"rifle": 200, "machinegun": 4}, before.entry)
        assert scenario_editing.draft_mistakes(stored()) == []
        await press(pilot, "ctrl+z")
        await until_stored(pilot, lambda scenario: scenario.sides[0].contingents == (before,))


async def test_the_sheet_is_printed_with_its_record_if_one_likes(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed: list[Scenario] = []

    async def note(_: object, __: str, scenarios: list[Scenario]) -> None:
        printed.extend(scenarios)

    monkeypatch.setattr("skirmish.app.printing.print_document", note)
    sides = (SideRecord("Americans", 1, 0.5, 34), SideRecord("Germans", 2, 0.25, 34))
    async with the_app(where).run_test(size=WIDE) as pilot:
        await until(pilot, HomeScreen)
        await press(pilot, "s")
        await until(pilot, ScenarioBrowser)
        await press(pilot, "end", "up")
        browser = pilot.app.screen
        assert isinstance(browser, ScenarioBrowser)
        await press(pilot, "p")
        await eventually(pilot, lambda: len(printed) == 1)
        browser._records = {101: ScenarioRecord(3, 0, 8, 10, *sides)}
        await press(pilot, "p")
        await until(pilot, ChoiceScreen)
        await press(pilot, "2")
        await eventually(pilot, lambda: len(printed) == 2)
    assert printed[0].special_rules == ()
    assert "Played 3 times: Americans 1, Germans 2" in printed[1].special_rules[0].text


def test_a_feature_that_is_taken_overwrites_no_other_that_an_undo_puts_in_its_place() -> None:
    mill, brook, ford = (
        Label(text=text, at=(x, 10), style="town")
        for x, text in ((10, "MILL"), (20, "BROOK"), (30, "FORD"))
    )
    tool = MapTool(Battlefield(labels=(brook, ford)), (72, 48))
    tool.go_and_take(PartId("labels", 0))
    tool.move(1, 0)
    # The undo brings back a name that stood before it.
    tool.show(Battlefield(labels=(mill, brook, ford)), (72, 48))
    assert tool.taken is None
    assert tool.enter() is None


def test_a_feature_that_is_taken_stays_so_while_the_map_around_it_changes() -> None:
    mill = Label(text="MILL", at=(10, 10), style="town")
    brook = Label(text="BROOK", at=(20, 10), style="town")
    tool = MapTool(Battlefield(labels=(mill,)), (72, 48))
    tool.go_and_take(PartId("labels", 0))
    tool.move(1, 0)
    tool.show(Battlefield(labels=(mill, brook)), (72, 48))
    changed = tool.enter()
    assert changed is not None
    assert changed.labels == (replace(mill, at=(11, 10)), brook)
