"""The list of armies by its keys, on a real database."""

from __future__ import annotations

import asyncio
import sqlite3
import time

import pytest
from steps import HOSTILE, NARROW, WIDE, eventually, the_app, until
from textual.pilot import Pilot
from textual.widgets import Input, OptionList, Static

from skirmish.app.armies.builder import ArmyBuilderScreen
from skirmish.app.armies.list import ArmiesScreen
from skirmish.app.armies.new_army import NewArmyScreen
from skirmish.app.asking import TextEntry
from skirmish.app.home import HomeScreen
from skirmish.app.windows import MessageScreen
from skirmish.games.plastic.army_file import GAME, as_body
from skirmish.games.plastic.rules.army import ArmyList
from skirmish.store.database import Store
from skirmish.store.errors import StoreError

STEERING = "[/b]two\nlines\x1b[2J\u202e"
"""No army can be called so, but a record can."""


def keep(where: str, *names: str, **terms: object) -> None:
    with Store.open(where) as store:
        for name in names:
            listed = ArmyList(name=name, **{"units": {"rifle": 70}, **terms})  # type: ignore[arg-type]
            store.add_army(GAME, name, as_body(listed))


def kept(where: str) -> list[str]:
    with Store.open(where) as store:
        return [record.name for record in store.armies()]


async def open_list(pilot: Pilot[None]) -> ArmiesScreen:
    """From home to the armies, read."""
    await until(pilot, HomeScreen)
    await pilot.press("a")
    await until(pilot, ArmiesScreen)
    screen = pilot.app.screen
    assert isinstance(screen, ArmiesScreen)
    await eventually(pilot, lambda: screen.armies_read)
    return screen


async def begin_empty(pilot: Pilot[None]) -> None:
    """From the armies to the name of a new one that begins from nothing."""
    await pilot.press("n")
    await until(pilot, NewArmyScreen)
    await pilot.press("enter")
    await until(pilot, TextEntry)


def said(screen: ArmiesScreen) -> str:
    """What the app has just told in its corner."""
    return " ".join(note.message for note in screen.app._notifications)


def rows(screen: ArmiesScreen) -> list[str]:
    lines = (one for one in screen.query_one(OptionList).options if not one.disabled)
    return [str(option.prompt)[2:] for option in lines]


def text(screen: ArmiesScreen, name: str) -> str:
    return str(screen.query_one(f"#{name}", Static).content)


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_an_empty_list_says_what_to_do(where, size):
    async with the_app(where).run_test(size=size) as pilot:
        screen = await open_list(pilot)
        assert "Press Enter or n" in str(screen.query_one(OptionList).get_option("none").prompt)
        assert "saved automatically" in text(screen, "meaning")
        await pilot.press("c", "delete", "p", "u", "v", "space", "r")
        assert pilot.app.screen is screen
        await pilot.press("enter")
        await until(pilot, NewArmyScreen)


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_a_line_tells_nation_quality_points_and_limits_the_newest_first(where, size):
    keep(where, "Old", nation="german", quality="regular")
    keep(where, "Broken", units={"rifle": 70, "tank": 7})
    keep(where, "Begun", units={"tank": 1})
    async with the_app(where).run_test(size=size) as pilot:
        begun, broken, old = rows(await open_list(pilot))
        assert begun.split()[:5] == ["Begun", "–", "–", "20/200", "1"]
        assert "1 limit to meet" in begun
        assert "2 limits broken" in broken
        assert "210/200" in broken
        assert old.split()[:5] == ["Old", "German", "Regular", "70/240", "1"]
        assert all(len(row) <= size[0] - 4 for row in (begun, broken, old))


async def test_the_day_of_the_last_change_is_that_of_this_computers_clock(where, monkeypatch):
    keep(where, "Late", nation="german")
    with sqlite3.connect(where) as file:
        file.execute("UPDATE army SET updated = '2026-04-30T22:05:09.000000+00:00'")
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "ABC-2")
        time.tzset()
        async with the_app(where).run_test(size=WIDE) as pilot:
            (late,) = rows(await open_list(pilot))
    time.tzset()
    assert "2026-05-01" in late


async def test_a_legal_army_is_called_legal(where):
    keep(where, "Fine", quality="elite")
    async with the_app(where).run_test(size=NARROW) as pilot:
        assert rows(await open_list(pilot))[0].split()[-1] == "legal"


async def test_a_new_army_gets_its_name_and_opens(where):
    async with the_app(where).run_test(size=NARROW) as pilot:
        await open_list(pilot)
        await begin_empty(pilot)
        await pilot.press(*"Zug 1", "enter")
        await until(pilot, ArmyBuilderScreen)
        builder = pilot.app.screen
        assert isinstance(builder, ArmyBuilderScreen)
        await eventually(pilot, lambda: not builder.session.unsaved)
        listed = builder.army.army_list
        assert (listed.name, listed.points) == ("Zug 1", 200)
        await pilot.press("escape")
        await until(pilot, ArmiesScreen)
        await eventually(pilot, lambda: "Zug 1" in rows(pilot.app.screen)[0])  # type: ignore[arg-type]
    assert kept(where) == ["Zug 1"]


async def test_a_new_army_that_is_given_up_leaves_nothing(where):
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await open_list(pilot)
        await begin_empty(pilot)
        await pilot.press("escape")
        await until(pilot, NewArmyScreen)
        await pilot.press("escape")
        await eventually(pilot, lambda: pilot.app.screen is screen)
    assert kept(where) == []


async def test_a_new_army_is_not_left_without_a_name(where):
    async with the_app(where).run_test(size=NARROW) as pilot:
        await open_list(pilot)
        await begin_empty(pilot)
        await pilot.press("backspace", "enter")
        says = str(pilot.app.screen.query_one("#entry-wrong", Static).content)
        assert says == "Give the army a name."


async def test_a_second_new_army_is_offered_another_name(where):
    keep(where, "New army")
    async with the_app(where).run_test(size=NARROW) as pilot:
        await open_list(pilot)
        await begin_empty(pilot)
        assert pilot.app.screen.query_one("#entry", Input).value == "New army 2"


async def test_enter_opens_and_escape_comes_back_to_the_same_line(where):
    keep(where, "One", "Two", "Three")
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await open_list(pilot)
        await pilot.press("down", "enter")
        await until(pilot, ArmyBuilderScreen)
        await pilot.press("plus")
        await pilot.press("escape")
        await eventually(
            pilot, lambda: pilot.app.screen is screen and rows(screen)[0].startswith("Two")
        )
        assert screen.query_one(OptionList).highlighted == 1
        assert "71/200" in rows(screen)[0]
        await pilot.press("escape")
        await until(pilot, HomeScreen)


async def test_a_copy_gets_a_name_of_its_own_and_is_chosen(where):
    keep(where, "Zug", "Other")
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await open_list(pilot)
        await pilot.press("down", "c")
        await eventually(pilot, lambda: len(rows(screen)) == 3)
        assert rows(screen)[0].startswith("Zug 2")
        assert screen.query_one(OptionList).highlighted == 1
        assert "Copied as Zug 2. u undoes this." in said(screen)


async def test_removed_armies_come_back_the_last_first(where):
    keep(where, "One", "Two", "Three")
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await open_list(pilot)
        await pilot.press("delete")
        await eventually(pilot, lambda: len(rows(screen)) == 2)
        await eventually(pilot, lambda: "u undoes this" in said(screen))
        await pilot.press("delete")
        await eventually(pilot, lambda: len(rows(screen)) == 1)
        assert kept(where) == ["One"]
        await pilot.press("u")
        await eventually(pilot, lambda: len(rows(screen)) == 2)
        assert kept(where) == ["Two", "One"]
        await pilot.press("u")
        await eventually(pilot, lambda: len(rows(screen)) == 3)
        assert rows(screen)[0].startswith("Three")


async def test_each_press_of_undo_means_another_deletion_however_slow_the_disk_is(where):
    keep(where, "One", "Two", "Three")
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await open_list(pilot)
        for left in (2, 1):
            await pilot.press("delete")
            await eventually(pilot, lambda left=left: len(rows(screen)) == left)
        stored = pilot.app.stored

        async def slowly(job):
            await asyncio.sleep(0.2)
            return await stored(job)

        pilot.app.stored = slowly
        screen.action_undo()
        screen.action_undo()
        screen.action_undo()
        await eventually(pilot, lambda: len(rows(screen)) == 3)
        assert sorted(kept(where)) == ["One", "Three", "Two"]


async def test_an_undo_that_failed_can_be_repeated(where):
    keep(where, "One", "Two")
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await open_list(pilot)
        await pilot.press("delete")
        await eventually(pilot, lambda: len(rows(screen)) == 1)
        stored = pilot.app.stored

        async def refused(job):
            raise StoreError("The disk is full.")

        pilot.app.stored = refused
        screen.action_undo()
        await eventually(pilot, lambda: isinstance(pilot.app.screen, MessageScreen))
        pilot.app.stored = stored
        await pilot.press("escape", "u")
        await eventually(pilot, lambda: len(rows(screen)) == 2)


async def test_the_last_army_removed_leaves_the_empty_list(where):
    keep(where, "One")
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await open_list(pilot)
        await pilot.press("delete")
        await eventually(pilot, lambda: "armies yet" in rows(screen)[0])
        await pilot.press("u")
        await eventually(pilot, lambda: rows(screen)[0].startswith("One"))


async def test_p_prints_the_chosen_army(where, monkeypatch):
    printed = []

    async def note(app, id, army):
        printed.append(army.army_list.name)

    monkeypatch.setattr("skirmish.app.printing.print_document", note)
    keep(where, "One", "Two")
    async with the_app(where).run_test(size=NARROW) as pilot:
        await open_list(pilot)
        await pilot.press("down", "p")
        await eventually(pilot, lambda: printed == ["One"])


async def test_an_army_that_cannot_be_read_stays_and_says_why(where):
    with Store.open(where) as store:
        store.add_army(GAME, "From tomorrow", '{"name": "x", "units": {"zeppelin": 1}}')
        store.add_army("beach_head", "Another game", "{}")
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await open_list(pilot)
        assert len(rows(screen)) == 1
        assert "cannot be read" in rows(screen)[0]
        for key in ("enter", "c", "p"):
            await pilot.press(key)
            await until(pilot, MessageScreen)
            said = " ".join(str(w.content) for w in pilot.app.screen.query(Static))
            assert "zeppelin" in said
            await pilot.press("escape")
            await eventually(pilot, lambda: pilot.app.screen is screen)
    assert kept(where) == ["Another game", "From tomorrow"]


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_hostile_names_are_shown_and_not_obeyed(where, size):
    keep(where, *HOSTILE, STEERING)
    async with the_app(where).run_test(size=size) as pilot:
        screen = await open_list(pilot)
        prompts = [option.prompt for option in screen.query_one(OptionList).options[1:]]
        for name, row in zip((STEERING, *reversed(HOSTILE)), prompts, strict=True):
            assert row.cell_length <= size[0] - 4  # type: ignore[union-attr]
            assert str(row)[2:].startswith(name[:3])
            assert str(row).isprintable()


async def test_a_name_that_steers_terminals_is_copied_and_taken_off(where):
    keep(where, STEERING)
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await open_list(pilot)
        await pilot.press("c")
        await eventually(pilot, lambda: "Copied" in said(screen))
        assert STEERING[:7] in said(screen)
        assert said(screen).isprintable()
        for left in (1, 0):
            await pilot.press("delete")
            await eventually(pilot, lambda left=left: len(kept(where)) == left)
        await eventually(pilot, lambda: "removed from the list" in said(screen))
        assert STEERING[:7] in said(screen)
        assert said(screen).isprintable()


async def test_a_store_that_fails_is_told_and_the_list_stays(where):
    keep(where, "One", "Two")
    app = the_app(where)
    async with app.run_test(size=NARROW) as pilot:
        screen = await open_list(pilot)

        async def refuse(job):
            raise StoreError("The disk is full.")

        app.stored = refuse  # type: ignore[method-assign]
        for key in ("c", "delete"):
            await pilot.press(key)
            await eventually(pilot, lambda: isinstance(app.screen, MessageScreen))
            await pilot.press("escape")
            await eventually(pilot, lambda: app.screen is screen)
            assert len(rows(screen)) == 2
