"""``skirmish serve``: serve the app to browsers on this machine or in the local network."""

from __future__ import annotations

import asyncio
import sys
import webbrowser
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from skirmish.cli.console import CommandError, harmless, say
from skirmish.store.place import ENVIRONMENT, find
from skirmish.store.settings import place, read_settings
from skirmish.tabletop.reading import DataError

if TYPE_CHECKING:
    from skirmish.web.gate import Gate

MISSING = (
    "`skirmish serve` needs another package, textual-serve. "
    "To install it: pip install 'skirmish[browser]'"
)
TRUSTED = "Anyone with this address can play. Nothing is encrypted, so use a network you trust."


app = typer.Typer()


@app.command()
def serve(
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="The port; 0 takes any free one.")
    ] = 8044,  # the year of most of the ten battles
    lan: Annotated[
        bool, typer.Option("--lan", help="Also serve other machines in the network.")
    ] = False,
    host: Annotated[
        str | None,
        typer.Option("--host", metavar="ADDRESS", help="With --lan: serve at this address only."),
    ] = None,
    browse: Annotated[bool, typer.Option("--open", help="Also open the browser.")] = False,
) -> None:
    """Serve the app to browsers, until Ctrl+C.

    Each tab runs its own app; all share the database. Without --lan, only this machine can open
    it. With --lan, the address ends in a token that changes at every start.

    Example: skirmish serve --lan
    """
    if host is not None and not lan:
        raise CommandError("--host needs --lan; without --lan only this machine is served.")
    try:
        from skirmish.web import addresses, gate
        from skirmish.web.server import Server
        from skirmish.web.server import serve as run
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("textual_serve", "aiohttp"):
            raise
        raise CommandError(MISSING) from None
    more = _database()
    try:
        sockets = addresses.opened((host or addresses.EVERYWHERE) if lan else addresses.HERE, port)
    except addresses.AddressError as error:
        raise CommandError(str(error)) from None
    port = addresses.port_of(sockets)
    names = gate.LOOPBACK | addresses.own_names() | {(host or "").lower()}
    guarded = gate.Gate(port, gate.new_token(), names, True) if lan else gate.Gate(port)
    urls = _addresses(guarded, host)

    def ready() -> None:
        _print_addresses(guarded, urls)
        if browse:
            webbrowser.open(urls[-1])

    try:
        with suppress(KeyboardInterrupt):
            asyncio.run(run(Server(guarded, more, _theme()), sockets, ready))
    finally:
        for opened in sockets:
            opened.close()
    say("Stopped. Everything is saved.")


def _addresses(gate: Gate, host: str | None) -> list[str]:
    """The addresses to open: those for other machines first, this machine's own last."""
    from skirmish.web import addresses

    everywhere = host in (None, addresses.EVERYWHERE, "::")
    if gate.token is None:
        hosts = [addresses.HERE]
    elif everywhere:
        hosts = [*addresses.lan_addresses(), addresses.HERE]
    else:
        hosts = [str(host)]
    return [addresses.address(name, gate.port, gate.token) for name in hosts]


def _print_addresses(gate: Gate, urls: list[str]) -> None:
    from skirmish.web.addresses import picture

    say("Open Skirmish at")
    for url in urls:
        say(f"  {url}")
    if gate.token is not None:
        if sys.stdout.isatty() and (sys.stdout.encoding or "").lower().startswith("utf"):
            say("\n" + "\n".join("  " + line for line in picture(urls[0])) + "\n")
        say(TRUSTED)
    say("Press Ctrl+C to stop.")
    sys.stdout.flush()


def _database() -> dict[str, str]:
    """The database of every tab, created or migrated before the first tab opens it."""
    from skirmish.store.database import Store

    path = find().path
    if path is None:
        raise CommandError(
            f"{ENVIRONMENT} names a database in memory, which tabs cannot share; set it to a file."
        )
    with Store.open(str(path)):
        return {ENVIRONMENT: str(path)}


def _theme() -> str:
    """The colours of the page before the app paints: those of the settings if they can be read."""
    try:
        return read_settings(place()).theme
    except DataError as error:
        say(harmless(str(error)))
        return "night"
