"""Signs that no typeface here has, noted while a sheet is made, so that somebody can be told."""

from __future__ import annotations

STAND_IN = "?"
"""What is printed instead of each."""
MOST = 8
"""Signs that are named; of more only the number is."""
_noted: dict[str, None] = {}


def note(sign: str) -> None:
    """A sign that was asked for and could not be printed."""
    _noted[sign] = None


def told() -> str:
    """A sentence about the signs noted since it was last asked, empty for none; they are
    forgotten with it."""
    signs = sorted(_noted)
    _noted.clear()
    if not signs:
        return ""
    named = " ".join(signs[:MOST])
    more = f" and {len(signs) - MOST} more" if len(signs) > MOST else ""
    return f"The fonts of the sheets do not have {named}{more}; each is printed as {STAND_IN}."
