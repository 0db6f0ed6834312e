"""Where the bundle begins: PyInstaller freezes a script, not a module."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from skirmish.__main__ import main

WINDOW = "Play Skirmish"
"""The program that Windows starts by a double-click, as the spec names it."""
LIBRARIES = "LD_LIBRARY_PATH"


def begin() -> None:
    """Run the command line of the bundle."""
    _give_back_libraries()
    if Path(sys.executable).stem == WINDOW:
        sys.argv = [sys.argv[0], "start"]
    main()


def _give_back_libraries() -> None:
    """PyInstaller points the system's search for libraries at the bundle. Terminals and browsers
    that we start are programs of the system and must find their own."""
    earlier = os.environ.pop(f"{LIBRARIES}_ORIG", None)
    if earlier is not None:
        os.environ[LIBRARIES] = earlier
    else:
        os.environ.pop(LIBRARIES, None)
    # A tab of `serve` is this program again. It would take itself for a part of this process, which
    # has the libraries already, and load those of the system.
    os.environ["PYINSTALLER_RESET_ENVIRONMENT"] = "1"


if __name__ == "__main__":
    begin()
