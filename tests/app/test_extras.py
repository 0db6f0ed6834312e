"""Odds, what-ifs and pages are extras: one that fails leaves a line, and the game goes on."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from beaches import land
from steps import (
    DECK,
    battles_listed,
    eventually,
    fought,
    press,
    resume,
    shown,
    state,
    the_app,
    until,
)
from textual.pilot import Pilot
from textual.widgets import OptionList, Static

from skirmish import extras, library
from skirmish.app.armies.builder import ArmyBuilderScreen
from skirmish.app.armies.editing import WorthScreen
from skirmish.app.armies.list import ArmiesScreen
from skirmish.app.battle.screen import BattleScreen
from skirmish.app.home import HomeScreen
from skirmish.app.play.follow import follow
from skirmish.app.play.questions import QuestionScreen
from skirmish.app.play.setup import GamesScreen
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


@pytest.mark.parametrize("name", ["shot_page.pack_of", "shot_page.what_ifs", "game.due"])
async def test_a_shot_goes_on_without_its_odds(
    where: str, name: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(f"skirmish.games.plastic.{name}", fails)
    fought(where, source=DECK)
    async with the_app(where).run_test(size=(120, 40)) as pilot:
        await resume(pilot)
        await press(pilot, "m", "r")
        assert DETAILS in shown(pilot, "asked") + shown(pilot, "news")
        await press(pilot, "space")
        assert state(pilot).shots == 1
    assert "LookupError: no such thing" in caplog.text


@pytest.mark.parametrize("keys", ["mr2", "2rr3"])
async def test_a_number_is_typed_after_the_target_without_its_odds(
    where: str, keys: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skirmish.games.plastic.shot_page.pack_of", fails)
    fought(where, source=DECK)
    async with the_app(where).run_test(size=(120, 40)) as pilot:
        await resume(pilot)
        await press(pilot, *keys)
        assert DETAILS in shown(pilot, "asked")
        await press(pilot, "space")
        assert state(pilot).shots


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


@pytest.mark.parametrize("name", ["shot_page.pack_of", "commands.shots.pack_of"])
async def test_one_question_at_a_time_goes_on_without_them(
    where: str, name: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(f"skirmish.games.plastic.{name}", fails)
    fought(where, source=DECK)
    async with the_app(where).run_test(size=(120, 40)) as pilot:
        await resume(pilot)
        await press(pilot, "f2")
        await until(pilot, QuestionScreen)
        await press(pilot, "m", "r", "n", "n", "n", "space")
        assert pilot.app.screen.state.shots == 1
    assert "LookupError: no such thing" in caplog.text


ASIDE = {
    "games.plastic.game.PlasticGame.summary": ("Y",),
    "games.plastic.luck.luck_page": ("Y", "l"),
    "page_screen.JournalPage._list": ("J",),
    "games.plastic.game.agreed": ("U",),
    "games.plastic.game.PlasticGame.outlook": ("f7",),
    "scenarios.map_picture.fitting": ("f8",),
    "games.plastic.scenarios.pages.page": ("f8", "tab", "tab"),
    "odds.fires_here": ("percent_sign",),
    "odds.OddsScreen._told": ("percent_sign",),
    "reference.screen.ReferenceScreen._show": ("f1",),
    "reference.rulings.RulingsScreen.compose": ("G",),
    "help.HelpScreen.compose": ("question_mark",),
}


@pytest.mark.parametrize("name", ASIDE)
async def test_beside_a_battle_what_fails_is_left_out(
    where: str, name: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    room = "skirmish" if name.startswith(("games.", "sheets.")) else "skirmish.app"
    monkeypatch.setattr(f"{room}.{name}", fails)
    fought(where, source=DECK)
    async with the_app(where).run_test(size=(120, 40)) as pilot:
        await resume(pilot)
        await press(pilot, *ASIDE[name])
        await eventually(pilot, lambda: DETAILS in everything_on(pilot))
        while not isinstance(pilot.app.screen, BattleScreen):
            await press(pilot, "escape")
        await press(pilot, "escape", "escape", "m", "r", "space")
        assert state(pilot).shots == 1
    assert "LookupError: no such thing" in caplog.text


def everything_on(pilot: Pilot[None]) -> str:
    return "\n".join(str(part.render()) for part in pilot.app.screen.query(Static))


BEACH = {
    "panels.beach_head.panel": (),
    "page_screen.SummaryPage.compose": ("S",),
    "page_screen.JournalPage._list": ("J",),
    "page_screen.PageScreen.on_resize": ("f1",),
}


@pytest.mark.parametrize("name", [*BEACH, "advice", "rules", "summary"])
async def test_beside_a_game_what_fails_is_left_out(
    where: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = BEACH.get(name, {"advice": ("W",), "rules": ("f1",), "summary": ("S",)}.get(name, ()))
    if name in BEACH:
        monkeypatch.setattr(f"skirmish.app.{name}", fails)
    else:
        monkeypatch.setattr(BeachHeadGame, name, fails)
    async with the_app(where).run_test(size=(120, 40)) as pilot:
        await until(pilot, HomeScreen)
        await land(pilot)
        screen = pilot.app.screen
        await press(pilot, *keys)
        await eventually(pilot, lambda: DETAILS in everything_on(pilot))
        while pilot.app.screen is not screen:
            await press(pilot, "escape")
        assert pilot.app.is_running


async def test_following_and_worth_close_where_they_fail(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skirmish.app.battle.screen.FollowBattle.in_front", fails)
    monkeypatch.setattr("skirmish.app.armies.editing.worth", fails)
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
    "list.compared": ("space", "down", "v"),
    "list.owned_figures": ("space", "down", "v"),
    "editing.FiguresScreen.__init__": ("o",),
    "editing.FiguresScreen.paint": ("o",),
    "editing.FiguresScreen.groups": ("o",),
    "builder.WorthScreen.__init__": ("enter", "W"),
}


@pytest.mark.parametrize("name", ARMIES)
async def test_beside_the_armies_what_fails_is_left_out(
    where: str, name: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(f"skirmish.app.armies.{name}", unmade if "__" in name else fails)
    with Store.open(where) as store:
        for title in ("Zug 1", "Zug 2"):
            store.add_army(GAME, title, as_body(ArmyList(name=title)))
    async with the_app(where).run_test(size=(120, 40)) as pilot:
        await until(pilot, HomeScreen)
        await press(pilot, "a")
        await until(pilot, ArmiesScreen)
        await eventually(pilot, lambda: pilot.app.screen.query_one(OptionList).option_count == 3)
        await press(pilot, *ARMIES[name])
        await until(pilot, MessageScreen)
        assert DETAILS in everything_on(pilot)
        await press(pilot, "escape")
        await until(pilot, ArmyBuilderScreen if "Worth" in name else ArmiesScreen)
    assert "LookupError: no such thing" in caplog.text


async def test_a_game_that_cannot_be_followed_is_left(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skirmish.app.play.follow.FollowGame.seen_by", fails)
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
    assert extras.extra("The odds are", lambda: 1 // 0, len) == len(f"The odds are {DETAILS}")
    assert "ZeroDivisionError" in (tmp_path / extras.LOG).read_text("utf-8")


async def test_a_list_of_games_stands_without_its_scores(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BeachHeadGame, "scores", fails)
    async with the_app(where).run_test(size=(80, 24)) as pilot:
        await press(pilot, "b")
        await until(pilot, GamesScreen)
        await eventually(pilot, lambda: f"The scores are {DETAILS}" in shown(pilot, "best"))
