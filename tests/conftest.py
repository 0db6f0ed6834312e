from __future__ import annotations

import gc
import os
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from deep import deep_count
from hypothesis import settings

from skirmish import library
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.rules.rulings import PlasticRulingBook

# No test asserts a time, so a slow machine must not fail one. Each run tries other examples.
settings.register_profile("skirmish", deadline=None, max_examples=deep_count(25, 50))
settings.load_profile("skirmish")

# Real processes start from compiled code, as those of an installed program do; so do the tests.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# An order is on the disk before it is shown, in the tests as ever, and thousands of them would wait
# for the disk: temporary files stand in memory where a system has such a folder with room in it.
MEMORY = "/dev/shm"
ROOM = 3 << 30
"""Bytes; what the tests have in files at one time is a small part of that."""


def _holds_temporary_files(folder: str) -> bool:
    if not os.access(folder, os.W_OK | os.X_OK):
        return False
    there = os.statvfs(folder)
    runs_programs = not there.f_flag & os.ST_NOEXEC  # some tests write programs and start them
    return runs_programs and there.f_bavail * there.f_frsize > ROOM


if "TMPDIR" not in os.environ and sys.platform == "linux" and _holds_temporary_files(MEMORY):
    os.environ["TMPDIR"] = MEMORY
    tempfile.tempdir = None  # it may have been looked up before

# What runs in the background of a shell ignores Ctrl-C, and so would every program that a test
# starts and interrupts: it would be waited for without end.
if (
    threading.current_thread() is threading.main_thread()
    and signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Thousands of tests and all that they import stay until the end; looking through them for rubbish
# again and again is a quarter of the time that the suite takes.
gc.set_threshold(200_000, 20, 20)


def pytest_xdist_auto_num_workers() -> int:
    """Half of them more than there are cores: real programs and disks are waited for."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, (cores or 1) * 3 // 2)


LONGEST_NAME = 200
"""Signs of a value of which a test has its name."""


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """A test of a line of four megabytes is not called by that line: its name goes from process to
    process with every word about it."""
    if isinstance(val, str | bytes) and len(val) > LONGEST_NAME:
        return f"{argname} of {len(val)}"
    return None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long ones first, so that at the end no core waits for another; what waits for real programs
    stays with one process, and the others have the processor meanwhile."""
    long = ["test_scripts.py", "watched", "browser", "cli"]

    def rank(item: pytest.Item) -> int:
        names = {item.path.name, item.path.parent.name}
        return next((place for place, name in enumerate(long) if name in names), len(long))

    items.sort(key=rank)


def pytest_collection_finish() -> None:
    gc.freeze()


def pytest_sessionfinish() -> None:
    """pytest goes on to look for rubbish five times over; what is frozen it passes by."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="session")
def nobodys_scenarios(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """No test reads or writes the settings, or the scenarios, of whoever runs it."""
    nobody = tmp_path_factory.mktemp("none")
    scenarios = nobody / "scenarios"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SKIRMISH_SETTINGS", str(nobody / "settings.toml"))
        patch.setenv("SKIRMISH_SCENARIOS", str(scenarios))
        # Whoever runs the tests in a terminal that shows pictures sees the same as all others.
        for name in ("KITTY_WINDOW_ID", "TERM_PROGRAM"):
            patch.delenv(name, raising=False)
        yield scenarios


@pytest.fixture(autouse=True)
def no_scenario_is_left(nobodys_scenarios: Path) -> Iterator[None]:
    """What a test, or a program that it started, has written there changes no other test."""
    yield
    if nobodys_scenarios.exists():
        shutil.rmtree(nobodys_scenarios)


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    return library.catalog()


@pytest.fixture(scope="session")
def book() -> PlasticRulingBook:
    return library.rulings()
