"""The play sheet of Beach Head, printed from where you are."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from skirmish.app import printing

if TYPE_CHECKING:
    from skirmish.app.application import SkirmishApp
    from skirmish.games.beach_head.setup import Setup
    from skirmish.games.beach_head.state import State


async def print_empty(app: SkirmishApp, *, form: bool = False) -> None:
    """The sheet as it is at the start, by the printed rules."""
    from skirmish.sheets.beach_sheet import beach_name

    setup = await asyncio.to_thread(_usual)
    await printing.print_made(app, beach_name(), _maker(app, setup, form))


async def print_standing(
    app: SkirmishApp, number: int, state: State, *, form: bool = False
) -> None:
    """The sheet with its tracks as the game stands that is kept under ``number``."""
    from skirmish.sheets.beach_sheet import beach_name

    await printing.print_made(app, beach_name(number), _maker(app, state, form))


async def print_kept(app: SkirmishApp, number: int, *, form: bool = False) -> None:
    """The same, read from the store."""
    from skirmish.app.beach.kept import KeptBeach
    from skirmish.app.working import working
    from skirmish.store.errors import StoreError
    from skirmish.tabletop.record import RecordError

    try:
        kept = await working(app, "Reading the game", KeptBeach.resumed(app.stored, number))
    except (StoreError, RecordError) as error:
        await app.tell("This game cannot be read", str(error))
        return
    await print_standing(app, number, kept.state, form=form)


def _maker(app: SkirmishApp, game: Setup | State, form: bool) -> Callable[[], bytes]:
    look = printing.look_of(app)

    def make() -> bytes:
        from skirmish import library
        from skirmish.sheets.beach_sheet import beach_pdf

        return beach_pdf(game, library.beach_readings(), form=form, **look)

    return make


def _usual() -> Setup:
    """A game by the printed rules, of which the sheet needs the beach and the readings."""
    from skirmish import library, shelf
    from skirmish.games.beach_head.setup import prepared
    from skirmish.tabletop.chance import Source

    return prepared(
        library.beach_manual(),
        library.beach_readings(),
        dice=Source("die"),
        cards=Source("deck"),
        revision=shelf.revision("beach_head"),
    )
