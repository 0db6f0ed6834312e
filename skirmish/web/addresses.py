"""The server's sockets, this machine's addresses, and a QR code of one."""

from __future__ import annotations

import errno
import socket
from collections.abc import Sequence
from contextlib import suppress
from ipaddress import ip_address

from skirmish.installation import installation
from skirmish.tabletop.typed import plain, reason

ANY_ADDRESS = "0.0.0.0"
THIS_MACHINE = "127.0.0.1"
_THIS_MACHINE_IN_IPV6 = "::1"
_OUTSIDE = ("192.0.2.1", 9)
"""An address reserved for documentation, and any port. Nothing is sent to it; it only selects the
outgoing interface."""
_RIM = 2
"""Squares of light around a QR code."""
_HALVES = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}
"""A character for two squares, by whether the upper and the lower one are light."""


class AddressError(Exception):
    """The server cannot listen there; the message has the reason and the remedy."""


def opened(host: str, port: int) -> list[socket.socket]:
    """Listening sockets at ``host`` and ``port`` (0: any free one). For this machine alone
    there are two, since ``localhost`` may mean IPv4 or IPv6. Raises AddressError."""
    try:
        first = socket.create_server((host, port), family=_family(host))
    except (OSError, OverflowError, UnicodeError) as error:
        raise AddressError(_why_not_opened(error, host, port)) from None
    sockets = [first]
    if host == THIS_MACHINE:
        with suppress(OSError):  # many machines have no IPv6
            same_port = port_of(sockets)  # the one that the system chose, if any would do
            same_host = (_THIS_MACHINE_IN_IPV6, same_port)
            sockets.append(socket.create_server(same_host, family=socket.AF_INET6))
    return sockets


def port_of(sockets: Sequence[socket.socket]) -> int:
    """The port, the same for all of them."""
    return int(sockets[0].getsockname()[1])


def lan_addresses() -> list[str]:
    """This machine's addresses in its network; none without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as outgoing, suppress(OSError):
        outgoing.connect(_OUTSIDE)
        own = str(outgoing.getsockname()[0])
        if not ip_address(own).is_loopback:
            return [own]
    # There is no way out of this machine, but it may have a network without one.
    with suppress(OSError):
        entries = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
        # An entry ends with an address and a port; the same address comes once for each protocol.
        numeric = dict.fromkeys(str(entry[4][0]) for entry in entries)
        return [number for number in numeric if not ip_address(number).is_loopback]
    return []


def own_names() -> frozenset[str]:
    """The names by which others in the network may call this machine, in lower case."""
    name = socket.gethostname().lower()
    without_domain = name.partition(".")[0]
    return frozenset({name, without_domain, f"{without_domain}.local"} - {"", ".local"})


def address(host: str, port: int, token: str | None = None) -> str:
    """The address of the whole app, as a browser takes it: ``http://192.168.1.4:8000/?token=…``."""
    if ":" in host:  # the colons of IPv6 would be taken for that before the port
        host = f"[{host}]"
    if port != 80:
        host = f"{host}:{port}"
    return with_token(f"http://{host}/", token)


def with_token(base: str, token: str | None) -> str:
    """The address of the whole app on the server at ``base``."""
    if not token:
        return base
    return f"{base}?token={token}"


def link(base: str, token: str) -> str:
    """The address of a side's page on the server at ``base``."""
    return f"{base}s/{token}"


def qr_code(text: str) -> list[str]:
    """A QR code of ``text``, two rows to a line, for light characters on a dark ground."""
    from reportlab.graphics.barcode.qrencoder import (  # type: ignore[import-untyped]  # noqa: PLC0415
        QRCode,
        QRErrorCorrectLevel,
    )

    # The lowest correction has the fewest squares, and a terminal has few rows.
    code = QRCode(None, QRErrorCorrectLevel.L)
    code.addData(text)
    code.make()
    size = code.getModuleCount()

    def is_light(row: int, column: int) -> bool:
        # Whatever surrounds the code is light, or a camera does not find it.
        is_inside = 0 <= row < size and 0 <= column < size
        return not (is_inside and code.isDark(row, column))

    lines = []
    for row in range(-_RIM, size + _RIM, 2):
        signs = []
        for column in range(-_RIM, size + _RIM):
            signs.append(_HALVES[is_light(row, column), is_light(row + 1, column)])
        lines.append("".join(signs))
    return lines


def _with_make() -> str:
    """How an option of ``serve`` is given to make, for those who have a Makefile."""
    if installation() == "checkout":
        return " (with make: make serve WITH='--port 0')"
    return ""


def _family(host: str) -> socket.AddressFamily:
    if ":" in host:
        return socket.AF_INET6
    return socket.AF_INET


def _why_not_opened(error: Exception, host: str, port: int) -> str:
    """Why nothing can be served there and what to do, in sentences."""
    number = getattr(error, "errno", None)
    if number == errno.EADDRINUSE:
        return (
            f"Port {port} is taken, perhaps by another `skirmish serve`. "
            f"Choose another with --port, or --port 0 for any free one{_with_make()}."
        )
    if number in (errno.EACCES, errno.EPERM):
        return f"Port {port} cannot be used here. Choose one above 1023 with --port."
    why = "it is not an address"
    if isinstance(error, OSError):
        why = reason(error).partition(" (while attempting")[0]  # Python appends the address
    return (
        f"Nothing can be served at {plain(host)}: {why}. --host takes an address of this machine; "
        "without it, --lan uses all of them."
    )
