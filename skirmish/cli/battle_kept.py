"""Battles as the store keeps them: found by number or title, their journals folded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from skirmish.cli.speaking import Complaint, harmless
from skirmish.games.plastic.army_file import GAME
from skirmish.games.plastic.battle.record import BattlePlay, RecordError, play, read_entry
from skirmish.store.errors import StoreError
from skirmish.store.names import pick
from skirmish.store.place import find

if TYPE_CHECKING:
    from skirmish.store.desk import Store
    from skirmish.store.records import BattleRecord, EntryRecord


def battles() -> list[BattleRecord]:
    """The battles of this game, the last one changed first; none where there is no database yet."""
    with _looking() as store:
        if store is None:
            return []
        return [record for record in store.battles() if record.game == GAME]


def battle_called(ref: str) -> tuple[BattleRecord, list[EntryRecord]]:
    """The battle that ``ref`` names: its number, its title, the beginning or, where only one has
    it, a part of it. Raises StoreError."""
    with _looking() as store:
        known = [] if store is None else [b for b in store.battles() if b.game == GAME]
        number = _picked(ref, [(record.id, record.title) for record in known])
        assert store is not None
        return next(b for b in known if b.id == number), store.entries(number)


def finished() -> Iterator[tuple[int, BattlePlay | None]]:
    """Every battle that is over, the oldest first, by its number; None where it cannot be read."""
    with _looking() as store:
        known = [] if store is None else store.battles()
        for record in sorted(known, key=lambda record: record.started):
            if store is not None and record.over and record.game == GAME:
                try:
                    yield record.id, folded(record, store.entries(record.id))
                except Complaint:
                    yield record.id, None


def folded(record: BattleRecord, entries: Sequence[EntryRecord]) -> BattlePlay:
    """The battle of a kept journal. Raises Complaint where it cannot be read."""
    try:
        return play(read_entry(e.number, e.kind, e.order, e.events) for e in entries)
    except RecordError as error:
        raise Complaint(f"Battle {record.id} cannot be read: {error}") from None


def open_store() -> Store:
    """The store, made if it is not there."""
    from skirmish.store.desk import Store

    return Store.open()


@contextmanager
def _looking() -> Iterator[Store | None]:
    """The store; to look for something is no reason to make a database where there is none."""
    path = find().path
    try:
        if path is not None:
            path.stat()
    except FileNotFoundError:
        yield None
        return
    except OSError:
        pass  # the store tells what is wrong
    with open_store() as store:
        yield store


def _picked(ref: str, named: Sequence[tuple[int, str]]) -> int:
    try:
        return pick(ref, named, "battle", "battles")
    except StoreError:
        wanted = ref.strip().casefold()
        within = [number for number, title in named if wanted and wanted in title.casefold()]
        if len(within) != 1:
            raise
        return within[0]


def shown_title(record: BattleRecord) -> str:
    """A title that steers no terminal."""
    return harmless(record.title)
