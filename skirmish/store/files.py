"""Files that are written completely or not at all: each is a *part*, with a hidden name, until it
is safe on the disk and gets its own name."""

import glob
import os
import re
import time
from contextlib import suppress
from pathlib import Path

STALE = 3600.0
"""After so many seconds without a write, a part is taken for one that a killed program left
behind."""
MOST_OF_ONE_NAME = 999
"""The most files of one name with different numbers. Our choice: nobody wants more of them."""
LONGEST_NAME = 50
"""The most characters of a file's name in that of its part. Even with four bytes for each, and with
the endings of a part, they stay below the 255 bytes that file systems allow."""
_PART = re.compile(r".*\.[0-9a-f]{8}\.part(-wal|-shm|-journal)?", re.DOTALL)
"""The name of a part, such as ``.a.pdf.0f3c9a12.part``, or of a log that SQLite has beside one."""


def write_whole(path: Path, data: bytes, *, overwrite: bool) -> None:
    """Write a file completely or not at all.

    Without ``overwrite``, raises FileExistsError if the name is taken, even if that happened only
    during the writing. Raises OSError where the file cannot be written. Leaves nothing unfinished
    behind.
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
        # Linking fails if the name was taken meanwhile, where `os.replace` would overwrite that
        # file. So `os.replace` is used only to overwrite, or on a disk without links.
        has_its_name = False
        if not overwrite:
            has_its_name = _link(part, path)
        if not has_its_name:
            os.replace(part, path)
    finally:
        with suppress(OSError):
            part.unlink()


def write_beside(path: Path, data: bytes) -> Path:
    """Write a file without overwriting another: if the name is taken, under the first free number,
    such as ``a-2.pdf``. A file that has the same content already is left as it is. Returns the path
    of the file with this content; raises OSError."""
    for number in range(1, MOST_OF_ONE_NAME + 1):
        numbered_path = path
        if number > 1:
            numbered_path = path.with_name(f"{path.stem}-{number}{path.suffix}")
        try:
            write_whole(numbered_path, data, overwrite=False)
        except FileExistsError:
            has_this_content = numbered_path.is_file() and numbered_path.read_bytes() == data
            if not has_this_content:
                continue
        return numbered_path
    # The first argument is a number of the system's errors, and this is none of them.
    raise OSError(None, f"there are already too many files named {path.stem}-…{path.suffix}")


def _link(part: Path, path: Path) -> bool:
    """Give a finished part its own name. Returns False where the disk does not support hard links,
    so that it still has none. Raises FileExistsError if the name is taken."""
    try:
        os.link(part, path)
    except FileExistsError:
        raise
    except OSError:
        return False
    return True


def part_name(path: Path) -> Path:
    """A free hidden name beside `path`, for its part. Eight random digits make it a free one."""
    return path.with_name(f".{path.name[:LONGEST_NAME]}.{os.urandom(4).hex()}.part")


def remove_stale_parts(path: Path) -> None:
    """Remove the parts that a killed program left of `path`, and of files whose names differ only
    in their digits, such as those of a date. Parts that were written less than `STALE` ago stay,
    since another program may be writing them."""
    # This matches a digit both in a regular expression and in a pattern of `glob`.
    any_digit = "[0-9]"
    name_pattern = re.sub(any_digit, any_digit, glob.escape(path.name[:LONGEST_NAME]))
    long_ago = time.time() - STALE
    with suppress(OSError):
        for part in path.parent.glob(f".{name_pattern}.*.part*"):
            with suppress(OSError):
                if _PART.fullmatch(part.name) and part.lstat().st_mtime < long_ago:
                    part.unlink()
