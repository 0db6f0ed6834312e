"""The odds table on the screen: opened from anywhere, walked over, turned, printed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from steps import (
    NARROW,
    WIDE,
    eventually,
    fought,
    press,
    resume,
    shown,
    state,
    the_app,
    type_draw,
    until,
)
from textual.pilot import Pilot

from skirmish import library
from skirmish.app.battle.screen import BattleScreen
from skirmish.app.heat_map import SHORTEST_NAME, HeatMap, layout_of
from skirmish.app.home import HomeScreen
from skirmish.app.odds import OddsScreen
from skirmish.app.palette import EveryCommand
from skirmish.app.reference.screen import ReferenceScreen
from skirmish.app.side_fire import fires_of_battle
from skirmish.games.plastic.odds.table import default_tables
from skirmish.tabletop.chance import Source

Steps = Callable[[Pilot[None]], Awaitable[None]]
REFEREE = Source("deck", seed=3)


async def opened(pilot: Pilot[None]) -> None:
    await until(pilot, HomeScreen)
    await press(pilot, "percent_sign")
    await until(pilot, OddsScreen)


def map_of(pilot: Pilot[None]) -> list[str]:
    return str(pilot.app.screen.query_one(HeatMap).render()).splitlines()


def cell(pilot: Pilot[None]) -> str:
    return shown(pilot, "odds-cell").replace("\u00a0", " ")


@pytest.mark.parametrize("screen_width", [10, 200])
def test_a_short_name_of_a_weapon_still_has_its_columns(screen_width: int) -> None:
    """A side may have a single weapon left, with a name shorter than those columns."""
    by_cards, _ = default_tables(library.catalog(), library.rulings().defaults())
    number = [line.weapon.name for line in by_cards.lines].index("Rifle")
    grids = {key: [lines[number]] for key, lines in by_cards.grids.items()}
    table = replace(by_cards, lines=(by_cards.lines[number],), grids=grids)
    assert layout_of(table, covered=False, screen_width=screen_width).name_width == SHORTEST_NAME


async def test_arrows_choose_a_cell_and_its_fraction_stands_below(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await opened(pilot)
        assert cell(pilot).startswith("Rifle at Guys, in the open\nHits 20/48 = 41.7%; needs A-5.")
        assert "within 3 in 20/48" in cell(pilot)
        await press(pilot, "up", "left", "down", "down", "right")
        assert cell(pilot).startswith("Machinegun at Cannon, in the open\nHits 12/48 = 25.0%")
        await press(pilot, *["right"] * 9)
        assert "only in contact, in phases 3 and 4" in cell(pilot)
        assert "At AA Tank, Armored Car" in cell(pilot)
        await press(pilot, *["down"] * 12)
        assert cell(pilot).startswith("88 at Armored")


async def test_cover_and_die_are_a_key_each(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await opened(pilot)
        assert "in the open · fresh deck · rulings at their defaults" in shown(pilot, "odds-title")
        await press(pilot, "c")
        assert "in cover · fresh deck" in shown(pilot, "odds-title")
        assert "Hits 10/48" in cell(pilot)
        assert "Saved by cover 10/48" in cell(pilot)
        await press(pilot, "d")
        assert "in cover · d12" in shown(pilot, "odds-title")
        assert "Hits 3/12" in cell(pilot)
        await press(pilot, "c", "d", "tab")
        assert "in the open · fresh deck" in shown(pilot, "odds-title")


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["80x24", "120x40"])
async def test_every_number_is_in_sight(where: str, size: tuple[int, int]) -> None:
    async with the_app(where).run_test(size=size) as pilot:
        await opened(pilot)
        heat = pilot.app.screen.query_one(HeatMap)
        assert all(len(line) <= heat.content_size.width for line in map_of(pilot))
        assert heat.content_size.height >= len(map_of(pilot))
        page = pilot.app.screen.query_one("#odds-page")
        await press(pilot, "c", "down", "down")  # the cell with most words
        assert page.max_scroll_y == 0


@pytest.mark.parametrize("size", [(160, 50), (200, 60)], ids=["160x50", "200x60"])
async def test_on_a_large_screen_both_tables_stand_beside_one_another(
    where: str, size: tuple[int, int]
) -> None:
    async with the_app(where).run_test(size=size) as pilot:
        await opened(pilot)
        left, right = list(pilot.app.screen.query(HeatMap))[:2]
        assert left.region.right <= right.region.x
        in_the_open, in_cover = (str(table.render()).splitlines() for table in (left, right))
        assert in_the_open[0].strip() == "IN THE OPEN · FRESH DECK"
        assert in_cover[0].strip() == "IN COVER · FRESH DECK"
        assert "42" in next(line for line in in_the_open if line.startswith("Rifle"))
        assert "21" in next(line for line in in_cover if line.startswith("Rifle"))
        for table, lines in ((left, in_the_open), (right, in_cover)):
            assert max(map(len, lines)) <= table.content_size.width
        # A click on a cell in cover is about cover.
        row = next(number for number, line in enumerate(in_cover) if line.startswith("Rifle"))
        await pilot.click(right, offset=(in_cover[row].index("21") + 1, row))
        await pilot.pause()
        assert cell(pilot).startswith("Rifle at Guys, in cover")
        await press(pilot, "d")
        assert "Hits 3/12" in cell(pilot)


async def test_on_the_largest_screen_the_tables_of_the_die_stand_below_those_of_cards(
    where: str,
) -> None:
    async with the_app(where).run_test(size=(200, 60)) as pilot:
        await opened(pilot)
        tables = list(pilot.app.screen.query(HeatMap))
        titles = [str(table.render()).splitlines()[0].strip() for table in tables]
        assert titles == [
            "IN THE OPEN · FRESH DECK",
            "IN COVER · FRESH DECK",
            "IN THE OPEN · D12",
            "IN COVER · D12",
        ]
        for table in tables:
            lines = str(table.render()).splitlines()
            assert max(map(len, lines)) <= table.content_size.width
            assert len(lines) <= table.content_size.height
        assert pilot.app.screen.query_one("#odds-page").max_scroll_y == 0


async def test_a_large_screen_shows_what_several_kill_who_fire_the_chosen_shot(where: str) -> None:
    """The chances are those of the volley itself; at one model the only question is whether."""
    async with the_app(where).run_test(size=(200, 60)) as pilot:
        await opened(pilot)
        rows = [line.split() for line in shown(pilot, "odds-volleys").splitlines()]
        assert ["3", "1.25", "81%", "37%", "7%", "0%"] in rows
        await press(pilot, "down", "down", "down", "right", "right", "right")
        volley = shown(pilot, "odds-volleys")
        assert "one such target" in volley.lower()
        assert "2 or more" not in volley
        await pilot.resize_terminal(*NARROW)
        await eventually(pilot, lambda: shown(pilot, "odds-volleys") == "")


async def test_the_mouse_chooses_a_cell(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await opened(pilot)
        await pilot.click(HeatMap, offset=(20, 4))
        await pilot.pause()
        assert cell(pilot).startswith("Machinegun at Guys")


async def test_it_opens_over_the_rules_once_and_leads_back(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await until(pilot, HomeScreen)
        await press(pilot, "r")
        await until(pilot, ReferenceScreen)
        await press(pilot, "percent_sign")
        await until(pilot, OddsScreen)
        await press(pilot, "f1")
        await until(pilot, ReferenceScreen)
        await press(pilot, "percent_sign")  # not over itself
        assert isinstance(pilot.app.screen, ReferenceScreen)
        await press(pilot, "f1", "escape")
        await until(pilot, ReferenceScreen)


async def test_the_palette_finds_it_by_its_name(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await until(pilot, HomeScreen)
        found = EveryCommand(pilot.app.screen)
        await found.startup()
        hits = [hit async for hit in found.search("odds")]
        best = max(hits, key=lambda hit: hit.score)
        assert best.text == "On every screen: Show the odds of every weapon against every target"


async def test_a_battle_has_both_sides_and_the_cards_that_are_left(where: str) -> None:
    fought(where, source=REFEREE)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "m", "r", "space")
        side = state(pilot).firing_side
        left = 48 - len(state(pilot).sources[state(pilot).source_of(side)].gone)
        assert left < 48
        people = state(pilot).setup.side_by_id[side].people
        other = state(pilot).setup.enemy_of(side).people
        await press(pilot, "percent_sign")
        await until(pilot, OddsScreen)
        says = shown(pilot, "odds-title")
        assert f"{people} · in the open · {left} cards left · rulings as in this battle" in says
        assert f"/{left} = " in cell(pilot)
        assert not any(line.startswith("Flamethrower") for line in map_of(pilot))
        await press(pilot, "tab")
        assert f"{other} · in the open" in shown(pilot, "odds-title")
        await press(pilot, "escape")
        await until(pilot, BattleScreen)


async def test_where_nobody_may_count_cards_the_deck_is_fresh_and_says_so(where: str) -> None:
    fought(where, source=REFEREE)
    app = the_app(where)
    app.settings = replace(app.settings, deck_knowledge="hidden")
    async with app.run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "m", "r", "space", "percent_sign")
        await until(pilot, OddsScreen)
        assert "in the open · fresh deck · " in shown(pilot, "odds-title")
        assert "/48 = " in cell(pilot)


async def test_a_deck_of_which_not_all_was_typed_is_counted_whole_and_says_so(where: str) -> None:
    fought(where, source=REFEREE)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        side = state(pilot).firing_side
        levels = {**state(pilot).levels, side: "ledger"}
        fires = fires_of_battle(replace(state(pilot), levels=levels), "full")
        await pilot.app.push_screen(OddsScreen(fires, "as in this battle"))
        await until(pilot, OddsScreen)
        assert "in the open · fresh deck, deck partly unknown" in shown(pilot, "odds-title")
        assert "/48 = " in cell(pilot)


async def test_a_card_that_is_awaited_is_not_lost(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "m", "r", "space")
        await pilot.app.run_action("odds")
        await until(pilot, OddsScreen)
        await press(pilot, "d", "escape")
        await until(pilot, BattleScreen)
        await type_draw(pilot, "9c")
        assert state(pilot).shots == 1


async def test_what_is_shown_is_printed(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await opened(pilot)
        await press(pilot, "p")
        printed = Path(where).parent / "odds-table.pdf"
        for _ in range(100):
            await pilot.pause(0.02)
            if printed.exists():
                break
        assert printed.read_bytes().startswith(b"%PDF")


async def chosen(pilot: Pilot[None]) -> None:
    await opened(pilot)
    await press(pilot, "c", "down", "down")


async def test_plain_signs_and_no_colours_leave_every_number(where: str) -> None:
    app = the_app(where)
    app.settings = replace(app.settings, theme="ansi", characters="ascii")
    app._apply_settings()
    async with app.run_test(size=NARROW) as pilot:
        await chosen(pilot)
        lines = [strip.text for strip in pilot.app.screen._compositor.render_strips()]
        assert any(line.split()[:3] == ["Machinegun", "33+", "13"] for line in lines)


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["80x24", "120x40"])
def test_the_table_looks_as_it_did(
    snap_compare: Callable[..., bool], where: str, size: tuple[int, int]
) -> None:
    assert snap_compare(the_app(where), terminal_size=size, run_before=chosen)
