"""The links of a database, which open the whole app, the page of one side of a game, or the game to
those who only watch. They are in a file beside the database that only its owner can read, so that a
link outlives the server. A server that is running reads the file again when it changes.

A second file beside the database is the note of the server that serves it now."""

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
from skirmish.tabletop.game import PLAYERS, Game, Viewer

LINK_PATH = "/s/"
"""The path of a link on a server; its token comes after it."""
WATCH = ""
"""Stands for the side in a link for spectators."""
WALL = "+wall"
"""Stands for the side in a link for a television on the wall, which only watches, too. No side of a
scenario has an id with a plus sign."""
NOTE_EVERY = 2.0
"""Seconds between two notes of a running server."""
NOTE_LASTS = 6.0
"""Seconds after which a server that has written no new note counts as gone. It may miss two of
them, on a machine that is busy."""
NO_LINK = "This link is not valid, or no longer. Ask at the table for another one."

_TOKEN_CHARACTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters and digits without those that are easily confused (i, l, o, 0, 1)."""


def new_token() -> str:
    """An access token, such as ``k3m9x-4tq7d-…``: 20 of 31 characters are 99 bits, which nobody
    can guess, and still short enough to be typed on a tablet."""
    groups = []
    for _ in range(4):
        characters = [secrets.choice(_TOKEN_CHARACTERS) for _ in range(5)]
        groups.append("".join(characters))
    return "-".join(groups)


class Link(msgspec.Struct, frozen=True):
    """A link that opens a game for a side, or read-only (WATCH and WALL)."""

    token: str
    """The part of the address that nobody can guess."""
    battle: int
    """The number of the game in the store; of any game, not only of a battle."""
    side: str
    """The id of the side; or WATCH, WALL, or PLAYERS in a game without sides."""

    @property
    def viewer(self) -> Viewer:
        """Who sees the page of this link; None: a spectator, also at a television."""
        if self.side in (WATCH, WALL):
            return None
        return self.side

    @property
    def is_for_television(self) -> bool:
        """Whether it shows the game to the room."""
        return self.side == WALL


class Links(msgspec.Struct, frozen=True):
    """What the file of links holds, under the names of the first versions."""

    app_token: str = msgspec.field(default="", name="table")
    """The token of the whole app; empty until one is made."""
    links: tuple[Link, ...] = ()
    """The links to the games."""


class ServerNote(msgspec.Struct, frozen=True):
    """What a server writes down for the other programs that use its database, under the names of
    the first versions."""

    addresses: tuple[str, ...]
    """Its addresses with their last slash, those for other machines first."""
    app_token: str = msgspec.field(name="table")
    """The token of the whole app; empty if the app is open to this machine without one."""
    lan: bool
    """Whether other machines can reach it."""
    written_at: float = msgspec.field(name="at")
    """In seconds since 1970."""
    connected: Mapping[str, int] = msgspec.field(default_factory=dict, name="here")
    """How many pages are connected, by their token."""


class LinkBook:
    """The two files beside ``database``: its links, and the note of the server that serves it."""

    def __init__(self, database: Path) -> None:
        self._path = database.with_name(f".{database.name}.links")
        self._note_path = database.with_name(f".{database.name}.serving")
        self._links = Links()
        self._version: tuple[int, int] | None = None
        """The time and the inode of the file that ``_links`` was read from: two files may have the
        same time. None: the file must be read."""

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
        """The link of a token. The token is compared with that of every link, and each comparison
        takes equally long: how long the answer takes says nothing about the tokens that exist."""
        # A browser may send what UTF-8 cannot encode; it is no token of ours.
        sent_token = token.encode("utf-8", "replace")
        link_of_token = None
        for link in self.read().links:
            if compare_digest(link.token.encode(), sent_token):
                link_of_token = link
        return link_of_token

    def ensure_app_token(self) -> str:
        """The token of the whole app; if there is none yet, one is made and written."""
        links = self.read()
        if not links.app_token:
            links = msgspec.structs.replace(links, app_token=new_token())
            self._write(links)
        return links.app_token

    def ensure_tokens(self, battle: int, sides: Iterable[str]) -> dict[str, str]:
        """The tokens of a game by side; for sides without a link one is made and written."""
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
        """Take the link of a side back and make another."""
        links = self.read()
        others = [link for link in links.links if (link.battle, link.side) != (battle, side)]
        new_link = Link(new_token(), battle, side)
        self._write(msgspec.structs.replace(links, links=(*others, new_link)))

    def renew_app_token(self) -> None:
        """Take the token of the whole app back and make another."""
        self._write(msgspec.structs.replace(self.read(), app_token=new_token()))

    def revoke_all(self) -> None:
        """Take all links back, also that of the whole app."""
        self._write(Links())

    def _write(self, links: Links) -> None:
        _replace_privately(self._path, links)
        # The new file may have the time and the inode of the old one.
        self._version = None

    # ------------------------------------------------------------------ the server's note

    def server_note(self) -> ServerNote | None:
        """The note of the server that serves this database now, if any."""
        try:
            note = msgspec.json.decode(self._note_path.read_bytes(), type=ServerNote)
        except (OSError, *UNREADABLE):
            return None
        # An old note is that of a server that was killed; one from the future was written before
        # the clock was changed.
        if abs(time() - note.written_at) >= NOTE_LASTS:
            return None
        return note

    def write_note(self, note: ServerNote) -> None:
        """Write down that a server serves this database now. If that fails, the server works all
        the same, but the app offers no links."""
        with suppress(OSError):
            _replace_privately(self._note_path, note)

    def remove_note(self) -> None:
        """Remove the note: the server has ended."""
        with suppress(OSError):
            self._note_path.unlink(missing_ok=True)


def link_names(game: Game[Any, Any, Any], state: Any) -> dict[str, str]:
    """The names of the links of a game by the side that they open, also WATCH and WALL."""
    players = game.players(state)
    if not players:  # in a game without sides one link is for all its players
        players = {PLAYERS: "Players"}
    return {**players, WATCH: "To watch only", WALL: "For a television"}


def _replace_privately(path: Path, content: msgspec.Struct) -> None:
    """Replace a file by one that only its owner can read. Whoever reads it meanwhile gets the old
    content or the new, never half of it. Raises OSError."""
    # Two programs may write at the same time, so the number of the process is in the name.
    new_file = path.with_name(f"{path.name}.{os.getpid()}")
    with open(os.open(new_file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(msgspec.json.encode(content))
    os.replace(new_file, path)
