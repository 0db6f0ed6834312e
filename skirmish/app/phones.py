"""The links with which phones join a game: a QR code for each side, and who is connected. A server
that runs is used; otherwise one is started that ends with the app."""

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

from skirmish.app.binding import keys
from skirmish.app.foot import Foot
from skirmish.app.host import Screen
from skirmish.app.page_view import DIM, KEY
from skirmish.app.windows import working
from skirmish.installation import command_to_add, command_to_start
from skirmish.session import AnySession
from skirmish.store.place import ENVIRONMENT, find
from skirmish.tabletop.typed import plain
from skirmish.web.addresses import link_address, qr_code, with_token
from skirmish.web.links import LinkBook, ServerNote, link_names

WHOLE_APP = "table"
"""The name of the link that opens the whole app, where the others have their side."""
PORTS = ("8044", "0")
"""Ports to try: that of ``skirmish serve``, so that earlier links still lead here, then any."""
STARTS = 15.0
"""Seconds within which a server must be running."""
START_CHECKS = 0.1
"""Seconds between checks whether it is."""
MISSING = "This needs two more packages. To add them, leave the program and type: {}"
IN_MEMORY = "A game in memory cannot be shared; only one in a file can."
CLOSED = (
    "Nobody else can open this game yet. Enter lets the phones and tablets in your network join, "
    "until you leave the program."
)
OPEN = "Point the phone's camera at the code. Whoever has a link can use it; nothing is encrypted."
HERE_ONLY = "The server that runs serves this machine only; `skirmish serve --lan` serves phones."
TAKEN_BACK = "The old link is taken back; this is the new one."


class LinkList(OptionList):
    """The links. It takes no focus, so that all keys are those of the screen."""

    can_focus = False


class PhonesScreen(Screen[None]):
    """The links of one game, each with its code; opens the server that they need."""

    CSS_PATH = "phones.tcss"
    TOPIC: ClassVar[str] = "phones"
    EXTRA = "The links are"  # begins the message if this screen fails
    REPAINTED_AFTER: ClassVar[float] = 0.5
    """Seconds after which it is looked again who is connected."""
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
        # The links by their sides; among them one to watch, and one for a television.
        self._names = link_names(session.game, session.state)
        self._number = session.id
        self._book: LinkBook | None = None  # None: the game is in memory only
        self._server_note: ServerNote | None = None  # the server that runs
        self._note = ""  # said until another link is chosen

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
        link_list.add_options([""] * (len(self._names) + 1))
        link_list.highlighted = 0
        self.show_links()
        self.set_interval(self.REPAINTED_AFTER, self.show_links)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A server is opened only where none runs."""
        del parameters
        return action != "start" or self._server_note is None

    @property
    def chosen(self) -> str:
        """The side of the chosen link, or WHOLE_APP."""
        links = [*self._names, WHOLE_APP]
        return links[self.query_one(LinkList).highlighted or 0]

    def show_links(self) -> None:
        """Show the links, who is connected, and the code of the chosen link."""
        if self._book is None:
            self.query_one("#phones-text", Static).update(IN_MEMORY)
            return
        served_before = self._server_note is not None
        self._server_note = self._book.server_note()
        if (self._server_note is not None) != served_before:
            self.refresh_bindings()
        tokens = dict(self._book.ensure_tokens(self._number, self._names))
        # A server for this machine alone has no token for the whole app (``app_token``): its plain
        # address opens it. Other servers have one, but that of the book counts: the server may
        # not have read a new one yet.
        tokens[WHOLE_APP] = ""
        if self._server_note is not None and self._server_note.app_token:
            tokens[WHOLE_APP] = self._book.read().app_token
        self._list_links(tokens)
        self._show_code(tokens)

    def _list_links(self, tokens: Mapping[str, str]) -> None:
        """The links, the chosen one with a mark, each with how many are connected."""
        link_list, serving = self.query_one(LinkList), self._server_note
        names = {**self._names, WHOLE_APP: "The whole app"}
        for number, (side, name) in enumerate(names.items()):
            mark = "  "
            if number == link_list.highlighted:
                mark = "► "
            connected, style = "", DIM
            if serving is not None:
                count = serving.connected.get(tokens[side], 0)
                connected = "nobody"
                if count:
                    connected, style = f"{count} connected", KEY
            line = Content.assemble((mark, KEY), f"{plain(name):<20.20} ", (connected, style))
            link_list.replace_option_prompt_at_index(number, line)

    def _show_code(self, tokens: Mapping[str, str]) -> None:
        """The address and the QR code of the chosen link, or why there is none."""
        serving = self._server_note
        text: str = self._note or CLOSED
        code = Content("")
        if serving is not None:
            base, token = serving.addresses[0], tokens[self.chosen]
            if self.chosen == WHOLE_APP:
                address = with_token(base, token)
            else:
                address = link_address(base, token)
            note = HERE_ONLY
            if serving.lan:
                note = OPEN
            text = f"{address}\n\n{self._note or note}"
            # Cameras read a code only in black and white, whatever the theme.
            code = Content.styled("\n".join(qr_code(address)), "#ffffff on #000000")
        self.query_one("#phones-text", Static).update(text)
        self.query_one("#phones-code", Static).update(code)

    def on_option_list_option_highlighted(self) -> None:
        self._note = ""
        self.show_links()

    def action_move(self, by: int) -> None:
        link_list = self.query_one(LinkList)
        link_list.highlighted = ((link_list.highlighted or 0) + by) % link_list.option_count

    def action_anew(self) -> None:
        """Take the chosen link back and make another."""
        if self._book is None:
            return
        if self.chosen == WHOLE_APP:
            self._book.renew_app_token()
        else:
            self._book.renew(self._number, self.chosen)
        self._note = TAKEN_BACK
        self.show_links()

    @work(group="phones", exclusive=True)
    async def action_start(self) -> None:
        """Let phones join, or say what the program lacks for it."""
        if self._book is None or self._server_note is not None:
            return
        if find_spec("textual_serve") is None:
            self._note = MISSING.format(command_to_add("browser"))
        else:
            await working(self.skirmish, "Opening the game for phones", self._start_server())
        self.show_links()

    async def _start_server(self) -> None:
        """Start a server, at any port if the default one is taken."""
        path = find(self.skirmish.database).path
        environment = {**os.environ, ENVIRONMENT: str(path)}
        for port in PORTS:
            server = subprocess.Popen(
                [*command_to_start(), "serve", "--lan", "--with-app", "--port", port],
                env=environment,
                stdin=subprocess.PIPE,  # closed when the app ends, which ends the server
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl+C is for the app
            )
            self.skirmish.servers.append(server)
            for _ in range(int(STARTS / START_CHECKS)):
                await asyncio.sleep(START_CHECKS)
                if self._book is not None and self._book.server_note() is not None:
                    return
                if server.poll() is not None:
                    break  # it has ended, as it does where the port is taken
        self._note = "The server did not start; `skirmish serve --lan` says why."
