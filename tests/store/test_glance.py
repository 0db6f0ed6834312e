from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing

import pytest

from skirmish.store import opening
from skirmish.store.database import Store
from skirmish.store.errors import StoreError
from skirmish.store.readers import recent_battles
from skirmish.store.watch import Watch
from skirmish.tabletop.journal_codec import EntryRecord

FIRST = EntryRecord(1, "open", "{}", "[]")


@pytest.fixture
def filled(store):
    """Three armies and three battles, one of each removed, changed out of their order."""
    armies = [store.add_army("plastic", name, "{}") for name in ("a [/b]", "🪖", "gone")]
    battles = [store.add_battle("plastic", name, "h", [FIRST]) for name in ("x [/b]", "y", "gone")]
    store.remove("army", armies[2].id)
    store.remove("battle", battles[2].id)
    store.save_army(armies[0].id, "a [/b]", '{"tank": 1}')
    store.append(battles[0].id, EntryRecord(2, "end", "{}", "[]"), headline="over", over=True)
    return store


def test_the_glance_sees_what_the_store_would_say(filled, path):
    for _ in ("while open", "when closed"):
        assert recent_battles(str(path), 9) is not None
        filled.close()
    with Store.open(str(path)) as store:
        assert recent_battles(str(path), 9) == store.battles()
        assert recent_battles(str(path), 1) == store.battles(1)
        assert [battle.over for battle in store.battles()] == [True, False]
        assert all(type(battle.over) is bool for battle in recent_battles(str(path), 9) or [])


def test_the_glance_reads_the_place_as_the_store_does(filled, path, monkeypatch):
    monkeypatch.setenv("SKIRMISH_DATABASE", f"sqlite:///{path}")
    assert recent_battles(None, 9) == filled.battles()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_in_the_place_of_the_database_is_not_waited_for(path):
    os.mkfifo(path)
    answers = []
    # A thread that waits for the other end of the pipe cannot be stopped.
    looking = threading.Thread(
        target=lambda: answers.append(recent_battles(str(path), 9)), daemon=True
    )
    looking.start()
    looking.join(10)
    assert answers == [None]
    watch = Watch(str(path), 1)
    with pytest.raises(StoreError, match="is not a regular file"):
        watch.look()


def test_an_empty_store_is_told_from_an_unknown_one(store, path):
    assert recent_battles(str(path), 9) == []


def test_the_glance_changes_no_byte_of_the_file(filled, path):
    filled.close()
    before = path.read_bytes()
    assert recent_battles(str(path), 9)
    assert path.read_bytes() == before


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is a thing of POSIX")
def test_what_a_killed_program_left_in_its_log_is_seen_and_stays_there(path, child_environment):
    program = (
        "import os, signal, sys; from skirmish.store.database import Store\n"
        "Store.open(sys.argv[1]).close()\n"
        "from skirmish.tabletop.journal_codec import EntryRecord\n"
        "first = EntryRecord(1, 'open', '{}', '[]')\n"
        "Store.open(sys.argv[1]).add_battle('plastic', 'late', 'h', [first])\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", program, path], env=child_environment, check=False)
    log = path.with_name("kept.db-wal")
    before = path.read_bytes(), log.read_bytes()
    assert before[1], "the battle is in the log only"
    assert [battle.title for battle in recent_battles(str(path), 9) or []] == ["late"]
    assert (path.read_bytes(), log.read_bytes()) == before


def test_where_nothing_can_be_told_the_answer_is_none(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text").write_text("no database")
    (tmp_path / "empty").touch()
    with closing(sqlite3.connect(tmp_path / "foreign")) as file, file:
        file.execute("CREATE TABLE battle (id)")
    before = sorted(file.name for file in tmp_path.iterdir())
    for where in (
        "text", "empty", "foreign", ".", "x" * 300,
        "sqlite://", ":memory:", "postgresql://host/db", "sqlite:///a?b", "a\0b",
    ):  # fmt: skip
        assert recent_battles(where, 5) is None, where
    for where in ("missing", "no/folder/missing", None):
        assert recent_battles(where, 5) == []
    assert sorted(file.name for file in tmp_path.iterdir()) == before


@pytest.mark.parametrize("revision", ["0000", "9999"])
def test_another_revision_is_left_to_the_store(filled, path, revision, monkeypatch):
    monkeypatch.setattr(opening, "REVISION", revision)
    assert recent_battles(str(path), 9) is None


def test_a_locked_file_is_left_to_the_store(filled, path):
    filled.close()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        assert recent_battles(str(path), 9) is None


def test_a_battle_of_another_program_that_writes_is_seen(filled, path):
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("UPDATE battle SET headline = 'not yet'")
        assert recent_battles(str(path), 9) == filled.battles()


def test_paths_with_signs_that_mean_something_in_an_address_are_found(tmp_path):
    path = tmp_path / "50% of #1? ü.db"
    with Store.open(str(path)) as store:
        store.add_battle("plastic", "t", "h", [FIRST])
    assert [battle.title for battle in recent_battles(str(path), 9) or []] == ["t"]
