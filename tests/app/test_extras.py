"""Odds, what-ifs and pages are extras: one that fails leaves a line, and the game goes on."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from beaches import land
from steps import (
    DECK,
    battles_listed,
    eventually,
    fought,
    press,
    press_until,
    resume,
    shown,
    state,
    the_app,
    until,
)
from textual.pilot import Pilot
from textual.widgets import OptionList, Static

from skirmish import extras, library
from skirmish.app.armies.builder import ArmyBuilderScreen, WorthScreen
from skirmish.app.armies.list import ArmiesScreen
from skirmish.app.battle.screen import BattleScreen
from skirmish.app.home import HomeScreen
from skirmish.app.play.follow import follow
from skirmish.app.play.games import GamesScreen
from skirmish.app.play.questions import QuestionScreen
from skirmish.app.windows import MessageScreen
from skirmish.games.beach_head.game import BeachHeadGame
from skirmish.games.plastic.army_file import GAME, as_body
from skirmish.games.plastic.rules.army import ArmyList, muster
from skirmish.store.database import Store

DETAILS = "not available (details in the log)."


@pytest.fixture(autouse=True)
def nothing_left_out() -> None:
    """Here it is."""


def fails(*_: object, **__: object) -> None:
    raise LookupError("no such thing")


@contextmanager
def failing(
    patch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, name: str, by: object = fails
) -> Iterator[None]:
    """That function fails meanwhile, and the log says so."""
    caplog.clear()
    with patch.context() as broken:
        broken.setattr(f"skirmish.{name}", by)
        yield
    assert "LookupError: no such thing" in caplog.text, name


ANEW = tuple("-1r")
"""The next state, of which everything is asked anew."""


async def test_a_shot_goes_on_without_its_odds(
    where: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    fought(where, source=DECK)
    async with the_app(where).run_test(size=(120, 40)) as pilot:
        await resume(pilot)
        for name, keys, part in (
            ("shot_page.pack_of", "mr", "asked"),
            ("what_if_table.what_ifs", "mr", "asked"),
            ("game.due", "mr", "due"),
            ("shot_page.pack_of", "mr2", "asked"),  # a number typed after the target
            ("shot_page.pack_of", "2rr3", "asked"),
        ):
            with failing(monkeypatch, caplog, f"games.plastic.{name}"):
                await press(pilot, *ANEW, *keys)
                assert DETAILS in shown(pilot, part), name
                await press(pilot, "space")
                assert state(pilot).shots, name
            await undone(pilot)


async def undone(pilot: Pilot[None]) -> None:
    """The shot and what was before it taken back, and nothing left of what failed."""
    await press(pilot, "escape", "escape", "backspace", "backspace")
    assert not state(pilot).shots
    assert DETAILS not in everything_on(pilot)


async def test_a_game_of_lines_goes_on_without_what_a_choice_would_come_to(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skirmish.tabletop.commands.Draft.page", property(fails))
    async with the_app(where).run_test(size=(120, 40)) as pilot:
        await until(pilot, HomeScreen)
        await land(pilot)
        seen = ""
        for _ in range(3):
            await press(pilot, "space")
            seen += everything_on(pilot)
        assert DETAILS in seen


async def test_one_question_at_a_time_goes_on_without_them(
    where: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    fought(where, source=DECK)
    async with the_app(where).run_test(size=(120, 40)) as pilot:
        await resume(pilot)
        await press(pilot, "f2")
        await until(pilot, QuestionScreen)
        for name in ("forecast.pack_of", "commands.shots.rows.pack_of"):
            with failing(monkeypatch, caplog, f"games.plastic.{name}"):
                await press(pilot, "m", "r", "n", "space")
                assert pilot.app.screen.state.shots == 1, name
            await press(pilot, "backspace")
            assert not pilot.app.screen.state.shots


ASIDE = {
    "games.plastic.game.PlasticGame.summary": ("Y",),
    "games.plastic.luck_page.luck_page": ("Y", "l"),
    "play.journal_page.JournalPage._paint_lines": ("J",),
    "games.plastic.game.agreed_before_play": ("U",),
    "games.plastic.game.PlasticGame.due_and_progress": ("f7",),
    "scenarios.page_panel.map_page": ("f8",),
    "games.plastic.scenarios.pages.page": ("f8", "tab", "tab"),
    "side_fire.fires_here": ("percent_sign",),
    "odds.OddsScreen._exact_odds": ("percent_sign",),
    "reference.screen.ReferenceScreen._show": ("f1",),
    "reference.rulings.RulingsScreen.compose": ("G",),
    "help.HelpScreen.compose": ("question_mark",),
}


async def test_beside_a_battle_what_fails_is_left_out(
    where: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    fought(where, source=DECK)
    async with the_app(where).run_test(size=(120, 40)) as pilot:
        await resume(pilot)
        for name, keys in ASIDE.items():
            room = "" if name.startswith("games.") else "app."
            with failing(monkeypatch, caplog, room + name):
                await press(pilot, *ANEW, *keys)
                await eventually(pilot, lambda: DETAILS in everything_on(pilot))
                await press_until(
                    pilot, lambda: isinstance(pilot.app.screen, BattleScreen), "escape"
                )
                await press(pilot, "escape", "escape", "m", "r", "space")
                assert state(pilot).shots == 1, name
            await press(pilot, "f3")
            await undone(pilot)


def everything_on(pilot: Pilot[None]) -> str:
    """All that can be seen."""
    seen = [
        part
        for part in pilot.app.screen.query(Static)
        if all(one.display for one in part.ancestors_with_self)
    ]
    return "\n".join(str(part.render()) for part in seen)


ADVICE = "games.beach_head.game.BeachHeadGame"
BEACH = {
    "app.page_screen.SummaryPage.compose": ("S",),
    # J may be a card of the first hand.
    "app.play.journal_page.JournalPage._paint_lines": ("space", "J"),
    "app.page_screen.PageScreen.on_resize": ("f1",),
    f"{ADVICE}.advice": ("W",),
    f"{ADVICE}.rules": ("f1",),
    f"{ADVICE}.summary": ("S",),
}


async def test_beside_a_game_what_fails_is_left_out(
    where: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with the_app(where).run_test(size=(120, 40)) as pilot:
        await until(pilot, HomeScreen)
        await land(pilot)
        screen = pilot.app.screen
        for name, keys in BEACH.items():
            assert DETAILS not in everything_on(pilot)
            with failing(monkeypatch, caplog, name):
                await press(pilot, *keys)
                await eventually(pilot, lambda: DETAILS in everything_on(pilot))
                await press_until(pilot, lambda: pilot.app.screen is screen, "escape")
            await press(pilot, "space")  # the next state, of which everything is asked anew
        assert pilot.app.is_running


async def test_a_game_is_played_without_its_panel(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skirmish.app.panels.beach_head.panel", fails)
    async with the_app(where).run_test(size=(120, 40)) as pilot:
        await until(pilot, HomeScreen)
        await land(pilot)
        await eventually(pilot, lambda: DETAILS in everything_on(pilot))
        assert pilot.app.is_running


async def test_following_and_worth_close_where_they_fail(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skirmish.app.battle.follow.FollowBattle.draft_rows", fails)
    monkeypatch.setattr("skirmish.app.armies.builder.worth", fails)
    fought(where)
    app = the_app(where)
    async with app.run_test(size=(80, 24)) as pilot:
        await battles_listed(pilot)
        army = muster(ArmyList(name="Zug"), library.catalog(), library.rulings())
        for screen in (None, WorthScreen(army)):
            if screen is None:
                app.run_worker(follow(app, 1))
            else:
                await app.push_screen(screen)
            await eventually(pilot, lambda: DETAILS in everything_on(pilot))
            await press(pilot, "escape")
            assert isinstance(app.screen, HomeScreen)


def unmade(self: object, *_: object) -> None:
    raise LookupError("no such thing")


ARMIES = {
    "list.ArmyCompareScreen.__init__": ("space", "down", "v"),
    "list.ArmyCompareScreen.show_anew": ("space", "down", "v"),
    "compare.compared": ("space", "down", "v"),
    "compare.owned_figures": ("space", "down", "v"),
    "own_figures.FiguresScreen.__init__": ("o",),
    "own_figures.FiguresScreen.paint": ("o",),
    "own_figures.FiguresScreen.groups": ("o",),
    "builder.WorthScreen.__init__": ("enter", "W"),
}


async def test_beside_the_armies_what_fails_is_left_out(
    where: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with Store.open(where) as store:
        for title in ("Zug 1", "Zug 2"):
            store.add_army(GAME, title, as_body(ArmyList(name=title)))
    async with the_app(where).run_test(size=(120, 40)) as pilot:
        await until(pilot, HomeScreen)
        for name, keys in ARMIES.items():
            await press(pilot, "a")
            await until(pilot, ArmiesScreen)
            listed = pilot.app.screen.query_one(OptionList)
            await eventually(pilot, lambda listed=listed: listed.option_count == 3)
            with failing(
                monkeypatch, caplog, f"app.armies.{name}", unmade if "__" in name else fails
            ):
                await press(pilot, *keys)
                await until(pilot, MessageScreen)
                assert DETAILS in everything_on(pilot), name
                await press(pilot, "escape")
                await until(pilot, ArmyBuilderScreen if "Worth" in name else ArmiesScreen)
            await press_until(pilot, lambda: isinstance(pilot.app.screen, HomeScreen), "escape")


async def test_a_game_that_cannot_be_followed_is_left(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skirmish.app.play.follow.FollowGame.viewer_line", fails)
    async with the_app(where).run_test(size=(120, 40)) as pilot:
        await until(pilot, HomeScreen)
        await land(pilot)
        pilot.app.run_worker(follow(pilot.app, 1))  # type: ignore[arg-type]
        await eventually(pilot, lambda: DETAILS in everything_on(pilot))
        assert pilot.app.is_running


async def test_a_page_that_cannot_be_printed_is_told(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skirmish.sheets.reference.reference_pdf", fails)
    from skirmish.app.printing import print_document

    app = the_app(where)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, HomeScreen)
        app.run_worker(print_document(app, "reference"))
        await eventually(pilot, lambda: isinstance(app.screen, MessageScreen))


def test_the_log_is_written_beside_the_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = logging.getLogger("skirmish")
    monkeypatch.setattr(log, "handlers", [])
    monkeypatch.setattr(log, "propagate", True)
    extras.log_beside(lambda: tmp_path / "x.db")
    assert not (tmp_path / extras.LOG).exists()
    assert extras.unless_it_fails(
        lambda: 1 // 0, instead=len, failure="The odds are not available"
    ) == len(f"The odds are {DETAILS}")
    assert "ZeroDivisionError" in (tmp_path / extras.LOG).read_text("utf-8")


async def test_a_list_of_games_stands_without_its_scores(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BeachHeadGame, "scores", fails)
    async with the_app(where).run_test(size=(80, 24)) as pilot:
        await press(pilot, "b")
        await until(pilot, GamesScreen)
        await eventually(pilot, lambda: f"The scores are {DETAILS}" in shown(pilot, "scores"))


async def test_a_map_that_fails_leaves_the_map_out(
    where: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Both sides stand beside one another then, and the battle goes on."""
    fought(where, source=DECK)
    async with the_app(where).run_test(size=(160, 50)) as pilot:
        with failing(monkeypatch, caplog, "app.battle.map_panel.board_drawing"):
            await resume(pilot)
            await pilot.pause()
        screen = pilot.app.screen
        assert not any(panel.display for panel in screen.query("#map"))
        assert not screen.has_class("-mapped")
        await press(pilot, "c", "k", "space")
        assert state(pilot).shots == 1


async def test_home_goes_on_without_the_board_of_a_battle(
    where: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    fought(where, source=DECK)
    async with the_app(where).run_test(size=(120, 40)) as pilot:
        await battles_listed(pilot)
        with failing(monkeypatch, caplog, "app.scenarios.map_picture.board_map"):
            await press(pilot, "question_mark", "escape")
            await eventually(pilot, lambda: "The board is" in caplog.text)
        await pilot.pause()
        assert not pilot.app.screen.has_class("-boarded")
        await resume(pilot)


async def test_set_up_goes_on_without_its_map(
    where: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with the_app(where).run_test(size=(120, 40)) as pilot:
        await until(pilot, HomeScreen)
        await press(pilot, "n")
        await eventually(pilot, lambda: "Overmatched" in shown(pilot, "what"))
        with failing(monkeypatch, caplog, "app.scenarios.setup_board.setup_board"):
            await press(pilot, "enter")
            await eventually(pilot, lambda: "The map is" in caplog.text)
        assert not pilot.app.screen.has_class("-boarded")
        await press(pilot, "b")
        await until(pilot, BattleScreen)
