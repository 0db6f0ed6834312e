"""Omaha at the keyboard: what is done most takes fewest keys, and whatever is typed is text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from omaha_table import GAME, phase, table
from steps import NARROW, WIDE, battles_listed, press, shown, the_app, until
from textual.pilot import Pilot

from skirmish.app.play.screen import PlayScreen
from skirmish.store.database import Store


def stored(where: str, play: Any) -> None:
    """The game in the store, as it was played."""
    with Store.open(where) as store:
        head, *rest = play.entries
        record = store.add_battle("omaha", "Omaha", "begun", [GAME.codec.written(head)])
        for one in rest:
            store.append(record.id, GAME.codec.written(one),
                         headline="on", over=False)  # fmt: skip


async def resumed(pilot: Pilot[None]) -> PlayScreen:
    await battles_listed(pilot)
    await press(pilot, "enter")
    await until(pilot, PlayScreen)
    screen = pilot.app.screen
    assert isinstance(screen, PlayScreen)
    return screen


async def test_a_shot_of_known_units_takes_6_keys_and_is_explained_before_the_roll(
    where: str,
) -> None:
    stored(where, table())
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await resumed(pilot)
        keys = ["f", "d", "enter", "b", "3", "2"]  # the tank at the gun in K1, 3 hexes; a 2
        assert len(keys) <= 6
        await press(pilot, *keys[:-1])
        asked = shown(pilot, "asked")
        assert "1/A fires at K1 (88): 6 (1/A) = 6 factors" in asked.replace("\n", " ")
        assert "fortification: 1 left: column 3" in asked.replace("\n", " ")
        assert "83%" in asked
        await press(pilot, keys[-1])
        assert screen.session.state.units(flag="fired")[0].name == "1/A"
        assert "No effect. Roll 2. 6 factors, fortification: 1 left" in shown(pilot, "reason")


async def test_the_foot_says_back_where_esc_takes_back_and_does_not_leave(where: str) -> None:
    stored(where, table())
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await resumed(pilot)
        assert screen.foot_labels == {}
        await press(pilot, "f")
        assert screen.foot_labels == {"leave": "Back"}
        await press(pilot, "escape")
        assert pilot.app.screen is screen
        assert screen.foot_labels == {}


async def test_a_whole_american_turn_of_eight_units_takes_few_keys(where: str) -> None:
    """40 keys: at three seconds each it is done in two minutes."""
    play = table(("c d", "4/B, 5/B", "L10"))
    phase(play, "card", turn=3)
    stored(where, play)
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await resumed(pilot)
        keys = [
            *("space", "a", "space"),  # no event; nobody is disrupted
            *("f", "a", "b", "enter", "a", "1", "5"),  # 1/B and 2/B at J7
            *("f", "d", "enter", "b", "3", "n", "6"),  # the tank and the navy at K1
            "space",
            *("m", "c", "f", "enter", "k", "8", "enter"),
            *("m", "e", "enter", "j", "9", "enter"),
            *("m", "g", "h", "enter", "k", "9", "enter"),
            "space", "space",
        ]  # fmt: skip
        await press(pilot, *keys)
        state = screen.session.state
        assert state.phase_id == "german_recovery"
        assert {one.name: one.place for one in state.units("us")} == {
            "1/B": "K7", "2/B": "K7", "3/B": "K8", "1/A": "L9", "Ranger": "J9", "Team": "K8",
            "4/B": "K9", "5/B": "K9",
        }  # fmt: skip
        assert len(keys) <= 40


async def test_a_unit_of_any_name_is_entered_read_off_its_counter_and_survives(where: str) -> None:
    play = table()
    stored(where, play)
    name = "Hostile [/b] [red]"
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resumed(pilot)
        await press(pilot, "c", "d", *(s if s != " " else "space" for s in name), "enter", "enter")
        await press(pilot, "f", "g", "enter", "a", "7")
        assert f"What is the high explosive (HE) of {name}?" in shown(pilot, "asked")
        assert name in shown(pilot, "board")
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resumed(pilot)
        assert name in shown(pilot, "board")


async def test_enter_behind_a_distance_that_is_complete_draws_nothing_yet(where: str) -> None:
    stored(where, table())
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await resumed(pilot)
        await press(pilot, "f", "d", "enter", "b", "3", "enter")
        assert "83%" in shown(pilot, "asked")
        assert not screen.session.state.units(flag="fired")
        await press(pilot, "h", "2")
        assert screen.session.state.units(flag="fired")


async def test_a_shot_that_was_half_typed_when_the_program_was_killed_stands_there_again(
    where: str,
) -> None:
    stored(where, table())
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resumed(pilot)
        await press(pilot, "f", "c", "backspace", "d", "enter", "b")
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await resumed(pilot)
        assert "How many hexes away from L9?" in shown(pilot, "asked")
        await press(pilot, "3", "2")
        assert screen.session.state.units(flag="fired")[0].name == "1/A"
        await press(pilot, "f", "a", "enter")
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resumed(pilot)
        assert "Fire: 1/B" in shown(pilot, "asked")
        await press(pilot, "escape", "escape")
    assert not list(Path(where).parent.glob(".*.typed"))


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["80x24", "120x40"])
def test_a_shot_before_the_roll_looks_as_it_should(
    where: str, snap_compare: Callable[..., bool], size: tuple[int, int]
) -> None:
    stored(where, table())

    async def aimed(pilot: Pilot[None]) -> None:
        await resumed(pilot)
        await press(pilot, "f", "a", "b", "enter", "a", "1", "enter", "w", "n")

    assert snap_compare(the_app(where), terminal_size=size, run_before=aimed)


async def test_a_hex_is_typed_where_hexes_have_letters_and_no_key_leaves_the_question(
    where: str,
) -> None:
    stored(where, table())
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await resumed(pilot)
        await press(pilot, "f", "d", "enter")
        assert "At which hex?" in shown(pilot, "asked")
        await press(pilot, "J", "7")
        assert isinstance(pilot.app.screen, PlayScreen)
        assert "How many hexes away" in shown(pilot, "asked")
        await press(pilot, "h")  # neither a distance nor a command now
        assert screen.draft is not None
        assert screen.draft.answers["target"] == "J7"


async def test_the_journal_is_read_in_a_question_and_nothing_is_lost(where: str) -> None:
    stored(where, table())
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await resumed(pilot)
        await press(pilot, "f", "d", "enter", "J", "7", "J")  # a distance has no letters
        assert not isinstance(pilot.app.screen, PlayScreen)
        await press(pilot, "escape", "4", "6")
        assert [one.name for one in screen.session.state.units(flag="fired")] == ["1/A"]
