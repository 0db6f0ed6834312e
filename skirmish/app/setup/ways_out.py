"""From set-up to the first turn, with everything kept."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from skirmish.app.setup.lines import Line, Secret
from skirmish.games.plastic.battle.orders import Seal
from skirmish.games.plastic.battle.setup import Setup
from skirmish.tabletop.refusal import Refused

if TYPE_CHECKING:
    from skirmish.app.application import SkirmishApp
    from skirmish.app.battle.kept import KeptBattle


async def begin(app: SkirmishApp, setup: Setup, lines: Iterable[Line]) -> None:
    """Keep the battle, then show it over home, which is where its Esc shall lead."""
    from skirmish.app.battle.kept import KeptBattle
    from skirmish.app.home import HomeScreen
    from skirmish.store.errors import StoreError

    try:
        kept = await KeptBattle.begun(app.stored, setup)
    except StoreError as error:
        await app.tell("The battle could not be kept", str(error))
        return
    trouble = await _seal(kept, lines)
    while not isinstance(app.screen, HomeScreen):
        app.pop_screen()
    if app.settings.questions:
        from skirmish.app.questions.screen import QuestionScreen

        await app.push_screen(QuestionScreen(kept))
    else:
        from skirmish.app.battle.screen import BattleScreen

        await app.push_screen(BattleScreen(kept))
    if trouble:
        await app.tell("The sealed note was not kept", trouble)


async def _seal(kept: KeptBattle, lines: Iterable[Line]) -> str:
    """Keep what was written in secret, in its envelope; what went wrong, if anything did."""
    from skirmish.store.errors import StoreError

    for line in lines:
        if isinstance(line, Secret) and line.text:
            try:
                await kept.give(Seal(side=line.id.removeprefix("seal:"), text=line.text))
            except (Refused, StoreError) as error:
                return f"{error} Seal it on the battle screen."
    return ""
