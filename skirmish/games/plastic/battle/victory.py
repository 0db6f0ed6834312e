"""How a battle ends: the scenario's own terms at their own moment, the break point, turn 30.

The program ends a battle where its terms leave nothing open. Players may always say otherwise:
``Finish`` ends it as they like, ``PlayOn`` goes on, and from then on only players end it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from skirmish.games.plastic.battle.agenda import OutcomeAsk
from skirmish.games.plastic.battle.events import Asked, Counted, Finished
from skirmish.games.plastic.battle.orders import Count
from skirmish.games.plastic.battle.scoring import (
    can_reach,
    destroyed,
    exited,
    need_of,
    survivors,
    vehicles_lost,
    weight,
)
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.strength import break_at, side_strength
from skirmish.games.plastic.scenarios.victory_terms import (
    Clear,
    Destroy,
    DestroyThenExit,
    Exit,
    Hold,
    HoldRatio,
    Survivors,
    Tally,
    Victory,
)
from skirmish.tabletop.measure import inches
from skirmish.tabletop.refusal import Refusal, nonsense

if TYPE_CHECKING:
    from skirmish.games.plastic.battle.resolve import Resolution

MOST_COUNTED = 999


# ------------------------------------------------------------------ when it is looked at


def after_loss(run: Resolution) -> None:
    """After every loss or exit: a broken army (P74), terms that are met or out of reach."""
    if run.state.setup.rulings["P74"] == "at_once":
        _check_break(run)
    _check_terms(run)


def at_end_of_phase(run: Resolution) -> None:
    """Before the clock moves on: a broken army, where P74 waits for it."""
    if run.state.setup.rulings["P74"] == "end_of_phase":
        _check_break(run)


def still_over(state: State) -> bool:
    """Whether what ended the battle holds even now; what players agreed, or the clock, does."""
    outcome, deadline = state.outcome, state.setup.ends_after
    if outcome is None or outcome.agreed:
        return outcome is not None
    late = deadline is not None and (state.clock.turn, state.clock.side) == (
        deadline.turn,
        deadline.side,
    )
    run = _Trial(state)
    after_loss(run)  # type: ignore[arg-type]  # all that it does is emit
    return bool(run.events) or (late and terms_of(state) is not None)


class _Trial:
    """Takes what would be emitted if the battle were not over."""

    def __init__(self, state: State) -> None:
        self.state = msgspec.structs.replace(state, outcome=None, open_end=False)
        self.events: list[Finished] = []

    def emit(self, event: Finished) -> None:
        self.events.append(event)


def time_is_up(state: State) -> bool:
    """Whether the player turn that is over was the last, or the clock was set past that.

    A draw comes after a whole game turn, whoever moves second in it (lots may have settled that).
    """
    deadline, clock = state.setup.ends_after, state.clock
    if deadline is None or state.open_end:
        return False
    last = state.second if deadline.draw else deadline.side
    return clock.turn > deadline.turn or (
        clock.turn == deadline.turn and last in (clock.side, state.first)
    )


def at_the_end(run: Resolution) -> None:
    """The last player turn is over: the result, or what the players must count for it first."""
    state = run.state
    deadline, terms = state.setup.ends_after, terms_of(state)
    if deadline is None:
        return
    if deadline.draw or terms is None:
        says = f"Turn {deadline.turn} has passed without a result."
        run.emit(Finished(winner=None, reason=says))
    elif counted_sides(state):  # anew, whatever was counted before the last phase
        run.emit(Asked(ask=OutcomeAsk(count=True)))
    else:
        run.emit(_result(state, terms))


def count(run: Resolution, order: Count) -> None:
    """What the players have counted; at the end it decides. Raises Refused."""
    state, sides = run.state, counted_sides(run.state)
    if not sides:
        raise nonsense("nothing_to_count", "Nothing is counted in this battle.")
    for side in sides:
        if side not in order.values:
            own = state.setup.of(side, "number")
            raise nonsense("count_missing", f"The {own} is missing.")
    for side, number in order.values.items():
        if side not in sides:
            raise nonsense("unknown_side", f"Nothing is counted for {side!r}.")
        if not 0 <= number <= MOST_COUNTED:
            raise nonsense("bad_count", f"A count is 0 to {MOST_COUNTED}, not {number}.")
    asked = isinstance(state.ask, OutcomeAsk)
    run.emit(Counted(values=dict(order.values), clock=state.clock))
    terms = terms_of(state)
    if asked and terms is not None:
        run.emit(_result(run.state, terms))


# ------------------------------------------------------------------ terms


def terms_of(state: State) -> Victory | None:
    """The scenario's terms, or None in the basic game."""
    return state.setup.scenario.victory if state.setup.scenario else None


def counted_sides(state: State) -> tuple[str, ...]:
    """For which sides the players count something by eye."""
    match terms_of(state):
        case Tally(sides=sides):
            return sides
        case HoldRatio(side=side):
            return (side, state.setup.enemy_of(side).id)
        case Hold(side=side):
            return (side,)
        case Clear(of=of):
            return (of,)
    return ()


def question(state: State) -> str:
    """What it is that they count."""
    match terms_of(state):
        case Tally(question=asked):
            return asked
        case Hold(what=what, how=how):
            last = " or entered last" if how == "solely_or_last" else ""
            return f"{what.capitalize()} held alone{last}"
        case HoldRatio(what=what):
            return f"{what.capitalize()} with only their guys inside"
        case Clear(within_in=near, point=point):
            return f"Guys and models within {inches(near)} of the {point}"
    return ""


def why_not_exit(state: State, side: str) -> Refusal | None:
    """What speaks against leaving the table: it counts for nothing here."""
    terms = terms_of(state)
    counts = terms is None or (isinstance(terms, Exit | DestroyThenExit) and terms.side == side)
    if counts:
        return None
    return Refusal("no_exit", "Leaving the table does not count in this scenario.", "Scenario")


def too_early_to_exit(state: State, side: str) -> Refusal | None:
    """What speaks against leaving now: what has to be destroyed first still stands."""
    terms = terms_of(state)
    if not isinstance(terms, DestroyThenExit) or terms.side != side:
        return None
    done = destroyed(state, terms)
    if done >= terms.need:
        return None
    things = state.setup.unit(terms.unit).name.lower()
    says = f"Only {done} of {terms.need} {things} are destroyed, so leaving does not count yet."
    return Refusal("too_early", says, "Scenario")


def exit_value(state: State, pieces: Sequence[str]) -> int:
    """What pieces that leave count for victory; nothing where leaving is not the way to win."""
    terms = terms_of(state)
    match terms:
        case Exit():
            own = [piece for piece in pieces if state.piece(piece).side == terms.side]
            return sum(weight(state, terms.weights, piece) for piece in own)
        case DestroyThenExit():
            if destroyed(state, terms) < terms.need:
                return 0
            return sum(state.unit_of(piece) == terms.then.unit for piece in pieces)
    return 0


def _check_terms(run: Resolution) -> None:
    state, terms = run.state, terms_of(run.state)
    if state.outcome is not None or state.open_end or terms is None:
        return
    foe = state.setup.enemy_of(terms.side).id if hasattr(terms, "side") else ""
    match terms:
        case Exit():
            if exited(state, terms.side) >= need_of(state, terms):
                done, need = exited(state, terms.side), need_of(state, terms)
                says = f"{done} have left the table; {need} were needed."
                run.emit(Finished(winner=terms.side, reason=says))
        case Destroy(may_lose=limit):
            if limit and vehicles_lost(state, terms.side) > limit.at_most:
                says = f"More than {limit.at_most} vehicles were lost."
                run.emit(Finished(winner=foe, reason=says))
        case DestroyThenExit(then=leave):
            if exited(state, terms.side) >= leave.need:
                says = f"{destroyed(state, terms)} destroyed, and {leave.need} got away."
                run.emit(Finished(winner=terms.side, reason=says))
            elif not can_reach(state, terms):
                says = "The raid can no longer succeed."
                run.emit(Finished(winner=foe, reason=says))


def _result(state: State, terms: Victory) -> Finished:
    """Who has won when the last player turn is over."""
    counted = state.counted.values if state.counted else {}
    winner: str | None
    match terms:
        case Tally(sides=(one, other)):
            more = _more(one, counted[one], other, counted[other])
            winner = more or terms.equal
            says = f"{terms.question}: {counted[one]} against {counted[other]}."
        case HoldRatio(side=side):
            foe = state.setup.enemy_of(side).id
            own, theirs = counted[side], counted[foe]
            winner = side if own and own >= terms.ratio * theirs else foe
            says = f"{terms.what.capitalize()} held: {own} against {theirs}."
        case Hold(side=side):
            held = counted[side]
            winner = side if held >= terms.need else state.setup.enemy_of(side).id
            says = f"{terms.what.capitalize()} held: {held}, needed: {terms.need}."
        case Clear(side=side, of=of):
            there = counted[of]
            winner = side if not there else of
            says = f"Within {inches(terms.within_in)} of the {terms.point}: {there}."
        case Survivors():
            one, other = (side.id for side in state.setup.sides)
            left = {side: survivors(state, terms, side) for side in (one, other)}
            winner = _more(one, left[one], other, left[other])
            says = f"Survivors: {left[one]} to {left[other]}."
        case Destroy(side=side, need=need):
            done = destroyed(state, terms)
            winner = side if done >= need else state.setup.enemy_of(side).id
            says = f"{done} destroyed, {need} needed."
        case Exit(side=side):
            done, need = exited(state, side), need_of(state, terms)
            winner = side if done >= need else state.setup.enemy_of(side).id
            says = f"{done} left the table, {need} needed."
        case _:
            winner, says = None, "Time is up."
    return Finished(winner=winner, reason=says)


def _better_off(state: State) -> str | None:
    """Who has won where both armies have broken: nobody, or (P85) who lost the smaller share."""
    if state.setup.rulings["P85"] == "draw":
        return None
    one, other = (side.id for side in state.setup.sides)
    ones, others = (
        state.loss.get(side, 0) * side_strength(state, foe)
        for side, foe in ((one, other), (other, one))
    )
    return _more(one, others, other, ones)


def _more(one: str, ones: int, other: str, others: int) -> str | None:
    if ones == others:
        return None
    return one if ones > others else other


def _check_break(run: Resolution) -> None:
    """End the battle if a side has lost what beats it ("The Basic Game", P2)."""
    state = run.state
    if state.outcome is not None or state.open_end:
        return
    limits = {side.id: break_at(state, side.id) for side in state.setup.sides if side.breaks}
    beaten = [
        side for side, at in limits.items() if at is not None and state.loss.get(side, 0) >= at
    ]
    if len(beaten) == len(state.setup.sides):
        run.emit(Finished(winner=_better_off(state), reason="Both armies have broken."))
    elif beaten:
        side = state.setup.side_by_id[beaten[0]]
        lost, whole = state.loss.get(side.id, 0), side_strength(state, side.id)
        says = (
            f"{side.name} broke: {lost} of {whole} lost, with a break point of {limits[side.id]}."
        )
        run.emit(Finished(winner=state.setup.enemy_of(side.id).id, reason=says))
