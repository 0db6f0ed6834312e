"""Files that the user reads and writes.

A file is written completely or not at all, and overwritten only with --force.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from skirmish.cli.console import CommandError, harmless, say, say_bytes, standard_input
from skirmish.store.files import write_whole
from skirmish.tabletop.typed import reason

LARGEST_TEXT = 1_000_000
"""The most bytes of a text that is read; an army file has a few hundred."""

Output = Annotated[
    str | None,
    typer.Option("-o", "--output", metavar="FILE", help="File or folder to write; - is stdout."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for other programs.")]
QuestionsFile = Annotated[
    str, typer.Argument(metavar="FILE|-", help="Questions as JSON Lines; - is stdin.")
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")]


class FileText(NamedTuple):
    """The text of a file, and the name of the file in messages."""

    text: str
    shown_name: str


class FileBytes(NamedTuple):
    """The content of a file, and the name of the file in messages."""

    data: bytes
    shown_name: str


def text_of(name: str, noun: str) -> FileText:
    """The text of a file (``-``: of stdin); the ``noun`` is what it should hold. Raises
    CommandError."""
    data, shown_name = bytes_of(name, LARGEST_TEXT, noun)
    try:
        return FileText(data.decode("utf-8-sig"), shown_name)
    except UnicodeDecodeError:
        raise CommandError(f"{shown_name}: is not UTF-8 text; save it as UTF-8.") from None


def bytes_of(name: str, largest: int, noun: str) -> FileBytes:
    """The content of a file (``-``: of stdin) of at most ``largest`` bytes; the ``noun`` is what it
    should hold. Raises CommandError."""
    enough = largest + 1  # one byte too many shows that the file is too large
    if name == "-":
        shown_name = "standard input"
        data = standard_input().read(enough)
    else:
        shown_name = harmless(name)
        try:
            with open(name, "rb") as stream:
                data = stream.read(enough)
        except (OSError, ValueError) as error:
            raise CommandError(f"{shown_name}: cannot be read: {reason(error)}.") from None
    if len(data) > largest:
        raise CommandError(
            f"{shown_name}: is larger than {largest} bytes; no {noun} is that large."
        )
    return FileBytes(data, shown_name)


def check_target(chosen: str | None, default: str, force: bool, option: str = "-o") -> None:
    """Raises CommandError if ``deliver`` will not be able to write a file; to be called before work
    that takes long."""
    if chosen == "-":
        return
    path = target_path(chosen, default, option)
    if not path.parent.is_dir():
        raise _no_folder(path, option)
    if path.is_file() and not force:
        raise _exists_already(path, option)


def deliver(
    data: bytes, chosen: str | None, default: str, force: bool, noun: str, *, option: str = "-o"
) -> None:
    """Write ``data`` to the ``chosen`` file or folder (``-``: to stdout), or else to the file
    ``default`` in the current folder, and print its path. The ``noun`` says in that line what was
    written; ``option`` is the option with which the user chooses the file. Raises CommandError."""
    if chosen == "-":
        say_bytes(data)
        return
    path = target_path(chosen, default, option)
    try:
        if path.exists() and not path.is_file():
            # A device or a pipe cannot be replaced by a new file, as `write_whole` does.
            path.write_bytes(data)
        else:
            write_whole(path, data, overwrite=force)
    except FileExistsError:
        raise _exists_already(path, option) from None
    except (OSError, ValueError) as error:
        if isinstance(error, FileNotFoundError) and not path.parent.is_dir():
            raise _no_folder(path, option) from None
        raise _unwritable(path, error, option) from None
    say(f"{noun}: {harmless(str(path))}")


def target_path(chosen: str | None, default: str, option: str = "-o") -> Path:
    """The path of the ``chosen`` file; in a chosen folder, or else in the current one, of the file
    called ``default``. Raises CommandError."""
    typed = chosen or "."  # the current folder
    try:
        path = Path(typed).expanduser().absolute()
        # A folder that is not there is recognized by the slash at its end.
        if path.is_dir() or typed.endswith(("/", os.sep)):
            path = path / default
        if path.is_symlink():
            # `stat` is called only for its error: it raises one for a loop of links on every
            # Python. `resolve` below raises a RuntimeError up to 3.12, and none from 3.13 on. A
            # link to a file that does not exist yet is fine.
            with suppress(FileNotFoundError):
                path.stat()
        return path.resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise _unwritable(typed, error, option) from None


def _exists_already(path: Path, option: str) -> CommandError:
    """The error for a file that would be overwritten."""
    return CommandError(
        f"{harmless(str(path))} already exists and was left unchanged; "
        f"use --force to overwrite it, or {option} to choose another name."
    )


def _no_folder(path: Path, option: str) -> CommandError:
    """The error for a folder that is not there."""
    return CommandError(
        f"The folder {harmless(str(path.parent))} does not exist; "
        f"create it first, or choose another with {option}."
    )


def _unwritable(path: Path | str, error: Exception, option: str) -> CommandError:
    """The error for a path that the system refuses to write to."""
    return CommandError(
        f"{harmless(str(path))} cannot be written: {reason(error)}; choose another with {option}."
    )
