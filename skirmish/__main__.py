"""``skirmish`` and ``python -m skirmish``: the app without arguments, else the command line."""

from __future__ import annotations

import gc
import os
import sys

from skirmish.web import SERVED

COMPLETING = "_SKIRMISH_COMPLETE"
"""The environment variable with which a shell asks for what may follow a half-typed command."""
NO_TERMINAL = """\
skirmish opens a full-screen app and needs a terminal for it; here its
{name} goes elsewhere.
Without a terminal use the commands: skirmish --help lists them, for example
  skirmish scenarios
  skirmish army check my-army.toml
  skirmish print scenario 10"""


def main() -> None:
    """Run the command that was typed; without one, the app. Each imports only what it needs, when
    it needs it, since importing takes most of the time of a start."""
    if len(sys.argv) > 1 or COMPLETING in os.environ:
        # At Python's default of 700 new objects, a seventh of a command's time is spent on garbage
        # collections while modules are imported, which make no garbage.
        gc.set_threshold(200_000)
        from skirmish.cli import run  # noqa: PLC0415

        run(open_app=_run_app)
        return
    if SERVED not in os.environ:  # in a browser the page takes the place of the terminal
        _check_terminal()
    gc.disable()  # imports make no garbage; searching for it took a tenth of the start
    from skirmish.app.application import run_app  # noqa: PLC0415

    gc.freeze()  # what is imported stays, so later collections need not look at it
    gc.enable()
    run_app()


def _check_terminal() -> None:
    """End the program with a message if input, output or error output is no terminal."""
    streams = {"input": sys.stdin, "output": sys.stdout, "error output": sys.stderr}
    for name, stream in streams.items():
        if stream is None or not stream.isatty():
            from skirmish.cli import console  # noqa: PLC0415

            console.prepare()
            console.complain(NO_TERMINAL.format(name=name))
            raise SystemExit(2)


def _run_app(follow: int | None = None) -> None:
    """Run the app, following the battle with the number ``follow`` if one is given. The command
    line is given this function, since it does not import the app itself."""
    from skirmish.app.application import run_app  # noqa: PLC0415

    run_app(follow)


if __name__ == "__main__":
    main()
