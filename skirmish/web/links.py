"""The links of a database: to the table, to one side of a battle, to watch it. They are kept beside
the database, in a file that only its owner can read, so that a link outlives the server; a server
that is running reads them again when the file changes."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Mapping
from contextlib import suppress
from hmac import compare_digest
from pathlib import Path
from time import time
from typing import Any

import msgspec

from skirmish.tabletop.data_file import UNREADABLE
from skirmish.tabletop.game import PLAYERS, Game

WATCH = ""
"""The side of a link for spectators."""
_SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"  # without characters that are easily confused
FRESH = 6.0
"""Seconds after which a server that has not written its note counts as gone."""


def new_token() -> str:
    """An access token of 99 bits, short enough to be typed on a tablet."""
    return "-".join("".join(secrets.choice(_SIGNS) for _ in range(5)) for _ in range(4))


class Link(msgspec.Struct, frozen=True):
    """``token`` opens game ``battle`` for ``side``; WATCH: read-only."""

    token: str
    battle: int
    side: str


class Links(msgspec.Struct, frozen=True):
    table: str = ""
    links: tuple[Link, ...] = ()


class Serving(msgspec.Struct, frozen=True):
    """What a server writes down for the other programs of this database: its ``addresses`` (with
    their last slash), those for other machines first; ``table`` is the token of the whole app,
    empty without one; ``here`` counts the pages that are connected, by their token."""

    addresses: tuple[str, ...]
    table: str
    lan: bool
    at: float
    here: Mapping[str, int] = {}


class LinkBook:
    """The links beside ``database``."""

    def __init__(self, database: Path) -> None:
        self._path = database.with_name(f".{database.name}.links")
        self._note = database.with_name(f".{database.name}.serving")
        self._seen: tuple[int, int] | None = None
        self._links = Links()

    def read(self) -> Links:
        """All links; none if the file cannot be read."""
        try:
            now = self._path.stat()
            seen = (now.st_mtime_ns, now.st_ino)
            if seen != self._seen:
                self._links = msgspec.json.decode(self._path.read_bytes(), type=Links)
                self._seen = seen
        except (OSError, *UNREADABLE):
            self._links, self._seen = Links(), None
        return self._links

    def find(self, token: str) -> Link | None:
        """The link of a token, compared in constant time with every one."""
        found = None
        for link in self.read().links:
            if compare_digest(link.token.encode(), token.encode("utf-8", "replace")):
                found = link
        return found

    def table(self) -> str:
        """The token of the whole app, made at first."""
        links = self.read()
        if not links.table:
            links = msgspec.structs.replace(links, table=new_token())
            self._write(links)
        return links.table

    def of(self, battle: int, sides: Iterable[str]) -> dict[str, str]:
        """The tokens of a game by side, each made at first."""
        links = self.read()
        known = {link.side: link.token for link in links.links if link.battle == battle}
        made = [Link(new_token(), battle, side) for side in sides if side not in known]
        if made:
            self._write(msgspec.structs.replace(links, links=(*links.links, *made)))
        return known | {link.side: link.token for link in made}

    def anew(self, battle: int, side: str) -> None:
        """Take a link back and make another."""
        links = self.read()
        rest = (one for one in links.links if (one.battle, one.side) != (battle, side))
        made = Link(new_token(), battle, side)
        self._write(msgspec.structs.replace(links, links=(*rest, made)))

    def table_anew(self) -> None:
        self._write(msgspec.structs.replace(self.read(), table=new_token()))

    def forget(self) -> None:
        """Take all links back."""
        self._write(Links())

    def _write(self, links: Links) -> None:
        _write(self._path, links)
        self._links, self._seen = links, None

    # ------------------------------------------------------------------ the server's note

    def serving(self) -> Serving | None:
        """The server that serves this database now, if any."""
        try:
            found = msgspec.json.decode(self._note.read_bytes(), type=Serving)
        except (OSError, *UNREADABLE):
            return None
        return found if abs(time() - found.at) < FRESH else None

    def note(self, serving: Serving) -> None:
        with suppress(OSError):
            _write(self._note, serving)

    def no_note(self) -> None:
        with suppress(OSError):
            self._note.unlink(missing_ok=True)


def links_of(game: Game[Any, Any, Any], state: Any) -> dict[str, str]:
    """The sides of a game that can have a link, with the names of their links; in a game without
    sides one link for its players."""
    players = game.players(state) or {PLAYERS: "Players"}
    return {**players, WATCH: "To watch only"}


def _write(path: Path, content: msgspec.Struct) -> None:
    """Replace a file that only its owner can read. Raises OSError."""
    part = path.with_name(f"{path.name}.{os.getpid()}")
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(msgspec.json.encode(content))
    os.replace(part, path)
