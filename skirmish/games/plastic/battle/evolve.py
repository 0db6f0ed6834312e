"""State after event. Each event says what it did; nothing here judges, refuses or draws."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from typing import Any

from msgspec.structs import replace

from skirmish.games.plastic.battle import events as happened
from skirmish.games.plastic.battle.events import AnyEvent, Clock
from skirmish.games.plastic.battle.names import piece_side, weapon_slot, weapon_use
from skirmish.games.plastic.battle.orders import Level
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.state import Outcome, State, Tally, window
from skirmish.games.plastic.battle.strength import worth_of
from skirmish.games.plastic.scenarios.happening_kinds import NeedsService


def evolve(state: State | None, event: AnyEvent) -> State:
    """The state after ``event``. Never fails on a journal that was decided, never draws."""
    if isinstance(event, happened.Opened):
        return opened(event)
    if state is None:
        raise ValueError("a battle begins with its opening")
    event = _of_the_known(state, event)
    return replace(state, **_FOLDS[type(event)](state, event))


def _of_the_known(state: State, event: AnyEvent) -> AnyEvent:
    """The event less the pieces that the battle does not know: what added them was made void."""
    knows = state.knows
    match event:
        case happened.Lost(piece=piece) if not knows(piece):
            return happened.Noted(text="") if event.then is None else happened.Held(then=event.then)
        case happened.Turned(piece=piece) | happened.Disarmed(piece=piece) if not knows(piece):
            return happened.Noted(text="")
        case happened.Loaded(carrier=carrier, riders=riders):
            return replace(event, riders=tuple(filter(knows, riders)) if knows(carrier) else ())
        case happened.Exited(pieces=pieces) if not all(map(knows, pieces)):
            there = [*map(knows, pieces)]
            worths = tuple(compress(event.worths, there))
            return replace(
                event,
                pieces=tuple(compress(pieces, there)),
                values=tuple(compress(event.values, there)),
                worths=worths,
                worth=sum(worths) if event.worths else event.worth,
            )
    return event


_REMAINING = happened.Shuffled | happened.Toggled | happened.Spent | happened.Reread


def remains(events: Sequence[AnyEvent]) -> list[AnyEvent]:
    """What an entry leaves behind when it is struck: its draws are gone from the deck, a shuffle
    has happened, a misread card is another, and what a drawn card began or ended (dust) has begun
    or ended."""
    kept: list[AnyEvent] = []
    for event in events:
        if isinstance(event, happened.Drawn):
            kept.append(happened.Spent(source=event.source, draw=event.draw))
        elif isinstance(event, _REMAINING):
            kept.append(event)
    return kept


def opened(event: happened.Opened) -> State:
    """The state at the opening."""
    setup = event.setup
    late = {group.id for group in setup.contingents if group.enters > 1}
    return State(
        setup=setup,
        clock=Clock(1, setup.sides[0].id, 1),
        first=setup.sides[0].id,
        levels=_levels(setup),
        sources={side.id: side.source for side in setup.sides},
        options=setup.options,
        quality={side.id: side.quality for side in setup.sides},
        waiting=frozenset(piece.id for piece in setup.pieces if piece.contingent in late),
        hidden=frozenset(setup.hidden),
        unserved=_unserved(setup),
        aboard=dict(setup.aboard),
        recorded=frozenset(setup.aboard.values()),
        works={side.id: dict(side.works) for side in setup.sides},
        agenda=event.then,
    )


def _levels(setup: Setup) -> dict[str, Level]:
    """How each side uses the program; who draw from one deck (P23) use it alike."""
    first = setup.sides[0].level
    shared = setup.rulings["P23"] != "own_decks"
    return {side.id: first if shared else side.level for side in setup.sides}


def _unserved(setup: Setup) -> frozenset[str]:
    if setup.scenario is None:
        return frozenset()
    needs = [kind for kind in setup.scenario.happenings if isinstance(kind, NeedsService)]
    return frozenset(
        piece.id
        for piece in setup.pieces
        for kind in needs
        if piece.side == kind.side and piece.unit in kind.units
    )


# ------------------------------------------------------------------ the folds, by kind of event

Changes = dict[str, Any]


def _aimed(state: State, event: happened.Aimed) -> Changes:
    used = weapon_use(window(state.clock.phase), event.shot.piece, event.shot.slot)
    return {
        "agenda": event.then,
        "fired": state.fired | {used},
        "shots": event.shot.id,
        "ask": None,
        "verdict": None,
        "checked": None,
        "ceased": None,
    }


def _drawn(state: State, event: happened.Drawn) -> Changes:
    hand = state.hand[1:]
    return {**_spent(state, event), "ask": None, "hand": hand}


def _spent(state: State, event: happened.Drawn | happened.Spent) -> Changes:
    source = state.sources[event.source]
    for _ in range(getattr(event, "times", 1)):
        source = source.drawn(event.draw)
    return {"sources": {**state.sources, event.source: source}}


def _reread(state: State, event: happened.Reread) -> Changes:
    source = state.sources[event.source].reread(event.was, event.draw)
    return {"sources": {**state.sources, event.source: source}}


def _shuffled(state: State, event: happened.Shuffled) -> Changes:
    source = state.sources[event.source].shuffle(event.aside)
    return {"sources": {**state.sources, event.source: source}}


def _judged(state: State, event: happened.Judged) -> Changes:
    judged = (*state.judged, event) if state.knows(event.shot.piece) else state.judged
    return {"agenda": event.then, "verdict": event, "judged": judged}


def _recalled(state: State, event: happened.Recalled) -> Changes:
    changes: Changes = {"agenda": event.then, "ask": None, "outcome": None}
    for piece in event.back:
        changes |= _stood(replace(state, **changes), happened.Stood(piece=piece))
    if shot := event.mended:
        changes["turned"] = {p: unit for p, unit in state.turned.items() if p != shot.piece}
        changes["disarmed"] = state.disarmed - {weapon_slot(shot.piece, shot.slot)}
    gone = {event.shot, *event.chain}
    kept = tuple(judged for judged in state.judged if judged.shot.id not in gone)
    counts = tuple(counted for counted in state.counts if counted.shot.id != event.shot)
    return {**changes, "judged": kept, "counts": counts}


def _hits_counted(state: State, event: happened.HitsCounted) -> Changes:
    phase = window(state.clock.phase)
    return {
        "agenda": event.then,
        "ask": None,
        "verdict": None,
        "fired": state.fired | {weapon_use(phase, one, event.shot.slot) for one in event.pieces},
        "shots": max(state.shots, event.shot.id - 1 + event.draws),
        "counts": (*state.counts, *([event] if all(map(state.knows, event.pieces)) else [])),
    }


def _lost(state: State, event: happened.Lost) -> Changes:
    side, state = piece_side(event.piece), _as_if_here(state, (event.piece,))
    changes: Changes = {
        "exited": state.exited,
        "charged": state.charged,
        "lost": {**state.lost, event.piece: event.credit},
        "loss": {**state.loss, side: state.loss.get(side, 0) + event.worth},
        "worth_lost": {**state.worth_lost, event.piece: event.worth},
    }
    if event.piece in state.aboard and not event.aboard:
        changes["aboard"] = {r: c for r, c in state.aboard.items() if r != event.piece}
    if event.then is not None:
        changes |= {"agenda": event.then, "ask": None}
    return changes


def _as_if_here(state: State, pieces: Sequence[str]) -> State:
    """Before somebody goes: he is on the table, even if the line that brought him back is void.
    So nobody is counted twice, or both lost and gone."""
    for piece in pieces:
        if not state.is_up(piece):
            state = replace(state, **_stood(state, happened.Stood(piece=piece)))
    return state


def _stood(state: State, event: happened.Stood) -> Changes:
    piece, side = event.piece, piece_side(event.piece)
    foe = state.setup.enemy_of(side).id
    loss = {**state.loss, side: state.loss.get(side, 0) - state.worth_lost.get(piece, 0)}
    if piece in state.charged:
        loss[foe] = loss.get(foe, 0) - state.charged[piece]
    return {
        "lost": {p: credit for p, credit in state.lost.items() if p != piece},
        "exited": {p: value for p, value in state.exited.items() if p != piece},
        "loss": loss,
        "worth_lost": {p: w for p, w in state.worth_lost.items() if p != piece},
        "charged": {p: w for p, w in state.charged.items() if p != piece},
    }


def _exited(state: State, event: happened.Exited) -> Changes:
    pieces = event.pieces
    state = _as_if_here(state, pieces)
    nothing_more = (0,) * (len(pieces) - 1)  # entries of old give only what all count for
    values = event.values or (event.value, *nothing_more)
    changes: Changes = {
        "exited": {**state.exited, **dict(zip(pieces, values, strict=False))},
        "lost": state.lost,
        "worth_lost": state.worth_lost,
        "loss": state.loss,
        "charged": state.charged,
    }
    if event.against is not None:
        worths = event.worths or (event.worth, *nothing_more)
        before = state.loss.get(event.against, 0)
        changes["loss"] = {**state.loss, event.against: before + event.worth}
        changes["charged"] = {**state.charged, **dict(zip(pieces, worths, strict=False))}
    return changes


def _loaded(state: State, event: happened.Loaded) -> Changes:
    return {
        "aboard": {**state.aboard, **dict.fromkeys(event.riders, event.carrier)},
        "recorded": state.recorded | {event.carrier},
    }


def _unloaded(state: State, event: happened.Unloaded) -> Changes:
    return {
        "aboard": {r: c for r, c in state.aboard.items() if r not in event.riders},
        "recorded": state.recorded | {event.carrier},
    }


def _checked(state: State, event: happened.Checked) -> Changes:
    changes: Changes = {"agenda": event.then, "checked": event, "ask": None}
    works = state.works.get(event.side, {})
    if event.check == "command" and event.result:
        changes["movement_over"] = True
    elif event.check == "pin" and event.result and event.row and state.clock.phase == 1:
        changes["pinned"] = {**state.pinned, event.row: state.pinned.get(event.row, 0) + 1}
    elif event.check == "entrench" and event.result:
        dug = {**works, "entrenchment": works.get("entrenchment", 0) + 1}
        changes["works"] = {**state.works, event.side: dug}
    elif event.check == "wire" and event.result:
        whose = event.of or state.setup.enemy_of(event.side).id
        theirs = state.works.get(whose, {})
        cut = {**theirs, "barbed_wire": max(theirs.get("barbed_wire", 0) - 1, 0)}
        changes["works"] = {**state.works, whose: cut}
        changes["cleared_now"] = state.cleared_now + 1
    return changes


def _lot_cast(state: State, event: happened.LotCast) -> Changes:
    changes: Changes = {"agenda": event.then, "ask": None}
    if event.lot == "side" and event.first is not None:
        changes |= {"first": event.first, "clock": Clock(1, event.first, 1)}
    return changes


def _turned_over(state: State, clock: Clock) -> Changes:
    """A player turn begins: whoever had fired may fire again."""
    return {
        "clock": clock,
        "ask": None,
        "agenda": (),
        "hand": (),
        "fired": frozenset(),
        "judged": (),
        "counts": (),
        "served_now": 0,
        "cleared_now": 0,
        "movement_over": False,
        "pinned": {},
        "verdict": None,
        "checked": None,
        "ceased": None,
    }


def _turn_ended(state: State, event: happened.TurnEnded) -> Changes:
    return {**_turned_over(state, _read(state, event.clock)), "agenda": event.then}


def _phase_ended(state: State, event: happened.PhaseEnded) -> Changes:
    return {
        "clock": _read(state, event.clock),
        "ask": None,
        "agenda": (),
        "hand": (),
        "pinned": {},
        "verdict": None,
        "checked": None,
        "ceased": None,
    }


def _clock_set(state: State, event: happened.ClockSet) -> Changes:
    now, then = _read(state, event.clock), state.clock
    if (now.turn, now.side) == (then.turn, then.side):
        pinned = state.pinned if now.phase == 1 else {}
        changes = {"clock": now, "ask": None, "agenda": (), "hand": (), "verdict": None}
        return {**changes, "pinned": pinned}
    return _turned_over(state, now)


def _read(state: State, clock: happened.Clock) -> happened.Clock:
    """A clock of this battle; raises KeyError for a side that is none of it."""
    _ = state.setup.side_by_id[clock.side]
    return clock


def _commanded(state: State, event: happened.Commanded) -> Changes:
    sides = state.setup.sides
    named = [replace(s, player=event.player) if s.id == event.side else s for s in sides]
    return {"setup": replace(state.setup, sides=tuple(named))}


def _switched(state: State, event: happened.Switched) -> Changes:
    """With nations' traits on or off, what was lost before counts as it would now."""
    options = replace(state.options, **{event.option: event.on})
    now = replace(state, options=options)
    worth = {piece: worth_of(now, piece) for piece in state.lost}
    loss = dict(state.loss)
    for piece, count in worth.items():
        side = piece_side(piece)
        loss[side] = loss.get(side, 0) + count - state.worth_lost.get(piece, 0)
    return {"options": options, "worth_lost": worth, "loss": loss}


def _finished(state: State, event: happened.Finished) -> Changes:
    outcome = Outcome(event.winner, event.reason, event.agreed)
    left = () if event.agreed else state.agenda
    return {"outcome": outcome, "ask": None, "agenda": (), "left": left, "hand": ()}


_FOLDS: dict[type, Any] = {
    happened.Aimed: _aimed,
    happened.Volleyed: lambda s, e: {
        "agenda": e.then,
        "ask": None,
        "verdict": None,
        "checked": None,
    },
    happened.HitsCounted: _hits_counted,
    happened.Ceased: lambda s, e: {"agenda": e.then, "ceased": e},
    happened.Asked: lambda s, e: {"ask": e.ask},
    happened.Laid: lambda s, e: {"hand": e.draws, "hand_of": e.source, "ask": None},
    happened.Unread: lambda s, e: {"hand": ()},
    happened.Shuffled: _shuffled,
    happened.Drawn: _drawn,
    happened.Reread: _reread,
    happened.Spent: _spent,
    happened.Judged: _judged,
    happened.Tested: lambda s, e: {"agenda": e.then, "verdict": e},
    happened.Held: lambda s, e: {"ask": None, "agenda": e.then},
    happened.Recalled: _recalled,
    happened.Lost: _lost,
    happened.Stood: _stood,
    happened.Added: lambda s, e: {"added": {**s.added, **{p.id: p for p in e.pieces}}},
    happened.Turned: lambda s, e: {"turned": {**s.turned, e.piece: e.unit}},
    happened.Disarmed: lambda s, e: {"disarmed": s.disarmed | {weapon_slot(e.piece, e.slot)}},
    happened.Loaded: _loaded,
    happened.Unloaded: _unloaded,
    happened.Exited: _exited,
    happened.Entered: lambda s, e: {"waiting": s.waiting - set(e.pieces)},
    happened.Served: lambda s, e: {
        "unserved": s.unserved - set(e.pieces),
        "served_now": s.served_now + len(e.pieces),
    },
    happened.Revealed: lambda s, e: {"hidden": s.hidden - set(e.pieces)},
    happened.Checked: _checked,
    happened.PinMarked: lambda s, e: {"pinned": {**s.pinned, e.row: e.pins}},
    happened.Tabled: lambda s, e: {"agenda": e.then, "ask": None},
    happened.Toggled: lambda s, e: {
        "toggled": s.toggled | {e.name} if e.on else s.toggled - {e.name}
    },
    happened.LotCast: _lot_cast,
    happened.Counted: lambda s, e: {"counted": Tally(e.values, e.clock)},
    happened.Noted: lambda s, e: {},
    happened.Overruled: lambda s, e: {},
    happened.Sealed: lambda s, e: {"sealed": {**s.sealed, e.side: e.envelope}},
    happened.Unsealed: lambda s, e: {"sealed": {k: v for k, v in s.sealed.items() if k != e.side}},
    happened.PhaseEnded: _phase_ended,
    happened.TurnEnded: _turn_ended,
    happened.ClockSet: _clock_set,
    happened.LevelSet: lambda s, e: {
        "levels": {**s.levels, e.side: e.level},
        "sources": {**s.sources, e.side: e.source},
    },
    happened.Commanded: _commanded,
    happened.Switched: _switched,
    happened.QualitySet: lambda s, e: {
        "quality": {**s.quality, e.side: e.quality},
        "movement_over": s.movement_over and e.quality is not None,
    },
    happened.Finished: _finished,
    happened.PlayedOn: lambda s, e: {
        "outcome": None,
        "open_end": s.open_end or not e.anew,
        "agenda": e.then,
        "left": (),
    },
}
"""How each kind of event changes the state. A kind that is missing here fails every test."""
