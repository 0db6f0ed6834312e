"""The screen of the links with which phones join a game: a QR code for each side, and who is
connected. A server that already runs is used; otherwise the player can start one, which ends with
the app."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import Mapping
from importlib.util import find_spec
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, Static

from skirmish.app.base_screen import Screen
from skirmish.app.binding import keys
from skirmish.app.foot import Foot
from skirmish.app.text_styles import DIM, KEY
from skirmish.app.windows import working
from skirmish.installation import command_to_add, command_to_start
from skirmish.session import AnySession
from skirmish.store.place import ENVIRONMENT, find
from skirmish.tabletop.typed import plain
from skirmish.web.addresses import link_address, qr_code, with_token
from skirmish.web.links import LinkBook, ServerNote, link_names

WHOLE_APP = "table"
"""Stands for the link that opens the whole app, where others have the side that they open."""
PORTS = ("8044", "0")
"""Ports to try: that of ``skirmish serve``, so that earlier links still lead here, then any port
that is free (``0``)."""
START_TIMEOUT = 15.0
"""Seconds within which a server must be running."""
CHECK_INTERVAL = 0.1
"""Seconds between checks whether it is."""
LINK_NAME_COLUMNS = 20
# What the screen says, below the links.
MISSING = "This needs two more packages. To add them, leave the program and type: {}"
IN_MEMORY = "A game in memory cannot be shared; only one in a file can."
CLOSED = (
    "Nobody else can open this game yet. Enter lets the phones and tablets in your network join, "
    "until you leave the program."
)
OPEN = "Point the phone's camera at the code. Whoever has a link can use it; nothing is encrypted."
HERE_ONLY = "The server that runs serves this machine only; `skirmish serve --lan` serves phones."
TAKEN_BACK = "The old link is taken back; this is the new one."
NOT_STARTED = "The server did not start; `skirmish serve --lan` says why."


def _who_can_join(server: ServerNote) -> str:
    """Whether other machines reach the server, in words."""
    if server.lan:
        return OPEN
    return HERE_ONLY


class LinkList(OptionList):
    """The links. The list takes no focus, so that the screen gets all keys."""

    can_focus = False


class PhonesScreen(Screen[None]):
    """The links of one game, each with its code. The server that they need is started from here."""

    CSS_PATH = "phones.tcss"
    TOPIC: ClassVar[str] = "phones"
    FAILURE = "The links are not available"
    REPAINTED_AFTER: ClassVar[float] = 0.5
    """Seconds between two looks at who is connected."""
    HELP = (
        "Each side can be played from a phone or a tablet in the same network: it sees what that "
        "side may see, answers its questions and gives its orders. Another link only watches, and "
        "one opens the whole app.\n"
        "A link stays valid until a new one is made for it, also when the program is started again."
    )
    # Each row: id, keys, action, label at the foot, words of the help.
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "phones",
        ("up", "up,k", "move(-1)", "", "The link above"),
        ("down", "down,j", "move(1)", "", "The link below"),
        ("start", "enter,space", "start", "Let phones join", "Let phones in your network join"),
        ("anew", "n", "anew", "New link", "Take this link back and make another"),
        ("back", "escape,q,f9", "app.pop_screen", "Back", "Back to the game"),
    )

    def __init__(self, session: AnySession) -> None:
        super().__init__()
        self._link_names = link_names(session.game, session.state)
        """The names of the links by their sides; among them one to watch, and one for a
        television."""
        self._game_number = session.id
        self._book: LinkBook | None = None
        """None: the game is in memory only."""
        self._server: ServerNote | None = None
        """What the server that runs has noted; None: no server runs."""
        self._message = ""
        """Shown in place of the usual text until another link is chosen."""

    def compose(self) -> ComposeResult:
        yield Static("PHONES AT THE TABLE", classes="title", markup=False)
        with Horizontal():
            with Vertical(id="phones-left"):
                yield LinkList(id="phones-links")
                yield Static(id="phones-text", markup=False)
            with VerticalScroll(id="phones-right", can_focus=False):
                yield Static(id="phones-code", markup=False)
        yield Foot()

    def on_mount(self) -> None:
        path = find(self.skirmish.database).path
        if path is not None:
            self._book = LinkBook(path)
        link_list = self.query_one(LinkList)
        link_list.add_options([""] * len(self._links))
        link_list.highlighted = 0
        self.show_links()
        self.set_interval(self.REPAINTED_AFTER, self.show_links)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A server is started only where none runs."""
        del parameters
        if action == "start":
            return self._server is None
        return True

    @property
    def _links(self) -> list[str]:
        """The sides of the links in the order of the list; WHOLE_APP stands for the last one."""
        return [*self._link_names, WHOLE_APP]

    @property
    def chosen(self) -> str:
        """The side of the chosen link, or WHOLE_APP."""
        return self._links[self._chosen_index]

    @property
    def _chosen_index(self) -> int:
        """The index of the chosen link; before one is chosen, that of the first."""
        return self.query_one(LinkList).highlighted or 0

    def show_links(self) -> None:
        """Look which server runs, and show the links, who is connected, and the code of the chosen
        link."""
        if self._book is None:
            self.query_one("#phones-text", Static).update(IN_MEMORY)
            return
        server_before = self._server
        self._server = self._book.server_note()
        ran_before, runs_now = server_before is not None, self._server is not None
        if ran_before != runs_now:
            self.refresh_bindings()  # the key that starts a server is hidden while one runs
        tokens = self._ensured_tokens(self._book)
        self._list_links(tokens)
        self._show_code(tokens)

    def _ensured_tokens(self, book: LinkBook) -> Mapping[str, str]:
        """The tokens of the links, by their sides; a link without a token gets one."""
        tokens = dict(book.ensure_tokens(self._game_number, self._link_names))
        # A server for this machine alone has no token for the whole app: its plain address opens
        # it.
        tokens[WHOLE_APP] = ""
        if self._server is not None and self._server.app_token:
            # That of the book counts, as the server may not have read a new one yet.
            tokens[WHOLE_APP] = book.read().app_token
        return tokens

    def _list_links(self, tokens: Mapping[str, str]) -> None:
        """Write the lines of the list: the chosen link with a mark, each with how many are
        connected."""
        link_list = self.query_one(LinkList)
        names = {**self._link_names, WHOLE_APP: "The whole app"}
        for index, side in enumerate(self._links):
            mark = "  "
            if index == link_list.highlighted:
                mark = "► "
            name = plain(names[side])[:LINK_NAME_COLUMNS].ljust(LINK_NAME_COLUMNS)
            line = Content.assemble((mark, KEY), f"{name} ", self._connected(tokens[side]))
            link_list.replace_option_prompt_at_index(index, line)

    def _connected(self, token: str) -> Content:
        """How many pages are connected by the link with this token; empty without a server."""
        if self._server is None:
            return Content("")
        count = self._server.connected.get(token, 0)
        if count:
            return Content.styled(f"{count} connected", KEY)
        return Content.styled("nobody", DIM)

    def _show_code(self, tokens: Mapping[str, str]) -> None:
        """Show the address and the QR code of the chosen link, or why there is none."""
        if self._server is None:
            text = self._message or CLOSED
            code = Content("")
        else:
            address = self._address_of_chosen(self._server, tokens)
            text = f"{address}\n\n{self._message or _who_can_join(self._server)}"
            # Cameras read a code only in black and white, whatever the theme.
            code = Content.styled("\n".join(qr_code(address)), "#ffffff on #000000")
        self.query_one("#phones-text", Static).update(text)
        self.query_one("#phones-code", Static).update(code)

    def _address_of_chosen(self, server: ServerNote, tokens: Mapping[str, str]) -> str:
        """The address of the chosen link."""
        # The first address is one for other machines, if the server has any.
        base = server.addresses[0]
        if self.chosen == WHOLE_APP:
            return with_token(base, tokens[WHOLE_APP])
        return link_address(base, tokens[self.chosen])

    def on_option_list_option_highlighted(self) -> None:
        self._message = ""
        self.show_links()

    def action_move(self, lines: int) -> None:
        """Go on by so many links; the last is followed by the first."""
        link_list = self.query_one(LinkList)
        link_list.highlighted = (self._chosen_index + lines) % link_list.option_count

    def action_anew(self) -> None:
        """Take the chosen link back and make another."""
        if self._book is None:
            return
        if self.chosen == WHOLE_APP:
            self._book.renew_app_token()
        else:
            self._book.renew(self._game_number, self.chosen)
        self._message = TAKEN_BACK
        self.show_links()

    @work(group="phones", exclusive=True)
    async def action_start(self) -> None:
        """Let phones join, or say what the program lacks for it."""
        if self._book is None or self._server is not None:
            return
        if find_spec("textual_serve") is None:
            self._message = MISSING.format(command_to_add("browser"))
        else:
            await working(self.skirmish, "Opening the game for phones", self._start_server())
        self.show_links()

    async def _start_server(self) -> None:
        """Start a server, at any port if the default one is taken."""
        for port in PORTS:
            server = self._launch(port)
            # It ends with the app, even if it does not run in time.
            self.skirmish.servers.append(server)
            if await self._runs_in_time(server):
                return
        self._message = NOT_STARTED

    def _launch(self, port: str) -> subprocess.Popen[bytes]:
        """Launch a server of this database."""
        path = find(self.skirmish.database).path
        return subprocess.Popen(
            [*command_to_start(), "serve", "--lan", "--with-app", "--port", port],
            env={**os.environ, ENVIRONMENT: str(path)},
            stdin=subprocess.PIPE,  # closed when the app ends, which ends the server
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl+C is for the app
        )

    async def _runs_in_time(self, server: subprocess.Popen[bytes]) -> bool:
        """Wait until a server has written its note. Returns False if it takes too long, or ends
        before, as it does where the port is taken."""
        for _ in range(int(START_TIMEOUT / CHECK_INTERVAL)):
            await asyncio.sleep(CHECK_INTERVAL)
            if self._book is not None and self._book.server_note() is not None:
                return True
            if server.poll() is not None:
                return False
        return False
