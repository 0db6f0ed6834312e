"""A battle as sessions know it, until the shell plays it."""

from __future__ import annotations

from typing import cast

from skirmish.app.session import Session
from skirmish.games.plastic.army_file import GAME
from skirmish.games.plastic.battle.events import AnyEvent
from skirmish.games.plastic.battle.lead import headline
from skirmish.games.plastic.battle.orders import AnyOrder, PlayOn
from skirmish.games.plastic.battle.rebuilding import look_at
from skirmish.games.plastic.battle.record import scribe
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.victory import still_over
from skirmish.tabletop.game import Game

BattleSession = Session[State, AnyOrder, AnyEvent]


class _Battle:
    id = GAME
    codec = scribe
    headline = staticmethod(headline)
    look_at = staticmethod(look_at)

    def over(self, state: State) -> bool:
        return state.outcome is not None

    def follow_up(self, state: State) -> AnyOrder | None:
        """If what had ended the battle was made void, it goes on."""
        ended = state.outcome is not None and not still_over(state)
        return PlayOn(anew=True) if ended else None


BATTLES = cast("Game[State, AnyOrder, AnyEvent]", _Battle())
