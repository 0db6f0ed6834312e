"""Characters of a sheet that no font has: they are noted where a text is set, deep in a document,
and named to whoever printed it."""

from __future__ import annotations

STAND_IN = "?"
"""Printed instead of each."""
MOST = 8
"""Characters that are named; more are counted."""
_noted: set[str] = set()


def note(sign: str) -> None:
    """Remembers a character that could not be printed, for ``take_missing_signs``."""
    _noted.add(sign)


def take_missing_signs() -> str:
    """A sentence about the characters noted since the last call, empty if none; clears the list."""
    signs = sorted(_noted)
    _noted.clear()
    if not signs:
        return ""
    listed = " ".join(signs[:MOST])
    if len(signs) > MOST:
        listed += f" and {len(signs) - MOST} more"
    return f"The fonts of the sheets do not have {listed}; each is printed as {STAND_IN}."
