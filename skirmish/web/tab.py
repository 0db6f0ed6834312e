"""A tab: the process of the app that runs for one tab of a browser, from its start to its end.
textual-serve's own service waits forever for an app that does not close, and stops reading from one
whose browser has gone. Here the process always ends with its tab."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from textual_serve.app_service import AppService
from textual_serve.download_manager import DownloadManager

from skirmish.installation import command_to_start
from skirmish.web import SERVED

CLOSE_WITHIN = 10.0
"""Seconds that an app has to close by itself. Usually a fraction of one is enough, but on a busy
machine a database may still be opening, and pending jobs of the store are always finished first."""
FORCE_AFTER = 2.0
"""Seconds that a terminated process has before it is killed."""
READY = b"__GANGLION__\n"
"""The first output of textual's web driver."""
DRIVER = "skirmish.app.tab_driver:TabDriver"
"""The driver of an app in a tab, in the notation of TEXTUAL_DRIVER."""
ENDED = "Closed. Everything is saved."
"""What the page says if the app was left by its own key, and the server goes on."""
STOPPED = "Skirmish has ended. Everything is saved. You can close this tab."
"""What it says if the server stops too."""
BROKEN = "Skirmish crashed in this tab. Everything shown was saved."
"""What it says if the app ended with an error, or accepts no input."""


class TerminalSize(NamedTuple):
    """The size of the terminal in a page."""

    columns: int
    rows: int


USUAL_SIZE = TerminalSize(80, 24)
"""The size of a page that requests no valid one."""
MOST_COLUMNS, MOST_ROWS = 500, 200
"""The largest size that a page may request. Larger ones would only slow the server down."""


class Tab(AppService):
    """One process of the app and its page.

    ``send_bytes``: sends the page what the app writes on its terminal.
    ``send_message``: sends the page a message, ``[kind, content]`` in JSON.
    ``close_page``: ends the connection to the page.
    ``hold_sheet``: stores a printed sheet, by its file name, and returns its address.
    ``environment``: variables for the process, besides those of the server.
    ``is_last``: returns whether the server stops when this tab's app has ended."""

    def __init__(
        self,
        send_bytes: Callable[[bytes], Awaitable[None]],
        send_message: Callable[[str], Awaitable[None]],
        close_page: Callable[[], Awaitable[Any]],
        hold_sheet: Callable[[str, bytes], str],
        environment: Mapping[str, str],
        *,
        is_last: Callable[[Tab], bool] = lambda _: False,
    ) -> None:
        async def hang_up() -> None:
            # textual-serve wants a coroutine that returns nothing, but that of a websocket returns
            # whether it was open.
            await close_page()

        super().__init__(
            "skirmish",
            write_bytes=send_bytes,
            write_str=send_message,
            close=hang_up,
            download_manager=DownloadManager(),
        )
        self._hold_sheet = hold_sheet
        self._environment = environment
        self._is_last = is_last
        self.was_left = False
        """Whether somebody has left the app by its own key, rather than closed the page."""
        self._is_muted = False
        """Whether further output of the app is discarded, since its page has gone."""
        self._fetching: set[asyncio.Task[None]] = set()
        """The tasks that read sheets. asyncio itself does not keep a running task from being
        collected as garbage."""
        self._ending: asyncio.Task[None] | None = None
        """The task that ends the app; None as long as nobody has asked for its end."""

    @property
    def process(self) -> Process | None:
        """The app's process; None before it starts."""
        return self._process

    def _build_environment(self, width: int = 80, height: int = 24) -> dict[str, str]:
        """The variables for the process; called by textual-serve."""
        of_textual: dict[str, str] = super()._build_environment(width, height)
        ours = {
            "TEXTUAL_DRIVER": DRIVER,
            "TERM": "xterm-256color",  # the page's terminal, whatever the server itself runs in
            "PYTHONUTF8": "1",  # the page reads the output as UTF-8, in any locale
            SERVED: "1",
        }
        return {**of_textual, **ours, **self._environment}

    async def _open_app_process(self, width: int = 80, height: int = 24) -> Process:
        """Start the app, in a session of its own, so that Ctrl+C in the server's terminal reaches
        only the server. Called by textual-serve, which itself would start it through a shell."""
        flags = 0
        if sys.platform == "win32":
            # A server without a console of its own would open one for each tab.
            flags = subprocess.CREATE_NO_WINDOW
        self._process = await asyncio.create_subprocess_exec(
            *command_to_start(),
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            env=self._build_environment(width, height),
            start_new_session=True,
            creationflags=flags,
        )
        self._stdin = self._process.stdin  # to which textual-serve writes
        return self._process

    async def run(self) -> None:
        """Forward the app's output until it closes, then say on the page how it ended. ``start``
        runs this as a task."""
        process = self._process
        assert process is not None
        assert process.stdout is not None
        assert process.stderr is not None
        # Errors are read all the time: once the pipe is full, an app that writes more of them stops
        # until somebody reads it.
        errors = asyncio.create_task(process.stderr.read())
        try:
            with suppress(asyncio.IncompleteReadError, ConnectionError):
                await self._read(process.stdout)
            with suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), CLOSE_WITHIN)
            if not self._is_muted:
                self.was_left = process.returncode == 0
                await self._say_how_it_ended()
                has_failed = process.returncode not in (0, None)  # None: it still runs
                if has_failed:
                    error_output = await errors
                    sys.stderr.write(error_output.decode("utf-8", "replace"))
        finally:
            errors.cancel()

    async def _say_how_it_ended(self) -> None:
        """Send the page how the app has ended, and close the connection."""
        kind, sentence = "over", BROKEN
        if self.was_left:
            sentence = ENDED
            if self._is_last(self):
                kind, sentence = "stopped", STOPPED
        with suppress(ConnectionError):
            await self.send(kind, sentence)
            await self.remote_close()

    async def _read(self, stdout: asyncio.StreamReader) -> None:
        """Read and handle the app's packets: a letter for the kind, four bytes for the length, then
        the payload. Raises IncompleteReadError when the output ends."""
        await stdout.readuntil(READY)
        while True:
            kind = await stdout.readexactly(1)
            length = await stdout.readexactly(4)
            payload = await stdout.readexactly(int.from_bytes(length, "big"))
            match kind:
                case b"D":  # data: bytes of the terminal
                    await self.on_data(payload)
                case b"M":  # meta: a message about the app, in JSON
                    await self.on_meta(payload)
                case b"P":  # packed: a piece of a file
                    await self.on_packed(payload)

    async def on_data(self, payload: bytes) -> None:
        """Send the page what the app has written on its terminal."""
        if self._is_muted:
            return
        try:
            await super().on_data(payload)
        except ConnectionError:
            self._is_muted = True

    async def on_meta(self, data: bytes) -> None:
        """Handle a message of the app."""
        if self._is_muted:
            return
        meta = msgspec.json.decode(data)
        with suppress(ConnectionError):
            match meta["type"]:
                case "exit":
                    pass  # the app is closing; ``run`` waits for its end
                case "deliver_file_start":
                    await self._fetch_later(meta)
                case _:
                    await super().on_meta(data)

    async def send(self, kind: str, content: Any) -> None:
        """Send the page a message. ``content`` is whatever its kind needs, and becomes JSON."""
        await self.remote_write_str(msgspec.json.encode([kind, content]).decode())

    async def _fetch_later(self, meta: dict[str, Any]) -> None:
        """Read a sheet from the app in the background, then send the page its address. ``meta`` is
        the app's message that it has a file to deliver.

        textual-serve itself would open a window, which browsers on tablets block, and serve the
        sheet only once."""
        key = str(meta["key"])
        name = Path(str(meta["path"])).name
        await self._download_manager.create_download(
            app_service=self,
            delivery_key=key,
            file_name=name,
            open_method="browser",
            mime_type="",
        )

        async def fetch() -> None:
            # textual-serve returns the file in pieces, as they come.
            chunks = [chunk async for chunk in self._download_manager.download(key)]
            address = self._hold_sheet(name, b"".join(chunks))
            with suppress(ConnectionError):
                await self.send("sheet", {"name": name, "address": address})

        task = asyncio.create_task(fetch())
        self._fetching.add(task)
        task.add_done_callback(self._fetching.discard)

    async def stop(self) -> None:
        """End the app and wait until it has ended. If the wait is cancelled, the app still ends."""
        if self._ending is None:
            self._ending = asyncio.create_task(self._stop())
        await asyncio.shield(self._ending)

    async def _stop(self) -> None:
        """End the app; only ``stop`` calls this, and only once."""
        if self._task is None or self._process is None:  # it never started
            return
        self._is_muted = True
        await self._download_manager.cancel_app_downloads(app_service_id=self.app_service_id)
        await self._end_process(self._process)
        await self._end_reading(self._task)

    async def _end_process(self, process: Process) -> None:
        """Ask the app to close; if it does not, terminate it, and at last kill it."""
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_WITHIN):
                await self.send_meta({"type": "quit"})
                await process.wait()
        for end in (process.terminate, process.kill):
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    end()
                with suppress(TimeoutError):
                    await asyncio.wait_for(process.wait(), FORCE_AFTER)

    async def _end_reading(self, task: asyncio.Task[Any]) -> None:
        """Wait for the task of ``run``. It ends with the process, unless another process still has
        its output open; then it is cancelled."""
        done, _ = await asyncio.wait({task}, timeout=FORCE_AFTER)
        if not done:
            task.cancel()
        with suppress(asyncio.CancelledError, ConnectionError):
            await task


def sized(width: Any, height: Any) -> TerminalSize:
    """The size that a page requests, within limits. What it sends may be anything."""
    try:
        columns, rows = int(width), int(height)
    except (TypeError, ValueError, OverflowError):
        return USUAL_SIZE
    columns = min(max(columns, 1), MOST_COLUMNS)
    rows = min(max(rows, 1), MOST_ROWS)
    return TerminalSize(columns, rows)
