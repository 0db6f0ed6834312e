"""Files that are written completely or not at all: under a hidden name, then renamed once they are
safe on the disk."""

import glob
import os
import re
import time
from contextlib import suppress
from pathlib import Path

STALE = 3600.0
"""Seconds without a write after which a file is no longer in progress."""
LONGEST_NAME = 50
"""Characters of a name in that of its part: with four bytes each, and the endings, they are fewer
than the 255 bytes that file systems allow."""
_PART = re.compile(r".*\.[0-9a-f]{8}\.part(-wal|-shm|-journal)?", re.DOTALL)
"""The name of a file in progress, ``.a.pdf.0f3c9a12.part``, or of a log that SQLite has beside
it."""


def write_whole(path: Path, data: bytes, *, overwrite: bool) -> None:
    """Write a file under a hidden name and rename it once it is safe on the disk.

    Raises FileExistsError without ``overwrite`` if the name is taken, even since a moment ago; else
    OSError where the file cannot be written. Leaves nothing unfinished behind.
    """
    if not overwrite and os.path.lexists(path):
        raise FileExistsError
    remove_stale_parts(path)
    part = part_name(path)
    try:
        with part.open("xb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        # A link fails if the name was taken meanwhile; a replacement would take it over.
        has_its_name = False
        if not overwrite:
            has_its_name = _link(part, path)
        if not has_its_name:
            os.replace(part, path)
    finally:
        with suppress(OSError):
            part.unlink()


def write_beside(path: Path, data: bytes) -> Path:
    """Write a file without overwriting another: under the next free number if the name is taken
    (``a-2.pdf``). Reuses a file with the same content. Returns the path; raises OSError."""
    for number in range(1, 1000):
        free = path
        if number > 1:
            free = path.with_name(f"{path.stem}-{number}{path.suffix}")
        try:
            write_whole(free, data, overwrite=False)
        except FileExistsError:
            if not free.is_file() or free.read_bytes() != data:
                continue
        return free
    raise OSError(None, f"there are already too many files named {path.stem}-…{path.suffix}")


def _link(part: Path, path: Path) -> bool:
    """Give the finished file its name; False where the disk does not support hard links. Raises
    FileExistsError if the name was taken meanwhile."""
    try:
        os.link(part, path)
    except FileExistsError:
        raise
    except OSError:
        return False
    return True


def part_name(path: Path) -> Path:
    """A free hidden name beside `path` for a file in progress."""
    return path.with_name(f".{path.name[:LONGEST_NAME]}.{os.urandom(4).hex()}.part")


def remove_stale_parts(path: Path) -> None:
    """Remove what a killed program left under a `part_name` of `path`, or of a file whose name
    differs only in its date. Files less than an hour old may still be in progress and stay."""
    # Each digit of the name, such as those of its date, stands for any digit. The pattern for one
    # is the same in a regular expression and in glob.
    any_digit = "[0-9]"
    name_pattern = re.sub(any_digit, any_digit, glob.escape(path.name[:LONGEST_NAME]))
    long_ago = time.time() - STALE
    with suppress(OSError):
        for part in path.parent.glob(f".{name_pattern}.*.part*"):
            with suppress(OSError):
                if _PART.fullmatch(part.name) and part.lstat().st_mtime < long_ago:
                    part.unlink()
