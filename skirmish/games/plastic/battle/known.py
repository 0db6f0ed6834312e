"""Draws that were taken back and will come again: both players have seen them."""

from __future__ import annotations

from skirmish.games.plastic.battle.events import Drawn
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.tabletop.chance import Draw


def known_next(play: BattlePlay, side: str) -> tuple[Draw, ...]:
    """The draws that the side's source gives next and that were on the table before an undo.

    Undo puts a card back where it came from, so it comes again until the next shuffle. A player's
    own deck or die is not the program's to know.
    """
    state = play.state
    name = state.setup.source_of(side)
    source = state.sources[name]
    if source.typed:
        return ()
    standing = {act.number for act in play.acts}
    seen = {
        (event.shuffle, event.aside, event.nth): event.draw
        for entry in play.entries
        if entry.number not in standing
        for event in entry.events
        if isinstance(event, Drawn) and event.source == name
    }
    at = source.rolls if source.kind == "die" else len(source.gone)
    known = []
    while (source.shuffles, source.aside, at) in seen:
        known.append(seen[source.shuffles, source.aside, at])
        at += 1
    return tuple(known)
