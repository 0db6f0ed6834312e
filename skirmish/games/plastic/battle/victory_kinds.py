"""The kinds of victory in play: for each, one class that knows what has been done for it, what can
still be, who leads and who has won. Their terms are data (``scenarios.victory_terms``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Generic, TypeVar

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle.events import Finished
from skirmish.games.plastic.battle.rows import break_alarm, side_strength
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
"""Letters of a side's name in a list."""


class VictoryStatus(msgspec.Struct, frozen=True):
    """Where a side stands by its terms, and by its break point where that is played."""

    side: str
    terms: str
    can_win: bool = True
    breaks: str = ""

    @property
    def text(self) -> str:
        return "; ".join(part for part in (self.terms, self.breaks) if part)


class Leader(msgspec.Struct, frozen=True):
    """``side`` None: neither, or nobody can tell."""

    side: str | None
    text: str


T = TypeVar("T", bound=terms_of.Victory)


class VictoryKind(Generic[T]):
    """Everything is worked out for the state that it is made with."""

    counted_sides: tuple[str, ...] = ()
    """For which sides the players count something by eye."""
    question = ""
    """What it is that they count."""
    winner: str | None = None
    """Who has won when the last player turn is over."""
    reason = ""

    def __init__(self, state: State, terms: T) -> None:
        self.state, self.terms = state, terms
        self.setup = state.setup
        self.counts = state.counted.values if state.counted else {}
        moment = moment_of(terms) if terms else None
        nation = self.setup.catalog.nations[moment.side].name if moment else ""
        self._by = f" by the end of {nation} turn {moment.turn}" if moment else ""

    def reached(self) -> Finished | None:
        """The end, where the terms are met or out of reach before their moment."""
        return None

    def result(self) -> Finished:
        return Finished(winner=self.winner, reason=self.reason)

    def status(self) -> list[VictoryStatus]:
        """The running lines of the sides that the terms name."""
        raise NotImplementedError

    def leader(self) -> Leader | None:
        """None where only losses can tell."""
        raise NotImplementedError

    def why_not_exit(self, side: str) -> Refusal | None:
        if self.exits_count(side):
            return None
        return Refusal("no_exit", "Leaving the table does not count in this scenario.", "Scenario")

    def exits_count(self, side: str) -> bool:
        del side
        return False

    def exit_value(self, pieces: Sequence[str]) -> int:
        del pieces
        return 0

    def _pieces(self, side: str, unit: str | None = None) -> list[Piece]:
        """All that a side ever had, of one unit or of any."""
        every = self.state.pieces()
        return [one for one in every if one.side == side and unit in (None, one.unit)]

    def _up(self, side: str, unit: str | None = None) -> list[str]:
        return [one.id for one in self._pieces(side, unit) if self.state.is_up(one.id)]

    def _has_guys(self, side: str) -> bool:
        return any(self.state.unit(piece).is_guy for piece in self._up(side))

    def _exited(self, side: str) -> int:
        return sum(self.state.exited.get(piece.id, 0) for piece in self._pieces(side))

    def _said(self, values: Mapping[str, int]) -> str:
        return ", ".join(f"{people(self.state, side)} {n}" for side, n in values.items())


class BasicGame(VictoryKind[Any]):
    """Whoever breaks is beaten; leaving over the enemy's edge costs him a loss."""

    def status(self) -> list[VictoryStatus]:
        return [self._unbroken(side.id) for side in self.setup.sides]

    def _unbroken(self, side: str) -> VictoryStatus:
        lost, whole = self.state.loss.get(side, 0), side_strength(self.state, side)
        if not whole:  # an army that counts for nothing cannot break
            return VictoryStatus(side, "have no units that count, so they cannot break")
        at = break_alarm(self.state, side)
        return VictoryStatus(side, "", lost < at, f"break at {at} lost: {lost} of {whole} so far")

    def leader(self) -> None:
        return None

    def exits_count(self, side: str) -> bool:
        return True


One = TypeVar(
    "One",
    bound=terms_of.ExitTable
    | terms_of.Destroy
    | terms_of.DestroyThenExit
    | terms_of.HoldBuildings
    | terms_of.HoldRatio
    | terms_of.Clear,
)


class OneSided(VictoryKind[One]):
    """A kind that one ``side`` has to reach; the ``foe`` wins if it does not."""

    possible = True
    progress = ""

    def __init__(self, state: State, terms: One) -> None:
        super().__init__(state, terms)
        self.side, self.foe = terms.side, state.setup.enemy_of(terms.side).id
        self.people = people(state, self.side)

    def status(self) -> list[VictoryStatus]:
        return [VictoryStatus(self.side, self.progress, self.possible)]

    def _won(self, met: bool, text: str) -> Finished:
        return Finished(winner=self.side if met else self.foe, reason=text)

    def _further(self, done: Fraction, denied: Fraction, text: str) -> Leader:
        """By how much of the terms is met, and how much denied."""
        if done < 1 and self.possible and abs(done - denied) < CLEARLY:
            return Leader(None, text)
        ahead = done >= 1 or (self.possible and done > denied)
        return Leader(self.side if ahead else self.foe, text)


class Exits(OneSided[terms_of.ExitTable]):
    """So much off the table in time."""

    def __init__(self, state: State, terms: terms_of.ExitTable) -> None:
        super().__init__(state, terms)
        half = -(-sum(self._weight(piece.id) for piece in self._pieces(self.side)) // 2)
        need = self.need = half if terms.need is None else terms.need
        self.done = self._exited(self.side)
        self.reach = most = self.done + self._can_still_leave()
        self.possible = most >= need
        self.progress = (
            f"need {need} off the table{self._by}: have {self.done}, can reach {most}, "
            f"may lose {max(most - need, 0)}"
        )

    def _can_still_leave(self) -> int:
        """All that moves, and a cannon for each model that takes one along."""
        units = {piece: self.state.unit(piece) for piece in self._up(self.side)}
        takers = sum(unit.tows_cannon for unit in units.values())
        cannon = [self._weight(piece) for piece, unit in units.items() if "cannon" in unit.tags]
        moving = sum(self._weight(piece) for piece, unit in units.items() if unit.move)
        return moving + sum(sorted(cannon, reverse=True)[:takers])

    def _weight(self, piece: str) -> int:
        unit, weights = self.state.unit(piece), self.terms.weights
        if not weights:
            by_pieces = self.setup.rulings["P81"] == "pieces"
            return 1 if by_pieces else self.setup.catalog.worth(unit)
        return weights.get(unit.id, weights.get("guy", 1) if unit.is_guy else 0)

    def exits_count(self, side: str) -> bool:
        return side == self.side

    def exit_value(self, pieces: Sequence[str]) -> int:
        return sum(self._weight(p) for p in pieces if self.state.piece(p).side == self.side)

    def reached(self) -> Finished | None:
        if self.done < self.need:
            return None
        return self._won(True, f"{self.done} have left the table; {self.need} were needed.")

    def result(self) -> Finished:
        text = f"{self.done} left the table, {self.need} needed."
        return self._won(self.done >= self.need, text)

    def leader(self) -> Leader:
        has, need, most = self.done, self.need, self.reach
        untouched = Exits(replace(self.state, lost={}, exited={}), self.terms)
        whole = max(most, untouched.reach)
        denied = Fraction(whole - most, max(whole - need, 0) + 1)
        off = f" have {has} off," if has else ""
        text = f"{self.people}{off} can still exit {most - has}, need {need}"
        return self._further(Fraction(has, need), denied, text)


D = TypeVar("D", bound=terms_of.Destroy | terms_of.DestroyThenExit)


class Destruction(OneSided[D]):
    """``destroyed`` are lost; P83 says whether to their own breakdown too."""

    def __init__(self, state: State, terms: D) -> None:
        super().__init__(state, terms)
        lost, counts = state.lost, self.setup.rulings["P83"] == "counts"
        credits = [lost[p.id] for p in self._pieces(self.foe, terms.unit) if p.id in lost]
        self.destroyed = sum(one is None or not one.breakdown or counts for one in credits)
        self.possible = self.destroyed + len(self._up(self.foe, terms.unit)) >= terms.need
        self._units = self.setup.unit(terms.unit).named(terms.need)


class Destroys(Destruction[terms_of.Destroy]):
    """In time, and without losing too many vehicles where that is said."""

    def __init__(self, state: State, terms: terms_of.Destroy) -> None:
        super().__init__(state, terms)
        own = [piece for piece in self._pieces(self.side) if piece.id in state.lost]
        lost = sum("vehicle" in self.setup.unit(piece.unit).tags for piece in own)
        self.vehicles_lost, self.progress = lost, f"need {self._units} destroyed{self._by}"
        self.progress += f": have {self.destroyed}"
        if limit := terms.may_lose:
            self.possible = self.possible and lost <= limit.at_most
            self.progress += f"; {lost} {limit.what} lost, {limit.at_most} allowed"

    def reached(self) -> Finished | None:
        limit = self.terms.may_lose
        if limit is None or self.vehicles_lost <= limit.at_most:
            return None
        return self._won(False, f"More than {limit.at_most} vehicles were lost.")

    def result(self) -> Finished:
        done, need = self.destroyed, self.terms.need
        return self._won(done >= need, f"{done} destroyed, {need} needed.")

    def leader(self) -> Leader:
        has, terms = self.destroyed, self.terms
        denied = Fraction(self.state.clock.turn - 1, max(terms.by.turn, 1))
        text = f"{self.people} destroyed {has} of {terms.need}"
        if terms.may_lose:
            lost, most = self.vehicles_lost, terms.may_lose.at_most
            denied = max(denied, Fraction(lost, most + 1))
            text += f", lost {lost} vehicles, may lose {most}"
        return self._further(Fraction(has, terms.need), denied, text)


class DestroysThenExits(Destruction[terms_of.DestroyThenExit]):
    """First destroyed, then away; no clock."""

    reason = "Time is up."

    def __init__(self, state: State, terms: terms_of.DestroyThenExit) -> None:
        super().__init__(state, terms)
        leave, self.gone = terms.then, self._exited(self.side)
        remain = len(self._up(self.side, leave.unit))
        self.possible = self.possible and self.gone + remain >= leave.need
        own = self.setup.unit(leave.unit).named(leave.need)
        self.progress = (
            f"need {self._units} destroyed: have {self.destroyed}; "
            f"then {own} off the table: have {self.gone}"
        )

    def exits_count(self, side: str) -> bool:
        return side == self.side

    def why_not_exit(self, side: str) -> Refusal | None:
        done, need = self.destroyed, self.terms.need
        if side != self.side or done >= need:
            return super().why_not_exit(side)
        things = self.setup.unit(self.terms.unit).name.lower()
        text = f"Only {done} of {need} {things} are destroyed, so leaving does not count yet."
        return Refusal("too_early", text, "Scenario")

    def exit_value(self, pieces: Sequence[str]) -> int:
        if self.destroyed < self.terms.need:
            return 0
        return sum(self.state.unit_of(piece) == self.terms.then.unit for piece in pieces)

    def reached(self) -> Finished | None:
        need = self.terms.then.need
        if self.gone >= need:
            return self._won(True, f"{self.destroyed} destroyed, and {need} got away.")
        return None if self.possible else self._won(False, "The raid can no longer succeed.")

    def leader(self) -> Leader:
        has, gone, leave = self.destroyed, self.gone, self.terms.then
        own = self._pieces(self.side, leave.unit)
        lost = sum(piece.id in self.state.lost for piece in own)
        done = Fraction(has + gone, self.terms.need + leave.need)
        denied = Fraction(lost, max(len(own) - leave.need, 0) + 1)
        off = f"{gone} of {leave.need} off the table"
        text = f"{self.people} destroyed {has} of {self.terms.need}, {off}"
        return self._further(done, denied, text)


class LeavesMore(VictoryKind[terms_of.Survivors]):
    """Who has more of some units left."""

    def __init__(self, state: State, terms: terms_of.Survivors) -> None:
        super().__init__(state, terms)
        self.left = {
            side.id: sum(len(self._up(side.id, unit)) for unit in terms.units)
            for side in self.setup.sides
        }
        self.winner = more(self.left)
        self.reason = f"Survivors: {' to '.join(map(str, self.left.values()))}."

    def status(self) -> list[VictoryStatus]:
        units = " and ".join(plural(self.setup.unit(unit).name) for unit in self.terms.units)
        text = f"need more {units} left{self._by}"
        return [
            VictoryStatus(side, f"{text}: have {own}", own > 0) for side, own in self.left.items()
        ]

    def leader(self) -> Leader:
        return Leader(self.winner, f"{self._said(self.left)} left")


class ByCount(VictoryKind[T]):
    """What the players count decides; ``thing`` is how it follows the numbers."""

    thing = ""

    def leader(self) -> Leader | None:
        tally = self.state.counted
        if tally is None:
            return None
        text = f"{self._said(tally.values)} {self.thing} in turn {tally.clock.turn}"
        return Leader(self.result().winner, text)

    def _count(self, side: str) -> int:
        return self.counts.get(side, 0)

    def _last(self, count: object) -> str:
        tally = self.state.counted
        if tally is None:
            return ": not counted yet"
        return f": {count} when last counted, turn {tally.clock.turn}"


class Holds(ByCount[terms_of.HoldBuildings], OneSided[terms_of.HoldBuildings]):
    """So many buildings held."""

    def __init__(self, state: State, terms: terms_of.HoldBuildings) -> None:
        super().__init__(state, terms)
        self.counted_sides, self.thing = (self.side,), terms.what
        lasts = terms.how == "solely_or_last"  # the dead may have been the last to enter
        self.question = f"{terms.what.capitalize()} held alone{' or entered last' * lasts}"
        self.possible = lasts or self._has_guys(self.side)
        last = self._last(self._count(self.side))
        self.progress = f"need {terms.need} {terms.what}{self._by}{last}"

    def result(self) -> Finished:
        held, need = self._count(self.side), self.terms.need
        return self._won(held >= need, f"{self.thing.capitalize()} held: {held}, needed: {need}.")


class HoldsMoreTimes(ByCount[terms_of.HoldRatio], OneSided[terms_of.HoldRatio]):
    """So many times as many buildings as the enemy."""

    def __init__(self, state: State, terms: terms_of.HoldRatio) -> None:
        super().__init__(state, terms)
        self.counted_sides, self.thing = (self.side, self.foe), terms.what
        self.question = f"{terms.what.capitalize()} with only their guys inside"
        self.possible = self._has_guys(self.side)
        times = "twice" if terms.ratio == 2 else f"{terms.ratio} times"
        counts = ", ".join(f"{side.people} {self._count(side.id)}" for side in self.setup.sides)
        self.progress = f"need {times} as many {terms.what}{self._by}{self._last(counts)}"

    def result(self) -> Finished:
        own, theirs = self._count(self.side), self._count(self.foe)
        enough = own >= max(1, self.terms.ratio * theirs)
        return self._won(enough, f"{self.thing.capitalize()} held: {own} against {theirs}.")


class Clears(ByCount[terms_of.Clear], OneSided[terms_of.Clear]):
    """Nobody of a side near a point."""

    def __init__(self, state: State, terms: terms_of.Clear) -> None:
        super().__init__(state, terms)
        self.counted_sides, self.thing = (terms.of,), f"at the {terms.point}"
        self._near = f"within {inches(terms.within_in)} of the {terms.point}"
        self.question = f"Guys and models {self._near}"
        last = self._last(self._count(terms.of))
        foe = self.setup.the(terms.of)
        self.progress = f"need the {terms.point} clear of {foe}{self._by}{last}"

    def result(self) -> Finished:
        there = self._count(self.terms.of)
        return self._won(not there, f"W{self._near[1:]}: {there}.")


class CountsMore(ByCount[terms_of.CountAtEnd]):
    """The larger of two numbers."""

    def __init__(self, state: State, terms: terms_of.CountAtEnd) -> None:
        super().__init__(state, terms)
        self.counted_sides, self.question = terms.sides, terms.question
        self.thing = terms.question[:1].lower() + terms.question[1:]
        one, other = map(self._count, terms.sides)
        self.winner = more({**dict.fromkeys(terms.sides, 0), **self.counts}) or terms.equal
        self.reason = f"{terms.question}: {one} against {other}."

    def status(self) -> list[VictoryStatus]:
        found = []
        for side in self.terms.sides:
            equal = side == self.terms.equal
            much = "as many" if equal else "more"
            text = f"need {much} {self.thing}{self._by}{self._last(self._count(side))}"
            found.append(VictoryStatus(side, text, equal or self._has_guys(side)))
        return found


KINDS: dict[type[terms_of.Victory], type[VictoryKind[Any]]] = {
    terms_of.ExitTable: Exits,
    terms_of.Destroy: Destroys,
    terms_of.DestroyThenExit: DestroysThenExits,
    terms_of.HoldBuildings: Holds,
    terms_of.HoldRatio: HoldsMoreTimes,
    terms_of.Clear: Clears,
    terms_of.Survivors: LeavesMore,
    terms_of.CountAtEnd: CountsMore,
}


def kind_of(state: State) -> VictoryKind[Any]:
    scenario = state.setup.scenario
    if scenario is None:
        return BasicGame(state, None)
    return KINDS[type(scenario.victory)](state, scenario.victory)


def more(values: Mapping[str, int]) -> str | None:
    """Who has the largest number; None where several have."""
    most = max(values.values())
    leaders = [side for side, number in values.items() if number == most]
    return leaders[0] if len(leaders) == 1 else None


def people(state: State, side: str) -> str:
    """A side in a list, cut where players gave it a long name."""
    name = state.setup.side_by_id[side].people
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
