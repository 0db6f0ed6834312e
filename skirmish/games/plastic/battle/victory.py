"""The terms of victory of a battle. Terms are data (``scenarios.victory_terms``); each kind of
them has a class, which evaluates what has been achieved and what is still possible.

Begin reading at ``victory_kind``, which chooses the class. What any class is asked is in
``victory_questions``, and the kinds that players have to count by eye are in ``counted_victory``.
``ending`` decides with them when a battle is over; ``progress`` says how near the sides are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache

from skirmish.games.plastic.battle.counted_victory import (
    Clears,
    CountsMore,
    Holds,
    HoldsMoreTimes,
)
from skirmish.games.plastic.battle.events import Finished
from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.strength import breaking_loss, side_strength
from skirmish.games.plastic.battle.victory_questions import (
    Leader,
    OneSided,
    VictoryKind,
    VictoryStatus,
    side_with_most,
)
from skirmish.games.plastic.rules.catalog import plural
from skirmish.games.plastic.scenarios import victory_terms
from skirmish.tabletop.refusal import Refusal

NOT_COUNTED = "Nothing is counted in this battle."
"""Why a count is refused where nothing is counted by eye."""


@lru_cache(maxsize=8)  # a screen asks for it half a dozen times in one state
def victory_kind(state: State) -> VictoryKind:
    """The terms of victory of this battle as they stand now: those of its scenario, or of the basic
    game."""
    scenario = state.setup.scenario
    if scenario is None:
        return BasicVictory(state, None)
    return KINDS[type(scenario.victory)](state, scenario.victory)


class BasicVictory(VictoryKind):
    """A broken army is beaten; an exit over the enemy's edge costs the enemy a loss."""

    @property
    def exiting_sides(self) -> tuple[str, ...]:
        return tuple(self.setup.side_by_id)

    def status(self) -> list[VictoryStatus]:
        statuses = []
        for side in self.setup.side_by_id:
            lost, strength = self.state.loss.get(side, 0), side_strength(self.state, side)
            limit = breaking_loss(self.state, side)
            # A side of units that count nothing has no strength to lose half of: it cannot break.
            if strength > 0:
                verb = self.setup.verb_of(side, "break", "breaks")
                breaks = f"{verb} at {limit} lost: {lost} of {strength} so far"
                # In the basic game only losses decide: no terms are shown besides.
                statuses.append(VictoryStatus(side, "", can_win=lost < limit, breaks=breaks))
            else:
                verb = self.setup.verb_of(side, "have", "has")
                terms = f"{verb} no units that count, and cannot break"
                statuses.append(VictoryStatus(side, terms))
        return statuses


class Exits(OneSided):
    """The side wins if enough value leaves the table in time."""

    terms: victory_terms.ExitTable

    @property
    def exiting_sides(self) -> tuple[str, ...]:
        return (self.side,)

    @cached_property
    def exited_value(self) -> int:
        """The value that has left the table."""
        return sum(self.state.exited.get(piece, 0) for piece in self._own_pieces)

    @cached_property
    def attainable_value(self) -> int:
        """The most that can have left the table by the end of the battle."""
        return self.exited_value + self._can_leave(self._remaining(self.side))

    @cached_property
    def needed_value(self) -> int:
        """The value that has to leave the table."""
        if self.terms.need is not None:
            return self.terms.need
        # Otherwise half of the side has to leave; half of an odd number is rounded up.
        whole = sum(self._value_of(piece) for piece in self._own_pieces)
        return (whole + 1) // 2

    @property
    def is_met(self) -> bool:
        return self.exited_value >= self.needed_value

    @property
    def reason(self) -> str:
        return f"{self.exited_value} left the table, {self.needed_value} needed."

    @property
    def can_still_win(self) -> bool:
        return self.attainable_value >= self.needed_value

    @property
    def progress(self) -> str:
        # Players ask most often how much they may still lose.
        spare = max(self.attainable_value - self.needed_value, 0)
        return (
            f"need {self.needed_value} off the table{self._in_time}: have {self.exited_value}, "
            f"can reach {self.attainable_value}, may lose {spare}"
        )

    @property
    def share_done(self) -> Fraction:
        return Fraction(self.exited_value, self.needed_value)

    @property
    def share_denied(self) -> Fraction:
        """How much is lost, as a share of the loss that is too much. Where 12 could leave at first
        and 8 are needed, 4 can be spared and the fifth loss decides: after 2 this is 2/5."""
        # What can be attained now could be attained at first as well, so that is the least, and
        # ``lost`` is never negative.
        at_first = max(self.attainable_value, self._can_leave(self._own_pieces))
        lost = at_first - self.attainable_value
        spare_at_first = max(at_first - self.needed_value, 0)
        # One loss more than can be spared is too much.
        return Fraction(lost, spare_at_first + 1)

    @property
    def standing(self) -> str:
        already_off = ""
        if self.exited_value:
            already_off = f" have {self.exited_value} off,"
        can_still_exit = self.attainable_value - self.exited_value
        can_exit = f"can still exit {can_still_exit}, need {self.needed_value}"
        return f"{self.people}{already_off} {can_exit}"

    @property
    def early_end(self) -> Finished | None:
        # If it can no longer be met, the players are asked (``ending.proposed_end``).
        if not self.is_met:
            return None
        reason = f"{self.exited_value} have left the table; {self.needed_value} were needed."
        return self._decided(met=True, reason=reason)

    @cached_property
    def _own_pieces(self) -> list[str]:
        """All pieces that the side ever had."""
        return self._pieces(self.side)

    def _can_leave(self, pieces: Iterable[str]) -> int:
        """The most value that these pieces can take off the table: that of all that move by
        themselves, and of one cannon for each model that can tow one, the most valuable first."""
        moving = 0
        towing_models = 0
        cannon_values = []
        for piece in pieces:
            unit = self.state.unit(piece)
            if unit.move:
                moving += self._value_of(piece)
            if unit.tows_cannon:
                towing_models += 1
            # A cannon has no move of its own.
            if "cannon" in unit.tags:
                cannon_values.append(self._value_of(piece))
        towed_values = sorted(cannon_values, reverse=True)[:towing_models]
        return moving + sum(towed_values)

    def _value_of(self, piece: str) -> int:
        """What a piece counts if it leaves the table."""
        # Scenario 7: half the force may be half the pieces (P81), or half the strength.
        if not self.terms.weights and self.setup.rulings["P81"] == "pieces":
            return 1
        return self.terms.value_of(self.state.unit(piece), self.setup.catalog)

    def exit_value(self, pieces: Sequence[str]) -> int:
        value = 0
        for piece in pieces:
            if piece_side(piece) == self.side:
                value += self._value_of(piece)
        return value


class Destruction(OneSided):
    """The side has to destroy enemy units of one kind."""

    terms: victory_terms.Destroy | victory_terms.DestroyThenExit

    @cached_property
    def destroyed(self) -> int:
        """How many are lost. A tank may be lost to its own breakdown; whether that counts is ruling
        P83."""
        breakdowns_count = self.setup.rulings["P83"] == "counts"
        number = 0
        for piece in self._pieces(self.foe, self.terms.unit):
            if piece not in self.state.lost:
                continue
            credit = self.state.lost[piece]
            broke_down = credit is not None and credit.breakdown
            if breakdowns_count or not broke_down:
                number += 1
        return number

    @property
    def can_still_win(self) -> bool:
        # Whatever left the table cannot be destroyed any more.
        left = len(self._remaining(self.foe, self.terms.unit))
        return self.destroyed + left >= self.terms.need

    @property
    def progress(self) -> str:
        units = self.setup.unit(self.terms.unit).named(self.terms.need)
        return f"need {units} destroyed{self._in_time}: have {self.destroyed}"

    @property
    def standing(self) -> str:
        return f"{self.people} destroyed {self.destroyed} of {self.terms.need}"


class Destroys(Destruction):
    """The side wins if it destroys enough in time without losing too many vehicles, if the terms
    limit those."""

    terms: victory_terms.Destroy

    @property
    def is_met(self) -> bool:
        return self.destroyed >= self.terms.need

    @property
    def reason(self) -> str:
        return f"{self.destroyed} destroyed, {self.terms.need} needed."

    @property
    def can_still_win(self) -> bool:
        limit = self.terms.may_lose
        within_limit = limit is None or self.vehicles_lost <= limit.at_most
        return super().can_still_win and within_limit

    @property
    def progress(self) -> str:
        limit = self.terms.may_lose
        if limit is None:
            return super().progress
        return f"{super().progress}; {_vehicles(self.vehicles_lost)} lost, {limit.at_most} allowed"

    @property
    def standing(self) -> str:
        limit = self.terms.may_lose
        if limit is None:
            return super().standing
        lost = _vehicles(self.vehicles_lost)
        return f"{super().standing}, lost {lost}, may lose {limit.at_most}"

    @property
    def share_done(self) -> Fraction:
        return Fraction(self.destroyed, self.terms.need)

    @property
    def share_denied(self) -> Fraction:
        """The share of the time that is over or, if it is larger, of the loss that is too much."""
        # The present turn is not over: it may still bring what is missing.
        turns_over = self.state.clock.turn - 1
        time = Fraction(turns_over, self.terms.by.turn)
        limit = self.terms.may_lose
        if limit is None:
            return time
        # At the limit the side can still win; one loss more is too much.
        return max(time, Fraction(self.vehicles_lost, limit.at_most + 1))

    @property
    def early_end(self) -> Finished | None:
        # It is not won before the time is up: until then more vehicles than allowed may be lost.
        limit = self.terms.may_lose
        if limit is None or self.vehicles_lost <= limit.at_most:
            return None
        reason = f"More than {limit.at_most} vehicles were lost."
        return self._decided(met=False, reason=reason)

    @cached_property
    def vehicles_lost(self) -> int:
        """How many vehicles the side has lost in the whole battle: scenario 2 ("while losing five
        or fewer") does not say until when."""
        lost = 0
        for piece in self.state.pieces():
            is_vehicle = "vehicle" in self.setup.unit(piece.unit).tags
            if is_vehicle and piece.side == self.side and piece.id in self.state.lost:
                lost += 1
        return lost


def _vehicles(number: int) -> str:
    """``1 vehicle``, ``3 vehicles``."""
    if number == 1:
        return "1 vehicle"
    return f"{number} vehicles"


class DestroysThenExits(Destruction):
    """The side wins if it destroys enemy units of one kind, and only then some of its own units
    exit; both in time, if the terms set one."""

    terms: victory_terms.DestroyThenExit

    @property
    def exiting_sides(self) -> tuple[str, ...]:
        return (self.side,)

    @cached_property
    def exited_number(self) -> int:
        """How many of the units that have to exit did so after the destruction: only these were
        given a value (``exit_value``), and each the value 1."""
        return sum(self.state.exited.get(piece, 0) for piece in self._pieces(self.side))

    @property
    def can_still_win(self) -> bool:
        exit_terms = self.terms.then
        # Scenario 3 ("then exit 4 jeeps") counts jeeps: one that is lost cannot exit.
        can_leave = len(self._remaining(self.side, exit_terms.unit))
        return super().can_still_win and self.exited_number + can_leave >= exit_terms.need

    @property
    def progress(self) -> str:
        exit_terms = self.terms.then
        units = self.setup.unit(exit_terms.unit).named(exit_terms.need)
        return f"{super().progress}; then {units} off the table: have {self.exited_number}"

    @property
    def standing(self) -> str:
        return f"{super().standing}, {self.exited_number} of {self.terms.then.need} off the table"

    @property
    def share_done(self) -> Fraction:
        # Scenario 3 weighs an aircraft no more than a jeep, so each is one step towards the goal.
        needed = self.terms.need + self.terms.then.need
        return Fraction(self.destroyed + self.exited_number, needed)

    @property
    def share_denied(self) -> Fraction:
        """The losses among the units that have to exit, as a share of the number that is too much.
        Other losses of the side change nothing."""
        exit_terms = self.terms.then
        units_to_exit = self._pieces(self.side, exit_terms.unit)
        lost = [piece for piece in units_to_exit if piece in self.state.lost]
        not_needed = max(len(units_to_exit) - exit_terms.need, 0)
        # One loss more than can be spared is too much, as for ``Exits``.
        return Fraction(len(lost), not_needed + 1)

    @property
    def early_end(self) -> Finished | None:
        exit_terms = self.terms.then
        # Exits count only after the destruction, so enough of them mean that both parts are met.
        if self.exited_number >= exit_terms.need:
            reason = f"{self.destroyed} destroyed, and {exit_terms.need} got away."
            return self._decided(met=True, reason=reason)
        # Scenario 3 has no last turn: the foe wins as soon as the raid has become impossible (P68).
        if not self.can_still_win:
            return self._decided(met=False, reason="The raid can no longer succeed.")
        return None

    def result(self) -> Finished:
        """The side has failed when its time is up. If its terms set no time, the last turn of the
        battle ends it without a winner."""
        if self.terms.by is None:
            return Finished(winner=None, reason="Time is up.")
        exited = f"{self.exited_number} of {self.terms.then.need} got away"
        return self._decided(met=False, reason=f"{self.destroyed} destroyed, {exited}.")

    def why_not_exit(self, side: str) -> Refusal | None:
        if side != self.side or self._exit_counts:
            return super().why_not_exit(side)
        units = self.setup.unit(self.terms.unit).name.lower()
        done = f"Only {self.destroyed} of {self.terms.need} {units} are destroyed"
        return Refusal("too_early", f"{done}, so leaving does not count yet.", "Scenario")

    def exit_value(self, pieces: Sequence[str]) -> int:
        if not self._exit_counts:
            return 0
        leaving = [piece for piece in pieces if self.state.unit_of(piece) == self.terms.then.unit]
        return len(leaving)

    @property
    def _exit_counts(self) -> bool:
        """Whether leaving the table counts by now."""
        return self.destroyed >= self.terms.need


class HasMoreLeft(VictoryKind):
    """The side wins that has more of some units left."""

    terms: victory_terms.Survivors

    @cached_property
    def number_left(self) -> dict[str, int]:
        """How many of these units each side has left."""
        left = {}
        for side in self.setup.side_by_id:
            left[side] = sum(len(self._remaining(side, unit)) for unit in self.terms.units)
        return left

    def result(self) -> Finished:
        numbers = " to ".join(map(str, self.number_left.values()))
        return Finished(winner=side_with_most(self.number_left), reason=f"Survivors: {numbers}.")

    def status(self) -> list[VictoryStatus]:
        units = " and ".join(plural(self.setup.unit(unit).name) for unit in self.terms.units)
        text = f"need more {units} left{self._in_time}"
        statuses = []
        for side, own in self.number_left.items():
            # With none left a side cannot have more than the other.
            statuses.append(VictoryStatus(side, f"{text}: have {own}", can_win=own > 0))
        return statuses

    def leader(self) -> Leader:
        return Leader(side_with_most(self.number_left), f"{self._by_side(self.number_left)} left")


KINDS: dict[type[victory_terms.Terms], type[VictoryKind]] = {
    victory_terms.ExitTable: Exits,
    victory_terms.Destroy: Destroys,
    victory_terms.DestroyThenExit: DestroysThenExits,
    victory_terms.HoldBuildings: Holds,
    victory_terms.HoldRatio: HoldsMoreTimes,
    victory_terms.Clear: Clears,
    victory_terms.Survivors: HasMoreLeft,
    victory_terms.CountAtEnd: CountsMore,
}
"""The class that evaluates each kind of terms."""
