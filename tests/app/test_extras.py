"""Odds, what-ifs and pages are extras: one that fails leaves a line, and the game goes on."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from steps import DECK, eventually, fought, press, resume, shown, state, the_app, until

from skirmish.app import guard
from skirmish.app.battle import view
from skirmish.app.help import MessageScreen
from skirmish.app.home import HomeScreen

DETAILS = "not available (details in the log)."


def fails(*_: object, **__: object) -> None:
    raise LookupError("no such thing")


@pytest.mark.parametrize("name", ["in_all", "what_ifs"])
async def test_a_shot_goes_on_without_its_odds(
    where: str, name: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(view, name, fails)
    fought(where, source=DECK)
    async with the_app(where).run_test(size=(120, 40)) as pilot:
        await resume(pilot)
        await press(pilot, "m", "r")
        assert DETAILS in shown(pilot, "shot")
        await press(pilot, "space")
        assert state(pilot).shots == 1
    assert "LookupError: no such thing" in caplog.text


async def test_a_page_that_cannot_be_printed_is_told(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skirmish.sheets.reference_sheet.reference_pdf", fails)
    from skirmish.app.printing import print_reference

    app = the_app(where)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, HomeScreen)
        app.run_worker(print_reference(app))
        await eventually(pilot, lambda: isinstance(app.screen, MessageScreen))


def test_the_log_is_written_beside_the_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = logging.getLogger("skirmish")
    monkeypatch.setattr(log, "handlers", [])
    monkeypatch.setattr(log, "propagate", True)
    guard.log_beside(tmp_path / "x.db")
    assert not (tmp_path / guard.LOG).exists()
    assert guard.extra("The odds are", lambda: 1 // 0, len) == len(f"The odds are {DETAILS}")
    assert "ZeroDivisionError" in (tmp_path / guard.LOG).read_text("utf-8")
