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

MISSING = "`skirmish serve` needs two more packages, textual-serve and MarkupSafe. To add them: {}"
TRUSTED = "Anyone with this address can play. Nothing is encrypted, so use a network you trust."
FOR_TELEVISION = "Open this on the television or tablet"
PORT = 8044
"""The year of most of the battles, behind an eight."""

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
    # Given by the app, where it starts a server for phones: the server ends with it.
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
    # Before the port is opened: a game that cannot be read starts no server.
    tokens_by_name = {}
    if game is not None:
        tokens_by_name = _tokens(book, database, game)
    sockets = _sockets(lan, host, port)
    port = addresses.port_of(sockets)  # with --port 0 it is known only now
    gate = _gate(lan, host, port, book)
    hosts = _hosts(gate, host)
    urls = [addresses.app_address(name, port, gate.token) for name in hosts]
    bases = [addresses.app_address(name, port) for name in hosts]

    def ready() -> None:
        _print_addresses(gate, urls)
        for name, token in tokens_by_name.items():
            _print_link(name, addresses.link_address(bases[0], token))
        say("Press Ctrl+C to stop.")
        sys.stdout.flush()
        if browse:
            webbrowser.open(urls[-1])  # this machine's own stands last

    closed = Event()
    if with_app:
        closed = _app_closed()
    store_thread = StoreThread(str(database))
    server = _server(database, book, gate, bases, store_thread, until_closed=until_closed)
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
        for listening in sockets:
            listening.close()
    say("Stopped. Everything is saved.")


def serve_wall(number: int) -> None:
    """Print the link of the page on which a television follows a game. A server that runs already
    is used; otherwise one is started here."""
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
    bases = [addresses.app_address(name, gate.port) for name in _hosts(gate, None)]

    def ready() -> None:
        _print_link(FOR_TELEVISION, addresses.link_address(bases[0], token))
        say("Press Ctrl+C to stop.")
        sys.stdout.flush()

    store_thread = StoreThread(str(database))
    server = _server(database, book, gate, bases, store_thread, until_closed=False)
    _run(server, store_thread, sockets, ready, Event())


def _check_packages() -> None:
    """Raises CommandError with the command that installs what is missing."""
    try:
        import skirmish.web.server  # noqa: F401  (imports all of them)
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in ("textual_serve", "aiohttp", "markupsafe"):
            raise
        raise CommandError(MISSING.format(command_to_add("browser"))) from None


def _sockets(lan: bool, host: str | None, port: int) -> list[socket]:
    """Listening sockets. Raises CommandError."""
    from skirmish.web import addresses

    listen_at = addresses.THIS_MACHINE
    if lan:
        listen_at = host or addresses.ANY_ADDRESS
    try:
        return addresses.open_sockets(listen_at, port)
    except addresses.AddressError as error:
        raise CommandError(str(error)) from None


def _gate(lan: bool, host: str | None, port: int, book: LinkBook) -> Gate:
    """On this machine everybody may open the app; in the network only with the token, and by any
    name or number that this machine has."""
    from skirmish.web import addresses
    from skirmish.web.gate import LOOPBACK, Gate

    if not lan:
        return Gate(port)
    names = LOOPBACK | addresses.own_names() | {(host or "").lower()}
    return Gate(port, book.ensure_app_token(), names, any_ip_address=True)


def _server(
    database: Path,
    book: LinkBook,
    gate: Gate,
    bases: list[str],
    store_thread: StoreThread,
    *,
    until_closed: bool,
) -> Server:
    """The server of a database, whose ``store_thread`` the phones use, too. ``bases`` are its
    addresses without a token; ``until_closed`` ends it with its last tab."""
    from skirmish.web.phones import Phones
    from skirmish.web.server import Server

    settings = _settings()

    async def stored(job: Callable[[Store], Any]) -> Any:
        return await asyncio.wrap_future(store_thread.submit(job))

    in_players_units: Callable[[str], str] = str
    if settings.measure == "centimetres":
        in_players_units = in_centimetres
    phones = Phones(
        gate,
        book,
        stored,
        bases,
        knowing=settings.deck_knowledge,
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
    return drawing.text(map_name(scenario))


def _wall_shape(shape: str) -> Literal["upright", "lying"]:
    """The shape of the drawing that a page asks for; anything unknown is a lying one."""
    if shape == "upright":
        return "upright"
    return "lying"


def _app_closed() -> Event:
    """Set once the app that started this server has ended: it holds the other end of our input. The
    app's keys come before what phones ask for."""
    closed = Event()
    if hasattr(os, "nice"):  # Windows has none
        os.nice(10)

    def wait() -> None:
        while os.read(0, 1):
            pass
        closed.set()  # nothing to read is the end of the app

    Thread(target=wait, daemon=True).start()
    return closed


def _hosts(gate: Gate, host: str | None) -> list[str]:
    """The hosts to open: those for other machines first, this machine's own last."""
    from skirmish.web import addresses

    if gate.token is None:
        return [addresses.THIS_MACHINE]
    if host in (None, addresses.ANY_ADDRESS, "::"):
        return [*addresses.lan_addresses(), addresses.THIS_MACHINE]
    return [str(host)]


def _print_addresses(gate: Gate, urls: list[str]) -> None:
    """Print where the app is open, and a QR code of the first address if others can reach it."""
    say("Open Skirmish at")
    for url in urls:
        say(f"  {url}")
    if gate.token is not None:
        _print_code(urls[0])
        say(TRUSTED)


def _print_link(name: str, url: str) -> None:
    """Print a link for a phone or a television under its name."""
    say(f"\n{name}:\n  {url}")
    _print_code(url)


def _print_code(url: str) -> None:
    """Print a QR code of an address, on a terminal that can show one."""
    from skirmish.web.addresses import qr_code

    # A file has no use for it, and other encodings lack its blocks.
    if sys.stdout.isatty() and (sys.stdout.encoding or "").lower().startswith("utf"):
        lines = ["  " + line for line in qr_code(url)]
        say("\n" + "\n".join(lines) + "\n")


def _tokens(book: LinkBook, database: Path, number: int) -> dict[str, str]:
    """The tokens of a stored game by the name of their side. Raises CommandError."""
    from skirmish.store.database import Store
    from skirmish.web.links import link_names

    with Store.open(str(database)) as store:
        try:
            game = registry.load(store.battle(number).game)
            state = game.codec.replay(store.entries(number)).state
        except (StoreError, RecordError) as error:
            raise CommandError(str(error)) from None
    names = link_names(game, state)
    tokens = book.ensure_tokens(number, names)
    return {name: tokens[side] for side, name in names.items()}


def _database() -> Path:
    """The database of every tab, created or migrated before the first tab opens it."""
    from skirmish.store.database import Store

    path = find().path
    if path is None:
        raise CommandError(
            f"{ENVIRONMENT} names a database in memory, which tabs cannot share; set it to a file."
        )
    with Store.open(str(path)):
        return path


def _settings() -> Settings:
    """The player's settings if they can be read: the colours of the page before the app paints."""
    try:
        return read_settings(settings_file())
    except DataError as error:
        say(harmless(str(error)))
        return Settings()
