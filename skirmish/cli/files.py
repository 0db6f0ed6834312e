"""Files that the user brings and takes away.

What is written stands there whole or not at all, and nothing is overwritten unasked.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from skirmish.cli.speaking import Complaint, harmless, say, say_bytes
from skirmish.sheets.output import write_whole
from skirmish.tabletop.typed import reason

LARGEST = 1_000_000
"""Bytes; an army file has a few hundred."""


def text_of(name: str) -> tuple[str, str]:
    """The text of a file (``-``: of stdin), and what to call it. Raises Complaint."""
    data, called = bytes_of(name, LARGEST, "army file")
    try:
        return data.decode("utf-8-sig"), called
    except UnicodeDecodeError:
        raise Complaint(f"{called}: is not UTF-8 text; save it as UTF-8.") from None


def bytes_of(name: str, largest: int, what: str) -> tuple[bytes, str]:
    """What stands in a file (``-``: in stdin) that is said to be a ``what`` of at most ``largest``
    bytes, and what to call it. Raises Complaint."""
    if name == "-":
        if sys.stdin is None:
            raise Complaint("There is no input to read; name a file instead of -.")
        called, data = "standard input", sys.stdin.buffer.read(largest + 1)
    else:
        called = harmless(name)
        try:
            with open(name, "rb") as stream:
                data = stream.read(largest + 1)
        except (OSError, ValueError) as error:
            raise Complaint(f"{called}: cannot be read: {reason(error)}.") from None
    if len(data) > largest:
        raise Complaint(f"{called}: is larger than {largest} bytes; no {what} is that large.")
    return data, called


def ready_for(chosen: str | None, usual: str, force: bool, other: str = "-o") -> None:
    """Looks, before much is reckoned, whether ``deliver`` could write there. Raises Complaint."""
    if chosen == "-":
        return
    path = _target(chosen, usual, other)
    if not path.parent.is_dir():
        raise _no_folder(path, other)
    if path.is_file() and not force:
        raise _taken(path, other)


def deliver(
    data: bytes, chosen: str | None, usual: str, force: bool, what: str, *, other: str = "-o"
) -> None:
    """Write ``data`` and say where: to the file or into the folder that was ``chosen``, else as
    ``usual`` into the current folder. ``-`` is stdout. ``other`` is the option that chooses another
    place. Raises Complaint."""
    if chosen == "-":
        say_bytes(data)
        return
    path = _target(chosen, usual, other)
    try:
        if path.exists() and not path.is_file():  # a device or a pipe
            path.write_bytes(data)
        else:
            write_whole(path, data, overwrite=force)
    except FileExistsError:
        raise _taken(path, other) from None
    except FileNotFoundError as error:
        if path.parent.is_dir():
            raise _unwritable(path, error, other) from None
        raise _no_folder(path, other) from None
    except (OSError, ValueError) as error:
        raise _unwritable(path, error, other) from None
    say(f"{what}: {harmless(str(path))}")


def _target(chosen: str | None, usual: str, other: str) -> Path:
    try:
        path = Path(chosen or ".").expanduser().absolute()
        if path.is_dir() or (chosen or "").endswith(("/", os.sep)):
            path = path / usual
        return path.resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise _unwritable(chosen or ".", error, other) from None


def _taken(path: Path, other: str) -> Complaint:
    return Complaint(
        f"{harmless(str(path))} already exists and was left unchanged; "
        f"use --force to overwrite it, or {other} to choose another name."
    )


def _no_folder(path: Path, other: str) -> Complaint:
    return Complaint(
        f"The folder {harmless(str(path.parent))} does not exist; "
        f"create it first, or choose another with {other}."
    )


def _unwritable(where: Path | str, error: Exception, other: str) -> Complaint:
    return Complaint(
        f"{harmless(str(where))} cannot be written: {reason(error)}; choose another with {other}."
    )
