"""A battle as sessions know it, until the shell plays it."""

from skirmish.app.session import Session
from skirmish.games.plastic.battle.events import AnyEvent
from skirmish.games.plastic.battle.orders import AnyOrder
from skirmish.games.plastic.battle.state import State

BattleSession = Session[State, AnyOrder, AnyEvent]
