"""The driver of a terminal: Textual's own, whose input is bounded, and which ends the app when its
terminal has gone or when the system asks it to. Windows has Textual's own driver."""

from __future__ import annotations

import asyncio
import os
import selectors
import signal
from contextlib import suppress
from threading import Thread, Timer
from typing import IO, TYPE_CHECKING, Any, cast

from textual.drivers.linux_driver import LinuxDriver

from skirmish.app.terminal_input import BoundedDriver, TerminalInput, bounded_size

if TYPE_CHECKING:
    from collections.abc import Callable

    from skirmish.app.host import Host

AT_ONCE = 4096
"""The most bytes in one read."""
TICK = 0.1
"""Seconds between two looks whether a key is complete and whether the app goes on."""
GRACE = 5.0
"""Seconds that the app has to close once everything is stored."""
HANGUP = 128 + 1
"""The exit code where the terminal has gone; by custom 128 and the number of the signal."""


class TerminalDriver(BoundedDriver, LinuxDriver):
    """A terminal that may send anything and may go at any time."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        output: Any = _Output(cast("IO[str]", self._file), self._terminal_has_gone)
        self._file = output
        if self._size is None:
            self._size = self._get_terminal_size()
        self._ending: asyncio.Task[None] | None = None

    def _get_terminal_size(self) -> tuple[int, int]:
        return bounded_size(*super()._get_terminal_size())

    def start_application_mode(self) -> None:
        # On these the app closes as by its own key: what is being stored is finished first.
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
            # nohup lets a program ignore the first: then it goes on without its terminal.
            if signal.getsignal(number) is not signal.SIG_IGN:
                self._loop.add_signal_handler(number, self._leave, 128 + number)
        super().start_application_mode()  # type: ignore[no-untyped-call]

    def run_input_thread(self) -> None:
        typed = TerminalInput(self._debug)
        with selectors.SelectSelector() as selector:  # on a Mac, others cannot wait for a terminal
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                if selector.select(TICK):
                    data = self._read()
                    if not data:
                        self._terminal_has_gone()
                        return
                    for message in typed.read(data):
                        self.process_message(message)
                for message in typed.tick():
                    self.process_message(message)

    def _read(self) -> bytes:
        """What was typed; nothing if there is no longer a terminal."""
        try:
            return os.read(self.fileno, AT_ONCE)
        except OSError:
            return b""

    def _terminal_has_gone(self) -> None:
        """Ends the app. It is called from the threads that read and write, so it only asks for
        the end."""
        with suppress(RuntimeError):  # the app has closed meanwhile
            self._loop.call_soon_threadsafe(self._leave, HANGUP)

    def _leave(self, code: int) -> None:
        """Begins to end the app with an exit code; a second signal changes nothing."""
        if self._ending is None:
            self._ending = self._loop.create_task(self._end(code))

    async def _end(self, code: int) -> None:
        """Lets the app store and close, for at most ``GRACE`` seconds once everything is stored."""
        await cast("Host", self._app).leave(code)
        # Everything is stored. If the app does not close, or a thread of it never ends, whoever
        # asked for the end does not wait.
        last = Timer(GRACE, self._end_now, (code,))
        last.daemon = True
        last.start()

    def _end_now(self, code: int) -> None:
        """Ends the process, and gives the terminal back first if that does not hang."""
        restoring = Thread(target=self._restore, daemon=True)
        restoring.start()
        restoring.join(GRACE)
        os._exit(code)

    def _restore(self) -> None:
        self.stop_application_mode()
        self.close()


class _Output:
    """The screen. What cannot be written any more is left out: an error would end the thread that
    writes, and the app would wait for it for ever."""

    def __init__(self, file: IO[str], gone: Callable[[], None]) -> None:
        self._file = file
        self._gone = gone

    def write(self, text: str) -> None:
        try:
            self._file.write(text)
        except (OSError, ValueError):
            self._gone()

    def flush(self) -> None:
        try:
            self._file.flush()
        except (OSError, ValueError):
            self._gone()

    def fileno(self) -> int:
        return self._file.fileno()
