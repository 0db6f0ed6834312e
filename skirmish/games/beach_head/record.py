"""A game's entries as text, and back."""

from __future__ import annotations

from skirmish.games.beach_head.decide import BeachHead
from skirmish.games.beach_head.events import AnyEvent, Opened
from skirmish.games.beach_head.orders import AnyOrder
from skirmish.games.beach_head.setup import Setup
from skirmish.games.beach_head.state import State
from skirmish.tabletop.journal import Entry, Play
from skirmish.tabletop.record import Scribe

GAME = "beach_head"
"""How the store calls it."""

BeachEntry = Entry[AnyOrder, AnyEvent]
BeachPlay = Play[State, AnyOrder, AnyEvent]

scribe: Scribe[State, AnyOrder, AnyEvent] = Scribe(BeachHead(), AnyOrder, AnyEvent)


def opening(setup: Setup) -> BeachEntry:
    """The first entry of a game."""
    return Entry(1, "open", None, (Opened(setup=setup),))
