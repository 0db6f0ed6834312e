"""Moments as the store writes them (UTC, ISO 8601), told as the clock and the calendar on the wall
have them."""

from __future__ import annotations

from calendar import month_name
from datetime import datetime

UNKNOWN = "(date unknown)"
"""Stands where what the store holds is no date."""


def day(at: str) -> str:
    """``1 May 2026``."""
    moment = _here(at)
    return f"{moment.day} {month_name[moment.month]} {moment.year}" if moment else UNKNOWN


def date(at: str) -> str:
    """``2026-05-01``."""
    moment = _here(at)
    return f"{moment:%Y-%m-%d}" if moment else UNKNOWN


def minute(at: str) -> str:
    """``2026-05-01 20:30``."""
    moment = _here(at)
    return f"{moment:%Y-%m-%d %H:%M}" if moment else UNKNOWN


def _here(at: str) -> datetime | None:
    try:
        return datetime.fromisoformat(at).astimezone()
    except (ValueError, OverflowError, OSError):
        return None
