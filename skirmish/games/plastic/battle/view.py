"""A battle as one side or a spectator may see it.

A secretly placed piece does not exist for others until it is revealed: no piece, count or loss
shows it, and the journal omits it. Draws always remain, since cards lie on the table. The text of
sealed notes is left out, and the next draw of a deck or die cannot be derived.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from skirmish.games.plastic.battle import events as happened
from skirmish.games.plastic.battle.fire_events import stood
from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.orders import Seal, SetLevel
from skirmish.games.plastic.battle.record import BattleEntry, BattlePlay
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.shown import Blinds, marks_of
from skirmish.games.plastic.battle.state import Credit, Event, PastTurn, State
from skirmish.games.plastic.battle.victory import VictoryStatus, victory_status

SEALED = ""
"""The content of an envelope in any view, even its own side's."""


@lru_cache(maxsize=12)
def view(state: State, side: str | None) -> State:
    """``side`` None is a spectator. No order can be decided on a view. Cached, as one page asks for
    it several times, and what is found in a state is remembered for it."""
    secret = secret_to(side, state)
    setup = _setup_seen(state.setup, secret)
    blinds = Blinds.of(state.setup, secret, setup)
    if secret:
        state = _without(state, blinds)
    return replace(
        state,
        setup=setup,
        sources={name: source.concealed for name, source in state.sources.items()},
        sealed=dict.fromkeys(state.sealed, SEALED),
        # Whether a side can still win may hang on who is hidden, so the table alone is asked.
        played_out=frozenset(state.setup.side_by_id),
        agenda=() if secret else state.agenda,  # it names pieces
    )


def seen(play: BattlePlay, side: str | None) -> BattlePlay:
    """The battle with a journal that names no piece hidden now or when the line was written;
    entries taken back then keep only their draws."""
    setup = play.state.setup
    at_first = frozenset(piece for piece in setup.hidden if piece_side(piece) != side)
    after = _secrets_after(play, at_first) if at_first else {}
    opening = _setup_seen(setup, secret_to(side, play.state))
    secrets = {frozenset(), *after.values()}
    blinds = {secret: Blinds.of(setup, secret, opening) for secret in secrets}
    taken_back = None if at_first else blinds[frozenset()]

    def entry_seen(entry: BattleEntry) -> BattleEntry:
        secret = after.get(entry.number)
        return _seen_entry(entry, taken_back if secret is None else blinds[secret])

    return play.shown(lambda state: view(state, side), entry_seen)


def seen_status(state: State, side: str | None) -> tuple[VictoryStatus, ...]:
    """Shows that a side can no longer win only if it is true with the hidden pieces included."""
    known = {status.side: status.can_win for status in victory_status(state)}
    return tuple(
        replace(status, can_win=known.get(status.side, True))
        for status in victory_status(view(state, side))
    )


def secret_to(side: str | None, state: State) -> frozenset[str]:
    return frozenset(piece for piece in state.hidden if piece_side(piece) != side)


def _setup_seen(setup: Setup, secret: frozenset[str]) -> Setup:
    """Cached, so that all states of a battle share the set-up and its lists."""
    known: dict[frozenset[str], Setup] = vars(setup).setdefault("seen", {})
    if secret not in known:
        made = replace(
            setup,
            sides=tuple(replace(side, source=side.source.concealed) for side in setup.sides),
            pieces=tuple(piece for piece in setup.pieces if piece.id not in secret),
            hidden=tuple(piece for piece in setup.hidden if piece not in secret),
            aboard={r: c for r, c in setup.aboard.items() if not {r, c} & secret},
        )
        vars(made)["letters"] = setup.letters  # rows are called as the players call them
        known[secret] = made
    return known[secret]


def _without(state: State, blinds: Blinds) -> State:
    state = stood(state, blinds.secret)
    ask = state.ask and state.ask.seen(blinds.secret, blinds.rows)
    known: dict[str, object] = {"ask": ask}
    for name in state.__struct_fields__:
        match getattr(state, name):
            case Event() as event:
                known[name] = event.seen(blinds)
            case (Event(), *_) as several:
                known[name] = tuple(filter(None, (one.seen(blinds) for one in several)))
            case (PastTurn(), *_) as turns:
                known[name] = tuple(_turn_seen(turn, blinds) for turn in turns)
            case frozenset() as names:
                known[name] = frozenset(filter(blinds.knows, names))
            case dict() as named:
                known[name] = {
                    key: None
                    if isinstance(value, Credit) and value.piece in blinds.secret
                    else value
                    for key, value in named.items()
                    if blinds.knows(key) and not (name == "aboard" and value in blinds.secret)
                }
    return replace(state, **known)


def _turn_seen(turn: PastTurn, blinds: Blinds) -> PastTurn:
    judged = [shot.seen(blinds) for shot in turn.judged]
    counts = [counted.seen(blinds) for counted in turn.counts]
    return replace(turn, judged=tuple(filter(None, judged)), counts=tuple(filter(None, counts)))


def _secrets_after(play: BattlePlay, secret: frozenset[str]) -> dict[int, frozenset[str]]:
    """The secret pieces by the number of each act. A reveal in a void line is hidden again."""
    found: dict[int, frozenset[str]] = {}
    for act in play.acts:
        if secret and act.number not in play.struck:
            shown = (e.pieces for e in act.events if isinstance(e, happened.Revealed))
            secret = secret.difference(*shown)
        found[act.number] = secret
    return found


def _is_concealed(event: Event) -> bool:
    """Whether the event is never shown as recorded."""
    return any(mark.always for mark in marks_of(type(event)).values())


def _seen_entry(entry: BattleEntry, blinds: Blinds | None) -> BattleEntry:
    """Without ``blinds`` only its draws are shown."""
    if blinds is None:
        drawn = tuple(event for event in entry.events if isinstance(event, happened.DrawMade))
        return replace(entry, order=None, events=drawn)
    if not blinds.secret and not any(_is_concealed(event) for event in entry.events):
        return entry
    shown = (
        event.seen(blinds) if blinds.secret or _is_concealed(event) else event
        for event in entry.events
    )
    events = tuple(filter(None, shown))
    order = entry.order
    if isinstance(order, Seal):
        order = replace(order, text="")
    elif isinstance(order, SetLevel):
        order = replace(order, source=order.source.concealed)
    elif order and blinds.secret and events != entry.events and order.in_journal != "goes on":
        order = None  # it may name them; an answer stays, since it continues its line
    return replace(entry, order=order, events=events)
