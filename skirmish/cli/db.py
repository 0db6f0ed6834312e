"""``skirmish db``: where the data is, a copy of it, a copy put back, and whether all is sound."""

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
    help="Find, copy, restore and check what is kept.",
)

Force = Annotated[bool, typer.Option("--force", help="Overwrite a file that is there.")]


@app.command()
def path() -> None:
    """Print where armies and battles are kept.

    The file need not be there yet; the app makes it.

    Example: skirmish db path
    """
    from skirmish.store.place import find

    found = find().path
    if found is None:
        raise Complaint("The database is in memory only; there is no file of it.")
    say(harmless(str(found)))


@app.command()
def backup(
    file: Annotated[
        str | None, typer.Argument(metavar="[FILE]", help="Where to: a file or a folder.")
    ] = None,
    force: Force = False,
) -> None:
    """Copy the whole database to one file, even while the app is open.

    It is called skirmish-DATE.db and stands in this folder unless FILE says otherwise.

    Example: skirmish db backup stick/club.db
    """
    from skirmish.store.copies import back_up
    from skirmish.store.place import find

    target = _target(file)
    try:
        found = back_up(find(), target, overwrite=force)
    except FileExistsError:
        raise Complaint(
            f"{harmless(str(target))} is there already and was left as it is; "
            "--force overwrites it, or name another file."
        ) from None
    say(f"Backup of {_counted(found)}: {harmless(str(target))}")


@app.command()
def restore(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A copy made by backup.", show_default=False)
    ],
) -> None:
    """Put a copy in the place of the database.

    The copy is checked first, and what is there now is kept beside it. Close the app before.

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
        say(f"What was there before: {harmless(str(kept))}")


@app.command()
def check(
    file: Annotated[
        str | None, typer.Argument(metavar="[FILE]", help="A copy to check instead.")
    ] = None,
) -> None:
    """Check the file, each army, and the journal of each game.

    Journals are read from end to end; each fault is one line. Ends with 0 if all is
    sound, 1 if not, 2 if it cannot be looked at.

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
    say(f"Sound: {_counted(found)} in {harmless(str(looked_at))}")


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
        raise Complaint("A database cannot go through a pipe; name a file instead of -.")
    try:
        if not written.strip() or "\0" in written:
            raise ValueError
        return Path(written).expanduser().absolute()
    except (OSError, RuntimeError, ValueError):
        raise Complaint(f"“{harmless(written)}” can be no file; name one, as in club.db.") from None
