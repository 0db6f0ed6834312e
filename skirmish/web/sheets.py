"""Sheets that were printed in a tab, kept for a while so that the page can open and save them."""

from __future__ import annotations

import secrets
from urllib.parse import quote

from aiohttp import web

MOST = 40
LARGEST = 32 * 1024 * 1024
"""Sheets, and bytes of them together, that are held; the oldest go first."""


class Sheets:
    """In memory. An address cannot be guessed, and the gate stands in front of it besides."""

    def __init__(self) -> None:
        self._held: dict[str, tuple[str, bytes]] = {}

    def keep(self, name: str, data: bytes) -> str:
        """Hold a sheet; the path it is had at."""
        key = secrets.token_urlsafe(12)
        self._held[key] = name, data
        while len(self._held) > 1 and (
            len(self._held) > MOST or sum(len(data) for _, data in self._held.values()) > LARGEST
        ):
            self._held.pop(next(iter(self._held)))
        return f"/sheets/{key}/{quote(name, safe='')}"

    async def answer(self, request: web.Request) -> web.Response:
        """A sheet, to be looked at; with ``?save``, to be saved."""
        name, data = self._held.get(request.match_info["key"], ("", b""))
        if not data:
            raise web.HTTPNotFound(text="This sheet is no longer available. Print it again.")
        is_pdf = data.startswith(b"%PDF-")
        way = "inline" if is_pdf and "save" not in request.query else "attachment"
        return web.Response(
            body=data,
            content_type="application/pdf" if is_pdf else "application/octet-stream",
            headers={
                "Content-Disposition": f"{way}; filename*=UTF-8''{quote(name, safe='')}",
                # Only this much: browsers show a PDF by scripts of their own.
                "Content-Security-Policy": "frame-ancestors 'none'",
            },
        )
