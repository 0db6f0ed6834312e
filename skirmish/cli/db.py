"""``skirmish db``: show where the data is, back it up, restore a backup, check it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import typer

from skirmish import library, registry
from skirmish.cli.console import CommandError, harmless, number, say
from skirmish.cli.files import Force, target
from skirmish.games.plastic.army_file import GAME, from_body
from skirmish.store import opening
from skirmish.store.backups import Examined, back_up, examine, file_of, there
from skirmish.store.backups import restore as put_back
from skirmish.store.errors import Unreadable
from skirmish.store.place import find
from skirmish.store.readers import entries, every, looking, odd_figures
from skirmish.store.records import ArmyRecord, BattleRecord
from skirmish.tabletop.data_file import DataError
from skirmish.tabletop.journal import EntryRecord, RecordError

app = typer.Typer(help="Find, back up, restore and check the database.")


@app.command()
def path() -> None:
    """Print the path of the database.

    The file may not exist yet; the app creates it.

    Example: skirmish db path
    """
    say(harmless(str(file_of(find()))))


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
    _path(file or ".")  # refuses what cannot be one
    path = target(file, f"skirmish-{datetime.now().astimezone():%Y-%m-%d}.db")
    try:
        found = back_up(find(), path, overwrite=force)
    except FileExistsError:
        raise CommandError(
            f"{harmless(str(path))} already exists and was not changed; "
            "add --force to overwrite it, or name another file."
        ) from None
    say(f"Backup of {_counted(found)}: {harmless(str(path))}")


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
    source = _path(file)
    place = find()
    backup_path = put_back(source, place)
    if place.path is not None:
        say(f"Restored {_counted(examine(place.path))}: {harmless(str(place.path))}")
    if backup_path is not None:
        say(f"The previous database: {harmless(str(backup_path))}")


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
    looked_at = there(find()) if file is None else _path(file)
    found = examine(looked_at)
    wrong = list(faults(looked_at, found))
    for fault in wrong:
        say(harmless(fault))
    if wrong:
        raise typer.Exit(1)
    say(f"No faults: {_counted(found)} in {harmless(str(looked_at))}")


def _counted(found: Examined) -> str:
    """``2 battles, 1 game of Beach Head and 3 armies``: other games only if there are any. Unknown
    games count as battles."""
    others = [(count, kind) for kind in registry.GAMES if (count := found.of_game.get(kind.id, 0))]
    battles = found.battles - sum(count for count, _ in others)
    games = [f"{number(count, kind.noun, kind.nouns)} of {kind.name}" for count, kind in others]
    all_games = ", ".join([number(battles, registry.BATTLE.noun), *games])
    return f"{all_games} and {number(found.armies, 'army', 'armies')}"


def _path(written: str) -> Path:
    """A typed path, made absolute; raises CommandError where it cannot be one."""
    if written == "-":
        raise CommandError(
            "A database cannot be read from a pipe or written to one; name a file instead of -."
        )
    try:
        if not written.strip() or "\0" in written:
            raise ValueError
        return Path(written).expanduser().absolute()
    except (OSError, RuntimeError, ValueError):
        raise CommandError(
            f"“{harmless(written)}” cannot be the name of a file; use one such as club.db."
        ) from None


# ---------------------------------------------------------------------- what is wrong


def faults(path: Path, found: Examined) -> Iterator[str]:
    """Every fault of the file, as ``found``, then of the armies and journals in it.

    Raises StoreError where the file can no longer be read. The content is only checked if the file
    is sound and of this program's revision: else one fault could raise a thousand more.
    """
    for fault in found.faults:
        yield f"The file: {fault}."
    if found.newer and found.revision is not None:
        yield f"The file: it {opening.newer_words(found.revision)}."
    if found.faults or found.newer:
        return
    if found.revision != opening.REVISION:
        return  # an older revision: the app checks it when it migrates it
    with looking(path) as file:
        for army, odd in every(file, ArmyRecord):
            yield from _odd(f"The army {army.name}", odd)
            yield from _army(army)
        if odd_lines := odd_figures(file):
            yield f"Your figures: {number(odd_lines, 'line')} cannot be read."
        for battle, odd in every(file, BattleRecord):
            yield from _odd(_called(battle), odd)
            try:
                yield from _journal(battle, entries(file, battle.id))
            except Unreadable as error:
                yield str(error)


def _odd(called: str, columns: list[str]) -> Iterator[str]:
    if columns:
        yield f"{called}: these are damaged: {', '.join(columns)}."


def _called(battle: BattleRecord) -> str:
    noun = (registry.listed(battle.game) or registry.BATTLE).noun
    return f"{noun.capitalize()} {battle.id} ({battle.title})"


def _unknown(called: str, game: str) -> str:
    return f"{called}: it is of a game that this version does not know, {game}."


def _army(army: ArmyRecord) -> Iterator[str]:
    called = f"The army {army.name}"
    if army.game != GAME:
        yield _unknown(called, army.game)
        return
    try:
        from_body(army.body, library.catalog(), library.rulings(), called)
    except DataError as error:
        yield str(error).partition("\n")[0]
    except Exception as error:  # damaged text can raise anything; the check goes on
        yield f"{called}: it cannot be read: {type(error).__name__} {error}."


def _journal(battle: BattleRecord, entries: list[EntryRecord]) -> Iterator[str]:
    """Gaps in the numbers; then the first entry that is unreadable or does not follow."""
    kind, called = registry.listed(battle.game), _called(battle)
    if not entries:
        yield f"{called}: it has no journal."
        return
    whole = True
    for before, after in pairwise([0, *(entry.number for entry in entries)]):
        first, last = before + 1, after - 1
        if first <= last:
            whole = False
            which = f"entry {first} is" if first == last else f"entries {first} to {last} are"
            yield f"{called}: {which} missing."
    if kind is None:
        yield _unknown(called, battle.game)
    elif whole:  # what comes after a gap cannot be replayed
        try:
            kind.codec().replay(entries)
        except RecordError as error:
            yield f"{called}: {error}"
        except Exception as error:  # a damaged entry can raise anything in a game
            yield f"{called}: it does not hold together: {type(error).__name__} {error}."
