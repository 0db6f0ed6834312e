"""The what-ifs below a shot: how they fit, and how one goes into the shot."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from steps import (
    DECK,
    NARROW,
    WIDE,
    a_scenario,
    fought,
    last_order,
    press,
    resume,
    shown,
    the_app,
    type_draw,
)
from textual.pilot import Pilot

from skirmish import registry
from skirmish.app.battle.draft_lines import draft_lines, what_if_keys
from skirmish.games.plastic.battle import record
from skirmish.games.plastic.battle.orders import AnyOrder, EndPhase, Fire, SetClock
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.tabletop.commands import Draft, pressed


def a_play(*orders: AnyOrder) -> BattlePlay:
    play = record.codec.play([record.opening(a_scenario(1))])
    for order in orders:
        play.accept(play.consider(order))
    return play


def drafted(play: BattlePlay, keys: str) -> Draft[AnyOrder]:
    game, draft = registry.load("plastic"), None
    for key in keys:
        draft = pressed(draft, game.commands(play.state), key)
    assert draft is not None
    return draft


def said(
    play: BattlePlay, keys: str, width: int = 78, at: int | None = None, *, tall: bool = False
) -> list[str]:
    lines = [
        str(line)
        for line in draft_lines(drafted(play, keys), width, str, tall=tall, what_if_cursor=at)
    ]
    title = "What if" if tall else "WHAT IF"
    first = next((n for n, line in enumerate(lines) if title in line), len(lines))
    return [line.rstrip() for line in lines[first:-1]]


def test_each_row_has_its_letter_its_chance_and_the_difference() -> None:
    rows = said(a_play(), "mr", 118, tall=True)
    assert [line.split() for line in rows[1:]] == [
        ["as", "it", "stands", "A-8", "67%", "8%"],
        ["c", "in", "cover", "A-8", "33%", "-34", "4%"],
        ["n", "within", "3", "in", "A-8", "67%", "=", "67%"],
        ["o", "Mortar", "A-5", "42%", "-25", "8%"],
    ]


def test_on_a_low_screen_rows_share_two_lines() -> None:
    assert said(a_play(), "mr") == [
        "WHAT IF ↓   c in cover 33% -34   n within 3\u00a0in: man aimed at 67%",
        "            o Mortar 42% -25",
    ]
    assert len(said(a_play(), "mr", 118)) == 1


def test_what_the_rules_forbid_says_why_in_a_few_words() -> None:
    assert "no" in " ".join(said(a_play(EndPhase()), "mt", tall=True)).split()
    assert "o Cannon 42%" in said(a_play(EndPhase()), "mt")[0]


def test_another_shooter_with_the_same_chance_is_shown_with_that_chance() -> None:
    """Not with that of the ace by which the man aimed at dies."""
    play = record.codec.play([record.opening(a_scenario(10))])
    setup = play.state.setup
    clock = SetClock(turn=1, side=setup.sides[0].id, phase=1)
    play.accept(play.consider(clock))
    rows = " ".join(said(play, "mr"))
    assert "o Small Pillbox 67% =" in rows
    assert "man aimed at 8%" not in rows


def test_where_not_all_fit_the_marked_row_comes_first() -> None:
    assert "o Mortar 42% -25 Enter" in said(a_play(), "mr", 44, at=2)[0]


@pytest.mark.parametrize("keys", ["mr", "9rr6", "ct", "mt"])
@pytest.mark.parametrize("tall", [True, False])
def test_no_line_is_longer_than_the_screen(keys: str, tall: bool) -> None:
    play = a_play(EndPhase())
    for at in (None, 0, len(what_if_keys(drafted(play, keys))) - 1):
        for line in draft_lines(drafted(play, keys), 78, str, tall=tall, what_if_cursor=at):
            assert line.cell_length <= 78


# ------------------------------------------------------------------ how a row is taken


async def test_down_and_enter_do_what_its_letter_does(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        for keys, cover, close in (
            (("down", "enter"), True, False),
            (("c",), True, False),
            (("down", "down", "enter"), False, True),
            (("down", "up", "up", "up", "enter"), True, False),
            (("down", "enter", "down", "enter"), False, False),
            (("down", "escape"), False, False),
            (("down",), False, False),  # Space fires the shot as it stands
        ):
            await press(pilot, "m", "r", *keys, "space")
            order = last_order(pilot)
            assert isinstance(order, Fire)
            assert (order.cover, order.close) == (cover, close), keys
            await press(pilot, "escape", "backspace")
            assert last_order(pilot) is None


async def test_a_repeat_shot_takes_a_row_though_letters_name_rows(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=WIDE) as pilot:
        await resume(pilot)
        await press(pilot, "m", "r", "space")
        await type_draw(pilot, "ah")
        assert "in cover" in shown(pilot, "asked")
        await press(pilot, "down", "enter")
        assert "33%" in shown(pilot, "asked") or "32%" in shown(pilot, "asked")


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["80x24", "120x40"])
async def test_a_row_that_was_taken_is_what_is_drawn_for(where: str, size: tuple[int, int]) -> None:
    fought(where)
    async with the_app(where).run_test(size=size) as pilot:
        await resume(pilot)
        await press(pilot, "m", "r")
        assert "67% (32 of 48)" in shown(pilot, "asked")
        assert "in cover" in shown(pilot, "asked")
        await press(pilot, "down", "enter")
        assert "33% (16 of 48)" in shown(pilot, "asked")
        assert last_order(pilot) is None  # nothing was drawn by that
        await press(pilot, "space")
        order = last_order(pilot)
        assert isinstance(order, Fire)
        assert order.cover
        await type_draw(pilot, "5s")
        assert "cover" in shown(pilot, "reason")


async def marked(pilot: Pilot[None]) -> None:
    await resume(pilot)
    await press(pilot, "m", "r", "down")


async def forbidden(pilot: Pilot[None]) -> None:
    await resume(pilot)
    await press(pilot, "greater_than_sign", "m", "t")


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["80x24", "120x40"])
@pytest.mark.parametrize("steps", [marked, forbidden])
def test_the_strip_looks_as_it_did(
    snap_compare: Callable[..., bool],
    where: str,
    steps: Callable[[Pilot[None]], object],
    size: tuple[int, int],
) -> None:
    fought(where, source=DECK)
    assert snap_compare(the_app(where), terminal_size=size, run_before=steps)
