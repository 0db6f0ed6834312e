"""Going on with a game as it was left, whichever game it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from skirmish.app.host import Host
from skirmish.registry import listed

if TYPE_CHECKING:
    from skirmish.store.records import BattleRecord


async def resume(app: Host, record: BattleRecord) -> None:
    """Open a stored game on its screen. Await it in a worker."""
    from skirmish.app.working import working
    from skirmish.store.errors import StoreError
    from skirmish.tabletop.reading import DataError
    from skirmish.tabletop.record import RecordError

    game = listed(record.game)
    if game is None:
        says = f"This version of Skirmish does not know the game {record.game}."
        await app.tell("This cannot be opened", says)
        return
    try:
        opening = game.opened()(app, record.id)
        screen = await working(app, f"Opening the {game.noun}", opening)
    except (StoreError, RecordError, DataError) as error:
        await app.tell(f"This {game.noun} cannot be opened", str(error))
        return
    await app.push_screen(screen)
