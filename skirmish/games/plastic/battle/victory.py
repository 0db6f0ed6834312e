"""How a battle ends, and the progress towards it: the scenario's own terms at their own moment,
the break point, turn 30. The program ends a battle if its terms leave nothing open; players can
always decide otherwise (``Finish``, ``PlayOn``). Terms are data (``scenarios.scenario``); each kind
has a class here that computes what has been achieved, what is still possible, who leads and who has
won."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle.agenda import OutcomeAsk
from skirmish.games.plastic.battle.events import Asked, Finished
from skirmish.games.plastic.battle.names import piece_name
from skirmish.games.plastic.battle.rows import break_alarm, break_at, side_strength
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
"""The longest name of a side in a list, in letters."""
_FOOT = 12


class VictoryStatus(msgspec.Struct, frozen=True):
    """A side's progress by its terms, and by its break point if that is played."""

    side: str
    terms: str
    can_win: bool = True
    breaks: str = ""

    @property
    def text(self) -> str:
        return "; ".join(part for part in (self.terms, self.breaks) if part)


class Leader(msgspec.Struct, frozen=True):
    """``side`` None: neither, or unknown."""

    side: str | None
    text: str


class VictoryKind:
    """Computed for one state. ``winner`` and ``reason`` hold when the last player turn is over;
    ``reached`` is an earlier end, when the terms are met or out of reach. The players count by eye
    for the ``counted_sides``, asked as in ``question``. Leaving the table counts for the
    ``exiting`` sides."""

    counted_sides: tuple[str, ...] = ()
    question = ""
    winner: str | None = None
    reason = ""
    reached: Finished | None = None
    exiting: tuple[str, ...] = ()

    def __init__(self, state: State, terms: Any) -> None:
        self.state, self.terms, self.setup = state, terms, state.setup
        moment = moment_of(terms) if terms else None
        nation = self.setup.catalog.nations[moment.side].name if moment else ""
        self._by = f" by the end of {nation} turn {moment.turn}" if moment else ""

    def result(self) -> Finished:
        return Finished(winner=self.winner, reason=self.reason)

    def status(self) -> list[VictoryStatus]:
        """The status of the sides that the terms name."""
        raise NotImplementedError

    def leader(self) -> Leader | None:
        """None if only losses can decide it."""
        return None

    def why_not_exit(self, side: str) -> Refusal | None:
        if side in self.exiting:
            return None
        return Refusal("no_exit", "Leaving the table does not count in this scenario.", "Scenario")

    def exit_value(self, pieces: Sequence[str]) -> int:
        del pieces
        return 0

    def _pieces(self, side: str, unit: str | None = None) -> list[str]:
        """All pieces a side ever had, of one unit or of any."""
        own = piece_name(side, "")
        every = (one for one in self.state.pieces() if one.id.startswith(own))
        return [one.id for one in every if unit in (None, one.unit)]

    def _up(self, side: str, unit: str | None = None) -> list[str]:
        return [*filter(self.state.is_up, self._pieces(side, unit))]

    def _has_guys(self, side: str) -> bool:
        return any(self.state.unit(piece).is_guy for piece in self._up(side))

    def _valued(self, values: Mapping[str, int]) -> str:
        return ", ".join(f"{people(self.state, side)} {n}" for side, n in values.items())


class BasicVictory(VictoryKind):
    """A broken army is beaten; an exit over the enemy's edge costs the enemy a loss."""

    def __init__(self, state: State, terms: None) -> None:
        super().__init__(state, terms)
        self.exiting = tuple(self.setup.side_by_id)

    def status(self) -> list[VictoryStatus]:
        found = []
        for side in self.setup.side_by_id:
            lost, whole = self.state.loss.get(side, 0), side_strength(self.state, side)
            at = break_alarm(self.state, side)
            breaks = f"break at {at} lost: {lost} of {whole} so far"
            one = VictoryStatus(side, "", lost < at, breaks)
            if not whole:  # an army that counts for nothing cannot break
                one = VictoryStatus(side, "have no units that count, so they cannot break")
            found.append(one)
        return found


class OneSided(VictoryKind):
    """Terms that one ``side`` has to meet; the ``foe`` wins if it does not. Shares of the goal:
    ``done`` by the side, ``denied`` to it."""

    possible = True
    progress = ""
    done = denied = Fraction(0)
    stands = ""

    def __init__(self, state: State, terms: terms_of.OneSidedTerms) -> None:
        super().__init__(state, terms)
        self.side, self.foe = terms.side, state.setup.enemy_of(terms.side).id
        self.people = people(state, self.side)

    def status(self) -> list[VictoryStatus]:
        return [VictoryStatus(self.side, self.progress, self.possible)]

    def leader(self) -> Leader | None:
        if self.done < 1 and self.possible and abs(self.done - self.denied) < _CLEARLY:
            return Leader(None, self.stands)
        ahead = self.done >= 1 or (self.possible and self.done > self.denied)
        return Leader(self.side if ahead else self.foe, self.stands)

    def _at_the_end(self, met: bool, reason: str) -> None:
        self.winner, self.reason = self.side if met else self.foe, reason

    def _before(self, met: bool, reason: str) -> None:
        self.reached = Finished(winner=self.side if met else self.foe, reason=reason)


class Exits(OneSided):
    """Enough value exited in time."""

    def __init__(self, state: State, terms: terms_of.ExitTable) -> None:
        super().__init__(state, terms)
        self.exiting = (self.side,)
        own = self._pieces(self.side)
        has = self.has = sum(state.exited.get(piece, 0) for piece in own)
        most = has + self._can_leave(filter(state.is_up, own))
        need = -(-sum(map(self._weight, own)) // 2) if terms.need is None else terms.need
        whole = max(most, self._can_leave(own))
        self.possible = most >= need
        self.progress = (
            f"need {need} off the table{self._by}: have {has}, can reach {most}, "
            f"may lose {max(most - need, 0)}"
        )
        self.done = Fraction(has, need)
        self.denied = Fraction(whole - most, max(whole - need, 0) + 1)
        off = f" have {has} off," if has else ""
        self.stands = f"{self.people}{off} can still exit {most - has}, need {need}"
        self._at_the_end(has >= need, f"{has} left the table, {need} needed.")
        if has >= need:
            self._before(True, f"{has} have left the table; {need} were needed.")

    def _can_leave(self, pieces: Iterable[str]) -> int:
        """Everything that moves, and one cannon for each model that can tow one."""
        units = {piece: self.state.unit(piece) for piece in pieces}
        takers = sum(unit.tows_cannon for unit in units.values())
        cannon = [self._weight(piece) for piece, unit in units.items() if "cannon" in unit.tags]
        moving = sum(self._weight(piece) for piece, unit in units.items() if unit.move)
        return moving + sum(sorted(cannon, reverse=True)[:takers])

    def _weight(self, piece: str) -> int:
        unit = self.state.unit(piece)
        weights: dict[str, int] = self.terms.weights
        if not weights:
            by_pieces = self.setup.rulings["P81"] == "pieces"
            return 1 if by_pieces else self.setup.catalog.worth(unit)
        return weights.get(unit.id, weights.get("guy", 1) if unit.is_guy else 0)

    def exit_value(self, pieces: Sequence[str]) -> int:
        return sum(self._weight(p) for p in pieces if self.state.piece(p).side == self.side)


class Destruction(OneSided):
    """``destroyed`` counts losses; P83 decides about those by their own breakdown."""

    def __init__(self, state: State, terms: terms_of.Destroy | terms_of.DestroyThenExit) -> None:
        super().__init__(state, terms)
        lost, counts = state.lost, self.setup.rulings["P83"] == "counts"
        credits = [lost[p] for p in self._pieces(self.foe, terms.unit) if p in lost]
        self.destroyed = sum(one is None or not one.breakdown or counts for one in credits)
        self.possible = self.destroyed + len(self._up(self.foe, terms.unit)) >= terms.need
        units = self.setup.unit(terms.unit).named(terms.need)
        self.stands = f"{self.people} destroyed {self.destroyed} of {terms.need}"
        self.progress = f"need {units} destroyed{self._by}: have {self.destroyed}"


class Destroys(Destruction):
    """Destruction in time and, if the terms limit it, without losing too many vehicles."""

    def __init__(self, state: State, terms: terms_of.Destroy) -> None:
        super().__init__(state, terms)
        has, need = self.destroyed, terms.need
        self.done = Fraction(has, need)
        self.denied = Fraction(state.clock.turn - 1, max(terms.by.turn, 1))
        self._at_the_end(has >= need, f"{has} destroyed, {need} needed.")
        if (limit := terms.may_lose) is None:
            return
        own = (one for one in state.pieces() if one.side == self.side and one.id in state.lost)
        lost = sum("vehicle" in self.setup.unit(one.unit).tags for one in own)
        most = limit.at_most
        self.possible = self.possible and lost <= most
        self.denied = max(self.denied, Fraction(lost, most + 1))
        self.progress += f"; {lost} {limit.what} lost, {most} allowed"
        self.stands += f", lost {lost} vehicles, may lose {most}"
        if lost > most:
            self._before(False, f"More than {most} vehicles were lost.")


class DestroysThenExits(Destruction):
    """Destruction, then exit; no clock."""

    def __init__(self, state: State, terms: terms_of.DestroyThenExit) -> None:
        super().__init__(state, terms)
        self.exiting = (self.side,)
        leave, own = terms.then, self._pieces(self.side, terms.then.unit)
        gone = sum(state.exited.get(piece, 0) for piece in self._pieces(self.side))
        lost = sum(piece in state.lost for piece in own)
        self.possible = self.possible and gone + sum(map(state.is_up, own)) >= leave.need
        away = self.setup.unit(leave.unit).named(leave.need)
        self.progress += f"; then {away} off the table: have {gone}"
        self.done = Fraction(self.destroyed + gone, terms.need + leave.need)
        self.denied = Fraction(lost, max(len(own) - leave.need, 0) + 1)
        self.stands += f", {gone} of {leave.need} off the table"
        self.reason = "Time is up."
        if gone >= leave.need:
            self._before(True, f"{self.destroyed} destroyed, and {leave.need} got away.")
        elif not self.possible:
            self._before(False, "The raid can no longer succeed.")

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


class LeavesMore(VictoryKind):
    """The side with more of some units left."""

    def __init__(self, state: State, terms: terms_of.Survivors) -> None:
        super().__init__(state, terms)
        self.left = {
            side: sum(len(self._up(side, unit)) for unit in terms.units)
            for side in self.setup.side_by_id
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
        return Leader(self.winner, f"{self._valued(self.left)} left")


class ByCount(VictoryKind):
    """The players' count decides; ``thing`` is the noun after the numbers."""

    thing = ""

    def leader(self) -> Leader | None:
        tally = self.state.counted
        if tally is None:
            return None
        text = f"{self._valued(tally.values)} {self.thing} in turn {tally.clock.turn}"
        return Leader(self.winner, text)

    def _count(self, side: str) -> int:
        return self.state.counted.values.get(side, 0) if self.state.counted else 0

    def _last(self, count: object) -> str:
        tally = self.state.counted
        if tally is None:
            return ": not counted yet"
        return f": {count} when last counted, turn {tally.clock.turn}"


class Holds(ByCount, OneSided):
    """A number of buildings held."""

    def __init__(self, state: State, terms: terms_of.HoldBuildings) -> None:
        super().__init__(state, terms)
        self.counted_sides, self.thing = (self.side,), terms.what
        lasts = terms.how == "solely_or_last"  # the dead may have been the last to enter
        self.question = f"{terms.what.capitalize()} held alone{' or entered last' * lasts}"
        self.possible = lasts or self._has_guys(self.side)
        held, need = self._count(self.side), terms.need
        self.progress = f"need {need} {terms.what}{self._by}{self._last(held)}"
        reason = f"{self.thing.capitalize()} held: {held}, needed: {need}."
        self._at_the_end(held >= need, reason)


class HoldsMoreTimes(ByCount, OneSided):
    """A multiple of the enemy's number of buildings."""

    def __init__(self, state: State, terms: terms_of.HoldRatio) -> None:
        super().__init__(state, terms)
        self.counted_sides, self.thing = (self.side, self.foe), terms.what
        self.question = f"{terms.what.capitalize()} with only their guys inside"
        self.possible = self._has_guys(self.side)
        times = "twice" if terms.ratio == 2 else f"{terms.ratio} times"
        counts = ", ".join(f"{side.people} {self._count(side.id)}" for side in self.setup.sides)
        self.progress = f"need {times} as many {terms.what}{self._by}{self._last(counts)}"
        own, theirs = self._count(self.side), self._count(self.foe)
        enough = own >= max(1, terms.ratio * theirs)
        self._at_the_end(enough, f"{self.thing.capitalize()} held: {own} against {theirs}.")


class Clears(ByCount, OneSided):
    """None of a side near a point."""

    def __init__(self, state: State, terms: terms_of.Clear) -> None:
        super().__init__(state, terms)
        self.counted_sides, self.thing = (terms.of,), f"at the {terms.point}"
        near = f"within {inches(terms.within_in)} of the {terms.point}"
        self.question = f"Guys and models {near}"
        there, foe = self._count(terms.of), self.setup.the(terms.of)
        self.progress = f"need the {terms.point} clear of {foe}{self._by}{self._last(there)}"
        self._at_the_end(not there, f"W{near[1:]}: {there}.")


class CountsMore(ByCount):
    """The larger of two numbers."""

    def __init__(self, state: State, terms: terms_of.CountAtEnd) -> None:
        super().__init__(state, terms)
        self.counted_sides, self.question = terms.sides, terms.question
        self.thing = terms.question[:1].lower() + terms.question[1:]
        one, other = map(self._count, terms.sides)
        counts = state.counted.values if state.counted else {}
        self.winner = more({**dict.fromkeys(terms.sides, 0), **counts}) or terms.equal
        self.reason = f"{terms.question}: {one} against {other}."

    def status(self) -> list[VictoryStatus]:
        found = []
        for side in self.terms.sides:
            equal = side == self.terms.equal
            much = "as many" if equal else "more"
            text = f"need {much} {self.thing}{self._by}{self._last(self._count(side))}"
            found.append(VictoryStatus(side, text, equal or self._has_guys(side)))
        return found


KINDS: dict[type[terms_of.Terms], type[VictoryKind]] = {
    terms_of.ExitTable: Exits,
    terms_of.Destroy: Destroys,
    terms_of.DestroyThenExit: DestroysThenExits,
    terms_of.HoldBuildings: Holds,
    terms_of.HoldRatio: HoldsMoreTimes,
    terms_of.Clear: Clears,
    terms_of.Survivors: LeavesMore,
    terms_of.CountAtEnd: CountsMore,
}


NOT_COUNTED = "Nothing is counted in this battle."


@lru_cache(maxsize=8)  # a screen asks for that of one state half a dozen times
def kind_of(state: State) -> VictoryKind:
    scenario = state.setup.scenario
    if scenario is None:
        return BasicVictory(state, None)
    return KINDS[type(scenario.victory)](state, scenario.victory)


def more(values: Mapping[str, int]) -> str | None:
    """The side with the largest number; None for a tie."""
    most = max(values.values())
    leaders = [side for side, number in values.items() if number == most]
    return leaders[0] if len(leaders) == 1 else None


def people(state: State, side: str) -> str:
    """A side's name in a list, cut if it is long."""
    name = state.setup.side_by_id[side].people
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"


# ------------------------------------------------------------------ the end


def after_loss(state: State) -> Finished | None:
    if state.outcome is not None or state.open_end:
        return None
    return at_end_of_phase(state, "at_once") or kind_of(state).reached


def at_end_of_phase(state: State, when: str = "end_of_phase") -> Finished | None:
    """The end, if a side has reached its break point ("The Basic Game", P2) and P74 applies it
    ``when``."""
    if state.outcome is not None or state.open_end or state.setup.rulings["P74"] != when:
        return None
    limits = {side: break_at(state, side) for side in state.setup.side_by_id}
    losses = {side: state.loss.get(side, 0) for side in limits}
    beaten = [side for side, at in limits.items() if at is not None and losses[side] >= at]
    if not beaten:
        return None
    if len(beaten) == len(limits):
        # Nobody wins, or (P85) the side that lost the smaller share: the larger product of the
        # other's loss and its own strength.
        one, other = limits
        shares = {
            one: losses[other] * side_strength(state, one),
            other: losses[one] * side_strength(state, other),
        }
        winner = None if state.setup.rulings["P85"] == "draw" else more(shares)
        return Finished(winner=winner, reason="Both armies have broken.")
    side = state.setup.side_by_id[beaten[0]]
    lost, whole = losses[side.id], side_strength(state, side.id)
    text = f"{side.name} broke: {lost} of {whole} lost, with a break point of {limits[side.id]}."
    return Finished(winner=state.setup.enemy_of(side.id).id, reason=text)


Ending = Literal["at_once", "phase", "last_turn", ""]
"""What ended a battle: its losses or exits at once, losses at the end of a phase (P74), or the end
of the last turn."""


def ended_as(state: State) -> Ending:
    """What ended the battle; empty if it goes on or the players ended it."""
    if state.outcome is None or state.outcome.agreed:
        return ""
    before = replace(state, outcome=None, open_end=False)
    if after_loss(before) is not None:
        return "at_once"
    if at_end_of_phase(before) is not None:
        return "phase"
    return "last_turn"


def over_again(state: State, ended: Ending) -> Finished | None:
    """The end that follows for the same reason after a shot was judged again; None if the battle
    goes on."""
    if end := after_loss(state):
        return end
    if ended == "phase":
        return at_end_of_phase(state)
    if ended != "last_turn":
        return None
    end_of_turn = at_the_end(state)
    if isinstance(end_of_turn, Asked):  # it has been counted already
        return kind_of(state).result()
    return end_of_turn


def still_over(state: State) -> bool:
    outcome, deadline = state.outcome, state.setup.ends_after
    if outcome is None or outcome.agreed:
        return outcome is not None
    if after_loss(replace(state, outcome=None, open_end=False)) is not None:
        return True
    now = state.clock.turn, state.clock.side
    late = deadline is not None and now == (deadline.turn, deadline.side)
    return late and state.setup.scenario is not None


def at_the_end(state: State) -> Finished | Asked | None:
    """The end after the last player turn; a draw comes only after a complete game turn."""
    deadline, clock, kind = state.setup.ends_after, state.clock, kind_of(state)
    if deadline is None or state.open_end:
        return None
    last = state.second if deadline.draw else deadline.side
    over = clock.turn == deadline.turn and last in (clock.side, state.first)
    if not over and clock.turn <= deadline.turn:
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
    if setup.scenario is None:  # the middle of the enemy's edge, as wide as ruling P32 has it
        width = setup.catalog.basic_game.exit_width.get(setup.rulings["P32"])
        if width is None:
            return ""
        wide = f"{width // _FOOT}{NO_BREAK}ft" if width % _FOOT == 0 else inches(width)
        return f"by the middle {wide} of the enemy's edge"
    terms = setup.scenario.victory
    if not isinstance(terms, ExitTable | DestroyThenExit) or terms.side != side:
        return ""
    if isinstance(terms, DestroyThenExit):
        return f"by the {terms.then.edge} edge"
    where = f"by the {terms.edge} edge" if terms.edge else f"through exit area {terms.zone}"
    if terms.within_in and terms.of:
        where += f", within {inches(terms.within_in)} of the {terms.of}"
    return where


def victory_status(state: State) -> tuple[VictoryStatus, ...]:
    """A side without terms of its own wins if the other fails."""
    own = kind_of(state).status()
    others = state.setup.side_by_id.keys() - {one.side for one in own}
    found = []
    for one in (*own, *(VictoryStatus(side, _against(state)) for side in others)):
        at = None if one.breaks else break_at(state, one.side)
        lost = f"break at {at} lost, {state.loss.get(one.side, 0)} so far"
        found.append(one if at is None else replace(one, breaks=lost))
    return tuple(found)


def _against(state: State) -> str:
    assert state.setup.scenario is not None
    terms = state.setup.scenario.victory
    foe = state.setup.the(getattr(terms, "side", state.second))
    moment = moment_of(terms)
    if moment is None:
        return f"win once {foe} can no longer succeed"
    left = moment.turn - state.clock.turn + 1
    turns = f"{left} turn{'' if left == 1 else 's'} left" if left > 0 else "time is up"
    return f"win if {foe} fail; {turns}"


def hopeless(state: State) -> tuple[str, ...]:
    """The sides that can no longer win by the terms of the scenario, while the battle goes on."""
    if state.outcome is not None or state.open_end or state.setup.scenario is None:
        return ()
    return tuple(one.side for one in kind_of(state).status() if not one.can_win)


def end_proposed(state: State) -> Finished | None:
    """The end that the players may agree on, since a side can no longer win. It is proposed once,
    when nothing else is open."""
    if state.ask is not None or state.agenda:
        return None
    sides = hopeless(state)
    if not set(sides) - state.played_out:
        return None
    who = " and ".join(state.setup.the(side) for side in sides)
    winner = None
    if len(sides) == 1:
        winner = state.setup.enemy_of(sides[0]).id
    reason = f"{capital(who)} can no longer win."
    return Finished(winner=winner, reason=reason, agreed=True)


def headline(state: State) -> str:
    """``Turn 4 of 11 · Poles ahead: Germans can still exit 26, need 20``."""
    if state.outcome:
        winner = state.outcome.winner
        return f"Winner: {people(state, winner)}" if winner else "A draw"
    turn, last = state.clock.turn, last_turn(state)
    now = f"Turn {turn}" if last is None or turn > last else f"Turn {turn} of {last}"
    ahead = leader(state)
    stands = f"{people(state, ahead.side)} ahead" if ahead.side else "even"
    return f"{now} · {stands}: {ahead.text}"


def last_turn(state: State) -> int | None:
    deadline, scenario = state.setup.ends_after, state.setup.scenario
    if deadline is not None:
        return deadline.turn
    moment = moment_of(scenario.victory) if scenario else None
    return moment.turn if moment else None


def leader(state: State) -> Leader:
    """The side clearly ahead by the terms, or else by losses."""
    if (found := kind_of(state).leader()) is not None:
        return found
    gone, lost = {}, []
    for side in (one.id for one in state.setup.sides):
        at, loss = break_alarm(state, side), state.loss.get(side, 0)
        gone[side] = Fraction(loss, at) if at else Fraction(0)
        lost.append(f"{loss} of {side_strength(state, side)}")
    first, second = gone
    text = f"{people(state, first)} lost {lost[0]}, {people(state, second)} {lost[1]}"
    if abs(gone[first] - gone[second]) < _CLEARLY:
        return Leader(None, text)
    return Leader(first if gone[first] < gone[second] else second, text)
