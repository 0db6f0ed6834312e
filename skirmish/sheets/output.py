"""A finished sheet: written whole or not at all, and the signs in it that no font has."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from skirmish.store.place import part_name, sweep

STAND_IN = "?"
"""What is printed instead of each."""
MOST = 8
_noted: dict[str, None] = {}


def write_whole(path: Path, data: bytes, *, overwrite: bool) -> None:
    """Write a file under another name first, and name it when it is safe on the disk.

    Raises FileExistsError without ``overwrite`` if something of that name is there, be it since a
    moment ago; else OSError where it cannot be written. Nothing unfinished is left behind.
    """
    if not overwrite and os.path.lexists(path):
        raise FileExistsError
    sweep(path)
    part = part_name(path)
    try:
        with part.open("xb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if overwrite or not _linked(part, path):
            os.replace(part, path)
    finally:
        with suppress(OSError):
            part.unlink()


def write_beside(path: Path, data: bytes) -> Path:
    """Write a file without touching another: under the next free number where the name is taken
    (``a-2.pdf``). A file that holds the same already will do. Says which it is; raises OSError."""
    for number in range(1, 1000):
        free = path if number == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")
        try:
            write_whole(free, data, overwrite=False)
        except FileExistsError:
            if not (free.is_file() and free.read_bytes() == data):
                continue
        return free
    raise OSError(None, f"there are already too many files named {path.stem}-…{path.suffix}")


def _linked(part: Path, path: Path) -> bool:
    """Give the finished file its name, unless that was taken meanwhile; False where the disk
    cannot have two names for one file."""
    try:
        os.link(part, path)
    except FileExistsError:
        raise
    except OSError:
        return False
    return True


def note(sign: str) -> None:
    _noted[sign] = None


def missing_signs() -> str:
    """A sentence about the signs noted since it was last asked, empty for none; they are
    forgotten with it."""
    signs = sorted(_noted)
    _noted.clear()
    if not signs:
        return ""
    named = " ".join(signs[:MOST])
    more = f" and {len(signs) - MOST} more" if len(signs) > MOST else ""
    return f"The fonts of the sheets do not have {named}{more}; each is printed as {STAND_IN}."
