"""``skirmish db``: show where the data is, back it up, restore a backup, check it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import typer

from skirmish import library, registry
from skirmish.cli.console import CommandError, counted, harmless, say
from skirmish.cli.files import Force, target_path
from skirmish.games.plastic.army_file import GAME
from skirmish.store import opening
from skirmish.store.backups import Examined, back_up, examine, existing_file, file_of
from skirmish.store.backups import restore as put_back
from skirmish.store.errors import Unreadable
from skirmish.store.place import find
from skirmish.store.readers import all_records, damaged_figures, entries, open_snapshot
from skirmish.store.records import ArmyRecord, BattleRecord
from skirmish.tabletop.data_file import DataError
from skirmish.tabletop.journal_codec import EntryRecord, RecordError

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
        str | None, typer.Argument(metavar="FILE", help="Write it to this file or folder.")
    ] = None,
    force: Force = False,
) -> None:
    """Copy the whole database to one file, even while the app is open.

    Without FILE, the copy is skirmish-DATE.db in the current folder.

    Example: skirmish db backup stick/club.db
    """
    if file:
        _typed_path(file)  # called for its CommandError alone: ``target_path`` makes the path
    backup_path = target_path(file, f"skirmish-{datetime.now().astimezone():%Y-%m-%d}.db")
    try:
        backed_up = back_up(find(), backup_path, overwrite=force)
    except FileExistsError:
        raise CommandError(
            f"{harmless(str(backup_path))} already exists and was not changed; "
            "add --force to overwrite it, or name another file."
        ) from None
    say(f"Backup of {_content_of(backed_up)}: {harmless(str(backup_path))}")


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
    source = _typed_path(file)
    place = find()
    backup_path = put_back(source, place)
    database = file_of(place)
    say(f"Restored {_content_of(examine(database))}: {harmless(str(database))}")
    if backup_path is not None:
        say(f"The previous database: {harmless(str(backup_path))}")


@app.command()
def check(
    file: Annotated[
        str | None, typer.Argument(metavar="FILE", help="A backup to check instead.")
    ] = None,
) -> None:
    """Check the file, each army, and the journal of each game.

    Journals are read from beginning to end; each fault is one line. The exit code is 0 if
    there is no fault, 1 if there is one, 2 if the file cannot be read.

    Example: skirmish db check
    """
    if file is None:
        database = existing_file(find())
    else:
        database = _typed_path(file)
    examined = examine(database)
    all_faults = list(faults(database, examined))
    for fault in all_faults:
        say(harmless(fault))
    if all_faults:
        raise typer.Exit(1)
    say(f"No faults: {_content_of(examined)} in {harmless(str(database))}")


def _content_of(examined: Examined) -> str:
    """``2 battles, 1 game of Beach Head and 3 armies``: other games only if there are any. Unknown
    games count as battles."""
    other_games_in_words = []
    count_of_other_games = 0
    for game in registry.GAMES:  # all but the battles
        count = examined.battles_by_game.get(game.id, 0)
        if count:
            count_of_other_games += count
            games_of_kind = counted(count, game.noun, game.nouns)
            if game.noun.lower() != game.name.lower():  # not "2 campaigns of Campaign"
                games_of_kind = f"{games_of_kind} of {game.name}"
            other_games_in_words.append(games_of_kind)
    # As everywhere in the store, the ``battles`` of ``examined`` are the games of all kinds.
    battles = examined.battles - count_of_other_games
    all_games = ", ".join([counted(battles, registry.BATTLE.noun), *other_games_in_words])
    return f"{all_games} and {counted(examined.armies, 'army', 'armies')}"


def _typed_path(typed: str) -> Path:
    """A typed path, made absolute; raises CommandError where it cannot be one."""
    if typed == "-":
        raise CommandError(
            "A database cannot be read from a pipe or written to one; name a file instead of -."
        )
    try:
        if not typed.strip() or "\0" in typed:
            raise ValueError
        return Path(typed).expanduser().absolute()
    except (OSError, RuntimeError, ValueError):
        raise CommandError(
            f"“{harmless(typed)}” cannot be the name of a file; use one such as club.db."
        ) from None


# ---------------------------------------------------------------------- what is wrong


def faults(path: Path, examined: Examined) -> Iterator[str]:
    """Every fault of the file, as it was ``examined``, then of the armies and journals in it.

    Raises StoreError where the file can no longer be read. The content is checked only if the file
    is sound and of this program's revision; otherwise a single fault of the file could show in
    each of a thousand journals.
    """
    for fault in examined.faults:
        yield f"The file: {fault}."
    if examined.newer and examined.revision is not None:
        yield f"The file: it {opening.newer_words(examined.revision)}."
    if examined.faults or examined.newer:
        return
    has_older_revision = examined.revision != opening.REVISION
    if has_older_revision:
        return  # the app checks the content when it migrates it
    with open_snapshot(path) as connection:
        yield from _faults_of_armies(connection)
        unreadable_figures = damaged_figures(connection)
        if unreadable_figures:
            yield f"Your figures: {counted(unreadable_figures, 'line')} cannot be read."
        yield from _faults_of_games(connection)


def _faults_of_armies(connection: sqlite3.Connection) -> Iterator[str]:
    """What is wrong with each army."""
    for army, damaged_columns in all_records(connection, ArmyRecord):
        yield from _damaged_columns(_name_of_army(army), damaged_columns)
        yield from _faults_of_army(army)


def _faults_of_games(connection: sqlite3.Connection) -> Iterator[str]:
    """What is wrong with each stored game and its journal."""
    for record, damaged_columns in all_records(connection, BattleRecord):
        yield from _damaged_columns(_name_of_game(record), damaged_columns)
        try:
            yield from _faults_of_journal(record, entries(connection, record.id))
        except Unreadable as error:
            yield str(error)


def _damaged_columns(owner: str, columns: list[str]) -> Iterator[str]:
    """The fault of an army or a game some of whose columns cannot be read; ``owner`` is its name
    in the fault."""
    if columns:
        yield f"{owner}: these are damaged: {', '.join(columns)}."


def _name_of_army(army: ArmyRecord) -> str:
    """``The army Our Lions``, as the faults begin."""
    return f"The army {army.name}"


def _name_of_game(record: BattleRecord) -> str:
    """``Battle 3 (Dog Beach)``; a game that this version does not know counts as a battle."""
    game = registry.listed(record.game) or registry.BATTLE
    return f"{game.noun.capitalize()} {record.id} ({record.title})"


def _of_unknown_game(owner: str, game: str) -> str:
    """The fault of an army or a game (``owner`` is its name in the fault) whose ``game`` is not in
    the registry."""
    return f"{owner}: it is of a game that this version does not know, {game}."


def _faults_of_army(army: ArmyRecord) -> Iterator[str]:
    """What is wrong with an army: its game is unknown, or its text cannot be read."""
    name = _name_of_army(army)
    if army.game != GAME:
        yield _of_unknown_game(name, army.game)
        return
    try:
        library.stored_army(army.body, name)  # called for its errors alone
    except DataError as error:
        # One line is printed for each army; the first of its problems will do.
        first_problem, _, _ = str(error).partition("\n")
        yield first_problem
    except Exception as error:  # damaged text can raise anything; the check goes on
        yield f"{name}: it cannot be read: {type(error).__name__} {error}."


def _faults_of_journal(record: BattleRecord, journal: list[EntryRecord]) -> Iterator[str]:
    """What is wrong with the journal of a game: gaps in its numbers or, if there are none, the
    first entry that cannot be read or does not follow from those before."""
    name = _name_of_game(record)
    if not journal:
        yield f"{name}: it has no journal."
        return
    gaps = list(_gaps(journal))
    for gap in gaps:
        yield f"{name}: {gap}."
    game = registry.listed(record.game)
    if game is None:
        yield _of_unknown_game(name, record.game)
        return
    if gaps:
        return  # what comes after a gap cannot be replayed
    try:
        game.codec().replay(journal)  # called for its errors alone
    except RecordError as error:
        yield f"{name}: {error}"
    except Exception as error:  # a damaged entry can raise anything in a game
        yield f"{name}: it does not hold together: {type(error).__name__} {error}."


def _gaps(journal: list[EntryRecord]) -> Iterator[str]:
    """Which entries a journal lacks: ``entry 3 is missing``, ``entries 5 to 7 are missing``."""
    # Entries are counted from 1: with the 0, a gap at the beginning is found too.
    numbers = [0, *(entry.number for entry in journal)]
    for before, after in pairwise(numbers):
        first = before + 1
        last = after - 1
        if first == last:
            yield f"entry {first} is missing"
        elif first < last:
            yield f"entries {first} to {last} are missing"
