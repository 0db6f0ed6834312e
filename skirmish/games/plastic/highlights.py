"""The highlights of a battle: the lines of its journal worth remembering, as they stand after all
corrections, and the weightiest of them for a report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from skirmish.games.plastic.battle import events as happened
from skirmish.games.plastic.battle.events import AnyEvent
from skirmish.games.plastic.battle.lines import BattleLine, lines
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.state import Clock, State
from skirmish.games.plastic.journal_chapters import OPENING, clock_after, player_turn_heading
from skirmish.games.plastic.retelling import retold
from skirmish.tabletop.page import Block, Facts, Heading


class Highlight(msgspec.Struct, frozen=True):
    """A memorable line of the journal."""

    when: str
    """The heading of its player turn."""
    text: str
    """The line, told again in a few short sentences."""
    weight: int
    """How memorable it is, on the scale of potential dead guys."""


def highlight_blocks(highlights: Sequence[Highlight], count: int) -> Iterator[Block]:
    """The weightiest of the highlights, up to ``count``, below their heading; nothing if there are
    none."""
    if highlights:
        yield Heading("Highlights", aside="from the journal")
        shown = weightiest(highlights, count)
        yield Facts(tuple((highlight.when, highlight.text) for highlight in shown))


def weightiest(highlights: Sequence[Highlight], count: int) -> tuple[Highlight, ...]:
    """The ``count`` highlights of the greatest weight, in chronological order; of those with equal
    weights the earlier ones."""

    def weight_at(index: int) -> int:
        return highlights[index].weight

    # Sorting keeps the order of equals, so the earlier of them is chosen first.
    indices = sorted(range(len(highlights)), key=weight_at, reverse=True)
    chosen = sorted(indices[:count])
    return tuple(highlights[index] for index in chosen)


def all_highlights(play: BattlePlay) -> list[Highlight]:
    """The lines in which somebody fell or arrived, a weapon broke down, or a surprise happened,
    with all later corrections."""
    state = play.state
    clock = Clock(turn=1, side=state.first, phase=1)
    highlights: list[Highlight] = []
    for line, events in _with_corrections(play):
        moved_to = clock_after(events)
        # "Turn 4, Germans to move" is never memorable.
        if moved_to is not None:
            clock = moved_to
            continue
        standing = as_it_stands(events, state)
        weight = sum(event.weight() for event in standing)
        if line.text and weight:
            text = retold(standing, state)
            highlights.append(Highlight(player_turn_heading(state.setup, clock), text, weight))
    return highlights


class _CorrectedLine(NamedTuple):
    """A valid line, and its events followed by those of later judgments of its shots."""

    line: BattleLine
    events: list[AnyEvent]


def _with_corrections(play: BattlePlay) -> list[_CorrectedLine]:
    """The valid lines but the opening. A line that judges a shot again is no line of its own: its
    events go to the line in which the shot was fired."""
    corrected_lines: list[_CorrectedLine] = []
    line_of_shot: dict[int, _CorrectedLine] = {}
    for line in lines(play):
        if line.void or line.number == OPENING:
            continue
        line_of_firing = _line_of_firing(line, line_of_shot)
        if line_of_firing is not None:
            line_of_firing.events.extend(line.events)
            continue
        corrected_line = _CorrectedLine(line, list(line.events))
        corrected_lines.append(corrected_line)
        for event in line.events:
            if isinstance(event, happened.Judged | happened.HitsCounted):
                line_of_shot[event.shot.id] = corrected_line
    return corrected_lines


def _line_of_firing(
    line: BattleLine, line_of_shot: Mapping[int, _CorrectedLine]
) -> _CorrectedLine | None:
    """The line in which the first of the shots was fired that this line judges again; None if it
    judges none again."""
    for event in line.events:
        if isinstance(event, happened.Recalled) and event.shot in line_of_shot:
            return line_of_shot[event.shot]
    return None


def as_it_stands(events: Sequence[AnyEvent], state: State) -> list[AnyEvent]:
    """The events without what later ones took back: replaced verdicts, breakdowns judged by
    mistake, and the losses of shots that killed nobody after all. ``state`` is a later one, which
    has the losses as they are now."""
    corrections = _Corrections(events)
    standing: list[AnyEvent] = []
    lost_pieces: set[str] = set()
    for place, event in enumerate(events):
        if corrections.are_against(event, place):
            continue
        if isinstance(event, happened.Lost) and event.credit is not None:
            present_credit = state.lost.get(event.piece)
            is_still_lost_to_shot = (
                present_credit is not None and present_credit.shot == event.credit.shot
            )
            # A piece that was put back and fell again is one loss.
            if not is_still_lost_to_shot or event.piece in lost_pieces:
                continue
            lost_pieces.add(event.piece)
        standing.append(event)
    return standing


class _Corrections:
    """What the events of a corrected line take back of one another. Places are indices among these
    events."""

    def __init__(self, events: Sequence[AnyEvent]) -> None:
        self._last_verdict: dict[int, int] = {}
        """The place of the last verdict on each shot, by the number of the shot."""
        self._breakdown_undone: dict[int, int] = {}
        """The place where the breakdown of a shot was taken back: its earlier tests do not hold."""
        self._any_recalled = False
        """Whether any shot is judged again."""
        for place, event in enumerate(events):
            if isinstance(event, happened.Judged | happened.HitsCounted):
                self._last_verdict[event.shot.id] = place
            elif isinstance(event, happened.Recalled) and event.mended is not None:
                self._breakdown_undone[event.shot] = place
        # Only now, when the verdicts of all shots are noted.
        for event in events:
            if isinstance(event, happened.Recalled):
                self._any_recalled = True
                # Repeat shots that were taken back with it have no verdict that stands.
                for shot in event.chain:
                    self._last_verdict.pop(shot, None)

    def are_against(self, event: AnyEvent, place: int) -> bool:
        """Whether the event at that place is no longer true, or is nothing but a correction."""
        match event:
            case happened.Judged() | happened.HitsCounted():
                return self._last_verdict.get(event.shot.id) != place
            case happened.Tested():
                undone_at = self._breakdown_undone.get(event.shot.id)
                return undone_at is not None and place < undone_at
            case happened.Volleyed():
                # The shot as judged again may have other shooters and another target.
                return self._any_recalled
            case happened.Recalled() | happened.Reread():
                return True
        return False
