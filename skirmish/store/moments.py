"""Moments as the store writes them (UTC, ISO 8601), told as the clock and the calendar on the wall
have them."""

from __future__ import annotations

from calendar import month_name
from datetime import datetime


def day(at: str) -> str:
    """``1 May 2026``."""
    moment = _here(at)
    return f"{moment.day} {month_name[moment.month]} {moment.year}"


def date(at: str) -> str:
    """``2026-05-01``."""
    return f"{_here(at):%Y-%m-%d}"


def minute(at: str) -> str:
    """``2026-05-01 20:30``."""
    return f"{_here(at):%Y-%m-%d %H:%M}"


def _here(at: str) -> datetime:
    return datetime.fromisoformat(at).astimezone()
