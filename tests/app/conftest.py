from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from textual import _wait

from skirmish.store.desk import Store

_wait.SLEEP_GRANULARITY = 1 / 200
_wait.SLEEP_IDLE = 1 / 1000
# After each key Textual's Pilot waits until the program has been idle for 20 ms; over thousands of
# keys that is most of the time that the screens' tests take. 5 ms tell idleness as well.


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database as a first start leaves it. Copies of it save each test the migration."""
    path = tmp_path_factory.mktemp("store") / "skirmish.db"
    Store.open(str(path)).close()
    return path


@pytest.fixture
def where(tmp_path: Path, empty_database: Path) -> str:
    """A database of the test's own."""
    return str(shutil.copy(empty_database, tmp_path / "skirmish.db"))


@pytest.fixture(autouse=True)
def no_guard(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys of a test come quicker than any hand's."""
    from skirmish.app.battle.screen import BattleScreen

    monkeypatch.setattr(BattleScreen, "GUARD", 0.0)
