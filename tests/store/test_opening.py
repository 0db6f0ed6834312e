from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from skirmish.store.database import Store
from skirmish.store.errors import StoreError
from skirmish.tabletop.journal_codec import EntryRecord


def refused(where: Path | str) -> str:
    with pytest.raises(StoreError) as caught:
        Store.open(str(where))
    sentence = str(caught.value)
    assert sentence.isprintable()
    assert sentence.endswith(".")
    assert str(where) in sentence
    return sentence


@pytest.fixture
def kept(path: Path) -> Path:
    """A sound database of several pages, closed."""
    with Store.open(str(path)) as store:
        battle = store.add_battle("plastic", "t", "h", [EntryRecord(1, "open", "{}", "[]")])
        for number in range(2, 40):
            store.append(
                battle.id, EntryRecord(number, "fire", "{}", "x" * 900), headline="h", over=False
            )
    return path


def test_missing_folders_are_made(tmp_path):
    path = tmp_path / "a" / "b" / "kept.db"
    Store.open(str(path)).close()
    assert path.is_file()


def test_an_empty_file_becomes_the_database(path):
    path.touch()
    with Store.open(str(path)) as store:
        store.add_army("plastic", "a", "{}")
        assert len(store.armies()) == 1


def test_an_sqlite_file_without_tables_becomes_the_database(path):
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA journal_mode = WAL")
    assert path.stat().st_size > 0
    with Store.open(str(path)) as store:
        assert store.armies() == []


def test_a_folder_is_refused(tmp_path):
    assert refused(tmp_path) == (
        f"The database {tmp_path} is a folder; choose a file in it, such as {tmp_path}/skirmish.db."
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_refused_without_waiting_for_it(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert "is not a regular file; set SKIRMISH_DATABASE to one that is" in refused(
        tmp_path / "pipe"
    )


@pytest.mark.skipif(os.name != "posix", reason="the words are those of POSIX")
def test_a_folder_that_is_a_file_is_told(tmp_path):
    (tmp_path / "file").write_text("here")
    path = tmp_path / "file" / "sub" / "kept.db"
    assert refused(path) == (
        f"The database {path} cannot be reached (Not a directory); "
        "set SKIRMISH_DATABASE to a file that you can read and write."
    )
    assert (tmp_path / "file").read_text() == "here"


def test_a_folder_that_may_not_be_made_is_told(tmp_path, monkeypatch):
    def forbidden(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", forbidden)
    with pytest.raises(StoreError) as caught:
        Store.open(str(tmp_path / "sub" / "kept.db"))
    assert str(caught.value) == (
        f"The folder {tmp_path / 'sub'} for the database cannot be created (Permission denied); "
        "create it yourself, or set SKIRMISH_DATABASE to a file in a folder of your own."
    )


def test_a_name_that_is_too_long_is_told(tmp_path):
    assert "cannot be reached (" in refused(tmp_path / ("x" * 300))


@pytest.mark.parametrize(
    "text",
    ["This is a letter, not a database.\n" * 400, "x", "SQLite format 3\0" + "garbage" * 2000],
    ids=["text", "one byte", "a false header"],
)
def test_a_file_that_is_no_database_is_refused_and_left_as_it_is(path, text):
    path.write_text(text)
    assert "is damaged or is not a database (" in refused(path)
    assert path.read_text() == text
    assert list(path.parent.glob("kept.db?*")) == []


def test_a_truncated_database_is_refused_and_left_as_it_is(kept):
    whole = kept.read_bytes()
    kept.write_bytes(whole[: len(whole) // 2])
    assert "restore a backup (`skirmish db restore FILE`), or set SKIRMISH_DATABASE" in refused(
        kept
    )
    assert kept.read_bytes() == whole[: len(whole) // 2]


def test_a_database_damaged_within_is_refused_and_left_as_it_is(kept):
    broken = bytearray(kept.read_bytes())
    for page in range(5, 9):
        broken[page * 4096 : page * 4096 + 200] = b"\xa5" * 200
    kept.write_bytes(broken)
    assert "is damaged or is not a database (" in refused(kept)
    assert kept.read_bytes() == broken


def test_a_database_without_a_revision_is_refused(kept):
    with closing(sqlite3.connect(kept)) as file, file:
        file.execute("DELETE FROM alembic_version")
    assert "(it does not record which version wrote it)" in refused(kept)


def test_the_database_of_another_program_is_refused_and_left_as_it_is(path):
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("CREATE TABLE bookmarks (url TEXT)")
    before = path.read_bytes()
    assert refused(path) == (
        f"The file {path} belongs to another program; "
        "set SKIRMISH_DATABASE to a file of Skirmish, or to one that does not exist yet."
    )
    assert path.read_bytes() == before


def test_a_read_only_file_is_refused_and_left_as_it_is(kept):
    before = kept.read_bytes()
    kept.chmod(0o444)
    assert refused(kept) == (
        f"The database {kept} is read-only; "
        "make it writable, or set SKIRMISH_DATABASE to another file."
    )
    assert kept.read_bytes() == before


@pytest.mark.skipif(os.name != "posix", reason="rights to read are a thing of POSIX")
def test_an_unreadable_file_is_refused(kept):
    kept.chmod(0o200)
    assert "is not readable; make it readable" in refused(kept)


@pytest.mark.parametrize("exists", [True, False])
def test_a_folder_that_may_not_be_written_is_refused(exists, path, monkeypatch):
    if exists:
        Store.open(str(path)).close()
    allowed = os.access
    monkeypatch.setattr(os, "access", lambda p, mode: p != path.parent and allowed(p, mode))
    with pytest.raises(StoreError, match="is not writable, and the database needs to write beside"):
        Store.open(str(path))
    assert path.exists() == exists


def test_a_lock_while_opening_is_told(path):
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreError, match="locked by another program; close that program"):
            Store.open(str(path), patience=0.05)


def test_the_write_ahead_log_waits_for_another_programs_write_to_end(kept):
    with closing(sqlite3.connect(kept)) as file:
        file.execute("PRAGMA journal_mode = DELETE")
    writing = threading.Event()

    def write() -> None:
        with closing(sqlite3.connect(kept, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            writing.set()
            time.sleep(0.4)
            other.execute("ROLLBACK")

    writer = threading.Thread(target=write)
    writer.start()
    writing.wait()
    with Store.open(str(kept)) as store:
        assert len(store.entries(1)) == 39
    writer.join()
    with closing(sqlite3.connect(kept)) as file:
        assert file.execute("PRAGMA journal_mode").fetchone() == ("wal",)


NO_ROOM = """
import resource, sys
from pathlib import Path
from skirmish.store.backups import examine
from skirmish.store.database import Store
from skirmish.store.errors import StoreError
resource.setrlimit(resource.RLIMIT_FSIZE, (16_000, 16_000))
for look in (Store.open, lambda where: examine(Path(where))):
    try:
        look(sys.argv[1])
    except StoreError as error:
        print(error)
"""


@pytest.mark.skipif(os.name != "posix", reason="limits of a process are POSIX")
def test_a_disk_with_no_room_for_the_logs_index_is_full(kept, child_environment):
    """The index takes 32 KB. SQLite calls it an error of the disk."""
    command = [sys.executable, "-c", NO_ROOM, str(kept)]
    done = subprocess.run(
        command, env=child_environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == 2 * [
        f"The disk that holds {kept} is full, so the database cannot be opened; "
        "free some space, then try again."
    ]


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is a thing of POSIX")
def test_a_file_left_in_the_middle_of_an_old_style_write_is_repaired(kept, child_environment):
    program = (
        "import os, signal, sqlite3, sys\n"
        "file = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "file.execute('PRAGMA journal_mode = DELETE')\n"
        "file.execute('PRAGMA cache_size = 1')\n"
        "file.execute('BEGIN IMMEDIATE')\n"
        "file.execute('UPDATE entry SET events = zeroblob(900)')\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", program, kept], env=child_environment, check=False)
    assert kept.with_name("kept.db-journal").stat().st_size > 0
    with Store.open(str(kept)) as store:
        assert {entry.events for entry in store.entries(1, after=1)} == {"x" * 900}


def test_a_control_sign_in_a_path_does_not_reach_the_terminal(tmp_path):
    folder = tmp_path / "a\x1b[2Jb"
    folder.mkdir()
    with pytest.raises(StoreError) as caught:
        Store.open(str(folder))
    assert str(caught.value).isprintable()


def test_programs_that_make_the_database_together_all_find_it_made(path, child_environment):
    program = (
        "import sys; from skirmish.store.database import Store; sys.stdin.readline()\n"
        "with Store.open(sys.argv[1]) as s: s.add_army('plastic', sys.argv[2], '{}')"
    )
    children = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(path), str(n)],
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=child_environment,
        )
        for n in range(2)
    ]
    for child in children:
        assert child.stdin is not None
        child.stdin.write("go\n")
        child.stdin.flush()
    for child in children:
        _, complaint = child.communicate(timeout=60)
        assert (child.returncode, complaint) == (0, "")
    with Store.open(str(path)) as store:
        assert sorted(army.name for army in store.armies()) == ["0", "1"]
    assert list(path.parent.glob("*.bak")) == []
