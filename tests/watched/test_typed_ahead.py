"""Lines sent in one write to the program in a real terminal."""

from __future__ import annotations

from pathlib import Path

from typed_ahead import compare


def test_lines_typed_ahead_come_to_the_same_journal(tmp_path: Path) -> None:
    """Twenty lines; `make typed` gives two thousand."""
    assert compare(20, 20, 1, tmp_path) == []
