"""Pins are changed: by hand, or because fire was judged again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from skirmish.games.plastic.battle.names import row_unit
from skirmish.games.plastic.battle.shown import RowId
from skirmish.games.plastic.battle.state import Checked, Event, State


class PinMarked(Event, frozen=True, kw_only=True, tag="pin_marked"):
    """The players say how many groups of a row are pinned."""

    row: RowId
    pins: int

    def apply(self, state: State) -> State:
        return replace(state, pinned={**state.pinned, self.row: self.pins})

    def narrate(self, state: State) -> str:
        row = state.words.row(self.row, 1)
        if not self.pins:
            return f"{row}: no longer pinned."
        return f"{row}: {self.pins} pinned."


class PinsRecalled(Event, frozen=True, kw_only=True, tag="pins_recalled"):
    """Fire that was judged again causes fewer pin tests of a row than were made."""

    row: RowId
    lone: bool
    """Whether a man was tested by himself, and not as one of a group."""
    shots: tuple[int, ...]
    """The shots that caused the tests."""
    draws: int
    """How many of the tests stand: the first ones."""
    pins: int
    """How many of these pin, at most."""
    lifted: int
    """How many groups of the row are no longer pinned."""

    def apply(self, state: State) -> State:
        # Players may have marked fewer as pinned by hand.
        still_pinned = max(state.pinned.get(self.row, 0) - self.lifted, 0)
        return replace(
            state,
            pin_tests=tuple(self._tests_that_stand(state.pin_tests)),
            pinned={**state.pinned, self.row: still_pinned},
            checked=None,  # no check is shown large: it might be a test that is taken back
        )

    def _tests_that_stand(self, tests: Iterable[Checked]) -> Iterator[Checked]:
        """The pin tests of this turn as they are after the event. Of those that this fire caused
        only the first ``draws`` stand, and of these only the first ``pins`` that pinned still pin.
        With three tests that all pinned, ``draws`` of 2 and ``pins`` of 1, the first still pins,
        the second pins no longer, and the third is gone."""
        draws_left, pins_left = self.draws, self.pins
        for test in tests:
            if not test.is_test_because_of(self.shots, self.row, self.lone):
                yield test
            elif draws_left > 0:
                draws_left -= 1
                still_pins = test.result and pins_left > 0
                if still_pins:
                    pins_left -= 1
                yield replace(test, result=still_pins)

    def narrate(self, state: State) -> str:
        if not self.lifted:
            return ""
        return f"{state.words.row(self.row, 1)}: not pinned by it after all."


class PinsStand(Event, frozen=True, kw_only=True, tag="pins_stand"):
    """Fire was judged again after the movement in which it pinned was over, so no pin can be
    changed any more. ``owed``: as the fire is judged now, the row should have made more pin tests
    than it did; otherwise it should have made fewer, and may have been pinned wrongly."""

    row: RowId
    owed: bool

    def narrate(self, state: State) -> str:
        unit = state.setup.unit(row_unit(self.row)).short
        if self.owed:
            return f"{unit} owed a pin test for it; that movement is over."
        return f"{unit} owed no pin test for it; if it was pinned, check where it is."
