"""The links of a database: to the table, to one side of a battle, to watch it. They stand beside
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
WALL = "+wall"
"""The side of a link for a television: it watches, too. No side of a scenario has such an id."""
_SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"
"""The characters of a token, without those that are easily confused."""
FRESH = 6.0
"""Seconds after which a server that has not written its note counts as gone; it writes one every
two seconds."""


def new_token() -> str:
    """An access token of 99 bits, short enough to be typed on a tablet."""
    groups = []
    for _ in range(4):
        signs = [secrets.choice(_SIGNS) for _ in range(5)]
        groups.append("".join(signs))
    return "-".join(groups)


class Link(msgspec.Struct, frozen=True):
    """A link that opens a game for a side, or read-only (WATCH and WALL)."""

    token: str
    """The part of the address that nobody can guess."""
    battle: int
    """The number of the game in the store; of any game, not only of a battle."""
    side: str
    """The id of the side; or WATCH, WALL, or PLAYERS in a game without sides."""


class Links(msgspec.Struct, frozen=True):
    """What the file of links holds: ``table`` is the token of the whole app, empty until one is
    made; ``links`` are those of sides."""

    table: str = ""
    links: tuple[Link, ...] = ()


class Serving(msgspec.Struct, frozen=True):
    """What a server writes down for the other programs of this database."""

    addresses: tuple[str, ...]
    """Its addresses with their last slash, those for other machines first."""
    table: str
    """The token of the whole app, empty without one."""
    lan: bool
    """Other machines can reach it."""
    written_at: float = msgspec.field(name="at")
    """In seconds since 1970."""
    connected: Mapping[str, int] = msgspec.field(default_factory=dict, name="here")
    """How many pages are connected, by their token."""


class LinkBook:
    """The links beside ``database``."""

    def __init__(self, database: Path) -> None:
        self._path = database.with_name(f".{database.name}.links")
        self._note = database.with_name(f".{database.name}.serving")
        self._links = Links()
        self._version: tuple[int, int] | None = None
        """The file that ``_links`` was read from: its time, and its number, since a new file may
        have the same time. None: it must be read."""

    def read(self) -> Links:
        """All links; none if the file cannot be read."""
        try:
            status = self._path.stat()
            version = (status.st_mtime_ns, status.st_ino)
            if version != self._version:
                self._links = msgspec.json.decode(self._path.read_bytes(), type=Links)
                self._version = version
        except (OSError, *UNREADABLE):
            self._links = Links()
            self._version = None
        return self._links

    def find(self, token: str) -> Link | None:
        """The link of a token. It is compared with every one, and each time for as long, so that
        nobody can guess a token by how long the answer takes."""
        link_of_token = None
        for link in self.read().links:
            if compare_digest(link.token.encode(), token.encode("utf-8", "replace")):
                link_of_token = link
        return link_of_token

    def table_token(self) -> str:
        """The token of the whole app; if there is none yet, one is made and written."""
        links = self.read()
        if not links.table:
            links = msgspec.structs.replace(links, table=new_token())
            self._write(links)
        return links.table

    def tokens_for(self, battle: int, sides: Iterable[str]) -> dict[str, str]:
        """The tokens of a game by side; those that there are not yet are made and written."""
        links = self.read()
        tokens = {link.side: link.token for link in links.links if link.battle == battle}
        new_links = []
        for side in sides:
            if side not in tokens:
                link = Link(new_token(), battle, side)
                new_links.append(link)
                tokens[side] = link.token
        if new_links:
            self._write(msgspec.structs.replace(links, links=(*links.links, *new_links)))
        return tokens

    def renew(self, battle: int, side: str) -> None:
        """Take a link back and make another."""
        links = self.read()
        others = [link for link in links.links if (link.battle, link.side) != (battle, side)]
        new_link = Link(new_token(), battle, side)
        self._write(msgspec.structs.replace(links, links=(*others, new_link)))

    def renew_table(self) -> None:
        """Take the token of the whole app back and make another."""
        self._write(msgspec.structs.replace(self.read(), table=new_token()))

    def forget(self) -> None:
        """Take all links back."""
        self._write(Links())

    def _write(self, links: Links) -> None:
        _replace_privately(self._path, links)
        # The new file may look like the old one, by its time and its number.
        self._version = None

    # ------------------------------------------------------------------ the server's note

    def serving(self) -> Serving | None:
        """The server that serves this database now, if any."""
        try:
            serving = msgspec.json.decode(self._note.read_bytes(), type=Serving)
        except (OSError, *UNREADABLE):
            return None
        if abs(time() - serving.written_at) >= FRESH:  # it was killed, or the clock was changed
            return None
        return serving

    def note(self, serving: Serving) -> None:
        """Write down that a server serves this database now. Without the note it serves all the
        same, and the app offers no links."""
        with suppress(OSError):
            _replace_privately(self._note, serving)

    def remove_note(self) -> None:
        """Remove the note: the server has ended."""
        with suppress(OSError):
            self._note.unlink(missing_ok=True)


def links_of(game: Game[Any, Any, Any], state: Any) -> dict[str, str]:
    """The sides of a game that can have a link, with the names of their links; in a game without
    sides one link for its players."""
    players = game.players(state) or {PLAYERS: "Players"}
    return {**players, WATCH: "To watch only", WALL: "For a television"}


def _replace_privately(path: Path, content: msgspec.Struct) -> None:
    """Replace a file, which only its owner can read. Who reads it meanwhile gets the old one or the
    new one, never half of it. Raises OSError."""
    part = path.with_name(f"{path.name}.{os.getpid()}")
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(msgspec.json.encode(content))
    os.replace(part, path)
