"""Names that people type on every screen: shown as they are, obeyed by none, wider than no screen.

A screen that is new to the app belongs into ``SCREENS``; the first test says so.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import NamedTuple

import beaches
import pytest
from beaches import nearly_won
from steps import DECK, NARROW, battles_listed, keep, the_app
from textual.screen import Screen

from skirmish import library, registry, scenario_editing
from skirmish.app.application import SkirmishApp
from skirmish.app.armies.editing import ArmySession
from skirmish.app.asking import OfferedChoice
from skirmish.app.help import HelpScreen
from skirmish.app.play.follow import WatchedSession
from skirmish.app.settings.key_map import classes_with_keys, every_key
from skirmish.app.side_fire import fires_of_battle
from skirmish.app.windows import MessageScreen, TooSmallScreen
from skirmish.games.beach_head.orders import ShowDice
from skirmish.games.plastic.army_file import GAME, as_body
from skirmish.games.plastic.battle.army_opening import from_armies
from skirmish.games.plastic.battle.orders import (
    AddNote,
    EndPhase,
    Finish,
    Fire,
    Seal,
    Unseal,
)
from skirmish.games.plastic.battle.setup_choices import SetupChoices
from skirmish.games.plastic.rules.army import Army, ArmyList, muster
from skirmish.session import AnySession, Session
from skirmish.store.database import Store
from skirmish.store.watch import Watch
from skirmish.tabletop.page import Page, Paragraph

HOSTILE = {
    "markup, other scripts": "[/b] [@click=app.quit]x[/] [$accent] {0} %s "
    "כוח המשימה Z\u0335\u0321a\u0338l\u0337\u0301g\u0334o\u0330",
    "emoji, control signs, length": "🪖" * 40
    + "\x1b[31mred\x1b[0m\x07\n\ttab \u202egnorw"
    + "x" * 140,
}
"""The first part of each is what a screen has room for; an army's name holds all of its kinds."""
LONGEST = 80
"""Signs of an army's name, as its file allows."""
SEEN = 4
"""Signs of a name, from its beginning, that a screen must show where it has any room for it."""


class Kept(NamedTuple):
    """What is in the store, and as the screens have it."""

    name: str
    army: Army
    number: int
    battle: int
    kept: AnySession
    beach: Session


Maker = Callable[[SkirmishApp, Kept], Screen[object]]
"""Makes a screen as the app does."""


def _battle(name: str) -> Maker:
    """A screen about the battle, imported when it is wanted."""

    def make(_: SkirmishApp, data: Kept) -> Screen[object]:
        return _class(name)(data.kept)

    return make


def _summary(_: SkirmishApp, data: Kept) -> Screen[object]:
    return _class("SummaryScreen")(data.kept, lambda number: None)  # type: ignore[call-arg, arg-type]


def _workshop(_: SkirmishApp, data: Kept) -> Screen[object]:
    """The workshop with a scenario of that title."""
    number = scenario_editing.new_scenario(data.name, ("american", "german"), (96, 60)).number
    return _class("WorkshopScreen")(number)  # type: ignore[call-arg]


def _class(name: str) -> type[Screen[object]]:
    return next(kind for kind in classes_with_keys() if kind.__name__ == name)  # type: ignore[return-value]


def _plain(name: str, *words: object) -> Maker:
    return lambda app, data: _class(name)(*words)


def _watched(app: SkirmishApp, session: AnySession) -> WatchedSession:
    watch = Watch(app.database, session.id)
    return WatchedSession(session.game, app.stored, session.id, session.play, watch)


SCREENS: Mapping[str, tuple[Maker, bool]] = {
    # its name: how it is made, and whether it shows what was typed
    "ArmiesScreen": (_plain("ArmiesScreen"), True),
    "ArmyBuilderScreen": (
        lambda app, data: _class("ArmyBuilderScreen")(
            ArmySession(app.stored, data.army, data.number)
        ),
        True,
    ),
    "ArmyCompareScreen": (
        lambda app, data: _class("ArmyCompareScreen")(data.army, data.army),
        True,
    ),
    "BattleScreen": (_battle("BattleScreen"), True),
    "ChoiceScreen": (
        lambda app, data: _class("ChoiceScreen")(
            data.name, data.name, [OfferedChoice("a", data.name)]
        ),
        True,
    ),
    "DealScreen": (_plain("DealScreen"), False),
    "FiguresScreen": (lambda app, data: _class("FiguresScreen")(app, data.army), True),
    "FollowGame": (lambda app, data: _class("FollowGame")(_watched(app, data.beach)), False),
    "FollowBattle": (lambda app, data: _class("FollowBattle")(_watched(app, data.kept)), True),
    "GameSetup": (lambda app, data: _class("GameSetup")("plastic", {"battle": "armies"}), True),
    "GamesScreen": (_plain("GamesScreen"), False),
    "HelpScreen": (lambda app, data: HelpScreen(app.screen), False),
    "HomeScreen": (_plain("HomeScreen"), True),
    "JournalPage": (lambda app, data: _class("JournalPage")(data.kept), True),
    "KeysScreen": (_plain("KeysScreen"), False),
    "LuckScreen": (_battle("LuckScreen"), True),
    "MessageScreen": (lambda app, data: MessageScreen(data.name, data.name), True),
    "NewArmyScreen": (_plain("NewArmyScreen", (), {}, print), False),
    "OddsScreen": (
        lambda app, data: _class("OddsScreen")(
            fires_of_battle(data.kept.state, "full"), "as always"
        ),
        True,
    ),
    "PressKeyScreen": (
        lambda app, data: _class("PressKeyScreen")(every_key()["home.print"], lambda key: None),
        False,
    ),
    "PageScreen": (
        lambda app, data: _class("PageScreen")(lambda: Page(data.name, (Paragraph(data.name),))),
        True,
    ),
    "PhonesScreen": (_battle("PhonesScreen"), True),
    "PlayScreen": (lambda app, data: _class("PlayScreen")(data.beach), True),
    "PrintScreen": (
        lambda app, data: _class("PrintScreen")(
            data.name, data.name, [OfferedChoice("a", data.name)]
        ),
        True,
    ),
    "BattleQuestions": (_battle("BattleQuestions"), True),
    "ReferenceScreen": (lambda app, data: _class("ReferenceScreen")(data.name), False),
    "RulingsScreen": (_plain("RulingsScreen", {}), False),
    "ScenarioBrowser": (_plain("ScenarioBrowser"), False),
    "SettingsScreen": (_plain("SettingsScreen"), False),
    "SummaryPage": (lambda app, data: _class("SummaryPage")(data.beach), True),
    "SummaryScreen": (_summary, True),
    "TextEntry": (
        lambda app, data: _class("TextEntry")(data.name, data.name, data.name, str),
        True,
    ),
    "TooSmallScreen": (lambda app, data: TooSmallScreen(), False),
    "RulingsList": (_plain("RulingsList"), False),
    "WorkingScreen": (lambda app, data: _class("WorkingScreen")(data.name), True),
    "WorkshopScreen": (_workshop, True),
    "WorthScreen": (lambda app, data: _class("WorthScreen")(data.army), False),
    "YesOrNo": (
        lambda app, data: _class("YesOrNo")(data.name, data.name, yes=data.name, no=data.name),
        True,
    ),
}
BASES = {
    "AskingScreen",
    "CountingScreen",
    "Following",
    "GameParts",
    "GameScreen",
    "JournalCursorScreen",
    "OrderingScreen",
    "QuestionScreen",
    "BattleBoardScreen",
    "BattleOrderingScreen",
    "ScrolledPage",
    "LineScreen",
    "SettingsList",
    "ChoiceLines",
    "Window",
}
BASES |= {"Screen", "ModalScreen", "Palette"}
"""Screens that only others are made of, and Textual's."""
PAINTED = {"PictureScreen"}
"""What steers the terminal here paints a picture; of a text there is none."""


def test_every_screen_of_the_app_is_shown_such_names() -> None:
    screens = {
        kind.__name__
        for kind in classes_with_keys()
        if issubclass(kind, Screen) and not inspect.isabstract(kind)
    }
    assert screens - BASES - PAINTED == set(SCREENS)


def fill(where: str, name: str) -> tuple[Army, int]:
    """The name as that of two armies, their players, a battle, a note and two secrets; and of the
    player of a finished game of Beach Head."""
    won = nearly_won(player=name)
    won.accept(won.consider(ShowDice(faces=(6,))))
    beaches.keep(where, won)
    catalog, book = library.catalog(), library.rulings()
    army = muster(
        ArmyList(name=name[:LONGEST], units={"rifle": 70, "machinegun": 2}), catalog, book
    )
    setup = from_armies(
        army,
        army,
        book,
        sources=(DECK, DECK),
        chosen=SetupChoices(players={"first": name, "second": name}),
    )
    keep(
        where,
        setup,
        EndPhase(),
        Fire(shooter="second/second/rifle", target="first/first/rifle"),
        Seal(side="first", text=name),
        Seal(side="second", text=name),
        Unseal(side="second"),
        AddNote(name),
        Finish(winner="first", reason=name),
    )
    with Store.open(where) as store:
        return army, store.add_army(GAME, army.army_list.name, as_body(army.army_list)).id


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
async def test_names_that_people_type_are_shown_and_not_obeyed(where: str, name: str) -> None:
    army, number = fill(where, name)
    app = the_app(where)
    wrong = []
    async with app.run_test(size=NARROW) as pilot:
        await battles_listed(pilot, 2)
        battle, beach = (one.id for one in app.screen._battles)  # type: ignore[attr-defined]
        kept = await Session.resumed(registry.load("plastic"), app.stored, battle)
        landed = await Session.resumed(registry.load("beach_head"), app.stored, beach)
        data = Kept(name, army, number, battle, kept, landed)
        for what, (make, shows) in SCREENS.items():
            screen = make(app, data)
            await app.push_screen(screen)
            await pilot.pause()  # until what loads is loaded
            await pilot.pause()
            wrong += [f"{what}: {told}" for told in amiss(screen, name, shows)]
            for _ in range(20):
                if app.screen is screen:
                    break
                app.pop_screen()  # a question that the screen opened by itself
            assert app.screen is screen
            app.pop_screen()
            await pilot.pause()
    assert not wrong, "\n".join(wrong)


def amiss(screen: Screen[object], name: str, shows: bool) -> list[str]:
    """What is wrong with a screen."""
    found = []
    width = screen.app.size.width
    for widget in screen.query("*"):
        region = widget.region
        if widget.display and region.width and (region.x < 0 or region.right > width):
            found.append(f"{widget} reaches from {region.x} to {region.right}")
    lines = [strip.text for strip in screen._compositor.render_strips()]
    text = "\n".join(lines)
    steering = [line for line in lines if any(ord(sign) < 32 or sign == "\u202e" for sign in line)]
    found += [f"a sign that steers the terminal: {line!r}" for line in steering]
    if shows:
        part = name[:SEEN]
        if part.upper() not in text.upper():
            found.append(f"{part} is not shown")
    return found
