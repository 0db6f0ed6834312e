"""Who is let in, and who is not: every door of the server, tried as a stranger would."""

from __future__ import annotations

import asyncio
import re
from base64 import b64encode
from collections.abc import Awaitable, Callable
from hashlib import sha256
from pathlib import Path

import aiohttp
import pytest
from served import TOKEN, Served
from visitor import Visitor

from skirmish.cli.serve import _gate as gate_of_server
from skirmish.web import gate as gates
from skirmish.web import server as servers
from skirmish.web.gate import LOOPBACK, Gate
from skirmish.web.links import LinkBook, new_token
from skirmish.web.refusal import NOTHING_THERE
from skirmish.web.server import PAGE_FOLDER

Serve = Callable[..., Awaitable[Served]]
DOORS = ["", "page/skirmish.js", "static/js/textual.js", "sheets/any/sheet.pdf", "nowhere"]


async def refused(session: aiohttp.ClientSession, door: str, **headers: str) -> int:
    """The answer to a websocket from somebody."""
    with pytest.raises(aiohttp.WSServerHandshakeError) as error:
        await session.ws_connect(door + "ws", headers=headers)
    return error.value.status


@pytest.mark.parametrize(
    ("host", "lan"),
    [
        ("localhost:8044", False),
        ("LOCALHOST.:8044", False),
        ("127.0.0.1:8044", False),
        ("[::1]:8044", False),
        ("192.168.0.7:8044", True),
        ("[fe80::1]:8044", True),
        ("shed.local:8044", True),
    ],
)
def test_these_hosts_are_ours(host: str, lan: bool) -> None:
    names = LOOPBACK | {"shed.local"} if lan else LOOPBACK
    assert Gate(8044, "t" if lan else None, names, lan).is_own_host(host)


@pytest.mark.parametrize(
    "host",
    [
        "",
        "localhost",
        "localhost:8045",
        "localhost.evil.example:8044",
        "evil.example:8044",
        "evil.example:8044@localhost:8044",
        "192.168.0.7:8044",
        "[::1:8044",
        "localhost:8044:8044",
        "127.0.0.1.:80440",
    ],
)
def test_these_hosts_are_not(host: str) -> None:
    assert not Gate(8044).is_own_host(host)
    if "192" not in host:
        assert not Gate(8044, "t", LOOPBACK, True).is_own_host(host)


def test_a_token_is_long_new_each_time_and_easily_typed() -> None:
    tokens = {new_token() for _ in range(50)}
    assert len(tokens) == 50
    for token in tokens:
        assert re.fullmatch(r"([a-z2-9]{5}-){3}[a-z2-9]{5}", token)
        assert not set(token) & set("il1o0")


async def test_on_this_machine_no_token_is_needed(
    serve: Serve, session: aiohttp.ClientSession
) -> None:
    served = await serve()
    for door in (served.door, served.door.replace("127.0.0.1", "localhost")):
        async with session.get(door) as answer:
            assert answer.status == 200
            assert "<title>Skirmish</title>" in await answer.text()


async def test_a_foreign_name_for_this_machine_is_refused(
    serve: Serve, session: aiohttp.ClientSession
) -> None:
    served = await serve()
    evil = f"evil.example:{served.gate.port}"
    for door in DOORS:
        async with session.get(served.door + door, headers={"Host": evil}) as answer:
            assert answer.status == 403, door
            assert await answer.text() == gates.WRONG_HOST
    told = {"Host": evil, "Origin": f"http://{evil}"}
    assert await refused(session, served.door, **told) == 403
    assert served.server.tabs == ()


async def test_a_browser_that_is_refused_gets_a_page_of_ours(
    serve: Serve, session: aiohttp.ClientSession
) -> None:
    """Whole in itself, since a stranger may fetch nothing; a program gets plain text."""
    served = await serve(TOKEN)
    as_browser = {"Accept": "text/html,application/xhtml+xml"}
    for path, status in (("", 403), ("?token=wrong", 403), ("nowhere", 403)):
        async with session.get(served.door + path, headers=as_browser) as answer:
            page = await answer.text()
            assert (answer.status, answer.content_type) == (status, "text/html"), path
            policy = answer.headers["Content-Security-Policy"]
        assert page.count("<h1>") == page.count("<main>") == 1
        assert "<script" not in page
        assert "href" not in page
        (style,) = re.findall("<style>(.*?)</style>", page, re.DOTALL)
        hashed = b64encode(sha256(style.encode()).digest()).decode()
        assert f"style-src 'sha256-{hashed}'" in policy
    async with session.get(served.door) as answer:
        assert await answer.text() == gates.NO_TOKEN


async def test_an_address_that_leads_nowhere_says_so_on_a_page(
    serve: Serve, session: aiohttp.ClientSession
) -> None:
    served = await serve()
    as_browser = {"Accept": "text/html"}
    async with session.get(f"{served.door}nowhere", headers=as_browser) as answer:
        assert answer.status == 404
        assert NOTHING_THERE in await answer.text()
    async with session.get(f"{served.door}sheets/none/none.pdf", headers=as_browser) as answer:
        assert answer.status == 404
        assert "Print it again." in await answer.text()


async def test_a_websocket_of_another_page_is_refused(
    serve: Serve, session: aiohttp.ClientSession
) -> None:
    served = await serve()
    port = served.gate.port
    for origin in (
        "http://evil.example",
        f"https://127.0.0.1:{port}",
        f"http://127.0.0.1:{port + 1}",
        f"http://localhost:{port}",  # ours, but not the page that this host was asked for
        f"http://127.0.0.1:{port}.evil.example",
        "null",
        "",
    ):
        assert await refused(session, served.door, Origin=origin) == 403, origin
    assert await refused(session, served.door) == 403, "no Origin at all"
    async with session.get(served.door, headers={"Origin": "http://evil.example"}) as answer:
        assert answer.status == 403
    assert served.server.tabs == ()


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
async def test_nothing_is_answered_but_get_and_head(
    serve: Serve, session: aiohttp.ClientSession, method: str
) -> None:
    served = await serve()
    async with session.request(method, served.door) as answer:
        assert answer.status == 405
        assert answer.headers["Allow"] == "GET,HEAD"
    async with session.head(served.door) as answer:
        assert answer.status == 200


async def test_without_the_token_every_door_is_shut(
    serve: Serve, session: aiohttp.ClientSession
) -> None:
    served = await serve(TOKEN)
    wrong = TOKEN[:-1] + ("x" if TOKEN[-1] != "x" else "y")
    for door in DOORS:
        for how in (
            {},
            {"params": {"token": wrong}},
            {"params": {"token": ""}},
            {"params": {"token": "\N{SNOWMAN}"}},
            {"headers": {"Cookie": f"{served.gate.cookie}={wrong}"}},
            {"headers": {"Cookie": f"skirmish={TOKEN}"}},
        ):
            async with session.get(served.door + door, **how) as answer:  # type: ignore[arg-type]
                assert answer.status == 403, (door, how)
                assert answer.headers.getall("Set-Cookie", []) == []
                assert TOKEN not in await answer.text()
    own = served.door.rstrip("/")
    assert await refused(session, served.door, Origin=own) == 403
    cookie = f"{served.gate.cookie}={wrong}"
    assert await refused(session, served.door, Origin=own, Cookie=cookie) == 403
    with_token = {"Origin": own}
    assert await refused(session, f"{served.door}ws?token={TOKEN}&to=", **with_token) == 403
    assert served.server.tabs == ()


async def test_the_token_becomes_a_cookie_and_leaves_the_address(
    serve: Serve, session: aiohttp.ClientSession
) -> None:
    served = await serve(TOKEN)
    async with session.get(served.door, params={"token": TOKEN}) as answer:
        assert answer.status == 200
        text = await answer.text()
        assert 'content="0; url=/"' in text
        assert TOKEN not in text
        (cookie,) = answer.headers.getall("Set-Cookie")
        assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(cookie.split("; "))
    async with session.get(served.door) as answer:
        assert answer.status == 200
        assert "skirmish.js" in await answer.text()
    own = served.door.rstrip("/")
    assert await refused(session, served.door, Origin="http://evil.example") == 403
    async with Visitor(session, served.door, Origin=own) as visitor:
        await visitor.until_says("New battle")


async def test_everything_goes_out_sealed(serve: Serve, session: aiohttp.ClientSession) -> None:
    served = await serve()
    for door in DOORS:
        async with session.get(served.door + door) as answer:
            heads = answer.headers
            assert heads["Cache-Control"] == "no-store", door
            assert heads["X-Content-Type-Options"] == "nosniff"
            assert heads["Referrer-Policy"] == "no-referrer"
            assert "frame-ancestors 'none'" in heads["Content-Security-Policy"]
            assert "aiohttp" not in heads["Server"].lower()


async def test_no_folder_is_listed_and_no_other_file_is_sent(
    serve: Serve, session: aiohttp.ClientSession
) -> None:
    served = await serve()
    for door in (
        "static/",
        "static/js",
        "page/",
        "page/..%2fgate.py",
        "page/../gate.py",
        "gate.py",
    ):
        async with session.get(served.door + door) as answer:
            assert answer.status in (403, 404), door


def test_the_page_names_no_other_place() -> None:
    for file in PAGE_FOLDER.iterdir():
        found = set(re.findall(r"(?:https?:)?//[a-z0-9][\w.-]*", file.read_text("utf-8")))
        assert found <= {"http://www.w3.org"}, file  # how a drawing says that it is one


@pytest.mark.parametrize("begun", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: localhost\r\n"])
async def test_a_request_that_is_never_sent_whole_is_hung_up_on(
    serve: Serve, begun: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servers, "REQUEST_WITHIN", 0.1)
    served = await serve()
    reader, writer = await asyncio.open_connection("127.0.0.1", served.gate.port)
    writer.write(begun)
    async with asyncio.timeout(30):
        while await reader.read(1000):
            pass
    writer.close()


def test_every_text_of_the_page_stands_in_a_landmark_or_is_announced() -> None:
    """As axe-core asks for in its best practice."""
    page = (PAGE_FOLDER / "index.html").read_text("utf-8")
    body = page.partition("<body>")[2].partition("</body>")[0]
    parts = re.findall(r"^    <(?!/)(\w+)(.*?)>", body, re.MULTILINE)
    assert "main" in dict(parts)
    for tag, attributes in parts:
        is_landmark = tag in {"header", "main", "nav", "noscript"}
        assert is_landmark or re.search(r"role=|aria-live=", attributes), (tag, attributes)


def test_in_the_network_a_host_without_a_name_is_not_ours(tmp_path: Path) -> None:
    """Nobody named a host with --host, and a lone dot names none."""
    gate = gate_of_server(lan=True, host=None, port=8044, book=LinkBook(tmp_path / "club.db"))
    assert gate.is_own_host("127.0.0.1:8044")
    assert not gate.is_own_host(".:8044")
