"""How every screen of a game handles keys: a command is composed, the cursor moves in the journal,
and an order is stored before it is shown."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Awaitable, Sequence
from typing import Any, ClassVar, TypeAlias

import msgspec
from textual import events
from textual.content import Content
from textual.widgets import Static

from skirmish.app.host import Screen
from skirmish.app.play.held_key import HeldKey
from skirmish.app.play.looking import Looking, lines_of, moved, opened
from skirmish.session import AnySession
from skirmish.store.errors import Outrun, StoreError
from skirmish.tabletop.commands import Command, Draft, half_typed, pressed
from skirmish.tabletop.game import Anyway, Game
from skirmish.tabletop.journal import Entry, RecordError
from skirmish.tabletop.refusal import Refusal, Refused
from skirmish.tabletop.slots import (
    BACKSPACE,
    ENTER,
    SPACE,
    TAB,
    Choose,
    ChooseSeveral,
    Number,
    Picks,
    UnfitAnswer,
    Words,
)
from skirmish.tabletop.typed import plain

AnyDraft: TypeAlias = Draft[Any]
AnyCommand: TypeAlias = Command[Any]
OUTRUN = (
    "Another program has continued this game. You see it as it stands now; your last key was not "
    "carried out."
)
NAMES = {"space": "Space", "enter": "Enter", "escape": "Esc"}
"""Names of keys in sentences."""
TYPED = (ENTER, SPACE, BACKSPACE, TAB)


class Part(Static):
    """A part of the screen. Clickable text looks as it is painted, not like a link."""

    auto_links = False

    def __init__(self, id: str) -> None:
        super().__init__(id=id, markup=False)
        self._shows: object = None

    def say(self, content: Content) -> None:
        """Update the content if it has changed, since painting is slow."""
        shows = (content.plain, tuple(content.spans))
        if shows != self._shows:
            self._shows = shows
            self.update(content)


class OrderingScreen(Screen[None]):
    """One game. ``draft`` is the command being composed, if any, ``looking`` the cursor in the
    journal, ``note`` a message that stays until the next key."""

    AUTO_FOCUS = None
    game: Game[Any, Any, Any]
    GUARD: ClassVar[float] = 0.1
    """Seconds within which a repeated key counts as held down."""

    def __init__(self, session: AnySession) -> None:
        super().__init__()
        self.session = session
        self.game = session.game
        self.draft: AnyDraft | None = None
        self.looking: Looking | None = None
        self.note = ""
        self.held = HeldKey(self.GUARD)
        self.refusal: Refusal | None = None
        self._anyway: Anyway | None = None
        self._commands: tuple[Any, tuple[AnyCommand, ...]] | None = None
        self.begin()
        begun, typed = self.draft, session.typed
        self.draft = half_typed(begun, self.commands, typed) if typed else begun
        session.typed = typed if self.draft is not begun else []

    def on_screen_resume(self) -> None:
        """The settings may have changed what the odds know of the decks."""
        self.game = self.session.game.knowing(self.skirmish.settings.deck_knowledge)
        self._commands = None

    @abstractmethod
    def show_state(self) -> None:
        """Repaint everything from the game, the draft and the note."""

    def on_mount(self) -> None:
        self.show_state()

    def on_resize(self) -> None:
        self.show_state()

    def formatted(self, text: str) -> str:
        """Without control characters, with distances in the player's unit."""
        return self.skirmish.measured(plain(text))

    def write(self, part: str, content: Content) -> None:
        self.query_one(f"#{part}", Part).say(content)

    @property
    def state(self) -> Any:
        return self.session.state

    @property
    def commands(self) -> tuple[AnyCommand, ...]:
        state = self.session.state
        if self._commands is None or self._commands[0] is not state:
            self._commands = (state, self.game.commands(state))
        return self._commands[1]

    @property
    def prompt(self) -> AnyCommand | None:
        return self.game.prompt(self.session.state)

    @property
    def in_hand(self) -> AnyDraft | None:
        """The draft, or else the command that the next answer begins."""
        if self.draft is not None:
            return self.draft
        keyless = next((one for one in self.commands if not one.key and not one.why_not), None)
        return None if keyless is None else Draft(command=keyless)

    def begin(self) -> None:
        prompt = self.prompt
        self.draft = None if prompt is None else Draft(command=prompt)
        self.looking = None
        self._anyway = self.refusal = None

    def command(self, key: str) -> AnyCommand | None:
        return next((one for one in self.commands if one.key == key), None)

    # ------------------------------------------------------------------ keys

    async def on_key(self, event: events.Key) -> None:
        """Text typed into an answer; bindings handle everything else. The repeats of a held key
        stop here."""
        if self.held.is_dead(event.key, event.time):
            event.stop()
            event.prevent_default()
            if self.held.caught:
                name = NAMES.get(event.key, event.character or event.key)
                self.say(f"{name} is held down: it counts twice at most. Let go, press it again.")
            return
        key = event.key if event.key in TYPED else event.character if event.is_printable else None
        if key is not None and self.takes(key):
            event.stop()
            event.prevent_default()
            await self.press(key)

    def takes(self, key: str) -> bool:
        if self.looking is not None or self.draft is None:
            return False
        slot = self.draft.slot
        writing = isinstance(slot, Words) and (self.draft.typed or key not in ("tab", "backspace"))
        return bool(writing) or self.draft.takes(key)

    async def on_paste(self, event: events.Paste) -> None:
        """Dice or cards from another program, character by character up to the first invalid
        one."""
        for sign in event.text[:200]:
            await self.press({"\n": "enter", " ": "space"}.get(sign, sign))
            if self.note:
                break

    async def action_press(self, key: str) -> None:
        await self.press(key)

    async def press(self, key: str) -> None:
        """A key of the game: it begins a command, answers a question or goes back. The next key
        waits until the order of this one is stored, so that keys typed ahead mean what they
        should."""
        before, entries = self.draft, len(self.session.play.entries)
        await self._press(key)
        draft = None if self.looking else self.draft
        if draft is None or not (draft.begun or draft.command.key):
            await self.session.type()
        elif len(self.session.play.entries) > entries:
            await self.session.type(draft.command.key)
        elif draft is not before:
            await self.session.type(key)

    async def _press(self, key: str) -> None:
        self.note = ""
        try:
            if self.looking is not None:
                await self._look(self.looking, key)
            elif key in ("escape", BACKSPACE):
                await self._back(key)
            elif key == "up" and (self.draft is None or not self.draft.begun):
                self.looking = opened(self.game, self.session.play)
                self.show_state()
            else:
                await self.take(pressed(self.draft, self.commands, key))
        except UnfitAnswer as unfit:
            if self.draft is not None and unfit.typed is not None:
                self.draft = msgspec.structs.replace(self.draft, typed=unfit.typed)
            self.say(str(unfit))

    async def _look(self, now: Looking, key: str) -> None:
        """Move the cursor in the journal, or carry out what Enter confirms."""
        play = self.session.play
        line = next((one for one in lines_of(self.game, play) if one.number == now.number), None)
        if line is not None and now.asked and key in (ENTER, SPACE):
            entries = line.entries
            void = now.asked == "void"
            await self.carry_out(
                self.session.void(entries) if void else self.session.back(entries[-1])
            )
            return
        if line is not None and key == "tab":
            command = self.game.judged_again(play, line)
            if command is None or command.why_not:
                raise UnfitAnswer(command.why_not if command else "Nothing was judged there.")
            self.looking, self.draft = None, Draft(command=command)
        else:
            self.looking = moved(now, key, self.game, play)
            if self.looking is None:
                self.begin()
        self.show_state()

    async def _back(self, key: str) -> None:
        draft, self._anyway = self.draft, None
        typing = draft is not None and not isinstance(draft.slot, Choose | ChooseSeveral | Picks)
        if draft is not None and (draft.begun or draft.command.key):
            after = draft.back() if draft.begun else None
            if after is not None and not (after.begun or after.command.key):
                after = None
            self.draft = after
            if after is None:
                self.begin()
            self.show_state()
        elif key == "escape" and (command := self.command("escape")) is not None:
            await self.take(Draft(command=command))
        elif key == "escape":
            await self.step_out()
        elif typing:
            raise UnfitAnswer("Nothing is typed that could be deleted.")
        else:
            await self.carry_out(self.session.undo())

    async def step_out(self) -> None:
        self.dismiss()

    async def take(self, draft: AnyDraft) -> None:
        """Continue with a draft; give its order if it is complete."""
        before, self._anyway = self.draft, None
        if not draft.whole:
            self.draft = draft
            self.show_state()
            return
        if not await self.give([draft.order(self.skirmish.seed)]):
            self.draft = _again(before, draft)
            self.show_state()
            return
        while draft.command.repeat and not self.game.stops(self.session.state):
            if not await self.give([draft.order()]):
                return
        if draft.then or draft.command.reopens:
            following = self.command(draft.then or draft.command.key)
            if following is not None and not following.why_not:
                await self.take(Draft(command=following))

    def picked(self, row: Any) -> AnyDraft:
        draft = self.in_hand
        if draft is None:
            raise UnfitAnswer("There is no row to choose here. Esc steps back.")
        return draft.picked(row)

    # ------------------------------------------------------------------ orders

    async def give(self, orders: Sequence[Any]) -> bool:
        for order in orders:
            if not await self.carry_out(self.session.give(order), order):
                return False
        return True

    async def carry_out(self, work: Awaitable[Entry[Any, Any]], order: Any = None) -> bool:
        """Wait until an order is stored, then show its result or why it failed; returns whether it
        was carried out. Keys pressed meanwhile wait."""
        self.note = ""
        try:
            await work
        except Refused as refused:
            self.refusal = refused.refusal
            firm = refused.refusal.firm or order is None
            anyway = None if firm else self.game.anyway(self.session.state, order)
            self._anyway = anyway
            self.say(f"{refused} ! {anyway.text}" if anyway else str(refused))
            return False
        except Outrun:
            self.note = OUTRUN
        except RecordError as error:
            self.dismiss()
            await self.skirmish.show_message(
                "Another program wrote something that this one cannot read", str(error)
            )
            return False
        except StoreError as error:
            await self.skirmish.show_message(
                "This could not be saved, so it did not happen", str(error)
            )
            return False
        self.begin()
        self.changed()
        self.show_state()
        return not self.note

    def changed(self) -> None:
        """A hook for subclasses, called after the game has changed."""

    def say(self, sentence: str) -> None:
        self.note = sentence
        self.show_state()

    async def action_insist(self) -> None:
        anyway, draft = self._anyway, self.draft
        if anyway is None and draft is not None and draft.ready:
            order = draft.confirmed().order(self.skirmish.seed)
            anyway = self.game.anyway(self.session.state, order)
        if anyway is None:
            self.say("There is nothing to insist on.")
        else:
            await self.give(anyway.orders)

    async def action_same(self) -> None:
        order = self.game.same_again(self.session.play)
        if order is None:
            self.say("There is no shot to repeat yet.")
        else:
            await self.give([order])

    async def action_undo(self) -> None:
        """Discard the draft, or else undo the last order."""
        if self.looking is not None or (self.draft is not None and self.draft.begun):
            await self.press(BACKSPACE)
        else:
            await self.carry_out(self.session.undo())

    async def action_redo(self) -> None:
        await self.carry_out(self.session.redo())

    async def action_look(self, number: int) -> None:
        if self.draft is not None and self.draft.begun:
            self.say("Finish this first, then look at the journal; Esc steps back.")
        else:
            self.looking = Looking(number)
            self.show_state()

    def action_journal(self) -> None:
        from skirmish.app.play.pages import JournalPage

        self.app.push_screen(JournalPage(self.session), self.begin_anew)

    def begin_anew(self, _: object = None) -> None:
        """Discard the draft when another screen returns, since the game may have changed."""
        self.note = ""
        self.begin()
        self.show_state()

    def action_summary(self) -> None:
        from skirmish.app.play.pages import SummaryPage

        self.app.push_screen(SummaryPage(self.session))

    def action_print(self) -> None:
        from skirmish.app.printing import choose_document

        self.run_worker(choose_document(self.skirmish, self.session), group="print")

    def action_home(self) -> None:
        self.dismiss()


def _again(before: AnyDraft | None, refused: AnyDraft) -> AnyDraft | None:
    if before is None or not before.begun or isinstance(before.slot, Number):
        return Draft(command=refused.command) if refused.command.key and refused.slots else before
    return before
