"""Home, the windows over it, and what happens when something is wrong."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from steps import (
    DECK,
    END_TURN,
    HOSTILE,
    NARROW,
    WIDE,
    a_scenario,
    battles_listed,
    eventually,
    fought,
    keep,
    press,
    resume,
    shown,
    state,
    the_app,
    until,
    wait_for,
)
from textual.pilot import Pilot
from textual.widgets import OptionList

from skirmish import library
from skirmish.app.application import SkirmishApp
from skirmish.app.armies.list import ArmiesScreen
from skirmish.app.battle.follow import FollowBattle
from skirmish.app.battle.screen import BattleScreen
from skirmish.app.help import HelpScreen
from skirmish.app.home import HomeScreen, battle_line
from skirmish.app.play.questions import QuestionScreen
from skirmish.app.play.setup import GameSetup
from skirmish.app.print_choice import PrintScreen
from skirmish.app.reference.screen import ReferenceScreen
from skirmish.app.scenarios.browser import ScenarioBrowser
from skirmish.app.settings.rulings_list import RulingsList
from skirmish.app.settings.screen import SettingsScreen
from skirmish.app.windows import MessageScreen, TooSmallScreen
from skirmish.games.plastic.army_file import GAME, as_body
from skirmish.games.plastic.battle.army_opening import from_armies
from skirmish.games.plastic.battle.orders import Correct, Count, EndTurn, Finish
from skirmish.games.plastic.battle.progress import headline
from skirmish.games.plastic.rules.army import ArmyList, muster
from skirmish.store.database import Store
from skirmish.store.records import BattleRecord
from skirmish.store.times import date_and_time


async def test_an_empty_home_says_what_to_do(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await wait_for(pilot, "none", "Or press n for any other battle")
        await wait_for(pilot, "home-keys", "Enter Start")
        await press(pilot, "a")
        await until(pilot, ArmiesScreen)


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_the_first_evening_is_a_battle_explained_as_it_goes(
    where: str, size: tuple[int, int]
) -> None:
    async with the_app(where).run_test(size=size) as pilot:
        await wait_for(pilot, "none", "Or press n")
        await press(pilot, "enter")
        await until(pilot, QuestionScreen)
        await wait_for(pilot, "messages", "Each side has 7 Rifle Guys")
        await wait_for(pilot, "messages", "Americans set up first: within 3")
        await press(pilot, "m")
        await wait_for(pilot, "messages", "Measure the distance")
        await press(pilot, "escape", "m")
        await wait_for(pilot, "messages", "Measure the distance")
        await press(pilot, "escape")
        for words in ("unless they fired in phase 1", "fight at close quarters.", "fight back"):
            await pilot.app.screen.run_action("other('>')")
            await wait_for(pilot, "messages", words)
        await press(pilot, "E")
        await wait_for(pilot, "messages", "Germans move now.")
        assert "Each side has" not in shown(pilot, "messages")
        await press(pilot, "H")
        await battles_listed(pilot)
        await wait_for(pilot, "home-keys", "Enter Continue")
        await press(pilot, "enter")  # it goes on as it was left
        await until(pilot, QuestionScreen)
        await wait_for(pilot, "messages", "Germans move now.")
        assert "Each side has" not in shown(pilot, "messages"), "the table is laid by now"


async def test_a_shot_that_the_rules_forbid_is_not_said_to_be_drawn_by_a_key(where: str) -> None:
    """A rifle at a tank: the question is whether to do it anyway, and Space draws nothing there."""
    async with the_app(where).run_test(size=NARROW) as pilot:
        await wait_for(pilot, "none", "Or press n")
        await press(pilot, "enter")
        await until(pilot, QuestionScreen)
        await press(pilot, "r", "t")
        await wait_for(pilot, "because", "The rules say no:")
        assert "Space draws a card" not in shown(pilot, "messages")
        await press(pilot, "n", "r", "n")
        await wait_for(pilot, "messages", "Space draws a card")


async def test_the_first_evening_is_small_and_short(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await wait_for(pilot, "none", "Or press n")
        await press(pilot, "enter")
        await until(pilot, QuestionScreen)
        setup = pilot.app.screen.session.state.setup
        for side in setup.sides:
            assert 10 <= sum(piece.side == side.id for piece in setup.pieces) <= 12
        assert setup.ends_after.turn <= 6
        for _ in range(2):
            await pilot.app.screen.run_action("other('>')")
        screen = pilot.app.screen
        assert [one.note for one in screen.answers if one.words == "Rifle"] == [
            "those in contact, of 7"
        ]
        for _ in range(2 * setup.ends_after.turn):
            await press(pilot, *END_TURN)
        assert screen.session.state.outcome is not None


async def test_close_combat_asks_how_many_are_in_contact(where: str) -> None:
    """Three of seven riflemen fight together; a single tank is not asked for its number."""
    async with the_app(where).run_test(size=NARROW) as pilot:
        await wait_for(pilot, "none", "Or press n")
        await press(pilot, "enter")
        await until(pilot, QuestionScreen)
        screen = pilot.app.screen
        await press(pilot, "t", "t")
        assert "touch the enemy" not in shown(pilot, "asks"), "in phase 1 nobody is asked"
        await press(pilot, "escape", "escape", "greater_than_sign", "greater_than_sign")
        assert screen.session.state.clock.phase == 3
        await press(pilot, "t", "t")
        assert "touch the enemy" not in shown(pilot, "asks")
        await press(pilot, "escape", "escape", "r", "r")
        assert "How many Rifle Guys touch the enemy" in shown(pilot, "asks")
        await press(pilot, "3", "n", "space")
        await eventually(pilot, lambda: screen.session.state.shots == 3)


async def test_no_other_battle_is_explained(where: str) -> None:
    keep(where, a_scenario(1))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await battles_listed(pilot)
        await press(pilot, "enter")
        await until(pilot, BattleScreen)
        await press(pilot, "f2")
        await until(pilot, QuestionScreen)
        assert "Each side has" not in shown(pilot, "messages")


async def test_a_battle_is_listed_with_where_it_stands_and_can_be_taken_off(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, *END_TURN, *END_TURN)
        stands = headline(state(pilot))
        assert stands.startswith("Turn 2 of 11 · even: ")
        await press(pilot, "H")
        await battles_listed(pilot)
        listed = pilot.app.screen.query_one("#battles").get_option_at_index(0)
        assert "Overmatched" in str(listed.prompt)
        assert stands in str(listed.prompt)
        await press(pilot, "delete")
        await battles_listed(pilot, 0)
        await press(pilot, "u")
        await battles_listed(pilot, 1)


def test_a_long_title_in_the_list_has_a_row_of_its_own() -> None:
    title = "Omaha: Battle for the Beach"
    updated = "2026-05-01T18:30:00.000000+00:00"
    battle = BattleRecord(
        id=21,
        game="omaha",
        title=title,
        headline="Turn 1",
        over=False,
        started=updated,
        updated=updated,
    )
    rows = battle_line(battle, 40).plain.splitlines()
    assert [row.strip() for row in rows] == [f"21  {title}", date_and_time(updated), "Turn 1"]


async def test_every_key_of_a_screen_is_explained(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "question_mark")
        await until(pilot, HelpScreen)
        said = "\n".join(str(part.render()) for part in pilot.app.screen.query("Static"))
        for words in (
            "Fire the shot in hand",
            "Next phase",
            "End this player turn",
            "Say who won",
        ):
            assert words in said
        assert "Focus" not in said
        await press(pilot, "escape")
        await until(pilot, BattleScreen)


async def test_a_terminal_too_small_is_told_its_size_until_it_is_large_enough(where: str) -> None:
    async with the_app(where).run_test(size=(60, 20)) as pilot:
        await until(pilot, TooSmallScreen)
        said = str(pilot.app.screen.query_one("Static").render())
        assert "60 columns and 20 rows" in said
        assert "80 by 24" in said
        await pilot.resize_terminal(80, 24)
        await until(pilot, HomeScreen)


@pytest.mark.parametrize("broken", ["folder", "not a database"])
async def test_a_database_that_cannot_be_used_is_told_and_left_alone(
    tmp_path: Path, broken: str
) -> None:
    place = tmp_path / "thing"
    if broken == "folder":
        place.mkdir()
    else:
        place.write_text("dear diary " * 500)
    async with the_app(str(place)).run_test(size=NARROW) as pilot:
        await wait_for(pilot, "none", "The database cannot be used")
        await press(pilot, "n")
        await until(pilot, ScenarioBrowser)
    assert place.is_dir() or place.read_text() == "dear diary " * 500


async def test_sheets_rosters_and_the_paper_of_a_battle_are_printed_from_home(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The chosen battle is Overmatched; the army has a name that is no file name. What stands on
    the sheets is told by their own tests."""
    armies(where, "[/b] ../Reds")
    fought(where)
    # A line for all tags, the army, each scenario with works, and labels. From ten lines
    # on, a digit may be the first of a longer number, and Enter ends it.
    with_works = [any(side.works() for side in one.sides) for one in library.scenarios().values()]
    markers = ["7", "2"]
    if 3 + sum(with_works) >= 10:
        markers.append("enter")
    sheets: list[str] = []

    async def note(_app: object, name: str, _make: object) -> None:
        sheets.append(name)

    monkeypatch.setattr("skirmish.app.printing.print_sheet", note)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await battles_listed(pilot)
        for keys, sheet in (
            (["1", "2", "enter"], "scenario-02-stupid-is-as-stupid-does.pdf"),
            (["2"], "scenarios.pdf"),
            (["3", "1"], "roster-b-reds.pdf"),
            (["4"], "blank-roster.pdf"),
            (["5"], "quick-reference.pdf"),
            (["6"], "odds-table.pdf"),
            (markers, "markers.pdf"),
            (["8", "1"], "campaign-ledger.pdf"),
            (["8", "2"], "beach-head.pdf"),
            (["8", "3"], "omaha.pdf"),
            (["9", "1"], "scenario-01-overmatched.pdf"),
            (["9", "4"], "report-overmatched.pdf"),
        ):
            await press(pilot, "p")
            for key in keys:
                await until(pilot, PrintScreen)
                await press(pilot, key)
            await eventually(pilot, lambda s=sheet: s in sheets)
            await until(pilot, HomeScreen)
    assert len(sheets) == 12


async def test_a_roster_needs_an_army(where: str) -> None:
    async with the_app(where).run_test(size=NARROW, notifications=True) as pilot:
        await until(pilot, HomeScreen)
        await press(pilot, "p")
        await until(pilot, PrintScreen)
        await press(pilot, "3")
        await eventually(pilot, lambda: pilot.app._notifications)
        (told,) = pilot.app._notifications
        assert "no army yet" in told.message


async def test_every_door_of_the_menu_opens(where: str) -> None:
    """And each of them closes with Esc."""
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await battles_listed(pilot)
        for key, door in (
            ("n", ScenarioBrowser),
            ("s", ScenarioBrowser),
            ("a", ArmiesScreen),
            ("p", PrintScreen),
            ("f", FollowBattle),
            ("r", ReferenceScreen),
            ("g", RulingsList),
            ("t", SettingsScreen),
            ("question_mark", HelpScreen),
        ):
            await press(pilot, key)
            await until(pilot, door)
            await press(pilot, "escape")
            await until(pilot, HomeScreen)
        await press(pilot, "q")
        await eventually(pilot, lambda: pilot.app._exit)


async def test_battles_may_open_with_one_question_at_a_time(where: str, tmp_path: Path) -> None:
    liked = tmp_path / "likes.toml"
    liked.write_text("questions = true")
    fought(where)
    async with SkirmishApp(
        database=where, folder=tmp_path, settings_path=liked
    ).run_test() as pilot:
        await battles_listed(pilot)
        await press(pilot, "enter")
        await until(pilot, QuestionScreen)


async def test_a_folder_that_cannot_be_written_to_is_told(where: str) -> None:
    app = SkirmishApp(database=where, folder=Path(where) / "no folder", seed=lambda: 1)
    fought(where)
    async with app.run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "P")
        await until(pilot, PrintScreen)
        await press(pilot, "1")
        await until(pilot, MessageScreen)
        said = "\n".join(str(part.render()) for part in pilot.app.screen.query("Static"))
        assert "could not be written to" in said


async def test_without_an_army_the_basic_game_says_how_to_get_one(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await until(pilot, HomeScreen)
        await press(pilot, "n")
        await until(pilot, ScenarioBrowser)
        await wait_for(pilot, "what", "Overmatched")
        await press(pilot, "end")
        await wait_for(pilot, "what", "THE BASIC GAME")
        await press(pilot, "enter")
        await until(pilot, MessageScreen)
        said = "\n".join(str(part.render()) for part in pilot.app.screen.query("Static"))
        assert "Build one first" in said


async def to_the_armies(pilot: Pilot[None]) -> None:
    """From home to the options of the basic game."""
    await until(pilot, HomeScreen)
    await press(pilot, "n")
    await until(pilot, ScenarioBrowser)
    await wait_for(pilot, "what", "Overmatched")
    await press(pilot, "end", "enter")
    await until(pilot, GameSetup)
    await eventually(pilot, lambda: pilot.app.screen.query_one("#lines", OptionList).option_count)


async def fires_and_wins(pilot: Pilot[None]) -> None:
    """One shot, a letter that nobody has, the first army wins, home."""
    await press(pilot, "r", "r", "space", "z", "F", "1")
    await press(pilot, "H")
    await until(pilot, HomeScreen)


def armies(where: str, *names: str) -> list[ArmyList]:
    """Armies so called, kept."""
    lists = [ArmyList(name=name, units={"rifle": 70, "machinegun": 2}) for name in names]
    with Store.open(where) as store:
        for army in lists:
            store.add_army(GAME, army.name, as_body(army))
    return lists


async def test_names_that_people_type_are_shown_as_they_are(where: str) -> None:
    """Six names: as options of the basic game, then two by two in battles and on home."""
    lists = armies(where, *HOSTILE)
    catalog, book = library.catalog(), library.rulings()
    pairs = list(zip(lists[::2], lists[1::2], strict=True))
    for pair in pairs:
        one, other = (muster(army, catalog, book) for army in pair)
        keep(where, from_armies(one, other, book, sources=(DECK, DECK)))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await to_the_armies(pilot)
        await press(pilot, "down")
        offered = []
        for _ in HOSTILE:
            offered.append(shown(pilot, "meaning"))
            await press(pilot, "right")
        for name in HOSTILE:
            assert any(f"? {name} (80 of " in words for words in offered)
        await press(pilot, "escape", "escape")
        await battles_listed(pilot, len(pairs))
        listed = pilot.app.screen.query_one("#battles", OptionList)

        def at(index: int) -> str:
            return str(listed.get_option_at_index(index).prompt)

        for first, second in pairs:  # the last of the list is fought, and becomes its first
            await press(pilot, "end")
            assert first.name[:8] in at(-1)
            await press(pilot, "enter")
            await until(pilot, BattleScreen)
            assert second.name[:8].upper() in shown(pilot, "who")
            await fires_and_wins(pilot)
            await eventually(pilot, lambda name=first.name[:8]: name in at(0))


async def test_an_army_fights_itself_in_the_basic_game(where: str) -> None:
    """By keys all the way, under a name that is full of markup."""
    name = HOSTILE[1]
    armies(where, name)
    async with the_app(where).run_test(size=WIDE) as pilot:
        await to_the_armies(pilot)
        await press(pilot, "b")
        await until(pilot, BattleScreen)
        assert name[:8].upper() in shown(pilot, "who")
        await fires_and_wins(pilot)
        await battles_listed(pilot)


async def test_the_menu_can_be_clicked(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await until(pilot, HomeScreen)
        await pilot.click("#menu", offset=(8, 0))
        await until(pilot, ScenarioBrowser)


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["80x24", "120x40"])
def test_home_with_battles_looks_as_it_did(
    snap_compare: Callable[..., bool],
    where: str,
    size: tuple[int, int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Long titles are cut, dates and figures stay; the mark of where it can be scrolled too."""
    overmatched = a_scenario(1, DECK)
    keep(where, overmatched, Correct(row="german/column/rifle", by=-12))
    lists = armies(where, HOSTILE[1], "x" * 200)
    catalog, book = library.catalog(), library.rulings()
    one, other = (muster(army, catalog, book) for army in lists)
    keep(where, from_armies(one, other, book, sources=(DECK, DECK)))
    keep(where, a_scenario(10, DECK), Count(values={"american": 2, "german": 5}))
    keep(where, a_scenario(8, DECK), EndTurn())
    for number in (2, 7):
        keep(where, a_scenario(number, DECK), Finish(winner="german", reason="Supper."))
    with closing(sqlite3.connect(where)) as file, file:
        file.execute("UPDATE battle SET updated = '2026-05-01T18:30:00.000000+00:00'")
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    assert snap_compare(the_app(where), terminal_size=size, run_before=six_battles)


async def six_battles(pilot: Pilot[None]) -> None:
    await battles_listed(pilot, 6)
    await pilot.pause()
