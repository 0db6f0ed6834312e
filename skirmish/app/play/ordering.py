"""How every screen of a game handles keys: a command is composed, and its order is stored before it
is shown."""

from __future__ import annotations

from collections.abc import Awaitable
from functools import partial
from time import monotonic
from typing import Any, ClassVar, NamedTuple

import msgspec
from textual import events
from textual.content import Content
from textual.widgets import Input

from skirmish import registry
from skirmish.app.binding import key_name
from skirmish.app.host import Host
from skirmish.app.play.answer_field import AnswerField, keys_of_edit
from skirmish.app.play.held_key import HARMLESS_KEYS, HeldKey
from skirmish.app.play.journal_cursor import JournalCursorScreen
from skirmish.app.play.part import Part
from skirmish.player import AnyDraft, Player
from skirmish.session import AnySession
from skirmish.store.errors import Outrun, StoreError
from skirmish.tabletop.commands import pressed, with_row
from skirmish.tabletop.journal import Entry
from skirmish.tabletop.journal_codec import RecordError
from skirmish.tabletop.page import Page
from skirmish.tabletop.refusal import Refusal, with_key_note
from skirmish.tabletop.slots import (
    BACKSPACE,
    ENTER,
    ESCAPE,
    SPACE,
    TAB,
    Slot,
    UnfitAnswer,
)
from skirmish.tabletop.typed import plain

OUTRUN = (
    "Another program has continued this game. You see it as it stands now; your last key was not "
    "carried out."
)

# Keys of every screen on which a game is played, as rows for ``binding.keys``: id, keys, action,
# label at the foot, words of the help.
INSIST_BINDING = ("insist", "exclamation_mark", "insist", "", "Do what was just advised against")
PHONES_BINDING = (
    "phones",
    "f9",
    "phones",
    "",
    "Phones: a link for each side, and who is connected",
)
LINKED_BINDING = ("linked", "ctrl+g", "linked", "", "Go to the battle, or back to its campaign")
REDO_BINDING = ("redo", "ctrl+y", "redo", "", "Redo what was undone")

NO_ROW = "There is no row to choose here."
NAMED_ANSWER_KEYS = (ENTER, SPACE, BACKSPACE, TAB)
"""Keys with a name that may be part of an answer."""
SAME_AGAIN, ANYWAY = ".", "!"
"""Keys of bindings that give an order at once."""
KEYS_OF_PASTED = {"\n": ENTER, "\r": ENTER, " ": SPACE, "\t": TAB}
"""The keys that some characters of a pasted text stand for. Some terminals end a line with
``\\n``, others with ``\\r``."""
MOST_PASTED = 200
"""The most characters of a pasted text that are read as keys."""


class TitleAndHeadline(NamedTuple):
    """The first line of the screen, without control characters."""

    title: str
    headline: str


class OrderingScreen(JournalCursorScreen):
    """The screen of a game on which orders are given."""

    HELD_WITHIN: ClassVar[float] = 0.1
    """Seconds within which a repeated key counts as held down: longer than between two repeats of
    the slowest keyboard; 0: no key does."""
    LOOK_INTERVAL: ClassVar[float] = 0.02
    """Seconds between two looks for entries that others wrote; 0: the screen does not look. So
    often, since a key may be meant for a question that others have answered; a look is cheap, as it
    reads a single number from the database."""
    OUTRUN_WITHIN: ClassVar[float] = 0.4
    """Seconds after the entries of others were shown within which a key was meant for what was
    shown before: the player had no time yet to read the new question."""

    def __init__(self, session: AnySession) -> None:
        super().__init__(session)
        self._outrun_until = 0.0
        """Until then, by the monotonic clock, as in ``event.time``, a key was meant for what was
        shown before the entries of others."""
        self._question_was_open = False
        """Whether a question was open before those entries: then any key may have answered it."""
        self._news_due = False
        """Whether entries of others wait to be shown."""
        self.held_key = HeldKey(self.HELD_WITHIN)
        self._field: AnswerField | None = None
        """Mounted where a text is asked for first: few games ask for one."""

    def on_screen_resume(self) -> None:
        """Take in what has changed while another screen was in front: the settings, and the games
        that belong to this one."""
        # Entries of others that arrived meanwhile were not shown: the next look finds them again.
        self._news_due = False
        self.take_game()
        if self.session.linked:
            self.run_worker(self.refresh_linked_games(), group="beside")

    def settings_changed(self) -> None:
        self.take_game()
        self.show_state()

    def take_game(self) -> None:
        """Take the session's game. Its odds use what the settings let players know of the decks."""
        self.game = self.session.game.with_deck_knowledge(self.skirmish.settings.deck_knowledge)

    def on_mount(self) -> None:
        self.show_state()
        if self.LOOK_INTERVAL:
            self.set_interval(self.LOOK_INTERVAL, self._look_for_others)

    async def _look_for_others(self) -> None:
        """Look whether something was done on a phone, in another tab or in another terminal. If
        so, it is shown between two keys, since it changes what they mean."""
        if self.app.screen is not self or self._news_due:
            return
        try:
            self._news_due = await self.session.has_news()
        except StoreError:
            return  # the next order says why
        if self._news_due:
            # Queued like a key: one that was pressed before must still mean what it did.
            self.skirmish.after_typed_keys(self, self._show_news_of_others)

    async def _show_news_of_others(self) -> None:
        """Take in what others wrote. What was begun here goes on, if it still has a meaning."""
        self._news_due = False
        # As they are before the news, to be compared with what is left of them after.
        answers_before = self._begun_answers
        question_was_open = self.prompt is not None
        try:
            if not await self.session.catch_up():
                return
        except StoreError:
            return  # the next order says why
        except RecordError as error:
            await self.failed(error)
            return
        cursor_before = self.journal_cursor
        await self.overtaken()
        # A draft with the same answers has lost nothing. Otherwise a key that is being pressed may
        # be meant for the question that was open before.
        goes_on = answers_before is not None and self._begun_answers == answers_before
        if not goes_on:
            self._outrun_until = monotonic() + self.OUTRUN_WITHIN
            self._question_was_open = question_was_open
        # Whoever reads the journal goes on reading, unless a question is open now.
        if cursor_before is not None and self.draft is None:
            self.journal_cursor = cursor_before
            self.show_state()

    @property
    def _begun_answers(self) -> dict[str, Any] | None:
        """The answers of an order that is being put together; None if none is."""
        if self.draft is None or not self.draft.begun:
            return None
        return self.draft.answers

    def on_resize(self) -> None:
        self.show_state()

    def formatted(self, text: str) -> str:
        """A text without control characters, with distances in the player's unit."""
        return self.skirmish.measured(plain(text))

    @property
    def title_and_headline(self) -> TitleAndHeadline:
        """The title of the game and what is happening in it."""
        return self.once("head", self._title_and_headline)

    def _title_and_headline(self) -> TitleAndHeadline:
        title, headline = self.game.title(self.state), self.game.headline(self.state)
        return TitleAndHeadline(plain(title), plain(headline))

    @property
    def situation_page(self) -> Page:
        """How the game stands, as a page."""
        return self.once("situation", partial(self.game.situation, self.state))

    def advice_against(self, draft: AnyDraft) -> Refusal | None:
        """Why the rules are against the order that a draft would give; None if they are not."""

        def any_seed() -> int:
            """An order may need a seed to be complete. Here nothing is drawn with it."""
            return 1

        return self.game.why_not(self.state, draft.confirmed().order(any_seed))

    def write(self, part_id: str, content: Content) -> None:
        """Show the content in a part of the screen."""
        self.query_one(f"#{part_id}", Part).say(content)

    def seed(self) -> int:
        return self.skirmish.seed()

    # ------------------------------------------------------------------ keys

    async def on_key(self, event: events.Key) -> None:
        """Take a key that is typed into an answer; bindings handle all others. The repeats of a
        held key stop here, and so do keys that were meant for what is no longer shown."""
        has_typed = self.draft is not None and self.draft.typed != ""
        if self.in_field and event.key == BACKSPACE and has_typed:
            return  # the field deletes at its cursor
        is_obeyed = self.held_key.count_press(event.key, event.time)
        if not is_obeyed:
            _use_up(event)
            if self.held_key.has_just_been_caught:
                name = key_name(event.key)
                self.say(f"{name} is held down: it counts twice at most. Let go, press it again.")
            return
        key = _typed_key(event)
        # ``event.time`` is when it was pressed; it may be handled much later.
        is_outrun = event.time < self._outrun_until and event.key not in HARMLESS_KEYS
        if is_outrun and (self._question_was_open or self.may_give_order(key)):
            _use_up(event)
            self.say(OUTRUN)
            return
        if key is not None and self.is_typed(key):
            _use_up(event)
            await self.press(key)

    def may_give_order(self, key: str | None) -> bool:
        """Whether a key may give an order now. ``key`` is None for one that types nothing."""
        if key is None:
            return False
        # These two give an order without a draft.
        if key in (SAME_AGAIN, ANYWAY):
            return True
        try:
            return pressed(self.draft, self.commands, key).complete
        except UnfitAnswer:
            return False

    def is_typed(self, key: str) -> bool:
        """Whether a key is a part of the answer that is being typed, and so no binding."""
        if self.journal_cursor is not None or self.draft is None:
            return False
        if self.draft.typed and self._ends_word_or_answer(key):
            return True  # a binding would be carried out only after the characters that follow
        # Before anything is written, Tab and Backspace are commands, as elsewhere.
        is_command = key in (TAB, BACKSPACE) and not self.draft.typed
        if self.is_writing and not is_command:
            return True
        return self.draft.takes(key)

    def _ends_word_or_answer(self, key: str) -> bool:
        """Whether a key ends the answer that is being typed, or a word within it."""
        if self.draft is None or self.draft.slot is None:
            return False
        return key == ENTER or (key == SPACE and self.draft.slot.keeps_spaces)

    @property
    def is_writing(self) -> bool:
        """Whether the next answer is a text, so that every character is a part of it."""
        if self.draft is None or self.draft.slot is None:
            return False
        return self.draft.slot.is_field

    async def on_paste(self, event: events.Paste) -> None:
        """Take dice or cards from another program as if they were typed."""
        # Two characters that are one end of a line must not become two Enters.
        await self._press_pasted(event.text.replace("\r\n", "\n"))

    async def _press_pasted(self, text: str) -> None:
        """Press the keys of a pasted text, up to the first that does not fit."""
        # A clipboard may hold a book.
        for character in text[:MOST_PASTED]:
            await self.press(KEYS_OF_PASTED.get(character, character))
            # A note says what was wrong with the last character; the rest would be taken for
            # something else.
            if self.note:
                break

    # ------------------------------------------------------------------ a text and its field

    @property
    def asked_text(self) -> Slot | None:
        """The question whose answer is written in the field; None if there is none now."""
        if self.journal_cursor is not None or self.draft is None or not self.is_writing:
            return None
        return self.draft.slot

    @property
    def in_field(self) -> bool:
        """Whether the keys go into a field of text."""
        return isinstance(self.focused, AnswerField)

    def show_field(self) -> int:
        """Show the field if a text is asked for, with what is typed, and hide it otherwise; returns
        the rows it takes."""
        slot, field = self.asked_text, self._field
        if field is None:
            if slot is None:
                return 0
            field = self._field = AnswerField()
            self.query_one("#asked-room").mount(field)
        typed = ""
        if self.draft is not None:
            typed = self.draft.typed
        field.show_slot(slot, typed)
        if slot is None:
            # Letters are commands again, and must not go into a field that nobody sees.
            if field.has_focus:
                self.set_focus(None)
            return 0
        if not field.has_focus:
            self.set_focus(field)
        return 1

    async def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        await self._type_text(event.input.value)

    async def on_answer_field_confirmed(self, event: AnswerField.Confirmed) -> None:
        event.stop()
        await self.press(SPACE)

    async def on_answer_field_pasted(self, event: AnswerField.Pasted) -> None:
        """Answer with the first line of what was pasted, then type the other lines."""
        event.stop()
        await self._type_text(self.query_one(AnswerField).value)
        await self._press_pasted(f"\n{event.rest}")

    async def _type_text(self, text: str) -> None:
        """Take over the text of the field into the draft."""
        draft, slot = self.draft, self.asked_text
        if draft is None or slot is None or draft.typed == text:
            return
        self.note = ""
        try:
            slot.parse(text, done=False)
        except UnfitAnswer as unfit:
            self.say(str(unfit))  # this also shows again the text as it was before
            return
        # Only keys are stored. An edit in the middle of the text is stored as keys that would lead
        # to the same text.
        keys = list(keys_of_edit(draft.typed, text))
        # The number answered before the text, if any, was completed by an earlier key.
        self.draft = msgspec.structs.replace(draft, typed=text, ends_with_number=False)
        self.show_state()
        if self.draft.in_hand:
            await self.session.type(*keys)
        else:
            # The text was deleted, and nothing else is begun: discard the stored keys.
            await self.session.type()

    async def action_press(self, key: str) -> None:
        await self.press(key)

    async def press(self, key: str) -> None:
        """Take a key of the game: it begins a command, answers a question or goes back. The next
        key waits until the order of this one is stored, so that keys typed ahead mean what they
        should."""
        async with self.recording(key):
            await self._press(key)

    async def _press(self, key: str) -> None:
        """Do what a key means now: in the journal, as a step back, or in the draft."""
        self.note = ""
        # The last order was given by the last digit of a number. The Enter that many players type
        # after it must not give another one.
        is_enter_after_number = self.ended_with_number and key == ENTER
        self.ended_with_number = False
        if is_enter_after_number:
            return
        try:
            if self.journal_cursor is not None:
                await self.press_in_journal(self.journal_cursor, key)
            elif key in (ESCAPE, BACKSPACE):
                await self.step_back(key)
            elif key == "up" and self._begun_answers is None:
                self.walk_back()
            else:
                await self.take(pressed(self.draft, self.commands, key))
        except UnfitAnswer as unfit:
            if self.draft is not None and unfit.typed is not None:
                self.draft = msgspec.structs.replace(self.draft, typed=unfit.typed)
            self.say(str(unfit))

    async def step_out(self) -> None:
        self.dismiss()

    def picked(self, row: Any) -> AnyDraft:
        """The draft after a click on a row, which is of the type by which its game names a row.
        Raises UnfitAnswer where no row can be chosen."""
        draft = self.draft_in_hand
        if draft is None:
            raise UnfitAnswer(NO_ROW)
        return with_row(draft, row)

    # ------------------------------------------------------------------ orders

    async def carry_out(self, work: Awaitable[Entry[Any, Any]], order: Any = None) -> bool:
        self.note = ""
        return await super().carry_out(work, order)

    async def failed(self, error: StoreError | RecordError) -> None:
        if isinstance(error, Outrun):
            self.begin()
            self.changed()
            self.say(OUTRUN)
        elif isinstance(error, RecordError):
            self.dismiss()
            title = "Another program wrote something that this one cannot read"
            await self.skirmish.show_message(title, str(error))
        else:
            title = "This could not be saved, so it did not happen"
            await self.skirmish.show_message(title, str(error))

    def say(self, sentence: str, key_note: str = "") -> None:
        self.note = with_key_note(sentence, key_note)
        self.show_state()

    # Textual finds what a binding does by these names.
    action_insist, action_same = Player.insist, Player.repeat_last

    async def action_undo(self) -> None:
        """Undo the last order; where something is begun, take back only its last step."""
        if self.journal_cursor is not None or (self.draft is not None and self.draft.begun):
            await self.press(BACKSPACE)
        else:
            await self.carry_out(self.session.undo())

    async def action_redo(self) -> None:
        await self.carry_out(self.session.redo())

    def action_summary(self) -> None:
        from skirmish.app.page_screen import SummaryPage

        self.app.push_screen(SummaryPage(self.session))

    def action_print(self) -> None:
        from skirmish.app.print_choice import choose_document

        self.run_worker(choose_document(self.skirmish, self.session), group="print")

    def action_linked(self) -> None:
        """Go to the battle of a campaign, or back to the campaign of a battle."""
        game = self.linked_game_to_open
        if game is None:
            self.say(self.why_no_linked_game)
        else:
            # In a worker of the application: this screen is left before the other one is opened.
            self.app.run_worker(go_to(self.skirmish, game.number), group="linked")

    def action_phones(self) -> None:
        self.skirmish.show("phones", self.session)

    def action_home(self) -> None:
        # The game may have been begun from a screen that stays below it, such as that of the deal.
        self.skirmish.go_home()


async def go_to(app: Host, number: int) -> None:
    """Open a stored game in place of the screen in front. To be called in a worker, since it may
    show a message and wait until it is read."""
    async with app.reporting("This game cannot be opened"):
        record = await app.stored(lambda store: store.battle(number))
        screen = await registry.screen_opener(record.game)(app, number)
        app.pop_screen()
        await app.push_screen(screen)


def _use_up(event: events.Key) -> None:
    """Keep a key from bindings and from the widget that has the focus."""
    event.stop()
    event.prevent_default()


def _typed_key(event: events.Key) -> str | None:
    """The key or the character that may be part of an answer; None for any other key."""
    if event.key in NAMED_ANSWER_KEYS:
        return event.key
    if event.is_printable:
        return event.character
    return None
