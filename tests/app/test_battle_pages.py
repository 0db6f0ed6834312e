"""The battle screen's pages, arrows and mouse; what it looks like at each width."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from steps import (
    DECK,
    END_TURN,
    MIXED,
    NARROW,
    WIDE,
    a_scenario,
    eventually,
    fought,
    keep,
    last_order,
    press,
    resume,
    shown,
    state,
    the_app,
    type_draw,
    until,
)
from textual.content import Content
from textual.geometry import Offset
from textual.pilot import Pilot
from textual.widgets import Static

from skirmish import library
from skirmish.app.battle.forces import SidePanel
from skirmish.app.battle.screen import BattleScreen
from skirmish.app.text_rows import hanging, shortened
from skirmish.app.windows import MessageScreen
from skirmish.games.plastic.battle.agenda import CasualtyAsk
from skirmish.games.plastic.battle.army_opening import from_armies
from skirmish.games.plastic.battle.orders import AddNote, Correct, EndTurn, Fire, SetClock
from skirmish.games.plastic.rules.army import ArmyGroup, ArmyList, muster
from skirmish.store.settings import Settings, write_settings
from skirmish.tabletop.chance import Source

THREE = (160, 45)
RULINGS = library.rulings()
LIKED = ".toml"


def panels(pilot: Pilot[None]) -> str:
    """Both sides as they are shown."""
    found = [panel for panel in pilot.app.screen.query(SidePanel) if panel.display]
    return "\n".join(str(panel.render()) for panel in found)


async def click_on(pilot: Pilot[None], part: str, words: str) -> None:
    """Click the first letter of ``words`` where a part of the screen shows them."""
    widget = pilot.app.screen.query_one(f"#{part}", Static)
    rows = [strip.text for strip in widget.render_lines(widget.size.region)]
    y, x = next((y, row.index(words)) for y, row in enumerate(rows) if words in row)
    left, top = widget.gutter.left, widget.gutter.top
    await pilot.click(widget, offset=Offset(x + left, y + top))
    await pilot.pause()


# ------------------------------------------------------------------ pages


async def test_every_page_opens_by_its_key_and_by_mouse_and_playing_keys_work_in_it(
    where: str,
) -> None:
    fought(where, source=DECK, loads=True)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        assert "10 in K1" not in panels(pilot)
        await press(pilot, "f4")
        assert "10 aboard K1, 10 aboard K2, 3 aboard H1" in panels(pilot)
        assert "POLES" not in panels(pilot)
        await press(pilot, "r", "h")
        assert "Rifle > Halftrack" in shown(pilot, "asked")
        await press(pilot, "escape", "escape")
        await click_on(pilot, "tabs", "Poles")
        assert "A-6+" in panels(pilot)
        assert "Cannon" in panels(pilot)
        await press(pilot, "f7")
        assert "Victory: The Germans win" in shown(pilot, "board")
        await press(pilot, "minus", "2", "r")
        assert len(state(pilot).lost) == 2
        await press(pilot, "f6")
        assert not panels(pilot).strip() or not pilot.app.screen.query_one("#battlefield").display
        assert "Germans: Rifle -2" in shown(pilot, "journal")
        await press(pilot, "f6")  # the same key again: both sides
        assert pilot.app.screen.query_one("#battlefield").display
        assert "POLES" in panels(pilot)


async def test_a_question_about_rows_brings_them_back_into_sight(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "f5", "m", "r", "space")
        assert "GERMANS" not in panels(pilot)
        await type_draw(pilot, "5h")
        assert isinstance(state(pilot).ask, CasualtyAsk)
        assert "GERMANS" in panels(pilot)
        assert "POLES" in panels(pilot)


async def test_a_page_can_be_turned_to_while_a_question_about_rows_is_open(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "f7", "m", "r", "space")
        await type_draw(pilot, "5h")
        assert isinstance(state(pilot).ask, CasualtyAsk)
        assert "GERMANS" in panels(pilot)
        due = pilot.app.screen.query_one("#board")
        for shown_now in (True, False, True):
            await press(pilot, "f7")
            assert due.display is shown_now
        await press(pilot, "enter")
        assert last_order(pilot) is not None


async def test_a_line_of_the_journal_that_does_not_fit_ends_with_the_key_for_the_rest(
    where: str,
) -> None:
    keep(where, a_scenario(10), EndTurn(), AddNote("long " * 30))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        room = pilot.app.screen.query_one("#journal-room")
        rows = shown(pilot, "journal").splitlines()
        await eventually(pilot, lambda: room.scroll_y)
        last = rows[round(room.scroll_y) :][-room.region.height :]
        assert last[0].split()[0].isdigit()
        assert last[-1].endswith("… J")
        assert len(last[-1]) < NARROW[0]


async def test_the_journal_ends_where_its_room_ends(where: str) -> None:
    fought(where, source=DECK)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        for keys in ("rr ", "rr", ""):
            await press(pilot, *("space" if key == " " else key for key in keys))
            middle = pilot.app.screen.query_one("#middle").region
            journal = pilot.app.screen.query_one("#journal-room").region
            assert journal.height >= 1
            assert journal.bottom == middle.bottom


async def test_old_lines_of_the_journal_are_paged_to_and_clicked(where: str) -> None:
    rifle = "german/column/rifle"
    play = a_scenario(1)
    row = next(key for key in play.letters if key.startswith("german") and "rifle" in key) or rifle
    keep(where, play, *[Correct(row=row, by=-1)] * 23, *[Correct(row=row, by=1)] * 12)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "f6")
        room = pilot.app.screen.query_one("#journal-room")
        await eventually(pilot, lambda: room.scroll_y == room.max_scroll_y > 0)
        await press(pilot, *["pageup"] * 12)
        await eventually(pilot, lambda: room.scroll_y == 0)
        assert "   2 Germans" in shown(pilot, "journal")
        await click_on(pilot, "journal", "3 Germans")
        assert "LOOKING BACK 3 Germans: Rifle -1." in shown(pilot, "asked")
        await press(pilot, "v")
        assert "VOID?" in shown(pilot, "asked")


async def test_the_journal_offers_to_judge_again_what_can_be_and_nothing_else(where: str) -> None:
    """A shot of the turn before, but no change of turn."""
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, *"rrn", "space", *"5s", "enter", *END_TURN, "up")
        assert "Tab judge" not in shown(pilot, "asked")
        assert "make void" not in shown(pilot, "asked")
        await press(pilot, "up")
        assert "Tab judge its shot again" in shown(pilot, "asked")
        assert "make void" in shown(pilot, "asked")
        await press(pilot, "tab")
        assert "Judge again: turn 1, Rifle > Rifle, 5S: hit." in shown(pilot, "asked")
        await press(pilot, "c")
        assert "Judged again (turn 1)." in shown(pilot, "journal")
        assert "COVER" in pilot.app.screen.verdict.text  # type: ignore[attr-defined]
        await press(pilot, "up", "up", "up", "v")
        assert "becomes void with it: 5" in shown(pilot, "asked")
        await press(pilot, "enter")
        assert "Judged again" not in shown(pilot, "journal")
        await press(pilot, *"rr", "space", *"5s", "enter")
        assert "mistyped" not in shown(pilot, "asked")


async def test_a_shot_judged_again_names_the_line_that_would_have_come_out_otherwise(
    where: str,
) -> None:
    """The mortar was hit by the first shot, so nobody was there for the second."""
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, *"rrn", "space", *"5h", "enter", *"ron", "space", *"9s", "enter")
        await press(pilot, "tab", "tab", *"to")
        said = "Check line 4: it would have come out otherwise."
        assert "Judged again." in shown(pilot, "journal")
        assert said in shown(pilot, "asked")
        await press(pilot, "up")
        assert said in shown(pilot, "asked")


async def test_the_way_to_the_other_sides_shots_is_no_circumstance_that_holds(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(
            pilot, *"rrn", "space", *"9s", "enter", *END_TURN, *"rr", "space", *"9h", "enter"
        )
        await press(pilot, "tab")
        assert "shots of the" in shown(pilot, "asked")
        assert "✓" not in shown(pilot, "asked")
        await press(pilot, "o")
        assert "Judge again: turn 1" in shown(pilot, "asked")


# ------------------------------------------------------------------ arrows and mouse


async def test_a_shot_by_arrows_and_enter_alone(where: str) -> None:
    fought(where, source=DECK)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "left", "down", "enter")  # the side that fires, whichever arrow
        assert "Fire: Machinegun\nAT WHOM?" in shown(pilot, "asked")
        await press(pilot, "up", "down", "down", "enter")
        assert "Machinegun > Machinegun" in shown(pilot, "asked")
        await press(pilot, "left", "up", "enter")  # another target after all
        assert "Machinegun > Rifle" in shown(pilot, "asked")
        await press(pilot, "space")
        shot = next(
            e.order for e in pilot.app.screen.session.play.live if isinstance(e.order, Fire)
        )
        assert (shot.shooter.split("/")[2], shot.target.split("/")[2]) == ("machinegun", "rifle")


async def test_arrows_leave_the_rows_with_esc_and_then_look_back_again(where: str) -> None:
    fought(where, source=DECK)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, *"-3r", "right", "escape", "up")
        assert "LOOKING BACK" in shown(pilot, "asked")
        await press(pilot, "right", *"15", "enter")
        assert "Fire: 15 Rifle\nAT WHOM?" in shown(pilot, "asked")
        await press(pilot, "escape", "escape", "escape", "escape", "T", "left")
        assert "There is no row to choose here" in shown(pilot, "asked")


async def test_a_shot_in_cover_by_mouse_alone(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        germans, poles = pilot.app.screen.query(SidePanel).results()
        await pilot.click(poles, offset=(4, 2))
        await pilot.click(germans, offset=(4, 1))
        await click_on(pilot, "asked", "c in the open")
        assert "✓in cover" in shown(pilot, "asked")
        await click_on(pilot, "asked", "Space")
        order = last_order(pilot)
        assert isinstance(order, Fire)
        assert order.cover
        await press(pilot, "escape")
        await click_on(pilot, "keys", "> phase")
        assert state(pilot).clock.phase == 2


async def test_a_hand_that_rests_on_a_row_is_told_its_numbers(where: str) -> None:
    fought(where, source=DECK)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        _, poles = pilot.app.screen.query(SidePanel).results()
        await pilot.hover(poles, offset=(4, 4))
        assert "Cannon, 36\u00a0in: kills guys A-6 again after a kill" in str(poles.tooltip)
        await pilot.hover(poles, offset=(4, 0))
        assert poles.tooltip is None


# ------------------------------------------------------------------ words


async def test_words_to_the_player_say_what_would_be_right(where: str) -> None:
    fought(where, source=DECK)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "L", "c")
        assert "a Polish one: press Tab, then c." in shown(pilot, "asked")
        await press(pilot, "escape", "minus", "9", "9", "r")
        assert "are left, not 99." in shown(pilot, "asked")
        lost = state(pilot).lost
        await press(pilot, "escape", "2", "r")
        assert len(state(pilot).lost) == len(lost) + 2
        await press(pilot, *END_TURN, "k")
        assert "A Truck has no weapon." in shown(pilot, "asked")


async def test_keys_of_the_players_own_stand_on_the_screen(where: str) -> None:
    liked = Path(f"{where}{LIKED}")
    write_settings(liked, Settings(keys={"battle.phase": "f9", "battle.journal_page": "f8"}))
    fought(where, source=DECK)
    app = the_app(where)
    app.settings_path = liked
    async with app.run_test(size=NARROW) as pilot:
        keys = {"battle.phase": "f9", "battle.due_page": "f8", "app.rules": "f6"}
        await app.change_settings(Settings(keys=keys))
        await resume(pilot)
        assert " F9 phase " in shown(pilot, "keys")
        assert " F8 Due " in shown(pilot, "tabs")
        # Messages name them, too.
        screen = pilot.app.screen
        assert isinstance(screen, BattleScreen)
        assert str(screen.more_due_lines(2)) == "F8 2 more lines"
        await press(pilot, "m", "r", "space")
        assert "F6 why" in shown(pilot, "reason")
        await press(pilot, "f9")
        assert state(pilot).clock.phase == 2


async def test_distances_are_told_in_centimetres_where_a_table_measures_so(where: str) -> None:
    fought(where, source=DECK)
    app = the_app(where)
    app.settings_path = Path(f"{where}{LIKED}")
    async with app.run_test(size=THREE) as pilot:
        await resume(pilot)
        assert '24" 8+/4*/3' in panels(pilot)
        await app.change_settings(Settings(measure="centimetres"))
        await press(pilot, "escape")
        assert "moves more than 5\u00a0cm" in shown(pilot, "who")
        assert '"' not in panels(pilot)
        assert "60cm 8+/4*/3" in panels(pilot)
        await press(pilot, "m", "r")
        assert "over 7.5\u00a0cm" in shown(pilot, "asked")
        await press(pilot, "f5")
        assert "range\u00a0cm" in panels(pilot)


async def test_a_database_replaced_under_the_open_battle_is_told(where: str) -> None:
    fought(where, source=DECK)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        aside = Path(where).rename(f"{where}.aside")
        await press(pilot, "greater_than_sign")
        await until(pilot, MessageScreen)
        told = "".join(str(s.render()) for s in pilot.app.screen.query(Static))
        assert "moved, removed or replaced while it was open" in told
        aside.rename(where)
        await press(pilot, "escape")
        await until(pilot, BattleScreen)
        assert state(pilot).clock.phase == 1
        await press(pilot, "greater_than_sign")
        await eventually(pilot, lambda: state(pilot).clock.phase == 2)


async def test_both_sides_counts_of_buildings_are_in_sight(where: str) -> None:
    keep(where, a_scenario(5, DECK), SetClock(turn=3, side="german", phase=1))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, *"C5", "enter", *"2", "enter")
        counted = "Germans 5, Russians 2 when last counted, turn 3"
        await eventually(pilot, lambda: counted in " ".join(shown(pilot, "situation").split()))


@pytest.mark.parametrize("pages", [(), ("f4",)])
async def test_no_row_of_two_divided_armies_is_hidden_while_a_line_is_empty(
    where: str, pages: tuple[str, ...]
) -> None:
    groups = tuple(
        ArmyGroup(name=name, units={"rifle": 9, "machinegun": 1}) for name in ("First", "Second")
    )
    units = {"rifle": 30, "machinegun": 3, "mortar": 1, "tank": 1}
    one, other = (
        muster(ArmyList(name=name, units=units, groups=groups), library.catalog(), RULINGS)
        for name in ("Reds", "Blues")
    )
    setup = from_armies(one, other, RULINGS, sources=(DECK, DECK))
    past = [SetClock(turn=turn, side=setup.sides[0].id, phase=1) for turn in range(2, 9)]
    keep(where, setup, *past)  # whose lines fill all the room that the sides leave
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, *pages)
        empty = [line for line in shown(pilot, "asked").splitlines() if not line.strip()]
        assert "Tank" in panels(pilot) or not empty
        assert "more lines" not in panels(pilot)
        await press(pilot, "m", "r")  # what a shot says of its chances takes its room back
        assert "Machinegun (First) > Rifle (First)" in shown(pilot, "asked")
        assert "Killed, if enough are near:" in shown(pilot, "asked")


async def test_a_question_leaves_no_line_empty_where_a_row_would_be_hidden(where: str) -> None:
    keep(where, a_scenario(10))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "m", "i", "space", *"2s", "enter")
        assert "WHO DIES?" in shown(pilot, "asked")
        room = pilot.app.screen.query_one("#board-room")
        assert not room.max_scroll_y
        await press(pilot, "enter", "escape")
        assert pilot.app.screen.query_one("#verdict").display
        await press(pilot, *"15ri8")  # which takes the room of the last verdict
        assert not pilot.app.screen.query_one("#verdict").display


async def test_reinforcements_are_told_with_their_turn_and_shown_whole(where: str) -> None:
    keep(where, a_scenario(9), *[EndTurn()] * 10)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "A", "tab")
        assert "Reaction force arrives on turn 8." in shown(pilot, "asked")
        assert "i Rifle         50/50  arrive turn 8" in panels(pilot), "its letters can be read"
        await press(pilot, "escape")
        assert "arrive turn 8" not in panels(pilot)
        await press(pilot, "escape", "f5")
        assert "on turn 8" in panels(pilot)
        assert "in turn 8" not in panels(pilot)
        await press(pilot, "f5", *END_TURN * 5, "enter")
        await eventually(pilot, lambda: "50/50  ready" in panels(pilot))
        assert not pilot.app.screen.query_one(
            "#board-room"
        ).max_scroll_y  # the journal has one line
        assert shown(pilot, "journal").endswith("2 Mortar … J")


async def test_what_is_due_tells_of_victory_once(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        assert pilot.app.screen.query_one("#situation").display
        await press(pilot, "f7")
        assert not pilot.app.screen.query_one("#situation").display
        await press(pilot, "f7")
        assert pilot.app.screen.query_one("#situation").display


async def test_what_a_side_needs_is_read_to_its_end(where: str) -> None:
    keep(where, a_scenario(3))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        words = " ".join(shown(pilot, "situation").split())
        assert "then 4 MG Jeeps off the table: have 0. Germans win" in words
        rows = shown(pilot, "situation").splitlines()
        assert max(map(len, rows)) <= pilot.app.screen.query_one("#situation").content_size.width


@pytest.mark.parametrize("name", MIXED, ids=range(len(MIXED)))
async def test_armies_of_any_name_leave_nothing_cut_in_the_lines_above(
    where: str, name: str
) -> None:
    catalog, book = library.catalog(), library.rulings()
    lists = [ArmyList(name=called, units={"rifle": 60}) for called in (name, name)]
    one, other = (muster(army, catalog, book) for army in lists)
    setup = from_armies(one, other, book, sources=(Source(), Source()))
    sides = tuple(replace(side, player=name) for side in setup.sides)
    keep(where, replace(setup, sides=sides))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        for size in (NARROW, WIDE, THREE):
            await pilot.resize_terminal(*size)
            for page in ("f4", "f5", "f6", "f7", "f3"):
                await press(pilot, page)
                for part in ("clock", "tabs", "who"):
                    widget = pilot.app.screen.query_one(f"#{part}", Static)
                    (strip,) = widget.render_lines(widget.size.region)
                    assert "…" not in strip.text[-3:], (part, strip.text)
            assert "FIRE: " in shown(pilot, "who")
            assert "[1 MOVEMENT]" in shown(pilot, "clock")
            assert name[:6].upper() in panels(pilot)


# ------------------------------------------------------------------ fitting


def test_what_goes_on_in_a_further_row_is_set_in() -> None:
    rows = hanging(Content("  12 " + "one two three four five six seven"), 16, 5)
    assert [row.plain.rstrip() for row in rows] == [
        "  12 one two",
        "     three four",
        "     five six",
        "     seven",
    ]
    assert shortened("🪖🪖🪖", 5) == "🪖🪖…"


# ------------------------------------------------------------------ pictures

Steps = Callable[[Pilot[None]], Awaitable[None]]


async def a_side(pilot: Pilot[None]) -> None:
    await resume(pilot)
    await press(pilot, "f4", "right", "down")
    await press(pilot, "f4")


async def what_is_due(pilot: Pilot[None]) -> None:
    await resume(pilot)
    await press(pilot, "f7")


async def by_arrows(pilot: Pilot[None]) -> None:
    await resume(pilot)
    await press(pilot, "m", "r", "space")
    await type_draw(pilot, "5h")
    await press(pilot, "enter", "escape", "right", "down", "enter", "down")


async def judging(pilot: Pilot[None]) -> None:
    await resume(pilot)
    await press(pilot, "m", "r", "space")
    await type_draw(pilot, "5h")
    await press(pilot, "enter", "escape", "tab")


@pytest.mark.parametrize("size", [NARROW, WIDE, THREE], ids=["80x24", "120x40", "160x45"])
@pytest.mark.parametrize("steps", [a_side, what_is_due, by_arrows, judging])
def test_the_battle_looks_as_it_did(
    snap_compare: Callable[..., bool], where: str, steps: Steps, size: tuple[int, int]
) -> None:
    fought(where, loads=steps is a_side)
    assert snap_compare(the_app(where), terminal_size=size, run_before=steps)
