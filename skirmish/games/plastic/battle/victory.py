"""How a battle ends, and where it stands: the scenario's own terms at their own moment, the break
point, turn 30. The program ends it where its terms leave nothing open; players may always say
otherwise (``Finish``, ``PlayOn``)."""

from __future__ import annotations

from fractions import Fraction

from msgspec.structs import replace

from skirmish.games.plastic.battle.agenda import OutcomeAsk
from skirmish.games.plastic.battle.events import Asked, Finished
from skirmish.games.plastic.battle.rows import break_alarm, break_at, side_strength
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.victory_kinds import (
    CLEARLY,
    Leader,
    VictoryStatus,
    kind_of,
    more,
    people,
)
from skirmish.games.plastic.scenarios.victory_terms import DestroyThenExit, ExitTable, moment_of
from skirmish.tabletop.measure import NO_BREAK, inches

_FOOT = 12


def after_loss(state: State) -> Finished | None:
    if state.outcome is not None or state.open_end:
        return None
    at_once = state.setup.rulings["P74"] == "at_once"
    if at_once and (broken := _broken(state)):
        return broken
    return kind_of(state).reached()


def at_end_of_phase(state: State) -> Finished | None:
    if state.outcome is not None or state.open_end:
        return None
    return _broken(state) if state.setup.rulings["P74"] == "end_of_phase" else None


def still_over(state: State) -> bool:
    outcome, deadline = state.outcome, state.setup.ends_after
    if outcome is None or outcome.agreed:
        return outcome is not None
    if after_loss(replace(state, outcome=None, open_end=False)) is not None:
        return True
    now = state.clock.turn, state.clock.side
    late = deadline is not None and now == (deadline.turn, deadline.side)
    return late and state.setup.scenario is not None


def time_is_up(state: State) -> bool:
    """A draw comes after a whole game turn, whoever moves second in it."""
    deadline, clock = state.setup.ends_after, state.clock
    if deadline is None or state.open_end:
        return False
    last = state.second if deadline.draw else deadline.side
    return clock.turn > deadline.turn or (
        clock.turn == deadline.turn and last in (clock.side, state.first)
    )


def at_the_end(state: State) -> Finished | Asked | None:
    deadline, kind = state.setup.ends_after, kind_of(state)
    if deadline is None:
        return None
    if deadline.draw or state.setup.scenario is None:
        text = f"Turn {deadline.turn} has passed without a result."
        return Finished(winner=None, reason=text)
    if kind.counted_sides:  # anew, whatever was counted before the last phase
        return Asked(ask=OutcomeAsk(count=True))
    return kind.result()


def _broken(state: State) -> Finished | None:
    """The end, if a side has lost what beats it ("The Basic Game", P2)."""
    limits = {side.id: break_at(state, side.id) for side in state.setup.sides if side.breaks}
    losses = {side: state.loss.get(side, 0) for side in limits}
    beaten = [side for side, at in limits.items() if at is not None and losses[side] >= at]
    if len(beaten) == len(state.setup.sides):
        return Finished(winner=_better_off(state), reason="Both armies have broken.")
    if not beaten:
        return None
    side = state.setup.side_by_id[beaten[0]]
    lost, whole = losses[side.id], side_strength(state, side.id)
    text = f"{side.name} broke: {lost} of {whole} lost, with a break point of {limits[side.id]}."
    return Finished(winner=state.setup.enemy_of(side.id).id, reason=text)


def _better_off(state: State) -> str | None:
    """Who has won where both armies have broken: nobody, or (P85) who lost the smaller share."""
    if state.setup.rulings["P85"] == "draw":
        return None
    chances = {}  # the other's loss, times its own strength
    for side in (one.id for one in state.setup.sides):
        foe = state.setup.enemy_of(side).id
        chances[side] = state.loss.get(foe, 0) * side_strength(state, side)
    return more(chances)


def way_out(setup: Setup, side: str) -> str:
    """``by the E edge, within 6 in of the road``; empty where leaving wins this side nothing."""
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
    others = {side.id for side in state.setup.sides} - {one.side for one in own}
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
    """Who has come clearly further by the terms, or else by losses."""
    if (found := kind_of(state).leader()) is not None:
        return found
    gone, lost = {}, []
    for side in (one.id for one in state.setup.sides):
        at, loss = break_alarm(state, side), state.loss.get(side, 0)
        gone[side] = Fraction(loss, at) if at else Fraction(0)
        lost.append(f"{loss} of {side_strength(state, side)}")
    first, second = gone
    text = f"{people(state, first)} lost {lost[0]}, {people(state, second)} {lost[1]}"
    if abs(gone[first] - gone[second]) < CLEARLY:
        return Leader(None, text)
    return Leader(first if gone[first] < gone[second] else second, text)
