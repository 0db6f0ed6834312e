"""``skirmish start``: what a double-click runs. It opens the app in a terminal, or in the browser
where there is no terminal."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import typer

from skirmish.cli.console import is_terminal, say
from skirmish.installation import command_to_start

XTERM_ARGUMENTS = [
    "-geometry",
    "120x40",
    "-fa",
    "Monospace",
    "-fs",
    "12",
    "-tn",
    "xterm-256color",
    "-e",
]
"""A window of a readable size with all colours: by default xterm is small and has eight colours."""
TERMINALS: Mapping[str, Sequence[str]] = {
    "xdg-terminal-exec": (),
    "gnome-terminal": ("--geometry=120x40", "--"),
    "kgx": ("--",),
    "ptyxis": ("--new-window", "--"),
    "konsole": ("-e",),
    "xfce4-terminal": ("--geometry=120x40", "-x"),
    "mate-terminal": ("--geometry=120x40", "-x"),
    "lxterminal": ("--geometry=120x40", "-e"),
    "kitty": (),
    "alacritty": ("-e",),
    "foot": (),
    "wezterm": ("start", "--"),
    "ghostty": ("-e",),
    "tilix": ("-e",),
    "terminator": ("-x",),
    "xterm": XTERM_ARGUMENTS,
    "x-terminal-emulator": ("-e",),
}
"""The terminals of Linux in the order in which they are tried, with the arguments that precede the
command to run. ``xdg-terminal-exec`` comes first: it opens the terminal that the user has chosen.
``x-terminal-emulator``, Debian's name for whichever terminal is installed, comes last: often it is
xterm, which would lack its arguments."""
SECONDS_TO_FAIL = 1.5
"""Seconds after which a terminal that has not failed is taken to have opened its window."""

app = typer.Typer()


@app.command()
def start(context: typer.Context) -> None:
    """Open the app in a window: what a double-click runs.

    In a terminal it opens there. Otherwise it opens a terminal, or, where there is none, the
    browser.

    Example: skirmish start
    """
    _go_to_documents()
    if _has_terminal():
        open_app = context.obj  # ``skirmish.cli`` put the function there
        open_app()
    else:
        open_window()


def open_window() -> None:
    """Open the app in a terminal, or in the browser if no terminal opens."""
    for terminal in terminals(sys.platform, os.environ):
        if _open_terminal([*terminal, *command_to_start()]):
            return
    _serve()


def _go_to_documents() -> None:
    """Make the user's documents the current folder, or his home if that fails. Sheets are printed
    into the current folder, which after a double-click may be any: the root of the disk, or that of
    the program's own files."""
    from platformdirs import user_documents_path

    for folder in (user_documents_path(), Path.home()):
        with suppress(OSError):
            os.chdir(folder)
            return


def terminals(platform: str, environment: Mapping[str, str]) -> list[list[str]]:
    """The command lines that open a terminal on this machine, the best first. Each is to be
    followed by the program that runs in the terminal. Empty where no window can be opened."""
    if platform == "win32":
        return _installed_programs({"wt": ("--",)})  # Windows Terminal
    if platform == "darwin":
        return _installed_programs({"open": ("-a", "Terminal")})
    has_desktop = environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY")
    if not has_desktop:
        return []
    return _installed_programs(TERMINALS)


def _installed_programs(programs: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """The command lines of those programs that are on this machine: path and arguments."""
    commands = []
    for name, arguments in programs.items():
        path = shutil.which(name)
        if path is not None:
            commands.append([path, *arguments])
    return commands


def _open_terminal(command: Sequence[str]) -> bool:
    """Start a terminal; returns whether it opened, as far as can be seen in SECONDS_TO_FAIL."""
    # This program ends at once; a terminal in a session of its own stays open.
    try:
        terminal = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:
        return False
    try:
        exit_code = terminal.wait(SECONDS_TO_FAIL)
    except subprocess.TimeoutExpired:
        return True  # it still runs
    # Some terminals ask a process that already runs to open the window, and end with 0.
    return exit_code == 0


def _has_terminal() -> bool:
    """Whether this program reads from a terminal and writes to it."""
    return all(map(is_terminal, (sys.stdin, sys.stdout, sys.stderr)))


def _serve() -> None:
    """Serve the app to the browser until its last tab is closed."""
    from skirmish.cli.console import CommandError
    from skirmish.cli.serve import PORT, serve

    say("There is no terminal here, so Skirmish opens in the browser.")
    try:
        serve(port=PORT, browse=True, until_closed=True)
    except CommandError:  # the port is taken, perhaps by another Skirmish
        serve(port=0, browse=True, until_closed=True)
