"""A battle as one side or a spectator may see it.

A secretly placed piece does not exist for others until it is revealed: no piece, count or loss
shows it, and the journal omits it. Draws always remain, since cards lie on the table. The text of
sealed notes is left out, and the next draw of a deck or die cannot be derived.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache, partial

from msgspec.structs import replace

from skirmish.games.plastic.battle import events as happened
from skirmish.games.plastic.battle.events import AnyEvent
from skirmish.games.plastic.battle.events.pieces import back_on_the_table
from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.record import BattleEntry, BattlePlay
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.shown import Secrets, marks_of
from skirmish.games.plastic.battle.state import Credit, Event, State, TurnShots, credit_left_out
from skirmish.games.plastic.battle.victory import VictoryStatus, victory_status

SEALED = ""
"""What any view has in place of a sealed note, also that of the side that wrote it."""


@lru_cache(maxsize=12)
def view(state: State, side: str | None) -> State:
    """The state as a side may see it, or a spectator (None). No order can be decided on a view.
    Cached, as one page asks for it several times, and what is found in a state is remembered for
    it."""
    secret = secret_to(side, state)
    setup = _setup_seen(state.setup, secret)
    agenda = state.agenda
    if secret:
        state = _without(state, Secrets.of(state.setup, secret, setup))
        agenda = ()  # it names pieces
    return replace(
        state,
        setup=setup,
        sources={name: source.concealed for name, source in state.sources.items()},
        sealed=dict.fromkeys(state.sealed, SEALED),
        # Whether a side can still win may hang on who is hidden, so the table alone is asked.
        played_out=frozenset(state.setup.side_by_id),
        agenda=agenda,
    )


def seen(play: BattlePlay, side: str | None) -> BattlePlay:
    """The battle with a journal that names no piece hidden now or when the line was written;
    entries taken back then keep only their draws."""
    setup = play.state.setup
    opening = _setup_seen(setup, secret_to(side, play.state))
    secret_at_first = frozenset(piece for piece in setup.hidden if piece_side(piece) != side)

    def state_as_shown(state: State) -> State:
        return view(state, side)

    if not secret_at_first:
        # Whoever did not hide at first never does, so what was taken back tells nothing either.
        nothing_hidden = Secrets.of(setup, frozenset(), opening)
        return play.shown(state_as_shown, partial(_seen_entry, secrets=nothing_hidden))
    secret_after = _secret_after_acts(play, secret_at_first)
    secrets_by_pieces = {
        secret: Secrets.of(setup, secret, opening) for secret in set(secret_after.values())
    }

    def entry_as_shown(entry: BattleEntry) -> BattleEntry:
        if entry.number not in secret_after:  # it was taken back
            return _only_draws(entry)
        return _seen_entry(entry, secrets_by_pieces[secret_after[entry.number]])

    return play.shown(state_as_shown, entry_as_shown)


def seen_status(state: State, side: str | None) -> tuple[VictoryStatus, ...]:
    """Shows that a side can no longer win only if it is true with the hidden pieces included."""
    can_win = {status.side: status.can_win for status in victory_status(state)}
    seen_by_side = []
    for status in victory_status(view(state, side)):
        seen_by_side.append(replace(status, can_win=can_win.get(status.side, True)))
    return tuple(seen_by_side)


def secret_to(side: str | None, state: State) -> frozenset[str]:
    """The pieces that hide from a side: those of others."""
    return frozenset(piece for piece in state.hidden if piece_side(piece) != side)


def _setup_seen(setup: Setup, secret: frozenset[str]) -> Setup:
    """Cached with the set-up itself, so that all states of a battle share what is seen of it and
    its lists. The struct is frozen, but has a ``dict`` for its cached properties, where nothing
    that is compared or stored lies."""
    views: dict[frozenset[str], Setup] = vars(setup).setdefault("seen", {})
    if secret not in views:
        aboard = {}
        for rider, carrier in setup.aboard.items():
            if rider not in secret and carrier not in secret:
                aboard[rider] = carrier
        first, second = setup.sides
        setup_seen = replace(
            setup,
            sides=(
                replace(first, source=first.source.concealed),
                replace(second, source=second.source.concealed),
            ),
            pieces=tuple(piece for piece in setup.pieces if piece.id not in secret),
            hidden=tuple(piece for piece in setup.hidden if piece not in secret),
            aboard=aboard,
        )
        # Rows are called as the players call them: computed anew, the letters would tell of gaps.
        vars(setup_seen)["letters"] = setup.letters
        views[secret] = setup_seen
    return views[secret]


def _without(state: State, secrets: Secrets) -> State:
    """The state without what is secret. Each kind of value has one rule, so that a new field of the
    state is censored like the others of its kind: events are shown as their fields say, and of sets
    and mappings every entry about a secret piece or row is left out."""
    # Then neither a loss nor an exit of theirs counts.
    state = back_on_the_table(state, secrets.pieces)
    as_seen: dict[str, object] = {}
    for name in state.__struct_fields__:
        match getattr(state, name):
            case Event() as event:
                as_seen[name] = event.seen(secrets)
            case (Event(), *_) as events:
                as_seen[name] = _events_seen(events, secrets)
            case (TurnShots(), *_) as turns:
                as_seen[name] = tuple(_turn_seen(turn, secrets) for turn in turns)
            case frozenset() as names:
                as_seen[name] = frozenset(filter(secrets.knows, names))
            case dict() as by_name:
                as_seen[name] = _entries_seen(by_name, secrets)
    # Of these two the values are secret, not only the keys.
    as_seen["lost"] = _credits_seen(state, secrets)
    as_seen["aboard"] = _aboard_seen(state, secrets)
    if state.ask is not None:
        as_seen["ask"] = state.ask.seen(secrets.pieces, secrets.rows)
    return replace(state, **as_seen)


def _events_seen(events: Iterable[Event], secrets: Secrets) -> tuple[Event, ...]:
    """The events as their fields say; those about somebody who hides are left out."""
    seen_events = (event.seen(secrets) for event in events)
    return tuple(event for event in seen_events if event is not None)


def _entries_seen(by_name: Mapping[str, object], secrets: Secrets) -> dict[str, object]:
    """The entries about pieces, rows and sides that the viewer knows."""
    return {name: value for name, value in by_name.items() if secrets.knows(name)}


def _credits_seen(state: State, secrets: Secrets) -> dict[str, Credit | None]:
    """Who is lost; for whom it counts, unless he hides."""
    credits = {}
    for piece, credit in state.lost.items():
        if secrets.knows(piece):
            credits[piece] = credit_left_out(credit, secrets)
    return credits


def _aboard_seen(state: State, secrets: Secrets) -> dict[str, str]:
    """Who rides in what, as far as neither hides."""
    aboard = {}
    for rider, carrier in state.aboard.items():
        if secrets.knows(rider) and carrier not in secrets.pieces:
            aboard[rider] = carrier
    return aboard


def _turn_seen(turn: TurnShots, secrets: Secrets) -> TurnShots:
    """The shots of a turn that is over, without those of or at somebody who hides."""
    judged = (shot.seen(secrets) for shot in turn.judged)
    counts = (counted.seen(secrets) for counted in turn.counts)
    return replace(turn, judged=tuple(filter(None, judged)), counts=tuple(filter(None, counts)))


def _secret_after_acts(play: BattlePlay, secret: frozenset[str]) -> dict[int, frozenset[str]]:
    """By the number of each line of the journal that holds, the pieces that were secret after it.
    ``secret``: those before the first one. What a void line revealed is hidden again."""
    secret_after: dict[int, frozenset[str]] = {}
    for act in play.acts:
        if secret and act.number not in play.struck:
            for event in act.events:
                if isinstance(event, happened.Revealed):
                    secret = secret.difference(event.pieces)
        secret_after[act.number] = secret
    return secret_after


def _is_concealed(event: Event) -> bool:
    """Whether the event is never shown as recorded."""
    return any(mark.always for mark in marks_of(type(event)).values())


def _seen_entry(entry: BattleEntry, secrets: Secrets) -> BattleEntry:
    """The entry as it may be seen; the same one if all of it may."""
    if not secrets.pieces and not any(map(_is_concealed, entry.events)):
        return entry
    events: list[AnyEvent] = []
    for event in entry.events:
        shown: Event | None = event
        if secrets.pieces or _is_concealed(event):
            shown = event.seen(secrets)
        if shown is not None:
            events.append(shown)
    order = entry.order
    if order is not None:
        order = order.concealed
    is_as_given = order is entry.order
    if order is not None and is_as_given and secrets.pieces:
        # Where an event had to be concealed, the order is taken to name the same secret.
        names_secret = tuple(events) != entry.events
        # An answer stays, since it continues its line.
        if names_secret and order.in_journal != "goes on":
            order = None
    return replace(entry, order=order, events=tuple(events))


def _only_draws(entry: BattleEntry) -> BattleEntry:
    """An entry that was taken back while somebody hid: cards lie on the table, all else is left
    out."""
    drawn = tuple(event for event in entry.events if isinstance(event, happened.DrawMade))
    return replace(entry, order=None, events=drawn)
