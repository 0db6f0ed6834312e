"""How every screen of a game handles keys: a command is composed, the cursor moves in the journal,
and an order is stored before it is shown."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from functools import partial
from time import monotonic
from typing import Any, ClassVar, Literal, NamedTuple

import msgspec
from textual import events
from textual.content import Content, Span
from textual.widgets import Input, Static

from skirmish import registry
from skirmish.app.binding import key_name
from skirmish.app.host import Host, Screen
from skirmish.app.play.answer_field import AnswerField, retyped
from skirmish.session import AnyDraft, AnySession, Player, check_lines
from skirmish.store.errors import Outrun, StoreError
from skirmish.tabletop.commands import Draft, pressed
from skirmish.tabletop.game import Game, JournalLine
from skirmish.tabletop.journal import Entry, RecordError
from skirmish.tabletop.page import Block, Choice, Choices, Note, Page, Paragraph
from skirmish.tabletop.refusal import Refusal, with_key_note
from skirmish.tabletop.slots import (
    BACKSPACE,
    ENTER,
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
INSIST = ("insist", "exclamation_mark", "insist", "", "Do what was just advised against")
PHONES = ("phones", "f9", "phones", "", "Phones: a link for each side, and who is connected")
LINKED = ("linked", "ctrl+g", "linked", "", "Go to the battle, or back to its campaign")
REDO = ("redo", "ctrl+y", "redo", "", "Redo what was undone")
"""Keys of every screen on which a game is played, as rows for ``binding.keys``."""
NO_ROW = "There is no row to choose here."
TYPED = (ENTER, SPACE, BACKSPACE, TAB)
"""Keys with a name that may be part of an answer."""
SAME_AGAIN, ANYWAY = ".", "!"
"""Keys of bindings that give an order at once."""
PASTED = {"\n": ENTER, "\r": ENTER, " ": SPACE, "\t": TAB}
"""Characters of a pasted text that are keys; terminals send the end of a line as either."""
MOST_PASTED = 200
"""The most characters of a pasted text that are read as keys."""
LOOKS_BACK = 200
"""The most lines that the cursor in the journal goes back; older ones are on its page."""
FREE = frozenset(
    ("up", "down", "left", "right", "pageup", "pagedown", "backspace", "escape", "tab")
)
"""Keys that are meant to be held down, or do no harm. Small letters and digits do none either."""


class Part(Static):
    """A part of the screen. Clickable text looks as it is painted, not like a link."""

    auto_links = False

    def __init__(self, id: str) -> None:
        super().__init__(id=id, markup=False)
        self._painted: tuple[str, tuple[Span, ...]] | None = None
        self._room: tuple[int, int] | None = None
        """The columns that it was painted in and the rows that it took, if no line was wrapped."""

    def say(self, content: Content) -> None:
        """Update the content if it has changed, since painting is slow. The screen is divided anew,
        which is slower still, only where it may take other rows than before."""
        # Contents are equal if their texts are: a change of colours alone shows in the spans.
        text_and_styles = (content.plain, tuple(content.spans))
        if text_and_styles != self._painted:
            self._painted = text_and_styles
            room = self._room_for(content)
            self.update(content, layout=room is None or room != self._room)
            self._room = room

    def _room_for(self, content: Content) -> tuple[int, int] | None:
        """The columns that there are and the rows that it takes; None if a line is wrapped, or if
        the part is as wide as its words."""
        columns = self.content_size.width
        lines = content.split("\n", allow_blank=True)
        if self.styles.is_auto_width or max(line.cell_length for line in lines) > columns:
            return None
        return columns, len(lines)


class HeldKey:
    """Distinguishes the repeats of a held key from separate presses.

    A keyboard waits 250 to 660 ms, then repeats a key every 15 to 90 ms. So the second press always
    counts, since it may be a quick player or the first repeat; from the third on, one less than
    ``seconds`` after the last is a repeat. Keys that arrive together were typed ahead or pasted,
    and all of them count: no keyboard repeats so fast. But where a press of the same key came
    shortly before them, they are repeats that a slow connection has bunched. Times are those at
    which keys arrived, since a slow program handles them in bursts. ``caught``: the last key is the
    first one detected as held.
    """

    PAUSE = 0.7
    """Seconds after which a press of the same key is a new one: longer than any keyboard waits
    before it repeats a key."""
    TOGETHER = 0.01
    """Seconds between two keys within which they were sent in one go."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._last_key = ""
        self._last_arrival = 0.0
        """When the last key arrived, by the monotonic clock, as in ``event.time``."""
        self._rests_until = 0.0
        """Until when the last key is ignored, by the same clock."""
        self._presses = 0
        """The presses of the last key, one shortly after the other."""
        self._held = False
        """Whether the last press was that of a held key."""
        self.caught = False

    def rest(self, key: str, seconds: float) -> None:
        """Ignore ``key``, unless another comes first, for so many seconds."""
        if key == self._last_key:
            self._rests_until = self._last_arrival + seconds

    def count_press(self, key: str, arrived: float) -> bool:
        """Count a key that ``arrived`` then; returns False if it is to be ignored."""
        same, gap = key == self._last_key, arrived - self._last_arrival
        together = same and gap < self.TOGETHER
        if not same:
            self._rests_until = 0.0
        if not same or gap >= self.PAUSE:
            self._presses = 1
        elif not together:
            self._presses += 1
        was_held = self._held
        self._last_key, self._last_arrival = key, arrived
        self._held = self.caught = False
        if not same or _is_harmless(key):
            return True

        # Silenced by ``rest``, unless it was sent in one go with the key before: typed or pasted.
        rests = arrived < self._rests_until and not together
        # The third press and later ones may be repeats; so may keys that arrive together, where
        # another press came shortly before them.
        repeated = self._presses > 2 or (together and self._presses > 1)
        self._held = repeated and gap < self._seconds
        if self._held and not was_held and not rests:
            self.caught = True
        return not self._held and not rests


def _is_harmless(key: str) -> bool:
    """Whether a key may be held down: small letters and digits only put a command together."""
    if key in FREE:
        return True
    return len(key) == 1 and key.isalnum() and not key.isupper()


class TitleAndHeadline(NamedTuple):
    """The first line of the screen, without control characters."""

    title: str
    headline: str


class Looking(NamedTuple):
    """The cursor on the line ``number`` of the journal. ``asked``: what Enter confirms."""

    number: int
    asked: Literal["", "void", "back"] = ""


class OrderingScreen(Player, Screen[None]):
    """One game. ``looking`` is the cursor in the journal, ``note`` a message that stays until the
    next key."""

    AUTO_FOCUS = None
    game: Game[Any, Any, Any]
    GUARD: ClassVar[float] = 0.1
    """Seconds within which a repeated key counts as held down: longer than between two repeats of
    the slowest keyboard; 0: none does."""
    LOOKS: ClassVar[float] = 0.02
    """Seconds between two looks for entries that others wrote; 0: it does not look. So often,
    because a key may be meant for what is no longer so; a look reads one number (a pragma)."""
    NEWS: ClassVar[float] = 0.4
    """Seconds after such an entry within which a key was meant for what was shown before."""

    def __init__(self, session: AnySession) -> None:
        Screen.__init__(self)
        self.looking: Looking | None = None
        self._outrun_until = 0.0
        """Until then, by the monotonic clock, as in ``event.time``, a key was meant for what was
        shown before the entries of others."""
        self._was_asked = False
        """Whether a question was open before those entries: then any key may have answered it."""
        self._news_due = False
        """Whether entries of others wait to be shown."""
        self.note = ""
        self.held = HeldKey(self.GUARD)
        self._field: AnswerField | None = None
        """Mounted where a text is asked for first: few games ask for one."""
        Player.__init__(self, session)

    def on_screen_resume(self) -> None:
        """The settings may have changed what the odds know of the decks. News that came while
        another screen was in front were not shown."""
        self._news_due = False
        self.take_game()
        if self.session.linked:
            self.run_worker(self.look_beside(), group="beside")

    def settings_changed(self) -> None:
        self.take_game()
        self.show_state()

    def take_game(self) -> None:
        """Take the game with odds that know of the decks what the settings let them know."""
        self.game = self.session.game.knowing(self.skirmish.settings.deck_knowledge)

    def on_mount(self) -> None:
        self.show_state()
        if self.LOOKS:
            self.set_interval(self.LOOKS, self._look_for_others)

    async def _look_for_others(self) -> None:
        """Look whether something was done on a phone, in another tab, in another terminal. It is
        shown between two keys, since it changes what they mean."""
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
        # Remembered before, to be compared with what is left of it after.
        begun_answers, was_asked = self._begun_answers, self.prompt is not None
        try:
            if not await self.session.catch_up():
                return
        except StoreError:
            return  # the next order says why
        except RecordError as error:
            await self.failed(error)
            return
        looking = self.looking
        await self.overtaken()
        # Who goes on with the same answers has lost nothing. Otherwise a key that is on its way may
        # be meant for the question before.
        goes_on = begun_answers is not None and self._begun_answers == begun_answers
        if not goes_on:
            self._outrun_until, self._was_asked = monotonic() + self.NEWS, was_asked
        # Whoever reads the journal goes on reading.
        if looking is not None and self.draft is None:
            self.looking = looking
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
        """Why the rules are against the order that a draft would give. An order that needs a seed
        gets a 1 for it: nothing is drawn with that."""
        return self.game.why_not(self.state, draft.confirmed().order(lambda: 1))

    def write(self, part: str, content: Content) -> None:
        """Show this content in a part of the screen, which has that id."""
        self.query_one(f"#{part}", Part).say(content)

    def seed(self) -> int:
        return self.skirmish.seed()

    def begin(self) -> None:
        super().begin()
        self.looking = None

    # ------------------------------------------------------------------ keys

    async def on_key(self, event: events.Key) -> None:
        """Text typed into an answer; bindings handle everything else. The repeats of a held key
        stop here."""
        if self.in_field and event.key == BACKSPACE and self.draft and self.draft.typed:
            return  # the field deletes at its cursor
        counts = self.held.count_press(event.key, event.time)
        if not counts:
            event.stop()
            event.prevent_default()
            if self.held.caught:
                name = key_name(event.key)
                self.say(f"{name} is held down: it counts twice at most. Let go, press it again.")
            return
        key = _typed_key(event)
        # By the time at which it was pressed, not at which it is handled.
        outrun = event.time < self._outrun_until and event.key not in FREE
        if outrun and (self._was_asked or self.may_give_order(key)):
            event.stop()
            event.prevent_default()
            self.say(OUTRUN)
            return
        if key is not None and self.is_typed(key):
            event.stop()
            event.prevent_default()
            await self.press(key)

    def may_give_order(self, key: str | None) -> bool:
        """Whether an order may be carried out by a key now; None: a key that types nothing."""
        if key is None:
            return False
        # Both give an order without anything being typed for it.
        if key in (SAME_AGAIN, ANYWAY):
            return True
        try:
            return pressed(self.draft, self.commands, key).whole
        except UnfitAnswer:
            return False

    def is_typed(self, key: str) -> bool:
        """Whether a key is a part of the answer that is being typed, and so no binding."""
        if self.looking is not None or self.draft is None:
            return False
        slot = self.draft.slot
        ends_answer = slot is not None and (key == ENTER or (key == SPACE and slot.spaced))
        if ends_answer and self.draft.typed:
            return True  # a binding would be carried out only after the characters that follow
        # Before anything is written, Tab and Backspace are commands, as elsewhere.
        if self.writing and (self.draft.typed or key not in ("tab", "backspace")):
            return True
        return self.draft.takes(key)

    @property
    def writing(self) -> bool:
        """Whether an answer is being written, of which every character is a part."""
        if self.draft is None or self.draft.slot is None:
            return False
        return self.draft.slot.written

    async def on_paste(self, event: events.Paste) -> None:
        """Dice or cards from another program."""
        await self._press_pasted(event.text.replace("\r\n", "\n"))

    async def _press_pasted(self, text: str) -> None:
        """Character by character up to the first invalid one."""
        # A clipboard may hold a book.
        for sign in text[:MOST_PASTED]:
            await self.press(PASTED.get(sign, sign))
            # A note says what was wrong with the last character; the rest would be taken for
            # something else.
            if self.note:
                break

    # ------------------------------------------------------------------ a text and its field

    @property
    def asked_text(self) -> Slot | None:
        """The question whose answer is written in the field; None if there is none now."""
        if self.looking is not None or self.draft is None or not self.writing:
            return None
        return self.draft.slot

    @property
    def in_field(self) -> bool:
        """Whether the keys go into a field of text."""
        return isinstance(self.focused, AnswerField)

    def show_field(self) -> int:
        """Show the field where a text is asked for, with what is typed; returns the rows it
        takes."""
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
            # Else letters that are commands again would go on into a field that nobody sees.
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
        """The first line of a paste is answered, then the others are typed."""
        event.stop()
        await self._type_text(self.query_one(AnswerField).value)
        await self._press_pasted(f"\n{event.rest}")

    async def _type_text(self, text: str) -> None:
        """The draft has the text of the field from now on."""
        draft, slot = self.draft, self.asked_text
        if draft is None or slot is None or draft.typed == text:
            return
        self.note = ""
        try:
            slot.parse(text, done=False)
        except UnfitAnswer as unfit:
            self.say(str(unfit))  # shows the text before
            return
        # An edit in the middle of the text, as the keys that would lead to it: only keys are
        # stored.
        keys = list(retyped(draft.typed, text))
        self.draft = msgspec.structs.replace(draft, typed=text, ended=False)
        self.show_state()
        if self.draft.in_hand:
            await self.session.type(*keys)
        else:
            await self.session.type()

    async def action_press(self, key: str) -> None:
        await self.press(key)

    async def press(self, key: str) -> None:
        """A key of the game: it begins a command, answers a question or goes back. The next key
        waits until the order of this one is stored, so that keys typed ahead mean what they
        should."""
        async with self.recording(key):
            await self._press(key)

    async def _press(self, key: str) -> None:
        """Do what a key means now: for the cursor in the journal, a step back, or in the draft."""
        self.note = ""
        ended_with_number, self.ended_with_number = self.ended_with_number, False
        if key == ENTER and ended_with_number:
            return  # the answer was complete before the Enter that a player types behind it
        try:
            if self.looking is not None:
                await self._press_in_journal(self.looking, key)
            elif key in ("escape", BACKSPACE):
                await self.back(key)
            elif key == "up" and (self.draft is None or not self.draft.begun):
                self._look_back()
            else:
                await self.take(pressed(self.draft, self.commands, key))
        except UnfitAnswer as unfit:
            if self.draft is not None and unfit.typed is not None:
                self.draft = msgspec.structs.replace(self.draft, typed=unfit.typed)
            self.say(str(unfit))

    def _look_back(self) -> None:
        """Put the cursor on the last line of the journal."""
        lines = self._lines()
        if not lines:
            raise UnfitAnswer("Nothing has happened yet.")
        self.looking = Looking(lines[-1].number)
        self.show_state()

    def _lines(self) -> list[JournalLine]:
        """The lines that the cursor goes through; the first of a journal is the set-up."""
        lines = self.game.journal(self.session.play, last=LOOKS_BACK)
        return [line for line in lines if line.number > 1]

    async def _press_in_journal(self, looking: Looking, key: str) -> None:
        """A key while the cursor is in the journal."""
        lines = self._lines()
        position = _position(lines, looking.number)
        if position is None:  # its line was undone meanwhile
            self.begin()
            self.show_state()
            return
        line = lines[position]
        if looking.asked and key in ("enter", "space"):
            await self._confirm(looking, line)
            return
        if key in ("escape", "backspace") and looking.asked:
            self.looking = Looking(line.number)
        elif key in ("escape", "backspace"):
            self.begin()
        elif key == "up":
            self.looking = Looking(lines[max(position - 1, 0)].number)
        # Below the last line is the game again.
        elif key == "down" and line is lines[-1]:
            self.begin()
        elif key == "down":
            self.looking = Looking(lines[position + 1].number)
        elif key == "v":
            self._ask_to_void(line)
        elif key == "b":
            self._ask_to_go_back(line, lines[-1])
        elif key == "tab":
            self._judge_again(line)
        else:
            raise UnfitAnswer("Choose one of the keys below.")
        self.show_state()

    async def _confirm(self, looking: Looking, line: JournalLine) -> None:
        """Carry out what was asked about the line under the cursor."""
        if looking.asked == "void":
            numbers = self.game.void_numbers(self.session.play, line)
            await self.carry_out(self.session.void(numbers))
        else:
            await self.carry_out(self.session.back(line.entry_numbers[-1]))

    def _ask_to_void(self, line: JournalLine) -> None:
        """Ask whether a line is to be void. Raises UnfitAnswer where it cannot be."""
        why_not = self.game.why_not_void(self.session.play, line)
        if why_not:
            raise UnfitAnswer(why_not)
        self.looking = Looking(line.number, "void")

    def _ask_to_go_back(self, line: JournalLine, last: JournalLine) -> None:
        """Ask whether the game is to go back to a line. Raises UnfitAnswer for the last one."""
        # Going back to the last line would undo nothing.
        if line is last:
            raise UnfitAnswer("This is the last line; Backspace undoes it.")
        self.looking = Looking(line.number, "back")

    def _judge_again(self, line: JournalLine) -> None:
        """Begin the command that corrects a line. Raises UnfitAnswer where there is none."""
        command = self.game.judged_again(self.session.play, line)
        if command is None:
            raise UnfitAnswer("Nothing was judged there.")
        if command.why_not:
            raise UnfitAnswer(command.why_not)
        self.looking, self.draft = None, Draft(command=command)

    def _can_be_judged_again(self, line: JournalLine) -> bool:
        """Whether there is such a command, and it can be given now."""
        command = self.game.judged_again(self.session.play, line)
        return command is not None and not command.why_not

    def looking_page(self, looking: Looking) -> Page:
        """The line under the cursor with what can be done with it, or with what Enter confirms."""
        lines = self._lines()
        position = _position(lines, looking.number)
        if position is None:
            return Page("")
        line = lines[position]
        if looking.asked == "void":
            return self._void_page(line)
        if looking.asked == "back":
            return _back_page(line, later=len(lines) - position - 1)
        keys = []
        if self.game.voids and not self.game.why_not_void(self.session.play, line):
            keys.append(Choice("v", "make void"))
        keys.append(Choice("b", "go back to here"))
        if self._can_be_judged_again(line):
            keys.append(Choice("tab", "judge its shot again"))
        keys.append(Choice("escape", "leave"))
        below = []
        to_check = check_lines(self.game.would_have_changed(self.session.play, line))
        if to_check:
            below.append(Paragraph(to_check, tone="bad"))
        return _line_page("LOOKING BACK", line, below, keys)

    def _void_page(self, line: JournalLine) -> Page:
        """What is asked before a line becomes void: what depends on it, and what goes with it."""
        game, play = self.game, self.session.play
        below: list[Block] = []
        judged_again = ", ".join(str(other.number) for other in game.voided_with(play, line))
        if judged_again:
            also = f"What judged it again becomes void with it: {judged_again}."
            below.append(Paragraph(also, tone="strong"))
        later = ", ".join(map(str, game.dependents(play, line)))
        if later:
            warning = f"Check the lines that depend on it: {later}. They do not change."
            below.append(Paragraph(warning, tone="bad"))
        elif game.knows_dependents:
            below.append(Note("No later line depends on it."))
        else:
            below.append(Note("Later lines do not change."))
        keys = (Choice("enter", "makes it void"), Choice("escape", "leaves it"))
        return _line_page("VOID?", line, below, keys)

    async def step_out(self) -> None:
        self.dismiss()

    def picked(self, row: Any) -> AnyDraft:
        """The draft after a click on a row. Raises UnfitAnswer where no row can be chosen."""
        draft = self.draft_in_hand
        if draft is None:
            raise UnfitAnswer(NO_ROW)
        return draft.picked(row)

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

    # Textual calls what a key does by this name.
    action_insist, action_same = Player.insist, Player.same

    async def action_undo(self) -> None:
        if self.looking is not None or (self.draft is not None and self.draft.begun):
            await self.press(BACKSPACE)
        else:
            await self.carry_out(self.session.undo())

    async def action_redo(self) -> None:
        await self.carry_out(self.session.redo())

    async def action_look(self, number: int) -> None:
        if self.draft is not None and self.draft.begun:
            self.say("Finish this first, then look at the journal; Esc drops it.")
        else:
            self._look_at(number)

    def _look_at(self, number: int) -> None:
        """Put the cursor on the line about the entry of that number; a line that is too far back
        for the cursor is shown in the whole journal."""
        for line in self._lines():
            if number in line.entry_numbers:
                self.looking = Looking(line.number)
                self.show_state()
                return
        self.open_journal(number)

    def action_journal(self) -> None:
        self.open_journal()

    def open_journal(self, number: int | None = None) -> None:
        """Open the whole journal, at the line about the entry of that number or at its end."""
        from skirmish.app.page_screen import JournalPage

        entries_before = len(self.session.play)
        go_on = partial(self.resume, entries_before)
        self.app.push_screen(JournalPage(self.session, number), go_on)

    def resume(self, entries_before: int, _: object = None) -> None:
        """Go on when another screen returns. What was begun stays, unless the game has changed."""
        if len(self.session.play) != entries_before:
            self.begin_anew()
        else:
            self.show_state()

    def begin_anew(self, _: object = None) -> None:
        """Discard the draft when another screen returns, since the game may have changed."""
        self.note = ""
        self.begin()
        self.show_state()

    def action_summary(self) -> None:
        from skirmish.app.page_screen import SummaryPage

        self.app.push_screen(SummaryPage(self.session))

    def action_print(self) -> None:
        from skirmish.app.printing import choose_document

        self.run_worker(choose_document(self.skirmish, self.session), group="print")

    def action_linked(self) -> None:
        """Go to the battle of a campaign, or back to the campaign of a battle."""
        game = self.to_go
        if game is None:
            self.say(self.nowhere_to_go)
        else:
            # In a worker of the application: this screen is left before the other one is opened.
            self.app.run_worker(go_to(self.skirmish, game.number), group="linked")

    def action_phones(self) -> None:
        self.skirmish.show("phones", self.session)

    def action_home(self) -> None:
        self.dismiss()


async def go_to(app: Host, number: int) -> None:
    """Open a stored game in place of the screen in front. In a worker only."""
    async with app.reporting("This game cannot be opened"):
        record = await app.stored(lambda store: store.battle(number))
        screen = await registry.opened(record.game)(app, number)
        app.pop_screen()
        await app.push_screen(screen)


def _typed_key(event: events.Key) -> str | None:
    """The key or the character that may be part of an answer; None for any other key."""
    if event.key in TYPED:
        return event.key
    if event.is_printable:
        return event.character
    return None


def _position(lines: Sequence[JournalLine], number: int) -> int | None:
    """Where the line of that number stands, if it still does."""
    for position, line in enumerate(lines):
        if line.number == number:
            return position
    return None


def _back_page(line: JournalLine, later: int) -> Page:
    """What is asked before the game goes back to a line with so many ``later`` ones."""
    warning = f"{later} later lines are undone; Ctrl+Y redoes them."
    if later == 1:
        warning = "One later line is undone; Ctrl+Y redoes it."
    keys = (Choice("enter", "goes back"), Choice("escape", "stays"))
    return _line_page("BACK TO HERE?", line, [Paragraph(warning, tone="bad")], keys)


def _line_page(
    lead: str, line: JournalLine, below: Sequence[Block], keys: Sequence[Choice]
) -> Page:
    first = Paragraph(f"{line.number} {line.text}", lead=lead, tone="strong")
    return Page("", (first, *below, Choices(tuple(keys))))
