"""A program in a pseudo-terminal, watched from outside: what is on its screen, and since when.

It sees what a person would see, so import time, first paint and the way of a key are all in it.
Needs a system with ptys (not Windows); peak memory is read where ``/proc`` tells it.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import selectors
import signal
import struct
import termios
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

ROWS, COLUMNS = 24, 80
PATIENCE = 30.0  # seconds after which a word will not come any more

# Sequences that are no text: those that begin with ESC [ (colours, the cursor), those with a text
# of their own (such as a title), which ends with ESC \ or BEL, and ESC with a single character.
_CONTROL = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|[PX^_\]].*?(?:\x1b\\|\x07)|[@-Z\\-_])", re.S)
_LEFT_OUT = {
    "PYTHONDONTWRITEBYTECODE",  # everything would be compiled anew at each start
    "PYTHONPATH",
    "PYTHONPROFILEIMPORTTIME",
    "NO_COLOR",
    "TEXTUAL",
    "SKIRMISH_DATABASE",
    "SKIRMISH_SETTINGS",
    "COLUMNS",  # these two would stand in for the size of the terminal
    "LINES",
}
"""Variables of the environment that would change what is measured."""


class NotSeenError(Exception):
    """A word did not come; the message holds what was on the screen instead."""


def environment(**more: str) -> dict[str, str]:
    """The variables of a measured process: ours without those that distort, and ``more``."""
    ours = {name: value for name, value in os.environ.items() if name not in _LEFT_OUT}
    return {**ours, "TERM": "xterm-256color", "COLORTERM": "truecolor", **more}


def _forget_signals() -> None:
    """The signals of this process as they are in a terminal that was just opened. What runs under
    ``nohup`` or in the background ignores some of them, and its children would, too."""
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    for number in signal.valid_signals():
        with suppress(OSError):  # two of them cannot be changed
            signal.signal(number, signal.SIG_DFL)


class Terminal:
    """``command`` running in a terminal, of 80 by 24 unless said otherwise. All times are seconds
    since just before it was executed."""

    def __init__(
        self,
        command: Sequence[str],
        env: dict[str, str],
        folder: Path,
        rows: int = ROWS,
        columns: int = COLUMNS,
    ) -> None:
        self._written = b""
        """All that the program has written."""
        self._since_key = 0
        """Where in it begins what was written after the last key."""
        self._came_at = 0.0
        """When something came last while a word was waited for."""
        self._ended = False
        self._exit_code: int | None = None
        self._size = struct.pack("HHHH", rows, columns, 0, 0)
        self._began = time.perf_counter()
        self.pid, self._screen = pty.fork()
        is_child = self.pid == 0
        if is_child:
            try:
                fcntl.ioctl(0, termios.TIOCSWINSZ, self._size)
                _forget_signals()
                os.chdir(folder)
                os.execvpe(command[0], list(command), env)
            finally:
                os._exit(127)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if not self._ended:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        if self._screen >= 0:
            os.close(self._screen)

    def leave(self, key: str, within: float = 5.0) -> bool:
        """Press the key that quits, as people do, so that files are closed; whether it ended."""
        self.press(key)
        return self.ended(within) is not None

    def seen(self, word: str) -> float:
        """Wait until ``word`` is written after the last key; when that was. Raises
        NotSeenError."""
        wanted = word.encode()
        while wanted not in _CONTROL.sub(b"", self._written[self._since_key :]):
            self._read(word)
        return self._came_at

    def press(self, keys: str) -> float:
        """Type ``keys``; when that was. What was written before no longer counts for ``seen``."""
        now = time.perf_counter() - self._began
        self.send(keys.encode())
        return now

    def send(self, data: bytes) -> None:
        """Type bytes of any kind and number, as ``press`` does."""
        self._since_key = len(self._written)
        while data:
            data = data[os.write(self._screen, data[:1024]) :]
            if data:
                self._listen(0.01)  # a program that writes more than is read stops reading

    def hang_up(self) -> None:
        """Close the terminal, as its window does; nothing can be seen or pressed from then on."""
        os.close(self._screen)
        self._screen = -1

    def signal(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    def mode(self) -> int:
        """The terminal's local modes (``termios.ECHO`` ...)."""
        modes: int = termios.tcgetattr(self._screen)[3]
        return modes

    def ended(self, within: float) -> int | None:
        """The exit code of the program (negative: the signal that killed it), or None if it is
        still running after that many seconds."""
        end = time.perf_counter() + within
        while not self._ended and time.perf_counter() < end:
            self._listen(0.02)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid == self.pid:
                self._ended = True
                self._exit_code = os.waitstatus_to_exitcode(status)
        return self._exit_code

    def rest(self, seconds: float) -> None:
        """Let it go on by itself, reading what it writes."""
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            self._listen(max(0.0, end - time.perf_counter()))

    def peak_memory(self) -> float | None:
        """The most memory that the process itself ever held (VmHWM), in MB of a million bytes."""
        try:
            status = Path(f"/proc/{self.pid}/status").read_text()
        except OSError:
            return None
        peak = re.search(r"VmHWM:\s+(\d+) kB", status)
        if peak is None:
            return None
        return int(peak[1]) * 1024 / 1e6

    def _read(self, word: str) -> None:
        """Take what comes next; raises NotSeenError, of the word that is waited for, if nothing
        does."""
        before = len(self._written)
        self._listen(PATIENCE)
        if len(self._written) == before:
            raise NotSeenError(f"{word!r} did not come; {self._shown()}")
        self._came_at = time.perf_counter() - self._began

    def _listen(self, seconds: float) -> None:
        """Take what the program writes, once, and wait for it no longer than so many seconds."""
        if self._screen < 0:
            time.sleep(seconds)
            return
        # ``select.select`` takes no descriptor above 1023, and a test may have as many files open.
        with selectors.DefaultSelector() as selector:
            selector.register(self._screen, selectors.EVENT_READ)
            has_written = bool(selector.select(seconds))
        if not has_written:
            return
        try:
            self._written += os.read(self._screen, 1 << 16)
        except OSError:  # its side of the terminal is closed; wait, or callers would only spin
            time.sleep(0.01)

    @property
    def written(self) -> bytes:
        """All that the program has written to the terminal."""
        return self._written

    def _shown(self) -> str:
        """The end of what was written after the last key."""
        text = _CONTROL.sub(b" ", self._written[self._since_key :]).decode(errors="replace")
        words = " ".join(text.split())
        return "written instead: " + words[-600:]
