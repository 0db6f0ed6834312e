"""Going on with a game as it was left, whichever game it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from skirmish.kinds import kind_of

if TYPE_CHECKING:
    from skirmish.app.application import SkirmishApp
    from skirmish.store.records import BattleRecord


async def resume(app: SkirmishApp, record: BattleRecord) -> None:
    """Open a kept game on its own screen. Await it in a worker."""
    from skirmish.app.working import working
    from skirmish.store.errors import StoreError
    from skirmish.tabletop.record import RecordError

    kind = kind_of(record.game)
    if kind is None:
        says = f"This version of Skirmish does not know the game {record.game}."
        await app.tell("This game cannot be opened", says)
        return
    try:
        opening = kind.opened()(app, record.id)
        screen = await working(app, f"Opening the {kind.noun}", opening)
    except (StoreError, RecordError) as error:
        await app.tell(f"This {kind.noun} could not be opened", str(error))
        return
    await app.push_screen(screen)
