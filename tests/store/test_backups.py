"""Copies of the database: taken while it is in use, put back without losing what was there."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from skirmish.store import backups, opening
from skirmish.store.backups import back_up, examine, restore
from skirmish.store.database import Store
from skirmish.store.errors import StoreError
from skirmish.store.place import Place
from skirmish.tabletop.journal_codec import EntryRecord


def kept_with(path: Path, *armies: str) -> Path:
    with Store.open(str(path)) as store:
        for army in armies:
            store.add_army("plastic", army, "{}" * 3000)
        battle = store.add_battle("plastic", "t", "h", [EntryRecord(1, "open", "{}", "[]")])
        for number in range(2, 30):
            store.append(
                battle.id, EntryRecord(number, "order", "{}", "x" * 900), headline="h", over=False
            )
    return path


def armies(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as file:
        return [name for (name,) in file.execute("SELECT name FROM army ORDER BY id")]


@pytest.fixture
def kept(path: Path) -> Path:
    return kept_with(path, "Ziegler")


@pytest.fixture
def good(tmp_path: Path) -> Path:
    """A copy of another evening."""
    source = kept_with(tmp_path / "other.db", "Good", "Better")
    back_up(Place(source), tmp_path / "good.db")
    return tmp_path / "good.db"


def names(path: Path) -> set[str]:
    return {each.name for each in path.parent.iterdir()}


def refused(good: Path, path: Path) -> str:
    before = path.read_bytes() if path.is_file() else None
    there = names(path)
    with pytest.raises(StoreError) as caught:
        restore(good, Place(path))
    assert (path.read_bytes() if path.is_file() else None) == before
    assert {n for n in names(path) if not n.endswith(("-shm", "-wal"))} <= there
    return str(caught.value)


# Taking a copy


def test_a_copy_is_taken_while_programs_have_the_database_open(kept, tmp_path):
    """With what is still in the log, and without what is not committed."""
    target = tmp_path / "copy.db"
    with Store.open(str(kept)) as store, closing(sqlite3.connect(kept)) as other:
        store.add_army("plastic", "Late", "{}")
        other.isolation_level = None
        other.execute("BEGIN IMMEDIATE")
        other.execute("DELETE FROM army")
        found = back_up(Place(kept), target)
        assert (found.battles, found.armies) == (1, 2)
        other.execute("ROLLBACK")
        assert [army.name for army in store.armies()] == ["Late", "Ziegler"]
    assert armies(target) == ["Ziegler", "Late"]
    assert examine(target).faults == ()


def test_a_copy_is_one_file_that_can_be_read_where_nothing_can_be_written(kept, tmp_path):
    target = tmp_path / "copy.db"
    there = names(kept)
    back_up(Place(kept), target)
    assert names(kept) - there - {"kept.db-wal", "kept.db-shm"} == {"copy.db"}
    with closing(sqlite3.connect(target)) as file:
        assert file.execute("PRAGMA journal_mode").fetchone() == ("delete",)


def test_no_file_is_overwritten_unless_it_is_asked_for(kept, tmp_path):
    target = tmp_path / "copy.db"
    target.write_text("precious")
    with pytest.raises(FileExistsError):
        back_up(Place(kept), target)
    assert target.read_text() == "precious"
    back_up(Place(kept), target, overwrite=True)
    assert armies(target) == ["Ziegler"]


def test_the_database_is_no_place_for_its_own_copy(kept, tmp_path):
    (tmp_path / "link.db").symlink_to(kept)
    before = kept.read_bytes()
    for target in (kept, tmp_path / "link.db"):
        with pytest.raises(StoreError, match="is the database itself"):
            back_up(Place(kept), target, overwrite=True)
    assert kept.read_bytes() == before


def test_a_database_in_use_is_no_place_for_a_copy_of_another(kept, tmp_path):
    """Its log would be taken for a log of the copy."""
    other = kept_with(tmp_path / "other.db", "Other")
    with Store.open(str(other)) as store:
        store.add_army("plastic", "Late", "{}")
        with pytest.raises(StoreError, match="is in use by another program"):
            back_up(Place(kept), other, overwrite=True)
    assert armies(other) == ["Other", "Late"]


@pytest.mark.skipif(os.name != "posix", reason="a pipe with a name is a thing of POSIX")
def test_a_pipe_or_a_folder_is_no_place_for_a_copy(kept, tmp_path):
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for name in ("folder", "pipe"):
        with pytest.raises(StoreError, match=f"{name} is not a regular file; choose another"):
            back_up(Place(kept), tmp_path / name, overwrite=True)
    assert (tmp_path / "pipe").is_fifo()


def test_an_unsound_database_takes_no_copys_place(kept, tmp_path):
    target = tmp_path / "copy.db"
    back_up(Place(kept), target)
    good = target.read_bytes()
    data = bytearray(kept.read_bytes())
    data[8192:16384] = b"\xff" * 8192
    kept.write_bytes(data)
    with pytest.raises(StoreError, match=r"No backup was made: .* is damaged"):
        back_up(Place(kept), target, overwrite=True)
    assert target.read_bytes() == good


def test_a_copy_that_cannot_be_finished_leaves_nothing(kept, tmp_path, monkeypatch):
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        back_up(Place(kept), tmp_path / "copy.db")
    assert names(kept) - {"kept.db-wal", "kept.db-shm"} == {"kept.db"}


@pytest.mark.parametrize("place", [Place(None), Place(Path("nowhere") / "x.db")])
def test_where_there_is_nothing_there_is_nothing_to_copy(place, tmp_path):
    with pytest.raises(StoreError, match=r"has no file|no database yet"):
        back_up(place, tmp_path / "copy.db")
    with pytest.raises(StoreError, match=r"The folder .* does not exist"):
        back_up(Place(kept_with(tmp_path / "kept.db")), tmp_path / "no" / "copy.db")


# Putting one back


def test_a_copy_comes_back_and_what_was_there_is_kept_beside(kept, good):
    beside = restore(good, Place(kept))
    assert beside == kept.with_name("kept.db.before-restore.bak")
    assert armies(kept) == ["Good", "Better"]
    assert armies(beside) == ["Ziegler"]
    assert (examine(kept).faults, examine(beside).faults) == ((), ())
    with Store.open(str(kept)) as store:
        store.add_army("plastic", "Next", "{}")
        assert len(store.entries(1)) == 29
    assert restore(good, Place(kept)) == kept.with_name("kept.db.before-restore-2.bak")
    assert armies(beside) == ["Ziegler"]
    assert armies(good) == ["Good", "Better"]


def test_what_a_killed_program_left_in_its_log_is_kept_too(kept, good, child_environment):
    program = (
        "import os, signal, sys; from skirmish.store.database import Store\n"
        "Store.open(sys.argv[1]).add_army('plastic', 'Late', '{}')\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", program, str(kept)], env=child_environment, check=False)
    beside = restore(good, Place(kept))
    assert beside is not None
    assert armies(beside) == ["Ziegler", "Late"]
    assert armies(kept) == ["Good", "Better"]


@pytest.mark.parametrize("there", [None, b""], ids=["no file", "an empty file"])
def test_where_there_was_nothing_nothing_is_kept(path, good, there):
    if there is not None:
        path.write_bytes(there)
    assert restore(good, Place(path)) is None
    assert armies(path) == ["Good", "Better"]


def test_a_missing_folder_is_made(tmp_path, good):
    path = tmp_path / "new" / "folder" / "kept.db"
    assert restore(good, Place(path)) is None
    assert armies(path) == ["Good", "Better"]


@pytest.mark.parametrize("spoilt", ["no database", "within"])
def test_a_damaged_database_is_set_aside_whole(kept, good, spoilt):
    data = bytearray(kept.read_bytes())
    data[: 8192 if spoilt == "no database" else 0] = b"\xff" * 8192
    if spoilt == "within":
        data[8192:20000] = b"\xff" * 11808
    kept.write_bytes(data)
    Path(f"{kept}-wal").write_bytes(b"its log")
    beside = restore(good, Place(kept))
    assert beside is not None
    assert beside.read_bytes() == bytes(data)
    assert Path(f"{beside}-wal").read_bytes() == b"its log"
    assert not Path(f"{kept}-wal").exists(), "a log of the old file is no log of the new one"
    assert armies(kept) == ["Good", "Better"]
    assert [name for name in names(kept) if "restoring" in name or ".part" in name] == []


def test_an_open_program_is_no_time_to_restore(kept, good, run_python):
    """Even one that does nothing just now, in a process of its own."""
    program = (
        "import sys; from pathlib import Path\n"
        "from skirmish.store.backups import restore\n"
        "from skirmish.store.errors import StoreError\n"
        "from skirmish.store.place import Place\n"
        "try: restore(Path(sys.argv[1]), Place(Path(sys.argv[2])))\n"
        "except StoreError as error: print(error)"
    )
    with Store.open(str(kept)) as store:
        told = run_python(program, good, kept)
        assert "is open in another program; close that program first" in told
        store.add_army("plastic", "Next", "{}")
    assert armies(kept) == ["Ziegler", "Next"]
    assert not kept.with_name("kept.db.before-restore.bak").exists()
    assert run_python(program, good, kept) == ""
    assert armies(kept) == ["Good", "Better"]


def test_while_a_copy_is_put_back_nobody_else_gets_in(kept, good, monkeypatch):
    looked = []
    pour = backups._copy_pages

    def watched(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
        with closing(sqlite3.connect(kept, timeout=0)) as other:
            with pytest.raises(sqlite3.OperationalError, match="locked"):
                other.execute("SELECT count(*) FROM army")
            looked.append(True)
        pour(source, target)

    monkeypatch.setattr(backups, "_copy_pages", watched)
    restore(good, Place(kept))
    assert len(looked) == 2, "keeping, then pouring"


def test_without_a_copy_of_what_is_there_nothing_is_restored(kept, good, monkeypatch):
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(StoreError, match=r"could not be backed up first \(No space left"):
        restore(good, Place(kept))
    assert armies(kept) == ["Ziegler"]


def spoil(path: Path, how: str) -> None:
    if how == "truncated":
        path.write_bytes(path.read_bytes()[:12288])
    elif how == "text":
        path.write_text("dear diary " * 500)
    else:
        with closing(sqlite3.connect(path)) as file:
            file.execute(how)
            file.commit()


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("text", "it does not begin like an SQLite file"),
        ("truncated", "it is damaged|it cannot be read to its end"),
        ("PRAGMA application_id = 7", "it is not a database of Skirmish"),
        ("DELETE FROM alembic_version", "it does not record which version wrote it"),
        ("DELETE FROM battle", "row 1 of the table entry belongs to a battle that does not exist"),
        ("UPDATE alembic_version SET version_num = '9999'", "written by a newer Skirmish"),
    ],
)
def test_what_is_no_sound_copy_is_refused(kept, good, how, told):
    spoil(good, how)
    before = good.read_bytes()
    sentence = refused(good, kept)
    assert re.search(told, sentence), sentence
    assert "Nothing was changed" in sentence
    assert good.read_bytes() == before
    assert armies(kept) == ["Ziegler"]


def test_a_copy_that_is_not_there_or_is_the_database_is_refused(kept, tmp_path):
    assert "There is no " in refused(tmp_path / "none.db", kept)
    assert "is not a regular file" in refused(tmp_path, kept)
    assert "is the database itself" in refused(kept, kept)


def test_the_database_of_another_program_is_not_replaced(path, good):
    with closing(sqlite3.connect(path)) as file:
        file.execute("CREATE TABLE recipes (name)")
    assert "belongs to another program" in refused(good, path)


def test_a_copy_of_an_older_revision_is_put_back_as_it_is(kept, good, tmp_path, monkeypatch):
    """The next opening brings it up, after a copy of its own."""
    monkeypatch.setattr(opening, "REVISION", "0003")
    monkeypatch.setattr("skirmish.store.opening.is_known", lambda stored: stored == "0002")
    restore(good, Place(kept))
    assert examine(kept).revision == "0002"


HALTING = """
import os, signal, sqlite3, sys
from pathlib import Path
from skirmish.store import backups
from skirmish.store.place import Place

pour = backups._copy_pages
def halved(source, target):
    if "before-restore" in str(target.execute("PRAGMA database_list").fetchone()[2]):
        return pour(source, target)
    def stop(status, left, total):
        assert left > 0
        os.kill(os.getpid(), signal.SIGKILL)
    target.execute("PRAGMA cache_size = 2")
    target.execute("PRAGMA cache_spill = 1")
    source.backup(target, pages=12, progress=stop)
backups._copy_pages = halved
backups.restore(Path(sys.argv[1]), Place(Path(sys.argv[2])))
"""


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is a thing of POSIX")
def test_a_restore_killed_on_the_way_leaves_the_database_as_it_was(kept, good, child_environment):
    done = subprocess.run(
        [sys.executable, "-c", HALTING, str(good), str(kept)],
        env=child_environment,
        capture_output=True,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert Path(f"{kept}-journal").stat().st_size > 0, "it was killed in the midst of writing"
    with Store.open(str(kept)) as store:
        assert [army.name for army in store.armies()] == ["Ziegler"]
        assert len(store.entries(1)) == 29
    assert examine(kept).faults == ()
    assert armies(kept.with_name("kept.db.before-restore.bak")) == ["Ziegler"]
