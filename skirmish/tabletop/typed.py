"""Text that people typed, made fit for a screen."""

from __future__ import annotations


def plain(text: str) -> str:
    """The text with everything that could move a terminal's cursor shown as a dot."""
    return "".join(sign if sign.isprintable() else "·" for sign in text)
