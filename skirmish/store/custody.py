"""Whether an open database is still the file that was opened: nobody may be told that a change is
stored if it went into a file that is gone."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from typing import NamedTuple

from skirmish.store.errors import LOCKED, Damaged, StoreError, kind_of, translated
from skirmish.store.opening import is_ours, open_to_read
from skirmish.store.place import Place

_LOG_BEGINS = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
"""The four bytes with which a write-ahead log begins: the last of them depends on the byte order of
its checksums."""


class Custody:
    """Checks that an open database is still the file that was opened.

    SQLite itself does not notice when its file is truncated, overwritten or replaced, or when its
    log is removed: it goes on writing where nothing can be read again.
    """

    def __init__(self, place: Place) -> None:
        self._place = place
        self._seen_before = self._seen_now()

    def check(self) -> None:
        """To be called before each transaction and, before anybody is told of it, after each that
        writes. Raises StoreError where the file is another one or damaged.

        It takes a few microseconds, unless the file was written since the last check, usually since
        SQLite moved the content of its log there: then the whole file is read.
        """
        seen = self._seen_now()
        if not seen.is_same(self._seen_before):
            raise StoreError(
                f"The database {self._place.location}, or the log beside it, was moved, removed or "
                "replaced while it was open. Put it back, or close Skirmish and start it again."
            )
        file, log = seen.file, seen.log
        if file is not None and log is not None:
            if log.size > 0 and not self._begins_as_log():
                raise self._damage("its log was overwritten")
            if self._was_written(file, log):
                self._read_through(file.size)
        # Without a log, on a disk that does not support one, only this can be seen.
        elif file is not None and file.size == 0:
            raise self._damage("it is empty")
        self._seen_before = seen

    def _was_written(self, file: SeenFile, log: SeenFile) -> bool:
        """Whether the file itself was written since the last check, or its log truncated. A log
        that has only grown is the sign of an ordinary transaction."""
        file_before, log_before = self._seen_before.file, self._seen_before.log
        if file_before is None or log_before is None:
            return True
        return file.was_written_since(file_before) or log.size < log_before.size

    def _seen_now(self) -> SeenDatabase:
        """The files of the database now."""
        path = self._place.path
        if path is None:
            return SeenDatabase()
        return SeenDatabase(
            SeenFile.now(f"{path}"), SeenFile.now(f"{path}-wal"), SeenFile.now(f"{path}-shm")
        )

    def _begins_as_log(self) -> bool:
        """Whether the log is still one of SQLite's."""
        # We may open the log ourselves, but neither the file nor the index of the log: closing
        # those would release the locks that SQLite holds on them in this process.
        try:
            with open(f"{self._place.path}-wal", "rb", buffering=0) as log:
                return log.read(4) in _LOG_BEGINS
        except OSError:
            return False

    def _read_through(self, size: int) -> None:
        """Read the whole file, of this ``size`` in bytes. Raises Damaged if it is not sound, and
        another StoreError if it is locked."""
        assert self._place.path is not None
        # SQLite would take the log beside an empty file for one left over, and delete it.
        if size == 0:
            raise self._damage("it is empty")
        try:
            # SQLite itself may open and close the file: it knows of its other connections in this
            # process, and does not release their locks.
            with closing(open_to_read(self._place.path)) as connection:
                ours = is_ours(connection)
                # 1: stop at the first fault.
                (verdict,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
        except sqlite3.Error as error:
            if kind_of(error) in LOCKED:
                raise translated(error, self._place.location) from error
            raise self._damage(str(error)) from error
        if not ours:
            raise self._damage("it is not a database of Skirmish")
        if verdict != "ok":
            raise self._damage(" ".join(str(verdict).split()))  # on one line

    def _damage(self, detail: str) -> Damaged:
        """The error for a file that is not what this program wrote; ``detail`` is what shows it."""
        return Damaged(
            f"Another program has damaged the database {self._place.location} while it was open "
            f"({detail}). Close Skirmish and run `skirmish db check`; "
            "`skirmish db restore FILE` brings back a backup."
        )


class SeenFile(NamedTuple):
    """A file on the disk at one moment: which one it is, and what a write to it would change."""

    device: int
    inode: int
    size: int
    """In bytes."""
    written: int
    """When it was last written, in nanoseconds."""

    @classmethod
    def now(cls, path: str) -> SeenFile | None:
        """The file with this path now; None if it is gone or cannot be reached."""
        try:
            status = os.stat(path)
        except OSError:
            return None
        return cls(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)

    def is_same(self, before: SeenFile) -> bool:
        """Whether it is the same file on the disk, whatever was written to it meanwhile."""
        return (self.device, self.inode) == (before.device, before.inode)

    def was_written_since(self, before: SeenFile) -> bool:
        """Whether it was written meanwhile, as far as its size and its time show."""
        return (self.size, self.written) != (before.size, before.written)


class SeenDatabase(NamedTuple):
    """The files of a database at one moment: the file itself, its log and the index of the log.
    None for one that does not exist; a database in memory has none of them."""

    file: SeenFile | None = None
    log: SeenFile | None = None
    log_index: SeenFile | None = None

    def is_same(self, before: SeenDatabase) -> bool:
        """Whether the same files exist: each that existed before, and no other."""
        for file, file_before in zip(self, before, strict=True):
            if file is None and file_before is None:
                continue
            if file is None or file_before is None or not file.is_same(file_before):
                return False
        return True
