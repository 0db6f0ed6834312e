"""The half-typed command of a game, in a file beside its database, so that a killed program loses
nothing. An extra: where it cannot be written or read, it is silently left out."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

MOST = 500


class HalfTyped(msgspec.Struct):
    """What was ``typed`` after the last of so many ``entries`` of the journal."""

    entries: int
    typed: list[str]


def read_typed(database: Path | None, number: int, entries: int) -> list[str]:
    """What was typed in a game since its last entry."""
    with suppress(OSError, msgspec.MsgspecError):
        if database is not None:
            found = msgspec.json.decode(_beside(database, number).read_bytes(), type=HalfTyped)
            return found.typed if found.entries == entries else []
    return []


def write_typed(database: Path | None, number: int, entries: int, typed: Sequence[str]) -> None:
    if database is None:
        return
    path = _beside(database, number)
    with suppress(OSError):
        if not typed or len(typed) > MOST:
            path.unlink(missing_ok=True)
            return
        part = path.with_name(f"{path.name}.part")
        part.write_bytes(msgspec.json.encode(HalfTyped(entries, list(typed))))
        os.replace(part, path)


def _beside(database: Path, number: int) -> Path:
    return database.with_name(f".{database.name}.{number}.typed")
