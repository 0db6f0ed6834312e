"""Stored times as people read them, by the clock of this computer."""

from datetime import datetime

UNKNOWN = "(date unknown)"
"""Shown for a stored text that is not a time."""


def date_in_words(time: str) -> str:
    """The date with the name of the month: ``1 May 2026``."""
    return _formatted(time, "%d %B %Y").lstrip("0")


def date(time: str) -> str:
    """The date in digits alone: ``2026-05-01``."""
    return _formatted(time, "%Y-%m-%d")


def date_and_time(time: str) -> str:
    """The date and the time of day, to the minute: ``2026-05-01 20:30``."""
    return _formatted(time, "%Y-%m-%d %H:%M")


def _formatted(time: str, pattern: str) -> str:
    """A stored time by this computer's clock, formatted by a pattern of ``strftime``."""
    local_time = in_local_time(time)
    if local_time is None:
        return UNKNOWN
    return local_time.strftime(pattern)


def in_local_time(time: str) -> datetime | None:
    """A stored time by this computer's clock; None for a text that is not a time, or one that the
    clock cannot show."""
    try:
        return datetime.fromisoformat(time).astimezone()
    except (ValueError, OverflowError, OSError):
        return None
