"""The journal as a report tells it: in chapters, one for each player turn, with the phases as
headings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from skirmish.games.plastic.battle import events as happened
from skirmish.games.plastic.battle.events import AnyEvent
from skirmish.games.plastic.battle.lines import lines
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.state import PHASES, Clock
from skirmish.tabletop.page import Block, Heading, Items

OPENING = 1
"""The number of the first line of a journal, which says that the battle begins."""
BEFORE_PHASES = 0
"""In place of the number of a phase, for lines above the first phase of a player turn: the opening,
and what the end of the turn before brought."""


def journal_blocks(play: BattlePlay) -> Iterator[Block]:
    """The journal under the headings of its player turns and phases."""
    for chapter in chapters(play):
        if chapter.lines:
            yield Heading(chapter.heading)
        for phase, lines_of_phase in groupby(chapter.lines, key=attrgetter("phase")):
            if phase != BEFORE_PHASES:
                yield Heading(PHASES[phase], level=3)
            yield Items(tuple(line.text for line in lines_of_phase))


class ChapterLine(NamedTuple):
    """A line of the journal; ``phase``: the number of its phase, or ``BEFORE_PHASES``."""

    phase: int
    text: str


class Chapter(NamedTuple):
    """A player turn of the journal."""

    heading: str
    lines: list[ChapterLine]


def chapters(play: BattlePlay) -> Iterator[Chapter]:
    """The valid lines of each player turn, without the sentences that say no more than the
    headings."""
    setup = play.state.setup
    # Each deck is shuffled at the end of every turn, so that needs no mention.
    shuffles = [f"The {setup.owned_by(side.id, 'deck')} is shuffled." for side in setup.sides]
    first_heading = player_turn_heading(setup, Clock(turn=1, side=play.state.first, phase=1))
    chapter = Chapter(first_heading, [])
    present_phase = 1
    for line in lines(play):
        # The journal on the screen shows void lines, struck out; a report tells what counted.
        if line.void:
            continue
        clock = clock_after(line.events)
        phase, text = present_phase, line.text
        if clock is not None:
            present_phase = clock.phase
            phase = present_phase
            heading = player_turn_heading(setup, clock)
            text = _without(text, f"{heading}.", f"Phase {phase}: {PHASES[phase]}.", *shuffles)
            if heading != chapter.heading:
                yield chapter
                chapter = Chapter(heading, [])
                phase = BEFORE_PHASES
        elif line.number == OPENING:
            phase = BEFORE_PHASES
            text = _without(text, f"{setup.title} begins.")  # the title of the report says so
        if text:
            chapter.lines.append(ChapterLine(phase, text))
    yield chapter


def clock_after(events: Iterable[AnyEvent]) -> Clock | None:
    """The clock after these events; None if they did not move it."""
    clock = None
    for event in events:
        if isinstance(event, happened.ClockEvent):
            clock = event.clock
    return clock


def player_turn_heading(setup: Setup, clock: Clock) -> str:
    """``Turn 4, Germans to move``."""
    return f"Turn {clock.turn}, {setup.side_by_id[clock.side].people} to move"


def _without(text: str, *sentences: str) -> str:
    """The text without these sentences, which are worded as their events narrate them."""
    # To narrate the line without these events would word the rest of it differently: from them
    # ``narrate`` sees that the clock moved on without the defender's answer about the losses.
    for sentence in sentences:
        # Only the first: the players may have written the same sentence into a note.
        text = text.replace(sentence, "", 1)
    return " ".join(text.split())
