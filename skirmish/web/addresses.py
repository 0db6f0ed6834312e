"""Where the server listens, the addresses at which browsers reach it, and a QR code of one."""

from __future__ import annotations

import errno
import socket
from collections.abc import Sequence
from contextlib import suppress
from ipaddress import ip_address
from urllib.parse import urljoin

from skirmish.installation import installation
from skirmish.tabletop.typed import plain, reason
from skirmish.web.links import LINK_PATH

ANY_ADDRESS = "0.0.0.0"
"""All addresses of this machine: other machines in its network reach the server too."""
THIS_MACHINE = "127.0.0.1"
"""The address by which only this machine reaches the server."""
_THIS_MACHINE_IN_IPV6 = "::1"
_OUTSIDE_ADDRESS = ("192.0.2.1", 9)
"""An address that is reserved for documentation, with any port. Nothing is sent to it; the system
only chooses the network interface that leads there."""
_QR_MARGIN = 2
"""The light squares that a QR code needs around it."""
_HALF_BLOCKS = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}
"""A character for two squares, by whether the upper and the lower one are light."""


class AddressError(Exception):
    """The server cannot listen there; the message has the reason and the remedy."""


def open_sockets(host: str, port: int) -> list[socket.socket]:
    """Open listening sockets at ``host`` and ``port`` (0: any free one). For this machine alone
    there are two, since ``localhost`` may mean IPv4 or IPv6. Raises AddressError."""
    try:
        first = socket.create_server((host, port), family=_family(host))
    except (OSError, OverflowError, UnicodeError) as error:
        raise AddressError(_why_not_opened(error, host, port)) from None
    sockets = [first]
    if host == THIS_MACHINE:
        # Port 0 lets the system choose one; the second socket must have the same.
        same_in_ipv6 = (_THIS_MACHINE_IN_IPV6, port_of(sockets))
        with suppress(OSError):  # many machines have no IPv6
            sockets.append(socket.create_server(same_in_ipv6, family=socket.AF_INET6))
    return sockets


def port_of(sockets: Sequence[socket.socket]) -> int:
    """The port, which is the same for all of them."""
    _, port, *_ = sockets[0].getsockname()  # an IPv6 socket has more fields after these
    return int(port)


def lan_addresses() -> list[str]:
    """This machine's addresses in its network; none without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as outgoing, suppress(OSError):
        outgoing.connect(_OUTSIDE_ADDRESS)
        own_address, _ = outgoing.getsockname()
        if not ip_address(own_address).is_loopback:
            return [str(own_address)]
    # Nothing leads to the internet, but there may be a network without a way out.
    own_addresses: list[str] = []
    with suppress(OSError):
        for *_, address_and_port in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET):
            own_address = str(address_and_port[0])
            # The same address comes once for each protocol.
            if own_address not in own_addresses and not ip_address(own_address).is_loopback:
                own_addresses.append(own_address)
    return own_addresses


def own_names() -> frozenset[str]:
    """The names by which others in the network may call this machine, in lower case."""
    name = socket.gethostname().lower()
    if not name:
        return frozenset()
    without_domain = name.partition(".")[0]
    return frozenset({name, without_domain, f"{without_domain}.local"})


def app_address(host: str, port: int, token: str | None = None) -> str:
    """The address of the whole app for a browser: ``http://192.168.1.4:8000/?token=…``."""
    if ":" in host:  # an IPv6 address: its colons would be taken for the one before the port
        host = f"[{host}]"
    if port != 80:  # the standard port, which addresses leave out
        host = f"{host}:{port}"
    return with_token(f"http://{host}/", token)


def with_token(base: str, token: str | None) -> str:
    """The address of the whole app on the server at ``base``; without a token it is ``base``."""
    if not token:
        return base
    return f"{base}?token={token}"


def link_address(base: str, token: str) -> str:
    """The address of a link to a game on the server at ``base``."""
    return urljoin(base, f"{LINK_PATH}{token}")


def qr_code(text: str) -> list[str]:
    """A QR code of ``text`` in half blocks, two rows of squares to a line, for light characters on
    a dark ground."""
    from reportlab.graphics.barcode.qrencoder import (  # type: ignore[import-untyped]  # noqa: PLC0415
        QRCode,
        QRErrorCorrectLevel,
    )

    # The lowest error correction needs the fewest squares, and a terminal has few rows.
    code = QRCode(None, QRErrorCorrectLevel.L)
    code.addData(text)
    code.make()
    size = code.getModuleCount()

    def is_light(row: int, column: int) -> bool:
        # The margin around the code is light, or a camera does not find the code.
        is_inside = 0 <= row < size and 0 <= column < size
        return not (is_inside and code.isDark(row, column))

    lines = []
    first, end = -_QR_MARGIN, size + _QR_MARGIN
    for upper_row in range(first, end, 2):
        lower_row = upper_row + 1
        characters = []
        for column in range(first, end):
            both = is_light(upper_row, column), is_light(lower_row, column)
            characters.append(_HALF_BLOCKS[both])
        lines.append("".join(characters))
    return lines


def _port_option_with_make() -> str:
    """How ``--port 0`` is given to make, for those who have our Makefile."""
    if installation() == "checkout":
        return " (with make: make serve WITH='--port 0')"
    return ""


def _family(host: str) -> socket.AddressFamily:
    """IPv6 for an address with colons; IPv4 for any other, and for a name."""
    if ":" in host:
        return socket.AF_INET6
    return socket.AF_INET


def _why_not_opened(error: Exception, host: str, port: int) -> str:
    """Why no server can listen there and what to do, in sentences."""
    error_number = getattr(error, "errno", None)
    if error_number == errno.EADDRINUSE:
        return (
            f"Port {port} is taken, perhaps by another `skirmish serve`. "
            f"Choose another with --port, or --port 0 for any free one{_port_option_with_make()}."
        )
    if error_number in (errno.EACCES, errno.EPERM):
        return f"Port {port} cannot be used here. Choose one above 1023 with --port."
    # What is not even an address fails before the system is asked, with an error of another kind.
    why = "it is not an address"
    if isinstance(error, OSError):
        # Python appends the address, which the sentence has already.
        why, _, _ = reason(error).partition(" (while attempting")
    return (
        f"Nothing can be served at {plain(host)}: {why}. --host takes an address of this machine; "
        "without it, --lan uses all of them."
    )
