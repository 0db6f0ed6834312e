"""``skirmish serve``: serve the app to browsers on this machine or in the local network."""

from __future__ import annotations

import asyncio
import os
import sys
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from skirmish import registry
from skirmish.cli.console import CommandError, harmless, say
from skirmish.installation import command_to_add
from skirmish.store.errors import StoreError
from skirmish.store.place import ENVIRONMENT, find
from skirmish.store.settings import Settings, read_settings, settings_file
from skirmish.store.writer import StoreThread
from skirmish.tabletop.data_file import DataError
from skirmish.tabletop.journal_codec import RecordError
from skirmish.tabletop.measure import in_centimetres

if TYPE_CHECKING:
    from socket import socket

    from skirmish.store.database import Store
    from skirmish.web.gate import Gate
    from skirmish.web.links import LinkBook
    from skirmish.web.server import Server

PACKAGES_MISSING = (
    "`skirmish serve` needs two more packages, textual-serve and MarkupSafe. To add them: {}"
)
TRUST_WARNING = (
    "Anyone with this address can play. Nothing is encrypted, so use a network you trust."
)
FOR_TELEVISION = "Open this on the television or tablet"
ANY_ADDRESS_IN_IPV6 = "::"
PORT = 8044
"""Above those that only an administrator may open; 44 is the year of most of the battles."""
NICENESS_BESIDE_THE_APP = 10
"""How far the server of an app steps back for it, of 19 at most: a key that is pressed in the app
comes before what phones ask for."""

app = typer.Typer()


@app.command()
def serve(
    *,
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="The port; 0 takes any free one.")
    ] = PORT,
    lan: Annotated[
        bool, typer.Option("--lan", help="Also serve other machines in the network.")
    ] = False,
    host: Annotated[
        str | None,
        typer.Option("--host", metavar="ADDRESS", help="With --lan: serve at this address only."),
    ] = None,
    game: Annotated[
        int | None,
        typer.Option("--game", metavar="NUMBER", help="Show the links to this game for phones."),
    ] = None,
    anew: Annotated[
        bool, typer.Option("--anew", help="Take all earlier links back and make new ones.")
    ] = False,
    browse: Annotated[bool, typer.Option("--open", help="Also open the browser.")] = False,
    until_closed: Annotated[
        bool, typer.Option("--until-closed", help="Stop when the last tab is closed.")
    ] = False,
    # Only the app gives this option, when it starts a server for phones, which ends with the app.
    with_app: Annotated[bool, typer.Option("--with-app", hidden=True)] = False,
) -> None:
    """Serve the app to browsers, and games to phones.

    Ctrl+C stops it. Each tab runs its own app; all share the database. Without --lan, only this
    machine can open it. With --lan, the address of the app ends in a token.

    Example: skirmish serve --lan --game 3
    """
    if host is not None and not lan:
        raise CommandError("--host needs --lan; without --lan only this machine is served.")
    _check_packages()
    from skirmish.web import addresses
    from skirmish.web.links import LinkBook

    database = _database()
    book = LinkBook(database)
    if anew:
        book.revoke_all()
    # The game is read before the port is opened: no server starts for one that cannot be read.
    tokens_by_name = {}
    if game is not None:
        tokens_by_name = _tokens(book, database, game)
    sockets = _sockets(lan, host, port)
    port = addresses.port_of(sockets)  # with --port 0 the system has chosen it only now
    gate = _gate(lan, host, port, book)
    hosts = _hosts(gate, host)
    app_urls = [addresses.app_address(name, port, gate.token) for name in hosts]
    urls_without_token = [addresses.app_address(name, port) for name in hosts]
    url_for_phones = urls_without_token[0]  # the first host is for other machines, if any is

    def ready() -> None:
        _print_addresses(gate, app_urls)
        for name, token in tokens_by_name.items():
            _print_link(name, addresses.link_address(url_for_phones, token))
        _say_how_to_stop()
        if browse:
            webbrowser.open(app_urls[-1])  # the last is this machine's own, unless --host is given

    closed = Event()  # never set, unless the server ends with the app
    if with_app:
        _let_the_app_go_first()
        closed = _end_of_the_app()
    store_thread = StoreThread(str(database))
    server = _server(
        database, book, gate, urls_without_token, store_thread, until_closed=until_closed
    )
    _run(server, store_thread, sockets, ready, closed)


def _run(
    server: Server,
    store_thread: StoreThread,
    sockets: list[socket],
    ready: Callable[[], None],
    closed: Event,
) -> None:
    """Serve until Ctrl+C, or until ``closed`` is set."""
    from skirmish.web.server import serve as serve_until_closed

    try:
        with store_thread, suppress(KeyboardInterrupt):
            asyncio.run(serve_until_closed(server, sockets, ready, closed))
    finally:
        for listening_socket in sockets:
            listening_socket.close()
    say("Stopped. Everything is saved.")


def serve_wall(number: int) -> None:
    """Print the link of the page on which a television on the wall follows a game. If no server
    runs yet, start one and serve until Ctrl+C. Raises CommandError."""
    _check_packages()
    from skirmish.web import addresses
    from skirmish.web.links import WALL, LinkBook

    database = _database()
    book = LinkBook(database)
    token = book.ensure_tokens(number, [WALL])[WALL]
    running = book.server_note()
    if running is not None:
        _print_link(FOR_TELEVISION, addresses.link_address(running.addresses[0], token))
        return
    sockets = _sockets(lan=True, host=None, port=PORT)
    gate = _gate(lan=True, host=None, port=addresses.port_of(sockets), book=book)
    hosts = _hosts(gate, host=None)
    urls_without_token = [addresses.app_address(name, gate.port) for name in hosts]
    url_for_television = urls_without_token[0]  # the first host is for other machines

    def ready() -> None:
        _print_link(FOR_TELEVISION, addresses.link_address(url_for_television, token))
        _say_how_to_stop()

    store_thread = StoreThread(str(database))
    server = _server(database, book, gate, urls_without_token, store_thread, until_closed=False)
    never_closed = Event()
    _run(server, store_thread, sockets, ready, never_closed)


def _check_packages() -> None:
    """Raises CommandError with the command that installs the packages that are missing."""
    try:
        import skirmish.web.server  # noqa: F401  (imports all of them)
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        # textual-serve brings aiohttp. Any other module that is missing is a fault of the program.
        if package not in ("textual_serve", "aiohttp", "markupsafe"):
            raise
        raise CommandError(PACKAGES_MISSING.format(command_to_add("browser"))) from None


def _sockets(lan: bool, host: str | None, port: int) -> list[socket]:
    """Sockets that listen on this machine only, or, with ``lan``, in the network: at the address
    ``host``, or at all of this machine's. Raises CommandError."""
    from skirmish.web import addresses

    listen_at = addresses.THIS_MACHINE
    if lan:
        listen_at = host or addresses.ANY_ADDRESS
    try:
        return addresses.open_sockets(listen_at, port)
    except addresses.AddressError as error:
        raise CommandError(str(error)) from None


def _gate(lan: bool, host: str | None, port: int, book: LinkBook) -> Gate:
    """The gate, which decides whose requests are answered. On this machine everybody may open the
    app; in the network only those with the token, by any name or address that this machine has."""
    from skirmish.web import addresses
    from skirmish.web.gate import LOOPBACK, Gate

    if not lan:
        return Gate(port)
    names = LOOPBACK | addresses.own_names()
    if host:
        names |= {host.lower()}
    return Gate(port, book.ensure_app_token(), names, any_ip_address=True)


def _server(
    database: Path,
    book: LinkBook,
    gate: Gate,
    urls_without_token: list[str],
    store_thread: StoreThread,
    *,
    until_closed: bool,
) -> Server:
    """The server of a database. Its phones read and write through the ``store_thread``; with
    ``until_closed`` it stops when its last tab is closed."""
    from skirmish.web.phones import Phones
    from skirmish.web.server import Server

    settings = _settings()

    async def in_store_thread(job: Callable[[Store], Any]) -> Any:
        return await asyncio.wrap_future(store_thread.submit(job))

    # Texts have inches; ``str`` leaves them as they are.
    in_players_units: Callable[[str], str] = str
    if settings.measure == "centimetres":
        in_players_units = in_centimetres
    phones = Phones(
        gate,
        book,
        in_store_thread,
        urls_without_token,
        deck_knowledge=settings.deck_knowledge,
        formatted=in_players_units,
        draw_map=drawn_map,
    )
    environment = {ENVIRONMENT: str(database)}
    return Server(gate, environment, settings.theme, phones, until_closed=until_closed)


def drawn_map(state: Any, shape: str) -> str | None:
    """The map of a battle as SVG, for a television; None for a game without one."""
    from skirmish.games.plastic.battle.state import State
    from skirmish.sheets.maps.wall_map import map_name, wall_map

    if not isinstance(state, State):
        return None
    scenario = state.setup.scenario
    if scenario is None or scenario.map is None:
        return None
    # In the first turn the map has the zones and distances of the set-up as well.
    drawing = wall_map(scenario, _wall_shape(shape), at_first=state.clock.turn <= 1)
    return drawing.as_file(map_name(scenario))


def _wall_shape(shape: str) -> Literal["upright", "lying"]:
    """The shape of the drawing that a page asks for. What comes from the network may be any text;
    most televisions are lying."""
    if shape == "upright":
        return "upright"
    return "lying"


def _let_the_app_go_first() -> None:
    """Lower the priority of this process."""
    if hasattr(os, "nice"):  # Windows has none
        os.nice(NICENESS_BESIDE_THE_APP)


def _end_of_the_app() -> Event:
    """An event that is set when the app that started this server ends. The app holds the other end
    of the standard input, and writes nothing: the input ends with the app."""
    closed = Event()
    standard_input = 0

    def wait_for_end_of_input() -> None:
        while os.read(standard_input, 1):
            pass
        closed.set()

    Thread(target=wait_for_end_of_input, daemon=True).start()
    return closed


def _hosts(gate: Gate, host: str | None) -> list[str]:
    """The hosts in the addresses that are printed: the one that was chosen with --host; without
    one, those for other machines first, if the network is served, and this machine's own last."""
    from skirmish.web import addresses

    if gate.token is None:
        return [addresses.THIS_MACHINE]
    if host is None or host in (addresses.ANY_ADDRESS, ANY_ADDRESS_IN_IPV6):
        return [*addresses.lan_addresses(), addresses.THIS_MACHINE]
    return [host]


def _print_addresses(gate: Gate, urls: list[str]) -> None:
    """Print the addresses of the app; if other machines can reach it, also a QR code of the first
    address, and a warning."""
    say("Open Skirmish at")
    for url in urls:
        say(f"  {url}")
    if gate.token is not None:
        _print_code(urls[0])
        say(TRUST_WARNING)


def _say_how_to_stop() -> None:
    """Print the last line before serving."""
    say("Press Ctrl+C to stop.")
    # Nothing is printed until the server stops: a program that reads the lines would wait for them.
    sys.stdout.flush()


def _print_link(name: str, url: str) -> None:
    """Print a link for a phone or a television under its name."""
    say(f"\n{name}:\n  {url}")
    _print_code(url)


def _print_code(url: str) -> None:
    """Print a QR code of an address, on a terminal that can show one."""
    from skirmish.web.addresses import qr_code

    # A QR code is of no use in a file, and encodings other than Unicode lack its blocks.
    if sys.stdout.isatty() and (sys.stdout.encoding or "").lower().startswith("utf"):
        lines = ["  " + line for line in qr_code(url)]
        say("\n" + "\n".join(lines) + "\n")


def _tokens(book: LinkBook, database: Path, number: int) -> dict[str, str]:
    """The tokens of the links to a stored game, by the name of the side that each is for. Raises
    CommandError."""
    from skirmish.store.database import Store
    from skirmish.web.links import link_names

    with Store.open(str(database)) as store:
        try:
            game = registry.load(store.battle(number).game)
            state = game.codec.replay(store.entries(number)).state
        except (StoreError, RecordError) as error:
            raise CommandError(str(error)) from None
    names_by_side = link_names(game, state)
    tokens_by_side = book.ensure_tokens(number, names_by_side)
    return {name: tokens_by_side[side] for side, name in names_by_side.items()}


def _database() -> Path:
    """The path of the database that all tabs share. It is created or migrated here, so that no two
    tabs do so at once. Raises CommandError."""
    from skirmish.store.database import Store

    path = find().path
    if path is None:
        raise CommandError(
            f"{ENVIRONMENT} names a database in memory, which tabs cannot share; set it to a file."
        )
    with Store.open(str(path)):
        pass  # opening has created or migrated it
    return path


def _settings() -> Settings:
    """The player's settings; the defaults, after a message, if they cannot be read: a server can do
    without them."""
    try:
        return read_settings(settings_file())
    except DataError as error:
        say(harmless(str(error)))
        return Settings()
