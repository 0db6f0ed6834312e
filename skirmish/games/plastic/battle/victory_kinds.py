"""The kinds of victory in play: for each, one class that knows what has been done for it, what can
still be, who leads and who has won. Their terms are data (``scenarios.victory_terms``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Generic, TypeVar

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle.events import Finished
from skirmish.games.plastic.battle.setup import Piece
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.catalog import plural
from skirmish.games.plastic.scenarios import victory_terms as terms_of
from skirmish.games.plastic.scenarios.victory_terms import moment_of
from skirmish.tabletop.measure import inches
from skirmish.tabletop.refusal import Refusal

CLEARLY = Fraction(1, 10)
"""Of the whole way: less than that between two sides is even."""

LONGEST = 16
"""Letters of a side's name: players may name armies at length, and a list has one line."""


class VictoryStatus(msgspec.Struct, frozen=True):
    """Where a side stands by its terms, and by its break point where that is played."""

    side: str
    terms: str
    can_win: bool = True
    breaks: str = ""

    @property
    def says(self) -> str:
        return "; ".join(part for part in (self.terms, self.breaks) if part)


class Leader(msgspec.Struct, frozen=True):
    """``side`` None: neither, or nobody can tell."""

    side: str | None
    says: str


T = TypeVar("T", bound=terms_of.Victory)


class VictoryKind(Generic[T]):
    counted_sides: tuple[str, ...] = ()
    """For which sides the players count something by eye."""
    question = ""
    """What it is that they count."""

    def __init__(self, state: State, terms: T) -> None:
        self.state, self.terms = state, terms
        self.setup = state.setup
        self.counts = state.counted.values if state.counted else {}

    def reached(self) -> Finished | None:
        return None

    def result(self) -> Finished:
        raise NotImplementedError

    def status(self) -> list[VictoryStatus]:
        raise NotImplementedError

    def leader(self) -> Leader | None:
        raise NotImplementedError

    # ------------------------------------------------------------------ leaving the table

    def exits_count(self, side: str) -> bool:
        del side
        return False

    def too_early_to_exit(self, side: str) -> Refusal | None:
        del side
        return None

    def exit_value(self, pieces: Sequence[str]) -> int:
        del pieces
        return 0

    # ------------------------------------------------------------------ what the kinds use

    def _pieces(self, side: str, unit: str | None = None) -> list[Piece]:
        return [
            piece
            for piece in self.state.pieces()
            if piece.side == side and unit in (None, piece.unit)
        ]

    def _up(self, side: str, unit: str | None = None) -> list[str]:
        return [one.id for one in self._pieces(side, unit) if self.state.is_up(one.id)]

    def _has_guys(self, side: str) -> bool:
        state = self.state
        return any(self.setup.unit(state.unit_of(piece)).is_guy for piece in self._up(side))

    @property
    def _by(self) -> str:
        moment = moment_of(self.terms)
        if moment is None:
            return ""
        nation = self.setup.catalog.nations[moment.side].name
        return f" by the end of {nation} turn {moment.turn}"

    @property
    def _one(self) -> str:
        return self.setup.sides[0].id

    @property
    def _other(self) -> str:
        return self.setup.sides[1].id


One = TypeVar(
    "One",
    bound=terms_of.Exit
    | terms_of.Destroy
    | terms_of.DestroyThenExit
    | terms_of.Hold
    | terms_of.HoldRatio
    | terms_of.Clear,
)


class OneSided(VictoryKind[One]):
    """A kind that one ``side`` has to reach; the ``foe`` wins if it does not."""

    def __init__(self, state: State, terms: One) -> None:
        super().__init__(state, terms)
        self.side = terms.side
        self.foe = state.setup.enemy_of(self.side).id
        self.people = people(state, self.side)

    def _won(self, reached: bool, says: str) -> Finished:
        return Finished(winner=self.side if reached else self.foe, reason=says)

    def _further(self, done: Fraction, denied: Fraction, possible: bool, says: str) -> Leader:
        """By how much of the terms is met, and how much denied."""
        if done >= 1:
            return Leader(self.side, says)
        if not possible:
            return Leader(self.foe, says)
        if abs(done - denied) < CLEARLY:
            return Leader(None, says)
        return Leader(self.side if done > denied else self.foe, says)


# ------------------------------------------------------------------ off the table, destroyed


class Exits(OneSided[terms_of.Exit]):
    """So much off the table in time."""

    @property
    def need(self) -> int:
        if self.terms.need is not None:
            return self.terms.need
        whole = sum(self._weight(piece.id) for piece in self._pieces(self.side))
        return -(-whole // 2)

    @property
    def done(self) -> int:
        return exited(self.state, self.side)

    @property
    def reach(self) -> int:
        """What has left, all that moves, and a cannon for each model that takes one along."""
        units = {piece: self.setup.unit(self.state.unit_of(piece)) for piece in self._up(self.side)}
        takers = sum(unit.tows_cannon for unit in units.values())
        cannon = [self._weight(piece) for piece, unit in units.items() if "cannon" in unit.tags]
        moving = sum(self._weight(piece) for piece, unit in units.items() if unit.move)
        return self.done + moving + sum(sorted(cannon, reverse=True)[:takers])

    def _weight(self, piece: str) -> int:
        unit, weights = self.setup.unit(self.state.unit_of(piece)), self.terms.weights
        if not weights:
            by_pieces = self.setup.rulings["P81"] == "pieces"
            return 1 if by_pieces else self.setup.catalog.worth(unit)
        return weights.get(unit.id, weights.get("guy", 1) if unit.is_guy else 0)

    def exits_count(self, side: str) -> bool:
        return side == self.side

    def exit_value(self, pieces: Sequence[str]) -> int:
        own = [piece for piece in pieces if self.state.piece(piece).side == self.side]
        return sum(map(self._weight, own))

    def reached(self) -> Finished | None:
        if self.done < self.need:
            return None
        return self._won(True, f"{self.done} have left the table; {self.need} were needed.")

    def result(self) -> Finished:
        done, need = self.done, self.need
        return self._won(done >= need, f"{done} left the table, {need} needed.")

    def status(self) -> list[VictoryStatus]:
        need, most = self.need, self.reach
        says = (
            f"need {need} off the table{self._by}: have {self.done}, can reach {most}, "
            f"may lose {max(most - need, 0)}"
        )
        return [VictoryStatus(self.side, says, most >= need)]

    def leader(self) -> Leader:
        has, need, most = self.done, self.need, self.reach
        untouched = Exits(replace(self.state, lost={}, exited={}), self.terms)
        whole = max(most, untouched.reach)
        done, denied = Fraction(has, need), Fraction(whole - most, max(whole - need, 0) + 1)
        off = f" have {has} off," if has else ""
        says = f"{self.people}{off} can still exit {most - has}, need {need}"
        return self._further(done, denied, most >= need, says)


def exited(state: State, side: str) -> int:
    return sum(state.exited.get(piece.id, 0) for piece in state.pieces() if piece.side == side)


D = TypeVar("D", bound=terms_of.Destroy | terms_of.DestroyThenExit)


class Destruction(OneSided[D]):
    @property
    def destroyed(self) -> int:
        """How many are lost; P83 says whether to their own breakdown too."""
        lost, counts = self.state.lost, self.setup.rulings["P83"] == "counts"
        credits = [lost[p.id] for p in self._pieces(self.foe, self.terms.unit) if p.id in lost]
        return sum(credit is None or not credit.breakdown or counts for credit in credits)

    @property
    def possible(self) -> bool:
        return self.destroyed + len(self._up(self.foe, self.terms.unit)) >= self.terms.need

    @property
    def _units(self) -> str:
        return self.setup.unit(self.terms.unit).named(self.terms.need)


class Destroys(Destruction[terms_of.Destroy]):
    @property
    def vehicles_lost(self) -> int:
        own = [piece for piece in self._pieces(self.side) if piece.id in self.state.lost]
        return sum("vehicle" in self.setup.unit(piece.unit).tags for piece in own)

    @property
    def possible(self) -> bool:
        return super().possible and not self._too_many_lost

    @property
    def _too_many_lost(self) -> bool:
        limit = self.terms.may_lose
        return limit is not None and self.vehicles_lost > limit.at_most

    def reached(self) -> Finished | None:
        limit = self.terms.may_lose
        if limit is None or not self._too_many_lost:
            return None
        return self._won(False, f"More than {limit.at_most} vehicles were lost.")

    def result(self) -> Finished:
        done, need = self.destroyed, self.terms.need
        return self._won(done >= need, f"{done} destroyed, {need} needed.")

    def status(self) -> list[VictoryStatus]:
        says = f"need {self._units} destroyed{self._by}: have {self.destroyed}"
        if limit := self.terms.may_lose:
            says += f"; {self.vehicles_lost} {limit.what} lost, {limit.at_most} allowed"
        return [VictoryStatus(self.side, says, self.possible)]

    def leader(self) -> Leader:
        has, terms = self.destroyed, self.terms
        denied = Fraction(self.state.clock.turn - 1, max(terms.by.turn, 1))
        says = f"{self.people} destroyed {has} of {terms.need}"
        if terms.may_lose:
            lost, most = self.vehicles_lost, terms.may_lose.at_most
            denied = max(denied, Fraction(lost, most + 1))
            says += f", lost {lost} vehicles, may lose {most}"
        return self._further(Fraction(has, terms.need), denied, self.possible, says)


class DestroysThenExits(Destruction[terms_of.DestroyThenExit]):
    @property
    def gone(self) -> int:
        return exited(self.state, self.side)

    @property
    def possible(self) -> bool:
        leave = self.terms.then
        return super().possible and self.gone + len(self._up(self.side, leave.unit)) >= leave.need

    def exits_count(self, side: str) -> bool:
        return side == self.side

    def too_early_to_exit(self, side: str) -> Refusal | None:
        done, need = self.destroyed, self.terms.need
        if side != self.side or done >= need:
            return None
        things = self.setup.unit(self.terms.unit).name.lower()
        says = f"Only {done} of {need} {things} are destroyed, so leaving does not count yet."
        return Refusal("too_early", says, "Scenario")

    def exit_value(self, pieces: Sequence[str]) -> int:
        if self.destroyed < self.terms.need:
            return 0
        return sum(self.state.unit_of(piece) == self.terms.then.unit for piece in pieces)

    def reached(self) -> Finished | None:
        leave = self.terms.then
        if self.gone >= leave.need:
            return self._won(True, f"{self.destroyed} destroyed, and {leave.need} got away.")
        return None if self.possible else self._won(False, "The raid can no longer succeed.")

    def result(self) -> Finished:
        return Finished(winner=None, reason="Time is up.")

    def status(self) -> list[VictoryStatus]:
        own = self.setup.unit(self.terms.then.unit).named(self.terms.then.need)
        says = (
            f"need {self._units} destroyed: have {self.destroyed}; "
            f"then {own} off the table: have {self.gone}"
        )
        return [VictoryStatus(self.side, says, self.possible)]

    def leader(self) -> Leader:
        has, gone, leave = self.destroyed, self.gone, self.terms.then
        own = self._pieces(self.side, leave.unit)
        lost = sum(piece.id in self.state.lost for piece in own)
        done = Fraction(has + gone, self.terms.need + leave.need)
        denied = Fraction(lost, max(len(own) - leave.need, 0) + 1)
        says = (
            f"{self.people} destroyed {has} of {self.terms.need}, "
            f"{gone} of {leave.need} off the table"
        )
        return self._further(done, denied, self.possible, says)


class LeavesMore(VictoryKind[terms_of.Survivors]):
    """Who has more of some units left."""

    @property
    def left(self) -> dict[str, int]:
        return {
            side.id: sum(len(self._up(side.id, unit)) for unit in self.terms.units)
            for side in self.setup.sides
        }

    def result(self) -> Finished:
        left = self.left
        says = f"Survivors: {left[self._one]} to {left[self._other]}."
        return Finished(winner=more(left), reason=says)

    def status(self) -> list[VictoryStatus]:
        units = " and ".join(plural(self.setup.unit(unit).name) for unit in self.terms.units)
        says = f"need more {units} left{self._by}"
        return [
            VictoryStatus(side, f"{says}: have {own}", own > 0) for side, own in self.left.items()
        ]

    def leader(self) -> Leader:
        left = self.left
        says = ", ".join(f"{people(self.state, side)} {count}" for side, count in left.items())
        return Leader(more(left), f"{says} left")


# ------------------------------------------------------------------ what the players count


class ByCount(VictoryKind[T]):
    """What the players count decides; ``thing`` is how it follows the numbers."""

    thing = ""

    def result(self) -> Finished:
        return Finished(winner=self._winner(), reason=self._reason())

    def leader(self) -> Leader | None:
        tally = self.state.counted
        if tally is None:
            return None
        says = ", ".join(f"{people(self.state, side)} {n}" for side, n in tally.values.items())
        return Leader(self._winner(), f"{says} {self.thing} in turn {tally.clock.turn}")

    def _winner(self) -> str | None:
        raise NotImplementedError

    def _reason(self) -> str:
        raise NotImplementedError

    def _count(self, side: str) -> int:
        return self.counts.get(side, 0)

    def _last(self, side: str) -> str:
        tally = self.state.counted
        if tally is None:
            return ": not counted yet"
        return f": {self._count(side)} when last counted, turn {tally.clock.turn}"


class Holds(ByCount[terms_of.Hold], OneSided[terms_of.Hold]):
    def __init__(self, state: State, terms: terms_of.Hold) -> None:
        super().__init__(state, terms)
        self.counted_sides = (self.side,)
        last = " or entered last" if terms.how == "solely_or_last" else ""
        self.question = f"{terms.what.capitalize()} held alone{last}"
        self.thing = terms.what

    def _winner(self) -> str:
        return self.side if self._count(self.side) >= self.terms.need else self.foe

    def _reason(self) -> str:
        held = self.counts[self.side]
        return f"{self.terms.what.capitalize()} held: {held}, needed: {self.terms.need}."

    def status(self) -> list[VictoryStatus]:
        says = f"need {self.terms.need} {self.terms.what}{self._by}{self._last(self.side)}"
        lasts = self.terms.how == "solely_or_last"  # the dead may have been the last to enter
        return [VictoryStatus(self.side, says, lasts or self._has_guys(self.side))]


class HoldsMoreTimes(ByCount[terms_of.HoldRatio], OneSided[terms_of.HoldRatio]):
    def __init__(self, state: State, terms: terms_of.HoldRatio) -> None:
        super().__init__(state, terms)
        self.counted_sides = (self.side, self.foe)
        self.question = f"{terms.what.capitalize()} with only their guys inside"
        self.thing = terms.what

    def _winner(self) -> str:
        least = max(1, self.terms.ratio * self._count(self.foe))
        return self.side if self._count(self.side) >= least else self.foe

    def _reason(self) -> str:
        own, theirs = self.counts[self.side], self.counts[self.foe]
        return f"{self.terms.what.capitalize()} held: {own} against {theirs}."

    def status(self) -> list[VictoryStatus]:
        times = "twice" if self.terms.ratio == 2 else f"{self.terms.ratio} times"
        says = f"need {times} as many {self.terms.what}{self._by}{self._both()}"
        return [VictoryStatus(self.side, says, self._has_guys(self.side))]

    def _both(self) -> str:
        tally = self.state.counted
        if tally is None:
            return ": not counted yet"
        counts = ", ".join(f"{side.people} {self._count(side.id)}" for side in self.setup.sides)
        return f": {counts} when last counted, turn {tally.clock.turn}"


class Clears(ByCount[terms_of.Clear], OneSided[terms_of.Clear]):
    def __init__(self, state: State, terms: terms_of.Clear) -> None:
        super().__init__(state, terms)
        self.counted_sides = (terms.of,)
        near = inches(terms.within_in)
        self.question = f"Guys and models within {near} of the {terms.point}"
        self.thing = f"at the {terms.point}"

    def _winner(self) -> str:
        return self.side if not self._count(self.terms.of) else self.terms.of

    def _reason(self) -> str:
        there = self.counts[self.terms.of]
        return f"Within {inches(self.terms.within_in)} of the {self.terms.point}: {there}."

    def status(self) -> list[VictoryStatus]:
        foe = self.setup.the(self.terms.of)
        says = f"need the {self.terms.point} clear of {foe}{self._by}{self._last(self.terms.of)}"
        return [VictoryStatus(self.side, says)]


class CountsMore(ByCount[terms_of.Tally]):
    def __init__(self, state: State, terms: terms_of.Tally) -> None:
        super().__init__(state, terms)
        self.counted_sides = terms.sides
        self.question = terms.question
        self.thing = terms.question[:1].lower() + terms.question[1:]

    def _winner(self) -> str | None:
        return more(self.counts) or self.terms.equal

    def _reason(self) -> str:
        one, other = (self.counts[side] for side in self.terms.sides)
        return f"{self.terms.question}: {one} against {other}."

    def status(self) -> list[VictoryStatus]:
        found = []
        for side in self.terms.sides:
            equal = side == self.terms.equal
            much = "as many" if equal else "more"
            says = f"need {much} {self.thing}{self._by}{self._last(side)}"
            found.append(VictoryStatus(side, says, equal or self._has_guys(side)))
        return found


KINDS: dict[type[terms_of.Victory], type[VictoryKind[Any]]] = {
    terms_of.Exit: Exits,
    terms_of.Destroy: Destroys,
    terms_of.DestroyThenExit: DestroysThenExits,
    terms_of.Hold: Holds,
    terms_of.HoldRatio: HoldsMoreTimes,
    terms_of.Clear: Clears,
    terms_of.Survivors: LeavesMore,
    terms_of.Tally: CountsMore,
}


def kind_of(state: State) -> VictoryKind[Any] | None:
    scenario = state.setup.scenario
    return KINDS[type(scenario.victory)](state, scenario.victory) if scenario else None


def more(values: Mapping[str, int]) -> str | None:
    most = max(values.values())
    leaders = [side for side, number in values.items() if number == most]
    return leaders[0] if len(leaders) == 1 else None


def people(state: State, side: str) -> str:
    name = state.setup.side_by_id[side].people
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
