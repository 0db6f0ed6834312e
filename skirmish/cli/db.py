"""``skirmish db``: show where the data is, back it up, restore a backup, check it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from skirmish.cli.speaking import Complaint, harmless, number, say

if TYPE_CHECKING:
    from skirmish.store.soundness import Examined

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Find, back up, restore and check the database.",
)

Force = Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")]


@app.command()
def path() -> None:
    """Print the path of the database.

    The file may not exist yet; the app creates it.

    Example: skirmish db path
    """
    from skirmish.store.place import find

    found = find().path
    if found is None:
        raise Complaint("The database is in memory only and has no file.")
    say(harmless(str(found)))


@app.command()
def backup(
    file: Annotated[
        str | None, typer.Argument(metavar="[FILE]", help="Write it to this file or folder.")
    ] = None,
    force: Force = False,
) -> None:
    """Copy the whole database to one file, even while the app is open.

    Without FILE, the copy is skirmish-DATE.db in the current folder.

    Example: skirmish db backup stick/club.db
    """
    from skirmish.store.copies import back_up
    from skirmish.store.place import find

    target = _target(file)
    try:
        found = back_up(find(), target, overwrite=force)
    except FileExistsError:
        raise Complaint(
            f"{harmless(str(target))} already exists and was not changed; "
            "add --force to overwrite it, or name another file."
        ) from None
    say(f"Backup of {_counted(found)}: {harmless(str(target))}")


@app.command()
def restore(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A backup to restore.", show_default=False)
    ],
) -> None:
    """Replace the database with a backup.

    The backup is checked first, and the present database is saved beside it. Close the app first.

    Example: skirmish db restore skirmish-2026-05-01.db
    """
    from skirmish.store.copies import restore as put_back
    from skirmish.store.place import find
    from skirmish.store.soundness import examine

    source = _path(file)
    place = find()
    kept = put_back(source, place)
    if place.path is not None:
        say(f"Restored {_counted(examine(place.path))}: {harmless(str(place.path))}")
    if kept is not None:
        say(f"The previous database: {harmless(str(kept))}")


@app.command()
def check(
    file: Annotated[
        str | None, typer.Argument(metavar="[FILE]", help="A backup to check instead.")
    ] = None,
) -> None:
    """Check the file, each army, and the journal of each game.

    Journals are read from beginning to end; each fault is one line. The exit code is 0 if
    there is no fault, 1 if there is one, 2 if the file cannot be read.

    Example: skirmish db check
    """
    from skirmish.cli import db_check
    from skirmish.store.copies import there
    from skirmish.store.place import find
    from skirmish.store.soundness import examine

    looked_at = there(find()) if file is None else _path(file)
    found = examine(looked_at)
    faults = list(db_check.faults(looked_at, found))
    for fault in faults:
        say(harmless(fault))
    if faults:
        raise typer.Exit(1)
    say(f"No faults: {_counted(found)} in {harmless(str(looked_at))}")


def _counted(found: Examined) -> str:
    """``2 battles, 1 game of Beach Head and 3 armies``: other games only where there are any. What
    no game of this program is counts as a battle."""
    from skirmish.registry import BATTLE, GAMES

    others = [(count, kind) for kind in GAMES if (count := found.of_game.get(kind.id, 0))]
    battles = found.battles - sum(count for count, _ in others)
    games = [f"{number(count, kind.noun, kind.nouns)} of {kind.name}" for count, kind in others]
    kept = ", ".join([number(battles, BATTLE.noun), *games])
    return f"{kept} and {number(found.armies, 'army', 'armies')}"


def _target(written: str | None) -> Path:
    """The file meant by what was typed: in the folder named, or here, under the usual name."""
    from datetime import datetime

    usual = f"skirmish-{datetime.now().astimezone():%Y-%m-%d}.db"
    target = _path(written or ".")
    try:
        return target / usual if target.is_dir() or (written or "").endswith("/") else target
    except OSError as error:
        raise Complaint(f"{harmless(str(target))}: {(error.strerror or 'no').lower()}.") from None


def _path(written: str) -> Path:
    """A path as typed, made absolute; raises Complaint for what can be none."""
    if written == "-":
        raise Complaint(
            "A database cannot be read from a pipe or written to one; name a file instead of -."
        )
    try:
        if not written.strip() or "\0" in written:
            raise ValueError
        return Path(written).expanduser().absolute()
    except (OSError, RuntimeError, ValueError):
        raise Complaint(
            f"“{harmless(written)}” cannot be the name of a file; use one such as club.db."
        ) from None
