"""Characters of a sheet that no font has."""

from __future__ import annotations

STAND_IN = "?"
"""Printed instead of each."""
MOST = 8
_noted: dict[str, None] = {}


def note(sign: str) -> None:
    _noted[sign] = None


def missing_signs() -> str:
    """A sentence about the characters noted since the last call, empty if none; clears the list."""
    signs = sorted(_noted)
    _noted.clear()
    if not signs:
        return ""
    named = " ".join(signs[:MOST])
    more = f" and {len(signs) - MOST} more" if len(signs) > MOST else ""
    return f"The fonts of the sheets do not have {named}{more}; each is printed as {STAND_IN}."
