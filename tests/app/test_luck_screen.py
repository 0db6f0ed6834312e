"""Who had the luck, on the screen beside the summary."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from steps import MIXED, NARROW, WIDE, fought, keep, press, resume, shown, the_app, until
from textual.pilot import Pilot
from textual.widgets import Static

from skirmish import library
from skirmish.app.battle.summary import LuckScreen, SummaryScreen
from skirmish.app.chart_view import curve_rows, strip_rows
from skirmish.games.plastic.battle.army_opening import from_armies
from skirmish.games.plastic.battle.orders import (
    AnyOrder,
    ChooseCasualties,
    Finish,
    Fire,
    Hold,
    Show,
)
from skirmish.games.plastic.rules.army import ArmyList, muster
from skirmish.tabletop.chance import Source, parse_card
from skirmish.tabletop.page import Curves, ValueCurve

GUNS = "polish/rearguard/machinegun"
MEN = "german/column/rifle"
HIT = (Fire(shooter=GUNS, target=MEN, cover=True), Show((parse_card("4h"),)), ChooseCasualties())


async def open_luck(pilot: Pilot[None]) -> str:
    await resume(pilot)
    await press(pilot, "Y")
    await until(pilot, SummaryScreen)
    await press(pilot, "l")
    await until(pilot, LuckScreen)
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()
    return page(pilot)


def page(pilot: Pilot[None]) -> str:
    parts = pilot.app.screen.query(".summary-part").results(Static)
    return "\n".join(str(part.render()) for part in parts)


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_it_says_what_was_expected_and_what_came(where: str, size: tuple[int, int]) -> None:
    fought(where, *HIT)  # A-8, red only: 16 of 48
    async with the_app(where).run_test(size=size) as pilot:
        text = await open_luck(pilot)
        words = " ".join(text.split())
        assert "Kills 0, expected 0.0 (0.0) 1, expected 0.3 (+0.7)" in words
        assert "Luckier than – 83%, lucky" in words
        assert "Least likely kill (Poles): turn 1, line 2: Machinegun M1 at a Rifle Guy" in text
        assert "33.3%" in text
        assert "█" in text
        drawn = text[: text.index("Least likely")].splitlines()
        assert max(map(len, drawn)) <= size[0] - 5
        assert "LUCK" in shown(pilot, "summary-title")
        await press(pilot, "escape")
        await until(pilot, SummaryScreen)


async def test_on_a_large_screen_every_shot_stands_beside_the_ledger(where: str) -> None:
    fought(where, *HIT)
    async with the_app(where).run_test(size=(160, 50)) as pilot:
        rows = (await open_luck(pilot)).splitlines()
        heads = next(row for row in rows if "SHOTS" in row)
        assert "LUCK" in heads
        assert heads.index("SHOTS") > 60
        shot = next(row for row in rows if "33.3%" in row and "hit" in row)
        assert "Machinegun M1" in shot[heads.index("SHOTS") :]


async def test_before_the_first_shot_it_says_that_nobody_fired(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        assert "No shots have been fired yet." in await open_luck(pilot)


async def test_after_a_battle_without_a_shot_it_says_so(where: str) -> None:
    fought(where, Finish(winner="polish"))
    async with the_app(where).run_test(size=NARROW) as pilot:
        assert "No shots were fired." in await open_luck(pilot)


@pytest.mark.parametrize("name", MIXED, ids=range(len(MIXED)))
async def test_names_that_people_type_are_shown_as_they_are(where: str, name: str) -> None:
    catalog, book = library.catalog(), library.rulings()
    lists = [ArmyList(name=called, units={"rifle": 60}) for called in (name, "Blues")]
    one, other = (muster(army, catalog, book) for army in lists)
    deck = Source("deck", seed=7)
    setup = from_armies(one, other, book, sources=(deck, deck))
    keep(where, setup, Fire(shooter="second/second/rifle", target="first/first/rifle"))
    async with the_app(where).run_test(size=NARROW) as pilot:
        text = await open_luck(pilot)
        assert name[:8] in text


# ------------------------------------------------------------------ the chart by itself


def test_half_a_block_is_half_a_step_above_and_below_the_line() -> None:
    rows = [row for _, row in strip_rows([0.0, 0.5, 1.0, 1.5, -0.5, -1.0], 2, 1, 0.5)]
    assert rows == ["   ▄  ", " ▄██  ", "──────", "    ▀█"]


def test_the_rows_are_labelled_at_both_ends_and_at_the_line() -> None:
    labels = [label for label, _ in strip_rows([1.0], 2, 2, 0.5)]
    assert labels == ["+2", "", "0", "", "–2"]


# ------------------------------------------------------------------ as it looks

RIFLES = Fire(shooter="polish/rearguard/rifle", target=MEN)


async def a_firefight(pilot: Pilot[None]) -> None:
    await open_luck(pilot)


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["80x24", "120x40"])
def test_luck_looks_as_it_did(
    snap_compare: Callable[..., bool], where: str, size: tuple[int, int]
) -> None:
    orders: list[AnyOrder] = [*HIT, Hold()]
    for drawn in ("2h", "3s", "9c", "jd", "8h", "6s", "4s"):
        orders += [RIFLES, Show((parse_card(drawn),))]
        orders += [ChooseCasualties()] if drawn < "6" else []
    fought(where, *orders)
    assert snap_compare(the_app(where), terminal_size=size, run_before=a_firefight)


def test_a_curve_without_a_moment_has_a_flat_strip() -> None:
    """Before any draw there is a value to begin with, and nothing after it."""
    nothing_yet = (ValueCurve("Germans", (0.0,)), ValueCurve("Americans", (0.0,)))
    rows = list(curve_rows(Curves("Turn", nothing_yet, ()), 80))
    assert "Germans" in str(rows[0])
