"""``skirmish start``: what a double-click runs. The app in a terminal if there is one, else in the
browser."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import typer

from skirmish.cli.console import say
from skirmish.installation import command_to_start

XTERM = (
    *("-geometry", "120x40"),
    *("-fa", "Monospace", "-fs", "12"),
    *("-tn", "xterm-256color"),
    "-e",
)
"""A window of a readable size, and all colours: by itself xterm is small and knows eight."""
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
    "xterm": XTERM,
    "x-terminal-emulator": ("-e",),
}
"""Terminals of Linux by their names, with the arguments before a command. What the user has chosen
for the whole desktop stands first. With its arguments xterm comes before Debian's name for any
terminal, behind which it often stands without them."""
SECONDS_TO_FAIL = 1.5
"""Seconds within which a terminal that cannot open its window has failed."""

app = typer.Typer()


@app.command()
def start(context: typer.Context) -> None:
    """Open the app in a window: what a double-click runs.

    In a terminal it opens there. Otherwise it opens a terminal, or, where there is none, the
    browser.

    Example: skirmish start
    """
    _go_to_documents()
    if _is_terminal():
        context.obj()  # the command line has the function that opens the app as its object
    else:
        open_window()


def open_window() -> None:
    """A terminal with the app in it, or else the browser."""
    for terminal in terminals(sys.platform, os.environ):
        if _starts([*terminal, *command_to_start()]):
            return
    _serve()


def _go_to_documents() -> None:
    """Make the user's documents the current folder, or else his home: sheets are printed into the
    current folder, and a double-click begins in any, at the root of the disk or among the program's
    own files."""
    from platformdirs import user_documents_path

    for folder in (user_documents_path(), Path.home()):
        with suppress(OSError):
            os.chdir(folder)
            return


def terminals(platform: str, environment: Mapping[str, str]) -> list[list[str]]:
    """The command lines that open a terminal on this machine, the best first; the program that is
    to run in it comes behind. Empty where no window can be opened."""
    if platform == "win32":
        return _installed_programs({"wt": ("--",)})
    if platform == "darwin":
        return _installed_programs({"open": ("-a", "Terminal")})
    if not (environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY")):
        return []
    return _installed_programs(TERMINALS)


def _installed_programs(programs: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Those of these programs that are on this machine, each with its arguments."""
    commands = []
    for name, arguments in programs.items():
        path = shutil.which(name)
        if path is not None:
            commands.append([path, *arguments])
    return commands


def _starts(command: Sequence[str]) -> bool:
    """Start a terminal; returns whether it opened, as far as can be seen at once."""
    # In a session of its own it stays open when this program ends, which it does at once.
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
        return True  # it runs
    # Some hand the window over to a program that already runs, and end well.
    return exit_code == 0


def _is_terminal() -> bool:
    """Whether this program reads from a terminal and writes to it."""
    streams = (sys.stdin, sys.stdout, sys.stderr)
    return all(stream is not None and stream.isatty() for stream in streams)


def _serve() -> None:
    """The app in the browser, until its last tab is closed."""
    from skirmish.cli.console import CommandError
    from skirmish.cli.serve import PORT, serve

    say("There is no terminal here, so Skirmish opens in the browser.")
    try:
        serve(port=PORT, browse=True, until_closed=True)
    except CommandError:  # the port is taken, perhaps by another Skirmish
        serve(port=0, browse=True, until_closed=True)
