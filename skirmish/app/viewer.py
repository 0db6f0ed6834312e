"""The system's own program for a file: how a sheet that was printed is opened beside the app."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

OPENERS = ("xdg-open", "wslview")
"""Programs that open a file with whatever the desktop has for it; the first that is there does."""
DESKTOPS = ("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME")
"""What the environment says where there is a desktop to open a file on."""


def opener(
    platform: str = sys.platform,
    environment: Mapping[str, str] = os.environ,
    found: Callable[[str], str | None] = shutil.which,
) -> list[str] | None:
    """The command to which a file is added to open it; None where nothing would show it, as on a
    console without a desktop. Windows opens files by itself: an empty command."""
    if platform == "win32":
        return []
    if platform == "darwin":
        return ["open"]
    if not any(environment.get(name) for name in DESKTOPS):
        return None  # xdg-open would start a browser for consoles, on top of the app
    return next(([place] for name in OPENERS if (place := found(name))), None)


def open_beside(path: Path, command: list[str]) -> None:
    """Open a file, and leave what shows it to itself. Raises OSError."""
    if sys.platform == "win32" and not command:
        os.startfile(path)
        return
    shows = subprocess.Popen(
        [*command, str(path)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl+C in the app is not meant for it
    )
    threading.Thread(target=shows.wait, daemon=True).start()
