"""Characters in the texts of a sheet that none of its fonts has. They are noted where a text is
set, deep in a document, and then named to the user who printed it."""

from __future__ import annotations

STAND_IN = "?"
"""Printed instead of each of them."""
MOST_NAMED = 8
"""The most characters that are named; of further ones only the number is."""
_noted: set[str] = set()


def note(sign: str) -> None:
    """Remembers a character that could not be printed, for ``take_missing_signs``."""
    _noted.add(sign)


def take_missing_signs() -> str:
    """A sentence about the characters noted since the last call, empty if there are none. They are
    forgotten then."""
    signs = sorted(_noted)
    _noted.clear()
    if not signs:
        return ""
    listed = " ".join(signs[:MOST_NAMED])
    if len(signs) > MOST_NAMED:
        listed += f" and {len(signs) - MOST_NAMED} more"
    return f"The fonts of the sheets do not have {listed}; each is printed as {STAND_IN}."
