"""What is done most takes fewest keys: each line of the budget is pressed, counted, looked at."""

from __future__ import annotations

import pytest
from steps import (
    DECK,
    NARROW,
    a_scenario,
    eventually,
    fought,
    keep,
    last_order,
    press,
    resume,
    row_of,
    shown,
    state,
    the_app,
    type_draw,
)
from textual.pilot import Pilot

from skirmish.games.plastic.battle.agenda import CasualtyAsk, RepeatAsk
from skirmish.games.plastic.battle.orders import (
    EndPhase,
    Fire,
    GroupMoved,
    Rejudge,
    Show,
    Volley,
)
from skirmish.games.plastic.rules.options import Options
from skirmish.tabletop.chance import Draw, Source


async def within(pilot: Pilot[None], budget: int, *keys: str) -> None:
    """Press ``keys``, of which the budget allows so many."""
    assert len(keys) <= budget
    await press(pilot, *keys)


async def test_a_volley_of_15_at_8_takes_7_keys_with_the_dead(where: str) -> None:
    fought(where, source=Source("deck", seed=3))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await within(pilot, 7, *"15rr8", "space", "enter")
        order = last_order(pilot)
        volley = next(
            e.order for e in pilot.app.screen.session.play.live if isinstance(e.order, Volley)
        )
        assert (volley.count, volley.reach) == (15, 8)
        assert order is not None
        assert state(pilot).ask is None
        dead = len(state(pilot).lost)
        assert 3 < dead <= 8
        assert len(shown(pilot, "reason").partition("miss")[0].split()) == dead + 1  # "hit:"
        assert row_of(pilot, "german", "r").total - dead == len(
            row_of(pilot, "german", "r").alive
        ) + sum(not piece.startswith("german:R") for piece in state(pilot).lost)


async def test_same_again_takes_1_key_and_repeat_fire_1(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "m", "r", "c", "space")
        await type_draw(pilot, "9c")
        await within(pilot, 1, "full_stop")
        again = last_order(pilot)
        assert isinstance(again, Fire)
        assert again.cover
        await type_draw(pilot, "ah")
        assert isinstance(state(pilot).ask, RepeatAsk)
        assert "within 6 in of the" in shown(pilot, "asked")
        shots = state(pilot).shots
        await within(pilot, 1, "space")
        assert state(pilot).shots == shots + 1


async def test_losses_take_3_keys_and_men_back_2(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await within(pilot, 3, "minus", "3", "r")
        assert len(row_of(pilot, "german", "r").alive) == 20
        await within(pilot, 2, "plus", "r")
        assert len(row_of(pilot, "german", "r").alive) == 21
        await press(pilot, "minus", "tab", "c")  # the other side
        assert not row_of(pilot, "polish", "c").alive
        assert state(pilot).loss == {"german": 2, "polish": 5}


async def test_clock_and_undo_take_1_key_each_and_the_end_of_a_turn_that_skips_fights_2(
    where: str,
) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await within(pilot, 1, "greater_than_sign")
        assert state(pilot).clock.phase == 2
        await within(pilot, 2, "E", "enter")
        assert (state(pilot).clock.side, state(pilot).clock.phase) == ("polish", 1)
        await within(pilot, 1, "backspace")
        assert (state(pilot).clock.side, state(pilot).clock.phase) == ("german", 2)


async def test_a_group_that_moved_takes_1_key(where: str) -> None:
    fought(where, source=DECK, quality={"german": "green"})
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await within(pilot, 1, "M")
        assert isinstance(last_order(pilot), GroupMoved)
        checked = state(pilot).checked
        assert checked is not None
        assert checked.explain in shown(pilot, "reason").replace("\n", " ")
        if state(pilot).movement_over:
            assert "MOVEMENT OVER" in shown(pilot, "who")


async def test_a_loaded_truck_leaves_with_3_keys(where: str) -> None:
    fought(where, loads=True)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "X", "k")
        assert "counting" in shown(pilot, "asked")
        await press(pilot, "escape", "escape")
        await within(pilot, 3, "X", "k", "enter")
        assert len(state(pilot).exited) == 11
        assert "have 10" in shown(pilot, "situation").replace("\n", " ")


async def test_loading_takes_6_keys_and_unloading_2(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await within(pilot, 6, *"Lk10r", "enter")
        assert len(state(pilot).aboard) == 10
        panel = pilot.app.screen.query("SidePanel").first()
        assert "K1 10r" in str(panel.render())
        await within(pilot, 2, "O", "k")
        assert not state(pilot).aboard


async def test_he_was_in_cover_takes_2_keys(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "r", "r", "space")
        await type_draw(pilot, "3s")
        await press(pilot, "enter")
        assert len(state(pilot).lost) == 1
        await within(pilot, 2, "tab", "c")
        assert isinstance(last_order(pilot), Rejudge)
        assert not state(pilot).lost
        assert state(pilot).ask is None


async def test_a_line_three_up_is_void_with_5_keys(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, *"-3r", *"-k", *"-m")
        await within(pilot, 5, "up", "up", "up", "v", "enter")
        await eventually(pilot, lambda: len(row_of(pilot, "german", "r").alive) == 23)
        assert len(row_of(pilot, "german", "k").alive) == 1
        assert len(row_of(pilot, "german", "m").alive) == 1


async def test_pin_draws_after_machine_gun_op_fire_take_1_key_with_own_cards(where: str) -> None:
    fought(where, options=Options(pinning=True))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "m", "r", "space")
        await type_draw(pilot, "9c")
        assert "for the pin test" in shown(pilot, "asked")
        await type_draw(pilot, "8h")
        assert state(pilot).checked is not None
        assert state(pilot).ask is None


@pytest.mark.parametrize("answer", ["enter", "letters"])
async def test_letters_replace_the_men_proposed_one_at_a_time(where: str, answer: str) -> None:
    setup = a_scenario(1)
    ids = {
        side.id: next(c.id for c in setup.contingents if c.side == side.id) for side in setup.sides
    }
    shot = Volley(
        shooter=f"polish/{ids['polish']}/rifle",
        target=f"german/{ids['german']}/rifle",
        count=4,
        reach=4,
    )
    keep(where, setup, shot, *(Show((Draw(rank, "H"),)) for rank in (2, 3, 4, 1)))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        ask = state(pilot).ask
        assert isinstance(ask, CasualtyAsk)
        assert ask.count == 3
        assert "choose 3 of 4 men." in shown(pilot, "asked")
        assert "4 HITS" not in shown(pilot, "word")  # in big letters
        if answer == "letters":
            await press(pilot, "m", "o")
            assert "1 Machinegun, 1 Mortar; then 1 Rifle" in shown(pilot, "asked")
            await press(pilot, "backspace")
            assert "1 Machinegun; then 2 Rifle" in shown(pilot, "asked")
        await press(pilot, "enter")
        units = sorted(piece.partition(":")[2][0] for piece in state(pilot).lost)
        assert units == (["R"] * 4 if answer == "enter" else ["M", "R", "R", "R"])


async def test_counted_shots_go_on_over_phases(where: str) -> None:
    fought(where, EndPhase())
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, *"2rr", "space")
        assert isinstance(pilot.app.screen.session.play.live[-1].order, Volley)
        await type_draw(pilot, "9h 10c")
        assert state(pilot).ask is None
        assert len(state(pilot).fired) == 2
