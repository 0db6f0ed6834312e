"""One question at a time in large letters, for children and beginners. The game and its orders are
those of the full screen; the draft determines the question."""

from __future__ import annotations

from collections.abc import Callable
from string import ascii_lowercase, digits
from typing import ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import OptionList

from skirmish.app.base_screen import HIGH
from skirmish.app.binding import keys, signs
from skirmish.app.foot import Foot
from skirmish.app.play.answer_list import UNMARKED, AnswerLine, AnswerList
from skirmish.app.play.big_letters import (
    Enlarge,
    high_framed_letters,
    high_letters,
    is_block,
    largest,
    low_framed_letters,
    low_letters,
    painted_word,
)
from skirmish.app.play.open_question import AskingScreen, EarlierQuestion, QuestionWords
from skirmish.app.play.ordering import INSIST_BINDING, LINKED_BINDING, PHONES_BINDING, REDO_BINDING
from skirmish.app.play.part import Part
from skirmish.app.text_rows import rows_of
from skirmish.app.text_styles import DIM, KEY
from skirmish.player import AnyDraft
from skirmish.session import AnySession
from skirmish.tabletop.commands import Draft
from skirmish.tabletop.slots import (
    BACKSPACE,
    ENTER,
    ESCAPE,
    SPACE,
    Choose,
    Either,
    Slot,
    UnfitAnswer,
    options_of,
)
from skirmish.tabletop.typed import plain

LEAST_REASON = 24
"""Columns that a reason needs beside the large letters."""
BEFORE_REASON = 3
"""Columns between the large letters and a reason."""
BESIDE_LETTERS = 5
"""Columns that large letters leave free at their right."""
BETWEEN_TITLE_AND_HEADLINE = "   "
MARGIN = 4
"""Columns at the edges."""
CHOOSING_KEYS = (ENTER, SPACE)
"""Keys that take the answer under the cursor."""
AROUND = 6
"""Rows besides the letters, the question and the messages. The answers are drawn in the largest
letters that fit below them, so their room is computed before they are laid out."""


class QuestionScreen(AskingScreen):
    """The questions of one game. ``cursor`` is the index of the answer that Enter takes."""

    CSS_PATH = "questions.tcss"
    TOPIC: ClassVar[str] = "question"
    PAUSE_AFTER_ORDER: ClassVar[float] = 0.7
    """Seconds for which Enter or Space is ignored after it gave an order: longer than the delay of
    a held key, and long enough to look at a verdict."""
    # Each row: id, keys, action, label at the foot, words of the help.
    BINDINGS: ClassVar[list[BindingType]] = [
        *keys(
            "question",
            ("up", "up", "move(-1)", "", "The answer above"),
            ("down", "down", "move(1)", "", "The answer below"),
            ("take", "enter", "press('enter')", "Choose", "Choose the marked answer"),
            ("draw", "space", "press('space')", "", "The same; before a shot it draws"),
            ("back", "escape", "back", "Back", "One question back"),
            ("undo", "backspace", "undo", "", "Undo the last thing done"),
            INSIST_BINDING,
            ("summary", "Y", "summary", "", "Summary"),
            ("journal", "J", "journal", "Journal", "The whole journal"),
            ("full", "f2", "full", "Full screen", "The full screen, with everything"),
            PHONES_BINDING,
            LINKED_BINDING,
            REDO_BINDING,
            ("home", "H", "home", "Home", "Home; the game is saved"),
        ),
        *signs("question", ascii_lowercase + digits),
    ]  # fmt: skip

    def __init__(self, session: AnySession) -> None:
        self.cursor = 0
        self.answers: list[AnswerLine] = []
        """The answers that are listed."""
        self._question_shown = ""
        """The id of the question that was painted last."""
        # This begins a draft, which shows its answers already.
        super().__init__(session)

    # ------------------------------------------------------------------ on the screen

    def compose(self) -> ComposeResult:
        yield Part("place")
        yield Part("trail")
        with Horizontal(id="large"):
            yield Part("letters")
            yield Part("because")
        yield Part("asks")
        yield Part("messages")
        yield AnswerList(id="answers")
        yield Foot()

    @property
    def columns(self) -> int:
        """The columns of the question."""
        return self.app.size.width

    def show_state(self) -> None:
        # A state may arrive while the screen is being built or closed.
        if not self.is_mounted or not self.query("#answers"):
            return
        self.answers = list(self.possible_answers())
        answers_so_far = self.answers_so_far()
        # The number of entries tells the question of one shot from the same question of the next.
        question_id = f"{self.question_name} {answers_so_far} {len(self.session.play.entries)}"
        self._place_cursor(question_id)

        width, height = self.columns - MARGIN, self.app.size.height
        words = self.words()
        place_rows = self._show_place(width)
        self.write("trail", Content.styled(" → ".join(answers_so_far), KEY))
        letter_rows = self._show_large(words, width, tall=height >= HIGH)
        question_rows = self._show_question(words, width)
        message_rows = self._show_messages(width, question_id)

        # The answers come last: they are as large as what stands above them leaves room for.
        room = height - AROUND - place_rows - letter_rows - question_rows - message_rows
        self.query_one(AnswerList).show(self.answers, self.cursor, width=width, room=room)
        self.refresh_bindings()

    def _place_cursor(self, question_id: str) -> None:
        """Put the cursor on the proposed answer if the question is new; else leave it where it
        is."""
        if question_id != self._question_shown:
            self._question_shown = question_id
            self.cursor = self._proposed_answer()
        # The same question may have fewer answers than before.
        self.cursor = min(self.cursor, max(len(self.answers) - 1, 0))

    def _show_question(self, words: QuestionWords, width: int) -> int:
        """Show the question with what is typed of its answer; returns the rows of the question."""
        self.write("asks", Content.styled(self.formatted(words.question) + self.echo(), "bold"))
        return len(Content(words.question).wrap(width))

    def _proposed_answer(self) -> int:
        """Where the cursor stands when a question is new."""
        first_answer = 0
        question = self.question
        if question is None:
            return first_answer
        if question.proposed is not None:
            for number, answer in enumerate(self.answers):
                if answer.value == question.proposed:
                    return number
        # An answer that is typed has no line; the cursor must not stand on "Undo" meanwhile.
        is_typed = all(answer.is_aside for answer in self.answers)
        if is_typed or _is_by_key_only(question):
            return UNMARKED
        return first_answer

    def _show_messages(self, width: int, question_id: str) -> int:
        """Show what helps to answer, and the note, below the question; returns the rows they
        take."""
        sentences = []
        for sentence in (*self.messages(question_id), self.note):
            if sentence:
                sentences.append(self.formatted(sentence))
        message = Content("\n".join(sentences))
        self.write("messages", message)
        # An empty part would still take a row.
        self.query_one("#messages").display = bool(message)
        if not message:
            return 0
        return len(message.wrap(width))

    def _show_place(self, width: int) -> int:
        """Show the game and what is happening in it; only the latter where one row has no room for
        both. Returns the rows this takes."""
        title, headline = self.title_and_headline
        behind_title = f"{BETWEEN_TITLE_AND_HEADLINE}{headline}"
        place = Content.assemble((title.upper(), "bold"), (behind_title, DIM))
        if place.cell_length > width:
            place = Content.styled(headline, DIM)
        self.write("place", place)
        return len(place.wrap(width))

    def _show_large(self, words: QuestionWords, width: int, *, tall: bool) -> int:
        """Paint large letters with the reason beside or below them; returns the rows they take."""
        text = plain(words.large).upper()
        sizes: tuple[Enlarge, ...] = (low_letters,)
        if tall:
            sizes = (high_letters, low_letters)
        framed = tall and is_block(words.tone)
        if framed:
            sizes = (high_framed_letters, low_framed_letters)
        picture = largest(text, width - BESIDE_LETTERS, sizes)
        self.write("letters", painted_word(picture, words.tone, framed=framed))
        reason = Content("\n".join(map(self.formatted, words.reason.split("\n"))))
        self.write("because", reason)

        columns = max(map(cell_len, picture.splitlines()), default=0)
        letter_rows = reason_rows = 0
        if text:
            letter_rows = picture.count("\n") + 1
        if words.reason:
            reason_rows = rows_of(reason, max(width - columns - BEFORE_REASON, LEAST_REASON))
        return max(letter_rows, reason_rows)

    # ------------------------------------------------------------------ keys and mouse

    def is_typed(self, key: str) -> bool:
        """Whether ``key`` is typed into an answer: one without options, or one that may be typed
        instead of choosing an option, as the true card of a shot."""
        question, draft = self.question, self.draft
        if self._draft_typed_ahead(key) is not None:
            return True
        if question is None or draft is None:
            return False
        if options_of(question) and not _is_typed_instead(question, draft, key):
            return False
        changes_typed = key in (ENTER, BACKSPACE) or (key == SPACE and question.keeps_spaces)
        if changes_typed and draft.typed:
            return True
        return question.takes(key, draft.typed)

    def _draft_typed_ahead(self, key: str) -> AnyDraft | None:
        """The draft after a key that begins an answer which may be typed before it is asked for;
        None if the key has another meaning here."""
        draft = self.draft
        is_named_key = len(key) > 1
        if draft is None or is_named_key or self.is_typed_ahead:
            return None
        # A shot that the rules are against waits for a yes or a no, not for its card.
        if self.may_insist or self.objection is not None:
            return None
        if any(answer.key == key for answer in self.possible_answers()):
            return None
        try:
            after = draft.press(key)
        except UnfitAnswer:
            return None
        begins_answer_ahead = (
            after.typed and after.slot is not None and after.slot.may_be_typed_ahead
        )
        if not begins_answer_ahead:
            return None
        return after

    def _backspace_ends_typing_ahead(self, draft: AnyDraft) -> bool:
        """Whether Backspace would delete the only character that is typed ahead."""
        return self.is_typed_ahead and len(draft.typed) == 1

    def may_give_order(self, key: str | None) -> bool:
        """Every key may. Elsewhere a key gives an order only where it can mean nothing else; here
        each question has its own letters, and the same one may answer the next question, too."""
        return key is not None

    async def press(self, key: str) -> None:
        self.note = ""
        draft, ahead = self.draft, self._draft_typed_ahead(key)
        if draft is not None and ahead is not None:
            # Esc and Backspace return to the question at which it was begun.
            self.earlier.append(EarlierQuestion(draft, self.session.typed))
            async with self.recording(key):
                await self.take(ahead)
            return
        if draft is not None and key == BACKSPACE and self._backspace_ends_typing_ahead(draft):
            await self._drop_typed(draft)
            return
        if draft is not None and self.is_typed(key):
            await self._go_on(lambda: draft.press(key), key)
            return
        answer_keys = [answer.key for answer in self.answers]
        if key in answer_keys:
            await self._choose(answer_keys.index(key), key)
        elif key not in CHOOSING_KEYS:
            self.say("Choose one of these by its letter, or with the arrows and Enter.")
        elif self.cursor != UNMARKED:
            await self._choose(self.cursor, key)
        elif self.question is not None and _is_by_key_only(self.question):
            self.say(self.question.hint)
        else:
            self.say("Type it first, then press Enter.")

    async def _choose(self, number: int, key: str = "") -> None:
        """Take an answer of the list, by ``key``; empty: with the mouse."""
        answer, draft = self.answers[number], self.draft
        entries_before = len(self.session.play.entries)
        if answer.action:
            await self.run_action(answer.action)
        elif answer.why_not:
            self.say(answer.why_not)
        elif draft is not None:
            await self._go_on(lambda: draft.reply(answer.value), _key_on_full_screen(answer, draft))
        # Enter held down must not take the first answer of the next question as well.
        gave_order = len(self.session.play.entries) > entries_before
        if gave_order and key in CHOOSING_KEYS and self.is_current:
            self.held_key.ignore(key, self.PAUSE_AFTER_ORDER)

    async def _go_on(self, step: Callable[[], AnyDraft], typed: str) -> None:
        """Go on with the draft after a step. ``typed`` is the key of the full screen with the same
        effect, which is stored for a later resume; empty if none has."""
        before, typed_before = self.draft, self.session.typed
        try:
            after = step()
        except UnfitAnswer as unfit:
            self.say(str(unfit))
            return
        if before is not None and _differ_in_answers(before, after):
            self.earlier.append(EarlierQuestion(before, typed_before))
        async with self.recording(typed):
            await self.take(after)

    async def _return_to_earlier(self) -> None:
        """Go back to the question before, with what was typed for it then."""
        earlier = self.earlier.pop()
        self.draft = earlier.draft
        await self.session.type()  # discards what was typed since
        await self.session.type(*earlier.typed)
        self.show_state()

    async def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.cursor = event.option_index
        await self._choose(event.option_index)

    def action_move(self, by: int) -> None:
        """Move the cursor, from the last answer on to the first and the other way round."""
        cursor = self.cursor
        is_up_from_nowhere = cursor == UNMARKED and by < 0
        if is_up_from_nowhere:
            cursor = 0  # so that it comes to the last answer
        self.cursor = (cursor + by) % max(len(self.answers), 1)
        self.show_state()

    async def action_other(self, key: str) -> None:
        """Do something else than answer, by its key: change a circumstance of the draft (a toggle),
        or begin another command, from which Esc returns to the question that was open."""
        command, open_draft = self.command(key), self.draft
        if open_draft is not None and any(toggle.key == key for toggle in open_draft.toggles):
            await self._go_on(lambda: open_draft.press(key), key)
        elif command is None:
            self.say("Answer this first; Backspace undoes it.")
        elif command.why_not:
            self.say(command.why_not)
        else:
            async with self.recording(key):
                draft: AnyDraft = Draft(command=command)
                # A command without a question is carried out at once: Esc does not return from it.
                if not draft.complete and open_draft is not None:
                    # The keys typed so far are those of the command that is left.
                    self.earlier = [EarlierQuestion(open_draft, [])]
                await self.take(draft)

    async def action_back(self) -> None:
        self.note = ""
        if self.may_insist:  # "Do it anyway?" is answered with no
            self.begin()
            self.show_state()
        elif self.draft is not None and self.draft.typed:
            await self._drop_typed(self.draft)
        elif self.earlier:
            await self._return_to_earlier()
        elif self._can_step_back:
            await self.step_back(ESCAPE)
        else:
            self.action_full()

    @property
    def _can_step_back(self) -> bool:
        """Whether Esc has something to take back before it leaves the questions."""
        # A question that an order has led to (``prompt``) goes with that order.
        if self.prompt is not None or self.command(ESCAPE) is not None:
            return True
        return self.draft is not None and self.draft.begun

    async def _drop_typed(self, draft: AnyDraft) -> None:
        """Discard what is typed of an answer. After an answer typed ahead, return to the question
        at which it was begun."""
        if self.is_typed_ahead and self.earlier:
            await self._return_to_earlier()
            return
        async with self.recording(ESCAPE):
            self.draft = draft.after_escape()
            self.show_state()

    async def step_out(self) -> None:
        """Undo the order that led to the question, when Esc is pressed before the first answer."""
        await self.carry_out(self.session.undo())

    async def action_undo(self) -> None:
        draft = self.draft
        if draft is not None and self._backspace_ends_typing_ahead(draft):
            await self._drop_typed(draft)
        elif draft is not None and draft.typed:
            await self._go_on(draft.stepped_back, BACKSPACE)
        else:
            await self.carry_out(self.session.undo())

    def action_full(self) -> None:
        full = self.skirmish.make_screen("battle", self.session)
        if any(type(screen) is type(full) for screen in self.app.screen_stack):
            self.dismiss()  # the questions were opened from it
        else:
            self.app.switch_screen(full)

    def action_home(self) -> None:
        self.skirmish.go_home()


def _differ_in_answers(before: AnyDraft, after: AnyDraft) -> bool:
    """Whether a question was answered between the two, rather than a character typed."""
    return before.answers != after.answers or before.answered_toggles != after.answered_toggles


def _is_by_key_only(question: Slot) -> bool:
    """Whether Enter must not answer the question, so that nothing is proposed: an Enter typed ahead
    could end a battle."""
    return isinstance(question, Choose) and question.by_key_only


def _key_on_full_screen(answer: AnswerLine, draft: AnyDraft) -> str:
    """The key of the full screen with the same effect; empty if none has. A circumstance has one
    key there, which changes it, and none that leaves it as it is."""
    circumstance = draft.toggle_asked
    if circumstance is None:
        return answer.key
    # The value that the circumstance gets by its key.
    value_by_key = (circumstance.sets or {}).get(circumstance.name)
    if answer.value == value_by_key:
        return circumstance.key
    return ""


def _is_typed_instead(question: Slot, draft: AnyDraft, key: str) -> bool:
    """Whether ``key`` types an answer to a question that lists options too."""
    if not isinstance(question, Either):
        return False
    has_typed_way = any(not options_of(way) for way in question.ways)
    if not has_typed_way:
        return False
    return bool(draft.typed) or _begins_typed_answer(question, key)


def _begins_typed_answer(question: Either, key: str) -> bool:
    """Whether a key begins an answer that is typed, and is the key of no option."""
    if any(option.key == key for option in options_of(question)):
        return False
    return any(way.takes(key) for way in question.ways if not options_of(way))
