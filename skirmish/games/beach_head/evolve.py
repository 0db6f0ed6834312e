"""State after event. Each event says what it did; nothing here judges, refuses or draws."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from skirmish.games.beach_head import events as happened
from skirmish.games.beach_head.agenda import AnyTask
from skirmish.games.beach_head.events import AnyEvent
from skirmish.games.beach_head.state import Before, State
from skirmish.tabletop.chance import Draw


def evolve(state: State | None, event: AnyEvent) -> State:
    """The state after ``event``. Never fails on a journal that was decided, never draws."""
    if isinstance(event, happened.Opened):
        return opened(event)
    if state is None:
        raise ValueError("a game begins with its opening")
    return replace(state, **_FOLDS[type(event)](state, event))


def irreversible(events: Sequence[AnyEvent]) -> list[AnyEvent]:
    """What an entry leaves behind when it is struck: nothing. Alone at the table a player takes
    back the end of the line, never the midst of it."""
    del events
    return []


def opened(event: happened.Opened) -> State:
    """The state at the opening."""
    setup = event.setup
    points = setup.points()
    before = Before(points, 0)
    return State(
        setup=setup,
        defences=points,
        at_turn=before,
        at_phase=before,
        dice=setup.dice,
        deck=setup.cards,
    )


Changes = dict[str, Any]


def _begun(state: State, event: happened.Begun) -> Changes:
    return _entered(state, event.turn) | {
        "phase": event.phase,
        "agenda": event.then,
        "at_phase": Before(state.defences, state.squads),
        "repeats": False,
    }


def _skipped(state: State, event: happened.Skipped) -> Changes:
    return _entered(state, event.turn) | {"phase": event.phase, "agenda": (), "repeats": False}


def _entered(state: State, turn: int) -> Changes:
    if turn == state.turn:
        return {}
    return {
        "turn": turn,
        "at_turn": Before(state.defences, state.squads),
        "craft_hit_before": state.craft_hit,
        "craft_hit": 0,
    }


def _then(_: State, event: Any) -> Changes:
    then: tuple[AnyTask, ...] = event.then
    return {"agenda": then, "ask": None}


def _asked(_: State, event: happened.Asked) -> Changes:
    return {"ask": event.ask}


def _rolled(state: State, event: happened.Rolled) -> Changes:
    return {"roll": event.roll, "ask": None} | _threw(state, len(event.roll.faces), event.own)


def _shown(state: State, event: happened.Shown) -> Changes:
    assert state.roll is not None
    roll = replace(state.roll, faces=event.faces)
    return {"roll": roll, "ask": None} | _threw(state, len(event.faces), event.own)


def _threw(state: State, count: int, own: bool) -> Changes:
    if own:
        return {}
    return {"dice": replace(state.dice, rolls=state.dice.rolls + count)}


def _card_played(state: State, event: happened.CardPlayed) -> Changes:
    assert state.roll is not None
    played = event.played
    return (
        {"roll": replace(state.roll, cards=(*state.roll.cards, played)), "ask": None}
        | _out_of_hand(state, [played.card])
        | _threw(state, len(played.faces), event.own)
    )


def _repeats(state: State, event: happened.Repeats) -> Changes:
    return {"repeats": True} | _out_of_hand(state, [event.card])


def _draws_more(state: State, event: happened.DrawsMore) -> Changes:
    return {"agenda": event.then, "ask": None} | _out_of_hand(state, [event.card])


def _out_of_hand(state: State, cards: Sequence[Draw]) -> Changes:
    return {
        "hand": tuple(card for card in state.hand if card not in cards),
        "discard": (*state.discard, *cards),
    }


def _settled(_: State, event: happened.Settled) -> Changes:
    return {"roll": None, "agenda": event.then}


def _removed(state: State, event: happened.Removed) -> Changes:
    left = state.defences[event.target] - event.points
    return {"defences": state.defences | {event.target: left}}


def _dug(state: State, event: happened.Dug) -> Changes:
    return {
        "defences": state.defences | {event.target: state.defences[event.target] + event.points}
    }


def _squads_landed(state: State, event: happened.SquadsLanded) -> Changes:
    return {"squads": state.squads + event.squads}


def _tank_landed(state: State, event: happened.TankLanded) -> Changes:
    return {"tanks": (*state.tanks, event.kind)} if event.kind else {}


def _killed(state: State, event: happened.Killed) -> Changes:
    return {
        "squads": state.squads - event.squads,
        "casualties": state.casualties + event.scored,
    }


def _tank_lost(state: State, event: happened.TankLost) -> Changes:
    tanks = list(state.tanks)
    tanks.remove(event.kind)
    drawn = 0 if event.lot is None else 1
    return {
        "tanks": tuple(tanks),
        "tanks_lost": state.tanks_lost + 1,
        "agenda": event.then,
        "ask": None,
    } | _threw(state, drawn, event.own)


def _craft_hit(state: State, _: happened.CraftHit) -> Changes:
    return {"craft_hit": state.craft_hit + 1}


def _drew(state: State, event: happened.Drew) -> Changes:
    assert state.deck is not None
    return {"hand": (*state.hand, event.card), "deck": state.deck.drawn(event.card)}


def _shuffled(state: State, _: happened.Shuffled) -> Changes:
    assert state.deck is not None  # the hand is kept out of the shuffle
    return {"deck": replace(state.deck.shuffle(), gone=state.hand), "discard": ()}


def _discarded(state: State, event: happened.Discarded) -> Changes:
    return {"agenda": event.then, "ask": None} | _out_of_hand(state, event.cards)


def _won(_: State, __: happened.Won) -> Changes:
    return {"over": True, "agenda": (), "roll": None, "ask": None}


_FOLDS: dict[type, Any] = {
    happened.Begun: _begun,
    happened.Skipped: _skipped,
    happened.Passed: _then,
    happened.Aimed: _then,
    happened.Asked: _asked,
    happened.Rolled: _rolled,
    happened.Shown: _shown,
    happened.CardPlayed: _card_played,
    happened.Repeats: _repeats,
    happened.DrawsMore: _draws_more,
    happened.Settled: _settled,
    happened.Removed: _removed,
    happened.Dug: _dug,
    happened.SquadsLanded: _squads_landed,
    happened.TankLanded: _tank_landed,
    happened.Killed: _killed,
    happened.TankLost: _tank_lost,
    happened.CraftHit: _craft_hit,
    happened.Drew: _drew,
    happened.Shuffled: _shuffled,
    happened.Filled: _then,
    happened.Discarded: _discarded,
    happened.Won: _won,
}
