"""The kinds of victory that depend on what players count by eye: buildings, or who is near a place.
The program does not know where anything stands, so it goes by the last count until the next."""

from __future__ import annotations

from skirmish.games.plastic.battle.events import Finished
from skirmish.games.plastic.battle.victory_questions import (
    Leader,
    OneSided,
    VictoryKind,
    VictoryStatus,
    side_with_most,
)
from skirmish.games.plastic.scenarios import victory_terms
from skirmish.tabletop.measure import inches
from skirmish.tabletop.page import capital


class ByCount(VictoryKind):
    """Terms that are decided by what players count by eye."""

    @property
    def counted_thing(self) -> str:
        """What the numbers count, as it follows a number: ``buildings``, ``at the centre``."""
        raise NotImplementedError

    def leader(self) -> Leader | None:
        last_count = self.state.eye_count
        # Before the first count nobody knows who is ahead.
        if last_count is None:
            return None
        numbers = f"{self._by_side(last_count.values)} {self.counted_thing}"
        return Leader(self.result().winner, f"{numbers} in turn {last_count.clock.turn}")

    def _count(self, side: str) -> int:
        """The last count of a side; 0 before the first one."""
        if self.state.eye_count is None:
            return 0
        return self.state.eye_count.values.get(side, 0)

    def _when_counted(self, count: int | str) -> str:
        """The last count, as it follows what is needed: ``: 3 when last counted, turn 4``. A text
        where it is the count of both sides: ``: Germans 3, Poles 2 when last counted, turn 4``."""
        last_count = self.state.eye_count
        if last_count is None:
            return ": not counted yet"
        return f": {count} when last counted, turn {last_count.clock.turn}"


class Holds(ByCount, OneSided):
    """The side wins if it holds enough buildings."""

    terms: victory_terms.HoldBuildings

    @property
    def counted_sides(self) -> tuple[str, ...]:
        return (self.side,)

    @property
    def counted_thing(self) -> str:
        return self.terms.what

    @property
    def question(self) -> str:
        if self._lasts:
            return f"{self.terms.what.capitalize()} held alone or entered last"
        return f"{self.terms.what.capitalize()} held alone"

    @property
    def _lasts(self) -> bool:
        """Whether a building stays theirs when nobody is left in it: until others enter."""
        return self.terms.how == "solely_or_last"

    @property
    def is_met(self) -> bool:
        return self._count(self.side) >= self.terms.need

    @property
    def reason(self) -> str:
        held = self._count(self.side)
        return f"{self.terms.what.capitalize()} held: {held}, needed: {self.terms.need}."

    @property
    def can_still_win(self) -> bool:
        # Buildings that last stay theirs when all who entered them are dead.
        return self._lasts or self._has_guys(self.side)

    @property
    def progress(self) -> str:
        need = f"need {self.terms.need} {self.terms.what}{self._in_time}"
        return f"{need}{self._when_counted(self._count(self.side))}"


class HoldsMoreTimes(ByCount, OneSided):
    """The side wins if it holds so many times as many buildings as its enemy."""

    terms: victory_terms.HoldRatio

    @property
    def counted_sides(self) -> tuple[str, ...]:
        return (self.side, self.foe)

    @property
    def counted_thing(self) -> str:
        return self.terms.what

    @property
    def question(self) -> str:
        return f"{self.terms.what.capitalize()} with only their guys inside"

    @property
    def is_met(self) -> bool:
        # Twice none is none, but a side that holds no building has not won.
        return self._count(self.side) >= max(1, self.terms.ratio * self._count(self.foe))

    @property
    def reason(self) -> str:
        own, theirs = self._count(self.side), self._count(self.foe)
        return f"{self.terms.what.capitalize()} held: {own} against {theirs}."

    @property
    def can_still_win(self) -> bool:
        return self._has_guys(self.side)

    @property
    def progress(self) -> str:
        times = f"{self.terms.ratio} times"
        if self.terms.ratio == 2:
            times = "twice"
        counts = ", ".join(f"{side.people} {self._count(side.id)}" for side in self.setup.sides)
        need = f"need {times} as many {self.terms.what}{self._in_time}"
        return f"{need}{self._when_counted(counts)}"


class Clears(ByCount, OneSided):
    """The side wins if no guy or model of the side ``terms.of`` is left near a place."""

    terms: victory_terms.Clear

    @property
    def counted_sides(self) -> tuple[str, ...]:
        return (self.terms.of,)

    @property
    def counted_thing(self) -> str:
        return f"at {self.terms.place}"

    @property
    def question(self) -> str:
        return f"Guys and models {self._within_area}"

    @property
    def _within_area(self) -> str:
        """``within 12 in of the centre``."""
        return f"within {inches(self.terms.within_in)} of {self.terms.place}"

    @property
    def is_met(self) -> bool:
        # Only asked after a count. Before the first one nobody knows whether the place is clear,
        # though ``_count`` is 0.
        return self._count(self.terms.of) == 0

    @property
    def reason(self) -> str:
        return f"{capital(self._within_area)}: {self._count(self.terms.of)}."

    @property
    def can_still_win(self) -> bool:
        # Even a side that has nobody left wins if its foe leaves the place.
        return True

    @property
    def progress(self) -> str:
        foe = self.setup.the(self.terms.of)
        need = f"need {self.terms.place} clear of {foe}{self._in_time}"
        return f"{need}{self._when_counted(self._count(self.terms.of))}"


class CountsMore(ByCount):
    """The side with the larger of two numbers wins."""

    terms: victory_terms.CountAtEnd

    @property
    def counted_sides(self) -> tuple[str, ...]:
        return self.terms.sides

    @property
    def question(self) -> str:
        return self.terms.question

    @property
    def counted_thing(self) -> str:
        # The question is a heading. After a number it goes on in small letters.
        first_letter, rest = self.terms.question[:1], self.terms.question[1:]
        return f"{first_letter.lower()}{rest}"

    def result(self) -> Finished:
        counts = {side: self._count(side) for side in self.terms.sides}
        first, second = counts.values()
        # The terms may say who wins if both numbers are equal.
        winner = side_with_most(counts) or self.terms.equal
        return Finished(winner=winner, reason=f"{self.terms.question}: {first} against {second}.")

    def status(self) -> list[VictoryStatus]:
        statuses = []
        for side in self.terms.sides:
            wins_ties = side == self.terms.equal
            how_many = "more"
            if wins_ties:
                how_many = "as many"
            need = f"need {how_many} {self.counted_thing}{self._in_time}"
            need_and_count = f"{need}{self._when_counted(self._count(side))}"
            # None against none is a tie, too: for that no guy has to be left.
            can_win = wins_ties or self._has_guys(side)
            statuses.append(VictoryStatus(side, need_and_count, can_win))
        return statuses
