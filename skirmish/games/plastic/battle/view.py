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
from skirmish.games.plastic.battle.orders import AnyOrder
from skirmish.games.plastic.battle.progress import victory_status
from skirmish.games.plastic.battle.record import BattleEntry, BattlePlay
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.shown import Secrets, marks_of
from skirmish.games.plastic.battle.state import Credit, Event, State, TurnShots, credit_left_out
from skirmish.games.plastic.battle.victory_questions import VictoryStatus

SEALED = ""
"""What any view has in place of a sealed note, also that of the side that wrote it."""


@lru_cache(maxsize=12)
def view(state: State, side: str | None) -> State:
    """The state as a side may see it, or a spectator (None). No order can be decided on a view. It
    is cached, since a page asks for it several times, and since the results of other functions are
    cached by the state that they get."""
    secret = secret_to(side, state)
    setup = _setup_seen(state.setup, secret)
    agenda = state.agenda
    if secret:
        state = _without(state, Secrets.of(state.setup, secret, setup))
        # Its tasks name pieces.
        agenda = ()
    return replace(
        state,
        setup=setup,
        sources={name: source.concealed for name, source in state.sources.items()},
        sealed=dict.fromkeys(state.sealed, SEALED),
        # No end is proposed for sides that are named here. That a side can no longer win may depend
        # on who is hidden, so the end is proposed only to the players at the table.
        played_out=frozenset(state.setup.side_by_id),
        agenda=agenda,
    )


def seen(play: BattlePlay, side: str | None) -> BattlePlay:
    """The battle with a journal as a side or a spectator (None) may see it: no line names a piece
    that was still hidden after it. An entry that was taken back keeps only its draws, if anybody
    was hidden at first."""
    setup = play.state.setup
    opening = _setup_seen(setup, secret_to(side, play.state))
    secret_at_first = frozenset(piece for piece in setup.hidden if piece_side(piece) != side)

    def state_as_shown(state: State) -> State:
        return view(state, side)

    if not secret_at_first:
        # Nobody hides later than at first, so entries that were taken back reveal nothing either.
        nothing_hidden = Secrets.of(setup, frozenset(), opening)
        return play.concealed(state_as_shown, partial(_seen_entry, secrets=nothing_hidden))
    secret_after = _secret_after_acts(play, secret_at_first)
    # Made once for all entries after which the same pieces were secret.
    secrets_by_pieces = {}
    for pieces in set(secret_after.values()):
        secrets_by_pieces[pieces] = Secrets.of(setup, pieces, opening)

    def entry_as_shown(entry: BattleEntry) -> BattleEntry:
        was_taken_back = entry.number not in secret_after
        if was_taken_back:
            return _only_draws(entry)
        secret_pieces = secret_after[entry.number]
        return _seen_entry(entry, secrets_by_pieces[secret_pieces])

    return play.concealed(state_as_shown, entry_as_shown)


def seen_status(state: State, side: str | None) -> tuple[VictoryStatus, ...]:
    """The status of every side as a viewer may see it. That a side can no longer win is shown only
    if it is true with the hidden pieces included."""
    can_win = {status.side: status.can_win for status in victory_status(state)}
    statuses = []
    for status in victory_status(view(state, side)):
        statuses.append(replace(status, can_win=can_win.get(status.side, True)))
    return tuple(statuses)


def secret_to(side: str | None, state: State) -> frozenset[str]:
    """The hidden pieces that a side may not know of: those of its enemy, or all for a spectator."""
    return frozenset(piece for piece in state.hidden if piece_side(piece) != side)


def _setup_seen(setup: Setup, secret: frozenset[str]) -> Setup:
    """The set-up without the secret pieces. It is cached with the set-up itself, so that the views
    of all states of a battle share it: the struct is frozen, but has a ``dict`` for cached
    properties, which is neither compared nor stored."""
    views: dict[frozenset[str], Setup] = vars(setup).setdefault("seen", {})
    if secret not in views:
        views[secret] = _setup_without(setup, secret)
    return views[secret]


def _setup_without(setup: Setup, secret: frozenset[str]) -> Setup:
    """The set-up without the secret pieces, and with nothing from which a draw could be derived."""
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
    # ``letters`` is a cached property. Worked out from the pieces that are seen, the letters would
    # differ from those of the players, so they are put into the cache as they are.
    vars(setup_seen)["letters"] = setup.letters
    return setup_seen


def _without(state: State, secrets: Secrets) -> State:
    """The state without what is secret. Each kind of value has one rule, so that a new field of the
    state is censored like the others of its kind: events are shown as their fields say, and of sets
    and mappings every entry about a secret piece or row is left out."""
    # Secret pieces are put back on the table, so that no loss or exit of theirs counts.
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
    # In these two mappings a value, too, may name a secret piece.
    as_seen["lost"] = _credits_seen(state, secrets)
    as_seen["aboard"] = _aboard_seen(state, secrets)
    if state.ask is not None:
        as_seen["ask"] = state.ask.seen(secrets.pieces, secrets.rows)
    return replace(state, **as_seen)


def _events_seen(events: Iterable[Event], secrets: Secrets) -> tuple[Event, ...]:
    """The events as others may see them; those about secret pieces are left out."""
    seen_events = (event.seen(secrets) for event in events)
    return tuple(event for event in seen_events if event is not None)


def _entries_seen(by_name: Mapping[str, object], secrets: Secrets) -> dict[str, object]:
    """The entries about pieces, rows and sides that the viewer knows."""
    return {name: value for name, value in by_name.items() if secrets.knows(name)}


def _credits_seen(state: State, secrets: Secrets) -> dict[str, Credit | None]:
    """The known pieces that are lost, with the credit for each unless the shooter is secret."""
    credits = {}
    for piece, credit in state.lost.items():
        if secrets.knows(piece):
            credits[piece] = credit_left_out(credit, secrets)
    return credits


def _aboard_seen(state: State, secrets: Secrets) -> dict[str, str]:
    """The carrier of each rider, where neither of them is secret."""
    aboard = {}
    for rider, carrier in state.aboard.items():
        if secrets.knows(rider) and carrier not in secrets.pieces:
            aboard[rider] = carrier
    return aboard


def _turn_seen(turn: TurnShots, secrets: Secrets) -> TurnShots:
    """The shots of a turn that is over, without those by or at secret pieces."""
    judged = _events_seen(turn.judged, secrets)
    counts = _events_seen(turn.counts, secrets)
    return replace(turn, judged=judged, counts=counts)


def _secret_after_acts(play: BattlePlay, secret: frozenset[str]) -> dict[int, frozenset[str]]:
    """The pieces that were secret after each entry of the journal, by its number; entries that were
    taken back are not among them. ``secret``: those before the first entry. What a void line
    revealed is secret again."""
    secret_after: dict[int, frozenset[str]] = {}
    for act in play.acts:
        is_void = act.number in play.struck
        if secret and not is_void:
            secret = secret.difference(_revealed_by(act))
        secret_after[act.number] = secret
    return secret_after


def _revealed_by(entry: BattleEntry) -> set[str]:
    """The pieces that were revealed in an entry."""
    revealed: set[str] = set()
    for event in entry.events:
        if isinstance(event, happened.Revealed):
            revealed.update(event.pieces)
    return revealed


def _is_concealed(event: Event) -> bool:
    """Whether the event has a field that others never see as it is, such as a sealed note."""
    return any(mark.always for mark in marks_of(type(event)).values())


def _seen_entry(entry: BattleEntry, secrets: Secrets) -> BattleEntry:
    """The entry as it may be seen; the same one if all of it may."""
    has_concealed = any(_is_concealed(event) for event in entry.events)
    if not secrets.pieces and not has_concealed:
        return entry
    events: list[AnyEvent] = []
    for event in entry.events:
        event_seen: Event | None = event
        if secrets.pieces or _is_concealed(event):
            event_seen = event.seen(secrets)
        if event_seen is not None:
            events.append(event_seen)
    is_censored = tuple(events) != entry.events
    order = _order_seen(entry.order, secrets, is_censored=is_censored)
    return replace(entry, order=order, events=tuple(events))


def _order_seen(order: AnyOrder | None, secrets: Secrets, *, is_censored: bool) -> AnyOrder | None:
    """The order as others may see it. ``is_censored``: an event of it cannot be shown as it is."""
    if order is None:
        return None
    # An order that has something to conceal, such as a sealed note, has a form for others.
    concealed = order.concealed
    if concealed is not order:
        return concealed
    # If an event is censored, the order is taken to name the same secret. An answer stays, since
    # it continues its line of the journal.
    if secrets.pieces and is_censored and order.in_journal != "goes on":
        return None
    return order


def _only_draws(entry: BattleEntry) -> BattleEntry:
    """The entry without anything but its draws, since cards lie on the table for all to see."""
    drawn = tuple(event for event in entry.events if isinstance(event, happened.DrawMade))
    return replace(entry, order=None, events=drawn)
