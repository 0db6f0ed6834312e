"""The journal of a game: entries that are only ever added, and the line of valid acts.

Undo, redo, void and "back to here" are entries too. Nothing is deleted: undone and void entries
stay in the journal, and the line is computed from it.

* An **act** is an order, a void or the opening; undo removes the last act from the line, redo
  restores it.
* A **void** removes orders from the middle of the line. Their events are left out of the fold,
  later ones are unchanged; only what is irreversible stays (the program's own draws).
* **Back** undoes every act after a number, as one step that one redo restores.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from copy import copy
from functools import reduce
from itertools import compress
from operator import attrgetter, or_
from typing import Any, Generic, Literal, TypeVar

import msgspec

from skirmish.tabletop.refusal import Refused, nonsense

AnyOrder = Any
AnyEvent = Any
# Of one game: S is its state, O its orders, E its events, T the tasks of its agenda.
S = TypeVar("S", bound=Any)
O = TypeVar("O", bound="AnyOrder")  # noqa: E741
E = TypeVar("E", bound="AnyEvent")
T = TypeVar("T")

Kind = Literal["open", "order", "undo", "redo", "void", "back"]
KINDS: tuple[Kind, ...] = ("open", "order", "undo", "redo", "void", "back")
"""The kinds of entries, as they are stored; ``open`` is the opening, and the head of this module
says what the others do."""


class Rules(Generic[S, O, E]):
    """The part of a game that its journal needs: ``decide`` turns an order into events, ``evolve``
    applies an event to the state.

    ``decide`` may refuse and may draw; ``evolve`` never does either, so that any journal can be
    folded again at any time. State is only ever the fold of events.
    """

    def decide(self, state: S, order: O) -> list[E]:
        """The events of ``order``; raises Refused. Never changes ``state``."""
        events: list[E] = order.decide(state)
        return events

    def decided(self, state: S, order: O) -> tuple[list[E], S]:
        """The events of ``order``, and the state after them; raises Refused. A game whose
        ``decide`` works out that state anyway overrides this, so that it is not folded twice."""
        events = self.decide(state, order)
        return events, fold(self, events, state)

    def evolve(self, state: S | None, event: E) -> S:
        """The state after ``event``. The opening event gets no state."""
        after: S = event.apply(state)
        return after

    def irreversible(self, events: Sequence[E], state: S) -> Sequence[E]:
        """The events of a void entry that stay: cards that the program drew stay drawn. ``state``
        is the one before them."""
        return ()


def fold(rules: Rules[S, O, E], events: Iterable[E], state: S | None = None) -> S:
    """The state after all ``events``; the first must be an opening if there is no state."""
    for event in events:
        state = rules.evolve(state, event)
    if state is None:
        raise ValueError("a game without an opening has no state")
    return state


class Execution(Generic[S, E, T]):
    """The execution of one order, for games that do it step by step: the events so far, each
    applied to the state at once. It often stops in the middle, for a typed card or a choice, so the
    state of such a game has an ``agenda``: a tuple of the tasks still to be done, the next one
    first."""

    def __init__(self, state: S) -> None:
        self.state = state
        self.events: list[E] = []

    def emit(self, event: E) -> None:
        """Add the next event and apply it."""
        self.events.append(event)
        self.state = event.apply(self.state)

    def head(self) -> tuple[T, tuple[T, ...]]:
        """The task that is due, and those after it. The agenda must not be empty."""
        task, *rest = self.state.agenda
        return task, tuple(rest)

    @property
    def rest(self) -> tuple[T, ...]:
        """The tasks after the one that is due."""
        return self.head()[1]


class Entry(msgspec.Struct, Generic[O, E], frozen=True, gc=False):
    """One numbered entry. Only entries of the kind ``order`` have an order, only they and the
    opening have events; ``of`` are the numbers of the orders that a void removes, or the number of
    the act to which "back" returns.

    An entry is never part of a cycle of references: with ``gc=False`` the garbage collector does
    not visit each of a long journal.
    """

    number: int
    kind: Kind
    order: O | None = None
    events: tuple[E, ...] = ()
    of: tuple[int, ...] = ()


class EntryRecord(msgspec.Struct, frozen=True):
    """A stored line of a journal; numbers run 1, 2, 3 ... without a gap. ``order`` and ``events``
    are JSON, ``at`` is UTC in ISO form, empty until it is stored."""

    number: int
    kind: str
    order: str
    events: str
    at: str = ""


class Play(Generic[S, O, E]):
    """A game being played: its journal and the states along its line.

    ``consider`` and ``possible`` compute the next entry without adding it, so that it can be stored
    first; ``accept`` adds it. Nothing here writes or draws by itself.
    """

    def __init__(self, rules: Rules[S, O, E], entries: Iterable[Entry[O, E]]) -> None:
        self._rules = rules
        self._entries: list[Entry[O, E]] = []
        self._acts: list[Entry[O, E]] = []
        self._states: list[S] = []  # after each act
        # For each undo the acts that it removed: "back" may remove many, and one redo restores all.
        self._undone: list[list[Entry[O, E]]] = []
        # The entry that was considered last, and the state after it.
        self._considered: tuple[Entry[O, E], S] | None = None
        # The numbers of the orders that are void.
        self.struck: frozenset[int] = frozenset()
        for entry in entries:
            self.accept(entry)
        if not self._acts:
            raise ValueError("a journal begins with its opening")

    @property
    def state(self) -> S:
        """As the game stands now."""
        return self._states[-1]

    @property
    def entries(self) -> tuple[Entry[O, E], ...]:
        """The whole journal, including undone and void entries."""
        return tuple(self._entries)

    def __len__(self) -> int:
        """The number of entries."""
        return len(self._entries)

    @property
    def live(self) -> tuple[Entry[O, E], ...]:
        """The opening and the orders that count: neither undone nor void."""
        if not self.struck:
            return tuple(self._acts)
        return tuple(filter(self._is_live, self._acts))

    @property
    def acts(self) -> tuple[Entry[O, E], ...]:
        """The opening, orders and voids that were not undone, including void orders."""
        return tuple(self._acts)

    @property
    def states(self) -> tuple[S, ...]:
        """The state after each entry of ``live``."""
        if not self.struck:
            return tuple(self._states)
        return tuple(compress(self._states, map(self._is_live, self._acts)))

    @property
    def state_before(self) -> S:
        """The state before the last entry of ``live``."""
        # Before an opening there is none: of a game that was only opened it is the first state.
        states = self.states
        if len(states) == 1:
            return states[0]
        return states[-2]

    @property
    def ends_with_void(self) -> bool:
        """Whether the last act makes orders void. Then the order that now stands last is an old
        one: its result has been shown before."""
        return self._acts[-1].kind == "void"

    def state_after(self, number: int) -> S | None:
        """The state after the act of that number; None if it is not in the line."""
        with suppress(Refused):
            return self._states[self._index_of(number)]
        return None

    def _is_live(self, act: Entry[O, E]) -> bool:
        return act.kind != "void" and act.number not in self.struck

    # ------------------------------------------------------------------ what could come next

    def consider(self, order: O) -> Entry[O, E]:
        """The entry that ``order`` would add now; raises Refused."""
        events, after = self._rules.decided(self.state, order)
        entry: Entry[O, E] = Entry(self._next_number, "order", order, tuple(events))
        self._considered = entry, after
        return entry

    def possible(self, kind: Kind, *of: int) -> Entry[O, E]:
        """The next entry of this kind: a void of the orders with the numbers ``of``, a "back" to
        the act with the number ``of``, or an undo or redo, which name none. Raises Refused."""
        entry: Entry[O, E] = Entry(self._next_number, kind, of=tuple(sorted({*of})))
        self._tried(entry)
        return entry

    def put_right(self, number: int, order: O) -> tuple[Entry[O, E], Entry[O, E]]:
        """The next two entries: back to the act of that number, and then the order; raises
        Refused, so that neither is stored without the other."""
        back: Entry[O, E] = Entry(self._next_number, "back", of=(number,))
        events, _ = self._rules.decided(self._tried(back).state, order)
        return back, Entry(self._next_number + 1, "order", order, tuple(events))

    def after(self, entry: Entry[O, E]) -> S:
        """The state after ``entry``, which is not added yet."""
        if entry.kind in ("open", "order"):
            return self._folded(entry)
        return self._tried(entry).state

    def _tried(self, entry: Entry[O, E]) -> Play[S, O, E]:
        """The play after that entry; raises Refused."""
        # On a copy: where the entry is refused halfway, nothing has changed.
        trial = copy(self)
        trial._acts, trial._states = list(self._acts), list(self._states)
        trial._undone = list(self._undone)
        trial._add(entry)
        return trial

    def shown(
        self,
        state_as_shown: Callable[[S], S],
        entry_as_shown: Callable[[Entry[O, E]], Entry[O, E]],
    ) -> Play[S, O, E]:
        """The play as another viewer may see it, for reading; the functions return what he sees of
        a state and of an entry."""
        return _ConcealedPlay(self, state_as_shown, entry_as_shown)

    # ------------------------------------------------------------------ adding it

    def accept(self, entry: Entry[O, E]) -> None:
        """Add the next entry, or change nothing: raises ValueError (a sentence) if it does not
        follow, and any error of folding it."""
        if entry.kind in ("open", "order"):  # fold before any change
            self._add(entry)
        else:
            try:
                tried = self._tried(entry)
            except Refused as refused:
                raise ValueError(str(refused).rstrip(".")) from None
            vars(self).update(vars(tried))  # what was tried on the copy is now true of this one
        self._entries.append(entry)
        self._considered = None

    def _add(self, entry: Entry[O, E]) -> None:
        """Change the line by an entry; raises Refused, or ValueError where none may stand."""
        if entry.number != self._next_number:
            raise ValueError(f"entry {entry.number} cannot follow entry {self._next_number - 1}")
        is_opening = entry.kind == "open"
        is_first = not self._entries
        if is_opening != is_first:
            raise ValueError("a journal has one opening, and it comes first")
        match entry.kind:
            case "undo":
                self._take_back(len(self._acts) - 1)
            case "back":
                # Back to no entry at all is refused like an undo of the opening.
                last_kept = max(map(self._index_of, entry.of), default=-1)
                self._take_back(last_kept + 1)
            case "redo":
                if not self._undone:
                    raise nonsense("nothing_to_redo", "Nothing has been undone.")
                for act in self._undone.pop():
                    self._append(act)
            case _:  # the opening, an order or a void: what was undone can no longer be redone
                self._append(entry)
                self._undone = []

    def _append(self, act: Entry[O, E]) -> None:
        """Add an act at the end of the line."""
        if act.kind == "void":
            self._strike(act)
        else:
            state = self._folded(act)
            self._acts.append(act)
            self._states.append(state)

    def _strike(self, act: Entry[O, E]) -> None:
        """Add an act that makes orders void; raises Refused if one of them does not count."""
        for number in act.of:
            index = self._index_of(number)
            if index == 0 or not self._is_live(self._acts[index]):
                raise nonsense("not_in_line", f"Entry {number} is not an order that still counts.")
        if not act.of:
            raise nonsense("not_in_line", "Name the entries that are to be void.")
        self._acts.append(act)
        self._states.append(self.state)
        self.struck |= {*act.of}
        self._refold(self._index_of(min(act.of)))

    def _folded(self, act: Entry[O, E]) -> S:
        """The state after an act at the end of the line."""
        if self._considered is not None:
            considered, after = self._considered
            # Deciding has folded the events already; a long volley would be folded twice. What was
            # considered is forgotten with the next entry, so it was decided for this very state.
            if considered is act:
                return after
        before: S | None = None
        if self._states:
            before = self._states[-1]
        return fold(self._rules, act.events, before)

    def _take_back(self, first: int) -> None:
        """Undo the acts from index ``first`` on; orders that an undone void removed are valid
        again."""
        if first == 0:  # the opening itself cannot be undone
            raise nonsense("nothing_to_undo", "Nothing has happened yet.")
        if not 0 < first < len(self._acts):
            raise nonsense("nothing_to_undo", "Nothing has happened since.")
        undone = self._acts[first:]
        valid_again: set[int] = set()
        for act in undone:
            if act.kind == "void":
                valid_again.update(act.of)
        # An order that counts again changes every state since, also before the acts undone.
        changed_from = min(map(self._index_of, valid_again), default=first)
        del self._acts[first:], self._states[first:]
        self.struck -= valid_again
        self._undone.append(undone)
        self._refold(changed_from)

    def _refold(self, first: int) -> None:
        """Work out the states again from the act of that index on."""
        for index in range(first, len(self._acts)):
            act, state = self._acts[index], self._states[index - 1]
            events: Sequence[E] = act.events
            if act.number in self.struck:
                events = self._rules.irreversible(events, state)
            self._states[index] = fold(self._rules, events, state)

    def _index_of(self, number: int) -> int:
        """The index of the act of that number; raises Refused if it is not in the line."""
        index = bisect_left(self._acts, number, key=attrgetter("number"))
        if index == len(self._acts) or self._acts[index].number != number:
            raise nonsense("not_in_line", f"Entry {number} is not in the line.")
        return index

    @property
    def _next_number(self) -> int:
        """The number of the next entry."""
        return len(self._entries) + 1


class _ConcealedPlay(Play[S, O, E]):
    """A play as another viewer may see it: every state and every entry is shown through the
    functions of ``Play.shown``."""

    def __init__(
        self,
        play: Play[S, O, E],
        state_as_shown: Callable[[S], S],
        entry_as_shown: Callable[[Entry[O, E]], Entry[O, E]],
    ) -> None:
        vars(self).update(vars(play))
        # What was undone is in the journal too, and is concealed like the rest.
        visible = {entry.number: entry_as_shown(entry) for entry in play._entries}
        self._entries = list(visible.values())
        self._acts = [visible[act.number] for act in play._acts]
        self._undone = []
        for acts in play._undone:
            self._undone.append([visible[act.number] for act in acts])
        self._as_shown = state_as_shown
        # Concealed once: it is asked for at every key, and concealing a state takes time.
        self._last_state = state_as_shown(play.state)

    @property
    def state(self) -> S:
        return self._last_state

    @property
    def states(self) -> tuple[S, ...]:
        return tuple(map(self._as_shown, super().states))

    def state_after(self, number: int) -> S | None:
        state = super().state_after(number)
        if state is None:
            return None
        return self._as_shown(state)


# ------------------------------------------------------------------ as text, and back


REPLAY_ERRORS = (
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    RecursionError,
    StopIteration,
)
"""What a game raises while it replays a journal that it never wrote."""


class RecordError(ValueError):
    """An unreadable entry, as a sentence with its number and the reason."""


def tagged(base: Any) -> Any:
    """The union of all classes with a tag of their own below ``base``; another type as it is."""
    if not (isinstance(base, type) and issubclass(base, msgspec.Struct)):
        return base
    kinds: list[Any] = []
    unread: list[Any] = [base]
    while unread:
        struct = unread.pop()
        unread += struct.__subclasses__()
        # msgspec gives a class without a tag of its own the name of the class, or nothing.
        if struct.__struct_config__.tag not in (None, struct.__name__):
            kinds.append(struct)
    if not kinds:
        return base
    return reduce(or_, kinds)


class JournalCodec(Generic[S, O, E]):
    """Writes the entries of a game for the store, and reads them. ``order`` and ``event``: a union
    of all kinds, or the base class of their modules."""

    def __init__(
        self,
        rules: Rules[S, O, E],
        order: Any,
        event: Any,
        complete: Callable[[E], E] | None = None,
        upcast: Callable[[Any, Any], tuple[Any, Any]] | None = None,
    ) -> None:
        """``complete`` adds to an event of a stored opening what openings have only in later
        versions of the program. ``upcast`` gets the order and the events of an entry that cannot be
        read, as plain data, and returns them as today's version writes them."""
        self._complete = complete
        self._upcast = upcast
        order, event = tagged(order), tagged(event)
        self._rules = rules
        # Decoders are made once: a long journal is read with them in a fraction of the time.
        self._order: msgspec.json.Decoder[O | None] = msgspec.json.Decoder(order | None)
        self._events: msgspec.json.Decoder[tuple[E, ...]] = msgspec.json.Decoder(tuple[event, ...])
        self._numbers = msgspec.json.Decoder(tuple[int, ...])

    def play(self, entries: Iterable[Entry[O, E]]) -> Play[S, O, E]:
        """The game of these entries; raises RecordError."""
        entries = list(entries)
        try:
            play: Play[S, O, E] = Play(self._rules, entries[:1])
        except REPLAY_ERRORS as error:
            raise RecordError(f"the journal has no usable opening: {error}.") from None
        for entry in entries[1:]:
            self.follow(play, entry)
        return play

    def replay(self, records: Iterable[EntryRecord]) -> Play[S, O, E]:
        """The game of these stored lines; raises RecordError."""
        return self.play(map(self.read, records))

    def follow(self, play: Play[S, O, E], entry: Entry[O, E]) -> None:
        """Add a stored entry to the game; raises RecordError where it cannot follow."""
        try:
            play.accept(entry)
        except REPLAY_ERRORS as error:
            raise RecordError(f"entry {entry.number} does not follow: {error}.") from None

    def written(self, entry: Entry[O, E]) -> EntryRecord:
        """The entry as it is stored, its order and its events as JSON."""
        # A void and a "back" have no order: the numbers ``of`` stand in its place.
        about: tuple[int, ...] | O | None = entry.order
        if entry.kind in ("void", "back"):
            about = entry.of
        order, events = msgspec.json.encode(about), msgspec.json.encode(entry.events)
        return EntryRecord(entry.number, entry.kind, order.decode(), events.decode())

    def read(self, record: EntryRecord) -> Entry[O, E]:
        """A stored line as an entry, an old one as today's version writes it; raises
        RecordError."""
        number, kind = record.number, record.kind
        if kind not in KINDS:
            raise RecordError(f"entry {number} is of a kind this version does not know: {kind!r}.")
        try:
            if kind in ("void", "back"):
                return Entry(number, kind, None, (), self._numbers.decode(record.order))
            order, events = self._decoded(record)
            if kind == "open" and self._complete is not None:
                events = tuple(self._complete(event) for event in events)
            return Entry(number, kind, order, events)
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            raise RecordError(f"entry {number} cannot be read: {error}.") from None

    def _decoded(self, record: EntryRecord) -> tuple[O | None, tuple[E, ...]]:
        """The order and the events of a stored line, of an earlier version if need be. Raises
        msgspec's errors for what no version has written."""
        try:
            return self._order.decode(record.order), self._events.decode(record.events)
        except msgspec.ValidationError:
            if self._upcast is None:
                raise
            try:
                old_order = msgspec.json.decode(record.order)
                old_events = msgspec.json.decode(record.events)
                order, events = self._upcast(old_order, old_events)
                order_json = msgspec.json.encode(order)
                events_json = msgspec.json.encode(events)
                return self._order.decode(order_json), self._events.decode(events_json)
            except REPLAY_ERRORS:
                pass  # not this error is raised but the first, which is about what is stored
            raise
