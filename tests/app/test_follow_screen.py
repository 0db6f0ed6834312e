"""Following a battle that another program fights: what comes in, what is hidden, what is told."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from deep import deep_after
from msgspec.structs import replace
from steps import (
    CARDS,
    DECK,
    HOSTILE,
    NARROW,
    WIDE,
    a_scenario,
    battles_listed,
    eventually,
    fought,
    journal_part,
    keep,
    press,
    resume,
    shown,
    the_app,
    until,
    wait_for,
)
from textual.pilot import Pilot
from textual.widgets import Static

from skirmish.app.battle.follow import FollowBattle
from skirmish.app.battle.forces import SidePanel
from skirmish.app.battle.screen import BattleScreen
from skirmish.app.home import HomeScreen
from skirmish.app.play.follow import MOST_WAITING, WatchedSession
from skirmish.app.windows import MessageScreen
from skirmish.games.plastic.battle import record
from skirmish.games.plastic.battle.orders import (
    AddNote,
    AnyOrder,
    ChooseCasualties,
    EndTurn,
    Finish,
    Fire,
    Reveal,
    Show,
    why_not,
)
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.setup import Setup
from skirmish.registry import load
from skirmish.store.database import Store
from skirmish.store.watch import Watch
from skirmish.tabletop.chance import parse_card
from skirmish.tabletop.journal_codec import EntryRecord

MG = Fire(shooter="polish/rearguard/machinegun", target="german/column/rifle")
PAGES = ("f3", "f4", "f5", "f6", "f7")


def draw(card: str) -> Show:
    return Show((parse_card(card),))


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looks come quickly, and no verdict waits for another."""
    monkeypatch.setattr(FollowBattle, "POLL_INTERVAL", 0.02)
    monkeypatch.setattr(FollowBattle, "VERDICT_SECONDS", 0.0)


def goes_on(where: str, *orders: AnyOrder, undo: int = 0) -> None:
    """The other program: battle 1 is fought on."""
    with Store.open(where) as store:
        kept = store.entries(1)
        battle = record.codec.replay(kept)
        steps: list[AnyOrder | None] = [*orders, *[None] * undo]
        for order in steps:
            entry = battle.consider(order) if order is not None else battle.possible("undo")
            battle.accept(entry)
            store.append(
                1,
                record.codec.written(entry),
                headline="h",
                over=battle.state.outcome is not None,
            )


async def follow(pilot: Pilot[None]) -> FollowBattle:
    """Home, then f."""
    await battles_listed(pilot)
    await press(pilot, "f")
    await until(pilot, FollowBattle)
    await eventually(pilot, lambda: pilot.app.screen.query("#journal"))
    await pilot.pause()
    screen = pilot.app.screen
    assert isinstance(screen, FollowBattle)
    return screen


def everything_shown(pilot: Pilot[None]) -> str:
    """Every text that the screen has, cut or not, scrolled to or not."""
    return "\n".join(str(one.render()) for one in pilot.app.screen.query(Static) if one.display)


async def every_page(pilot: Pilot[None]) -> str:
    texts = []
    for key in PAGES:
        await press(pilot, key)
        texts.append(everything_shown(pilot))
    await press(pilot, "f3")
    return "\n".join(texts)


async def test_what_is_done_elsewhere_is_seen_here(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await follow(pilot)
        goes_on(where, MG)
        await wait_for(pilot, "asked", "Poles, for the shot")
        goes_on(where, draw("5h"))
        await wait_for(pilot, "reason", "5 OF HEARTS")
        await wait_for(pilot, "asked", "The Germans choose any man")
        goes_on(where, undo=2)
        await eventually(pilot, lambda: "Machinegun" not in shown(pilot, "journal"))
        goes_on(where, AddNote("Tea"), EndTurn())
        await wait_for(pilot, "journal", "Note: Tea")
        await wait_for(pilot, "clock", "TURN 1")
        goes_on(where, Finish(winner="polish", reason="Enough."))
        await wait_for(pilot, "who", "POLES WIN")
        with Store.open(where) as store:
            store.remove("battle", 1)
        await wait_for(pilot, "asked", "deleted")
        await press(pilot, "escape")
        await until(pilot, HomeScreen)


async def test_each_verdict_stays_for_a_while(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FollowBattle, "VERDICT_SECONDS", 3600.0)
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await follow(pilot)
        rifle = Fire(shooter="polish/rearguard/rifle", target="german/column/rifle")
        goes_on(where, rifle, draw("9h"), rifle, draw("10h"), AddNote("Two shots"))
        await wait_for(pilot, "reason", "9 OF HEARTS")
        await wait_for(pilot, "asked", "catching up")
        await pilot.pause(0.2)
        assert "9 OF HEARTS" in shown(pilot, "reason")
        screen._verdict_shown_until = 0.0
        await wait_for(pilot, "reason", "10 OF HEARTS")
        screen._verdict_shown_until = 0.0
        await wait_for(pilot, "journal", "Two shots")
        assert "catching up" not in shown(pilot, "asked")


def kept(setup: Setup, *orders: AnyOrder) -> list[EntryRecord]:
    battle = record.codec.play([record.opening(setup)])
    for order in orders:
        battle.accept(battle.consider(order))
    return [replace(record.codec.written(e), at="t") for e in battle.entries]


def test_who_is_far_behind_catches_up() -> None:
    rifle = Fire(shooter="polish/rearguard/rifle", target="german/column/rifle")
    shots_fired: list[AnyOrder] = []
    for card in (f"{rank}{suit}" for rank in (8, 9, 10) for suit in "shdc"):
        shots_fired += [rifle, draw(card)]
    first, *records = kept(a_scenario(1), *shots_fired, AddNote("Enough."))
    read = [record.codec.read(r) for r in (first, *records)]
    nothing: Any = None
    session = WatchedSession(
        load("plastic"), nothing, 1, record.codec.play(read[:1]), Watch(None, 1)
    )
    screen = FollowBattle(session)
    screen.waiting_entries.extend(read[1:])
    shots = 0
    while screen.waiting_entries:
        shots += screen.accept_up_to_verdict()
    assert 1 <= shots <= MOST_WAITING
    assert len(session.whole_play.entries) == len(records) + 1


# ------------------------------------------------------------------ what is hidden


async def test_who_hides_is_shown_to_his_own_side_only(where: str) -> None:
    keep(where, a_scenario(7, CARDS, hidden={0: 3}))
    async with the_app(where).run_test(size=WIDE) as pilot:
        await follow(pilot)
        blind = await every_page(pilot)
        assert re.search(r"Cannon +1/1", blind)
        assert "hidden" not in blind.lower()
        await press(pilot, "v")
        texts = {}
        for _ in range(2):
            whose = re.search(r"FOLLOWING as (\w+)", shown(pilot, "asked"))
            texts[whose[1] if whose else ""] = await every_page(pilot)
            await press(pilot, "v")
        assert texts.keys() == {"Germans", "Russians"}
        assert "3 hidden" in texts["Russians"]
        assert "hidden" not in texts["Germans"].lower()
        assert "as a spectator" in shown(pilot, "asked")
        goes_on(where, Reveal(row="russian/belts/cannon", count=2))
        await wait_for(pilot, journal_part(pilot), "revealed.")
        assert re.search(r"Cannon +3/3", await every_page(pilot))


@pytest.mark.parametrize("seed", deep_after(1, range(3)))
async def test_in_a_random_battle_no_text_tells_of_the_hidden(
    where: str, seed: int, some_orders: Callable[[Setup, Random], list[AnyOrder]]
) -> None:
    setup = a_scenario(3, DECK)
    orders = [one for one in some_orders(setup, Random(seed)) if not isinstance(one, Reveal)]
    state = keep(where, setup, *orders)
    codes = {piece.partition(":")[2] for piece in state.hidden}
    assert codes, "somebody hides, or this shows nothing"
    async with the_app(where).run_test(size=WIDE) as pilot:
        await follow(pilot)
        text = await every_page(pilot)
        assert "Hidden riflemen" not in text
        assert "hidden" not in text.lower()
        german = next(p for p in pilot.app.screen.query(SidePanel) if p.side == "german")
        assert "/6 " not in str(german.render())


@pytest.fixture
def some_orders() -> Callable[[Setup, Random], list[AnyOrder]]:
    """Orders of a battle in which nobody who hides fires or is shown."""

    def made(setup: Setup, random: Random) -> list[AnyOrder]:
        battle = record.codec.play([record.opening(setup)])
        orders: list[AnyOrder] = []
        while len(orders) < 25 and battle.state.outcome is None:
            state = battle.state
            foe = state.setup.enemy_of(state.firing_side).id
            able = [r for r in rows(state, state.firing_side) if r.ready_count and not r.hidden]
            targets = [r for r in rows(state, foe) if r.on_foot and not r.hidden]
            order: AnyOrder = EndTurn()
            if able and targets and random.random() < 0.7:
                one, other = random.choice(able), random.choice(targets)
                order = Fire(shooter=one.key, target=other.key, insist=True)
            if why_not(state, order) is None:
                battle.accept(battle.consider(order))
                orders.append(order)
            elif why_not(state, EndTurn()) is None:
                battle.accept(battle.consider(EndTurn()))
                orders.append(EndTurn())
            else:
                break
        return orders

    return made


# ------------------------------------------------------------------ what can go wrong


async def test_a_database_that_is_gone_is_told_and_found_again(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await follow(pilot)
        path = Path(where)
        path.rename(path.with_name("elsewhere.db"))
        await wait_for(pilot, "asked", "cannot be reached")
        assert "Trying again." in shown(pilot, "asked")
        path.with_name("elsewhere.db").rename(path)
        await wait_for(pilot, "asked", "FOLLOWING")


async def test_a_battle_that_is_not_there_is_told(where: str) -> None:
    app = the_app(where)
    app.battle_to_follow = 7
    async with app.run_test(size=NARROW) as pilot:
        await until(pilot, MessageScreen)
        assert "no battle with the number 7" in shown(pilot, "window-text")
        await press(pilot, "escape")
        await until(pilot, HomeScreen)


async def test_an_entry_that_cannot_be_read_is_told(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await follow(pilot)
        with closing(sqlite3.connect(where)) as file, file:
            file.execute("INSERT INTO entry VALUES (1, 2, 'order', '{}', 'from the future', 't')")
        await wait_for(pilot, "asked", "can no longer be followed")


# ------------------------------------------------------------------ pages, keys, names


async def test_pages_turn_and_the_journal_scrolls(where: str) -> None:
    fought(where, *(AddNote(f"Word {number}.") for number in range(60)))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await follow(pilot)
        room = pilot.app.screen.query_one("#journal-room")
        end = room.scroll_y
        await press(pilot, "up", "up")
        assert room.scroll_y == end - 2
        goes_on(where, AddNote("The latest."))
        await wait_for(pilot, "journal", "The latest.")
        await eventually(pilot, lambda: room.scroll_y > end)
        await press(pilot, "f6")
        whole = room.size.height
        assert whole > 10
        await press(pilot, "pageup")
        assert room.scroll_y < room.max_scroll_y
        await press(pilot, "f7")
        assert "Victory:" in shown(pilot, "board")
        await press(pilot, "f5")
        panels = [panel.side for panel in pilot.app.screen.query(SidePanel) if panel.display]
        assert panels == ["polish"]
        await pilot.click("#tabs", offset=(5, 0))
        assert len([panel for panel in pilot.app.screen.query(SidePanel) if panel.display]) == 2


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["80x24", "120x40"])
async def test_names_are_shown_as_they_are(where: str, size: tuple[int, int]) -> None:
    setup = a_scenario(1, DECK)
    sides = tuple(
        msgspec.structs.replace(side, player=HOSTILE[0], people=name, name=name)
        for side, name in zip(setup.sides, (HOSTILE[1], HOSTILE[3]), strict=True)
    )
    keep(
        where,
        msgspec.structs.replace(setup, title=HOSTILE[2], sides=sides),
        *map(AddNote, HOSTILE),
    )
    async with the_app(where).run_test(size=size) as pilot:
        await follow(pilot)
        for name in HOSTILE:
            journal = shown(pilot, journal_part(pilot))
            assert "".join(name.split()) in "".join(journal.split())  # wherever its lines end
        await press(pilot, "v")
        for widget in pilot.app.screen.query(Static):
            assert widget.region.right <= size[0]
        await every_page(pilot)


# ------------------------------------------------------------------ pictures


async def a_verdict(pilot: Pilot[None]) -> None:
    await follow(pilot)


async def eyes_of_a_side(pilot: Pilot[None]) -> None:
    await follow(pilot)
    await press(pilot, "v", "v")


async def nobody_has_fired(pilot: Pilot[None]) -> None:
    await follow(pilot)


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["80x24", "120x40"])
@pytest.mark.parametrize("steps", [a_verdict, eyes_of_a_side, nobody_has_fired])
def test_following_looks_as_it_did(
    snap_compare: Callable[..., bool],
    where: str,
    steps: Callable[..., object],
    size: tuple[int, int],
) -> None:
    if steps is a_verdict:
        fought(where, AddNote("We begin."), MG, draw("5h"))
    elif steps is eyes_of_a_side:
        keep(where, a_scenario(7, CARDS, hidden={0: 3}))
    else:
        keep(where, a_scenario(10, CARDS))
    assert snap_compare(the_app(where), terminal_size=size, run_before=steps)


# ------------------------------------------------------------------ while it is played here


async def test_a_battle_in_play_shows_at_once_what_is_done_elsewhere(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        goes_on(where, MG)
        await wait_for(pilot, "asked", "DRAW")
        goes_on(where, draw("5h"))
        await wait_for(pilot, "asked", "WHO DIES?")
        goes_on(where, undo=2)
        await eventually(pilot, lambda: "WHO DIES?" not in shown(pilot, "asked"))


async def test_a_shot_being_put_together_outlives_an_entry_of_another(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "2", "m", "r")
        before = shown(pilot, "asked")
        assert "Machinegun" in before
        goes_on(where, AddNote("Tea"))
        await wait_for(pilot, "journal", "Note: Tea")
        assert shown(pilot, "asked") == before
    async with the_app(where).run_test(size=NARROW) as pilot:  # and it is stored as such
        await resume(pilot)
        assert shown(pilot, "asked") == before


async def test_a_key_meant_for_a_question_that_another_answered_does_nothing(where: str) -> None:
    fought(where, MG, draw("5h"))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        screen = pilot.app.screen
        assert isinstance(screen, BattleScreen)
        screen.OUTRUN_WITHIN = 60.0
        await wait_for(pilot, "asked", "WHO DIES?")
        goes_on(where, ChooseCasualties(("german/column/rifle",)))
        await eventually(pilot, lambda: "WHO DIES?" not in shown(pilot, "asked"))
        entries = len(screen.session.play.entries)
        await press(pilot, "enter", "r")
        assert len(screen.session.play.entries) == entries
        assert "Another program has continued" in " ".join(shown(pilot, "asked").split())
