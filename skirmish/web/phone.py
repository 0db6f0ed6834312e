"""A phone or a television that is connected: what it shows, and the messages between it and the
server. It sends taps; it is sent pages, or a sentence that says why there is none."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from time import monotonic
from typing import Annotated

import msgspec
from aiohttp import web

from skirmish.web.gate import Allowance
from skirmish.web.links import Link
from skirmish.web.side_player import LONGEST_TAP, MOST_TAPS
from skirmish.web.side_view import SidePage

TAPS_A_SECOND = 10.0
"""The taps that a phone may make in a second, in the long run."""
TAPS_AT_ONCE = 20.0
"""The taps that it may make one right after the other."""
SEND_WITHIN = 2.0
"""Seconds after which a phone that takes no message is disconnected."""


class Tap(msgspec.Struct):
    """A message of a phone: what was tapped, and on what. The names of the fields are those that
    the page's script sends."""

    journal_length: int = msgspec.field(default=0, name="at")
    """The length of the journal that the phone shows."""
    keys: Annotated[
        list[Annotated[str, msgspec.Meta(max_length=LONGEST_TAP)]],
        msgspec.Meta(max_length=MOST_TAPS),
    ] = []
    """The taps of the unfinished order, the oldest first."""
    press: Annotated[str, msgspec.Meta(max_length=LONGEST_TAP)] = ""
    """The new tap; empty: the phone only asks for the present state."""
    ping: int = 0
    """Not 0: only an answer is wanted, to see whether the connection still holds."""


class Phone:
    """A connected phone, or a television if its link is for one."""

    def __init__(self, socket: web.WebSocketResponse, link: Link) -> None:
        self.link = link
        self.journal_length = 0
        """The length of the journal that it shows."""
        self.keys: tuple[str, ...] = ()
        """What was tapped on it since the last entry of that journal: its unfinished order."""
        self.notice = ""
        """Why its last tap did nothing."""
        self.press_to_insist = ""
        """What it sends to give the order that the rules advise against; empty if there is none."""
        self.page: SidePage | None = None
        """What it shows; None: nothing yet."""
        self.television_message = ""
        """The message with the page that it was sent last, if it is a television; else empty."""
        self.messages_too_fast = 0
        """How many of its messages came too fast, one after the other."""
        self._socket = socket
        self._allowance = Allowance(TAPS_A_SECOND, TAPS_AT_ONCE, monotonic())

    @property
    def is_television(self) -> bool:
        """Whether it shows the game to the room; then nothing can be tapped on it."""
        return self.link.is_for_television

    def count_message(self) -> bool:
        """Count a message; returns False if it comes too fast."""
        if self._allowance.take(monotonic()):
            self.messages_too_fast = 0
            return True
        self.messages_too_fast += 1
        return False

    # ------------------------------------------------------------------ what it is sent

    async def send_page(self, html: str) -> None:
        """Send the page of a side, in its present state."""
        await self._send({"at": self.journal_length, "keys": self.keys, "html": html})

    async def refuse_tap(self, sentence: str) -> None:
        """Send why the last message was not looked at. The page stays as it is."""
        await self._send({"wait": sentence})

    async def answer_ping(self) -> None:
        """Send that the connection still holds."""
        await self._send({"pong": 1})  # any message is an answer; the content is not read

    async def _send(self, message: Mapping[str, str | int | Sequence[str]]) -> None:
        await self.send_encoded(msgspec.json.encode(message).decode())

    async def send_encoded(self, message: str) -> None:
        """Send a message that is JSON already. A phone that does not take it is disconnected; it
        connects again by itself."""
        try:
            # A phone in a pocket takes nothing, and its connection stays open for minutes.
            async with asyncio.timeout(SEND_WITHIN):
                await self._socket.send_str(message)
        except (ConnectionError, TimeoutError):
            await self.disconnect()

    async def disconnect(self, sentence: str = "") -> None:
        """End the connection. With a sentence the page shows it and is over; without one it
        connects again."""
        with suppress(ConnectionError, TimeoutError):
            async with asyncio.timeout(SEND_WITHIN):
                if sentence:
                    await self._socket.send_json({"over": sentence})
                await self._socket.close()
