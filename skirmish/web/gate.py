"""Access control in front of every response of textual-serve, which has none. It guards against
three dangers: another page in the same browser (its Origin is different, and the cookie is not sent
along), a foreign name that resolves to this machine (the Host header has that name), and a stranger
in the same network (without the token)."""

from __future__ import annotations

import re
import secrets
from hmac import compare_digest
from ipaddress import ip_address

import msgspec
from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
WEBSOCKET = "/ws"

NOT_HERE = "This is not the address of Skirmish. Use the one that it printed when it started."
NO_TOKEN = (
    "Skirmish needs the whole address, including the token at its end.\n"
    "It is shown on the machine that runs Skirmish."
)
ELSEWHERE = "Other pages may not connect to Skirmish."
READ_ONLY = "Skirmish only answers GET and HEAD."

_SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"  # without characters that are easily confused
_HOST = re.compile(
    r"(?:\[(?P<six>[0-9a-f:.]+)\]|(?P<name>[^:\[\]@/\s]+))(?::(?P<port>[0-9]{1,5}))?"
)

# A step between the address with the token and the one without. A redirect would not do: a browser
# that came here by a link on another site does not send a SameSite=Strict cookie along it.
_STEP = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Skirmish</title>
<meta http-equiv="refresh" content="0; url=/"><p><a href="/">Skirmish</a></p></html>
"""


def new_token() -> str:
    """An access token of 99 bits, short enough to be typed on a tablet."""
    return "-".join("".join(secrets.choice(_SIGNS) for _ in range(5)) for _ in range(4))


class Gate(msgspec.Struct, frozen=True):
    """What is let through: the ``port`` in use; the ``token`` (None: anyone on this machine); the
    host ``names`` that are ours; whether any numeric address is (``numbers``), since nobody can
    make a number mean another machine."""

    port: int
    token: str | None = None
    names: frozenset[str] = LOOPBACK
    numbers: bool = False

    @property
    def cookie(self) -> str:
        """Its name. Cookies ignore ports, so two servers on one machine need two names."""
        return f"skirmish-{self.port}"

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
        return token is not None and compare_digest(token.encode(), self.token.encode())


def _is_number(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def guard(gate: Gate) -> Middleware:
    """The gate as a middleware of aiohttp. It runs before routing, even for unknown paths, so that
    a stranger learns nothing."""

    @web.middleware
    async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.method not in ("GET", "HEAD"):
            raise web.HTTPMethodNotAllowed(request.method, ["GET", "HEAD"], text=READ_ONLY)
        host = request.headers.get("Host", "")
        if not gate.is_ours(host):
            raise web.HTTPForbidden(text=NOT_HERE)
        origin = request.headers.get("Origin")
        if origin is None:
            if request.path == WEBSOCKET:  # browsers always send one with a websocket
                raise web.HTTPForbidden(text=ELSEWHERE)
        elif not gate.is_same_page(origin, host):
            raise web.HTTPForbidden(text=ELSEWHERE)
        if gate.token is not None and "token" in request.query and request.path == "/":
            if not gate.knows(request.query["token"]):
                raise web.HTTPForbidden(text=NO_TOKEN)
            answer = web.Response(text=_STEP, content_type="text/html")
            answer.set_cookie(gate.cookie, gate.token, path="/", httponly=True, samesite="Strict")
            return answer
        if not gate.knows(request.cookies.get(gate.cookie)):
            raise web.HTTPForbidden(text=NO_TOKEN)
        return await handler(request)

    return guarded


async def seal(request: web.Request, response: web.StreamResponse) -> None:
    """The headers of every response: no caching, no frames, no referrer."""
    host = request.headers.get("Host", "")
    socket = f"ws://{host}" if _HOST.fullmatch(host.strip().lower()) else ""
    response.headers.setdefault("Cache-Control", "no-store")
    response.headers.setdefault(
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
        f"img-src 'self' data:; font-src 'self'; connect-src 'self' {socket}; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["X-Frame-Options"] = "DENY"
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    response.headers["Server"] = "Skirmish"
