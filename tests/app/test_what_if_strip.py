"""The what-ifs below a shot: what they say, how they fit, and how one goes into the shot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace
from skirmish.app.battle.draft import Draft
from skirmish.app.battle.mode import DraftError, Mode, Said
from skirmish.app.battle.prompt_what_if import Wondering
from skirmish.app.battle.what_if_words import Room, strip
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

from skirmish.games.plastic.battle import record
from skirmish.games.plastic.battle.orders import Again, AnyOrder, EndPhase, Fire, Show, Volley
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.tabletop.chance import Draw


def a_play(*orders: AnyOrder) -> BattlePlay:
    play = record.codec.play([record.opening(a_scenario(1))])
    for order in orders:
        play.accept(play.consider(order))
    return play


def pressed(play: BattlePlay, *keys: str) -> Mode:
    mode: Mode = Draft.to_begin(play.state)
    for key in keys:
        step = mode.press(key, play)
        assert isinstance(step, Mode), (key, step)
        mode = step
    return mode


def said(play: BattlePlay, mode: Mode, width: int = 118, rows: int = 9) -> list[str]:
    lines = strip(play.state, mode, "full", Room(str, width, rows))
    return ["".join(text for text, _ in line).rstrip() for line in lines]


def toned(lines: list[Said], tone: str) -> str:
    return " ".join(text.strip() for line in lines for text, one in line if one == tone)


# ------------------------------------------------------------------ what it says


def test_each_row_has_its_letter_its_chance_and_the_difference() -> None:
    play = a_play()
    assert said(play, pressed(play, *"mr")) == [
        "WHAT IF   as it stands           A-8   67%        man aimed at  8%   ↓ chooses one",
        "        c in cover               A-8   33%  -34   man aimed at  4%",
        "        n within 3\u00a0in            A-8   67%    =   man aimed at 67%",
        "        o Mortar                 A-5   42%  -25   man aimed at  8%",
    ]


def test_no_strip_before_there_is_a_shot_or_where_it_makes_no_sense() -> None:
    play = a_play(EndPhase())
    assert said(play, pressed(play)) == said(play, pressed(play, "r")) == []
    refused = pressed(play, *"or")
    assert isinstance(refused, Draft)
    nobody = replace(refused, target=refused.shooter)
    assert said(play, refused)
    assert said(play, nobody) == []


def test_what_the_rules_forbid_is_dim_and_says_why_in_a_few_words() -> None:
    play = a_play(EndPhase())
    mode = pressed(play, *"mt")
    lines = strip(play.state, mode, "full", Room(str, 118, 9))
    assert "no   only in contact" in toned(lines, "dim")
    assert said(play, mode)[1:] == ["        o Cannon                 A-5   42%"]


def test_on_a_low_screen_rows_share_two_lines() -> None:
    play = a_play()
    lines = said(play, pressed(play, *"mr"), 78, 2)
    assert lines == [
        "WHAT IF ↓   c in cover 33% -34   n within 3\u00a0in: man aimed at 67%",
        "            o Mortar 42% -25",
    ]
    assert len(said(play, pressed(play, *"mr"), 118, 2)) == 1


def test_where_not_all_fit_the_marked_row_comes_first() -> None:
    play = a_play()
    at_last = pressed(play, *"mr", "up")
    lines = said(play, at_last, 44, 1)
    assert "o Mortar 42% -25 Enter" in lines[0]
    assert len(lines) == 1
    assert said(play, at_last, 44, 0) == []


@pytest.mark.parametrize("rows", [9, 3, 2, 1])
@pytest.mark.parametrize("keys", ["mr", "9rr6", "ct", "mt"])
def test_no_line_is_longer_than_the_screen(keys: str, rows: int) -> None:
    play = a_play(EndPhase())
    for more in ([], ["down"], ["up"]):
        mode = pressed(play, *keys, *more)
        for line in said(play, mode, 78, rows):
            assert len(line) <= 78
        assert len(said(play, mode, 78, rows)) <= rows


def test_a_deck_that_nobody_may_count_is_a_fresh_one() -> None:
    play = a_play(*_a_miss())
    mode = pressed(play, *"mr")
    fresh = strip(play.state, mode, "hidden", Room(str, 118, 9))
    assert "67%" in toned(fresh[:1], "strong")
    left = strip(play.state, mode, "full", Room(str, 118, 9))
    assert "68%" in toned(left[:1], "strong")


def _a_miss() -> list[AnyOrder]:
    """A machinegun's, with the jack of hearts."""
    order = pressed(a_play(), *"mr")
    assert isinstance(order, Draft)
    assert isinstance(order.order, Fire)
    return [order.order, Show((Draw(11, "H"),))]


# ------------------------------------------------------------------ how a row is taken


@pytest.mark.parametrize(
    ("keys", "takes"),
    [
        (("down", "enter"), {"cover": True}),
        (("c",), {"cover": True}),
        (("down", "down", "enter"), {"close": True}),
        (("down", "up", "up", "up", "enter"), {"cover": True}),
        (("down", "enter", "down", "enter"), {}),
    ],
)
def test_down_and_enter_do_what_its_letter_does(
    keys: tuple[str, ...], takes: dict[str, Any]
) -> None:
    play = a_play()
    mode = pressed(play, *"mr", *keys)
    assert isinstance(mode, Draft)
    assert mode.order == Fire(shooter=mode.shooter or "", target=mode.target or "", **takes)


@pytest.mark.parametrize("keys", [("o",), ("up", "enter")])
def test_another_shooter_keeps_what_was_said_of_the_target(keys: tuple[str, ...]) -> None:
    play = a_play()
    mode = pressed(play, *"5rr8c", *keys)
    assert isinstance(mode, Draft)
    assert isinstance(mode.order, Volley)
    assert mode.order.shooter.endswith("/machinegun")
    assert (mode.order.count, mode.order.reach, mode.order.cover) == (2, 8, True)


def test_the_other_weapon_is_one_key_away_even_where_none_was_chosen() -> None:
    play = a_play(EndPhase(), EndPhase())
    mode = pressed(play, *"tr")
    assert isinstance(mode, Draft)
    assert mode.weapons(play.state) == ["cannon", "machinegun"]
    assert mode.weapon is None
    names = []
    for _ in range(3):
        mode = mode.pressed("w", play.state)
        names.append(mode.weapon)
    assert names == ["machinegun", "cannon", "machinegun"]  # the cannon would have been used
    assert [mode.turns_to(name, play.state) for name in ("cannon", "machinegun")] == [1, 2]


def test_a_repeat_shot_takes_a_row_though_letters_name_rows() -> None:
    order, _ = _a_miss()
    play = a_play(order, Show((Draw(1, "H"),)))
    assert said(play, Draft.to_begin(play.state))[1].strip().startswith("in cover")
    mode = pressed(play, "down", "enter")
    assert isinstance(mode, Draft)
    assert isinstance(mode.order, Again)
    assert mode.order.cover
    assert mode.begun


def test_space_fires_the_shot_as_it_stands_and_esc_leaves_the_rows() -> None:
    play = a_play()
    wondering = pressed(play, *"mr", "down")
    assert isinstance(wondering, Wondering)
    fires = wondering.press("space", play)
    assert isinstance(fires, Fire)
    assert not fires.cover
    assert pressed(play, *"mr", "down", "escape") == pressed(play, *"mr")


def test_where_nothing_would_make_a_difference_the_arrows_say_so() -> None:
    shot = pressed(a_play(), *"mr")
    play = a_play(EndPhase(), EndPhase())  # now the others fire
    with pytest.raises(DraftError, match="Nothing else would make a difference"):
        shot.press("down", play)


# ------------------------------------------------------------------ on the screen


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["80x24", "120x40"])
async def test_a_row_that_was_taken_is_what_is_drawn_for(where: str, size: tuple[int, int]) -> None:
    fought(where)
    async with the_app(where).run_test(size=size) as pilot:
        await resume(pilot)
        await press(pilot, "m", "r")
        assert "67% (32 of 48)" in shown(pilot, "shot")
        assert "in cover" in shown(pilot, "shot")
        await press(pilot, "down", "enter")
        assert "33% (16 of 48)" in shown(pilot, "shot")
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
