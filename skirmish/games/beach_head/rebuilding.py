"""A game built anew from entries that may come from anywhere.

An entry from outside may hold anything that has the right form. So every order is decided again,
and must lead to what the entry says; a game of today must be set up as today's are. What the
screens ask is asked at once: one that could not be shown is not taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from skirmish.games.beach_head.events import AnyEvent, Opened
from skirmish.games.beach_head.ladder import ladder
from skirmish.games.beach_head.manual import Manual
from skirmish.games.beach_head.orders import AnyOrder
from skirmish.games.beach_head.readings import Readings
from skirmish.games.beach_head.record import BeachEntry, BeachPlay, scribe
from skirmish.games.beach_head.rolls import counted
from skirmish.games.beach_head.scores import score_of
from skirmish.games.beach_head.setup import Setup, prepared
from skirmish.games.beach_head.state import State
from skirmish.games.beach_head.telling import about, comes_to, headline, journal, parts
from skirmish.tabletop.chance import Source
from skirmish.tabletop.exported import EntryByEntry, NotGood, as_decided

GREATEST = 1_000
"""No number of a manual is greater, of whatever revision; it could not be played."""


class Rebuilding(EntryByEntry[State, AnyOrder, AnyEvent]):
    """A game in the making, entry by entry. Games of ``revision``, today's, must go by ``manual``
    and ``readings``; older ones go by the numbers they began with."""

    def __init__(self, manual: Manual, readings: Readings, revision: str) -> None:
        super().__init__(scribe)
        self._manual, self._readings, self._revision = manual, readings, revision

    def _shown(self, play: BeachPlay) -> None:
        ladder(play)
        score_of(play.state)

    def _followed(self, entry: BeachEntry) -> BeachPlay:
        play = self._play
        if play is None:
            self._fairly_opened(entry)
            play = scribe.play([entry])
        else:
            if entry.kind == "order":
                as_decided(play, entry)
            elif entry.kind == "void":
                raise NotGood(f"entry {entry.number} strikes others; no game of Beach Head does.")
            scribe.follow(play, entry)
            if entry.kind == "order":
                journal(play, 1)
        look_at(play.state)
        return play

    def _fairly_opened(self, entry: BeachEntry) -> None:
        """Raises NotGood for an opening that no game begins with."""
        match entry.events:
            case (Opened(setup=setup),):
                pass
            case _:
                raise NotGood(f"entry {entry.number} is not the opening of a game.")
        fresh = self._as_today(setup)
        if (setup.dice, setup.cards) != (fresh.dice, fresh.cards):
            raise NotGood("its dice or cards were used before the game began.")
        if setup.revision != self._revision:
            if any(abs(number) > GREATEST for number in _numbers(setup.manual)):
                raise NotGood(f"it has numbers beyond {GREATEST}; no game of Beach Head has.")
        elif setup.manual != self._manual:
            raise NotGood("its numbers are not those of Beach Head.")
        elif (setup.rulings, setup.reading) != (fresh.rulings, fresh.reading):
            raise NotGood("its readings are not those that it names.")

    def _as_today(self, setup: Setup) -> Setup:
        """The same game, set up now."""
        known = setup.revision == self._revision
        dice, cards = setup.dice, setup.cards
        return prepared(
            self._manual,
            self._readings,
            rulings=setup.rulings if known else {},
            variant=setup.variant,
            dice=Source("die", dice.seed),
            cards=Source("deck", cards.seed) if cards else None,
        )


def _numbers(thing: Any) -> Iterator[float]:
    for number in _leaves(msgspec.to_builtins(thing)):
        if isinstance(number, int | float):
            yield number


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict | list | tuple):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _leaves(one)
    else:
        yield value


def look_at(state: State) -> None:
    """Raises LookupError or ValueError for what the screens could not show."""
    headline(state)
    if any(points < 0 for points in state.defences.values()) or state.squads < 0:
        raise ValueError("there is less than nothing on the beach")
    manual = state.setup.manual
    for name in (*state.tanks, *state.defences):
        manual.tank_of(name) if name in state.tanks else manual.defence_of(name)
    for card in (*state.hand, *state.discard):
        manual.card_of(card.rank)
    if state.phase is not None:
        manual.place(state.phase)
    if state.roll is not None:
        about(state, state.roll.task)
        parts(state, state.roll)
        comes_to(state, state.roll)
        counted(state, state.roll)
