"""Who is connected to this server, written down for the app; and the end of pages whose link has
been taken back there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from time import time

from skirmish.web.gate import Gate
from skirmish.web.links import NO_LINK, LinkBook, ServerNote
from skirmish.web.open_games import OpenGames


class ConnectedPages:
    """The phones, televisions and tabs that are connected. ``addresses`` are the server's."""

    def __init__(
        self, gate: Gate, book: LinkBook, games: OpenGames, addresses: Sequence[str]
    ) -> None:
        self._gate = gate
        self._book = book
        self._games = games
        self._addresses = tuple(addresses)
        self._count_tabs: Callable[[], int] = _no_tabs
        self._close_tabs: Callable[[], Awaitable[None]] = _nothing_to_close

    def count_tabs_too(
        self, count_tabs: Callable[[], int], close_tabs: Callable[[], Awaitable[None]]
    ) -> None:
        """The same server has tabs of the whole app as well; see ``Phones.serve_beside``."""
        self._count_tabs = count_tabs
        self._close_tabs = close_tabs

    def write_note(self) -> None:
        """Write down for the app who is connected."""
        token = self._gate.token
        connected = Counter(phone.link.token for phone in self._games.phones)
        # The tabs of the whole app have its token; empty on a server for this machine alone.
        connected[token or ""] = self._count_tabs()
        note = ServerNote(
            self._addresses,
            app_token=token or "",
            lan=token is not None,
            written_at=time(),
            connected=connected,
        )
        self._book.write_note(note)

    def remove_note(self) -> None:
        """Remove the note: the server has ended."""
        self._book.remove_note()

    async def end_invalid_links(self) -> None:
        """Disconnect the pages whose link has been taken back."""
        for phone in self._games.phones:
            if self._book.find(phone.link.token) is None:
                await phone.disconnect(NO_LINK)
        app_token = self._book.read().app_token
        token_before = self._gate.token
        # A server for this machine alone has no token, and so no link to the app to take back.
        if token_before is not None and app_token and app_token != token_before:
            self._gate.token = app_token
            await self._close_tabs()


def _no_tabs() -> int:
    """Stands in for the count of tabs, for phones without the whole app beside them."""
    return 0


async def _nothing_to_close() -> None:
    """Stands in for closing tabs, for phones without the whole app beside them."""
