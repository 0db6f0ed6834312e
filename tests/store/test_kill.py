"""`kill -9` at any moment loses nothing that was shown."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from skirmish.store.database import Store
from skirmish.store.readers import recent_battles

pytestmark = pytest.mark.skipif(os.name != "posix", reason="SIGKILL is a thing of POSIX")

# Says what it has written only after the store said that it is written, as a screen would.
WRITER = """
import sys
from skirmish.store.database import Store
from skirmish.tabletop.journal_codec import EntryRecord

store = Store.open(sys.argv[1])
known = store.battles()
first = EntryRecord(1, "open", "{}", "1")
battle = known[0] if known else store.add_battle("plastic", "t", "1", [first])
number = len(store.entries(battle.id))
while True:
    number += 1
    store.append(
        battle.id,
        EntryRecord(number, "fire", "{}", str(number) * 500),
        headline=str(number),
        over=False,
    )
    print(number, flush=True)
"""


def write_until_killed(path, environment, lines: int) -> int:
    """The last entry that the child reported before it was killed in the midst of writing."""
    child = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    assert child.stdout is not None
    assert child.stderr is not None
    reported = 0
    for _ in range(lines):
        line = child.stdout.readline()
        assert line, child.stderr.read()
        reported = int(line)
    child.send_signal(signal.SIGKILL)
    rest, _ = child.communicate(timeout=60)
    assert child.returncode == -signal.SIGKILL
    whole = [line for line in rest.splitlines(keepends=True) if line.endswith("\n")]
    return int(whole[-1]) if whole else reported


def test_what_was_reported_as_written_outlives_kill_9(path, child_environment):
    for lines in (1, 60):
        reported = write_until_killed(path, child_environment, lines)
        glimpsed = recent_battles(str(path), 1)
        assert glimpsed is not None
        assert int(glimpsed[0].headline) >= reported
        with closing(sqlite3.connect(path)) as file:
            assert file.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        with Store.open(str(path)) as store:
            (battle,) = store.battles()
            entries = store.entries(battle.id)
        assert len(entries) >= reported
        assert [entry.number for entry in entries] == list(range(1, len(entries) + 1))
        assert all(entry.events == str(entry.number) * 500 for entry in entries[1:])
        assert battle.headline == str(len(entries)), "the entry and the headline are one change"
