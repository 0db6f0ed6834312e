"""A key that comes too late, or too early, is the next screen's or nobody's, and ends nothing."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from steps import battles_listed, eventually, fought, resume, shown, the_app, until
from textual import events
from textual.geometry import Offset
from textual.pilot import Pilot
from textual.widgets import Input, Static
from textual.worker import WorkerFailed

from skirmish import registry
from skirmish.app import turns
from skirmish.app.application import SkirmishApp
from skirmish.app.armies.builder import ArmyBuilderScreen
from skirmish.app.armies.list import ArmiesScreen
from skirmish.app.battle.screen import BattleScreen
from skirmish.app.help import HelpScreen
from skirmish.app.home import HomeScreen
from skirmish.app.play.games import GamesScreen
from skirmish.app.scenarios.browser import ScenarioBrowser
from skirmish.app.windows import MessageScreen
from skirmish.games.plastic.army_file import GAME, as_body
from skirmish.games.plastic.rules.army import ArmyList
from skirmish.store.database import Store

sys.path.append(str(Path(__file__).resolve().parents[2] / "benchmarks"))


def typed(pilot: Pilot[None], *keys: str) -> None:
    """All at once, as somebody types who does not wait for the screen."""
    for key in keys:
        pilot.app.post_message(events.Key(key, key if len(key) == 1 else None))


AT_ONCE = (
    ("p", "enter", "escape", "escape"),
    ("ctrl+p", "enter", "escape", "escape"),
    ("ctrl+p", "ctrl+p", "escape", "escape"),
    ("ctrl+p", "percent_sign", "escape", "escape"),
    ("question_mark", "question_mark", "escape", "escape"),
    ("a", "n", "escape", "escape", "escape"),
    ("n", "tab", "tab", "escape", "escape"),
    ("f", "up", "escape", "escape"),
    ("r", "tab", "escape", "escape", "escape"),
)


async def test_keys_typed_at_once_end_nothing(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=(80, 24)) as pilot:
        for keys in AT_ONCE:
            await battles_listed(pilot)
            typed(pilot, *keys)
            await pilot.pause()
            for _ in range(400):  # where the keys led depends on how quick this machine is
                if isinstance(pilot.app.screen, HomeScreen):
                    break
                typed(pilot, "escape", "H")
                await pilot.pause(0.02)
            await until(pilot, HomeScreen)
            assert pilot.app.is_running, keys


async def test_who_types_ahead_is_understood(where: str) -> None:
    """Home, the scenarios, their options, the battle: without a look at the screen."""
    async with the_app(where).run_test(size=(80, 24)) as pilot:
        await until(pilot, HomeScreen)
        typed(pilot, "n", "end", "escape", "a", "escape", "n", "b", "b")
        await until(pilot, BattleScreen)


async def test_cards_typed_ahead_stay_in_order_with_the_spaces_between_them(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=(80, 24)) as pilot:
        await resume(pilot)
        for key in ("2", "m", "r", "4", "space"):
            await pilot.press(key)
        typed(pilot, "9", "h", "space", "1", "0", "c", "enter")
        await eventually(pilot, lambda: len(pilot.app.screen.state.judged) == 2)  # type: ignore[attr-defined]
        assert [str(one.draw) for one in pilot.app.screen.state.judged] == ["9H", "10C"]  # type: ignore[attr-defined]


async def test_what_is_typed_ahead_into_a_field_is_in_it(where: str) -> None:
    async with the_app(where).run_test(size=(80, 24)) as pilot:
        await until(pilot, HomeScreen)
        typed(pilot, "ctrl+p")
        await pilot.pause()
        typed(pilot, "p", "r", "i")
        await pilot.pause()
        assert pilot.app.screen.query_one(Input).value == "pri"


async def test_a_key_waits_for_the_window_that_a_worker_is_about_to_open(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At home Enter would go on with the battle below, and in a battle it would fire."""
    fought(where)
    read = SkirmishApp.stored

    async def slowly(self: SkirmishApp, job: Callable[[Store], object]) -> object:
        await asyncio.sleep(0.1)
        return await read(self, job)

    async with the_app(where).run_test(size=(80, 24)) as pilot:
        await battles_listed(pilot)
        monkeypatch.setattr(SkirmishApp, "stored", slowly)
        typed(pilot, "p", "end", "escape", "enter", "m", "r")
        await until(pilot, BattleScreen)
        await eventually(pilot, lambda: "Machinegun > Rifle" in shown(pilot, "asked"))


async def test_a_key_waits_for_the_list_that_it_chooses_from(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(where) as store:
        store.add_army(GAME, "Zug", as_body(ArmyList(name="Zug")))
    look = ArmiesScreen._read_armies

    async def slowly(self: ArmiesScreen, *about: int) -> None:
        await asyncio.sleep(0.1)
        await look(self, *about)

    monkeypatch.setattr(ArmiesScreen, "_read_armies", slowly)
    async with the_app(where).run_test(size=(80, 24)) as pilot:
        await until(pilot, HomeScreen)
        typed(pilot, "a", "enter", "m", "6")
        await until(pilot, ArmyBuilderScreen)
        builder = pilot.app.screen
        await eventually(pilot, lambda: builder.army.army_list.units == {"machinegun": 6})


async def test_what_takes_long_holds_up_one_key_and_not_for_ever(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ArmiesScreen, "_read_armies", lambda self, *_: asyncio.sleep(60))
    monkeypatch.setattr(turns, "PATIENCE", 0.1)
    async with the_app(where).run_test(size=(80, 24)) as pilot:
        await until(pilot, HomeScreen)
        typed(pilot, "a", "question_mark")
        await until(pilot, HelpScreen)
        typed(pilot, "escape", "question_mark")
        await until(pilot, HelpScreen)
        assert len(pilot.app._slow) == 1


async def test_a_window_closes_once_and_only_itself(where: str) -> None:
    async with the_app(where).run_test(size=(80, 24)) as pilot:
        await until(pilot, HomeScreen)
        typed(pilot, "n")
        await until(pilot, ScenarioBrowser)
        typed(pilot, "question_mark")
        await until(pilot, HelpScreen)
        window = pilot.app.screen
        window.dismiss(None)
        window.dismiss(None)
        await until(pilot, ScenarioBrowser)


async def test_the_app_closes_where_a_screen_is_cancelled_as_it_closes(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a worker is that awaits the end of a screen, and takes its task with it."""

    async def cancelled(self: HelpScreen) -> None:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        await asyncio.sleep(0)

    monkeypatch.setattr(HelpScreen, "on_unmount", cancelled, raising=False)
    async with the_app(where).run_test(size=(80, 24)) as pilot:
        await until(pilot, HomeScreen)
        await pilot.app.push_screen(HelpScreen(pilot.app.screen))
    assert not pilot.app.screen_stack


async def test_an_error_of_a_screen_in_front_is_not_hidden(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: object) -> None:
        raise LookupError("a fault of ours")

    monkeypatch.setattr(ArmiesScreen, "action_new", broken)

    async def pressed() -> None:
        async with the_app(where).run_test(size=(80, 24)) as pilot:
            await until(pilot, HomeScreen)
            typed(pilot, "a", "n")
            await eventually(pilot, lambda: not pilot.app.is_running)

    with pytest.raises(LookupError, match="a fault of ours"):
        await pressed()


async def test_the_log_says_where_the_error_of_a_worker_was_raised(
    where: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken_worker() -> None:
        raise LookupError("a fault of ours")

    async def worked() -> None:
        async with the_app(where).run_test(size=(80, 24)) as pilot:
            await until(pilot, HomeScreen)
            pilot.app.run_worker(broken_worker())
            await eventually(pilot, lambda: not pilot.app.is_running)

    with pytest.raises(WorkerFailed, match="a fault of ours"):
        await worked()
    assert "in broken_worker" in caplog.text


@pytest.mark.parametrize("part", ["compose", "on_mount", "on_resize"])
async def test_a_screen_that_fails_as_it_opens_is_closed_with_a_sentence(
    where: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, part: str
) -> None:
    """Keys that were typed ahead for it are nobody's; those typed afterwards count."""

    def broken(self: object) -> None:
        raise LookupError("a fault of ours")

    monkeypatch.setattr(GamesScreen, part, broken)
    async with the_app(where).run_test(size=(80, 24)) as pilot:
        await until(pilot, HomeScreen)
        typed(pilot, "m", "m", "down", "down", "enter", "x", "y", "z")
        await until(pilot, MessageScreen)
        message = " ".join(str(part.render()) for part in pilot.app.screen.query(Static))
        assert "could not be opened" in message
        assert "could not be opened" in caplog.text
        caplog.clear()
        typed(pilot, "escape", "a")
        await until(pilot, ArmiesScreen)
        typed(pilot, "escape", "ctrl+q")
        await eventually(pilot, lambda: not pilot.app.is_running)


async def test_a_battle_that_fails_as_it_opens_takes_the_keys_behind_it_but_no_later_ones(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker opens it: the next key waits for that, and is then no key of any screen."""

    def broken(self: object) -> None:
        raise LookupError("a fault of ours")

    monkeypatch.setattr(BattleScreen, "compose", broken)
    fought(where)
    async with the_app(where).run_test(size=(80, 24)) as pilot:
        await battles_listed(pilot)
        typed(pilot, "enter", "down")
        await until(pilot, MessageScreen)
        await asyncio.sleep(0.5)  # while the message is read, no key comes
        typed(pilot, "escape", "a")
        await until(pilot, ArmiesScreen)


async def test_the_key_that_quits_does_not_wait_for_what_never_ends(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    forever = asyncio.Event()

    async def stuck(self: object) -> None:
        await forever.wait()

    monkeypatch.setattr(ArmiesScreen, "on_key", stuck, raising=False)
    monkeypatch.setattr(turns, "PATIENCE", 0.1)
    async with the_app(where).run_test(size=(80, 24)) as pilot:
        await until(pilot, HomeScreen)
        typed(pilot, "a")
        await until(pilot, ArmiesScreen)
        typed(pilot, "down", "x", "ctrl+q")
        for _ in range(100):
            await asyncio.sleep(0.02)
            if pilot.app._exit:
                break
        assert pilot.app._exit
        forever.set()


async def test_bindings_and_typed_characters_keep_their_order(where: str) -> None:
    """A letter is a binding, a digit of a card is not: `ri 9h` became a volley in reach of 9."""
    fought(where)
    async with the_app(where).run_test(size=(80, 24)) as pilot:
        await resume(pilot)
        typed(pilot, "m", "r", "space", "9", "h", "enter", "ctrl+z", "ctrl+z", "r", "r")
        await eventually(pilot, lambda: "Rifle > Rifle" in shown(pilot, "asked"))
        play = pilot.app.screen.session.play  # type: ignore[attr-defined]
        assert [entry.kind for entry in play.entries] == ["open", "order", "order", "undo", "undo"]


async def test_a_pasted_line_is_typed_before_what_follows_it(where: str) -> None:
    """Terminals send the end of a pasted line as a carriage return."""
    fought(where)
    async with the_app(where).run_test(size=(80, 24)) as pilot:
        await resume(pilot)
        pilot.app.post_message(events.Paste("mr 9h\r"))
        typed(pilot, "ctrl+z", "ctrl+z", "r", "r")
        await eventually(pilot, lambda: "Rifle > Rifle" in shown(pilot, "asked"))
        play = pilot.app.screen.session.play  # type: ignore[attr-defined]
        assert [entry.kind for entry in play.entries] == ["open", "order", "order", "undo", "undo"]


async def test_what_others_write_is_shown_between_two_keys(where: str) -> None:
    """It takes its turn behind the keys that were typed before it came."""
    fought(where)
    async with the_app(where).run_test(size=(80, 24)) as pilot:
        await resume(pilot)
        screen = pilot.app.screen
        order: list[str] = []

        async def show() -> None:
            order.append(str(screen.draft.answers.get("shooter")))  # type: ignore[attr-defined]

        typed(pilot, "m")
        pilot.app.after_typed_keys(screen, show)  # type: ignore[attr-defined]
        await eventually(pilot, lambda: order)
        assert order == ["polish/rearguard/machinegun"]
        typed(pilot, "J")
        await pilot.pause()
        pilot.app.after_typed_keys(screen, show)  # type: ignore[attr-defined]
        await pilot.pause()
        assert len(order) == 1  # the journal is in front


async def test_a_monkey_at_the_keyboard_ends_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three hundred keys, clicks, pastes and sizes; `make monkey` gives a hundred thousand."""
    import monkey

    monkeypatch.setattr(registry, "GAMES", [*registry.GAMES, monkey.TOY])
    database = tmp_path / "stock.db"
    monkey.stock(database)
    assert await monkey.run(300, 50, 1, database, tmp_path) == []


async def test_a_click_on_what_was_taken_away_and_is_still_painted_is_nobodys(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with the_app(where).run_test(size=(80, 24)) as pilot:
        await until(pilot, HomeScreen)
        screen = pilot.app.screen
        monkeypatch.setattr(
            screen, "get_widget_and_offset_at", lambda *_: (Static("gone"), Offset(0, 0))
        )
        pilot.app.post_message(events.MouseDown(None, 5, 5, 0, 0, 1, False, False, False, 5, 5))
        await pilot.pause()
        assert pilot.app.screen is screen
