"""What killed programs leave half written is cleared away; what others are writing is not."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from skirmish.store.backups import back_up
from skirmish.store.database import Store
from skirmish.store.files import STALE, part_name
from skirmish.store.place import find
from skirmish.store.settings import Settings, read_settings, write_settings
from skirmish.tabletop.data_file import DataError


def left(path: Path, age: float = STALE + 60) -> Path:
    """A file half written, by somebody who was killed so many seconds ago."""
    part = part_name(path)
    part.write_bytes(b"half")
    at = time.time() - age
    os.utime(part, (at, at))
    return part


def test_the_parts_of_a_killed_migration_go_at_the_next_start(path: Path) -> None:
    copy = left(path.with_name(f"{path.name}.before-0002.bak"))
    log = copy.with_name(f"{copy.name}-journal")
    log.write_bytes(b"")
    os.utime(log, (0, 0))
    Store.open(str(path)).close()
    assert not copy.exists()
    assert not log.exists()


def test_what_another_program_writes_now_or_another_file_stays(path: Path) -> None:
    writing = left(path, age=60)
    foreign = [path.with_name(name) for name in (f".{path.name}.part", ".other.0a1b2c3d.part")]
    for one in foreign:
        one.write_bytes(b"")
        os.utime(one, (0, 0))
    Store.open(str(path)).close()
    assert all(one.exists() for one in (writing, *foreign))


def test_the_part_of_a_killed_backup_goes_at_the_next_one(path: Path, tmp_path: Path) -> None:
    Store.open(str(path)).close()
    parts = [left(tmp_path / name) for name in ("club.db", "skirmish-2026-05-01.db")]
    back_up(find(str(path)), tmp_path / "club.db")
    back_up(find(str(path)), tmp_path / "skirmish-2026-11-22.db")
    assert not any(part.exists() for part in parts)


def test_settings_that_could_not_be_written_leave_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "settings.toml"
    write_settings(path, Settings(theme="paper"))

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(DataError, match="no space left on device"):
            write_settings(path, Settings(theme="ansi"))
    assert list(tmp_path.iterdir()) == [path]
    assert read_settings(path) == Settings(theme="paper")


def test_a_setting_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    with pytest.raises(DataError, match="not text in UTF-8"):
        write_settings(path, Settings(keys={"battle.undo": "\udcff"}))
    assert list(tmp_path.iterdir()) == []


def test_settings_take_no_place_of_the_null_device(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = tmp_path / "null"
    device.touch()
    monkeypatch.setattr(os, "devnull", str(device))
    with pytest.raises(DataError, match="cannot be written: it is not a regular file"):
        write_settings(device, Settings(theme="paper"))
    assert device.read_bytes() == b""
    assert read_settings(device) == Settings()
