"""The server's sockets, this machine's addresses, and a QR code of one."""

from __future__ import annotations

import errno
import socket
from collections.abc import Sequence
from contextlib import suppress
from ipaddress import IPv6Address, ip_address

from skirmish.tabletop.typed import plain, reason

EVERYWHERE = "0.0.0.0"
HERE = "127.0.0.1"
_OUTSIDE = ("192.0.2.1", 9)
"""An address reserved for documentation. Nothing is sent to it; it only selects the outgoing
interface."""


class AddressError(Exception):
    """The server cannot listen there; the message has the reason and the remedy."""


def opened(host: str, port: int) -> list[socket.socket]:
    """Listening sockets at ``host`` and ``port`` (0: any free one). For localhost there are two,
    since the name may mean either family. Raises AddressError."""
    try:
        first = socket.create_server((host, port), family=_family(host))
    except (OSError, OverflowError, UnicodeError) as error:
        raise AddressError(_why(error, host, port)) from None
    sockets = [first]
    if host == HERE:
        with suppress(OSError):  # many machines have no IPv6
            again = (str(IPv6Address(1)), first.getsockname()[1])
            sockets.append(socket.create_server(again, family=socket.AF_INET6))
    return sockets


def port_of(sockets: Sequence[socket.socket]) -> int:
    return int(sockets[0].getsockname()[1])


def lan_addresses() -> list[str]:
    """This machine's addresses in its network; none without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked, suppress(OSError):
        asked.connect(_OUTSIDE)
        found = str(asked.getsockname()[0])
        if not ip_address(found).is_loopback:
            return [found]
    with suppress(OSError):
        known = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
        numbers = dict.fromkeys(str(entry[4][0]) for entry in known)
        return [number for number in numbers if not ip_address(number).is_loopback]
    return []


def own_names() -> frozenset[str]:
    name = socket.gethostname().lower()
    short = name.partition(".")[0]
    return frozenset({name, short, f"{short}.local"} - {"", ".local"})


def address(host: str, port: int, token: str | None = None) -> str:
    named = f"[{host}]" if ":" in host else host
    at = named if port == 80 else f"{named}:{port}"
    return with_token(f"http://{at}/", token)


def with_token(base: str, token: str | None) -> str:
    """The address of the whole app on the server at ``base``."""
    return base + (f"?token={token}" if token else "")


def link(base: str, token: str) -> str:
    """The address of a side's page on the server at ``base``."""
    return f"{base}s/{token}"


def picture(text: str) -> list[str]:
    """A QR code of ``text``, two rows to a line, for light characters on a dark ground."""
    from reportlab.graphics.barcode.qrencoder import (  # type: ignore[import-untyped]  # noqa: PLC0415
        QRCode,
        QRErrorCorrectLevel,
    )

    code = QRCode(None, QRErrorCorrectLevel.L)
    code.addData(text)
    code.make()
    size, rim = code.getModuleCount(), 2

    def light(row: int, column: int) -> bool:
        inside = 0 <= row < size and 0 <= column < size
        return not (inside and code.isDark(row, column))

    signs = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}
    across = range(-rim, size + rim)
    return [
        "".join(signs[light(row, column), light(row + 1, column)] for column in across)
        for row in range(-rim, size + rim, 2)
    ]


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def _why(error: Exception, host: str, port: int) -> str:
    number = getattr(error, "errno", None)
    if number == errno.EADDRINUSE:
        return (
            f"Port {port} is taken, perhaps by another `skirmish serve`. "
            "Choose another with --port, or --port 0 for any free one."
        )
    if number in (errno.EACCES, errno.EPERM):
        return f"Port {port} cannot be used here. Choose one above 1023 with --port."
    why = reason(error) if isinstance(error, OSError) else "it is not an address"
    why = why.partition(" (while attempting")[0]  # Python appends the address
    return (
        f"Nothing can be served at {plain(host)}: {why}. --host takes an address of this machine; "
        "without it, --lan uses all of them."
    )
