"""How this program was installed, so that what is missing can be added with a command that fits.

The package index has another program called ``skirmish``. Ours is the distribution
``plastic-skirmish`` there; only the import and the command are called ``skirmish``.
"""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import Literal, TypeAlias

DISTRIBUTION = "plastic-skirmish"

PROGRAM = "skirmish"
"""The name of the bundle's program, without the ending that Windows adds."""

Installation: TypeAlias = Literal["bundle", "checkout", "pipx", "uv", "environment"]
"""A bundle is the folder that players download; a checkout has the sources; pipx and uv install the
program as a tool; an environment is any other Python with the package in it."""

_NAMES: dict[Installation, str] = {
    "bundle": "bundle",
    "checkout": "checkout",
    "pipx": "wheel, by pipx",
    "uv": "wheel, by uv",
    "environment": "wheel",
}


def installation() -> Installation:
    """How this program was installed: PyInstaller marks its bundles as frozen, and each installer
    leaves files of its own."""
    if getattr(sys, "frozen", False):
        return "bundle"
    if (Path(__file__).resolve().parent.parent / "pyproject.toml").is_file():
        return "checkout"
    environment = Path(sys.prefix)
    if (environment / "pipx_metadata.json").is_file():
        return "pipx"
    if (environment / "uv-receipt.toml").is_file():
        return "uv"
    return "environment"


def installation_name() -> str:
    """How this program was installed, in up to three words that ``--version`` shows."""
    return _NAMES[installation()]


def command_to_start() -> list[str]:
    """The command that starts this program again, before its arguments."""
    if installation() == "bundle":
        program = Path(sys.executable)
        # Windows has a second program in the folder, which opens a window and has no streams.
        return [str(program.with_name(PROGRAM + program.suffix))]
    words = [sys.executable]
    folders = [os.path.abspath(folder) for folder in sys.path]
    if os.getcwd() not in folders:
        # This process does not import from the current folder, so the new one must not either.
        # With ``-m`` alone it would, and might find another ``skirmish`` there.
        words.append("-P")
    return [*words, "-m", "skirmish"]


def command_to_add(extra: str) -> str:
    """The command line that adds an optional part of the program, such as ``browser``, to this
    installation and to no other Python of the machine. Nothing can be added to a bundle, which has
    the browser part already: there the command installs the program once more, by pipx."""
    requirement = f"'{DISTRIBUTION}[{extra}]'"
    match installation():
        case "checkout":
            return f"{_python()} -m pip install -c constraints.txt -e '.[{extra}]'"
        case "bundle" | "pipx":
            # Without ``--force`` pipx leaves a program that it has installed already as it is.
            return f"pipx install --force {requirement}"
        case "uv":
            return f"uv tool install {requirement}"
        case "environment":
            return f"{_python()} -m pip install {requirement}"


def _python() -> str:
    """The Python that runs this program, as it is typed in a shell: relative if it lies below the
    current folder."""
    python = Path(sys.executable)
    if python.is_relative_to(Path.cwd()):
        python = python.relative_to(Path.cwd())
    return shlex.quote(str(python))
