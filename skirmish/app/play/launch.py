"""From a set-up form or a list of stored games to the screen of the game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from skirmish import registry
from skirmish.app.windows import working
from skirmish.session import Session
from skirmish.store.errors import StoreError
from skirmish.tabletop.refusal import Refused

if TYPE_CHECKING:
    from skirmish.app.host import Host
    from skirmish.store.records import BattleRecord
    from skirmish.tabletop.game import Game


async def begin(app: Host, game: Game[Any, Any, Any], answers: Mapping[str, Any]) -> None:
    """Store a new game with these answers of its set-up form, and open it in place of the screens
    that led to it. In a worker only."""
    async with app.reporting(f"This {game.noun} cannot begin"):
        first_event = game.opening(answers, app.seed)
        session = await Session.opened(game, app.stored, first_event)
        refusal = ""
        try:
            for order in game.first_orders(answers, app.seed):
                await session.give(order)
        except (Refused, StoreError) as error:
            # The game is stored by now: it is opened without what could not be carried out.
            refusal = f"{error} You can do it during the {game.noun}."
        screen = await registry.screen_opener(game.id)(app, session.id)
        _leave_passing_screens(app)
        await app.push_screen(screen)
        if refusal:
            await app.show_message("Not everything was carried out", refusal)


def _leave_passing_screens(app: Host) -> None:
    """Close the screens that only led to a game, so that Esc in the game goes home and not back to
    its set-up."""
    # Textual's own screens have no ``Screen.PASSING``.
    while getattr(app.screen, "PASSING", False):
        app.pop_screen()


async def resume(app: Host, record: BattleRecord) -> None:
    """Open a stored game, or show why it cannot be opened. In a worker only."""
    noun = "game"
    listed_game = registry.listed(record.game)
    if listed_game is not None:
        noun = listed_game.noun
    # A game that this version does not have is refused here, by its name.
    async with app.reporting(f"This {noun} cannot be opened"):
        opening = registry.screen_opener(record.game)(app, record.id)
        await app.push_screen(await working(app, f"Opening the {noun}", opening))
