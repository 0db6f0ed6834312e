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
from typing import NamedTuple

import msgspec
from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from skirmish.web.refusal import NOTHING_THERE, refusal_page, wants_page

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
WEBSOCKET = "/ws"
"""Where a tab of the whole app connects."""
SIDE = "/side"
"""The page of a side."""
LIVE = "/side/live"
"""Where that page connects."""
LINK = "/s/"
"""The beginning of the address of a link."""
MAPS = {"/side/map/upright.svg": "upright", "/side/map/lying.svg": "lying"}
"""The two drawings of a battle's map, each with its shape."""
FACES = {
    "/page/stencil.woff2": "SairaStencilOne_400Regular",
    "/page/narrow-medium.woff2": "BarlowCondensed_500Medium",
    "/page/narrow-semibold.woff2": "BarlowCondensed_600SemiBold",
    "/page/narrow-bold.woff2": "BarlowCondensed_700Bold",
    "/page/text.woff2": "BarlowSemiCondensed_400Regular",
    "/page/text-semibold.woff2": "BarlowSemiCondensed_600SemiBold",
}
"""The product's own typefaces for browsers, each with the name of its file."""
OF_SIDES = (
    SIDE,
    LIVE,
    "/page/board.css",
    "/page/side.css",
    "/page/live.js",
    "/page/side.js",
    "/page/sides.css",
    "/page/strip.css",
    "/page/wall.css",
    "/page/wall.js",
    "/page/skirmish.svg",
    *MAPS,
    *FACES,
)
"""All that the link of a side opens."""

NOT_HERE = "This is not the address of Skirmish. Use the one that it printed when it started."
NO_TOKEN = (
    "Skirmish needs the whole address, including the token at its end.\n"
    "It is shown on the machine that runs Skirmish."
)
ELSEWHERE = "Other pages may not connect to Skirmish."
TOO_MANY = "These are too many requests. Wait a moment."
REQUESTS_A_SECOND = 200.0
"""The requests that one address may make in a second."""
MOST_ADDRESSES = 1_000
"""The addresses that are remembered; the one that was heard of longest ago is forgotten first."""
READ_ONLY = "Skirmish only answers GET and HEAD."

_HOST = re.compile(
    r"(?:\[(?P<six>[0-9a-f:.]+)\]|(?P<name>[^:\[\]@/\s]+))(?::(?P<port>[0-9]{1,5}))?"
)
"""A Host header: ``localhost:8044``, ``192.168.1.4``, ``[::1]:8044`` (IPv6 in brackets)."""

# A step between the address with the token and the one without. A redirect would not do: a browser
# that came here by a link on another site does not send a SameSite=Strict cookie along it.
STEP = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Skirmish</title>
<meta http-equiv="refresh" content="0; url={0}"><p><a href="{0}">Skirmish</a></p></html>
"""


class Gate(msgspec.Struct):
    """What is let through."""

    port: int
    token: str | None = None
    """The token of the whole app, which may change while the server runs; None: anyone on this
    machine may use it."""
    names: frozenset[str] = LOOPBACK
    """The host names that are ours, in lower case."""
    any_number: bool = False
    """Whether any numeric address is ours as well: nobody can make a number mean another
    machine."""

    @property
    def cookie(self) -> str:
        """The name of the cookie that holds the token. Cookies ignore ports, so two servers on one
        machine need two names."""
        return f"skirmish-{self.port}"

    @property
    def side_cookie(self) -> str:
        """The name of the cookie that holds the token of a side's link."""
        return f"skirmish-side-{self.port}"

    def is_ours(self, host: str) -> bool:
        """Whether a browser that sends this Host header means this server."""
        parts = _HOST.fullmatch(host.strip().lower())
        # Browsers leave port 80 out, which is the usual one.
        if parts is None or int(parts["port"] or 80) != self.port:
            return False
        name = parts["six"] or parts["name"].rstrip(".")  # a full name may end with a dot
        if name in self.names:
            return True
        return self.any_number and _is_number(name)

    def is_same_page(self, origin: str, host: str) -> bool:
        """Whether a request was sent by a page of this server, by its Origin header."""
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


class Allowance(NamedTuple):
    """The requests that an address had ``left`` at a ``time``, in seconds of the clock."""

    left: float
    time: float


class Rate:
    """At most so many requests of one address in a second, and twice as many at once."""

    def __init__(self, each_second: float = REQUESTS_A_SECOND) -> None:
        self._each_second = each_second
        self._allowances: OrderedDict[str, Allowance] = OrderedDict()
        """The allowances by address; the one that was heard of last stands at the end."""

    def spend(self, address: str, now: float) -> bool:
        """Take a request of ``address`` from its allowance; whether there was one left."""
        at_once = 2 * self._each_second
        before = self._allowances.pop(address, Allowance(at_once, now))
        gained = (now - before.time) * self._each_second
        left = min(before.left + gained, at_once)
        self._allowances[address] = Allowance(max(left - 1, 0.0), now)
        if len(self._allowances) > MOST_ADDRESSES:
            self._allowances.popitem(last=False)
        return left >= 1


def guard(gate: Gate, has_link: Callable[[web.Request], bool]) -> Middleware:
    """The gate as a middleware of aiohttp. It runs before routing, even for unknown paths, so that
    a stranger learns nothing. ``has_link``: whether a request comes with the link of a side, which
    opens the page of that side only."""
    rate = Rate()

    async def let_in(request: web.Request, handler: Handler) -> web.StreamResponse:
        """The answer to a request; raises HTTPError for one that may not come in."""
        if not rate.spend(request.remote or "", monotonic()):
            raise web.HTTPTooManyRequests(text=TOO_MANY)
        if request.method not in ("GET", "HEAD"):
            raise web.HTTPMethodNotAllowed(request.method, ["GET", "HEAD"], text=READ_ONLY)
        _check_page(gate, request)
        if gate.token is not None and "token" in request.query and request.path == "/":
            return _with_cookie(gate, gate.token, request.query["token"])
        is_of_side = request.path.startswith(LINK) or (
            request.path in OF_SIDES and has_link(request)
        )
        if not is_of_side and not gate.knows(request.cookies.get(gate.cookie)):
            raise web.HTTPForbidden(text=NO_TOKEN)
        return await handler(request)

    @web.middleware
    async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
        """The answer of ``let_in``; a browser that is refused gets a page that says why."""
        try:
            return await let_in(request, handler)
        except web.HTTPError as error:
            if not wants_page(request):
                raise
            text = error.text or ""
            # What aiohttp says by itself, where nobody wrote a sentence.
            if isinstance(error, web.HTTPNotFound) and text == f"404: {error.reason}":
                text = NOTHING_THERE
            return refusal_page(error.status, text)

    return guarded


def _check_page(gate: Gate, request: web.Request) -> None:
    """Raises HTTPForbidden unless the request is for this server, and is not sent by a page of
    another."""
    host = request.headers.get("Host", "")
    if not gate.is_ours(host):
        raise web.HTTPForbidden(text=NOT_HERE)
    origin = request.headers.get("Origin")
    if origin is not None:
        if not gate.is_same_page(origin, host):
            raise web.HTTPForbidden(text=ELSEWHERE)
    elif request.path in (WEBSOCKET, LIVE):
        # Browsers always send an Origin with a websocket, so what sends none is not our page.
        raise web.HTTPForbidden(text=ELSEWHERE)


def _with_cookie(gate: Gate, token: str, token_in_address: str) -> web.Response:
    """What a browser gets that comes with the ``token`` in its address: the cookie, and a step to
    the address without it. Raises HTTPForbidden if the address has another token."""
    if not gate.knows(token_in_address):
        raise web.HTTPForbidden(text=NO_TOKEN)
    answer = web.Response(text=STEP.format("/"), content_type="text/html")
    answer.set_cookie(gate.cookie, token, path="/", httponly=True, samesite="Strict")
    return answer


def strict_policy(request: web.Request) -> str:
    """The policy of a page of ours without styles or scripts of its own."""
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
        f"connect-src 'self' {_socket(request)}; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def _socket(request: web.Request) -> str:
    """The websocket's address for the policy. Some browsers do not count it as ``'self'``."""
    host = request.headers.get("Host", "").strip().lower()
    if _HOST.fullmatch(host) is None:
        return ""
    return f"ws://{host}"


async def seal(request: web.Request, response: web.StreamResponse) -> None:
    """The headers of every response: no caching, no frames, no referrer."""
    response.headers.setdefault("Cache-Control", "no-store")
    # The page of the whole app loads the terminal of textual-serve, which makes style sheets as it
    # runs: so this policy allows them. The pages of sides set the strict one.
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
