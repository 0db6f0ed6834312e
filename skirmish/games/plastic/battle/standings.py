"""The running line of each side: what it needs, what it has, what it can still reach."""

from __future__ import annotations

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
from skirmish.games.plastic.battle.strength import break_alarm, break_at, side_strength
from skirmish.games.plastic.rules.catalog import plural
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
    moment_of,
)


class Standing(msgspec.Struct, frozen=True):
    """Where a side stands by its terms, and by its break point where that is played; and whether
    it can still win by its own terms."""

    side: str
    terms: str
    can_win: bool = True
    breaks: str = ""

    @property
    def says(self) -> str:
        """Both."""
        return "; ".join(part for part in (self.terms, self.breaks) if part)


def standings(state: State) -> tuple[Standing, ...]:
    """The running line of each side. A side without terms of its own wins if the other fails; where
    the break point is played, each line ends with it."""
    scenario, sides = state.setup.scenario, state.setup.sides
    if scenario is None:
        return tuple(_unbroken(state, side.id) for side in sides)
    own = _by_terms(state, scenario.victory)
    missing = [side.id for side in sides if side.id not in {one.side for one in own}]
    lines = [*own, *(Standing(side, _against(state, scenario.victory)) for side in missing)]
    return tuple(_with_break_point(state, line) for line in lines)


def _by_terms(state: State, terms: Victory) -> list[Standing]:
    """The lines of the sides that the terms name."""
    by = _by(state)
    match terms:
        case Exit(side=side):
            has, need, most = exited(state, side), need_of(state, terms), reach(state, terms)
            says = f"need {need} off the table{by}: have {has}, can reach {most}"
            return [Standing(side, f"{says}, may lose {max(most - need, 0)}", most >= need)]
        case Destroy(side=side):
            foe = state.setup.unit(terms.unit).named(terms.need)
            says = f"need {foe} destroyed{by}: have {destroyed(state, terms)}"
            if terms.may_lose:
                lost = vehicles_lost(state, side)
                says += f"; {lost} {terms.may_lose.what} lost, {terms.may_lose.at_most} allowed"
            return [Standing(side, says, can_reach(state, terms))]
        case DestroyThenExit(side=side):
            foe = state.setup.unit(terms.unit).named(terms.need)
            own = state.setup.unit(terms.then.unit).named(terms.then.need)
            says = (
                f"need {foe} destroyed: have {destroyed(state, terms)}; "
                f"then {own} off the table: have {exited(state, side)}"
            )
            return [Standing(side, says, can_reach(state, terms))]
        case Survivors():
            units = " and ".join(plural(state.setup.unit(unit).name) for unit in terms.units)
            left = {one.id: survivors(state, terms, one.id) for one in state.setup.sides}
            return [
                Standing(side, f"need more {units} left{by}: have {own}", own > 0)
                for side, own in left.items()
            ]
        case Hold(side=side):
            says = f"need {terms.need} {terms.what}{by}{_last(state, side)}"
            lasts = terms.how == "solely_or_last"  # the dead may have been the last to enter
            return [Standing(side, says, lasts or _has_guys(state, side))]
        case HoldRatio(side=side):
            times = "twice" if terms.ratio == 2 else f"{terms.ratio} times"
            says = f"need {times} as many {terms.what}{by}{_both(state)}"
            return [Standing(side, says, _has_guys(state, side))]
        case Clear(side=side, of=of):
            foe = state.setup.the(of)
            return [Standing(side, f"need the {terms.point} clear of {foe}{by}{_last(state, of)}")]
        case Tally(sides=sides):
            what = terms.question[:1].lower() + terms.question[1:]
            return [
                Standing(
                    side,
                    f"need {'as many' if side == terms.equal else 'more'} {what}{by}"
                    f"{_last(state, side)}",
                    side == terms.equal or _has_guys(state, side),
                )
                for side in sides
            ]
    return []


def _against(state: State, terms: Victory) -> str:
    """What the side without terms of its own plays for."""
    foe = state.setup.the(getattr(terms, "side", state.second))
    moment = moment_of(terms)
    if moment is None:
        return f"win once {foe} can no longer succeed"
    left = moment.turn - state.clock.turn + 1
    turns = f"{left} turn{'' if left == 1 else 's'} left" if left > 0 else "time is up"
    return f"win if {foe} fail; {turns}"


def _with_break_point(state: State, line: Standing) -> Standing:
    at = break_at(state, line.side)
    if at is None:
        return line
    lost = state.loss.get(line.side, 0)
    breaks = f"break at {at} lost, {lost} so far"
    return msgspec.structs.replace(line, breaks=breaks)


def _unbroken(state: State, side: str) -> Standing:
    lost, at, whole = state.loss.get(side, 0), break_alarm(state, side), side_strength(state, side)
    if not whole:  # an army that counts for nothing cannot break
        return Standing(side, "have no units that count, so they cannot break")
    return Standing(side, "", lost < at, f"break at {at} lost: {lost} of {whole} so far")


def _has_guys(state: State, side: str) -> bool:
    """Whether a side has anybody left, here or still to come, who can occupy a place."""
    return any(
        piece.side == side
        and state.is_up(piece.id)
        and state.setup.unit(state.unit_of(piece.id)).is_guy
        for piece in state.pieces()
    )


def _by(state: State) -> str:
    scenario = state.setup.scenario
    moment = moment_of(scenario.victory) if scenario else None
    if moment is None:
        return ""
    nation = state.setup.catalog.nations[moment.side].name
    return f" by the end of {nation} turn {moment.turn}"


def _both(state: State) -> str:
    tally = state.counted
    if tally is None:
        return ": not counted yet"
    told = ", ".join(f"{side.people} {tally.values.get(side.id, 0)}" for side in state.setup.sides)
    return f": {told} when last counted, turn {tally.clock.turn}"


def _last(state: State, side: str) -> str:
    tally = state.counted
    if tally is None:
        return ": not counted yet"
    return f": {tally.values.get(side, 0)} when last counted, turn {tally.clock.turn}"
