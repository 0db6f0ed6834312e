"""Who is ahead, and by what: one line for a list of battles.

Each side is on its way to what decides the battle: so much off the table, so many destroyed, the
enemy's break point. How far each has come is a fraction; who has come clearly further is ahead.
Nothing is foretold: only what the journal holds is compared.
"""

from __future__ import annotations

from fractions import Fraction

import msgspec

from skirmish.games.plastic.battle.scoring import (
    can_reach,
    destroyed,
    exited,
    need_of,
    reach,
    survivors,
    vehicles_lost,
)
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.strength import break_alarm, side_strength
from skirmish.games.plastic.scenarios.victory_terms import (
    Clear,
    Destroy,
    DestroyThenExit,
    Exit,
    Hold,
    HoldRatio,
    Survivors,
    Tally,
    moment_of,
)

CLEARLY = Fraction(1, 10)
"""Of the whole way: less than that between two sides is even."""

LONGEST = 16
"""Letters of a side's name: players may name armies at length, and a list has one line."""


class Lead(msgspec.Struct, frozen=True):
    """Which side is ahead (None: neither, or nobody can tell), and the figures that say so."""

    side: str | None
    says: str


def headline(state: State) -> str:
    """Where the battle stands, for a list of battles: ``Turn 4 of 11 · Poles ahead: Germans can
    still exit 26, need 20``."""
    if state.outcome:
        winner = state.outcome.winner
        return f"Winner: {_people(state, winner)}" if winner else "A draw"
    turn, last = state.clock.turn, last_turn(state)
    now = f"Turn {turn}" if last is None or turn > last else f"Turn {turn} of {last}"
    ahead = lead(state)
    stands = f"{_people(state, ahead.side)} ahead" if ahead.side else "even"
    return f"{now} · {stands}: {ahead.says}"


def last_turn(state: State) -> int | None:
    """The turn after which the battle is decided, or None where no clock is set."""
    deadline, scenario = state.setup.ends_after, state.setup.scenario
    if deadline is not None:
        return deadline.turn
    moment = moment_of(scenario.victory) if scenario else None
    return moment.turn if moment else None


def lead(state: State) -> Lead:
    """Who is ahead by the terms of the battle, or where these cannot be told yet by losses."""
    scenario = state.setup.scenario
    match scenario.victory if scenario else None:
        case Exit() as terms:
            return _exit(state, terms)
        case Destroy() as terms:
            return _destroy(state, terms)
        case DestroyThenExit() as terms:
            return _destroy_then_exit(state, terms)
        case Survivors() as terms:
            left = {side.id: survivors(state, terms, side.id) for side in state.setup.sides}
            says = ", ".join(f"{_people(state, side)} {n}" for side, n in left.items())
            return Lead(_more(left), f"{says} left")
        case Hold() | HoldRatio() | Clear() | Tally() as terms if state.counted is not None:
            return _counted(state, terms)
    return _losses(state)


def _exit(state: State, terms: Exit) -> Lead:
    has, need, most = exited(state, terms.side), need_of(state, terms), reach(state, terms)
    whole = max(most, reach(msgspec.structs.replace(state, lost={}, exited={}), terms))
    done, denied = Fraction(has, need), Fraction(whole - most, max(whole - need, 0) + 1)
    off = f" have {has} off," if has else ""
    says = f"{_people(state, terms.side)}{off} can still exit {most - has}, need {need}"
    return Lead(_further(state, terms.side, done, denied, most >= need), says)


def _destroy(state: State, terms: Destroy) -> Lead:
    has = destroyed(state, terms)
    denied = Fraction(state.clock.turn - 1, max(terms.by.turn, 1))
    says = f"{_people(state, terms.side)} destroyed {has} of {terms.need}"
    if terms.may_lose:
        lost, most = vehicles_lost(state, terms.side), terms.may_lose.at_most
        denied = max(denied, Fraction(lost, most + 1))
        says += f", lost {lost} vehicles, may lose {most}"
    done = Fraction(has, terms.need)
    return Lead(_further(state, terms.side, done, denied, can_reach(state, terms)), says)


def _destroy_then_exit(state: State, terms: DestroyThenExit) -> Lead:
    has, gone = destroyed(state, terms), exited(state, terms.side)
    own = [p for p in state.pieces() if p.side == terms.side and p.unit == terms.then.unit]
    lost = sum(piece.id in state.lost for piece in own)
    done = Fraction(has + gone, terms.need + terms.then.need)
    denied = Fraction(lost, max(len(own) - terms.then.need, 0) + 1)
    people = _people(state, terms.side)
    says = f"{people} destroyed {has} of {terms.need}, {gone} of {terms.then.need} off the table"
    return Lead(_further(state, terms.side, done, denied, can_reach(state, terms)), says)


def _counted(state: State, terms: Hold | HoldRatio | Clear | Tally) -> Lead:
    """By what the players counted last."""
    tally = state.counted
    assert tally is not None
    says = ", ".join(f"{_people(state, side)} {n}" for side, n in tally.values.items())
    says += f" {_what(terms)} in turn {tally.clock.turn}"
    match terms:
        case Tally(equal=equal):
            return Lead(_more(tally.values) or equal, says)
        case Clear(side=side, of=of):
            good = not tally.values.get(of, 0)
        case HoldRatio(side=side, ratio=ratio):
            own = tally.values.get(side, 0)
            good = own >= max(1, ratio * tally.values.get(state.setup.enemy_of(side).id, 0))
        case Hold(side=side, need=need):
            good = tally.values.get(side, 0) >= need
    return Lead(side if good else state.setup.enemy_of(side).id, says)


def _what(terms: Hold | HoldRatio | Clear | Tally) -> str:
    """What was counted, as it follows the numbers."""
    match terms:
        case Tally(question=question):
            return question[:1].lower() + question[1:]
        case Clear(point=point):
            return f"at the {point}"
    return terms.what


def _losses(state: State) -> Lead:
    """By the part of the way to its break point that each has gone."""
    gone = {}
    for side in state.setup.sides:
        at = break_alarm(state, side.id)
        gone[side.id] = Fraction(state.loss.get(side.id, 0), at) if at else Fraction(0)
    first, second = gone
    one, other = (f"{state.loss.get(side, 0)} of {side_strength(state, side)}" for side in gone)
    says = f"{_people(state, first)} lost {one}, {_people(state, second)} {other}"
    if abs(gone[first] - gone[second]) < CLEARLY:
        return Lead(None, says)
    return Lead(first if gone[first] < gone[second] else second, says)


def _further(
    state: State, side: str, done: Fraction, denied: Fraction, possible: bool
) -> str | None:
    """The side, its enemy, or neither: by how much of the terms is met and how much denied."""
    foe = state.setup.enemy_of(side).id
    if done >= 1:
        return side
    if not possible:
        return foe
    if abs(done - denied) < CLEARLY:
        return None
    return side if done > denied else foe


def _more(values: dict[str, int]) -> str | None:
    most = max(values.values())
    leaders = [side for side, number in values.items() if number == most]
    return leaders[0] if len(leaders) == 1 else None


def _people(state: State, side: str) -> str:
    people = state.setup.side_by_id[side].people
    return people if len(people) <= LONGEST else f"{people[: LONGEST - 1]}…"
