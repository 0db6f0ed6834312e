"""`kill -9` at any moment: whatever the screen had shown is in the database."""

from __future__ import annotations

import random
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest
from deep import deep_after, deep_count
from kills import killed, shot
from onlooker import Facts, Onlooker, fold, latest, read

from skirmish.store import opening
from skirmish.store.backups import examine
from skirmish.store.database import Store
from skirmish.tabletop.journal_codec import EntryRecord

KILLS = deep_count(2, 4)

LIAR = """
from skirmish.store.database import Store
Store.append = lambda *_, **__: None
from skirmish.__main__ import main
main()
"""
"""The program, but it only says that it has written an entry."""


@pytest.mark.parametrize("seed", deep_after(1, range(3)))
def test_what_was_shown_outlives_a_kill(database: Path, seed: int) -> None:
    """Twelve kills in all, of all seeds; `make kills` makes two hundred."""
    chance = random.Random(seed)
    kills = [killed(database, chance, new=True, shots=2)]
    for _ in range(KILLS - 1):
        kills.append(killed(database, chance))
    assert [kill.loss for kill in kills] == [None] * KILLS
    first = kills[0]
    assert first.seen is not None
    assert (latest(first.seen, first.states) or 0) > 1, "an order had been shown"


def test_a_program_that_shows_what_it_has_not_kept_would_be_caught(database: Path) -> None:
    with Onlooker(database, [sys.executable, "-c", LIAR]) as onlooker:
        onlooker.begin()
        _, states = fold(database)
        opening = Facts.of(states[-1])

        def something_happened(lines: list[str]) -> bool:
            seen = read(lines)
            return seen is not None and not seen.facts.fits(opening)

        onlooker.rest(0.5)
        onlooker.press(shot(states[-1], random.Random(1)))
        onlooker.until(something_happened)
        onlooker.kill()
        seen = onlooker.battle()
    assert seen is not None
    _, states = fold(database)
    assert len(states) == 1
    assert latest(seen, states) is None


# Inside a migration

NEXT = """
import os, time
from pathlib import Path
import sqlalchemy as sa
from alembic import op
revision = "0003"
down_revision = "0002"

def reached(step):
    if os.environ["HALT"] == step:
        Path(os.environ["REACHED"]).write_text(step)
        time.sleep(600)

def upgrade():
    op.execute("PRAGMA cache_size = 5")
    reached("begun")
    op.create_table("medal", sa.Column("id", sa.Integer(), primary_key=True))
    reached("table made")
    op.execute("UPDATE entry SET events = events || ' '")
    reached("entries rewritten")
    with op.batch_alter_table("battle") as battle:
        battle.add_column(sa.Column("place", sa.String(), nullable=False, server_default="field"))
    reached("battles moved")
"""
STEPS = ["begun", "table made", "entries rewritten", "battles moved"]

NEXT_RELEASE = """
import pathlib, sys
from skirmish.store import opening
opening.REVISION, opening.MIGRATIONS = "0003", pathlib.Path(sys.argv.pop())
from skirmish.__main__ import main
main()
"""


@pytest.fixture
def next_release(tmp_path: Path) -> list[str]:
    """The program as it will be when it knows one migration more."""
    folder = tmp_path / "migrations"
    shutil.copytree(opening.MIGRATIONS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "versions" / "0003_medals.py").write_text(NEXT)
    return [sys.executable, "-c", NEXT_RELEASE, str(folder)]


def content(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as file:
        return list(file.iterdump())


@pytest.fixture
def old(database: Path) -> Path:
    """A database of today with a battle, a good deal larger than what SQLite holds in memory."""
    with Store.open(str(database)) as store:
        battle = store.add_battle(
            "plastic", "The old battle", "h", [EntryRecord(1, "open", "{}", "[]")]
        )
        for number in range(2, 60):
            store.append(
                battle.id, EntryRecord(number, "order", "{}", "x" * 9000), headline="h", over=False
            )
    return database


@pytest.mark.parametrize("step", STEPS)
def test_a_kill_inside_a_migration_leaves_the_file_as_it_was(
    old: Path, tmp_path: Path, next_release: list[str], step: str
) -> None:
    before = content(old)
    reached = tmp_path / "reached"
    with Onlooker(old, next_release, HALT=step, REACHED=str(reached)) as onlooker:
        onlooker.until(lambda _: reached.exists())
        onlooker.rest(random.uniform(0.0, 0.1))
        onlooker.kill()
    assert reached.read_text() == step
    copy = old.with_name("skirmish.db.before-0003.bak")
    assert content(copy) == before
    assert examine(copy).faults == ()
    assert content(old) == before
    assert examine(old).faults == ()


def test_after_a_kill_inside_a_migration_either_program_goes_on(
    old: Path, tmp_path: Path, next_release: list[str]
) -> None:
    reached = tmp_path / "reached"
    with Onlooker(old, next_release, HALT=STEPS[2], REACHED=str(reached)) as onlooker:
        onlooker.until(lambda _: reached.exists())
        onlooker.kill()
    with Onlooker(old) as onlooker:
        onlooker.until_says("The old battle")
        onlooker.kill()
    with Onlooker(old, next_release, HALT="", REACHED="") as onlooker:
        onlooker.until_says("The old battle")
        assert _revision(old) == "0003"
        onlooker.kill()
    assert content(old.with_name("skirmish.db.before-0003-2.bak"))


def _revision(path: Path) -> str:
    with closing(sqlite3.connect(path)) as file:
        return str(file.execute("SELECT version_num FROM alembic_version").fetchone()[0])
