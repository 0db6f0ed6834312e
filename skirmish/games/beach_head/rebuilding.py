"""A game built anew from entries that may come from anywhere.

An entry from outside may hold anything that has the right form. So each is folded and told, and the
whole is asked for what the screens ask: one that could not be shown is not taken.
"""

from __future__ import annotations

from skirmish.games.beach_head.ladder import ladder
from skirmish.games.beach_head.record import BeachEntry, BeachPlay, scribe
from skirmish.games.beach_head.rolls import counted
from skirmish.games.beach_head.scores import score_of
from skirmish.games.beach_head.state import State
from skirmish.games.beach_head.telling import about, comes_to, headline, parts, tell_all
from skirmish.tabletop.exported import NotGood, soundly


class Rebuilding:
    """A game in the making, entry by entry."""

    def __init__(self) -> None:
        self._entries: list[BeachEntry] = []
        self._play: BeachPlay | None = None

    def add(self, number: int, kind: str, order: str, events: str) -> None:
        """The next entry from its JSON. Raises NotGood where it cannot follow; the game is then
        what it was before."""
        entry = soundly(lambda: scribe.read(number, kind, order, events), "is no entry")
        if kind not in ("open", "order") and entry.events:
            raise NotGood(f"entry {number} is of kind {kind}, which has no events.")
        try:
            self._play = soundly(lambda: self._followed(entry), f"entry {number} does not follow")
        except NotGood:  # what failed may have left its traces
            self._play = scribe.play(self._entries) if self._entries else None
            raise
        self._entries.append(entry)

    def whole(self) -> BeachPlay | None:
        """The game, or None before its opening. Raises NotGood if it cannot be shown."""
        play = self._play
        if play is None:
            return None

        def shown() -> BeachPlay:
            ladder(play)
            score_of(play.state)
            return play

        return soundly(shown, "the game cannot be shown")

    def _followed(self, entry: BeachEntry) -> BeachPlay:
        play = self._play
        if play is None:
            play = scribe.play([entry])
        else:
            before = play.state
            scribe.follow(play, entry)
            if entry.kind == "order":
                tell_all(before, entry.events)
        _looked_at(play.state)
        return play


def _looked_at(state: State) -> None:
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
