"""One question at a time in large letters, for children and beginners. The game and its orders are
those of the full screen; the draft determines the question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from string import ascii_lowercase, digits
from typing import Any, ClassVar, NamedTuple

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import OptionList

from skirmish.app.binding import key_name, keys, signs
from skirmish.app.foot import Foot
from skirmish.app.host import HIGH
from skirmish.app.page_view import DIM, KEY
from skirmish.app.play.big_letters import (
    Enlarge,
    has_large_form,
    high_framed_letters,
    high_letters,
    is_block,
    largest,
    low_framed_letters,
    low_letters,
    painted_word,
)
from skirmish.app.play.ordering import INSIST, LINKED, PHONES, REDO, OrderingScreen, Part
from skirmish.app.text_rows import hanging, rows_of
from skirmish.extras import preview, remark, unless_it_fails
from skirmish.session import AnyDraft, AnySession
from skirmish.tabletop.commands import Draft, Forecast
from skirmish.tabletop.page import Note, Page, Paragraph, Tone
from skirmish.tabletop.refusal import Refusal, with_key_note
from skirmish.tabletop.slots import (
    BACKSPACE,
    ESCAPE,
    Choose,
    Either,
    Slot,
    UnfitAnswer,
    keys_of,
    options_of,
)
from skirmish.tabletop.typed import plain

LEAST_REASON = 24
"""Columns that a reason needs beside the large letters."""
BEFORE_REASON = 3
"""Columns between the large letters and a reason."""
BESIDE_LETTERS = 5
"""Columns that large letters leave free at their right."""
MARGIN = 4
"""Columns at the edges."""
CHOOSING_KEYS = ("enter", "space")
"""Keys that take the answer under the cursor."""
AROUND = 7
"""Rows besides the letters, the question and the messages. The answers are drawn in the largest
letters that fit below them, so their room is computed before they are laid out."""
UNMARKED = -1
"""The cursor while an answer is typed, and where the player is to mark one himself."""
KEY_EDGES = 6
"""Columns of a line before the note of its answer, besides its key and its words."""
LETTERS_EDGES = 15
"""Columns around an answer in large letters: for the cursor, the key and the note."""
FINISH_KEY = "F"
"""The key that ends the game. It is rarely needed, and so its line is the last: the first to be
cut where there is no room."""


class AnswerLine(NamedTuple):
    """A line or button that answers a question, or does something else."""

    words: str
    key: str = ""
    note: str = ""
    """What stands behind the words."""
    value: Any = None
    """What the question is answered with; None for a line that has an ``action``, and for the
    confirmation."""
    action: str = ""
    """What the screen does instead of taking an answer; empty: it takes the answer."""
    why_not: str = ""
    """Why it is disabled; empty: it is not."""
    aside: bool = False
    """Whether it stands apart, as it does not answer the question."""


class AnswerList(OptionList):
    """The answers to one question: in the largest letters that fit, else as lines, with empty rows
    between them if there is room."""

    can_focus = False

    def show(self, answers: Sequence[AnswerLine], cursor: int, *, width: int, room: int) -> None:
        """Show the answers in ``width`` columns and ``room`` rows; ``cursor`` is the marked one."""
        enlarge = _largest_that_fit(answers, width, room)
        key_columns = max((len(key_words(answer)) for answer in answers), default=1)
        lines = [answer for answer in answers if enlarge is None or answer.aside]
        word_columns = max((len(answer.words) for answer in lines), default=1)
        indent = KEY_EDGES + key_columns + word_columns

        entries: list[list[Content]] = []
        for number, answer in enumerate(answers):
            chosen = number == cursor
            if enlarge is None or answer.aside:
                line = _answer_row(answer, chosen, key_columns, word_columns)
                entries.append(hanging(line, width - 1, indent))
            else:
                picture = _answer_picture(answer, chosen, key_columns, enlarge)
                entries.append([*picture, Content("")])
        if enlarge is None:
            entries = _spaced_out(entries, room)
        self.set_options(Content("\n").join(rows) for rows in entries)
        self.highlighted = None
        if cursor != UNMARKED:
            self.highlighted = cursor


def _spaced_out(entries: list[list[Content]], room: int) -> list[list[Content]]:
    """The lines with an empty row after each but the last, if all of it fits."""
    needed = sum(map(len, entries)) + len(entries) - 1
    if needed > room:
        return entries
    spaced = [[*rows, Content("")] for rows in entries[:-1]]
    return [*spaced, *entries[-1:]]


def _answer_picture(
    answer: AnswerLine, chosen: bool, key_columns: int, enlarge: Enlarge
) -> Iterator[Content]:
    """An answer in large letters, with a bar beside the selected one; its key and its note stand
    beside the row in the middle."""
    bar, style = "  ", ""
    if chosen:
        bar, style = "█ ", KEY
    picture = enlarge(answer.words).split("\n")
    middle = len(picture) // 2
    for number, row in enumerate(picture):
        key, note = "", ""
        if number == middle:
            key, note = key_words(answer), f"   {answer.note}"
        yield Content.assemble(
            (bar, KEY), (f"{key:>{key_columns}}", KEY), (f"   {row}", style), note
        )


def key_words(answer: AnswerLine) -> str:
    """The key of an answer as it is shown: ``Esc``, ``r``."""
    if len(answer.key) > 1:
        return key_name(answer.key)
    return answer.key


def _answer_row(answer: AnswerLine, chosen: bool, key_columns: int, word_columns: int) -> Content:
    """An answer as a line: its key, its words, its note."""
    key_style, word_style, note_style = KEY, "bold", ""
    if answer.why_not:
        key_style, word_style, note_style = DIM, DIM, DIM
    elif answer.aside:
        word_style = ""
    mark = "  "
    if chosen:
        mark, word_style = "► ", "bold reverse"
    return Content.assemble(
        (mark, KEY),
        (f"{key_words(answer):>{key_columns}}", key_style),
        "  ",
        (f" {answer.words:<{word_columns}} ", word_style),
        (f" {answer.note}", note_style),
    )


def _largest_that_fit(answers: Sequence[AnswerLine], width: int, room: int) -> Enlarge | None:
    """The largest letters in which all answers fit, with the asides as lines below; None if none
    do."""
    in_letters = [answer for answer in answers if not answer.aside]
    if not in_letters or not all(has_large_form(answer.words) for answer in in_letters):
        return None
    aside_rows = len(answers) - len(in_letters)
    note_columns = max(len(answer.note) for answer in in_letters)
    for enlarge in (high_letters, low_letters):
        pictures = [enlarge(answer.words).split("\n") for answer in in_letters]
        # Each with an empty row below it.
        rows = sum(len(picture) + 1 for picture in pictures) + aside_rows
        longest = max(max(map(len, picture)) for picture in pictures)
        if rows <= room and longest + note_columns + LETTERS_EDGES <= width:
            return enlarge
    return None


class QuestionWords(NamedTuple):
    """What stands above the answers: a word in ``large`` letters, its reason (``because``), and
    what the question ``asks``. ``tone``: that of a verdict in large letters."""

    large: str
    because: str
    asks: str
    tone: Tone = ""


class EarlierQuestion(NamedTuple):
    """What Esc returns to: a draft, and what was typed for it."""

    draft: AnyDraft
    typed: list[str]


class QuestionScreen(OrderingScreen):
    """The questions of one game. ``earlier`` are those that Esc returns to, from the last one on;
    ``cursor`` is the number of the answer that Enter takes."""

    CSS_PATH = "questions.tcss"
    TOPIC: ClassVar[str] = "question"
    PAUSE_AFTER_ORDER: ClassVar[float] = 0.7
    """Seconds for which Enter or Space is ignored after it gave an order: longer than the delay of
    a held key, and long enough to look at a verdict."""
    ASIDES: ClassVar[tuple[str, ...]] = ()
    """The keys of commands that are offered beside the first question."""
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
            INSIST,
            ("summary", "Y", "summary", "", "Summary"),
            ("journal", "J", "journal", "Journal", "The whole journal"),
            ("full", "f2", "full", "Full screen", "The full screen, with everything"),
            PHONES,
            LINKED,
            REDO,
            ("home", "H", "home", "Home", "Home; the game is saved"),
        ),
        *signs("question", ascii_lowercase + digits),
    ]  # fmt: skip

    def __init__(self, session: AnySession) -> None:
        self.earlier: list[EarlierQuestion] = []
        self.cursor = 0
        self.answers: list[AnswerLine] = []
        self._question_shown = ""
        """The id of the question that was painted last."""
        self._explained: dict[str, str] = {}
        """The hints that were given: the id of each, with that of the question at which it was
        given."""
        super().__init__(session)  # last, since it calls ``begin``

    # ------------------------------------------------------------------ the question

    def begin(self) -> None:
        super().begin()
        self.earlier = []
        # What the game itself asks for, without a key, is a question too.
        self.draft = self.draft_in_hand

    @property
    def asked(self) -> Slot | None:
        """The open question; None if only the confirmation is left."""
        if self.draft is None:
            return None
        if self._is_typed_ahead:
            return self.draft.slot
        return self.draft.question()

    @property
    def _is_typed_ahead(self) -> bool:
        """Whether an answer is being typed that was not asked for yet, as the card of a shot that
        is only offered."""
        draft = self.draft
        if draft is None or draft.slot is None:
            return False
        # What is required is asked for, and so is not ahead of its question.
        return bool(draft.typed) and draft.slot.optional and draft.slot.may_be_ahead

    @property
    def _waits_for_yes_or_no(self) -> bool:
        """Whether the open question is "Do it anyway?": of the order that was just refused, or of
        one that is ready to be given and that the rules advise against."""
        advice = self._advice
        return self.may_insist or (advice is not None and not advice.firm)

    @property
    def _advice(self) -> Refusal | None:
        """Why the rules are against the order that is ready to be given."""
        draft = self.draft
        if draft is None or self.asked is not None:
            return None
        return self.advice_against(draft)

    def _answers(self) -> Iterator[AnswerLine]:
        """What the open question can be answered with, then what can be done instead."""
        if self._waits_for_yes_or_no:
            yield AnswerLine("No", "n", action="back")
            yield AnswerLine("Yes", "y", action="insist")
            return
        # A firm refusal has no "do it anyway".
        if self._advice is not None:
            yield AnswerLine("Back", "escape", action="back")
            return
        draft, asked = self.draft, self.asked
        if asked is not None:
            yield from _answers_to(asked)
        elif draft is not None:
            # Only the confirmation is left: Space does it.
            word = draft.command.word or draft.command.label
            yield AnswerLine(word.capitalize(), "space")
        yield from self._asides_below()

    def _asides_below(self) -> Iterator[AnswerLine]:
        """What can be done instead of answering, below the answers."""
        draft = self.draft
        # Only beside the first question, which the game itself asks, so that no key began it: in
        # the middle of a shot the next answer is what matters.
        asides: dict[str, AnswerLine] = {}
        if draft is not None and not self.earlier and draft.command.key == "":
            asides = {aside.key: aside for aside in self.asides()}
        # The end of the battle stands last, where no hasty finger lands.
        finish = asides.pop(FINISH_KEY, None)
        yield from asides.values()
        if self.over:
            yield AnswerLine("Summary", "Y", action="summary", aside=True)
        if len(self.session.play.acts) > 1:  # the first is the opening
            yield AnswerLine("Undo", "backspace", action="undo", aside=True)
        yield AnswerLine("The full screen", "f2", action="full", aside=True)
        if finish is not None:
            yield finish

    def asides(self) -> Iterator[AnswerLine]:
        """What can be done beside the first question."""
        for command in self.commands:
            if command.why_not or command.key not in self.ASIDES:
                continue
            # A command without a word on the full screen's last line is not offered here; those of
            # Esc and Enter never have one there, and are.
            if not command.word and command.key not in ("escape", "enter"):
                continue
            label = plain(command.label)
            # Tab puts the last shot right. Here it stands below the verdict on that shot.
            if command.key == "tab":
                label = "That was wrong"
            yield AnswerLine(label, command.key, action=f"other('{command.key}')", aside=True)

    def _words(self) -> QuestionWords:
        """What stands above the answers: why not, the question, or the result with it."""
        advice = self._advice
        if advice is None and self.may_insist:
            advice = self.refusal
        if advice is not None:
            return _words_against(advice)
        asked, draft = self.asked, self.draft
        if asked is None:
            forecast = self._forecast()
            if forecast is not None and forecast.text:
                return QuestionWords(forecast.large, "", forecast.text)
        large = ""
        if asked is not None:
            large = plain(asked.large)
            text = plain(f"{asked.text} {asked.key_note}".strip())
        elif draft is not None:
            text = plain(draft.command.label)
        else:
            text = "The game is over."
        # The result of the last shot stands in large letters until something new is begun.
        verdict = self.verdict
        if verdict is not None and verdict.text and not self.earlier:
            asks = f"{large} {text}".strip()
            return QuestionWords(verdict.text, verdict.reason, asks, verdict.tone)
        return QuestionWords(large, "", text)

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
        self.answers = list(self._answers())
        answers_so_far = self._answers_so_far()
        # It differs for every question that is asked, also for the same one after another shot.
        question_id = f"{self._question_name} {answers_so_far} {len(self.session.play.entries)}"
        self._place_cursor(question_id)

        width, height = self.columns - MARGIN, self.app.size.height
        words = self._words()
        self.write("place", self._first_line(width))
        self.write("trail", Content.styled(" → ".join(answers_so_far), KEY))
        letter_rows = self._show_large(words, width, tall=height >= HIGH)
        asks_rows = self._show_asks(words, width)
        message_rows = self._show_messages(width, question_id)

        # The answers come last: they are as large as what stands above them leaves room for.
        room = height - AROUND - letter_rows - asks_rows - message_rows
        self.query_one(AnswerList).show(self.answers, self.cursor, width=width, room=room)
        self.refresh_bindings()

    def _place_cursor(self, question_id: str) -> None:
        """Put the cursor on the proposed answer where the question is new; else leave it."""
        if question_id != self._question_shown:
            self._question_shown = question_id
            self.cursor = self._proposed_answer()
        # The same question may have fewer answers than before.
        self.cursor = min(self.cursor, max(len(self.answers) - 1, 0))

    def _show_asks(self, words: QuestionWords, width: int) -> int:
        """Show the question with what is typed of its answer; returns the rows of the question."""
        self.write("asks", Content.styled(self.formatted(words.asks) + self._echo(), "bold"))
        return len(Content(words.asks).wrap(width))

    @property
    def _question_name(self) -> str:
        """What the game calls the open question; ``draw`` once only the confirmation is left."""
        if self.asked is None:
            return "draw"
        return self.asked.name

    def _proposed_answer(self) -> int:
        """Where the cursor stands when a question is new."""
        asked = self.asked
        if asked is None:
            return 0
        if asked.proposed is not None:
            for number, answer in enumerate(self.answers):
                if answer.value == asked.proposed:
                    return number
        # An answer that is typed has no line; the cursor must not stand on "Undo" meanwhile.
        is_typed = all(answer.aside for answer in self.answers)
        if is_typed or _is_by_key_only(asked):
            return UNMARKED
        return 0

    def _echo(self) -> str:
        """What is typed of the answer, behind the question."""
        draft, asked = self.draft, self.asked
        if draft is None or asked is None or draft.slot is not asked or not draft.typed:
            return ""
        return f" {asked.echo(draft.typed)}_"

    def _answers_so_far(self) -> list[str]:
        """The answers so far, in words."""
        draft = self.draft
        if draft is None:
            return []
        answers = []
        for slot in draft.slots:
            answer = draft.answers.get(slot.name)
            if answer is not None:
                answers.append(plain(slot.shown(answer)))
        for toggle in draft.toggles:
            if toggle.name in draft.asked:
                answers.append(plain(toggle.label))
        return answers

    def _show_messages(self, width: int, question_id: str) -> int:
        """Show what stands below the question; returns its rows."""
        sentences = []
        for sentence in (*self._messages(question_id), self.note):
            if sentence:
                sentences.append(self.formatted(sentence))
        message = Content("\n".join(sentences))
        self.write("messages", message)
        # An empty part would still take a row.
        self.query_one("#messages").display = bool(message)
        if not message:
            return 0
        return len(message.wrap(width))

    def _messages(self, question_id: str) -> Iterator[str]:
        """What helps to answer: a first explanation, the situation, the odds, how it is typed."""
        draft = self.draft
        if draft is None:
            return
        yield self._first_hint(question_id)
        yield from self.explanations()
        # What the game itself asks, as who dies, has nothing to do with who moves and who fires.
        if not self.earlier and not draft.command.key and self.prompt is None:
            yield from _sentences_of(self.situation_page)
        yield from self._preview_sentences(draft)
        yield self._how_to_answer(draft)

    def _first_hint(self, question_id: str) -> str:
        """The game's hint on the question; empty if it was given before, at an earlier question."""
        hint = self.game.hint(self.state, self._question_name)
        # Where the rules are against the shot, "Do it anyway?" is asked: a hint on the draw would
        # not fit.
        if not hint.text or self._advice is not None:
            return ""
        # A hint is given once: it stays while the first question that it is about is open.
        if self._explained.setdefault(hint.id, question_id) != question_id:
            return ""
        return hint.text

    def _preview_sentences(self, draft: AnyDraft) -> Iterator[str]:
        """The odds of what is put together, or another preview of it."""
        if draft.command.forecast is not None:
            forecast = self._forecast()
            # The odds do not matter where the rules are against the shot.
            if forecast is not None and self._advice is None:
                yield from forecast.sentences
            return
        # Before anything is put together there is nothing to preview. A command with a key was
        # chosen, so that it may have a preview before its first answer.
        is_begun = bool(draft.answers or draft.command.key)
        if self.asked is None or is_begun:
            yield from _previewed(draft)

    def _how_to_answer(self, draft: AnyDraft) -> str:
        """How an answer without options is typed, or one that may be typed ahead."""
        asked = self.asked
        if asked is not None and not options_of(asked):
            return asked.hint
        if draft.slots and draft.slots[-1].may_be_ahead and self._advice is None:
            return draft.slots[-1].key_note
        return ""

    def explanations(self) -> Iterable[str]:
        """Sentences of this game for the question that is open."""
        return ()

    def _forecast(self) -> Forecast | None:
        """The chances of the shot in hand: before its confirmation, and where the next answer is
        typed, since that may be its card."""
        draft, asked = self.draft, self.asked
        if draft is None:
            return None
        if asked is not None and (options_of(asked) or not draft.answers):
            return None

        def only_that_sentence(sentence: str) -> Forecast:
            return Forecast(sentences=(sentence,))

        return unless_it_fails(
            lambda: draft.forecast, instead=only_that_sentence, missing="The odds are"
        )

    def _first_line(self, width: int) -> Content:
        """The first line of the screen: the game and how it stands; only the latter where both have
        no room."""
        title, headline = self.title_and_headline
        if cell_len(title) + cell_len(headline) + 3 > width:
            return Content.styled(headline, DIM).truncate(width, ellipsis=True)
        return Content.assemble((title.upper(), "bold"), (f"   {headline}", DIM))

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
        reason = Content("\n".join(map(self.formatted, words.because.split("\n"))))
        self.write("because", reason)

        columns = max(map(cell_len, picture.splitlines()), default=0)
        letter_rows = reason_rows = 0
        if text:
            letter_rows = picture.count("\n") + 1
        if words.because:
            reason_rows = rows_of(reason, max(width - columns - BEFORE_REASON, LEAST_REASON))
        return max(letter_rows, reason_rows)

    # ------------------------------------------------------------------ keys and mouse

    def is_typed(self, key: str) -> bool:
        """Whether ``key`` is typed into an answer: one without options, or one that may be typed
        instead of an option, as the true card of a shot."""
        asked, draft = self.asked, self.draft
        if self._draft_typed_ahead(key) is not None:
            return True
        if asked is None or draft is None:
            return False
        if options_of(asked) and not _is_typed_instead(asked, draft, key):
            return False
        ends = key in ("enter", "backspace") or (key == "space" and asked.spaced)
        if ends and draft.typed:
            return True
        return asked.takes(key, draft.typed)

    def _draft_typed_ahead(self, key: str) -> AnyDraft | None:
        """The draft after a key that begins an answer which may be typed before it is asked for;
        None if the key has another meaning here."""
        draft = self.draft
        if draft is None or len(key) > 1 or self._is_typed_ahead:
            return None
        # A shot that the rules are against waits for a yes or a no, not for its card.
        if self.may_insist or self._advice is not None:
            return None
        if any(answer.key == key for answer in self._answers()):
            return None
        try:
            after = draft.press(key)
        except UnfitAnswer:
            return None
        if not after.typed or after.slot is None or not after.slot.may_be_ahead:
            return None
        return after

    def _backspace_ends_typing_ahead(self, draft: AnyDraft) -> bool:
        """Whether Backspace takes back the last character of what was typed ahead."""
        return self._is_typed_ahead and len(draft.typed) == 1

    def may_give_order(self, key: str | None) -> bool:
        """Every key may: here a letter that was meant for one question is another answer to the
        next."""
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
        elif self.asked is not None and _is_by_key_only(self.asked):
            self.say(self.asked.hint)
        else:
            self.say("Type it first, then press Enter.")

    async def _choose(self, number: int, key: str = "") -> None:
        """Take an answer of the list, by ``key`` or with the mouse."""
        answer, draft = self.answers[number], self.draft
        entries_before = len(self.session.play.entries)
        if answer.action:
            await self.run_action(answer.action)
        elif answer.why_not:
            self.say(answer.why_not)
        elif draft is not None:
            await self._go_on(lambda: draft.reply(answer.value), _key_on_full_screen(answer, draft))
        # Who holds Enter down does not take the first answer of the next question as well.
        gave_order = len(self.session.play.entries) > entries_before
        if gave_order and key in CHOOSING_KEYS and self.is_current:
            self.held.rest(key, self.PAUSE_AFTER_ORDER)

    async def _go_on(self, step: Callable[[], AnyDraft], typed: str) -> None:
        """Go on with the draft after a step; ``typed`` are keys of the full screen that lead to the
        same."""
        before, typed_before = self.draft, self.session.typed
        try:
            after = step()
        except UnfitAnswer as unfit:
            self.say(str(unfit))
            return
        if before is not None and (before.answers, before.asked) != (after.answers, after.asked):
            self.earlier.append(EarlierQuestion(before, typed_before))
        async with self.recording(typed):
            await self.take(after)

    async def _return_to_earlier(self) -> None:
        """Go back to the question before, with what was typed for it then."""
        question = self.earlier.pop()
        self.draft = question.draft
        # First what was typed since is discarded, then what was typed before is stored again.
        await self.session.type()
        await self.session.type(*question.typed)
        self.show_state()

    async def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.cursor = event.option_index
        await self._choose(event.option_index)

    def action_move(self, by: int) -> None:
        cursor = self.cursor
        if cursor == UNMARKED and by < 0:
            cursor = 0  # up from nowhere is the last answer
        self.cursor = (cursor + by) % max(len(self.answers), 1)
        self.show_state()

    async def action_other(self, key: str) -> None:
        """Something else than an answer, by its key: a circumstance of the draft (a toggle) is
        changed, or another command is begun; Esc then returns to the question that was open."""
        command, open_draft = self.command(key), self.draft
        if open_draft is not None and any(toggle.key == key for toggle in open_draft.toggles):
            await self._go_on(lambda: open_draft.press(key), key)
        elif command is None:
            self.say("Answer this first; ⌫ undoes it.")
        elif command.why_not:
            self.say(command.why_not)
        else:
            async with self.recording(key):
                draft: AnyDraft = Draft(command=command)
                # A command without a question is carried out at once: Esc has nothing to leave.
                if not draft.whole and open_draft is not None:
                    self.earlier = [EarlierQuestion(open_draft, [])]
                await self.take(draft)

    async def action_back(self) -> None:
        self.note = ""
        if self.may_insist:  # no, it is not done
            self.begin()
            self.show_state()
        elif self.draft is not None and self.draft.typed:
            await self._drop_typed(self.draft)
        elif self.earlier:
            await self._return_to_earlier()
        elif self._can_step_back:
            await self.back("escape")
        else:
            self.action_full()

    @property
    def _can_step_back(self) -> bool:
        """Whether Esc has something to take back before it leaves the questions."""
        if self.prompt is not None or self.command("escape") is not None:
            return True
        return self.draft is not None and self.draft.begun

    async def _drop_typed(self, draft: AnyDraft) -> None:
        """Take back what is typed of an answer; what was typed ahead goes with its question."""
        if self._is_typed_ahead and self.earlier:
            await self._return_to_earlier()
            return
        async with self.recording(ESCAPE):
            self.draft = draft.dropped()
            self.show_state()

    async def step_out(self) -> None:
        """Esc before the first answer undoes the order that led to the question."""
        await self.carry_out(self.session.undo())

    async def action_undo(self) -> None:
        draft = self.draft
        if draft is not None and self._backspace_ends_typing_ahead(draft):
            await self._drop_typed(draft)
        elif draft is not None and draft.typed:
            await self._go_on(draft.back, "backspace")
        else:
            await self.carry_out(self.session.undo())

    def action_full(self) -> None:
        full = self.skirmish.make_screen("battle", self.session)
        if any(type(screen) is type(full) for screen in self.app.screen_stack):
            self.dismiss()  # the questions were opened from it
        else:
            self.app.switch_screen(full)

    def action_home(self) -> None:
        self.skirmish.home()


def _words_against(advice: Refusal) -> QuestionWords:
    """What stands above the answers where the rules are against an order."""
    if advice.firm:
        return QuestionWords("NO", str(advice), "That cannot be done.")
    return QuestionWords("NO", f"The rules say no:\n{advice}", "Do it anyway?")


def _answers_to(asked: Slot) -> Iterator[AnswerLine]:
    """The options of a question, each with its key; or what is proposed for one that is typed."""
    options = options_of(asked)
    for key, option in keys_of(options).items():
        note = plain(remark(option))
        yield AnswerLine(plain(option.label), key, note, option.value, why_not=option.why_not)
    if not options and asked.proposed is not None:
        yield AnswerLine(plain(asked.shown(asked.proposed)), "enter", value=asked.proposed)


def _sentences_of(page: Page) -> Iterator[str]:
    """The paragraphs of a page."""
    for block in page.blocks:
        if isinstance(block, Paragraph):
            yield block.text


def _previewed(draft: AnyDraft) -> Iterator[str]:
    """The sentences that a command shows while it is put together."""
    for block in preview(draft).blocks:
        if isinstance(block, Note):
            yield block.text
        elif isinstance(block, Paragraph):
            yield with_key_note(f"{block.lead} {block.text}".strip(), block.key_note)


def _is_by_key_only(asked: Slot) -> bool:
    """Whether nothing is proposed on purpose, since a key typed ahead could end a battle."""
    return isinstance(asked, Choose) and asked.by_key_only


def _key_on_full_screen(answer: AnswerLine, draft: AnyDraft) -> str:
    """The key of the full screen with the same effect. There a circumstance has one key, which
    changes it, and none that leaves it as it is."""
    circumstance = draft.toggle_asked  # the one that is asked about now
    if circumstance is None:
        return answer.key
    # The value that the circumstance gets by its key.
    value_by_key = (circumstance.sets or {}).get(circumstance.name)
    if answer.value == value_by_key:
        return circumstance.key
    return ""


def _is_typed_instead(asked: Slot, draft: AnyDraft, key: str) -> bool:
    """Whether ``key`` types an answer to a question that lists options too."""
    if not isinstance(asked, Either):
        return False
    has_typed_way = any(not options_of(way) for way in asked.ways)
    if not has_typed_way:
        return False
    return bool(draft.typed) or _typed_way_takes(asked, key)


def _typed_way_takes(asked: Either, key: str) -> bool:
    """Whether a key begins an answer that is typed, and is the key of no option."""
    if any(option.key == key for option in options_of(asked)):
        return False
    return any(way.takes(key) for way in asked.ways if not options_of(way))
