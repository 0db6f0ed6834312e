"""The desktop's PDF viewer, which opens the sheet printed last beside the app."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

from skirmish.app.host import Host
from skirmish.tabletop.typed import reason

OPENERS = ("xdg-open", "wslview")
"""Programs that open a file in the desktop's viewer; the first one installed is used."""
DESKTOPS = ("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME")
"""Environment variables, of which a desktop sets at least one."""


async def open_printed(app: Host) -> None:
    """Open the sheet printed last in the desktop's viewer."""
    path = app.last_printed
    if path is None:
        return
    if not path.is_file():
        await app.show_message("The sheet is gone", f"{path} no longer exists. Print it again.")
        return
    command = opener()
    if command is None:
        await app.show_message("No PDF viewer was found", f"The sheet is {path}.")
        return
    try:
        await asyncio.to_thread(open_beside, path, command)
    except OSError as error:
        await app.show_message("The sheet could not be opened", f"{path}: {reason(error)}.")


def opener(
    platform: str = sys.platform,
    environment: Mapping[str, str] = os.environ,
    search: Callable[[str], str | None] = shutil.which,
) -> list[str] | None:
    """The command that opens a file if its path is appended. None if there is no viewer, as on a
    console without a desktop; empty on Windows, which opens files by itself."""
    if platform == "win32":
        return []
    if platform == "darwin":
        return ["open"]
    if not any(environment.get(name) for name in DESKTOPS):
        return None  # xdg-open would start a text browser on top of the app
    for name in OPENERS:
        program = search(name)
        if program:
            return [program]
    return None


def open_beside(path: Path, command: list[str]) -> None:
    """Open a file with a command of ``opener``, without waiting for the viewer. An empty command is
    that of Windows. Raises OSError."""
    # The platform is asked as well, since only on it the type checker knows ``startfile``.
    if sys.platform == "win32" and not command:
        os.startfile(path)
        return
    viewer = subprocess.Popen(
        [*command, str(path)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # out of reach of the app's Ctrl+C
    )
    # A program that ends stays a zombie until it is waited for.
    threading.Thread(target=viewer.wait, daemon=True).start()
