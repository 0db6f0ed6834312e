"""The real program in a terminal, watched by the same eyes as in ``benchmarks/``."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[2] / "benchmarks"))

if os.name != "posix":
    collect_ignore_glob = ["test_*.py"]  # pseudo-terminals and SIGKILL are things of POSIX


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database of the test's own, not made yet."""
    return tmp_path / "skirmish.db"
