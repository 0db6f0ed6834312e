"""Somebody at a page without the page: the talk that a browser has, the screen that it shows."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any, Self

import aiohttp
import pyte

PATIENCE = 30.0


class Visitor:
    """One tab. Everything that comes is read at once, but where ``listens`` is False."""

    def __init__(
        self, session: aiohttp.ClientSession, door: str, *, listens: bool = True, **headers: str
    ) -> None:
        self._session = session
        self._door = door
        self._headers = {"Origin": door.rstrip("/"), **headers}
        self._listens = listens
        self._screen = pyte.Screen(120, 40)
        self._stream = pyte.ByteStream(self._screen)
        self.said: list[list[Any]] = []
        self.bytes = 0

    async def __aenter__(self) -> Self:
        self.talk = await self._session.ws_connect(
            self._door.rstrip("/") + "/ws?width=120&height=40", headers=self._headers
        )
        self._hearing = asyncio.create_task(self._hear()) if self._listens else None
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.talk.close()
        if self._hearing is not None:
            await self._hearing

    async def _hear(self) -> None:
        async for message in self.talk:
            if message.type == aiohttp.WSMsgType.BINARY:
                self.bytes += len(message.data)
                self._stream.feed(message.data)
            else:
                self.said.append(json.loads(message.data))

    async def press(self, keys: str) -> None:
        """Type, as the bytes of a terminal."""
        await self.talk.send_json(["stdin", keys])

    def lines(self) -> list[str]:
        """The screen now."""
        return list(self._screen.display)

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait until this is so."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not holds():
                    await asyncio.sleep(0.03)
        except TimeoutError:
            shown = "\n".join(self.lines())
            raise AssertionError(f"it never came; said {self.said}, shown:\n{shown}") from None

    async def until_says(self, words: str) -> None:
        """Wait until a line of the screen holds ``words``."""
        await self.until(lambda: any(words in line for line in self.lines()))

    async def until_closed(self) -> str:
        """Wait until the server hangs up; the last thing it said why."""
        await self.until(lambda: self.talk.closed)
        return next((what for kind, what in reversed(self.said) if kind == "over"), "")
