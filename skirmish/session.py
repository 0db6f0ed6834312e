"""A game that is played and stored at once, so that no order is shown before it is stored.

``Session`` has no words and no keys: it takes orders, stores them, and reads what other programs
have written. A ``Player`` (``player.py``) puts orders together from what is typed or tapped.
"""

from __future__ import annotations

import asyncio
import gc
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, Self, TypeAlias, TypeVar

from skirmish import registry
from skirmish.store.errors import Outrun, StoreError
from skirmish.tabletop.game import Game
from skirmish.tabletop.journal import E, Entry, O, Play, S
from skirmish.tabletop.journal_codec import REPLAY_ERRORS, EntryRecord, RecordError
from skirmish.tabletop.linked_games import GameLink, LinkedGame

if TYPE_CHECKING:
    from skirmish.store.database import Store


T = TypeVar("T")
MOST_SEARCHED = 5
"""How many of the newest games of a kind are searched for what their players typed in of the
printed game."""


def fresh_seed() -> int:
    """A seed for a deck or a die. It is small enough for other programs that read it from JSON:
    many of them are exact only up to 53 bits."""
    return secrets.randbits(48)


class Stored(Protocol):
    """Runs a job in the store's thread and awaits it."""

    def __call__(self, job: Callable[[Store], Any]) -> Awaitable[Any]:
        """The result of the job; raises StoreError."""


class _LinkedLength(NamedTuple):
    """A linked game and the length of its journal as far as it was read."""

    number: int
    length: int


class Session(Generic[S, O, E]):
    """One game being played. ``give``, ``undo``, ``redo``, ``void`` and ``back`` return their entry
    once it is stored."""

    def __init__(
        self, game: Game[S, O, E], stored: Stored, number: int, play: Play[S, O, E]
    ) -> None:
        self.game = game
        self.id = number
        self.play = play
        self.typed: list[str] = []
        """The keys, or the lines with their ends, that have not led to an order yet."""
        self._length_when_typed = len(play)
        """The length of the journal when ``typed`` was typed."""
        self.linked: tuple[LinkedGame, ...] = ()
        """The stored games that belong to this one."""
        self._lengths_of_linked: list[_LinkedLength] = []
        """How long the linked games were when they were last passed on to this game."""
        self.stored = stored
        """Runs a job in the thread of the store."""
        self._version_read: int | None = None
        """The version of the store when ``catch_up`` last read it; None before that."""
        self._one_at_a_time = asyncio.Lock()
        """Held while entries are stored or read, so that orders follow one another."""

    @classmethod
    async def opened(cls, game: Game[S, O, E], stored: Stored, first: Entry[O, E]) -> Self:
        """A new game, stored from its first entry; raises StoreError."""
        play = game.codec.play([first])
        number = await _store_new_game(game, stored, play)
        return cls(game, stored, number, play)

    @classmethod
    async def resumed(cls, game: Game[S, O, E], stored: Stored, number: int) -> Self:
        """A stored game, as far as it was played; raises StoreError, RecordError."""
        records = await _records_of(stored, number)
        gc.disable()  # a long journal makes no garbage; collecting took a third of the time
        try:
            play = game.codec.replay(records)
            game.check_screens(play.state)  # now, to refuse a state that no screen could show
        except REPLAY_ERRORS as error:
            # ``replay`` raises RecordError, which has its own text. Any other error is taken to
            # come from what the screens call.
            if isinstance(error, RecordError):
                raise
            raise RecordError(f"its screen cannot be drawn: {error}.") from None
        finally:
            gc.freeze()  # excluded from later collections
            gc.enable()
        session = cls(game, stored, number, play)
        session.typed = await stored(lambda store: store.typed(number, len(records)))
        await session.read_linked_games()
        return session

    @property
    def state(self) -> S:
        """The present state of the game."""
        return self.play.state

    async def give(self, order: O, after: int | None = None) -> Entry[O, E]:
        """Carry out an order; raises Refused, StoreError, Outrun, RecordError. With ``after`` it
        raises Outrun unless the journal has exactly so many entries."""
        correction = self.game.correction(self.play, order)
        if correction is None:
            return await self._append(lambda: self.play.consider(order), after)
        # The order corrects an earlier one: the game goes back to that one, and on with the right
        # order. Try both together first: a refusal must come before anything is stored.
        back_to, right_order = correction.back_to, correction.order
        self.play.check_correction(back_to, right_order)
        await self._append(lambda: self.play.possible("back", back_to), after)
        return await self._append(lambda: self.play.consider(right_order))

    async def has_news(self) -> bool:
        """Whether other programs may have written since ``catch_up``; cheap. Raises StoreError."""
        version = await self.stored(lambda store: store.data_version)
        return bool(version != self._version_read)

    async def catch_up(self) -> bool:
        """Read what other programs have written; returns whether this game or a linked one has
        changed. Cheap while nobody writes. Raises StoreError, RecordError."""
        version = await self.stored(lambda store: store.data_version)
        if version == self._version_read:
            return False
        async with self._one_at_a_time:
            entries_before = len(self.play)
            await self._read_new_entries()
            self._version_read = version
        linked_games_changed = await self.read_linked_games()
        return linked_games_changed or len(self.play) > entries_before

    async def type(self, *typed: str) -> None:
        """Store what has now been typed, behind what was typed since the last order, for a later
        resume. Without arguments, discard all of it."""
        entries = len(self.play)
        typed_since: list[str] = []
        if typed and entries == self._length_when_typed:
            typed_since = [*self.typed, *typed]
        elif typed:  # what was typed before has led to an order since
            typed_since = [*typed]
        is_new = typed_since != self.typed
        self.typed = typed_since
        self._length_when_typed = entries
        if is_new:
            # A failure is ignored: unlike orders, half-typed keys can be typed again, and if the
            # store is really broken, the next order reports it.
            with suppress(StoreError):
                await self.stored(lambda store: store.set_typed(self.id, entries, typed_since))

    async def read_linked_games(self) -> bool:
        """Read the games that belong to this one, such as the battles of a campaign. One that is to
        be fought and not stored yet is begun and stored. Returns whether something has changed.
        Raises StoreError."""
        linked = []
        for link in self.game.links(self.state):
            linked_game = await self._find_or_begin(link)
            if linked_game is not None:
                linked.append(linked_game)
        self.linked = tuple(linked)
        lengths: list[_LinkedLength] = []
        for linked_game in linked:
            length = 0  # its play was not read
            if linked_game.play is not None:
                length = len(linked_game.play)
            lengths.append(_LinkedLength(linked_game.number, length))
        if lengths == self._lengths_of_linked:
            return False
        self._lengths_of_linked = lengths
        self.game = self.game.with_linked(self.linked)
        return True

    async def _find_or_begin(self, link: GameLink) -> LinkedGame | None:
        """A linked game with what is new of its play; begun if this game ``opens`` it and it is not
        stored yet. None: it is not stored, and this game does not open it."""
        number = await self.stored(lambda store: store.last_opened_with(link.kind, link.mark))
        game = registry.load(link.kind)
        if number is None:
            if link.opens is None:
                return None
            play = game.codec.play([link.opens()])
            if link.first_orders is not None:
                for order in link.first_orders(play.state):
                    play.accept(play.consider(order))
            number = await _store_new_game(game, self.stored, play, link.mark)
        return await self._read_linked(link, game, number)

    async def _read_linked(
        self, link: GameLink, game: Game[Any, Any, Any], number: int
    ) -> LinkedGame:
        """A stored linked game, with its play if it has to be read and can be."""
        if not link.needs_play:
            return LinkedGame(link, number)
        # Most battles of a long campaign were counted long ago. One without a new entry since
        # need not be read again.
        if link.known_entries > 0:
            new_records = await _records_of(self.stored, number, after=link.known_entries)
            if not new_records:
                return LinkedGame(link, number)
        try:
            return LinkedGame(link, number, await self._play_of(game, number))
        except RecordError:
            return LinkedGame(link, number)  # the campaign goes on without an unreadable battle

    async def _play_of(self, game: Game[Any, Any, Any], number: int) -> Play[Any, Any, Any]:
        """A linked game as it is stored now: the play read before, with what is new of it. Raises
        StoreError, RecordError."""
        play: Play[Any, Any, Any] | None = None
        for linked_game in self.linked:
            if linked_game.number == number:
                play = linked_game.play
        if play is None:
            return game.codec.replay(await _records_of(self.stored, number))
        for record in await _records_of(self.stored, number, after=len(play)):
            game.codec.follow(play, game.codec.read(record))
        return play

    async def undo(self, after: int | None = None) -> Entry[O, E]:
        """Undo the last order; raises Refused, StoreError, Outrun."""
        return await self._append(lambda: self.play.possible("undo"), after)

    async def redo(self) -> Entry[O, E]:
        """Redo the order undone last; raises Refused, StoreError, Outrun."""
        return await self._append(lambda: self.play.possible("redo"))

    async def void(self, numbers: Sequence[int]) -> Entry[O, E]:
        """Make these entries void, and give the order that follows from it, if any; raises Refused,
        StoreError, Outrun."""
        entry = await self._append(lambda: self.play.possible("void", *numbers))
        order = self.game.follow_up(self.state)
        if order is not None:
            await self.give(order)
        return entry

    async def back(self, number: int) -> Entry[O, E]:
        """Undo everything after an entry; raises Refused, StoreError, Outrun."""
        return await self._append(lambda: self.play.possible("back", number))

    async def _append(
        self, consider: Callable[[], Entry[O, E]], after: int | None = None
    ) -> Entry[O, E]:
        """Store the entry that ``consider`` returns, then accept it. If another program has stored
        an entry first, read its entries and raise Outrun without carrying out the order. An order
        is considered only when the one before it is stored."""
        async with self._one_at_a_time:
            if after is not None and after != len(self.play):
                raise Outrun(f"This was meant to follow entry {after}.")
            entry = consider()
            state = self.play.state_with(entry)
            written = self.game.codec.written(entry)
            headline, over = self.game.headline(state), self.game.over(state)
            try:
                await self.stored(
                    lambda store: store.append(self.id, written, headline=headline, over=over)
                )
            except Outrun:
                await self._read_new_entries()
                raise
            self.play.accept(entry)
        if any(link.needs_play for link in self.game.links(self.state)):
            await self.read_linked_games()
        return entry

    async def _read_new_entries(self) -> None:
        """Read the entries that other programs have stored since the last reading."""
        last_read = len(self.play)
        for record in await _records_of(self.stored, self.id, after=last_read):
            self.game.codec.follow(self.play, self.game.codec.read(record))


async def _records_of(stored: Stored, number: int, after: int = 0) -> list[EntryRecord]:
    """The entries of a stored game as they are written, from the one that follows the entry with
    the number ``after``; raises StoreError."""
    records: list[EntryRecord] = await stored(lambda store: store.entries(number, after))
    return records


async def _store_new_game(
    game: Game[S, O, E], stored: Stored, play: Play[S, O, E], mark: str = ""
) -> int:
    """Store a game that has just begun; returns its number. Raises StoreError. ``mark`` is the text
    in the opening of a linked game by which it is recognized: if another program has stored that
    game already, the number is that of the stored one."""
    entries = [game.codec.written(entry) for entry in play.entries]
    title, headline = game.title(play.state), game.headline(play.state)
    number: int = await stored(
        lambda store: store.add_battle(game.id, title, headline, entries, mark=mark).id
    )
    return number


AnySession: TypeAlias = Session[Any, Any, Any]


def job_runner(store: Store) -> Stored:
    """A function that runs the jobs of a session in the thread that calls it, for programs that
    have no thread of the store; ``at_once`` then returns the results."""

    async def stored(job: Callable[[Store], Any]) -> Any:
        return job(store)

    return stored


async def with_typed_tables(game: Game[Any, Any, Any], stored: Stored) -> Game[Any, Any, Any]:
    """The game with what its players typed in of the printed game, such as the tables of their own
    copy. It is taken from the newest stored game that can be read and has some of it; if none has,
    the game is returned unchanged. Raises StoreError."""
    if not game.has_memory:
        return game
    records = await stored(lambda store: store.battles())
    of_this_game = [record for record in records if record.game == game.id]
    for record in of_this_game[:MOST_SEARCHED]:
        entries = await _records_of(stored, record.id)
        with suppress(*REPLAY_ERRORS):
            completed = game.remembering(game.codec.replay(entries).state)
            # ``remembering`` returns the game itself if its players typed nothing in.
            if completed is not game:
                return completed
    return game


def at_once(work: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine of a session whose jobs a ``job_runner`` runs: such a coroutine
    never has to wait, so its first step is its last."""
    try:
        work.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    raise RuntimeError("it waits for somebody else")
