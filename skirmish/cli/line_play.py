"""A game played line by line on a plain terminal: each line that is typed is an answer."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from skirmish import registry
from skirmish.cli.console import (
    CommandError,
    complain,
    harmless,
    say,
    say_page,
    say_wrapped,
    typed_lines,
)
from skirmish.extras import asked_page, unless_it_fails
from skirmish.player import AnyDraft, Player
from skirmish.registry import load
from skirmish.session import (
    AnySession,
    Session,
    Stored,
    at_once,
    fresh_seed,
    job_runner,
    with_typed_in,
)
from skirmish.store.errors import Outrun, StoreError
from skirmish.store.settings import read_settings, settings_file
from skirmish.tabletop.command_pages import commands_page, draft_page, due_page, help_page
from skirmish.tabletop.commands import Command, Draft, pressed, read, read_words
from skirmish.tabletop.data_file import nearest_name, suggest
from skirmish.tabletop.form import SetupForm
from skirmish.tabletop.game import Game, JournalLine, StoredArmy, Verdict
from skirmish.tabletop.journal_codec import RecordError
from skirmish.tabletop.linked_games import LinkedGame
from skirmish.tabletop.page import Choice, Choices, Heading, Note, Page
from skirmish.tabletop.refusal import Refused, with_key_note
from skirmish.tabletop.set_up_form import Field
from skirmish.tabletop.slots import Option, Slot, UnfitAnswer, Words

if TYPE_CHECKING:
    from skirmish.store.database import Store

SHELL = {
    ".": "Give the last shot or the like again",
    "!": "Do what was just advised against",
    "esc": "Leave what is begun",
    "undo": "Take the last order back",
    "redo": "Bring it back",
    "board": "Show the board again",
    "due": "Show everything that is due",
    "journal": "Show the whole journal",
    "rules": "Show how it is set up and played",
    "go": "Go to the battle, or back to its campaign",
    "help": "List what can be typed",
    "quit": "Stop; the game is stored",
}
"""The words that every game accepts, with a colon before them while a text is typed."""


class LineSession(Player):
    """A game on a plain terminal: each line that is typed is an answer, or several. `Player` has
    the commands of the game and the ``draft``, which is the order that is put together."""

    def __init__(self, session: AnySession) -> None:
        super().__init__(session)
        self._due: Page | None = None
        """What is due, as it was printed last."""

    def run(self) -> None:
        """Play until ``quit`` or the end of the input."""
        self._print_board()
        self._ask()
        for line in map(str.strip, typed_lines()):
            # Each answer is looked at before it is read: "quit" may be a text that is asked for.
            word = self._word(line)
            if word == "quit":
                break
            if word == "go" and self.linked_game_to_open is not None:
                say(f"Stored as number {self.session.id}.")
                self._other_game(self.linked_game_to_open).run()
                return
            # Each line is complete before the next is read, as one of a script may need what it
            # did.
            at_once(self._answer(line))
            self._ask()
        say(f"Stored as number {self.session.id}.")

    @property
    def _open_slot(self) -> Slot | None:
        """The answer that is asked for now."""
        if self.draft is None:
            return None
        return self.draft.slot

    def _word(self, line: str) -> str:
        """The word of the shell that a line is; empty where it may be an answer."""
        word = line.removeprefix(":").lower()
        # There is one list and no page for each word; whoever asks for one gets the list. The
        # screen's key for it is “?”.
        if word == "?" or word.startswith("help "):
            word = "help"
        if word not in SHELL:
            return ""
        # The game comes first: a name that is asked for may be "quit". With a colon it is a word of
        # the shell.
        if not line.startswith(":") and self._may_be_answer(line):
            return ""
        return word

    def _may_be_answer(self, line: str) -> bool:
        """Whether a line may be the answer to the open question; every line is a text."""
        slot = self._open_slot
        if slot is None:
            return False
        if isinstance(slot, Words):
            return True
        try:
            slot.parse(line, done=True)
        except UnfitAnswer:
            return False
        return True

    async def _answer(self, line: str) -> None:
        """Do what a typed line says; store it, so that what it begins can be gone on with."""
        async with self.recording(f"{line}\n"):
            try:
                word = self._word(line)
                if word:
                    await self._do(word)
                else:
                    await self._read(line)
            except UnfitAnswer as unfit:
                question = self.draft_in_hand
                # A slot without a reason of its own refuses with the text of its question, which
                # is asked again anyway.
                if question is None or question.shown_question != str(unfit):
                    self.say(str(unfit))

    async def _read(self, line: str) -> None:
        """Take answers. Raises UnfitAnswer.

        The key of a command that may follow another one divides a line: ``15rr8=5a1`` gives one
        order and begins the next with ``=``."""
        key = self._dividing_key(line)
        if not key:
            await self._read_line(line)
            return
        before, _, behind = line.partition(key)
        draft = self.draft
        if before:
            draft = read(draft, self.commands, before)
        await self.take(pressed(draft, self.commands, key))
        # The order in front may have been refused, or have led to a question; then what stands
        # behind is not for this command.
        has_begun = self.draft is not None and self.draft.command.key == key
        if behind.strip() and self.draft is not None and has_begun:
            await self.take(read_words(self.draft, behind.split()))

    async def _read_line(self, line: str) -> None:
        """Take a line that is an order or an answer, or an order with its draw: ``mi 2c``. Raises
        UnfitAnswer."""
        try:
            draft = read(self.draft, self.commands, line)
        except UnfitAnswer:
            words = line.split()
            # The draw is the end of the line, and as short as possible: a number before it may
            # still belong to the order.
            for begin in range(len(words) - 1, 0, -1):
                confirmed = self._confirmed_before_draw(words[:begin], words[begin:])
                if confirmed is not None:
                    await self._give_with_draw(confirmed, words[begin:])
                    return
            raise
        await self.take(draft)

    def _confirmed_before_draw(self, words: Sequence[str], draw: Sequence[str]) -> AnyDraft | None:
        """The confirmed draft of the order that ``words`` give, if it leads to a draw that ``draw``
        answers, or if the rules refuse the order: to give it then says why. None in all other
        cases."""
        play = self.session.play
        try:
            draft = read(self.draft, self.commands, " ".join(words))
            if not draft.ready:  # a required answer is missing
                return None
            confirmed = draft.confirmed()
            # Tried without being given: whether it leads to a draw is known only from the state
            # after it.
            order = confirmed.order(self.seed)
            play_after = play.after(play.consider(order))
            prompt = self.game.prompt(play_after)
            # Only a prompt for a draw is one that Esc takes back.
            if prompt is None or not prompt.takes_back:
                return None
            if not read_words(Draft(command=prompt), draw).complete:
                return None
        except UnfitAnswer:
            return None
        except Refused:
            return confirmed
        return confirmed

    async def _give_with_draw(self, confirmed: AnyDraft, draw: Sequence[str]) -> None:
        """Give the order of a draft, and answer the draw that it asks for; if it is refused, the
        draw goes with it."""
        await self.take(confirmed)
        if self.draft is not None and self.draft.command.takes_back:
            await self.take(read_words(self.draft, draw))

    def _dividing_key(self, line: str) -> str:
        """The key in a line that begins a command behind the answers before it; empty: none."""
        for command in self.commands:
            if command.why_not_after and command.key in line:
                return self._unless_answer(command.key, line)
        return ""

    def _unless_answer(self, key: str, line: str) -> str:
        """The key, if it divides a line; empty where it is part of the answer that is asked for, as
        in ``2=jc``, or begins a line that is one command."""
        before = line.partition(key)[0]
        if not before:
            # Nothing is begun that it could divide from the next command.
            if self.draft is None:
                return ""
            return key
        slot = self._open_slot
        if slot is not None and slot.takes(key, before):
            return ""
        return key

    async def give(self, orders: Sequence[Any]) -> bool:
        """Give orders and print what happens."""
        for order in orders:
            state_before = self.state
            verdict_before = self.game.verdict(self.session.play)
            # One by one, since each is told before the next changes the state.
            if not await super().give([order]):
                return False
            self._narrate(state_before, verdict_before)
        return True

    def _narrate(self, state_before: Any, verdict_before: Verdict | None) -> None:
        """Print the sentences of the last entry, and the verdict where it adds something."""
        narrated = self.game.narrated(state_before, self.session.play.entries[-1].events)
        for text in narrated:
            say(harmless(text))
        verdict = self.game.verdict(self.session.play)
        if verdict is not None and _is_news(verdict, verdict_before):
            _say_verdict(verdict, narrated)
        if self.game.over(self.state) and not self.game.over(state_before):
            say(f"The game is over. {harmless(self.game.headline(self.state))}.")

    def say(self, sentence: str, key_note: str = "") -> None:
        say(harmless(with_key_note(sentence, key_note)))

    def after_refusal(self, before: AnyDraft | None, refused: AnyDraft) -> AnyDraft | None:
        """The prompt, since another line may answer anything."""
        prompt = self.prompt
        if prompt is None:
            return None
        return Draft(command=prompt)

    async def failed(self, error: StoreError | RecordError) -> None:
        # A full disk ends the program as it ends any command.
        if not isinstance(error, Outrun):
            raise error
        raise CommandError(
            "Another program has gone on with this game; your last line was not carried out. "
            f"`skirmish play {self.session.id}` goes on from there."
        )

    async def _do(self, word: str) -> None:
        """What a word of the shell does."""
        match word:
            case ".":
                await self.repeat_last()
            case "!":
                await self.insist()
            # On the screen Esc drops what is begun first, and only then leaves a question.
            case "esc" if self._has_begun():
                self.begin()
            case "esc":
                await self.step_back("escape")
            case "undo":
                if await self.carry_out(self.session.undo()):
                    self._print_board()
            case "redo":
                if await self.carry_out(self.session.redo()):
                    self._print_board()
            case "board":
                self._print_board()
            case "due":
                say_page(due_page(self.game.due(self.session.play)))
            case "journal":
                say_journal(self.game.journal(self.session.play), self.game.title(self.state))
            case "rules":
                say_page(self.game.rules(self.state))
            case "go":
                self.say(self.why_no_linked_game)
            case "help":
                self._print_help()

    def _other_game(self, game: LinkedGame) -> LineSession:
        """A linked game, which is played on by the lines that follow."""
        return _resumed(self.session.stored, load(game.link.kind), game.number)

    def _has_begun(self) -> bool:
        """Whether something is begun: a command by its key, or an answer."""
        return self.draft is not None and (self.draft.begun or bool(self.draft.command.key))

    def _print_help(self) -> None:
        """The game's commands, and below them the words of the shell that this game has a use
        for."""
        # These words only mean something in a game that has the method for them.
        method_for = {".": "same_again", "!": "anyway", "rules": "rules"}
        words = []
        for word, meaning in SHELL.items():
            if word not in method_for or self._has_own(method_for[word]):
                words.append(Choice(word, meaning))
        always = (Heading("At any time"), Choices(tuple(words)))
        say_page(help_page(self.commands).with_blocks(always))

    def _has_own(self, method: str) -> bool:
        """Whether the game has a method of its own instead of the base's, which does nothing."""
        return getattr(type(self.game), method) is not getattr(Game, method)

    def _print_board(self) -> None:
        say_page(self.game.board(self.state))

    def _ask(self) -> None:
        """Print the situation, what is due if that has changed, and what can be answered."""
        if not self._has_begun():
            say_page(self.game.situation(self.state), title=False)
        if self.draft is None:
            due = unless_it_fails(
                lambda: self.game.due(self.session.play),
                instead=_note_page,
                missing="What is due is",
            )
            # Printed once: in a script of many lines it would drown what happens.
            if due != self._due:
                self._due = due
                say_page(due, title=False)
        question = self.draft_in_hand
        if question is None:
            say_page(commands_page(self.commands), title=False)
        else:
            say_page(asked_page(question), title=False)


def _is_news(verdict: Verdict, verdict_before: Verdict | None) -> bool:
    """Whether a verdict differs from the one that stood there before. One without a reason is a
    word such as HIT, which is news only if none stood there."""
    if verdict == verdict_before:
        return False
    return bool(verdict.reason) or verdict_before is None


def _say_verdict(verdict: Verdict, narrated: list[str]) -> None:
    """Print a verdict in one line, unless all of it was printed just now."""
    # The rows of a reason are one below another on the screen, and sentences here.
    parts = [verdict.text, *verdict.reason.split("\n")]
    text = ". ".join(part.removesuffix(".") for part in parts if part)
    if not _repeats(text, narrated):
        say(harmless(f"{text}."))


def _repeats(text: str, lines: list[str]) -> bool:
    """Whether each sentence of a text stands in one of the lines word for word."""
    for sentence in text.split(". "):
        # As whole words: "1 dies" is no part of "11 dies", nor "2" of "+2".
        whole = re.compile(rf"(?<![\w+-]){re.escape(sentence)}(?!\w)")
        if not any(whole.search(line) for line in lines):
            return False
    return True


def _note_page(text: str) -> Page:
    """A page with only that line."""
    return Page("", (Note(text),))


def new_game(store: Store, id: str, settings: list[str], defaults: bool) -> LineSession:
    """A new game, its fields answered by options, by typed lines, or by default. Raises
    CommandError."""
    kind = registry.named(id)
    if kind is None:
        raise CommandError(f"There is no game “{id}”; {known_games()}.")
    game = at_once(with_typed_in(load(kind.id), job_runner(store)))
    armies = [StoredArmy(str(army.id), army.name, army.body) for army in store.armies()]
    game = game.equipped(armies, read_settings(settings_file()))
    for warning in game.warnings:
        complain(warning)
    form = SetupForm(game)
    _answer_form(form, dict(_setting(text) for text in settings), defaults)
    try:
        first = game.opening(form.answers, fresh_seed)
    except Refused as refused:
        raise CommandError(str(refused)) from None
    session = at_once(Session.opened(game, job_runner(store), first))
    lines = LineSession(session)
    for order in game.first_orders(form.answers, fresh_seed):
        at_once(session.give(order))
    return lines


def resumed(store: Store, game: Game[Any, Any, Any], number: int) -> LineSession:
    """A stored game, to go on with. Raises CommandError."""
    return _resumed(job_runner(store), game, number)


def _resumed(stored: Stored, game: Game[Any, Any, Any], number: int) -> LineSession:
    """The game of that number in the store. Raises CommandError."""
    try:
        return LineSession(at_once(Session.resumed(game, stored, number)))
    except RecordError as error:
        raise CommandError(f"Game {number} cannot be read: {error}") from None


RENAMED = {"reading": "rulings"}
"""The names of lines of the set-up, by those that they had in earlier versions."""
_RULING = re.compile(r"[A-Z]+\d+")
_BEHIND_COLON = re.compile(r":.*")


def _setting(text: str) -> tuple[str, str]:
    """Name and value of an option ``--set``; raises CommandError."""
    name, equals, value = text.partition("=")
    if not equals:
        raise CommandError(f"--set takes NAME=VALUE, not {harmless(text)[:40]!r}.")
    return RENAMED.get(name.strip(), name.strip()), value.strip()


def _answer_form(form: SetupForm, options: dict[str, str], defaults: bool) -> None:
    """Answer the fields by the ``options`` of their names, then prompt for the rest. Raises
    CommandError for an option without a field, and where the input ends too early."""
    _answer_by_options(form, options)
    answered = set(options)
    field = _next_open(form, answered)
    while field is not None:
        name = field.slot.name
        answered.add(name)
        has_proposed_answer = form.answers[name] is not None
        if not (defaults and has_proposed_answer):
            form.answer(name, _typed_answer(form, field))
        field = _next_open(form, answered)


def _answer_by_options(form: SetupForm, options: dict[str, str]) -> None:
    """Give the answers of the options in the order of the form: each may bring fields, or take
    some away, so that the form is asked anew after every answer."""
    unused = dict(options)
    field = _next_with_option(form, unused)
    while field is not None:
        name = field.slot.name
        try:
            form.answer(name, form.read(name, unused.pop(name)))
        except ValueError as unfit:
            raise CommandError(f"--set {name}: {unfit}") from None
        field = _next_with_option(form, unused)
    for name in unused:
        hint = _suggested(name, [field.slot.name for field in form.fields])
        raise CommandError(
            f"--set {name}: the set-up of a {form.game.noun} has no such line; {hint}"
        )


def _next_with_option(form: SetupForm, options: Collection[str]) -> Field | None:
    """The first field that an option answers."""
    for field in form.fields:
        if field.slot.name in options:
            return field
    return None


def _next_open(form: SetupForm, answered: Collection[str]) -> Field | None:
    """The next field to ask for; those that are folded keep their proposed answer."""
    for field in form.fields:
        if not field.fold and field.slot.name not in answered:
            return field
    return None


def _suggested(name: str, field_names: list[str]) -> str:
    """The nearest name, else all names, those of a kind together: ``player:…``, ``P11``."""
    if nearest_name(name, field_names) is not None:
        return suggest(name, field_names)
    kinds = []
    for field_name in field_names:
        without_number = _RULING.sub("P11 and other rulings", field_name)
        kinds.append(_BEHIND_COLON.sub(":…", without_number))
    return suggest(name, dict.fromkeys(kinds))


def _typed_answer(form: SetupForm, field: Field) -> Any:
    """The answer to a line of the set-up, typed; it is asked for until it fits."""
    slot = field.slot
    draft: Draft[Any] = Draft(command=Command(label="", make=dict, slots=(slot,)))
    say_page(draft_page(draft, remark=_beside), title=False)
    for line in typed_lines():
        try:
            return form.read(slot.name, line.strip())
        except UnfitAnswer as unfit:
            say(harmless(str(unfit)))
    raise CommandError(f"The input ended before “{slot.text}” was answered; nothing was stored.")


def _beside(option: Option) -> str:
    """The note beside an answer, unless it only repeats it."""
    if option.note.rstrip(".") == option.label:
        return ""
    return option.note


def say_journal(lines: list[JournalLine], title: str) -> None:
    """Print a journal, its lines under their turns."""
    say_wrapped(harmless(title))
    for turn, lines_of_turn in groupby(lines, lambda line: line.turn):
        if turn:
            say(f"\nTurn {turn}")
        else:
            say()
        for line in lines_of_turn:
            first, *others = line.rows or (line.text,)
            say_wrapped(mark(line) + harmless(first), "", "  ")
            for sentence in others:
                say_wrapped(harmless(sentence), "  ", "    ")


def mark(line: JournalLine) -> str:
    """What stands before a line that no longer counts."""
    if line.void:
        return "(void) "
    if line.undone:
        return "(undone) "
    return ""


def known_games() -> str:
    """The names of all games, to end a sentence with: ``known are: plastic, omaha``."""
    names = [kind.command for kind in registry.all_games()]
    if not names:
        return "none is installed"
    return f"known are: {', '.join(names)}"
