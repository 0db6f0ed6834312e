"""A real Chromium, driven by its own protocol: no library is needed for as little as this.

``Page`` types, clicks, and reads the screen out of what the page was sent, as a terminal would.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import shutil
import tempfile
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import aiohttp
import pyte

PATIENCE = 30.0
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

_KEYS = {  # the place of a key, its number, what it types
    "Enter": ("Enter", 13, "\r"),
    "Escape": ("Escape", 27, ""),
    "Tab": ("Tab", 9, ""),
    "Backspace": ("Backspace", 8, ""),
    "Home": ("Home", 36, ""),
    "End": ("End", 35, ""),
    "ArrowUp": ("ArrowUp", 38, ""),
    "F1": ("F1", 112, ""),
    "F2": ("F2", 113, ""),
    " ": ("Space", 32, " "),
}


def found() -> str | None:
    """Where a Chromium is on this machine, if one is."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Page:
    """One tab of the browser. The screen is as large as the terminal in it says when it opens."""

    def __init__(self, browser: Browser, session: str, target: str) -> None:
        self._browser = browser
        self._session = session
        self._target = target
        self._screen = pyte.Screen(80, 24)
        self._stream = pyte.ByteStream(self._screen)
        self._socket = ""
        self.fetched: list[str] = []

    async def ask(self, method: str, **what: Any) -> dict[str, Any]:
        """A command of the protocol; its answer."""
        return await self._browser.ask(method, self._session, **what)

    def heard(self, event: str, what: dict[str, Any]) -> None:
        """Something happened in the page."""
        match event:
            case "Network.webSocketCreated":
                self._blank(what["requestId"])
            case "Network.webSocketFrameReceived" if what["requestId"] == self._socket:
                if what["response"]["opcode"] == 2:
                    self._stream.feed(base64.b64decode(what["response"]["payloadData"]))
            case "Network.webSocketFrameSent" if what["requestId"] == self._socket:
                kind, *size = json.loads(what["response"]["payloadData"])
                if kind == "resize":
                    self._screen.resize(size[0]["height"], size[0]["width"])
            case "Network.requestWillBeSent":
                self.fetched.append(what["request"]["url"])

    def _blank(self, socket: str) -> None:
        """Nothing of the terminal before counts any more."""
        self._socket = socket
        self._screen.reset()

    async def go(self, address: str) -> None:
        """Open an address."""
        self._blank("")
        await self.ask("Page.navigate", url=address)

    async def reload(self) -> None:
        """As F5 does."""
        self._blank("")
        await self.ask("Page.reload")

    async def close(self) -> None:
        """As the cross on the tab does."""
        await self._browser.ask("Target.closeTarget", targetId=self._target)

    def lines(self) -> list[str]:
        """What the terminal shows."""
        return list(self._screen.display)

    async def until(self, holds: Callable[[list[str]], object]) -> None:
        """Wait until the terminal shows this."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not holds(self.lines()):
                    await asyncio.sleep(0.05)
        except TimeoutError:
            raise AssertionError("it never came; shown:\n" + "\n".join(self.lines())) from None

    async def until_says(self, words: str) -> None:
        """Wait until some line of the terminal holds ``words``."""
        await self.until(lambda lines: any(words in line for line in lines))

    async def value(self, script: str) -> Any:
        """What a piece of script in the page gives."""
        answer = await self.ask(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        return answer["result"].get("value")

    async def until_true(self, script: str) -> None:
        """Wait until a piece of script in the page gives something true."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not await self.value(script):
                    await asyncio.sleep(0.05)
        except TimeoutError:
            raise AssertionError(f"never true: {script}") from None

    async def press(self, *keys: str) -> None:
        """Press keys: letters, ``Enter``, ``ctrl+p``."""
        for pressed in keys:
            await self._press(pressed)

    async def _press(self, pressed: str) -> None:
        key = pressed.removeprefix("ctrl+")
        held = 0 if key == pressed else 2
        if key in _KEYS:
            code, number, text = _KEYS[key]
        elif key.isascii() and key.isalnum():
            code, number, text = f"Key{key.upper()}", ord(key.upper()), key
        else:  # its number is another on every keyboard
            code, number, text = "", 0, key
        what = {
            "key": key,
            "code": code,
            "windowsVirtualKeyCode": number,
            "modifiers": held,
        }
        if text and not held:
            await self.ask("Input.dispatchKeyEvent", type="keyDown", text=text, **what)
        else:
            await self.ask("Input.dispatchKeyEvent", type="rawKeyDown", **what)
        await self.ask("Input.dispatchKeyEvent", type="keyUp", **what)

    async def click_on(self, words: str) -> None:
        """Click the first place in the terminal that says ``words``."""
        where = await self._place(words)
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            held = {} if kind == "mouseMoved" else {"button": "left", "clickCount": 1}
            await self.ask("Input.dispatchMouseEvent", type=kind, **where, **held)

    async def tap_on(self, words: str) -> None:
        """The same with a finger."""
        await self.swipe(words, 0)

    async def swipe(self, words: str, up: int) -> None:
        """A finger put down there, moved up by so many pixels, and lifted."""
        where = await self._place(words)
        moves = [{**where, "y": where["y"] - step} for step in range(10, up + 1, 10)]
        for kind, points in (
            ("touchStart", [where]),
            *(("touchMove", [move]) for move in moves),
            ("touchEnd", list[dict[str, float]]()),
        ):
            await self.ask("Input.dispatchTouchEvent", type=kind, touchPoints=points)

    async def _place(self, words: str) -> dict[str, float]:
        """Where in the page, in pixels, the terminal says ``words``."""
        row, line = next((r, text) for r, text in enumerate(self.lines()) if words in text)
        area = await self.value(
            "(({x, y, width, height}) => [x, y, width, height])"
            "(document.querySelector('.xterm-screen').getBoundingClientRect())"
        )
        wide, high = area[2] / self._screen.columns, area[3] / self._screen.lines
        return {"x": area[0] + wide * (line.index(words) + 0.5), "y": area[1] + high * (row + 0.5)}

    async def sized(self, width: int, height: int, *, touch: bool = False) -> None:
        """A window, or a tablet, of so many pixels."""
        await self.ask(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=touch,
        )
        await self.ask("Emulation.setTouchEmulationEnabled", enabled=touch)

    async def picture(self, path: Path) -> None:
        """What a person sees, as a PNG."""
        answer = await self.ask("Page.captureScreenshot", format="png")
        path.write_bytes(base64.b64decode(answer["data"]))


class Browser:
    """The browser, and the talk with it."""

    def __init__(self, talk: aiohttp.ClientWebSocketResponse) -> None:
        self._talk = talk
        self._number = 0
        self._asked: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._pages: dict[str, Page] = {}

    async def listen(self) -> None:
        """Hear it until it ends."""
        async for message in self._talk:
            said = json.loads(message.data)
            if "id" in said:
                waiting = self._asked.pop(said["id"])
                if waiting.done():
                    continue
                if "error" in said:
                    waiting.set_exception(AssertionError(said["error"]["message"]))
                else:
                    waiting.set_result(said["result"])
            elif page := self._pages.get(said.get("sessionId", "")):
                page.heard(said["method"], said["params"])

    async def ask(self, method: str, session: str | None = None, **what: Any) -> dict[str, Any]:
        """A command of the protocol; its answer."""
        self._number += 1
        waiting = self._asked[self._number] = asyncio.get_running_loop().create_future()
        command = {"id": self._number, "method": method, "params": what}
        await self._talk.send_json(command | ({"sessionId": session} if session else {}))
        return await asyncio.wait_for(waiting, PATIENCE)

    async def page(
        self, width: int = 1280, height: int = 800, *, touch: bool = False, apart: bool = False
    ) -> Page:
        """A new tab; ``apart``: of another person, with cookies of his own."""
        own = await self.ask("Target.createBrowserContext") if apart else {}
        target = (await self.ask("Target.createTarget", url="about:blank", **own))["targetId"]
        attached = await self.ask("Target.attachToTarget", targetId=target, flatten=True)
        page = self._pages[attached["sessionId"]] = Page(self, attached["sessionId"], target)
        for domain in ("Page", "Network", "Runtime"):
            await page.ask(f"{domain}.enable")
        await page.sized(width, height, touch=touch)
        return page


@asynccontextmanager
async def browsing() -> AsyncIterator[Browser]:
    """A Chromium without a window, with nothing remembered from before."""
    path = found()
    assert path is not None
    with tempfile.TemporaryDirectory(prefix="skirmish-browser-", ignore_cleanup_errors=True) as own:
        process = await asyncio.create_subprocess_exec(
            path,
            "--headless=new",
            "--remote-debugging-port=0",
            f"--user-data-dir={own}",
            "--no-first-run",
            "--no-proxy-server",
            "--disable-extensions",
            "--disable-component-update",
            "--disable-background-networking",
            "--disable-dev-shm-usage",
            "--disable-gpu",
            *(["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []),
            "about:blank",
            stdout=DEVNULL,
            stderr=PIPE,
        )
        assert process.stderr is not None
        try:
            async with asyncio.timeout(PATIENCE):
                while b"DevTools listening on " not in (line := await process.stderr.readline()):
                    assert line, "Chromium did not start"
            address = line.decode().split()[-1]
            drain = asyncio.create_task(process.stderr.read())
            async with (
                aiohttp.ClientSession() as session,
                session.ws_connect(address, max_msg_size=0) as talk,
            ):
                browser = Browser(talk)
                listening = asyncio.create_task(browser.listen())
                yield browser
                listening.cancel()
            drain.cancel()
        finally:
            with suppress(ProcessLookupError):
                process.terminate()
            with suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), 10)
            if process.returncode is None:
                process.kill()
                await process.wait()
