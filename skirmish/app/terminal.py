"""The driver of a terminal: Textual's own, with bounded input. It also ends the app when the
terminal has gone or the system asks for it. On Windows, where this module cannot be imported, the
app has Textual's driver as it is."""

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

MOST_BYTES = 4096
"""The most bytes in one read."""
TICK = 0.1
"""Seconds after which the thread that reads stops waiting, to see whether a key is complete and
whether the app still runs."""
GRACE = 5.0
"""Seconds that the app has to close once everything is stored."""
SIGNAL_EXIT = 128
"""By custom, the exit code of a program that a signal ends is this and the signal's number."""


class TerminalDriver(BoundedDriver, LinuxDriver):
    """A terminal that may send anything and may go at any time."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        """The arguments are those of Textual's driver."""
        super().__init__(*arguments, **options)
        # The driver needs of a file only what ``_Output`` has.
        output: Any = _Output(cast("IO[str]", self._file), self._terminal_has_gone)
        self._file = output
        # Without a given size Textual's driver would ask the terminal once more, without bounds.
        if self._size is None:
            self._size = self._get_terminal_size()
        self._ending: asyncio.Task[None] | None = None
        """Ends the app, once a signal has come or the terminal has gone."""

    def _get_terminal_size(self) -> tuple[int, int]:
        return bounded_size(*super()._get_terminal_size())

    def start_application_mode(self) -> None:
        # At these signals the app closes as at its own key: what is being stored is finished first.
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
            # A program under nohup ignores SIGHUP, and goes on without its terminal.
            if signal.getsignal(number) is not signal.SIG_IGN:
                self._loop.add_signal_handler(number, self._leave, SIGNAL_EXIT + number)
        super().start_application_mode()  # type: ignore[no-untyped-call]

    def run_input_thread(self) -> None:
        terminal_input = TerminalInput(self._debug)
        # No other kind of selector works on a terminal on a Mac.
        with selectors.SelectSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                if selector.select(TICK):
                    data = self._read()
                    if not data:
                        self._terminal_has_gone()
                        return
                    for message in terminal_input.read(data):
                        self.process_message(message)
                for message in terminal_input.tick():
                    self.process_message(message)

    def _read(self) -> bytes:
        """The bytes that were typed; empty if the terminal has gone."""
        try:
            return os.read(self.fileno, MOST_BYTES)
        except OSError:
            return b""

    def _terminal_has_gone(self) -> None:
        """End the app. The threads that read and write call this, so it hands over to the app's own
        thread."""
        with suppress(RuntimeError):  # the app has closed meanwhile
            self._loop.call_soon_threadsafe(self._leave, SIGNAL_EXIT + signal.SIGHUP)

    def _leave(self, code: int) -> None:
        """Begin to end the app with an exit code; a second signal changes nothing."""
        if self._ending is None:
            self._ending = self._loop.create_task(self._end(code))

    async def _end(self, code: int) -> None:
        """Let the app store everything, then close within ``GRACE`` seconds."""
        await cast("Host", self._app).leave(code)
        # Everything is stored. The process ends even if the app does not close, or if one of its
        # threads never ends.
        last_resort = Timer(GRACE, self._end_now, (code,))
        last_resort.daemon = True
        last_resort.start()

    def _end_now(self, code: int) -> None:
        """Restore the terminal, as far as that does not hang, and end the process."""
        restoring = Thread(target=self._restore, daemon=True)
        restoring.start()
        restoring.join(GRACE)
        os._exit(code)

    def _restore(self) -> None:
        self.stop_application_mode()
        self.close()


class _Output:
    """The file that the screen is written to. What can no longer be written is left out: an error
    would end the thread that writes, and the app would wait for it for ever."""

    def __init__(self, file: IO[str], on_terminal_gone: Callable[[], None]) -> None:
        self._file = file
        self._on_terminal_gone = on_terminal_gone

    def write(self, text: str) -> None:
        try:
            self._file.write(text)
        except (OSError, ValueError):
            self._on_terminal_gone()

    def flush(self) -> None:
        try:
            self._file.flush()
        except (OSError, ValueError):
            self._on_terminal_gone()

    def fileno(self) -> int:
        return self._file.fileno()
