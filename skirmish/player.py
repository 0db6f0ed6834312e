"""The player of a game. What is typed or tapped becomes a draft, a complete draft becomes an order,
and the session carries it out and stores it.

The screen (``app/play``), the lines (``cli/line_play``) and the phones (``web/side_player``) are
players. Each shows in its own way what comes of an order.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeAlias, TypeVar

from skirmish.session import AnySession, fresh_seed
from skirmish.store.errors import StoreError
from skirmish.tabletop.commands import Command, Draft, half_typed
from skirmish.tabletop.game import Anyway, Verdict
from skirmish.tabletop.journal import Entry
from skirmish.tabletop.journal_codec import RecordError
from skirmish.tabletop.linked_games import LinkedGame
from skirmish.tabletop.refusal import Refusal, Refused, with_key_note
from skirmish.tabletop.slots import ESCAPE, Number, UnfitAnswer

T = TypeVar("T")
AnyDraft: TypeAlias = Draft[Any]
AnyCommand: TypeAlias = Command[Any]
KEYLESS = "keyless"
"""The name under which ``Player.once`` stores the command that begins with its first answer."""


class Player:
    """Puts orders together from what is typed or tapped, and has the session carry them out.
    ``draft`` is the command being composed, if any; ``refusal`` is why the last order was refused,
    until the next one begins. Subclasses show what happens.

    A draft is ``begun`` once anything was typed or answered since its command began. It is
    ``in_hand`` if it is begun, or if a key began its command, so that Esc has something to drop. It
    is ``ready`` once no required answer is missing, and ``complete`` once no answer at all is.
    """

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
        """The play, its length and the game that ``_results`` are for: if one of them is another,
        the state may be too. Empty before the first."""
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

    async def refresh_linked_games(self) -> None:
        """Read the stored games that belong to this one, and show what has changed."""
        with suppress(StoreError):  # the next order reports it
            if await self.session.read_linked_games():
                self.take_game()
                self.begin()
                self.show_state()

    @property
    def linked_game_to_open(self) -> LinkedGame | None:
        """The linked game that is being played, the latest if there are several; None if there is
        none."""
        for game in reversed(self.session.linked):
            if game.link.goes_on:
                return game
        return None

    @property
    def why_no_linked_game(self) -> str:
        """Why there is no linked game to open, as a sentence."""
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
        """The result of ``build`` for the current state, worked out once for it under this
        ``name``, so that a repaint asks the game nothing."""
        results_wanted_for = (self.session.play, len(self.session.play), self.game)
        if results_wanted_for != self._results_for:
            self._results = {}
            self._results_for = results_wanted_for
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
        """The result of the last order, for large letters; None if there is none."""
        return self.once("verdict", lambda: self.game.verdict(self.session.play))

    @property
    def draft_in_hand(self) -> AnyDraft | None:
        """The draft, or, without one, the command that begins with its first answer (not only a
        draft that is ``in_hand``)."""
        if self.draft is not None:
            return self.draft
        return self.once(KEYLESS, self._keyless)

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
        """Begin, and go on from what was typed (``session.typed``) if it still has a meaning;
        otherwise it is forgotten."""
        self.begin()
        self.session.typed = []
        if not typed:
            return
        untouched = self.draft
        # It is the same draft if what was typed has no meaning any more.
        self.draft = half_typed(untouched, self.commands, typed)
        if self.draft is not untouched:
            self.session.typed = typed

    async def overtaken(self) -> None:
        """Go on after entries that others have stored. What was typed stays if it still has a
        meaning."""
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
        """While this lasts, ``typed`` is being handled; afterwards it is stored for a later resume
        if it has changed the draft."""
        draft_before, entries_before = self.draft, len(self.session.play.entries)
        yield
        draft = self.draft
        if draft is None or not draft.in_hand:
            # Nothing is begun any more: without arguments, ``type`` discards what was typed.
            await self.session.type()
        elif len(self.session.play.entries) > entries_before:
            # The key gave an order, and the next command opened by itself. For a resume that is as
            # if the key of this command had been typed.
            await self.session.type(draft.command.key)
        elif draft is not draft_before:
            await self.session.type(typed)

    async def take(self, draft: AnyDraft) -> None:
        """Continue with a draft; give its order if it is complete."""
        draft_before = self.draft
        self._anyway = None
        if not draft.complete:
            self.draft = draft
            if draft.refused:
                self.say(draft.refusal.message, draft.refusal.key_note)
            else:
                self.show_state()
            return
        if not await self.give([draft.order(self.seed)]):
            self.draft = self.after_refusal(draft_before, draft)
            self.show_state()
            return
        self.ended_with_number = draft.ends_with_number
        # If a repetition was refused, the next command does not open.
        no_repetition_refused = await self._repeat(draft)
        if no_repetition_refused:
            await self._open_next(draft)

    async def _repeat(self, draft: AnyDraft) -> bool:
        """Give the order of a command that repeats itself until the game stops it; returns whether
        none was refused."""
        while draft.command.repeat and not self.game.stops_repeating(self.session.state):
            if not await self.give([draft.order(self.seed)]):
                return False
        return True

    async def _open_next(self, draft: AnyDraft) -> None:
        """Begin the command that follows at once after this one, or this one again if it reopens.
        Nothing is begun if there is no such command, or if only its key may begin it."""
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
        """The draft to go on with after the order of the draft ``refused`` was refused. ``before``
        is the draft as it was before the last answer; None if there was none."""
        if before is not None and before.begun and not isinstance(before.slot, Number):
            # The last answer was chosen from a list, such as a target after the shooter. Only this
            # one is asked again.
            return before
        has_questions = bool(refused.slots)
        if refused.command.key and has_questions:
            # The last answer was a number, such as how many fire, or the only one: the command
            # begins again, as if its key had just been typed.
            return Draft(command=refused.command)
        # The command had no questions, and what was there before its key goes on; or it was a
        # prompt, which has no key: the draft before its last answer asks it again.
        return before

    async def give(self, orders: Sequence[Any]) -> bool:
        """Give orders one after the other, up to the first that fails; returns whether all were
        carried out."""
        for order in orders:
            if not await self.carry_out(self.session.give(order), order):
                return False
        return True

    async def carry_out(self, work: Awaitable[Entry[Any, Any]], order: Any = None) -> bool:
        """Wait until an order is stored, then show its result or why it failed; returns whether it
        was carried out. ``order`` is what a player may ``insist`` on after a refusal; None for an
        undo, a redo or a correction, on which nobody can insist."""
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
        sentence = self.sentence_to_check()
        if sentence:
            self.say(sentence)
        return True

    def sentence_to_check(self) -> str:
        """The sentence on the lines to check, if the last order was a correction that would have
        changed their results; empty if there are none."""
        return check_lines(self.game.to_check(self.session.play))

    async def step_back(self, key: str) -> None:
        """Take back a step of the draft: Esc drops the answer that is being typed, then the whole
        command; Backspace drops the last character or answer. Where nothing is begun, Backspace
        undoes the last order. Raises UnfitAnswer."""
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
        """Esc where nothing is begun: begin the game's own command of that key, or else step out of
        the prompt."""
        command = self.command(ESCAPE)
        if command is None:
            await self.step_out()
        else:
            await self.take(Draft(command=command))

    async def step_out(self) -> None:
        """Undo the order that led to the prompt, if the prompt allows this."""
        if self.draft is not None and self.draft.command.takes_back:
            await self.carry_out(self.session.undo())

    async def insist(self) -> None:
        """Give the orders that overrule the last refusal. Without one, give those that overrule the
        advice against the order of the draft."""
        anyway = self._anyway
        draft = self.draft
        if anyway is None and draft is not None and draft.ready:
            order = draft.confirmed().order(self.seed)
            anyway = self.game.anyway(self.session.state, order)
        if anyway is None:
            self.say("There is nothing to insist on.")
        else:
            await self.give(anyway.orders)

    async def repeat_last(self) -> None:
        """Give the last shot, roll or the like again."""
        order = self.game.same_again(self.session.play)
        if order is None:
            self.say("There is nothing to repeat yet.")
        else:
            await self.give([order])


def check_lines(numbers: Sequence[int]) -> str:
    """The sentence that asks players to check these lines of the journal, since a correction would
    have changed their results; empty if there are none."""
    if not numbers:
        return ""
    if len(numbers) == 1:
        return f"Check line {numbers[0]}: it would have come out otherwise."
    *others, last = map(str, numbers)
    return f"Check lines {', '.join(others)} and {last}: they would have come out otherwise."
