"""The finished games of one kind, to be compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from skirmish.tabletop.record import RecordError

if TYPE_CHECKING:
    from skirmish.store.desk import Store
    from skirmish.tabletop.game import Game


def finished(store: Store, game: Game[Any, Any, Any]) -> Iterator[tuple[int, str, Any]]:
    """The number, the moment of the end (ISO) and the last state of each; raises StoreError. A game
    that cannot be read is left out."""
    for record in store.battles():
        if record.game == game.id and record.over:
            entries = store.entries(record.id)
            try:
                play = game.codec.play(
                    game.codec.read(one.number, one.kind, one.order, one.events) for one in entries
                )
            except RecordError:
                continue
            yield record.id, entries[-1].at, play.state
