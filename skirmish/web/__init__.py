"""The app in browsers, each tab a process of its own, behind a gate. textual-serve provides the
terminal in the page and the protocol with the processes. This package adds access control
(``gate``), a limit on tabs, and the end of a process with its tab (``tab``)."""

from __future__ import annotations

import os
import sys

SERVED = "SKIRMISH_SERVED"
"""The environment variable of an app whose terminal is a page."""


def command() -> list[str]:
    """The command that starts this program again, from a wheel or a checkout."""
    here = os.getcwd() in map(os.path.abspath, sys.path)
    return [sys.executable, *([] if here else ["-P"]), "-m", "skirmish"]
