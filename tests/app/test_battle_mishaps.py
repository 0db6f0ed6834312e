"""What goes wrong at the table: windows in between, odd typing, long lists, other programs."""

from __future__ import annotations

from steps import (
    NARROW,
    each_resumed,
    eventually,
    fought,
    keep,
    press,
    resume,
    shown,
    state,
    the_app,
    type_draw,
    until,
)
from textual import events

from skirmish import library
from skirmish.app.battle.forces import SidePanel
from skirmish.app.battle.screen import BattleScreen
from skirmish.app.help import HelpScreen
from skirmish.app.home import HomeScreen
from skirmish.app.windows import MessageScreen
from skirmish.games.plastic.battle.agenda import DrawAsk
from skirmish.games.plastic.battle.army_opening import from_armies
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.scenario_opening import from_scenario
from skirmish.games.plastic.rules.army import ArmyList, muster
from skirmish.store.database import Store
from skirmish.tabletop.chance import Source
from skirmish.tabletop.journal_codec import EntryRecord


async def test_after_a_window_closes_the_keys_are_the_battles_again(where: str) -> None:
    """A hidden field must not take the keyboard, nor Esc an order."""
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "greater_than_sign")
        for key in ("question_mark", "G", "J"):
            await press(pilot, key)
            await eventually(pilot, lambda: not isinstance(pilot.app.screen, BattleScreen))
            await press(pilot, "escape")
            await until(pilot, BattleScreen)
            await press(pilot, "m", "r")
            assert "Machinegun > Rifle" in shown(pilot, "asked")
            await press(pilot, "escape", "escape", "escape")
            assert state(pilot).clock.phase == 2


async def test_what_is_no_roll_is_told_and_cleared(where: str) -> None:
    fought(where, source=Source("die"))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "r", "r", "space")
        for typed in ("²", "٣", "99", "0"):
            pilot.app.post_message(events.Paste(typed))
            await press(pilot, "enter")
            assert isinstance(state(pilot).ask, DrawAsk)
            await press(pilot, "backspace")
            assert pilot.app.screen.draft.typed == ""
        await press(pilot, "backspace", "backspace")
        assert isinstance(state(pilot).ask, DrawAsk)  # only Esc takes the shot back
        await type_draw(pilot, "9")
        assert state(pilot).ask is None


async def test_while_a_draw_is_awaited_the_other_keys_still_work(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "r", "r", "space", "question_mark")
        await until(pilot, HelpScreen)
        await press(pilot, "escape")
        await until(pilot, BattleScreen)
        await type_draw(pilot, "QH")
        assert state(pilot).ask is None
        await press(pilot, "r", "r", "space", "H")
        await until(pilot, HomeScreen)


async def test_every_row_on_the_table_is_in_sight_at_80_by_24(where: str) -> None:
    known, seen = library.scenarios(), set()
    for scenario in known.values():
        sources = {side.id: Source() for side in scenario.sides}
        keep(where, from_scenario(scenario, library.catalog(), library.rulings(), sources=sources))
    async with the_app(where).run_test(size=NARROW) as pilot:
        async for _ in each_resumed(pilot, len(known)):
            seen.add(state(pilot).setup.scenario.number)
            for panel in pilot.app.screen.query(SidePanel):
                words = str(panel.render()).splitlines()
                assert panel.region.height >= len(words)
                assert panel.parent.region.bottom >= panel.region.y + len(words)
                for row in rows(state(pilot), panel.side):
                    if row.here:
                        assert any(
                            line[1:].startswith(f"{row.letter} {row.unit.short}") for line in words
                        )
    assert seen == set(known)


async def test_a_side_with_more_rows_than_fit_can_be_paged(where: str) -> None:
    units = dict.fromkeys(list(library.catalog().units)[:20], 1)
    listed = ArmyList(name="Highland Division Rear Guard", units=units)
    army = muster(listed, library.catalog(), library.rulings())
    keep(where, from_armies(army, army, library.rulings(), sources=(Source(), Source())))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        panel, room = (
            pilot.app.screen.query(SidePanel).first(),
            pilot.app.screen.query_one("#board-room"),
        )
        lines = str(panel.render()).splitlines()
        last = next(at for at, line in enumerate(lines) if "AA Tank" in line)
        assert room.max_scroll_y > 0
        assert room.scroll_y + room.size.height <= last
        await press(pilot, *["pagedown"] * 5)
        await eventually(pilot, lambda: room.scroll_y + room.size.height > last)
        clicked = str(panel.render()).splitlines()[int(room.scroll_y) + 1]
        await pilot.click(room, offset=(4, 1))  # while a shot is aimed there is more room for rows
        chosen = [line for line in str(panel.render()).splitlines() if line.startswith(">")]
        assert chosen == [f">{clicked[1:]}"]


async def test_same_again_does_not_overrule_again(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "o", "t", "exclamation_mark")
        await type_draw(pilot, "9h")
        fired = state(pilot).fired
        await press(pilot, "full_stop")
        assert state(pilot).fired == fired
        assert "! fires anyway" in shown(pilot, "asked")


async def test_a_journal_that_cannot_be_followed_is_told(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        with Store.open(where) as store:
            store.append(1, EntryRecord(2, "miracle", "null", "[]"), headline="", over=False)
        await press(pilot, "greater_than_sign")
        await until(pilot, MessageScreen)
        assert "does not know" in "".join(str(s.render()) for s in pilot.app.screen.query("Static"))
