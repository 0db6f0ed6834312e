"""A kept battle on the screen its players last used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from skirmish.app.battle.kept import BATTLES
from skirmish.app.host import Host
from skirmish.app.session import Session

if TYPE_CHECKING:
    from textual.screen import Screen


async def opened(app: Host, number: int) -> Screen[None]:
    """The screen of battle ``number``; raises StoreError, RecordError."""
    kept = await Session.resumed(BATTLES, app.stored, number)
    if app.settings.questions:
        from skirmish.app.questions.screen import QuestionScreen

        return QuestionScreen(kept)
    from skirmish.app.battle.screen import BattleScreen

    return BattleScreen(kept)
