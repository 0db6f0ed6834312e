"""No order is shown as done that is not in the file: what other programs may do to it meanwhile."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from skirmish.store.database import Store
from skirmish.store.errors import StoreError
from skirmish.tabletop.journal_codec import EntryRecord

FIRST = EntryRecord(1, "open", "{}", "[]")


def order(store: Store, number: int) -> None:
    store.append(
        1, EntryRecord(number, "order", "null", "[" + "1," * 900 + "1]"), headline="h", over=False
    )


@pytest.fixture
def begun(path: Path):
    """A store with forty orders, thirty of them in the file itself."""
    with Store.open(str(path)) as store:
        store.add_battle("plastic", "t", "h", [FIRST])
        for number in range(2, 31):
            order(store, number)
    with Store.open(str(path)) as store:
        for number in range(31, 41):
            order(store, number)
        yield store


def log_of(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def index_of(path: Path) -> Path:
    return path.with_name(path.name + "-shm")


def cut(path: Path, size: int) -> None:
    os.truncate(path, size)


def overwrite(path: Path, with_: bytes) -> None:
    with path.open("r+b") as file:
        file.write(with_)


def older_copy(path: Path) -> None:
    """A sound database of ours, but another one, in the very same file."""
    other = path.with_name("other.db")
    with Store.open(str(other)) as store:
        store.add_army("plastic", "a", "{}")
    with path.open("r+b") as file:
        file.write(other.read_bytes())
        file.truncate()


ATTACKS: dict[str, Callable[[Path], Any]] = {
    "cut off": lambda path: cut(path, 0),
    "cut in half": lambda path: cut(path, path.stat().st_size // 2),
    "overwritten": lambda path: overwrite(path, b"\xff" * path.stat().st_size),
    "overwritten but for its head": lambda path: overwrite(
        path, path.read_bytes()[:100] + b"\xff" * (path.stat().st_size - 100)
    ),
    "another database": older_copy,
    "removed": lambda path: path.unlink(),
    "log removed": lambda path: log_of(path).unlink(),
    "log cut off": lambda path: cut(log_of(path), 0),
    "log overwritten": lambda path: overwrite(log_of(path), b"\0" * log_of(path).stat().st_size),
    "log replaced": lambda path: (
        shutil.copyfile(log_of(path), path.with_name("x")),
        path.with_name("x").replace(log_of(path)),
    ),
    "index removed": lambda path: index_of(path).unlink(),
}


@pytest.mark.skipif(os.name != "posix", reason="elsewhere a file that is open cannot be touched")
@pytest.mark.parametrize("attack", ATTACKS)
def test_an_order_is_not_done_in_a_file_that_is_no_longer_ours(
    begun: Store, path: Path, attack: str
) -> None:
    ATTACKS[attack](path)
    for number in (41, 42):
        with pytest.raises(StoreError, match=r"while it was open"):
            order(begun, number)


@pytest.mark.skipif(os.name != "posix", reason="elsewhere a file that is open cannot be touched")
def test_a_sound_database_of_another_program_is_not_called_ok(path: Path) -> None:
    other = path.with_name("other.db")
    with closing(sqlite3.connect(other)) as file:
        file.execute("CREATE TABLE notes (text)")
    with Store.open(str(path)) as store:
        store.add_battle("plastic", "t", "h", [FIRST])
    with Store.open(str(path)) as store:
        overwrite(path, other.read_bytes())
        cut(path, other.stat().st_size)
        with pytest.raises(StoreError, match=r"\(it is not a database of Skirmish\)"):
            store.append(1, EntryRecord(2, "order", "null", "[1]"), headline="h", over=False)


@pytest.mark.skipif(os.name != "posix", reason="elsewhere a file that is open cannot be touched")
@pytest.mark.parametrize("attack", ["overwritten", "another database", "log removed"])
def test_what_happens_while_an_order_is_written_is_told_before_it_is_shown(
    begun: Store, path: Path, attack: str
) -> None:
    # The clock is asked in the midst of the transaction.
    usual = begun._now

    def meanwhile() -> Any:
        ATTACKS[attack](path)
        return usual()

    begun._now = meanwhile  # type: ignore[method-assign]
    with pytest.raises(StoreError, match=r"while it was open"):
        order(begun, 41)


def test_nothing_is_said_of_what_programs_may_do_to_a_database(begun: Store, path: Path) -> None:
    """Another Skirmish writes, SQLite moves the log into the file, somebody sets the time."""
    with Store.open(str(path)) as other:
        order(other, 41)
        order(begun, 42)
    with closing(sqlite3.connect(path)) as outside:
        outside.execute("PRAGMA wal_checkpoint(PASSIVE)")
        order(begun, 43)
        outside.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    order(begun, 44)
    os.utime(path)
    order(begun, 45)
    assert [one.number for one in begun.entries(1)] == [*range(1, 46)]


OTHER_PROGRAM = """
import sys
from skirmish.store.database import Store
with Store.open(sys.argv[1]) as store:
    store.battles()
"""


def test_opening_a_database_twice_keeps_the_lock_that_holds_its_log(
    begun: Store, path: Path
) -> None:
    """`skirmish play 3` does. On POSIX a process that closes a file loses all its locks on it: then
    the next program to close the database would remove the log beside the first one."""
    with Store.open(str(path)):
        pass
    subprocess.run([sys.executable, "-c", OTHER_PROGRAM, str(path)], check=True)
    assert log_of(path).exists()
    order(begun, 41)
    assert len(begun.entries(1)) == 41


def test_a_text_saved_over_a_database_is_not_healed_from_the_log(begun: Store, path: Path) -> None:
    log = log_of(path).read_bytes()
    begun.close()
    text = b"dear diary " * 500
    path.write_bytes(text)
    log_of(path).write_bytes(log)
    with pytest.raises(StoreError, match="it does not begin like an SQLite file"):
        Store.open(str(path))
    assert path.read_bytes() == text


def test_a_lock_is_waited_for_and_the_order_counts_once(begun: Store, path: Path) -> None:
    locked, let_go = threading.Event(), threading.Event()

    def lock() -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as file:
            file.execute("BEGIN IMMEDIATE")
            locked.set()
            let_go.wait(30)
            file.execute("ROLLBACK")

    thread = threading.Thread(target=lock)
    thread.start()
    locked.wait(30)
    threading.Timer(0.3, let_go.set).start()
    order(begun, 41)
    thread.join()
    assert [one.number for one in begun.entries(1)] == [*range(1, 42)]


@pytest.mark.parametrize("journal", ["wal", "delete"])
def test_an_order_refused_for_a_lock_is_not_half_done(path: Path, journal: str) -> None:
    with Store.open(str(path)) as store:
        store.add_battle("plastic", "t", "h", [FIRST])
    with Store.open(str(path), patience=0.1) as store:
        if journal == "delete":
            store._engine.raw_connection().driver_connection.execute(  # type: ignore[union-attr]
                "PRAGMA journal_mode = DELETE"
            )
            store._custody.__init__(store._place)  # type: ignore[misc]
        with closing(sqlite3.connect(path, isolation_level=None)) as file:
            # A reader in the way lets an order begin, but not end, where there is no log.
            file.execute("BEGIN IMMEDIATE" if journal == "wal" else "BEGIN")
            file.execute("SELECT * FROM battle").fetchall()
            with pytest.raises(StoreError, match="locked by another program"):
                order(store, 2)
            file.execute("ROLLBACK")
        order(store, 2)
        order(store, 3)
        assert [one.number for one in store.entries(1)] == [1, 2, 3]
