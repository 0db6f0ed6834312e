"""A kept battle on the screen its players last used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from skirmish.app.battle.kept import KeptBattle

if TYPE_CHECKING:
    from textual.screen import Screen

    from skirmish.app.application import SkirmishApp


async def opened(app: SkirmishApp, number: int) -> Screen[None]:
    """The screen of battle ``number``; raises StoreError, RecordError."""
    kept = await KeptBattle.resumed(app.stored, number)
    if app.settings.questions:
        from skirmish.app.questions.screen import QuestionScreen

        return QuestionScreen(kept)
    from skirmish.app.battle.screen import BattleScreen

    return BattleScreen(kept)
