"""Access control in front of every response of textual-serve, which has none. It guards against
three dangers: another page in the same browser (its Origin is different, and the cookie is not sent
along), a foreign name that resolves to this machine (the Host header has that name), and a stranger
in the same network (without the token)."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable
from hmac import compare_digest
from ipaddress import ip_address
from time import monotonic

import msgspec
from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
WEBSOCKET, LIVE = "/ws", "/side/live"
SIDE = "/side"
ENTER = "/s/"
"""The beginning of the address of a link."""
OF_SIDES = (SIDE, LIVE, "/page/side.css", "/page/side.js", "/page/skirmish.svg")
"""All that the link of a side opens."""

NOT_HERE = "This is not the address of Skirmish. Use the one that it printed when it started."
NO_TOKEN = (
    "Skirmish needs the whole address, including the token at its end.\n"
    "It is shown on the machine that runs Skirmish."
)
ELSEWHERE = "Other pages may not connect to Skirmish."
TOO_MANY = "These are too many requests. Wait a moment."
REQUESTS, ADDRESSES = 200.0, 1_000
"""The requests that one address may make in a second; the addresses that are remembered."""
READ_ONLY = "Skirmish only answers GET and HEAD."

_HOST = re.compile(
    r"(?:\[(?P<six>[0-9a-f:.]+)\]|(?P<name>[^:\[\]@/\s]+))(?::(?P<port>[0-9]{1,5}))?"
)

# A step between the address with the token and the one without. A redirect would not do: a browser
# that came here by a link on another site does not send a SameSite=Strict cookie along it.
STEP = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Skirmish</title>
<meta http-equiv="refresh" content="0; url={0}"><p><a href="{0}">Skirmish</a></p></html>
"""


class Gate(msgspec.Struct):
    """What is let through: the ``port`` in use; the ``token`` (None: anyone on this machine), which
    may change while the server runs; the host ``names`` that are ours; whether any numeric address
    is (``numbers``), since nobody can make a number mean another machine."""

    port: int
    token: str | None = None
    names: frozenset[str] = LOOPBACK
    numbers: bool = False

    @property
    def cookie(self) -> str:
        """Its name. Cookies ignore ports, so two servers on one machine need two names."""
        return f"skirmish-{self.port}"

    @property
    def side_cookie(self) -> str:
        return f"skirmish-side-{self.port}"

    def is_ours(self, host: str) -> bool:
        found = _HOST.fullmatch(host.strip().lower())
        if found is None or int(found["port"] or 80) != self.port:
            return False
        name = found["six"] or found["name"].rstrip(".")
        return name in self.names or (self.numbers and _is_number(name))

    def is_same_page(self, origin: str, host: str) -> bool:
        return origin.lower() == f"http://{host.strip().lower()}"

    def knows(self, token: str | None) -> bool:
        """Whether ``token`` is ours, in constant time."""
        if self.token is None:
            return True
        return token is not None and compare_digest(
            token.encode("utf-8", "replace"), self.token.encode()
        )


def _is_number(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


class Rate:
    """At most so many requests of one address in a second, and twice as many at once."""

    def __init__(self, each_second: float = REQUESTS) -> None:
        self._each_second = each_second
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def is_too_high(self, address: str, now: float) -> bool:
        most = 2 * self._each_second
        left, then = self._left.pop(address, (most, now))
        left = min(left + (now - then) * self._each_second, most)
        self._left[address] = max(left - 1, 0.0), now
        if len(self._left) > ADDRESSES:
            self._left.popitem(last=False)
        return left < 1


def guard(gate: Gate, has_link: Callable[[web.Request], bool]) -> Middleware:
    """The gate as a middleware of aiohttp. It runs before routing, even for unknown paths, so that
    a stranger learns nothing. ``has_link``: whether a request comes with the link of a side, which
    opens the page of that side only."""
    rate = Rate()

    @web.middleware
    async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
        if rate.is_too_high(request.remote or "", monotonic()):
            return web.Response(status=429, text=TOO_MANY)
        if request.method not in ("GET", "HEAD"):
            raise web.HTTPMethodNotAllowed(request.method, ["GET", "HEAD"], text=READ_ONLY)
        host = request.headers.get("Host", "")
        if not gate.is_ours(host):
            raise web.HTTPForbidden(text=NOT_HERE)
        origin = request.headers.get("Origin")
        if origin is None:
            if request.path in (WEBSOCKET, LIVE):  # browsers always send one with a websocket
                raise web.HTTPForbidden(text=ELSEWHERE)
        elif not gate.is_same_page(origin, host):
            raise web.HTTPForbidden(text=ELSEWHERE)
        if gate.token is not None and "token" in request.query and request.path == "/":
            if not gate.knows(request.query["token"]):
                raise web.HTTPForbidden(text=NO_TOKEN)
            answer = web.Response(text=STEP.format("/"), content_type="text/html")
            answer.set_cookie(gate.cookie, gate.token, path="/", httponly=True, samesite="Strict")
            return answer
        of_sides = request.path.startswith(ENTER) or (
            request.path in OF_SIDES and has_link(request)
        )
        if not (of_sides or gate.knows(request.cookies.get(gate.cookie))):
            raise web.HTTPForbidden(text=NO_TOKEN)
        return await handler(request)

    return guarded


def strict_policy(request: web.Request) -> str:
    """The policy of a page of ours without styles or scripts of its own."""
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        f"connect-src 'self' {_socket(request)}; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def _socket(request: web.Request) -> str:
    host = request.headers.get("Host", "").strip().lower()
    return f"ws://{host}" if _HOST.fullmatch(host) else ""


async def seal(request: web.Request, response: web.StreamResponse) -> None:
    """The headers of every response: no caching, no frames, no referrer."""
    response.headers.setdefault("Cache-Control", "no-store")
    response.headers.setdefault(
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
        f"img-src 'self' data:; font-src 'self'; connect-src 'self' {_socket(request)}; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["X-Frame-Options"] = "DENY"
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    response.headers["Server"] = "Skirmish"
