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
from skirmish.app.page_view import DIM, KEY, hanging, rows_of
from skirmish.app.play.big_letters import high, largest, low, painted_word, readable
from skirmish.app.play.ordering import INSIST, PHONES, REDO, OrderingScreen, Part
from skirmish.extras import extra, preview, remark
from skirmish.session import AnyDraft, AnySession
from skirmish.tabletop.commands import Draft, Outlook
from skirmish.tabletop.page import Note, Paragraph
from skirmish.tabletop.refusal import Refusal
from skirmish.tabletop.slots import ESCAPE, Choose, Either, Option, Slot, UnfitAnswer, keys_of
from skirmish.tabletop.typed import plain

TALL, BESIDE, MARGIN = 34, 24, 4
"""Rows from which the large letters have full size; columns that a reason needs beside them;
columns at the edges."""
TAKING = ("enter", "space")
AROUND = 7
"""Rows besides the letters, the question and the messages. The answers are drawn in the largest
letters that fit below them, so their room is computed before they are laid out."""
UNMARKED = -1
"""The cursor while an answer is typed, and where the player is to mark one himself."""
SIGN_EDGES, SIGN = 6, 15
"""Columns before the note of an answer besides its key and its words; columns around its large
letters for the cursor, the key and the note."""


class AnswerLine(NamedTuple):
    """A line or button: its key, its ``words``, a ``note`` after them. ``why_not`` is why it is
    disabled; ``aside``: it does not answer the question. ``value`` is the answer, ``action`` what
    the screen does instead."""

    words: str
    key: str = ""
    note: str = ""
    value: Any = None
    action: str = ""
    why_not: str = ""
    aside: bool = False


class AnswerList(OptionList):
    """The answers to one question: in the largest letters that fit, else as lines, with empty rows
    between them if there is room."""

    can_focus = False

    def show(self, answers: Sequence[AnswerLine], cursor: int, *, width: int, room: int) -> None:
        letters = _letters(answers, width, room)
        signs = max((len(sign_of(one)) for one in answers), default=1)
        lines = [one for one in answers if letters is None or one.aside]
        named = max((len(one.words) for one in lines), default=1)
        entries = [
            hanging(_line(one, at == cursor, signs, named), width - 1, SIGN_EDGES + signs + named)
            if letters is None or one.aside
            else [*_picture(one, at == cursor, signs, letters), Content("")]
            for at, one in enumerate(answers)
        ]
        if letters is None and sum(map(len, entries)) + len(entries) - 1 <= room:
            entries = [[*rows, Content("")] for rows in entries[:-1]] + entries[-1:]
        self.set_options(Content("\n").join(rows) for rows in entries)
        self.highlighted = None if cursor == UNMARKED else cursor


def _picture(
    answer: AnswerLine, chosen: bool, signs: int, letters: Callable[[str], str]
) -> Iterator[Content]:
    """An answer in large letters, with a bar beside the selected one."""
    picture = letters(answer.words).split("\n")
    for nth, row in enumerate(picture):
        middle = nth == len(picture) // 2
        yield Content.assemble(
            ("█ " if chosen else "  ", KEY),
            (f"{sign_of(answer):>{signs}}" if middle else " " * signs, KEY),
            (f"   {row}", KEY if chosen else ""),
            f"   {answer.note}" if middle else "",
        )


def sign_of(answer: AnswerLine) -> str:
    return key_name(answer.key) if len(answer.key) > 1 else answer.key


def _line(answer: AnswerLine, chosen: bool, signs: int, named: int) -> Content:
    weak = bool(answer.why_not)
    style = "bold reverse" if chosen else (DIM if weak else "" if answer.aside else "bold")
    return Content.assemble(
        ("► " if chosen else "  ", KEY),
        (f"{sign_of(answer):>{signs}}", DIM if weak else KEY),
        "  ",
        (f" {answer.words:<{named}} ", style),
        (f" {answer.note}", DIM if weak else ""),
    )


def _letters(answers: Sequence[AnswerLine], width: int, room: int) -> Callable[[str], str] | None:
    main = [answer for answer in answers if not answer.aside]
    if not main or not all(readable(answer.words) for answer in main):
        return None
    notes = max(len(answer.note) for answer in main)
    for letters in (high, low):
        pictures = [letters(answer.words).split("\n") for answer in main]
        rows = sum(len(picture) + 1 for picture in pictures) + len(answers) - len(main)
        longest = max(len(row) for picture in pictures for row in picture)
        if rows <= room and longest + notes + SIGN <= width:
            return letters
    return None


class QuestionScreen(OrderingScreen):
    """The questions of one game. ``before`` are the drafts that Esc returns to, with what was typed
    for them; ``cursor`` is the answer that Enter takes."""

    CSS_PATH = "questions.tcss"
    TOPIC: ClassVar[str] = "question"
    LOOK: ClassVar[float] = 0.7
    """Seconds for which Enter or Space is ignored after it gave an order: longer than the delay of
    a held key, and long enough to look at a verdict."""
    ASIDES: ClassVar[tuple[str, ...]] = ()
    """The keys of commands that are offered beside the first question."""
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
            REDO,
            ("home", "H", "home", "Home", "Home; the game is saved"),
        ),
        *signs("question", ascii_lowercase + digits),
    ]  # fmt: skip

    def __init__(self, session: AnySession) -> None:
        self.before: list[tuple[AnyDraft, list[str]]] = []
        self.cursor = 0
        self.answers: list[AnswerLine] = []
        self._asked = ""
        self._explained: dict[str, str] = {}
        super().__init__(session)

    # ------------------------------------------------------------------ the question

    def begin(self) -> None:
        super().begin()
        self.before, self.draft = [], self.in_hand

    @property
    def asked(self) -> Slot | None:
        return None if self.draft is None else self.draft.question()

    @property
    def _advice(self) -> Refusal | None:
        draft = self.draft
        if draft is None or self.asked is not None:
            return None
        return self.game.why_not(self.state, draft.confirmed().order(lambda: 1))

    def _answers(self) -> Iterator[AnswerLine]:
        draft, asked = self.draft, self.asked
        advice = self._advice
        if self._anyway is not None or (advice is not None and not advice.firm):
            yield AnswerLine("No", "n", action="back")
            yield AnswerLine("Yes", "y", action="insist")
            return
        if advice is not None:
            yield AnswerLine("Back", "escape", action="back")
            return
        if draft is not None and asked is None:
            word = (draft.command.word or draft.command.label).capitalize()
            yield AnswerLine(word, "space")
        elif asked is not None:
            options = _options(asked)
            for key, one in keys_of(options).items():
                yield AnswerLine(
                    plain(one.label), key, plain(remark(one)), one.value, why_not=one.why_not
                )
            if not options and asked.proposed is not None:
                yield AnswerLine(plain(asked.shown(asked.proposed)), "enter", value=asked.proposed)
        beside = draft is not None and not self.before and draft.command.key == ""
        asides = {one.key: one for one in self.asides()} if beside else {}
        last = asides.pop("F", None)  # rarely needed: the first to be cut
        yield from asides.values()
        if self.over:
            yield AnswerLine("Summary", "Y", action="summary", aside=True)
        if len(self.session.play.acts) > 1:
            yield AnswerLine("Undo", "backspace", action="undo", aside=True)
        yield AnswerLine("The full screen", "f2", action="full", aside=True)
        if last is not None:
            yield last

    def asides(self) -> Iterator[AnswerLine]:
        """What can be done beside the first question."""
        for command in self.commands:
            now = not command.why_not and (command.word or command.key in ("escape", "enter"))
            if now and command.key in self.ASIDES:
                label = "That was wrong" if command.key == "tab" else plain(command.label)
                yield AnswerLine(label, command.key, action=f"other('{command.key}')", aside=True)

    def _words(self) -> tuple[str, str, str]:
        asked, draft = self.asked, self.draft
        advice = self._advice or (self.refusal if self._anyway is not None else None)
        if advice is not None and advice.firm:
            return "NO", str(advice), "That cannot be done."
        if advice is not None:
            return "NO", f"The rules say no:\n{advice}", "Do it anyway?"
        outlook = self._outlook()
        if outlook is not None and asked is None and advice is None and outlook.text:
            return outlook.large, "", outlook.text
        if asked is not None:
            large, text = plain(asked.large), plain(f"{asked.text} {asked.key_note}".strip())
        elif draft is not None:
            large, text = "", plain(draft.command.label)
        else:
            large, text = "", "The game is over."
        verdict = self.verdict if not self.before else None
        if verdict is not None and verdict.text:
            return verdict.text, verdict.reason, f"{large} {text}".strip()
        return large, "", text

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

    def show_state(self) -> None:
        if not self.is_mounted or not self.query("#answers"):
            return
        draft = self.draft
        self.answers = list(self._answers())
        name = self.asked.name if self.asked else "draw"
        given = list(self._given(draft)) if draft else []
        now = f"{name} {given} {len(self.session.play.entries)}"
        if now != self._asked:
            proposed = self.asked.proposed if self.asked else None
            values = [one.value for one in self.answers]
            writing = self.asked is not None and all(one.aside for one in self.answers)
            unmarked = writing or (isinstance(self.asked, Choose) and self.asked.by_key_only)
            self._asked, self.cursor = now, UNMARKED if unmarked else 0
            if proposed is not None and proposed in values:
                self.cursor = values.index(proposed)
        self.cursor = min(self.cursor, max(len(self.answers) - 1, 0))
        width, height = self.app.size.width - MARGIN, self.app.size.height
        large, because, asks = self._words()
        self.write("place", self._place(width))
        self.write("trail", Content.styled(" → ".join(given), KEY))
        messages = [*self._messages(draft, name, now), self.note]
        rows = self._large(large, because, width, tall=height >= TALL)
        typed = draft.typed if draft is not None and draft.slot is self.asked else ""
        echo = f" {self.asked.echo(typed)}_" if self.asked is not None and typed else ""
        self.write("asks", Content.styled(self.formatted(asks) + echo, "bold"))
        message = Content("\n".join(self.formatted(one) for one in messages if one))
        self.write("messages", message)
        self.query_one("#messages").display = bool(message)
        used = AROUND + rows + len(Content(asks).wrap(width))
        used += len(message.wrap(width)) if message else 0
        self.query_one(AnswerList).show(self.answers, self.cursor, width=width, room=height - used)
        self.refresh_bindings()

    def _given(self, draft: AnyDraft) -> Iterator[str]:
        for slot in draft.slots:
            if draft.answers.get(slot.name) is not None:
                yield plain(slot.shown(draft.answers[slot.name]))
        for toggle in draft.toggles:
            if toggle.name in draft.asked:
                yield plain(toggle.label)

    def _messages(self, draft: AnyDraft | None, name: str, now: str) -> Iterator[str]:
        if draft is None:
            return
        explained, words = self.game.hint(self.state, name)
        if words and self._explained.setdefault(explained, now) == now:
            yield words
        yield from self.explanations()
        # What the game itself asks, as who dies, has nothing to do with who moves and who fires.
        if not self.before and not draft.command.key and self.prompt is None:
            for block in self.situation_page.blocks:
                if isinstance(block, Paragraph):
                    yield block.text
        if draft.command.outlook is not None:
            outlook = self._outlook()
            yield from outlook.sentences if outlook is not None and self._advice is None else ()
        elif self.asked is None or draft.answers or draft.command.key:
            for block in preview(draft).blocks:
                if isinstance(block, Paragraph | Note):
                    lead = block.lead if isinstance(block, Paragraph) else ""
                    yield f"{lead} {block.text}".strip()
        if self.asked is not None and not _options(self.asked):
            yield self.asked.hint

    def explanations(self) -> Iterable[str]:
        """Sentences of this game for the question that is open."""
        return ()

    def _outlook(self) -> Outlook | None:
        draft, asked = self.draft, self.asked
        if draft is None or (asked is not None and (_options(asked) or not draft.answers)):
            return None
        return extra("The odds are", lambda: draft.outlook, lambda line: Outlook(sentences=(line,)))

    def _place(self, width: int) -> Content:
        title, where = self.title_and_headline
        if cell_len(title) + cell_len(where) + 3 > width:
            return Content.styled(where, DIM).truncate(width, ellipsis=True)
        return Content.assemble((title.upper(), "bold"), (f"   {where}", DIM))

    def _large(self, words: str, because: str, width: int, *, tall: bool) -> int:
        """Paint large letters with the reason beside or below them; returns the rows they take."""
        text = plain(words).upper()
        picture = largest(text, width - 5, (high, low) if tall else (low,))
        verdict = self.verdict
        mine = verdict is not None and verdict.text.upper() == text
        self.write("letters", painted_word(picture, verdict.tone if verdict and mine else ""))
        columns = max(map(cell_len, picture.splitlines()), default=0)
        reason = Content("\n".join(map(self.formatted, because.split("\n"))))
        self.write("because", reason)
        room = max(width - columns - 3, BESIDE)
        return max(picture.count("\n") + 1 if text else 0, rows_of(reason, room) if because else 0)

    # ------------------------------------------------------------------ keys and mouse

    def takes(self, key: str) -> bool:
        """Whether ``key`` is typed into an answer: one without options, or one that may be typed
        instead of an option, as the true card of a shot."""
        asked, draft = self.asked, self.draft
        if asked is None or draft is None:
            return False
        if _options(asked):
            writes = isinstance(asked, Either) and not all(map(_options, asked.ways))
            if not writes or not (draft.typed or _typed_way_takes(asked, key)):
                return False
        ends = key in ("enter", "backspace", "space" * asked.spaced) and bool(draft.typed)
        return ends or asked.takes(key, draft.typed)

    def gives(self, key: str | None) -> bool:
        return key is not None

    async def press(self, key: str) -> None:
        self.note = ""
        draft = self.draft
        if draft is not None and self.takes(key):
            await self._try(lambda: draft.press(key), key)
            return
        keys = [one.key for one in self.answers]
        at = self.cursor if key in TAKING and key not in keys else None
        at = keys.index(key) if at is None and key in keys else at
        if at == UNMARKED:
            asked = self.asked
            if isinstance(asked, Choose) and asked.by_key_only:
                self.say(asked.hint)
            else:
                self.say("Type it first, then press Enter.")
            return
        if at is None:
            self.say("Choose one of these by its letter, or with the arrows and Enter.")
            return
        await self._take(at, key)

    async def _take(self, at: int, key: str = "") -> None:
        answer, draft, entries = self.answers[at], self.draft, len(self.session.play.entries)
        if answer.action:
            await self.run_action(answer.action)
        elif answer.why_not:
            self.say(answer.why_not)
        elif draft is not None:
            doubt = draft.doubt
            typed = answer.key
            if doubt is not None:
                typed = doubt.key * ((doubt.sets or {}).get(doubt.name) == answer.value)
            await self._try(lambda: draft.reply(answer.value), typed)
        if key in TAKING and self.is_current and len(self.session.play.entries) > entries:
            self.held.rest(key, self.LOOK)

    async def _try(self, step: Callable[[], AnyDraft], typed: str) -> None:
        """Go on with the draft after a step; ``typed`` are keys of the full screen that lead to the
        same."""
        before, stored = self.draft, self.session.typed
        try:
            after = step()
        except UnfitAnswer as unfit:
            self.say(str(unfit))
            return
        if before is not None and (before.answers, before.asked) != (after.answers, after.asked):
            self.before.append((before, stored))
        async with self.recording(typed):
            await self.take(after)

    async def _return(self) -> None:
        self.draft, typed = self.before.pop()
        await self.session.type()
        await self.session.type(*typed)
        self.show_state()

    async def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.cursor = event.option_index
        await self._take(event.option_index)

    def action_move(self, by: int) -> None:
        at = 0 if self.cursor == UNMARKED and by < 0 else self.cursor
        self.cursor = (at + by) % max(len(self.answers), 1)
        self.show_state()

    async def action_other(self, key: str) -> None:
        command, begun = self.command(key), self.draft
        if begun is not None and any(one.key == key for one in begun.toggles):
            await self._try(lambda: begun.press(key), key)
        elif command is None or command.why_not:
            self.say(command.why_not if command else "Answer this first; ⌫ undoes it.")
        else:
            async with self.recording(key):
                draft: AnyDraft = Draft(command=command)
                if not draft.whole and begun is not None:
                    self.before = [(begun, [])]
                await self.take(draft)

    async def action_back(self) -> None:
        self.note = ""
        if self._anyway is not None:
            self.begin()
            self.show_state()
        elif self.draft is not None and self.draft.typed:
            await self._drop_typed(self.draft)
        elif self.before:
            await self._return()
        elif (
            self.prompt is not None
            or self.command("escape") is not None
            or (self.draft is not None and self.draft.begun)
        ):
            await self.back("escape")
        else:
            self.action_full()

    async def _drop_typed(self, draft: AnyDraft) -> None:
        async with self.recording(ESCAPE):
            self.draft = draft.dropped()
            self.show_state()

    async def step_out(self) -> None:
        await self.carry_out(self.session.undo())

    async def action_undo(self) -> None:
        draft = self.draft
        if draft is not None and draft.typed:
            await self._try(draft.back, "backspace")
        else:
            await self.carry_out(self.session.undo())

    def action_full(self) -> None:
        full = self.skirmish.make("battle", self.session)
        if any(type(one) is type(full) for one in self.app.screen_stack):
            self.dismiss()
        else:
            self.app.switch_screen(full)

    def action_home(self) -> None:
        self.skirmish.home()


def _typed_way_takes(asked: Slot, key: str) -> bool:
    """Whether a key begins an answer that is typed, and is the key of no option."""
    if any(option.key == key for option in _options(asked)):
        return False
    ways = [way for way in getattr(asked, "ways", ()) if not _options(way)]
    return any(way.takes(key) for way in ways)


def _options(slot: Slot) -> tuple[Option, ...]:
    return tuple(getattr(slot, "options", ()))
