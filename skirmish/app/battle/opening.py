"""A kept battle on the screen its players last used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from skirmish import registry
from skirmish.app.battle.screen import BattleScreen
from skirmish.app.host import Host
from skirmish.app.session import Session
from skirmish.games.plastic.setup_fields import FIRST_EVENING

if TYPE_CHECKING:
    from textual.screen import Screen


async def opened(app: Host, number: int) -> Screen[None]:
    """The screen of battle ``number``; raises StoreError, RecordError."""
    kept = await Session.resumed(registry.load("plastic"), app.stored, number)
    first = kept.state.setup.title == FIRST_EVENING and len(kept.play.entries) == 1
    if first or app.settings.questions:
        from skirmish.app.play.questions import QuestionScreen

        return QuestionScreen(kept)
    return BattleScreen(kept)
