"""A tab is a process: it begins with the page, ends with it, and harms no other."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import sys
from asyncio.subprocess import Process
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, closing
from pathlib import Path
from urllib.parse import urljoin

import aiohttp
import pytest
from aiohttp import web
from served import Served
from visitor import Visitor

from skirmish.web import server, tab
from skirmish.web.server import Sheets

Serve = Callable[..., Awaitable[Served]]

BACKSPACE = "\x7f"
STUBBORN = """
import signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
sys.stdout.write("__GANGLION__\\n")
sys.stdout.buffer.write(b"D" + (5).to_bytes(4, "big") + b"there")
sys.stdout.flush()
time.sleep(600)
"""
ENDLESS = """
import sys
sys.stdout.write("__GANGLION__\\n")
while True:
    sys.stdout.buffer.write(b"D" + (9000).to_bytes(4, "big") + b"x" * 9000)
"""
BREAKS = 'import sys; sys.exit("It cannot go on.")'


def instead(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    """Another program in the place of the app."""
    monkeypatch.setattr(tab, "command_to_start", lambda: [sys.executable, "-c", program])


def process_of(served: Served) -> Process:
    (only,) = served.server.tabs
    assert only.process is not None
    return only.process


async def ended(process: Process, within: float = 30.0) -> int:
    return await asyncio.wait_for(process.wait(), within)


def entries(database: Path) -> int:
    with closing(sqlite3.connect(database)) as file:
        return int(file.execute("SELECT count(*) FROM entry").fetchone()[0])


async def begin(visitor: Visitor) -> None:
    """Overmatched, as it is offered."""
    for words, key in (("New battle", "n"), ("Overmatched", "\r"), ("Begin", "b")):
        await visitor.until_says(words)
        await asyncio.sleep(0.1)
        await visitor.press(key)
    await visitor.until_says("0 of 50 lost")


async def test_a_closed_tab_ends_its_process_and_an_ended_app_closes_its_tab(
    serve: Serve, session: aiohttp.ClientSession
) -> None:
    served = await serve()
    async with Visitor(session, served.door) as visitor:
        await visitor.until_says("New battle")
        process = process_of(served)
    assert await ended(process) == 0
    await visitor.until(lambda: not served.server.tabs)
    async with Visitor(session, served.door) as visitor:
        await visitor.until_says("New battle")
        for nonsense in ("", "{", "[]", "[3]", '["resize", "large"]', '["stdin", 4]', '["x", 1]'):
            await visitor.talk.send_str(nonsense)
        await visitor.talk.send_bytes(b"\0\1")
        await visitor.talk.send_json(["resize", {"width": 10**9, "height": -4}])
        await visitor.talk.send_json(["resize", {"width": 120, "height": 40}])
        await visitor.talk.send_json(["ping", "7"])
        await visitor.until(lambda: ["pong", "7"] in visitor.said)
        process = process_of(served)
        await visitor.press("q")
        assert await visitor.until_closed() == tab.ENDED
    assert await ended(process) == 0


async def test_an_app_that_will_not_close_is_made_to(
    serve: Serve, session: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    instead(monkeypatch, STUBBORN)
    monkeypatch.setattr(tab, "CLOSE_WITHIN", 0.2)
    monkeypatch.setattr(tab, "FORCE_AFTER", 0.2)
    served = await serve()
    async with Visitor(session, served.door) as visitor:
        await visitor.until_says("there")
        process = process_of(served)
    assert await ended(process) != 0


async def test_who_broke_down_says_so(
    serve: Serve,
    session: aiohttp.ClientSession,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    instead(monkeypatch, BREAKS)
    served = await serve()
    async with Visitor(session, served.door) as visitor:
        assert await visitor.until_closed() == tab.BROKEN
    assert "It cannot go on." in capsys.readouterr().err


async def test_a_page_that_does_not_listen_holds_up_nobody(
    serve: Serve, session: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = await serve()
    monkeypatch.setattr(tab, "CLOSE_WITHIN", 0.5)
    monkeypatch.setattr(tab, "FORCE_AFTER", 0.2)
    async with Visitor(session, served.door) as good:
        await good.until_says("New battle")
        with monkeypatch.context() as patch:
            instead(patch, ENDLESS)
            async with Visitor(session, served.door, listens=False):
                await good.until(lambda: len(served.server.tabs) == 2)
                await asyncio.sleep(0.5)  # its pipes and buffers are full now
                deaf = served.server.tabs[1].process
                await good.press("n")
                await good.until_says("Overmatched")
        assert deaf is not None
        await ended(deaf)
        await good.until(lambda: len(served.server.tabs) == 1)


async def test_one_too_many_is_told_and_finds_a_place_later(
    serve: Serve, session: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    instead(monkeypatch, STUBBORN)
    monkeypatch.setattr(tab, "CLOSE_WITHIN", 0.1)
    monkeypatch.setattr(tab, "FORCE_AFTER", 0.2)
    monkeypatch.setattr(server, "MOST_TABS", 2)
    served = await serve()
    async with Visitor(session, served.door), AsyncExitStack() as stack:
        second = await stack.enter_async_context(Visitor(session, served.door))
        await second.until_says("there")
        async with Visitor(session, served.door) as third:
            assert await third.until_closed() == server.ALL_TABS_OPEN
        await stack.aclose()
        await second.until(lambda: len(served.server.tabs) == 1)
        async with Visitor(session, served.door) as fourth:
            await fourth.until_says("there")


async def test_a_server_that_ends_takes_every_process_with_it(
    serve: Serve, session: aiohttp.ClientSession, folder: Path
) -> None:
    served = await serve()
    async with Visitor(session, served.door) as one, Visitor(session, served.door) as two:
        await one.until_says("New battle")
        await two.until_says("New battle")
        processes = [open_tab.process for open_tab in served.server.tabs]
        await served.server.close()
        assert [process and process.returncode for process in processes] == [0, 0]
        await one.until_closed()


async def test_a_server_that_ends_takes_every_process_with_it_though_a_page_does_not_answer(
    serve: Serve, session: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def unanswered(_: web.WebSocketResponse, **_code: object) -> None:
        await asyncio.sleep(600)

    monkeypatch.setattr(server, "CLOSE_WITHIN", 0.1)
    monkeypatch.setattr(tab, "CLOSE_WITHIN", 0.1)
    monkeypatch.setattr(tab, "FORCE_AFTER", 0.2)
    instead(monkeypatch, STUBBORN)
    served = await serve()
    async with Visitor(session, served.door) as silent:
        await silent.until_says("there")
        process = process_of(served)
        with monkeypatch.context() as patch:
            patch.setattr(web.WebSocketResponse, "close", unanswered)
            await served.server.close()
        assert process.returncode is not None


async def test_two_tabs_on_one_battle_stay_in_step_and_lose_nothing(
    serve: Serve, session: aiohttp.ClientSession
) -> None:
    served = await serve()
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(Visitor(session, served.door))
        await begin(one)
        two = await stack.enter_async_context(Visitor(session, served.door))
        await two.until_says("Overmatched")
        await two.press("\r")
        await two.until_says("0 of 50 lost")
        begun = entries(served.database)
        await one.press(">")
        await one.until(lambda: entries(served.database) == begun + 1)
        await two.until_says("Phase 2: Defensive")
        await asyncio.sleep(0.5)  # a key at once was meant for the phase before
        await two.press(">")
        await two.until(lambda: entries(served.database) == begun + 2)
        await one.until_says("Phase 3: ")


async def test_a_sheet_that_is_printed_is_handed_to_the_page(
    serve: Serve, session: aiohttp.ClientSession
) -> None:
    served = await serve()
    async with Visitor(session, served.door) as visitor:
        await begin(visitor)
        await visitor.press("P")
        await visitor.until_says("The scenario sheet")
        await visitor.press("\r")
        await visitor.until(lambda: any(kind == "sheet" for kind, _ in visitor.said))
        sheet = next(what for kind, what in visitor.said if kind == "sheet")
        assert sheet["name"] == "scenario-01-overmatched.pdf"
        await visitor.until((served.folder / sheet["name"]).exists)
        kept = (served.folder / sheet["name"]).read_bytes()
        address = urljoin(served.door, sheet["address"])
        for _ in range(2):  # as often as wanted
            async with session.get(address) as answer:
                assert answer.content_type == "application/pdf"
                assert answer.headers["Content-Disposition"].startswith("inline")
                assert await answer.read() == kept
        async with session.get(address, params={"save": ""}) as answer:
            assert answer.headers["Content-Disposition"].startswith("attachment")
    async with session.get(address) as answer:
        assert answer.status == 200, "also once its tab is closed"
    async with session.get(address.replace("/sheets/", "/sheets/x")) as answer:
        assert answer.status == 404


def test_only_the_newest_sheets_are_held() -> None:
    sheets = Sheets()
    first = sheets.add("a.pdf", b"%PDF-")
    for number in range(60):
        last = sheets.add(f"{number}/\n.pdf", b"%PDF-" + bytes(number))
    assert len(sheets.keys) == 40
    assert first.split("/")[2] not in sheets.keys
    assert last.split("/")[2] in sheets.keys
    assert "\n" not in last
    assert last.count("/") == 3
    sheets.add("large.pdf", bytes(40 * 1024 * 1024))
    assert len(sheets.keys) == 1


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is a thing of POSIX")
async def test_processes_end_too_where_the_server_was_killed(
    session: aiohttp.ClientSession, folder: Path
) -> None:
    program = "import sys; from skirmish.cli import run; run(['serve', '--port', '0'])"
    env = {**os.environ, "SKIRMISH_DATABASE": str(folder / "kept.db")}
    killed = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, env=env, stdout=asyncio.subprocess.PIPE
    )
    assert killed.stdout is not None
    door = ""
    while not door.startswith("http://"):
        line = await asyncio.wait_for(killed.stdout.readline(), 30)
        assert line, "the server has ended"
        door = line.decode().strip()
    async with Visitor(session, door) as visitor:
        await visitor.until_says("New battle")
        (child,) = children(killed.pid)
        killed.kill()
        await killed.wait()
        await visitor.until(lambda: not alive(child))


def children(parent: int) -> list[int]:
    listed = Path(f"/proc/{parent}/task/{parent}/children")
    if not listed.exists():
        pytest.skip("this system does not list a process's children")
    return [int(child) for child in listed.read_text().split()]


def alive(process: int) -> bool:
    try:
        return " Z " not in Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False


async def test_a_server_that_stops_with_its_last_tab_waits_for_a_page_loaded_again(
    serve: Serve, session: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = await serve(until_closed=True)
    assert not served.server.is_over()  # the browser may still be starting
    async with Visitor(session, served.door) as visitor:
        await visitor.until_says("New battle")
        assert not served.server.is_over()
    await visitor.until(lambda: not served.server.tabs)
    assert not served.server.is_over()
    monkeypatch.setattr(server, "CLOSED_FOR_GOOD", 0.0)
    async with Visitor(session, served.door) as visitor:
        await visitor.until_says("New battle")
    await visitor.until(served.server.is_over)


async def test_a_server_that_stops_with_its_last_tab_stops_at_once_when_its_app_is_left(
    serve: Serve, session: aiohttp.ClientSession
) -> None:
    served = await serve(until_closed=True)
    async with Visitor(session, served.door) as visitor:
        await visitor.until_says("New battle")
        await visitor.press("q")
        await visitor.until(lambda: not served.server.tabs)
    assert served.server.is_over()


async def test_the_last_app_that_is_left_tells_its_page_that_the_server_stops(
    serve: Serve, session: aiohttp.ClientSession
) -> None:
    served = await serve(until_closed=True)
    async with Visitor(session, served.door) as first, Visitor(session, served.door) as second:
        for visitor in (first, second):
            await visitor.until_says("New battle")
        for visitor in (first, second):
            await visitor.press("q")
            await visitor.until(lambda left=visitor: left.said)
    assert first.said[-1] == ["over", tab.ENDED]
    assert second.said[-1] == ["stopped", tab.STOPPED]


async def test_a_server_stops_by_no_tab_unless_it_was_asked_to(
    serve: Serve, session: aiohttp.ClientSession
) -> None:
    served = await serve()
    async with Visitor(session, served.door) as visitor:
        await visitor.until_says("New battle")
        await visitor.press("q")
        await visitor.until(lambda: not served.server.tabs)
    assert not served.server.is_over()
