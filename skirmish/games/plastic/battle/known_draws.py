"""Draws to come that players know already: they were made before, and that was undone."""

from __future__ import annotations

from typing import NamedTuple
from weakref import WeakKeyDictionary

from skirmish.games.plastic.battle.events import DrawMade, LevelSet
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.rules.catalog import DECK, DIE
from skirmish.tabletop.chance import Draw, Source


class DrawSeen(NamedTuple):
    """What identifies a draw from one deck or die. When a side gets a new deck or die
    (``LevelSet``), counting starts again, so that a draw from the new one may equal a draw from the
    old one."""

    source: str
    """The id of the side whose deck or die it is."""
    shuffle: int
    """How many times the deck was shuffled before it."""
    aside: Draw | None
    """The card that was left out of that shuffle."""
    nth: int
    """How many were drawn before it since that shuffle, or rolled before it."""
    draw: Draw


class _DrawsOfJournal:
    """The draws that were made in the entries of a journal, which only grows. ``entries_read``: how
    many of its entries have been searched; ``made_in``: the last entry in which each draw was
    made."""

    def __init__(self) -> None:
        self.entries_read = 0
        self.made_in: dict[DrawSeen, int] = {}


_DRAWS_OF_PLAYS: WeakKeyDictionary[BattlePlay, _DrawsOfJournal] = WeakKeyDictionary()
"""For each battle that is open, as long as it is: screens ask for known draws at every key."""


def known_next_draws(play: BattlePlay, side: str) -> tuple[Draw, ...]:
    """The next draws of a side that are known already: they were made before, and that was undone.
    The program's deck or die gives the same ones again."""
    state = play.state
    source_side = state.setup.source_of(side)
    source = state.sources[source_side]
    drawn_in = _entries_of_draws(play)
    seen_before: list[Draw] = []
    while _next_is_known(source):
        draw = source.peek(DECK, DIE)
        nth = len(source.gone)
        if source.kind == "die":
            nth = source.rolls
        next_draw = DrawSeen(source_side, source.shuffles, source.aside, nth, draw)
        entry = drawn_in.get(next_draw)
        was_seen = entry is not None and _was_undone(play, side, entry)
        if not was_seen:
            break
        seen_before.append(draw)
        source = source.drawn(draw)
    return tuple(seen_before)


def _next_is_known(source: Source) -> bool:
    """Whether the program knows the next draw. It does not if players draw by themselves, or if
    the deck is used up."""
    if source.typed:
        return False
    return source.kind == "die" or bool(source.cards_left(DECK))


def _was_undone(play: BattlePlay, side: str, entry: int) -> bool:
    """Whether the draw in the entry with this number came from the present deck or die of a side,
    and was undone. If not, it only happens to equal the draw to come."""
    still_stands = play.state_after(entry) is not None
    is_of_present_source = entry >= _present_source_since(play, side)
    return is_of_present_source and not still_stands


def _present_source_since(play: BattlePlay, side: str) -> int:
    """The number of the entry since which a side draws from its present deck or die; 0 if it has
    had it from the opening on. A ``LevelSet`` event brings a new one."""
    source_of = play.state.setup.source_of
    since = 0
    for entry in play.live:
        for event in entry.events:
            if isinstance(event, LevelSet) and source_of(event.side) == source_of(side):
                since = entry.number
    return since


def _entries_of_draws(play: BattlePlay) -> dict[DrawSeen, int]:
    """The number of the last entry in which each draw was made, also if that was undone."""
    draws = _DRAWS_OF_PLAYS.setdefault(play, _DrawsOfJournal())
    entries = play.entries
    for entry in entries[draws.entries_read :]:
        for event in entry.events:
            if isinstance(event, DrawMade):
                draw = DrawSeen(event.source, event.shuffle, event.aside, event.nth, event.draw)
                draws.made_in[draw] = entry.number
    draws.entries_read = len(entries)
    return draws.made_in
