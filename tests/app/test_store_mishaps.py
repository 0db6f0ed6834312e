"""What the database may do to the app: full, locked, damaged, of another version, gone."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from steps import DECK, NARROW, fought, press, resume, state, the_app, until, wait_for
from textual.pilot import Pilot

from skirmish.app.battle.screen import BattleScreen
from skirmish.app.home import HomeScreen
from skirmish.app.play.setup import GameSetup
from skirmish.app.windows import MessageScreen
from skirmish.store.database import Store


async def pragma(pilot: Pilot[None], words: str) -> int:
    """Tell SQLite something through the app's own connection."""

    def job(store: Store) -> int:
        with store._engine.connect() as connection:
            return int(connection.exec_driver_sql(f"PRAGMA {words}").scalar_one())

    return int(await pilot.app.stored(job))


def said(pilot: Pilot[None]) -> str:
    return " ".join(str(part.render()) for part in pilot.app.screen.query("Static"))


def entries(where: str) -> list[object]:
    with closing(sqlite3.connect(where)) as file:
        return file.execute("SELECT * FROM entry ORDER BY number").fetchall()


async def test_a_full_disk_stops_the_shot_and_not_the_battle(where: str) -> None:
    fought(where, source=DECK)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        pages = await pragma(pilot, "page_count")
        assert await pragma(pilot, f"max_page_count = {pages}") == pages
        for _ in range(400):  # until what is free in the last pages is used up
            before, kept = state(pilot), entries(where)
            await press(pilot, "greater_than_sign")
            if isinstance(pilot.app.screen, MessageScreen):
                break
            assert len(entries(where)) == len(kept) + 1
        assert "is full, so the last change was not saved; free some space" in said(pilot)
        await press(pilot, "escape")
        await until(pilot, BattleScreen)
        assert state(pilot) == before
        assert entries(where) == kept

        await pragma(pilot, "max_page_count = 1000000")
        await press(pilot, "greater_than_sign")
        assert state(pilot) != before
        assert entries(where)[:-1] == kept, "it went on where it stood"


async def test_a_battle_that_cannot_be_begun_is_told(where: str) -> None:
    """The list stays, and with room again the next try succeeds."""
    async with the_app(where).run_test(size=NARROW) as pilot:
        await until(pilot, HomeScreen)
        pages = await pragma(pilot, "page_count")
        await pragma(pilot, f"max_page_count = {pages}")
        await press(pilot, "n")
        await wait_for(pilot, "what", "Overmatched")
        await press(pilot, "enter")
        await until(pilot, GameSetup)
        await press(pilot, "b")
        await until(pilot, MessageScreen)
        assert "is full, so the last change was not saved; free some space" in said(pilot)
        assert entries(where) == []
        await pragma(pilot, "max_page_count = 1000000")
        await press(pilot, "escape", "b")
        await until(pilot, BattleScreen)
        assert len(entries(where)) == 1


def spoil(path: Path, how: str) -> None:
    if how == "read-only":
        path.chmod(0o444)
    elif how == "damaged within":
        data = bytearray(path.read_bytes())
        data[4096 : len(data) - 4096] = b"\xff" * (len(data) - 8192)
        path.write_bytes(data)
    else:
        with closing(sqlite3.connect(path)) as file:
            file.execute("UPDATE alembic_version SET version_num = '9999'")
            file.commit()
            file.execute("PRAGMA wal_checkpoint(TRUNCATE)")


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("read-only", "is read-only; make it writable"),
        ("damaged within", "is damaged or is not a database"),
        ("newer", "was written by a newer Skirmish"),
    ],
)
async def test_a_database_that_will_not_do_is_told_at_home_and_left_alone(
    where: str, how: str, told: str
) -> None:
    path = Path(where)
    fought(where)
    spoil(path, how)
    before = path.read_bytes()
    async with the_app(where).run_test(size=NARROW) as pilot:
        await wait_for(pilot, "none", "The database cannot be used")
        assert told in " ".join(said(pilot).split())
        await press(pilot, "n")
        await wait_for(pilot, "what", "Overmatched")
        await press(pilot, "enter")
        await press(pilot, "b")
        await until(pilot, MessageScreen)
        assert told in " ".join(said(pilot).split())
    assert path.read_bytes() == before
