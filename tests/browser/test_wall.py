"""The page for a television: what the room may see, nothing that is hidden, nothing to press."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from msgspec.structs import replace
from phone_table import DECK, PhoneTable, begun, phone, phone_table

from skirmish import registry
from skirmish.games.plastic.battle.orders import EndTurn, Fire
from skirmish.session import Session, at_once, job_runner
from skirmish.store.database import Store
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.game import Verdict
from skirmish.tabletop.side_colours import NO_NATION
from skirmish.tabletop.wall import WallBoard, WallDraw, WallKill, WallSide, WallStrip
from skirmish.web.links import WALL
from skirmish.web.open_games import wall_page
from skirmish.web.side_html import PHONE_STRIP
from skirmish.web.side_view import NOTHING
from skirmish.web.strip_svg import StripFrame, strip_svg
from skirmish.web.wall_html import (
    WALL_STRIP,
    WallPage,
    _volley_cards,
    wall_document,
    wall_parts,
)

MG = Fire(shooter="polish/rearguard/machinegun", target="german/column/rifle")
GAME: Any = registry.load("plastic")


@pytest.fixture
def database(folder: Path) -> Path:
    """Overmatched as number 1, with a deck of the program; number 2 has hidden men."""
    path = folder / "kept.db"
    with Store.open(str(path)) as store:
        begun(store, 1, DECK)
        begun(store, 3, DECK)
    return path


def gives(table: PhoneTable, *orders: object, battle: int = 1) -> None:
    with Store.open(str(table.database)) as store:
        session = at_once(Session.resumed(GAME, job_runner(store), battle))
        for order in orders:
            at_once(session.give(order))


async def fetched(table: PhoneTable, token: str, *paths: str) -> list[tuple[int, str]]:
    jar = aiohttp.CookieJar(unsafe=True)
    answers = []
    async with aiohttp.ClientSession(cookie_jar=jar) as visitor:
        async with visitor.get(f"{table.door}s/{token}") as answer:
            assert answer.status == 200
        for path in paths:
            async with visitor.get(table.door + path) as answer:
                answers.append((answer.status, (await answer.read()).decode("utf-8", "replace")))
    return answers


async def test_its_link_opens_the_page_with_the_map_of_the_scenario(database: Path) -> None:
    async with phone_table(database) as table:
        (token,) = table.tokens(WALL)
        page, upright, lying, face = await fetched(
            table,
            token,
            "side",
            "side/map/upright.svg",
            "side/map/lying.svg",
            "page/stencil.woff2",
        )
    assert page[0] == upright[0] == lying[0] == face[0] == 200
    assert face[1].startswith("wOF2")
    assert "Overmatched" in page[1]
    assert "/side/map/upright.svg" in page[1]
    assert 'viewBox="0 0 360 576"' in upright[1]
    assert 'viewBox="0 0 576 360"' in lying[1]


async def test_there_is_nothing_to_press_no_script_inline_and_nothing_from_elsewhere(
    database: Path,
) -> None:
    async with phone_table(database) as table:
        (token,) = table.tokens(WALL)
        ((_, page),) = await fetched(table, token, "side")
    assert not re.search(r"<(button|input|a|form|summary)\b", page)
    assert not re.search(r"<script(?! src=\"/page/(live|wall).js\")|<style|\bstyle=|\bon\w+=", page)
    assert not re.search(r"(src|href|srcset)=\"(?!/)", page)


async def test_a_shot_is_shown_to_a_television_that_is_connected(database: Path) -> None:
    async with phone_table(database) as table:
        (token,) = table.tokens(WALL)
        async with phone(table, token) as television:
            assert 'class="card back' in television.html
            gives(table, MG)
            await television.hear()
            assert re.search(r"<strong class=\"(struck|quiet) ", television.html)
            assert television.offers("") is False


async def test_what_a_television_sends_changes_nothing(database: Path) -> None:
    async with phone_table(database) as table:
        (token,) = table.tokens(WALL)
        before = table.entries()
        async with phone(table, token) as television:
            for press in ("f", "space", "undo", "e"):
                await television.tap(press)
        assert table.entries() == before


async def test_after_the_first_turn_it_loads_a_map_without_zones(database: Path) -> None:
    async with phone_table(database) as table:
        (token,) = table.tokens(WALL)
        first, map_before = await fetched(table, token, "side", "side/map/lying.svg")
        gives(table, EndTurn(), EndTurn())
        second, map_after = await fetched(table, token, "side", "side/map/lying.svg")
    assert "upright.svg?later" not in first[1]
    assert "upright.svg?later" in second[1]
    assert len(map_after[1]) < len(map_before[1])


async def test_hidden_units_are_not_in_the_strengths(database: Path) -> None:
    with Store.open(str(database)) as store:
        play = at_once(Session.resumed(GAME, job_runner(store), 2)).play
    seen = GAME.seen(play, None)
    assert play.state.hidden
    everything, known = GAME.wall(play), GAME.wall(seen)
    hiding = [(a, b) for a, b in zip(everything.sides, known.sides, strict=True) if a != b]
    assert hiding
    for whole, part in hiding:
        assert part.strength < whole.strength
    # The page is made of what is seen.
    assert wall_page(GAME, play.state, seen).board == known


@pytest.mark.parametrize(
    ("verdict", "more", "wanted"),
    [
        (Verdict(text="HIT", draw=Draw(4, "S")), {}, 'class="card"'),
        (Verdict(text="MISS", tone="quiet", draw=Draw(12, "H")), {}, 'class="quiet'),
        (Verdict(text="HIT", draw=Draw(4)), {}, 'class="card die"'),
        (Verdict(text="0 HITS", tone="quiet"), {}, 'class="quiet'),
        (Verdict(text="0 HITS 1 BROKEN", tone="bad"), {}, 'class="struck'),
        (None, {"waiting": "The Germans draw."}, "card back asked"),
        (None, {}, "card back"),
        (None, {"over": True}, "card end"),
    ],
)
def test_each_result_has_a_design_of_its_own(
    verdict: Verdict | None, more: dict[str, Any], wanted: str
) -> None:
    what = {"waiting": "", "over": False, **more}
    page = WallPage("<b>A & B", "", what["over"], verdict, what["waiting"], "", NOTHING, None)
    markup = str(wall_parts(page))
    assert wanted in markup
    # Without sides and a map its board is in the place of the map, and has most of the room.
    assert 'class="board first-first second-second"' in markup
    assert '<main id="wall" class="lists">' in wall_document(page)
    assert "<b>A" not in wall_document(page)


@pytest.mark.parametrize(("draw", "rank"), [(Draw(12, ""), "Q"), (Draw(12), "12")])
def test_a_card_of_a_volley_without_its_suit_is_still_a_card(draw: Draw, rank: str) -> None:
    """A queen that was typed as ``Q`` is no roll of 12."""
    assert f"<li>{rank}<" in str(_volley_cards([WallDraw(draw, hit=False)]))


def test_a_long_line_of_the_journal_is_shortened_to_the_shot() -> None:
    """It has two rows, and is never cut within a sentence."""
    shot = "Machinegun M1 > Rifle (116th Regiment on the sand), needs A-8: 4H hit, 2D hit, QD miss."
    losses = "Americans: Rifle (116th Regiment on the sand) -2."
    for line, told in (
        (shot, shot),
        (f"{shot} {losses}", shot),
        (
            f"{shot[:-1]}, 3D miss, 9S miss, JC miss, KD miss. {losses}",
            "Machinegun M1 > Rifle, needs A-8: 4H hit, 2D hit, QD miss, 3D miss, 9S miss, JC miss, "
            "KD miss.",
        ),
    ):
        page = wall_document(WallPage("T", "", False, None, "", line, NOTHING, None))
        (words,) = re.findall(r'<p id="told"[^>]*>(.*?)</p>', page)
        assert html.unescape(words) == told


@pytest.mark.parametrize("frame", [WALL_STRIP, PHONE_STRIP], ids=["wall", "phone"])
def test_no_loss_is_drawn_over_the_edge_of_the_strip(frame: StripFrame) -> None:
    # Each another unit: those alike would share a symbol.
    lost = tuple(WallKill(f"unit {number}", "box", "") for number in range(12))
    sides = [
        WallSide(people=people, nation="", strength=50, lost=12, solid=half == 0)
        for half, people in enumerate(("Germans", "South Africans"))
    ]
    strip = WallStrip(last=10, turning=0, kills=((lost,), (lost,)))
    board = WallBoard(
        number="", where="", turn=1, last_turn=10, mover=0, phase="", sides=(sides[0], sides[1]),
        goal="", counts=None, ahead=None, stands="", strip=strip,
    )  # fmt: skip
    drawn = str(strip_svg(board, frame))
    (height,) = map(float, re.findall(r'viewBox="0 0 \S+ (\S+)"', drawn))
    middles = [float(y) for y in re.findall(r"translate\(\S+ (\S+)\)", drawn)]
    assert len(middles) >= 6
    assert min(middles) >= 11
    assert max(middles) <= height - 11


def test_once_the_battle_is_over_no_turn_is_the_present_one(database: Path) -> None:
    with Store.open(str(database)) as store:
        play = at_once(Session.resumed(GAME, job_runner(store), 1)).play
    running = wall_page(GAME, play.state, play).board
    assert running is not None
    over = replace(running, mover=None)
    assert 'class="tint"' in strip_svg(running, WALL_STRIP)
    assert 'class="tint"' not in strip_svg(over, WALL_STRIP)
    assert 'class="turn past"' in strip_svg(over, WALL_STRIP)


def test_the_date_and_the_place_stand_in_pieces_so_that_none_is_cut(database: Path) -> None:
    with Store.open(str(database)) as store:
        play = at_once(Session.resumed(GAME, job_runner(store), 2)).play
    page = wall_document(wall_page(GAME, play.state, GAME.seen(play, None)))
    band = re.findall(r'<div class="where">(.*?)</div>', page)
    assert band == [
        "<span>17 November 1941</span><span> · An Axis airfield in the Western Desert</span>"
    ]


def test_the_board_of_a_campaign_has_the_colours_of_its_sides(folder: Path) -> None:
    path = folder / "kept.db"
    game = registry.load("campaign")
    with Store.open(str(path)) as store:
        session = at_once(Session.opened(game, job_runner(store), game.opening({}, lambda: 5)))
    wall = wall_page(game, session.state, session.play)
    first, second = game.colours(session.state)
    assert first not in NO_NATION
    markup = str(wall_parts(wall))
    assert f'class="board first-{first} second-{second}"' in markup
    assert 'class="bar party0"' in markup
