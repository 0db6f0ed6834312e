"""Characters in the texts of a sheet that none of its fonts has. They are noted where a text is
set, deep in a document, and then named to the user who printed it."""

from __future__ import annotations

STAND_IN = "?"
"""Printed instead of each of them."""
MOST_NAMED = 8
"""The most characters that are named; of further ones only the number is."""
_noted_signs: set[str] = set()
"""Those that were noted and not named yet."""


def note(sign: str) -> None:
    """Remembers a character that could not be printed, for ``take_missing_signs``."""
    _noted_signs.add(sign)


def forget_missing_signs() -> None:
    """Forgets the characters noted so far: they are those of an earlier sheet."""
    _noted_signs.clear()


def take_missing_signs() -> str:
    """A sentence about the characters noted since the last call, empty if there are none. It
    forgets them."""
    signs = sorted(_noted_signs)
    _noted_signs.clear()
    if not signs:
        return ""
    named = " ".join(signs[:MOST_NAMED])
    if len(signs) > MOST_NAMED:
        named += f" and {len(signs) - MOST_NAMED} more"
    return f"The fonts of the sheets do not have {named}; each is printed as {STAND_IN}."
