"""How this program was installed, so that what is missing can be added with a command that fits.

The package index has another program called ``skirmish``. Ours is the distribution
``plastic-skirmish`` there; only the import and the command are called ``skirmish``.
"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Literal, TypeAlias

DISTRIBUTION = "plastic-skirmish"

Installation: TypeAlias = Literal["checkout", "pipx", "uv", "environment"]
"""A checkout of the sources; a tool of pipx or of uv; a package in any other environment."""


def installation() -> Installation:
    """How this program was installed, told by the files that each installer leaves."""
    if (Path(__file__).resolve().parent.parent / "pyproject.toml").is_file():
        return "checkout"
    environment = Path(sys.prefix)
    if (environment / "pipx_metadata.json").is_file():
        return "pipx"
    if (environment / "uv-receipt.toml").is_file():
        return "uv"
    return "environment"


def command_to_add(extra: str) -> str:
    """The command line that adds an optional part of the program, such as ``browser``, to this
    installation and to no other Python of the machine."""
    wanted = f"'{DISTRIBUTION}[{extra}]'"
    match installation():
        case "checkout":
            return f"{_python()} -m pip install -c constraints.txt -e '.[{extra}]'"
        case "pipx":
            return f"pipx install --force {wanted}"
        case "uv":
            return f"uv tool install {wanted}"
        case "environment":
            return f"{_python()} -m pip install {wanted}"


def _python() -> str:
    """The Python that runs this program, as one types it: short where it is below this folder."""
    python = Path(sys.executable)
    if python.is_relative_to(Path.cwd()):
        python = python.relative_to(Path.cwd())
    return shlex.quote(str(python))
