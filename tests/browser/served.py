"""A server of a test's own."""

from __future__ import annotations

from pathlib import Path

from skirmish.web.addresses import THIS_MACHINE, app_address
from skirmish.web.gate import Gate
from skirmish.web.server import Server

TOKEN = "kfd3r-9wq2m-x7hcv-pb4ts"


class Served:
    """A server of the test's own, with a database and a folder of its own."""

    def __init__(self, server: Server, gate: Gate, folder: Path) -> None:
        self.server = server
        self.gate = gate
        self.folder = folder
        self.database = folder / "kept.db"
        self.door = app_address(THIS_MACHINE, gate.port)
        """Its address, without the token."""
