"""Moments of the store, as the clock and the calendar on the wall have them."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from skirmish.store.times import date, date_and_time, date_in_words

EVENING = "2026-04-30T22:05:09.000000+00:00"


@pytest.fixture(params=["UTC0", "ABC-2"])
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    if not hasattr(time, "tzset"):
        pytest.skip("the zone cannot be set here")
    with monkeypatch.context() as patch:
        patch.setenv("TZ", request.param)
        time.tzset()
        yield request.param
    time.tzset()


def test_a_moment_is_told_where_the_user_is(zone: str) -> None:
    told = date_in_words(EVENING), date(EVENING), date_and_time(EVENING)
    assert (
        told
        == {
            "UTC0": ("30 April 2026", "2026-04-30", "2026-04-30 22:05"),
            "ABC-2": ("1 May 2026", "2026-05-01", "2026-05-01 00:05"),
        }[zone]
    )
