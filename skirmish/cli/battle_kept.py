"""Battles as the store keeps them: found by number or title, their journals folded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from skirmish.cli.kept import called, looking, open_store, records
from skirmish.cli.speaking import Complaint, harmless
from skirmish.games.plastic.battle.record import BattlePlay, codec
from skirmish.registry import BATTLE
from skirmish.store.errors import Unreadable
from skirmish.tabletop.exported import NotGood
from skirmish.tabletop.journal import RecordError

if TYPE_CHECKING:
    from skirmish.store.records import BattleRecord
    from skirmish.tabletop.exported import EntryRecord

__all__ = ["battle_called", "battles", "finished", "folded", "open_store", "shown_title"]


def battles() -> list[BattleRecord]:
    """The battles of this game, the last one changed first; none where there is no database yet."""
    return records(BATTLE)


def battle_called(ref: str) -> tuple[BattleRecord, list[EntryRecord]]:
    """The battle that ``ref`` names: its number, its title, the beginning or, where only one has
    it, a part of it. Raises StoreError, and Complaint for a game of another kind."""
    return called(ref, BATTLE)


def finished() -> Iterator[tuple[int, BattlePlay | None]]:
    """Every battle that is over, the oldest first, by its number; None where it cannot be read."""
    with looking() as store:
        known = [] if store is None else store.battles()
        for record in sorted(known, key=lambda record: record.started):
            if store is not None and record.over and record.game == BATTLE.id:
                try:
                    yield record.id, folded(record, store.entries(record.id))
                except (Complaint, Unreadable):
                    yield record.id, None


def folded(record: BattleRecord, entries: Sequence[EntryRecord]) -> BattlePlay:
    """The battle of a kept journal. Raises Complaint where it cannot be read."""
    from skirmish.games.plastic.battle.rebuilding import BattleRebuilding

    try:
        read = codec.play(codec.read(e.number, e.kind, e.order, e.events) for e in entries)
        return BattleRebuilding().showable(read)
    except (RecordError, NotGood) as error:
        raise Complaint(f"Battle {record.id} could not be read: {error}") from None


def shown_title(record: BattleRecord) -> str:
    """A title that steers no terminal."""
    return harmless(record.title)
