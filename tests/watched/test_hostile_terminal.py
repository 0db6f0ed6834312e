"""The real program in a terminal that sends what no keyboard does, and in one that goes away."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import sys
import termios
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from deep import deep_count
from terminal import Terminal, environment

PROGRAM = [sys.executable, "-m", "skirmish"]
IGNORING_HANGUPS = ["/bin/sh", "-c", 'trap "" HUP; exec "$@"', "sh", *PROGRAM]
PATIENCE = 20.0
LEAVE = "\x11"
LAST_WRITTEN = b"\x1b[?1049l"
"""Leaves the alternate screen, so that the shell's own text is there again."""


@pytest.fixture
def where(tmp_path: Path) -> dict[str, str]:
    return environment(
        SKIRMISH_DATABASE=str(tmp_path / "club.db"), SKIRMISH_SETTINGS=str(tmp_path / "set.toml")
    )


@pytest.fixture
def terminal(tmp_path: Path, where: dict[str, str]) -> Iterator[Terminal]:
    with Terminal(PROGRAM, where, tmp_path) as started:
        started.seen("New battle")
        started.rest(0.3)
        yield started


def answers(terminal: Terminal) -> None:
    """Fails unless the app shows its keys when asked for them, and leaves."""
    terminal.press("\x1b")
    terminal.rest(0.4)  # so that Esc is not the beginning of something longer
    terminal.press("?")
    terminal.seen("Fight a scenario, or two armies")  # from the help
    terminal.rest(0.2)
    assert terminal.leave(LEAVE, PATIENCE)
    assert terminal.ended(0) == 0
    assert b"Traceback" not in terminal.written


def test_bytes_and_numbers_that_are_no_keys(terminal: Terminal) -> None:
    for hostile in (
        b"\xfc",  # ü in Latin-1
        b"\x1b[200~M\xfcnchen\x1b[201~",
        b"\x1b[1114112u",  # the first number that is no character
        b"\x1b[99999999999999999999u",
        b"\x1b[55296u\x1b[97;;55296u",  # half of a surrogate pair
        b"\x1b[97:65;2:3u",
        b"\x1b[<0;99999999;99999999M\x1b[<35;0;0M",
        b"\x1b[48;24;0;0;0t\x1b[48;0;80;0;0t\x1b[<0;5;5M",
        b"\x1b[" + b";" * 500,
        b"\x1b" * 500,
    ):
        terminal.send(hostile)
        terminal.rest(0.15)
    answers(terminal)


@pytest.mark.parametrize(
    "flood",
    [b"9" * 5_000, b"abcdefgh" * 2_000, b"\x1b[200~" + b"x" * 400_000 + b"\x1b[201~"],
    ids=["digits", "letters", "paste"],
)
def test_a_flood_is_over_soon(terminal: Terminal, flood: bytes) -> None:
    terminal.send(flood)
    answers(terminal)


def test_a_size_that_no_terminal_has_is_not_painted(terminal: Terminal) -> None:
    terminal.send(b"\x1b[48;99999;99999;0;0t")
    terminal.rest(0.2)
    terminal.send(b"\x1b[48;24;80;0;0t")
    answers(terminal)


def test_a_paste_without_an_end_ends(terminal: Terminal) -> None:
    terminal.send(b"\x1b[200~somebody pulled the plug")
    terminal.rest(3.5)
    answers(terminal)


def test_thousands_of_random_bytes(terminal: Terminal) -> None:
    chance = random.Random(28)
    for _ in range(deep_count(3, 10)):
        # Without ^Q, which leaves, and without what F-keys and pages of phones are made of.
        data = bytes(byte for byte in chance.randbytes(1_000) if byte not in b"\x11")
        terminal.send(data.replace(b"\x1b[17", b""))
        terminal.rest(0.1)
    terminal.rest(4)  # a random byte may have begun a paste
    for _ in range(6):
        terminal.press("\x1b")
        terminal.rest(0.3)
    assert terminal.leave(LEAVE, PATIENCE)
    assert terminal.ended(0) == 0
    assert b"Traceback" not in terminal.written


@pytest.mark.parametrize("command", [PROGRAM, IGNORING_HANGUPS], ids=["plain", "nohup"])
def test_where_the_terminal_has_gone_the_app_goes_too_and_nothing_is_lost(
    tmp_path: Path, where: dict[str, str], command: list[str]
) -> None:
    with Terminal(command, where, tmp_path) as terminal:
        terminal.seen("New battle")
        terminal.press("n")
        terminal.seen("Dog Beach")
        terminal.press("\r")
        terminal.seen("Begin")
        terminal.press("b")
        terminal.seen("WHO FIRES?")
        terminal.press("ch ")
        terminal.seen("Cannon C1 > Halftrack")
        terminal.hang_up()
        assert terminal.ended(PATIENCE) == 128 + signal.SIGHUP
    with closing(sqlite3.connect(tmp_path / "club.db")) as file:
        (last,) = file.execute('SELECT "order" FROM entry ORDER BY number DESC LIMIT 1').fetchone()
    assert "fire" in last.lower()
    assert not (tmp_path / "club.db-wal").exists()  # SQLite removes it when the file is closed


def test_a_pipe_in_the_place_of_the_database_is_said_and_the_app_can_be_left(
    tmp_path: Path, where: dict[str, str]
) -> None:
    os.mkfifo(tmp_path / "club.db")
    with Terminal(PROGRAM, where, tmp_path) as terminal:
        terminal.seen("not a regular")
        terminal.rest(0.2)
        terminal.press("a")
        terminal.seen("Esc closes this window")
        assert terminal.leave(LEAVE, PATIENCE)
        assert terminal.ended(0) == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_ends_the_app_and_leaves_the_terminal_as_it_was(
    terminal: Terminal, number: signal.Signals
) -> None:
    terminal.signal(number)
    assert terminal.ended(PATIENCE) == 128 + number
    assert LAST_WRITTEN in terminal.written
    assert terminal.mode() & (termios.ECHO | termios.ICANON) == termios.ECHO | termios.ICANON


def test_what_the_tests_ignore_the_program_does_not(tmp_path: Path, where: dict[str, str]) -> None:
    """Tests may run under ``nohup``, or in the background of a script."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with Terminal(["/bin/sh", "-c", "echo ready; exec sleep 60"], where, tmp_path) as terminal:
            terminal.seen("ready")
            terminal.signal(signal.SIGHUP)
            assert terminal.ended(PATIENCE) == -signal.SIGHUP
    finally:
        signal.signal(signal.SIGHUP, before)


STUCK = """
import threading
from skirmish.store import readers
readers.recent_battles = lambda *_: threading.Event().wait()
from skirmish.app.application import run_app
run_app()
"""


def test_a_thread_that_never_ends_holds_up_no_signal(tmp_path: Path, where: dict[str, str]) -> None:
    with Terminal([sys.executable, "-c", STUCK], where, tmp_path) as terminal:
        terminal.seen("New battle")
        terminal.rest(0.5)
        terminal.signal(signal.SIGTERM)
        assert terminal.ended(PATIENCE) == 128 + signal.SIGTERM
        assert LAST_WRITTEN in terminal.written
