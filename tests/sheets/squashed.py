from __future__ import annotations


def squash(text: str) -> str:
    """Without white space, so that line breaks do not matter."""
    return "".join(text.split())
