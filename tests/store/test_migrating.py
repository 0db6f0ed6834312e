from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

from skirmish.store import migrating, opening
from skirmish.store.database import Store, engine_over
from skirmish.store.errors import StoreError
from skirmish.store.opening import connect
from skirmish.store.place import find
from skirmish.store.readers import recent_battles
from skirmish.store.tables import StoreRow
from skirmish.tabletop.journal_codec import EntryRecord

NEXT = """
import os, signal
import sqlalchemy as sa
from alembic import op
revision = "0003"
down_revision = "0002"

def upgrade():
    op.create_table("medal", sa.Column("id", sa.Integer(), primary_key=True))
    with op.batch_alter_table("battle") as battle:
        battle.add_column(sa.Column("place", sa.String(), nullable=False, server_default="field"))
        battle.alter_column("headline", nullable=True)
    op.execute("UPDATE battle SET place = 'beach'")
    {then}
"""


kills = pytest.mark.skipif(os.name != "posix", reason="SIGKILL is a thing of POSIX")


def say(path: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as file:
        return file.execute(query).fetchall()


@pytest.fixture
def old(path: Path, clock) -> Path:
    """A file of revision 0002 with an army and a battle of three entries."""
    with Store.open(str(path), now=clock) as store:
        store.add_army("plastic", "Ziegler", "{}")
        battle = store.add_battle("plastic", "t", "h", [EntryRecord(1, "open", "{}", "[]")])
        for number in (2, 3):
            store.append(
                battle.id, EntryRecord(number, "fire", "{}", "[]"), headline="h", over=False
            )
    assert say(path, "SELECT version_num FROM alembic_version") == [("0002",)]
    return path


@pytest.fixture
def next_release(tmp_path, monkeypatch):
    """This program as it will be when it knows one migration more."""

    def release(then: str = "pass") -> Path:
        folder = tmp_path / "migrations 100%"
        shutil.copytree(opening.MIGRATIONS, folder, ignore=shutil.ignore_patterns("__pycache__"))
        (folder / "versions" / "0003_medals.py").write_text(NEXT.format(then=then))
        monkeypatch.setattr(opening, "MIGRATIONS", folder)
        monkeypatch.setattr(opening, "REVISION", "0003")
        return folder

    return release


def untouched(path: Path) -> None:
    assert say(path, "SELECT version_num FROM alembic_version") == [("0002",)]
    assert say(path, "SELECT name FROM sqlite_master WHERE name LIKE '%medal%'") == []
    assert [row[1] for row in say(path, "PRAGMA table_info(battle)")][-1] == "removed"
    assert say(path, "SELECT count(*) FROM entry") == [(3,)]
    assert say(path, "PRAGMA integrity_check") == [("ok",)]


def test_the_revision_told_without_alembic_is_alembics_head():
    config = Config()
    config.set_main_option("script_location", str(opening.MIGRATIONS))
    assert ScriptDirectory.from_config(config).get_heads() == [opening.REVISION]


def migrate(path: Path) -> None:
    """All steps from the first on, in an empty file."""
    place = find(str(path))
    with closing(connect(place, 1.0)) as file:
        migrating.migrate(file, engine_over(file), place)


def test_the_migrated_file_has_the_tables_of_the_models(path):
    migrate(path)
    engine = create_engine(f"sqlite:///{path}")
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), StoreRow.metadata) == []
    engine.dispose()


def test_a_new_file_is_as_a_migrated_one(path, tmp_path):
    """It is made by the models, without Alembic."""
    migrate(path)
    fresh = tmp_path / "fresh.db"
    Store.open(str(fresh)).close()
    for query in ("SELECT version_num FROM alembic_version", "PRAGMA application_id"):
        assert say(path, query) == say(fresh, query)
    names = "SELECT name FROM sqlite_master ORDER BY name"
    assert say(path, names) == say(fresh, names)
    assert {"army", "battle", "entry", "owned"} == set(StoreRow.metadata.tables)
    for table in StoreRow.metadata.tables:
        for pragma in ("table_info", "foreign_key_list"):
            assert say(path, f"PRAGMA {pragma}({table})") == say(fresh, f"PRAGMA {pragma}({table})")


def test_a_new_file_needs_no_copy(path):
    Store.open(str(path)).close()
    assert list(path.parent.glob("*.bak*")) == []


def test_a_file_of_today_is_opened_without_alembic(old, run_python):
    program = (
        "import sys; from skirmish.store.database import Store\n"
        "with Store.open(sys.argv[1]) as store: print(len(store.armies()))\n"
        "print('alembic' in sys.modules)"
    )
    assert run_python(program, old).split() == ["1", "False"]


def test_nor_does_a_new_file_need_it(path, run_python):
    program = (
        "import sys; from skirmish.store.database import Store\n"
        "Store.open(sys.argv[1]).close(); print('alembic' in sys.modules)"
    )
    assert run_python(program, path).split() == ["False"]


def test_an_older_file_is_brought_up_with_all_that_is_in_it(old, next_release):
    next_release()
    with Store.open(str(old)) as store:
        assert [army.name for army in store.armies()] == ["Ziegler"]
        assert len(store.entries(1)) == 3
        store.append(1, EntryRecord(4, "fire", "{}", "[]"), headline="h", over=False)
        with store._engine.connect() as connection:
            assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar_one() == 1
    assert say(old, "SELECT version_num FROM alembic_version") == [("0003",)]
    assert say(old, "SELECT place FROM battle") == [("beach",)]
    assert say(old, "PRAGMA foreign_key_check") == []
    assert say(old, "PRAGMA application_id") == [(opening.APPLICATION_ID,)]


def test_an_older_file_is_copied_before_it_is_brought_up(old, next_release):
    next_release()
    Store.open(str(old)).close()
    copy = old.with_name("kept.db.before-0003.bak")
    untouched(copy)
    assert say(copy, "SELECT name FROM army") == [("Ziegler",)]
    Store.open(str(old)).close()
    assert list(old.parent.glob("*.bak*")) == [copy], "one migration, one copy"


@kills
def test_a_copy_holds_what_was_still_in_the_log_of_a_killed_program(
    old, next_release, child_environment
):
    program = (
        "import os, signal, sys; from skirmish.store.database import Store\n"
        "Store.open(sys.argv[1]).add_army('plastic', 'Late', '{}')\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", program, str(old)], env=child_environment, check=False)
    next_release()
    Store.open(str(old)).close()
    copy = old.with_name("kept.db.before-0003.bak")
    assert say(copy, "SELECT name FROM army ORDER BY id") == [("Ziegler",), ("Late",)]


def test_no_earlier_copy_is_overwritten(old, next_release):
    next_release()
    earlier = old.with_name("kept.db.before-0003.bak")
    earlier.write_text("precious")
    Store.open(str(old)).close()
    assert earlier.read_text() == "precious"
    untouched(old.with_name("kept.db.before-0003-2.bak"))


def test_a_migration_that_fails_leaves_the_file_as_it_was(old, next_release):
    next_release("raise RuntimeError('no such medal')")
    with pytest.raises(StoreError) as caught:
        Store.open(str(old))
    assert str(caught.value) == (
        f"The database {old} could not be upgraded to revision 0003 (no such medal) "
        "and was not changed; please report this."
    )
    untouched(old)


def test_a_migration_that_would_orphan_rows_is_taken_back(old, next_release):
    next_release("op.execute('DELETE FROM battle')")
    with pytest.raises(
        StoreError, match="3 of its rows would have lost the row that they belong to"
    ):
        Store.open(str(old))
    untouched(old)


@kills
def test_a_migration_killed_on_the_way_leaves_the_file_as_it_was(
    old, next_release, monkeypatch, child_environment
):
    folder = next_release("os.kill(os.getpid(), signal.SIGKILL)")
    program = (
        "import sys, pathlib\n"
        "from skirmish.store import opening\n"
        "from skirmish.store.database import Store\n"
        "opening.REVISION, opening.MIGRATIONS = '0003', pathlib.Path(sys.argv[2])\n"
        "Store.open(sys.argv[1])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(old), str(folder)], env=child_environment, check=False
    )
    assert done.returncode == -signal.SIGKILL
    assert old.with_name("kept.db.before-0003.bak").exists(), "it was killed after the copy"
    monkeypatch.undo()
    untouched(old)
    with Store.open(str(old)) as store:
        assert len(store.entries(1)) == 3


def test_without_a_copy_there_is_no_migration(old, next_release, monkeypatch):
    next_release()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(StoreError, match=r"could not be backed up first \(.*No space left"):
        Store.open(str(old))
    untouched(old)
    assert list(old.parent.glob("*.bak*")) == []


def test_two_programs_that_migrate_together_do_it_once(old, next_release, child_environment):
    folder = next_release()
    program = (
        "import sys, pathlib\n"
        "from skirmish.store import opening\n"
        "from skirmish.store.database import Store\n"
        "opening.REVISION, opening.MIGRATIONS = '0003', pathlib.Path(sys.argv[2])\n"
        "sys.stdin.readline()\n"
        "with Store.open(sys.argv[1]) as store: print(len(store.entries(1)))"
    )
    children = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(old), str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=child_environment,
        )
        for _ in range(2)
    ]
    results = []
    for child in children:
        assert child.stdin is not None
        child.stdin.write("go\n")
        child.stdin.flush()
    for child in children:
        results.append((*child.communicate(timeout=60), child.returncode))
    assert results == [("3\n", "", 0)] * 2
    assert len(list(old.parent.glob("*.bak*"))) == 1


def test_a_file_of_a_newer_program_is_refused_and_no_byte_of_it_changes(
    old, next_release, monkeypatch
):
    next_release()
    Store.open(str(old)).close()
    monkeypatch.undo()
    before = old.read_bytes()
    with pytest.raises(StoreError) as caught:
        Store.open(str(old))
    assert str(caught.value) == (
        f"The database {old} was written by a newer Skirmish (its revision is “0003”, this program "
        "knows up to “0002”) and was not changed; update Skirmish, or set SKIRMISH_DATABASE to "
        "another file."
    )
    assert recent_battles(str(old), 5) is None
    assert old.read_bytes() == before
