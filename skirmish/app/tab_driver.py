"""The driver of an app in a browser's tab: Textual's own for the web, with bounded input. It also
notices that the server has died: then nobody asks the app to close, but its pipes are closed."""

from __future__ import annotations

import asyncio
import os
from functools import partial

from textual.drivers._byte_stream import ByteStream
from textual.drivers.web_driver import WebDriver, _ExitInput
from textual.messages import ExitApp

from skirmish.app.terminal_input import BoundedDriver, TerminalInput

INPUT = "D"
"""The kind of the packets in which Textual's server sends what was typed."""


class TabDriver(BoundedDriver, WebDriver):
    """Ends the app once the server is gone. Everything shown is stored by then."""

    def start_application_mode(self) -> None:
        self._loop = asyncio.get_running_loop()
        # ``WebDriver`` sends everything through ``_write``, and its own may write only a part of a
        # packet. It declares the attribute as a ``partial``, so ours is one, too.
        self._write = partial(self._write_all)
        super().start_application_mode()

    def run_input_thread(self) -> None:
        terminal_input = TerminalInput(self._debug)
        packets = ByteStream()
        try:
            # Empty data only says that some time has passed.
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
        """Write all of a packet, of which ``os.write`` may take only a part. If the server has
        gone, the app is told to end, and what it still writes is lost."""
        try:
            rest = memoryview(data)
            while rest:
                bytes_written = os.write(self.fileno, rest)
                rest = rest[bytes_written:]
        except OSError:  # the server has closed its end of the pipe
            if not self.exit_event.is_set():
                self._leave()
        return len(data)

    def _leave(self) -> None:
        """Ask the app to end; this may be called from any thread."""
        if not self._loop.is_closed():
            asyncio.run_coroutine_threadsafe(self._app._post_message(ExitApp()), self._loop)
