"""Where the notes of a scenario sheet stand on one page: notes on the turn and notes on the
scenario have no fixed place, so their places are tried one after the other, the best first."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, IntEnum, auto
from functools import cache
from itertools import product
from typing import NamedTuple

from skirmish.sheets.scenario.turn_notes import TurnNotes


class TurnNotePlace(IntEnum):
    """Where a note on the turn stands. The numbers follow the order in which a page is read."""

    BESIDE_MAP = auto()
    BELOW_FORCE = auto()
    """Below the shorter order of battle."""
    ACROSS = auto()
    """Across the page, below the weapons."""


class ScenarioNotesPlace(Enum):
    """Where the notes on the scenario stand."""

    BESIDE_MAP = auto()
    BELOW_FORCE = auto()
    ABOVE_TRACK = auto()
    """Across the page, above the turn track."""
    DIVIDED_BELOW_FORCE = auto()
    """As many as fit beside the map, the others below an order of battle."""
    DIVIDED_ABOVE_TRACK = auto()
    """As many as fit beside the map, the others across the page."""


TOGETHER: tuple[ScenarioNotesPlace, ...] = (
    ScenarioNotesPlace.BESIDE_MAP,
    ScenarioNotesPlace.BELOW_FORCE,
    ScenarioNotesPlace.ABOVE_TRACK,
)
"""All notes on the scenario stand in one place; the best place comes first."""
DIVIDED: tuple[ScenarioNotesPlace, ...] = (
    ScenarioNotesPlace.DIVIDED_BELOW_FORCE,
    ScenarioNotesPlace.DIVIDED_ABOVE_TRACK,
)
"""They stand in two places; the better pair comes first."""


class Placement(NamedTuple):
    """The place of each note on the turn, in the order of the notes, and the place of the notes on
    the scenario."""

    turn_places: tuple[TurnNotePlace, ...]
    notes_place: ScenarioNotesPlace

    @property
    def spread(self) -> int:
        """The number of different places over which the notes on the turn are spread."""
        return len(set(self.turn_places))

    def notes_in(self, place: TurnNotePlace, notes: TurnNotes) -> TurnNotes:
        """Those of the ``notes`` on the turn that stand in this place."""
        notes_there = []
        for note, place_of_note in zip(notes, self.turn_places, strict=True):
            if place_of_note is place:
                notes_there.append(note)
        return tuple(notes_there)

    def height_in(self, place: TurnNotePlace, heights: Sequence[float]) -> float:
        """The height of all notes on the turn that stand in this place. ``heights``: that of each
        note on the turn if it stood there."""
        total = 0.0
        for index, place_of_note in enumerate(self.turn_places):
            if place_of_note is place:
                total += heights[index]
        return total


@cache
def placements(turn_note_count: int, *, notes_divided: bool) -> tuple[Placement, ...]:
    """All ways to place this many notes on the turn and the notes on the scenario, the best first.

    The turn is best read in few places, in its own order, and low on the page. The notes on the
    scenario stand in one place or, if ``notes_divided``, in two."""
    notes_places = TOGETHER
    if notes_divided:
        notes_places = DIVIDED
    all_placements = []
    every_way = product(TurnNotePlace, repeat=turn_note_count)
    for turn_places in sorted(every_way, key=_reading_difficulty):
        for notes_place in notes_places:
            all_placements.append(Placement(turn_places, notes_place))
    return tuple(all_placements)


def _reading_difficulty(places: tuple[TurnNotePlace, ...]) -> tuple[int, bool, tuple[int, ...]]:
    """The key that sorts the places of the notes on a turn, the easiest to read first."""
    is_out_of_order = list(places) != sorted(places)
    # Where all else is equal, places farther down the page come first.
    farther_down_first = tuple(-place for place in places)
    return len(set(places)), is_out_of_order, farther_down_first
