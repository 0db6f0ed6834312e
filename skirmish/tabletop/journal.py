"""The journal of a game: entries that are only ever added, and the line of acts that were
not undone.

Undo, redo, void and "back to here" are entries too. Nothing is deleted: undone and void entries
stay in the journal, and the line is computed from it.

* An **act** is an order, a void or the opening. Undo removes the last act from the line, redo
  restores what the last undo removed.
* A **void** strikes out orders in the middle of the line. Their events are left out of the fold and
  later ones are unchanged; only what is irreversible stays (the program's own draws).
* **Back** undoes every act after the one with a given number, in one step that one redo restores.

Begin with ``Play``, a game in progress. ``Rules`` is what it needs of a game, ``ActLine`` its line.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from operator import attrgetter
from typing import Any, Generic, Literal, NamedTuple, TypeVar

import msgspec

from skirmish.tabletop.refusal import Refused, nonsense

# Of one game: S is its state, O its orders, E its events.
S = TypeVar("S", bound=Any)
O = TypeVar("O", bound=Any)  # noqa: E741
E = TypeVar("E", bound=Any)

Kind = Literal["open", "order", "undo", "redo", "void", "back"]
KINDS: tuple[Kind, ...] = ("open", "order", "undo", "redo", "void", "back")
"""The kinds of entries, as they are stored. ``open`` is the opening; the others are explained at
the top of this module."""


class Decided(NamedTuple, Generic[S, E]):
    """The events of an order, and the state after them."""

    events: list[E]
    state_after: S


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

    def decide_and_fold(self, state: S, order: O) -> Decided[S, E]:
        """The events of ``order``, and the state after them; raises Refused. A game whose
        ``decide`` works out that state anyway overrides this, so that the events are not folded
        twice."""
        events = self.decide(state, order)
        return Decided(events, fold(self, events, state))

    def evolve(self, state: S | None, event: E) -> S:
        """The state after ``event``. Only the first event of a game gets None, since there is no
        state before it."""
        after: S = event.apply(state)
        return after

    def irreversible(self, events: Sequence[E], state: S) -> Sequence[E]:
        """Those of the ``events`` of an order that stay when it is made void: cards that the
        program drew stay drawn. ``state`` is the one before them. A game that draws overrides
        this."""
        return ()


def fold(rules: Rules[S, O, E], events: Iterable[E], state: S | None = None) -> S:
    """The state after all ``events``, beginning with ``state``. None: there is no state yet, so
    the first event must be an opening."""
    for event in events:
        state = rules.evolve(state, event)
    if state is None:
        raise ValueError("a game without an opening has no state")
    return state


class Entry(msgspec.Struct, Generic[O, E], frozen=True, gc=False):
    """One numbered entry. Only entries of the kind ``order`` have an order, only they and the
    opening have events. ``targets`` are the numbers of the orders that a void removes, or the
    number of the act to which "back" returns.

    An entry is never part of a cycle of references: with ``gc=False`` the garbage collector need
    not visit every entry of a long journal.
    """

    number: int
    kind: Kind
    order: O | None = None
    events: tuple[E, ...] = ()
    targets: tuple[int, ...] = ()


class Play(Generic[S, O, E]):
    """A game in progress: its journal, and the line of acts that follows from it.

    ``consider`` and ``possible`` compute the next entry without adding it, so that it can be stored
    first; ``accept`` adds it. Nothing here writes or draws by itself.
    """

    def __init__(self, rules: Rules[S, O, E], entries: Iterable[Entry[O, E]]) -> None:
        self._rules = rules
        self._entries: list[Entry[O, E]] = []
        self._line: ActLine[S, O, E] = ActLine(rules)
        self._considered: _Considered[S, O, E] | None = None
        for entry in entries:
            self.accept(entry)
        if not self._entries:
            raise ValueError("a journal begins with its opening")

    @property
    def state(self) -> S:
        """The state of the game now."""
        return self._line.last_state

    @property
    def entries(self) -> tuple[Entry[O, E], ...]:
        """The whole journal, including undone and void entries."""
        return tuple(self._entries)

    def __len__(self) -> int:
        """The number of entries."""
        return len(self._entries)

    @property
    def acts(self) -> tuple[Entry[O, E], ...]:
        """The opening, orders and voids that were not undone, including void orders."""
        return tuple(self._line.acts)

    @property
    def struck(self) -> frozenset[int]:
        """The numbers of the orders that are void."""
        return self._line.struck

    @property
    def live(self) -> tuple[Entry[O, E], ...]:
        """The opening and the orders that count: neither undone nor void."""
        # Most journals have no void order, and this is asked for at every key: so a long journal is
        # not searched without need.
        if not self._line.struck:
            return self.acts
        return tuple(act for act in self._line.acts if self._line.counts(act))

    @property
    def states(self) -> tuple[S, ...]:
        """The state after each entry of ``live``."""
        line = self._line
        if not line.struck:
            return tuple(line.states)
        states = []
        for act, state in zip(line.acts, line.states, strict=True):
            if line.counts(act):
                states.append(state)
        return tuple(states)

    @property
    def state_before(self) -> S:
        """The state before the last entry of ``live``."""
        states = self.states
        # There is no state before the opening: a game that was only opened has its first state.
        if len(states) == 1:
            return states[0]
        return states[-2]

    @property
    def ends_with_void(self) -> bool:
        """Whether the last act makes orders void. The last order of ``live`` is then an earlier
        one, whose result has been shown already."""
        return self._line.acts[-1].kind == "void"

    def state_after(self, number: int) -> S | None:
        """The state after the act with that number; None if it is not in the line."""
        with suppress(Refused):
            return self._line.states[self._line.index_of(number)]
        return None

    # ------------------------------------------------------------------ what could come next

    def consider(self, order: O) -> Entry[O, E]:
        """The entry that ``order`` would add now; raises Refused."""
        decided = self._rules.decide_and_fold(self.state, order)
        entry: Entry[O, E] = Entry(self._next_number, "order", order, tuple(decided.events))
        # So ``accept`` need not fold the events again.
        self._considered = _Considered(entry, decided.state_after)
        return entry

    def possible(self, kind: Kind, *targets: int) -> Entry[O, E]:
        """The next entry of this kind: a void of the orders with the numbers ``targets``, a "back"
        to the act with that number, or an undo or redo, which have no target. Raises Refused."""
        each_once = sorted(set(targets))
        entry: Entry[O, E] = Entry(self._next_number, kind, targets=tuple(each_once))
        self._line.changed_by(entry)  # raises Refused; the changed line is not needed yet
        return entry

    def check_correction(self, back_to: int, order: O) -> None:
        """Try the next two entries of a correction: "back" to the act with the number ``back_to``,
        and then the order. Raises Refused if either is impossible, so that neither is stored
        without the other."""
        back: Entry[O, E] = Entry(self._next_number, "back", targets=(back_to,))
        state_before_order = self._line.changed_by(back).last_state
        self._rules.decide(state_before_order, order)

    def state_with(self, entry: Entry[O, E]) -> S:
        """The state that the next ``entry`` would lead to; it is not added."""
        if entry.kind in ("open", "order"):
            return self._folded(entry)
        return self._line.changed_by(entry).last_state

    def concealed(
        self,
        state_as_shown: Callable[[S], S],
        entry_as_shown: Callable[[Entry[O, E]], Entry[O, E]],
    ) -> Play[S, O, E]:
        """The play as a certain viewer may see it, for reading only. The functions return a state
        and an entry without what is hidden from him."""
        return _ConcealedPlay(self, state_as_shown, entry_as_shown)

    # ------------------------------------------------------------------ adding it

    def accept(self, entry: Entry[O, E]) -> None:
        """Add the next entry, or change nothing: raises ValueError (a sentence) if it does not
        follow, and any error of folding it."""
        self._require_next(entry)
        if entry.kind in ("open", "order"):
            self._line.append(entry, self._folded(entry))
        else:
            try:
                self._line = self._line.changed_by(entry)
            except Refused as refused:
                raise ValueError(str(refused).rstrip(".")) from None
        self._entries.append(entry)
        self._considered = None

    def _require_next(self, entry: Entry[O, E]) -> None:
        """Raises ValueError for an entry that cannot be the next one, whatever the line is."""
        if entry.number != self._next_number:
            raise ValueError(f"entry {entry.number} cannot follow entry {self._next_number - 1}")
        is_opening = entry.kind == "open"
        is_first = not self._entries
        if is_opening != is_first:
            raise ValueError("a journal has one opening, and it comes first")

    def _folded(self, entry: Entry[O, E]) -> S:
        """The state after an opening or an order that comes next."""
        # ``consider`` has folded these events already; a long volley would be folded twice. What
        # was considered is forgotten when an entry is added, so it was decided for the present
        # state.
        if self._considered is not None and self._considered.entry is entry:
            return self._considered.state_after
        return self._line.state_after_next(entry)

    @property
    def _next_number(self) -> int:
        """The number of the next entry: they are numbered from 1."""
        return len(self._entries) + 1


class _Considered(NamedTuple, Generic[S, O, E]):
    """The entry that was considered last, and the state after it."""

    entry: Entry[O, E]
    state_after: S


class _ConcealedPlay(Play[S, O, E]):
    """A play as a certain viewer may see it: every state and every entry is shown through the
    functions of ``Play.concealed``."""

    def __init__(
        self,
        play: Play[S, O, E],
        state_as_shown: Callable[[S], S],
        entry_as_shown: Callable[[Entry[O, E]], Entry[O, E]],
    ) -> None:
        # The base class would replay the entries, and concealed ones do not lead to the states.
        self._rules = play._rules
        self._considered = None
        visible = {entry.number: entry_as_shown(entry) for entry in play._entries}
        self._entries = list(visible.values())
        self._line = play._line.with_acts_as(visible)
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


class ActLine(Generic[S, O, E]):
    """The line of a journal: its acts that were not undone, the opening first, and the state after
    each of them.

    The numbers of the acts always rise. Only acts at the end are undone, a new act has the highest
    number of all, and nothing can be redone after a new act: what is redone follows directly on the
    acts from which it was removed."""

    def __init__(self, rules: Rules[S, O, E]) -> None:
        self._rules = rules
        self.acts: list[Entry[O, E]] = []
        self.states: list[S] = []
        """The state after each act."""
        self.struck: frozenset[int] = frozenset()
        """The numbers of the orders that are void."""
        self._undone: list[list[Entry[O, E]]] = []
        """The acts that each undo removed: "back" may remove many, and one redo restores all."""

    @property
    def last_state(self) -> S:
        """The state after the last act."""
        return self.states[-1]

    def counts(self, act: Entry[O, E]) -> bool:
        """Whether an act is the opening or an order that is not void."""
        return act.kind != "void" and act.number not in self.struck

    def index_of(self, number: int) -> int:
        """The index of the act with that number; raises Refused if it is not in the line."""
        # Found by halves, since numbers rise: a long journal is not searched through.
        index = bisect_left(self.acts, number, key=attrgetter("number"))
        if index == len(self.acts) or self.acts[index].number != number:
            raise nonsense("not_in_line", f"Entry {number} is not in the line.")
        return index

    def state_after_next(self, act: Entry[O, E]) -> S:
        """The state after an opening or an order that would come next."""
        before: S | None = None
        if self.states:
            before = self.states[-1]
        return fold(self._rules, act.events, before)

    def append(self, act: Entry[O, E], state_after: S) -> None:
        """Add an opening or an order. What was undone can no longer be redone."""
        self.acts.append(act)
        self.states.append(state_after)
        self._undone = []

    def changed_by(self, entry: Entry[O, E]) -> ActLine[S, O, E]:
        """The line after an undo, redo, void or "back"; raises Refused. This line stays as it is,
        so that an entry that is refused halfway has changed nothing."""
        after = self._copied()
        match entry.kind:
            case "undo":
                after._take_back(len(after.acts) - 1)
            case "back":
                # One target is stored. In a journal from elsewhere there may be several, of which
                # the latest counts, or none, which is refused like an undo of the opening.
                last_left = max(map(after.index_of, entry.targets), default=-1)
                after._take_back(last_left + 1)
            case "redo":
                after._redo()
            case "void":
                after._strike(entry)
                after._undone = []
        return after

    def with_acts_as(self, entries: Mapping[int, Entry[O, E]]) -> ActLine[S, O, E]:
        """The line with other entries, by their numbers, in the place of its own."""
        line = self._copied()
        line.acts = [entries[act.number] for act in self.acts]
        line._undone = []
        for acts in self._undone:
            line._undone.append([entries[act.number] for act in acts])
        return line

    def _copied(self) -> ActLine[S, O, E]:
        """A line with lists of its own: changing them does not change this line."""
        line: ActLine[S, O, E] = ActLine(self._rules)
        line.acts = list(self.acts)
        line.states = list(self.states)
        line.struck = self.struck
        line._undone = list(self._undone)
        return line

    def _take_back(self, first: int) -> None:
        """Undo the acts from index ``first`` on. Orders that an undone void had struck out are
        valid again."""
        if first == 0:  # the opening itself cannot be undone
            raise nonsense("nothing_to_undo", "Nothing has happened yet.")
        if first >= len(self.acts):  # back to the last act itself
            raise nonsense("nothing_to_undo", "Nothing has happened since.")
        undone = self.acts[first:]
        valid_again: set[int] = set()
        for act in undone:
            if act.kind == "void":
                valid_again.update(act.targets)
        # An order that is valid again changes every state after it, also those of acts that stay.
        # It is looked up before anything is removed, since it may be among the undone acts itself;
        # then no state that stays is changed, and ``_refold`` has nothing to do.
        changed_from = min(map(self.index_of, valid_again), default=first)
        del self.acts[first:], self.states[first:]
        self.struck -= valid_again
        self._undone.append(undone)
        self._refold(changed_from)

    def _redo(self) -> None:
        """Restore the acts that the last undo removed."""
        if not self._undone:
            raise nonsense("nothing_to_redo", "Nothing has been undone.")
        for act in self._undone.pop():
            if act.kind == "void":
                self._strike(act)
            else:
                state = self.state_after_next(act)
                self.acts.append(act)
                self.states.append(state)

    def _strike(self, void: Entry[O, E]) -> None:
        """Add a void; raises Refused unless all its targets are orders that count."""
        for number in void.targets:
            index = self.index_of(number)
            is_opening = index == 0
            if is_opening or not self.counts(self.acts[index]):
                raise nonsense("not_in_line", f"Entry {number} is not an order that still counts.")
        if not void.targets:
            raise nonsense("not_in_line", "Name the entries that are to be void.")
        self.acts.append(void)
        # A place for the state after the void, which ``_refold`` works out with all the others.
        self.states.append(self.last_state)
        self.struck |= set(void.targets)
        self._refold(self.index_of(min(void.targets)))

    def _refold(self, first: int) -> None:
        """Work out the states again from the act with that index on, which is never the
        opening."""
        for index in range(first, len(self.acts)):
            act, before = self.acts[index], self.states[index - 1]
            events: Sequence[E] = act.events
            if act.number in self.struck:
                events = self._rules.irreversible(events, before)
            self.states[index] = fold(self._rules, events, before)
