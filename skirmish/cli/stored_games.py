"""The stored games that a command works on: found by a number or a title, and replayed.

Only commands that write create the database; those that only read use ``existing_store``. The store
calls a game of any kind a battle: ``BattleRecord``, ``Store.battles``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from skirmish.cli.console import CommandError
from skirmish.registry import BATTLE, Listed, listed, load
from skirmish.store.errors import StoreError
from skirmish.store.names import NumberedName, none_called, pick
from skirmish.store.place import find
from skirmish.store.records import BattleRecord
from skirmish.tabletop.exported import InvalidData, guarded
from skirmish.tabletop.game import Game
from skirmish.tabletop.journal import Play
from skirmish.tabletop.journal_codec import EntryRecord, RecordError
from skirmish.tabletop.scores import FinishedGame

if TYPE_CHECKING:
    from skirmish.store.database import Store

GameNumber = Annotated[
    str,
    typer.Argument(
        metavar="N", help="The number of a game, or part of its title.", show_default=False
    ),
]


class NounForms(NamedTuple):
    """What a game is called, and several of them: ``battle``, ``battles``."""

    noun: str
    nouns: str


def noun_forms(kind: Listed | None) -> NounForms:
    """What games of one kind are called; without a kind, "game" and "games"."""
    if kind is None:
        return NounForms("game", "games")
    return NounForms(kind.noun, kind.nouns)


@contextmanager
def existing_store() -> Iterator[Store | None]:
    """The store, for a command that only reads. None where there is no database yet: opening the
    store would create it."""
    path = find().path  # None: the database is in memory
    try:
        if path is not None:
            path.stat()
    except FileNotFoundError:
        yield None
        return
    except OSError:
        # The file is there but cannot be looked at: opening the store below raises a StoreError
        # with a sentence for the user.
        pass
    with open_store() as store:
        yield store


def open_store() -> Store:
    """The store, created or migrated if needed. Raises StoreError."""
    from skirmish.store.database import Store

    return Store.open()


def stored_games(kind: Listed | None) -> list[BattleRecord]:
    """The games of one kind, or of all known kinds, the last one changed first."""
    with existing_store() as store:
        if store is None:
            return []
        return [record for record in store.battles() if _is_of(kind, record)]


class RecordedGame(NamedTuple):
    """A stored game, with its journal as it is stored."""

    record: BattleRecord
    entries: list[EntryRecord]


def find_game(name_or_number: str, kind: Listed | None) -> RecordedGame:
    """A stored game of one kind (or of all known kinds) by its number, its title or a part of that.
    Raises StoreError where none or several fit, and CommandError where a game of another kind is
    meant."""
    with existing_store() as store:
        if store is None:
            raise none_called(name_or_number, [], noun_forms(kind).noun)
        all_records = store.battles()
        records = {record.id: record for record in all_records if _is_of(kind, record)}
        try:
            number = _number_of(name_or_number, list(records.values()), kind)
        except StoreError:
            sentence = _sentence_for_another_kind(name_or_number, all_records, kind)
            if sentence:
                raise CommandError(sentence) from None
            raise
        return RecordedGame(records[number], store.entries(number))


class LoadedGame(NamedTuple):
    """A stored game that can be looked at: the game that is played, and all that happened."""

    record: BattleRecord
    game: Game[Any, Any, Any]
    play: Play[Any, Any, Any]


def load_game(name_or_number: str, kind: Listed | None) -> LoadedGame:
    """Find a stored game as ``find_game`` does, and replay it. Raises StoreError and
    CommandError."""
    stored = find_game(name_or_number, kind)
    return replayed(stored.record, stored.entries)


def replayed(record: BattleRecord, entries: Sequence[EntryRecord]) -> LoadedGame:
    """A stored game, replayed from its entries. Raises CommandError where that fails, or where
    the resulting state cannot be shown."""
    # A record that names no game is damaged, and counts as a battle.
    game = load(record.game or BATTLE.id)
    try:
        play = game.codec.replay(entries)
        # An edited file may lead to a state that the rules accept but that no page can show.
        guarded(lambda: game.check_screens(play.state), "the game cannot be shown")
    except (RecordError, InvalidData) as error:
        kind = listed(record.game) or BATTLE
        noun = kind.noun.capitalize()
        raise CommandError(f"{noun} {record.id} cannot be read: {error}") from None
    return LoadedGame(record, game, play)


class FinishedGames(NamedTuple):
    """The finished games of one kind, and the numbers of those that cannot be read."""

    games: list[FinishedGame]
    unread: list[int]


def finished_games(game: Game[Any, Any, Any]) -> FinishedGames:
    """All finished games of one kind that are stored. Raises StoreError."""
    unread: list[int] = []
    with existing_store() as store:
        if store is None:
            return FinishedGames([], unread)
        finished = list(store.finished(game, when_unreadable=unread.append))
    return FinishedGames(finished, unread)


def _number_of(name_or_number: str, records: Sequence[BattleRecord], kind: Listed | None) -> int:
    """The number of the game that is meant; raises StoreError for none or several."""
    titles = [NumberedName(record.id, record.title) for record in records]
    forms = noun_forms(kind)
    return pick(name_or_number, titles, forms.noun, forms.nouns)


def _is_of(kind: Listed | None, record: BattleRecord) -> bool:
    """Whether a stored game is of one kind; without a kind, whether this program knows its game."""
    if not record.game:
        # The record cannot be read and names no game. It counts as a battle, so that at least one
        # list shows it.
        return kind in (None, BATTLE)
    if kind is None:
        return listed(record.game) is not None
    return record.game == kind.id


def _sentence_for_another_kind(
    name_or_number: str, records: Sequence[BattleRecord], kind: Listed | None
) -> str:
    """Why the game that is meant is not one of this kind; empty where no game of any kind fits."""
    try:
        number = _number_of(name_or_number, records, kind=None)
    except StoreError:
        return ""
    game_ids = {record.id: record.game for record in records}
    its_kind = listed(game_ids[number])
    if its_kind is None:
        return f"Number {number} is a game that this program does not know."
    if kind is None:  # never: all known games were searched before
        return ""
    return (
        f"Number {number} is a {its_kind.noun} of {its_kind.name}, not a {kind.noun} of "
        f"{kind.name}; `{its_kind.show_command} {number}` shows it."
    )
