from __future__ import annotations

import logging
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual import constants
from unseen import unseen

from skirmish.store.database import Store


@pytest.fixture(autouse=True, scope="session")
def nobody_looks() -> Iterator[None]:
    """Apps of the tests are drawn, but not shown, in true colour whatever terminal they run in."""
    constants.COLOR_SYSTEM = "truecolor"
    with unseen():
        yield


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database as a first start leaves it. Copies of it save each test the migration."""
    path = tmp_path_factory.mktemp("store") / "skirmish.db"
    Store.open(str(path)).close()
    return path


@pytest.fixture(autouse=True)
def nothing_left_out(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """An extra that fails does not end the app; it must end the test."""
    yield
    errors = [one for one in caplog.get_records("call") if one.levelno == logging.ERROR]
    assert not [one for one in errors if one.name == "skirmish"]


@pytest.fixture
def where(tmp_path: Path, empty_database: Path) -> str:
    """A database of the test's own."""
    return str(shutil.copy(empty_database, tmp_path / "skirmish.db"))


@pytest.fixture(autouse=True)
def no_guard(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys of a test come quicker than any hand's, the list of battles does not wait for them, and
    what others write is seldom looked for."""
    from skirmish.app import home
    from skirmish.app.battle.screen import BattleScreen
    from skirmish.app.play.ordering import OrderingScreen

    monkeypatch.setattr(BattleScreen, "HELD_WITHIN", 0.0)
    monkeypatch.setattr(home, "KEYS_FIRST", 0.0)
    monkeypatch.setattr(OrderingScreen, "LOOK_INTERVAL", 0.1)
