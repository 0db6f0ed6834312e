"""A game played line by line on a plain terminal: each line that is typed is an answer, or a
control word such as ``undo``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from skirmish.cli.console import CommandError, harmless, say, say_page, typed_lines
from skirmish.cli.journals import say_journal
from skirmish.extras import question_page, unless_it_fails
from skirmish.player import AnyDraft, Player
from skirmish.registry import load
from skirmish.session import AnySession, Session, Stored, at_once
from skirmish.store.errors import Outrun, StoreError
from skirmish.tabletop.command_pages import commands_page, due_page, help_page, hint_of
from skirmish.tabletop.commands import Draft, pressed, read, read_words
from skirmish.tabletop.game import Game, Verdict
from skirmish.tabletop.journal_codec import RecordError
from skirmish.tabletop.linked_games import LinkedGame
from skirmish.tabletop.page import Choice, Choices, Heading, Note, Page
from skirmish.tabletop.refusal import Refused, with_key_note
from skirmish.tabletop.slots import Slot, UnfitAnswer, Words

CONTROL_WORDS = {
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
"""The words that every game accepts besides its own commands, each with its help. Where a text is
asked for, they need a colon before them: ``:quit``."""


class LinePlayer(Player):
    """A player who types lines, each of which is one answer or several. `Player` has the session of
    the stored game, the commands and the ``draft``, the order that is being composed."""

    def __init__(self, session: AnySession) -> None:
        super().__init__(session)
        self._printed_due: Page | None = None
        """The page of what is due, as it was last printed; None until it is printed."""

    def run(self) -> None:
        """Play until ``quit`` or the end of the input."""
        self._print_board()
        self._print_question()
        for line in map(str.strip, typed_lines()):
            word = self._control_word(line)
            if word == "quit":
                break
            if word == "go" and self.linked_game_to_open is not None:
                say(f"Stored as number {self.session.id}.")
                # The player of that game reads the further lines, up to ``quit`` or their end.
                self._player_of(self.linked_game_to_open).run()
                return
            # A line is carried out and stored before the next is read: the next line of a script
            # may depend on it.
            at_once(self._carry_out_line(line))
            self._print_question()
        say(f"Stored as number {self.session.id}.")

    @property
    def _open_slot(self) -> Slot | None:
        """The slot whose answer is asked for now; None between orders."""
        if self.draft is None:
            return None
        return self.draft.slot

    def _control_word(self, line: str) -> str:
        """The control word that a line is; empty where the line is none, or may be an answer."""
        word = line.removeprefix(":").lower()
        # "help fire" asks about one command, but there is only the list of all. The full-screen app
        # opens its help with “?”.
        if word == "?" or word.startswith("help "):
            word = "help"
        if word not in CONTROL_WORDS:
            return ""
        # An answer comes first: a name that is asked for may be "quit". With a colon the line is
        # always a control word.
        if not line.startswith(":") and self._may_be_answer(line):
            return ""
        return word

    def _may_be_answer(self, line: str) -> bool:
        """Whether a line may be the answer to the open question; any line may be a text."""
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

    async def _carry_out_line(self, line: str) -> None:
        """Do what a typed line says. The line is recorded with the session, so that a draft that it
        begins is still there when the game is resumed."""
        # The line break tells a resume that this was a line, and not the key of a screen.
        async with self.recording(f"{line}\n"):
            try:
                word = self._control_word(line)
                if word:
                    await self._carry_out_control_word(word)
                else:
                    await self._take_line(line)
            except UnfitAnswer as unfit:
                if not self._only_repeats_question(unfit):
                    self.say(str(unfit))

    def _only_repeats_question(self, unfit: UnfitAnswer) -> bool:
        """Whether a refusal says nothing but the question, its answers or its hint. These are
        printed below it anyway, as the question is asked again."""
        draft = self.draft_in_hand
        if draft is None or draft.shown_slot is None:
            return False
        if unfit.message == draft.shown_slot.keyless_question:
            return True
        return hint_of(draft).startswith(str(unfit))

    async def _take_line(self, line: str) -> None:
        """Take the answers of a line. Raises UnfitAnswer.

        A line is divided by the key of a command that may follow another one: ``15rr8=5a1`` gives
        one order and begins the next with ``=``."""
        key = self._dividing_key(line)
        if not key:
            await self._take_undivided(line)
            return
        before, _, after = line.partition(key)
        draft = self.draft
        if before:
            draft = read(draft, self.commands, before)
        await self.take(pressed(draft, self.commands, key))
        if not after.strip() or self.draft is None:
            return
        # If the first order was refused or has led to a question, the second command has not begun,
        # and the rest of the line answers nothing.
        if self.draft.command.key == key:
            await self.take(read_words(self.draft, after.split()))

    async def _take_undivided(self, line: str) -> None:
        """Take a line that is an order or an answer, or an order with its draw: ``mi 2c``. Raises
        UnfitAnswer."""
        try:
            draft = read(self.draft, self.commands, line)
        except UnfitAnswer:
            words = line.split()
            # The draw is at the end of the line. The shortest end is tried first, because a number
            # before it may still belong to the order.
            for words_of_order in range(len(words) - 1, 0, -1):
                order, draw = words[:words_of_order], words[words_of_order:]
                confirmed = self._confirmed_before_draw(order, draw)
                if confirmed is not None:
                    await self._give_with_draw(confirmed, draw)
                    return
            raise
        await self.take(draft)

    def _confirmed_before_draw(self, words: Sequence[str], draw: Sequence[str]) -> AnyDraft | None:
        """The confirmed draft of the order that ``words`` give, if that order leads to a draw which
        ``draw`` answers. A draft that the rules refuse is returned too: giving it prints the
        reason. None in all other cases."""
        play = self.session.play
        try:
            draft = read(self.draft, self.commands, " ".join(words))
            if not draft.ready:  # a required answer is missing
                return None
            confirmed = draft.confirmed()
            # The order is tried without being given: only the state after it shows whether it leads
            # to a draw.
            order = confirmed.order(self.seed)
            state_after = play.state_with(play.consider(order))
            prompt = self.game.prompt(state_after)
            # Of all prompts, only those for a draw can be taken back with Esc.
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
        """Give the order of a draft, and answer the draw that it asks for. If the order is refused,
        the draw is ignored."""
        await self.take(confirmed)
        if self.draft is not None and self.draft.command.takes_back:
            await self.take(read_words(self.draft, draw))

    def _dividing_key(self, line: str) -> str:
        """The key in a line that divides the answers before it from the next command; empty if the
        line is not divided. A game has at most one command that may follow another."""
        for command in self.commands:
            may_follow = command.why_not_after is not None
            if may_follow and command.key in line and self._divides(command.key, line):
                return command.key
        return ""

    def _divides(self, key: str, line: str) -> bool:
        """Whether a key begins a new command, rather than being a part of the answer that is asked
        for, as in ``2=jc``."""
        before, _, _ = line.partition(key)
        if not before:
            # The key divides the line from the draft, if there is one; otherwise the line is a
            # single command.
            return self.draft is not None
        slot = self._open_slot
        return slot is None or not slot.takes(key, before)

    async def give(self, orders: Sequence[Any]) -> bool:
        """Give orders and print what happens."""
        for order in orders:
            state_before = self.state
            verdict_before = self.game.verdict(self.session.play)
            # Orders are given one at a time: each is narrated before the next changes the state.
            if not await super().give([order]):
                return False
            self._narrate(state_before, verdict_before)
        return True

    def _narrate(self, state_before: Any, verdict_before: Verdict | None) -> None:
        """Print the sentences of the last entry, the verdict if it is new, and the end of the
        game."""
        events = self.session.play.entries[-1].events
        narrated = _whole_sentences(self.game.narrated(state_before, events))
        for text in narrated:
            say(harmless(text))
        verdict = self.game.verdict(self.session.play)
        if verdict is not None and _is_news(verdict, verdict_before):
            _say_verdict(verdict, narrated)
        if self.game.over(self.state) and not self.game.over(state_before):
            say(f"The game is over. {harmless(self.game.headline(self.state))}.")

    def say(self, sentence: str, key_note: str = "") -> None:
        """Print a sentence of the game, with the note on the key that it concerns."""
        say(harmless(with_key_note(sentence, key_note)))

    def after_refusal(self, before: AnyDraft | None, refused: AnyDraft) -> AnyDraft | None:
        """The draft of the prompt; the refused draft is dropped, because a line is typed anew."""
        prompt = self.prompt
        if prompt is None:
            return None
        return Draft(command=prompt)

    async def failed(self, error: StoreError | RecordError) -> None:
        # Only a game that went on elsewhere is explained here. Any other error, such as a full
        # disk, ends the program as it ends any command.
        if not isinstance(error, Outrun):
            raise error
        raise CommandError(
            "Another program has gone on with this game; your last line was not carried out. "
            f"`skirmish play {self.session.id}` goes on from there."
        )

    async def _carry_out_control_word(self, word: str) -> None:
        """Do what a control word stands for."""
        match word:
            case ".":
                await self.repeat_last()
            case "!":
                await self.insist()
            # As in the full-screen app, Esc first drops the draft, and only then leaves a question.
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
            # ``run`` carries out "quit", and also "go" where a game is linked: here none is.
            case "go":
                self.say(self.why_no_linked_game)
            case "help":
                self._print_help()

    def _player_of(self, game: LinkedGame) -> LinePlayer:
        """The player who goes on with a linked game."""
        return resumed(self.session.stored, load(game.link.kind), game.number)

    def _has_begun(self) -> bool:
        """Whether a command was begun by its key, or an answer was given."""
        if self.draft is None:
            return False
        # The command of a prompt has no key: nobody has begun it.
        return self.draft.begun or self.draft.command.key != ""

    def _print_help(self) -> None:
        """Print the commands of the game, and below them the control words that mean something in
        this game."""
        # These control words do nothing in a game that leaves the method to the base class.
        method_for = {".": "same_again", "!": "anyway", "rules": "rules", "go": "links"}
        choices = []
        for word, meaning in CONTROL_WORDS.items():
            if word not in method_for or self._has_own(method_for[word]):
                choices.append(Choice(word, meaning))
        control_words = (Heading("At any time"), Choices(tuple(choices)))
        say_page(help_page(self.commands).with_blocks(control_words))

    def _has_own(self, method: str) -> bool:
        """Whether the game has a method of its own instead of the base's, which does nothing."""
        return getattr(type(self.game), method) is not getattr(Game, method)

    def _print_board(self) -> None:
        say_page(self.game.board(self.state))

    def _print_question(self) -> None:
        """Print what can be typed next; before it the situation, unless an order or an answer is
        begun, and between orders what is due, if that has changed."""
        if not self._has_begun():
            say_page(self.game.situation(self.state), title=False)
        if self.draft is None:
            due = unless_it_fails(
                lambda: self.game.due(self.session.play),
                instead=_note_page,
                failure="What is due is not available",
            )
            # It is printed only when it changes: repeated after every line of a script, it would
            # drown the events.
            if due != self._printed_due:
                self._printed_due = due
                say_page(due, title=False)
        draft = self.draft_in_hand
        if draft is None:
            say_page(commands_page(self.commands), title=False)
        else:
            say_page(question_page(draft), title=False)


def resumed(stored: Stored, game: Game[Any, Any, Any], number: int) -> LinePlayer:
    """The player who goes on with the stored game of that number. Raises CommandError."""
    try:
        return LinePlayer(at_once(Session.resumed(game, stored, number)))
    except RecordError as error:
        raise CommandError(f"Game {number} cannot be read: {error}") from None


def _is_news(verdict: Verdict, verdict_before: Verdict | None) -> bool:
    """Whether a verdict differs from the one before the order. A verdict without a reason is a word
    such as HIT, which is news only if there was no verdict before."""
    if verdict == verdict_before:
        return False
    return bool(verdict.reason) or verdict_before is None


def _whole_sentences(narrated: list[str]) -> list[str]:
    """The sentences of an entry, each of which is a line. One that ends in a colon goes on with the
    next: ``Rolled 2 + 3 + 2:`` with ``7 squads land.``"""
    lines: list[str] = []
    for text in narrated:
        if lines and lines[-1].endswith(":"):
            lines[-1] = f"{lines[-1]} {text}"
        else:
            lines.append(text)
    return lines


def _say_verdict(verdict: Verdict, narrated: list[str]) -> None:
    """Print a verdict in one line, unless the ``narrated`` sentences already contain all of it."""
    # A number that is good or bad is the total of dice, and the sentences say what came of it. One
    # that is neither is news, such as the name of a chit: 505.
    if verdict.tone and verdict.text.isdigit():
        return
    # The full-screen app shows the rows of a reason one below another; here they are sentences.
    parts = [verdict.text, *verdict.reason.split("\n")]
    text = ". ".join(part.removesuffix(".") for part in parts if part)
    if not _repeats(text, narrated):
        say(harmless(f"{text}."))


def _repeats(text: str, lines: list[str]) -> bool:
    """Whether each sentence of a text is contained in one of the lines word for word."""
    for sentence in text.split(". "):
        # It is looked for as whole words: "1 dies" is no part of "11 dies", nor "2" of "+2".
        whole = re.compile(rf"(?<![\w+-]){re.escape(sentence)}(?!\w)")
        if not any(whole.search(line) for line in lines):
            return False
    return True


def _note_page(text: str) -> Page:
    """A page with only that line of text."""
    return Page("", (Note(text),))
