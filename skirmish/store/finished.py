"""The finished games of one kind, to be compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from skirmish.store.errors import Unreadable
from skirmish.tabletop.journal import RecordError

if TYPE_CHECKING:
    from skirmish.store.database import Store
    from skirmish.tabletop.game import Game


def finished(
    store: Store, game: Game[Any, Any, Any], mine: int = 0, unread: list[int] | None = None
) -> Iterator[tuple[int, str, Any]]:
    """The number, the moment of the end (ISO) and the last state of each; raises StoreError. A game
    that cannot be read is left out, its number added to ``unread``. Of copies with the same
    journal one counts: ``mine``, else the first to be stored."""
    unread = [] if unread is None else unread
    over = (one.id for one in store.battles() if one.game == game.id and one.over)
    seen: set[tuple[str, ...]] = set()
    for number in sorted(over, key=lambda number: (number != mine, number)):
        try:
            entries = store.entries(number)
        except Unreadable:
            unread.append(number)
            continue
        same = tuple(entry.events for entry in entries)
        if same not in seen:
            seen.add(same)
            try:
                play = game.codec.replay(entries)
            except RecordError:
                unread.append(number)
                continue
            yield number, entries[-1].at, play.state
