"""The Grand Tactical Series at the keyboard: a game is begun, a shot fired, what is due is read."""

from __future__ import annotations

from gts_table import GAME, changed, entered
from steps import WIDE, battles_listed, press, the_app, until
from textual.widgets import Static

from skirmish.app.page_screen import PageScreen
from skirmish.app.play.screen import PlayScreen
from skirmish.app.play.setup import GameSetup
from skirmish.store.database import Store


async def test_a_game_is_begun_and_a_shot_by_numbers_is_fired(where: str) -> None:
    async with the_app(where).run_test(size=WIDE) as pilot:
        await pilot.pause()
        await press(pilot, "m", "down", "down", "down", "n")
        await until(pilot, GameSetup)
        await press(pilot, "right", "right", "down", "right", "b")  # only fire, community values
        await until(pilot, PlayScreen)
        await press(
            pilot, "f", "0", "p", "5", "0", "minus", "1", "enter", "n", "1", "space", "space"
        )
        screen = pilot.app.screen
        assert isinstance(screen, PlayScreen)
        assert screen.session.state.setup.scope == "fire"
        assert "A rating of 5 in pink fires at its target: 4 or less (5, defense -1)" in " ".join(
            one.text for one in GAME.journal(screen.session.play)
        )


async def test_everything_that_is_due_is_one_key_away(where: str) -> None:
    play = entered(scope="whole")
    with Store.open(where) as store:
        head, *rest = play.entries
        record = store.add_battle("gts", "Series", "", [GAME.codec.written(head)])
        for one in rest:
            store.append(record.id, GAME.codec.written(one), headline="", over=False)
    async with the_app(where).run_test(size=(80, 24)) as pilot:
        await battles_listed(pilot)
        await press(pilot, "enter")
        await until(pilot, PlayScreen)
        await press(pilot, "G", "h", "f7")
        await until(pilot, PageScreen)
        page = str(pilot.app.screen.query_one(".summary-part", Static).render())
        assert "Not acted this turn: A/505, B/505, 1/Becker and 2/Becker." in page.replace(
            "\n", " "
        )


async def test_enter_behind_a_number_that_was_complete_does_nothing_more(where: str) -> None:
    async with the_app(where).run_test(size=WIDE) as pilot:
        await pilot.pause()
        await press(pilot, "m", "down", "down", "down", "n")
        await until(pilot, GameSetup)
        await press(pilot, "b")
        await until(pilot, PlayScreen)
        screen = pilot.app.screen
        assert isinstance(screen, PlayScreen)
        await press(pilot, "D", "a", "X", "enter", "4", "enter", "5", "enter", "6", "enter", "3")
        assert list(screen.session.state.divisions) == ["X"]
        await press(pilot, "enter")
        assert screen.session.state.phase_id == "weather", "the step of the turn did not end"
        await press(pilot, "enter")
        assert screen.session.state.phase_id != "weather"


async def test_what_the_rules_advise_against_is_done_where_players_insist(where: str) -> None:
    play = entered(scope="fire", chance="program")
    for name in ("A/505", "1/Becker"):
        ratings = {"tq": 6, "fire": 5, "defense": -1, "range": 20}
        changed(play, name, kind="orange", ratings=ratings)
    with Store.open(where) as store:
        head, *rest = play.entries
        record = store.add_battle("gts", "Series", "", [GAME.codec.written(head)])
        for one in rest:
            store.append(record.id, GAME.codec.written(one), headline="", over=False)
    async with the_app(where).run_test(size=WIDE) as pilot:
        await battles_listed(pilot)
        await press(pilot, "enter")
        await until(pilot, PlayScreen)
        screen = pilot.app.screen
        assert isinstance(screen, PlayScreen)
        before = len(screen.session.play.entries)
        await press(pilot, "i", "a", "c", "9", "space")
        assert len(screen.session.play.entries) == before
        assert "only from an artillery park" in screen.note
        await press(pilot, "exclamation_mark")
        assert len(screen.session.play.entries) == before + 1
