from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import skirmish
from skirmish.store.database import Store

ROOT = Path(skirmish.__file__).parents[1]


class Clock:
    """Each look at it is one second later than the last."""

    def __init__(self) -> None:
        self.time = datetime(2026, 5, 1, 18, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.time += timedelta(seconds=1)
        return self.time


@pytest.fixture(autouse=True)
def own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test may see, let alone write, the data of whoever runs it."""
    folder = tmp_path / "data of the user"
    monkeypatch.delenv("SKIRMISH_DATABASE", raising=False)
    monkeypatch.setattr("platformdirs.user_data_path", lambda *_, **__: folder)
    return folder


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "kept.db"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(path: Path, clock: Clock):
    with Store.open(str(path), now=clock) as store:
        yield store


@pytest.fixture
def memory(clock: Clock):
    with Store.open("sqlite://", now=clock) as store:
        yield store


@pytest.fixture
def child_environment() -> dict[str, str]:
    """For another Python that must find this package, installed or not."""
    return {**os.environ, "PYTHONPATH": str(ROOT)}


@pytest.fixture
def run_python(child_environment) -> Callable[..., str]:
    """Run a program text in a fresh Python; gives what it printed, fails if it failed."""

    def run(program: str, *arguments: object) -> str:
        done = subprocess.run(
            [sys.executable, "-c", program, *map(str, arguments)],
            capture_output=True,
            text=True,
            env=child_environment,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
