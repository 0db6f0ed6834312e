"""The program in a real terminal (tmux): started, a shot fired, left, and gone on with."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

PATIENCE = 20.0
"""Seconds until a screen must show what it should, on a busy machine."""

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")


class Terminal(NamedTuple):
    """A terminal of 80 by 24 in a tmux server of its own; ``typed`` keys go by tmux's names."""

    server: Path

    def tmux(self, *words: str) -> str:
        command = ["tmux", "-S", str(self.server), "-f", "/dev/null", *words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def start(self, database: Path) -> None:
        program = [sys.executable, "-m", "skirmish"]
        where = [f"SKIRMISH_DATABASE={database}", f"SKIRMISH_SETTINGS={database}.toml"]
        line = shlex.join(["env", *where, *program])
        self.tmux("respawn-pane", "-k", f"{line}; sleep {PATIENCE}")

    def type(self, *keys: str) -> None:
        self.tmux("send-keys", *keys)

    def screen(self) -> str:
        return self.tmux("capture-pane", "-p")

    def until(self, *words: str) -> str:
        """The screen once it shows all of these words."""
        end = time.monotonic() + PATIENCE
        while not all(word in (shown := self.screen()) for word in words):
            assert time.monotonic() < end, f"{words} are not all on the screen:\n{shown}"
            time.sleep(0.05)
        return shown


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    shell = Terminal(tmp_path / "tmux")
    shell.tmux("new-session", "-d", "-x", "80", "-y", "24", f"sleep {PATIENCE}")
    yield shell
    shell.tmux("kill-server")


def test_start_a_shot_quit_and_resume(terminal: Terminal, database: Path) -> None:
    terminal.start(database)
    terminal.until("SKIRMISH", "New battle")
    terminal.type("n")
    terminal.until("Overmatched", "Dog Beach")
    terminal.type("Enter")
    terminal.until("Begin")
    terminal.type("b")
    terminal.until("OVERMATCHED", "WHO FIRES?")
    terminal.type("c", "h")
    terminal.until("Cannon > Halftrack")
    terminal.type("Space")
    fired = terminal.until("Cannon C1 > Halftrack")
    line = next(line for line in fired.splitlines() if "Cannon C1 > Halftrack" in line)
    terminal.type("C-q")
    while "Cannon" in terminal.screen():
        time.sleep(0.05)

    terminal.start(database)
    terminal.until("Overmatched", "SKIRMISH")
    terminal.type("Enter")
    assert line.strip() in terminal.until("OVERMATCHED", line.strip())
