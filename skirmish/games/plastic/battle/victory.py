"""How a battle ends, and the progress towards it: the scenario's own terms at their own moment,
the break point, turn 30. The program ends a battle if its terms leave nothing open; players can
always decide otherwise (``Finish``, ``PlayOn``). Terms are data (``scenarios.scenario``); each kind
has a class here that computes what has been achieved, what is still possible, who leads and who has
won.

Begin reading at ``victory_kind``, which chooses the class, and ``VictoryKind``, which names its
questions; ``OneSided`` has most of the terms. The end itself is decided further below.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle.agenda import OutcomeAsk
from skirmish.games.plastic.battle.events import Asked, Finished
from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.rows import break_at, breaking_loss, side_strength
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.catalog import plural
from skirmish.games.plastic.scenarios import scenario as terms_of
from skirmish.games.plastic.scenarios.scenario import DestroyThenExit, ExitTable, moment_of
from skirmish.tabletop.measure import NO_BREAK, inches
from skirmish.tabletop.page import capital
from skirmish.tabletop.refusal import Refusal

_CLEARLY = Fraction(1, 10)
"""A lead of less than this share of the goal is even."""
_LONGEST = 16
"""Letters that a side's name may have in a list, before it is cut."""
_FOOT = 12
"""The inches of a foot: a width of whole feet is told in feet."""


class VictoryStatus(msgspec.Struct, frozen=True):
    """A side's progress by its terms, and by its break point if that is played."""

    side: str
    terms: str
    can_win: bool = True
    breaks: str = ""

    @property
    def text(self) -> str:
        """How it stands by the terms of victory and by losses, in one line."""
        return "; ".join(part for part in (self.terms, self.breaks) if part)


class Leader(msgspec.Struct, frozen=True):
    """Who is ahead, and how it stands."""

    side: str | None
    """None: neither is, or nobody knows."""
    text: str


class VictoryKind:
    """The terms of victory of one kind, seen in one state. Each kind is a class below; what the
    players count by eye, and what only holds in the end, stands in its properties."""

    # Each class below says of which kind its terms are; the basic game has none.
    def __init__(self, state: State, terms: Any) -> None:
        self.state = state
        self.terms = terms
        self.setup = state.setup

    @property
    def counted_sides(self) -> tuple[str, ...]:
        """The sides for which the players count something by eye."""
        return ()

    @property
    def question(self) -> str:
        """What the players count by eye, as a heading."""
        return ""

    @property
    def exiting(self) -> tuple[str, ...]:
        """The sides for which leaving the table counts."""
        return ()

    @property
    def reached(self) -> Finished | None:
        """An end before the last player turn: the terms are met or out of reach."""
        return None

    def result(self) -> Finished:
        """The end when the last player turn is over."""
        return Finished(winner=None, reason="")

    def status(self) -> list[VictoryStatus]:
        """The status of the sides that the terms name."""
        raise NotImplementedError

    def leader(self) -> Leader | None:
        """Who is ahead; None if only losses can decide it."""
        return None

    def why_not_exit(self, side: str) -> Refusal | None:
        """The advice against leaving the table, if it does not count for this side."""
        if side in self.exiting:
            return None
        return Refusal("no_exit", "Leaving the table does not count in this scenario.", "Scenario")

    def exit_value(self, pieces: Sequence[str]) -> int:
        """What these pieces count if they leave the table now."""
        del pieces
        return 0

    @property
    def _in_time(self) -> str:
        """`` by the end of German turn 8``; empty without a clock."""
        if self.terms is None:
            return ""
        moment = moment_of(self.terms)
        if moment is None:
            return ""
        nation = self.setup.catalog.nations[moment.side].name
        return f" by the end of {nation} turn {moment.turn}"

    def _pieces(self, side: str, unit: str | None = None) -> list[str]:
        """All pieces a side ever had, of one unit or of any."""
        pieces = []
        for piece in self.state.pieces():
            if piece.side == side and unit in (None, piece.unit):
                pieces.append(piece.id)
        return pieces

    def _up(self, side: str, unit: str | None = None) -> list[str]:
        """The pieces of a side, of one unit or of any, that are neither lost nor exited."""
        return [piece for piece in self._pieces(side, unit) if self.state.is_up(piece)]

    def _has_guys(self, side: str) -> bool:
        """Whether a side has anybody who could hold a place: models without men hold none."""
        return any(self.state.unit(piece).is_guy for piece in self._up(side))

    def _by_side(self, values: Mapping[str, int]) -> str:
        """``Germans 3, Poles 2``."""
        parts = [f"{listed_people(self.state, side)} {value}" for side, value in values.items()]
        return ", ".join(parts)


class BasicVictory(VictoryKind):
    """A broken army is beaten; an exit over the enemy's edge costs the enemy a loss."""

    @property
    def exiting(self) -> tuple[str, ...]:
        return tuple(self.setup.side_by_id)

    def status(self) -> list[VictoryStatus]:
        statuses = []
        for side in self.setup.side_by_id:
            lost, whole = self.state.loss.get(side, 0), side_strength(self.state, side)
            limit = breaking_loss(self.state, side)
            # A side of units that count nothing has no strength to lose half of: it cannot break.
            if whole:
                verb = self.setup.verb_of(side, "break", "breaks")
                breaks = f"{verb} at {limit} lost: {lost} of {whole} so far"
                statuses.append(VictoryStatus(side, "", lost < limit, breaks))
            else:
                verb = self.setup.verb_of(side, "have", "has")
                terms = f"{verb} no units that count, and cannot break"
                statuses.append(VictoryStatus(side, terms))
        return statuses


class OneSided(VictoryKind):
    """Terms that one ``side`` has to meet; the ``foe`` wins if it does not."""

    def __init__(self, state: State, terms: terms_of.OneSidedTerms) -> None:
        super().__init__(state, terms)
        self.side = terms.side
        self.foe = state.setup.enemy_of(terms.side).id
        self.people = listed_people(state, self.side)

    @property
    def met(self) -> bool:
        """Whether the side wins if the battle ends now."""
        raise NotImplementedError

    @property
    def reason(self) -> str:
        """Why it wins or not, as a sentence."""
        raise NotImplementedError

    @property
    def possible(self) -> bool:
        """Whether it can still win."""
        raise NotImplementedError

    @property
    def progress(self) -> str:
        """What it needs and has, to follow the name of the side."""
        raise NotImplementedError

    @property
    def done(self) -> Fraction:
        """The share of the goal that is reached; 1 and more: all of it."""
        return Fraction(0)

    @property
    def denied(self) -> Fraction:
        """The share of what may go wrong for the side that has gone wrong; at 1 it cannot win any
        more."""
        return Fraction(0)

    @property
    def stands(self) -> str:
        """How it stands, for the headline, after who is ahead."""
        return ""

    def result(self) -> Finished:
        return self._decided(self.met, self.reason)

    def status(self) -> list[VictoryStatus]:
        return [VictoryStatus(self.side, self.progress, self.possible)]

    def leader(self) -> Leader | None:
        """Who is nearer to what it needs: the side by what is done, its foe by what it denied."""
        if self.done >= 1:
            return Leader(self.side, self.stands)
        if not self.possible:
            return Leader(self.foe, self.stands)
        # As long as both are about as near to their goal, neither is ahead.
        if abs(self.done - self.denied) < _CLEARLY:
            return Leader(None, self.stands)
        if self.done > self.denied:
            return Leader(self.side, self.stands)
        return Leader(self.foe, self.stands)

    def _decided(self, met: bool, reason: str) -> Finished:
        """The end: the side has won if it met its terms, else its foe."""
        if met:
            return Finished(winner=self.side, reason=reason)
        return Finished(winner=self.foe, reason=reason)


class Exits(OneSided):
    """Enough value exited in time."""

    terms: terms_of.ExitTable

    @property
    def exiting(self) -> tuple[str, ...]:
        return (self.side,)

    @cached_property
    def has(self) -> int:
        """The value that has left the table."""
        return sum(self.state.exited.get(piece, 0) for piece in self._own)

    @cached_property
    def most(self) -> int:
        """The most that can have left in the end."""
        return self.has + self._can_leave(self._up(self.side))

    @cached_property
    def need(self) -> int:
        """The value that has to leave the table."""
        if self.terms.need is not None:
            return self.terms.need
        # A share of the strength is always a half; half of an odd number is rounded up.
        strength = sum(self._weight(piece) for piece in self._own)
        return (strength + 1) // 2

    @property
    def met(self) -> bool:
        return self.has >= self.need

    @property
    def reason(self) -> str:
        return f"{self.has} left the table, {self.need} needed."

    @property
    def possible(self) -> bool:
        return self.most >= self.need

    @property
    def progress(self) -> str:
        # What players ask most often: how many may still die.
        spare = max(self.most - self.need, 0)
        return (
            f"need {self.need} off the table{self._in_time}: have {self.has}, "
            f"can reach {self.most}, may lose {spare}"
        )

    @property
    def done(self) -> Fraction:
        return Fraction(self.has, self.need)

    @property
    def denied(self) -> Fraction:
        """The share of what could be spared that is lost. Where 12 could leave at first and 8 are
        needed, 4 can be spared: with 2 of them lost this is 2/5, and the fifth decides it."""
        at_first = max(self.most, self._can_leave(self._own))
        # One more than can be spared: with that loss it is all gone wrong, and the share is 1.
        return Fraction(at_first - self.most, max(at_first - self.need, 0) + 1)

    @property
    def stands(self) -> str:
        off = ""
        if self.has:
            off = f" have {self.has} off,"
        return f"{self.people}{off} can still exit {self.most - self.has}, need {self.need}"

    @property
    def reached(self) -> Finished | None:
        if not self.met:
            return None
        return self._decided(True, f"{self.has} have left the table; {self.need} were needed.")

    @cached_property
    def _own(self) -> list[str]:
        """All pieces that the side ever had."""
        return self._pieces(self.side)

    def _can_leave(self, pieces: Iterable[str]) -> int:
        """The value of everything that moves, and of one cannon for each model that can tow one:
        of several the most valuable."""
        moving, tows = 0, 0
        cannon = []
        for piece in pieces:
            unit = self.state.unit(piece)
            if unit.move:
                moving += self._weight(piece)
            if unit.tows_cannon:
                tows += 1
            # A cannon has no move of its own.
            if "cannon" in unit.tags:
                cannon.append(self._weight(piece))
        towed = sorted(cannon, reverse=True)[:tows]
        return moving + sum(towed)

    def _weight(self, piece: str) -> int:
        """What a piece counts if it leaves the table."""
        unit = self.state.unit(piece)
        weights: Mapping[str, int] = self.terms.weights
        if not weights:
            # Scenario 7: half the force may be half the pieces (P81), or half the strength.
            if self.setup.rulings["P81"] == "pieces":
                return 1
            return self.setup.catalog.worth(unit)
        # Scenario 1 prices each kind of model, and says "guy" for all men.
        if unit.id in weights:
            return weights[unit.id]
        if unit.is_guy:
            return weights.get("guy", 1)
        return 0

    def exit_value(self, pieces: Sequence[str]) -> int:
        value = 0
        for piece in pieces:
            if piece_side(piece) == self.side:
                value += self._weight(piece)
        return value


class Destruction(OneSided):
    """Enemy units of one kind destroyed."""

    terms: terms_of.Destroy | terms_of.DestroyThenExit

    @cached_property
    def destroyed(self) -> int:
        """How many are lost; P83 decides about those lost by their own breakdown."""
        breakdowns_count = self.setup.rulings["P83"] == "counts"
        destroyed = 0
        for piece in self._pieces(self.foe, self.terms.unit):
            if piece not in self.state.lost:
                continue
            credit = self.state.lost[piece]
            # Scenario 2: a tank may be lost to its own breakdown (P83).
            broke_down = credit is not None and credit.breakdown
            if breakdowns_count or not broke_down:
                destroyed += 1
        return destroyed

    @property
    def possible(self) -> bool:
        # Whatever left the table cannot be destroyed any more.
        left = len(self._up(self.foe, self.terms.unit))
        return self.destroyed + left >= self.terms.need

    @property
    def progress(self) -> str:
        units = self.setup.unit(self.terms.unit).named(self.terms.need)
        return f"need {units} destroyed{self._in_time}: have {self.destroyed}"

    @property
    def stands(self) -> str:
        return f"{self.people} destroyed {self.destroyed} of {self.terms.need}"


def _vehicles(number: int) -> str:
    """``1 vehicle``, ``3 vehicles``."""
    if number == 1:
        return "1 vehicle"
    return f"{number} vehicles"


class Destroys(Destruction):
    """Destruction in time and, if the terms limit it, without losing too many vehicles."""

    terms: terms_of.Destroy

    @property
    def met(self) -> bool:
        return self.destroyed >= self.terms.need

    @property
    def reason(self) -> str:
        return f"{self.destroyed} destroyed, {self.terms.need} needed."

    @property
    def possible(self) -> bool:
        limit = self.terms.may_lose
        within_limit = limit is None or self.vehicles_lost <= limit.at_most
        return super().possible and within_limit

    @property
    def progress(self) -> str:
        limit = self.terms.may_lose
        if limit is None:
            return super().progress
        return f"{super().progress}; {_vehicles(self.vehicles_lost)} lost, {limit.at_most} allowed"

    @property
    def stands(self) -> str:
        limit = self.terms.may_lose
        if limit is None:
            return super().stands
        lost = _vehicles(self.vehicles_lost)
        return f"{super().stands}, lost {lost}, may lose {limit.at_most}"

    @property
    def done(self) -> Fraction:
        return Fraction(self.destroyed, self.terms.need)

    @property
    def denied(self) -> Fraction:
        """The share of the time that has passed or, if it is larger, of the losses allowed."""
        # Turns that are over; the present one may still bring what is missing.
        time = Fraction(self.state.clock.turn - 1, max(self.terms.by.turn, 1))
        limit = self.terms.may_lose
        if limit is None:
            return time
        # At the limit the side can still win; with the next loss it cannot.
        return max(time, Fraction(self.vehicles_lost, limit.at_most + 1))

    @property
    def reached(self) -> Finished | None:
        limit = self.terms.may_lose
        if limit is None or self.vehicles_lost <= limit.at_most:
            return None
        return self._decided(False, f"More than {limit.at_most} vehicles were lost.")

    @cached_property
    def vehicles_lost(self) -> int:
        """Over the whole game: so we read "while losing five or fewer" (scenario 2)."""
        lost = 0
        for piece in self.state.pieces():
            is_vehicle = "vehicle" in self.setup.unit(piece.unit).tags
            if is_vehicle and piece.side == self.side and piece.id in self.state.lost:
                lost += 1
        return lost


class DestroysThenExits(Destruction):
    """Destruction, then exit; the clock is the scenario's own, if it has one."""

    terms: terms_of.DestroyThenExit

    @property
    def exiting(self) -> tuple[str, ...]:
        return (self.side,)

    @cached_property
    def gone(self) -> int:
        """The value that has left the table."""
        return sum(self.state.exited.get(piece, 0) for piece in self._pieces(self.side))

    @property
    def possible(self) -> bool:
        leave = self.terms.then
        # Scenario 3: "then exit 4 jeeps", so those that are lost are missing.
        can_leave = len(self._up(self.side, leave.unit))
        return super().possible and self.gone + can_leave >= leave.need

    @property
    def progress(self) -> str:
        leave = self.terms.then
        units = self.setup.unit(leave.unit).named(leave.need)
        return f"{super().progress}; then {units} off the table: have {self.gone}"

    @property
    def stands(self) -> str:
        return f"{super().stands}, {self.gone} of {self.terms.then.need} off the table"

    @property
    def done(self) -> Fraction:
        # Each aircraft and each jeep is one step on the way; the text weighs neither more.
        needed = self.terms.need + self.terms.then.need
        return Fraction(self.destroyed + self.gone, needed)

    @property
    def denied(self) -> Fraction:
        """The share of those lost who are not needed to leave."""
        leave = self.terms.then
        # Only of those who have to leave; other losses of the raiders change nothing.
        raiders = self._pieces(self.side, leave.unit)
        lost = [piece for piece in raiders if piece in self.state.lost]
        not_needed = max(len(raiders) - leave.need, 0)
        # One more than can be spared, as for exits: with that loss the share is 1.
        return Fraction(len(lost), not_needed + 1)

    @property
    def reached(self) -> Finished | None:
        leave = self.terms.then
        # Those gone count only after the destruction (``exit_value``), so both parts are met here.
        if self.gone >= leave.need:
            return self._decided(True, f"{self.destroyed} destroyed, and {leave.need} got away.")
        if not self.possible:
            return self._decided(False, "The raid can no longer succeed.")
        return None

    def result(self) -> Finished:
        """The side has failed once its time is up. Where its terms set none, nobody has won when
        the battle is out of turns."""
        if self.terms.by is None:
            return Finished(winner=None, reason="Time is up.")
        return self._decided(
            False, f"{self.destroyed} destroyed, {self.gone} of {self.terms.then.need} got away."
        )

    def why_not_exit(self, side: str) -> Refusal | None:
        if side != self.side or self._may_leave:
            return super().why_not_exit(side)
        units = self.setup.unit(self.terms.unit).name.lower()
        done = f"Only {self.destroyed} of {self.terms.need} {units} are destroyed"
        return Refusal("too_early", f"{done}, so leaving does not count yet.", "Scenario")

    def exit_value(self, pieces: Sequence[str]) -> int:
        if not self._may_leave:
            return 0
        leaving = [piece for piece in pieces if self.state.unit_of(piece) == self.terms.then.unit]
        return len(leaving)

    @property
    def _may_leave(self) -> bool:
        return self.destroyed >= self.terms.need


class HasMoreLeft(VictoryKind):
    """The side that has more of some units alive."""

    terms: terms_of.Survivors

    @cached_property
    def left(self) -> dict[str, int]:
        """How many of these units each side has left."""
        left = {}
        for side in self.setup.side_by_id:
            left[side] = sum(len(self._up(side, unit)) for unit in self.terms.units)
        return left

    def result(self) -> Finished:
        numbers = " to ".join(map(str, self.left.values()))
        return Finished(winner=side_with_most(self.left), reason=f"Survivors: {numbers}.")

    def status(self) -> list[VictoryStatus]:
        units = " and ".join(plural(self.setup.unit(unit).name) for unit in self.terms.units)
        text = f"need more {units} left{self._in_time}"
        statuses = []
        for side, own in self.left.items():
            statuses.append(VictoryStatus(side, f"{text}: have {own}", own > 0))
        return statuses

    def leader(self) -> Leader:
        return Leader(side_with_most(self.left), f"{self._by_side(self.left)} left")


class ByCount(VictoryKind):
    """The players' count decides."""

    @property
    def counted_thing(self) -> str:
        """What stands behind the numbers: ``buildings``, ``at the centre``."""
        raise NotImplementedError

    def leader(self) -> Leader | None:
        tally = self.state.counted
        # Before the first count nobody is ahead: nobody has looked.
        if tally is None:
            return None
        numbers = f"{self._by_side(tally.values)} {self.counted_thing}"
        return Leader(self.result().winner, f"{numbers} in turn {tally.clock.turn}")

    def _count(self, side: str) -> int:
        """The last count of a side; 0 before the first one."""
        if self.state.counted is None:
            return 0
        return self.state.counted.values.get(side, 0)

    def _when_counted(self, count: object) -> str:
        """``: 3 when last counted, turn 4``."""
        tally = self.state.counted
        if tally is None:
            return ": not counted yet"
        return f": {count} when last counted, turn {tally.clock.turn}"


class Holds(ByCount, OneSided):
    """A number of buildings held."""

    terms: terms_of.HoldBuildings

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
    def met(self) -> bool:
        return self._count(self.side) >= self.terms.need

    @property
    def reason(self) -> str:
        held = self._count(self.side)
        return f"{self.terms.what.capitalize()} held: {held}, needed: {self.terms.need}."

    @property
    def possible(self) -> bool:
        return self._lasts or self._has_guys(self.side)  # the dead may have been the last to enter

    @property
    def progress(self) -> str:
        need = f"need {self.terms.need} {self.terms.what}{self._in_time}"
        return f"{need}{self._when_counted(self._count(self.side))}"


class HoldsMoreTimes(ByCount, OneSided):
    """A multiple of the enemy's number of buildings."""

    terms: terms_of.HoldRatio

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
    def met(self) -> bool:
        # Twice none would be none, but nothing has been taken then.
        return self._count(self.side) >= max(1, self.terms.ratio * self._count(self.foe))

    @property
    def reason(self) -> str:
        own, theirs = self._count(self.side), self._count(self.foe)
        return f"{self.terms.what.capitalize()} held: {own} against {theirs}."

    @property
    def possible(self) -> bool:
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
    """None of a side may be left near a point."""

    terms: terms_of.Clear

    @property
    def counted_sides(self) -> tuple[str, ...]:
        return (self.terms.of,)

    @property
    def counted_thing(self) -> str:
        return f"at {self.terms.place}"

    @property
    def question(self) -> str:
        return f"Guys and models {self._near}"

    @property
    def _near(self) -> str:
        return f"within {inches(self.terms.within_in)} of {self.terms.place}"

    @property
    def met(self) -> bool:
        return self._count(self.terms.of) == 0

    @property
    def reason(self) -> str:
        return f"{capital(self._near)}: {self._count(self.terms.of)}."

    @property
    def possible(self) -> bool:
        # Even a side without anybody left wins if its foe goes away from there.
        return True

    @property
    def progress(self) -> str:
        foe = self.setup.the(self.terms.of)
        need = f"need {self.terms.place} clear of {foe}{self._in_time}"
        return f"{need}{self._when_counted(self._count(self.terms.of))}"


class CountsMore(ByCount):
    """The larger of two numbers."""

    terms: terms_of.CountAtEnd

    @property
    def counted_sides(self) -> tuple[str, ...]:
        return self.terms.sides

    @property
    def question(self) -> str:
        return self.terms.question

    @property
    def counted_thing(self) -> str:
        return f"{self.terms.question[:1].lower()}{self.terms.question[1:]}"

    def result(self) -> Finished:
        counts = {side: self._count(side) for side in self.terms.sides}
        first, second = counts.values()
        # The terms may say who wins where both numbers are equal.
        winner = side_with_most(counts) or self.terms.equal
        return Finished(winner=winner, reason=f"{self.terms.question}: {first} against {second}.")

    def status(self) -> list[VictoryStatus]:
        statuses = []
        for side in self.terms.sides:
            wins_ties = side == self.terms.equal
            how_many = "more"
            if wins_ties:
                how_many = "as many"
            text = f"need {how_many} {self.counted_thing}{self._in_time}"
            terms = f"{text}{self._when_counted(self._count(side))}"
            statuses.append(VictoryStatus(side, terms, wins_ties or self._has_guys(side)))
        return statuses


KINDS: dict[type[terms_of.Terms], type[VictoryKind]] = {
    terms_of.ExitTable: Exits,
    terms_of.Destroy: Destroys,
    terms_of.DestroyThenExit: DestroysThenExits,
    terms_of.HoldBuildings: Holds,
    terms_of.HoldRatio: HoldsMoreTimes,
    terms_of.Clear: Clears,
    terms_of.Survivors: HasMoreLeft,
    terms_of.CountAtEnd: CountsMore,
}
"""What evaluates each kind of terms."""


NOT_COUNTED = "Nothing is counted in this battle."
"""Why a count is refused."""


@lru_cache(maxsize=8)  # a screen asks for that of one state half a dozen times
def victory_kind(state: State) -> VictoryKind:
    """The terms of victory of this battle as they stand now: those of its scenario, or of the basic
    game."""
    scenario = state.setup.scenario
    if scenario is None:
        return BasicVictory(state, None)
    return KINDS[type(scenario.victory)](state, scenario.victory)


def side_with_most(values: Mapping[str, int]) -> str | None:
    """The side with the largest number; None for a tie."""
    largest = max(values.values())
    leaders = [side for side, number in values.items() if number == largest]
    if len(leaders) > 1:
        return None
    return leaders[0]


def listed_people(state: State, side: str) -> str:
    """A side's name in a list, cut if it is long."""
    name = state.setup.side_by_id[side].people
    if len(name) <= _LONGEST:
        return name
    return f"{name[: _LONGEST - 1]}…"


# ------------------------------------------------------------------ the end


def after_loss(state: State) -> Finished | None:
    """The end that a loss or an exit brings at once; None if the battle goes on."""
    if state.outcome is not None or state.open_end:
        return None
    return end_by_break_point(state, "at_once") or victory_kind(state).reached


def end_by_break_point(state: State, when: str = "end_of_phase") -> Finished | None:
    """The end, if a side has reached its break point ("The Basic Game", P2) and P74 applies it
    ``when``: ``at_once`` or ``end_of_phase``."""
    if state.outcome is not None or state.open_end or state.setup.rulings["P74"] != when:
        return None
    beaten = []
    for side in state.setup.sides:
        limit = break_at(state, side.id)
        if limit is not None and state.loss.get(side.id, 0) >= limit:
            beaten.append(side)
    if not beaten:
        return None
    if len(beaten) == len(state.setup.sides):
        return Finished(winner=_winner_of_two_broken(state), reason="Both armies have broken.")
    side = beaten[0]
    lost, whole = state.loss.get(side.id, 0), side_strength(state, side.id)
    limit = break_at(state, side.id)
    text = f"{side.name} broke: {lost} of {whole} lost, with a break point of {limit}."
    return Finished(winner=state.setup.enemy_of(side.id).id, reason=text)


def _winner_of_two_broken(state: State) -> str | None:
    """Nobody, or (P85) the side that lost the smaller share of its strength.

    A side's share is smaller if its loss / its strength < the enemy's loss / the enemy's strength.
    Multiplied out, so that a strength of 0 does no harm: if the enemy's loss * its own strength is
    larger than that of the enemy.
    """
    if state.setup.rulings["P85"] == "draw":
        return None
    products = {}
    for side in state.setup.side_by_id:
        enemys_loss = state.loss.get(state.setup.enemy_of(side).id, 0)
        products[side] = enemys_loss * side_strength(state, side)
    return side_with_most(products)


Ending = Literal["at_once", "phase", "last_turn", ""]
"""What ended a battle: its losses or exits at once, losses at the end of a phase (P74), or the end
of the last turn."""


def ended_as(state: State) -> Ending:
    """What ended the battle; empty if it goes on or the players ended it."""
    if state.outcome is None or state.outcome.agreed:
        return ""
    # What ended a battle is not stored: it is what ends it again, asked in the order of the rules.
    before = replace(state, outcome=None, open_end=False)
    if after_loss(before) is not None:
        return "at_once"
    if end_by_break_point(before) is not None:
        return "phase"
    return "last_turn"


def end_after_judging_again(state: State, ended: Ending) -> Finished | None:
    """The end that follows for the same reason after a shot was judged again; None if the battle
    goes on."""
    end = after_loss(state)
    if end is not None:
        return end
    if ended == "phase":
        return end_by_break_point(state)
    if ended != "last_turn":
        return None
    end_of_turn = at_the_end(state)
    if isinstance(end_of_turn, Asked):  # it has been counted already
        return victory_kind(state).result()
    return end_of_turn


def still_over(state: State) -> bool:
    """Whether a battle that is over has still ended by what happened in it, now that a line may
    have been taken back or made void."""
    outcome, deadline = state.outcome, state.setup.ends_after
    if outcome is None:
        return False
    # What players agreed on holds, whatever becomes of the shots before it.
    if outcome.agreed:
        return True
    if after_loss(replace(state, outcome=None, open_end=False)) is not None:
        return True
    if deadline is None or state.setup.scenario is None:
        return False
    return (state.clock.turn, state.clock.side) == (deadline.turn, deadline.side)


def at_the_end(state: State) -> Finished | Asked | None:
    """The end that comes with the end of the present player turn, if it was the last one: the
    result, or a last count to be asked for; None if the battle goes on. A draw comes only after a
    complete game turn."""
    deadline, clock, kind = state.setup.ends_after, state.clock, victory_kind(state)
    if deadline is None or state.open_end:
        return None
    last_side = deadline.side
    if deadline.draw:
        # A draw is only due when both sides had their turn.
        last_side = state.second
    # Where the last turn is that of the side that moves first, it is over after either player turn.
    last_is_over = last_side in (clock.side, state.first)
    if clock.turn < deadline.turn:
        return None
    # The players may have set the clock past the deadline: then it is over, too.
    if clock.turn == deadline.turn and not last_is_over:
        return None
    if deadline.draw or state.setup.scenario is None:
        text = f"Turn {deadline.turn} has passed without a result."
        return Finished(winner=None, reason=text)
    if kind.counted_sides:  # count again, even if there is a count from before the last phase
        return Asked(ask=OutcomeAsk(count=True))
    return kind.result()


# ------------------------------------------------------------------ where it stands


def way_out(setup: Setup, side: str) -> str:
    """``by the E edge, within 6 in of the road``; empty if leaving gains this side nothing."""
    if setup.scenario is None:
        return _way_out_of_basic_game(setup)
    terms = setup.scenario.victory
    if not isinstance(terms, ExitTable | DestroyThenExit) or terms.side != side:
        return ""
    if isinstance(terms, DestroyThenExit):
        return f"by the {terms.then.edge} edge"
    where = f"through exit zone {terms.zone}"
    if terms.edge:
        where = f"by the {terms.edge} edge"
    if terms.within_in and terms.of:
        where += f", within {inches(terms.within_in)} of the {terms.of}"
    return where


def _way_out_of_basic_game(setup: Setup) -> str:
    """The middle of the enemy's edge, as wide as ruling P32 has it."""
    width = setup.catalog.basic_game.exit_width.get(setup.rulings["P32"])
    if width is None:
        return ""
    wide = inches(width)
    if width % _FOOT == 0:
        wide = f"{width // _FOOT}{NO_BREAK}ft"
    return f"by the middle {wide} of the enemy's edge"


def victory_status(state: State) -> tuple[VictoryStatus, ...]:
    """The status of every side. One without terms of its own wins if the other fails."""
    statuses = victory_kind(state).status()
    named = {status.side for status in statuses}
    for side in state.setup.side_by_id:
        if side not in named:
            statuses.append(VictoryStatus(side, _wins_if_foe_fails(state, side)))
    return tuple(_with_break_point(state, status) for status in statuses)


def _with_break_point(state: State, status: VictoryStatus) -> VictoryStatus:
    """The status with the loss that beats the side, unless it states that already."""
    if status.breaks:
        return status
    limit = break_at(state, status.side)
    if limit is None:
        return status
    lost = state.loss.get(status.side, 0)
    verb = state.setup.verb_of(status.side, "break", "breaks")
    return replace(status, breaks=f"{verb} at {limit} lost, {lost} so far")


def _wins_if_foe_fails(state: State, side: str) -> str:
    """What a side needs that has no terms of its own: that its foe fails to meet his."""
    assert state.setup.scenario is not None
    foe = state.setup.the(state.setup.enemy_of(side).id)
    moment = moment_of(state.setup.scenario.victory)
    if moment is None:
        return f"win once {foe} can no longer succeed"
    left = moment.turn - state.clock.turn + 1
    turns = f"{left} turns left"
    if left == 1:
        turns = "1 turn left"
    elif left < 1:
        turns = "time is up"
    return f"win if {foe} fail; {turns}"


def hopeless(state: State) -> tuple[str, ...]:
    """The sides that can no longer win by the terms of the scenario, while the battle goes on."""
    if state.outcome is not None or state.open_end or state.setup.scenario is None:
        return ()
    return tuple(status.side for status in victory_kind(state).status() if not status.can_win)


def end_proposed(state: State) -> Finished | None:
    """The end that the players may agree on, since a side can no longer win. It is proposed once,
    when nothing else is open."""
    # A shot may still be open: first all of it is resolved.
    if state.ask is not None or state.agenda:
        return None
    sides = hopeless(state)
    if not set(sides) - state.played_out:
        return None
    who = " and ".join(state.setup.the(side) for side in sides)
    winner = None
    # If neither can win any more, it is a draw.
    if len(sides) == 1:
        winner = state.setup.enemy_of(sides[0]).id
    reason = f"{capital(who)} can no longer win."
    return Finished(winner=winner, reason=reason, agreed=True)


def headline(state: State) -> str:
    """``Turn 4 of 11 · Poles ahead: Germans can still exit 26, need 20``."""
    if state.outcome:
        winner = state.outcome.winner
        if winner is None:
            return "A draw"
        return f"Winner: {listed_people(state, winner)}"
    turn, last = state.clock.turn, last_turn(state)
    turn_words = f"Turn {turn}"
    if last is not None and turn <= last:
        turn_words = f"Turn {turn} of {last}"
    lead = leader(state)
    ahead = "even"
    if lead.side is not None:
        ahead = f"{listed_people(state, lead.side)} ahead"
    return f"{turn_words} · {ahead}: {lead.text}"


def last_turn(state: State) -> int | None:
    """The last game turn; None if the battle has no clock."""
    deadline, scenario = state.setup.ends_after, state.setup.scenario
    if deadline is not None:
        return deadline.turn
    if scenario is None:
        return None
    moment = moment_of(scenario.victory)
    if moment is None:
        return None
    return moment.turn


def leader(state: State) -> Leader:
    """The side clearly ahead by the terms, or else by losses."""
    by_terms = victory_kind(state).leader()
    if by_terms is not None:
        return by_terms
    first, second = (side.id for side in state.setup.sides)
    of_first, of_second = _share_lost(state, first), _share_lost(state, second)
    text = f"{listed_people(state, first)} lost {_lost_of(state, first)} strength"
    text += f", {listed_people(state, second)} {_lost_of(state, second)}"
    if abs(of_first - of_second) < _CLEARLY:
        return Leader(None, text)
    if of_first < of_second:
        return Leader(first, text)
    return Leader(second, text)


def _share_lost(state: State, side: str) -> Fraction:
    """The share of the break point that a side has lost."""
    limit = breaking_loss(state, side)
    if not limit:
        return Fraction(0)
    return Fraction(state.loss.get(side, 0), limit)


def _lost_of(state: State, side: str) -> str:
    """``4 of 31``."""
    return f"{state.loss.get(side, 0)} of {side_strength(state, side)}"
