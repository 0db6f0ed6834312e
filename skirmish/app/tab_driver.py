"""The driver of a tab's app: textual's own for the web, whose input is bounded, and which also
notices a dead server. If the server was killed, nobody asks the app to close, but its pipes are
closed."""

from __future__ import annotations

import asyncio
import os
from functools import partial

from textual.drivers._byte_stream import ByteStream
from textual.drivers.web_driver import WebDriver, _ExitInput
from textual.messages import ExitApp

from skirmish.app.terminal_input import BoundedDriver, TerminalInput

INPUT = "D"
"""The kind of a packet that holds what was typed, as Textual's server sends it."""


class TabDriver(BoundedDriver, WebDriver):
    """Ends the app once the server is gone. Everything shown is stored by then."""

    def start_application_mode(self) -> None:
        self._loop = asyncio.get_running_loop()
        # WebDriver calls ``_write`` for all that it sends; its own may write only a part of a
        # packet. It declares it as a partial, so ours is one, too.
        self._write = partial(self._write_all)
        super().start_application_mode()

    def run_input_thread(self) -> None:
        terminal_input = TerminalInput(self._debug)
        packets = ByteStream()
        try:
            # Without data only some time has passed.
            for data in self._input_reader:
                if data:
                    for kind, payload in packets.feed(data):
                        self._take_packet(kind, payload, terminal_input)
                for message in terminal_input.tick():
                    self.process_message(message)
        except _ExitInput:
            pass
        finally:
            self._input_reader.close()
        if not self.exit_event.is_set():
            self._leave()

    def _take_packet(self, kind: str, payload: bytes, terminal_input: TerminalInput) -> None:
        """What was typed goes to the app; all else is for the driver, such as a new size."""
        if kind != INPUT:
            self._on_meta(kind, payload)
            return
        for message in terminal_input.read(payload):
            self.process_message(message)

    def _write_all(self, data: bytes) -> int:
        """Write all of a packet, of which ``os.write`` may take only a part. Where the server has
        gone, the app is told to end, and what it still writes is lost."""
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(self.fileno, rest) :]
        except OSError:  # the server has closed its end of the pipe
            if not self.exit_event.is_set():
                self._leave()
        return len(data)

    def _leave(self) -> None:
        if not self._loop.is_closed():
            asyncio.run_coroutine_threadsafe(self._app._post_message(ExitApp()), self._loop)
