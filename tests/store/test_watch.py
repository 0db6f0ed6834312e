"""Following a battle that another program writes: what is new, and what is wrong."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from skirmish.store.database import Store
from skirmish.store.errors import StoreError
from skirmish.store.watch import News, Watch
from skirmish.tabletop.journal_codec import EntryRecord

FIRST = EntryRecord(1, "open", "null", "[]")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "skirmish.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store.open(str(path)) as store:
        store.add_battle("plastic", "The mill", "h", [FIRST])
        yield store


def write(store: Store, number: int, *, over: bool = False) -> None:
    store.append(1, EntryRecord(number, "order", f"{number}", "[]"), headline="h", over=over)


def numbers(news: News | None) -> list[int]:
    assert news is not None
    return [entry.number for entry in news.entries]


def test_the_first_look_finds_everything_later_ones_what_is_new(store: Store, path: Path) -> None:
    write(store, 2)
    watch = Watch(str(path), 1)
    first = watch.look()
    assert first is not None
    assert (first.title, first.over, first.removed, first.whole) == ("The mill", False, False, True)
    assert list(first.entries) == store.entries(1)
    assert watch.look() is None
    write(store, 3)
    write(store, 4, over=True)
    news = watch.look()
    assert numbers(news) == [3, 4]
    assert news is not None
    assert (news.over, news.whole) == (True, False)
    assert watch.look() is None


def test_another_battle_is_no_news_of_this_one(store: Store, path: Path) -> None:
    watch = Watch(str(path), 1)
    watch.look()
    store.add_battle("plastic", "Another", "h", [FIRST])
    assert numbers(watch.look()) == []


def test_a_removal_and_its_undoing_are_seen(store: Store, path: Path) -> None:
    watch = Watch(str(path), 1)
    watch.look()
    seen = []
    for change in (store.remove, store.bring_back):
        change("battle", 1)
        news = watch.look()
        assert news is not None
        seen.append(news.removed)
    assert seen == [True, False]


@pytest.mark.parametrize("number", [0, 2, 2**70])
def test_a_battle_that_is_not_there_is_told(store: Store, path: Path, number: int) -> None:
    with pytest.raises(StoreError, match=f"no battle with the number {number}"):
        Watch(str(path), number).look()


def test_a_file_that_is_gone_is_told_and_found_again(store: Store, path: Path) -> None:
    watch = Watch(str(path), 1)
    watch.look()
    write(store, 2)
    store.close()
    path.rename(path.with_name("elsewhere.db"))
    for _ in range(2):
        with pytest.raises(StoreError, match="cannot be reached"):
            watch.look()
    path.with_name("elsewhere.db").rename(path)
    assert numbers(watch.look()) == [2]


def test_another_file_in_its_place_is_read_from_the_start(
    store: Store, path: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.db"
    with Store.open(str(other)) as elsewhere:
        elsewhere.add_battle("plastic", "The bridge", "h", [FIRST])
        elsewhere.append(1, EntryRecord(2, "order", "other", "[]"), headline="h", over=False)
    write(store, 2)
    watch = Watch(str(path), 1)
    watch.look()
    store.close()
    for tail in ("-wal", "-shm"):  # as a restore does it
        path.with_name(path.name + tail).unlink(missing_ok=True)
    other.replace(path)
    news = watch.look()
    assert news is not None
    assert (news.title, news.whole) == ("The bridge", True)
    assert numbers(news) == [1, 2]


def test_a_journal_cut_short_in_place_is_read_from_the_start(store: Store, path: Path) -> None:
    write(store, 2)
    write(store, 3)
    watch = Watch(str(path), 1)
    watch.look()
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("DELETE FROM entry WHERE number > 1")
    news = watch.look()
    assert numbers(news) == [1]
    assert news is not None
    assert news.whole


def test_whoever_writes_never_waits_for_who_looks(store: Store, path: Path) -> None:
    """Nothing is locked between two looks, nor read in an old snapshot."""
    watch = Watch(str(path), 1)
    watch.look()
    with Store.open(str(path), patience=0) as other:
        for number in range(2, 30):
            write(other, number)
            watch.look()
    with closing(sqlite3.connect(path, timeout=0)) as file:
        busy, log, moved = file.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    assert (busy, log, moved) == (0, 0, 0)


def test_a_locked_file_is_told(store: Store, path: Path) -> None:
    store.close()
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        file.execute("PRAGMA locking_mode = EXCLUSIVE")
        file.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreError, match="locked by another program"):
            Watch(str(path), 1).look()


def test_what_is_no_database_is_told(path: Path) -> None:
    path.write_bytes(b"no database" * 400)
    with pytest.raises(StoreError, match="damaged or is not a database"):
        Watch(str(path), 1).look()


def test_a_database_of_another_version_is_told(store: Store, path: Path) -> None:
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreError, match="another version of Skirmish"):
        Watch(str(path), 1).look()


def test_a_battle_in_memory_cannot_be_followed() -> None:
    with pytest.raises(StoreError, match="only one in a file can"):
        Watch(":memory:", 1).look()


def test_nothing_is_made_or_changed(store: Store, path: Path, tmp_path: Path) -> None:
    store.close()
    copy = Path(shutil.copy(path, tmp_path / "copy.db"))
    before = copy.read_bytes()
    watch = Watch(str(copy), 1)
    watch.look()
    watch.close()
    assert copy.read_bytes() == before
    missing = tmp_path / "missing.db"
    with pytest.raises(StoreError):
        Watch(str(missing), 1).look()
    assert not os.path.exists(missing)
