"""A game that is played and stored at once, so that no order is shown before it is stored; and its
player, who types keys or lines.

``Session`` has no words and no keys: it takes orders, stores them, and reads what other programs
have written. ``Player`` puts orders together from what is typed or tapped; the screen
(``app/play``), the lines (``cli/line_play``) and the phones (``web/side_player``) are players.
"""

from __future__ import annotations

import asyncio
import gc
import secrets
from abc import abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Hashable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, TypeAlias, TypeVar

from skirmish import registry
from skirmish.store.errors import Outrun, StoreError
from skirmish.tabletop.commands import Command, Draft, half_typed
from skirmish.tabletop.game import Anyway, Game, Verdict
from skirmish.tabletop.journal import E, Entry, O, Play, S
from skirmish.tabletop.journal_codec import REPLAY_ERRORS, RecordError
from skirmish.tabletop.linked_games import Linked, LinkedGame
from skirmish.tabletop.refusal import Refusal, Refused, with_key_note
from skirmish.tabletop.slots import ESCAPE, Number, UnfitAnswer

if TYPE_CHECKING:
    from skirmish.store.database import Store


T = TypeVar("T")
MOST_SEARCHED = 5
"""The last games of a kind that are searched for what their players typed in of a printed game."""


def fresh_seed() -> int:
    """A seed for a deck or a die. Other programs read it as a number of JSON, which they hold
    exactly to 53 bits."""
    return secrets.randbits(48)


class Stored(Protocol):
    """Runs a job in the store's thread and awaits it."""

    def __call__(self, job: Callable[[Store], Any]) -> Awaitable[Any]:
        """The result of the job; raises StoreError."""


class Session(Generic[S, O, E]):
    """One game being played. ``give``, ``undo`` and ``redo`` return the entry once it is stored."""

    def __init__(
        self, game: Game[S, O, E], stored: Stored, number: int, play: Play[S, O, E]
    ) -> None:
        self.game = game
        self.id = number
        self.play = play
        self.typed: list[str] = []
        """Keys, or lines with their ends, that have not led to an order yet."""
        self._typed_at = len(play.entries)  # the length of the journal when it was typed
        self.linked: tuple[LinkedGame, ...] = ()
        """The stored games that belong to this one."""
        self._lengths_of_linked: list[tuple[int, int]] = []
        """Of each linked game its number, and the length of its play when this game was last told
        of it."""
        self.stored = stored
        self._version: int | None = None
        self._one_at_a_time = asyncio.Lock()

    @classmethod
    async def opened(cls, game: Game[S, O, E], stored: Stored, first: Entry[O, E]) -> Self:
        """A new game, stored from its first entry; raises StoreError."""
        play = game.codec.play([first])
        number = await _added(game, stored, play)
        return cls(game, stored, number, play)

    @classmethod
    async def resumed(cls, game: Game[S, O, E], stored: Stored, number: int) -> Self:
        """A stored game; raises StoreError, RecordError."""
        records = await stored(lambda store: store.entries(number))
        gc.disable()  # a long journal makes no garbage; collecting took a third of the time
        try:
            play = game.codec.replay(records)
            game.check_screens(play.state)  # now, to refuse a state that no screen could show
        except REPLAY_ERRORS as error:
            if isinstance(error, RecordError):
                raise
            raise RecordError(f"its screen cannot be drawn: {error}.") from None
        finally:
            gc.freeze()  # excluded from later collections
            gc.enable()
        session = cls(game, stored, number, play)
        session.typed = await stored(lambda store: store.typed(number, len(records)))
        await session.look_beside()
        return session

    @property
    def state(self) -> S:
        """As the game stands now."""
        return self.play.state

    async def give(self, order: O, after: int | None = None) -> Entry[O, E]:
        """Carry out an order; raises Refused, StoreError, Outrun, RecordError. ``after``: only as
        the next of so many entries, otherwise it raises Outrun."""
        correction = self.game.correction(self.play, order)
        if correction is None:
            return await self._append(lambda: self.play.consider(order), after)
        # The order puts an earlier one right: back to that one, and on with the right order.
        back_to, right_order = correction.back_to, correction.order
        self.play.put_right(back_to, right_order)  # refused before anything is stored
        await self._append(lambda: self.play.possible("back", back_to), after)
        return await self._append(lambda: self.play.consider(right_order))

    async def has_news(self) -> bool:
        """Whether others may have written; cheap, and changes nothing. Raises StoreError."""
        version = await self.stored(lambda store: store.version)
        return bool(version != self._version)

    async def catch_up(self) -> bool:
        """Read what other programs have written; returns whether there was something. Cheap while
        nothing is written. Raises StoreError, RecordError."""
        version = await self.stored(lambda store: store.version)
        if version == self._version:
            return False
        async with self._one_at_a_time:
            entries_before = len(self.play.entries)
            await self._read_new_entries()
            self._version = version
        changed_beside = await self.look_beside()
        return changed_beside or len(self.play.entries) > entries_before

    async def type(self, *typed: str) -> None:
        """Store what else has been typed since the last order, for a later resume; without
        arguments, discard it."""
        entries = len(self.play.entries)
        typed_since: list[str] = []
        if typed and entries == self._typed_at:
            typed_since = [*self.typed, *typed]
        elif typed:  # what was typed before has led to an order since
            typed_since = [*typed]
        is_new = typed_since != self.typed
        self.typed = typed_since
        self._typed_at = entries
        if is_new:
            # An order that cannot be stored is reported; of unfinished keys nothing is lost but
            # the resume.
            with suppress(StoreError):
                await self.stored(lambda store: store.set_typed(self.id, entries, typed_since))

    async def look_beside(self) -> bool:
        """Read the games that belong to this one, and open the one that is to be fought if it is
        not stored yet; returns whether something has changed. Raises StoreError."""
        linked = []
        for link in self.game.links(self.state):
            game = await self._linked_game(link)
            if game is not None:
                linked.append(game)
        self.linked = tuple(linked)
        lengths: list[tuple[int, int]] = []
        for game in linked:
            length = 0  # of one that was not read
            if game.play is not None:
                length = len(game.play)
            lengths.append((game.number, length))
        if lengths == self._lengths_of_linked:
            return False
        self._lengths_of_linked = lengths
        self.game = self.game.with_linked(self.linked)
        return True

    async def _linked_game(self, link: Linked) -> LinkedGame | None:
        """A linked game with what is new of its play; opened where it should be stored and is not.
        None: it is not stored."""
        number = await self.stored(lambda store: store.last_opened_with(link.kind, link.mark))
        game = registry.load(link.kind)
        if number is None:
            if link.opens is None:
                return None
            play = game.codec.play([link.opens()])
            if link.first_orders is not None:
                for order in link.first_orders(play.state):
                    play.accept(play.consider(order))
            number = await _added(game, self.stored, play, link.mark)
        if not link.reads:
            return LinkedGame(link, number)
        # Most battles of a long campaign were counted long ago, and need not be read again.
        if link.known_entries and not await self.stored(
            lambda store: store.entries(number, link.known_entries)
        ):
            return LinkedGame(link, number)
        try:
            return LinkedGame(link, number, await self._play_of(game, number))
        except RecordError:
            return LinkedGame(link, number)  # a battle that cannot be read stops no campaign

    async def _play_of(self, game: Game[Any, Any, Any], number: int) -> Play[Any, Any, Any]:
        """A linked game as it is stored now: the play read before, with what is new of it. Raises
        StoreError, RecordError."""
        play: Play[Any, Any, Any] | None = None
        for linked_game in self.linked:
            if linked_game.number == number:
                play = linked_game.play
        if play is None:
            return game.codec.replay(await self.stored(lambda store: store.entries(number)))
        last_read = len(play)
        for record in await self.stored(lambda store: store.entries(number, last_read)):
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
        """Store the entry that ``consider`` returns, then accept it. If another program was faster,
        its entries are read and Outrun is raised without carrying out the order. One at a time: an
        order is considered only when the one before it is stored."""
        async with self._one_at_a_time:
            if after not in (None, len(self.play.entries)):
                raise Outrun(f"This was meant to follow entry {after}.")
            entry = consider()
            state = self.play.after(entry)
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
        if any(link.reads for link in self.game.links(self.state)):
            await self.look_beside()
        return entry

    async def _read_new_entries(self) -> None:
        """Read the entries that others have stored since."""
        last_read = len(self.play.entries)
        for record in await self.stored(lambda store: store.entries(self.id, last_read)):
            self.game.codec.follow(self.play, self.game.codec.read(record))


async def _added(game: Game[S, O, E], stored: Stored, play: Play[S, O, E], mark: str = "") -> int:
    """Stores a game that has just begun, and returns its number. Raises StoreError. ``mark``: the
    words in the opening of a linked game by which it is known; if another program has stored that
    game already, the number is that of the stored one."""
    entries = [game.codec.written(entry) for entry in play.entries]
    title, headline = game.title(play.state), game.headline(play.state)
    number: int = await stored(
        lambda store: store.add_battle(game.id, title, headline, entries, mark=mark).id
    )
    return number


def check_lines(numbers: Sequence[int]) -> str:
    """The sentence about lines that would have come out otherwise; empty without any."""
    if not numbers:
        return ""
    if len(numbers) == 1:
        return f"Check line {numbers[0]}: it would have come out otherwise."
    *others, last = map(str, numbers)
    return f"Check lines {', '.join(others)} and {last}: they would have come out otherwise."


AnySession: TypeAlias = Session[Any, Any, Any]
AnyDraft: TypeAlias = Draft[Any]
AnyCommand: TypeAlias = Command[Any]


class Player:
    """Who plays a game. ``draft`` is the command being composed, if any; ``refusal`` the last one.
    What happens is shown by subclasses."""

    # Not an ``ABC``: a screen of Textual is a player too, and has a metaclass of its own. That a
    # subclass has the abstract methods is checked by mypy.

    def __init__(self, session: AnySession) -> None:
        self.session = session
        self.game = session.game
        self.draft: AnyDraft | None = None
        self.refusal: Refusal | None = None
        self.ended_with_number = False
        """Whether the last answer of the last order was a number that was complete without Enter.
        A player who types Enter after it all the same means that number: this Enter does
        nothing."""
        self._anyway: Anyway | None = None
        """The orders that overrule the last refusal; None if none do."""
        self._results: dict[Hashable, Any] = {}
        self._results_for: tuple[object, ...] = ()
        """The play, its length and the game for which the results hold."""
        self.begin_with(session.typed)

    @abstractmethod
    def say(self, sentence: str, key_note: str = "") -> None:
        """Show a message; ``key_note`` stands behind it for those who have keys."""

    @abstractmethod
    async def failed(self, error: StoreError | RecordError) -> None:
        """Show why an order could not be stored."""

    def show_state(self) -> None:
        """Show the state and the draft as they are now."""

    def show_result(self) -> None:
        """Show what an order has led to."""
        self.show_state()

    def changed(self) -> None:
        """A hook for subclasses, called after the game has changed."""

    def take_game(self) -> None:
        """Take over what the session's game knows by now of other stored games."""
        self.game = self.session.game

    async def look_beside(self) -> None:
        """Look what has become of the stored games that belong to this one."""
        with suppress(StoreError):  # the next order says why
            if await self.session.look_beside():
                self.take_game()
                self.begin()
                self.show_state()

    @property
    def to_go(self) -> LinkedGame | None:
        """The linked game that a player would go to; None if there is none."""
        for game in reversed(self.session.linked):
            if game.link.goes_on:
                return game
        return None

    @property
    def nowhere_to_go(self) -> str:
        """Why there is no linked game to go to, as a sentence."""
        if self.session.linked:
            return "None of the games that belong to this one is being played now."
        return "No other game belongs to this one."

    def seed(self) -> int:
        """A fresh seed for a deck or a die."""
        return fresh_seed()

    @property
    def state(self) -> Any:
        """The state of the game as it is stored."""
        return self.session.state

    def once(self, name: Hashable, build: Callable[[], T]) -> T:
        """The result of ``build`` for the current state, worked out once for it, so that a repaint
        asks the game nothing."""
        present = (self.session.play, len(self.session.play), self.game)
        if present != self._results_for:
            self._results = {}
            self._results_for = present
        if name not in self._results:
            self._results[name] = build()
        result: T = self._results[name]
        return result

    @property
    def commands(self) -> tuple[AnyCommand, ...]:
        """What can be done now."""
        return self.once("commands", lambda: self.game.commands(self.state))

    @property
    def prompt(self) -> AnyCommand | None:
        """The command that the game waits for; None if any may be given."""
        return self.once("prompt", lambda: self.game.prompt(self.state))

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.once("over", lambda: self.game.over(self.state))

    @property
    def verdict(self) -> Verdict | None:
        """The last result, for large letters; None if there is none."""
        return self.once("verdict", lambda: self.game.verdict(self.session.play))

    @property
    def draft_in_hand(self) -> AnyDraft | None:
        """The draft, or else the command that the next answer begins."""
        if self.draft is not None:
            return self.draft
        return self.once("keyless", self._keyless)

    def _keyless(self) -> AnyDraft | None:
        """The command that begins with its first answer, without a key."""
        for command in self.commands:
            if not command.key and not command.why_not:
                return Draft(command=command)
        return None

    @property
    def may_insist(self) -> bool:
        """Whether an order was just refused that the players can give against the rules' advice."""
        return self._anyway is not None

    def begin(self) -> None:
        """Begin anew: with the open question, or with nothing."""
        self.draft = None
        if self.prompt is not None:
            self.draft = Draft(command=self.prompt)
        self._anyway = None
        self.refusal = None

    def begin_with(self, typed: list[str]) -> None:
        """Begin, and continue with what was typed if it still has a meaning."""
        self.begin()
        self.session.typed = []
        if not typed:
            return
        untouched = self.draft
        self.draft = half_typed(untouched, self.commands, typed)
        if self.draft is not untouched:
            self.session.typed = typed

    async def overtaken(self) -> None:
        """Go on after entries of others; what was typed stays if it still has a meaning."""
        self.take_game()
        self.begin_with(self.session.typed)
        typed = self.session.typed
        self.session.typed = []  # it is stored anew, as typed after the entries of the others
        if typed:
            await self.session.type(*typed)
        self.changed()
        self.show_state()

    def command(self, key: str) -> AnyCommand | None:
        """The command that this key begins."""
        for command in self.commands:
            if command.key == key:
                return command
        return None

    @asynccontextmanager
    async def recording(self, typed: str) -> AsyncIterator[None]:
        """Store what is typed here for a later resume, if it changes the draft."""
        before, entries = self.draft, len(self.session.play.entries)
        yield
        draft = self.draft
        if draft is None or not draft.in_hand:
            # Nothing is begun any more.
            await self.session.type()
        elif len(self.session.play.entries) > entries:
            # The key gave an order, which opened the next command: as if its key had been typed.
            await self.session.type(draft.command.key)
        elif draft is not before:
            await self.session.type(typed)

    async def take(self, draft: AnyDraft) -> None:
        """Continue with a draft; give its order if it is complete."""
        before = self.draft
        self._anyway = None
        if not draft.complete:
            self.draft = draft
            if draft.refused:
                self.say(draft.refusal.message, draft.refusal.key_note)
            else:
                self.show_state()
            return
        if not await self.give([draft.order(self.seed)]):
            self.draft = self.after_refusal(before, draft)
            self.show_state()
            return
        self.ended_with_number = draft.ends_with_number
        # Nothing is opened after a repetition that was refused.
        if await self._repeat(draft):
            await self._open_next(draft)

    async def _repeat(self, draft: AnyDraft) -> bool:
        """Give the order of a command that repeats itself until the game stops it; returns whether
        none was refused."""
        while draft.command.repeat and not self.game.stops(self.session.state):
            if not await self.give([draft.order(self.seed)]):
                return False
        return True

    async def _open_next(self, draft: AnyDraft) -> None:
        """Begin the command that follows at once after this one, if any, or the same one again."""
        key = draft.next_key or draft.command.leads_to
        if not key and draft.command.reopens:
            key = draft.command.key
        if not key:
            return
        following = self.command(key)
        if following is None or following.why_not or following.by_key_only:
            return
        await self.take(Draft(command=following))

    def after_refusal(self, before: AnyDraft | None, refused: AnyDraft) -> AnyDraft | None:
        """The draft to go on with after an order was refused; ``before`` is that from before its
        last answer."""
        if before is not None and before.begun and not isinstance(before.slot, Number):
            # The last answer was chosen: it is chosen anew, and those before it stay.
            return before
        has_questions = bool(refused.slots)
        if refused.command.key and has_questions:
            # A number, or the only answer: the command stands there as after its key.
            return Draft(command=refused.command)
        # A key that asks nothing has nothing to begin anew, and a prompt is asked again.
        return before

    async def give(self, orders: Sequence[Any]) -> bool:
        """Give orders one after the other; returns whether all were carried out. The rest is left
        out where one is not."""
        for order in orders:
            if not await self.carry_out(self.session.give(order), order):
                return False
        return True

    async def carry_out(self, work: Awaitable[Entry[Any, Any]], order: Any = None) -> bool:
        """Wait until an order is stored, then show its result or why it failed; returns whether it
        was carried out. ``order``: the one that ``insist`` may give all the same; None: an undo,
        a redo or a correction, on which nobody insists."""
        try:
            await work
        except Refused as refused:
            self.refusal = refused.refusal
            self._anyway = None
            if order is not None and not refused.refusal.firm:
                self._anyway = self.game.anyway(self.session.state, order)
            key_note = refused.refusal.key_note
            if self._anyway is not None:  # ! is the key of ``insist``
                key_note = with_key_note(key_note, f"! {self._anyway.text}")
            self.say(refused.refusal.message, key_note)
            return False
        except (StoreError, RecordError) as error:
            await self.failed(error)
            return False
        self.take_game()
        self.begin()
        self.changed()
        self.show_result()
        to_check = self.to_check()
        if to_check:
            self.say(to_check)
        return True

    def to_check(self) -> str:
        """What the last order, if it was a correction, would have changed; empty if nothing."""
        return check_lines(self.game.to_check(self.session.play))

    async def back(self, key: str) -> None:
        """Esc drops what is typed, then the whole command; Backspace goes one step back. Raises
        UnfitAnswer."""
        draft = self.draft
        self._anyway = None
        if draft is not None and draft.in_hand:
            after = draft.after_backspace()
            if key == ESCAPE:
                after = draft.after_escape()
            self.begin()
            if after is not None and after.in_hand:
                self.draft = after
            self.show_state()
        elif key == ESCAPE:
            await self._escape()
        elif draft is not None and draft.next_is_typed:
            # Backspace once too often is meant for what was typed, not for the last order.
            raise UnfitAnswer("Nothing is typed.", key_note="Ctrl+Z undoes the last order.")
        else:
            await self.carry_out(self.session.undo())

    async def _escape(self) -> None:
        """Esc where nothing is begun: the game's own command of that key, if it has one."""
        command = self.command(ESCAPE)
        if command is None:
            await self.step_out()
        else:
            await self.take(Draft(command=command))

    async def step_out(self) -> None:
        """Esc where nothing is begun: undo what led to the prompt, if it says so."""
        if self.draft is not None and self.draft.command.takes_back:
            await self.carry_out(self.session.undo())

    async def insist(self) -> None:
        """Give the orders that overrule the last advice; before any, those that would overrule the
        advice against the draft."""
        anyway = self._anyway
        draft = self.draft
        if anyway is None and draft is not None and draft.ready:
            order = draft.confirmed().order(self.seed)
            anyway = self.game.anyway(self.session.state, order)
        if anyway is None:
            self.say("There is nothing to insist on.")
        else:
            await self.give(anyway.orders)

    async def same(self) -> None:
        """Give the last shot, roll or the like again."""
        order = self.game.same_again(self.session.play)
        if order is None:
            self.say("There is nothing to repeat yet.")
        else:
            await self.give([order])


def of_store(store: Store) -> Stored:
    """What runs the jobs of a session in a program that uses the store in its own thread; see
    ``at_once``."""

    async def stored(job: Callable[[Store], Any]) -> Any:
        return job(store)

    return stored


async def with_typed_in(game: Game[Any, Any, Any], stored: Stored) -> Game[Any, Any, Any]:
    """The game with what its players typed in of the printed game, such as the tables of their own
    copy: as it is in the newest of their games that can be read and has some of it; else unchanged.
    Raises StoreError."""
    if not game.has_memory:
        return game
    records = await stored(lambda store: store.battles())
    of_this_game = [record for record in records if record.game == game.id]
    for record in of_this_game[:MOST_SEARCHED]:
        entries = await stored(lambda store, id=record.id: store.entries(id))  # type: ignore[misc]
        with suppress(*REPLAY_ERRORS):
            completed = game.remembering(game.codec.replay(entries).state)
            if completed is not game:
                return completed
    return game


def at_once(work: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine of a session ``of_store``, which never suspends."""
    try:
        work.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    raise RuntimeError("it waits for somebody else")
