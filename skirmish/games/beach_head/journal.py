"""The journal of a game in words: a line for each phase, with the sentences of its events."""

from __future__ import annotations

from typing import TypeAlias

from skirmish.games.beach_head import events
from skirmish.games.beach_head.orders import BeachOrder
from skirmish.games.beach_head.state import BeachState
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.game import JournalLine
from skirmish.tabletop.journal import Entry, Play
from skirmish.tabletop.page import capital

BeachPlay: TypeAlias = Play[BeachState, BeachOrder, events.BeachEvent]
BeachEntry: TypeAlias = Entry[BeachOrder, events.BeachEvent]


def journal_lines(play: BeachPlay, last: int = 0) -> list[JournalLine]:
    """A line for each phase in which something happened, newest last. Only the lines of the
    ``last`` entries are needed, or all of them if it is 0."""
    live = play.live
    first = 1  # the opening has no line
    if last:
        first = max(first, len(live) - last)
    state_before = play.states[first - 1]
    lines: list[_GrowingLine] = []
    for entry in live[first:]:
        for event in entry.events:
            text, state = event.narrate(state_before), event.apply(state_before)
            state_before = state
            if not text:
                continue
            # A phase that begins or is skipped has a line of its own, as has the end of the game.
            if not lines or isinstance(event, events.Begun | events.Skipped | events.Won):
                names_phase = isinstance(event, events.Begun)
                lines.append(_GrowingLine(state.turn, entry.number, begins_with_name=names_phase))
            lines[-1].add(event, text)
    return [line.as_line() for line in lines if line.has_events]


class _GrowingLine:
    """A line of the journal while it grows: a phase, and the sentences of what happened in it."""

    def __init__(self, turn: int, first_entry: int, *, begins_with_name: bool) -> None:
        self.turn = turn
        self.first_entry = first_entry
        self.begins_with_name = begins_with_name
        """Whether its first sentence only names the phase."""
        self.texts: list[str] = []
        self.drawn: list[Draw] = []
        """The cards that the last sentence lists; empty if it is about something else."""

    def add(self, event: events.BeachEvent, text: str) -> None:
        """Appends the sentence of an event, or completes an unfinished one. Cards drawn one after
        another are listed together."""
        if isinstance(event, events.Drew):
            self.drawn.append(event.card)
            if len(self.drawn) > 1:
                self.texts[-1] = events.drew_text(self.drawn)
                return
        else:
            self.drawn.clear()
        # After an unfinished sentence the text goes on with a small letter. So does the first text:
        # it may complete a sentence of an entry that is not shown.
        if self.texts and not self.texts[-1].endswith(events.UNFINISHED):
            text = capital(text)
        self.texts.append(text)

    @property
    def has_events(self) -> bool:
        """Whether anything happened in it: a line that only names a phase is left out."""
        return len(self.texts) > 1 or not self.begins_with_name

    def as_line(self) -> JournalLine:
        """The finished line. The sentence of a roll may still wait for what the player chooses; it
        then ends as it stands."""
        text = " ".join(self.texts)
        if text.endswith(events.UNFINISHED):
            text = f"{text.removesuffix(events.UNFINISHED)}."
        return JournalLine(self.turn, (self.first_entry,), text)
