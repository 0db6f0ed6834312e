"""A journal as the store has it: its entries as lines of JSON, and a game replayed from them.

Begin with ``JournalCodec``. Whatever is wrong with stored lines is raised as a ``RecordError``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from operator import or_
from typing import Any, Generic, NamedTuple, TypeAlias

import msgspec

from skirmish.tabletop.journal import KINDS, E, Entry, O, Play, Rules, S

WITH_TARGETS = ("void", "back")
"""The kinds of entries that have targets instead of an order."""
Upcast: TypeAlias = Callable[[Any, Any], tuple[Any, Any]]
"""Gets the order and the events of an entry that today's version cannot read, as plain data (what
JSON decodes to), and returns both as today's version writes them."""


class EntryRecord(msgspec.Struct, frozen=True):
    """An entry of a journal as a line of the store. Numbers run 1, 2, 3 ... without a gap;
    ``order`` and ``events`` are JSON; ``at`` is the moment at which the line was stored, UTC in ISO
    form, and empty until then. An entry with targets has their numbers as its ``order``."""

    number: int
    kind: str
    order: str
    events: str
    at: str = ""


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
"""What a game may raise while it replays a journal that it did not write: a stored line can be
edited or damaged in any way, and then even an assertion of the rules fails."""


class RecordError(ValueError):
    """An entry that cannot be read or cannot follow: a sentence with its number and the reason."""


def union_of_tagged(base: Any) -> Any:
    """The type by which msgspec reads any order or event of a game: the union of all subclasses of
    ``base`` with a tag of their own. A type without such subclasses is returned as it is."""
    if not (isinstance(base, type) and issubclass(base, msgspec.Struct)):
        return base
    with_tag: list[Any] = []
    unvisited: list[Any] = [base]
    while unvisited:
        struct = unvisited.pop()
        unvisited += struct.__subclasses__()
        # A class that sets no tag has none, or, below one with a ``tag_field``, its own name.
        if struct.__struct_config__.tag not in (None, struct.__name__):
            with_tag.append(struct)
    if not with_tag:
        return base
    return reduce(or_, with_tag)  # A | B | C


class _Content(NamedTuple, Generic[O, E]):
    """The order of an entry, if it has one, and its events."""

    order: O | None
    events: tuple[E, ...]


class JournalCodec(Generic[S, O, E]):
    """Writes the entries of a game for the store, and reads them."""

    def __init__(
        self,
        rules: Rules[S, O, E],
        order: Any,
        event: Any,
        complete: Callable[[E], E] | None = None,
        upcast: Upcast | None = None,
    ) -> None:
        """``order`` and ``event`` are the types of all orders and events: a union, or a base class.
        ``complete`` adds to an event of a stored opening what openings have only in later versions
        of the program. ``upcast`` is for entries that an earlier version stored."""
        self._rules = rules
        self._complete = complete
        self._upcast = upcast
        order, event = union_of_tagged(order), union_of_tagged(event)
        # Decoders are made once: a long journal is read with them in a fraction of the time.
        self._order_decoder: msgspec.json.Decoder[O | None] = msgspec.json.Decoder(order | None)
        self._events_decoder: msgspec.json.Decoder[tuple[E, ...]] = msgspec.json.Decoder(
            tuple[event, ...]
        )
        self._targets_decoder = msgspec.json.Decoder(tuple[int, ...])

    def play(self, entries: Iterable[Entry[O, E]]) -> Play[S, O, E]:
        """The game of these entries; raises RecordError."""
        entries = list(entries)
        opening = entries[:1]  # empty for an empty journal, which ``Play`` refuses
        try:
            play: Play[S, O, E] = Play(self._rules, opening)
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
        order_or_targets: tuple[int, ...] | O | None = entry.order
        if entry.kind in WITH_TARGETS:
            order_or_targets = entry.targets
        order = msgspec.json.encode(order_or_targets).decode()
        events = msgspec.json.encode(entry.events).decode()
        return EntryRecord(entry.number, entry.kind, order, events)

    def read(self, record: EntryRecord) -> Entry[O, E]:
        """A stored line as an entry, an old one as today's version writes it; raises
        RecordError."""
        number, kind = record.number, record.kind
        if kind not in KINDS:
            raise RecordError(f"entry {number} is of a kind this version does not know: {kind!r}.")
        try:
            if kind in WITH_TARGETS:
                return Entry(number, kind, targets=self._targets_decoder.decode(record.order))
            order, events = self._decoded(record)
            if kind == "open" and self._complete is not None:
                events = tuple(self._complete(event) for event in events)
            return Entry(number, kind, order, events)
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            raise RecordError(f"entry {number} cannot be read: {error}.") from None

    def _decoded(self, record: EntryRecord) -> _Content[O, E]:
        """The order and the events of a stored line, of an earlier version if need be. Raises
        msgspec's errors for what no version has written."""
        try:
            return self._from_json(record.order, record.events)
        except msgspec.ValidationError as error:
            if self._upcast is None:
                raise
            try:
                return self._upcast_and_decoded(record, self._upcast)
            except REPLAY_ERRORS:
                # No version has written this. The error of today's version is about what is stored;
                # that of the upcaster is not.
                raise error from None

    def _upcast_and_decoded(self, record: EntryRecord, upcast: Upcast) -> _Content[O, E]:
        """The order and the events of a line that an earlier version stored."""
        old_order = msgspec.json.decode(record.order)
        old_events = msgspec.json.decode(record.events)
        order, events = upcast(old_order, old_events)
        order_json = msgspec.json.encode(order)
        events_json = msgspec.json.encode(events)
        return self._from_json(order_json, events_json)

    def _from_json(self, order: str | bytes, events: str | bytes) -> _Content[O, E]:
        """An order and its events as today's version writes them; raises msgspec's errors."""
        return _Content(self._order_decoder.decode(order), self._events_decoder.decode(events))
