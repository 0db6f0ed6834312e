"""Who may see what: a battle through the eyes of a side, or of somebody who only looks on.

Whoever is placed in secret is not there for others until he is shown: no piece, no count, no loss
and no part of a strength tells of him. What is sealed is only known to be sealed, for everybody,
and from no deck or die can it be worked out what comes. Screens show what is given here and so have
nothing to hide.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle.events import Judged, Tested
from skirmish.games.plastic.battle.names import piece_side, slot_piece, use_piece
from skirmish.games.plastic.battle.record import BattleEntry, BattlePlay
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.standings import Standing, standings
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.view_journal import (
    Blinds,
    secrets_after,
    seen_ask,
    seen_entry,
    seen_source,
)

SEALED = ""
"""What stands in an envelope for those who look on: nothing, not even for its own side."""


def view(state: State, side: str | None) -> State:
    """The state as ``side`` may see it; None is anybody who looks on. It is for looking at: what is
    still to be resolved is left out, so that no order can be decided on it."""
    secret = secret_to(side, state)
    setup = _setup_seen(state.setup, secret)
    blinds = Blinds.of(state.setup, secret)
    return replace(
        state,
        setup=setup,
        sources={name: seen_source(source) for name, source in state.sources.items()},
        sealed=dict.fromkeys(state.sealed, SEALED),
        agenda=(),
        **(_without(state, blinds) if secret else {}),
    )


def seen(play: BattlePlay, side: str | None) -> BattlePlay:
    """The whole battle as ``side`` may see it, with a journal that names nobody who was hidden when
    a line was written or is so now. Where anybody hides, what was taken back is left with its draws
    only."""
    setup = play.state.setup
    at_first = frozenset(piece for piece in setup.hidden if piece_side(piece) != side)
    after = secrets_after(play, at_first) if at_first else {}
    opening = _setup_seen(setup, secret_to(side, play.state))
    blinds = {secret: Blinds.of(setup, secret) for secret in {frozenset(), *after.values()}}
    taken_back = None if at_first else blinds[frozenset()]

    def entry_seen(entry: BattleEntry) -> BattleEntry:
        secret = after.get(entry.number)
        return seen_entry(entry, taken_back if secret is None else blinds[secret], opening)

    return play.shown(lambda state: view(state, side), entry_seen)


def outlook(state: State, side: str | None) -> tuple[Standing, ...]:
    """The running line of each side as ``side`` may see it. That a side can no longer win is said
    only where it is so, those whom nobody sees included."""
    known = {standing.side: standing.can_win for standing in standings(state)}
    return tuple(
        replace(standing, can_win=known.get(standing.side, True))
        for standing in standings(view(state, side))
    )


def secret_to(side: str | None, state: State) -> frozenset[str]:
    """The pieces that ``side`` may not know of now."""
    return frozenset(piece for piece in state.hidden if piece_side(piece) != side)


# ------------------------------------------------------------------ the opening


class _Remembered(msgspec.Struct, frozen=True):
    setup: Setup
    secret: frozenset[str]
    seen: Setup


_RECENT: list[_Remembered] = []
"""The last openings that were made, so that all states of a battle share one and its lists."""
REMEMBERED = 8


def _setup_seen(setup: Setup, secret: frozenset[str]) -> Setup:
    for known in _RECENT:
        if known.setup is setup and known.secret == secret:
            return known.seen
    made = replace(
        setup,
        sides=tuple(replace(side, source=seen_source(side.source)) for side in setup.sides),
        pieces=tuple(piece for piece in setup.pieces if piece.id not in secret),
        hidden=tuple(piece for piece in setup.hidden if piece not in secret),
        aboard={r: c for r, c in setup.aboard.items() if not {r, c} & secret},
    )
    vars(made)["letters"] = setup.letters  # rows are called as the players call them
    _RECENT[:] = [*_RECENT[1 - REMEMBERED :], _Remembered(setup, secret, made)]
    return made


# ------------------------------------------------------------------ the state


def _without(state: State, blinds: Blinds) -> dict[str, object]:
    """What changes in a state where some are secret."""
    secret = blinds.secret
    loss = dict(state.loss)
    for piece, worth in state.worth_lost.items():
        if piece in secret:
            loss[piece_side(piece)] = loss.get(piece_side(piece), 0) - worth
    for piece, worth in state.charged.items():
        if piece in secret:
            foe = state.setup.enemy_of(piece_side(piece)).id
            loss[foe] = loss.get(foe, 0) - worth
    return {
        "lost": {
            piece: None if credit and credit.piece in secret else credit
            for piece, credit in state.lost.items()
            if piece not in secret
        },
        "loss": loss,
        "worth_lost": _others(state.worth_lost, secret),
        "exited": _others(state.exited, secret),
        "charged": _others(state.charged, secret),
        "turned": _others(state.turned, secret),
        "disarmed": frozenset(s for s in state.disarmed if slot_piece(s) not in secret),
        "waiting": state.waiting - secret,
        "hidden": state.hidden - secret,
        "unserved": state.unserved - secret,
        "aboard": {r: c for r, c in state.aboard.items() if not {r, c} & secret},
        "recorded": state.recorded - secret,
        "fired": frozenset(use for use in state.fired if use_piece(use) not in secret),
        "pinned": _others(state.pinned, blinds.rows),
        "judged": tuple(
            replace(judged, then=()) for judged in state.judged if not blinds.hide(judged.shot)
        ),
        "counts": tuple(
            replace(counted, pieces=tuple(p for p in counted.pieces if p not in secret), then=())
            for counted in state.counts
            if not blinds.hide(counted.shot)
        ),
        "checked": state.checked and replace(state.checked, then=()),
        "ceased": state.ceased and replace(state.ceased, then=()),
        "ask": seen_ask(state.ask, blinds),
        "verdict": _verdict(state.verdict, blinds),
        "outcome": state.outcome
        and replace(
            state.outcome, reason=blinds.reason(state.outcome.reason, state.outcome.agreed)
        ),
    }


def _others(found: dict[str, int] | dict[str, str], secret: frozenset[str]) -> dict[str, object]:
    return {piece: value for piece, value in found.items() if piece not in secret}


def _verdict(verdict: Judged | Tested | None, blinds: Blinds) -> Judged | Tested | None:
    if verdict is None or blinds.hide(verdict.shot):
        return None
    return replace(verdict, then=())
