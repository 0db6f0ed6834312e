"""Access control in front of every response: textual-serve has none. It guards against three
dangers: a page of another site in the same browser (its Origin is different, and the cookie is not
sent along), a foreign host name that resolves to this machine (the Host header has that name), and
a stranger in the same network (who has no token)."""

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

from skirmish.web.links import LINK_PATH
from skirmish.web.refusal import NOTHING_THERE, refusal_page, wants_page

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
"""The host names by which a machine means itself."""
APP_SOCKET_PATH = "/ws"
"""Where a tab of the whole app connects."""
HEARTBEAT = 15.0
"""Seconds between two pings over a websocket; one that does not answer them is closed."""
SIDE_PAGE_PATH = "/side"
"""The page that belongs to the link that the browser remembers: that of a side, a spectator or a
television."""
SIDE_SOCKET_PATH = "/side/live"
"""Where that page connects."""
MAP_SHAPES = {"/side/map/upright.svg": "upright", "/side/map/lying.svg": "lying"}
"""The shapes of the two drawings of a battle's map, by their paths."""
TYPEFACE_FILES = {
    "/page/stencil.woff2": "SairaStencilOne_400Regular",
    "/page/narrow-medium.woff2": "BarlowCondensed_500Medium",
    "/page/narrow-semibold.woff2": "BarlowCondensed_600SemiBold",
    "/page/narrow-bold.woff2": "BarlowCondensed_700Bold",
    "/page/text.woff2": "BarlowSemiCondensed_400Regular",
    "/page/text-semibold.woff2": "BarlowSemiCondensed_600SemiBold",
}
"""The files of the product's own typefaces, by their paths for browsers."""
SIDE_PATHS = (
    SIDE_PAGE_PATH,
    SIDE_SOCKET_PATH,
    "/page/board.css",
    "/page/side.css",
    "/page/live.js",
    "/page/side.js",
    "/page/sides.css",
    "/page/strip.css",
    "/page/wall.css",
    "/page/wall.js",
    "/page/skirmish.svg",
    *MAP_SHAPES,
    *TYPEFACE_FILES,
)
"""All that may be asked for by a browser that remembers the link of a side, and has no token of the
whole app."""

WRONG_HOST = "This is not the address of Skirmish. Use the one that it printed when it started."
NO_TOKEN = (
    "Skirmish needs the whole address, including the token at its end.\n"
    "It is shown on the machine that runs Skirmish."
)
FOREIGN_PAGE = "Other pages may not connect to Skirmish."
TOO_MANY_REQUESTS = "These are too many requests. Wait a moment."
REQUESTS_A_SECOND = 200.0
"""The requests that one address may make in a second, in the long run. Our choice: to open the page
of a side takes some twenty (``SIDE_PATHS``)."""
REQUESTS_AT_ONCE = 400.0
"""The requests that it may make at once."""
MOST_ADDRESSES = 1_000
"""The addresses that are remembered; the one that was heard of longest ago is forgotten first."""
READ_ONLY = "Skirmish only answers GET and HEAD."

_HOST_HEADER = re.compile(
    r"(?:\[(?P<ipv6>[0-9a-f:.]+)\]|(?P<name>[^:\[\]@/\s]+))(?::(?P<port>[0-9]{1,5}))?"
)
"""A Host header: ``localhost:8044``, ``192.168.1.4``, ``[::1]:8044`` (IPv6 in brackets)."""

# This page leads from the address with the token to the one without. A redirect would not do: if
# the first address was opened from a page of another site, the browser would not send the
# SameSite=Strict cookie to the second.
FORWARDING_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Skirmish</title>
<meta http-equiv="refresh" content="0; url={0}"><p><a href="{0}">Skirmish</a></p></html>
"""


class Gate(msgspec.Struct):
    """Which hosts, pages and tokens are this server's: only their requests are answered."""

    port: int
    token: str | None = None
    """The token of the whole app, which may change while the server runs; None: anyone on this
    machine may use it."""
    host_names: frozenset[str] = LOOPBACK
    """The host names of this server, in lower case."""
    any_ip_address: bool = False
    """Whether any IP address in a Host header is accepted as well. A stranger can make a name of
    his own resolve to this machine, but an IP address always means the machine that has it."""

    @property
    def cookie(self) -> str:
        """The name of the cookie that holds the token. Cookies ignore ports, so two servers on one
        machine need two names."""
        return f"skirmish-{self.port}"

    @property
    def side_cookie(self) -> str:
        """The name of the cookie that holds the token of a side's link."""
        return f"skirmish-side-{self.port}"

    def is_own_host(self, host: str) -> bool:
        """Whether a Host header names this server."""
        parts = _HOST_HEADER.fullmatch(host.strip().lower())
        if parts is None:
            return False
        port = int(parts["port"] or 80)  # browsers leave port 80 out, the standard one
        if port != self.port:
            return False
        name = parts["ipv6"] or parts["name"].rstrip(".")  # a full name may end with a dot
        if name in self.host_names:
            return True
        return self.any_ip_address and _is_ip_address(name)

    def is_own_origin(self, origin: str, host: str) -> bool:
        """Whether a request was sent by a page of this server, by its Origin and Host headers."""
        return origin.lower() == f"http://{host.strip().lower()}"

    def opens_app(self, token: str | None) -> bool:
        """Whether a browser with this token may use the whole app. A wrong token is refused in the
        same time however much of it is right, so that nobody can find ours piece by piece."""
        if self.token is None:
            return True
        if token is None:
            return False
        # A browser may send what UTF-8 cannot encode; it is no token of ours.
        return compare_digest(token.encode("utf-8", "replace"), self.token.encode())


def _is_ip_address(name: str) -> bool:
    """Whether a host name is no name but an IP address."""
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


class Allowance:
    """How many requests or taps somebody may still make at once. It grows steadily, by ``a_second``
    and up to ``at_once``, and each request takes 1 of it: a quick row of them passes, a flood does
    not. The times are those of the monotonic clock."""

    def __init__(self, a_second: float, at_once: float, now: float) -> None:
        self._a_second = a_second
        self._at_once = at_once
        self._left = at_once
        self._last_at = now

    def take(self, now: float) -> bool:
        """Count a request; returns whether it is allowed."""
        gained = (now - self._last_at) * self._a_second
        left = min(self._left + gained, self._at_once)
        # A refused request takes what is left: whoever does not slow down stays refused.
        self._left = max(left - 1, 0.0)
        self._last_at = now
        return left >= 1


class RequestLimit:
    """Limits the requests of each address."""

    def __init__(self) -> None:
        self._allowances: OrderedDict[str, Allowance] = OrderedDict()
        """The allowances by address; the one that was heard of last stands at the end."""

    def allow(self, address: str, now: float) -> bool:
        """Count a request of ``address``; returns whether it is to be answered."""
        allowance = self._allowances.pop(address, None)
        if allowance is None:
            allowance = Allowance(REQUESTS_A_SECOND, REQUESTS_AT_ONCE, now)
        self._allowances[address] = allowance
        if len(self._allowances) > MOST_ADDRESSES:
            self._allowances.popitem(last=False)
        return allowance.take(now)


def guard(gate: Gate, has_link: Callable[[web.Request], bool]) -> Middleware:
    """The gate as a middleware of aiohttp. A stranger gets the same answer for paths that exist and
    for others, and learns nothing. ``has_link``: whether a request comes with the link of a side,
    which opens the page of that side only."""
    limit = RequestLimit()

    @web.middleware
    async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
        """The answer to a request; a browser that is refused gets a page that says why. Raises
        HTTPError for whatever else is refused."""
        try:
            _check_limits(limit, request)
            _check_sender(gate, request)
            has_token_in_address = request.path == "/" and "token" in request.query
            if gate.token is not None and has_token_in_address:
                return _exchange_for_cookie(gate, gate.token, request.query["token"])
            if not _may_ask_for_path(gate, has_link, request):
                raise web.HTTPForbidden(text=NO_TOKEN)
            return await handler(request)
        except web.HTTPError as error:
            if not wants_page(request):
                raise
            return _page_of(error)

    return guarded


def _check_limits(limit: RequestLimit, request: web.Request) -> None:
    """Raises HTTPError for one request too many, and for a method that is never answered."""
    if not limit.allow(request.remote or "", monotonic()):
        raise web.HTTPTooManyRequests(text=TOO_MANY_REQUESTS)
    if request.method not in ("GET", "HEAD"):
        raise web.HTTPMethodNotAllowed(request.method, ["GET", "HEAD"], text=READ_ONLY)


def _may_ask_for_path(
    gate: Gate, has_link: Callable[[web.Request], bool], request: web.Request
) -> bool:
    """Whether the sender of a request may have the answer of its path."""
    if request.path.startswith(LINK_PATH):  # its token is in the path, and is checked later
        return True
    if request.path in SIDE_PATHS and has_link(request):
        return True
    return gate.opens_app(request.cookies.get(gate.cookie))


def _page_of(error: web.HTTPError) -> web.Response:
    """The page for a request that was refused with this error."""
    text = error.text or ""
    # aiohttp answers an unknown path with this text; no sentence of ours is in it.
    if isinstance(error, web.HTTPNotFound) and text == f"404: {error.reason}":
        text = NOTHING_THERE
    return refusal_page(error.status, text)


def _check_sender(gate: Gate, request: web.Request) -> None:
    """Raises HTTPForbidden unless the request is for this server and was not sent by a page of
    another site."""
    host = request.headers.get("Host", "")
    if not gate.is_own_host(host):
        raise web.HTTPForbidden(text=WRONG_HOST)
    origin = request.headers.get("Origin")
    if origin is not None:
        if not gate.is_own_origin(origin, host):
            raise web.HTTPForbidden(text=FOREIGN_PAGE)
    elif request.path in (APP_SOCKET_PATH, SIDE_SOCKET_PATH):
        # Browsers always send an Origin with a websocket, so what sends none is not our page.
        raise web.HTTPForbidden(text=FOREIGN_PAGE)


def _exchange_for_cookie(gate: Gate, token: str, token_in_address: str) -> web.Response:
    """The answer to a browser that comes with a token in its address: the cookie with the
    ``token``, and a page that leads to the address without it. Raises HTTPForbidden if it is not
    the token of this server."""
    if not gate.opens_app(token_in_address):
        raise web.HTTPForbidden(text=NO_TOKEN)
    answer = web.Response(text=FORWARDING_PAGE.format("/"), content_type="text/html")
    answer.set_cookie(gate.cookie, token, path="/", httponly=True, samesite="Strict")
    return answer


def strict_policy(request: web.Request) -> str:
    """The content security policy of a page of ours without styles or scripts in its markup."""
    return _policy(request, styles="'self'", images="'self'")


def _policy(request: web.Request, *, styles: str, images: str) -> str:
    """A content security policy with these sources of styles and images; whatever else a page
    fetches comes from this server."""
    return (
        f"default-src 'none'; script-src 'self'; style-src {styles}; img-src {images}; "
        f"font-src 'self'; connect-src 'self' {_websocket_source(request)}; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def _websocket_source(request: web.Request) -> str:
    """The websocket's address for the policy. Some browsers do not count it as ``'self'``."""
    host = request.headers.get("Host", "").strip().lower()
    if _HOST_HEADER.fullmatch(host) is None:
        return ""
    return f"ws://{host}"


async def add_security_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Forbid caching, frames, referrers and foreign content, in the headers of every response that
    does not say otherwise itself."""
    response.headers.setdefault("Cache-Control", "no-store")
    # The page of the whole app loads the terminal of textual-serve, which makes style sheets as it
    # runs: so this policy allows them. The pages of sides set the strict one.
    response.headers.setdefault(
        "Content-Security-Policy",
        _policy(request, styles="'self' 'unsafe-inline'", images="'self' data:"),
    )
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["X-Frame-Options"] = "DENY"
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    response.headers["Server"] = "Skirmish"
